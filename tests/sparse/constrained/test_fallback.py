"""What a stopped search under constraints hands back: no worse than a greedy tree that keeps them."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from treelib import OptimalSparseTreeClassifier
from treelib.sparse.constrained.order import Order, best_labels
from treelib.sparse.constrained.problem import Columns, ConstrainedProblem, Constraints
from treelib.sparse.continuous.arrays import Numbers
from treelib.sparse.continuous.greedy import LargeSides, unmerged
from treelib.sparse.continuous.sorting import sorted_columns
from treelib.sparse.continuous.splits import GINI, best_splits, weights_by_class
from treelib.table.checks import go_on

LIMITS = [{"node_limit": 1}, {"memory_limit": 1}, {"time_limit": 1e-6}]
# costs that are weights of the classes, and those that depend on the class that is predicted
COSTS = [None, [[0, 3], [1, 0]], [[0, 3], [1, 0.5]]]


def table(n=500, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + 0.7 * rng.normal(size=n) > 0).astype(int)


def cost_of(leaf_of_row, y, price, cost_matrix=None):
    """Objective of a tree whose leaves have the class of least cost."""
    costs = 1 - np.eye(2) if cost_matrix is None else np.array(cost_matrix, float)
    leaves = [y[leaf_of_row == leaf] for leaf in np.unique(leaf_of_row)]
    return sum(costs[own].sum(axis=0).min() for own in leaves) / len(y) + price * len(leaves)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("costs", COSTS, ids=str)
def test_a_search_stopped_at_once_is_no_worse_than_a_greedy_tree(limit, costs):
    """A single leaf, or the free tree with its small leaves cut off; a leaf that is too small."""
    X, y = table()
    weight = None if costs is None else {0: 3, 1: 1}
    greedy = DecisionTreeClassifier(min_samples_leaf=20, class_weight=weight, random_state=0).fit(X, y)
    model = OptimalSparseTreeClassifier(0.001, min_samples_leaf=20, cost_matrix=costs, **limit)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    tree = model.tree_
    assert model.objective_ <= cost_of(greedy.apply(X), y, 0.001, costs) + 1e-12
    assert tree.n_node_samples[tree.is_leaf].min() >= 20
    assert model.objective_ == pytest.approx(cost_of(tree.apply(X), y, 0.001, costs))
    assert model.lower_bound_ <= model.objective_


def test_a_stopped_search_keeps_order_leaf_limit_and_required_tests():
    """A greedy tree that breaks a constraint that it was not grown by."""
    X, y = table()
    model = OptimalSparseTreeClassifier(
        0.001, monotonic_cst=[0, 0, -1, 0], max_leaf_nodes=6, min_samples_leaf=9, time_limit=1e-6
    )
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert 1 < model.get_n_leaves() <= 6
    lower, upper = X.copy(), X.copy()
    upper[:, 2] += 1
    assert (model.predict(upper) <= model.predict(lower)).all()
    model = OptimalSparseTreeClassifier(0.001, required_features=[3], time_limit=1e-6)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert 3 in model.tree_.feature


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("max_thresholds", [None, 5])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_search_stopped_at_once_makes_the_tests_that_are_required(limit, max_thresholds, data):
    """No tree at all; a test too deep, a leaf too many or too small, an order that is broken."""
    X, y = table(data.draw(st.integers(60, 3000)), seed=data.draw(st.integers(0, 9)))
    X[data.draw(st.integers(0, 1)) :: 7, 3] = np.nan
    required = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True))
    order = data.draw(st.lists(st.integers(-1, 1), min_size=4, max_size=4))
    options = {
        "max_depth": data.draw(st.sampled_from([None, 2, 3])),
        "max_leaf_nodes": data.draw(st.sampled_from([None, 1 + len(required), 8])),
        "min_samples_leaf": data.draw(st.integers(1, 8)),
        "cost_matrix": data.draw(st.sampled_from(COSTS)),
    }
    model = OptimalSparseTreeClassifier(
        0.01,
        required_features=required,
        monotonic_cst=order,
        max_thresholds=max_thresholds,
        **options,
        **limit,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        tree = model.fit(X, y).tree_
    assert set(required) <= set(tree.feature.tolist())
    assert tree.max_depth <= (options["max_depth"] or np.inf)
    assert tree.n_leaves <= (options["max_leaf_nodes"] or np.inf)
    assert tree.n_node_samples[tree.is_leaf].min() >= options["min_samples_leaf"]
    costs = 1 - np.eye(2) if options["cost_matrix"] is None else np.array(options["cost_matrix"], float)
    assert model.objective_ == pytest.approx(costs[y, model.predict(X)].mean() + 0.01 * tree.n_leaves)
    for feature, sign in enumerate(order):
        more = X.copy()
        more[:, feature] += 0.8
        assert (sign * (model.predict(more) - model.predict(X)) >= 0).all()


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("options", [{"min_samples_leaf": 5}, {"monotonic_cst": [0, 0, 1, 0]}], ids=str)
def test_an_initial_tree_stays_when_the_search_is_stopped_at_once(limit, options):
    """A tree to start from that is thrown away."""
    X, y = table(300)
    with pytest.warns(ConvergenceWarning):
        good = OptimalSparseTreeClassifier(0.01, **options, time_limit=1).fit(X, y)
        model = OptimalSparseTreeClassifier(0.01, **options, **limit, initial_tree=good).fit(X, y)
    assert model.objective_ <= good.objective_ + 1e-12


def test_costs_that_are_class_weights_are_searched_on_numbers():
    """Columns of all thresholds, which take all of the time; another optimum than that of the weights."""
    X, y = table(150, 3)
    options = {"max_depth": 2, "min_samples_leaf": 11}
    by_cost = OptimalSparseTreeClassifier(0.01, cost_matrix=[[0, 3], [1, 0]], **options).fit(X, y)
    weight = np.where(y == 0, 3.0, 1.0)
    unit = weight.mean()
    by_weight = OptimalSparseTreeClassifier(0.01 / unit, **options).fit(X, y, weight)
    assert by_cost.binarizer_ is None and by_cost.is_optimal_ and by_weight.is_optimal_
    assert by_cost.objective_ == pytest.approx(unit * by_weight.objective_)
    assert by_cost.objective_ == pytest.approx(cost_of(by_cost.apply(X), y, 0.01, [[0, 3], [1, 0]]))


@pytest.mark.parametrize(
    "options", [{"min_samples_leaf": 2}, {"required_features": [0]}, {"monotonic_cst": [1, 0, 0]}], ids=str
)
def test_trees_of_a_thousand_leaves_are_mended(options):
    """A call for each leaf within the other: RecursionError."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 3)), rng.integers(0, 2, 4000)
    model = OptimalSparseTreeClassifier(0, **options, time_limit=1.5)
    with pytest.warns(ConvergenceWarning) if "min_samples_leaf" in options else np.errstate():
        model.fit(X, y)  # it may compile, for longer than the limit
        model.fit(X, y)
    assert model.get_n_leaves() > 500


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(2, 3))
def test_labels_are_the_best_that_keep_the_order(seed, n, n_classes):
    """Labels that cost more than need be, or that break a pair."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 9, (n, n_classes)).tolist()
    pairs = [(i, j) for i, j in product(range(n), repeat=2) if i != j and rng.random() < 0.2]

    def paid(labels):
        return sum(cost[k] for cost, k in zip(costs, labels, strict=True))

    allowed = [
        labels
        for labels in product(range(n_classes), repeat=n)
        if all(labels[i] <= labels[j] for i, j in pairs)
    ]
    found = best_labels(costs, pairs)
    assert tuple(found) in allowed and paid(found) == min(map(paid, allowed))


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_pairs_of_leaves_are_those_of_their_relations(seed):
    """A pair that is left out, or turned round."""
    rng = np.random.default_rng(seed)
    feature = np.repeat(np.arange(3), 4)
    X = rng.integers(0, 5, (30, 3))
    values = (X[:, feature] > np.tile(np.arange(4), 3)).astype(np.uint8)
    constraints = Constraints.none(3)._replace(direction=rng.integers(-1, 2, 3).astype(np.int8))
    is_missing = np.arange(12) == 11
    order = Order(
        ConstrainedProblem(
            Columns(values, feature, is_missing), np.eye(2)[rng.integers(0, 2, 30)], constraints
        )
    )
    boxes = [{}]
    for _ in range(12):
        boxes.append(order.cut(boxes[rng.integers(len(boxes))], int(rng.integers(12)), int(rng.integers(2))))
    expected = []
    for i, j in product(range(len(boxes)), repeat=2):
        relation = order.relation(boxes[j], boxes[i]) if j < i else 0
        expected += [(j, i)] if relation > 0 else [(i, j)] if relation < 0 else []
    assert order.pairs(boxes) == expected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_splits_with_large_sides_are_the_best_of_these(seed, least):
    """A side that is too small, a cut between equal values, or a better cut that is missed."""
    rng = np.random.default_rng(seed)
    n, p, n_classes = int(rng.integers(5, 40)), int(rng.integers(1, 4)), int(rng.integers(2, 4))
    X = rng.integers(0, rng.integers(2, 12), (n, p)).astype(float)
    X[rng.random((n, p)) < 0.1] = np.nan
    y, weight = rng.integers(0, n_classes, n), rng.integers(1, 4, n).astype(float)
    node_of_row = np.r_[0, 1, rng.integers(-1, 2, n - 2)]
    order, features = sorted_columns(X, go_on)
    rows = unmerged(y, weight, n_classes, order, features)
    numbers = Numbers(p, n_classes, 0.0, 0.0, rows.classes, rows.weight, np.zeros((0, 2), np.uint64))
    weights = weights_by_class(numbers, node_of_row, 2)
    found = best_splits(numbers, LargeSides(order, node_of_row, least), node_of_row, weights, GINI)
    for node in range(2):
        at, best = np.flatnonzero(node_of_row == node), np.inf
        for column in X[at].T:
            for cut in np.unique(column[~np.isnan(column)]):
                sides = column <= cut, ~(column <= cut)
                if min(side.sum() for side in sides) >= least:
                    counts = [np.bincount(y[at][side], weight[at][side], n_classes) for side in sides]
                    best = min(best, -sum(count @ count / count.sum() for count in counts))
        assert found[node]["score"] == pytest.approx(best)
        if best < np.inf:
            column = X[:, features[found[node]["feature"]]]
            below, above = column[found[node]["below"]], column[found[node]["above"]]
            assert below < above or (np.isnan(above) and not np.isnan(below))


@pytest.mark.parametrize("limit", [{"node_limit": 1}, {"time_limit": 0.05}], ids=str)
def test_few_thresholds_have_a_greedy_tree_over_these(limit):
    """The free tree with its small leaves cut off, or a threshold that is none of these."""
    X, y = table()
    options = {"max_thresholds": 9, "min_samples_leaf": 20}
    with pytest.warns(ConvergenceWarning):
        model = OptimalSparseTreeClassifier(0.0001, **options, **limit).fit(X, y)
    found = model.binarizer_
    tests = {*zip(found.candidate_feature_, found.candidate_threshold_, strict=True)}
    columns = np.stack([X[:, k] > threshold for k, threshold in sorted(tests)], axis=1)
    greedy = DecisionTreeClassifier(min_samples_leaf=20, max_leaf_nodes=20, random_state=0).fit(columns, y)
    assert model.objective_ <= cost_of(greedy.apply(columns), y, 0.0001) + 1e-12
    inner = ~model.tree_.is_leaf
    assert {*zip(model.tree_.feature[inner], model.tree_.threshold[inner], strict=True)} <= tests
    assert model.objective_ == pytest.approx(cost_of(model.apply(X), y, 0.0001))
