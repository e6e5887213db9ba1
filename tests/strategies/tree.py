"""Random trees and points at which they can differ, for the tests of trees."""

import numpy as np
from hypothesis import strategies as st

from treelib.tree.stored import Tree

THRESHOLDS = (-1.5, 0.0, 0.1, 0.5, 2.0, 3.7e-30, 1e12, np.inf)


@st.composite
def trees(draw, n_features=3, max_leaves=8, regression=None, missing=True, thresholds=THRESHOLDS):
    """A random tree with counts; its labels are not always the most frequent class."""
    regression = draw(st.booleans()) if regression is None else regression
    n_classes = 1 if regression else draw(st.integers(2, 4))
    left, right, feature, threshold, nan_left = [], [], [], [], []
    budget = draw(st.integers(1, max_leaves))
    stack = [(budget, None, None)]
    while stack:
        leaves, parent, siblings = stack.pop()
        node = len(left)
        if parent is not None:
            siblings[parent] = node
        left.append(-1)
        right.append(-1)
        if leaves == 1:
            feature.append(-2)
            threshold.append(-2.0)
            nan_left.append(0)
            continue
        feature.append(draw(st.integers(0, n_features - 1)))
        threshold.append(draw(st.sampled_from(thresholds)))
        nan_left.append(draw(st.integers(0, 1)) if missing else 0)
        first = draw(st.integers(1, leaves - 1))
        stack.append((leaves - first, node, right))
        stack.append((first, node, left))
    n_nodes = len(left)
    if regression:
        numbers = st.sampled_from((-1.25, 0.0, 0.1, 3.0))
        value = [[draw(numbers)] for _ in range(n_nodes)]
        label = None
    else:
        counts = draw(st.lists(st.integers(0, 9), min_size=n_nodes * n_classes, max_size=n_nodes * n_classes))
        value = np.array(counts, dtype=float).reshape(n_nodes, n_classes)
        label = [draw(st.integers(0, n_classes - 1)) for _ in range(n_nodes)]
    return Tree(
        children_left=left,
        children_right=right,
        feature=feature,
        threshold=threshold,
        value=value,
        n_features=n_features,
        n_node_samples=np.arange(n_nodes),
        label=label,
        missing_go_to_left=nan_left,
        is_regression=regression,
    )


def critical_points(*some_trees):
    """A grid with a point in every cell between the thresholds of the trees, NaN and infinities too."""
    axes = []
    for feature in range(some_trees[0].n_features):
        cuts = {t for tree in some_trees for t in tree.threshold[tree.feature == feature].tolist()}
        values = {x for t in cuts for x in (t, np.nextafter(t, np.inf))} | {-np.inf, np.inf}
        axes.append([*sorted(values), np.nan])
    return np.array(np.meshgrid(*axes, indexing="ij")).reshape(len(axes), -1).T


def naive_leaf(tree, row):
    """The leaf of one row, written as one reads the definition."""
    node = 0
    while tree.children_left[node] >= 0:
        x = row[tree.feature[node]]
        goes_left = bool(tree.missing_go_to_left[node]) if np.isnan(x) else x <= tree.threshold[node]
        node = tree.children_left[node] if goes_left else tree.children_right[node]
    return node
