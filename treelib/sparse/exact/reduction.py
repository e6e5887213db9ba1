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
from treelib.table.packed import (
    all_of,
    group_rows,
    pack_columns,
    pack_rows,
)


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
    costs = np.ascontiguousarray(costs, dtype=np.float64)
    n_classes = costs.shape[1]
    first, merged, base_cost, scale, total, (kept, label, largest) = _merge(columns, costs, check)
    check()
    # rows of one class stand together and heavy rows first, so that high digits fill few words
    kept = kept[label.argsort(kind="stable") if total == len(kept) else np.lexsort((-largest, label))]
    check()
    whole = np.empty((len(kept), n_classes + (n_classes > 2)), np.int64)
    sums = np.zeros((2, whole.shape[1]), np.int64)
    cost_tables(merged, scale, kept, whole, *sums)
    by_class = np.zeros(n_classes)
    add_rows(costs, by_class)
    problem = build_problem(columns, first[kept], whole, sums[1], check)
    return Reduced(
        problem=problem,
        n_classes=n_classes,
        n_rows=len(kept),
        base_cost=base_cost,
        scale=scale,
        total=total,
        leaf_cost=int(min(*sums[0, :n_classes].tolist(), MAX_TOTAL)),
        default_class=int(by_class.argmin()),
    )


def _merge(columns, costs, check):
    """Equal rows as one, and what each costs beyond its cheapest class.

    Returns
    -------
    first : int64 (m,), a row of each. merged : float64 (m, n_classes), see `take_base`. base_cost : float,
    the sum of what was taken off. scale : float. total : int, the sum of the rows' largest costs, in units
    of ``1 / scale``. rows : int64 (3, n_rows), see `costly_rows`
    """
    first, merged, _ = merge_rows(columns, costs, check)
    check(6 * merged.nbytes)  # bases, whole costs, and what is sorted
    base, largest = np.empty((2, len(merged)))
    is_whole = take_base(merged, base, largest)
    return first, merged, float(base.sum()), *_costly(merged, largest, is_whole)


def _costly(merged, largest, is_whole):
    """Scale of the whole costs, their total, and the rows that cost anything, see `costly_rows`."""
    total, scale = float(largest.sum()), 1.0
    if total > MAX_TOTAL or not is_whole:
        # a power of two that float64 still holds, for costs of any size
        scale = 2.0 ** min(np.floor(np.log2(MAX_TOTAL) - np.log2(total)), 1000.0)
    rows = np.empty((3, len(merged)), np.int64)
    rows = rows[:, : costly_rows(merged, scale, rows)]
    return scale, int(rows[2].sum()), rows


@kernel(allocates=False)
def take_base(merged, base, largest):
    """Take off each row of `merged`, float64 (m, n_classes), what its cheapest class costs.

    base, largest : float64 (m,), written: what was taken off, and the largest cost left

    Returns
    -------
    bool, whether all that is left are whole numbers
    """
    is_whole = True
    for i in range(merged.shape[0]):
        least, most = np.inf, 0.0
        for k in range(merged.shape[1]):
            least = min(least, merged[i, k])
        for k in range(merged.shape[1]):
            left = merged[i, k] - least
            merged[i, k] = left
            most = max(most, left)
            is_whole &= left == np.rint(left)
        base[i], largest[i] = least, most
    return is_whole


@kernel(allocates=False)
def costly_rows(merged, scale, rows):
    """Find the rows of `merged` that cost anything in units of ``1 / scale``.

    rows : int64 (3, m), written: each such row, the class that costs it nothing, the first of equals, and
        its largest cost

    Returns
    -------
    int, how many there are
    """
    n_classes, n = merged.shape[1], 0
    for i in range(merged.shape[0]):
        rows[0, n], rows[1, n], rows[2, n] = i, n_classes, 0
        for k in range(n_classes - 1, -1, -1):
            cost = np.int64(np.rint(merged[i, k] * scale))
            rows[2, n] = max(rows[2, n], cost)
            if cost == 0:
                rows[1, n] = k
        n += rows[2, n] > 0
    return n


