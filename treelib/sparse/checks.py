"""Arguments of the searches for sparse trees, checked in one place for estimators and functions.

The kernels behind believe what they are given: a column that holds 2, or a price below 0, would lead to a
wrong tree, or to no end at all.
"""

import numbers

import numpy as np


def check_price(name, value):
    """`value` if it is a finite real number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value < np.inf:
        raise ValueError(
            f"{name}={value!r} must be a finite number, 0 or more, in units of the objective: 0.01 is one "
            "training row in a hundred."
        )
    return value


def check_count(name, value, what="a positive integer"):
    """`value` if it is an integer, 1 or more."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise ValueError(f"{name}={value!r} must be {what}.")
    return value


def check_limits(**limits):
    """ValueError for a limit of the size of trees that is neither None nor an integer, 1 or more."""
    for name, limit in limits.items():
        if limit is not None:
            check_count(name, limit, "a positive integer, or None for no limit")


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
    if columns.dtype in (bool, np.uint8):  # no copies of what may be large
        is_binary = columns.max(initial=0) <= 1
    else:
        is_binary = columns.dtype.kind in "iuf" and ((columns == 0) | (columns == 1)).all()
    if not is_binary:
        raise ValueError("columns must hold 0 and 1 only; `treelib.binarize.Binarizer` makes such columns.")
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
    if not ((costs >= 0) & (costs < np.inf)).all():
        raise ValueError("costs must be finite and 0 or more.")
    if total is None:
        total = len(columns)
    elif isinstance(total, bool) or not isinstance(total, numbers.Real) or not 0 < total < np.inf:
        raise ValueError(f"total={total!r} must be a positive number, what the costs are divided by.")
    return np.ascontiguousarray(columns, dtype=np.uint8), costs, float(total)
