"""Columns of objects, and types that differ from those of training."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

from treelib import BayesianTreeClassifier, BornAgainTreeClassifier, TopDownTreeClassifier

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


def test_small_mistakes():
    """Random states that are none, and an R-hat of nan."""
    with pytest.raises(ValueError, match="cannot be used to seed"):
        TopDownTreeClassifier(random_state="x").fit([[0.0], [1.0]], [0, 1])
    with pytest.warns(UserWarning, match="too few draws"):
        BayesianTreeClassifier(n_iter=1, burn_in=0, random_state=0).fit(np.arange(6.0)[:, None], Y)
