"""The constraints as a user gives them, by column of the table, and what they mean for encoded features."""

import numbers
from typing import NamedTuple

import numpy as np

from treelib.sparse.constrained.problem import Constraints
from treelib.table.checks import is_real, is_whole, rows_of_fraction
from treelib.table.frames import columns_meant


class Given(NamedTuple):
    """Constraints by column of the table, checked.

    min_rows : int. direction : int8 (n_columns,). allowed : bool (n_columns,), or None for all.
    required : list of int. names : list of str, of the columns. min_samples_leaf : as it was given.
    has_missing : bool, whether a number is missing in training: all tests send it right.
    """

    min_rows: int
    direction: np.ndarray
    allowed: np.ndarray
    required: list
    names: list
    min_samples_leaf: object = 1
    has_missing: bool = False

    @property
    def is_bound(self):
        """Whether a search has to keep to anything but the allowed columns, which are chosen before it."""
        return self is not FREE and (self.min_rows > 1 or bool(self.required) or bool(self.direction.any()))

    @property
    def words(self):
        """Each constraint in words, as the end of the sentence of what a proof ranges over."""
        sides = ", missing values right" if self.has_missing else ""
        if self.allowed is None and not self.is_bound:
            return sides
        parts, ways = [], self.direction.tolist()
        if self.min_rows > 1:
            parts.append(f"leaves of at least {self.min_rows} rows")
        for sign, verb in ((1, "never falling"), (-1, "never rising")):
            ordered = [name for name, way in zip(self.names, ways, strict=True) if way == sign]
            if ordered:
                parts.append(f"predictions {verb} with {', '.join(ordered)}")
        if self.allowed is not None:
            parts.append(f"tests of {', '.join(np.array(self.names)[self.allowed])} only")
        if self.required:
            parts.append(f"testing {', '.join(self.names[column] for column in self.required)}")
        return sides + "".join(f"; {part}" for part in parts)


# no constraint at all: of any table, so no column is named
FREE = Given(1, np.zeros(0, dtype=np.int8), None, [], [])


def read_constraints(model, n_rows):
    """`Given` of the parameters of a model whose classes, columns and encoder are known.

    n_rows : int, training rows with a positive weight

    Raises
    ------
    ValueError
        The message names the parameter, and says what to give or what to change.
    """
    if not _asks_for_anything(model):
        return FREE
    n_columns = model.n_features_in_
    known = getattr(model, "feature_names_in_", None)
    names = [f"x{column}" for column in range(n_columns)] if known is None else list(map(str, known))
    called = None if known is None else names
    direction = _directions(model.monotonic_cst, names, called)
    _check_order(direction, names, model)
    allowed = None
    if model.allowed_features is not None:
        allowed = np.zeros(n_columns, dtype=bool)
        allowed[columns_meant("allowed_features", model.allowed_features, called, n_columns)] = True
        if not allowed.any():
            raise ValueError("allowed_features is empty; give at least one column, or None for all.")
    required = []
    if model.required_features is not None:
        required = columns_meant("required_features", model.required_features, called, n_columns)
    banned = [names[column] for column in required if allowed is not None and not allowed[column]]
    if banned:
        raise ValueError(
            f"required_features names {', '.join(banned)}, which allowed_features leaves out; add it there."
        )
    least = model.min_samples_leaf
    given = Given(_least_rows(least, n_rows), direction, allowed, required, names, least)
    _check_room(given, model, n_rows)
    return given


def _asks_for_anything(model):
    """Whether a parameter of a model is another than its default, so that it has to be read."""
    if model.monotonic_cst is not None or model.allowed_features is not None:
        return True
    least = model.min_samples_leaf
    return model.required_features is not None or type(least) is not int or least != 1


def encoded_constraints(given, encoder):
    """`Constraints` by encoded feature, and which encoded features are allowed, bool."""
    if given is FREE or not given.names:
        return Constraints.none(encoder.n_features_out_), np.ones(encoder.n_features_out_, dtype=bool)
    columns = encoder.columns_out()
    number = np.full(len(given.names), -1, dtype=np.intp)
    number[given.required] = np.arange(len(given.required))
    category_of = columns.copy()
    category_of[: len(encoder.numeric_)] = -1
    direction = np.where(category_of < 0, given.direction[columns], 0).astype(np.int8)
    allowed = np.ones(len(columns), dtype=bool) if given.allowed is None else given.allowed[columns]
    return Constraints(given.min_rows, direction, number[columns], category_of), allowed


def _least_rows(value, n_rows):
    """Least number of rows of a leaf, of a number of rows or a fraction of them."""
    if is_whole(value) and value >= 1:
        return int(value)
    if is_real(value) and not isinstance(value, numbers.Integral) and 0 < value < 1:
        return max(1, rows_of_fraction(value, n_rows))
    raise ValueError(
        f"min_samples_leaf={value!r} must be a positive integer, a number of rows, or a fraction of the rows "
        "between 0 and 1."
    )


def _directions(given, names, called):
    """int8 (n_columns,) of `monotonic_cst`."""
    direction = np.zeros(len(names), dtype=np.int8)
    if given is None:
        return direction
    if isinstance(given, dict):
        found = {}
        for key, way in given.items():
            found[columns_meant("monotonic_cst", [key], called, len(names))[0]] = way
    else:
        values = np.asarray(given, dtype=object).ravel().tolist()
        if len(values) != len(names):
            raise ValueError(
                f"monotonic_cst has {len(values)} entries, but X has {len(names)} columns; give one a "
                "column, or a dict of column -> 1 or -1."
            )
        found = dict(enumerate(values))
    for column, way in found.items():
        if not is_real(way) or way not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst holds {way!r} for {names[column]}; give 1 (the prediction never falls), -1 "
                "(it never rises) or 0."
            )
        direction[column] = way
    return direction


def _check_order(direction, names, model):
    """ValueError where an order means nothing: of a categorical column, or of classes that have none."""
    ordered = np.flatnonzero(direction)
    for column in ordered:
        if column in model.encoder_.categories_:
            raise ValueError(
                f"monotonic_cst orders the categorical column {names[column]}, whose categories have no "
                "order; give 0 there, or replace the categories by numbers."
            )
    if len(ordered) and len(model.classes_) > 2 and model.classes_.dtype.kind not in "iuf":
        raise ValueError(
            f"monotonic_cst needs an order of the {len(model.classes_)} classes, and these are no numbers; "
            "number the classes from low to high, or keep two."
        )


def _check_room(given, model, n_rows):
    """ValueError where no tree has room for all tests that are required."""
    n = len(given.required)
    if not n:
        return
    what = f"required_features asks for tests of {n} columns"
    if model.max_depth is not None and model.max_depth < 60 and n > 2**model.max_depth - 1:
        raise ValueError(f"{what}, more than a tree of max_depth={model.max_depth} can make; raise it.")
    if model.max_leaf_nodes is not None and n + 1 > model.max_leaf_nodes:
        raise ValueError(
            f"{what}, so a tree has at least {n + 1} leaves; raise max_leaf_nodes={model.max_leaf_nodes}."
        )
    if (n + 1) * given.min_rows > n_rows:
        raise ValueError(
            f"{what}, so a tree has at least {n + 1} leaves, and {n_rows} rows do not fill them with "
            f"min_samples_leaf={model.min_samples_leaf!r}; lower it."
        )
