"""Growth of one tree whose tests of a categorical column are subsets of its categories.

A node puts the categories of each column in an order and cuts it in two. Which orders are tried:

- **Two classes and regression: that of the mean**, of the share of a class or of the target. A best subset
  is then among the cuts wherever the impurity is a concave function of the class proportions, and for squared
  error, Poisson and Tweedie deviance (Breiman et al. 1984, Theorem 4.5; W. D. Fisher 1958 for the squares).
  It needs that every subset is allowed: in regression with a least size of leaves the best cut may not be the
  best subset that is large enough. The absolute error is no function of the mean; its best cut is a guess.
- **More classes, criteria that are not concave, and least sizes of leaves in classification: all subsets** of
  the categories in the node, where these are at most `MOST_TRIED`.
- **Beyond that, with more classes**: the order of the share of each class, and that along the first principal
  component of the class proportions (D. Coppersmith, S. J. Hong, J. R. M. Hosking, Data Mining and Knowledge
  Discovery 3, 1999). This proves nothing: on random problems of ten categories and five classes they held the
  best subset by the Gini impurity in 98 of 100 cases.

A missing value is a category like others. What a node did not see in training goes with most of its rows.
"""

from functools import cache

import numpy as np

from treelib.topdown.categories import kernels
from treelib.topdown.criteria import CUSTOM, first_of_least
from treelib.topdown.grow.impurity import node_costs
from treelib.topdown.grow.one_tree import BEGIN, COST, END, FEATURE, LEFT, MISSING_LEFT, RIGHT
from treelib.topdown.grow.python_criterion import OwnSearch
from treelib.topdown.grow.room import bytes_of

MOST_TRIED = 10  # categories whose subsets are all tried: 511


