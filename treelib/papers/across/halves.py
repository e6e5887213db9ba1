"""Rows for training and for testing."""

import numpy as np


def half_split(y, seed=0):
    """Rows for training and for testing, bool (n,) each: half and half in every class, by `seed`."""
    rng = np.random.default_rng(seed)
    training = np.zeros(len(y), bool)
    for code in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == code))
        training[rows[: len(rows) // 2]] = True
    return training, ~training
