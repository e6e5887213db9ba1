"""Lower convex hulls of (leaves, error), in integers.

The best trees of a rectangle, for all prices of a leaf at once, are the vertices of the lower convex hull of
the points (leaves, error) that its trees reach. A vertex is one int64 word, the leaves above the error, so
that words sort by leaves, then error, and the word of a sum of trees is the sum of their words.

A window of prices from `low` to `high` cuts a hull: only vertices that are optimal for some price inside are
kept. With low = high, a hull is one vertex, and the search finds the best tree for that price alone. At a
price where two vertices are equally good, the one with more leaves is meant (Definition 2).

Equal hulls are stored once, in `Hulls`. Most rectangles are small, and share a few hulls.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.hash_constants import GOLDEN, HALF

# leaves and error together stay below 2^62, and so do the products of the slope tests
ERROR_BITS = 36
ERROR_MASK = (1 << ERROR_BITS) - 1
ONE_LEAF = 1 << ERROR_BITS  # the vertex of one leaf without errors
MOST_LEAVES = 1 << 25
MOST_PRICE = 1 << 36
MOST_UNIT = 1 << 25

# counts: hulls, vertices of all hulls
N_HULLS, N_VERTICES = 0, 1


class Window(NamedTuple):
    """Prices of a leaf, low_price / low_unit to high_price / high_unit, in units of the integer errors.

    Prices are at most `MOST_PRICE`, units from 1 to `MOST_UNIT`; high_unit 0 stands for infinity.
    """

    low_price: int
    low_unit: int
    high_price: int
    high_unit: int


class Hulls(NamedTuple):
    """All distinct hulls: number h has the words ``vertices[start[h]:start[h + 1]]``.

    vertices : int64. start : int64. slots : int64, open addressing from a hash to number + 1, 0 is free; its
    length is a power of two. counts : int64 (2,).
    """

    vertices: np.ndarray
    start: np.ndarray
    slots: np.ndarray
    counts: np.ndarray


@kernel(inner=True)
def is_dominated(word, points, begin, end, window):
    """Whether the point `word` leaves the hull ``points[begin:end]`` as it is, at all prices of `window`."""
    leaves, error = word >> ERROR_BITS, word & ERROR_MASK
    first = points[begin]
    if leaves < first >> ERROR_BITS:
        gained = error - (first & ERROR_MASK)
        return gained * window.high_unit >= window.high_price * ((first >> ERROR_BITS) - leaves)
    at = begin
    while at + 1 < end and points[at + 1] >> ERROR_BITS <= leaves:
        at += 1
    before = points[at]
    gained = (before & ERROR_MASK) - error
    more = leaves - (before >> ERROR_BITS)
    if gained <= 0:
        return True
    if at + 1 == end:
        return more > 0 and gained * window.low_unit < window.low_price * more
    after = points[at + 1]
    step = (after >> ERROR_BITS) - (before >> ERROR_BITS)
    return gained * step <= ((before & ERROR_MASK) - (after & ERROR_MASK)) * more


@kernel(inner=True)
def reduce_to_hull(points, begin, end, window):
    """Lower hull of the ascending words ``points[begin:end]`` within `window`, in place; returns its end."""
    top = begin
    for at in range(begin, end):
        word = points[at]
        if top > begin:
            last = points[top - 1]
            gained = (last & ERROR_MASK) - (word & ERROR_MASK)
            more = (word >> ERROR_BITS) - (last >> ERROR_BITS)
            if gained <= 0 or gained * window.low_unit < window.low_price * more:
                continue
            while top - begin >= 2:
                last = points[top - 1]
                before = points[top - 2]
                # the slope to the last vertex must be steeper than the slope from it
                if ((before & ERROR_MASK) - (last & ERROR_MASK)) * (
                    (word >> ERROR_BITS) - (last >> ERROR_BITS)
                ) > ((last & ERROR_MASK) - (word & ERROR_MASK)) * (
                    (last >> ERROR_BITS) - (before >> ERROR_BITS)
                ):
                    break
                top -= 1
        points[top] = word
        top += 1
    if window.high_unit == 0:
        return top
    cut = begin
    while cut + 1 < top:
        gained = (points[cut] & ERROR_MASK) - (points[cut + 1] & ERROR_MASK)
        more = (points[cut + 1] >> ERROR_BITS) - (points[cut] >> ERROR_BITS)
        if gained * window.high_unit < window.high_price * more:
            break
        cut += 1
    if cut > begin:
        for at in range(cut, top):
            points[begin + at - cut] = points[at]
    return begin + top - cut


@kernel(inner=True, inline=True)
def steps_first(hulls, a, a_end, b, b_end):
    """Whether the edge after vertex `a` is the steeper one, or the only one, of those after `a` and `b`.

    One hull at least must go on: a + 1 < a_end or b + 1 < b_end.
    """
    if b + 1 == b_end:
        return True
    if a + 1 == a_end:
        return False
    here, after = hulls.vertices[a], hulls.vertices[a + 1]
    gained_a = (here & ERROR_MASK) - (after & ERROR_MASK)
    more_a = (after >> ERROR_BITS) - (here >> ERROR_BITS)
    here, after = hulls.vertices[b], hulls.vertices[b + 1]
    gained_b = (here & ERROR_MASK) - (after & ERROR_MASK)
    more_b = (after >> ERROR_BITS) - (here >> ERROR_BITS)
    return gained_a * more_b >= gained_b * more_a


@kernel(inner=True, inline=True)
def add_hulls(hulls, first, second, out):
    """Hull of the sums of a vertex of hull `first` and one of hull `second`, into `out`; returns its length.

    Edges follow one another by falling slope (the Minkowski sum). `out` must hold the vertices of both.
    """
    a, a_end = hulls.start[first], hulls.start[first + 1]
    b, b_end = hulls.start[second], hulls.start[second + 1]
    word = hulls.vertices[a] + hulls.vertices[b]
    out[0] = word
    n_out = 1
    while a + 1 < a_end or b + 1 < b_end:
        if steps_first(hulls, a, a_end, b, b_end):
            word += hulls.vertices[a + 1] - hulls.vertices[a]
            a += 1
        else:
            word += hulls.vertices[b + 1] - hulls.vertices[b]
            b += 1
        out[n_out] = word
        n_out += 1
    return n_out


@kernel(inner=True, inline=True)
def merge_hull(points, begin, end, other, n_other, spare, window):
    """Lower hull of ``points[begin:end]`` and ``other[:n_other]``, in place of the former; returns its end.

    `spare` must hold both, and `points` must go on that far after `begin`.
    """
    at, n_spare = begin, 0
    for i in range(n_other):
        while at < end and points[at] <= other[i]:
            spare[n_spare] = points[at]
            n_spare += 1
            at += 1
        spare[n_spare] = other[i]
        n_spare += 1
    while at < end:
        spare[n_spare] = points[at]
        n_spare += 1
        at += 1
    for i in range(n_spare):
        points[begin + i] = spare[i]
    return reduce_to_hull(points, begin, begin + n_spare, window)


@kernel(inner=True, inline=True)
def hash_words(words, begin, end):
    """Hash of ``words[begin:end]``."""
    h = np.uint64(end - begin)
    for at in range(begin, end):
        h = (h ^ np.uint64(words[at])) * GOLDEN
        h ^= h >> HALF
    return np.int64(h)


@kernel(inner=True)
def store_hull(hulls, points, begin, end):
    """Number of the hull ``points[begin:end]``, stored if it is new; `hulls_have_room` must hold."""
    mask = len(hulls.slots) - 1
    slot = hash_words(points, begin, end) & mask
    while hulls.slots[slot] != 0:
        number = hulls.slots[slot] - 1
        start = hulls.start[number]
        if hulls.start[number + 1] - start == end - begin:
            i = 0
            while i < end - begin and hulls.vertices[start + i] == points[begin + i]:
                i += 1
            if i == end - begin:
                return number
        slot = (slot + 1) & mask
    number = hulls.counts[N_HULLS]
    start = hulls.counts[N_VERTICES]
    for at in range(begin, end):
        hulls.vertices[start + at - begin] = points[at]
    hulls.start[number + 1] = start + end - begin
    hulls.slots[slot] = number + 1
    hulls.counts[N_HULLS] = number + 1
    hulls.counts[N_VERTICES] = start + end - begin
    return number


@kernel(inner=True)
def hulls_have_room(hulls, n_vertices):
    """Whether two more hulls, together of `n_vertices`, can be stored."""
    n_hulls = hulls.counts[N_HULLS]
    return (
        hulls.counts[N_VERTICES] + n_vertices <= len(hulls.vertices)
        and n_hulls + 3 <= len(hulls.start)
        and 3 * (n_hulls + 2) <= 2 * len(hulls.slots)
    )


@kernel(allocates=False)
def fill_hull_slots(hulls):
    """Enter all stored hulls into the empty `slots`."""
    mask = len(hulls.slots) - 1
    for number in range(hulls.counts[N_HULLS]):
        slot = hash_words(hulls.vertices, hulls.start[number], hulls.start[number + 1]) & mask
        while hulls.slots[slot] != 0:
            slot = (slot + 1) & mask
        hulls.slots[slot] = number + 1


def make_hulls(hulls=None, n_vertices=1 << 12, n_hulls=1 << 10):
    """Room for hulls: empty, or a copy of `hulls` with twice the room where it is more than half full.

    Where it is not, it lacks room for one long hull, and the vertices get twice the room.
    """
    if hulls is None:
        return Hulls(
            vertices=np.empty(n_vertices, np.int64),
            start=np.zeros(n_hulls + 1, np.int64),
            slots=np.zeros(2 * n_hulls, np.int64),
            counts=np.zeros(2, np.int64),
        )
    vertices, start, slots = hulls.vertices, hulls.start, hulls.slots
    needs_hulls = 2 * hulls.counts[N_HULLS] > len(start)
    if 2 * hulls.counts[N_VERTICES] > len(vertices) or not needs_hulls:
        vertices = _lengthened(vertices)
    if needs_hulls:
        start = _lengthened(start)
        slots = np.zeros(2 * len(slots), np.int64)
    grown = Hulls(vertices, start, slots, hulls.counts)
    if slots is not hulls.slots:
        fill_hull_slots(grown)
    return grown


def _lengthened(array):
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer
