"""Splitting and pruning together, against growing and pruning at single points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from tests.twins.topdown import pruning as naive_pruning
from tests.twins.topdown.risk import grow, tsallis
from treelib.search.budget import Budget
from treelib.topdown.learn.joint_risk import joint_loss
from treelib.topdown.learn.splitting_risk import Instance
from treelib.topdown.prune.methods import prune_cost_complexity
from treelib.tree.stored import Tree


@st.composite
def samples(draw):
    """Rows to grow on and rows to measure on, of three classes at most; all classes are grown on."""
    rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9)
    X, X_eval = (np.array(draw(rows), dtype=float) for _ in range(2))
    seen = np.array(draw(st.lists(st.integers(0, 2), min_size=len(X), max_size=len(X))))
    y_eval = np.array(
        draw(st.lists(st.sampled_from(sorted(set(seen))), min_size=len(X_eval), max_size=len(X_eval)))
    )
    return X, seen, X_eval, y_eval


def twin(X, y, alpha, beta):
    """Tree grown at one alpha in decimals, its classes those of `y` in order."""
    names, y = np.unique(y, return_inverse=True)

    def nested(node):
        if isinstance(node, list):
            return np.bincount(y[node], minlength=len(names)).tolist()
        return *node[:2], nested(node[2]), nested(node[3])

    grown = grow(X, list(y), lambda part: tsallis(part, range(len(names)), alpha, beta), max_depth=3)
    return Tree.from_nested(nested(grown), X.shape[1], n_classes=len(names)).recount(X, y), names


@settings(max_examples=25, deadline=None)
@given(
    st.lists(samples(), min_size=1, max_size=2),
    st.sampled_from([1, 2]),
    st.lists(st.tuples(st.floats(0.2, 4), st.fractions(0, 1, max_denominator=50)), min_size=3, max_size=3),
)
def test_loss_is_that_of_the_twins_pruned_by_listing(made, beta, points):
    """A breakpoint of one tree lost among those of others, a price in another unit, or an instance twice."""
    found = joint_loss([Instance(*one) for one in made], (0.2, 4.0), beta=beta, max_depth=3, leaf_price=0.01)
    brackets = [b for part in found.grown.instances for b in (*part.brackets, *part.unresolved)]
    for alpha, price in points:
        doubtful = any(b.low - 1e-9 <= alpha <= b.high + 1e-9 for b in brackets)
        losses = []
        for X, y, X_eval, y_eval in made:
            tree, names = twin(X, y, alpha, beta)
            prunings = naive_pruning.all_prunings(tree)
            costs = [naive_pruning.training_cost(one) for one in prunings]
            doubtful |= any(abs(price - b) < 1e-9 for b in naive_pruning.breakpoints(prunings, costs)[1:])
            (pruned,) = naive_pruning.smallest_minimiser(prunings, costs, price)
            losses.append(np.mean(names[pruned.predict(X_eval)] != y_eval) + 0.01 * pruned.n_leaves)
        if not doubtful:
            assert found(alpha, float(price)) == pytest.approx(np.mean(losses))


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


def test_progress_tells_what_is_done(capsys):
    """A long search without a word, or words that nobody asked for."""
    X, y = load_iris(return_X_y=True)
    instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    joint_loss(instance, (0.5, 3.0), max_depth=2)
    assert capsys.readouterr().err == ""
    found = joint_loss(instance, (0.5, 3.0), max_depth=2, budget=Budget(time_limit=100, verbose=True))
    grown, strips = capsys.readouterr().err.splitlines()[-2:]
    assert f"alpha up to 3: {found.grown.n_pieces} pieces, least loss" in grown
    assert f"alpha up to 3: {len(found.strips)} strips, least loss {found.minimum:.6g}" in strips
