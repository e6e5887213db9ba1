"""The search itself in resumable steps: take a state, combine splits, push the masks of each child.

Conventions that decide the counts are in the module text of `branch_and_bound`.
"""

import math

import numpy as np

from treelib.bits import ALL_ONES, ONE, WORD
from treelib.jit import kernel
from treelib.sparse.bnb_leaf import bury_column, complete_leaf, count_apart, find_child, is_too_weak
from treelib.sparse.bnb_order import list_candidates
from treelib.sparse.bnb_queue import pop_state, push_state
from treelib.sparse.bnb_state import (
    ACCURACY,
    AFTER_PUSH,
    BEST,
    BEST_TREE,
    BREADTH,
    CHILD,
    CHILD_MASK,
    CHILD_OBJECTIVE,
    CURIOSITY,
    DEPTH,
    ENTROPY,
    EQUIVALENT_POINTS,
    INCREMENTAL_ACCURACY,
    LEAF_COUNT,
    LOOKAHEAD,
    LOWER_BOUND,
    MASK,
    MAX_SPLIT,
    N_EVALUATED,
    N_LEAVES,
    N_POPPED,
    N_REQUIRED,
    N_SPLIT,
    N_TO_OPTIMUM,
    N_TREES,
    N_UNCHANGED,
    NODE_SUPPORT,
    PHASE,
    PRUNED_OPEN,
    QUEUE_SIZE,
    SIMILAR_SUPPORT,
    SPLIT_EQUIVALENT,
    SPLITTABLE,
    TREE,
    UNCHANGED_ENTROPY,
    UNCHANGED_HASH,
    UNCHANGED_LOSS,
    UNCHANGED_ROWS,
    leaf_is_split,
)
from treelib.sparse.bnb_tree import add_child_tree

# phases
TAKE, COMBINE, PUSH = range(3)

# why `advance` returned
PAUSED, DONE, IMPROVED, LEAVES_FULL, TREES_FULL, QUEUE_FULL, TOO_WIDE = range(7)


@kernel
def plant_root(s):
    """Build the empty leaf and the single-leaf tree, and queue it; `s` has empty tables."""
    n_merged = s.class_counts.shape[0]
    for w in range(s.columns.shape[1]):
        n_bits = min(WORD, n_merged - w * WORD)
        s.leaf_rows[0, w] = ALL_ONES >> np.uint64(WORD - n_bits)
    s.leaf_literal[0] = -1
    s.leaf_dead[0] = 0
    s.leaf_hash[0] = ONE
    s.leaf_slot[ONE & np.uint64(len(s.leaf_slot) - 1)] = 0
    complete_leaf(s, 0)
    s.count[N_LEAVES] = 1
    s.tree_leaf[0] = 0
    s.tree_start[1] = 1
    s.tree_hash[0] = ONE
    s.tree_slot[ONE & np.uint64(len(s.tree_slot) - 1)] = 0
    s.count[N_TREES] = 1
    s.number[BEST] = s.leaf_loss[0] + s.regularization
    s.count[BEST_TREE] = 0
    push_state(s, 0.0, 0, ONE)


@kernel
def advance(s, n_work):
    """Work `n_work` units (states taken, combinations tried, states pushed), or until something comes up.

    Returns PAUSED, DONE (the queue is empty), IMPROVED (new incumbent), LEAVES_FULL, TREES_FULL or
    QUEUE_FULL (enlarge the table and call again), or TOO_WIDE (more than MAX_SPLIT leaves to split at once;
    the state stays open and the search cannot go on).
    """
    for _ in range(n_work):
        phase = s.count[PHASE]
        if phase == PUSH:
            if s.count[QUEUE_SIZE] == len(s.queue_metric):
                return QUEUE_FULL
            _push_next_mask(s)
        elif phase == COMBINE:
            n_fresh = 2 * s.count[N_SPLIT]
            if n_fresh > 2 * MAX_SPLIT:
                return TOO_WIDE
            n_trees = s.count[N_TREES]
            if s.count[N_LEAVES] + n_fresh > len(s.leaf_loss):
                return LEAVES_FULL
            room = len(s.tree_leaf) - s.tree_start[n_trees]
            if n_trees == len(s.tree_hash) or s.count[N_UNCHANGED] + n_fresh > room:
                return TREES_FULL
            if _try_combination(s):
                return IMPROVED
        else:
            if s.count[QUEUE_SIZE] == 0:
                return DONE
            pop_state(s)
            _measure_state(s)
            if not _is_hopeless(s):
                _begin_expansion(s)
    return PAUSED


