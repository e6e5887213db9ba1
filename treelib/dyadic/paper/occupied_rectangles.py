"""Kernel that counts the rectangles that hold a row, over all level vectors of the grid.

Level vectors are walked as the leaves of a tree that fixes one coordinate after the other, so each is made
from a coarser one by one more halving. A row alone in its rectangle stays alone in all finer ones: it is
counted for them at once and left out.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel


class Partition(NamedTuple):
    """Rows that share their rectangle with others, in one line for each number of coordinates fixed before.

    rows, groups : int32 (d, n), rows, and the rectangle each lies in, numbered from 0.
    counts : int64 (d, 3), rows, rectangles, and halvings of the coordinate.
    finer : int64 (d + 1,), level vectors of the coordinates from this one on: the product of their k_i + 1.
    halves : int32 (2 n,), sizes : int32 (n,), work space.
    """

    rows: np.ndarray
    groups: np.ndarray
    counts: np.ndarray
    finer: np.ndarray
    halves: np.ndarray
    sizes: np.ndarray


@kernel(inner=True, inline=True)
def _halve(column, bit, partition, line):
    """Part all rectangles of a line at a bit of the codes, leave out rows then alone; returns how many."""
    rows, groups = partition.rows[line], partition.groups[line]
    halves, sizes = partition.halves, partition.sizes
    n, n_groups = partition.counts[line, 0], 0
    halves[: 2 * partition.counts[line, 1]] = -1
    for at in range(n):
        half = 2 * np.int64(groups[at]) + ((column[rows[at]] >> bit) & 1)
        group = np.int64(halves[half])
        if group < 0:
            group = n_groups
            halves[half], sizes[group] = group, 0
            n_groups += 1
        groups[at] = group
        sizes[group] += 1
    n_shared = 0
    for group in range(n_groups):
        halves[group] = n_shared  # its new number
        n_shared += sizes[group] > 1
    kept = 0
    for at in range(n):
        group = groups[at]
        # written whether it is kept or not: a branch that nobody can foresee takes longer
        rows[kept], groups[kept] = rows[at], halves[group]
        kept += sizes[group] > 1
    partition.counts[line, 0], partition.counts[line, 1] = kept, n_shared
    return n - kept


@kernel(allocates=False)
def count_rectangles(codes, n_splits, partition):
    """Distinct rectangles of all level vectors that hold a row.

    codes : int64 (d, n), finest cells by coordinate. n_splits : int64 (d,). partition : Partition, all rows
    in the first line, in one rectangle
    """
    d, line, total = n_splits.shape[0], 0, np.int64(0)
    counts, finer = partition.counts, partition.finer
    while line >= 0:
        if line < d - 1:  # first all level vectors of the coordinates that follow
            line += 1
            n = counts[line - 1, 0]
            for at in range(n):
                partition.rows[line, at] = partition.rows[line - 1, at]
                partition.groups[line, at] = partition.groups[line - 1, at]
            counts[line, 0], counts[line, 1], counts[line, 2] = n, counts[line - 1, 1], 0
            continue
        total += counts[line, 1]
        while line >= 0 and (counts[line, 2] == n_splits[line] or counts[line, 0] == 0):
            line -= 1
        if line >= 0:
            counts[line, 2] += 1
            n_alone = _halve(codes[line], n_splits[line] - counts[line, 2], partition, line)
            total += n_alone * (n_splits[line] - counts[line, 2] + 1) * finer[line + 1]
    return total
