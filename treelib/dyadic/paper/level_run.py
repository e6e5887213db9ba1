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
from treelib.dyadic.rectangles import key_shifts

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


def walk(rows, *, store_empty=False, children=False, keys=False):
    """`VisitedRectangles` over all rectangles.

    rows : Rows, of `treelib.dyadic.paper.recursion.make_rows`
    store_empty : bool, visit empty rectangles too
    children, keys : bool, what else is to be written

    Raises
    ------
    ValueError
        There are more than `MOST_PLACES` rows times level vectors, or keys need too many bits.
    """
    shifts = key_shifts(rows.n_splits)
    n_vectors, (n, d) = prod(int(k_i) + 1 for k_i in rows.n_splits), rows.codes.shape
    if n_vectors * n > MOST_PLACES:
        raise ValueError(f"{n_vectors:,} level vectors of {n:,} rows are too many to be recorded.")
    visits = _visit(rows, n_vectors)
    error = int(visits.error[0]) if visits.erring_starts[1] else 0
    erring = np.diff(visits.erring_starts)
    # a rectangle that errs has an empty neighbour in each coordinate at most; the table is half full
    n_slots = 1 << int(2 * d * erring.max()).bit_length() if store_empty else 0
    n_empty = d * int(erring.sum()) if store_empty else 0
    links = k.Links(
        children=np.empty((int(visits.erring_starts[-2]) if children else 0, d, 2), dtype=np.int32),
        occupied=np.zeros(error + 1, dtype=np.int64),
        empty=np.zeros(error + 1, dtype=np.int64),
        keys=np.empty(int(visits.starts[-1]) + n_empty if keys else 0, dtype=np.int64),
        empty_keys=np.zeros(n_slots, dtype=np.int64),
        empty_reach=np.zeros(n_slots, dtype=np.int64),
        used=np.zeros(n_slots, dtype=np.int64),
        shifts=shifts,
        n_keys=np.zeros(1, dtype=np.int64),
    )
    k.link_levels(rows, visits, links, np.zeros(d, dtype=np.int64))
    links.occupied[0] -= 1
    links.occupied[error] += 1
    leaf_error = visits.error[: visits.erring_starts[-1]][::-1].copy()
    n_bytes = sum(array.nbytes for part in (visits, links) for array in part)
    found = links.children, links.occupied, links.empty, links.keys[: links.n_keys[0]]
    return VisitedRectangles(leaf_error, *found, n_bytes)


def _visit(rows, n_vectors):
    """`Visits` of all level vectors, so many."""
    n, d = rows.codes.shape
    sides, kind = rows.n_splits + 1, np.uint16 if n < 2**16 else np.int32
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
        at=np.zeros(1, dtype=np.int64),
        halves=np.empty(2 * n, dtype=np.int32),
        members=np.empty(n, dtype=np.int32),
        totals=np.zeros((n + 1, rows.losses.shape[1]), dtype=np.int64),
        sizes=np.zeros(n + 1, dtype=np.int32),
        firsts=np.zeros(n + 1, dtype=np.int32),
        renumbered=np.zeros(n + 1, dtype=np.int32),
    )
    while not k.visit_levels(rows, visits, work):
        visits = _grown(visits, int(work.at[0]), n)
    return visits


def _grown(visits, at, n):
    """`Visits` with room for the rectangles of one more level vector."""
    ends = {"first_row": visits.starts, "erring_rows": visits.row_starts}
    for name in _GROWING:
        old, used = getattr(visits, name), int(ends.get(name, visits.erring_starts)[at])
        if used + n > len(old):
            larger = np.empty(2 * len(old), dtype=old.dtype)
            larger[:used] = old[:used]
            visits = visits._replace(**{name: larger})
    return visits
