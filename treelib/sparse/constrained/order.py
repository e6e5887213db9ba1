"""Which leaves must keep an order, and which labels a leaf leaves to the rows around it.

The predictions rise with a feature when no step in that feature alone, all others held, makes the label fall.
So two leaves are in order when their boxes lie apart in an ordered feature and meet in all others; every
other pair may have any labels. A box is a dict from slot to the first and last code of a row in it; slots
that the path does not test are left out.
"""

import numpy as np

from treelib.table.checks import go_on


class Order:
    """The order of leaves of one `ConstrainedProblem`."""

    def __init__(self, problem):
        self.problem = problem
        self.last = [int(last - first) for first, last in zip(problem.start, problem.start[1:], strict=False)]
        self.direction = problem.direction.tolist()
        self.category = problem.category.tolist()
        self.has_missing = problem.has_missing.tolist()
        self._known = {}

    def cut(self, box, column, side):
        """The part of a box on one side of a column."""
        slot = int(self.problem.slot[column])
        rank = column - int(self.problem.start[slot])
        low, high = box.get(slot, (0, self.last[slot]))
        return {**box, slot: (max(low, rank + 1), high) if side else (low, min(high, rank))}

    def relation(self, one, other):
        """1 where the label of `one` must not be above that of `other`, -1 where not below, else 0."""
        apart, is_below = -1, False
        for slot, (low, high) in one.items():
            if slot in other:
                low_other, high_other = other[slot]
                if high < low_other or high_other < low:
                    if apart >= 0 or not self.direction[slot]:
                        return 0
                    apart, is_below = slot, high < low_other
        if apart < 0 or self._ask_two_categories(one, other):
            return 0
        upper = other if is_below else one
        if self._only_missing(apart, upper[apart][0]):
            return 0
        return self.direction[apart] if is_below else -self.direction[apart]

    def pairs(self, boxes, check=go_on):
        """(i, j) of all leaves where the label of i must not be above that of j. `check` is asked a leaf."""
        low, high = np.zeros((len(boxes), len(self.last)), int), np.tile(self.last, (len(boxes), 1))
        found, ordered = [], np.flatnonzero(self.direction)
        for i, box in enumerate(boxes):
            check()
            for slot, ends in box.items():
                low[i, slot], high[i, slot] = ends
            apart = (high[i] < low[:i]) | (high[:i] < low[i])
            may = apart[:, ordered].any(axis=1) & (apart.sum(axis=1) == 1)
            for j in np.flatnonzero(may).tolist():
                relation = self.relation(boxes[j], box)
                if relation:
                    found.append((j, i) if relation > 0 else (i, j))
        return found

    def _only_missing(self, slot, low):
        return self.has_missing[slot] and low == self.last[slot]

    def _ask_two_categories(self, one, other):
        """Whether one leaf asks for a category and the other for another one of the same column."""
        chosen = {}
        for box in (one, other):
            for slot, (low, _) in box.items():
                column = self.category[slot]
                if column >= 0 and low > 0 and chosen.setdefault(column, slot) != slot:
                    return True
        return False

    def around(self, box):
        """Rows that the order puts above a leaf, and those below it: two ints."""
        above = below = self.problem.everything
        for slot, (low, high) in box.items():
            at_least, at_most = self._at_least(slot, low), self._at_most(slot, high)
            inside = at_least & at_most
            up = down = inside
            if self.direction[slot] and not self._only_missing(slot, low):
                numbers = self._at_most(slot, self.last[slot] - 1) if self.has_missing[slot] else -1
                up, down = inside | (at_least & numbers), inside | (at_most & numbers)
                if self.direction[slot] < 0:
                    up, down = down, up
            above, below = above & up, below & down
        return above, below

    def _at_least(self, slot, code):
        problem = self.problem
        return problem.masks[problem.start[slot] + code - 1] if code > 0 else problem.everything

    def _at_most(self, slot, code):
        problem = self.problem
        if code >= self.last[slot]:
            return problem.everything
        return problem.everything ^ problem.masks[problem.start[slot] + code]


def best_labels(costs, pairs, most_steps=20_000):
    """Labels of least cost that keep an order.

    Parameters
    ----------
    costs : list of lists, cost of each class for each leaf
    pairs : list of (i, j), the label of i must not be above that of j
    most_steps : int, choices tried before the best labels so far are taken

    Returns
    -------
    list of int, a label each leaf; they keep the order in any case
    """
    n, n_classes = len(costs), len(costs[0])
    sums = [sum(cost[k] for cost in costs) for k in range(n_classes)]
    best, least = [sums.index(min(sums))] * n, min(sums)
    rest = [0.0] * (n + 1)  # at least so much is paid from a leaf on
    for i in range(n - 1, -1, -1):
        rest[i] = rest[i + 1] + min(costs[i])
    if not pairs:
        return best if least <= rest[0] else [cost.index(min(cost)) for cost in costs]
    not_above, not_below = [[] for _ in costs], [[] for _ in costs]  # by the later leaf of a pair
    for i, j in pairs:
        if i < j:
            not_above[j].append(i)
        else:
            not_below[i].append(j)
    labels, steps, todo = [0] * n, 0, [(0, 0.0, 0)]
    while todo and steps < most_steps:
        steps += 1
        at, paid, label = todo.pop()
        if at:
            labels[at - 1] = label
        if paid + rest[at] >= least:
            continue
        if at == n:
            best, least = labels.copy(), paid
            continue
        low = max((labels[i] for i in not_above[at]), default=0)
        high = min((labels[j] for j in not_below[at]), default=n_classes - 1)
        cheapest_first = sorted(range(low, high + 1), key=costs[at].__getitem__)
        todo += [(at + 1, paid + costs[at][k], k) for k in reversed(cheapest_first)]
    return best
