"""What the paper leaves open about its scores and about leaves of forests, counted in every reading.

How F1 is averaged over the classes, with which divisor a deviation is taken, and whether the leaves of a
forest are those of its file or those left after sibling leaves of one class are joined.
"""

from fractions import Fraction
from functools import cache
from statistics import fmean, pstdev, stdev

import numpy as np
from sklearn.metrics import f1_score

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Readings
from treelib.papers.bornagain.settings import (
    DATA,
    FOLDS,
    authors_forest,
    data_and_forest,
    folds,
    load,
)

F1 = "how F1 is averaged over the classes"
F1_DEVIATION = "how F1 is averaged over the classes, and the divisor of its deviation"
DIVISOR = "the divisor of a deviation"
LEAVES = "which leaves of a forest are counted"
MACRO = "plain mean over the classes that occur"
AVERAGES = {"all": "plain mean over all classes", "weighted": "weighted mean", "last": "the last class alone"}
LESS_ONE, WHOLE = "n - 1", "n"
TREE = "which of several optimal trees is kept"
TREE_D = f"{TREE} under D"
FIRST, REVERSED = "the first that the algorithm meets", "the same with the columns in reverse order"
PROGRAM = "the first of the authors' program, with two shortcuts that the paper does not mention"
LETTER = "Algorithm 1 to the letter"
PRUNING = "what pruning does beside cutting splits with an empty side"
MERGED = (
    "sibling leaves of one class are merged, which Section 4.4 does not name: the authors' program does so "
    "where it prunes (create_nodes in src/persistence.py)"
)
TO_THE_LETTER = "the letter of Section 4.4, which merges no leaves"
# of these every optimal tree has the same
FIXED = (("D", "depth"), ("L", "leaves"), ("DL", "depth"))
JOINED, IN_FILE = "sibling leaves of one class joined", "all leaves of the authors' file"


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
    seconds=5,
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


def every_class_occurs(data):
    """Whether each test fold has rows of every class, bool; `data` as `cell` takes it. None is handed back
    where that is not stored."""
    return cell("every_class_occurs", "min", data)


@cache
def in_order_of_files(objective):
    """Stored rows of the trees that an objective gives with the columns in the order of the files: frame."""
    name, searched = {
        "D": ("bornagain.recursion", "D"),
        "L": ("bornagain.exact", "L"),
        "DL": ("bornagain.exact", "DL printed"),
    }[objective]
    found = store.results(name)
    return found[found["objective"] == searched].assign(objective=objective)


@cache
def to_the_letter(objective):
    """Stored rows of the trees of Algorithm 1 without the shortcuts of the program, frame; None under
    other objectives, whose algorithms the program follows."""
    return store.results("bornagain.letter") if objective == "D" else None


@cache
def in_reverse_order(objective):
    """Stored rows of those with the columns in reverse order: frame."""
    found = store.results("bornagain.other-trees")
    return found[found["objective"] == objective]


def of_other_trees(at):
    """What another pruning, or another of several optimal trees, gives for a size: dict of reading to number.

    at : as `in_readings` takes it. Empty for what no such choice changes; BC was not run with
    the columns reversed but under L.
    """
    objective, model, measure, statistic, data = at
    if model == "forest" or measure not in ("depth", "leaves"):
        return {}
    if model == "tree" and (objective, measure) in FIXED:
        return {}
    column = f"pruned_{measure}" if model == "pruned" else measure
    found = _of_other_searches(column, at)
    if model == "pruned":
        letter = cell(f"cut_{measure}", statistic, data, in_order_of_files(objective))
        found = {TO_THE_LETTER: letter} | found
    return found


def _of_other_searches(column, at):
    """What other searches for the same optimum give of a stored column, dict of reading to number."""
    objective, _, _, statistic, data = at
    values = {
        name: cell(column, statistic, data, rows)
        for name, rows in ((LETTER, to_the_letter(objective)), (REVERSED, in_reverse_order(objective)))
        if rows is not None
    }
    return {name: value for name, value in values.items() if value is not None}


def _kept(objective):
    """Question and answer about several optimal trees, two str."""
    return (TREE_D, PROGRAM) if objective == "D" else (TREE, FIRST)


def of_reversed(at):
    """The average score of the pruned trees with the columns in reverse order, in words; empty where it
    changes nothing or was not run."""
    objective, model, measure, statistic, data = at
    if (model, measure, statistic) != ("pruned", "f1", "avg"):
        return ""
    value = cell("pruned_f1", statistic, data, in_reverse_order(objective))
    return "" if value is None else f"of the trees with the columns in reverse order {value:.4f}"


def in_readings(ours, with_whole, at):
    """Ours beside what the other readings give: `Readings`, or the plain number where no choice is open.

    Parameters
    ----------
    ours : number, by the readings that judge
    with_whole : number, the same with divisor n; only of deviations
    at : objective, model, measure, statistic and data, as `treelib.papers.bornagain.trees.place` gives them
    """
    objective, model, measure, statistic, data = at
    beside, (which, kept) = of_other_trees(at), _kept(objective)
    if beside:
        question, chosen = (PRUNING, MERGED) if model == "pruned" else (which, kept)
        return Readings(question, chosen, {chosen: ours} | beside)
    if (model, measure, statistic) == ("pruned", "accuracy", "avg"):
        others = _of_other_searches("pruned_accuracy", at)
        return Readings(which, kept, {kept: ours} | others) if others else ours
    if (model, measure) == ("forest", "leaves"):
        return Readings(LEAVES, JOINED, {JOINED: ours, IN_FILE: cell("leaves_in_file", statistic, data)})
    spread = statistic == "std"
    if measure == "f1":
        chosen = f"{MACRO}, n - 1" if spread else MACRO
        beside = {f"{MACRO}, n": with_whole} if spread else {}
        whose = "" if model != "pruned" else "the forest, "
        stored = {f"{whose}{name}": cell(column, statistic, data) for column, name in AVERAGES.items()}
        if model == "pruned" and every_class_occurs(data):  # then "all" is what judges, of the tree itself
            beside[AVERAGES["all"]] = ours
            del stored[f"{whose}{AVERAGES['all']}"]
        beside |= stored
        return Readings(F1_DEVIATION if spread else F1, chosen, {chosen: ours} | beside)
    if measure == "accuracy" and spread:
        return Readings(DIVISOR, LESS_ONE, {LESS_ONE: ours, WHOLE: with_whole})
    return ours


def kept_alone(at):
    """``question: reading`` of a cell that hangs on which optimal tree is kept; empty where none does."""
    objective, model, measure, statistic, _ = at
    scores = model == "pruned" and measure == "accuracy" and statistic == "avg"
    sizes = model != "forest" and measure in ("depth", "leaves")
    by_order = model == "pruned" or (objective, measure) not in FIXED
    return ": ".join(_kept(objective)) if by_order and (scores or sizes) else ""
