"""Top-down estimators: options, data of every kind."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV

from treelib import (
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)


def own_criterion(p):
    return (1 - (p**2).sum(axis=1)) ** 2


def test_pickle_and_grid_search():
    """An own criterion or a fitted tree that does not survive a pickle or a clone."""
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        TopDownTreeClassifier(max_depth=3), {"criterion": ["gini", "km", own_criterion]}, cv=3
    )
    search.fit(X, y)
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert again.tree_ == search.best_estimator_.tree_ and search.best_score_ > 0.9


def test_own_criterion_gives_the_tree_of_the_built_in_one():
    """The slow path of Python criteria chooses, orders or weighs splits otherwise than the kernels."""
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X[rng.random(X.shape) < 0.1] = np.nan
    options = {"max_leaf_nodes": 7, "min_samples_leaf": 3}
    own = TopDownTreeClassifier(lambda p: 1 - (p**2).sum(axis=1), **options).fit(X, y)
    assert own.tree_ == TopDownTreeClassifier("gini", **options).fit(X, y).tree_


@pytest.mark.parametrize("factor", [1.0, 3.0, 0.25])
def test_weights_are_repetitions(factor):
    """A row of weight 2 that does not count like two rows, or a unit of weight that matters."""
    X, y = load_iris(return_X_y=True)
    times = np.random.default_rng(1).integers(0, 3, len(X))
    many = np.repeat(np.arange(len(X)), times)
    for criterion in ("gini", "entropy", "km", "gamma"):
        model = TopDownTreeClassifier(criterion, max_depth=3, gamma=0.3)
        weighted = model.fit(X, y, factor * times).tree_
        repeated = model.fit(X[many], y[many]).tree_
        assert np.array_equal(weighted.predict(X), repeated.predict(X))
        assert np.allclose(weighted.value, factor * repeated.value)
    X, y = load_diabetes(return_X_y=True)
    times = np.random.default_rng(1).integers(0, 3, len(X))
    many = np.repeat(np.arange(len(X)), times)
    for criterion in ("squared_error", "poisson", "tweedie"):
        model = TopDownTreeRegressor(criterion, max_leaf_nodes=8)
        weighted = model.fit(X, y, factor * times).tree_
        assert np.allclose(weighted.predict(X), model.fit(X[many], y[many]).tree_.predict(X))


def test_class_weight_is_a_row_weight():
    """class_weight that is lost on the way to the kernel."""
    X, y = load_iris(return_X_y=True)
    weighted = TopDownTreeClassifier(max_depth=2, class_weight={0: 1, 1: 5, 2: 0.5}).fit(X, y)
    by_row = TopDownTreeClassifier(max_depth=2).fit(X, y, np.array([1, 5, 0.5])[y])
    assert weighted.tree_ == by_row.tree_


def test_missing_values_go_where_training_says():
    """NaN that is not tried on both sides, or a split on "is missing" that is lost."""
    nan = np.nan
    X = np.array([[0.0], [1.0], [nan], [nan], [5.0], [6.0]])
    for y, splits in (([0, 0, 0, 0, 1, 1], 1), ([0, 0, 1, 1, 1, 1], 1), ([0, 0, 1, 1, 0, 0], 1)):
        tree = TopDownTreeClassifier().fit(X, y).tree_
        assert np.array_equal(tree.predict(X), y)
        assert tree.n_leaves == splits + 1
    assert tree.threshold[0] == np.inf


@pytest.mark.parametrize("n_columns", [3, 40])
def test_drawn_features_are_reproducible(n_columns):
    """Two fits with one seed that differ, or seeds that all give one tree."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(200, n_columns)), rng.integers(0, 3, 200)
    trees = [
        TopDownTreeClassifier(max_features=1, max_depth=4, random_state=seed).fit(X, y).tree_
        for seed in (0, 0, 1, 2, 3)
    ]
    assert trees[0] == trees[1] and any(tree != trees[0] for tree in trees)


def test_edge_data():
    """A crash or a wrong leaf on one row, one class, constant columns, or mixed equal rows."""
    one = TopDownTreeClassifier().fit([[1.0]], ["a"])
    assert one.tree_.n_leaves == 1 and one.predict([[3.0]]) == ["a"]
    same = TopDownTreeClassifier().fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert same.tree_.n_leaves == 1 and np.allclose(same.predict_proba([[1, 1]]), [[0.25, 0.75]])
    assert TopDownTreeClassifier(max_depth=0).fit([[0], [1]], [0, 1]).tree_.n_leaves == 1
    assert TopDownTreeClassifier(max_leaf_nodes=1).fit([[0], [1]], [0, 1]).tree_.n_leaves == 1
    close = np.nextafter(1.0, 2.0)
    tree = TopDownTreeClassifier().fit([[1.0], [close]], [0, 1]).tree_
    assert np.array_equal(tree.predict([[1.0], [close]]), [0, 1])
    assert TopDownTreeClassifier("tsallis", alpha=50).fit(*load_iris(return_X_y=True)).score is not None


@pytest.mark.parametrize(
    "options",
    [
        {"criterion": "tsallis", "alpha": -1.0},
        {"criterion": "tsallis", "alpha": 1e6},
        {"min_samples_split": 0},
        {"min_impurity_decrease": np.nan},
    ],
)
def test_bad_parameters_are_refused(options):
    """A parameter outside its range that reaches a kernel."""
    with pytest.raises(ValueError):
        TopDownTreeClassifier(**options).fit(*load_iris(return_X_y=True))


