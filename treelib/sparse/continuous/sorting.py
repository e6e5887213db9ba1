"""From a table of numbers to the rows as the search takes them: merged, weighed, sorted by every feature.

1. Equal rows come to the same leaf of every tree. With two classes they become one row of the class that
   weighs more: what it weighs more is the weight, the rest is paid by every tree and kept apart as `base`.
   With more classes, those of one class are merged.
2. Real weights, and whole ones of a sum above 2**50, are rounded to multiples of 1 / `scale`, as the search
   over 0/1 columns does it; others are divided by their greatest common divisor.
3. A missing value is sorted behind all numbers. -0.0 is 0.0. Values are compared as float64.
"""

from typing import NamedTuple

import numpy as np

from treelib.search.budget import go_on
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT
from treelib.sparse.continuous.lanes import lane_type
from treelib.sparse.exact.reduction import MAX_TOTAL
from treelib.table.labels import classes_and_codes
from treelib.table.packed import group_rows

# cells sorted between two looks at the clock: about 5 ms
_CELLS = 2**16
# columns that tell most tables' rows apart
FIRST_COLUMNS = (16, 64)


class Sorted(NamedTuple):
    """Rows in the order of every feature.

    Attributes
    ----------
    rows : intp (m,), one of the given rows for each merged one
    features : intp (p,), the given columns that are not constant among them
    order : int32 (p, m), codes 4 * row + (1 where the value is larger than that of the row before)
    classes : int32 (m,), 0 .. n_classes - 1. weight : lane type (m,), signed if there are two classes.
    class_of : intp (n_classes,), the given classes
    base : float, weight that every tree misclassifies
    scale : float, units of `weight` for one of the given weight
    total : int, sum of the weights
    """

    rows: np.ndarray
    features: np.ndarray
    order: np.ndarray
    classes: np.ndarray
    weight: np.ndarray
    class_of: np.ndarray
    base: float
    scale: float
    total: int

    @property
    def n_classes(self):
        return len(self.class_of)


def sort_rows(X, y, weights=None, check=go_on):
    """`Sorted` rows of a table.

    Parameters
    ----------
    X : float64 (n, p), NaN where missing
    y : int (n,), class indices
    weights : float64 (n,), positive, or None for ones
    check : callable, asked between pieces of work; to stop, it raises an exception.
    """
    class_of, classes = classes_and_codes(y)
    rows, classes, weights, base = _merge(X, classes, weights, len(class_of), check)
    check()
    whole, scale = _whole_weights(weights)
    check()
    total = int(whole.sum())
    kind = lane_type(total)
    signed = np.where(classes == 1, whole, -whole) if len(class_of) == 2 else whole
    order, features = sorted_columns(X, check, None if len(rows) == len(X) else rows)
    return Sorted(
        rows=rows,
        features=features,
        order=order,
        classes=classes.astype(np.int32),
        weight=signed.astype(kind),
        class_of=class_of,
        base=float(base),
        scale=scale,
        total=total,
    )


def sorted_columns(X, check, rows=None, features=None):
    """Codes of the rows in the order of each feature that is not constant, and these features.

    rows, features : intp, those of the table that are sorted; None for all. The table is not copied
    """
    n = len(X) if rows is None else len(rows)
    features = np.arange(X.shape[1]) if features is None else features
    order, various = np.empty((len(features), n), np.int32), [np.empty(0, np.intp)]
    n_sorted, step = 0, max(1, _CELLS // n) if n else 1
    for start in range(0, len(features) if n else 0, step):
        check()
        of_step = features[start : start + step]
        columns = (X[:, of_step] if rows is None else X[rows[:, None], of_step]).T
        codes = order[n_sorted : n_sorted + len(columns)]
        kept = np.flatnonzero(_write_codes(columns, codes))
        codes[: len(kept)] = codes[kept]
        various.append(of_step[kept])
        n_sorted += len(kept)
    return order[:n_sorted], np.concatenate(various)


def _write_codes(columns, codes):
    """Write the order of some columns (k, n) to `codes`, int32 (k, n); which are not constant, bool (k,)."""
    values = np.ascontiguousarray(columns)
    codes[:] = np.argsort(values, axis=1)
    values = np.sort(values, axis=1)  # sooner than taken by the order; a copy, it may be the table
    codes <<= ROW_SHIFT
    codes[:, :1] += FIRST
    is_first = values[:, 1:] > values[:, :-1]
    is_first |= np.isnan(values[:, 1:]) & ~np.isnan(values[:, :-1])
    codes[:, 1:] += is_first
    return is_first.any(axis=1)


class SortedOnDemand:
    """The `order` of `Sorted` of a table that has no room beside it: slices of columns are sorted when they
    are taken, constant ones too.

    X : float64 (n, p), NaN where missing. features : intp, those of its columns that are taken
    """

    def __init__(self, X, features):
        self.X, self.features, self.shape = X, features, (len(features), len(X))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, block):
        columns = self.X[:, self.features[block]].T
        codes = np.empty(columns.shape, np.int32)
        _write_codes(columns, codes)
        return codes


def _merge(X, classes, weights, n_classes, check):
    """Rows that differ: one index of each, class, weight, and the weight that every tree misclassifies."""
    group, first = _equal_rows(X, None if n_classes == 2 else classes, check)
    n_groups = len(first)
    if n_groups == len(X) and weights is None:
        return first, classes, np.ones(len(X)), 0.0
    given = np.bincount(group, weights, n_groups)
    if n_classes != 2:
        return first, classes[first], given, 0.0
    ones = np.bincount(group, classes if weights is None else weights * classes, n_groups)
    more = 2 * ones - given
    kept = np.abs(more) > 1e-12 * given
    base = np.minimum(ones, given - ones).sum()
    return first[kept], (more[kept] > 0).astype(np.intp), np.abs(more[kept]), max(base, 0.0)


def _equal_rows(X, classes, check):
    """Group of every row, equal rows sharing one, and the first row of each; `classes` (n,) or None.

    Where the first columns tell all rows apart, the others are not read.
    """
    for n_columns in sorted({*(few for few in FIRST_COLUMNS if few < X.shape[1]), X.shape[1]}):
        group, first = group_rows(_codes(X[:, :n_columns], classes))
        check()
        if len(first) == len(X):
            break
    return group, first


def _codes(X, classes):
    """Rows of numbers, and their classes or None, as uint64 (n, p or p + 1): equal rows have equal codes."""
    codes = np.empty((len(X), X.shape[1] + (classes is not None)), np.uint64)
    values = codes[:, : X.shape[1]].view(np.float64)
    values[:] = X
    values += 0.0  # -0.0 becomes 0.0
    values[np.isnan(values)] = np.nan  # one of many
    if classes is not None:
        codes[:, -1] = classes
    return codes


def _whole_weights(weights):
    """Whole numbers int64 (m,) in proportion to `weights`, and how many make one of the given."""
    total = float(weights.sum())
    if len(weights) and total <= MAX_TOTAL and np.array_equal(weights, np.rint(weights)):
        whole = weights.astype(np.int64)
        divisor = int(np.gcd.reduce(whole))
        return whole // divisor, 1.0 / divisor
    scale = 2.0 ** min(np.floor(np.log2(MAX_TOTAL) - np.log2(total)), 1000.0) if total > 0 else 1.0
    whole = np.rint(weights * scale).astype(np.int64)
    return np.maximum(whole, 1), scale
