"""Tables 3, 4 and 9 to 11, Section 4.4: post-pruning and accuracy."""

from treelib.ledger.claims import judge_statement
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import DATA
from treelib.papers.bornagain.trees import judge_tables, printed_trees, value

TABLES = (3, 4, 9, 10, 11)


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on the cells and on Section 4.4, list of Verdict."""
    return [*judge_tables(TABLES), *judge_pruning()]


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
    equal = (trees["tree_accuracy"] == trees["forest_accuracy"]) & (trees["tree_f1"] == trees["forest_f1"])
    change = (trees["pruned_accuracy"] - trees["tree_accuracy"]).groupby(trees["data"]).mean()
    same_pruned = all(
        verdict.verdict == "match" for verdict in judge_tables((6, 7)) if "pruning" in verdict.claim.id
    )
    return [
        judge_statement(
            "bornagain.s4-4.post-pruning.rule",
            same_pruned,
            "the printed sizes of pruned trees come out",
            why="sibling leaves of one class are merged too, which the text does not say",
            cause="not all printed sizes of pruned trees come out",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.post-pruning.size",
            pruned < forest,
            f"{float(pruned):.1f} leaves against {float(forest):.1f}; larger on {', '.join(above) or 'none'}",
            cause="pruned trees are larger than the forests",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-4.faithfulness.equal-accuracy",
            bool(equal.all()),
            f"equal on all {len(trees)} trees; pruning changes the mean accuracy by {change.min():+.3f} to "
            f"{change.max():+.3f}",
            cause="a tree differs from its forest",
            experiment="bornagain.recursion",
        ),
    ]
