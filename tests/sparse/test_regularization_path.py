"""The regularization path against brute force, repeated searches, its own bound, and every way to stop."""

import itertools
import math
import os
import signal
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from tests.twins.sparse import optimal_trees as naive
from treelib import DyadicTreeClassifier, OptimalSparseTreeClassifier, datasets
from treelib.search.budget import INTERRUPTED, NODE_LIMIT, OPTIMAL, TIME_LIMIT, Budget
from treelib.sparse import regularization_path as path_module
from treelib.sparse.continuous.number_tree import cut_back
from treelib.sparse.exact import minimise as exact
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.fallback import Fallback
from treelib.sparse.regularization_path import regularization_path

LOWEST = [0, Fraction(1, 1000), 0.01, 0.05, 0.1, 0.3, 2.0]


def small_problem(seed, whole=True):
    """At most 10 distinct rows of 3 or 4 columns, with repeated rows, ties and conflicting labels."""
    rng = np.random.default_rng(seed)
    p, n_classes = int(rng.integers(3, 5)), int(rng.integers(2, 4))
    codes = rng.choice(2**p, int(rng.integers(2, 8)), replace=False)
    codes = rng.choice(codes, int(rng.integers(2, 14)))
    columns = (codes[:, None] >> np.arange(p)).astype(np.uint8) & 1
    costs = (np.arange(n_classes) != rng.integers(0, n_classes, len(codes))[:, None]).astype(float)
    if not whole:
        costs *= rng.uniform(0.1, 2, len(codes))[:, None]
    return columns, costs


def naive_path(least, total, lowest):
    """(leaves, cost, low) of every line of the lower envelope of ``cost / total + r * leaves``, r > lowest.

    Walks down from one leaf: the next tree is the first that becomes as good, the smallest of equals in slope
    and then the one with most leaves, since those between are optimal at one r only.
    """
    here = 1
    out = []
    while True:
        gains = {
            k: (Fraction(least[here]) - Fraction(cost)) / (k - here) / total
            for k, cost in least.items()
            if k > here
        }
        steepest = max(gains.values(), default=Fraction(0))
        if steepest <= lowest:
            return [*out, (here, least[here], lowest)]
        out.append((here, least[here], steepest))
        here = max(k for k, gain in gains.items() if gain == steepest)


@settings(max_examples=150)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(LOWEST),
    st.sampled_from([None, None, 1, 2]),
    st.sampled_from([1, 2000]),
)
def test_path_is_the_brute_force_envelope(seed, lowest, max_depth, trial_nodes):
    """A missing or surplus tree, a breakpoint that is off by any amount, or more than 2 m - 1 searches, with
    and without a proof in the trial."""
    columns, costs = small_problem(seed)
    with mock.patch.object(path_module, "TRIAL_NODES", trial_nodes):
        path = regularization_path(columns, costs, lowest, max_depth=max_depth)
    lowest = Fraction(str(lowest))
    expected = naive_path(naive.least_costs(columns, costs, max_depth), len(columns), lowest)
    found = [(s.n_leaves, s.error * len(columns), s.regularization_low) for s in path.solutions]
    assert [(k, low) for k, _, low in found] == [(k, low) for k, _, low in expected]
    assert [cost for _, cost, _ in found] == pytest.approx([cost for _, cost, _ in expected])
    highs = [s.regularization_high for s in path.solutions]
    assert highs == [math.inf, *(low for _, _, low in expected[:-1])]
    assert path.status == OPTIMAL and path.proved == ((lowest, math.inf),)
    assert path.n_searches <= 2 * len(path.solutions) - 1
    for s in path.solutions:
        assert s.tree.n_leaves == s.n_leaves
        assert s.tree.objective(columns, costs, 0.0) == pytest.approx(s.error, abs=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.02]), st.integers(1, 5))
