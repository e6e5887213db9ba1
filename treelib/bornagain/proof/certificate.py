"""Certificates of faithfulness: proof over the whole feature space that a tree predicts as an ensemble.

Samples cannot show this. The thresholds of tree and ensemble cut the space into cells on which both are
constant, so there are finitely many points to compare. Where they are few, all of them are compared. Else
each leaf of the tree is a region that must be homogeneous for the ensemble, and this is proved region by
region without a list of cells (see `treelib.bornagain.proof.homogeneous`). Deciding it is NP-hard in general
(Vidal, Pacheco and Schiffer 2020, Theorem 1), so a limit can leave it open.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.ensemble.used_features import narrowed, narrowed_tree, used_features
from treelib.bornagain.proof.homogeneous import AUTO, PROOFS, UNDECIDED, VIOLATED, RegionProver
from treelib.bornagain.proof.leaf_regions import leaf_regions
from treelib.search.budget import Budget
from treelib.table.checks import check_choice

CELLS = "cells"
_BLOCK = 1 << 16  # cells compared between two looks at the clock,
_BLOCK_VOTES = 1 << 20  # and cells x trees: some 20 ms


@dataclass(frozen=True)
class Certificate:
    """What was proved about a tree and an ensemble; truthy iff the tree is faithful.

    Attributes
    ----------
    faithful : bool or None
        None if a limit was reached before the proof.
    method : {"cells", "boxes", "milp", "auto"}
        How it was proved; "auto" means boxes assisted by HiGHS.
    n_cells : int
        Number of cells into which the thresholds of both divide the feature space.
    n_leaves : int
        Number of leaves of the tree.
    n_checked : int
        Number of cells compared, or of leaves proved.
    counterexample : float64 (n_features,) or None
        A point where the two differ.
    covers_missing : bool
        Whether the proof covers missing values. It does if no node of either sends them left: they then take
        the same path as the largest numbers.
    n_boxes, n_programs : int
        Number of boxes examined and of integer programs solved.
    seconds : float

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.proof.certificate import certify
    >>> stump = Tree.from_nested((0, 2.0, 0, 1))
    >>> certificate = certify(stump, [stump])
    >>> certificate.faithful, certificate.method, certificate.n_cells
    (True, 'cells', 2)
    """

    faithful: bool | None
    method: str
    n_cells: int
    n_leaves: int
    n_checked: int
    counterexample: np.ndarray | None
    covers_missing: bool
    n_boxes: int
    n_programs: int
    seconds: float

    def __bool__(self):
        return self.faithful is True


def certify(tree, ensemble, *, method=AUTO, max_cells=1_000_000, budget=None):
    """Prove that a tree agrees with an ensemble at every point, or find a point where it does not.

    Parameters
    ----------
    tree : Tree
        A tree whose labels are class indices of the ensemble.
    ensemble : object
        Ensemble, or anything that `as_ensemble` accepts.
    method : {"auto", "cells", "boxes", "milp"}
        "cells" compares one point in every cell. "boxes" and "milp" prove each leaf; see `RegionProver`.
        "auto" compares cells if there are at most `max_cells`, and otherwise proves leaves.
    max_cells : int
        Maximum number of cells that "auto" compares.
    budget : Budget or None
        Limits of the search.

    Returns
    -------
    Certificate
        What was proved.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.proof.certificate import certify
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> bool(certify(Tree.from_nested((0, 2.0, 0, 1)), forest))
    True
    >>> certify(Tree.from_nested((0, 1.0, 0, 1)), forest).counterexample
    array([2.])
    """
    ensemble = as_ensemble(ensemble)
    if tree.n_features != ensemble.n_features or tree.is_regression:
        raise ValueError(f"{tree!r} is no classifier on the {ensemble.n_features} features of {ensemble!r}.")
    check_choice("method", method, (CELLS, *PROOFS))
    budget = budget or Budget()
    used = used_features(ensemble, tree)
    if len(used) < ensemble.n_features:
        found = certify(
            narrowed_tree(tree, used),
            narrowed(ensemble, used),
            method=method,
            max_cells=max_cells,
            budget=budget,
        )
        if found.counterexample is None:
            return found
        point = np.zeros(ensemble.n_features)
        point[used] = found.counterexample
        return replace(found, counterexample=point)
    levels = joint_levels(tree, ensemble)
    n_cells = math.prod(len(cuts) + 1 for cuts in levels)
    if method == CELLS or (method == AUTO and n_cells <= max_cells):
        method, prover = CELLS, None
        faithful, n_checked, point = _compare_cells(tree, ensemble, levels, n_cells, budget)
    else:
        prover = RegionProver(ensemble, method, levels)
        faithful, n_checked, point = _prove_leaves(tree, ensemble, prover, budget)
    return Certificate(
        faithful=faithful,
        method=method,
        n_cells=n_cells,
        n_leaves=tree.n_leaves,
        n_checked=n_checked,
        counterexample=point,
        covers_missing=not any(asks_for_missing(one) for one in (tree, *ensemble.trees)),
        n_boxes=prover.n_boxes if prover else 0,
        n_programs=prover.n_programs if prover else 0,
        seconds=budget.seconds,
    )


def joint_levels(tree, ensemble):
    """Thresholds of tree and ensemble together: tuple of ascending float64 arrays, one a feature."""
    inner = ~tree.is_leaf & (tree.threshold < np.inf)
    return tuple(
        np.union1d(cuts, tree.threshold[inner & (tree.feature == j)] + 0.0)
        for j, cuts in enumerate(thresholds(ensemble))
    )


def points_of(cells, levels):
    """A point of each cell: its upper end, or the next number above the last threshold; float64 (n, p)."""
    points = np.zeros((len(cells), len(levels)))
    for j, cuts in enumerate(levels):
        if len(cuts):
            points[:, j] = np.append(cuts, np.nextafter(cuts[-1], np.inf))[cells[:, j]]
    return points


def _compare_cells(tree, ensemble, levels, n_cells, budget):
    shape = [len(cuts) + 1 for cuts in levels]
    block = min(_BLOCK, max(_BLOCK_VOTES // ensemble.n_trees, 256))
    for start in range(0, n_cells, block):
        if budget.exceeded(start):
            return None, start, None
        numbers = np.arange(start, min(start + block, n_cells))
        points = points_of(np.stack(np.unravel_index(numbers, shape), axis=1), levels)
        differs = tree.predict(points) != ensemble.predict(points)
        if differs.any():
            first = int(differs.argmax())
            return False, start + first + 1, points[first]
    return True, n_cells, None


def _prove_leaves(tree, ensemble, prover, budget):
    low, high = leaf_regions(tree)
    bounds = list(enumerate(prover.levels))
    lowest = np.stack([np.searchsorted(cuts, low[:, j], side="right") for j, cuts in bounds], axis=1)
    highest = np.stack([np.searchsorted(cuts, high[:, j]) for j, cuts in bounds], axis=1)
    lowest, highest = lowest.astype(np.int64), highest.astype(np.int64)
    for leaf, label in enumerate(tree.label[tree.is_leaf].tolist()):
        if budget.exceeded(leaf):
            return None, leaf, None
        if (lowest[leaf] > highest[leaf]).any():  # no number reaches this leaf
            continue
        outcome, cell = prover.prove(lowest[leaf], highest[leaf], label, budget)
        if outcome == UNDECIDED:
            return None, leaf, None
        if outcome == VIOLATED:
            point = points_of(cell[None, :], prover.levels)
            if tree.predict(point)[0] == ensemble.predict(point)[0]:
                raise RuntimeError(f"The proof of leaf {leaf} failed at {point[0]}, where nothing is wrong.")
            return False, leaf + 1, point[0]
    return True, tree.n_leaves, None


def asks_for_missing(tree):
    inner = ~tree.is_leaf
    return bool(tree.missing_go_to_left.any() or np.isinf(tree.threshold[inner]).any())
