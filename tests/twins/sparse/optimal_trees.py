"""Naive twins: short programs that are obviously right and slow, to test the fast ones against."""

import numpy as np

from treelib.sparse.column_tree import from_nested


def halves(rows, columns):
    """(column, rows with 0, rows with 1) of each column that parts the rows, a tuple of indices."""
    for column in range(columns.shape[1]):
        false = tuple(row for row in rows if not columns[row, column])
        true = tuple(row for row in rows if columns[row, column])
        if false and true:
            yield column, false, true


def optimal_tree(columns, costs, regularization, total=None, max_depth=None):
    """Optimal tree over 0/1 columns, by trying every split of every set of rows.

    Parameters
    ----------
    columns : (n, p) of 0 and 1
    costs : (n, K), cost of predicting each class for each row
    regularization : float, leaf penalty
    total : float, denominator of the costs; default n
    max_depth : int or None

    Returns
    -------
    objective : float
    tree : ColumnTree that attains it
    """
    columns, costs = np.asarray(columns, dtype=bool), np.asarray(costs, dtype=float)
    total = len(columns) if total is None else total
    solved = {}

    def solve(rows, depth):
        """(objective, nested tree) of the set of rows, with at most `depth` splits on a path."""
        if (rows, depth) not in solved:
            cost = costs[list(rows)].sum(axis=0)
            label = int(cost.argmin())
            best = cost[label] / total + regularization, label
            for column, false, true in halves(rows, columns) if depth > 0 else ():
                (left, left_tree), (right, right_tree) = solve(false, depth - 1), solve(true, depth - 1)
                if left + right < best[0]:
                    best = left + right, (column, label, left_tree, right_tree)
            solved[rows, depth] = best
        return solved[rows, depth]

    # a path that splits at every node ends after n - 1 splits
    depth = len(columns) - 1 if max_depth is None else max_depth
    objective, nested = solve(tuple(range(len(columns))), depth)
    return objective, from_nested(nested)


def all_divisions(columns, costs, max_depth=None):
    """Every way in which trees divide the rows into leaves, with what each leaf costs as its cheapest class.

    Parameters
    ----------
    columns : (n, p) of 0 and 1
    costs : (n, K)
    max_depth : int or None

    Returns
    -------
    dict of frozenset of leaves (tuples of row indices) -> cost, without the price of the leaves
    """
    columns, costs = np.asarray(columns, dtype=bool), np.asarray(costs, dtype=float)
    solved = {}

    def divide(rows, depth):
        if (rows, depth) not in solved:
            found = {frozenset([rows]): costs[list(rows)].sum(axis=0).min()}
            for _, false, true in halves(rows, columns) if depth > 0 else ():
                for left, left_cost in divide(false, depth - 1).items():
                    for right, right_cost in divide(true, depth - 1).items():
                        found[left | right] = left_cost + right_cost
            solved[rows, depth] = found
        return solved[rows, depth]

    return divide(tuple(range(len(columns))), len(columns) - 1 if max_depth is None else max_depth)


def least_costs(columns, costs, max_depth=None, max_leaves=np.inf):
    """Least cost of a tree for every number of leaves that trees can have: dict of leaves -> cost.

    The plain dynamic program over (rows, depth), without any bound.
    """
    columns, costs = np.asarray(columns, dtype=bool), np.asarray(costs, dtype=float)
    solved = {}

    def least(rows, depth):
        if (rows, depth) not in solved:
            found = {1: costs[list(rows)].sum(axis=0).min()}
            for _, false, true in halves(rows, columns) if depth > 0 else ():
                for i, left in least(false, depth - 1).items():
                    for j, right in least(true, depth - 1).items():
                        if i + j <= max_leaves:
                            found[i + j] = min(found.get(i + j, np.inf), left + right)
            solved[rows, depth] = found
        return solved[rows, depth]

    return least(tuple(range(len(columns))), len(columns) - 1 if max_depth is None else max_depth)
