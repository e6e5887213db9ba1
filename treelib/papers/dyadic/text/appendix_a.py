"""Appendix A: features and sizes of the data, and errors on few features."""

import re
from functools import cache
from importlib import resources

from treelib import datasets
from treelib.ledger import store
from treelib.ledger.protocol.judging import Draws, Trials, judge, judge_statement, judges, stated, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import FEATURES, rows_of, weigh
from treelib.papers.dyadic.table_7 import SPAMBASE_ALL

STATED = (
    "dyadic.sa.first-six.resamplings",
    "dyadic.sa.three-large.resamplings",
    "dyadic.sa.mushroom.kept-features",
    "dyadic.sa.spambase.kept-features",
    "dyadic.sa.intrusion.kept-features",
)


@verdicts_on("dyadic")
@judges("dyadic.sa.*")
def judge_appendix_a():
    """Verdicts on the appendix but its Table 7, list of Verdict."""
    odt = rows_of("dyadic.t7", "spambase")
    return [
        *(stated(claim, "what we run too") for claim in STATED),
        judge(
            "dyadic.sa.mushroom.original-features",
            datasets.load("dyadic/mushroom").X.shape[1],
            cause="the repository's set has one more, the veil type, which has a single value",
        ),
        judge(
            "dyadic.sa.spambase.original-features",
            datasets.load(SPAMBASE_ALL).X.shape[1],
            cause="our copy has others",
        ),
        judge(
            "dyadic.sa.intrusion.original-features",
            kdd_features(),
            cause="the file of the competition has more, by the description of it that scikit-learn carries; "
            "our copy keeps four",
        ),
        weigh(
            "dyadic.sa.spambase.error",
            Draws(100 * odt["odt_error"]),
            cause=f"other random partitions; {FEATURES}",
            experiment="dyadic.t7",
        ),
        judge_increase(odt),
        judge_statement(
            "dyadic.sa.mushroom.perfect",
            perfect(),
            cause="a tree of a partition errs",
            note="the ten features of the dyadic trees (dyadic.t7) are inferred, those of CART are all",
            experiment="dyadic.mushroom-features",
        ),
        untestable(
            "dyadic.sa.intrusion.small-degradation",
            "our copy of the data keeps four features, without the others",
        ),
        untestable("dyadic.sa.odt-c45", "a result of Blanchard et al.; C4.5 was not run"),
    ]


def kdd_features():
    """Features of the file of the KDD Cup 1999, as scikit-learn describes it: int."""
    text = (resources.files("sklearn.datasets.descr") / "kddcup99.rst").read_text(encoding="utf-8")
    return int(re.search(r"Dimensionality\s+(\d+)", text)[1])


@judges("dyadic.sa.spambase.error-increase")
def judge_increase(odt):
    """Verdict on the points of error that the dyadic trees on four features lose to CART on all of them."""
    whole = store.results("dyadic.all-features").set_index("partition")
    error = odt.set_index("partition")["odt_error"]
    forest = 100 * (error - whole["forest_error"]).mean()
    return weigh(
        "dyadic.sa.spambase.error-increase",
        Draws(100 * (error - whole["cart_error"])),
        cause=f"CART on all features is the method that Table 7 has; {FEATURES}",
        note=f"against CART on all features; against a forest {forest:.1f}",
        experiment="dyadic.all-features",
    )


@cache
def perfect():
    """Test errors on Mushroom: dyadic trees on the ten features, CART on all of them, `Trials`."""
    cases = []
    for one in rows_of("dyadic.t7", "mushroom").to_dict("records"):
        cases.append((f"ten features, partition {one['partition']}", one["odt_error"] == 0, one["odt_error"]))
    for one in store.results("dyadic.mushroom-features").to_dict("records"):
        case = f"{one['n_features']} features, partition {one['partition']}"
        cases.append((case, one["cart_wrong"] == 0, one["cart_wrong"]))
    return Trials.of(
        cases, "ten partitions, ten features (dyadic trees) and all of them (CART), without error"
    )
