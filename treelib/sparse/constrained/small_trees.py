"""All trees of depth two of a set of rows at once, with leaves large enough and labels in order.

Columns of a feature are nested: a row with code c has a 1 in the feature's first c columns. So the sums over
the rows of two columns are found from a histogram of codes, which grows row by row as the first column's
threshold falls: O(size F^2 + p^2) a set of rows, for F features with p columns in all, where counting pairs
of columns takes O(size p^2).
"""

import numpy as np

from treelib.compiled.jit import kernel

# sides of a column, and its trees there: a leaf, any single split, and from WANTED on a split of each feature
# that must be tested
FALSE_SIDE, TRUE_SIDE = 0, 1
LEAF, STUMP, WANTED = 0, 1, 2
# of `sizes`
MIN_ROWS, N_CLASSES, N_WANTED = 0, 1, 2


@kernel
def score_small_trees(codes, start, ordered, wanted, amounts, sizes, rows, stop):
    """Costs of the small trees of a set of rows; infinity where no such tree is allowed.

    Parameters
    ----------
    codes : int32 (n, F), how many of a feature's columns are 1
    start : int64 (F + 1,), first column of each feature
    ordered : int8 (p,), 1 where the label must not fall from the column's false side to its true side, -1
        where it must not rise, else 0
    wanted : int64 (p,), number of the required feature that the column tests, or -1
    amounts : float64 (n, 1 + 2 n_classes): rows, cost of each class, how many rows forbid each class
    sizes : int64 (3,): least rows of a leaf, classes, required features
    rows : int64 (size,), the set
    stop : int64 (1,), set to 1 by another thread to end the work; the answer then means nothing

    Returns
    -------
    whole : float64 (n_classes,), cost of the set as a leaf of each class
    single : float64 (p, 1 + 2 n_classes), sums of the amounts over the rows with a 1
    own : float64 (p,), the set split by each column, labels in order
    sides : float64 (p, 2, 2 + n_wanted), trees of each column's sides, see LEAF, STUMP and WANTED
    """
    n_features, p, width = codes.shape[1], start[-1], amounts.shape[1]
    n_classes = sizes[N_CLASSES]
    total = np.zeros(width)
    single = np.zeros((p, width))
    for i in rows:
        total += amounts[i]
        _add_row(codes[i], start, amounts[i], single)
    _sum_within_features(start, single, single)
    whole = np.empty(n_classes)
    _leaf_costs(total, sizes, whole)
    own = np.full(p, np.inf)
    sides = np.full((p, 2, WANTED + sizes[N_WANTED]), np.inf)
    active = np.empty(p, np.int64)
    n_active = 0
    for b in range(p):
        if sizes[MIN_ROWS] <= single[b, 0] <= total[0] - sizes[MIN_ROWS]:
            active[n_active] = b
            n_active += 1
    cell = np.empty((4, width))
    cost = np.empty((4, n_classes))
    histogram, pair = np.zeros((p, width)), np.zeros((p, width))
    order, ends = np.empty(rows.shape[0], np.int64), np.empty(p + 3, np.int64)
    for f in range(n_features):
        if stop[0]:
            break
        first, n_columns = start[f], start[f + 1] - start[f]
        _sort_by_code(codes, rows, f, order, ends[: n_columns + 3])
        histogram[:] = 0.0
        for r in range(n_columns - 1, -1, -1):
            a = first + r
            begin, end = ends[r + 1], ends[r + 2]  # rows with the code r + 1
            for s in range(begin, end):
                _add_row(codes[order[s]], start, amounts[order[s]], histogram)
            if not sizes[MIN_ROWS] <= single[a, 0] <= total[0] - sizes[MIN_ROWS]:
                continue
            for w in range(width):
                cell[0, w] = total[w] - single[a, w]
            _leaf_costs(cell[0], sizes, cost[0])
            _leaf_costs(single[a], sizes, cost[1])
            own[a] = _best_labels(cost[0], cost[1], ordered[a])
            if begin == end and r + 1 < n_columns:  # the same rows as the column before
                sides[a] = sides[a + 1]
                continue
            sides[a, FALSE_SIDE, LEAF], sides[a, TRUE_SIDE, LEAF] = cost[0].min(), cost[1].min()
            _sum_within_features(start, histogram, pair)
            for s in range(n_active):
                b = active[s]
                for w in range(width):
                    both = pair[b, w]
                    cell[0, w] = total[w] - single[a, w] - single[b, w] + both
                    cell[1, w] = single[b, w] - both
                    cell[2, w] = single[a, w] - both
                    cell[3, w] = both
                for side in range(2):
                    if min(cell[2 * side, 0], cell[2 * side + 1, 0]) < sizes[MIN_ROWS]:
                        continue
                    _leaf_costs(cell[2 * side], sizes, cost[0])
                    _leaf_costs(cell[2 * side + 1], sizes, cost[1])
                    value = _best_labels(cost[0], cost[1], ordered[b])
                    sides[a, side, STUMP] = min(sides[a, side, STUMP], value)
                    if wanted[b] >= 0:
                        at = WANTED + wanted[b]
                        sides[a, side, at] = min(sides[a, side, at], value)
    return whole, single, own, sides


@kernel(allocates=False, inner=True)
def _add_row(code, start, amount, sums):
    """Count a row at the last column of each feature that is 1."""
    for f in range(code.shape[0]):
        if code[f] > 0:
            at = start[f] + code[f] - 1
            for w in range(amount.shape[0]):
                sums[at, w] += amount[w]


@kernel(allocates=False, inner=True)
def _sum_within_features(start, histogram, sums):
    """Sums over the rows with a 1 in each column, from counts at their last columns; may be in place."""
    for f in range(start.shape[0] - 1):
        for b in range(start[f + 1] - 1, start[f] - 1, -1):
            for w in range(histogram.shape[1]):
                more = sums[b + 1, w] if b + 1 < start[f + 1] else 0.0
                sums[b, w] = histogram[b, w] + more


@kernel(allocates=False, inner=True)
def _sort_by_code(codes, rows, f, order, ends):
    """Fill `order` with the rows by ascending code; those of code c stand from ends[c] to ends[c + 1]."""
    ends[:] = 0
    for i in rows:
        ends[codes[i, f] + 2] += 1
    for c in range(1, ends.shape[0]):
        ends[c] += ends[c - 1]
    for i in rows:
        c = codes[i, f] + 1
        order[ends[c]] = i
        ends[c] += 1


@kernel(allocates=False, inner=True)
def _leaf_costs(cell, sizes, cost):
    """Cost of a leaf of each class; infinity where it is too small or a row forbids the class."""
    n_classes = sizes[N_CLASSES]
    for k in range(n_classes):
        allowed = cell[0] >= sizes[MIN_ROWS] and cell[1 + n_classes + k] < 0.5
        cost[k] = max(cell[1 + k], 0.0) if allowed else np.inf


@kernel(allocates=False, inner=True)
def _best_labels(false, true, order):
    """Least cost of two leaves, the label of the true side not below (order 1) or above (-1) the other."""
    n = false.shape[0]
    least_false, least_true, best = np.inf, np.inf, np.inf
    for s in range(n):
        k = s if order >= 0 else n - 1 - s
        least_false, least_true = min(least_false, false[k]), min(least_true, true[k])
        best = min(best, least_false + true[k])
    return best if order != 0 else least_false + least_true
