"""All methods of the four papers on the data sets of all four, under one protocol (`protocol`).

The forest and its born-again trees have no setting to choose. Public programs for the same problem take part
in `peers`.
"""

import time
import warnings
from copy import copy
from functools import lru_cache, partial
from itertools import product

import numpy as np

from treelib import datasets
from treelib.ledger.experiments import experiment
from treelib.papers.across.comparison.protocol import DATA, N_INNER, PRICES, NoTree, fit_folds, score

ALPHAS, BETAS = (0.5, 1.0, 1.5, 2.0, 3.0), (1.0, 2.0, 4.0)
BORN_AGAIN_SECONDS = 4.0
# a dyadic box is cut in every feature: beyond this the rectangles of one fit no longer fit in seconds
MOST_DYADIC_FEATURES = 9

# key -> name in tables; from "bayesian" on there is nothing to choose
METHODS = {
    "cart": "CART, pruned",
    "exact": "optimal sparse tree",
    "exact-10": "optimal sparse tree, 10 thresholds",
    "dyadic": "optimal dyadic tree",
    "tsallis": "Tsallis, tuned and pruned",
    "bayesian": "Bayesian tree, best",
    "born-again": "born-again tree",
    "born-again-pruned": "born-again tree, pruned",
    "forest": "random forest (10 trees)",
}
# what the optimal sparse trees may cut a column at: everywhere, or where the public programs may too
MAX_THRESHOLDS = {"exact": None, "exact-10": 10}
# method -> the one whose trees are made from its own: one case grows them once for both
MADE_FROM = {"born-again": "born-again-pruned"}


def cases():
    fitted = [method for method in METHODS if method not in MADE_FROM.values()]
    return [{"data": name, "fitted": method, "seed": 0} for name, method in product(DATA, fitted)]


@experiment(
    "family.comparison",
    item="Comparison",
    title="Test error, size and stability of all methods under one protocol",
    cases=cases,
    datasets=lambda case: (case["data"],),
    kind="statistical",
    measured=("fit_seconds", "n_proved"),
    tolerance=0.05,  # a search that a clock stops may end with another tree
    seconds=335,
    memory=2e9,
)
def compare(case):
    """One fitted method on one data set, all outer folds: rows of ``method`` and `protocol.score`."""
    data, method, seed = datasets.load(case["data"]), case["fitted"], case["seed"]
    methods = [method, MADE_FROM[method]] if method in MADE_FROM else [method]
    try:
        if why := not_for(method, data):
            raise NoTree(why)
        folds = fit_folds(partial(fit, method, seed), grid(method), data.X, data.y, seed)
    except NoTree as error:
        return [{"method": name, "not_run": str(error)} for name in methods]
    found = [score(folds, data.X, data.y)]
    if method in MADE_FROM:
        found.append(score([pruned(fold, data.X) for fold in folds], data.X, data.y))
    return [{"method": name, **row} for name, row in zip(methods, found, strict=True)]


def not_for(method, data):
    """Why a method cannot take a data set, or an empty text."""
    if method == "dyadic" and data.X.shape[1] > MOST_DYADIC_FEATURES:
        return f"more than {MOST_DYADIC_FEATURES} features"
    return ""


def grid(method):
    """Settings to choose from, the simplest first; a list of dicts."""
    prices = [{"price": price} for price in PRICES]
    if method == "tsallis":
        return [
            {"alpha": alpha, "beta": beta, **price} for price, alpha, beta in product(prices, ALPHAS, BETAS)
        ]
    return prices if method in ("cart", "dyadic", *MAX_THRESHOLDS) else [{}]


def fit(method, seed, settings, X, y, seconds):
    """Fitted model with ``predict``; a limit that stops a search is no warning here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _fit(method, seed, settings, X, y, seconds)


def _fit(method, seed, settings, X, y, seconds):
    price = settings.get("price")
    if method == "cart":
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(ccp_alpha=price, random_state=seed).fit(X, y)
    if method in MAX_THRESHOLDS:
        from treelib import OptimalSparseTreeClassifier

        most = MAX_THRESHOLDS[method]
        return OptimalSparseTreeClassifier(price, max_thresholds=most, time_limit=seconds).fit(X, y)
    if method == "dyadic":
        from treelib import DyadicTreeClassifier

        return DyadicTreeClassifier(price, time_limit=seconds).fit(X, y)
    if method == "tsallis":
        from treelib.topdown.prune.methods import prune_cost_complexity

        model = copy(_grown(settings["alpha"], settings["beta"], _Rows(X, y)))
        model.tree_ = prune_cost_complexity(model.tree_, price)
        return model
    if method == "bayesian":
        from treelib import BayesianTreeClassifier

        model = BayesianTreeClassifier(prediction="best", n_iter=2000, n_chains=2, random_state=seed)
        return model.fit(X, y)
    forest = _forest(seed).fit(X, y)
    if method == "forest":
        return _Votes(forest)
    from treelib import BornAgainTreeClassifier

    model = BornAgainTreeClassifier(objective="leaves", time_limit=BORN_AGAIN_SECONDS)
    model.from_ensemble(forest)
    if not np.isfinite(model.objective_):
        raise NoTree(f"no tree that decides as the forest within {BORN_AGAIN_SECONDS:g} s")
    return model


class _Rows:
    """Training rows as a key: equal to the very same arrays only."""

    def __init__(self, X, y):
        self.X, self.y = X, y

    def __hash__(self):
        return hash((id(self.X), id(self.y)))

    def __eq__(self, other):
        return self.X is other.X and self.y is other.y


@lru_cache(maxsize=N_INNER * len(ALPHAS) * len(BETAS))
def _grown(alpha, beta, rows):
    """The whole tree of a Tsallis criterion, grown once for all prices: they only prune it."""
    from treelib import TopDownTreeClassifier

    return TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta).fit(rows.X, rows.y)


def pruned(fold, X):
    """A `Fold` of born-again trees without the leaves that no training row reaches."""
    start = time.perf_counter()
    model = _Pruned(fold.model, X[fold.training])
    return fold._replace(model=model, seconds=fold.seconds + time.perf_counter() - start)


def _forest(seed):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(10, max_depth=3, max_features=0.5, random_state=seed)


class _Votes:
    """A forest that decides by majority, as the born-again tree's paper does; scikit-learn takes the mean."""

    def __init__(self, forest):
        from treelib.bornagain.ensemble.reading import as_ensemble

        self.tree_ = as_ensemble(forest)

    def predict(self, X):
        return self.tree_.classes[self.tree_.predict(X)]


class _Pruned:
    """A born-again tree without the leaves that no row of `X` reaches."""

    def __init__(self, model, X):
        from treelib.bornagain.pruned import post_prune

        self.tree_ = post_prune(model.tree_, X)
        self.classes_ = model.classes_

    def predict(self, X):
        return self.classes_[self.tree_.predict(X)]
