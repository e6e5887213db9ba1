"""Two forests small enough to draw, with their cells and born-again trees (Figures 1, 4 and 6)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib import datasets
from treelib.bornagain.ensemble.cells import Cells, build_cells
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import minimise
from treelib.bornagain.proof.certificate import Certificate, certify
from treelib.bornagain.proof.leaf_regions import leaf_regions
from treelib.bornagain.pruned import post_prune
from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.judging import judge, judge_statement, judges, redrawn, untestable, withheld
from treelib.papers.bornagain.settings import load, train_forest
from treelib.tree.stored import Tree
from treelib.tree.style import INK, class_color, ink_on

# Figure 4 as it is drawn: the forest, and its born-again tree before pruning; the features of Seeds as they
# are named there
DRAWN_FEATURES = ("area", "perimeter", "comp", "k-length", "k-width", "asym", "k-groove")
DRAWN_FOREST = (
    ("k-groove", 5.75, ("comp", 0.86, ("k-length", 5.52, 2, 0), ("asym", 4.97, 0, 2)), 1),
    (
        "k-groove",
        5.75,
        ("comp", 0.86, ("area", 13.37, 2, 0), 0),
        ("k-width", 3.48, ("asym", 2.25, 0, 1), 1),
    ),
    (
        "k-groove",
        5.75,
        ("area", 12.62, ("k-groove", 4.87, 0, 2), ("k-width", 3.48, 0, 1)),
        ("asym", 2.25, ("k-length", 6.06, 0, 1), 1),
    ),
)
DRAWN_DIGITS = 2  # of a threshold, after the point
_BY_GROOVE = ("k-groove", 4.87, 0, 2)
DRAWN_TREE = (
    "k-groove",
    5.75,
    (
        "comp",
        0.86,
        ("k-length", 5.52, ("area", 13.37, 2, 0), ("area", 12.62, _BY_GROOVE, 0)),
        ("area", 12.62, ("asym", 4.97, 0, _BY_GROOVE), 0),
    ),
    ("k-length", 6.06, ("k-width", 3.48, ("asym", 2.25, 0, 1), 1), 1),
)
TWO_FEATURES, TWO_CLASSES = ("perimeter", "kernel-width"), (0, 2)


@dataclass(frozen=True)
class Example:
    """A forest next to its born-again tree.

    Attributes
    ----------
    X, y : the training rows; features, classes : their names, tuple of str
    ensemble : Ensemble
    cells, kept : Cells, with all thresholds of the forest, and with those that matter
    tree : Tree, the smallest; pruned : Tree, after post-pruning with X
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
def example():
    """`Example` of three trees on two features of Seeds, two classes."""
    table = load("SE")
    columns = [table.feature_names.index(feature) for feature in TWO_FEATURES]
    rows = np.isin(table.y, TWO_CLASSES)
    X, y = table.X[np.ix_(rows, columns)], np.searchsorted(TWO_CLASSES, table.y[rows])
    classes = tuple(table.class_names[k] for k in TWO_CLASSES)
    ensemble = train_forest(X, y, 1, n_trees=3)
    return of_forest(ensemble, X, y, TWO_FEATURES, classes)


@cache
def drawn_example():
    """`Example` of the forest that Figure 4 draws, on Seeds as measured."""
    table = datasets.load("bornagain/Seeds/raw")
    forest = Ensemble([drawn(tree) for tree in DRAWN_FOREST])
    return of_forest(forest, table.X, table.y, DRAWN_FEATURES, table.class_names, "depth-leaves")


def drawn(nested):
    """`Tree` of Figure 4 as it is written down above."""
    return Tree.from_nested(nested, feature_names=DRAWN_FEATURES, n_classes=3)


def of_forest(ensemble, X, y, features, classes, objective="leaves"):
    """`Example` of a forest: its cells, its smallest born-again tree, pruned, with its certificate.

    Parameters
    ----------
    ensemble : Ensemble, or anything `as_ensemble` takes
    X, y : training rows and the codes of their classes
    features, classes : sequences of str
    objective : as for `treelib.bornagain.exact.minimise`
    """
    ensemble = as_ensemble(ensemble)
    tree = minimise(ensemble, objective).tree
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


def limits(example):
    """Sides of the drawn part of a plane, ((x low, x high), (y low, y high)): half a step around all data."""
    ends = []
    for j, cuts in enumerate(example.cells.levels):
        low, high = example.X[:, j].min(), example.X[:, j].max()
        ends.append((min(low, cuts[0]) - 0.75, max(high, cuts[-1]) + 0.75))
    return tuple(ends)


def _edges(example):
    """Ends of the cells in each of two features, list of two float arrays."""
    ends = zip(example.cells.levels, limits(example), strict=True)
    return [np.concatenate([[low], cuts, [high]]) for cuts, (low, high) in ends]


