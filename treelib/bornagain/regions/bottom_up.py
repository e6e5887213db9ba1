"""The driver of the exact search: lays out the tables, runs the kernels in short steps, reads off the tree.

Regions are computed from single cells up, in rows that differ only in the intervals of a few *lane* features,
and only for outer boxes that are *canonical* (`treelib.bornagain.regions.rows`).
"""

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.bornagain.ensemble.cell_classes import relevant_levels
from treelib.bornagain.ensemble.cells import count_regions
from treelib.bornagain.regions.read_tree import RegionTable, extract_tree
from treelib.bornagain.regions.row_batches import (
    BATCH,
    PRINTED,
    Lanes,
    Rows,
    bytes_of_lanes,
    corner_classes,
    lane_splits,
    solve_batches,
)
from treelib.bornagain.regions.rows import (
    DEPTH,
    DEPTH_LEAVES,
    LEAVES,
    LEAVES_DEPTH,
    BoxTables,
    add_pairwise,
    box_tables,
    cell_borders,
    find_canonical,
    list_canonical,
    mark_pairs,
)
from treelib.bornagain.regions.to_tree import to_tree
from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, SearchResult, Stopped

LEAF_UNIT = 1e-6  # of a leaf beside a level, in the objective "depth-leaves"
_MOST_LANES = 1000
_MOST_INTERVALS = 20_000  # of a lane feature, some 200 levels: all its splits are listed, their cube / 6
# between two looks at the clock, some 20 ms each
_STEP_LANES = 4_000_000
_LANES_OF_SPLIT, _FEW_SPLITS = 32, 64  # a split of a row takes as long as so many lanes; those of most boxes
_STEP_BOXES = 1_000_000
_STEP_CELLS = 500_000
_STEP_LEVELS = 5_000_000
_GROUP_LANES = 1_000_000  # of rows that are combined again and again: 2 MB, the second cache of a core
_MOST_BOXES = 2**31 - 1
# types of the values, and bits of the second of two joined numbers
_FIELDS = {
    DEPTH: ((np.uint8, 0), (np.uint16, 0)),
    LEAVES: ((np.uint16, 0), (np.uint32, 0)),
    DEPTH_LEAVES: ((np.uint16, 12), (np.uint32, 16)),
    LEAVES_DEPTH: ((np.uint16, 5), (np.uint32, 10)),
}
_BYTES_OF_BOX = 12  # 4 for the number of its row, and 8 for a while


class _Overflow(Exception):
    """A value has outgrown the numbers it is kept in."""


class CellGrid(NamedTuple):
    """Cells as the kernels take them; features with one level are left out.

    used : int64 (p,), feature of the ensemble behind each axis. shape : int64 (p,).
    outer, lanes : int64 arrays, axes of the outer and of the lane features.
    by_outer : uint8 (n_outer_cells, n_lane_cells), class of each cell.
    """

    used: np.ndarray
    shape: np.ndarray
    outer: np.ndarray
    lanes: np.ndarray
    by_outer: np.ndarray

    @property
    def n_boxes(self):
        return count_regions(self.shape[self.outer])

    @property
    def width(self):
        return count_regions(self.shape[self.lanes])


class ValueTable(NamedTuple):
    """Finished values, of which objective, and bits of the second of two joined numbers."""

    regions: RegionTable
    objective: int
    bits: int


