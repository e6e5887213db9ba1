"""The paper's recursion with its table against a plain recursion in the same order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.bornagain import voting as naive
from treelib.bornagain.ensemble.cells import build_cells
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.bornagain.proof.certificate import certify
from treelib.search.budget import Budget
from treelib.tree.stored import Tree

BIG = 10**6


class Plain:
    """Algorithms 1 to 4 line by line, with a dictionary; the two shortcuts of the authors under D."""

    def __init__(self, classes, objective):
        self.classes, self.objective = classes, objective
        self.memory, self.calls = {}, 0

    def combined(self, left, right):
        if self.objective == "depth":
            return 1 + max(left, right)
        if self.objective == "leaves":
            return 1 + left + right
        return BIG * (1 + max(left // BIG, right // BIG)) + 1 + left % BIG + right % BIG

    def value(self, low, high):
        self.calls += 1
        if low == high:
            return 0
        if (low, high) not in self.memory:
            self.memory[low, high] = self.search(low, high)
        return self.memory[low, high]

    def parts(self, low, high, j, level):
        return (low, (*high[:j], level, *high[j + 1 :])), ((*low[:j], level + 1, *low[j + 1 :]), high)

    def search(self, low, high):
        upper, lower = float("inf"), 0
        for j in range(len(low)):
            if lower >= upper:
                break
            if self.objective == "depth":
                bottom, top = low[j], high[j]
                while bottom < top and lower < upper:
                    level = (bottom + top) // 2
                    first, second = self.parts(low, high, j, level)
                    left = self.value(*first)
                    lower = max(lower, left)
                    if 1 + left >= upper:
                        top = level
                        continue
                    right = self.value(*second)
                    if left == right == 0:
                        return int(self.classes[low] != self.classes[high])
                    lower = max(lower, right)
                    if 1 + right < upper:
                        upper = 1 + max(left, right)
                    if 1 + left >= upper:
                        top = level
                    if 1 + right >= upper:
                        bottom = level + 1
                continue
            for level in range(low[j], high[j]):
                if lower >= upper:
                    break
                first, second = self.parts(low, high, j, level)
                left, right = self.value(*first), self.value(*second)
                if left == right == 0:
                    return 0 if self.classes[low] == self.classes[high] else self.combined(0, 0)
                lower, upper = max(lower, left, right), min(upper, self.combined(left, right))
        return upper

    def seen(self, low, high):
        return 0 if low == high else self.memory.get((low, high))

    def tree(self, low, high):
        value = self.seen(low, high)
        if value == 0:
            return int(self.classes[low])
        for j in range(len(low)):
            for level in range(low[j], high[j]):
                first, second = self.parts(low, high, j, level)
                left, right = self.seen(*first), self.seen(*second)
                if left is not None and right is not None and self.combined(left, right) == value:
                    return j, level, self.tree(*first), self.tree(*second)
        raise AssertionError("no split has the value")


def on_levels(tree, cells, node=0):
    if tree.is_leaf[node]:
        return int(tree.label[node])
    j = int(tree.feature[node])
    level = int(np.searchsorted(cells.levels[j], tree.threshold[node]))
    left, right = tree.children_left[node], tree.children_right[node]
    return j, level, on_levels(tree, cells, left), on_levels(tree, cells, right)


@given(st.sampled_from(["depth", "leaves", "depth-leaves"]), st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_same_tree_and_same_calls_as_the_plain_recursion(objective, seed, n_features):
    """An order, a tie or a stop that differs: the printed number of leaves would not come out."""
    ensemble = naive.random_ensemble(seed, n_features=n_features, n_trees=5, n_cuts=4)
    cells = build_cells(ensemble)
    whole = (0,) * n_features, tuple(n - 1 for n in cells.shape)
    plain = Plain(cells.classes, objective)
    plain.value(*whole)
    result = minimise_by_recursion(ensemble, objective)
    assert on_levels(result.tree, cells) == plain.tree(*whole)
    assert result.stats["n_states"] == len(plain.memory)
    if cells.n_cells > 1:
        assert result.stats["n_calls"] == plain.calls
    assert certify(result.tree, ensemble)


@given(seed=st.integers(0, 2**32 - 1), n_features=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_without_shortcuts_algorithms_1_and_4_to_the_letter(seed, n_features):
    """A shortcut that stays in: the chapter's own code visits the same regions and finds the same tree."""
    chapter = pytest.importorskip(
        "tests.twins.chapters", reason="it is read by jupytext, of the extra 'book'"
    )
    shown = chapter.algorithms("bornagain_picture")
    ensemble = naive.random_ensemble(seed, n_features=n_features, n_trees=5, n_cuts=4)
    cells = build_cells(ensemble)
    votes = {cell: int(k) for cell, k in np.ndenumerate(np.reshape(cells.classes, cells.shape))}
    depth, memory = shown.least_depth(votes)
    result = minimise_by_recursion(ensemble, "depth", shortcuts=False)
    assert result.objective == depth
    assert on_levels(result.tree, cells) == shown.first_tree(votes, memory)
    assert result.stats["n_states"] == len(memory)
    assert certify(result.tree, ensemble)


