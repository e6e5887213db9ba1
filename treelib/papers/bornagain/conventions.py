"""What the paper leaves open about its scores and about leaves of forests, counted in every reading.

How F1 is averaged over the classes, and whether the leaves of a forest are those of its file or those left
after sibling leaves of one class are joined.
"""

from fractions import Fraction
from functools import cache
from statistics import fmean, pstdev, stdev

import numpy as np
from sklearn.metrics import f1_score

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.papers.bornagain.settings import (
    DATA,
    FOLDS,
    authors_forest,
    data_and_forest,
    folds,
    load,
)

AVERAGES = {"all": "plain mean over all classes", "weighted": "weighted mean", "last": "the last class alone"}


def scores(y, predicted, n_classes):
    """F1 in the readings of `AVERAGES`, dict of float; 0 for a class that neither occurs nor is predicted."""
    found = f1_score(y, predicted, labels=range(n_classes), average=None, zero_division=0)
    shares = np.bincount(y, minlength=n_classes) / len(y)
    return {"all": float(found.mean()), "weighted": float(found @ shares), "last": float(found[-1])}


@experiment(
    "bornagain.conventions",
    item="Tables 3, 4 and 6 to 11",
    title="The authors' forests: F1 by other averages, and leaves as in the files",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA for fold in FOLDS],
    datasets=data_and_forest,
    seconds=1,
)
def conventions(case):
    """One forest, and so its born-again tree: F1 on the test fold in each reading, whether every class occurs
    in the fold, and leaves in its file."""
    ensemble, table = authors_forest(case["data"], case["fold"]), load(case["data"])
    _, test = folds(case["data"])[case["fold"] - 1]
    row = scores(table.y[test], ensemble.predict(table.X[test]), ensemble.n_classes)
    every_class = set(table.y[test].tolist()) == set(table.y.tolist())
    leaves = sum(tree.n_leaves for tree in ensemble.trees)
    return row | {"every_class_occurs": every_class, "leaves_in_file": leaves}


@cache
def counted():
    """Stored rows of the experiment, DataFrame; None where they are not there."""
    found = store.results("bornagain.conventions")
    return found if len(found) else None


def cell(column, statistic, data, found=None, mean=fmean):
    """A cell of the tables from a stored column, a number. `data` may be "avg" or "overall".

    statistic : "avg", "min", "max", "std", or "whole std" with the divisor n
    found : DataFrame with columns data and `column`, a line for each fold; default `counted`. None is handed
        back where it lacks a data set.
    mean : callable of a list of numbers
    """
    of = {"avg": mean, "min": min, "max": max, "std": stdev, "whole std": pstdev}[statistic]
    if data in ("avg", "overall"):
        cells = [cell(column, statistic, one, found, mean) for one in DATA]
        if None in cells:
            return None
        return of(cells) if statistic in ("min", "max") else mean(cells)
    found = counted() if found is None else found
    values = found.loc[found["data"] == data, column].tolist()
    return of(values) if values else None


def exact_mean(values):
    """Mean of some numbers, a Fraction where they are exact, else float."""
    return Fraction(sum(values), len(values)) if isinstance(values[0], int | Fraction) else fmean(values)
