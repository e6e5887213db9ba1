"""The lower bound of a search that takes long: the rows in parts, each with a best tree of its own.

The objective of a tree is the mean of its objectives on parts of the rows, weighted by what the parts weigh.
So no tree costs less than the mean of the parts' optima. A small part is solved in a moment, but its best
tree fits its noise; of n rows labelled with one error in ten, parts of 500 rows show nine tenths of the
errors, parts of 4,000 nearly all. So parts are joined two by two where all are solved. A union costs at least
what both parts did, which makes the bound rise with every part that ends.

A search goes through the cuts of the root one by one, and of a million rows it knows little before it ends.
"""

from collections import deque
from itertools import zip_longest

import numpy as np

from treelib.sparse.continuous.prepare import Data
from treelib.sparse.continuous.sorting import sort_rows

# rows of the first part, for each leaf of a tree; cells of the largest
ROWS_A_LEAF, MOST_CELLS = 32, 2**19
# a part that is solved in fewer steps is too small: the next has twice its rows (a million rows of twenty
# columns, depth three: the parts of 512, 1,024, 2,048, 4,096 and 8,192 rows take 25, 17, 16, 15 and 17 s)
FEW_STEPS = 8


class Parts:
    """The parts of the rows of a search.

    Parameters
    ----------
    search : Search of a limited depth. The parts raise its `floor`; what the one at hand keeps counts among
        its bytes.

    Attributes
    ----------
    lower : float, a lower bound of the cost of every tree of the search
    """

    def __init__(self, search):
        rows = search.rows
        n, p = rows.order.shape[1], rows.order.shape[0]
        self.search, self.lower, self.own = search, 0.0, None
        self.weight = np.abs(rows.weight).astype(np.float64)
        self.regularization = search.numbers.price / rows.total
        self.most = MOST_CELLS // p
        self.mixed = np.random.default_rng(20261123).permutation(n)
        self.size = max(1, min(self.most, int(ROWS_A_LEAF * 2 ** min(search.depth, 10))))
        # the rows of each, and what its trees cost at least
        self.waiting, self.solved = deque(), []

    @property
    def promise(self):
        """What the bound comes to if the rows that wait are like those before; infinity before the first."""
        n, n_left = len(self.weight), len(self.mixed)
        return self.lower * n / (n - n_left) if self.solved or not n_left else np.inf

    def run(self, budget, until):
        """Work to `until`, in seconds of the budget; raises `Stopped` at its limit."""
        search = self.search
        while budget.seconds < until and self.step(budget):
            budget.check()
            if not search.has_room_beside(self.own, budget) and self.own is not None:
                self.most = len(self.part) // 2  # the search itself may have room: no more of that size
                self._put_aside()
        search.floor = max(search.floor, self.lower)

    def step(self, budget):
        """Work on a part for a moment; False where none is left."""
        if self.own is None and not (self.most and self._begin(budget)):
            return False
        self._learn(self.own.is_leaf or self.own.step())
        return True

    def _begin(self, budget):
        """Sort the rows of the next part; False where none is left."""
        if len(self.mixed):
            size = min(self.size, self.most, max(len(self.mixed) // 2, 1))
            self.waiting.append((self.mixed[:size], 0.0))
            self.mixed = self.mixed[size:]
        if not self.waiting:
            self._join()
        if not self.waiting:
            return False
        search = self.search
        self.part, self.known = self.waiting.popleft()
        part, rows = self.part, search.rows
        X, y, weight = search.data.X[rows.rows[part]], rows.classes[part], self.weight[part]
        own = sort_rows(X, y, weight, budget.check)
        data = Data(X, y, weight, search.data.n_classes, self.regularization)
        self.own = type(search)(own, data, search.max_depth)
        return True

    def _learn(self, is_solved):
        """Take over what the part at hand costs at least."""
        own = self.own
        cost = own.best - (own.numbers.tolerance if own.numbers.price else 0.0) if is_solved else own.lower
        known = max(self.known, own.rows.base + cost / own.rows.scale)
        self.lower += known - self.known
        self.known = known
        if is_solved:
            if own.steps < FEW_STEPS and 2 * self.size <= self.most:
                self.size *= 2
            self._put_aside()

    def _put_aside(self):
        self.solved.append((self.part, self.known))
        self.own = None

    def _join(self):
        """Solved parts two by two; of two the union would be all rows, which is the search itself."""
        if len(self.solved) <= 2:
            return
        solved, self.solved = self.solved, []
        for one, other in zip_longest(solved[::2], solved[1::2]):
            if other is not None and len(one[0]) + len(other[0]) <= self.most:
                self.waiting.append((np.concatenate([one[0], other[0]]), one[1] + other[1]))
            else:
                self.solved += [one] if other is None else [one, other]
