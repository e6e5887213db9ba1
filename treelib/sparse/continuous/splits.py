"""The best single split of many nodes at once, in one pass over the sorted rows of every feature.

For the leaves and splits that the search leaves open, and for the greedy tree, level by level.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.search.budget import go_on
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT

# what a split is chosen by
ERRORS, GINI = range(2)

# cells of the table between two questions whether there is time: a tenth of a millisecond
CELLS = 2**15

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
    check : callable, asked before each feature, or several of few rows. What it raises ends the work.
    """
    out = np.zeros(len(weights), SPLIT)
    out["score"] = np.inf
    left = np.zeros_like(weights)
    last = np.zeros((len(weights), 2), np.int64)
    step = max(1, CELLS // max(order.shape[1], 1))
    for first in range(0, len(order), step):
        check()
        few = order[first : first + step]
        _split_nodes(numbers, few, first, node_of_row, (left, weights), last, criterion == GINI, out)
    return out


def weights_by_class(numbers, node_of_row, n_nodes):
    """Weight of each class in each node, float64 (n_nodes, n_classes). `node_of_row` as in `best_splits`."""
    here = node_of_row >= 0
    cell = node_of_row[here] * numbers.n_classes + numbers.classes[here]
    weight = np.abs(numbers.weight[here].astype(np.float64))
    return np.bincount(cell, weight, n_nodes * numbers.n_classes).reshape(n_nodes, numbers.n_classes)


@kernel(allocates=False)
def _split_nodes(numbers, order, first, node_of_row, sides, last, is_gini, out):
    """Lower the scores of `out` by the cuts of the features from `first` on, those of `order`.

    sides : two float64 (n_nodes, n_classes), scratch, and the weights of the classes of each node.
    last : int64 (n_nodes, 2), scratch: group of equal values and row met last in each node.
    """
    left, whole = sides
    n_classes = whole.shape[1]
    for f in range(order.shape[0]):
        for node in range(out.shape[0]):
            last[node, 0] = -1
            for k in range(n_classes):
                left[node, k] = 0.0
        group = np.int64(0)
        for j in range(order.shape[1]):
            group += order[f, j] & FIRST
            row = order[f, j] >> ROW_SHIFT
            node = node_of_row[row]
            if node < 0:
                continue
            if last[node, 0] >= 0 and last[node, 0] != group:
                score = 0.0
                if is_gini:
                    below, above, load, rest = 0.0, 0.0, 0.0, 0.0
                    for k in range(n_classes):
                        a, b = left[node, k], whole[node, k] - left[node, k]
                        below += a * a
                        above += b * b
                        load += a
                        rest += b
                    score = -(below / load + above / rest)
                else:
                    top, top_right = 0.0, 0.0
                    for k in range(n_classes):
                        a, b = left[node, k], whole[node, k] - left[node, k]
                        score += a + b
                        top, top_right = max(top, a), max(top_right, b)
                    score -= top + top_right
                if score < out[node]["score"]:
                    out[node]["score"], out[node]["feature"] = score, first + f
                    out[node]["below"], out[node]["above"] = last[node, 1], row
            last[node, 0], last[node, 1] = group, row
            left[node, numbers.classes[row]] += abs(np.float64(numbers.weight[row]))
