"""Fit one method to a table: choose the price of a leaf by cross-validation, and say how good the tree is."""

import contextlib
import time
import warnings
from dataclasses import dataclass, field

import numpy as np

from treelib.owndata import class_weights
from treelib.owndata import tuning as tuned
from treelib.owndata.constraints import NONE
from treelib.owndata.methods import METHODS, make
from treelib.search.budget import INTERRUPTED, OPTIMAL
from treelib.search.interrupt import keep_going
from treelib.table.checks import check_choice, check_positive

DEFAULT_PRICE = 0.01
N_FOLDS = 5
SECONDS_AFTER_CTRL_C = 2.0  # of a search that is begun after it
CHOSEN_HERE = (
    "The price of a leaf was chosen on the same folds as the cross-validated error, "
    "which is therefore a little too low."
)
STOPPED = (
    "Ctrl-C ended the work before all folds were judged: the tree is that of a short search on all rows, and "
    "its error on rows left out is not known."
)
_ROWS_COUNT = (
    "The tree counts rows, each as one; a leaf answers with the class that weighs most in it, also where "
    "that is the class of a few of its rows."
)
PATH_STOPPED = (
    "The path of all rows, which says what prices there are to choose from, was stopped by the limit of "
    "time: other trees may lie on it, and their prices were not tried. Raise --time-limit, or ask for less: "
    "a lower --max-thresholds, or --allow."
)
_NO_PATH = "The sizes and errors of other trees are left out: their path knows no such constraint."
POOR = 0.5  # a share of a rare class, predicted right, below which a note names it
UNEVEN = 0.5  # a class with less than this part of an even share makes accuracy a poor score: a note says so


@dataclass
class Judged:
    """What cross-validation says of one price of a leaf.

    Attributes
    ----------
    predicted : array (n,), class that a tree trained without the row's fold gives the row
    errors : float (n_folds,), error of each fold
    n_leaves : float, mean over the folds
    n_stopped : int, folds whose search a limit stopped
    losses : float (n_folds,), what the price was chosen by (`treelib.owndata.tuning.loss`); the errors unless
        another score or classes of other weights were asked for
    weighted : float (n_folds,), error of each fold with the weights of the classes; None without
    """

    predicted: np.ndarray
    errors: np.ndarray
    n_leaves: float
    n_stopped: int
    losses: np.ndarray | None = None
    weighted: np.ndarray | None = None

    @property
    def error(self):
        return float(self.errors.mean())

    @property
    def loss(self):
        return float(self.losses.mean())

    @property
    def standard_error(self):
        """Of the mean loss over the folds."""
        return float(self.losses.std(ddof=1) / np.sqrt(len(self.losses)))


