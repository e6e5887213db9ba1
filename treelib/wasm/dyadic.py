"""All optimal dyadic trees as functions without Python: start, step, facts, path, read.

The pass over the rectangles, the trees read off it and the tables it works in are the package's own,
compiled as they stand (`treelib.wasm.same_source`). Written again is the loop around them of
`treelib.dyadic.sweep.all_prices`, whose limits and fractions are Python's objects, and the packing of rows.
The grid is made in `treelib.wasm.dyadic_grid`. All is in whole numbers but for the thresholds.
"""

import numpy as np
from numba import carray, njit, types
from numba.experimental import structref

from treelib.dyadic.sweep.all_prices import (
    FIRST_SLOTS,
    GROWTH,
    GROWTH_SMALL,
    ROWS_AT_ONCE,
    SMALL,
    STEPS_AT_ONCE,
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
    N_STORED,
    ROOT_HULL,
    STACK_FULL,
    TABLE_FULL,
    advance,
    move_rectangles,
)
from treelib.dyadic.sweep.packed import Packed, _fields, first_hulls, make_stack
from treelib.dyadic.sweep.rows import WORD_BITS, Problem, Stack
from treelib.dyadic.sweep.vertex_tree import (
    NO_ROOM,
    NODE_FEATURE,
    NODE_INTERVAL,
    NODE_LABEL,
    NODE_LEVEL,
    NODE_RIGHT,
    READ,
    TARGET,
    read_tree,
)
from treelib.wasm.dyadic_grid import MOST_HALVINGS, box_of, choose_splits, codes_of, merge_groups, threshold
from treelib.wasm.same_source import compiled, same

# answers of `step`, and of `start` by what it leaves in ``search.status``. TOO_FINE: the package would make
# the grid coarser (`treelib.dyadic.training.limit_rectangles`), which is not done here
RUNNING, PROVED, NO_MEMORY, TOO_FINE = 0, 1, 2, 3
MOST_RECTANGLES = 1e8  # the estimator's default
LOSS_BITS = WORD_BITS // 2  # two classes a word: no table of a page has 2**31 rows


@structref.register
class PathType(types.StructRef):
    """Type of `Path`."""


class Path(structref.StructRefProxy):
    """One search for all prices: its arrays, what it is of and what it last answered."""


FIELDS = [
    *("problem", "stack", "table", "hulls", "control", "window", "low", "high"),
    *("n_splits", "offset", "leaf_error", "label", "n_rows", "status"),
]
structref.define_proxy(Path, PathType, FIELDS)


for function in (_fields, first_hulls, make_hulls, _lengthened, make_stack):
    same(function)


