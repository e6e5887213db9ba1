"""The tree cache: every set of leaves is expanded once, whatever the order of its leaves (Corollary E.1)."""

import numpy as np

from treelib.compiled.bits import ONE, fetch_early
from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import EMPTY, leaf_is_split


@kernel(allocates=False)
def add_child_tree(s):
    """Store the child made of the unchanged leaves of the state at hand and its new leaves.

    s : Search with room for one more tree. Returns the id of the tree, or -1 if it was known.
    """
    now = s.now[0]
    n_fresh = 2 * now["n_split"]
    h = now["unchanged_hash"]
    for k in range(n_fresh):
        h += s.leaf[s.place[k]["fresh"]]["hash"]
    new = now["n_trees"]
    if s.on[0]["permutation"]:
        mask = np.uint64(len(s.tree_slot) - 1)
        at = h & mask
        while s.tree_slot[at] != EMPTY:
            known = np.int64(s.tree_slot[at])
            if s.tree[known]["hash"] == h and _has_child_leaves(s, known):
                return np.int64(EMPTY)
            at = (at + ONE) & mask
        s.tree_slot[at] = new
    now["n_trees"] = new + 1
    s.tree[new]["hash"] = h
    end = s.tree[new]["start"]
    first, last = s.tree[now["tree"]]["start"], s.tree[now["tree"] + 1]["start"]
    for i in range(last - first):
        if not leaf_is_split(now["mask"], i, last - first):
            s.tree_leaf[end] = s.tree_leaf[first + i]
            end += 1
    for k in range(n_fresh):
        s.tree_leaf[end] = s.place[k]["fresh"]
        end += 1
    s.tree[new + 1]["start"] = end
    return new


@kernel(allocates=False)
def fetch_next_slot(s):
    """Ask the memory early for where the tree of the next combination stands, if its leaves are known."""
    h = s.now[0]["unchanged_hash"]
    for i in range(s.now[0]["n_split"]):
        leaf, column = s.place[i]["split"], s.candidate[i, s.place[i]["choice"]]
        for value in range(2):
            child = s.leaf_child[leaf, column, value]
            if child == EMPTY:
                return
            h += s.leaf[child]["hash"]
    fetch_early(s.tree_slot, np.int64(h & np.uint64(len(s.tree_slot) - 1)))


@kernel(allocates=False)
def _has_child_leaves(s, tree):
    """Whether the leaves of `tree` are those of the child: distinct, as many, and each one of them."""
    now = s.now[0]
    n_fresh = 2 * now["n_split"]
    first, last = s.tree[tree]["start"], s.tree[tree + 1]["start"]
    if last - first != now["n_unchanged"] + n_fresh:
        return False
    for i in range(first, last):
        leaf = np.int64(s.tree_leaf[i])
        found = s.leaf[leaf]["stamp"] == now["n_taken"]
        for k in range(n_fresh):
            found |= s.place[k]["fresh"] == leaf
        if not found:
            return False
    return True