@kernel(allocates=False)
def cost_tables(merged, scale, kept, whole, sums, most):
    """Whole costs of the `kept` rows, int64 (n_rows,), of `merged`, float64 (m, n_classes).

    Parameters
    ----------
    whole : int64 (n_rows, n_tables), written: costs by table, see `Problem`
    sums, most : int64 (n_tables,), zeros; written: sum and largest number of each table
    """
    n_classes, n_tables = merged.shape[1], whole.shape[1]
    for u in range(kept.shape[0]):
        largest = np.int64(0)
        for k in range(n_classes):
            whole[u, k] = np.int64(np.rint(merged[kept[u], k] * scale))
            largest = max(largest, whole[u, k])
        if n_tables > n_classes:
            whole[u, n_classes] = largest
        for t in range(n_tables):
            sums[t] += whole[u, t]
            most[t] = max(most[t], whole[u, t])


@kernel(allocates=False)
def add_rows(costs, sums):
    """Add all rows of `costs`, float64 (n, n_classes), to `sums`, one after the other."""
    for i in range(costs.shape[0]):
        for k in range(costs.shape[1]):
            sums[k] += costs[i, k]


def build_problem(columns, rows, costs, most, check=go_on):
    """Arrays of the `Problem` over ``columns[rows]`` with integer `costs` (n_rows, n_tables), the largest of
    each table in `most`."""
    bits = pack_columns(columns, rows, np.zeros(columns.shape[1], np.uint8))
    check()
    n_words = bits.shape[1]
    table, shift = _digits(tuple(most.tolist()))
    planes = np.empty((len(table), n_words), np.uint64)
    fill_planes(costs, table, shift, planes, 0, n_words)
    return Problem(
        columns=bits,
        all_rows=all_of(len(rows)),
        hash_keys=_hash_keys(n_words),
        planes=planes,
        table=table,
        shift=shift,
        n_tables=costs.shape[1],
    )


@kernel(allocates=False)
def fill_planes(costs, table, shift, planes, start, stop):
    """Write words `start` to `stop` of all `planes`, see `Problem`; costs : int64 (n_rows, n_tables)."""
    for q in range(planes.shape[0]):
        for w in range(start, stop):
            word = np.uint64(0)
            for i in range(w * WORD, min((w + 1) * WORD, costs.shape[0])):
                word |= np.uint64((costs[i, table[q]] >> shift[q]) & 1) << np.uint64(i & 63)
            planes[q, w] = word


@lru_cache(maxsize=16)
def _digits(most):
    """Table and digit of each plane, int64 (n_planes,), where the largest cost of each table is in `most`."""
    digits = [largest.bit_length() for largest in most]
    table = np.array([t for t, n in enumerate(digits) for _ in range(n)], np.int64)
    return table, np.array([digit for n in digits for digit in range(n)], np.int64)


@lru_cache(maxsize=16)
def _hash_keys(n_words):
    """Odd random numbers, uint64 (n_words,), the same every time: to make their generator takes long."""
    keys = np.random.default_rng(20190424).integers(0, 2**63, size=n_words, dtype=np.uint64)
    return keys * np.uint64(2) + ONE


def merge_rows(columns, costs, check=go_on):
    """Equal rows of `columns` uint8 (n, p) as one, in order of first appearance.

    costs : float64 (n, n_classes). check : callable of the bytes that are about to be taken

    Returns
    -------
    first : int64 (m,), a row of each. merged : float64 (m, n_classes), sums of costs. count : float64 (m,)
    """
    check(len(columns) * (16 * (columns.shape[1] // WORD + 1) + BYTES_TO_GROUP))
    group, first = group_rows(pack_rows(columns))
    check(group.nbytes + 8 * len(first) * (2 + costs.shape[1]))
    merged, count = np.zeros((len(first), costs.shape[1])), np.zeros(len(first))
    add_costs(group, costs, merged, count)
    return first, merged, count


@kernel(allocates=False)
def add_costs(group, costs, merged, count):
    """Add rows of `costs`, float64 (n, n_classes), to those of `merged` that `group` says; count them."""
    for i in range(group.shape[0]):
        count[group[i]] += 1.0
        for k in range(costs.shape[1]):
            merged[group[i], k] += costs[i, k]
