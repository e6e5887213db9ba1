"""Better trees in the first second: the sides of the best tree's root, each searched as a table of its own.

After its narrow passes a search begins at the root of the best tree. It has a better tree when it knows the
best trees of both sides. Here the best tree of one side makes the whole better at once, and the smaller side
comes first.
"""

import numpy as np

from treelib.sparse.continuous.number_tree import LEAF, from_plan
from treelib.sparse.continuous.prepare import Data
from treelib.sparse.continuous.sorting import sort_rows

# steps for a side, about a second; cells of the largest table whose sides are copied and sorted for it
MOST_STEPS, MOST_CELLS = 128, 2**20


def improve_sides(search, budget):
    """Let `search` look for trees better than its best one with better sides; it raises what `budget` does.

    search : Search of a limited depth. Where a side has no room beside it, it keeps the tree that it has.
    """
    data, tree = search.data, search.tree()
    if tree.feature[0] < 0 or data.X.size > MOST_CELLS:
        return
    is_left = data.X[:, tree.feature[0]] <= tree.threshold[0]
    sides = [subtree(tree, tree.left[0]), subtree(tree, tree.right[0])]
    smaller = int(2 * np.count_nonzero(is_left) > len(is_left))
    for side in (smaller, 1 - smaller):
        own = _part(data, is_left if side == 0 else ~is_left)
        rows = sort_rows(own.X, own.y, own.weights, budget.check)
        below = type(search)(rows, own, search.depth - 1, sides[side])
        while search.has_room_beside(below, budget) and below.steps < MOST_STEPS:
            budget.check()
            if below.is_leaf or below.step():
                break
        search.bytes_beside = 0
        sides[side] = below.tree()
        search._start_from(data.labelled(joined(tree.feature[0], tree.threshold[0], *sides)))
        budget.record(search.in_units(search.best), search.in_units(search.lower), search.n_nodes)


def _part(data, is_in):
    """`Data` of some of the rows, on which a leaf costs what it costs on all."""
    weights = None if data.weights is None else data.weights[is_in]
    own = Data(data.X[is_in], data.y[is_in], weights, data.n_classes, 0.0)
    return own._replace(regularization=data.regularization * data.total / own.total)


def subtree(tree, node):
    """The `NumberTree` at and below a node, without labels."""
    return from_plan(_plan(tree, -node)[node:])


def joined(feature, threshold, left, right):
    """The `NumberTree` of a split and the trees of its sides, without labels."""
    n_left = len(left.feature)
    return from_plan(
        [(int(feature), float(threshold), 1, 1 + n_left), *_plan(left, 1), *_plan(right, 1 + n_left)]
    )


def _plan(tree, shift):
    """The nodes as `from_plan` takes them, their numbers moved by `shift`."""
    nodes = zip(*(part.tolist() for part in tree[:4]), strict=True)
    return [LEAF if j < 0 else (j, cut, left + shift, right + shift) for j, cut, left, right in nodes]
