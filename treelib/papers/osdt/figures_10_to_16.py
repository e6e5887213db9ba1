"""Figures 10 to 16: optimal sparse trees, CART and BinOCT on the paper's ten folds."""

from fractions import Fraction
from functools import cache

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import RANDOM, WHOLE, by_id, judge_statement, judges, redrawn
from treelib.papers.osdt.exhaustive import levels_found
from treelib.papers.osdt.figure_1 import Point
from treelib.papers.osdt.settings import DATA, PRICES, data_of, load
from treelib.papers.osdt.text import algorithm_1
from treelib.papers.osdt.trees import optimal_tree
from treelib.sparse.binoct.fit import binoct

# the folds of the authors' program: samples in file order, shuffled with this seed
N_FOLDS, FOLD_SEED = 10, 2018
FOLD_DEPTH, FOLD_SECONDS = 2, 0.5
N_LEVEL_PROBLEMS = 100
LEAST_PRICE = Fraction(3, 1000)  # of a leaf, where the path on the car data ends
FIGURES = {
    data: 10 + i for i, data in enumerate(("COMPAS", "FICO", "Tic-Tac-Toe", "Car", "Monk1", "Monk2", "Monk3"))
}


def _cut(table):
    """The paper's ten folds, each once: (number, training rows, test rows)."""
    from sklearn.model_selection import KFold

    folds = KFold(N_FOLDS, shuffle=True, random_state=FOLD_SEED).split(table.X)
    return ((fold, *parts) for fold, parts in enumerate(folds, start=1))


def _accuracies(model, table, train, test):
    """Accuracy in percent of a tree or a fitted model: dict of "train" and "test"."""
    parts = {"train": train, "test": test}
    right = {part: model.predict(table.X[rows]) == table.y[rows] for part, rows in parts.items()}
    return {part: 100 * float(np.mean(some)) for part, some in right.items()}


def _cart(table, rows, n_leaves):
    """CART grown on some rows to at most so many leaves."""
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0)
    return model.fit(table.X[rows], table.y[rows])


def cross_validate(data, depth, regularization=Fraction(0), time_limit=1.0):
    """Ten folds as the paper cut them: list of dicts with ``fold``, ``train`` and ``test`` accuracy in
    percent, ``leaves``, ``status`` and ``seconds``; Figures 10 to 16."""
    table, rows = load(data), []
    limits = {"regularization": float(regularization), "time_limit": time_limit}
    for fold, train, test in _cut(table):
        result = binoct(table.X[train], table.y[train], depth, **limits)
        row = {"data": data, "fold": fold, **_accuracies(result.tree, table, train, test)}
        row |= {"leaves": result.tree.n_leaves, "status": result.status, "seconds": result.stats["seconds"]}
        rows.append(row)
    return rows


@experiment(
    "osdt.f10",
    item="Figures 10 to 16",
    title="Optimal trees, and CART with as many leaves, on the paper's ten folds",
    cases=lambda: [{"data": data} for data in DATA],
    datasets=data_of,
    seconds=3,
)
def figures_10_to_16(case):
    """Training and test accuracy in percent, one row a fold, price and method."""
    table, rows = load(case["data"]), []
    for fold, train, test in _cut(table):
        for price in PRICES:
            sparse = OptimalSparseTreeClassifier(float(price), max_thresholds=10)
            sparse.fit(table.X[train], table.y[train])
            greedy = _cart(table, train, max(sparse.get_n_leaves(), 2))
            for method, model in (("osdt", sparse), ("cart", greedy)):
                row = {"method": method, "leaves": int(model.get_n_leaves())}
                row |= _accuracies(model, table, train, test)
                rows.append(row | {"fold": fold, "price": str(price)})
    return rows


@experiment(
    "osdt.f10.binoct",
    item="Figures 10 to 16",
    title="BinOCT on the paper's ten folds",
    cases=lambda: [{"data": data, "depth": FOLD_DEPTH, "time_limit": FOLD_SECONDS} for data in DATA],
    datasets=data_of,
    seconds=30,
    measured=("train", "test", "leaves", "status"),
)
def figures_10_to_16_binoct(case):
    """Training and test accuracy in percent, one row a fold."""
    return cross_validate(case["data"], case["depth"], time_limit=case["time_limit"])


@experiment(
    "osdt.f10.car",
    item="Figure 13",
    title="All optimal trees of the car data down to a low price, and CART with as many leaves, on ten folds",
    cases=lambda: [{"data": "Car", "least_price": str(LEAST_PRICE)}],
    datasets=data_of,
    seconds=4,
)
def figure_13(case):
    """Gain of each optimal tree of the path over CART, percentage points in training and test: list of
    dict."""
    table, rows = load(case["data"]), []
    for fold, train, test in _cut(table):
        path = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(
            table.X[train], table.y[train], min_regularization=Fraction(case["least_price"])
        )
        for solution in path.solutions[1:]:  # the first is a single leaf
            greedy = _accuracies(_cart(table, train, solution.n_leaves), table, train, test)
            own = _accuracies(solution.tree, table, train, test)
            gain = {part: own[part] - greedy[part] for part in own}
            rows.append({"fold": fold, "leaves": solution.n_leaves, **gain})
    return rows


