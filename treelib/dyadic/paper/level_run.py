"""`walk`: all that the pruned recursion visits at a vanishing lambda, one level vector after the other.

The recursion asks for the halves of every rectangle that errs, and no order of its calls changes for which.
It stores some 80 bytes of each and waits for memory at every look-up; here the rows themselves say which
rectangle of a level vector they lie in. The 16 million rectangles of the design set of diabetes take 1.5 s in
place of 10.7, their graph included.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from treelib.dyadic.paper import level_visits as k
from treelib.dyadic.rectangles import key_bits, key_shifts
from treelib.search.budget import Budget

# between two looks at the clock, some 10 ms each: rows looked at, and rectangles
_STEP_ROWS = 1 << 20
_STEP_RECTANGLES = 1 << 16
_FIRST = 1 << 12
# numbers of rows and level vectors up to which `Visits.place` is made: 1 GB at two bytes each
MOST_PLACES = 1 << 29
# of the arrays of `Visits` that grow
_GROWING = ("first_row", "error", "size", "erring_rows")


class VisitedRectangles(NamedTuple):
    """What was visited.

    leaf_error : int64 (m,), of the rectangles that err: halves before wholes, first those without a split
    children : int32 (expanded, d, 2), as in `treelib.dyadic.paper.recorded_rectangles.Graph`; of no rectangle
        unless asked for
    occupied, empty : int64 (e + 1,), rectangles visited that hold a row and that hold none, by their reach;
        the whole box, which no other has as a half, is at e
    keys : int64, of the rectangles visited, in no special order; none unless asked for
    n_bytes : int, of all arrays that were needed
    """

    leaf_error: np.ndarray
    children: np.ndarray
    occupied: np.ndarray
    empty: np.ndarray
    keys: np.ndarray
    n_bytes: int


def fits(rows):
    """Whether there are few enough level vectors for `walk`, bool. rows : Rows"""
    n_vectors = prod(int(n) + 1 for n in rows.n_splits)
    return n_vectors * len(rows.codes) <= MOST_PLACES and key_bits(rows.n_splits) <= 62


def walk(rows, budget=None, *, store_empty=False, children=False, keys=False):
    """`VisitedRectangles` over all rectangles; raises `Stopped` where a limit of `budget` is met.

    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`
    store_empty : bool, visit empty rectangles too
    children, keys : bool, what else is to be written
    """
    budget = Budget() if budget is None else budget
    visits = _visit(rows, budget)
    n, d = rows.codes.shape
    error = int(visits.error[0]) if visits.erring_starts[1] else 0
    n_expanded = int(visits.erring_starts[-2]) if children else 0
    erring = np.diff(visits.erring_starts)
    # a rectangle that errs has an empty neighbour in each coordinate at most; the table is half full
    n_slots = 1 << int(2 * d * erring.max()).bit_length() if store_empty else 0
    room = 4 * n * (d + 1) + _STEP_RECTANGLES if keys else 0
    _check(budget, visits, 8 * (d * n_expanded + room) + 24 * n_slots)
    links = k.Links(
        children=np.empty((n_expanded, d, 2), dtype=np.int32),
        occupied=np.zeros(error + 1, dtype=np.int64),
        empty=np.zeros(error + 1, dtype=np.int64),
        keys=np.empty(room, dtype=np.int64),
        empty_keys=np.zeros(n_slots, dtype=np.int64),
        empty_reach=np.zeros(n_slots, dtype=np.int64),
        used=np.zeros(n_slots, dtype=np.int64),
        shifts=key_shifts(rows.n_splits),
        counts=np.zeros(2, dtype=np.int64),
    )
    taken, digits, answer = [], np.zeros(d, dtype=np.int64), k.PAUSED
    while answer != k.DONE:
        answer = k.link_levels(rows, visits, links, digits, _STEP_RECTANGLES)
        taken.append(links.keys[: links.counts[0]].copy())
        _check(budget, visits, links.children.nbytes + 8 * sum(map(len, taken)))
    links.occupied[0] -= 1
    links.occupied[error] += 1
    leaf_error = visits.error[: visits.erring_starts[-1]][::-1].copy()
    n_bytes = sum(array.nbytes for part in (visits, links, taken) for array in part)
    found = links.children, links.occupied, links.empty, np.concatenate(taken)
    return VisitedRectangles(leaf_error, *found, n_bytes)


def _visit(rows, budget):
    """`Visits` of all level vectors."""
    n, d = rows.codes.shape
    sides = rows.n_splits + 1
    n_vectors, kind = int(sides.prod()), np.uint16 if n < 2**16 else np.int32
    budget.check(n_vectors * n * np.dtype(kind).itemsize)
    room = max(_FIRST, n)
    visits = k.Visits(
        strides=np.append(np.cumprod(sides[:0:-1])[::-1], 1).astype(np.int64),
        # what no row reaches is not touched, and takes no memory
        place=np.zeros((n_vectors, n), dtype=kind),
        starts=np.zeros(n_vectors + 1, dtype=np.int64),
        erring_starts=np.zeros(n_vectors + 1, dtype=np.int64),
        row_starts=np.zeros(n_vectors + 1, dtype=np.int64),
        first_row=np.empty(room, dtype=np.int32),
        error=np.empty(room, dtype=np.int64),
        size=np.empty(room, dtype=np.int32),
        erring_rows=np.empty(room, dtype=np.int32),
    )
    work = k.Work(
        digits=np.zeros(d, dtype=np.int64),
        at=np.zeros(2, dtype=np.int64),
        halves=np.empty(2 * n, dtype=np.int32),
        members=np.empty(n, dtype=np.int32),
        totals=np.zeros((n + 1, rows.losses.shape[1]), dtype=np.int64),
        sizes=np.zeros(n + 1, dtype=np.int32),
        firsts=np.zeros(n + 1, dtype=np.int32),
        renumbered=np.zeros(n + 1, dtype=np.int32),
    )
    while (answer := k.visit_levels(rows, visits, work, _STEP_ROWS)) != k.DONE:
        _check(budget, visits, 0)
        if answer == k.FULL:
            visits = _grown(visits, int(work.at[0]), n, budget)
    return visits


def _grown(visits, at, n, budget):
    """`Visits` with room for the rectangles of one more level vector."""
    ends = {"first_row": visits.starts, "erring_rows": visits.row_starts}
    larger = {}
    for name in _GROWING:
        old, used = getattr(visits, name), int(ends.get(name, visits.erring_starts)[at])
        if used + n > len(old):
            _check(budget, visits, 2 * old.nbytes)
            larger[name] = np.empty(2 * len(old), dtype=old.dtype)
            larger[name][:used] = old[:used]
            visits = visits._replace(**larger)
    return visits


def _check(budget, visits, n_bytes):
    """Raise `Stopped` where a limit is met, with so many bytes beside those of `visits`."""
    budget.check(n_bytes + sum(array.nbytes for array in visits))
