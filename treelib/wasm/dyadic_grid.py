"""The dyadic grid of a table, as `treelib.dyadic.training.prepare` makes it by default, for the page.

The package's own can be compiled too: `bounding_box` apart, with numpy's `unique` with inverse places
taught to numba, 25 expressions in other words (least values and sorting along an axis, `add.at`, a list of
columns, a generator, powers of two) and five functions that these words call. Tried, that was 47 lines more
than this.
"""

import numpy as np

from treelib.table.packed import group_rows, slots_for
from treelib.wasm.language.same_source import compiled, same

GROUPS = same(group_rows), same(slots_for)
MOST_HALVINGS = 32  # as of `treelib.dyadic.boxes.choose_n_splits`


@compiled
def box_of(X):
    """Least and largest value of each feature."""
    low, high = X[0].copy(), X[0].copy()
    for i in range(len(X)):
        for j in range(X.shape[1]):
            low[j], high[j] = min(low[j], X[i, j]), max(high[j], X[i, j])
    return low, high


@compiled
def threshold(low, high, level, interval):
    """As `treelib.dyadic.boxes.DyadicGrid.threshold`, operation by operation."""
    share = 2.0 * interval + 1.0
    for _ in range(level + 1):
        share *= 0.5
    return low * (1.0 - share) + high * share


@compiled
def codes_of(X, rows, low, high, n_halvings):
    """Interval of each row of `rows` after so many halvings, int64 (m, d); see `DyadicGrid.codes`."""
    codes = np.zeros((len(rows), X.shape[1]), np.int64)
    for r in range(len(rows)):
        for j in range(X.shape[1]):
            code = np.int64(0)
            for level in range(n_halvings):
                code = 2 * code + (0 if X[rows[r], j] <= threshold(low[j], high[j], level, code) else 1)
            codes[r, j] = code
    return codes


@compiled
def rank_of_rows(rows):
    """Row numbers in lexicographic order of `rows` (n, d), equal ones in the order of their numbers."""
    order = np.arange(len(rows))
    for j in range(rows.shape[1] - 1, -1, -1):
        order = order[np.argsort(rows[order, j], kind="mergesort")]
    return order


@compiled
def merge_groups(rows, losses):
    """As `treelib.dyadic.compress.merge_rows`: equal rows as one, the least loss subtracted.

    Returns the first row int64 (m,) of each group that is kept, in lexicographic order, its losses int64
    (m, n_classes), and what every tree loses.
    """
    n = len(rows)
    order = rank_of_rows(rows)
    first, sums = np.empty(n, np.int64), np.zeros((n, losses.shape[1]), np.int64)
    m, offset, at = 0, 0, 0
    while at < n:
        first[m] = order[at]
        sums[m] = 0
        begin = at
        while at < n and (rows[order[at]] == rows[order[begin]]).all():
            sums[m] += losses[order[at]]
            at += 1
        least = sums[m].min()
        offset += least
        sums[m] -= least
        if sums[m].max() > 0:
            m += 1
    return first[:m], sums[:m].copy(), offset


@compiled
def loss_of_cells(codes, shift, losses):
    """Total loss when each cell of codes >> shift takes its best label."""
    n, n_classes = losses.shape
    coarse = np.empty(codes.shape, np.uint64)
    for i in range(n):
        for j in range(codes.shape[1]):
            coarse[i, j] = codes[i, j] >> shift
    group, first = group_rows(coarse)
    totals = np.zeros((len(first), n_classes), np.int64)
    for i in range(n):
        totals[group[i]] += losses[i]
    loss = 0
    for g in range(len(first)):
        loss += totals[g].min()
    return loss


@compiled
def n_values(ordered, shift):
    """Number of different values of ordered >> shift."""
    n = 1
    for i in range(1, len(ordered)):
        n += (ordered[i] >> shift) != (ordered[i - 1] >> shift)
    return n


@compiled
def choose_splits(finest, losses):
    """Halvings of each feature, int64 (d,), by the two steps of `treelib.dyadic.boxes.choose_n_splits`."""
    d = finest.shape[1]
    n_splits = np.zeros(d, np.int64)
    if len(finest) == 0:
        return n_splits
    least, uniform = loss_of_cells(finest, 0, losses), 0
    while loss_of_cells(finest, MOST_HALVINGS - uniform, losses) > least:
        uniform += 1
    for j in range(d):
        ordered = np.sort(finest[:, j])
        most = n_values(ordered, MOST_HALVINGS - uniform)
        while n_values(ordered, MOST_HALVINGS - n_splits[j]) < most:
            n_splits[j] += 1
    return n_splits
