"""Fit one method to a table: choose the price of a leaf by cross-validation, and say how good the tree is."""

import time
import warnings
from dataclasses import dataclass

import numpy as np

METHODS = ("sparse", "dyadic", "topdown", "bornagain")

# prices of a leaf that tuning tries, from coarse to fine
PRICES = (0.1, 0.05, 0.025, 0.0125, 0.006, 0.003, 0.0015)
N_FOLDS = 5
FOLD_SECONDS = 2.0  # most for one search on a part of the rows; the final one has the whole time limit


@dataclass
class Fitted:
    """What was fitted, and how it was judged.

    Attributes
    ----------
    table : treelib.owndata.read.OwnTable
    method : str
    model : fitted estimator
    tree : treelib.Tree, named features and classes
    settings : dict, parameters of the estimator that differ from its defaults
    training_error : float
    predicted : array (n,), class that a tree trained without the row's fold gives the row
    fold_error : float (N_FOLDS,), error of each fold
    tuning : list of (price, mean error, standard error, mean number of leaves), empty without tuning
    frontier : list of (n_leaves, training error), from one leaf on; empty where the method has none
    seconds : float, of everything
    notes : list of str
    """

    table: object
    method: str
    model: object
    tree: object
    settings: dict
    training_error: float
    predicted: np.ndarray
    fold_error: np.ndarray
    tuning: list
    frontier: list
    seconds: float
    notes: list

    @property
    def is_proved(self):
        """Whether the tree is proved optimal; None for a method that proves nothing."""
        return getattr(self.model, "is_optimal_", None)


class PrunedTopDown:
    """A tree grown top-down with the Gini criterion until its leaves are pure, then pruned.

    Minimal cost-complexity pruning in the training error: `regularization` is the price of a leaf, in the
    unit of the other methods.
    """

    def __init__(self, regularization):
        self.regularization = regularization

    def __sklearn_tags__(self):
        from treelib import TopDownTreeClassifier

        return TopDownTreeClassifier().__sklearn_tags__()

    def __sklearn_clone__(self):
        return PrunedTopDown(self.regularization)

    def fit(self, X, y):
        from treelib import TopDownTreeClassifier
        from treelib.topdown.pruning import cost_complexity_path

        if not self.regularization >= 0:
            raise ValueError(f"regularization={self.regularization} must be 0 or more.")
        grown = TopDownTreeClassifier().fit(X, y)
        self.classes_ = grown.classes_
        self.path_ = cost_complexity_path(grown.tree_)
        self.tree_ = self.path_.at(self.regularization)
        return self

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]


def make(method, price, time_limit=None, verbose=0):
    """Estimator of a method with a price of a leaf, or None for the method's own default."""
    import treelib

    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown; give one of {', '.join(METHODS)}.")
    if method == "sparse":
        settings = {"regularization": 0.01 if price is None else price, "time_limit": time_limit}
        return treelib.OptimalSparseTreeClassifier(**settings, verbose=verbose)
    if method == "dyadic":
        settings = {"regularization": 0.01 if price is None else price, "time_limit": time_limit}
        return treelib.DyadicTreeClassifier(**settings)
    if method == "topdown":
        return PrunedTopDown(0.01 if price is None else price)
    if price is not None:
        raise ValueError(
            "a born-again tree copies its forest exactly and has no price of a leaf; "
            "leave --regularization and --tune out."
        )
    return treelib.BornAgainTreeClassifier(time_limit=time_limit)


