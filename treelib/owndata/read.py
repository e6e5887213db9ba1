"""A table with a target column, read from CSV or Parquet, with a note on everything that was left out."""

import difflib
import hashlib
import lzma
import re
import warnings
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from treelib.estimator import columns_of_encoder
from treelib.owndata import export
from treelib.owndata.columns import cells
from treelib.owndata.columns.kinds import (
    LISTS,
    NUMBERS_ROWS,
    clean,
    holds_lists,
    holds_times,
    is_text,
    numbers_in_text,
    numbers_rows,
    useless,
)
from treelib.table.checks import check_choice
from treelib.table.encode import TableEncoder

_BROKEN_ARCHIVE = (zipfile.BadZipFile, lzma.LZMAError, zlib.error)
MOST_CLASSES = 50
MOST_NOTES = 12  # in an error
SEPARATORS = ",;\t|"
JSON = (".json", ".jsonl", ".ndjson")
WORKBOOKS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")


@dataclass
class OwnTable:
    """A table ready for a classifier.

    Attributes
    ----------
    name : str, of the file, without its folder
    sha256 : str, of the file
    X : DataFrame, float64: numeric columns, then one 0/1 column a category; NaN where missing
    y : array (n,) of classes: whole numbers where the target holds such, else text
    target : str
    sql : list of str, for each column of `X` the SQL expression that makes it of the columns of the file
    notes : list of str, what was left out or changed, and why
    task : {"classification", "regression"}; in a regression `y` holds float64
    source : list of str, for each column of `X` the column of the file that it is made of
    n_columns : int, columns of the file without the target
    columns : list of dict, for each column of the file that is used its ``name``, its ``kind``: "number",
        "truth" or "category", and of the last its ``categories`` and whether some were ``missing``
    missing : tuple of str, words that were asked to be missing
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

    @property
    def classes(self):
        return np.unique(self.y)

    @property
    def wording(self):
        """How its trees are worded: columns of 0 and 1 are asked, missing values named if there are any."""
        X = self.X.to_numpy()
        return {"yes_no": np.isin(X, (0, 1)).all(axis=0), "missing": bool(np.isnan(X).any())}


def read_table(path, target, *, separator=None, drop=(), task="classification", reading=cells.DEFAULT):
    """Read a file and set its target column apart.

    Parameters
    ----------
    path : str or Path, a CSV file (also .gz, .bz2, .xz, .zip), or Parquet if the name ends so
    target : str, name of the column to predict
    separator : str or None, between the values of a CSV file; None: comma, semicolon, tab or |,
        whichever the first line holds most
    drop : iterable of str, columns to leave out
    task : {"classification", "regression", "auto"}; "auto" takes more than `MOST_CLASSES` different numbers
        for a quantity
    reading : treelib.owndata.columns.cells.Reading, what the cells mean

    Returns
    -------
    OwnTable

    Raises
    ------
    ValueError
        When there is no such file, column or class, or too little is left; the message says what to do.
    """
    path = Path(path)
    frame, separator, of_cells = read_frame(path, separator, target, reading)
    _check_names(frame.columns, (target, *drop, *reading.categorical, *reading.numeric))
    notes = [f"{target}: {of_cells[target]}"] if target in of_cells else []
    # a column that counts the rows of the file does so no more where rows are left out
    counting = [name for name in frame.columns if name not in {target, *drop} and numbers_rows(frame[name])]
    known = frame[target].notna().to_numpy()
    if not known.all():
        notes.append(f"{np.count_nonzero(~known)} rows without a value of {target!r} were left out.")
        frame = frame[known].reset_index(drop=True)
    if holds_lists(frame[target]):
        raise ValueError(f"the target {target!r} is no class and no quantity: {LISTS}.")
    check_choice("task", task, ("classification", "regression", "auto"))
    quantity = None
    if task != "classification":
        quantity, note = _quantity(frame[target], separator, is_asked=task == "regression")
        if quantity is not None:
            notes += [f"{target}: {note}"] if note else []
            notes.append(f"The target {target!r} is taken for a quantity: the tree predicts its mean.")
    y = _classes(frame[target]) if quantity is None else quantity
    kept = {}
    for name in frame.columns:
        if name not in {target, *drop}:
            column, note = _cleaned(frame[name], separator, reading)
            if name in counting and name not in reading.categorical:
                column, note = None, f"left out, {NUMBERS_ROWS}"
            if note := " ".join(filter(None, (of_cells.get(name), note))):
                notes.append(f"{name}: {note}")
            if column is not None:
                kept[name] = column
    if not kept:
        more = f" And {len(notes) - MOST_NOTES} more." if len(notes) > MOST_NOTES else ""
        raise ValueError("no column is left to predict from: " + " ".join(notes[:MOST_NOTES]) + more)
    table = pd.DataFrame(kept)
    X, encoder = _encode(table)
    infinite = np.isinf(X.to_numpy()).any(axis=0)
    if infinite.any():
        raise ValueError(f"infinite values in {_some(X.columns[infinite])}; replace or drop them.")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    is_bool = [frame[name].dtype == bool for name in table.columns]
    expressions = export.of_columns(table.columns, is_bool, encoder)
    found = "classification" if quantity is None else "regression"
    source = [table.columns[i] for i in columns_of_encoder(encoder, table.shape[1])]
    more = (source, frame.shape[1] - 1, _meaning(table.columns, is_bool, encoder), reading.missing)
    return OwnTable(path.name, digest, X, y, target, expressions, notes, found, *more)


def _cleaned(column, separator, reading):
    """`clean` of a column as `reading` wants it: (Series or None, a note)."""
    is_number = column.name in reading.numeric
    if column.name in reading.categorical:
        if is_number:
            raise ValueError(f"{column.name!r} cannot be both --categorical and --numeric.")
        why = useless(column := cells.as_text(column))
        return (None, f"left out, {why}") if why else (column, "")
    column, note = clean(column, separator, is_number)
    if is_number and column is not None and is_text(column):
        strange = column[pd.to_numeric(column, errors="coerce").isna() & column.notna()]
        raise ValueError(
            f"--numeric {column.name}: the column holds {strange.iloc[0]!r}, which is no number."
        )
    return column, note


def _meaning(names, is_bool, encoder):
    """`OwnTable.columns`."""
    found = []
    for i, name in enumerate(names):
        if encoder is None or i in encoder.numeric_:
            found.append({"name": name, "kind": "truth" if is_bool[i] else "number"})
            continue
        plain = [
            one if isinstance(one, (str, bool, int, float)) else str(one) for one in encoder.categories_[i]
        ]
        is_missing = bool(encoder.has_missing_[i])
        found.append({"name": name, "kind": "category", "categories": plain, "missing": is_missing})
    return found


def _quantity(column, separator, is_asked):
    """(target as float64, a note) of a regression; (None, "") where it is none and was not asked for."""
    numbers, note = numbers_in_text(column, separator, is_asked)
    is_number = pd.api.types.is_numeric_dtype(numbers) and not pd.api.types.is_bool_dtype(numbers)
    if not is_asked and (not is_number or numbers.nunique() <= MOST_CLASSES):
        return None, ""
    if not is_number:
        raise ValueError(f"the target {column.name!r} holds no numbers; a regression needs some.")
    found = numbers.to_numpy(float, na_value=np.nan)
    if not np.isfinite(found).all():
        raise ValueError(f"the target {column.name!r} holds missing or infinite values; drop these rows.")
    if len(np.unique(found)) < 2:
        raise ValueError(f"the target {column.name!r} has fewer than two different values.")
    return found, note


def _check_names(columns, wanted):
    twice = sorted(name for name, count in Counter(columns).items() if count > 1)
    if twice:
        named = ", ".join(map(repr, twice))
        raise ValueError(f"more than one column has the name {named}; rename them.")
    for name in wanted:
        if name not in columns:
            raise ValueError(
                f"there is no column {name!r}{nearest(name, columns)}; the columns are {_some(columns)}."
            )


def nearest(name, columns):
    """What was probably meant, as text: a name in another case, one that begins so, or the nearest ones."""
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


def read_frame(path, separator, target, reading, known=()):
    """(frame with stripped names, separator or None, {column: note} on its cells).

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
    if path.suffix.lower() in (".parquet", ".pq"):
        try:
            frame = pd.read_parquet(path)
            frame.columns = [str(name).strip() for name in frame.columns]
            frame, notes = cells.without_words(frame, reading.missing)
            return frame, None, notes
        except ImportError:
            raise ValueError("reading Parquet needs pyarrow: pip install pyarrow.") from None
        except Exception as error:
            raise ValueError(f"{path.name} is not a readable Parquet file: {error}") from None
    if path.suffix.lower() in WORKBOOKS:
        raise ValueError(f"{path.name} is a workbook; save its sheet as CSV, and give that.")
    if path.suffix.lower() in JSON:
        raise ValueError(f"{path.name} is JSON; write its records as CSV, a line each, and give that.")
    try:
        separator = separator or _separator(path)
        with warnings.catch_warnings():  # without index_col pandas takes surplus values in front for an index
            warnings.filterwarnings("error", "Length of header", pd.errors.ParserWarning)
            options = {"skipinitialspace": True, "low_memory": False, "index_col": False}
            frame, notes = cells.read_csv(path, separator, target, reading, **options)
        # pandas calls the second of two columns "a" "a.1", a name that the file does not know
        head = pd.read_csv(path, sep=separator, skipinitialspace=True, header=None, nrows=1, dtype=str)
        if head.shape[1] == frame.shape[1] and head.notna().to_numpy().all():
            frame.columns = head.iloc[0]
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path.name} is empty.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8 text ({error.reason}); save it as UTF-8.") from None
    except pd.errors.ParserWarning:
        raise ValueError(
            f"the rows of {path.name} have more values than its first line has names; name every column."
        ) from None
    except (pd.errors.ParserError, OSError, EOFError, *_BROKEN_ARCHIVE) as error:
        raise ValueError(f"{path.name} cannot be read as CSV: {error}") from None
    if frame.shape[1] < 2 and str(frame.columns[0]).strip() not in known:
        raise ValueError(
            f"{path.name} has a single column, {frame.columns[0]!r}; if its values are separated by another "
            "sign than comma, semicolon, tab or |, name it with --separator."
        )
    frame.columns = [str(name).strip() for name in frame.columns]
    return frame, separator, notes


