"""Naive twins of treelib.topdown's criteria and learner: numpy and recursion, obviously right."""

from itertools import combinations, pairwise

import numpy as np


def impurity(name, p, alpha=1.0, beta=1.0, gamma=1.0):
    """g of class proportions `p`, as the paper writes it."""
    p = np.asarray(p, dtype=float)
    positive = p[p > 0]
    if name == "gini":
        return 1 - (p**2).sum()
    if name == "entropy":
        return -(positive * np.log2(positive)).sum()
    if name == "km":
        return np.sqrt(positive).sum() ** 2 - 1
    if name == "misclassification":
        return 1 - p.max()
    if name == "gamma":
        return p.prod() ** gamma
    if alpha == 1:
        return -beta * (positive * np.log(positive)).sum()
    return (1 - (positive**alpha).sum() ** beta) / (alpha - 1)


def deviance(name, y, weight, power=0.0):
    """Weighted mean loss of predicting the weighted mean of `y`."""
    y, weight = np.asarray(y, float), np.asarray(weight, float)
    mean = (weight * y).sum() / weight.sum()
    if name == "squared_error" or (name == "tweedie" and power == 0):
        loss = (y - mean) ** 2
    elif mean == 0:
        loss = np.zeros_like(y)
    elif name == "poisson" or power == 1:
        logs = np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mean), 0)
        loss = (1 if name == "poisson" else 2) * (logs - y + mean)
    else:
        loss = y ** (2 - power) / ((1 - power) * (2 - power)) - y * mean ** (1 - power) / (1 - power)
        loss = 2 * (loss + mean ** (2 - power) / (2 - power))
    return (weight * loss).sum() / weight.sum()


def candidate_splits(X):
    """(feature, threshold, missing goes left, rows that go left) of every split that divides X."""
    for feature in range(X.shape[1]):
        x = X[:, feature]
        missing = np.isnan(x)
        values = np.unique(x[~missing])
        for low, high in pairwise(values):
            for left in (False, True) if missing.any() else (False,):
                yield feature, (low / 2 + high / 2), left, (x <= low) | (missing & left)
        if missing.any() and not missing.all():
            yield feature, np.inf, False, ~missing


def subset_splits(codes):
    """Rows that go left, for each of the 2^(k - 1) - 1 ways to part the k codes of a column in two."""
    kinds = np.unique(codes)
    for size in range(1, len(kinds)):
        for chosen in combinations(kinds[1:], size):
            yield np.isin(codes, chosen)


def best_decrease(X, cost, min_samples_leaf=1, categories=()):
    """Largest fall of ``cost(rows)`` by one split of all rows of X; None where no split is allowed.

    categories : columns of X that hold codes of categories, whose subsets are the splits
    """
    whole, best = cost(np.ones(len(X), bool)), None
    numbers = [left for *_, left in candidate_splits(np.delete(X, list(categories), axis=1))]
    subsets = [left for column in categories for left in subset_splits(X[:, column])]
    for left in numbers + subsets:
        if min(left.sum(), (~left).sum()) >= min_samples_leaf:
            fall = whole - cost(left) - cost(~left)
            best = fall if best is None else max(best, fall)
    return best
