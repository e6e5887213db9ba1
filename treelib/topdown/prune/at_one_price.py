"""The pruning at one price, from the bottom up."""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel

UNKNOWN, SPLIT, LEAF = 0, 1, 2


class Below(NamedTuple):
    """The best tree below each node.

    cost : float64 (n_nodes,). n_leaves : intp (n_nodes,). state : uint8 (n_nodes,), what the node is in it.
    """

    cost: np.ndarray
    n_leaves: np.ndarray
    state: np.ndarray


@kernel(allocates=False)
def close_nodes(left, right, cost, price, rounding, node, best):
    """Decide from `node` up to the root which nodes are leaves of the tree of least cost at a price per leaf.

    Parameters
    ----------
    left, right : intp (n_nodes,), children, in preorder. cost : float64 (n_nodes,), of each node as a leaf
    price : float
    rounding : float, relative error of a sum of two, 0 where all sums are exact
    node : int, where to begin: all after it are done
    best : Below, written; what is not UNKNOWN at `node` is taken as decided

    Returns
    -------
    int, a node that the rounding leaves in doubt, or -1 when all are decided
    """
    below, n_leaves, state = best
    while node >= 0:
        below[node], n_leaves[node] = cost[node], 1
        if left[node] < 0:
            state[node] = LEAF
        else:
            together = below[left[node]] + below[right[node]]
            n = n_leaves[left[node]] + n_leaves[right[node]]
            if state[node] == UNKNOWN:
                more = price * (n - 1)
                saved = cost[node] - together - more
                # a sum of n terms, none negative, is off by n roundings at most
                if rounding > 0 and abs(saved) <= (n + 8) * rounding * (cost[node] + together + more):
                    return node
                state[node] = LEAF if saved <= 0 else SPLIT
            if state[node] == SPLIT:
                below[node], n_leaves[node] = together, n
        node -= 1
    return -1


@kernel(allocates=False)
def keep_nodes(left, right, state, kept):
    """Whether each node is in the tree that `close_nodes` found; `kept` : bool (n_nodes,), written."""
    kept[:] = False
    kept[0] = True
    for node in range(len(left)):
        if kept[node] and state[node] == SPLIT:
            kept[left[node]] = kept[right[node]] = True
