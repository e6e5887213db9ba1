"""A first tree of a large table, grown on some of its rows, for a limit that comes before all are sorted."""

import numpy as np

from treelib.search.budget import Stopped, go_on
from treelib.sparse.continuous.arrays import Numbers
from treelib.sparse.continuous.greedy import greedy_tree
from treelib.sparse.continuous.number_tree import (
    MANY_ROWS,
    CountedTree,
    counted_in_pieces,
    cut_back,
    named,
    with_splits,
)
from treelib.sparse.continuous.sorting import Sorted, SortedOnDemand, sort_rows
from treelib.sparse.pruning import splits_within

# rows that are drawn, at most and at least, and their cells: sorted and grown on in a tenth of a second
MOST_ROWS, FEWEST_ROWS, CELLS = 20_000, 200, 2**18
# rows that are drawn at least when the time is up, and cells of a table whose rows take a while to label
FEWEST_LATE, CELLS_LATE, MANY_CELLS = 50, 2**16, 2**21
# bytes of a memory limit for each cell that is drawn, which takes up to 26 beside what the search holds; and
# cells that are drawn whatever the limit is, for less than a megabyte
BYTES_A_CELL, CELLS_ANYWAY = 64, 2**15
# rows that a late tree is labelled on, times its levels: in half of what a search may be late; and how many
# more for each second that is left, half of which goes to growing it
ROWS_TIMES_LEVELS, MORE_A_SECOND = 2_000_000, 20_000_000


def sampled_tree(data, budget, max_depth=None, max_leaves=None, check=go_on, is_late=False):
    """Greedy tree of some rows of `Data`, cut back and labelled on all.

    budget : Budget; the less time is left in it, the fewer levels a tree of many rows has
    max_depth, max_leaves : int or None
    check : callable, raises `Stopped` where there is no more time
    is_late : bool, whether there is no time to wait for anything: then a small table has such a tree too

    Returns
    -------
    NumberTree; None for a table that is sorted in a moment, and where there was no time.
    """
    drawn = draw_rows(*data.X.shape, budget.memory_limit, is_late)
    if drawn is None:
        return None
    few, weights = np.asarray(data.X[drawn]), None if data.weights is None else data.weights[drawn]
    try:
        rows = sort_rows(few, data.y[drawn], weights, check)
    except Stopped:
        return None
    max_depth = depth_to_count(len(data.y), 0.0 if is_late else budget.time_left, max_depth)
    return grown_on(rows, few, data, max_depth, max_leaves, check)


def depth_to_count(n, seconds_left, max_depth=None):
    """Depth of a tree whose `n` rows are still to be counted: int, or None for any."""
    rows_times_levels = ROWS_TIMES_LEVELS + MORE_A_SECOND * max(seconds_left, 0.0)
    if rows_times_levels == np.inf:
        return max_depth
    levels = max(1, int(rows_times_levels / n))
    return levels if max_depth is None else min(max_depth, levels)


def grown_on(rows, X, data, max_depth=None, max_leaves=None, check=go_on):
    """Greedy tree of `Sorted` rows of the table `X`, cut back and labelled on `Data`, as `NumberTree`."""
    return pruned(grown(rows, X, data.regularization, max_depth, check), data, max_leaves)


def grown(rows, X, regularization, max_depth=None, check=go_on, min_rows=1, prunes=True):
    """Greedy tree of `Sorted` rows of the table `X`, without labels; see `greedy_tree`."""
    numbers = Numbers(
        n_features=len(rows.features),
        n_classes=max(rows.n_classes, 2),
        price=float(regularization * rows.total),
        tolerance=0.0,
        classes=rows.classes,
        weight=rows.weight,
        keys=np.zeros((0, 2), np.uint64),
    )
    return greedy_tree(numbers, rows, X, max_depth, check, min_rows, prunes)


def grown_in_pieces(data, max_depth=None, max_leaves=None, check=go_on):
    """Greedy tree of all rows of `Data`, whose columns are sorted a few at a time, again on each level: for a
    table that has no room for the order of all. Cut back and labelled on all rows, as `NumberTree`."""
    n, p = data.X.shape
    weights = np.ones(n) if data.weights is None else data.weights
    rows = unmerged(data.y, weights, data.n_classes, SortedOnDemand(data.X), np.arange(p))
    return grown_on(rows, data.X, data, max_depth, max_leaves, check)


def unmerged(y, weights, n_classes, order, features):
    """`Sorted` rows of which none are merged. order, features : as there"""
    return Sorted(
        rows=np.arange(len(y)),
        features=features,
        order=order,
        classes=y.astype(np.int32),
        weight=weights,
        class_of=np.arange(n_classes),
        base=0.0,
        scale=1.0,
        total=float(weights.sum()),
    )


def draw_rows(n, p, memory_limit=None, is_late=False):
    """Numbers of the rows to grow on, ascending; None where all rows are few enough to wait for.

    memory_limit : float or None, in bytes. is_late : bool, whether there is no time to wait for anything
    """
    fewest, cells = FEWEST_LATE if is_late else FEWEST_ROWS, CELLS
    if is_late and n * p > MANY_CELLS:
        cells = CELLS_LATE
    if memory_limit is not None:
        cells = min(cells, max(CELLS_ANYWAY, int(memory_limit / BYTES_A_CELL)))
    size = min(n, MOST_ROWS, max(cells // max(p, 1), fewest))
    if 4 * size > n and not is_late:
        return None
    return np.sort(np.random.default_rng(n).choice(n, size, replace=False))


def pruned(tree, data, max_leaves=None):
    """`tree` cut back to the least objective on `Data`, and to `max_leaves` leaves if that is no None.

    Returns
    -------
    NumberTree labelled on `Data`; of a large table the nodes are counted once, before they are cut.
    """
    by_class, n_rows = counted_in_pieces(tree, data.X, data.y, data.weights, data.n_classes)
    leaf = by_class.sum(axis=1) - by_class.max(axis=1) + data.regularization * data.total
    if max_leaves is None:
        tree, _, kept = cut_back(tree, leaf)
    else:
        tree, kept = cut_within(tree, leaf, max_leaves)
    if len(data.X) < MANY_ROWS:
        return data.labelled(tree)
    return CountedTree.of(named(tree, by_class[kept]), by_class[kept], n_rows[kept])


def cut_within(tree, leaf, max_leaves):
    """`tree` cut back to the least cost of at most `max_leaves` leaves, and the nodes that are kept.

    leaf : float64 (n_nodes,), cost of each node as a leaf, its price included
    """
    return with_splits(tree, splits_within(tree.left, tree.right, leaf, max_leaves))