def frame(axes, example, title=""):
    """Label the axes of a plane of two features."""
    (left, right), (low, high) = limits(example)
    axes.set(xlim=(left, right), ylim=(low, high), xlabel=example.features[0], ylabel=example.features[1])
    axes.set_title(title)
    axes.grid(False)


def draw_cells(axes, example, names=True):
    """The cells of an ensemble on two features, filled with the colour of their class.

    names : bool, write the first letter of the class into each cell, so that nothing rests on colour
    """
    edges = _edges(example)
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


def draw_tree_regions(axes, example, tree):
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


def figure_1(axes, example):
    """A cell, a region and a splitting hyperplane (Figure 1)."""
    draw_cells(axes, example, names=False)
    edges = _edges(example)
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


@judges("bornagain.f4.*", "bornagain.f6.*", "bornagain.s4-4.seeds-example.*")
def verdicts():
    """Verdicts on Figures 4 and 6 and what the text says of Figure 4, list of Verdict."""
    figure, drawn_splits = drawn_example(), set(splits_by_path(drawn(DRAWN_TREE)))
    tree, found = figure.tree, set(splits_by_path(figure.tree))
    first = minimise(figure.ensemble, "depth").tree
    printed, left = (find(f"bornagain.f4.{name}.leaves").number for name in ("born-again", "pruned"))
    return [
        redrawn("bornagain.f6.description.diagram", numbers={"leaves": example().tree.n_leaves}),
        judge("bornagain.f4.born-again.depth", tree.max_depth),
        judge("bornagain.f4.born-again.leaves", tree.n_leaves),
        judge_statement(
            "bornagain.f4.born-again.splits",
            ((" ".join(map(str, split)), split in found) for split in drawn_splits),
        ),
        _judge_pruned(figure),
        judge_statement(
            "bornagain.s4-4.seeds-example.root",
            (
                (f"tree {k}", (one.feature[0], one.threshold[0]) != (tree.feature[0], tree.threshold[0]))
                for k, one in enumerate(figure.ensemble.trees, 1)
            ),
            numbers={
                "name": figure.features[first.feature[0]],
                "cut": first.threshold[0],
                "leaves": first.n_leaves,
            }
            | new_roots(),
        ),
        untestable("bornagain.s4-4.seeds-example.pruning", numbers={"gone": printed - left, "n": printed}),
    ]


def _judge_pruned(figure):
    """Verdict on the leaves that are left in Figure 4: open where the drawn thresholds do not fix them."""
    claim, whole = "bornagain.f4.pruned.leaves", figure.pruned.n_leaves
    counts = sorted({whole, *leaves_of_moved_thresholds(figure)})
    numbers = {
        "rows": len(figure.y),
        "whole": whole,
        "by_letter": post_prune(figure.tree, figure.X, merge=False).n_leaves,
        "digits": DRAWN_DIGITS,
        "least": counts[0],
        "most": counts[-1],
    }
    if counts[0] <= find(claim).number <= counts[-1] and len(counts) > 1:
        return withheld(claim, whole, notes.text(claim, notes.OPEN, numbers), numbers=numbers)
    return judge(claim, whole, numbers=numbers)


def leaves_of_moved_thresholds(figure):
    """Leaves that are left where one threshold of Figure 4 is another with the digits that are drawn, list of
    int: thresholds are tried as far as they part the rows in different ways."""
    tree, half, found = figure.tree, 0.5 / 10**DRAWN_DIGITS, []
    for feature, cut in sorted(set(zip(tree.feature, tree.threshold, strict=True))):
        if feature < 0:
            continue
        values = np.unique(figure.X[:, feature])
        for other in [cut - 0.99 * half, *values[abs(values - cut) < half]]:
            is_this = (tree.feature == feature) & (tree.threshold == cut)
            moved = tree.replace(threshold=np.where(is_this, other, tree.threshold))
            found.append(post_prune(moved, figure.X).n_leaves)
    return found


def splits_by_path(tree):
    """Splits of a tree with the way to them, list of (path of L and R, feature name, threshold)."""
    found, stack = [], [(0, "")]
    while stack:
        node, path = stack.pop()
        if tree.feature[node] >= 0:
            found.append((path, tree.feature_names[tree.feature[node]], float(tree.threshold[node])))
            stack += [(tree.children_left[node], path + "L"), (tree.children_right[node], path + "R")]
    return found


def new_roots():
    """Born-again trees of the authors' forests of Seeds whose root is none of the forest's: counts."""
    forests = store.results("bornagain.forests")
    forests = forests[forests["data"] == "SE"]
    roots = [new for name in ("D", "L") for new in forests[f"new_root_{name}"] if new is not None]
    return {
        "forests": len(forests),
        "tried": len(roots) // 2,
        "new": sum(map(bool, roots)),
        "trees": len(roots),
    }
