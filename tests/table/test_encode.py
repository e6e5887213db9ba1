"""Categorical columns as 0/1 features."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils import check_array

from treelib.table.encode import TableEncoder


def frame():
    return pd.DataFrame(
        {
            "colour": pd.Categorical(["red", "blue", None, "red"], categories=["red", "green", "blue"]),
            "age": [3.0, np.nan, 5.0, 6.0],
            "city": ["Rome", "Oslo", "Rome", "Bonn"],
            "member": [True, False, True, True],
        }
    )


def test_numeric_columns_come_first_then_categories():
    """A wrong order of features or names would give a tree that tests something else than it says."""
    encoder = TableEncoder()
    encoded = encoder.fit_transform(frame(), list(frame().columns))
    assert encoder.feature_names_out_ == (
        "age",
        "member",
        "colour = blue",
        "colour = red",
        "colour is missing",
        "city = Bonn",
        "city = Oslo",
        "city = Rome",
    )
    np.testing.assert_array_equal(
        encoded,
        [
            [3, 1, 0, 1, 0, 0, 0, 1],
            [np.nan, 0, 1, 0, 0, 0, 1, 0],
            [5, 1, 0, 0, 1, 0, 0, 1],
            [6, 1, 0, 1, 0, 1, 0, 0],
        ],
    )


def test_unknown_and_missing_categories_set_nothing_unless_training_had_them():
    """An unseen category must be 'none of them', not an error and not the first one."""
    encoder = TableEncoder()
    encoder.fit_transform(frame(), list(frame().columns))
    new = frame().assign(colour=["pink", "red", np.nan, "blue"], city=[None, "Paris", "Oslo", np.nan])
    encoded = encoder.transform(new)
    np.testing.assert_array_equal(encoded[:, 2:5], [[0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
    np.testing.assert_array_equal(encoded[:, 5:], [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]])


TEXTS = st.sampled_from(["a", "b", "B", "", "zz", None])
NUMBERS = st.sampled_from([0.0, -1.0, 2.5, 7.0, np.nan])


@st.composite
def tables(draw):
    """Two tables of the same columns, each of texts or numbers, and which of them are named categories."""
    columns = draw(st.lists(st.sampled_from([TEXTS, NUMBERS]), min_size=1, max_size=4))
    rows = st.lists(st.tuples(*columns), min_size=1, max_size=8)
    chosen = [k for k, kind in enumerate(columns) if kind is TEXTS or draw(st.booleans())]
    return *(np.array(draw(rows), dtype=object).reshape(-1, len(columns)) for _ in range(2)), chosen


@settings(max_examples=80, deadline=None)
@given(tables())
def test_every_row_is_encoded_as_one_reads_it(problem):
    """A category in another's place, a missing one taken for one of them, or a number moved."""
    train, new, chosen = problem
    is_missing = lambda value: value is None or value != value  # noqa: E731
    features = [("number", k, None) for k in range(train.shape[1]) if k not in chosen]
    for k in chosen:
        seen = sorted({value for value in train[:, k] if not is_missing(value)})
        features += [("is", k, value) for value in seen]
        features += [("missing", k, None)] * any(map(is_missing, train[:, k]))
    encoder = TableEncoder(chosen)
    if not chosen:
        train, new = train.astype(float), new.astype(float)
    for found, table in ((encoder.fit_transform(train), train), (encoder.transform(new), new)):
        expected = [
            [
                row[k] if kind == "number" else is_missing(row[k]) if kind == "missing" else row[k] == value
                for kind, k, value in features
            ]
            for row in table
        ]
        np.testing.assert_array_equal(found, np.array(expected, dtype=float).reshape(len(table), -1))


@pytest.mark.parametrize("dtype", ["object", "string", "str", "category"])
def test_every_text_dtype_of_pandas_is_categorical(dtype):
    """A text dtype that is overlooked would end in 'could not convert string to float'."""
    X = pd.DataFrame({"a": pd.Series(["x", "y", None], dtype=dtype), "b": [1, 2, 3]})
    encoder = TableEncoder()
    assert encoder.has_categories(X)
    assert encoder.fit_transform(X, ["a", "b"]).tolist() == [[1, 1, 0, 0], [2, 0, 1, 0], [3, 0, 0, 1]]


def test_nullable_numbers_stay_numbers():
    """pandas' own missing number must become NaN beside categorical columns too."""
    X = pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "c": ["u", "v"]})
    np.testing.assert_array_equal(TableEncoder().fit_transform(X, ["n", "c"]), [[1, 1, 0], [np.nan, 0, 1]])


def test_polars_frames():
    """A frame without pandas' iloc must work the same."""
    polars = pytest.importorskip("polars", reason="polars is optional")
    X = polars.DataFrame({"c": ["u", "v", None], "n": [1, 2, None]})
    encoder = TableEncoder()
    encoded = encoder.fit_transform(X, X.columns)
    np.testing.assert_array_equal(encoded, [[1, 1, 0, 0], [2, 0, 1, 0], [np.nan, 0, 0, 1]])


