"""Trees over columns of numbers, as this search returns them."""

from typing import NamedTuple

import numpy as np

LEAF = -1


class NumberTree(NamedTuple):
    """A binary tree in flat arrays, root 0, in preorder, left child first.

    A row goes left iff x <= threshold. A missing value is larger than every number: the threshold +inf sends
    only missing values right.
    """

    feature: np.ndarray  # intp (n_nodes,), -1 at leaves
    threshold: np.ndarray  # float64 (n_nodes,), 0 at leaves
    left: np.ndarray  # intp (n_nodes,), -1 at leaves
    right: np.ndarray  # intp (n_nodes,), -1 at leaves
    label: np.ndarray  # intp (n_nodes,), class of most weight, the first of equals
    error: float = np.nan  # fraction of the weight of the rows that gave the labels, which they miss

    @property
    def n_leaves(self):
        return int(np.count_nonzero(self.feature < 0))

    @property
    def node_depth(self):
        """Splits above each node, intp (n_nodes,)."""
        depth = np.zeros(len(self.feature), np.intp)
        for node in np.flatnonzero(self.feature >= 0):
            depth[self.left[node]] = depth[self.right[node]] = depth[node] + 1
        return depth

    @property
    def depth(self):
        """Splits on the longest path."""
        return int(self.node_depth.max())

    def predict(self, X):
        """Class index of each row."""
        label = np.empty(len(X), np.intp)
        for node, rows in enumerate(rows_of_nodes(self, X)):
            if self.feature[node] < 0:
                label[rows] = self.label[node]
        return label

    def objective(self, X, y, regularization, weights=None):
        """Weighted fraction of rows misclassified + `regularization` x leaves."""
        return _share(self.predict(X) != y, weights) + regularization * self.n_leaves


def _share(is_wrong, weights):
    """The rows that are wrong as a fraction of the weight of all."""
    if weights is None:
        return float(np.count_nonzero(is_wrong) / len(is_wrong))
    return float(weights[is_wrong].sum() / weights.sum())


def midpoint(low, high):
    """Halfway between two numbers, at least `low` and below `high`; +inf where `high` is missing."""
    if np.isnan(high):
        return np.inf
    middle = low / 2 + high / 2
    return float(middle) if low <= middle < high else float(low)


def rows_of_nodes(tree, X):
    """Row indices that end in each leaf, ascending; None for other nodes."""
    rows = [None] * len(tree.feature)
    rows[0] = np.arange(len(X))
    for node in np.flatnonzero(tree.feature >= 0):  # preorder: a parent comes before its children
        at = rows[node]
        is_left = X[at, tree.feature[node]] <= tree.threshold[node]
        rows[tree.left[node]], rows[tree.right[node]], rows[node] = at[is_left], at[~is_left], None
    return rows


def from_plan(plan):
    """`NumberTree` with labels 0, written down by `plan`.

    plan : list of LEAF or (feature, threshold, left, right), the children as indices in the list; the root
        is the first.
    """
    feature, threshold, left, right = [], [], [], []
    todo = [(0, None, -1)]
    while todo:
        key, links, parent = todo.pop()
        node, item = len(feature), plan[key]
        if links is not None:
            links[parent] = node
        is_leaf = item == LEAF
        feature.append(-1 if is_leaf else item[0])
        threshold.append(0.0 if is_leaf else item[1])
        left.append(-1)
        right.append(-1)
        if not is_leaf:
            todo.append((item[3], right, node))
            todo.append((item[2], left, node))
    integers = (np.array(part, np.intp) for part in (left, right, np.zeros(len(feature))))
    return NumberTree(np.array(feature, np.intp), np.array(threshold, float), *integers)


def cut_back(tree, cost):
    """The tree without the splits that do not pay: of all ways to cut it back, that of least cost.

    cost : float64 (n_nodes,), of each node as a leaf, its price included

    Returns
    -------
    tree : NumberTree, its labels those of the nodes that stay. value : float, its cost. stays : bool
    (n_nodes,), which these are
    """
    best, pays = cost.copy(), np.zeros(len(cost), bool)
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:  # children come after their parent
        below = best[tree.left[node]] + best[tree.right[node]]
        pays[node] = below < cost[node]
        best[node] = min(below, cost[node])
    tree, stays = with_splits(tree, pays)
    return tree, float(best[0]), stays


def with_splits(tree, splits):
    """The tree cut back: a node stays a split where it and all nodes above it are in `splits`.

    splits : bool (n_nodes,)

    Returns
    -------
    tree : NumberTree, its labels those of the nodes that stay. stays : bool (n_nodes,), which these are
    """
    stays = np.zeros(len(splits), bool)
    stays[0] = True
    for node in np.flatnonzero(splits):  # children come after their parent
        stays[[tree.left[node], tree.right[node]]] = stays[node]
    number = np.cumsum(stays) - 1
    left, right = (np.where(splits, number[side], -1)[stays] for side in (tree.left, tree.right))
    feature = np.where(splits, tree.feature, -1)[stays]
    threshold = np.where(splits, tree.threshold, 0.0)[stays]
    return NumberTree(feature, threshold, left, right, tree.label[stays]), stays


def counted(tree, X, y, weights, n_classes):
    """Weight of each class float64 (n_nodes, n_classes) and number of rows intp (n_nodes,) at each node."""
    n_nodes = len(tree.feature)
    value, n_rows = np.zeros((n_nodes, n_classes)), np.zeros(n_nodes, np.intp)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        if tree.feature[node] < 0:
            value[node] = np.bincount(y[rows], None if weights is None else weights[rows], n_classes)
            n_rows[node] = len(rows)
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:  # preorder: children come after their parent
        value[node] = value[tree.left[node]] + value[tree.right[node]]
        n_rows[node] = n_rows[tree.left[node]] + n_rows[tree.right[node]]
    return value, n_rows


def labelled(tree, X, y, weights, n_classes):
    """`tree` with the class of most weight at every node, and its error on these rows."""
    found = named(tree, counted(tree, X, y, weights, n_classes)[0])
    if weights is None:
        return found
    return found._replace(error=_share(found.predict(X) != y, weights))  # as `objective`, to the last digit


def named(tree, value):
    """`tree` with the labels and the error that the weights `value` of the classes at its nodes give."""
    ends = value[tree.feature < 0]
    wrong = (ends.sum(axis=1) - ends.max(axis=1)).sum()
    return tree._replace(label=value.argmax(axis=1), error=float(wrong / ends.sum()))


def to_tree(tree, X, y, weights, n_classes, feature_names=None, class_names=None):
    """`treelib.tree.stored.Tree` of the same function, counted on the rows of X."""
    from treelib.tree.stored import Tree

    value, n_rows = counted(tree, X, y, weights, n_classes)
    is_leaf = tree.feature < 0
    return Tree(
        children_left=tree.left,
        children_right=tree.right,
        feature=np.where(is_leaf, -2, tree.feature),
        threshold=np.where(is_leaf, -2.0, tree.threshold),
        value=value,
        n_node_samples=n_rows,
        n_features=X.shape[1],
        feature_names=feature_names,
        class_names=class_names,
    )


def from_tree(tree, max_depth=None):
    """`NumberTree` of a `treelib.Tree`, without labels; deeper splits than `max_depth` are cut off."""
    plan = []
    depth = tree.node_depth
    for node in range(tree.n_nodes):
        cut = tree.children_left[node] < 0 or (max_depth is not None and depth[node] >= max_depth)
        left, right = tree.children_left[node], tree.children_right[node]
        plan.append(LEAF if cut else (int(tree.feature[node]), float(tree.threshold[node]), left, right))
    return from_plan(plan)
