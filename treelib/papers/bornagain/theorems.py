"""Theorems 2 to 4, Equations 1 to 4 and Algorithms 1 to 4 as statements that are tried out.

The statements are plain Python on small problems; the searches are held against them.
"""

from functools import cache
from itertools import product

import numpy as np

from treelib.bornagain.ensemble.cells import build_cells, count_regions
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import minimise
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.bornagain.proof.certificate import certify
from treelib.ledger import store
from treelib.ledger.claims import judge_statement
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.theorem_1 import decide_by_born_again_tree, is_satisfiable, random_formula
from treelib.papers.bornagain.trees import judge_tables
from treelib.tree.stored import Tree

# ---- Theorem 2: depth is at most the sum of depths, and can be all of it ----------------------------------


def appended_tree(ensemble):
    """The tree of the proof of Theorem 2: each tree of the ensemble in place of every leaf of the one before.

    Its leaves carry the vote of the ensemble. Splits that a branch passes on one side only are left out,
    so its depth is at most the sum of depths.
    """

    def nested(k, node, chosen, box):
        if k == ensemble.n_trees:
            return int(np.argmax(sum(ensemble.leaf_votes(i)[leaf] for i, leaf in enumerate(chosen))))
        tree = ensemble.trees[k]
        if tree.is_leaf[node]:
            return nested(k + 1, 0, (*chosen, node), box)
        j, cut = int(tree.feature[node]), float(tree.threshold[node])
        low, high = box.get(j, (-np.inf, np.inf))
        if high <= cut:
            return nested(k, tree.children_left[node], chosen, box)
        if low >= cut:
            return nested(k, tree.children_right[node], chosen, box)
        left = nested(k, tree.children_left[node], chosen, {**box, j: (low, cut)})
        right = nested(k, tree.children_right[node], chosen, {**box, j: (cut, high)})
        return j, cut, left, right

    return Tree.from_nested(nested(0, 0, (), {}), ensemble.n_features, n_classes=ensemble.n_classes)


def tight_family(d):
    """The 2d - 1 trees of the proof of Theorem 2, whose born-again tree needs a depth of d."""
    steps = [Tree.from_nested((i, 0.0, 0, 1), d) for i in range(d)]
    return Ensemble(steps + [Tree.from_nested(1, d)] * (d - 1))


# ---- Equations 1 to 4, Theorems 3 and 4: all regions of a small grid --------------------------------------


class Grid:
    """Optimal depths of all regions of a small grid, by the recursions as they are printed.

    Parameters
    ----------
    classes : int array of any number of dimensions, class of each cell
    """

    def __init__(self, classes):
        self.classes = np.asarray(classes)
        self.depth = cache(self._depth)
        self.depth_by_equation_4 = cache(self._depth_by_equation_4)

    def regions(self):
        """All regions: pairs of tuples, lowest and highest cell."""
        sides = [[(a, b) for a in range(n) for b in range(a, n)] for n in self.classes.shape]
        for region in product(*sides):
            yield tuple(a for a, _ in region), tuple(b for _, b in region)

    def splits(self, low, high):
        """Triples (feature, left part, right part) of a region, a part being its lowest and highest cell."""
        for j, (a, b) in enumerate(zip(low, high, strict=True)):
            for level in range(a, b):
                left = low, (*high[:j], level, *high[j + 1 :])
                yield j, left, ((*low[:j], level + 1, *low[j + 1 :]), high)

    def _depth(self, low, high):
        """Equation 3: 0 for a homogeneous region, else the best split."""
        part = self.classes[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))]
        if (part == part.flat[0]).all():
            return 0
        return min(
            1 + max(self.depth(*left), self.depth(*right)) for _, left, right in self.splits(low, high)
        )

    def _depth_by_equation_4(self, low, high):
        """Equation 4: homogeneous regions are recognised by their parts."""
        if low == high:
            return 0
        values = []
        for _, left, right in self.splits(low, high):
            a, b = self.depth_by_equation_4(*left), self.depth_by_equation_4(*right)
            is_one_class = a == b == 0 and self.classes[low] == self.classes[high]
            values.append(max(a, b) + (not is_one_class))
        return min(values)

    def violations_of_monotonicity(self):
        """Theorem 3: number of regions that are less deep than one that is inside them."""
        n = 0
        for low, high in self.regions():
            for _, left, right in self.splits(low, high):  # all others are inside by and by
                n += max(self.depth(*left), self.depth(*right)) > self.depth(low, high)
        return n

    def violations_of_binary_search(self):
        """Theorem 4: number of splits said to be no better that are better."""
        n = 0
        for low, high in self.regions():
            by_feature = {}
            for j, left, right in self.splits(low, high):
                by_feature.setdefault(j, []).append((self.depth(*left), self.depth(*right)))
            whole = self.depth(low, high) > 0
            for sides in by_feature.values():
                value = [whole + max(pair) for pair in sides]
                for at, (left, right) in enumerate(sides):
                    n += left >= right and any(other < value[at] for other in value[at + 1 :])
                    n += left <= right and any(other < value[at] for other in value[:at])
        return n

    def violations_of_equation_4(self):
        """Regions for which the two recursions disagree; their number."""
        return sum(self.depth(*region) != self.depth_by_equation_4(*region) for region in self.regions())


