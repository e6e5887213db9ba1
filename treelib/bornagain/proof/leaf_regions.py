"""Leaves of a tree as regions of the feature space, and which of its thresholds every equal tree needs."""

import numpy as np

from treelib.search.budget import Budget

_MOST_PAIRS = 20_000_000  # of leaves compared, about a second
_BYTES_TO_MAKE = 32  # of each node and feature, for the regions of all leaves
_CELLS_AT_ONCE = 2**19  # of leaves and features that are compared in a few milliseconds


def count_needed_thresholds(tree, budget=None):
    """Thresholds of a tree across which two neighbouring points have different labels; int.

    Every tree of the same function tests them all, so it has at least one leaf more. What is counted is a
    lower bound of them where leaves are very many (pairs of leaves are compared up to a limit), and where
    the time of `budget` is over; 0 where it has no time or room for the regions of the leaves.
    """
    budget = budget or Budget()
    if not has_room(tree, budget):
        return 0
    low, high = leaf_regions(tree)
    label = tree.label[tree.is_leaf]
    has_points = (low < high).all(axis=1)
    low, high, label = low[has_points], high[has_points], label[has_points]
    pairs, n_needed = 0, 0
    inner = ~tree.is_leaf
    for j, cut in sorted(set(zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True))):
        below, above = np.flatnonzero(high[:, j] == cut), np.flatnonzero(low[:, j] == cut)
        for leaf, part in _pairs(below, above, tree.n_features):
            pairs += len(part)
            if pairs > _MOST_PAIRS or budget.time_left <= 0:
                return n_needed
            meets = (low[part] < high[leaf]) & (low[leaf] < high[part])
            meets[:, j] = True  # they touch there
            if (meets.all(axis=1) & (label[part] != label[leaf])).any():
                n_needed += 1
                break
    return n_needed


def has_room(tree, budget):
    """Whether a budget has time and room for the regions of the leaves of a tree."""
    return not budget.exceeded(n_bytes=_BYTES_TO_MAKE * tree.n_nodes * tree.n_features)


def _pairs(below, above, n_features):
    """Each leaf of `below` with all of `above`, so many at a time as are soon compared."""
    step = max(1, _CELLS_AT_ONCE // n_features)
    for leaf in below:
        for start in range(0, len(above), step):
            yield leaf, above[start : start + step]


def leaf_regions(tree):
    """Region of each leaf: low and high, float64 (n_leaves, n_features), in the order of the leaves.

    A leaf holds the points with ``low < x <= high``; unbounded sides are infinite.
    """
    low = np.full((tree.n_nodes, tree.n_features), -np.inf)
    high = np.full((tree.n_nodes, tree.n_features), np.inf)
    level = np.zeros(1, dtype=np.intp)
    while len(level := level[~tree.is_leaf[level]]):  # the inner nodes of one depth
        left, right, j = tree.children_left[level], tree.children_right[level], tree.feature[level]
        low[left] = low[right] = low[level]
        high[left] = high[right] = high[level]
        high[left, j] = np.minimum(high[level, j], tree.threshold[level])
        low[right, j] = np.maximum(low[level, j], tree.threshold[level])
        level = np.concatenate([left, right])
    return low[tree.is_leaf], high[tree.is_leaf]
