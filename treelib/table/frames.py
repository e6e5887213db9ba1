"""Tables of pandas, polars, pyarrow and numpy: which columns they have, and pyarrow's as pandas frames.

pyarrow is asked only where it is loaded already, as it is when somebody hands over one of its tables.
"""

import sys
from collections import Counter

import numpy as np

from treelib.table.checks import is_whole
from treelib.table.warned import warn

# The names of dtypes of pandas, polars and pyarrow begin with these, in lower case.
_CATEGORIES = ("categor", "enum", "object", "str", "utf8", "large_string", "dictionary")
_TIMES = ("date", "time", "duration", "period", "month_day_nano")
_NESTED = ("list", "large_list", "fixed_size_list", "array", "struct", "map")
_SPARSE = ("sparse",)
_BYTES = ("binary", "large_binary", "fixed_size_binary")


def is_frame(X):
    """Whether `X` is a data frame with columns of their own dtypes."""
    return (
        type(X) is not np.ndarray and hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "shape")
    )


def categorical_columns(X):
    """Indices of the columns of a frame whose dtype is a category, object or text."""
    found = {dtype: _is(dtype, _CATEGORIES, _NESTED) for dtype in set(X.dtypes)}
    return [column for column, dtype in enumerate(X.dtypes) if found[dtype]]


def columns_meant(parameter, chosen, names, n_columns):
    """Ascending column indices meant by a list of int or str, or by a mask.

    parameter : str, whose value `chosen` is. names : list of str, of the columns; None where they have none
    """
    chosen = np.asarray(chosen, dtype=object).ravel().tolist()
    if chosen and all(isinstance(item, (bool, np.bool_)) for item in chosen):
        if len(chosen) != n_columns:
            raise ValueError(
                f"{parameter} is a mask of {len(chosen)} columns, but X has {n_columns}; give one value a "
                "column."
            )
        return np.flatnonzero(chosen).tolist()
    found = set()
    for item in chosen:
        if isinstance(item, str) and item in (names or ()):
            found.add(names.index(item))
        elif is_whole(item) and -n_columns <= item < n_columns:
            found.add(int(item) % n_columns)
        else:
            known = f"the columns are {names[:10]}" if names else "the columns have no names"
            raise ValueError(
                f"{parameter} names {item!r}, which is no column of X; {known}, and indices are below "
                f"{n_columns}."
            )
    return sorted(found)


def from_arrow(data):
    """A pyarrow table as a pandas frame, an array of pyarrow as a series, anything else as it is.

    Every column of a table counts, also what pandas once kept as an index. Nulls are missing values: numbers,
    truth values and decimals with nulls become float64 with NaN.
    """
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not hasattr(arrow, "RecordBatch"):
        return data
    if isinstance(data, arrow.Array | arrow.ChunkedArray):
        return data.to_pandas()
    if isinstance(data, arrow.RecordBatch):
        data = arrow.Table.from_batches([data])
    if not isinstance(data, arrow.Table):
        return data
    refuse_columns(data.column_names, data.schema.types)

    def target(kind):
        is_number = (arrow.types.is_boolean, arrow.types.is_decimal, arrow.types.is_null)
        return arrow.float64() if any(is_it(kind) for is_it in is_number) else kind

    schema = arrow.schema([arrow.field(field.name, target(field.type)) for field in data.schema])
    return data.cast(schema, safe=False).to_pandas(ignore_metadata=True)


def targets(y):
    """`y` as scikit-learn reads it: an array of pyarrow as a series, StringDType as objects, and what pandas
    could hold missing values in, but does not, as numbers or truth values of numpy."""
    if type(y) is np.ndarray and y.dtype.kind in "biuf":
        return y
    y = from_arrow(y)
    plain = getattr(getattr(y, "dtype", None), "numpy_dtype", None)  # of Int64, boolean and their like
    if plain is not None and plain.kind in "biuf" and y.ndim == 1 and not y.isna().any():
        return y.to_numpy(plain)
    return y.astype(object) if getattr(getattr(y, "dtype", None), "kind", "") == "T" else y


