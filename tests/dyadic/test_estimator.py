"""The dyadic classifier: its objective, its trees and its limits."""

import pickle
import warnings
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from tests.twins.dyadic.brute_force import reachable
from treelib import DyadicTreeClassifier, dyadic
from treelib.dyadic.compress import merge_rows, row_losses


def small_problem(seed, n_classes=2, missing=0.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 14))
    X = np.round(rng.normal(size=(n, 2)), 1)
    y = np.where(rng.random(n) < 0.7, np.floor(X.sum(axis=1)) % n_classes, rng.integers(n_classes, size=n))
    X[rng.random(X.shape) < missing] = np.nan
    return rng, X, y.astype(int)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0, 0.01, Fraction(1, 7), 0.3]),
    st.sampled_from(["right", "left"]),
    st.booleans(),
)
def test_objective_is_the_naive_optimum(seed, regularization, closed, has_costs):
    """An objective above the optimum, or one that the tree does not have on the data."""
    rng, X, y = small_problem(seed, n_classes=3, missing=0.1)
    n_classes = len(np.unique(y))
    costs = rng.integers(0, 4, (n_classes, n_classes)) if has_costs else 1 - np.eye(n_classes, dtype=int)
    weights = rng.integers(1, 4, len(X))
    model = DyadicTreeClassifier(regularization, max_splits=2, closed=closed, cost_matrix=costs)
    model.fit(X, y, weights)
    losses = row_losses(np.unique(y, return_inverse=True)[1], n_classes, weights=weights, cost_matrix=costs)
    cells = merge_rows(model.grid_.codes(X), losses, keep_zero=True)
    total = int(weights.sum())
    points = reachable(cells.rows, cells.losses, [2, 2])
    optimum = min((loss + cells.offset) / total + regularization * leaves for leaves, loss in points)
    assert model.objective_ == pytest.approx(float(optimum), abs=1e-12)
    paid = losses[np.arange(len(X)), np.searchsorted(model.classes_, model.predict(X))].sum() / total
    assert model.objective_ == pytest.approx(paid + float(regularization) * model.get_n_leaves(), abs=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_trees_of_the_path_have_its_values(seed, free):
    """A solution whose tree has another error or another number of leaves than it says."""
    _, X, y = small_problem(seed)
    for solution in dyadic.solution_path(X, y, max_splits=4, free_empty_leaves=free):
        assert solution.tree.n_leaves == solution.n_leaves
        codes = np.unique(y, return_inverse=True)[1]
        assert solution.tree.error(X, codes) == pytest.approx(solution.error, abs=1e-12)


def test_intervals_cover_all_regularizations():
    """Gaps between the intervals of the path, or an `at` that disagrees with them."""
    path = dyadic.solution_path(*load_iris(return_X_y=True), max_splits=4)
    assert path[0].lambda_high == np.inf and path[-1].lambda_low == 0 and path[0].n_leaves == 1
    for before, after in pairwise(path):
        assert before.lambda_low == after.lambda_high
        assert isinstance(before.lambda_low, Fraction)
        # a tie goes to the larger tree
        assert path.at(before.lambda_low) is after
        assert path.at(before.lambda_low + Fraction(1, 10**9)) is before


@pytest.mark.parametrize("regularization", ["auto", 0.0, 0.01, 0.02, 0.5, 2.0])
def test_fit_is_a_point_of_the_path(regularization):
    """A fit that stops its path at the wrong place."""
    X, y = load_iris(return_X_y=True)
    model = DyadicTreeClassifier(regularization).fit(X, y)
    whole = model.regularization_path(X, y)
    price = Fraction(2, 150) if regularization == "auto" else regularization
    at = whole.at(price) if price > 0 else whole[-1]
    assert model.get_n_leaves() == at.n_leaves
    assert [s.n_leaves for s in model.path_] == [s.n_leaves for s in whole if s.lambda_high >= price]


def test_stopped_fit_has_a_valid_bound():
    """A bound above the optimum, or no warning, when a limit ends the search."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] * X[:, 1] > 0.3 * rng.normal(size=400)).astype(int)
    whole = DyadicTreeClassifier(0.001, max_splits=5).fit(X, y)
    bounds = []
    for limit in (1, 300, 3000):
        with pytest.warns(ConvergenceWarning, match="node_limit"):
            stopped = DyadicTreeClassifier(0.001, max_splits=5, node_limit=limit).fit(X, y)
        assert not stopped.is_optimal_ and stopped.status_ == "node_limit"
        assert 0 < stopped.lower_bound_ <= whole.objective_ <= stopped.objective_
        assert stopped.trace_["objective"][-1] == pytest.approx(stopped.objective_)
        assert stopped.trace_["lower_bound"][-1] == pytest.approx(stopped.lower_bound_)
        bounds.append(stopped.lower_bound_)
    assert bounds == sorted(bounds)
    trace = whole.trace_
    assert (np.diff(trace["objective"]) <= 0).all() and (np.diff(trace["nodes"]) >= 0).all()
    assert trace["objective"][-1] == pytest.approx(trace["lower_bound"][-1])


def test_pickle_holds_trees_and_no_training_rows():
    """A pickled model that carries the data, or a path that lost its trees."""
    X, y = load_iris(return_X_y=True)
    model = DyadicTreeClassifier().fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.path_[-1].source is None
    assert [s.tree for s in copy.path_] == [s.tree for s in model.path_]
    assert np.array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_empty_leaf_predicts_like_its_ancestor():
    """NaN probabilities in a region without training rows."""
    X = np.array([[0.0], [0.1], [0.2], [3.9], [4.0]])
    y = np.array([0, 1, 1, 0, 0])
    model = DyadicTreeClassifier(0.0).fit(X, y)
    empty = ~model.tree_.value.any(axis=1)
    assert empty.any()
    grid = np.linspace(-1, 5, 200)[:, None]
    assert np.isfinite(model.predict_proba(grid)).all()
    assert np.array_equal(model.predict(grid), model.classes_[model.predict_proba(grid).argmax(axis=1)])
    free = DyadicTreeClassifier(0.0, free_empty_leaves=True).fit(X, y)
    assert free.tree_.value.any(axis=1).all() and free.get_n_leaves() < model.get_n_leaves()
    assert free.score(X, y) == model.score(X, y) == 1


def test_frames_categories_weights_and_search():
    """Data frames, class weights and grid search, as a user has them."""
    pd = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True, as_frame=True)
    X["colour"] = pd.Categorical(np.where(y == 0, "red", "blue"))
    model = DyadicTreeClassifier(class_weight="balanced").fit(X, y)
    assert model.tree_.feature_names[-1].startswith("colour")
    search = GridSearchCV(clone(model), {"regularization": [0.001, 0.02, 0.3]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


def test_wide_data_get_a_coarser_grid():
    """An automatic grid whose search would never end."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 40))
    y = (X[:, 7] > 0.2).astype(int)
    model = DyadicTreeClassifier().fit(X, y)
    assert model.n_splits_[7] >= 3
    assert len(X) * model.grid_.rectangles_per_row <= 1e8


@pytest.mark.parametrize(
    "settings",
    [
        {"box": 3},
        {"box": ([0.0], [1.0])},
        {"max_rectangles": 0},
        {"cost_matrix": [[0, 1]]},
    ],
)
def test_settings_that_make_no_sense(settings):
    """A wrong setting that is taken silently or fails deep inside."""
    with pytest.raises(ValueError, match=next(iter(settings))):
        DyadicTreeClassifier(**settings).fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("scale", [0.001, 0.1, 1.0, 10.0, 1 / 120])
def test_the_price_auto_knows_no_scale_of_weights(scale):
    """Weights that sum to 1 make the leaf penalty 2, and the tree a single leaf, without a word."""
    rng = np.random.default_rng(0)
    X = rng.random((120, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.2, 120) > 0.8).astype(int)
    plain = DyadicTreeClassifier().fit(X, y)
    scaled = DyadicTreeClassifier().fit(X, y, np.full(120, scale))
    assert plain.get_n_leaves() > 1 and plain.regularization_ == Fraction(2, 120)
    assert scaled.regularization_ == pytest.approx(1 / 60, rel=1e-15)
    assert scaled.get_n_leaves() == plain.get_n_leaves()
    assert (scaled.predict(X) == plain.predict(X)).all()
    # rows of weight zero count as absent
    some = DyadicTreeClassifier().fit(X, y, scale * (np.arange(120) % 2))
    assert some.regularization_ == pytest.approx(2 / 60, rel=1e-15)


@pytest.mark.parametrize("limit", [{"time_limit": 1e-6}, {"time_limit": 0.01}, {"node_limit": 1}])
@pytest.mark.parametrize("free", [False, True])
def test_a_limit_that_stops_at_once_leaves_a_greedy_tree(limit, free):
    """A single leaf, called the best tree found, where a greedy one takes milliseconds."""
    X, y = make_classification(3000, 8, n_informative=5, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model = DyadicTreeClassifier(free_empty_leaves=free, **limit).fit(X, y)
    assert not model.is_optimal_ and model.score(X, y) > 0.8 and model.get_n_leaves() > 5
    error, price = 1 - model.score(X, y), float(model.regularization_)
    assert error + price * model.get_n_leaves() == pytest.approx(model.objective_, abs=1e-12)
    assert model.lower_bound_ <= model.objective_ == model.trace_["objective"][-1]
    path, whole = model.path_, DyadicTreeClassifier(max_splits=3, regularization=0.002)
    ends = [one.lambda_high for one in path]
    assert ends == sorted(ends, reverse=True) and path.at(path.proved).n_leaves <= path[-1].n_leaves
    # where the search has its grid, the bound of the optimum holds
    with pytest.warns(ConvergenceWarning):
        stopped = DyadicTreeClassifier(0.002, max_splits=3, node_limit=30).fit(X[:, :4], y)
    best = whole.fit(X[:, :4], y)
    assert stopped.lower_bound_ <= best.objective_ + 1e-12 <= stopped.objective_ + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_a_stopped_search_counts_its_greedy_tree_right(seed):
    """An objective that is not that of the tree, or a bound above the optimum, where a limit left a greedy
    tree: with weights, costs, missing values and empty leaves."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 20, (rng.integers(10, 200), 3)).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (3 * np.nan_to_num(X[:, 0]) + rng.integers(0, 3, len(X))).astype(int) % 3
    y[:3] = range(3)
    weights = [np.ones(len(X)), rng.random(len(X)) + 0.1][seed % 2]
    costs = [1 - np.eye(3), rng.random((3, 3)) * (1 - np.eye(3))][seed // 2 % 2]
    options = {"cost_matrix": costs, "max_splits": 4, "free_empty_leaves": seed % 3 == 0}
    model = DyadicTreeClassifier(0.01, **options)
    best = clone(model).fit(X, y, weights)
    limit = [{"time_limit": 1e-7}, {"node_limit": 1}, {"node_limit": 20}][seed % 3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a small problem may be done before
        model.set_params(**limit).fit(X, y, weights)
    lost = np.average(costs[y, model.predict(X)], weights=weights)
    assert lost + 0.01 * model.path_.at(0.01).n_leaves == pytest.approx(model.objective_, abs=1e-8)
    assert model.lower_bound_ - 1e-8 <= best.objective_ <= model.objective_ + 1e-8  # sums are rounded


@pytest.mark.parametrize(
    "others", [{}, {"box": ([0.0] * 4, [9.0] * 4)}, {"max_splits": 3}, {"time_limit": 1e-9}]
)
@pytest.mark.parametrize(
    "wrong",
    [
        {"widen": "x"},
        {"widen": -5},
        {"widen": np.nan},
        {"max_rectangles": "x"},
        {"split_rule": "zz"},
        {"closed": "up"},
        {"max_splits": "x"},
        {"max_splits": [1, 2]},
    ],
)
def test_settings_are_checked_whatever_the_others(wrong, others):
    """A setting that is believed beside a box, numbers of splits, or a limit that ends the fit first."""
    (name,) = wrong
    with pytest.raises(ValueError, match=rf"{name}=.* must be"):
        DyadicTreeClassifier(0.1, **(others | wrong)).fit(*load_iris(return_X_y=True))


def test_columns_that_the_grid_leaves_out_are_named():
    """A tree that is optimal over a grid without the column that tells, and says nothing of it."""
    X = np.random.default_rng(0).normal(size=(400, 4))
    y = X[:, 0] * X[:, 1] > 0
    with pytest.warns(UserWarning, match="does not split the encoded column"):
        model = DyadicTreeClassifier(max_rectangles=30_000).fit(X, y)
    assert (model.n_splits_ == 0).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DyadicTreeClassifier(max_rectangles=30_000, max_splits=1).fit(X, y)


def test_rows_of_one_cell_count_once_towards_the_bound_of_rectangles():
    """A grid that leaves a column out, or halves it less, because of rows that it cannot tell apart."""
    X = np.random.default_rng(0).normal(size=(4000, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    # three halvings a column make 512 cells and so many surrogates, of which each is in 64 rectangles
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = DyadicTreeClassifier(max_rectangles=512 * 64).fit(X, y)
    assert model.n_splits_.tolist() == [3, 3, 3] and model.is_optimal_
    with pytest.warns(UserWarning, match="does not split the encoded column"):
        model = DyadicTreeClassifier(max_rectangles=512 * 64 - 1).fit(X, y)
    assert np.count_nonzero(model.n_splits_) == 2
