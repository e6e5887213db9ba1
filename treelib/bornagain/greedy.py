"""A faithful tree built greedily on the cells: what the exact search returns where a limit stops it early."""

import numpy as np


def greedy_nodes(classes):
    """Nodes of a tree over a grid of cells: largest information gain, all cells of a region counted.

    Parameters
    ----------
    classes : uint8 array, class of each cell, one axis a feature

    Returns
    -------
    int64 (4, n_nodes), as returned by `treelib.bornagain.region_tree.extract_tree`
    """
    right, feature, level, label = [], [], [], []
    n_classes = int(classes.max()) + 1
    stack = [(classes, (0,) * classes.ndim, -1)]
    while stack:
        part, lowest, parent = stack.pop()
        node = len(right)
        if parent >= 0:
            right[parent] = node
        right.append(-1)
        label.append(int(part.flat[0]))
        split = _best_split(part, n_classes)
        if split is None:
            feature.append(-2)
            level.append(0)
            continue
        j, cut = split
        feature.append(j)
        level.append(lowest[j] + cut)
        above = tuple(low + (cut + 1 if axis == j else 0) for axis, low in enumerate(lowest))
        axis = (slice(None),) * j
        stack.append((part[(*axis, slice(cut + 1, None))], above, node))
        stack.append((part[(*axis, slice(None, cut + 1))], lowest, -1))
    return np.array([right, feature, level, label], dtype=np.int64)


def _best_split(part, n_classes):
    """(axis, last level of the lower side) of least weighted entropy; None where all cells have one class."""
    if (part == part.flat[0]).all():
        return None
    best, split = np.inf, None
    of_class = [part == c for c in range(n_classes)]
    for j, n in enumerate(part.shape):
        if n == 1:
            continue
        others = tuple(axis for axis in range(part.ndim) if axis != j)
        below = np.cumsum([cells.sum(axis=others) for cells in of_class], axis=1)
        above = below[:, -1:] - below
        entropy = _entropy(below[:, :-1]) + _entropy(above[:, :-1])
        cut = int(entropy.argmin())
        if entropy[cut] < best:
            best, split = entropy[cut], (j, cut)
    return split


def _entropy(counts):
    """Entropy of each column of `counts` times its total, in bits."""
    total = counts.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(counts > 0, counts * np.log2(total / counts), 0.0)
    return terms.sum(axis=0)
