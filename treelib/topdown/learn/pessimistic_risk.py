"""Exact empirical risk of pessimistic pruning: both of its parameters, over a plane.

Bottom-up pessimistic pruning (Theorem 4.2) makes a node a leaf if ``c1^2 (t_h ln a + c2) >= n_h d^2``, where
``d`` is the error rate that the split saves, ``t_h`` the leaves below and ``a`` the number of features; if d
is not positive, always. In the coordinates ``v = 1 / (c1^2 ln a)`` and ``s = c2 / ln a`` that is
``s >= m v - t_h`` with the rational number ``m = n_h d^2``: the curves of degree 3 of the paper are straight
lines, so the plane falls into convex polygons with rational corners, found here without any rounding.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, Stopped, asking, status_of, warn_stopped
from treelib.table.checks import exact
from treelib.topdown.learn.pruning_risk import PruningInstance
from treelib.topdown.prune.sequence import node_counts, wrong_counts

_NODES_OF_A_STEP = 256  # between two looks at the clock, some milliseconds

# of a division of the plane (measured): of a node's tests, of a curve, of each subtree that a waiting part
# knows; of a cell, of each corner and each pruned node of it
_TEST_BYTES, _CURVE_BYTES, _WAITING_BYTES = 250, 300, 200
_CELL_BYTES, _CORNER_BYTES, _PRUNED_BYTES = 200, 150, 40


class Cell(NamedTuple):
    """A convex part of the plane on which the pruning of every instance is constant.

    Attributes
    ----------
    corners : tuple of (v, s)
        Corners as fractions, counter-clockwise.
    pruned : tuple of tuples
        For each instance the topmost nodes that became leaves.
    loss : float
        Mean loss over the instances.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pessimistic_risk import pessimistic_loss
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> cell = pessimistic_loss(instance).cell(c1=1.0, c2=0.0)
    >>> round(float(cell.loss), 3), len(cell.corners) > 2
    (0.053, True)
    """

    corners: tuple
    pruned: tuple
    loss: float

    @property
    def area(self):
        """Exact area in (v, s), a Fraction."""
        turned = (*self.corners[1:], self.corners[0])
        pairs = zip(self.corners, turned, strict=True)
        return sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), Fraction(0)) / 2

    @property
    def centre(self):
        """Mean of the corners (v, s), an interior point."""
        n = len(self.corners)
        return sum(v for v, _ in self.corners) / n, sum(s for _, s in self.corners) / n


@dataclass(frozen=True, eq=False)
class PessimisticLoss:
    """Mean loss over instances as an exact function of (c1, c2), constant on cells.

    Attributes
    ----------
    cells : list of Cell
    scale : float
        ``ln a``, or 1 for a single feature.
    n_curves : int
        Number of distinct curves of all instances that divide the plane.
    status : "optimal", or the limit that stopped the search
        The cells then cover a part of the plane.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pessimistic_risk import pessimistic_loss
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> found = pessimistic_loss(instance)
    >>> round(float(found(c1=1.0, c2=0.0)), 3), found.status
    (0.053, 'optimal')
    """

    cells: list
    scale: float
    n_curves: int
    status: str

    @property
    def n_prunings(self):
        """Number of distinct prunings of all instances: the paper's pieces, if each is connected."""
        return len({cell.pruned for cell in self.cells})

    @property
    def minimum(self):
        """Minimum loss over the cells; infinite if there are none."""
        return min((cell.loss for cell in self.cells), default=np.inf)

    def minimisers(self):
        """Cells of minimum loss.

        Returns
        -------
        list of Cell
            All of them.
        """
        return [cell for cell in self.cells if cell.loss == self.minimum]

    @property
    def best(self):
        """(c1, c2), the centre of the largest cell of minimum loss."""
        if not self.cells:
            raise ValueError(f"No cell was done ({self.status}); give the search a higher limit.")
        return self.point(*max(self.minimisers(), key=lambda cell: cell.area).centre)

    def point(self, v, s):
        """The constants (c1, c2) of a point in the coordinates of the cells.

        Parameters
        ----------
        v, s : Fraction or float
            The coordinates.

        Returns
        -------
        float, float
            The constants c1 and c2.
        """
        return 1 / sqrt(v * self.scale), float(s) * self.scale

    def cell(self, c1, c2):
        """The cell that contains a point.

        Parameters
        ----------
        c1, c2 : float
            The point.

        Returns
        -------
        Cell or None
            On a border, one of the adjacent cells; None outside.
        """
        v, s = 1 / (exact(c1) ** 2 * Fraction(self.scale)), exact(c2) / Fraction(self.scale)
        for cell in self.cells:
            turned = (*cell.corners[1:], cell.corners[0])
            if all(
                (b[0] - a[0]) * (s - a[1]) >= (b[1] - a[1]) * (v - a[0])
                for a, b in zip(cell.corners, turned, strict=True)
            ):
                return cell
        return None

    def __call__(self, c1, c2):
        """Loss at (c1, c2); NaN outside."""
        cell = self.cell(c1, c2)
        return np.nan if cell is None else cell.loss


