"""Kernels for rows of regions under the paper's Algorithm 3, whose bound may come too early.

For depth, and then leaves, the paper tries splits in order (features ascending, then levels) until the
largest value of a part seen so far is no less than the best combined value. A part can have more splits than
the whole needs, so this can stop before the least value is found. `treelib.bornagain.regions.row_values`
looks at all splits and so does not depend on their order; the printed counts do.

The order is kept when all outer features come before all lane features: the splits of the outer features are
worked in first, and in the program of a row the features of each lane come in order.
"""

import numpy as np

from treelib.bornagain.regions.row_values import begin_row, end_cells, mark_pure
from treelib.bornagain.regions.rows import DEPTH_LEAVES
from treelib.compiled.jit import kernel


@kernel(inner=True)
def _follow(upper, lower, left, right, split_bits):
    """Work one split into lanes whose bounds `lower` and `upper` have not met."""
    kind = upper.dtype.type
    mask = kind((1 << split_bits) - 1)
    depths = kind(~mask)
    one = kind((1 << split_bits) + 1)
    for i in range(len(upper)):
        x, y = left[i], right[i]
        larger = max(x, y)
        value = kind((larger & depths) + (x & mask) + (y & mask) + one)
        open_ = lower[i] < upper[i]
        upper[i] = value if open_ and value < upper[i] else upper[i]
        lower[i] = larger if open_ and larger > lower[i] else lower[i]


@kernel(allocates=False)
def solve_rows_in_order(boxes, row, values, tables, corners, program, lower, split_bits):
    """Values of some rows, in the paper's order; lanes must be the last features.

    Parameters and returned values are those of `treelib.bornagain.regions.row_values.solve_rows`; `lower` is
    scratch space, (width,) and of the type of `values`.
    """
    pieces, single, low_cell, high_cell = program
    k = len(tables.n_intervals)
    low, high, stride = tables.low, tables.high, tables.stride
    largest, union = np.int64(0), np.int64(0)
    for i in range(len(boxes)):
        box = boxes[i]
        out = values[row[box]]
        bottom, top = end_cells(box, tables)
        low_class, high_class = corners[0][bottom], corners[1][top]
        begun, rest = False, box
        for j in range(k):
            step = stride[j + 1]
            number = rest // step
            rest -= number * step
            above = number
            for below in range(high[j, number] - low[j, number], 0, -1):
                above = tables.shorter[j, above]
                left = values[row[box - below * step]]
                right = values[row[box + (above - number) * step]]
                if begun:
                    _follow(out, lower, left, right, split_bits)
                else:
                    begin_row(out, left, right, low_class, high_class, DEPTH_LEAVES, split_bits)
                    for lane in range(len(out)):
                        lower[lane] = max(left[lane], right[lane])
                    begun = True
        if not begun:
            mark_pure(out, pieces, single, low_class, high_class, low_cell, high_cell)
            lower[:] = 0
        for p in range(len(pieces)):
            start, stop, target, length = pieces[p, 0], pieces[p, 1], pieces[p, 2], pieces[p, 3]
            if length > 0:
                _follow(
                    out[target : target + length],
                    lower[target : target + length],
                    out[start : start + length],
                    out[stop : stop + length],
                    split_bits,
                )
            else:
                for s in range(start, stop):
                    t = single[s, 2]
                    _follow(
                        out[t : t + 1],
                        lower[t : t + 1],
                        out[single[s, 0] : single[s, 0] + 1],
                        out[single[s, 1] : single[s, 1] + 1],
                        split_bits,
                    )
        for lane in range(len(out)):
            largest = max(largest, np.int64(out[lane]))
            union |= np.int64(out[lane])
    return largest, union
