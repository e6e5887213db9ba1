"""Growth on few drawn features: the rows of a node are put in order only by the features that it looks at.

A node keeps one list of its rows. The rank of every value among those of its feature is found once, for all
trees of a forest, so that the rows of a node are put in order by counting or by a radix sort. The outcome
has the form that the scans read (`treelib.topdown.presort`).
"""

import numpy as np

from treelib.jit import kernel
from treelib.topdown.presort import FIRST, MISSING

_DIGIT = 8  # bits of a pass
_FEW = 24  # rows up to which insertion is faster than passes over digits


@kernel(allocates=False)
def fill_ranks(codes, shift, ranks, n_known):
    """Ranks of the values from sorted lists.

    Parameters
    ----------
    codes : uint (n_features, n). shift : int, lowest bit of the row number
    ranks : uint16 or uint32 (n_features, n_all), written for the rows in the lists: number of smaller
        distinct values of the feature; a missing value is larger than all others
    n_known : intp (n_features,), written: number of distinct values that are not missing
    """
    for feature in range(len(codes)):
        lines, out = codes[feature], ranks[feature]
        n_distinct, known = np.int64(0), np.int64(0)
        for i in range(len(lines)):
            code = np.int64(lines[i])
            n_distinct += code & FIRST
            if not code & MISSING:
                known = n_distinct
            out[code >> shift] = n_distinct - 1
        n_known[feature] = known


@kernel(inner=True)
def order_node(lines, begin, end, shift, ranks, n_known, keys, ordered):
    """Codes of the rows of a node in ascending order of one feature; returns whether its value differs.

    Rows of one value stay in the order of the list.

    Parameters
    ----------
    lines : uint (n,), codes with neither FIRST nor MISSING. begin, end : int, those of the node
    shift : int, lowest bit of the row number
    ranks : uint (n_all,), of the feature, by row number. n_known : int, from which ranks are those of missing
        values
    keys : int64 (3, n or 256 if that is more), scratch
    ordered : uint (n,), ``begin:end`` is written
    """
    n, source, target, counters = end - begin, keys[0], keys[1], keys[2]
    lowest = highest = np.int64(ranks[np.int64(lines[begin]) >> shift])
    for i in range(n):
        rank = np.int64(ranks[np.int64(lines[begin + i]) >> shift])
        lowest, highest = min(lowest, rank), max(highest, rank)
        source[i] = rank
    if lowest == highest:
        return False
    n_ranks = highest - lowest + 1
    top = MISSING if highest >= n_known else 0
    if n_ranks == 2:  # as `divide`: counters of two values would wait for each other
        left, right = begin, 0
        for i in range(n):
            code, side = np.int64(lines[begin + i]), source[i] - lowest
            ordered[left] = code
            target[right] = code | top
            left += 1 - side
            right += side
        for i in range(right):
            ordered[left + i] = target[i]
        ordered[begin] = np.int64(ordered[begin]) | FIRST
        ordered[left] = np.int64(ordered[left]) | FIRST
        return True
    if n_ranks <= n:
        for rank in range(n_ranks):
            counters[rank] = 0
        for i in range(n):
            counters[source[i] - lowest] += 1
        at = begin
        for rank in range(n_ranks):
            counters[rank], at = at, at + counters[rank]
        for i in range(n):
            rank = source[i]
            place = counters[rank - lowest]
            ordered[place] = np.int64(lines[begin + i]) | (MISSING if rank >= n_known else 0)
            counters[rank - lowest] = place + 1
        at = begin
        for rank in range(n_ranks):  # counters are where the rows of a rank end
            if counters[rank] > at:
                ordered[at] = np.int64(ordered[at]) | FIRST
            at = counters[rank]
        return True
    for i in range(n):
        source[i] = (source[i] - lowest) << 32 | i
    if n <= _FEW:
        for i in range(1, n):
            key, j = source[i], i
            while j > 0 and source[j - 1] > key:
                source[j] = source[j - 1]
                j -= 1
            source[j] = key
    else:
        digit, mask = 32, (1 << _DIGIT) - 1
        while (n_ranks - 1) >> (digit - 32) > 0:
            for value in range(mask + 1):
                counters[value] = 0
            for i in range(n):
                counters[(source[i] >> digit) & mask] += 1
            at = np.int64(0)
            for value in range(mask + 1):
                counters[value], at = at, at + counters[value]
            for i in range(n):
                value = (source[i] >> digit) & mask
                target[counters[value]] = source[i]
                counters[value] += 1
            source, target = target, source
            digit += _DIGIT
    before = np.int64(-1)
    for i in range(n):
        rank = source[i] >> 32
        code = np.int64(lines[begin + (source[i] & 0xFFFFFFFF)])
        ordered[begin + i] = (
            code | (MISSING if rank + lowest >= n_known else 0) | (FIRST if rank != before else 0)
        )
        before = rank
    return True


@kernel(inner=True)
def has_ranks(ranks):
    """Whether rows are put in order node by node."""
    if ranks is None:
        return False
    return True
