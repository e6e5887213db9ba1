"""Exact minimiser of cost + regularization x leaves over the trees that keep to constraints.

A best-first branch and bound over partial trees. A partial tree is bounded by what its closed leaves cost
and, for each open leaf, by the best tree of its rows under all constraints but the order of distant leaves
(`treelib.sparse.constrained.bounds`). The order enters in two ways: a closed leaf forbids labels to the rows
that it puts above or below itself, which raises the bounds of the open leaves; and two closed leaves out of
order end a partial tree, so in a complete one all pairs have been looked at. The search ends when no bound in
the queue is below the best tree; when it is stopped, the least of them holds.
"""

import heapq
from itertools import count, product

import numpy as np

from treelib.search.budget import (
    INTERRUPTED,
    NODE_LIMIT,
    OPTIMAL,
    Budget,
    SearchResult,
    Stopped,
    status_of,
)
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.constrained.bounds import Bounds, subsets
from treelib.sparse.constrained.order import Order
from treelib.sparse.constrained.partial_trees import Leaf, PartialTree, tree_of
from treelib.sparse.constrained.problem import ConstrainedProblem
from treelib.sparse.constrained.starts import Repair
from treelib.table.checks import check_limits, check_price, go_on

# partial trees between two that are followed down to a complete tree at once
DIVE_EVERY = 64
# seconds after the limit in which the starts of a small problem are looked at all the same
GRACE = 0.5
# about what an entry of the queue takes in Python
ENTRY_BYTES = 1000


def minimise_constrained(
    columns,
    costs,
    regularization,
    constraints,
    *,
    total=None,
    max_depth=None,
    max_leaves=None,
    starts=(),
    known_lower=0.0,
    budget=None,
    is_soon=False,
):
    """Find the tree of least cost + regularization x leaves that keeps to constraints, and prove it.

    Parameters
    ----------
    columns : Columns
    costs : float64 (n, n_classes), cost of calling row i class k; not negative
    regularization : float, leaf penalty, in units of `total`
    constraints : Constraints
    total : float, what costs are divided by (default: the number of rows)
    max_depth, max_leaves : int or None
    starts : ColumnTrees over the columns, which may break the constraints: what is left of them when they are
        mended is where the search begins
    known_lower : float, a lower bound of the objective, such as the optimum without constraints
    budget : Budget

    is_soon : bool, whether the problem is so small that its starts are looked at also when the time is up

    Returns
    -------
    SearchResult with a `ColumnTree` as `tree`, or None (and the objective infinity) where there is no tree
    that keeps to the constraints (status "optimal") or none was found. Limits and KeyboardInterrupt end the
    search with the best tree so far and a valid lower bound.
    """
    check_price("regularization", regularization)
    check_limits(max_depth=max_depth, max_leaves=max_leaves)
    budget = Budget() if budget is None else budget

    last = budget.seconds + max(budget.time_left, 0.0) + GRACE

    def check(n_bytes=0):
        if is_soon and budget.seconds < last:
            return
        try:
            budget.check(n_bytes)
        except Stopped as stop:
            if stop.status != NODE_LIMIT:  # searches before this one had the nodes; their trees count
                raise

    try:
        problem = ConstrainedProblem(columns, costs, constraints, total, check)
    except (Stopped, KeyboardInterrupt) as stop:
        lower, status = max(known_lower, regularization), status_of(stop)
        if constraints.required.max(initial=-1) >= 0:  # a single leaf does not test what it must
            return SearchResult(status, np.inf, lower, None)
        by_class = np.ones(len(costs)) @ costs / (len(costs) if total is None else total)
        objective = float(by_class.min()) + regularization
        return SearchResult(status, objective, min(objective, lower), ColumnTree.leaf(by_class.argmin()))
    search = _ConstrainedSearch(problem, regularization, max_depth, max_leaves, known_lower, budget, check)
    status = OPTIMAL
    try:
        for tree in (ColumnTree.leaf(0), *starts):
            search.offer(*search.repair.leaves(tree))
        search.run()
    except Stopped as stopped:
        status = stopped.status
    except KeyboardInterrupt:
        status = INTERRUPTED
    return search.result(status)


