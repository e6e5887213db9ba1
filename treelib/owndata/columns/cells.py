"""What a cell of a file means: a number, a truth value, a date, a word for what is missing."""

import math
import re
from collections import Counter
from typing import NamedTuple

from treelib.owndata.columns.rules import DIGITS, LIMITS, NUMBER, RULES, fits

ALWAYS = frozenset(RULES["missing"]["always"])
BESIDE_OTHERS = frozenset(RULES["missing"]["beside others"])
TRUTHS = dict.fromkeys(RULES["true"], 1.0) | dict.fromkeys(RULES["false"], 0.0)
_MARKS = re.compile("['\u2019 \u00a0\u202f]")
_PLAIN = re.compile(r"[+-]?[0-9]*\.?[0-9]+$")  # as most cells are, which need no second look


class Reading(NamedTuple):
    """How a file is to be read, where not by the rules alone.

    Attributes
    ----------
    missing : tuple of str, words that are missing in every column
    categorical : tuple of str, columns that hold categories, also where all of them are numbers
    numeric : tuple of str, columns that hold numbers, also where these begin with 0
    truths : tuple of str, columns that hold truth values, also where they are 0 and 1
    odd : frozenset of (str, str), words that are missing in a column, each behind its name
    decimal : "." , "," or None, the decimal mark of the file; None: as its numbers tell
    has_advice : bool, whether notes name the options of the command
    """

    missing: tuple = ()
    categorical: tuple = ()
    numeric: tuple = ()
    truths: tuple = ()
    odd: frozenset = frozenset()
    decimal: str | None = None
    has_advice: bool = True

    def is_missing(self, word):
        """Whether a word was asked to be missing; -9.0 is, where -9 was."""
        return word in self.missing or (word.endswith(".0") and word[:-2] in self.missing)


DEFAULT = Reading()


def number(text, decimal):
    """(value, sign of money or per cent) of a cell; (None, "") where it holds no number.

    decimal : "." or ",", the other one may separate thousands; an amount in parentheses is below zero
    """
    if _PLAIN.match(text):
        if decimal == "." or "." not in text:
            return float(text), ""
        if not DIGITS[decimal].search(text.lstrip("+-")):
            return None, ""
    if fits("infinite", text):
        return math.copysign(math.inf, -1 if text[0] == "-" else 1), ""
    found = NUMBER.search(text)
    if not found:
        return None, ""
    opened, minus, before, more, digits, after, closed = (part or "" for part in found.groups())
    digits = digits.strip()
    if bool(opened) != bool(closed) or (before and after) or sum(map(bool, (opened, minus, more))) > 1:
        return None, ""
    if not DIGITS[decimal].search(digits):
        return None, ""
    plain = _MARKS.sub("", digits).replace("." if decimal == "," else ",", "").replace(",", ".")
    value = float(plain)
    return (-value if opened or "-" in minus + more else value), before + after


def truth(text):
    """1.0, 0.0 or None of a cell."""
    return TRUTHS.get(text.casefold())


def nearly(part, whole):
    """Whether `part` of so many cells stands for all."""
    return part >= LIMITS["nearly"] * whole > 0


def decimal_marks(columns):
    """How numbers are written in a file, one decision for all its columns.

    Parameters
    ----------
    columns : list of {word: cells}, a column each; those count that hold numbers, with one mark or the other

    Returns
    -------
    dict of ",": Counter of the cells that are numbers with a decimal comma alone, and ".": with a point alone
    Counter of the cells that are numbers with both, and not the same
    """
    speaks, doubtful = {",": Counter(), ".": Counter()}, Counter()
    for counts in columns:
        known = {word: n for word, n in counts.items() if not _is_missing(word)}
        read = {mark: _numbers(known, mark) for mark in ".,"}
        n = sum(known.values())
        if any(fits("code", word) for word in known) or not any(
            nearly(sum(known[word] for word in found), n) for found in read.values()
        ):
            continue
        for mark, other in (".,", ",."):
            speaks[mark].update({word: known[word] for word in read[mark] if word not in read[other]})
        doubtful.update({w: known[w] for w in read["."] if read[","].get(w, read["."][w]) != read["."][w]})
    return speaks, doubtful


def _numbers(words, decimal):
    return {word: value for word in words if (value := number(word, decimal)[0]) is not None}


def _is_missing(word):
    return word.casefold() in ALWAYS or word.casefold() in BESIDE_OTHERS


def decimal_of(speaks, default="."):
    """The decimal mark of a file by `decimal_marks`: that of most cells."""
    if speaks[","].total() == speaks["."].total():
        return default
    return max(speaks, key=lambda mark: speaks[mark].total())
