"""The reduced problem of 0/1 columns, as `treelib.sparse.exact.reduction` makes it, for the page.

The kernels are the package's. Written again is what stands around them: the package looks at the clock
between pieces, and sorts by two keys, which numba does not know.
"""

import numpy as np

from treelib.compiled.bits import WORD
from treelib.compiled.splitmix import next_random
from treelib.sparse.exact.reduction import (
    MAX_TOTAL,
    Problem,
    Reduced,
    add_costs,
    add_rows,
    cost_tables,
    costly_rows,
    fill_planes,
    take_base,
)
from treelib.table.packed import all_of, fill_words, group_rows, pack_rows, slots_for
from treelib.wasm.language.same_source import compiled, same
from treelib.wasm.sums import pairwise_sum

for function in (pack_rows, slots_for, group_rows, all_of):
    same(function)


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
def reduce_problem(columns, costs):
    """As `treelib.sparse.exact.reduction.reduce_problem`."""
    group, first = group_rows(pack_rows(columns))
    merged, count = np.zeros((len(first), costs.shape[1])), np.zeros(len(first))
    add_costs(group, costs, merged, count)
    base, largest = np.empty(len(first)), np.empty(len(first))
    is_whole = take_base(merged, base, largest)
    total, scale = pairwise_sum(largest), 1.0
    if total > MAX_TOTAL or not is_whole:
        scale = scale_to(total)
    rows = np.empty((3, len(first)), np.int64)
    rows = rows[:, : costly_rows(merged, scale, rows)].copy()
    kept, label, weight = rows[0], rows[1], rows[2]
    order = np.argsort(-weight, kind="mergesort")
    order = order[np.argsort(label[order], kind="mergesort")]
    kept = kept[order]
    n_classes = costs.shape[1]
    whole = np.empty((len(kept), n_classes + (n_classes > 2)), np.int64)
    sums, most = np.zeros(whole.shape[1], np.int64), np.zeros(whole.shape[1], np.int64)
    by_class = np.zeros(n_classes)
    cost_tables(merged, scale, kept, whole, sums, most)
    add_rows(costs, by_class)
    return Reduced(
        build_problem(columns, first[kept], whole, most),
        n_classes,
        len(kept),
        pairwise_sum(base),
        scale,
        weight.sum(),
        min(sums[:n_classes].min(), np.int64(MAX_TOTAL)),
        by_class.argmin(),
    )


@compiled
def columns_as_bits(X, rows):
    """Bit columns uint64 (p, ceil(m / 64)) over the chosen `rows` (m,) of 0/1 columns `X` (n, p)."""
    words = np.empty(((len(rows) + WORD - 1) // WORD, X.shape[1]), np.uint64)
    fill_words(X, rows, np.zeros(X.shape[1], np.uint8), words)
    return words.T.copy()


@compiled
def build_problem(columns, rows, costs, most):
    """As `treelib.sparse.exact.reduction.build_problem`, with other hash keys: they move no answer."""
    bits = columns_as_bits(columns, rows)
    n_words = bits.shape[1]
    keys, state = np.empty(n_words, np.uint64), np.full(1, 20190424, np.uint64)
    for w in range(n_words):
        keys[w] = next_random(state) | np.uint64(1)
    n_planes, q = 0, 0
    for largest in most:
        n_planes += largest.bit_length()
    table, shift = np.empty(n_planes, np.int64), np.empty(n_planes, np.int64)
    for t in range(len(most)):
        for digit in range(most[t].bit_length()):
            table[q], shift[q] = t, digit
            q += 1
    planes = np.empty((n_planes, n_words), np.uint64)
    fill_planes(costs, table, shift, planes, 0, n_words)
    return Problem(bits, all_of(len(rows)), keys, planes, table, shift, np.int64(len(most)))
