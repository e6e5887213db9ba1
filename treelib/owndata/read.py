"""A table with a target column, read from CSV or Parquet, with a note on everything that was left out.

The rules stand in `treelib.owndata.columns`: a file becomes columns of text, a column becomes numbers, truth
values, categories or dates, and what cannot help a tree is left out by name.
"""

import difflib
import hashlib
import lzma
import time
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from treelib.estimator import columns_of_encoder
from treelib.owndata import export
from treelib.owndata.columns import cells, kinds, rules, sets, text
from treelib.owndata.columns.preparing import prepared
from treelib.owndata.columns.targets import target_of
from treelib.table.encode import TableEncoder

_BROKEN_ARCHIVE = (zipfile.BadZipFile, lzma.LZMAError, zlib.error)
MOST_NOTES = 12  # in an error
JSON = (".json", ".jsonl", ".ndjson")
WORKBOOKS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")


@dataclass
class OwnTable:
    """A table ready for a classifier.

    Attributes
    ----------
    name : str, of the file, without its folder
    sha256 : str, of the file
    X : DataFrame, float64: numbers and truth values, then one 0/1 column a category; NaN where missing
    y : array (n,) of classes: whole numbers where the target holds such, else text
    target : str
    sql : list of str, for each column of `X` the SQL expression that makes it of the columns of the file
    notes : list of str, what was left out or changed, and why
    task : {"classification", "regression"}; in a regression `y` holds float64
    source : list of str, for each column of `X` the column of the file that it is made of
    n_columns : int, columns of the file without the target
    columns : list of dict, for each column of the file that is used its ``name``, its ``kind``: "number",
        "truth" or "category", ``odd`` words in it that are missing, and of the last its ``categories`` and
        whether some were ``missing``
    missing : tuple of str, words that were asked to be missing
    decimal : "." or ",", the decimal mark of the file
    weights : float (n,), what the rows weigh, all above 0; None where all weigh the same
    weighted_by : str, the column of the file with the weights, or None
    coded : list of `treelib.owndata.columns.sets.Coded`, whose sets of categories a test may ask for
    names : tuple of str, all columns of the file
    seconds : float, that reading took
    """

    name: str
    sha256: str
    X: pd.DataFrame
    y: np.ndarray
    target: str
    sql: list
    notes: list = field(default_factory=list)
    task: str = "classification"
    source: list = field(default_factory=list)
    n_columns: int = 0
    columns: list = field(default_factory=list)
    missing: tuple = ()
    decimal: str = "."
    names: tuple = ()
    weights: np.ndarray | None = None
    weighted_by: str | None = None
    coded: list = field(default_factory=list)
    seconds: float = 0.0

    @property
    def classes(self):
        return np.unique(self.y)

    @property
    def wording(self):
        """How its trees are worded: columns of 0 and 1 are asked, missing values named if there are any."""
        X = self.X.to_numpy()
        return {
            "yes_no": (np.isin(X, (0, 1)) | np.isnan(X)).all(axis=0),
            "missing": bool(np.isnan(X).any()),
        }


def read_table(
    path,
    target,
    *,
    separator=None,
    drop=(),
    task="classification",
    reading=cells.DEFAULT,
    preparing=None,
    weights=None,
):
    """Read a file and set its target column apart.

    Parameters
    ----------
    path : str or Path, a CSV file (also .gz, .bz2, .xz, .zip), or Parquet if the name ends so
    target : str, name of the column to predict
    separator : str or None, between the values of a CSV file; None: comma, semicolon, tab or |,
        whichever the first line holds most
    drop : iterable of str, columns to leave out
    task : {"classification", "regression", "auto"}; "auto" takes more different numbers than there may be
        classes for a quantity
    reading : treelib.owndata.columns.cells.Reading, what the cells mean
    preparing : treelib.owndata.columns.preparing.Preparing, what becomes of dates and of many categories, or
        None to do without such columns
    weights : str or None, the column that says what each row weighs

    Returns
    -------
    OwnTable

    Raises
    ------
    ValueError
        When there is no such file, column or class, or too little is left; the message says what to do.
    """
    began, path = time.perf_counter(), Path(path)
    file = read_file(path, separator)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return _table(file, path.name, digest, target, drop, task, reading, preparing, weights, began)


def table_of(X, y, target, *, drop=(), task="auto", reading=cells.DEFAULT, preparing=None, weights=None):
    """`OwnTable` of a data frame and its target, as of a file that holds both; see `read_table`."""
    began, frame = time.perf_counter(), pd.DataFrame(X).copy()
    frame.columns = [str(name) for name in frame.columns]
    if target in frame.columns:
        raise ValueError(f"X has a column {target!r}, which is the name of the target.")
    frame[target] = np.asarray(y)
    file = text.of_frame(frame)
    return _table(file, "a data frame", "", target, drop, task, reading, preparing, weights, began)


