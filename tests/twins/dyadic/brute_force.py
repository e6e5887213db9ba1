"""Dyadic trees by brute force: every (leaves, loss) that a tree on a tiny grid can reach, in fractions."""

from fractions import Fraction
from functools import cache
from itertools import pairwise


def reachable(codes, losses, n_splits, free_empty=False):
    """All pairs (leaves, loss) of dyadic trees over the whole box.

    codes : (m, d) ints, finest cells; losses : (m, K) numbers; n_splits : d ints.
    """
    rows = [tuple(map(int, row)) for row in codes]
    losses = [[Fraction(loss) for loss in row] for row in losses.tolist()]

    @cache
    def trees(rectangle):
        """rectangle : for each feature the level and number of its interval."""
        inside = [
            r
            for r, row in enumerate(rows)
            if all(
                code >> (k - level) == number
                for code, k, (level, number) in zip(row, n_splits, rectangle, strict=True)
            )
        ]
        if inside:
            found = {(1, min(sum(label) for label in zip(*(losses[r] for r in inside), strict=True)))}
        else:
            found = {(0 if free_empty else 1, Fraction(0))}
            return found
        for i, (level, number) in enumerate(rectangle):
            if level < n_splits[i]:
                left, right = (
                    (*rectangle[:i], (level + 1, 2 * number + side), *rectangle[i + 1 :]) for side in (0, 1)
                )
                found |= {(a + c, b + d) for a, b in trees(left) for c, d in trees(right)}
        # of trees with equally many leaves only the best can be a solution; this keeps the sets small
        return {min(point for point in found if point[0] == leaves) for leaves in {p[0] for p in found}}

    return trees(tuple((0, 0) for _ in n_splits))


def solution_values(points):
    """Distinct (leaves, loss) as the price falls from infinity towards 0 (Definitions 2 and 3).

    At every price where two points are worth the same, and between all neighbouring such prices, the
    minimiser with the most leaves is taken.
    """
    prices = sorted(
        {(b - d) / (c - a) for a, b in points for c, d in points if a < c and b > d}, reverse=True
    )
    if not prices:
        return [min(points, key=lambda point: (point[1], point[0]))]
    between = [prices[0] + 1, *((p + q) / 2 for p, q in pairwise(prices)), prices[-1] / 2]
    values = []
    for price in sorted([*prices, *between], reverse=True):
        best = min(points, key=lambda point: (point[1] + price * point[0], -point[0]))
        if not values or values[-1] != best:
            values.append(best)
    return values