def fit_table(
    table, method="sparse", *, regularization=None, tune=False, time_limit=60.0, seed=0, verbose=0, say=print
):
    """Fit and judge.

    Parameters
    ----------
    table : OwnTable
    method : {"sparse", "dyadic", "topdown", "bornagain"}
    regularization : float or None, price of a leaf; None: 0.01
    tune : bool, choose the price by cross-validation: the highest whose mean error is within one standard
        error of the lowest (Breiman et al. 1984)
    time_limit : float, seconds for the final search; those on folds take `FOLD_SECONDS` at most
    seed : int, of the folds
    verbose : int, 1 shows the proven gap of the last search while it runs
    say : callable of a line of text, told what happens

    Returns
    -------
    Fitted
    """
    from sklearn.model_selection import StratifiedKFold

    start = time.perf_counter()
    X, y = table.X, table.y
    notes = list(table.notes)
    if tune and regularization is not None:
        raise ValueError("give --tune or --regularization, not both.")
    model = make(method, PRICES[0] if tune else regularization, time_limit)
    if X.isna().to_numpy().any() and not model.__sklearn_tags__().input_tags.allow_nan:
        X = X.fillna(X.median())
        notes.append(f"{method} does not take missing values: the median of the column stands for them.")
    smallest = np.unique(y, return_counts=True)[1].min()
    n_folds = int(min(N_FOLDS, smallest))
    folds = []
    if n_folds >= 2:
        folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(X, y))
    else:
        notes.append("A class has a single row, so nothing was cross-validated.")

    tuning = []
    fold_limit = min(time_limit, FOLD_SECONDS)
    if tune:
        if not folds:
            raise ValueError("--tune needs two rows or more of every class.")
        for price in PRICES:
            say(f"price of a leaf {price:g}: {n_folds} folds")
            errors, n_leaves = [], []
            for training, testing in folds:
                one = _fit(make(method, price, fold_limit), X.iloc[training], y[training])
                errors.append(np.mean(one.predict(X.iloc[testing]) != y[testing]))
                n_leaves.append(one.tree_.n_leaves)
            tuning.append(
                (price, np.mean(errors), np.std(errors, ddof=1) / np.sqrt(n_folds), np.mean(n_leaves))
            )
            if _is_rising(tuning):
                break
        lowest = min(tuning, key=lambda line: line[1])
        regularization = max(line[0] for line in tuning if line[1] <= lowest[1] + lowest[2])
        say(f"chosen: {regularization:g}")
        notes.append(
            "The price of a leaf was chosen on the same folds as the cross-validated error, "
            "which is therefore a little too low."
        )

    predicted, fold_error = np.array(y, dtype=object), []
    for i, (training, testing) in enumerate(folds):
        say(f"fold {i + 1} of {n_folds}")
        one = _fit(make(method, regularization, fold_limit), X.iloc[training], y[training])
        predicted[testing] = one.predict(X.iloc[testing])
        fold_error.append(np.mean(predicted[testing] != y[testing]))
    say("all rows")
    model = _fit(make(method, regularization, time_limit, verbose), X, y, notes)
    tree = model.tree_
    if tree.feature_names is None or tree.class_names is None:
        tree = tree.replace(feature_names=tuple(X.columns), class_names=tuple(map(str, model.classes_)))
    training_error = float(np.mean(model.predict(X) != y))
    return Fitted(
        table=table,
        method=method,
        model=model,
        tree=tree,
        settings={} if regularization is None else {"regularization": regularization},
        training_error=training_error,
        predicted=predicted.astype(str),
        fold_error=np.array(fold_error),
        tuning=tuning,
        frontier=_frontier(method, model, X, y, regularization, time_limit, say),
        seconds=time.perf_counter() - start,
        notes=notes,
    )


def _is_rising(tuning):
    """Whether the last two prices were no better than one before: lower ones only take longer."""
    errors = [error for _, error, *_ in tuning]
    return len(errors) > 2 and min(errors[-2:]) >= min(errors[:-2])


def _fit(model, X, y, notes=None):
    """Fit; a limit that stopped the search becomes a note instead of a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    if notes is not None:
        notes += sorted({str(warning.message) for warning in caught})
    return model


def _frontier(method, model, X, y, price, time_limit, say):
    """(leaves, training error) of the trees for all prices of a leaf, from the highest to the one used."""
    if method == "sparse":
        say("all prices of a leaf above")
        price = 0.01 if price is None else price
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # a path that a limit cut short is still a frontier, if not the best
            path = make(method, price, time_limit).regularization_path(X, y, min_regularization=price)
        return [(solution.n_leaves, float(solution.error)) for solution in path.solutions]
    if method == "dyadic":
        return [(solution.n_leaves, float(solution.error)) for solution in model.path_]
    if method == "topdown":
        path, codes = model.path_, np.searchsorted(model.classes_, y)
        errors = path.errors(X.to_numpy(), codes)
        last = path.piece(model.regularization)
        return [(int(path.n_leaves[i]), float(errors[i])) for i in range(len(path) - 1, last - 1, -1)]
    return []
