"""Kernels of the pruned recursion in another order: the rectangles of one level vector after the other.

A level vector says how often each coordinate was halved. What the recursion visits does not depend on the
order of its calls, so all halves that rectangles of coarser level vectors ask for can be met together. A row
lies in one rectangle of each level vector: a number for each row says which (`Visits.place`), and takes the
place of the hash table. What a step reads fits into the processor's caches.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.paper.hash_tables import mixed


class Visits(NamedTuple):
    """Rectangles visited that hold rows, by level vectors in lexicographic order; L of them.

    Those of one level vector are numbered from 1, first those that err. Level vectors are numbered as the
    digits of a number in mixed base, so the one with a halving less in coordinate i has a number smaller by
    ``strides[i]``.

    strides : int64 (d,).
    place : uint16 or int32 (L, n), number of the visited rectangle that holds a row, 0 where there is none.
    starts : int64 (L + 1,), rectangles visited at all level vectors before, here and below without a row.
    erring_starts, row_starts : int64 (L + 1,), those that err, and rows in them.
    first_row : int32, the first row of each rectangle visited.
    error : int64, size : int32, of the majority vote of each rectangle that errs, and its rows.
    erring_rows : int32, rows in rectangles that err.
    """

    strides: np.ndarray
    place: np.ndarray
    starts: np.ndarray
    erring_starts: np.ndarray
    row_starts: np.ndarray
    first_row: np.ndarray
    error: np.ndarray
    size: np.ndarray
    erring_rows: np.ndarray


class Work(NamedTuple):
    """Work space of one level vector, and where the visits are.

    digits : int64 (d,), the level vector. at : int64 (1,), its number.
    halves : int32 (2 n,), number of each half of the rectangles of a coarser level vector.
    members : int32 (n,), rows met. totals : int64 (n + 1, K), losses. sizes, firsts, renumbered :
    int32 (n + 1,), rows, first row and number in the end of each rectangle.
    """

    digits: np.ndarray
    at: np.ndarray
    halves: np.ndarray
    members: np.ndarray
    totals: np.ndarray
    sizes: np.ndarray
    firsts: np.ndarray
    renumbered: np.ndarray


class Links(NamedTuple):
    """What the second walk over the level vectors writes.

    children : int32 (expanded, d, 2), as in `treelib.dyadic.paper.recorded_rectangles.Graph`, or without
        rows: none are written.
    occupied, empty : int64 (e + 1,), rectangles by their reach, as in `treelib.dyadic.paper.procedure_1`.
    keys : int64, keys of the rectangles, or without room: none are written. n_keys : int64 (1,), how many.
    empty_keys, empty_reach : int64 (slots,), a table of the empty rectangles of one level vector; a key of 0
        is a free slot. used : int64, the slots used. No slots: empty rectangles are not stored.
    shifts : int64 (d,), of the keys.
    """

    children: np.ndarray
    occupied: np.ndarray
    empty: np.ndarray
    keys: np.ndarray
    empty_keys: np.ndarray
    empty_reach: np.ndarray
    used: np.ndarray
    shifts: np.ndarray
    n_keys: np.ndarray


@kernel(inner=True)
def _next_vector(digits, n_splits):
    """The next level vector in lexicographic order."""
    i = digits.shape[0] - 1
    while i >= 0 and digits[i] == n_splits[i]:
        digits[i] = 0
        i -= 1
    if i >= 0:
        digits[i] += 1


@kernel(inner=True, inline=True)
def _meet_rows(rows, visits, work, at):
    """Part the rectangles that err and are coarser by one halving; returns how many halves and rows were met.

    A half is met from each of its wholes that err. All its rows lie in the first of them, which numbers it.
    """
    place, halves, members = visits.place, work.halves, work.members
    n_met, n_members = 0, 0
    for i in range(rows.n_splits.shape[0]):
        if work.digits[i] == 0:
            continue
        whole = at - visits.strides[i]
        bit = rows.n_splits[i] - work.digits[i]
        halves[: 2 * (visits.erring_starts[whole + 1] - visits.erring_starts[whole])] = 0
        for j in range(visits.row_starts[whole], visits.row_starts[whole + 1]):
            row = visits.erring_rows[j]
            if place[at, row] != 0:
                continue
            half = 2 * (np.int64(place[whole, row]) - 1) + ((rows.codes[row, i] >> bit) & 1)
            number = halves[half]
            if number == 0:
                n_met += 1
                number = n_met
                halves[half] = number
                work.totals[number, :] = 0
                work.sizes[number] = 0
                work.firsts[number] = row
            place[at, row] = number
            work.sizes[number] += 1
            for label in range(rows.losses.shape[1]):
                work.totals[number, label] += rows.losses[row, label]
            members[n_members] = row
            n_members += 1
    return n_met, n_members


@kernel(inner=True)
def _meet_box(rows, visits, work):
    """The same for the whole box, which is always visited."""
    n = rows.codes.shape[0]
    work.totals[1, :] = 0
    for row in range(n):
        for label in range(rows.losses.shape[1]):
            work.totals[1, label] += rows.losses[row, label]
        visits.place[0, row] = 1
        work.members[row] = row
    work.sizes[1], work.firsts[1] = n, 0
    return 1, n


@kernel(inner=True, inline=True)
def _enter(visits, work, at, n_met, n_members):
    """Store what was met at a level vector, the rectangles that err first."""
    start, erring = visits.starts[at], visits.erring_starts[at]
    n_erring = 0
    for is_pure in range(2):
        number = 0 if is_pure == 0 else n_erring
        for met in range(1, n_met + 1):
            error = work.totals[met, 0]
            for label in range(1, work.totals.shape[1]):
                error = min(error, work.totals[met, label])
            if (error == 0) != (is_pure == 1):
                continue
            if is_pure == 0:
                visits.error[erring + number] = error
                visits.size[erring + number] = work.sizes[met]
            visits.first_row[start + number] = work.firsts[met]
            number += 1
            work.renumbered[met] = number
        if is_pure == 0:
            n_erring = number
    end = visits.row_starts[at]
    for j in range(n_members):
        row = work.members[j]
        number = work.renumbered[visits.place[at, row]]
        visits.place[at, row] = number
        if number <= n_erring:
            visits.erring_rows[end] = row
            end += 1
    visits.starts[at + 1] = start + n_met
    visits.erring_starts[at + 1] = erring + n_erring
    visits.row_starts[at + 1] = end


@kernel(allocates=False)
def visit_levels(rows, visits, work):
    """Visit the rectangles of further level vectors; False where the arrays must grow first: call again."""
    n = rows.codes.shape[0]
    while work.at[0] < visits.place.shape[0]:
        at = work.at[0]
        if (
            visits.starts[at] + n > visits.first_row.shape[0]
            or visits.erring_starts[at] + n > visits.error.shape[0]
            or visits.row_starts[at] + n > visits.erring_rows.shape[0]
        ):
            return False
        if at == 0:
            n_met, n_members = _meet_box(rows, visits, work)
        else:
            n_met, n_members = _meet_rows(rows, visits, work, at)
        _enter(visits, work, at, n_met, n_members)
        _next_vector(work.digits, rows.n_splits)
        work.at[0] += 1
    return True


@kernel(inner=True, inline=True)
def _key(rows, shifts, digits, row):
    """Key of the rectangle of a level vector that holds a row."""
    key = np.int64(0)
    for i in range(digits.shape[0]):
        free = rows.n_splits[i] - digits[i]
        key += ((2 * (rows.codes[row, i] >> free) + 1) << free) << shifts[i]
    return key


@kernel(inner=True, inline=True)
def _meet_empty(links, key, reach, n_used):
    """Enter an empty rectangle of the level vector; returns how many there are."""
    keys = links.empty_keys
    slot = mixed(key, keys.shape[0])
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & (keys.shape[0] - 1)
    if keys[slot] == 0:
        keys[slot], links.empty_reach[slot], links.used[n_used] = key, reach, slot
        return n_used + 1
    links.empty_reach[slot] = max(links.empty_reach[slot], reach)
    return n_used


@kernel(inner=True, inline=True)
def _close_empty(links, n_used):
    """Count the empty rectangles of a level vector, write their keys, and clear their table."""
    for j in range(n_used):
        slot = links.used[j]
        links.empty[links.empty_reach[slot]] += 1
        if links.keys.shape[0] > 0:
            links.keys[links.n_keys[0]] = links.empty_keys[slot]
            links.n_keys[0] += 1
        links.empty_keys[slot] = 0


@kernel(inner=True, inline=True)
def _begin_children(rows, visits, links, digits, at):
    """Write of the rectangles that err which splits they have, and that their halves are empty."""
    n_rectangles = visits.erring_starts[visits.place.shape[0]]
    no_rows = n_rectangles + (1 if links.empty_keys.shape[0] > 0 else 0)
    for number in range(visits.erring_starts[at], visits.erring_starts[at + 1]):
        parent = links.children.shape[0] - 1 - number
        for i in range(digits.shape[0]):
            links.children[parent, i, :] = no_rows if digits[i] < rows.n_splits[i] else -1


@kernel(inner=True, inline=True)
def _link(rows, visits, links, digits, at, rectangle, n_used):
    """Link a rectangle to the wholes that err, count it by its reach; returns how many empty ones there are.

    rectangle : its place among those of the level vector. Where a whole has the same rows, its other half is
    empty.
    """
    row = visits.first_row[visits.starts[at] + rectangle]
    number = visits.erring_starts[at] + rectangle
    n_rectangles = visits.erring_starts[visits.place.shape[0]]
    errs = number < visits.erring_starts[at + 1]
    with_empty, with_children = links.empty_keys.shape[0] > 0, links.children.shape[0] > 0
    key = np.int64(0)
    if links.keys.shape[0] > 0 or (errs and with_empty):
        key = _key(rows, links.shifts, digits, row)
    reach = np.int64(0)
    for i in range(digits.shape[0]):
        if digits[i] == 0:
            continue
        above = at - visits.strides[i]
        whole = visits.erring_starts[above] + np.int64(visits.place[above, row]) - 1
        if visits.place[above, row] == 0 or whole >= visits.erring_starts[above + 1]:
            continue
        free = rows.n_splits[i] - digits[i]
        side = (rows.codes[row, i] >> free) & 1
        reach = max(reach, visits.error[whole])
        if with_children:
            child = n_rectangles - 1 - number if errs else n_rectangles + 1
            links.children[links.children.shape[0] - 1 - whole, i, side] = child
        if errs and with_empty and visits.size[whole] == visits.size[number]:
            step = np.int64(2) << (free + links.shifts[i])
            n_used = _meet_empty(links, key + (-step if side else step), visits.error[whole], n_used)
    links.occupied[reach] += 1
    if links.keys.shape[0] > 0:
        links.keys[links.n_keys[0]] = key
        links.n_keys[0] += 1
    return n_used


@kernel(allocates=False)
def link_levels(rows, visits, links, digits):
    """Write `Links` of all level vectors. digits : int64 (d,), zeros, work space"""
    n_vectors = visits.place.shape[0]
    for at in range(n_vectors):
        if links.children.shape[0] > 0 and at < n_vectors - 1:
            _begin_children(rows, visits, links, digits, at)
        n_used = 0
        for rectangle in range(visits.starts[at + 1] - visits.starts[at]):
            n_used = _link(rows, visits, links, digits, at, rectangle, n_used)
        _close_empty(links, n_used)
        _next_vector(digits, rows.n_splits)
