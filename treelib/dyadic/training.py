"""From rows to the integers of a search: box, grid and surrogates, with every choice a setting."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treelib.dyadic.boxes import (
    MOST_SPLITS,
    RULES,
    SIDES,
    DyadicGrid,
    bounding_box,
    choose_n_splits,
    fewest_splits,
)
from treelib.dyadic.compress import merge_cells, merge_duplicates, merge_rows, row_losses
from treelib.dyadic.sweep.greedy_vertex import is_cheap
from treelib.search.budget import Budget, Stopped, beside, go_on, status_of
from treelib.table.checks import check_choice, check_number, check_positive
from treelib.table.warned import warn

# halvings that each of the best features gets before more features are taken in, see `limit_rectangles`
SPLITS_WORTH_HAVING = 3
MOST_NAMED = 10  # columns that a warning names
RANKING_SPLITS = 10
# halvings of each feature where a limit was met before the grid was chosen, and the tree is a greedy one
COARSE_SPLITS = 6
# numbers that the ranking of features holds at once
MOST_ENTRIES = 1 << 21


class GridSettings(NamedTuple):
    """Choices that the paper leaves open or to a rule.

    Attributes
    ----------
    max_splits : "auto", int or sequence of ints
        The k_i, the maximum number of halvings of each feature. "auto": the two steps of Section 5.
    split_rule : {"coordinate", "joint"}
        See `choose_n_splits`.
    box : None or pair (low, high) of arrays (d,)
        Ends of the box. None: smallest and largest value of each feature.
    widen : float
        Total widening of that box as a fraction of each range.
    closed : {"right", "left"}
        Side that a point on a split belongs to; see `DyadicGrid`.
    keep_zero : bool
        Keep surrogates whose cost does not depend on the label. This changes counts, and if empty leaves are
        free, also solutions.
    max_rectangles : float or None
        Reduce "auto" splits until surrogates x rectangles per row is at most this. None: no limit.

    Examples
    --------
    >>> from treelib.dyadic.training import GridSettings
    >>> GridSettings(max_splits=3, closed="left").split_rule
    'coordinate'
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
        numbers. stopped : status of a limit that was met before there was a grid, or None. coarse : then the
        codes, losses and offset of the rows on a grid of few splits, for a greedy tree, where that is cheap;
        else the grid has no splits, and `coarse` is None.
    """

    grid: DyadicGrid
    codes: np.ndarray
    losses: np.ndarray
    offset: Fraction
    total: Fraction
    is_exact: bool
    stopped: str = None
    coarse: tuple = None


def prepare(X, y_codes, n_classes, *, weights=None, cost_matrix=None, settings=DEFAULTS, budget=None):
    """Make the `Training` of rows.

    Parameters
    ----------
    X : float64 (n, d); NaN counts as larger than every number
    y_codes : intp (n,), below `n_classes`
    weights : float64 (n,) not negative, or None for ones
    cost_matrix : (n_classes, n_classes) or None, see `row_losses`
    settings : GridSettings
    budget : Budget, whose limits and cancel end the choice of the grid, as does Ctrl-C; or None. What is
        returned counts as held from then on
    """
    check_settings(settings, X.shape[1])
    budget = Budget() if budget is None else budget
    total = Fraction(len(X)) if weights is None else Fraction(float(np.sum(weights)))
    low, high = given_box(X.shape[1], settings)
    try:
        if low is None:
            low, high = bounding_box(X, settings.widen)
        losses = row_losses(y_codes, n_classes, weights=weights, cost_matrix=cost_matrix, check=budget.check)
        check = beside(losses.nbytes, budget.check)
        distinct = merge_duplicates(X, losses, keep_zero=settings.keep_zero, check=check)
        check = beside(sum(part.nbytes for part in distinct if isinstance(part, np.ndarray)), check)
        n_splits = find_splits(distinct, low, high, settings, check)
        grid = DyadicGrid(low, high, n_splits, settings.closed)
        cells = merge_cells(grid, distinct.rows, distinct.losses, keep_zero=settings.keep_zero, check=check)
    except (Stopped, KeyboardInterrupt) as stop:
        if low is None:
            low = high = np.zeros(X.shape[1])
        grid = DyadicGrid(low, high, np.zeros(X.shape[1], dtype=np.int64), settings.closed)
        by_class = np.bincount(y_codes, weights, n_classes)
        losses = row_losses(np.arange(n_classes), n_classes, weights=by_class, cost_matrix=cost_matrix)
        rest = one_cell(grid, losses, total, status_of(stop))
        return _with_coarse_grid(rest, X, y_codes, n_classes, weights, cost_matrix, settings, budget)
    budget.reserve(cells.rows.nbytes + cells.losses.nbytes)
    offset = Fraction(distinct.offset) + Fraction(cells.offset)
    return Training(grid, cells.rows, cells.losses, offset, total, _is_exact(losses, total))


def _with_coarse_grid(training, X, y_codes, n_classes, weights, cost_matrix, settings, budget):
    """`Training` that was stopped, with the `coarse` rows that a greedy tree is grown on; arguments as of
    `prepare`. As it is where memory is short, or the table so large that this would take long."""
    n_bytes = 6 * 8 * (X.shape[0] * (X.shape[1] + n_classes))
    is_tight = budget.memory_limit is not None and n_bytes > budget.memory_limit
    if not X.flags.c_contiguous or is_tight or not is_cheap(*X.shape):  # zeros may stand for the table
        return training
    low, high = given_box(X.shape[1], settings)
    if low is None:
        low, high = bounding_box(X, settings.widen)
    n_splits = np.full(X.shape[1], COARSE_SPLITS)
    if not isinstance(settings.max_splits, str):
        n_splits = np.minimum(find_splits(None, low, high, settings), n_splits)
    grid = DyadicGrid(low, high, n_splits, settings.closed)
    losses = row_losses(y_codes, n_classes, weights=weights, cost_matrix=cost_matrix)
    coarse = grid.codes(X), losses, Fraction(0)
    return training._replace(grid=grid, coarse=coarse)


def one_cell(grid, losses, total, stopped):
    """`Training` of a grid without splits, all rows in its only cell. losses : (n_classes, n_classes), of the
    rows of each class together. total : Fraction. stopped : status of a limit"""
    cell = merge_rows(np.zeros((len(losses), 1), dtype=np.int64), losses, keep_zero=True)
    codes = np.zeros((1, grid.n_features), dtype=np.int64)
    is_exact = _is_exact(losses, total)
    return Training(grid, codes, cell.losses, Fraction(cell.offset), total, is_exact, stopped)


def _is_exact(losses, total):
    return losses.dtype.kind in "iu" and total.denominator == 1


def check_settings(settings, n_features):
    """ValueError for `GridSettings` that no table of so many features can have; the message names the one."""
    check_number("widen", settings.widen)
    check_choice("closed", settings.closed, SIDES)
    check_choice("split_rule", settings.split_rule, RULES)
    most, given = settings.max_rectangles, settings.max_splits
    if most is not None:
        check_positive("max_rectangles", most, "a positive number, or None for no limit", finite=False)
    if isinstance(given, str) and given == "auto":
        return
    try:
        values = np.asarray(given)
    except ValueError:  # lists of unequal lengths
        values = np.array(np.nan)
    is_whole = values.dtype.kind in "iu" and (values >= 0).all() and (values <= MOST_SPLITS).all()
    if not is_whole or values.shape not in ((), (n_features,)):
        raise ValueError(
            f"max_splits={given!r} must be 'auto', an integer from 0 to {MOST_SPLITS}, or one such integer "
            f"for each of the {n_features} features."
        )


def given_box(n_features, settings):
    """Ends of the box that the settings give, float64 (d,) each; None and None where they give none."""
    if settings.box is None:
        return None, None
    try:
        low, high = (np.asarray(end, dtype=np.float64) for end in settings.box)
    except (TypeError, ValueError):
        raise ValueError(
            "box must be None, or a pair of arrays: the low and the high end of each feature."
        ) from None
    if low.shape != (n_features,) or high.shape != low.shape:
        raise ValueError(
            f"box has ends of the shapes {low.shape} and {high.shape}, but X has {n_features} features."
        )
    margin = (high - low) * (settings.widen / 2)
    return low - margin, high + margin


def find_splits(distinct, low, high, settings, check=go_on):
    """The k_i that the settings ask for, int64 (d,).

    distinct : Surrogates of equal rows; None where `max_splits` are numbers. low, high : float64 (d,), the
    box. check : callable such as `treelib.search.budget.Budget.check`, asked between columns.
    """
    n_features = len(low)
    given = settings.max_splits
    if isinstance(given, str):
        chosen = choose_n_splits(
            distinct.rows,
            distinct.losses,
            low,
            high,
            closed=settings.closed,
            rule=settings.split_rule,
            check=check,
        ).n_splits
        grid = DyadicGrid(low, high, chosen, settings.closed)
        return limit_rectangles(grid, distinct.rows, distinct.losses, settings, check)
    return np.broadcast_to(given, (n_features,)).astype(np.int64)


def limit_rectangles(grid, X, losses, settings, check=go_on):
    """Fewer splits where the rows of X could occupy more than `settings.max_rectangles`, int64 (d,).

    The bound is the number of surrogates, no more than rows or finest cells, times the rectangles that hold
    one (Section 6). The authors met their limit of memory by hand: they lowered k for one data set, and for
    others kept the features "that appeared to work best when applied on their own" (Appendix A). This does
    both. Features are ranked by the best tree on each alone, and the best are kept, as many as can have three
    halvings each, or what they need to tell all values apart; a warning names the others. They get this many
    at least, or what Section 5 says for them alone. Where that is too much, they share the largest k that the
    bound allows, and what is left over lets the first go deeper.

    grid : DyadicGrid with the k_i of Section 5. X, losses : the rows without duplicates.
    """
    most = settings.max_rectangles
    if most is None:
        return grid.n_splits

    def n_fitting(n_splits):
        """How many of the features, from the first on, the bound allows."""
        cells = rectangles = 1.0
        for place, k in enumerate(n_splits.tolist()):
            cells, rectangles = cells * 2.0**k, rectangles * (k + 1)
            if min(len(X), cells) * rectangles > most:
                return place
        return len(n_splits)

    def fits(n_splits):
        return n_fitting(n_splits) == len(n_splits)

    if fits(grid.n_splits):
        return grid.n_splits
    fine = DyadicGrid(grid.low, grid.high, np.full(len(grid.low), RANKING_SPLITS), grid.closed).codes(
        X, check
    )
    check = beside(fine.nbytes, check)
    ranked = np.argsort(values_alone(fine, losses, check), kind="stable")
    needed = np.minimum(fewest_splits(fine, RANKING_SPLITS, check)[ranked], SPLITS_WORTH_HAVING)
    n_kept = max(1, n_fitting(needed))
    kept = ranked[:n_kept]
    check(8 * len(X) * n_kept)
    wanted = choose_n_splits(
        X[:, kept],
        losses,
        grid.low[kept],
        grid.high[kept],
        closed=grid.closed,
        rule=settings.split_rule,
        check=check,
    ).n_splits
    # many features together part the rows at once, so Section 5 alone would leave all of them too coarse
    wanted = np.maximum(wanted, needed[:n_kept])
    splits = max(
        (np.minimum(wanted, cap) for cap in range(MOST_SPLITS + 1) if fits(np.minimum(wanted, cap))),
        key=sum,
        default=np.zeros_like(wanted),
    )
    for place in range(n_kept):
        while splits[place] < wanted[place] and fits(splits + (np.arange(n_kept) == place)):
            splits[place] += 1
    n_splits = np.zeros_like(grid.n_splits)
    n_splits[kept] = splits
    if left_out := np.flatnonzero((n_splits == 0) & (grid.n_splits > 0)).tolist():
        names = ", ".join(map(str, left_out[:MOST_NAMED])) + ", ..." * (len(left_out) > MOST_NAMED)
        warn(
            f"The grid does not split the encoded column{'s' * (len(left_out) > 1)} {names}: all columns "
            f"together could make more than max_rectangles={most:g}, and the best alone are kept. Give "
            "max_splits, a number for each column or for all, or raise max_rectangles."
        )
    return n_splits


def values_alone(codes, losses, check=go_on):
    """Loss and price of the best tree on each feature alone, where a leaf costs as much as two average rows.

    All intervals that halvings make, from the finest up: each is a leaf, or two best halves (Section 3).

    Parameters
    ----------
    codes : int64 (n, d), intervals after `RANKING_SPLITS` halvings
    losses : (n, K)
    check : callable, asked between groups of columns

    Returns
    -------
    float64 (d,), as shares of all that there is to lose, to 12 digits: features that are mirror images tie.
    """
    n_cells, n_classes = 1 << RANKING_SPLITS, losses.shape[1]
    price = Fraction(2 * float(losses.max(axis=1).mean())).limit_denominator(1000)
    scaled = losses.astype(np.float64) * price.denominator  # whole losses stay exact
    width = max(1, MOST_ENTRIES // max(len(codes), n_cells * n_classes))
    values = []
    for first in range(0, codes.shape[1], width):
        check()
        columns = codes[:, first : first + width]
        n_columns = columns.shape[1]
        cells = (columns + n_cells * np.arange(n_columns)).ravel()
        lost = np.stack(
            [np.bincount(cells, np.repeat(of_label, n_columns), n_cells * n_columns) for of_label in scaled.T]
        ).reshape(n_classes, n_columns, n_cells)
        best = lost.min(axis=0) + price.numerator
        for _ in range(RANKING_SPLITS):
            lost = lost[:, :, ::2] + lost[:, :, 1::2]
            best = np.minimum(lost.min(axis=0) + price.numerator, best[:, ::2] + best[:, 1::2])
        values.append(best[:, 0])
    return np.round(np.concatenate(values) / max(scaled.max(axis=1).sum(), 1e-300), 12)
