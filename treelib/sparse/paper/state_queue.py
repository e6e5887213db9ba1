"""The queue of states: a binary heap that moves its entries exactly as Python's heapq does.

Which of two states with equal metrics comes first decides how many trees are evaluated, so the printed
counts fix the heap: a popped root is replaced by the last entry, which first sinks to the bottom along the
smaller children and then rises.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import leaf_is_split


@kernel(allocates=False)
def push_state(s, metric, tree, mask):
    """Put a state on the queue; s : Search with room for one more."""
    now = s.now[0]
    size = now["queue_size"]
    now["queue_size"] = size + 1
    now["queue_peak"] = max(now["queue_peak"], size + 1)
    _rise(s.queue, size, metric, tree, mask)


@kernel(allocates=False)
def take_state(s):
    """Take the first state off the queue (not empty); it becomes the state at hand."""
    now = s.now[0]
    size = now["queue_size"] - 1
    now["queue_size"] = size
    now["n_taken"] += 1
    now["tree"] = s.queue[0]["tree"]
    now["mask"] = s.queue[0]["mask"]
    at = 0
    child = 1
    while child < size:
        if child + 1 < size and not s.queue[child]["metric"] < s.queue[child + 1]["metric"]:
            child += 1
        s.queue[at] = s.queue[child]
        at = child
        child = 2 * at + 1
    if size > 0:
        _rise(s.queue, at, s.queue[size]["metric"], s.queue[size]["tree"], s.queue[size]["mask"])


@kernel(allocates=False)
def lowest_open_bound(s):
    """Least value that a tree grown from any state in the queue, or from the one at hand, can have.

    The loss of the unchanged leaves and the equivalent-points loss of the others, plus the price of all
    leaves of the tree and of one more for every leaf to be split; all bounds that hold, whatever is
    switched off. inf when nothing is open. O(queue x leaves).
    """
    now = s.now[0]
    least = np.inf
    if now["phase"] != 0:
        n_leaves = now["n_unchanged"] + 2 * now["n_split"]
        least = now["unchanged_loss"] + now["split_equivalent"] + s.regularization * n_leaves
    for q in range(now["queue_size"]):
        tree, mask = s.queue[q]["tree"], s.queue[q]["mask"]
        first, last = s.tree[tree]["start"], s.tree[tree + 1]["start"]
        loss = 0.0
        n_leaves = last - first
        for i in range(last - first):
            leaf = s.tree_leaf[first + i]
            if leaf_is_split(mask, i, last - first):
                loss += s.leaf[leaf]["equivalent"]
                n_leaves += 1
            else:
                loss += s.leaf[leaf]["loss"]
        least = min(least, loss + s.regularization * n_leaves)
    return least


@kernel(allocates=False)
def _rise(queue, at, metric, tree, mask):
    """Put a state at the free place `at` and let it rise while it comes before its parent."""
    while at > 0:
        parent = (at - 1) >> 1
        if not metric < queue[parent]["metric"]:
            break
        queue[at] = queue[parent]
        at = parent
    queue[at]["metric"] = metric
    queue[at]["tree"] = tree
    queue[at]["mask"] = mask
