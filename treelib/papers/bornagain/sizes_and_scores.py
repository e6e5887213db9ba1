"""Tables 2 to 4 and 6 to 11: sizes and scores of forests, born-again trees and pruned trees."""

from dataclasses import dataclass
from functools import cache
from statistics import fmean

import pandas as pd

from treelib.ledger.protocol.declared import Said, declared, kept, part
from treelib.ledger.protocol.evidence import Alone, Readings
from treelib.ledger.store.made_of import made_of
from treelib.papers.bornagain.conventions import AVERAGES, cell, exact_mean
from treelib.papers.bornagain.settings import DATA, OBJECTIVES

OBJECTIVE_OF = {"3": "D", "4": "D", "6": "D", "7": "L", "8": "DL", "9": "D", "10": "L", "11": "DL"}
MODEL_OF = {
    "random-forest": "forest",
    "born-again": "tree",
    "born-again-tree": "tree",
    "ba-plus-pruning": "pruned",
    "born-again-tree-plus-pruning": "pruned",
}
MEASURE_OF = {"acc": "accuracy", "f1": "f1", "depth": "depth", "leaves": "leaves"}
DIGITS = {"accuracy": 3, "f1": 3, "depth": 1, "leaves": 1}  # printed after the point
SIZES = ("depth", "leaves")
FIXED = (("D", "depth"), ("L", "leaves"), ("DL", "depth"))  # of these every optimal tree has the same

# ---- what the paper leaves open ----------------------------------------------------------------------------

OWN = "as the printed ones"
TREE = "which of several optimal trees is kept"
FIRST, REVERSED = "the first that the algorithm meets", "the same with the columns in reverse order"
PROGRAM = "the first tree that the authors' program meets, with two shortcuts that the paper does not mention"
LETTER = "Algorithm 1 to the letter"
PRUNING = "what pruning does beside cutting splits with an empty side"
MERGED = (
    "sibling leaves of one class are merged, which Section 4.4 does not name: the authors' program does so "
    "where it prunes (create_nodes in src/persistence.py)"
)
TO_THE_LETTER = "the letter of Section 4.4, which merges no leaves"
LEAVES = "which leaves of a forest are counted"
JOINED, IN_FILE = "sibling leaves of one class joined", "all leaves of the authors' file"
F1 = "how F1 is averaged over the classes"
MACRO = "plain mean over the classes that occur"
DIVISOR, F1_DIVISOR = "the divisor of a deviation", f"{F1}, and the divisor of its deviation"


@cache
def searched():
    """A line a forest, objective and search, columns of `trees.tree_row`, and other readings of its scores.

    D: the recursion of the authors' program, whose order decides ties. L and DL: the exact search, which
    gives the same trees, under DL with the stop of Algorithm 3. Beside them stand other searches.
    """
    own = {"D": ("recursion", "D"), "L": ("exact", "L"), "DL": ("exact", "DL printed")}
    found = [
        kept(f"bornagain.{name}", objective=stored).assign(objective=objective, search=OWN)
        for objective, (name, stored) in own.items()
    ]
    found.append(kept("bornagain.letter").assign(objective="D", search=LETTER))
    found.append(kept("bornagain.other-trees").assign(search=REVERSED))
    found[3:] = [some.assign(forest_leaves=None) for some in found[3:]]  # counts stay whole numbers
    counted = kept("bornagain.conventions")
    counted = counted[["data", "fold", *AVERAGES, "every_class_occurs", "leaves_in_file"]]
    return pd.concat([some.astype({"forest_leaves": object}) for some in found]).merge(counted)


def printed_trees():
    """The lines of `searched` that were made as the printed trees were."""
    return part(searched(), {"search": OWN})


# ---- cells -------------------------------------------------------------------------------------------------


def statistic_of(lines, column, statistic):
    """A statistic over the folds of one data set, or of those of all six; None where some are missing."""
    data = lines["data"].unique()
    return cell(column, statistic, data[0] if len(data) == 1 else "avg", lines, exact_mean)


