"""The smallest tree with the decision function of an ensemble, proved (Vidal, Pacheco and Schiffer 2020).

The paper solves its recursion (equation 4) from the full space down and remembers every region it meets. Most
regions are met, and most of the time goes into finding them again. Here the regions are computed from single
cells up, each once, in rows that differ only in the intervals of a few *lane* features, and only for outer
boxes that are *canonical* (`treelib.bornagain.region_rows`).
"""

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.bornagain.cell_kernels import relevant_levels
from treelib.bornagain.cells import MAX_CELLS, Cells, TooManyCells, build_cells, count_regions
from treelib.bornagain.forest import as_ensemble
from treelib.bornagain.greedy import greedy_nodes
from treelib.bornagain.ordered_rows import solve_rows_in_order
from treelib.bornagain.region_rows import (
    DEPTH,
    DEPTH_LEAVES,
    LEAVES,
    BoxTables,
    box_tables,
    cell_borders,
    find_canonical,
    list_canonical,
    pairwise_size,
)
from treelib.bornagain.region_tree import RegionTable, extract_tree
from treelib.bornagain.row_values import corner_classes, lane_program, solve_rows
from treelib.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult
from treelib.tree import Tree

OBJECTIVES = {"depth": DEPTH, "leaves": LEAVES, "depth-leaves": DEPTH_LEAVES}
LEAF_UNIT = 1e-6  # of a leaf beside a level, in the objective "depth-leaves"
_MOST_LANES = 1000
_STEP_LANES = 30_000_000  # between two looks at the clock: a quarter of a second
_STEP_BOXES = 5_000_000
_MOST_BOXES = 2**31 - 1


class _Overflow(Exception):
    """A value has outgrown the numbers it is kept in."""


class Grid(NamedTuple):
    """Cells as the kernels take them; features with one level are left out.

    used : int64 (p,), feature of the ensemble behind each axis. shape : int64 (p,).
    outer, lanes : int64 arrays, axes of the outer and of the lane features.
    by_outer : uint8 (n_outer_cells, n_lane_cells), class of each cell.
    """

    used: np.ndarray
    shape: np.ndarray
    classes: np.ndarray
    outer: np.ndarray
    lanes: np.ndarray
    by_outer: np.ndarray

    @property
    def n_boxes(self):
        return count_regions(self.shape[self.outer])

    @property
    def width(self):
        return count_regions(self.shape[self.lanes])


def minimise(forest, objective="depth", *, budget=None, n_jobs=1, as_printed=False):
    """Smallest faithful tree of an ensemble.

    Parameters
    ----------
    forest : Ensemble, `Cells`, or anything `treelib.bornagain.forest.as_ensemble` takes
    objective : {"depth", "leaves", "depth-leaves"}. The last minimises depth first and leaves second, as the
        paper does: of every region only the tree that is best for it alone is kept. The depth is optimal, the
        number of leaves nearly always: a part that may be deeper could do with fewer.
    budget : Budget or None
    n_jobs : int, threads
    as_printed : bool, for "depth-leaves" only: stop at the bound of the paper's Algorithm 3, which can come
        before the least number of leaves is found (`treelib.bornagain.ordered_rows`). The printed counts.

    Returns
    -------
    SearchResult
        `objective` is the depth, the number of leaves, or depth + `LEAF_UNIT` * leaves. `lower_bound` is
        valid for every faithful tree. When a limit stops the search, `tree` is faithful as well, but greedy.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.exact import minimise
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> found = minimise(forest, "leaves")
    >>> print(found.tree)
    Decision tree with 2 leaves, depth 1
    ├─ x[0] <= 2: class 0
    └─ x[0] > 2: class 1
    >>> found.status, found.objective, found.lower_bound
    ('optimal', 2.0, 2.0)
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"objective={objective!r} must be one of {', '.join(map(repr, OBJECTIVES))}.")
    budget = budget or Budget()
    ensemble = None if isinstance(forest, Cells) else as_ensemble(forest)
    try:
        max_cells = int(min(MAX_CELLS, (budget.memory_limit or np.inf) / 4))
        cells = forest if ensemble is None else build_cells(ensemble, max_cells=max_cells)
    except TooManyCells:
        return _without_cells(ensemble, OBJECTIVES[objective], budget)
    search = RegionSearch(cells, OBJECTIVES[objective], budget, n_jobs, ensemble, as_printed)
    try:
        status = search.run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    return search.result(status)


def _without_cells(ensemble, objective, budget):
    """What can be said of an ensemble whose cells are too many to list: the heuristic's tree."""
    from treelib.bornagain.heuristic import born_again_heuristic

    result = born_again_heuristic(ensemble, budget=budget)
    if np.isfinite(result.objective):
        result.objective = measure(result.tree, objective)
        n_leaves = result.lower_bound
        result.lower_bound = _bound_of_size(n_leaves, math.ceil(math.log2(n_leaves)), objective)
        if result.status != INTERRUPTED:
            result.status = MEMORY_LIMIT
    return result


