"""All trees of depth two at once: what pairwise counts say about a set of rows.

For a set S and every pair of columns (f, g), the costs of the four quadrants of S give the best tree with
split f at the root and at most two leaves on each side. So S's best tree of depth two is known exactly,
and every other tree has a side with three leaves or more, hence at least four leaves: a lower bound.

Costs are integers (see `treelib.sparse.exact.reduction`); `price` is the regularization of one leaf in their
unit.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import popcount
from treelib.compiled.jit import kernel

# First axis of the tables in `Scratch`: the set itself, and one child of it (see
# `treelib.sparse.exact.child_bounds`). Numbers that go into another kernel are np.int64: numba compiles a
# kernel once more for every Python literal among its arguments.
SELF, CHILD = np.int64(0), np.int64(1)
# last axis of bounds
LOWER, UPPER = 0, 1
# `Scratch.answer`
N_ACTIVE, SPLIT, SPLIT_FALSE, SPLIT_TRUE, STOP = 0, 1, 2, 3, 4

# columns, or columns times lanes, for which a loop over pairs asks in every row whether to stop; to ask in
# all of them took 4 % of the time of a search
LONG_ROW = 500


class Scratch(NamedTuple):
    """Work space and output of `evaluate`, allocated once per search; p columns, T tables, L lanes.

    Attributes
    ----------
    bits : uint64 (p + 2, L), the set's lanes cut by each active column; last but one row: the set's lanes;
        last row: the lanes cut by two columns. A lane is one word of one plane that has rows in the set.
    word, shift : int64 (L,), which word of the set a lane is, and its digit.
    start : int64 (T + 1,), lanes of each table.
    pair : int64 (2, T, p, p), costs of the rows with both values 1; indices count active columns.
    single : int64 (2, T, p), costs of the rows with value 1.
    whole : int64 (2, T), costs of the set.
    bounds : float64 (2, p, 2, 2), output: for each active column, for its false and true side, the lower and
        the upper bound of the side's optimum.
    active : int64 (2, p), output: columns that can split the set in some optimal tree.
    total : float64 (2,), output: lower and upper bound of the set's optimum.
    answer : int64 (5,), output: number of active columns; root column of the best tree known of the set, of
        its false child and of its true child (-1: a leaf). Input: ``answer[STOP]``, which another thread sets
        to 1 to end the work over pairs of columns. What is written from then on means nothing, so whoever
        calls such work looks at it afterwards.
    """

    bits: np.ndarray
    word: np.ndarray
    shift: np.ndarray
    start: np.ndarray
    pair: np.ndarray
    single: np.ndarray
    whole: np.ndarray
    bounds: np.ndarray
    active: np.ndarray
    total: np.ndarray
    answer: np.ndarray


def make_scratch(problem, pairs=True):
    """Allocate the `Scratch` of `problem`. Memory: 8 (p L + 2 T p^2) bytes and little more.

    Without room for `pairs` it serves `evaluate` with a depth of at most 1.
    """
    p = problem.columns.shape[0]
    n_tables = problem.n_tables
    # a word's rows may come to stand in two words of a pack
    n_lanes = np.count_nonzero(problem.planes) + len(problem.planes)
    return Scratch(
        bits=np.empty((p + 2, n_lanes), np.uint64),
        word=np.empty(n_lanes, np.int64),
        shift=np.empty(n_lanes, np.int64),
        start=np.zeros(n_tables + 1, np.int64),
        pair=np.empty((2, n_tables, p, p if pairs else 0), np.int64),  # rows, if empty ones, for all columns
        single=np.empty((2, n_tables, p), np.int64),
        whole=np.empty((2, n_tables), np.int64),
        bounds=np.empty((2, p, 2, 2)),
        active=np.empty((2, p), np.int64),
        total=np.empty(2),
        answer=np.zeros(5, np.int64),
    )


@kernel(inner=True)
def evaluate(packs, slot, rows, candidates, n_candidates, depth, price, scratch):
    """Bounds of the optimum of the set `rows` with at most `depth` levels of splits; see `Scratch`.

    rows : uint64 (n_words,), in the rows of pack `slot`; candidates : int64, the first `n_candidates` are
    columns that may be active.
    Returns the work done, in lanes counted (int64). Cost O(p L + p^2 (L + T)).
    """
    n_lanes = _meet_lanes(packs, slot, rows, scratch)
    whole = scratch.whole[SELF]
    n_tables = whole.shape[0]
    own = scratch.bits[-2]
    for t in range(n_tables):
        start, stop = scratch.start[t], scratch.start[t + 1]
        whole[t] = count_both(own[start:stop], own[start:stop], scratch.shift[start:stop])
    leaf = least_cost(whole) + price
    scratch.total[LOWER] = leaf
    scratch.total[UPPER] = leaf
    scratch.answer[N_ACTIVE] = 0
    scratch.answer[SPLIT] = -1
    if depth == 0 or leaf <= 2.0 * price:
        return n_lanes
    has_pairs = depth > 1
    n = _cut_lanes(packs.bits[slot], candidates, n_candidates, price, n_lanes, scratch, has_pairs)
    work = n_lanes * (n_candidates + 1)
    if has_pairs:
        for t in range(n_tables):
            _count_pairs(t, n, scratch)
        work += n_lanes * n * n // 2
    best = score_set(SELF, n, depth, price, scratch)
    scratch.answer[N_ACTIVE] = n
    if best >= 0:
        scratch.answer[SPLIT] = scratch.active[SELF, best]
    return work


@kernel(inner=True, inline=True)
def _meet_lanes(packs, slot, rows, scratch):
    """Keep the words of the planes that have rows in the set; returns their number."""
    own = scratch.bits[-2]
    n_planes = packs.table.shape[0]
    first_plane = packs.bits.shape[1] - n_planes
    n, table = 0, 0
    scratch.start[0] = 0
    for q in range(n_planes):
        while table < packs.table[q]:
            table += 1
            scratch.start[table] = n
        plane = packs.bits[slot, first_plane + q]
        for word in range(packs.reach[slot, q, 0], packs.reach[slot, q, 1]):
            met = rows[word] & plane[word]
            if met != 0:
                own[n] = met
                scratch.word[n] = word
                scratch.shift[n] = packs.shift[q]
                n += 1
    while table < scratch.start.shape[0] - 1:
        table += 1
        scratch.start[table] = n
    return n


@kernel(inner=True)
def count_both(bits_a, bits_b, shift):
    """Sum of the digits of the rows in both sets of lanes: uint64, uint64, int64 (L,) -> int64.

    The caller cuts contiguous rows to one table (``row[start:stop]`` of a 1-D row): a loop from an index that
    may be negative, or over a slice of a 2-D array, is not vectorised and takes five times as long.
    """
    total = 0
    for lane in range(shift.shape[0]):
        total += popcount(bits_a[lane] & bits_b[lane]) << shift[lane]
    return total


@kernel(inner=True)
def least_cost(costs):
    """Cost of the best single class from one cost a table, as float64."""
    n_classes = costs.shape[0] if costs.shape[0] == 2 else costs.shape[0] - 1
    least = costs[0]
    for k in range(1, n_classes):
        least = min(least, costs[k])
    return float(least)


@kernel(inner=True)
def weight(costs):
    """Most that any change of the tree can cost on these rows: the sum of the rows' largest costs."""
    return costs[0] + costs[1] if costs.shape[0] == 2 else costs[-1]


