"""The radix sort of rows against numpy's sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treelib.topdown.grow.presort import rank_rows


def ranked(values):
    columns = np.array(values, dtype=np.float64)[None]
    n = columns.shape[1]
    rankings = np.empty((1, n), dtype=np.intp)
    rank_rows(columns, *np.empty((3, n), dtype=np.uint64), np.empty((3, 2048), dtype=np.intp), rankings)
    return rankings[0]


def check(values):
    values = np.asarray(values, dtype=np.float64)
    ranking = ranked(values)
    assert np.array_equal(np.sort(ranking), np.arange(len(values)))
    assert np.array_equal(values[ranking], np.sort(values), equal_nan=True)


@given(arrays(np.float64, st.integers(1, 60), elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_any_values(values):
    """A sign, a zero, an infinity, a subnormal or a NaN in the wrong place."""
    check(values)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).normal(size=5000),
        np.random.default_rng(0).integers(0, 17, 5000),
        1000 + np.random.default_rng(0).random(5000) * 1e-9,
        np.where(np.arange(5000) == 17, 1e300, 1 + np.random.default_rng(0).random(5000) * 1e-12),
        np.where(np.arange(5000) % 3 == 1, np.nan, np.random.default_rng(0).normal(size=5000)),
        np.arange(5000)[::-1],
        np.ones(5000),
    ],
    ids=["normal", "few", "narrow", "narrow and far", "missing", "falling", "constant"],
)
def test_distributions(values):
    """Values that agree in their upper bits and stay unsorted, or a digit left out that is not constant."""
    check(values)
