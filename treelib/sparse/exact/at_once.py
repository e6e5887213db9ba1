"""A small problem solved in one call of one kernel, in arrays that are kept from search to search.

The search of a few hundred rows takes less time than it takes to make its arrays, to hand them over three
times, and to ask for the clock between two steps.
"""

from operator import attrgetter
from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.exact.best_tree import TO_READ, cost_of_tree, read_within
from treelib.sparse.exact.depth_two import make_scratch
from treelib.sparse.exact.nodes import LEAF, make_nodes
from treelib.sparse.exact.packed_rows import find_reach, make_packs
from treelib.sparse.exact.search import (
    CONTROL,
    COUNTS,
    DONE,
    FRESH,
    Tables,
    advance_within,
    make_frames,
)

# rooms that are kept
MOST_ROOMS = 8
_idle = {}


class Room(NamedTuple):
    """Arrays of a search, for all problems of one shape.

    tables : Tables without problem, price and tolerance. reading, tree : the stack and the output of
    `read_within`. n_bytes : int, of the arrays that a search counts, those of its problem too
    """

    tables: Tables
    reading: tuple
    tree: np.ndarray
    n_bytes: int


def take_room(problem, n_lanes, levels, capacity):
    """Key and `Room` of a `Problem`: one that nobody uses, or a new one.

    n_lanes : int, most lanes that a set of its rows can have. levels : int, of the frames. capacity : int,
        nodes that the table has room for
    """
    p, n_words = problem.columns.shape
    key = p, n_words, len(problem.planes), n_lanes, problem.n_tables, levels, capacity
    room = _idle.pop(key, None)  # in one step, as other threads search too
    return key, _make_room(problem, levels, capacity) if room is None else room


def give_back(key, room):
    """Keep a room for the next search."""
    if len(_idle) >= MOST_ROOMS:
        _idle.clear()
    _idle[key] = room


def _make_room(problem, levels, capacity):
    p, n_words = problem.columns.shape
    packs = make_packs(problem, levels)
    packs = packs._replace(table=problem.table.copy(), shift=problem.shift.copy())
    parts = packs, make_nodes(capacity), make_frames(problem, levels), make_scratch(problem)
    arrays = [array for part in (problem[:-1], *parts) for array in part]
    tables = Tables(None, *parts, np.zeros(1, CONTROL), np.zeros(1, COUNTS), price=0.0, tolerance=0.0)
    return Room(
        tables,
        reading=(np.empty((levels + 3, n_words), np.uint64), np.empty(levels + 3, TO_READ), np.arange(p)),
        tree=np.empty((4, 2 * n_words * 64 + 1), np.intp),
        n_bytes=sum(map(attrgetter("nbytes"), arrays)),
    )


@kernel(allocates=False)
def solve_at_once(tables, depth, work_limit, reading, tree, columns, costs, told):
    """Begin a search and take two steps of it; where it is done then, read and score its tree.

    Parameters
    ----------
    tables : Tables, whose arrays may hold what another search left, but for the problem
    depth : int, splits allowed on a path. work_limit : int, of each step, see `advance_within`
    reading, tree : see `read_within`
    columns : uint8 (n, p), costs : float64 (n, n_classes), on which the tree is scored
    told : float64 (4,), written: upper bound, lower bound and number of nodes after the first step, a dive;
        cost of the tree

    Returns
    -------
    n_nodes, n_steps, answer : int, nodes of the tree, steps taken, what `advance_within` said of the last.
        No nodes where more has to be done.
    """
    problem, nodes = tables.problem, tables.nodes
    _begin(tables, depth)
    root = nodes.table[0]
    n_steps, answer = 0, DONE
    while answer == DONE and (
        n_steps == 0 or (n_steps == 1 and root["lower"] < root["upper"] - tables.tolerance)
    ):
        told[0], told[1], told[2] = root["upper"], root["lower"], tables.counts[0]["n_nodes"]
        _begin_step(tables, n_steps == 0)
        answer = advance_within(tables, work_limit)
        n_steps += 1
    if answer != DONE or root["lower"] < root["upper"] - tables.tolerance:
        return 0, n_steps, answer
    tree[:] = -1
    n = read_within(problem, tables.packs, nodes, depth, tables.price, tables.scratch, reading, tree)
    told[3] = cost_of_tree(tree[0], tree[1], tree[2], tree[3], columns, costs)
    return n, n_steps, answer


@kernel(inner=True, inline=True)
def _begin(tables, depth):
    """Write the problem and the root into the tables, and forget all else."""
    problem, packs, nodes, frames = tables.problem, tables.packs, tables.nodes, tables.frames
    p, n_words = problem.columns.shape
    for q in range(problem.table.shape[0]):
        packs.table[q], packs.shift[q] = problem.table[q], problem.shift[q]
        for w in range(n_words):
            packs.bits[0, p + q, w] = problem.planes[q, w]
    for c in range(p):
        for w in range(n_words):
            packs.bits[0, c, w] = problem.columns[c, w]
    packs.width[0] = n_words
    find_reach(packs, 0)
    for w in range(n_words):
        frames.rows[0, w] = frames.packed[0, w] = problem.all_rows[w]
    for slot in range(nodes.slots.shape[0]):
        nodes.slots[slot] = -1
    root = nodes.table[0]
    root["key"], root["lower"], root["upper"] = 0, 0.0, np.inf
    root["parent"], root["literal"], root["depth"], root["split"] = -1, 0, depth, LEAF
    counts = tables.counts[0]
    counts["n_nodes"], counts["n_evaluated"], counts["n_looked_at"], counts["n_hits"] = 1, 0, 0, 0


@kernel(inner=True, inline=True)
def _begin_step(tables, diving):
    """Start at the whole set, for the best tree of all."""
    frame, active, control = tables.frames.frame[0], tables.frames.active[0], tables.control[0]
    frame["node"], frame["n_active"], frame["position"] = 0, active.shape[0], 0
    frame["sides_dived"], frame["slot"], frame["target"] = 0, 0, np.inf
    for a in range(active.shape[0]):
        active[a] = a
    control["level"], control["to_open"], control["diving"] = 0, FRESH, diving
