"""Tables of pyarrow and polars give the same trees as those of pandas."""

import decimal
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from treelib import (
    BornAgainTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)
from treelib.table.frames import checked_table, from_arrow

arrow = pytest.importorskip("pyarrow", reason="the extra 'frames' is not installed")


def table():
    rng = np.random.default_rng(5)
    return arrow.table(
        {
            "size": arrow.array(rng.random(60), mask=rng.random(60) < 0.1),
            "count": arrow.array(rng.integers(0, 9, 60), mask=rng.random(60) < 0.1),
            "member": arrow.array(rng.random(60) < 0.5, mask=rng.random(60) < 0.1),
            "colour": arrow.array(rng.choice(["red", "blue"], 60), mask=rng.random(60) < 0.1),
            "zone": arrow.array(rng.choice(["n", "s"], 60), mask=rng.random(60) < 0.1).dictionary_encode(),
        }
    )


def as_pandas(X):
    """The frame that a user of pandas would hold."""
    return X.to_pandas().astype({"member": "boolean", "count": "Int64"})


@pytest.mark.parametrize("kind", [TopDownTreeClassifier, OptimalSparseTreeClassifier])
def test_an_arrow_table_gives_the_tree_of_the_frame(kind):
    """Columns in another order, a null read as a value, or names that are lost."""
    X = table()
    y = np.where(X["colour"].to_pandas().eq("red") & X["count"].to_pandas().gt(3), "yes", "no")
    ours, frames = kind().fit(X, arrow.array(y)), kind().fit(as_pandas(X), y)
    assert list(ours.feature_names_in_) == X.column_names
    assert ours.tree_.feature_names == frames.tree_.feature_names
    assert ours.tree_.to_json() == frames.tree_.to_json()
    for new in (X, X.to_batches()[0], as_pandas(X)):
        np.testing.assert_array_equal(ours.predict(new), frames.predict(as_pandas(X)))
    assert ours.score(X, arrow.chunked_array([y[:9], y[9:]])) == frames.score(as_pandas(X), y)
    with pytest.raises(ValueError, match="feature names"):
        ours.predict(X.rename_columns(list("abcde")))


def test_an_arrow_table_of_numbers_for_born_again_trees_and_regression():
    """An estimator that checks its input by itself and overlooks the table."""
    rng = np.random.default_rng(1)
    X = arrow.table({"p": rng.integers(0, 5, 60), "q": rng.random(60).astype(np.float32)})
    y = arrow.array(X["p"].to_numpy() > 2)
    model = BornAgainTreeClassifier(RandomForestClassifier(10, max_depth=3, random_state=0)).fit(X, y)
    assert model.tree_.feature_names == ("p", "q") and model.score(X, y) == 1
    targets = arrow.array([decimal.Decimal(int(value)) for value in X["p"].to_numpy()])
    np.testing.assert_allclose(TopDownTreeRegressor().fit(X, targets).predict(X), X["p"], atol=1e-12)


def test_numbers_with_nulls_are_numbers():
    """A truth value or decimal with a null that becomes a category, or whole numbers that lose a digit where
    nothing is missing."""
    numbers = {
        "truth": arrow.array([True, None, False]),
        "decimal": arrow.array([decimal.Decimal("1.5"), None, decimal.Decimal("-2")]),
        "nothing": arrow.nulls(3),
        "whole": arrow.array([2**53 + 1, 0, 1]),
    }
    frame = from_arrow(arrow.table(numbers))
    np.testing.assert_array_equal(frame["truth"], [1, np.nan, 0])
    np.testing.assert_array_equal(frame["decimal"], [1.5, np.nan, -2])
    assert frame["nothing"].isna().all() and frame["whole"][0] == 2**53 + 1
    assert all(dtype.kind in "fi" for dtype in frame.dtypes)


def test_every_column_of_an_arrow_table_counts():
    """A column that pandas kept as an index and that silently is no feature."""
    kept = arrow.Table.from_pandas(pd.DataFrame({"p": [1.0, 2.0]}, index=pd.Index([7, 8], name="q")))
    assert list(checked_table(kept).columns) == ["p", "q"]


def test_other_tables_come_back_as_they_are():
    """A copy of what needs none."""
    for X in (np.ones((2, 2)), pd.DataFrame({"p": [1.0]}), [[1.0]], None):
        assert checked_table(X) is X


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "UInt8"])
def test_classes_of_nullable_columns_are_whole_numbers_or_truth_values(dtype):
    """Classes 0.0 and 1.0 of a column of truth values that lacks none."""
    y = pd.Series([True, False, True]).astype(dtype)
    model = TopDownTreeClassifier().fit([[0.0], [1.0], [0.0]], y)
    assert model.classes_.dtype == y.dtype.numpy_dtype
    assert model.tree_.class_names == (("False", "True") if dtype == "boolean" else ("0", "1"))
    y[1] = pd.NA
    with pytest.raises(ValueError, match="drop the rows where it is unknown"):
        TopDownTreeClassifier().fit([[0.0], [1.0], [0.0]], y)


def test_sparse_columns_are_refused_with_what_to_give():
    """Advice that a data frame cannot follow."""
    frame = pd.DataFrame({"a": [0.0, 1.0, 0.0]}).astype(pd.SparseDtype(float, 0))
    with pytest.raises(TypeError, match=r"Column 'a' of X is sparse .* give X.sparse.to_coo\(\)"):
        TopDownTreeClassifier().fit(frame, [0, 1, 0])


def test_both_infinities_are_refused_without_a_warning():
    """A warning of numpy before the error that says where the infinity is."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="column 0 holds inf in row 0"):
            TopDownTreeClassifier().fit(np.array([[np.inf], [-np.inf]]), [0, 1])
