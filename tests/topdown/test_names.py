"""What a user of scikit-learn looks for under its name, and that it is the same there."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treelib
from treelib import (
    TopDownForestClassifier,
    TopDownForestRegressor,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)

CLASSIFIERS = {
    "BayesianTreeClassifier": {"n_iter": 500, "n_chains": 2, "random_state": 0},
    "BornAgainTreeClassifier": {"ensemble": RandomForestClassifier(2, max_depth=2, random_state=0)},
    "DyadicTreeClassifier": {"regularization": 0.02},
    "OptimalSparseTreeClassifier": {"regularization": 0.02},
    "TopDownForestClassifier": {"n_estimators": 4, "random_state": 0},
    "TopDownTreeClassifier": {"max_depth": 3},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_has_the_usual_methods(name):
    """One of them that is missing, or that disagrees with the tree."""
    X, y = load_iris(return_X_y=True)
    model = getattr(treelib, name)(**CLASSIFIERS[name])
    with pytest.raises(NotFittedError):
        _ = model.feature_importances_
    assert not hasattr(model, "feature_importances_") and not hasattr(model, "n_classes_")
    model.fit(X, y)
    assert model.n_classes_ == 3 and model.get_depth() >= 1 and model.get_n_leaves() >= 2
    importances = model.feature_importances_
    assert importances.shape == (4,) and importances.sum() == pytest.approx(1) and (importances >= 0).all()
    path = model.decision_path(X)
    path = path[0] if isinstance(path, tuple) else path
    assert sparse.issparse(path) and path.shape[0] == len(X)
    with np.errstate(divide="ignore"):
        assert np.array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))
    leaves = model.apply(X)
    assert len(leaves) == len(X)


def test_importances_of_a_tree_are_those_of_scikit_learn():
    """Falls of the impurity by the wrong columns, or without the weight of their node."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32).astype(float)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    model = treelib.OptimalSparseTreeClassifier(0.02)
    model.fit(X, y).tree_ = treelib.Tree.from_sklearn(tree)
    assert np.allclose(model.feature_importances_, tree.feature_importances_)


@pytest.mark.parametrize(("one", "two"), [("log_loss", "entropy"), ("friedman_mse", "squared_error")])
def test_other_names_of_criteria(one, two):
    """A name of scikit-learn's that is refused, or that means something else here."""
    if two == "entropy":
        (X, y), make = load_iris(return_X_y=True), TopDownTreeClassifier
    else:
        (X, y), make = load_diabetes(return_X_y=True), TopDownTreeRegressor
    assert make(one, max_depth=4).fit(X, y).tree_ == make(two, max_depth=4).fit(X, y).tree_


@pytest.mark.parametrize("value", [0.0, 1e-3, 0.01, 0.03])
def test_min_impurity_decrease_and_impurity_are_those_of_scikit_learn(value):
    """A decrease measured in another unit: trees of other sizes; nodes of another impurity."""
    rng = np.random.default_rng(0)
    X = rng.random((300, 3)).astype(np.float32).astype(float)
    y = rng.poisson(3 * X[:, 0] + X[:, 1])
    weight = rng.integers(1, 4, 300).astype(float)
    pairs = [(TopDownTreeClassifier, DecisionTreeClassifier, name) for name in ("gini", "entropy")]
    pairs += [(TopDownTreeRegressor, DecisionTreeRegressor, name) for name in ("squared_error", "poisson")]
    for ours, theirs, name in pairs:
        options = {"criterion": name, "max_depth": 4, "min_impurity_decrease": value}
        found = ours(**options).fit(X, y, weight).tree_
        other = theirs(**options, random_state=0).fit(X, y, weight).tree_
        assert found.node_count == other.node_count
        assert np.allclose(np.sort(found.impurity), np.sort(other.impurity))


def test_max_leaf_nodes():
    """One leaf too many or too few, and a limit that is silently none."""
    X, y = load_breast_cancer(return_X_y=True)
    for most in (1, 2, 5):
        assert TopDownTreeClassifier(max_leaf_nodes=most).fit(X, y).get_n_leaves() == most
    with pytest.raises(ValueError, match="max_leaf_nodes=0"):
        TopDownTreeClassifier(max_leaf_nodes=0).fit(X, y)


