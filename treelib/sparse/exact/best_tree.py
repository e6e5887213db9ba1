"""Reading the best tree known out of the node table, and scoring any tree on the rows themselves."""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.exact.depth_two import SPLIT, STOP, evaluate
from treelib.sparse.exact.nodes import cut_rows, find_node, less_deep

# slot of the pack that is the whole problem; sides of a cut
WHOLE = np.int64(0)
FALSE_SIDE, TRUE_SIDE = np.int64(0), np.int64(1)
# lanes that may be counted after the search was stopped, about 20 ms
LAST_WORK = 40_000_000

# a node still to be read: its parent (-1 at the root), on which side of it, and the splits allowed below
TO_READ = np.dtype([("parent", np.int64), ("side", np.int64), ("depth", np.int64)])


def read_tree(problem, packs, nodes, depth, price, scratch, levels):
    """Best tree known, a `ColumnTree`.

    levels : int, most levels that the tree can have.
    """
    n_words = problem.columns.shape[1]
    # a leaf holds at least one merged row, so there are at most twice as many nodes
    out = np.full((len(ColumnTree._fields), 2 * n_words * 64 + 1), -1, np.intp)
    rows = np.empty((levels + 3, n_words), np.uint64)
    todo = np.empty(levels + 3, TO_READ)
    everything = np.arange(problem.columns.shape[0])
    n = _read_tree(problem, packs, nodes, depth, price, scratch, (rows, todo, everything), out)
    return ColumnTree(*out[:, :n].copy())


@kernel(allocates=False)
def _read_tree(problem, packs, nodes, depth, price, scratch, stack, out):
    """Fill `out`, intp (4, room), with the arrays of a `ColumnTree`, and return the number of nodes.

    A set that the table does not hold was bounded by its parent's pairs only; evaluating it finds a tree at
    least as good. When the search was stopped (see `Scratch`), only single splits are looked for there, and
    when that takes long too, none. Labels are the cheapest class of each node, the first of equals.
    """
    rows, todo, everything = stack
    spare = rows[-1]
    column, false_child, true_child, label = out[0], out[1], out[2], out[3]
    for w in range(spare.shape[0]):
        rows[0, w] = problem.all_rows[w]
    todo[0]["parent"], todo[0]["side"], todo[0]["depth"] = -1, 0, depth
    n_todo, n = 1, 0
    last_work = np.int64(0)
    while n_todo > 0:
        n_todo -= 1
        last = todo[n_todo]
        parent, side, allowed = last["parent"], last["side"], last["depth"]
        if parent >= 0 and side:
            true_child[parent] = n
        elif parent >= 0:
            false_child[parent] = n
        node = np.int64(0)
        if parent >= 0:
            node, _key = find_node(problem, nodes, rows[n_todo], allowed, spare)
        is_known = node >= 0 and nodes.table[node]["upper"] < np.inf
        # this also leaves the costs of the set in `scratch.whole`; without splits it does no more
        levels = np.int64(0) if is_known else allowed
        n_columns = everything.shape[0]
        if not scratch.answer[STOP]:
            evaluate(packs, WHOLE, rows[n_todo], everything, n_columns, levels, price, scratch)
        if scratch.answer[STOP]:
            levels = min(levels, np.int64(last_work < LAST_WORK))
            last_work += evaluate(packs, WHOLE, rows[n_todo], everything, n_columns, levels, price, scratch)
        best = 0
        for k in range(1, 2 if problem.n_tables == 2 else problem.n_tables - 1):
            if scratch.whole[0, k] < scratch.whole[0, best]:
                best = k
        label[n] = best
        split = np.int64(nodes.table[node]["split"]) if is_known else scratch.answer[SPLIT]
        column[n] = split
        if split >= 0:
            # the true side takes the set's place on the stack, the false side comes on top and is read first
            cut_rows(problem.columns[split], rows[n_todo], FALSE_SIDE, rows[n_todo + 1])
            cut_rows(problem.columns[split], rows[n_todo], TRUE_SIDE, rows[n_todo])
            for side in range(2):
                todo[n_todo + side]["parent"] = n
                todo[n_todo + side]["side"] = 1 - side
                todo[n_todo + side]["depth"] = less_deep(allowed)
            n_todo += 2
        n += 1
    return n


def objective_of(tree, columns, costs, regularization, total):
    """Objective of a `ColumnTree`, counted on the rows: the search's own report is never the score."""
    cost = cost_of_tree(*tree, np.ascontiguousarray(columns).view(np.uint8), costs)
    return cost / total + regularization * tree.n_leaves


@kernel(allocates=False)
def cost_of_tree(column, false_child, true_child, label, columns, costs):
    total = 0.0
    for i in range(columns.shape[0]):
        node = 0
        while column[node] >= 0:
            node = true_child[node] if columns[i, column[node]] else false_child[node]
        total += costs[i, label[node]]
    return total
