"""The heuristic of Section 4.5 taken at its word: a thousand random cells in every region, however small.

`treelib.bornagain.heuristic` looks at a region of no more cells than the sample as a whole. Here such a
region is sampled as any other, with replacement, since the text draws the same number of cells everywhere.
It is plain Python over the kernels of the other, slower, and made to tell the two readings apart.
"""

import numpy as np

from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.proof.homogeneous import BOXES, HOMOGENEOUS, RegionProver
from treelib.bornagain.regions.levels import sample_cells, split_of_most_gain, vote
from treelib.tree.stored import Tree


def heuristic_as_printed(ensemble, *, n_samples=1000, random_state=None):
    """Faithful tree by `n_samples` random cells in every region.

    Parameters
    ----------
    ensemble : Ensemble, or anything `as_ensemble` takes
    n_samples : int, cells drawn in each region, with replacement
    random_state : int or None

    Returns
    -------
    Tree
        Every leaf is proved homogeneous, by branch and bound on boxes.
    """
    ensemble = as_ensemble(ensemble)
    prover = RegionProver(ensemble, BOXES)
    rng = np.random.default_rng(random_state)
    p = len(prover.highest)
    state = np.array([rng.integers(2**62)], dtype=np.uint64)
    cells = np.zeros((p, n_samples + 1), dtype=np.int64).T
    classes = np.zeros(n_samples + 1, dtype=np.int64)
    seen = np.zeros(ensemble.n_classes, dtype=np.bool_)

    def grow(low, high):
        n_cells, is_whole, _ = sample_cells(prover.forest, low, high, state, cells, classes, seen)
        if is_whole:  # all cells of a small region: draw from them, with replacement
            rows = rng.integers(n_cells, size=n_samples)
            classes[:n_samples] = classes[rows]
        n_cells, label = n_samples, int(classes[0])
        if (classes[:n_samples] == label).all():
            outcome, cell = prover.prove(low, high, label)
            if outcome == HOMOGENEOUS:
                return label
            cells[n_samples] = cell
            votes = np.zeros_like(prover.forest.votes[0])
            classes[n_samples] = vote(prover.forest, prover.forest.first, cells, n_samples, votes)
            n_cells += 1
        if is_whole:  # only now, since a leaf needs no cells
            cells[:n_samples] = cells[rows]
        j, level = split_of_most_gain(low, high, state, cells, classes, n_cells, len(seen))
        left_high, right_low = high.copy(), low.copy()
        left_high[j], right_low[j] = level, level + 1
        return j, float(prover.levels[j][level]), grow(low, left_high), grow(right_low, high)

    nested = grow(np.zeros(p, dtype=np.int64), prover.highest)
    return Tree.from_nested(nested, ensemble.n_features, n_classes=ensemble.n_classes)
