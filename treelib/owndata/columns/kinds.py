"""What a column of a file is: numbers, truth values, categories or dates; and what cannot help a tree."""

from itertools import pairwise
from operator import eq
from typing import NamedTuple

import numpy as np

from treelib.owndata.columns import rules
from treelib.owndata.columns.cells import ALWAYS, BESIDE_OTHERS, nearly, number, truth
from treelib.owndata.columns.rules import LIMITS, fits


class Column(NamedTuple):
    """A column as it was read.

    Attributes
    ----------
    name : str
    kind : {"number", "truth", "category", "date", "empty", "lists"}
    cells : treelib.owndata.columns.text.Cells, None of "lists"
    meaning : dict of str, what the words mean that are not missing: float, of categories and dates text
    notes : tuple of (str, str), what there is to say, and how to have it otherwise by an option
    odd : tuple of str, words that are missing here, beside those that always are
    made : dict, how it was made of another (`treelib.owndata.columns.preparing`); empty as it was read
    """

    name: str
    kind: str
    cells: object = None
    meaning: dict = {}  # noqa: RUF012, nobody writes to it
    notes: tuple = ()
    odd: tuple = ()
    made: dict = {}  # noqa: RUF012, nobody writes to it

    @property
    def source(self):
        """Name of the column of the file."""
        return self.made.get("of", self.name)

    @property
    def values(self):
        """float64 (n_rows,) with NaN where missing, of categories and dates object with None."""
        is_text = self.kind in ("category", "date")
        found = [self.meaning.get(word, None if is_text else np.nan) for word in self.cells.words]
        return np.array(found, dtype=object if is_text else float)[self.cells.codes]

    @property
    def known(self):
        """`meaning` of the words that occur."""
        return {
            word: self.meaning[word] for word, n in self.cells.counts.items() if n and word in self.meaning
        }

    @property
    def has_missing(self):
        return any(n and word not in self.meaning for word, n in self.cells.counts.items())

    @property
    def fits(self):
        """Whether nearly all cells are of the kind that was asked for."""
        if not self.odd:
            return True
        n_known, n_odd = (sum(self.cells.counts[word] for word in words) for words in (self.known, self.odd))
        return nearly(n_known, n_known + n_odd)

    def of_rows(self, rows):
        """The column of some rows, of the same kind."""
        return self._replace(cells=self.cells and self.cells.of_rows(rows))

    def spellings(self, category):
        """The words that are a category, as the file writes them."""
        return sorted(word for word, meant in self.known.items() if meant == category)


def read(name, cells, decimal, reading, is_target=False):
    """`Column` of cells.

    Parameters
    ----------
    name : str
    cells : treelib.owndata.columns.text.Cells, or None for values that are no cells
    decimal : "." or ","
    reading : treelib.owndata.columns.cells.Reading
    is_target : bool, then each of a few words counts as a class
    """
    if cells is None:
        return Column(name, "lists")
    counts = {word: n for word, n in cells.counts.items() if n}
    missing = {word for word in counts if word.casefold() in ALWAYS or reading.is_missing(word)}
    soft = {
        word for word in counts if word.casefold() in BESIDE_OTHERS or (name, word) in reading.odd
    } - missing
    rest = {word: n for word, n in counts.items() if word not in missing and word not in soft}
    if not soft and not rest:
        return Column(name, "empty", cells)
    enough = eq if is_target and len(rest) <= LIMITS["classes"] else nearly
    kind, meaning, said = _kind(name, rest, "." if cells.is_typed else decimal, reading, enough)
    if kind == "category":
        kept = () if name in reading.categorical else soft
        words = {"missing": missing, "kept class" if is_target else "kept": kept}
        meaning, odd = {word: _code(word) for word in (*rest, *soft)}, ()
    else:
        odd = sorted(word for word in rest if word not in meaning)
        words = {"missing": missing | soft, "strange": odd}
    notes = (*_on_words(name, kind, words, counts), *said)
    return Column(name, kind, cells, meaning, notes, tuple(odd))


