"""Dyadic trees by the book: all of them, and Procedure 1 word for word. For tiny grids only."""

from fractions import Fraction
from functools import cache


def problem(codes, losses, n_splits):
    """Functions of a rectangle, a tuple of (level, interval number) for each coordinate."""
    codes = [tuple(map(int, row)) for row in codes]
    losses = [tuple(map(int, row)) for row in losses]
    n_splits = tuple(map(int, n_splits))

    def rows(rectangle):
        return [
            at
            for at, code in enumerate(codes)
            if all(c >> (k - lv) == j for c, k, (lv, j) in zip(code, n_splits, rectangle, strict=True))
        ]

    def leaf_error(rectangle):
        inside = rows(rectangle)
        return min(sum(losses[at][label] for at in inside) for label in range(len(losses[0])))

    def halves(rectangle, i):
        level, j = rectangle[i]
        return tuple((*rectangle[:i], (level + 1, 2 * j + side), *rectangle[i + 1 :]) for side in (0, 1))

    def splits(rectangle):
        return [i for i, (level, _) in enumerate(rectangle) if level < n_splits[i]]

    root = tuple((0, 0) for _ in n_splits)
    return root, rows, leaf_error, halves, splits


def all_values(codes, losses, n_splits):
    """(error, leaves) of every dyadic tree, a set. Empty rectangles are leaves, as in Procedure 1."""
    root, rows, leaf_error, halves, splits = problem(codes, losses, n_splits)

    @cache
    def values(rectangle):
        if not rows(rectangle):
            return {(0, 1)}
        found = {(leaf_error(rectangle), 1)}
        for i in splits(rectangle):
            left, right = halves(rectangle, i)
            found |= {(e + f, m + n) for e, m in values(left) for f, n in values(right)}
        return found

    return values(root)


def solution_sequence(values):
    """Definition 3: distinct (error, leaves) as lambda falls, the largest tree among those of least risk.

    values : set of (error, leaves). Every breakpoint is a ratio of differences; between two of them, and at
    them, the minimiser is taken by looking at all trees.
    """
    prices = {Fraction(e - f, n - m) for e, m in values for f, n in values if n > m and e > f}
    ordered = sorted(prices, reverse=True)
    probes = [max(ordered, default=Fraction(1)) + 1]
    for price, following in zip(ordered, [*ordered, Fraction(0)][1:], strict=True):
        probes += [price, (price + following) / 2]
    sequence = []
    for price in probes:
        best = min(e + price * m for e, m in values)
        leaves, error = max((m, e) for e, m in values if e + price * m == best)
        if not sequence or sequence[-1] != (error, leaves):
            sequence.append((error, leaves))
    return sequence


def procedure_1(codes, losses, n_splits, price, prune, store_empty=False):
    """Procedure 1 with a memory, word for word: (error, leaves, rectangles stored)."""
    root, rows, leaf_error, halves, splits = problem(codes, losses, n_splits)
    memory = {}

    def design(rectangle):
        if not rows(rectangle):
            if store_empty:
                memory[rectangle] = 0, 1
            return 0, 1
        if rectangle in memory:
            return memory[rectangle]
        best = leaf_error(rectangle), 1
        if not (prune and best[0] < price):
            for i in splits(rectangle):
                left, right = (design(half) for half in halves(rectangle, i))
                pair = left[0] + right[0], left[1] + right[1]
                if pair[0] + price * pair[1] < best[0] + price * best[1]:
                    best = pair
        memory[rectangle] = best
        return best

    return *design(root), len(memory)
