"""The Rashomon set: all trees whose objective is within epsilon of the optimum.

Two trees count as one when they divide the training rows into the same leaves: their structure may differ,
but not which rows they keep together, nor what they predict for any training row. (The XOR of two columns
has one optimal division, which two trees of three splits make, one with each column at the root.) Every
leaf holds at least one training row and predicts its cheapest class, the first of equals.

A set of rows with a budget b has as its divisions: itself, if it costs no more than b as a leaf, and for
every column the unions of a division of the one side and a division of the other that together cost no more
than b. Exact optima of both sides say how much of b each may use, so no search ends without a tree.

The name and the idea are those of R. Xin, C. Zhong, Z. Chen, T. Takagi, M. Seltzer, C. Rudin (2022),
Exploring the whole Rashomon set of sparse decision trees, Advances in Neural Information Processing Systems
35; they count structures, here divisions are counted.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from treelib.compiled.garbage import garbage_kept
from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, Stopped, asking, status_of
from treelib.sparse.column_tree import ColumnTree, from_nested
from treelib.sparse.leaf_limit import minimise_either
from treelib.sparse.problem_checks import check_problem
from treelib.sparse.row_sets import TOLERANCE, Optima, RowSets
from treelib.table.checks import check_count, check_limits, check_price

# of a division: its set of leaves, which are sets of rows, and its tree
DIVISION_BYTES = 1000


class Listed(Sequence):
    """Items that are made when they are first asked for: a sequence that cannot be changed.

    Parameters
    ----------
    parts : sequence of what the items are made of
    make : callable of one part
    """

    def __init__(self, parts, make):
        self._parts, self._make = parts, make
        self._made = {}

    def __len__(self):
        return len(self._parts)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        index = range(len(self))[index]
        if index not in self._made:
            self._made[index] = self._make(self._parts[index])
        return self._made[index]

    def __repr__(self):
        return f"<{len(self):,} trees>"

    def __reduce__(self):
        return tuple, (list(self),)  # without what they are made of


class RashomonSet(NamedTuple):
    """Trees within `epsilon` of the optimum.

    Attributes
    ----------
    trees : sequence of Tree (from the estimator) or ColumnTree
        Sorted by objective, then by number of leaves. Each tree is built on first access, and the sequence
        keeps the training data until then; ``tuple(trees)`` builds all.
    objectives : float64 (n_trees,)
    n_leaves : intp (n_trees,)
    optimum : float
        The smallest known objective; proved optimal if `status` is "optimal".
    epsilon : float
    complete : bool
        True: these are all the trees. False: there are more than `max_trees` and these are the best, or a
        limit stopped the search (see `status`) and these are those found so far.
    status : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import OptimalSparseTreeClassifier
    >>> model = OptimalSparseTreeClassifier(0.02, max_thresholds=10)
    >>> found = model.rashomon_set(*load_iris(return_X_y=True), epsilon=0.01)
    >>> len(found.trees), found.complete
    (6, True)
    >>> round(found.optimum, 3), found.n_leaves
    (0.1, array([3, 3, 4, 4, 4, 4]))
    """

    trees: Sequence
    objectives: np.ndarray
    n_leaves: np.ndarray
    optimum: float
    epsilon: float
    complete: bool
    status: str


def rashomon_set(
    columns,
    costs,
    regularization,
    *,
    epsilon=0.0,
    max_trees=1000,
    total=None,
    max_depth=None,
    max_leaves=None,
    initial=None,
    budget=None,
):
    """All trees with an objective of at most the optimum + `epsilon`.

    Parameters
    ----------
    columns, costs, regularization, total, max_depth, initial, budget : as in
        `treelib.sparse.exact.minimise.minimise`
    epsilon : float, not negative, in units of the objective. Objectives that differ by less than about 1e-11
        of themselves count as equal, so 0 gives all optimal trees.
    max_trees : int, return no more than the best so many; of equal ones, any.
    max_leaves : int or None, keep to trees with at most so many leaves; the optimum is then that of these.

    Returns
    -------
    RashomonSet
    """
    columns, costs, total = check_problem(columns, costs, total)
    check_price("regularization", regularization)
    check_price("epsilon", epsilon)
    check_count("max_trees", max_trees)
    check_limits(max_depth=max_depth, max_leaves=max_leaves)
    budget = Budget() if budget is None else budget

    def report(objective, lower_bound):
        budget.record(objective, lower_bound, budget.used()[0])

    options = {"total": total, "max_depth": max_depth, "max_leaves": max_leaves, "initial": initial}
    best = minimise_either(columns, costs, regularization, **options, budget=budget.share(report))
    rows, status = (np.array([best.objective]), np.array([best.tree.n_leaves]), [best.tree]), best.status
    if best.is_optimal:
        share = budget.share()

        def check(n_sets, n_bytes):
            report(best.objective, best.objective)
            status = share.exceeded(n_sets, n_bytes)
            if status is not None:
                raise Stopped(status)

        found = np.empty(0), np.empty(0, np.intp), []
        with garbage_kept():
            try:
                sets = RowSets(columns, costs, check, share.watch)
            except (Stopped, KeyboardInterrupt) as stop:
                status = status_of(stop)
            else:
                divisions = _Divisions(sets, regularization * total, max_depth, max_leaves, max_trees)
                status = divisions.fill_all((best.objective + epsilon) * total)
                found = divisions.listed(total)
                del divisions, sets
        # a search that was stopped may not have come to the optimum again
        if len(found[0]) and found[0][0] <= best.objective * (1 + TOLERANCE):
            rows = found
        else:
            objectives, leaves = (np.concatenate(pair) for pair in zip(rows[:2], found[:2], strict=True))
            rows = objectives, leaves, rows[2] + found[2]
    budget.record(best.objective, best.lower_bound, budget.used()[0], last=True)
    objectives, leaves, nested = (part[:max_trees] for part in rows)
    n_found = len(rows[0])
    return RashomonSet(
        trees=Listed(nested, _column_tree),
        objectives=objectives,
        n_leaves=leaves.astype(np.intp),
        optimum=best.objective,
        epsilon=float(epsilon),
        complete=status == OPTIMAL and n_found <= max_trees,
        status=status,
    )


def joined(found, other):
    """A stopped `RashomonSet` with the tree of a `SearchResult` where that is better than all of its own."""
    if not other.objective < found.optimum:
        return found
    n = int(np.searchsorted(found.objectives, other.objective + found.epsilon, side="right"))
    return found._replace(
        trees=[other.tree, *found.trees[:n]],
        objectives=np.append(other.objective, found.objectives[:n]),
        n_leaves=np.append(other.tree.n_leaves, found.n_leaves[:n]),
        optimum=other.objective,
        complete=False,
    )


def _column_tree(tree):
    """`ColumnTree` of nested tuples, or of one that there is."""
    return tree if isinstance(tree, ColumnTree) else from_nested(tree)


class _Divisions:
    """Memo of the best divisions of sets of rows: {frozenset of leaves: (value, nested tree)}.

    One more than `max_trees` are kept of every set, the best ones: the best divisions of a set use no
    others of its sides, and one too many at the root says that there are more.
    """

    def __init__(self, sets, price, max_depth, max_leaves, max_trees):
        self.sets = sets
        self.price = price
        self.n_kept = max_trees + 1
        # with a limit, divisions are listed by their number of leaves; None stands for any number
        self.leaf_counts = [None] if max_leaves is None else range(1, min(max_leaves, sets.n_rows) + 1)
        self.depth = np.inf if max_depth is None or max_depth >= len(sets.masks) else max_depth
        self.optima = Optima(sets, price)
        # (rows, depth, leaves) -> (budget they are complete for, divisions by ascending value)
        self._known = {}

    def fill_all(self, most):
        """List the divisions of all rows that cost at most `most`, prices included, or the best of them.

        Returns the status: "optimal", or what stopped it.
        """
        budget = most * (1 + TOLERANCE) - self.sets.base_cost
        try:
            for leaves in self.leaf_counts:
                self.fill(self.sets.everything, self.depth, leaves, budget)
        except Stopped as stopped:
            return stopped.status
        except KeyboardInterrupt:
            return INTERRUPTED
        return OPTIMAL

    def listed(self, total):
        """The divisions known of all rows, the best first: objectives, numbers of leaves, nested trees."""
        keys = [(self.sets.everything, self.depth, leaves) for leaves in self.leaf_counts]
        found = [item for key in keys if key in self._known for item in self._known[key][1]]
        values = np.array([value for _, (value, _) in found])
        leaves = np.array([len(division) for division, _ in found], np.intp)
        objectives = (self.sets.base_cost + values) / total
        order = np.lexsort((leaves, objectives))
        return objectives[order], leaves[order], [found[k][1][1] for k in order.tolist()]

    def fill(self, rows, depth, leaves, budget):
        """List the divisions of a set into `leaves` leaves that cost at most `budget`, or the best ones."""
        key = rows, depth, leaves
        done, found = self._known.get(key, (-np.inf, []))
        if done >= budget:
            return self._within(found, budget)
        self.sets.look()
        scores, slack = self.sets.scores(rows), self.sets.tolerance
        best, is_root = {}, rows == self.sets.everything
        if leaves in (None, 1) and scores.leaf + self.price <= budget + slack:
            best[frozenset([rows])] = scores.leaf + self.price, scores.label
        most = budget
        sides = [(None, None)] if leaves is None else [(k, leaves - k) for k in range(1, leaves)]
        for column in scores.order if depth > 0 and sides else ():
            false, true = self.sets.sides(rows, column)
            low_false = self.optima.lower(false, depth - 1, most + 2 * slack)
            low_true = self.optima.lower(true, depth - 1, most - low_false + 2 * slack)
            if low_false + low_true > most + slack:
                continue
            split = int(self.sets.kept[column]), scores.label
            for n_false, n_true in sides:
                in_false = self.fill(false, depth - 1, n_false, most - low_true)
                in_true = self.fill(true, depth - 1, n_true, most - low_false)
                try:
                    self._add_pairs(best, split, in_false, in_true, most)
                except Stopped:
                    if is_root:
                        self._known[key] = -np.inf, self._best(best)
                    raise
            if len(best) > self.n_kept:  # what is dearer than the last one kept is needed nowhere
                best = dict(self._best(best))
                most = min(most, next(reversed(best.values()))[0])
            if is_root:  # whatever stops the search, it keeps what the root has
                self._known[key] = -np.inf, self._best(best)
        self._known[key] = budget, self._best(best)
        self.sets.n_bytes += len(best) * DIVISION_BYTES
        return self._known[key][1]

    def _best(self, divisions):
        """The best divisions, by ascending value."""
        items = list(divisions.items())
        values = np.fromiter((value for value, _ in divisions.values()), float, len(items))
        return [items[k] for k in np.argsort(values, kind="stable")[: self.n_kept].tolist()]

    def _add_pairs(self, best, split, false, true, budget):
        """Add to `best` the divisions that lists of both sides of a split make, those that are new."""
        pairs = asking(self._pairs(false, true, budget), partial(self._look, best))
        for value, (one, (_, tree_false)), (other, (_, tree_true)) in pairs:
            both = one | other
            if both not in best:
                best[both] = value, (*split, tree_false, tree_true)

    def _look(self, best):
        """Look at the limits, which count `best` too, and keep no more of it than twice what is needed."""
        if len(best) > 2 * self.n_kept:
            kept = dict(self._best(best))
            best.clear()
            best.update(kept)
        self.sets.look(len(best) * DIVISION_BYTES)

    def _within(self, found, budget):
        return [item for item in found if item[1][0] <= budget + self.sets.tolerance]

    def _pairs(self, false, true, budget):
        """(value, division, division) of the pairs within the budget that can be among the best.

        A pair with (i + 1) (j + 1) > n_kept has that many at least as good before it: O(n log n) pairs.
        """
        for i, one in enumerate(false):
            for other in true[: self.n_kept // (i + 1)]:
                value = one[1][0] + other[1][0]
                if value > budget + self.sets.tolerance:
                    break
                yield value, one, other
