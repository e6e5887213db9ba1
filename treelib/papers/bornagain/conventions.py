"""What the paper leaves open about its scores and about leaves of forests, counted in every reading.

How F1 is averaged over the classes, with which divisor a deviation is taken, and whether the leaves of a
forest are those of its file or those left after sibling leaves of one class are joined.
"""

from functools import cache
from statistics import fmean, pstdev, stdev

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Readings
from treelib.papers.bornagain.settings import DATA, FOLDS, authors_forest, folds, forest_files, load

F1 = "how F1 is averaged over the classes"
F1_DEVIATION = "how F1 is averaged over the classes, and the divisor of its deviation"
DIVISOR = "the divisor of a deviation"
LEAVES = "which leaves of a forest are counted"
MACRO = "plain mean over the classes that occur"
AVERAGES = {"all": "plain mean over all classes", "weighted": "weighted mean", "last": "the last class alone"}
LESS_ONE, WHOLE = "n - 1", "n"
JOINED, IN_FILE = "sibling leaves of one class joined", "as in the file"


def f1_of_classes(y, predicted, n_classes):
    """F1 of each class, float64 (n_classes,); 0 where a class neither occurs nor is predicted."""
    found = np.zeros(n_classes)
    for k in range(n_classes):
        n_both = np.sum(y == k) + np.sum(predicted == k)
        if n_both:
            found[k] = 2 * np.sum((y == k) & (predicted == k)) / n_both
    return found


def scores(y, predicted, n_classes):
    """F1 in the readings of `AVERAGES`, dict of float."""
    found = f1_of_classes(y, predicted, n_classes)
    shares = np.bincount(y, minlength=n_classes) / len(y)
    return {"all": float(found.mean()), "weighted": float(found @ shares), "last": float(found[-1])}


@experiment(
    "bornagain.conventions",
    item="Tables 3, 4 and 6 to 11",
    title="The authors' forests: F1 by other averages, and leaves as in the files",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA for fold in FOLDS],
    datasets=lambda case: (DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]),
    seconds=5,
)
def conventions(case):
    """One forest, and so its born-again tree: F1 on the test fold in each reading, and leaves in its file."""
    ensemble, table = authors_forest(case["data"], case["fold"]), load(case["data"])
    _, test = folds(case["data"])[case["fold"] - 1]
    row = scores(table.y[test], ensemble.predict(table.X[test]), ensemble.n_classes)
    return row | {"leaves_in_file": sum(tree.n_leaves for tree in ensemble.trees)}


@cache
def counted():
    """Stored rows of the experiment, DataFrame; None where they are not there."""
    found = store.results("bornagain.conventions")
    return found if len(found) else None


def cell(column, statistic, data, deviation=stdev):
    """A cell of the tables from a stored column: float. `data` may be "avg" or "overall".

    deviation : function of the ten folds' values, for statistic "std"
    """
    of = {"avg": fmean, "min": min, "max": max, "std": deviation}
    if data in ("avg", "overall"):
        cells = [cell(column, statistic, one, deviation) for one in DATA]
        return of[statistic](cells) if statistic in ("min", "max") else fmean(cells)
    found = counted()
    return of[statistic](found.loc[found["data"] == data, column].tolist())


def in_readings(ours, with_whole, at):
    """Ours beside what the other readings give: `Readings`, or the plain number where no choice is open.

    Parameters
    ----------
    ours : number, by the readings that judge
    with_whole : number, the same with divisor n; only of deviations
    at : objective, model, measure, statistic and data, as `treelib.papers.bornagain.trees.place` gives them
    """
    _, model, measure, statistic, data = at
    if (model, measure) == ("forest", "leaves"):
        return Readings(LEAVES, JOINED, {JOINED: ours, IN_FILE: cell("leaves_in_file", statistic, data)})
    spread = statistic == "std"
    if measure == "f1":
        chosen = f"{MACRO}, n - 1" if spread else MACRO
        beside = {f"{MACRO}, n": with_whole} if spread else {}
        whose = "" if model != "pruned" else "the forest, "
        beside |= {f"{whose}{name}": cell(column, statistic, data) for column, name in AVERAGES.items()}
        return Readings(F1_DEVIATION if spread else F1, chosen, {chosen: ours} | beside)
    if measure == "accuracy" and spread:
        return Readings(DIVISOR, LESS_ONE, {LESS_ONE: ours, WHOLE: with_whole})
    return ours


def whole_deviation(trees, column, objective, data):
    """Deviation with divisor n of a column of `printed_trees`, float; a last row is their mean."""
    if data in ("avg", "overall"):
        return fmean(whole_deviation(trees, column, objective, one) for one in DATA)
    some = trees[(trees["data"] == data) & (trees["objective"] == objective)]
    return pstdev(some[column].tolist())
