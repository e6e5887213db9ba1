"""The verdicts on all claims of the born-again paper."""

from fractions import Fraction
from functools import cache
from urllib.parse import urlsplit

from treelib import datasets
from treelib.ledger import store
from treelib.ledger.claims import TAKEN_OVER, find, judge, judge_statement, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain import tables, theorems
from treelib.papers.bornagain.example import example
from treelib.papers.bornagain.heuristic_runs import MADE
from treelib.papers.bornagain.settings import DATA, FOLDS, GROWTH

_MACHINE = "that machine is not at hand; counts do not depend on it, and seconds are judged by direction"
_NO_DRAWING = "the printed drawing could not be compared: the text of the paper has none"

SETTINGS = (
    "s1.size.metrics",
    "s4-1.random-forest.trees",
    "s4-1.random-forest.max-depth",
    "s4-1.random-forest.max-leaves",
    "s4-1.random-forest.candidate-features",
    "s4-2.scaling.p-values",
    "s4-2.scaling.n-values",
    "s4-2.scaling.t-values",
    "s4-2.scaling.runs",
    "f2.boxplot.runs",
    "f2.boxplot.whiskers",
    "f2.caption.trees",
    "f2.caption.depth",
    "f3.baseline.n",
    "f3.baseline.p",
    "f3.baseline.t",
    "s4-5.heuristic.nc",
    "ssupp.dl.weights",
    "s1.problem-1.statement",
    "s2.weighted-majority.statement",
)
MACHINE = (
    "implementation.compiler",
    "implementation.scikit-learn",
    "machine.threads",
    "machine.cpu",
    "machine.clock",
    "machine.ram",
    "machine.os",
)


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on all claims of the paper, list of Verdict."""
    return [
        *judge_table_1(),
        *tables.judge_tables(),
        *tables.judge_table_5(),
        *(untestable(f"bornagain.{claim}", TAKEN_OVER) for claim in SETTINGS),
        *(untestable(f"bornagain.s4.{claim}", _MACHINE) for claim in MACHINE),
        *judge_theorems(),
        *judge_algorithms(),
        *judge_data(),
        *judge_effort(),
        *judge_trees(),
        *judge_heuristic(),
        *judge_drawings(),
    ]


def judge_table_1():
    """Verdicts on the data sets, list of Verdict."""
    origins = {
        "UCI": lambda data: "archive.ics.uci.edu" in data.origin,
        "HuEtAl": lambda data: any(
            datasets.info(name).class_counts == data.class_counts for name in ("compas-binary", "fico-binary")
        ),
        "SmithEtAl": lambda data: "Smith" in data.citation,
    }
    found = []
    for short, name in DATA.items():
        info, claim = datasets.info(name), f"bornagain.t1.{short.lower()}"
        shares = "-".join(f"{100 * count / info.n_samples:.0f}" for count in sorted(info.class_counts)[::-1])
        source = find(f"{claim}.src").value
        found += [
            judge(f"{claim}.n", info.n_samples),
            judge(f"{claim}.p", info.n_features),
            judge(f"{claim}.k", len(info.class_names)),
            judge_statement(
                f"{claim}.cd",
                shares == find(f"{claim}.cd").value,
                shares,
                cause="other shares of the classes",
            ),
            judge_statement(
                f"{claim}.src", origins[source](info), urlsplit(info.origin).hostname, cause="another source"
            ),
        ]
    return found


@cache
def _tried():
    return theorems.try_theorems(60)


def judge_theorems():
    """Verdicts on theorems and equations, each tried on random problems, list of Verdict."""
    tried = _tried()

    def statement(claim, *names, why=""):
        n = sum(tried[name][0] for name in names)
        failed = sum(tried[name][1] for name in names)
        return judge_statement(
            f"bornagain.{claim}",
            failed == 0,
            f"holds in all {n} trials",
            why=why,
            cause=f"fails in {failed} of {n} trials",
        )

    clause = theorems.clause_tree(theorems.PRINTED_FORMULA[0], 4)
    n_trees = theorems.formula_ensemble(theorems.PRINTED_FORMULA, 4).n_trees
    k = len(theorems.PRINTED_FORMULA)
    return [
        statement(
            "s1.theorem-1.statement",
            "theorem 1",
            why="the reduction is tried on small formulas; the hardness of 3-SAT itself is taken for granted",
        ),
        statement("s2.theorem-2.statement", "theorem 2", "theorem 2, tight"),
        statement("s2.equation-1.statement", "equation 1", "cells are constant"),
        statement("s2.equation-2.statement", "equation 2"),
        statement("s3.equation-3.statement", "equation 3"),
        statement("s3.equation-4.statement", "equation 4"),
        statement("s3.theorem-3.statement", "theorem 3"),
        statement("s3.theorem-4.statement", "theorem 4"),
        statement("s3.hyperplane-filtering.statement", "filtering"),
        statement("s3.complexity.statement", "complexity"),
        judge("bornagain.f5.clause-tree.depth", clause.max_depth),
        judge("bornagain.f5.clause-tree.leaves", clause.n_leaves),
        judge("bornagain.f5.clause-tree.true-leaves", int(clause.label[clause.is_leaf].sum())),
        judge_statement(
            "bornagain.f5.reduction.trees",
            n_trees == 2 * k - 1,
            f"{n_trees} trees for {k} clauses",
            cause="another number of trees",
        ),
    ]


def judge_algorithms():
    """Verdicts on Algorithms 1 to 4: whether the printed counts come out with them, list of Verdict."""
    same = {number: _all_match(number) for number in (6, 7, 8)}
    exact = store.results("bornagain.exact").set_index(["data", "fold"])
    early, late = exact[exact["objective"] == "DL printed"], exact[exact["objective"] == "DL"]
    more = early["leaves"] - late["leaves"]
    text = "the printed depths and leaves come out: {} of {} cells of Table {}"
    return [
        _algorithm("s3.algorithm-1.statement", text.format(*same[6], 6), same[6]),
        _algorithm("ssupp.algorithm-2.statement", text.format(*same[7], 7), same[7]),
        judge_statement(
            "bornagain.ssupp.algorithm-3.statement",
            (early["depth"] == late["depth"]).all(),
            f"{text.format(*same[8], 8)}; depths are least",
            why=f"on {(more > 0).sum()} of {len(more)} forests its tree has up to {more.max()} leaves more "
            "than another of equal depth, since its lower bound does not hold for depth and leaves together",
            cause="a depth that is not least",
            experiment="bornagain.exact",
        ),
        _algorithm(
            "ssupp.algorithm-4.statement",
            "the printed leaves under D come out, which ties decide",
            same[6],
            why="with level l in line 12, where z_j^L is printed",
        ),
    ]


def _algorithm(claim, text, same, why=""):
    return judge_statement(
        f"bornagain.{claim}",
        same[0] == same[1],
        text,
        why=why,
        cause="not all printed counts come out",
        experiment="bornagain.recursion",
    )


@cache
def _all_match(number):
    """How many cells of a table match, and how many there are."""
    verdicts = tables.judge_tables((number,))
    return sum(verdict.verdict == "match" for verdict in verdicts), len(verdicts)


def judge_data():
    """Verdicts on the preparation of the data, list of Verdict."""
    coded = [name for name in DATA.values() if "quantile bins" in datasets.info(name).note]
    levels = max(
        len(set(column)) for name in coded if "HTRU2" not in name for column in datasets.load(name).X.T
    )
    return [
        judge("bornagain.s4-1.data.datasets", len(DATA)),
        judge("bornagain.s5.conclusion.datasets", len(DATA)),
        judge("bornagain.s4-1.data.ordinal-scales", levels),
        judge("bornagain.s4-1.data.folds", len(FOLDS), experiment="bornagain.exact"),
    ]


def judge_effort():
    """Verdicts on Figures 2 and 3 and what the text says of time, list of Verdict."""
    recursion = store.results("bornagain.recursion")
    calls = recursion.groupby(["objective", "data"])["n_calls"].mean()
    common = [data for data in DATA if data != "BC"]
    ratio = [calls["DL", data] / calls["D", data] for data in common]
    growth = growth_facts()
    return [
        judge_statement(
            "bornagain.s4-2.runtime.d-faster",
            min(ratio) > 1,
            f"the recursion calls itself {min(ratio):.0f} to {max(ratio):.0f} times as often under DL as "
            "under D; the exact search takes about as long under all three",
            cause="D is not cheaper than DL",
            experiment="bornagain.recursion",
        ),
        judge_statement(
            "bornagain.s4-2.scaling.growth-in-p",
            growth["features"] > 10 * growth["trees"] > 0 and growth["samples"] < 1,
            f"regions grow by a factor of {growth['features']:.0f} with the features and of "
            f"{growth['trees']:.1f} with the trees, and change by {growth['samples']:.2f} with the samples",
            cause="regions grow in another way",
            experiment="bornagain.f3",
        ),
        judge_statement(
            "bornagain.f2.description.boxplot",
            True,
            "drawn from the exact search and from the recursion",
            why=_NO_DRAWING,
            experiment="bornagain.exact",
        ),
        judge_statement(
            "bornagain.f3.description.boxplots",
            growth["features"] > 1,
            f"drawn for {sum(map(len, GROWTH.values()))} settings with ten runs each",
            why=_NO_DRAWING,
            cause="nothing grows",
            experiment="bornagain.f3",
        ),
    ]


@cache
def growth_facts():
    """Ratio of the mean number of regions at the last and first value of each axis of Figure 3, dict."""
    frame = store.results("bornagain.f3")
    facts = {}
    for axis, values in GROWTH.items():
        mean = frame[frame["axis"] == axis].groupby("value")["n_regions"].mean()
        facts[axis] = float(mean[values[-1]] / mean[values[0]])
    return facts


def judge_trees():
    """Verdicts on what Sections 0, 4.3 and 4.4 say of the trees, list of Verdict."""
    trees, exact = tables.printed_trees(), store.results("bornagain.exact")
    proved = (exact["status"] == "optimal").all() and tables.is_complete(exact)
    value = tables.value
    deeper = value(trees, "L", "tree", "depth", "avg", "PD") / value(trees, "D", "tree", "depth", "avg", "PD")
    leaves = {o: value(trees, o, "tree", "leaves", "avg", "overall") for o in ("L", "DL")}
    depth = trees.pivot(index=["data", "fold"], columns="objective", values="depth")
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
        verdict.verdict == "match" for verdict in tables.judge_tables((6, 7)) if "pruning" in verdict.claim.id
    )
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


def judge_heuristic():
    """Verdicts on what Section 4.5 says of the heuristic, list of Verdict."""
    frame, large = store.results("bornagain.t5"), store.results("bornagain.large")
    binned = large[large["binned"]]
    done = (binned["status"] != "time_limit").all()
    gaps = {what: [tables.gap(data, what) for data in DATA] for what in "DL"}
    close = {
        "tolerance": 6,
        "why": "the heuristic is random, see Table 5",
        "cause": "another heuristic tree",
        "experiment": "bornagain.t5",
    }
    return [
        judge_statement(
            "bornagain.s4-5.heuristic.definition",
            bool(frame["faithful"].all()),
            f"{len(frame)} trees proved faithful; the proof found a cell that the sample had missed in "
            f"{int((frame['n_found_by_proof'] > 0).sum())} of them",
            cause="a tree is not faithful",
            experiment="bornagain.t5",
        ),
        judge("bornagain.s4-5.heuristic.depth-gap", sum(gaps["D"]) / len(DATA), **close),
        judge("bornagain.s4-5.heuristic.leaves-gap", sum(gaps["L"]) / len(DATA), **close),
        judge(
            "bornagain.s4-5.heuristic.large-data-time",
            Fraction(binned["search_seconds"].max()) / 60 if done else 2,
            cause="the heuristic was stopped at its limit",
            experiment="bornagain.large",
        ),
        untestable(
            "bornagain.s4-5.miniboone.samples",
            f"Miniboone cannot be had without a network; {MADE['n_samples']} made-up rows stand in for it",
        ),
        untestable(
            "bornagain.s4-5.miniboone.features",
            "Miniboone cannot be had without a network; made-up data of as many features stand in for it",
        ),
    ]


def judge_drawings():
    """Verdicts on Figures 1, 4, 5 and 6, list of Verdict."""
    small, seeds = example(), example("seeds")
    formula = theorems.formula_ensemble(theorems.PRINTED_FORMULA, 4)
    shapes = {(tree.max_depth, tree.n_leaves) for tree in formula.trees[:3]}
    roots = {(int(tree.feature[0]), float(tree.threshold[0])) for tree in seeds.ensemble.trees}
    own_root = (int(seeds.tree.feature[0]), float(seeds.tree.threshold[0]))
    facts = {
        "f1.description.diagram": (small.cells.n_cells > 1, "drawn for an ensemble on two features"),
        "f4.description.diagram": (
            own_root not in roots and seeds.pruned.n_leaves < seeds.tree.n_leaves,
            f"the root is {'one' if own_root in roots else 'none'} of the forest's; pruning leaves "
            f"{seeds.pruned.n_leaves} of {seeds.tree.n_leaves} leaves",
        ),
        "f5.description.diagram": (shapes == {(3, 8)}, "three complete trees of depth 3 with 8 leaves"),
        "f6.description.diagram": (
            small.certificate.faithful,
            f"cells, three trees and their born-again tree of {small.tree.n_leaves} leaves",
        ),
    }
    return [
        *(
            judge_statement(
                f"bornagain.{claim}",
                bool(holds),
                text,
                why=_NO_DRAWING,
                cause="what is shown does not hold here",
            )
            for claim, (holds, text) in facts.items()
        ),
        judge("bornagain.f6.example.trees", small.ensemble.n_trees),
    ]
