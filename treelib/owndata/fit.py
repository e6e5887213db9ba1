"""Fit one method to a table: choose the price of a leaf by cross-validation, and say how good the tree is."""

import time
import warnings
from dataclasses import dataclass, field

import numpy as np

from treelib.checks import check_choice
from treelib.owndata.methods import METHODS, make

DEFAULT_PRICE = 0.01
# prices of a leaf that tuning tries, from coarse to fine
PRICES = (0.1, 0.05, 0.025, 0.0125, 0.006, 0.003, 0.0015)
N_FOLDS = 5
FOLD_SECONDS = 2.0  # most for one search on a part of the rows; the final one has the whole time limit


@dataclass
class Judged:
    """What cross-validation says of one price of a leaf.

    Attributes
    ----------
    predicted : array (n,), class that a tree trained without the row's fold gives the row
    errors : float (n_folds,), error of each fold
    n_leaves : float, mean over the folds
    n_stopped : int, folds whose search a limit stopped
    gap : float or None, the largest proven gap of a fold; None for a method without proof
    """

    predicted: np.ndarray
    errors: np.ndarray
    n_leaves: float
    n_stopped: int
    gap: float | None = None

    @property
    def error(self):
        return float(self.errors.mean())

    @property
    def standard_error(self):
        return float(self.errors.std(ddof=1) / np.sqrt(len(self.errors)))


@dataclass
class Fitted:
    """What was fitted, and how it was judged.

    Attributes
    ----------
    table : treelib.owndata.read.OwnTable
    method : str
    model : fitted estimator
    tree : treelib.Tree, named features and classes
    price : float, of a leaf; None for a born-again tree
    training_error : float
    judged : Judged, or None where the table is too small
    tuning : list of (price, Judged), empty without tuning
    frontier : list of (n_leaves, training error), from one leaf on; empty where the method has none
    frontier_is_proved : bool, whether no tree with as many leaves has a smaller training error
    seconds : float, of everything
    notes : list of str
    """

    table: object
    method: str
    model: object
    tree: object
    price: float | None
    training_error: float
    judged: Judged | None
    tuning: list = field(default_factory=list)
    frontier: list = field(default_factory=list)
    frontier_is_proved: bool = False
    seconds: float = 0.0
    notes: list = field(default_factory=list)

    @property
    def is_proved(self):
        """Whether the tree is proved optimal; None for a method that proves nothing."""
        return getattr(self.model, "is_optimal_", None)


def fit_table(
    table,
    method="sparse",
    *,
    regularization=None,
    tune=False,
    time_limit=60.0,
    seed=0,
    verbose=0,
    say=print,
    ensemble="forest",
):
    """Fit and judge.

    Parameters
    ----------
    table : OwnTable
    method : {"sparse", "dyadic", "topdown", "bornagain"}
    regularization : float or None, price of a leaf; None: `DEFAULT_PRICE`
    tune : bool, choose the price by cross-validation: the highest whose mean error is within one standard
        error of the lowest (Breiman et al. 1984)
    time_limit : float, seconds for the final search and the frontier; searches on folds take `FOLD_SECONDS`
        at most
    seed : int, of the folds and of the ensemble behind a born-again tree
    verbose : int, 1 shows the proven gap of the last search while it runs
    say : callable of a line of text, told what happens
    ensemble : one of `treelib.owndata.methods.ENSEMBLES`, behind a born-again tree

    Returns
    -------
    Fitted
    """
    start = time.perf_counter()
    price = _first_price(method, regularization, tune)
    if ensemble != "forest" and method != "bornagain":
        raise ValueError(f"--ensemble {ensemble} is for --method bornagain.")
    X, y = table.X, table.y
    folds = _folds(y, seed)
    notes = _notes_on(table, method, len(folds))

    def cross_validate(price):
        limit = min(time_limit, FOLD_SECONDS)
        return _cross_validate(lambda: make(method, price, limit, seed, ensemble=ensemble), X, y, folds)

    tuning, judged = [], None
    if tune:
        tuning = _tune(cross_validate, folds, say)
        price, judged = _highest_within_one_standard_error(tuning)
        say(f"chosen: {price:g}")
        notes.append(
            "The price of a leaf was chosen on the same folds as the cross-validated error, "
            "which is therefore a little too low."
        )
    elif folds:
        say(f"{len(folds)} folds")
        judged = cross_validate(price)
    notes += _notes_on_judging(judged, min(time_limit, FOLD_SECONDS))
    say("all rows")
    began = time.perf_counter()
    model, warned = _fit(make(method, price, time_limit, seed, verbose, ensemble), X, y)
    left = max(time_limit - (time.perf_counter() - began), FOLD_SECONDS)
    frontier, is_proved = _frontier(method, model, X, y, price, left, say)
    notes += _notes_on_greedy(method, model, X, y, price)
    tree = model.tree_
    if tree.feature_names is None or tree.class_names is None:
        tree = tree.replace(feature_names=tuple(X.columns), class_names=tuple(map(str, model.classes_)))
    return Fitted(
        table=table,
        method=method,
        model=model,
        tree=tree,
        price=price,
        training_error=float(np.mean(model.predict(X) != y)),
        judged=judged,
        tuning=tuning,
        frontier=frontier,
        frontier_is_proved=is_proved,
        seconds=time.perf_counter() - start,
        notes=notes + warned,
    )


