"""A solver for the searches over lambda that knows the answers: a path of solutions, read."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np


class PathSolver:
    """Solver that reads its answer off known solutions, and asks another one only where trees tie.

    Parameters
    ----------
    solutions : sequence of (error, leaves), all vertices of the lower hull by falling lambda
    solve : solver for the prices at which two of them tie; None: there the larger tree is taken (Definition
    2)
    """

    def __init__(self, solutions, solve=None):
        self.solutions = list(solutions)
        self.solve = solve
        pairs = zip(self.solutions, self.solutions[1:], strict=False)
        self.breaks = [Fraction(e - f, m - l) for (e, l), (f, m) in pairs]
        self._breaks = np.array([-float(price) for price in self.breaks])
        self._ties = {}

    def __call__(self, price):
        at = int(np.searchsorted(self._breaks, -float(price)))
        while at < len(self.breaks) and self.breaks[at] > price:
            at += 1
        while at > 0 and self.breaks[at - 1] <= price:
            at -= 1
        if at < len(self.breaks) and self.breaks[at] == price:
            if self.solve is not None:
                if price not in self._ties:
                    self._ties[price] = self.solve(price)
                return self._ties[price]
            at += 1
        return _Value(*self.solutions[at])


@dataclass(frozen=True)
class _Value:
    error: int
    leaves: int
    n_visited: int | None = None
    ratio: Fraction | None = None
