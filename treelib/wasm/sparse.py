"""The exact search on 0/1 columns as functions without Python: start, step, bounds, read.

`treelib.sparse.exact.minimise` drives its kernels from Python. Here the same kernels are driven by compiled
functions, which keep in one `Search` what Python keeps in objects. All that counts, bounds, proves or reads a
tree is the package's own; what is written again is the bookkeeping around it, and the tests hold it to the
same objective, tree and node count bit for bit.
"""

import numpy as np
from numba import carray, njit, types
from numba.experimental import structref

from treelib.sparse.exact.best_tree import TO_READ, WHOLE, _cost_of_tree, _read_tree
from treelib.sparse.exact.depth_two import STOP, Scratch
from treelib.sparse.exact.minimise import FIRST_CAPACITY, RAISE_AFTER, RAISE_PART, TOLERANCE, WORK_A_STEP
from treelib.sparse.exact.nodes import LEAF, NODE, UNLIMITED, Nodes, index_nodes
from treelib.sparse.exact.packed_rows import SHRINK, Packs, _find_reach
from treelib.sparse.exact.reduction import MAX_TOTAL
from treelib.sparse.exact.search import (
    CONTROL,
    COUNTS,
    DONE,
    FRAME,
    FRESH,
    Frames,
    Tables,
    advance,
    settle,
)
from treelib.wasm.reduction import bit_length, build_problem, merge_rows, order_rows, whole_costs

# answers of `step`, and of `start` by what it leaves in ``search.status``
RUNNING, PROVED, NO_MEMORY = 0, 1, 2

compiled = njit(error_model="numpy")


@structref.register
class SearchType(types.StructRef):
    """Type of `Search`."""


class Search(structref.StructRefProxy):
    """One search: the arrays of its kernels, its numbers and what it last answered."""


FIELDS = [
    *(
        "problem",
        "nodes",
        "scratch",
        "frames",
        "packs",
        "control",
        "raising",
        "raising_packs",
        "raising_control",
    ),
    *("counts", "everything", "depth", "levels", "price", "tolerance", "base", "scale", "total"),
    *("regularization", "n_rows", "default_class", "n_steps", "has_raising", "status"),
]
structref.define_proxy(Search, SearchType, FIELDS)


@compiled
def make_nodes(capacity):
    """As `treelib.sparse.exact.nodes.make_nodes`."""
    return Nodes(np.empty(capacity, NODE), np.full(2 * capacity, -1, np.int32))


@compiled
def make_scratch(problem, pairs):
    """As `treelib.sparse.exact.depth_two.make_scratch`."""
    p, n_tables = problem.columns.shape[0], problem.n_tables
    n_lanes = problem.planes.shape[0]
    for q in range(problem.planes.shape[0]):
        for w in range(problem.planes.shape[1]):
            n_lanes += problem.planes[q, w] != 0
    return Scratch(
        np.empty((p + 2, n_lanes), np.uint64),
        np.empty(n_lanes, np.int64),
        np.empty(n_lanes, np.int64),
        np.zeros(n_tables + 1, np.int64),
        np.empty((2, n_tables, p, p if pairs else 0), np.int64),
        np.empty((2, n_tables, p), np.int64),
        np.empty((2, n_tables), np.int64),
        np.empty((2, p, 2, 2)),
        np.empty((2, p), np.int64),
        np.empty(2),
        np.zeros(5, np.int64),
    )


