"""Sets of rows as Python integers, their trees of at most four leaves, and a memo of their optima.

The ground of the searches that ask for more than one optimum (`leaf_limit`, `rashomon`): plain recursions
over sets of rows, each set scored once by a kernel. The exact engine is faster for the one question it
answers.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.search.budget import INTERRUPTED, Stopped, go_on
from treelib.sparse.exact.reduction import merge_rows

# values that differ by less than this fraction of the total cost are equal
TOLERANCE = 1e-11
# pairs of columns times rows of a set that are scored under the eyes of the clock: from about 50 ms
LONG_SCORE = 10**8
# about what an entry of a memo takes in Python
ENTRY_BYTES = 400

# columns of `Scores.sides`
LEAF_FALSE, STUMP_FALSE, LEAF_TRUE, STUMP_TRUE, LIGHT = range(5)


class Scores(NamedTuple):
    """What the costs of pairs of columns say of a set.

    label : int, cheapest class, the first of equals. leaf : float, its cost.
    sides : float64 (p, 5): for each column the cost of the false side as a leaf and with its best single
        split, the same of the true side, and the weight of the lighter side (the sum of its rows' largest
        costs, negative where the column leaves a side empty).
    order : columns that split the set, by the cost of the best tree with two leaves a side.
    """

    label: int
    leaf: float
    sides: np.ndarray
    order: np.ndarray


class RowSets:
    """Merged rows and distinct columns of a problem, with the scores of the sets met so far.

    Equal rows become one, with the sum of their costs less what its cheapest class costs (`base_cost` in
    all); columns that are constant, or equal to or the opposite of one before, are left out. A set of rows
    is an int with bit i for merged row i.

    Parameters
    ----------
    columns : uint8 (n, p) of 0 and 1
    costs : float64 (n, n_classes), not negative
    check : callable of (number of sets, bytes held), asked at every `look`; to stop, it raises `Stopped`.
    watch : callable like `treelib.search.budget.Budget.watch`, for sets that take long to score; None: just
        do it.
    """

    def __init__(self, columns, costs, check, watch=None):
        self._check, self._watch = check, watch
        self._stop = np.zeros(1, np.int64)
        self._scores = {}
        self.n_bytes = 0
        columns = np.ascontiguousarray(columns).view(np.uint8)
        first, merged, _ = merge_rows(columns, np.ascontiguousarray(costs, dtype=np.float64), self.look)
        n_groups = len(first)
        self.n_bytes = merged.nbytes
        base = merged.min(axis=1)
        self.look()
        self.base_cost = float(base.sum())
        self.costs = merged - base[:, None]
        self.look()
        self.kept = distinct_columns(columns[first], self.look)
        self.columns = np.ascontiguousarray(columns[first][:, self.kept])
        self.n_rows = n_groups
        self.masks = [as_int(column) for column in self.columns.T]
        self.everything = (1 << n_groups) - 1
        # of the whole costs, whose rounding what is left of them carries
        self.tolerance = TOLERANCE * merged.max(axis=1, initial=0.0).sum()
        self.n_bytes = self.columns.nbytes + self.costs.nbytes

    @property
    def n_sets(self):
        return len(self._scores)

    def look(self, n_bytes=0):
        """Ask whether to go on, with so many bytes more; the answer no comes as an exception. About 3
        microseconds, so at every entry of a memo."""
        self._check(len(self._scores), self.n_bytes + n_bytes)

    def sides(self, rows, column):
        """The rows with a 0 and those with a 1."""
        true = rows & self.masks[column]
        return rows ^ true, true

    def scores(self, rows):
        """`Scores` of a set; a set seen before costs nothing."""
        known = self._scores.get(rows)
        if known is not None:
            return known
        whole, sides = self._score(members(rows, self.n_rows))
        value = sides[:, [STUMP_FALSE, STUMP_TRUE]].sum(axis=1)
        order = np.argsort(value, kind="stable")
        order = order[sides[order, LIGHT] >= 0]
        label = int(whole.argmin())
        scores = Scores(label, float(whole[label]), sides, order)
        self._scores[rows] = scores
        self.n_bytes += sides.nbytes + order.nbytes + rows.bit_length() // 8 + ENTRY_BYTES
        return scores

    def _score(self, rows):
        """`score_splits` of the set; raises `Stopped` where a limit ends it half-way."""
        work = partial(score_splits, self.columns, self.costs, rows, self._stop)
        if self._watch is None or len(self.kept) ** 2 * (len(rows) + self.costs.shape[1]) < LONG_SCORE:
            return work()
        scored = self._watch(work, lambda: self._stop.fill(1))
        if self._stop[0]:
            self.look()
            raise Stopped(INTERRUPTED)
        return scored


class Optima:
    """Memo of the least cost + price x leaves of sets of rows.

    Parameters
    ----------
    sets : RowSets
    price : float, leaf penalty in units of the costs
    """

    def __init__(self, sets, price):
        self.sets = sets
        self.price = price
        self._bounds = {}

    def lower(self, rows, depth, target=np.inf):
        """The optimum of a set with at most `depth` splits on a path (infinity: no limit), where it is below
        `target`; elsewhere a lower bound of it that is not below `target` (but for rounding)."""
        known = self._bounds.get((rows, depth))
        if known is None:
            self.sets.look()
            known = self._bounds[rows, depth] = self._first_bounds(rows, depth)
            self.sets.n_bytes += ENTRY_BYTES
        lower, upper = known
        goal = min(upper, target) - self.sets.tolerance
        if lower >= goal:
            return lower
        scores, price = self.sets.scores(rows), self.price
        least = np.inf
        for column in scores.order:
            sides = scores.sides[column]
            if sides[LIGHT] <= price:
                continue
            goal = min(upper, target) - self.sets.tolerance
            false, true = self.sets.sides(rows, column)
            low_false = self.lower(false, depth - 1, -np.inf)
            low_true = self.lower(true, depth - 1, -np.inf)
            if low_false + low_true < goal:
                low_false = self.lower(false, depth - 1, goal - low_true)
            if low_false + low_true < goal:
                low_true = self.lower(true, depth - 1, goal - low_false)
                if low_false + low_true < goal:
                    upper = low_false + low_true
            least = min(least, low_false + low_true)
        lower = min(upper, max(lower, least))
        self._bounds[rows, depth] = lower, upper
        return lower

    def _first_bounds(self, rows, depth):
        """(lower, upper): the best tree with two leaves a side; any other has four leaves or more."""
        scores, price = self.sets.scores(rows), self.price
        leaf = scores.leaf + price
        if depth == 0 or leaf <= 2 * price or len(scores.order) == 0:
            return leaf, leaf
        sides = scores.sides[scores.order] + price
        if depth > 1:
            sides[:, LEAF_FALSE] = np.minimum(sides[:, LEAF_FALSE], sides[:, STUMP_FALSE] + price)
            sides[:, LEAF_TRUE] = np.minimum(sides[:, LEAF_TRUE], sides[:, STUMP_TRUE] + price)
        upper = min(leaf, float((sides[:, LEAF_FALSE] + sides[:, LEAF_TRUE]).min()))
        return (upper if depth <= 2 else min(upper, 4 * price)), upper


def distinct_columns(columns, look=go_on):
    """Indices of the columns that are not constant, and not equal to or the opposite of one before.

    columns : uint8 (n, p). look : callable, asked between columns; to stop, it raises an exception. Returns
    intp (n_kept,).
    """
    kept, seen = [], set()
    for column in range(columns.shape[1]):
        look()
        values = columns[:, column] ^ columns[0, column]
        key = np.packbits(values).tobytes()
        if values.any() and key not in seen:
            seen.add(key)
            kept.append(column)
    return np.array(kept, dtype=np.intp)


def as_int(values):
    return int.from_bytes(np.packbits(values, bitorder="little").tobytes(), "little")


def members(rows, n_rows):
    """Indices of the bits of an int, int64."""
    packed = np.frombuffer(rows.to_bytes((n_rows + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(packed, bitorder="little"))


@kernel
def score_splits(columns, costs, rows, stop):
    """Costs of the small trees of a set: see `Scores`.

    Parameters
    ----------
    columns : uint8 (n, p); costs : float64 (n, n_classes); rows : int64 (size,), the set
    stop : int64 (1,), set to 1 by another thread to end the work; the answer then means nothing

    Returns
    -------
    whole : float64 (n_classes,), cost of the set as a leaf of each class
    sides : float64 (p, 5)

    O(size p^2 + p^2 n_classes) time, O(p^2 n_classes) memory.
    """
    p, n_classes = columns.shape[1], costs.shape[1]
    whole = np.zeros(n_classes)
    pair = np.zeros((n_classes, p, p))
    heavy = np.zeros(p)
    count = np.zeros(p, np.int64)
    ones = np.empty(p, np.int64)
    total = 0.0
    for i in rows:
        if stop[0]:
            break
        n_ones = 0
        for a in range(p):
            if columns[i, a]:
                ones[n_ones] = a
                n_ones += 1
        largest = costs[i].max()
        total += largest
        for s in range(n_ones):
            heavy[ones[s]] += largest
            count[ones[s]] += 1
        for k in range(n_classes):
            cost = costs[i, k]
            whole[k] += cost
            if cost > 0.0:
                for s in range(n_ones):
                    row = pair[k, ones[s]]
                    for t in range(s + 1):
                        row[ones[t]] += cost
    for k in range(n_classes):
        for a in range(p):
            for b in range(a):
                pair[k, b, a] = pair[k, a, b]
    sides = np.empty((p, 5))
    for a in range(p):
        if stop[0]:
            break
        leaf_true = pair[:, a, a].min()
        leaf_false = (whole - pair[:, a, a]).min()
        stump_true, stump_false = leaf_true, leaf_false
        for b in range(p):
            both, alone, other, neither = np.inf, np.inf, np.inf, np.inf
            for k in range(n_classes):
                value, single_a, single_b = pair[k, a, b], pair[k, a, a], pair[k, b, b]
                both = min(both, value)
                alone = min(alone, single_a - value)
                other = min(other, single_b - value)
                neither = min(neither, whole[k] - single_a - single_b + value)
            stump_true = min(stump_true, both + alone)
            stump_false = min(stump_false, other + neither)
        sides[a, LEAF_FALSE], sides[a, STUMP_FALSE] = leaf_false, stump_false
        sides[a, LEAF_TRUE], sides[a, STUMP_TRUE] = leaf_true, stump_true
        is_split = 0 < count[a] < rows.shape[0]
        sides[a, LIGHT] = min(heavy[a], total - heavy[a]) if is_split else -1.0
    return whole, sides
