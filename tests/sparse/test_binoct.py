"""BinOCT on HiGHS against brute force over complete trees and against the exact engine."""

import _thread
import itertools
import sys

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from treelib import datasets
from treelib.search.budget import Budget
from treelib.sparse.binoct import program as binoct_program
from treelib.sparse.binoct import solver
from treelib.sparse.binoct.program import Program, distinct_rows, find_leaf, merged_of
from treelib.sparse.exact.minimise import minimise
from treelib.tree.stored import Tree

pytest.importorskip("highspy")
binoct = pytest.importorskip("treelib.sparse.binoct.fit").binoct

PATIENCE = 120  # seconds; none of the small cases comes near


def least_errors(X, y, depth, price=0.0):
    """Errors plus `price` x leaves in use of the best complete tree, trying every feature in every node."""
    X, y = np.asarray(X), np.asarray(y)
    best = np.inf
    for features in itertools.product(range(X.shape[1]), repeat=2**depth - 1):
        leaves = {}
        for row, label in zip(X, y, strict=True):
            node = 0
            while node < len(features):
                node = 2 * node + 1 + int(row[features[node]])
            leaves.setdefault(node, []).append(label)
        best = min(best, sum(len(at) - max(map(at.count, at)) + price for at in leaves.values()))
    return best


@st.composite
def tables(draw, most_rows=12, most_features=3, most_classes=3):
    """Small 0/1 tables with repeated rows, constant columns and labels that contradict each other."""
    n = draw(st.integers(1, most_rows))
    p = draw(st.integers(1, most_features))
    X = draw(st.lists(st.lists(st.integers(0, 1), min_size=p, max_size=p), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, most_classes - 1), min_size=n, max_size=n))
    return np.array(X), np.array(y)


@settings(max_examples=25)
@given(tables(), st.integers(1, 2))
def test_best_complete_tree(table, depth):
    """A wrong constraint, weight or label: the program would find more, or claim fewer, errors."""
    X, y = table
    result = binoct(X, y, depth, time_limit=PATIENCE)
    assert result.is_optimal
    assert result.objective == result.lower_bound == pytest.approx(least_errors(X, y, depth) / len(y))
    assert result.tree.n_leaves == 2**depth
    assert result.tree.node_depth[result.tree.is_leaf].tolist() == [depth] * 2**depth
    assert result.objective == result.tree.error(X, y)


@settings(max_examples=25)
@given(tables(most_classes=2), st.integers(1, 2), st.sampled_from([0.01, 0.07, 0.2, 0.6]))
@example((np.array([[0, 0, 0]] * 3 + [[0, 0, 1]]), np.array([0, 0, 1, 1])), 2, 0.01)  # HiGHS 1.16 says .26
def test_best_regularised_tree(table, depth, regularization):
    """Empty leaves that are paid for, leaves in use that are not, or a single leaf that is forgotten."""
    X, y = table
    result = binoct(X, y, depth, regularization=regularization, time_limit=PATIENCE)
    costs = 1.0 - np.eye(2)[y]
    optimum = minimise(X.astype(np.uint8), costs, regularization, max_depth=depth).objective
    assert result.is_optimal
    assert result.objective == result.lower_bound == pytest.approx(optimum)
    assert result.objective == result.tree.objective(X, y, regularization)
    assert (result.tree.n_node_samples > 0).all()


@settings(max_examples=15)
@given(tables(most_features=3, most_classes=3), st.sampled_from([0.05, 0.15]))
def test_regularised_optimum_by_brute_force(table, regularization):
    """An error that the exact engine shares: here the twin tries all trees, and the single leaf beside."""
    X, y = table
    result = binoct(X, y, 2, regularization=regularization, time_limit=PATIENCE)
    alone = len(y) - np.bincount(y).max() + regularization * len(y)
    optimum = min(alone, least_errors(X, y, 2, regularization * len(y)))
    assert result.objective == pytest.approx(optimum / len(y))