@kernel(inner=True, inline=True)
def _cut_lanes(columns, candidates, n_candidates, price, n_lanes, scratch, has_pairs):
    """Cut the lanes by every candidate column and keep the active ones; returns their number.

    A split with a side of weight at most `price` is never needed: sending that side's rows the other
    way costs no more than its weight and saves at least one leaf. The same then holds in every subset, so
    columns dropped here stay dropped below. (Theorem 3.3 of the OSDT paper asks for a support of twice the
    price at a node; this is its form for one side, in weights that can still be won.)

    has_pairs : bool, whether pairs of columns are counted next: only then are the cut lanes of all kept, and
        only then does `STOP` end this.
    """
    own, single = scratch.bits[-2], scratch.single[SELF]
    n_tables = single.shape[0]
    whole = weight(scratch.whole[SELF])
    is_long = has_pairs and n_lanes > LONG_ROW
    n = np.int64(0)
    for c in range(n_candidates):
        if is_long and scratch.answer[STOP]:
            break
        column = columns[candidates[c]]
        bits = scratch.bits[n if has_pairs else 0]
        for lane in range(n_lanes):
            bits[lane] = own[lane] & column[scratch.word[lane]]
        for t in range(n_tables):
            start, stop = scratch.start[t], scratch.start[t + 1]
            single[t, n] = count_both(bits[start:stop], bits[start:stop], scratch.shift[start:stop])
        true_side = weight(single[:, n])
        if true_side > price and whole - true_side > price:
            scratch.active[SELF, n] = candidates[c]
            n += 1
    return n


