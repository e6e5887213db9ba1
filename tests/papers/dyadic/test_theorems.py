"""The paper's statements on small problems, and their counterexamples."""

import numpy as np
from hypothesis import given, settings

from tests.strategies.dyadic import dyadic_problems
from treelib.ledger import claims
from treelib.ledger.protocol import rulebook
from treelib.papers.dyadic.text import section_6, theorems


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


def test_grids_said_to_be_drawn_are_drawn():
    """Typed grids called random; grids that were tried already."""
    drawn = section_6.random_k()
    assert drawn == section_6.random_k() != section_6.random_k(seed=1)
    assert len(set(drawn)) == len(drawn) == 25 and not set(drawn) & set(section_6.SMALL_K)
    assert {sum(k) for k in drawn} <= set(range(4, 10)) and min(map(min, drawn)) >= 1
    assert section_6.on_grids(lambda k: len(k) < 9)[1].failed == sum(len(k) == 9 for k in drawn)


def test_an_input_is_not_its_own_match():
    """X_3 comes from the printed pairs at k = (2, 1), so these say nothing; those at (3, 3) do."""
    found = {v.claim.id.removeprefix("dyadic.s6.example-"): v for v in section_6.judge_examples()}
    assert rulebook.rule_of(claims.find("dyadic.s6.example-k-2-1.endpoint-pairs"))[0] == "stated"
    assert len(found) == 3 and {v.verdict for v in found.values()} == {"match"}
    assert "our input" in found["k-3-3.endpoint-pairs"].reason
