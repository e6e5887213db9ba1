"""The paper's branch and bound in a page against `treelib.sparse.branch_and_bound`, count for count."""

import numpy as np
import pytest

from tests.wasm.kernels.in_wasmtime import Branching
from treelib import datasets
from treelib.sparse import branch_and_bound
from treelib.sparse.paper import border, expand, search_state
from treelib.sparse.paper.bounds import BOUNDS, DEFAULT_BOUNDS, switches
from treelib.sparse.paper.branch_and_bound import _enlarged
from treelib.sparse.paper.search_state import POLICIES
from treelib.sparse.paper.state_queue import lowest_open_bound

MOST = 60_000


def random_problem(rng):
    """Table, classes, price, bounds, policy and convention; equal rows, constant columns, one class."""
    n, p = int(rng.integers(1, 200)), int(rng.integers(1, 8))
    X = (rng.random((n, p)) < rng.uniform(0.0, 1.0, p)).astype(np.uint8)
    y = (X[:, :3].sum(axis=1) + (rng.random(n) < rng.choice([0.05, 0.3]))) % 2
    bounds = tuple(name for name in BOUNDS if rng.random() < 0.75)
    price = float(rng.choice([0.01, 0.025, 0.05, 0.1, 0.3]))
    return X, y.astype(np.int64), price, bounds, int(rng.integers(len(POLICIES))), int(rng.integers(2))


def run(search, most=MOST):
    """Step as Python's driver does, to the end or to so many trees evaluated."""
    while search.step() == search.RUNNING and search.facts()[0]["n_evaluated"] < most:
        pass
    return search


def differences(X, y, price, bounds, policy, paper, most=MOST):
    """What the page answers otherwise than Python, a list of texts."""
    found = branch_and_bound(
        X, y, price, policy=POLICIES[policy], warm_start=None, bounds=bounds, node_limit=most,
        convention=("sound", "paper")[paper],
    )  # fmt: skip
    search = run(Branching(X, y, price, bounds, policy, paper), most)
    facts, leaves = search.facts(), search.read()
    tree = border.tree_of_leaves(leaves[0], leaves[2], X, y)
    theirs = {
        "n_evaluated": found.n_evaluated,
        "n_to_optimum": found.n_evaluated_to_optimum,
        "n_taken": found.stats["n_taken"],
        "n_leaves": found.stats["n_distinct_leaves"],
        "n_trees": found.stats["n_distinct_trees"],
        "queue_size": found.trace["queue"][-1],
        "best": found.trace["objective"][-1],
        "lower_bound": found.trace["lower_bound"][-1],
    }
    ours, same_tree = facts[0], tree == found.tree
    bad = [f"{name}: {ours[name]} for {value}" for name, value in theirs.items() if ours[name] != value]
    return bad if same_tree else [*bad, "another tree"]


@pytest.mark.parametrize("name, price", [("monk1", 0.025), ("tic-tac-toe", 0.01), ("monk3", 0.01)])
def test_data_sets_are_equal_bitwise(name, price):
    """A search long enough to enlarge each of its tables several times."""
    data = datasets.load(name)
    X, y = np.asarray(data.X, np.uint8), np.asarray(data.y, np.int64)
    assert not differences(X, y, price, DEFAULT_BOUNDS, 0, 0, most=400_000)


def test_states_are_those_of_the_kernels_in_python():
    """A step that stops in the middle of a state, or goes on beyond it; another tree at hand."""
    data = datasets.load("monk1")
    X, y = np.asarray(data.X, np.uint8), np.asarray(data.y, np.intp)
    order = border.gini_order(X, y)
    on = switches(DEFAULT_BOUNDS)
    twin = search_state.new_search(*border.merge_rows(X, y, order), 0.05, 0, False, on)
    expand.plant_root(twin)
    search = Branching(X, y, 0.05, DEFAULT_BOUNDS)
    for n_states in (1, 2, 3, 50, 1000, 7000):
        while twin.now[0]["n_taken"] < n_states or twin.now[0]["phase"] != expand.TAKE:
            code = expand.advance(twin, 1)
            if code in (expand.LEAVES_FULL, expand.TREES_FULL, expand.QUEUE_FULL):
                twin = _enlarged(twin, code)
        assert search.step(1 << 30, n_states) == search.RUNNING
        now, facts = twin.now[0], search.facts()[0]
        assert facts["n_taken"] == n_states == now["n_taken"]
        assert (facts["queue_size"], facts["best"]) == (now["queue_size"], now["best"])
        assert facts["lower_bound"] == min(now["best"], now["dropped"], lowest_open_bound(twin))
        first, last = twin.tree["start"][now["tree"]], twin.tree["start"][now["tree"] + 1]
        leaves, is_split, _ = search.read(at_hand=True)
        for leaf, columns in zip(leaves, twin.leaf_column[twin.tree_leaf[first:last]], strict=True):
            assert leaf == {(int(order[j]), int(v)) for j, v in enumerate(columns) if v in (0, 1)}
        mask = [search_state.leaf_is_split(now["mask"], i, last - first) for i in range(last - first)]
        assert is_split == mask


def test_a_memory_limit_leaves_a_tree_and_a_valid_bound():
    """Memory over the limit, or a bound above the optimum when it is met."""
    data = datasets.load("monk1")
    X, y = np.asarray(data.X, np.uint8), np.asarray(data.y, np.int64)
    search = Branching(X, y, 0.025, DEFAULT_BOUNDS)
    while search.step(most_bytes=4e6) == search.RUNNING:
        pass
    facts = search.facts()[0]
    assert search.step() == search.NO_MEMORY and facts["n_evaluated"] > 1000
    assert 0.0 < facts["lower_bound"] <= 0.2 <= facts["best"]
