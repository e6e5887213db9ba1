"""The rules of reading by their examples, which tests/wasm/your_table/test_rules.py runs on the page too."""

import numpy as np
import pytest

from treelib.owndata.columns import cells, kinds, text
from treelib.owndata.columns.preparing import PARTS, order_of, times_of
from treelib.owndata.columns.rules import RULES, fits

EXAMPLES = RULES["examples"]


@pytest.mark.parametrize(("line", "separator"), EXAMPLES["separator"])
def test_separator(line, separator):
    """A sign inside a quoted name that is taken for a separator."""
    assert text.separator_of(line) == separator


@pytest.mark.parametrize(("word", "decimal", "value"), EXAMPLES["number"])
def test_number(word, decimal, value):
    """A number misread by a factor of a thousand, or text read as one."""
    assert cells.number(word, decimal)[0] == value


@pytest.mark.parametrize(("columns", "decimal"), EXAMPLES["decimal"])
def test_decimal_mark(columns, decimal):
    """Columns of one file read with different marks."""
    counts = [text.cells_of(column).counts for column in columns]
    assert cells.decimal_of(cells.decimal_marks(counts)[0]) == decimal


@pytest.mark.parametrize(("kind", "column"), EXAMPLES["kind"])
def test_kind(kind, column):
    """A column that changes its kind for one word in it."""
    assert kinds.read("x", text.cells_of(column), ".", cells.DEFAULT).kind == kind


@pytest.mark.parametrize(("name", "is_one"), EXAMPLES["identifier"])
def test_names_of_identifiers(name, is_one):
    """A quantity that is left out for its name, or an identifier that is kept."""
    assert fits("identifier", name) == is_one


@pytest.mark.parametrize(("categories", "order"), EXAMPLES["order"])
def test_order_of_ranges(categories, order):
    """Text taken for ranges, or ranges in the order of their letters."""
    assert order_of(categories) == order


@pytest.mark.parametrize(("words", "parts"), EXAMPLES["parts"])
def test_parts_of_times(words, parts):
    """Days and months that change places, a time of day that is lost, a day that no calendar has."""
    times = times_of(words)
    found = np.array([part(times) for part in PARTS.values()], dtype=float).T
    assert [None if np.isnan(row).any() else row.tolist() for row in found] == parts
