"""Kernels that compute the values of rows of regions; see `treelib.bornagain.regions.rows` for their order.

The value of a region is 0 where all its cells have one class, else the least combined value of its two parts
over all splits (equation 4 of Vidal, Pacheco and Schiffer 2020, and its Algorithms 2 and 3):

depth : 1 + max(left, right). leaves : 1 + left + right, the number of splits.
depth, then leaves : both in one number, ``depth * 2**split_bits + splits``, each combined as above.
leaves, then depth : likewise, ``splits * 2**split_bits + depth``.

`solve_rows` takes one row at a time, as the driver of the book's pages does. The package itself uses
`treelib.bornagain.regions.row_batches`; tests hold the two against each other.
"""

import numpy as np

from treelib.bornagain.regions.rows import DEPTH, LEAVES, LEAVES_DEPTH, box_tables
from treelib.compiled.jit import kernel

_SHORT = 12  # lanes; a piece of a row that is shorter is worked through lane by lane


@kernel
def lane_program(n_lane):
    """The splits of the lane features, as instructions for one row.

    Parameters
    ----------
    n_lane : int64 (m,), levels of the lane features

    Returns
    -------
    pieces : int64 (n, 4), columns left, right, target, length, to be executed in this order: combine `length`
        lanes from `left` on with those from `right` on into those from `target` on; where `length` is 0, work
        through the instructions `left` to `right` of `single` instead
    single : int32 (n, 3), columns left, right, target: the same for one lane each
    low, high : int32 (width,), cell of the lane features at the lower and the upper corner of each lane
    """
    m = len(n_lane)
    width, n_cells = 1, 1
    for n in n_lane:
        width *= n * (n + 1) // 2
        n_cells *= n
    n_pieces, n_single = 1, 0
    before, part = 1, width
    for n in n_lane:
        part //= n * (n + 1) // 2
        n_splits = before * (n * (n * n - 1) // 6)
        if part >= _SHORT:
            n_pieces += 2 * n_splits
        else:
            n_single += n_splits * part
        before *= n * (n + 1) // 2
    pieces = np.zeros((n_pieces, 4), dtype=np.int64)
    single = np.zeros((n_single, 3), dtype=np.int32)
    low = np.zeros(width, dtype=np.int32)
    high = np.zeros(width, dtype=np.int32)
    _, first_level, last_level, _, shorter, _, _ = box_tables(n_lane)
    at_piece, at_single, executed = 0, 0, 0
    for lane in range(width):
        rest, part, cell = lane, width, n_cells
        for j in range(m):
            n = n_lane[j]
            part //= n * (n + 1) // 2
            cell //= n
            number = rest // part
            rest %= part
            a, b = first_level[j, number], last_level[j, number]
            low[lane] += a * cell
            high[lane] += b * cell
            if rest > 0:
                continue  # not the first lane with this interval of feature j
            above = number
            for split in range(a, b):
                left = lane + (split - b) * part
                above = shorter[j, above]
                right = lane + (above - number) * part
                if part >= _SHORT:
                    if at_single > executed:
                        pieces[at_piece, 0], pieces[at_piece, 1] = executed, at_single
                        at_piece += 1
                        executed = at_single
                    pieces[at_piece, 0], pieces[at_piece, 1] = left, right
                    pieces[at_piece, 2], pieces[at_piece, 3] = lane, part
                    at_piece += 1
                else:
                    for i in range(part):
                        single[at_single, 0] = left + i
                        single[at_single, 1] = right + i
                        single[at_single, 2] = lane + i
                        at_single += 1
    if at_single > executed:
        pieces[at_piece, 0], pieces[at_piece, 1] = executed, at_single
        at_piece += 1
    return pieces[:at_piece].copy(), single, low, high


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
def _merge(out, left, right, objective, split_bits):
    """Least of `out` and the combined values of `left` and `right`, lane by lane."""
    kind = out.dtype.type
    if objective == DEPTH:
        for i in range(len(out)):
            out[i] = min(out[i], kind(max(left[i], right[i]) + 1))
    elif objective == LEAVES:
        for i in range(len(out)):
            out[i] = min(out[i], kind(left[i] + right[i] + 1))
    elif objective == LEAVES_DEPTH:
        mask = kind((1 << split_bits) - 1)
        leaves = kind(~mask)
        one = kind((1 << split_bits) + 1)
        for i in range(len(out)):
            x, y = left[i], right[i]
            out[i] = min(out[i], kind((x & leaves) + (y & leaves) + max(x & mask, y & mask) + one))
    else:
        mask = kind((1 << split_bits) - 1)
        depths = kind(~mask)
        one = kind((1 << split_bits) + 1)
        for i in range(len(out)):
            x, y = left[i], right[i]
            out[i] = min(out[i], kind((max(x, y) & depths) + (x & mask) + (y & mask) + one))


@kernel(inner=True)
def begin_row(out, left, right, low_class, high_class, objective, split_bits):
    """`out` from the first split alone: 0 where both parts are 0 and the corners have one class."""
    kind = out.dtype.type
    out[:] = kind(~kind(0))
    _merge(out, left, right, objective, split_bits)
    for i in range(len(out)):
        one_class = (left[i] | right[i]) == 0 and low_class[i] == high_class[i]
        out[i] = kind(0) if one_class else out[i]


@kernel(inner=True)
def _run_program(out, pieces, single, objective, split_bits):
    """Work the splits of the lane features into a row."""
    kind = out.dtype.type
    mask = (1 << split_bits) - 1
    for p in range(len(pieces)):
        start, stop, target, length = pieces[p, 0], pieces[p, 1], pieces[p, 2], pieces[p, 3]
        if length > 0:
            _merge(
                out[target : target + length],
                out[start : start + length],
                out[stop : stop + length],
                objective,
                split_bits,
            )
        elif objective == DEPTH:
            for i in range(start, stop):
                value = max(out[single[i, 0]], out[single[i, 1]]) + 1
                out[single[i, 2]] = min(out[single[i, 2]], kind(value))
        elif objective == LEAVES:
            for i in range(start, stop):
                value = np.int64(out[single[i, 0]]) + np.int64(out[single[i, 1]]) + 1
                out[single[i, 2]] = min(out[single[i, 2]], kind(value))
        elif objective == LEAVES_DEPTH:
            for i in range(start, stop):
                x, y = np.int64(out[single[i, 0]]), np.int64(out[single[i, 1]])
                value = ((x >> split_bits) + (y >> split_bits) + 1) << split_bits
                value += max(x & mask, y & mask) + 1
                out[single[i, 2]] = min(out[single[i, 2]], kind(value))
        else:
            for i in range(start, stop):
                x, y = np.int64(out[single[i, 0]]), np.int64(out[single[i, 1]])
                value = ((max(x, y) >> split_bits) + 1) << split_bits
                value += (x & mask) + (y & mask) + 1
                out[single[i, 2]] = min(out[single[i, 2]], kind(value))


@kernel(inner=True)
def mark_pure(out, pieces, single, low_class, high_class, low, high):
    """Row of a single outer cell: 0 at lanes of one class, the largest number elsewhere."""
    kind = out.dtype.type
    mixed = kind(~kind(0))
    for i in range(len(out)):
        out[i] = kind(0) if low[i] == high[i] else mixed
    for p in range(len(pieces)):
        start, stop, target, length = pieces[p, 0], pieces[p, 1], pieces[p, 2], pieces[p, 3]
        if length > 0:
            for i in range(length):
                t = target + i
                if (out[start + i] | out[stop + i]) == 0 and low_class[t] == high_class[t]:
                    out[t] = kind(0)
        else:
            for i in range(start, stop):
                t = single[i, 2]
                if (out[single[i, 0]] | out[single[i, 1]]) == 0 and low_class[t] == high_class[t]:
                    out[t] = kind(0)


@kernel(allocates=False)
def solve_rows(boxes, row, values, tables, corners, program, objective, split_bits):
    """Values of some rows, whose sub-boxes are finished or come earlier among them.

    Parameters
    ----------
    boxes : int64 (n,), outer boxes, canonical
    row : int32 (n_boxes,), row of each outer box, as filled by `find_canonical`
    values : uint16 or uint32 (n_rows, width)
    tables : BoxTables
    corners : two uint8 (n_outer_cells, width), of `corner_classes`: of the lower and of the upper corner
    program : as returned by `lane_program`
    objective : DEPTH, LEAVES, DEPTH_LEAVES or LEAVES_DEPTH. split_bits : int, see the module

    Returns
    -------
    largest, union : int, the largest of the values, and all of them joined by OR: whether numbers grew so
        large that sums may have overflowed
    """
    pieces, single, low_cell, high_cell = program
    k = len(tables.n_intervals)
    low, high, stride = tables.low, tables.high, tables.stride
    largest, union = np.int64(0), np.int64(0)
    for i in range(len(boxes)):
        box = boxes[i]
        out = values[row[box]]
        begun = False
        bottom, top = end_cells(box, tables)
        low_class, high_class = corners[0][bottom], corners[1][top]
        rest = box
        for j in range(k):
            step = stride[j + 1]
            number = rest // step
            rest -= number * step
            above = number
            for below in range(high[j, number] - low[j, number], 0, -1):
                # [a, b - below] and, one level shorter at each turn, [b - below + 1, b]
                above = tables.shorter[j, above]
                left = values[row[box - below * step]]
                right = values[row[box + (above - number) * step]]
                if begun:
                    _merge(out, left, right, objective, split_bits)
                else:
                    begin_row(out, left, right, low_class, high_class, objective, split_bits)
                    begun = True
        if not begun:
            mark_pure(out, pieces, single, low_class, high_class, low_cell, high_cell)
        _run_program(out, pieces, single, objective, split_bits)
        for lane in range(len(out)):
            largest = max(largest, np.int64(out[lane]))
            union |= np.int64(out[lane])
    return largest, union
