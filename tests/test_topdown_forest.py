"""Random forests on any criterion: contract, reproducibility, out-of-bag predictions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from treelib import TopDownForestClassifier, TopDownForestRegressor
from treelib.topdown.learner import Problem, sort_rows
from treelib.topdown.presort import repeat_rows

# a bootstrap draws rows, so that a row of weight 2 is drawn as one; without draws weights are repetitions
DRAWS = {"check_sample_weight_equivalence_on_dense_data": "rows of a bootstrap are drawn whatever they weigh"}


@parametrize_with_checks(
    [
        TopDownForestClassifier("km", n_estimators=5, random_state=0),
        TopDownForestRegressor(n_estimators=10, random_state=0),
        TopDownForestClassifier(n_estimators=2, bootstrap=False, max_features=None),
        TopDownForestRegressor(n_estimators=2, bootstrap=False, max_features=None),
    ],
    expected_failed_checks=lambda estimator: DRAWS if estimator.bootstrap else {},
)
def test_sklearn_contract(estimator, check):
    """A departure from what scikit-learn's tools expect of an estimator."""
    check(estimator)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 3))
def test_repeated_codes_are_those_of_the_repeated_rows(seed, n, p):
    """A bootstrap sample with a row lost, out of order, or with a wrong mark of a new value."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n, p)).astype(float), rng.integers(0, 3, n)
    X[rng.random((n, p)) < 0.2] = np.nan
    times = rng.integers(0, 3, n)
    ordered = sort_rows(Problem(X, y, 3))
    codes = np.empty((p, times.sum()), dtype=ordered.codes.dtype)
    repeat_rows(ordered.codes, ordered.shift, times, codes)
    for feature in range(p):
        rows = codes[feature] >> ordered.shift
        assert np.array_equal(np.bincount(rows, minlength=n), times)
        values = X[rows, feature]
        assert np.array_equal(values, np.sort(values), equal_nan=True)
        is_new = np.ones(len(rows), bool)
        is_new[1:] = ~((values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1])))
        assert np.array_equal((codes[feature] & 1).astype(bool), is_new)


@pytest.mark.parametrize("criterion", ["entropy", lambda p: 1 - (p**2).sum(axis=1)])
def test_same_forest_for_any_number_of_threads(criterion):
    """A draw or a sum that depends on which thread comes first."""
    X, y = load_breast_cancer(return_X_y=True)
    one, two = (
        TopDownForestClassifier(
            criterion, n_estimators=6, max_depth=4, n_jobs=n_jobs, oob_score=True, random_state=3
        ).fit(X, y)
        for n_jobs in (1, 2)
    )
    assert one.trees_ == two.trees_
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))
    assert np.array_equal(one.oob_decision_function_, two.oob_decision_function_, equal_nan=True)


def test_as_accurate_as_scikit_learn():
    """A forest whose trees are all alike, or grown on wrong rows."""
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(TopDownForestClassifier(random_state=0), X, y, cv=5).mean()
    reference = cross_val_score(RandomForestClassifier(random_state=0), X, y, cv=5).mean()
    assert ours > reference - 0.015


def test_out_of_bag_score_is_near_that_on_new_data():
    """Out-of-bag predictions by trees that have seen the row."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 2, 300)  # nothing to learn
    model = TopDownForestClassifier(oob_score=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95 and abs(model.oob_score_ - 0.5) < 0.1
    X, y = load_diabetes(return_X_y=True)
    model = TopDownForestRegressor("tweedie", oob_score=True, random_state=0).fit(X, y)
    assert 0.3 < model.oob_score_ < 0.6 and model.score(X, y) > 0.8


def test_bad_forest_parameters_are_refused():
    """A parameter of the forest outside its range."""
    X, y = load_breast_cancer(return_X_y=True)
    bad = ({"n_estimators": 0}, {"max_samples": 1.5}, {"oob_score": True, "bootstrap": False})
    for options in bad:
        with pytest.raises(ValueError):
            TopDownForestClassifier(**options).fit(X, y)
