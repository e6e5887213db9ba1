"""What the nodes of a regression tree predict, counted from the rows once the tree is grown.

While a tree grows, a node keeps the sum of its targets less their mean over all rows, which serves the
search. A mean made of that sum and the mean is a rounding off: a leaf of zeros would predict -2e-16. Here the
targets of every leaf are added up as they are, with the part that rounding takes off each sum (T. J. Dekker,
Numerische Mathematik 18, 1971); an inner node adds up its children.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.one_tree import BEGIN, END, FEATURE, LEFT, RIGHT

SUM, REST, LOWEST, HIGHEST = range(4)


class NodeSums(NamedTuple):
    """Sums of one column of numbers over the rows of each node.

    sums : float64 (n_nodes, 4), columns SUM, REST (what rounding took off it), LOWEST and HIGHEST number
    weight : float64 (n_nodes,), of the rows
    """

    sums: np.ndarray
    weight: np.ndarray

    def mean(self):
        """Weighted mean in each node, float64 (n_nodes,), never outside the range of the numbers."""
        mean = (self.sums[:, SUM] + self.sums[:, REST]) / self.weight
        return np.clip(mean, self.sums[:, LOWEST], self.sums[:, HIGHEST])


def sum_up(rows, whole, shift, column):
    """`NodeSums` of a grown tree.

    Parameters
    ----------
    rows : treelib.topdown.grow.one_tree.Rows of a tree that is grown
    whole : intp (n_nodes, 10), of `treelib.topdown.grow.one_tree.Nodes`
    shift : int, lowest bit of the row number in a code
    column : float64 (n_all,), by row number
    """
    found = NodeSums(np.empty((len(whole), 4)), np.empty(len(whole)))
    add_targets(rows.codes, lists_of(rows, whole), whole, shift, column, rows.weight, *found)
    return found


def lists_of(rows, whole):
    """For each node the list in ``rows.codes`` that was divided when the node was made, intp (n_nodes,)."""
    lists = np.zeros(len(whole), dtype=np.intp)
    inner = np.flatnonzero(whole[:, LEFT] >= 0)
    if rows.ranks is None:
        lists[whole[inner, LEFT]] = lists[whole[inner, RIGHT]] = whole[inner, FEATURE]
    return lists


@kernel(allocates=False)
def add_targets(codes, lists, whole, shift, target, weight, sums, weights):
    """Sums of the targets of each node.

    Parameters
    ----------
    codes, lists, whole, shift, target : as in `sum_up`
    weight : float64 (n_all,), or empty for ones
    sums : float64 (n_nodes, 4), written: weighted sum, what rounding took off it, least and largest target
    weights : float64 (n_nodes,), written
    """
    for node in range(len(whole) - 1, -1, -1):
        total, rest, of_weights, low, high = 0.0, 0.0, 0.0, np.inf, -np.inf
        if whole[node, LEFT] < 0:
            line, w = codes[lists[node]], 1.0
            for i in range(whole[node, BEGIN], whole[node, END]):
                row = np.int64(line[i]) >> shift
                if len(weight) > 0:
                    w = weight[row]
                y = target[row]
                total, rest = add_exactly(total, rest, w * y)
                of_weights += w
                low, high = min(low, y), max(high, y)
        else:
            for child in (whole[node, LEFT], whole[node, RIGHT]):
                total, rest = add_exactly(total, rest + sums[child, REST], sums[child, SUM])
                of_weights += weights[child]
                low, high = min(low, sums[child, LOWEST]), max(high, sums[child, HIGHEST])
        sums[node, SUM], sums[node, REST] = total, rest
        sums[node, LOWEST], sums[node, HIGHEST] = low, high
        weights[node] = of_weights


@kernel(inner=True)
def add_exactly(total, rest, value):
    """(total + value as rounded, rest + what the rounding took off)."""
    found = total + value
    part = found - total
    return found, rest + ((total - (found - part)) + (value - part))
