"""Columns that a tree cannot test as they are: many categories, dates, ordered categories.

Each becomes one or more columns that it can: rare categories are pooled into one, a date gives its year,
month, weekday and day, an order of categories gives for each of them "at least this". What was made of a
column is kept in words that JSON can hold, so that a new file is prepared in the same way.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from treelib.owndata.columns import rules
from treelib.owndata.columns.rules import LIMITS, PATTERNS, fits

OTHER = rules.RULES["other"]
_EPOCH = pd.Timestamp("1970-01-01")
# part of a date -> its number
PARTS = {
    "year": lambda times: times.year,
    "month": lambda times: times.month,
    "weekday": lambda times: times.day_of_week + 1,  # Monday is 1
    "day": lambda times: (times - _EPOCH) / pd.Timedelta(days=1),
    "hour": lambda times: times.hour + times.minute / 60,
}


class Preparing(NamedTuple):
    """What is made of such columns.

    Attributes
    ----------
    max_categories : int, of a column; the commonest are kept, the others are one
    ordered : dict of a column to its categories in their order, or to None where their numbers tell it
    categorical : tuple of str, columns that are no free text, whatever they hold
    category_tests : one of `treelib.owndata.columns.sets.WAYS`
    """

    max_categories: int = LIMITS["categories"]
    ordered: dict = {}  # noqa: RUF012, nobody writes to it
    categorical: tuple = ()
    category_tests: str = "each"


def prepared(column, preparing):
    """(Columns that a tree can test, note) of a column; no column where nothing can be made of it, and an
    empty note where it stays as it is."""
    if column.kind == "date":
        made = [_of_date(column, part) for part in PARTS]
        made = [one for one in made if len(set(one.known.values())) > 1]
        names = ", ".join(one.made["part"] for one in made)
        return made, rules.note("parts", names=names)[0] + _in_doubt(column.meaning) if made else ""
    if column.kind != "category":
        return [column], ""
    order = preparing.ordered.get(column.name) or order_of(column.known.values())
    if column.name in preparing.ordered and not order:
        raise ValueError(
            f"--ordered {column.name}: the categories contain no numbers to order them by; give it as "
            f"--ordered {column.name}=FIRST,SECOND,..."
        )
    if order:
        unknown = sorted(set(column.known.values()) - set(order))
        if unknown:
            raise ValueError(f"--ordered {column.name}: the order lacks {unknown[0]!r}.")
        made = [_at_least(column, order, k) for k in range(1, len(order))]
        return made, rules.note("ordered", order=" < ".join(order))[0]
    counts = _counts(column)
    if len(counts) <= preparing.max_categories:
        return [column], ""
    # with so many a column is free text
    if len(counts) > LIMITS["scattered"] * sum(counts.values()) and column.name not in preparing.categorical:
        return [], ""
    kept = sorted(counts, key=lambda one: (-counts[one], one))[: max(preparing.max_categories - 1, 1)]
    note, _ = rules.note("pooled", n=len(counts), kept=len(kept), other=OTHER)
    return [again(column, {"pooled": sorted(kept)})], note


def again(column, made):
    """What was made of a column of the fit, made of that of another file.

    made : dict, ``Column.made`` of the fit
    """
    if "part" in made:
        return _of_date(column, made["part"])
    if "at_least" in made:
        return _at_least(column, made["order"], made["order"].index(made["at_least"]))
    kept = set(made["pooled"])
    meaning = {word: one if one in kept else OTHER for word, one in column.meaning.items()}
    return column._replace(meaning=meaning, made={"of": column.name, **made})


def order_of(categories):
    """Categories that are ranges of numbers, in their order, such as 1-9, 10-24, 25+; or None."""
    categories = sorted(set(categories))
    small = [one.lower() for one in categories]
    is_range = [fits("range", one) for one in small]
    if len(small) < 3 or sum(is_range) < 2:
        return None
    if not all(found or fits("open", one) for found, one in zip(is_range, small, strict=True)):
        return None
    low = [float(PATTERNS["first"].search(one)[0]) - 0.5 * fits("below", one) for one in small]
    return [categories[k] for k in np.argsort(low)] if len(set(low)) == len(low) else None


def _counts(column):
    """Rows of each category."""
    found = {}
    for word, n in column.cells.counts.items():
        if n and word in column.meaning:
            found[column.meaning[word]] = found.get(column.meaning[word], 0) + n
    return found


def _at_least(column, order, k):
    """Whether a category is the k-th of an order or a later one, as a column of truth values."""
    place = {category: float(i >= k) for i, category in enumerate(order)}
    meaning = {word: place.get(one, np.nan) for word, one in column.meaning.items()}
    made = {"of": column.name, "at_least": order[k], "order": order}
    return column._replace(
        name=f"{column.name} at least {order[k]}", kind="truth", meaning=meaning, made=made
    )


def _of_date(column, part):
    """A part of a date as a column of numbers."""
    words = list(column.meaning)
    times = times_of(words)
    with np.errstate(invalid="ignore"):
        numbers = np.asarray(PARTS[part](times), dtype=float)
    meaning = {word: x for word, x in zip(words, numbers.tolist(), strict=True) if not np.isnan(x)}
    made = {"of": column.name, "part": part}
    return column._replace(name=f"{column.name} ({part})", kind="number", meaning=meaning, made=made)


def _in_doubt(words):
    """The note that days may be months, with a space before it, or ""."""
    heads = {word: _head(word) for word in words}
    if not any(heads.values()) or any(one and max(int(one[1]), int(one[3])) > 12 for one in heads.values()):
        return ""
    word = min(word for word, head in heads.items() if head)
    order = "day.month" if _is_day_first(heads.values()) else "month/day"
    return " " + rules.note("days or months", word=word, order=order)[0]


def _head(word):
    """Day and month at the beginning of a text, which come in either order; or None."""
    return re.match(r"(\d{1,2})([-/.])(\d{1,2})\2", word)


def _is_day_first(heads):
    return any(one and (one[2] == "." or int(one[1]) > 12) for one in heads)


def times_of(words):
    """DatetimeIndex of texts, NaT where they are none.

    Days come before months with points between, or where some first number is above 12. A time of day alone
    is one of 1970-01-01, and a number of days leads so far after it.
    """
    spans = [re.match(r"(-?\d+) days", word) for word in words]
    if any(spans):
        days = [float(one[1]) if one else np.nan for one in spans]
        return _EPOCH + pd.to_timedelta(pd.Index(days), unit="D")
    words = [f"1970-01-01 {word}" if re.match(r"\d{1,2}:\d{2}", word) else word for word in words]
    is_day_first = _is_day_first([_head(word) for word in words])
    options = {"format": "mixed", "dayfirst": is_day_first, "errors": "coerce", "utc": True}
    return pd.DatetimeIndex(pd.to_datetime(pd.Index(words), **options)).tz_localize(None)
