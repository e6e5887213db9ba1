"""All methods of the four papers, and others, on the data sets of all four: one protocol.

Five outer folds, the same for every method, give the test error. Inside each outer training set, three inner
folds choose the settings: the lowest mean error, of equals the one named first, which gives the smaller tree.
The forest and its born-again trees have no setting to choose.
"""

import json
import time
import warnings
from functools import cache
from itertools import combinations, product

import numpy as np

from treelib import datasets
from treelib.experiments.registry import experiment

N_OUTER, N_INNER = 5, 3
PRICES = (0.1, 0.05, 0.02, 0.01, 0.005)
ALPHAS, BETAS = (0.5, 1.0, 1.5, 2.0, 3.0), (1.0, 2.0, 4.0)
# seconds for one proof while settings are chosen, and for the final tree
TUNING_SECONDS, FINAL_SECONDS = 0.3, 4.0
BORN_AGAIN_SECONDS = 4.0
# a dyadic box is cut in every feature: beyond this the rectangles of one fit no longer fit in seconds
MOST_DYADIC_FEATURES = 9

# name -> papers that use it; sets that the project may hold, of a size that all methods take
DATA = (
    "compas-binary",
    "fico-binary",
    "tic-tac-toe",
    "car-evaluation",
    "monk1",
    "monk2",
    "monk3",
    "bornagain/Breast-Cancer-Wisconsin/raw",
    "bornagain/Pima-Diabetes/raw",
    "bornagain/Seeds/raw",
    "dyadic/banana",
    "dyadic/breast_cancer",
    "dyadic/flare_solar",
    "dyadic/thyroid",
    "dyadic/titanic",
    "tsallis/iris",
    "tsallis/wine",
    "tsallis/wdbc",
    "tsallis/banknote",
    "tsallis/glass",
)

# key -> name in tables; those after "forest" are not single trees or not tuned
METHODS = {
    "cart": "CART, pruned",
    "exact": "optimal sparse tree",
    "dyadic": "optimal dyadic tree",
    "tsallis": "Tsallis, tuned and pruned",
    "bayesian": "Bayesian tree, best",
    "born-again": "born-again tree",
    "born-again-pruned": "born-again tree, pruned",
    "forest": "random forest (10 trees)",
    "imodels": "imodels FastSmallTree",
}


def cases():
    return [{"data": name, "method": method, "seed": 0} for name, method in product(DATA, METHODS)]


class NotFaithful(Exception):
    """No tree that decides as its forest was found in time."""


@experiment(
    "family.comparison",
    item="Comparison",
    title="Test error, size and stability of all methods under one protocol",
    cases=cases,
    datasets=lambda case: (case["data"],),
    kind="statistical",
    measured=("fit_seconds", "n_proved"),
    tolerance=0.05,  # a search that a clock stops may end with another tree
    seconds=600,
    memory=2e9,
)
def compare(case):
    """One method on one data set, all outer folds.

    Returns
    -------
    dict of lists over the outer folds: ``error`` on the rows left out, ``train_error``, ``leaves``,
    ``depth``, ``chosen`` settings, ``fit_seconds`` of the final fit; and ``agreement``: mean share of all
    rows on which the trees of two folds agree; ``n_proved``: folds whose tree is proved optimal;
    ``not_run``: why, or "".
    """
    data, method = datasets.load(case["data"]), case["method"]
    why = not_for(method, data)
    if why:
        return {"not_run": why}
    try:
        return _compare(method, data.X, data.y, case["seed"])
    except NotFaithful:
        return {"not_run": f"no tree that decides as the forest within {BORN_AGAIN_SECONDS:g} s"}


def _compare(method, X, y, seed):
    from sklearn.model_selection import StratifiedKFold

    out = {name: [] for name in ("error", "train_error", "leaves", "depth", "chosen", "fit_seconds")}
    labels, n_proved = [], 0
    for training, testing in StratifiedKFold(N_OUTER, shuffle=True, random_state=seed).split(X, y):
        settings = choose(method, X[training], y[training], seed)
        start = time.perf_counter()
        model = fit(method, settings, X[training], y[training], seed, FINAL_SECONDS)
        out["fit_seconds"].append(time.perf_counter() - start)
        predicted = model.predict(X)
        out["error"].append(float(np.mean(predicted[testing] != y[testing])))
        out["train_error"].append(float(np.mean(predicted[training] != y[training])))
        leaves, depth = size(model)
        out["leaves"].append(leaves)
        out["depth"].append(depth)
        out["chosen"].append(json.dumps(settings, sort_keys=True))
        n_proved += bool(getattr(model, "is_optimal_", False))
        labels.append(predicted)
    pairs = [np.mean(a == b) for a, b in combinations(labels, 2)]
    return {**out, "agreement": float(np.mean(pairs)), "n_proved": n_proved, "not_run": ""}


def not_for(method, data):
    """Why a method cannot take a data set, or an empty text."""
    if method == "dyadic" and data.X.shape[1] > MOST_DYADIC_FEATURES:
        return f"more than {MOST_DYADIC_FEATURES} features"
    if method == "imodels" and len(data.class_names) > 2:
        return "two classes only"
    return ""