@compiled
def make_stack(problem, levels):
    """Frames, packs and control of one depth-first search, as `make_frames` and `make_packs`."""
    p, n_words = problem.columns.shape
    frames = Frames(
        np.empty((levels, n_words), np.uint64),
        np.empty((levels, n_words), np.uint64),
        np.zeros(levels, FRAME),
        np.empty((levels, p), np.int64),
        np.empty((levels, p), np.int64),
        np.empty((levels, p, 2), np.int64),
        np.empty((levels, p, 2, 2)),
        np.empty(n_words, np.uint64),
        np.empty(n_words, np.uint64),
    )
    frames.rows[0] = problem.all_rows
    frames.packed[0] = problem.all_rows
    n_slots, words = 1, n_words  # one more for each time that the words can be divided
    while words >= SHRINK:
        words //= SHRINK
        n_slots += 1
    n_slots = min(levels, n_slots) + 1
    n_planes = problem.planes.shape[0]
    packs = Packs(
        np.empty((n_slots, p + n_planes, n_words), np.uint64),
        np.zeros(n_slots, np.int64),
        np.zeros((n_slots, n_planes, 2), np.int64),
        problem.table,
        problem.shift,
        np.empty(n_words * 64, np.int64),
    )
    packs.bits[0, :p] = problem.columns
    packs.bits[0, p:] = problem.planes
    packs.width[0] = n_words
    _find_reach(packs, 0)
    control = np.zeros(1, CONTROL)
    control[0]["level"] = -1
    return frames, packs, control


@compiled
def begin(frames, control, target, is_dive):
    """Start a stack at the whole set, for trees better than `target`."""
    p = frames.active.shape[1]
    top = frames.frame[0]
    top["node"], top["n_active"], top["position"], top["sides_dived"], top["slot"] = 0, p, 0, 0, 0
    top["target"] = target
    for c in range(p):
        frames.active[0, c] = c
    control[0]["level"], control[0]["to_open"], control[0]["diving"] = 0, FRESH, is_dive


@compiled
def bytes_to_start(problem):
    """As `treelib.sparse.exact.minimise._bytes_to_start`, in float64: the product may pass all bounds."""
    p, n_words = problem.columns.shape
    n_lanes = problem.planes.shape[0] * (n_words + 1.0)
    frames = (min(p, 64 * n_words) + 2.0) * (2 * n_words + 8.0 * p)
    return 8.0 * (frames + (p + 2) * n_lanes + 2.0 * problem.n_tables * p * p + 2.0 * p * n_words)


@compiled
def start_search(columns, costs, regularization, total, max_depth, most_bytes):
    """The `Search` of a problem, ready for its first step; `max_depth` below 0 is no limit."""
    p, n_classes = columns.shape[1], costs.shape[1]
    merged, first = merge_rows(columns, costs)
    whole, base, scale = whole_costs(merged)
    kept = order_rows(whole)
    n_rows = len(kept)
    table = np.zeros((n_rows, n_classes if n_classes == 2 else n_classes + 1), np.int64)
    weight, leaf_cost = 0, np.int64(MAX_TOTAL) if n_rows else 0
    for u in range(n_rows):
        table[u, :n_classes] = whole[kept[u]]
        weight += whole[kept[u]].max()
        if n_classes > 2:
            table[u, n_classes] = whole[kept[u]].max()
    default_class, least = 0, np.inf
    for k in range(n_classes):
        if n_rows:
            leaf_cost = min(leaf_cost, table[:, k].sum())
        cost = costs[:, k].sum()
        if cost < least:
            default_class, least = k, cost
    price = regularization * (total * scale)
    problem = build_problem(columns, first[kept], table)
    depth = np.int64(UNLIMITED if max_depth < 0 or max_depth >= p else max_depth)
    levels = min(p, min(depth, n_rows)) + 2
    # a split costs a leaf more and can save no more than all that the single leaf loses
    status = PROVED if n_rows == 0 or not price < leaf_cost else RUNNING
    if status == RUNNING and bytes_to_start(problem) > most_bytes:
        status = NO_MEMORY
    scratch = make_scratch(problem, status == RUNNING)
    frames, packs, control = make_stack(problem, levels if status == RUNNING else 1)
    nodes = make_nodes(max(FIRST_CAPACITY, 1 << bit_length(8 * p)) if status == RUNNING else 1)
    root = nodes.table[0]
    root["key"], root["lower"], root["upper"], root["parent"], root["literal"] = 0, 0.0, np.inf, -1, 0
    root["depth"], root["split"] = depth, LEAF
    counts = np.zeros(1, COUNTS)
    counts[0]["n_nodes"] = status == RUNNING
    scratch.answer[STOP] = status != RUNNING
    begin(frames, control, np.inf, True)
    tolerance = TOLERANCE * max(float(weight), price)
    return Search(
        problem, nodes, scratch, frames, packs, control, frames, packs, control,
        counts, np.arange(p), depth, np.int64(levels), float(price), tolerance, float(base), float(scale),
        float(total), float(regularization), np.int64(n_rows), np.int64(default_class),
        np.int64(0), np.int64(0), np.int64(status),
    )  # fmt: skip


