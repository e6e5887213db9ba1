"""Figure 2, which tree is looked at next, and Figure 3, how the search grows with rows and columns."""

from fractions import Fraction
from itertools import product
from time import perf_counter

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find, of_program
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.judging import Ratio, Readings, Trials, by_id, judge, judge_statement, judges
from treelib.ledger.protocol.rulebook import settle
from treelib.ledger.protocol.rules import EQUAL
from treelib.papers.osdt.processor_time import times_of
from treelib.papers.osdt.search import row, runs_of, search, warm_up
from treelib.papers.osdt.settings import COPIES, DATA, LAMBDA, MILLION, POLICIES, load
from treelib.papers.osdt.text.searches import bounds_in_order
from treelib.papers.osdt.trees import columns_of_figure_3, tree_features
from treelib.sparse.paper.branch_and_bound import branch_and_bound


@experiment(
    "osdt.f2",
    item="Figure 2",
    title="The same search under each policy",
    cases=lambda: [{"policy": policy, "regularization": str(LAMBDA["COMPAS"])} for policy in POLICIES],
    datasets=(DATA["COMPAS"],),
    seconds=2,
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


_LEAST_MEMORY = "osdt.sg-2.curiosity.best-memory"
MUCH_FASTER = 10  # times
SIGNIFICANT = 2  # times: the text calls it significant that curiosity is a factor of two faster


@judges(
    "osdt.sg-2.curiosity.*",
    "osdt.si.curiosity.*",
    "osdt.si.scheduling.*",
    "osdt.s4.convergence.*",
)
def judge_policies():
    """Verdicts on what is said of the policies of Figure 2, dict of claim id to Verdict."""
    runs, source, timed = policies(), store.source("osdt.f2"), store.source("osdt.seconds")
    curiosity, objective, by_bound = (runs[name] for name in ("curiosity", "objective", "lower_bound"))
    memory = {name: float(one.value) for name, one in of_program(_LEAST_MEMORY).items()}
    least, ours = memory["curiosity"], objective.bytes / curiosity.bytes
    of_authors = {"reading": "whose memory: that of the authors' program", "numbers": {"ours": ours}}
    others = {name: run for name, run in runs.items() if run is not curiosity}
    times = {name: times_of(policy=name) for name in runs}
    longer = {name: times[name].whole / times["curiosity"].whole for name in others}
    trees = {name: run.n_evaluated / curiosity.n_evaluated for name, run in others.items()}
    nearest = min(trees, key=trees.get)
    each = "; ".join(
        f"{name} {times[name].whole:.2f} s, {run.n_evaluated:,} trees, {run.bytes / 1e6:.1f} MB"
        for name, run in runs.items()
    )
    factor = {
        f"{name} against {than}": runs[name].n_evaluated / runs[than].n_evaluated
        for name in ("lower_bound", "entropy")
        for than in ("curiosity", "objective")
    }
    sooner = {
        "trees": (curiosity.n_evaluated_to_optimum, by_bound.n_evaluated_to_optimum),
        "seconds": (times["curiosity"].to_optimum, times["lower_bound"].to_optimum),
    }
    return by_id(
        judge(
            "osdt.sg-2.curiosity.runtime-factor-vs-objective",
            Ratio(times["objective"].whole, times["curiosity"].whole),
            numbers={"trees": trees["objective"]},
            **timed,
        ),
        judge(
            "osdt.sg-2.curiosity.memory-factor-vs-objective", Ratio(memory["objective"], least), **of_authors
        ),
        judge(
            "osdt.si.curiosity.memory-share-of-objective",
            Ratio(least, memory["objective"], scale=100),
            **of_authors,
        ),
        judge_statement(
            "osdt.sg-2.curiosity.best",
            ((name, times > 1, 1 / times) for name, times in longer.items()),
            withhold=trees[nearest] < EQUAL,
            numbers={
                "nearest": nearest,
                "trees": trees[nearest],
                "each": each,
                "ended": sum(run.is_complete for run in runs.values()),
                "n": len(runs),
            },
            **timed,
        ),
        judge_statement(
            _LEAST_MEMORY,
            (
                (f"{name}, {of:g} MB for {least:g} of curiosity", least < of, least - of)
                for name, of in memory.items()
                if name != "curiosity"
            ),
            numbers={"each": each},
        ),
        judge_statement(
            "osdt.si.scheduling.other-policies",
            ((name, n > SIGNIFICANT, SIGNIFICANT - n) for name, n in factor.items()),
            numbers={"least": min(factor.values()), "significant": SIGNIFICANT},
            **source,
        ),
        _judge_bounds_in_order(),
        judge_statement(
            "osdt.s4.convergence.curiosity-faster",
            (
                (f"{what}: {mine:.4g}, {other:.4g}", mine * MUCH_FASTER < other, mine * MUCH_FASTER / other)
                for what, (mine, other) in sooner.items()
            ),
            numbers={"much": MUCH_FASTER}
            | {"both": "; ".join(f"{what} {a:,.4g} and {b:,.4g}" for what, (a, b) in sooner.items())},
            **source,
        ),
    )


def _judge_bounds_in_order():
    """Whether the bound never falls where trees are taken in the order of their bounds."""
    claim, order = "osdt.s4.convergence.lower-bound-scheduling", bounds_in_order()
    worst = f"a fall of {order['largest_fall']:.3g}" if order["n_falls"] else ""
    [where] = notes.texts(claim, notes.CASES)
    return judge_statement(
        claim,
        Trials(order["n_taken"], order["n_falls"], worst, where),
        numbers=order | {"waiting": order["n_waiting_at_proof"] or 0},
        **store.source("osdt.lower-bound-order"),
    )


# ---- Figure 3 ----------------------------------------------------------------------------------------------


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


_WITH, _ALONE = "with rows merged and CART grown", "the search alone"


def _shares(n_features):
    """`Readings` of the share of the run time to the optimum, in %."""
    one = times_of(n_features=n_features)
    values = {
        _WITH: Ratio(one.to_optimum, one.whole, scale=100),
        _ALONE: Ratio(one.search_to_optimum, one.search, scale=100),
    }
    return Readings("what the run time is of", _WITH, values)


@judges("osdt.f3.*", "osdt.s4.scalability.*")
def judge_figure_3():
    """Verdicts on Figure 3 and what is said of it, dict of claim id to Verdict."""
    runs, source = scale_features(), store.source("osdt.seconds")
    few, many = min(runs), max(runs)
    first, last = times_of(n_features=few), times_of(n_features=many)
    share = {n: 100 * Fraction(run.n_evaluated_to_optimum, run.n_evaluated) for n, run in runs.items()}
    shares = [
        judge(
            _SHARE.format(few),
            _shares(few),
            numbers={
                "half": float(find(_SHARE.format(few)).number) / 2,
                "to_optimum": 1e6 * first.to_optimum,
                "whole": 1e6 * first.whole,
                "trees": float(share[few]),
            },
            **source,
        ),
        judge(
            _SHARE.format(many),
            _shares(many),
            numbers={
                "before": 1e3 * last.before,
                "to_optimum": 1e3 * last.search_to_optimum,
                "trees": float(share[many]),
            },
            **source,
        ),
    ]
    return by_id(
        *settle(shares),
        judge_statement(
            "osdt.s4.scalability.growth",
            parity_grows(),
            numbers={"times": runs[many].n_evaluated / runs[few].n_evaluated, "few": few, "many": many},
        ),
        _judge_sooner(runs, share),
        judge("osdt.f3.optimal-tree.features", len(tree_features())),
    )


def _judge_sooner(runs, share):
    """Verdict on "we can reach the optimum more quickly", which the text says of two measures.

    runs : dict of number of columns to `Run`. share : of each, the trees up to the optimum in per cent
    """
    claim, few, many = "osdt.s4.scalability.sooner", min(runs), max(runs)
    trees = {n: run.n_evaluated_to_optimum for n, run in runs.items()}
    taken = {n: times_of(n_features=n).to_optimum for n in runs}
    seconds = {n: float(_shares(n).value.ratio) for n in runs}
    numbers = {
        "few": few,
        "many": many,
        "first": few + 1,
        "each": ", ".join(f"{n} features {seconds[n]:.0f}/{float(share[n]):.1f}" for n in runs),
        "trees_few": trees[few],
        "trees_many": trees[many],
        "time_few": 1e6 * taken[few],
        "time_many": 1e6 * taken[many],
    }
    of_share, of_whole = notes.texts(claim, notes.CASES, numbers)
    shares = Trials.of(_fewer(few, seconds=seconds, trees=share), of_share)
    whole = Trials.of(_fewer(few, seconds=taken, trees=trees), of_whole)
    return judge_statement(
        claim,
        [shares, whole],
        withhold=bool(whole.failed and not shares.failed),
        numbers=numbers | {"whole": whole.held, "shares": shares.held, "n": whole.cases},
        **store.source("osdt.seconds"),
    )


def _fewer(few, **measures):
    """Whether measures, dicts of number of columns to number, are smaller than with `few` columns: cases."""
    for what, of in measures.items():
        for n in of:
            if n != few:
                times = float(of[n] / of[few])
                yield f"{n} features, {what}: {times:.3g} times those with {few}", times < 1, times


def parity_grows(most=4):
    """Cases of the search on all rows of so many columns, labelled by parity: (columns, whether the optimal
    tree has twice the leaves of the one before, and the search more than twice the trees)."""
    before = None
    for n in range(2, most + 1):
        rows = np.array(list(product((0, 1), repeat=n)))
        found = branch_and_bound(rows, rows.sum(axis=1) % 2, 2.0 ** -(n + 2), warm_start=None)
        now = found.tree.n_leaves, found.n_evaluated
        if before:
            grows = now[0] == 2 * before[0] and now[1] > 2 * before[1]
            yield f"{n} columns: {now[0]} leaves, {now[1]:,} trees", found.is_optimal and grows
        before = now


_SHARE = "osdt.s4.scalability.time-to-optimum-share-{}-features"