def _separator(path):
    """The likeliest sign between the values of the first line, quoted names aside."""
    with pd.io.common.get_handle(path, "r", compression="infer", encoding="utf-8") as file:
        line = file.handle.readline(1_000_000)
    return max(SEPARATORS, key=re.sub('"[^"]*"', "", line).count)


def _classes(column):
    """Classes as whole numbers, or as text."""
    if not len(column):
        raise ValueError(f"there is no row with a value of the target {column.name!r}.")
    if column.nunique() < 2:
        raise ValueError(
            f"the target {column.name!r} has one value only, {str(column.iloc[0])!r}; two are needed."
        )
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if column.nunique() > MOST_CLASSES:
        hint = (
            "looks like a quantity; cut it into ranges, or fit a TopDownTreeRegressor: --task regression"
            if is_number
            else "holds times; cut them into ranges"
            if holds_times(column)
            else "looks like free text"
        )
        raise ValueError(
            f"the target {column.name!r} has {column.nunique()} different values, more than {MOST_CLASSES}; "
            f"it {hint}."
        )
    if pd.api.types.is_float_dtype(column):
        if np.isinf(column).any():
            raise ValueError(f"the target {column.name!r} holds infinite values; replace or drop them.")
        if (column == column.round()).all() and column.abs().max() < 2**53:
            column = column.astype("int64")
    if is_number and column.dtype.kind in "iu":  # in their own order: 0, 1, 2, 10
        return np.array(column.tolist())
    names = column.astype(str).to_numpy(dtype=object)
    if any("\0" in name for name in names):  # numpy's texts lose those at the end, and with them a class
        raise ValueError(
            f"the target {column.name!r} holds zero bytes, as files that are damaged or in UTF-16 do; save "
            "the file as UTF-8 text."
        )
    return names.astype(str)


def _some(names, most=12):
    names = [str(name) for name in names]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