def _table(file, name_of_file, digest, target, drop, task, reading, preparing, weights, began):
    ordered = preparing.ordered if preparing else ()
    weighted_by = () if weights is None else (weights,)
    _check_names(
        file.columns, (target, *drop, *weighted_by, *reading.categorical, *reading.numeric, *ordered)
    )
    for name in set(reading.categorical).intersection(reading.numeric):
        raise ValueError(f"{name!r} cannot be both --categorical and --numeric.")
    decimal, on_marks = decimal_of(file, reading)
    found = target_of(kinds.read(target, file.columns[target], decimal, reading, is_target=True), task)
    is_used, of_row = found.is_known, None
    if weights is not None:
        of_row = weights_of(kinds.read(weights, file.columns[weights], decimal, reading), target, is_used)
        is_used = np.flatnonzero(is_used)[of_row > 0]
        found, of_row = found._replace(y=found.y[of_row > 0]), of_row[of_row > 0]
        if len(np.unique(found.y)) < 2:
            raise ValueError(
                f"the rows with a weight in {weights!r} have one value of the target {target!r}."
            )
    said = [("", *note) for note in (*file.notes, *on_marks)]
    said += [(target, *note) for note in found.column.notes]
    if n_unknown := int((~found.is_known).sum()):
        said.append(("", *rules.note("target", n=rules.counted(n_unknown, "row"), name=target)))
    if found.task == "regression":
        said.append(("", f"The target {target!r} is treated as a quantity: the tree predicts its mean.", ""))
    kept = []
    for name, of_column in file.columns.items():
        if name not in {target, *drop, *weighted_by}:
            columns, notes = _columns(name, of_column, decimal, reading, is_used, preparing)
            said += [(name, *note) for note in notes]
            kept += columns
    notes = _joined(said, reading.has_advice)
    if not kept:
        more = f" And {len(notes) - MOST_NOTES} more." if len(notes) > MOST_NOTES else ""
        raise ValueError("no column is left to predict from: " + " ".join(notes[:MOST_NOTES]) + more)
    X, encoder = _encode(pd.DataFrame({column.name: column.values for column in kept}))
    infinite = np.isinf(X.to_numpy()).any(axis=0)
    if infinite.any():
        raise ValueError(f"infinite values in {_some(X.columns[infinite])}; replace or drop them.")
    table = OwnTable(
        name_of_file,
        digest,
        X,
        found.y,
        target,
        export.of_columns(kept, encoder),
        notes,
        found.task,
        [kept[i].source for i in columns_of_encoder(encoder, len(kept))],
        len(file.columns) - 1 - len(weighted_by),
        _meaning(kept, encoder),
        reading.missing,
        decimal,
        tuple(file.columns),
        of_row,
        weights,
        sets.coded(kept, encoder) if preparing and preparing.category_tests == "subsets" else [],
    )
    table = sets.with_orders(table) if table.coded else table
    table.seconds = time.perf_counter() - began
    return table


def weights_of(column, target, is_known):
    """What the rows weigh whose target is known, float64 (n_known,); ValueError where one does not say it.

    column : treelib.owndata.columns.kinds.Column. target : str
    """
    name = column.name
    if name == target:
        raise ValueError(f"--weights {name}: this is the target; give another column.")
    if column.kind != "number":
        raise ValueError(f"--weights {name}: the column holds no numbers.")
    found = column.values[is_known]
    if n := int((~np.isfinite(found)).sum()):
        raise ValueError(
            f"--weights {name}: {rules.counted(n, 'row')} with a value of {target!r} lack{'s' * (n == 1)} a "
            "finite weight; give each row one, 0 for rows that do not count."
        )
    if (found < 0).any():
        raise ValueError(f"--weights {name}: {found.min():g} is below 0; weights must be 0 or more.")
    if not found.any():
        raise ValueError(f"--weights {name}: all weights are 0.")
    return found


def decimal_of(file, reading, default="."):
    """(decimal mark of a file, notes on its numbers); `default` where they do not tell."""
    typed = [one for one in file.columns.values() if one is not None and not one.is_typed]
    speaks, doubtful = cells.decimal_marks([one.counts for one in typed])
    chosen = reading.decimal or cells.decimal_of(speaks, default)
    other = "," if chosen == "." else "."
    commonest = {mark: _commonest(words) for mark, words in speaks.items()}
    notes = []
    if all(commonest.values()):
        named = {".": "decimal points", ",": "decimal commas"}[chosen]
        found = {"comma": commonest[","], "point": commonest["."], "chosen": named, "other": other}
        notes.append(rules.note("two ways", **found))
    elif commonest[","] and chosen == ",":
        notes.append(rules.note("comma"))
    elif any("," in word for word in (*doubtful, *speaks["."])) and chosen == ".":
        notes.append(rules.note("thousands"))
    if doubtful and not any(commonest.values()) and reading.decimal is None:
        word = _commonest(doubtful)
        value = cells.number(word, chosen)[0]
        notes.append(
            rules.note("doubt", word=word, value=int(value) if value.is_integer() else value, other=other)
        )
    return chosen, notes


def _commonest(counts):
    return min(counts, key=lambda word: (-counts[word], word), default="")


