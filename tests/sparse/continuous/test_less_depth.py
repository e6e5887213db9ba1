"""More room never hurts: a search that is stopped hands back nothing worse than one of less depth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sparse.continuous.test_search import brute_force, check_result, problems
from tests.sparse.test_exact import interrupt_after
from tests.suites.limits.clock import tick
from treelib.search.budget import INTERRUPTED, NODE_LIMIT, OPTIMAL, TIME_LIMIT, Budget
from treelib.sparse.continuous import leaves, search
from treelib.sparse.continuous.bounds import stages
from treelib.sparse.continuous.early import less_depth
from treelib.sparse.continuous.leaves import optimal_tree_within
from treelib.sparse.continuous.prepare import prepare
from treelib.sparse.continuous.search import optimal_tree
from treelib.sparse.continuous.together.threads import ThreadedSearch

# looks at the clock, and work between them: one of depth three needs fewer, all others go on for many more
LOOKS, WORK = 1500, 300_000


@pytest.fixture(scope="module")
def parity():
    """A table whose best split gains nothing: three signs in one, among columns without meaning."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 5))
    y = (X[:, :3] > [0.2, -0.1, 0.4]).sum(axis=1) % 2
    return X, np.where(rng.random(len(X)) < 0.1, 1 - y, y)


@pytest.mark.parametrize("max_leaves, depth, price", [(4, 2, 0.0), (8, 3, 0.0), (9, 3, 0.002)])
def test_leaves_are_no_worse_than_the_depth_that_they_hold(monkeypatch, parity, max_leaves, depth, price):
    """A limit of leaves whose time went to trees with too many of them."""
    X, y = parity
    best = optimal_tree(X, y, regularization=price, max_depth=depth)
    assert best.is_optimal
    monkeypatch.setattr(search, "WORK_A_STEP", WORK)
    tick(monkeypatch)
    found = optimal_tree_within(
        X, y, max_leaves=max_leaves, regularization=price, budget=Budget(time_limit=LOOKS)
    )
    assert found.status != OPTIMAL and found.tree.n_leaves <= max_leaves
    assert found.objective <= best.objective + 1e-12 and found.lower_bound <= found.objective
    check_result(found, X, y, None, price, None)


@pytest.mark.parametrize("max_depth, make", [(4, ThreadedSearch), (6, None), (None, None)])
def test_deep_trees_with_a_price_are_no_worse_than_those_of_depth_three(monkeypatch, parity, max_depth, make):
    """A look ahead that ended before it had the best tree of depth three, for good."""
    X, y = parity
    best = optimal_tree(X, y, regularization=0.002, max_depth=3)
    monkeypatch.setattr(search, "AHEAD", 0)
    monkeypatch.setattr(search, "WORK_A_STEP", WORK)
    tick(monkeypatch)
    options = {"regularization": 0.002, "max_depth": max_depth, "search": make}
    found = optimal_tree(X, y, budget=Budget(time_limit=LOOKS), **options)
    assert found.status == TIME_LIMIT and found.objective <= best.objective + 1e-12
    check_result(found, X, y, None, 0.002, max_depth)


@settings(max_examples=80, deadline=None)
@given(
    problems(),
    st.sampled_from([0.005, 0.02, 0.1]),
    st.sampled_from([None, 4, 5]),
    st.none() | st.integers(2, 6),
    st.integers(20, 3000),
)
def test_bounds_hold_beside_trees_of_less_depth(problem, price, max_depth, max_leaves, looks):
    """A bound of trees of less depth that is told of all, or a narrow pass that is taken for a proof."""
    X, y, weights = problem
    limits = {"regularization": price, "max_depth": max_depth, "sample_weight": weights}
    expected = brute_force(X, y, weights, price, max_depth)
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in (
            (search, "WORK_A_STEP", 60), (search, "AHEAD", 0), (stages, "ALONE", 0), (stages, "TURN", 1),
            (less_depth, "ALONE_OF_LIMIT", 0.0), (less_depth, "TURN", 1),
        ):  # fmt: skip
            patch.setattr(module, name, value)
        tick(patch)
        if max_leaves is None:
            found = optimal_tree(X, y, budget=Budget(time_limit=looks), **limits)
        else:
            found = optimal_tree_within(X, y, max_leaves=max_leaves, budget=Budget(looks), **limits)
            best = optimal_tree_within(X, y, max_leaves=max_leaves, **limits)
            expected = max(expected, best.lower_bound)
            assert found.tree.n_leaves <= max_leaves
    check_result(found, X, y, weights, price, max_depth)
    assert found.lower_bound <= expected + 1e-9 <= found.objective + 2e-9
    assert found.status != OPTIMAL or found.objective == pytest.approx(expected, abs=1e-9)
    assert max_leaves is not None or (found.trace["lower_bound"] <= expected + 1e-9).all()


@pytest.mark.parametrize("limits", [{"node_limit": 400}, {"time_limit": 1e6, "node_limit": 400}])
def test_a_search_that_no_clock_is_about_to_end_makes_no_other(monkeypatch, parity, limits):
    """A search that ends soon made slower, or counts that depend on the clock."""
    X, y = parity

    def no_other(*args):
        raise AssertionError("another search was made")

    monkeypatch.setattr(less_depth, "_search_depth", no_other)
    budget = Budget(**limits)
    assert optimal_tree(X, y, regularization=0.002, max_depth=5, budget=budget).status == NODE_LIMIT
    found = leaves.optimal_tree_within(X, y, max_leaves=8, budget=Budget(**limits))
    assert found.status == NODE_LIMIT


def begun(parity):
    """A search that waits after its first steps."""
    X, y = parity
    data, rows, _ = prepare(X, y, 0.002, None, Budget(), 5)
    whole = search.Search(rows, data, 5)
    whole.run(Budget(), 3)
    return whole


@pytest.mark.parametrize("room, is_made", [(1.5, False), (100.0, True)])
def test_no_other_search_where_memory_has_no_room_for_it(parity, room, is_made):
    """A limit of memory that is passed by what is made beside the search that waits."""
    whole = begun(parity)
    budget = Budget(memory_limit=room * whole.n_bytes)
    _, own = less_depth._search_depth(search.Search, whole, whole.data, 3, None, budget, 60.0)
    assert (own is not None) == is_made and budget.used()[1] == 0


def test_a_ctrl_c_in_the_other_search_ends_both(parity):
    """A Ctrl-C that is taken for the end of the trees of less depth, so that the search goes on."""
    whole = begun(parity)
    budget = Budget(cancel=interrupt_after(3))
    less_depth.improve_deep(search.Search, whole, budget)
    assert budget.due() == INTERRUPTED


def test_stages_are_not_begun_where_their_arrays_take_the_time_left(monkeypatch, parity):
    """Arrays of a second search, a second for 10^8 cells, made when a limit has less than that left."""
    X, y = parity
    monkeypatch.setattr(search, "WORK_A_STEP", WORK)
    monkeypatch.setattr(stages, "seconds_to_start", lambda rows: LOOKS)
    monkeypatch.setattr(stages, "Stages", None)
    tick(monkeypatch)
    found = optimal_tree(X, y, regularization=0.002, max_depth=5, budget=Budget(time_limit=LOOKS))
    assert found.status == TIME_LIMIT
    check_result(found, X, y, None, 0.002, 5)
