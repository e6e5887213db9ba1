"""First trees of large tables: no deeper than the time left counts, and counted once."""

import math

import numpy as np
import pytest

from treelib import OptimalSparseTreeClassifier
from treelib.search.budget import Budget
from treelib.sparse import on_numbers
from treelib.sparse.continuous import number_tree
from treelib.sparse.continuous.early import sample
from treelib.sparse.continuous.prepare import Data


def noise(n, p=2):
    rng = np.random.default_rng(0)
    return rng.random((n, p)), rng.integers(0, 2, n)


def test_a_first_tree_has_no_more_levels_than_there_is_time_to_count():
    """A tree of a million rows made just before the limit, and a quarter of a second of counting after it."""
    data = Data(*noise(400_000), weights=None, n_classes=2, regularization=0.0)
    depths = [sample.sampled_tree(data, Budget(limit)).depth for limit in (1e-3, None)]
    assert depths[0] <= sample.depth_to_count(400_000, 1e-3) == 5 < depths[1]


def test_the_levels_that_there_is_time_to_count():
    """A depth of zero or without end, or one above the limit of depth."""
    assert sample.depth_to_count(10**9, 0.0) == sample.depth_to_count(10**9, -1.0) == 1
    assert sample.depth_to_count(10, math.inf) is None and sample.depth_to_count(10, math.inf, 3) == 3
    assert sample.depth_to_count(10**6, 1.0) == 22 and sample.depth_to_count(10**6, 1.0, 4) == 4


@pytest.mark.parametrize("cost_matrix", [None, [[0, 3], [1, 0.5]]])
def test_rows_of_a_large_table_are_counted_once_for_all_prunings(monkeypatch, cost_matrix):
    """One more pass over all rows; with costs, counts of rows whose weights are costs."""
    X, y = noise(number_tree.MANY_ROWS)
    y[X[:, 0] > 0.7] = 1
    model = OptimalSparseTreeClassifier(0.001, cost_matrix=cost_matrix)
    rows = model._check_rows(X, y, None, Budget())
    tree = model._greedy_on_numbers(rows, 1e-9, Budget()).tree
    if cost_matrix is None:
        monkeypatch.setattr(number_tree, "counted", None)
    _, cost, (value, n_rows) = model._costs_at(rows, tree)
    monkeypatch.undo()
    by_class, expected = number_tree.counted_in_pieces(tree, X, y, None, 2)
    assert np.array_equal(value, by_class) and np.array_equal(n_rows, expected)
    assert on_numbers.counts_of(number_tree.NumberTree(*tree), X, y, None, 2)[1].tolist() == expected.tolist()
    costs = 1 - np.eye(2) if cost_matrix is None else np.array(cost_matrix)
    assert cost == pytest.approx((by_class @ costs).min(axis=1) / len(y))
