"""Exact search for a cell where two ensembles on the same trees have different classes.

Branch and bound on boxes of cells. For a pair of classes (a, b), a cell where the first ensemble says a and
the second b has ``first[a] - first[b] >= 0`` and ``second[b] - second[a] >= 0``, so any sum of the two with
positive multipliers is not negative. The largest value of such a sum on a box is at most the sum over the
trees of the largest that each alone can reach there. The second ensemble is the first with other weights:
with the right multiplier the scores of most trees cancel, which neither inequality alone can show. A box is
done when for every pair one of a few multipliers rules it out; else it is cut at a threshold that its trees
ask for.
"""

from typing import NamedTuple

import numpy as np

from treelib.bornagain.regions.levels import LevelForest, vote
from treelib.compiled.jit import kernel

N_BOXES, N_OPEN, N_FOUND = range(3)
_STEP_VISITS = 2_000_000  # nodes of trees looked at between two looks at the clock: about 20 ms


class Two(NamedTuple):
    """Two ensembles on the same trees; `first`, `second` : LevelForest, the second with int64 votes.

    `gap` float64 (n_nodes, n_classes) scores of the first and `other` those of the second, as the bounds take
    them; `by_first`, `by_second` float64 (m,) multipliers; `least` float64 (m, 2) a sum below it rules a
    pair out, for pairs (a, b) with a < b and a > b.
    """

    first: LevelForest
    second: LevelForest
    gap: np.ndarray
    other: np.ndarray
    by_first: np.ndarray
    by_second: np.ndarray
    least: np.ndarray


class Boxes(NamedTuple):
    """Stack of boxes and scratch space.

    `low`, `high` int64 (capacity, p); `found` int64 (n, p) cells where the two differ; `counts` int64 (3,)
    boxes looked at, boxes open, cells found; `sums` float64 (m, n_classes, n_classes); `score` float64 (p,
    most levels); `stack`, `cuts` int64 (n_nodes + 1,); `leaves` int64 (n_nodes + 1,).
    """

    low: np.ndarray
    high: np.ndarray
    found: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    score: np.ndarray
    stack: np.ndarray
    cuts: np.ndarray
    leaves: np.ndarray


