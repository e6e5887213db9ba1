"""Optimal trees under constraints by listing what all trees predict, on every point of the space."""

from itertools import product

import numpy as np


def optimal_value(columns, costs, regularization, constraints, max_depth, max_leaves=None):
    """Least cost / n + regularization x leaves of a tree that keeps to the constraints, infinity for none.

    Every tree is a function on the grid of codes, written as one int a class: bit x of the k-th is 1 where
    point x gets class k. Of the trees below a node that predict the same and test the same required columns,
    the cheapest is kept (with a limit, one for each number of leaves); nothing else is left out. Order is
    asked of neighbouring points, not of leaves; without an order, what is predicted does not matter.

    columns, constraints : as in `treelib.sparse.constrained.problem`. costs : (n, n_classes)
    max_depth : int. max_leaves : int or None
    """
    n_features = len(constraints.direction)
    feature, n_classes = columns.feature, costs.shape[1]
    rank = np.array([int((feature[:c] == feature[c]).sum()) for c in range(len(feature))])
    n_codes = [int((feature == f).sum()) + 1 for f in range(n_features)]
    points = [point for point in product(*map(range, n_codes)) if is_possible(point, constraints)]
    region = {
        column: sum(1 << x for x, point in enumerate(points) if point[feature[column]] > rank[column])
        for column in range(len(feature))
    }

    is_ordered, is_counted = constraints.direction.any(), max_leaves is not None
    price = regularization * len(costs)

    def trees(rows, space, depth):
        """(function, leaves, tested) -> cost of all trees of a node with these rows and points."""
        cost = costs[list(rows)].sum(axis=0) + price
        space = space if is_ordered else 0
        found = {}
        for k in range(n_classes):
            function = tuple(space if k == j else 0 for j in range(n_classes))
            key = function, int(is_counted), frozenset()
            found[key] = min(found.get(key, np.inf), cost[k])
        for column in range(len(feature)) if depth else ():
            parts = [tuple(row for row in rows if columns.values[row, column] == value) for value in (0, 1)]
            if min(map(len, parts)) < max(constraints.min_rows, 1):
                continue
            number = constraints.required[feature[column]]
            here = frozenset() if number < 0 else frozenset([number])
            below = trees(parts[0], space & ~region[column], depth - 1)
            above = trees(parts[1], space & region[column], depth - 1)
            for (f, i, tested), a in below.items():
                for (g, j, also), b in above.items():
                    both = tuple(x | y for x, y in zip(f, g, strict=True))
                    key = both, i + j, tested | also | here
                    found[key] = min(found.get(key, np.inf), a + b)
        return found

    everything = (1 << len(points)) - 1
    wanted = set(constraints.required[constraints.required >= 0].tolist())
    steps = ordered_pairs(points, columns, constraints)
    values = [
        cost / len(costs)
        for (function, leaves, tested), cost in trees(tuple(range(len(costs))), everything, max_depth).items()
        if wanted <= tested and (max_leaves is None or leaves <= max_leaves) and in_order(function, steps)
    ]
    return min(values, default=np.inf)


def is_possible(point, constraints):
    """Whether no row of the point has two categories of one column."""
    chosen = [constraints.category_of[f] for f, code in enumerate(point) if code]
    return all(chosen.count(column) <= 1 for column in chosen if column >= 0)


def ordered_pairs(points, columns, constraints):
    """(x, y) where one step in one feature alone must not make the label fall from point x to point y."""
    at, pairs = {point: x for x, point in enumerate(points)}, []
    for point, x in at.items():
        for f, direction in enumerate(constraints.direction):
            above = (*point[:f], point[f] + 1, *point[f + 1 :])
            own = np.flatnonzero(columns.feature == f)
            only_missing = above[f] == len(own) and len(own) and columns.is_missing[own[-1]]
            if direction and above in at and not only_missing:
                pairs.append((x, at[above]) if direction > 0 else (at[above], x))
    return pairs


def in_order(function, pairs):
    """Whether no pair of points has its labels the wrong way round."""
    label = {x: k for k, mask in enumerate(function) for x in range(mask.bit_length()) if mask >> x & 1}
    return all(label[x] <= label[y] for x, y in pairs)
