"""Every estimator on every wrong or odd input: it fits, or says what is wrong, and never crashes."""

import re
import warnings

import pytest
from bad_input import DATA, FITS, SETTINGS, good

import treelib

# settings that make a fit short
FAST = {"BayesianTreeClassifier": {"n_iter": 200, "n_chains": 1}}
ESTIMATORS = (*SETTINGS, "BornAgainTreeClassifier")

# a forest of scikit-learn's is what a born-again tree stands for: no missing values, no text, 32-bit values
_MISSING = ("X holds None", "X holds NaN", "a column is all NaN", "everything is NaN")
_MISSING += ("frame with an empty category", "frame with nullable integers", "frame with nullable booleans")
_MISSING += ("arrow table with nulls",)
_TEXT = ("frame with a text column", "frame with unsorted categories", "frame with mixed text and numbers")
_TEXT += ("frame with dictionaries of arrow", "polars frame with text", "y is a series with missing text")
_TEXT += ("arrow table with text", "arrow table with a dictionary column")

# what one estimator does otherwise than the others
OTHERWISE = {
    **{("BornAgainTreeClassifier", case): "NaN" for case in _MISSING},
    **{("BornAgainTreeClassifier", case): "could not convert.* 0/1 columns" for case in _TEXT},
    ("BornAgainTreeClassifier", "frame with lists"): "sequence.* a table of numbers",
    ("BornAgainTreeClassifier", "values as large as float64"): "float32",
}


def outcome(name, settings=None, change=None):
    """ "fits", or the type and text of the error; only ValueError and TypeError are caught."""
    X, y = good()
    given = change(X, y) if change else (X, y)
    weights = {"sample_weight": given[2]} if len(given) > 2 else {}
    model = getattr(treelib, name)(**{**FAST.get(name, {}), **(settings or {})})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(given[0], given[1], **weights)
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        predicted = model.predict(given[0])
    assert len(predicted) == len(given[0])
    assert set(predicted) <= set(model.classes_)
    return FITS


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
    if name == "BornAgainTreeClassifier" and "weight" in case:
        pytest.skip("its fit takes no weights: the forest does")
    change, expected = DATA[case]
    check(outcome(name, change=change), OTHERWISE.get((name, case), expected))


@pytest.mark.parametrize(
    ("name", "parameter", "value", "expected"),
    [
        (name, parameter, value, expected)
        for name, parameters in SETTINGS.items()
        for parameter, cases in parameters.items()
        for value, expected in cases
    ],
)
def test_settings(name, parameter, value, expected):
    """A parameter that is believed unchecked, or an error that does not name it."""
    check(outcome(name, settings={parameter: value}), expected)


def test_the_table_is_long_enough():
    """A table that shrinks without anyone noticing."""
    assert len(DATA) + sum(len(cases) for kinds in SETTINGS.values() for cases in kinds.values()) >= 150
