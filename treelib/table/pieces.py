"""Large tables, read and copied some rows at a time: limits of a search are looked at between two pieces."""

import numpy as np

from treelib.table.checks import go_on

# cells made at once where a table is read piece by piece: some milliseconds, and 4 MB
CELLS_A_PIECE = 2**19
# of a circle, over and over: the points are spread over it evenly
GOLDEN_PART = 0.6180339887498949


def in_pieces(shape, check=go_on):
    """Slices of the rows of a table of `shape` (n, p), one after the other; `check` is asked before each."""
    n, p = shape
    step = max(1, CELLS_A_PIECE // max(p, 1))
    for start in range(0, n, step):
        check()
        yield slice(start, start + step)


def holds_whole_numbers(table):
    """Whether an array (n, p) of finite numbers holds whole ones only. It may be large: no copy is made."""
    return all(np.array_equal(table[rows], np.rint(table[rows])) for rows in in_pieces(table.shape))


def row_by_row(X, check=go_on):
    """An array (n, p) as float64, C-contiguous: itself, or a copy.

    check : callable of the bytes that are about to be taken, asked where the copy is of more than one piece,
        before it is made and between pieces; to stop, it raises an exception
    """
    if X.size <= CELLS_A_PIECE or (X.dtype == np.float64 and X.flags.c_contiguous):
        return np.ascontiguousarray(X, dtype=np.float64)
    check(8 * X.size)
    made = np.empty(X.shape)
    for rows in in_pieces(X.shape, check):
        made[rows] = X[rows]
    return made


def taken(X, rows, check=go_on):
    """``X[rows]`` of an array (n, p), for row numbers (m,); `check` is asked between pieces."""
    made = np.empty((len(rows), X.shape[1]), X.dtype)
    for piece in in_pieces(made.shape, check):
        np.take(X, rows[piece], axis=0, out=made[piece])
    return made


def spread(n, size):
    """`n` of the numbers below `size`, spread over them in no order: the same every time."""
    return (np.arange(1, n + 1) * GOLDEN_PART % 1 * size).astype(np.intp)
