"""Fitted boosted models of every library and kind that can be read, and forests besides."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier


def two_classes(holes=False, categories=False):
    """Eight columns of a table with two classes; with missing values, or with two columns of categories."""
    return _data(load_breast_cancer, holes, categories)


def three_classes(holes=False):
    return _data(load_wine, holes, False)


def _data(load, holes, categories):
    X, y = load(return_X_y=True)
    X = X[:, :8].copy()
    rng = np.random.default_rng(0)
    if holes:
        X[rng.random(X.shape) < 0.1] = np.nan
    if categories:
        X[:, 0], X[:, 1] = rng.integers(0, 9, len(X)), 3.0 * rng.integers(0, 6, len(X))
        y = (y + (X[:, 0] % 3 == 0) + (X[:, 1] > 7)) % 2
    return X, y


SKLEARN = {
    "binary": (partial(GradientBoostingClassifier, n_estimators=30), two_classes),
    "exponential": (
        partial(GradientBoostingClassifier, n_estimators=20, loss="exponential", init="zero", subsample=0.5),
        two_classes,
    ),
    "three classes": (partial(GradientBoostingClassifier, n_estimators=15), three_classes),
    "histogram": (partial(HistGradientBoostingClassifier, max_iter=20), partial(two_classes, holes=True)),
    "histogram, early": (
        partial(HistGradientBoostingClassifier, max_iter=50, early_stopping=True),
        partial(three_classes, holes=True),
    ),
    "categories": (
        partial(HistGradientBoostingClassifier, max_iter=15, categorical_features=[0, 1]),
        partial(two_classes, categories=True),
    ),
}
# read with these options of `as_ensemble`
FORESTS = {
    "AdaBoost": (
        partial(AdaBoostClassifier, DecisionTreeClassifier(max_depth=2), n_estimators=30),
        three_classes,
        {},
    ),
    "random forest": (partial(RandomForestClassifier, 30, max_depth=5), three_classes, {"voting": "soft"}),
    "extra trees": (partial(ExtraTreesClassifier, 30, max_depth=5), two_classes, {"voting": "soft"}),
    "bagging": (
        partial(BaggingClassifier, DecisionTreeClassifier(max_depth=5), 30),
        three_classes,
        {"voting": "soft"},
    ),
}
XGBOOST = {
    "binary": ({"n_estimators": 40}, partial(two_classes, holes=True)),
    "three classes": ({"n_estimators": 25}, partial(three_classes, holes=True)),
    "softmax": ({"n_estimators": 10, "objective": "multi:softmax"}, three_classes),
    "raw": ({"n_estimators": 10, "objective": "binary:logitraw"}, two_classes),
    "base score": ({"n_estimators": 10, "base_score": 0.123}, two_classes),
    "dart": ({"n_estimators": 25, "booster": "dart", "rate_drop": 0.3}, three_classes),
    "parallel trees": ({"n_estimators": 8, "num_parallel_tree": 3, "subsample": 0.6}, three_classes),
    "early": ({"n_estimators": 200, "early_stopping_rounds": 2}, two_classes),
}
LIGHTGBM = {
    "binary": ({"n_estimators": 30}, partial(two_classes, holes=True)),
    "three classes": ({"n_estimators": 15}, partial(three_classes, holes=True)),
    "zero is missing": ({"n_estimators": 15, "zero_as_missing": True}, partial(two_classes, holes=True)),
    "missing is zero": ({"n_estimators": 15, "use_missing": False}, two_classes),
    "dart": ({"n_estimators": 15, "boosting_type": "dart"}, three_classes),
    "sigmoid": ({"n_estimators": 15, "sigmoid": 0.3}, two_classes),
    "early": ({"n_estimators": 200}, two_classes),
    "categories": (
        {"n_estimators": 15, "min_data_per_group": 1, "cat_smooth": 1, "max_cat_to_onehot": 2},
        partial(two_classes, categories=True),
    ),
}
LIBRARIES = {"scikit-learn": SKLEARN | FORESTS, "xgboost": XGBOOST, "lightgbm": LIGHTGBM}


class Fitted(NamedTuple):
    """A fitted `model`, the `X` it saw, whether it takes `missing` values, and its `scores` (a function of
    rows) or None where the library does not give them; `options` of `as_ensemble`."""

    model: Any
    X: np.ndarray
    missing: bool
    scores: Any
    options: dict


def fitted(library, name):
    """`Fitted` of one of `LIBRARIES`."""
    if library == "scikit-learn":
        make, data, *options = LIBRARIES[library][name]
        X, y = data()
        model = make(random_state=0).fit(X, y)
        scores = None if name in FORESTS else model.decision_function
        takes_missing = isinstance(model, HistGradientBoostingClassifier)
        return Fitted(model, X, takes_missing, scores, options[0] if options else {})
    options, data = LIBRARIES[library][name]
    X, y = data()
    late = (X[::3], np.roll(y, 5)[::3])  # labels that no tree can learn: training soon stops
    if library == "xgboost":
        from xgboost import XGBClassifier

        fit = {"eval_set": [late], "verbose": False} if name == "early" else {}
        model = XGBClassifier(max_depth=3, random_state=0, n_jobs=1, **options).fit(X, y, **fit)
        scores = None if name == "softmax" else partial(model.predict, output_margin=True)
        return Fitted(model, X, True, scores, {})
    from lightgbm import LGBMClassifier, early_stopping

    fit = {"categorical_feature": [0, 1]} if name == "categories" else {}
    if name == "early":
        fit = {"eval_set": [late], "callbacks": [early_stopping(2, verbose=False)]}
    model = LGBMClassifier(verbose=-1, random_state=0, num_threads=1, **options).fit(X, y, **fit)
    return Fitted(model, X, True, partial(model.predict, raw_score=True), {})
