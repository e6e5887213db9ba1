"""Kernel that grows a faithful tree from the top, region by region (Section 4.5 of Vidal et al. 2020)."""

from typing import NamedTuple

import numpy as np

from treelib.bornagain.regions.levels import (
    HOMOGENEOUS,
    UNDECIDED,
    sample_cells,
    search_boxes,
    split_of_most_gain,
    vote,
)
from treelib.compiled.jit import kernel

DONE, MORE, NO_ROOM, UNPROVED = 0, 1, 2, 3
N_OPEN, N_NODES, N_CELLS, N_PROOFS, N_BOXES, N_FOUND = range(6)


class Growth(NamedTuple):
    """A tree that is not finished, the regions that are open, and scratch space.

    low, high : int64 (depth, p), lowest and highest cell of the open regions, the leftmost last
    parent : int64 (depth,), node whose right child the region is, or -1
    nodes : int64 (4, room), in preorder: right child, -1 at leaves; feature, -2 at leaves; level, those up to
        this one go left; class
    cells, classes : int64 (n_samples + 1, p) and (n_samples + 1,), sample of the region last looked at
    seen : bool (n_classes,), classes that occur. state : uint64 (1,), of the random numbers
    counts : int64 (6,), numbers of open regions, of nodes, of cells in the sample, of proofs, of boxes looked
        at by them, and of proofs that found what the sample had missed
    """

    low: np.ndarray
    high: np.ndarray
    parent: np.ndarray
    nodes: np.ndarray
    cells: np.ndarray
    classes: np.ndarray
    seen: np.ndarray
    state: np.ndarray
    counts: np.ndarray


def start_growth(n_levels, n_classes, n_samples, seed):
    """`Growth` whose one open region is the whole space.

    Parameters
    ----------
    n_levels : int64 (p,), number of thresholds of each feature. seed : uint64
    """
    p = len(n_levels)
    depth = int(np.sum(n_levels)) + 2  # every open region is cut off by a threshold of its own
    growth = Growth(
        low=np.zeros((depth, p), dtype=np.int64),
        high=np.zeros((depth, p), dtype=np.int64),
        parent=np.full(depth, -1, dtype=np.int64),
        nodes=np.empty((4, 1024), dtype=np.int64),
        cells=np.zeros((p, n_samples + 1), dtype=np.int64).T,  # features are gone through one by one
        classes=np.zeros(n_samples + 1, dtype=np.int64),
        seen=np.zeros(n_classes, dtype=np.bool_),
        state=np.array([seed], dtype=np.uint64),
        counts=np.array([1, 0, 0, 0, 0, 0], dtype=np.int64),
    )
    growth.high[0] = n_levels
    return growth


@kernel
def grow(forest, growth, search, tolerance, max_steps, max_boxes, outcome):
    """Make open regions leaves, or split them, the leftmost first.

    Parameters
    ----------
    forest : LevelForest. growth : Growth. search : BoxSearch, scratch space of the proofs
    tolerance : as in `search_boxes`
    max_steps : int, regions looked at. max_boxes : int, boxes looked at for one proof
    outcome : UNDECIDED; or, after UNPROVED was returned, what another proof found of the region: HOMOGENEOUS,
        or VIOLATED with the violating cell in ``search.cell[0]``

    Returns
    -------
    DONE, MORE, NO_ROOM (more nodes are needed), or UNPROVED: all samples of the leftmost region agree, but
    `max_boxes` were too few for the proof, which has begun in `search`
    """
    counts, nodes = growth.counts, growth.nodes
    p = growth.low.shape[1]
    votes = np.zeros_like(forest.votes[0])
    for _ in range(max_steps):
        if counts[N_OPEN] == 0:
            return DONE
        if counts[N_NODES] == nodes.shape[1]:
            return NO_ROOM
        at = counts[N_OPEN] - 1
        low, high = growth.low[at], growth.high[at]
        is_mixed = False
        if outcome == UNDECIDED:
            n_cells, is_whole, n_seen = sample_cells(
                forest, low, high, growth.state, growth.cells, growth.classes, growth.seen
            )
            counts[N_CELLS] = n_cells
            is_mixed = n_seen > 1
            if not is_mixed and is_whole:
                outcome = HOMOGENEOUS
            elif not is_mixed:
                counts[N_PROOFS] += 1
                search.size[0], search.label[0] = 1, growth.classes[0]
                for j in range(p):
                    search.low[0, j], search.high[0, j] = low[j], high[j]
                outcome, n_boxes = search_boxes(forest, search, max_boxes, tolerance)
                counts[N_BOXES] += n_boxes
                if outcome == UNDECIDED:
                    return UNPROVED
        node = counts[N_NODES]
        if growth.parent[at] >= 0:
            nodes[0, growth.parent[at]] = node
        nodes[0, node], nodes[1, node], nodes[2, node], nodes[3, node] = -1, -2, 0, growth.classes[0]
        counts[N_NODES] += 1
        if outcome == HOMOGENEOUS:
            outcome = UNDECIDED
            counts[N_OPEN] -= 1
            continue
        n_cells = counts[N_CELLS]
        if not is_mixed:  # the violating cell joins the sample
            for j in range(p):
                growth.cells[n_cells, j] = search.cell[0, j]
            label = vote(forest, forest.first, search.cell, 0, votes)
            growth.classes[n_cells] = label
            growth.seen[label] = True
            counts[N_FOUND] += 1
            n_cells += 1
        outcome = UNDECIDED
        feature, level = split_of_most_gain(
            low, high, growth.state, growth.cells, growth.classes, n_cells, len(growth.seen)
        )
        nodes[1, node], nodes[2, node] = feature, level
        # the right part is put below the left one, which is taken next
        for j in range(p):
            growth.low[at + 1, j], growth.high[at + 1, j] = low[j], high[j]
        low[feature] = level + 1
        growth.high[at + 1, feature] = level
        growth.parent[at], growth.parent[at + 1] = node, -1
        counts[N_OPEN] += 1
    return DONE if counts[N_OPEN] == 0 else MORE
