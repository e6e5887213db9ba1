"""Exact minimiser of cost + regularization x leaves over the trees with at most K leaves.

Three steps, each of which may be the last:

1. the optimum without the limit; it may have no more than K leaves;
2. a price m on top of the regularization r. The optimum f(r + m) of the unlimited problem gives the lower
   bound ``f(r + m) - m K`` (Lagrangian relaxation: with at most K leaves, m x leaves is at most m K), and
   its tree, if small enough, an upper bound. The best m is the slope of the edge of the lower convex hull
   of (leaves, cost) that spans K, found by bisection; where the hull has a vertex at K the bounds meet;
3. a branch and bound over pairs (set of rows, leaves allowed) closes the gap that is left. A set S with k
   leaves allowed is bounded by its own relaxation, ``f_S(r + m) - m k``, with the m of step 2.

The second step follows H. Everett (1963), Operations Research 11(3), 399-417, the third is the dynamic
program of the exact engine with one more state.
"""

import numpy as np

from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, SearchResult, Stopped
from treelib.sparse.column_tree import ColumnTree, from_nested, rows_of_nodes
from treelib.sparse.exact.best_tree import objective_of
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.problem_checks import check_problem
from treelib.sparse.pruning import splits_within
from treelib.sparse.row_sets import (
    ENTRY_BYTES,
    LEAF_FALSE,
    LEAF_TRUE,
    LIGHT,
    STUMP_FALSE,
    STUMP_TRUE,
    Optima,
    RowSets,
)
from treelib.table.checks import check_count, check_limits, check_price

# objectives that differ by less than this are equal
TOLERANCE = 1e-11
# leaves up to which the scores of the whole set give the answer, without any search
PAIRS_SOLVE = 3
# nodes of a first search that is cut short, for a good tree to start from: well below a second
TRIAL_NODES = 2000


def minimise_within_leaves(
    columns, costs, regularization, *, max_leaves, total=None, max_depth=None, initial=None, budget=None
):
    """Find the tree of least cost + regularization x leaves with at most `max_leaves` leaves, and prove it.

    Parameters
    ----------
    columns, costs, regularization, total, max_depth, initial, budget : as in
        `treelib.sparse.exact.minimise.minimise`. An `initial` tree with too many leaves is cut back.
    max_leaves : int, 1 or more

    Returns
    -------
    SearchResult with a `ColumnTree` as `tree`. Limits and KeyboardInterrupt end the search with the best tree
    so far and a valid lower bound. ``stats["n_nodes"]`` counts the nodes of all steps.
    """
    check_price("regularization", regularization)
    check_count("max_leaves", max_leaves)
    check_limits(max_depth=max_depth)
    search = _LimitedSearch(columns, costs, regularization, max_leaves, total, max_depth, budget)
    if initial is not None:
        search.offer(initial)
    try:
        status = search.run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    return search.result(status)


def minimise_either(columns, costs, regularization, *, max_leaves=None, check_input=True, **options):
    """`minimise_within_leaves`, or `minimise` where any number of leaves will do."""
    if max_leaves is None:
        return minimise(columns, costs, regularization, check_input=check_input, **options)
    return minimise_within_leaves(columns, costs, regularization, max_leaves=max_leaves, **options)


