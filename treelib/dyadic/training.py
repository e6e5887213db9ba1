"""From rows to the integers of a search: box, grid and surrogates, with every choice a setting."""

import numbers
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treelib.dyadic.compress import merge_cells, merge_duplicates, merge_rows, row_losses
from treelib.dyadic.grid import MOST_SPLITS, RULES, DyadicGrid, bounding_box, choose_n_splits
from treelib.dyadic.path import sweep_path

# halvings that each of the best features gets before more features are taken in, see `limit_rectangles`
SPLITS_WORTH_HAVING = 3


class GridSettings(NamedTuple):
    """What the paper leaves open, or leaves to a rule.

    Attributes
    ----------
    max_splits : "auto", int or sequence of ints, the k_i. "auto": the two steps of Section 5.
    split_rule : {"coordinate", "joint"}, see `choose_n_splits`.
    box : None or pair (low, high) of arrays (d,). None: the least and largest value of each feature.
    widen : float, total widening of that box as a fraction of each range.
    closed : {"right", "left"}, side of a point on a split, see `DyadicGrid`.
    keep_zero : bool, keep surrogates that cost the same whatever their label. It changes counts, and where
        empty leaves are free also solutions.
    max_rectangles : float or None, lower "auto" splits until surrogates x rectangles a row is at most this.
    """

    max_splits: object = "auto"
    split_rule: str = "coordinate"
    box: object = None
    widen: float = 0.0
    closed: str = "right"
    keep_zero: bool = False
    max_rectangles: float = None


DEFAULTS = GridSettings()


class Training(NamedTuple):
    """A training set as a search takes it.

    grid : DyadicGrid. codes : int64 (m, d) and losses : (m, K), the surrogates. offset : Fraction, loss that
    every tree pays. total : Fraction, weight of all rows. is_exact : bool, losses and total are whole
        numbers.
    """

    grid: DyadicGrid
    codes: np.ndarray
    losses: np.ndarray
    offset: Fraction
    total: Fraction
    is_exact: bool


def prepare(X, y_codes, n_classes, *, weights=None, cost_matrix=None, settings=DEFAULTS):
    """Make the `Training` of rows.

    Parameters
    ----------
    X : float64 (n, d); NaN counts as larger than every number
    y_codes : intp (n,), below `n_classes`
    weights : float64 (n,) not negative, or None for ones
    cost_matrix : (n_classes, n_classes) or None, see `row_losses`
    settings : GridSettings
    """
    losses = row_losses(y_codes, n_classes, weights=weights, cost_matrix=cost_matrix)
    total = Fraction(len(X)) if weights is None else Fraction(float(np.sum(weights)))
    distinct = merge_duplicates(X, losses, keep_zero=settings.keep_zero)
    low, high = find_box(X, settings)
    n_splits = find_splits(distinct, low, high, settings)
    grid = DyadicGrid(low, high, n_splits, settings.closed)
    cells = merge_cells(grid, distinct.rows, distinct.losses, keep_zero=settings.keep_zero)
    is_exact = losses.dtype.kind in "iu" and total.denominator == 1
    return Training(
        grid, cells.rows, cells.losses, Fraction(distinct.offset) + Fraction(cells.offset), total, is_exact
    )


def find_box(X, settings):
    """Ends of the box, float64 (d,) each."""
    if settings.box is None:
        return bounding_box(X, settings.widen)
    try:
        low, high = (np.asarray(end, dtype=np.float64) for end in settings.box)
    except (TypeError, ValueError):
        raise ValueError(
            "box must be None, or a pair of arrays: the low and the high end of each feature."
        ) from None
    if low.shape != (X.shape[1],) or high.shape != low.shape:
        raise ValueError(
            f"box has ends of the shapes {low.shape} and {high.shape}, but X has {X.shape[1]} features."
        )
    margin = (high - low) * (settings.widen / 2)
    return low - margin, high + margin


def find_splits(distinct, low, high, settings):
    """The k_i that the settings ask for, int64 (d,).

    distinct : Surrogates of equal rows. low, high : float64 (d,), the box.
    """
    n_features = len(low)
    given = settings.max_splits
    if isinstance(given, str):
        if given != "auto":
            raise ValueError(f"max_splits={given!r} must be 'auto', an integer, or one integer a feature.")
        if settings.split_rule not in RULES:
            raise ValueError(f"split_rule={settings.split_rule!r} must be one of {RULES}.")
        chosen = choose_n_splits(
            distinct.rows, distinct.losses, low, high, closed=settings.closed, rule=settings.split_rule
        ).n_splits
        grid = DyadicGrid(low, high, chosen, settings.closed)
        return limit_rectangles(grid, distinct.rows, distinct.losses, settings.max_rectangles)
    values = np.asarray(given)
    is_whole = values.dtype.kind in "iu" and (values >= 0).all() and (values <= MOST_SPLITS).all()
    if not is_whole or values.shape not in ((), (n_features,)):
        raise ValueError(
            f"max_splits={given!r} must be 'auto', an integer from 0 to {MOST_SPLITS}, or one such integer "
            f"for each of the {n_features} features."
        )
    return np.broadcast_to(values, (n_features,)).astype(np.int64)


def limit_rectangles(grid, X, losses, most):
    """Fewer splits where the rows of X could occupy more than `most` rectangles, int64 (d,).

    The bound is the number of rows times the rectangles that hold one (Section 6). The authors met their
    limit of memory by hand: they lowered k for one data set, and for others kept the features "that appeared
    to work best when applied on their own" (Appendix A). This does both. Features are ranked by the best tree
    on each alone. The best of them are kept, as many as can have three halvings each or all they need; these
    share the largest k that the bound allows, and what is left over lets the first go deeper.
    """
    n_splits = grid.n_splits
    if most is None or len(X) * grid.rectangles_per_row <= most:
        return n_splits
    if isinstance(most, bool) or not isinstance(most, numbers.Real) or not most > 0:
        raise ValueError(f"max_rectangles={most!r} must be a positive number, or None for no limit.")
    ranked = sorted(range(len(n_splits)), key=_rank(grid, X, losses))

    def lowered(n_kept, cap):
        splits = np.zeros_like(n_splits)
        splits[ranked[:n_kept]] = np.minimum(n_splits[ranked[:n_kept]], cap)
        return splits

    def fits(splits):
        return len(X) * DyadicGrid(grid.low, grid.high, splits).rectangles_per_row <= most

    n_kept = max([1, *(m for m in range(1, len(ranked) + 1) if fits(lowered(m, SPLITS_WORTH_HAVING)))])
    best = lowered(n_kept, 0)
    for cap in range(1, int(n_splits.max()) + 1):
        if fits(lowered(n_kept, cap)):
            best = lowered(n_kept, cap)
    for feature in ranked[:n_kept]:
        while best[feature] < n_splits[feature]:
            best[feature] += 1
            if not fits(best):
                best[feature] -= 1
                break
    return best


def _rank(grid, X, losses):
    """Sort key of a feature: value of the best tree on it alone, at the price of two rows a leaf."""
    codes = grid.codes(X)
    price = Fraction(2 * float(losses.max(axis=1).sum()) / max(len(X), 1)).limit_denominator(1000)

    def key(feature):
        column = merge_rows(codes[:, [feature]], losses)
        result = sweep_path(column.rows, column.losses, grid.n_splits[[feature]], low=price, staged=False)
        value = min((v.loss + price * v.n_leaves for v in result.vertices), default=Fraction(0))
        return Fraction(column.offset) + value, feature

    return key