@compiled
def bytes_of_stack(frames, packs):
    """Bytes of one stack."""
    words = (
        frames.rows.size + frames.packed.size + 6 * len(frames.frame) + frames.active.size + frames.order.size
    )
    words += frames.child.size + frames.bounds.size + frames.spare.size + frames.rebuilt.size
    words += packs.bits.size + packs.width.size + packs.reach.size + packs.table.size + packs.shift.size
    return 8 * (words + packs.row.size)


@compiled
def bytes_wanted(search):
    """Memory after the next step, which may have to double the table or to make the third stack."""
    problem, scratch, nodes = search.problem, search.scratch, search.nodes
    words = problem.columns.size + problem.all_rows.size + problem.hash_keys.size + problem.planes.size
    words += (
        problem.table.size + problem.shift.size + scratch.bits.size + scratch.word.size + scratch.shift.size
    )
    words += scratch.start.size + scratch.pair.size + scratch.single.size + scratch.whole.size
    words += scratch.bounds.size + scratch.active.size + scratch.total.size + scratch.answer.size
    stack = bytes_of_stack(search.frames, search.packs)
    table = 48 * len(nodes.table)
    n_stacks = 1 + search.has_raising
    if not search.has_raising and search.n_steps * WORK_A_STEP >= RAISE_AFTER:
        n_stacks += 1
    return 8 * words + n_stacks * stack + table * (3 if is_full(search) else 1)


@compiled
def is_full(search):
    """Whether the table has no room for the children of one more node."""
    return search.counts[0]["n_nodes"] + 2 * search.problem.columns.shape[0] > len(search.nodes.table)


@compiled
def grow(search):
    """Twice the room for nodes, as `treelib.sparse.exact.nodes.grow_nodes`."""
    count = search.counts[0]["n_nodes"]
    known = search.nodes.table
    bigger = make_nodes(2 * len(known))
    keys = np.empty(count, np.uint64)
    for i in range(count):
        bigger.table[i] = known[i]
        keys[i] = known[i]["key"]
    index_nodes(keys, bigger.slots)
    search.nodes = bigger


@compiled
def step_search(search, most_bytes):
    """Work for a few milliseconds, as `treelib.sparse.exact.minimise._Search.step`; how the search stands."""
    if search.status != RUNNING:
        return search.status
    if bytes_wanted(search) > most_bytes:
        search.status = NO_MEMORY
        return search.status
    if is_full(search):
        grow(search)
    nodes = search.nodes
    root = nodes.table[0]
    frames, packs, control = search.frames, search.packs, search.control
    search.n_steps += 1
    if control[0]["level"] < 0:
        begin(frames, control, np.inf, False)
    elif search.n_steps * WORK_A_STEP > RAISE_AFTER and control[0]["diving"] == 0 and search.n_steps % 2 == 1:
        if not search.has_raising:
            search.raising, search.raising_packs, search.raising_control = make_stack(
                search.problem, search.levels
            )
            search.has_raising = 1
        frames, packs, control = search.raising, search.raising_packs, search.raising_control
        if control[0]["level"] < 0:
            gap = (root["upper"] - root["lower"]) * RAISE_PART
            begin(frames, control, root["lower"] + max(gap, 2 * search.tolerance), False)
    tables = Tables(
        search.problem,
        packs,
        nodes,
        frames,
        search.scratch,
        control,
        search.counts,
        search.price,
        search.tolerance,
    )
    if advance(tables, WORK_A_STEP) != DONE:
        settle(tables)
    if root["lower"] >= root["upper"] - search.tolerance:
        search.status = PROVED
    return search.status


