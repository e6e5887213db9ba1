"""All prunings of one tree under a parameter that nests them, and the counts that pruning reads."""

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from treelib.search.budget import asking, go_on
from treelib.tree.stored import Tree


@dataclass(frozen=True, eq=False, repr=False)
class PruningPath:
    """Nested prunings of one tree under a parameter, one for each ``[breakpoints[k], breakpoints[k + 1])``.

    Later pieces hold smaller trees, each a pruning of the one before. The last piece is a single leaf and
    has no end.

    Attributes
    ----------
    tree : Tree
        The unpruned tree.
    breakpoints : tuple of Fraction (n_pieces,)
        Strictly increasing, the first is 0.
    first_piece, last_piece : intp (n_nodes,)
        First and last piece in which each node is a leaf; `last_piece` < `first_piece` for a node that never
        is one.
    n_leaves : intp (n_pieces,)
        Number of leaves, strictly decreasing.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import cost_complexity_path
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> path = cost_complexity_path(tree)
    >>> path.n_leaves, [str(point) for point in path.breakpoints]
    (array([6, 4, 3, 2, 1]), ['0', '1/150', '1/75', '23/75', '1/3'])
    >>> path.at(0.1).n_leaves
    3
    """

    tree: Tree
    breakpoints: tuple
    first_piece: np.ndarray
    last_piece: np.ndarray
    n_leaves: np.ndarray = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "n_leaves", self._sums(np.ones(self.tree.n_nodes, dtype=np.intp)))

    def __len__(self):
        return len(self.breakpoints)

    def __getitem__(self, piece):
        """Tree of one piece, counted from 0 or, if negative, from the end."""
        if not -len(self) <= piece < len(self):
            raise IndexError(f"piece {piece} of a path of {len(self)}.")
        piece %= len(self)
        is_leaf = (self.first_piece <= piece) & (piece <= self.last_piece)
        return self.tree.pruned(np.flatnonzero(is_leaf & ~self.tree.is_leaf))

    def __repr__(self):
        return f"<PruningPath: {len(self)} trees, from {self.n_leaves[0]} leaves to {self.n_leaves[-1]}>"

    def piece(self, parameter):
        """Index of the piece that contains a parameter.

        Parameters
        ----------
        parameter : int, float or Fraction
            At least 0; int and Fraction are exact.

        Returns
        -------
        int
            The piece.
        """
        if not parameter >= 0:
            raise ValueError(f"parameter={parameter!r} must be at least 0.")
        return bisect_right(self.breakpoints, parameter) - 1

    def at(self, parameter):
        """Tree at a parameter.

        Parameters
        ----------
        parameter : int, float or Fraction
            At least 0; int and Fraction are exact.

        Returns
        -------
        Tree
            The pruned tree.
        """
        return self[self.piece(parameter)]

    def costs(self, node_cost):
        """Cost of the tree of each piece, the sum over its leaves.

        Parameters
        ----------
        node_cost : array (n_nodes,)
            Cost of each node as a leaf.

        Returns
        -------
        array (n_pieces,)
            The costs, of the same type as `node_cost`.
        """
        node_cost = np.asarray(node_cost)
        if node_cost.shape != (self.tree.n_nodes,):
            raise ValueError(
                f"node_cost has shape {node_cost.shape}; give one for {self.tree.n_nodes} nodes."
            )
        return self._sums(node_cost)

    def errors(self, X, y_codes, sample_weight=None, check=go_on):
        """Error of the tree of each piece on the given data: an exact step function of the parameter.

        Parameters
        ----------
        X : array-like (n, n_features)
            The samples.
        y_codes : int (n,)
            Class indices.
        sample_weight : float (n,) or None
            Sample weights. None: all samples have weight 1.
        check : callable
            Called every few milliseconds; it may raise to abort.

        Returns
        -------
        float64 (n_pieces,)
            Weighted fraction of misclassified samples for each piece.
        """
        counted = self.tree.recount(X, y_codes, sample_weight, check)
        total = total_counts(counted)[0]
        if not total > 0:
            raise ValueError("The error needs at least one row with positive weight.")
        return self.costs(wrong_counts(counted)) / total

    def _sums(self, node_cost):
        """Sum of `node_cost` over the leaves of each piece."""
        ever = self.first_piece <= self.last_piece
        change = np.zeros(len(self) + 1, dtype=node_cost.dtype)
        np.add.at(change, self.first_piece[ever], node_cost[ever])
        np.subtract.at(change, self.last_piece[ever] + 1, node_cost[ever])
        return np.cumsum(change[:-1])


def path_of(tree, breakpoints, first, check=go_on):
    """PruningPath of nodes that become leaves in piece `first`, if no ancestor has become one by then.

    check : callable that is asked now and then, and may raise
    """
    last = np.full(tree.n_nodes, len(breakpoints) - 1, dtype=np.intp)
    parents = tree.parent
    for node in asking(range(1, tree.n_nodes), check):  # parents come before their children
        parent = parents[node]
        last[node] = min(last[parent], first[parent] - 1)
    return PruningPath(tree, breakpoints, first, last)


# ---- counts ----------------------------------------------------------------------------------------------


def wrong_counts(tree):
    """Weight that each node would predict wrongly as a leaf, float64 (n_nodes,)."""
    check_classes(tree)
    return total_counts(tree) - tree.value[np.arange(tree.n_nodes), tree.label]


def node_counts(tree):
    """Weight predicted wrongly and all weight of each node; ValueError for a tree without counts."""
    wrong, total = wrong_counts(tree), total_counts(tree)
    if not total[0] > 0:
        raise ValueError("The tree holds no counts; see `Tree.recount`.")
    return wrong, total


def total_counts(tree):
    """All weight of each node, float64 (n_nodes,)."""
    return tree.value.sum(axis=1)


def saved_squares(tree):
    """Sum of squares that the leaves below each node save against the node's own mean, (n_nodes,)."""
    weight, mean = tree.n_node_samples.astype(float), tree.value[:, 0]
    # sum over leaves of n (m_leaf - m)^2 = sum n m_leaf^2 - 2 m sum n m_leaf + m^2 sum n, shifted by the root
    shifted = mean - mean[0]
    saved = np.zeros(tree.n_nodes)
    first = np.where(tree.is_leaf, weight * shifted, 0.0)
    second = first * shifted
    for node in range(tree.n_nodes - 1, 0, -1):
        first[tree.parent[node]] += first[node]
        second[tree.parent[node]] += second[node]
    inner = ~tree.is_leaf
    saved[inner] = (second - 2 * shifted * first + shifted**2 * weight)[inner]
    return np.maximum(saved, 0.0)


def check_classes(tree):
    """ValueError for a regression tree."""
    if tree.is_regression:
        raise ValueError("This needs a classification tree: a regression tree holds no counts of classes.")
