"""The heuristic born-again tree, and post-pruning."""

import sys
import tracemalloc
import warnings
from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from tests.strategies.tree import trees
from tests.twins.bornagain import voting as naive
from treelib import BornAgainTreeClassifier
from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.heuristic import _HeuristicSearch, born_again_heuristic, fixed_bytes
from treelib.bornagain.proof.certificate import certify
from treelib.bornagain.pruned import own_tree, post_prune
from treelib.bornagain.regions.levels import split_of_most_gain
from treelib.bornagain.regions.top_down import grow
from treelib.search.budget import Budget
from treelib.tree.stored import Tree

SEEDS = st.integers(0, 2**32 - 1)
PROOFS = ["boxes", "milp", "auto"] if find_spec("highspy") else ["boxes", "auto"]


@given(st.sampled_from(PROOFS), SEEDS, st.sampled_from(["hard", "soft"]), st.booleans())
@settings(max_examples=90, deadline=None)
def test_tree_is_faithful_everywhere(proof, seed, voting, weighted):
    """A region taken for homogeneous because a small sample was."""
    ensemble = naive.random_ensemble(seed, voting=voting, weighted=weighted)
    result = born_again_heuristic(ensemble, n_samples=3, proof=proof, random_state=seed)
    assert naive.disagreements(result.tree, ensemble, thresholds(ensemble)) == 0
    assert result.status in ("faithful", "optimal")
    needed = naive.needed_thresholds(result.tree, thresholds(ensemble))
    assert result.objective == result.tree.n_leaves >= result.lower_bound == 1 + len(needed)


def test_a_lone_cell_that_samples_miss_is_found():
    """A proof whose finding is thrown away: one cell in 3**8 has another class."""
    step = [Tree.from_nested((j, 1.5, 0, 1), 8) for j in range(8)]
    fill = [Tree.from_nested((j, 0.5, 0, 0), 8, n_classes=2) for j in range(8)]
    always = Tree.from_nested(0, 8, n_classes=2)
    ensemble = Ensemble([*step, *fill[:6], always])
    result = born_again_heuristic(ensemble, n_samples=10, random_state=0)
    assert result.stats["n_found_by_proof"] > 0
    assert result.tree.n_leaves == 9 and certify(result.tree, ensemble, method="cells")
    assert result.status == "optimal" and result.lower_bound == 9


@given(
    trees(regression=False), st.sampled_from(["hard", "soft"]), st.sampled_from([None, 1e-9]), st.booleans()
)
@settings(max_examples=90, deadline=None)
def test_a_single_tree_is_faithful_itself(tree, voting, time_limit, by_depth):
    """A born-again tree that is larger than the tree it was made of, or of another function."""
    tree = tree.replace(value=tree.value + 1)
    ensemble = Ensemble([tree], voting=voting)
    limits, cuts = Budget(time_limit=time_limit), thresholds(ensemble)
    result = born_again_heuristic(ensemble, n_samples=3, random_state=0, budget=limits, by_depth=by_depth)
    assert naive.disagreements(result.tree, ensemble, cuts) == 0 and not len(result.stats["open_leaves"])
    assert np.isfinite(result.objective) and not result.tree.value.any()
    size = "max_depth" if by_depth else "n_leaves"
    assert getattr(result.tree, size) <= getattr(tree, size)
    if time_limit is None:
        own = own_tree(ensemble, Budget())
        grid = np.array(list(product(*([*one, np.inf] for one in cuts))))
        assert set(own.apply(grid)) == set(np.flatnonzero(own.is_leaf))
        left, right = own.children_left[~own.is_leaf], own.children_right[~own.is_leaf]
        both = own.is_leaf[left] & own.is_leaf[right]
        assert (own.label[left] != own.label[right])[both].all()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "heuristic"},
        {"objective": "leaves"},
        {"method": "heuristic", "objective": "leaves"},
        {"time_limit": 1e-6},
    ],
)
def test_a_stopped_search_of_one_tree_has_that_tree(options):
    """A born-again tree of ten times the leaves of the tree itself, or one that asks it."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) * 0.5 > 0
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = BornAgainTreeClassifier(**options).from_ensemble(tree)
    assert model.get_n_leaves() <= tree.get_n_leaves() and model.get_depth() <= tree.get_depth()
    assert model.certify() and not len(model.open_leaves_)
    assert model.is_optimal_ == (options.get("objective") == "leaves")


def test_the_same_seed_gives_the_same_tree():
    """Random numbers that come from elsewhere than `random_state`."""
    ensemble = naive.random_ensemble(5, n_features=5, n_trees=9, n_cuts=5, depth=4)
    first, again, other = (
        born_again_heuristic(ensemble, n_samples=50, random_state=seed).tree for seed in (1, 1, 2)
    )
    assert first == again
    assert first.same_function(other)


def test_limits_leave_a_tree_that_does_not_pretend():
    """A stopped search that reports a faithful tree or a finite objective."""
    ensemble = naive.random_ensemble(5, n_features=5, n_trees=9, n_cuts=5, depth=4)
    result = born_again_heuristic(ensemble, n_samples=20, budget=Budget(node_limit=5), random_state=0)
    assert result.status == "node_limit" and result.stats["n_open_regions"] > 0
    assert np.isinf(result.objective) and result.lower_bound <= 3
    assert not certify(result.tree, ensemble)


def test_interrupt_keeps_what_there_is(monkeypatch):
    """Ctrl-C that loses the tree."""
    from treelib.bornagain import heuristic

    calls = []

    def interrupt(*arguments):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        forest, growth, search, tolerance, _, *others = arguments
        return grow(forest, growth, search, tolerance, 1, *others)

    monkeypatch.setattr(heuristic, "grow", interrupt)
    ensemble = naive.random_ensemble(5, n_features=5, n_trees=9, n_cuts=5, depth=4)
    result = born_again_heuristic(ensemble, n_samples=20, random_state=0)
    assert result.status == "interrupted" and result.tree.n_nodes > 3


def test_boxes_do_without_highs(monkeypatch):
    """A search that needs the optional solver although boxes would do."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    ensemble = naive.random_ensemble(5)
    assert certify(born_again_heuristic(ensemble, n_samples=5, random_state=0).tree, ensemble, method="boxes")
    with pytest.raises(ImportError, match=r"treelib-companion\[milp\]"):
        born_again_heuristic(ensemble, proof="milp")


