"""An ensemble on levels, and cells of it that are worth looking at."""

from itertools import pairwise

import numpy as np

from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.proof.certificate import points_of
from treelib.bornagain.regions.levels import classes_at, level_forest, vote
from treelib.compiled.jit import kernel
from treelib.compiled.splitmix import next_random
from treelib.table.checks import go_on

_HALF = np.uint64(32)
_STEP_VISITS = 2_000_000  # nodes of trees looked at between two looks at the clock: about 20 ms


class Space:
    """The cells of an ensemble and the scores of its trees there.

    Parameters
    ----------
    ensemble : Ensemble
    check : callable without arguments, asked now and then while many cells are looked at

    Attributes
    ----------
    levels : tuple of float64 arrays, thresholds of each feature. n_levels : int64 (p,), their numbers
    forest : LevelForest; the first root of a boosted model is a leaf, its base score
    n_free : int, roots that are no trees and cost nothing (0 or 1)
    votes : float64 (n_nodes, n_classes), scores of the nodes
    size : float64 (n_roots,), largest size of a score of each root, at least the least number
    """

    def __init__(self, ensemble, check=go_on):
        self.ensemble = ensemble
        self._check = check
        self.levels = thresholds(ensemble)
        self.n_levels = np.array([len(cuts) for cuts in self.levels], dtype=np.int64)
        self.forest = level_forest(ensemble, self.levels)
        self.n_roots = len(self.forest.first) - 1
        self.n_free = self.n_roots - ensemble.n_trees
        self.votes = self.forest.votes.astype(np.float64)
        leaf = self.forest.feature < 0
        sizes = np.where(leaf[:, None], np.abs(self.votes), 0.0).max(axis=1)
        self.size = np.array([sizes[a:b].max() for a, b in pairwise(self.forest.first)])
        self.used = self.size > 1e-100 * self.size.max()  # a root that adds nothing is no help
        self._most_visits = sum(tree.max_depth + 1 for tree in ensemble.trees)  # nodes above a cell

    @property
    def n_classes(self):
        return self.votes.shape[1]

    def sample(self, n, seed, X=None):
        """About `n` cells, int64 (n, p): rows of `X` where given, uniform ones, and both mixed."""
        rng = np.random.default_rng(seed)
        cells = rng.integers(0, self.n_levels + 1, size=(n, len(self.n_levels)))
        if X is not None and len(X):
            X = np.asarray(X, dtype=np.float64)
            own = np.stack(
                [np.searchsorted(cuts, column) for cuts, column in zip(self.levels, X.T, strict=True)], axis=1
            )
            rows = rng.integers(len(own), size=(n, len(self.n_levels)))
            mixed = own[rows, np.arange(len(self.n_levels))]
            cells = np.concatenate([own[:n], mixed, cells[: n // 2]])
        return np.ascontiguousarray(np.unique(cells, axis=0), dtype=np.int64)

    def classes(self, cells, forest=None):
        """Class index of each cell, int64 (n,); `forest` : LevelForest with other votes."""
        forest = self.forest if forest is None else forest
        return self._in_steps(cells, lambda part: classes_at(forest, part), np.empty(len(cells), np.int64))

    def leaves(self, cells):
        """Leaf of each root at each cell, int64 (n, n_roots)."""
        leaves = np.empty((len(cells), self.n_roots), dtype=np.int64)
        return self._in_steps(cells, lambda part: leaves_at(self.forest, part), leaves)

    def with_votes(self, votes):
        """`forest` with other votes, int64 (n_nodes, n_classes)."""
        return self.forest._replace(votes=votes, divisor=np.ones(1))

    def points(self, cells):
        """A point of each cell, float64 (n, p)."""
        return points_of(cells, self.levels)

    def neighbours(self, cells, classes, n, seed):
        """Up to `n` pairs of cells of different class that one threshold parts.

        Returns
        -------
        first, second : int64 (m, p)
        """
        if len(np.unique(classes)) < 2:
            return cells[:0], cells[:0]
        p, state = cells.shape[1], np.array([seed], dtype=np.uint64)
        both = np.empty((n, 2 * p), dtype=np.int64)
        for here in self._steps(n, p + int(self.n_levels.max()).bit_length()):
            pairs = find_pairs(self.forest, cells, classes, here.stop - here.start, state)
            both[here] = np.concatenate(pairs, axis=1)
        both = np.unique(both, axis=0)
        return np.ascontiguousarray(both[:, :p]), np.ascontiguousarray(both[:, p:])

    def crossings(self, cells, most):
        """Pairs of cells of different class that one threshold parts, on all lines along a feature.

        Parameters
        ----------
        cells : int64 (n, p), the lines pass through these
        most : int, pairs of each threshold

        Returns
        -------
        first, second : int64 (m, p)
        """
        counts = np.zeros((len(self.n_levels), int(self.n_levels.max(initial=0)) + 1), dtype=np.int64)
        room = int(min(most * self.n_levels.sum(), len(cells) * self.n_levels.sum()))
        first = np.empty((room, len(self.n_levels)), dtype=np.int64)
        second = np.empty_like(first)
        n = 0
        for here in self._steps(len(cells), self._cells_on_lines):
            some = cells[here], self.n_levels, counts, most
            n += find_crossings(self.forest, *some, first[n:], second[n:])
        return first[:n], second[:n]

    def differences(self, votes, cells):
        """Cells where other votes give another class, one a row of `cells` at most: on its lines along a
        feature.

        votes : int64 (n_nodes, n_classes). cells : int64 (n, p)
        """
        other, found = self.with_votes(votes), cells.copy()
        is_found = np.empty(len(cells), dtype=bool)
        for here in self._steps(len(cells), 2 * self._cells_on_lines):
            is_found[here] = find_differences(self.forest, other, found[here], self.n_levels)
        return found[is_found]

    @property
    def _cells_on_lines(self):
        """Cells on the lines along all features that pass through a cell."""
        return int(self.n_levels.sum()) + len(self.n_levels)

    def _steps(self, n, votes=1):
        """Slices of `n` items, so many as are soon done; `votes` : int, cells that are looked at for each."""
        step = max(1, _STEP_VISITS // (votes * self._most_visits))
        for start in range(0, n, step):
            self._check()
            yield slice(start, min(n, start + step))

    def _in_steps(self, cells, kernel, found):
        """`found`, filled with what `kernel` makes of `cells`, in steps."""
        for here in self._steps(len(cells)):
            found[here] = kernel(cells[here])
        return found


@kernel
def leaves_at(forest, cells):
    """Leaf of every tree at every cell, int64 (n, n_trees)."""
    n_trees = len(forest.first) - 1
    leaves = np.empty((len(cells), n_trees), dtype=np.int64)
    for row in range(len(cells)):
        for tree in range(n_trees):
            node = forest.first[tree]
            while forest.feature[node] >= 0:
                goes_left = cells[row, forest.feature[node]] <= forest.level[node]
                node = node + 1 if goes_left else forest.right[node]
            leaves[row, tree] = node
    return leaves


@kernel
def find_pairs(forest, cells, classes, n, state):
    """Pairs of neighbouring cells of different class, on the way from one cell to another.

    The features of a cell are changed one by one, from a random feature on, to those of a cell of another
    class. Where the class changes, the level at which it does is found by bisection.

    Parameters
    ----------
    cells, classes : int64 (m, p) and (m,), of at least two classes. n : int, pairs wanted
    state : uint64 (1,), of the random numbers

    Returns
    -------
    first, second : int64 (n, p)
    """
    m, p = cells.shape
    first = np.empty((n, p), dtype=np.int64)
    second = np.empty((n, p), dtype=np.int64)
    cell = np.empty((1, p), dtype=np.int64)
    votes = np.zeros_like(forest.votes[0])
    entry = forest.first
    n_found = 0
    while n_found < n:
        start = np.int64(((next_random(state) >> _HALF) * np.uint64(m)) >> _HALF)
        end = np.int64(((next_random(state) >> _HALF) * np.uint64(m)) >> _HALF)
        if classes[start] == classes[end]:
            continue
        shift = np.int64(((next_random(state) >> _HALF) * np.uint64(p)) >> _HALF)
        cell[0] = cells[start]
        for step in range(p):
            j = (step + shift) % p
            low, high = cell[0, j], cells[end, j]
            cell[0, j] = high
            if vote(forest, entry, cell, 0, votes) == classes[start]:
                continue
            while abs(high - low) > 1:
                middle = (low + high) // 2
                cell[0, j] = middle
                if vote(forest, entry, cell, 0, votes) == classes[start]:
                    low = middle
                else:
                    high = middle
            cell[0, j] = low
            first[n_found] = cell[0]
            cell[0, j] = high
            second[n_found] = cell[0]
            n_found += 1
            break
    return first, second


@kernel
def find_crossings(forest, cells, n_levels, counts, most, first, second):
    """Pairs of `Space.crossings`, written to `first` and `second`; their number.

    counts : int64 (p, most levels), pairs of each threshold so far
    """
    p = cells.shape[1]
    cell = np.empty((1, p), dtype=np.int64)
    votes = np.zeros_like(forest.votes[0])
    n = 0
    for row in range(len(cells)):
        cell[0] = cells[row]
        for j in range(p):
            last = -1
            for level in range(n_levels[j] + 1):
                cell[0, j] = level
                label = vote(forest, forest.first, cell, 0, votes)
                if level > 0 and label != last and counts[j, level - 1] < most:
                    counts[j, level - 1] += 1
                    second[n] = cell[0]
                    first[n] = cell[0]
                    first[n, j] = level - 1
                    n += 1
                last = label
            cell[0, j] = cells[row, j]
    return n


@kernel
def find_differences(forest, other, cells, n_levels):
    """Rows on whose lines two forests differ, bool (n,); the rows of `cells` are moved there.

    other : LevelForest on the same trees
    """
    n, p = cells.shape
    is_found = np.zeros(n, dtype=np.bool_)
    old, new = np.zeros_like(forest.votes[0]), np.zeros_like(other.votes[0])
    for row in range(n):
        for j in range(p):
            here = cells[row, j]
            for level in range(n_levels[j] + 1):
                cells[row, j] = level
                if vote(forest, forest.first, cells, row, old) != vote(other, forest.first, cells, row, new):
                    is_found[row] = True
                    break
            if is_found[row]:
                break
            cells[row, j] = here
    return is_found
