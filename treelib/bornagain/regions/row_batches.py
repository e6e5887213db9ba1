"""Kernels that compute the values of rows of regions; see `treelib.bornagain.regions.rows` for their order.

The value of a region is 0 where all its cells have one class, else the least combined value of its two parts
over all splits (equation 4 of Vidal, Pacheco and Schiffer 2020, and its Algorithms 2 and 3):

depth : 1 + max(left, right). leaves : 1 + left + right, the number of splits.
depth, then leaves : both in one number, ``depth * 2**split_bits + splits``, each combined as above.
leaves, then depth : likewise, ``splits * 2**split_bits + depth``.

The splits of the outer features combine whole
rows. Those of the lane features combine single lanes of one row, which a processor does one by one; so up to
`BATCH` rows of boxes that do not need each other are laid side by side, lane by lane, and each split of lanes
is worked into all of them at once.

Under the paper's Algorithm 3 (`PRINTED`) splits are tried in order, features ascending and then levels, until
the largest value of a part seen so far is no less than the best combined value. For depth, and then leaves,
a part can have more splits than the whole needs, so this can stop before the least value is found. The order
is kept when all outer features come before all lane features.
"""

import math
from typing import NamedTuple

import numpy as np

from treelib.bornagain.regions.rows import DEPTH, LEAVES, LEAVES_DEPTH, box_tables
from treelib.compiled.jit import kernel

PRINTED = 4  # beside the objectives: depth, then leaves, as far as Algorithm 3 looks
BATCH = 32  # rows; 16-bit values of one lane then fill a cache line
_BLOCK = 64  # lanes turned at a time: their lines stay in the fastest cache


class Rows(NamedTuple):
    """Rows, where they are, and what is known of their lanes.

    values : uint8, uint16 or uint32 (n_rows, width). row : int32 (n_boxes,), row of each outer box, filled by
    `treelib.bornagain.regions.rows.find_canonical`.
    low_class, high_class : uint8 (n_outer_cells, width), of `corner_classes`: class of the lower and of the
    upper corner of each lane.
    """

    values: np.ndarray
    row: np.ndarray
    low_class: np.ndarray
    high_class: np.ndarray


class Lanes(NamedTuple):
    """The lanes of a row and how they are split, features ascending and then levels.

    splits : int32 (n, 2), left and right part, which are lanes before the one that is split
    first : int32 (width + 1,), where the splits of each lane begin
    low, high : int32 (width,), cell of the lane features at the lower and the upper corner of each lane
    """

    splits: np.ndarray
    first: np.ndarray
    low: np.ndarray
    high: np.ndarray


@kernel
def lane_splits(n_lane):
    """The fields of `Lanes` for lane features of these numbers of levels, int64 (m,)."""
    m = len(n_lane)
    n_intervals, low_level, high_level, _, shorter, stride, cell_stride = box_tables(n_lane)
    width = stride[0]
    first = np.zeros(width + 1, dtype=np.int32)
    low = np.zeros(width, dtype=np.int32)
    high = np.zeros(width, dtype=np.int32)
    for lane in range(width):
        first[lane + 1] = first[lane]
        for j in range(m):
            number = lane // stride[j + 1] % n_intervals[j]
            first[lane + 1] += high_level[j, number] - low_level[j, number]
            low[lane] += low_level[j, number] * cell_stride[j + 1]
            high[lane] += high_level[j, number] * cell_stride[j + 1]
    splits = np.zeros((first[width], 2), dtype=np.int32)
    found = 0
    for lane in range(width):
        for j in range(m):
            number = lane // stride[j + 1] % n_intervals[j]
            above = number
            for below in range(high_level[j, number] - low_level[j, number], 0, -1):
                above = shorter[j, above]
                splits[found, 0] = lane - below * stride[j + 1]
                splits[found, 1] = lane + (above - number) * stride[j + 1]
                found += 1
    return splits, first, low, high