def test_split_has_the_largest_gain():
    """A gain that is not the information gain: every split is tried in plain numpy."""
    rng = np.random.default_rng(0)

    def entropy(classes):
        share = np.unique(classes, return_counts=True)[1] / max(len(classes), 1)
        return -(share * np.log2(share)).sum()

    for _ in range(50):
        cells = rng.integers(0, 4, (30, 3))
        classes = rng.integers(0, 3, 30)
        low, high = np.zeros(3, dtype=np.int64), np.full(3, 3)
        state = np.array([1], dtype=np.uint64)
        j, level = split_of_most_gain(low, high, state, cells, classes, 30, 3)

        def left_over(j, level, cells=cells, classes=classes):
            left = cells[:, j] <= level
            return left.sum() * entropy(classes[left]) + (~left).sum() * entropy(classes[~left])

        best = min(left_over(a, b) for a in range(3) for b in range(3))
        assert left_over(j, level) == pytest.approx(best, abs=1e-9)


def test_bad_settings_are_named():
    """A misspelt proof, or a sample of nothing."""
    ensemble = naive.random_ensemble(0)
    with pytest.raises(ValueError, match="proof='cplex'"):
        born_again_heuristic(ensemble, proof="cplex")
    with pytest.raises(ValueError, match="n_samples=0"):
        born_again_heuristic(ensemble, n_samples=0)


@given(SEEDS, st.integers(1, 12))
@settings(max_examples=80, deadline=None)
def test_post_pruning_against_recursion(seed, n_rows):
    """A child kept on the empty side, leaves merged across classes, or a split left without samples."""
    tree = naive.random_ensemble(seed, n_trees=1, depth=5).trees[0]
    X = np.random.default_rng(seed).integers(0, 4, (n_rows, 3)).astype(float)
    pruned = post_prune(tree, X)
    assert naive.nested(pruned) == naive.pruned(tree, X)
    assert np.array_equal(pruned.predict(X), tree.predict(X))
    assert (pruned.n_node_samples > 0).all() and pruned.n_node_samples[0] == n_rows


