"""Compiled steps of `treelib.topdown.categories.search`: weights of the categories of a node, their order.

In the list of a column of codes (`treelib.topdown.grow.presort`) the rows of a category stand side by side
in every node. So a node may put its categories into any order before the list is scanned: the scan takes
them for numbers in that order, and a cut is a subset.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.one_tree import search_feature
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST


@kernel(allocates=False)
def search_features(rows, rule, scratch, nodes, node, features):
    """Best split of `node` by some features, intp (k,), against the best so far in ``scratch.split[0]``."""
    for feature in features:
        search_feature(rows, rule, scratch, nodes, node, 0, feature)


@kernel(allocates=False)
def weigh_categories(rows, rule, line, starts, sums):
    """What each category of a node weighs.

    Parameters
    ----------
    rows : Rows. rule : Rule
    line : uint (n,), codes of the rows of the node, in the list of the column
    starts : intp (room,), written: where each category begins, and the end
    sums : float64 (room, n_classes), written: class weights; for regression (room, 2), weight and weighted
        sum of the targets

    Returns
    -------
    int, number of categories
    """
    n, w, mask = -1, 1.0, (1 << (rule.shift - CLASS_SHIFT)) - 1
    for i in range(len(line)):
        code = np.int64(line[i])
        row = code >> rule.shift
        if code & FIRST:
            n += 1
            starts[n] = i
            sums[n, :] = 0.0
        if len(rows.weight) > 0:
            w = rows.weight[row]
        if rule.n_classes > 0:
            sums[n, (code >> CLASS_SHIFT) & mask] += w
        else:
            add_target(rows.target, row, w, sums[n])
    starts[n + 1] = len(line)
    return n + 1


@kernel(inner=True)
def add_target(target, row, w, sums):
    """Add a row to the weight and the weighted sum of its category; nothing for classification."""
    if target is not None:
        sums[0] += w
        sums[1] += w * target[row]


@kernel(allocates=False)
def arrange(line, starts, order, out):
    """Write the categories of `line` (uint (n,)) into `out` in the given `order`, intp (n_categories,)."""
    at = 0
    for category in order:
        for i in range(starts[category], starts[category + 1]):
            out[at] = line[i]
            at += 1
