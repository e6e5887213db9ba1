"""Packed copies of the problem for the sets deep in the search.

A set deep in the tree holds few rows, spread over all words. Counting then reads mostly empty words, so when
a set fills less than a part of its words, its rows are packed together: one *pack* holds, for these rows
only, the columns that can still split them and the binary digits of their costs. Frames below use the pack
of their nearest packed ancestor. Packs only serve counting; which set a node is, is always said in all rows.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import ONE, lowest_bit, popcount
from treelib.compiled.jit import kernel

# a set is packed when that divides its words by at least this, and they are more than so many: copying rows
# bit by bit costs more than it saves below (FICO at .0025, 34 words: 0.59 s with packs of any size, 0.47 s
# without)
SHRINK = 4
MIN_WORDS = 48


class Packs(NamedTuple):
    """Stack of packs, slot 0 the whole problem.

    Attributes
    ----------
    bits : uint64 (n_slots, n_columns + n_planes, n_words), columns and planes (see `Problem`) over the rows
        of each pack.
    width : int64 (n_slots,), words in use.
    reach : int64 (n_slots, n_planes, 2), first word of a plane that is not empty, and one past the last.
    table, shift : int64 (n_planes,), as in `Problem`.
    row : int64 (64 n_words,), work space: position of every packed row.
    """

    bits: np.ndarray
    width: np.ndarray
    reach: np.ndarray
    table: np.ndarray
    shift: np.ndarray
    row: np.ndarray


def make_packs(problem, levels):
    """`Packs` with slot 0 filled, and as many more as dividing the words can need."""
    p, n_words = problem.columns.shape
    n_slots, words, n_planes = 1, n_words, len(problem.planes)
    while words >= SHRINK:  # one more for each time that the words can be divided
        words //= SHRINK
        n_slots += 1
    n_slots = min(levels, n_slots) + 1
    packs = Packs(
        bits=np.empty((n_slots, p + n_planes, n_words), np.uint64),
        width=np.zeros(n_slots, np.int64),
        reach=np.zeros((n_slots, n_planes, 2), np.int64),
        table=problem.table,
        shift=problem.shift,
        row=np.empty(n_words * 64, np.int64),
    )
    packs.bits[0, :p] = problem.columns
    packs.bits[0, p:] = problem.planes
    packs.width[0] = n_words
    find_reach(packs, 0)
    return packs


@kernel(allocates=False)
def find_reach(packs, slot):
    """Find the words of each plane of a pack that are not empty."""
    n_planes = packs.table.shape[0]
    first_plane = packs.bits.shape[1] - n_planes
    for q in range(n_planes):
        plane = packs.bits[slot, first_plane + q]
        start, stop = 0, 0
        for w in range(packs.width[slot]):
            if plane[w] != 0:
                stop = w + 1
                if start == 0 and plane[start] == 0:
                    start = w
        packs.reach[slot, q, 0] = start
        packs.reach[slot, q, 1] = stop


@kernel(inner=True)
def pack_set(packs, slot, rows, candidates, n_candidates):
    """Pack the set `rows` of pack `slot` into the next slot when that is worth it; returns its slot.

    rows : uint64 (n_words,), in and out: the set in the rows of the pack that the answer names.
    Only columns among the candidates are packed. Cost O(n_rows (n_candidates + n_planes)).
    """
    width = packs.width[slot]
    n_rows = np.int64(0)
    for w in range(width):
        n_rows += popcount(rows[w])
    packed = (n_rows + 63) >> 6
    if width < MIN_WORDS or packed * SHRINK > width or slot + 1 >= packs.width.shape[0]:
        return slot
    at = 0
    for w in range(width):
        left = rows[w]
        while left != 0:
            packs.row[at] = (w << 6) + lowest_bit(left)
            left &= left - ONE
            at += 1
    packs.width[slot + 1] = packed
    for c in range(n_candidates):
        _pack_row(packs, slot, candidates[c], n_rows, packed)
    for line in range(packs.bits.shape[1] - packs.table.shape[0], packs.bits.shape[1]):
        _pack_row(packs, slot, line, n_rows, packed)
    find_reach(packs, slot + 1)
    for w in range(packed):
        rows[w] = ~np.uint64(0)
    if n_rows & 63:
        rows[packed - 1] = (ONE << np.uint64(n_rows & 63)) - ONE
    return slot + 1


@kernel(inner=True)
def _pack_row(packs, slot, line, n_rows, packed):
    """Gather the packed rows' bits of one line, a word at a time."""
    source, target = packs.bits[slot, line], packs.bits[slot + 1, line]
    row = packs.row
    for w in range(packed):
        word = np.uint64(0)
        first = w << 6
        for bit in range(min(n_rows - first, 64)):
            at = row[first + bit]
            word |= ((source[at >> 6] >> np.uint64(at & 63)) & ONE) << np.uint64(bit)
        target[w] = word
