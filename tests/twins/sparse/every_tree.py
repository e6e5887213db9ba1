"""The least cost of a decision tree, by trying every split of every set of rows, in exact fractions."""

from fractions import Fraction
from functools import cache
from math import inf, isnan


def least_cost(columns, costs, price, max_depth=None, thresholds=None):
    """Least cost + `price` x leaves.

    Parameters
    ----------
    columns : list of lists of float, NaN where missing
    costs : list of lists of Fraction, of predicting each class for each row
    price : Fraction
    max_depth : int or None
    thresholds : list of lists of float, the only ones that may be used, or None
    """

    def places(values, allowed):
        if allowed is None:
            return [inf if isnan(x) else x for x in values]
        return [inf if isnan(x) else sum(x > threshold for threshold in allowed) for x in values]

    allowed = [None] * len(columns) if thresholds is None else thresholds
    columns = [places(values, one) for values, one in zip(columns, allowed, strict=True)]

    @cache
    def best(rows, depth):
        found = price + min(
            (sum(costs[i][k] for i in rows) for k in range(len(costs[0]))), default=Fraction(0)
        )
        if depth == 0:
            return found
        for column in columns:
            for value in sorted({column[i] for i in rows})[:-1]:
                low = frozenset(i for i in rows if column[i] <= value)
                deeper = None if depth is None else depth - 1
                found = min(found, best(low, deeper) + best(rows - low, deeper))
        return found

    return best(frozenset(range(len(costs))), max_depth)
