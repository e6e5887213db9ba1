"""Classes and their numbers: what `numpy.unique` tells, without sorting where whole numbers lie close."""

import numpy as np

from treelib.compiled.jit import kernel

# numbers from the least to the largest class, up to which each is looked up in a table; most often few
_FEW_NUMBERS, _MOST_NUMBERS = 2**8, 2**16


def classes_and_codes(y):
    """Values of `y` (n,), ascending, and the index of each in them, intp (n,).

    As ``np.unique(y, return_inverse=True)``, which sorts: whole numbers take a fifth of its time.
    """
    if y.dtype.kind in "biu" and y.dtype != np.uint64 and len(y):
        codes, classes = y.astype(np.int64), np.empty(min(len(y), _MOST_NUMBERS), np.int64)
        n_classes = _number(codes, np.empty(_FEW_NUMBERS, np.int64), classes)
        if n_classes == 0:
            n_classes = _number(codes, np.empty(_MOST_NUMBERS, np.int64), classes)
        if n_classes > 0:
            return classes[:n_classes].astype(y.dtype), codes.astype(np.intp, copy=False)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.intp, copy=False)


@kernel(allocates=False)
def _number(values, place, classes):
    """Put the place of each value among all in its stead.

    values : int64 (n,), one or more, in and out. place : int64, scratch. classes : int64 (m,), written: the
    values, ascending

    Returns
    -------
    int, how many different values there are; 0, and nothing is written, where the scratch has no room for all
    numbers from the least to the largest
    """
    low = high = values[0]
    for value in values:
        low, high = min(low, value), max(high, value)
    # a sum beyond 64 bits is below `low`, and then there is room
    if low + (place.shape[0] - 1) < high and low + (place.shape[0] - 1) > low:
        return 0
    n_classes = 0
    for at in range(high - low + 1):
        place[at] = -1
    for value in values:
        place[value - low] = 0
    for at in range(high - low + 1):
        if place[at] == 0:
            place[at], classes[n_classes] = n_classes, low + at
            n_classes += 1
    for i in range(values.shape[0]):
        values[i] = place[values[i] - low]
    return n_classes
