"""Figure 2, which tree is looked at next, and Figure 3, how the search grows with rows and columns."""

from fractions import Fraction
from math import log
from time import perf_counter

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.protocol.judging import (
    Ratio,
    Trials,
    judge,
    judge_statement,
    judges,
    redrawn,
    stated,
    untestable,
    withheld,
)
from treelib.papers.osdt.search import row, runs_of, search, warm_up
from treelib.papers.osdt.settings import COPIES, DATA, LAMBDA, MILLION, POLICIES, load
from treelib.papers.osdt.trees import optimal_tree
from treelib.sparse.paper.branch_and_bound import branch_and_bound


@experiment(
    "osdt.f2",
    item="Figure 2",
    title="The same search under each policy",
    cases=lambda: [{"policy": policy, "regularization": str(LAMBDA["COMPAS"])} for policy in POLICIES],
    datasets=(DATA["COMPAS"],),
    seconds=6,
    measured=("trace",),
)
def figure_2(case):
    """The search of Table 2's first row under one policy, with its trace."""
    table = load("COMPAS")
    price = Fraction(case["regularization"])
    return row(search(table.X, table.y, price, policy=case["policy"], convention="paper"), trace=True)


def policies():
    """The search of Table 2's first row under each policy, dict of name to `Run`."""
    return runs_of("osdt.f2", "policy")


@judges(
    "osdt.f2.*",
    "osdt.sg-2.curiosity.*",
    "osdt.si.curiosity.*",
    "osdt.si.scheduling.*",
    "osdt.s4.convergence.*",
)
def judge_policies(runs=None):
    """Verdicts on Figure 2 and on what is said of the policies, dict of claim id to Verdict.

    runs : dict of policy to `Run`, with its trace; default the stored ones
    """
    source = store.source("osdt.f2") if runs is None else {}
    runs = policies() if runs is None else runs
    curiosity, objective, by_bound = (runs[name] for name in ("curiosity", "objective", "lower_bound"))
    bound = by_bound.trace["lower_bound"]
    cause = "a ratio on another machine and of another program"
    others = {name: run for name, run in runs.items() if name != "curiosity"}
    ahead = [(name, run) for name, run in runs.items() if name in ("lower_bound", "entropy")]
    return _by_id(
        [
            judge(
                "osdt.sg-2.curiosity.runtime-factor-vs-objective",
                Ratio.of_seconds(objective.seconds, curiosity.seconds),
                cause=cause,
                note=f"in trees evaluated, {objective.n_evaluated / curiosity.n_evaluated:.2f}",
                **source,
            ),
            judge(
                "osdt.sg-2.curiosity.memory-factor-vs-objective",
                Ratio(objective.bytes, curiosity.bytes),
                cause=cause,
                **source,
            ),
            judge(
                "osdt.si.curiosity.memory-share-of-objective",
                Ratio(100 * curiosity.bytes, objective.bytes),
                cause=cause,
                **source,
            ),
            judge_statement(
                "osdt.sg-2.curiosity.best",
                Trials.of(
                    (
                        (f"{name}: {what}", getattr(curiosity, what) <= getattr(run, what))
                        for name, run in others.items()
                        for what in ("n_evaluated", "bytes")
                    ),
                    "curiosity against each other policy, by trees evaluated and by bytes",
                ),
                cause="another policy needs less",
                **source,
            ),
            judge_statement(
                "osdt.si.scheduling.other-policies",
                Trials.of(
                    (
                        (f"{name} against {than}", run.n_evaluated > 2 * runs[than].n_evaluated)
                        for name, run in ahead
                        for than in ("curiosity", "objective")
                    ),
                    "more than twice the trees evaluated: lower bound and entropy against curiosity and "
                    "objective",
                ),
                cause="the policies are closer here",
                **source,
            ),
            judge_statement(
                "osdt.s4.convergence.lower-bound-scheduling",
                Trials.of(
                    ((f"point {i}", bool(step >= -1e-12), -step) for i, step in enumerate(np.diff(bound), 1)),
                    "steps of the trace under the lower-bound policy: the bound does not fall",
                ),
                cause="the bound falls",
                **source,
            ),
            judge_statement(
                "osdt.s4.convergence.curiosity-faster",
                Trials.of(
                    (
                        ("trees", curiosity.n_evaluated_to_optimum < by_bound.n_evaluated_to_optimum),
                        ("seconds", curiosity.seconds_to_optimum < by_bound.seconds_to_optimum),
                    ),
                    "curiosity against lower bound, to the optimum",
                ),
                cause="curiosity is not the faster one",
                note=f"{curiosity.n_evaluated_to_optimum:,} trees instead of "
                f"{by_bound.n_evaluated_to_optimum:,}",
                **source,
            ),
            redrawn("osdt.f2.description.panels", "both traces, drawn from our searches", **source),
            stated("osdt.f2.caption.lambda"),
            stated("osdt.sg-2.curiosity.definition", "the printed counts of Table 2 come out with it"),
        ]
    )


# ---- Figure 3 ----------------------------------------------------------------------------------------------


def tree_features():
    """Columns of the recidivism data that the optimal tree of Figure 4 reads, in file order."""
    tree = optimal_tree("COMPAS", LAMBDA["COMPAS"]).tree
    return sorted(set(tree.feature[~tree.is_leaf].tolist()))


