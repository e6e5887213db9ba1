"""A tree grown split by split and pruned, for a search that is stopped: it hands back nothing worse."""

import numpy as np

from treelib.sparse.continuous.number_tree import NumberTree, best_split, grow, rows_of_nodes


def _gini(left, right):
    """Minus the gain in Gini impurity, up to what is the same for all splits."""
    return -((left**2).sum(-1) / left.sum(-1) + (right**2).sum(-1) / right.sum(-1))


def greedy_tree(counts, max_depth=None, check=None):
    """Best Gini split at every node, down to `max_depth`; then what does not pay for its leaves is cut off.

    check : callable, asked before each split whether there is time; where not, the node stays a leaf. It
        returns True to go on.
    """

    def plan(rows, depth):
        depth = depth or 0
        here = counts.of(rows)
        errors = here.sum() - here.max()
        if depth == max_depth or errors <= counts.price or (check is not None and not check()):
            return None
        _, split = best_split(counts, rows, _gini)
        return None if split is None else (*split, depth + 1, depth + 1)

    return pruned(counts, grow(counts, plan))


def pruned(counts, tree):
    """`tree` without the splits that do not pay: of all ways to cut it back, the one of least cost."""
    n = len(tree.feature)
    cost = np.empty(n)
    kept = tree.feature >= 0
    rows = rows_of_nodes(tree, counts.X)
    for node in range(n - 1, -1, -1):
        here = counts.of(rows[node])
        leaf = here.sum() - here.max() + counts.price
        cost[node] = leaf
        if kept[node]:
            split = cost[tree.left[node]] + cost[tree.right[node]]
            kept[node] = split < leaf
            cost[node] = min(split, leaf)
    return without(tree, kept)


def without(tree, kept):
    """`tree` where only the nodes `kept`, bool (n_nodes,), are split."""
    feature, threshold, left, right, label = [], [], [], [], []
    todo = [(0, None, -1)]
    while todo:
        node, links, parent = todo.pop()
        here = len(feature)
        if links is not None:
            links[parent] = here
        feature.append(tree.feature[node] if kept[node] else -1)
        threshold.append(tree.threshold[node] if kept[node] else 0.0)
        left.append(-1)
        right.append(-1)
        label.append(tree.label[node])
        if kept[node]:
            todo.append((tree.right[node], right, here))
            todo.append((tree.left[node], left, here))
    integers = (np.array(part, np.intp) for part in (left, right, label))
    return NumberTree(np.array(feature, np.intp), np.array(threshold, float), *integers)
