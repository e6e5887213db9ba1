"""Growth of the search (Figure 3), theorems tried on small problems, and seconds of the exact engine."""

from dataclasses import asdict
from fractions import Fraction
from time import perf_counter

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.ledger.experiments import TIMING, experiment
from treelib.papers.osdt.exhaustive import try_theorems
from treelib.papers.osdt.search_runs import row, search, warm_up
from treelib.papers.osdt.settings import (
    COPIES,
    DATA,
    FIGURE_7_LAMBDA,
    FIGURE_8,
    LAMBDA,
    MILLION,
    N_PROBLEMS,
    PRICES,
    SEVEN,
    load,
)
from treelib.papers.osdt.trees import optimal_tree
from treelib.sparse.paper.branch_and_bound import branch_and_bound


def _one(case):
    return (DATA[case["data"]],)


def tree_features():
    """Columns of the recidivism data that the optimal tree of Figure 4 reads, in file order."""
    tree = optimal_tree("COMPAS", LAMBDA["COMPAS"]).tree
    return sorted(set(tree.feature[~tree.is_leaf].tolist()))


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
    table, first = load("COMPAS"), tree_features()
    order = first + [column for column in range(table.X.shape[1]) if column not in first]
    columns = order[: case["n_features"]]
    price = Fraction(case["regularization"])
    found = search(table.X[:, columns], table.y, price, convention="paper", warm_start="cart")
    return row(found)


@experiment(
    "osdt.f7.search",
    item="Figure 7",
    title="The paper's search on the data and at the price of Figure 7",
    cases=lambda: [{"data": "COMPAS", "regularization": str(FIGURE_7_LAMBDA)}],
    datasets=_one,
    seconds=1,
)
def figure_7_search(case):
    """One whole search."""
    table = load(case["data"])
    return row(search(table.X, table.y, Fraction(case["regularization"]), convention="paper"))


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


@experiment(
    "osdt.theorems",
    item="Appendices B to F",
    title="The theorems, on all trees of small random problems",
    cases=lambda: [{"n_problems": N_PROBLEMS, "seed": 0}],
    seconds=3,
)
def theorems(case):
    """How often each statement was tried, and how often it failed."""
    tallies = try_theorems(case["n_problems"], case["seed"])
    return [{"statement": name, **asdict(tally)} for name, tally in tallies.items()]


def _timed_problems():
    problems = [(data, price) for data in DATA for price in PRICES]
    problems += [(data, price) for data, (price, _) in FIGURE_8.items()] + list(SEVEN.items())
    return [{"data": data, "regularization": str(price)} for data, price in dict.fromkeys(problems)]


@experiment(
    "osdt.exact-seconds",
    item="Figures 1 and 8",
    title="Seconds in which the exact engine finds and proves the optimal tree",
    cases=_timed_problems,
    datasets=_one,
    seconds=2,
    kind=TIMING,
)
def exact_seconds(case):
    """Whole fits, all compiled and loaded: the least of three."""
    table, price = load(case["data"]), float(Fraction(case["regularization"]))
    OptimalSparseTreeClassifier(price, max_thresholds=10).fit(table.X, table.y)
    seconds = []
    for _ in range(3):
        began = perf_counter()
        OptimalSparseTreeClassifier(price, max_thresholds=10).fit(table.X, table.y)
        seconds.append(perf_counter() - began)
    return {"seconds": min(seconds)}