def checked_table(X):
    """`X` with a pyarrow table as a pandas frame; TypeError for columns that no tree can read, and for
    containers that are no table."""
    if type(X) is np.ndarray and X.dtype.kind in "biuf":
        return X
    refuse_masked("X", X, "give X.filled(np.nan), or drop these rows")
    if isinstance(X, (dict, set, frozenset)) and not hasattr(X, "tocsr"):  # a sparse matrix may be a dict
        raise TypeError(f"X is a {type(X).__name__}; give a table, for example pandas.DataFrame(X).")
    if hasattr(X, "collect") and not hasattr(X, "shape"):  # polars would look at all of it for its columns
        raise TypeError(f"X is a {type(X).__name__}, which is not computed yet; give X.collect().")
    X = from_arrow(X)
    if is_frame(X):
        if X.shape[1] == 0:
            raise ValueError("X has 0 columns; give at least one.")
        refuse_columns(X.columns, X.dtypes)
    elif getattr(getattr(X, "dtype", None), "kind", "") in ("m", "M"):
        raise TypeError(_no_times("X", X.dtype))
    return X


def refuse_masked(name, data, to_do):
    """ValueError for entries that a mask hides: an array made of them shows what lies beneath."""
    if isinstance(data, np.ma.MaskedArray) and np.ma.is_masked(data):
        raise ValueError(f"{name} has masked entries, whose values would be used all the same; {to_do}.")


def refuse_columns(names, dtypes):
    """ValueError for two columns of one name; TypeError for the first of dates, durations, lists, records or
    bytes."""
    texts = [name for name in names if isinstance(name, str)]
    if len(set(texts)) < len(texts):
        name = next(name for name, count in Counter(texts).items() if count > 1)
        raise ValueError(f"X has {texts.count(name)} columns named {name!r}; give each a name of its own.")
    fine = set()
    for name, dtype in zip(names, dtypes, strict=True):
        if dtype in fine:
            continue
        if _is(dtype, _SPARSE):
            raise TypeError(
                f"Column {name!r} of X is sparse (dtype {dtype}); give X.sparse.to_coo(), a sparse matrix, "
                "or X.sparse.to_dense()."
            )
        if _is(dtype, _TIMES) or getattr(dtype, "kind", "") in ("m", "M"):
            raise TypeError(_no_times(f"Column {name!r} of X", dtype))
        if _is(dtype, _NESTED):
            raise TypeError(
                f"Column {name!r} of X holds several values a row (dtype {dtype}); give each a column."
            )
        if _is(dtype, _BYTES):
            raise TypeError(f"Column {name!r} of X holds bytes (dtype {dtype}); give text or numbers.")
        fine.add(dtype)


def warn_of_large_integers(X):
    """UserWarning for a column of whole numbers that float64, which trees read, does not tell apart."""
    if type(X) is np.ndarray and X.dtype.itemsize < 8:
        return
    columns = zip(X.columns, (X[name] for name in X.columns), strict=True) if is_frame(X) else [(None, X)]
    for name, values in columns:
        values = _large_whole_numbers(values)
        if values is None or not is_beyond(values):
            continue
        where = "X" if name is None else f"Column {name!r} of X"
        warn(
            f"{where} holds whole numbers beyond 2**53, and float64 takes some that differ for equal. If "
            "they are identifiers, leave them out; else take a constant off them, or name the column in "
            "categorical_features.",
        )


def _large_whole_numbers(values):
    """Array of the whole numbers of 64 bits or more in a column or an array, where it may hold some that
    float64 does not tell apart; else None."""
    dtype = getattr(values, "dtype", None)
    kind = getattr(dtype, "kind", "")
    if kind == "O":
        large = [
            value
            for value in np.asarray(values, dtype=object).flat
            if type(value) is int and 2**53 < abs(value) <= sys.float_info.max
        ]
        return np.array(large, dtype=object) if large else None
    # numpy takes long to spell a type, so its name is asked for last
    is_long = kind in "iu" and getattr(dtype, "itemsize", 8) == 8
    if not is_long or str(dtype).lower() not in ("int64", "uint64"):
        return None
    values = np.asarray(values)
    return values if values.dtype.kind in "iu" and values.size else None


def is_beyond(values):
    """Whether float64 changes one of the whole numbers `values`."""
    largest = 2**53
    if values.max() <= largest and values.min() >= -largest:
        return False
    return any(int(value) != int(float(value)) for value in np.unique(values).tolist())


def _is(dtype, beginnings, but=()):
    text = str(dtype).lower()
    return text.startswith(beginnings) and not (but and text.startswith(but))


def _no_times(what, dtype):
    return (
        f"{what} holds dates or durations (dtype {dtype}); give what matters of them as numbers, such as "
        "the year or days since a start."
    )
