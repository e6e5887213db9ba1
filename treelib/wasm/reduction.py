"""The reduced problem of 0/1 columns, as `treelib.sparse.exact.reduction` makes it, for the page.

The package's own uses numpy's packed bits, and sorts by two keys: numba knows neither.
"""

import numpy as np

from treelib.compiled.splitmix import next_random
from treelib.sparse.exact.reduction import MAX_TOTAL, Problem, _group_rows
from treelib.wasm.language.same_source import compiled
from treelib.wasm.sums import pairwise_sum


@compiled
def pack_codes(columns):
    """As `treelib.sparse.exact.reduction.pack_rows`."""
    n, p = columns.shape
    codes = np.zeros((n, max((p + 63) // 64, 1)), np.uint64)
    for i in range(n):
        for c in range(p):
            if columns[i, c]:
                codes[i, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
    return codes


@compiled
def merge_rows(columns, costs):
    """Costs float64 (n_groups, n_classes) summed over equal rows, and the first row int64 of each group."""
    n, n_classes = costs.shape
    codes = pack_codes(columns)
    slots = np.full(1 << max(4, (2 * n - 1).bit_length()), -1, np.int64)
    group, first = np.empty(n, np.int64), np.empty(n, np.int64)
    n_groups = _group_rows(codes, slots, first, group)
    merged = np.zeros((n_groups, n_classes))
    for i in range(n):
        for k in range(n_classes):
            merged[group[i], k] += costs[i, k]
    return merged, first[:n_groups]


@compiled
def scale_to(total):
    """The largest power of two, at most 2**1000, by which `total` stays within MAX_TOTAL; no logarithm."""
    scale, n = 1.0, 0
    while total * scale > MAX_TOTAL:
        scale *= 0.5
    while n < 1000 and total * (2.0 * scale) <= MAX_TOTAL:
        scale *= 2.0
        n += 1
    return scale


@compiled
def whole_costs(merged):
    """Costs as whole numbers: int64 (n_groups, n_classes), and the base cost and scale that lead back."""
    n_groups, n_classes = merged.shape
    least, most = np.empty(n_groups), np.empty(n_groups)
    is_whole = True
    for g in range(n_groups):
        least[g] = merged[g].min()
        for k in range(n_classes):
            merged[g, k] -= least[g]
            is_whole &= merged[g, k] == np.rint(merged[g, k])
        most[g] = merged[g].max()
    total, scale = pairwise_sum(most), 1.0
    if total > MAX_TOTAL or not is_whole:
        scale = scale_to(total)
    whole = np.empty((n_groups, n_classes), np.int64)
    for g in range(n_groups):
        for k in range(n_classes):
            whole[g, k] = np.int64(np.rint(merged[g, k] * scale))
    return whole, pairwise_sum(least), scale


@compiled
def order_rows(whole):
    """The groups that can matter, those of one class together and heavy ones first."""
    n_groups = len(whole)
    largest, label = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    for g in range(n_groups):
        largest[g], label[g] = whole[g].max(), whole[g].argmin()
    kept = np.flatnonzero(largest > 0)
    kept = kept[np.argsort(-largest[kept], kind="mergesort")]
    return kept[np.argsort(label[kept], kind="mergesort")]


@compiled
def build_problem(columns, rows, costs):
    """As `treelib.sparse.exact.reduction.build_problem`, with other hash keys: they move no answer."""
    n_rows, p, n_tables = len(rows), columns.shape[1], costs.shape[1]
    n_words = (n_rows + 63) // 64
    bits = np.zeros((p, n_words), np.uint64)
    all_rows, keys = np.zeros(n_words, np.uint64), np.zeros(n_words, np.uint64)
    for u in range(n_rows):
        one = np.uint64(1) << np.uint64(u & 63)
        all_rows[u >> 6] |= one
        for c in range(p):
            if columns[rows[u], c]:
                bits[c, u >> 6] |= one
    state = np.full(1, 20190424, np.uint64)
    for w in range(n_words):
        keys[w] = next_random(state) | np.uint64(1)
    digits = np.zeros(n_tables, np.int64)
    for t in range(n_tables):
        for u in range(n_rows):
            digits[t] = max(digits[t], costs[u, t].bit_length())
    n_planes = digits.sum()
    planes = np.zeros((n_planes, n_words), np.uint64)
    table, shift = np.zeros(n_planes, np.int64), np.zeros(n_planes, np.int64)
    q = 0
    for t in range(n_tables):
        for digit in range(digits[t]):
            for u in range(n_rows):
                if (costs[u, t] >> digit) & 1:
                    planes[q, u >> 6] |= np.uint64(1) << np.uint64(u & 63)
            table[q], shift[q] = t, digit
            q += 1
    return Problem(bits, all_rows, keys, planes, table, shift, np.int64(n_tables))