def grid(method):
    """Settings to choose from, the simplest first; a list of dicts."""
    prices = [{"price": price} for price in PRICES]
    if method == "tsallis":
        return [
            {"alpha": alpha, "beta": beta, **price} for price, alpha, beta in product(prices, ALPHAS, BETAS)
        ]
    return prices if method in ("cart", "exact", "dyadic", "imodels") else [{}]


def choose(method, X, y, seed):
    """Settings of least mean error over the inner folds."""
    from sklearn.model_selection import StratifiedKFold

    candidates = grid(method)
    if len(candidates) == 1:
        return candidates[0]
    inner = list(StratifiedKFold(N_INNER, shuffle=True, random_state=seed + 1).split(X, y))
    errors = [
        np.mean(
            [
                np.mean(fit(method, settings, X[a], y[a], seed, TUNING_SECONDS).predict(X[b]) != y[b])
                for a, b in inner
            ]
        )
        for settings in candidates
    ]
    return candidates[int(np.argmin(errors))]


def fit(method, settings, X, y, seed, seconds):
    """Fitted model with ``predict``; a limit that stops a search is no warning here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _fit(method, settings, X, y, seed, seconds)


def _fit(method, settings, X, y, seed, seconds):
    price = settings.get("price")
    if method == "cart":
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(ccp_alpha=price, random_state=seed).fit(X, y)
    if method == "exact":
        from treelib import OptimalSparseTreeClassifier

        return OptimalSparseTreeClassifier(price, time_limit=seconds).fit(X, y)
    if method == "dyadic":
        from treelib import DyadicTreeClassifier

        return DyadicTreeClassifier(price, time_limit=seconds).fit(X, y)
    if method == "tsallis":
        from treelib import TopDownTreeClassifier
        from treelib.topdown.pruning import prune_cost_complexity

        model = TopDownTreeClassifier("tsallis", alpha=settings["alpha"], beta=settings["beta"]).fit(X, y)
        model.tree_ = prune_cost_complexity(model.tree_, price)
        return model
    if method == "bayesian":
        from treelib import BayesianTreeClassifier

        model = BayesianTreeClassifier(prediction="best", n_iter=2000, n_chains=2, random_state=seed)
        return model.fit(X, y)
    if method == "imodels":
        return _Imodels(price, seconds).fit(X, y)
    forest = _forest(seed).fit(X, y)
    if method == "forest":
        return _Votes(forest)
    from treelib import BornAgainTreeClassifier

    model = BornAgainTreeClassifier(objective="leaves", time_limit=BORN_AGAIN_SECONDS)
    model.from_ensemble(forest)
    if not np.isfinite(model.objective_):
        raise NotFaithful
    return model if method == "born-again" else _Pruned(model, X, y)


def _forest(seed):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(10, max_depth=3, max_features=0.5, random_state=seed)


class _Votes:
    """A forest that decides by majority, as the born-again tree's paper does; scikit-learn takes the mean."""

    def __init__(self, forest):
        from treelib.bornagain.forest import as_ensemble

        self.tree_ = as_ensemble(forest)

    def predict(self, X):
        return self.tree_.classes[self.tree_.predict(X)]


class _Pruned:
    """A born-again tree without the leaves that no training row reaches."""

    def __init__(self, model, X, y):
        from treelib.bornagain.post_prune import post_prune

        self.tree_ = post_prune(model.tree_, X)
        self.classes_ = model.classes_

    def predict(self, X):
        return self.classes_[self.tree_.predict(X)]


class _Imodels:
    """imodels' solver of the same objective, on the same candidate columns as ours."""

    def __init__(self, price, seconds):
        self.price, self.seconds = price, seconds

    def fit(self, X, y):
        from imodels import FastSmallTreeClassifier

        from treelib.binarize import Binarizer

        self.binarizer = Binarizer(10)
        columns = self.binarizer.fit_transform(X)
        self.model = FastSmallTreeClassifier(regularization=self.price, time_limit=self.seconds)
        self.model.fit(columns.astype(float), y)
        self.is_optimal_ = bool(self.model.optimal_)
        return self

    @property
    def max_depth(self):
        def depth(node):
            return 0 if "prediction" in node else 1 + max(depth(node["false"]), depth(node["true"]))

        return depth(self.model.tree_)

    @property
    def n_leaves(self):
        def leaves(node):
            return 1 if "prediction" in node else leaves(node["false"]) + leaves(node["true"])

        return leaves(self.model.tree_)

    def predict(self, X):
        return self.model.predict(self.binarizer.transform(X).astype(float))


def size(model):
    """Number of leaves and depth; of a forest the sum and the largest."""
    tree = getattr(model, "tree_", model)
    return int(tree.n_leaves), int(tree.max_depth)


@cache
def nemenyi(n_methods, n_data, level=0.05):
    """Critical difference of mean ranks (Demsar 2006, equation 6): ranks closer than this do not differ."""
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - level, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_data)))