def _first_price(method, regularization, tune):
    """The price of a leaf before any tuning; ValueError where the wishes do not go together."""
    check_choice("method", method, METHODS)
    if tune and regularization is not None:
        raise ValueError("give --tune or --regularization, not both.")
    if method != "bornagain":
        return DEFAULT_PRICE if regularization is None else regularization
    if tune or regularization is not None:
        raise ValueError(
            "a born-again tree copies its ensemble exactly and has no price of a leaf; "
            "leave --regularization and --tune out."
        )
    return None


def _notes_on(table, method, n_folds):
    notes = list(table.notes)
    if method == "bornagain" and table.X.isna().to_numpy().any():
        notes.append("The ensemble was given no missing values: the median of the column stands for them.")
    classes, counts = np.unique(table.y, return_counts=True)
    rare = [str(name) for name in classes[counts < n_folds]]
    if rare:
        notes.append(
            f"Fewer than {n_folds} rows have the class {', '.join(rare)}: some folds lack it, and its error "
            "is hardly known."
        )
    return notes


def _notes_on_judging(judged, limit):
    if judged is None:
        return ["Too few rows of every class: nothing was cross-validated."]
    if judged.n_stopped:
        return [
            f"On {judged.n_stopped} of {len(judged.errors)} folds the search was stopped after {limit:g} s; "
            "the error on rows left out is that of the trees found by then."
        ]
    return []


def _notes_on_greedy(method, model, X, y, price):
    """The tests that a method tries are not all there are: say so where greedy growth finds a better tree."""
    if method not in ("sparse", "dyadic"):
        return []
    found, greedy = (
        (np.mean(one.predict(X) != y), one.tree_.n_leaves)
        for one in (model, make("topdown", float(price)).fit(X, y))
    )
    if greedy[0] + price * greedy[1] > found[0] + price * (found[1] - 0.5):  # less than half a leaf better
        return []
    return [
        f"A greedy tree, which may cut at any value and send missing values to either side, has {greedy[1]} "
        f"leaves and {100 * greedy[0]:.2f} % training error at the same price: compare --method topdown."
    ]


def _folds(y, seed):
    """(training rows, rows left out) of stratified folds; an empty list where there are too few rows."""
    from sklearn.model_selection import StratifiedKFold

    n_folds = int(min(N_FOLDS, np.unique(y, return_counts=True)[1].max()))
    if n_folds < 2:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class with fewer rows than folds: `_notes_on` says so
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y))


def _cross_validate(unfitted, X, y, folds):
    predicted, errors, n_leaves, n_stopped, gaps = np.array(y, dtype=object), [], [], 0, []
    for training, testing in folds:
        model, _ = _fit(unfitted(), X.iloc[training], y[training])
        predicted[testing] = model.predict(X.iloc[testing])
        errors.append(np.mean(predicted[testing] != y[testing]))
        n_leaves.append(model.tree_.n_leaves)
        n_stopped += not getattr(model, "is_optimal_", True)
        gaps += [float(model.gap_)] if hasattr(model, "gap_") else []
    gap = max(gaps, default=None)
    return Judged(predicted.astype(str), np.array(errors), float(np.mean(n_leaves)), n_stopped, gap)


def _tune(cross_validate, folds, say):
    """(price, Judged) of `PRICES`, until two in a row are no better than one before: lower ones only take
    longer."""
    if not folds:
        raise ValueError("--tune needs two rows or more of a class.")
    tuning = []
    for price in PRICES:
        say(f"price of a leaf {price:g}: {len(folds)} folds")
        tuning.append((price, cross_validate(price)))
        say(f"    {_summary(tuning[-1][1])}")
        errors = [judged.error for _, judged in tuning]
        if len(errors) > 2 and min(errors[-2:]) >= min(errors[:-2]):
            break
    return tuning


def _summary(judged):
    text = f"error {100 * judged.error:.2f} %, {judged.n_leaves:.1f} leaves"
    if judged.gap is None:
        return text
    if not judged.n_stopped:
        return f"{text}, all proved"
    return f"{text}, gap up to {100 * judged.gap:.1f} %"


def _highest_within_one_standard_error(tuning):
    lowest = min((judged for _, judged in tuning), key=lambda judged: judged.error)
    allowed = lowest.error + lowest.standard_error
    return max((line for line in tuning if line[1].error <= allowed), key=lambda line: line[0])


def _fit(model, X, y):
    """Fit; returns the model, and as text the warnings, such as of a limit that stopped the search."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return model, sorted({str(warning.message) for warning in caught})


def _frontier(method, model, X, y, price, time_limit, say):
    """(leaves, training error) of the trees for all prices from the highest to `price`, and whether these
    are proved."""
    if method == "sparse":
        say("all higher prices of a leaf")
        unfitted = make(method, price, time_limit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: the report says so instead
            path = unfitted.regularization_path(X, y, min_regularization=price)
        return _points(path.solutions), path.is_optimal
    if method == "dyadic":
        return _points(model.path_), model.path_.is_optimal
    if method == "topdown":
        path, codes = model.path_, np.searchsorted(model.classes_, y)
        errors = path.errors(X.to_numpy(), codes)
        pieces = range(len(path) - 1, path.piece(price) - 1, -1)
        return [(int(path.n_leaves[i]), float(errors[i])) for i in pieces], False
    return [], False


def _points(solutions):
    return [(solution.n_leaves, float(solution.error)) for solution in solutions]
