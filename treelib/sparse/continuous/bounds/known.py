"""What is known of sets of rows met before: a hash table of lower bounds and optima.

A set is known by two 64-bit numbers, the exclusive or of random keys of its rows: two of a million sets are
taken for one with a chance below 1e-26.
"""

import numpy as np

from treelib.compiled.jit import kernel


@kernel(inner=True)
def key_of_side(numbers, pool, rows, places, m, at, side):
    """Key of the rows left (side 0) or right (1) of place `at`.

    rows, places : where the row numbers and the places of the m rows begin in the pool.
    """
    key, key2 = np.uint64(0), np.uint64(0)
    for i in range(m):
        row = pool[rows + i]
        here = np.uint64(0) if (pool[places + i] < at) != (side == 0) else ~np.uint64(0)
        key ^= numbers.keys[row, 0] & here
        key2 ^= numbers.keys[row, 1] & here
    return key, key2


@kernel(inner=True)
def find_known(known, key, key2):
    """Slot of the set, or the free slot where it belongs. The table is never full."""
    last = np.uint64(known.shape[0] - 1)
    slot = (key ^ (key >> np.uint64(32))) & last
    while known[slot, 0] != 0 and (known[slot, 0] != key or known[slot, 1] != key2):
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@kernel(inner=True)
def note_bounds(deep, key, key2, lower, optimum):
    """Raise the lower bound of a set, and note its optimum where it is known (infinity: it is not)."""
    slot = find_known(deep.known, key, key2)
    if deep.known[slot, 0] == 0:
        if 4 * (deep.now[0]["n_known"] + 1) > 3 * deep.known.shape[0]:
            return
        deep.known[slot, 0], deep.known[slot, 1] = key, key2
        deep.bounds[slot, 0], deep.bounds[slot, 1] = 0.0, np.inf
        deep.now[0]["n_known"] += 1
    deep.bounds[slot, 0] = max(deep.bounds[slot, 0], lower)
    deep.bounds[slot, 1] = min(deep.bounds[slot, 1], optimum)


@kernel(allocates=False)
def move_known(known, bounds, new_known, new_bounds):
    """Fill a larger table with what a smaller one holds."""
    for k in range(known.shape[0]):
        if known[k, 0] != 0:
            slot = find_known(new_known, known[k, 0], known[k, 1])
            for i in range(2):
                new_known[slot, i] = known[k, i]
                new_bounds[slot, i] = bounds[k, i]
