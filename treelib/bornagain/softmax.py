"""The class that a softmax picks, with the rounding of the libraries that compute it.

Probabilities are ``exp(s - max) / sum``, and the first of the largest wins. Where two sums of scores differ
by an ulp or two, rounding can make their probabilities equal. XGBoost works in float32 with a float64 sum,
LightGBM in float64 throughout.
"""

import numpy as np

from treelib.compiled.jit import kernel


@kernel(allocates=False, inner=True)
def softmax_class(sums):
    """Index of the first largest probability of `sums`, float32 or float64 (n_classes,)."""
    n = len(sums)
    largest = sums[0]
    for k in range(1, n):
        if sums[k] > largest:
            largest = sums[k]
    total = 0.0
    for k in range(n):
        total += _rounded(np.exp(np.float64(sums[k] - largest)), sums)
    best, most = 0, -1.0
    divisor = _rounded(total, sums)
    for k in range(n):
        part = _rounded(_rounded(np.exp(np.float64(sums[k] - largest)), sums) / divisor, sums)
        if part > most:
            best, most = k, part
    return best


@kernel(allocates=False, inner=True)
def _rounded(value, sums):
    """`value`, float64, rounded to the type of `sums`. A quotient of two float32 that is rounded to float64
    and then to float32 is that of a float32 division."""
    if sums.itemsize == 4:
        return np.float64(np.float32(value))
    return value


@kernel
def softmax_classes(sums):
    """`softmax_class` of every row, int64 (n,)."""
    classes = np.empty(len(sums), dtype=np.int64)
    for row in range(len(sums)):
        classes[row] = softmax_class(sums[row])
    return classes
