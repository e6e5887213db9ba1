"""Kernels for the least number of splits of trees of bounded depth, one layer of values for each depth.

``f(R, 0)`` is 0 where all cells of region R have one class, else `NEVER`; ``f(R, k)`` is the least of
``f(R, k - 1)`` and ``1 + f(A, k - 1) + f(B, k - 1)`` over all splits of R into A and B. A layer needs only
the layer before it, so its rows can be computed in any order.
"""

import numpy as np

from treelib.bornagain.region_rows import LEAVES
from treelib.bornagain.region_tree import _interval
from treelib.bornagain.row_values import _merge
from treelib.jit import kernel

NEVER = 30_000  # twice this, and one, fit in uint16


@kernel(allocates=False)
def first_layer(values, out):
    """Layer 0 from the least numbers of splits without a limit; both uint16 (n_rows, width)."""
    for i in range(len(values)):
        given, row = values[i], out[i]
        for lane in range(len(row)):
            row[lane] = np.uint16(0) if given[lane] == 0 else np.uint16(NEVER)


@kernel(allocates=False)
def next_layer(boxes, row, before, out, tables, program):
    """Rows of a layer, `out`, from the layer `before`; parameters as in `row_values.solve_rows`."""
    pieces, single, _, _ = program
    for i in range(len(boxes)):
        box = boxes[i]
        given, found = before[row[box]], out[row[box]]
        for lane in range(len(found)):
            found[lane] = given[lane]
        rest = box
        for j in range(len(tables.n_intervals)):
            step = tables.stride[j + 1]
            number = rest // step
            rest -= number * step
            above = number
            for below in range(tables.high[j, number] - tables.low[j, number], 0, -1):
                above = tables.shorter[j, above]
                left, right = before[row[box - below * step]], before[row[box + (above - number) * step]]
                _merge(found, left, right, LEAVES, 0)
        for p in range(len(pieces)):
            start, stop, target, length = pieces[p, 0], pieces[p, 1], pieces[p, 2], pieces[p, 3]
            if length > 0:
                left, right = given[start : start + length], given[stop : stop + length]
                _merge(found[target : target + length], left, right, LEAVES, 0)
            else:
                for s in range(start, stop):
                    value = np.int64(given[single[s, 0]]) + np.int64(given[single[s, 1]]) + 1
                    found[single[s, 2]] = min(found[single[s, 2]], np.uint16(value))


@kernel(inner=True)
def _layer_value(layers, table, depth, low, high):
    box, lane = 0, 0
    for j in range(len(low)):
        number = _interval(table.n_values[j], low[j], high[j]) * table.stride[j]
        if table.is_lane[j]:
            lane += number
        else:
            box += number
    return np.int64(layers[depth, table.row[box], lane])


@kernel(allocates=False)
def extract_layered(layers, table, nodes, stack, a, b):
    """Nodes of a tree of least splits within the last layer's depth, in preorder.

    Parameters
    ----------
    layers : uint16 (depth + 1, n_rows, width). table : RegionTable, whose values are not looked at
    nodes : int64 (4, room), filled as by `region_tree.extract_tree`
    stack : int64 (2 + sum of levels, 2 p + 2), a, b : int64 (p,), scratch space

    Returns
    -------
    int, number of nodes; 0 where `nodes` has too little room, -1 where the values are not sound
    """
    p = len(table.n_values)
    for j in range(p):
        stack[0, j], stack[0, p + j] = 0, table.n_values[j] - 1
    stack[0, 2 * p], stack[0, 2 * p + 1] = -1, len(layers) - 1
    n_stack, node = 1, -1
    while n_stack > 0:
        n_stack -= 1
        node += 1
        if node == nodes.shape[1]:
            return 0
        cell = 0
        for j in range(p):
            a[j], b[j] = stack[n_stack, j], stack[n_stack, p + j]
            cell += a[j] * table.cell_stride[j]
        parent, depth = stack[n_stack, 2 * p], stack[n_stack, 2 * p + 1]
        if parent >= 0:
            nodes[0, parent] = node
        nodes[0, node], nodes[1, node], nodes[2, node], nodes[3, node] = -1, -2, 0, table.classes[cell]
        value = _layer_value(layers, table, depth, a, b)
        if value == 0:
            continue
        best_j, best_split = -1, -1
        for j in range(p):
            bottom, top = a[j], b[j]
            for split in range(bottom, top):
                b[j] = split
                below = _layer_value(layers, table, depth - 1, a, b)
                b[j], a[j] = top, split + 1
                above = _layer_value(layers, table, depth - 1, a, b)
                a[j] = bottom
                if below + above + 1 == value:
                    best_j, best_split = j, split
                    break
            if best_j >= 0:
                break
        if best_j < 0:
            return -1
        nodes[1, node], nodes[2, node] = best_j, best_split
        for j in range(p):
            stack[n_stack, j] = stack[n_stack + 1, j] = a[j]
            stack[n_stack, p + j] = stack[n_stack + 1, p + j] = b[j]
        stack[n_stack, best_j] = best_split + 1
        stack[n_stack + 1, p + best_j] = best_split
        stack[n_stack, 2 * p], stack[n_stack + 1, 2 * p] = node, -1
        stack[n_stack, 2 * p + 1] = stack[n_stack + 1, 2 * p + 1] = depth - 1
        n_stack += 2
    return node + 1
