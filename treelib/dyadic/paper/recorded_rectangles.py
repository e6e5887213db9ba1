"""All rectangles a pruned recursion can ever visit, recorded once.

The recursion at one lambda visits a rectangle iff it is the box or a half of a visited rectangle whose
majority vote errs by at least lambda. Errors grow with the rectangle, so this asks only for the largest error
among the rectangles it is a half of: its `reach`. One recording at a vanishing lambda therefore holds every
other run: who is visited is read off `reach`, and the optima follow in one pass that meets halves before
wholes (`treelib.dyadic.paper.price_solver`). `Graph.visited` counts them for every price at once.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treelib.dyadic.paper import level_run
from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.lambda_scan import renumber
from treelib.dyadic.paper.recursion import Recursion
from treelib.search.budget import OPTIMAL, Stopped, status_of


class Graph(NamedTuple):
    """Rectangles in an order in which halves come before wholes: first those that err and cannot be split,
    last the box.

    All others err nowhere: each is one leaf at every price, so one place stands for all of them. They are
    three of four rectangles, and what a solve reads here and there is smaller by as much.

    leaf_error : int64 (m,), error of the majority vote
    children : int32 (expanded, d, 2), positions of the halves of the last rectangles; m for an empty one that
        is not stored, m + 1 for one without error, -1 where no split is left
    visited : int64 (e + 1,), rectangles that MRP visits for each whole number of errors that a leaf may cost:
        entry c is the count for all prices above c - 1 and up to c, e the error of the single leaf; a price
        above e visits the box alone. Entry 0 equals entry 1
    """

    leaf_error: np.ndarray
    children: np.ndarray
    visited: np.ndarray

    @property
    def n_rectangles(self):
        """Rectangles recorded, those without error too."""
        return int(self.visited[0])

    @property
    def n_bytes(self):
        return sum(array.nbytes for array in self)


class Recording(NamedTuple):
    """A `Graph` and what else was met.

    occupied : int64 (e + 1,), `Graph.visited` of the rectangles that hold a row
    keys : int64, of all rectangles recorded, in no special order; none unless asked for
    n_bytes : int, of all tables
    """

    graph: Graph
    occupied: np.ndarray
    keys: np.ndarray
    n_bytes: int


def record(rows, budget=None, capacity=1 << 12, store_empty=False):
    """`Graph` of the pruned recursion at a vanishing lambda; RuntimeError where a limit of `budget` stopped
    it.

    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`
    capacity : int, rectangles for which there is room at first, where it takes the recursion itself
    store_empty : bool, empty rectangles are stored and counted like others, each of them one leaf
    """
    return record_all(rows, budget, capacity, store_empty, keys=False).graph


def record_all(rows, budget=None, capacity=1 << 12, store_empty=True, keys=True):
    """`Recording`; arguments as of `record`. keys : bool, whether the keys are asked for.

    The rectangles are visited by level vectors, or by the recursion where there are too many of these.
    """
    if not level_run.fits(rows):
        return _record_by_recursion(rows, budget, capacity, store_empty)
    try:
        found = level_run.walk(rows, budget, store_empty=store_empty, children=True, keys=keys)
    except (Stopped, KeyboardInterrupt) as stop:
        raise RuntimeError(f"The recording was stopped: {status_of(stop)}.") from None
    leaf_error = found.leaf_error if len(found.leaf_error) else np.zeros(1, dtype=np.int64)  # the box
    graph = Graph(leaf_error, found.children, _from_above(found.occupied + found.empty))
    return Recording(graph, _from_above(found.occupied), found.keys, found.n_bytes)


def count_both(rows):
    """`Graph.visited` with the empty rectangles, and of those that hold a row: two int64 (e + 1,).

    One run for both, and no `Graph`.
    """
    if not level_run.fits(rows):
        run = _run(rows, None, store_empty=True)
        return _counts(run), _counts(run, run.visited["label"] != k.NO_LABEL)
    found = level_run.walk(rows, store_empty=True)
    return _from_above(found.occupied + found.empty), _from_above(found.occupied)


def _record_by_recursion(rows, budget, capacity, store_empty):
    """`Recording` of one run of the recursion."""
    run = _run(rows, budget, record=True, capacity=capacity, store_empty=store_empty)
    n, n_expanded = int(run.control[k.N_ENTRIES]), int(run.control[k.N_EXPANDED])
    entries = run.entries
    finished = entries.finished[:n_expanded]
    alone = np.flatnonzero((entries.place[:n] < 0) & (entries.leaf_error[:n] > 0))
    if n_expanded == 0:
        alone = np.arange(1)  # the box
    # then the others in the order in which they were finished
    order = np.concatenate((alone, finished)).astype(np.int32)
    rank = np.full(n + 2, len(order) + 1, dtype=np.int32)
    rank[-1], rank[-2] = len(order), -1  # where `Entries.children` has -1 and -2
    rank[order] = np.arange(len(order), dtype=np.int32)
    children = np.empty((n_expanded, *entries.children.shape[1:]), dtype=np.int32)
    renumber(entries.children, entries.place, finished, rank, children)
    graph = Graph(entries.leaf_error[order], children, _counts(run))
    return Recording(graph, _counts(run, run.visited["label"] != k.NO_LABEL), run.keys, run.n_bytes)


def _run(rows, budget, **settings):
    """`Recursion` at a vanishing lambda that is done; RuntimeError where a limit stopped it."""
    run = Recursion(rows, Fraction(1, 2**30), **settings)
    status = run.run(budget)
    if status != OPTIMAL:
        raise RuntimeError(f"The recording was stopped: {status}.")
    return run


def _counts(run, chosen=slice(None)):
    """`Graph.visited` of the rectangles chosen of a run, among them the box."""
    error = int(run.entries.leaf_error[0])
    counts = np.bincount(run.visited["reach"][chosen], minlength=error + 1)
    # nothing has the box as its half: it is visited at every price
    counts[0] -= 1
    counts[error] += 1
    return _from_above(counts)


def count_at(visited, errors):
    """Rectangles visited at a price of so many errors, int; above the most errors it is the box alone.

    visited : int64 (e + 1,), as `Graph.visited`
    """
    return int(visited[errors]) if errors < len(visited) else 1


def _from_above(counts):
    """How many are at least at each place, int64."""
    return np.cumsum(counts[::-1])[::-1].astype(np.int64)