@compiled
def pack(codes, losses, n_splits):
    """`Packed` distinct cells, as `treelib.dyadic.sweep.packed.pack` for whole losses, without its checks."""
    word, shift = _fields(n_splits)
    n_words, n_classes = word.max() + 1, losses.shape[1]
    rows = np.zeros((n_words + (n_classes + 1) // 2, len(codes)), np.int64)
    for r in range(len(codes)):
        for feature in range(len(n_splits)):
            rows[word[feature], r] |= codes[r, feature] << (shift[feature] + 1)
        for c in range(n_classes):
            rows[n_words + c // 2, r] |= losses[r, c] << (LOSS_BITS * (c % 2))
    totals = np.zeros(n_classes, np.int64)
    for c in range(n_classes):
        totals[c] = losses[:, c].sum()
    problem = Problem(
        rows, word, shift, n_splits, np.zeros(1, np.int64), np.int64(n_classes), np.int64(LOSS_BITS)
    )
    return Packed(problem, n_words, totals.min(), totals.argmin(), 1.0, True)


@compiled
def n_bytes(search):
    """Bytes of the tables that grow."""
    hulls = search.hulls
    return 8.0 * (
        search.table.size
        + 3 * len(search.stack.hull)
        + len(hulls.vertices)
        + len(hulls.start)
        + len(hulls.slots)
    )


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
    packed = pack(codes, losses, n_splits)
    leaf_error = packed.leaf_error
    status = RUNNING
    if leaf_error * low_unit < low_price or leaf_error == 0:
        status = PROVED
    elif is_fine:
        status = TOO_FINE
    control = np.zeros(N_CONTROL, np.int64)
    control[LEVEL] = -1
    table = np.zeros((FIRST_SLOTS, packed.n_words + 1), np.int64)
    window = Window(np.int64(low_price), np.int64(low_unit), np.int64(1), np.int64(0))
    return Path(
        packed.problem, make_stack(packed), table, first_hulls(), control, window, low, high,
        n_splits, np.int64(offset + more), np.int64(leaf_error), np.int64(packed.label), np.int64(n),
        np.int64(status),
    )  # fmt: skip


@compiled
def make_room(search, answer, most_bytes):
    """Lengthen the table that `advance` says is full; False where that is more than `most_bytes`."""
    table, stack, hulls = search.table, search.stack, search.hulls
    more = 0.0
    slots = len(table)
    if answer == TABLE_FULL:
        slots = int(slots * (GROWTH_SMALL if slots < SMALL else GROWTH))
        more = 8.0 * slots * table.shape[1]
    elif answer == HULLS_FULL:
        more = 16.0 * (len(hulls.vertices) + len(hulls.start) + len(hulls.slots))
    if n_bytes(search) + more > most_bytes:
        return False
    if answer == TABLE_FULL:
        longer_table = np.zeros((slots, table.shape[1]), np.int64)
        move_rectangles(table, longer_table)
        search.table = longer_table
    elif answer == HULLS_FULL:
        search.hulls = make_hulls(hulls)
    elif answer == STACK_FULL:
        hull = _lengthened(stack.hull)
        search.stack = Stack(
            stack.frames,
            stack.features,
            stack.keys,
            hull,
            hull.copy(),
            hull.copy(),
            stack.totals,
            stack.masks,
        )
    return True


@compiled
def step_path(search, most_bytes):
    """Work for some milliseconds; how the search stands."""
    if search.status != RUNNING:
        return search.status
    answer = advance(
        search.problem, search.stack, search.table, search.hulls, search.control, search.window,
        STEPS_AT_ONCE, ROWS_AT_ONCE,
    )  # fmt: skip
    if answer == DONE:
        search.status = PROVED
    elif not make_room(search, answer, most_bytes):
        search.status = NO_MEMORY
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
    """Write the tree of the vertex `place` of a proved path; the number of its nodes, 0 without memory.

    nodes : int64 (2 leaves - 1, 5), as `treelib.dyadic.sweep.vertex_tree` writes them; cuts : float64, as
        many, the thresholds, -2 at leaves
    """
    begin, end = ends_of_hull(search)
    if begin == end or search.hulls.vertices[begin + place] >> ERROR_BITS == 1:
        nodes[0, NODE_FEATURE], nodes[0, NODE_LEVEL], nodes[0, NODE_INTERVAL] = -1, 0, 0
        nodes[0, NODE_LABEL], nodes[0, NODE_RIGHT] = search.label, -1
        cuts[0] = -2.0
        return 1
    word = search.hulls.vertices[begin + place]
    n_nodes = 2 * (word >> ERROR_BITS) - 1
    nodes[:] = 0
    targets = np.zeros(len(search.stack.frames), TARGET)
    answer = NO_ROOM
    while answer == NO_ROOM:
        targets[0]["vertex"] = word
        answer = read_tree(
            search.problem, search.stack, search.table, search.hulls,
            np.zeros(N_CONTROL, np.int64), search.window, targets, nodes,
        )  # fmt: skip
        if answer == NO_ROOM:
            search.hulls = make_hulls(search.hulls)
    for node in range(n_nodes):
        j = nodes[node, NODE_FEATURE]
        cuts[node] = -2.0
        if j >= 0:
            cuts[node] = threshold(
                search.low[j], search.high[j], nodes[node, NODE_LEVEL], nodes[node, NODE_INTERVAL]
            )
    return n_nodes if answer == READ else 0


@njit
def start(X, y, n, d, n_classes, low_price, low_unit):
    """`start_path` over the memory of a page."""
    return start_path(carray(X, (n, d)), carray(y, (n,)), n_classes, low_price, low_unit)


@njit
def step(search, most_bytes):
    """`step_path`, as the page calls it."""
    return step_path(search, most_bytes)


@njit
def facts(search, out):
    """Vertices, rectangles looked at, stored, found again, cells, loss of every tree, of the single leaf."""
    values = carray(out, (7,))
    begin, end = ends_of_hull(search)
    values[0] = max(1, end - begin) if search.status == PROVED else 0
    values[1], values[2] = search.control[N_LOOKED], search.control[N_STORED]
    values[3], values[4] = search.control[N_HITS], search.problem.rows.shape[1]
    values[5], values[6] = search.offset, search.leaf_error
    return 0


@njit
def path(search, out, splits):
    """Leaves and loss of all vertices to int64 (vertices, 2), and the halvings of each feature to (d,)."""
    begin, end = ends_of_hull(search)
    values, halvings = carray(out, (max(1, end - begin), 2)), carray(splits, (len(search.n_splits),))
    values[0, 0], values[0, 1] = 1, search.leaf_error + search.offset
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
    "step": (step, ("search", NUMBER)),
    "facts": (facts, ("search", F64)),
    "path": (path, ("search", I64, I64)),
    "read": (read, ("search", COUNT, COUNT, I64, F64)),
}
