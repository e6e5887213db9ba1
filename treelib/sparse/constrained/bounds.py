"""Memo of lower bounds: the best tree of a set of rows where only a part of the constraints is asked for.

Asked for, exactly: leaves large enough, the depth, features that must be tested below the set, and labels
that rows must not have. Of the order of predictions only that of two sister leaves: what it asks of leaves
further apart depends on where they lie, and not on their rows alone.
"""

from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from treelib.search.budget import INTERRUPTED, Stopped
from treelib.sparse.constrained.small_trees import LEAF, STUMP, WANTED, score_small_trees
from treelib.sparse.row_sets import ENTRY_BYTES, members

# steps of a kernel (columns x columns + rows x features x features) that are done under the eyes of the clock
LONG_SCORE = 10**7
# bytes of scores that are kept, the others are made again when asked for
MOST_SCORES = 2**28


class Scores(NamedTuple):
    """Costs of the small trees of a set, without the leaf penalty; see `score_small_trees`."""

    light: np.ndarray  # float64 (p,), no less than what the lighter side of a column costs under any labels
    own: np.ndarray
    sides: np.ndarray


class Bounds:
    """Lower bounds of sets of rows of a `ConstrainedProblem` at a leaf penalty, in units of the costs.

    A set comes with `forbidden`: a tuple of sets, for each class the rows that must not get it; () for none.
    `required` is a set of numbers of columns of the table as bits of an int.

    Parameters
    ----------
    problem : ConstrainedProblem
    price : float
    check : callable of (number of sets, bytes held), asked at every set; to stop, it raises `Stopped`.
    watch : callable like `treelib.search.budget.Budget.watch`, for sets that take long to score
    """

    def __init__(self, problem, price, check, watch):
        self.problem = problem
        self.price = price
        self._check, self._watch = check, watch
        self._stop = np.zeros(1, np.int64)
        self._scores, self._scores_bytes = {}, 0
        self._bounds = {}
        self.n_sets = 0
        self.n_bytes = problem.n_bytes

    def look(self):
        """Ask whether to go on; the answer no comes as an exception."""
        self._check(self.n_sets, self.n_bytes + self._scores_bytes)

    def leaf(self, rows, forbidden=()):
        """Cost of a set as a leaf of each class, float64 (n_classes,); infinity for one that is forbidden."""
        costs = self.problem.leaf_costs(rows)
        for k, part in enumerate(forbidden):
            if part:
                costs[k] = np.inf
        return costs

    def scores(self, rows, forbidden=(), levels=2):
        """`Scores` of a set: trees with so many levels of splits, 1 or 2."""
        key = rows, forbidden, levels
        known = self._scores.get(key)
        if known is not None:
            return known
        self.look()
        inside = members(rows, self.problem.n_rows)
        single, own, sides = self._score(inside, forbidden, levels)
        costs = single[:, 1 : 1 + self.problem.n_classes]
        total = self.problem.amounts[inside, 1:].sum(axis=0)
        light = np.minimum(costs.sum(axis=1), (total - costs).sum(axis=1))
        if self._scores_bytes > MOST_SCORES:
            self._scores.clear()
            self._scores_bytes = 0
        found = self._scores[key] = Scores(light, own, sides)
        self._scores_bytes += sum(part.nbytes for part in found) + ENTRY_BYTES
        self.n_sets += 1
        return found

    def _score(self, inside, forbidden, levels):
        problem, amounts = self.problem, self.problem.amounts
        if forbidden:
            forbids = np.zeros((problem.n_rows, problem.n_classes))
            for k, rows in enumerate(forbidden):
                forbids[members(rows, problem.n_rows), k] = 1.0
            amounts = np.hstack([amounts, forbids])
        sizes = np.array([problem.min_rows, problem.n_classes, problem.n_wanted, levels], dtype=np.int64)
        work = partial(
            score_small_trees,
            problem.codes,
            problem.start,
            problem.ordered,
            problem.wanted,
            amounts,
            sizes,
            inside,
            self._stop,
        )
        n_features = problem.codes.shape[1]
        if problem.n_columns**2 + len(inside) * n_features**2 < LONG_SCORE:
            return work()
        scored = self._watch(work, lambda: self._stop.fill(1))
        if self._stop[0]:
            self.look()
            raise Stopped(INTERRUPTED)
        return scored

    def lower(self, rows, depth, forbidden=(), required=0, target=np.inf):
        """The least cost of a tree with at most `depth` splits on a path that tests all of `required`, where
        it is below `target`; elsewhere a lower bound of it that is not below `target` (but for rounding).
        Infinity where there is no such tree."""
        depth = min(depth, rows.bit_count() - 1)
        if depth < 20 and required.bit_count() >= 1 << depth:
            return np.inf
        key = rows, depth, forbidden, required
        known = self._bounds.get(key)
        if known is None:
            known = self._bounds[key] = self._first(rows, depth, forbidden, required)
            self.n_bytes += ENTRY_BYTES
        lower, upper = known
        tolerance = self.problem.tolerance
        if lower >= min(upper, target) - tolerance:
            return lower
        if forbidden or required:  # a tree without these is no dearer
            lower = max(lower, self.lower(rows, depth, (), required if forbidden else 0, target))
            if lower >= min(upper, target) - tolerance:
                self._bounds[key] = lower, upper
                return lower
        least = np.inf
        scores = self.scores(rows, forbidden)
        for column in self.splits(scores, bool(forbidden or required)):
            goal = min(upper, target) - tolerance
            value = self.lower_of_split(rows, column, depth, forbidden, required, goal)
            upper = value if value < goal else upper
            least = min(least, value)
        lower = min(upper, max(lower, least))
        self._bounds[key] = lower, upper
        return lower

    def splits(self, scores, must_split=False):
        """Columns that may split a set, those with the best trees of four leaves first. One whose lighter
        side costs no more than a leaf under any labels can be left out, unless it has a reason of its own."""
        value = scores.sides[:, :, [LEAF, STUMP]].min(axis=2).sum(axis=1)
        order = np.argsort(value, kind="stable")  # of equal columns the first
        allowed = np.isfinite(value) if must_split else np.isfinite(value) & (scores.light > self.price)
        return order[allowed[order]].tolist()

    def lower_of_split(self, rows, column, depth, forbidden, required, goal):
        """As `lower`, of the trees that begin with a column; `goal` is the target."""
        false, true = self.problem.sides(rows, column)
        in_false = tuple(part & false for part in forbidden)
        in_true = tuple(part & true for part in forbidden)
        in_false, in_true = (part if any(part) else () for part in (in_false, in_true))
        if self.problem.wanted[column] >= 0:
            required &= ~(1 << int(self.problem.wanted[column]))
        least = np.inf
        for left in subsets(required):
            right = required ^ left
            low_false = self.lower(false, depth - 1, in_false, left, -np.inf)
            low_true = self.lower(true, depth - 1, in_true, right, -np.inf)
            aim = min(goal, least)
            if low_false + low_true < aim:
                low_false = self.lower(false, depth - 1, in_false, left, aim - low_true)
            if low_false + low_true < aim:
                low_true = self.lower(true, depth - 1, in_true, right, aim - low_false)
            least = min(least, low_false + low_true)
        return least

    def _first(self, rows, depth, forbidden, required):
        """(lower, upper): the best tree with two leaves a side; any other has four leaves or more."""
        best = np.inf if required else float(self.leaf(rows, forbidden).min()) + self.price
        if depth >= 1:
            scores = self.scores(rows, forbidden, min(depth, 2))
            best = min(best, float(self.small_trees(scores, depth, required).min(initial=np.inf)))
        if depth <= 2:
            return best, best
        return min(best, self.price * max(4, required.bit_count() + 1)), best

    def small_trees(self, scores, depth, required=0):
        """Least cost, with the leaf penalty, of the trees of depth one (or two, where `depth` allows it)
        that begin with each column and test `required`: float64 (p,)."""
        wanted, price = self.problem.wanted, self.price
        false, true = scores.sides[:, 0], scores.sides[:, 1]
        least = np.full(len(wanted), np.inf)
        for tested in (-1, *bits(required)):
            rest = required & ~(1 << tested) if tested >= 0 else required
            among = wanted == tested if tested >= 0 else slice(None)
            found = [scores.own[among] + 2 * price] if not rest else []
            for left in subsets(rest) if depth >= 2 and rest.bit_count() <= 2 else ():
                right = rest ^ left
                if left.bit_count() > 1 or right.bit_count() > 1:
                    continue
                shapes = [(f, t) for f in _shapes(left) for t in _shapes(right) if (f, t) != (LEAF, LEAF)]
                for f, t in shapes:
                    leaves = 2 + (f != LEAF) + (t != LEAF)
                    found.append(false[among, f] + true[among, t] + leaves * price)
            for values in found:
                least[among] = np.minimum(least[among], values)
        return least


def bits(number):
    """Places of the ones of an int."""
    return [at for at in range(number.bit_length()) if number >> at & 1]


def subsets(number):
    """All ints whose ones are among those of `number`."""
    places = bits(number)
    return [sum(1 << at for at in some) for n in range(len(places) + 1) for some in combinations(places, n)]


def _shapes(required):
    """Trees of a side that test what is required of it, at most one column of the table."""
    return (LEAF, STUMP) if not required else (WANTED + bits(required)[0],)
