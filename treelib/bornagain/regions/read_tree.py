"""Kernels that read a tree off the finished values (Algorithm 4 of Vidal, Pacheco and Schiffer 2020)."""

from typing import NamedTuple

import numpy as np

from treelib.bornagain.regions.rows import DEPTH, LEAVES, LEAVES_DEPTH
from treelib.compiled.jit import kernel


class RegionTable(NamedTuple):
    """Values of all regions of a grid of cells.

    values : uint8, uint16 or uint32 (n_rows, width). row : int32 (n_boxes,), row of each outer box.
    n_values : int64 (p,), levels of each feature. is_lane : bool (p,), whether it is a lane feature.
    stride : int64 (p,), weight of the number of the feature's interval in its outer box or its lane.
    classes : uint8 (number of cells,). cell_stride : int64 (p,).
    """

    values: np.ndarray
    row: np.ndarray
    n_values: np.ndarray
    is_lane: np.ndarray
    stride: np.ndarray
    classes: np.ndarray
    cell_stride: np.ndarray


@kernel(inner=True)
def _interval(n, low, high):
    g = n - 1 - low
    return g * (g + 1) // 2 + high - low


@kernel(inner=True)
def _combine(left, right, objective, split_bits):
    if objective == DEPTH:
        return max(left, right) + 1
    if objective == LEAVES:
        return left + right + 1
    mask = (1 << split_bits) - 1
    if objective == LEAVES_DEPTH:
        splits = (left >> split_bits) + (right >> split_bits) + 1
        return (splits << split_bits) + max(left & mask, right & mask) + 1
    depth = max(left >> split_bits, right >> split_bits) + 1
    return (depth << split_bits) + (left & mask) + (right & mask) + 1


@kernel(allocates=False)
def region_value(table, low, high):
    """Value of the region from cell `low` to cell `high`, both int64 (p,)."""
    box, lane = 0, 0
    for j in range(len(low)):
        number = _interval(table.n_values[j], low[j], high[j]) * table.stride[j]
        if table.is_lane[j]:
            lane += number
        else:
            box += number
    return np.int64(table.values[table.row[box], lane])


@kernel(allocates=False)
def extract_tree(table, objective, split_bits, even, nodes, stack, a, b):
    """Nodes of a tree of least value of one region, in preorder.

    Among the splits of least value the first is taken, features ascending, then levels ascending. With
    `even`, the first of those whose other part is smallest: under the depth objective the larger part alone
    decides the value, and so the tree has fewer leaves.

    Parameters
    ----------
    table : RegionTable. even : bool
    objective, split_bits : as in `treelib.bornagain.regions.row_batches.solve_batches`
    nodes : int64 (4, room), is filled with the right child, -1 at leaves (the left child is the next node);
        the feature, -2 at leaves; the level, those up to this one go left; the class of the lowest cell
    stack : int64 (2 + sum of levels, 2 p + 1), scratch space
    a, b : int64 (p,), lowest and highest cell of the region; overwritten

    Returns
    -------
    int, number of nodes; 0 where `nodes` has too little room, -1 where the values are not sound
    """
    p = len(table.n_values)
    for j in range(p):
        stack[0, j], stack[0, p + j] = a[j], b[j]
    stack[0, 2 * p] = -1
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
        parent = stack[n_stack, 2 * p]
        if parent >= 0:
            nodes[0, parent] = node
        nodes[0, node], nodes[1, node], nodes[2, node], nodes[3, node] = -1, -2, 0, table.classes[cell]
        value = region_value(table, a, b)
        if value == 0:
            continue
        best_j, best_split, best_other = -1, -1, np.int64(-1)
        for j in range(p):
            bottom, top = a[j], b[j]
            for split in range(bottom, top):
                b[j] = split
                below = region_value(table, a, b)
                b[j], a[j] = top, split + 1
                above = region_value(table, a, b)
                a[j] = bottom
                if _combine(below, above, objective, split_bits) != value:
                    continue
                other = min(below, above)
                if best_j < 0 or (even and other < best_other):
                    best_j, best_split, best_other = j, split, other
            if best_j >= 0 and not even:
                break
        if best_j < 0:
            return -1
        nodes[1, node], nodes[2, node] = best_j, best_split
        # the right part is put below the left one, which is taken next
        for j in range(p):
            stack[n_stack, j] = stack[n_stack + 1, j] = a[j]
            stack[n_stack, p + j] = stack[n_stack + 1, p + j] = b[j]
        stack[n_stack, best_j] = best_split + 1
        stack[n_stack + 1, p + best_j] = best_split
        stack[n_stack, 2 * p], stack[n_stack + 1, 2 * p] = node, -1
        n_stack += 2
    return node + 1
