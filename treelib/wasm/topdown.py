"""Top-down trees of any (alpha, beta) of the Tsallis family as functions without Python: start, grow.

The rows are sorted, once for all trees, the nodes made and the splits chosen by the package's own kernels.
What is written again is `treelib.topdown.grow.learner.learn` around them, for rows of weight 1.

Logarithms and powers are not in WebAssembly. They are asked of whoever runs the module: a page gives those of
its browser, the tests those of the machine's own C library. Two libraries can differ in the last bit of a
value, and then two splits that are equally good can change places. Whole `beta` and `alpha` = 2 need none.
"""

import numpy as np
from numba import carray, njit, types

from treelib.topdown.grow.impurity import TSALLIS, fill_parts
from treelib.topdown.grow.one_tree import (
    AFTER,
    BEFORE,
    FEATURE,
    Nodes,
    Rows,
    Rule,
    Scratch,
)
from treelib.topdown.grow.one_tree import (
    grow as grow_nodes,
)
from treelib.topdown.grow.presort import CLASS_SHIFT, encode_features, rank_rows
from treelib.wasm.language.same_source import compiled, structure

IMPORTS = ("expm1", "log", "log1p")
# a limit that is never met
NO_LIMIT = 1 << 62
# `grow` of a table that is too large, and of an alpha by which the powers of counts leave float64
TOO_LARGE, OUT_OF_RANGE = -2, -3


# a table with its rows sorted by every feature; no codes where it is too large
_, Table = structure("Table", ["X", "n_classes", "shift", "codes"])


@compiled
def sort_rows(X, y, shift):
    """Codes uint32 (d, n) of the rows by every feature, as `treelib.topdown.grow.learner.sort_rows`."""
    n, d = X.shape
    columns = np.empty((d, n))
    for i in range(n):
        for j in range(d):
            columns[j, i] = X[i, j]
    keys, pairs, spare = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.uint64)
    rankings, codes = np.empty((d, n), np.int64), np.empty((d, n), np.uint32)
    rank_rows(columns, keys, pairs, spare, np.empty((3, 2048), np.int64), rankings)
    encode_features(columns, rankings, np.empty(0, np.int64), y, shift, codes)
    return codes


@compiled
def make_scratch(n, d, n_classes):
    """Empty `Scratch`, as `treelib.topdown.grow.learner.learn` makes it where all features are looked at."""
    return Scratch(
        np.empty(n, np.uint8),
        np.empty(n, np.uint32),
        None,
        np.arange(d),
        np.empty((4, n_classes)),
        np.empty(2),
        np.empty((2, 6), np.int64),
        np.zeros(2, np.uint8),
        np.zeros(1, np.uint64),
    )


@compiled
def threshold_of(X, split):
    """Threshold of a node, as `treelib.topdown.grow.learner.thresholds`; `split`: its whole numbers."""
    if split[FEATURE] < 0:
        return -2.0
    low, high = X[split[BEFORE], split[FEATURE]], X[split[AFTER], split[FEATURE]]
    middle = low / 2 + high / 2
    if np.isnan(high):
        return np.inf
    return middle if low <= middle and middle < high else low


@compiled
def start_table(X, y, n_classes):
    """The `Table` of X float64 (n, d), NaN where missing, and y int64 (n,), classes from 0 on."""
    shift = CLASS_SHIFT + (n_classes - 1).bit_length()
    is_large = (len(X) << shift) >= 1 << 32
    return Table(X, n_classes, shift, np.empty((0, 0), np.uint32) if is_large else sort_rows(X, y, shift))


@compiled
def grow_tree(table, criterion, limits, whole, real, value):
    """Grow a tree; the number of its nodes, or `TOO_LARGE` or `OUT_OF_RANGE`.

    Parameters
    ----------
    table : Table
    criterion : (alpha, beta)
    limits : int64 (4,): most splits on a path, most leaves, fewest rows of a leaf, 1 to split the leaf of
        largest decrease next; a limit below 0 is none
    whole : int64 (2 n, 10), real : float64 (2 n, 3), value : float64 (2 n, n_classes), written: nodes as of
        `treelib.topdown.grow.one_tree.Nodes`, and the threshold as third real number
    """
    X, n_classes, (n, d) = table.X, table.n_classes, table.X.shape
    alpha, beta = criterion
    if len(table.codes) < d:
        return TOO_LARGE
    if alpha * np.log(n) > 700.0:
        return OUT_OF_RANGE
    parts = np.empty(n + 1)
    fill_parts(TSALLIS, alpha, parts)
    max_depth = limits[0] if limits[0] >= 0 else NO_LIMIT
    max_splits = limits[1] - 1 if limits[1] >= 0 else NO_LIMIT
    rule = Rule(
        TSALLIS, alpha, beta, n_classes, table.shift, max_depth, max_splits, limits[3] == 1,
        2, max(1, limits[2]), 0.0, 0.0, d,
    )  # fmt: skip
    numbers, waiting = np.empty((len(whole), 2)), np.empty(len(whole), np.int64)
    nodes = Nodes(whole, numbers, value, waiting, np.zeros(4, np.int64))
    # growing puts the rows of a node together
    rows = Rows(table.codes.copy(), None, None, None, np.empty(0), parts)
    if not grow_nodes(rows, rule, make_scratch(n, d, n_classes), nodes):
        return TOO_LARGE  # cannot be: a tree of n rows has fewer than 2 n nodes
    n_nodes = nodes.state[0]
    for node in range(n_nodes):
        real[node, 0], real[node, 1] = numbers[node, 0], numbers[node, 1]
        real[node, 2] = threshold_of(X, whole[node])
    return n_nodes


@njit
def start(X, y, n, d, n_classes):
    """`start_table` over the memory of a page, which the table keeps."""
    return start_table(carray(X, (n, d)), carray(y, (n,)), n_classes)


@njit
def grow(table, criterion, limits, whole, real, value):
    """`grow_tree` over the memory of a page, with room for 2 n + 1 nodes."""
    pair, room = carray(criterion, (2,)), 2 * len(table.X) + 1
    return grow_tree(
        table,
        (pair[0], pair[1]),
        carray(limits, (4,)),
        carray(whole, (room, 10)),
        carray(real, (room, 3)),
        carray(value, (room, table.n_classes)),
    )


F64, I64, COUNT = types.CPointer(types.float64), types.CPointer(types.int64), types.int64
EXPORTS = {
    "start": (start, (F64, I64, COUNT, COUNT, COUNT)),
    "grow": (grow, ("search", F64, I64, I64, F64, F64)),
}
