"""Partial trees: leaves that are closed, with a class, and leaves that are open."""

from typing import NamedTuple

from treelib.sparse.column_tree import from_nested


class Leaf(NamedTuple):
    """A leaf of a partial tree; `label` is -1 while it is open.

    path : tuple of (column, side). rows : int, its set. depth : splits allowed below. box : see `order`.
    """

    path: tuple
    rows: int
    depth: float
    box: dict
    label: int = -1


class PartialTree(NamedTuple):
    """Leaves, closed and open, the cost of the closed ones with their price, the rows that each class is
    forbidden to, and the numbers of the required columns that are not tested yet, as bits."""

    closed: tuple
    open: tuple
    paid: float
    forbidden: tuple
    missing: int

    @property
    def n_leaves(self):
        return len(self.closed) + len(self.open)


def tree_of(leaves, problem):
    """ColumnTree of closed leaves; its splits have the label of their cheapest class."""

    def nested(leaves, depth):
        if len(leaves) == 1 and len(leaves[0].path) == depth:
            return leaves[0].label, problem.leaf_costs(leaves[0].rows)
        sides = [[leaf for leaf in leaves if leaf.path[depth][1] == side] for side in (0, 1)]
        (false, of_false), (true, of_true) = (nested(side, depth + 1) for side in sides)
        costs = of_false + of_true
        return (leaves[0].path[depth][0], int(costs.argmin()), false, true), costs

    return from_nested(nested(leaves, 0)[0])
