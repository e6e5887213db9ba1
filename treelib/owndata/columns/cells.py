"""What the cells of a file mean: which words stand for a missing value, and which digits are codes.

An empty cell is missing everywhere. In a column of numbers, truth values or times so is every word of
`PEOPLE` and `PROGRAMS`. In a column of text only what programs write is missing; "None" and "NA" may be
answers there, as in "None, mild, severe", and stay as categories of their own. A note says of both.
"""

from typing import NamedTuple

import pandas as pd

from treelib.owndata.columns.kinds import holds_times, is_text, numbers_in_text

PEOPLE = frozenset(("NA", "N/A", "n/a", "None"))
_NOT_A_NUMBER = ("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN")
PROGRAMS = frozenset((*_NOT_A_NUMBER, "NULL", "null", "<NA>", "#N/A", "#N/A N/A", "#NA"))
_TRUTH = frozenset(("True", "TRUE", "true", "False", "FALSE", "false"))


class Reading(NamedTuple):
    """How a file is to be read.

    Attributes
    ----------
    missing : tuple of str, words that are missing in every column
    categorical : tuple of str, columns that hold categories, also where all of them are numbers
    numeric : tuple of str, columns that hold numbers, also where these begin with 0
    """

    missing: tuple = ()
    categorical: tuple = ()
    numeric: tuple = ()


DEFAULT = Reading()


def read_csv(path, separator, target, reading=DEFAULT, **options):
    """Frame of a CSV file, and {column: note} on its cells.

    Parameters
    ----------
    path : Path
    separator : str, one character
    target : str, its words are classes and no categories
    reading : Reading
    options : further ones of `pandas.read_csv`
    """
    options |= {"sep": separator, "keep_default_na": False}
    cells = pd.read_csv(path, dtype=str, na_values=[""], **options)
    missing, kept, empty, texts = {}, {}, {}, {}
    for name in cells.columns:
        missing[name], kept[name] = _words(str(name).strip(), cells[name].value_counts(), separator, reading)
        empty[name] = int(cells[name].isna().sum())
        if kept[name] is not None:
            texts[name] = cells[name].mask(cells[name].isin(missing[name]))
    del cells
    words = ["", *PEOPLE, *PROGRAMS, *reading.missing]
    frame = pd.read_csv(path, na_values=words, **options)
    for name, text in texts.items():
        frame[name] = text
    notes = {}
    for name in frame.columns:
        parts = []
        n_missing = int(frame[name].isna().sum()) - empty[name]
        if n_missing > 0:
            parts.append(f"{_cells(n_missing)} {_quoted(missing[name])} count as missing.")
        if kept[name]:
            parts.append(_note_on_words(kept[name], is_class=str(name).strip() == target))
        if parts:
            notes[str(name).strip()] = " ".join(parts)
    return frame, notes


def _note_on_words(kept, is_class):
    """kept : {word: cells}, words for missing values that are none here."""
    are = "counts as a class" if is_class else "counts as a category"
    if len(kept) > 1:
        are = "count as classes" if is_class else "count as categories"
    own, them = ("its own", "it") if len(kept) == 1 else ("their own", "them")
    return (
        f"{_quoted(kept)} ({_cells(sum(kept.values()))}) {are} of {own}; "
        f"--missing {','.join(sorted(kept))} reads {them} as missing."
    )


def without_words(frame, words):
    """A frame of Parquet, with those cells missing whose text is one of `words`, and {column: note}."""
    notes = {}
    for name in frame.columns if words else ():
        is_word = frame[name].notna() & frame[name].map(str).isin(words)
        if is_word.any():
            frame[name] = frame[name].mask(is_word)
            found = sorted(set(words))
            notes[name] = f"{_cells(int(is_word.sum()))} {_quoted(found)} count as missing."
    return frame, notes


def as_text(column):
    """A column as categories: text, whole numbers without a decimal point."""
    if is_text(column):
        return column
    if pd.api.types.is_float_dtype(column) and (column.dropna() == column.dropna().round()).all():
        column = column.astype("Int64")
    return column.map(str, na_action="ignore").astype(object)


def _words(name, counts, separator, reading):
    """(words of a column that are missing, {word: cells} that are categories; None for no column of text).

    counts : Series, cells of each different text
    """
    words = [word for word in counts.index if word in PEOPLE | PROGRAMS or word in reading.missing]
    rest = pd.Series([text for text in counts.index if text not in set(words)], dtype=object)
    if name not in reading.categorical and (name in reading.numeric or _is_no_text(rest, separator)):
        return words, None
    missing = [word for word in words if word in PROGRAMS or word in reading.missing]
    return missing, {word: int(counts[word]) for word in words if word not in missing}


def _is_no_text(texts, separator):
    """Whether different texts are numbers, truth values or times."""
    if texts.isin(_TRUTH).all() or holds_times(texts):
        return True
    return not is_text(numbers_in_text(texts, separator)[0])


def _cells(n):
    return f"{n:,} cell" + "s" * (n != 1)


def _quoted(words):
    return ", ".join(map(repr, sorted(words)))
