"""The leaf penalty, chosen along the path of trees: every tree of the path is a candidate.

As the price falls, a method gives a sequence of trees, each for a range of prices. The ranges of all rows say
which prices to try, one inside each; the trees of each fold's own path at these prices say how good they are
(Breiman et al. 1984, Section 3.4.2).

Optimal trees deepen: the path of the trees of depth 2 is searched and judged, then that of depth 3, 4, ...,
until the time is out or deeper trees predict no better. Where the time ends amid a depth, its path counts as
far as it is proved, from one leaf on. A tree of it with n leaves is the best of all with n leaves or fewer:
the path deepens in leaves too, and limits of leaves need no search of their own. Beside them stands the path
of a greedy tree of any depth, which is there at once.
"""

import time
import warnings
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from treelib.owndata import class_weights
from treelib.owndata.columns.sets import with_orders
from treelib.owndata.guided import LOWEST
from treelib.owndata.methods import has_path, make
from treelib.search.budget import INTERRUPTED, OPTIMAL
from treelib.table.checks import check_choice

SCORES = ("accuracy", "balanced-accuracy", "auc", "log-loss")
WEIGHTED = ("accuracy", "log-loss")  # losses in which a row weighs what its class does
RULES = ("1se", "paired", "min")
N_FOLDS = 5
MOST_FITS = 8  # prices of a search that knows no path, and is made anew for each
PATIENCE = 2  # depths in a row without a lower loss, after which deeper trees are not tried


