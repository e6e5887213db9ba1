"""Rows on and next to the thresholds of an ensemble, where a reader that is off by one rounding shows."""

import numpy as np


def values_at_thresholds(ensemble, j):
    """Thresholds of feature `j` and their neighbours in float64 and in float32, float64 (k,)."""
    cuts = [tree.threshold[(tree.feature == j) & (abs(tree.threshold) < 1e37)] for tree in ensemble.trees]
    cuts = np.unique(np.concatenate(cuts))
    near = [cuts, cuts.astype(np.float32)]
    for kind in (np.float64, np.float32):
        near += [np.nextafter(cuts.astype(kind), kind(side)) for side in (-np.inf, np.inf)]
    return np.concatenate([one.astype(np.float64) for one in near])


def rows_near_thresholds(ensemble, X, n, seed, missing=True):
    """`n` rows: values of `X` mixed anew, half of them replaced by thresholds, their neighbours in float64
    and in float32, and (if `missing`) a few NaN and 0.

    Returns
    -------
    float64 (n, n_features)
    """
    rng = np.random.default_rng(seed)
    rows = _mixed(X, n, rng)
    for j in range(rows.shape[1]):
        near = values_at_thresholds(ensemble, j)
        if len(near):
            chosen = rng.random(n) < 0.5
            rows[chosen, j] = rng.choice(near, chosen.sum())
        if missing:
            rows[rng.random(n) < 0.05, j] = np.nan
            rows[rng.random(n) < 0.02, j] = 0.0
    return rows


def rows_at_every_threshold(ensemble, X, seed):
    """A row for each threshold and each of its neighbours, its other values from `X` mixed anew."""
    rng = np.random.default_rng(seed)
    parts = []
    for j in range(np.shape(X)[1]):
        near = values_at_thresholds(ensemble, j)
        rows = _mixed(X, len(near), rng)
        rows[:, j] = near
        parts.append(rows)
    return np.concatenate(parts)


def _mixed(X, n, rng):
    X = np.asarray(X, dtype=np.float64)
    return X[rng.integers(len(X), size=(n, X.shape[1])), np.arange(X.shape[1])]
