"""Sparse matrices give the trees and the predictions of the same numbers as a dense table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

import treelib
import treelib.estimator
import treelib.topdown.grown_estimator
from treelib.table import sparse_rows

SMALL = {
    "BayesianTreeClassifier": {"n_iter": 200, "n_chains": 1, "random_state": 0},
    "BornAgainTreeClassifier": {"ensemble": RandomForestClassifier(2, max_depth=2, random_state=0)},
    "DyadicTreeClassifier": {"regularization": 0.05, "max_splits": 2},
    "OptimalSparseTreeClassifier": {"regularization": 0.05},
    "TopDownForestClassifier": {"n_estimators": 3, "random_state": 0, "oob_score": True},
    "TopDownForestRegressor": {"n_estimators": 3, "random_state": 0, "oob_score": True},
    "TopDownTreeClassifier": {"max_depth": 4},
    "TopDownTreeRegressor": {"max_depth": 4},
}


def problem(seed, n=60, p=5, with_nan=False):
    """X with many zeros, y of two classes."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, p)) < 0.6, 0.0, rng.integers(-3, 4, (n, p)))
    y = (X[:, 0] + X[:, 1] + rng.normal(0, 1, n) > 0).astype(int)
    if with_nan:
        X[rng.random((n, p)) < 0.1] = np.nan
    y[:2] = 0, 1
    return X, y


@pytest.mark.filterwarnings("ignore::UserWarning")  # few trees, few draws
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array", "coo_array"])
def test_every_estimator_reads_sparse_tables(name, kind):
    """A matrix that is refused, or read with its zeros as missing, in another order or not to its end."""
    X, y = problem(0)
    given = getattr(sparse, kind)(X)
    one, two = (getattr(treelib, name)(**SMALL[name]).fit(table, y) for table in (X, given))
    assert np.array_equal(one.predict(X), two.predict(given))
    assert np.array_equal(one.apply(X), two.apply(given))
    if hasattr(one, "predict_proba"):
        assert np.array_equal(one.predict_proba(X), two.predict_proba(given))


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB")
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([None, 2]))
def test_growth_on_columns_made_dense_one_block_at_a_time(seed, with_nan, max_features):
    """A block of columns that is lost, a threshold of other rows, a missing value that becomes 0."""
    X, y = problem(seed, n=int(seed % 700) + 8, with_nan=with_nan)
    weight = np.where(np.arange(len(y)) % 7 == 6, 0.0, 1.0)
    options = {"max_features": max_features, "random_state": 0}
    one, two = (
        treelib.TopDownTreeClassifier(**options).fit(table, y, weight) for table in (X, sparse.csr_array(X))
    )
    assert one.tree_ == two.tree_


@pytest.mark.parametrize("step", [1, 7, 10**6])
def test_blocks_of_rows(monkeypatch, step):
    """A row between two blocks that is lost or taken twice."""
    X, _ = problem(1)
    monkeypatch.setattr(sparse_rows, "_BLOCK", step)
    for table in (X, X[:0]):
        found = sparse_rows.over_rows(lambda rows: rows.sum(axis=1), sparse.csr_array(table))
        assert np.array_equal(found, table.sum(axis=1))


@pytest.mark.parametrize("name", ["OptimalSparseTreeClassifier", "TopDownTreeClassifier"])
def test_a_table_too_large_for_the_machine_is_refused(monkeypatch, name):
    """A process that the system kills, for a matrix of few numbers and a million columns."""
    for module in (treelib.estimator, treelib.topdown.grown_estimator):
        monkeypatch.setattr(module, "memory_of_machine", lambda: 1000.0)
    X, y = problem(0)
    with pytest.raises(ValueError, match=r"X is sparse, and .* GB, more than this machine has"):
        getattr(treelib, name)().fit(sparse.csr_array(X), y)


def test_categories_are_not_sparse():
    """Columns of categories that are read as numbers without a word."""
    X, y = problem(0)
    model = treelib.TopDownTreeClassifier(categorical_features=[0])
    with pytest.raises(ValueError, match="expand categories first"):
        model.fit(sparse.csr_array(X), y)
