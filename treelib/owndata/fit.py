"""Fit one method to a table: choose the leaf penalty by cross-validation, and say how good the tree is."""

import time
import warnings
from dataclasses import dataclass, field

import numpy as np

from treelib.owndata import class_weights
from treelib.owndata import tuning as tuned
from treelib.owndata.columns.sets import in_sets
from treelib.owndata.constraints import NONE
from treelib.owndata.guided import QUANTILES
from treelib.owndata.methods import METHODS, OnPath, has_path, make
from treelib.owndata.report import notes as notes_of
from treelib.owndata.tuning import WEIGHTED, Judged
from treelib.search.budget import INTERRUPTED, OPTIMAL
from treelib.search.interrupt import keep_going
from treelib.table.checks import check_choice, check_positive, check_price

DEFAULT_PRICE = 0.01
SECONDS_AFTER_CTRL_C = 2.0  # of a search that is begun after it
FOLDS_PART, ALL_ROWS_PART = 0.4, 0.6  # of the time for folds; of what they leave, for a search without proof


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
    families : list of `treelib.owndata.tuning.Family`, all that tuning chose from
    rule : {"1se", "min"}, how it chose
    search_weights : None, "balanced" or dict, weights of the classes in the search alone, which the score
        asked for
    tested : treelib.owndata.predict.Tested of a file that no fit saw, or None
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
    families: list = field(default_factory=list)
    rule: str = "1se"
    search_weights: object = None
    tested: object = None

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
    rule="1se",
    lowest=None,
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
    regularization : float or None, leaf penalty; None: `DEFAULT_PRICE`
    tune : bool, choose the price by cross-validation along the path of trees, and of optimal trees the depth:
        `treelib.owndata.tuning.choose`
    score : {"accuracy", "balanced-accuracy", "auc", "log-loss"}, what tuning looks at. But for accuracy the
        search makes all classes weigh alike unless `class_weight` says otherwise: a path by the plain error
        knows a rare class by no tree.
    rule : one of `treelib.owndata.tuning.RULES`
    lowest : float or None, the lowest price that tuning tries
    time_limit : float, seconds for everything, of which reading the table took some
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
    price = first_price(method, regularization, tune)
    _check_wishes(method, score, ensemble, class_weight, time_limit)
    check_choice("rule", rule, tuned.RULES)
    if score == "balanced-accuracy" and class_weight is None and tune:
        class_weight = class_weights.BALANCED
    asked = {"ensemble": ensemble, "seed": seed}
    work = _Work(table, method, price, score, class_weight, constraints, tune, time_limit, say, asked)
    say(f"up to {time_limit:.3g} s" if np.isfinite(time_limit) else "no time limit")
    try:
        if tune:
            work.tune(rule, lowest, verbose)
        elif work.folds:
            work.judge_price()
        share = {} if tune else {"share": f"{100 * FOLDS_PART:.0f} % of it"}
        work.notes += notes_of.on_stopped_folds(work.judged, time_limit, **share)
        work.notes += notes_of.on_judging(work.judged, work.y, work.has_weights, tune)
    except KeyboardInterrupt:
        work.stop()
    if work.model is None:
        work.search(verbose)
    return work.fitted(rule)


def left(start, limit, share=1.0):
    """Seconds that are left of a limit, and at least a moment."""
    return share * max(start + limit - time.perf_counter(), 0.1 * min(limit, 60.0))


