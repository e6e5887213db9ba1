"""Tables of 0 and 1 as bits in 64-bit words, by row or by column, and which of their rows are equal.

Arrays are made in Python and filled by kernels: numba takes a microsecond to hand one over.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import ALL_ONES, WORD, n_bits
from treelib.compiled.jit import kernel

# cells of a table that is read or merged in one go, in less than a millisecond
FEW_CELLS = 2**16


def pack_rows(columns):
    """Codes uint64 (n, ceil(p / 64)) of the 0/1 rows of `columns` uint8 (n, p)."""
    n, p = columns.shape
    codes = np.empty((n, max((p + WORD - 1) // WORD, 1)), np.uint64)
    fill_codes(columns, codes)
    return codes


@kernel(allocates=False)
def fill_codes(columns, codes):
    """Write the bits of `columns` uint8 (n, p) into `codes` uint64 (n, ceil(p / 64)), row by row."""
    n, p = columns.shape
    for i in range(n):
        for w in range(codes.shape[1]):
            code = np.uint64(0)
            first = w * WORD
            for bit in range(min(p - first, WORD)):
                code |= np.uint64(columns[i, first + bit]) << np.uint64(bit)
            codes[i, w] = code


def group_rows(codes):
    """Groups of equal rows of `codes` uint64 (n, width), in order of first appearance.

    Open addressing; a hit compares the whole code, so hashes cannot err. O(n).

    Returns
    -------
    group : int64 (n,), that of every row. first : int64 (n_groups,), the first row of each
    """
    n = len(codes)
    group, first = np.empty(n, np.int64), np.empty(n, np.int64)
    n_groups = number_groups(codes, slots_for(n), group, first)
    return group, first[:n_groups].copy()


def slots_for(n):
    """Room for the open addresses of up to n groups: int64, of a power of two."""
    return np.empty(1 << max(4, (2 * n - 1).bit_length()), np.int64)


@kernel(allocates=False)
def number_groups(codes, slots, group, first):
    """`group_rows` in arrays that are there already; returns the number of groups. slots : see `slots_for`"""
    slots[:] = -1
    width, last, n_groups = codes.shape[1], slots.shape[0] - 1, 0
    shift = np.uint64(WORD - n_bits(np.uint64(last)))
    for i in range(codes.shape[0]):
        h = np.uint64(0x9E3779B97F4A7C15)
        for w in range(width):
            h = (h ^ codes[i, w]) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
        # the highest bits: those of the last columns reach no lower ones
        slot = np.int64((h * np.uint64(0xFF51AFD7ED558CCD)) >> shift)
        while True:
            g = slots[slot]
            if g < 0:
                slots[slot] = n_groups
                first[n_groups] = i
                group[i] = n_groups
                n_groups += 1
                break
            same = True
            for w in range(width):
                if codes[first[g], w] != codes[i, w]:
                    same = False
                    break
            if same:
                group[i] = g
                break
            slot = (slot + 1) & last
    return n_groups


class Bits(NamedTuple):
    """A small table of 0 and 1 without constant columns.

    columns : uint8 (n, p), the table. group : int64 (p,), to which of the groups of equal or complementary
    columns each belongs. first : int64 (n_groups,), the first column of each. swapped : bool (p,), whether a
    column is the complement of the first of its group
    """

    columns: np.ndarray
    group: np.ndarray
    first: np.ndarray
    swapped: np.ndarray


def read_bits(X):
    """`Bits` of a table float64 (n, p), read in one pass; None where it is another table, or no small one."""
    if not isinstance(X, np.ndarray) or X.size > FEW_CELLS or not X.flags.c_contiguous:
        return None
    n, p = X.shape
    if X.size and X.item(0) not in (0.0, 1.0):
        return None  # as most tables of numbers: no kernel is compiled for them
    columns, codes = np.empty((n, p), np.uint8), np.zeros((p, (n + WORD - 1) // WORD), np.uint64)
    groups, swapped = np.empty((2, p), np.int64), np.empty(p, np.bool_)
    n_groups = fill_bits(X, columns, codes, slots_for(p), groups, swapped)
    return Bits(columns, groups[0], groups[1, :n_groups].copy(), swapped) if n_groups else None


@kernel(allocates=False)
def fill_bits(X, columns, codes, slots, groups, swapped):
    """Write `Bits` of `X` into arrays that are there; returns the number of groups, 0 where there are none.

    codes : uint64 (p, n_words), zeros, and slots, see `slots_for`: work space
    groups : int64 (2, p), written: the group of each column, and the first of each group
    """
    n, p = X.shape
    for i in range(n):
        w, bit = i // WORD, np.uint64(i & 63)
        for j in range(p):
            x = X[i, j]
            if x != 0.0 and x != 1.0:
                return 0
            columns[i, j] = np.uint8(x)
            codes[j, w] |= (
                np.uint64(x != X[0, j]) << bit
            )  # equal and complementary columns have the same bits
    for j in range(p):
        differ = np.uint64(0)
        for w in range(codes.shape[1]):
            differ |= codes[j, w]
        if differ == 0:
            return 0
    n_groups = number_groups(codes, slots, groups[0], groups[1])
    for j in range(p):
        swapped[j] = X[0, j] != X[0, groups[1, groups[0, j]]]
    return n_groups


def all_of(n):
    """The set of all of n rows, uint64 (ceil(n / 64),)."""
    words = np.full((n + WORD - 1) // WORD, ALL_ONES)
    if n % WORD:
        words[-1] = np.uint64((1 << n % WORD) - 1)
    return words


def pack_columns(columns, rows, flip):
    """Bit columns uint64 (p, ceil(m / 64)) over the chosen `rows` int64 (m,) of `columns` uint8 (n, p).

    flip : uint8 (p,), 1 for columns whose 0 and 1 change places
    """
    p = columns.shape[1]
    packed = np.empty(((len(rows) + WORD - 1) // WORD, p), np.uint64)
    fill_words(columns, rows, flip, packed)
    return np.ascontiguousarray(packed.T)


@kernel(allocates=False)
def fill_words(columns, rows, flip, packed):
    """Write the words of some rows, 64 a line of `packed` uint64 (n_words, p)."""
    for w in range(packed.shape[0]):
        line = packed[w]
        line[:] = 0
        for i in range(w * WORD, min((w + 1) * WORD, rows.shape[0])):
            row, bit = columns[rows[i]], np.uint64(i & 63)
            for c in range(line.shape[0]):
                line[c] |= np.uint64(row[c] ^ flip[c]) << bit
