"""The top-down learner against the naive search over all splits, and against scikit-learn."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.twins.topdown.learner import best_decrease, deviance, impurity
from treelib import Tree
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.grow.learner import Limits, Problem, _nodes, learn
from treelib.topdown.grow.one_tree import BEGIN, DECREASE, END, FEATURE, LEFT, RIGHT
from treelib.topdown.grow.room import longer

CRITERIA = {
    "gini": {},
    "entropy": {},
    "km": {},
    "misclassification": {},
    "tsallis": {"alpha": 1.7, "beta": 2},
    "gamma": {"gamma": 0.4},
    "function": {},
}


@st.composite
def small_data(draw, regression=False):
    """X with ties and missing values, y, weights (None, whole or real)."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p, c = draw(st.integers(1, 14)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    X = rng.integers(0, draw(st.integers(1, 6)), (n, p)).astype(float)
    X[rng.random((n, p)) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    y = rng.integers(0, 5, n) + 0.5 * (rng.random(n) < 0.3) if regression else rng.integers(0, c, n)
    weight = draw(st.sampled_from(["none", "whole", "real"]))
    weight = {"none": None, "whole": rng.integers(1, 4, n) * 1.0, "real": rng.random(n) + 0.1}[weight]
    return X, y, weight, c


def as_criterion(name):
    if name == "function":
        return resolve(lambda p: (1 - p**2).sum(axis=1) / p.shape[1] - (1 - 1 / p.shape[1]))
    return resolve(name, **CRITERIA[name])


def naive_g(name, p):
    if name == "function":
        return (1 - p**2).sum() / len(p) - (1 - 1 / len(p))
    return impurity(name, p, **CRITERIA[name])


def check_every_split(grown, X, cost, limits, tolerance):
    """Each inner node has the best split of its rows, and each leaf none that is allowed."""
    nodes = grown.nodes
    whole, real = nodes.whole[: nodes.state[0]], nodes.real[: nodes.state[0]]
    members = {0: np.ones(len(X), bool)}
    for node in range(len(whole)):
        mask = members[node]
        assert mask.sum() == whole[node, END] - whole[node, BEGIN]
        rows = np.flatnonzero(mask)

        def cost_here(part, rows=rows):
            return cost(rows[part])

        best = best_decrease(X[rows], cost_here, limits.min_leaf)
        feature = whole[node, FEATURE]
        if feature < 0:
            stays = best is None or best < limits.min_decrease + tolerance
            assert stays or cost(rows) < tolerance
            continue
        x, threshold = X[rows, feature], grown.threshold[node]
        left = x <= threshold
        n_left = whole[whole[node, LEFT], END] - whole[whole[node, LEFT], BEGIN]
        if left.sum() != n_left:  # the missing ones go left too
            left |= np.isnan(x)
        assert left.sum() == n_left >= limits.min_leaf and (~left).sum() >= limits.min_leaf
        fall = cost_here(np.ones(len(rows), bool)) - cost_here(left) - cost_here(~left)
        assert np.isclose(fall, real[node, DECREASE], atol=tolerance)
        assert fall >= best - tolerance
        members[whole[node, LEFT]] = np.isin(np.arange(len(X)), rows[left])
        members[whole[node, RIGHT]] = np.isin(np.arange(len(X)), rows[~left])


@settings(max_examples=150)
@given(small_data(), st.sampled_from(sorted(CRITERIA)), st.integers(1, 3))
def test_every_split_is_the_best_one(data, name, min_leaf):
    """A scan that skips a split, miscounts a class, loses missing values, or a partition that loses order."""
    X, y, weight, n_classes = data
    criterion = as_criterion(name)
    w = np.ones(len(X)) if weight is None else weight

    def cost(rows):
        counts = np.bincount(y[rows], w[rows], n_classes)
        return counts.sum() * naive_g(name, counts / counts.sum()) / criterion.scale if len(rows) else 0.0

    # zero-gain splits are ties between growing on and stopping: rounding decides them for the naive twin
    limits = Limits(min_leaf=min_leaf, min_decrease=1e-7)
    grown = learn(Problem(X, y, n_classes, weight), criterion, limits)
    limits = limits._replace(min_decrease=1e-7 * w.sum() / criterion.scale)
    check_every_split(grown, X, cost, limits, tolerance=1e-9)


@settings(max_examples=100)
@given(small_data(regression=True), st.sampled_from(["squared_error", "tweedie"]), st.integers(1, 3))
def test_every_regression_split_is_the_best_one(data, name, min_leaf):
    """The same for targets: a wrong deviance, sum or mean."""
    X, y, weight, _ = data
    y = y + (0.0 if name == "squared_error" else 0.25)
    w = np.ones(len(X)) if weight is None else weight

    def cost(rows):
        return w[rows].sum() * deviance(name, y[rows], w[rows], 0.3) if len(rows) else 0.0

    limits = Limits(min_leaf=min_leaf, min_decrease=1e-7)
    grown = learn(Problem(X, y, 0, weight), resolve_regression(name, power=0.3), limits)
    check_every_split(grown, X, cost, limits._replace(min_decrease=1e-7 * w.sum()), tolerance=1e-9)


def total_cost(tree, name):
    leaf_counts = tree.value[tree.is_leaf]
    return float(resolve(name).impurity(leaf_counts) @ leaf_counts.sum(axis=1))


def assert_same_cost(X, y, ours, name, **options):
    """scikit-learn draws among equally good splits, which lead to different trees: one of them is ours."""
    cost, costs = total_cost(ours, name), []
    for seed in range(100):
        reference = DecisionTreeClassifier(criterion=name, random_state=seed, **options).fit(X, y)
        costs.append(total_cost(Tree.from_sklearn(reference), name))
        if np.isclose(costs[-1], cost, atol=1e-7):
            return
    pytest.fail(f"cost {cost}; scikit-learn's are from {min(costs)} to {max(costs)}")


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n, p, c = rng.integers(20, 300), rng.integers(1, 8), int(rng.integers(2, 5))
    X = rng.normal(size=(n, p)).astype(np.float32).astype(float)  # scikit-learn rounds to float32
    y = rng.integers(0, c, n)
    return X, np.where(rng.random(n) < 0.6, (X[:, 0] > 0) * 1, y), c


REAL = {"iris": load_iris, "wine": load_wine, "wdbc": load_breast_cancer, "digits": load_digits}


@pytest.mark.parametrize("name", ["gini", "entropy"])
@pytest.mark.parametrize("data", [*REAL, *range(40)])
def test_tree_of_depth_five_equals_scikit_learn(data, name):
    """Another tree than scikit-learn's CART, up to ties of equally good splits, which it draws at random."""
    X, y, c = (*REAL[data](return_X_y=True), 0) if data in REAL else random_problem(data)
    X = X.astype(np.float32).astype(float)
    c = c or len(np.unique(y))
    ours = learn(Problem(X, y.astype(np.intp), c), resolve(name), Limits(max_depth=5)).to_tree(X.shape[1], c)
    assert_same_cost(X, y, ours, name, max_depth=5)


@pytest.mark.parametrize("seed", range(10))
def test_best_first_equals_scikit_learn(seed):
    """An order of splits other than by largest decrease of the whole tree's impurity."""
    X, y, c = random_problem(seed)
    limits = Limits(max_splits=7, best_first=True)
    ours = learn(Problem(X, y, c), resolve("entropy"), limits).to_tree(X.shape[1], c)
    assert_same_cost(X, y, ours, "entropy", max_leaf_nodes=8)


@pytest.mark.parametrize("name", ["squared_error", "poisson"])
@pytest.mark.parametrize("seed", range(5))
def test_regression_tree_equals_scikit_learn(seed, name):
    """Other predictions than scikit-learn's regression tree on data without ties."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 4)).astype(np.float32).astype(float)
    y = rng.poisson(np.exp(X[:, 0])) + rng.random(400) + (1e6 if name == "squared_error" else 0)
    ours = learn(Problem(X, y, 0), resolve_regression(name), Limits(max_depth=4)).to_tree(4, 0)
    reference = DecisionTreeRegressor(criterion=name, max_depth=4, random_state=0).fit(X, y)
    assert np.allclose(ours.predict(X), reference.predict(X))


@settings(max_examples=100)
@given(small_data(regression=True), st.sampled_from(["squared_error", "tweedie"]), st.integers(1, 3))
def test_nodes_predict_the_mean_of_their_rows(data, name, max_depth):
    """A mean that is a rounding off, of the rows of another node, or outside the range of its targets."""
    X, y, weight, _ = data
    w = np.ones(len(X)) if weight is None else weight
    limits = Limits(max_depth=max_depth)
    tree = learn(Problem(X, y, 0, weight), resolve_regression(name, power=0.3), limits).to_tree(X.shape[1], 0)
    leaves = tree.apply(X)
    for leaf in np.flatnonzero(tree.is_leaf):
        rows = leaves == leaf
        if not w[rows].any():
            continue
        exact = sum(Fraction(v) * Fraction(u) for v, u in zip(y[rows], w[rows], strict=True))
        exact = float(exact / sum(map(Fraction, w[rows])))
        found = tree.value[leaf, 0]
        assert abs(found - exact) <= 4 * np.spacing(abs(exact))
        assert y[rows & (w > 0)].min() <= found <= y[rows & (w > 0)].max()


def test_leaves_of_zeros_predict_zero():
    """Targets taken less their mean and put back: -2e-16 for counts of 0."""
    rng = np.random.default_rng(0)
    X, y = rng.random((500, 3)), rng.poisson(0.3, 500).astype(float)
    tree = learn(Problem(X, y, 0), resolve_regression("squared_error")).to_tree(3, 0)
    assert np.array_equal(tree.predict_value(X)[:, 0], y)


def test_a_rest_of_rounding_is_no_count():
    """A Poisson leaf of zeros, let through because .1 + .2 + .3 less .1, .2 and .3 is not 0."""
    X, y = np.arange(4.0)[:, None], np.array([0.1, 0.2, 0.3, 0.0])
    for order in ([0, 1, 2, 3], [3, 0, 1, 2], [0, 3, 1, 2]):
        tree = learn(Problem(X, y[order], 0), resolve_regression("poisson")).to_tree(1, 0)
        assert (tree.value > 0).all()


@settings(max_examples=60)
@given(small_data(regression=True), st.integers(1, 3))
def test_every_split_by_the_absolute_error_is_the_best_one(data, min_leaf):
    """A median of other rows, a row that stays on both sides, or room that is not cleared."""
    X, y, weight, _ = data
    w = np.ones(len(X)) if weight is None else weight

    def cost(rows):
        if not len(rows):
            return 0.0
        return min(float((w[rows] * np.abs(y[rows] - at)).sum()) for at in y[rows])

    limits = Limits(min_leaf=min_leaf, min_decrease=1e-7)
    grown = learn(Problem(X, y, 0, weight), resolve_regression("absolute_error"), limits)
    check_every_split(grown, X, cost, limits._replace(min_decrease=1e-7 * w.sum()), tolerance=1e-9)
    tree = grown.to_tree(X.shape[1], 0)
    leaves = tree.apply(X)
    for leaf in np.flatnonzero(tree.is_leaf):
        rows = np.flatnonzero(leaves == leaf)
        here = (w[rows] * np.abs(y[rows] - tree.value[leaf, 0])).sum()
        assert here == pytest.approx(cost(rows), abs=1e-9)


def test_room_is_doubled_and_what_is_there_stays():
    """Nodes that are lost where a tree outgrows its arrays."""
    nodes = _nodes(5, 3)
    for table in (nodes.whole, nodes.real, nodes.value, nodes.waiting):
        table[...] = 7
    grown = longer(nodes)
    for name in ("whole", "real", "value", "waiting"):
        table = getattr(grown, name)
        assert len(table) == 10 and (table[:5] == 7).all() and table.dtype == getattr(nodes, name).dtype
