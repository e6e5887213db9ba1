"""Classes and their numbers, against numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treelib.table.labels import classes_and_codes

KINDS = ("bool", "int8", "uint8", "int16", "int64", "uint64", "float64", "U3", "object")


@given(st.lists(st.integers(-128, 127), min_size=1, max_size=30), st.sampled_from(KINDS))
def test_classes_are_those_of_numpy(values, kind):
    """A class lost, another type of the classes, or differences of small types that wrap around."""
    y = np.array(values).astype(kind)
    found, expected = classes_and_codes(y), np.unique(y, return_inverse=True)
    assert found[0].dtype == expected[0].dtype and found[1].dtype == np.intp
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("ends", [(-(2**63), -(2**63) + 5), (2**63 - 9, 2**63 - 1), (-(2**63), 2**63 - 1)])
def test_ends_of_the_type(ends):
    """Differences beyond 64 bits, or a table of all numbers between."""
    y = np.random.default_rng(0).choice(np.array(ends), 2000)
    for one, other in zip(classes_and_codes(y), np.unique(y, return_inverse=True), strict=True):
        np.testing.assert_array_equal(one, other)
    y = y.astype(np.uint64)
    for one, other in zip(classes_and_codes(y), np.unique(y, return_inverse=True), strict=True):
        np.testing.assert_array_equal(one, other)


def test_many_whole_numbers_are_not_sorted(monkeypatch):
    """A fit of a million rows that sorts their classes before it first looks at the clock."""
    monkeypatch.setattr(np, "unique", lambda *_, **__: pytest.fail("sorted"))
    classes, codes = classes_and_codes(np.arange(5000) % 7 + 3)
    assert classes.tolist() == list(range(3, 10)) and codes[:8].tolist() == [0, 1, 2, 3, 4, 5, 6, 0]
