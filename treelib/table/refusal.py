"""What is wrong with a table that was refused: which column and row, and what to do about it.

scikit-learn's own words stay in front, since people search for them; they seldom name the place. The place is
looked for only after a table was refused, so that good ones cost nothing.
"""

import numbers
from contextlib import contextmanager

import numpy as np


@contextmanager
def explained(X, advice, y=None):
    """Errors on the table `X` and the targets `y` inside the block say where the fault is and what to do.

    advice : text, what this estimator's user can do with a column of categories
    """
    try:
        yield
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        about_y = None if y is None else _explanation_of_targets(X, y, error)
        if about_y is not None:
            raise ValueError(about_y) from None
        text = None if isinstance(error, AttributeError) else explanation(X, str(error), advice)
        if text is None:
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(text) from None


def _explanation_of_targets(X, y, error):
    """Better words for `error` where it is about the targets `y` beside the table `X`, or None."""
    text = str(error)
    is_old = isinstance(error, AttributeError)  # numpy before 1.25 finds no array where it compares NA
    if text.startswith("Input y contains NaN"):
        return "Input y contains NaN: drop the rows where it is unknown."
    if "NA is ambiguous" in text or (is_old and any(map(_is_missing, np.asarray(y, dtype=object).flat))):
        return "y holds missing values; drop the rows where it is unknown."
    if "inhomogeneous" not in text or _unequal_lengths(X) or any(isinstance(label, str) for label in y):
        return None
    lengths = _unequal_lengths(y)
    if not lengths:
        return None
    first, other, row = lengths
    return f"y must hold one class or number a row: row 0 has {first} values, row {row} has {other}."


def explanation(X, text, advice):
    """Better words for the error `text` on the table `X`, or None where there are none."""
    if "Input y" in text:
        return None
    if X is None:
        return "X is None; give a table, one row a sample and one column a feature."
    if isinstance(X, (str, bytes)):
        return f"X is the text {X[:60]!r}, not a table; read a file first, for example with pandas.read_csv."
    if isinstance(X, numbers.Number) or not any(hasattr(X, n) for n in ("__len__", "__array__", "shape")):
        return f"X is of type {type(X).__name__}; give a numpy array, a data frame or a list of rows."
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], dict):
        return "X is a list of dictionaries; give a table, for example pandas.DataFrame(X)."
    if getattr(getattr(X, "dtype", None), "names", None):
        return "X is a structured array, whose columns have types of their own; give pandas.DataFrame(X)."
    if "omplex data" in text and np.iscomplexobj(X):
        return "Complex data not supported: give real and imaginary parts as columns of their own."
    if "inhomogeneous" in text and (lengths := _unequal_lengths(X)):
        first, other, row = lengths
        return (
            "X must be a table of numbers, its rows of one length: "
            f"row 0 has {first} values, row {row} has {other}."
        )
    begin = text.splitlines()[0].rstrip(".")
    if "'NAType'" in text or "'NaTType'" in text:
        place = _first(X, _is_no_number)
        return f"{begin}{f': {place}' if place else ''}; write missing numbers as NaN."
    if any(words in text for words in _NO_NUMBER):
        place = _first(X, _is_no_number_but_missing) or _first(X, _is_no_number)
        where = f": {place}" if place else ""
        return f"{begin}{where}. X must be a table of numbers; if a column holds categories, {advice}."
    for words, is_bad, to_do in _NO_VALUE:
        if words in text and (place := _first(X, is_bad)):
            return f"{begin}: {place}; {to_do}."
    return None


def _is_infinite(value):
    try:
        return bool(np.isinf(float(value)))
    except OverflowError:  # a whole number beyond the range of float64
        return True
    except (TypeError, ValueError):
        return False


def _is_beyond_float32(value):
    return abs(float(value)) > float(np.finfo(np.float32).max)


def _is_missing(value):
    try:
        return bool(np.isnan(float(value)))
    except TypeError:
        return True  # None and pandas' NA
    except (ValueError, OverflowError):
        return False


def _is_no_number(value):
    try:
        float(value)
    except (TypeError, ValueError):
        return value is not None
    except OverflowError:
        return False
    return False


def _is_no_number_but_missing(value):
    return _is_no_number(value) and type(value).__name__ not in ("NAType", "NaTType")


# how numpy begins to say that a value is no number
_NO_NUMBER = (
    "Cannot cast",
    "could not convert string",
    "float() argument must be",
    "setting an array element",
)

# words of an error about a number, which numbers it is about, what to do
_NO_VALUE = (
    (
        "infinity",
        _is_infinite,
        "give finite numbers, or NaN if missing values are allowed",
    ),
    (
        "dtype('float32')",
        _is_beyond_float32,
        "scikit-learn's trees read float32, up to 3.4e38: divide it by a number, or take its logarithm",
    ),
    ("too large to convert to float", _is_infinite, "give numbers within the range of float64"),
    ("contains NaN", _is_missing, "fill in or drop missing values first"),
)


def _unequal_lengths(X):
    """Length of the first row, of the first that differs, and that row's number; or None."""
    try:
        lengths = [len(row) for row in X]
    except TypeError:
        return None
    other = [row for row, length in enumerate(lengths) if length != lengths[0]]
    return (lengths[0], lengths[other[0]], other[0]) if other else None


def _first(X, is_bad):
    """ "column 'age' holds inf in row 3" of the first value that is bad, or None."""
    table = X if hasattr(X, "shape") else np.asarray(X, dtype=object)
    if len(table.shape) != 2:
        return None
    for number in range(table.shape[1]):
        if hasattr(table, "columns"):
            name = repr(str(table.columns[number]))
            column = table.iloc[:, number] if hasattr(table, "iloc") else table[:, number]
        else:
            name, column = number, table[:, number]
        for row, value in enumerate(np.asarray(column).tolist()):
            if is_bad(value):
                return f"column {name} holds {_short(value)} in row {row}"
    return None


def _short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