class _ConstrainedSearch:
    """Queue, incumbent and bound of one search; costs in the units of `ConstrainedProblem`."""

    def __init__(self, problem, regularization, max_depth, max_leaves, known_lower, budget, check=go_on):
        self.problem, self.regularization, self.budget = problem, regularization, budget
        self.price = regularization * problem.total
        self.max_depth = np.inf if max_depth is None else max_depth
        self.max_leaves = np.inf if max_leaves is None else max_leaves
        self.order = Order(problem)
        self.repair = Repair(problem, self.order, self.price, self.max_depth, self.max_leaves, check)
        self.bounds = Bounds(problem, self.price, self._check, budget.watch)
        self.best, self.leaves = np.inf, None
        self.lower = known_lower * problem.total - problem.base_cost
        self.queue, self.ticket, self.n_partial = [], count(), 0

    def _check(self, n_sets, n_bytes):
        self._record()
        status = self.budget.exceeded(n_sets + self.n_partial, n_bytes + len(self.queue) * ENTRY_BYTES)
        if status is not None:
            raise Stopped(status)

    def _record(self, last=False):
        upper, lower = self.in_units(self.best), self.in_units(min(self.lower, self.best))
        if last or upper < np.inf:
            self.budget.record(upper, max(lower, 0.0), self.bounds.n_sets + self.n_partial, last)

    def in_units(self, value):
        return (value + self.problem.base_cost) / self.problem.total

    def offer(self, leaves, value):
        """Take over a complete tree if it is better."""
        if value < self.best:
            self.best, self.leaves = value, leaves

    @property
    def goal(self):
        """Only what is below can be better than the best tree known."""
        return self.best - self.problem.tolerance

    def result(self, status):
        if self.lower >= self.goal:
            status = OPTIMAL
        tree = None if self.leaves is None else tree_of(self.leaves, self.problem)
        objective = self.in_units(self.best)
        lower = objective if status == OPTIMAL else max(0.0, min(objective, self.in_units(self.lower)))
        self._record(last=True)
        stats = {
            "n_nodes": self.bounds.n_sets + self.n_partial,
            "n_partial_trees": self.n_partial,
            "n_sets": self.bounds.n_sets,
            "n_merged_rows": self.problem.n_rows,
            "n_columns": self.problem.n_columns,
        }
        return SearchResult(status, objective, lower, tree, self.budget.trace, stats)

    def run(self):
        """Search until the best tree is proved; raises `Stopped` where a limit is met."""
        if self.lower >= self.goal:
            return
        n_classes = self.problem.n_classes
        root = Leaf((), self.problem.everything, self.max_depth, {})
        missing = (1 << self.problem.n_wanted) - 1
        self.push(self.lower, PartialTree((), (root,), 0.0, (0,) * n_classes, missing))
        while self.queue:
            value, *_, partial, options, at = heapq.heappop(self.queue)
            self.lower = max(self.lower, value)
            if value >= self.goal:
                break
            if not options:
                self.open(value, partial, is_bounded=options is not None)
                continue
            if at + 1 < len(options):
                self.push(max(value, options[at + 1][0]), partial, options, at + 1)
            child = self.child(partial, options[at][1])
            if child is not None:
                self.push(value, child)
        self.lower = max(self.lower, self.best)

    def push(self, value, partial, options=None, at=0):
        """Queue a partial tree, or what is left of its options; of equal bounds the deepest comes first.

        options : None before the tree is bounded by what its closed leaves forbid, () before they are listed
        """
        if value < self.goal:
            progress = sum(len(leaf.path) + 1 for leaf in partial.closed) + len(partial.open)
            heapq.heappush(self.queue, (value, -progress, next(self.ticket), partial, options, at))

    def open(self, value, partial, is_bounded):
        """Bound a partial tree by all that its closed leaves forbid; list its options if it is still best."""
        self.n_partial += 1
        self.bounds.look()
        if not is_bounded:
            bound = max(value, self.bound(partial))
            if self.n_partial % DIVE_EVERY == 1 and bound < self.goal:
                self.dive(partial)
            if bound > value + self.problem.tolerance:
                self.push(bound, partial, ())
                return
        options = self.options(partial)
        if options:
            self.push(max(value, options[0][0]), partial, options)

    def dive(self, partial):
        """Follow the best options down to a complete tree."""
        while partial is not None:
            following = None
            for value, action in self.options(partial):
                child = self.child(partial, action) if value < self.goal else None
                if child is not None and self.bound(child) < self.goal:
                    following = child
                    break
            partial = following

    def forbidden_in(self, partial, leaf):
        """For each class the rows of an open leaf that must not get it; () for none."""
        found = tuple(rows & leaf.rows for rows in partial.forbidden)
        return found if any(found) else ()

    def bound(self, partial):
        """Lower bound of all complete trees that a partial tree leads to; not below the goal where it may not
        be exact. What is still to be tested goes where it costs least."""
        leaves = [(leaf, self.forbidden_in(partial, leaf)) for leaf in partial.open]
        parts = subsets(partial.missing)
        known = [
            {part: self.bounds.lower(leaf.rows, leaf.depth, where, part, -np.inf) for part in parts}
            for leaf, where in leaves
        ]
        tight = set()
        while True:
            value, chosen = _assign(known, partial.missing)
            value += partial.paid
            loose = [(i, part) for i, part in enumerate(chosen) if (i, part) not in tight]
            if value >= self.goal or not loose:
                return value
            i, part = loose[0]
            (leaf, where), target = leaves[i], self.goal - (value - known[i][part])
            known[i][part] = self.bounds.lower(leaf.rows, leaf.depth, where, part, target)
            tight.add((i, part))

    def options(self, partial):
        """(bound, action) of all ways to go on with the last open leaf, ascending; an action is a column to
        split on, or -1 - k to close the leaf with class k."""
        if not partial.open:
            return []
        leaf = partial.open[-1]
        where, bounds = self.forbidden_in(partial, leaf), self.bounds
        rest = partial.paid + sum(
            bounds.lower(other.rows, other.depth, self.forbidden_in(partial, other), 0, -np.inf)
            for other in partial.open[:-1]
        )
        whole = bounds.leaf(leaf.rows, where) + self.price
        labels = range(len(whole)) if self.problem.is_ordered else [int(whole.argmin())]
        found = [(rest + float(whole[k]), -1 - k) for k in labels if rest + whole[k] < self.goal]
        if leaf.depth >= 1 and partial.n_leaves < self.max_leaves:
            found += self._splits(leaf, where, rest, bool(partial.missing))
        return sorted(found)

    def _splits(self, leaf, where, rest, is_missing):
        """(bound, column) of the splits of a leaf, `rest` being the bound of the others."""
        depth = min(leaf.depth, leaf.rows.bit_count() - 1)
        if depth < 1:
            return []
        scores, aim = self.bounds.scores(leaf.rows, where, min(depth, 2)), self.goal - rest
        if depth <= 2:
            values = self.bounds.small_trees(scores, depth)
            columns = np.flatnonzero(values < aim).tolist()
            return [(rest + float(values[column]), column) for column in columns]
        found = []
        # a light side may be what keeps leaves further off in order
        for column in self.bounds.splits(scores, bool(where) or is_missing or self.problem.is_ordered):
            value = self.bounds.lower_of_split(leaf.rows, column, depth, where, 0, aim)
            if value < aim:
                found.append((rest + value, column))
        return found

    def child(self, partial, action):
        """The partial tree after an action, or None where that breaks a constraint. A complete one becomes
        the best tree known if it is, and None is returned."""
        leaf, rest = partial.open[-1], partial.open[:-1]
        if action < 0:
            return self._closed(partial, leaf, rest, -1 - action)
        missing = partial.missing
        if self.problem.wanted[action] >= 0:
            missing &= ~(1 << int(self.problem.wanted[action]))
        if partial.n_leaves + 1 + missing.bit_count() > self.max_leaves:
            return None
        sides = [
            Leaf((*leaf.path, (action, side)), rows, leaf.depth - 1, self.order.cut(leaf.box, action, side))
            for side, rows in enumerate(self.problem.sides(leaf.rows, action))
        ]
        sides.sort(key=lambda side: side.rows.bit_count())  # the larger one says more, and comes next
        return partial._replace(open=(*rest, *sides), missing=missing)

    def _closed(self, partial, leaf, rest, label):
        closed, forbidden = leaf._replace(label=label), partial.forbidden
        if self.problem.is_ordered:
            for other in partial.closed:
                relation = self.order.relation(other.box, leaf.box)
                if relation * (other.label - label) > 0:
                    return None
            above, below = self.order.around(leaf.box)
            forbidden = tuple(
                rows | (above if k < label else below if k > label else 0) for k, rows in enumerate(forbidden)
            )
        if self._is_idle(partial, closed):
            return None
        paid = partial.paid + float(self.problem.leaf_costs(leaf.rows)[label]) + self.price
        if rest:
            return PartialTree((*partial.closed, closed), rest, paid, forbidden, partial.missing)
        if not partial.missing:
            self.offer((*partial.closed, closed), paid)
        return None

    def _is_idle(self, partial, leaf):
        """Whether a leaf has the label of its sister and nothing asks for their split: one leaf will do."""
        if not leaf.path or self.problem.wanted[leaf.path[-1][0]] >= 0:
            return False
        column, side = leaf.path[-1]
        sister = (*leaf.path[:-1], (column, 1 - side))
        return any(other.path == sister and other.label == leaf.label for other in partial.closed)


def _assign(known, missing):
    """Least sum of one entry a dict whose keys together are `missing`, and the keys chosen."""
    table = {0: (0.0, ())}
    for costs in known:
        following = {}
        for (done, (value, chosen)), (part, cost) in product(table.items(), costs.items()):
            if done & part == 0 and value + cost < following.get(done | part, (np.inf,))[0]:
                following[done | part] = value + cost, (*chosen, part)
        table = following
    return table.get(missing, (np.inf, ()))
