"""The born-again tree of a forest as functions without Python: start, step, facts, read.

The classes of cells, the values of regions and the tree read off them are the package's own kernels, and the
lower bound is its own method, compiled as it stands (`treelib.wasm.language`). What is written again is the
rest of `treelib.bornagain.regions.bottom_up`: for trees that have a vote each, in one thread and in numbers
of 16 bits. It stays so: there is no loop over regions among it, and most lines of that class claim bytes,
hand parts to threads or keep what numba's structures cannot hold, and would have to be said otherwise.
All is in whole numbers but for that bound.
"""

import numpy as np
from numba import carray, njit, types
from numba.extending import overload_attribute

from treelib.bornagain.regions.bottom_up import (
    _BYTES_OF_BOX,
    _FIELDS,
    _GROUP_LANES,
    RegionSearch,
    _is_full,
    bound_of_size,
)
from treelib.bornagain.regions.read_tree import RegionTable, extract_tree
from treelib.bornagain.regions.row_batches import (
    BATCH,
    Lanes,
    Rows,
    corner_classes,
    lane_splits,
    solve_batches,
)
from treelib.bornagain.regions.rows import (
    DEPTH,
    DEPTH_LEAVES,
    BoxTables,
    box_tables,
    cell_borders,
    find_canonical,
    list_canonical,
)
from treelib.wasm.bornagain_cells import (
    by_outer,
    choose_lanes,
    classes_of,
    keep_relevant,
    n_regions_of,
    strides_of,
    thresholds_of,
)
from treelib.wasm.language.same_source import compiled, same, same_class, structure

# answers of `step`, and of `start` by what it leaves in ``search.status``
RUNNING, PROVED, TOO_LARGE = 0, 1, 2
STEP_LANES = 1 << 22  # between two looks at the clock
BYTES_OF_BOX, GROUP_LANES = _BYTES_OF_BOX, _GROUP_LANES
SPLIT_BITS = _FIELDS[DEPTH_LEAVES][0][1]  # of the second of two joined numbers, where depth comes first

# for the levels that so many leaves need at least
IMPORTS = ("log2",)


# one search: the cells of a forest, the values of their regions, and how far it is
FIELDS = [
    *("classes", "shape", "used", "cuts", "begins", "is_lane", "stride"),
    *("tables", "boxes", "rows", "lanes", "scratch"),
    *("n_cuts", "n_all_cells", "objective", "n_done", "status"),
    *("n_needed", "largest", "split_bits"),
]
RegionsType, Regions = structure("Regions", FIELDS)
REGIONS = same_class(RegionsType, RegionSearch, ["lower_bound"])
BOUND, IS_FULL = same(bound_of_size), same(_is_full)


@overload_attribute(RegionsType, "_n_needed")
def n_needed(search):
    """A name that no field of a structure may have."""
    return lambda search: search.n_needed


