"""Pruning against naive twins, scikit-learn's path, and what the theory says of it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_wine
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.strategies.tree import trees
from tests.twins.topdown import pruning as naive
from treelib import TopDownTreeClassifier
from treelib.topdown.prune import methods
from treelib.tree.stored import Tree

quick = settings(max_examples=60, deadline=None)
PRICES = st.fractions(0, 2, max_denominator=40)


@st.composite
def counted_trees(draw, empirical=False):
    """A tree recounted on random rows; labels are the most frequent class if `empirical`."""
    tree = draw(trees(regression=False, missing=False, thresholds=(-0.5, 0.0, 0.5)))
    n = draw(st.integers(1, 25))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    X, y = random.normal(size=(n, 3)), random.integers(0, tree.n_classes, n)
    weight = random.integers(0, 4, n) / draw(st.sampled_from((1, 4))) if draw(st.booleans()) else None
    if weight is not None:
        weight[0] = 1.0
    tree = tree.recount(X, y, weight)
    return (tree.replace(label=None) if empirical else tree), X, y, weight


def is_pruning_of(small, large):
    """Whether `small` is `large` with some subtrees collapsed."""
    stack = [(0, 0)]
    while stack:
        s, t = stack.pop()
        if small.is_leaf[s]:
            continue
        if large.is_leaf[t] or (small.feature[s], small.threshold[s]) != (
            large.feature[t],
            large.threshold[t],
        ):
            return False
        stack += [(small.children_left[s], large.children_left[t])]
        stack += [(small.children_right[s], large.children_right[t])]
    return True


# ---- cost-complexity -------------------------------------------------------------------------------------


@quick
@given(counted_trees(), PRICES)
def test_cost_complexity_is_the_smallest_minimiser(case, price):
    """A tree that is not of least cost, or one of several of least cost that is not the smallest."""
    tree = case[0]
    every = naive.all_prunings(tree)
    costs = [naive.training_cost(one) for one in every]
    assert naive.smallest_minimiser(every, costs, price) == [methods.prune_cost_complexity(tree, price)]


@quick
@given(counted_trees())
def test_breakpoints_are_exact(case):
    """A breakpoint that is rounded, missing or doubled; checked at each breakpoint, where ties are."""
    tree = case[0]
    path = methods.cost_complexity_path(tree)
    every = naive.all_prunings(tree)
    costs = [naive.training_cost(one) for one in every]
    assert list(path.breakpoints) == naive.breakpoints(every, costs)
    for k, price in enumerate(path.breakpoints):
        assert naive.smallest_minimiser(every, costs, price) == [path[k]]


@quick
@given(counted_trees(), st.data())
def test_one_tree_is_that_of_the_path(case, data):
    """A fast way to one tree that errs where sums of doubles leave a node in doubt: at breakpoints."""
    tree = case[0]
    cost = None
    if data.draw(st.booleans()):
        cost = np.array(data.draw(st.lists(st.integers(0, 9), min_size=tree.n_nodes, max_size=tree.n_nodes)))
        cost = cost * data.draw(st.sampled_from([1, 0.1, 1 / 3]))
    path = methods.cost_complexity_path(tree, cost)
    price = float(data.draw(st.sampled_from(path.breakpoints)))
    for near in (*path.breakpoints, price, np.nextafter(price, 9), np.nextafter(price, 0), np.inf):
        assert methods.prune_cost_complexity(tree, near, cost) == path.at(near)


def test_one_tree_of_many_leaves_in_doubt():
    """Ties that are decided one by one for the whole of a large tree."""
    X = np.random.default_rng(0).random((20_000, 3))
    y = np.random.default_rng(1).integers(0, 2, 20_000)
    tree = TopDownTreeClassifier().fit(X, y).tree_
    path = methods.cost_complexity_path(tree)
    for piece in (0, 1, 5, len(path) // 2, len(path) - 1):
        for price in (path.breakpoints[piece], float(path.breakpoints[piece])):
            assert methods.prune_cost_complexity(tree, price) == path.at(price)


@quick
@given(counted_trees(empirical=True))
def test_path_is_breimans_procedure(case):
    """A path that differs from deleting weakest links one after the other."""
    tree = case[0]
    cost = [Fraction(one) for one in methods.wrong_counts(tree)]
    path = methods.cost_complexity_path(tree, cost)
    last = dict(naive.weakest_links(tree, cost))
    expected = [(price, leaves) for price, (_, leaves) in last.items() if price > 0]
    assert list(zip(path.breakpoints, path.n_leaves, strict=True))[1:] == expected
    for price, (total, _) in last.items():
        assert path.costs(np.array(cost, dtype=object))[path.piece(price)] == total


@quick
@given(counted_trees(), st.data())
def test_path_is_nested_and_counts_itself(case, data):
    """Trees that are not nested, wrong leaf counts, or errors unlike those of the trees (Theorem 4.1)."""
    tree, X, y, weight = case
    path = data.draw(st.sampled_from([methods.cost_complexity_path, methods.critical_value_path]))(tree)
    nested = [path[k] for k in range(len(path))]
    assert all(is_pruning_of(small, large) for large, small in zip([tree, *nested], nested, strict=False))
    assert [one.n_leaves for one in nested] == path.n_leaves.tolist()
    assert len(path) <= tree.n_leaves and path.n_leaves[-1] == 1 and path[-1].n_nodes == 1
    assert (np.diff(path.n_leaves) < 0).all() and path.breakpoints[0] == 0
    assert all(one < other for one, other in zip(path.breakpoints, path.breakpoints[1:], strict=False))
    np.testing.assert_allclose(
        path.errors(X, y, weight), [one.error(X, y, weight) for one in nested], atol=1e-12
    )


def data_of(loader, seed):
    X, y = loader(return_X_y=True)
    return train_test_split(X, y, test_size=0.2, random_state=seed)


@pytest.mark.parametrize("seed", range(4))
def test_path_equals_scikit_learn_for_classes(seed):
    """Another path than scikit-learn's, whose cost of a node is its weighted impurity."""
    train, test, y, _ = data_of(load_wine, seed)
    ours = Tree.from_sklearn(grown := DecisionTreeClassifier(random_state=seed).fit(train, y))
    theirs = grown.cost_complexity_pruning_path(train, y)
    cost = grown.tree_.impurity * grown.tree_.weighted_n_node_samples / len(y)
    path = methods.cost_complexity_path(ours, cost)
    alphas = np.unique(np.round(theirs.ccp_alphas, 12))
    np.testing.assert_allclose([float(a) for a in path.breakpoints], alphas, atol=1e-9)
    for low, high in zip(alphas, [*alphas[1:], alphas[-1] + 1], strict=True):
        middle = (low + high) / 2
        pruned = DecisionTreeClassifier(random_state=seed, ccp_alpha=middle).fit(train, y)
        assert path.at(middle).n_leaves == pruned.get_n_leaves()
        np.testing.assert_array_equal(path.at(middle).predict(test), pruned.predict(test))


