"""A problem with constraints: merged rows, columns by feature, and what the kernels read of them."""

from typing import NamedTuple

import numpy as np

from treelib.sparse.exact.reduction import merge_rows
from treelib.sparse.problem_checks import check_problem
from treelib.sparse.row_sets import TOLERANCE, as_int, members
from treelib.table.checks import go_on


class Columns(NamedTuple):
    """Candidate tests as columns of 0 and 1, those of a feature side by side.

    values : uint8 (n, p). Of a feature, a row with a 1 in a column has a 1 in all its columns before, as
        ascending thresholds give them.
    feature : intp (p,), ascending, the feature that each column tests
    is_missing : bool (p,), whether the column asks "is the value missing", the last one of its feature
    """

    values: np.ndarray
    feature: np.ndarray
    is_missing: np.ndarray


class Constraints(NamedTuple):
    """What a tree must keep to, by feature as `Columns.feature` counts them.

    min_rows : int, least number of rows in a leaf
    direction : int8 (n_features,): 1 where the label must not fall as the feature grows, -1 where it must not
        rise, else 0. A missing value stands outside the order.
    required : intp (n_features,): number of the required column of the table that the feature belongs to,
        or -1. Each number from 0 on must be tested somewhere in the tree.
    category_of : intp (n_features,): categorical column of the table that a 0/1 feature is one category of,
        or -1. No row has two categories of one column, so leaves that ask for two do not meet.
    """

    min_rows: int
    direction: np.ndarray
    required: np.ndarray
    category_of: np.ndarray

    @classmethod
    def none(cls, n_features):
        """No constraint at all."""
        minus = np.full(n_features, -1, dtype=np.intp)
        return cls(1, np.zeros(n_features, dtype=np.int8), minus, minus)


class ConstrainedProblem:
    """Merged rows and columns of a search. A set of rows is an int with bit i for merged row i.

    Attributes
    ----------
    codes : int32 (n_rows, n_slots), how many columns of each slot are 1; a slot is a feature with columns
    start : int64 (n_slots + 1,), first column of each slot
    direction, category : int (n_slots,); has_missing : bool (n_slots,)
    slot : intp (p,), of each column; wanted : int64 (p,), required column of the table, or -1
    ordered : int8 (p,), the direction of each column, 0 for "is missing"
    amounts : float64 (n_rows, 1 + n_classes): rows, and costs less those of the cheapest class
    base_cost : float, what every tree pays. masks : list of int, rows with a 1, a column each
    """

    def __init__(self, columns, costs, constraints, total=None, check=go_on):
        check()
        values, costs, self.total = check_problem(columns.values, costs, total)
        first, merged, count = merge_rows(values, costs, check)
        self.n_rows = n = len(first)
        self.n_classes, self.n_columns = costs.shape[1], values.shape[1]
        features, start, self.slot = np.unique(columns.feature, return_index=True, return_inverse=True)
        # amounts, codes, the columns of the merged rows and their masks, and the merged costs beside them
        check(n * (8 * (3 + 2 * self.n_classes) + 4 * len(features) + self.n_columns + self.n_columns // 8))
        base, largest = merged.min(axis=1), merged.max(axis=1)
        self.amounts = np.column_stack([count, merged - base[:, None]])
        self.base_cost = float(base.sum())
        self.min_rows = min(int(constraints.min_rows), len(values))  # a single leaf is always large enough
        self.start = np.append(start, self.n_columns).astype(np.int64)
        values = values[first] if n < len(values) else values
        self.codes = np.zeros((n, len(features)), dtype=np.int32)
        if len(features):
            np.add.reduceat(values, start, axis=1, dtype=np.int32, out=self.codes)
        self.direction = constraints.direction[features]
        self.category = constraints.category_of[features]
        self.has_missing = np.zeros(len(features), dtype=bool)
        self.has_missing[self.slot[columns.is_missing]] = True
        self.wanted = constraints.required[columns.feature].astype(np.int64)
        self.n_wanted = int(constraints.required.max(initial=-1)) + 1
        self.ordered = np.where(columns.is_missing, 0, self.direction[self.slot]).astype(np.int8)
        check()
        self.masks = [as_int(column) for column in values.T]
        self.everything = (1 << self.n_rows) - 1
        # of the whole costs, whose rounding what is left of them carries
        self.tolerance = TOLERANCE * max(largest.sum(), 1e-300)
        self.n_bytes = self.codes.nbytes + self.amounts.nbytes + self.n_columns * (self.n_rows // 8 + 64)

    @property
    def is_ordered(self):
        """Whether any prediction has to keep an order."""
        return bool(self.ordered.any())

    def leaf_costs(self, rows):
        """Cost of a set as a leaf of each class, float64 (n_classes,)."""
        return self.amounts[members(rows, self.n_rows), 1:].sum(axis=0)

    def count(self, rows):
        """Number of training rows in a set."""
        return self.amounts[members(rows, self.n_rows), 0].sum()

    def sides(self, rows, column):
        """The rows with a 0 and those with a 1."""
        true = rows & self.masks[column]
        return rows ^ true, true
