"""A CSV file as columns of text: its encoding, the sign between its values, its lines."""

import csv
import io
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
import pandas as pd

from treelib.owndata.columns import rules

_WITHOUT_MEANING = re.compile("[\x00-\x08\x0e-\x19\x1b-\x1f\x81\x8d\x8f\x90\x9d]")


class Cells(NamedTuple):
    """The cells of a column.

    Attributes
    ----------
    words : list of str, the different ones, without white space around them
    codes : ndarray (n_rows,) intp, the word of each row
    is_typed : bool, whether the file says that these are numbers, written as Python writes them
    is_padded : bool, whether the file has white space around some
    """

    words: list
    codes: np.ndarray
    is_typed: bool = False
    is_padded: bool = False

    @property
    def counts(self):
        """Rows of each word, as dict."""
        return dict(zip(self.words, np.bincount(self.codes, minlength=len(self.words)).tolist(), strict=True))

    def of_rows(self, rows):
        """The cells of some rows."""
        return self._replace(codes=self.codes[rows])


class Texts(NamedTuple):
    """Columns of text of a file: {name: Cells}, and (note, advice) on the file."""

    columns: dict
    notes: tuple = ()


def cells_of(values, is_typed=False):
    """`Cells` of a sequence of str."""
    codes, found = pd.factorize(np.array(values, dtype=object))
    words = [word.strip() for word in found]
    stripped, places = pd.factorize(np.array(words, dtype=object))
    return Cells(list(places), stripped[codes] if len(words) else codes, is_typed, words != list(found))


def decode(content):
    """(text, notes) of the bytes of a file; ValueError where they are no text."""
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    try:
        text = content.decode(marked or "utf-8")
        if "\0" in text:
            raise ValueError("it contains zero bytes; it may be damaged or in UTF-16")
        return text, ()
    except UnicodeDecodeError:
        pass
    text = content.decode("cp1252", errors="replace")
    if marked or _WITHOUT_MEANING.search(content.decode("latin-1")) or _has_utf8(content):
        raise ValueError(f"it is not {marked or 'UTF-8'} text")
    return text, (rules.note("windows"),)


_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def _has_utf8(content):
    """Whether letters beyond ASCII are written in UTF-8, so that the file is a damaged one."""
    return any(ord(sign) > 127 for sign in content.decode("utf-8", errors="ignore"))


def separator_of(line):
    """The likeliest sign between the values of the first line, quoted names aside."""
    return max(rules.RULES["separators"], key=re.sub('"[^"]*"', "", line).count)


def read(text, separator=None):
    """`Texts` of a CSV file; ValueError where lines do not fit, with words on which."""
    head, end = re.match("([^\r\n]*)(\r?\n|\r|)", text).groups()
    if asked := rules.PATTERNS["excel"].search(head):  # a word to Excel, which never shows it
        separator, text = separator or asked[1], text[len(head + end) :]
    lines = [line for line in re.split("[\r\n]+", text[:1_000_000]) if line.strip()][:2]
    if re.match(r"[\s|:-]*-[\s|:-]*$", lines[-1] if lines else ""):
        raise ValueError("it is a table in Markdown")
    names, rows, n_again = None, [], 0
    for line, row in _records(text, separator or separator_of(lines[0] if lines else "")):
        if names is None:
            names, first = _names(row), [cell.strip() for cell in row]
            continue
        if any(first) and [cell.strip() for cell in row] == first:  # as in files that were joined
            n_again += 1
            continue
        if len(row) > len(names) and not any(cell.strip() for cell in row[len(names) :]):
            row = row[: len(names)]
        if len(row) != len(names):
            has = rules.counted(len(row), "value")
            raise ValueError(f"line {line} has {has}, but the first line names {len(names)} columns")
        rows.append(row)
    if names is None:
        raise ValueError("it is empty")
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    notes = (rules.note("names again", rows=rules.counted(n_again, "row")),) if n_again else ()
    return Texts({name: cells_of(column) for name, column in zip(names, columns, strict=True)}, notes)


def _records(text, separator):
    """(line, values) of each record that is not blank."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        line = 1
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
        )
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        is_open = "end of data" in str(error)
        why = "a quotation mark is never closed" if is_open else "something follows a closing quotation mark"
        raise ValueError(f"line {line}: {why}") from None
    finally:
        csv.field_size_limit(before)


def _names(row):
    """Names of the columns; one without a name is called by its place."""
    names = [name.strip() or f"column {place}" for place, name in enumerate(row, 1)]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"more than one column has the name {', '.join(map(repr, twice))}; rename them")
    return names


def of_frame(frame):
    """`Texts` of a table whose columns have types, as Parquet has; a column of other values is None."""
    return Texts({str(name).strip(): _of_series(frame[name]) for name in frame})


def _of_series(column):
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(object)
    is_typed = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    try:
        codes, found = pd.factorize(column)
    except TypeError:  # lists and records have no order and no hash
        return None
    words = [_written(value) for value in found]
    if None in words:
        return None
    cells = cells_of([*words, ""], is_typed)
    return cells._replace(codes=cells.codes[codes])  # -1, what is missing, is the last


def _written(value):
    """A value of a table as a CSV file would have it; None where it would not."""
    if isinstance(value, (str, int, pd.Timestamp)) or type(value).__name__ in ("Decimal", "date", "time"):
        return str(value)
    if isinstance(value, (np.bool_, np.integer)):
        return str(value.item())
    return repr(float(value)) if isinstance(value, (float, np.floating)) else None
