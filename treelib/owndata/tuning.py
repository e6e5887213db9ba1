"""The price of a leaf, chosen along the path of trees: every tree of the path is a candidate.

As the price falls, a method gives a sequence of trees, each for a range of prices. The ranges of all rows say
which prices to try, one inside each; the trees of each fold's own path at these prices say how good they are
(Breiman et al. 1984, Section 3.4.2).
"""

from typing import NamedTuple

import numpy as np

from treelib.owndata.guided import LOWEST
from treelib.owndata.methods import make
from treelib.search.budget import INTERRUPTED
from treelib.table.checks import check_choice

SCORES = ("accuracy", "balanced-accuracy", "auc", "log-loss")


class TreePath(NamedTuple):
    """The trees of a method as the price of a leaf falls.

    Attributes
    ----------
    lows : float (m,), descending; each tree is for the prices from its low up to the one before
    trees : list of Tree, the first the single leaf
    classes : array, the class that each code of the trees stands for
    is_proved : bool, whether each is proved the best for its prices; False for a method that proves nothing
    """

    lows: np.ndarray
    trees: list
    classes: np.ndarray
    is_proved: bool

    def at(self, price):
        """The tree for a price; below the last low the last one."""
        return self.trees[min(int(np.searchsorted(-self.lows, -price)), len(self.trees) - 1)]

    def prices(self):
        """A price inside the range of each tree, float (m,): the geometric middle of its ends."""
        if len(self.lows) == 1:
            return np.array([max(2 * self.lows[0], LOWEST)])
        highs = np.concatenate([[2 * self.lows[0]], self.lows[:-1]])
        return np.sqrt(np.maximum(self.lows, highs / 4) * highs)


def lowest_price(n_rows, n_saved=2):
    """The lowest price worth trying on so many rows: a leaf must save so many of them.

    At one row a leaf every accident of the rows pays for itself, and the proof of that takes long.
    """
    return max(LOWEST, n_saved / n_rows)


def path_of(method, X, y, low, time_limit, verbose=0, **options):
    """The path of a method on a table, down to the price `low`: `TreePath`.

    Parameters
    ----------
    method : {"sparse", "dyadic", "topdown"}
    X : DataFrame (n, p) of numbers. y : array (n,)
    time_limit : float, seconds; a path that is stopped has the best trees found
    verbose : int, 1 shows the search while it runs
    options : `seed`, `class_weight` and `constraints`, as for `treelib.owndata.methods.make`
    """
    unfitted = make(method, low, time_limit, verbose=verbose, **options)
    if method == "sparse":
        found = unfitted.regularization_path(X, y, min_regularization=low)
        if found.status == INTERRUPTED:
            raise KeyboardInterrupt  # no tree is chosen yet: nothing is lost
        lows = [float(one.regularization_low) for one in found.solutions]
        return TreePath(np.array(lows), [one.tree for one in found.solutions], np.unique(y), found.is_optimal)
    model = unfitted.fit(X, y)
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


def along_folds(method, X, y, folds, prices, time_limit, **options):
    """Trees of each fold's path at some prices, on the rows that the fold left out: `Along`.

    prices : float (m,). time_limit : float, seconds of each fold. Other arguments as for `path_of`.
    """
    classes = np.unique(y)
    probabilities = np.zeros((len(prices), len(y), len(classes)))
    n_leaves, n_unproved = np.empty((len(prices), len(folds))), 0
    for place, (training, testing) in enumerate(folds):
        low = float(min(prices))
        path = path_of(method, X.iloc[training], y[training], low, time_limit, **options)
        n_unproved += method != "topdown" and not path.is_proved
        columns = np.searchsorted(classes, path.classes)
        rows = X.iloc[testing].to_numpy()
        for k, price in enumerate(prices):
            tree = path.at(price)
            counts = tree.predict_value(rows)
            shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
            # where counts tie the label of the leaf leads, so that the greatest share is what is predicted
            shares[np.arange(len(rows)), tree.predict(rows)] += 1e-9
            probabilities[k][np.ix_(testing, columns)] = shares / shares.sum(axis=1, keepdims=True)
            n_leaves[k, place] = tree.n_leaves
    return Along(probabilities, n_leaves, n_unproved)


def loss(score, y, probabilities, weights=None):
    """How bad predictions are, float: 0 is perfect, lower is better.

    Parameters
    ----------
    score : {"accuracy", "balanced-accuracy", "auc", "log-loss"}; of the first three, one minus the score
    y : array (n,). probabilities : float (n, k), columns in the order of the sorted classes
    weights : float (n,) of the rows, or None; for accuracy and log loss, since the others look at each class
        by itself already
    """
    from sklearn import metrics

    check_choice("score", score, SCORES)
    classes = np.arange(probabilities.shape[1])
    predicted = probabilities.argmax(axis=1)
    if score == "accuracy":
        return float(np.average(predicted != y, weights=weights))
    if score == "balanced-accuracy":
        there = np.unique(y)
        return 1 - float(np.mean([np.mean(predicted[y == one] == one) for one in there]))
    if score == "log-loss":
        return float(metrics.log_loss(y, probabilities, labels=classes, sample_weight=weights))
    if len(np.unique(y)) < 2:
        return 0.5  # one class alone says nothing of an order
    if len(classes) == 2:
        return 1 - float(metrics.roc_auc_score(y, probabilities[:, 1]))
    present = np.unique(y)  # one against the rest, each class by its share of the rows
    areas = [metrics.roc_auc_score(y == one, probabilities[:, one]) for one in present]
    return 1 - float(np.average(areas, weights=[np.mean(y == one) for one in present]))


def highest_within_one_standard_error(losses):
    """Index of the simplest candidate whose mean loss is within one standard error of the lowest.

    losses : float (m, n_folds), from the highest price to the lowest
    """
    means = losses.mean(axis=1)
    lowest = means.argmin()
    error = losses[lowest].std(ddof=1) / np.sqrt(losses.shape[1])
    return int(np.flatnonzero(means <= means[lowest] + error)[0])
