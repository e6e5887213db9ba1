"""An ensemble on levels instead of thresholds, and the kernels that look at its regions.

A cell is the vector of its levels: level l of feature j means that l thresholds of that feature lie below
the cell, so a node that tests the i-th threshold sends it left iff l <= i. A region is a box of cells, given
by its lowest and its highest cell (Vidal, Pacheco and Schiffer 2020, Section 2). Nothing here visits all
cells of a region, so the number of features does not matter much.
"""

from typing import NamedTuple

import numpy as np

from treelib.bornagain.regions.leaf_bits import MOST_LEAVES, LeafBits, find_leaf_bits, vote_by_bits
from treelib.bornagain.softmax import softmax_class
from treelib.compiled.jit import kernel
from treelib.compiled.splitmix import next_random

HOMOGENEOUS, VIOLATED, UNDECIDED = 0, 1, 2

_HALF = np.uint64(32)
_FEW_CELLS = 32  # a region of fewer is not worth the words of `LeafBits`


class LevelForest(NamedTuple):
    """Trees one after the other, each in preorder: the left child of node i is node i + 1.

    `first` int64 (n_trees + 1,), root of each tree, then the number of nodes; `right` int64 (n_nodes,), right
    child; `feature` int64 (n_nodes,), -1 at leaves; `level` int64 (n_nodes,), a cell goes left iff its level
    is at most this; `votes` (n_nodes, n_classes), what a leaf adds, int64 for hard votes and float64 for soft
    ones; `divisor` float64 (1,), of the sums of soft votes (it can round two sums to one), or below 0 where
    the largest softmax of the sums wins.
    """

    first: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    level: np.ndarray
    votes: np.ndarray
    divisor: np.ndarray


def level_forest(ensemble, thresholds):
    """The `LevelForest` of an `Ensemble`.

    Parameters
    ----------
    ensemble : Ensemble
    thresholds : float64 arrays, one a feature: all that `treelib.bornagain.ensemble.cells.thresholds` gives,
        or more
    """
    nodes = ensemble.nodes
    feature = np.maximum(nodes.feature, -1)
    level = np.zeros(len(feature), dtype=np.int64)
    for j, some in enumerate(thresholds):
        here = feature == j
        level[here] = np.searchsorted(some, nodes.threshold[here] + 0.0)
    return LevelForest(
        first=np.append(nodes.root, len(feature)),
        right=nodes.right,
        feature=feature,
        level=level,
        votes=nodes.votes,
        divisor=np.array([ensemble.divisor]),
    )


@kernel(allocates=False)
def vote(forest, entry, cells, row, votes):
    """Class that the ensemble gives cell ``cells[row]``; of equal sums the smaller class.

    forest : LevelForest
    entry : int64 (n_trees,) or longer, node of each tree to begin at, of which the cell lies below
    cells : int64 (n, p)
    votes : (n_classes,) of the type of the forest's, overwritten with the sums in the order of the trees
    """
    n_classes = len(votes)
    for k in range(n_classes):
        votes[k] = 0
    for tree in range(len(forest.first) - 1):
        node = entry[tree]
        while forest.feature[node] >= 0:
            goes_left = cells[row, forest.feature[node]] <= forest.level[node]
            node = node + 1 if goes_left else forest.right[node]
        for k in range(n_classes):
            votes[k] += forest.votes[node, k]
    if forest.divisor[0] < 0.0:
        return softmax_class(votes)
    if forest.divisor[0] != 1.0:
        for k in range(n_classes):
            votes[k] = votes[k] / forest.divisor[0]
    best = 0
    for k in range(1, n_classes):
        if votes[k] > votes[best]:
            best = k
    return best


@kernel
def classes_at(forest, cells):
    """Class of every cell, int64 (n,), of int64 (n, p)."""
    votes = np.zeros_like(forest.votes[0])
    classes = np.empty(len(cells), dtype=np.int64)
    for row in range(len(cells)):
        classes[row] = vote(forest, forest.first, cells, row, votes)
    return classes


