"""BinOCT and regularised BinOCT beside optimal sparse trees: verdicts on Figures 5 to 8.

Every number says what was found and what was proved: see `treelib.papers.osdt.binoct_runs`.
"""

from fractions import Fraction
from functools import cache

from treelib.ledger import experiments, store
from treelib.ledger.claims import judge, judge_statement
from treelib.papers.osdt.binoct_runs import from_row
from treelib.papers.osdt.figure_trees import FIGURE_7_LAMBDA, LAMBDA, optimal_tree


@cache
def cases_of(figure):
    """Stored runs of BinOCT for a figure ("1", "5", "6", "7" or "8"): list of `Case`."""
    return [from_row(asked, row) for asked, row in store.outcomes(f"osdt.f{figure}")]


@cache
def seconds_of_exact(data, regularization):
    """Seconds in which the exact engine finds and proves the optimal sparse tree, from the stored run."""
    asked = {"data": data, "regularization": str(regularization)}
    [(_, row)] = store.outcomes("osdt.exact-seconds", cases=[asked])
    return row["seconds"]


# ---- verdicts ---------------------------------------------------------------------------------------------


def judge_figures_5_and_6(game, monk):
    """Verdicts on the BinOCT trees of Figures 5 and 6, dict of claim id to Verdict.

    game, monk : Case, of `figure_5` and `figure_6`
    """
    useless = monk.n_useless_splits
    return _by_id(
        judge("osdt.f5.binoct.accuracy", game.scored.accuracy, cause=_explain(game), **_figure("5")),
        judge("osdt.f6.binoct.accuracy", monk.scored.accuracy, cause=_explain(monk), **_figure("6")),
        judge("osdt.f6.binoct.accuracy-rounded", monk.scored.accuracy, cause=_explain(monk), **_figure("6")),
        judge(
            "osdt.f6.binoct.useless-splits",
            useless,
            cause="trees of equal error differ in this: which one is found depends on the solver",
            **_figure("6"),
        ),
    )


def judge_useless_splits(cases):
    """Verdict on the paper's remark on useless splits, dict of claim id to Verdict.

    cases : list of Case without regularization, of `figure_1`
    """
    useless = sum(case.n_useless_splits > 0 for case in cases)
    sparse = [optimal_tree(data, price).tree for data, price in LAMBDA.items()]
    none_in_sparse = all(tree.simplified().n_leaves == tree.n_leaves for tree in sparse)
    return _by_id(
        judge_statement(
            "osdt.s4.trees.no-same-label-siblings",
            useless > 0 and none_in_sparse,
            f"{useless} of {len(cases)} BinOCT trees have useless splits, optimal sparse trees none",
            cause="no tree of BinOCT has a useless split here, or an optimal sparse tree has one",
            **store.source("osdt.f1"),
        )
    )


def judge_figure_7(case):
    """Verdicts on Figure 7 and what Appendix J says about it, dict of claim id to Verdict.

    case : Case, of `figure_7`
    """
    ours = optimal_tree("COMPAS", FIGURE_7_LAMBDA)
    same = "the same function" if case.scored.tree.same_function(ours.tree) else "another tree"
    objectives = f"objective {float(case.objective):.6f}, optimum {float(ours.objective):.6f}: {same}"
    return _by_id(
        judge("osdt.f7.rbinoct.accuracy", case.scored.accuracy, cause=_explain(case), **_figure("7")),
        judge("osdt.sj.figure-7.lambda", case.regularization),
        judge_statement(
            "osdt.sj.same-trees.claim",
            case.objective == ours.objective,
            objectives,
            cause=f"HiGHS was stopped after {case.time_limit:.0f} s before it found the optimal tree",
            **_figure("7"),
        ),
        judge(
            "osdt.sj.rbinoct.run-time",
            Fraction(case.seconds) / 3600,
            cause=f"the depth is not printed; at depth {case.depth}, which holds the optimal tree, HiGHS "
            + (
                f"proves it in {case.seconds:.1f} s"
                if case.status == "optimal"
                else "was stopped long before"
            ),
            **_figure("7"),
        ),
    )


def judge_figure_8(cases):
    """Verdicts on the race of regularised BinOCT and the exact engine, dict of claim id to Verdict.

    cases : list of Case, of `figure_8`. A time that HiGHS did not need to the end counts as it is: the true
    factor is larger.
    """
    factor = {c.scored.data: c.seconds / seconds_of_exact(c.scored.data, c.regularization) for c in cases}
    late = [c.scored.data for c in cases if c.status != "optimal"]
    named_sets = {data: factor[data] for data in ("FICO", "Monk1")}
    return _by_id(
        judge_statement(
            "osdt.f8.description.panels",
            min(factor.values()) > 1,
            f"HiGHS takes at least {min(factor.values()):.0f} times as long as the exact engine, and has no "
            f"proof at its limit on {', '.join(late) or 'none'}",
            cause="HiGHS is the faster one on " + ", ".join(d for d, f in factor.items() if f <= 1),
            **store.source("osdt.f8"),
        ),
        judge_statement(
            "osdt.sj.rbinoct.total-time-fico-monk1",
            min(named_sets.values()) > 2,
            ", ".join(f"{data}: at least {f:.0f} times as long" for data, f in named_sets.items()),
            cause="HiGHS is not several times slower here",
            **store.source("osdt.f8"),
        ),
    )


def _figure(number):
    """The only case of a figure, as the source of a verdict."""
    [case] = experiments.get(f"osdt.f{number}").cases()
    return store.source(f"osdt.f{number}", **case)


def _explain(case):
    """Why a tree of BinOCT is another than the printed one."""
    best = f"the best tree of depth {case.depth} has {float(case.optimum.accuracy):.3f} % (exact engine)"
    if case.is_optimal:
        return f"the printed tree is BinOCT's best after 30 minutes, not the optimum; {best}"
    return f"HiGHS was stopped after {case.time_limit:.0f} s; {best}"


def _by_id(*verdicts):
    return {verdict.claim.id: verdict for verdict in verdicts}
