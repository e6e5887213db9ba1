"""The paper's branch and bound as functions without Python: start, step, facts, read.

Every state is taken, split, measured and dropped by the kernels of `treelib.sparse.paper`. Columns are put in
order and the root is planted by its functions as they stand (`treelib.wasm.same_source`). Written again is
where `branch_and_bound` merges equal rows and enlarges full tables, in words that numba does not know. The
tests hold it to the same counts, tree and bound, with every set of bounds.
"""

import numpy as np
from numba import carray, njit, types
from numba.experimental import structref

from treelib.compiled.bits import ONE, WORD
from treelib.compiled.splitmix import next_random
from treelib.sparse.paper.border import gini_order
from treelib.sparse.paper.bounds import BOUNDS, SWITCHES
from treelib.sparse.paper.expand import (
    DONE,
    LEAVES_FULL,
    QUEUE_FULL,
    TAKE,
    TOO_WIDE,
    TREES_FULL,
    advance,
    plant_root,
)
from treelib.sparse.paper.search_state import (
    EMPTY,
    LEAF,
    MAX_SPLIT,
    NOW,
    PLACE,
    STATE,
    TREE,
    Search,
    fill_slots,
    leaf_is_split,
)
from treelib.sparse.paper.state_queue import lowest_open_bound
from treelib.wasm.reduction import merge_rows
from treelib.wasm.same_source import compiled, same

# for the entropy of a leaf, which only one policy looks at, and the most leaves there can be, 2 ** columns
IMPORTS = ("exp2", "log2")
# answers of `step`
RUNNING, FINISHED, NO_MEMORY = 0, 1, 2
# states to take where all are wanted
NO_LIMIT = 1 << 40
assert BOUNDS == SWITCHES.names  # a switch is found by its place

for function in (gini_order, plant_root):
    same(function)


@structref.register
class BranchingType(types.StructRef):
    """Type of `Branching`."""


class Branching(structref.StructRefProxy):
    """One search: the state of its kernels, the columns in their order, and how it stands."""


structref.define_proxy(Branching, BranchingType, ["state", "order", "status"])


