"""Training rows as the searches take them: weighed, and with the cost of each class."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treelib.sparse.exact.reduction import CELLS_A_STEP, added, groups_in_pieces
from treelib.table.checks import go_on

# rows x classes from which on equal rows are merged before their costs are written down
MANY_COSTS = 2**17


class Training(NamedTuple):
    """Training data as the search takes them; rows of weight zero are gone.

    columns : uint8 (m, p). costs : float64 (m, n_classes), of the rows, or of `merged` ones. total : float,
    weight of all rows. row_columns : uint8 (n, p). y_codes : intp (n,). weights : float64 (n,), sample weight
    x class weight, or None for ones. stopped : status of a limit that was met before there were columns, or
    None; there are none then.
    """

    columns: np.ndarray
    costs: np.ndarray
    row_columns: np.ndarray
    total: float
    y_codes: np.ndarray
    weights: np.ndarray
    stopped: str


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


def costs_of(columns, y_codes, weights, cost_matrix, classes, merges=True, check=go_on):
    """Columns and costs of the rows, or of one row for all that are equal: of many a much smaller table.

    merges : bool, whether equal rows may become one. check : callable of the bytes that are about to be taken

    Returns
    -------
    uint8 (m, p) and float64 (m, n_classes)
    """
    n, n_classes = len(columns), len(classes)
    merged = None
    if merges and n * n_classes > MANY_COSTS:
        merged = _merged(columns, y_codes, weights, n_classes, check)
    if merged is not None:
        first, by_class = merged
        return columns[first], by_class @ cost_table(np.arange(n_classes), None, cost_matrix, classes)
    check(8 * n * n_classes)
    return columns, cost_table(y_codes, weights, cost_matrix, classes, check)


def _merged(columns, y_codes, weights, n_classes, check):
    """A row, intp (m,), and the weight of each class, float64 (m, n_classes), of every group of equal rows;
    None where most rows are different. Nothing of it is held then."""
    by_class = np.empty(0)

    def check_beside(n_bytes=0):
        check(by_class.nbytes + n_bytes)

    for part, group, first in groups_in_pieces(columns, check_beside):
        if 2 * len(first) >= len(columns):
            return None
        # the weights of all groups, beside those of all so far; in the end their costs beside them
        check_beside(2 * 8 * len(first) * n_classes)
        of_part = None if weights is None else weights[part]
        by_class = added(by_class, group * n_classes + y_codes[part], of_part, len(first) * n_classes)
    return first, by_class.reshape(-1, n_classes)


def one_row(y_codes, weights, cost_matrix, classes):
    """What is left of the rows where a limit came before their columns: no column, and the costs of all.

    Returns
    -------
    uint8 (1, 0) and float64 (1, n_classes)
    """
    n_classes = len(classes)
    by_class = np.bincount(y_codes, weights, n_classes)
    one = cost_table(np.arange(n_classes), None, cost_matrix, classes)
    return np.empty((1, 0), np.uint8), by_class[None] @ one


def cost_table(y_codes, weights, cost_matrix, classes, check=go_on):
    """Cost of predicting each class for each row, float64 (n, n_classes). `check` is asked between pieces."""
    one = checked_costs(cost_matrix, classes)
    if weights is None and len(y_codes) * len(classes) <= CELLS_A_STEP:
        return one.take(y_codes, axis=0)
    costs = np.empty((len(y_codes), len(classes)))
    step = max(1, CELLS_A_STEP // len(classes))
    for start in range(0, len(costs), step):
        check()
        rows = slice(start, start + step)
        np.take(one, y_codes[rows], axis=0, out=costs[rows], mode="clip")  # any other mode makes a copy
        if weights is not None:
            costs[rows] *= weights[rows, None]
    return costs


def checked_costs(cost_matrix, classes):
    """`cost_matrix` as float64 (n_classes, n_classes); None is 1 for every wrong class."""
    n_classes = len(classes)
    if cost_matrix is None:
        return _plain_costs(n_classes)
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