def test_path_equals_scikit_learn_for_regression():
    """A regression tree pruned by something else than the squared error it saves."""
    train, test, y, _ = data_of(load_diabetes, 0)
    grown = DecisionTreeRegressor(random_state=0, max_leaf_nodes=60).fit(train, y)
    path = methods.cost_complexity_path(Tree.from_sklearn(grown))
    theirs = grown.cost_complexity_pruning_path(train, y).ccp_alphas
    np.testing.assert_allclose([float(a) for a in path.breakpoints], theirs, rtol=1e-6, atol=1e-6)
    middle = float(theirs[20] + theirs[21]) / 2
    pruned = DecisionTreeRegressor(random_state=0, max_leaf_nodes=60, ccp_alpha=middle).fit(train, y)
    np.testing.assert_allclose(path.at(middle).predict(test), pruned.predict(test))


def test_long_chains_are_quick_and_exact():
    """Quadratic time, or a recursion limit, on a tree that is one long path."""
    n = 20_000
    left = np.where(np.arange(2 * n + 1) % 2 == 0, np.arange(2 * n + 1) + 1, -1)
    right = np.where(left >= 0, np.arange(2 * n + 1) + 2, -1)
    left[-1] = right[-1] = -1
    value = np.zeros((2 * n + 1, 2))
    value[1::2, 0] = 1  # leaf k holds one row of class 0, the rest are of class 1
    value[-1] = 0, 1
    for node in range(2 * n - 2, -1, -2):
        value[node] = value[node + 1] + value[node + 2]
    chain = Tree(
        children_left=left,
        children_right=right,
        feature=np.where(left >= 0, 0, -2),
        threshold=np.arange(2 * n + 1, dtype=float),
        value=value,
        n_features=1,
    )
    path = methods.cost_complexity_path(chain)
    assert path.breakpoints == (0, Fraction(1, n + 1) * Fraction(1, n))
    assert path.n_leaves.tolist() == [n + 1, 1]


# ---- the other methods -----------------------------------------------------------------------------------


