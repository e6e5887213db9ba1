"""Naive twins of the born-again search: recursions over regions, written as the paper states them."""

from functools import cache
from itertools import product

import numpy as np


def splits(low, high):
    """((feature, level), lower part, upper part) of every split of a region, features ascending."""
    for j, (a, b) in enumerate(zip(low, high, strict=True)):
        for level in range(a, b):
            yield (
                (j, level),
                (low, (*high[:j], level, *high[j + 1 :])),
                ((*low[:j], level + 1, *low[j + 1 :]), high),
            )


class Regions:
    """All values of the regions of a grid of cells (an array of classes, one axis a feature)."""

    def __init__(self, classes):
        self.classes = np.asarray(classes)
        self.whole = (0,) * self.classes.ndim, tuple(n - 1 for n in self.classes.shape)
        self.depth = cache(self._depth)
        self.leaves = cache(self._leaves)
        self.leaves_within = cache(self._leaves_within)
        self.depth_splits = cache(self._depth_splits)
        self.printed_depth_splits = cache(self._printed_depth_splits)

    def is_pure(self, low, high):
        """Whether all cells of a region have one class."""
        part = self.classes[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))]
        return (part == part.flat[0]).all()

    def _depth(self, low, high):
        if self.is_pure(low, high):
            return 0
        return min(1 + max(self.depth(*below), self.depth(*above)) for _, below, above in splits(low, high))

    def _leaves(self, low, high):
        if self.is_pure(low, high):
            return 1
        return min(self.leaves(*below) + self.leaves(*above) for _, below, above in splits(low, high))

    def _leaves_within(self, low, high, depth):
        """Least number of leaves of a tree of at most this depth; inf where there is none."""
        if self.is_pure(low, high):
            return 1
        if depth == 0:
            return np.inf
        return min(
            self.leaves_within(*below, depth - 1) + self.leaves_within(*above, depth - 1)
            for _, below, above in splits(low, high)
        )

    def depth_leaves(self):
        """(depth, leaves) of the best tree, depth first."""
        depth = self.depth(*self.whole)
        return depth, self.leaves_within(*self.whole, depth)

    def _depth_splits(self, low, high):
        """Least (depth, splits) where every part keeps its own least one, also where it could be deeper."""
        if self.is_pure(low, high):
            return 0, 0
        return min(
            _joined(self.depth_splits(*below), self.depth_splits(*above))
            for _, below, above in splits(low, high)
        )

    def _printed_depth_splits(self, low, high):
        """The same by Algorithm 3, which stops at a lower bound that does not hold for splits."""
        if low == high:
            return 0, 0
        upper, lower = (np.inf, 0), (0, 0)
        for _, below, above in splits(low, high):
            if not lower < upper:
                break
            left, right = self.printed_depth_splits(*below), self.printed_depth_splits(*above)
            if left == right == (0, 0):
                return (0, 0) if self.classes[low] == self.classes[high] else (1, 1)
            upper = min(upper, _joined(left, right))
            lower = max(lower, left, right)
        return upper


def _joined(left, right):
    """(depth, splits) of a split over two parts."""
    return 1 + max(left[0], right[0]), 1 + left[1] + right[1]


def cell_points(levels):
    """The largest point of every cell, (n_cells, n_features), last feature fastest."""
    return np.array(list(product(*([*cuts, np.inf] for cuts in levels))))


def vote(trees, weights, row):
    """Class of most votes at a point, ties to the smaller class; weights must be exact in float64."""
    votes = {}
    for tree, weight in zip(trees, weights, strict=True):
        label = int(tree.predict(np.array([row]))[0])
        votes[label] = votes.get(label, 0) + weight
    return min(votes, key=lambda label: (-votes[label], label))
