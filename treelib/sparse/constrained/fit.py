"""`OptimalSparseTreeClassifier.fit` under constraints: first without them, then with."""

import numpy as np

from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, Stopped, status_of
from treelib.sparse import column_tree
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.constrained.floor import Floor
from treelib.sparse.constrained.numbers import (
    Tests,
    choose_candidates,
    for_a_part,
    search_numbers,
    unsearched_numbers,
)
from treelib.sparse.constrained.parameters import encoded_constraints
from treelib.sparse.constrained.problem import Columns
from treelib.sparse.constrained.search import minimise_constrained, unsearched
from treelib.sparse.continuous.number_tree import MANY_ROWS, NumberTree, keep_time_to_count
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.leaf_limit import minimise_within_leaves
from treelib.sparse.training import cost_table, one_row
from treelib.table.checks import go_on
from treelib.table.on_demand import OnDemand
from treelib.table.pieces import in_pieces

# part of the time, and subproblems, that the search without constraints may take
FIRST_PART, FIRST_NODES = 0.25, 20_000


def fit_constrained(model, rows, given, budget):
    """Set what a fit sets, from a search that keeps to the constraints; returns the model.

    The search without constraints comes first: where its tree keeps to them it is optimal, and else its bound
    holds, and its tree is mended to start from.

    Parameters
    ----------
    model : OptimalSparseTreeClassifier, with classes and encoder
    rows : Rows
    given : `treelib.sparse.constrained.parameters.Given`
    budget : Budget

    Raises
    ------
    ValueError
        Where a column that must be tested cannot be: it is constant, no tree within the other limits tests
        all such columns, or a limit ended the fit before it was read or a tree with it was found.
    """
    constraints, _ = encoded_constraints(given, model.encoder_)
    if not set(range(len(given.required))).issubset(constraints.required.tolist()):
        raise _no_tree(given, model, budget.due() or MEMORY_LIMIT)  # its categories were not read
    if not isinstance(rows.X, OnDemand) and model._reads_numbers(rows):
        return _fit_numbers(model, rows, given, constraints, budget)
    return _fit_columns(model, rows, given, constraints, budget)


def _fit_columns(model, rows, given, constraints, budget):
    """`fit_constrained` over columns of 0 and 1."""
    # all thresholds become columns because the costs ask for it: these can take all of the time
    first = _floor(model, rows, constraints, budget) if model.max_thresholds is None else None
    training = model._prepare(rows, budget, merges=False)  # the leaves count rows
    model._keep_time_to_count(training, budget)
    chosen, place = choose_candidates(model.binarizer_, constraints)
    feature = model.binarizer_.candidate_feature_[chosen]
    threshold = model.binarizer_.candidate_threshold_[chosen]
    _check_required(given, constraints, feature, training.stopped)
    values, training = _taken(model.binarizer_, training, chosen, budget)
    if training.stopped is not None:
        first = first or _floor(model, rows, constraints, budget)
        by_class = training.costs.sum(axis=0) / training.total
        result = unsearched(by_class, float(model.regularization), constraints, 0.0, training.stopped)
    else:
        floor = (
            None
            if first is not None
            else _floor_on_columns(model, rows, values, feature, constraints, budget)
        )
        columns = Columns(values, feature, np.isinf(threshold))
        result = _search_columns(model, training, columns, place, constraints, budget)
        if floor is not None:
            result = floor.beneath(result)
            if isinstance(result.tree, NumberTree):
                result.tree = _on_columns(result.tree)
        if result.tree is None and result.status != OPTIMAL and first is None:
            first = _floor(model, rows, constraints, budget)  # no room for the columns as numbers
    found = result if first is None else first.beneath(result)
    budget.record(found.objective, found.lower_bound, budget.used()[0], last=True)
    found.trace = budget.trace
    if found is not result:
        return _take_numbers(model, rows, given, found)
    if result.tree is None:
        raise _no_tree(given, model, result.status)
    model.tree_ = column_tree.to_tree(
        result.tree,
        Tests(feature, threshold, model.binarizer_.n_features_),
        values,
        training.y_codes,
        training.weights,
        len(model.classes_),
        feature_names=model.encoder_.feature_names_out_,
        class_names=model._class_names(),
        keep_labels=model.cost_matrix is not None or bool(given.direction.any()),
    )
    model.proof_scope_ = model._scope(training) + given.words
    model._record(result)
    return model


def _search_columns(model, training, columns, place, constraints, budget):
    """`SearchResult` over `Columns`, after a search without constraints; place : of its columns in these."""

    def report(objective, lower_bound):
        budget.record(objective, lower_bound, budget.used()[0])

    free = _search_freely(model, training, budget)
    starts = [tree for tree in (model._warm_start(training), free.tree) if tree is not None]
    return minimise_constrained(
        columns,
        training.costs,
        float(model.regularization),
        constraints,
        total=training.total,
        max_depth=model.max_depth,
        max_leaves=model.max_leaf_nodes,
        starts=[tree._replace(column=np.append(place, -1)[tree.column]) for tree in starts],
        known_lower=free.lower_bound,
        budget=budget.share(report),
    )


