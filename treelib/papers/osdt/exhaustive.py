"""Theorems of the paper, tried on all trees of many tiny random problems.

Rows are bits of a Python integer, a tree is None (a leaf) or ``(feature, no, yes)``, and everything is
counted in whole rows, so that no bound is missed, and none is kept, by rounding. A theorem that fails is as
much a result as one that holds: `try_theorems` counts both.
"""

import itertools
import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

N_FEATURES = 3


@dataclass
class Tally:
    """How often a statement was tried, and how often it failed."""

    n_tried: int = 0
    n_failed: int = 0

    def add(self, holds):
        self.n_tried += 1
        self.n_failed += not holds


@cache
def all_trees(features, depth):
    """All trees of at most `depth` over a tuple of features, the leaf first."""
    trees = [None]
    if depth:
        for i, feature in enumerate(features):
            below = all_trees(features[:i] + features[i + 1 :], depth - 1)
            trees += [(feature, no, yes) for no in below for yes in below]
    return trees


@cache
def leaves_of(tree, path=()):
    """Leaves of a tree from left to right, each the tuple of its (feature, answer) from the root."""
    if tree is None:
        return (path,)
    feature, no, yes = tree
    return leaves_of(no, (*path, (feature, 0))) + leaves_of(yes, (*path, (feature, 1)))


class Problem:
    """A random problem small enough to look at every tree.

    Attributes
    ----------
    n : int, rows
    price : Fraction, of a leaf, in rows: lambda times n
    trees : list of all trees with their objective in rows
    best : Fraction, the least objective in rows
    """

    def __init__(self, rng):
        self.n = rng.randint(2, 12)
        self.price = self.n * Fraction(rng.randint(1, 40), 100)
        self.everything = (1 << self.n) - 1
        rows = [[rng.randint(0, 1) for _ in range(N_FEATURES)] for _ in range(self.n)]
        labels = [rng.randint(0, 1) for _ in range(self.n)]
        self.columns = [sum(row[j] << i for i, row in enumerate(rows)) for j in range(N_FEATURES)]
        self.ones = sum(label << i for i, label in enumerate(labels))
        self.minority = self._minority(rows, labels)
        self._loss = {}
        self.trees = {tree: self.objective(tree) for tree in all_trees(tuple(range(N_FEATURES)), N_FEATURES)}
        self.best = min(self.trees.values())

    def _minority(self, rows, labels):
        """Rows, as bits, that carry the rarer label of the rows equal to them (Appendix B)."""
        groups = {}
        for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
            groups.setdefault(tuple(row), ([], []))[label].append(i)
        return sum(1 << i for group in groups.values() for i in min(group, key=len))

    def rows(self, leaf):
        """Rows that a leaf captures, as bits."""
        captured = self.everything
        for feature, answer in leaf:
            captured &= self.columns[feature] if answer else ~self.columns[feature]
        return captured

    def loss(self, leaf):
        """Rows that a leaf captures and gets wrong."""
        if leaf not in self._loss:
            captured = self.rows(leaf)
            ones = (captured & self.ones).bit_count()
            self._loss[leaf] = min(ones, captured.bit_count() - ones)
        return self._loss[leaf]

    def unsolvable(self, leaf):
        """Rows of a leaf that no further split can get right, the b_0 of equation (11)."""
        return (self.rows(leaf) & self.minority).bit_count()

    def objective(self, tree):
        leaves = leaves_of(tree)
        return sum(map(self.loss, leaves)) + self.price * len(leaves)


def children(tree, chosen):
    """All trees that split some of the `chosen` leaves further, the tree itself first: sigma of eq. (2)."""
    leaves = leaves_of(tree)
    options = []
    for k, leaf in enumerate(leaves):
        free = tuple(sorted(set(range(N_FEATURES)) - {feature for feature, _ in leaf}))
        options.append(all_trees(free, len(free)) if k in chosen else [None])
    for subtrees in itertools.product(*options):
        yield _graft(tree, iter(subtrees))


def _graft(tree, subtrees):
    """`tree` with its leaves, from left to right, replaced by `subtrees`."""
    if tree is None:
        return next(subtrees)
    return tree[0], _graft(tree[1], subtrees), _graft(tree[2], subtrees)