class _LimitedSearch:
    """Incumbent and proven bound of one search, and its three steps."""

    def __init__(self, columns, costs, regularization, max_leaves, total, max_depth, budget):
        self.columns, self.costs, self.total = check_problem(columns, costs, total)
        self.regularization = regularization
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.budget = Budget() if budget is None else budget
        self.stats = {}
        self._sets = None
        self.lower = regularization  # of a leaf at least
        self.tree = ColumnTree.leaf(self.costs.sum(axis=0).argmin())
        self.objective = self._objective(self.tree)

    def run(self):
        """Take the three steps; returns the status.

        The first is cut short where it takes long and leads to a tree with too many leaves: its optimum is
        not needed then, and the prices of the second step are higher, hence easier.
        """
        status = self._solve_within(min(self.max_leaves, PAIRS_SOLVE), 0.0)
        if status != OPTIMAL or self.max_leaves <= PAIRS_SOLVE:
            return status
        found = self._unlimited(0.0, self.tree, TRIAL_NODES)
        if (
            found.status != OPTIMAL
            and self.budget.exceeded() is None
            and found.tree.n_leaves <= self.max_leaves
        ):
            found = self._unlimited(0.0, found.tree)
        if self._is_closed():
            return OPTIMAL
        if found.status != OPTIMAL:
            # a trial ends with nothing but a tree of too many leaves, which is what the second step asks for
            stopped = self.budget.exceeded()
            if stopped is not None or found.tree.n_leaves <= self.max_leaves:
                return stopped or found.status
        status, extra = self._relax(found.tree)
        if status != OPTIMAL or self._is_closed():
            return status
        return self._solve_within(self.max_leaves, extra)

    def result(self, status):
        if self._is_closed():
            status = OPTIMAL
        if status == OPTIMAL:
            self.lower = self.objective
        lower = min(self.lower, self.objective)
        self.budget.record(self.objective, lower, self.budget.used()[0], last=True)
        stats = {**self.stats, "n_nodes": self.budget.used()[0]}
        return SearchResult(status, self.objective, lower, self.tree, self.budget.trace, stats)

    def offer(self, tree):
        """Take over a tree, cut back to the leaves allowed, if it is better."""
        if tree.n_leaves > self.max_leaves:
            price = self.regularization * self.total
            tree = prune_to_leaves(tree, self.columns, self.costs, price, self.max_leaves)
        objective = self._objective(tree)
        if objective < self.objective:
            self.tree, self.objective = tree, objective

    def _objective(self, tree):
        return objective_of(tree, self.columns, self.costs, self.regularization, self.total)

    def _is_closed(self):
        return self.objective - self.lower <= TOLERANCE * self.objective

    def _raise(self, lower):
        self.lower = max(self.lower, lower)
        self.budget.record(self.objective, min(self.lower, self.objective), self.budget.used()[0])

    def _unlimited(self, extra, initial, node_limit=None):
        """Step 1, or one search of step 2: solve without the limit at the price of `extra` more a leaf."""

        def report(_, lower):
            self._raise(lower - extra * self.max_leaves)

        result = minimise(
            self.columns,
            self.costs,
            self.regularization + extra,
            total=self.total,
            max_depth=self.max_depth,
            initial=initial,
            budget=self.budget.share(report, node_limit),
            check_input=False,
        )
        if result.status == INTERRUPTED:
            self.budget.stop()  # the search has swallowed the Ctrl-C that was meant for all
        self.offer(result.tree)
        for name, value in result.stats.items():
            self.stats[name] = max(value, self.stats.get(name, 0))
        self._raise(result.lower_bound - extra * self.max_leaves)
        return result

    def _relax(self, many):
        """Step 2, from a tree with too many leaves; returns a status and the best extra leaf penalty."""
        few = ColumnTree.leaf(self.costs.sum(axis=0).argmin())
        while True:
            cost_few, cost_many = (self._error(tree) for tree in (few, many))
            extra = (cost_few - cost_many) / (many.n_leaves - few.n_leaves) - self.regularization
            extra = max(extra, 0.0)
            value = cost_few + (self.regularization + extra) * few.n_leaves
            result = self._unlimited(extra, few)
            if result.status != OPTIMAL or self._is_closed() or result.objective >= value * (1 - TOLERANCE):
                return result.status, extra
            if result.tree.n_leaves <= self.max_leaves:
                few = result.tree
            else:
                many = result.tree

    def _error(self, tree):
        return objective_of(tree, self.columns, self.costs, 0.0, self.total)

    def _solve_within(self, max_leaves, extra):
        """Step 3: make the best tree with at most `max_leaves` leaves the incumbent; returns the status."""
        try:
            sets = self._row_sets()
            price, extra = self.regularization * self.total, extra * self.total
            program = _LeafProgram(sets, price, extra, max_leaves, self.max_depth)
            # trees are compared without what every tree pays
            target = self.objective * self.total - sets.base_cost
            if program.solve(sets.everything, program.depth, max_leaves, target) < target:
                self.offer(program.tree())
        except Stopped as stopped:
            return stopped.status
        return OPTIMAL

    def _row_sets(self):
        if self._sets is None:
            share = self.budget.share()

            def check(n_sets, n_bytes):
                self._raise(self.lower)
                status = share.exceeded(n_sets, n_bytes)
                if status is not None:
                    raise Stopped(status)

            self._sets = RowSets(self.columns, self.costs, check, share.watch)
        return self._sets


