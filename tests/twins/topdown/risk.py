"""Naive twin of the exact risk: growth at one value of a parameter, in decimals of 50 digits."""

from decimal import Decimal, getcontext
from itertools import pairwise

import numpy as np

getcontext().prec = 50
_EQUAL = Decimal(10) ** -30


def _power(base, exponent):
    return (exponent * base.ln()).exp() if base > 0 else Decimal(0)


def tsallis(labels, classes, alpha, beta):
    """Weight times (alpha, beta)-Tsallis entropy of a list of labels, as the paper defines it."""
    n = len(labels)
    alpha, beta = Decimal(float(alpha)), Decimal(float(beta))
    shares = [Decimal(labels.count(k)) / n for k in classes if labels.count(k)]
    if alpha == 1:
        return -n * beta * sum(p * p.ln() for p in shares)
    return n * (1 - _power(sum(_power(p, alpha) for p in shares), beta)) / (alpha - 1)


def gamma(labels, classes, exponent):
    """Weight times (prod p)^gamma."""
    product = Decimal(1)
    for k in classes:
        product *= Decimal(labels.count(k)) / len(labels)
    return len(labels) * _power(product, Decimal(float(exponent)))


def tweedie(targets, power):
    """Weight times mean Tweedie deviance of targets from their mean, 0 <= power < 1 (misprint corrected)."""
    p = Decimal(float(power))
    ys = [Decimal(float(y)) for y in targets]
    mean = sum(ys) / len(ys)
    return 2 * sum(
        _power(y, 2 - p) / ((1 - p) * (2 - p))
        - y * _power(mean, 1 - p) / (1 - p)
        + _power(mean, 2 - p) / (2 - p)
        for y in ys
    )


def grow(X, y, impurity, max_depth=None, max_splits=None):
    """Nested tree ``(feature, threshold, left, right)`` or list of rows, as `splitting_risk`.

    Parameters
    ----------
    X : (n, p). y : (n,). impurity : callable of a list of labels -> Decimal, already times its weight
    """
    X = np.asarray(X, dtype=float)

    def best_split(rows):
        """(gain, feature, threshold, left rows, right rows) or None"""
        labels = [y[row] for row in rows]
        if len(set(labels)) == 1:
            return None
        best = None
        for feature in range(X.shape[1]):
            values = sorted({X[row, feature] for row in rows})
            for low, high in pairwise(values):
                threshold = (low + high) / 2
                left = [row for row in rows if X[row, feature] <= threshold]
                right = [row for row in rows if X[row, feature] > threshold]
                gain = impurity(labels) - impurity([y[r] for r in left]) - impurity([y[r] for r in right])
                if best is None or gain > best[0] + _EQUAL:
                    best = gain, feature, threshold, left, right
        return None if best is None or best[0] < -_EQUAL else best

    root = {"rows": list(range(len(X))), "depth": 0}
    leaves, n_splits = [root], 0
    while max_splits is None or n_splits < max_splits:
        choice = None
        for leaf in leaves:
            if "best" not in leaf:
                deep = max_depth is not None and leaf["depth"] >= max_depth
                leaf["best"] = None if deep else best_split(leaf["rows"])
            if leaf["best"] and (choice is None or leaf["best"][0] > choice["best"][0] + _EQUAL):
                choice = leaf
        if choice is None:
            break
        _, choice["feature"], choice["threshold"], left, right = choice["best"]
        choice["left"] = {"rows": left, "depth": choice["depth"] + 1}
        choice["right"] = {"rows": right, "depth": choice["depth"] + 1}
        leaves = [leaf for leaf in leaves if leaf is not choice] + [choice["left"], choice["right"]]
        n_splits += 1

    def nested(node):
        if "left" not in node:
            return node["rows"]
        return node["feature"], node["threshold"], nested(node["left"]), nested(node["right"])

    return nested(root)


def splits(nested):
    """The splits of a nested tree in preorder, None for a leaf."""
    if isinstance(nested, list):
        return [None]
    return [nested[:2], *splits(nested[2]), *splits(nested[3])]
