"""`OptimalSparseTreeClassifier` on numbers as they are: what it dispatches, returns and says."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from treelib import OptimalSparseTreeClassifier
from treelib.sparse.continuous.sorting import sort_rows


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
    for settings in (
        {"max_depth": 2},
        {"regularization": 0.06},
        {"class_weight": "balanced", "max_depth": 3},
    ):
        settings = {"regularization": 0.03, **settings}
        numbers = fit(X, y, weights, **settings)
        columns = fit(X, y, weights, max_thresholds=1000, **settings)
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
