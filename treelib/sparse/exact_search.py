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
from treelib.sparse.children import look_at_column
from treelib.sparse.depth_two import evaluate

LEAF = -1
UNSEEN = -1

# control
LEVEL, N_NODES, N_EVALUATED, N_HITS, N_LOOKED = 0, 1, 2, 3, 4

# levels of splits allowed where there is no limit; children have no limit either, so all paths share nodes
UNLIMITED = 2**20

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

    rows : uint64 (levels, n_words); node, n_active, position : int64 (levels,); target : float64 (levels,);
    active, order : int64 (levels, p); child : int64 (levels, p, 2), nodes of the false and the true side;
    bounds : float64 (levels, p, 2, 2), for both sides the lower and the upper bound.
    spare, rebuilt : uint64 (n_words,), keys : float64 (p,): work space.
    """

    rows: np.ndarray
    node: np.ndarray
    n_active: np.ndarray
    position: np.ndarray
    target: np.ndarray
    active: np.ndarray
    order: np.ndarray
    child: np.ndarray
    bounds: np.ndarray
    spare: np.ndarray
    rebuilt: np.ndarray
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
        target=np.empty(levels),
        active=np.empty((levels, p), np.int64),
        order=np.empty((levels, p), np.int64),
        child=np.empty((levels, p, 2), np.int64),
        bounds=np.empty((levels, p, 2, 2)),
        spare=np.empty(n_words, np.uint64),
        rebuilt=np.empty(n_words, np.uint64),
        keys=np.empty(p),
    )


@kernel(allocates=False)
def less_deep(depth):
    """Levels of splits allowed in the children of a node with `depth`."""
    return depth if depth >= UNLIMITED else depth - 1


@kernel(allocates=False)
def index_nodes(nodes, n_nodes):
    """Enter all nodes into the empty hash index."""
    last = nodes.slots.shape[0] - 1
    for node in range(n_nodes):
        slot = np.int64(nodes.key[node] & np.uint64(last))
        while nodes.slots[slot] >= 0:
            slot = (slot + 1) & last
        nodes.slots[slot] = node


@kernel(allocates=False)
def cut_rows(problem, rows, column, side, out):
    """Write into `out` the rows of the set whose `column` is 1 (`side` 1) or 0 (`side` 0)."""
    bits = problem.columns[column]
    if side:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & bits[w]
    else:
        for w in range(rows.shape[0]):
            out[w] = rows[w] & ~bits[w]


@kernel(allocates=False)
def is_set_of(problem, nodes, node, rows, spare):
    """Whether the set of `node`, rebuilt in `spare` from the cuts that led to it, equals `rows`."""
    for w in range(rows.shape[0]):
        spare[w] = problem.all_rows[w]
    while node > 0:
        cut_rows(problem, spare, nodes.literal[node] >> 1, nodes.literal[node] & 1, spare)
        node = nodes.parent[node]
    differ = np.uint64(0)
    for w in range(rows.shape[0]):
        differ |= spare[w] ^ rows[w]
    return differ == 0


@kernel(allocates=False)
def find_node(problem, nodes, rows, depth, spare):
    """Node of the set with `depth`, or -1; and the key and free slot to enter it with.

    A hash hit is believed only after the set itself was compared: a collision costs time, never the answer.
    """
    key = hash_words(rows, problem.hash_keys, np.uint64(depth))
    last = nodes.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while nodes.slots[slot] >= 0:
        node = np.int64(nodes.slots[slot])
        if (
            nodes.key[node] == key
            and nodes.depth[node] == depth
            and is_set_of(problem, nodes, node, rows, spare)
        ):
            return node, key, slot
        slot = (slot + 1) & last
    return np.int64(-1), key, slot


@kernel(allocates=False)
def add_node(nodes, node, key, slot, parent, literal, depth):
    """Enter a set as `node`; nothing is proved of it yet."""
    nodes.key[node] = key
    nodes.parent[node] = parent
    nodes.literal[node] = literal
    nodes.depth[node] = depth
    nodes.split[node] = LEAF
    nodes.lower[node] = 0.0
    nodes.upper[node] = np.inf
    nodes.slots[slot] = node


@kernel(allocates=False)
def start(problem, nodes, frames, control, depth, price, tolerance, scratch):
    """Enter the whole set as node 0 and make it the first frame."""
    p = problem.columns.shape[0]
    control[N_NODES] = 1
    control[LEVEL] = 0
    for w in range(problem.all_rows.shape[0]):
        frames.rows[0, w] = problem.all_rows[w]
    _node, key, slot = find_node(problem, nodes, problem.all_rows, depth, frames.rebuilt)
    add_node(nodes, 0, key, slot, -1, 0, depth)
    for column in range(p):
        frames.order[0, column] = column
    open_frame(problem, nodes, frames, control, 0, 0, np.inf, frames.order[0], p, price, tolerance, scratch)


@kernel(allocates=False)
def open_frame(
    problem, nodes, frames, control, level, node, target, candidates, n_candidates, price, tolerance, scratch
):
    """Make `node`, whose rows stand at `level` already, the frame there; returns the work done.

    Looks at the children of every column that may still matter, best first.
    """
    depth = np.int64(nodes.depth[node])
    work = evaluate(problem, frames.rows[level], candidates, n_candidates, depth, price, scratch)
    control[N_EVALUATED] += 1
    if scratch.bound[1] < nodes.upper[node]:
        nodes.upper[node] = scratch.bound[1]
        nodes.split[node] = scratch.choice[1]
    nodes.lower[node] = max(nodes.lower[node], scratch.bound[0])
    n_active = scratch.choice[0]
    frames.node[level] = node
    frames.n_active[level] = n_active
    frames.target[level] = target
    frames.position[level] = 0
    for a in range(n_active):
        frames.active[level, a] = scratch.active[a]
        for side in range(2):
            frames.child[level, a, side] = UNSEEN
            frames.bounds[level, a, side, 0] = scratch.lower[a, side]
            frames.bounds[level, a, side, 1] = scratch.upper[a, side]
    if depth > 2:
        _sort_columns(frames, level)
        for i in range(n_active):
            goal = min(nodes.upper[node], target) - tolerance
            if nodes.lower[node] >= goal:
                break
            a = frames.order[level, i]
            if root_lower(frames, level, a, price) < goal:
                work += see_children(problem, nodes, frames, control, level, a, price, goal, scratch)
        _sort_columns(frames, level)
    return work


@kernel(allocates=False)
def see_children(problem, nodes, frames, control, level, a, price, goal, scratch):
    """Nodes of both sides of column `a`, made and bounded where the table does not know them.

    The set at `level` must be the one that `scratch` was evaluated for. Returns the work done.
    """
    parent = frames.node[level]
    depth = less_deep(np.int64(nodes.depth[parent]))
    work = np.int64(1)
    bounds = frames.bounds[level, a]
    n_known = 0
    for side in range(2):
        if bounds[side, 0] < bounds[side, 1]:
            cut_rows(problem, frames.rows[level], frames.active[level, a], side, frames.spare)
            node, _key, _slot = find_node(problem, nodes, frames.spare, depth, frames.rebuilt)
            frames.child[level, a, side] = node
            if node >= 0:
                control[N_HITS] += 1
                take_over(nodes, frames, level, a, side)
        n_known += bounds[side, 0] >= bounds[side, 1] or frames.child[level, a, side] >= 0
    if n_known < 2 and root_lower(frames, level, a, price) < goal:
        control[N_LOOKED] += 1
        work += look_at_column(a, frames.n_active[level], depth, price, bounds, scratch)
        for side in range(2):
            if frames.child[level, a, side] < 0:
                cut_rows(problem, frames.rows[level], frames.active[level, a], side, frames.spare)
                node, key, slot = find_node(problem, nodes, frames.spare, depth, frames.rebuilt)
                if node < 0:
                    node = control[N_NODES]
                    control[N_NODES] = node + 1
                    literal = 2 * frames.active[level, a] + side
                    add_node(nodes, node, key, slot, parent, literal, depth)
                    nodes.split[node] = scratch.child_choice[side]
                    nodes.lower[node] = bounds[side, 0]
                    nodes.upper[node] = bounds[side, 1]
                frames.child[level, a, side] = node
    improve(nodes, frames, level, a)
    return work


@kernel(allocates=False)
def take_over(nodes, frames, level, a, side):
    """Take over what the table knows of one side of column `a`."""
    node = frames.child[level, a, side]
    if node >= 0:
        bounds = frames.bounds[level, a, side]
        bounds[0] = max(bounds[0], nodes.lower[node])
        bounds[1] = min(bounds[1], nodes.upper[node])


@kernel(allocates=False)
def _sort_columns(frames, level):
    """Order the columns by the value of the best tree known with each at the root (stable insertion sort)."""
    order, bounds = frames.order[level], frames.bounds[level]
    for a in range(frames.n_active[level]):
        frames.keys[a] = bounds[a, 0, 1] + bounds[a, 1, 1]
        at = a
        while at > 0 and frames.keys[order[at - 1]] > frames.keys[a]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = a


@kernel(allocates=False)
def root_lower(frames, level, a, price):
    """Lower bound of all trees with column `a` at the root."""
    bounds = frames.bounds[level, a]
    return max(bounds[0, 0] + bounds[1, 0], min(bounds[0, 1] + bounds[1, 1], 4.0 * price))


@kernel(allocates=False)
def improve(nodes, frames, level, a):
    """Keep the tree with column `a` at the root when it is the node's best."""
    node = frames.node[level]
    value = frames.bounds[level, a, 0, 1] + frames.bounds[level, a, 1, 1]
    if value < nodes.upper[node]:
        nodes.upper[node] = value
        nodes.split[node] = frames.active[level, a]


