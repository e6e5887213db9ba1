"""Scores of splits in decimals, for the few comparisons that doubles cannot decide.

Python's decimals round ``ln`` and ``exp`` correctly to the last digit, so few digits are lost on the way.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache

import numpy as np

DIGITS = Context(prec=80, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)


class Precise:
    """Scores of a family of `treelib.topdown.learn.families` in decimals; used in the context `DIGITS`.

    Of 80 digits, next to alpha = 1 the difference ``1 - S^beta`` loses as many as ``alpha - 1`` and the
    entropy are small: 16, since alpha is a double, and the logarithm of the rows. What else is lost is the
    logarithm of beta, of the largest exponent and of the number of classes. Forty are enough by far.

    Parameters
    ----------
    scores : family, whose attributes `sides`, `constant`, `key` and `exact_key` count here too
    side : callable of the positive class counts of a side (tuple of int) and x, Decimal -> Decimal from 0
    is_turned : bool, the score is that of the parent minus that of the children
    """

    relative_error = Decimal(10) ** -40

    def __init__(self, scores, side, is_turned):
        self.sides, self.constant = scores.sides, scores.constant
        self.side, self.is_turned = side, is_turned
        self.key, self.exact_key = scores.key, scores.exact_key

    def constants(self, which):
        """C of the candidates `which`, Decimal (k,)."""
        return np.array([Decimal(value) for value in self.constant[which].tolist()], dtype=object)

    def evaluate(self, x, which):
        """Parts U and V, Decimal (2, k), of the candidates `which`, intp (k,), at a float `x`."""
        x, known = Decimal(float(x)), {}

        def value(counts):
            counts = tuple(sorted(int(count) for count in counts if count > 0))
            if counts not in known:
                known[counts] = self.side(counts, x) if counts else Decimal(0)
            return known[counts]

        parts = np.empty((2, len(which)), dtype=object)
        for position, candidate in enumerate(which):
            left, right, parent = map(value, self.sides[candidate])
            parts[:, position] = left + right, parent
        return parts[::-1] if self.is_turned else parts

    def precise(self):
        """None: there are no more digits."""


def power_sum(counts, exponent):
    """``sum (k / n)^exponent`` over the class counts k of n rows."""
    ln_n = _ln(sum(counts))
    return sum((exponent * (_ln(k) - ln_n)).exp() for k in counts)


def exponential(base, exponent):
    """``base^exponent`` of a Fraction above 0."""
    return (exponent * (Decimal(base.numerator) / base.denominator).ln()).exp()


@lru_cache(maxsize=4096)
def _ln(count):
    return DIGITS.ln(Decimal(count))
