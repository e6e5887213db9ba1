"""The paper's statements on small problems, and their counterexamples."""

import numpy as np
from hypothesis import given, settings

from tests.strategies.dyadic import dyadic_problems
from treelib.papers.dyadic.text import theorems


@settings(max_examples=40)
@given(dyadic_problems(most_cells=8, most_rows=6))
def test_statements_hold_on_small_problems(problem):
    """A statement that the chapter calls true and that fails somewhere."""
    for name, outcomes in theorems.check(theorems.Problem(*problem)).items():
        if name not in ("lemma 4", "corollary 1"):
            assert all(outcomes), name


def test_lemma_4_fails_as_printed():
    """A counterexample that is none: two points of two classes."""
    found = theorems.check(theorems.two_points())
    assert found["lemma 4"] == [False]
    assert found["lemma 4 (repaired)"] == [True]


def test_corollary_1_fails_where_two_leaves_make_no_error():
    """A counterexample that is none: the single leaf is optimal only above lambda = e_1."""
    problem = theorems.two_points()
    assert problem.sequence() == [(1, 1), (0, 2)]
    assert problem.selected(1) == (0, 2)
    assert theorems.check(problem)["corollary 1"] == [False, True]


def test_prunings_are_least():
    """A pruning with more error than another of its size."""
    checkerboard = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    problem = theorems.Problem(checkerboard, np.eye(2, dtype=int)[[0, 1, 1, 0]] * 3, [1, 1])
    tree = problem.tree(0, 4)
    prunings = problem.best(tree)
    assert {leaves: error for leaves, (error, _) in prunings.items()} == {1: 6, 2: 6, 3: 3, 4: 0}
    assert sum(theorems.size(part) - 1 for part in prunings[2][1]) == 2
