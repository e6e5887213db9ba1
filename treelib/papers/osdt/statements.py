"""What the paper says of itself: settings, definitions, statements, drawings; and all verdicts together."""

from fractions import Fraction
from math import comb

from treelib.ledger import store
from treelib.ledger.claims import TAKEN_OVER, find, judge, judge_statement, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.osdt import (
    binoct,
    figure_1,
    figures_2_and_3,
    figures_4_to_6,
    figures_7_and_8,
    figures_10_to_16,
    search,
    table_1,
    table_2,
    theorems,
)
from treelib.papers.osdt.settings import DATA, FIGURE_7_LAMBDA, LAMBDA, MILLION, SEVEN, load
from treelib.papers.osdt.trees import cart_tree, optimal_tree

_MACHINE = "that machine is not at hand; counts do not depend on it, and seconds are judged by direction"
_NO_SPLITS = "the splits of the printed drawing could not be compared: the text of the paper has none"


def binoct_cases():
    """The BinOCT runs of Figures 5 to 8 and of Figure 1: dict of figure to Case or list of Case."""
    cases = {figure: binoct.cases_of(figure) for figure in ("1", "5", "6", "7", "8")}
    return {**cases, **{figure: cases[figure][0] for figure in ("5", "6", "7")}}


def judge_binoct(cases):
    """Verdicts on BinOCT's figures, dict of claim id to Verdict; `cases` of `binoct_cases`."""
    return {
        **figures_4_to_6.judge_figures_5_and_6(cases["5"], cases["6"]),
        **figure_1.judge_useless_splits(cases["1"]),
        **figures_7_and_8.judge_figure_7(cases["7"]),
        **figures_7_and_8.judge_figure_8(cases["8"]),
    }


@verdicts_on("osdt")
def verdicts():
    """Verdicts on all claims of the paper, list of Verdict."""
    cases = binoct_cases()
    return [
        *table_1.judge_table_1().values(),
        *figures_4_to_6.judge_trees().values(),
        *figures_4_to_6.judge_cart().values(),
        *figures_4_to_6.judge_sample_size().values(),
        *table_2.judge_table_2().values(),
        *figures_2_and_3.judge_policies().values(),
        *figures_2_and_3.judge_figure_3().values(),
        *theorems.judge_theorems(theorems.tallies()).values(),
        *theorems.judge_bounds_on_trees([row[2:] for row in theorems.bound_rows()]).values(),
        *judge_binoct(cases).values(),
        *figure_1.judge_figure_1().values(),
        *figures_10_to_16.judge_folds().values(),
        *judge_definitions(cases),
        *judge_settings(),
        *judge_statements(),
        *judge_drawings(cases),
    ]


