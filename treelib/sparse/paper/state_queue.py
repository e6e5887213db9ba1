"""The queue of states: a binary heap that moves its entries exactly as Python's heapq does.

Which of two states with equal metrics comes first decides how many trees are evaluated, so the printed
counts fix the heap: a popped root is replaced by the last entry, which first sinks to the bottom along the
smaller children and then rises. Since entries on that path only grow downwards, it comes to rest where it
first is smaller than the smaller child, and nothing below that moves.

A long queue lies in the memory behind the caches, so what is compared three levels below is asked for early.
"""

import numpy as np

from treelib.compiled.bits import ONE, fetch_early, n_bits, popcount
from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import MOST_SINKING, WIDE, leaf_is_split

# states ahead whose trees are asked for when all are looked at, and half as many for their leaves
AHEAD = 16
FIRST = np.uint64(0)


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
    now["tree"], now["mask"] = _tree_and_mask(s, 0)
    metric, end = s.queue[size]["metric"], np.uint64(size)
    at = FIRST
    child = _smaller_child(s.queue, at, end, metric)
    while child != FIRST:
        s.queue[at] = s.queue[child]
        at = child
        child = _smaller_child(s.queue, at, end, metric)
    s.queue[at] = s.queue[end]


@kernel(allocates=False)
def take_beaten(s, most):
    """Take states off the queue while the first was beaten when it was pushed, `most` at most.

    As `take_state` does it one by one. An entry that sinks never comes back to where it was, so others follow
    it two levels above while the memory answers the first. The last entry of the queue, which is next to
    sink, has to wait while one before it might still move it. Returns how many were taken.
    """
    now, queue, sinking = s.now[0], s.queue, s.sinking
    size = now["queue_size"]
    left = min(most, size)
    n = 0
    while True:
        if n < MOST_SINKING and left > 0 and queue[0]["tree"] & np.uint32(1) != np.uint32(0):
            if _may_follow(sinking, n, np.uint64(size)):
                left -= 1
                size -= 1
                now["tree"], now["mask"] = _tree_and_mask(s, 0)
                sinking[n]["at"], sinking[n]["size"] = FIRST, np.uint64(size)
                sinking[n]["metric"] = queue[size]["metric"]
                n += 1
        if n == 0:
            break
        k = 0
        while k < n:
            at, end = sinking[k]["at"], sinking[k]["size"]
            child = _smaller_child(queue, at, end, sinking[k]["metric"])
            queue[at] = queue[end if child == FIRST else child]
            sinking[k]["at"] = child
            k += 1
            if child == FIRST:
                k -= 1
                n -= 1
                sinking[k] = sinking[n]
    n_taken = now["queue_size"] - size
    now["queue_size"] = size
    now["n_taken"] += n_taken
    return n_taken


@kernel(inner=True)
def _may_follow(sinking, n, size):
    """Whether the last of `size` entries can sink while the first `n` of `sinking` do."""
    may = True
    for k in range(n):
        place = sinking[k]["at"] + ONE
        # the way from the first entry to the last leads through the place, or ends there
        is_above = size >> np.uint64(max(n_bits(size) - n_bits(place), 0)) == place
        may &= (place >= np.uint64(4)) & (not is_above)
    return may


@kernel(inner=True)
def _smaller_child(queue, at, size, metric):
    """Place of the smaller child of `at` in a heap of `size`, 0 if there is none, or `metric` is smaller.

    Places are uint64, which numba does not try for negative ones. Entry `size` is behind the heap, and there.
    """
    child = (at << ONE) | ONE
    if child >= size:
        return FIRST
    fetch_early(queue, np.int64(at << np.uint64(3)) + 7)
    fetch_early(queue, np.int64(at << np.uint64(3)) + 11)
    # a sum instead of a branch, which would be guessed wrong half of the time
    other = child + ONE
    is_right = not queue[child]["metric"] < queue[other]["metric"]
    child += np.uint64(is_right & (other < size))
    return FIRST if metric < queue[child]["metric"] else child


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
        n_leaves = last - first + popcount(mask)
        for i in range(last - first):
            leaf = s.tree_leaf[first + i]
            stays, split = s.leaf_loss[leaf]["loss"], s.leaf_loss[leaf]["equivalent"]
            loss += split if leaf_is_split(mask, i, last - first) else stays
        least = min(least, loss + s.regularization * n_leaves)
    return least


@kernel(inner=True)
def _tree_and_mask(s, at):
    """Number of the tree, int64, and mask, uint64, of entry `at` of the queue."""
    number, mask = np.int64(s.queue[at]["tree"]) >> 1, s.queue[at]["mask"]
    if mask == WIDE:
        return s.wide[number]["tree"], s.wide[number]["mask"]
    return number, np.uint64(mask)
