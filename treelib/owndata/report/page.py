"""One self-contained HTML page on a fitted tree, and the tree itself as JSON, SVG, rules and SQL."""

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from markupsafe import Markup

from treelib.compiled.whole_files import write_whole
from treelib.estimator import gini_importances
from treelib.owndata import export
from treelib.owndata.predict import description, explainer
from treelib.owndata.report.facts import facts, verdict
from treelib.owndata.report.notes import grouped, reading
from treelib.owndata.report.templates import HOME, percent, rendered, words
from treelib.owndata.tuning import WEIGHTED
from treelib.topdown.prune.sequence import saved_squares

LOSSES = {
    "accuracy": "the error",
    "balanced-accuracy": "one minus the balanced accuracy",
    "auc": "one minus the area under the ROC curve",
    "squared_error": "the mean squared error, as a share of the variance of the target",
    "absolute_error": "the mean absolute error, as a share of that of the median",
    "poisson": "the Poisson deviance, as a share of that of the mean",
    "log-loss": "the mean negative logarithm of the probability given to the true class",
}

MOST_LEAVES_AT_A_GLANCE = 16  # a larger tree is not shrunk to the width of the page


RULES = {
    "1se": "the smallest tree whose mean loss is within one standard error of the lowest",
    "paired": "the smallest tree whose mean loss exceeds the lowest by at most one standard error of their "
    "difference",
    "min": "the tree with the lowest mean loss",
}

_PACKAGES = ("treelib-companion", "numpy", "numba", "scikit-learn", "pandas")
_MOST_SHOWN = 6  # classes whose shares the table of leaves has columns for
_MOST_COLUMNS = 12  # in the table of what the tree asks
_MOST_REASONS = 5  # rows that are explained


def write_report(fitted, out, command):
    """Write the report and, beside it, the tree in four forms and what its columns mean.

    Parameters
    ----------
    fitted : treelib.owndata.fit.Fitted
    out : str or Path, ends with .html; the other files share its stem
    command : str, the command that made it, for whoever wants to do it again

    Every file appears whole or not at all.
    """
    out = check_place(out)
    contents = {
        out: page(fitted, command),
        out.with_suffix(".json"): fitted.tree.to_json(indent=1) + "\n",
        out.with_suffix(export.TABLE): json.dumps(description(fitted.table), indent=1) + "\n",
        out.with_suffix(".svg"): _drawing(fitted) + "\n",
        out.with_suffix(".rules.txt"): _rules(fitted) + "\n",
        out.with_suffix(".sql"): _sql(fitted) + "\n",
    }
    for path, text in contents.items():
        write_whole(path, text.encode())
    return list(contents)


def check_place(out):
    """Path of a report that can be written; ValueError otherwise, better before the work than after."""
    out = Path(out)
    if out.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"--out must end with .html, not {out.name!r}.")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {str(out.parent)!r}.")
    if not os.access(out.parent, os.W_OK):
        raise ValueError(f"the folder {str(out.parent)!r} cannot be written to.")
    return out


def page(fitted, command):
    """Text of the report."""
    table = fitted.table
    is_weighted = fitted.class_weights is not None
    error_name = "weighted training error" if is_weighted else "training error"
    has_frontier = len(fitted.frontier) > 1
    return rendered(
        "page.html",
        fitted=fitted,
        table=table,
        command=command,
        css=Markup(HOME.joinpath("page.css").read_text(encoding="utf-8")),
        verdict=verdict(fitted),
        reading=reading(fitted),
        notes=grouped(fitted.notes, table.names),
        facts=facts(fitted),
        is_large=fitted.tree.n_leaves > MOST_LEAVES_AT_A_GLANCE,
        drawing=Markup(_drawing(fitted)),
        leaves=leaves_of(fitted),
        importance=importance_of(fitted)[:_MOST_COLUMNS],
        reasons=_reasons(fitted),
        confusion=_confusion(fitted),
        error_name=error_name,
        rivals=words("rivals", fitted) if has_frontier else "",
        chart=Markup(_chart(fitted.frontier, error_name)) if has_frontier else "",
        loss=LOSSES[fitted.score] + ", rows weighted by class" * (is_weighted and fitted.score in WEIGHTED),
        rule=RULES[fitted.rule],
        rules=_rules(fitted),
        sql=_sql(fitted),
        python=platform.python_version(),
        versions=", ".join(f"{name} {_version(name)}" for name in _PACKAGES),
    )


