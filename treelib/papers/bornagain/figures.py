"""Figures of the born-again chapters."""

import json

import numpy as np

from treelib.bornagain.proof.leaf_regions import leaf_regions
from treelib.datasets.files import data_root
from treelib.ledger import store
from treelib.papers.bornagain.settings import DATA, GROWTH
from treelib.papers.bornagain.tables import recursion_seconds
from treelib.tree.style import INK, class_color, ink_on, method_style

_MARKS = ("o", "s", "^")
OBJECTIVE_STYLES = {"D": ("#34a779", "D"), "L": ("#2f76fd", "L"), "DL": ("#ad480a", "DL")}


# ---- two features: cells, regions, splits -----------------------------------------------------------------


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


# ---- time -------------------------------------------------------------------------------------------------


def figure_2(panels):
    """CPU seconds for each data set and objective (Figure 2): the exact search left, the recursion right."""
    exact = store.results("bornagain.exact")
    recursion = recursion_seconds().rename(columns={"cpu_seconds": "search_seconds"})
    for axes, found, title in zip(
        panels, (exact, recursion), ("exact search", "the paper's recursion"), strict=True
    ):
        for shift, (objective, (color, name)) in enumerate(OBJECTIVE_STYLES.items()):
            some = found[found["objective"] == objective]
            at, boxes = [], []
            for place, data in enumerate(DATA):
                seconds = some[some["data"] == data]["search_seconds"].tolist()
                if seconds:
                    at.append(place + 0.25 * (shift - 1))
                    boxes.append(seconds)
            if boxes:
                _boxes(axes, boxes, at, 0.2, color)
                axes.plot([], [], color=color, linewidth=6, label=name)
        axes.set_xticks(range(len(DATA)), DATA)
        axes.set(yscale="log", title=title)
    panels[0].set_ylabel("CPU seconds")
    panels[0].legend(loc="upper right", ncols=3)


def figure_3(panels):
    """Growth of the CPU time with samples, features and trees (Figure 3)."""
    found = store.results("bornagain.f3")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        some = found[found["axis"] == axis]
        boxes = [(1000 * some[some["value"] == value]["search_seconds"]).tolist() for value in values]
        _boxes(axes, boxes, range(len(values)), 0.6, method_style("born-again")["color"])
        axes.set_xticks(range(len(values)), map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("milliseconds")


def growth_of_regions(panels):
    """Regions of the filtered cells along the axes of Figure 3: mean and range over ten runs."""
    found = store.results("bornagain.f3")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        grouped = found[found["axis"] == axis].groupby("value")["n_regions"]
        place = range(len(values))
        axes.plot(place, [grouped.mean()[value] for value in values], **_line())
        axes.fill_between(
            place,
            [grouped.min()[value] for value in values],
            [grouped.max()[value] for value in values],
            color=method_style("born-again")["color"],
            alpha=0.25,
        )
        axes.set_xticks(place, map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("regions")


def _line():
    return {**method_style("born-again"), "label": ""}


def _boxes(axes, boxes, at, width, color):
    """Box-whisker plots: whiskers to 1.5 times the interquartile range, outliers as circles."""
    line = {"color": color, "linewidth": 1.2}
    axes.boxplot(
        boxes,
        positions=list(at),
        widths=width,
        whis=1.5,
        boxprops=line,
        whiskerprops=line,
        capprops=line,
        medianprops={"color": color, "linewidth": 2.5},
        flierprops={"marker": "o", "markersize": 3, "markeredgecolor": color},
        manage_ticks=False,
    )


def benchmark_lines():
    """Cells of the table of `make bench-bornagain`, a row for each set and objective; mean ratios.

    Both are empty where ``data/results/bench_bornagain.json`` has not been written.
    """
    path = data_root() / "results" / "bench_bornagain.json"
    if not path.is_file():
        return [], []
    found = json.loads(path.read_text(encoding="utf-8"))["summary"]
    lines = [
        (
            row["data"],
            row["objective"],
            f"{row['cpu_seconds']:.4f}",
            f"{row['wall_seconds_2_threads']:.4f}",
            *(f"{row[name]:.3f}" if name in row else "" for name in ("ratio", "ratio_2_threads")),
            f"{row['largest_n_regions']:,}",
            f"{row['most_peak'] / 1e6:,.0f}",
        )
        for row in found["sets"]
    ]
    means = [
        f"{row['objective']} {row['ratio']:.3f} ({row['ratio_2_threads']:.3f})" for row in found["objectives"]
    ]
    return lines, means
