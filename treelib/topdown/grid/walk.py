"""All trees of one fold of `treelib.topdown.grid.fit_grid`, grown together.

Trees of neighbouring parameters agree in most of their nodes. All criteria of a fold therefore walk through
one growing tree of nodes together, and part where their best splits differ: a node is sorted, counted and
divided once, however many trees it is in, and what remains to be done for each criterion is to choose among
the few candidates that `treelib.topdown.grid.candidate_splits` leaves.
"""

from heapq import heappop, heappush
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from treelib.search.budget import Budget
from treelib.topdown.criteria import CUSTOM, evaluate, first_of_least
from treelib.topdown.grid import candidate_splits
from treelib.topdown.grow.impurity import TIE
from treelib.topdown.grow.learner import NO_LIMIT, check_range, sort_rows
from treelib.tree.stored import Tree

_POINTS_AT_ONCE = 1 << 18
_MEMBERS_AT_ONCE = 16  # criteria that share their work at least; of many points fewer are looked at then


class GridLimits(NamedTuple):
    """Limits of every tree: counts of rows, `max_splits` None for trees that are grown depth-first."""

    max_depth: int
    max_splits: int
    min_split: int
    min_leaf: int
    min_decrease: float


class _OpenNode(NamedTuple):
    """A node that may be split.

    node : int. codes : uint (n_features, n), its rows sorted by every feature
    test : intp array, its test rows, by their places in all of them
    group : intp array, criteria whose trees have it. level : int, its depth
    """

    node: int
    codes: np.ndarray
    test: np.ndarray
    group: np.ndarray
    level: int


class _BestSplit(NamedTuple):
    """A split of a node, and who makes it.

    group : intp array, criteria of which it is the best split
    decreases : float64 (2, k), for each of them how much it gains and how much more is better
    split : int32 (4,), feature, position and missing_left come first. point : int32 (n_classes,), counts on
        the left
    """

    group: np.ndarray
    split: np.ndarray
    point: np.ndarray
    decreases: np.ndarray


def _with_tables(codes, alphas, betas, n, check):
    """`Criteria` for counts up to `n`, with their tables."""
    kinds, each = {}, zip(codes.tolist(), alphas.tolist(), strict=True)
    table_of = [kinds.setdefault(kind, len(kinds)) for kind in each]
    tables = np.empty((len(kinds), n + 1))
    for table, (code, alpha) in zip(tables, kinds, strict=True):
        check()
        candidate_splits.fill_table(code, alpha, 0, table)
    return candidate_splits.Criteria(codes, alphas, betas, tables, np.array(table_of, dtype=np.intp))


def _pop_first_of_equal(waiting):
    """The node to split next, taken off a heap of (minus its decrease, number, margin, split): of the largest
    decreases, those equal but for rounding, the node made first (`treelib.topdown.grow.one_tree.choose`)."""
    equal = [heappop(waiting)]
    first = equal[0]
    while waiting and waiting[0][0] - first[0] <= max(waiting[0][2], first[2]):
        equal.append(heappop(waiting))
    chosen = min(equal, key=itemgetter(1))
    for one in equal:
        if one is not chosen:
            heappush(waiting, one)
    return chosen


