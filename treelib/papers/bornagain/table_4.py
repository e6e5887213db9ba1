"""Tables 3, 4 and 9 to 11, Section 4.4: post-pruning and accuracy."""

from treelib.ledger.protocol.judging import judge_statement, judges, stated, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.conventions import TO_THE_LETTER
from treelib.papers.bornagain.settings import DATA
from treelib.papers.bornagain.trees import judge_tables, printed_trees, value


@verdicts_on("bornagain")
@judges("bornagain.s4-4.*", "bornagain.s5.*")
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
    most = {name: max(abs(change) for _, change in changes(trees, name)) for name in ("D", "L", "DL")}
    sizes = [one for one in judge_tables((3, 6, 7, 8)) if "pruning" in one.claim.id]
    return [
        stated(
            "bornagain.s4-4.post-pruning.rule",
            f"{sum(one.verdict == 'match' for one in sizes)} of {len(sizes)} sizes of pruned trees in Tables "
            "3 and 6 to 8 come out where sibling leaves of one class are merged, as in the authors' program "
            "and not in the text",
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.printed-sizes",
            [(one.claim.id.removeprefix("bornagain."), one.under[TO_THE_LETTER] == "match") for one in sizes],
            "sizes of pruned trees in Tables 3 and 6 to 8, pruned by the rule of the text alone",
            cause="the authors' program also merges sibling leaves of one class",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.size",
            [("the average of the data sets", pruned < forest, pruned - forest)],
            "Table 3, last row",
            note=f"{float(pruned):.1f} leaves against {float(forest):.1f}; more on {', '.join(above) or '-'}",
            cause="pruned trees are larger than the forests",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.faithfulness.equal-accuracy",
            zip(named, equal, strict=True),
            "the authors' forests, each under D, L and DL",
            cause="a tree differs from its forest",
            experiment="bornagain.recursion",
        ),
        untestable(
            "bornagain.s4-4.pruning.accuracy",
            "how small is marginal is not said",
            ours=f"mean accuracy and F1 of a data set change by at most {most['D']:.4f} under D, as in Table "
            f"4, and by {most['L']:.4f} and {most['DL']:.4f} under L and DL",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s5.pruning.quality",
            ((name, change >= 0, -change) for name, change in changes(trees, "D")),
            "mean accuracy and F1 of each data set under D, as in Table 4: not lower after pruning",
            cause="the printed Table 4 falls on BC too",
            experiment="bornagain.recursion",
        ),
    ]


def changes(trees, objective):
    """(case, change) of the mean of each score by pruning, a row for each data set and score."""
    return [
        (f"{score} of {data}", float((some[f"pruned_{score}"] - some[f"tree_{score}"]).mean()))
        for data, some in trees[trees["objective"] == objective].groupby("data", sort=False)
        for score in ("accuracy", "f1")
    ]
