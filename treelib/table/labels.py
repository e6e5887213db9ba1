"""Classes and their numbers: what `numpy.unique` tells, without sorting where whole numbers lie close."""

import numpy as np

# numbers from the least to the largest class, up to which each is looked up in a table
_MOST_NUMBERS = 2**16
# values that np.unique sorts in a moment
_FEW = 1024


def classes_and_codes(y):
    """Values of `y` (n,), ascending, and the index of each in them, intp (n,).

    As ``np.unique(y, return_inverse=True)``, which sorts: a million whole numbers take a fifth of its time.
    """
    if len(y) > _FEW and y.dtype.kind in "biu":
        low, high = y.min(), y.max()
        if int(high) - int(low) < _MOST_NUMBERS:
            # as uint64, differences that fit are right whatever wraps around
            place = y.astype(np.uint64)
            place -= np.array(low).astype(np.uint64)
            place = place.view(np.intp) if np.intp().nbytes == 8 else place.astype(np.intp)
            at = np.full(int(high) - int(low) + 1, -1, np.intp)
            at[place] = 0
            here = np.flatnonzero(at == 0)
            at[here] = np.arange(len(here))
            classes = (here.astype(np.uint64) + np.array(low).astype(np.uint64)).astype(y.dtype)
            return classes, at[place]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.intp, copy=False)
