"""Kernels that read a tree off the finished values (Algorithm 4 of Vidal, Pacheco and Schiffer 2020)."""

from typing import NamedTuple

import numpy as np

from treelib.bornagain.region_rows import DEPTH, LEAVES
from treelib.jit import kernel


class RegionTable(NamedTuple):
    """Values of all regions of a grid of cells.

    values : uint16 or uint32 (n_rows, width). row : int32 (n_boxes,), row of each outer box.
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
    depth = max(left >> split_bits, right >> split_bits) + 1
    return (depth << split_bits) + (left & mask) + (right & mask) + 1


@kernel
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


@kernel
def extract_tree(table, objective, split_bits, even):
    """Nodes of a tree of least value, in preorder.

    Among the splits of least value the first is taken, features ascending, then levels ascending. With
    `even`, the first of those whose other part is smallest: under the depth objective the larger part alone
    decides the value, and so the tree has fewer leaves.

    Returns
    -------
    int64 (4, n_nodes) : right child, -1 at leaves (the left child is the next node); feature, -2 at leaves;
        level, those up to this one go left; class of the lowest cell of the node's region
    """
    p = len(table.n_values)
    nodes = np.empty((4, 64), dtype=np.int64)
    room = 2
    for n in table.n_values:
        room += n
    low = np.zeros((room, p), dtype=np.int64)
    high = np.zeros((room, p), dtype=np.int64)
    parent = np.full(room, -1, dtype=np.int64)
    high[0] = table.n_values - 1
    n_stack, n_nodes = 1, 0
    a, b = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.int64)
    while n_stack > 0:
        n_stack -= 1
        a[:] = low[n_stack]
        b[:] = high[n_stack]
        if n_nodes == nodes.shape[1]:
            larger = np.empty((4, 2 * n_nodes), dtype=np.int64)
            larger[:, :n_nodes] = nodes
            nodes = larger
        node = n_nodes
        n_nodes += 1
        if parent[n_stack] >= 0:
            nodes[0, parent[n_stack]] = node
        cell = 0
        for j in range(p):
            cell += a[j] * table.cell_stride[j]
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
        if best_j < 0:  # impossible while values are sound; a leaf would be a wrong tree
            return nodes[:, :0].copy()
        nodes[1, node], nodes[2, node] = best_j, best_split
        # the right part is put below the left one, which is popped next
        low[n_stack] = a
        low[n_stack, best_j] = best_split + 1
        high[n_stack] = b
        parent[n_stack] = node
        low[n_stack + 1] = a
        high[n_stack + 1] = b
        high[n_stack + 1, best_j] = best_split
        parent[n_stack + 1] = -1
        n_stack += 2
    return nodes[:, :n_nodes].copy()
