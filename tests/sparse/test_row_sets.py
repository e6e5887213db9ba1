"""Sets of rows, the scores of their small trees, and the memo of optima, against plain enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sparse.test_exact import medium_problem, problems, simple_costs
from tests.twins.sparse import optimal_trees as naive
from treelib.search.budget import Budget, Stopped
from treelib.sparse import row_sets
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.row_sets import LIGHT, Optima, RowSets, distinct_columns


def go_on(n_sets, n_bytes):
    """A `check` that never stops."""


@settings(max_examples=200)
@given(problems())
def test_optimum_equals_brute_force(problem):
    """A wrong optimum of the whole set, with what every tree pays added."""
    columns, costs, regularization, total, max_depth = problem
    sets = RowSets(columns, costs, go_on)
    depth = np.inf if max_depth is None else max_depth
    found = Optima(sets, regularization * total).lower(sets.everything, depth)
    optimum, _ = naive.optimal_tree(columns, costs, regularization, total, max_depth)
    assert (found + sets.base_cost) / total == pytest.approx(optimum, rel=1e-10, abs=1e-10)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.floats(0.001, 0.03), st.sampled_from([np.inf, 3, 4]))
def test_optimum_below_a_target_is_exact(seed, n_classes, regularization, depth):
    """A value below the target that is not the optimum, or one above it that is no bound, whatever was asked
    before."""
    rng = np.random.default_rng(seed)
    columns, costs = medium_problem(seed, n=120, p=7, n_classes=n_classes)
    sets = RowSets(columns, costs, go_on)
    price = regularization * len(columns)
    max_depth = None if depth == np.inf else depth
    rows = sets.everything
    best = minimise(columns, costs, regularization, max_depth=max_depth).objective * len(columns)
    best -= sets.base_cost
    optima = Optima(sets, price)
    for target in rng.permutation([0.3, 0.7, 0.95, 1.05, 2.0]) * best:
        found = optima.lower(rows, depth, target)
        if target > best:
            assert found == pytest.approx(best, abs=1e-8)
        else:
            assert target - 1e-8 <= found <= best + 1e-8


def test_scores_of_a_set():
    """Costs of the sides of a split, counted by hand: XOR of columns 0 and 1, the rows with 0 in column 2."""
    columns = (np.arange(8)[:, None] >> np.arange(3)).astype(np.uint8) & 1
    sets = RowSets(columns, simple_costs(columns[:, 0] ^ columns[:, 1], 2), go_on)
    half = sets.sides(sets.everything, 2)[0]
    scores = sets.scores(half)
    assert (scores.label, scores.leaf) == (0, 2.0)
    assert scores.sides[:2].tolist() == [[1, 0, 1, 0, 2]] * 2
    assert scores.sides[2, LIGHT] < 0 and scores.order.tolist() == [0, 1]
    assert sets.scores(half) is scores and sets.n_sets == 1


def test_equal_rows_merge_and_useless_columns_go():
    """A row counted twice, or a base cost lost; a column kept that repeats another or its opposite."""
    columns = np.array([[0, 1, 0, 1, 0], [0, 1, 0, 1, 1], [1, 0, 1, 1, 0], [0, 1, 0, 1, 0]], np.uint8)
    assert distinct_columns(columns).tolist() == [0, 4]
    costs = np.array([[1.0, 0], [0, 1], [1, 0], [0, 3]])
    sets = RowSets(columns, costs, go_on)
    assert (sets.n_rows, sets.base_cost, len(sets.masks)) == (3, 1.0, 2)
    assert sets.costs.tolist() == [[0, 2], [0, 1], [1, 0]]
    assert distinct_columns(np.ones((3, 2), np.uint8)).tolist() == []


def test_check_stops_the_scoring():
    """A search that never asks whether to go on."""
    seen = []

    def check(n_sets, n_bytes):
        seen.append((n_sets, n_bytes))
        if n_sets > 100:
            raise Stopped("node_limit")

    columns, costs = medium_problem(0, n=200, p=9)
    sets = RowSets(columns, costs, check)
    problem_bytes = sets.n_bytes
    with pytest.raises(Stopped, match="node_limit"):
        Optima(sets, 0.4).lower(sets.everything, np.inf)
    assert seen[-1][0] > 100 and seen[-1][1] > problem_bytes > 0


def test_a_long_score_is_watched(monkeypatch):
    """One set whose pairs take longer than the limit, or half of its scores taken for all."""
    columns, costs = medium_problem(0, n=200, p=9)
    plain = RowSets(columns, costs, go_on)
    monkeypatch.setattr(row_sets, "LONG_SCORE", 0)
    watched = RowSets(columns, costs, go_on, Budget().watch)
    expected, found = (sets.scores(sets.everything) for sets in (plain, watched))
    np.testing.assert_array_equal(found.sides, expected.sides)

    def stop_at_once(work, stop):
        stop()
        return work()

    stopped = RowSets(columns, costs, go_on, stop_at_once)
    with pytest.raises(Stopped):
        stopped.scores(stopped.everything)
    assert stopped.n_sets == 0
