"""Ensembles, the authors' text format and cells, against votes counted one by one."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies.tree import trees
from tests.twins.bornagain.regions import Regions, cell_points, vote
from treelib import Tree
from treelib.bornagain.depth_leaves import minimise_depth_then_leaves
from treelib.bornagain.ensemble import cells as cells_module
from treelib.bornagain.ensemble.cells import TooManyCells, build_cells, count_regions, thresholds
from treelib.bornagain.ensemble.reading import (
    Ensemble,
    format_forest,
    parse_forest,
    read_forest,
    write_forest,
)

CUTS = (-1.5, 0.0, 0.1, 0.5, 2.0)


def random_ensemble(data, n_trees, weights=None):
    """Trees of one number of classes over three features."""
    some = data.draw(st.lists(trees(regression=False, missing=False, thresholds=CUTS), min_size=n_trees))
    same = [tree for tree in some if tree.n_classes == some[0].n_classes]
    weights = None if weights is None else [weights[k % len(weights)] for k in range(len(same))]
    return Ensemble(same, weights)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([None, (1.0, 2.0), (0.5, 0.25, 3.0)]), st.sampled_from([1, 4, 1024]))
def test_cells_have_the_class_of_most_votes(data, weights, block):
    """A vote lost, a tie broken upwards, a box one level off, or a hyperplane dropped that matters; the same
    where features are longer than a block of cells."""
    ensemble = random_ensemble(data, 2, weights)
    with patch.multiple(cells_module, _BLOCK_CELLS=(1, block)):
        everything = build_cells(ensemble, keep_all=True)
    points = cell_points(everything.levels)
    expected = [vote(ensemble.trees, ensemble.weights, point) for point in points]
    assert everything.classes.reshape(-1).tolist() == expected
    assert ensemble.predict(points).tolist() == expected
    kept = build_cells(ensemble)
    assert kept.classes[tuple(kept.locate(points).T)].tolist() == expected
    for j, n in enumerate(kept.shape):
        for level in range(n - 1):
            below, above = (np.take(kept.classes, level + step, axis=j) for step in (0, 1))
            assert (below != above).any(), "a hyperplane that separates nothing was kept"
    assert kept.n_regions == count_regions(kept.shape)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_fewest_leaves_at_least_depth(data):
    """A tree that is deeper than need be, or has a leaf more than the best of that depth."""
    ensemble = random_ensemble(data, 3)
    cells = build_cells(ensemble)
    found = minimise_depth_then_leaves(ensemble)
    assert found.is_optimal
    assert (found.tree.max_depth, found.tree.n_leaves) == Regions(cells.classes).depth_leaves()
    points = cell_points(build_cells(ensemble, keep_all=True).levels)
    assert (found.tree.predict(points) == ensemble.predict(points)).all()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_text_comes_back(data):
    """A threshold rounded, or a child misread, on the way through the authors' format."""
    ensemble = random_ensemble(data, 2)
    again = parse_forest(format_forest(ensemble))
    for before, after in zip(ensemble.trees, again.trees, strict=True):
        assert after.same_function(before, missing=False) or before.n_classes != after.n_classes
        assert (after.feature == before.feature).all() and (after.threshold == before.threshold).all()


SMALL = format_forest(Ensemble([Tree.from_nested((0, 0.5, 0, (1, 2.5, 1, 0)), 2)]))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_text_is_a_value_error(data):
    """A crash, a hang or a wrong tree from a file that was cut or changed."""
    lines = SMALL.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(st.sampled_from(["drop", "cut", "word", "repeat"]))
    if kind == "drop":
        lines = lines[:at] + lines[at + 1 :]
    elif kind == "cut":
        lines = lines[:at]
    elif kind == "repeat":
        lines.insert(at, lines[at])
    else:
        words = lines[at].split(" ")
        where = data.draw(st.integers(0, len(words) - 1))
        words[where] = data.draw(
            st.sampled_from(["-1", "7", "1e999", "nan", "99999999999999999999", "x", ""])
        )
        lines[at] = " ".join(words)
    try:
        ensemble = parse_forest("\n".join(lines))
    except ValueError:
        return
    assert ensemble.predict(np.zeros((1, ensemble.n_features))).shape == (1,)


def test_files(tmp_path):
    """A file of the wrong kind or size that is read in spite of it, or an error without the file's name."""
    path = tmp_path / "forest.txt"
    write_forest(parse_forest(SMALL), path)
    assert format_forest(read_forest(path)) == SMALL
    with pytest.raises(ValueError, match="max_bytes"):
        read_forest(path, max_bytes=10)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"forest\.txt is no text file"):
        read_forest(path)
    path.write_text("hello")
    with pytest.raises(ValueError, match=r"forest\.txt: line 1"):
        read_forest(path)
    with pytest.raises(OSError):
        read_forest(tmp_path / "none.txt")


def test_bad_ensembles():
    """Trees that cannot vote together."""
    tree = Tree.from_nested((0, 0.5, 0, 1), 2)
    with pytest.raises(ValueError, match="at least one tree"):
        Ensemble([])
    with pytest.raises(TypeError, match=r"trees\[1\]"):
        Ensemble([tree, "tree"])
    with pytest.raises(ValueError, match="3 features"):
        Ensemble([tree, Tree.from_nested((0, 0.5, 0, 1), 3)])
    with pytest.raises(ValueError, match="regression"):
        Ensemble([Tree.from_nested((0, 0.5, 0.0, 1.0), 2, is_regression=True)])
    with pytest.raises(ValueError, match="positive"):
        Ensemble([tree], [0.0])
    with pytest.raises(ValueError, match="without counts"):
        Ensemble([tree], voting="soft")


def test_equal_sums_of_weights_tie():
    """Weights as floats: 0.1 + 0.2 is not 0.3 there, but 0.75 + 0.25 is 1 and must be a tie."""
    first, second = (Tree.from_nested(label, 1, n_classes=2) for label in (0, 1))
    assert Ensemble([first, second, second], [1.0, 0.75, 0.25]).predict([[0.0]]).tolist() == [0]
    assert Ensemble([second, first, first], [1.0, 0.75, 0.25]).predict([[0.0]]).tolist() == [0]
    assert Ensemble([first, second], [1.0, 1.0 + 2**-52]).predict([[0.0]]).tolist() == [1]


def test_too_many_cells():
    """A grid laid out that does not fit."""
    ensemble = Ensemble([Tree.from_nested((0, 0.5, 0, (1, 0.5, 0, 1)), 2)])
    with pytest.raises(TooManyCells) as caught:
        build_cells(ensemble, max_cells=3)
    assert caught.value.n_cells == 4
    assert [cuts.tolist() for cuts in thresholds(ensemble)] == [[0.5], [0.5]]