def test_shortcuts_change_the_tree_and_not_its_depth():
    """A switch without effect."""
    forests = [naive.random_ensemble(seed, n_features=4, n_trees=5, n_cuts=4) for seed in range(20)]
    letter, program = (
        [minimise_by_recursion(forest, shortcuts=one) for forest in forests] for one in (False, True)
    )
    assert [one.objective for one in letter] == [one.objective for one in program]
    assert [one.tree.n_leaves for one in letter] != [one.tree.n_leaves for one in program]
    assert sum(one.stats["n_states"] for one in letter) > sum(one.stats["n_states"] for one in program)


def test_values_that_outgrow_the_table_are_kept_in_a_larger_one(monkeypatch):
    """An entry that wraps around: here entries of two bits for the splits."""
    from treelib.bornagain.paper import algorithms

    ensemble = naive.random_ensemble(8, n_features=3, n_trees=6, n_cuts=5, depth=4)
    expected = minimise_by_recursion(ensemble, "depth-leaves").tree
    tables = {algorithms.DEPTH_LEAVES: ((np.uint16, 2), (np.uint32, 20))}
    monkeypatch.setattr(algorithms, "_TABLES", tables)
    assert expected.n_leaves > 5
    assert minimise_by_recursion(ensemble, "depth-leaves").tree == expected


@pytest.mark.parametrize("objective", ["depth", "leaves", "depth-leaves"])
def test_limits_and_steps(objective, monkeypatch):
    """A search continued after a step that differs from one in one go; a limit that is not kept."""
    from treelib.bornagain.paper import algorithms

    ensemble = naive.random_ensemble(8, n_features=3, n_trees=6, n_cuts=5, depth=4)
    expected = minimise_by_recursion(ensemble, objective)
    monkeypatch.setattr(algorithms, "_CALLS", 7)
    found = minimise_by_recursion(ensemble, objective)
    assert found.tree == expected.tree
    assert {name: found.stats[name] for name in ("n_calls", "n_states")} == {
        name: expected.stats[name] for name in ("n_calls", "n_states")
    }
    stopped = minimise_by_recursion(ensemble, "leaves", budget=Budget(node_limit=10))
    assert stopped.status == "node_limit" and stopped.tree is None and stopped.lower_bound == 0
    assert minimise_by_recursion(ensemble, budget=Budget(memory_limit=10)).status == "memory_limit"


def test_one_class_is_one_leaf():
    """A grid of a single cell."""
    ensemble = Ensemble([Tree.from_nested((0, 0.5, 1, 1), 2)])
    result = minimise_by_recursion(ensemble)
    assert result.tree.n_leaves == 1 and result.tree.label[0] == 1 and result.objective == 0


def test_unknown_objective_is_named():
    """A misspelt objective that is taken for another."""
    with pytest.raises(ValueError, match="objective='size'"):
        minimise_by_recursion(naive.random_ensemble(0), "size")
