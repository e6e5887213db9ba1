"""Two forests small enough to draw, with their cells and born-again trees (Figures 1, 4 and 6)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib.bornagain.ensemble.cells import Cells, build_cells
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import minimise
from treelib.bornagain.proof.certificate import Certificate, certify
from treelib.bornagain.pruned import post_prune
from treelib.papers.bornagain.settings import folds, load, own_forest, train_forest
from treelib.tree.stored import Tree

# as in Figure 4, the root of the born-again tree is no root of the forest on this fold
SEEDS_FOLD = 7
TWO_FEATURES, TWO_CLASSES = ("perimeter", "kernel-width"), (0, 2)


@dataclass(frozen=True)
class Example:
    """A forest next to its born-again tree.

    Attributes
    ----------
    X, y : the training rows; features, classes : their names, tuple of str
    ensemble : Ensemble
    cells, kept : Cells, with all thresholds of the forest, and with those that matter
    tree : Tree of fewest leaves; pruned : Tree, after post-pruning with X
    certificate : Certificate of `tree`
    """

    X: np.ndarray
    y: np.ndarray
    features: tuple
    classes: tuple
    ensemble: Ensemble
    cells: Cells
    kept: Cells
    tree: Tree
    pruned: Tree
    certificate: Certificate


@cache
def example(name="two features"):
    """`Example`: "two features" of Seeds, three trees, two classes; or "seeds", one fold of it."""
    table = load("SE")
    if name == "seeds":
        train, _ = folds("SE")[SEEDS_FOLD - 1]
        X, y, columns = table.X[train], table.y[train], range(table.X.shape[1])
        classes, ensemble = table.class_names, own_forest("SE", SEEDS_FOLD, 0)
    else:
        columns = [table.feature_names.index(feature) for feature in TWO_FEATURES]
        rows = np.isin(table.y, TWO_CLASSES)
        X, y = table.X[np.ix_(rows, columns)], np.searchsorted(TWO_CLASSES, table.y[rows])
        classes = tuple(table.class_names[k] for k in TWO_CLASSES)
        ensemble = train_forest(X, y, 1, n_trees=3)
    features = tuple(table.feature_names[column] for column in columns)
    tree = minimise(ensemble, "leaves").tree.replace(feature_names=features, class_names=classes)
    counted = tree.recount(X, y)
    return Example(
        X=X,
        y=y,
        features=features,
        classes=classes,
        ensemble=ensemble,
        cells=build_cells(ensemble, keep_all=True),
        kept=build_cells(ensemble),
        tree=counted,
        pruned=post_prune(counted, X),
        certificate=certify(tree, ensemble),
    )
