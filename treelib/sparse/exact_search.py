"""The exact search: depth-first branch and bound over sets of rows, in resumable steps.

A node is a set of rows with the levels of splits still allowed; different paths to one set share its node.
A node keeps a proven lower bound, the value of the best tree known, and that tree's root. A frame is a node
being worked on: its columns with both children's nodes, in the order they will be tried. Every frame has a
target: the search of it may stop once its lower bound reaches the target.
"""

from typing import NamedTuple

import numpy as np

from treelib.bits import hash_words
from treelib.jit import kernel
from treelib.sparse.depth_two import evaluate

LEAF = -1
UNSEEN, SKIPPED = -1, -2

# control
LEVEL, N_NODES, N_EVALUATED, N_HITS, N_EXPANDED = 0, 1, 2, 3, 4

# answers of `advance`
DONE, PAUSED, TABLE_FULL = 0, 1, 2


class Nodes(NamedTuple):
    """Table of nodes with a hash index; grown by the driver when `advance` answers TABLE_FULL.

    key : uint64, hash of set and depth; parent : int32, node the set was first cut from; literal : int32,
    ``2 * column + value`` of that cut; depth : int32, levels of splits allowed; split : int32, root column
    of the best tree known (-1: leaf); lower, upper : float64, bounds of the optimum, in integer costs.
    slots : int32, power of two of open addresses, -1 empty.
    """

    key: np.ndarray
    parent: np.ndarray
    literal: np.ndarray
    depth: np.ndarray
    split: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    slots: np.ndarray


class Frames(NamedTuple):
    """Stack of nodes being worked on, one row a level.

    rows : uint64 (levels, n_words); node, n_active, position, solving : int64 (levels,);
    target : float64 (levels,); active, order : int64 (levels, p); child : int64 (levels, p, 2);
    lower, upper : float64 (levels, p, 2), bounds of both sides of every active column.
    `spare` : uint64 (n_words,), `keys` : float64 (p,): work space.
    """

    rows: np.ndarray
    node: np.ndarray
    n_active: np.ndarray
    position: np.ndarray
    solving: np.ndarray
    target: np.ndarray
    active: np.ndarray
    order: np.ndarray
    child: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    spare: np.ndarray
    keys: np.ndarray


def make_nodes(capacity):
    """Empty `Nodes` for `capacity` nodes (a power of two). 48 bytes a node."""
    return Nodes(
        key=np.empty(capacity, np.uint64),
        parent=np.empty(capacity, np.int32),
        literal=np.empty(capacity, np.int32),
        depth=np.empty(capacity, np.int32),
        split=np.empty(capacity, np.int32),
        lower=np.empty(capacity),
        upper=np.empty(capacity),
        slots=np.full(2 * capacity, -1, np.int32),
    )


def grow_nodes(nodes, n_nodes):
    """`Nodes` of twice the capacity with the same content."""
    bigger = make_nodes(2 * len(nodes.key))
    for old, new in zip(nodes[:-1], bigger[:-1], strict=True):
        new[:n_nodes] = old[:n_nodes]
    index_nodes(bigger, n_nodes)
    return bigger


def make_frames(problem, levels):
    p, n_words = problem.columns.shape
    return Frames(
        rows=np.empty((levels, n_words), np.uint64),
        node=np.empty(levels, np.int64),
        n_active=np.empty(levels, np.int64),
        position=np.empty(levels, np.int64),
        solving=np.empty(levels, np.int64),
        target=np.empty(levels),
        active=np.empty((levels, p), np.int64),
        order=np.empty((levels, p), np.int64),
        child=np.empty((levels, p, 2), np.int64),
        lower=np.empty((levels, p, 2)),
        upper=np.empty((levels, p, 2)),
        spare=np.empty(n_words, np.uint64),
        keys=np.empty(p),
    )


@kernel
def index_nodes(nodes, n_nodes):
    """Enter all nodes into the empty hash index."""
    last = nodes.slots.shape[0] - 1
    for node in range(n_nodes):
        slot = np.int64(nodes.key[node] & np.uint64(last))
        while nodes.slots[slot] >= 0:
            slot = (slot + 1) & last
        nodes.slots[slot] = node


@kernel
def cut_rows(problem, rows, column, side, out):
    """Write into `out` the rows of the set whose `column` is 1 (`side` 1) or 0 (`side` 0)."""
    bits = problem.columns[column]
    if side:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & bits[w]
    else:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & ~bits[w]


