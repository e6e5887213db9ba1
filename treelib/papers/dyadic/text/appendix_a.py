"""Appendix A: features and sizes of the data, and errors on few features."""

import re
from importlib import resources

import numpy as np
import pandas as pd

from treelib import datasets
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import PerDraw, declared, kept
from treelib.ledger.protocol.judging import judge_statement, judges
from treelib.papers.dyadic.settings import rows_of
from treelib.papers.dyadic.table_7 import SPAMBASE_ALL

LEARNERS = {"2 leaves": {"max_leaf_nodes": 2}, "8 leaves": {"max_leaf_nodes": 8}, "depth 3": {"max_depth": 3}}


@experiment(
    "dyadic.spambase-features",
    item="Appendix A",
    title="Spambase's features ranked by the error of the trees that each grows on its own",
    cases=lambda: [{"learner": learner, "folds": 10} for learner in LEARNERS],
    datasets=(SPAMBASE_ALL,),
    seconds=5,
    kind="statistical",
)
def rank_features(case):
    """The five features of least error, by their number in the names file, and their errors: dict."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    data = datasets.load(SPAMBASE_ALL)
    learner = DecisionTreeClassifier(random_state=0, **LEARNERS[case["learner"]])
    folds = StratifiedKFold(case["folds"], shuffle=True, random_state=0)
    errors = [1 - cross_val_score(learner, column[:, None], data.y, cv=folds).mean() for column in data.X.T]
    first = np.argsort(errors, kind="stable")[:5]
    return {"features": (first + 1).tolist(), "errors": [round(float(errors[j]), 6) for j in first]}


@declared("dyadic.sa.{data}.{cell}", {"original-features": "d"})
def features():
    """Features of the data sets before some were kept."""
    found = {"mushroom": "dyadic/mushroom", "spambase": SPAMBASE_ALL}
    lines = [(name, datasets.load(data).X.shape[1]) for name, data in found.items()]
    return pd.DataFrame([*lines, ("intrusion", kdd_features())], columns=["data", "d"])


@declared("dyadic.sa.{row}.{cell}", {"error": PerDraw("error"), "error-increase": PerDraw("increase")})
def errors_of_spambase():
    """Errors of the dyadic trees in per cent, and their points above CART on all features."""
    found = rows_of("dyadic.t7", "spambase").merge(
        kept("dyadic.all-features"), on="partition", suffixes=("", "_of_all")
    )
    increase = 100 * (found["odt_error"] - found["cart_error_of_all"])
    return found.assign(error=100 * found["odt_error"], increase=increase)


@judges("dyadic.sa.mushroom.perfect", "dyadic.sa.mushroom.perfect-subset")
def judge_perfect():
    """Verdicts on perfect trees of Mushroom: on all features, and on some of them; list of Verdict."""
    whole, some = kept("dyadic.mushroom-features"), rows_of("dyadic.t7", "mushroom")
    cart = {part: find(f"dyadic.t7.mushroom.cart-error-{part}").value for part in ("mean", "max")}
    return [
        judge_statement(
            "dyadic.sa.mushroom.perfect",
            (
                (f"partition {i}, wrong", n == 0, n)
                for i, n in zip(whole["partition"], whole["cart_wrong"].tolist(), strict=True)
            ),
            numbers={"n_features": whole["n_features"].max(), **cart},
            experiment="dyadic.mushroom-features",
        ),
        judge_statement(
            "dyadic.sa.mushroom.perfect-subset",
            (
                (f"partition {i}", n == 0, n)
                for i, n in zip(some["partition"], some["odt_error"].tolist(), strict=True)
            ),
            experiment="dyadic.t7",
        ),
    ]


def kdd_features():
    """Features of the file of the KDD Cup 1999, as scikit-learn describes it: int."""
    text = (resources.files("sklearn.datasets.descr") / "kddcup99.rst").read_text(encoding="utf-8")
    return int(re.search(r"Dimensionality\s+(\d+)", text)[1])
