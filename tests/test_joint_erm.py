"""Splitting and pruning together, against growing and pruning at single points."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.exceptions import ConvergenceWarning

from treelib.budget import Budget
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


@pytest.mark.parametrize("budget", [{"node_limit": 40}, {"cancel": lambda: True}, {"memory_limit": 3e6}])
def test_a_limit_leaves_an_exact_part(budget):
    """Strips beyond the part that the growth covered; no answer, or no status, after a limit."""
    X, y = load_breast_cancer(return_X_y=True)
    instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    whole = joint_loss(instance, (0.2, 5.0), max_depth=4)
    with pytest.warns(ConvergenceWarning):
        part = joint_loss(instance, (0.2, 5.0), max_depth=4, budget=Budget(**budget))
    assert whole.status == "optimal" and part.status != "optimal"
    assert part.edges[0] == 0.2 and part.edges[-1] < 5.0 and len(part.strips) == len(part.edges) - 1
    middle = (part.edges[0] + part.edges[1]) / 2
    for complexity in (0.0, 0.01, 0.2):
        assert part(middle, complexity) == whole(middle, complexity)