def _bound_of_size(n_leaves, depth, objective):
    """Lower bound of the objective of trees of at least so many leaves and levels."""
    if objective == DEPTH:
        return float(depth)
    n_leaves = max(n_leaves, depth + 1)
    return float(n_leaves) if objective == LEAVES else depth + LEAF_UNIT * n_leaves


class RegionSearch:
    """The values of all regions of a grid of cells, and the tree they lead to.

    Parameters
    ----------
    cells : Cells. objective : DEPTH, LEAVES or DEPTH_LEAVES. budget : Budget. n_jobs : int
    ensemble : Ensemble, whose names and number of classes the tree gets, or None
    """

    def __init__(self, cells, objective, budget, n_jobs=1, ensemble=None, as_printed=False):
        self.cells = cells
        self.ensemble = ensemble
        self.objective = objective
        self.budget = budget
        self.n_jobs = n_jobs
        self.in_order = as_printed and objective == DEPTH_LEAVES
        self.grid = arrange(cells, self.in_order)
        self._n_needed = int((self.grid.shape - 1).sum())
        if ensemble is None:  # cells made by hand may have hyperplanes that matter nowhere
            flat = self.cells.classes.reshape(-1)
            self._n_needed = int(relevant_levels(flat, self.grid.shape).sum())
        self.split_bits = 12
        self.n_rows = 0
        self.n_done = 0
        self.n_bytes = 0
        self.largest = 0
        self.table = None

    def run(self):
        """Compute all values; returns the status."""
        grid = self.grid
        n_boxes = grid.n_boxes
        if n_boxes > _MOST_BOXES:
            return MEMORY_LIMIT
        self._count(12 * n_boxes)
        status = self._exceeded() or self._number_rows()
        if status:
            return status
        self._boxes, self._rank = np.empty((2, self.n_rows), dtype=np.int64)
        list_canonical(self._row, self._tables, self._boxes, self._rank)
        self._program = lane_program(grid.shape[grid.lanes])
        self._corners = [corner_classes(grid.by_outer, cell) for cell in self._program[2:]]
        self._count(16 * self.n_rows + sum(map(np.size, self._corners)))
        try:
            return self._solve(np.uint16)
        except _Overflow:
            self.n_bytes -= 2 * self.n_rows * grid.width
            self.split_bits, self.largest = 16, 0
            return self._solve(np.uint32)

    def result(self, status):
        """`SearchResult` after `run`, or after an interruption."""
        nodes = None
        if status == OPTIMAL:
            nodes = self._extract()
        else:
            nodes = greedy_nodes(self.cells.classes.reshape(self.grid.shape))
        tree = to_tree(nodes, self.cells, self.grid.used, self.ensemble)
        value = measure(tree, self.objective)
        bound = value if status == OPTIMAL else min(value, self._lower_bound())
        self.budget.record(value, bound, self.n_done, last=True)
        if bound == value:
            status = OPTIMAL
        stats = {
            "depth": tree.max_depth,
            "n_leaves": tree.n_leaves,
            "n_hyperplanes": int((self.grid.shape - 1).sum()),
            "n_cells": self.cells.n_cells,
            "n_regions": self.cells.n_regions,
            "n_boxes": self.grid.n_boxes,
            "n_rows": self.n_rows,
            "width": self.grid.width,
            "n_states": self.n_done * self.grid.width,
            "n_bytes": self.n_bytes,
            "seconds": self.budget.seconds,
        }
        return SearchResult(status, value, bound, tree, self.budget.trace, stats)

    def _extract(self):
        """Nodes of the tree as `to_tree` takes them."""
        n_axes = len(self.grid.shape)
        scratch = np.empty((int(self.grid.shape.sum()) + 2, 2 * n_axes + 1), dtype=np.int64)
        ends = np.empty((2, n_axes), dtype=np.int64)
        room, even = 1024, self.objective == DEPTH
        while True:
            nodes = np.empty((4, room), dtype=np.int64)
            n_nodes = extract_tree(self.table, self.objective, self.split_bits, even, nodes, scratch, *ends)
            if n_nodes < 0:
                raise RuntimeError("The values of the regions contradict each other; please report this.")
            if n_nodes > 0:
                return nodes[:, :n_nodes]
            room *= 8

    def _count(self, n_bytes):
        self.n_bytes += int(n_bytes)

    def _exceeded(self):
        return self.budget.exceeded(self.n_done * self.grid.width, self.n_bytes)

    def _number_rows(self):
        """Find the canonical boxes; returns a status when a limit stops it."""
        grid = self.grid
        n_outer = grid.shape[grid.outer]
        self._tables = BoxTables(*box_tables(n_outer))
        borders = cell_borders(grid.by_outer, n_outer, _strides(n_outer))
        number = np.zeros(len(n_outer), dtype=np.int64)
        n_boxes = grid.n_boxes
        matters = np.empty(n_boxes, dtype=np.uint64)
        self._row = np.empty(n_boxes, dtype=np.int32)
        for start in range(0, n_boxes, _STEP_BOXES):
            stop = min(n_boxes, start + _STEP_BOXES)
            self.n_rows = find_canonical(
                borders, self._tables, number, matters, self._row, start, stop, self.n_rows
            )
            status = self._exceeded()
            if status:
                return status
        self._count(-8 * n_boxes)
        return None

    def _solve(self, dtype):
        grid = self.grid
        width = grid.width
        before = self.n_bytes
        self._count(self.n_rows * width * np.dtype(dtype).itemsize)
        status = self._exceeded()
        if status:
            self.n_bytes = before
            return status
        values = np.empty((self.n_rows, width), dtype=dtype)
        self.n_done = 0
        for slices in self._steps(max(1, _STEP_LANES // width)):
            self._advance(slices, values)
            status = self._exceeded()
            if status and self.n_done < self.n_rows:
                return status
            self.budget.record(np.inf, self._lower_bound(), self.n_done * width)
        is_lane = np.isin(np.arange(len(grid.shape)), grid.lanes)
        stride = np.zeros(len(grid.shape), dtype=np.int64)
        for axes in (grid.outer, grid.lanes):
            n = grid.shape[axes]
            stride[axes] = _strides(n * (n + 1) // 2)
        flat = self.cells.classes.reshape(-1)
        self.table = RegionTable(values, self._row, grid.shape, is_lane, stride, flat, _strides(grid.shape))
        return OPTIMAL

    def _steps(self, n_rows):
        """Lists of slices of the boxes, parts of boxes first; those of one list are independent."""
        if self.n_jobs == 1 or self.n_rows < 1000:
            for start in range(0, self.n_rows, n_rows):
                yield [slice(start, start + n_rows)]
            return
        order = np.argsort(self._rank, kind="stable")
        self._boxes, self._rank = self._boxes[order], self._rank[order]
        borders = np.flatnonzero(np.diff(self._rank, prepend=-1, append=-1))
        for first, last in pairwise(borders.tolist()):
            for start in range(first, last, n_rows * self.n_jobs):
                stop = min(last, start + n_rows * self.n_jobs)
                cuts = np.linspace(start, stop, self.n_jobs + 1).astype(int).tolist()
                yield [slice(a, b) for a, b in pairwise(cuts) if a < b]

    def _advance(self, slices, values):
        def work(part):
            given = (self._boxes[part], self._row, values, self._tables, *self._corners, self._program)
            if self.in_order:
                return solve_rows_in_order(*given, np.empty_like(values[0]), self.split_bits)
            return solve_rows(*given, self.objective, self.split_bits)

        if len(slices) == 1:
            found = [work(slices[0])]
        else:
            if not hasattr(self, "_pool"):
                self._pool = ThreadPoolExecutor(self.n_jobs)
            found = list(self._pool.map(work, slices))
        half = 8 * values.itemsize - 1
        for largest, union in found:
            self.largest = max(self.largest, largest)
            if self.objective == DEPTH_LEAVES:
                # sums of two splits, and depths plus one, must fit
                full = union >> (self.split_bits - 1) & 1
                full |= (largest >> self.split_bits) + 1 >= 1 << (8 * values.itemsize - self.split_bits)
            else:
                full = union >> half
            if full:
                raise _Overflow
        self.n_done += sum(part.stop - part.start for part in slices)
        self.n_done = min(self.n_done, self.n_rows)

    def _lower_bound(self):
        """Proven lower bound of the objective: every region's value bounds that of the whole (Theorem 3), and
        every hyperplane that separates two cells is a split."""
        n_leaves = self._n_needed + 1
        depth = math.ceil(math.log2(n_leaves))
        if self.objective == LEAVES:
            return _bound_of_size(max(n_leaves, self.largest + 1), depth, LEAVES)
        known = self.largest if self.objective == DEPTH else self.largest >> self.split_bits
        return _bound_of_size(n_leaves, max(depth, known), self.objective)


def arrange(cells, in_order=False):
    """`Grid` of `Cells`: which features are outer ones, and which are lanes.

    Lanes are features that help least when they are outer ones (`pairwise_size`), as many as make rows of up
    to about a thousand regions; with `in_order` they are the last features.
    """
    used = np.flatnonzero(np.array(cells.shape) > 1)
    if len(used) == 0:
        used = np.zeros(1, dtype=np.int64)
    shape = np.array(cells.shape, dtype=np.int64)[used]
    classes = cells.classes.reshape(shape)
    intervals = shape * (shape + 1) // 2
    order = np.arange(len(shape))[::-1]
    if not in_order and count_regions(shape) > _MOST_LANES:
        order = np.argsort(-pairwise_size(classes.reshape(-1), shape), kind="stable")
    lanes, width = [], 1
    for j in order.tolist():
        if not lanes or width * intervals[j] <= _MOST_LANES:
            lanes.append(j)
            width *= int(intervals[j])
        elif in_order:
            break
    lanes = np.array(sorted(lanes, key=lambda j: j if in_order else -shape[j]), dtype=np.int64)
    outer = np.setdiff1d(np.arange(len(shape)), lanes)
    by_outer = np.ascontiguousarray(classes.transpose(*outer, *lanes))
    by_outer = by_outer.reshape(int(shape[outer].prod()), -1)
    return Grid(used, shape, cells.classes, outer, lanes, by_outer)


def to_tree(nodes, cells, used, ensemble=None):
    """`Tree` of nodes whose features are axes of the grid; `value` is zero, since no data were counted."""
    right, axis, level, label = nodes
    leaf = axis < 0
    feature = np.where(leaf, -2, used[np.maximum(axis, 0)])
    cuts = np.full(len(leaf), -2.0)
    for f in used.tolist():
        here = feature == f
        cuts[here] = cells.levels[f][level[here]]
    n_classes = int(cells.classes.max()) + 1 if ensemble is None else ensemble.n_classes
    return Tree(
        children_left=np.where(leaf, -1, np.arange(1, len(leaf) + 1)),
        children_right=right,
        feature=feature,
        threshold=cuts,
        value=np.zeros((len(leaf), n_classes)),
        n_features=len(cells.levels),
        label=label,
        feature_names=None if ensemble is None else ensemble.feature_names,
    )


def measure(tree, objective):
    """Value of a tree under an objective; see `minimise`."""
    if objective == DEPTH:
        return float(tree.max_depth)
    if objective == LEAVES:
        return float(tree.n_leaves)
    return tree.max_depth + LEAF_UNIT * tree.n_leaves


def _strides(n):
    """Weights of the digits of a mixed-radix number whose last digit runs fastest."""
    stride = np.ones(len(n), dtype=np.int64)
    if len(n):
        np.cumprod(n[:0:-1], out=stride[-2::-1])
    return stride
