"""Tables 3, 4 and 9 to 11, Section 4.4: post-pruning and accuracy."""

from treelib.ledger.protocol.judging import Trials, judge_statement, judges
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import DATA
from treelib.papers.bornagain.trees import judge_tables, printed_trees, value

TABLES = (3, 4, 9, 10, 11)
LEVEL = 0.01  # of the test whether pruning changes the accuracy


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on the cells and on Section 4.4, list of Verdict."""
    return [*judge_tables(TABLES), *judge_pruning()]


@judges("bornagain.s4-4.*")
def judge_pruning():
    """Verdicts on what Section 4.4 says of the pruned trees, list of Verdict."""
    trees = printed_trees()
    pruned = value(trees, "D", "pruned", "leaves", "avg", "overall")
    forest = value(trees, "D", "forest", "leaves", "avg", "overall")
    above = [
        data
        for data in DATA
        if value(trees, "D", "pruned", "leaves", "avg", data)
        > value(trees, "D", "forest", "leaves", "avg", data)
    ]
    named = trees["data"] + ", fold " + trees["fold"].astype(str) + ", " + trees["objective"]
    equal = (trees["tree_accuracy"] == trees["forest_accuracy"]) & (trees["tree_f1"] == trees["forest_f1"])
    change = (trees["pruned_accuracy"] - trees["tree_accuracy"]).groupby(trees["data"]).mean()
    sizes = [one for one in judge_tables((6, 7, 8)) if "pruning" in one.claim.id]
    return [
        judge_statement(
            "bornagain.s4-4.post-pruning.rule",
            Trials.of(
                ((one.claim.id, one.verdict == "match") for one in sizes),
                "cells of pruned trees in Tables 6 to 8 that come out as printed",
            ),
            note="sibling leaves of one class are merged too, as in the authors' program, not in the text",
            cause="not all printed sizes of pruned trees come out",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.size",
            Trials.of(
                [("the average of the data sets", pruned < forest, pruned - forest)], "Table 3, last row"
            ),
            note=f"{float(pruned):.1f} leaves against {float(forest):.1f}; more on {', '.join(above) or '-'}",
            cause="pruned trees are larger than the forests",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.faithfulness.equal-accuracy",
            Trials.of(zip(named, equal, strict=True), "the authors' forests, each under D, L and DL"),
            cause="a tree differs from its forest",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.pruning.accuracy",
            Trials.of(
                _tests_of_pruning(trees),
                f"accuracy and F1 of each set and objective: no difference at {LEVEL:.0%}, paired over folds",
            ),
            note=f"mean accuracies change by {change.min():+.3f} to {change.max():+.3f}",
            cause="pruning changes the accuracy",
            experiment="bornagain.recursion",
        ),
    ]


def _tests_of_pruning(trees):
    """(case, whether a paired t test finds no difference, absolute mean difference), a row for each data set,
    objective and score."""
    from scipy.stats import ttest_1samp

    found = []
    for (data, objective), some in trees.groupby(["data", "objective"], sort=False):
        for score in ("accuracy", "f1"):
            change = (some[f"pruned_{score}"] - some[f"tree_{score}"]).to_numpy()
            same = not change.any() or bool(ttest_1samp(change, 0).pvalue > LEVEL)
            found.append((f"{score} of {data} under {objective}", same, abs(change.mean())))
    return found
