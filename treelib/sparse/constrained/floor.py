"""A greedy tree that keeps to the constraints, for a search that is stopped: it hands back nothing worse."""

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from treelib.search.budget import INTERRUPTED, NODE_LIMIT, OPTIMAL, SearchResult, Stopped
from treelib.sparse.constrained.required_tests import with_tests
from treelib.sparse.continuous.early.sample import cut_within, depth_to_count, draw_rows, grown, unmerged
from treelib.sparse.continuous.number_tree import LEAF, CountedTree, cut_back, from_plan
from treelib.sparse.continuous.prepare import BYTES_A_ROW, BYTES_TO_SORT, until_first
from treelib.sparse.continuous.sorting import sorted_columns
from treelib.table.on_demand import OnDemand

# rows that cost nothing count as rows of a leaf: part of the mean weight that they have
LIGHT = 1e-9


class Floor:
    """Trees that are there before a search, and the best of them that keeps to the constraints.

    Parameters
    ----------
    model : OptimalSparseTreeClassifier, with classes and encoder
    rows : Rows
    constraints : `treelib.sparse.constrained.problem.Constraints`, by encoded feature
    initial : NumberTree over the features of `rows`, or None
    budget : Budget. A tenth of its time is taken; where that is up, some rows are grown on all the same.

    Attributes
    ----------
    initial, grown : lists of NumberTree, the initial one as it is, and greedy ones cut back to what pays.
        They may break the order, and lack required tests.
    required : list of intp arrays, the features of each required column of the table
    best : SearchResult with a NumberTree, or None where none keeps to the constraints
    """

    def __init__(self, model, rows, constraints, budget, initial=None):
        self.model, self.rows, self.constraints, self.budget = model, rows, constraints, budget
        self.price = float(model.regularization)
        self.until = until_first(budget)
        self.initial, self.grown, self.best = [] if initial is None else [initial], [], None
        self.max_leaves = math.inf if model.max_leaf_nodes is None else model.max_leaf_nodes
        self.required = [
            np.flatnonzero(constraints.required == k) for k in range(1 + constraints.required.max(initial=-1))
        ]
        try:
            leaf = self._take(from_plan([LEAF]))
            for tree in self.initial:
                self._take(tree)
            samples = self._samples()
            with suppress(Stopped):
                self._grow(samples)
            if self.required:
                self._require(np.asarray(rows.X[samples[0]]), [*reversed(self.grown), leaf])
        except KeyboardInterrupt:
            budget.stop(INTERRUPTED)

    def _grow(self, samples):
        """Greedy trees of some rows and of all, cut back and taken over."""
        for drawn in samples:
            for features in self._features():
                for weights in self._weights():
                    self.grown.append(self._take(self._grown(drawn, features, weights)))

    def beneath(self, result):
        """`SearchResult` of a search, with the tree that was there before where that is better."""
        if self.best is None or result.status == OPTIMAL or self.best.objective >= result.objective:
            return result
        tree, objective = self.best.tree, self.best.objective
        return replace(result, tree=tree, objective=objective, lower_bound=min(result.lower_bound, objective))

    def _samples(self):
        """Rows to grow on, intp or a slice: some, where there is no time or room for all, then all."""
        n, p = self.rows.X.shape
        status = self.budget.exceeded(nodes=0, n_bytes=BYTES_TO_SORT * n * p + BYTES_A_ROW * n)
        is_late = status not in (None, NODE_LIMIT) or isinstance(self.rows.X, OnDemand)
        drawn = draw_rows(n, p, self.budget.memory_limit, is_late)
        return [some for some in (drawn, None if is_late else slice(None)) if some is not None]

    def _features(self):
        """Features to grow on: those without an order, which keep it whatever the tree is, and all (None)."""
        ordered = self.constraints.direction != 0
        return [np.flatnonzero(~ordered), None] if ordered.any() else [None]

    def _weights(self):
        """Weights of the rows to grow by: with costs, what an error costs, and then 1."""
        weights = np.ones(len(self.rows.y_codes)) if self.rows.weights is None else self.rows.weights
        if self.model.cost_matrix is None:
            return [weights]
        costs = self.model._error_costs()
        by_cost = weights * costs.more[self.rows.y_codes]
        by_cost = np.maximum(by_cost, LIGHT * (by_cost.mean() or 1.0))
        return [by_cost, weights]

    def _grown(self, drawn, features, weights):
        """The greedy tree of some rows or all."""
        X, y = np.asarray(self.rows.X[drawn]), self.rows.y_codes[drawn]
        order, used = sorted_columns(X, self.until, features=features)
        rows = unmerged(y, weights[drawn], len(self.model.classes_), order, used)
        # true costs cut it back: a tree that grows under a price may be smaller than they want
        price = self.price if self.model.cost_matrix is None else 0.0
        depth = depth_to_count(len(self.rows.X), self.budget.time_left, self.model.max_depth)
        return grown(rows, X, price, depth, self.until, self._min_rows(len(X)), prunes=False)

    def _min_rows(self, n_drawn):
        """Least number of drawn rows in a leaf: so many that of all it has enough, nearly always."""
        min_rows = self.constraints.min_rows * n_drawn / len(self.rows.X)
        if n_drawn < len(self.rows.X):
            min_rows += 2 * math.sqrt(min_rows)
        return math.ceil(min_rows)

    def _take(self, tree):
        """A tree cut back, with labels; taken over if it keeps to the constraints and is better."""
        model = self.model
        tree, cost, counts = model._costs_at(self.rows, tree)
        leaf, n_rows = cost + self.price, counts[1]
        is_small = n_rows < min(self.constraints.min_rows, n_rows[0])
        leaf[is_small] = np.inf
        small, objective, kept = cut_back(tree, leaf)
        if small.n_leaves > self.max_leaves:
            small, kept = cut_within(tree, leaf, self.max_leaves)
            small = small._replace(label=tree.label[kept])
            objective = float(leaf[kept][small.feature < 0].sum())
        small = CountedTree.of(small, *(count[kept] for count in counts))
        self._offer(small, objective)
        if self.required and not is_small.any():
            self._offer(tree, float(leaf[tree.feature < 0].sum()))  # a test that is required need not pay
        return small

    def _require(self, X, trees):
        """Take over `CountedTree`s with the required tests that they lack; where the time is up, the first
        that serves. X : rows to choose the tests by."""
        for tree in trees:
            if self.best is not None and self.budget.due():
                break
            lacking = self._lacking(tree)
            if not lacking or tree.n_leaves + len(lacking) > self.max_leaves:
                continue
            found = with_tests(tree, X, lacking, self.model.max_depth, self._min_rows(len(X)))
            if found is not None:
                self._take_as_it_is(*found)

    def _take_as_it_is(self, tree, is_side):
        """Take over a tree of large leaves; is_side : bool (n_nodes,), which are sides of added splits."""
        tree, cost, counts = self.model._costs_at(self.rows, tree)
        splits = np.flatnonzero(tree.feature >= 0)
        is_added = is_side[tree.left[splits]]
        if self.constraints.direction.any():
            for node in splits[is_added]:  # one label on both sides keeps every order
                sides = [tree.left[node], tree.right[node]]
                tree.label[sides], cost[sides] = tree.label[node], (cost[node], 0.0)
        if counts[1].min() >= self.constraints.min_rows:
            objective = float((cost + self.price)[tree.feature < 0].sum())
            self._offer(CountedTree.of(tree, *counts), objective, splits[~is_added])

    def _lacking(self, tree):
        """Those of `required` that a tree does not test."""
        tested = set(tree.feature.tolist())
        return [features for features in self.required if tested.isdisjoint(features.tolist())]

    def _offer(self, tree, objective, splits=None):
        """Take over a tree that keeps to the constraints and is better.

        splits : nodes that might break an order, or None for all
        """
        splits = tree.feature >= 0 if splits is None else splits
        keeps = not self._lacking(tree) and tree.n_leaves <= self.max_leaves
        keeps &= not self.constraints.direction[tree.feature[splits]].any()
        if keeps and (self.best is None or objective < self.best.objective):
            self.best = SearchResult(NODE_LIMIT, objective, 0.0, tree)
