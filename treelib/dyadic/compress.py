"""Losses of rows, and fewer rows in their place (Hush and Porter 2010, Sections 2 and 5).

Rows that no tree can tell apart are replaced by one surrogate with the sum of their losses. Subtracting the
least loss of a surrogate from all its labels shifts the error of every tree by the same `offset`, and makes
the least error that any tree can have 0.
"""

from typing import NamedTuple

import numpy as np

from treelib.dyadic.boxes import group_rows
from treelib.search.budget import beside, go_on


class Surrogates(NamedTuple):
    """Rows that stand for groups of rows.

    Attributes
    ----------
    rows : (m, d), what distinguishes them: features or cell codes, in lexicographic order
    losses : (m, K), loss of each label; the least of each row is 0. dtype of the losses given.
    offset : loss that every tree pays, taken out of `losses`
    counts : intp (m,), number of rows that each stands for
    index : intp (n,), surrogate of each row, -1 where it was dropped
    """

    rows: np.ndarray
    losses: np.ndarray
    offset: float
    counts: np.ndarray
    index: np.ndarray


def row_losses(y_codes, n_classes, *, weights=None, cost_matrix=None, check=go_on):
    """Loss of each label for each row (w_jy of Section 2, times n where weights are None).

    Parameters
    ----------
    y_codes : intp (n,), class of each row, below `n_classes`
    weights : (n,) not negative, or None for ones
    cost_matrix : (n_classes, n_classes) not negative, cost of predicting a class (column) for a row of a
        class (row), or None: 1 for each wrong class
    check : callable of the bytes that are about to be taken, such as `treelib.search.budget.Budget.check`

    Returns
    -------
    int64 (n, n_classes) where weights and costs are whole numbers below 2^53, else float64
    """
    if cost_matrix is None:
        cost_matrix = 1 - np.eye(n_classes, dtype=np.int64)
    cost_matrix = np.asarray(cost_matrix)
    if cost_matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix has shape {cost_matrix.shape}, but must be {(n_classes, n_classes)}: "
            "one row and one column for each class."
        )
    if not np.isfinite(cost_matrix).all() or (cost_matrix < 0).any():
        raise ValueError("cost_matrix must hold finite costs, 0 or more.")
    weights = None if weights is None else np.asarray(weights)[:, None]
    is_float = "f" in (cost_matrix.dtype.kind, getattr(weights, "dtype", cost_matrix.dtype).kind)
    check(8 * len(y_codes) * n_classes)
    losses = cost_matrix[y_codes] if weights is None else cost_matrix[y_codes] * weights
    if is_float and not ((losses < 2.0**53).all() and (losses == np.rint(losses)).all()):
        return losses.astype(np.float64)
    return losses.astype(np.int64)


def merge_rows(rows, losses, *, keep_zero=False, check=go_on):
    """One surrogate for each group of equal rows, with the least loss subtracted.

    Parameters
    ----------
    rows : (n, d), features or cell codes; NaN equals NaN
    losses : (n, K) int64 or float64, not negative
    keep_zero : bool, keep surrogates whose labels all cost the same, so nothing after the subtraction. They
        occupy rectangles but change no error. Dropping them fits the paper's Table 4.
    check : callable such as `treelib.search.budget.Budget.check`, asked between columns, and before the rows
        that are kept are copied

    Returns
    -------
    Surrogates
    """
    groups = group_rows(rows, check)
    n_groups = int(groups.max(initial=-1)) + 1
    held = 5 * groups.nbytes + n_groups * 8 * (2 * losses.shape[1] + rows.shape[1])
    check(held)
    counts = np.bincount(groups, minlength=n_groups)
    first = np.full(n_groups, len(rows))
    np.minimum.at(first, groups, np.arange(len(rows)))
    totals = np.zeros((n_groups, losses.shape[1]), dtype=losses.dtype)
    np.add.at(totals, groups, losses)
    least = totals.min(axis=1)
    totals -= least[:, None]
    kept = np.ones(n_groups, dtype=bool) if keep_zero else totals.any(axis=1)
    index = np.where(kept, np.cumsum(kept) - 1, -1)[groups]
    rows = rows[first[kept]]
    return Surrogates(rows, totals[kept], least.sum().item(), counts[kept], index)


def merge_duplicates(X, losses, *, keep_zero=False, check=go_on):
    """First step of the compression: rows with equal features become one (Section 5)."""
    return merge_rows(X, losses, keep_zero=keep_zero, check=check)


def merge_cells(grid, X, losses, *, keep_zero=False, check=go_on):
    """Second step: rows in one finest cell of `grid` become one, their `rows` are its codes.

    The paper merges rows of zero-loss cells; where the grid was chosen by `choose_n_splits`, all cells are.
    In any other grid, rows of a cell with mixed classes are merged as well, since no tree can part them.
    """
    codes = grid.codes(X, check)
    return merge_rows(codes, losses, keep_zero=keep_zero, check=beside(codes.nbytes, check))
