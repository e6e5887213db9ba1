"""The data of the interactive parts: what the page will play must be what the library found."""

import base64
import json
import re
from fractions import Fraction

import numpy as np
import pytest

from treelib import datasets
from treelib.papers.across import play
from treelib.papers.across.halves import half_split
from treelib.tree.stored import Tree


@pytest.fixture
def stump():
    return Tree.from_nested((0, 0.5, 0, 1), n_features=11)


def test_part_cannot_end_its_own_script():
    """A class name that closes the script element and becomes part of the page."""
    text = play.html("heat", {"name": "</script><b>"}, "<p>still</p>")
    inside = re.search(r'<script type="application/json">(.*)</script>', text)[1]
    assert "<" not in inside and json.loads(inside) == {"name": "</script><b>"}
    with pytest.raises(ValueError, match="unknown"):
        play.html("film", {}, "")


@pytest.mark.parametrize("name", ["monk1", "tsallis/glass"])
def test_data_script_holds_the_data_set(name):
    """A data set that reaches the browser with other values or another order of rows."""
    text = play.data_script(name)
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
    data = play.verify_data("x", "monk1", stump, regularization=Fraction(1, 10), title="")
    n_errors = int(np.sum((table.X[:, 0] > 0.5) != table.y))
    assert data["stored"] == {
        "errors": n_errors,
        "leaves": 2,
        "objective": str(Fraction(n_errors, len(table.y)) + Fraction(2, 10)),
    }
    assert data["sha256"] == datasets.info("monk1").sha256
    with pytest.raises(ValueError, match="may not be copied"):
        play.verify_data("x", "bornagain/HTRU2", stump, title="")


def test_path_data_names_both_ends(stump):
    """An infinite price, which JSON does not have."""
    leaf = Tree.from_nested(0, n_features=11)
    data = play.path_data({"exact": [(0.2, np.inf, leaf, 0.5, 0.5), (0.01, 0.2, stump, 0.3, 0.3)]}, 0.01, 0.4)
    (method,) = data["methods"]
    assert [(s["low"], s["high"], s["leaves"]) for s in method["solutions"]] == [
        (0.2, None, 1),
        (0.01, 0.2, 2),
    ]
    json.dumps(data, allow_nan=False)


def test_heat_data_stores_equal_trees_once(stump):
    """A heat map whose cell shows the tree of another cell."""
    leaf = Tree.from_nested(0, n_features=11)
    trees = [[leaf, stump], [stump, stump]]
    data = play.heat_data(
        [1, 2], [3, 4], [[0.1, 0.2], [0.3, 0.9]], trees, xname="a", yname="b", vname="c", label="d"
    )
    assert data["tree"] == [[0, 1], [1, 1]] and len(data["trees"]) == 2
    assert data["start"] == [1, 1]


def test_half_split_keeps_classes():
    """A split that leaves a class without training rows."""
    data = datasets.load("tsallis/glass")
    training, testing = half_split(data.y)
    assert np.array_equal(training, ~testing)
    counts = np.bincount(data.y)
    assert np.array_equal(np.bincount(data.y[training]), counts // 2)


def test_plane_shows_one_function_twice():
    """Rectangles of the tree that overlap, leave a hole, or have another colour than the cells beneath."""
    trees = [
        Tree.from_nested((0, 0.5, 0, (1, 0.3, 1, 0)), n_features=2),
        Tree.from_nested((1, 0.7, 0, 1), n_features=2),
        Tree.from_nested((0, 0.2, 1, 0), n_features=2),
    ]
    X = np.random.default_rng(0).random((30, 2))
    data = play.plane_data(X, np.zeros(30, int), trees, feature_names="ab", class_names="01")
    whole = (data["x"][1] - data["x"][0]) * (data["y"][1] - data["y"][0])

    def at(rectangles, x, y):
        (found,) = {r[4] for r in rectangles if r[0] < x <= r[1] and r[2] < y <= r[3]}
        return found

    for step in data["steps"]:
        for rectangles in (step["cells"], step["leaves"]):
            assert sum((r[1] - r[0]) * (r[3] - r[2]) for r in rectangles) == pytest.approx(whole)
        assert all(at(step["cells"], *row) == at(step["leaves"], *row) for row in X)