@settings(max_examples=30)
@given(tables(), st.integers(1, 3), st.sampled_from([0.0, 0.7]), st.randoms(use_true_random=False))
def test_a_tree_and_its_solution_of_the_program(table, depth, price, random):
    """A first solution that HiGHS would throw away: one that breaks a constraint or has another cost."""
    X, y = table
    rows = merged_of(*distinct_rows(X.astype(bool), y, 3))
    assume(len(rows.columns))
    program = Program(rows, depth, price)
    features = np.array([random.randrange(X.shape[1]) for _ in range(program.n_nodes)])
    values = program.values_of(features)
    assert ((values >= program.lower) & (values <= program.upper)).all()
    left = program.matrix @ values
    assert ((left >= program.row_lower - 1e-9) & (left <= program.row_upper + 1e-9)).all()
    assert np.array_equal(program.features_of(values), features)
    leaf = find_leaf(features, rows.columns)
    errors = sum(rows.weights[leaf == l].sum() - rows.weights[leaf == l].sum(axis=0).max() for l in set(leaf))
    assert program.cost @ values == pytest.approx(errors + price * len(set(leaf)))


def test_equal_rows_become_one_row():
    """Merging that forgets a row, or takes off too much where a row has labels that contradict each other."""
    X = np.array([[0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1]], dtype=bool)
    rows = merged_of(*distinct_rows(X, np.array([0, 0, 1, 1, 0, 1]), 2))
    assert rows.columns.tolist() == [[False, True], [True, True]]
    assert rows.weights.tolist() == [[1, 0], [0, 1]]
    assert rows.base_errors == 2


@settings(max_examples=40)
@given(tables(most_rows=40, most_features=4), st.sampled_from([1, 9, 40]))
def test_distinct_rows(table, n_copies):
    """Rows lost or ordered otherwise with more than 64 columns, or where columns lie together."""
    X, y = np.tile(table[0], (1, n_copies)).astype(bool), table[1].astype(np.intp)
    columns, counts = distinct_rows(X, y, 3)
    by_columns = distinct_rows(np.asfortranarray(X), y, 3)
    assert all(map(np.array_equal, by_columns, (columns, counts)))
    wanted, group = np.unique(X, axis=0, return_inverse=True)
    assert columns.dtype == bool and np.array_equal(columns, wanted)
    pairs = np.zeros((len(wanted), 3))
    np.add.at(pairs, (group.ravel(), y), 1)
    assert np.array_equal(counts, pairs)


