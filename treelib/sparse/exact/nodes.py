"""Sets of rows met by the exact search: one node each, found again by a verified hash.

A node is a set of rows with the levels of splits still allowed; different paths to one set share its node. It
keeps a proven lower bound, the value of the best tree known, and that tree's root column. The set itself is
not stored: the cut that first led to it and its parent are, from which it can be rebuilt.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import hash_words
from treelib.compiled.jit import kernel

LEAF = -1
# levels of splits allowed where there is no limit; children have no limit either, so all paths share nodes
UNLIMITED = 2**20

# literal: ``2 * column + value`` of the cut that led from the parent; split: root of the best tree known
NODE = np.dtype(
    [
        ("key", np.uint64),
        ("lower", np.float64),
        ("upper", np.float64),
        ("parent", np.int32),
        ("literal", np.int32),
        ("depth", np.int32),
        ("split", np.int32),
    ]
)


class Nodes(NamedTuple):
    """Growable table of nodes: `table`, NODE (capacity,), and `slots`, int32 open addresses, -1 empty."""

    table: np.ndarray
    slots: np.ndarray


def make_nodes(capacity):
    """Empty `Nodes` for `capacity` nodes (a power of two). 48 bytes a node."""
    return Nodes(np.empty(capacity, NODE), np.full(2 * capacity, -1, np.int32))


def add_root(nodes, depth):
    """Make the whole set node 0. No cut leads back to it, so it stays out of the hash index."""
    nodes.table[0] = (0, 0.0, np.inf, -1, 0, depth, LEAF)


def grow_nodes(nodes, n_nodes):
    """`Nodes` of twice the capacity with the same content."""
    bigger = make_nodes(2 * len(nodes.table))
    bigger.table[:n_nodes] = nodes.table[:n_nodes]
    index_nodes(bigger.table["key"][:n_nodes], bigger.slots)
    return bigger


@kernel(allocates=False)
def index_nodes(keys, slots):
    """Enter all nodes into the empty hash index."""
    last = slots.shape[0] - 1
    for node in range(keys.shape[0]):
        slot = np.int64(keys[node] & np.uint64(last))
        while slots[slot] >= 0:
            slot = (slot + 1) & last
        slots[slot] = node


@kernel(inner=True)
def less_deep(depth):
    """Levels of splits allowed in the children of a node with `depth`."""
    return depth if depth >= UNLIMITED else depth - 1


@kernel(inner=True)
def cut_rows(bits, rows, side, out):
    """Write into `out` the rows of the set whose column `bits` is 1 (`side` 1) or 0 (`side` 0)."""
    if side:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & bits[w]
    else:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & ~bits[w]


@kernel(inner=True, inline=True)
def is_set_of(problem, nodes, node, rows, spare):
    """Whether the set of `node`, rebuilt in `spare` from the cuts that led to it, equals `rows`."""
    for w in range(rows.shape[0]):
        spare[w] = problem.all_rows[w]
    while node > 0:
        literal = nodes.table[node]["literal"]
        cut_rows(problem.columns[literal >> 1], spare, literal & 1, spare)
        node = np.int64(nodes.table[node]["parent"])
    differ = np.uint64(0)
    for w in range(rows.shape[0]):
        differ |= spare[w] ^ rows[w]
    return differ == 0


@kernel(inner=True, inline="late")
def find_node(problem, nodes, rows, depth, spare):
    """Node of the set with `depth`, or -1, and the key to enter it with.

    A hash hit is believed only after the set itself was compared: a collision costs time, never the answer.
    """
    key = hash_words(rows, problem.hash_keys, np.uint64(depth))
    last = nodes.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while True:
        node = np.int64(nodes.slots[slot])
        if node < 0:
            return node, key
        known = nodes.table[node]
        if known["key"] == key and known["depth"] == depth and is_set_of(problem, nodes, node, rows, spare):
            return node, key
        slot = (slot + 1) & last


@kernel(inner=True)
def add_node(nodes, node, key, parent, literal, depth):
    """Enter a set that the table does not hold as `node`; nothing is proved of it yet."""
    new = nodes.table[node]
    new["key"] = key
    new["parent"] = parent
    new["literal"] = literal
    new["depth"] = depth
    new["split"] = LEAF
    new["lower"] = 0.0
    new["upper"] = np.inf
    last = nodes.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while nodes.slots[slot] >= 0:
        slot = (slot + 1) & last
    nodes.slots[slot] = node
