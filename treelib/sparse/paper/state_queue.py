"""The queue of states: a binary heap that moves its entries exactly as Python's heapq does.

Which of two states with equal metrics comes first decides how many trees are evaluated, so the printed
counts fix the heap: a popped root is replaced by the last entry, which first sinks to the bottom along the
smaller children and then rises. Since entries on that path only grow downwards, it comes to rest where it
first is smaller than the smaller child, and nothing below that moves.

A long queue lies in the memory behind the caches, so what is compared three levels below is asked for early.
"""

import numpy as np

from treelib.compiled.bits import fetch_early
from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import WIDE, leaf_is_split

# states ahead whose trees are asked for when all are looked at, and half as many for their leaves
AHEAD = 16


@kernel(allocates=False)
def push_state(s, metric, tree, mask, is_beaten):
    """Put a state on the queue.

    s : Search with room for one more in `queue` and `wide`
    is_beaten : int, 1 if no tree grown from it can beat the incumbent, whatever comes before it is taken
    """
    now = s.now[0]
    narrow = np.uint32(mask)
    if mask >= np.uint64(WIDE):
        narrow = WIDE
        s.wide[now["n_wide"]]["tree"] = tree
        s.wide[now["n_wide"]]["mask"] = mask
        tree = now["n_wide"]
        now["n_wide"] += 1
    at = now["queue_size"]
    now["queue_size"] = at + 1
    now["queue_peak"] = max(now["queue_peak"], at + 1)
    while at > 0:
        parent = (at - 1) >> 1
        if not metric < s.queue[parent]["metric"]:
            break
        s.queue[at] = s.queue[parent]
        at = parent
    s.queue[at]["metric"] = metric
    s.queue[at]["tree"] = np.uint32(2 * tree + is_beaten)
    s.queue[at]["mask"] = narrow


@kernel(allocates=False)
def take_state(s):
    """Take the first state off the queue (not empty); it becomes the state at hand."""
    now = s.now[0]
    size = now["queue_size"] - 1
    now["queue_size"] = size
    now["n_taken"] += 1
    now["is_beaten"] = np.int64(s.queue[0]["tree"]) & 1
    now["tree"], now["mask"] = _tree_and_mask(s, 0)
    metric = s.queue[size]["metric"]
    at = 0
    child = 1
    while child < size:
        fetch_early(s.queue, 8 * at + 7)
        fetch_early(s.queue, 8 * at + 11)
        # a sum instead of a branch, which would be guessed wrong half of the time; entry `size` is still there
        is_right = not s.queue[child]["metric"] < s.queue[child + 1]["metric"]
        child += is_right & (child + 1 < size)
        if metric < s.queue[child]["metric"]:
            break
        s.queue[at] = s.queue[child]
        at = child
        child = 2 * at + 1
    s.queue[at] = s.queue[size]


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
    size = now["queue_size"]
    for q in range(size):
        if q + AHEAD < size:
            fetch_early(s.tree, _tree_and_mask(s, q + AHEAD)[0])
            fetch_early(s.tree_leaf, s.tree[_tree_and_mask(s, q + AHEAD // 2)[0]]["start"])
        tree, mask = _tree_and_mask(s, q)
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


@kernel(inner=True)
def _tree_and_mask(s, at):
    """Number of the tree, int64, and mask, uint64, of entry `at` of the queue."""
    number, mask = np.int64(s.queue[at]["tree"]) >> 1, s.queue[at]["mask"]
    if mask == WIDE:
        return s.wide[number]["tree"], s.wide[number]["mask"]
    return number, np.uint64(mask)