@pytest.mark.parametrize("regularization", [0.0, 0.05])
def test_stopped_before_the_search(regularization):
    """A tree, an objective or a bound that does not hold where the search is cancelled on its first look."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (500, 6))
    y = (X[:, 0] ^ (rng.random(500) < 0.2) ^ (X[:, 1] & X[:, 2])).astype(int)
    result = binoct(X, y, 2, regularization=regularization, time_limit=None, cancel=lambda: True)
    assert result.status == "interrupted"
    optimum = minimise(X.astype(np.uint8), 1.0 - np.eye(2)[y], regularization, max_depth=2).objective
    assert result.lower_bound <= optimum + 1e-12 <= result.objective + 2e-12
    assert result.objective == result.tree.objective(X, y, regularization)
    assert result.tree.n_node_samples[0] == len(y)
    assert result.objective <= min(np.mean(y), np.mean(1 - y)) + regularization


def test_nothing_to_choose():
    """A program without rows, where every tree makes the same errors."""
    X, y = [[0], [0], [1], [1]], [0, 1, 0, 1]
    assert binoct(X, y, 1, time_limit=PATIENCE).objective == 0.5
    result = binoct(X, y, 2, regularization=0.1, time_limit=PATIENCE)
    assert (result.status, result.tree.n_leaves) == ("optimal", 1)
    assert result.objective == result.lower_bound == pytest.approx(0.6)


def test_empty_leaf_predicts_as_its_parent():
    """A leaf without training rows that predicts class 0 whatever stands above it."""
    result = binoct([[0, 0], [1, 0]], [1, 1], 2, time_limit=PATIENCE)
    assert result.tree.label[result.tree.is_leaf].tolist() == [1, 1, 1, 1]


def test_a_limit_returns_the_start_and_a_bound_that_holds():
    """A search stopped at once that returns no tree, a worse one, or a bound above the optimum."""
    data = datasets.load("compas-binary")
    start = Tree.from_nested((5, 0.5, (0, 0.5, 0, 1), (3, 0.5, 0, 1)), data.X.shape[1]).recount(
        data.X, data.y
    )
    for regularization in (0.0, 0.01):
        result = binoct(
            data.X,
            data.y,
            2,
            regularization=regularization,
            time_limit=1e-3,
            initial=start.replace(label=None),
        )
        assert result.status == "time_limit"
        assert result.objective <= start.replace(label=None).objective(data.X, data.y, regularization)
        optimum = minimise(data.X.astype(np.uint8), 1.0 - np.eye(2)[data.y], regularization, max_depth=2)
        assert result.lower_bound <= optimum.objective + 1e-12
        assert result.objective == result.tree.objective(data.X, data.y, regularization)


def test_default_start_is_at_least_as_good_as_cart():
    """A first solution that is lost, or read from the wrong nodes of scikit-learn's tree."""
    from sklearn.tree import DecisionTreeClassifier

    data = datasets.load("monk1")
    cart = DecisionTreeClassifier(max_depth=3, random_state=0).fit(data.X, data.y)
    result = binoct(data.X, data.y, 3, time_limit=1e-3)
    assert result.status == "time_limit"
    assert 1 - result.objective >= cart.score(data.X, data.y)


def test_ctrl_c_stops_highs_and_keeps_the_tree(monkeypatch):
    """Ctrl-C that is swallowed while HiGHS runs on, or that loses the tree found so far."""
    data, record, calls = datasets.load("monk2"), Budget.record, []

    def interrupting(budget, *point, **options):
        record(budget, *point, **options)
        calls.append(point)
        if len(calls) == 2:  # the first comes before HiGHS, the second out of it
            _thread.interrupt_main()

    monkeypatch.setattr(Budget, "record", interrupting)
    result = binoct(data.X, data.y, 4, time_limit=PATIENCE)
    assert result.status == "interrupted"
    assert result.tree.n_leaves == 16
    assert result.lower_bound <= result.objective == result.tree.error(data.X, data.y)


def test_trace_ends_with_the_result():
    """A trace that goes backwards, or that ends elsewhere than the result."""
    data = datasets.load("compas-binary")
    result = binoct(data.X, data.y, 1, regularization=0.01, time_limit=PATIENCE)
    trace = result.trace
    assert (np.diff(trace["seconds"]) >= 0).all() and (np.diff(trace["objective"]) <= 1e-12).all()
    assert (np.diff(trace["lower_bound"]) >= -1e-9).all()
    assert (trace["objective"][-1], trace["lower_bound"][-1]) == (result.objective, result.lower_bound)


@pytest.mark.parametrize("few_terms", [0, 10**9])
def test_verbose_shows_progress(monkeypatch, capsys, few_terms):
    """A silent run of minutes, in this process or in one of its own."""
    monkeypatch.setattr(solver, "FEW_TERMS", few_terms)
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    binoct(X, y, 2, regularization=0.01, time_limit=60)
    assert capsys.readouterr().err == ""
    found = binoct(X, y, 2, regularization=0.01, time_limit=60, verbose=True)
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"objective {found.objective:.6f}  bound {found.lower_bound:.6f}" in last


def test_threads_and_seed_do_not_change_the_optimum():
    """Settings that HiGHS refuses silently: its thread pool outlives a run and must be given up first."""
    X, y = np.array(list(itertools.product((0, 1), repeat=4))), np.arange(16) % 5 % 2
    optimum = least_errors(X, y, 2) / 16
    for threads, seed in ((2, 0), (1, 7), (2, 3)):
        assert binoct(X, y, 2, time_limit=PATIENCE, threads=threads, seed=seed).objective == optimum


