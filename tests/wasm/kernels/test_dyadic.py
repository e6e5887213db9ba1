"""All optimal dyadic trees of a page against `treelib.dyadic.solutions`, bit for bit."""

from fractions import Fraction

import numpy as np
import pytest

from tests.wasm.kernels.in_wasmtime import DyadicPath
from treelib import datasets
from treelib.dyadic.solutions import solution_path

LOWEST = [Fraction(0), Fraction(1), Fraction(2), Fraction(7, 3), Fraction(10)]


def random_problem(rng):
    """Rows, classes, number of classes and lowest price; ties, equal rows of two classes, one row."""
    n, d, n_classes = int(rng.integers(1, 90)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    kind = rng.integers(0, 3)
    X = (
        rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)
        if kind
        else rng.integers(0, 9, (n, d)).astype(float)
    )
    if kind == 2:
        X = np.round(X, 1)
    y = ((X - X.mean(axis=0)).sum(axis=1) > 0) + (rng.random(n) < 0.15) * rng.integers(0, n_classes - 1, n)
    return X, y.astype(int), n_classes, LOWEST[rng.integers(0, len(LOWEST))]


def differences(X, y, n_classes, low):
    """What the page finds otherwise than Python, a list of names; or that the grid is too fine for it."""
    X, y = np.asarray(X, np.float64), np.unique(y, return_inverse=True)[1]
    n_classes = int(y.max()) + 1
    theirs = solution_path(X, y, min_regularization=low / len(y), staged=False)
    search = DyadicPath(X, y, n_classes, low)
    if search.run() != DyadicPath.PROVED:
        return ["not proved"]
    found, splits = search.path()
    n_vertices, looked, stored, hits, cells, offset, _ = search.facts()
    stats = theirs.stats
    pairs = {
        "splits": (splits.tolist(), theirs.grid.n_splits.tolist()),
        "leaves": (found[:, 0].tolist(), [solution.n_leaves for solution in theirs]),
        "errors": ((found[:, 1] / len(y)).tolist(), [solution.error for solution in theirs]),
        "counts": ((n_vertices, cells), (len(theirs), theirs.n_surrogates)),
        "rectangles": ((looked, stored, hits), (stats["looked_at"], stats["rectangles"], stats["hits"])),
        "offset": (offset / len(y), theirs.offset),
    }
    wrong = [name for name, (one, other) in pairs.items() if one != other]
    if wrong:
        return wrong
    for place, solution in enumerate(theirs):
        nodes, cuts = search.read(place, solution.n_leaves)
        tree = solution.tree
        inner = nodes[:, 0] >= 0
        if nodes.tolist() != solution.nodes.tolist() or cuts.tobytes() != tree.threshold.tobytes():
            wrong.append(f"tree {place}")
        if (inner != ~tree.is_leaf).any():
            wrong.append(f"leaves of tree {place}")
    return wrong


@pytest.mark.parametrize("name, low", [("dyadic/banana", 4), ("tsallis/iris", 0), ("dyadic/thyroid", 1)])
def test_data_sets_are_equal_bitwise(name, low):
    """A path long enough for its tables to grow."""
    data = datasets.load(name)
    assert not differences(data.X, data.y, 0, Fraction(low))


def test_a_memory_limit_ends_the_search():
    """A page that goes on until the browser gives no more."""
    data = datasets.load("dyadic/banana")
    y = np.unique(data.y, return_inverse=True)[1]
    assert DyadicPath(data.X, y, 2, Fraction(1), most_bytes=2.5e5).run() == DyadicPath.NO_MEMORY


def test_a_grid_that_the_package_would_make_coarser_is_refused():
    """Another grid than Python's, without a word."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 12))
    search = DyadicPath(X, rng.integers(0, 2, 400), 2, Fraction(1))
    assert search.run() == DyadicPath.TOO_FINE