@compiled
def merged_problem(X, y):
    """Columns as bits uint64 (p, n_words), and class counts int64 (n_merged, 2)."""
    n, p = X.shape
    by_class = np.zeros((n, 2))
    for i in range(n):
        by_class[i, y[i]] = 1.0
    counts, first = merge_rows(X, by_class)
    columns = np.zeros((p, (len(first) + WORD - 1) // WORD), np.uint64)
    for u in range(len(first)):
        for j in range(p):
            if X[first[u], j]:
                columns[j, u // WORD] |= ONE << np.uint64(u % WORD)
    return columns, counts.astype(np.int64)


@compiled
def new_state(columns, class_counts, regularization, rules, on):
    """As `treelib.sparse.paper.search_state.new_search`, with other hash keys: they move no answer."""
    p, n_words = columns.shape
    leaves, trees, queue, table = 1024, 4096, 16384, 8
    while table <= 4 * p:
        table *= 2
    keys, seed = np.empty((p, 2), np.uint64), np.full(1, 2019, np.uint64)
    for j in range(p):
        keys[j, 0], keys[j, 1] = next_random(seed), next_random(seed)
    return Search(
        columns, class_counts, keys, class_counts.sum(), regularization, rules[0], rules[1], on,
        np.empty(leaves, LEAF), np.empty((leaves, n_words), np.uint64), np.empty((leaves, p), np.int8),
        np.empty((leaves, p, 2), np.int32), np.full(2 * leaves, EMPTY, np.int32),
        np.empty(trees + 1, TREE), np.empty(8 * trees, np.int32), np.full(2 * trees, EMPTY, np.int32),
        np.empty(queue, STATE),
        np.zeros(2 * MAX_SPLIT, PLACE), np.empty((MAX_SPLIT, p), np.int32), np.empty(p),
        np.empty((4, table), np.int32), np.zeros(1, NOW),
    )  # fmt: skip


@compiled
def longer(array, size):
    """A copy with room for `size`."""
    grown = np.empty((size,) + array.shape[1:], array.dtype)  # noqa: RUF005, numba takes no star
    for i in range(len(array)):
        grown[i] = array[i]
    return grown


@compiled
def enlarged(s, code):
    """The state with more room where `advance` said that there is none, as `search_state` enlarges it."""
    now = s.now[0]
    leaf, leaf_rows, leaf_column, leaf_child = s.leaf, s.leaf_rows, s.leaf_column, s.leaf_child
    leaf_slot, tree, tree_leaf, tree_slot, queue = s.leaf_slot, s.tree, s.tree_leaf, s.tree_slot, s.queue
    if code == LEAVES_FULL:
        size = 2 * len(leaf)
        leaf, leaf_rows = longer(leaf, size), longer(leaf_rows, size)
        leaf_column, leaf_child = longer(leaf_column, size), longer(leaf_child, size)
        leaf_slot = np.full(2 * len(leaf_slot), EMPTY, np.int32)
        fill_slots(leaf_slot, leaf["hash"], now["n_leaves"])
    elif code == TREES_FULL:
        n_trees, n_more = now["n_trees"], now["n_unchanged"] + 2 * now["n_split"]
        if n_trees + 1 == len(tree):
            tree = longer(tree, len(tree) * 3 // 2)
            if s.on[0]["permutation"] and 2 * len(tree) > len(tree_slot):
                tree_slot = np.full(2 * len(tree_slot), EMPTY, np.int32)
                fill_slots(tree_slot, tree["hash"], n_trees)
        if tree[n_trees]["start"] + n_more > len(tree_leaf):
            tree_leaf = longer(tree_leaf, max(len(tree_leaf) * 3 // 2, len(tree_leaf) + n_more))
    else:
        queue = longer(queue, len(queue) * 3 // 2)
    return Search(
        s.columns, s.class_counts, s.literal_key, s.n_rows, s.regularization, s.policy, s.paper, s.on,
        leaf, leaf_rows, leaf_column, leaf_child, leaf_slot, tree, tree_leaf, tree_slot, queue,
        s.place, s.candidate, s.similar_bound, s.scratch, s.now,
    )  # fmt: skip


@compiled
def n_bytes(s):
    """Bytes of the tables that grow."""
    leaves = len(s.leaf) * (64 + 8 * s.leaf_rows.shape[1] + 9 * s.leaf_column.shape[1]) + 4 * len(s.leaf_slot)
    return leaves + 16 * len(s.tree) + 4 * (len(s.tree_leaf) + len(s.tree_slot)) + 24 * len(s.queue)


@compiled
def start_search(X, y, regularization, rules, on):
    """The `Branching` of a problem from a cold start, root planted; `rules`: policy, and 1 for "paper"."""
    order = gini_order(X, y).copy()
    columns, class_counts = merged_problem(X[:, order], y)
    state = new_state(columns, class_counts, regularization, rules, on)
    plant_root(state)
    return Branching(state, order, np.int64(RUNNING))


@compiled
def step_search(search, n_work, n_states, most_bytes):
    """One step of the search; how it stands then.

    It works `n_work` units, as Python's driver between two looks at the clock. Where `n_states` is below
    `NO_LIMIT`, it stops when so many were taken and split, and the next one is about to be taken.
    """
    counts = n_states < NO_LIMIT
    for _ in range(n_work if counts else 1):
        now = search.state.now[0]
        if search.status != RUNNING or (now["n_taken"] >= n_states and now["phase"] == TAKE):
            break
        code = advance(search.state, 1 if counts else n_work)
        if code == DONE:
            search.status = FINISHED
        elif code == TOO_WIDE:
            search.status = NO_MEMORY
        elif code == LEAVES_FULL or code == TREES_FULL or code == QUEUE_FULL:
            if 3 * n_bytes(search.state) > most_bytes:
                search.status = NO_MEMORY
            else:
                search.state = enlarged(search.state, code)
    return search.status


@compiled
def read_leaves(search, tree, out):
    """Write the literals of a tree's leaves to `out` int64 (leaves, p + 1); returns the number of leaves.

    A row has 0, 1 or -1 for every column of the data, and then 1 where the state at hand may split the leaf.
    """
    s, now = search.state, search.state.now[0]
    first, last = s.tree[tree]["start"], s.tree[tree + 1]["start"]
    p = len(search.order)
    for i in range(last - first):
        leaf = s.tree_leaf[first + i]
        for j in range(p):
            value = s.leaf_column[leaf, j]
            out[i, search.order[j]] = value if value == 0 or value == 1 else -1
        out[i, p] = tree == now["tree"] and leaf_is_split(now["mask"], i, last - first)
    return last - first


@njit
def start(columns, classes, n, p, regularization, policy, paper, switches):
    """`start_search` over the memory of a page: columns uint8 (n, p), classes int64 (n,), a byte a bound."""
    on = carray(switches, (1,), SWITCHES)
    return start_search(
        carray(columns, (n, p)), carray(classes, (n,)), regularization, (policy, paper), on.copy()
    )


@njit
def step(search, n_work, n_states, most_bytes):
    """`step_search`, as the page calls it."""
    return step_search(search, n_work, n_states, most_bytes)


@njit
def facts(search, out):
    """Write what is known of the search to float64 (12,).

    Best objective, lower bound, states pushed, of these to the best, states taken, states waiting, leaves
    known, trees known, merged rows, bytes, leaves of the best tree and of the one at hand.
    """
    values, s, now = carray(out, (12,)), search.state, search.state.now[0]
    values[0], values[1] = now["best"], min(now["best"], now["dropped"], lowest_open_bound(s))
    values[2], values[3], values[4] = now["n_evaluated"], now["n_to_optimum"], now["n_taken"]
    values[5], values[6], values[7] = now["queue_size"], now["n_leaves"], now["n_trees"]
    values[8], values[9] = len(s.class_counts), n_bytes(s)
    for place, tree in enumerate((now["best_tree"], now["tree"])):
        values[10 + place] = s.tree[tree + 1]["start"] - s.tree[tree]["start"]
    return 0


@njit
def read(search, at_hand, out, room):
    """`read_leaves` of the best tree, or of the one `at_hand`, to int64 (room, p + 1).

    The first row after the leaves holds the columns in the order of the search.
    """
    now = search.state.now[0]
    table = carray(out, (room, len(search.order) + 1))
    n_leaves = read_leaves(search, now["tree"] if at_hand else now["best_tree"], table)
    table[n_leaves, : len(search.order)] = search.order
    return n_leaves


U8, F64, I64 = (types.CPointer(kind) for kind in (types.uint8, types.float64, types.int64))
COUNT, NUMBER = types.int64, types.float64
EXPORTS = {
    "start": (start, (U8, I64, COUNT, COUNT, NUMBER, COUNT, COUNT, types.voidptr)),
    "step": (step, ("search", COUNT, COUNT, NUMBER)),
    "facts": (facts, ("search", F64)),
    "read": (read, ("search", COUNT, I64, COUNT)),
}
