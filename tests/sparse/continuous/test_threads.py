"""The search on numbers in several threads, against all trees tried one by one and against one thread."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sparse.continuous.test_search import LIMITS, brute_force, check_result, problems
from treelib import OptimalSparseTreeClassifier
from treelib.search.budget import MEMORY_LIMIT, Budget
from treelib.sparse.continuous import search, threads
from treelib.sparse.continuous.search import optimal_tree
from treelib.sparse.continuous.threads import ThreadedSearch


@pytest.fixture(autouse=True)
def tiny_steps(monkeypatch):
    """Threads share out the work from the first step on, and a step is a moment."""
    monkeypatch.setattr(search, "WORK_A_STEP", 1)
    monkeypatch.setattr(threads, "ALONE", 0)


@pytest.fixture
def small_steps(monkeypatch):
    """Steps of some tens of rows, for tables that would take too many tiny ones."""
    monkeypatch.setattr(search, "WORK_A_STEP", 40)


def table(n, p, seed, n_classes=2):
    """(X, y) with classes that hang on three columns, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (
        np.digitize(X[:, :3].sum(axis=1), np.linspace(-1, 1, n_classes - 1)) + (rng.random(n) < 0.1)
    ) % n_classes


def in_threads(X, y, n_jobs, budget=None, **options):
    made = partial(ThreadedSearch, n_jobs=n_jobs, budget=budget)
    return optimal_tree(X, y, search=made, budget=budget, **options)


@settings(max_examples=100, deadline=None)
@given(problems(most_rows=12), st.sampled_from([0.0, 0.01, 0.05]), LIMITS, st.integers(2, 4))
def test_equals_brute_force(problem, regularization, max_depth, n_jobs):
    """An interval that two threads or none look at, a best cost that is told without its tree."""
    X, y, weights = problem
    options = {"regularization": regularization, "max_depth": max_depth, "sample_weight": weights}
    result = in_threads(X, y, n_jobs, **options)
    check_result(result, X, y, weights, regularization, max_depth)
    expected = brute_force(X, y, weights, regularization, max_depth)
    assert result.is_optimal and result.objective == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "options", [{"max_depth": 3}, {"max_depth": 4, "regularization": 0.01}, {"regularization": 0.03}]
)
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_one_optimum_for_any_number_of_threads(small_steps, n_jobs, options, n_classes):
    """Threads that prune by a cost which no tree has; the same number that gives another tree."""
    X, y = table(40, 3, 5, n_classes)
    alone = optimal_tree(X, y, **options)
    found, again = in_threads(X, y, n_jobs, **options), in_threads(X, y, n_jobs, **options)
    assert alone.is_optimal and found.is_optimal
    assert found.objective == pytest.approx(alone.objective, abs=1e-12)
    for one, other in zip(found.tree, again.tree, strict=True):
        np.testing.assert_array_equal(one, other)
    assert found.stats == again.stats


def test_all_threads_work(small_steps):
    """One thread that does everything."""
    X, y = table(200, 5, 0)
    made = []

    def keep(*arguments):
        made.append(ThreadedSearch(*arguments, n_jobs=3))
        return made[0]

    result = optimal_tree(X, y, max_depth=3, search=keep)
    assert result.is_optimal and len(made[0].helpers) == 2
    assert all(helper.n_nodes > 10 for helper in made[0].helpers)


@settings(max_examples=60, deadline=None)
@given(
    problems(most_rows=12), st.sampled_from([0.0, 0.02]), st.sampled_from([3, 4, None]), st.integers(1, 30)
)
def test_bound_holds_after_a_limit(problem, regularization, max_depth, node_limit):
    """A bound that leaves out the intervals of other threads."""
    X, y, weights = problem
    budget = Budget(node_limit=node_limit)
    options = {"regularization": regularization, "max_depth": max_depth, "sample_weight": weights}
    result = in_threads(X, y, 3, budget, **options)
    check_result(result, X, y, weights, regularization, max_depth)
    assert result.lower_bound <= brute_force(X, y, weights, regularization, max_depth) + 1e-9


def test_no_threads_where_memory_has_no_room(small_steps):
    """Arrays of other threads that a limit of memory forbids: the search goes on alone."""
    X, y = table(300, 5, 1)
    alone = optimal_tree(X, y, max_depth=3)
    budget = Budget(memory_limit=1.5 * alone.stats["n_bytes"])
    result = in_threads(X, y, 8, budget, max_depth=3)
    assert result.status != MEMORY_LIMIT and result.objective == pytest.approx(alone.objective)


def test_estimator_takes_threads(small_steps):
    """`n_jobs` that does not reach the search, with a limit of leaves or without."""
    X, y = table(50, 3, 2)
    for options in ({"max_depth": 3}, {"max_leaf_nodes": 5}):
        one, two = (OptimalSparseTreeClassifier(0, n_jobs=n, **options).fit(X, y) for n in (1, 2))
        assert two.is_optimal_ and two.objective_ == pytest.approx(one.objective_)
