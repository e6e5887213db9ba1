"""The set of all good trees against brute force, cut short by count and by limits."""

import gc
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from tests.sparse.test_exact import depth_of, problems, simple_costs
from tests.sparse.test_regularization_path import STOPS, stop_after, wide_problem
from tests.twins.sparse import optimal_trees as naive
from treelib import OptimalSparseTreeClassifier, datasets
from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, Stopped
from treelib.sparse import rashomon
from treelib.sparse.column_tree import from_nested, rows_of_nodes
from treelib.sparse.exact import minimise
from treelib.sparse.rashomon import rashomon_set
from treelib.sparse.row_sets import RowSets


def leaves_of(tree, columns):
    """Frozenset of the leaves, each a tuple of its rows."""
    rows = rows_of_nodes(tree, columns)
    return frozenset(tuple(rows[node].tolist()) for node in np.flatnonzero(tree.column < 0))


def naive_set(columns, costs, regularization, total, epsilon, max_depth=None, max_leaves=np.inf):
    """{division: objective} of all within epsilon, by listing every division."""
    values = {
        leaves: cost / total + regularization * len(leaves)
        for leaves, cost in naive.all_divisions(columns, costs, max_depth).items()
        if len(leaves) <= max_leaves
    }
    limit = min(values.values()) + epsilon + 1e-10 * max(1.0, min(values.values()))
    return {leaves: value for leaves, value in values.items() if value <= limit}


def check_trees(found, columns, costs, regularization, total):
    """Every tree has the objective and the leaves it is listed with; none is listed twice."""
    divisions = [leaves_of(tree, columns) for tree in found.trees]
    assert len(set(divisions)) == len(divisions) == len(found.objectives) == len(found.n_leaves)
    for tree, objective, leaves in zip(found.trees, found.objectives, found.n_leaves, strict=True):
        assert tree.n_leaves == leaves
        own = tree.objective(columns, costs, regularization, total)
        assert own == pytest.approx(objective, rel=1e-9, abs=1e-9)
    assert (np.diff(found.objectives) >= 0).all()
    return divisions


@settings(max_examples=150)
@given(problems(max_rows=8, max_columns=3), st.sampled_from([0.0, 0.0, 0.02, 0.1, 0.3]))
def test_equals_brute_force(problem, epsilon):
    """A tree that is missing, surplus or counted twice: ties, conflicts, free leaves, costs, depth limits."""
    columns, costs, regularization, total, max_depth = problem
    found = rashomon_set(
        columns, costs, regularization, total=total, max_depth=max_depth, epsilon=epsilon, max_trees=10**6
    )
    expected = naive_set(columns, costs, regularization, total, epsilon, max_depth)
    assert found.complete and found.status == OPTIMAL
    assert set(check_trees(found, columns, costs, regularization, total)) == set(expected)
    assert found.objectives[0] == pytest.approx(min(expected.values()), abs=1e-9 * max(1, found.optimum))
    assert max_depth is None or all(depth_of(tree) <= max_depth for tree in found.trees)


@settings(max_examples=80)
@given(problems(max_rows=8, max_columns=3), st.integers(1, 12))
def test_too_many_trees_leave_the_best(problem, max_trees):
    """A set cut short that lacks some of the best trees, or that calls itself complete."""
    columns, costs, regularization, total, max_depth = problem
    options = {"total": total, "max_depth": max_depth, "epsilon": 0.1, "max_trees": max_trees}
    found = rashomon_set(columns, costs, regularization, **options)
    expected = sorted(naive_set(columns, costs, regularization, total, 0.1, max_depth).values())
    assert found.complete == (len(expected) <= max_trees)
    check_trees(found, columns, costs, regularization, total)
    assert len(found.trees) == min(max_trees, len(expected))
    assert found.objectives == pytest.approx(expected[:max_trees], rel=1e-9, abs=1e-9)