def test_path_with_a_leaf_limit_is_the_brute_force_envelope(seed, lowest, max_leaves):
    """A limit on leaves that is forgotten in the path, or that loses a tree."""
    columns, costs = small_problem(seed)
    path = regularization_path(columns, costs, lowest, max_leaves=max_leaves)
    least = {k: c for k, c in naive.least_costs(columns, costs).items() if k <= max_leaves}
    expected = naive_path(least, len(columns), Fraction(str(lowest)))
    assert [(s.n_leaves, s.regularization_low) for s in path.solutions] == [(k, r) for k, _, r in expected]
    assert path.is_optimal


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_real_costs_give_the_envelope_on_a_grid(seed):
    """Rounding of real weights taken for new trees, or a tree lost by it."""
    columns, costs = small_problem(seed, whole=False)
    total = costs.max(axis=1).sum()
    path = regularization_path(columns, costs, 0.001, total=total)
    least = naive.least_costs(columns, costs)
    for r in np.geomspace(0.001, 1.5, 60):
        optimum = min(cost / total + r * k for k, cost in least.items())
        solution = path.at(r)
        assert solution.error + r * solution.n_leaves == pytest.approx(optimum, abs=1e-9)
    assert path.n_searches <= 2 * len(path.solutions) - 1
    assert path.proved == ((0.001, math.inf),)


@pytest.fixture(scope="module")
def monk():
    data = datasets.load("monk1")
    return data.X.astype(np.uint8), (np.arange(2) != data.y[:, None]).astype(float)


def test_path_agrees_with_repeated_searches(monk):
    """A tree of the path that a search at a regularization inside its interval, or at an end, beats."""
    columns, costs = monk
    path = regularization_path(columns, costs, 0.004)
    assert [s.n_leaves for s in path.solutions] == [1, 2, 5, 8]
    for s in path.solutions:
        low, high = float(s.regularization_low), min(1.0, float(s.regularization_high))
        for r in (low, (low + high) / 2, high):
            assert minimise(columns, costs, r).objective == pytest.approx(s.error + r * s.n_leaves, abs=1e-12)
    for below, above in zip(path.solutions[1:], path.solutions, strict=False):
        assert below.regularization_high == above.regularization_low
        assert path.at(above.regularization_low) is above
    with pytest.raises(ValueError, match=r"below 0\.004"):
        path.at(0.001)


@pytest.mark.parametrize("trial_nodes", [1, 50, 10**9])
def test_any_tree_of_the_trial_leads_to_the_same_path(monkeypatch, whole_path, trial_nodes):
    """A path that depends on the tree it starts from, or that needs too many searches after a poor one."""
    columns, costs = wide_problem()
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    monkeypatch.setattr(path_module, "TRIAL_NODES", trial_nodes)
    start = minimise(columns, costs, 0.02).tree
    path = regularization_path(columns, costs, 0.004, initial=start)
    assert [s[:4] for s in path.solutions] == [s[:4] for s in whole_path.solutions]
    assert path.n_searches <= 2 * len(path.solutions) - 1 and path.proved == whole_path.proved


def test_threads_change_nothing(monk):
    """Parallel searches that give other trees, other breakpoints or more searches."""
    columns, costs = monk
    one = regularization_path(columns, costs, 0.004)
    two = regularization_path(columns, costs, 0.004, n_jobs=2)
    assert [s[:4] for s in one.solutions] == [s[:4] for s in two.solutions]
    assert one.n_searches == two.n_searches


def test_lower_end_at_a_breakpoint():
    """A tree that is optimal at one regularization only, or a float that misses the breakpoint it names."""
    columns, costs = np.array([[0], [1]] * 5, np.uint8), np.array([[0.0, 1], [1, 0]] * 5)
    for lowest in (Fraction(1, 2), 0.5):
        path = regularization_path(columns, costs, lowest)
        assert [s.n_leaves for s in path.solutions] == [1]
    rows = np.arange(10)[:, None]
    # one row in ten is split off: as good as not at 0.1, which as a float is above one tenth
    columns, costs = (rows == 0).astype(np.uint8), np.where(rows == 0, [[1.0, 0]], [[0, 1.0]])
    assert [s.n_leaves for s in regularization_path(columns, costs, 0.1).solutions] == [1]
    two = regularization_path(columns, costs, 0.09)
    # the float 0.09 is below nine hundredths
    assert two.at(0.09).n_leaves == 2 and two.at(0.1).n_leaves == 1 and two.at(math.inf).n_leaves == 1
    assert [(s.n_leaves, s.regularization_high) for s in two.solutions] == [
        (1, math.inf),
        (2, Fraction(1, 10)),
    ]