@kernel
def sample_cells(forest, low, high, state, cells, classes, seen):
    """Draw cells of a region uniformly, or take all of them where they are no more than the sample.

    Parameters
    ----------
    low, high : int64 (p,), lowest and highest cell of the region
    state : uint64 (1,), of the generator
    cells : int64 (n + 1, p), overwritten in the first rows; the last row stays free
    classes : int64 (n + 1,), overwritten with the class of each cell
    seen : bool (n_classes,), set where a class occurs

    Returns
    -------
    n_cells : int, number of rows filled
    is_whole : bool, the rows are all cells of the region
    n_seen : int, number of classes among them
    """
    n_samples = len(classes) - 1
    p = len(low)
    n_all = 1
    for j in range(p):
        n_all *= high[j] - low[j] + 1
        if n_all > n_samples:
            break
    is_whole = n_all <= n_samples
    n_cells = n_all if is_whole else n_samples
    for j in range(p):
        width = np.uint64(high[j] - low[j] + 1)
        if width == 1 or is_whole:
            for row in range(n_cells):
                cells[row, j] = low[j]
            continue
        for row in range(n_cells):
            # the upper half of 32 random bits times the width: a division takes five times as long
            cells[row, j] = low[j] + np.int64(((next_random(state) >> _HALF) * width) >> _HALF)
    if is_whole:
        for row in range(n_cells):
            rest = row
            for j in range(p):
                width = high[j] - low[j] + 1
                cells[row, j] = low[j] + rest % width
                rest //= width
    # the splits that the whole region passes on one side are passed once
    n_trees = len(forest.first) - 1
    entry = np.empty(n_trees, dtype=np.int64)
    for tree in range(n_trees):
        node = forest.first[tree]
        while forest.feature[node] >= 0:
            j, level = forest.feature[node], forest.level[node]
            if high[j] <= level:
                node += 1
            elif low[j] > level:
                node = forest.right[node]
            else:
                break
        entry[tree] = node
    start, n_words = np.zeros(p, dtype=np.int64), 0
    for j in range(p):
        start[j] = n_words
        n_words += high[j] - low[j] + 1 if high[j] > low[j] else 0
    levels, of_class = np.empty(n_words, dtype=np.uint64), np.empty(len(seen), dtype=np.uint64)
    bits = LeafBits(start, levels, of_class, np.empty((3, MOST_LEAVES), dtype=np.int64))
    by_bits = n_cells >= _FEW_CELLS and find_leaf_bits(forest, entry, low, high, bits)
    if by_bits:
        vote_by_bits(bits, low, high, cells, np.empty(n_cells, dtype=np.uint64), classes)
    votes = np.zeros_like(forest.votes[0])
    here = np.zeros(len(seen), dtype=np.bool_)
    n_seen = 0
    for row in range(n_cells):
        label = classes[row] if by_bits else vote(forest, entry, cells, row, votes)
        classes[row] = label
        seen[label] = True
        if not here[label]:
            here[label] = True
            n_seen += 1
    return n_cells, is_whole, n_seen


@kernel
def split_of_most_gain(low, high, state, cells, classes, n_cells, n_classes):
    """Split of a region with the largest information gain on a sample of its cells.

    Ties go to the first feature from a random start on, and to the lowest level, so that no feature is
    preferred for its place (as in the authors' program).

    Parameters
    ----------
    low, high : int64 (p,), of a region with at least two cells; both classes and cells differ in the sample
    cells, classes : int64 (n, p) and (n,), of which the first `n_cells` rows count

    Returns
    -------
    feature, level : int; cells up to `level` go left. (-1, -1) when no split parts the sample.
    """
    p = len(low)
    start = np.int64(next_random(state) % np.uint64(p))
    best, best_feature, best_level = np.inf, -1, -1
    all_counts = np.zeros(n_classes)
    for row in range(n_cells):
        all_counts[classes[row]] += 1.0
    left = np.zeros(n_classes)
    for step in range(p):
        j = (start + step) % p
        if low[j] == high[j]:
            continue
        counts = np.zeros((high[j] - low[j] + 1, n_classes))
        for row in range(n_cells):
            counts[cells[row, j] - low[j], classes[row]] += 1.0
        left[:] = 0.0
        for level in range(low[j], high[j]):
            n_left, n_right = 0.0, 0.0
            for k in range(n_classes):
                left[k] += counts[level - low[j], k]
                n_left += left[k]
                n_right += all_counts[k] - left[k]
            if n_left == 0.0 or n_right == 0.0:
                continue
            impurity = 0.0
            for k in range(n_classes):
                right = all_counts[k] - left[k]
                if left[k] > 0.0:
                    impurity -= left[k] * np.log2(left[k] / n_left)
                if right > 0.0:
                    impurity -= right * np.log2(right / n_right)
            if impurity < best:
                best, best_feature, best_level = impurity, j, level
    return best_feature, best_level


class BoxSearch(NamedTuple):
    """Stack of the boxes still to be looked at, and scratch space; see `search_boxes`.

    `low`, `high` int64 (capacity, p); `size` int64 (1,); `label` int64 (1,), class all cells should be of;
    `lead` (n_trees, n_classes), most that a leaf of the tree in the box adds to each class above what it adds
    to `label`; `score` float64 (p, most levels); `cell` int64 (1, p), violating cell;
    `votes` (n_classes,), of the type of the forest's, as `lead` is; `nodes` int64 (n_nodes + 1,), of a tree.
    """

    low: np.ndarray
    high: np.ndarray
    size: np.ndarray
    label: np.ndarray
    lead: np.ndarray
    score: np.ndarray
    cell: np.ndarray
    votes: np.ndarray
    nodes: np.ndarray


