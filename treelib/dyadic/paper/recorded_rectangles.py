"""All rectangles a pruned recursion can ever visit, recorded once.

The recursion at one lambda visits a rectangle iff it is the box or a half of a visited rectangle whose
majority vote errs by at least lambda. Errors grow with the rectangle, so this asks only for the largest error
among the rectangles it is a half of: its `reach`. One recording at a vanishing lambda therefore holds every
other run: who is visited is read off `reach`, and the optima follow in one pass that meets halves before
wholes (`treelib.dyadic.paper.price_solver`). `Graph.visited` counts them for every price at once.
"""

from typing import NamedTuple

import numpy as np

from treelib.dyadic.paper.level_run import walk


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


def record(rows, store_empty=False):
    """`Graph` of the pruned recursion at a vanishing lambda.

    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`
    store_empty : bool, empty rectangles are stored and counted like others, each of them one leaf
    """
    return record_all(rows, store_empty, keys=False).graph


def record_all(rows, store_empty=True, keys=True):
    """`Recording`; arguments as of `record`. keys : bool, whether the keys are asked for."""
    found = walk(rows, store_empty=store_empty, children=True, keys=keys)
    leaf_error = found.leaf_error if len(found.leaf_error) else np.zeros(1, dtype=np.int64)  # the box
    graph = Graph(leaf_error, found.children, _from_above(found.occupied + found.empty))
    return Recording(graph, _from_above(found.occupied), found.keys, found.n_bytes)


def count_both(rows):
    """`Graph.visited` with the empty rectangles, and of those that hold a row: two int64 (e + 1,).

    One run for both, and no `Graph`.
    """
    found = walk(rows, store_empty=True)
    return _from_above(found.occupied + found.empty), _from_above(found.occupied)


def count_at(visited, errors):
    """Rectangles visited at a price of so many errors, int; above the most errors it is the box alone.

    visited : int64 (e + 1,), as `Graph.visited`
    """
    return int(visited[errors]) if errors < len(visited) else 1


def _from_above(counts):
    """How many are at least at each place, int64."""
    return np.cumsum(counts[::-1])[::-1].astype(np.int64)