def leaves_of(fitted):
    """(names of the columns, rows of text) of a table of the leaves, from left to right: what each answers,
    its rows, and of each class the share of them and how many times the share of all rows that is."""
    tree = fitted.tree
    nodes = np.flatnonzero(tree.is_leaf)
    rows = [f"{n:,}" for n in tree.n_node_samples[nodes].tolist()]
    if tree.is_regression:
        return ("predicts", "rows"), list(zip([f"{x:.6g}" for x in tree.value[nodes, 0]], rows, strict=True))
    totals = tree.value.sum(axis=1, keepdims=True)
    shares = tree.value / np.where(totals > 0, totals, 1.0)  # no row reaches some leaves of born-again trees
    shown = np.argsort(-shares[0])[:_MOST_SHOWN] if tree.n_classes > 2 else np.argsort(shares[0])[:1]
    names = [tree.class_names[k] for k in shown]
    answers = [tree.class_names[label] for label in tree.label[nodes]]
    cells = [
        [
            f"{percent(shares[node, k])} ({shares[node, k] / shares[0, k]:.2g} x)" if totals[node] else ""
            for k in shown
        ]
        for node in nodes
    ]
    head = ("predicts", "rows", *(f"{name}: share (lift)" for name in names))
    return head, [(*pair, *more) for *pair, more in zip(answers, rows, cells, strict=True)]


def importance_of(fitted):
    """(column of the file, its share in what the tests save) from the largest on; [] of a single leaf."""
    tree = fitted.tree
    if tree.is_regression:
        inner = np.flatnonzero(~tree.is_leaf)
        saved = saved_squares(tree)
        own = saved[inner] - saved[tree.children_left[inner]] - saved[tree.children_right[inner]]
        found = np.bincount(tree.feature[inner], np.maximum(own, 0.0), tree.n_features)
    else:
        found = gini_importances(tree)
    sums = {}
    for name, value in zip(fitted.table.source, found.tolist(), strict=True):
        sums[name] = sums.get(name, 0.0) + value
    total = sum(sums.values())
    return (
        sorted(((n, v / total) for n, v in sums.items() if v > 0), key=lambda one: -one[1]) if total else []
    )


def _reasons(fitted):
    """Sentences on the first row that each class is predicted for."""
    tree, X = fitted.tree, fitted.table.X.to_numpy()
    if tree.n_leaves == 1 or tree.is_regression:
        return []
    predicted = tree.predict(X)
    rows = [int(np.flatnonzero(predicted == k)[0]) for k in np.unique(predicted)[:_MOST_REASONS]]
    found = explainer(tree, description(fitted.table)).explain(X[rows])
    return [(row + 1, str(one)) for row, one in zip(rows, found, strict=True)]


def _confusion(fitted):
    """(name of the true class, rows predicted as each class), or [] where nothing was judged."""
    if fitted.judged is None or fitted.table.task == "regression":
        return []
    table, predicted = fitted.table, fitted.judged.predicted
    weights = np.ones(len(table.y), int) if table.weights is None else table.weights.round(2)
    return [
        (a, [weights[(table.y == a) & (predicted == b)].sum() for b in table.classes]) for a in table.classes
    ]


def _version(name):
    try:
        return version(name)
    except Exception:  # run from a folder that was never installed
        return "not installed"


def _chart(points, y_name):
    """A line through the points as SVG, leaves on a log axis."""
    width, height, left, right, top, floor = 600, 300, 64, 586, 32, 254
    n_leaves, errors = np.array(points).T
    x, highest = np.log(n_leaves), errors.max()
    at_x = left + (x - x.min()) / (np.ptp(x) or 1) * (right - left)
    at_y = floor - errors / (highest or 1) * (floor - top)
    shown, last = [], np.inf
    for (n, _), place in reversed(list(zip(points, at_x, strict=True))):  # the largest tree has its number
        if last - place > 34:
            shown, last = [*shown, n], place
    points = list(zip(at_x, at_y, (n for n, _ in points), strict=True))
    sides = {"width": width, "height": height, "left": left, "right": right, "top": top, "floor": floor}
    return rendered("chart.svg", points=points, shown=shown, highest=highest, y_name=y_name, **sides)


def _drawing(fitted):
    return fitted.tree.to_svg(**fitted.table.wording)


def _rules(fitted):
    return "\n".join(fitted.tree.to_rules(**fitted.table.wording))


def _sql(fitted):
    return export.of_tree(fitted.tree, fitted.table.sql)
