"""The tree cache: every set of leaves is expanded once, whatever the order of its leaves (Corollary E.1)."""

import numpy as np

from treelib.bits import ONE
from treelib.jit import kernel
from treelib.sparse.bnb_state import (
    EMPTY,
    MASK,
    N_POPPED,
    N_SPLIT,
    N_TREES,
    N_UNCHANGED,
    PERMUTATION,
    TREE,
    UNCHANGED_HASH,
    leaf_is_split,
)


@kernel
def add_child_tree(s):
    """Store the child made of the unchanged leaves of the popped state and the leaves in `s.fresh`.

    s : Search with room for one more tree. Returns the id of the tree, or -1 if it was known.
    """
    n_fresh = 2 * s.count[N_SPLIT]
    n_leaves = s.count[N_UNCHANGED] + n_fresh
    h = s.word[UNCHANGED_HASH]
    for i in range(n_fresh):
        h += s.leaf_hash[s.fresh[i]]
    if s.on[PERMUTATION]:
        mask = np.uint64(len(s.tree_slot) - 1)
        at = h & mask
        while s.tree_slot[at] != EMPTY:
            known = np.int64(s.tree_slot[at])
            if s.tree_hash[known] == h and _has_child_leaves(s, known, n_leaves, n_fresh):
                return np.int64(EMPTY)
            at = (at + ONE) & mask
        s.tree_slot[at] = s.count[N_TREES]
    tree = s.count[N_TREES]
    s.count[N_TREES] = tree + 1
    s.tree_hash[tree] = h
    end = s.tree_start[tree]
    first, last = s.tree_start[s.count[TREE]], s.tree_start[s.count[TREE] + 1]
    for i in range(first, last):
        if not leaf_is_split(s.word[MASK], i - first, last - first):
            s.tree_leaf[end] = s.tree_leaf[i]
            end += 1
    for i in range(n_fresh):
        s.tree_leaf[end] = s.fresh[i]
        end += 1
    s.tree_start[tree + 1] = end
    return tree


@kernel
def _has_child_leaves(s, tree, n_leaves, n_fresh):
    """Whether the leaves of `tree` are those of the child: distinct, as many, and each one of them."""
    first, last = s.tree_start[tree], s.tree_start[tree + 1]
    if last - first != n_leaves:
        return False
    for i in range(first, last):
        leaf = s.tree_leaf[i]
        found = s.leaf_stamp[leaf] == s.count[N_POPPED]
        for k in range(n_fresh):
            found |= s.fresh[k] == leaf
        if not found:
            return False
    return True
