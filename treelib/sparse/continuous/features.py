"""The cuts of a feature in one set of rows: that of the best Gini gain, and those that are searched."""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.continuous.arrays import ALIVE, FIRST, ROW_SHIFT


@kernel(inner=True)
def best_gain(numbers, shallow, pool, start, ids, m):
    """Best Gini gain of the cuts of a feature, up to what all features share, and the place of its cut."""
    whole, left = shallow.tally[2], shallow.tally[3]
    whole[:] = 0.0
    left[:] = 0.0
    for i in range(m):
        row = pool[ids + i]
        whole[numbers.classes[row]] += abs(numbers.weight[row])
    below, above, load, total = 0.0, 0.0, 0.0, 0.0
    for k in range(numbers.n_classes):
        above += whole[k] * whole[k]
        total += whole[k]
    best, at = 0.0, 0
    for j in range(m):
        code = pool[start + j]
        row = pool[ids + (code >> ROW_SHIFT)]
        if code & FIRST and j > 0:
            gain = below / load + above / (total - load)
            if gain > best:
                best, at = gain, j
        k, w = numbers.classes[row], np.float64(abs(numbers.weight[row]))
        below += w * (2 * left[k] + w)
        above -= w * (2 * (whole[k] - left[k]) - w)
        left[k] += w
        load += w
    return best, at


@kernel(inner=True)
def worth_cutting(numbers, shallow, pool, start, ids, m):
    """The first and the last place of a feature where a cut leaves a leaf that pays on both sides.

    A leaf that labels no more than its price rightly is better left out, so each side has a class that weighs
    more than the price.
    """
    tally = shallow.tally[2]
    ends = (np.int64(0), np.int64(0))
    for side in range(2):
        tally[:] = 0.0
        most, k = 0.0, 0
        while most <= numbers.price and k < m:
            j = k if side == 0 else m - 1 - k
            row = pool[ids + (pool[start + j] >> ROW_SHIFT)]
            tally[numbers.classes[row]] += abs(np.float64(numbers.weight[row]))
            most = max(most, tally[numbers.classes[row]])
            k += 1
        ends = (ends[1], np.int64(k))
    return ends[0], m - ends[1]


@kernel(inner=True)
def list_cuts(numbers, shallow, deep, level, g):
    """Places of the rows in the order of feature g, its cuts and the weights left of them; how many cuts."""
    frame = deep.frames[level]
    p, pool = numbers.n_features, deep.pool
    m, base = np.int64(frame["n_rows"]), np.int64(frame["base"])
    ids = base + p * m
    places, cuts = ids + m, ids + 2 * m
    loads = np.int64(frame["loads"])
    frame["feature"] = g
    wanted = ALIVE if frame["keeps"] else FIRST
    first, last = worth_cutting(numbers, shallow, pool, base + g * m, ids, m)
    n, load = 0, np.int64(0)
    for j in range(m):
        code = pool[base + g * m + j]
        i = code >> ROW_SHIFT
        if code & wanted and first <= j <= last:
            pool[cuts + n] = j
            deep.loads[loads + n] = load
            n += 1
        load += np.int64(abs(numbers.weight[pool[ids + i]]))
        pool[places + i] = j
    frame["n_cuts"] = n
    return n
