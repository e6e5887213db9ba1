"""All optimal dyadic trees as functions without Python: start, step, facts, path, read.

The pass over the rectangles, the tables that it works in and how they grow, the packing of rows and the
trees read off are the package's own functions as they stand (`treelib.wasm.language`). Written for the page
is what stands around them in the methods of `treelib.dyadic.sweep.all_prices`, which raise where a limit is
met and know a clock. The grid is made in `treelib.wasm.dyadic_grid`. All is in
whole numbers but for the thresholds.
"""

import numpy as np
from numba import carray, njit, types

from treelib.dyadic.sweep import packed
from treelib.dyadic.sweep.all_prices import (
    FIRST_SLOTS,
    ROWS_AT_ONCE,
    STEPS_AT_ONCE,
    longer_table,
    more_slots,
)
from treelib.dyadic.sweep.hulls import (
    ERROR_BITS,
    ERROR_MASK,
    MOST_LEAVES,
    Window,
    _lengthened,
    make_hulls,
)
from treelib.dyadic.sweep.one_pass import (
    DONE,
    HULLS_FULL,
    LEVEL,
    N_CONTROL,
    N_HITS,
    N_LOOKED,
    N_ROWS_READ,
    N_STORED,
    ROOT_HULL,
    STACK_FULL,
    TABLE_FULL,
    advance,
)
from treelib.dyadic.sweep.rows import Stack
from treelib.dyadic.sweep.vertex_tree import (
    LOST,
    N_NODE_FIELDS,
    N_READING,
    NO_ROOM,
    NODE_FEATURE,
    NODE_INTERVAL,
    NODE_LEVEL,
    READ,
    STOP_AT,
    TARGET,
    read_tree,
)
from treelib.wasm.dyadic_grid import MOST_HALVINGS, box_of, choose_splits, codes_of, merge_groups, threshold
from treelib.wasm.language.same_source import bytes_of, compiled, replaceable, same, structure

# answers of `step`, and of `start` by what it leaves in ``search.status``. TOO_FINE: the package would make
# the grid coarser (`treelib.dyadic.training.limit_rectangles`), which is not done here
RUNNING, PROVED, NO_MEMORY, TOO_FINE = 0, 1, 2, 3
MOST_RECTANGLES = 1e8  # the estimator's default


# one search for all prices: its arrays, what it is of and what it last answered
FIELDS = ["packed", "stack", "table", "hulls", "control", "window", "most_bytes"]
FIELDS += ["low", "high", "n_splits", "offset", "status"]
PathType, Path = structure("Path", FIELDS)

GROWS = replaceable(Stack)
for function in (
    packed._fields, packed.pack_whole, packed.first_hulls, packed.make_stack, packed.lengthen_stack,
    make_hulls, _lengthened, more_slots, longer_table,
):  # fmt: skip
    same(function)


@compiled
def lacks_room(search, more):
    """Whether the tables and so many bytes more are too much, which ends the search."""
    n_bytes = search.table.nbytes + bytes_of(search.stack[:]) + bytes_of(search.hulls[:])
    if n_bytes + more > search.most_bytes:
        search.status = NO_MEMORY
    return search.status == NO_MEMORY


@compiled
def make_room(search, answer):
    """Enlarge the table that is full."""
    if answer == TABLE_FULL:
        if not lacks_room(search, more_slots(search.table) * 8 * search.table.shape[1]):
            search.table = longer_table(search.table)
    elif answer == HULLS_FULL:
        if not lacks_room(search, 2 * bytes_of(search.hulls[:])):
            search.hulls = make_hulls(search.hulls)
    elif answer == STACK_FULL:
        search.stack = packed.lengthen_stack(search.stack)


@compiled
def nodes_of(search, word):
    """Nodes of the tree of a vertex of the whole box, as `treelib.dyadic.sweep.vertex_tree` writes them."""
    if word >> ERROR_BITS == 1:
        return np.array([[-1, 0, 0, search.packed.label, -1]])
    nodes = np.zeros((2 * (word >> ERROR_BITS) - 1, N_NODE_FIELDS), np.int64)
    targets, control = np.zeros(len(search.stack.frames), TARGET), np.zeros(N_READING, np.int64)
    targets[0]["vertex"] = word
    answer = NO_ROOM
    while answer != READ:
        control[STOP_AT] = control[N_ROWS_READ] + ROWS_AT_ONCE
        answer = read_tree(
            search.packed.problem, search.stack, search.table, search.hulls, control, search.window,
            targets, nodes,
        )  # fmt: skip
        if answer == LOST:
            raise RuntimeError("A vertex of the hull has no tree.")
        if answer == NO_ROOM:
            search.hulls = make_hulls(search.hulls)
    return nodes