@kernel
def _measure_state(s):
    """Sums over the unchanged and the split leaves of the popped state, in leaf order."""
    first, last = s.tree_start[s.count[TREE]], s.tree_start[s.count[TREE] + 1]
    loss = entropy = equivalent = 0.0
    n_rows = n_split = 0
    h = np.uint64(0)
    for i in range(last - first):
        leaf = s.tree_leaf[first + i]
        if leaf_is_split(s.word[MASK], i, last - first):
            s.split[n_split] = leaf
            equivalent += s.leaf_equivalent[leaf]
            n_split += 1
        else:
            loss += s.leaf_loss[leaf]
            entropy += s.leaf_entropy[leaf]
            n_rows += s.leaf_n_rows[leaf]
            h += s.leaf_hash[leaf]
    s.count[N_SPLIT] = n_split
    s.count[N_UNCHANGED] = last - first - n_split
    s.count[UNCHANGED_ROWS] = n_rows
    s.number[UNCHANGED_LOSS] = loss
    s.number[UNCHANGED_ENTROPY] = entropy
    s.number[SPLIT_EQUIVALENT] = equivalent
    s.word[UNCHANGED_HASH] = h


@kernel
def _is_hopeless(s):
    """Whether no tree grown from the popped state can beat the incumbent, by the bounds switched on."""
    n_split = s.count[N_SPLIT]
    length = s.count[N_UNCHANGED] + n_split
    bound = s.number[UNCHANGED_LOSS] + s.regularization * length
    best = s.number[BEST]
    is_slip = False
    if s.on[LEAF_COUNT]:
        limit = min(length + math.floor((best - bound) / s.regularization), 2.0 ** s.columns.shape[0])
        if length + n_split > limit:
            return True
        is_slip = s.paper != 0 and length + n_split == limit
    proven = bound + s.number[SPLIT_EQUIVALENT] + n_split * s.regularization
    if s.on[EQUIVALENT_POINTS]:
        bound += s.number[SPLIT_EQUIVALENT]
    if s.on[LOOKAHEAD]:
        bound += n_split * s.regularization
    if bound >= best:
        return True
    if is_slip:
        # dropped without proof: what it could have held stays in the lower bound of the search
        s.number[PRUNED_OPEN] = min(s.number[PRUNED_OPEN], proven)
    return is_slip


@kernel
def _begin_expansion(s):
    """Set the cursor to the first combination of columns of the popped state."""
    s.count[PHASE] = COMBINE
    n_split = s.count[N_SPLIT]
    if n_split > MAX_SPLIT:
        return
    for i in range(n_split):
        leaf = s.split[i]
        n = list_candidates(s.leaf_literal[leaf], s.leaf_dead[leaf], s.paper, s.candidate[i], s.scratch)
        s.n_candidates[i] = n
        s.choice[i] = 0
        if n == 0:
            s.count[PHASE] = TAKE
            return
    first, last = s.tree_start[s.count[TREE]], s.tree_start[s.count[TREE] + 1]
    for i in range(last - first):
        if not leaf_is_split(s.word[MASK], i, last - first):
            s.leaf_stamp[s.tree_leaf[first + i]] = s.count[N_POPPED]


@kernel
def _try_combination(s):
    """Build the child of the combination at hand, go to the next one; True if it is the new incumbent."""
    is_child = not (s.on[SIMILAR_SUPPORT] and _is_like_hopeless(s)) and _split_leaves(s)
    if is_child and s.on[SIMILAR_SUPPORT]:
        _remember_sibling(s)
    tree = add_child_tree(s) if is_child else np.int64(-1)
    n_split = s.count[N_SPLIT]
    i = n_split - 1
    while i >= 0:
        s.choice[i] += 1
        if s.choice[i] < s.n_candidates[i]:
            break
        s.choice[i] = 0
        i -= 1
    after = COMBINE if i >= 0 else TAKE
    s.count[PHASE] = after
    if tree < 0:
        return False
    s.count[CHILD] = tree
    objective = s.number[UNCHANGED_LOSS]
    for k in range(2 * n_split):
        objective += s.leaf_loss[s.fresh[k]]
    objective += s.regularization * (s.count[N_UNCHANGED] + 2 * n_split)
    s.number[CHILD_OBJECTIVE] = objective
    _begin_masks(s)
    if s.word[SPLITTABLE] != np.uint64(0):
        s.count[AFTER_PUSH] = after
        s.count[PHASE] = PUSH
    if objective < s.number[BEST]:
        s.number[BEST] = objective
        s.count[BEST_TREE] = tree
        s.count[N_TO_OPTIMUM] = s.count[N_EVALUATED] + 1
        return True
    return False


@kernel
def _split_leaves(s):
    """Fill `s.fresh` with the halves of the leaves to be split; False if one is too weak (Theorem 3.5)."""
    for i in range(s.count[N_SPLIT]):
        leaf = np.int64(s.split[i])
        column = np.int64(s.candidate[i, s.choice[i]])
        for value in range(2):
            child = find_child(s, leaf, column, value)
            if s.on[ACCURACY] and is_too_weak(s, child):
                bury_column(s, leaf, column)
                return False
            s.fresh[2 * i + value] = child
    return True


