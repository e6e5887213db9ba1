"""Kernels of the exact search: rows of regions, each computed once, from its sub-regions up.

A region is one interval of levels for each feature. The intervals of a feature with s levels are numbered by
lower end descending, then upper end ascending, so that sub-intervals come first: ``[a, b]`` has the number
``g (g + 1) / 2 + b - a`` with ``g = s - 1 - a``. Features are of two kinds:

*outer* features. The intervals of all of them, as one mixed-radix number whose last digit runs fastest, are
    an outer box.
*lane* features. The numbers of their intervals, mixed-radix as well, are the lanes of a row. A row holds the
    values of all regions of one outer box, side by side, so that a split of an outer feature combines two
    finished rows element by element: that is what a processor does fastest.

A level of an outer box can be cut off when the hyperplane next to it matters nowhere in the box: its regions
then have the values of the smaller box. Boxes with nothing to cut off are *canonical*; only they have rows.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel

DEPTH, LEAVES, DEPTH_LEAVES, LEAVES_DEPTH = 0, 1, 2, 3


class BoxTables(NamedTuple):
    """Numbers of intervals and boxes of the outer features; row j of a table is for feature j.

    n_intervals : int64 (k,). low, high : int32 (k, most), first and last level of each interval ``[a, b]``.
    last, shorter : int32 (k, most), the numbers of ``[b, b]`` and of ``[a + 1, b]``.
    stride : int64 (k + 1,), weight of the interval's number in that of the box: of feature j entry j + 1, so
        that entry 0 is the number of boxes. cell_stride : int64 (k + 1,), the same for cells.
    """

    n_intervals: np.ndarray
    low: np.ndarray
    high: np.ndarray
    last: np.ndarray
    shorter: np.ndarray
    stride: np.ndarray
    cell_stride: np.ndarray


@kernel
def box_tables(n_outer):
    """The fields of `BoxTables` for outer features of these numbers of levels, int64 (k,)."""
    k = len(n_outer)
    most = 1
    for n in n_outer:
        most = max(most, n * (n + 1) // 2)
    n_intervals = np.zeros(k, dtype=np.int64)
    low = np.empty((k, most), dtype=np.int32)
    high = np.empty((k, most), dtype=np.int32)
    last = np.empty((k, most), dtype=np.int32)
    shorter = np.empty((k, most), dtype=np.int32)
    stride = np.ones(k + 1, dtype=np.int64)
    cell_stride = np.ones(k + 1, dtype=np.int64)
    for j in range(k - 1, -1, -1):
        n = n_outer[j]
        n_intervals[j] = n * (n + 1) // 2
        stride[j] = stride[j + 1] * n_intervals[j]
        cell_stride[j] = cell_stride[j + 1] * n
        i = 0
        for a in range(n - 1, -1, -1):
            for b in range(a, n):
                low[j, i], high[j, i] = a, b
                last[j, i] = (n - 1 - b) * (n - b) // 2
                shorter[j, i] = (n - 2 - a) * (n - 1 - a) // 2 + b - a - 1
                i += 1
    return n_intervals, low, high, last, shorter, stride, cell_stride


@kernel
def cell_borders(classes, n_outer, stride):
    """Where the class changes between a cell of the outer features and the next one.

    Parameters
    ----------
    classes : uint8 (n_outer_cells, n_lane_cells)
    n_outer : int64 (k,), levels of the outer features. stride : int64 (k,), of their cells.

    Returns
    -------
    bool (n_outer_cells, k), entry (c, j): some lane has another class in the next cell along feature j
    """
    n_cells, width = classes.shape
    k = len(n_outer)
    borders = np.zeros((n_cells, k), dtype=np.bool_)
    for cell in range(n_cells):
        here = classes[cell]
        for j in range(k):
            if (cell // stride[j]) % n_outer[j] + 1 < n_outer[j]:
                there = classes[cell + stride[j]]
                differs = 0
                for i in range(width):
                    differs |= here[i] ^ there[i]
                borders[cell, j] = differs != 0
    return borders


@kernel(allocates=False)
def find_canonical(borders, tables, number, matters, row, start, stop, n_rows):
    """Number the canonical outer boxes from `start` to `stop`, and point all others to theirs.

    Whether the lowest hyperplane of feature j matters in a box is known from the two halves of the box along
    any other feature, and likewise for the highest one: two bits a feature, and four look-ups a box.

    Parameters
    ----------
    borders : as returned by `cell_borders`
    tables : BoxTables of at most 31 outer features. number : int64 (k,), scratch space
    matters : uint16 (of at most 8 features) or uint64 (n_boxes,), the two bits of each feature in each box; 1
        where the feature has one level. Filled from `start` to `stop`; what is before must be filled already.
    row : int32 (n_boxes,), number of the row of each box; filled likewise
    n_rows : int, rows numbered before

    Returns
    -------
    int, number of rows
    """
    k = len(tables.n_intervals)
    low, high, stride, cell_stride = tables.low, tables.high, tables.stride, tables.cell_stride
    everything = np.uint64(0)
    for j in range(k):
        number[j] = start // stride[j + 1] % tables.n_intervals[j]
        everything |= np.uint64(3) << np.uint64(2 * j)
    for box in range(start, stop):
        first, second = -1, -1
        for j in range(k - 1, -1, -1):
            if high[j, number[j]] > low[j, number[j]]:
                if first < 0:
                    first = j
                else:
                    second = j
                    break
        bits = everything
        if second >= 0:
            own = np.uint64(3) << np.uint64(2 * first)
            # the halves [a, b - 1] and [b, b] along two features
            last = tables.last[first, number[first]] - number[first]
            bits = matters[box - stride[first + 1]] | matters[box + last * stride[first + 1]]
            last = tables.last[second, number[second]] - number[second]
            other = matters[box - stride[second + 1]] | matters[box + last * stride[second + 1]]
            bits = (bits & ~own) | (other & own)
        elif first >= 0:
            cell = 0
            for j in range(k):
                cell += low[j, number[j]] * cell_stride[j + 1]
            length = high[first, number[first]] - low[first, number[first]]
            if not borders[cell, first]:
                bits &= ~(np.uint64(1) << np.uint64(2 * first))
            if not borders[cell + (length - 1) * cell_stride[first + 1], first]:
                bits &= ~(np.uint64(2) << np.uint64(2 * first))
        matters[box] = bits
        if bits == everything:
            row[box] = n_rows
            n_rows += 1
        else:
            j = 0
            while (bits >> np.uint64(2 * j)) & np.uint64(3) == np.uint64(3):
                j += 1
            if (bits >> np.uint64(2 * j)) & np.uint64(1):
                row[box] = row[box - stride[j + 1]]
            else:
                n_shorter = number[j] - tables.shorter[j, number[j]]
                row[box] = row[box - n_shorter * stride[j + 1]]
        j = k - 1
        while j >= 0:
            number[j] += 1
            if number[j] < tables.n_intervals[j]:
                break
            number[j] = 0
            j -= 1
    return n_rows


@kernel(allocates=False)
def list_canonical(row, tables, boxes, rank, start, stop, found):
    """The canonical outer boxes from `start` to `stop`, ascending, and how large they are.

    Parameters
    ----------
    row : as filled by `find_canonical`. tables : BoxTables
    boxes : int64 (n_rows,), is filled
    rank : int16 (n_rows,), is filled with the sum over the features of the length of the interval - 1: a part
        of a box has a smaller rank, so that boxes of one rank do not need each other
    found : int, boxes listed before

    Returns
    -------
    int, boxes listed
    """
    for box in range(start, stop):
        if found < len(boxes) and row[box] == found:
            boxes[found] = box
            rank[found] = 0
            rest = box
            for j in range(len(tables.n_intervals)):
                number = rest // tables.stride[j + 1]
                rest -= number * tables.stride[j + 1]
                rank[found] += tables.high[j, number] - tables.low[j, number]
            found += 1
    return found


@kernel
def mark_pairs(classes, n_values, matters, start, stop):
    """Which hyperplanes separate two cells of different class where one other feature is held to a level.

    Parameters
    ----------
    classes : uint8 (number of cells,), of which those from `start` to `stop` are looked at
    n_values : int64 (p,)
    matters : bool (p, most levels, hyperplanes of all features), is marked: with feature f at level z,
        hyperplane h
    """
    p = len(n_values)
    stride = np.ones(p, dtype=np.int64)
    first = np.zeros(p, dtype=np.int64)
    z = np.zeros(p, dtype=np.int64)
    for j in range(1, p):
        first[j] = first[j - 1] + n_values[j - 1] - 1
    rest = start
    for j in range(p - 1, -1, -1):
        if j < p - 1:
            stride[j] = stride[j + 1] * n_values[j + 1]
        z[j] = rest % n_values[j]
        rest //= n_values[j]
    for cell in range(start, stop):
        for j in range(p):
            if z[j] + 1 < n_values[j] and classes[cell] != classes[cell + stride[j]]:
                for f in range(p):
                    matters[f, z[f], first[j] + z[j]] = True
        j = p - 1
        while j >= 0:
            z[j] += 1
            if z[j] < n_values[j]:
                break
            z[j] = 0
            j -= 1


@kernel
def add_pairwise(matters, n_values, f, start, stop, following, fraction):
    """Add to ``fraction[f]`` of `pairwise_size` the intervals that begin at levels from `start` to `stop`.

    Parameters
    ----------
    matters : as filled by `mark_pairs`. n_values : int64 (p,). f : int, feature
    following : int64 (hyperplanes of all features,), the level of f from `start` on at which each hyperplane
        matters next, or one before it; 0 at the first call for f. Is moved on.
    fraction : float64 (p,)
    """
    p, n = len(n_values), n_values[f]
    new = np.zeros((n, p), dtype=np.int64)  # hyperplanes of each feature that matter first at each level
    kept = np.empty(p, dtype=np.int64)
    for a in range(start, stop):
        new[a:] = 0
        h = 0
        for j in range(p):
            for _ in range(n_values[j] - 1):
                if j != f:
                    while following[h] < n and (following[h] < a or not matters[f, following[h], h]):
                        following[h] += 1
                    if following[h] < n:
                        new[following[h], j] += 1
                h += 1
        kept[:] = 1
        for b in range(a, n):
            part = 1.0
            for j in range(p):
                kept[j] += new[b, j]
                if j != f:
                    part *= kept[j] * (kept[j] + 1) / (n_values[j] * (n_values[j] + 1))
            fraction[f] += part / (n * (n + 1) / 2)


@kernel
def pairwise_size(matters, n_values):
    """How well each feature would serve as the only outer one.

    With feature f held to an interval, hyperplanes of other features stop mattering. What is counted is the
    number of regions that remain when each interval of f keeps its own hyperplanes.

    Parameters
    ----------
    matters : as filled by `mark_pairs`. n_values : int64 (p,)

    Returns
    -------
    float64 (p,), remaining fraction of all regions
    """
    p = len(n_values)
    fraction = np.zeros(p)
    for f in range(p):
        following = np.zeros(matters.shape[2], dtype=np.int64)
        add_pairwise(matters, n_values, f, 0, n_values[f], following, fraction)
    return fraction