def pessimistic_loss(instances, c1=(0.05, 5.0), c2=(0.0, 20.0), *, n_attributes=None, budget=None):
    """Loss of bottom-up pessimistic pruning over a rectangle of (c1, c2), exactly (Theorem 4.2).

    Parameters
    ----------
    instances : PruningInstance, or sequence of them
        The trees and the data; `y` are class indices.
    c1, c2 : (low, high)
        Ends of the rectangle; positive for c1, at least 0 for c2.
    n_attributes : int
        Default: the number of features, which must be the same for all instances.
    budget : Budget or None
        Limits of the search. Its nodes are parts of the plane. The memory limit applies to the pruning
        conditions of the trees, some 250 bytes per node, and to cells and waiting parts.

    Returns
    -------
    PessimisticLoss
        The loss. The condition of a node depends on what was pruned below it, so one node can have several
        curves: `n_curves` may exceed the number of nodes, the count given by Theorem 4.2.

    Warns
    -----
    ConvergenceWarning
        If a limit stopped the search; the cells are exact on the part of the plane they cover, which is empty
        if not even the first was finished.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pessimistic_risk import pessimistic_loss
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> found = pessimistic_loss(instance)
    >>> len(found.cells), round(float(found.minimum), 3)
    (5, 0.04)
    """
    instances = [instances] if isinstance(instances, PruningInstance) else list(instances)
    features = (
        {instance.tree.n_features for instance in instances} if n_attributes is None else {n_attributes}
    )
    if len(features) != 1 or min(features) < 1:
        raise ValueError(f"All instances need the same number of features, at least 1; they have {features}.")
    if not (0 < c1[0] < c1[1] < np.inf and 0 <= c2[0] < c2[1] < np.inf):
        raise ValueError(f"c1={c1} and c2={c2} must be increasing and finite, c1 positive, c2 at least 0.")
    (n_features,) = features
    scale = log(n_features) if n_features > 1 else 1.0
    plane = Cell(_rectangle(c1, c2, scale), (), 0.0)
    search, status = _PlaneSearch(plane, Budget() if budget is None else budget), OPTIMAL
    try:
        search.run([_NodeTests(instance, int(n_features > 1), search) for instance in instances])
    except (Stopped, KeyboardInterrupt) as stop:
        if not search.cells and isinstance(stop, KeyboardInterrupt):
            raise
        status = status_of(stop)
    search.show(last=True)
    if status != OPTIMAL:
        warn_stopped(f"The search stopped before the plane was covered ({status}).")
    return PessimisticLoss(search.cells, scale, len(search.curves), status)


class _PlaneSearch:
    """A plane that is divided depth first: the cells so far, and what the search holds.

    cells : list of Cell. curves : set of the lines (instance, m, t) that divide some part
    n_bytes : int, about what cells, tests and waiting parts take
    """

    def __init__(self, plane, budget):
        self.plane, self.budget = plane, budget
        self.cells, self.curves, self.n_parts, self.n_bytes, self.covered = [], set(), 0, 0, Fraction(0)

    def check(self):
        """Raise `Stopped` where a limit is met."""
        stopped = self.budget.exceeded(self.n_parts, self.n_bytes + _CURVE_BYTES * len(self.curves))
        if stopped:
            raise Stopped(stopped)

    def run(self, steps):
        """Divide the plane by all tests of the first instance, what it falls into by those of the second, ...

        steps : list of _Tests, one for each instance
        """
        levels = [iter([self.plane])]
        while levels:
            self.check()
            part = next(levels[-1], None)
            if part is None:
                levels.pop()
                continue
            self.n_parts += 1
            depth = len(levels) - 1
            if depth < len(steps):
                levels.append(steps[depth].divide(part, depth))
                continue
            corners, pruned, loss = part
            self.cells.append(Cell(corners, pruned, loss / len(steps)))
            self.n_bytes += _CELL_BYTES + _CORNER_BYTES * len(corners) + _PRUNED_BYTES * len(pruned[-1])
            if self.budget.verbose:
                self.covered += self.cells[-1].area
                self.show()

    def show(self, last=False):
        """Renew the progress line where there is one."""
        if self.budget.verbose:
            least = min((cell.loss for cell in self.cells), default=np.nan)
            share = 100 * float(self.covered / self.plane.area)
            line = f"{share:.2f} % of the plane  {len(self.cells):,} cells, least loss {least:.6g}"
            self.budget.show(line, last)