@kernel
def _begin_masks(s):
    """Which new leaves may be split at all, and of which pairs one must be (Theorem 3.4)."""
    n_split = s.count[N_SPLIT]
    splittable = np.uint64(0)
    for k in range(2 * n_split):
        leaf = s.fresh[k]
        splittable <<= ONE
        is_small = s.on[NODE_SUPPORT] and s.leaf_loss[leaf] <= s.regularization
        if not is_small and s.leaf_open[leaf] > 0:
            splittable |= ONE
    n_required = 0
    if s.on[INCREMENTAL_ACCURACY]:
        for i in range(n_split):
            false, true = s.leaf_loss[s.fresh[2 * i]], s.leaf_loss[s.fresh[2 * i + 1]]
            if s.leaf_loss[s.split[i]] - false - true <= s.regularization:
                pair = np.uint64(3) << np.uint64(2 * (n_split - 1 - i))
                if pair & splittable == np.uint64(0):
                    splittable = np.uint64(0)
                s.required[n_required] = pair
                n_required += 1
    s.count[N_REQUIRED] = n_required
    s.word[SPLITTABLE] = splittable
    s.word[CHILD_MASK] = np.uint64(0)


@kernel
def _push_next_mask(s):
    """Push the child with its next allowed mask, in ascending order: the last leaf changes fastest."""
    full = s.word[SPLITTABLE]
    mask = s.word[CHILD_MASK]
    while True:
        mask = (mask - full) & full  # the next subset of the bits of `full`
        is_allowed = True
        for k in range(s.count[N_REQUIRED]):
            is_allowed &= mask & s.required[k] != np.uint64(0)
        if is_allowed or mask == np.uint64(0):
            break
    s.word[CHILD_MASK] = mask
    if mask == np.uint64(0):
        s.count[PHASE] = s.count[AFTER_PUSH]
        return
    s.count[N_EVALUATED] += 1
    push_state(s, _metric(s, mask), s.count[CHILD], mask)
    if mask == full:
        s.count[PHASE] = s.count[AFTER_PUSH]


@kernel
def _metric(s, mask):
    """Priority of the child at hand with `mask`; the queue takes the smallest first."""
    if s.policy == BREADTH:
        return float(s.count[N_EVALUATED])
    if s.policy == DEPTH:
        return -float(s.count[N_EVALUATED])
    n_fresh = 2 * s.count[N_SPLIT]
    loss, entropy = s.number[UNCHANGED_LOSS], s.number[UNCHANGED_ENTROPY]
    n_rows = s.count[UNCHANGED_ROWS]
    for k in range(n_fresh):
        if not leaf_is_split(mask, k, n_fresh):
            leaf = s.fresh[k]
            loss += s.leaf_loss[leaf]
            entropy += s.leaf_entropy[leaf]
            n_rows += s.leaf_n_rows[leaf]
    bound = loss + s.regularization * (s.count[N_UNCHANGED] + n_fresh)
    if s.policy == CURIOSITY:
        # a hundredth of a row stands for none
        return bound / (n_rows / s.n_rows) if n_rows > 0 else bound / (0.01 / s.n_rows)
    if s.policy == LOWER_BOUND:
        return bound
    if s.policy == ENTROPY:
        return entropy / n_rows if n_rows > 0 else entropy / 0.01
    return s.number[CHILD_OBJECTIVE]


@kernel
def _is_like_hopeless(s):
    """Theorem F.1: a sibling that differs only in the column of the last leaf is hopeless by a margin.

    Two columns can swap at most the rows on which they differ, or on which they agree when the halves are
    exchanged.
    """
    last = s.count[N_SPLIT] - 1
    leaf = s.split[last]
    if s.choice[last] == 0:
        s.similar_bound[:] = -np.inf
    column = s.candidate[last, s.choice[last]]
    for k in range(s.choice[last]):
        other = s.candidate[last, k]
        if s.similar_bound[other] >= s.number[BEST]:
            n_apart = count_apart(s, leaf, column, other)
            omega = min(n_apart, s.leaf_n_rows[leaf] - n_apart) / s.n_rows
            if s.similar_bound[other] - omega >= s.number[BEST]:
                return True
    return False


@kernel
def _remember_sibling(s):
    """Keep a bound of the child at hand and all that grows from it: each new leaf stays, or is split."""
    last = s.count[N_SPLIT] - 1
    n_fresh = 2 * s.count[N_SPLIT]
    bound = s.number[UNCHANGED_LOSS]
    price = s.regularization if s.on[LOOKAHEAD] else 0.0
    for k in range(n_fresh):
        leaf = s.fresh[k]
        equivalent = s.leaf_equivalent[leaf] if s.on[EQUIVALENT_POINTS] else 0.0
        bound += min(s.leaf_loss[leaf], equivalent + price)
    bound += s.regularization * (s.count[N_UNCHANGED] + n_fresh)
    s.similar_bound[s.candidate[last, s.choice[last]]] = bound