@pytest.mark.parametrize("chosen", [[0], [-2], np.array([True, False]), (0,)])
def test_columns_of_an_array_by_index_or_mask(chosen):
    """Arrays have no dtype per column, so their categorical columns are named by position."""
    encoder = TableEncoder(chosen)
    encoded = encoder.fit_transform(np.array([[2.0, 5.0], [7.5, 6.0], [np.nan, 7.0]]))
    assert encoder.feature_names_out_ == ("x1", "x0 = 2", "x0 = 7.5", "x0 is missing")
    np.testing.assert_array_equal(encoded, [[5, 1, 0, 0], [6, 0, 1, 0], [7, 0, 0, 1]])


def test_categories_of_mixed_types_have_an_order():
    """Numbers beside text cannot be sorted by value; fit must not fail, and must be repeatable."""
    X = np.array([["b"], [1], ["a"], [2.5]], dtype=object)
    encoder = TableEncoder([0])
    encoder.fit_transform(X)
    assert encoder.feature_names_out_ == ("x0 = 2.5", "x0 = 1", "x0 = a", "x0 = b")


def test_names_choose_columns_of_a_frame():
    """A number column can be declared categorical by its name."""
    X = pd.DataFrame({"zone": [1, 2, 1], "n": [0.5, 1.5, 2.5]})
    encoder = TableEncoder(["zone"])
    encoder.fit_transform(X, list(X.columns))
    assert encoder.feature_names_out_ == ("n", "zone = 1", "zone = 2")
    assert not TableEncoder(None).has_categories(frame())


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("auto", "not understood"),
        (["size"], "no column"),
        ([4], "below 4"),
        ([1.5], "1.5, which is no column"),
        ([True], "mask of 1 columns"),
    ],
)
def test_bad_categorical_features(chosen, message):
    """A typing error in a column name must be named."""
    with pytest.raises(ValueError, match=message):
        TableEncoder(chosen).has_categories(frame())


def test_a_column_of_names_is_named():
    """Would catch identifiers that become as many features as there are rows without a word."""
    names = [f"passenger {i}" for i in range(20)]
    frame = pd.DataFrame({"name": names, "deck": ["a", "b"] * 10, "age": np.arange(20.0)})
    with pytest.warns(UserWarning, match="Column 'name' of X has another value in each of its 20 rows"):
        encoded = TableEncoder().fit_transform(frame, list(frame.columns))
    assert encoded.shape == (20, 23)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableEncoder().fit_transform(frame.iloc[:19], list(frame.columns))
        TableEncoder().fit_transform(frame[["deck", "age"]], ["deck", "age"])
        TableEncoder([0, 1]).fit_transform(frame, list(frame.columns))


@pytest.mark.parametrize("values", [["b", "a", None, "b"], [3, 1, 3, 2], [2.5, None, 1.0, 2.5]])
def test_categories_of_pandas_are_those_of_objects(values):
    """A column of categories whose codes are read in another order, or with levels that no row has."""
    other = pd.DataFrame({"x": pd.Series(values, dtype=object)})
    levels = [*sorted({value for value in values if value is not None}, reverse=True), values[0] * 7]
    frame = pd.DataFrame({"x": pd.Categorical(values, categories=levels)})
    encoder, known = TableEncoder(), TableEncoder()
    np.testing.assert_array_equal(encoder.fit_transform(frame), known.fit_transform(other))
    assert encoder.categories_ == known.categories_ and encoder.has_missing_ == known.has_missing_
    new = pd.DataFrame({"x": pd.Categorical([values[0] * 7, values[0], None])})
    expected = known.transform(new.astype(object))
    np.testing.assert_array_equal(encoder.transform(new), expected)
    np.testing.assert_array_equal(known.transform(new), expected)


@pytest.mark.parametrize("kinds", [("f8",), ("f4", "i2"), ("?", "u1", "f8"), ("f8", "Int64")])
def test_plain_numbers_are_those_of_scikit_learn(kinds):
    """Columns read past scikit-learn's checks in another order or type, or infinity that is let through."""
    rng = np.random.default_rng(1)
    columns = {"c": list("ab" * 6)} | {kind: rng.integers(0, 2, 12) for kind in kinds}
    X = pd.DataFrame(columns).astype(dict(zip(kinds, kinds, strict=True)) | {"c": "category"})
    encoder = TableEncoder()
    encoder.fit_transform(X)
    asked = encoder.numeric_[::-1]
    naive = check_array(X.iloc[:, asked], dtype=np.float64, ensure_all_finite="allow-nan")
    with pytest.MonkeyPatch.context() as patch:
        if "Int64" not in kinds:
            patch.setattr("sklearn.utils.check_array", None)
        found = encoder.numbers(X, asked)
    assert found.dtype == np.float64 and np.array_equal(found, naive)
    if kinds[0] == "f8":
        X.loc[4, "f8"] = -np.inf
        with pytest.raises(ValueError, match="infinity"):
            encoder.numbers(X, asked)