def test_pure_data_need_no_search():
    """A search where there is nothing to find: one class, or a lower end above every gain."""
    columns, costs = np.eye(3, dtype=np.uint8), np.tile([0.0, 1.0], (3, 1))
    path = regularization_path(columns, costs, 0.0)
    assert path.n_searches == 0 and path.proved == ((0, math.inf),)
    assert path.solutions[0][:4] == (1, 0.0, 0, math.inf)


def wide_problem():
    rng = np.random.default_rng(3)
    columns = rng.integers(0, 2, (250, 10), dtype=np.uint8)
    y = rng.integers(0, 2, 16)[columns[:, :4] @ (1 << np.arange(4))] ^ (rng.random(250) < 0.15)
    return columns, (np.arange(2) != y[:, None]).astype(float)


def stop_after(n_looks, ctrl_c):
    """A `cancel` for Budget that says yes after so many looks, or once sends this process a Ctrl-C."""
    looks = itertools.count()

    def cancel():
        look = next(looks)
        if ctrl_c and look == n_looks:
            # to the main thread, as a terminal does
            os.kill(os.getpid(), signal.SIGINT)
        return not ctrl_c and look >= n_looks

    return cancel


STOPS = {
    "time": (lambda: {"time_limit": 1e-9}, TIME_LIMIT, 1),
    "few nodes": (lambda: {"node_limit": 40}, NODE_LIMIT, 1),
    "nodes": (lambda: {"node_limit": 600}, NODE_LIMIT, 1),
    "nodes in threads": (lambda: {"node_limit": 600}, NODE_LIMIT, 2),
    "cancelled": (lambda: {"cancel": stop_after(30, False)}, INTERRUPTED, 1),
    "Ctrl-C at once": (lambda: {"cancel": stop_after(0, True)}, INTERRUPTED, 1),
    "Ctrl-C": (lambda: {"cancel": stop_after(30, True)}, INTERRUPTED, 1),
    "Ctrl-C in threads": (lambda: {"cancel": stop_after(130, True)}, INTERRUPTED, 2),
}


@pytest.fixture(scope="module")
def whole_path():
    return regularization_path(*wide_problem(), 0.004)


@pytest.mark.parametrize("stop", STOPS)
def test_stopped_path_says_what_is_proved(monkeypatch, whole_path, stop):
    """A stop that raises, a gap in the intervals, or a tree called proved that is not optimal."""
    columns, costs = wide_problem()
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    limits, status, n_jobs = STOPS[stop]
    path = regularization_path(columns, costs, 0.004, n_jobs=n_jobs, budget=Budget(**limits()))
    assert path.status == status and not path.is_optimal
    assert path.solutions[0].regularization_high == math.inf
    assert path.solutions[-1].regularization_low == Fraction(4, 1000)
    for below, above in zip(path.solutions[1:], path.solutions, strict=False):
        assert below.regularization_high == above.regularization_low > below.regularization_low
    assert path.proved and path.proved[-1][1] == math.inf
    assert sum(high - low for low, high in path.proved[:-1]) < 1
    for low, high in path.proved:
        for r in (low, (low + min(high, 1)) / 2, min(high, 1)):
            known, best = path.at(r), whole_path.at(r)
            assert known.error + r * known.n_leaves == pytest.approx(
                best.error + r * best.n_leaves, abs=1e-12
            )


def test_proof_of_the_whole_path_covers_it(whole_path):
    """The stops above must have something to stop, and more than one proved interval must melt into one."""
    assert len(whole_path.solutions) >= 4 and whole_path.n_searches >= 5
    assert whole_path.proved == ((Fraction(4, 1000), math.inf),)


