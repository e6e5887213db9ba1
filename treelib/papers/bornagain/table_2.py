"""Table 2, Section 4.3: depth and leaves of the born-again trees."""

from treelib.ledger import store
from treelib.ledger.protocol.judging import WHOLE, judge_statement, judges, untestable
from treelib.papers.bornagain.settings import DATA
from treelib.papers.bornagain.sizes_and_scores import printed_trees
from treelib.papers.bornagain.text import algorithms
from treelib.papers.bornagain.trees import value

HALF_MORE = 1.5  # "50% deeper trees"
MUCH = 0.1  # and of "much smaller" than the worst case


def mean_size(trees, objective, measure, data="avg", model="tree"):
    """Mean of a size over the folds of a data set, or over all six; exact, Fraction."""
    return value(trees, objective, model, measure, "avg", data)


@judges("bornagain.s0.abstract.*", "bornagain.s4-3.*")
def judge_sizes():
    """Verdicts on what the abstract and Section 4.3 say of the trees, list of Verdict."""
    trees, exact = printed_trees(), store.results("bornagain.exact")
    by_fold = trees.pivot(index=["data", "fold"], columns="objective", values=["depth", "leaves"])
    depth, leaves = by_fold["depth"], by_fold["leaves"]
    deep = {name: {data: mean_size(trees, name, "depth", data) for data in DATA} for name in "DL"}
    deeper = {data: deep["L"][data] / deep["D"][data] for data in DATA}
    more = leaves["DL"] / leaves["L"] - 1
    together = mean_size(trees, "DL", "leaves") / mean_size(trees, "L", "leaves") - 1
    smallest = exact[exact["objective"].isin(["D", "L"])]
    named = smallest["data"] + ", fold " + smallest["fold"].astype(str) + ", " + smallest["objective"]
    proved = (smallest["status"] == "optimal") & smallest["faithful"]
    return [
        judge_statement(
            "bornagain.s0.abstract.claim",
            [*algorithms.trials(algorithms.EXACT), proved.set_axis(named).items()],
            experiment="bornagain.algorithms",
        ),
        judge_statement(
            "bornagain.s0.abstract.simpler", _fewer_leaves(trees), how=WHOLE, experiment="bornagain.exact"
        ),
        judge_statement(
            "bornagain.s4-3.depth.l-deeper",
            ((f"{name}: {float(100 * (n - 1)):.0f} %", n >= HALF_MORE) for name, n in deeper.items()),
            how=WHOLE,
            numbers={"most": float(100 * (deeper["PD"] - 1))},
            experiment="bornagain.exact",
        ),
        judge_statement(
            "bornagain.s4-3.dl.combines",
            [
                *algorithms.trials(algorithms.BOTH),
                (
                    (f"{data}, fold {fold}", d == dl, dl - d)
                    for (data, fold), d, dl in depth[["D", "DL"]].itertuples()
                ),
            ],
            experiment="bornagain.algorithms",
        ),
        untestable(
            "bornagain.s4-3.dl.close-to-l",
            numbers={
                "average": more.mean(),
                "middle": more.median(),
                "most": more.max(),
                "n": len(more),
                "together": float(together),
            },
            experiment="bornagain.exact",
        ),
        judge_statement(
            "bornagain.s4-3.depth.any-objective",
            ((data, deep["L"][data] == deep["D"][data]) for data in DATA),
            experiment="bornagain.exact",
        ),
    ]


def _fewer_leaves(trees):
    """Mean leaves of born-again trees, not pruned, against those of their forests: cases."""
    for objective in ("D", "L"):
        for data in DATA:
            tree, forest = (
                mean_size(trees, objective, "leaves", data, model) for model in ("tree", "forest")
            )
            name = f"{data} under {objective}: {float(tree):.1f} leaves for {float(forest):.1f}"
            yield name, tree < forest, float(tree / forest)


@judges("bornagain.s2.depth.below-worst-case", "bornagain.s3.regions.below-worst-case")
def judge_worst_cases():
    """Verdicts on how far depth and regions stay below what theory allows, list of Verdict."""
    forests = store.results("bornagain.forests").set_index(["data", "fold"])[["sum_of_depths", "n_regions"]]
    recursion = store.results("bornagain.recursion")
    found = recursion[recursion["objective"] == "D"].set_index(["data", "fold"]).join(forests, rsuffix="_all")
    shares = found["n_states"] / found["n_regions_all"]
    kept = (found["n_states"] / found["n_regions"]).groupby("data").mean()
    room = found["depth"] - found["sum_of_depths"]
    return [
        judge_statement(
            "bornagain.s2.depth.below-worst-case",
            ((f"{data}, fold {fold}", n < 0, n) for (data, fold), n in room.items()),
            numbers={"most": (found["depth"] / found["sum_of_depths"]).max()},
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s3.regions.below-worst-case",
            ((f"{data}, fold {fold}", share < MUCH, share) for (data, fold), share in shares.items()),
            numbers={"low": kept.min(), "high": kept.max(), "most": shares.max()},
            experiment="bornagain.recursion",
        ),
    ]
