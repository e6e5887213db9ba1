"""Naive twins: short programs that are obviously right and slow, to test the fast ones against."""

import numpy as np

from treelib.sparse.column_tree import from_nested


def optimal_tree(columns, costs, regularization, total=None, max_depth=None):
    """Optimal tree over 0/1 columns, by trying every split of every set of rows.

    Parameters
    ----------
    columns : (n, p) of 0 and 1
    costs : (n, K), cost of predicting each class for each row
    regularization : float, price of a leaf
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
            for column in range(columns.shape[1]) if depth > 0 else ():
                false = tuple(row for row in rows if not columns[row, column])
                true = tuple(row for row in rows if columns[row, column])
                if false and true:
                    (left, left_tree), (right, right_tree) = solve(false, depth - 1), solve(true, depth - 1)
                    if left + right < best[0]:
                        best = left + right, (column, label, left_tree, right_tree)
            solved[rows, depth] = best
        return solved[rows, depth]

    # a path that splits at every node ends after n - 1 splits
    depth = len(columns) - 1 if max_depth is None else max_depth
    objective, nested = solve(tuple(range(len(columns))), depth)
    return objective, from_nested(nested)