class _LeafProgram:
    """Branch and bound over (set of rows, splits allowed on a path, leaves allowed).

    Parameters
    ----------
    sets : RowSets
    price, extra : float, leaf penalty, and the extra price that bounds best, in units of the costs
    max_leaves, max_depth : int, and int or None
    """

    def __init__(self, sets, price, extra, max_leaves, max_depth):
        self.sets = sets
        self.price = price
        self.extra = extra
        self.max_leaves = max_leaves
        self.depth = np.inf if max_depth is None or max_depth >= len(sets.masks) else max_depth
        self.relaxed = Optima(sets, price + extra)
        # (lower, upper, column, leaves allowed on the false side, on the true side)
        self._known = {}

    def tree(self):
        """ColumnTree of the best tree found; the whole set must have been solved."""

        def nested(rows, depth, leaves):
            leaves = self._useful(rows, depth, leaves)
            self.solve(rows, depth, leaves)
            _, _, column, leaves_false, leaves_true = self._known[rows, depth, leaves]
            label = self.sets.scores(rows).label
            if column < 0:
                return label
            false, true = self.sets.sides(rows, column)
            return (
                int(self.sets.kept[column]),
                label,
                nested(false, depth - 1, leaves_false),
                nested(true, depth - 1, leaves_true),
            )

        return from_nested(nested(self.sets.everything, self.depth, self.max_leaves))

    def solve(self, rows, depth, leaves, target=np.inf):
        """The optimum where it is below `target`, elsewhere a lower bound that is not below `target`."""
        leaves = self._useful(rows, depth, leaves)
        key = rows, depth, leaves
        if key not in self._known:
            self.sets.look()
            self._known[key] = self._first(rows, depth, leaves)
            self.sets.n_bytes += ENTRY_BYTES
        lower, upper, *best = self._known[key]
        tolerance = self.sets.tolerance
        if lower >= min(upper, target) - tolerance:
            return lower
        relaxed = self.relaxed.lower(rows, depth, target + self.extra * leaves)
        lower = min(upper, max(lower, relaxed - self.extra * leaves))
        if lower >= min(upper, target) - tolerance:
            self._known[key] = lower, upper, *best
            return lower
        scores = self.sets.scores(rows)
        least = np.inf
        for column in scores.order:
            if scores.sides[column, LIGHT] <= self.price:
                continue
            false, true = self.sets.sides(rows, column)
            for leaves_false in range(1, leaves):
                leaves_true = leaves - leaves_false
                goal = min(upper, target) - tolerance
                if lower >= goal:
                    return lower
                value = self._both(false, true, depth - 1, leaves_false, leaves_true, goal)
                least = min(least, value)
                if value < goal:
                    upper, best = value, [column, leaves_false, leaves_true]
                    self._known[key] = lower, upper, *best
        lower = min(upper, max(lower, least))
        self._known[key] = lower, upper, *best
        return lower

    def _both(self, false, true, depth, leaves_false, leaves_true, goal):
        """Sum of both sides' optima where it is below `goal`, elsewhere a lower bound not below it."""
        low_false = self.solve(false, depth, leaves_false, -np.inf)
        low_true = self.solve(true, depth, leaves_true, -np.inf)
        if low_false + low_true < goal:
            low_false = self.solve(false, depth, leaves_false, goal - low_true)
        if low_false + low_true < goal:
            low_true = self.solve(true, depth, leaves_true, goal - low_false)
        return low_false + low_true

    def _useful(self, rows, depth, leaves):
        """Leaves that a tree of the set can have at most."""
        leaves = min(leaves, rows.bit_count())
        return min(leaves, 2**depth) if depth < 30 else leaves

    def _first(self, rows, depth, leaves):
        """Entry of a set that is new: its best tree with at most two leaves a side, and a bound of the
        others, which have four leaves or more."""
        scores, price = self.sets.scores(rows), self.price
        entry = scores.leaf + price, -1, 1, 1
        shapes = [(1, 1, LEAF_FALSE, LEAF_TRUE)]
        if depth > 1:
            shapes += [(1, 2, LEAF_FALSE, STUMP_TRUE), (2, 1, STUMP_FALSE, LEAF_TRUE)]
            shapes += [(2, 2, STUMP_FALSE, STUMP_TRUE)]
        for n_false, n_true, false, true in shapes:
            if depth >= 1 and n_false + n_true <= leaves and len(scores.order):
                sides = scores.sides[scores.order]
                values = sides[:, false] + sides[:, true] + (n_false + n_true) * price
                at = int(values.argmin())
                if values[at] < entry[0] - self.sets.tolerance:
                    entry = float(values[at]), scores.order[at], n_false, n_true
        value = entry[0]
        return (value if leaves <= PAIRS_SOLVE or depth <= 2 else min(value, 4 * price)), *entry


def prune_to_leaves(tree, columns, costs, price, max_leaves):
    """The best `ColumnTree` with at most `max_leaves` leaves that replacing splits by leaves makes of `tree`.

    costs (n, n_classes) and price are in the same unit. O(max_leaves n_leaves) sums after counting the rows.
    """
    of_nodes = zip(rows_of_nodes(tree, columns), tree.label, strict=True)
    leaf = np.array([costs[rows, label].sum() for rows, label in of_nodes]) + price
    splits = splits_within(tree.false_child, tree.true_child, leaf, max_leaves)
    parts = tree.label.tolist()  # from below
    for node in np.flatnonzero(splits)[::-1]:
        sides = parts[tree.false_child[node]], parts[tree.true_child[node]]
        parts[node] = int(tree.column[node]), parts[node], *sides
    return from_nested(parts[0])
