"""From the sum of a binary model to its class: the largest sum that is still the first class.

The libraries send the sum through a sigmoid and compare probabilities. Rounding makes small positive sums a
probability of one half exactly, which is the first class. The sigmoid is monotone, so one number tells the
two apart; it is found by bisection over the numbers of the library's type.
"""

import math

import numpy as np

# sums at least 0 are the second class (scikit-learn): those above the largest number below 0
JUST_BELOW_ZERO = float(np.nextafter(0.0, -1.0))


def last_of_first_class(is_second, kind):
    """Largest number of float type `kind` in [0, 1] for which `is_second`, a monotone test, does not hold."""
    whole = {4: np.int32, 8: np.int64}[np.dtype(kind).itemsize]
    low, high = 0, int(np.ones(1, dtype=kind).view(whole)[0])  # bit patterns grow with the numbers
    if is_second(kind(0.0)) or not is_second(kind(1.0)):
        raise ValueError("The sigmoid of this model does not part its classes between 0 and 1.")
    while high - low > 1:
        middle = (low + high) // 2
        value = np.array([middle], dtype=whole).view(kind)[0]
        low, high = (low, middle) if is_second(value) else (middle, high)
    return np.array([low], dtype=whole).view(kind)[0]


def xgboost_cut():
    """float32: XGBoost's class is 1 iff ``1 / (1 + exp(-sum)) > 0.5`` in float32."""

    def is_second(value):
        power = np.float32(math.exp(-float(value)))
        return np.float32(1) / (power + np.float32(1)) > np.float32(0.5)

    return last_of_first_class(is_second, np.float32)


def lightgbm_cut(sigmoid):
    """float64: LightGBM's class is 1 iff ``p > 1 - p`` with ``p = 1 / (1 + exp(-sigmoid * sum))``."""

    def is_second(value):
        part = 1.0 / (1.0 + math.exp(-sigmoid * float(value)))
        return part > 1.0 - part

    return last_of_first_class(is_second, np.float64)


def xgboost_margin(probability):
    """float32: the sum at which a model of this base score begins, ``-log(1 / p - 1)`` in float32."""
    odds = np.float32(1) / np.float32(probability) - np.float32(1)
    return np.float32(-math.log(float(odds)))
