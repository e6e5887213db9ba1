"""Kernels that keep the optima of recorded rectangles while the leaf penalty changes.

The optimum of a rectangle is a step function of the price, and so is the largest split ratio below the price
of its trees that are not chosen. As long as those of its halves stay, both change only at prices that the
last evaluation knows: where another split costs as much, where a ratio passes the price, and where the
rectangle errs by less than the price and is not expanded at all. So at a new price only those rectangles are
evaluated for which such a price was passed, or a half of which has changed.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.paper.procedure_1 import FIRST, LARGEST

# rectangles whose limits are also kept together, so that most are passed over 32 at a time
BLOCK = 32
NO_RATIO = -1  # `Terms.offset` where no split ratios are kept


class Terms(NamedTuple):
    """numerator, denominator : leaf penalty. tie, offset : as `tie` and `ratio_offset` of `Rules`, or
    NO_RATIO; all int64."""

    numerator: int
    denominator: int
    tie: int
    offset: int


class Settled(NamedTuple):
    """Optima of the rectangles of a `Graph` at one price, and how far they hold. A fraction is a pair of
    numbers; 1 / 0 is infinite, 0 / 1 means that there is none.

    value : int32 or int64 (m + 2, 2), error and leaves; the last two are of an empty rectangle and of one
        without error.
    low, high : the same (m, 2), fractions: the optimum and `ratio` hold for the prices between them, as long
        as no half changes.
    ratio : the same (m, 2), largest split ratio below the price of a tree not chosen.
    block_low, block_high, block_ratio : the same (blocks, 2), largest `low` and `ratio` and least `high` of
        each `BLOCK` rectangles.
    changed, block_changed : uint8 (m,) and (blocks,), 1 where a half has changed, and where one such is.
    parents : int32 (m, d), position of the whole in each coordinate, -1 where it is not recorded.
    sums : int64 (d + 1, 2), work space: error and leaves of the single leaf and of each split.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    ratio: np.ndarray
    block_low: np.ndarray
    block_high: np.ndarray
    block_ratio: np.ndarray
    changed: np.ndarray
    block_changed: np.ndarray
    parents: np.ndarray
    sums: np.ndarray


@kernel(allocates=False)
def find_parents(children, n_alone, parents):
    """Write the wholes of each rectangle. children, n_alone : of `Graph`. parents : (m, d), -1 each."""
    n = parents.shape[0]
    for parent in range(children.shape[0]):
        for i in range(children.shape[1]):
            for side in range(2):
                child = children[parent, i, side]
                if 0 <= child < n:
                    parents[child, i] = n_alone + parent


@kernel(inner=True)
def _raise(limits, at, over, under):
    """Replace a fraction by over / under where this is larger."""
    if over * limits[at, 1] > limits[at, 0] * under:
        limits[at, 0], limits[at, 1] = over, under


@kernel(inner=True)
def _lower(limits, at, over, under):
    """Replace a fraction by over / under where this is smaller."""
    if over * limits[at, 1] < limits[at, 0] * under:
        limits[at, 0], limits[at, 1] = over, under


@kernel(inner=True)
def _is_due(low, high, at, terms):
    """Whether the price lies outside of what the limits hold for."""
    return (
        low[at, 0] * terms.denominator >= terms.numerator * low[at, 1]
        or terms.numerator * high[at, 1] >= high[at, 0] * terms.denominator
    )


@kernel(inner=True, inline=True)
def _choose(halves, settled, leaf, terms):
    """Write error and leaves of all trees of a rectangle into `Settled.sums`; returns the row of the best.

    halves : int32 (d, 2), children. A split without rows left in `sums` is marked by no leaves.
    """
    sums, value = settled.sums, settled.value
    sums[0, 0], sums[0, 1] = leaf, 1
    best = 0
    for i in range(halves.shape[0]):
        left, right = np.int64(halves[i, 0]), np.int64(halves[i, 1])
        if left < 0:
            sums[i + 1, 0], sums[i + 1, 1] = -1, 0
            continue
        error = np.int64(value[left, 0]) + np.int64(value[right, 0])
        leaves = np.int64(value[left, 1]) + np.int64(value[right, 1])
        sums[i + 1, 0], sums[i + 1, 1] = error, leaves
        more = leaves - sums[best, 1]
        risk = terms.denominator * (error - sums[best, 0]) + terms.numerator * more
        if risk == 0 and terms.tie != FIRST and (more > 0 if terms.tie == LARGEST else more < 0):
            best = i + 1
        elif risk < 0:
            best = i + 1
    return best


