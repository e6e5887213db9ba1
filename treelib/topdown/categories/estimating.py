"""What an estimator whose tree tests subsets of categories does in another way: read, predict, be written."""

from copy import copy

import numpy as np

from treelib.tree.building import NO_CHILD

MOST_NODES = 100_000  # of a tree that is written with one category a test


def one_category_a_test(model):
    """A fitted tree or forest as the programs of C, JavaScript and ONNX are written: a subset is asked for
    category by category, each "yes" with its own copy of what follows.

    Parameters
    ----------
    model : fitted estimator with a `CategorySetEncoder`

    Returns
    -------
    copy of the estimator that has the longer trees, and only `treelib.tree.formats.exported` may read

    Raises
    ------
    ValueError
        The copies of a tree would take more than `MOST_NODES` nodes.
    """
    written = copy(model)
    if hasattr(model, "trees_"):
        written.trees_ = [_expanded(tree, model.encoder_) for tree in model.trees_]
    else:
        written.tree_ = _expanded(model.tree_, model.encoder_)
    return written


def _expanded(tree, encoder):
    """A tree over subsets as a tree over one 0/1 feature a category, those of `TableEncoder`."""
    columns = np.array([column for column, _ in encoder.sets_], dtype=np.intp)
    n_numeric, first, at = len(encoder.numeric_), {}, len(encoder.numeric_)
    for column, categories in encoder.categories_.items():
        first[column] = at
        at += len(categories) + encoder.has_missing_[column]
    node_of, feature, threshold, children = [], [], [], []
    stack = [(0, 0, None, 0)]  # node, categories of it that were asked for, whose child it is, on which side
    while stack:
        node, asked, parent, side = stack.pop()
        here = len(node_of)
        if here >= MOST_NODES:
            raise ValueError(
                f"Written with one category a test the tree has more than {MOST_NODES:,} nodes. Use SQL "
                "(treelib.tree.formats.to_sql), which has subsets, or give fewer leaves, min_samples_leaf or "
                "ccp_alpha."
            )
        if parent is not None:
            children[parent][side] = here
        node_of.append(node)
        children.append([NO_CHILD, NO_CHILD])
        test, last = int(tree.feature[node]), True
        if test >= n_numeric:
            codes = encoder.sets_[test - n_numeric][1]
            test, last = first[int(columns[test - n_numeric])] + codes[asked], asked == len(codes) - 1
        feature.append(test)
        threshold.append(float(tree.threshold[node]))
        if tree.feature[node] >= 0:
            stack.append((int(tree.children_right[node]), 0, here, 1))
            stack.append((int(tree.children_left[node]), 0, here, 0) if last else (node, asked + 1, here, 0))
    left, right = np.array(children).T
    return tree.replace(
        children_left=left,
        children_right=right,
        feature=feature,
        threshold=threshold,
        value=tree.value[node_of],
        n_node_samples=tree.n_node_samples[node_of],
        label=tree.label[node_of],
        missing_go_to_left=tree.missing_go_to_left[node_of],
        n_features=at,
        digits=None,
        feature_names=None,
    )
