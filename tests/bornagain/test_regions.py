"""Proofs that a region is homogeneous, and the certificate of faithfulness, against a list of all cells."""

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.bornagain import voting as naive
from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.proof import homogeneous
from treelib.bornagain.proof.certificate import certify, joint_levels
from treelib.bornagain.proof.homogeneous import RegionProver
from treelib.bornagain.proof.leaf_regions import count_needed_thresholds, leaf_regions
from treelib.bornagain.regions.levels import HOMOGENEOUS, VIOLATED, classes_at, sample_cells
from treelib.search.budget import Budget
from treelib.tree.stored import Tree

KINDS = st.sampled_from([("hard", False), ("hard", True), ("soft", False), ("soft", True)])
SEEDS = st.integers(0, 2**32 - 1)
PROGRAMS = ["milp"] if find_spec("highspy") else []


def make(seed, kind, **options):
    return naive.random_ensemble(seed, voting=kind[0], weighted=kind[1], **options)


@given(SEEDS, KINDS)
@settings(max_examples=60, deadline=None)
def test_classes_of_cells_are_those_of_points(seed, kind):
    """A walk over levels that goes another way than the trees on numbers."""
    ensemble = make(seed, kind)
    levels = thresholds(ensemble)
    prover = RegionProver(ensemble, "boxes")
    cells = naive.all_cells([0, 0, 0], prover.highest)
    expected = ensemble.predict(naive.points(cells, levels))
    assert np.array_equal(classes_at(prover.forest, cells.astype(np.int64)), expected)


@given(SEEDS, KINDS, st.integers(1, 14), st.sampled_from([40, 1000]))
@settings(max_examples=150, deadline=None)
def test_votes_of_a_sample_are_those_of_walks(seed, kind, n_trees, n_samples):
    """A leaf whose bit stays on a level beyond it, trees that do not fit into a word, or a tie of votes."""
    ensemble = make(seed, kind, n_trees=n_trees, n_cuts=6, depth=4)
    prover, rng = RegionProver(ensemble, "boxes"), np.random.default_rng(seed)
    p = len(prover.highest)
    cells, classes = np.zeros((p, n_samples + 1), dtype=np.int64).T, np.full(n_samples + 1, -1)
    low, high = np.sort(rng.integers(0, prover.highest + 1, (2, p)), axis=0)
    for a, b in ((low, high), (np.zeros_like(low), prover.highest)):
        seen, state = np.zeros(ensemble.n_classes, dtype=np.bool_), np.array([seed], dtype=np.uint64)
        n, _, n_seen = sample_cells(prover.forest, a, b, state, cells, classes, seen)
        expected = classes_at(prover.forest, np.ascontiguousarray(cells[:n]))
        assert np.array_equal(classes[:n], expected)
        assert np.array_equal(np.flatnonzero(seen), np.unique(expected)) and n_seen == seen.sum()


@given(st.sampled_from(["boxes", *PROGRAMS, "auto"]), SEEDS, KINDS)
@settings(max_examples=180, deadline=None)
def test_proof_of_a_region(proof, seed, kind):
    """A region declared homogeneous that is not, a false alarm, or a cell that does not violate."""
    ensemble = make(seed, kind)
    prover = RegionProver(ensemble, proof)
    rng = np.random.default_rng(seed)
    for _ in range(4):
        ends = np.sort(rng.integers(0, prover.highest + 1, size=(2, 3)), axis=0)
        low, high = ends.astype(np.int64)
        label = int(rng.integers(3))
        outcome, cell = prover.prove(low, high, label)
        expected = naive.is_homogeneous(ensemble, prover.levels, low, high, label)
        assert outcome == (HOMOGENEOUS if expected else VIOLATED)
        if outcome == VIOLATED:
            assert (low <= cell).all() and (cell <= high).all()
            assert ensemble.predict(naive.points([cell], prover.levels))[0] != label


