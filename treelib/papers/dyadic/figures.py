"""Figures 1 to 3 of the dyadic paper, and what goes with them: drawn by matplotlib, and judged."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd

from treelib.dyadic.paper import lambda_search, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.procedure_1 import NO_LABEL
from treelib.ledger.protocol.declared import declared
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, untestable
from treelib.papers.dyadic.settings import BOXES, as_rows, box_name, compressed, design_rows, load
from treelib.papers.dyadic.table_1 import (
    AT_RULE,
    AVERAGES,
    DEFINED,
    DEFINED_LEAF,
    SMALLEST,
    SMALLEST_LEAF,
    over_grids,
)
from treelib.papers.dyadic.tables_2_3 import PRINTED_L_BOUND, design, design_case
from treelib.tree.style import DARK_INK, INK, class_color, method_color


def partition(ax, tree, size):
    """The leaves of a tree of two features whose thresholds are whole numbers, as rectangles with names.

    size : int, the plane goes from 0 to it in both features
    """
    middles = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 2) + 0.5
    said = tree.predict(middles)
    for i, name in enumerate(np.unique(said)):
        cells = middles[said == name]
        for x, y in cells - 0.5:
            ax.add_patch(_rectangle(x, x + 1, y, y + 1, facecolor=class_color(i)))
        ax.text(*cells.mean(axis=0), tree.class_names[name], ha="center", va="center", color=DARK_INK)
    ax.set(xlim=(0, size), ylim=(0, size), aspect="equal", xlabel=tree.feature_names[0])
    ax.set(ylabel=tree.feature_names[1])
    ax.grid(False)


def figure_2(ax, visited, occupied, n_samples, prices):
    """Rectangles visited with and without pruning along lambda.

    visited : (c,), rectangles for each whole number of errors that a leaf may cost. occupied : int, all that
    hold a row, visited without pruning. n_samples : int. prices : float array, values of lambda in errors
    """
    visited = np.asarray(visited)
    ceilings = np.minimum(np.ceil(prices).astype(int), len(visited) - 1)
    style = {"drawstyle": "steps-pre", "label": "with pruning"}
    ax.plot(prices / n_samples, visited[ceilings], color=method_color("dyadic"), **style)
    ax.axhline(occupied, color=method_color("cart"), linestyle="--", label="without pruning, as defined")
    # a search without pruning that stops at rectangles of one class: what Figure 2 seems to have
    ax.axhline(visited[0], color=method_color("cart"), linestyle=":", label="pruned, at the smallest λ")
    ax.axvline(2 / n_samples, color=INK, linestyle=":", linewidth=1)
    ax.text(2 / n_samples, occupied * 1.4, " 2/n", va="bottom", color=INK)
    ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="rectangles visited", ylim=(0.8, occupied * 4))
    ax.legend(loc="lower left")


def figure_3(ax, path, n_samples):
    """Leaves of the solutions against lambda, a step function.

    path : pairs (error, leaves) by falling lambda, errors whole numbers
    """
    path = np.asarray(path, dtype=float)
    breaks = -np.diff(path[:, 0]) / np.diff(path[:, 1])
    ends = np.concatenate(([path[0, 0] * 2], breaks, [breaks[-1] / 4])) / n_samples
    ax.stairs(path[:, 1][::-1], ends[::-1], baseline=None, color=method_color("dyadic"), linewidth=2)
    ax.axvline(2 / n_samples, color=INK, linestyle=":", linewidth=1)
    ax.text(2 / n_samples, path[-1, 1], " 2/n", color=INK)
    ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="leaves")


def tree_map(ax, tree, X, y, size=240):
    """What a tree says over the plane of the first two features, with the rows on it.

    Other features are at their medians.
    """
    low, high = X[:, :2].min(axis=0), X[:, :2].max(axis=0)
    grid = np.stack(np.meshgrid(*np.linspace(low, high, size).T), axis=-1).reshape(-1, 2)
    places = np.tile(np.median(X, axis=0), (len(grid), 1))
    places[:, :2] = grid
    said = tree.predict(places).reshape(size, size)
    colors = [class_color(i) for i in range(int(y.max()) + 1)]
    ax.contourf(
        *(grid[:, i].reshape(size, size) for i in (0, 1)),
        said,
        levels=np.arange(len(colors) + 1) - 0.5,
        colors=colors,
        alpha=0.35,
    )
    for code, color in enumerate(colors):
        ax.scatter(*X[y == code, :2].T, s=1.2, color=color, alpha=0.55, linewidths=0, rasterized=True)
    for left, right, bottom, top in leaf_boxes(tree, low, high, np.median(X, axis=0)):
        box = {"fill": False, "edgecolor": INK, "linewidth": 0.9, "zorder": 3}  # above the rows
        ax.add_patch(_rectangle(left, right, bottom, top, **box))
    ax.set(xticks=[], yticks=[])
    ax.grid(False)


def leaf_boxes(tree, low, high, others):
    """The leaves of a tree as rectangles of the plane of the first two features.

    Parameters
    ----------
    tree : Tree
    low, high : array (2,), the corners of the plane that is shown
    others : array (n_features,), where the features beyond the second are held

    Returns
    -------
    list of (left, right, bottom, top), in the order of a walk from left to right
    """
    found, waiting = [], [(0, tuple(low), tuple(high))]
    while waiting:
        node, below, above = waiting.pop()
        if tree.is_leaf[node]:
            found.append((below[0], above[0], below[1], above[1]))
            continue
        feature, cut = tree.feature[node], tree.threshold[node]
        if feature > 1:
            children = tree.children_left if others[feature] <= cut else tree.children_right
            waiting.append((children[node], below, above))
            continue
        inner = min(max(cut, below[feature]), above[feature])
        if inner < above[feature]:
            waiting.append((tree.children_right[node], _replaced(below, feature, inner), above))
        if inner > below[feature]:
            waiting.append((tree.children_left[node], below, _replaced(above, feature, inner)))
    return found


def _replaced(corner, place, value):
    return tuple(value if i == place else old for i, old in enumerate(corner))


def _rectangle(low, high, bottom, top, **style):
    from matplotlib.patches import Rectangle

    return Rectangle((low, bottom), high - low, top - bottom, **style)


# ---- verdicts ---------------------------------------------------------------------------------------------


@declared("dyadic.{:f2|f3}.{row}.{cell}", {"lambda-rule": "rule"})
def rules_of_thumb():
    """lambda = 2/n of the design sets that the figures show."""
    return pd.DataFrame(
        [{"row": row, "rule": Fraction(2, len(load(row)[1]))} for row in ("thyroid", "diabetes")]
    )


@declared("dyadic.f2.{row}.{cell}", {"improvement-ratio-average": "ratio"}, AVERAGES)
def average_again():
    """The cell of Table 1 again, which the row says."""
    return over_grids()


@declared("dyadic.f2.{row}.{cell}", {"improvement-ratio-rule": "ratio"}, AT_RULE)
def at_the_rule():
    """Improvement ratios of thyroid at two errors, a line a box and reading."""
    lines = [
        {"row": "thyroid", "box": box_name(*box), "reading": reading, "ratio": ratio}
        for box in BOXES
        for reading, ratio in ratios_at_rule(*curves("thyroid", *box)).items()
    ]
    return pd.DataFrame(lines)


@judges("dyadic.f2.*", "dyadic.f3.*")
def judge_figures():
    """Verdicts on what is said of the figures, list of Verdict."""
    n_occupied, occupied, visited = curves("thyroid")
    return [
        untestable("dyadic.f2.thyroid.small-lambda-ratio", numbers={"ratio": n_occupied / int(occupied[1])}),
        _judge_large(n_occupied, occupied, visited),
        *_judge_steps(),
    ]


def curves(row, widen=None, closed="right"):
    """Rectangles on all rows of a data set: (occupied ones in all, occupied ones visited, visited ones), the
    last two int64 by the whole number of errors that a leaf may cost. widen, closed : as in `compressed`"""
    rows = as_rows(compressed(row, design_rows(row)[0], widen=widen, closed=closed))
    run = recursion.Recursion(rows, Fraction(1, greedy_leaves(rows)), store_empty=True)
    run.run()
    reach, occupied = run.visited["reach"], run.visited["label"] != NO_LABEL
    prices = np.arange(reach[1:].max(initial=0) + 2)[:, None]
    # the box has no parent: it is always visited
    visited = (reach[1:] >= prices).sum(axis=1) + 1
    return recursion.count_occupied(rows), (occupied[1:] & (reach[1:] >= prices)).sum(axis=1) + 1, visited


def ratios_at_rule(n_occupied, occupied, visited):
    """Improvement ratios at two errors by `table_1.RATIOS`, dict. Arguments as `curves` gives them."""
    return {
        DEFINED: Fraction(n_occupied, int(occupied[2])),
        DEFINED_LEAF: Fraction(n_occupied, int(occupied[3])),
        SMALLEST: Fraction(int(visited[1]), int(visited[2])),
        SMALLEST_LEAF: Fraction(int(visited[1]), int(visited[3])),
    }


def _judge_large(n_occupied, occupied, visited):
    """Verdict on "several orders of magnitude" at larger lambda. Arguments as `curves` gives them.

    The values of the adaptive list, upper half by their number. A ratio for each factor that "several orders
    of magnitude" may be, from one order to four.
    """
    path = design("thyroid")["path"]
    taken = lambda_search.count_adaptive(path, path[1:], path[0][0], PRINTED_L_BOUND["thyroid"])[1]
    upper, left = {}, int(taken.sum()) // 2
    for price in range(len(taken) - 1, 0, -1):
        if left > 0 and taken[price]:
            upper[price] = min(left, int(taken[price]))
            left -= upper[price]
    last = min(upper)
    at = [min(price, len(occupied) - 1) for price in upper]
    ratios = [n_occupied / int(occupied[price]) for price in at]
    held = {
        factor: sum(n for n, ratio in zip(upper.values(), ratios, strict=True) if ratio >= factor)
        for factor in (10, 100, 1000, 10**4)
    }
    n = sum(upper.values())
    return judge_statement(
        "dyadic.f2.thyroid.large-lambda",
        Trials(
            n,
            n - held[100],
            f"a price of {last} errors: {min(ratios):.3g}",
            "values of the upper half of the adaptive list, ratios of 100 and more",
        ),
        numbers={
            "n": n,
            "counts": ", ".join(f"{count} have {factor:,} and more" for factor, count in held.items()),
            "least": min(ratios),
            "above": min(visited[1] / visited[price] for price in at),
        },
        experiment="dyadic.t3",
        case=design_case("thyroid"),
    )


THRESHOLDS = (10, 100, 1000)  # among which "dramatically" may lie


def _judge_steps():
    """Verdicts on Figure 3, list of Verdict."""
    wide = widths(design("diabetes")["path"])
    times = max(wide) / min(wide)
    order = sorted(range(len(wide)), key=lambda i: -wide[i])
    quarter, middle = len(wide) // 4, len(wide) / 2
    source = {"experiment": "dyadic.t3", "case": design_case("diabetes")}
    numbers = {"widest": max(wide), "narrowest": min(wide), "times": times, "n": len(wide)}
    numbers |= {"places": ", ".join(str(i + 1) for i in order[:quarter])}
    lower = {q: sum(i >= middle for i in order[:q]) for q in range(1, quarter + 1)}
    return [
        judge_statement(
            "dyadic.f3.diabetes.interval-sizes",
            (
                (f"widest over narrowest at least {factor:,}", times >= factor, factor - times)
                for factor in THRESHOLDS
            ),
            numbers=numbers,
            **source,
        ),
        judge_statement(
            "dyadic.f3.diabetes.widest-first",
            (
                (f"the {q} widest, of which so many lie in the lower half", n == 0, n)
                for q, n in lower.items()
            ),
            numbers=numbers,
            **source,
        ),
    ]


def widths(path):
    """Widths of the intervals of lambda of a solution sequence, in errors, from the largest lambda."""
    ends = [float(path[0][0])]
    ends += [(e - f) / (n - m) for (e, m), (f, n) in pairwise(path)]
    return [high - low for high, low in zip(ends, [*ends[1:], 0.0], strict=True) if high > low]
