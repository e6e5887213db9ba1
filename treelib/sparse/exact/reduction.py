"""The reduced problem that the exact engine searches: merged rows, cancelled costs, bit planes.

Three reductions change no tree's ranking and make the search independent of the number of rows:

1. rows with equal columns reach the same leaf in every tree, so they become one row whose costs add up;
2. what even the best class costs a merged row is paid by every tree, so it is taken off and kept apart as
   `base_cost` (the equivalent-points error of Hu, Rudin and Seltzer 2019, Theorem B.2, made exact);
3. a merged row that then costs nothing whatever it is called can never matter, so it is dropped.

What is left are sets of rows as bits in 64-bit words. The cost of calling a set "class k" is a sum of
population counts: the integer costs of the rows are cut into binary digits, and a *plane* holds the rows that
have one digit set for one class.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import ONE, WORD
from treelib.compiled.jit import kernel
from treelib.search.budget import go_on


class Problem(NamedTuple):
    """Arrays of a reduced problem (one flat NamedTuple: the only form in which kernels see it).

    Attributes
    ----------
    columns : uint64 (n_columns, n_words), bit u of a column: merged row u has value 1.
    all_rows : uint64 (n_words,), the set of all merged rows.
    hash_keys : uint64 (n_words,), odd random numbers of the set hash.
    planes : uint64 (n_planes, n_words), each one binary digit of the rows' costs in one table.
    table, shift : int64 (n_planes,), the table and the digit, tables ascending. Table k < n_classes sums the
        cost of predicting class k. With three classes or more, one more table sums each row's largest
        cost; with two classes that is the sum of both tables.
    n_tables : int64 (), number of tables.
    """

    columns: np.ndarray
    all_rows: np.ndarray
    hash_keys: np.ndarray
    planes: np.ndarray
    table: np.ndarray
    shift: np.ndarray
    n_tables: int


class Reduced(NamedTuple):
    """A `Problem` with the numbers that bring its integer costs back to the caller's units.

    A cost in the caller's units is ``base_cost + integer_cost / scale``.
    """

    problem: Problem
    n_classes: int
    n_rows: int
    base_cost: float
    scale: float
    total: int
    leaf_cost: int
    default_class: int


# cells of the table of columns packed between two looks at the clock: about 30 ms
CELLS_A_STEP = 2**21
# rows that are put to others at once; where there are few columns, these take the memory
MOST_ROWS = 2**16
# bytes that a row takes while it is put to others, besides its codes: slots, its group, its place
BYTES_TO_GROUP = 72
# integer costs stay exact in float64, and sums of them in int64
MAX_TOTAL = 2.0**50


def reduce_problem(columns, costs, check=go_on):
    """Build the `Reduced` problem of 0/1 `columns` and `costs`.

    Parameters
    ----------
    columns : uint8 or bool (n, p)
    costs : float64 (n, n_classes), finite and not negative; ``costs[i, k]`` is paid when row i is called k.

    check : callable of the bytes that are about to be taken, asked between steps; to stop, it raises an
        exception.

    Real costs, and integer costs of a sum above 2**50, are rounded to multiples of ``1 / scale``, with
    `scale` the power of two that brings their sum to about 2**50: a relative error below 1e-12 for each of a
    thousand rows. Other integer costs are kept as they are.
    """
    columns = np.ascontiguousarray(columns).view(np.uint8)
    first, merged, _ = merge_rows(columns, np.ascontiguousarray(costs, dtype=np.float64), check)
    check(6 * merged.nbytes)  # bases, whole costs, and what is sorted

    base = merged.min(axis=1)
    merged -= base[:, None]
    largest = merged.max(axis=1)
    total = float(largest.sum())
    scale = 1.0
    if total > MAX_TOTAL or not np.array_equal(merged, np.rint(merged)):
        # a power of two that float64 still holds, for costs of any size
        scale = 2.0 ** min(np.floor(np.log2(MAX_TOTAL) - np.log2(total)), 1000.0)
    whole = np.rint(merged * scale).astype(np.int64)
    largest = whole.max(axis=1)
    label = whole.argmin(axis=1)

    kept = np.flatnonzero(largest > 0)
    # rows of one class stand together and heavy rows first, so that high digits fill few words
    check()
    kept = kept[np.lexsort((-largest[kept], label[kept]))]
    check()
    whole = whole[kept]
    if whole.shape[1] > 2:
        whole = np.column_stack([whole, whole.max(axis=1)])
    problem = build_problem(columns, first[kept], whole, check)
    return Reduced(
        problem=problem,
        n_classes=costs.shape[1],
        n_rows=len(kept),
        base_cost=float(base.sum()),
        scale=scale,
        total=int(largest.sum()),
        leaf_cost=int(whole[:, : costs.shape[1]].sum(axis=0).min(initial=MAX_TOTAL)) if len(kept) else 0,
        default_class=int(np.argmin(costs.sum(axis=0))),
    )


def build_problem(columns, rows, costs, check=go_on):
    """Arrays of the `Problem` over ``columns[rows]`` with integer `costs` (n_rows, n_tables)."""
    n_words = (len(rows) + WORD - 1) // WORD
    bits = set_columns(columns, rows, n_words, check)
    all_rows = np.zeros(n_words, np.uint64)
    for w in range(n_words):
        count = min(WORD, len(rows) - w * WORD)
        all_rows[w] = np.uint64((1 << count) - 1)
    keys = _random_keys(n_words)
    planes, table, shift = [], [], []
    for t in range(costs.shape[1]):
        padded = np.zeros(n_words * WORD, np.int64)
        padded[: len(rows)] = costs[:, t]
        for digit in range(int(padded.max(initial=0)).bit_length()):
            check()
            planes.append(np.packbits((padded >> digit) & 1, bitorder="little").view("<u8"))
            table.append(t)
            shift.append(digit)
    return Problem(
        columns=bits,
        all_rows=all_rows,
        hash_keys=keys * np.uint64(2) + ONE,
        planes=np.array(planes, np.uint64),
        table=np.array(table, np.int64),
        shift=np.array(shift, np.int64),
        n_tables=costs.shape[1],
    )


@lru_cache(maxsize=16)
def _random_keys(n_words):
    """Random uint64 (n_words,), the same every time; to make their generator is a fiftieth of a small fit."""
    return np.random.default_rng(20190424).integers(0, 2**63, size=n_words, dtype=np.uint64)


def pack_rows(columns):
    """Codes uint64 (n, ceil(p / 64)) of the 0/1 rows of `columns` uint8 (n, p)."""
    n, p = columns.shape
    codes = np.zeros((n, max((p + 63) // 64, 1) * 8), np.uint8)
    codes[:, : (p + 7) // 8] = np.packbits(columns, axis=1, bitorder="little")
    return codes.view("<u8")


def group_rows(codes):
    """Group index int64 (n,) of every row, equal rows sharing one, in order of first appearance, and
    the number of groups. Open addressing; a hit compares the whole code, so hashes cannot err. O(n)."""
    n = len(codes)
    slots = np.full(1 << max(4, (2 * n - 1).bit_length()), -1, np.int64)
    group = np.empty(n, np.int64)
    return group, _group_rows(codes, slots, np.empty(n, np.int64), group)


@kernel(allocates=False)
def _group_rows(codes, slots, first, group):
    n, width = codes.shape
    last = slots.shape[0] - 1
    n_groups = 0
    for i in range(n):
        h = np.uint64(0x9E3779B97F4A7C15)
        for w in range(width):
            h = (h ^ codes[i, w]) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
        slot = np.int64(h & np.uint64(last))
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


def groups_in_pieces(columns, check=go_on):
    """Groups of equal rows of `columns` uint8 (n, p), numbered in order of first appearance, some rows at a
    time: what is held besides the groups does not grow with the rows.

    check : callable of the bytes that are about to be taken, asked before each piece

    Yields
    ------
    part : slice of the rows. group : int64 (m,), theirs. first : int64 (n_groups,), a row of each so far
    """
    n, p = columns.shape
    codes, first, start = np.empty((0, max((p + 63) // 64, 1)), np.uint64), np.empty(0, np.int64), 0
    while start < n:
        # the groups before are hashed again, so a piece has as many rows at least
        known = len(first)
        part = slice(start, min(n, start + max(min(CELLS_A_STEP // max(p, 1), MOST_ROWS), known, 64)))
        check((known + part.stop - start) * (2 * codes.itemsize * codes.shape[1] + BYTES_TO_GROUP))
        packed = pack_rows(columns[part])
        packed = np.concatenate([codes, packed]) if known else packed
        group, n_groups = group_rows(packed)
        at = np.empty(n_groups, np.int64)
        at[group[::-1]] = np.arange(len(group) - 1, -1, -1)
        first = np.append(first, at[known:] - known + start)
        if part.stop < n:
            codes = packed[at]
        start = part.stop
        del packed, at
        yield part, group[known:], first


def added(totals, group, amounts, n_groups):
    """`totals` float64 (m,) with `amounts` (n,), or ones, added at `group` (n,): float64 (n_groups,). As
    `numpy.bincount` over all pieces, to the last digit."""
    if not len(totals):
        return np.bincount(group, amounts, n_groups).astype(np.float64, copy=False)
    grown = np.zeros(n_groups)
    grown[: len(totals)] = totals
    np.add.at(grown, group, 1.0 if amounts is None else amounts)
    return grown


def merge_rows(columns, costs, check=go_on):
    """Equal rows of `columns` uint8 (n, p) as one, in order of first appearance, made in pieces.

    costs : float64 (n, n_classes). check : callable of the bytes that are about to be taken

    Returns
    -------
    first : int64 (m,), a row of each. merged : float64 (m, n_classes), sums of costs. count : float64 (m,)
    """
    first, merged, count = np.empty(0, np.int64), np.empty((0, costs.shape[1])), np.empty(0)
    for part, group, rows in groups_in_pieces(columns, check):
        first, before, merged = rows, merged, np.empty((len(rows), costs.shape[1]))
        for k in range(costs.shape[1]):
            check()
            merged[:, k] = added(before[:, k], group, costs[part, k], len(rows))
        count = added(count, group, None, len(rows))
    return first, merged, count


def set_columns(columns, rows, n_words, check=go_on):
    """Bit columns uint64 (p, n_words) over the chosen `rows` (int64) of `columns` uint8 (n, p)."""
    n_columns = columns.shape[1]
    packed = np.zeros((8 * n_words, n_columns), np.uint8)
    # in blocks of whole bytes of rows, which also saves a copy of the whole table
    step = max(8, CELLS_A_STEP // max(n_columns, 1) // 8 * 8)
    for start in range(0, len(rows), step):
        check()
        block = np.packbits(columns[rows[start : start + step]], axis=0, bitorder="little")
        packed[start // 8 : start // 8 + len(block)] = block
    return np.ascontiguousarray(packed.T).view("<u8")
