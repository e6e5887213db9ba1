"""All trees of depth two at once: what pairwise counts say about a set of rows.

For a set S and every pair of columns (f, g), the costs of the four quadrants of S give the best tree with
split f at the root and at most two leaves on each side. So S's best tree of depth two is known exactly,
and every other tree has a side with three leaves or more, hence at least four leaves: a lower bound.

Costs are integers (see `treelib.sparse.problem`); `price` is the regularization of one leaf in their unit.
"""

from typing import NamedTuple

import numpy as np

from treelib.bits import popcount
from treelib.jit import kernel


class Scratch(NamedTuple):
    """Work space and output of `evaluate`, allocated once per search.

    Attributes
    ----------
    lane : int64 (n_lanes,), lanes that meet the set.
    lane_bits, shift : uint64, int64 (n_lanes,), their rows in the set, and their digits.
    lane_start : int64 (n_tables + 1,)
    bits : uint64 (p, n_lanes), the set's lanes, cut by each column.
    single : int64 (n_tables, p), costs of the rows with column value 1.
    pair : int64 (n_tables, p, p), costs of the rows with both values 1; indices count active columns.
    whole : int64 (n_tables,), costs of the whole set.
    active : int64 (p,), output: columns that can split the set in some optimal tree.
    lower, upper : float64 (p, 2), output: bounds of the optimum of the rows with value 0 and 1 of each
        active column.
    bound : float64 (2,), output: lower and upper bound of the set's optimum.
    choice : int64 (2,), output: number of active columns, and the root column of the best tree known
        (-1: a leaf).
    """

    lane: np.ndarray
    lane_bits: np.ndarray
    shift: np.ndarray
    lane_start: np.ndarray
    bits: np.ndarray
    single: np.ndarray
    pair: np.ndarray
    whole: np.ndarray
    active: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    bound: np.ndarray
    choice: np.ndarray


def make_scratch(problem):
    """Allocate the `Scratch` of `problem`. Memory: 8 (p n_lanes + n_tables p^2) bytes and little more."""
    p = problem.columns.shape[0]
    n_lanes, n_tables = len(problem.lane_word), len(problem.lane_start) - 1
    return Scratch(
        lane=np.empty(n_lanes, np.int64),
        lane_bits=np.empty(n_lanes, np.uint64),
        shift=np.empty(n_lanes, np.int64),
        lane_start=np.zeros(n_tables + 1, np.int64),
        bits=np.empty((p, n_lanes), np.uint64),
        single=np.empty((n_tables, p), np.int64),
        pair=np.empty((n_tables, p, p), np.int64),
        whole=np.empty(n_tables, np.int64),
        active=np.empty(p, np.int64),
        lower=np.empty((p, 2)),
        upper=np.empty((p, 2)),
        bound=np.empty(2),
        choice=np.empty(2, np.int64),
    )


@kernel
def evaluate(problem, rows, candidates, n_candidates, depth, price, scratch):
    """Bounds of the optimum of the set `rows` with at most `depth` levels of splits; see `Scratch`.

    rows : uint64 (n_words,); candidates : int64, the first `n_candidates` are columns that may be active.
    Returns the work done, in lanes counted (int64). Cost O(p n_lanes + p^2 (n_lanes + n_tables)).
    """
    n_lanes = _meet_lanes(problem, rows, scratch)
    n_tables = problem.lane_start.shape[0] - 1
    for t in range(n_tables):
        scratch.whole[t] = _sum_lanes(scratch.lane_bits, scratch.shift, scratch.lane_start[t], scratch.lane_start[t + 1])
    leaf = _least(scratch.whole, n_tables) + price
    scratch.bound[0] = leaf
    scratch.bound[1] = leaf
    scratch.choice[0] = 0
    scratch.choice[1] = -1
    if depth == 0 or leaf <= 2.0 * price:
        return n_lanes

    n_active = _cut_lanes(problem, candidates, n_candidates, price, n_lanes, scratch)
    work = n_lanes * (n_candidates + 1)
    if n_active == 0:
        return work
    if depth == 1:
        _score_stumps(n_active, n_tables, price, scratch)
        _close(n_active, depth, price, leaf, scratch)
        return work
    for t in range(n_tables):
        _count_pairs(scratch.bits, scratch.shift, scratch.lane_start[t], scratch.lane_start[t + 1], n_active, scratch.single[t], scratch.pair[t])
    work += (n_lanes * n_active * n_active) // 2
    if n_tables == 2:
        _score_pairs(n_active, price, scratch)
    else:
        _score_pairs_multiclass(n_active, n_tables - 1, price, scratch)
    _close(n_active, depth, price, leaf, scratch)
    return work


