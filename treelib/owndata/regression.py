"""Fit a regression tree to a table whose target is a quantity, and judge it.

Errors are shares of what the mean alone (of absolute errors the median) leaves: 0 is perfect, 1 is what one
leaf reaches, so that the leaf penalty has the meaning that it has for classes.
"""

import time
import warnings

import numpy as np

from treelib.estimator import paths
from treelib.owndata import tuning as tuned
from treelib.owndata.class_weights import part
from treelib.owndata.columns.sets import in_sets
from treelib.owndata.constraints import NONE
from treelib.owndata.fit import ALL_ROWS_PART, Fitted, first_price, left
from treelib.owndata.report.notes import CHOSEN_HERE, GROWTH_STOPPED, STOPPED, on_stopped_folds, still_falling
from treelib.owndata.tuning import Family, Judged, TreePath
from treelib.search.budget import COMPLETE
from treelib.table.checks import check_choice
from treelib.topdown.prune.methods import cost_complexity_path

MOST_PRICES = 25  # of the path of all rows that tuning tries
SMALL = 16  # leaves up to which no tree of the path is passed over
LEAST_LEAF = 7  # rows, of a tree that is tuned: as in rpart
FIRST = 0.5  # seconds of the first growth at least, whatever the limit
SKEWED = 2.0  # skewness of a target from which on a note speaks of it
# criterion -> words of the report for one minus the share that is explained, and for the error of one leaf
CRITERIA = {
    "squared_error": ("variance left unexplained", "the variance"),
    "absolute_error": ("absolute error, relative to the median", "the absolute error of the median"),
    "poisson": ("Poisson deviance, relative to the mean", "the Poisson deviance of the mean"),
}


def fit_regression(
    table,
    *,
    regularization=None,
    tune=False,
    rule="paired",
    lowest=None,
    criterion="squared_error",
    seed=0,
    time_limit=np.inf,
    say=print,
    constraints=NONE,
):
    """Fit and judge.

    Parameters
    ----------
    table : OwnTable whose task is "regression"
    regularization : float or None, leaf penalty as a share of the error of one leaf; None: `DEFAULT_PRICE`
    tune : bool, choose the price by cross-validation. Leaves then have `LEAST_LEAF` rows at least, unless the
        constraints say otherwise.
    rule : one of `treelib.owndata.tuning.RULES`
    lowest : float or None, the lowest price that tuning tries
    criterion : one of `CRITERIA`
    seed : int, of the folds
    time_limit : float, seconds for everything, of which reading the table took some
    say : callable of a line of text, told what happens
    constraints : treelib.owndata.constraints.Constraints of a greedy tree

    Returns
    -------
    Fitted
    """
    start = time.perf_counter() - table.seconds
    price = first_price("topdown", regularization, tune)
    _check_wishes(table, rule, criterion)
    X, y, weights, keep = table.X, table.y, table.weights, dict(constraints.options)
    if tune:
        keep.setdefault("min_samples_leaf", LEAST_LEAF)
    folds = tuned.folds(table, seed)
    if tune and not folds:
        raise ValueError("--tune needs at least four rows.")
    notes, judged, families, is_stopped = _notes(table, criterion), None, [], False

    say("fitting all rows")
    model, path, errors = _grown(
        X, y, weights, criterion, keep, max(left(start, time_limit, ALL_ROWS_PART), FIRST)
    )
    notes += [GROWTH_STOPPED.format(time_limit)] * (model.status_ != COMPLETE)
    prices = _prices(path, len(y), lowest) if tune else [price]
    try:
        say(f"{len(prices)} price{'s' * (len(prices) != 1)}; {len(folds)} folds")
        given = prices, y, weights, folds, criterion, keep, start, time_limit
        tuning = _judge(*given) if folds else []
        notes += on_stopped_folds(tuning[0], time_limit) if folds else []
        if tune:
            low = tuned.lowest_price(len(y), 1, lowest)
            trees = TreePath(np.array(prices), [path.at(one) for one in prices], None, False)
            families = [Family("topdown", trees, list(zip(prices, tuning, strict=True)))]
            _, place = tuned.choose(families, rule)
            price, judged = families[0].tuning[place]
            say(f"chosen: {price:g}")
            notes += [CHOSEN_HERE, *still_falling(families[0], low)]
        elif folds:
            judged = tuning[0]
    except KeyboardInterrupt:
        is_stopped = True
        notes.append(STOPPED)
    model.tree_ = path.at(price)
    table, tree = in_sets(table, model.tree_.replace(feature_names=tuple(X.columns)))
    return Fitted(
        table=table,
        method="topdown",
        model=model,
        tree=tree,
        price=price,
        training_error=float(errors[path.piece(price)]),
        judged=judged,
        tuning=families[0].tuning if families else [],
        score=criterion,
        frontier=[] if is_stopped else _frontier(path, errors, price),
        is_interrupted=is_stopped,
        seconds=time.perf_counter() - start,
        notes=notes,
        constraints=constraints.words,
        families=families,
        rule=rule,
    )