@kernel(inner=True, inline=True)
def _limit(settled, at, n_trees, best, leaf, terms):
    """Write how far the choice of the tree `best` of those in `Settled.sums` holds, and the split ratio."""
    sums, numerator, denominator = settled.sums, terms.numerator, terms.denominator
    best_error, best_leaves = sums[best, 0], sums[best, 1]
    low_over, low_under = np.int64(0), np.int64(1)
    ratio_over, ratio_under = np.int64(0), np.int64(1)
    high_over, high_under = leaf, np.int64(1)  # a higher price does not expand the rectangle
    for tree in range(n_trees):
        error, leaves = sums[tree, 0], sums[tree, 1]
        if tree == best or error < 0:
            continue
        gain, size = leaf - error, leaves - terms.offset
        if terms.offset != NO_RATIO and gain > 0 and size > 0:
            if gain * denominator < numerator * size:
                if gain * ratio_under > ratio_over * size:
                    ratio_over, ratio_under = gain, size
            elif gain * high_under < high_over * size:
                high_over, high_under = gain, size
        fewer, more = best_error - error, leaves - best_leaves
        if fewer > 0 and more > 0:
            if fewer * low_under > low_over * more:
                low_over, low_under = fewer, more
        elif fewer < 0 and more < 0 and fewer * high_under > high_over * more:
            high_over, high_under = -fewer, -more
    if ratio_over * low_under > low_over * ratio_under:
        low_over, low_under = ratio_over, ratio_under
    settled.low[at, 0], settled.low[at, 1] = low_over, low_under
    settled.high[at, 0], settled.high[at, 1] = high_over, high_under
    settled.ratio[at, 0], settled.ratio[at, 1] = ratio_over, ratio_under


@kernel(inner=True, inline=True)
def _settle(leaf, halves, settled, at, terms):
    """Evaluate one rectangle at the price; where its optimum changes, its wholes are due."""
    low, high, value = settled.low, settled.high, settled.value
    error, leaves = leaf, np.int64(1)
    if leaf * terms.denominator >= terms.numerator:
        best = _choose(halves, settled, leaf, terms)
        error, leaves = settled.sums[best, 0], settled.sums[best, 1]
        _limit(settled, at, halves.shape[0] + 1, best, leaf, terms)
    else:
        low[at, 0], low[at, 1] = leaf, 1
        high[at, 0], high[at, 1] = 1, 0
        settled.ratio[at, 0], settled.ratio[at, 1] = 0, 1
    if error == value[at, 0] and leaves == value[at, 1]:
        return
    value[at, 0], value[at, 1] = error, leaves
    for i in range(halves.shape[0]):
        whole = np.int64(settled.parents[at, i])
        if whole >= 0:
            settled.changed[whole] = 1
            settled.block_changed[whole // BLOCK] = 1


@kernel(inner=True)
def _sum_up(settled, block):
    """Write the limits of a block from those of its rectangles."""
    first = block * BLOCK
    for part in range(2):
        settled.block_low[block, part] = settled.low[first, part]
        settled.block_high[block, part] = settled.high[first, part]
        settled.block_ratio[block, part] = settled.ratio[first, part]
    for at in range(first + 1, min(first + BLOCK, settled.low.shape[0])):
        _raise(settled.block_low, block, np.int64(settled.low[at, 0]), np.int64(settled.low[at, 1]))
        _lower(settled.block_high, block, np.int64(settled.high[at, 0]), np.int64(settled.high[at, 1]))
        _raise(settled.block_ratio, block, np.int64(settled.ratio[at, 0]), np.int64(settled.ratio[at, 1]))


@kernel(allocates=False)
def begin(leaf_error, n_alone, settled):
    """Settle all rectangles at an infinite price: each is a leaf, at least until its error is the price."""
    for at in range(leaf_error.shape[0]):
        settled.value[at, 0], settled.value[at, 1] = leaf_error[at], 1
        settled.changed[at] = 0
        settled.low[at, 0], settled.low[at, 1] = leaf_error[at] if at >= n_alone else 0, 1
        settled.high[at, 0], settled.high[at, 1] = 1, 0
        settled.ratio[at, 0], settled.ratio[at, 1] = 0, 1
    for block in range(settled.block_low.shape[0]):
        settled.block_changed[block] = 0
        _sum_up(settled, block)


@kernel(allocates=False)
def settle(leaf_error, children, settled, terms, answer):
    """Settle all rectangles at another price.

    leaf_error, children : of `Graph`
    answer : int64 (3,), written: rectangles evaluated, and as a fraction the largest split ratio below the
        price of a tree not chosen
    """
    n_settled, n = np.int64(0), leaf_error.shape[0]
    n_alone = n - children.shape[0]
    # no half errs more than the whole, and halves come first
    for block in range(settled.block_low.shape[0]):
        is_changed = settled.block_changed[block] == 1
        if not is_changed and not _is_due(settled.block_low, settled.block_high, block, terms):
            continue
        settled.block_changed[block] = 0
        for at in range(max(block * BLOCK, n_alone), min((block + 1) * BLOCK, n)):
            if settled.changed[at] == 1 or _is_due(settled.low, settled.high, at, terms):
                settled.changed[at] = 0
                _settle(leaf_error[at], children[at - n_alone], settled, at, terms)
                n_settled += 1
        _sum_up(settled, block)
    answer[0], answer[1], answer[2] = n_settled, 0, 1
    for block in range(settled.block_low.shape[0]):
        over, under = np.int64(settled.block_ratio[block, 0]), np.int64(settled.block_ratio[block, 1])
        if over * answer[2] > answer[1] * under:
            answer[1], answer[2] = over, under
