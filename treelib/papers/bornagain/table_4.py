"""Tables 3, 4 and 9 to 11, Section 4.4: post-pruning and accuracy."""

from treelib.ledger.protocol.judging import judge_statement, judges, stated, untestable
from treelib.papers.bornagain.settings import DATA, OBJECTIVES
from treelib.papers.bornagain.sizes_and_scores import TO_THE_LETTER, judged, printed_trees
from treelib.papers.bornagain.table_2 import mean_size


@judges("bornagain.s4-4.*", "bornagain.s5.*")
def judge_pruning():
    """Verdicts on what Section 4.4 says of the pruned trees, list of Verdict."""
    trees = printed_trees()
    pruned, forest = (
        {data: mean_size(trees, "D", "leaves", data, model) for data in (*DATA, "avg")}
        for model in ("pruned", "forest")
    )
    named = trees["data"] + ", fold " + trees["fold"].astype(str) + ", " + trees["objective"]
    equal = (trees["tree_accuracy"] == trees["forest_accuracy"]) & (trees["tree_f1"] == trees["forest_f1"])
    sizes = [one for one in judged().values() if TO_THE_LETTER in one.under]
    source = {"experiment": "bornagain.recursion"}
    return [
        stated(
            "bornagain.s4-4.post-pruning.rule",
            numbers={"same": sum(one.verdict == "match" for one in sizes), "n": len(sizes)},
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.printed-sizes",
            ((one.claim.id.removeprefix("bornagain."), one.under[TO_THE_LETTER] == "match") for one in sizes),
            **source,
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.size",
            [("the average of the data sets", pruned["avg"] < forest["avg"], pruned["avg"] - forest["avg"])],
            numbers={
                "pruned": float(pruned["avg"]),
                "forest": float(forest["avg"]),
                "above": ", ".join(data for data in DATA if pruned[data] > forest[data]) or "-",
            },
            **source,
        ),
        judge_statement(
            "bornagain.s4-4.faithfulness.equal-accuracy", zip(named, equal, strict=True), **source
        ),
        untestable(
            "bornagain.s4-4.pruning.accuracy",
            numbers={name: max(abs(change) for _, change in changes(trees, name)) for name in OBJECTIVES},
            **source,
        ),
        judge_statement(
            "bornagain.s5.pruning.quality",
            ((name, change >= 0, -change) for name, change in changes(trees, "D")),
            **source,
        ),
    ]


def changes(trees, objective):
    """(case, change) of the mean of each score by pruning, a row for each data set and score."""
    return [
        (f"{score} of {data}", float((some[f"pruned_{score}"] - some[f"tree_{score}"]).mean()))
        for data, some in trees[trees["objective"] == objective].groupby("data", sort=False)
        for score in ("accuracy", "f1")
    ]
