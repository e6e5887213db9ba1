"""One self-contained HTML page on a fitted tree, and the tree itself as JSON, SVG, rules and SQL."""

import json
import os
import platform
from html import escape
from importlib.metadata import version
from pathlib import Path

import numpy as np

from treelib.compiled.whole_files import write_whole
from treelib.owndata import class_weights, export
from treelib.owndata.methods import PROOF_SECONDS
from treelib.owndata.predict import description
from treelib.owndata.regression import CRITERIA

NAMES = {
    "sparse": "optimal sparse tree",
    "dyadic": "optimal dyadic tree",
    "topdown": "greedy tree, pruned",
}

LOSSES = {
    "accuracy": "the error",
    "balanced-accuracy": "one minus the mean over the classes of the share predicted right",
    "auc": "one minus the area under the ROC curve",
    "squared_error": "the mean squared error, as a share of the variance of the target",
    "absolute_error": "the mean absolute error, as a share of that of the median",
    "poisson": "the Poisson deviance, as a share of that of the mean",
    "log-loss": "the mean negative logarithm of the probability given to the true class",
}

WEIGHTED = ("accuracy", "log-loss")  # losses in which a row weighs what its class does

MOST_LEAVES_AT_A_GLANCE = 16  # a larger tree is not shrunk to the width of the page

_CSS = """
:root{color-scheme:light dark;--treelib-ink:#1f2933;--muted:#52606d;--line:#c3ccd5;--accent:#2f76fd}
@media(prefers-color-scheme:dark){
:root{--treelib-ink:#e6edf3;--muted:#a9b6c3;--line:#4b5865}
body{background:#14181e}}
body{color:var(--treelib-ink);font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}
td{white-space:nowrap}
p,li,h1{overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.7rem;border:1px solid var(--line)}
.scroll{overflow-x:auto}
.large svg{max-width:none!important}
.scroll svg.chart{min-width:26rem}
.muted{color:var(--muted)}
.facts{width:100%}
.facts th{font-weight:normal;color:var(--muted);text-align:left;width:16rem;vertical-align:top}
.facts td{text-align:left;white-space:normal;overflow-wrap:anywhere}
details{margin:1rem 0}
summary{cursor:pointer;font-weight:600}
@media(max-width:40rem){.facts th,.facts td{display:block;width:auto;padding:.1rem 0}
.facts th{border:0;font-size:.9rem}}
svg.chart text{fill:var(--treelib-ink);font-size:13px}
.axis{stroke:var(--muted);fill:none}
.line{stroke:var(--accent);fill:none;stroke-width:2}
.dot{fill:var(--accent)}
"""


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
    title = f"{escape(fitted.table.target)} from {escape(fitted.table.name)}"
    large = " large" if fitted.tree.n_leaves > MOST_LEAVES_AT_A_GLANCE else ""
    parts = [
        f"<h1>{title}</h1>",
        f"<p><strong>{escape(verdict(fitted))}</strong></p>" if verdict(fitted) else "",
        _summary(fitted),
        f'<h2>The tree</h2><div class="scroll{large}">{_drawing(fitted)}</div>',
        _confusion(fitted),
        _frontier(fitted),
        _tuning(fitted),
        f"<h2>As rules</h2>{_on_missing(fitted)}<pre>{escape(_rules(fitted))}</pre>",
        f"<details><summary>As SQL, over the columns of the file</summary><pre>{escape(_sql(fitted))}</pre>"
        "</details>",
        _again(fitted, command),
    ]
    joined = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_CSS}</style></head>'
        f"<body>\n{joined}\n</body></html>\n"
    )


def facts(fitted):
    """What there is to know in a few lines: list of (name, text)."""
    tree, table, judged = fitted.tree, fitted.table, fitted.judged
    if table.task == "regression":
        return _facts_of_regression(fitted)
    lines = [
        ("method", _method(fitted)),
        ("rows; columns", f"{len(table.y):,}; {columns_used(table)}"),
        ("classes", ", ".join(map(str, table.classes))),
        ("leaves; depth", f"{tree.n_leaves}; {tree.max_depth}"),
        ("training error", _percent(fitted.training_error)),
    ]
    if judged is None:
        lines.append(("error on held-out rows", "not known"))
    else:
        name = f"error on held-out rows, {len(judged.errors)} folds"
        lines.append((name, _with_interval(judged, most=1.0)))
    lines += [*_facts_of_test(fitted), *_facts_of_weights(fitted), *_constraints(fitted)]
    most = np.unique(table.y, return_counts=True)[1].max() / len(table.y)
    lines.append(("error of always the commonest class", _percent(1 - most)))
    if fitted.price is not None:
        lines.append(
            (
                "price of a leaf",
                f"{fitted.price:g}, one row in {1 / fitted.price:.4g}" if fitted.price else "0",
            )
        )
    if fitted.method == "bornagain":
        lines.append((f"decides as the {_behind(fitted)}", _certified(fitted.model.certificate_)))
    if fitted.is_proved is not None:
        lines.append(("optimality", _proof(fitted)))
    if fitted.method == "sparse":
        lines.append(
            (
                "candidate tests",
                f"{fitted.model.quantiles} quantiles of each column, and the cuts of a greedy tree",
            )
        )
    lines.append(("seconds for everything", f"{fitted.seconds:.1f}"))
    return lines


