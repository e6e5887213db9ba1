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
    inner, cut, child_pair, child_single, child_whole, child_lower, child_upper, child_choice : work space of
        `treelib.sparse.children`, shaped as active, shift, pair, single, whole, lower, upper, choice.
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
    inner: np.ndarray
    cut: np.ndarray
    child_pair: np.ndarray
    child_single: np.ndarray
    child_whole: np.ndarray
    child_lower: np.ndarray
    child_upper: np.ndarray
    child_choice: np.ndarray


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
        inner=np.empty(p, np.int64),
        cut=np.empty(n_lanes, np.uint64),
        child_pair=np.empty((n_tables, p, p), np.int64),
        child_single=np.empty((n_tables, p), np.int64),
        child_whole=np.empty(n_tables, np.int64),
        child_lower=np.empty((p, 2)),
        child_upper=np.empty((p, 2)),
        child_choice=np.empty(2, np.int64),
    )


@kernel(allocates=False)
def evaluate(problem, rows, candidates, n_candidates, depth, price, scratch):
    """Bounds of the optimum of the set `rows` with at most `depth` levels of splits; see `Scratch`.

    rows : uint64 (n_words,); candidates : int64, the first `n_candidates` are columns that may be active.
    Returns the work done, in lanes counted (int64). Cost O(p n_lanes + p^2 (n_lanes + n_tables)).
    """
    n_lanes = _meet_lanes(problem, rows, scratch)
    n_tables = problem.lane_start.shape[0] - 1
    for t in range(n_tables):
        start, stop = scratch.lane_start[t], scratch.lane_start[t + 1]
        bits = scratch.lane_bits[start:stop]
        scratch.whole[t] = count_both(bits, bits, scratch.shift[start:stop])
    leaf = least_cost(scratch.whole) + price
    scratch.bound[0] = leaf
    scratch.bound[1] = leaf
    scratch.choice[0] = 0
    scratch.choice[1] = -1
    if depth == 0 or leaf <= 2.0 * price:
        return n_lanes
    n = _cut_lanes(problem, candidates, n_candidates, price, n_lanes, scratch)
    work = n_lanes * (n_candidates + 1)
    if depth == 1:
        _score_leaves(n, n_tables, price, scratch)
    else:
        for t in range(n_tables):
            _count_pairs(t, n, scratch)
        score_pairs(
            scratch.pair, scratch.single, scratch.whole, n, depth, price, scratch.lower, scratch.upper
        )
        work += n_lanes * n * n // 2
    best = close_columns(scratch.lower, scratch.upper, n, price, scratch.bound)
    if best >= 0:
        scratch.choice[1] = scratch.active[best]
    return work


@kernel(allocates=False)
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


@kernel(allocates=False)
def count_both(bits_a, bits_b, shift):
    """Sum of the digits of the rows in both sets of lanes: uint64, uint64, int64 (n_lanes,) -> int64.

    The caller cuts contiguous rows to one table (``row[start:stop]`` of a 1-D row): a loop from an index that
    may be negative, or over a slice of a 2-D array, is not vectorised and takes five times as long.
    """
    total = 0
    for lane in range(shift.shape[0]):
        total += popcount(bits_a[lane] & bits_b[lane]) << shift[lane]
    return total


@kernel(allocates=False)
def least_cost(costs):
    """Cost of the best single class from one cost a table, as float64."""
    n_classes = costs.shape[0] if costs.shape[0] == 2 else costs.shape[0] - 1
    least = costs[0]
    for k in range(1, n_classes):
        least = min(least, costs[k])
    return float(least)


@kernel(allocates=False)
def weight(costs):
    """Most that any change of the tree can cost on these rows: the sum of the rows' largest costs."""
    return costs[0] + costs[1] if costs.shape[0] == 2 else costs[-1]