@kernel(allocates=False)
def close_frame(nodes, frames, level, price):
    """Lower bound of the node from all its columns, never below what was proved before."""
    node = frames.node[level]
    lower = nodes.upper[node]
    for a in range(frames.n_active[level]):
        lower = min(lower, root_lower(frames, level, a, price))
    nodes.lower[node] = max(nodes.lower[node], lower)


@kernel(allocates=False)
def settle(nodes, frames, control, price):
    """Carry what is known in the open frames up to the root, so that its bounds are the best proven now."""
    for level in range(control[LEVEL], -1, -1):
        for a in range(frames.n_active[level]):
            take_over(nodes, frames, level, a, 0)
            take_over(nodes, frames, level, a, 1)
            improve(nodes, frames, level, a)
        close_frame(nodes, frames, level, price)


@kernel(allocates=False)
def advance(problem, nodes, frames, control, price, tolerance, work_limit, scratch):
    """Work on the search until it is DONE, the node table is full, or `work_limit` lanes were counted.

    Afterwards ``nodes.lower[0]`` and ``nodes.upper[0]`` are the proven bounds of the whole set. Bounds that
    differ by less than `tolerance` count as equal.
    """
    capacity = nodes.key.shape[0]
    work = np.int64(0)
    level = control[LEVEL]
    while level >= 0:
        if control[N_NODES] + 2 * problem.columns.shape[0] > capacity:
            control[LEVEL] = level
            return TABLE_FULL
        if work > work_limit:
            control[LEVEL] = level
            return PAUSED
        node = frames.node[level]
        goal = min(nodes.upper[node], frames.target[level]) - tolerance
        n = frames.n_active[level]
        if nodes.lower[node] >= goal or frames.position[level] >= n:
            close_frame(nodes, frames, level, price)
            level -= 1
            continue
        a = frames.order[level, frames.position[level]]
        bounds = frames.bounds[level, a]
        take_over(nodes, frames, level, a, 0)
        take_over(nodes, frames, level, a, 1)
        improve(nodes, frames, level, a)
        goal = min(nodes.upper[node], frames.target[level]) - tolerance
        if root_lower(frames, level, a, price) >= goal:
            frames.position[level] += 1
            continue
        side = 0 if bounds[0, 1] - bounds[0, 0] >= bounds[1, 1] - bounds[1, 0] else 1
        cut_rows(problem, frames.rows[level], frames.active[level, a], side, frames.rows[level + 1])
        work += open_frame(
            problem,
            nodes,
            frames,
            control,
            level + 1,
            frames.child[level, a, side],
            goal - bounds[1 - side, 0],
            frames.active[level],
            n,
            price,
            tolerance,
            scratch,
        )
        level += 1
    control[LEVEL] = level
    return DONE