def box_search(forest, n_levels):
    """Empty `BoxSearch` for a forest with `n_levels` (int (p,)) thresholds of each feature."""
    p = len(n_levels)
    n_trees, n_classes = len(forest.first) - 1, forest.votes.shape[1]
    # every box on the stack is cut off by a threshold of its own
    capacity = int(np.sum(n_levels)) + 2
    return BoxSearch(
        low=np.zeros((capacity, p), dtype=np.int64),
        high=np.zeros((capacity, p), dtype=np.int64),
        size=np.zeros(1, dtype=np.int64),
        label=np.zeros(1, dtype=np.int64),
        lead=np.zeros((n_trees, n_classes), dtype=forest.votes.dtype),
        score=np.zeros((p, int(np.max(n_levels, initial=0)) + 1)),
        cell=np.zeros((1, p), dtype=np.int64),
        votes=np.zeros(n_classes, dtype=forest.votes.dtype),
        nodes=np.zeros(len(forest.feature) + 1, dtype=np.int64),
    )


def start_boxes(search, low, high, label):
    """Begin the search for a cell of the region (low, high) whose class is not `label`."""
    search.low[0], search.high[0] = low, high
    search.size[0], search.label[0] = 1, label


@kernel(allocates=False, inner=True)
def _reach(forest, search, at):
    """Fill `lead` for box `at`, and count in `score` which thresholds inside the box its trees ask for."""
    n_trees, n_classes = search.lead.shape
    label = search.label[0]
    for tree in range(n_trees):
        search.nodes[0] = forest.first[tree]
        size = 1
        is_first, is_top = True, True
        while size > 0:
            size -= 1
            node = search.nodes[size]
            j = forest.feature[node]
            if j < 0:
                for k in range(n_classes):
                    lead = forest.votes[node, k] - forest.votes[node, label]
                    if is_first or lead > search.lead[tree, k]:
                        search.lead[tree, k] = lead
                is_first = False
                continue
            level = forest.level[node]
            goes_left, goes_right = search.low[at, j] <= level, search.high[at, j] > level
            if goes_left and goes_right:
                # the first split met in a tree settles most; deeper ones may fall away with it
                search.score[j, level] += 2.0 if is_top else 1.0
                is_top = False
            if goes_right:
                search.nodes[size] = forest.right[node]
                size += 1
            if goes_left:
                search.nodes[size] = node + 1
                size += 1


@kernel(allocates=False, inner=True)
def _is_settled(search, tolerance):
    """Whether no cell of the box last reached can have another class than the one looked for.

    The votes of a rival minus those of the label are at most the sum over the trees of the largest difference
    that each tree alone can make. Equal votes go to the smaller class.
    """
    n_trees, n_classes = search.lead.shape
    label = search.label[0]
    for rival in range(n_classes):
        if rival == label:
            continue
        lead = search.lead[0, rival]
        for tree in range(1, n_trees):
            lead += search.lead[tree, rival]
        if lead > -tolerance if rival > label else lead >= -tolerance:
            return False
    return True


@kernel(allocates=False)
def search_boxes(forest, search, max_boxes, tolerance):
    """Prove that all cells of a region have one class, or find one that has another; go on from `search`.

    Branch and bound on boxes: a box is done when the bound of `_is_settled` says so; else one of its cells is
    looked at, and it is cut in two at the threshold that its trees ask for most. A box that no tree cuts is
    decided by its votes.

    Parameters
    ----------
    forest : LevelForest
    search : BoxSearch, begun by `start_boxes`
    max_boxes : int, boxes looked at in this call
    tolerance : of the type of the votes, 0 for whole numbers; closer sums are compared at single cells

    Returns
    -------
    outcome : HOMOGENEOUS, VIOLATED (the cell is ``search.cell[0]``) or UNDECIDED (call again)
    n_boxes : int, boxes looked at
    """
    p = search.low.shape[1]
    n_boxes = 0
    while search.size[0] > 0:
        if n_boxes == max_boxes:
            return UNDECIDED, n_boxes
        n_boxes += 1
        at = search.size[0] - 1
        for j in range(p):
            for level in range(search.low[at, j], search.high[at, j]):
                search.score[j, level] = 0.0
        _reach(forest, search, at)
        if _is_settled(search, tolerance):
            search.size[0] = at
            continue
        if vote(forest, forest.first, search.low, at, search.votes) != search.label[0]:
            for j in range(p):
                search.cell[0, j] = search.low[at, j]
            return VIOLATED, n_boxes
        best, feature, cut = 0.0, -1, 0
        for j in range(p):
            for level in range(search.low[at, j], search.high[at, j]):
                if search.score[j, level] > best:
                    best, feature, cut = search.score[j, level], j, level
        if feature < 0:  # no tree cuts the box: its lowest cell, just looked at, stands for all
            search.size[0] = at
            continue
        for j in range(p):
            search.low[at + 1, j] = search.low[at, j]
            search.high[at + 1, j] = search.high[at, j]
        search.high[at, feature] = cut
        search.low[at + 1, feature] = cut + 1
        search.size[0] = at + 2
    return HOMOGENEOUS, n_boxes
