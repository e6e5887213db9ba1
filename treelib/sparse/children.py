"""Bounds of both children of a set under one split, without making the children.

After `treelib.sparse.depth_two.evaluate` the scratch space holds the set's rows cut by every active column,
and the costs of all pairs of columns. One population count more per pair, on the split's true side only,
gives the quadrant costs of that side; those of the false side are the difference. So one pass finds the best
trees of depth two of both children.
"""

from treelib.jit import kernel
from treelib.sparse.depth_two import close_columns, count_both, least_cost, score_pairs, weight


@kernel(allocates=False)
def look_at_column(a, n_active, depth, price, bounds, scratch):
    """Tighten the bounds of both sides of active column `a` of the evaluated set.

    depth : levels of splits allowed in the children (at least 2). bounds : float64 (2, 2), in and out: for
    the false and the true side (first axis) the lower and the upper bound (second axis). The root columns of
    the children's best trees known (-1: a leaf) come out in ``scratch.child_choice``.
    Returns the work done, in lanes counted. Cost O(n_active^2 n_lanes / 2).
    """
    n_tables = scratch.whole.shape[0]
    n = _list_inner_columns(a, n_active, price, scratch)
    for t in range(n_tables):
        _count_triples(a, t, n, scratch)
    scratch.child_choice[1] = _bound_child(n, depth, price, bounds[1], scratch)
    for t in range(n_tables):
        _turn_to_false_side(a, t, n, scratch)
    scratch.child_choice[0] = _bound_child(n, depth, price, bounds[0], scratch)
    return n * n * scratch.lane_start[n_tables] // 2


@kernel(allocates=False)
def _list_inner_columns(a, n_active, price, scratch):
    """List in ``scratch.inner`` the columns that are active in at least one child; returns their number."""
    pair = scratch.pair
    n = 0
    true_side = weight(pair[:, a, a])
    false_side = weight(scratch.whole) - true_side
    for g in range(n_active):
        in_true = weight(pair[:, a, g])
        in_false = weight(pair[:, g, g]) - in_true
        if min(in_true, true_side - in_true) > price or min(in_false, false_side - in_false) > price:
            scratch.inner[n] = g
            n += 1
    return n


@kernel(allocates=False)
def _count_triples(a, t, n, scratch):
    """Table `t` of the true child: costs of the rows where the split and two inner columns are all 1."""
    start, stop = scratch.lane_start[t], scratch.lane_start[t + 1]
    cut, shift = scratch.cut[start:stop], scratch.shift[start:stop]
    bits_a = scratch.bits[a][start:stop]
    inner, child_pair, pair_a = scratch.inner, scratch.child_pair[t], scratch.pair[t, a]
    scratch.child_whole[t] = pair_a[a]
    for i in range(n):
        g = inner[i]
        bits_g = scratch.bits[g][start:stop]
        for lane in range(cut.shape[0]):
            cut[lane] = bits_a[lane] & bits_g[lane]
        for j in range(i):
            total = count_both(cut, scratch.bits[inner[j]][start:stop], shift)
            child_pair[i, j] = total
            child_pair[j, i] = total
        child_pair[i, i] = pair_a[g]
        scratch.child_single[t, i] = pair_a[g]


@kernel(allocates=False)
def _turn_to_false_side(a, t, n, scratch):
    """Replace table `t` of the true child by that of the false child: the set's own minus it."""
    inner, child_pair, pair = scratch.inner, scratch.child_pair[t], scratch.pair[t]
    scratch.child_whole[t] = scratch.whole[t] - scratch.child_whole[t]
    for i in range(n):
        pair_g, row = pair[inner[i]], child_pair[i]
        for j in range(n):
            row[j] = pair_g[inner[j]] - row[j]
        scratch.child_single[t, i] = row[i]


@kernel(allocates=False)
def _bound_child(n, depth, price, bounds, scratch):
    """Tighten one child's (lower, upper) `bounds` by its table of pairs; returns its root column or -1."""
    score_pairs(
        scratch.child_pair,
        scratch.child_single,
        scratch.child_whole,
        n,
        depth,
        price,
        scratch.child_lower,
        scratch.child_upper,
    )
    known = bounds[0]
    # from the leaf, not from the bound known: an equal value must still name its root column
    bounds[1] = least_cost(scratch.child_whole) + price
    best = close_columns(scratch.child_lower, scratch.child_upper, n, price, bounds)
    bounds[0] = max(bounds[0], known)
    return scratch.active[scratch.inner[best]] if best >= 0 else -1
