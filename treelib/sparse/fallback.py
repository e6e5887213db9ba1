"""A greedy tree that keeps to the constraints, for a search that is stopped: it hands back nothing worse."""

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from treelib.search.budget import INTERRUPTED, NODE_LIMIT, OPTIMAL, SearchResult, Stopped
from treelib.sparse.column_tree import check_features
from treelib.sparse.constrained.required_tests import with_tests
from treelib.sparse.continuous.greedy import cut_within, grown, patient, unmerged
from treelib.sparse.continuous.number_tree import LEAF, counted, cut_back, from_plan, from_tree
from treelib.sparse.continuous.prepare import BYTES_A_ROW
from treelib.sparse.continuous.sorting import SortedOnDemand, sorted_columns

# rows that cost nothing count as rows of a leaf: part of the mean weight that they have
LIGHT = 1e-9


class Fallback:
    """Trees that are there before a search, and the best of them that keeps to the constraints.

    Parameters
    ----------
    problem : TreeProblem
    budget : Budget. A table of few cells is grown on whatever its clock says.

    Attributes
    ----------
    initial, grown : lists of NumberTree, the initial one as it is, and greedy ones cut back to what pays.
        They may break the order, and lack required tests.
    required : list of intp arrays, the features of each required column of the table
    best : SearchResult with a NumberTree, or None where none keeps to the constraints
    """

    def __init__(self, problem, budget):
        self.problem, self.rows, self.constraints = problem, problem.rows, problem.constraints
        self.budget, self.check = budget, patient(budget, problem.rows.X.size)
        self.price = problem.regularization
        initial = initial_numbers(problem)
        self.initial, self.grown, self.best = [] if initial is None else [initial], [], None
        self.max_leaves = math.inf if problem.max_leaves is None else problem.max_leaves
        n_required = 1 + self.constraints.required.max(initial=-1)
        self.required = [np.flatnonzero(self.constraints.required == k) for k in range(n_required)]
        try:
            leaf = self._take(from_plan([LEAF]))
            for tree in self.initial:
                self._take(tree)
            with suppress(Stopped):
                for features in self._features():
                    for weights in self._weights():
                        self.grown.append(self._take(self._grown(features, weights)))
            if self.required:
                self._require([*reversed(self.grown), leaf])
        except KeyboardInterrupt:
            budget.stop(INTERRUPTED)

    def beneath(self, result):
        """`SearchResult` of a search, with the tree that was there before where that is better."""
        if self.best is None or result.status == OPTIMAL or self.best.objective >= result.objective:
            return result
        tree, objective = self.best.tree, self.best.objective
        return replace(result, tree=tree, objective=objective, lower_bound=min(result.lower_bound, objective))

    def prunings(self):
        """What cutting back the greedy trees gives at all prices of a leaf from that of the problem on.

        Returns
        -------
        list of (n_leaves, mean cost, NumberTree)
        """
        return [found for tree in (*self.initial, *self.grown) for found in self._prunings(tree)]

    def _prunings(self, tree):
        tree, cost, _ = self._costs_at(tree)

        def cut(price):
            part, value, _ = cut_back(tree, cost + price)
            return part.n_leaves, value - price * part.n_leaves, part

        ends = cut(cost[0] + 1.0), cut(self.price)
        found, open_pairs = list(ends), [ends]
        while open_pairs:
            few, many = open_pairs.pop()
            if many[0] - few[0] > 1:
                between = cut((few[1] - many[1]) / (many[0] - few[0]))
                if few[0] < between[0] < many[0]:
                    found.append(between)
                    open_pairs += [(few, between), (between, many)]
        return [one for one in found if one[0] <= self.max_leaves]

    def _features(self):
        """Features to grow on: those without an order, which keep it whatever the tree is, and all."""
        ordered = self.constraints.direction != 0
        every = np.arange(len(ordered))
        return [np.flatnonzero(~ordered), every] if ordered.any() else [every]

    def _weights(self):
        """Weights of the rows to grow by: with costs, what an error costs, and then 1."""
        weights = np.ones(len(self.rows.y_codes)) if self.rows.weights is None else self.rows.weights
        if self.problem.costs is None:
            return [weights]
        by_cost = weights * self.problem.error_costs.more[self.rows.y_codes]
        by_cost = np.maximum(by_cost, LIGHT * (by_cost.mean() or 1.0))
        return [by_cost, weights]

    def _grown(self, features, weights):
        """The greedy tree of all rows, with the tests of some features."""
        X, problem = self.rows.X, self.problem
        if 4 * len(X) * len(features) + BYTES_A_ROW * len(X) > self.budget.most_bytes:
            order, used = SortedOnDemand(X, features), features
        else:
            order, used = sorted_columns(X, self.check, features=features)
        rows = unmerged(self.rows.y_codes, weights, problem.n_classes, order, used)
        # true costs cut it back: a tree that grows under a price may be smaller than they want
        price = self.price if problem.costs is None else 0.0
        least = self.constraints.min_rows
        return grown(rows, X, price, problem.max_depth, self.check, least, prunes=False)

    def _costs_at(self, tree):
        """`tree` with the class of least cost at every node, their mean costs, float64 (n_nodes,), and the
        numbers of their rows, intp (n_nodes,)."""
        rows, problem = self.rows, self.problem
        value, n_rows = counted(tree, rows.X, rows.y_codes, rows.weights, problem.n_classes)
        cost = value @ problem.cost_matrix / value[0].sum()
        return tree._replace(label=cost.argmin(axis=1)), cost.min(axis=1), n_rows

    def _take(self, tree):
        """A tree cut back, with labels; taken over if it keeps to the constraints and is better."""
        tree, cost, n_rows = self._costs_at(tree)
        leaf = cost + self.price
        is_small = n_rows < min(self.constraints.min_rows, n_rows[0])
        leaf[is_small] = np.inf
        small, objective, kept = cut_back(tree, leaf)
        if small.n_leaves > self.max_leaves:
            small, kept = cut_within(tree, leaf, self.max_leaves)
            small = small._replace(label=tree.label[kept])
            objective = float(leaf[kept][small.feature < 0].sum())
        self._offer(small, objective)
        if self.required and not is_small.any():
            self._offer(tree, float(leaf[tree.feature < 0].sum()))  # a test that is required need not pay
        return small

    def _require(self, trees):
        """Take over trees with the required tests that they lack; where the time is up, the first that
        serves."""
        for tree in trees:
            if self.best is not None and self.budget.due():
                break
            lacking = self._lacking(tree)
            if not lacking or tree.n_leaves + len(lacking) > self.max_leaves:
                continue
            limits = self.problem.max_depth, self.constraints.min_rows
            found = with_tests(tree, self.rows.X, lacking, *limits)
            if found is not None:
                self._take_as_it_is(*found)

    def _take_as_it_is(self, tree, is_side):
        """Take over a tree of large leaves; is_side : bool (n_nodes,), which are sides of added splits."""
        tree, cost, n_rows = self._costs_at(tree)
        splits = np.flatnonzero(tree.feature >= 0)
        is_added = is_side[tree.left[splits]]
        if self.constraints.direction.any():
            for node in splits[is_added]:  # one label on both sides keeps every order
                sides = [tree.left[node], tree.right[node]]
                tree.label[sides], cost[sides] = tree.label[node], (cost[node], 0.0)
        if n_rows.min() >= self.constraints.min_rows:
            self._offer(tree, float((cost + self.price)[tree.feature < 0].sum()), splits[~is_added])

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


def initial_numbers(problem):
    """`NumberTree` of the tree that a problem starts from, or None."""
    if problem.initial is None:
        return None
    check_features(problem.initial, problem.rows.X.shape[1])
    return from_tree(problem.initial, problem.max_depth)


def before(problem, budget):
    """`Fallback` before a search that a limit may end, or None where there is none.

    With a number of thresholds, greedy trees over all of them are not among those that are looked for.
    """
    is_limited = not (budget.time_limit is None and budget.memory_limit is None and budget.node_limit is None)
    return Fallback(problem, budget) if is_limited and problem.max_thresholds is None else None
