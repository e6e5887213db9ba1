"""Splitting and pruning together, against growing and pruning at single points."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from treelib.topdown.erm import Instance
from treelib.topdown.joint_erm import joint_loss
from treelib.topdown.pruning import prune_cost_complexity


def test_rectangles_hold_the_loss_of_the_pruned_trees():
    """Strips in the wrong order, a price charged before pruning, instances mixed up."""
    X, y = load_wine(return_X_y=True)
    y = np.array(["a", "b", "c"])[y]
    rng = np.random.default_rng(0)
    instances = []
    for _ in range(3):
        order = rng.permutation(len(y))
        instances.append(Instance(X[order[:100]], y[order[:100]], X[order[100:]], y[order[100:]]))
    found = joint_loss(instances, (0.2, 5.0), beta=2, max_depth=4, leaf_price=0.01)
    for alpha, complexity in rng.uniform((0.2, 0.0), (5.0, 0.3), (40, 2)):
        losses = []
        for tree, instance in zip(found.grown.trees(alpha), instances, strict=True):
            pruned = prune_cost_complexity(tree, complexity)
            codes = np.searchsorted(["a", "b", "c"], instance.y_eval)
            losses.append(pruned.error(instance.X_eval, codes) + 0.01 * pruned.n_leaves)
        assert found(alpha, complexity) == pytest.approx(np.mean(losses))
    low, high, first, last = found.minimisers()[0]
    assert found((low + high) / 2, first) == found.minimum and first < last
    assert found.best_over_complexity().minimum == found.minimum
    # Theorem 7.1: at most (leaves) pruned trees for every grown one
    assert found.n_rectangles <= sum(
        sum(tree.n_leaves for tree in found.grown.trees((a + b) / 2))
        for a, b in zip(found.edges[:-1], found.edges[1:], strict=True)
    )
