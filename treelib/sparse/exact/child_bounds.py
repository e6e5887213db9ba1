"""Bounds of both children of a set under one split, without making the children.

After `treelib.sparse.exact.depth_two.evaluate` the scratch space holds the set's rows cut by every active
column, and the costs of all pairs of columns. One population count more per pair, on the split's true side
only, gives the quadrant costs of that side; those of the false side are the difference. So one pass finds the
best trees of depth two of both children.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.exact.depth_two import (
    CHILD,
    LONG_ROW,
    LOWER,
    SELF,
    SPLIT_FALSE,
    STOP,
    UPPER,
    count_both,
    least_cost,
    score_set,
    weight,
)


@kernel(inner=True, inline="late")
def look_at_column(a, n_active, depth, price, bounds, scratch):
    """Tighten the bounds of both sides of active column `a` of the evaluated set.

    depth : levels of splits allowed in the children. bounds : float64 (2, 2), in and out: for the false and
    the true side (first axis) the lower and the upper bound (second axis). The root columns of the children's
    best trees come out in ``scratch.answer``. Returns the work done, in lanes counted. Stopped (see
    `Scratch`), it leaves both bounds true.
    Cost O(n_active^2 L / 2).
    """
    n_tables = scratch.start.shape[0] - 1
    n = _list_inner_columns(a, n_active, price, scratch)
    for t in range(n_tables):
        _count_triples(a, t, n, scratch)
    for turn in range(2):
        side = 1 - turn
        if side == 0:
            for t in range(n_tables):
                _turn_to_false_side(t, n, scratch)
        # from the leaf, not from the bound known: an equal value must still name its root column
        leaf = least_cost(scratch.whole[CHILD]) + price
        scratch.total[LOWER] = leaf
        scratch.total[UPPER] = leaf
        best = score_set(CHILD, n, depth, price, scratch)
        if scratch.answer[STOP]:
            break
        scratch.answer[SPLIT_FALSE + side] = (
            scratch.active[SELF, scratch.active[CHILD, best]] if best >= 0 else -1
        )
        bounds[side, UPPER] = scratch.total[UPPER]
        bounds[side, LOWER] = max(bounds[side, LOWER], scratch.total[LOWER])
    return n * n * scratch.start[n_tables] // 2


@kernel(inner=True, inline=True)
def _list_inner_columns(a, n_active, price, scratch):
    """List in ``active[CHILD]`` the columns that are active in at least one child; returns their number."""
    pair = scratch.pair[SELF]
    n = np.int64(0)
    true_side = weight(pair[:, a, a])
    false_side = weight(scratch.whole[SELF]) - true_side
    for g in range(n_active):
        in_true = weight(pair[:, a, g])
        in_false = weight(pair[:, g, g]) - in_true
        if min(in_true, true_side - in_true) > price or min(in_false, false_side - in_false) > price:
            scratch.active[CHILD, n] = g
            n += 1
    return n


@kernel(inner=True, inline=True)
def _count_triples(a, t, n, scratch):
    """Table `t` of the true child: costs of the rows where the split and two inner columns are all 1."""
    start, stop = scratch.start[t], scratch.start[t + 1]
    cut, shift = scratch.bits[-1][start:stop], scratch.shift[start:stop]
    bits_a = scratch.bits[a][start:stop]
    inner, pair, pair_a = scratch.active[CHILD], scratch.pair[CHILD, t], scratch.pair[SELF, t, a]
    scratch.whole[CHILD, t] = pair_a[a]
    is_long = n * shift.shape[0] > LONG_ROW
    for i in range(n):
        if is_long and scratch.answer[STOP]:
            break
        g = inner[i]
        bits_g = scratch.bits[g][start:stop]
        for lane in range(cut.shape[0]):
            cut[lane] = bits_a[lane] & bits_g[lane]
        for j in range(i):
            total = count_both(cut, scratch.bits[inner[j]][start:stop], shift)
            pair[i, j] = total
            pair[j, i] = total
        pair[i, i] = pair_a[g]
        scratch.single[CHILD, t, i] = pair_a[g]


@kernel(inner=True, inline=True)
def _turn_to_false_side(t, n, scratch):
    """Replace table `t` of the true child by that of the false child: the set's own minus it."""
    inner, pair = scratch.active[CHILD], scratch.pair[CHILD, t]
    scratch.whole[CHILD, t] = scratch.whole[SELF, t] - scratch.whole[CHILD, t]
    is_long = n > LONG_ROW
    for i in range(n):
        if is_long and scratch.answer[STOP]:
            break
        own, row = scratch.pair[SELF, t, inner[i]], pair[i]
        for j in range(n):
            row[j] = own[inner[j]] - row[j]
        scratch.single[CHILD, t, i] = row[i]
