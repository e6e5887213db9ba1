"""The exact search: depth-first branch and bound over sets of rows, in resumable steps.

A frame is a node being worked on: its columns with both children's nodes and bounds, in the order they will
be tried. Every frame has a target: work on it may stop once its lower bound reaches the target, for then the
tree that asked for it cannot be better than one already known.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.exact.child_bounds import look_at_column
from treelib.sparse.exact.depth_two import (
    LONG_ROW,
    LOWER,
    N_ACTIVE,
    SPLIT,
    SPLIT_FALSE,
    STOP,
    UPPER,
    Scratch,
    evaluate,
)
from treelib.sparse.exact.nodes import Nodes, add_node, cut_rows, find_node, less_deep
from treelib.sparse.exact.packed_rows import Packs, pack_set
from treelib.sparse.exact.reduction import Problem

UNSEEN = -1

# whether the frame on top is still to be opened
OPEN, FRESH, HALF_OPEN = 0, 1, 2

# answers of `advance`
DONE, PAUSED, TABLE_FULL = 0, 1, 2

# level: of the frame on top, -1 when the search is done. to_open: see above. diving: whether only the best
# column of every frame is tried (a dive)
CONTROL = np.dtype([("level", np.int64), ("to_open", np.int64), ("diving", np.int64)])

# of all stacks over one table of nodes: nodes in it, sets bounded by their trees of depth two, columns whose
# children were bounded, and children that the table knew
COUNTS = np.dtype(
    [
        ("n_nodes", np.int64),
        ("n_evaluated", np.int64),
        ("n_looked_at", np.int64),
        ("n_hits", np.int64),
    ]
)

FRAME = np.dtype(
    [
        ("node", np.int64),
        ("n_active", np.int64),
        ("position", np.int64),
        ("sides_dived", np.int64),
        ("slot", np.int64),
        ("target", np.float64),
    ]
)


class Frames(NamedTuple):
    """Stack of nodes being worked on, one row a level.

    rows, packed : uint64 (levels, n_words), the sets, in all rows and in the rows of their pack.
    frame : FRAME (levels,): node, number of active columns, position in their order, sides of the best column
        already dived into (bits), slot of its pack, target.
    active, order : int64 (levels, p), active columns and the order they are tried in.
    child : int64 (levels, p, 2), nodes of their false and true side.
    bounds : float64 (levels, p, 2, 2), lower and upper bound of both sides.
    spare, rebuilt : uint64 (n_words,), work space.
    """

    rows: np.ndarray
    packed: np.ndarray
    frame: np.ndarray
    active: np.ndarray
    order: np.ndarray
    child: np.ndarray
    bounds: np.ndarray
    spare: np.ndarray
    rebuilt: np.ndarray


class Tables(NamedTuple):
    """What the kernels of one search read and write: its stack, and what all stacks share.

    problem : Problem. packs : Packs and frames : Frames, of this stack. nodes : Nodes, shared.
    scratch : Scratch, shared. control : CONTROL (1,). counts : COUNTS (1,), shared.
    price : float, of a leaf, in the units of the problem. tolerance : float, bounds that differ by less are
        equal.
    """

    problem: Problem
    packs: Packs
    nodes: Nodes
    frames: Frames
    scratch: Scratch
    control: np.ndarray
    counts: np.ndarray
    price: float
    tolerance: float


def make_frames(problem, levels):
    """`Frames` of `levels` levels, the first holding the whole set."""
    p, n_words = problem.columns.shape
    frames = Frames(
        rows=np.empty((levels, n_words), np.uint64),
        packed=np.empty((levels, n_words), np.uint64),
        frame=np.zeros(levels, FRAME),
        active=np.empty((levels, p), np.int64),
        order=np.empty((levels, p), np.int64),
        child=np.empty((levels, p, 2), np.int64),
        bounds=np.empty((levels, p, 2, 2)),
        spare=np.empty(n_words, np.uint64),
        rebuilt=np.empty(n_words, np.uint64),
    )
    frames.rows[0] = problem.all_rows
    frames.packed[0] = problem.all_rows
    return frames


@kernel(inner=True, inline=True)
def _open_frame(tables, level, work_limit):
    """Bound the node at `level` and the children of every column that may still matter, best first.

    Its rows, node and target stand there already; candidates are the active columns of the level above.
    Returns the work done. When that exceeds `work_limit`, ``to_open`` of `CONTROL` says that some columns are
    left: the next call goes on with them. Stopped (see `Scratch`), the frame stays as far open as it was.
    """
    packs, nodes, frames, scratch = tables.packs, tables.nodes, tables.frames, tables.scratch
    control, price = tables.control[0], tables.price
    frame = frames.frame[level]
    node = nodes.table[frame["node"]]
    above = max(level - 1, 0)
    candidates, n_candidates = frames.active[above], frames.frame[above]["n_active"]
    rows = frames.packed[level]
    if control["to_open"] == FRESH:
        frame["slot"] = pack_set(packs, frames.frame[above]["slot"], rows, candidates, n_candidates)
    # a frame half open is evaluated again: another stack may have used the scratch space meanwhile
    work = evaluate(
        packs, frame["slot"], rows, candidates, n_candidates, np.int64(node["depth"]), price, scratch
    )
    if scratch.answer[STOP]:
        return work
    n_active = scratch.answer[N_ACTIVE]
    if control["to_open"] == FRESH:
        tables.counts[0]["n_evaluated"] += 1
        if scratch.total[UPPER] < node["upper"]:
            node["upper"] = scratch.total[UPPER]
            node["split"] = scratch.answer[SPLIT]
        node["lower"] = max(node["lower"], scratch.total[LOWER])
        frame["n_active"] = n_active
        frame["position"] = 0
        frame["sides_dived"] = 0
        for a in range(n_active):
            frames.active[level, a] = scratch.active[0, a]
            for side in range(2):
                frames.child[level, a, side] = UNSEEN
                frames.bounds[level, a, side, LOWER] = scratch.bounds[0, a, side, LOWER]
                frames.bounds[level, a, side, UPPER] = scratch.bounds[0, a, side, UPPER]
        _sort_columns(frames, level, scratch)
        control["to_open"] = HALF_OPEN
    first = frame["position"]
    while frame["position"] < n_active:
        goal = min(node["upper"], frame["target"]) - tables.tolerance
        if node["lower"] >= goal:
            break
        # every call moves on by a column at least, however small the limit
        if work > work_limit and frame["position"] > first:
            return work
        if scratch.answer[STOP]:
            return work
        a = frames.order[level, frame["position"]]
        if root_lower(frames.bounds[level, a], price) < goal:
            work += _see_children(tables, level, a, goal)
        frame["position"] += 1
    _sort_columns(frames, level, scratch)
    frame["position"] = 0
    control["to_open"] = OPEN
    return work


@kernel(inner=True)
def _sort_columns(frames, level, scratch):
    """Order the columns by the value of the best tree known with each at the root (stable insertion sort)."""
    order, bounds = frames.order[level], frames.bounds[level]
    for a in range(frames.frame[level]["n_active"]):
        if a > LONG_ROW and scratch.answer[STOP]:
            break
        value = bounds[a, 0, UPPER] + bounds[a, 1, UPPER]
        at = a
        while at > 0:
            before = order[at - 1]
            if bounds[before, 0, UPPER] + bounds[before, 1, UPPER] <= value:
                break
            order[at] = before
            at -= 1
        order[at] = a


@kernel(inner=True, inline=True)
def _see_children(tables, level, a, goal):
    """Nodes of both sides of column `a`, made and bounded where the table does not know them.

    The set at `level` must be the one that `scratch` was evaluated for. Returns the work done.
    """
    problem, nodes, frames, scratch = tables.problem, tables.nodes, tables.frames, tables.scratch
    counts, price = tables.counts[0], tables.price
    parent = frames.frame[level]["node"]
    column = frames.active[level, a]
    bounds = frames.bounds[level, a]
    depth = less_deep(np.int64(nodes.table[parent]["depth"]))
    work = np.int64(1)
    key_false, key_true = np.uint64(0), np.uint64(0)
    unknown = False
    for side in range(2):
        cut_rows(problem.columns[column], frames.rows[level], side, frames.spare)
        node, key = find_node(problem, nodes, frames.spare, depth, frames.rebuilt)
        if side:
            key_true = key
        else:
            key_false = key
        if node >= 0:
            counts["n_hits"] += 1
            frames.child[level, a, side] = node
            take_over(nodes, frames, level, a, side)
        else:
            unknown = True
    if unknown and root_lower(bounds, price) < goal:
        counts["n_looked_at"] += 1
        work += look_at_column(a, frames.frame[level]["n_active"], depth, price, bounds, scratch)
        if scratch.answer[STOP]:
            return work
        for side in range(2):
            if frames.child[level, a, side] == UNSEEN:
                node = counts["n_nodes"]
                counts["n_nodes"] = node + 1
                add_node(nodes, node, key_true if side else key_false, parent, 2 * column + side, depth)
                new = nodes.table[node]
                new["split"] = scratch.answer[SPLIT_FALSE + side]
                new["lower"] = bounds[side, LOWER]
                new["upper"] = bounds[side, UPPER]
                frames.child[level, a, side] = node
            else:
                take_over(nodes, frames, level, a, side)
    improve(nodes, frames, level, a)
    return work


@kernel(inner=True)
def root_lower(bounds, price):
    """Lower bound of all trees with a column at the root, from the `bounds` of its sides."""
    upper = bounds[0, UPPER] + bounds[1, UPPER]
    return max(bounds[0, LOWER] + bounds[1, LOWER], min(upper, 4.0 * price))


@kernel(inner=True)
def take_over(nodes, frames, level, a, side):
    """Take over what the table knows of one side of column `a`."""
    child = frames.child[level, a, side]
    if child != UNSEEN:
        bounds = frames.bounds[level, a, side]
        bounds[LOWER] = max(bounds[LOWER], nodes.table[child]["lower"])
        bounds[UPPER] = min(bounds[UPPER], nodes.table[child]["upper"])


@kernel(inner=True)
def improve(nodes, frames, level, a):
    """Keep the tree with column `a` at the root when it is the node's best."""
    node = nodes.table[frames.frame[level]["node"]]
    value = frames.bounds[level, a, 0, UPPER] + frames.bounds[level, a, 1, UPPER]
    if value < node["upper"]:
        node["upper"] = value
        node["split"] = frames.active[level, a]