@dataclass
class Fitted:
    """What was fitted, and how it was judged.

    Attributes
    ----------
    table : treelib.owndata.read.OwnTable
    method : str
    model : fitted estimator
    tree : treelib.Tree, named features and classes; its counts are rows, also where classes have weights
    price : float, of a leaf; None for a born-again tree
    training_error : float
    judged : Judged, or None where the table is too small
    tuning : list of (price, Judged), one for each tree of the path, from one leaf on; empty without tuning
    score : str, what the price was chosen by, one of `treelib.owndata.tuning.SCORES`
    frontier : list of (n_leaves, training error), from one leaf on; empty where the method has none. The
        errors have the weights of the classes
    frontier_is_proved : bool, whether no tree with as many leaves has a smaller training error
    seconds : float, of everything
    is_interrupted : bool, whether Ctrl-C ended the search of all rows, whose tree is kept, or of the frontier
    notes : list of str
    class_weights : dict of class -> what a row of it weighs, or None where all weigh the same
    weighted_error : float, the training error with these weights, or None
    constraints : list of str, what the tree keeps to
    """

    table: object
    method: str
    model: object
    tree: object
    price: float | None
    training_error: float
    judged: Judged | None
    tuning: list = field(default_factory=list)
    score: str = "accuracy"
    frontier: list = field(default_factory=list)
    frontier_is_proved: bool = False
    seconds: float = 0.0
    is_interrupted: bool = False
    notes: list = field(default_factory=list)
    class_weights: dict | None = None
    weighted_error: float | None = None
    constraints: list = field(default_factory=list)

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
    score="accuracy",
    time_limit=60.0,
    seed=0,
    verbose=0,
    say=print,
    ensemble="forest",
    class_weight=None,
    constraints=NONE,
):
    """Fit and judge.

    Parameters
    ----------
    table : OwnTable
    method : {"sparse", "dyadic", "topdown", "bornagain"}
    regularization : float or None, price of a leaf; None: `DEFAULT_PRICE`
    tune : bool, choose the price by cross-validation along the path of trees: the highest whose mean loss is
        within one standard error of the lowest (Breiman et al. 1984)
    score : {"accuracy", "balanced-accuracy", "auc", "log-loss"}, what tuning looks at
    time_limit : float, seconds for the final search and the frontier; the folds together take as much again,
        and so does the path of all rows that tuning begins with
    seed : int, of the folds and of the ensemble behind a born-again tree
    verbose : int, 1 shows the proven gap of the last search, and the path that tuning begins with, while
        they run
    say : callable of a line of text, told what happens
    ensemble : one of `treelib.owndata.methods.ENSEMBLES`, behind a born-again tree
    class_weight : None, "balanced", or dict of class name -> what a row of it weighs. The search, tuning by
        accuracy or log loss, and the frontier use the weights; "balanced" is of the training rows of each
        fold while it searches, and of all rows where trees are judged.
    constraints : treelib.owndata.constraints.Constraints, that every tree keeps to, also those of the folds

    Returns
    -------
    Fitted
    """
    start = time.perf_counter()
    price = _first_price(method, regularization, tune)
    _check_wishes(method, score, ensemble, class_weight, time_limit)
    has_path = _has_path(method, tune, constraints)
    X, y = table.X, table.y
    class_weight, of_class = class_weights.of_classes(class_weight, y)
    weights, folds = class_weights.of_rows(of_class, y), _folds(y, seed)
    notes = _notes_on(table, method, len(folds), of_class)
    fold_seconds = time_limit / max(1, len(folds))
    more = {"class_weight": class_weight, "constraints": constraints.options}
    say(_time_of(time_limit, len(folds), tune, method, has_path))
    judged, tuning, known, is_stopped = None, [], None, False
    try:
        if tune:
            of_all = {"time_limit": time_limit, "seed": seed} | more
            found, tuning, notes_on_path = _tune(method, X, y, folds, score, weights, of_all, say, verbose)
            (price, judged, known), notes = found, [*notes, *notes_on_path]
        elif folds:
            of_fold = {"time_limit": fold_seconds, "seed": seed, "ensemble": ensemble} | more
            judged = _judge(method, price, X, y, folds, weights, of_fold, say)
        notes += [CHOSEN_HERE] * tune + _notes_on_judging(judged, y, of_class, fold_seconds)
    except KeyboardInterrupt:
        is_stopped, time_limit = True, min(time_limit, SECONDS_AFTER_CTRL_C)
        notes.append(STOPPED)
        say("stopped; all rows at once, then the report. Ctrl-C again shortens that too.")
    say("all rows")
    began = time.perf_counter()
    model, warned = _fit(make(method, price, time_limit, seed, verbose, ensemble, start=known, **more), X, y)
    left = max(time_limit - (time.perf_counter() - began), fold_seconds)
    frontier, is_proved, status = [], False, model.status_
    if has_path and status != INTERRUPTED and not is_stopped:
        path = make(method, price, left, **more) if method == "sparse" else None
        frontier, is_proved, status = _frontier(method, path or model, X, y, price, weights, say)
    wrong = model.predict(X) != y
    error = float(np.average(wrong, weights=weights))
    notes += [_NO_PATH] * (not has_path) + _notes_on_greedy(method, model, X, y, price, more, weights)
    return Fitted(
        table=table,
        method=method,
        model=model,
        tree=_named_tree(model, X, y, of_class),
        price=price,
        training_error=float(np.mean(wrong)),
        judged=judged,
        tuning=tuning,
        score=score,
        frontier=_with_shown_tree(frontier, int(model.tree_.n_leaves), error),
        frontier_is_proved=is_proved,
        seconds=time.perf_counter() - start,
        is_interrupted=is_stopped or status == INTERRUPTED,
        notes=notes + warned,
        class_weights=of_class,
        weighted_error=None if weights is None else error,
        constraints=constraints.words,
    )


