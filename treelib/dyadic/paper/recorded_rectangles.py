"""All rectangles a pruned recursion can ever visit, recorded once and solved for any lambda by one scan.

The recursion at one lambda visits a rectangle iff it is the box or a half of a visited rectangle whose
majority vote errs by at least lambda. Errors grow with the rectangle, so this asks only for the largest error
among the rectangles it is a half of: its `reach`. One recording at a vanishing lambda therefore holds every
other run: who is visited is read off `reach`, and the optima follow in one pass in the order in which the
recursion finished. `count_visited` is that count for every price at once.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.lambda_scan import scan
from treelib.dyadic.paper.recursion import Outcome, Recursion
from treelib.search.budget import OPTIMAL


class Graph(NamedTuple):
    """Rectangles in an order in which halves come before wholes: first those that are leaves at every price,
    last the box.

    leaf_error : int64 (m,), error of the majority vote
    reach : int64 (m,), largest leaf_error among the rectangles it is a half of, and never less than its own;
        for the box its own
    children : int32 (expanded, d, 2), positions of the halves of the last rectangles; m for an empty one, -1
        where no split is left
    visited : int64 (e + 1,), see `count_visited`
    """

    leaf_error: np.ndarray
    reach: np.ndarray
    children: np.ndarray
    visited: np.ndarray

    @property
    def n_rectangles(self):
        return len(self.leaf_error)

    @property
    def n_bytes(self):
        return sum(array.nbytes for array in self)


def record(rows, budget=None, capacity=1 << 12, store_empty=False):
    """`Graph` of the pruned recursion at a vanishing lambda; RuntimeError where a limit of `budget` stopped
    it.

    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`
    store_empty : bool, empty rectangles are stored and counted like others, each of them one leaf
    """
    run = Recursion(rows, Fraction(1, 2**30), record=True, capacity=capacity, store_empty=store_empty)
    status = run.run(budget)
    if status != OPTIMAL:
        raise RuntimeError(f"The recording was stopped: {status}.")
    n, n_expanded = int(run.control[k.N_ENTRIES]), int(run.control[k.N_EXPANDED])
    entries = run.entries
    finished = entries.finished[:n_expanded]
    # those that were not expanded come first, the others in the order in which they were finished
    alone = np.flatnonzero(entries.place[:n] < 0)
    order = np.concatenate((alone, finished)).astype(np.int32)
    rank = np.empty(n + 2, dtype=np.int32)
    rank[-1], rank[-2] = n, -1  # where `Entries.children` has -1 and -2
    rank[order] = np.arange(n, dtype=np.int32)
    leaf_error, reach = entries.leaf_error[order], entries.reach[order]
    reach[rank[0]] = entries.leaf_error[0]
    children = rank[entries.children[entries.place[finished]]]
    return Graph(leaf_error, reach, children, _counts(reach, int(leaf_error[-1])))


def solve(graph, price, *, tie="largest", empty_leaf=1, ratio="printed", work=None):
    """`Outcome` of the pruned recursion at one price, equal to that of `recursion.solve`.

    Parameters
    ----------
    graph : Graph
    price : int or Fraction, lambda in units of the losses, positive
    tie, empty_leaf, ratio : as in `Recursion`
    work : `make_work(graph)`, to spare its allocation when called often
    """
    price = Fraction(price)
    work = make_work(graph) if work is None else work
    work[-1] = 0, empty_leaf
    answer = np.zeros(5, dtype=np.int64)
    answer[4] = 1
    scan(
        graph.leaf_error,
        graph.children,
        work,
        np.int64(price.numerator),
        np.int64(price.denominator),
        np.int64(k.TIES[tie]),
        np.int64(ratio == "corrected"),
        answer,
    )
    error, leaves, n_expanded = map(int, answer[:3])
    ceiling = -(-price.numerator // price.denominator)
    n_visited = int(graph.visited[ceiling]) if ceiling < len(graph.visited) else 1
    return Outcome(error, leaves, n_visited, n_expanded, Fraction(int(answer[3]), int(answer[4])) or None)


def make_work(graph):
    """Work space of `solve`: error and leaves of the optima, int64 (m + 1, 2), to begin with the leaf's."""
    work = np.ones((graph.n_rectangles + 1, 2), dtype=np.int64)
    work[:-1, 0] = graph.leaf_error
    return work


def count_visited(graph):
    """Rectangles that MRP visits, for each whole number of errors that a leaf may cost.

    Returns
    -------
    int64 (e + 1,): entry c is the count for all prices above c - 1 and up to c, e the error of the single
    leaf; a price above e visits the box alone. Entry 0 equals entry 1.
    """
    return graph.visited


def _counts(reach, error):
    counts = np.bincount(reach, minlength=error + 1)
    return np.cumsum(counts[::-1])[::-1].astype(np.int64)
