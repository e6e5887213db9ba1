"""Tests that a tree must make and lacks, put at its leaves."""

import numpy as np

from treelib.sparse.continuous.number_tree import NumberTree, midpoint, rows_of_nodes
from treelib.tree.building import preorder


def with_tests(tree, X, tests, max_depth=None, min_rows=1):
    """`tree` with one more split for each of `tests`, at the leaf of most rows that has room for it.

    Parameters
    ----------
    tree : NumberTree
    X : float64 (n, p), the rows to choose leaves and thresholds by: a split halves the rows of its leaf
    tests : list of intp arrays, each of features of which one is tested
    max_depth : int or None. min_rows : int, of `X` on either side of a split

    Returns
    -------
    NumberTree, both sides of a new split with the label of the leaf before, and bool (n_nodes,), which nodes
    are such sides; None where a test finds no room.
    """
    rows, n_before = rows_of_nodes(tree, X), len(tree.feature)
    for features in tests:
        found = _room_for(tree, X, rows, features, max_depth, min_rows)
        if found is None:
            return None
        leaf, feature, threshold = found
        tree = _split(tree, leaf, feature, threshold)
        is_left = X[rows[leaf], feature] <= threshold
        rows += [rows[leaf][is_left], rows[leaf][~is_left]]
    order = preorder(tree.left, tree.right)
    number = np.append(np.argsort(order), -1)  # a leaf has the children -1
    tree = tree._replace(left=number[tree.left], right=number[tree.right])
    return NumberTree(*(part[order] for part in tree[:5])), order >= n_before


def _room_for(tree, X, rows, features, max_depth, min_rows):
    """Leaf, feature and threshold of a split on one of `features`; None where there is none."""
    leaves = [leaf for leaf in np.flatnonzero(tree.feature < 0) if len(rows[leaf]) >= 2 * min_rows]
    if max_depth is not None:
        depth = tree.node_depth
        leaves = [leaf for leaf in leaves if depth[leaf] < max_depth]
    for leaf in sorted(leaves, key=lambda leaf: -len(rows[leaf])):
        for feature in features:
            threshold = _middle(X[rows[leaf], feature], min_rows)
            if threshold is not None:
                return leaf, feature, threshold
    return None


def _middle(values, min_rows):
    """The threshold that halves `values` best, with `min_rows` on either side; None where there is none."""
    values = np.sort(values)  # missing ones are last
    n_left = 1 + np.flatnonzero((values[:-1] < values[1:]) | (np.isnan(values[1:]) & ~np.isnan(values[:-1])))
    n_left = n_left[(n_left >= min_rows) & (len(values) - n_left >= min_rows)]
    if len(n_left) == 0:
        return None
    n = n_left[np.abs(2 * n_left - len(values)).argmin()]
    return midpoint(values[n - 1], values[n])


def _split(tree, leaf, feature, threshold):
    """`tree` with a split of a leaf, whose sides are the last two nodes and have its label."""
    n = len(tree.feature)
    parts = [np.append(part, [part[leaf]] * 2) for part in tree[:5]]
    for part, value in zip(parts, (feature, threshold, n, n + 1), strict=False):
        part[leaf] = value
    return NumberTree(*parts)
