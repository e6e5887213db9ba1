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

from treelib.ledger.protocol.evidence import Trials

N_FEATURES = 3
ONE_LEAF = " (one leaf)"  # where the empty tree counts a leaf
EMPTY_TREE = (None, frozenset()), (None, frozenset([0]))  # with its one place kept, and to be split


@dataclass
class Tally:
    """How often a statement was tried, how often it failed, and the first problem where it did."""

    n_tried: int = 0
    n_failed: int = 0
    worst: str = ""

    @classmethod
    def of(cls, row):
        """The tally in a row (dict) of a stored result."""
        return cls(row["n_tried"], row["n_failed"], row["worst"])

    def trials(self, where, how):
        """The same as evidence, `Trials`; where, how : as there."""
        return Trials(self.n_tried, self.n_failed, self.worst, where, how)

    def add(self, holds, problem, more=None):
        self.n_tried += 1
        self.n_failed += not holds
        if not holds and not self.worst:
            self.worst = ": ".join(filter(None, [problem.text(), more]))


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
    empty : {1, 0}, leaves that the empty tree counts: one, as the leaf that it is, or none, as it is written
        in Algorithm 1

    Attributes
    ----------
    n : int, rows
    price : Fraction, of a leaf, in rows: lambda times n
    trees : dict of all trees to their objective in rows
    best : Fraction, the least objective in rows
    """

    def __init__(self, rows, labels, regularization, empty=1):
        self.given = rows, labels, regularization
        self.n, self.empty = len(rows), empty
        self.price = self.n * regularization
        self.everything = (1 << self.n) - 1
        self.columns = [sum(row[j] << i for i, row in enumerate(rows)) for j in range(N_FEATURES)]
        self.ones = sum(label << i for i, label in enumerate(labels))
        self.minority = self._minority(rows, labels)
        self._loss = {}
        self.trees = {tree: self.objective(tree) for tree in all_trees(tuple(range(N_FEATURES)), N_FEATURES)}
        self.best = min(self.trees.values())

    @classmethod
    def random(cls, rng, most_rows=12, empty=1):
        """A random problem of 2 to `most_rows` rows and a price of 0.01 to 0.4."""
        n = rng.randint(2, most_rows)
        regularization = Fraction(rng.randint(1, 40), 100)
        rows = [[rng.randint(0, 1) for _ in range(N_FEATURES)] for _ in range(n)]
        return cls(rows, [rng.randint(0, 1) for _ in range(n)], regularization, empty)

    def text(self):
        """The problem in one line: each row with its label, or their number where they are many, and
        lambda."""
        rows, labels, regularization = self.given
        if self.n > 20:
            return f"{self.n} rows, lambda {float(regularization):g}"
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

    def right(self, leaf):
        """Rows that a leaf captures and gets right."""
        return self.rows(leaf).bit_count() - self.loss(leaf)

    def unsolvable(self, leaf):
        """Rows of a leaf that no further split can get right, the b_0 of equation (11)."""
        return (self.rows(leaf) & self.minority).bit_count()

    def size(self, tree):
        """Leaves that the tree counts, H."""
        return len(leaves_of(tree)) if tree is not None else self.empty

    def objective(self, tree):
        return sum(map(self.loss, leaves_of(tree))) + self.price * self.size(tree)


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


def try_theorems(n_problems=60, seed=0, most_rows=12):
    """Tallies of the theorems on random problems, dict of the theorem to `Tally`.

    The empty tree counts no leaf, "(one leaf)" are the same where it counts one: those of its own cases, as
    no other tree is touched by it. "C.3 (safe)" is Theorem C.3 with at most instead of less than, as its
    proof has it.
    """
    rng = random.Random(seed)
    tallies = {}
    for _ in range(n_problems):
        problem = Problem.random(rng, most_rows, empty=0)
        chosen = [
            (tree, frozenset(k for k in range(len(leaves_of(tree))) if rng.random() < 0.6))
            for tree in rng.sample(all_trees((0, 1, 2), 2)[1:], 4)
        ]
        _try_problem(problem, [*EMPTY_TREE, *chosen], rng.sample(similar_pairs(), 4), tallies)
    return tallies


def try_all_small(most_rows=3, prices=(Fraction(1, 10), Fraction(3, 10))):
    """Tallies as of `try_theorems` on all problems of at most `most_rows` rows, up to names: dict."""
    tallies = {}
    chosen = [
        (tree, frozenset(itertools.compress(itertools.count(), some)))
        for tree in all_trees((0, 1, 2), 2)
        for some in itertools.product((False, True), repeat=len(leaves_of(tree)))
    ]
    for rows, labels in small_data(most_rows):
        for regularization in prices:
            problem = Problem(rows, labels, regularization, empty=0)
            _try_problem(problem, chosen, similar_pairs(), tallies)
    return tallies | {"E.1 (children)": _permuted_children(problem)}


def _permuted_children(problem):
    """Whether trees with the same leaves have children with the same leaves, whichever leaves are kept: no
    row plays a part in it. `problem` stands for any."""
    tally = Tally()
    for pair in permuted_trees():
        for some in range(2 ** len(leaf_set(pair[0]))):
            chosen = [leaf for k, leaf in enumerate(sorted(map(sorted, leaf_set(pair[0])))) if some >> k & 1]
            found = [
                {
                    leaf_set(child)
                    for child in children(
                        tree, [k for k, leaf in enumerate(leaves_of(tree)) if sorted(leaf) in chosen]
                    )
                }
                for tree in pair
            ]
            tally.add(found[0] == found[1], problem)
    return tally


def _try_problem(problem, chosen, pairs, tallies):
    """All theorems on one problem; chosen : pairs of a tree and the leaves that are split further."""
    other = Problem(*problem.given, empty=1)
    for one, suffix in ((problem, ""), (other, ONE_LEAF)):
        add = _adder(tallies, one, suffix)
        _try_optimal_trees(one, add)
        for tree, some in EMPTY_TREE if suffix else chosen:
            _try_children(one, tree, some, add)
    add = _adder(tallies, problem, "")
    _try_all_trees(problem, add)
    least = cache(lambda tree: min(map(problem.objective, children(tree, _everywhere(tree)))))
    for tree, path, feature in pairs:
        _try_similar(problem, tree, path, feature, least, add)


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


def _adder(tallies, problem, suffix):
    def add(theorem, holds, more=None):
        tallies.setdefault(theorem + suffix, Tally()).add(holds, problem, more)

    return add


def _try_optimal_trees(problem, add):
    price = problem.price
    for tree, objective in problem.trees.items():
        if objective > problem.best:
            continue
        n_leaves = problem.size(tree)
        add("C.1", n_leaves <= min(problem.best // price, 2**N_FEATURES))
        add("C.2", n_leaves <= min(problem.n / (2 * price) // 1, 2**N_FEATURES))
        for path, (feature, no, yes) in _splits(tree):
            add("3.3", problem.rows(path).bit_count() >= 2 * price)
            pair = _halves(path, feature)
            if no is None and yes is None:
                add("3.4", problem.loss(path) - sum(map(problem.loss, pair)) >= price)
            # a column that is excluded at a leaf is excluded further down
            add(
                "3.5 (columns)",
                all(
                    problem.right(leaf) >= price
                    for depth in range(len(path) + 1)
                    for leaf in _halves(path[:depth], feature)
                ),
            )
        if tree is not None:
            for leaf in leaves_of(tree):
                add("3.5", problem.right(leaf) >= price)


def _halves(path, feature):
    return [(*path, (feature, answer)) for answer in (0, 1)]


def _try_all_trees(problem, add):
    unsolvable = problem.unsolvable(())
    for tree, objective in problem.trees.items():
        add("B.1", objective >= unsolvable + problem.price * problem.size(tree))
    for tree, first in permuted_trees():
        # equal leaf by leaf, so for any choice of leaves that are kept
        losses = [{frozenset(leaf): problem.loss(leaf) for leaf in leaves_of(one)} for one in (tree, first)]
        same = problem.trees[tree] == problem.trees[first]
        add("E.1", same and losses[0] == losses[1])


@cache
def permuted_trees():
    """Trees with the leaves of an earlier one, list of (tree, the first with these leaves)."""
    first, found = {}, []
    for tree in all_trees(tuple(range(N_FEATURES)), N_FEATURES):
        earlier = first.setdefault(leaf_set(tree), tree)
        if earlier != tree:
            found.append((tree, earlier))
    return found


def leaf_set(tree):
    """The leaves of a tree in no order, frozenset of frozenset of (feature, answer)."""
    return frozenset(map(frozenset, leaves_of(tree)))


def _try_children(problem, tree, chosen, add):
    leaves, price, n_leaves = leaves_of(tree), problem.price, problem.size(tree)
    kept = [leaf for k, leaf in enumerate(leaves) if k not in chosen]
    wrong = sum(map(problem.loss, kept))
    bound = wrong + price * n_leaves
    solvable = sum(problem.unsolvable(leaf) for k, leaf in enumerate(leaves) if k in chosen)
    best_known = problem.objective(None)
    for child in children(tree, chosen):
        objective, n_child = problem.objective(child), problem.size(child)
        of_child = wrong + price * n_child  # the least bound of the child: none of the new leaves is kept
        add("3.1", objective >= of_child >= bound)
        add("B.2", objective >= bound + solvable)
        if child == tree:
            continue
        add("3.2", objective >= bound + price)
        # a child whose own bound is below the best known objective: say, that of the empty tree
        if of_child < best_known:
            room = (best_known - bound) // price
            said = f"{n_leaves} leaves and {n_child}, floor {room}"
            add("C.3", n_child < min(n_leaves + room, 2**N_FEATURES), said)
            add("C.3 (safe)", n_child <= min(n_leaves + room, 2**N_FEATURES))


def _everywhere(tree):
    return frozenset(range(len(leaves_of(tree))))


@cache
def similar_pairs():
    """Pairs of trees that differ in the column of one split, each pair once: list of (tree, path of the
    split, the other column)."""
    found = []
    for tree in all_trees(tuple(range(N_FEATURES)), N_FEATURES):
        for path, (feature, no, yes) in _splits(tree):
            below = {column for side in (no, yes) for leaf in leaves_of(side) for column, _ in leaf}
            taken = below | {column for column, _ in path} | set(range(feature + 1))
            found += [(tree, path, other) for other in range(N_FEATURES) if other not in taken]
    return found


def _try_similar(problem, tree, path, feature, least, add):
    """Theorem F.1 for one split of a tree, asked of another column instead.

    least : callable of a tree to the objective of the best tree grown from it, with all leaves open
    """
    other = _replaced(tree, path, feature)
    differ = (problem.columns[_feature_at(tree, path)] ^ problem.columns[feature]) & problem.rows(path)
    omega = differ.bit_count()
    add("F.1", abs(problem.objective(tree) - problem.objective(other)) <= omega)
    add("F.1 (children)", abs(least(tree) - least(other)) <= omega)


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
    """Numbers of leaves worth having in a problem, and whether some leaf penalty finds them.

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