class Walk:
    """All trees of one fold.

    Parameters
    ----------
    problem : Problem, of all rows. criteria : list of Criterion. limits : GridLimits
    train : intp array, row numbers. tests : list of such, groups of test rows
    budget : Budget or None, looked at every few milliseconds, here and in `grow`, which it may end

    Attributes
    ----------
    levels, counts, n_right : lists over the nodes of one or more trees: depth, int; counts of the classes,
        intp (n_classes,); of each group of test rows, those of the class that the node predicts, tuple of int
    splits : list of (node, feature, threshold, missing_left, left node, right node), of all nodes
    groups, decreases : lists over the splits: criteria that make it, intp array, and `_Choice.decreases`. Of
        other criteria the node is a leaf.

    These lists hold nothing that Python's collection of garbage looks into: with an object a node it took a
    sixth of the time, in pauses of .3 s.
    """

    def __init__(self, problem, criteria, limits, train, tests, budget=None):
        self.budget = Budget() if budget is None else budget
        self.check = check = self.budget.check
        self.problem, self.criteria, self.limits = problem, criteria, limits
        self.tests, test = [len(rows) for rows in tests], np.concatenate(tests)
        self.test_rows, self.test_classes = test, problem.y[test]
        self.group_ends = np.cumsum(self.tests)
        n, c = len(train), problem.n_classes
        self.n = n
        self.ordered = sort_rows(problem, train, check)
        codes = np.array([criterion.code for criterion in criteria], dtype=np.intp)
        alphas = np.array([criterion.alpha for criterion in criteria], dtype=float)
        betas = np.array([criterion.beta for criterion in criteria], dtype=float)
        scales = np.array([criterion.scale for criterion in criteria])
        self.least_decreases = limits.min_decrease * n / scales
        for criterion in {criterion.alpha: criterion for criterion in criteria}.values():
            check_range(criterion, n)
        self.kernel_criteria = _with_tables(codes, alphas, betas, n, check)
        own = codes == CUSTOM
        concave = np.array([criterion.is_strictly_concave(c) for criterion in criteria], dtype=bool)
        self.kinds = [kind for kind in (concave, ~concave & ~own, own) if kind.any()]
        self.concave = concave
        self.least_split = max(limits.min_split, 2 * limits.min_leaf)
        self.depth = limits.max_depth
        if limits.max_splits is not None:  # best-first trees are parts of the others
            self.depth = min(self.depth, limits.max_splits)
        is_missing = np.isnan(problem.X)
        self.has_missing = is_missing[train].any(axis=0)
        self.has_missing_anywhere = self.has_missing | is_missing[test].any(axis=0)
        self.goes_left = np.zeros(len(problem.X), dtype=np.uint8)
        room = max(_POINTS_AT_ONCE, 2 * n) + 1
        room = min(room, 2 * n * problem.X.shape[1] + 1)
        self.room = candidate_splits.make_room(room, n, c)
        self.scratch = np.empty((2, c)), np.empty((11, candidate_splits.AT_ONCE))
        self.levels, self.counts, self.n_right = [], [], []
        self.splits, self.groups, self.decreases = [], [], []
        self.chosen = []

    def grow(self):
        """Every node that some tree has, if trees are grown depth-first."""
        codes = self._codes()
        counts = np.empty(self.problem.n_classes, dtype=np.intp)
        candidate_splits.count_classes(codes[0], self.ordered.shift, counts)
        # criteria of one alpha side by side, since they share work; groups keep this order
        everyone = np.lexsort((self.kernel_criteria.alphas, self.kernel_criteria.codes))
        test = np.arange(len(self.test_rows))
        root, may_split = self._enter(counts, self.n, test, 0)
        waiting = [_OpenNode(root, codes, test, everyone, 0)] if may_split else []
        while waiting:
            self.check()
            task = waiting.pop()
            for choice in self._choices(task.codes, task.group, self.counts[task.node]):
                waiting += self._split(task, choice)

    def _codes(self):
        """Copy of the sorted rows with a last column of scratch, as the children have: arrays of one layout
        are one compiled kernel."""
        codes = self.ordered.codes
        padded = np.empty((codes.shape[0], codes.shape[1] + 1), dtype=codes.dtype)
        padded[:, -1] = 0
        padded[:, :-1] = codes
        return padded[:, :-1]

    def _enter(self, counts, n, test, level):
        """Number of a new node with these class counts of n rows and these test rows, by place and so group
        by group; and whether it may be split further."""
        predicted = counts.argmax()
        right = self.test_classes[test] == predicted
        if len(self.tests) == 1:
            n_right = (np.count_nonzero(right),)
        else:
            ends = np.searchsorted(test, self.group_ends).tolist()
            n_right = tuple(np.count_nonzero(right[a:b]) for a, b in pairwise([0, *ends]))
        self.levels.append(level)
        self.counts.append(counts)
        self.n_right.append(n_right)
        may_split = level < self.depth and n >= self.least_split and counts[predicted] < n
        return len(self.levels) - 1, may_split

    def _split(self, task, choice):
        """Make one split of a node; an `_OpenNode` for each of its two children that may be split further."""
        codes, test, level = task.codes, task.test, task.level + 1
        feature, position, missing_left, _ = choice.split.tolist()
        shift, X = self.ordered.shift, self.problem.X
        counts = choice.point.astype(np.intp), self.counts[task.node] - choice.point
        n_left = sum(choice.point.tolist())
        n_right = codes.shape[1] - n_left
        low, high = (X[codes[feature, at] >> shift, feature] for at in (position - 1, position))
        threshold = low / 2 + high / 2
        if high != high:  # a missing value
            threshold = np.inf
        elif not low <= threshold < high:
            threshold = low
        if not self.has_missing[feature] or not np.isnan(X[codes[feature, -1] >> shift, feature]):
            missing_left = int(n_left > n_right)  # nothing known: missing values go with the most rows
        x = X[self.test_rows[test], feature]
        goes_left = x <= threshold
        if missing_left and self.has_missing_anywhere[feature]:
            goes_left |= np.isnan(x)
        tests = test[goes_left], test[~goes_left]
        left, may_left = self._enter(counts[0], n_left, tests[0], level)
        right, may_right = self._enter(counts[1], n_right, tests[1], level)
        self.splits.append((task.node, feature, threshold, missing_left, left, right))
        self.groups.append(choice.group)
        self.decreases.append(choice.decreases)
        if not (may_left or may_right):
            return []
        candidate_splits.mark_sides(codes, shift, feature, position, missing_left, self.goes_left)
        parts = [np.empty((len(codes), m + 1), dtype=codes.dtype) for m in (n_left, n_right)]
        candidate_splits.take_sides(codes, shift, self.goes_left, *parts)
        return [
            _OpenNode(child, part[:, :-1], rows, choice.group, level)
            for child, part, rows, may in zip((left, right), parts, tests, (may_left, may_right), strict=True)
            if may
        ]

    def _choices(self, codes, group, counts):
        """A `_BestSplit` for each split that is the best of some criteria of `group`."""
        found = []
        for kind in self.kinds:
            members = group if len(self.kinds) == 1 else group[kind[group]]
            if len(members) == 0:
                continue
            own = self.kernel_criteria.codes[members[0]] == CUSTOM
            reduce = bool(self.concave[members[0]])
            splits, points = self._candidates(codes, counts, reduce)
            if len(points) == 0:
                continue
            best, costs = (self._best_own if own else self._best)(members, points, counts)
            decreases = costs[:, 1] - costs[:, 0]
            if reduce:
                # without gain, all points on a segment tie: the first of all is taken, as by the learner
                flat = decreases < 1e-9 * np.abs(costs[:, 1])
                if flat.any():
                    found += self._made(members[flat], *self._every(codes, counts, members[flat]))
                    members, best, costs = members[~flat], best[~flat], costs[~flat]
            found += self._made(members, best, costs, splits, points)
        return found

    def _every(self, codes, counts, members):
        """Best of all candidates, none left out: (best, costs, splits, points)."""
        splits, points = self._candidates(codes, counts, False)
        return *self._best(members, points, counts), splits, points

    def _made(self, members, best, costs, splits, points):
        """A `_BestSplit` for each split, without the criteria whose best split is not good enough."""
        decreases = np.stack([costs[:, 1] - costs[:, 0], TIE * np.abs(costs[:, 1])])
        good = decreases[0] >= self.least_decreases[members] - decreases[1]
        if not good.all():
            members, best, decreases = members[good], best[good], decreases[:, good]
        chosen = sorted(set(best.tolist()))
        if len(chosen) == 1:
            return [_BestSplit(members, splits[chosen[0]], points[chosen[0]], decreases)]
        made = []
        for choice in chosen:
            same = best == choice
            made.append(_BestSplit(members[same], splits[choice], points[choice], decreases[:, same]))
        return made

    def _best(self, members, points, counts):
        best, costs = np.zeros(len(members), dtype=np.intp), np.full((len(members), 2), np.inf)
        step, at_once = (
            max(_MEMBERS_AT_ONCE, _POINTS_AT_ONCE // len(points)),
            _POINTS_AT_ONCE // _MEMBERS_AT_ONCE,
        )
        for first in range(0, len(members), step):
            rows = slice(first, first + step)
            for start in range(0, len(points), at_once):
                self.check()
                some = start, min(start + at_once, len(points))
                found = best[rows], costs[rows]
                candidate_splits.best_points(
                    members[rows], self.kernel_criteria, points, some, counts, self.scratch, *found
                )
        return best, costs

    def _best_own(self, members, points, counts):
        best, costs = np.empty(len(members), dtype=np.intp), np.empty((len(members), 2))
        everything = np.vstack([points, counts - points, counts[None]]).astype(float)
        weight = everything.sum(axis=1)
        for g, member in enumerate(members):
            self.check()
            each = weight * evaluate(self.criteria[member].function, everything / weight[:, None])
            split_costs = each[: len(points)] + each[len(points) : -1]
            best[g] = first_of_least(split_costs, each[-1])
            costs[g] = split_costs[best[g]], each[-1]
        return best, costs

    def _candidates(self, codes, counts, reduce):
        """Splits that may be best, int32 (k, 4), and their points, int32 (k, n_classes), in order.

        `reduce`: only those that may be best for a concave criterion.
        """
        (n_features, m), taken = codes.shape, []
        step = max(1, (len(self.room.points) - 1) // (2 * m))
        for first in range(0, n_features, step):
            self.check()
            last = min(first + step, n_features)
            options = self.ordered.shift, self.limits.min_leaf, reduce, counts
            k = candidate_splits.list_candidates(codes, first, last, *options, self.room)
            taken.append((self.room.splits[:k].copy(), self.room.points[:k].copy()))
        return taken[0] if len(taken) == 1 else tuple(map(np.concatenate, zip(*taken, strict=True)))

    # ---- what a criterion's tree is ------------------------------------------------------------------

    def scores(self, limits):
        """What the trees are worth: of each of `limits` a list of float64 (n_criteria,), the accuracy on each
        group of test rows and on training rows, and the number of leaves.

        limits : sequence of (max_depth, max_splits): those of the walk first, then smaller ones, of which one
            is None. A smaller tree is a part of the larger, so nothing is grown again.
        """
        each = zip(self.n_right, self.counts, strict=True)
        worth = np.array([(*n_right, counts.max(), 1.0) for n_right, counts in each])
        most = max((splits for _, splits in limits if splits is not None), default=None)
        best_first = None if most is None else self._best_first_gains(worth, most)
        sizes = (*(max(1, n) for n in self.tests), self.n, 1)
        found = []
        for depth, splits in limits:
            table = worth[0] + (
                self._gains(worth, NO_LIMIT if depth is None else depth)
                if splits is None
                else np.array([gains[min(splits, len(gains) - 1)] for gains in best_first])
            )
            found.append([column / size for column, size in zip(table.T, sizes, strict=True)])
        return found

    def _gains(self, worth, depth):
        """What all splits of each criterion up to a depth add to the worth of the first node, float64
        (n_criteria, n_worths): a split takes back what its node gave, and adds its children."""
        numbers = [i for i, split in enumerate(self.splits) if self.levels[split[0]] < depth]
        splits = [(split[0], *split[4:]) for split in map(self.splits.__getitem__, numbers)]
        groups = [self.groups[i] for i in numbers]
        node, left, right = np.array(splits, dtype=np.intp).reshape(-1, 3).T
        gains = worth[left] + worth[right] - worth[node]
        who = np.concatenate([*groups, np.empty(0, dtype=np.intp)])
        lengths = [len(group) for group in groups]
        n = len(self.criteria)
        return np.stack([np.bincount(who, np.repeat(gain, lengths), n) for gain in gains.T], axis=1)

    def _best_first_gains(self, worth, most):
        """The same of best-first trees after 0, 1, ... splits, of each criterion float64 (n + 1,
        n_worths)."""
        found = []
        for c in range(len(self.criteria)):
            self.check()
            made = [(split[0], *split[4:]) for split in self._leaves_and_splits(c, most)[1]]
            node, left, right = np.array(made, dtype=np.intp).reshape(-1, 3).T
            gains = np.zeros((len(made) + 1, worth.shape[1]))
            np.cumsum(worth[left] + worth[right] - worth[node], axis=0, out=gains[1:])
            found.append(gains)
        return found

    def _leaves_and_splits(self, criterion, max_splits):
        """Nodes that are leaves of a criterion's tree, and its splits, in the order in which they are made;
        `max_splits` None: depth-first, without a limit."""
        if not self.chosen:
            self.chosen = [{} for _ in self.levels]
            for split, group, decreases in zip(self.splits, self.groups, self.decreases, strict=True):
                of_node = self.chosen[split[0]]
                for c, decrease in zip(group.tolist(), decreases.T.tolist(), strict=True):
                    of_node[c] = split, *decrease
        best_first = max_splits is not None
        most = max_splits if best_first else NO_LIMIT
        leaves, made, waiting = [], [], []
        fresh = [0]
        n_nodes = 0
        while True:
            for node in fresh:
                choice = self.chosen[node].get(criterion)
                if choice is None:
                    leaves.append(node)
                else:
                    split, decrease, margin = choice
                    rank = (-decrease, n_nodes, margin) if best_first else (n_nodes, n_nodes, 0.0)
                    heappush(waiting, (*rank, split))
                n_nodes += 1
            if not waiting or len(made) >= most:
                break
            split = _pop_first_of_equal(waiting)[-1]
            made.append(split)
            fresh = split[4:]
        return leaves + [split[0] for *_, split in waiting], made

    def tree(self, criterion):
        """`Tree` of one criterion."""
        leaves, made = self._leaves_and_splits(criterion, self.limits.max_splits)
        ids = {node: i for i, node in enumerate([split[0] for split in made] + leaves)}
        n_nodes, n_inner = len(ids), len(made)
        left, right = np.full((2, n_nodes), -1)
        feature, threshold = np.full(n_nodes, -2), np.full(n_nodes, -2.0)
        missing = np.zeros(n_nodes, dtype=np.intp)
        for i, split in enumerate(made):
            feature[i], threshold[i], missing[i] = split[1:4]
            left[i], right[i] = ids[split[4]], ids[split[5]]
        assert n_nodes == 2 * n_inner + 1
        counts = np.array([self.counts[node] for node in ids])
        return Tree(
            children_left=left,
            children_right=right,
            feature=feature,
            threshold=threshold,
            value=counts,
            n_features=self.problem.X.shape[1],
            n_node_samples=counts.sum(axis=1),
            missing_go_to_left=missing,
            features_with_missing=np.flatnonzero(self.has_missing),
        )
