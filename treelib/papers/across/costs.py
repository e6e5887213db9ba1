"""What a fit of each estimator costs, against rows, columns and the leaf penalty, one axis at a time."""

import time
import warnings

import numpy as np

from treelib.ledger.experiments import experiment

TIME_LIMIT = 4.0
RUNS = 2  # the least counts; one of a fit that its limit of time stopped, which takes as long again
ROWS, PRICE = 2000, 0.01
LEVELS = 6  # different values of a column
# key -> columns where another axis varies: boxes of dyadic trees are cut in every column
METHODS = {"exact": 6, "dyadic": 3, "topdown": 6, "born-again": 6, "bayesian": 6}
PRICED = ("exact", "dyadic")
AXES = {
    "rows": (1000, 10_000, 100_000),
    "columns": (3, 6, 12, 24),
    "price": (0.05, 0.02, 0.01, 0.005, 0.002),
}
DYADIC_COLUMNS = (2, 3, 4, 5)


def cases():
    return [
        {"method": method, "axis": axis, "x": x}
        for method in METHODS
        for axis, values in AXES.items()
        if axis != "price" or method in PRICED
        for x in (DYADIC_COLUMNS if (method, axis) == ("dyadic", "columns") else values)
    ]


@experiment(
    "family.costs",
    item="Costs",
    title="Seconds of a fit against rows, columns and the leaf penalty",
    cases=cases,
    kind="timing",
    measured=("leaves", "stopped"),  # a clock may stop a search
    seconds=11,
)
def costs(case):
    """One estimator at one point.

    Returns
    -------
    dict: ``fit_seconds``, the least of `RUNS` fits after one that compiles; ``leaves``; ``stopped``: whether
    a search ended without its proof, for the limit of time or of memory
    """
    method, axis = case["method"], case["axis"]
    n = case["x"] if axis == "rows" else ROWS
    p = case["x"] if axis == "columns" else METHODS[method]
    price = case["x"] if axis == "price" else PRICE
    # compiles; few columns, since a fit without a limit must be an easy one
    fitted(method, *problem(200, min(p, METHODS[method])), PRICE, limit=600)
    X, y = problem(n, p)
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        model = fitted(method, X, y, price)
        seconds.append(time.perf_counter() - start)
        if seconds[-1] >= TIME_LIMIT:
            break
    return {
        "fit_seconds": min(seconds),
        "leaves": int(model.tree_.n_leaves),
        "stopped": not getattr(model, "is_optimal_", True),
    }


def problem(n, p):
    """Whole numbers below `LEVELS` and two classes: a tree over two columns, with one label in ten turned.

    Returns
    -------
    X : (n, p) float64
    y : (n,) intp
    """
    rng = np.random.default_rng(0)
    X = rng.integers(0, LEVELS, (n, p)).astype(float)
    y = (X[:, 0] > 1) ^ (X[:, 1] > 3) ^ (rng.random(n) < 0.1)
    return X, y.astype(np.intp)


def fitted(method, X, y, price, limit=TIME_LIMIT):
    """The estimator after its fit; for a born-again tree that of its forest is part of it."""
    import treelib

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a limit stopped a search is in the result
        if method == "exact":
            return treelib.OptimalSparseTreeClassifier(price, max_thresholds=10, time_limit=limit).fit(X, y)
        if method == "dyadic":
            return treelib.DyadicTreeClassifier(price, time_limit=limit).fit(X, y)
        if method == "topdown":
            return treelib.TopDownTreeClassifier().fit(X, y)
        if method == "bayesian":
            return treelib.BayesianTreeClassifier(n_iter=500, n_chains=1, random_state=0).fit(X, y)
        from sklearn.ensemble import RandomForestClassifier

        # the forest of the born-again paper
        forest = RandomForestClassifier(10, max_depth=3, max_features=0.5, random_state=0)
        return treelib.BornAgainTreeClassifier(forest, time_limit=limit).fit(X, y)
