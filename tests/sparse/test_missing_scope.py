"""What a proof says about missing values."""

import numpy as np
import pandas as pd
import pytest

import treelib.estimator
import treelib.sparse.estimator
from treelib import OptimalSparseTreeClassifier
from treelib.table.checks import odd_numbers


@pytest.mark.parametrize("max_thresholds", [None, 3])
def test_the_scope_says_where_missing_values_go(max_thresholds):
    """A proof over "all thresholds" beside a better tree that sends missing values left."""
    x = np.array([1, 2, 3, 4, np.nan, np.nan, 5, 6, 7, 8])
    y = np.array([0] * 6 + [1] * 4)
    model = OptimalSparseTreeClassifier(0.05, max_thresholds=max_thresholds).fit(x[:, None], y)
    assert model.objective_ == pytest.approx(0.15)
    assert model.proof_scope_.endswith(", missing values right")
    twice = np.column_stack([x, np.where(np.isnan(x), 0, x)])
    assert OptimalSparseTreeClassifier(0.05).fit(twice, y).objective_ == pytest.approx(0.1)
    assert "missing" not in OptimalSparseTreeClassifier(0.05).fit(twice[:, 1:], y).proof_scope_


def test_no_allowed_column_is_refused():
    """A scope that says "tests of  only"."""
    with pytest.raises(ValueError, match="allowed_features is empty"):
        OptimalSparseTreeClassifier(allowed_features=[]).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("misses", [False, True])
def test_a_table_is_looked_through_for_missing_values_once(monkeypatch, misses):
    """A second pass over a large table: a tenth of a second that no limit ends."""
    cells = []

    def counted(X):
        cells.append(X.size)
        return odd_numbers(X)

    for module in (treelib.estimator, treelib.sparse.estimator):
        monkeypatch.setattr(module, "odd_numbers", counted)
    X, y = np.arange(60.0).reshape(30, 2), np.arange(30) // 15
    X[3, 1] = np.nan if misses else 0.5
    model = OptimalSparseTreeClassifier(0.05).fit(X, y)
    assert sum(cells) == X.size and ("missing" in model.proof_scope_) == misses
    model.fit(X, y, np.arange(30) != 3)  # of all rows one missed a value, and that does not count
    assert "missing" not in model.proof_scope_
    model.fit(pd.DataFrame(X), y)
    assert ("missing" in model.proof_scope_) == misses
