"""Trees over binary columns, as the exact search sees them.

The search knows neither units nor names: it splits on 0/1 columns. `ColumnTree` is what it takes (warm
start) and returns; `to_tree` and `from_tree` cross the border to `treelib.tree.stored.Tree`, whose splits are
thresholds on features.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.table.checks import writeable
from treelib.tree.stored import trusted

NO_FEATURE, NO_THRESHOLD = np.array([-2]), np.array([-2.0])  # at the leaves of a `Tree`


class ColumnTree(NamedTuple):
    """A binary tree in flat arrays, root 0, in preorder with the false child first.

    Rows with a 0 in the column go to the false child, rows with a 1 to the true child.
    """

    column: np.ndarray  # intp (n_nodes,): column of the split, -1 at leaves
    false_child: np.ndarray  # intp (n_nodes,): always the next node, -1 at leaves
    true_child: np.ndarray  # intp (n_nodes,): -1 at leaves
    label: np.ndarray  # intp (n_nodes,): class index the node predicts as a leaf

    @property
    def n_nodes(self):
        return len(self.column)

    @property
    def n_leaves(self):
        return int(np.count_nonzero(self.column < 0))

    @classmethod
    def leaf(cls, label):
        """The tree that is a single leaf."""
        return from_nested(int(label))

    def objective(self, columns, costs, regularization, total=None):
        """Cost of the predicted classes / `total` (default: number of rows) + `regularization` x leaves.

        `columns` (n, p) of 0 and 1, `costs` (n, K) as in `treelib.sparse.exact.minimise.minimise`.
        """
        paid = 0.0
        for node, rows in enumerate(rows_of_nodes(self, columns)):
            if self.column[node] < 0:
                paid += costs[rows, self.label[node]].sum()
        return float(paid / (len(columns) if total is None else total) + regularization * self.n_leaves)


def from_nested(nested):
    """ColumnTree of nested tuples: a leaf is its label, a split is (column, label, false, true).

    Preorder is the order of writing. Explicit stack: depth is bounded by memory, not by Python.
    """
    column, false_child, true_child, label = [], [], [], []
    todo = [(nested, None, -1)]
    while todo:
        part, links, parent = todo.pop()
        node = len(column)
        if links is not None:
            links[parent] = node
        is_split = isinstance(part, tuple)
        column.append(part[0] if is_split else -1)
        label.append(part[1] if is_split else part)
        false_child.append(-1)
        true_child.append(-1)
        if is_split:
            todo.append((part[3], true_child, node))
            todo.append((part[2], false_child, node))
    return ColumnTree(*(np.array(part, dtype=np.intp) for part in (column, false_child, true_child, label)))


def rows_of_nodes(tree, columns):
    """Row indices that reach each node.

    Parameters
    ----------
    tree : ColumnTree
    columns : (n, p) uint8 or bool

    Returns
    -------
    list of intp arrays, one a node, each ascending; O(n) time a level of the tree.
    """
    rows = [None] * tree.n_nodes
    rows[0] = np.arange(len(columns))
    for node in range(tree.n_nodes):  # preorder: a parent comes before its children
        if tree.column[node] >= 0:
            true = columns[rows[node], tree.column[node]].astype(bool)
            rows[tree.false_child[node]] = rows[node][~true]
            rows[tree.true_child[node]] = rows[node][true]
    return rows


def to_tree(
    tree,
    binarizer,
    columns,
    y_codes,
    weights,
    n_classes,
    *,
    feature_names=None,
    class_names=None,
    keep_labels=False,
):
    """`treelib.tree.stored.Tree` of the same function, counted on the training rows.

    Parameters
    ----------
    tree : ColumnTree
    binarizer : Binarizer that made `columns`
    columns : (n, p) uint8, the training rows
    y_codes : (n,) intp class indices
    weights : (n,) float64 or None for ones
    n_classes : int
    feature_names, class_names : tuple of str or None
    keep_labels : bool. False: every node predicts the class of largest weight, the first of equals, so
        that ``predict`` agrees with ``predict_proba``. True: the labels of `tree`, needed where costs
        are not those of plain errors.
    """
    value, n_rows = counted(tree, columns, y_codes, weights, n_classes)
    return trusted(
        children_left=tree.false_child.copy(),
        children_right=tree.true_child.copy(),
        # the column of a leaf, -1, is the last entry
        feature=np.concatenate((binarizer.column_feature_, NO_FEATURE))[tree.column],
        threshold=np.concatenate((binarizer.column_threshold_, NO_THRESHOLD))[tree.column],
        value=value,
        n_node_samples=n_rows,
        label=tree.label.copy() if keep_labels else value.argmax(axis=1),
        n_features=binarizer.n_features_,
        feature_names=feature_names,
        class_names=class_names,
    )


def counted(tree, columns, y_codes, weights, n_classes):
    """Weight of each class float64 (n_nodes, n_classes) and number of rows intp (n_nodes,) at each node."""
    value, n_rows = np.zeros((tree.n_nodes, n_classes)), np.zeros(tree.n_nodes, dtype=np.intp)
    count_nodes(tree, columns, y_codes, None if weights is None else writeable(weights), value, n_rows)
    return value, n_rows


@kernel(allocates=False)
def count_nodes(tree, columns, y_codes, weights, value, n_rows):
    """Add some rows to what their nodes hold.

    Parameters
    ----------
    tree : ColumnTree
    columns : uint8 (n, p). y_codes : intp (n,). weights : float64 (n,), or None for ones
    value : float64 (n_nodes, n_classes), n_rows : intp (n_nodes,), added to
    """
    for i in range(columns.shape[0]):
        weight = 1.0 if weights is None else weights[i]
        node = 0
        while True:
            value[node, y_codes[i]] += weight
            n_rows[node] += 1
            if tree.column[node] < 0:
                break
            node = tree.true_child[node] if columns[i, tree.column[node]] else tree.false_child[node]


def check_features(tree, n_features):
    """ValueError if an initial `Tree` reads other features than the data have."""
    if tree.n_features != n_features:
        raise ValueError(
            f"the initial tree reads {tree.n_features} features, but the data have {n_features} "
            "after categorical columns are expanded into 0/1 features; give a tree over these."
        )


def from_tree(tree, binarizer, columns, costs, *, max_depth=None):
    """ColumnTree nearest to `tree`, for a warm start.

    Splits move to the candidate column of the same feature with the nearest threshold. Splits that then
    leave one side empty, or that have no column because the feature is constant, vanish. Every node
    predicts the class of least cost among its rows, so the result may be better than `tree`.

    Parameters
    ----------
    tree : Tree over the features of `binarizer`
    binarizer : Binarizer that made `columns`
    columns : (n, p) uint8, the training rows
    costs : (n, K) float64, cost of each class for each row
    max_depth : int or None; deeper nodes are cut.
    """
    check_features(tree, binarizer.n_features_)
    column, false_child, true_child, label = [], [], [], []
    todo = [(0, np.arange(len(columns)), 0, None, -1)]
    while todo:
        node, rows, depth, links, parent = todo.pop()
        chosen = -1
        while tree.children_left[node] >= 0 and (max_depth is None or depth < max_depth):
            chosen, swapped = binarizer.nearest_column(tree.feature[node], tree.threshold[node])
            false, true = tree.children_left[node], tree.children_right[node]
            if swapped:
                false, true = true, false
            if chosen < 0:  # a feature constant in training separates no rows, so either side will do
                node = false
                continue
            is_true = columns[rows, chosen].astype(bool)
            if is_true.any() and not is_true.all():
                break
            node = true if is_true.all() else false
            chosen = -1
        here = len(column)
        if links is not None:
            links[parent] = here
        column.append(chosen)
        false_child.append(-1)
        true_child.append(-1)
        label.append(int(costs[rows].sum(axis=0).argmin()))
        if chosen >= 0:
            todo.append((true, rows[is_true], depth + 1, true_child, here))
            todo.append((false, rows[~is_true], depth + 1, false_child, here))
    return ColumnTree(*(np.array(part, dtype=np.intp) for part in (column, false_child, true_child, label)))