class SubsetSearch(OwnSearch):
    """Best splits of nodes where some columns hold codes of categories.

    Parameters
    ----------
    criterion : treelib.topdown.criteria.Criterion
    problem : treelib.topdown.grow.learner.Problem, whose `categories` says which columns hold codes
    rows, rule, scratch, rng : as of `OwnSearch`
    """

    def __init__(self, criterion, problem, rows, rule, scratch, rng):
        self.criterion, self.is_category = criterion, problem.categories
        self.is_own = criterion.code == CUSTOM
        if self.is_own:
            super().__init__(criterion.function, rows, rule, scratch, rng)
        else:
            self.rows, self.rule, self.scratch, self.rng = rows, rule, scratch, rng
            self.n_bytes = bytes_of((rows.codes, *scratch))
        room = 2 + int(problem.X[:, self.is_category].max(initial=0))
        self.starts, self.sums = np.empty(room, dtype=np.intp), np.empty((room, rule.n_classes or 2))
        all_subsets = rule.n_classes > 2 or not criterion.is_concave(rule.n_classes)
        is_limited = rule.min_leaf > 1 or rule.min_weight > 0
        self.tries_all = bool(rule.n_classes) and (all_subsets or is_limited)

    def _most_at_once(self, n):
        return super()._most_at_once(n) if self.is_own else len(self.is_category)

    def _note_cost(self, nodes, node):
        if self.is_own:  # else the compiled step that entered the node has written it
            super()._note_cost(nodes, node)

    def _weigh(self, nodes, node, features):
        of_categories = self.is_category[features]
        self._look(nodes, node, features[~of_categories])
        cost, begin, end = self.scratch.cost, nodes.whole[node, BEGIN], nodes.whole[node, END]
        for feature in features[of_categories]:
            line = self.rows.codes[feature, begin:end].copy()
            n = kernels.weigh_categories(self.rows, self.rule, line, self.starts, self.sums)
            if n == 1:
                continue
            best = None
            for order in self._orders(n, nodes.real[node, COST]):
                before = cost[0]
                kernels.arrange(line, self.starts, order, self.rows.codes[feature, begin:end])
                self._look(nodes, node, np.array([feature]))
                best = order if cost[0] < before else best
            if best is not None:  # the place of the cut is one in this order
                kernels.arrange(line, self.starts, best, self.rows.codes[feature, begin:end])

    def _look(self, nodes, node, features):
        """Best split by features whose lists are in order, against the best so far."""
        if self.is_own:
            super()._weigh(nodes, node, features)
        else:
            kernels.search_features(self.rows, self.rule, self.scratch, nodes, node, features)

    def _orders(self, n, cost):
        """Orders of the first `n` categories weighed, a list of intp (n,); `cost` of their node."""
        sums = self.sums[:n]
        if self.tries_all and n <= MOST_TRIED:
            return self._best_of_all(sums, cost)
        if self.rule.n_classes == 0:
            return [np.argsort(sums[:, 1] / sums[:, 0], kind="stable")]
        weight = sums.sum(axis=1)
        shares = sums / weight[:, None]
        if self.rule.n_classes <= 2:
            return [np.argsort(shares[:, -1], kind="stable")]
        keys = [*shares.T, _first_component(shares, weight)]
        return [np.argsort(key, kind="stable") for key in keys]

    def _best_of_all(self, sums, cost):
        """The order that begins with the best subset; none where no subset is allowed."""
        subsets = _subsets(len(sums))
        left = subsets @ sums
        n_rows, weight = subsets @ np.diff(self.starts[: len(sums) + 1]), left.sum(axis=1)
        total, whole = self.starts[len(sums)], sums.sum()
        allowed = (np.minimum(n_rows, total - n_rows) >= self.rule.min_leaf) & (
            np.minimum(weight, whole - weight) >= self.rule.min_weight
        )
        if not allowed.any():
            return []
        right = (1.0 - subsets) @ sums
        costs = np.where(allowed, self._costs_of(left) + self._costs_of(right), np.inf)
        return [np.argsort(-subsets[first_of_least(costs, cost)], kind="stable")]

    def _costs_of(self, counts):
        """Impurity times weight of class weights (m, n_classes), float64 (m,)."""
        if self.is_own:
            return self._costs(counts.T)
        costs = np.empty(len(counts))
        node_costs(self.rule.code, self.rule.alpha, self.rule.beta, counts, costs)
        return costs


@cache
def _subsets(n):
    """All subsets of `n` categories that are not empty and lack the last, float64 (2^(n - 1) - 1, n)."""
    return (np.arange(1, 2 ** (n - 1))[:, None] >> np.arange(n) & 1).astype(np.float64)


def _first_component(shares, weight):
    """Place of each category on the first principal component of the class proportions, float64 (n,)."""
    centred = shares - weight @ shares / weight.sum()
    axis = np.linalg.eigh((weight[:, None] * centred).T @ centred)[1][:, -1]
    return centred @ axis


def right_sides(rows, whole, shift, problem):
    """Turn each test of categories so that its right side has the fewer rows.

    Parameters
    ----------
    rows : Rows, divided by the growth
    whole : intp (n_nodes, 10), of `treelib.topdown.grow.one_tree.Nodes`; the children of some are exchanged
    shift : int, lowest bit of the row number in a code
    problem : Problem

    Returns
    -------
    dict of node -> tuple of int, the codes that go right. All else goes left, what the node never saw too.
    """
    found = {}
    for node in np.flatnonzero(whole[:, LEFT] >= 0):
        feature = whole[node, FEATURE]
        if not problem.categories[feature]:
            continue
        if not whole[node, MISSING_LEFT]:
            whole[node, [LEFT, RIGHT]] = whole[node, [RIGHT, LEFT]]
        whole[node, MISSING_LEFT] = 0
        begin, end = whole[whole[node, RIGHT], [BEGIN, END]]
        codes = problem.X[rows.codes[feature, begin:end] >> shift, feature]
        found[node] = tuple(np.unique(codes).astype(int).tolist())
    return found
