"""The engine under constraints: first without them, then with."""

from dataclasses import replace

import numpy as np

from treelib.search.budget import OPTIMAL, SearchResult
from treelib.sparse import column_tree, on_columns
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.constrained.numbers import (
    Tests,
    choose_candidates,
    for_a_part,
    search_numbers,
)
from treelib.sparse.constrained.problem import Columns
from treelib.sparse.constrained.search import minimise_constrained
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.fallback import Fallback
from treelib.sparse.on_numbers import written
from treelib.sparse.training import Solution

# part of the time, and subproblems, that the search without constraints may take
FIRST_PART, FIRST_NODES = 0.25, 20_000


def solve(problem, budget):
    """`Solution` of a `TreeProblem` that keeps to its constraints.

    The search without constraints comes first: where its tree keeps to them it is optimal, and else its bound
    holds, and its tree is mended to start from.

    Raises
    ------
    ValueError
        Where a column that must be tested cannot be: it is constant, no tree within the other limits tests
        all such columns, or a limit ended the fit before a tree with it was found.
    """
    if budget.status is not None and problem.given.required:
        raise _no_tree(problem, budget.status)  # there is no table
    return _solve_numbers(problem, budget) if problem.reads_numbers else _solve_columns(problem, budget)


def _solve_columns(problem, budget):
    """`solve` over columns of 0 and 1."""
    constraints, given = problem.constraints, problem.given
    first = Fallback(problem, budget) if problem.max_thresholds is None else None
    training = on_columns.prepare(problem, budget)
    binarizer = training.binarizer
    chosen, place = choose_candidates(binarizer, constraints)
    feature, threshold = binarizer.candidate_feature_[chosen], binarizer.candidate_threshold_[chosen]
    if training.stopped is not None:
        first = first or Fallback(problem, budget)
        result = first.beneath(SearchResult(training.stopped, np.inf, problem.regularization, None))
        values = np.empty((len(problem.rows.y_codes), 0), np.uint8)
    else:
        _check_required(given, constraints, feature)
        values = training.columns[:, binarizer.candidate_column_[chosen]]
        values ^= binarizer.candidate_swapped_[chosen].astype(np.uint8)
        columns = Columns(values, feature, np.isinf(threshold))
        on_these = first or _on_columns(problem, values, feature, budget)
        result = _search_columns(problem, training, columns, place, budget)
        if on_these is not None:
            result = on_these.beneath(result)
    if result.tree is None and result.status != OPTIMAL and first is None:
        first = Fallback(problem, budget)  # no room for the columns as numbers
        result = first.beneath(result)
    budget.record(result.objective, result.lower_bound, budget.used()[0], last=True)
    result.trace = budget.trace
    if result.tree is None:
        raise _no_tree(problem, result.status)
    if isinstance(result.tree, NumberTree):
        if first is not None:
            return written(problem, result)
        result.tree = ColumnTree(result.tree.feature, *result.tree[2:5])
    tree = column_tree.to_tree(
        result.tree,
        Tests(feature, threshold, binarizer.n_features_),
        values,
        problem.rows.y_codes,
        problem.rows.weights,
        problem.n_classes,
        feature_names=problem.feature_names,
        class_names=problem.class_names,
        keep_labels=problem.costs is not None or bool(given.direction.any()),
    )
    return Solution.of(result, tree, on_columns.scope_of(problem, training) + given.words, binarizer)


def _search_columns(problem, training, columns, place, budget):
    """`SearchResult` over `Columns`, after a search without constraints; place : of its columns in these."""

    def report(objective, lower_bound):
        budget.record(objective, lower_bound, budget.used()[0])

    free = replace(problem, initial=None)
    free = for_a_part(
        lambda share: on_columns.search(free, training, share), budget, FIRST_PART, node_limit=FIRST_NODES
    )
    starts = [tree for tree in (on_columns.initial_columns(problem, training), free.tree) if tree is not None]
    return minimise_constrained(
        columns,
        training.costs,
        problem.regularization,
        problem.constraints,
        total=problem.rows.total,
        max_depth=problem.max_depth,
        max_leaves=problem.max_leaves,
        starts=[tree._replace(column=np.append(place, -1)[tree.column]) for tree in starts],
        known_lower=free.lower_bound,
        budget=budget.share(report),
    )


def _on_columns(problem, values, feature, budget):
    """`Fallback` of trees whose features are columns of 0 and 1, or None where these have no room as
    numbers."""
    if 8 * values.size > budget.most_bytes:
        return None
    constraints = problem.constraints
    by_column = {"direction": constraints.direction[feature], "required": constraints.required[feature]}
    rows = problem.rows._replace(X=values.astype(np.float64), bits=None)
    constraints = constraints._replace(**by_column)
    return Fallback(replace(problem, rows=rows, constraints=constraints, initial=None), budget)


def _solve_numbers(problem, budget):
    """`solve` over all thresholds, without a table of all columns unless that is needed."""
    rows, constraints = problem.rows, problem.constraints
    required = np.flatnonzero(constraints.required >= 0)
    various = [_varies(rows.X[:, column]) for column in required]
    _check_required(problem.given, constraints, required[np.array(various, bool)])
    result = search_numbers(problem, budget, Fallback(problem, budget))
    if result.tree is None:
        raise _no_tree(problem, result.status)
    return written(problem, result)


def _varies(column):
    """Whether a column has two values, a missing one counted as a value."""
    is_first = np.isnan(column) if np.isnan(column[0]) else column == column[0]
    return not is_first.all()


def _check_required(given, constraints, feature):
    """ValueError for a column that must be tested and cannot be."""
    tested = set(constraints.required[feature].tolist())
    constant = [given.names[column] for k, column in enumerate(given.required) if k not in tested]
    if constant:
        raise ValueError(
            f"required_features names {', '.join(constant)}, which has one value in training and cannot be "
            "tested; leave it out."
        )


def _no_tree(problem, status):
    """The error where no tree was found that keeps to the constraints."""
    given = problem.given
    required = ", ".join(given.names[column] for column in given.required)
    if status == OPTIMAL:
        return ValueError(
            f"No tree tests all of {required} (required_features) within max_depth={problem.max_depth}, "
            f"max_leaf_nodes={problem.max_leaves} and min_samples_leaf={given.min_samples_leaf!r}; relax "
            "one of these, or require fewer columns."
        )
    return ValueError(
        f"The search stopped ({status}) before it found a tree that tests all of {required} "
        "(required_features); raise the limit, or require fewer columns."
    )
