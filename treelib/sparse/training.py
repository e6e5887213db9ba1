"""What a fit asks: training rows, weighed, with what an error costs, and which trees are looked for.

An engine is a module with a function ``solve(problem, budget)`` of a `TreeProblem` that gives a `Solution`:
`on_columns` over columns of 0 and 1, `on_numbers` over all thresholds of sorted numbers, and
`constrained.fit` under constraints.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from treelib.search.budget import SearchResult
from treelib.sparse.constrained.problem import Constraints
from treelib.sparse.continuous.search import MANY_THRESHOLDS, has_many_values

# what a proof ranges over
ALL_THRESHOLDS = "all thresholds"


class Rows(NamedTuple):
    """Checked training rows, those of weight zero gone.

    X : float64 (n, n_encoded). y_codes : intp (n,). sample_weight, weights : float64 (n,) or None for ones:
    the weights as given, and times the class weights. bits : what `treelib.table.packed.read_bits` made of X.
    """

    X: np.ndarray
    y_codes: np.ndarray
    sample_weight: np.ndarray
    weights: np.ndarray
    bits: tuple = None

    @property
    def total(self):
        """Weight of all rows."""
        return float(len(self.y_codes) if self.weights is None else self.weights.sum())


@dataclass(frozen=True)
class TreeProblem:
    """The rows, and what is asked of their tree.

    Attributes
    ----------
    rows : Rows
    costs : float64 (n_classes, n_classes), of calling a row of one class another; None: 1 for every wrong one
    regularization : float
    max_depth, max_leaves, max_thresholds : int or None
    initial : `treelib.Tree` to start from, or None
    constraints : `treelib.sparse.constrained.problem.Constraints`, by encoded feature
    given : `treelib.sparse.constrained.parameters.Given`, the same by column of the table
    feature_names, class_names : tuple of str, or None
    n_jobs : int, threads
    """

    rows: Rows
    costs: np.ndarray
    regularization: float
    max_depth: int
    max_leaves: int
    max_thresholds: int
    initial: object
    constraints: Constraints
    given: object
    feature_names: tuple
    class_names: tuple
    n_jobs: int = 1

    @property
    def n_classes(self):
        """Number of classes."""
        return len(self.class_names)

    @property
    def cost_matrix(self):
        """Cost of calling a row of each class (row) each class (column)."""
        return _plain_costs(self.n_classes) if self.costs is None else self.costs

    @cached_property
    def error_costs(self):
        """`ErrorCosts` of the costs."""
        return error_costs(self.cost_matrix)

    @property
    def takes_all_tests(self):
        """Whether both searches look for the same trees."""
        return self.max_thresholds is None and (self.costs is None or self.error_costs.is_exact)

    @property
    def reads_numbers(self):
        """Whether the search runs on the numbers as they are: all thresholds, and columns of many values."""
        is_small = self.rows.bits is not None and self.rows.X.shape[1] <= MANY_THRESHOLDS
        return not is_small and self.takes_all_tests and has_many_values(self.rows.X)

    def row_costs(self):
        """Cost of calling each row each class, float64 (n, n_classes)."""
        return cost_table(self.rows.y_codes, self.rows.weights, self.cost_matrix)

    def costs_of_all(self):
        """Mean cost of calling all rows each class, float64 (n_classes,)."""
        by_class = np.bincount(self.rows.y_codes, self.rows.weights, self.n_classes)
        return by_class @ self.cost_matrix / self.rows.total


@dataclass
class Solution(SearchResult):
    """A `SearchResult` whose tree is a `treelib.Tree`.

    Attributes
    ----------
    scope : str, what the proof ranges over
    binarizer : Binarizer of the columns of 0 and 1, or None where the search read the numbers as they are
    """

    scope: str = ALL_THRESHOLDS
    binarizer: object = None

    @classmethod
    def of(cls, result, tree, scope, binarizer=None):
        """A `SearchResult` with its tree written down."""
        return cls(**vars(result) | {"tree": tree}, scope=scope, binarizer=binarizer)


def cost_table(y_codes, weights, cost_matrix):
    """Cost of predicting each class for each row, float64 (n, n_classes)."""
    costs = cost_matrix.take(y_codes, axis=0)
    if weights is not None:
        costs *= weights[:, None]
    return costs


def checked_costs(cost_matrix, classes):
    """`cost_matrix` as float64 (n_classes, n_classes), or None."""
    if cost_matrix is None:
        return None
    n_classes = len(classes)
    try:
        cost_matrix = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("cost_matrix must be a table of numbers, one row and one column a class.") from None
    if cost_matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix has shape {cost_matrix.shape}, but must be {(n_classes, n_classes)}: "
            f"one row and one column for each class of {classes.tolist()[:10]}."
        )
    if not np.isfinite(cost_matrix).all() or (cost_matrix < 0).any():
        raise ValueError("cost_matrix must hold finite costs, 0 or more.")
    return cost_matrix


@lru_cache(maxsize=16)
def _plain_costs(n_classes):
    """1 for every wrong class, float64 (n_classes, n_classes), read-only."""
    costs = 1.0 - np.eye(n_classes)
    costs.flags.writeable = False
    return costs


class ErrorCosts(NamedTuple):
    """Costs as weights of errors: a row of class c costs ``own[c]``, and ``more[c]`` beside where it is
    missed. `is_exact` is False where the cost also depends on the class that is predicted; `more` is the
    mean over these then."""

    own: np.ndarray
    more: np.ndarray
    is_exact: bool


def error_costs(matrix):
    """`ErrorCosts` of a checked cost matrix."""
    n = len(matrix)
    own, wrong = matrix.diagonal(), matrix[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    if n == 1:
        return ErrorCosts(own, np.zeros(1), False)
    more = wrong.mean(axis=1) - own
    is_exact = (wrong == wrong[:, :1]).all() and (more >= 0).all() and (more > 0).any()
    return ErrorCosts(own, np.maximum(more, 0.0), bool(is_exact))


def weigh_by_cost(rows, costs):
    """`Rows` whose weights are what a missed row costs, those that cost nothing gone.

    Returns
    -------
    rows, base, unit : the mean cost of a tree is `base` + `unit` x its weighted error on these rows
    """
    weights = np.ones(len(rows.y_codes)) if rows.weights is None else rows.weights
    total, base = weights.sum(), weights @ costs.own[rows.y_codes]
    weights = weights * costs.more[rows.y_codes]
    keep = weights > 0
    if not keep.all():
        rows, weights = Rows(rows.X[keep], rows.y_codes[keep], rows.sample_weight, None), weights[keep]
    return rows._replace(weights=weights), float(base / total), float(weights.sum() / total)