def _facts_of_test(fitted):
    """The error on a file that no fit saw; nothing without one."""
    one = fitted.tested
    if one is None:
        return []
    if fitted.tree.is_regression:
        error = f"{_percent(one.error / one.baseline)} of that of the mean of the fit"
        return [(f"mean squared error on {one.name}, {one.n_rows:,} rows", f"{one.error:.6g}, {error}")]
    spread = f"(standard error {_percent(one.standard_error)})"
    always = f"always the commonest class: {_percent(one.baseline)}"
    return [(f"error on {one.name}, {one.n_rows:,} rows", f"{_percent(one.error)} {spread}; {always}")]


def columns_used(table):
    """How many columns of the file a tree may test, and what became of them, as text."""
    n_used, n_encoded = len(set(table.source)), table.X.shape[1]
    encoded = f" ({n_encoded:,} after encoding)" if n_encoded != n_used else ""
    return f"{n_used:,} of {table.n_columns:,} columns used{encoded}"


def verdict(fitted):
    """What comes before all numbers: a tree that is no better than no tree. Empty where it is better."""
    table, judged = fitted.table, fitted.judged
    if judged is None:
        return ""
    if table.task == "regression":
        error, share, rival = judged.error, 1.0, "the mean of all rows"
    else:
        weights = class_weights.of_rows(fitted.class_weights, table.y)
        _, codes = np.unique(table.y, return_inverse=True)
        error = np.average(judged.predicted != table.y, weights=weights)
        totals = np.bincount(codes, weights)
        share, rival = 1 - totals.max() / totals.sum(), "always the commonest class"
        if weights is not None:
            rival = "always one class, with the weights of the classes"
    if error < share - 1e-9:
        return ""
    return f"On held-out rows the tree predicts no better than {rival}: do not rely on it."


def _constraints(fitted):
    """What the tree keeps to, as a line; none without constraints."""
    return [("constraints", "; ".join(fitted.constraints))] if fitted.constraints else []


def _facts_of_weights(fitted):
    """What a row of each class weighs, and the errors with these weights; nothing where all weigh 1."""
    if fitted.class_weights is None:
        return []
    y, of_class = fitted.table.y, fitted.class_weights
    totals = np.array([weight * np.count_nonzero(y == name) for name, weight in of_class.items()])
    lines = [
        ("a row weighs", ", ".join(f"{name}: {weight:.4g}" for name, weight in of_class.items())),
        ("weighted training error", _percent(fitted.weighted_error)),
    ]
    if fitted.judged is not None:
        lines.append(("weighted error on held-out rows", _percent(float(fitted.judged.weighted.mean()))))
    lines.append(("weighted error of always one class", _percent(1 - totals.max() / totals.sum())))
    return lines


def _facts_of_regression(fitted):
    """`facts` of a tree that predicts a quantity."""
    tree, table, judged = fitted.tree, fitted.table, fitted.judged
    y = table.y
    lines = [
        ("method", "greedy regression tree, pruned"),
        ("rows; columns", f"{len(y):,}; {columns_used(table)}"),
        ("target", f"mean {y.mean():.6g}, standard deviation {y.std():.6g}, {y.min():.6g} to {y.max():.6g}"),
        ("leaves; depth", f"{tree.n_leaves}; {tree.max_depth}"),
        (f"{CRITERIA[fitted.score]}, training", _percent(fitted.training_error)),
    ]
    if judged is None:
        lines.append(("error on held-out rows", "not known"))
    else:
        name = f"{CRITERIA[fitted.score]} on held-out rows, {len(judged.errors)} folds"
        lines.append((name, _with_interval(judged, most=np.inf)))
        off = judged.predicted - y
        lines.append(("root mean squared error there", f"{np.sqrt(np.mean(off**2)):.6g}"))
        lines.append(("mean absolute error there", f"{np.mean(np.abs(off)):.6g}"))
    share = f"{fitted.price:g} of the variance"
    lines += [*_facts_of_test(fitted), *_constraints(fitted)]
    return [*lines, ("price of a leaf", share), ("seconds for everything", f"{fitted.seconds:.1f}")]


