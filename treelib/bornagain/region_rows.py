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

import numpy as np

from treelib.jit import kernel

DEPTH, LEAVES, DEPTH_LEAVES = 0, 1, 2


@kernel
def interval_ends(n):
    """First and last level of each interval of `n` levels, in the order of their numbers; int64 arrays."""
    low = np.empty(n * (n + 1) // 2, dtype=np.int64)
    high = np.empty(n * (n + 1) // 2, dtype=np.int64)
    i = 0
    for a in range(n - 1, -1, -1):
        for b in range(a, n):
            low[i] = a
            high[i] = b
            i += 1
    return low, high


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


@kernel
def find_canonical(borders, n_outer, matters, row, start, stop, n_rows):
    """Number the canonical outer boxes from `start` to `stop`, and point all others to theirs.

    Whether the lowest hyperplane of feature j matters in a box is known from the two halves of the box along
    any other feature, and likewise for the highest one: two bits a feature, and four look-ups a box.

    Parameters
    ----------
    borders : as returned by `cell_borders`
    n_outer : int64 (k,), levels of the outer features, k <= 31
    matters : uint64 (n_boxes,), the two bits of each feature in each box; 1 where the feature has one level.
        Filled from `start` to `stop`; what is before must be filled already.
    row : int32 (n_boxes,), number of the row of each box; filled likewise
    n_rows : int, rows numbered before

    Returns
    -------
    int, number of rows
    """
    k = len(n_outer)
    most = 1
    for j in range(k):
        most = max(most, n_outer[j] * (n_outer[j] + 1) // 2)
    low = np.zeros((k, most), dtype=np.int64)
    high = np.zeros((k, most), dtype=np.int64)
    to_last = np.zeros((k, most), dtype=np.int64)  # from [a, b] to [b, b], in boxes
    to_shorter = np.zeros((k, most), dtype=np.int64)  # from [a, b] to [a + 1, b]
    n_intervals = np.zeros(k, dtype=np.int64)
    stride = np.ones(k + 1, dtype=np.int64)
    cell_stride = np.ones(k + 1, dtype=np.int64)
    number = np.zeros(k, dtype=np.int64)
    everything = np.uint64(0)
    for j in range(k - 1, -1, -1):
        n = n_outer[j]
        n_intervals[j] = n * (n + 1) // 2
        stride[j] = stride[j + 1] * n_intervals[j]
        cell_stride[j] = cell_stride[j + 1] * n
        number[j] = start // stride[j + 1] % n_intervals[j]
        everything |= np.uint64(3) << np.uint64(2 * j)
        ends = interval_ends(n)
        for i in range(n_intervals[j]):
            a, b = ends[0][i], ends[1][i]
            low[j, i], high[j, i] = a, b
            g = n - 1 - b
            to_last[j, i] = (g * (g + 1) // 2 - i) * stride[j + 1]
            g = n - 2 - a
            to_shorter[j, i] = (g * (g + 1) // 2 + b - a - 1 - i) * stride[j + 1]
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
            bits = matters[box - stride[first + 1]] | matters[box + to_last[first, number[first]]]
            other = matters[box - stride[second + 1]] | matters[box + to_last[second, number[second]]]
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
                row[box] = row[box + to_shorter[j, number[j]]]
        j = k - 1
        while j >= 0:
            number[j] += 1
            if number[j] < n_intervals[j]:
                break
            number[j] = 0
            j -= 1
    return n_rows


@kernel
def list_canonical(row, n_outer, n_rows):
    """The canonical outer boxes, ascending, and the number of splits that would reduce each to one cell.

    Returns
    -------
    boxes : int64 (n_rows,)
    rank : int64 (n_rows,), sum over the features of the length of the interval - 1; a part of a box has a
        smaller rank, so that boxes of one rank do not need each other
    """
    k = len(n_outer)
    boxes = np.empty(n_rows, dtype=np.int64)
    rank = np.zeros(n_rows, dtype=np.int64)
    found = 0
    for box in range(len(row)):
        if found < n_rows and row[box] == found:
            boxes[found] = box
            rest = box
            for j in range(k - 1, -1, -1):
                n = n_outer[j]
                size = n * (n + 1) // 2
                number = rest % size
                rest //= size
                g = 0
                while (g + 1) * (g + 2) // 2 <= number:
                    g += 1
                rank[found] += number - g * (g + 1) // 2
            found += 1
    return boxes, rank


@kernel
def pairwise_size(classes, n_values):
    """How well each feature would serve as the only outer one.

    With feature f held to an interval, hyperplanes of other features stop mattering. What is counted is the
    number of regions that remain when each interval of f keeps its own hyperplanes.

    Parameters
    ----------
    classes : uint8 (number of cells,)
    n_values : int64 (p,)

    Returns
    -------
    float64 (p,), remaining fraction of all regions
    """
    p = len(n_values)
    stride = np.ones(p + 1, dtype=np.int64)
    first = np.zeros(p + 1, dtype=np.int64)
    most = 1
    for j in range(p):
        first[j + 1] = first[j] + n_values[j] - 1
        most = max(most, n_values[j])
    for j in range(p - 1, -1, -1):
        stride[j] = stride[j + 1] * n_values[j]
    matters = np.zeros((p, most, first[p]), dtype=np.bool_)  # with feature f at level z: hyperplane h
    z = np.zeros(p, dtype=np.int64)
    for cell in range(len(classes)):
        for j in range(p):
            if z[j] + 1 < n_values[j] and classes[cell] != classes[cell + stride[j + 1]]:
                for f in range(p):
                    matters[f, z[f], first[j] + z[j]] = True
        j = p - 1
        while j >= 0:
            z[j] += 1
            if z[j] < n_values[j]:
                break
            z[j] = 0
            j -= 1
    fraction = np.zeros(p)
    union = np.zeros(first[p], dtype=np.bool_)
    for f in range(p):
        for a in range(n_values[f]):
            union[:] = False
            for b in range(a, n_values[f]):
                part = 1.0
                for j in range(p):
                    kept = 1
                    for h in range(first[j], first[j + 1]):
                        union[h] |= matters[f, b, h]
                        kept += union[h]
                    n = n_values[j]
                    if j != f:
                        part *= kept * (kept + 1) / (n * (n + 1))
                fraction[f] += part / (n_values[f] * (n_values[f] + 1) / 2)
    return fraction
