"""Plain-Python twin of `treelib.sparse.paper.branch_and_bound`: heapq, dictionaries, rows as int bits.

It follows the paper's Algorithm 1 and the conventions behind its printed counts line by line, on unmerged
rows, and is slow on purpose. Floating-point sums run in the same order as in the kernels, so that counts,
which depend on ties, must agree exactly.
"""

import heapq
import itertools
import math
from dataclasses import dataclass, field

ALL_BOUNDS = frozenset(
    {
        "node_support",
        "incremental_accuracy",
        "accuracy",
        "lookahead",
        "equivalent_points",
        "leaf_count",
        "permutation",
    }
)


@dataclass
class Leaf:
    literals: frozenset  # of (column, value)
    rows: int  # bit i: row i is captured
    n_rows: int
    n_correct: int
    loss: float
    equivalent: float  # b0 of the paper
    entropy: float  # times n_rows
    dead: set = field(default_factory=set)


@dataclass
class State:
    leaves: list
    mask: tuple  # True: the leaf is split next
    bound: float
    metric: float

    def __lt__(self, other):
        return self.metric < other.metric


def plain_sum(numbers):
    """Left to right, without the compensation that `sum` applies from Python 3.12 on."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def gini_order(columns, y):
    """Columns by descending Gini reduction at the root; of equal ones, the last comes first."""
    n = len(y)

    def gini(labels):
        p = sum(labels) / len(labels) if labels else 0
        return 2 * p * (1 - p)

    reduction = []
    for column in columns:
        false = [b for a, b in zip(column, y, strict=True) if not a]
        true = [b for a, b in zip(column, y, strict=True) if a]
        reduction.append(gini(y) - len(false) / n * gini(false) - len(true) / n * gini(true))
    return sorted(range(len(columns)), key=reduction.__getitem__)[::-1]


class NaiveSearch:
    """One search; `run` returns (objective, leaves as sets of (column, value), evaluated, to optimum)."""

    def __init__(self, X, y, regularization, policy="curiosity", bounds=ALL_BOUNDS, convention="sound"):
        columns = [[int(row[j]) for row in X] for j in range(len(X[0]))]
        y = [int(label) for label in y]
        self.order = gini_order(columns, y)
        self.n, self.p = len(y), len(columns)
        self.regularization, self.policy, self.convention = regularization, policy, convention
        self.bounds = bounds
        self.columns = [to_bits(columns[j]) for j in self.order]
        self.everything = (1 << self.n) - 1
        self.ones = to_bits(y)
        self.minority = to_bits(minority_marks(X, y))
        self.leaf_cache, self.tree_cache, self.queue = {}, set(), []
        self.n_evaluated = self.n_evaluated_to_optimum = 0

    def run(self, warm_start=None):
        """`warm_start`: an objective that is known to be reached, or None."""
        root = self.leaf(frozenset(), self.everything, set())
        self.best = plain_sum([root.loss]) + self.regularization
        self.best_leaves = [root]
        if warm_start is not None and warm_start < self.best:
            self.best, self.best_leaves = warm_start, None
        heapq.heappush(self.queue, State([root], (True,), self.regularization, 0.0))
        while self.queue:
            state = heapq.heappop(self.queue)
            if not self.hopeless(state):
                self.expand(state)
        leaves = self.best_leaves and [
            frozenset((self.order[j], value) for j, value in leaf.literals) for leaf in self.best_leaves
        ]
        return self.best, leaves, self.n_evaluated, self.n_evaluated_to_optimum

    def leaf(self, literals, rows, dead):
        if literals not in self.leaf_cache:
            n_rows = rows.bit_count()
            n_ones = (rows & self.ones).bit_count()
            n_wrong = min(n_ones, n_rows - n_ones)
            p = n_wrong / n_rows if n_rows else 0
            entropy = (-p * math.log2(p) - (1 - p) * math.log2(1 - p)) * n_rows if p else 0.0
            equivalent = (rows & self.minority).bit_count() / self.n
            self.leaf_cache[literals] = Leaf(
                literals, rows, n_rows, n_rows - n_wrong, n_wrong / self.n, equivalent, entropy, set(dead)
            )
        return self.leaf_cache[literals]

    def hopeless(self, state):
        split = [leaf for leaf, chosen in zip(state.leaves, state.mask, strict=True) if chosen]
        length = len(state.leaves)
        if "leaf_count" in self.bounds:
            limit = min(length + math.floor((self.best - state.bound) / self.regularization), 2**self.p)
            if length + len(split) > limit:
                return True
            if self.convention == "paper" and length + len(split) == limit:
                return True
        bound = state.bound
        if "equivalent_points" in self.bounds:
            bound += plain_sum(leaf.equivalent for leaf in split)
        if "lookahead" in self.bounds:
            bound += len(split) * self.regularization
        return bound >= self.best

    def expand(self, state):
        unchanged = [leaf for leaf, chosen in zip(state.leaves, state.mask, strict=True) if not chosen]
        split = [leaf for leaf, chosen in zip(state.leaves, state.mask, strict=True) if chosen]
        similar = SimilarSupport(self, unchanged, split)
        for features in itertools.product(*(self.candidates(leaf) for leaf in split)):
            if "similar_support" in self.bounds and similar.hopeless(features):
                continue
            new = self.children(split, features)
            if new is None:
                continue
            similar.remember(features, new)
            leaves = unchanged + new
            key = frozenset(leaf.literals for leaf in leaves)
            if "permutation" in self.bounds:
                if key in self.tree_cache:
                    continue
                self.tree_cache.add(key)
            objective = plain_sum(leaf.loss for leaf in leaves) + self.regularization * len(leaves)
            if objective < self.best:
                self.best, self.best_leaves = objective, leaves
                self.n_evaluated_to_optimum = self.n_evaluated + 1
            for new_mask in self.masks(split, new):
                mask = (False,) * len(unchanged) + new_mask
                self.n_evaluated += 1
                heapq.heappush(self.queue, self.state(leaves, mask, objective))

    def candidates(self, leaf):
        """Columns that `leaf` may be split on. The paper's preset leaves their order to Python's set."""
        used = {column for column, _ in leaf.literals}
        if self.convention == "paper":
            numbers = set(range(1, self.p + 1)) - {j + 1 for j in used} - {j + 1 for j in leaf.dead}
            return [number - 1 for number in numbers]
        return [j for j in range(self.p) if j not in used and j not in leaf.dead]

    def children(self, split, features):
        new = []
        for leaf, j in zip(split, features, strict=True):
            for value, column in ((0, ~self.columns[j]), (1, self.columns[j])):
                child = self.leaf(leaf.literals | {(j, value)}, leaf.rows & column, leaf.dead)
                if "accuracy" in self.bounds and child.n_correct / self.n <= self.regularization:
                    leaf.dead.add(j)
                    return None
                new.append(child)
        return new

    def masks(self, split, new):
        """Which of the new leaves are split next: all allowed choices, the last leaf fastest."""
        choices = [(False, True) if self.may_split(leaf) else (False,) for leaf in new]
        for mask in itertools.product(*choices):
            allowed = any(mask)
            for i, parent in enumerate(split):
                gain = parent.loss - new[2 * i].loss - new[2 * i + 1].loss
                if "incremental_accuracy" in self.bounds and gain <= self.regularization:
                    allowed &= mask[2 * i] or mask[2 * i + 1]
            if allowed:
                yield mask

    def may_split(self, leaf):
        if "node_support" in self.bounds and leaf.loss <= self.regularization:
            return False
        used = {column for column, _ in leaf.literals}
        return any(j not in used and j not in leaf.dead for j in range(self.p))

    def state(self, leaves, mask, objective):
        unchanged = [leaf for leaf, chosen in zip(leaves, mask, strict=True) if not chosen]
        n_unchanged = sum(leaf.n_rows for leaf in unchanged)
        bound = plain_sum(leaf.loss for leaf in unchanged) + self.regularization * len(leaves)
        if self.policy == "curiosity":
            metric = bound / (n_unchanged / self.n) if n_unchanged else bound / (0.01 / self.n)
        elif self.policy == "lower_bound":
            metric = bound
        elif self.policy == "objective":
            metric = objective
        elif self.policy == "entropy":
            metric = plain_sum(leaf.entropy for leaf in unchanged) / (n_unchanged or 0.01)
        elif self.policy == "breadth":
            metric = float(self.n_evaluated)
        else:
            metric = float(-self.n_evaluated)
        return State(leaves, mask, bound, metric)


class SimilarSupport:
    """Theorem F.1 among the children of one state that differ in the column of the last leaf only."""

    def __init__(self, search, unchanged, split):
        self.search, self.split = search, split
        self.unchanged_loss = plain_sum(leaf.loss for leaf in unchanged)
        self.n_leaves = len(unchanged) + 2 * len(split)
        self.known = {}

    def hopeless(self, features):
        leaf, columns = self.split[-1], self.search.columns
        for other, bound in self.known.get(features[:-1], ()):
            n_apart = (leaf.rows & (columns[other] ^ columns[features[-1]])).bit_count()
            omega = min(n_apart, leaf.n_rows - n_apart) / self.search.n
            if bound - omega >= self.search.best:
                return True
        return False

    def remember(self, features, new):
        """Keep a bound of a child and all that grows from it: every new leaf stays, or is split."""
        search = self.search
        price = search.regularization if "lookahead" in search.bounds else 0.0
        bound = self.unchanged_loss
        for leaf in new:
            equivalent = leaf.equivalent if "equivalent_points" in search.bounds else 0.0
            bound += min(leaf.loss, equivalent + price)
        bound += search.regularization * self.n_leaves
        self.known.setdefault(features[:-1], []).append((features[-1], bound))


def to_bits(marks):
    return sum(1 << i for i, mark in enumerate(marks) if mark)


def minority_marks(X, y):
    """1 for every row whose label is the minority among the rows equal to it (equal counts: label 0)."""
    counts = {}
    for row, label in zip(X, y, strict=True):
        counts.setdefault(tuple(row), [0, 0])[label] += 1
    return [
        int(label != (counts[tuple(row)][1] >= counts[tuple(row)][0]))
        for row, label in zip(X, y, strict=True)
    ]