@kernel
def is_set_of(problem, nodes, node, rows):
    """Whether the set of `node`, rebuilt from the cuts that led to it, equals `rows`."""
    for w in range(rows.shape[0]):
        word = problem.all_rows[w]
        at = node
        while at > 0:
            bits = problem.columns[nodes.literal[at] >> 1, w]
            if nodes.literal[at] & 1:
                word &= bits
            else:
                word &= ~bits
            at = nodes.parent[at]
        if word != rows[w]:
            return False
    return True


@kernel
def find_node(problem, nodes, rows, depth):
    """Node of the set with `depth`, or -1; and the key and free slot to enter it with.

    A hash hit is believed only after the set itself was compared: a collision costs time, never the answer.
    """
    key = hash_words(rows, problem.hash_keys, np.uint64(depth))
    last = nodes.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while nodes.slots[slot] >= 0:
        node = np.int64(nodes.slots[slot])
        if nodes.key[node] == key and nodes.depth[node] == depth and is_set_of(problem, nodes, node, rows):
            return node, key, slot
        slot = (slot + 1) & last
    return np.int64(-1), key, slot


@kernel
def add_node(nodes, node, key, slot, parent, literal, depth, scratch):
    """Enter the set that `scratch` was evaluated for as `node`."""
    nodes.key[node] = key
    nodes.parent[node] = parent
    nodes.literal[node] = literal
    nodes.depth[node] = depth
    nodes.split[node] = scratch.choice[1]
    nodes.lower[node] = scratch.bound[0]
    nodes.upper[node] = scratch.bound[1]
    nodes.slots[slot] = node


@kernel
def start(problem, nodes, frames, control, depth, price, scratch):
    """Enter the whole set as node 0 and make it the first frame."""
    p = problem.columns.shape[0]
    everything = np.arange(p)
    evaluate(problem, problem.all_rows, everything, p, depth, price, scratch)
    _node, key, slot = find_node(problem, nodes, problem.all_rows, depth)
    add_node(nodes, 0, key, slot, -1, 0, depth, scratch)
    control[N_NODES] = 1
    control[N_EVALUATED] = 1
    control[LEVEL] = 0
    frames.rows[0] = problem.all_rows
    _open_frame(nodes, frames, 0, 0, np.inf, scratch)


@kernel
def _open_frame(nodes, frames, level, node, target, scratch):
    """Make the evaluated set the frame at `level`; its rows stand there already."""
    n_active = scratch.choice[0]
    frames.node[level] = node
    frames.n_active[level] = n_active
    frames.target[level] = target
    frames.position[level] = 0
    frames.solving[level] = 0
    for a in range(n_active):
        frames.active[level, a] = scratch.active[a]
        frames.child[level, a, 0] = UNSEEN
        frames.child[level, a, 1] = UNSEEN
        for side in range(2):
            frames.lower[level, a, side] = scratch.lower[a, side]
            frames.upper[level, a, side] = scratch.upper[a, side]
    _sort_columns(frames, level)


@kernel
def _sort_columns(frames, level):
    """Order the columns by the value of the best tree known with each at the root."""
    n = frames.n_active[level]
    for a in range(n):
        frames.keys[a] = frames.upper[level, a, 0] + frames.upper[level, a, 1]
    frames.order[level, :n] = np.argsort(frames.keys[:n], kind="mergesort")


@kernel
def _refresh(nodes, frames, level, a):
    """Take over what other paths proved of the children of column `a` meanwhile."""
    for side in range(2):
        child = frames.child[level, a, side]
        if child >= 0:
            frames.lower[level, a, side] = nodes.lower[child]
            frames.upper[level, a, side] = nodes.upper[child]


@kernel
def _root_lower(frames, level, a, price):
    """Lower bound of all trees with column `a` at the root."""
    lower = frames.lower[level, a, 0] + frames.lower[level, a, 1]
    upper = frames.upper[level, a, 0] + frames.upper[level, a, 1]
    return max(lower, min(upper, 4.0 * price))


@kernel
def _improve(nodes, frames, level, a):
    """Keep the tree with column `a` at the root when it is the node's best."""
    node = frames.node[level]
    value = frames.upper[level, a, 0] + frames.upper[level, a, 1]
    if value < nodes.upper[node]:
        nodes.upper[node] = value
        nodes.split[node] = frames.active[level, a]