@kernel(inner=True, inline=True)
def _count_pairs(t, n_active, scratch):
    """Symmetric table of the costs of rows with both values 1; the diagonal holds the single counts."""
    start, stop = scratch.start[t], scratch.start[t + 1]
    pair, shift = scratch.pair[SELF, t], scratch.shift[start:stop]
    is_long = n_active * shift.shape[0] > LONG_ROW
    for a in range(n_active):
        if is_long and scratch.answer[STOP]:
            break
        bits_a = scratch.bits[a][start:stop]
        pair[a, a] = scratch.single[SELF, t, a]
        for b in range(a):
            total = count_both(bits_a, scratch.bits[b][start:stop], shift)
            pair[a, b] = total
            pair[b, a] = total


@kernel(inner=True, inline="late")
def score_set(which, n_active, depth, price, scratch):
    """Bounds of a set (`which` is SELF or CHILD) from its tables; returns the best root column or -1.

    In: ``pair, single, whole``, and in ``total`` the value of the leaf, twice. Out: ``bounds, total``.
    A tree that the pairs do not cover has a side with three leaves or more, so four in all.
    Cost O(n_active^2 T), or O(n_active T) where only leaves may follow.
    """
    pair, single, whole = scratch.pair[which], scratch.single[which], scratch.whole[which]
    best = -1
    least = scratch.total[UPPER]
    n_stumps = n_active if depth > 1 else 0
    weight_whole = weight(whole)
    is_long = n_stumps > LONG_ROW
    for a in range(n_active):
        if is_long and scratch.answer[STOP]:
            break
        weight_true = weight(single[:, a])
        if min(weight_true, weight_whole - weight_true) <= price:
            # not active in this child; without this, a free leaf (price 0) may be split off empty for ever
            continue
        if whole.shape[0] == 2:
            costs = _score_row(pair, single, whole, a, n_stumps)
        else:
            costs = _score_row_multiclass(pair, single, whole, a, n_stumps)
        bounds = scratch.bounds[which, a]
        for side in range(2):
            value = min(costs[2 * side] + price, costs[2 * side + 1] + 2.0 * price)
            bounds[side, UPPER] = value
            bounds[side, LOWER] = value if depth <= 2 else min(value, 3.0 * price)
        root_upper = bounds[0, UPPER] + bounds[1, UPPER]
        least = min(least, max(bounds[0, LOWER] + bounds[1, LOWER], min(root_upper, 4.0 * price)))
        if root_upper < scratch.total[UPPER]:
            scratch.total[UPPER] = root_upper
            best = a
    scratch.total[LOWER] = least
    return best


@kernel(inner=True, inline=True)
def _score_row(pair, single, whole, a, n):
    """Costs (leaf false, stump false, leaf true, stump true) of the two sides of column `a`, two classes.

    Plain rows of numbers and nothing else inside the loop: so it is vectorised, and 25 times faster than
    the same loop over the tables.
    """
    zero, one = pair[0, a], pair[1, a]
    zero_single, one_single = single[0], single[1]
    zero_true, one_true = single[0, a], single[1, a]
    zero_false, one_false = whole[0] - zero_true, whole[1] - one_true
    leaf_true, leaf_false = min(zero_true, one_true), min(zero_false, one_false)
    stump_true, stump_false = leaf_true, leaf_false
    for b in range(n):
        zero_both, one_both = zero[b], one[b]
        zero_other, one_other = zero_single[b] - zero_both, one_single[b] - one_both
        cost_true = min(zero_both, one_both) + min(zero_true - zero_both, one_true - one_both)
        cost_false = min(zero_other, one_other) + min(zero_false - zero_other, one_false - one_other)
        stump_true = min(stump_true, cost_true)
        stump_false = min(stump_false, cost_false)
    return float(leaf_false), float(stump_false), float(leaf_true), float(stump_true)


@kernel(inner=True)
def _score_row_multiclass(pair, single, whole, a, n):
    """`_score_row` for any number of classes; the last table (largest costs) is not a class."""
    n_classes = whole.shape[0] - 1
    largest = np.iinfo(np.int64).max
    leaf_true, leaf_false = largest, largest
    for k in range(n_classes):
        leaf_true = min(leaf_true, single[k, a])
        leaf_false = min(leaf_false, whole[k] - single[k, a])
    stump_true, stump_false = leaf_true, leaf_false
    for b in range(n):
        both, alone, other, neither = largest, largest, largest, largest
        for k in range(n_classes):
            value = pair[k, a, b]
            both = min(both, value)
            alone = min(alone, single[k, a] - value)
            other = min(other, single[k, b] - value)
            neither = min(neither, whole[k] - single[k, a] - single[k, b] + value)
        stump_true = min(stump_true, both + alone)
        stump_false = min(stump_false, other + neither)
    return float(leaf_false), float(stump_false), float(leaf_true), float(stump_true)
