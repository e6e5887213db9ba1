"""Compiled steps of `treelib.topdown.grow.python_criterion`: criteria that are Python functions."""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.one_tree import (
    BEGIN,
    END,
    choose,
    enter_node,
    keep_split,
    note_split,
    place_node,
    split_node,
)
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST, count_missing, divide


@kernel(allocates=False)
def enter_root(rows, rule, scratch, nodes):
    """Write node 0, all rows."""
    place_node(nodes.whole, 0, 0, rows.codes.shape[1], 0)
    enter_node(rows, rule, scratch, nodes, 0, 0, 0)


@kernel(allocates=False)
def next_node(rule, nodes, n_waiting):
    """Place in ``nodes.waiting`` of the node to split next."""
    return choose(rule, nodes, n_waiting)


@kernel(allocates=False)
def split_rows(rows, rule, scratch, nodes, node, n_nodes):
    """Make the best split of `node` and divide the lists of all features."""
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    divided = split_node(rows, rule, scratch, nodes, node, n_nodes)
    for feature in range(len(rows.codes)):
        if feature != divided:
            divide(rows.codes[feature], begin, end, rule.shift, scratch.goes_left, scratch.buffer)


@kernel(allocates=False)
def keep_best(rows, rule, scratch, nodes, node):
    """Write the split in ``scratch.split[0]`` into `node`; returns whether it is good enough."""
    scratch.wanted[0] = 1
    split = scratch.split[0]
    if split[0] >= 0:
        codes = rows.codes[split[0]]
        n_missing = count_missing(codes, nodes.whole[node, BEGIN], nodes.whole[node, END])
        note_split(rule, split, codes, split[0], split[1], split[2], n_missing)
    return keep_split(rule, scratch, nodes, node, 0)


@kernel(allocates=False)
def list_splits(rows, rule, nodes, node, feature, splits, counts):
    """All splits of a node by one feature, missing values on either side.

    Parameters
    ----------
    rows, rule, nodes : as in `treelib.topdown.grow.one_tree.grow`
    node, feature : int
    splits : intp (room, 3), written: feature, position, missing_left. Room for 2 splits a row is enough.
    counts : float64 (room, n_classes), written: class weights on the left

    Returns
    -------
    int, number of splits
    """
    codes, weight = rows.codes[feature], rows.weight
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    class_mask = (1 << (rule.shift - CLASS_SHIFT)) - 1
    n_missing = count_missing(codes, begin, end)
    total = 0.0
    for k in range(rule.n_classes):
        total += nodes.value[node, k]
    n_splits, w = 0, 1.0
    for missing_left in range(2 if n_missing > 0 else 1):
        n_left = n_missing if missing_left else 0
        low = begin + max(1, rule.min_leaf - n_left)
        high = min(end - rule.min_leaf - n_left, end - n_missing - missing_left)
        left = counts[n_splits]
        left[:] = 0.0
        total_left = 0.0
        for i in range(end - n_left, end + max(high - begin, 0)):
            # first the missing values that go left, then the known ones in order
            at = i if i < end else begin + i - end
            code = np.int64(codes[at])
            if len(weight) > 0:
                w = weight[code >> rule.shift]
            left[(code >> CLASS_SHIFT) & class_mask] += w
            total_left += w
            is_allowed = total_left >= rule.min_weight and total - total_left >= rule.min_weight
            if i >= end and at + 1 >= low and codes[at + 1] & FIRST and is_allowed:
                splits[n_splits, 0], splits[n_splits, 1], splits[n_splits, 2] = feature, at + 1, missing_left
                n_splits += 1
                for k in range(len(left)):
                    counts[n_splits, k] = left[k]
                left = counts[n_splits]
    return n_splits
