"""The exact search in a page against `treelib.sparse.exact.minimise`, bit for bit."""

import numpy as np
import pytest

from tests.wasm.kernels.in_wasmtime import SparseSearch
from treelib import datasets
from treelib.sparse.exact.minimise import minimise


def random_problem(rng):
    """Columns, costs, price, total and depth; whole and real costs of any size, ties, equal rows."""
    n, p, n_classes = int(rng.integers(1, 400)), int(rng.integers(1, 14)), int(rng.integers(2, 5))
    columns = (rng.random((n, p)) < rng.uniform(0.1, 0.9, p)).astype(np.uint8)
    y = (columns[:, :3].astype(int).sum(axis=1) + rng.integers(0, 2, n)) % n_classes
    kind = rng.integers(0, 3)
    costs = 1.0 - np.eye(n_classes)[y]
    if kind == 0:
        costs = rng.random((n, n_classes)) * rng.choice([1e-6, 1.0, 1e9])
    elif kind == 1:
        costs *= rng.integers(1, 9, (n, 1))
    depth = [None, 1, 2, 3, 4][rng.integers(0, 5)]
    price = rng.choice([0.0, 0.002, 0.01, 0.05, 0.3]) * (costs.mean() if kind == 0 else 1.0)
    if depth is None and price == 0.0:
        depth = 3
    total = float(n) if rng.integers(0, 2) else float(rng.integers(1, 2 * n + 1))
    return columns, costs, float(price), total, depth


def differences(columns, costs, price, total, depth):
    """What the page answers otherwise than Python, a list of texts."""
    found = minimise(columns, costs, price, total=total, max_depth=depth)
    search = SparseSearch(columns, costs, price, total=total, max_depth=depth)
    search.run()
    tree, facts = search.read()
    ours = {"tree": tree, **facts}
    theirs = {"tree": [part.tolist() for part in found.tree], "is_optimal": float(found.is_optimal)}
    theirs |= {"objective": found.objective, "lower_bound": found.lower_bound}
    theirs |= {name: found.stats[name] for name in facts if name.startswith("n_")}
    return [f"{name}: {ours[name]} for {theirs[name]}" for name in theirs if ours[name] != theirs[name]]


@pytest.mark.parametrize(
    "name, price, depth",
    [
        ("compas-binary", 0.005, None),
        ("monk1", 0.025, None),
        ("tic-tac-toe", 0.01, None),
        ("car-evaluation", 0.01, None),
        ("car-evaluation", 0.001, 4),
    ],
)
def test_data_sets_are_equal_bitwise(name, price, depth):
    """A search long enough to grow its table, raise its bound and pack its rows."""
    data = datasets.load(name)
    columns, y = np.asarray(data.X, np.uint8), np.unique(data.y, return_inverse=True)[1]
    costs = 1.0 - np.eye(y.max() + 1)[y]
    assert not differences(columns, costs, price, float(len(y)), depth)


def hard_problem(n=600, p=40):
    rng = np.random.default_rng(5)
    columns = rng.integers(0, 2, (n, p), dtype=np.uint8)
    y = rng.integers(0, 2, n)
    return columns, 1.0 - np.eye(2)[y]


def check_valid(columns, costs, price, tree, facts):
    """The tree has the objective that is said, and the bound is not above it."""
    column, false_child, true_child, label = (np.array(part) for part in tree)
    at = np.zeros(len(columns), int)
    while (column[at] >= 0).any():
        inner = column[at] >= 0
        goes = columns[np.arange(len(columns)), np.maximum(column[at], 0)] == 1
        at = np.where(inner, np.where(goes, true_child[at], false_child[at]), at)
    cost = costs[np.arange(len(columns)), label[at]].sum() / len(columns)
    assert facts["objective"] == pytest.approx(cost + price * (column < 0).sum(), rel=0, abs=1e-12)
    assert 0 <= facts["lower_bound"] <= facts["objective"]


def test_a_search_can_be_read_at_any_time():
    """A tree that is worse than said, a bound that falls, or a search that goes on otherwise after a look."""
    columns, costs = hard_problem(300, 14)
    whole, looked = (SparseSearch(columns, costs, 0.005) for _ in range(2))
    last = 0.0
    while looked.run(1) == SparseSearch.RUNNING:
        tree, facts = looked.read()
        check_valid(columns, costs, 0.005, tree, facts)
        assert facts["lower_bound"] >= last
        last = facts["lower_bound"]
    whole.run()
    assert looked.read() == whole.read()


def test_a_stop_leaves_a_tree_and_a_valid_bound():
    """A search that is given up after a few steps and has nothing, or a bound above the optimum."""
    columns, costs = hard_problem()
    search = SparseSearch(columns, costs, 0.002)
    assert search.run(5) == SparseSearch.RUNNING
    tree, facts = search.read()
    check_valid(columns, costs, 0.002, tree, facts)
    assert not facts["is_optimal"] and facts["lower_bound"] < facts["objective"]
    # no tree of a single leaf is as good, so at least two prices and less than the best leaf
    assert 0.004 <= facts["lower_bound"] < costs.sum(axis=0).min() / len(columns) + 0.002


@pytest.mark.parametrize("limit", [3e5, 3e6])
def test_a_memory_limit_leaves_a_tree_and_a_valid_bound(limit):
    """Memory over the limit, or nothing to show when it is met, before the first step or later."""
    columns, costs = hard_problem()
    search = SparseSearch(columns, costs, 0.0005, limit=limit)
    assert search.run(2000) == SparseSearch.NO_MEMORY
    tree, facts = search.read()
    check_valid(columns, costs, 0.0005, tree, facts)
    assert not facts["is_optimal"]
    assert search.machine.call("tl_in_use") < 4 * limit + 2**21


def test_a_page_without_memory_keeps_what_it_had():
    """A browser that grants less than the limit says: growing fails inside a step, and the tree is lost."""
    columns, costs = hard_problem()
    search = SparseSearch(columns, costs, 0.0005, most_bytes=8 * 2**20)
    assert search.run(2000) == -1  # the error of numba's allocation
    tree, facts = search.read()
    check_valid(columns, costs, 0.0005, tree, facts)
    assert not facts["is_optimal"]
