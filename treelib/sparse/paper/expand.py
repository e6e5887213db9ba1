"""The search itself in resumable steps: take a state, combine splits, push the masks of each child.

Conventions that decide the counts are in the module text of `branch_and_bound`.
"""

import numpy as np

from treelib.compiled.bits import ALL_ONES, ONE, WORD, n_bits, popcount
from treelib.compiled.jit import kernel
from treelib.sparse.paper.bounds import (
    gains_too_little,
    is_beaten,
    is_hopeless,
    is_like_hopeless,
    is_too_weak,
    may_split,
    remember_sibling,
)
from treelib.sparse.paper.column_order import list_candidates
from treelib.sparse.paper.leaf_cache import bury_column, complete_leaf, find_child
from treelib.sparse.paper.search_state import (
    BREADTH,
    CURIOSITY,
    DEPTH,
    EMPTY,
    ENTROPY,
    LOWER_BOUND,
    MAX_SPLIT,
    OPEN,
    leaf_is_split,
)
from treelib.sparse.paper.state_queue import push_state, take_beaten, take_state
from treelib.sparse.paper.tree_cache import add_child_tree, fetch_next_slot

# phases
TAKE, COMBINE, PUSH = range(3)

# why `advance` returned
PAUSED, DONE, IMPROVED, LEAVES_FULL, TREES_FULL, QUEUE_FULL, TOO_WIDE = range(7)


def plant_root(s):
    """Enter the empty leaf and the single-leaf tree in the empty tables of `s`, and queue it."""
    now = s.now[0]
    for w in range(s.columns.shape[1]):
        n_bits = min(WORD, len(s.class_counts) - w * WORD)
        s.leaf_rows[0, w] = ALL_ONES >> np.uint64(WORD - n_bits)
    s.leaf_column[0] = OPEN
    s.leaf["hash"][0] = ONE
    s.leaf_slot[int(ONE)] = 0
    complete_leaf(s, 0)
    s.tree_leaf[0] = 0
    s.tree["start"][:2] = 0, 1
    s.tree["hash"][0] = ONE
    s.tree_slot[int(ONE)] = 0
    now["n_leaves"] = now["n_trees"] = now["queue_size"] = now["queue_peak"] = 1
    now["most_leaves"] = 2.0 ** min(s.columns.shape[0], 1023)  # the largest power of two there is
    s.queue[0] = (0.0, 0, 1)
    now["best"] = s.leaf_loss["loss"][0] + s.regularization
    now["dropped"] = np.inf


@kernel(allocates=False)
def advance(s, n_work):
    """Work `n_work` units (states taken, combinations tried, states pushed), or until something comes up.

    Returns PAUSED, DONE (the queue is empty), IMPROVED (new incumbent), LEAVES_FULL, TREES_FULL or
    QUEUE_FULL (enlarge the table and call again), or TOO_WIDE (more than MAX_SPLIT leaves to split at once;
    the state stays open and the search cannot go on).
    """
    now = s.now[0]
    while n_work > 0:
        phase = now["phase"]
        if phase == PUSH:
            n_work = _push_masks(s, n_work)
            if n_work < 0:
                return QUEUE_FULL
            continue
        if phase == TAKE:
            n_work -= take_beaten(s, n_work)
            if n_work == 0:
                break
        n_work -= 1
        if phase == COMBINE:
            n_fresh = 2 * now["n_split"]
            if n_fresh > 2 * MAX_SPLIT:
                return TOO_WIDE
            n_trees = now["n_trees"]
            if now["n_leaves"] + n_fresh > len(s.leaf):
                return LEAVES_FULL
            room = len(s.tree_leaf) - s.tree[n_trees]["start"]
            if n_trees == len(s.tree) - 1 or now["n_unchanged"] + n_fresh > room:
                return TREES_FULL
            if _try_combination(s):
                return IMPROVED
        else:
            if now["queue_size"] == 0:
                return DONE
            take_state(s)
            _measure_state(s)
            if not is_hopeless(s):
                _begin_expansion(s)
    return PAUSED