def test_verbose_path_shows_its_progress(capsys, monk):
    """A long path without a sign of life."""
    regularization_path(*monk, 0.05, budget=Budget(verbose=True))
    assert "trees" in capsys.readouterr().err


@pytest.mark.parametrize("factor", [1e-12, 1e-8, 1.0, 1e8])
def test_size_of_costs_changes_no_tree(factor):
    """A tolerance that did not shrink with the costs lost trees of the path, and called the rest optimal."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    model = OptimalSparseTreeClassifier(cost_matrix=factor * (1 - np.eye(2)), max_thresholds=10)
    path = model.regularization_path(X, y, min_regularization=0.02 * factor)
    plain = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(X, y, min_regularization=0.02)
    assert [s.n_leaves for s in path.solutions] == [s.n_leaves for s in plain.solutions]
    limited = model.set_params(max_leaf_nodes=6, regularization=0.02 * factor).fit(X, y)
    unscaled = OptimalSparseTreeClassifier(0.02, max_leaf_nodes=6, max_thresholds=10).fit(X, y)
    assert limited.objective_ == pytest.approx(unscaled.objective_ * factor, rel=1e-6)


@pytest.mark.parametrize("options", [{}, {"max_leaf_nodes": 5}, {"cost_matrix": [[0, 1], [3, 0]]}])
@pytest.mark.parametrize("limit", [{"time_limit": 1e-6}, {"memory_limit": 1}])
def test_a_stopped_path_has_what_a_greedy_tree_has(options, limit):
    """A path that is a single leaf, where a stopped fit has a tree at once."""
    data = datasets.load("tsallis/banknote")
    rows = slice(None, None, 3)
    X, y = data.X[rows], data.y[rows]
    with pytest.warns(ConvergenceWarning):
        path = OptimalSparseTreeClassifier(0.5, **options, **limit).regularization_path(
            X, y, min_regularization=0.005
        )
        fitted = OptimalSparseTreeClassifier(0.005, **options, **limit).fit(X, y)
    last = path.solutions[-1]
    assert len(path.solutions) > 1 and last.n_leaves <= options.get("max_leaf_nodes", np.inf)
    assert last.error + 0.005 * last.n_leaves <= fitted.objective_ + 1e-12
    costs = np.array(options.get("cost_matrix", [[0, 1], [1, 0]]))
    for solution in path.solutions:
        assert solution.tree.n_leaves == solution.n_leaves
        assert costs[y, solution.tree.predict(X)].mean() == pytest.approx(solution.error)


def test_cutting_back_gives_all_prunings_of_the_hull():
    """A pruning of the greedy tree that is best at some price, and no solution."""
    data = datasets.load("tsallis/banknote")
    model = OptimalSparseTreeClassifier(0.002)
    first = Fallback(model._problem(data.X, data.y, None, Budget()), Budget())
    found = sorted(part[:2] for part in first.prunings())
    tree, cost, _ = first._costs_at(first.grown[0])
    for price in np.geomspace(0.0021, 0.5, 40):
        _, best, _ = cut_back(tree, cost + price)
        assert min(cost + price * leaves for leaves, cost in found) == pytest.approx(best)


@pytest.mark.parametrize("wrong", ["x", None, np.nan, -0.1, True])
def test_a_price_that_is_none_is_named(wrong):
    """Words of float() or of Fraction, where one asks a path for a tree."""
    X, y = [[0.0], [1.0]] * 5, [0, 1] * 5
    dyadic = DyadicTreeClassifier(0.1).fit(X, y).path_
    for ask in (
        OptimalSparseTreeClassifier().regularization_path(X, y, min_regularization=0.01).at,
        dyadic.at,
        dyadic.lower_bound,
    ):
        with pytest.raises(ValueError, match=f"regularization={wrong!r} must be a finite number, 0 or more"):
            ask(wrong)
