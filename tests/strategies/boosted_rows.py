"""Rows on and next to the thresholds of an ensemble, where a reader that is off by one rounding shows."""

import numpy as np


def rows_near_thresholds(ensemble, X, n, seed, missing=True):
    """`n` rows: values of `X` mixed anew, half of them replaced by thresholds, their neighbours in float64
    and in float32, and (if `missing`) a few NaN and 0.

    Returns
    -------
    float64 (n, n_features)
    """
    rng = np.random.default_rng(seed)
    X = np.asarray(X, dtype=np.float64)
    rows = X[rng.integers(len(X), size=(n, X.shape[1])), np.arange(X.shape[1])]
    for j in range(X.shape[1]):
        cuts = [tree.threshold[(tree.feature == j) & (abs(tree.threshold) < 1e37)] for tree in ensemble.trees]
        cuts = np.unique(np.concatenate(cuts))
        if len(cuts):
            near = [cuts]
            for kind in (np.float64, np.float32):
                near += [np.nextafter(cuts.astype(kind), kind(side)) for side in (-np.inf, np.inf)]
            near = np.concatenate([one.astype(np.float64) for one in [*near, cuts.astype(np.float32)]])
            chosen = rng.random(n) < 0.5
            rows[chosen, j] = rng.choice(near, chosen.sum())
        if missing:
            rows[rng.random(n) < 0.05, j] = np.nan
            rows[rng.random(n) < 0.02, j] = 0.0
    return rows
