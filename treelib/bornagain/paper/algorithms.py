"""The paper's own recursion (Algorithms 1 to 4), region by region from the whole space down.

`treelib.bornagain.exact` finds the same optima far sooner. This module is for what depends on the way there:
the number of leaves of a tree of least depth, and the hierarchical objective, where the recursion stops at a
bound that holds for depth and leaves alone but not for the two together. The printed counts are those of this
order of search (features and levels ascending, left part first) and, under depth, of two shortcuts that the
authors' program takes and the paper does not mention.
"""

import math

import numpy as np

from treelib.bornagain.ensemble.cells import build_cells, count_regions
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.paper.recursion_kernels import (
    DEPTH,
    DEPTH_LEAVES,
    INFINITE,
    LEAVES,
    N_CALLS,
    N_COLUMNS,
    N_STATES,
    REGION,
    RETURNED,
    SPLIT_BITS,
    TOP,
    UP,
    UPPER,
    Recursion,
    extract,
    run_recursion,
)
from treelib.bornagain.regions.to_tree import to_tree
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult
from treelib.table.checks import check_choice

OBJECTIVES = {"depth": DEPTH, "leaves": LEAVES, "depth-leaves": DEPTH_LEAVES}
_TABLES = {
    DEPTH: ((np.uint8, 0),),
    LEAVES: ((np.uint16, 0), (np.uint32, 0)),
    DEPTH_LEAVES: ((np.uint16, 12), (np.uint32, 20)),
}
_CALLS = 3_000_000  # between two looks at the clock: 20 to 50 ms


def minimise_by_recursion(forest, objective="depth", *, budget=None, shortcuts=True):
    """Tree faithful to an ensemble, by the paper's recursion.

    Parameters
    ----------
    forest : object
        Ensemble, or anything that `as_ensemble` accepts.
    objective : {"depth", "leaves", "depth-leaves"}
        What is minimised; "depth-leaves" minimises depth first and leaves second.
    budget : Budget or None
        Limits of the search. The table takes one byte per region for "depth", otherwise two or four.
    shortcuts : bool
        For "depth": True follows the authors' program, which gives the printed trees; False follows Algorithm
        1 to the letter. The program skips the right part of a split that the left one rules out, and moves
        the ends of the binary search by the upper bound. The depth is the same, the tree often different.

    Returns
    -------
    SearchResult
        `objective` is the depth, or the number of leaves. `tree` is None if a limit stopped the search.
        `stats` counts recursive calls and memoised regions.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.paper.algorithms import minimise_by_recursion
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> found = minimise_by_recursion(forest, "depth")
    >>> found.objective, found.tree.n_leaves
    (1.0, 2)
    """
    check_choice("objective", objective, OBJECTIVES)
    budget = budget or Budget()
    cells = build_cells(as_ensemble(forest))
    status, stats, tree = None, {"n_calls": 0, "n_states": 0, "n_bytes": 0}, None
    for dtype, table_bits in _TABLES[OBJECTIVES[objective]]:
        n_bytes = count_regions(cells.shape) * np.dtype(dtype).itemsize
        status = budget.exceeded(0, n_bytes)
        if status is None:
            try:
                status, stats, tree = _solve(
                    cells, OBJECTIVES[objective], dtype, table_bits, budget, shortcuts
                )
            except MemoryError:
                status = MEMORY_LIMIT
        stats["n_bytes"] = n_bytes
        if status is not None:
            break
    value = np.inf if tree is None else tree.max_depth if objective != "leaves" else tree.n_leaves
    bound = value if status == OPTIMAL else 0
    stats |= {"n_cells": cells.n_cells, "n_regions": count_regions(cells.shape), "seconds": budget.seconds}
    budget.record(value, bound, stats["n_states"], last=True)
    return SearchResult(status, float(value), float(bound), tree, budget.trace, stats)


def _solve(cells, objective, dtype, table_bits, budget, shortcuts):
    """Status (None: an entry was too small), counters and tree."""
    n = np.array(cells.shape, dtype=np.int64)
    intervals = n * (n + 1) // 2
    first = np.zeros((len(n), int(n.max()) + 1), dtype=np.int64)
    for j, levels in enumerate(n.tolist()):
        first[j, 1 : levels + 1] = np.cumsum(np.arange(levels, 0, -1))
    r = Recursion(
        n=n,
        first=first,
        stride=_strides(intervals),
        cell_stride=_strides(n),
        classes=cells.classes.reshape(-1),
        table=np.zeros(math.prod(intervals.tolist()), dtype=dtype),
        low=np.zeros(len(n), dtype=np.int64),
        high=n - 1,
        frames=np.zeros((int(n.sum()) + 2, N_COLUMNS), dtype=np.int64),
        count=np.zeros(4, dtype=np.int64),
    )
    status = OPTIMAL
    if cells.n_cells > 1:
        _first_frame(r)
        largest = int(np.iinfo(dtype).max)
        try:
            while True:
                outcome = run_recursion(r, objective, table_bits, largest, _CALLS, shortcuts)
                budget.record(np.inf, 0, int(r.count[N_STATES]))
                if outcome:
                    break
                stopped = budget.exceeded(int(r.count[N_STATES]), r.table.nbytes)
                if stopped:
                    return stopped, _counters(r), None
        except KeyboardInterrupt:
            return INTERRUPTED, _counters(r), None
        if outcome < 0:
            return None, _counters(r), None
    value = int(r.count[RETURNED])
    n_leaves = 1 + (value if objective == LEAVES else value & ((1 << SPLIT_BITS) - 1))
    room = 2 * n_leaves - 1 if objective != DEPTH else 1024
    nodes = extract(r, objective, table_bits, room)
    while nodes.shape[1] == 0:
        room *= 4
        nodes = extract(r, objective, table_bits, room)
    n_classes = int(cells.classes.max()) + 1
    return status, _counters(r), to_tree(nodes, cells.levels, n_classes=n_classes)


def _first_frame(r):
    """Put the whole space on the stack."""
    frame = r.frames[0]
    frame[REGION] = ((r.n - 1) * r.stride).sum()
    frame[TOP] = ((r.n - 1) * r.cell_stride).sum()
    frame[UP], frame[UPPER] = r.high[0], INFINITE
    r.count[N_CALLS] = 1


def _counters(r):
    return {"n_calls": int(r.count[N_CALLS]), "n_states": int(r.count[N_STATES])}


def _strides(n):
    """Weights of the digits of a mixed-radix number whose last digit runs fastest, int64."""
    return np.array([math.prod(n[j + 1 :].tolist()) for j in range(len(n))], dtype=np.int64)