def _time_of(limit, n_folds, tune, method, has_path):
    """What a limit covers and what comes together, in words."""
    if method == "topdown" or not np.isfinite(limit):
        return "no limit of time"
    parts = (
        ["the path of all rows"] * tune + [f"{n_folds} folds"] * (n_folds > 0) + ["the search of all rows"]
    )
    total = len(parts) * limit
    if has_path and method == "sparse":
        parts.append("what it leaves, for the other prices")
        total += limit / max(1, n_folds)
    return f"up to about {total:.3g} s, of which --time-limit gives {limit:g} s each to {', '.join(parts)}"


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


def _has_path(method, tune, constraints):
    """Whether the trees for all prices can be had under constraints; ValueError where tuning needs them."""
    found = method != "sparse" or set(constraints.options) <= {"allowed_features", "quantiles"}
    if tune and not found:
        raise ValueError(
            "--tune follows the path of optimal trees, which knows no constraint but --allow; give "
            "--regularization, or --method topdown, which has --min-samples-leaf, --max-depth and "
            "--max-leaves."
        )
    return found


def _check_wishes(method, score, ensemble, class_weight, time_limit):
    """ValueError where a score or limit is none, or a method does not have what is wished of it."""
    check_positive("time_limit", time_limit, "a positive number of seconds", finite=False)
    check_choice("score", score, tuned.SCORES)
    if ensemble != "forest" and method != "bornagain":
        raise ValueError(f"--ensemble {ensemble} is for --method bornagain.")
    if class_weight is not None and method == "bornagain":
        raise ValueError("--class-weight is not for --method bornagain, which copies its ensemble.")


def _named_tree(model, X, y, of_class):
    """Tree of a fitted model, with the names of features and classes, that counts each row as one.

    of_class : what a row of each class weighs, or None
    """
    tree = model.tree_
    if of_class is not None:  # weighted, a leaf of 16 healthy rows and one ill one would show 2 % error
        tree = tree.recount(X.to_numpy(), np.searchsorted(model.classes_, y))
    if tree.feature_names is None or tree.class_names is None:
        tree = tree.replace(feature_names=tuple(X.columns), class_names=tuple(map(str, model.classes_)))
    return tree


def _notes_on(table, method, n_folds, of_class):
    notes = list(table.notes) + [_ROWS_COUNT] * (of_class is not None)
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


def _notes_on_judging(judged, y, of_class, limit):
    if judged is None:
        return ["Too few rows of every class: nothing was cross-validated."]
    notes = []
    classes, counts = np.unique(y, return_counts=True)
    rare, share = classes[counts.argmin()], counts.min() / len(y)
    recall = np.mean(judged.predicted[y == rare] == rare)
    if share < UNEVEN / len(classes) and recall < POOR and of_class is None:
        notes.append(
            f"The class {rare} has {100 * share:.1f} % of the rows, and {100 * recall:.0f} % of these were "
            "predicted right when they were left out: accuracy hardly sees it. Consider --class-weight "
            "balanced, or --score balanced-accuracy or auc, and look at the table of right and wrong."
        )
    if judged.n_stopped:
        notes.append(
            f"On {judged.n_stopped} of {len(judged.errors)} folds the search was stopped after {limit:g} s; "
            "the error on rows left out is that of the trees found by then."
        )
    return notes


