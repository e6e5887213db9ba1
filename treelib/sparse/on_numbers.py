"""Fits on numbers as they are, and the trees that a stopped search over columns is no worse than."""

from dataclasses import replace
from functools import partial
from math import inf

from joblib import effective_n_jobs

from treelib.search.budget import INTERRUPTED, NODE_LIMIT, OPTIMAL, Budget, SearchResult
from treelib.sparse import column_tree
from treelib.sparse.continuous.leaves import LEAP, close_leap, optimal_tree_within
from treelib.sparse.continuous.number_tree import (
    LEAF,
    CountedTree,
    NumberTree,
    counts_of,
    cut_back,
    from_plan,
    from_tree,
    to_tree,
)
from treelib.sparse.continuous.search import Search, has_many_values, optimal_tree
from treelib.sparse.continuous.together.threads import ThreadedSearch
from treelib.sparse.exact.minimise import seconds_a_split
from treelib.sparse.training import checked_costs, weigh_by_cost

# what a proof ranges over
ALL_THRESHOLDS = "all thresholds"
# of the time limit that a first tree may take where columns come before the search, and where all thresholds
# become columns: where that tree takes long, these take all of the time
FIRST_PART, FIRST_OF_ALL = 0.1, 0.8
# a search that has time for fewer splits than these is not sure to come to a good tree
FEW_SPLITS = 32