@kernel
def _see_child(problem, nodes, frames, control, level, a, side, price, scratch):
    """Find or make the node of one side of column `a`; returns the work done."""
    column = frames.active[level, a]
    parent = frames.node[level]
    depth = np.int64(nodes.depth[parent]) - 1
    cut_rows(problem, frames.rows[level], column, side, frames.spare)
    node, key, slot = find_node(problem, nodes, frames.spare, depth)
    work = np.int64(0)
    if node >= 0:
        control[N_HITS] += 1
    else:
        node = control[N_NODES]
        control[N_NODES] = node + 1
        control[N_EVALUATED] += 1
        work = evaluate(problem, frames.spare, frames.active[level], frames.n_active[level], depth, price, scratch)
        add_node(nodes, node, key, slot, parent, 2 * column + side, depth, scratch)
    frames.child[level, a, side] = node
    frames.lower[level, a, side] = nodes.lower[node]
    frames.upper[level, a, side] = nodes.upper[node]
    return work


@kernel
def _close_frame(nodes, frames, level, price):
    """Lower bound of the node from all its columns, never below what was proved before."""
    node = frames.node[level]
    lower = nodes.upper[node]
    for a in range(frames.n_active[level]):
        lower = min(lower, _root_lower(frames, level, a, price))
    nodes.lower[node] = max(nodes.lower[node], lower)


@kernel
def advance(problem, nodes, frames, control, price, tolerance, work_limit, scratch):
    """Work on the search until it is DONE, the node table is full, or `work_limit` lanes were counted.

    Afterwards ``nodes.lower[0]`` and ``nodes.upper[0]`` are the proven bounds of the whole set. Bounds that
    differ by less than `tolerance` count as equal.
    """
    capacity = nodes.key.shape[0]
    work = np.int64(0)
    level = control[LEVEL]
    while level >= 0:
        if control[N_NODES] + 2 > capacity:
            control[LEVEL] = level
            return TABLE_FULL
        if work > work_limit:
            control[LEVEL] = level
            return PAUSED
        node = frames.node[level]
        target = min(nodes.upper[node], frames.target[level]) - tolerance
        n = frames.n_active[level]
        if nodes.lower[node] >= target or frames.position[level] >= n:
            if frames.solving[level] or nodes.lower[node] >= target:
                _close_frame(nodes, frames, level, price)
                level -= 1
                continue
            frames.solving[level] = 1
            frames.position[level] = 0
            _sort_columns(frames, level)
            continue

        a = frames.order[level, frames.position[level]]
        _refresh(nodes, frames, level, a)
        _improve(nodes, frames, level, a)
        if _root_lower(frames, level, a, price) >= target:
            frames.position[level] += 1
            continue
        if not frames.solving[level]:
            # first look at the children of every column that may matter, then go down
            side = 0 if frames.child[level, a, 0] == UNSEEN else 1
            work += 1 + _see_child(problem, nodes, frames, control, level, a, side, price, scratch)
            if frames.child[level, a, 1] != UNSEEN:
                _improve(nodes, frames, level, a)
                frames.position[level] += 1
            continue
        if frames.child[level, a, 0] == UNSEEN or frames.child[level, a, 1] == UNSEEN:
            side = 0 if frames.child[level, a, 0] == UNSEEN else 1
            work += 1 + _see_child(problem, nodes, frames, control, level, a, side, price, scratch)
            continue
        side = _choose_side(frames, level, a)
        child = frames.child[level, a, side]
        control[N_EXPANDED] += 1
        cut_rows(problem, frames.rows[level], frames.active[level, a], side, frames.rows[level + 1])
        work += evaluate(problem, frames.rows[level + 1], frames.active[level], n, np.int64(nodes.depth[child]), price, scratch)
        _open_frame(nodes, frames, level + 1, child, target - frames.lower[level, a, 1 - side], scratch)
        level += 1
    control[LEVEL] = level
    return DONE


@kernel
def _choose_side(frames, level, a):
    """The side to solve next: the one whose bounds are further apart."""
    gap_0 = frames.upper[level, a, 0] - frames.lower[level, a, 0]
    gap_1 = frames.upper[level, a, 1] - frames.lower[level, a, 1]
    return 0 if gap_0 >= gap_1 else 1
