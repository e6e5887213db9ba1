"""Compiled walks: rows through a stored tree, and the nodes of a tree in preorder."""

import numpy as np

from treelib.compiled.jit import kernel


@kernel
def find_leaves(X, right, feature, threshold, missing_go_to_left):
    """Leaf reached by every row of `X`.

    In preorder the left child of a node is the next node, so only right children are stored.

    Parameters
    ----------
    X : float64 (n, n_features), C-contiguous
    right, feature : intp (n_nodes,), `feature` is negative at leaves
    threshold : float64 (n_nodes,)
    missing_go_to_left : uint8 (n_nodes,)

    Returns
    -------
    intp (n,), node ids of leaves.
    """
    n_rows = X.shape[0]
    leaf = np.empty(n_rows, dtype=np.intp)
    for row in range(n_rows):
        node = 0
        split = feature[0]
        while split >= 0:
            x = X[row, split]
            # a comparison with NaN is false, so NaN needs the flag to go left
            if x <= threshold[node] or (missing_go_to_left[node] != 0 and np.isnan(x)):
                node += 1
            else:
                node = right[node]
            split = feature[node]
        leaf[row] = node
    return leaf


@kernel(allocates=False)
def walk_preorder(left, right, order, is_seen, stack):
    """Node ids in preorder, as far as the two arrays are a binary tree.

    Plain Python runs this on lists for small trees, which need not be compiled.

    Parameters
    ----------
    left, right : intp (n_nodes,), children, -1 at leaves
    order : intp (n_nodes,), written
    is_seen : uint8 (n_nodes,), zeros; written
    stack : intp (n_nodes + 1,), scratch: a node is opened once, and adds one to those in line

    Returns
    -------
    n_seen : int, nodes written to `order`
    bad : int, -1, or a node that was seen before, or whose children are no nodes
    """
    n_nodes, n_seen, n_open = len(left), 0, 1
    stack[0] = 0
    while n_open > 0:
        n_open -= 1
        node = stack[n_open]
        if is_seen[node]:
            return n_seen, node
        is_seen[node] = 1
        order[n_seen] = node
        n_seen += 1
        first, second = left[node], right[node]
        if first == -1 and second == -1:
            continue
        if not (0 <= first < n_nodes and 0 <= second < n_nodes):
            return n_seen, node
        stack[n_open], stack[n_open + 1] = second, first
        n_open += 2
    return n_seen, -1
