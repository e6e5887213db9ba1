"""The exact search on numbers in a page against `treelib.sparse.continuous.search`, bit for bit."""

import numpy as np
import pytest

from tests.wasm.kernels.in_wasmtime import NumberSearch, check_random, random_problems
from treelib import OptimalSparseTreeClassifier, datasets
from treelib.sparse.continuous.search import optimal_tree


def random_problem(rng):
    """A table of 2 to 6 classes, a price and a depth; ties, equal rows of different class, missing values."""
    n_classes = int(rng.choice([2, 2, 2, 3, 4, 5, 6]))
    n, p = int(rng.integers(n_classes, 90)), int(rng.integers(1, 5))
    X = rng.normal(size=(n, p))
    for j in range(p):
        kind = rng.integers(0, 4)
        if kind == 0:
            X[:, j] = rng.integers(0, 6, n)
        elif kind == 1:
            X[:, j] = np.round(X[:, j], 1)
    if rng.integers(0, 4) == 0:
        X[rng.random((n, p)) < 0.1] = np.nan
    signs = np.nan_to_num(X) > 0.2
    y = (signs.sum(axis=1) + (signs[:, 0] ^ signs[:, -1]) + (rng.random(n) < 0.1)) % n_classes
    if n_classes > 2 and rng.integers(0, 2):
        y = (y + 2 * (np.nan_to_num(X[:, -1]) > 0.7)) % n_classes
    y[rng.permutation(n)[:n_classes]] = np.arange(n_classes)
    depth = [None, 1, 2, 3, 3][rng.integers(0, 5)]
    price = float(rng.choice([0.0, 0.004, 0.01, 0.05, 0.3]))
    least = 0.05 if n_classes == 2 else 0.15
    if depth is None and 0.0 < price < least:  # noise that no few leaves describe takes long
        price = least
    return X, y.astype(np.int64), price, depth


def differences(X, y, price, depth):
    """What the page answers otherwise than Python, a list of texts."""
    found = optimal_tree(X, y, regularization=price, max_depth=depth)
    search = NumberSearch(X, y, price, depth)
    search.run()
    tree, facts = search.read()
    ours = {"tree": tree, **facts}
    theirs = {"tree": {name: getattr(found.tree, name).tolist() for name in tree}}
    theirs |= {"objective": found.objective, "lower_bound": found.lower_bound}
    theirs |= {
        "is_optimal": float(found.is_optimal),
        **{name: found.stats[name] for name in found.stats if name in ours},
    }
    return [f"{name}: {ours[name]} for {theirs[name]}" for name in theirs if ours[name] != theirs[name]]


@random_problems(200, 34)
def test_random_problems_are_equal_bitwise(n_problems, seed):
    """A driver that sorts, merges, steps or reads otherwise than Python's; a miscompiled kernel."""
    check_random(random_problem, differences, n_problems, seed)


@pytest.mark.parametrize(
    "name, price, depth",
    [
        ("dyadic/banana", 0.01, 3),
        ("dyadic/banana", 0.05, 2),
        ("dyadic/thyroid", 0.0, 3),
        ("dyadic/thyroid", 0.03, None),
    ],
)
def test_data_sets_are_equal_bitwise(name, price, depth):
    """A search long enough to grow its tables, to look ahead, and to start from a greedy tree."""
    data = datasets.load(name)
    y = np.unique(data.y, return_inverse=True)[1]
    X = np.asarray(data.X, np.float64)
    assert not differences(X, y, price, depth)
    # and the default of the estimator is this search
    model = OptimalSparseTreeClassifier(price, max_depth=depth).fit(data.X, data.y)
    assert model.objective_ == optimal_tree(X, y, regularization=price, max_depth=depth).objective


def hard_problem(n=1500, p=6):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, p))
    return X, ((X[:, 0] * X[:, 1] > 0) ^ (rng.random(n) < 0.2)).astype(np.int64)


def check_valid(X, y, price, tree, facts):
    """The tree has the objective that is said, and the bound is not above it."""
    feature, threshold, left, right, label = (
        np.array(tree[name]) for name in ("feature", "threshold", "left", "right", "label")
    )
    at = np.zeros(len(X), int)
    while (feature[at] >= 0).any():
        inner = feature[at] >= 0
        goes = X[np.arange(len(X)), np.maximum(feature[at], 0)] <= threshold[at]
        at = np.where(inner, np.where(goes, left[at], right[at]), at)
    errors = np.count_nonzero(label[at] != y) / len(X)
    assert facts["objective"] == pytest.approx(errors + price * (feature < 0).sum(), rel=0, abs=1e-12)
    assert 0 <= facts["lower_bound"] <= facts["objective"]


@pytest.mark.parametrize("depth", [None, 3])
def test_a_search_can_be_read_at_any_time(depth):
    """A tree worse than said, a bound that falls, or a search that goes on otherwise after a look."""
    X, y = hard_problem(300, 3)
    whole, looked = (NumberSearch(X, y, 0.08, depth) for _ in range(2))
    last = 0.0
    while looked.run(1) == NumberSearch.RUNNING:
        tree, facts = looked.read()
        check_valid(X, y, 0.08, tree, facts)
        assert facts["lower_bound"] >= last and looked.bounds()[0] >= facts["lower_bound"]
        last = facts["lower_bound"]
    whole.run()
    assert looked.read() == whole.read()


@pytest.mark.parametrize("n_steps", [0, 3, 120])
def test_a_stop_leaves_a_tree_and_a_valid_bound(n_steps):
    """A search that is given up and has nothing, or a tree worse than the greedy one, or a bound too high."""
    X, y = hard_problem()
    search = NumberSearch(X, y, 0.002)
    search.run(n_steps)
    assert search.machine.call("halt", search.search) == NumberSearch.STOPPED
    tree, facts = search.read()
    check_valid(X, y, 0.002, tree, facts)
    leaf = np.bincount(y).min() / len(y) + 0.002
    assert not facts["is_optimal"] and facts["objective"] < 0.8 * leaf and facts["lower_bound"] >= 0.004


def test_a_memory_limit_leaves_a_tree_and_a_valid_bound():
    """Memory over the limit, or nothing to show when it is met."""
    X, y = hard_problem()
    search = NumberSearch(X, y, 0.0005, limit=3e5)
    assert search.run(2000) == NumberSearch.NO_MEMORY
    tree, facts = search.read()
    check_valid(X, y, 0.0005, tree, facts)
    assert not facts["is_optimal"]


def test_a_page_without_memory_says_so():
    """A browser that grants less than the table needs: an address of nothing, worked on."""
    X, y = hard_problem(100_000, 6)
    with pytest.raises(MemoryError):
        NumberSearch(X, y, 0.01, most_bytes=12 * 2**20)
