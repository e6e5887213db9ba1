"""The search on numbers as they are, against all trees tried one by one."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.suites.limits.shapes import greedy_objective
from tests.twins.sparse import optimal_trees as naive
from treelib.search.budget import Budget
from treelib.sparse.continuous import search
from treelib.sparse.continuous.arrays import INTERVAL, Numbers, make_deep
from treelib.sparse.continuous.bounds.similar import bound_by_similar
from treelib.sparse.continuous.bounds.waiting import bound_of
from treelib.sparse.continuous.prepare import prepare
from treelib.sparse.continuous.search import bounds_of, optimal_tree
from treelib.table.binarize import Binarizer

LIMITS = st.sampled_from([None, 1, 2, 3, 4])


@st.composite
def problems(draw, most_rows=9, most_classes=4):
    """(X, y, weights or None): few values, so that there are ties, equal rows and constant columns."""
    n, p = draw(st.integers(1, most_rows)), draw(st.integers(1, 3))
    values = draw(st.sampled_from([(0.0, 1.0), (-1.5, 0.0, 2.0), tuple(np.arange(9.0)), (1.0, 2.0, np.nan)]))
    X = draw(hnp.arrays(np.float64, (n, p), elements=st.sampled_from(values)))
    y = draw(hnp.arrays(np.intp, n, elements=st.integers(0, draw(st.integers(1, most_classes)) - 1)))
    weights = draw(st.none() | hnp.arrays(np.float64, n, elements=st.integers(1, 3).map(float)))
    return X, y, weights


def brute_force(X, y, weights, regularization, max_depth):
    """Least objective of all trees over all thresholds."""
    weights = np.ones(len(y)) if weights is None else weights
    costs = (1.0 - np.eye(int(y.max()) + 1))[y] * weights[:, None]
    columns = Binarizer(None).fit_transform(X)
    return naive.optimal_tree(columns, costs, regularization, weights.sum(), max_depth)[0]


def check_result(result, X, y, weights, regularization, max_depth):
    """The tree has the objective that is told, and keeps the limit of depth."""
    assert result.tree.objective(X, y, regularization, weights) == pytest.approx(result.objective, abs=1e-12)
    assert result.lower_bound <= result.objective
    assert max_depth is None or result.tree.depth <= max_depth


def check_optimum(X, y, weights, regularization, max_depth):
    """The search proves the optimum of all trees tried one by one; returns its result and the optimum."""
    result = optimal_tree(X, y, regularization=regularization, max_depth=max_depth, sample_weight=weights)
    check_result(result, X, y, weights, regularization, max_depth)
    expected = brute_force(X, y, weights, regularization, max_depth)
    assert result.is_optimal and result.objective == pytest.approx(expected, abs=1e-9)
    return result, expected


@settings(max_examples=150, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.3, 2.0]), LIMITS)
def test_equals_brute_force(problem, regularization, max_depth):
    """A bound that cuts off the optimum, an unsound equality of sets, a tree that is not the one scored."""
    X, y, weights = problem
    check_optimum(X, y, weights, regularization, max_depth)


@settings(max_examples=50, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.02, 0.1]), LIMITS, st.data())
def test_real_weights_equal_brute_force(problem, regularization, max_depth, data):
    """Weights that are no whole numbers and need the widest lanes."""
    X, y, _ = problem
    weights = data.draw(hnp.arrays(np.float64, len(y), elements=st.floats(0.01, 10)))
    check_optimum(X, y, weights, regularization, max_depth)


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.02, 0.1]), LIMITS, st.integers(1, 6))
def test_bound_holds_after_a_limit(problem, regularization, max_depth, node_limit):
    """A stopped search whose bound is above the optimum, or that has no tree."""
    X, y, weights = problem
    budget = Budget(node_limit=node_limit)
    result = optimal_tree(
        X, y, regularization=regularization, max_depth=max_depth, sample_weight=weights, budget=budget
    )
    check_result(result, X, y, weights, regularization, max_depth)
    expected = brute_force(X, y, weights, regularization, max_depth)
    assert result.lower_bound <= expected + 1e-9 <= result.objective + 2e-9


@settings(max_examples=60, deadline=None)
@given(
    problems(), st.sampled_from([0.0, 0.02, 0.1]), st.sampled_from([3, 4, 5]), st.none() | st.integers(1, 40)
)
def test_steps_of_a_moment_have_the_same_optimum(problem, regularization, max_depth, most_steps):
    """A bound told between any two steps that does not hold, or a tree of a narrow pass that is not one."""
    X, y, weights = problem
    expected = brute_force(X, y, weights, regularization, max_depth)
    looks = iter(range(10**9))
    budget = Budget(cancel=None if most_steps is None else lambda: next(looks) >= most_steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "WORK_A_STEP", 20)
        result = optimal_tree(
            X, y, regularization=regularization, max_depth=max_depth, sample_weight=weights, budget=budget
        )
    check_result(result, X, y, weights, regularization, max_depth)
    told = zip(result.trace["lower_bound"], result.trace["objective"], strict=True)
    assert all(lower <= expected + 1e-9 <= best + 2e-9 for lower, best in told)
    assert most_steps is not None or result.objective == pytest.approx(expected, abs=1e-9)


def test_passes_widen_and_keep_what_they_find(monkeypatch):
    """A pass that is left out, or one that loses the tree of the pass before."""
    monkeypatch.setattr(search, "WORK_A_STEP", 100)
    rng = np.random.default_rng(3)
    X = rng.random((400, 9))
    y = ((X[:, 0] > 0.3) ^ (X[:, 1] > 0.6) ^ (X[:, 2] > 0.5) ^ (rng.random(400) < 0.1)).astype(int)
    data, rows, _ = prepare(X, y, 0.0, None, Budget(), 4)
    found = search.Search(rows, data, 4)
    best_of = {}
    done = False
    while not done:
        done = found.step()
        best_of[int(found.deep.now["width"][0])] = found.best
    assert list(best_of) == [1, 2, 4, 8, 0]
    assert list(best_of.values()) == sorted(best_of.values(), reverse=True)
    greedy = data.objective(found.greedy(Budget())) * 400
    assert best_of[1] < greedy and best_of[2] < best_of[1]
    assert best_of[0] == round(data.objective(found.tree()) * 400)


@pytest.mark.parametrize("seed", range(60))
def test_bound_of_an_interval_is_that_of_the_twin(seed):
    """A bound above the least cost that the rows between two cuts allow, or far below it."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 4, 6)
    at = np.concatenate([[0], np.cumsum(steps)])
    ends = rng.integers(0, 4, 4).astype(float)
    q = np.zeros(1, INTERVAL)
    q["a"], q["b"], q["left_a"], q["right_b"] = 5, 5 + at[-1], ends[0], ends[1]
    q["left_b"] = ends[0] + rng.integers(0, at[-1] + 1)
    q["right_a"] = ends[1] + rng.integers(0, at[-1] + 1)
    # from cut to cut the left rises by 0 .. the weight between them, the right falls by as much
    every = np.arange(at[-1] + 1)
    left = np.maximum(q["left_a"], q["left_b"] - (at[-1] - every))
    right = np.maximum(q["right_b"], q["right_a"] - every)
    assert bounds_of(q) == (left + right).min() == interval_bound(q)[0]