@settings(max_examples=80)
@given(problems(max_rows=7, max_columns=3), st.integers(1, 4), st.sampled_from([2, 5, 10**6]))
def test_leaf_limit_gives_the_set_within_it(problem, max_leaves, max_trees):
    """Trees with too many leaves, an epsilon measured from an optimum that has too many, or the best lost to
    trees with too many."""
    columns, costs, regularization, total, _ = problem
    options = {"total": total, "epsilon": 0.05, "max_leaves": max_leaves, "max_trees": max_trees}
    found = rashomon_set(columns, costs, regularization, **options)
    expected = naive_set(columns, costs, regularization, total, 0.05, max_leaves=max_leaves)
    assert set(check_trees(found, columns, costs, regularization, total)) <= set(expected)
    assert found.complete == (len(expected) <= max_trees)
    best = sorted(expected.values())[:max_trees]
    assert found.objectives == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_order_of_splits_and_repeated_columns_make_no_new_tree():
    """XOR, whose two trees divide the rows alike, with both columns written again and as their opposites."""
    columns = (np.arange(4)[:, None] >> np.arange(2)).astype(np.uint8) & 1
    columns = np.hstack([columns, columns, 1 - columns, np.ones_like(columns)])
    costs = simple_costs(columns[:, 0] ^ columns[:, 1], 2)
    found = rashomon_set(columns, costs, 0.05)
    assert len(found.trees) == 1 and found.complete and found.n_leaves.tolist() == [4]


def test_two_columns_that_are_equally_good_make_two_trees():
    """A tie lost: each column leaves one row wrong, another one."""
    columns = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [1, 0]], np.uint8)
    costs = simple_costs(np.array([0, 0, 1, 1, 1, 1]), 2)
    found = rashomon_set(columns, costs, 0.1)
    assert sorted(tree.column[0] for tree in found.trees) == [0, 1]
    assert found.objectives.tolist() == [found.optimum] * 2


def test_epsilon_is_met_whatever_its_last_digit():
    """A tree at exactly epsilon lost to rounding: a split for 0.1 that gains nothing, with 0.1 to spare."""
    found = rashomon_set(np.array([[0], [1]], np.uint8), np.full((2, 2), 0.74), 0.1, epsilon=0.1)
    assert found.objectives.tolist() == pytest.approx([0.84, 0.94]) and found.complete


def test_larger_epsilon_gives_a_larger_set():
    """A tree beyond epsilon, or one that a smaller epsilon has and a larger one has not."""
    data = datasets.load("monk1")
    columns, costs = data.X.astype(np.uint8), simple_costs(data.y, 2)
    sizes = []
    smaller = set()
    for epsilon in (0.0, 6 / 124, 10 / 124):
        found = rashomon_set(columns, costs, 0.05, epsilon=epsilon, max_trees=10**5)
        divisions = set(check_trees(found, columns, costs, 0.05, len(columns)))
        assert found.complete and smaller <= divisions
        assert (found.objectives <= found.optimum + epsilon + 1e-12).all()
        smaller = divisions
        sizes.append(len(divisions))
    assert sizes[0] < sizes[1] < sizes[2]


LIMITS = {
    **{name: (limits, status) for name, (limits, status, n_jobs) in STOPS.items() if n_jobs == 1},
    "late": (lambda: {"cancel": stop_after(300, False)}, INTERRUPTED),
    "late Ctrl-C": (lambda: {"cancel": stop_after(300, True)}, INTERRUPTED),
}


@pytest.mark.parametrize("stop", LIMITS)
def test_stopped_search_keeps_good_trees(monkeypatch, stop):
    """A limit or Ctrl-C that raises, leaves no tree, or a set that calls itself complete."""
    columns, costs = wide_problem()
    monkeypatch.setattr(minimise, "WORK_A_STEP", 1)
    limits, status = LIMITS[stop]
    found = rashomon_set(columns, costs, 0.004, epsilon=0.01, max_trees=50, budget=Budget(**limits()))
    assert found.status == status and not found.complete and found.trees
    check_trees(found, columns, costs, 0.004, len(columns))
    assert found.objectives[0] == pytest.approx(found.optimum, abs=1e-12)
    assert found.objectives[-1] <= found.optimum + 0.01 + 1e-12


def test_a_limit_in_the_row_sets_leaves_the_best_tree(monkeypatch):
    """An error where the time is up between the optimum and the listing of the others."""

    def stopped(*_):
        raise Stopped("time_limit")

    monkeypatch.setattr(rashomon, "RowSets", stopped)
    found = rashomon_set(*wide_problem(), 0.02)
    assert found.status == "time_limit" and not found.complete and len(found.trees) == 1