def try_theorems(n_problems=60, seed=0):
    """Tallies of the theorems on random problems, dict of the theorem to `Tally`.

    "C.2 (leaf free)" is Corollary C.2 where a tree that is a single leaf costs no leaf; "C.3 (safe)" is
    Theorem C.3 with at most instead of less than, as its proof has it.
    """
    rng = random.Random(seed)
    tallies = {}

    def add(theorem, holds):
        tallies.setdefault(theorem, Tally()).add(holds)

    for _ in range(n_problems):
        problem = Problem(rng)
        _try_optimal_trees(problem, add)
        _try_all_trees(problem, add)
        for tree in rng.sample(all_trees((0, 1, 2), 2), 4):
            leaves = leaves_of(tree)
            chosen = frozenset(k for k in range(len(leaves)) if rng.random() < 0.6)
            _try_children(problem, tree, chosen, add)
        _try_similar(problem, rng, add)
    return tallies


def _try_optimal_trees(problem, add):
    price = problem.price
    for tree, objective in problem.trees.items():
        if objective > problem.best:
            continue
        n_leaves = len(leaves_of(tree))
        add("C.1", n_leaves <= min(problem.best // price, 2**N_FEATURES))
        add("C.2", n_leaves <= min(problem.n / (2 * price) // 1, 2**N_FEATURES))
        for path, (_, no, yes) in _splits(tree):
            add("3.3", problem.rows(path).bit_count() >= 2 * price)
            if no is None and yes is None:
                feature = _feature_at(tree, path)
                pair = [(*path, (feature, answer)) for answer in (0, 1)]
                add("3.4", problem.loss(path) - sum(map(problem.loss, pair)) >= price)
        if tree is not None:
            for leaf in leaves_of(tree):
                add("3.5", problem.rows(leaf).bit_count() - problem.loss(leaf) >= price)
    free = {tree: value - price * (tree is None) for tree, value in problem.trees.items()}
    least = min(free.values())
    for tree, value in free.items():
        if value == least:
            n_leaves = len(leaves_of(tree)) if tree else 0
            add("C.2 (leaf free)", n_leaves <= min(problem.n / (2 * price) // 1, 2**N_FEATURES))


def _try_all_trees(problem, add):
    unsolvable = problem.unsolvable(())
    by_leaves = {}
    for tree, objective in problem.trees.items():
        leaves = leaves_of(tree)
        add("B.1", objective >= unsolvable + problem.price * len(leaves))
        same = by_leaves.setdefault(frozenset(map(frozenset, leaves)), objective)
        if tree is not None:
            add("E.1", same == objective)


def _try_children(problem, tree, chosen, add):
    leaves, price = leaves_of(tree), problem.price
    kept = [leaf for k, leaf in enumerate(leaves) if k not in chosen]
    bound = sum(map(problem.loss, kept)) + price * len(leaves)
    solvable = sum(problem.unsolvable(leaf) for k, leaf in enumerate(leaves) if k in chosen)
    for child in children(tree, chosen):
        objective, n_new = problem.objective(child), len(leaves_of(child)) - len(leaves)
        add("3.1", objective >= bound)
        add("B.2", objective >= bound + solvable)
        if n_new:
            add("3.2", objective >= bound + price)
        # a child whose own bound is below the best known objective: say, the best of all trees but one leaf
        best_known = problem.objective(None)
        if bound + price * n_new < best_known:
            room = (best_known - bound) // price
            add("C.3", n_new == 0 or len(leaves) + n_new < min(len(leaves) + room, 2**N_FEATURES))
            add("C.3 (safe)", len(leaves) + n_new <= min(len(leaves) + room, 2**N_FEATURES))


def _try_similar(problem, rng, add):
    """Theorem F.1 for one split of a random tree, asked of another feature instead."""
    tree = rng.choice([tree for tree in all_trees((0, 1), 2) if tree is not None])
    path, (feature, _, _) = rng.choice(list(_splits(tree)))
    other = _replaced(tree, path, 2)
    differ = (problem.columns[feature] ^ problem.columns[2]) & problem.rows(path)
    omega = differ.bit_count()
    add("F.1", abs(problem.objective(tree) - problem.objective(other)) <= omega)
    everywhere = frozenset(range(len(leaves_of(tree))))
    least = [min(map(problem.objective, children(one, everywhere))) for one in (tree, other)]
    add("F.1 (children)", abs(least[0] - least[1]) <= omega)


def _splits(tree, path=()):
    """Inner nodes as (path, subtree)."""
    if tree is not None:
        yield path, tree
        yield from _splits(tree[1], (*path, (tree[0], 0)))
        yield from _splits(tree[2], (*path, (tree[0], 1)))


def _feature_at(tree, path):
    for _, answer in path:
        tree = tree[1 + answer]
    return tree[0]


def _replaced(tree, path, feature):
    """The tree with another feature in the split at `path`."""
    if not path:
        return feature, tree[1], tree[2]
    (_, answer), rest = path[0], path[1:]
    sides = list(tree[1:])
    sides[answer] = _replaced(sides[answer], rest, feature)
    return tree[0], *sides
