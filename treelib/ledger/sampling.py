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

SURE = 0.99  # of 100 new values, so many lie in the interval
FEWEST = 20  # single runs of ours that a single run, the least or the largest of the paper is set beside
MANY = 200  # from so many on, the middle 99 of 100 of them speak for a new one


def prediction(values, part, n_new, level=SURE):
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
        return exp(low), exp(min(high, 700))
    return _extreme(values, part, n_new, level)


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


def interval(values, part, n_new):
    """Interval that holds the least, mean or largest of new draws in 99 of 100 cases: (low, high), floats.

    Outwards, where only the tail tells, as `prediction`; where new draws are much fewer than ours, their
    extreme need not lie in the tail at all, and the quantile of our draws that it stays below with the same
    probability counts if it is further out. Inwards our own draws tell: see `_inner`.

    Parameters
    ----------
    values, n_new : as for `prediction`
    part : {"min", "mean", "max", "draw"}; a single draw lies among the middle 99 of 100 of ours where we have
        many. The range of n holds a new one in (n - 1) of (n + 1) cases only, so that fewer are widened to
        what Student's t says of one more
    """
    values = np.sort(np.asarray(values, dtype=float))
    if part == "draw":
        left_out = int(len(values) * (1 - SURE) / 2)  # on each side
        low, high = float(values[left_out]), float(values[-1 - left_out])
        if len(values) >= MANY:
            return low, high
        one_more = prediction(values, "mean", 1)
        return min(low, one_more[0]), max(high, one_more[1])
    low, high = prediction(values, part, n_new)
    if part == "mean":
        return low, high
    share = ((1 + SURE) / 2) ** (1 / n_new)
    if part == "max":
        return _inner(values, n_new), max(high, float(np.quantile(values, share)))
    return min(low, float(np.quantile(values, 1 - share))), -_inner(-values[::-1], n_new)


def _inner(values, n_new):
    """Value below which the largest of new draws lies in one of 200 cases, from the order of ours alone.

    All n_new of them lie below our j-th largest of n with probability C(n, j) / C(n + n_new, j), whatever
    the distribution.

    Parameters
    ----------
    values : sorted array, our draws
    n_new : int
    """
    n, left = len(values), 1.0
    for j in range(n):
        left *= (n - j) / (n + n_new - j)
        if left <= (1 - SURE) / 2:
            return float(values[n - 1 - j])
    return float(values[0])


def spread_ties(values):
    """Whole numbers as if rounded: equal ones spread evenly over the unit around them, sorted array.

    An extreme that many draws share has no tail to tell from; as rounded numbers they have one.
    """
    found, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    parts = [
        value - 0.5 + (np.arange(count) + 0.5) / count for value, count in zip(found, counts, strict=True)
    ]
    return np.concatenate(parts)