def test_regression_targets_are_checked():
    """Negative targets of a deviance that is not defined for them."""
    X = np.arange(4.0)[:, None]
    with pytest.raises(ValueError, match="negative which is not allowed for Poisson"):
        TopDownTreeRegressor("poisson").fit(X, [-1, 0, 1, 2])
    with pytest.raises(ValueError, match="positive target"):
        TopDownTreeRegressor("tweedie").fit(X, [0, 0, 0, 0])
    leaf = TopDownTreeRegressor("poisson").fit(X, [0, 0, 1, 2]).tree_
    assert (leaf.value > 0).all()


def test_a_greedy_tree_is_not_called_optimal():
    """A status that claims a proof which nobody made."""
    X, y = load_iris(return_X_y=True)
    assert TopDownTreeClassifier().fit(X, y).status_ == "complete"
    forest = TopDownForestClassifier(n_estimators=2, random_state=0).fit(X, y)
    assert {forest.status_, *(one.status_ for one in forest.estimators_)} == {"complete"}


def test_fractions_are_of_the_rows_that_weigh():
    """Rows of weight zero that count towards min_samples_split or min_samples_leaf as a fraction."""
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 1, 1])
    more, weight = np.vstack([X, np.full((4, 1), 9.0)]), np.repeat([1.0, 0.0], 4)
    for limit in ({"min_samples_split": 0.6}, {"min_samples_leaf": 0.2}):
        model = TopDownTreeClassifier(**limit)
        alone = model.fit(X, y).tree_
        assert alone.n_leaves == 2 and model.fit(more, np.append(y, [0] * 4), weight).tree_ == alone


WEIGHTS = [None, 7.0, 0.1, 1 / 3]


def _weights(n, weight):
    return None if weight is None else np.full(n, weight)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "km", {"alpha": 1.4, "beta": 3}, "misclassification", own_criterion]
)
def test_equal_splits_are_told_apart_by_order_alone(criterion, weight):
    """Another tree for a constant weight, or a mirrored or repeated column instead of the first."""
    options = (
        {"criterion": "tsallis", **criterion} if isinstance(criterion, dict) else {"criterion": criterion}
    )
    model = TopDownTreeClassifier(max_depth=1, **options)
    x = np.arange(12.0)
    y = np.array([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])  # the splits at 1.5 and 9.5 mirror each other
    tree = model.fit(np.c_[-x, x, x], y, _weights(12, weight)).tree_
    other = model.fit(np.c_[-x, x, x], y).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, other.threshold[0])
    if criterion != "misclassification":  # by which no split gains
        assert tree.threshold[0] == -9.5
        assert model.fit(np.c_[x, -x], y, _weights(12, weight)).tree_.threshold[0] == 1.5


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_equal_splits_of_numbers_are_told_apart_by_order_alone(criterion, weight):
    """The same for targets that no binary number holds."""
    x, y = np.arange(1, 16.0), np.array([0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]) * 3.3 + 0.7
    model = TopDownTreeRegressor(criterion, max_depth=1)
    tree = model.fit(np.c_[x, -x, x], y, _weights(15, weight)).tree_
    other = model.fit(np.c_[x, -x, x], y).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, other.threshold[0])
    assert other.threshold[0] < 8


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weight", ["third", "real"])
def test_rounding_of_many_rows_decides_no_split(n_classes, weight):
    """Sums that run along a column and back, which rounding parts, so that a mirrored column is taken."""
    rng = np.random.default_rng(n_classes)
    x, y = rng.normal(size=(6000, 2)), rng.integers(0, n_classes, 6000)
    X = np.c_[x, -x]
    w = np.full(6000, 1 / 3) if weight == "third" else rng.random(6000) + 0.1
    model = TopDownTreeClassifier(max_depth=4)
    tree = model.fit(X, y, w).tree_
    assert set(tree.feature[~tree.is_leaf]) == {0, 1}
    if weight == "third":
        assert tree.same_function(model.fit(X, y).tree_)


@pytest.mark.parametrize("weight", [None, 0.1, 3.0])
def test_leaves_of_equal_decrease_are_split_in_the_order_they_were_made(weight):
    """The left of two halves that are each other's mirror image, with a best-first limit of three leaves."""
    half = np.array([0, 0.3, 0.7, 0, 0.1, 0.1, 0])
    y = np.r_[half, 10.1 - half[::-1]]
    X = np.arange(14.0)[:, None]
    tree = TopDownTreeRegressor(max_leaf_nodes=3).fit(X, y, _weights(14, weight)).tree_
    assert tree.threshold[0] == 6.5 and tree.threshold[tree.children_left[0]] < 6.5
    assert tree.is_leaf[tree.children_right[0]]


@pytest.mark.parametrize(("n", "share"), [(100, 0.07), (50, 0.14), (1000, 0.029), (300, 0.11)])
def test_a_fraction_that_is_met_is_met_in_spite_of_rounding(n, share):
    """Eight rows asked for by 0.07 of 100, since 0.07 * 100 is above 7; weights of 0.1 that sum to less."""
    few = round(n * share)
    X, y = np.arange(float(n))[:, None], (np.arange(n) >= n - few).astype(int)
    for model in (
        TopDownTreeClassifier(min_samples_leaf=share),
        OptimalSparseTreeClassifier(0.001, max_depth=1, min_samples_leaf=share),
        TopDownTreeClassifier(min_weight_fraction_leaf=share),
    ):
        assert model.fit(X, y).score(X, y) == 1
        assert clone(model).set_params(**{_limit(model): share + 1 / n}).fit(X, y).score(X, y) < 1
    for weight in (0.1, 0.3, 1 / 7):
        model = TopDownTreeClassifier(min_weight_fraction_leaf=share)
        assert model.fit(X, y, np.full(n, weight)).score(X, y) == 1


def _limit(model):
    return (
        "min_weight_fraction_leaf"
        if model.get_params().get("min_weight_fraction_leaf")
        else "min_samples_leaf"
    )
