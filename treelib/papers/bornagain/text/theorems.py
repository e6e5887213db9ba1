"""Theorems 2 to 4 and Equations 1 to 4 as statements that are tried out.

The statements are plain Python on small problems; the searches are held against them.
"""

from dataclasses import asdict
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from treelib.bornagain.ensemble.cells import build_cells, count_regions
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import minimise
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.bornagain.proof.certificate import certify
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, untestable
from treelib.papers.bornagain.text.theorem_1 import trials_of, try_reduction
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


# ---- all of it on small and on random problems -------------------------------------------------------------


def random_ensemble(rng, n_features=2, n_trees=3, depth=2, n_cuts=4, n_classes=2):
    """Random trees with thresholds 0.5, 1.5, ..."""

    def nested(left):
        if left == 0:
            return int(rng.integers(n_classes))
        return int(rng.integers(n_features)), rng.integers(n_cuts) + 0.5, nested(left - 1), nested(left - 1)

    return Ensemble(
        [Tree.from_nested(nested(depth), n_features, n_classes=n_classes) for _ in range(n_trees)]
    )


def small_ensembles():
    """All ensembles of three trees of depth 0 or 1 on two features of two thresholds: iterator."""
    stumps = [(j, cut, *labels) for j in (0, 1) for cut in (0.5, 1.5) for labels in ((0, 1), (1, 0))]
    for three in combinations_with_replacement([0, 1, *stumps], 3):
        yield Ensemble([Tree.from_nested(one, 2, n_classes=2) for one in three])


def small_grids():
    """All grids of 6 x 1, 2 x 3 and 3 x 3 cells in two classes: iterator of int arrays."""
    for classes in product((0, 1), repeat=6):
        yield np.reshape(classes, (2, 3))
        yield np.reshape(classes, (6, 1))
    for classes in product((0, 1), repeat=9):
        yield np.reshape(classes, (3, 3))


def random_grids(n, rng):
    """Grids of two or three features, up to 3 cells along each, in two or three classes: iterator."""
    for number in range(n):
        shape = tuple(int(side) for side in rng.integers(1, 4, 2 + number % 2))
        yield rng.integers(0, 2 + number % 3 // 2, shape)


GRID_STATEMENTS = {
    "equation 1": lambda grid: len(list(np.ndindex(*grid.classes.shape))) == grid.classes.size,
    "equation 2": lambda grid: len(list(grid.regions())) == count_regions(grid.classes.shape),
    "equation 4": lambda grid: grid.violations_of_equation_4() == 0,
    "theorem 3": lambda grid: grid.violations_of_monotonicity() == 0,
    "theorem 4": lambda grid: grid.violations_of_binary_search() == 0,
}


def ensemble_statements(ensemble, rng):
    """What the statements on ensembles say of one: dict of name to bool."""
    appended = appended_tree(ensemble)
    least = least_depth(ensemble)
    sum_of_depths = sum(tree.max_depth for tree in ensemble.trees)
    return {
        "theorem 2": bool(least <= appended.max_depth <= sum_of_depths and certify(appended, ensemble)),
        "equation 3": least == minimise(ensemble, "depth").tree.max_depth,
        "complexity": _keeps_to_its_complexity(ensemble),
        "filtering": least == least_depth(ensemble, keep_all=True),
        "cells are constant": _is_constant_in_cells(ensemble, build_cells(ensemble, keep_all=True), rng),
    }


def try_theorems(n_problems=60, seed=0):
    """Try every statement on all small problems of a sort and on random ones.

    Returns
    -------
    dict of statement to list of `Trials`
    """
    rng = np.random.default_rng(seed)
    grids = {
        "exhaustive": ("grids of 6 x 1, 2 x 3 and 3 x 3 cells in two classes", small_grids()),
        "random": ("grids of up to 27 cells", random_grids(n_problems, rng)),
    }
    ensembles = {
        "exhaustive": ("ensembles of three stumps on two features", small_ensembles()),
        "random": ("ensembles of three trees of depth 2", (random_ensemble(rng) for _ in range(n_problems))),
    }
    found = {}
    for how, (where, some) in grids.items():
        some = [Grid(classes) for classes in some]
        for name, holds in GRID_STATEMENTS.items():
            cases = [(str(grid.classes.tolist()), bool(holds(grid))) for grid in some]
            found.setdefault(name, []).append(Trials.of(cases, where, how))
    for how, (where, some) in ensembles.items():
        said = [ensemble_statements(ensemble, rng) for ensemble in some]
        for name in said[0]:
            cases = [(f"ensemble {number}", bool(one[name])) for number, one in enumerate(said)]
            found.setdefault(name, []).append(Trials.of(cases, where, how))
    tight = [(f"d = {d}", least_depth(tight_family(d)) == d) for d in range(1, 7)]
    return found | {"theorem 2, tight": [Trials.of(tight, "forests of the proof, d up to 6", "exhaustive")]}


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


@experiment(
    "bornagain.theorems",
    item="Theorems 1 to 4, Equations 1 to 4",
    title="The statements tried on all small problems of a sort and on random ones",
    cases=lambda: [{"problems": 60, "formulas": 200, "seed": 0}],
    seconds=5,
)
def theorems(case):
    """A row for each statement and sort of problems: cases tried, those that failed, and the worst."""
    tried = try_theorems(case["problems"], case["seed"])
    tried["theorem 1"] = try_reduction(case["formulas"], case["seed"])
    return [{"statement": name} | asdict(trials) for name, every in tried.items() for trials in every]


# ---- judged -----------------------------------------------------------------------------------------------

STATED = {
    "s2.theorem-2.statement": ("theorem 2", "theorem 2, tight"),
    "s2.equation-1.statement": ("equation 1", "cells are constant"),
    "s2.equation-2.statement": ("equation 2",),
    "s3.equation-3.statement": ("equation 3",),
    "s3.equation-4.statement": ("equation 4",),
    "s3.theorem-3.statement": ("theorem 3",),
    "s3.theorem-4.statement": ("theorem 4",),
    "s3.hyperplane-filtering.statement": ("filtering",),
}


@judges("bornagain.s2.*", "bornagain.s3.*")
def judge_theorems(tried=None):
    """Verdicts on theorems and equations, each tried on small and on random problems, list of Verdict.

    tried : dict as `try_theorems` gives it, as a page computes it; None: the stored trials
    """
    source = {"experiment": "bornagain.theorems"} if tried is None else {}
    found = {name: trials_of(name) for name in {*sum(STATED.values(), ()), "complexity"}}
    found = found if tried is None else tried
    return [
        *(
            judge_statement(f"bornagain.{claim}", [one for name in names for one in found[name]], **source)
            for claim, names in STATED.items()
        ),
        untestable(
            "bornagain.s3.complexity.statement",
            numbers={"tried": "; ".join(one.text() for one in found["complexity"])},
        ),
    ]
