"""The cells of a forest and their grid, as `treelib.bornagain` makes them, without Python."""

import numpy as np

from treelib.bornagain.ensemble.cell_classes import classify_cells, leaf_boxes, relevant_levels
from treelib.bornagain.regions.bottom_up import _MOST_INTERVALS, _MOST_LANES
from treelib.bornagain.regions.rows import mark_pairs, pairwise_size
from treelib.wasm.language.same_source import compiled

BLOCK_CELLS = 1024  # cells that a leaf adds its votes to at once
MOST_LANES, MOST_INTERVALS = _MOST_LANES, _MOST_INTERVALS


@compiled
def thresholds_of(feature, threshold, n_features):
    """All thresholds, ascending and distinct by feature, float64; and where each feature begins in them."""
    flat, first = np.empty(len(feature)), np.zeros(n_features + 1, np.int64)
    n = 0
    for j in range(n_features):
        first[j] = n
        found = np.sort(threshold[feature == j])
        for i in range(len(found)):
            if i == 0 or found[i] != found[i - 1]:
                flat[n] = found[i]
                n += 1
    first[n_features] = n
    return flat[:n].copy(), first


@compiled
def classes_of(trees, label, flat, first, n_classes):
    """Class of every cell, uint8, of trees that have a vote each; ties to the smaller class.

    trees : (root, left, right, feature, threshold), as of `treelib.bornagain.ensemble.voting.Nodes`
    """
    root, left, right, feature, threshold = trees
    node, low, high = leaf_boxes(root, left, right, feature, threshold, flat, first)
    used = np.flatnonzero(np.diff(first) > 0)
    sizes = np.diff(first)[used] + 1
    low_used, high_used = (
        np.empty((len(node), len(used)), np.int32),
        np.empty((len(node), len(used)), np.int32),
    )
    votes = np.zeros((len(node), n_classes), np.int64)
    for k in range(len(node)):
        votes[k, label[node[k]]] = 1
        for j in range(len(used)):
            low_used[k, j], high_used[k, j] = low[k, used[j]], high[k, used[j]]
    n_inner, width, n_cells = 0, 1, 1
    for j in range(len(sizes) - 1, -1, -1):
        n_cells *= sizes[j]
        if n_inner == len(sizes) - 1 - j and (n_inner == 0 or width * sizes[j] <= BLOCK_CELLS):
            n_inner, width = n_inner + 1, width * sizes[j]
    classes = np.empty(n_cells, np.uint8)
    classify_cells(low_used, high_used, votes, sizes, n_inner, 1.0, 0, classes)
    return classes


@compiled
def keep_relevant(classes, flat, first):
    """The cells without thresholds that part no two neighbours of different class; `build_cells`.

    Returns the classes, the thresholds kept and where each feature begins in them.
    """
    d = len(first) - 1
    cuts, begins = np.empty(len(flat)), np.zeros(d + 1, np.int64)
    size = len(classes)  # cells that follow each other without a change of the features before
    n_kept = 0
    for j in range(d):
        n = first[j + 1] - first[j] + 1
        keep = relevant_levels(classes, size, n)
        stride = size // n
        for i in range(n - 1):
            if keep[i]:
                cuts[n_kept] = flat[first[j] + i]
                n_kept += 1
        begins[j + 1] = n_kept
        n_levels = keep.sum() + 1
        fewer = np.empty(len(classes) // n * n_levels, np.uint8)
        at = 0
        for before in range(0, len(classes), size):
            for i in range(n):
                if i == n - 1 or keep[i]:
                    fewer[at : at + stride] = classes[before + i * stride : before + (i + 1) * stride]
                    at += stride
        classes, size = fewer, stride
    return classes, cuts[:n_kept].copy(), begins


@compiled
def strides_of(n):
    """Weights of the digits of a mixed-radix number whose last digit runs fastest."""
    stride = np.ones(len(n), np.int64)
    for j in range(len(n) - 2, -1, -1):
        stride[j] = stride[j + 1] * n[j + 1]
    return stride


@compiled
def n_regions_of(shape):
    """Number of boxes of a grid of cells, float64: it may pass all bounds."""
    n = 1.0
    for j in range(len(shape)):
        n *= shape[j] * (shape[j] + 1) / 2
    return n


@compiled
def choose_lanes(classes, shape):
    """Axes of outer and of lane features, int64 each; `treelib.bornagain.regions.bottom_up.arrange`."""
    d = len(shape)
    order = np.arange(d)[::-1].copy()
    if n_regions_of(shape) > MOST_LANES:
        matters = np.zeros((d, shape.max(), (shape - 1).sum()), np.bool_)
        mark_pairs(classes, shape, matters, 0, len(classes))
        order = np.argsort(-pairwise_size(matters, shape), kind="mergesort")
    lanes, n_lanes, width = np.empty(d, np.int64), 0, 1
    for j in order:
        n = shape[j] * (shape[j] + 1) // 2
        if n <= MOST_INTERVALS and (n_lanes == 0 or width * n <= MOST_LANES):
            lanes[n_lanes] = j
            n_lanes, width = n_lanes + 1, width * n
    lanes = lanes[:n_lanes].copy()
    lanes = lanes[np.argsort(-shape[lanes], kind="mergesort")]
    outer = np.ones(d, np.bool_)
    for j in lanes:
        outer[j] = False
    return np.flatnonzero(outer), lanes


@compiled
def by_outer(classes, shape, outer, lanes):
    """The classes with a row for each cell of the outer features, uint8 (n_outer_cells, n_lane_cells)."""
    stride = strides_of(shape)
    n_rows, n_columns = 1, 1
    for j in outer:
        n_rows *= shape[j]
    for j in lanes:
        n_columns *= shape[j]
    row_stride, column_stride = strides_of(shape[outer]), strides_of(shape[lanes])
    result = np.empty((n_rows, n_columns), np.uint8)
    for cell in range(len(classes)):
        row, column = 0, 0
        for i in range(len(outer)):
            row += cell // stride[outer[i]] % shape[outer[i]] * row_stride[i]
        for i in range(len(lanes)):
            column += cell // stride[lanes[i]] % shape[lanes[i]] * column_stride[i]
        result[row, column] = classes[cell]
    return result