def _kind(name, rest, decimal, reading, enough):
    """(kind, {word: value} of the words that fit it, notes) of the cells that are not missing.

    rest : {word: cells}. enough : callable of the cells that fit and of all, whether that is the kind
    """
    n = sum(rest.values())

    def has(found):
        return enough(sum(rest[word] for word in found), n)

    if name in reading.categorical or not (rest or name in (*reading.numeric, *reading.truths)):
        return "category", {}, ()
    truths = {word: value for word in rest if (value := truth(word)) is not None}
    is_flag = rest and len(truths) == len(rest) and not all(word[0].isdigit() for word in rest)
    if name in reading.truths or (is_flag and name not in reading.numeric):
        return "truth", truths, ()
    numbers, sign = _numbers(rest, decimal)
    if name in reading.numeric or has(numbers):
        code = min((word for word in numbers if fits("code", word)), default=None)
        if code is None or name in reading.numeric:
            return "number", numbers, _on_sign(sign)
        return "category", {}, (rules.note("code", word=code, name=name),)
    dates = {word: word for word in rest if fits("date", word)}
    return ("date", dates, ()) if has(dates) else ("category", {}, ())


def _numbers(rest, decimal):
    """{word: value} of the numbers that bear the sign of most of them, and this sign of money or per cent."""
    found = {
        word: (value, sign) for word in rest for value, sign in [number(word, decimal)] if value is not None
    }
    shares = dict.fromkeys(sorted({sign for _, sign in found.values()}), 0)
    for word, (_, sign) in found.items():
        shares[sign] += rest[word]
    common = max(shares, key=shares.get, default="")
    return {word: value for word, (value, sign) in found.items() if sign == common}, common


def _on_sign(sign):
    if not sign:
        return ()
    return (rules.note("per cent") if sign == "%" else rules.note("amounts", sign=sign),)


def _code(word):
    """A category by its name: 2.0 is the code 2, as programs write it beside missing ones."""
    return word.partition(".")[0] if fits("whole", word) else word


def _on_words(name, kind, words, counts):
    """Notes on words; `words` holds {key of the note: words}."""
    found = []
    for key, some in words.items():
        if some := [word for word in some if word]:
            facts = {"words": rules.listed(some), "cells": rules.counted(sum(counts[word] for word in some))}
            facts |= {
                "joined": ",".join(sorted(some)),
                "name": name,
                "kind": kind.replace("truth", "truth value"),
            }
            found.append(rules.note(key, **facts))
    return found


def identifies(column):
    """Why a column of the whole file tells nothing but the row, a key of the reasons, or "".

    Each row has another text; or another whole number, and these leave none out, or grow from row to row and
    leave out fewer than they are, or the name of the column says so; "distinct", a key of the notes, where
    they do none of that.
    """
    n = 0 if column.cells is None else len(column.cells.codes)
    if n < LIMITS["rows"] or len(column.meaning) < n or column.kind not in ("category", "number"):
        return ""
    if column.kind == "category":
        return "identifier"
    whole = _whole_numbers(column)
    if len(set(whole.values())) < n:
        return ""
    by_row = [whole[column.cells.words[code]] for code in column.cells.codes]
    span = max(by_row) - min(by_row) + 1
    grows = span <= 2 * n and all(one < following for one, following in pairwise(by_row))
    return "rows" if span == n or grows or fits("identifier", column.name) else "distinct"


def useless(column):
    """Why a column cannot help, a key of the reasons, or ""."""
    if column.kind in ("lists", "date"):
        return column.kind
    n_distinct = len(set(column.known.values()))
    if n_distinct < 2 and not (n_distinct and column.has_missing):
        return "constant" if n_distinct else "empty"
    return "categories" if column.kind == "category" and n_distinct > LIMITS["categories"] else ""


def on_long_numbers(column):
    """Notes on whole numbers that float64 cannot tell apart."""
    words = column.cells.words if column.kind == "number" else ()
    if not any(len(word) >= 16 and fits("whole", word) for word in words):
        return ()
    whole = _whole_numbers(column)
    n, left = len(set(whole.values())), len({column.meaning[word] for word in whole})
    return (rules.note("long", left=left, n=n),) if left < n else ()


def _whole_numbers(column):
    """{word: int} of the words that are whole numbers, exactly; none where one is another number."""
    if not all(value.is_integer() for value in column.known.values()):
        return {}
    return {
        word: int(word.partition(".")[0] if fits("whole", word) else value)
        for word, value in column.known.items()
    }