@numba.njit
def interval_bound(intervals):
    """An inner kernel has no entry from Python."""
    return [bound_of(intervals[k]) for k in range(len(intervals))]


def sides(seed, n=70, n_sets=9):
    """`Numbers`-like weights, and the arrays in which sets are remembered, with random sets."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, n) * rng.choice([-1, 1], n) if seed % 2 else rng.choice([-1, 1], n)
    members = rng.random((2 + n_sets, n)) < rng.choice([0.5, 0.9], (2 + n_sets, 1))
    members[2:5] = members[0] ^ (rng.random((3, n)) < 0.05)  # some that are much like the first
    return weight, members, rng.uniform(0, 60, n_sets)


@pytest.mark.parametrize("seed", range(40))
def test_similar_sets_bound_as_the_twin_does(seed):
    """A row counted twice or not at all among those that only the other set has, or a set asked too late."""
    weight, members, floors = sides(seed)
    weights = np.abs(weight).astype(float)
    for side in range(2):
        only = members[2:] & ~members[side]
        expected = max(1.5, (floors - only @ weights).max())
        assert similar_bound(weight, members, floors, side, weights @ members[side]) == pytest.approx(
            expected
        )


def similar_bound(weight, members, floors, side, side_weight):
    """`bound_by_similar` of a level that remembers these sets."""
    n = members.shape[1]
    order = np.arange(n, dtype=np.int32)[None] * 4
    deep = make_deep(order, np.int16, 2, is_priced=True)
    numbers = Numbers(
        n_features=1, n_classes=2, price=1.0, tolerance=0.0, classes=np.zeros(n, np.int32),
        weight=weight.astype(np.int16), keys=np.zeros((n, 2), np.uint64),
    )  # fmt: skip
    packed = np.zeros((len(members), deep.sets.shape[2] * 64), bool)
    packed[:, :n] = members
    words = np.packbits(packed, axis=1, bitorder="little").view(np.uint64)
    deep.sets[1, : len(members)] = words
    deep.floors[1, : len(floors), 0] = floors
    deep.floors[1, : len(floors), 1] = members[2:] @ np.abs(weight)
    deep.frames["n_sets"][1] = len(floors)
    deep.now["is_unit"] = int(np.abs(weight).max() == 1)
    return asked(numbers, deep, 1, side, side_weight, 1.5)


@numba.njit
def asked(numbers, deep, level, side, weight, lower):
    """An inner kernel has no entry from Python."""
    return bound_by_similar(numbers, deep, level, side, weight, lower)


def test_a_chain_deeper_than_three_is_found():
    """Would catch a bound for chains (a single leaf on one side) that drops the best tree with them."""
    rng = np.random.default_rng(5)
    X = rng.random((120, 4))
    first = np.argmax(np.column_stack([X > 0.75, np.ones(120)]), axis=1)  # the first column that is large
    y = first % 2
    for price in (0.01, 0.02, 0.03):
        found = optimal_tree(X, y, regularization=price)
        assert found.status == "optimal" and found.objective <= 5 * price + 1e-12
        same = optimal_tree(X, y, regularization=price, max_depth=4)
        assert same.objective == found.objective or found.tree.depth > 4
        assert found.objective <= optimal_tree(X, y, regularization=price, max_depth=3).objective


def test_no_room_for_the_search_leaves_the_greedy_tree():
    """A search that takes far more memory than its limit at once, or that then gives a single leaf."""
    rng = np.random.default_rng(0)
    X = rng.random((3000, 5))
    y = (7 * X[:, 0]).astype(int)
    budget = Budget(memory_limit=500_000)
    found = optimal_tree(X, y, regularization=0.01, max_depth=3, budget=budget)
    assert found.status == "memory_limit" and found.stats.get("n_bytes", 0) <= 500_000
    assert found.objective <= greedy_objective(X, y, None, {"regularization": 0.01, "max_depth": 3}) + 1e-12
    assert found.lower_bound <= found.objective
