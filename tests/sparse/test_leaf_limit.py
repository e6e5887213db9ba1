"""Trees with at most K leaves: against brute force, at every step that may end the search, and stopped."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from tests.sparse.test_exact import depth_of, problems, simple_costs
from tests.sparse.test_regularization_path import STOPS, stop_after
from tests.twins.sparse import optimal_trees as naive
from treelib import OptimalSparseTreeClassifier, datasets
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget
from treelib.sparse import leaf_limit
from treelib.sparse.column_tree import from_nested
from treelib.sparse.exact import minimise as exact
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.leaf_limit import minimise_within_leaves, prune_to_leaves
from treelib.sparse.pruning import splits_within


def naive_objective(columns, costs, regularization, total, max_depth, max_leaves):
    least = naive.least_costs(columns, costs, max_depth)
    return min(cost / total + regularization * k for k, cost in least.items() if k <= max_leaves)


def check(columns, costs, regularization, total, max_depth, max_leaves, **options):
    found = minimise_within_leaves(
        columns, costs, regularization, max_leaves=max_leaves, total=total, max_depth=max_depth, **options
    )
    assert found.tree.n_leaves <= max_leaves
    assert max_depth is None or depth_of(found.tree) <= max_depth
    own = found.tree.objective(columns, costs, regularization, total)
    assert found.objective == pytest.approx(own, rel=1e-12)
    assert found.status == OPTIMAL and found.lower_bound == found.objective
    return found


@settings(max_examples=200)
@given(problems(max_rows=9), st.integers(1, 7))
def test_equals_brute_force(problem, max_leaves):
    """A wrong optimum: weights, costs, ties, several classes, prices from none to huge, depth limits."""
    found = check(*problem, max_leaves)
    optimum = naive_objective(*problem, max_leaves)
    assert found.objective == pytest.approx(optimum, rel=0, abs=1e-10 * max(1.0, optimum))


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(4, 8), st.sampled_from([None, 3]), st.sampled_from([1, 2000]))
def test_equals_brute_force_where_the_limit_binds(seed, max_leaves, max_depth, trial_nodes):
    """A wrong optimum below the trees that pair counts solve: parity-like labels on all rows of 4 columns."""
    rng = np.random.default_rng(seed)
    columns = (np.arange(16)[:, None] >> np.arange(4)).astype(np.uint8) & 1
    parity = columns[:, : int(rng.integers(3, 5))].sum(axis=1) % 2
    y = np.where(rng.random(16) < 0.15, 1 - parity, parity)
    costs = simple_costs(y, 2, rng.integers(1, 4, 16).astype(float))
    total = costs.sum()
    with mock.patch.object(leaf_limit, "TRIAL_NODES", trial_nodes):
        found = check(columns, costs, 0.002, total, max_depth, max_leaves)
    least = naive.least_costs(columns, costs, 4 if max_depth is None else max_depth, max_leaves)
    optimum = min(cost / total + 0.002 * k for k, cost in least.items())
    assert found.objective == pytest.approx(optimum, abs=1e-12)


def monk(name="monk1"):
    data = datasets.load(name)
    return data.X.astype(np.uint8), simple_costs(data.y, 2)


def test_every_number_of_leaves_of_known_data():
    """Limits on and off the hull of monk1 (vertices at 1, 2, 5 and 8 leaves): more leaves that cost more, or
    a limit that changes the answer where it does not bind."""
    columns, costs = monk()
    free = minimise(columns, costs, 0.02)
    assert free.tree.n_leaves == 8
    values = [check(columns, costs, 0.02, None, None, k).objective for k in range(1, 10)]
    assert (np.diff(values) <= 1e-12).all()
    assert values[7] == values[8] == pytest.approx(free.objective, abs=1e-12)
    assert values[6] > values[7] + 1e-6
    assert values[4] == pytest.approx(11 / 124 + 5 * 0.02, abs=1e-12)
    assert check(columns, costs, 0.02, None, 2, 8).objective == pytest.approx(
        minimise(columns, costs, 0.02, max_depth=2).objective, abs=1e-12
    )


def test_initial_tree_is_cut_back_and_kept():
    """A start with too many leaves that breaks the limit, or one that fits and is lost."""
    columns, costs = monk()
    large = minimise(columns, costs, 0.001).tree
    assert large.n_leaves > 6
    best = check(columns, costs, 0.02, None, None, 6)
    assert check(columns, costs, 0.02, None, None, 6, initial=large).objective == best.objective
    stopped = Budget(time_limit=1e-9)
    found = minimise_within_leaves(columns, costs, 0.02, max_leaves=6, initial=best.tree, budget=stopped)
    assert found.objective == best.objective and found.tree.n_leaves <= 6


@pytest.mark.parametrize("max_leaves", [1, 2, 3, 5, 100])
def test_pruning_is_the_best_of_all_prunings(max_leaves):
    """A pruned tree that is not the best one made of the same splits."""
    columns, costs = monk("monk3")
    tree = minimise(columns, costs, 0.005).tree
    pruned = prune_to_leaves(tree, columns, costs, 1.0, max_leaves)
    assert pruned.n_leaves <= max_leaves

    def values(node, rows):
        """Value of every pruning below a node: {leaves: least value}."""
        out = {1: costs[rows, tree.label[node]].sum() + 1.0}
        if tree.column[node] >= 0:
            true = columns[rows, tree.column[node]] == 1
            for i, a in values(tree.false_child[node], rows[~true]).items():
                for j, b in values(tree.true_child[node], rows[true]).items():
                    out[i + j] = min(out.get(i + j, np.inf), a + b)
        return out

    least = values(0, np.arange(len(columns)))
    best = min(value for leaves, value in least.items() if leaves <= max_leaves)
    assert pruned.objective(columns, costs, 1.0, 1.0) == pytest.approx(best)


LIMITS = {
    **{name: (limits, status) for name, (limits, status, n_jobs) in STOPS.items() if n_jobs == 1},
    "no memory": (lambda: {"memory_limit": 1}, MEMORY_LIMIT),
    "late": (lambda: {"cancel": stop_after(400, False)}, INTERRUPTED),
    "late Ctrl-C": (lambda: {"cancel": stop_after(400, True)}, INTERRUPTED),
}


@pytest.fixture(scope="module")
def binding():
    rng = np.random.default_rng(8)
    columns = rng.integers(0, 2, (300, 9), dtype=np.uint8)
    y = (columns[:, :5].sum(axis=1) % 2) ^ (rng.random(300) < 0.1)
    costs = simple_costs(y, 2)
    return columns, costs, minimise_within_leaves(columns, costs, 0.001, max_leaves=9)


def test_the_problem_to_be_stopped_needs_all_three_steps(binding):
    """Stops that come after the end test nothing."""
    columns, costs, best = binding
    assert best.is_optimal and best.tree.n_leaves <= 9
    assert minimise(columns, costs, 0.001).tree.n_leaves > 9
    assert best.stats["n_nodes"] > 2000


@pytest.mark.parametrize("stop", LIMITS)
def test_stopped_search_keeps_tree_and_valid_bound(monkeypatch, binding, stop):
    """A limit or Ctrl-C that raises, breaks the leaf limit, or leaves a bound above the optimum."""
    columns, costs, best = binding
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    limits, status = LIMITS[stop]
    found = minimise_within_leaves(columns, costs, 0.001, max_leaves=9, budget=Budget(**limits()))
    assert found.status == status and not found.is_optimal
    assert 0 <= found.lower_bound <= best.objective + 1e-12 <= found.objective + 2e-12
    assert found.tree.n_leaves <= 9
    assert found.tree.objective(columns, costs, 0.001) == pytest.approx(found.objective, abs=1e-12)
    trace = found.trace
    assert (np.diff(trace["objective"]) <= 1e-12).all() and (np.diff(trace["lower_bound"]) >= -1e-12).all()


def test_one_leaf_is_the_cheapest_class():
    """The smallest limit there is."""
    columns, costs = monk()
    found = minimise_within_leaves(columns, costs, 0.0, max_leaves=1)
    assert found.tree.n_leaves == 1 and found.objective == 0.5


@pytest.mark.peers("pystreed")
@pytest.mark.parametrize("name", ["monk1", "monk2", "monk3"])
@pytest.mark.parametrize("max_depth, leaf_limits", [(3, [2, 4, 5, 7]), (4, [4, 6, 8])])
def test_a_public_solver_with_the_same_limits_agrees(name, max_depth, leaf_limits):
    """Another least error than STreeD's with as many leaves and levels (it takes no price with a limit)."""
    from pystreed import STreeDClassifier

    columns, costs = monk(name)
    y = costs.argmin(axis=1)
    for max_leaves in leaf_limits:
        model = STreeDClassifier(max_depth=max_depth, max_num_nodes=max_leaves - 1, min_leaf_node_size=1)
        model.fit(columns.astype(np.intc), y)
        assert model.fit_result.is_optimal()
        theirs = np.mean(model.predict(columns.astype(np.intc)) != y)
        found = check(columns, costs, 0.0, None, max_depth, max_leaves)
        assert found.objective == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_memory_that_ends_the_first_search(seed):
    """A division by zero where the memory ended the first search with a tree of few leaves."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (60, 3)) * 1.0, rng.integers(0, 2, 60)
    options = {"regularization": 0.04, "max_thresholds": 6, "max_leaf_nodes": 5}
    best = OptimalSparseTreeClassifier(**options).fit(X, y)
    with pytest.warns(ConvergenceWarning, match=MEMORY_LIMIT):
        model = OptimalSparseTreeClassifier(**options, memory_limit="10 KB").fit(X, y)
    assert model.status_ == MEMORY_LIMIT and model.get_n_leaves() <= 5
    assert model.lower_bound_ <= best.objective_ <= model.objective_


def test_a_chain_of_thousands_of_splits_is_cut_back():
    """An initial tree that is deeper than Python may recurse."""
    n = 3000
    columns = np.tri(n, n, -1, dtype=np.uint8)  # row i is 1 in the columns before i
    costs = np.eye(2)[np.arange(n) % 2]
    nested = 0
    for column in range(n - 1, -1, -1):
        nested = (column, 0, column % 2, nested)
    pruned = prune_to_leaves(from_nested(nested), columns, costs, 1e-3, 4)
    assert 1 <= pruned.n_leaves <= 4
    assert pruned.objective(columns, costs, 0.0, 1.0) <= n / 2


@pytest.mark.parametrize("most", [6, 2])
def test_a_fit_of_numbers_stopped_at_once_keeps_its_initial_tree(most):
    """A tree that was given, lost to a limit: whole, or cut back where it has too many leaves."""
    data = datasets.load("tsallis/banknote")
    good = OptimalSparseTreeClassifier(0.002, max_leaf_nodes=6, max_thresholds=5).fit(data.X, data.y)
    with pytest.warns(ConvergenceWarning):
        model = OptimalSparseTreeClassifier(0.002, max_leaf_nodes=most, initial_tree=good, time_limit=1e-6)
        model.fit(data.X, data.y)
    assert model.get_n_leaves() <= most
    assert model.objective_ <= good.objective_ + (0 if most == 6 else 0.2)


@st.composite
def trees(draw):
    """Children of each node, -1 for leaves, and the cost of each node as a leaf: whole numbers, so that some
    parts cost the same."""
    left, right, todo = [-1], [-1], [0]
    for _ in range(draw(st.integers(0, 7))):
        node = todo.pop(draw(st.integers(0, len(todo) - 1)))
        left[node], right[node] = len(left), len(left) + 1
        todo += [len(left), len(left) + 1]
        left += [-1, -1]
        right += [-1, -1]
    costs = draw(st.lists(st.integers(0, 9), min_size=len(left), max_size=len(left)))
    return np.array(left), np.array(right), np.array(costs, float)


def parts(left, right, node=0):
    """All parts of the tree below a node, as sets of splits that stay."""
    found = [frozenset()]
    if left[node] >= 0:
        for one in parts(left, right, left[node]):
            found += [one | other | {node} for other in parts(left, right, right[node])]
    return found


def cost_of(splits, left, right, leaf, node=0):
    if node not in splits:
        return leaf[node]
    return sum(cost_of(splits, left, right, leaf, child) for child in (left[node], right[node]))


@given(trees(), st.integers(1, 9))
def test_the_part_of_least_cost_and_fewest_leaves(tree, max_leaves):
    """A part that costs more than another one, or as much with more leaves; splits below one that is cut."""
    left, right, leaf = tree
    found = frozenset(np.flatnonzero(splits_within(*tree, max_leaves)).tolist())
    known = parts(left, right)
    assert found in known

    def worth(splits):
        return cost_of(splits, left, right, leaf), len(splits)

    assert worth(found) == min(worth(splits) for splits in known if len(splits) < max_leaves)
