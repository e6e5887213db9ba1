"""Thresholds and 0/1 columns."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treelib.search.budget import Stopped
from treelib.table.binarize import Binarizer, _feature_thresholds

VALUES = st.sampled_from([0.0, 1.0, 2.0, 2.5, -3.0, 1e308, -1e308, 5e-324, np.nan])
MATRICES = st.tuples(st.integers(1, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=VALUES)
)


@settings(max_examples=200, deadline=None)
@given(MATRICES)
def test_columns_split_rows_in_every_possible_way(X):
    """A lost threshold or a wrongly dropped column would lose a partition that some x <= t makes."""
    binarizer = Binarizer(max_thresholds=None)
    columns = binarizer.fit_transform(X)
    wanted = set()
    for values in X.T:
        for t in [*values[~np.isnan(values)], np.inf]:
            above = ~(values <= t)
            if above.any() and not above.all():
                wanted.add((above ^ above[0]).tobytes())
    found = [(column ^ column[0]).astype(bool).tobytes() for column in columns.T]
    assert sorted(found) == sorted(wanted)


@settings(max_examples=100, deadline=None)
@given(MATRICES, st.sampled_from([1, 2, 3, None]))
def test_columns_follow_thresholds(X, max_thresholds):
    """Columns that disagree with feature and threshold would give a tree of another function."""
    binarizer = Binarizer(max_thresholds)
    columns = binarizer.fit_transform(X)
    assert columns.dtype == np.uint8 and columns.shape == (len(X), binarizer.n_columns_)
    for column in range(binarizer.n_columns_):
        feature, threshold = binarizer.column_feature_[column], binarizer.column_threshold_[column]
        assert columns[:, column].tolist() == [int(not x <= threshold) for x in X[:, feature]]
    np.testing.assert_array_equal(columns, binarizer.transform(X))


@settings(max_examples=100, deadline=None)
@given(MATRICES)
def test_dropped_candidates_are_copies_of_their_column(X):
    """A wrong record of dropped columns would move the splits of a warm start elsewhere."""
    binarizer = Binarizer(max_thresholds=None)
    columns = binarizer.fit_transform(X)
    for candidate in range(len(binarizer.candidate_feature_)):
        feature, threshold = (
            binarizer.candidate_feature_[candidate],
            binarizer.candidate_threshold_[candidate],
        )
        above = ~(X[:, feature] <= threshold)
        column, swapped = binarizer.nearest_column(feature, threshold)
        assert column == binarizer.candidate_column_[candidate]
        np.testing.assert_array_equal(columns[:, column] ^ swapped, above)


def test_zero_one_features_split_at_one_half():
    """The convention of all binary data sets: 0/1 features split at 0.5, in the order of the features."""
    X = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 1], [0, 0, 0]], dtype=float)
    binarizer = Binarizer()
    np.testing.assert_array_equal(binarizer.fit_transform(X), X)
    assert binarizer.column_threshold_.tolist() == [0.5, 0.5, 0.5]


def test_equal_and_complementary_columns_are_kept_once():
    """Copies would double the search for nothing."""
    a = np.array([0, 1, 1, 0])
    binarizer = Binarizer()
    columns = binarizer.fit_transform(np.column_stack([a, 1 - a, a, 7 * a, [0, 0, 1, 1]]).astype(float))
    assert binarizer.column_feature_.tolist() == [0, 4] and columns.shape == (4, 2)
    assert binarizer.candidate_swapped_.tolist() == [False, True, False, False, False]


def test_missing_values_have_their_own_column_above_all_thresholds():
    """NaN must be larger than every number, and 'is missing' must exist only where something is missing."""
    X = np.array([[1.0, 0.0], [2.0, 1.0], [np.nan, 1.0], [3.0, 0.0]])
    binarizer = Binarizer()
    columns = binarizer.fit_transform(X)
    assert binarizer.column_threshold_.tolist() == [1.5, 2.5, np.inf, 0.5]
    assert columns[2].tolist() == [1, 1, 1, 1]
    assert columns[:, 2].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize("column", [[np.nan, np.nan], [4.0, 4.0]])
def test_features_that_tell_nothing_give_no_column(column):
    """A constant column would be a split with an empty side."""
    binarizer = Binarizer()
    assert binarizer.fit_transform(np.array([column]).T).shape == (2, 0)
    assert binarizer.nearest_column(0, 1.0) == (-1, False)


def test_quantile_thresholds_share_the_rows_evenly():
    """Thresholds bunched at one end would hide the structure of the rest."""
    binarizer = Binarizer(max_thresholds=9)
    columns = binarizer.fit_transform(np.arange(1000.0)[::-1, None])
    assert binarizer.column_threshold_.tolist() == [99.5 + 100 * k for k in range(9)]
    assert columns.sum(axis=0).tolist() == [900 - 100 * k for k in range(9)]


@pytest.mark.parametrize("heavy", ["first", "last"])
def test_a_heavy_value_does_not_eat_the_thresholds(heavy):
    """Plain quantiles of a column that is 90 % zeros would give one or two thresholds instead of ten."""
    values = np.r_[np.zeros(900), np.arange(1.0, 101.0)]
    values = values if heavy == "first" else -values
    binarizer = Binarizer(max_thresholds=10)
    binarizer.fit_transform(values[:, None])
    assert len(binarizer.column_threshold_) == 10


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), min_size=1, max_size=40), st.integers(1, 6))
def test_weights_place_thresholds_like_repeated_rows(rows, max_thresholds):
    """Unweighted quantiles would make a weight of 2 differ from two equal rows."""
    values, weights = np.array(rows, dtype=float).T
    weighted, repeated = Binarizer(max_thresholds), Binarizer(max_thresholds)
    weighted.fit_transform(values[:, None], weights)
    repeated.fit_transform(np.repeat(values, weights.astype(int))[:, None])
    assert weighted.candidate_threshold_.tolist() == repeated.candidate_threshold_.tolist()
    assert len(weighted.candidate_threshold_) <= max_thresholds


def test_nearest_column_moves_thresholds_within_their_feature():
    """A warm start must land on the nearest candidate, on 'is missing' only for +inf."""
    X = np.array([[1.0, 0.0], [2.0, 1.0], [np.nan, 1.0], [4.0, 0.0]])
    binarizer = Binarizer()
    binarizer.fit_transform(X)
    cases = [(0, -9, 1.5), (0, 1.6, 1.5), (0, 2.25, 1.5), (0, 2.3, 3.0), (0, 99, 3.0), (0, np.inf, np.inf)]
    for feature, threshold, expected in [*cases, (1, np.inf, 0.5)]:
        column, swapped = binarizer.nearest_column(feature, threshold)
        assert binarizer.column_threshold_[column] == expected and not swapped


@pytest.mark.parametrize(
    "column", [[0, 1, 0], [1, 0, 2], [2, 2, 2], [0, np.nan, 1], [np.nan, 0, 0], [5, 3, 5]]
)
def test_two_valued_columns_are_told_from_others(column):
    """The one-pass check of a column's values must agree with looking at its distinct values."""
    X = np.array(column, dtype=float)[:, None]
    _, thresholds = Binarizer()._choose_thresholds(X, None)
    np.testing.assert_array_equal(thresholds, _feature_thresholds(X[:, 0], None, 10))


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "all"])
def test_bad_max_thresholds(bad):
    """A wrong number of thresholds must be named, not fail deep in numpy."""
    with pytest.raises(ValueError, match="max_thresholds"):
        Binarizer(bad).fit_transform(np.zeros((2, 1)))


def test_thresholds_too_many_for_their_columns_are_not_looked_for():
    """Thresholds of all columns that take more than the limit, where the columns of the first do not fit."""
    asked, limit = [], 5_000_000

    def check(n_bytes=0):
        asked.append(n_bytes)
        if n_bytes > limit:
            raise Stopped("memory_limit")

    X = np.random.default_rng(0).random((20_000, 50))
    tracemalloc.start()
    with pytest.raises(Stopped):
        Binarizer(None).fit_transform(X, None, check)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1e6 and asked[-1] == 20_000 * 19_999
