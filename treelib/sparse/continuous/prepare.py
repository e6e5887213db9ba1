"""What comes before the search on numbers: a checked table, sorted rows, and a first tree under limits."""

from typing import NamedTuple

import numpy as np

from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, TIME_LIMIT, Stopped, status_of
from treelib.sparse.continuous.arrays import bytes_to_search
from treelib.sparse.continuous.early.sample import grown_in_pieces, grown_on, sampled_tree
from treelib.sparse.continuous.number_tree import NumberTree, labelled
from treelib.sparse.continuous.sorting import sort_rows
from treelib.table.checks import check_price, odd_numbers
from treelib.table.on_demand import OnDemand

# seconds that the greedy tree may take whatever the limit; half of what a search may be late, where it is up
GREEDY_SECONDS = 0.1
# bytes that a cell of the table takes while the rows are merged and sorted, and a row where a greedy tree is
# grown on one column after the other
BYTES_TO_SORT, BYTES_A_ROW = 12, 64
# seconds that a cell of the table takes while the arrays of a search are made, and cells that take as a row
SECONDS_A_CELL, CELLS_A_ROW = 1.3e-8, 10


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

    def labelled(self, tree):
        """`tree` with the class of most weight at every node, and its error."""
        return labelled(tree, self.X, self.y, self.weights, self.n_classes)

    def objective(self, tree):
        """Objective of a tree that these rows have labelled."""
        return tree.error + self.regularization * tree.n_leaves


def prepare(X, y, regularization, sample_weight, budget, max_depth=None, max_leaves=None, check_input=True):
    """`Data` and `Sorted` rows of checked arguments; the rows are None where a limit ended their sorting, and
    where there was no room for the table itself.

    Returns data, rows, and the status of the limit. Under limits, a large table has a first tree then.
    """
    X, y, weights = _checked(X, y, sample_weight, check_input)
    check_price("regularization", regularization)
    data = Data(X, y, weights, int(y.max()) + 1, float(regularization))
    limits = max_depth, max_leaves
    try:
        if budget.time_limit is not None or budget.memory_limit is not None:
            until = until_first(budget)
            first = sampled_tree(data, budget, *limits, until, is_late=budget.due() is not None)
            data = data._replace(first=first)
        status = budget.exceeded(n_bytes=BYTES_TO_SORT * X.size + BYTES_A_ROW * len(y))
        if status is None and isinstance(X, OnDemand):
            status = MEMORY_LIMIT
        if status is not None:
            return _with_first(data, limits, budget, status), None, status
        rows = sort_rows(X, y, weights, budget.check)
        if budget.exceeded(n_bytes=_bytes_to_start(rows, data, max_depth)) == MEMORY_LIMIT:
            status = MEMORY_LIMIT
        elif budget.time_left < seconds_to_start(rows):
            status = TIME_LIMIT  # it would be over when the arrays of the search are there
        if status is not None:
            tree = grown_on(rows, X, data, *limits, Until(budget, budget.time_limit or np.inf))
            first = tree if data.first is None else min(data.first, tree, key=data.objective)
            return data._replace(first=first), None, status
        return data, rows, OPTIMAL
    except (Stopped, KeyboardInterrupt) as stop:
        return _with_first(data, limits, budget, status_of(stop)), None, status_of(stop)


def _with_first(data, limits, budget, status):
    """`Data` with a first tree where nothing is sorted: of few rows where there was no time, and of all where
    there was no room for their order, but for single columns of it."""
    if status == MEMORY_LIMIT and budget.exceeded(n_bytes=BYTES_A_ROW * len(data.y)) is None:
        until = Until(budget, budget.seconds + 0.75 * min(budget.time_left, 60.0))
        tree = grown_in_pieces(data, *limits, until)
        data = data._replace(first=tree if data.first is None else min(data.first, tree, key=data.objective))
    if data.first is None:
        until = Until(budget, budget.seconds + GREEDY_SECONDS / 2)
        data = data._replace(first=sampled_tree(data, budget, *limits, until, is_late=True))
    return data


def seconds_to_start(rows):
    """Seconds to make the arrays of a search of `Sorted` rows, which nothing interrupts; 0 for few cells."""
    p, n = rows.order.shape
    return SECONDS_A_CELL * n * (p + CELLS_A_ROW) if n * p > 10**5 else 0.0


def _bytes_to_start(rows, data, max_depth):
    """Bytes of sorted rows, and of what a search of them begins with, or two where one looks ahead."""
    p, n = rows.order.shape
    is_deep = max_depth is None or max_depth > 2
    is_priced = data.regularization > 0
    n_searches = 2 if is_deep and max_depth != 3 and is_priced else 1
    room = bytes_to_search(n, p, rows.n_classes, rows.weight.dtype, 8 if is_deep else 1, is_priced)
    return sum(array.nbytes for array in rows[:6]) + 16 * n + n_searches * room


def _checked(X, y, sample_weight, check_input):
    is_made = not isinstance(X, OnDemand)
    if is_made:
        X = np.ascontiguousarray(X, dtype=np.float64)
    y = np.asarray(y)
    if X.ndim != 2 or y.shape != (len(X),) or len(X) == 0:
        raise ValueError(f"X has shape {X.shape} and y {y.shape}; give (n, p) and (n,), one row at least.")
    if y.dtype.kind not in "iu" or y.min() < 0:
        raise ValueError("y must hold class indices, 0 or more; encode the classes first.")
    if is_made and check_input and odd_numbers(X) == "infinity":
        raise ValueError("X holds infinity; give finite numbers, or NaN for missing values.")
    weights = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != y.shape or not (weights > 0).all() or not np.isfinite(weights).all():
            raise ValueError(
                "sample_weight must hold one finite number above 0 a row; drop rows of weight 0."
            )
    return X, y.astype(np.intp), weights


def until_first(budget):
    """`Until` a tenth of the time left is gone, or a moment: for trees that come before all else."""
    return Until(budget, budget.seconds + max(0.1 * min(budget.time_left, 600.0), GREEDY_SECONDS))


class Until:
    """Raises `Stopped` from a time on, soon after the limit at the latest."""

    def __init__(self, budget, seconds):
        self.budget = budget
        self.seconds = min(seconds, budget.seconds + max(budget.time_left, 0.0) + GREEDY_SECONDS / 2)

    def __call__(self):
        if self.budget.seconds >= self.seconds:
            raise Stopped(TIME_LIMIT)