def _columns(name, of_column, decimal, reading, is_known, preparing):
    """(Columns that a tree may test, of the rows that have a class; notes)."""
    whole = kinds.read(name, of_column, decimal, reading)
    if not whole.fits:
        raise ValueError(f"--numeric {name}: the column holds {whole.odd[0]!r}, which is not a number.")
    why = "" if name in reading.categorical else kinds.identifies(whole)
    column, notes = whole.of_rows(is_known), list(whole.notes)
    if why == "distinct":
        why = notes.append(rules.note("distinct", name=name))
    why = why or kinds.useless(column)
    if preparing is not None and why in ("", "date", "categories"):
        columns, note = prepared(column, preparing)
        if columns:
            notes += [(note, "")] * bool(note)
            return columns, [*notes, *kinds.on_long_numbers(column)]
    if why:
        facts = (
            {"n": len(set(column.known.values())), "most": rules.LIMITS["categories"]} if column.cells else {}
        )
        notes.append(rules.note("left out", why=rules.reason(why, **facts)))
    long = () if why == "rows" else kinds.on_long_numbers(column)
    return [] if why else [column], [*notes, *long]


def _joined(said, has_advice):
    """Notes as list of str, those on a column in one; `said` holds (column or "", note, advice)."""
    found = {}
    for name, note, advice in said:
        words = f"{note} {advice}" if advice and has_advice else note
        found.setdefault(name or (note,), []).append(words)
    return [
        " ".join(words) if isinstance(name, tuple) else f"{name}: {' '.join(words)}"
        for name, words in found.items()
    ]


def _meaning(kept, encoder):
    """`OwnTable.columns`."""
    found = []
    for i, column in enumerate(kept):
        one = {"name": column.name, "kind": column.kind, "odd": list(column.odd)}
        one |= {"made": column.made} if column.made else {}
        if column.kind == "category":
            one |= {"categories": encoder.categories_[i], "missing": bool(encoder.has_missing_[i])}
        found.append(one)
    return found


def _check_names(columns, wanted):
    for name in wanted:
        if name not in columns:
            raise ValueError(
                f"there is no column {name!r}{nearest(name, columns)}; the columns are {_some(columns)}."
            )


def nearest(name, columns):
    """What was probably meant, as text: a name in another case, one that begins so, or the nearest ones."""
    if all(part in columns for part in name.split(",")):
        return f" (give {' and '.join(map(repr, name.split(',')))} apart)"
    folded, wanted = {str(column).casefold(): str(column) for column in columns}, name.casefold()
    near = [wanted] if wanted in folded else []
    near = near or [one for one in folded if one and (one.startswith(wanted) or wanted.startswith(one))][:2]
    near = near or difflib.get_close_matches(wanted, folded, n=2)
    return f" (did you mean {' or '.join(repr(folded[key]) for key in near)}?)" if near else ""


def _encode(table):
    """Float64 frame of a table, and the fitted `TableEncoder`, None where there are no categories."""
    encoder = TableEncoder()
    if not encoder.has_categories(table):
        return pd.DataFrame(table.to_numpy(float, na_value=np.nan), columns=table.columns), None
    encoded = encoder.fit_transform(table, list(table.columns))
    return pd.DataFrame(encoded, columns=list(encoder.feature_names_out_)), encoder


def read_file(path, separator=None, known=()):
    """`treelib.owndata.columns.text.Texts` of a file; ValueError where it is none that can be read.

    known : names, one of which a file of one column may have
    """
    try:
        is_there = path.is_file()
    except OSError as error:  # a name that is too long, a folder that may not be searched
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}.") from None
    if not is_there:
        raise ValueError(f"there is no file {str(path)!r}.")
    if separator and (len(separator) != 1 or separator in '\r\n"'):
        raise ValueError(
            f"separator={separator!r} must be one character that separates values, such as a comma or |."
        )
    if path.suffix.lower() in WORKBOOKS:
        raise ValueError(f"{path.name} is a workbook; save its sheet as CSV and use that file.")
    if path.suffix.lower() in JSON:
        raise ValueError(f"{path.name} is JSON; convert it to CSV, one record per line.")
    file = _of_parquet(path) if path.suffix.lower() in (".parquet", ".pq") else _of_csv(path, separator)
    names = list(file.columns)
    if len(names) < 2 and names[0] not in known:
        raise ValueError(
            f"{path.name} has a single column, {names[0]!r}; if its values are separated by a "
            "character other than comma, semicolon, tab or |, name it with --separator."
        )
    return file


def _of_parquet(path):
    try:
        return text.of_frame(pd.read_parquet(path))
    except ImportError:
        raise ValueError("reading Parquet needs pyarrow: pip install pyarrow.") from None
    except Exception as error:
        raise ValueError(f"{path.name} is not a readable Parquet file: {error}") from None


def _of_csv(path, separator):
    try:
        with pd.io.common.get_handle(path, "rb", compression="infer", is_text=False) as file:
            content = file.handle.read()
        found, notes = text.decode(content)
        file = text.read(found, separator)
        return file._replace(notes=notes + file.notes)
    except (ValueError, OSError, EOFError, *_BROKEN_ARCHIVE) as error:
        raise ValueError(f"{path.name} cannot be read as CSV: {error}.") from None


def _some(names, most=12):
    names = [str(name) for name in names]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
