"""Tables 2 and 6 to 8, Section 4.3: depth and leaves of the born-again trees."""

from treelib.ledger import store
from treelib.ledger.claims import judge, judge_statement
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.trees import is_complete, judge_tables, printed_trees, value

TABLES = (2, 6, 7, 8)


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on the cells, the abstract and Section 4.3, list of Verdict."""
    return [*judge_tables(TABLES), *judge_sizes()]


def judge_sizes():
    """Verdicts on what the abstract and Section 4.3 say of the trees, list of Verdict."""
    trees, exact = printed_trees(), store.results("bornagain.exact")
    proved = (exact["status"] == "optimal").all() and is_complete(exact)
    deeper = value(trees, "L", "tree", "depth", "avg", "PD") / value(trees, "D", "tree", "depth", "avg", "PD")
    leaves = {o: value(trees, o, "tree", "leaves", "avg", "overall") for o in ("L", "DL")}
    depth = trees.pivot(index=["data", "fold"], columns="objective", values="depth")
    return [
        judge_statement(
            "bornagain.s0.abstract.claim",
            bool(proved),
            f"{exact['objective'].isin(['D', 'L']).sum()} trees proved smallest (D and L), and all "
            f"{len(exact)} proved faithful on the whole feature space",
            cause="a tree is not proved",
            experiment="bornagain.exact",
        ),
        judge(
            "bornagain.s4-3.depth.l-deeper",
            100 * (deeper - 1),
            tolerance=10,
            why="the text rounds: its own Table 2 gives 56 %",
            cause="another depth",
            experiment="bornagain.exact",
        ),
        judge_statement(
            "bornagain.s4-3.dl.combines",
            (depth["D"] == depth["DL"]).all(),
            f"DL has the depth of D on all {len(depth)} forests, and "
            f"{100 * float(leaves['DL'] / leaves['L'] - 1):.0f} % more leaves than L on average",
            cause="DL is deeper than D",
            experiment="bornagain.recursion",
        ),
    ]