@kernel(inner=True)
def close_frame(nodes, frames, level, price):
    """Lower bound of the node from all its columns, never below what was proved before."""
    node = nodes.table[frames.frame[level]["node"]]
    lower = node["upper"]
    for a in range(frames.frame[level]["n_active"]):
        lower = min(lower, root_lower(frames.bounds[level, a], price))
    node["lower"] = max(node["lower"], lower)


@kernel(allocates=False)
def settle(tables):
    """Carry what is known in the open frames up to the root, so that its bounds are the best proven now."""
    nodes, frames, control = tables.nodes, tables.frames, tables.control[0]
    top = control["level"] - (control["to_open"] == FRESH)
    for level in range(top, -1, -1):
        for a in range(frames.frame[level]["n_active"]):
            for side in range(2):
                take_over(nodes, frames, level, a, side)
            improve(nodes, frames, level, a)
        close_frame(nodes, frames, level, tables.price)


@kernel(allocates=False)
def advance(tables, work_limit):
    """Work on the search until it is DONE, the node table is full, or `work_limit` lanes were counted.

    Afterwards node 0 holds the proven bounds of the whole set. Bounds that differ by less than `tolerance`
    count as equal. A dive tries the best column of every frame only: it proves little, but ends soon with a
    good tree. Whatever it meets stays in the table. A search that was stopped (see `Scratch`) is PAUSED, and
    cannot go on.
    """
    problem, packs, nodes, frames = tables.problem, tables.packs, tables.nodes, tables.frames
    scratch, control, price, tolerance = tables.scratch, tables.control[0], tables.price, tables.tolerance
    room = 2 * problem.columns.shape[0]
    work = np.int64(0)
    level = control["level"]
    answer = DONE
    while level >= 0:
        if tables.counts[0]["n_nodes"] + room > nodes.table.shape[0]:
            answer = TABLE_FULL
            break
        if work > work_limit or scratch.answer[STOP]:
            answer = PAUSED
            break
        if control["to_open"] != OPEN:
            work += _open_frame(tables, level, work_limit - work)
            if control["to_open"] != OPEN:
                continue
        frame = frames.frame[level]
        node = nodes.table[frame["node"]]
        goal = min(node["upper"], frame["target"]) - tolerance
        n_tried = min(frame["n_active"], 1) if control["diving"] else frame["n_active"]
        if node["lower"] >= goal or frame["position"] >= n_tried:
            close_frame(nodes, frames, level, price)
            level -= 1
            continue
        a = frames.order[level, frame["position"]]
        bounds = frames.bounds[level, a]
        for side in range(2):
            take_over(nodes, frames, level, a, side)
        improve(nodes, frames, level, a)
        goal = min(node["upper"], frame["target"]) - tolerance
        if root_lower(bounds, price) >= goal:
            frame["position"] += 1
            continue
        # go down into the side whose bounds are further apart
        side = 0 if bounds[0, UPPER] - bounds[0, LOWER] >= bounds[1, UPPER] - bounds[1, LOWER] else 1
        if control["diving"]:
            if frame["sides_dived"] & (1 << side):
                side = 1 - side
            if frame["sides_dived"] & (1 << side) or bounds[side, LOWER] >= bounds[side, UPPER]:
                frame["position"] += 1
                continue
            frame["sides_dived"] |= 1 << side
        column = frames.active[level, a]
        cut_rows(problem.columns[column], frames.rows[level], side, frames.rows[level + 1])
        cut_rows(packs.bits[frame["slot"], column], frames.packed[level], side, frames.packed[level + 1])
        below = frames.frame[level + 1]
        below["node"] = frames.child[level, a, side]
        below["target"] = goal - bounds[1 - side, LOWER]
        level += 1
        control["to_open"] = FRESH
    control["level"] = level
    return answer