def _method(fitted):
    """The method, and of a born-again tree what it was made of."""
    return (
        f"born-again tree of {fitted.model.source}" if fitted.method == "bornagain" else NAMES[fitted.method]
    )


def _behind(fitted):
    """What a born-again tree was made of, in a word."""
    return "majority of the forest" if "forest" in fitted.model.source else "boosted model"


def _certified(certificate):
    """What a certificate says, in words."""
    if certificate.faithful is None:
        return f"not proved at every point within {PROOF_SECONDS:g} seconds"
    if not certificate.faithful:
        return "not at every point: the search was stopped before"
    parts = "cells of the feature space" if certificate.method == "cells" else "leaves of the tree"
    return f"at every point: proved on all {certificate.n_checked:,} {parts}"


def _proof(fitted):
    if fitted.method == "bornagain":
        search, name = fitted.model.model, _behind(fitted)
        if fitted.is_proved:
            return f"proved: no tree that decides as the {name} is less deep"
        if not np.isfinite(search.objective_):
            return f"none: the search was stopped before the tree decided as the {name}"
        return (
            f"not proved: a tree that decides as the {name} has a depth of {search.lower_bound_:g} at least"
        )
    is_weighted = fitted.class_weights is not None or fitted.search_weights is not None
    error = "weighted training error" if is_weighted else "training error"
    objective = f"{error} + price x leaves is {fitted.model.objective_:.4f}"
    if fitted.is_proved:
        return f"proved: {objective}, the least of every {_rivals(fitted)}"
    if not fitted.model.lower_bound_:
        return f"not proved: {objective}, of a greedy tree"
    return (
        f"not proved: {objective}, that of every {_rivals(fitted)} at least {fitted.model.lower_bound_:.4f}"
    )


def _rivals(fitted):
    """The trees that a proof is about."""
    if fitted.method == "dyadic":
        return "dyadic tree on this grid"
    depth = getattr(fitted.model, "depth", None)
    of_depth = f" of depth {depth} at most" if depth else ""
    return f"tree{of_depth} over the same candidate tests" + " that keeps to the constraints" * bool(
        fitted.constraints
    )


def _summary(fitted):
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts(fitted))
    notes = "".join(f"<li>{escape(note)}</li>" for note in fitted.notes)
    return f'<table class="facts">{rows}</table>' + (f'<ul class="muted">{notes}</ul>' if notes else "")


def _confusion(fitted):
    if fitted.judged is None or fitted.table.task == "regression":
        return ""
    classes, true, predicted = fitted.table.classes, fitted.table.y, fitted.judged.predicted
    counts = [[np.count_nonzero((true == a) & (predicted == b)) for b in classes] for a in classes]
    head = "".join(f"<th>{escape(str(name))}</th>" for name in classes)
    rows = "".join(
        f"<tr><th>{escape(str(name))}</th>" + "".join(f"<td>{count:,}</td>" for count in row) + "</tr>"
        for name, row in zip(classes, counts, strict=True)
    )
    return (
        "<h2>Right and wrong</h2><p>Rows are the true classes, columns the predicted ones. Each row of the "
        "data was predicted by a tree that had not seen it.</p>"
        f'<div class="scroll"><table><tr><th></th>{head}</tr>{rows}</table></div>'
    )


def _frontier(fitted):
    if len(fitted.frontier) < 2:
        return ""
    name = "training error" if fitted.class_weights is None else "weighted training error"
    chart = _chart(fitted.frontier, name)
    rows = "".join(f"<tr><td>{n}</td><td>{_percent(error)}</td></tr>" for n, error in fitted.frontier)
    return (
        f'<h2>Size and error</h2><p>{_meaning(fitted)}</p><div class="scroll">{chart}</div><details>'
        "<summary>As a table</summary><table>"
        f"<tr><th>leaves</th><th>{name}</th></tr>{rows}</table></details>"
    )


def _meaning(fitted):
    """What the points of the frontier are."""
    if fitted.method == "topdown":
        return "Each point is a pruning of one greedily grown tree; other trees may be better."
    if not fitted.frontier_is_proved:
        return "The best trees found before a limit stopped the search; there may be better ones."
    return (
        f"Each point is optimal for a range of prices of a leaf: no {_rivals(fitted)} with as many leaves or "
        "fewer has a smaller training error."
    )


