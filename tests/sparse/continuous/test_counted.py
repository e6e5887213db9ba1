"""Rows of a large table counted at the nodes of a tree over numbers."""

import numpy as np
import pytest

from treelib.sparse.continuous.number_tree import LEAF, MANY_ROWS, counted, from_plan


@pytest.mark.parametrize("has_weights", [False, True])
def test_rows_that_go_down_side_by_side(has_weights):
    """A row that is left above its leaf, counted with its neighbours, or the last rows left out."""
    rng = np.random.default_rng(0)
    n = MANY_ROWS + 5
    X, y = rng.random((n, 3)), rng.integers(0, 3, n)
    X[::7, 1] = np.nan
    weights = rng.integers(1, 4, n).astype(float) if has_weights else None
    tree = from_plan([(0, 0.4, 1, 2), LEAF, (1, 0.5, 3, 4), (2, 0.9, 5, 6), LEAF, LEAF, LEAF])
    value, n_rows = counted(tree, X, y, weights, 3)
    parts = (slice(0, n // 2), slice(n // 2, n))  # few rows are counted by numpy
    expected = [counted(tree, X[p], y[p], None if weights is None else weights[p], 3) for p in parts]
    assert np.array_equal(value, expected[0][0] + expected[1][0])
    assert np.array_equal(n_rows, expected[0][1] + expected[1][1]) and n_rows[0] == n
