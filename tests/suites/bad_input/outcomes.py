"""What every estimator says to every wrong or odd input.

``python tests/suites/bad_input/outcomes.py`` writes ``data/tested/bad_input.json``, which the book shows.
"""

import argparse
import json
import warnings
from importlib.metadata import version
from pathlib import Path

import treelib
from tests.suites.bad_input.inputs import DATA, FITS, SETTINGS, good

PLACE = Path(__file__).parents[3] / "data" / "tested" / "bad_input.json"

# settings that make a fit short
FAST = {
    "BayesianTreeClassifier": {"n_iter": 200, "n_chains": 1},
    "BornAgainTreeClassifier": {"random_state": 0},
    "TopDownForestClassifier": {"n_estimators": 2, "random_state": 0},
}
ESTIMATORS = (*SETTINGS, "BornAgainTreeClassifier", "TopDownForestClassifier")

# a forest of scikit-learn's is what a born-again tree stands for: no missing values, no text, 32-bit values
_MISSING = ("X holds None", "X holds NaN", "a column is all NaN", "everything is NaN")
_MISSING += ("X holds truth values and NaN",)
_MISSING += ("frame with an empty category", "frame with nullable integers", "frame with nullable booleans")
_MISSING += ("arrow table with nulls",)
_TEXT = ("frame with a text column", "frame with unsorted categories", "frame with mixed text and numbers")
_TEXT += ("frame with dictionaries of arrow", "polars frame with text", "y is a series with missing text")
_TEXT += ("frame with unused categories", "frame with nullable text", "y holds NA beside categories")
_TEXT += ("arrow table with text", "arrow table with a dictionary column")

# what one estimator does otherwise than the others
OTHERWISE = {
    **{("BornAgainTreeClassifier", case): "NaN.*column .* in row" for case in _MISSING},
    **{("BornAgainTreeClassifier", case): "column 'v' holds.* 0/1 columns" for case in _TEXT},
    ("BornAgainTreeClassifier", "frame with lists"): "sequence.* a table of numbers",
    ("BornAgainTreeClassifier", "frame with text and an infinite value"): "column 'v' holds 'red'",
    ("BornAgainTreeClassifier", "values as large as float64"): "float32",
    ("BornAgainTreeClassifier", "both ends of float64"): "float32",
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
    assert len(predicted) == (given[0].shape[0] if hasattr(given[0], "tocsr") else len(given[0]))
    assert set(predicted) <= set(model.classes_)
    return FITS


def short(value):
    """A value on one line, without the digits of arrays."""
    shape = getattr(value, "shape", None)
    if not shape:
        return repr(value)
    first = value.flat[0]
    return f"array of shape {shape} of {repr(str(first)) if isinstance(first, str) else format(first, 'g')}"


def named(parameters):
    """{"parameter=value": value} of one estimator's settings."""
    return {f"{name}={short(v)}": {name: v} for name, cases in parameters.items() for v, _ in cases}


def versions():
    """What the exact words depend on beside this package."""
    return {name: version(name) for name in ("numpy", "pandas", "scikit-learn")}


def stored():
    """What `record` wrote, or an empty dict."""
    return json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.is_file() else {}


def record():
    """Outcome of every input, by input and estimator."""
    data = {
        case: {name: outcome(name, change=change) for name in ESTIMATORS}
        for case, (change, _) in DATA.items()
    }
    settings = {}
    for name, parameters in SETTINGS.items():
        for text, setting in named(parameters).items():
            settings.setdefault(text, {})[name] = outcome(name, settings=setting)
    return {"versions": versions(), "data": data, "settings": settings}


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    PLACE.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")
