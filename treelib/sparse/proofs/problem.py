"""The problem of a proof in whole numbers: sets of rows, costs and thresholds as the checker reads them."""

from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

MOST = 2**60  # costs of all rows together; finer ones are rounded down, which keeps bounds valid
SIMPLE = 10**6


def fraction_of(value):
    """The simplest Fraction that is printed as a float is: 0.02 is 1/50, and 1/3 is not 0.333...33."""
    found = Fraction(float(value)).limit_denominator(SIMPLE)
    return found if float(found) == float(value) else Fraction(repr(float(value)))


class ProvedProblem:
    """Rows that no test tells apart are one; a set of these is an integer, a bit for each.

    Parameters
    ----------
    names : list of str, of the columns
    values : float64 (n, p), NaN where missing
    thresholds : list of float arrays, the thresholds of each column, or None for all
    costs : list of lists of Fraction (n, n_classes), of predicting each class for a row
    price : Fraction, of a leaf, in the units of the costs

    Attributes
    ----------
    labels : list of float64 arrays, thresholds of each column; inf asks "is it missing?"
    places : int32 (p, m), how many thresholds of a column each row is above
    costs : int64 (m, n_classes), price : int, unit : Fraction, what 1 stands for
    masks : list of lists of int, the rows up to each threshold
    """

    def __init__(self, names, values, thresholds, costs, price):
        self.names, self.labels, places = names, [], []
        for j, column in enumerate(values.T):
            known = column[~np.isnan(column)]
            labels = np.unique(known) if thresholds is None else np.append(thresholds[j], np.inf)
            self.labels.append(labels)
            places.append(np.where(np.isnan(column), len(labels), np.searchsorted(labels, column)))
        places = np.array(places, np.int32).reshape(len(names), len(values))
        _, first, self.row_of = np.unique(places.T, axis=0, return_index=True, return_inverse=True)
        self.row_of = self.row_of.ravel()
        self.places = np.ascontiguousarray(places[:, first])
        self.n_places = np.array([len(labels) + 1 for labels in self.labels], np.int32)
        merged = [[Fraction(0)] * len(costs[0]) for _ in first]
        for i, row in zip(self.row_of.tolist(), costs, strict=True):
            merged[i] = [a + b for a, b in zip(merged[i], row, strict=True)]
        unit = lcm(price.denominator, *(cost.denominator for row in merged for cost in row))
        whole = max(sum(max(row) for row in merged), price)
        self.is_exact = whole * unit <= MOST
        self.unit = 1 / Fraction(unit if self.is_exact else int(MOST / whole))
        self.costs = np.array([[int(cost / self.unit) for cost in row] for row in merged], np.int64)
        self.price = int(price / self.unit)
        self.rows = (1 << len(merged)) - 1
        self.masks = [
            [self.set_of(self.places[j] <= k) for k in range(len(labels))]
            for j, labels in enumerate(self.labels)
        ]

    @cached_property
    def n_bytes(self):
        return -(-len(self.costs) // 8)

    def set_of(self, members):
        """Integer of a bool (m,)."""
        return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")

    def members(self, rows):
        """Places of the rows of a set, intp."""
        bits = np.frombuffer(rows.to_bytes(self.n_bytes, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(bits, bitorder="little"))
