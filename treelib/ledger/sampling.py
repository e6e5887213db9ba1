"""Where the least, mean or largest of new random draws should lie, given draws of our own.

A paper that prints the extremes over its random training sets prints draws of an extreme, and so do we. Two
maxima of N draws of one distribution differ by chance alone: where its tail falls off exponentially, with
scale s, both are Gumbel variables of that scale, and their difference is logistic, within
s log((1 + level) / (1 - level)) of zero with probability `level`. The maximum of n draws lies s log(n / N)
above that of N.
"""

from math import exp, log, sqrt

import numpy as np
from scipy import stats

LEVEL = 0.95
# Chance is no excuse for more than this factor: a wider interval would call any two numbers close.
MOST = 2.0


def prediction(values, part, n_new, level=LEVEL):
    """Interval that holds the least, mean or largest of new draws with probability `level`.

    Positive values are taken on the scale of logarithms, since counts and ratios vary by factors; others, as
    errors that may be 0, as they are.

    Parameters
    ----------
    values : numbers, our draws, at least two
    part : {"min", "mean", "max"}
    n_new : int, number of new draws

    Returns
    -------
    (low, high), floats
    """
    values = np.sort(np.asarray(values, dtype=float))
    if part == "mean":
        half = stats.t.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1)
        half *= sqrt(1 / len(values) + 1 / n_new)
        return float(values.mean() - half), float(values.mean() + half)
    if values[0] > 0:
        low, high = _extreme(np.log(values), part, n_new, level)
        return exp(low), exp(high)
    return _extreme(values, part, n_new, level)


def widened(values, part, n_new, factors=(1.0, 1.0)):
    """Factors for ours / printed that the sampling of both allows, on top of factors that hold without it.

    values, part, n_new : as for `prediction`. factors : pair, for what is not random, not beyond `MOST`.
    """
    ours = part_of(values, part)
    low, high = prediction(values, part, n_new)
    most_above = ours / low if low > 0 else MOST
    most_below = ours / high if high > 0 else 1 / MOST
    return max(factors[0] * most_below, 1 / MOST), min(factors[1] * most_above, MOST)


def chance(values, part, n_new):
    """What new draws would give, in words."""
    low, high = prediction(values, part, n_new)
    return f"other draws than ours would give {max(low, 0):.3g} to {high:.3g}"


def part_of(values, part):
    """Least, mean or largest of some numbers, float."""
    return float({"min": np.min, "mean": np.mean, "max": np.max}[part](np.asarray(values, dtype=float)))


def _extreme(values, part, n_new, level):
    """`prediction` of an extreme of sorted values on their own scale."""
    if part == "min":
        low, high = _extreme(-values[::-1], "max", n_new, level)
        return -high, -low
    n = len(values)
    # mean excess of the largest over the next (Weissman 1978); more of them would no longer be the tail
    used = min(max(2, round(sqrt(n))), n - 1)
    scale = float(values[n - used :].mean() - values[n - used - 1])
    centre = float(values[-1]) + scale * log(n_new / n)
    half = scale * log((1 + level) / (1 - level))
    return centre - half, centre + half
