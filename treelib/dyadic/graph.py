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

from treelib.budget import OPTIMAL
from treelib.dyadic import recursion_kernels as k
from treelib.dyadic.recursion import Outcome, Recursion
from treelib.dyadic.scan_kernels import scan


class Graph(NamedTuple):
    """Rectangles in an order in which halves come before wholes; the last one is the box.

    leaf_error : int64 (m,), error of the majority vote
    reach : int64 (m,), largest leaf_error among the rectangles it is a half of; for the box its own
    leaf_error
    first : int32 (m,), row of `children` of an expanded rectangle, -1 for others
    children : int32 (expanded, d, 2), positions of the halves; -1 an empty one, -2 no split left
    """

    leaf_error: np.ndarray
    reach: np.ndarray
    first: np.ndarray
    children: np.ndarray

    @property
    def n_rectangles(self):
        return len(self.leaf_error)

    @property
    def n_bytes(self):
        return sum(array.nbytes for array in self)


def record(rows, budget=None, capacity=1 << 12, store_empty=False):
    """`Graph` of the pruned recursion at a vanishing lambda; RuntimeError where a limit of `budget` stopped
    it.

    rows : Rows, of `treelib.dyadic.recursion.make_rows`
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
    rank = np.empty(n + 2, dtype=np.int32)
    rank[-1], rank[-2] = -1, -2
    alone = np.flatnonzero(entries.place[:n] < 0)
    order = np.concatenate((alone, finished)).astype(np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    children = entries.children[:n_expanded]
    places = entries.place[finished]
    first = np.full(n, -1, dtype=np.int32)
    first[len(alone) :] = np.arange(n_expanded)
    reach = entries.reach[order]
    reach[rank[0]] = entries.leaf_error[0]
    return Graph(entries.leaf_error[order], reach, first, rank[children[places]])


def solve(graph, price, *, tie="largest", empty_leaf=1, ratio="printed", work=None):
    """`Outcome` of the pruned recursion at one price, equal to that of `treelib.dyadic.recursion.solve`.

    Parameters
    ----------
    graph : Graph
    price : int or Fraction, lambda in units of the losses, positive
    tie, empty_leaf, ratio : as in `Recursion`
    work : `make_work(graph)`, to spare its allocation when called often
    """
    price = Fraction(price)
    work = make_work(graph) if work is None else work
    answer = np.zeros(6, dtype=np.int64)
    answer[5] = 1
    scan(
        *graph,
        *work,
        np.int64(price.numerator),
        np.int64(price.denominator),
        np.int64(k.TIES[tie]),
        np.int64(empty_leaf),
        np.int64(ratio == "corrected"),
        answer,
    )
    error, leaves, n_visited, n_expanded = map(int, answer[:4])
    return Outcome(error, leaves, n_visited, n_expanded, Fraction(int(answer[4]), int(answer[5])) or None)


def make_work(graph):
    """Work space of `solve`: errors and leaves of the optima, int64 and int32 (m,)."""
    return np.zeros(graph.n_rectangles, dtype=np.int64), np.zeros(graph.n_rectangles, dtype=np.int32)


def count_visited(graph):
    """Rectangles that MRP visits, for each whole number of errors that a leaf may cost.

    Returns
    -------
    int64 (e + 1,): entry c is the count for all prices above c - 1 and up to c, e the error of the single
    leaf; a price above e visits the box alone. Entry 0 equals entry 1.
    """
    counts = np.bincount(graph.reach, minlength=int(graph.leaf_error[-1]) + 1)
    return np.cumsum(counts[::-1])[::-1].astype(np.int64)