@given(seed=SEEDS, kind=KINDS)
@settings(max_examples=20, deadline=None)
def test_highs_takes_over_where_boxes_take_long(seed, kind):
    """A hand-over that forgets the boxes still open, or takes an undecided program for a proof."""
    pytest.importorskip("highspy")
    ensemble = make(seed, kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(homogeneous, "_BOXES_BEFORE_MILP", 2)
        prover = RegionProver(ensemble, "auto")
        prover._step = 1
        low = np.zeros(3, dtype=np.int64)
        for label in range(3):
            outcome, _ = prover.prove(low, prover.highest, label)
            expected = naive.is_homogeneous(ensemble, prover.levels, low, prover.highest, label)
            assert outcome == (HOMOGENEOUS if expected else VIOLATED)


def test_a_region_of_ties_goes_to_the_smaller_class():
    """A bound that treats equal votes as a win of the larger class, or as no win of the smaller."""
    step = Tree.from_nested((0, 0.5, 0, 1), 1)
    for other, expected in ((Tree.from_nested(0, 1, n_classes=2), 0), (Tree.from_nested(1, 1), 1)):
        ensemble = Ensemble([step, other])
        for proof in ("boxes", "milp"):
            prover = RegionProver(ensemble, proof)
            low, high = np.zeros(1, dtype=np.int64), prover.highest
            outcome, _ = prover.prove(low, high, expected)
            assert (outcome == HOMOGENEOUS) == (expected == 0)


def test_large_weights_are_decided_exactly():
    """Votes of 2**61 handed to floating point: the sums here differ in the last unit only."""
    trees = [Tree.from_nested((0, 0.5, label, 1 - label), 1) for label in (1, 0, 0)]
    ensemble = Ensemble(trees, [0.3, 0.1, 0.2])
    expected = ensemble.predict([[0.0], [1.0]])
    for proof in ("boxes", "milp"):
        prover = RegionProver(ensemble, proof)
        for level in (0, 1):
            cell = np.array([level])
            for label in (0, 1):
                outcome, _ = prover.prove(cell, cell, label)
                assert (outcome == HOMOGENEOUS) == (expected[level] == label)


@given(st.sampled_from(["cells", "boxes", *PROGRAMS, "auto"]), SEEDS, KINDS)
@settings(max_examples=160, deadline=None)
def test_certificate_against_all_cells(method, seed, kind):
    """A certificate for a tree that differs somewhere, or a counterexample where nothing differs."""
    ensemble = make(seed, kind, n_trees=2 if kind[0] == "soft" else 3)
    tree = ensemble.trees[seed % 2].simplified()
    levels = joint_levels(tree, ensemble)
    certificate = certify(tree, ensemble, method=method)
    wrong = naive.disagreements(tree, ensemble, levels)
    assert certificate.faithful == (wrong == 0) == bool(certificate)
    if wrong:
        point = certificate.counterexample[None, :]
        assert tree.predict(point)[0] != ensemble.predict(point)[0]


@pytest.mark.parametrize("method", ["cells", "boxes", "milp"])
def test_a_single_wrong_leaf_is_found(method):
    """A proof that looks at some leaves only."""
    ensemble = Ensemble([Tree.from_nested((0, 0.5, (1, 2.5, 0, 1), (1, 1.5, 1, 0)), 2)])
    tree = ensemble.trees[0]
    assert certify(tree, ensemble, method=method)
    for leaf in np.flatnonzero(tree.is_leaf):
        label = tree.label.copy()
        label[leaf] = 1 - label[leaf]
        certificate = certify(tree.replace(label=label), ensemble, method=method)
        assert certificate.faithful is False
        assert tree.apply(certificate.counterexample[None, :])[0] == leaf


def test_thresholds_of_the_tree_need_not_be_those_of_the_ensemble():
    """A tree that splits between two thresholds of the ensemble, where both sides are equal."""
    ensemble = Ensemble([Tree.from_nested((0, 1.0, 0, (0, 3.0, 1, 0)), 1)])
    same = Tree.from_nested((0, 2.0, (0, 1.0, 0, 1), (0, 3.0, 1, 0)), 1)
    other = Tree.from_nested((0, 2.0, 0, (0, 3.0, 1, 0)), 1)
    for method in ("cells", "boxes", "milp"):
        assert certify(same, ensemble, method=method)
        point = certify(other, ensemble, method=method).counterexample
        assert 1.0 < point[0] <= 2.0


def test_certificate_says_whether_it_covers_missing_values():
    """Missing values sent left by a node of the forest and forgotten."""
    plain = Ensemble([Tree.from_nested((0, 0.5, 0, 1), 1)])
    sends_left = Ensemble([Tree.from_nested((0, 0.5, 0, 1, True), 1)])
    assert certify(plain.trees[0], plain).covers_missing
    assert not certify(plain.trees[0], sends_left).covers_missing


def test_a_limit_leaves_the_certificate_open():
    """A search that was stopped and calls itself proved."""
    ensemble = naive.random_ensemble(3)
    for method in ("cells", "boxes", "milp"):
        certificate = certify(ensemble.trees[0], ensemble, method=method, budget=Budget(cancel=lambda: True))
        assert certificate.faithful is None and not certificate


def test_certificate_refuses_what_it_cannot_compare():
    """A tree on other features, or a method that does not exist."""
    ensemble = naive.random_ensemble(0)
    with pytest.raises(ValueError, match="features"):
        certify(Tree.from_nested((4, 0.5, 0, 1), 5), ensemble)
    with pytest.raises(ValueError, match="method='sampling'"):
        certify(ensemble.trees[0], ensemble, method="sampling")


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_needed_thresholds_against_all_pairs_of_cells(seed):
    """A lower bound on the leaves that counts a threshold nobody needs."""
    ensemble = naive.random_ensemble(seed, n_trees=1, depth=4)
    tree = ensemble.trees[0]
    needed = naive.needed_thresholds(tree, thresholds(ensemble))
    assert count_needed_thresholds(tree) == len(needed)


def test_leaf_regions_hold_the_points_of_their_leaf():
    """A bound taken over from the wrong side of a split."""
    tree = naive.random_ensemble(11, n_trees=1, depth=4).trees[0]
    X = np.random.default_rng(0).uniform(-1, 4, (500, 3))
    low, high = leaf_regions(tree)
    leaves = np.flatnonzero(tree.is_leaf)
    inside = (low[None] < X[:, None]) & (X[:, None] <= high[None])
    assert np.array_equal(leaves[inside.all(axis=2).argmax(axis=1)], tree.apply(X))
    assert (inside.all(axis=2).sum(axis=1) == 1).all()
