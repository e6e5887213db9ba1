"""Rows and columns of 0 and 1 in words of 64 bits, against numpy."""

import numpy as np
import pytest

from treelib.table import packed
from treelib.table.binarize import Binarizer
from treelib.table.packed import group_rows, pack_columns, pack_rows, read_bits


@pytest.mark.parametrize("n_columns", [0, 1, 64, 65, 130])
def test_equal_rows_share_a_group(n_columns):
    """Two rows that differ in one bit and share a group, or groups out of the order of their first rows."""
    rng = np.random.default_rng(n_columns)
    columns = rng.integers(0, 2, (5, n_columns), dtype=np.uint8)[rng.integers(0, 5, 200)]
    columns[rng.integers(0, 200, 50)] ^= rng.random((50, n_columns)) < 0.01
    group, first = group_rows(pack_rows(columns))
    seen = {}
    expected = [seen.setdefault(row.tobytes(), len(seen)) for row in columns]
    assert group.tolist() == expected and first.tolist() == [expected.index(g) for g in range(len(seen))]


def test_last_columns_reach_the_slots():
    """A hash whose low bits do not hear of the last sixteen columns: all these rows ask for one slot, and
    each walks past all that came before it."""
    n = 4096
    codes = np.arange(n, dtype=np.uint64)[:, None] << np.uint64(48)
    looked = []

    class Slots(np.ndarray):
        def __getitem__(self, at):
            looked.append(at)
            return super().__getitem__(at)

    slots = np.full(2 * n, -1, np.int64).view(Slots)
    with np.errstate(over="ignore"):
        n_groups = packed.number_groups.py_func(codes, slots, np.empty(n, np.int64), np.empty(n, np.int64))
    assert n_groups == n and len(looked) < 4 * n


@pytest.mark.parametrize("n", [1, 63, 64, 65, 500])
def test_columns_are_packed(n):
    """A row in the place of another, or a last word whose rest is not empty."""
    rng = np.random.default_rng(n)
    columns, flip = rng.integers(0, 2, (n, 7), dtype=np.uint8), rng.integers(0, 2, 7, dtype=np.uint8)
    rows = rng.permutation(n)
    bits = np.unpackbits(pack_columns(columns, rows, flip).view(np.uint8), axis=1, bitorder="little")
    np.testing.assert_array_equal(bits[:, :n], (columns[rows] ^ flip).T)
    assert not bits[:, n:].any()


def test_bits_are_read_as_by_thresholds():
    """A copy or complement that is not found, a table taken for one of 0 and 1, a threshold elsewhere."""
    rng = np.random.default_rng(0)
    for n, p in ((2, 1), (64, 5), (65, 9), (300, 3)):
        X = rng.integers(0, 2, (n, p)).astype(float)
        X[0], X[1] = 0.0, 1.0  # no column is constant
        X[:, -1] = 1.0 - X[:, 0] if n % 2 else X[:, 0]
        one, other, bits = Binarizer(None), Binarizer(None), read_bits(X)
        np.testing.assert_array_equal(one.fit_transform(X), other.fit_transform(X, bits=bits))
        assert vars(one).keys() == vars(other).keys()
        for name, part in vars(one).items():
            np.testing.assert_array_equal(part, vars(other)[name])
            assert getattr(part, "dtype", None) == getattr(vars(other)[name], "dtype", None)
    for odd in (np.nan, np.inf, 2.0, 0.5, -1.0):
        X[-1, 0] = odd
        assert read_bits(X) is None
    assert read_bits(np.zeros((3, 2))) is None and read_bits(np.zeros((2**16, 2))) is None