@compiled
def number_rows(grid, tables, n_outer, n_boxes, width):
    """Row of each outer box, int32, and the canonical boxes and their groups, int64 (2, n_rows); as
    `RegionSearch` numbers them, and groups them in one thread."""
    matters, row = np.empty(n_boxes, np.uint64), np.empty(n_boxes, np.int32)
    borders = cell_borders(grid, n_outer, strides_of(n_outer))
    number = np.zeros(len(n_outer), np.int64)
    n_rows = find_canonical(borders, tables, number, matters, row, 0, n_boxes, 0)
    boxes, rank = np.empty(n_rows, np.int64), np.empty(n_rows, np.int16)
    list_canonical(row, tables, boxes, rank, 0, n_boxes, 0)
    n_together = 1
    for n in n_outer[::-1]:
        if n_together * n * (n + 1) // 2 * width > GROUP_LANES:
            break
        n_together *= n * (n + 1) // 2
    group = rank + (boxes // n_together << 16)
    order, grouped = np.argsort(group, kind="mergesort"), np.empty((2, n_rows), np.int64)
    grouped[0], grouped[1] = boxes[order], group[order]
    return row, grouped


@compiled
def start_search(trees, label, n_features, n_classes, objective, most_bytes):
    """The `Regions` of a forest, ready for its first step.

    trees : (root, left, right, feature, threshold), as of `treelib.bornagain.ensemble.voting.Nodes`; label :
    int64 (n_nodes,), class of each leaf; objective : DEPTH, LEAVES or DEPTH_LEAVES
    """
    flat, first = thresholds_of(trees[3], trees[4], n_features)
    n_all = 1.0
    for j in range(n_features):
        n_all *= first[j + 1] - first[j] + 1
    status = RUNNING
    classes, cuts, begins = np.zeros(1, np.uint8), np.empty(0), np.zeros(n_features + 1, np.int64)
    if 2 * n_all > most_bytes:
        status = TOO_LARGE
    elif len(flat) == 0:
        classes[0] = vote_of_leaves(trees[0], label, n_classes)
    else:
        classes, cuts, begins = keep_relevant(classes_of(trees, label, flat, first, n_classes), flat, first)
    used = np.flatnonzero(np.diff(begins) > 0)
    if len(used) == 0:
        used = np.zeros(1, np.int64)
    shape = np.diff(begins)[used] + 1
    outer, lanes = choose_lanes(classes, shape)
    n_outer, n_lane = shape[outer], shape[lanes]
    n_boxes = n_regions_of(n_outer)
    if n_boxes * BYTES_OF_BOX > most_bytes:
        status = TOO_LARGE
    if status == TOO_LARGE:  # the smallest tables, which are not worked on
        n_outer, n_lane = n_outer[:0].copy(), np.ones(1, np.int64)
        classes, n_boxes = np.zeros(1, np.uint8), 1.0
        grid = np.zeros((1, 1), np.uint8)
    else:
        grid = by_outer(classes, shape, outer, lanes)
    tables = BoxTables(*box_tables(n_outer))
    lanes_of_row = Lanes(*lane_splits(n_lane))
    width = len(lanes_of_row.low)
    row, boxes = number_rows(grid, tables, n_outer, int(n_boxes), width)
    n_rows = boxes.shape[1]
    if status == RUNNING and 2.0 * (n_rows + 3 * BATCH + len(grid)) * width > most_bytes:
        status = TOO_LARGE
    shown = grid[:1] if status == TOO_LARGE else grid
    rows = Rows(
        np.empty((n_rows if status == RUNNING else 0, width), np.uint16),
        row, corner_classes(shown, lanes_of_row.low), corner_classes(shown, lanes_of_row.high),
    )  # fmt: skip
    n_beside = BATCH if status == RUNNING else 0
    scratch = np.zeros((2, width, n_beside), np.uint16), np.empty((n_beside, width), np.uint16)
    is_lane, stride = np.zeros(len(shape), np.bool_), np.zeros(len(shape), np.int64)
    if status == RUNNING:
        for axes in (outer, lanes):
            n = shape[axes]
            weights = strides_of(n * (n + 1) // 2)
            for i in range(len(axes)):
                stride[axes[i]] = weights[i]
        for j in lanes:
            is_lane[j] = True
    return Regions(
        classes, shape, used, cuts, begins, is_lane, stride,
        tables, boxes, rows, lanes_of_row, scratch,
        np.int64(len(flat)), n_all, np.int64(objective), np.int64(0), np.int64(status),
        np.int64((shape - 1).sum()), np.int64(0), np.int64(SPLIT_BITS if objective == DEPTH_LEAVES else 0),
    )  # fmt: skip


@compiled
def vote_of_leaves(root, label, n_classes):
    """Class of trees that are single leaves."""
    votes = np.zeros(n_classes, np.int64)
    for node in root:
        votes[label[node]] += 1
    return np.argmax(votes)


@compiled
def step_search(search):
    """Work for some milliseconds; how the search stands."""
    if search.status != RUNNING:
        return search.status
    n_rows, width = search.rows.values.shape
    stop = min(n_rows, search.n_done + max(1, STEP_LANES // width))
    largest, second = solve_batches(
        search.boxes[:, search.n_done : stop], search.rows, search.tables, search.lanes, search.scratch,
        search.objective, search.split_bits,
    )  # fmt: skip
    search.n_done, search.largest = stop, max(search.largest, largest)
    if _is_full(largest, second, search.objective, 16, search.split_bits):
        search.status = TOO_LARGE
    elif stop == n_rows:
        search.status = PROVED
    return search.status


@compiled
def read_search(search, nodes, cuts):
    """Write the smallest tree of a proved search; the number of nodes, 0 where there is too little room.

    nodes : int64 (4, room): right child, feature (-2 at leaves), level, class; the left child is the next
    node. cuts : float64 (room,), thresholds, -2 at leaves
    """
    shape, p = search.shape, len(search.shape)
    table = RegionTable(
        search.rows.values,
        search.rows.row,
        shape,
        search.is_lane,
        search.stride,
        search.classes,
        strides_of(shape),
    )
    scratch = np.empty((shape.sum() + 2, 2 * p + 1), np.int64)
    low, high = np.zeros(p, np.int64), shape - 1
    n_nodes = extract_tree(
        table, search.objective, search.split_bits, search.objective == DEPTH, nodes, scratch, low, high
    )
    for node in range(n_nodes):
        cuts[node] = -2.0
        if nodes[1, node] >= 0:
            j = search.used[nodes[1, node]]
            cuts[node] = search.cuts[search.begins[j] + nodes[2, node]]
            nodes[1, node] = j
    return n_nodes


@njit
def start(root, nodes, threshold, sizes, objective, most_bytes):
    """`start_search` over the memory of a page: nodes int64 (4, n): left, right, feature, class.

    sizes : int64 (4,): trees, nodes, features, classes
    """
    n_trees, n, d, n_classes = carray(sizes, (4,))
    left, right, feature, label = carray(nodes, (4, n))
    trees = carray(root, (n_trees,)), left, right, feature, carray(threshold, (n,))
    return start_search(trees, label, d, n_classes, objective, most_bytes)


@njit
def facts(search, out):
    """What is known of the search, to float64 (9,).

    Thresholds, cells, those that matter of both, regions, rows, rows done, regions a row, lower bound.
    """
    values = carray(out, (9,))
    values[8] = search.lower_bound()
    values[0], values[1] = search.n_cuts, search.n_all_cells
    values[2], values[3] = len(search.cuts), len(search.classes)
    values[4], values[5] = n_regions_of(search.shape), search.boxes.shape[1]
    values[6], values[7] = search.n_done, search.rows.values.shape[1]
    return 0


@njit
def read(search, nodes, cuts, room):
    """`read_search` over the memory of a page."""
    return read_search(search, carray(nodes, (4, room)), carray(cuts, (room,)))


F64, I64 = types.CPointer(types.float64), types.CPointer(types.int64)
COUNT, NUMBER = types.int64, types.float64
EXPORTS = {
    "start": (start, (I64, I64, F64, I64, COUNT, NUMBER)),
    "step": (step_search, ("search",)),
    "facts": (facts, ("search", F64)),
    "read": (read, ("search", I64, F64, COUNT)),
}