@kernel
def _meet_lanes(problem, rows, scratch):
    """Keep the lanes that have rows in the set; returns their number."""
    n_tables = problem.lane_start.shape[0] - 1
    n = 0
    for t in range(n_tables):
        scratch.lane_start[t] = n
        for lane in range(problem.lane_start[t], problem.lane_start[t + 1]):
            met = rows[problem.lane_word[lane]] & problem.lane_mask[lane]
            if met != 0:
                scratch.lane[n] = problem.lane_word[lane]
                scratch.lane_bits[n] = met
                scratch.shift[n] = problem.lane_shift[lane]
                n += 1
    scratch.lane_start[n_tables] = n
    return n


@kernel
def _sum_lanes(bits, shift, start, stop):
    total = 0
    for lane in range(start, stop):
        total += popcount(bits[lane]) << shift[lane]
    return total


@kernel
def _least(costs, n_tables):
    """Cost of the best single class, as float64."""
    n_classes = n_tables if n_tables == 2 else n_tables - 1
    least = costs[0]
    for k in range(1, n_classes):
        least = min(least, costs[k])
    return float(least)


@kernel
def _weight(costs, n_tables):
    """Most that any change of the tree on these rows can cost: the sum of the rows' largest costs."""
    if n_tables == 2:
        return costs[0] + costs[1]
    return costs[n_tables - 1]


@kernel
def _cut_lanes(problem, candidates, n_candidates, price, n_lanes, scratch):
    """Cut the lanes by every candidate column and keep the active ones; returns their number.

    A split with a side of weight at most `price` is never needed: sending that side's rows the other
    way costs no more than its weight and saves at least one leaf. The same then holds in every subset, so
    columns dropped here stay dropped below. (Theorem 3.3 of the OSDT paper asks for a support of twice the
    price at a node; this is its form for one side, in weights that can still be won.)
    """
    n_tables = problem.lane_start.shape[0] - 1
    n = 0
    whole = _weight(scratch.whole, n_tables)
    for c in range(n_candidates):
        f = candidates[c]
        column = problem.columns[f]
        bits = scratch.bits[n]
        for lane in range(n_lanes):
            bits[lane] = scratch.lane_bits[lane] & column[scratch.lane[lane]]
        for t in range(n_tables):
            scratch.single[t, n] = _sum_lanes(bits, scratch.shift, scratch.lane_start[t], scratch.lane_start[t + 1])
        true_side = _weight(scratch.single[:, n], n_tables)
        if true_side > price and whole - true_side > price:
            scratch.active[n] = f
            n += 1
    scratch.choice[0] = n
    return n


@kernel
def _count_pairs(bits, shift, start, stop, n_active, single, pair):
    """Symmetric table of the costs of rows with both values 1; the diagonal holds the single counts."""
    for a in range(n_active):
        bits_a = bits[a]
        pair[a, a] = single[a]
        for b in range(a):
            bits_b = bits[b]
            total = 0
            for lane in range(start, stop):
                total += popcount(bits_a[lane] & bits_b[lane]) << shift[lane]
            pair[a, b] = total
            pair[b, a] = total