def _notes_on_greedy(method, model, X, y, price, options, weights):
    """The tests of the dyadic grid are not all there are: say so where greedy growth finds a better tree.

    options : dict of `class_weight` and `constraints`
    """
    if method != "dyadic":
        return []
    found, greedy = (
        (np.average(one.predict(X) != y, weights=weights), one.tree_.n_leaves)
        for one in (model, make("topdown", float(price), **options).fit(X, y))
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


def _judge(method, price, X, y, folds, weights, options, say):
    """`Judged` of one price. options : further ones of `make`"""
    say(f"{len(folds)} folds")
    predicted, errors, n_leaves, n_stopped = np.array(y), [], [], 0
    for training, testing in folds:
        model, _ = _fit(make(method, price, **options), X.iloc[training], y[training], is_fold=True)
        predicted[testing] = model.predict(X.iloc[testing])
        errors.append(np.mean(predicted[testing] != y[testing]))
        n_leaves.append(model.tree_.n_leaves)
        n_stopped += not getattr(model, "is_optimal_", True)
    errors = np.array(errors)
    weighted = _weighted_errors(predicted != y, folds, weights)
    losses = errors if weighted is None else weighted
    return Judged(predicted, errors, float(np.mean(n_leaves)), n_stopped, losses, weighted)


def _weighted_errors(wrong, folds, weights):
    """Error of each fold with the weights of the rows, float (n_folds,); None without weights."""
    if weights is None:
        return None
    return np.array([np.average(wrong[rows], weights=weights[rows]) for _, rows in folds])


def _tune(method, X, y, folds, score, weights, search, say, verbose):
    """The chosen (price, its `Judged`, tree), (price, `Judged`) of each tree on the path of all rows, from
    the single leaf on, and notes on that path.

    weights : float (n,) of the rows, or None. search : dict of `time_limit` and the options of `path_of`
    """
    if not folds:
        raise ValueError("--tune needs two rows or more of a class.")
    say("the path of all rows")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a limit: the report says so instead
        path = tuned.path_of(method, X, y, tuned.lowest_price(len(y)), verbose=verbose, **search)
        prices, is_whole = path.prices(), path.is_proved or method == "topdown"
        by_limit = "" if is_whole else ", when the limit stopped it"
        say(f"{len(prices)} trees on it{by_limit}; {len(folds)} folds")
        of_fold = {**search, "time_limit": search["time_limit"] / len(folds)}
        along = tuned.along_folds(method, X, y, folds, prices, **of_fold)
    classes, codes = np.unique(y, return_inverse=True)
    tuning = []
    for price, probabilities, n_leaves in zip(prices, along.probabilities, along.n_leaves, strict=True):
        predicted = probabilities.argmax(axis=1)
        errors = np.array([np.mean(predicted[rows] != codes[rows]) for _, rows in folds])
        losses = np.array(
            [
                tuned.loss(score, codes[rows], probabilities[rows], class_weights.part(weights, rows))
                for _, rows in folds
            ]
        )
        named, weighted = classes[predicted], _weighted_errors(predicted != codes, folds, weights)
        judged = Judged(named, errors, float(n_leaves.mean()), along.n_unproved, losses, weighted)
        tuning.append((float(price), judged))
    chosen = tuned.highest_within_one_standard_error(np.array([judged.losses for _, judged in tuning]))
    for place in sorted({0, chosen, len(tuning) - 1}):
        price, judged = tuning[place]
        say(f"    price {price:.4g}: error {100 * judged.error:.2f} %, {judged.n_leaves:.1f} leaves")
    price, judged = tuning[chosen]
    say(f"chosen: {price:g}")
    return (price, judged, path.at(price)), tuning, [] if is_whole else [PATH_STOPPED]


def _with_shown_tree(frontier, n_leaves, error):
    """The frontier with the tree that is shown, where a limit left it out: no size twice, errors falling."""
    if not frontier:
        return frontier
    shown, best = (n_leaves, error), {}
    for n_leaves, error in (*frontier, shown):
        best[n_leaves] = min(error, best.get(n_leaves, np.inf))
    kept = []
    for n_leaves in sorted(best):
        if not kept or best[n_leaves] < kept[-1][1] or n_leaves == shown[0]:
            kept.append((n_leaves, best[n_leaves]))
    return kept


def _fit(model, X, y, is_fold=False):
    """Fit; returns the model, and as text the warnings, such as of a limit that stopped the search.

    Ctrl-C on a fold is raised; the model of all rows is kept as it is then, for the report.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.nullcontext() if is_fold else keep_going():
            model.fit(X, y)
    return model, sorted({str(warning.message) for warning in caught})


def _frontier(method, model, X, y, price, weights, say):
    """(leaves, training error) of the trees for all prices from the highest to `price`, whether these are
    proved, and what ended the search for them.

    model : the fitted one; for "sparse" one that is not, whose limit is that of the path
    """
    if method == "sparse":
        say("all higher prices of a leaf")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: the report says so instead
            path = model.regularization_path(X, y, min_regularization=price)
        return _points(path.solutions), path.is_optimal, path.status
    if method == "dyadic":
        return _points(model.path_), model.path_.is_optimal, OPTIMAL
    if method == "topdown":
        path, codes = model.path_, np.searchsorted(model.classes_, y)
        errors = path.errors(X.to_numpy(), codes, weights)
        pieces = range(len(path) - 1, path.piece(price) - 1, -1)
        return [(int(path.n_leaves[i]), float(errors[i])) for i in pieces], False, OPTIMAL
    return [], False, OPTIMAL


def _points(solutions):
    return [(solution.n_leaves, float(solution.error)) for solution in solutions]
