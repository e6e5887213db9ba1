"""Reading the best tree known out of the node table, and scoring any tree on the rows themselves."""

import numpy as np

from treelib.jit import kernel
from treelib.sparse.depth_two import evaluate
from treelib.sparse.exact_search import cut_rows, find_node, less_deep


@kernel
def read_tree(problem, nodes, depth, n_classes, price, scratch, spare):
    """Best tree known as arrays (column, false_child, true_child, label), preorder, -1 where there is none.

    A set that the table does not hold was bounded by its parent's pairs only; evaluating it again finds a
    tree at least as good. Labels are the cheapest class of each node, the first of equals.
    """
    column, child, label = [np.int64(-1)], [(np.int64(-1), np.int64(-1))], [np.int64(0)]
    todo_rows, todo = [problem.all_rows.copy()], [(np.int64(0), np.int64(depth))]
    n_columns, n_words = problem.columns.shape
    everything = np.arange(n_columns)
    n_read = 1
    while len(todo):
        at, levels = todo.pop()
        rows = todo_rows.pop()
        # this also leaves the costs of the whole set in `scratch.whole`
        evaluate(problem, rows, everything, n_columns, levels, price, scratch)
        best = np.int64(0)
        for k in range(1, n_classes):
            if scratch.whole[k] < scratch.whole[best]:
                best = k
        label[at] = best
        split = scratch.choice[1]
        node, _key, _slot = find_node(problem, nodes, rows, levels, spare)
        if node >= 0 and nodes.upper[node] < np.inf:
            split = np.int64(nodes.split[node])
        if split < 0:
            continue
        column[at] = split
        child[at] = (np.int64(n_read), np.int64(n_read + 1))
        for side in range(2):
            part = np.empty(n_words, np.uint64)
            cut_rows(problem, rows, split, side, part)
            column.append(np.int64(-1))
            child.append((np.int64(-1), np.int64(-1)))
            label.append(best)
            todo_rows.append(part)
            todo.append((np.int64(n_read + side), less_deep(levels)))
        n_read += 2
    return _in_preorder(column, child, label)


@kernel
def _in_preorder(column, child, label):
    n = len(column)
    out_column, out_label = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    out_false, out_true = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    todo = [(np.int64(0), np.int64(-1), False)]
    n_out = 0
    while len(todo):
        at, parent, is_true = todo.pop()
        out_column[n_out], out_label[n_out] = column[at], label[at]
        if parent >= 0:
            if is_true:
                out_true[parent] = n_out
            else:
                out_false[parent] = n_out
        if column[at] >= 0:
            todo.append((child[at][1], np.int64(n_out), True))
            todo.append((child[at][0], np.int64(n_out), False))
        n_out += 1
    return out_column, out_false, out_true, out_label


def objective_of(tree, columns, costs, regularization, total):
    """Objective of a `ColumnTree`, counted on the rows: the search's own report is never the score."""
    cost = _cost_of_tree(*tree, np.ascontiguousarray(columns).view(np.uint8), costs)
    return cost / total + regularization * tree.n_leaves


@kernel
def _cost_of_tree(column, false_child, true_child, label, columns, costs):
    total = 0.0
    for i in range(columns.shape[0]):
        node = 0
        while column[node] >= 0:
            node = true_child[node] if columns[i, column[node]] else false_child[node]
        total += costs[i, label[node]]
    return total
