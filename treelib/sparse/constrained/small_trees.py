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
MIN_ROWS, N_CLASSES, N_WANTED, LEVELS = 0, 1, 2, 3


def score_small_trees(codes, start, ordered, wanted, amounts, sizes, rows, stop):
    """Costs of the small trees of a set of rows; infinity where no such tree is allowed.

    Parameters
    ----------
    codes : int32 (n, F), how many of a feature's columns are 1
    start : int64 (F + 1,), first column of each feature
    ordered : int8 (p,), 1 where the label must not fall from the column's false side to its true side, -1
        where it must not rise, else 0
    wanted : int64 (p,), number of the required feature that the column tests, or -1
    amounts : float64 (n, 1 + n_classes), rows and the cost of each class; or (n, 1 + 2 n_classes), then how
        many rows forbid each class
    sizes : int64 (4,): least rows of a leaf, classes, required features, levels of splits (1 or 2)
    rows : int64 (size,), the set
    stop : int64 (1,), set to 1 by another thread to end the work; the answer then means nothing

    Returns
    -------
    single : float64 (p, width), sums of the amounts over the rows with a 1
    own : float64 (p,), the set split by each column, labels in order
    sides : float64 (p, 2, 2 + n_wanted), trees of each column's sides, see LEAF, STUMP and WANTED; with one
        level, only the leaves
    """
    p, width = int(start[-1]), amounts.shape[1]
    single, own = np.zeros((p, width)), np.full(p, np.inf)
    sides = np.full((p, 2, WANTED + sizes[N_WANTED]), np.inf)
    sums = np.zeros((2, width)), np.empty(2), np.zeros((p, width)), np.zeros((p, width))
    places = np.empty(p, np.int64), np.empty(len(rows), np.int64), np.empty(p + 3, np.int64)
    _score((codes, start, ordered, wanted), amounts, sizes, rows, stop, (single, own, sides), sums, places)
    return single, own, sides


@kernel(allocates=False)
def _score(columns, amounts, sizes, rows, stop, out, sums, places):
    """Fill `out`, the three arrays that `score_small_trees` returns; the last two hold room for the work."""
    codes, start, ordered, wanted = columns
    single, own, sides = out
    (ends_of_sums, leaves, histogram, pair), (active, order, ends) = sums, places
    total, rest = ends_of_sums[0], ends_of_sums[1]
    p, width = single.shape
    for i in rows:  # a row takes a step a feature, so all of them can be long
        if stop[0]:
            return
        for w in range(width):
            total[w] += amounts[i, w]
        _add_row(codes[i], start, amounts[i], single)
    _sum_within_features(start, single, single)
    n_active = 0
    for b in range(p):
        if sizes[MIN_ROWS] <= single[b, 0] <= total[0] - sizes[MIN_ROWS]:
            active[n_active] = b
            n_active += 1
            own[b] = _two_leaves(total, single[b], ordered[b], sizes, leaves)
            sides[b, FALSE_SIDE, LEAF], sides[b, TRUE_SIDE, LEAF] = leaves[FALSE_SIDE], leaves[TRUE_SIDE]
    if sizes[LEVELS] < 2:
        return
    tests = active[:n_active], ordered, wanted, sizes
    for f in range(codes.shape[1]):
        n_columns = start[f + 1] - start[f]
        _sort_by_code(codes, rows, f, order, ends)
        for b in range(p):
            for w in range(width):
                histogram[b, w] = 0.0
        for r in range(n_columns - 1, -1, -1):
            if stop[0]:
                return
            a = start[f] + r
            begin, end = ends[r + 1], ends[r + 2]  # rows with the code r + 1
            for s in range(begin, end):
                if stop[0]:
                    return
                _add_row(codes[order[s]], start, amounts[order[s]], histogram)
            if not sizes[MIN_ROWS] <= single[a, 0] <= total[0] - sizes[MIN_ROWS]:
                continue
            if begin == end and r + 1 < n_columns:  # the same rows as the column before
                for side in range(2):
                    for shape in range(sides.shape[2]):
                        sides[a, side, shape] = sides[a + 1, side, shape]
                continue
            _sum_within_features(start, histogram, pair)
            for side in (TRUE_SIDE, FALSE_SIDE):  # the sums of the false side are what the true side leaves
                for w in range(width):
                    rest[w] = single[a, w] if side == TRUE_SIDE else total[w] - single[a, w]
                    for b in range(p if side == FALSE_SIDE else 0):
                        pair[b, w] = single[b, w] - pair[b, w]
                _best_stumps(rest, pair, tests, leaves, sides[a, side])


@kernel(allocates=False, inner=True)
def _best_stumps(whole, parts, columns, leaves, best):
    """Fill `best`, from STUMP on, with the best single splits of rows whose sums are `whole`, and `parts`
    (p, width) over those with a 1."""
    active, ordered, wanted, sizes = columns
    for b in active:
        value = _two_leaves(whole, parts[b], ordered[b], sizes, leaves)
        if value < best[STUMP]:
            best[STUMP] = value
        if wanted[b] >= 0 and value < best[WANTED + wanted[b]]:
            best[WANTED + wanted[b]] = value


@kernel(allocates=False, inner=True)
def _two_leaves(whole, true, order, sizes, leaves):
    """Least cost of rows in two leaves, of which the one has the sums `true`, labels in order; `leaves` gets
    the least cost of each by itself. Infinity where one is too small or has no label left."""
    n, n_true = sizes[N_CLASSES], true[0]
    best, least_false, least_true = np.inf, np.inf, np.inf
    if n_true >= sizes[MIN_ROWS] and whole[0] - n_true >= sizes[MIN_ROWS]:
        forbids = true.shape[0] > 1 + n
        for s in range(n):
            k = s if order >= 0 else n - 1 - s
            cost_true = max(true[1 + k], 0.0)  # differences of sums carry rounding
            cost_false = max(whole[1 + k] - true[1 + k], 0.0)
            if forbids:
                if true[1 + n + k] > 0.5:
                    cost_true = np.inf
                if whole[1 + n + k] - true[1 + n + k] > 0.5:
                    cost_false = np.inf
            least_false, least_true = min(least_false, cost_false), min(least_true, cost_true)
            best = min(best, least_false + cost_true)
    leaves[FALSE_SIDE], leaves[TRUE_SIDE] = least_false, least_true
    return best if order != 0 else least_false + least_true


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
    for c in range(ends.shape[0]):
        ends[c] = 0
    for i in rows:
        ends[codes[i, f] + 2] += 1
    for c in range(1, ends.shape[0]):
        ends[c] += ends[c - 1]
    for i in rows:
        c = codes[i, f] + 1
        order[ends[c]] = i
        ends[c] += 1
