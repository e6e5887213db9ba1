"""Mistakes found in Born-Again Tree Ensembles, and the small grids of classes that show them."""

import random
from functools import cache
from itertools import product

import numpy as np

from treelib.bornagain.exact import minimise
from treelib.bornagain.pruned import post_prune
from treelib.ledger.errata import SLIP, STATEMENT, erratum
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


@erratum(
    "errata.bornagain.dl",
    "Section 1, before Theorem 1, and Supplement, Algorithm 3",
    "The hierarchical objective (DL) optimizes depth in priority and then the number of leaves; "
    "Algorithm 3 is given for it.",
    "Read as the least depth of all trees, and the fewest leaves among those, Algorithm 3 does not reach "
    "it: it keeps each half's own optimum, though a half that is not on the longest path could be deeper "
    "and smaller. Read as a hierarchy within every region, where each part of the tree has its own least "
    "depth first, its recursion does. The depth is right in both readings.",
    STATEMENT,
)
def _hierarchy():
    rng = random.Random(SEED)
    found = [(printed_dl(grid), true_dl(grid)) for grid in (random_grid(rng) for _ in range(N_GRIDS))]
    worse = [(printed, true) for printed, true in found if printed != true]
    right_depth = all(printed[0] == true[0] for printed, true in found)
    printed, true = worse[0] if worse else ((0, 0), (0, 0))
    return bool(worse) and right_depth, (
        f"On {len(worse)} of {N_GRIDS} random grids of {SIDE} x {SIDE} x {SIDE} cells in two classes the "
        f"recursion needs more splits than a tree of the same depth must have, for example {printed[1]} "
        f"instead of {true[1]} at depth {true[0]}. The depth is always right."
    )


@erratum(
    "errata.bornagain.export",
    "Supplement, Algorithm 4, line 12",
    "Export a split on feature j with the level of the region's lower corner.",
    "With level l, the one found in the loop. Where that is the lowest level of the region, both are the "
    "same. The supplement in the authors' repository prints the line as our text does.",
    SLIP,
)
def _level():
    """A single feature with classes 0 0 1: the split belongs at level 1, the printed line exports level 0."""
    classes = (0, 0, 1)
    good = [level for level in range(2) if len({*classes[: level + 1]}) == len({*classes[level + 1 :]}) == 1]
    return good == [1], (
        f"A single feature with cells of the classes {', '.join(map(str, classes))}: the optimal split is at "
        f"level {good[0]} of the region, the line exports its lower corner, level 0."
    )


@erratum(
    "errata.bornagain.root",
    "Section 4.4, of Figure 4",
    "The root split of the born-again tree is different from all root splits in the ensemble.",
    "In the figure it has the root of all three trees; our search on the forest that is drawn gives the "
    "tree that is drawn. Another faithful tree of that depth has a root of its own, and some of the "
    "authors' forests have such trees, so that the point made stands.",
    SLIP,
)
def _same_root():
    """Figure 4 as it is drawn: the roots of its forest beside that of its born-again tree."""
    figure = drawn_example()
    roots = {(tree.feature[0], tree.threshold[0]) for tree in figure.ensemble.trees}
    own = figure.tree.feature[0], figure.tree.threshold[0]
    other = minimise(figure.ensemble, "depth").tree
    return own in roots, (
        f"The figure's forest has {len(figure.ensemble.trees)} trees with {len(roots)} root among them, "
        f"{figure.features[own[0]]} <= {own[1]:g}, and its born-again tree of {figure.tree.n_leaves} leaves "
        f"has the same. By depth alone another tree is found, with the root "
        f"{figure.features[other.feature[0]]} <= {other.threshold[0]:g} and {other.n_leaves} leaves."
    )


@erratum(
    "errata.bornagain.merging",
    "Section 4.4, post-pruning",
    "Replace each split with an empty side by its other side.",
    "The printed sizes of pruned trees come out only where sibling leaves of one class are joined as "
    "well, as the authors' program does where it prunes. The text names no such step, and a reader "
    "who prunes to the letter gets larger trees.",
    SLIP,
)
def _merged():
    """Leaves of one class, all with rows: to the letter they stay, the program joins them."""
    tree = Tree.from_nested((0, 0.5, 0, (1, 0.5, 0, 0)), n_features=2)
    X = np.array([[0, 0], [1, 0], [1, 1]])
    to_the_letter, joined = post_prune(tree, X, merge=False).n_leaves, post_prune(tree, X).n_leaves
    return joined < to_the_letter, (
        f"A tree of {tree.n_leaves} leaves of one class, with rows in each: to the letter {to_the_letter} "
        f"leaves stay, with siblings of one class joined {joined}."
    )
