"""Columns of a table: text that means numbers becomes numbers, and what cannot help a tree is left out."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd

# more categories than this in one column make more tests than a reader of the tree can follow
MOST_CATEGORIES = 50
# fewer rows than this say nothing on whether a column numbers them
FEWEST_ROWS = 20
NUMBERS_ROWS, LISTS = "it numbers the rows.", "it holds lists or records"

MISSING_SIGNS = ("?", "-", "--", ".")
_SIGNED = (
    r"(?P<open>\()?\s*(?P<minus>[+-]?)\s*(?P<before>[$€£¥]?)\s*(?P<more>[+-]?)\s*"
    r"(?P<number>\d[\d.,]*|\.\d+)\s*(?P<after>[$€£¥%]?)\s*(?P<close>\))?"
)
_DECIMAL_COMMA = r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?"
_THOUSANDS_COMMA = r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?|[+-]?\d+(\.\d+)?"
_TIME = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}( .*)?|\d{1,2}:\d{2}(:\d{2}.*)?"
)


def clean(column, separator=None, is_number=False):
    """A column as a tree can use it, and what is to be said about it.

    Parameters
    ----------
    column : Series
    separator : str or None, between the values of the file; a comma inside a number of a file that is not
        separated by commas is a decimal one
    is_number : bool, whether numbers that begin with 0, such as 007, are numbers; they are codes otherwise

    Returns
    -------
    Series or None, where the column cannot help
    str, a note, or an empty text
    """
    if holds_lists(column):
        return None, f"left out, {LISTS}; give what matters of them as columns."
    given, (column, note) = column, numbers_in_text(column, separator, is_number)
    long = _note_on_long_numbers(given, column)
    why = useless(column)
    if why:
        return None, " ".join(filter(None, (note if is_text(column) else "", f"left out, {why}", long)))
    note = f"{note} {long}".strip()
    if column.dtype == bool:
        return column.astype(float), note
    if _is_whole(column):
        return column, " ".join(filter(None, (note, _note_on_whole_numbers(column))))
    return column, note


def _note_on_whole_numbers(column):
    """What may be wrong with a column of whole numbers: they are identifiers, or too large for float64."""
    n_distinct = column.nunique()
    notes = []
    if len(column) >= FEWEST_ROWS and n_distinct == len(column):
        notes.append(
            "every row has another whole number; if these are identifiers, leave the column out with --drop."
        )
    notes.append(_told_apart(column.dropna().astype(float).nunique(), n_distinct))
    return " ".join(filter(None, notes))


def _note_on_long_numbers(given, column):
    """The same of whole numbers that were text, since they have more than 64 bits."""
    if not is_text(given) or not pd.api.types.is_float_dtype(column):
        return ""
    text = given.dropna().astype(str).str.strip()
    whole = text[text.str.fullmatch(r"[+-]?\d{16,300}")].map(int)
    return _told_apart(whole.map(float).nunique(), whole.nunique())


def _told_apart(left, n_distinct):
    if left == n_distinct:
        return ""
    return f"float64 tells only {left} of its {n_distinct} whole numbers apart; take a constant off them."


def numbers_rows(column):
    """Whether a column counts the rows of its table, in any order."""
    if not _is_whole(column) or len(column) < FEWEST_ROWS or column.isna().any():
        return False
    return column.nunique() == len(column) == int(column.max()) - int(column.min()) + 1


def holds_lists(column):
    """Whether a value is a list, a record or another collection, as Parquet may hold."""
    kinds = (list, tuple, dict, set, np.ndarray)
    return bool(column.dtype == object and column.map(lambda value: isinstance(value, kinds)).any())


def holds_times(column):
    """Whether text or values are dates, times or spans of time."""
    if pd.api.types.is_datetime64_any_dtype(column) or pd.api.types.is_timedelta64_dtype(column):
        return True
    if pd.api.types.is_numeric_dtype(column):
        return False
    return column.dropna().astype(str).str.strip().str.fullmatch(_TIME).all()


def is_text(column):
    """Whether a column holds text or a mixture, neither numbers nor times nor categories."""
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def numbers_in_text(column, separator, is_number=False):
    """Numbers that pandas left as text: with decimal commas, or beside signs for missing values.

    Where one begins with 0 and another digit they are codes, and stay text unless `is_number`.
    """
    if not is_text(column):
        return column, ""
    known = column.dropna()
    # whole numbers beyond 64 bits, and decimals of Parquet
    if len(known) and known.map(lambda value: type(value) in (int, Decimal)).all():
        return column.map(_float, na_action="ignore").astype(float), ""
    if not known.map(lambda value: isinstance(value, str)).all():
        return column, ""
    text = known.str.strip()
    signs = text[text.isin(MISSING_SIGNS)]
    text = text.drop(signs.index)
    if text.empty:
        return column, ""
    notes = []
    numbers = pd.to_numeric(text, errors="coerce")
    if numbers.isna().any():
        text, sign = _without_signs(text)
        numbers = pd.to_numeric(text, errors="coerce")
        if sign == "%":
            notes.append("its values are per cent: 12 % is the number 12")
        elif sign:
            notes.append(f"its values are amounts of {sign}, and stand without the sign")
    if numbers.isna().any() and text.str.contains(",").any():
        if separator == "," and text.str.fullmatch(_THOUSANDS_COMMA).all():
            text = text.str.replace(",", "")
            notes.append("commas in its numbers separate thousands")
        elif text.str.fullmatch(_DECIMAL_COMMA).all():
            text = text.str.replace(".", "").str.replace(",", ".")
            notes.append("commas in its numbers are decimal commas")
        numbers = pd.to_numeric(text, errors="coerce")
    if numbers.isna().any():
        return column, ""
    codes = text[text.str.match(r"0\d")]
    if len(codes) and not is_number:
        return column, (
            f"read as text, since {codes.iloc[0]!r} begins with 0 as codes do; "
            f"--numeric {column.name} reads numbers."
        )
    if len(signs):
        notes.append(f"{len(signs)} values {', '.join(map(repr, sorted(set(signs))))} count as missing")
    return numbers.reindex(column.index), "; ".join(notes) + "." * bool(notes)


def _without_signs(text):
    """Numbers without the one sign of money or per cent that all of them bear, and that sign.

    An amount in parentheses is below zero, as accountants write it. Text of any other kind stays as it is.
    """
    parts = text.str.extract(f"^{_SIGNED}$").fillna("")
    signs = set(parts["before"] + parts["after"])
    fits = (parts["number"] != "") & ((parts["open"] == "") == (parts["close"] == ""))
    fits &= (parts[["open", "minus", "more"]] != "").sum(axis=1) <= 1
    if not fits.all() or len(signs) != 1 or signs == {""} or len(signs := signs.pop()) != 1:
        return text, ""
    is_negative = (parts["open"] != "") | (parts["minus"] + parts["more"]).eq("-")
    return parts["number"].where(~is_negative, "-" + parts["number"]), signs


def _float(whole):
    try:
        return float(whole)
    except OverflowError:
        return math.inf if whole > 0 else -math.inf


def useless(column):
    """Why a column cannot help, or an empty text."""
    n_distinct = column.nunique()
    if n_distinct == 0:
        return "it has no values."
    if n_distinct == 1 and not column.isna().any():
        return "it is constant."
    if holds_times(column):
        return "it holds times; give what matters of them as numbers."
    if pd.api.types.is_complex_dtype(column):
        return "it holds complex numbers."
    if _is_whole(column):
        return NUMBERS_ROWS if numbers_rows(column) else ""
    if pd.api.types.is_numeric_dtype(column):
        return ""
    text = column.dropna().astype(str).str.strip()
    if n_distinct == len(column) >= FEWEST_ROWS:
        return "every row has another value."
    if n_distinct > MOST_CATEGORIES:
        strange = text[pd.to_numeric(text, errors="coerce").isna()]
        some = f" {len(strange)} values are no numbers, such as {strange.iloc[0]!r}." if len(strange) else ""
        hint = some if 2 * len(strange) < len(text) else " Put rare ones together."
        return f"it has {n_distinct} categories, more than {MOST_CATEGORIES}.{hint}"
    return ""


def _is_whole(column):
    return pd.api.types.is_integer_dtype(column)