class RegionSearch:
    """The values of all regions of a grid of cells, and the tree they lead to.

    Parameters
    ----------
    cells : Cells. objective : DEPTH, LEAVES, DEPTH_LEAVES or LEAVES_DEPTH. budget : Budget. n_jobs : int
    ensemble : Ensemble, whose names and number of classes the tree gets, or None
    as_printed : see `treelib.bornagain.exact.minimise`
    """

    def __init__(self, cells, objective, budget, n_jobs=1, ensemble=None, as_printed=False):
        self.cells = cells
        self.ensemble = ensemble
        self.objective = objective
        self.budget = budget
        self.n_jobs = n_jobs
        self.in_order = as_printed and objective == DEPTH_LEAVES
        shape = np.array(cells.shape)
        self._n_needed = int((shape - 1).sum())
        if ensemble is None:  # cells made by hand may have hyperplanes that matter nowhere
            sizes = [math.prod(cells.shape[j:]) for j in range(len(shape))]
            flat = cells.classes.reshape(-1)
            needed = [relevant_levels(flat, size, n) for size, n in zip(sizes, cells.shape, strict=True)]
            self._n_needed = int(sum(map(np.count_nonzero, needed)))
        self.split_bits = _FIELDS[objective][0][1]
        self.n_rows = self.n_done = self.largest = 0
        self.grid = self.table = None

    def run(self):
        """Compute all values; raises `Stopped` where a limit comes first."""
        budget = self.budget
        budget.claim(self.cells.n_cells)
        self.grid = grid = arrange(self.cells, self.in_order, budget)
        if grid.n_boxes > _MOST_BOXES:
            raise Stopped(MEMORY_LIMIT)
        self._number_rows()
        budget.claim(bytes_of_lanes(grid.shape[grid.lanes].tolist()))
        self._lanes = Lanes(*lane_splits(grid.shape[grid.lanes]))
        budget.claim(2 * len(grid.by_outer) * grid.width)
        self._corners = tuple(corner_classes(grid.by_outer, cell) for cell in self._lanes[2:])
        self.solve()

    def solve(self):
        """Compute the values of all rows, in numbers that are wide enough."""
        budget = self.budget
        for dtype, bits in _FIELDS[self.objective]:
            self.split_bits, self.largest = bits, 0
            n_lanes = (self.n_rows + 3 * BATCH * self.n_jobs) * self.grid.width
            n_bytes = n_lanes * np.dtype(dtype).itemsize
            budget.claim(n_bytes)
            try:
                return self._solve(np.empty((self.n_rows, self.grid.width), dtype=dtype))
            except _Overflow:
                pass  # and let go of the traceback, which holds the table
            budget.release(n_bytes)
        raise Stopped(MEMORY_LIMIT)

    def result(self):
        """`SearchResult` after `run`."""
        return self.finished(self.tree(self.nodes(self.table)), self.objective)

    def unproved(self, status):
        """`SearchResult` of a search that a limit stopped and that has a good tree all the same, or None."""

    def finished(self, tree, objective):
        """`SearchResult` of the smallest tree."""
        budget = self.budget
        value = measure(tree, objective)
        budget.record(value, value, budget.n_nodes, last=True)
        stats = {"depth": tree.max_depth, "n_leaves": tree.n_leaves, "n_open_regions": 0} | self.stats()
        stats |= {"peak_bytes": budget.peak_bytes, "seconds": budget.seconds}
        return SearchResult(OPTIMAL, value, value, tree, budget.trace, stats)

    def stats(self):
        """Counters of the search so far."""
        grid, cells = self.grid, self.cells
        return {
            "n_hyperplanes": sum(cells.shape) - len(cells.shape),
            "n_cells": cells.n_cells,
            "n_regions": cells.n_regions,
            "n_boxes": grid.n_boxes if grid else 0,
            "n_rows": self.n_rows,
            "width": grid.width if grid else 0,
            "n_states": self.n_done * grid.width if grid else 0,
            "n_bytes": self.budget.n_bytes,
        }

    def lower_bound(self):
        """Proven lower bound of the objective: every region's value bounds that of the whole (Theorem 3), and
        every hyperplane that separates two cells is a split."""
        n_leaves = self._n_needed + 1
        depth = math.ceil(math.log2(n_leaves))
        if self.objective == LEAVES:
            return bound_of_size(max(n_leaves, self.largest + 1), depth, LEAVES)
        known = self.largest if self.objective == DEPTH else self.largest >> self.split_bits
        return bound_of_size(n_leaves, max(depth, known), self.objective)

    def forget(self):
        """Let go of all tables."""
        self.table = self.grid = self._row = self._boxes = self._corners = self._lanes = None
        self.cells = self.by_depth = self.by_leaves = None

    def nodes(self, table, low=None, high=None):
        """Nodes of a tree of least value of a region (default the whole), as `to_tree` takes them."""
        shape = self.grid.shape
        scratch = np.empty((int(shape.sum()) + 2, 2 * len(shape) + 1), dtype=np.int64)
        room, even = 1024, table.objective == DEPTH
        while True:
            ends = np.zeros((2, len(shape)), dtype=np.int64)
            ends[0], ends[1] = (0, shape - 1) if low is None else (low, high)
            nodes = np.empty((4, room), dtype=np.int64)
            regions, objective, bits = table
            n_nodes = extract_tree(regions, objective, bits, even, nodes, scratch, *ends)
            if n_nodes < 0:
                raise RuntimeError("The values of the regions contradict each other; please report this.")
            if n_nodes > 0:
                return nodes[:, :n_nodes]
            room *= 8

    def tree(self, nodes):
        """`Tree` of nodes."""
        n_classes = int(self.cells.classes.max()) + 1 if self.ensemble is None else None
        levels, axes = self.cells.levels, self.grid.used
        return to_tree(nodes, levels, self.ensemble, axes=axes, n_classes=n_classes)

    def _number_rows(self):
        """Find the canonical boxes."""
        grid, budget = self.grid, self.budget
        n_outer, n_boxes = grid.shape[grid.outer], grid.n_boxes
        most = max((n * (n + 1) // 2 for n in n_outer.tolist()), default=1)
        budget.claim(_BYTES_OF_BOX * n_boxes + (len(grid.by_outer) + 16 * most) * len(n_outer))
        self._tables = BoxTables(*box_tables(n_outer))
        borders = cell_borders(grid.by_outer, n_outer, _strides(n_outer))
        number = np.zeros(len(n_outer), dtype=np.int64)
        # two bits a feature: 51 million boxes take 0.5 s in 16 bits, 1.7 s in 64
        matters = np.empty(n_boxes, dtype=np.uint16 if len(n_outer) <= 8 else np.uint64)
        self._row = np.empty(n_boxes, dtype=np.int32)
        for start in range(0, n_boxes, _STEP_BOXES):
            stop = min(n_boxes, start + _STEP_BOXES)
            self.n_rows = find_canonical(
                borders, self._tables, number, matters, self._row, start, stop, self.n_rows
            )
            budget.check()
        del matters
        budget.release(8 * n_boxes)
        budget.claim(10 * self.n_rows)
        boxes = np.empty(self.n_rows, dtype=np.int64)
        rank = np.empty(self.n_rows, dtype=np.int16 if n_outer.sum() < 2**15 else np.int32)
        found = 0
        for start in range(0, n_boxes, _STEP_BOXES):
            stop = min(n_boxes, start + _STEP_BOXES)
            found = list_canonical(self._row, self._tables, boxes, rank, start, stop, found)
            budget.check()
        self._boxes = self._group_boxes(boxes, rank)

    def _solve(self, values):
        grid, budget = self.grid, self.budget
        width = grid.width
        self.n_done = 0
        n_splits = int((grid.shape[grid.outer] - 1).sum()) + 4 * len(self._lanes.splits) // width
        work = (width + _LANES_OF_SPLIT) * (1 + n_splits // _FEW_SPLITS)
        for slices in self._steps(max(1, _STEP_LANES // work)):
            self._advance(slices, values)
            budget.n_nodes = self.n_done * width
            if self.n_done < self.n_rows:
                budget.check()
                budget.record(np.inf, self.lower_bound(), budget.n_nodes)
        is_lane = np.zeros(len(grid.shape), dtype=np.bool_)
        is_lane[grid.lanes] = True
        stride = np.zeros(len(grid.shape), dtype=np.int64)
        for axes in (grid.outer, grid.lanes):
            n = grid.shape[axes]
            stride[axes] = _strides(n * (n + 1) // 2)
        flat = self.cells.classes.reshape(-1)
        regions = RegionTable(values, self._row, grid.shape, is_lane, stride, flat, _strides(grid.shape))
        self.table = ValueTable(regions, self.objective, self.split_bits)

    def _group_boxes(self, boxes, rank):
        """The canonical boxes in an order in which many that do not need each other stand together.

        In threads these are all boxes of one rank. In one thread they also have the same intervals of the
        first features, so that their rows, and mostly those of their parts, stay in the processor's cache.

        Returns
        -------
        int64 (2, n_rows), as `treelib.bornagain.regions.row_batches.solve_batches` takes it
        """
        budget, n_boxes = self.budget, self.grid.n_boxes
        budget.claim(32 * self.n_rows)
        n_together, cuts = n_boxes, [0, self.n_rows]
        if not self._in_threads():
            n_together = 1
            for n in self.grid.shape[self.grid.outer][::-1].tolist():
                if n_together * n * (n + 1) // 2 * self.grid.width > _GROUP_LANES:
                    break
                n_together *= n * (n + 1) // 2
            step = -(-_STEP_BOXES // n_together) * n_together
            cuts = np.searchsorted(boxes, [*range(0, n_boxes, step), n_boxes]).tolist()
        grouped = np.empty((2, self.n_rows), dtype=np.int64)
        for start, stop in pairwise(cuts):
            some = boxes[start:stop]
            group = rank[start:stop].astype(np.int64)
            group += some // n_together << 16
            order = np.argsort(group, kind="stable")
            grouped[:, start:stop] = some[order], group[order]
            budget.check()
        budget.release(26 * self.n_rows)  # with what was given
        return grouped

    def _in_threads(self):
        return self.n_jobs > 1 and self.n_rows >= 1000

    def _steps(self, n_rows):
        """Lists of slices of the boxes, parts of boxes first; those of one list are independent."""
        if not self._in_threads():
            for start in range(0, self.n_rows, n_rows):
                yield [slice(start, min(start + n_rows, self.n_rows))]
            return
        borders = np.flatnonzero(np.diff(self._boxes[1], prepend=-1, append=-1))
        for first, last in pairwise(borders.tolist()):
            for start in range(first, last, n_rows * self.n_jobs):
                stop = min(last, start + n_rows * self.n_jobs)
                cuts = np.linspace(start, stop, self.n_jobs + 1).astype(int).tolist()
                yield [slice(a, b) for a, b in pairwise(cuts) if a < b]

    def _advance(self, slices, values):
        rows, width = Rows(values, self._row, *self._corners), self.grid.width
        objective = PRINTED if self.in_order else self.objective

        def work(part):
            scratch = np.zeros((2, width, BATCH), values.dtype), np.empty((BATCH, width), values.dtype)
            given = self._boxes[:, part], rows, self._tables, self._lanes, scratch
            return solve_batches(*given, objective, self.split_bits)

        if len(slices) == 1:
            found = [work(slices[0])]
        else:
            if not hasattr(self, "_pool"):
                self._pool = ThreadPoolExecutor(self.n_jobs)
            found = list(self._pool.map(work, slices))
        for largest, second in found:
            self.largest = max(self.largest, largest)
            if _is_full(largest, second, self.objective, 8 * values.itemsize, self.split_bits):
                raise _Overflow
        self.n_done += sum(part.stop - part.start for part in slices)


def _is_full(largest, second, objective, n_bits, split_bits):
    """Whether a value may have grown so large that what it is combined to does not fit into `n_bits`.

    Sums of two splits stop at the largest number that fits, so it stands for that number and all above.
    """
    if objective == DEPTH:
        return largest + 1 >= 1 << n_bits
    if objective == LEAVES:
        return 2 * largest + 1 >= 1 << n_bits
    first, most_first = largest >> split_bits, (1 << n_bits - split_bits) - 1
    most_second = (1 << split_bits) - 1
    return first >= most_first or second >= most_second


def arrange(cells, in_order, budget):
    """`CellGrid` of `Cells`: which features are outer ones, and which are lanes.

    Lanes are features that help least when they are outer ones (`pairwise_size`), as many as make rows of up
    to about a thousand regions; with `in_order` they are the last features. A feature of very many levels is
    no lane.
    """
    used = np.array([j for j, n in enumerate(cells.shape) if n > 1] or [0])
    shape = np.array(cells.shape)[used]
    classes = cells.classes.reshape(shape)
    intervals = (shape * (shape + 1) // 2).tolist()
    order = list(range(len(shape)))[::-1]
    if not in_order and len(shape) > 1 and count_regions(shape) > _MOST_LANES:
        order = np.argsort(-_sizes(classes.reshape(-1), shape, budget), kind="stable").tolist()
    lanes, width = [], 1
    for j in order:
        if _is_lane(intervals[j]) and (not lanes or width * intervals[j] <= _MOST_LANES):
            lanes.append(j)
            width *= intervals[j]
        elif in_order:
            break
    lanes.sort(key=lambda j: j if in_order else -shape[j])
    outer = [j for j in range(len(shape)) if j not in lanes]
    by_outer = np.ascontiguousarray(classes.transpose(*outer, *lanes))
    by_outer = by_outer.reshape(math.prod(shape[outer].tolist()), -1)
    return CellGrid(used, shape, np.array(outer, dtype=np.int64), np.array(lanes, dtype=np.int64), by_outer)


def _is_lane(n_intervals):
    """Whether a feature of so many intervals may be a lane feature."""
    return n_intervals <= _MOST_INTERVALS


def _sizes(classes, shape, budget):
    """`pairwise_size` of the classes of all cells, float64 (p,), in steps between which `budget` is asked."""
    p, most, n_hyperplanes = len(shape), int(shape.max()), int((shape - 1).sum())
    n_bytes = p * most * n_hyperplanes
    budget.claim(n_bytes)
    matters = np.zeros((p, most, n_hyperplanes), dtype=np.bool_)
    for start in range(0, len(classes), _STEP_CELLS):
        mark_pairs(classes, shape, matters, start, min(len(classes), start + _STEP_CELLS))
        budget.check()
    sizes = np.zeros(p)
    for f, n in enumerate(shape.tolist()):
        following = np.zeros(n_hyperplanes, dtype=np.int64)
        step = max(1, _STEP_LEVELS // (n * p + n_hyperplanes))
        for start in range(0, n, step):
            add_pairwise(matters, shape, f, start, min(n, start + step), following, sizes)
            budget.check()
    budget.release(n_bytes)
    return sizes


def bound_of_size(n_leaves, depth, objective):
    """Lower bound of the objective of trees of at least so many leaves and levels."""
    if objective == DEPTH:
        return float(depth)
    n_leaves = max(n_leaves, depth + 1)
    return float(n_leaves) if objective == LEAVES else depth + LEAF_UNIT * n_leaves


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
