"""The greedy tree whose leaves bound those of all solutions: l_bound (Section 4).

The paper does not say what its greedy algorithm does where several splits reduce the error equally, often by
nothing. That decides the number of leaves: see `TIES`.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.hash_constants import GOLDEN

# first coordinate, the one split least often so far (the first of those), or any, at random
FIRST, SHALLOW, RANDOM = 0, 1, 2
TIES = {"first": FIRST, "shallow": SHALLOW, "random": RANDOM}

_SHIFT = np.uint64(31)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_TOP = np.uint64(11)


class Work(NamedTuple):
    """Where the tree is grown.

    order : int64 (n,), rows, those of a rectangle side by side: they are sorted in place, as in quicksort.
    spare : int64 (n,). stack : int64 (2 levels, 2 + d), rectangles still to do: start, count, splits made.
    totals : int64 (3, K), losses of a rectangle and of its halves.
    """

    order: np.ndarray
    spare: np.ndarray
    stack: np.ndarray
    totals: np.ndarray


def greedy_leaves(rows, tie="shallow", seed=0):
    """Leaves of the tree that recursively makes the split with the largest error reduction until no leaf
    errs, or one that errs holds a single row, as no split can change its error.

    Parameters
    ----------
    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`. Where the least loss of a row is not 0, as of
        duplicates of both classes before their losses are shifted, every leaf that holds it with others is
        split further, so the tree has more leaves than the shifted losses need.
    tie : {"shallow", "first", "random"}, coordinate taken among equal reductions
    seed : int, of random ties
    """
    n, d = rows.codes.shape
    depth = int(rows.n_splits.sum()) + 2
    order = np.arange(n)
    work = Work(
        order=order,
        spare=order.copy(),
        # both halves in turn for each level
        stack=np.zeros((2 * depth + 2, 2 + d), dtype=np.int64),
        totals=np.zeros((3, rows.losses.shape[1]), dtype=np.int64),
    )
    return int(grow(rows, work, TIES[tie], np.uint64(seed)))


@kernel(inner=True)
def _least(values):
    least = values[0]
    for i in range(1, values.shape[0]):
        least = min(least, values[i])
    return least


@kernel(inner=True)
def _sum_losses(losses, inside, totals):
    """Write the losses of the rows `inside`, one a label, into ``totals[0]``."""
    totals[0, :] = 0
    for row in inside:
        for label in range(losses.shape[1]):
            totals[0, label] += losses[row, label]


@kernel(inner=True)
def _gain(cells, losses, inside, bit, totals):
    """Error that the split at `bit` of `cells`, the codes of a feature, takes off the rows `inside`.

    In: their losses, in ``totals[0]``.
    """
    totals[1, :] = 0
    for row in inside:
        if (cells[row] >> bit) & 1 == 0:
            for label in range(losses.shape[1]):
                totals[1, label] += losses[row, label]
    for label in range(losses.shape[1]):
        totals[2, label] = totals[0, label] - totals[1, label]
    return _least(totals[0]) - _least(totals[1]) - _least(totals[2])


@kernel(inner=True)
def _part(cells, inside, bit, spare):
    """Move the rows with a 0 at `bit` before the others; returns their number."""
    n_left, back = 0, len(inside)
    for row in inside:
        if (cells[row] >> bit) & 1:
            back -= 1
            spare[back] = row
        else:
            spare[n_left] = row
            n_left += 1
    for at in range(len(inside)):
        inside[at] = spare[at]
    return n_left


@kernel(allocates=False)
def grow(rows, work, tie, seed):
    """Grow the greedy tree; see `greedy_leaves`. Returns its number of leaves.

    rows : Rows. work : Work. tie : one of the values of `TIES`. seed : uint64.
    """
    codes, losses, n_splits = rows.codes, rows.losses, rows.n_splits
    stack, totals = work.stack, work.totals
    d = len(n_splits)
    stack[0, :] = 0
    stack[0, 1] = len(codes)
    size, n_leaves = 1, np.int64(0)
    state = seed
    while size > 0:
        size -= 1
        start, count = stack[size, 0], stack[size, 1]
        if count == 0:
            n_leaves += 1
            continue
        inside = work.order[start : start + count]
        _sum_losses(losses, inside, totals)
        best, chosen, best_rank = np.int64(-1), -1, np.int64(0)
        if count > 1 and _least(totals[0]) > 0:
            for i in range(d):
                n_made = stack[size, 2 + i]
                if n_made == n_splits[i]:
                    continue
                gain = _gain(codes[:, i], losses, inside, n_splits[i] - n_made - 1, totals)
                rank = np.int64(0)
                if tie == SHALLOW:
                    rank = -n_made
                elif tie == RANDOM:
                    state += GOLDEN
                    mixed = (state ^ (state >> _SHIFT)) * _MIX
                    rank = np.int64(mixed >> _TOP)
                if gain > best or (gain == best and rank > best_rank):
                    best, chosen, best_rank = gain, i, rank
        if chosen < 0:
            n_leaves += 1
            continue
        bit = n_splits[chosen] - stack[size, 2 + chosen] - 1
        n_left = _part(codes[:, chosen], inside, bit, work.spare)
        stack[size, 2 + chosen] += 1
        for i in range(d):
            stack[size + 1, 2 + i] = stack[size, 2 + i]
        stack[size, 1] = n_left
        stack[size + 1, 0] = start + n_left
        stack[size + 1, 1] = count - n_left
        size += 2
    return n_leaves
