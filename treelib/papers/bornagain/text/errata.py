"""Mistakes found in Born-Again Tree Ensembles, and the small grids of classes that show them."""

import random
from functools import cache
from itertools import product

import numpy as np

from treelib.bornagain.exact import minimise
from treelib.bornagain.pruned import post_prune
from treelib.ledger.errata import erratum
from treelib.papers.bornagain.example import drawn_example
from treelib.tree.stored import Tree

# of the search for an example: cells along each of three features, and how many grids are tried
SIDE, N_GRIDS, SEED = 3, 300, 0


def random_grid(rng, side=SIDE):
    """Classes of the cells of a cube: dict of cell (tuple) to 0 or 1."""
    return {cell: rng.randint(0, 1) for cell in product(range(side), repeat=3)}


def halves(region):
    """All ways to cut a region ((low, high) for each feature, both included) in two."""
    for j, (low, high) in enumerate(region):
        for level in range(low, high):
            yield tuple((*region[:j], part, *region[j + 1 :]) for part in ((low, level), (level + 1, high)))


def printed_dl(grid):
    """(depth, splits) that the recursion for the objective DL gives: each half keeps its own optimum."""

    @cache
    def best(region):
        if _is_pure(grid, region):
            return 0, 0
        return min(
            (1 + max(a[0], b[0]), 1 + a[1] + b[1])
            for a, b in (tuple(map(best, pair)) for pair in halves(region))
        )

    return best(_whole(grid))


def true_dl(grid):
    """(depth, splits): the least depth, and the fewest splits of any tree of this depth."""

    @cache
    def fewest(region, depth):
        """Fewest splits of a tree of at most this depth, None if there is none."""
        if _is_pure(grid, region):
            return 0
        if depth == 0:
            return None
        counts = [
            1 + a + b
            for one, other in halves(region)
            if (a := fewest(one, depth - 1)) is not None and (b := fewest(other, depth - 1)) is not None
        ]
        return min(counts, default=None)

    depth = 0
    while fewest(_whole(grid), depth) is None:
        depth += 1
    return depth, fewest(_whole(grid), depth)


def _whole(grid):
    return tuple((0, max(cell[j] for cell in grid)) for j in range(3))


def _is_pure(grid, region):
    cells = product(*(range(low, high + 1) for low, high in region))
    return len({grid[cell] for cell in cells}) == 1


@erratum("errata.bornagain.dl")
def _hierarchy():
    rng = random.Random(SEED)
    found = [(printed_dl(grid), true_dl(grid)) for grid in (random_grid(rng) for _ in range(N_GRIDS))]
    worse = [(printed, true) for printed, true in found if printed != true]
    right_depth = all(printed[0] == true[0] for printed, true in found)
    printed, true = worse[0] if worse else ((0, 0), (0, 0))
    numbers = {"printed": printed[1], "true": true[1], "depth": true[0]}
    return bool(worse) and right_depth, numbers | {"worse": len(worse), "n": N_GRIDS, "side": SIDE}


@erratum("errata.bornagain.export")
def _level():
    """A single feature with classes 0 0 1: the split belongs at level 1, the printed line exports level 0."""
    classes = (0, 0, 1)
    good = [level for level in range(2) if len({*classes[: level + 1]}) == len({*classes[level + 1 :]}) == 1]
    return good == [1], {"classes": ", ".join(map(str, classes)), "level": good[0]}


@erratum("errata.bornagain.root")
def _same_root():
    """Figure 4 as it is drawn: the roots of its forest beside that of its born-again tree."""
    figure = drawn_example()
    roots = {(tree.feature[0], tree.threshold[0]) for tree in figure.ensemble.trees}
    own = figure.tree.feature[0], figure.tree.threshold[0]
    other = minimise(figure.ensemble, "depth").tree
    return own in roots, {
        "trees": len(figure.ensemble.trees),
        "roots": len(roots),
        "own": asked_at_root(figure, figure.tree),
        "leaves": figure.tree.n_leaves,
        "other": asked_at_root(figure, other),
        "other_leaves": other.n_leaves,
    }


def asked_at_root(figure, tree):
    """The split at the root of a tree of a figure, in words."""
    return f"{figure.features[tree.feature[0]]} <= {tree.threshold[0]:g}"


@erratum("errata.bornagain.merging")
def _merged():
    """Leaves of one class, all with rows: to the letter they stay, the program joins them."""
    tree = Tree.from_nested((0, 0.5, 0, (1, 0.5, 0, 0)), n_features=2)
    X = np.array([[0, 0], [1, 0], [1, 1]])
    to_the_letter, joined = post_prune(tree, X, merge=False).n_leaves, post_prune(tree, X).n_leaves
    return joined < to_the_letter, {"n": tree.n_leaves, "letter": to_the_letter, "joined": joined}
