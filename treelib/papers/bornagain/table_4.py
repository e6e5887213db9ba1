"""Tables 3, 4 and 9 to 11, Section 4.4: post-pruning and accuracy."""

from treelib.ledger.protocol.judging import Trials, judge_statement, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import DATA
from treelib.papers.bornagain.trees import judge_tables, printed_trees, value

TABLES = (3, 4, 9, 10, 11)
MARGINAL = 0.01  # our reading of "marginal differences": a point, as for what is close to optimal in OSDT


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
    others = max(change for _, _, change in changes(trees, "L", "DL"))
    sizes = [one for one in judge_tables((6, 7, 8)) if "pruning" in one.claim.id]
    return [
        stated(
            "bornagain.s4-4.post-pruning.rule",
            f"{sum(one.verdict == 'match' for one in sizes)} of {len(sizes)} sizes of pruned trees in Tables "
            "6 to 8 come out where sibling leaves of one class are merged, as in the authors' program and "
            "not in the text",
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
                changes(trees, "D"),
                "mean accuracy and F1 of each data set under D, as in Table 4: changed by at most "
                f"{MARGINAL:.0%}",
            ),
            note=f"under L and DL they change by up to {others:.3f}",
            cause="pruning changes the accuracy by more",
            experiment="bornagain.recursion",
        ),
    ]


def changes(trees, *objectives):
    """(case, whether it is marginal, absolute change) of the mean of each score by pruning, a row for each
    data set, objective and score."""
    found = []
    for (data, objective), some in trees.groupby(["data", "objective"], sort=False):
        for score in ("accuracy", "f1"):
            change = abs(float((some[f"pruned_{score}"] - some[f"tree_{score}"]).mean()))
            if objective in objectives:
                found.append((f"{score} of {data} under {objective}", change <= MARGINAL, change))
    return found
