"""The protocol of the comparison of all methods: nested cross-validation, the same for everyone.

Five outer folds, the same for every method, give the test error. Inside each outer training set, three inner
folds choose the settings: the lowest mean error, of equals the one named first, which gives the smaller tree.
"""

import json
import time
from itertools import combinations
from typing import NamedTuple

import numpy as np

N_OUTER, N_INNER = 5, 3
# of a leaf, the dearest first
PRICES = (0.1, 0.05, 0.02, 0.01, 0.005)
# seconds for one proof while settings are chosen, and for the final tree
TUNING_SECONDS, FINAL_SECONDS = 0.25, 3.0

# sets that the project may hold, of a size that the methods take
DATA = (
    "compas-binary",
    "fico-binary",
    "tic-tac-toe",
    "car-evaluation",
    "monk1",
    "monk2",
    "monk3",
    "bornagain/Breast-Cancer-Wisconsin/raw",
    "bornagain/Pima-Diabetes/raw",
    "bornagain/Seeds/raw",
    "dyadic/banana",
    "dyadic/breast_cancer",
    "dyadic/flare_solar",
    "dyadic/thyroid",
    "dyadic/titanic",
    "tsallis/iris",
    "tsallis/wine",
    "tsallis/wdbc",
    "tsallis/banknote",
    "tsallis/glass",
)


class NoTree(Exception):
    """A fit that gives no tree; the text says why."""


class Fold(NamedTuple):
    """One outer fold: its rows, the settings that were chosen, the final model and the seconds of its fit."""

    training: np.ndarray
    testing: np.ndarray
    settings: dict
    model: object
    seconds: float


def cross_validate(fit, candidates, X, y, seed):
    """`score` of the `fit_folds` of one method; where a fit gives no tree, only ``not_run``: why."""
    try:
        return score(fit_folds(fit, candidates, X, y, seed), X, y)
    except NoTree as error:
        return {"not_run": str(error)}


def fit_folds(fit, candidates, X, y, seed):
    """One method on one data set, all outer folds.

    Parameters
    ----------
    fit : callable of (settings, X, y, seconds) to a model with ``predict`` and a size (`size`), or `NoTree`
    candidates : list of dict, settings to choose from, the simplest first
    X, y : (n, p) float64 and (n,)
    seed : int, of the folds

    Returns
    -------
    list of Fold
    """
    from sklearn.model_selection import StratifiedKFold

    folds = []
    for training, testing in StratifiedKFold(N_OUTER, shuffle=True, random_state=seed).split(X, y):
        settings = choose(fit, candidates, X[training], y[training], seed)
        start = time.perf_counter()
        model = fit(settings, X[training], y[training], FINAL_SECONDS)
        seconds = time.perf_counter() - start
        # a program that runs in a process of its own is timed there
        seconds = getattr(model, "fit_seconds_", seconds)
        folds.append(Fold(training, testing, settings, model, seconds))
    return folds


def score(folds, X, y):
    """How good the models of all folds are.

    Returns
    -------
    dict of lists over the outer folds: ``error`` on the rows left out, ``train_error``, ``leaves``,
    ``depth``, ``chosen`` settings, ``fit_seconds`` of the final fit; and ``agreement``: mean share of all
    rows on which the trees of two folds agree; ``n_proved``: folds whose tree is proved optimal;
    ``not_run``: ""
    """
    labels = [fold.model.predict(X) for fold in folds]
    wrong = [predicted != y for predicted in labels]
    leaves, depth = map(list, zip(*(size(fold.model) for fold in folds), strict=True))
    return {
        "error": [float(np.mean(w[fold.testing])) for w, fold in zip(wrong, folds, strict=True)],
        "train_error": [float(np.mean(w[fold.training])) for w, fold in zip(wrong, folds, strict=True)],
        "leaves": leaves,
        "depth": depth,
        "chosen": [json.dumps(fold.settings, sort_keys=True) for fold in folds],
        "fit_seconds": [fold.seconds for fold in folds],
        "agreement": float(np.mean([np.mean(a == b) for a, b in combinations(labels, 2)])),
        "n_proved": sum(bool(getattr(fold.model, "is_optimal_", False)) for fold in folds),
        "not_run": "",
    }


def choose(fit, candidates, X, y, seed):
    """Settings of least mean error over the inner folds.

    A setting that gives no tree on some fold is out, and so are those after it, which ask for more.
    """
    from sklearn.model_selection import StratifiedKFold

    if len(candidates) == 1:
        return candidates[0]
    inner = StratifiedKFold(N_INNER, shuffle=True, random_state=seed + 1).split(X, y)
    parts = [(X[a], y[a], X[b], y[b]) for a, b in inner]
    errors = []
    for settings in candidates:
        try:
            wrong = [
                np.mean(fit(settings, *known, TUNING_SECONDS).predict(new) != labels)
                for *known, new, labels in parts
            ]
        except NoTree:
            if not errors:
                raise
            break
        errors.append(np.mean(wrong))
    return candidates[int(np.argmin(errors))]


def size(model):
    """Number of leaves and depth; of a forest the sum and the largest."""
    tree = getattr(model, "tree_", model)
    return int(tree.n_leaves), int(tree.max_depth)