@kernel(allocates=False)
def _cut_lanes(problem, candidates, n_candidates, price, n_lanes, scratch):
    """Cut the lanes by every candidate column and keep the active ones; returns their number.

    A split with a side of weight at most `price` is never needed: sending that side's rows the other
    way costs no more than its weight and saves at least one leaf. The same then holds in every subset, so
    columns dropped here stay dropped below. (Theorem 3.3 of the OSDT paper asks for a support of twice the
    price at a node; this is its form for one side, in weights that can still be won.)
    """
    n_tables = problem.lane_start.shape[0] - 1
    n = 0
    whole = weight(scratch.whole)
    for c in range(n_candidates):
        f = candidates[c]
        column = problem.columns[f]
        bits = scratch.bits[n]
        for lane in range(n_lanes):
            bits[lane] = scratch.lane_bits[lane] & column[scratch.lane[lane]]
        for t in range(n_tables):
            start, stop = scratch.lane_start[t], scratch.lane_start[t + 1]
            scratch.single[t, n] = count_both(bits[start:stop], bits[start:stop], scratch.shift[start:stop])
        true_side = weight(scratch.single[:, n])
        if true_side > price and whole - true_side > price:
            scratch.active[n] = f
            n += 1
    scratch.choice[0] = n
    return n


@kernel(allocates=False)
def _count_pairs(t, n_active, scratch):
    """Symmetric table of the costs of rows with both values 1; the diagonal holds the single counts."""
    start, stop = scratch.lane_start[t], scratch.lane_start[t + 1]
    pair, shift = scratch.pair[t], scratch.shift[start:stop]
    for a in range(n_active):
        bits_a = scratch.bits[a][start:stop]
        pair[a, a] = scratch.single[t, a]
        for b in range(a):
            total = count_both(bits_a, scratch.bits[b][start:stop], shift)
            pair[a, b] = total
            pair[b, a] = total


@kernel(allocates=False)
def _score_leaves(n_active, n_tables, price, scratch):
    """Exact bounds of both sides of every column when the sides must be leaves."""
    rest = scratch.child_whole
    for a in range(n_active):
        for t in range(n_tables):
            rest[t] = scratch.whole[t] - scratch.single[t, a]
        scratch.upper[a, 0] = least_cost(rest) + price
        scratch.upper[a, 1] = least_cost(scratch.single[:, a]) + price
        scratch.lower[a, 0] = scratch.upper[a, 0]
        scratch.lower[a, 1] = scratch.upper[a, 1]


@kernel(allocates=False)
def score_pairs(pair, single, whole, n_active, depth, price, lower, upper):
    """Bounds of both sides of every column from the quadrant costs.

    pair : int64 (n_tables, >= n_active, >= n_active); single : int64 (n_tables, >= n_active);
    whole : int64 (n_tables,). lower, upper : float64 (>= n_active, 2), output; equal when `depth` is 2.
    Cost O(n_active^2 n_tables).
    """
    n_tables = whole.shape[0]
    for a in range(n_active):
        if n_tables == 2:
            costs = _score_row(
                pair[0, a],
                pair[1, a],
                single[0],
                single[1],
                n_active,
                pair[0, a, a],
                pair[1, a, a],
                whole[0],
                whole[1],
            )
        else:
            costs = _score_row_multiclass(pair, single, whole, a, n_active)
        for side in range(2):
            best = min(costs[2 * side] + price, costs[2 * side + 1] + 2.0 * price)
            upper[a, side] = best
            lower[a, side] = best if depth == 2 else min(best, 3.0 * price)


@kernel(allocates=False)
def _score_row(zero, one, zero_single, one_single, n, zero_true, one_true, zero_whole, one_whole):
    """Costs (leaf false, stump false, leaf true, stump true) of the two sides of one column, two classes.

    Plain rows of numbers and nothing else inside the loop: so it is vectorised, and 25 times faster than
    the same loop over the tables.
    """
    zero_false, one_false = zero_whole - zero_true, one_whole - one_true
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


@kernel(allocates=False)
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


@kernel(allocates=False)
def close_columns(lower, upper, n_active, price, bound):
    """Tighten ``bound`` (lower, upper; in: those of the leaf) by all columns; returns the best one or -1.

    A tree that the pairs do not cover has a side with three leaves or more, so four in all.
    """
    best = -1
    least = bound[1]
    for a in range(n_active):
        root_upper = upper[a, 0] + upper[a, 1]
        least = min(least, max(lower[a, 0] + lower[a, 1], min(root_upper, 4.0 * price)))
        if root_upper < bound[1]:
            bound[1] = root_upper
            best = a
    bound[0] = least
    return best