@compiled
def start_path(X, y, n_classes, low_price, low_unit):
    """The `Path` of a table, ready for its first step.

    X : float64 (n, d), no NaN; y : int64 (n,), classes from 0 on; low_price / low_unit : lowest price of a
    leaf, in rows
    """
    n, d = X.shape
    losses = np.ones((n, n_classes), np.int64)
    for i in range(n):
        losses[i, y[i]] = 0
    low, high = box_of(X)
    first, losses, offset = merge_groups(X, losses)
    finest = codes_of(X, first, low, high, MOST_HALVINGS)
    n_splits = choose_splits(finest, losses)
    for r in range(len(first)):
        for j in range(d):
            finest[r, j] >>= MOST_HALVINGS - n_splits[j]
    cells, losses, more = merge_groups(finest, losses)
    codes = finest[cells]
    rectangles = float(len(first))
    for j in range(d):
        rectangles *= n_splits[j] + 1
    is_fine = rectangles > MOST_RECTANGLES or len(codes) * (n_splits.sum() + 1) >= MOST_LEAVES
    problem = packed.pack_whole(codes, losses, n_splits, False, 1.0, True)
    leaf_error = problem.leaf_error
    status = RUNNING
    if leaf_error * low_unit < low_price or leaf_error == 0:
        status = PROVED
    elif is_fine:
        status = TOO_FINE
    control = np.zeros(N_CONTROL, np.int64)
    control[LEVEL] = -1
    table = np.zeros((FIRST_SLOTS, problem.n_words + 1), np.int64)
    window = Window(np.int64(low_price), np.int64(low_unit), np.int64(1), np.int64(0))
    return Path(
        problem, packed.make_stack(problem), table, packed.first_hulls(), control, window, 0.0,
        low, high, n_splits, np.int64(offset + more), np.int64(status),
    )  # fmt: skip


@compiled
def step_path(search, most_bytes):
    """Work for some milliseconds; how the search stands."""
    if search.status == RUNNING:
        answer = advance(
            search.packed.problem, search.stack, search.table, search.hulls, search.control, search.window,
            STEPS_AT_ONCE, ROWS_AT_ONCE,
        )  # fmt: skip
        search.most_bytes = most_bytes
        if answer == DONE:
            search.status = PROVED
        else:
            make_room(search, answer)
            lacks_room(search, 0)
    return search.status


@compiled
def ends_of_hull(search):
    """Where the vertices of the whole box begin and end in ``hulls.vertices``; (0, 0): a single leaf only."""
    if search.control[LEVEL] < 0 and search.control[ROOT_HULL] == 0:
        return np.int64(0), np.int64(0)
    root = search.control[ROOT_HULL]
    return search.hulls.start[root], search.hulls.start[root + 1]


@compiled
def read_vertex(search, place, nodes, cuts):
    """Write the tree of the vertex `place` of a proved path.

    nodes : int64 (2 leaves - 1, 5), as `treelib.dyadic.sweep.vertex_tree` writes them; cuts : float64, as
        many, the thresholds, -2 at leaves
    """
    begin, end = ends_of_hull(search)
    nodes[:] = nodes_of(search, search.hulls.vertices[begin + place] if end > begin else 1 << ERROR_BITS)
    for node in range(len(nodes)):
        j, level, interval = nodes[node, NODE_FEATURE], nodes[node, NODE_LEVEL], nodes[node, NODE_INTERVAL]
        cuts[node] = threshold(search.low[j], search.high[j], level, interval) if j >= 0 else -2.0
    return len(nodes)


@njit
def start(X, y, n, d, n_classes, low_price, low_unit):
    """`start_path` over the memory of a page."""
    return start_path(carray(X, (n, d)), carray(y, (n,)), n_classes, low_price, low_unit)


@njit
def facts(search, out):
    """Vertices, rectangles looked at, stored, found again, cells, loss of every tree, of the single leaf."""
    values = carray(out, (7,))
    begin, end = ends_of_hull(search)
    values[0] = max(1, end - begin) if search.status == PROVED else 0
    values[1], values[2] = search.control[N_LOOKED], search.control[N_STORED]
    values[3], values[4] = search.control[N_HITS], search.packed.problem.rows.shape[1]
    values[5], values[6] = search.offset, search.packed.leaf_error
    return 0


@njit
def path(search, out, splits):
    """Leaves and loss of all vertices to int64 (vertices, 2), and the halvings of each feature to (d,)."""
    begin, end = ends_of_hull(search)
    values, halvings = carray(out, (max(1, end - begin), 2)), carray(splits, (len(search.n_splits),))
    values[0, 0], values[0, 1] = 1, search.packed.leaf_error + search.offset
    for at in range(begin, end):
        word = search.hulls.vertices[at]
        values[at - begin, 0], values[at - begin, 1] = word >> ERROR_BITS, (word & ERROR_MASK) + search.offset
    halvings[:] = search.n_splits
    return 0


@njit
def read(search, place, n_nodes, nodes, cuts):
    """`read_vertex` over the memory of a page."""
    return read_vertex(search, place, carray(nodes, (n_nodes, 5)), carray(cuts, (n_nodes,)))


F64, I64 = types.CPointer(types.float64), types.CPointer(types.int64)
COUNT, NUMBER = types.int64, types.float64
EXPORTS = {
    "start": (start, (F64, I64, COUNT, COUNT, COUNT, COUNT, COUNT)),
    "step": (step_path, ("search", NUMBER)),
    "facts": (facts, ("search", F64)),
    "path": (path, ("search", I64, I64)),
    "read": (read, ("search", COUNT, COUNT, I64, F64)),
}
