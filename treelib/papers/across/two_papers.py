"""What the papers ask of each other: experiments that need the methods of two of them."""

import numpy as np

from treelib import (
    DyadicTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownTreeClassifier,
    datasets,
)
from treelib.ledger.experiments import experiment
from treelib.topdown.prune.methods import cost_complexity_path

SPARSE_SETS = ("compas-binary", "fico-binary", "tic-tac-toe", "car-evaluation", "monk1", "monk2", "monk3")
NUMERIC_SETS = ("dyadic/banana", "dyadic/thyroid", "dyadic/titanic", "dyadic/flare_solar", "tsallis/iris")
PRICES = (0.1, 0.05, 0.02, 0.01, 0.005)


def half_split(y, seed=0):
    """Rows for training and for testing, bool (n,) each: half and half in every class, by `seed`."""
    rng = np.random.default_rng(seed)
    training = np.zeros(len(y), bool)
    for code in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == code))
        training[rows[: len(rows) // 2]] = True
    return training, ~training


# ---- does restricting splits to midpoints cost accuracy or only size? --------------------------------------


@experiment(
    "family.midpoints",
    item="Splits at midpoints",
    title="Dyadic trees, sparse trees on the dyadic thresholds, and sparse trees on quantiles",
    cases=lambda: [
        {"data": name, "price": price, "seed": seed}
        for name in NUMERIC_SETS
        for price in (0.02, 0.01)
        for seed in range(5)
    ],
    datasets=lambda case: (case["data"],),
    kind="statistical",
    tolerance=1e-6,
    seconds=4,
)
def midpoints(case):
    """One leaf penalty, trained on one half and tested on the other.

    A dyadic tree may cut an interval only in its middle, and a smaller interval only after the larger one.
    The sparse tree on the same thresholds may cut anywhere among them in any order; what it gains is the cost
    of the order. The sparse tree on ten quantiles a feature may cut where the data are.
    """
    data = datasets.load(case["data"])
    training, testing = half_split(data.y, case["seed"])
    X, y = data.X, data.y
    dyadic = DyadicTreeClassifier(case["price"], max_splits=3).fit(X[training], y[training])
    columns = threshold_columns(dyadic.grid_, X)
    same = OptimalSparseTreeClassifier(case["price"], max_thresholds=None, time_limit=30)
    same.fit(columns[training], y[training])
    quantile = OptimalSparseTreeClassifier(case["price"], max_thresholds=7, time_limit=30)
    quantile.fit(X[training], y[training])
    out = {}
    for name, model, table in (("dyadic", dyadic, X), ("same", same, columns), ("quantile", quantile, X)):
        wrong = model.predict(table) != y
        out[f"{name}_leaves"] = int(model.tree_.n_leaves)
        out[f"{name}_train_error"] = float(np.mean(wrong[training]))
        out[f"{name}_test_error"] = float(np.mean(wrong[testing]))
        out[f"{name}_proved"] = bool(model.is_optimal_)
    return out


def threshold_columns(grid, X):
    """0/1 columns "x > threshold" for every threshold of a dyadic grid, float64 (n, n_thresholds)."""
    columns = []
    for feature, n_splits in enumerate(np.asarray(grid.n_splits).tolist()):
        for level in range(n_splits):
            for threshold in np.atleast_1d(grid.threshold(feature, level, np.arange(2**level))):
                columns.append(X[:, feature] > threshold)
    return np.column_stack(columns).astype(float)


# ---- the exact path against the path of cost-complexity pruning -------------------------------------------


@experiment(
    "family.paths",
    item="Two paths",
    title="The exact regularization path against the cost-complexity path of greedy trees, same data",
    cases=lambda: [{"data": name} for name in SPARSE_SETS],
    datasets=lambda case: (case["data"],),
    seconds=4,
)
def two_paths(case):
    """Objectives of both at the same prices of a leaf, on all rows; one row a price.

    Greedy: grown with the Gini criterion until no split helps, then minimal cost-complexity pruning in the
    training error, which is best among the prunings of that one tree.
    """
    data = datasets.load(case["data"])
    X, y = data.X, data.y
    exact = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(
        X, y, min_regularization=min(PRICES)
    )
    greedy = cost_complexity_path(TopDownTreeClassifier().fit(X, y).tree_)
    rows = []
    for price in PRICES:
        best, pruned = exact.at(price), greedy.at(price)
        rows.append(
            {
                "price": price,
                "exact_leaves": int(best.n_leaves),
                "exact_objective": float(best.tree.objective(X, y, price)),
                "greedy_leaves": int(pruned.n_leaves),
                "greedy_objective": float(pruned.objective(X, y, price)),
            }
        )
    return rows


# ---- how many trees are nearly optimal? --------------------------------------------------------------------


@experiment(
    "family.rashomon",
    item="Rashomon sets",
    title="Number of trees within a tolerance of the optimum",
    cases=lambda: [
        {"data": name, "price": 0.02, "epsilon": epsilon, "most": 2000}
        for name in SPARSE_SETS
        for epsilon in (0.0, 0.002, 0.005, 0.01)
    ],
    datasets=lambda case: (case["data"],),
    seconds=5,
)
def rashomon(case):
    """Trees that divide the rows differently and whose objective is at most the optimum + epsilon."""
    data = datasets.load(case["data"])
    model = OptimalSparseTreeClassifier(case["price"], max_thresholds=10, time_limit=20)
    found = model.rashomon_set(data.X, data.y, epsilon=case["epsilon"], max_trees=case["most"])
    used = [set(tree.feature[~tree.is_leaf].tolist()) for tree in found.trees]
    always = set.intersection(*used) if used else set()
    return {
        "n_trees": len(found.trees),
        "complete": bool(found.complete),
        "n_features_used": len(set.union(*used)) if used else 0,
        "n_features_in_all": len(always),
        "fewest_leaves": int(min(tree.n_leaves for tree in found.trees)),
        "most_leaves": int(max(tree.n_leaves for tree in found.trees)),
    }