@kernel(allocates=False)
def _measure_state(s):
    """Sums over the unchanged and the split leaves of the state at hand, in leaf order."""
    now = s.now[0]
    first, last = s.tree[now["tree"]]["start"], s.tree[now["tree"] + 1]["start"]
    loss = entropy = equivalent = 0.0
    n_rows = n_split = 0
    h = np.uint64(0)
    for i in range(last - first):
        leaf = np.int64(s.tree_leaf[first + i])
        if leaf_is_split(now["mask"], i, last - first):
            s.place[n_split]["split"] = leaf
            equivalent += s.leaf_loss[leaf]["equivalent"]
            n_split += 1
        else:
            loss += s.leaf_loss[leaf]["loss"]
            entropy += s.leaf[leaf]["entropy"]
            n_rows += s.leaf[leaf]["n_rows"]
            h += s.leaf[leaf]["hash"]
    now["n_split"] = n_split
    now["n_unchanged"] = last - first - n_split
    now["unchanged_rows"] = n_rows
    now["unchanged_loss"] = loss
    now["unchanged_entropy"] = entropy
    now["split_equivalent"] = equivalent
    now["unchanged_hash"] = h


@kernel(allocates=False)
def _begin_expansion(s):
    """Set the cursor to the first combination of columns of the state at hand."""
    now = s.now[0]
    now["phase"] = COMBINE
    n_split = now["n_split"]
    if n_split > MAX_SPLIT:
        return
    for i in range(n_split):
        leaf = s.place[i]["split"]
        n = list_candidates(s.leaf_column[leaf], s.paper, s.candidate[i], s.scratch)
        s.place[i]["n_candidates"] = n
        s.place[i]["choice"] = 0
        if n == 0:
            now["phase"] = TAKE
            return
    first, last = s.tree[now["tree"]]["start"], s.tree[now["tree"] + 1]["start"]
    for i in range(last - first):
        if not leaf_is_split(now["mask"], i, last - first):
            s.leaf[s.tree_leaf[first + i]]["stamp"] = now["n_taken"]


@kernel(allocates=False)
def _try_combination(s):
    """Build the child of the combination at hand, go to the next one; True if it is the new incumbent."""
    now = s.now[0]
    is_child = not is_like_hopeless(s) and _split_leaves(s)
    if is_child:
        remember_sibling(s)
    tree = add_child_tree(s) if is_child else np.int64(-1)
    n_split = now["n_split"]
    i = n_split - 1
    while i >= 0:
        s.place[i]["choice"] += 1
        if s.place[i]["choice"] < s.place[i]["n_candidates"]:
            break
        s.place[i]["choice"] = 0
        i -= 1
    after = COMBINE if i >= 0 else TAKE
    now["phase"] = after
    if after == COMBINE:
        fetch_next_slot(s)
    if tree < 0:
        return False
    now["child"] = tree
    objective = now["unchanged_loss"]
    for k in range(2 * n_split):
        objective += s.leaf_loss[s.place[k]["fresh"]]["loss"]
    objective += s.regularization * (now["n_unchanged"] + 2 * n_split)
    now["child_objective"] = objective
    _begin_masks(s)
    if now["splittable"] != np.uint64(0):
        now["after_push"] = after
        now["phase"] = PUSH
    if objective < now["best"]:
        now["best"] = objective
        now["best_tree"] = tree
        now["n_to_optimum"] = now["n_evaluated"] + 1
        return True
    return False


@kernel(allocates=False)
def _split_leaves(s):
    """Make the new leaves, halves of those to be split; False if one is too weak (Theorem 3.5)."""
    now = s.now[0]
    for i in range(now["n_split"]):
        leaf = np.int64(s.place[i]["split"])
        column = np.int64(s.candidate[i, s.place[i]["choice"]])
        for value in range(2):
            # what is known is looked up here: to hand all of `s` to a function takes longer
            child = np.int64(s.leaf_child[leaf, column, value])
            if child == EMPTY:
                child = find_child(s, leaf, column, value)
            if is_too_weak(s, child):
                bury_column(s, leaf, column)
                return False
            s.place[2 * i + value]["fresh"] = child
    return True


