"""Boxes, dyadic grids and the choice of their depth (Hush and Porter 2010, Sections 2 and 5).

A dyadic tree lives in a box, one interval for each feature. A split halves an interval, so coordinate i can
be split k_i times, and the finest cells are the 2^k_1 x 2^k_2 x ... boxes of the grid. The paper leaves open
where the box ends, to which side a point on a split belongs and what "the same partition" means when k_i is
chosen; each is a parameter here.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treelib.search.budget import beside, go_on
from treelib.table.checks import check_choice, check_number

SIDES = ("right", "left")
RULES = ("coordinate", "joint")
_BLOCK = 1 << 15  # values that are halved or sorted at a time
_BYTES_A_ROW = 64  # that rows take while they are grouped by one more column
MOST_SPLITS = 52  # halvings of one interval that double precision still tells apart


def bounding_box(X, widen=0.0):
    """Smallest box that holds the rows, widened.

    Parameters
    ----------
    X : float64 (n, d); NaN is ignored
    widen : float, 0 or more, total widening as a fraction of each feature's range: half of it on each side.
        The paper does not say where its boxes end; 0.02 fits its Table 4 best.

    Returns
    -------
    low, high : float64 (d,); a feature without any value gets the interval [0, 0]
    """
    check_number("widen", widen)
    low, high = np.fmin.reduce(X, initial=np.inf), np.fmax.reduce(X, initial=-np.inf)
    any_known = low <= high
    low, high = np.where(any_known, low, 0.0), np.where(any_known, high, 0.0)
    margin = (high - low) * (widen / 2) if widen else 0.0
    return low - margin, high + margin


@dataclass(frozen=True, eq=False)
class DyadicGrid:
    """A box with k_i halvings for coordinate i.

    Parameters
    ----------
    low, high : float64 (d,)
        Ends of the box. Samples outside belong to the nearest cells.
    n_splits : int (d,)
        The k_i, each from 0 to 52.
    closed : {"right", "left"}
        The closed side of a cell. "right": a point on a split goes left, as in all trees of this package,
        which agrees with the paper's Table 4. "left": it goes right, as printed in the paper's Section 2.

    Examples
    --------
    >>> from treelib.dyadic.boxes import DyadicGrid
    >>> grid = DyadicGrid(low=[0.0], high=[8.0], n_splits=[2])
    >>> [float(grid.threshold(0, level, i)) for level, i in ((0, 0), (1, 0), (1, 1))]
    [4.0, 2.0, 6.0]
    >>> grid.codes([[1.0], [3.0], [7.0]])
    array([[0],
           [1],
           [3]])
    >>> grid.n_rectangles
    7
    """

    low: np.ndarray
    high: np.ndarray
    n_splits: np.ndarray
    closed: str = "right"

    def __post_init__(self):
        low, high = (np.asarray(end, dtype=np.float64) for end in (self.low, self.high))
        n_splits = np.asarray(self.n_splits)
        if low.ndim != 1 or low.shape != high.shape or n_splits.shape != low.shape:
            raise ValueError(
                f"low, high and n_splits have the shapes {low.shape}, {high.shape} and {n_splits.shape}; "
                "give each one entry a feature."
            )
        if not (np.isfinite(low).all() and np.isfinite(high).all() and (low <= high).all()):
            raise ValueError("The ends of the box must be finite, and low nowhere above high.")
        if n_splits.dtype.kind not in "iu" or (n_splits < 0).any() or (n_splits > MOST_SPLITS).any():
            raise ValueError(f"n_splits={self.n_splits!r} must be whole numbers from 0 to {MOST_SPLITS}.")
        check_choice("closed", self.closed, SIDES)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "n_splits", n_splits.astype(np.int64))

    @property
    def n_features(self):
        return len(self.low)

    @property
    def n_rectangles(self):
        """Number of rectangles, including empty ones: the product of 2^(k_i + 1) - 1 (Section 6)."""
        return int(np.prod([2 ** (int(k) + 1) - 1 for k in self.n_splits], dtype=object))

    @property
    def rectangles_per_row(self):
        """Number of rectangles that contain a given sample: the product of k_i + 1 (rho of Section 6)."""
        return int(np.prod([int(k) + 1 for k in self.n_splits], dtype=object))

    def threshold(self, feature, level, index):
        """Threshold that halves an interval: the largest value that goes left.

        Parameters
        ----------
        feature : int, slice or intp (n_features,)
            Index of the feature, or several.
        level : int
            Number of previous halvings, 0 for the whole range.
        index : int or array
            Index of the interval among the 2^level of that level, from the left; for several features of
            shape (n, n_features).

        Returns
        -------
        float or ndarray
            One threshold for each index.
        """
        share = (2.0 * np.asarray(index) + 1.0) * 2.0 ** -(level + 1.0)
        # this form cannot overflow, and it rounds the midpoint of the box only once
        middle = self.low[feature] * (1.0 - share) + self.high[feature] * share
        return middle if self.closed == "right" else np.nextafter(middle, -np.inf)

    def codes(self, X, check=go_on):
        """Finest cell of each sample.

        Codes are computed with the comparisons that a tree makes, so rounding cannot make the grid disagree
        with a tree. NaN counts as larger than every number. O(n sum k_i).

        Parameters
        ----------
        X : array-like of shape (n, d)
            The rows.
        check : callable
            Called with the bytes of the copy, then once per feature; it may raise to abort.

        Returns
        -------
        int64 ndarray of shape (n, d)
            Interval numbers from the left, below 2^k_i.
        """
        X = np.asarray(X, dtype=np.float64)
        check(X.nbytes)
        codes = np.zeros(X.shape, dtype=np.int64)
        by_splits = [(k, np.flatnonzero(self.n_splits == k)) for k in np.unique(self.n_splits) if k > 0]
        for n_splits, features in by_splits:
            for feature in features:
                check()
                values, code = X[:, feature], np.zeros(1, dtype=np.int64)
                for level in range(n_splits):
                    code = 2 * code + ~(values <= self.threshold(feature, level, code))
                codes[:, feature] = code
        return codes


class ChosenSplits(NamedTuple):
    """Result of `choose_n_splits`.

    n_splits : int64 (d,), the k_i. uniform : int, the k_0 of the first step. loss : float, what the finest
    cells misclassify at least; 0 unless `most` was too small or rows that NaN makes equal differ in class.
    """

    n_splits: np.ndarray
    uniform: int
    loss: float


def choose_n_splits(X, losses, low, high, *, closed="right", rule="coordinate", most=32, check=go_on):
    """Number of splits of each coordinate, in the two steps of Section 5.

    The first step finds the smallest k_0 such that the grid with k_i = k_0 everywhere has only zero-loss
    cells: cells with a label that costs nothing for all their rows. The second lowers each k_i as far as the
    partition of the rows stays the same.

    Parameters
    ----------
    X : float64 (n, d), rows without duplicates (`treelib.dyadic.compress.merge_duplicates`)
    losses : (n, K), loss of each label for each row; the least of each row is 0
    low, high, closed : as in `DyadicGrid`
    rule : {"coordinate", "joint"}. "coordinate": the intervals of coordinate i alone hold the same rows as
        before; fits the paper's Table 4. "joint": the cells do; coordinates are lowered one after another
        from the first, each with those before it lowered, so the result is never finer.
    check : callable such as `treelib.search.budget.Budget.check`, asked between columns
    most : int, largest k_0 tried. Where it does not reach zero loss, k_0 is the smallest with the same loss.

    Returns
    -------
    ChosenSplits
    """
    check_choice("rule", rule, RULES)
    n_features = X.shape[1]
    codes = DyadicGrid(low, high, np.full(n_features, most), closed).codes(X, check)
    check = beside(codes.nbytes, check)
    least = _loss_of_cells(codes, losses, check)
    halvings = range(most + 1)
    uniform = next(k for k in halvings if _loss_of_cells(codes, losses, check, most - k) <= least)
    codes >>= most - uniform
    if rule == "coordinate":
        return ChosenSplits(fewest_splits(codes, uniform, check), uniform, float(least))
    n_splits = np.full(n_features, uniform, dtype=np.int64)
    for feature in range(n_features):
        n_splits[feature] = _fewest_splits_of_cells(codes, feature, uniform, check)
        codes[:, feature] >>= uniform - n_splits[feature]
    return ChosenSplits(n_splits, uniform, float(least))


def fewest_splits(codes, uniform, check=go_on):
    """Smallest k of each column that leaves as many of its values apart, int64 (d,).

    codes : int64 (n, d), intervals after `uniform` halvings. check : asked between columns and values of k
    """
    n_splits = np.full(codes.shape[1], uniform, dtype=np.int64)
    step = max(1, _BLOCK // max(1, len(codes)))
    for first in range(0, codes.shape[1], step):
        block = slice(first, first + step)
        ordered = np.sort(codes[:, block], axis=0)  # so are coarser codes
        n_values = _n_changes(ordered)
        for k in reversed(range(uniform)):
            check(3 * ordered.nbytes)
            n_splits[block][_n_changes(ordered >> (uniform - k)) == n_values] = k
    return n_splits


def _n_changes(ordered):
    """Number of values that differ from the one before, by column."""
    return np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)


def _fewest_splits_of_cells(codes, feature, uniform, check):
    """Smallest k of `feature` that leaves as many cells apart."""
    check = beside(codes.nbytes, check)
    check()
    n_cells = group_rows(codes, check).max(initial=-1)
    for k in range(uniform):
        coarser = codes.copy()
        coarser[:, feature] >>= uniform - k
        if group_rows(coarser, check).max(initial=-1) == n_cells:
            return k
    return uniform


def group_rows(codes, check=go_on, coarser=0):
    """Group number of each row, intp (n,): equal rows of `codes` (n, d) share one; groups ascend in
    lexicographic order of the rows, from 0. NaN equals NaN.

    check : callable of the bytes that are about to be taken, asked between columns
    coarser : int, last bits of integer codes that do not count
    """
    groups = np.zeros(len(codes), dtype=np.intp)
    for feature in range(codes.shape[1]):
        check(_BYTES_A_ROW * len(codes))
        column = codes[:, feature] >> coarser if coarser else codes[:, feature]
        if (column == column[:1]).all():
            continue
        values, inverse = np.unique(column, return_inverse=True)
        check(_BYTES_A_ROW * len(codes))
        # both factors are at most n_rows, so their product fits
        values, groups = np.unique(groups * len(values) + inverse, return_inverse=True)
        if len(values) == len(codes):
            break  # all rows are apart, and in order
    return groups


def _loss_of_cells(codes, losses, check, coarser=0):
    """Total loss when each cell, of codes without their last bits, takes its best label."""
    groups = group_rows(codes, check, coarser)
    totals = np.stack([np.bincount(groups, weights=column) for column in losses.T], axis=1)
    return totals.min(axis=1).sum()