@dataclass
class Judged:
    """What cross-validation says of one leaf penalty.

    Attributes
    ----------
    predicted : array (n,), class that a tree trained without the row's fold gives the row
    errors : float (n_folds,), error of each fold
    n_leaves : float, mean over the folds
    n_stopped : int, folds whose search a limit stopped
    losses : float (n_folds,), what the price was chosen by (`treelib.owndata.tuning.loss`); the errors unless
        another score or classes of other weights were asked for
    weighted : float (n_folds,), error of each fold with the weights of the classes too
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


class TreePath(NamedTuple):
    """The trees of a method as the leaf penalty falls.

    Attributes
    ----------
    lows : float (m,), descending; each tree is for the prices from its low up to the one before
    trees : list of Tree, the first the single leaf
    classes : array, the class that each code of the trees stands for
    is_proved : bool, whether each is proved the best for its prices; False for a method that proves nothing
    depth : int or None, the greatest depth of the trees that the path is about
    proved_from : float, the lowest price from which on upwards each is proved
    tried : float (m,), the prices of the trees, where each is that of one search; None of a path
    is_cut : bool, whether a limit ended it above the lowest price that was asked for
    status : what ended the search for it (`treelib.search.budget`)
    """

    lows: np.ndarray
    trees: list
    classes: np.ndarray
    is_proved: bool
    depth: int | None = None
    proved_from: float = np.inf
    tried: np.ndarray | None = None
    is_cut: bool = False
    status: str = OPTIMAL

    def as_far_as_proved(self):
        """The trees from one leaf on that are proved: `TreePath`, which may be that leaf alone."""
        kept = [k for k, high in enumerate([np.inf, *self.lows[:-1]]) if high > self.proved_from]
        lows = np.maximum(self.lows[: len(kept)], self.proved_from)
        trees = self.trees[: len(kept)]
        return self._replace(lows=lows, trees=trees, is_proved=bool(kept), is_cut=True)

    def at(self, price):
        """The tree for a price; below the last low the last one."""
        return self.trees[min(int(np.searchsorted(-self.lows, -price)), len(self.trees) - 1)]

    def sizes(self, price):
        """(leaves, training error) of the trees from the highest price to this one."""
        trees = [tree for tree, low in zip(self.trees, self.lows, strict=True) if low > price]
        return [(tree.n_leaves, error_of(tree)) for tree in [*trees, self.at(price)]]

    def reaches(self, price):
        """Whether a tree is there for a price."""
        return not self.is_cut or price >= self.lows[-1]

    def prices(self):
        """A price inside the range of each tree, float (m,): the geometric middle of its ends."""
        if self.tried is not None:
            return self.tried[: len(self.lows)]
        if len(self.lows) == 1:
            return np.array([max(2 * self.lows[0], LOWEST)])
        highs = np.concatenate([[2 * self.lows[0]], self.lows[:-1]])
        return np.sqrt(np.maximum(self.lows, highs / 4) * highs)


def lowest_price(n_rows, n_saved=2, lowest=None):
    """The lowest price worth trying on so many rows: a leaf must save so many of them.

    At one row a leaf every accident of the rows pays for itself, and the proof of that takes long.

    lowest : float or None, the price that was asked for
    """
    return max(LOWEST, n_saved / n_rows) if lowest is None else lowest


def path_of(
    method,
    X,
    y,
    low,
    time_limit,
    verbose=0,
    depth=None,
    prices=None,
    weights=None,
    by_fits=False,
    fitted=None,
    **options,
):
    """The path of a method on a table, down to the price `low`: `TreePath`.

    Parameters
    ----------
    method : {"sparse", "dyadic", "topdown"}
    X : DataFrame (n, p) of numbers. y : array (n,)
    time_limit : float, seconds; a path that is stopped has the best trees found
    verbose : int, 1 shows the search while it runs
    depth : int or None, the greatest depth of its trees
    prices : float (m,), descending, or None: where constraints leave a search no path, those at which it is
        made
    weights : float (n,) of the rows, or None
    by_fits : bool, whether a search is made for each price also where one search gives a path
    fitted : fitted model of a method that has its path then, or None
    options : `seed`, `ensemble`, `class_weight` and `constraints`, as for `treelib.owndata.methods.make`
    """
    constraints = dict(options.get("constraints") or {})
    if depth is not None:
        constraints["max_depth"] = depth
    if by_fits or (method == "sparse" and not has_path(constraints)):
        if prices is None:
            prices = np.geomspace(max(4 * low, 0.25), low, MOST_FITS)
        options = options | {"constraints": constraints}
        return _path_by_fits(method, X, y, weights, prices, time_limit, depth, options)
    unfitted = make(method, low, time_limit, verbose=verbose, **(options | {"constraints": constraints}))
    if method == "sparse":
        found = unfitted.regularization_path(X, y, weights, min_regularization=low)
        lows = [float(one.regularization_low) for one in found.solutions]
        trees = [one.tree for one in found.solutions]
        low, high = (found.proved or ((np.inf, 0.0),))[-1]
        proved_from = float(low) if high == np.inf else np.inf
        path = TreePath(np.array(lows), trees, np.unique(y), found.is_optimal, depth, proved_from)
        return path._replace(status=found.status)
    model = fitted or unfitted.fit(X, y, weights)
    if method == "dyadic":
        found = model.path_
        return TreePath(
            np.array([max(float(one.lambda_low), 0.0) for one in found]),
            [one.tree for one in found],
            model.classes_,
            found.is_optimal,
        )
    found = model.path_  # pieces by rising price: the whole tree first
    kept = [k for k in range(len(found) - 1, -1, -1) if k == len(found) - 1 or found.breakpoints[k + 1] > low]
    lows = np.array([float(found.breakpoints[k]) for k in kept])
    return TreePath(lows, [found[k] for k in kept], model.classes_, False)


def _not_stopped(path):
    """A path that no Ctrl-C ended: before a tree is chosen nothing is lost by ending."""
    if path.status == INTERRUPTED:
        raise KeyboardInterrupt
    return path


def _path_by_fits(method, X, y, weights, prices, time_limit, depth, options):
    """`TreePath` of one search a price, each with its share of the time."""
    trees, proved_from, began = [], np.inf, time.perf_counter()
    is_proved, prices = True, np.asarray(prices, dtype=float)
    for place, price in enumerate(prices):
        left = time_limit - (time.perf_counter() - began)
        model = make(method, float(price), max(left, 0.0) / (len(prices) - place) + 1e-3, **options)
        model.fit(X, y, weights)
        if model.status_ == INTERRUPTED:
            raise KeyboardInterrupt
        trees.append(model.tree_)
        is_proved &= getattr(model, "is_optimal_", False)
        proved_from = float(price) if is_proved else proved_from
    return TreePath(prices, trees, np.unique(y), is_proved, depth, proved_from, prices)


class Fold(NamedTuple):
    """Rows to train on and the others, which are held out, intp each; and the X of all rows as the first tell
    it."""

    training: np.ndarray
    held_out: np.ndarray
    X: object


def folds(table, seed):
    """`Fold` of each of `N_FOLDS`, stratified by class; an empty list where there are too few rows."""
    from sklearn.model_selection import KFold, StratifiedKFold

    y, is_quantity = table.y, table.task == "regression"
    n_folds = min(N_FOLDS, len(y) // 2 if is_quantity else int(np.unique(y, return_counts=True)[1].max()))
    if n_folds < 2:
        return []
    splitter = (KFold if is_quantity else StratifiedKFold)(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class with fewer rows than folds: a note says so
        pairs = list(splitter.split(np.zeros(len(y)), y))
    return [Fold(*pair, with_orders(table, pair[0]).X if table.coded else table.X) for pair in pairs]


class Along(NamedTuple):
    """What the folds say of some prices.

    Attributes
    ----------
    probabilities : float (m, n, k), of each class for each row, by the fold that left the row out
    n_leaves : float (m, n_folds)
    n_unproved : int, folds whose path a limit stopped; 0 for a method that proves nothing
    """

    probabilities: np.ndarray
    n_leaves: np.ndarray
    n_unproved: int


def along_folds(method, y, folds, prices, time_limit, *, counts_rows=False, weights=None, **options):
    """Trees of each fold's path at some prices, on the rows that the fold held out: `Along`.

    prices : float (m,). time_limit : float, seconds of all folds together. counts_rows : bool, whether
    probabilities are shares of the rows, also where classes have weights. Other arguments as for `path_of`.
    """
    classes, began = np.unique(y), time.perf_counter()
    probabilities = np.zeros((len(prices), len(y), len(classes)))
    n_leaves, n_unproved = np.empty((len(prices), len(folds))), 0
    for place, (training, testing, X) in enumerate(folds):
        low = float(min(prices))
        left = max(time_limit - (time.perf_counter() - began), 0.0) / (len(folds) - place) + 1e-3
        of_fold = X.iloc[training], y[training]
        of_rows = class_weights.part(weights, training)
        path = _not_stopped(path_of(method, *of_fold, low, left, prices=prices, weights=of_rows, **options))
        n_unproved += method != "topdown" and not path.is_proved
        columns = np.searchsorted(classes, path.classes)
        rows = X.iloc[testing].to_numpy()
        _, of_class = class_weights.of_classes(options.get("class_weight"), y[training], of_rows)
        factors = [of_class[one] for one in path.classes.tolist()] if counts_rows and of_class else 1.0
        for k, price in enumerate(prices):
            tree = path.at(price)
            counts = tree.predict_value(rows) / factors
            shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
            if not counts_rows:
                # the greatest share is what is predicted: the label of the leaf leads, also where counts tie
                # or it is that of an ensemble
                shares[np.arange(len(rows)), tree.predict(rows)] = shares.max(axis=1) + 1e-9
            probabilities[k][np.ix_(testing, columns)] = shares / shares.sum(axis=1, keepdims=True)
            n_leaves[k, place] = tree.n_leaves
    return Along(probabilities, n_leaves, n_unproved)


class Family(NamedTuple):
    """The trees of one method and depth, each judged.

    Attributes
    ----------
    method : {"sparse", "dyadic", "topdown"}
    path : TreePath of all rows
    tuning : list of (price, `Judged`), one for each tree of the path, from the single leaf on
    """

    method: str
    path: TreePath
    tuning: list

    @property
    def losses(self):
        """Float (m, n_folds)."""
        return np.array([judged.losses for _, judged in self.tuning])

    @property
    def best(self):
        """(price, `Judged`) of the lowest mean loss."""
        return self.tuning[self.losses.mean(axis=1).argmin()]

    @property
    def name(self):
        """What trees these are, as text."""
        if self.method == "topdown":
            return "greedy, any depth"
        proof = ", proved" * self.path.is_proved
        if self.path.is_cut:
            proof += f" up to {self.path.trees[-1].n_leaves} leaves"
        return f"depth {self.path.depth}{proof}"


def families(method, X, y, folds, judge, *, time_limit, low, say, verbose=0, **options):
    """The families of a method that fit into a time: a list of `Family`. Of a depth whose path was not proved
    to its end only the proved part is there, and it is the last.

    Parameters
    ----------
    method : {"sparse", "dyadic", "topdown"}. X, y : the table. folds : list of `Fold`
    judge : callable of prices and `Along`, gives a `Judged` for each price
    time_limit : float, seconds for everything. low : float, the lowest price
    say : callable of a line of text. verbose : int
    options : as for `path_of`, and `counts_rows` of `along_folds`
    """
    began = time.perf_counter()
    of_path = {key: value for key, value in options.items() if key != "counts_rows"}

    def family(method, depth, seconds):
        path = _not_stopped(path_of(method, X, y, low, seconds, verbose, depth, **of_path))
        if method == "sparse" and found and not path.is_proved:
            path = path.as_far_as_proved()
            if len(path.trees) < 2:
                return None
        prices = path.prices()
        left = time_limit - (time.perf_counter() - began)
        along = along_folds(method, y, folds, prices, left, depth=depth, **options)
        return Family(method, path, list(zip(map(float, prices), judge(prices, along), strict=True)))

    constraints, found = options.get("constraints") or {}, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a limit: the report says so instead
        if method != "sparse":
            return [family(method, None, time_limit / 2)]
        if set(constraints) <= {"allowed_features", "max_depth", "max_leaf_nodes", "quantiles"}:
            found.append(family("topdown", constraints.get("max_depth"), time_limit / 4))
            _say(found[-1], say)
        lowest, since = np.inf, 0
        for depth in count(min(2, constraints.get("max_depth", 2))):
            left = time_limit - (time.perf_counter() - began)
            if depth > constraints.get("max_depth", depth) or since >= PATIENCE or left <= 0:
                break
            deeper = family("sparse", depth, left / 2)  # the other half is for the folds
            if deeper is None:
                say(f"depth {depth}: no proof within its share of the time")
                break
            found.append(deeper)
            _say(deeper, say)
            best = deeper.losses.mean(axis=1).min()
            lowest, since = (best, 0) if best < lowest else (lowest, since + 1)
            if is_any_depth(deeper, low) or deeper.path.is_cut:
                break
    return found


def _say(family, say):
    price, judged = family.best
    size = f"{judged.n_leaves:.1f} leaves, leaf penalty {price:.4g}"
    say(f"{family.name}: error {100 * judged.error:.2f} % with {size}")


def is_any_depth(family, price):
    """Whether no deeper tree can be better at a price: the best has no more leaves than it is worth."""
    if not family.path.reaches(price):
        return False
    tree = family.path.at(price)
    worth = 1.0 if not tree.value.any() else objective_of(tree, price)
    return family.path.is_proved and family.path.depth is not None and family.path.depth >= worth / price - 1


def error_of(tree):
    """Share of the counted weight that a tree predicts wrongly."""
    leaves = np.flatnonzero(tree.is_leaf)
    right = tree.value[leaves, tree.label[leaves]].sum()
    return float(1 - right / tree.value[leaves].sum())


def objective_of(tree, price):
    """Share that a tree predicts wrongly, and the price of its leaves."""
    return error_of(tree) + price * tree.n_leaves


def choose(found, rule):
    """(family, place in its tuning) that a rule takes.

    With "1se" the smallest tree whose mean loss is within one standard error of the lowest (Breiman et al.
    1984), of those with a proof; with "paired" the error is that of its difference from the best over the
    folds, which says more where some folds are harder than others. A greedy tree is taken in its place where
    it is better by more than one standard error of their difference. With "min" it is the tree of lowest mean
    loss.

    found : list of `Family`. rule : one of `RULES`
    """
    check_choice("rule", rule, RULES)
    greedy = [family for family in found if family.method == "topdown"]
    best = [_best(group, rule) for group in (greedy, [one for one in found if one not in greedy]) if group]
    if len(best) == 1:
        return best[0]
    mean, error = gain(*best)
    return best[0] if mean > error * (rule != "min") else best[1]


def gain(one, other):
    """By how much the first of two (family, place in its tuning) has the lower mean loss, and the standard
    error of that over the folds."""
    more = other[0].losses[other[1]] - one[0].losses[one[1]]
    return more.mean(), more.std(ddof=1) / np.sqrt(len(more))


def _best(group, rule):
    pairs = [(family, k) for family in group for k in range(len(family.tuning))]
    pairs.sort(key=lambda pair: pair[0].tuning[pair[1]][1].n_leaves)  # the first depth of equal sizes
    losses = np.array([family.tuning[k][1].losses for family, k in pairs])
    if rule == "min":
        return pairs[int(losses.mean(axis=1).argmin())]
    if rule == "paired":
        more = losses - losses[losses.mean(axis=1).argmin()]
        errors = more.std(axis=1, ddof=1) / np.sqrt(more.shape[1])
        return pairs[int(np.flatnonzero(more.mean(axis=1) <= errors + 1e-12)[0])]
    return pairs[highest_within_one_standard_error(losses)]


def loss(score, y, probabilities, weights=None):
    """How bad predictions are, float: 0 is perfect, lower is better.

    Parameters
    ----------
    score : {"accuracy", "balanced-accuracy", "auc", "log-loss"}; of the first three, one minus the score
    y : array (n,). probabilities : float (n, k), columns in the order of the sorted classes
    weights : float (n,) of the rows, or None
    """
    from sklearn import metrics

    check_choice("score", score, SCORES)
    classes = np.arange(probabilities.shape[1])
    predicted = probabilities.argmax(axis=1)
    if score == "accuracy":
        return float(np.average(predicted != y, weights=weights))
    if score == "balanced-accuracy":
        there = np.unique(y)
        right = predicted == y
        of_each = [
            np.average(right[y == one], weights=class_weights.part(weights, y == one)) for one in there
        ]
        return 1 - float(np.mean(of_each))
    if score == "log-loss":
        return float(metrics.log_loss(y, probabilities, labels=classes, sample_weight=weights))
    if len(np.unique(y)) < 2:
        return 0.5  # one class alone says nothing of an order
    if len(classes) == 2:
        return 1 - float(metrics.roc_auc_score(y, probabilities[:, 1], sample_weight=weights))
    present = np.unique(y)  # one against the rest, each class by its share of the rows
    areas = [metrics.roc_auc_score(y == one, probabilities[:, one], sample_weight=weights) for one in present]
    return 1 - float(np.average(areas, weights=[np.average(y == one, weights=weights) for one in present]))


def highest_within_one_standard_error(losses):
    """Index of the simplest candidate whose mean loss is within one standard error of the lowest.

    losses : float (m, n_folds), from the highest price to the lowest
    """
    means = losses.mean(axis=1)
    lowest = means.argmin()
    error = losses[lowest].std(ddof=1) / np.sqrt(losses.shape[1])
    return int(np.flatnonzero(means <= means[lowest] + error)[0])