@pytest.mark.parametrize(
    "change, error, message",
    [
        ({"X": [[0, 2], [1, 0]]}, ValueError, "0 and 1 only"),
        ({"X": [[0.5, 0], [1, 0]]}, ValueError, "0 and 1 only"),
        ({"X": [0, 1]}, ValueError, "shape"),
        ({"X": np.zeros((2, 0))}, ValueError, "shape"),
        ({"y": [0, 1, 1]}, ValueError, "for each of the 2 rows"),
        ({"y": [0, -1]}, ValueError, "class codes"),
        ({"y": [0.0, 1.0]}, ValueError, "class codes"),
        ({"depth": 0}, ValueError, "depth=0"),
        ({"depth": 1.5}, ValueError, "depth=1.5"),
        ({"depth": 40}, ValueError, "smaller depth"),
        ({"regularization": -0.1}, ValueError, "regularization=-0.1"),
        ({"regularization": float("nan")}, ValueError, "regularization=nan"),
        ({"time_limit": 0}, ValueError, "time_limit=0"),
        ({"threads": 0}, ValueError, "threads=0"),
        ({"seed": "a"}, ValueError, "seed='a'"),
        ({"initial": "cart"}, TypeError, "treelib.tree.stored.Tree"),
        ({"initial": Tree.from_nested((0, 0.5, 0, 1), 3)}, ValueError, "2 features of X"),
        ({"initial": Tree.from_nested((0, 1.5, 0, 1), 2)}, ValueError, "between 0 and 1"),
        ({"initial": Tree.from_nested((0, 0.5, 0, (1, 0.5, 0, 1)), 2)}, ValueError, "no deeper than"),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else None,
)
def test_invalid_input(change, error, message):
    """Input that is taken silently, or refused without saying what was wrong."""
    given = {"X": [[0, 1], [1, 0]], "y": [0, 1], "depth": 1, "time_limit": PATIENCE} | change
    with pytest.raises(error, match=message):
        binoct(given.pop("X"), given.pop("y"), given.pop("depth"), **given)


def test_without_highs_the_message_says_what_to_install(monkeypatch):
    """An ImportError that names a module nobody knows."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ImportError, match=r"treelib-companion\[milp\]"):
        binoct([[0], [1]], [0, 1], 1, time_limit=PATIENCE)


def test_a_process_of_its_own_gives_the_same_answer(monkeypatch):
    """A tree, bound or count that depends on where HiGHS runs."""
    data = datasets.load("monk1")
    results = []
    for few in (0, 10**9):
        monkeypatch.setattr(solver, "FEW_TERMS", few)
        results.append(binoct(data.X[:60], data.y[:60], 2, regularization=0.01, time_limit=PATIENCE))
    apart, here = results
    assert apart.status == here.status == "optimal" and apart.objective == here.objective
    assert apart.stats["n_nodes"] > 100
    assert apart.tree == here.tree
    for name in ("n_nodes", "n_constraints", "n_variables"):
        assert apart.stats[name] == here.stats[name]


def test_a_process_that_dies_leaves_the_first_tree(monkeypatch):
    """An exception, or a wait without end, where HiGHS was ended by the system."""
    data = datasets.load("monk1")
    monkeypatch.setattr(solver, "FEW_TERMS", 0)
    monkeypatch.setattr(solver.sys, "executable", "false")
    result = binoct(data.X, data.y, 2, time_limit=PATIENCE)
    assert result.status == "inexact" and result.lower_bound <= result.objective


def test_a_process_that_is_ended_before_it_has_read_its_task():
    """The rest of the task, which is written once more when the pipe is closed."""
    rows = binoct_program.MergedRows(np.zeros((4000, 300), dtype=int), np.ones(4000), 0)
    over, nobody = Budget(cancel=lambda: True), lambda *news: None
    found = solver._solve_apart(rows, 1, 1.0, np.zeros(1, dtype=int), 1, 0, over, nobody)
    assert found.status == "interrupted" and found.features is None
