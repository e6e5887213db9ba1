"""The lower bound by parts of the rows, against all trees of the parts and of the whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sparse.continuous.test_search import brute_force, check_optimum, problems
from treelib.search.budget import Budget, Stopped
from treelib.sparse.continuous import search
from treelib.sparse.continuous.bounds import parts, stages
from treelib.sparse.continuous.early import sides
from treelib.sparse.continuous.prepare import prepare
from treelib.sparse.continuous.search import Search, optimal_tree
from treelib.sparse.continuous.together import turns

PRICES, DEPTHS = st.sampled_from([0.0, 0.02, 0.1]), st.sampled_from([3, 4])


@pytest.fixture
def small(monkeypatch):
    """Parts of two rows at depth three, from the second step on."""
    monkeypatch.setattr(search, "WORK_A_STEP", 60)
    monkeypatch.setattr(turns, "ALONE", 0)
    monkeypatch.setattr(turns, "TURN", 1)
    monkeypatch.setattr(parts, "ROWS_A_LEAF", 0.25)


def begun(X, y, weights=None, regularization=0.0, max_depth=3):
    """A search before its first step."""
    data, rows, _ = prepare(X, y, regularization, weights, Budget(), max_depth)
    return Search(rows, data, max_depth)


@pytest.mark.usefixtures("small")
@settings(max_examples=80, deadline=None)
@given(problems(), PRICES, DEPTHS)
def test_parts_have_the_same_optimum(problem, regularization, max_depth):
    """A bound of the parts that ends the search before the best tree is found, or is above it on the way."""
    X, y, weights = problem
    result, expected = check_optimum(X, y, weights, regularization, max_depth)
    assert (result.trace["lower_bound"] <= expected + 1e-9).all()


@pytest.mark.usefixtures("small")
@settings(max_examples=80, deadline=None)
@given(problems(), st.sampled_from([4, 5]), st.integers(1, 3))
def test_better_sides_make_a_better_tree_of_the_same_optimum(problem, max_depth, most_steps):
    """Sides in the wrong place, a row that comes to both, or a tree that is told better than it is."""
    X, y, weights = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sides, "MOST_STEPS", most_steps)
        whole, alone = begun(X, y, weights, 0.0, max_depth), begun(X, y, weights, 0.0, max_depth)
        for one in (whole, alone):
            one.run(Budget(), 1)
        sides.improve_sides(whole, Budget())
    tree = whole.tree()
    cost = whole.data.objective(whole.data.labelled(tree))
    assert cost == pytest.approx(tree.objective(X, y, 0.0, weights), abs=1e-12) and tree.depth <= max_depth
    assert brute_force(X, y, weights, 0.0, max_depth) - 1e-9 <= cost <= alone.data.objective(alone.tree())
    assert whole.run(Budget()) == "optimal"
    expected = brute_force(X, y, weights, 0.0, max_depth)
    assert whole.data.objective(whole.tree()) == pytest.approx(expected, abs=1e-9)


def test_the_sides_of_a_tree_are_its_subtrees():
    """A node of the left side taken for one of the right."""
    X = np.random.default_rng(2).random((60, 3))
    y = np.random.default_rng(3).integers(0, 3, 60)
    tree = optimal_tree(X, y, max_depth=3).tree
    left, right = (sides.subtree(tree, node[0]) for node in (tree.left, tree.right))
    again = sides.joined(tree.feature[0], tree.threshold[0], left, right)
    assert all(np.array_equal(one, other) for one, other in zip(tree[:4], again[:4], strict=True))
    is_left = X[:, tree.feature[0]] <= tree.threshold[0]
    _, rows, _ = prepare(X, y, 0.0, None, Budget(), 3)
    of = Search(rows, prepare(X, y, 0.0, None, Budget(), 3)[0], 3).data
    assert np.array_equal(of.labelled(again).predict(X)[is_left], tree.predict(X[is_left]))


@pytest.mark.usefixtures("small")
@settings(max_examples=80, deadline=None)
@given(problems(), PRICES, DEPTHS, st.integers(0, 3))
def test_parts_are_bounds_and_sums_of_their_optima(problem, regularization, max_depth, few):
    """A price that is not shared out by weight, rows lost or counted twice, a union below its parts."""
    X, y, weights = problem
    whole = begun(X, y, weights, regularization, max_depth)
    if whole.is_leaf:
        return
    rows, expected = whole.rows, brute_force(X, y, weights, regularization, max_depth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FEW_STEPS", few)
        found, before = parts.Parts(whole), 0.0
        while found.step(Budget()):
            assert before <= found.lower + 1e-9 and whole.in_units(found.lower) <= expected + 1e-9
            before = found.lower
    assert sorted(np.concatenate([part for part, _ in found.solved])) == list(range(len(rows.rows)))
    weight, price = np.abs(rows.weight).astype(float), whole.numbers.price
    for part, lower in found.solved:
        of = weight[part].sum()
        share = price / rows.total
        least = of * brute_force(X[rows.rows[part]], rows.classes[part], weight[part], share, max_depth)
        assert lower <= least + 1e-9
        if few == 0:  # never larger than two rows, so that no union has cost more than both
            assert lower == pytest.approx(least, abs=1e-6 * of) or len(part) > 2


@pytest.mark.usefixtures("small")
def test_parts_end_at_limits_and_a_memory_limit_counts_them():
    """A part that runs past the limit, or whose arrays nobody counts."""
    rng = np.random.default_rng(3)
    X, y = rng.random((60, 3)), rng.integers(0, 2, 60)
    whole = begun(X, y, max_depth=4)
    found, alone = parts.Parts(whole), whole.n_bytes
    found.size = 30
    found.run(Budget(memory_limit=alone + 1000), np.inf)
    assert found.own is None and whole.n_bytes == alone and found.most < 30
    assert sum(len(part) for part, _ in found.solved) == 60
    with pytest.raises(Stopped):
        parts.Parts(whole).run(Budget(time_limit=1e-9), np.inf)


def test_a_promise_is_what_all_rows_come_to():
    """A search whose own bound is far ahead, and that still shares its time."""
    rng = np.random.default_rng(5)
    X, y = rng.random((2000, 3)), rng.integers(0, 2, 2000)
    found = parts.Parts(begun(X, y))
    assert found.promise == np.inf
    while not found.solved:
        found.step(Budget())
    n_seen = sum(len(part) for part, _ in found.solved)
    assert found.promise == pytest.approx(found.lower * 2000 / (2000 - len(found.mixed)))
    assert 0 < n_seen < 2000 and found.promise < 1000


def test_the_parts_of_a_large_table_show_most_of_its_errors():
    """Parts so small that their trees fit the noise, where larger ones would be solved as quickly."""
    rng = np.random.default_rng(1)
    X = rng.random((40_000, 4))
    noise = rng.random(40_000) < 0.15
    y = ((X[:, 0] > 0.4) ^ (X[:, 1] > 0.6) ^ noise).astype(int)
    found = parts.Parts(begun(X, y))
    while len(found.mixed) or found.own is not None:
        assert found.step(Budget())
    assert 0.8 * noise.sum() < found.lower <= noise.sum()


@pytest.mark.parametrize("room", [0, 1000, 10**9])
def test_a_side_or_a_stage_without_room_is_given_up(monkeypatch, room):
    """A search that ends at its limit of memory although only what goes beside it is too large."""
    rng = np.random.default_rng(1)
    X, y = rng.random((200, 4)), rng.integers(0, 2, 200)
    whole = begun(X, y, max_depth=4)
    whole.run(Budget(), 3)
    before = whole.data.objective(whole.tree())
    sides.improve_sides(whole, Budget(memory_limit=whole.n_bytes + room))
    assert whole.data.objective(whole.tree()) <= before and whole.bytes_beside == 0
    monkeypatch.setattr(search, "WORK_A_STEP", 60)
    monkeypatch.setattr(stages, "ALONE", 3)
    begun_stages, run = [], stages.Stages.run
    monkeypatch.setattr(
        stages.Stages, "run", lambda one, budget: begun_stages.append(one) or run(one, budget)
    )
    priced = begun(X[:30], y[:30], regularization=0.02, max_depth=4)
    limit = 2**24 + room  # what the search itself comes to is less
    monkeypatch.setattr(stages.Stages, "n_bytes", 2**24)
    assert stages.run_in_stages(priced, Budget(memory_limit=limit), Search) == "optimal"
    assert begun_stages and (room == 10**9 or len(begun_stages) == 1)
    cost = priced.data.objective(priced.tree())
    assert cost == pytest.approx(optimal_tree(X[:30], y[:30], regularization=0.02, max_depth=4).objective)
