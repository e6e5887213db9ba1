"""Table 1 and Section 4.1: the data sets, the authors' forests, and what is taken over as printed."""

import numpy as np

from treelib import datasets
from treelib.bornagain.ensemble.cells import build_cells, count_regions, thresholds
from treelib.bornagain.exact import minimise
from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import declared, kept
from treelib.ledger.protocol.judging import judge, judge_leads, judge_statement, judges
from treelib.papers.bornagain.settings import (
    DATA,
    FOLDS,
    MAX_DEPTH,
    OBJECTIVES,
    SEEDS,
    authors_forest,
    data_and_forest,
    data_of,
    folds,
    forest_files,
    load,
    train_forest,
)

MOST_REGIONS = 10_000_000  # of forests whose born-again tree is looked at for its root
BINNED = ("HT", "PD", "SE")  # continuous features, coded by ten quantile bins; those of the others are given


def describe(X, y):
    """What Table 1 prints of a data set: dict of samples, features, classes, shares, and the most values of a
    feature."""
    counts = np.sort(np.unique(y, return_counts=True)[1])[::-1]
    shares = "-".join(f"{100 * count / len(y):.0f}" for count in counts)
    levels = max(len(np.unique(column)) for column in X.T)
    return {"n": len(X), "p": X.shape[1], "k": len(counts), "cd": shares, "levels": levels}


@experiment(
    "bornagain.t1",
    item="Table 1",
    title="The data sets",
    cases=lambda: [{"data": data} for data in DATA],
    datasets=data_of,
    seconds=2,
)
def table_1(case):
    """One data set, counted from its rows."""
    table = load(case["data"])
    return describe(table.X, table.y)


@experiment(
    "bornagain.forests",
    item="Section 4.1",
    title="The authors' forests, and stand-alone CART on the same folds",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA for fold in FOLDS],
    datasets=data_and_forest,
    seconds=3,
)
def forests(case):
    """One forest: trees, depths, leaves, hyperplanes, regions of all of them; test accuracy beside CART's."""
    from sklearn.tree import DecisionTreeClassifier

    ensemble, table = authors_forest(case["data"], case["fold"]), load(case["data"])
    train, test = folds(case["data"])[case["fold"] - 1]
    levels = [len(cuts) for cuts in thresholds(ensemble)]
    row = {
        "trees": ensemble.n_trees,
        "depth": max(tree.max_depth for tree in ensemble.trees),
        "leaves": max(tree.n_leaves for tree in ensemble.trees),
        "sum_of_depths": sum(tree.max_depth for tree in ensemble.trees),
        "hyperplanes": sum(levels),
        "n_regions": float(count_regions([n + 1 for n in levels])),
        "forest_accuracy": float(np.mean(ensemble.predict(table.X[test]) == table.y[test])),
    }
    for name, depth in (("cart_accuracy", None), ("shallow_cart_accuracy", MAX_DEPTH)):
        cart = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table.X[train], table.y[train])
        row[name] = float(cart.score(table.X[test], table.y[test]))
    return row | {f"new_root_{name}": has_new_root(ensemble, OBJECTIVES[name]) for name in ("D", "L")}


@experiment(
    "bornagain.whole-forests",
    item="Section 4.1",
    title="Forests of ten trees and CART, both grown in full, on the authors' folds",
    cases=lambda: [{"data": data} for data in DATA],
    datasets=data_of,
    seconds=11,
    kind="statistical",
)
def whole_forests(case):
    """Test accuracies of both on every fold, with each seed of `SEEDS`: list of dict."""
    from sklearn.tree import DecisionTreeClassifier

    table, rows = load(case["data"]), []
    for seed in SEEDS:
        for fold, (train, test) in zip(FOLDS, folds(case["data"]), strict=True):
            X, y = table.X[train], table.y[train]
            forest = train_forest(X, y, 100 * seed + fold, max_depth=None)
            cart = DecisionTreeClassifier(random_state=seed).fit(X, y)
            row = {
                "fold": fold,
                "seed": seed,
                "cart_accuracy": float(cart.score(table.X[test], table.y[test])),
            }
            hits = forest.predict(table.X[test]) == table.y[test]
            rows.append(row | {"forest_accuracy": float(np.mean(hits))})
    return rows


