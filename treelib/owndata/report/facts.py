"""What there is to know of a fitted tree in a few lines."""

import numpy as np

from treelib.owndata import class_weights
from treelib.owndata.methods import PROOF_SECONDS
from treelib.owndata.regression import CRITERIA

NAMES = {
    "sparse": "optimal sparse tree",
    "dyadic": "optimal dyadic tree",
    "topdown": "greedy tree, pruned",
}


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
        ("training error", percent(fitted.training_error)),
    ]
    if judged is None:
        lines.append(("error on held-out rows", "not known"))
    else:
        name = f"error on held-out rows, {len(judged.errors)} folds"
        lines.append((name, _with_interval(judged, most=1.0)))
    lines += [*_facts_of_test(fitted), *_facts_of_weights(fitted), *_constraints(fitted)]
    most = np.unique(table.y, return_counts=True)[1].max() / len(table.y)
    lines.append(("error of always the commonest class", percent(1 - most)))
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
        error = f"{percent(one.error / one.baseline)} of that of the mean of the fit"
        return [(f"mean squared error on {one.name}, {one.n_rows:,} rows", f"{one.error:.6g}, {error}")]
    spread = f"(standard error {percent(one.standard_error)})"
    always = f"always the commonest class: {percent(one.baseline)}"
    return [(f"error on {one.name}, {one.n_rows:,} rows", f"{percent(one.error)} {spread}; {always}")]


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
        ("weighted training error", percent(fitted.weighted_error)),
    ]
    if fitted.judged is not None:
        lines.append(("weighted error on held-out rows", percent(float(fitted.judged.weighted.mean()))))
    lines.append(("weighted error of always one class", percent(1 - totals.max() / totals.sum())))
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
        (f"{CRITERIA[fitted.score]}, training", percent(fitted.training_error)),
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
        return f"proved: {objective}, the least of every {rivals(fitted)}"
    if not fitted.model.lower_bound_:
        return f"not proved: {objective}, of a greedy tree"
    return f"not proved: {objective}, that of every {rivals(fitted)} at least {fitted.model.lower_bound_:.4f}"


def rivals(fitted):
    """The trees that a proof is about."""
    if fitted.method == "dyadic":
        return "dyadic tree on this grid"
    depth = getattr(fitted.model, "depth", None)
    of_depth = f" of depth {depth} at most" if depth else ""
    return f"tree{of_depth} over the same candidate tests" + " that keeps to the constraints" * bool(
        fitted.constraints
    )


def percent(share):
    return f"{100 * share:.2f} %"


def _with_interval(judged, most):
    """The error and its 95 % interval, cut where no error can lie: below 0, and above `most`."""
    half = _half_width(judged)
    low, high = max(judged.error - half, 0.0), min(judged.error + half, most)
    return f"{percent(judged.error)} (95 % interval {percent(low)} to {percent(high)})"


def _half_width(judged):
    """Half width of the 95 % confidence interval of the error.

    Student's t over the folds, whose variance is corrected for the training rows that they share (Nadeau and
    Bengio 2003).
    """
    from scipy.stats import t

    n = len(judged.errors)
    return float(t.ppf(0.975, n - 1) * np.std(judged.errors, ddof=1) * np.sqrt(1 / n + 1 / (n - 1)))
