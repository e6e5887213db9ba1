"""The search on numbers against pycontree, on random problems; both trees are scored on the rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.sparse.continuous.search import optimal_tree


def random_table(seed):
    """(X, y) of one of several kinds: ties or none, noise or none, equal rows, around 32 and 64 rows."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.choice([5, 20, 31, 32, 33, 63, 64, 65, 120])), int(rng.integers(1, 6))
    n_classes, n_values = int(rng.choice([2, 2, 3, 6])), int(rng.choice([2, 4, 9, 1000]))
    # pycontree computes on float32
    X = rng.integers(0, n_values, (n, p)).astype(np.float32).astype(np.float64)
    if rng.random() < 0.2:
        X = X[rng.integers(0, n, n)]
    parts = (X[:, 0] > n_values / 2).astype(int) + (X[:, -1] > n_values / 3) + (X[:, p // 2] > n_values / 4)
    noise = rng.random(n) < rng.choice([0.0, 0.1, 0.3])
    y = np.where(noise, rng.integers(0, n_classes, n), parts % n_classes)
    return X, np.unique(y, return_inverse=True)[1]


@pytest.mark.peers("pycontree")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_no_tree_of_contree_is_better(seed, max_depth):
    """A bound that is too high: ConTree would then find a tree of fewer errors; and it is optimal itself."""
    from pycontree import ConTree

    X, y = random_table(seed)
    result = optimal_tree(X, y, max_depth=max_depth)
    errors = round(result.tree.objective(X, y, 0.0) * len(y))
    peer = ConTree(max_depth=max_depth, time_limit=60)
    peer.fit(X, y)
    assert result.is_optimal and errors == (np.asarray(peer.predict(X)) != y).sum()