def test_trees_are_made_when_they_are_asked_for(monkeypatch):
    """Thousands of trees that are made after the limit, or other ones than were listed."""
    columns, costs = wide_problem()
    known = tuple(rashomon_set(columns, costs, 0.004, epsilon=0.01).trees)
    made = []
    monkeypatch.setattr(rashomon, "from_nested", lambda nested: made.append(nested) or from_nested(nested))
    trees = rashomon_set(columns, costs, 0.004, epsilon=0.01).trees
    assert len(trees) == len(known) > 5 and not made
    assert_equal_trees([trees[3], trees[-1], trees[3]], [known[3], known[-1], known[3]])
    assert len(made) == 2
    assert_equal_trees(trees, known)
    assert_equal_trees(trees[1:3], known[1:3])
    assert_equal_trees(pickle.loads(pickle.dumps(trees)), known)
    with pytest.raises(IndexError):
        trees[len(trees)]


def assert_equal_trees(found, known):
    for one, other in zip(found, known, strict=True):
        for part, same in zip(one, other, strict=True):
            np.testing.assert_array_equal(part, same)


def test_the_clock_is_asked_between_pairs(monkeypatch):
    """A limit that waits until two long lists of divisions are joined; what the root has by then is lost."""
    columns, costs = wide_problem()
    sets = RowSets(columns, costs, lambda *_: None)
    # two splits on a path: only the lists of the root are long
    divisions = rashomon._Divisions(sets, 0.004 * len(columns), 2, None, 10**6)

    def asked_in_the_middle(pairs, check):
        for k, pair in enumerate(pairs):
            if k == 10:
                monkeypatch.setattr(sets, "_check", stopped)
                check()
            yield pair

    def stopped(*_):
        raise Stopped("time_limit")

    monkeypatch.setattr(rashomon, "asking", asked_in_the_middle)
    assert divisions.fill_all(0.5 * len(columns)) == "time_limit"
    objectives, leaves, nested = divisions.listed(len(columns))
    assert len(objectives) == len(leaves) == len(nested) >= 10
    assert (np.diff(objectives) >= 0).all()


def test_verbose_search_shows_its_progress(capsys):
    """A long enumeration without a sign of life."""
    rashomon_set(*wide_problem(), 0.02, budget=Budget(verbose=True))
    assert "nodes/s" in capsys.readouterr().err


def test_what_is_not_kept_is_not_held(monkeypatch):
    """Millions of divisions of one set, of which a thousand are kept; garbage that nobody looks for again."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (40, 8), dtype=np.uint8)
    costs = simple_costs(rng.integers(0, 2, 40), 2)
    grown, kept, look = [], [], rashomon._Divisions._look

    def watched(self, best):
        grown.append(len(best) > 2 * self.n_kept)
        look(self, best)
        kept.append(len(best) <= 2 * self.n_kept)

    options = {"epsilon": 0.2, "max_depth": 3}
    every = rashomon_set(columns, costs, 0.01, max_trees=10**6, **options)
    monkeypatch.setattr(rashomon._Divisions, "_look", watched)
    found = rashomon_set(columns, costs, 0.01, max_trees=300, **options)
    assert any(grown) and all(kept) and not found.complete
    assert found.objectives == pytest.approx(every.objectives[:300], abs=1e-12)
    assert gc.isenabled()


@pytest.mark.parametrize("limit", [{"time_limit": 1e-6}, {"memory_limit": 1}])
def test_a_stopped_set_has_what_a_greedy_tree_has(limit):
    """A set of a single leaf, where a stopped fit has a tree at once."""
    data = datasets.load("tsallis/banknote")
    with pytest.warns(ConvergenceWarning):
        model = OptimalSparseTreeClassifier(0.005, **limit)
        found = model.rashomon_set(data.X, data.y, epsilon=0.01)
        model.fit(data.X, data.y)
    assert found.optimum == found.objectives[0] <= model.objective_ and not found.complete
    assert len(found.trees) == len(found.objectives) == len(found.n_leaves)
    for tree, objective, leaves in zip(found.trees, found.objectives, found.n_leaves, strict=True):
        assert tree.n_leaves == leaves
        assert (tree.predict(data.X) != data.y).mean() + 0.005 * leaves == pytest.approx(objective)