@cache
def folds(data):
    """Training and test accuracy on the paper's ten folds, list of `Point`.

    CART gets as many leaves as the optimal tree of the same fold and price: equal sparsity.
    """
    [(_, rows)] = store.outcomes("osdt.f10", cases=[{"data": data}])
    points = [
        Point(row["method"], row["leaves"], row["train"], row["test"], row["fold"], Fraction(row["price"]))
        for row in rows
    ]
    for _, rows in store.outcomes("osdt.f10.binoct"):
        points += [
            Point("binoct", row["leaves"], row["train"], row["test"], row["fold"])
            for row in rows
            if row["data"] == data
        ]
    return points


def fold_means(data):
    """Means over the folds: list of (method, price or None, leaves, training, test accuracy)."""
    groups = {}
    for point in folds(data):
        groups.setdefault((point.method, point.price), []).append(point)
    return [
        (
            method,
            price,
            float(np.mean([point.n_leaves for point in points])),
            float(np.mean([point.train for point in points])),
            float(np.mean([point.test for point in points])),
        )
        for (method, price), points in groups.items()
    ]


def gain_over_cart(data):
    """Mean gain of the optimal trees over CART at equal sparsity, (training, test) in percentage points."""
    means = {(method, price): (train, test) for method, price, _, train, test in fold_means(data)}
    gains = [np.subtract(means["osdt", price], means["cart", price]) for price in PRICES]
    return tuple(float(gain) for gain in np.mean(gains, axis=0))


# ---- verdicts ---------------------------------------------------------------------------------------------


def pairs(data):
    """Folds and prices where the optimal tree beats CART in training at as many leaves, with the gain on the
    test fold: list of (case, gain in percentage points)."""
    found = {(point.method, point.fold, point.price): point for point in folds(data) if point.price}
    both = [(found["osdt", fold, price], found["cart", fold, price]) for _, fold, price in found]
    both = {(best.fold, best.price): (best, cart) for best, cart in both}.values()
    return [
        (f"{data}, fold {best.fold}, {float(best.price):g}", best.test - cart.test)
        for best, cart in both
        if best.train > cart.train + 1e-9
    ]


@judges("osdt.f1?.*", "osdt.sl.*")
def judge_folds():
    """Verdicts on Figures 10 to 16, dict of claim id to Verdict."""
    gains, tried = ({data: of(data) for data in DATA} for of in (gain_over_cart, pairs))
    told = [pair for some in tried.values() for pair in some if pair[1]]
    source = store.source("osdt.f10")
    return by_id(
        *(
            redrawn(
                f"osdt.f{number}.description.panels",
                numbers={"data": data},
                **store.source("osdt.f10", data=data),
            )
            for data, number in FIGURES.items()
        ),
        judge_statement(
            "osdt.sl.cross-validation.claim",
            (
                (f"{data}: {sum(map(_up, some))} up, {sum(map(_down, some))} down", _tends(some))
                for data, some in tried.items()
            ),
            how=WHOLE,
            numbers={
                "up": sum(map(_up, told)),
                "n": len(told),
                "even": sum(map(len, tried.values())) - len(told),
                "gains": ", ".join(
                    f"{data} {train:+.1f}/{test:+.1f}" for data, (train, test) in gains.items()
                ),
            },
            **source,
        ),
        _judge_car(),
        _judge_levels(),
        judge_statement(
            "osdt.sl.certificate.claim",
            [
                *algorithm_1.trials(algorithm_1.CERTIFICATE),
                (
                    (f"{data}, {float(price):g}", abs(float(tree.objective) - tree.lower_bound) <= 1e-9)
                    for data in DATA
                    for price in PRICES
                    for tree in (optimal_tree(data, price),)
                ),
            ],
            **store.source("osdt.algorithm-1"),
        ),
    )


def _up(pair):
    return pair[1] > 0


def _down(pair):
    return pair[1] < 0


def _tends(some):
    return sum(map(_up, some)) > sum(map(_down, some))


def _judge_car():
    """The car data, by all optimal trees down to a low price: the paper's are among them."""
    [(asked, rows)] = store.outcomes("osdt.f10.car")
    higher = [row for row in rows if row["train"] > 1e-9]
    return judge_statement(
        "osdt.sl.cross-validation.car",
        (
            (f"fold {row['fold']}, {row['leaves']} leaves", row["train"] > 1e-9 and row["test"] > 1e-9)
            for row in rows
        ),
        how=WHOLE,
        numbers={
            "price": float(Fraction(asked["least_price"])),
            "as_good": len(rows) - len(higher),
            "n": len(rows),
            "share": len(higher) / len(rows),
            "better": sum(row["test"] > 1e-9 for row in higher),
            "higher": len(higher),
        },
        **store.source("osdt.f10.car"),
    )


@experiment(
    "osdt.levels",
    item="Appendix L text",
    title="Numbers of leaves that some leaf penalty finds, on small problems",
    cases=lambda: [{"n_problems": N_LEVEL_PROBLEMS}],
    seconds=1,
)
def levels(case):
    """Whether a price finds each number of leaves at which fewer errors are possible, list of dict."""
    found = (result for seed in range(case["n_problems"]) for result in levels_found(seed))
    return [{"level": text, "is_found": bool(held)} for text, held in found]


def _judge_levels():
    [(_, rows)] = store.outcomes("osdt.levels")
    found = [(row["level"], row["is_found"]) for row in rows]
    source = store.source("osdt.levels", n_problems=N_LEVEL_PROBLEMS)
    return judge_statement("osdt.sl.regularization.every-level", found, how=RANDOM, **source)
