"""The memoised recursion, its tables, the recorded graph and the searches over lambda."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies.dyadic import dyadic_problems
from tests.twins.dyadic.by_the_book import all_values, procedure_1, solution_sequence
from tests.twins.dyadic.known_path import PathSolver
from treelib.dyadic import rectangles
from treelib.dyadic.paper import lambda_search, level_run, recorded_rectangles, recursion
from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.hash_tables import hash_slots, mean_and_longest_chain
from treelib.dyadic.paper.price_solver import PriceSolver, PriceSolvers

NOTED = ("lambda", "error", "leaves", "n_visited")  # of a trace, but for the seconds
PRICES = st.fractions(min_value=Fraction(1, 12), max_value=8, max_denominator=12)


def crowd(n=60, d=3, k=4, seed=0):
    """Rows in distinct cells of a larger grid, with losses of one."""
    random = np.random.default_rng(seed)
    cells = random.choice(2 ** (d * k), n, replace=False)
    codes = np.stack(np.unravel_index(cells, [2**k] * d), axis=1)
    losses = np.eye(2, dtype=np.int64)[random.integers(0, 2, n)]
    return recursion.make_rows(codes, losses, np.full(d, k))


def solved(graph, price, **rule):
    """`Outcome` at a single price."""
    return PriceSolver(graph, **rule)(price)


@settings(max_examples=60)
@given(dyadic_problems(), PRICES, st.booleans(), st.booleans())
def test_recursion_is_procedure_1(problem, price, prune, store_empty):
    """Another value or another number of rectangles than Procedure 1 word for word."""
    rows = recursion.make_rows(*problem)
    found = recursion.solve(rows, price, prune=prune, tie="first", store_empty=store_empty)
    assert (found.error, found.leaves, found.n_visited) == procedure_1(*problem, price, prune, store_empty)
    if prune:
        recorded = recorded_rectangles.record(rows, store_empty=store_empty)
        assert solved(recorded, price, tie="first") == found
    elif not store_empty:
        assert found.n_visited == recursion.count_occupied(rows)


@settings(max_examples=60)
@given(dyadic_problems(), PRICES)
def test_risk_is_least_of_all_trees(problem, price):
    """A risk that some dyadic tree beats, or a tie that does not follow its rule."""
    values = all_values(*problem)
    best = min(e + price * m for e, m in values)
    tied = [m for e, m in values if e + price * m == best]
    rows = recursion.make_rows(*problem)
    for tie, leaves in (("largest", max(tied)), ("smallest", min(tied)), ("first", None)):
        found = recursion.solve(rows, price, tie=tie)
        assert found.error + price * found.leaves == best
        assert leaves in (None, found.leaves)


@settings(max_examples=40)
@given(dyadic_problems(), PRICES, st.sampled_from(["first", "largest", "smallest"]))
def test_run_and_graph_agree(problem, price, tie):
    """A recorded graph that differs from the run at one lambda."""
    rows = recursion.make_rows(*problem)
    recorded = recorded_rectangles.record(rows)
    for ratio in ("printed", "corrected"):
        settings_ = dict(tie=tie, ratio=ratio)
        found = recursion.solve(rows, price, **settings_)
        assert found == solved(recorded, price, **settings_)
    counts = recorded.visited
    at = -(-price.numerator // price.denominator)
    assert found.n_visited == (counts[at] if at < len(counts) else 1)


@settings(max_examples=60)
@given(dyadic_problems())
def test_searches_find_the_solution_sequence(problem):
    """A search over lambda that misses a solution of Definition 3, or finds one that is none."""
    sequence = solution_sequence(all_values(*problem))
    rows = recursion.make_rows(*problem)
    recorded = recorded_rectangles.record(rows)
    error = int(recorded.leaf_error[-1])
    l_bound = greedy_leaves(rows)
    assert l_bound >= sequence[-1][1]

    def solve(price):
        return solved(recorded, price)

    bisection = lambda_search.search_bisection(solve, error, l_bound, keep=True)
    assert list(bisection.solutions) == sequence
    assert bisection.n_lambda == len(bisection.visited) <= 2 * len(sequence) - 2
    for price, *noted in zip(*(bisection.trace[name] for name in NOTED), strict=True):
        found = solve(price)
        assert noted == [found.error, found.leaves, found.n_visited]
    assert (np.diff(bisection.trace["seconds"]) >= 0).all()
    for search in (lambda_search.search_original, lambda_search.search_adaptive):
        found = search(solve, error, l_bound)
        assert list(found.solutions) == sequence
        again = search(PathSolver(sequence), error, l_bound)
        assert again == found
    counted, _ = lambda_search.count_adaptive(sequence, sequence[1:], error, l_bound)
    assert counted == found
    original = lambda_search.search_original(solve, error, l_bound, keep=True)
    assert original.n_lambda == lambda_search.count_original(error, l_bound)
    heuristic = lambda_search.search_heuristic(solve, error, l_bound)
    assert set(heuristic.solutions) <= set(sequence)
    listed = lambda_search.search_heuristic(solve, error, l_bound, keep=True, on_list=True)
    assert set(listed.solutions) <= set(sequence)
    assert set(listed.visited) <= set(original.visited)


def test_path_solver_asks_where_trees_tie():
    """A solver that reads tied solutions off the path although the tie rule is another."""
    rows = crowd()
    recorded = recorded_rectangles.record(rows)
    error, l_bound = int(recorded.leaf_error[-1]), greedy_leaves(rows)
    path = lambda_search.search_bisection(lambda price: solved(recorded, price), error, l_bound).solutions
    for tie in ("first", "smallest"):

        def solve(price, tie=tie):
            return solved(recorded, price, tie=tie)

        direct = lambda_search.search_adaptive(solve, error, l_bound, keep=True)
        at_breaks = [solve(Fraction(e - f, n - m)) for (e, m), (f, n) in pairwise(path)]
        ties_ = [(found.error, found.leaves) for found in at_breaks]
        counted, ceilings = lambda_search.count_adaptive(path, ties_, error, l_bound)
        assert (counted.solutions, counted.n_lambda) == (direct.solutions, direct.n_lambda)
        by_hand = np.bincount([-(-p.numerator // p.denominator) for p in direct.visited])
        assert (ceilings[: len(by_hand)] == by_hand).all()
        direct = lambda_search.search_adaptive(solve, error, l_bound)
        assert lambda_search.search_adaptive(PathSolver(path, solve), error, l_bound) == direct


@given(
    st.sets(st.integers(1, 40), max_size=6),
    st.integers(0, 7),
    st.fractions(Fraction(1, 12), 50, max_denominator=12),
)
@settings(deadline=None, max_examples=100)
def test_largest_ratio_up_to_a_price(reductions, leaves, price):
    """A ratio just above the price, or a price of the list itself, is missed."""
    ratios = {Fraction(a, b) for a in reductions for b in range(1, leaves + 1)}
    expected = max((ratio for ratio in ratios if ratio <= price), default=None)
    assert lambda_search.ratio_up_to(price, np.array(sorted(reductions), dtype=np.int64), leaves) == expected
    for ratio in ratios:
        assert lambda_search.ratio_up_to(ratio, np.array(sorted(reductions)), leaves) == ratio


def test_list_over_chosen_reductions():
    """A list that ignores which error reductions are thought possible, or counts a ratio twice."""
    reductions = lambda_search.partial_sums(np.array([[1, 0], [2, 0], [0, 9], [4, 0]]))
    assert reductions.tolist() == [1, 3, 7]
    by_hand = {Fraction(a, b) for a in (1, 3, 7) for b in range(1, 5)}
    assert lambda_search.count_original(reductions, 5) == len(by_hand)
    price, seen = Fraction(8), []
    while price := lambda_search.next_ratio(price, reductions, 4):
        seen.append(price)
    assert seen == sorted(by_hand, reverse=True)


@given(st.sets(st.integers(1, 60), max_size=7), st.integers(1, 12), st.booleans())
@settings(deadline=None, max_examples=100)
def test_original_list_counts_each_ratio_once(reductions, l_bound, is_whole):
    """A ratio that is counted twice, or lost, where the list is counted without its values."""
    chosen = set(range(1, len(reductions) + 1)) if is_whole else reductions
    by_hand = {Fraction(a, b) for a in chosen for b in range(1, l_bound)}
    found = [lambda_search.count_original(np.array(sorted(chosen), dtype=np.int64), l_bound)]
    found += [lambda_search.count_original(len(reductions), l_bound)] if is_whole else []
    assert set(found) == {len(by_hand)}


@given(
    st.sets(st.integers(1, 30), min_size=1, max_size=9),
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), min_size=1, max_size=4),
    st.integers(0, 30),
)
@settings(deadline=None, max_examples=150)
def test_counted_list_is_the_list_that_is_walked(reductions, steps, spare):
    """A value of the adaptive list over chosen reductions that is skipped or met twice."""
    steps = sorted(steps, key=lambda step: Fraction(*step))
    steps = [step for i, step in enumerate(steps) if i == 0 or Fraction(*step) > Fraction(*steps[i - 1])]
    path = [(0, 1 + sum(more for _, more in steps))]  # a hull from its last vertex up
    for fewer, more in steps:
        path.append((path[-1][0] + fewer, path[-1][1] - more))
    path = path[::-1]
    most = path[0][0]
    reductions = np.array(sorted({min(one, most) for one in reductions} | {most}))
    l_bound = path[-1][1] + spare
    walked = lambda_search.search_adaptive(PathSolver(path), reductions, l_bound, keep=True)
    counted, ceilings = lambda_search.count_adaptive(path, path[1:], reductions, l_bound)
    assert counted.n_lambda == walked.n_lambda == ceilings.sum()
    assert counted.solutions == walked.solutions
    by_hand = np.bincount([-(-p.numerator // p.denominator) for p in walked.visited])
    assert (ceilings[: len(by_hand)] == by_hand).all()


def test_endpoint_sums_of_the_paper():
    """Other keys than the examples of Section 6."""
    for pairs, sums in ((((2, 3), (1, 2)), (5, 3)), (((4, 6), (4, 8)), (10, 12))):
        assert tuple(rectangles.endpoint_sum(*pair) for pair in pairs) == sums
        low, high = rectangles.endpoints(sums)
        assert list(zip(low.tolist(), high.tolist(), strict=True)) == list(pairs)


def test_keys_are_unique_and_counted():
    """Two rectangles under one key, or a wrong number of rectangles."""
    rows = crowd(40, 2, 3, 1)
    full = np.array([(i, j) for i in range(8) for j in range(8)])
    everything = recursion.make_rows(full, np.eye(2, dtype=int)[full.sum(axis=1) % 2], [3, 3])
    run = recursion.Recursion(everything, 1, prune=False)
    run.run()
    assert len(np.unique(run.keys)) == len(run.keys) == rectangles.n_rectangles([3, 3]) == 15 * 15
    run = recursion.Recursion(rows, 1, prune=False)
    run.run()
    sums = rectangles.unpack(run.keys, rows.n_splits)
    width = sums & -sums
    level, index = 3 - np.log2(width).astype(int), sums // (2 * width)
    held = {
        (*levels, *places)
        for levels in np.ndindex(4, 4)
        for places in map(tuple, rows.codes >> (3 - np.array(levels)))
    }
    assert held == {(*a, *b) for a, b in zip(level.tolist(), index.tolist(), strict=True)}
    assert len(held) <= 40 * rectangles.rectangles_per_row([3, 3])


def test_chains_are_counted_as_they_stand():
    """Lists of another length than those of a table that is filled key by key."""
    rows = crowd(80, 3, 3, 2)
    run = recursion.Recursion(rows, 1)
    run.run()
    size = rectangles.hash_size(80, rows.n_splits)
    sums = rectangles.unpack(run.keys, rows.n_splits)
    slots = (sums @ rectangles.hash_coefficients(3, size, 5)) % size
    lengths = Counter(slots.tolist()).values()
    assert mean_and_longest_chain(run.keys, rows.n_splits, size, 5) == (np.mean([*lengths]), max(lengths))
    assert max(lengths) > 1


@settings(max_examples=60)
@given(st.integers(2, 2**40), st.lists(st.integers(0, 2**20 - 1), min_size=3, max_size=3), st.integers(0, 9))
def test_hash_is_the_sum_modulo_the_size(size, sums, seed):
    """A universal hash that overflows, or that is not reduced: sums so large that they must be on the way."""
    key = sum(one << shift for one, shift in zip(sums, (0, 20, 40), strict=True))
    coefficients = rectangles.hash_coefficients(3, size, seed)
    coefficients[0] = size - 1
    by_hand = sum(int(u) * one for u, one in zip(coefficients, sums, strict=True)) % size
    assert hash_slots(np.array([key]), [19, 19, 19], coefficients, size).tolist() == [by_hand]


@settings(max_examples=60)
@given(dyadic_problems())
def test_counts_with_and_without_empty_rectangles(problem):
    """Another count than that of a run for each whole price, with the empty rectangles stored or not."""
    rows = recursion.make_rows(*problem)
    every, occupied = recorded_rectangles.count_both(rows)
    for found, store_empty in ((every, True), (occupied, False)):
        by_runs = [
            procedure_1(*problem, max(price, Fraction(1, 99)), True, store_empty)[2]
            for price in range(len(found))
        ]
        assert found.tolist() == by_runs
        assert (recorded_rectangles.record(rows, store_empty=store_empty).visited == found).all()


@settings(max_examples=80)
@given(dyadic_problems(), PRICES, st.booleans(), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_level_by_level_is_the_recursion(problem, price, store_empty, kept):
    """Rectangles, errors, keys or optima that differ where level vectors are visited in turn."""
    codes, losses, n_splits = problem
    # losses that every label has: rectangles that err and cannot be split
    rows = recursion.make_rows(codes, losses + np.array(kept[: len(codes)])[:, None], n_splits)
    recorded = recorded_rectangles.record_all(rows, store_empty)
    run = recursion.Recursion(rows, Fraction(1, 2**30), store_empty=store_empty)
    run.run()
    assert sorted(recorded.keys) == sorted(run.keys)
    for tie in k.TIES:
        by_run = recursion.solve(rows, price, tie=tie, store_empty=store_empty)
        assert by_run == solved(recorded.graph, price, tie=tie)


def test_level_by_level_on_a_larger_grid(monkeypatch):
    """Arrays that do not grow as they should, or too many level vectors that fill the memory."""
    monkeypatch.setattr(level_run, "_FIRST", 1)
    rows = crowd(300, 4, 3)
    found, both = recorded_rectangles.record_all(rows), recorded_rectangles.count_both(rows)
    run = recursion.Recursion(rows, Fraction(1, 2**30), store_empty=True, capacity=32)
    run.run()
    assert (np.sort(found.keys) == np.sort(run.keys)).all() and len(set(found.keys)) == len(found.keys)
    assert found.graph.n_rectangles == both[0][0] == len(run.keys)
    assert found.occupied[0] == both[1][0] == np.count_nonzero(run.visited["label"] != k.NO_LABEL)
    monkeypatch.setattr(level_run, "MOST_PLACES", 0)
    with pytest.raises(ValueError, match="too many to be recorded"):
        recorded_rectangles.record(rows)


@settings(max_examples=80)
@given(dyadic_problems(), st.lists(PRICES, min_size=1, max_size=8))
def test_solver_is_a_solve_at_each_price(problem, prices):
    """An optimum or a ratio of a former price that is kept although the price, rising or falling, passed
    where it changes."""
    rows = recursion.make_rows(*problem)
    graph = recorded_rectangles.record(rows)
    for tie in k.TIES:
        for ratio in ("printed", "corrected"):
            rule = {"tie": tie, "ratio": ratio}
            solver = PriceSolver(graph, **rule)
            for price in prices:
                assert solver(price) == recursion.solve(rows, price, **rule)


def test_solver_on_a_larger_grid():
    """Limits of a block that do not hold for all its rectangles."""
    rows = crowd(300, 4, 3)
    graph = recorded_rectangles.record(rows)
    random = np.random.default_rng(1)
    prices = [Fraction(*map(int, pair)) for pair in random.integers(1, 40, (60, 2))]
    solvers = PriceSolvers(graph)
    for tie in k.TIES:
        known = {price: recursion.solve(rows, price, tie=tie) for price in prices}
        for order in (prices, sorted(prices), sorted(prices, reverse=True)):
            for price in order:
                assert solvers(tie)(price) == known[price]
        assert solvers(tie).n_evaluated < 40 * len(graph.children)
    assert solvers("first") is solvers("first") and solvers("first").parents is solvers("largest").parents


def test_prime_above():
    """A table size that is no prime, or not the next one."""
    assert [rectangles.prime_above(n) for n in (0, 1, 2, 3, 13, 24, 1000)] == [2, 2, 3, 5, 17, 29, 1009]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"regularization": 0}, "positive"),
        ({"tie": "last"}, "tie"),
        ({"ratio": "other"}, "ratio"),
        ({"regularization": Fraction(1, 2**62)}, "denominator"),
    ],
)
def test_wrong_settings_are_named(change, message):
    """A wrong setting that runs, or an error that does not say which one."""
    with pytest.raises(ValueError, match=message):
        recursion.Recursion(crowd(), **{"regularization": 1, **change})


def test_wrong_rows_are_named():
    """Codes outside the grid, or losses that are no whole numbers, inside a kernel without checks."""
    with pytest.raises(ValueError, match="below"):
        recursion.make_rows([[4]], [[0, 1]], [2])
    with pytest.raises(TypeError, match="whole"):
        recursion.make_rows([[0]], [[0.0, 1.0]], [2])
    with pytest.raises(ValueError, match="62"):
        recursion.Recursion(recursion.make_rows([[0, 0]], [[0, 1]], [40, 40]), 1)


def test_greedy_by_hand():
    """A greedy tree that splits a pure rectangle, or that stops before its error is least."""
    checkerboard = recursion.make_rows(
        [[0, 0], [0, 1], [1, 0], [1, 1]], [[0, 1], [1, 0], [1, 0], [0, 1]], [1, 1]
    )
    assert greedy_leaves(checkerboard) == 4
    for tie in ("first", "random"):
        assert greedy_leaves(checkerboard, tie, seed=3) == 4
    halves = recursion.make_rows([[0, 0], [0, 1], [1, 0]], [[0, 1], [0, 1], [1, 0]], [1, 1])
    assert greedy_leaves(halves) == 2
    # with a duplicate of the other class: the row that errs is parted from its neighbour, not further
    erring = recursion.make_rows([[0, 0], [0, 1], [1, 0]], [[1, 2], [0, 1], [1, 0]], [1, 1])
    assert greedy_leaves(erring) == 3
    assert greedy_leaves(recursion.make_rows([[0, 0]], [[1, 2]], [1, 1])) == 1
