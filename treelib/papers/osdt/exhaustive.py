"""Theorems of the paper, tried on all trees of tiny problems: of all there are, and of many random ones.

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
    """How often a statement was tried, how often it failed, and the first problem where it did."""

    n_tried: int = 0
    n_failed: int = 0
    worst: str = ""

    def add(self, holds, problem):
        self.n_tried += 1
        self.n_failed += not holds
        if not holds and not self.worst:
            self.worst = problem.text()


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
    """A problem small enough to look at every tree.

    Parameters
    ----------
    rows : list of 0/1 rows of `N_FEATURES`
    labels : list of 0 and 1
    regularization : Fraction, lambda

    Attributes
    ----------
    n : int, rows
    price : Fraction, of a leaf, in rows: lambda times n
    trees : dict of all trees to their objective in rows
    best : Fraction, the least objective in rows
    """

    def __init__(self, rows, labels, regularization):
        self.given = rows, labels, regularization
        self.n = len(rows)
        self.price = self.n * regularization
        self.everything = (1 << self.n) - 1
        self.columns = [sum(row[j] << i for i, row in enumerate(rows)) for j in range(N_FEATURES)]
        self.ones = sum(label << i for i, label in enumerate(labels))
        self.minority = self._minority(rows, labels)
        self._loss = {}
        self.trees = {tree: self.objective(tree) for tree in all_trees(tuple(range(N_FEATURES)), N_FEATURES)}
        self.best = min(self.trees.values())

    @classmethod
    def random(cls, rng):
        """A random problem of 2 to 12 rows and a price of 0.01 to 0.4."""
        n = rng.randint(2, 12)
        regularization = Fraction(rng.randint(1, 40), 100)
        rows = [[rng.randint(0, 1) for _ in range(N_FEATURES)] for _ in range(n)]
        return cls(rows, [rng.randint(0, 1) for _ in range(n)], regularization)

    def text(self):
        """The problem in one line: each row with its label, and lambda."""
        rows, labels, regularization = self.given
        listed = " ".join(
            f"{''.join(map(str, row))}:{label}" for row, label in zip(rows, labels, strict=True)
        )
        return f"rows {listed}, lambda {float(regularization):g}"

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
    for _ in range(n_problems):
        problem = Problem.random(rng)
        add = _adder(tallies, problem)
        _try_optimal_trees(problem, add)
        _try_all_trees(problem, add)
        for tree in rng.sample(all_trees((0, 1, 2), 2), 4):
            leaves = leaves_of(tree)
            chosen = frozenset(k for k in range(len(leaves)) if rng.random() < 0.6)
            _try_children(problem, tree, chosen, add)
        tree = rng.choice([tree for tree in all_trees((0, 1), 2) if tree is not None])
        path, (feature, _, _) = rng.choice(list(_splits(tree)))
        _try_similar(problem, tree, path, feature, add)
    return tallies


def try_all_small(most_rows=3, prices=(Fraction(1, 10), Fraction(3, 10))):
    """Tallies as of `try_theorems` on all problems of at most `most_rows` rows, up to names: dict."""
    tallies = {}
    for rows, labels in small_data(most_rows):
        for regularization in prices:
            problem = Problem(rows, labels, regularization)
            add = _adder(tallies, problem)
            _try_optimal_trees(problem, add)
            _try_all_trees(problem, add)
            for tree in all_trees((0, 1, 2), 2):
                n_leaves = len(leaves_of(tree))
                for chosen in itertools.product((False, True), repeat=n_leaves):
                    _try_children(problem, tree, frozenset(k for k in range(n_leaves) if chosen[k]), add)
            for tree in all_trees((0, 1), 2):
                for path, (feature, _, _) in _splits(tree):
                    _try_similar(problem, tree, path, feature, add)
    return tallies


def small_data(most_rows):
    """All data sets of at most so many rows of `N_FEATURES` columns, one of those that differ only in the
    names of columns and of labels: list of (rows, labels)."""
    kinds = list(itertools.product((0, 1), repeat=N_FEATURES + 1))  # a row, then its label
    orders = list(itertools.permutations(range(N_FEATURES)))

    def names(data):
        for order in orders:
            for flip in (0, 1):
                yield tuple(sorted((*(row[j] for j in order), row[-1] ^ flip) for row in data))

    found = []
    for n in range(1, most_rows + 1):
        for data in itertools.combinations_with_replacement(kinds, n):
            if data == min(names(data)):
                found.append(([list(row[:-1]) for row in data], [row[-1] for row in data]))
    return found


def _adder(tallies, problem):
    return lambda theorem, holds: tallies.setdefault(theorem, Tally()).add(holds, problem)


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


def _try_similar(problem, tree, path, feature, add):
    """Theorem F.1 for one split of a tree, asked of the last feature instead."""
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


# ---- sizes that a price can find --------------------------------------------------------------------------


def levels_found(seed):
    """`problem_levels` of one random problem."""
    problem = Problem.random(random.Random(seed))
    return [(f"problem {seed} ({problem.text()}): {size}", found) for size, found in problem_levels(problem)]


def problem_levels(problem):
    """Numbers of leaves worth having in a problem, and whether some price of a leaf finds them.

    Returns
    -------
    list of (size in words, found): a number of leaves with fewer errors than any smaller one; found when it
    is a vertex or lies on an edge of the lower convex hull of (leaves, errors)
    """
    errors = {}
    for tree, objective in problem.trees.items():
        n_leaves = len(leaves_of(tree))
        errors[n_leaves] = min(errors.get(n_leaves, problem.n), objective - problem.price * n_leaves)
    sizes = sorted(errors)
    worth = [n for i, n in enumerate(sizes) if all(errors[n] < errors[less] for less in sizes[:i])]
    return [(f"{n} leaves", _on_hull(n, worth, errors)) for n in worth]


def _on_hull(n, sizes, errors):
    """Whether (n, errors) lies on or below every line between a smaller and a larger size."""
    return all(
        (errors[n] - errors[less]) * (more - less) <= (errors[more] - errors[less]) * (n - less)
        for less in sizes
        for more in sizes
        if less < n < more
    )