def test_balanced_subsample_balances_each_draw():
    """Weights of all rows, which leave the drawn ones out of balance."""
    X, y = load_breast_cancer(return_X_y=True)
    options = {"n_estimators": 3, "random_state": 0, "max_depth": 2}
    drawn = TopDownForestClassifier(class_weight="balanced_subsample", **options).fit(X, y)
    whole = TopDownForestClassifier(class_weight="balanced", **options).fit(X, y)
    for one, other in zip(drawn.trees_, whole.trees_, strict=True):
        assert one.value[0, 0] == pytest.approx(one.value[0, 1])
        assert other.value[0, 0] != pytest.approx(other.value[0, 1])
    plain = TopDownForestClassifier(class_weight="balanced", bootstrap=False, **options).fit(X, y)
    same = TopDownForestClassifier(class_weight="balanced_subsample", bootstrap=False, **options).fit(X, y)
    assert all(a == b for a, b in zip(plain.trees_, same.trees_, strict=True))
    with pytest.raises(ValueError, match="balanced_subsample"):
        TopDownTreeClassifier(class_weight="balanced_subsample").fit(X, y)


def test_estimators_are_the_trees():
    """An estimator with another tree, or that predicts codes in place of classes."""
    X, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    forest = TopDownForestClassifier(n_estimators=4, random_state=0, class_weight="balanced_subsample")
    with pytest.raises(NotFittedError):
        _ = forest.estimators_
    forest.fit(X, names)
    assert len(forest) == 4 and forest[1] is forest.estimators_[1] and list(forest) == forest.estimators_
    mean = np.mean([one.predict_proba(X) for one in forest.estimators_], axis=0)
    assert np.allclose(mean, forest.predict_proba(X))
    assert set(forest[0].predict(X)) == {"a", "b", "c"}
    mean = np.mean([one.feature_importances_ for one in forest], axis=0)
    assert np.allclose(mean, forest.feature_importances_)
    forest.set_params(n_estimators=2).fit(X, names)
    assert len(forest.estimators_) == 2


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB")
def test_oob_score_by_a_function():
    """A score that is never asked, or that gets codes in place of classes."""
    X, y = load_breast_cancer(return_X_y=True)
    names, seen = np.array(["no", "yes"])[y], []

    def score(true, predicted):
        seen.append((set(true), set(predicted)))
        return balanced_accuracy_score(true, predicted)

    model = TopDownForestClassifier(n_estimators=20, oob_score=score, random_state=0).fit(X, names)
    assert seen == [({"no", "yes"}, {"no", "yes"})] and 0.8 < model.oob_score_ < 1
    model = TopDownForestRegressor(n_estimators=20, oob_score=lambda true, found: 7.0, random_state=0)
    assert model.fit(X, y).oob_score_ == 7.0


def test_rows_that_every_tree_has_seen_are_said():
    """A score of few rows that passes for one of all."""
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        TopDownForestClassifier(n_estimators=1, oob_score=True, random_state=0).fit(X, y)


@pytest.mark.parametrize("make", [TopDownForestClassifier, TopDownForestRegressor])
def test_max_samples_needs_a_bootstrap(make):
    """A wish that is ignored: every tree got all rows."""
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="bootstrap=False"):
        make(bootstrap=False, max_samples=0.5).fit(X, y)


@pytest.mark.parametrize("make", [TopDownForestClassifier, TopDownTreeClassifier, TopDownTreeRegressor])
def test_weights_over_the_range_of_float64(make):
    """Squares of weights beyond float64: importances of NaN, and splits at random."""
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    weight = 10.0 ** rng.integers(-200, 201, len(y))
    model = make(random_state=0, max_depth=3).fit(X, y, weight)
    assert np.isfinite(model.feature_importances_).all() and model.feature_importances_.sum() > 0
    assert np.isfinite(model.predict(X)).all()
    small, usual = (make(random_state=0, max_depth=3).fit(X, y, np.full(len(y), w)) for w in (1e-200, 1.0))
    assert np.allclose(small.predict(X), usual.predict(X))


def test_whole_numbers_that_float64_does_not_tell_apart_are_said(recwarn):
    """Identifiers beyond 2**53 that collapse into one value without a word."""
    y = np.arange(40) % 2
    X = (2**60 + np.arange(40))[:, None]
    with pytest.warns(UserWarning, match=r"X holds whole numbers beyond 2\*\*53"):
        TopDownTreeClassifier().fit(X, y)
    with pytest.warns(UserWarning, match=r"X holds whole numbers beyond 2\*\*53"):
        TopDownTreeClassifier().fit(np.arange(40).astype(object)[:, None] + 10**30, y)
    import pandas as pd

    frame = pd.DataFrame({"near": np.arange(40), "far": 2**60 + np.arange(40)})
    with pytest.warns(UserWarning, match="Column 'far' of X"):
        TopDownTreeClassifier().fit(frame, y)
    recwarn.clear()
    TopDownTreeClassifier().fit(frame[["near"]], y)
    TopDownTreeClassifier().fit((np.arange(40) * 2**54)[:, None], y)  # far, and told apart
    assert not recwarn.list
