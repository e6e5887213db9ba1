"""Two forests small enough to draw, with their cells and born-again trees (Figures 1, 4 and 6)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib.bornagain.ensemble.cells import Cells, build_cells
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import minimise
from treelib.bornagain.proof.certificate import Certificate, certify
from treelib.bornagain.proof.leaf_regions import leaf_regions
from treelib.bornagain.pruned import post_prune
from treelib.ledger import store
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, redrawn
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import folds, load, own_forest, train_forest
from treelib.tree.stored import Tree
from treelib.tree.style import INK, class_color, ink_on

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
    return of_forest(ensemble, X, y, tuple(table.feature_names[column] for column in columns), classes)


def of_forest(ensemble, X, y, features, classes):
    """`Example` of a forest: its cells, its born-again tree of fewest leaves, pruned, with its certificate.

    Parameters
    ----------
    ensemble : Ensemble, or anything `as_ensemble` takes
    X, y : training rows and the codes of their classes
    features, classes : sequences of str
    """
    ensemble = as_ensemble(ensemble)
    tree = minimise(ensemble, "leaves").tree
    tree = tree.replace(feature_names=tuple(features), class_names=tuple(classes))
    counted = tree.recount(X, y)
    return Example(
        X=X,
        y=y,
        features=tuple(features),
        classes=tuple(classes),
        ensemble=ensemble,
        cells=build_cells(ensemble, keep_all=True),
        kept=build_cells(ensemble),
        tree=counted,
        pruned=post_prune(counted, X),
        certificate=certify(tree, ensemble),
    )


# ---- drawn ------------------------------------------------------------------------------------------------


_MARKS = ("o", "s", "^")


def limits(example):
    """Sides of the drawn part of a plane, ((x low, x high), (y low, y high)): half a step around all data."""
    ends = []
    for j, cuts in enumerate(example.cells.levels):
        low, high = example.X[:, j].min(), example.X[:, j].max()
        ends.append((min(low, cuts[0]) - 0.75, max(high, cuts[-1]) + 0.75))
    return tuple(ends)


def frame(axes, example, title=""):
    """Label the axes of a plane of two features."""
    (left, right), (low, high) = limits(example)
    axes.set(xlim=(left, right), ylim=(low, high), xlabel=example.features[0], ylabel=example.features[1])
    axes.set_title(title)
    axes.grid(False)


def draw_cells(axes, example, points=False, names=True):
    """The cells of an ensemble on two features, filled with the colour of their class.

    points : bool, the training samples too
    names : bool, write the first letter of the class into each cell, so that nothing rests on colour
    """
    edges = [
        np.concatenate([[low], cuts, [high]])
        for cuts, (low, high) in zip(example.cells.levels, limits(example), strict=True)
    ]
    for i, j in np.ndindex(*example.cells.shape):
        label = example.cells.classes[i, j]
        color = class_color(label)
        box = (edges[0][i], edges[1][j])
        sides = edges[0][i + 1] - edges[0][i], edges[1][j + 1] - edges[1][j]
        axes.add_patch(_rectangle(box, sides, facecolor=color, edgecolor=INK, linewidth=0.6, alpha=0.85))
        if names:
            middle = box[0] + sides[0] / 2, box[1] + sides[1] / 2
            axes.text(
                *middle, example.classes[label][0], ha="center", va="center", color=ink_on(color), fontsize=10
            )
    if points:
        draw_points(axes, example)


def draw_tree_regions(axes, example, tree, points=False):
    """The leaves of a tree on two features as regions, with heavy lines where it splits."""
    low, high = leaf_regions(tree)
    ends = np.array(limits(example))
    low, high = np.maximum(low, ends[:, 0]), np.minimum(high, ends[:, 1])
    for start, stop, label in zip(low, high, tree.label[tree.is_leaf], strict=True):
        if (start >= stop).any():
            continue
        color = class_color(label)
        axes.add_patch(
            _rectangle(start, stop - start, facecolor=color, edgecolor=INK, linewidth=2, alpha=0.85)
        )
        axes.text(
            *((start + stop) / 2),
            example.classes[label][0],
            ha="center",
            va="center",
            color=ink_on(color),
            fontsize=11,
        )
    if points:
        draw_points(axes, example)


def draw_points(axes, example):
    """Training samples, a mark a class; samples of one value are moved apart a little."""
    rng = np.random.default_rng(0)
    for k, name in enumerate(example.classes):
        x, y = (example.X[example.y == k] + rng.uniform(-0.25, 0.25, (np.sum(example.y == k), 2))).T
        axes.plot(
            x,
            y,
            _MARKS[k],
            markersize=4,
            color="#ffffff",
            markeredgecolor="#1b1f24",
            linestyle="",
            label=name,
        )


def figure_1(axes, example):
    """A cell, a region and a splitting hyperplane (Figure 1)."""
    draw_cells(axes, example, names=False)
    edges = [
        np.concatenate([[low], cuts, [high]])
        for cuts, (low, high) in zip(example.cells.levels, limits(example), strict=True)
    ]
    heavy = {"facecolor": "none", "edgecolor": "#1b1f24", "linewidth": 3}
    names = {"fontsize": 12, "color": "#1b1f24", "ha": "center", "va": "center"}
    boxed = {"bbox": {"facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.85, "pad": 2}}
    start, stop = (edges[0][0], edges[1][0]), (edges[0][1], edges[1][1])
    axes.add_patch(_rectangle(start, np.subtract(stop, start), **heavy))
    axes.text(*np.add(start, stop) / 2, "cell", **names, **boxed)
    start, stop = (edges[0][2], edges[1][1]), (edges[0][5], edges[1][4])
    axes.add_patch(_rectangle(start, np.subtract(stop, start), **heavy, linestyle="--"))
    axes.text(
        (start[0] + stop[0]) / 2, stop[1] - 0.4 * (edges[1][4] - edges[1][3]), "region", **names, **boxed
    )
    cut = edges[0][3]
    axes.plot([cut, cut], [start[1], stop[1]], color="#1b1f24", linewidth=3, linestyle=":")
    axes.text(cut, (start[1] + edges[1][2]) / 2, "split", **names, **boxed)


def _rectangle(corner, sides, **style):
    from matplotlib.patches import Rectangle

    return Rectangle(corner, *sides, **style)


# ---- judged -----------------------------------------------------------------------------------------------


@verdicts_on("bornagain")
@judges("bornagain.f1.*", "bornagain.f4.*", "bornagain.f6.*", "bornagain.s4-4.seeds-example.*")
def verdicts():
    """Verdicts on Figures 1, 4 and 6 and what the text says of Figure 4, list of Verdict."""
    small, seeds = example(), example("seeds")
    forests, exact = store.results("bornagain.forests"), store.results("bornagain.exact")
    forests = forests[forests["data"] == "SE"]
    exact = exact[(exact["data"] == "SE") & exact["objective"].isin(["D", "L", "DL"])]
    roots = [
        (f"fold {row['fold']}, {name}", bool(row[f"new_root_{name}"]))
        for row in forests.to_dict("records")
        for name in ("D", "L")
        if row[f"new_root_{name}"] is not None
    ]
    sizes = [
        (
            f"fold {row['fold']}, {row['objective']}",
            2 * row["pruned_leaves"] <= row["leaves"],
            row["pruned_leaves"] / row["leaves"],
        )
        for row in exact.to_dict("records")
    ]
    return [
        redrawn("bornagain.f1.description.diagram", "drawn for an ensemble on two features"),
        redrawn(
            "bornagain.f4.description.diagram",
            f"a forest trained here on fold {SEEDS_FOLD}: pruning leaves {seeds.pruned.n_leaves} of "
            f"{seeds.tree.n_leaves} leaves",
        ),
        redrawn(
            "bornagain.f6.description.diagram",
            f"cells, three trees and their born-again tree of {small.tree.n_leaves} leaves",
        ),
        judge_statement(
            "bornagain.s4-4.seeds-example.root",
            Trials.of(roots, "the authors' forests of Seeds: the root is no root of the forest"),
            note="which fold the figure shows is not said",
            cause="every root is a root of the forest",
            experiment="bornagain.forests",
        ),
        judge_statement(
            "bornagain.s4-4.seeds-example.pruning",
            Trials.of(sizes, "the authors' forests of Seeds; a significant part is read as half the leaves"),
            cause="less than half of the leaves go",
            experiment="bornagain.exact",
        ),
    ]
