"""The best single split of many nodes at once, in one pass over the sorted rows of every feature.

For the leaves and splits that the search leaves open, and for the greedy tree, level by level.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.search.budget import Stopped, go_on
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT

# what a split is chosen by
ERRORS, GINI = range(2)

# cells of the table between two questions whether there is time: a tenth of a millisecond
CELLS = 2**15

# places of what the scores of a node are made of, see `_begin`; the last is two things
ALL, BELOW, ABOVE, LOAD = range(4)
NEXT, TOP = LOAD, 2

# The split of a node: its score (errors, or minus the Gini gain up to what all splits share), infinity where
# no feature divides the node; the feature, and the rows on both sides of the cut.
SPLIT = np.dtype([("score", "f8"), ("feature", "i8"), ("below", "i8"), ("above", "i8")])


def best_splits(numbers, order, node_of_row, weights, criterion, check=go_on):
    """The best split of each node, SPLIT (n_nodes,); of equal ones the first feature and the lowest cut.

    Parameters
    ----------
    numbers : Numbers
    order : int32 (p, m), see `Sorted`
    node_of_row : intp (m,), -1 for rows of no node
    weights : float64 (n_nodes, n_classes), see `weights_by_class`
    criterion : ERRORS or GINI
    check : callable, asked before each feature, or several of few rows. Where it raises `Stopped`, the best
        splits of the features before are returned.
    """
    out = np.zeros(len(weights), SPLIT)
    out["score"] = np.inf
    sides = np.zeros_like(weights), weights, np.zeros((len(weights), 4))
    last = np.zeros((len(weights), 3), np.int64)
    step = max(1, CELLS // max(order.shape[1], 1))
    for first in range(0, len(order), step):
        if _is_over(check):
            break
        few = order[first : first + step]
        _split_nodes(numbers, few, first, node_of_row, sides, last, criterion == GINI, out)
    return out


def _is_over(check):
    """Whether `check` raises `Stopped`."""
    try:
        check()
    except Stopped:
        return True
    return False


def weights_by_class(numbers, node_of_row, n_nodes):
    """Weight of each class in each node, float64 (n_nodes, n_classes). `node_of_row` as in `best_splits`."""
    here = node_of_row >= 0
    cell = node_of_row[here] * numbers.n_classes + numbers.classes[here]
    weight = np.abs(numbers.weight[here].astype(np.float64))
    return np.bincount(cell, weight, n_nodes * numbers.n_classes).reshape(n_nodes, numbers.n_classes)


@kernel(allocates=False)
def _split_nodes(numbers, order, first, node_of_row, sides, last, is_gini, out):
    """Lower the scores of `out` by the cuts of the features from `first` on, those of `order`.

    A row changes the score of its node by its own class: no pass over all classes a cut.

    sides : three float64 arrays. Scratch (n_nodes, n_classes), weights left of the cut; the weights of the
        classes of each node; scratch (n_nodes, 4), what the scores are made of (`_begin`).
    last : int64 (n_nodes, 3), scratch: group of equal values and row met last in each node, and the class
        of most weight right of the cut.
    """
    left, whole, state = sides
    for f in range(order.shape[0]):
        _begin(left, whole, state, last, is_gini)
        group = np.int64(0)
        for j in range(order.shape[1]):
            group += order[f, j] & FIRST
            row = order[f, j] >> ROW_SHIFT
            node = node_of_row[row]
            if node < 0:
                continue
            if last[node, 0] >= 0 and last[node, 0] != group:
                if is_gini:
                    load, rest = state[node, LOAD], state[node, ALL] - state[node, LOAD]
                    score = -(state[node, BELOW] / load + state[node, ABOVE] / rest)
                else:
                    score = state[node, ALL] - state[node, BELOW] - state[node, ABOVE]
                if score < out[node]["score"]:
                    out[node]["score"], out[node]["feature"] = score, first + f
                    out[node]["below"], out[node]["above"] = last[node, 1], row
            last[node, 0], last[node, 1] = group, row
            k, weight = numbers.classes[row], abs(np.float64(numbers.weight[row]))
            before = left[node, k]
            left[node, k] = before + weight
            if is_gini:
                state[node, BELOW] += weight * (2 * before + weight)
                state[node, ABOVE] -= weight * (2 * (whole[node, k] - before) - weight)
                state[node, LOAD] += weight
            else:
                rest = whole[node, k] - left[node, k]
                state[node, BELOW] = max(state[node, BELOW], left[node, k])
                if whole.shape[1] == 2:
                    state[node, ABOVE] = max(rest, whole[node, 1 - k] - left[node, 1 - k])
                elif k == last[node, TOP]:
                    state[node, ABOVE] = rest
                    if state[node, ABOVE] < state[node, NEXT]:
                        _find_top(left[node], whole[node], state[node], last[node])


@kernel(inner=True)
def _begin(left, whole, state, last, is_gini):
    """All rows right of the cut. BELOW and ABOVE are sums of squares left and right, or the largest weights
    of a class; ALL is the weight of the node, LOAD what is left of the cut."""
    left[:] = 0.0
    state[:] = 0.0
    last[:] = -1
    for node in range(len(state)):
        for k in range(whole.shape[1]):
            state[node, ALL] += whole[node, k]
            if is_gini:
                state[node, ABOVE] += whole[node, k] * whole[node, k]
        if not is_gini:
            _find_top(left[node], whole[node], state[node], last[node])


@kernel(inner=True)
def _find_top(left, whole, state, last):
    """Class of most weight right of the cut, its weight, and the most of the others: they only lose, so it is
    the first until it has less than that."""
    state[ABOVE], state[NEXT] = -1.0, -1.0
    for k in range(len(whole)):
        rest = whole[k] - left[k]
        if rest > state[ABOVE]:
            state[NEXT], state[ABOVE], last[TOP] = state[ABOVE], rest, k
        elif rest > state[NEXT]:
            state[NEXT] = rest
