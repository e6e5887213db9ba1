"""Every estimator on every wrong or odd input: it fits, or says what is wrong, and never crashes."""

import datetime
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import treelib
from tests.suites.bad_input import outcomes
from tests.suites.bad_input.inputs import DATA, FITS, SETTINGS, good
from tests.suites.bad_input.outcomes import ESTIMATORS, FAST, OTHERWISE, outcome
from treelib.topdown import criteria

STORED = outcomes.stored()
SAME_VERSIONS = STORED and STORED["versions"] == outcomes.versions()


def check(found, expected):
    if found == FITS:
        assert FITS in expected.split("|"), f"it fits, but should say {expected!r}"
    else:
        assert expected != FITS, f"it should fit, but says {found}"
        assert re.search(expected, found)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("case", DATA)
def test_data(name, case):
    """A traceback from the inside, a silent wrong fit, or a crash of the process."""
    found = outcome(name, change=DATA[case][0])
    check(found, OTHERWISE.get((name, case), DATA[case][1]))
    if SAME_VERSIONS:
        assert STORED["data"][case][name] == found, (
            "renew the list: python tests/suites/bad_input/outcomes.py"
        )


@pytest.mark.parametrize(
    ("name", "parameter", "value", "expected"),
    [
        (name, parameter, value, expected)
        for name, parameters in SETTINGS.items()
        for parameter, cases in parameters.items()
        for value, expected in cases
    ],
)
def test_settings(monkeypatch, name, parameter, value, expected):
    """A parameter that is believed unchecked, or an error that does not name it."""
    monkeypatch.setattr(criteria, "_registered", {})  # errors list what other tests of this process added
    found = outcome(name, settings={parameter: value})
    check(found, expected)
    if SAME_VERSIONS:
        stored = STORED["settings"][f"{parameter}={outcomes.short(value)}"][name]
        assert stored == found, "renew the list: python tests/suites/bad_input/outcomes.py"


@pytest.mark.parametrize("name", ("TopDownTreeRegressor", "TopDownForestRegressor"))
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda y: y * 1e200, "y holds numbers beyond 1e.150, whose squares overflow"),
        (lambda y: [10**400, *y[1:]], "y holds values that are no numbers"),
        (lambda y: y.astype("M8[Y]"), "y holds dates or durations"),
        (lambda y: y.astype("m8[D]"), "y holds dates or durations"),
        (lambda y: pd.Series(y, dtype="Float64").mask(y > 2), "y contains NaN: drop the rows"),
        (lambda y: [datetime.date(2020, 1, 1)] * len(y), "y holds values that are no numbers"),
        (lambda y: [[1, 2], [3]] * (len(y) // 2), "y must .* row 0 has 2 values, row 1 has 1"),
    ],
)
def test_targets(name, change, expected):
    """Targets whose squares overflow, and dates, both of which gave a tree of wrong means."""
    X, _ = good()
    with pytest.raises(ValueError, match=expected):
        getattr(treelib, name)(**FAST.get(name, {})).fit(X, change(X[:, 0]))


BAD_REFITS = {
    "an infinite value": lambda X, y: (np.where(X > 6, np.inf, X), y),
    "another number of columns": lambda X, y: (X[:, :3], y[1:]),
    "other classes": lambda X, y: (X, np.char.add(y, "x"), -np.ones(60)),
    "other classes, fewer columns": lambda X, y: (X[:, :3], np.char.add(y, "x"), np.zeros(60)),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("case", BAD_REFITS)
def test_a_fit_that_fails_leaves_the_last_one(name, case):
    """The new encoder or the new classes beside the old tree: another error, or answers that are wrong."""
    X, y = good()
    model = getattr(treelib, name)(**FAST.get(name, {})).fit(X, y)
    before = dict(vars(model))
    predicted = model.predict(X)
    with pytest.raises(ValueError):
        model.fit(*BAD_REFITS[case](X, y))
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[key] is value for key, value in before.items())
    assert (model.predict(X) == predicted).all()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_first_fit_that_fails_leaves_nothing(name):
    """An estimator that counts as fitted and is not."""
    X, y = good()
    model = getattr(treelib, name)(**FAST.get(name, {}))
    with pytest.raises(ValueError):
        model.fit(X, y, -np.ones(60))
    for ask in (model.predict, model.predict_proba, model.apply):
        with pytest.raises(NotFittedError):
            ask(X)


NEW_ROWS = {
    "a dictionary": (lambda X: X.to_dict("list"), TypeError, "X is a dict; give a table"),
    "a series": (lambda X: X.iloc[0], ValueError, r"X must be a table, .* shape \(7,\)"),
    "no columns": (lambda X: X.iloc[:, :0], ValueError, "X has 0 columns"),
    "lists in a column of text": (lambda X: X.assign(v=[[1]] * 60), TypeError, "type list, which are no"),
    "dates in a column of numbers": (lambda X: X.assign(p=pd.Timestamp("2020")), TypeError, "'p' .* dates"),
    "NA in a column of objects": (lambda X: X.assign(p=pd.NA), TypeError, "'p' holds <NA>|write missing"),
    "another order": (lambda X: X[X.columns[::-1]], ValueError, "same order"),
}


@pytest.mark.parametrize("name", sorted(set(ESTIMATORS) - {"BornAgainTreeClassifier"}))
@pytest.mark.parametrize("case", NEW_ROWS)
def test_new_rows(name, case):
    """An error from the inside, such as KeyError or "unhashable type", for rows unlike the training's."""
    X, y = good()
    X = pd.DataFrame(X, columns=list("pqrstu")).assign(v=["red", "green"] * 30)
    model = getattr(treelib, name)(**FAST.get(name, {})).fit(X, y)
    change, kind, expected = NEW_ROWS[case]
    with warnings.catch_warnings(), pytest.raises(kind, match=expected):
        warnings.simplefilter("ignore")  # of names that differ
        model.predict(change(X))


@pytest.mark.parametrize("name", sorted(set(ESTIMATORS) - {"BornAgainTreeClassifier"}))
def test_new_rows_as_lists(name):
    """Nested lists refused by an estimator that was trained on a frame with text."""
    X, y = good()
    X = pd.DataFrame(X, columns=list("pqrstu")).assign(v=["red", "green"] * 30)
    model = getattr(treelib, name)(**FAST.get(name, {})).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (model.predict(X.values.tolist()) == model.predict(X)).all()


def test_the_stored_list_is_that_of_today():
    """A list in the book that shrinks, or that leaves out an input, without anyone noticing."""
    assert set(DATA) <= set(STORED["data"]), "renew the list: python tests/suites/bad_input/outcomes.py"
    gone = set(STORED["data"]) - set(DATA)  # pyarrow and polars are optional
    assert all("arrow" in case or "polars" in case for case in gone), gone
    settings = {name for kinds in SETTINGS.values() for name in outcomes.named(kinds)}
    assert set(STORED["settings"]) == settings
    assert len(DATA) + len(settings) >= 150
