"""What the paper's theorems say, tried: statements that hold, and counterexamples that stand."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from treelib.papers.tsallis import section_4
from treelib.papers.tsallis.text import section_3_1, section_3_4, theorems
from treelib.topdown.criteria import resolve


def test_proposition_3_2_holds_where_it_is_claimed():
    """A criterion that is not concave, symmetric or 0 at the vertices inside the claimed region."""
    found = section_3_1.proposition_3_2(n_pairs=100)
    assert found["checked"] > 10_000 and found["failures"] == []


def test_excess_over_concavity_is_a_second_difference():
    """A sign of the second derivative that is wrong: compared with the criterion itself."""
    alpha, beta, n_classes = 0.5, 8, 10
    assert section_3_1.concavity_excess(alpha, beta, n_classes) > 0
    assert not section_3_1.concave_below(8, 2)[1].any() and section_3_1.concave_below(8, 10)[1].any()
    g = resolve("tsallis", alpha=alpha, beta=beta).impurity
    p = np.linspace(0.01, 0.99, 99)
    line = np.column_stack([p, *[(1 - p) / 9] * 9])
    assert (np.diff(g(line), 2) > 0).any()
    mild = resolve("tsallis", alpha=0.9, beta=2).impurity
    assert (np.diff(mild(line), 2) <= 1e-12).all()


def test_gamma_is_not_concave_beyond_one_over_classes_less_one():
    """The counterexample of the errata, and the border that it suggests."""
    middle, mean = section_3_1.gamma_counterexample()
    assert middle < mean
    assert section_3_1.gamma_concavity(3, [0.2, 0.5, 0.6]).tolist() == [True, True, False]
    assert section_3_1.gamma_concavity(2, [1.0]).all()


def test_printed_tweedie_deviance_is_a_misprint():
    """The corrected form must be that of the criterion that the learner uses."""
    y = np.array([0.0, 1.0, 2.0, 5.0])
    assert section_3_4.tweedie_forms(0.0)["printed"] == pytest.approx(section_3_4.tweedie_forms(0.0)["mse"])
    close = section_3_4.tweedie_forms(1 - 1e-6, y)
    assert close["corrected"] == pytest.approx(2 * close["hpd"], rel=1e-4)
    assert abs(close["printed"]) > 1e5
    assert section_3_4.tweedie_terms() < 1e-9


def test_roots_keep_to_the_rule_of_signs():
    """Lemma A.2, and that it is attained."""
    assert theorems.exponential_roots() == {
        "cases": 500,
        "above_lemma": 0,
        "above_signs": 0,
        "attained": True,
    }
    assert theorems.small_sums() == {"cases": 800, "above_lemma": 0, "above_signs": 0}


def test_sums_that_are_zero_everywhere_refute_the_lemma_as_it_is_printed():
    """A lemma that is tried with a premise it does not print, and passes."""
    held = {text.partition(",")[0]: holds for text, holds, _ in theorems.zero_sums()}
    assert len(held) == 81
    assert not held["1 e^(2x) + -1 e^(2x)"] and not held["0 e^(0x) + 0 e^(1x)"]
    assert held["1 e^(0x) + -1 e^(1x)"] and held["1 e^(2x) + 1 e^(2x)"] and held["0 e^(0x) + 1 e^(0x)"]


def test_behaviours_stay_below_their_bounds():
    """Pieces of gamma, of the power, of a forest and of first trees."""
    X, y = load_wine(return_X_y=True)
    gamma = theorems.behaviours(*load_breast_cancer(return_X_y=True), "gamma", 4)
    assert 1 < gamma["pieces"] < 10 ** gamma["log10_bound"]
    forest = theorems.forest_behaviours(X, y, 3)
    assert forest["forest"] - 1 == sum(n - 1 for n in forest["trees"])
    first = theorems.initial_trees(6)
    assert first["trees"] <= first["bound"] and first["curves"] >= 5


def test_initial_trees_of_two_numbers_are_known():
    """With t = 3: nothing split, the root split, the root and its left child."""
    assert {theorems.initial_trees(3, seed)["trees"] for seed in range(5)} == {3}


def test_pruning_counts():
    """Theorem 4.1 with t leaves is attained, Theorem 4.2 with one curve for each split fails."""
    for n_leaves in (2, 5, 9):
        chain = section_4.chain_with_a_piece_for_every_leaf(n_leaves)
        assert chain == {"pieces": n_leaves, "leaves": n_leaves, "splits": n_leaves - 1}
    several = section_4.more_curves_than_nodes()
    assert several["curves"] > several["leaves"]
    wine = section_4.complexity_pieces(*load_wine(return_X_y=True))
    assert 1 < wine["pieces"] <= wine["leaves"]


@pytest.mark.parametrize("dimension", [1, 2])
def test_theorem_8_1_fails_with_its_constant(dimension):
    """The counterexample, by listing all sets."""
    found = theorems.union_counterexample(dimension)
    assert found["dimensions"] == [dimension, dimension]
    assert found["union"] == found["corrected"] == 2 * dimension + 1 > found["printed"]


def test_prunings_are_nested_in_small_trees():
    """An enumeration that leaves trees out, or a path whose prunings are not nested."""
    trees = list(section_4.small_trees(most=3, leaves=((1, 0), (0, 1))))
    assert len(trees) == 2 + 4 + 2 * 8  # shapes of 1, 2 and 3 leaves times the counts of their leaves
    assert all(section_4.nested_pieces(tree)[2] for tree in trees)
    assert {tree.n_leaves for tree in section_4.random_trees(20)} <= set(range(20, 61))


def test_t_is_open_for_pieces_as_for_curves():
    """One question, “the size of the unpruned tree”, answered in one way here and in another there."""
    grown = [(4, 4, True), (3, 2, True)]  # leaves, pieces, nested
    trials, is_open, numbers = section_4.at_most_t_pieces((grown, "trees", "given"))
    assert {reading: one.failed for reading, [one] in trials.items()} == {
        "leaves": 0, "splits": 1, "all nodes": 0,
    }  # fmt: skip
    assert is_open and numbers["failing"] == "splits"
    assert not section_4.at_most_t_pieces(([(3, 2, True)], "trees", "given"))[1]  # holds for all
    assert not section_4.at_most_t_pieces(([(3, 2, False)], "trees", "given"))[1]  # fails for all
    said = {v.claim.id: v.verdict for v in section_4.judge_pruning_theory() if "theorem-4-" in v.claim.id}
    assert said["tsallis.s4.theorem-4-1.pieces"] == said["tsallis.s4.theorem-4-2.curves"] == "untestable"


def test_degree_of_the_pessimistic_test_is_that_of_its_terms():
    """Differences that see another degree than c1^2 c2 has."""
    assert {section_4.degree_of_pessimistic_test(seed) for seed in range(3)} == {3}


def test_curves_that_cross_twice_would_be_seen():
    """A count of crossings that is one whatever the curves are."""
    assert theorems.most_crossings((0.5, 0), (0.2, 3)) in (0, 1)
    assert theorems.most_crossings((0.6, 1), (0.2, 4)) == 1
    assert theorems.most_crossings((0.2, 2), (0.6, 2)) == 0


def test_stirling_numbers_are_known():
    """A recursion that counts other partitions."""
    assert [theorems.stirling(4, k) for k in (1, 2, 3, 4)] == [1, 7, 6, 1]


def test_shares_are_all_distributions():
    """Distributions left out of what is called exhaustive."""
    shares = section_3_1.shares_of(3, 4)
    assert len(shares) == 15 and np.allclose(shares.sum(axis=1), 1)
    assert all(holds for _, holds, _ in section_3_1.standard_members(shares))
    wrong = [holds for _, holds, _ in section_3_1.concave_between(section_3_1.shares_of(10, 2), (0.5,), (2,))]
    assert wrong == [True]


def test_numbers_by_place_give_a_curve_each():
    """An order of asking that is not followed: by place no number is asked at two depths."""
    for t in (4, 6):
        assert theorems.initial_trees(t, 1, theorems.PLACES)["curves"] <= t - 1
    assert theorems.initial_trees(8, 1, theorems.DEPTH)["curves"] > 7


def test_terms_of_a_power_are_listed():
    """(x + y)^2 has three terms, and a sum of two itself two."""
    assert theorems.distinct_terms(2, 2) == 3 and theorems.distinct_terms(1, 2) == 2


def test_constant_that_turns_the_order_is_seen():
    """A split that C changes, called a tie."""
    X, y = load_wine(return_X_y=True)
    assert section_3_1.keeps_the_split(X, y, 2.0, 1, 7.0) == "same"
    assert section_3_1.keeps_the_split(X, y, 2.0, 1, -1.0) == "other"