@quick
@given(counted_trees(), st.integers(0, 10**6))
def test_reduced_error_is_the_smallest_best_pruning(case, seed):
    """A pruning with more errors on the held-out data than another, or a larger one with as many."""
    tree = case[0]
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(12, 3)), random.integers(0, tree.n_classes, 12)
    every = naive.all_prunings(tree)
    held_out = [one.recount(X, y) for one in every]
    best = naive.smallest_minimiser(every, [naive.training_cost(one) for one in held_out], 0)
    assert best == [methods.prune_reduced_error(tree, X, y)]


@quick
@given(counted_trees(), st.sampled_from((0.0, 0.5, 1.0, 2.0)), st.sampled_from((0.0, 0.5, 1.0)))
def test_top_down_pessimistic_is_quinlans_rule(case, k, correction):
    """A node decided by other counts than those of the grown tree, or asked below a pruned one."""
    expected = naive.pessimistic_top_down(case[0], k, correction)
    assert methods.prune_top_down_pessimistic(case[0], k, correction) == expected


@quick
@given(
    counted_trees(),
    st.sampled_from((0.0, 0.1, 0.5, 1.0)),
    st.sampled_from((0.0, 1.0, 5.0)),
    st.integers(1, 9),
)
def test_bottom_up_pessimistic_is_mansours_rule(case, c1, c2, a):
    """A subtree measured before it is pruned below, or a size that is not its leaves."""
    assert methods.prune_bottom_up_pessimistic(case[0], c1, c2, a) == naive.pessimistic_bottom_up(
        case[0], c1, c2, a
    )


def test_bottom_up_pessimistic_without_margin_keeps_what_saves_errors():
    """A split that saves a training error is pruned at c1 = 0, or one that saves none is kept."""
    useful = Tree.from_nested((0, 0.5, [3, 0], (1, 0.5, [0, 2], [0, 4])))
    assert methods.prune_bottom_up_pessimistic(useful, 0.0).n_leaves == 2


@quick
@given(counted_trees(), st.sampled_from((0.0, 0.05, 0.3, 1.0)))
def test_critical_value_is_mingers_rule(case, critical):
    """A node pruned although a split below it exceeds the critical value."""
    tree = case[0]
    gain = methods.information_gain(tree)
    assert methods.prune_critical_value(tree, critical) == naive.critical_value(tree, gain, critical)
    for k, price in enumerate((path := methods.critical_value_path(tree)).breakpoints):
        assert path[k] == naive.critical_value(tree, gain, price)


def test_information_gain_in_bits():
    """Entropies weighted wrongly: a perfect split of a balanced node gains one bit."""
    tree = Tree.from_nested((0, 0.5, [4, 0], (1, 0.5, [0, 2], [0, 2])))
    np.testing.assert_allclose(methods.information_gain(tree), [1, 0, 0, 0, 0])


# ---- what is not accepted --------------------------------------------------------------------------------

STUMP = Tree.from_nested((0, 0.5, 0, 1))


@pytest.mark.parametrize(
    "prune",
    [
        methods.cost_complexity_path,
        methods.prune_top_down_pessimistic,
        methods.prune_bottom_up_pessimistic,
        methods.critical_value_path,
    ],
)
def test_tree_without_counts_is_refused(prune):
    """A tree written down without data, pruned by counts that are all zero."""
    with pytest.raises(ValueError, match="no counts"):
        prune(STUMP)


@pytest.mark.parametrize("prune", [methods.prune_top_down_pessimistic, methods.prune_bottom_up_pessimistic])
def test_regression_tree_is_refused(prune):
    """A regression tree, whose means would be read as counts."""
    with pytest.raises(ValueError, match="classification"):
        prune(Tree.from_nested((0, 0.5, 1.0, 2.0), is_regression=True))


def test_bad_parameters_are_refused():
    """A negative or missing number that prunes silently."""
    tree = Tree.from_nested((0, 0.5, [2, 0], [0, 2]))
    for call in (
        lambda: methods.prune_cost_complexity(tree, -0.1),
        lambda: methods.prune_cost_complexity(tree, np.nan),
        lambda: methods.cost_complexity_path(tree, [1, 2]),
        lambda: methods.cost_complexity_path(tree, [1, -2, 0]),
        lambda: methods.prune_top_down_pessimistic(tree, -1),
        lambda: methods.prune_bottom_up_pessimistic(tree, c1=np.nan),
        lambda: methods.prune_bottom_up_pessimistic(tree, n_attributes=0),
        lambda: methods.critical_value_path(tree, [np.inf, 0, 0]),
        lambda: methods.cost_complexity_path(tree).costs([1]),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(IndexError):
        methods.cost_complexity_path(tree)[2]
    assert methods.cost_complexity_path(tree).at(np.inf).n_leaves == 1
    assert methods.cost_complexity_path(tree).at(np.float64(0.5)).n_leaves == 1
