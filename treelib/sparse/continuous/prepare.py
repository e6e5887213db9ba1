"""What comes before the search on numbers: a checked table, and its rows sorted."""

from typing import NamedTuple

import numpy as np

from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, Stopped, status_of
from treelib.sparse.continuous.arrays import bytes_to_search
from treelib.sparse.continuous.greedy import grown, patient, pruned, unmerged
from treelib.sparse.continuous.number_tree import NumberTree, counted, labelled
from treelib.sparse.continuous.sorting import SortedOnDemand, sort_rows
from treelib.table.checks import check_price, odd_numbers

# bytes that a cell of the table takes while the rows are merged and sorted, and a row where a greedy tree is
# grown on one column after the other
BYTES_TO_SORT, BYTES_A_ROW = 12, 64


class Data(NamedTuple):
    """The table as it was given: what trees are labelled and scored by.

    X : float64 (n, p). y : intp (n,), class indices. weights : float64 (n,) or None. n_classes : int.
    regularization : float. first : NumberTree that is there before the search, or None.
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    n_classes: int
    regularization: float
    first: NumberTree | None = None

    @property
    def total(self):
        """Weight of all rows."""
        return float(len(self.y) if self.weights is None else self.weights.sum())

    def counted(self, tree):
        """Weight of each class, and number of rows, at each node of a tree."""
        return counted(tree, self.X, self.y, self.weights, self.n_classes)

    def labelled(self, tree):
        """`tree` with the class of most weight at every node, and its error."""
        return labelled(tree, self.X, self.y, self.weights, self.n_classes)

    def objective(self, tree):
        """Objective of a tree that these rows have labelled."""
        return tree.error + self.regularization * tree.n_leaves


def prepare(X, y, regularization, sample_weight, budget, max_depth=None, max_leaves=None, check_input=True):
    """`Data` and `Sorted` rows of checked arguments; the rows are None where a limit ended their sorting, or
    leaves no room for the search. Then the data has a greedy tree, if that was for want of memory.

    Returns data, rows, and the status of the limit.
    """
    X, y, weights = _checked(X, y, sample_weight, check_input)
    check_price("regularization", regularization)
    data, rows, status = Data(X, y, weights, int(y.max()) + 1, float(regularization)), None, budget.status
    if status is not None:
        return data, None, status
    check = patient(budget, X.size)
    try:
        if BYTES_TO_SORT * X.size + BYTES_A_ROW * len(y) > budget.most_bytes:
            features, weights = np.arange(X.shape[1]), np.ones(len(y)) if weights is None else weights
            rows = unmerged(data.y, weights, data.n_classes, SortedOnDemand(X, features), features)
        else:
            rows = sort_rows(X, y, weights, check)
            if _bytes_to_start(rows, data, max_depth) <= budget.most_bytes:
                return data, rows, OPTIMAL
        tree = pruned(grown(rows, X, data.regularization, max_depth, check), data, max_leaves)
        return data._replace(first=tree), None, MEMORY_LIMIT
    except (Stopped, KeyboardInterrupt) as stop:
        return data, None, status_of(stop)


def _bytes_to_start(rows, data, max_depth):
    """Bytes of sorted rows, and of what a search of them begins with."""
    p, n = rows.order.shape
    is_deep = max_depth is None or max_depth > 2
    kind, is_priced = rows.weight.dtype, data.regularization > 0
    room = bytes_to_search(n, p, rows.n_classes, kind, 8 if is_deep else 1, is_priced)
    return sum(array.nbytes for array in rows[:6]) + 16 * n + room


def _checked(X, y, sample_weight, check_input):
    if check_input:
        X = np.ascontiguousarray(X, dtype=np.float64)
    y = np.asarray(y)
    if X.ndim != 2 or y.shape != (len(X),) or len(X) == 0:
        raise ValueError(f"X has shape {X.shape} and y {y.shape}; give (n, p) and (n,), one row at least.")
    if y.dtype.kind not in "iu" or y.min() < 0:
        raise ValueError("y must hold class indices, 0 or more; encode the classes first.")
    if check_input and odd_numbers(X) == "infinity":
        raise ValueError("X holds infinity; give finite numbers, or NaN for missing values.")
    weights = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != y.shape or not (weights > 0).all() or not np.isfinite(weights).all():
            raise ValueError(
                "sample_weight must hold one finite number above 0 a row; drop rows of weight 0."
            )
    return X, y.astype(np.intp), weights