def _tuning(fitted):
    if not fitted.tuning:
        return ""
    rows = "".join(
        f"<tr><td>{price:.4g}{' (chosen)' if price == fitted.price else ''}</td>"
        f"<td>{judged.n_leaves:.1f}</td>"
        f"<td>{_percent(judged.error)}</td><td>{judged.loss:.4f}</td>"
        f"<td>{judged.standard_error:.4f}</td></tr>"
        for price, judged in fitted.tuning
    )
    is_weighted = fitted.class_weights is not None and fitted.score in WEIGHTED
    return (
        "<h2>Choice of the price</h2><p>One price for each tree on the path of all rows. Chosen is the "
        "highest whose mean loss is within one standard error of the lowest. "
        f"Loss: {LOSSES[fitted.score]}{', rows weighted by class' * is_weighted}.</p>"
        '<div class="scroll"><table><tr><th>price of a leaf</th><th>leaves, mean</th>'
        "<th>error on held-out rows</th><th>loss</th><th>its standard error</th></tr>"
        f"{rows}</table></div>"
    )


def _again(fitted, command):
    packages = ("treelib-companion", "numpy", "numba", "scikit-learn", "pandas")
    versions = ", ".join(f"{name} {_version(name)}" for name in packages)
    return (
        f"<h2>Do it again</h2><pre>{escape(command)}</pre><p class='muted'>Data: "
        f"{escape(fitted.table.name)}, SHA-256 {fitted.table.sha256}.<br>"
        f"Python {platform.python_version()}, {versions}.</p>"
    )


def _version(name):
    try:
        return version(name)
    except Exception:  # run from a folder that was never installed
        return "not installed"


def _chart(points, y_name):
    """A line through the points as SVG, leaves on a log axis."""
    width, height, left, bottom, top, right = 600, 300, 64, 46, 32, 14
    x = np.log([point[0] for point in points])
    y = np.array([point[1] for point in points])
    at_x = left + (x - x.min()) / (np.ptp(x) or 1) * (width - left - right)
    at_y = height - bottom - y / (y.max() or 1) * (height - bottom - top)
    path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(at_x, at_y, strict=True))
    dots = "".join(
        f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in zip(at_x, at_y, strict=True)
    )
    labels, last = "", np.inf
    for (n, _), a in reversed(list(zip(points, at_x, strict=True))):  # the largest tree always has its number
        if last - a > 34:
            labels += f'<text x="{a:.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>'
            last = a
    for share in (0, 0.5, 1):
        b = height - bottom - share * (height - bottom - top)
        labels += (
            f'<text x="{left - 8}" y="{b + 4:.1f}" text-anchor="end">{100 * share * y.max():.1f} %</text>'
        )
    middle, floor = (left + width - right) / 2, height - bottom
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="100%" style="max-width:{width}px" '
        f'role="img" aria-label="{escape(y_name)} against leaves">'
        f'<path class="axis" d="M{left} {top}V{floor}H{width - right}"/>'
        f'<path class="line" d="{path}"/>{dots}{labels}'
        f'<text x="8" y="16">{escape(y_name)}</text>'
        f'<text x="{middle}" y="{height - 6}" text-anchor="middle">leaves</text></svg>'
    )


def _on_missing(fitted):
    if not fitted.table.wording["missing"]:
        return ""
    return "<p>A missing value counts as larger than every number, unless the rule names it.</p>"


def _drawing(fitted):
    return fitted.tree.to_svg(**fitted.table.wording)


def _rules(fitted):
    return "\n".join(fitted.tree.to_rules(**fitted.table.wording))


def _sql(fitted):
    return export.of_tree(fitted.tree, fitted.table.sql)


def _percent(share):
    return f"{100 * share:.2f} %"


def _with_interval(judged, most):
    """The error and its 95 % interval, cut where no error can lie: below 0, and above `most`."""
    half = _half_width(judged)
    low, high = max(judged.error - half, 0.0), min(judged.error + half, most)
    return f"{_percent(judged.error)} (95 % interval {_percent(low)} to {_percent(high)})"


def _half_width(judged):
    """Half width of the 95 % confidence interval of the error.

    Student's t over the folds, whose variance is corrected for the training rows that they share (Nadeau and
    Bengio 2003).
    """
    from scipy.stats import t

    n = len(judged.errors)
    return float(t.ppf(0.975, n - 1) * np.std(judged.errors, ddof=1) * np.sqrt(1 / n + 1 / (n - 1)))