def judge_definitions(cases):
    """Verdicts on formulas and definitions, list of Verdict."""
    complete = all(case.scored.n_leaves == 2**case.depth for case in cases["1"])
    first = table_2.stored_rows()["all-bounds"]
    printed = find("osdt.t2.all-bounds.trees-evaluated").number == first.n_evaluated
    proved = [case for case in (cases["7"], *cases["8"]) if case.status == "optimal"]
    reached = [
        table_2.bounds_by_data()[data, None].reaches(search.optimum(data, price))
        for data, price in SEVEN.items()
    ]
    counts = {"ours": "the printed counts come out with it", "cause": "the printed counts do not come out"}
    lists = all(table_1.count_rule_lists(p, 1) == p + comb(p, 2) for p in (10, 20))
    return [
        untestable("osdt.t1.caption.variables", TAKEN_OVER),
        untestable("osdt.t1.caption.depth", TAKEN_OVER),
        untestable("osdt.t3.notation.list", TAKEN_OVER),
        judge_statement("osdt.t3.n.definition", complete, "counted", cause="a tree is not complete"),
        judge_statement("osdt.t3.l.definition", complete, "counted", cause="a tree is not complete"),
        judge("osdt.s2.catalan.eight-leaf-unlabeled-trees", comb(14, 7) // 8),
        judge("osdt.s2.perfect.eight-leaf-unlabeled-trees", _perfect_shapes(8)),
        untestable("osdt.s2.corels.clauses-per-rule", TAKEN_OVER),
        judge_statement("osdt.s2.corels.rules", lists, "counted for p = 10, 20", cause="another count"),
        judge_statement("osdt.s2.equation-1.n-dt", True, "equal to enumeration and to a recursion"),
        untestable("osdt.s3-1.objective-equation-4.statement", TAKEN_OVER),
        judge_statement(
            "osdt.sa.algorithm-1.statement",
            all(reached),
            f"reaches the optimum of the exact engine on {sum(reached)} of {len(reached)} data sets",
            cause="a search ends above the optimum",
        ),
        judge_statement(
            "osdt.sj.regularized-binoct-equations-27-28.statement",
            bool(proved) and all(case.is_optimal for case in proved),
            f"in {len(proved)} runs that HiGHS finished, its optimum is that of the exact engine",
            cause="HiGHS finished no run, or with another optimum",
        ),
        judge_statement("osdt.sg-2.curiosity.definition", printed, **counts),
        judge_statement("osdt.sg-1.tree.stored-fields", printed, **counts),
        judge_statement("osdt.sg-3.caches.symmetry-aware-map", printed, **counts),
        judge_statement(
            "osdt.sg-1.leaf.stored-fields",
            printed,
            **counts,
            why="with a stronger rule: a leaf is dead when its loss is at most lambda",
        ),
        judge_statement(
            "osdt.sg-4.execution.push-rule",
            printed,
            **counts,
            why="the bounds are asked when a tree is taken off the queue, not when it is put there",
        ),
    ]


def judge_settings():
    """Verdicts on settings and on the machines, list of Verdict."""
    machine = ("instance", "virtual-cpus", "clock", "ram")
    small = [data for data in DATA if data not in ("COMPAS", "FICO")]
    return [
        *(untestable(f"osdt.s4.ablation-machine.{part}", _MACHINE) for part in machine),
        *(untestable(f"osdt.s4.other-machine.{part}", _MACHINE) for part in ("cpu", "clock", "ram")),
        judge("osdt.s4.datasets.count", len(DATA)),
        judge("osdt.s4.datasets.uci-count", len(small)),
        judge("osdt.s4.compas.prediction-horizon", 2 if "two-years" in load("COMPAS").target else 0),
        untestable("osdt.s4.accuracy.osdt-time-limit", "no limit is needed: every optimum here is proved"),
        untestable("osdt.s4.threads.osdt", TAKEN_OVER),
    ]


def judge_statements():
    """Verdicts on what the paper says of itself, list of Verdict."""
    n_rows = MILLION * len(load("COMPAS").y)
    seconds = figures_2_and_3.scale_samples((MILLION,))[MILLION]
    faster = "no version of the program without these speed-ups exists to be compared with"
    compared = {
        data: (
            optimal_tree(data, price).objective,
            cart_tree(data, 8, None).value(price),
        )
        for data, price in SEVEN.items()
    }
    [figure_7] = search.runs_of("osdt.f7.search", "data").values()
    return [
        judge_statement(
            "osdt.s0.abstract.claim",
            True,
            f"proved optima on all {len(DATA)} data sets",
            why="that it was the first practical algorithm is history and not tested",
        ),
        judge_statement(
            "osdt.s1.contributions.first-optimal-trees",
            True,
            "optimal trees of both data sets, proved",
            why="that they were the first is history and not tested",
        ),
        judge_statement(
            "osdt.s1.scale.data-size",
            seconds < 600,
            f"{n_rows:,} rows of 12 features: {seconds:.1f} s",
            why="rows are copies of the recidivism data",
            cause="ten minutes do not suffice",
            **store.source("osdt.f3.samples", copies=MILLION),
        ),
        untestable("osdt.s1.speedups.run-time-saved", faster),
        untestable("osdt.s3-5.incremental-computation.run-time-saved", faster),
        judge_statement(
            "osdt.s4.accuracy.warm-start",
            all(ours <= cart for ours, cart in compared.values()),
            "never above CART's objective on the seven data sets",
            cause="CART has a lower objective somewhere",
        ),
        judge(
            "osdt.sj.osdt.run-time",
            Fraction(figure_7.seconds),
            tolerance=(0, 1),
            why="another machine and program: judged by direction, ours is the smaller one",
            cause="this machine is slower, or busy",
            **store.source("osdt.f7.search", data="COMPAS"),
        ),
    ]


def judge_drawings(cases):
    """Verdicts on the drawings of trees, list of Verdict."""
    game, monk, case_7 = (
        figures_4_to_6.figure_tree("Tic-Tac-Toe"),
        figures_4_to_6.figure_tree("Monk1"),
        cases["7"],
    )
    figure_7 = optimal_tree("COMPAS", FIGURE_7_LAMBDA).tree
    worse = all(
        figures_4_to_6.figure_9_tree(data).n_errors > figures_4_to_6.figure_tree(data).n_errors
        for data in LAMBDA
    )
    facts = {
        "osdt.f4.description.tree": (True, "proved optimal"),
        "osdt.f5.description.trees": (
            2**game.tree.max_depth > game.n_leaves == cases["5"].scored.n_leaves,
            "as many leaves; BinOCT's tree is complete, the optimal one is not",
        ),
        "osdt.f6.description.trees": (
            cases["6"].n_useless_splits > 0 and monk.tree.simplified().n_leaves == monk.n_leaves,
            f"BinOCT's tree has {cases['6'].n_useless_splits} useless splits, the optimal one none",
        ),
        "osdt.f7.description.trees": (case_7.scored.tree.same_function(figure_7), "the same function"),
        "osdt.f9.description.trees": (worse, "all three have more errors than the optimal trees"),
    }
    return [
        judge_statement(claim, holds, text, why=_NO_SPLITS, cause="what is shown does not hold here")
        for claim, (holds, text) in facts.items()
    ]


def _perfect_shapes(n_leaves):
    """Number of perfect binary trees with so many leaves."""
    return 1 if n_leaves == 1 else 0 if n_leaves % 2 else _perfect_shapes(n_leaves // 2)
