"""Problems of the searches for sparse trees, checked in one place for all functions.

The kernels behind believe what they are given: a column that holds 2 would lead to a wrong tree.
"""

import numpy as np

from treelib.table.checks import check_positive, holds_bits


def check_problem(columns, costs, total=None):
    """Columns, costs and total as the searches take them.

    Parameters
    ----------
    columns : array-like (n, p) of 0 and 1
    costs : array-like (n, n_classes) of finite numbers, 0 or more
    total : positive number, or None for n

    Returns
    -------
    columns : uint8 (n, p). costs : float64 (n, n_classes). Both C-contiguous. total : float

    Raises
    ------
    ValueError
        The message names the argument and what it must be.
    """
    columns = np.asarray(columns)
    if columns.ndim != 2 or len(columns) == 0:
        raise ValueError(f"columns has shape {columns.shape}; it must be (n, p), with at least one row.")
    if columns.dtype.kind not in "biuf" or not holds_bits(columns):
        raise ValueError(
            "columns must hold 0 and 1 only; `treelib.table.binarize.Binarizer` makes such columns."
        )
    try:
        costs = np.ascontiguousarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "costs must be a table of numbers, one row a sample and one column a class."
        ) from None
    if costs.ndim != 2 or len(costs) != len(columns) or costs.shape[1] == 0:
        raise ValueError(
            f"costs has shape {costs.shape}; give ({len(columns)}, n_classes), one row for each in columns."
        )
    if not (costs.min() >= 0 and costs.max() < np.inf):  # no copies, and false for NaN
        raise ValueError("costs must be finite and 0 or more.")
    if total is None:
        total = len(columns)
    check_positive("total", total, "a positive number, what the costs are divided by")
    return np.ascontiguousarray(columns, dtype=np.uint8), costs, float(total)


def check_table(X, y):
    """`X` as an array (n, p) of 0 and 1, and `y` as one of n entries; ValueError for anything else."""
    X, y = np.asarray(X), np.asarray(y)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X has shape {X.shape}; it must be a table with at least one row and one column.")
    if not holds_bits(X):
        raise ValueError(
            "X must hold 0 and 1 only; turn features into 0/1 columns with treelib.table.binarize first."
        )
    if y.shape != (len(X),):
        raise ValueError(f"y has shape {y.shape}; it must hold one class code for each of the {len(X)} rows.")
    return X, y