class _Work:
    """A fit on its way: what it is about, and what it has found so far."""

    def __init__(self, table, method, price, score, class_weight, constraints, is_tuned, limit, say, asked):
        self.start, self.limit = time.perf_counter() - table.seconds, limit
        self.say, self.asked = say, asked
        self.table, self.method, self.price, self.score = table, method, price, score
        self.X, self.y, self.constraints = table.X, table.y, constraints
        self.of_row = table.weights
        class_weight, self.of_class = class_weights.of_classes(class_weight, self.y, self.of_row)
        self.weights = class_weights.of_rows(self.of_class, self.y, self.of_row)
        self.folds = tuned.folds(table, asked["seed"])
        self.notes = notes_of.on_table(table, method, len(self.folds))
        # leaves answer as rows are counted, though the search made all classes weigh alike
        self.counts_rows = is_tuned and class_weight is None and score in ("auc", "log-loss")
        self.has_weights = class_weight is not None or self.counts_rows
        self.notes += [notes_of.ALIKE] * self.counts_rows
        of_search = class_weights.BALANCED if self.counts_rows else class_weight
        self.options = {"class_weight": of_search, "constraints": constraints.options}
        self.judged, self.tuning, self.families, self.model = None, [], [], None
        self.frontier, self.is_proved, self.status, self.is_stopped = [], False, OPTIMAL, False

    def left(self, share=1.0):
        return left(self.start, self.limit, share)

    def tune(self, rule, lowest, verbose):
        """Choose the depth and the price along the paths."""
        if not self.folds:
            raise ValueError("--tune needs at least two rows of a class.")
        low = tuned.lowest_price(len(self.y), lowest=lowest)
        self.say(f"{len(self.folds)} folds; lowest leaf penalty {low:.4g}")
        limits = {"time_limit": self.left(), "low": low, "say": self.say, "verbose": verbose}
        options = self.options | {"counts_rows": self.counts_rows, "weights": self.of_row}
        self.families = tuned.families(
            self.method, self.X, self.y, self.folds, self.judge, **limits, **options
        )
        family, place = tuned.choose(self.families, rule)
        (self.price, self.judged), self.tuning = family.tuning[place], family.tuning
        self.say(f"chosen: {self.price:g}")
        self.model = _on_path(self.families, family, self.price, self.constraints)
        self.frontier, self.is_proved = family.path.sizes(self.price), family.path.is_proved
        self.notes += [notes_of.CHOSEN_HERE]
        self.notes += notes_of.on_choice(self.method, self.families, family, place, rule, low, self.score)

    def judge(self, prices, along):
        """`Judged` of each price."""
        classes, codes = np.unique(self.y, return_inverse=True)
        # scores that look at each class by itself have no need of the classes' weights
        of_loss, found = self.weights if self.score in WEIGHTED else self.of_row, []
        for probabilities, n_leaves in zip(along.probabilities, along.n_leaves, strict=True):
            predicted = probabilities.argmax(axis=1)
            losses = [
                tuned.loss(self.score, codes[rows], probabilities[rows], class_weights.part(of_loss, rows))
                for _, rows, _ in self.folds
            ]
            errors, weighted = (
                _errors(predicted != codes, self.folds, weights) for weights in (self.of_row, self.weights)
            )
            mean = float(n_leaves.mean())
            found.append(
                Judged(classes[predicted], errors, mean, along.n_unproved, np.array(losses), weighted)
            )
        return found

    def judge_price(self):
        """Judge the price that was asked for."""
        self.say(f"{len(self.folds)} folds")
        options = {"by_fits": True, "weights": self.of_row} | self.asked | self.options
        given = self.y, self.folds, np.array([self.price], float), self.left(FOLDS_PART)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: a note says so instead
            self.judged = self.judge([self.price], tuned.along_folds(self.method, *given, **options))[0]

    def stop(self):
        """After Ctrl-C: a moment for all rows."""
        self.is_stopped = True
        self.limit = time.perf_counter() - self.start + min(self.limit, SECONDS_AFTER_CTRL_C)
        self.notes.append(notes_of.STOPPED)
        self.say("stopped; fitting all rows briefly, then the report. Press Ctrl-C again to shorten that.")

    def search(self, verbose):
        """Find the tree of all rows for the price, and those of higher prices."""
        self.say("fitting all rows")
        seconds, method = self.left(ALL_ROWS_PART), self.method
        unfitted = make(method, self.price, seconds, verbose=verbose, **self.asked, **self.options)
        self.model, warned = _fit(unfitted, self.X, self.y, self.of_row)
        first, self.status = self.model, self.model.status_
        goes_on = not self.is_stopped and self.status != INTERRUPTED
        if method == "sparse" and goes_on and self.status != OPTIMAL:
            self.deepen(self.left(ALL_ROWS_PART))
        self.notes += warned * (self.model is first)
        if has_path(self.constraints.options) and goes_on and method != "bornagain":
            self.say("all larger leaf penalties")
            fitted = None if method == "sparse" else self.model
            given = method, self.X, self.y, self.price, self.left()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a limit: the report says so instead
                path = tuned.path_of(*given, weights=self.of_row, fitted=fitted, **self.options)
            self.frontier, self.is_proved, self.status = path.sizes(self.price), path.is_proved, path.status

    def deepen(self, seconds):
        """After a search that the clock ended: the deepest tree with a proof, where it is as good, or a note
        on it."""
        began, proved, constraints = time.perf_counter(), None, self.options["constraints"]
        for depth in range(2, 1 + min(6, constraints.get("max_depth", 6))):
            left = seconds - (time.perf_counter() - began)
            options = self.options | {"constraints": constraints | {"max_depth": depth}}
            deeper, _ = _fit(
                make(self.method, self.price, max(left, 1e-3), **options), self.X, self.y, self.of_row
            )
            if not deeper.is_optimal_:
                break
            proved = deeper
            proved.depth = depth if depth < constraints.get("max_depth", np.inf) else None
            self.say(f"depth {depth}: {deeper.tree_.n_leaves} leaves, proved")
        if proved is not None and proved.objective_ <= self.model.objective_ + 1e-12:
            self.model = proved
        elif proved is not None:
            self.notes.append(notes_of.on_deepest_proof(proved, self.model))

    def fitted(self, rule):
        """`Fitted`."""
        X, y, model, price = self.X, self.y, self.model, self.price
        if self.counts_rows:
            model.tree_, self.frontier = _by_rows(model.tree_, X, y, model.classes_, self.of_row), []
        wrong = model.predict(X) != y
        error = float(np.average(wrong, weights=self.weights))
        self.notes += [notes_of.NO_PATH] * (not has_path(self.constraints.options))
        self.notes += notes_of.on_greedy(self.method, model, self.table, price, self.options, self.weights)
        table, tree = in_sets(self.table, _named_tree(model, X, y, self.of_class, self.of_row))
        return Fitted(
            table=table,
            method=self.method,
            model=model,
            tree=tree,
            price=price,
            training_error=float(np.average(wrong, weights=self.of_row)),
            judged=self.judged,
            tuning=self.tuning,
            score=self.score,
            frontier=_with_shown_tree(self.frontier, int(model.tree_.n_leaves), error),
            frontier_is_proved=self.is_proved,
            seconds=time.perf_counter() - self.start,
            is_interrupted=self.is_stopped or self.status == INTERRUPTED,
            notes=self.notes,
            class_weights=self.of_class,
            weighted_error=None if self.of_class is None else error,
            constraints=self.constraints.words,
            families=self.families,
            rule=rule,
            search_weights=self.options["class_weight"] if self.counts_rows else None,
        )


