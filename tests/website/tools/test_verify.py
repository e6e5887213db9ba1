"""Stored trees as pages score them again: what the page gets must be what the library found."""

import base64
import json
import re
from fractions import Fraction

import numpy as np
import pytest

from treelib import datasets
from treelib.papers.across import verify
from treelib.papers.across.two_papers import half_split
from treelib.tree.stored import Tree


@pytest.fixture
def stump():
    return Tree.from_nested((0, 0.5, 0, 1), n_features=11)


def test_part_cannot_end_its_own_script():
    """A class name that closes the script element and becomes part of the page."""
    data = {"title": "</script><b>", "svg": "<svg/>"}
    text = verify.html(data)
    inside = re.search(r'<script type="application/json">(.*)</script>', text)[1]
    assert "<" not in inside and json.loads(inside) == data and "<b>" not in text


@pytest.mark.parametrize("name", ["monk1", "tsallis/glass"])
def test_data_script_holds_the_data_set(name):
    """A data set that reaches the browser with other values or another order of rows."""
    text = verify.data_script(name)
    called, _, document = text.removeprefix("treelibData(").removesuffix(");\n").partition(",")
    document, table = json.loads(document), datasets.load(name)

    def unpack(column):
        if "values" in column:
            return np.array(column["values"])
        bits = np.frombuffer(base64.b64decode(column["bits"]), np.uint8)
        return np.unpackbits(bits, bitorder="little")[: column["n"]]

    assert json.loads(called) == name
    assert np.array_equal(np.column_stack([unpack(c) for c in document["columns"]]), table.X)
    assert np.array_equal(unpack(document["y"]), table.y)


def test_verify_data_counts_from_tree_and_data(stump):
    """A stored figure that is not that of the stored tree."""
    table = datasets.load("monk1")
    data = verify.verify_data("x", "monk1", stump, regularization=Fraction(1, 10), title="")
    n_errors = int(np.sum((table.X[:, 0] > 0.5) != table.y))
    assert data["stored"] == {
        "errors": n_errors,
        "leaves": 2,
        "objective": str(Fraction(n_errors, len(table.y)) + Fraction(2, 10)),
    }
    assert data["sha256"] == datasets.info("monk1").sha256
    with pytest.raises(ValueError, match="may not be copied"):
        verify.verify_data("x", "bornagain/HTRU2", stump, title="")


def test_half_split_keeps_classes():
    """A split that leaves a class without training rows."""
    data = datasets.load("tsallis/glass")
    training, testing = half_split(data.y)
    assert np.array_equal(training, ~testing)
    counts = np.bincount(data.y)
    assert np.array_equal(np.bincount(data.y[training]), counts // 2)
