"""Searches for all distinct solutions over lambda (Section 4), with the number of lambda values they visit.

A search calls a solver, a function of lambda (a Fraction in units of the losses) that returns an `Outcome` of
`treelib.dyadic.paper.recursion`. Four searches:

original
    All distinct ratios a / b with 1 <= b <= l_bound - 1 leaves more and a fewer errors, 1 <= a <= e_1 (or a
    among the reductions that are thought possible), from the largest down.
adaptive
    The same list, made anew after each new solution (e, l): a <= e and b <= l_bound - l.
heuristic
    The next lambda is the largest split ratio below the current lambda among the trees that the last run
    visited and did not choose; where there is none, the next value of the adaptive list. With the split ratio
    as printed in Definition 4, or with Lemma 4 corrected (`ratio` of the solver). A ratio need not be in the
    list: it is taken as it is, or stands for the largest value of the list that it does not fall below.
bisection
    Not in the paper. A solve at the slope between two known solutions either finds one between them or proves
    that there is none: at most 2 m - 2 solves for m solutions.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter

import numpy as np

from treelib.dyadic.paper.lambda_scan import largest_ratio, walk_list

# marks of a byte for each pair of an error reduction and a number of leaves, as long as there are no more
_MOST_MARKS = 8


@dataclass(frozen=True)
class LambdaSearch:
    """What a search found.

    solutions : tuple of (error, leaves), in the order of falling lambda
    n_lambda : int, number of lambda values visited
    trace : dict of equally long lists, one entry for each value visited: ``seconds`` of wall clock since the
        search began, ``lambda`` (Fraction), ``error`` and ``leaves`` of its solution, and ``n_visited``, the
        rectangles visited. Empty where it was not asked for.
    """

    solutions: tuple
    n_lambda: int
    trace: dict = field(default_factory=dict, compare=False)

    @property
    def visited(self):
        """The values visited, tuple of Fraction; empty where no trace was asked for."""
        return tuple(self.trace.get("lambda", ()))


class _Traced:
    """A solver that counts its calls, and notes what they found where `keep` is true."""

    def __init__(self, solve, keep):
        self.solve, self.n_lambda = solve, 0
        self.start = perf_counter()
        names = ("seconds", "lambda", "error", "leaves", "n_visited") if keep else ()
        self.trace = {name: [] for name in names}

    def __call__(self, price):
        found = self.solve(price)
        self.n_lambda += 1
        if self.trace:
            noted = perf_counter() - self.start, price, found.error, found.leaves, found.n_visited
            for column, value in zip(self.trace.values(), noted, strict=True):
                column.append(value)
        return found

    def found(self, solutions):
        """`LambdaSearch` of what the solves gave."""
        return LambdaSearch(tuple(solutions), self.n_lambda, self.trace)


def count_original(reductions, l_bound):
    """Length of the original list: distinct a / b with a among `reductions` and 1 <= b < `l_bound`.

    reductions : int, for all whole numbers up to it, or int array as of `partial_sums`
    """
    if np.ndim(reductions) == 0:
        reductions = np.arange(1, reductions + 1)
    b = np.arange(1, l_bound)
    divisor = np.gcd.outer(reductions, b)
    if len(reductions) == 0 or len(reductions) == reductions[-1]:
        return int((divisor == 1).sum())  # all whole numbers, so each ratio is there in lowest terms too
    # lowest terms, packed into one number
    packed = reductions[:, None] // divisor * np.int64(l_bound) + b // divisor
    if packed.size == 0 or packed.max() > _MOST_MARKS * packed.size:
        return len(np.unique(packed))
    # 0.2 s in place of 2 for the pairs of spambase
    marks = np.zeros(packed.max() + 1, dtype=bool)
    marks[packed] = True
    return int(marks.sum())


def search_original(solve, reductions, l_bound, keep=False):
    """Solve at every value of the original list.

    Parameters
    ----------
    solve : solver
    reductions : int or int array, possible error reductions: e_1 for all whole numbers up to it, or an
        ascending array as of `partial_sums`
    l_bound : int, bound on the leaves of all solutions
    keep : bool, keep the trace
    """
    return _descend(solve, reductions, l_bound, keep, adapt=False, use_ratio=False)


def search_adaptive(solve, reductions, l_bound, keep=False):
    """Solve at every value of the list that is made anew after each new solution; see `search_original`."""
    return _descend(solve, reductions, l_bound, keep, adapt=True, use_ratio=False)


def count_adaptive(path, ties, reductions, l_bound):
    """The adaptive search, counted along known solutions: equal to `search_adaptive`, without solving.

    Parameters
    ----------
    path : pairs (error, leaves), the solution sequence, all of it
    ties : pairs, one fewer: the solution found at the breakpoint between two of them, by the rule for ties
    reductions, l_bound : as in `search_original`

    Returns
    -------
    LambdaSearch, and int64 (e_1 + 1,): values visited by the whole number of errors, rounded up
    """
    if np.ndim(reductions) == 0:
        reductions = np.arange(1, reductions + 1)
    path = np.asarray(path, dtype=np.int64)
    ties = np.asarray(ties, dtype=np.int64).reshape(-1, 2)
    ceilings = np.zeros(path[0, 0] + 1, dtype=np.int64)
    found = np.zeros((2 * len(path), 2), dtype=np.int64)
    places = np.zeros(max(l_bound, 1) + 1, dtype=np.int64)
    rounds = np.zeros(2 << int(max(l_bound, 1)).bit_length(), dtype=np.int64)
    n = 1
    if len(reductions):
        n = walk_list(reductions, l_bound, path, ties, ceilings, found, places, rounds)
    solutions = tuple(map(tuple, found[:n].tolist())) if len(reductions) else ((0, 1),)
    return LambdaSearch(solutions, int(ceilings.sum())), ceilings


def search_heuristic(solve, reductions, l_bound, keep=False, on_list=False):
    """Jump to the largest split ratio below lambda; the adaptive list where there is none; see
    `search_original`.

    on_list : bool, a split ratio that the adaptive list has not got stands for the next value of the list
        below it, so that the search never visits more values than the list has
    """
    return _descend(solve, reductions, l_bound, keep, adapt=True, use_ratio=True, on_list=on_list)


def search_bisection(solve, error, l_bound, keep=False):
    """All solutions by at most 2 m - 2 solves for m of them.

    The first solution is the single leaf (Lemma 1). A price below 1 / l_bound gives the last one.

    Parameters
    ----------
    solve : solver whose ties take the larger tree (Definition 2)
    error : int, e_1, of the single leaf. l_bound, keep : as in `search_original`
    """
    solve = _Traced(solve, keep)
    if error == 0:
        return LambdaSearch(((0, 1),), 0, trace=solve.trace)

    def value(price):
        found = solve(price)
        return found.error, found.leaves

    first = error, 1
    solutions, stack = [first], [(first, value(Fraction(1, l_bound + 1)))]
    while stack:
        left, right = stack.pop()
        between = value(Fraction(left[0] - right[0], right[1] - left[1]))
        if between in (left, right):
            solutions.append(right)
        else:
            stack += [(between, right), (left, between)]
    return solve.found(solutions)


def partial_sums(losses):
    """Error reductions that the paper's original list seems to use: the losses of the rows that the single
    leaf gets wrong, sorted and summed up from the smallest. Int64, ascending.

    losses : int (n, K), the least of each row 0. With losses of one each row this is 1, 2, ..., e_1.
    """
    label = losses.sum(axis=0).argmin()
    return np.unique(np.cumsum(np.sort(losses[losses[:, label] > 0, label])))


def next_ratio(price, reductions, leaves):
    """Largest a / b below `price` with a in `reductions` (int64) and 1 <= b <= `leaves`, or None."""
    error, fewer = largest_ratio(reductions, leaves, price.numerator, price.denominator)
    return Fraction(int(error), int(fewer)) if error else None


def ratio_up_to(price, reductions, leaves):
    """Largest a / b up to `price`, itself included; otherwise as `next_ratio`."""
    # a / b above p / q is above it by 1 / (q leaves) at least
    p, q = price.numerator, price.denominator
    return next_ratio(Fraction(p * leaves + 1, q * leaves), reductions, leaves) if leaves > 0 else None


def _descend(solve, reductions, l_bound, keep, adapt, use_ratio, on_list=False):
    if np.ndim(reductions) == 0:
        reductions = np.arange(1, reductions + 1)
    left, leaves_left = reductions, l_bound - 1
    price = Fraction(int(reductions[-1])) if len(reductions) else None
    # Corollary 1 overlooks that a tree without error and two leaves ties with the single leaf at lambda =
    # e_1: the leaf is then a solution for larger lambda only, which is known without a solve (Lemma 1)
    solutions = [(int(reductions[-1]) if len(reductions) else 0, 1)]
    solve = _Traced(solve, keep)
    while price is not None:
        found = solve(price)
        if (found.error, found.leaves) != solutions[-1]:
            solutions.append((found.error, found.leaves))
            if adapt:
                left, leaves_left = reductions[reductions <= found.error], l_bound - found.leaves
        price = next_ratio(price, left, leaves_left)
        if use_ratio and price is not None and found.ratio is not None:
            price = ratio_up_to(found.ratio, left, leaves_left) if on_list else found.ratio
    return solve.found(solutions)