@kernel
def _score_stumps(n_active, n_tables, price, scratch):
    """Best tree with one split: exact, so lower and upper bound agree."""
    rest = np.empty(n_tables, np.int64)
    for a in range(n_active):
        for t in range(n_tables):
            rest[t] = scratch.whole[t] - scratch.single[t, a]
        scratch.upper[a, 0] = _least(rest, n_tables) + price
        scratch.upper[a, 1] = _least(scratch.single[:, a], n_tables) + price
        scratch.lower[a, 0] = scratch.upper[a, 0]
        scratch.lower[a, 1] = scratch.upper[a, 1]


@kernel
def _side_bounds(a, side, leaf, stump, price, scratch):
    """Bounds of one side of root column `a` from the costs of its best leaf and best stump."""
    upper = min(leaf + price, stump + 2.0 * price)
    scratch.upper[a, side] = upper
    scratch.lower[a, side] = min(upper, 3.0 * price)


@kernel
def _score_pairs(n_active, price, scratch):
    """Bounds of every root column from the quadrant costs, two classes."""
    zero, one = scratch.pair[0], scratch.pair[1]
    for a in range(n_active):
        zero_a, one_a = zero[a], one[a]
        zero_true, one_true = zero_a[a], one_a[a]
        zero_false, one_false = scratch.whole[0] - zero_true, scratch.whole[1] - one_true
        stump_true = min(zero_true, one_true)
        stump_false = min(zero_false, one_false)
        leaf_true, leaf_false = float(stump_true), float(stump_false)
        for b in range(n_active):
            zero_both, one_both = zero_a[b], one_a[b]
            zero_other = scratch.single[0, b] - zero_both
            one_other = scratch.single[1, b] - one_both
            cost_true = min(zero_both, one_both) + min(zero_true - zero_both, one_true - one_both)
            cost_false = min(zero_other, one_other) + min(zero_false - zero_other, one_false - one_other)
            stump_true = min(stump_true, cost_true)
            stump_false = min(stump_false, cost_false)
        _side_bounds(a, 0, leaf_false, float(stump_false), price, scratch)
        _side_bounds(a, 1, leaf_true, float(stump_true), price, scratch)


@kernel
def _score_pairs_multiclass(n_active, n_classes, price, scratch):
    """Bounds of every root column from the quadrant costs, any number of classes."""
    largest = np.iinfo(np.int64).max
    for a in range(n_active):
        leaf_true, leaf_false = largest, largest
        for k in range(n_classes):
            leaf_true = min(leaf_true, scratch.single[k, a])
            leaf_false = min(leaf_false, scratch.whole[k] - scratch.single[k, a])
        stump_true, stump_false = leaf_true, leaf_false
        for b in range(n_active):
            both, alone, other, neither = largest, largest, largest, largest
            for k in range(n_classes):
                value = scratch.pair[k, a, b]
                both = min(both, value)
                alone = min(alone, scratch.single[k, a] - value)
                other = min(other, scratch.single[k, b] - value)
                neither = min(neither, scratch.whole[k] - scratch.single[k, a] - scratch.single[k, b] + value)
            stump_true = min(stump_true, both + alone)
            stump_false = min(stump_false, other + neither)
        _side_bounds(a, 0, float(leaf_false), float(stump_false), price, scratch)
        _side_bounds(a, 1, float(leaf_true), float(stump_true), price, scratch)


@kernel
def _close(n_active, depth, price, leaf, scratch):
    """Bounds of the whole set from the bounds of its root columns."""
    lower = leaf
    for a in range(n_active):
        if depth == 2:
            scratch.lower[a, 0] = scratch.upper[a, 0]
            scratch.lower[a, 1] = scratch.upper[a, 1]
        root_upper = scratch.upper[a, 0] + scratch.upper[a, 1]
        # a tree that the pairs do not cover has a side with three leaves or more
        lower = min(lower, max(scratch.lower[a, 0] + scratch.lower[a, 1], min(root_upper, 4.0 * price)))
        if root_upper < scratch.bound[1]:
            scratch.bound[1] = root_upper
            scratch.choice[1] = scratch.active[a]
    scratch.bound[0] = lower
