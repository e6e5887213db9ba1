"""The column to predict: classes or a quantity."""

from typing import NamedTuple

import numpy as np

from treelib.owndata.columns.rules import LIMITS, fits
from treelib.table.checks import check_choice

MOST_CLASSES = LIMITS["classes"]
MOST_NUMBERS = 20  # different numbers from which on they are a quantity, such as a count
_LARGEST = 2**53  # whole numbers below it float64 has exactly


class Target(NamedTuple):
    """Classes or a quantity of the rows whose value is known.

    Attributes
    ----------
    y : ndarray (n_known,): whole numbers or text, in a regression float64
    is_known : ndarray (n_rows,) bool
    task : {"classification", "regression"}
    column : treelib.owndata.columns.kinds.Column
    """

    y: np.ndarray
    is_known: np.ndarray
    task: str
    column: object


def target_of(column, task):
    """`Target` of a column; ValueError where it is none, with words on what to do."""
    check_choice("task", task, ("classification", "regression", "auto"))
    name = column.name
    if column.kind == "lists":
        raise ValueError(f"the target {name!r} is neither classes nor a quantity: it holds lists or records.")
    if task == "regression" and column.kind != "number":
        raise ValueError(f"the target {name!r} holds no numbers; a regression needs some.")
    if column.kind == "number" and task != "classification":
        values = column.values[~np.isnan(column.values)]
        if task == "regression" or len(np.unique(values)) > MOST_NUMBERS:
            return Target(_quantity(name, values), ~np.isnan(column.values), "regression", column)
    if column.kind == "number" and np.isinf(column.values).any():
        raise ValueError(f"the target {name!r} holds infinite values; replace or drop them.")
    of_word = _classes(column)
    _check(column, set(of_word.values()))
    if not all(isinstance(one, int) for one in of_word.values()):  # those have an order: 0, 1, 2, 10
        of_word = {word: str(one) for word, one in of_word.items()}
    classes = [of_word.get(word) for word in column.cells.words]
    of_row = [classes[code] for code in column.cells.codes]
    y = np.array([one for one in of_row if one is not None])
    return Target(y, np.array([one is not None for one in of_row]), "classification", column)


def _quantity(name, values):
    if not np.isfinite(values).all():
        raise ValueError(f"the target {name!r} holds infinite values; replace or drop them.")
    if len(np.unique(values)) < 2:
        raise ValueError(f"the target {name!r} has fewer than two different values.")
    return values


def _classes(column):
    """{word: class} of the known words: a whole number where it is one, as 1 and 1.0, and else text.

    Spellings of one truth value are one class, called as most rows call it.
    """
    if column.kind == "number":
        return {word: _whole(word, value) for word, value in column.known.items()}
    if column.kind == "truth":
        counts = column.cells.counts
        called = {}  # the commonest spelling comes last
        for word in sorted(column.known, key=lambda word: (counts[word], word)):
            called[column.known[word]] = word
        return {word: called[value] for word, value in column.known.items()}
    return dict(column.known)


def _whole(word, value):
    if fits("whole", word):
        return int(word.partition(".")[0])
    return int(value) if value.is_integer() and abs(value) < _LARGEST else word


def _check(column, classes):
    name, n = column.name, len(classes)
    if not n:
        raise ValueError(f"no row has a value of the target {name!r}.")
    if n < 2:
        raise ValueError(f"the target {name!r} has one value only, {str(*classes)!r}; two are needed.")
    if n > MOST_CLASSES:
        hints = {
            "number": "looks like a quantity; cut it into ranges, or fit a TopDownTreeRegressor: "
            "--task regression",
            "date": "holds times; cut them into ranges",
        }
        hint = hints.get(column.kind, "looks like free text")
        raise ValueError(
            f"the target {name!r} has {n} different values, more than {MOST_CLASSES}; it {hint}."
        )