def _taken(binarizer, training, chosen, budget):
    """The columns of some candidates, uint8 (n, n_chosen), and the `Training`, stopped if a limit was met."""
    values = np.empty((len(training.row_columns), len(chosen)), np.uint8)
    swapped = binarizer.candidate_swapped_[chosen].astype(np.uint8)
    try:
        for part in in_pieces(values.shape, budget.check):
            values[part] = training.row_columns[part][:, binarizer.candidate_column_[chosen]]
            values[part] ^= swapped
    except (Stopped, KeyboardInterrupt) as stop:
        training = training._replace(stopped=training.stopped or status_of(stop))
    return values, training


def _floor(model, rows, constraints, budget):
    """`Floor` of trees on numbers, the initial one among them."""
    return Floor(model, rows, constraints, budget, model._initial_numbers(rows))


def _floor_on_columns(model, rows, values, feature, constraints, budget):
    """`Floor` of trees whose features are columns of 0 and 1, or None where these have no room as numbers."""
    if budget.exceeded(nodes=0, n_bytes=8 * values.size) is not None:
        return None
    by_column = {"direction": constraints.direction[feature], "required": constraints.required[feature]}
    rows = rows._replace(X=values.astype(np.float64), bits=None)
    return Floor(model, rows, constraints._replace(**by_column), budget)


def _on_columns(tree):
    """`ColumnTree` of a `NumberTree` whose features are columns of 0 and 1."""
    return ColumnTree(tree.feature, tree.left, tree.right, tree.label)


def _fit_numbers(model, rows, given, constraints, budget):
    """`fit_constrained` over all thresholds, without a table of all columns unless that is needed."""
    required = np.flatnonzero(constraints.required >= 0)
    various = [_varies(rows.X[:, column]) for column in required]
    _check_required(given, constraints, required[np.array(various, bool)], None)
    weights = rows.weights
    keep_time_to_count(budget, rows.X, rows.y_codes, weights, len(model.classes_))
    first = _floor(model, rows, constraints, budget)
    total = float(len(rows.y_codes) if weights is None else weights.sum())
    # where there is an order, trees of few rows are mended also when the time is up
    check = budget.check
    if constraints.direction.any() and len(rows.X) < MANY_ROWS:
        check = go_on
    try:
        check(8 * len(rows.y_codes) * len(model.classes_))
        costs = cost_table(rows.y_codes, weights, model.cost_matrix, model.classes_, check)
        budget.reserve(costs.nbytes)
    except (Stopped, KeyboardInterrupt) as stop:
        _, costs = one_row(rows.y_codes, weights, model.cost_matrix, model.classes_)
        regularization = float(model.regularization)
        result = unsearched_numbers(costs[0] / total, regularization, constraints, 0.0, status_of(stop))
        result = first.beneath(result)
        budget.record(result.objective, result.lower_bound, 0, last=True)
        result.trace = budget.trace
    else:
        result = search_numbers(model, rows, costs, total, constraints, budget, first)
    if result.tree is None:
        raise _no_tree(given, model, result.status)
    return _take_numbers(model, rows, given, result)


def _take_numbers(model, rows, given, result):
    """Set what a fit sets from a search on numbers; returns the model."""
    model._take_numbers(rows, result)
    if given.direction.any():  # a leaf may have another label than its most frequent class
        model.tree_ = model.tree_.replace(label=result.tree.label)
    return model


def _varies(column):
    """Whether a column has two values, a missing one counted as a value."""
    is_first = np.isnan(column) if np.isnan(column[0]) else column == column[0]
    return not is_first.all()


def _search_freely(model, training, budget):
    """The search without constraints over the columns, for a part of the time: `SearchResult`."""
    options = {"total": training.total, "max_depth": model.max_depth}
    search = minimise
    if model.max_leaf_nodes is not None:
        search, options["max_leaves"] = minimise_within_leaves, model.max_leaf_nodes
    table = training.columns, training.costs, float(model.regularization)
    return for_a_part(
        lambda share: search(*table, **options, budget=share), budget, FIRST_PART, node_limit=FIRST_NODES
    )


def _check_required(given, constraints, feature, stopped):
    """ValueError for a column that must be tested and cannot be."""
    tested = set(constraints.required[feature].tolist())
    constant = [given.names[column] for k, column in enumerate(given.required) if k not in tested]
    if constant and stopped is None:
        raise ValueError(
            f"required_features names {', '.join(constant)}, which has one value in training and cannot be "
            "tested; leave it out."
        )


def _no_tree(given, model, status):
    """The error where no tree was found that keeps to the constraints."""
    required = ", ".join(given.names[column] for column in given.required)
    if status == OPTIMAL:
        return ValueError(
            f"No tree tests all of {required} (required_features) within max_depth={model.max_depth}, "
            f"max_leaf_nodes={model.max_leaf_nodes} and min_samples_leaf={model.min_samples_leaf!r}; relax "
            "one of these, or require fewer columns."
        )
    return ValueError(
        f"The search stopped ({status}) before it found a tree that tests all of {required} "
        "(required_features); raise the limit, or require fewer columns."
    )
