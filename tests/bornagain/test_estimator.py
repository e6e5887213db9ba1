"""`BornAgainTreeClassifier` as a scikit-learn estimator, and its faithfulness to the ensemble."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from treelib import BornAgainTreeClassifier
from treelib.bornagain.ensemble.reading import from_sklearn
from treelib.bornagain.estimator import READABLE

# continuous features make trees of thousands of leaves from the forest of the paper; the contract needs none
SMALL = RandomForestClassifier(3, max_depth=3, max_features=None, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=2, random_state=0)
X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("objective", ["depth", "leaves", "depth-leaves"])
@pytest.mark.parametrize(
    ("ensemble", "voting"),
    [
        (RandomForestClassifier(5, max_depth=3, random_state=1), "soft"),
        (RandomForestClassifier(5, max_depth=3, random_state=1), "hard"),
        (ExtraTreesClassifier(5, max_depth=3, random_state=1), "soft"),
        (BaggingClassifier(STUMP, 5, max_features=0.6, max_samples=0.1, random_state=1), "soft"),
        (AdaBoostClassifier(STUMP, n_estimators=5, random_state=1), "hard"),
        (STUMP, "hard"),
    ],
)
def test_predicts_as_the_ensemble_everywhere(ensemble, voting, objective):
    """A vote, a class or a threshold read wrongly; a tree that is right on training data only."""
    y = np.array(["b", "a", "c"])[Y]
    model = BornAgainTreeClassifier(ensemble, objective=objective, voting=voting).fit(X, y)
    rng = np.random.default_rng(0)
    grid = rng.uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, (2000, 4))
    # points on, just below and just above thresholds are where float32 and float64 differ
    cuts = from_sklearn(model.estimator_, match_float32=False)
    near = grid.copy()
    for tree in cuts.trees:
        for node in np.flatnonzero(~tree.is_leaf):
            rows = rng.integers(0, len(near), 60)
            steps = rng.integers(-3, 4, 60) * 2.0 ** rng.integers(-52, -20, 60)
            near[rows, tree.feature[node]] = tree.threshold[node] * (1 + steps)
    for points in (grid, near):
        assert (model.predict(points) == model.ensemble_.classes[model.ensemble_.predict(points)]).all()
        if voting == "soft" or not isinstance(ensemble, RandomForestClassifier):
            assert (model.predict(points) == model.estimator_.predict(points)).all()
    assert model.is_optimal_ and model.certify()
    assert model.get_n_leaves() == model.tree_.n_leaves == model.search_stats_["n_leaves"]


def test_objectives_are_ordered():
    """An objective that another one beats at its own measure."""
    forest = RandomForestClassifier(6, max_depth=3, random_state=0).fit(X, Y)
    found = {
        objective: BornAgainTreeClassifier(objective=objective).from_ensemble(forest).tree_
        for objective in ("depth", "leaves", "depth-leaves")
    }
    assert found["depth"].max_depth == found["depth-leaves"].max_depth <= found["leaves"].max_depth
    assert found["leaves"].n_leaves <= found["depth-leaves"].n_leaves <= found["depth"].n_leaves
    heuristic = BornAgainTreeClassifier(method="heuristic", random_state=0).from_ensemble(forest)
    assert heuristic.certify() and heuristic.tree_.n_leaves >= found["leaves"].n_leaves


def test_from_ensemble_takes_what_holds_trees():
    """A list of trees, an ensemble and an estimator that lead to different trees, or stale fitted state."""
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    forest = RandomForestClassifier(4, max_depth=2, random_state=3).fit(frame, Y)
    ensemble = from_sklearn(forest)
    model = BornAgainTreeClassifier(SMALL).fit(X, Y)
    by_estimator = model.from_ensemble(forest)
    assert by_estimator is model and not hasattr(model, "estimator_")
    assert list(model.feature_names_in_) == ["a", "b", "c", "d"] and model.predict(frame).shape == (150,)
    assert model.tree_ == BornAgainTreeClassifier().from_ensemble(ensemble).tree_
    by_trees = BornAgainTreeClassifier().from_ensemble(list(ensemble.trees)).tree_
    assert by_trees.same_function(model.tree_, missing=False)


def test_counts_and_proba():
    """Training counts that do not add up, or probabilities that disagree with the prediction."""
    model = BornAgainTreeClassifier(SMALL).fit(pd.DataFrame(X, columns=list("abcd")), Y)
    assert model.tree_.n_node_samples[0] == 150 and model.tree_.feature_names == ("a", "b", "c", "d")
    with pytest.warns(UserWarning, match="feature names"):
        assert (model.predict_proba(X).argmax(axis=1) == model.predict(X)).all()
    pruned = model.post_prune(pd.DataFrame(X, columns=list("abcd")))
    assert pruned.n_leaves <= model.tree_.n_leaves
    assert (pruned.predict(X) == model.tree_.predict(X)).all()


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_defaults_make_a_tree_that_a_person_reads(load):
    """Defaults that lead to hundreds of leaves, as ten trees of depth three did on tables of numbers."""
    table = load(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        leaves = [BornAgainTreeClassifier(random_state=seed).fit(*table).get_n_leaves() for seed in range(5)]
    assert max(leaves) < READABLE


def test_a_tree_that_nobody_reads_says_how_to_get_a_smaller_one():
    """Hundreds of leaves without a word."""
    forest = RandomForestClassifier(8, max_depth=3, random_state=0)
    with pytest.warns(UserWarning, match="leaves, more than a person reads"):
        model = BornAgainTreeClassifier(forest).fit(*load_wine(return_X_y=True))
    assert model.get_n_leaves() > READABLE


def test_limits_warn_and_stay_faithful():
    """A search that ignores its limits, or returns a tree of another function when they strike."""
    forest = RandomForestClassifier(20, max_depth=5, random_state=0).fit(X, Y)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model = BornAgainTreeClassifier(objective="leaves", memory_limit="1 MB").from_ensemble(forest)
    assert not model.is_optimal_ and model.status_ == "memory_limit"
    assert model.lower_bound_ <= model.objective_ == model.tree_.n_leaves
    assert model.certify()


@pytest.mark.parametrize("method", ["exact", "heuristic"])
@pytest.mark.parametrize(("memory_limit", "least_known"), [(2_000, 0), (150_000, 1)])
def test_open_leaves_ask_the_ensemble(method, memory_limit, least_known):
    """A limit too short for any faithful tree, or to begin at all: predictions of a guess, a tree that
    pretends, or nothing known of the optimum where there was room to look."""
    forest = RandomForestClassifier(20, max_depth=5, random_state=0).fit(X, Y)
    model = BornAgainTreeClassifier(method=method, memory_limit=memory_limit)
    with pytest.warns(ConvergenceWarning, match="where predict asks the ensemble"):
        model.from_ensemble(forest)
    assert len(model.open_leaves_) > 0 and model.objective_ == np.inf > model.lower_bound_ >= least_known
    assert not model.certify() and not model.is_optimal_ and "open_leaves" not in model.search_stats_
    assert (model.predict(X) == forest.classes_[model.ensemble_.predict(X)]).all()
    assert (model.predict_proba(X).argmax(axis=1) == model.ensemble_.predict(X)).all()
    assert (model.tree_.predict(X) != model.ensemble_.predict(X)).any()
    assert not BornAgainTreeClassifier(SMALL).fit(X, Y).open_leaves_.size


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "size"}, "objective='size'"),
        ({"method": "best"}, "method='best'"),
        ({"voting": "loud"}, "voting='loud'"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"time_limit": -1}, "time_limit=-1"),
        ({"memory_limit": "much"}, "memory_limit='much'"),
    ],
)
def test_bad_parameters(parameters, message):
    """A misspelt parameter that is silently taken for something else."""
    with pytest.raises(ValueError, match=message):
        BornAgainTreeClassifier(SMALL, **parameters).fit(X, Y)


def test_weights_train_the_ensemble():
    """Weights that are dropped on the way to the ensemble, or rows of no weight that leave a trace."""
    weights = np.where(Y == 0, 0.0, np.where(X[:, 0] > 6, 3.0, 1.0))
    model = BornAgainTreeClassifier(SMALL).fit(X, Y, weights)
    present = weights > 0
    forest = clone(SMALL).fit(X[present], Y[present], sample_weight=weights[present])
    assert list(model.classes_) == [1, 2]
    assert all((a.tree_.value == b.tree_.value).all() for a, b in zip(model.estimator_, forest, strict=True))
    assert model.tree_.value[0].sum() == weights.sum() and model.tree_.n_node_samples[0] == present.sum()
    assert model.certify()
    plain = BornAgainTreeClassifier(SMALL).fit(X, Y)
    pruned = plain.post_prune(X, weights)
    assert pruned == plain.post_prune(X[present]) and pruned.n_leaves < plain.post_prune(X).n_leaves
    with pytest.raises(ValueError, match="Negative"):
        model.fit(X, Y, -weights)


def test_bad_ensembles():
    """Ensembles that do not vote, or that are in the wrong place."""
    boosted = GradientBoostingRegressor(n_estimators=2).fit(X, Y == Y[0])
    with pytest.raises(TypeError, match=r"is a regressor; .* give a classifier"):
        BornAgainTreeClassifier().from_ensemble(boosted)
    with pytest.raises(NotFittedError):
        BornAgainTreeClassifier().from_ensemble(RandomForestClassifier())
    with pytest.raises(TypeError, match="from_ensemble"):
        BornAgainTreeClassifier([STUMP]).fit(X, Y)
    with pytest.raises(TypeError, match="a boosted classifier of scikit-learn, XGBoost or LightGBM"):
        BornAgainTreeClassifier().from_ensemble(VotingClassifier([("tree", STUMP)]).fit(X, Y))


def test_names_that_lightgbm_made_up_are_not_asked_for():
    """ "X does not have valid feature names" of a model that was fitted to an array like X."""
    lightgbm = pytest.importorskip("lightgbm")
    boosted = lightgbm.LGBMClassifier(n_estimators=2, max_depth=2, verbose=-1)
    model = BornAgainTreeClassifier().from_ensemble(boosted.fit(X, Y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = BornAgainTreeClassifier().from_ensemble(boosted.fit(frame, Y))
    assert not hasattr(model, "feature_names_in_") and named.feature_names_in_.tolist() == list("abcd")


def test_clone_pickle_and_search():
    """State that does not survive a copy, or a parameter that a grid search cannot set."""
    model = BornAgainTreeClassifier(SMALL, objective="leaves").fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_ and (again.predict(X) == model.predict(X)).all()
    assert clone(model).get_params()["objective"] == "leaves"
    search = GridSearchCV(BornAgainTreeClassifier(SMALL), {"ensemble__max_depth": [1, 2]}, cv=2).fit(X, Y)
    assert search.best_params_["ensemble__max_depth"] in (1, 2)


def test_says_where_the_majority_is_not_the_predict_of_the_forest():
    """A tree that is taken for the forest's predict, and decides otherwise on rows that it was trained on."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (200, 4)).astype(float)
    y = np.where((X[:, 0] > 2) ^ (X[:, 1] > 3), "p", "n")
    forest = RandomForestClassifier(4, max_depth=3, random_state=0)
    with pytest.warns(UserWarning, match="voting='soft' gives the tree of that predict"):
        BornAgainTreeClassifier(forest).fit(X, y)
    model = BornAgainTreeClassifier(voting="soft").from_ensemble(forest.fit(X, y))
    points = rng.uniform(-1, 7, (2000, 4))
    assert (model.predict(points) == forest.predict(points)).all() and model.tree_.class_names == ("n", "p")
