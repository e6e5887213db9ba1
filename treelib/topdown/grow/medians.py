"""Absolute error: how far the targets of a node lie from their weighted median, while rows come and go.

Two pairs of Fenwick trees (P. M. Fenwick, Software: Practice and Experience 24, 1994) hold the weights and
the weighted targets of the left and of the right side, by the rank of the target. A row is moved, and the
median and the sum of distances from it are found, in as many steps as the number of distinct targets has
bits.

All of it lies in one array, in the place of the table of parts (`treelib.topdown.grow.one_tree.Rows`):
``[rank by row number | left weights | left sums | right weights | right sums | distinct targets]``, six parts
of one length.
"""

import numpy as np

from treelib.compiled.jit import kernel

N_PARTS, LEFT_SIDE, RIGHT_SIDE, VALUES = 6, 1, 3, 5


def median_room(target):
    """The array of the module's text for targets float64 (n_all,), with empty sides."""
    values, ranks = np.unique(target, return_inverse=True)
    size = max(len(target), len(values) + 1)
    room = np.zeros((N_PARTS, size))
    room[0, : len(target)] = ranks + 1
    room[VALUES] = values[-1]
    room[VALUES, 1 : len(values) + 1] = values
    return room.ravel()


def weighted_median(values, weight=None):
    """Median of float64 (n,); where the weights below and above are the same, the middle of two."""
    if weight is None:
        return float(np.median(values))
    order = np.argsort(values, kind="stable")
    values, below = values[order], np.cumsum(weight[order])
    half = below[-1] / 2
    at = min(int(np.searchsorted(below, half * (1 - 1e-12))), len(values) - 1)
    if abs(below[at] - half) <= 1e-12 * half and at + 1 < len(values):
        return float((values[at] + values[at + 1]) / 2)
    return float(values[at])


@kernel(inner=True)
def put(room, side, row, weight, target):
    """Add `weight` rows of the row's target to a side; a negative weight takes them off again."""
    size = len(room) // N_PARTS
    weights, sums, i = side * size, (side + 1) * size, np.int64(room[row])
    while i < size:
        room[weights + i] += weight
        room[sums + i] += weight * target
        i += i & -i


@kernel(inner=True)
def clear(room, side, row):
    """Zero all that `put` has touched for a row."""
    size = len(room) // N_PARTS
    weights, sums, i = side * size, (side + 1) * size, np.int64(room[row])
    while i < size:
        room[weights + i] = 0.0
        room[sums + i] = 0.0
        i += i & -i


@kernel(inner=True)
def spread(room, side, weight, total):
    """Weighted sum of the distances from the median of a side, of which `weight` and weighted `total` are
    known."""
    size = len(room) // N_PARTS
    weights, sums = side * size, (side + 1) * size
    at, below, sum_below, step = 0, 0.0, 0.0, 1
    while 2 * step < size:
        step *= 2
    while step > 0:
        i = at + step
        if i < size and below + room[weights + i] < 0.5 * weight:
            at = i
            below += room[weights + i]
            sum_below += room[sums + i]
        step //= 2
    median = room[VALUES * size + min(at + 1, size - 1)]
    return max(median * (2.0 * below - weight) + total - 2.0 * sum_below, 0.0)


@kernel(inner=True)
def node_spread(room, target, codes, begin, end, shift, weight):
    """Weighted sum of the distances of a node's targets from their median; 0 where there is no room for it.

    room : float64, of `median_room`, or None. target : float64 (n_all,), or None
    codes, begin, end, shift, weight : as in `treelib.topdown.grow.one_tree.count_targets`
    """
    if target is None:
        return 0.0
    if room is None:
        return 0.0
    w, whole, total = 1.0, 0.0, 0.0
    for i in range(begin, end):
        row = np.int64(codes[i]) >> shift
        if len(weight) > 0:
            w = weight[row]
        put(room, LEFT_SIDE, row, w, target[row])
        whole += w
        total += w * target[row]
    found = spread(room, LEFT_SIDE, whole, total)
    for i in range(begin, end):
        clear(room, LEFT_SIDE, np.int64(codes[i]) >> shift)
    return found
