"""The queue of states: a binary heap that moves its entries exactly as Python's heapq does.

Which of two states with equal metrics comes first decides how many trees are evaluated, so the printed
counts fix the heap: a popped root is replaced by the last entry, which first sinks to the bottom along the
smaller children and then rises.
"""

import numpy as np

from treelib.jit import kernel
from treelib.sparse.bnb_state import (
    MASK,
    N_POPPED,
    N_SPLIT,
    PHASE,
    QUEUE_PEAK,
    QUEUE_SIZE,
    SPLIT_EQUIVALENT,
    TREE,
    UNCHANGED_LOSS,
    leaf_is_split,
)


@kernel
def push_state(s, metric, tree, mask):
    """Put a state on the queue; s : Search with room for one more."""
    size = s.count[QUEUE_SIZE]
    s.count[QUEUE_SIZE] = size + 1
    s.count[QUEUE_PEAK] = max(s.count[QUEUE_PEAK], size + 1)
    _rise(s, size, 0, metric, tree, mask)


@kernel
def pop_state(s):
    """Take the first state off the queue (not empty); it becomes ``s.count[TREE], s.word[MASK]``."""
    size = s.count[QUEUE_SIZE] - 1
    s.count[QUEUE_SIZE] = size
    s.count[N_POPPED] += 1
    s.count[TREE] = s.queue_tree[0]
    s.word[MASK] = s.queue_mask[0]
    if size == 0:
        return
    metric, tree, mask = s.queue_metric[size], s.queue_tree[size], s.queue_mask[size]
    at = 0
    child = 1
    while child < size:
        right = child + 1
        if right < size and not s.queue_metric[child] < s.queue_metric[right]:
            child = right
        _move(s, child, at)
        at = child
        child = 2 * at + 1
    _rise(s, at, 0, metric, tree, mask)


@kernel
def lowest_open_bound(s):
    """Least value that a tree grown from any state in the queue, or from the one at hand, can have.

    The loss of the unchanged leaves and the equivalent-points loss of the others, plus the price of all
    leaves of the tree and of one more for every leaf to be split; all bounds that hold, whatever is
    switched off. inf when nothing is open. O(queue x leaves).
    """
    least = np.inf
    if s.count[PHASE] != 0:
        tree = s.count[TREE]
        n_leaves = s.tree_start[tree + 1] - s.tree_start[tree] + s.count[N_SPLIT]
        least = s.number[UNCHANGED_LOSS] + s.number[SPLIT_EQUIVALENT] + s.regularization * n_leaves
    for q in range(s.count[QUEUE_SIZE]):
        tree = s.queue_tree[q]
        first, last = s.tree_start[tree], s.tree_start[tree + 1]
        loss = 0.0
        n_leaves = last - first
        for i in range(last - first):
            leaf = s.tree_leaf[first + i]
            if leaf_is_split(s.queue_mask[q], i, last - first):
                loss += s.leaf_equivalent[leaf]
                n_leaves += 1
            else:
                loss += s.leaf_loss[leaf]
        least = min(least, loss + s.regularization * n_leaves)
    return least


@kernel
def _rise(s, at, top, metric, tree, mask):
    while at > top:
        parent = (at - 1) >> 1
        if not metric < s.queue_metric[parent]:
            break
        _move(s, parent, at)
        at = parent
    s.queue_metric[at] = metric
    s.queue_tree[at] = tree
    s.queue_mask[at] = mask


@kernel
def _move(s, source, target):
    s.queue_metric[target] = s.queue_metric[source]
    s.queue_tree[target] = s.queue_tree[source]
    s.queue_mask[target] = s.queue_mask[source]
