"""Encoded tables whose parts are made when they are asked for."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from treelib.table.encode import TableEncoder
from treelib.table.on_demand import OnDemand


def tables():
    """A frame, its encoder, and its encoded matrix."""
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(["red", "blue", None, "red", "green"]),
            "age": [3.0, np.nan, 5.0, 6.0, 1.0],
            "city": ["Rome", "Oslo", "Rome", "Bonn", "Oslo"],
            "size": [1, 2, 3, 4, 5],
        }
    )
    encoder = TableEncoder()
    return frame, encoder, encoder.fit_transform(frame, list(frame.columns))


@pytest.mark.parametrize(
    "rows", [slice(None), slice(1, 4), np.array([4, 0, 0]), np.array([True, False] * 2 + [True])]
)
@pytest.mark.parametrize("chosen", [None, np.array([3, 0, 4])])
def test_every_part_is_that_of_the_encoded_table(rows, chosen):
    """A greedy tree grown on other numbers than the table holds."""
    frame, encoder, encoded = tables()
    table = OnDemand(encoder, frame)
    if chosen is not None:
        table, encoded = table[chosen], encoded[chosen]
        rows = slice(1, 3) if isinstance(rows, slice) and rows.start else slice(None)
    assert table.shape == encoded.shape and len(table) == len(encoded) and table.size == encoded.size
    np.testing.assert_array_equal(np.asarray(table[rows]), encoded[rows])
    np.testing.assert_array_equal(table[rows, 1:4], encoded[rows, 1:4])
    np.testing.assert_array_equal(table[rows, np.array([0, 5])], encoded[rows][:, [0, 5]])
    for column in range(encoded.shape[1]):
        np.testing.assert_array_equal(table[rows, column], encoded[rows, column])
    assert table.nbytes == 2 * len(frame)  # the codes of two columns


def test_blank_columns_hold_zeros():
    """A tree that tests a column that is not allowed."""
    frame, encoder, encoded = tables()
    blank = np.arange(encoded.shape[1]) % 2 == 0
    table = OnDemand(encoder, frame).without(blank)
    expected = np.where(blank, 0.0, encoded)
    np.testing.assert_array_equal(np.asarray(table[1:]), expected[1:])
    np.testing.assert_array_equal(table[1:, :], expected[1:])
    np.testing.assert_array_equal(table[:, 2], expected[:, 2])


def test_some_columns_of_some_rows_are_taken_alone():
    """Columns of all rows that are copied for each piece of a table that is read in pieces."""
    X = pd.DataFrame(np.random.default_rng(0).random((50_000, 20))).assign(colour=["red", "blue"] * 25_000)
    X.columns = X.columns.astype(str)
    encoder = TableEncoder()
    encoder.fit_transform(X, list(X.columns))
    table = OnDemand(encoder, X)
    asked = np.array([3, 7, 12])  # of evenly spaced ones pandas makes a view
    table[:10, asked]
    tracemalloc.start()
    try:
        few = table[100:110, asked]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (few == X.iloc[100:110, asked].to_numpy()).all() and peak < 8 * len(X)
