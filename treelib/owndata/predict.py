"""Predictions for a new file by the tree that `treelib fit` stored.

A file beside the tree says what its columns mean, so that the new file is read by the rules of the old one:
which columns hold numbers, truth values or categories, and which words are missing.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from treelib.owndata.columns import kinds, rules
from treelib.owndata.columns.cells import Reading
from treelib.owndata.columns.preparing import again
from treelib.owndata.columns.sets import members_of, name_of
from treelib.owndata.columns.targets import target_of
from treelib.owndata.export import TABLE, read_tree
from treelib.owndata.read import decimal_of, nearest, read_file, weights_of
from treelib.owndata.tuning import loss as loss_of
from treelib.tree.explaining import Explainer, Group

_MOST = 5  # unseen categories that a note names


def description(table):
    """What the columns of an `OwnTable` mean, and how a tree over them is written, as JSON can hold it."""
    wording = table.wording
    return {
        "target": table.target,
        "weights": table.weighted_by,
        "missing": list(table.missing),
        "decimal": table.decimal,
        "columns": table.columns,
        "sql": table.sql,
        "yes_no": wording["yes_no"].tolist(),
        "has_missing": wording["missing"],
    }


def stored(path):
    """(Tree, description) of a tree that `treelib fit` wrote; ValueError where it is none.

    path : str or Path of the tree, ``<name>.json``; what its columns mean stands in ``<name>.table.json``
    """
    path = Path(path)
    tree = read_tree(path)
    beside = path.with_suffix(TABLE)
    try:
        about = json.loads(beside.read_bytes())
    except (OSError, ValueError):
        raise ValueError(
            f"{str(beside)!r}, which describes the columns of the tree, is missing or damaged; "
            "`treelib fit` writes it beside the tree."
        ) from None
    try:
        names = tuple(name for one in about["columns"] for name in _features(one))
        fits = sorted(names) == sorted(tree.feature_names or ()) and isinstance(about["missing"], list)
    except (KeyError, TypeError):
        fits = False
    if not fits:
        raise ValueError(f"{str(path)!r} describes other columns than its tree has.")
    return tree, about


class Rows(NamedTuple):
    """The rows of a file as a tree reads them.

    Attributes
    ----------
    X : float64 (n, n_features)
    notes : list of str, on what was not as in the fit
    column : callable of a name, gives the `treelib.owndata.columns.kinds.Column` of the file as a target
    """

    X: np.ndarray
    notes: list
    column: object


def read_rows(tree, about, path, separator=None):
    """`Rows` of a file.

    Parameters
    ----------
    tree, about : as `stored` gives them
    path : str or Path, a CSV file or Parquet; columns in any order, further ones are not looked at
    separator : str or None, as in `treelib.owndata.read.read_table`

    Raises
    ------
    ValueError
        A column that the tree tests is not there, or does not hold what it held.
    """
    known = [_source(one) for one in about["columns"]]
    return rows_of(tree, about, read_file(Path(path), separator, known))


def rows_of(tree, about, file):
    """`Rows` of the columns of a file, `treelib.owndata.columns.text.Texts`."""
    columns = about["columns"]
    reading = Reading(
        missing=tuple(about["missing"]),
        categorical=tuple(_source(one) for one in columns if _holds_categories(one)),
        numeric=tuple(one["name"] for one in columns if one["kind"] == "number"),
        truths=tuple(one["name"] for one in columns if one["kind"] == "truth"),
        odd=frozenset((_source(one), word) for one in columns for word in one["odd"]),
    )
    # the mark of the fit where the new file is too short to tell
    decimal = decimal_of(file, reading, about["decimal"])[0]
    tested = {tree.feature_names[feature] for feature in tree.feature[~tree.is_leaf]}
    _check_there(columns, tested, file.columns)
    parts, notes = {}, []
    for one in columns:
        if tested & set(_features(one)):
            found, note = _encoded(one, _read(one, file.columns[_source(one)], decimal, reading))
            parts |= found
            notes += note
    n = len(next(iter(file.columns.values())).codes)
    X = np.column_stack(
        [parts.get(name, np.full(n, np.nan)) for name in tree.feature_names] or [np.empty((n, 0))]
    )

    def column(name):
        if name not in file.columns:
            raise ValueError(f"the file has no column {name!r} to compare with.")
        return kinds.read(name, file.columns[name], decimal, reading, is_target=True)

    return Rows(X, notes, column)


def explainer(tree, about, **wishes):
    """`treelib.tree.explaining.Explainer` that speaks of the columns of the file.

    tree, about : as `stored` gives them. wishes : `wanted`, `fixed`, `directions` of the explainer
    """
    place = {name: feature for feature, name in enumerate(tree.feature_names)}
    tested = set(tree.feature[~tree.is_leaf].tolist())
    groups, ordered, numbers = [], {}, set()
    for one in about["columns"]:
        made, features = one.get("made", {}), [place[name] for name in _features(one)]
        if "at_least" in made:
            steps = ordered.setdefault(made["of"], (made["order"], []))[1]
            steps += [(made["at_least"], features[0])] * (features[0] in tested)  # no other is read
        elif one["kind"] == "category":
            names, sets = one["categories"], members_of(one)
            # an unknown one is in no set
            table = [[float(it in members) for members in sets] for it in (*names, None)]
            table.insert(len(names), [0.0] * len(sets))
            groups.append(Group(one["name"], tuple(names), features, np.array(table)))
        else:
            groups.append(Group(one["name"], None, features, None))
            numbers.add(one["name"])
    for name, (order, steps) in ordered.items():
        starts = [order.index(at_least) for at_least, _ in steps]
        table = np.array([[float(k >= start) for start in starts] for k in range(len(order))])
        table = np.vstack([table, np.full((2, len(starts)), np.nan)])  # unknown and missing ones
        groups.append(Group(name, tuple(order), [feature for _, feature in steps], table))
    wrong = [name for name in wishes.get("directions") or () if name not in numbers]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is not a numeric column; only those can grow or fall.")
    return Explainer(tree, groups=groups, yes_no=np.array(about["yes_no"]), **wishes)


def predict_file(tree, about, path, separator=None, wishes=None):
    """Predictions for the rows of a file. Further parameters as of `read_rows`.

    Parameters
    ----------
    wishes : dict, those of `explainer`, or None for no explanations

    Returns
    -------
    DataFrame (n, 1 + n_classes): ``prediction``, and for classes the share of each among the rows of the fit
        in the same leaf; with `wishes` also ``why``, a sentence
    list of str, notes on what was not as in the fit
    """
    rows = read_rows(tree, about, path, separator)
    found = answers(tree, rows.X)
    if wishes is not None:
        wanted, why = wishes.get("wanted"), explainer(tree, about, **wishes).explain(rows.X)
        none = f" No allowed change gives {wanted or 'another class'}."
        has_none = [not (one.change or tree.is_regression or one.prediction == wanted) for one in why]
        found["why"] = [f"{one}{none * lacks}" for one, lacks in zip(why, has_none, strict=True)]
    return found, rows.notes


class Tested(NamedTuple):
    """How a tree predicts a file that no fit saw.

    Attributes
    ----------
    name : str, of the file, without its folder
    n_rows : int, rows with a value of the target
    error : float, share of these rows predicted wrongly; of a quantity the mean squared error
    baseline : float, the same of the most frequent class, or the mean, of the fit
    standard_error : float, of the error
    loss : float, by a score (`treelib.owndata.tuning.loss`); None of a quantity, or where a class is new
    """

    name: str
    n_rows: int
    error: float
    baseline: float
    standard_error: float
    loss: float | None


def tested(tree, about, path, separator=None, score="accuracy"):
    """`Tested`, and notes. Parameters as of `read_rows`; the file has to hold the target."""
    rows = read_rows(tree, about, path, separator)
    task = "regression" if tree.is_regression else "classification"
    target = target_of(rows.column(about["target"]), task)
    leaves, weights, loss = tree.apply(rows.X)[target.is_known], None, None
    if about.get("weights") is not None:
        weights = weights_of(rows.column(about["weights"]), about["target"], target.is_known)
    if tree.is_regression:
        losses = (target.y - tree.value[leaves, 0]) ** 2
        baseline = (target.y - tree.value[0, 0]) ** 2
    else:
        names, true = np.array(tree.class_names), target.y.astype(str)
        losses = (true != names[tree.label[leaves]]).astype(float)
        baseline = (true != names[tree.value[0].argmax()]).astype(float)
        if np.isin(true, names).all():
            shares = tree.value[leaves] / tree.value[leaves].sum(axis=1, keepdims=True)
            loss = loss_of(score, np.array([tree.class_names.index(one) for one in true]), shares, weights)
    error, usual = (float(np.average(one, weights=weights)) for one in (losses, baseline))
    share = 1 / len(losses) if weights is None else weights / weights.sum()
    spread = float(np.sqrt(np.sum((share * (losses - error)) ** 2)))
    return Tested(Path(path).name, len(losses), error, usual, spread, loss), rows.notes


def answers(tree, X):
    """Predictions of encoded rows, as of `predict_file`."""
    if tree.is_regression:
        return pd.DataFrame({"prediction": tree.predict(X)})
    counts = tree.predict_value(X)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    names = np.array(tree.class_names, dtype=object)
    shown = {f"share of {name}": share for name, share in zip(names, shares.T, strict=True)}
    return pd.DataFrame({"prediction": names[tree.predict(X)], **shown})


def _features(one):
    """Names of the features that a column became."""
    if one["kind"] != "category":
        return [one["name"]]
    return [name_of(one["name"], members) for members in members_of(one)]


def _source(one):
    """Name of the column of the file."""
    return one.get("made", {}).get("of", one["name"])


def _holds_categories(one):
    return one["kind"] == "category" or "at_least" in one.get("made", {})


def _read(one, cells, decimal, reading):
    """The column of a new file as that of the fit was read and prepared."""
    column = kinds.read(_source(one), cells, decimal, reading)
    if "made" not in one or column.kind == "empty":
        return column
    if "part" in one["made"] and column.kind != "date":
        raise ValueError(f"the column {_source(one)!r} holds {column.cells.words[0]!r}, which is not a date.")
    return again(column, one["made"])


def _check_there(columns, tested, names):
    for one in columns:
        if _source(one) not in names and tested & set(_features(one)):
            raise ValueError(
                f"the tree uses the column {_source(one)!r}, which the file does not have"
                f"{nearest(_source(one), names)}."
            )


def _encoded(one, column):
    """{feature: float (n,)} of a column of the new file, and notes."""
    name = one["name"]
    if one["kind"] == "category":
        return _categories(one, column)
    if not column.fits:
        wanted = "not a number" if one["kind"] == "number" else "neither true nor false"
        raise ValueError(f"the column {name!r} holds {column.odd[0]!r}, which is {wanted}.")
    return {name: column.values}, [f"{name}: {note}" for note, _ in column.notes if column.odd]


def _categories(one, column):
    text = pd.Series(column.values, dtype=object)
    is_missing = text.isna().to_numpy()
    found, notes = {}, []
    for members in members_of(one):
        is_one = text.isin([it for it in members if it is not None]).to_numpy()
        found[name_of(one["name"], members)] = (is_one | (is_missing & (None in members))).astype(float)
    unseen = text[~is_missing & ~text.isin(one["categories"]).to_numpy()]
    if len(unseen):
        words, n = sorted(set(unseen)), rules.counted(len(unseen), "row")
        some = ", ".join(map(repr, words[:_MOST])) + ", ..." * (len(words) > _MOST)
        hold = "holds" if len(unseen) == 1 else "hold"
        notes.append(f"{one['name']}: {n} {hold} {some}, not seen in training: no category.")
    if is_missing.any() and not one["missing"]:
        n = rules.counted(int(is_missing.sum()), "row")
        notes.append(f"{one['name']}: missing in {n}, not in training: no category.")
    return found, notes
