"""Growth on few drawn features: the rows of a node are put in order only by the features that it looks at.

A node keeps one list of its rows. The rank of every value among those of its feature is found once, for all
trees of a forest, so that the rows of a node are put in order by counting or by a radix sort. The outcome
has the form that the scans read (`treelib.topdown.grow.presort`).
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.presort import FIRST, MISSING

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
    rows, out = lines[begin:end], ordered[begin:end]
    lowest, highest = read_ranks(rows, shift, ranks, keys[0])
    if lowest == highest:
        return False
    if highest - lowest == 1:
        order_two_ranks(rows, lowest, n_known, keys, out)
    elif highest - lowest < len(rows):
        order_by_counting(rows, lowest, highest, n_known, keys, out)
    else:
        order_by_sorting(rows, lowest, highest, n_known, keys, out)
    return True


@kernel(inner=True, inline=True)
def read_ranks(rows, shift, ranks, found):
    """Smallest and largest rank of the node's rows; `found` : int64 (n,), written, the rank of each row."""
    lowest = highest = np.int64(ranks[np.int64(rows[0]) >> shift])
    for i in range(len(rows)):
        rank = np.int64(ranks[np.int64(rows[i]) >> shift])
        lowest, highest = min(lowest, rank), max(highest, rank)
        found[i] = rank
    return lowest, highest


@kernel(inner=True, inline=True)
def order_two_ranks(rows, lowest, n_known, keys, out):
    """As `treelib.topdown.grow.presort.divide`, since counters of two ranks would wait for each other.

    Parameters
    ----------
    rows : uint (n,), codes of the node
    lowest : int, the smaller rank. n_known : int, from which ranks are those of missing values
    keys : int64 (3, n or more), the ranks of the rows, and scratch
    out : uint (n,), written
    """
    found, right_codes = keys[0], keys[1]
    missing = MISSING if lowest + 1 >= n_known else 0
    left, right = 0, 0
    for i in range(len(rows)):
        code, side = np.int64(rows[i]), found[i] - lowest
        out[left] = code
        right_codes[right] = code | missing
        left += 1 - side
        right += side
    for i in range(right):
        out[left + i] = right_codes[i]
    out[0] = np.int64(out[0]) | FIRST
    out[left] = np.int64(out[left]) | FIRST


@kernel(inner=True, inline=True)
def order_by_counting(rows, lowest, highest, n_known, keys, out):
    """One counter for each rank between the smallest and the largest; parameters as in `order_two_ranks`."""
    found, counters = keys[0], keys[2]
    n_ranks = highest - lowest + 1
    for rank in range(n_ranks):
        counters[rank] = 0
    for i in range(len(rows)):
        counters[found[i] - lowest] += 1
    to_starts(counters, n_ranks)
    for i in range(len(rows)):
        rank = found[i]
        place = counters[rank - lowest]
        out[place] = np.int64(rows[i]) | (MISSING if rank >= n_known else 0)
        counters[rank - lowest] = place + 1
    at = np.int64(0)
    for rank in range(n_ranks):  # counters are where the rows of a rank end
        if counters[rank] > at:
            out[at] = np.int64(out[at]) | FIRST
        at = counters[rank]


@kernel(inner=True, inline=True)
def order_by_sorting(rows, lowest, highest, n_known, keys, out):
    """Keys of rank and place in the list are sorted; parameters as in `order_two_ranks`."""
    found, n = keys[0], len(rows)
    for i in range(n):
        found[i] = (found[i] - lowest) << 32 | i
    if n <= _FEW:
        sort_by_insertion(found, n)
    else:
        found = sort_by_digits(keys, n, highest - lowest)
    before = np.int64(-1)
    for i in range(n):
        rank = found[i] >> 32
        code = np.int64(rows[found[i] & 0xFFFFFFFF])
        out[i] = code | (MISSING if rank + lowest >= n_known else 0) | (FIRST if rank != before else 0)
        before = rank


@kernel(inner=True, inline=True)
def sort_by_insertion(keys, n):
    """Sort the first `n` keys."""
    for i in range(1, n):
        key, j = keys[i], i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@kernel(inner=True, inline=True)
def sort_by_digits(keys, n, highest):
    """Sort the first `n` keys of ``keys[0]`` by their bits from 32 on, where none exceeds `highest`.

    Returns the row of `keys` that holds them in the end, the first or the second.
    """
    source, target, counters = keys[0], keys[1], keys[2]
    digit, mask = 32, (1 << _DIGIT) - 1
    while highest >> (digit - 32) > 0:
        for value in range(mask + 1):
            counters[value] = 0
        for i in range(n):
            counters[(source[i] >> digit) & mask] += 1
        to_starts(counters, mask + 1)
        for i in range(n):
            value = (source[i] >> digit) & mask
            target[counters[value]] = source[i]
            counters[value] += 1
        source, target = target, source
        digit += _DIGIT
    return source


@kernel(inner=True)
def to_starts(counters, n):
    """Turn how often each of `n` values stands into the place where the first of it goes."""
    at = np.int64(0)
    for value in range(n):
        counters[value], at = at, at + counters[value]


@kernel(inner=True)
def has_ranks(ranks):
    """Whether rows are put in order node by node."""
    if ranks is None:
        return False
    return True