class _NodeTests:
    """The tests of one tree, asked from the bottom up on a convex part of the plane."""

    def __init__(self, instance, per_leaf, search):
        tree = instance.tree
        search.n_bytes += _TEST_BYTES * tree.n_nodes
        search.check()
        counted = tree.recount(instance.X, instance.y, check=search.check)
        self.error = (wrong_counts(counted) / counted.value[0].sum()).tolist()
        self.wrong, self.total = (_exact(counts, search.check) for counts in node_counts(tree))
        search.check()
        self.left, self.right = tree.children_left.tolist(), tree.children_right.tolist()
        self.n_nodes, self.per_leaf, self.search = tree.n_nodes, per_leaf, search

    def divide(self, part, index):
        """Parts of a part ``(corners, pruned, loss)`` of the plane, one after the other: with the nodes that
        are leaves there, and their error added. Adds the lines (index, m, t) that divide it to the curves of
        the search, and what waits to its bytes."""
        search = self.search
        corners, pruned, loss = part
        stack = [(corners, self.n_nodes - 1, {}, 0)]
        while stack:
            corners, node, below, n_bytes = stack.pop()
            search.n_bytes -= n_bytes
            while node >= 0:
                if node % _NODES_OF_A_STEP == 0:
                    search.check()
                left, right = self.left[node], self.right[node]
                if left < 0:
                    below[node] = self.wrong[node], 1, (), self.error[node]
                    node -= 1
                    continue
                one, other = below.pop(left), below.pop(right)
                as_leaf = self.wrong[node], 1, (node,), self.error[node]
                as_split = tuple(a + b for a, b in zip(one, other, strict=True))
                saved, leaves = self.wrong[node] - as_split[0], as_split[1]
                if saved > 0:
                    line = Fraction(saved * saved) / self.total[node], leaves * self.per_leaf
                    above, under = _cut(corners, *line)
                    if above and under:
                        search.curves.add((index, *line))
                        n_bytes = _WAITING_BYTES * (1 + len(below)) + _CORNER_BYTES * len(under)
                        search.n_bytes += n_bytes
                        stack.append((under, node - 1, {**below, node: as_split}, n_bytes))
                    corners = above or under
                    below[node] = as_leaf if above else as_split
                else:
                    below[node] = as_leaf
                node -= 1
            _, _, leaves, error = below[0]
            yield corners, (*pruned, tuple(sorted(leaves))), loss + error


def _exact(counts, check):
    """Counts float64 (n,) as a list of exact numbers: integers where all are whole, which take a tenth of the
    time of fractions to make and to forget."""
    if (counts == np.rint(counts)).all() and counts.max(initial=0) < 2**53:
        return counts.astype(np.int64).tolist()
    return [*map(Fraction, asking(counts.tolist(), check))]


def _rectangle(c1, c2, scale):
    """Corners (v, s) of a rectangle in (c1, c2), its ends rounded to nearby simple fractions."""
    v_low, v_high = (Fraction(1 / (c * c * scale)).limit_denominator(10**9) for c in (c1[1], c1[0]))
    s_low, s_high = (Fraction(c / scale).limit_denominator(10**9) for c in c2)
    return (v_low, s_low), (v_high, s_low), (v_high, s_high), (v_low, s_high)


def _cut(corners, m, t):
    """Parts of a convex polygon with ``s >= m v - t`` and with ``s <= m v - t``; None where without area."""
    height = [s - m * v + t for v, s in corners]
    if min(height) >= 0:
        return corners, None
    if max(height) <= 0:
        return None, corners
    above, under = [], []
    for i, (point, at) in enumerate(zip(corners, height, strict=True)):
        after, then = corners[(i + 1) % len(corners)], height[(i + 1) % len(corners)]
        if at >= 0:
            above.append(point)
        if at <= 0:
            under.append(point)
        if at * then < 0:
            share = at / (at - then)
            crossing = tuple(a + share * (b - a) for a, b in zip(point, after, strict=True))
            above.append(crossing)
            under.append(crossing)
    return tuple(above), tuple(under)
