"""Columns of objects, and types that differ from those of training."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from treelib import (
    BayesianTreeClassifier,
    BornAgainTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownTreeClassifier,
)

Y = [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, 2, None, 1, 2, 3], "to_numeric"),
        ([datetime.date(2020, 1, day) for day in (1, 1, 2, 2, 3, 3)], "dates"),
        (list("aabbcc"), None),
        ([True, None, False, True, True, False], None),
    ],
)
def test_objects_that_are_numbers_are_named(values, words):
    """A column of numbers with None that becomes a 0/1 feature a value, without a word."""
    X = pd.DataFrame({"age": pd.Series(values, dtype=object)})
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        TopDownTreeClassifier().fit(X, Y)
    texts = [str(warning.message) for warning in seen]
    assert not texts if words is None else "'age'" in texts[0] and words in texts[0]


def test_values_of_another_type_than_in_training():
    """Text that a file gives back as numbers: every row of unknown categories, without a word."""
    model = TopDownTreeClassifier().fit(pd.DataFrame({"zip": list("112233")}).astype("category"), Y)
    new = pd.DataFrame({"zip": [1, 2, 3]})
    with pytest.warns(UserWarning, match="'zip'.*numbers.*text") as seen:
        model.predict(new)
    assert len(seen) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(pd.DataFrame({"zip": ["9"]}))


def test_born_again_names_columns_of_categories():
    """An error of numpy about a cast that names no column."""
    X = pd.DataFrame({"a": range(6), "colour": pd.Categorical(list("aabbcc"))})
    with pytest.raises(ValueError, match="'colour'"):
        BornAgainTreeClassifier().fit(X, Y)
    with pytest.raises(TypeError, match="regressor"):
        BornAgainTreeClassifier(RandomForestRegressor()).fit(X[["a"]], list("aaabbb"))


def test_truth_values_as_objects_are_classes():
    """Labels of Python that are refused as values of type bool."""
    model = TopDownTreeClassifier().fit([[0.0], [1.0]], np.array([True, False], dtype=object))
    assert model.classes_.dtype == bool


def test_truth_values_as_objects_are_scored():
    """A model that is fitted to them, and that neither `score` nor cross-validation can judge."""
    X = (np.arange(40.0) % 2)[:, None]
    y = X[:, 0] == 1
    for model in (TopDownTreeClassifier(max_depth=1), BornAgainTreeClassifier(random_state=0)):
        for labels in (y.astype(object), pd.Series(y, dtype=object), y.tolist()):
            assert model.fit(X, labels).score(X, labels) == model.score(X, labels, np.ones(40)) == 1.0
            assert cross_val_score(model, X, labels, cv=2).tolist() == [1.0, 1.0]


def test_the_text_is_named_and_not_the_missing_truth_value():
    """Column 'b' and NA, where the text of column 'c' is what is refused."""
    frame = pd.DataFrame(
        {"b": pd.array([True, None] * 5, dtype="boolean"), "c": pd.array(["x", None] * 5, dtype="string")}
    )
    with pytest.raises(ValueError, match="column 'c' holds 'x' in row 0"):
        BornAgainTreeClassifier().fit(frame, [0, 1] * 5)


def test_numbers_beyond_float32_are_named():
    """scikit-learn's words alone, without the column, and warnings of a cast."""
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [0.0, 1.0, -1e308, 1.0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"column 'b' holds -1e\+308 in row 2; .* logarithm"):
            BornAgainTreeClassifier().fit(frame, [0, 1, 0, 1])


def test_an_ensemble_of_another_kind_is_not_trained(monkeypatch):
    """Minutes of training before the refusal."""
    monkeypatch.setattr(LogisticRegression, "fit", None)
    with pytest.raises(TypeError, match="LogisticRegression is no ensemble"):
        BornAgainTreeClassifier(LogisticRegression()).fit([[0.0], [1.0]], [0, 1])


def test_a_column_of_lists_is_called_by_its_name():
    """A number, where the column has a name."""
    frame = pd.DataFrame({"a": range(6), "tags": [[number] for number in range(6)]})
    with pytest.raises(TypeError, match="Column 'tags' of X holds values of type list"):
        TopDownTreeClassifier().fit(frame, Y)


def test_what_is_not_computed_yet_is_refused():
    """Warnings of polars, which looks at the whole table for the names of its columns."""

    class LazyFrame:
        collect, columns, dtypes = None, property(warnings.warn), property(warnings.warn)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (TopDownTreeClassifier(), BornAgainTreeClassifier()):
            with pytest.raises(TypeError, match=r"LazyFrame, .* give X\.collect\(\)"):
                model.fit(LazyFrame(), Y)


@pytest.mark.parametrize("verbose", [None, -1, "x"])
def test_levels_of_verbosity_are_said(verbose):
    """True or False, where 2 is taken."""
    TopDownTreeClassifier(verbose=0).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="True or False, or a whole number, 0 or more"):
        TopDownTreeClassifier(verbose=verbose).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("allowed", [[], [False, False]])
def test_no_column_allowed_is_refused(allowed):
    """A mask of no column, which leaves a tree without splits."""
    model = OptimalSparseTreeClassifier(0.1, max_depth=2, allowed_features=allowed)
    with pytest.raises(ValueError, match="allowed_features is empty"):
        model.fit([[0.0, 1.0], [1.0, 0.0]] * 3, Y)


def test_small_mistakes():
    """Random states that are none, and an R-hat of nan."""
    with pytest.raises(ValueError, match="cannot be used to seed"):
        TopDownTreeClassifier(random_state="x").fit([[0.0], [1.0]], [0, 1])
    with pytest.warns(UserWarning, match="too few draws"):
        BayesianTreeClassifier(n_iter=1, burn_in=0, random_state=0).fit(np.arange(6.0)[:, None], Y)