@pytest.mark.parametrize("seed", range(20))
def test_pruning_to_the_letter_cuts_empty_splits_and_no_more(seed):
    """A split left with an empty side, one cut that has rows on both, or sibling leaves merged."""
    tree = naive.random_ensemble(seed, n_trees=1, depth=5).trees[0]
    X = np.random.default_rng(seed).integers(0, 4, (12, 3)).astype(float)
    cut = post_prune(tree, X, merge=False)
    assert (cut.n_node_samples > 0).all() and np.array_equal(cut.predict(X), tree.predict(X))
    reached = np.zeros(tree.n_nodes, dtype=int)
    for leaf in tree.apply(X):
        while leaf >= 0:
            reached[leaf] += 1
            leaf = tree.parent[leaf]
    inner = ~tree.is_leaf
    both = (reached[tree.children_left[inner]] > 0) & (reached[tree.children_right[inner]] > 0)
    assert cut.n_leaves == 1 + both.sum()


def test_post_pruning_needs_samples():
    """An empty training set that prunes everything to a random leaf."""
    with pytest.raises(ValueError, match="no rows"):
        post_prune(Tree.from_nested((0, 0.5, 0, 1), 1), np.empty((0, 1)))


@pytest.mark.parametrize("n_features, n_classes", [(6, 2), (6, 9), (30, 2)])
@pytest.mark.parametrize("limit", [3e5, 1e6, 6e6])
def test_no_more_memory_than_allowed(n_features, n_classes, limit):
    """Nodes that take more than is said: while the tree is made, or while its leaves are compared."""
    random = np.random.default_rng(0)
    X = random.random((400, n_features))
    y = (n_classes * X[:, :3].mean(axis=1) + random.normal(0, 0.2, 400)).astype(int).clip(0, n_classes - 1)
    ensemble = as_ensemble(RandomForestClassifier(10, max_depth=5, random_state=0).fit(X, y))
    ensemble.nodes  # noqa: B018  # made once and kept with the ensemble

    def search():
        limited = Budget(memory_limit=limit)
        return born_again_heuristic(ensemble, n_samples=20, proof="boxes", random_state=0, budget=limited)

    search()  # what it compiles is not counted
    tracemalloc.start()
    try:
        found = search()
        traced = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.stats["peak_bytes"] <= limit and traced <= 1.1 * limit
    assert found.status == "memory_limit" and found.lower_bound >= 1
    assert (found.tree.n_leaves == 1) == (fixed_bytes(ensemble, 20) > limit)
    room = _HeuristicSearch(ensemble, 20, "boxes", 0, Budget())
    arrays = [room.prover.forest, room.prover.boxes, room.growth._replace(nodes=np.empty(0))]
    assert fixed_bytes(ensemble, 20) == sum(array.nbytes for part in arrays for array in part)


def test_a_limit_too_small_for_any_search():
    """Scratch space laid out in spite of the limit, or no answer at all."""
    ensemble = naive.random_ensemble(3)
    found = born_again_heuristic(ensemble, budget=Budget(memory_limit=100))
    assert found.status == "memory_limit" and found.objective == np.inf and found.lower_bound == 1
    assert found.stats["open_leaves"].tolist() == [0] and found.stats["peak_bytes"] == 0
    lowest = np.full((1, ensemble.n_features), -1e9)
    assert found.tree.predict(lowest) == ensemble.predict(lowest)


@pytest.mark.parametrize("objective", ["depth", "leaves", "depth-leaves"])
@pytest.mark.parametrize("limit", [None, 1e-9])
def test_sizes_of_the_estimator_are_in_units_of_its_objective(objective, limit):
    """Leaves called a depth: a tree that is called optimal and is deeper than the least, a bound above it."""
    n_optimal = 0
    for seed in range(25):
        random = np.random.default_rng(seed)
        X = random.integers(0, 4, (30, 2)).astype(float)
        y = ((X.sum(axis=1) + (random.random(30) < 0.2)) % 2).astype(int)
        forest = RandomForestClassifier(3, max_depth=2, random_state=seed).fit(X, y)
        least = BornAgainTreeClassifier(objective=objective).from_ensemble(forest).objective_
        model = BornAgainTreeClassifier(
            objective=objective, method="heuristic", random_state=0, time_limit=limit
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.from_ensemble(forest)
        assert model.lower_bound_ <= least <= model.objective_
        size = {"depth": model.get_depth(), "leaves": model.get_n_leaves()}
        size["depth-leaves"] = size["depth"] + size["leaves"] / 1e6
        assert model.objective_ in (np.inf, pytest.approx(size[objective], abs=1e-12))
        assert not model.is_optimal_ or model.objective_ == least
        n_optimal += model.is_optimal_
    assert n_optimal > 0 or limit is not None