def _on_path(families, family, price, constraints):
    """The tree of a family for a price as a fitted model; the proof is that of the deepest family with a
    tree as good."""
    tree = family.path.at(price)
    objective = tuned.objective_of(tree, price)
    proofs = [
        one
        for one in families
        if one.path.is_proved
        and one.path.reaches(price)
        and tuned.objective_of(one.path.at(price), price) >= objective - 1e-12
    ]
    is_proved = bool(proofs) and family.path.is_proved
    depth = proofs[-1].path.depth if is_proved and not tuned.is_any_depth(proofs[-1], price) else None
    if depth == constraints.options.get("max_depth"):  # which the words of the constraints name
        depth = None
    quantiles = constraints.options.get("quantiles", QUANTILES)
    return OnPath(tree, family.path.classes, objective, is_proved, depth, quantiles)


def _by_rows(tree, X, y, classes, weights):
    """The tree with counts of rows, and the most frequent class of each leaf as its answer."""
    tree = tree.recount(X.to_numpy(), np.searchsorted(classes, y), weights)
    return tree.replace(label=tree.value.argmax(axis=1))


def first_price(method, regularization, tune):
    """The leaf penalty before any tuning; ValueError where the wishes do not go together."""
    check_choice("method", method, METHODS)
    if tune and regularization is not None:
        raise ValueError("give --tune or --regularization, not both.")
    if method != "bornagain":
        price = DEFAULT_PRICE if regularization is None else regularization
        return check_price("regularization", price)
    if tune or regularization is not None:
        raise ValueError(
            "a born-again tree copies its ensemble exactly and has no leaf penalty; "
            "leave --regularization and --tune out."
        )
    return None


def _check_wishes(method, score, ensemble, class_weight, time_limit):
    """ValueError where a score or limit is none, or a method does not have what is wished of it."""
    check_positive("time_limit", time_limit, "a positive number of seconds", finite=False)
    check_choice("score", score, tuned.SCORES)
    if ensemble != "forest" and method != "bornagain":
        raise ValueError(f"--ensemble {ensemble} is for --method bornagain.")
    if class_weight is not None and method == "bornagain":
        raise ValueError("--class-weight is not for --method bornagain, which copies its ensemble.")


def _named_tree(model, X, y, of_class, weights):
    """Tree of a fitted model, with the names of features and classes, that counts rows of all classes alike.

    of_class : what a row of each class weighs, or None. weights : float (n,) of the rows, or None
    """
    tree = model.tree_
    if of_class is not None:  # weighted, a leaf of 16 healthy rows and one ill one would show 2 % error
        tree = tree.recount(X.to_numpy(), np.searchsorted(model.classes_, y), weights)
    if tree.feature_names is None or tree.class_names is None:
        tree = tree.replace(feature_names=tuple(X.columns), class_names=tuple(map(str, model.classes_)))
    return tree


def _errors(wrong, folds, weights):
    """Error of each fold with the weights of the rows, float (n_folds,)."""
    return np.array(
        [np.average(wrong[rows], weights=class_weights.part(weights, rows)) for _, rows, _ in folds]
    )


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


def _fit(model, X, y, weights):
    """Fit; returns the model, which Ctrl-C leaves as it is then, and the warnings, such as of a limit."""
    with warnings.catch_warnings(record=True) as caught, keep_going():
        warnings.simplefilter("always")
        model.fit(X, y, weights)
    return model, sorted({str(warning.message) for warning in caught})
