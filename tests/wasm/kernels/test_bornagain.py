"""The born-again tree of a page against `treelib.bornagain.exact.minimise`, node by node."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from tests.wasm.kernels.in_wasmtime import BornAgain
from treelib import Tree, datasets
from treelib.bornagain.ensemble.cells import build_cells, thresholds
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import OBJECTIVES, minimise


def random_tree(rng, d, n_classes, depth, grid):
    """Nested splits at few thresholds, so that trees share them; leaves of any class."""
    if depth == 0 or rng.random() < 0.2:
        return int(rng.integers(0, n_classes))
    cut = float(rng.integers(0, grid)) / 2 - 1
    below = (random_tree(rng, d, n_classes, depth - 1, grid) for _ in range(2))
    return int(rng.integers(0, d)), cut, *below


def random_problem(rng):
    """An ensemble and an objective; single leaves, one tree, features that no tree asks about."""
    d, n_classes = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    n_trees, depth, grid = int(rng.integers(1, 8)), int(rng.integers(0, 4)), int(rng.integers(1, 6))
    trees = [
        Tree.from_nested(random_tree(rng, d, n_classes, depth, grid), d, n_classes=n_classes)
        for _ in range(n_trees)
    ]
    return Ensemble(trees), list(OBJECTIVES)[rng.integers(0, len(OBJECTIVES))]


def differences(ensemble, objective):
    """What the page finds otherwise than Python, a list of names."""
    theirs, every, kept = minimise(ensemble, objective), thresholds(ensemble), build_cells(ensemble)
    search = BornAgain(ensemble, OBJECTIVES[objective])
    if search.run() != BornAgain.PROVED:
        return ["not proved"]
    nodes, cuts = search.read()
    (found, bound), tree = search.facts(), theirs.tree
    pairs = {
        "features": (nodes[1].tolist(), tree.feature.tolist()),
        "right children": (nodes[0].tolist(), tree.children_right.tolist()),
        "classes": (nodes[3][tree.is_leaf].tolist(), tree.label[tree.is_leaf].tolist())
        if nodes.shape[1] == tree.n_nodes
        else (0, 1),
        "thresholds": (cuts.tobytes(), tree.threshold.tobytes()),
        "bound": (bound <= theirs.objective, True),
        "all cells": (found[:2], [sum(map(len, every)), int(np.prod([len(cut) + 1.0 for cut in every]))]),
        "cells": (found[2:5], [sum(map(len, kept.levels)), kept.n_cells, kept.n_regions]),
        "rows": (found[5:], [theirs.stats["n_rows"], theirs.stats["n_rows"], theirs.stats["width"]]),
    }
    return [name for name, (one, other) in pairs.items() if one != other]


@pytest.mark.parametrize("objective", list(OBJECTIVES))
def test_a_forest_of_real_data_has_the_same_tree(objective):
    """A search with outer features, rows that are shared, and steps that end before it does."""
    data = datasets.load("bornagain/Seeds")
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(data.X, data.y)
    trees = [Tree.from_sklearn(tree) for tree in forest.estimators_]
    assert not differences(Ensemble(trees), objective)


def test_a_forest_that_is_too_large_is_refused():
    """A page that asks for more memory than there is."""
    data = datasets.load("bornagain/Seeds")
    forest = RandomForestClassifier(20, max_depth=6, random_state=0).fit(data.X, data.y)
    ensemble = Ensemble([Tree.from_sklearn(tree) for tree in forest.estimators_])
    assert BornAgain(ensemble, OBJECTIVES["leaves"], most_bytes=1e6).run() == BornAgain.TOO_LARGE
