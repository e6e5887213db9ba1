"""Inputs that are wrong or odd, and what becomes of them: "fits", or the error with part of its message.

Each entry of `DATA` changes a good problem (six columns, three classes); each entry of `SETTINGS` changes a
parameter of one estimator. `outcomes` tries them on every estimator.
"""

import datetime
import decimal
import fractions

import numpy as np
import pandas as pd
import scipy.sparse

try:
    import pyarrow
except ModuleNotFoundError:  # optional
    pyarrow = None
try:
    import polars
except ModuleNotFoundError:
    polars = None

FITS = "fits"
_DAY = datetime.date(2020, 1, 1)


def good():
    """Float64 (60, 6) and classes (60,) in three names."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 8, (60, 6)).astype(float)
    y = np.array(["a", "b", "c"])[(X[:, 0] > 3).astype(int) + (X[:, 1] > 4)]
    return X, y


def _set(X, place, value):
    X = X.copy()
    X[place] = value
    return X


def _frame(X, **columns):
    return pd.DataFrame(X, columns=list("pqrstu")).assign(**columns)


def _arrow(X, **columns):
    return pyarrow.table({**dict(zip("pqrstu", X.T, strict=True)), **columns})


def _polars(X, **columns):
    return polars.DataFrame({**dict(zip("pqrstu", X.T, strict=True)), **columns})


class _NotAnArray:
    pass


def _memory_map(X):
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".npy", delete=False) as file:
        np.save(file, X)
    return np.load(file.name, mmap_mode="r")


# name -> (function of X and y that gives X, y and optionally sample_weight; outcome)
DATA = {
    # types
    "X is None": (lambda X, y: (None, y), "X is None; give a table"),
    "X is text": (lambda X, y: ("abc", y), "X is the text 'abc', not a table"),
    "X is a number": (lambda X, y: (3.0, y), "X is of type float; give a numpy array"),
    "X is an object of no known type": (lambda X, y: (_NotAnArray(), y), "X is of type _NotAnArray"),
    "X is a list of lists": (lambda X, y: (X.tolist(), y), FITS),
    "X is a tuple of tuples": (lambda X, y: (tuple(map(tuple, X)), y), FITS),
    "X is a ragged list": (lambda X, y: ([[1, 2], [3]] * 30, y), "row 0 has 2 values, row 1 has 1"),
    "X holds text": (lambda X, y: (_set(X.astype(object), (0, 0), "x"), y), "column 0 holds 'x' in row 0"),
    "X holds dictionaries": (
        lambda X, y: (_set(X.astype(object), (0, 0), {}), y),
        "column 0 holds {} in row 0",
    ),
    "X holds None": (lambda X, y: (_set(X.astype(object), (0, 0), None), y), FITS),
    "X is complex": (lambda X, y: (X.astype(complex), y), "real and imaginary parts as columns"),
    "X holds times": (lambda X, y: (X.astype("datetime64[D]"), y), "dates"),
    "X is structured": (
        lambda X, y: (np.zeros(60, dtype=[("a", float), ("b", float)]), y),
        r"structured array.*give pandas\.DataFrame",
    ),
    "X is a sparse matrix": (lambda X, y: (scipy.sparse.csr_matrix(X), y), FITS),
    "X is a sparse array": (lambda X, y: (scipy.sparse.coo_array(X), y), FITS),
    "X is masked": (lambda X, y: (np.ma.masked_greater(X, 100), y), FITS),
    "X has masked entries": (lambda X, y: (np.ma.masked_greater(X, 5), y), "X has masked entries.*filled"),
    "X is a matrix": (lambda X, y: (np.asmatrix(X), y), "matrix"),
    "X is a generator": (lambda X, y: ((row for row in X), y), "X is of type generator; give a numpy array"),
    "X is an iterator": (
        lambda X, y: (iter(X.tolist()), y),
        "X is of type list_iterator; give a numpy array",
    ),
    "X is a set": (lambda X, y: ({1, 2, 3}, y), r"X is a set; give a table, for example pandas\.DataFrame"),
    "X is a dictionary of columns": (
        lambda X, y: (dict(zip("pqrstu", X.T, strict=True)), y),
        r"X is a dict; give a table, for example pandas\.DataFrame",
    ),
    "X is a list of dictionaries": (
        lambda X, y: ([dict(zip("pqrstu", row, strict=True)) for row in X], y),
        r"X is a list of dictionaries; give a table, for example pandas\.DataFrame",
    ),
    "X is a list of arrays": (lambda X, y: (list(X), y), FITS),
    "X is a list of arrays of different lengths": (
        lambda X, y: ([row[: 3 + i % 2] for i, row in enumerate(X)], y),
        "row 0 has 3 values, row 1 has 4",
    ),
    "X is bytes": (lambda X, y: (b"abc", y), "X is the text b'abc', not a table"),
    "X is a zero-dimensional array": (lambda X, y: (np.array(3.0), y), "2D array"),
    "X is a series": (lambda X, y: (pd.Series(X[:, 0]), y), "DataFrame|2D"),
    "X is raw memory": (lambda X, y: (np.zeros((60, 2), dtype="V8"), y), "column 0 holds b.* in row 0"),
    "X holds durations": (lambda X, y: (X.astype("m8[D]"), y), "durations"),
    "X holds dates as objects": (
        lambda X, y: (_set(X.astype(object), (0, 0), datetime.date(2020, 1, 1)), y),
        "column 0 holds datetime.date.* in row 0",
    ),
    "X holds complex objects": (
        lambda X, y: (_set(X.astype(object), (0, 0), 1 + 2j), y),
        r"column 0 holds \(1\+2j\) in row 0",
    ),
    "X holds pandas' NA": (
        lambda X, y: (_set(X.astype(object), (0, 0), pd.NA), y),
        "column 0 holds <NA> in row 0; write missing numbers as NaN",
    ),
    "X holds NaT": (
        lambda X, y: (_set(X.astype(object), (0, 0), pd.NaT), y),
        "column 0 holds NaT in row 0; write missing numbers as NaN",
    ),
    "X holds truth values and NaN": (lambda X, y: (_set((X > 3).astype(object), (0, 0), np.nan), y), FITS),
    "X holds arrays": (
        lambda X, y: (_set(X.astype(object), (0, 0), [[1.0]]), y),
        "column 0 holds .*1.0.* in row 0",
    ),
    "X holds the text of infinity": (
        lambda X, y: (_set(X.astype(object), (0, 0), "inf"), y),
        "column 0 holds 'inf' in row 0",
    ),
    "X holds an empty text": (
        lambda X, y: (_set(X.astype(object), (0, 0), ""), y),
        "column 0 holds '' in row 0",
    ),
    "X holds numbers as text": (lambda X, y: (X.astype(str), y), FITS),
    "X holds decimals": (
        lambda X, y: ([[decimal.Decimal(v) for v in row] for row in X.tolist()], y),
        FITS,
    ),
    "X holds fractions": (
        lambda X, y: ([[fractions.Fraction(int(v), 3) for v in row] for row in X.tolist()], y),
        FITS,
    ),
    # shapes
    "X is empty": (lambda X, y: (X[:0], y[:0]), "0 (row|sample)|minimum of 1"),
    "X has no columns": (lambda X, y: (X[:, :0], y), "0 feature|minimum of 1"),
    "X has one row": (lambda X, y: (X[:1], y[:1]), FITS),
    "X has two rows": (lambda X, y: (X[:2], y[:2]), FITS),
    "X is a vector": (lambda X, y: (X[:, 0], y), "1D|2D"),
    "X is a cube": (lambda X, y: (X.reshape(60, 3, 2), y), "3|dim"),
    "X and y differ in length": (lambda X, y: (X, y[:-1]), "inconsistent|number"),
    "X has one column": (lambda X, y: (X[:, :1], y), FITS),
    "X has more columns than an array has axes": (lambda X, y: (np.tile(X, 20) + np.arange(120), y), FITS),
    "one column of seventy varies": (
        lambda X, y: (np.column_stack([np.ones((60, 69)), X[:, 0]]), y),
        FITS,
    ),
    # values
    "X holds NaN": (lambda X, y: (_set(X, (0, 0), np.nan), y), FITS),
    "a column is all NaN": (lambda X, y: (_set(X, (slice(None), 5), np.nan), y), FITS),
    "everything is NaN": (lambda X, y: (np.full_like(X, np.nan), y), FITS),
    "X holds infinity": (lambda X, y: (_set(X, (0, 0), np.inf), y), "column 0 holds inf in row 0"),
    "X holds minus infinity": (lambda X, y: (_set(X, (0, 0), -np.inf), y), "column 0 holds -inf in row 0"),
    "a column is constant": (lambda X, y: (_set(X, (slice(None), 5), 1.0), y), FITS),
    "all columns are constant": (lambda X, y: (np.ones_like(X), y), FITS),
    "all columns are equal": (lambda X, y: (np.repeat(X[:, :1], 6, axis=1), y), FITS),
    "all rows are equal": (lambda X, y: (np.repeat(X[:1], 60, axis=0), y), FITS),
    "values as large as float64": (lambda X, y: (X * 2e307, y), FITS),
    "a whole number beyond float64": (
        lambda X, y: (_set(X.astype(object), (0, 0), 10**400), y),
        "too large to convert to float: column 0 holds 1000.* in row 0",
    ),
    "a whole number beyond 64 bits": (lambda X, y: (_set(X.astype(object), (0, 0), 10**30), y), FITS),
    "whole numbers that float64 takes for one": (lambda X, y: (X.astype(np.int64) + 2**60, y), FITS),
    "whole numbers that float64 takes for one, as objects": (
        lambda X, y: (X.astype(int).astype(object) + 10**30, y),
        FITS,
    ),
    "a number beyond float16": (
        lambda X, y: (_set(X.astype(np.float16), (0, 0), np.inf), y),
        "column 0 holds inf in row 0",
    ),
    "numbers beyond float64 in float128": (
        lambda X, y: (X.astype(np.longdouble) * np.finfo(float).max, y),
        "column 0 holds .* in row 0",
    ),
    "the two smallest numbers": (lambda X, y: (np.where(X > 3, 5e-324, -5e-324), y), FITS),
    "both zeros": (lambda X, y: (np.where(X > 3, 0.0, -0.0), y), FITS),
    "both ends of float64": (lambda X, y: (np.where(X > 3, 1.0, -1.0) * np.finfo(float).max, y), FITS),
    "values as small as float64": (lambda X, y: (X * 5e-324, y), FITS),
    "neighbouring floats": (lambda X, y: (np.nextafter(1.0, 2.0) * (X > 3) + 1.0 * (X <= 3), y), FITS),
    "negative zero": (lambda X, y: (_set(X, X == 0, -0.0), y), FITS),
    # layouts and dtypes
    "Fortran order": (lambda X, y: (np.asfortranarray(X), y), FITS),
    "every other column": (lambda X, y: (np.repeat(X, 2, axis=1)[:, ::2], y), FITS),
    "rows backwards": (lambda X, y: (X[::-1], y[::-1]), FITS),
    "rows and columns backwards": (lambda X, y: (X[::-1, ::-1], y[::-1]), FITS),
    "one row in memory for all": (lambda X, y: (np.broadcast_to(X[:1], X.shape), y), FITS),
    "not aligned": (
        lambda X, y: (np.frombuffer(b"x" + X.tobytes(), "u1")[1:].view(float).reshape(X.shape), y),
        FITS,
    ),
    "read-only": (lambda X, y: (np.frombuffer(X.tobytes()).reshape(X.shape), y), FITS),
    "memory map": (lambda X, y: (_memory_map(X), y), FITS),
    "big endian": (lambda X, y: (X.astype(">f8"), y), FITS),
    "bool": (lambda X, y: (X > 3, y), FITS),
    "int8": (lambda X, y: (X.astype(np.int8), y), FITS),
    "uint64": (lambda X, y: (X.astype(np.uint64), y), FITS),
    "float16": (lambda X, y: (X.astype(np.float16), y), FITS),
    "float32": (lambda X, y: (X.astype(np.float32), y), FITS),
    "float128": (lambda X, y: (X.astype(np.longdouble), y), FITS),
    "numbers as objects": (lambda X, y: (X.astype(object), y), FITS),
    # frames
    "frame": (lambda X, y: (_frame(X), y), FITS),
    "frame with a shuffled index": (
        lambda X, y: (_frame(X).set_index(np.arange(60)[::-1]), pd.Series(y)),
        FITS,
    ),
    "frame with an index of times": (
        lambda X, y: (_frame(X).set_index(pd.date_range("2020", periods=60)), y),
        FITS,
    ),
    "frame with a multi-index": (
        lambda X, y: (_frame(X).set_index(pd.MultiIndex.from_product([range(6), range(10)])), y),
        FITS,
    ),
    "frame with equal column names": (
        lambda X, y: (pd.DataFrame(X, columns=list("ppqrst")), y),
        "X has 2 columns named 'p'; give each",
    ),
    "frame with names of two types": (
        lambda X, y: (pd.DataFrame(X, columns=["p", 1, "q", 2, "r", 3]), y),
        "[Ff]eature names|str",
    ),
    "frame with a text column": (lambda X, y: (_frame(X, v=["red", "green"] * 30), y), FITS),
    "frame without columns": (
        lambda X, y: (pd.DataFrame(index=range(60)), y),
        "X has 0 columns; give at least",
    ),
    "frame without rows": (lambda X, y: (pd.DataFrame(columns=list("pq")), y[:0]), "0 (row|sample)"),
    "frame with levels of columns": (
        lambda X, y: (pd.DataFrame(X, columns=pd.MultiIndex.from_product([["p", "q"], [1, 2, 3]])), y),
        FITS,
    ),
    "frame with a repeated index": (
        lambda X, y: (_frame(X).set_index(np.zeros(60)), pd.Series(y, index=np.ones(60))),
        FITS,
    ),
    "frame with equal names and text": (
        lambda X, y: (pd.DataFrame(X, columns=list("ppqrst")).assign(v=["red", "green"] * 30), y),
        "X has 2 columns named 'p'; give each",
    ),
    "frame of sparse columns": (lambda X, y: (_frame(X).astype(pd.SparseDtype(float, 0)), y), "[Ss]parse"),
    "frame with unused categories": (
        lambda X, y: (_frame(X, v=pd.Categorical(["a", "b"] * 30, categories=list("abcdef"))), y),
        FITS,
    ),
    "frame with categories of numbers": (lambda X, y: (_frame(X, v=pd.Categorical([3, 10] * 30)), y), FITS),
    "frame with nullable text": (
        lambda X, y: (_frame(X, v=pd.array(["a", None] * 30, dtype="string")), y),
        FITS,
    ),
    "frame with periods": (
        lambda X, y: (_frame(X, v=pd.period_range("2020", periods=60)), y),
        "'v' .* dates",
    ),
    "frame with intervals": (
        lambda X, y: (_frame(X, v=pd.arrays.IntervalArray.from_breaks(range(61))), y),
        "column 'v' holds Interval",
    ),
    "frame with arrays": (
        lambda X, y: (_frame(X, v=pd.Series([np.arange(2)] * 60)), y),
        "type ndarray, .* give each|column 'v' holds array",
    ),
    "frame with complex numbers": (lambda X, y: (_frame(X, v=[1 + 2j] * 60), y), "real and imaginary parts"),
    "frame with unsorted categories": (
        lambda X, y: (_frame(X, v=pd.Categorical(["z", "a"] * 30, categories=["z", "b", "a"])), y),
        FITS,
    ),
    "frame with an empty category": (
        lambda X, y: (_frame(X, v=pd.Categorical([None] * 60, categories=["a"])), y),
        FITS,
    ),
    "frame with nullable integers": (
        lambda X, y: (_frame(X, v=pd.array([1, None] * 30, dtype="Int64")), y),
        FITS,
    ),
    "frame with nullable booleans": (
        lambda X, y: (_frame(X, v=pd.array([True, None] * 30, dtype="boolean")), y),
        FITS,
    ),
    "frame with booleans": (lambda X, y: (_frame(X, v=[True, False] * 30), y), FITS),
    "frame with times": (lambda X, y: (_frame(X, v=pd.date_range("2020", periods=60)), y), "'v' .* dates"),
    "frame with durations": (
        lambda X, y: (_frame(X, v=pd.to_timedelta(np.arange(60), unit="D")), y),
        "'v' .* durations",
    ),
    "frame with lists": (
        lambda X, y: (_frame(X, v=pd.Series([[1]] * 60)), y),
        "type list, .* give each",
    ),
    "frame with mixed text and numbers": (lambda X, y: (_frame(X, v=["a", 1] * 30), y), FITS),
    "frame with an infinite value": (
        lambda X, y: (_frame(X, v=[*[1.0] * 59, np.inf]), y),
        "column 'v' holds inf in row 59",
    ),
    "frame with text and an infinite value": (
        lambda X, y: (_frame(X, v=["red", "green"] * 30, w=[*[1.0] * 59, -np.inf]), y),
        "column 'w' holds -inf in row 59",
    ),
    # classes
    "y is None": (lambda X, y: (X, None), "y.*None|requires y"),
    "y is empty": (lambda X, y: (X, y[:0]), "inconsistent|number"),
    "y has one class": (lambda X, y: (X, np.full(60, "a")), FITS),
    "y holds NaN": (lambda X, y: (X, _set(np.arange(60.0) % 2, 0, np.nan)), "NaN: drop the rows"),
    "y holds infinity": (lambda X, y: (X, _set(np.arange(60.0) % 2, 0, np.inf)), "[Ii]nfinit"),
    "y holds None": (lambda X, y: (X, _set(y.astype(object), 0, None)), "None|order"),
    "y is a series with missing text": (
        lambda X, y: (_frame(X, v=["a"] * 60), pd.Series(_set(y.astype(object), 0, None))),
        "y holds None or NaN",
    ),
    "y is a series of text with NA": (
        lambda X, y: (X, pd.Series(["a", None] * 30, dtype="string")),
        "y holds missing values; drop the rows",
    ),
    "y holds NA beside categories": (
        lambda X, y: (_frame(X, v=["red", "green"] * 30), pd.Series(["a", pd.NA] * 30, dtype=object)),
        "y holds None or NaN; drop the rows",
    ),
    "y is a series of whole numbers with NA": (
        lambda X, y: (X, pd.Series([1, None] * 30, dtype="Int64")),
        "y contains NaN: drop the rows",
    ),
    "y holds truth values and NaN": (lambda X, y: (X, [True, np.nan] * 30), "y contains NaN: drop the rows"),
    "y holds dates": (lambda X, y: (X, np.array(["2020", "2021"] * 30, dtype="M8[Y]")), FITS),
    "y holds NaT": (lambda X, y: (X, np.array(["2020", "NaT"] * 30, dtype="M8[Y]")), "y holds NaT; drop the"),
    "y is ragged": (lambda X, y: (X, [[1, 2], [3]] * 30), "y must .* row 0 has 2 values, row 1 has 1"),
    "y is structured": (
        lambda X, y: (X, np.zeros(60, dtype=[("a", int)])),
        "y is a structured array .* give one of its fields",
    ),
    "y holds tuples": (
        lambda X, y: (X, pd.Series([(1, 2), (3, 4)] * 30)),
        "type tuple; give one class a row",
    ),
    "y holds dates as objects": (lambda X, y: (X, [_DAY] * 60), r"type date; give .* y\.astype\(str\)"),
    "y holds whole numbers beyond 64 bits": (
        lambda X, y: (X, [10**30, 1] * 30),
        r"type int; give .* y\.astype\(str\)",
    ),
    "y holds truth values as objects": (
        lambda X, y: (X, np.array([True, False] * 30, dtype=object)),
        FITS,
    ),
    "y is a generator": (lambda X, y: (X, (label for label in y)), r"shape \(\)"),
    "y is a text": (lambda X, y: (X, "a" * 60), r"shape \(\)"),
    "y is a frame of two columns": (lambda X, y: (X, pd.DataFrame({"a": y, "b": y})), r"1d.*\(60, 2\)"),
    "y is a frame of one column": (lambda X, y: (X, pd.DataFrame({"a": y})), FITS),
    "y is a row": (lambda X, y: (X, y[None, :]), r"1d.*\(1, 60\)"),
    "y is complex": (lambda X, y: (X, np.where(y == "a", 1j, 0)), "[Cc]omplex"),
    "y is both zeros": (lambda X, y: (X, np.where(y == "a", 0.0, -0.0)), FITS),
    "y is a sparse column": (
        lambda X, y: (X, scipy.sparse.csr_matrix((X[:, :1] > 3).astype(int))),
        "[Ss]parse",
    ),
    "y is continuous": (lambda X, y: (X, np.linspace(0, 1, 60)), "continuous"),
    "y has two columns": (lambda X, y: (X, np.column_stack([y, y])), "1d|2"),
    "y is a column": (lambda X, y: (X, y[:, None]), FITS),
    "y is bool": (lambda X, y: (X, X[:, 0] > 3), FITS),
    "y is negative": (lambda X, y: (X, np.where(X[:, 0] > 3, -5, 7)), FITS),
    "y has gaps": (lambda X, y: (X, np.where(X[:, 0] > 3, 0, 10**9)), FITS),
    "y is 2^63": (lambda X, y: (X, np.where(X[:, 0] > 3, np.uint64(0), np.uint64(2**64 - 1))), FITS),
    "y is bytes": (lambda X, y: (X, y.astype("S1")), "bytes"),
    "y mixes types": (lambda X, y: (X, np.array(["a", 1] * 30, dtype=object)), "type|order|mix|string"),
    "y has masked entries": (
        lambda X, y: (X, np.ma.masked_equal(X[:, 0] > 3, False)),
        "y has masked entries",
    ),
    "y is categorical": (lambda X, y: (X, pd.Categorical(y)), FITS),
    "y is a series": (lambda X, y: (X, pd.Series(y, index=np.arange(60)[::-1])), FITS),
    "y has as many classes as rows": (lambda X, y: (X[:8], np.arange(8)), FITS),
    # weights
    "weights are None": (lambda X, y: (X, y, None), FITS),
    "weights are ones": (lambda X, y: (X, y, np.ones(60)), FITS),
    "weights are zero": (lambda X, y: (X, y, np.zeros(60)), "zero|positive"),
    "some weights are zero": (lambda X, y: (X, y, np.arange(60) % 2), FITS),
    "weights are negative": (lambda X, y: (X, y, np.full(60, -1.0)), "[Nn]egative"),
    "weights hold NaN": (lambda X, y: (X, y, _set(np.ones(60), 0, np.nan)), "NaN"),
    "weights hold infinity": (lambda X, y: (X, y, _set(np.ones(60), 0, np.inf)), "[Ii]nfinit"),
    "weights have another length": (lambda X, y: (X, y, np.ones(59)), "sample_weight|shape|inconsistent"),
    "weights are a table": (lambda X, y: (X, y, np.ones((60, 2))), "1D|sample_weight|shape|dim"),
    "weights are text": (lambda X, y: (X, y, ["a"] * 60), "sample_weight must hold one number a row"),
    "weights are ragged": (
        lambda X, y: (X, y, [[1], [2, 3]] * 30),
        "sample_weight must hold one number a row",
    ),
    "weights are dates": (
        lambda X, y: (X, y, np.full(60, "2020", dtype="M8[Y]")),
        "sample_weight must hold one number a row",
    ),
    "weights are huge": (lambda X, y: (X, y, np.full(60, 1e306)), FITS),
    "weights overflow in sum": (lambda X, y: (X, y, np.full(60, 1.7e308)), "too large"),
    "weights are tiny": (lambda X, y: (X, y, np.full(60, 1e-300)), FITS),
    "weights are smaller than float64 can multiply": (
        lambda X, y: (X, y, np.full(60, 1e-320)),
        "between 0 and 1e-300",
    ),
    "weights are beyond float64": (
        lambda X, y: (X, y, [10**400] * 60),
        "sample_weight must hold one number a row: int too large",
    ),
    "weights are a sparse column": (
        lambda X, y: (X, y, scipy.sparse.csr_matrix(np.ones((60, 1)))),
        "sample_weight must hold one number a row",
    ),
    "weights are complex": (lambda X, y: (X, y, np.ones(60) + 0j), "its dtype is complex128"),
    "weights are a generator": (
        lambda X, y: (X, y, (1.0 for _ in y)),
        "sample_weight must hold one number a row: .*'generator'",
    ),
    "weights are a column": (
        lambda X, y: (X, y, np.ones((60, 1))),
        r"shape \(60, 1\); give one weight a row",
    ),
    "weights are negative zero": (lambda X, y: (X, y, np.where(X[:, 0] > 1, 1.0, -0.0)), FITS),
    "weights leave one row": (lambda X, y: (X, y, _set(np.zeros(60), 0, 1.0)), FITS),
    "weights have masked entries": (
        lambda X, y: (X, y, np.ma.masked_array(np.ones(60), np.arange(60) < 5)),
        "sample_weight has masked entries",
    ),
    "one weight dwarfs all": (lambda X, y: (X, y, _set(np.ones(60), 0, 1e15)), FITS),
    "a single number as weight": (lambda X, y: (X, y, 2.0), FITS),
}

if pyarrow is not None:
    DATA |= {
        "arrow table": (lambda X, y: (_arrow(X), pyarrow.array(y)), FITS),
        "arrow batch, y in chunks": (
            lambda X, y: (_arrow(X).to_batches()[0], pyarrow.chunked_array([y[:7], y[7:]])),
            FITS,
        ),
        "arrow table, y a dictionary": (lambda X, y: (_arrow(X), pyarrow.array(y).dictionary_encode()), FITS),
        "arrow y with nulls": (
            lambda X, y: (_arrow(X), pyarrow.array(np.where(y == "a", None, y))),
            "y holds None|Input contains NaN",
        ),
        "arrow table with nulls": (lambda X, y: (_arrow(X, v=[1, None] * 30), y), FITS),
        "arrow table with text": (lambda X, y: (_arrow(X, v=["red", None] * 30), y), FITS),
        "arrow table with a dictionary column": (
            lambda X, y: (_arrow(X, v=pyarrow.array(["red", "green"] * 30).dictionary_encode()), y),
            FITS,
        ),
        "arrow table with dates": (lambda X, y: (_arrow(X, v=[_DAY] * 60), y), "'v' .* dates"),
        "arrow table with times": (lambda X, y: (_arrow(X, v=[datetime.time(1)] * 60), y), "'v' .* dates"),
        "arrow table with lists": (lambda X, y: (_arrow(X, v=[[1, 2]] * 60), y), "'v' .* several values"),
        "arrow table with records": (lambda X, y: (_arrow(X, v=[{"a": 1}] * 60), y), "'v' .* several values"),
        "arrow table with bytes": (lambda X, y: (_arrow(X, v=[b"x"] * 60), y), "'v' .* bytes"),
        "frame with dates of arrow": (
            lambda X, y: (_arrow(X, v=[_DAY] * 60).to_pandas(types_mapper=pd.ArrowDtype), y),
            "'v' .* dates",
        ),
        "frame with dictionaries of arrow": (
            lambda X, y: (
                _arrow(X, v=pyarrow.array(["red", "green"] * 30).dictionary_encode()).to_pandas(
                    types_mapper=pd.ArrowDtype
                ),
                y,
            ),
            FITS,
        ),
    }

if polars is not None:
    DATA |= {
        "polars frame": (lambda X, y: (_polars(X), polars.Series(y)), FITS),
        "polars frame with text": (lambda X, y: (_polars(X, v=["red", None] * 30), y), FITS),
        "polars frame with dates": (lambda X, y: (_polars(X, v=[_DAY] * 60), y), "'v' .* dates"),
        "polars frame with durations": (
            lambda X, y: (_polars(X, v=[datetime.timedelta(1)] * 60), y),
            "'v' .* durations",
        ),
        "polars frame with lists": (lambda X, y: (_polars(X, v=[[1, 2]] * 60), y), "'v' .* several values"),
        "polars frame with records": (
            lambda X, y: (_polars(X, v=[{"a": 1}] * 60), y),
            "'v' .* several values",
        ),
    }

_LIMITS = {
    "time_limit": [
        (0, "positive"),
        (-1, "positive"),
        (np.nan, "positive"),
        ("1", "positive"),
        (True, "positive"),
    ],
    "memory_limit": [
        (0, "positive"),
        (-1, "positive"),
        ("much", "size"),
        ("-3 GB", "size"),
        ("NaN", "size"),
        ("1e400", "size"),
        ("1,5 GB", "size"),
        (-0.0, "positive"),
        ([], "positive"),
    ],
}

# estimator -> parameter -> (value, outcome)
SETTINGS = {
    "OptimalSparseTreeClassifier": {
        "regularization": [
            (-0.1, "0 or more"),
            (np.nan, "finite"),
            (np.inf, "finite"),
            ("0.1", "number"),
            (None, "number"),
            (1e300, FITS),
            (0, FITS),
            (1e-300, FITS),
        ],
        "max_depth": [
            (0, "max_depth"),
            (-1, "max_depth"),
            (1.5, "max_depth"),
            ("2", "max_depth"),
            (10**9, FITS),
        ],
        "max_leaf_nodes": [(0, "max_leaf_nodes"), (-1, "max_leaf_nodes"), (2.5, "max_leaf_nodes"), (1, FITS)],
        "max_thresholds": [
            (0, "max_thresholds"),
            (-1, "max_thresholds"),
            (1.5, "max_thresholds"),
            (10**9, FITS),
        ],
        "min_samples_leaf": [
            (0, "min_samples_leaf"),
            (-3, "min_samples_leaf"),
            (2.0, "min_samples_leaf"),
            (np.nan, "min_samples_leaf"),
            ("few", "min_samples_leaf"),
            (None, "min_samples_leaf"),
            (10**20, FITS),
        ],
        "monotonic_cst": [
            ("up", "monotonic_cst"),
            (3, "monotonic_cst"),
            ({99: 1}, "99"),
            ({0: np.nan}, "monotonic_cst"),
            ({0: [1]}, "monotonic_cst"),
            ({0: 0}, FITS),
        ],
        "allowed_features": [([99], "allowed_features"), ([True], "mask"), (1.5, "1.5"), ([0], FITS)],
        "required_features": [([99], "required_features"), ([None], "None"), ("zebra", "zebra"), ([], FITS)],
        "categorical_features": [("all", "categorical_features"), ([99], "99|categorical"), ([True], "mask")],
        "class_weight": [
            ("even", "class_weight"),
            ({"zebra": 2}, "zebra"),
            ({"a": -1, "b": 1, "c": 1}, "weight"),
            ({"a": np.nan, "b": 1, "c": 1}, "weight"),
            ({"a": 5e-324, "b": 1, "c": 1}, "weight"),
            (3, "class_weight"),
        ],
        "cost_matrix": [
            (np.ones((2, 2)), "cost_matrix"),
            (-np.ones((3, 3)), "negative|cost_matrix"),
            ([[0, 1], [1, 0, 2]], "cost_matrix"),
            ("costs", "cost_matrix"),
            (np.full((3, 3), np.nan), "cost_matrix|finite"),
        ],
        "initial_tree": [("tree", "initial_tree"), (3, "initial_tree")],
        "node_limit": [(0, "positive"), (-5, "positive"), (np.nan, "positive"), (1.5, "whole")],
        **_LIMITS,
    },
    "DyadicTreeClassifier": {
        "regularization": [
            (-0.1, "regularization"),
            (np.nan, "regularization"),
            ("low", "regularization"),
            (5.0, FITS),
        ],
        "max_splits": [
            (-1, "max_splits"),
            (1.5, "max_splits"),
            ([1, 2], "max_splits"),
            ([[1], [1, 2]], "max_splits"),
            ("few", "max_splits"),
            (0, FITS),
        ],
        "box": [((0, 1), "box"), ("unit", "box"), ((np.ones(6), np.zeros(6)), "box")],
        "widen": [(-1.0, "widen"), (np.nan, "widen"), ("2 %", "widen"), ([], "widen"), (None, "widen")],
        "closed": [("both", "closed"), (["left"], "closed"), (np.array(["left", "right"]), "closed")],
        "split_rule": [("best", "split_rule")],
        "free_empty_leaves": [("no", "free_empty_leaves"), ([], "free_empty_leaves"), (1, FITS)],
        "verbose": [("no", "verbose"), (-1, "verbose"), (np.ones(2), "verbose")],
        **_LIMITS,
    },
    "TopDownTreeClassifier": {
        "criterion": [
            ("giny", "criterion"),
            (3, "criterion"),
            (None, "criterion"),
            (np.array(["gini", "entropy"]), "criterion"),
        ],
        "max_depth": [(-1, "max_depth"), (1.5, "max_depth"), ("2", "max_depth"), (10**20, FITS)],
        "max_leaf_nodes": [(0, "max_leaf_nodes"), (1.5, "max_leaf_nodes"), (10**20, FITS)],
        "min_samples_leaf": [
            (0, "min_samples_leaf"),
            (-3, "min_samples_leaf"),
            (2.0, "min_samples_leaf"),
            (10**20, FITS),
        ],
        "min_samples_split": [(-3, "min_samples_split"), ("a", "min_samples_split"), (10**20, FITS)],
        "min_weight_fraction_leaf": [(0.9, "min_weight_fraction_leaf"), (-0.1, "min_weight_fraction_leaf")],
        "max_features": [(0, "max_features"), ("all", "max_features"), (-1, "max_features")],
    },
    "BayesianTreeClassifier": {
        "sigma": [(-1.0, "sigma"), (2.0, "sigma"), ("a", "sigma")],
        "phi": [(-1.0, "phi"), (np.nan, "phi")],
        "n_iter": [(0, "n_iter"), (1.5, "n_iter")],
        "n_chains": [(0, "n_chains"), (-1, "n_chains")],
        "concentration": [("a", "concentration"), ({}, "concentration")],
        "min_samples_leaf": [(0, "min_samples_leaf"), (10**30, FITS)],
        "n_jobs": [(0, "n_jobs"), (2.5, "n_jobs")],
        "prediction": [("worst", "prediction"), (np.array(["mean", "best"]), "prediction")],
        "random_state": [("a", "seed"), (-1, "[Ss]eed")],
        **_LIMITS,
    },
}