class OnNumbers:
    """What `OptimalSparseTreeClassifier` does without columns of 0 and 1."""

    def _fit_numbers(self, rows, budget):
        """`fit` without columns of 0 and 1."""
        return self._take_numbers(rows, self._search_numbers(rows, budget))

    def _search_numbers(self, rows, budget):
        """`SearchResult` of the search on numbers."""
        return self._optimal_on_numbers(rows, self._initial_numbers(rows), budget)

    def _initial_numbers(self, rows):
        """`NumberTree` of `initial_tree`, or None."""
        if self.initial_tree is None:
            return None
        tree = self._given_tree()
        column_tree.check_features(tree, rows.X.shape[1])
        return from_tree(tree, self.max_depth)

    def _optimal_on_numbers(self, rows, initial, budget, regularization=None, takes_costs=True):
        """`SearchResult` of the search on numbers, from a `NumberTree` or None. What an error costs is a
        weight of its row: the mean one where costs depend on the class that is predicted."""
        regularization = float(self.regularization) if regularization is None else regularization
        base, unit = 0.0, 1.0
        if takes_costs and self.cost_matrix is not None:
            rows, base, unit = weigh_by_cost(rows, self._error_costs())
            budget.units = base, unit
            if unit == 0:  # all trees cost the same
                cost = base + regularization
                return SearchResult(OPTIMAL, cost, cost, from_plan([LEAF]))
        options = {"regularization": regularization / unit, "max_depth": self.max_depth}
        options |= {"sample_weight": rows.weights, "initial": initial, "budget": budget}
        minimise_numbers = optimal_tree
        if self.max_leaf_nodes is not None:
            minimise_numbers, options["max_leaves"] = optimal_tree_within, self.max_leaf_nodes
        n_jobs = effective_n_jobs(self.n_jobs)
        search = Search if n_jobs == 1 else partial(ThreadedSearch, n_jobs=n_jobs, budget=budget)
        result = minimise_numbers(rows.X, rows.y_codes, search=search, check_input=False, **options)
        if result.status == LEAP:
            result = close_leap(rows.X, rows.y_codes, result, **options)
        objective, lower = base + unit * result.objective, base + unit * result.lower_bound
        tree = result.tree
        if takes_costs and self.cost_matrix is not None:
            tree = NumberTree(*tree)  # what is counted there is what errors cost
        return replace(result, tree=tree, objective=objective, lower_bound=lower)

    def _takes_greedy(self, training):
        """Whether a greedy tree on numbers is one of those that a search over columns looks for."""
        return self.max_thresholds is None or training.stopped is not None

    def _first_tree(self, rows, budget):
        """`SearchResult` of a tree that is there before the columns of 0 and 1, or None.

        Where all thresholds become columns because the costs ask for it, these can take all of the time.
        """
        if self.max_thresholds is not None or self._takes_all_tests():
            return None
        return self._greedy_on_numbers(rows, _first_seconds(budget, FIRST_PART), budget)

    def _greedy_on_numbers(self, rows, seconds, budget):
        """`SearchResult` of the greedy tree, or of `initial_tree` where that is better."""
        # one node: the search begins with the greedy tree, of some rows where the time is up, and ends
        limits = Budget(seconds, budget.memory_limit, node_limit=1)
        initial = self._initial_numbers(rows)
        if self._takes_all_tests():
            return self._optimal_on_numbers(rows, initial, limits)
        # trees that grow by mean costs and by errors, as large as they may be: true costs cut them back
        price = 0.0 if self.max_leaf_nodes is None else float(self.regularization)
        trees = [self._optimal_on_numbers(rows, None, limits, price).tree]
        if self.cost_matrix is not None and limits.due() is None:
            trees.append(self._optimal_on_numbers(rows, None, limits, price, takes_costs=False).tree)
        if initial is not None and initial.n_leaves <= (self.max_leaf_nodes or inf):
            trees.append(initial)
        return min((self._at_true_cost(rows, tree) for tree in trees), key=lambda result: result.objective)

    def _at_true_cost(self, rows, tree):
        """`SearchResult` of a tree cut back to what pays, with the class of least cost in every leaf; its
        bound is 0."""
        tree, cost, _ = self._costs_at(rows, tree)
        tree, objective, _ = cut_back(tree, cost + float(self.regularization))
        return SearchResult(NODE_LIMIT, objective, 0.0, tree)

    def _costs_at(self, rows, tree):
        """`tree` with the class of least cost at every node, their mean costs, float64 (n_nodes,), and what
        `counted` gives."""
        counts = counts_of(tree, rows.X, rows.y_codes, rows.weights, len(self.classes_))
        cost = counts[0] @ checked_costs(self.cost_matrix, self.classes_) / counts[0][0].sum()
        return tree._replace(label=cost.argmin(axis=1)), cost.min(axis=1), counts

    def _greedy_after(self, rows, status, budget):
        """`_greedy_on_numbers` in the time that a search of `status` has left."""
        left = 1e-9 if status == INTERRUPTED else max(budget.time_left, 1e-9)
        return self._greedy_on_numbers(rows, left, budget)

    def _first_trees(self, rows, budget):
        """List of `SearchResult` before a search over columns that a limit of time may end, the best last: of
        `_greedy_on_numbers`, and of a search on numbers for what is left of a part of the time. It is empty
        where there is no such limit, or where the columns are no more than the table."""
        if self.max_thresholds is not None or budget.time_limit is None or not has_many_values(rows.X):
            return []
        first = [self._greedy_on_numbers(rows, _first_seconds(budget, FIRST_OF_ALL), budget)]
        left = FIRST_PART * budget.time_limit - budget.seconds
        if self._takes_all_tests() and left > 0:
            limits = Budget(left, budget.memory_limit)
            first.append(self._optimal_on_numbers(rows, first[0].tree, limits))
        return first

    def _greedy_before_search(self, rows, training, budget):
        """`_greedy_on_numbers` before a search over columns that has time for few splits; else None."""
        if budget.time_limit is None or training.stopped is not None or not self._takes_greedy(training):
            return None
        is_whole = training.weights is None and self.cost_matrix is None
        if FEW_SPLITS * seconds_a_split(training.columns, training.costs, is_whole) < budget.time_left:
            return None
        return self._greedy_on_numbers(rows, _first_seconds(budget, FIRST_OF_ALL), budget)

    def _prunings(self, rows, tree):
        """What cutting back a `NumberTree` gives at all prices of a leaf from `regularization` on.

        Returns
        -------
        list of (n_leaves, mean cost, CountedTree)
        """
        tree, cost, counts = self._costs_at(rows, tree)

        def cut(price):
            part, value, stays = cut_back(tree, cost + price)
            part = CountedTree.of(part, *(count[stays] for count in counts))
            return part.n_leaves, value - price * part.n_leaves, part

        ends = cut(cost[0] + 1.0), cut(float(self.regularization))
        found, open_pairs = list(ends), [ends]
        while open_pairs:
            few, many = open_pairs.pop()
            if many[0] - few[0] > 1:
                between = cut((few[1] - many[1]) / (many[0] - few[0]))
                if few[0] < between[0] < many[0]:
                    found.append(between)
                    open_pairs += [(few, between), (between, many)]
        return found

    def _take_first(self, rows, first, result):
        """Take the tree of `first`, which is better than that of a search that was stopped; returns self."""
        lower = min(max(first.lower_bound, result.lower_bound), first.objective)
        known = {"status": result.status, "stats": result.stats, "trace": result.trace}
        return self._take_numbers(rows, replace(first, lower_bound=lower, **known))

    def _take_numbers(self, rows, result):
        """Set what a fit sets from a search on numbers; returns self."""
        self.binarizer_ = None
        self.tree_ = self._from_numbers(result.tree, rows)
        self.proof_scope_ = ALL_THRESHOLDS + self._given.words
        self._record(result)
        return self

    def _from_numbers(self, tree, rows):
        """`Tree` of a `NumberTree`."""
        names = self.encoder_.feature_names_out_, self._class_names()
        made = to_tree(tree, rows.X, rows.y_codes, rows.weights, len(self.classes_), *names)
        # the class of least cost may be another than the most frequent one
        return made if self.cost_matrix is None else made.replace(label=tree.label)


def _first_seconds(budget, part):
    """Seconds that a tree may take that comes before all else, a part of those that are left."""
    return max(part * min(budget.time_left, 600.0), 1e-9)
