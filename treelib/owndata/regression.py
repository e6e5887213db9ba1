"""Fit a regression tree to a table whose target is a quantity, and judge it.

Errors are shares of the variance of the target: 0 is perfect, 1 is what the mean alone reaches, so that the
price of a leaf has the meaning that it has for classes.
"""

import time

import numpy as np

from treelib.owndata import tuning as tuned
from treelib.owndata.constraints import NONE
from treelib.owndata.fit import CHOSEN_HERE, DEFAULT_PRICE, N_FOLDS, STOPPED, Fitted, Judged

MOST_PRICES = 25  # of the path of all rows that tuning tries, evenly spread over its trees


def fit_regression(table, *, regularization=None, tune=False, seed=0, say=print, constraints=NONE):
    """Fit and judge.

    Parameters
    ----------
    table : OwnTable whose task is "regression"
    regularization : float or None, price of a leaf as a share of the variance; None: `DEFAULT_PRICE`
    tune : bool, choose the price by cross-validation: the highest whose mean error is within one standard
        error of the lowest (Breiman et al. 1984)
    seed : int, of the folds
    say : callable of a line of text, told what happens
    constraints : treelib.owndata.constraints.Constraints of a greedy tree

    Returns
    -------
    Fitted
    """
    from sklearn.model_selection import KFold

    start = time.perf_counter()
    if tune and regularization is not None:
        raise ValueError("give --tune or --regularization, not both.")
    price = DEFAULT_PRICE if regularization is None else regularization
    if not 0 <= price < np.inf:
        raise ValueError(f"regularization={price} must be a number, 0 or more.")
    X, y, keep = table.X, table.y, constraints.options
    variance = float(np.var(y))
    n_folds = min(N_FOLDS, len(y) // 2)
    folds = list(KFold(n_folds, shuffle=True, random_state=seed).split(y)) if n_folds > 1 else []
    if tune and not folds:
        raise ValueError("--tune needs four rows or more.")
    notes, tuning, judged, is_stopped = list(table.notes), [], None, False
    try:
        if tune:
            price, judged, tuning = _tune(X, y, folds, variance, keep, say)
            notes.append(CHOSEN_HERE)
        elif folds:
            say(f"{len(folds)} folds")
            judged = _judge(price, X, y, folds, variance, keep)
    except KeyboardInterrupt:
        is_stopped = True
        notes.append(STOPPED)
    say("all rows")
    model = _grown(price, variance, keep).fit(X, y)
    return Fitted(
        table=table,
        method="topdown",
        model=model,
        tree=model.tree_.replace(feature_names=tuple(X.columns)),
        price=price,
        training_error=float(np.mean((model.predict(X) - y) ** 2) / variance),
        judged=judged,
        tuning=tuning,
        score="squared-error",
        frontier=[] if is_stopped else _frontier(X, y, price, variance, keep),
        is_interrupted=is_stopped,
        seconds=time.perf_counter() - start,
        notes=notes,
        constraints=constraints.words,
    )


def _tune(X, y, folds, variance, keep, say):
    """The chosen price, its `Judged`, and (price, `Judged`) of all that were tried."""
    say("the path of all rows")
    prices = _prices(X, y, variance, keep)
    say(f"{len(prices)} prices; {len(folds)} folds")
    tuning = [(price, _judge(price, X, y, folds, variance, keep)) for price in prices]
    chosen = tuned.highest_within_one_standard_error(np.array([one.losses for _, one in tuning]))
    say(f"chosen: {tuning[chosen][0]:g}")
    return *tuning[chosen], tuning


def _grown(price, variance, keep):
    from treelib import TopDownTreeRegressor

    return TopDownTreeRegressor(ccp_alpha=price * variance, **keep)


def _judge(price, X, y, folds, variance, keep):
    """`Judged` of one price: rows are predicted by the tree of the fold that left them out."""
    predicted, errors, n_leaves = np.empty(len(y)), [], []
    for training, testing in folds:
        model = _grown(price, variance, keep).fit(X.iloc[training], y[training])
        predicted[testing] = model.predict(X.iloc[testing])
        errors.append(np.mean((predicted[testing] - y[testing]) ** 2) / variance)
        n_leaves.append(model.tree_.n_leaves)
    errors = np.array(errors)
    return Judged(predicted, errors, float(np.mean(n_leaves)), 0, errors)


def _path(X, y, variance, keep):
    """(price from which each tree of the path is the best, its error) as shares, the whole tree first."""
    from treelib import TopDownTreeRegressor

    path = TopDownTreeRegressor(**keep).cost_complexity_pruning_path(X, y)
    return np.asarray(path.ccp_alphas) / variance, np.asarray(path.impurities) / variance


def _prices(X, y, variance, keep):
    """A price inside the range of each tree of the path, from the highest on, `MOST_PRICES` at most."""
    low = tuned.lowest_price(len(y), n_saved=1)
    starts, _ = _path(X, y, variance, keep)
    starts = starts[np.searchsorted(starts, low, side="right") - 1 :]
    ends = np.append(starts[1:], 2 * max(starts[-1], low))
    middles = np.sqrt(np.maximum(starts, low) * np.maximum(ends, low))[::-1]
    places = np.unique(np.linspace(0, len(middles) - 1, MOST_PRICES).round().astype(int))
    return [float(price) for price in middles[places]]


def _frontier(X, y, price, variance, keep):
    """(leaves, training error) of the trees for the prices from the highest to `price`."""
    starts, _ = _path(X, y, variance, keep)
    kept = starts[np.searchsorted(starts, price, side="right") - 1 :][::-1]
    places = np.unique(np.linspace(0, len(kept) - 1, MOST_PRICES).round().astype(int))
    found = {}
    for start in kept[places]:
        tree = _grown(start * (1 + 1e-12), variance, keep).fit(X, y).tree_
        found[tree.n_leaves] = float(tree.error(X.to_numpy(), y) / variance)
    return sorted(found.items())
