"""What the paper says of itself: history, Algorithm 1."""

from treelib.ledger import store
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.judging import Trials, by_id, judge_statement, judges, untestable
from treelib.papers.osdt import figures_2_and_3, table_2
from treelib.papers.osdt.search import optimum
from treelib.papers.osdt.settings import MILLION, SEVEN, load
from treelib.papers.osdt.text import algorithm_1, searches, theorems, tree_counts


@judges("osdt.s1.scale.*", "osdt.s4.accuracy.warm-start")
def judge_statements():
    """Verdicts on what the paper says of itself, dict of claim id to Verdict."""
    [took] = figures_2_and_3.scale_samples((MILLION,)).values()
    X, (stopped, useless) = load("COMPAS").X, searches.trials_of_early_stops()
    return by_id(
        untestable(
            "osdt.s1.scale.data-size",
            numbers={"rows": MILLION * len(X), "columns": X.shape[1], "seconds": took},
            **store.source("osdt.f3.samples", copies=MILLION),
        ),
        judge_statement(
            "osdt.s4.accuracy.warm-start",
            stopped,
            numbers={"useless": useless, "n": stopped.cases // len(searches.STOPS)},
            **store.source("osdt.early-stops"),
        ),
    )


@judges("osdt.sa.algorithm-1.statement")
def judge_algorithm():
    """Verdict on Algorithm 1, of whose start the text says two things, dict of claim id to Verdict."""
    plain = theorems.trials_of_algorithm()
    on_data = table_2.bounds_by_data()
    claim = "osdt.sa.algorithm-1.statement"
    trials = [
        *plain[tree_counts.PRINTED],
        *algorithm_1.trials(algorithm_1.OPTIMAL),
        Trials.of(
            ((data, on_data[data, None].reaches(optimum(data, price))) for data, price in SEVEN.items()),
            *notes.texts(claim, notes.CASES),
        ),
    ]
    failed, cases = (
        sum(getattr(one, what) for one in plain[tree_counts.NOTHING]) for what in ("failed", "cases")
    )
    verdict = judge_statement(
        claim,
        trials,
        withhold=bool(failed and not any(one.failed for one in trials)),
        numbers={"failed": failed, "cases": cases, "n": sum(one.cases for one in trials)},
        **store.source("osdt.tree-counts"),
    )
    return {claim: verdict}
