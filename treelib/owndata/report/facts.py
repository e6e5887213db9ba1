"""What there is to know of a fitted tree in a few lines: the numbers of ``facts.txt``."""

import numpy as np

from treelib.owndata import class_weights
from treelib.owndata.methods import PROOF_SECONDS
from treelib.owndata.regression import CRITERIA
from treelib.owndata.report.templates import rendered


def facts(fitted):
    """What there is to know in a few lines: list of (name, text)."""
    table, judged, found = fitted.table, fitted.judged, []

    def fact(name, caller):
        found.append((name, " ".join(caller().split())))
        return ""

    numbers = {"low": None, "high": None}
    if judged is not None:
        numbers["low"], numbers["high"] = interval(judged, 1.0 if table.task == "classification" else np.inf)
    if table.weights is not None:
        numbers["n_alike"] = table.weights.sum() ** 2 / (table.weights**2).sum()
    numbers |= _of_quantity(fitted) if table.task == "regression" else _of_classes(fitted)
    more = {"proof_seconds": PROOF_SECONDS, "infinity": np.inf}
    rendered("facts.txt", fitted=fitted, fact=fact, **more, **numbers)
    return found


def _of_quantity(fitted):
    y, weights, judged = fitted.table.y, fitted.table.weights, fitted.judged
    mean = np.average(y, weights=weights)
    off = 0 * y if judged is None else judged.predicted - y
    squared, absolute = (np.average(one, weights=weights) for one in (off**2, abs(off)))
    return {
        "criterion": CRITERIA[fitted.score][0],
        "of_one_leaf": CRITERIA[fitted.score][1],
        "mean": mean,
        "spread": np.sqrt(np.average((y - mean) ** 2, weights=weights)),
        "off": (np.sqrt(squared), absolute),
    }


def _of_classes(fitted):
    return {
        "most": _share_of_commonest(fitted.table, None),
        "most_weighted": _share_of_commonest(fitted.table, fitted.class_weights),
    }


def verdict(fitted):
    """What comes before all numbers: a tree that is no better than no tree. Empty where it is better."""
    table, judged = fitted.table, fitted.judged
    if judged is None:
        return ""
    if table.task == "regression":
        error, share, rival = judged.error, 1.0, "always predicting the mean"
    else:
        weights = class_weights.of_rows(fitted.class_weights, table.y, table.weights)
        error = np.average(judged.predicted != table.y, weights=weights)
        share = 1 - _share_of_commonest(table, fitted.class_weights)
        rival = "always predicting the most frequent class"
        if fitted.class_weights is not None:
            rival = "always predicting one class, given the class weights"
    if error < share - 1e-9:
        return ""
    return f"On held-out rows the tree predicts no better than {rival}: do not rely on it."


def _share_of_commonest(table, of_class):
    """Share of the class that weighs most in the weight of all rows."""
    weights = class_weights.of_rows(of_class, table.y, table.weights)
    totals = np.bincount(np.unique(table.y, return_inverse=True)[1], weights)
    return totals.max() / totals.sum()


def interval(judged, most):
    """95 % confidence interval of the error, cut where no error can lie: below 0, and above `most`.

    Student's t over the folds, whose variance is corrected for the training rows that they share (Nadeau and
    Bengio 2003).
    """
    from scipy.stats import t

    n = len(judged.errors)
    half = float(t.ppf(0.975, n - 1) * np.std(judged.errors, ddof=1) * np.sqrt(1 / n + 1 / (n - 1)))
    return max(judged.error - half, 0.0), min(judged.error + half, most)