def columns_of_figure_3(n_features):
    """So many columns of the recidivism data, those of the optimal tree first, list of int."""
    first = tree_features()
    others = [column for column in range(load("COMPAS").X.shape[1]) if column not in first]
    return (first + others)[:n_features]


@experiment(
    "osdt.f3",
    item="Figure 3",
    title="Searches with more and more columns, those of the optimal tree first",
    cases=lambda: [{"n_features": n, "regularization": str(LAMBDA["COMPAS"])} for n in range(4, 13)],
    datasets=(DATA["COMPAS"],),
    seconds=1,
)
def figure_3(case):
    """One search on so many columns."""
    table, columns = load("COMPAS"), columns_of_figure_3(case["n_features"])
    price = Fraction(case["regularization"])
    found = search(table.X[:, columns], table.y, price, convention="paper", warm_start="cart")
    return row(found)


@experiment(
    "osdt.f3.samples",
    item="Figure 3",
    title="Seconds of whole searches on copies of the data",
    cases=lambda: [
        *({"copies": n, "all_features": every} for every in (True, False) for n in COPIES),
        {"copies": MILLION, "all_features": True},
    ],
    datasets=(DATA["COMPAS"],),
    seconds=2,
    kind=TIMING,
)
def figure_3_samples(case):
    """One search, reading of the data included."""
    table = load("COMPAS")
    columns = np.arange(table.X.shape[1]) if case["all_features"] else tree_features()
    warm_up()
    X, y = np.tile(table.X[:, columns], (case["copies"], 1)), np.tile(table.y, case["copies"])
    began = perf_counter()
    branch_and_bound(X, y, float(LAMBDA["COMPAS"]), convention="paper")
    return {"n_rows": len(y), "seconds": perf_counter() - began}


def scale_features():
    """Searches with more and more columns, those of the optimal tree first: dict of number to `Run`."""
    return runs_of("osdt.f3", "n_features")


def scale_samples(multiples=COPIES, all_features=True):
    """Seconds of whole searches, reading of the data included, on copies of the data: dict of number to
    seconds."""
    return {
        asked["copies"]: row["seconds"]
        for asked, row in store.outcomes("osdt.f3.samples")
        if asked["all_features"] == all_features and asked["copies"] in multiples
    }


@judges("osdt.f3.*", "osdt.s4.scalability.*")
def judge_figure_3(runs=None):
    """Verdicts on Figure 3 and what is said of it, dict of claim id to Verdict.

    runs : dict of number of columns to `Run`; default the stored ones. Seconds are judged by these alone.
    """
    source, clocked = store.source("osdt.f3") if runs is None else {}, scale_features()
    runs = clocked if runs is None else runs
    few, many = min(clocked), max(clocked)
    share = {n: 100 * Fraction(run.n_evaluated_to_optimum, run.n_evaluated) for n, run in runs.items()}
    clock = {
        n: Ratio.of_seconds(clocked[n].seconds_to_optimum, clocked[n].seconds, scale=100) for n in (few, many)
    }
    growth = runs[many].n_evaluated / runs[few].n_evaluated
    return _by_id(
        [
            untestable(
                f"osdt.s4.scalability.time-to-optimum-share-{few}-features",
                "no power: a share of the same run within a factor of two of the printed one may be "
                "anything from "
                f"{float(find(_SHARE.format(few)).number) / 2:g} to 100 %; in trees evaluated it is "
                f"{float(share[few]):.0f} %",
                ours=float(clock[few].ratio),
                **store.source("osdt.f3"),
            ),
            judge(
                _SHARE.format(many),
                clock[many],
                cause="a share of seconds on another machine",
                note=f"in trees evaluated {float(share[many]):.0f} %",
                **store.source("osdt.f3"),
            ),
            withheld(
                "osdt.s4.scalability.growth",
                Trials.of(
                    (
                        (f"{n} features", run.n_evaluated > runs[n - 1].n_evaluated)
                        for n, run in runs.items()
                        if n - 1 in runs
                    ),
                    "columns added one by one: more trees evaluated",
                ),
                "what can grow in theory is no count of one data set, and more trees with each column are no "
                "exponential growth",
                note=f"{growth:,.0f} times the trees from {few} to {many} features, as the power "
                f"{log(growth) / log(many / few):.1f} of their number",
                **source,
            ),
            judge_statement(
                "osdt.s4.scalability.sooner",
                Trials.of(
                    (
                        (f"{n} features", of < share[few], float(of - share[few]))
                        for n, of in share.items()
                        if n != few
                    ),
                    f"{few + 1} to {many} features: a smaller share of the trees to the optimum than with "
                    f"{few}",
                ),
                cause="the share does not fall",
                **source,
            ),
            redrawn(
                "osdt.f3.description.panels", "both panels; the order of the added features is ours", **source
            ),
            stated("osdt.f3.caption.lambda"),
            stated("osdt.f3.panel-a.features"),
            stated("osdt.f3.panel-b.features"),
            judge("osdt.f3.optimal-tree.features", len(tree_features())),
        ]
    )


_SHARE = "osdt.s4.scalability.time-to-optimum-share-{}-features"


def _by_id(verdicts):
    return {verdict.claim.id: verdict for verdict in verdicts}
