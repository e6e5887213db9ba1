"""Numeric features -> 0/1 columns ``feature > threshold``, and back to the original units.

A missing value (NaN) counts as larger than every number: it fails each test ``feature <= threshold``, in
training and in prediction, whether or not training had missing values. A feature with missing values in
training has one more column, ``feature > +inf``, which is 1 at the missing values alone.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.table.checks import check_count, go_on
from treelib.table.packed import group_rows, pack_columns

_BYTES_A_VALUE = 40  # of a column while it is sorted


class Binarizer:
    """Chooses thresholds and makes 0/1 columns.

    Candidate thresholds lie halfway between neighbouring distinct values. Where a feature has more than
    `max_thresholds` of them, those nearest to equally spaced weighted quantiles are taken. Candidates
    whose column equals an earlier one, or is its complement, split the training rows alike and are kept
    once.

    Parameters
    ----------
    max_thresholds : int or None, the largest number of finite thresholds of one feature; None for all.

    Attributes
    ----------
    n_features_ : int
    candidate_feature_ : (n_candidates,) intp, ascending
    candidate_threshold_ : (n_candidates,) float64, ascending within a feature, +inf for "is missing"
    candidate_column_ : (n_candidates,) intp, the kept column that stands for the candidate
    candidate_swapped_ : (n_candidates,) bool, whether it is that column's complement
    column_feature_, column_threshold_ : (n_columns,), feature and threshold of the kept columns
    """

    def __init__(self, max_thresholds=10):
        self.max_thresholds = max_thresholds

    @property
    def n_columns_(self):
        return len(self.column_feature_)

    def fit_transform(self, X, weights=None, check=go_on, bits=None):
        """Choose thresholds on `X` and return its kept columns.

        Parameters
        ----------
        X : (n, n_features) float64, NaN where missing
        weights : (n,) float64, positive, or None; rows of weight 2 count like two equal rows
        check : callable of the bytes that are about to be taken, asked between features, such as
            `treelib.search.budget.Budget.check`; to stop, it raises an exception.
        bits : what `treelib.table.packed.read_bits` made of `X`, if that has been asked

        Returns
        -------
        (n, n_columns_) uint8, C-contiguous
        """
        if self.max_thresholds is not None:
            check_count(
                "max_thresholds", self.max_thresholds, "a positive integer, or None for every threshold"
            )
        self.n_features_ = X.shape[1]
        if bits is None:
            self.candidate_feature_, self.candidate_threshold_ = self._choose_thresholds(X, weights, check)
            columns = _compare(X, self.candidate_feature_, self.candidate_threshold_, check)
            kept, self.candidate_column_, self.candidate_swapped_ = _distinct_columns(columns, check)
        else:
            columns, self.candidate_column_, kept, self.candidate_swapped_ = bits
            check(columns.size * 5 // 4)
            self.candidate_feature_ = np.arange(X.shape[1], dtype=np.intp)
            self.candidate_threshold_ = np.zeros(X.shape[1]) + 0.5
        self.column_feature_ = self.candidate_feature_[kept]
        self.column_threshold_ = self.candidate_threshold_[kept]
        if len(kept) == columns.shape[1]:
            return columns
        check(len(X) * (columns.shape[1] + len(kept)))
        return np.ascontiguousarray(columns[:, kept])

    def fit_none(self, n_features):
        """Have no candidate at all for features that there was no time to look at."""
        self.n_features_ = n_features
        self.candidate_feature_ = self.candidate_column_ = self.column_feature_ = np.empty(0, np.intp)
        self.candidate_threshold_ = self.column_threshold_ = np.empty(0)
        self.candidate_swapped_ = np.empty(0, bool)

    def transform(self, X):
        """Kept columns of `X`, (n, n_columns_) uint8."""
        return _compare(X, self.column_feature_, self.column_threshold_)

    def nearest_column(self, feature, threshold):
        """The kept column nearest to the test ``feature > threshold``, and whether it is its complement.

        Returns (-1, False) for a feature that is constant in training. +inf matches "is missing" if the
        feature has such a column; a tie goes to the smaller threshold.
        """
        start, stop = np.searchsorted(self.candidate_feature_, [feature, feature + 1])
        if start == stop:
            return -1, False
        known = self.candidate_threshold_[start:stop]
        above = min(int(np.searchsorted(known, threshold)), len(known) - 1)
        below = max(above - 1, 0)
        is_nearer = known[above] != threshold and threshold - known[below] <= known[above] - threshold
        nearest = start + (below if is_nearer else above)
        return int(self.candidate_column_[nearest]), bool(self.candidate_swapped_[nearest])

    def _choose_thresholds(self, X, weights, check=go_on):
        """Feature, intp (n_candidates,), and threshold, float64 (n_candidates,), of the candidates."""
        # 0/1 features are the common case, and one pass over the matrix settles all of them at once
        lowest, highest, is_simple = two_values(X)
        count, chosen = (is_simple & (lowest < highest)).astype(np.intp), {}
        for feature in np.flatnonzero(~is_simple):
            check(len(X) * int(count.sum()))  # of all columns so far: they need not be looked for to the end
            chosen[feature] = _feature_thresholds(X[:, feature], weights, self.max_thresholds, check)
            count[feature] = len(chosen[feature])
        features = np.repeat(np.arange(X.shape[1], dtype=np.intp), count)
        thresholds = _midpoint(lowest, highest)[features]
        stop = np.cumsum(count)
        for feature, part in chosen.items():
            thresholds[stop[feature] - len(part) : stop[feature]] = part
        return features, thresholds


def two_values(X):
    """Least and largest value of each column of `X` float64 (n, p) that has no more than these two.

    Returns
    -------
    lowest, highest : float64 (p,). is_simple : bool (p,), False where there are more values, or missing ones;
        the extremes mean nothing then
    """
    lowest, highest, is_simple = X[0].copy(), X[0].copy(), ~np.isnan(X[0])
    _find_two_values(X, lowest, highest, is_simple)
    return lowest, highest, is_simple


@kernel(allocates=False)
def _find_two_values(X, lowest, highest, is_simple):
    """Go on with rows of `X` float64 (n, p): the extremes of columns of at most two values and none missing.

    lowest, highest : float64 (p,), is_simple : bool (p,), of the rows before, and then with these; extremes
        of other columns mean nothing.
    """
    n, p = X.shape
    for i in range(n):
        for j in range(p):
            x = X[i, j]
            if x != lowest[j] and x != highest[j]:
                if lowest[j] != highest[j] or x != x:
                    is_simple[j] = False
                elif x < lowest[j]:
                    lowest[j] = x
                else:
                    highest[j] = x


def _distinct(values, weights):
    """Distinct values ascending, NaN last and once, and the weight of each."""
    if weights is None:
        return np.unique(values, return_counts=True)
    distinct, inverse = np.unique(values, return_inverse=True)
    return distinct, np.bincount(inverse, weights=weights)


def _feature_thresholds(values, weights, limit, check=go_on):
    """Ascending thresholds of one feature, +inf last where it has both numbers and missing values."""
    check(_BYTES_A_VALUE * len(values))
    distinct, mass = _distinct(values, weights)
    has_missing = np.isnan(distinct[-1])
    if has_missing:
        distinct = distinct[:-1]
    if limit is None:
        check(len(values) * (len(distinct) - 1))  # of the columns, which the thresholds are soon too many for
    gaps = np.arange(max(len(distinct) - 1, 0))
    if limit is not None and len(gaps) > limit:
        gaps = _quantile_gaps(mass[: len(distinct)].astype(float), limit)
    thresholds = _midpoint(distinct[gaps], distinct[gaps + 1]) if len(gaps) else np.empty(0)
    return np.append(thresholds, np.inf) if has_missing and len(distinct) else thresholds


def _midpoint(low, high):
    """Halfway between, at least `low` and below `high` even where rounding or overflow interfere."""
    middle = low / 2 + high / 2
    return np.where((middle >= low) & (middle < high), middle, low)


def _quantile_gaps(mass, limit):
    """Indices of at most `limit` gaps between neighbouring values that split `mass` evenly.

    Gap i lies between values i and i + 1. A value heavier than an even share would attract several
    quantiles; its mass is cut to the share that remains for the others, so that few thresholds are lost.

    Parameters
    ----------
    mass : (n_values,) float64, positive weights of the distinct values in ascending order
    limit : int, positive and less than n_values - 1

    Returns
    -------
    ascending intp array of distinct gap indices, at least 1 and at most `limit`
    """
    rest = mass.sum()
    for n_heavy, heavy in enumerate(np.sort(mass)[::-1][: limit + 1]):  # the last one always fits
        share = rest / (limit + 1 - n_heavy)
        if heavy <= share:
            break
        rest -= heavy
    below = np.cumsum(np.minimum(mass, share))
    targets = below[-1] * np.arange(1, limit + 1) / (limit + 1)
    above = np.searchsorted(below[:-1], targets)
    above = np.minimum(above, len(mass) - 2)
    before = np.maximum(above - 1, 0)
    nearer = np.where(targets - below[before] < below[above] - targets, before, above)
    return np.unique(nearer)


def _compare(X, feature, threshold, check=go_on):
    """(n, len(feature)) uint8 with 1 where not X[:, feature] <= threshold, so that NaN gives 1."""
    check(len(X) * len(feature))
    columns = np.empty((len(X), len(feature)), dtype=np.uint8)
    _fill_columns(X, feature, threshold, columns)
    return columns


@kernel(allocates=False)
def _fill_columns(X, feature, threshold, columns):
    for i in range(X.shape[0]):
        for c in range(feature.shape[0]):
            columns[i, c] = not X[i, feature[c]] <= threshold[c]


def _distinct_columns(columns, check=go_on):
    """First of each group of equal or complementary columns.

    Returns
    -------
    kept : intp (n_kept,), ascending indices of the representatives
    group : intp (p,), position in `kept` of the column that stands for each
    swapped : bool (p,), whether it is the complement
    """
    check(columns.size * 5 // 4)
    # flipped so that the first row is 0, equal and complementary columns have the same bits
    first = columns[0]
    group, kept = group_rows(pack_columns(columns, np.arange(len(columns)), first))
    return kept, group, first != first[kept][group]
