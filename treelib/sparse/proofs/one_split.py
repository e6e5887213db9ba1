"""One pass over the columns of a set of rows: its best leaf, its best split, what no test separates."""

import numpy as np

from treelib.compiled.jit import kernel


@kernel
def best_of_one_split(places, n_places, costs, members):
    """The numbers behind rule 2 of the checker, without the leaf penalty.

    Parameters
    ----------
    places : int32 (p, m), thresholds of each column that each row is above
    n_places : int32 (p,), thresholds of each column, and one
    costs : int64 (m, n_classes)
    members : intp (n,), the set

    Returns
    -------
    leaf, split, floor : int64, cost of the best leaf, of the best two, of rows that are equal
    """
    n_classes = costs.shape[1]
    total, left = np.zeros(n_classes, np.int64), np.zeros(n_classes, np.int64)
    floor = np.int64(0)
    for i in members:
        least = costs[i, 0]
        for k in range(n_classes):
            total[k] += costs[i, k]
            least = min(least, costs[i, k])
        floor += least
    split = np.int64(2**62)
    n_sums = 0
    for n in n_places:
        n_sums = max(n_sums, n)
    sums, occurs = np.zeros((n_sums, n_classes), np.int64), np.zeros(n_sums, np.uint8)
    for j in range(len(places)):
        for i in members:
            occurs[places[j, i]] = 1
            for k in range(n_classes):
                sums[places[j, i], k] += costs[i, k]
        left[:] = 0
        is_first = True
        for place in range(n_places[j]):
            if not occurs[place]:
                continue
            if not is_first:
                low, high = left[0], total[0] - left[0]
                for k in range(1, n_classes):
                    low, high = min(low, left[k]), min(high, total[k] - left[k])
                split = min(split, low + high)
            is_first = False
            occurs[place] = 0
            for k in range(n_classes):
                left[k] += sums[place, k]
                sums[place, k] = 0
    return total.min(), split, floor
