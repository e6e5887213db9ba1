"""All optimal trees as the regularization falls: the lower convex hull of (leaves, cost), by bisection.

At regularization r a tree of l leaves and cost c is worth ``c / total + r * l``: a line in r. The optimum
as a function of r is the lower envelope of these lines, concave and piecewise linear, and its lines are the
vertices of the lower convex hull of the points (l, c). Two neighbours of the hull found so far are worth
the same at one r, their slope. One search there either finds a tree below both, a new point, or proves that
nothing lies between them, an edge.

High prices are easy and low ones hard, so the lowest comes last. To have a neighbour for the single leaf,
a trial is made there first: a search that is cut short. Its tree need not be optimal. Each gap is tried so
before any is searched to its proof: a path that a limit ends has trees of all sizes.

For m solutions that takes at most 2 m - 1 searches. No two searches have the same r. One is at the lower end
of the path, and m - 1 at most are at breakpoints. At any other r a single point is optimal, so it is neither
of the two neighbours, which are worth the same: such a search finds a solution that was not known. The single
leaf is known from the start, so there are m - 1 of these at most.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.exact.best_tree import objective_of
from treelib.sparse.leaf_limit import TRIAL_NODES, minimise_either
from treelib.sparse.problem_checks import check_problem
from treelib.table.checks import as_printed, check_count, check_limits, check_price, check_price_of_path

# with costs that are not whole numbers, values that differ by less than this fraction of the total are equal
TOLERANCE = 1e-10


class PathSolution(NamedTuple):
    """A tree that is optimal for every regularization from `regularization_low` to `regularization_high`.

    Attributes
    ----------
    n_leaves : int
    error : float
        Cost of the tree / total; with unit costs the fraction of misclassified samples.
    regularization_low, regularization_high : Fraction or float
        Fraction if all costs are whole numbers; `regularization_high` of the single leaf is infinity. At an
        endpoint shared by two solutions both are optimal, and so may be trees with an intermediate number of
        leaves.
    tree : Tree or ColumnTree
        `Tree` if the path comes from the estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from treelib.sparse.regularization_path import regularization_path
    >>> columns, costs = np.array([[0], [0], [1]]), np.array([[0, 1], [0, 1], [1, 0]])
    >>> solution = regularization_path(columns, costs, 0.01).at(0.1)
    >>> solution.n_leaves, solution.error
    (2, 0.0)
    >>> solution.regularization_low, solution.regularization_high
    (Fraction(1, 100), Fraction(1, 3))
    """

    n_leaves: int
    error: float
    regularization_low: Fraction
    regularization_high: Fraction
    tree: object


class RegularizationPath(NamedTuple):
    """The solutions of a path, from the single leaf to the lowest regularization.

    Attributes
    ----------
    solutions : tuple of PathSolution
        Neighbours share an endpoint, so they cover all regularizations from `min_regularization` upwards.
    status : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    proved : tuple of pairs (low, high), ascending
        The intervals of regularization on which the solution is proved optimal. Elsewhere it is the best tree
        found. A single pair covering everything if `status` is "optimal".
    n_searches : int
        Number of searches, at most ``2 * len(solutions) - 1`` if `status` is "optimal". Trials that ended
        without proof are not counted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import OptimalSparseTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> path = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(
    ...     X, y, min_regularization=0.02
    ... )
    >>> [solution.n_leaves for solution in path.solutions], path.is_optimal
    ([1, 2, 3], True)
    >>> path.at(0.1).n_leaves
    3
    """

    solutions: tuple
    status: str
    proved: tuple
    n_searches: int

    @property
    def is_optimal(self):
        return self.status == OPTIMAL

    def at(self, regularization):
        """The solution for a regularization; at a shared endpoint the one with fewer leaves.

        Parameters
        ----------
        regularization : float or Fraction
            A float is taken as the decimal that it prints as, here as in `min_regularization`.

        Returns
        -------
        PathSolution
            The solution.
        """
        check_price_of_path("regularization", regularization)
        for solution in self.solutions:
            if as_printed(regularization) >= as_printed(solution.regularization_low):
                return solution
        raise ValueError(
            f"regularization={regularization!r} is below {float(self.solutions[-1].regularization_low)}, "
            "where the path ends; ask for a path with a lower min_regularization."
        )


class _Point(NamedTuple):
    leaves: int
    cost: Fraction
    tree: ColumnTree

    def value(self, price):
        return self.cost + price * self.leaves


def regularization_path(
    columns,
    costs,
    min_regularization,
    *,
    total=None,
    max_depth=None,
    max_leaves=None,
    initial=None,
    n_jobs=1,
    budget=None,
    others=(),
):
    """Every distinct optimal tree from the single leaf down to `min_regularization`.

    Distinct in their place on the hull: of the trees that are optimal for the same regularizations one is
    returned, and a tree that is optimal at a single breakpoint only is not part of the path.

    Parameters
    ----------
    columns, costs, total, max_depth, initial, budget : as in `treelib.sparse.exact.minimise.minimise`. The
        limits of the budget are those of all searches together.
    min_regularization : Fraction or float, not negative; a float stands for the decimal it is printed as.
    max_leaves : int or None, keep to trees with at most so many leaves.
    n_jobs : int, searches of a round that run in threads at the same time. It changes no answer.
    others : list of (n_leaves, mean cost, tree); where a limit ended the search, those of them become
        solutions that are better than what it found

    Returns
    -------
    RegularizationPath with a `ColumnTree` in every solution. Breakpoints are exact for whole-number costs
    whose sum is below about 1e9; beyond that the search rounds (see
    `treelib.sparse.exact.minimise.TOLERANCE`).
    """
    check_price("min_regularization", min_regularization)
    check_limits(max_depth=max_depth, max_leaves=max_leaves)
    check_count("n_jobs", n_jobs)
    search = _PathSearch(columns, costs, min_regularization, total, n_jobs, budget)
    given = search.columns, search.costs  # checked
    solve = partial(minimise_either, *given, max_depth=max_depth, max_leaves=max_leaves, check_input=False)
    return search.run(solve, initial, others)


class _PathSearch:
    """Points, searches and proofs of a path so far. Prices are regularizations in units of the costs."""

    def __init__(self, columns, costs, min_regularization, total, n_jobs, budget):
        self.columns, self.costs, total = check_problem(columns, costs, total)
        self.is_exact = total.is_integer() and np.array_equal(self.costs, np.rint(self.costs))
        self.total = Fraction(total)
        self.lowest = self.total * as_printed(min_regularization)
        # relative to what there is to win, not to the weight: costs may be of any size beside it
        by_class = self.costs.sum(axis=0)
        self.tolerance = 0 if self.is_exact else TOLERANCE * Fraction(float(by_class.min()))
        self.n_jobs = n_jobs
        self.budget = Budget() if budget is None else budget
        leaf = self._point(ColumnTree.leaf(by_class.argmin()))
        self.points = [leaf]
        # price -> proven optimum there; at the cost of the single leaf, no split can pay for its leaf
        self.optimum = {leaf.cost: leaf.value(leaf.cost)}
        self.n_searches = 0

    def run(self, solve, initial, others=()):
        """Search until every edge of the hull is proved or a limit is met; returns the path."""
        status = self.budget.status or OPTIMAL
        if status == OPTIMAL and self.points[0].cost > self.lowest:
            try:
                tasks, tried = [(self.lowest, initial)], set()
                while tasks and status == OPTIMAL:
                    new = [task for task in tasks if task[0] not in tried]
                    status = self._round(new or tasks, solve, is_trial=bool(new))
                    tried.update(price for price, _ in new)
                    tasks = self._open_tasks()
                    self._show(len(tasks))
            except KeyboardInterrupt:
                status = INTERRUPTED
            self._show(len(self._open_tasks()), last=True)
        if status != OPTIMAL:
            for leaves, cost, tree in others:
                cost = cost * float(self.total)
                self.points.append(_Point(leaves, Fraction(round(cost) if self.is_exact else cost), tree))
        return self._path(status)

    def _round(self, tasks, solve, is_trial=False):
        """Solve all `tasks`, pairs of a price and a tree to start from; returns the worst status. Trials may
        end without proof."""

        def work(task):
            price, initial = task
            return solve(
                float(price / self.total),
                total=float(self.total),
                initial=initial,
                budget=self.budget.share(node_limit=TRIAL_NODES if is_trial else None),
            )

        status = OPTIMAL
        for (price, _), result in zip(tasks, _map(work, tasks, self.n_jobs, self.budget), strict=True):
            self.n_searches += result.is_optimal or not is_trial
            point = self._point(result.tree)
            best = min(known.value(price) for known in self.points)
            if point.value(price) < best - self.tolerance:
                self.points.append(point)
                best = point.value(price)
            if result.is_optimal:
                self.optimum[price] = best
            elif not is_trial:
                status = result.status
            else:
                status = self.budget.exceeded() or OPTIMAL
        return status

    def _open_tasks(self):
        """Price of every edge of the hull that is not proved, with the tree of its fewer leaves; where all
        are, the lowest price, unless that is proved too. High prices, which are easy, come first."""
        hull = _lower_hull(self.points)
        tasks = [(_slope(a, b), a.tree) for a, b in pairwise(hull)]
        tasks = [task for task in tasks if task[0] > self.lowest and not self._is_proved(task[0])]
        if tasks or self._is_proved(self.lowest):
            return tasks
        return [(self.lowest, min(hull, key=lambda point: point.value(self.lowest)).tree)]

    def _is_proved(self, price):
        return any(abs(price - known) <= self.tolerance for known in self.optimum)

    def _point(self, tree):
        return _Point(tree.n_leaves, Fraction(objective_of(tree, self.columns, self.costs, 0.0, 1.0)), tree)

    def _path(self, status):
        hull = _lower_hull(self.points)
        breaks = [_slope(a, b) for a, b in pairwise(hull)]
        n_kept = 1 + sum(price > self.lowest + self.tolerance for price in breaks)
        highs = [math.inf, *breaks][:n_kept]
        lows = [*breaks[: n_kept - 1], self.lowest]
        solutions = tuple(
            PathSolution(
                point.leaves,
                float(point.cost / self.total),
                self._regularization(low),
                self._regularization(high),
                point.tree,
            )
            for point, low, high in zip(hull[:n_kept], lows, highs, strict=True)
        )
        proved = tuple(tuple(map(self._regularization, pair)) for pair in self._proved(hull[:n_kept]))
        return RegularizationPath(solutions, status, proved, self.n_searches)

    def _proved(self, points):
        """Intervals of prices with proof: a tree optimal at two prices is so between them (concavity)."""
        intervals = []
        for point in reversed(points):
            at = [
                max(price, self.lowest)
                for price, best in self.optimum.items()
                if point.value(price) <= best + self.tolerance
            ]
            if point.leaves == 1:
                at.append(math.inf)
            if not at or min(at) == max(at):
                continue
            if intervals and abs(intervals[-1][1] - min(at)) <= self.tolerance:
                intervals[-1] = (intervals[-1][0], max(at))
            else:
                intervals.append((min(at), max(at)))
        return intervals

    def _regularization(self, price):
        if price == math.inf:
            return math.inf
        return price / self.total if self.is_exact else float(price / self.total)

    def _show(self, n_open, last=False):
        self.budget.show(
            f"{len(_lower_hull(self.points))} trees  {n_open} gaps open  "
            f"{self.n_searches} searches  {self.budget.used()[0]:,} nodes",
            last=last,
        )


def _map(work, tasks, n_jobs, budget):
    """Results of ``work(task)`` in order; Ctrl-C stops every search and keeps what they have."""
    if n_jobs == 1 or len(tasks) == 1:
        results = []
        for task in tasks:
            results.append(work(task))
            if results[-1].status == INTERRUPTED:
                budget.stop()
        return results
    with ThreadPoolExecutor(n_jobs) as threads:
        futures = [threads.submit(work, task) for task in tasks]
        try:
            return [future.result() for future in futures]
        except KeyboardInterrupt:
            budget.stop()
            return [future.result() for future in futures]


def _lower_hull(points):
    """Vertices of the lower convex hull by ascending leaves and falling cost; the first has one leaf."""
    hull = []
    for point in sorted(points, key=lambda point: point[:2]):
        if hull and point.cost >= hull[-1].cost:
            continue
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _slope(a, b):
    """Price at which two points are worth the same."""
    return (a.cost - b.cost) / (b.leaves - a.leaves)
