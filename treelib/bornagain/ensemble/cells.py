"""The cells of an ensemble: thresholds of each feature, the class of every cell, hyperplanes that matter.

The paper (Vidal, Pacheco and Schiffer 2020, Section 2) calls thresholds hyperplanes. All points of a cell
have one class, so a tree that is right on every cell is right everywhere.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.bornagain.ensemble.cell_classes import classify_cells, leaf_boxes, relevant_levels
from treelib.search.budget import Budget

MAX_CELLS = 200_000_000
_BLOCK_CELLS = 128, 1024  # fewer where leaves are many, for each leaf has a row of them
_BLOCK_ENTRIES = 1 << 17
_STEP_VOTES = 4_000_000  # cells x trees between two looks at the clock: about 20 ms


class Cells(NamedTuple):
    """Grid of cells.

    levels : tuple of n_features float64 arrays, thresholds of each feature, ascending; level ``i`` of a
        feature holds the points with ``levels[i - 1] < x <= levels[i]``.
    classes : uint8 array of shape (len(levels[0]) + 1, ..., len(levels[-1]) + 1), class index of each cell.
    """

    levels: tuple
    classes: np.ndarray

    @property
    def shape(self):
        return self.classes.shape

    @property
    def n_cells(self):
        return self.classes.size

    @property
    def n_regions(self):
        """Number of boxes of cells (equation 2 of the paper), a Python int."""
        return count_regions(self.shape)

    def locate(self, X):
        """Cell of each row of `X`, intp (n, n_features)."""
        X = np.asarray(X, dtype=np.float64)
        return np.stack(
            [np.searchsorted(cuts, column) for cuts, column in zip(self.levels, X.T, strict=True)], axis=1
        )


class TooManyCells(ValueError):
    """The grid has more cells than can be held; `n_cells` says how many."""

    def __init__(self, n_cells, max_cells):
        super().__init__(
            f"The ensemble has {n_cells:,} cells; max_cells allows {max_cells:,}. Fewer thresholds (binned "
            "features, shallower or fewer trees) make fewer cells; the heuristic needs no list of them."
        )
        self.n_cells = n_cells


def count_regions(shape):
    """Number of boxes of a grid of this shape: product of s (s + 1) / 2, a Python int."""
    n_regions = 1
    for n in shape:
        n_regions *= int(n) * (int(n) + 1) // 2
    return n_regions


def thresholds(ensemble):
    """All thresholds of an ensemble: tuple of n_features float64 arrays, ascending and distinct."""
    flat, first = _flat_thresholds(ensemble)
    return tuple(flat[a:b] for a, b in pairwise(first))


def build_cells(ensemble, *, keep_all=False, max_cells=MAX_CELLS, budget=None):
    """`Cells` of an ensemble.

    Parameters
    ----------
    ensemble : Ensemble
    keep_all : bool, keep thresholds that separate no two neighbouring cells of different class. The paper
        and the search leave them out: the tree needs none of them.
    max_cells : int, limit on the grid before thresholds are left out; a cell takes one byte
    budget : Budget or None, which may stop it

    Raises
    ------
    TooManyCells
    treelib.search.budget.Stopped
    """
    budget = budget or Budget()
    flat, first = _flat_thresholds(ensemble)
    n_values = np.diff(first) + 1
    n_cells = 1
    for n in n_values.tolist():
        n_cells *= n
    if n_cells > max_cells:
        raise TooManyCells(n_cells, max_cells)
    budget.claim(n_cells)
    classes = _classes(ensemble, flat, first, n_values, budget)
    levels = [flat[a:b] for a, b in pairwise(first)]
    if keep_all:
        return Cells(tuple(levels), classes.reshape(n_values))
    shape = n_values.tolist()
    for j, n in enumerate(shape):
        budget.check()
        # what was left out before leaves fewer cells to look at, and the same hyperplanes to keep
        keep = relevant_levels(classes, math.prod(shape[j:]), n)
        if not keep.all():
            # cells that differ in dropped levels only have one class: that of their upper end
            before, shape[j] = classes.size, int(keep.sum()) + 1
            budget.claim(before // n * shape[j])
            parts = classes.reshape(-1, n, before // math.prod(shape[:j]) // n)
            classes = np.compress(np.append(keep, True), parts, axis=1).reshape(-1)
            budget.release(before)
            levels[j] = levels[j][keep]
    return Cells(tuple(levels), classes.reshape(shape))


def _flat_thresholds(ensemble):
    """Thresholds of all features in one array, and where each feature begins."""
    nodes = ensemble.nodes
    # a threshold of +inf asks for missing values, and all numbers go left there
    inner = np.flatnonzero((nodes.left >= 0) & np.isfinite(nodes.threshold))
    feature, cut = nodes.feature[inner], nodes.threshold[inner] + 0.0  # -0.0 becomes 0.0
    order = np.lexsort((cut, feature))
    feature, cut = feature[order], cut[order]
    new = np.ones(len(cut), dtype=bool)
    new[1:] = (feature[1:] != feature[:-1]) | (cut[1:] != cut[:-1])
    flat = np.ascontiguousarray(cut[new])
    return flat, np.searchsorted(feature[new], np.arange(ensemble.n_features + 1))


def _classes(ensemble, flat, first, n_values, budget):
    nodes = ensemble.nodes
    # four tables of boxes and a stack while the leaves are found, and a copy
    n_bytes = len(nodes.left) * (24 * ensemble.n_features + 24)
    budget.claim(n_bytes)
    node, low, high = leaf_boxes(
        nodes.root, nodes.left, nodes.right, nodes.feature, nodes.threshold, flat, first
    )
    # features with one level take no part
    used = np.flatnonzero(n_values > 1)
    low, high = np.ascontiguousarray(low[:, used]), np.ascontiguousarray(high[:, used])
    sizes = n_values[used]
    n_inner, width = 0, 1
    widest = min(max(_BLOCK_ENTRIES // len(node), _BLOCK_CELLS[0]), _BLOCK_CELLS[1])
    for n in sizes[::-1].tolist():
        if width * n > widest:
            break
        n_inner, width = n_inner + 1, width * n
    n_blocks = math.prod(sizes.tolist()) // width
    outer = sizes[: len(sizes) - n_inner].tolist()
    more = len(node) * width * 8 + len(outer) * max(outer, default=0) * (len(node) // 8 + 8)
    budget.claim(more)
    n_bytes += more
    votes = nodes.votes[node]
    if votes.dtype.kind == "i" and ensemble.units.sum() < 2**15:
        votes = votes.astype(np.int16)  # four times as many in one instruction
    classes = np.empty(n_blocks * width, dtype=np.uint8)
    step = max(1, _STEP_VOTES // (width * ensemble.n_trees + len(node) // 64))
    for start in range(0, n_blocks, step):
        part = classes[start * width : (start + step) * width]
        classify_cells(low, high, votes, sizes, n_inner, ensemble.divisor, start, part)
        budget.check()
    budget.release(n_bytes)
    return classes