@experiment(
    "bornagain.cuts",
    item="Section 4.1",
    title="Where the authors' forests cut the features that the paper bins",
    cases=lambda: [{"data": data} for data in BINNED],
    datasets=lambda case: (*forest_files(case["data"]), binned_file(case["data"])),
    seconds=2,
)
def cuts(case):
    """The least and the largest threshold of the authors' forests of a data set, all folds and features; and
    the levels of each feature in the authors' binned rows, list of int."""
    trees = [tree for fold in FOLDS for tree in authors_forest(case["data"], fold).trees]
    found = np.concatenate([tree.threshold[~tree.is_leaf] for tree in trees])
    binned = np.genfromtxt(datasets.path(binned_file(case["data"])), delimiter=",", skip_header=1)
    levels = [len(np.unique(column)) for column in binned[:, :-1].T]
    return {"least": float(found.min()), "largest": float(found.max()), "levels": levels}


def binned_file(data):
    """Name of the authors' binned rows in ``data/downloads.csv``."""
    stem = DATA[data].partition("/")[2]
    return f"bornagain/{stem}/{stem}.full.csv"


def has_new_root(ensemble, objective):
    """Whether the born-again tree of least depth or fewest leaves asks at its root what no tree of the forest
    asks at its own; None for forests whose search takes long."""
    if build_cells(ensemble).n_regions > MOST_REGIONS:
        return None
    tree = minimise(ensemble, objective).tree
    roots = {(int(one.feature[0]), float(one.threshold[0])) for one in ensemble.trees if one.n_nodes > 1}
    return (int(tree.feature[0]), float(tree.threshold[0])) not in roots


# ---- cells and sentences ----------------------------------------------------------------------------------


@declared("bornagain.t1.{data}.{cell}", {name: name for name in ("n", "p", "k", "cd", "src")})
def data_sets():
    """Table 1, a line a data set."""
    found = kept("bornagain.t1")
    origins = [datasets.info(DATA[data]).origin for data in found["data"]]
    return found.assign(data=found["data"].str.lower(), src=origins)


@judges("bornagain.s4-1.*", "bornagain.f2.caption.*")
def judge_forests():
    """Verdicts on the data and on the authors' forests, read from their sixty files, list of Verdict."""
    found, binned = store.results("bornagain.forests"), store.results("bornagain.cuts").set_index("data")
    levels = {data: list(row.levels) for data, row in binned.iterrows()}
    every = [n for some in levels.values() for n in some]
    source = {"experiment": "bornagain.forests"}
    return [
        judge(
            "bornagain.s4-1.data.ordinal-scales",
            max(every),
            numbers={
                "most": every.count(max(every)),
                "n": len(every),
                "levels": "; ".join(f"{data} {', '.join(map(str, some))}" for data, some in levels.items()),
            },
            experiment="bornagain.cuts",
        ),
        *(_judge_trees(claim, found) for claim in ("s4-1.random-forest.trees", "f2.caption.trees")),
        judge("bornagain.s4-1.random-forest.max-depth", int(found["depth"].max()), **source),
        judge("bornagain.f2.caption.depth", int(found["depth"].max()), **source),
        judge("bornagain.s4-1.random-forest.max-leaves", int(found["leaves"].max()), **source),
        _judge_forests_ahead(found),
    ]


def _judge_trees(claim, found):
    claim = f"bornagain.{claim}"
    printed = int(find(claim).number)
    return judge_statement(
        claim,
        (
            (f"{data}, fold {fold}", n == printed, abs(n - printed))
            for data, fold, n in found[["data", "fold", "trees"]].itertuples(index=False)
        ),
        experiment="bornagain.forests",
    )


def _judge_forests_ahead(found):
    """Whether forests improve on CART significantly on every data set, by the differences over ten folds."""
    from scipy.stats import ttest_rel

    leads = []
    for data, rows in found.groupby("data", sort=False):
        low, high = ttest_rel(rows["forest_accuracy"], rows["cart_accuracy"]).confidence_interval(0.95)
        leads.append((data, 50 * (low + high), 50 * (high - low)))
    means, whole = (
        some.groupby("data").mean(numeric_only=True)
        for some in (found, store.results("bornagain.whole-forests"))
    )
    behind = {
        "grown": means["cart_accuracy"] - means["forest_accuracy"],
        "shallow": means["shallow_cart_accuracy"] - means["forest_accuracy"],
        "both": whole["cart_accuracy"] - whole["forest_accuracy"],
    }
    return judge_leads(
        "bornagain.s4-1.data.forest-beats-cart",
        leads,
        numbers={name: (some < 0).sum() for name, some in behind.items()} | {"n": len(leads)},
        experiment="bornagain.forests",
    )
