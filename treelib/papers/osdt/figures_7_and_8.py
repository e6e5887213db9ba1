"""Figures 7 and 8: BinOCT with a price for every leaf in use, and the race of Appendix J."""

from fractions import Fraction

from treelib.ledger import store
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.protocol.judging import Trials, by_id, judge, judge_statement, judges, redrawn, stated
from treelib.papers.osdt.binoct import (
    _RUNS,
    FIGURE_SECONDS,
    _asked,
    _explain,
    _figure,
    cases_of,
    optimum_of_depth,
    run_stored_case,
)
from treelib.papers.osdt.search import row, runs_of, search, seconds_of_exact
from treelib.papers.osdt.settings import FIGURE_7_LAMBDA, FIGURE_8, data_of, load
from treelib.papers.osdt.trees import optimal_tree

# a lower bound over milliseconds is a large ratio whatever HiGHS is worth
STOPPED = (
    "another solver and another search stand in for the paper's, and their ratio is no answer to its; the "
    "runs of HiGHS that stopped at their limit are lower bounds of its total time, which speak for the "
    "sentence"
)


# the cause, if HiGHS ever ends on all of them
ENDED = "HiGHS, newer than the solver of the paper, proved its trees as fast as our exact engine"


@experiment(
    "osdt.f7.search",
    item="Figure 7",
    title="The paper's search on the data and at the price of Figure 7",
    cases=lambda: [{"data": "COMPAS", "regularization": str(FIGURE_7_LAMBDA)}],
    datasets=data_of,
    seconds=1,
)
def figure_7_search(case):
    """One whole search."""
    table = load(case["data"])
    return row(search(table.X, table.y, Fraction(case["regularization"]), convention="paper"))


experiment(
    "osdt.f7",
    item="Figure 7",
    title="Regularised BinOCT on the data that Figure 7 shows, which are COMPAS and not Monk1",
    cases=lambda: [_asked("COMPAS", FIGURE_8["COMPAS"][1], FIGURE_SECONDS["7"], FIGURE_7_LAMBDA)],
    seconds=5,
    kind=TIMING,
    **_RUNS,
)(run_stored_case)


experiment(
    "osdt.f8",
    item="Figure 8",
    title="Regularised BinOCT on the seven data sets, with its trace",
    cases=lambda: [
        _asked(data, depth, FIGURE_SECONDS["8"], price) for data, (price, depth) in FIGURE_8.items()
    ],
    seconds=35,
    kind=TIMING,
    **_RUNS,
)(run_stored_case)


# ---- verdicts ---------------------------------------------------------------------------------------------


@judges("osdt.f7.*", "osdt.f8.*", "osdt.sj.*", "osdt.t3.*")
def judge_figures_7_and_8(case=None, race=None):
    """Verdicts on Figures 7 and 8, Appendix J and Table 3, dict of claim id to Verdict.

    case, race : Case of Figure 7 and list of Case of Figure 8; default the stored ones. A time that HiGHS did
        not need to the end counts as it is: the true one is longer.
    """
    case, race = cases_of("7")[0] if case is None else case, cases_of("8") if race is None else race
    ours = optimal_tree("COMPAS", FIGURE_7_LAMBDA)
    [search_7] = runs_of("osdt.f7.search", "data").values()
    proved = [one for one in (case, *race) if one.status == "optimal"]
    factor = {
        one.scored.data: one.seconds / seconds_of_exact(one.scored.data, one.regularization) for one in race
    }
    late = [one.scored.data for one in race if one.status != "optimal"]
    # with an end to each run the seconds can be judged
    by_seconds = {"withhold": STOPPED} if late else {"cause": ENDED}
    engine = (
        f"HiGHS stopped without a proof on {', '.join(late) or 'none'}: its seconds count as they are; "
        "against our exact engine, not the paper's search"
    )
    best = optimum_of_depth("COMPAS", case.depth, FIGURE_7_LAMBDA)
    shown = "the splits of the printed drawing are not in the text"
    data = "on COMPAS, whose number of rows the printed accuracies fit; the caption says Monk1"
    return by_id(
        redrawn("osdt.f7.description.trees", "HiGHS's tree and the optimal one", note=shown, **_figure("7")),
        judge("osdt.f7.rbinoct.accuracy", best.accuracy, cause=_explain(case), **_figure("7")),
        judge("osdt.f7.osdt.accuracy", ours.accuracy),
        stated("osdt.sj.figure-7.lambda"),
        *_judge_same_trees(case, ours, search_7, data),
        judge(
            "osdt.sj.osdt.run-time",
            search_7.seconds,
            note=data,
            **store.source("osdt.f7.search", data="COMPAS"),
        ),
        judge(
            "osdt.sj.rbinoct.run-time",
            case.seconds / 3600,
            note=f"its depth is not printed; ours is {case.depth}, the least that holds the optimal tree; "
            f"{data}",
            **_figure("7"),
        ),
        redrawn(
            "osdt.f8.description.panels",
            "all seven traces of HiGHS and of the paper's search",
            **store.source("osdt.f8"),
        ),
        judge_statement(
            "osdt.sj.convergence.claim",
            ((data, n > 1, 1 - n) for data, n in factor.items()),
            "the seven races of Figure 8",
            note=f"at least {min(factor.values()):,.0f} times; {engine}",
            **by_seconds,
            **store.source("osdt.f8"),
        ),
        judge_statement(
            "osdt.sj.rbinoct.total-time-fico-monk1",
            ((data, factor[data] > 2, 2 - factor[data]) for data in ("FICO", "Monk1")),
            "FICO and Monk1: more than twice as long",
            **by_seconds,
            note=", ".join(f"{data} {factor[data]:,.0f} times" for data in ("FICO", "Monk1")) + f"; {engine}",
            **store.source("osdt.f8"),
        ),
        _judge_equations(proved),
        *(stated(f"osdt.t3.{name}") for name in ("notation.list", "n.definition", "l.definition")),
    )


