"""Classes and their numbers: what `numpy.unique` tells, without sorting where whole numbers lie close."""

import numpy as np

from treelib.compiled.jit import kernel

# numbers from the least to the largest class, up to which each is looked up in a table
_MOST_NUMBERS = 2**16


def classes_and_codes(y):
    """Values of `y` (n,), ascending, and the index of each in them, intp (n,).

    As ``np.unique(y, return_inverse=True)``, which sorts: whole numbers take a fifth of its time.
    """
    if y.dtype.kind in "biu" and np.can_cast(y.dtype, np.int64) and len(y):
        codes, classes = y.astype(np.int64), np.empty(min(len(y), _MOST_NUMBERS), np.int64)
        low, high = _span(codes)
        n_numbers = high - low + 1
        if n_numbers <= _MOST_NUMBERS:
            n_classes = _number(codes, low, np.full(n_numbers, -1), classes)
            return classes[:n_classes].astype(y.dtype), codes.astype(np.intp, copy=False)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.intp, copy=False)


@kernel(allocates=False)
def _span(values):
    """Least and largest of `values` int64 (n,), one or more."""
    low = high = values[0]
    for value in values:
        low, high = min(low, value), max(high, value)
    return low, high


@kernel(allocates=False)
def _number(values, low, place, classes):
    """Put the place of each value among all in its stead.

    values : int64 (n,), one or more, in and out. low : int, the least. place : int64, -1 for each number from
    `low` to the largest, scratch. classes : int64 (m,), written: the values, ascending

    Returns
    -------
    int, how many different values there are
    """
    for value in values:
        place[value - low] = 0
    n_classes = 0
    for at in range(place.shape[0]):
        if place[at] == 0:
            place[at], classes[n_classes] = n_classes, low + at
            n_classes += 1
    for i in range(values.shape[0]):
        values[i] = place[values[i] - low]
    return n_classes
