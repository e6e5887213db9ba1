"""Constraints over all thresholds of numbers as they are.

The optimum without constraints comes first: it is a lower bound over all thresholds, and where its tree
keeps to the constraints, or is mended at no cost, it is the optimum. With leaves that need no larger share
of the rows than their price this is so, since a smaller leaf would not pay. Elsewhere the search goes over
columns of 0 and 1: of the tests of trees that were mended, then of few thresholds a column, of more, and of
all in the end, each time from the best tree so far. One of these is the best tree without the ordered
columns, which keeps the order whatever it is. A bound over some thresholds says nothing of the others, so
until all are searched the bound is that without constraints.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treelib.search.budget import (
    INTERRUPTED,
    MEMORY_LIMIT,
    NODE_LIMIT,
    OPTIMAL,
    SearchResult,
    Stopped,
    memory_of_machine,
    status_of,
)
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.constrained.problem import Columns
from treelib.sparse.constrained.search import minimise_constrained
from treelib.sparse.continuous.number_tree import NumberTree, midpoint
from treelib.sparse.on_numbers import search
from treelib.table.binarize import Binarizer
from treelib.table.checks import go_on

# part of the time left that the search without constraints may take: a first try, and a second one, the
# longer where the first tree keeps to the constraints already
TRY, AGAIN_KEPT, AGAIN = 0.1, 0.9, 0.4
# thresholds a column of one search after the other; None: all
THRESHOLDS = (4, 12, 40, None)
# cells of a table whose known trees are looked at in a moment
SOON = 2**18
# nodes of the first search, over the tests of known trees alone
FEW_NODES = 500
# part of the machine's memory that a table of columns may take
MEMORY_PART = 0.25
# objectives that differ by less are equal
TOLERANCE = 1e-11


class Tests(NamedTuple):
    """Tests ``feature > threshold``, ascending; +inf asks "is missing". The names are those that
    `column_tree.to_tree` reads of a Binarizer."""

    column_feature_: np.ndarray
    column_threshold_: np.ndarray
    n_features_: int

    @classmethod
    def union(cls, X, trees, feature=(), threshold=()):
        """The tests of some `NumberTree`, and more."""
        pairs = {*zip(map(int, feature), map(float, threshold), strict=True)}
        for tree in trees:
            at = tree.feature >= 0
            pairs |= {*zip(tree.feature[at].tolist(), tree.threshold[at].tolist(), strict=True)}
        pairs = sorted(pairs)
        return cls(
            np.array([pair[0] for pair in pairs], np.intp), np.array([pair[1] for pair in pairs]), X.shape[1]
        )

    def columns(self, X):
        """`Columns` of a table; a missing value passes all tests of its feature."""
        values = np.empty((len(X), len(self.column_feature_)), np.uint8)
        for k, (feature, threshold) in enumerate(zip(*self[:2], strict=True)):
            values[:, k] = ~(X[:, feature] <= threshold)
        return Columns(values, self.column_feature_, np.isinf(self.column_threshold_))

    def to_columns(self, tree):
        """`ColumnTree` of a `NumberTree` all of whose tests are here."""
        pairs = zip(self.column_feature_.tolist(), self.column_threshold_.tolist(), strict=True)
        place = {pair: column for column, pair in enumerate(pairs)}
        asked = zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True)
        column = [-1 if pair[0] < 0 else place[pair] for pair in asked]
        return ColumnTree(np.array(column, np.intp), tree.left, tree.right, tree.label)

    def to_numbers(self, tree):
        """`NumberTree` of a `ColumnTree`."""
        feature, threshold = np.append(self.column_feature_, -1), np.append(self.column_threshold_, 0.0)
        children = tree.false_child, tree.true_child
        return NumberTree(feature[tree.column], threshold[tree.column], *children, tree.label)


def search_numbers(problem, budget, first):
    """Find the best tree under constraints over all thresholds.

    Parameters
    ----------
    problem : TreeProblem
    budget : Budget
    first : `treelib.sparse.fallback.Fallback`

    Returns
    -------
    SearchResult with a `NumberTree`, no worse than the best one of `first`, or None where there is no tree
    ("optimal") or none was found
    """
    stages = _Stages(problem, budget, first)
    status = stages.search(0) if budget.due() else stages.search_freely(TRY)
    if status is None and not stages.is_free_proved:
        status = stages.search_freely(AGAIN_KEPT if stages.is_kept else AGAIN)
    ordered = problem.constraints.direction != 0
    if status is None and ordered.any() and not stages.is_kept:
        status = stages.search_freely(AGAIN, without=ordered)  # a tree of the other columns keeps the order
    for most in THRESHOLDS:
        if status is not None:
            break
        status = stages.search(most)
    return stages.result(status)


def for_a_part(search, budget, part, **limits):
    """Result of ``search(share)`` that ends after the share `part` of the time left.

    limits : those of `Budget.share`
    """
    seconds = None if budget.time_limit is None else part * budget.time_left
    result = search(budget.share(seconds=seconds, **limits))
    if result.status == INTERRUPTED:
        budget.stop()  # the search has swallowed the Ctrl-C that was meant for all
    return result


class _Stages:
    """One search after the other, over more and more thresholds."""

    def __init__(self, problem, budget, first):
        self.problem, self.rows, self.costs = problem, problem.rows, None
        self.constraints, self.budget = problem.constraints, budget
        self.best, self.objective, self.stats, self.first = None, np.inf, {}, first
        self.known = [_snapped(tree, self.rows.X) for tree in first.initial]
        self.grown = first.grown  # of equal trees those of the search are taken
        self.lower, self.is_kept, self.is_free_proved = problem.regularization, False, False

    def search_freely(self, part, without=None):
        """Search without constraints for a part of the time left, and mend its tree: as `search`.

        without : bool (n_features,), features that are not tested, or None
        """
        rows = self.rows
        if without is not None:
            if rows.X.nbytes > self.budget.most_bytes:
                return None  # no room for this table: the searches to come take less
            rows = rows._replace(X=np.where(without, 0.0, rows.X))
        problem = replace(self.problem, rows=rows)
        free = for_a_part(lambda share: search(problem, share), self.budget, part)
        self.known.append(_snapped(free.tree, self.rows.X))
        if without is None:
            self.lower, self.is_free_proved = max(self.lower, free.lower_bound), free.is_optimal
        status = self.search(0)
        self.is_kept = self.objective <= free.objective + TOLERANCE
        return status

    def search(self, most):
        """Search over `most` thresholds a column, 0 for the tests of known trees, None for all.

        Returns the status that ends everything, or None to go on.
        """
        try:
            # of few rows known trees are soon looked at: such a tree is not given up
            is_soon = most == 0 and self.rows.X.size < SOON
            check = go_on if is_soon else self.budget.check
            if self.costs is None:
                check(8 * len(self.rows.y_codes) * self.problem.n_classes)
                self.costs = self.problem.row_costs()
                self.budget.reserve(self.costs.nbytes)
            tests, is_all = self._tests(most, check)
            if tests is None:
                return MEMORY_LIMIT
            columns = tests.columns(self.rows.X)
        except (Stopped, KeyboardInterrupt) as stop:
            return status_of(stop)
        self.budget.n_bytes += columns.values.nbytes  # while they are searched
        found = minimise_constrained(
            columns,
            self.costs,
            self.problem.regularization,
            self.constraints,
            total=self.rows.total,
            max_depth=self.problem.max_depth,
            max_leaves=self.problem.max_leaves,
            starts=[tests.to_columns(tree) for tree in (*self.known, *self.grown)],
            known_lower=self.lower,
            budget=self.budget.share(self._report, None if most != 0 else FEW_NODES),
            is_soon=is_soon,
        )
        self.budget.release(columns.values.nbytes)
        self.stats = found.stats
        if found.tree is not None and found.objective < self.objective:
            self.best, self.objective = tests.to_numbers(found.tree), found.objective
            self.known.append(self.best)
        if is_all:
            self.lower = max(self.lower, found.lower_bound)
            return found.status
        if self.objective <= self.lower + TOLERANCE:
            return OPTIMAL
        is_over = found.status == OPTIMAL or (most == 0 and found.status == NODE_LIMIT)
        return self.budget.exceeded() if is_over else found.status

    def _report(self, objective, _):
        self.budget.record(objective, min(self.lower, objective), self.budget.used()[0])

    def _tests(self, most, check):
        """`Tests` of a search, None where there is no room for them, and whether they are all."""
        X, weights = self.rows.X, self.rows.sample_weight
        known = [*self.known, *self.grown]
        if most == 0:
            # a tree that lacks a column that must be tested cannot be mended without a test of it
            wanted = np.flatnonzero(self.constraints.required >= 0)
            if not len(wanted):
                tests = Tests.union(X, known)
            else:
                median = Binarizer(1)
                median.fit_transform(X[:, wanted], weights, check)
                more = wanted[median.candidate_feature_], median.candidate_threshold_
                tests = Tests.union(X, known, *more)
            check(len(X) * len(tests.column_feature_))
            return tests, False
        if most is None:
            n_bytes = 0
            for column in X.T:
                check()
                n_bytes += len(X) * len(np.unique(column))
            if n_bytes > MEMORY_PART * memory_of_machine():
                return None, True
            check(n_bytes)
        some = Binarizer(most)
        some.fit_transform(X, weights, check)
        chosen, _ = choose_candidates(some, self.constraints)
        kept = some.candidate_feature_[chosen], some.candidate_threshold_[chosen]
        counts = np.bincount(some.candidate_feature_[np.isfinite(some.candidate_threshold_)])
        tests = Tests.union(X, known, *kept)
        check(len(X) * len(tests.column_feature_))
        return tests, most is None or counts.max(initial=0) < most

    def result(self, status):
        """`SearchResult` of all searches."""
        used = self.budget.used()[0]
        lower = self.objective if status == OPTIMAL else min(self.lower, self.objective)
        found = SearchResult(status, self.objective, lower, self.best, stats=self.stats | {"n_nodes": used})
        found = self.first.beneath(found)
        self.budget.record(found.objective, found.lower_bound, used, last=True)
        return replace(found, trace=self.budget.trace)


def choose_candidates(binarizer, constraints):
    """Candidates that the search looks at, intp, and for each column of the binarizer its place among them.

    Candidates that split the rows alike are kept once where any of them will do. With an order, or where a
    feature must be tested, it matters which feature a column tests.
    """
    n_candidates = len(binarizer.candidate_feature_)
    first = np.full(binarizer.n_columns_, n_candidates, dtype=np.intp)
    np.minimum.at(first, binarizer.candidate_column_, np.arange(n_candidates))
    keep = np.full(n_candidates, bool(constraints.direction.any()))
    keep[first] = True
    keep |= constraints.required[binarizer.candidate_feature_] >= 0
    return np.flatnonzero(keep), (np.cumsum(keep) - 1)[first]


def _snapped(tree, X):
    """A `NumberTree` with its thresholds halfway between two neighbouring values of all rows."""
    threshold = tree.threshold.copy()
    for node in np.flatnonzero(tree.feature >= 0):
        column = X[:, tree.feature[node]]
        at_most, above = column[column <= threshold[node]], column[column > threshold[node]]
        if len(at_most) and len(above):
            threshold[node] = midpoint(at_most.max(), above.min())
        elif len(at_most):
            threshold[node] = np.inf if len(at_most) < len(column) else at_most.max()
    return tree._replace(threshold=threshold)
