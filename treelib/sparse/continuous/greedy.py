"""A tree grown split by split and pruned, for a search that is stopped: it hands back nothing worse."""

import numpy as np

from treelib.search.budget import go_on
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT, Numbers
from treelib.sparse.continuous.number_tree import LEAF, cut_back, from_plan, midpoint, with_splits
from treelib.sparse.continuous.sorting import Sorted
from treelib.sparse.continuous.splits import ERRORS, GINI, best_splits, weights_by_class
from treelib.sparse.pruning import splits_within

# cells of a table whose greedy tree is there in a moment, so that it is grown whatever the clock says
FEW_CELLS = 2**21


def greedy_tree(numbers, rows, X, max_depth=None, check=go_on, min_rows=1, prunes=True):
    """Best Gini split at every node, level by level, and at the last level that of fewest errors; then what
    does not pay for its leaves is cut off.

    Parameters
    ----------
    numbers : Numbers
    rows : Sorted
    X : float64 (n, n_features), the table
    max_depth : int or None
    check : callable, asked before each column. It raises `Stopped` when there is no more time: the last level
        then has the best splits of the columns before.
    min_rows : int, least number of `rows` in a leaf; of rows that were merged each counts once
    prunes : bool, False where other costs will cut the tree back

    Returns
    -------
    NumberTree without labels.
    """
    n_rows = len(numbers.weight)
    node_of_row = np.zeros(n_rows, np.intp)
    plan, cost, level, depth = [LEAF], [], [0], 0
    while level:
        # the nodes of a level are those not yet split; `node_of_row` counts them from 0
        weights = weights_by_class(numbers, node_of_row, len(level))
        errors = weights.sum(axis=1) - weights.max(axis=1)
        cost += (errors + numbers.price).tolist()
        if depth == max_depth:
            break
        # below the last splits are leaves: no other ones make as few errors
        criterion = ERRORS if depth + 1 == max_depth else GINI
        order = _order(rows, node_of_row, min_rows)
        found = best_splits(numbers, order, node_of_row, weights, criterion, check)
        worth = (errors > numbers.price) & (found["score"] < np.inf)
        number = np.full(2 * len(level), -1, np.intp)
        side = np.zeros(n_rows, np.intp)
        below = []
        for k in np.flatnonzero(worth):
            feature = rows.features[found["feature"][k]]
            values = X[rows.rows[[found["below"][k], found["above"][k]]], feature]
            threshold = midpoint(*values)
            at = np.flatnonzero(node_of_row == k)
            side[at] = ~(X[rows.rows[at], feature] <= threshold)
            plan[level[k]] = int(feature), threshold, len(plan), len(plan) + 1
            number[[2 * k, 2 * k + 1]] = len(below), len(below) + 1
            below += [len(plan), len(plan) + 1]
            plan += [LEAF, LEAF]
        node_of_row = np.where(node_of_row >= 0, number[2 * node_of_row + side], -1)
        level, depth = below, depth + 1
    return from_plan(_pruned(plan, cost) if prunes else plan)


def _order(rows, node_of_row, min_rows):
    """The order of `Sorted` rows, without the cuts that leave a side too small."""
    return rows.order if min_rows == 1 else LargeSides(rows.order, node_of_row, min_rows)


class LargeSides:
    """The `order` of `Sorted` with the rows of a node side by side, and marks of a larger value only where at
    least `min_rows` of them come before and after. Columns are made when they are taken.

    order : int32 (p, m), or what is sliced like it. node_of_row : intp (m,), -1 for rows of no node
    """

    def __init__(self, order, node_of_row, min_rows):
        size = np.bincount(node_of_row + 1)
        self.order, self.n_out, size = order, size[0], size[1:]
        self.shape = order.shape[0], order.shape[1] - self.n_out
        few = len(size) < np.iinfo(np.int16).max  # such are sorted several times as fast
        self.node_of_row = node_of_row.astype(np.int16) if few else node_of_row
        before = np.arange(self.shape[1]) - np.repeat(np.cumsum(size) - size, size)
        self.is_allowed = (before >= min_rows) & (np.repeat(size, size) - before >= min_rows)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, block):
        codes = self.order[block]
        group = np.cumsum(codes & FIRST, axis=1)
        by_node = np.argsort(self.node_of_row[codes >> ROW_SHIFT], axis=1, kind="stable")[:, self.n_out :]
        codes = np.take_along_axis(codes, by_node, axis=1) & ~FIRST
        group = np.take_along_axis(group, by_node, axis=1)
        codes[:, 1:] |= np.where((group[:, 1:] != group[:, :-1]) & self.is_allowed[1:], FIRST, 0)
        return codes


def _pruned(plan, cost):
    """`plan` without the splits that do not pay: of all ways to cut it back, the one of least cost."""
    plan, cost = list(plan), list(cost)
    for node in range(len(plan) - 1, -1, -1):  # children come after their parent
        if plan[node] != LEAF:
            split = cost[plan[node][2]] + cost[plan[node][3]]
            if split < cost[node]:
                cost[node] = split
            else:
                plan[node] = LEAF
    return plan


def patient(budget, n_cells):
    """``budget.check`` for growing a tree on so many cells; of few, nothing stops it."""
    return go_on if n_cells <= FEW_CELLS else budget.check


def grown(rows, X, regularization, max_depth=None, check=go_on, min_rows=1, prunes=True):
    """Greedy tree of `Sorted` rows of the table `X`, without labels; see `greedy_tree`."""
    numbers = Numbers(
        n_features=len(rows.features),
        n_classes=max(rows.n_classes, 2),
        price=float(regularization * rows.total),
        tolerance=0.0,
        classes=rows.classes,
        weight=rows.weight,
        keys=np.zeros((0, 2), np.uint64),
    )
    return greedy_tree(numbers, rows, X, max_depth, check, min_rows, prunes)


def unmerged(y, weights, n_classes, order, features):
    """`Sorted` rows of which none are merged. order, features : as there"""
    return Sorted(
        rows=np.arange(len(y)),
        features=features,
        order=order,
        classes=y.astype(np.int32),
        weight=weights,
        class_of=np.arange(n_classes),
        base=0.0,
        scale=1.0,
        total=float(weights.sum()),
    )


def pruned(tree, data, max_leaves=None):
    """`tree` cut back to the least objective on `Data`, and to `max_leaves` leaves if that is no None.

    Returns
    -------
    NumberTree labelled on `Data`
    """
    by_class, _ = data.counted(tree)
    leaf = by_class.sum(axis=1) - by_class.max(axis=1) + data.regularization * data.total
    cut = cut_back(tree, leaf)[0] if max_leaves is None else cut_within(tree, leaf, max_leaves)[0]
    return data.labelled(cut)


def cut_within(tree, leaf, max_leaves):
    """`tree` cut back to the least cost of at most `max_leaves` leaves, and the nodes that are kept.

    leaf : float64 (n_nodes,), cost of each node as a leaf, its price included
    """
    return with_splits(tree, splits_within(tree.left, tree.right, leaf, max_leaves))
