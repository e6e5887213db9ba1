"""Compiled walk of rows through all trees of a forest."""

import numpy as np

from treelib.jit import kernel


@kernel(allocates=False)
def add_means(X, right, feature, threshold, missing_go_to_left, mean, total):
    """Add what one tree predicts to the sum over the trees so far.

    Parameters
    ----------
    X : float64 (n, n_features), C-contiguous
    right, feature, threshold, missing_go_to_left : as in `treelib.tree_kernels.find_leaves`
    mean : float64 (n_nodes, n_classes), prediction of each node
    total : float64 (n, n_classes), added to
    """
    for row in range(len(X)):
        node = 0
        split = feature[0]
        while split >= 0:
            x = X[row, split]
            if x <= threshold[node] or (missing_go_to_left[node] != 0 and np.isnan(x)):
                node += 1
            else:
                node = right[node]
            split = feature[node]
        for k in range(mean.shape[1]):
            total[row, k] += mean[node, k]