def bytes_of_lanes(n_lane):
    """Bytes of `Lanes`, and of the tables that they are made from; n_lane : list of int."""
    intervals = [n * (n + 1) // 2 for n in n_lane]
    width = math.prod(intervals)
    n_splits = sum(width // size * (n * (n * n - 1) // 6) for n, size in zip(n_lane, intervals, strict=True))
    return 8 * n_splits + 12 * width + 32 * max(intervals, default=1) * len(n_lane) + 4


@kernel
def corner_classes(classes, lane_cell):
    """Class of the corner cell of each lane, for each cell of the outer features.

    Parameters
    ----------
    classes : uint8 (n_outer_cells, n_lane_cells). lane_cell : int32 (width,)

    Returns
    -------
    uint8 (n_outer_cells, width)
    """
    corners = np.empty((len(classes), len(lane_cell)), dtype=np.uint8)
    for cell in range(len(classes)):
        for lane in range(len(lane_cell)):
            corners[cell, lane] = classes[cell, lane_cell[lane]]
    return corners


@kernel(inner=True)
def end_cells(box, tables):
    """Numbers of the lowest and the highest cell of an outer box."""
    bottom, top, rest = 0, 0, box
    for j in range(len(tables.n_intervals)):
        number = rest // tables.stride[j + 1]
        rest -= number * tables.stride[j + 1]
        bottom += tables.low[j, number] * tables.cell_stride[j + 1]
        top += tables.high[j, number] * tables.cell_stride[j + 1]
    return bottom, top


@kernel(inner=True)
def _mark_pure(out, lanes, low_class, high_class):
    """Row of a single outer cell: 0 at lanes of one class, the largest number elsewhere."""
    kind = out.dtype.type
    for lane in range(len(out)):
        out[lane] = kind(0) if lanes.low[lane] == lanes.high[lane] else kind(~kind(0))
        for s in range(lanes.first[lane], lanes.first[lane + 1]):
            parts = out[lanes.splits[s, 0]] | out[lanes.splits[s, 1]]
            if parts == 0 and low_class[lane] == high_class[lane]:
                out[lane] = kind(0)


@kernel(inner=True)
def _depth_leaves(x, y, kind, bits):
    """Combined value for depth and then leaves; a sum of splits stops at the largest number that fits."""
    mask = kind(kind(kind(1) << bits) - kind(1))
    depth = kind(kind(max(x, y) & kind(~mask)) + kind(mask + kind(1)))
    return kind(depth + min(kind(kind(x & mask) + kind(y & mask) + kind(1)), mask))


@kernel(inner=True)
def _leaves_depth(x, y, kind, bits):
    """Combined value for leaves and then depth; a sum of splits stops at the largest number that fits."""
    mask = kind(kind(kind(1) << bits) - kind(1))
    splits = min(kind(kind(x >> bits) + kind(y >> bits) + kind(1)), kind(kind(~kind(0)) >> bits))
    return kind(kind(splits << bits) + kind(max(kind(x & mask), kind(y & mask)) + kind(1)))


@kernel(inner=True)
def _combine(out, left, right, objective, split_bits):
    """Least of `out` and the combined values of `left` and `right`, lane by lane."""
    kind = out.dtype.type
    one, bits = kind(1), kind(split_bits)
    if objective == DEPTH:
        for i in range(len(out)):
            out[i] = min(out[i], kind(max(left[i], right[i]) + one))
    elif objective == LEAVES:
        for i in range(len(out)):
            out[i] = min(out[i], kind(left[i] + right[i] + one))
    elif objective == LEAVES_DEPTH:
        for i in range(len(out)):
            out[i] = min(out[i], _leaves_depth(left[i], right[i], kind, bits))
    else:
        for i in range(len(out)):
            out[i] = min(out[i], _depth_leaves(left[i], right[i], kind, bits))


@kernel(inner=True)
def _follow(upper, lower, left, right, split_bits):
    """Work one split into lanes whose bounds `lower` and `upper` have not met."""
    kind = upper.dtype.type
    bits = kind(split_bits)
    for i in range(len(upper)):
        x, y = left[i], right[i]
        known, bound = upper[i], lower[i]
        upper[i] = min(known, _depth_leaves(x, y, kind, bits)) if bound < known else known
        lower[i] = max(bound, max(x, y))


@kernel(inner=True)
def _begin(out, lower, left, right, low_class, high_class, objective, split_bits):
    """`out` from the first split alone: 0 where both parts are 0 and the corners have one class."""
    kind = out.dtype.type
    out[:] = kind(~kind(0))
    _combine(out, left, right, objective, split_bits)
    for i in range(len(out)):
        one_class = (left[i] | right[i]) == 0 and low_class[i] == high_class[i]
        out[i] = kind(0) if one_class else out[i]
    if objective == PRINTED:
        for i in range(len(out)):
            lower[i] = max(left[i], right[i])


@kernel(inner=True)
def _outer_splits(box, rows, tables, lanes, lower, objective, split_bits):
    """Work the splits of the outer features into the row of a box."""
    values, row = rows.values, rows.row
    out = values[row[box]]
    bottom, top = end_cells(box, tables)
    low_class, high_class = rows.low_class[bottom], rows.high_class[top]
    begun, rest = False, box
    for j in range(len(tables.n_intervals)):
        step = tables.stride[j + 1]
        number = rest // step
        rest -= number * step
        above = number
        for below in range(tables.high[j, number] - tables.low[j, number], 0, -1):
            # [a, b - below] and, one level shorter at each turn, [b - below + 1, b]
            above = tables.shorter[j, above]
            left = values[row[box - below * step]]
            right = values[row[box + (above - number) * step]]
            if not begun:
                _begin(out, lower, left, right, low_class, high_class, objective, split_bits)
                begun = True
            elif objective == PRINTED:
                _follow(out, lower, left, right, split_bits)
            else:
                _combine(out, left, right, objective, split_bits)
    if not begun:
        _mark_pure(out, lanes, low_class, high_class)
        lower[:] = 0


@kernel(inner=True)
def _lane_splits(upper, lower, lanes, objective, split_bits):
    """Work the splits of the lane features into rows side by side, (width, BATCH) each.

    The loops are those of `_combine` and `_follow`, of a length known to the compiler: they take a third of
    the time, since each is a single instruction or two.
    """
    kind = upper.dtype.type
    one, bits = kind(1), kind(split_bits)
    for lane in range(len(upper)):
        for s in range(lanes.first[lane], lanes.first[lane + 1]):
            left, right = np.int64(lanes.splits[s, 0]), np.int64(lanes.splits[s, 1])
            if objective == PRINTED:
                for i in range(BATCH):
                    x, y = upper[left, i], upper[right, i]
                    known, bound = upper[lane, i], lower[lane, i]
                    upper[lane, i] = min(known, _depth_leaves(x, y, kind, bits)) if bound < known else known
                    lower[lane, i] = max(bound, max(x, y))
            elif objective == DEPTH:
                for i in range(BATCH):
                    value = kind(max(upper[left, i], upper[right, i]) + one)
                    upper[lane, i] = min(upper[lane, i], value)
            elif objective == LEAVES:
                for i in range(BATCH):
                    value = kind(upper[left, i] + upper[right, i] + one)
                    upper[lane, i] = min(upper[lane, i], value)
            elif objective == LEAVES_DEPTH:
                for i in range(BATCH):
                    value = _leaves_depth(upper[left, i], upper[right, i], kind, bits)
                    upper[lane, i] = min(upper[lane, i], value)
            else:
                for i in range(BATCH):
                    value = _depth_leaves(upper[left, i], upper[right, i], kind, bits)
                    upper[lane, i] = min(upper[lane, i], value)


@kernel(inner=True)
def _lay_in(side, out, at):
    for lane in range(len(out)):
        side[lane, at] = out[lane]


@kernel(inner=True)
def _lay_out(side, out, at):
    for lane in range(len(out)):
        out[lane] = side[lane, at]


@kernel(allocates=False)
def solve_batches(boxes, rows, tables, lanes, scratch, objective, split_bits):
    """Values of some rows, whose sub-boxes are finished or come earlier among them.

    Parameters
    ----------
    boxes : int64 (2, n), outer boxes, canonical; and for each a number that the boxes beside it share only
        where none of them needs another
    rows : Rows. tables : BoxTables. lanes : Lanes
    scratch : two arrays of the type of the values, (2, width, BATCH) and (BATCH, width)
    objective : DEPTH, LEAVES, DEPTH_LEAVES, LEAVES_DEPTH or PRINTED. split_bits : int, bits of the second of
        two joined numbers

    Returns
    -------
    largest, second : int, the largest of the values, and of the second of two joined numbers
    """
    turned, lower = scratch
    kind = rows.values.dtype.type
    mask = kind((1 << split_bits) - 1)
    n, width = boxes.shape[1], rows.values.shape[1]
    largest, second = kind(0), kind(0)
    stop = 0
    while stop < n:
        start = stop
        while stop < n and stop < start + BATCH and boxes[1, stop] == boxes[1, start]:
            _outer_splits(boxes[0, stop], rows, tables, lanes, lower[stop - start], objective, split_bits)
            stop += 1
        for block in range(0, width, _BLOCK):
            end = min(block + _BLOCK, width)
            for i in range(start, stop):
                out = rows.values[rows.row[boxes[0, i]]]
                _lay_in(turned[0, block:end], out[block:end], i - start)
                if objective == PRINTED:
                    _lay_in(turned[1, block:end], lower[i - start, block:end], i - start)
        _lane_splits(turned[0], turned[1], lanes, objective, split_bits)
        for block in range(0, width, _BLOCK):
            end = min(block + _BLOCK, width)
            for i in range(start, stop):
                out = rows.values[rows.row[boxes[0, i]]]
                _lay_out(turned[0, block:end], out[block:end], i - start)
        for i in range(start, stop):
            out = rows.values[rows.row[boxes[0, i]]]
            for lane in range(width):
                largest = max(largest, out[lane])
                second = max(second, kind(out[lane] & mask))
    return np.int64(largest), np.int64(second)
