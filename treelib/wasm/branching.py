"""The paper's branch and bound as functions without Python: start, step, facts, read.

Every state is taken, split, measured and dropped by the kernels of `treelib.sparse.paper`, and what stands
around them is its own functions too, as they stand
(`treelib.wasm.language`): columns are put in order, equal rows merged, tables made and enlarged. Written for
the page is the loop of steps, which Python ends by a budget and a page by counts.
"""

import numpy as np
from numba import carray, njit, types
from numba.extending import overload

from treelib.sparse.paper import border, search_state
from treelib.sparse.paper.border import gini_order
from treelib.sparse.paper.bounds import BOUNDS, SWITCHES
from treelib.sparse.paper.branch_and_bound import _enlarged
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
from treelib.sparse.paper.search_state import Search, leaf_is_split
from treelib.sparse.paper.state_queue import lowest_open_bound
from treelib.table.packed import group_rows, pack_columns, pack_rows, slots_for
from treelib.wasm.language.same_source import compiled, replaceable, same, structure
from treelib.wasm.reduction import columns_as_bits

# for the entropy of a leaf, which only one policy looks at, and the most leaves there can be, 2 ** columns
IMPORTS = ("exp2", "log2")
# answers of `step`
RUNNING, FINISHED, NO_MEMORY = 0, 1, 2
# states to take where all are wanted
NO_LIMIT = 1 << 40
assert BOUNDS == SWITCHES.names  # a switch is found by its place


# one search: the state of its kernels, the columns in their order, and how it stands
_, Branching = structure("Branching", ["state", "order", "status"])


@overload(pack_columns)
def pack_columns_whole(columns, rows, flip):
    """In one piece: a page looks at no clock meanwhile."""
    return lambda columns, rows, flip: columns_as_bits(columns, rows)


GROWS = replaceable(Search)
for function in (
    gini_order, group_rows, pack_rows, slots_for, plant_root, border.merge_rows, search_state._enlarged,
    search_state.literal_keys, search_state.new_search, search_state.with_more_leaves,
    search_state.with_more_trees, search_state.with_longer_queue, _enlarged,
):  # fmt: skip
    same(function)


@compiled
def n_bytes(s):
    """Bytes of the tables that grow."""
    leaves = len(s.leaf) * (64 + 8 * s.leaf_rows.shape[1] + 9 * s.leaf_column.shape[1]) + 4 * len(s.leaf_slot)
    trees = 16 * len(s.tree) + 4 * (len(s.tree_leaf) + len(s.tree_slot))
    return leaves + trees + 16 * (len(s.queue) + len(s.wide))


@compiled
def start_search(X, y, regularization, rules, on):
    """The `Branching` of a problem from a cold start, root planted; `rules`: policy, and 1 for "paper"."""
    order = border.gini_order(X, y).copy()
    columns, class_counts = border.merge_rows(X, y, order)
    state = search_state.new_search(columns, class_counts, regularization, rules[0], rules[1], on)
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
                search.state = _enlarged(search.state, code)
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
    "step": (step_search, ("search", COUNT, COUNT, NUMBER)),
    "facts": (facts, ("search", F64)),
    "read": (read, ("search", COUNT, I64, COUNT)),
}
