"""What goes into the branch and bound over leaf sets, and the tree that comes out.

Inside the search columns are reordered, rows merged and trees are sets of leaves; outside there are a 0/1
table, class codes and `treelib.tree.stored.Tree`.
"""

import math

import numpy as np

from treelib.sparse.problem_checks import check_table
from treelib.table.checks import check_positive, holds_bits
from treelib.table.packed import group_rows, pack_columns, pack_rows


def check_problem(X, y, regularization):
    """Checked copies: X uint8 (n, p) of 0 and 1, y intp (n,) of 0 and 1, regularization as float.

    Raises
    ------
    ValueError
        For empty or other than 0/1 data, lengths that differ, a regularization that is not positive.
    """
    X, y = check_table(X, y)
    if not holds_bits(y):
        raise ValueError(
            "y must hold the class codes 0 and 1 only: the paper's search knows two classes. "
            "OptimalSparseTreeClassifier takes any number of them."
        )
    check_positive("regularization", regularization, "a positive number: the bounds divide by it")
    return np.ascontiguousarray(X, dtype=np.uint8), y.astype(np.intp), float(regularization)


def gini_order(X, y):
    """Columns by descending Gini reduction at the root, intp (p,); of equal ones, the last comes first."""

    def gini(n_ones, n):
        share = n_ones / np.maximum(n, 1)
        return 2 * share * (1 - share)

    n = len(y)
    n_true = X.sum(axis=0, dtype=np.int64)
    ones_true = X[y == 1].sum(axis=0, dtype=np.int64)
    n_ones = np.int64(np.count_nonzero(y))
    true, false = gini(ones_true, n_true), gini(n_ones - ones_true, n - n_true)
    reduction = gini(n_ones, n) - (n - n_true) / n * false - n_true / n * true
    return np.argsort(reduction, kind="stable")[::-1]


def merge_rows(X, y, order):
    """Merge equal rows: columns in their `order` as bits, uint64 (p, n_words), and class counts, int64
    (n_merged, 2)."""
    group, first = group_rows(pack_rows(X))
    counts = np.bincount(2 * group + y, minlength=2 * len(first)).reshape(-1, 2).astype(np.int64)
    return pack_columns(X, first, np.zeros(X.shape[1], np.uint8))[order], counts


def cart_leaves(X, y, regularization):
    """Leaves of the CART tree that the paper starts from, as sets of (column, value).

    The settings are those of the authors' experiments, also where CART is compared with: a node to be split
    has at least 2 lambda of the rows, a leaf lambda, a split lowers the Gini impurity by lambda, and there
    are at most 1/(2 lambda) leaves.
    """
    max_leaves = math.floor(1 / (2 * regularization))
    if max_leaves < 2:
        return [frozenset()]
    from sklearn.tree import DecisionTreeClassifier

    n = len(y)
    tree = (
        DecisionTreeClassifier(
            min_samples_split=max(math.ceil(2 * regularization * n), 2),
            min_samples_leaf=math.ceil(regularization * n),
            max_leaf_nodes=max_leaves,
            min_impurity_decrease=regularization,
            random_state=0,
        )
        .fit(X, y)
        .tree_
    )
    leaves, todo = [], [(0, frozenset())]
    while todo:
        node, literals = todo.pop()
        if tree.children_left[node] < 0:
            leaves.append(literals)
            continue
        column = int(tree.feature[node])
        todo.append((tree.children_left[node], literals | {(column, 0)}))
        todo.append((tree.children_right[node], literals | {(column, 1)}))
    return leaves


def tree_of_leaves(leaves, order, X, y):
    """`Tree` with the given leaves, counted on the data.

    Parameters
    ----------
    leaves : list of frozenset of (column, value), the leaves of some tree
    order : columns, most wanted at the root first. Several trees may share a set of leaves: any column on
        which all leaves have a literal can be the root of one.
    X : uint8 (n, p)
    y : intp (n,), 0 or 1

    Returns
    -------
    Tree
        Equal counts are called 1, the paper's rule; an empty node is called 0.
    """
    from treelib.tree.stored import Tree

    def nested(leaves):
        if len(leaves) == 1:
            return 0
        shared = set.intersection(*({column for column, _ in leaf} for leaf in leaves))
        root = next(column for column in order if column in shared)
        false, true = (
            [leaf - {(root, value)} for leaf in leaves if (root, value) in leaf] for value in (0, 1)
        )
        return int(root), 0.5, nested(false), nested(true)

    tree = Tree.from_nested(nested(leaves), X.shape[1], n_classes=2).recount(X, y)
    return tree.replace(
        label=((tree.value[:, 1] >= tree.value[:, 0]) & (tree.n_node_samples > 0)).astype(int)
    )
