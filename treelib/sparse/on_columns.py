"""The engine over columns of 0 and 1, one for each candidate test."""

from typing import NamedTuple

import numpy as np

from treelib.search.budget import MEMORY_LIMIT, Stopped, status_of
from treelib.sparse import column_tree
from treelib.sparse.fallback import Fallback, before
from treelib.sparse.leaf_limit import minimise_either
from treelib.sparse.on_numbers import written
from treelib.sparse.training import ALL_THRESHOLDS, Solution
from treelib.table.binarize import Binarizer


class Training(NamedTuple):
    """Training rows as columns.

    binarizer : Binarizer that made them. columns : uint8 (n, p). costs : float64 (n, n_classes).
    stopped : status of a limit that was met before there were columns, or None; one row without columns
    stands for all then.
    """

    binarizer: Binarizer
    columns: np.ndarray
    costs: np.ndarray
    stopped: str | None


def solve(problem, budget):
    """`Solution` of a `TreeProblem`."""
    first, training = prepared(problem, budget)
    result = search(problem, training, budget)
    if first is not None and first.beneath(result) is not result:
        return written(problem, first.beneath(result))
    scope = scope_of(problem, training) + problem.given.words
    return Solution.of(result, tree_of(problem, training, result.tree), scope, training.binarizer)


def prepared(problem, budget):
    """`Fallback`, or None where no limit can end the search, and `Training`."""
    first = before(problem, budget)
    training = prepare(problem, budget)
    if training.stopped is not None:
        first = first or Fallback(problem, budget)
        budget.stop(training.stopped)
    return first, training


def prepare(problem, budget):
    """`Training` of a problem."""
    rows, binarizer, stopped = problem.rows, Binarizer(problem.max_thresholds), None
    try:
        budget.check()
        columns = binarizer.fit_transform(rows.X, rows.sample_weight, budget.check, rows.bits)
        budget.reserve(columns.nbytes)
        budget.check(8 * len(columns) * problem.n_classes)
        costs = problem.row_costs()
        budget.reserve(costs.nbytes)
    except (Stopped, KeyboardInterrupt, MemoryError) as stop:
        stopped = MEMORY_LIMIT if isinstance(stop, MemoryError) else status_of(stop)
        binarizer.fit_none(rows.X.shape[1])
        columns, costs = np.empty((1, 0), np.uint8), problem.costs_of_all()[None] * rows.total
    return Training(binarizer, columns, costs, stopped)


def search(problem, training, budget):
    """`SearchResult` with a `ColumnTree`."""
    return minimise_either(
        training.columns,
        training.costs,
        problem.regularization,
        total=problem.rows.total,
        max_depth=problem.max_depth,
        max_leaves=problem.max_leaves,
        initial=initial_columns(problem, training),
        budget=budget,
        # errors of rows over columns that were just made
        check_input=problem.rows.weights is not None or problem.costs is not None,
    )


def initial_columns(problem, training):
    """`ColumnTree` of the tree that a problem starts from, or None."""
    if problem.initial is None:
        return None
    table = training.binarizer, training.columns, training.costs
    return column_tree.from_tree(problem.initial, *table, max_depth=problem.max_depth)


def tree_of(problem, training, tree):
    """`treelib.Tree` of a `ColumnTree`, in the units of the encoded features."""
    rows, columns = problem.rows, training.columns
    if training.stopped is not None:
        columns = np.empty((len(rows.y_codes), 0), np.uint8)
    return column_tree.to_tree(
        tree,
        training.binarizer,
        columns,
        rows.y_codes,
        rows.weights,
        problem.n_classes,
        feature_names=problem.feature_names,
        class_names=problem.class_names,
        keep_labels=problem.costs is not None,
    )


def scope_of(problem, training):
    """What the proof ranges over, in words."""
    limit = problem.max_thresholds
    if limit is None:
        return ALL_THRESHOLDS
    binarizer = training.binarizer
    kept = np.bincount(binarizer.candidate_feature_[np.isfinite(binarizer.candidate_threshold_)])
    if training.stopped is None and kept.max(initial=0) < limit:
        return ALL_THRESHOLDS
    return f"at most {limit} threshold{'s' if limit > 1 else ''} a column"