class Separation:
    """Search for cells where the class of `space` and that of other votes on its trees differ.

    Parameters
    ----------
    space : Space
    votes : int64 (n_nodes, n_classes), of the second ensemble
    n_found : int, cells to find before the search pauses

    Attributes
    ----------
    n_boxes : int
    """

    def __init__(self, space, votes, n_found=20):
        self.space = space
        n_nodes, n_classes = votes.shape
        second = space.with_votes(votes)
        by_first, by_second, least = _multipliers(space, votes)
        self.two = Two(
            space.forest, second, space.votes, votes.astype(np.float64), by_first, by_second, least
        )
        p = len(space.n_levels)
        capacity = int(space.n_levels.sum()) + 2
        self.boxes = Boxes(
            low=np.zeros((capacity, p), dtype=np.int64),
            high=np.zeros((capacity, p), dtype=np.int64),
            found=np.zeros((n_found, p), dtype=np.int64),
            counts=np.array([0, 1, 0], dtype=np.int64),
            sums=np.zeros((len(by_first), n_classes, n_classes)),
            score=np.zeros((p, int(space.n_levels.max(initial=0)) + 1)),
            stack=np.zeros(n_nodes + 1, dtype=np.int64),
            cuts=np.zeros(n_nodes + 1, dtype=np.int64),
            leaves=np.zeros(n_nodes + 1, dtype=np.int64),
        )
        self.boxes.high[0] = space.n_levels

    @property
    def n_boxes(self):
        return int(self.boxes.counts[N_BOXES])

    def run(self, budget, max_boxes=None):
        """Go on until cells are found, no box is left, or a limit comes.

        Returns
        -------
        cells : int64 (n, p), where the classes differ
        is_whole : bool, no box is left: with no cell ever found, the two are the same everywhere
        """
        counts = self.boxes.counts
        counts[N_FOUND] = 0
        step = max(20, _STEP_VISITS // (4 * self.space.n_roots))
        last = np.inf if max_boxes is None else self.n_boxes + max_boxes
        while counts[N_OPEN] and counts[N_FOUND] < len(self.boxes.found):
            if self.n_boxes >= last or budget.exceeded():
                break
            differ(self.two, self.boxes, step)
        return self.boxes.found[: counts[N_FOUND]].copy(), bool(counts[N_OPEN] == 0)


def _multipliers(space, votes):
    """Multipliers of the two inequalities, and what their sum must reach."""
    new = votes.astype(np.float64)
    first = space.forest.first
    size_old, size_new = space.size, np.zeros(space.n_roots)
    leaf = space.forest.feature < 0
    for k in range(space.n_roots):
        here = slice(first[k], first[k + 1])
        size_new[k] = np.abs(new[here][leaf[here]]).max()
    # sum over the trees of |1 - r * weight| * size is least at a weighted median of 1 / weight
    weight = np.divide(size_new, size_old, out=np.zeros(space.n_roots), where=size_old > 0)
    kept = np.flatnonzero(weight > 0)
    order = kept[np.argsort(1 / weight[kept], kind="stable")]
    if len(order):
        at = np.searchsorted(np.cumsum(size_new[order]), size_new[order].sum() / 2)
        middle = 1 / weight[order[min(at, len(order) - 1)]]
        all_of = size_old.sum() / max(size_new.sum(), 1e-300)
    else:
        middle = all_of = 1.0
    by_second = np.array([0.0, middle / 2, middle, all_of, 2 * all_of, all_of])
    by_first = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    # rounding of the first ensemble's own sums, and of the sums of bounds
    kind = space.forest.votes.dtype.kind
    slack = by_first * (float(space.ensemble.tolerance) + 1e-12 * size_old.sum())
    slack += by_second * 1e-12 * size_new.sum()
    # ties go to the smaller class: the class that is larger must have more
    unit = 1.0 if kind == "i" else 0.0
    below = by_second * 1.0 - slack  # a < b: the second ensemble needs one more for b
    above = by_first * unit - slack
    return by_first, by_second, np.stack([below, above], axis=1)


@kernel
def differ(two, boxes, max_boxes):
    """Look at up to `max_boxes` boxes, or until `found` is full; see `Separation`."""
    first = two.first
    counts = boxes.counts
    p = boxes.low.shape[1]
    n_trees = len(first.first) - 1
    old, new = np.zeros_like(first.votes[0]), np.zeros_like(two.second.votes[0])
    for _ in range(max_boxes):
        if counts[N_OPEN] == 0 or counts[N_FOUND] == len(boxes.found):
            return
        counts[N_BOXES] += 1
        at = counts[N_OPEN] - 1
        low, high = boxes.low[at], boxes.high[at]
        for j in range(p):
            for level in range(low[j], high[j]):
                boxes.score[j, level] = 0.0
        boxes.sums[:] = 0.0
        for tree in range(n_trees):
            _reach(two, boxes, tree)
        if not _is_alive(two, boxes):
            counts[N_OPEN] = at
            continue
        label = vote(first, first.first, boxes.low, at, old)
        if label != vote(two.second, first.first, boxes.low, at, new):
            boxes.found[counts[N_FOUND]] = low
            counts[N_FOUND] += 1
            counts[N_OPEN] = at
            continue
        best, feature, cut = 0.0, -1, 0
        for j in range(p):
            for level in range(low[j], high[j]):
                if boxes.score[j, level] > best:
                    best, feature, cut = boxes.score[j, level], j, level
        if feature < 0:  # no tree cuts the box: its lowest cell, just looked at, stands for all
            counts[N_OPEN] = at
            continue
        for j in range(p):
            boxes.low[at + 1, j], boxes.high[at + 1, j] = low[j], high[j]
        high[feature] = cut
        boxes.low[at + 1, feature] = cut + 1
        counts[N_OPEN] = at + 2


@kernel(allocates=False, inner=True)
def _reach(two, boxes, tree):
    """Add to `sums` the most that the leaves of a tree inside the top box reach, and score its cuts."""
    first = two.first
    at = boxes.counts[N_OPEN] - 1
    low, high = boxes.low[at], boxes.high[at]
    n_classes, n_sums = two.gap.shape[1], len(two.by_first)
    boxes.stack[0] = first.first[tree]
    size, n_cuts, n_leaves = 1, 0, 0
    while size > 0:
        size -= 1
        node = boxes.stack[size]
        j = first.feature[node]
        if j < 0:
            boxes.leaves[n_leaves] = node
            n_leaves += 1
            continue
        level = first.level[node]
        goes_left, goes_right = low[j] <= level, high[j] > level
        if goes_left and goes_right:
            boxes.cuts[n_cuts] = node
            n_cuts += 1
        if goes_right:
            boxes.stack[size] = first.right[node]
            size += 1
        if goes_left:
            boxes.stack[size] = node + 1
            size += 1
    spread = 0.0
    for a in range(n_classes):
        for b in range(n_classes):
            if a == b:
                continue
            for m in range(n_sums):
                most, least = -np.inf, np.inf
                for i in range(n_leaves):
                    node = boxes.leaves[i]
                    value = two.by_first[m] * (two.gap[node, a] - two.gap[node, b])
                    value += two.by_second[m] * (two.other[node, b] - two.other[node, a])
                    most, least = max(most, value), min(least, value)
                boxes.sums[m, a, b] += most
                spread += most - least
    # the first cut that is met in a tree settles most; deeper ones may fall away with it
    for i in range(n_cuts):
        node = boxes.cuts[i]
        boxes.score[first.feature[node], first.level[node]] += spread if i == 0 else 0.5 * spread


@kernel(allocates=False, inner=True)
def _is_alive(two, boxes):
    """Whether some pair of classes is ruled out by no multiplier."""
    n_sums, n_classes = boxes.sums.shape[0], boxes.sums.shape[1]
    for a in range(n_classes):
        for b in range(n_classes):
            if a == b:
                continue
            is_out = False
            for m in range(n_sums):
                if boxes.sums[m, a, b] < two.least[m, 0 if a < b else 1]:
                    is_out = True
                    break
            if not is_out:
                return True
    return False