@compiled
def lower_bound(search):
    """Proven lower bound of the objective: no tree with splits costs less than two leaves."""
    known = search.nodes.table[0]["lower"]
    return (search.base + max(known, 2.0 * search.price) / search.scale) / search.total


@compiled
def read_search(search, columns, costs, out, numbers):
    """Fill `out` int64 (4, room) with the best tree known and `numbers` with what is known of it.

    numbers : float64 (8,): objective, lower bound, 1 where proved, nodes, evaluated, looked at, table hits,
        merged rows.
    Returns the number of nodes.
    """
    out[:] = -1
    counts = search.counts[0]
    numbers[2], numbers[3], numbers[4] = search.status == PROVED, counts["n_nodes"], counts["n_evaluated"]
    numbers[5], numbers[6], numbers[7] = counts["n_looked_at"], counts["n_hits"], search.n_rows
    tree = out[0], out[1], out[2], out[3]
    if search.status == PROVED and counts["n_nodes"] == 0:
        out[3, 0] = search.default_class
        n = 1
    else:
        n_words = search.problem.columns.shape[1]
        rows = np.empty((search.levels + 3, n_words), np.uint64)
        todo = np.empty(search.levels + 3, TO_READ)
        n = _read_tree(
            search.problem,
            search.packs,
            search.nodes,
            search.depth,
            search.price,
            search.scratch,
            (rows, todo, search.everything),
            tree,
        )
    n_leaves = 0
    for i in range(n):
        n_leaves += out[0, i] < 0
    cost = _cost_of_tree(*tree, columns, costs)
    objective = cost / search.total + search.regularization * n_leaves
    lower = min(objective, lower_bound(search))
    if numbers[2] or lower >= objective - search.tolerance / search.scale / search.total:
        numbers[2], lower = 1.0, objective
    numbers[0], numbers[1] = objective, lower
    return n


assert WHOLE == 0  # `_read_tree` looks at the whole problem's pack


@njit
def start(columns, costs, n, p, n_classes, regularization, total, max_depth, most_bytes):
    """`start_search` over the memory of a page: columns uint8 (n, p), costs float64 (n, n_classes)."""
    table, prices = carray(columns, (n, p)), carray(costs, (n, n_classes))
    return start_search(table, prices, regularization, total, max_depth, most_bytes)


@njit
def step(search, most_bytes):
    """`step_search`, as the page calls it."""
    return step_search(search, most_bytes)


@njit
def bounds(search, out):
    """Objective known, lower bound, nodes, bytes wanted, and room that a tree needs, to float64 (5,)."""
    values = carray(out, (5,))
    values[0] = (search.base + search.nodes.table[0]["upper"] / search.scale) / search.total
    values[1] = lower_bound(search)
    values[2], values[3] = search.counts[0]["n_nodes"], bytes_wanted(search)
    values[4] = 2 * 64 * search.problem.columns.shape[1] + 1
    return 0


@njit
def read(search, columns, costs, n, p, n_classes, out, room, numbers):
    """`read_search` over the memory of a page: out int64 (4, room), numbers float64 (8,)."""
    table, prices = carray(columns, (n, p)), carray(costs, (n, n_classes))
    return read_search(search, table, prices, carray(out, (4, room)), carray(numbers, (8,)))


U8, F64, I64 = (types.CPointer(kind) for kind in (types.uint8, types.float64, types.int64))
COUNT, NUMBER = types.int64, types.float64
# what the page may call: the arguments, with "search" for what `start` returned
EXPORTS = {
    "start": (start, (U8, F64, COUNT, COUNT, COUNT, NUMBER, NUMBER, COUNT, NUMBER)),
    "step": (step, ("search", NUMBER)),
    "bounds": (bounds, ("search", F64)),
    "read": (read, ("search", U8, F64, COUNT, COUNT, COUNT, I64, COUNT, F64)),
}
