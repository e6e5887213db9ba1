"""Compiled scores of many splits at one value of a parameter, and the splits of a set of rows.

A split has three sides: left child, right child, parent. Its score is a sum over the children minus the
parent's share; a side of weight 0 does not count.
"""

import numpy as np

from treelib.compiled.jit import kernel


@kernel(allocates=False)
def score_tsallis(which, weight, share, loss, delta, beta, scores):
    """Weighted (alpha, beta)-Tsallis entropy, alpha = 1 + `delta`.

    With S the sum of p^alpha, ``(1 - S^beta) / (alpha - 1)`` is ``(1 - S) / (alpha - 1)`` times
    ``1 + S + ... + S^(beta - 1)``, and ``1 - p^(alpha - 1)`` comes from expm1: all terms are positive, so
    nothing cancels, also where alpha is next to 1 (where it is the entropy, times beta).

    Parameters
    ----------
    which : intp (k,), the splits to score
    weight : float64 (n, 3). share, loss : float64 (n, 3, c), p and -ln p; p = 0 where a class is absent
    delta : float. beta : int, at least 1
    scores : float64 (2, k), written: children, parent
    """
    n_classes = share.shape[2]
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] == 0.0:
                continue
            entropy, power = 0.0, 1.0
            for i in range(n_classes):
                p = share[split, side, i]
                if p > 0.0:
                    change = np.expm1(-delta * loss[split, side, i])
                    entropy += p * (loss[split, side, i] if delta == 0.0 else -change / delta)
                    power += p * change
            factor = 1.0
            for _ in range(beta - 1):
                factor = 1.0 + power * factor
            scores[side // 2, position] += weight[split, side] * entropy * factor


@kernel(allocates=False)
def score_powers(which, weight, share, loss, alpha, beta, scores):
    """Weighted powers ``(sum p^alpha)^beta``; arguments as in `score_tsallis`."""
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] == 0.0:
                continue
            power = 0.0
            for i in range(share.shape[2]):
                if share[split, side, i] > 0.0:
                    power += np.exp(-alpha * loss[split, side, i])
            whole = power
            for _ in range(beta - 1):
                whole *= power
            scores[side // 2, position] += weight[split, side] * whole


@kernel(allocates=False)
def score_exponential(which, weight, rate, x, scores):
    """Weighted sums of ``exp(-rate x)``; a rate of inf makes a term 0 for every x.

    Parameters
    ----------
    which : intp (k,)
    weight, rate : float64 (n, 3)
    x : float
    scores : float64 (2, k), written: children, parent
    """
    for position in range(len(which)):
        split = which[position]
        scores[0, position] = 0.0
        scores[1, position] = 0.0
        for side in range(3):
            if weight[split, side] != 0.0 and rate[split, side] != np.inf:
                scores[side // 2, position] += weight[split, side] * np.exp(-rate[split, side] * x)


@kernel
def find_splits(X, first, last, rows, codes, targets, n_classes):
    """All splits of a set of rows by the features from `first` to before `last`: one for each gap between
    neighbouring distinct values of a feature.

    Parameters
    ----------
    X : float64 (n, p), C-contiguous, finite. rows : intp (m,)
    codes : intp (n,), classes 0 .. n_classes - 1, or zeros for regression with n_classes = 1
    targets : float64 (n,), summed on the left of each split; zeros for classification

    Returns
    -------
    feature : intp (k,), and threshold : float64 (k,), ascending: first by feature, then by threshold
    counts : float64 (k, n_classes), rows on the left
    sums : float64 (k,), of targets on the left
    """
    m = len(rows)
    most = max((last - first) * (m - 1), 0)
    feature = np.empty(most, dtype=np.intp)
    threshold = np.empty(most)
    counts = np.empty((most, n_classes))
    sums = np.empty(most)
    values = np.empty(m)
    below = np.empty(n_classes)
    k = 0
    for column in range(first, last):
        for i in range(m):
            values[i] = X[rows[i], column]
        order = np.argsort(values, kind="mergesort")
        below[:] = 0.0
        total = 0.0
        for i in range(m - 1):
            row = rows[order[i]]
            below[codes[row]] += 1.0
            total += targets[row]
            low, high = values[order[i]], values[order[i + 1]]
            if low < high:
                middle = low / 2 + high / 2
                feature[k] = column
                threshold[k] = middle if low <= middle < high else low
                counts[k] = below
                sums[k] = total
                k += 1
    return feature[:k].copy(), threshold[:k].copy(), counts[:k].copy(), sums[:k].copy()