@kernel(allocates=False)
def _begin_masks(s):
    """Which new leaves may be split at all, and of which pairs one must be (Theorem 3.4)."""
    now = s.now[0]
    n_split = now["n_split"]
    splittable = np.uint64(0)
    for k in range(2 * n_split):
        leaf = s.place[k]["fresh"]
        splittable <<= ONE
        if may_split(s, leaf):
            splittable |= ONE
    required = np.uint64(0)
    for i in range(n_split):
        if gains_too_little(s, s.place[i]["split"], s.place[2 * i]["fresh"], s.place[2 * i + 1]["fresh"]):
            pair = np.uint64(2 * (n_split - 1 - i))
            if (splittable >> pair) & np.uint64(3) == np.uint64(0):
                splittable = np.uint64(0)
            required |= ONE << pair
    now["required"] = required
    now["splittable"] = splittable
    now["child_mask"] = now["changed"] = np.uint64(0)
    s.place[0]["loss"] = now["unchanged_loss"]
    s.place[0]["entropy"] = now["unchanged_entropy"]
    s.place[0]["n_rows"] = now["unchanged_rows"]
    s.place[0]["equivalent"] = 0.0
    _sum_from(s, 0, now["child_mask"])


@kernel(allocates=False)
def _sum_from(s, first, mask):
    """Sums of `PLACE` over the new leaves from the one at place `first` on, for the child with `mask`.

    In the order of the leaves, which fixes how they are rounded: those before `first` stand already.
    """
    n_fresh = 2 * s.now[0]["n_split"]
    for k in range(first, n_fresh):
        here, behind = s.place[k], s.place[k + 1]
        leaf, losses = s.leaf[here["fresh"]], s.leaf_loss[here["fresh"]]
        loss, entropy, n_rows, equivalent = here["loss"], here["entropy"], here["n_rows"], here["equivalent"]
        if leaf_is_split(mask, k, n_fresh):
            equivalent += losses["equivalent"]
        else:
            loss += losses["loss"]
            entropy += leaf["entropy"]
            n_rows += leaf["n_rows"]
        behind["loss"], behind["entropy"] = loss, entropy
        behind["n_rows"], behind["equivalent"] = n_rows, equivalent


@kernel(allocates=False)
def _push_masks(s, n_work):
    """Push the child at hand with one mask after the other, where a mask is allowed and there is work left.

    Masks ascend, where the last leaf changes fastest. Returns the units of work left, -1 for a full queue.
    """
    now = s.now[0]
    full, required, n_fresh = now["splittable"], now["required"], 2 * now["n_split"]
    length = now["n_unchanged"] + n_fresh
    mask = now["child_mask"]
    changed = now["changed"]
    while n_work > 0:
        if now["queue_size"] == len(s.queue) or now["n_wide"] == len(s.wide):
            n_work = -1
            break
        n_work -= 1
        before = mask
        mask = (mask - full) & full  # the next subset of the bits of `full`
        changed |= mask ^ before
        if (mask | mask >> ONE) & required == required:
            _sum_from(s, n_fresh - n_bits(changed), mask)
            changed = np.uint64(0)
            now["n_evaluated"] += 1
            kept = s.place[n_fresh]
            bound = kept["loss"] + s.regularization * length
            out = is_beaten(s, bound, length, popcount(mask), kept["equivalent"])
            push_state(s, _metric(s, kept, bound), now["child"], mask, np.int64(out))
        if mask == full:
            now["phase"] = now["after_push"]
            break
    now["child_mask"], now["changed"] = mask, changed
    return n_work


@kernel(allocates=False)
def _metric(s, kept, bound):
    """Priority of a state; the queue takes the smallest first.

    kept : PLACE, with the sums over its unchanged leaves
    bound : float, their loss and the price of all leaves
    """
    now = s.now[0]
    if s.policy == BREADTH:
        return float(now["n_evaluated"])
    if s.policy == DEPTH:
        return -float(now["n_evaluated"])
    n_rows = kept["n_rows"]
    if s.policy == CURIOSITY:
        # a hundredth of a row stands for none
        return bound / (n_rows / s.n_rows) if n_rows > 0 else bound / (0.01 / s.n_rows)
    if s.policy == LOWER_BOUND:
        return bound
    if s.policy == ENTROPY:
        return kept["entropy"] / n_rows if n_rows > 0 else kept["entropy"] / 0.01
    return now["child_objective"]
