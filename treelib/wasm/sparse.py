"""The exact search on 0/1 columns for the page: start, step, bounds, read.

The driver is that of Python: `treelib.sparse.exact.minimise._Search`, from its constructor to its steps, is
compiled for the page as it stands, with what it calls (`treelib.wasm.language`). Written for the page
alone is what stands before and after it: bytes are counted without lists of arrays, and numbers are handed
over in the memory of the page.
"""

import numpy as np
from numba import carray, njit, types
from numba.extending import overload

from treelib.sparse.exact.best_tree import TO_READ, WHOLE, _read_tree, cost_of_tree
from treelib.sparse.exact.depth_two import STOP, make_scratch
from treelib.sparse.exact.minimise import (
    RAISE_AFTER,
    WORK_A_STEP,
    _bytes_to_start,
    _depth_and_levels,
    _first_capacity,
    _lanes,
    _Search,
    _Stack,
)
from treelib.sparse.exact.nodes import add_root, grow_nodes, make_nodes
from treelib.sparse.exact.packed_rows import make_packs
from treelib.sparse.exact.search import CONTROL, COUNTS, make_frames
from treelib.wasm.language.same_source import bytes_of, compiled, maybe, same, same_class, structure
from treelib.wasm.reduction import reduce_problem

# answers of `step`, and of `start` by what it leaves in ``search.status``
RUNNING, PROVED, NO_MEMORY = 0, 1, 2


# a `treelib.sparse.exact.minimise._Stack`; a `_Search` of there, and what leads back from its integers
StackType, Stack = structure("Stack", ["frames", "packs", "control"])
PYTHONS = ["problem", "price", "tolerance", "depth", "levels", "nodes", "scratch", "counts", "target"]
PYTHONS += ["search", "raising", "n_steps", "is_long"]
PAGES = ["base", "scale", "total", "regularization", "n_rows", "default_class", "status"]
SearchType, Search = structure("Search", PYTHONS + PAGES)

STACK = same_class(StackType, _Stack, ["begin"], ["done"])
PROPERTIES = ["n_nodes", "lower", "upper", "done", "is_full"]
SEARCH = same_class(SearchType, _Search, ["aim", "step", "_raising"], PROPERTIES)


@overload(_Stack)
def stack_of(problem, levels):
    """What the constructor gives: one depth-first search."""

    def make(problem, levels):
        control = np.zeros(1, CONTROL)
        control[0]["level"] = -1
        return Stack(make_frames(problem, levels), make_packs(problem, levels), control)

    return make


for function in (
    make_nodes,
    grow_nodes,
    add_root,
    make_packs,
    make_frames,
    make_scratch,
    _depth_and_levels,
    _first_capacity,
):
    same(function)
bytes_to_start, lanes = compiled(_bytes_to_start), compiled(_lanes)
begin_search = compiled(_Search.__init__)


@compiled
def start_search(columns, costs, regularization, total, max_depth, most_bytes):
    """The `Search` of a problem, ready for its first step; `max_depth` below 0 is no limit."""
    reduced = reduce_problem(columns, costs)
    problem, price = reduced.problem, regularization * (total * reduced.scale)
    deepest = np.int64(max_depth if max_depth >= 0 else columns.shape[1])
    depth, levels = _depth_and_levels(reduced, deepest)
    # a split costs a leaf more and can save no more than all that the single leaf loses
    status = PROVED if reduced.n_rows == 0 or not price < reduced.leaf_cost else RUNNING
    if status == RUNNING and bytes_to_start(problem, lanes(problem)) > most_bytes:
        status = NO_MEMORY
    # what it takes to read a tree without a search
    scratch, nodes, stack = make_scratch(problem, False), make_nodes(1), _Stack(problem, 1)
    add_root(nodes, depth)
    scratch.answer[STOP] = 1
    search = Search(
        problem, price, 0.0, np.int64(depth), np.int64(levels), nodes, scratch, np.zeros(1, COUNTS), np.inf,
        stack, maybe(stack, False), 0, False, reduced.base_cost, reduced.scale, total, regularization,
        np.int64(reduced.n_rows), np.int64(reduced.default_class), np.int64(status),
    )  # fmt: skip
    if status == RUNNING:
        begin_search(search, reduced, price, deepest)
        search.aim(np.inf)
    return search


@compiled
def bytes_wanted(search):
    """As `treelib.sparse.exact.minimise._Search.bytes_wanted`."""
    stack, nodes = search.search, bytes_of(search.nodes[:])
    n_stacks = 1 if search.raising is None else 2
    if search.raising is None and search.n_steps * WORK_A_STEP >= RAISE_AFTER:
        n_stacks = 2
    wanted = bytes_of(search.problem[:-1]) + bytes_of(search.scratch[:])
    wanted += n_stacks * (bytes_of(stack.frames[:]) + bytes_of(stack.packs[:]))
    return wanted + nodes * (3 if search.is_full else 1)


@compiled
def step_search(search, most_bytes):
    """Work for a few milliseconds; how the search stands."""
    if search.status == RUNNING:
        if bytes_wanted(search) > most_bytes:
            search.status = NO_MEMORY
        elif search.step():
            search.status = PROVED
    return search.status


@compiled
def lower_bound(search):
    """Proven lower bound of the objective: no tree with splits costs less than two leaves."""
    return (search.base + max(search.lower, 2.0 * search.price) / search.scale) / search.total


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
    if search.status == PROVED and counts["n_nodes"] == 0:
        out[3, 0] = search.default_class
        n = 1
    else:
        n_words = search.problem.columns.shape[1]
        rows = np.empty((search.levels + 3, n_words), np.uint64)
        todo = np.empty(search.levels + 3, TO_READ)
        n = _read_tree(
            search.problem,
            search.search.packs,
            search.nodes,
            search.depth,
            search.price,
            search.scratch,
            (rows, todo, np.arange(search.problem.columns.shape[0])),
            out,
        )
    n_leaves = 0
    for i in range(n):
        n_leaves += out[0, i] < 0
    cost = cost_of_tree(out[0], out[1], out[2], out[3], columns, costs)
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
def bounds(search, out):
    """Objective known, lower bound, nodes, bytes wanted, and room that a tree needs, to float64 (5,)."""
    values = carray(out, (5,))
    values[0] = (search.base + search.upper / search.scale) / search.total
    values[1] = lower_bound(search)
    values[2], values[3] = search.n_nodes, bytes_wanted(search)
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
    "step": (step_search, ("search", NUMBER)),
    "bounds": (bounds, ("search", F64)),
    "read": (read, ("search", U8, F64, COUNT, COUNT, COUNT, I64, COUNT, F64)),
}
