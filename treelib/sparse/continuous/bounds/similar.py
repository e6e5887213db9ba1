"""What sets of rows met before tell of one that is much like them.

A tree that is good for a set is good for its subsets, and a row more costs no more than its weight. So a set
costs at least what another costs at least, less the weight of the rows that only the other has. Sets are bits
of rows; each level of the search remembers the last of its sets, with their lower bounds.
"""

import numpy as np

from treelib.compiled.bits import ONE, lowest_bit, popcount
from treelib.compiled.jit import kernel

# a row is bit ``row & WORD_LAST`` of word ``row >> WORD_SHIFT``
WORD_SHIFT, WORD_LAST = 6, 63


@kernel(inner=True)
def note_sides(numbers, deep, level):
    """Write the rows of both sides of the cut at hand as bits."""
    frame, bits = deep.frames[level], deep.sets
    for side in range(2):
        for w in range(bits.shape[2]):
            bits[level, side, w] = 0
    at, ids = frame["at"], np.int64(frame["base"]) + numbers.n_features * np.int64(frame["n_rows"])
    places = ids + frame["n_rows"]
    for i in range(frame["n_rows"]):
        row = deep.pool[ids + i]
        side = 0 if deep.pool[places + i] < at else 1
        bits[level, side, row >> WORD_SHIFT] |= ONE << np.uint64(row & WORD_LAST)


@kernel(inner=True)
def bound_by_similar(numbers, deep, level, side, weight, lower):
    """The largest lower bound of one side that the sets of its level tell; not less than `lower`.

    weight : that of the side

    The sets of a level may be followed by trees of the same depth. The last ones are asked first: they are
    the likest. Reference: the similarity bound of Aglin, Nijssen and Schaus, "Learning optimal decision trees
    using caching branch-and-bound search", AAAI 2020.
    """
    sets, floors = deep.sets, deep.floors
    n, size = np.int64(deep.frames[level]["n_sets"]), floors.shape[1]
    is_unit = deep.now[0]["is_unit"]
    for back in range(1, min(n, size) + 1):
        k = (n - back) % size
        left = floors[level, k, 0]
        if left - max(0.0, floors[level, k, 1] - weight) <= lower:
            continue
        for w in range(sets.shape[2]):
            only = sets[level, 2 + k, w] & ~sets[level, side, w]
            if is_unit:
                left -= popcount(only)
            else:
                while only:
                    row = (w << WORD_SHIFT) + lowest_bit(only)
                    left -= abs(np.float64(numbers.weight[row]))
                    only &= only - ONE
            if left <= lower:
                break
        lower = max(lower, left)
    return lower


@kernel(inner=True)
def note_similar(deep, level, side, weight, lower):
    """Remember one side with its lower bound, in the place of the set remembered longest."""
    frame, sets = deep.frames[level], deep.sets
    k = np.int64(frame["n_sets"]) % deep.floors.shape[1]
    frame["n_sets"] += 1
    deep.floors[level, k, 0] = lower
    deep.floors[level, k, 1] = weight
    for w in range(sets.shape[2]):
        sets[level, 2 + k, w] = sets[level, side, w]
