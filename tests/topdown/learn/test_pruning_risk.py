"""Exact empirical risk of pruning parameters, against pruning at single values."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from tests.twins.topdown.risk import grow, tsallis
from treelib import TopDownTreeClassifier
from treelib.search.budget import Budget, go_on
from treelib.topdown.learn.pessimistic_risk import _exact, pessimistic_loss
from treelib.topdown.learn.pruning_risk import PruningInstance, complexity_loss
from treelib.topdown.prune.methods import prune_bottom_up_pessimistic, prune_cost_complexity
from treelib.tree.stored import Tree

SLOW = settings(deadline=None, max_examples=25)


@st.composite
def instances(draw):
    """One or two grown trees, each with data to measure the error on."""
    p = draw(st.integers(1, 3))
    made = []
    for _ in range(draw(st.integers(1, 2))):
        n = draw(st.integers(4, 14))
        rows = st.lists(st.lists(st.integers(0, 4), min_size=p, max_size=p), min_size=n, max_size=n)
        X, X_eval = np.array(draw(rows), dtype=float), np.array(draw(rows), dtype=float)
        labels = st.lists(st.integers(0, 1), min_size=n, max_size=n)
        y, y_eval = np.array(draw(labels)), np.array(draw(labels))

        def nested(node, y=y):
            if isinstance(node, list):
                return np.bincount(y[node], minlength=2).tolist()
            return node[0], node[1], nested(node[2], y), nested(node[3], y)

        grown = grow(X, list(y), lambda ys: tsallis(ys, [0, 1], 2, 1))
        made.append(PruningInstance(Tree.from_nested(nested(grown), p).recount(X, y), X_eval, y_eval))
    return made


@SLOW
@given(instances(), st.lists(st.floats(0, 0.6), min_size=5, max_size=5))
def test_complexity_loss_is_that_of_the_pruned_trees(made, values):
    """A breakpoint of one tree that is lost in the mean, or shifted."""
    found = complexity_loss(made, leaf_price=0.01)
    for value in (0.0, *values, found.best):
        trees = [prune_cost_complexity(one.tree, value) for one in made]
        loss = np.mean(
            [tree.error(one.X, one.y) + 0.01 * tree.n_leaves for tree, one in zip(trees, made, strict=True)]
        )
        if min(abs(value - b) for b in found.loss.breakpoints) > 1e-12 or value == 0:
            assert found.loss(value) == pytest.approx(loss)
    assert found.loss(found.best) == found.loss.minimum
    # Theorem 4.1: at most t pieces on one data set, t counted in leaves
    for step, one in zip(found.steps, made, strict=True):
        assert len(step) <= one.tree.n_leaves


@SLOW
@given(instances(), st.lists(st.tuples(st.floats(0.06, 4.9), st.floats(0, 19)), min_size=8, max_size=8))
def test_pessimistic_cells_hold_the_pruned_trees(made, points):
    """A curve on the wrong side, a test that forgets what was pruned below, cells that overlap."""
    found = pessimistic_loss(made, (0.05, 5.0), (0.0, 20.0))
    v_low, v_high = (
        min(c[0] for x in found.cells for c in x.corners),
        max(c[0] for x in found.cells for c in x.corners),
    )
    s_high = max(c[1] for x in found.cells for c in x.corners)
    assert sum(cell.area for cell in found.cells) == (v_high - v_low) * s_high
    assert all(cell.area > 0 for cell in found.cells)
    inside = [found.point(*cell.centre) for cell in found.cells]
    for c1, c2 in (*inside, *points):
        cell = found.cell(c1, c2)
        trees = [prune_bottom_up_pessimistic(one.tree, c1, c2) for one in made]
        for one, tree, nodes in zip(made, trees, cell.pruned, strict=True):
            assert tree == one.tree.pruned(list(nodes)) or on_a_border(found, c1, c2)
    assert found(*found.best) == found.minimum


def on_a_border(found, c1, c2):
    return len({found.cell(c1 * (1 + e), c2 + f).pruned for e in (-1e-9, 1e-9) for f in (0.0, 1e-9)}) > 1


def test_real_trees_have_few_pieces_and_limits_hold():
    """Cells that explode on real data, a limit that is ignored, cells that differ from pruning at a grid."""
    X, y = load_breast_cancer(return_X_y=True)
    made = []
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(len(y))
        train, rest = order[:450], order[450:]
        model = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X[train], y[train])
        tree = Tree.from_sklearn(model).recount(X[train], y[train])
        made.append(PruningInstance(tree, X[rest], y[rest]))
    found = pessimistic_loss(made)
    for c1 in (0.07, 0.21, 0.5, 1.3):
        for c2 in (0.1, 1.7, 9.0):
            trees = [prune_bottom_up_pessimistic(one.tree, c1, c2) for one in made]
            errors = [tree.error(one.X, one.y) for tree, one in zip(trees, made, strict=True)]
            assert found(c1, c2) == pytest.approx(np.mean(errors))
    n_inner = sum(one.tree.n_leaves - 1 for one in made)
    assert found.n_prunings <= len(found.cells) <= 1 + found.n_curves + found.n_curves**2 // 2
    assert 0 < found.n_curves <= n_inner  # a count of this data, no theorem
    assert np.isnan(found(100.0, 1.0))
    with pytest.warns(ConvergenceWarning, match="node_limit"):
        assert pessimistic_loss(made, budget=Budget(node_limit=5)).status == "node_limit"


def test_instances_of_different_width_are_refused():
    """Curves of different ln a put into one plane of straight lines."""
    one, other = Tree.from_nested((0, 0.5, [3, 1], [0, 4]), 1), Tree.from_nested((0, 0.5, [3, 1], [0, 4]), 2)
    X, y = np.zeros((1, 1)), np.array([0])
    with pytest.raises(ValueError, match="same number"):
        pessimistic_loss([PruningInstance(one, X, y), PruningInstance(other, np.zeros((1, 2)), y)])
    with pytest.raises(ValueError, match="increasing"):
        pessimistic_loss(PruningInstance(one, X, y), c1=(0.0, 1.0))


def test_a_limit_leaves_the_mean_over_the_first_instances():
    """Work that goes on after a cancel, or a mean that counts instances that were left out."""
    X, y = load_iris(return_X_y=True)
    tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    instances = [PruningInstance(tree, X[k::7], y[k::7]) for k in range(1, 5)]
    looks = []
    complexity_loss(instances[:2], budget=Budget(cancel=lambda: looks.append(False)))
    answers = iter(looks)
    with pytest.warns(ConvergenceWarning, match="2 of 4 instances .interrupted"):
        part = complexity_loss(instances, budget=Budget(cancel=lambda: next(answers, True)))
    two, whole = complexity_loss(instances[:2]), complexity_loss(instances)
    assert part.status == "interrupted" and whole.status == "optimal" and len(part.paths) == 2
    at = np.linspace(0, 0.5, 99)
    assert np.array_equal(part.loss(at), two.loss(at)) and not np.array_equal(part.loss(at), whole.loss(at))


def test_progress_tells_what_is_done(capsys):
    """A long search without a word, or words that nobody asked for."""
    X, y = load_iris(return_X_y=True)
    tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    instance = PruningInstance(tree, X[1::2], y[1::2])
    for search, last in ((complexity_loss, "1 of 1 instances"), (pessimistic_loss, "100.00 % of the plane")):
        search(instance)
        assert capsys.readouterr().err == ""
        search(instance, budget=Budget(verbose=True))
        assert last in capsys.readouterr().err.splitlines()[-1]


def test_a_first_instance_that_is_not_done_says_its_loss_at_zero():
    """No answer at all, or one that is not that of the tree at 0."""
    rng = np.random.default_rng(0)
    X, y = rng.random((4000, 2)), rng.integers(0, 2, 4000)
    instance = PruningInstance(TopDownTreeClassifier().fit(X, y).tree_, X[::2], 1 - y[::2])
    whole = complexity_loss(instance, leaf_price=0.001)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        part = complexity_loss(instance, leaf_price=0.001, budget=Budget(memory_limit=1))
    assert part.loss.domain == (0.0, 0.0) and part.paths == []
    assert part.loss(0.0) == whole.loss(0.0)


def test_a_plane_without_a_cell_says_so():
    """An error that names no cause where the time was over before the first cell."""
    X, y = load_iris(return_X_y=True)
    instance = PruningInstance(TopDownTreeClassifier().fit(X[::2], y[::2]).tree_, X[1::2], y[1::2])
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        none = pessimistic_loss([instance] * 100_000, budget=Budget(cancel=lambda: True))
    assert none.status == "interrupted" and none.cells == [] and none.minimum == np.inf
    assert np.isnan(none(1.0, 0.0))
    with pytest.raises(ValueError, match=r"interrupted.*higher limit"):
        none.best  # noqa: B018


def test_memory_of_a_plane_is_counted():
    """Cells beyond the memory limit, or a limit that stops a search that is far from it."""
    rng = np.random.default_rng(0)
    X = rng.random((2500, 9))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.2, len(X)) > 0.8).astype(int)
    instance = PruningInstance(TopDownTreeClassifier().fit(X[::2], y[::2]).tree_, X[1::2], y[1::2])
    whole = pessimistic_loss(instance)
    limit = 200_000
    tracemalloc.start()
    try:
        with pytest.warns(ConvergenceWarning, match="memory_limit"):
            part = pessimistic_loss(instance, budget=Budget(memory_limit=limit))
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert part.status == "memory_limit" and 10 < len(part.cells) < len(whole.cells)
    assert held <= 1.1 * limit  # the cells alone; the peak has the tests of the tree as well
    assert peak > 0.3 * limit
    assert pessimistic_loss(instance, budget=Budget(memory_limit=10 * limit)).status == "optimal"


def test_whole_counts_are_integers():
    """A million fractions made and forgotten after the limit, or real weights that lose their digits."""
    assert [type(n) for n in _exact(np.array([1.0, 3.0]), go_on)] == [int, int]
    assert _exact(np.array([0.1, 3.0]), go_on) == [Fraction(0.1), 3]
