"""The methods that `treelib fit` offers, all with ``fit``, ``predict`` and ``tree_``."""

from functools import cached_property
from importlib import import_module

import numpy as np

from treelib.search.budget import COMPLETE, OPTIMAL, Budget
from treelib.table.checks import check_choice

METHODS = ("sparse", "dyadic", "topdown", "bornagain")

# Of a boosted model: its born-again tree is proved, with tens to hundreds of leaves. Of 10 rounds of depth 3
# it has 20,000 leaves on the wine data, more than anybody reads.
_ROUNDS, _DEPTH = 5, 2
_BOOSTED = {"max_depth": _DEPTH, "n_estimators": _ROUNDS}
_BY_HISTOGRAMS = {"max_depth": _DEPTH, "max_iter": _ROUNDS}
# what a born-again tree can be made of: name -> (words of the report, module, class, its parameters)
_MADE_OF = {
    "forest": ("a random forest", "", "", {}),  # `BornAgainTreeClassifier` trains it by itself
    "gradient-boosting": (
        "gradient boosting (scikit-learn)",
        "sklearn.ensemble",
        "GradientBoostingClassifier",
        _BOOSTED,
    ),
    "hist-gradient-boosting": (
        "histogram gradient boosting (scikit-learn)",
        "sklearn.ensemble",
        "HistGradientBoostingClassifier",
        _BY_HISTOGRAMS,
    ),
    "xgboost": ("XGBoost", "xgboost", "XGBClassifier", _BOOSTED),
    "lightgbm": ("LightGBM", "lightgbm", "LGBMClassifier", _BOOSTED | {"verbose": -1}),
}
ENSEMBLES = {name: words for name, (words, *_) in _MADE_OF.items()}
_OF_FLOAT64 = (ENSEMBLES["hist-gradient-boosting"], ENSEMBLES["lightgbm"])
PROOF_SECONDS = 10.0  # of the certificate of a born-again tree


def make(
    method,
    price,
    time_limit=None,
    seed=0,
    verbose=0,
    ensemble="forest",
    class_weight=None,
    constraints=None,
    start=None,
):
    """Unfitted model.

    Parameters
    ----------
    method : one of `METHODS`
    price : float, of a leaf; None for "bornagain", whose trees have none
    time_limit : float or None, seconds of its search
    seed : int, of the ensemble behind a born-again tree
    verbose : int, 1 shows the search while it runs
    ensemble : one of `ENSEMBLES`, behind a born-again tree
    class_weight : None, "balanced", or dict of class -> factor; not for "bornagain"
    constraints : dict, `treelib.owndata.constraints.Constraints.options`, or None
    start : Tree or None, of "sparse", over its candidate tests of the same rows: what is found is no worse
    """
    import treelib

    constraints = constraints or {}

    if method == "sparse":
        from treelib.owndata.guided import GuidedTree

        return GuidedTree(price, time_limit, verbose, class_weight, start, **constraints)
    if method == "dyadic":
        return treelib.DyadicTreeClassifier(
            price, time_limit=time_limit, verbose=verbose, class_weight=class_weight
        )
    if method == "topdown":
        return PrunedTopDown(price, class_weight, time_limit, **constraints)
    unfitted = unfitted_ensemble(ensemble, seed)
    model = treelib.BornAgainTreeClassifier(
        unfitted, time_limit=time_limit, random_state=seed, verbose=verbose
    )
    return FilledBornAgain(model, ENSEMBLES[ensemble])


def unfitted_ensemble(name, seed):
    """Unfitted model of 5 rounds of trees of depth 2, or None for the forest that
    `BornAgainTreeClassifier` trains by itself.

    Raises
    ------
    ValueError
        Where its library is not installed.
    """
    check_choice("ensemble", name, ENSEMBLES)
    words, module, kind, parameters = _MADE_OF[name]
    if not module:
        return None
    try:
        return getattr(import_module(module), kind)(random_state=seed, **parameters)
    except ImportError:
        raise ValueError(
            f"{words} is not installed: `pip install treelib-companion[boost]`, or choose another ensemble."
        ) from None


