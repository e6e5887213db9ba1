"""A table with a target column, read from CSV or Parquet, with a note on everything that was left out."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from treelib.encode import TableEncoder

# more categories than this in one column make more tests than a reader of the tree can follow
MOST_CATEGORIES = 50
MOST_CLASSES = 50


@dataclass
class OwnTable:
    """A table ready for a classifier.

    Attributes
    ----------
    name : str, of the file, without its folder
    sha256 : str, of the file
    X : DataFrame, float64: numeric columns, then one 0/1 column a category; NaN where missing
    y : array (n,) of class names
    target : str
    notes : list of str, what was left out or changed, and why
    """

    name: str
    sha256: str
    X: pd.DataFrame
    y: np.ndarray
    target: str
    notes: list = field(default_factory=list)

    @property
    def classes(self):
        return np.unique(self.y)


def read_table(path, target, *, separator=None, drop=()):
    """Read a file and set its target column apart.

    Parameters
    ----------
    path : str or Path, a CSV file (also .gz, .bz2, .xz, .zip), or Parquet if the name ends so
    target : str, name of the column to predict
    separator : str or None, between the values of a CSV file; None: comma, semicolon or tab, whichever the
        first line holds most
    drop : iterable of str, columns to leave out

    Returns
    -------
    OwnTable

    Raises
    ------
    ValueError
        When there is no such file, column or class, or too little is left; the message says what to do.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}.")
    frame = _read_frame(path, separator)
    frame.columns = [str(name) for name in frame.columns]
    twice = sorted({name for name in frame.columns if list(frame.columns).count(name) > 1})
    if twice:
        raise ValueError(f"the column name(s) {', '.join(twice)} occur more than once; rename them.")
    for name in (target, *drop):
        if name not in frame.columns:
            raise ValueError(f"there is no column {name!r}; the columns are {_some(frame.columns)}.")
    notes = []
    known = frame[target].notna().to_numpy()
    if not known.all():
        notes.append(f"{np.count_nonzero(~known)} rows without a value of {target!r} were left out.")
        frame = frame[known]
    y = _classes(frame[target])
    columns = [name for name in frame.columns if name not in {target, *drop}]
    kept = [name for name in columns if not (why := _useless(frame[name])) or notes.append(f"{name}: {why}")]
    if not kept:
        raise ValueError("no column is left to predict from: " + " ".join(notes))
    table = frame[kept].copy()
    for name in kept:
        if table[name].dtype == bool:
            table[name] = table[name].astype(float)
    encoder = TableEncoder()
    if encoder.has_categories(table):
        encoded = encoder.fit_transform(table, kept)
        names = encoder.feature_names_out_
    else:
        encoded, names = table.to_numpy(float, na_value=np.nan), kept
    X = pd.DataFrame(encoded, columns=list(names))
    infinite = np.isinf(X.to_numpy()).any(axis=0)
    if infinite.any():
        raise ValueError(f"infinite values in {_some(X.columns[infinite])}; replace or drop them.")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return OwnTable(path.name, digest, X, y, target, notes)


def _read_frame(path, separator):
    if path.suffix.lower() in (".parquet", ".pq"):
        try:
            return pd.read_parquet(path)
        except ImportError:
            raise ValueError("reading Parquet needs pyarrow: pip install pyarrow.") from None
        except Exception as error:
            raise ValueError(f"{path.name} is not a readable Parquet file: {error}") from None
    try:
        frame = pd.read_csv(path, sep=separator or _separator(path), skipinitialspace=True, low_memory=False)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path.name} is empty.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8 text ({error.reason}); save it as UTF-8.") from None
    except (pd.errors.ParserError, OSError, EOFError) as error:
        raise ValueError(f"{path.name} cannot be read as CSV: {error}") from None
    if frame.shape[1] < 2:
        raise ValueError(
            f"{path.name} has a single column, {frame.columns[0]!r}; if its values are separated by another "
            "sign than comma, semicolon or tab, name it with --separator."
        )
    return frame


def _separator(path):
    """The likeliest sign between the values of the first line."""
    with pd.io.common.get_handle(path, "r", compression="infer", encoding="utf-8") as file:
        line = file.handle.readline(1_000_000)
    return max(",;\t", key=line.count)


def _classes(column):
    """Class names as text, whole numbers without a decimal point."""
    if column.nunique() < 2:
        raise ValueError(
            f"the target {column.name!r} has {column.nunique()} class; there must be two or more."
        )
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if column.nunique() > MOST_CLASSES:
        hint = "looks like a quantity; cut it into ranges first" if is_number else "looks like free text"
        raise ValueError(
            f"the target {column.name!r} has {column.nunique()} different values, more than {MOST_CLASSES}; "
            f"it {hint}."
        )
    if is_number and (column == column.round()).all():
        column = column.astype("int64")
    return column.astype(str).to_numpy(dtype=object).astype(str)


def _useless(column):
    """Why a column cannot help, or an empty text."""
    n_distinct = column.nunique()
    if n_distinct == 0:
        return "left out, it has no values."
    if n_distinct == 1 and not column.isna().any():
        return "left out, it is constant."
    is_number = pd.api.types.is_numeric_dtype(column)
    if pd.api.types.is_datetime64_any_dtype(column) or pd.api.types.is_timedelta64_dtype(column):
        return "left out, it holds times; give what matters of them as numbers."
    if pd.api.types.is_complex_dtype(column):
        return "left out, it holds complex numbers."
    if not is_number and n_distinct > MOST_CATEGORIES:
        return f"left out, it has {n_distinct} categories, more than {MOST_CATEGORIES}."
    return ""


def _some(names, most=12):
    names = [str(name) for name in names]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
