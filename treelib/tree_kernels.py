"""Compiled walk of rows through a stored tree."""

import numpy as np

from treelib.jit import kernel


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