class PrunedTopDown:
    """A tree grown top-down with the Gini criterion until its leaves are pure, then pruned.

    Minimal cost-complexity pruning in the training error: `price` is that of a leaf, in the unit of the other
    methods.
    """

    def __init__(
        self, price, class_weight=None, time_limit=None, allowed_features=None, quantiles=None, **limits
    ):
        self.price = price
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.allowed = allowed_features
        self.limits = limits  # of depth, leaves, and rows of a leaf, while it grows; quantiles: it tries all

    def fit(self, X, y, weights=None):
        from treelib import TopDownTreeClassifier
        from treelib.topdown.prune.methods import cost_complexity_path

        if not self.price >= 0:
            raise ValueError(f"regularization={self.price} must be 0 or more.")
        if self.allowed is not None:
            X = X.assign(**dict.fromkeys(X.columns.difference(self.allowed), 0.0))
        limits = self.limits | {"time_limit": self.time_limit if np.isfinite(self.time_limit or 1) else None}
        grown = TopDownTreeClassifier(class_weight=self.class_weight, **limits).fit(X, y, weights)
        self.classes_, self.status_ = grown.classes_, grown.status_
        self.path_ = cost_complexity_path(grown.tree_)
        self.tree_ = self.path_.at(self.price)
        return self

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]


def has_path(constraints):
    """Whether one search gives optimal trees under constraints for all prices at once."""
    return set(constraints) <= {"allowed_features", "quantiles", "max_depth", "max_leaf_nodes"}


class OnPath:
    """A tree of a path as a fitted model.

    Parameters
    ----------
    tree : Tree. classes : array, of its codes. objective : float
    is_optimal : bool, whether it is proved the best at its price
    depth : int or None, the greatest depth of the trees that the proof is about
    quantiles : int or None, thresholds a column
    """

    def __init__(self, tree, classes, objective, is_optimal, depth, quantiles=None):
        self.tree_, self.classes_ = tree, classes
        self.objective_, self.lower_bound_ = objective, objective if is_optimal else 0.0
        self.is_optimal_, self.status_ = is_optimal, OPTIMAL if is_optimal else COMPLETE
        self.depth, self.quantiles = depth, quantiles

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]


class FilledBornAgain:
    """A born-again tree that takes missing values: the training median of the column stands for them.

    Its splits send a missing value where they send the median, so the tree needs no filled table.
    """

    def __init__(self, model, source=ENSEMBLES["forest"]):
        self.model = model
        self.source = source

    def fit(self, X, y, weights=None):
        if self.source not in _OF_FLOAT64:
            large = X.columns[(X.abs() > np.finfo(np.float32).max).any().to_numpy()]
            if len(large):
                raise ValueError(
                    f"{', '.join(map(str, large[:5]))}: values beyond 3.4e38, but {self.source} rounds to "
                    "float32; change the unit of the column, or leave it out with --drop."
                )
        medians = X.median().fillna(0.0)
        # XGBoost takes no labels but 0, 1, 2, ...
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.model.fit(X.fillna(medians), codes, weights)
        tree = self.model.tree_
        inner, goes_left = ~tree.is_leaf, np.zeros(tree.n_nodes, np.uint8)
        goes_left[inner] = medians.to_numpy()[tree.feature[inner]] <= tree.threshold[inner]
        self.tree_ = tree.replace(
            missing_go_to_left=goes_left,
            features_with_missing=np.flatnonzero(X.isna().any()),
            refuses_missing=False,
            class_names=tuple(map(str, self.classes_)),
        )
        self.is_optimal_, self.status_ = self.model.is_optimal_, self.model.status_
        return self

    @cached_property
    def certificate_(self):
        """`Certificate` of the tree and the ensemble behind it, looked for in `PROOF_SECONDS`."""
        return self.model.certify(budget=Budget(PROOF_SECONDS))

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]