def _judge_same_trees(case, ours, search, data):
    """Whether the regularized program ends with the optimal tree, and is slower: verdicts."""
    proved = "proved it" if case.status == "optimal" else "did not prove it"
    prices = list(FIGURE_8.items())
    by_counts = {
        name: optimum_of_depth(name, depth, price / len(load(name).y)) for name, (price, depth) in prices
    }
    by_shares = {name: optimum_of_depth(name, depth, price) for name, (price, depth) in prices}
    counted, shared = (
        Trials.of(
            (
                (
                    f"{name}: {found[name].n_leaves} leaves, {best.n_leaves} in the optimal tree",
                    found[name].value(best.regularization) == best.objective,
                )
                for name, best in ((name, optimal_tree(name, price)) for name, (price, _) in prices)
            ),
            f"data sets: the best tree of equation (27), errors counted {how}, has the least objective",
        )
        for how, found in (("in rows", by_counts), ("as a share of the rows", by_shares))
    )
    found = _leaf_set(case.scored.tree) == _leaf_set(ours.tree)
    return [
        judge_statement(
            "osdt.sj.same-trees.claim",
            [("Figure 7", found)],
            "Figure 7: HiGHS's tree of the regularized program has the leaves of the optimal one",
            cause=f"HiGHS was stopped after {case.time_limit:.0f} s before it found the optimal tree",
            withhold=_other_depths(ours, case.depth) if found else "",
            note=f"errors as a share of the rows, or lambda times {ours.n_samples:,} on rows; at depth "
            f"{case.depth}, the least that holds the optimal tree, with a limit of {case.time_limit:.0f} s, "
            f"as neither is printed; HiGHS {proved}; the order of splits is left open, one case; {data}",
            **_figure("7"),
        ),
        _regularized(counted, shared),
        judge_statement(
            "osdt.sj.same-trees.slower",
            [("Figure 7", case.seconds > search.seconds)],
            "Figure 7: HiGHS takes longer",
            withhold="another solver stands in for the paper's, and its seconds judge nothing",
            note=f"HiGHS {case.seconds:.1f} s at depth {case.depth}, our search {search.seconds:.2f} s; "
            f"{data}",
            **_figure("7"),
        ),
    ]


def _other_depths(best, depth):
    """Why equal trees at the least depth tell nothing: what (27) gives by unit and depth, str; empty where
    every one of them has the objective of the optimal tree."""
    price = best.regularization
    units = {"in rows": price / best.n_samples, "as a share of the rows": price}
    trees = {
        f"errors {unit} at depth {d}": optimum_of_depth(best.data, d, paid)
        for unit, paid in units.items()
        for d in (depth, depth + 1)
    }
    if all(tree.value(price) == best.objective for tree in trees.values()):
        return ""
    leaves = ", ".join(f"{name} {tree.n_leaves}" for name, tree in trees.items())
    return (
        f"the depth and what the errors of (27) are counted in are open, and decide: the optimal tree has "
        f"{best.n_leaves} leaves, the best tree of (27) with {leaves}"
    )


def _regularized(counted, shared):
    """Equation (27) as printed, errors in rows, and with the share of the rows that equation (4) has."""
    claim, cause = "osdt.sj.regularized-binoct.same-trees", "its best trees have other objectives"
    note = "at the prices and depths of our Figure 8, trees by the exact engine"
    if counted.failed and not shared.failed:
        why = (
            "what the errors of (27) are counted in is open, and the text gives both readings: “error for "
            "rows” in Table 3, and a lambda that is “the same as that of OSDT”, whose equation (4) has a "
            "share of the rows. Refused in rows, but not as a share"
        )
        return judge_statement(claim, counted, withhold=why, note=f"{note}; {shared.text()}")
    return judge_statement(claim, counted, cause=cause, note=note)


def _leaf_set(tree):
    """The leaves of a tree as sets of (feature, side), and their labels, frozenset."""

    def below(node, path):
        if tree.is_leaf[node]:
            return {(path, int(tree.label[node]))}
        feature = int(tree.feature[node])
        sides = (tree.children_left[node], tree.children_right[node])
        return set().union(*(below(child, path | {(feature, k)}) for k, child in enumerate(sides)))

    return frozenset(below(0, frozenset()))


def _judge_equations(proved):
    """The regularised program is a definition; how the runs that HiGHS finished agree with the engine."""
    held = sum(one.is_optimal for one in proved)
    note = (
        f"the program that we solve; in {held} of {len(proved)} runs that HiGHS finished it has our optimum"
    )
    return stated("osdt.sj.regularized-binoct-equations-27-28.statement", note)