def _check_wishes(table, rule, criterion):
    check_choice("rule", rule, tuned.RULES)
    check_choice("criterion", criterion, CRITERIA)
    if criterion == "poisson" and table.y.min() < 0:
        raise ValueError(f"--criterion poisson is for counts, and {table.target!r} has values below 0.")


def _notes(table, criterion):
    """Notes of the table, and a hint at targets that a few large values rule."""
    y, notes = table.y, list(table.notes)
    skewness = np.mean(((y - y.mean()) / y.std()) ** 3)
    if skewness > SKEWED and criterion == "squared_error":
        fitting = "poisson (counts) or " * bool(y.min() >= 0 and (y == y.round()).all())
        notes.append(
            f"The target {table.target!r} is skewed: a few large values cause most of the squared error. "
            f"--criterion {fitting}absolute_error gives them less weight."
        )
    return notes


def _grown(X, y, weights, criterion, keep, seconds):
    """The fitted estimator of the whole tree, its prunings by price (`PruningPath`), and their errors."""
    from treelib import TopDownTreeRegressor

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a limit: a note says so instead
        limit = seconds if np.isfinite(seconds) else None
        model = TopDownTreeRegressor(criterion, time_limit=limit, **keep).fit(X, y, weights)
    tree = model.tree_
    passed = paths(tree, tree.apply(X.to_numpy())).tocoo()
    lost = _loss(y[passed.row], tree.value[passed.col, 0], criterion)
    lost = lost if weights is None else lost * weights[passed.row]
    costs = np.bincount(passed.col, lost, tree.n_nodes)
    costs = np.maximum(costs, 0.0) / (costs[0] or 1.0)
    path = cost_complexity_path(tree, costs)
    return model, path, path.costs(costs)


def _loss(y, predicted, criterion):
    """Loss of each row."""
    if criterion == "squared_error":
        return (y - predicted) ** 2
    if criterion == "absolute_error":
        return np.abs(y - predicted)
    # a leaf without a count would be infinitely wrong about the first one: it predicts a thousandth
    predicted = np.maximum(predicted, 1e-3)
    return y * np.log(np.where(y > 0, y, 1.0) / predicted) - y + predicted


def _centre(y, weights, criterion):
    if criterion != "absolute_error":
        return np.average(y, weights=weights)
    return np.quantile(y, 0.5, weights=weights, method="linear" if weights is None else "inverted_cdf")


def _judge(prices, y, weights, folds, criterion, keep, start, limit):
    """`Judged` of each price: rows are predicted by the tree of the fold that held them out."""
    n_stopped = 0
    predicted, losses = np.empty((len(prices), len(y))), np.empty((len(prices), len(folds)))
    scale = np.average(_loss(y, _centre(y, weights, criterion), criterion), weights=weights)
    n_leaves = np.empty(losses.shape)
    for place, (training, testing, X) in enumerate(folds):
        of_fold = X.iloc[training], y[training], part(weights, training)
        model, path, _ = _grown(*of_fold, criterion, keep, left(start, limit, 1 / (len(folds) - place)))
        n_stopped += model.status_ != COMPLETE
        rows = X.iloc[testing].to_numpy()
        for k, price in enumerate(prices):
            tree = path.at(price)
            predicted[k, testing] = tree.predict(rows)
            lost = _loss(y[testing], predicted[k, testing], criterion)
            losses[k, place] = np.average(lost, weights=part(weights, testing)) / scale
            n_leaves[k, place] = tree.n_leaves
    return [
        Judged(rows, of_folds, float(mean), n_stopped, of_folds)
        for rows, of_folds, mean in zip(predicted, losses, n_leaves.mean(axis=1), strict=True)
    ]


def _prices(path, n_rows, lowest):
    """A price inside the range of each small tree of the path, and of some of the larger ones, `MOST_PRICES`
    at most, from the highest on."""
    low = tuned.lowest_price(n_rows, 1, lowest)
    starts = np.array([float(start) for start in path.breakpoints])
    first = max(int(np.searchsorted(starts, low, side="right")) - 1, 0)
    starts, n_leaves = starts[first:], path.n_leaves[first:]
    ends = np.append(starts[1:], 2 * max(starts[-1], low))
    middles = np.sqrt(np.maximum(starts, low) * np.maximum(ends, low))
    large = np.flatnonzero(n_leaves > SMALL)
    small = np.flatnonzero(n_leaves <= SMALL)[::-1][: MOST_PRICES - 1]
    if len(large) > MOST_PRICES - len(small):  # evenly in the logarithm of their leaves
        wanted = np.geomspace(n_leaves[large[-1]], n_leaves[0], MOST_PRICES - len(small))
        large = np.unique([np.abs(np.log(n_leaves[large] / one)).argmin() for one in wanted])
    return [float(middles[k]) for k in sorted({*small.tolist(), *large.tolist()}, reverse=True)]


def _frontier(path, errors, price):
    """(leaves, training error) of the trees for the prices from the highest to `price`."""
    pieces = range(len(path) - 1, path.piece(price) - 1, -1)
    return [(int(path.n_leaves[k]), float(errors[k])) for k in pieces]