def count_cells_and_regions(shape):
    """Cells and regions of a grid counted one by one, for Equations 1 and 2."""
    grid = Grid(np.zeros(shape, dtype=int))
    return sum(1 for _ in np.ndindex(*shape)), sum(1 for _ in grid.regions())


# ---- all of it on random problems -----------------------------------------------------------------------


def random_ensemble(rng, n_features=2, n_trees=3, depth=2, n_cuts=4, n_classes=2):
    """Random trees with thresholds 0.5, 1.5, ..."""

    def nested(left):
        if left == 0:
            return int(rng.integers(n_classes))
        return int(rng.integers(n_features)), rng.integers(n_cuts) + 0.5, nested(left - 1), nested(left - 1)

    return Ensemble(
        [Tree.from_nested(nested(depth), n_features, n_classes=n_classes) for _ in range(n_trees)]
    )


def try_theorems(n_problems=60, seed=0):
    """Try every statement on random problems.

    Returns
    -------
    dict of statement to [problems tried, problems on which it failed]
    """
    rng = np.random.default_rng(seed)
    counts = {}

    def note(name, holds):
        tried = counts.setdefault(name, [0, 0])
        tried[0] += 1
        tried[1] += not holds

    for number in range(n_problems):
        shape = tuple(int(n) for n in rng.integers(1, 4, 2 + number % 2))
        grid = Grid(rng.integers(0, 2 + number % 3 // 2, shape))
        note("equation 1", count_cells_and_regions(shape)[0] == int(np.prod(shape)))
        note("equation 2", count_cells_and_regions(shape)[1] == count_regions(shape))
        note("equation 4", grid.violations_of_equation_4() == 0)
        note("theorem 3", grid.violations_of_monotonicity() == 0)
        note("theorem 4", grid.violations_of_binary_search() == 0)

        ensemble = random_ensemble(rng)
        appended = appended_tree(ensemble)
        sum_of_depths = sum(tree.max_depth for tree in ensemble.trees)
        least = least_depth(ensemble)
        note("theorem 2", least <= appended.max_depth <= sum_of_depths and certify(appended, ensemble))
        note("equation 3", least == minimise(ensemble, "depth").tree.max_depth)
        note("complexity", _keeps_to_its_complexity(ensemble))
        note("filtering", least == least_depth(ensemble, keep_all=True))
        cells = build_cells(ensemble, keep_all=True)
        note("cells are constant", _is_constant_in_cells(ensemble, cells, rng))

        n_variables = int(rng.integers(3, 6))
        clauses = random_formula(int(rng.integers(1, 8 * n_variables)), n_variables, rng)
        expected = is_satisfiable(clauses, n_variables)
        note("theorem 1", decide_by_born_again_tree(clauses, n_variables) == expected)
        note(f"theorem 1, {'satisfiable' if expected else 'unsatisfiable'}", True)
    for d in range(1, 6):
        note("theorem 2, tight", least_depth(tight_family(d)) == d)
    return counts


def least_depth(ensemble, keep_all=False):
    """Optimal depth by Equation 3 on the cells, with thresholds that do not matter left out or not."""
    classes = build_cells(ensemble, keep_all=keep_all).classes
    grid = Grid(classes)
    return grid.depth((0,) * classes.ndim, tuple(n - 1 for n in classes.shape))


def _keeps_to_its_complexity(ensemble):
    """Whether the recursion for depth makes two calls a split at most, and tries no more splits of a region
    than binary search over the levels of each feature does."""
    shape = build_cells(ensemble).shape
    stats = minimise_by_recursion(ensemble, "depth").stats
    splits = sum((n - 1).bit_length() for n in shape)
    return (
        stats["n_states"] <= count_regions(shape) and stats["n_calls"] <= 1 + 2 * splits * stats["n_states"]
    )


def _is_constant_in_cells(ensemble, cells, rng):
    X = rng.uniform(-1, 5, (200, ensemble.n_features))
    at = cells.locate(X)
    return bool((cells.classes[tuple(at.T)] == ensemble.predict(X)).all())


# ---- judged -----------------------------------------------------------------------------------------------


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on theorems, equations and algorithms, list of Verdict."""
    return [*judge_theorems(), *judge_algorithms()]


@cache
def _tried():
    return try_theorems(60)


def judge_theorems():
    """Verdicts on theorems and equations, each tried on random problems, list of Verdict."""
    tried = _tried()

    def statement(claim, *names, why=""):
        n = sum(tried[name][0] for name in names)
        failed = sum(tried[name][1] for name in names)
        return judge_statement(
            f"bornagain.{claim}",
            failed == 0,
            f"holds in all {n} trials",
            why=why,
            cause=f"fails in {failed} of {n} trials",
        )

    return [
        statement(
            "s1.theorem-1.statement",
            "theorem 1",
            why="the reduction is tried on small formulas; the hardness of 3-SAT itself is taken for granted",
        ),
        statement("s2.theorem-2.statement", "theorem 2", "theorem 2, tight"),
        statement("s2.equation-1.statement", "equation 1", "cells are constant"),
        statement("s2.equation-2.statement", "equation 2"),
        statement("s3.equation-3.statement", "equation 3"),
        statement("s3.equation-4.statement", "equation 4"),
        statement("s3.theorem-3.statement", "theorem 3"),
        statement("s3.theorem-4.statement", "theorem 4"),
        statement("s3.hyperplane-filtering.statement", "filtering"),
        statement("s3.complexity.statement", "complexity"),
    ]


def judge_algorithms():
    """Verdicts on Algorithms 1 to 4: whether the printed counts come out with them, list of Verdict."""
    same = {number: _all_match(number) for number in (6, 7, 8)}
    exact = store.results("bornagain.exact").set_index(["data", "fold"])
    early, late = exact[exact["objective"] == "DL printed"], exact[exact["objective"] == "DL"]
    more = early["leaves"] - late["leaves"]
    text = "the printed depths and leaves come out: {} of {} cells of Table {}"
    return [
        _algorithm("s3.algorithm-1.statement", text.format(*same[6], 6), same[6]),
        _algorithm("ssupp.algorithm-2.statement", text.format(*same[7], 7), same[7]),
        judge_statement(
            "bornagain.ssupp.algorithm-3.statement",
            (early["depth"] == late["depth"]).all(),
            f"{text.format(*same[8], 8)}; depths are least",
            why=f"on {(more > 0).sum()} of {len(more)} forests its tree has up to {more.max()} leaves more "
            "than another of equal depth, since its lower bound does not hold for depth and leaves together",
            cause="a depth that is not least",
            experiment="bornagain.exact",
        ),
        _algorithm(
            "ssupp.algorithm-4.statement",
            "the printed leaves under D come out, which ties decide",
            same[6],
            why="with level l in line 12, where z_j^L is printed",
        ),
    ]


def _algorithm(claim, text, same, why=""):
    return judge_statement(
        f"bornagain.{claim}",
        same[0] == same[1],
        text,
        why=why,
        cause="not all printed counts come out",
        experiment="bornagain.recursion",
    )


@cache
def _all_match(number):
    """How many cells of a table match, and how many there are."""
    verdicts = judge_tables((number,))
    return sum(verdict.verdict == "match" for verdict in verdicts), len(verdicts)