@dataclass(frozen=True)
class Cell:
    """A cell.

    Attributes
    ----------
    model : {"forest", "tree", "pruned"}; measure : {"depth", "leaves", "accuracy", "f1"}
    statistic : {"avg", "min", "max", "std"}
    """

    model: str
    measure: str
    statistic: str = "avg"

    def __call__(self, lines, _):
        """Evidence, and of a last row the mean of the rounded cells above."""
        own = part(lines, {"search": OWN})
        ours = self.of(own)
        question, chosen, others = self.readings(lines["objective"].iloc[0], lines, own)
        others = {reading: value for reading, value in others.items() if value is not None}
        if others:
            return Said(Readings(question, chosen, {chosen: ours} | others), self.of_rounded(own, ours))
        return Said(Alone(question, chosen, ours) if question else ours, self.of_rounded(own, ours))

    def of_rounded(self, own, ours):
        """The mean of the rounded cells above a last row, and that of the cells: dict; else empty."""
        above = [self.of(some) for _, some in own.groupby("data")]
        rounded = [round(float(one), DIGITS[self.measure]) for one in above]
        return {"rounded": fmean(rounded), "mean": float(ours)} if len(above) == len(DATA) else {}

    def of(self, lines, column="", statistic=""):
        """The statistic of these lines."""
        is_tree = self.model == "tree" and self.measure in SIZES
        column = column or (self.measure if is_tree else f"{self.model}_{self.measure}")
        return statistic_of(lines, column, statistic or self.statistic)

    def readings(self, objective, lines, own):
        """What is open, how it is read, and what the other readings give: str, str, dict."""
        which, kept = (f"{TREE} under D", PROGRAM) if objective == "D" else (TREE, FIRST)
        if (self.model, self.measure) == ("forest", "leaves"):
            return LEAVES, JOINED, {IN_FILE: self.of(own, "leaves_in_file")}
        if self.model == "pruned" and self.measure in SIZES:
            return (
                PRUNING,
                MERGED,
                {TO_THE_LETTER: self.of(own, f"cut_{self.measure}")} | self.searches(lines),
            )
        if self.model == "tree" and self.measure in SIZES and (objective, self.measure) not in FIXED:
            return which, kept, self.searches(lines)
        if (self.model, self.measure, self.statistic) == ("pruned", "accuracy", "avg"):
            return which, kept, self.searches(lines)
        if self.measure == "f1":
            return self.averages(own)
        if self.statistic == "std":
            return DIVISOR, "n - 1", {"n": self.of(own, statistic="whole std")}
        return "", "", {}

    def searches(self, lines):
        """What the same cell is by other searches for the same optimum."""
        return {
            search: self.of(some)
            for search in (LETTER, REVERSED)
            if len(some := part(lines, {"search": search}))
        }

    def averages(self, own):
        """F1 in other averages: of a pruned tree that of all classes alone, where all occur; else the
        forest's."""
        of_all = self.model == "pruned" and statistic_of(own, "every_class_occurs", "min")
        whose = "the forest, " if self.model == "pruned" else ""
        others = {f"{whose}{name}": self.of(own, column) for column, name in AVERAGES.items()}
        if of_all:
            del others[f"{whose}{AVERAGES['all']}"]
            others = {AVERAGES["all"]: self.of(own)} | others
        if self.statistic != "std":
            return F1, MACRO, others
        return F1_DIVISOR, f"{MACRO}, n - 1", {f"{MACRO}, n": self.of(own, statistic="whole std")} | others


OVER = {"": "avg"} | {f"-{statistic}": statistic for statistic in ("avg", "min", "max", "std")}
CELLS = {
    f"{name}-{short}{end}": Cell(model, measure, statistic)
    for name, model in MODEL_OF.items()
    for short, measure in MEASURE_OF.items()
    for end, statistic in OVER.items()
}
LAST_ROWS = {"avg": list(DATA), "overall": list(DATA)}
OBJECTIVES_OF = OBJECTIVE_OF | {name.lower(): name for name in OBJECTIVES}
PLACES = OBJECTIVES_OF | {data.lower(): data for data in DATA} | LAST_ROWS


@declared(
    "bornagain.t2.{data}.{objective}-{cell}", {size: Cell("tree", size) for size in SIZES}, groups=PLACES
)
def sizes():
    """The trees of Table 2."""
    return searched()


@declared("bornagain.t{objective}.{data}.{cell}", CELLS, groups=PLACES)
def sizes_and_scores():
    """The trees of Tables 3, 4 and 6 to 11, each of one objective."""
    return searched()


@cache
def judged():
    """Verdicts on the cells of Tables 3, 4 and 6 to 11, dict of claim id to Verdict."""
    return sizes_and_scores.judge()


@made_of("bornagain.t[2346789].*")
@made_of("bornagain.t1[01].*")
def made_of_trees(claim_id, experiment):
    """What the cases behind a cell have in common, dict."""
    _, table, data, name = claim_id.split(".")
    objective = OBJECTIVES_OF[name.partition("-")[0] if table == "t2" else table[1:]]
    part = {} if data in LAST_ROWS else {"data": data.upper()}
    printed = experiment == "bornagain.exact" and objective == "DL"
    return part | {"objective": "DL printed" if printed else objective}
