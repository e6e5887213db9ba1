"""`OptimalSparseTreeClassifier` on numbers as they are: what it dispatches, returns and says."""

import warnings
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from treelib import OptimalSparseTreeClassifier
from treelib.sparse.continuous.sorting import sort_rows
from treelib.sparse.training import error_costs


def fit(X, y, weights=None, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return OptimalSparseTreeClassifier(**settings).fit(X, y, weights)


def test_proof_scope_says_what_was_searched():
    """A proof over ten thresholds that is told as one over all."""
    X, y = load_iris(return_X_y=True)
    assert fit(X, y, regularization=0.05).proof_scope_ == "all thresholds"
    assert fit(X, y, regularization=0.05, max_thresholds=3).proof_scope_ == "at most 3 thresholds a column"
    assert fit(X > X.mean(0), y, regularization=0.05, max_thresholds=3).proof_scope_ == "all thresholds"


def test_errors_are_those_of_contree():
    """The optima that pycontree 1.0.8 finds: breast cancer 22 and 9, wine 6 and 0."""
    for load, depth, errors in (
        (load_breast_cancer, 2, 22),
        (load_breast_cancer, 3, 9),
        (load_wine, 2, 6),
        (load_wine, 3, 0),
    ):
        X, y = load(return_X_y=True)
        model = fit(np.float32(X), y, regularization=0.0, max_depth=depth)
        assert model.is_optimal_ and (model.predict(np.float32(X)) != y).sum() == errors


def test_both_searches_have_one_optimum():
    """The search on numbers and that over columns of 0 and 1, with weights, classes and missing values."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 12, (60, 6)).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.array(["a", "b", "c"])[((X[:, 0] > 4).astype(int) + (X[:, 1] > 7) + (rng.random(60) < 0.1)) % 3]
    weights = rng.integers(1, 4, 60).astype(float)
    for options in (
        {"max_depth": 2},
        {"regularization": 0.06},
        {"class_weight": "balanced", "max_depth": 3},
    ):
        options = {"regularization": 0.03, **options}
        numbers = fit(X, y, weights, **options)
        columns = fit(X, y, weights, max_thresholds=1000, **options)
        assert numbers.binarizer_ is None and columns.binarizer_ is not None
        assert numbers.objective_ == pytest.approx(columns.objective_, abs=1e-10)
        right = numbers.predict(X) == y
        assert right.any() and numbers.is_optimal_


@pytest.mark.parametrize("max_leaves", [1, 2, 3, 4, 5, 6])
def test_leaf_limit_is_that_of_the_other_search(max_leaves):
    """A leaf limit between two trees that are optimal at a price."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 14, (50, 6)).astype(float)
    y = ((X[:, 0] > 6) ^ (X[:, 1] > 8) ^ (rng.random(50) < 0.1)).astype(int)
    numbers = fit(X, y, regularization=0.001, max_leaf_nodes=max_leaves, max_depth=3)
    columns = fit(X, y, regularization=0.001, max_leaf_nodes=max_leaves, max_depth=3, max_thresholds=1000)
    assert numbers.get_n_leaves() <= max_leaves
    assert numbers.objective_ == pytest.approx(columns.objective_, abs=1e-10)


def test_stopped_search_is_no_worse_than_greedy():
    """A stopped search that hands back a single leaf: 5,000 x 8 at depth 2 did."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 8))
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0.5) ^ (rng.random(3000) < 0.1)).astype(int)
    for depth in (2, 4, 6):
        model = fit(X, y, regularization=0.0, max_depth=depth, time_limit=0.5)
        greedy = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        assert model.score(X, y) >= greedy.score(X, y)
        assert model.lower_bound_ <= model.objective_ and model.get_depth() <= depth


def test_initial_tree_is_kept_or_beaten():
    """A tree to start from that is lost when the search is stopped at once."""
    X, y = load_breast_cancer(return_X_y=True)
    given = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    model = fit(X, y, regularization=0.0, max_depth=4, initial_tree=given, node_limit=1)
    assert model.score(X, y) >= given.score(X, y)


def test_equal_rows_are_merged_and_kept_apart():
    """Equal rows of two classes: what every tree misses is the base, the rest one row of its weight."""
    X = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [-0.0, 1.0], [0.0, 1.0]])
    rows = sort_rows(X, np.array([0, 1, 1, 0, 1]))
    assert rows.base == 2.0 and rows.total == 1 and len(rows.rows) == 1


def test_values_equal_in_float32_only_are_divided():
    """float64 decides: two values that float32 cannot tell apart are on two sides."""
    X = np.array([[1.0], [1.0 + 1e-12]] * 40) + np.repeat([[0.0], [5.0]], 40, axis=0)
    X = np.column_stack([X, np.arange(80.0) % 7, np.arange(80.0)])
    y = np.arange(80) % 2
    model = fit(X, y, regularization=0.001, max_depth=2)
    assert model.score(X, y) == 1.0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 2, 3]), st.booleans(), st.sampled_from([None, 2]))
def test_costs_of_errors_are_weights_of_rows(seed, n_classes, has_weights, max_depth):
    """Costs by the class of a row, on numbers and on columns of 0 and 1: another objective or bound."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 12, (40, 2)) / 4.0, rng.integers(0, n_classes, 40)
    y[:n_classes] = np.arange(n_classes)
    weights = rng.integers(0, 5, 40) / 2 if has_weights else None
    own = rng.integers(0, 2, n_classes) / 2
    matrix = np.diag(own) + (1 - np.eye(n_classes)) * (own + rng.integers(0, 4, n_classes))[:, None]
    options = {"max_depth": max_depth, "cost_matrix": matrix, "regularization": 0.03}
    with mock.patch("treelib.sparse.training.has_many_values", lambda X: False):
        known = OptimalSparseTreeClassifier(**options).fit(X, y, weights)
    with mock.patch("treelib.sparse.training.has_many_values", lambda X: True):
        found = OptimalSparseTreeClassifier(**options).fit(X, y, weights)
    assert (found.binarizer_ is None) == error_costs(matrix).is_exact and found.is_optimal_
    assert found.objective_ == pytest.approx(known.objective_, abs=1e-10)
    paid = matrix[y, found.predict(X)]
    mean = paid.mean() if weights is None else paid @ weights / weights.sum()
    assert found.objective_ == pytest.approx(mean + 0.03 * found.get_n_leaves(), abs=1e-10)
    if found.binarizer_ is None:
        assert found.trace_["objective"][-1:] == pytest.approx(found.objective_, abs=1e-10)


def test_costs_by_prediction_have_a_greedy_tree_where_there_is_no_room():
    """A limit before there are columns that leaves one leaf, where a greedy tree costs half."""
    rng = np.random.default_rng(0)
    X = rng.random((2000, 4))
    y = (X[:, 0] > 0.5).astype(int) + (X[:, 1] > 0.7)
    matrix = np.array([[0, 1, 4], [2, 0, 1], [5, 3, 0]])
    model = OptimalSparseTreeClassifier(0.01, max_depth=3, cost_matrix=matrix, memory_limit=5e6)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.fit(X, y)
    assert model.get_n_leaves() > 1 and model.lower_bound_ <= model.objective_
    paid = matrix[y, model.predict(X)].mean()
    assert model.objective_ == pytest.approx(paid + 0.01 * model.get_n_leaves(), abs=1e-12)
    leaf = np.bincount(y, minlength=3) @ matrix / 2000 + 0.01
    assert model.objective_ < 0.5 * leaf.min()


@pytest.mark.parametrize(
    "cost_matrix, lost", [(None, 0), (None, 1), ([[0, 1], [3, 0]], 0), ([[0, 1], [0, 0]], 0)]
)
def test_a_first_tree_of_some_rows_is_counted_on_all(cost_matrix, lost):
    """Counts of the rows of a search kept for those of the table: weighed by costs, or without a class."""
    rng = np.random.default_rng(0)
    X = rng.random((40_000, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.8).astype(int)
    weights = rng.random(len(y)) + 0.5
    if lost:
        y[:50], weights[:50] = 2, 0.0
    model = OptimalSparseTreeClassifier(0.001, cost_matrix=cost_matrix, time_limit=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # where the errors cost nothing, it is proved
        model.fit(X, y, sample_weight=weights)
    tree = model.tree_
    leaf = tree.apply(X)
    for node in np.flatnonzero(tree.children_left < 0):
        here = (leaf == node) & (weights > 0)
        assert tree.n_node_samples[node] in (np.count_nonzero(here), np.count_nonzero(leaf == node))
        np.testing.assert_allclose(tree.value[node], np.bincount(y[here], weights[here], len(model.classes_)))
