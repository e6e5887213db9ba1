"""From the node arrays of the searches to a `Tree`."""

import numpy as np

from treelib.tree.stored import Tree


def to_tree(nodes, levels, ensemble=None, *, axes=None, n_classes=None):
    """`Tree` of nodes whose thresholds are levels; `value` is zero, since no data were counted.

    Parameters
    ----------
    nodes : int64 (4, n_nodes), in preorder: right child (the left one is the next node), -1 at leaves; axis,
        negative at leaves; level, those up to this one go left; class
    levels : sequence of float64 arrays, thresholds of each feature
    ensemble : Ensemble, whose names and number of classes the tree gets, or None
    axes : int (n_axes,), feature behind each axis; default all features
    n_classes : int, where there is no ensemble
    """
    right, axis, level, label = nodes
    leaf = axis < 0
    axes = np.arange(len(levels)) if axes is None else axes
    feature = np.where(leaf, -2, axes[np.maximum(axis, 0)])
    first = np.cumsum([0, *map(len, levels)])
    threshold = np.full(len(leaf), -2.0)
    inner = np.flatnonzero(~leaf)
    threshold[inner] = np.concatenate(levels)[first[feature[inner]] + level[inner]]
    return Tree(
        children_left=np.where(leaf, -1, np.arange(1, len(leaf) + 1)),
        children_right=right,
        feature=feature,
        threshold=threshold,
        value=np.zeros((len(leaf), ensemble.n_classes if ensemble else n_classes)),
        n_features=len(levels),
        label=label,
        feature_names=ensemble.feature_names if ensemble else None,
    )
