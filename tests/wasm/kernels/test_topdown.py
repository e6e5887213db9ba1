"""The top-down tree of a page against `treelib.topdown.grow.learner`, bit for bit."""

import numpy as np
import pytest

from tests.wasm.kernels.in_wasmtime import GrownTree
from treelib import datasets
from treelib.topdown.criteria import resolve
from treelib.topdown.grow.learner import NO_LIMIT, Limits, Problem, learn


def random_problem(rng):
    """Rows, classes, criterion and limits; ties, missing values, equal rows, one class, one row."""
    n, d, n_classes = int(rng.integers(1, 500)), int(rng.integers(1, 7)), int(rng.integers(2, 6))
    kind = rng.integers(0, 4)
    X = (
        rng.normal(size=(n, d))
        if kind == 0
        else rng.integers(-2, int(rng.integers(0, 30)), (n, d)).astype(float)
    )
    if kind == 2:
        X = np.round(rng.lognormal(size=(n, d)), 1)
        X[rng.random((n, d)) < 0.15] = np.nan
    y = (np.nan_to_num(X).sum(axis=1) > X[~np.isnan(X)].mean()) + rng.integers(0, n_classes - 1, n)
    alpha = [0.0, 0.5, 1.0, 2.0, 3.0, rng.uniform(0.05, 6)][rng.integers(0, 6)]
    beta = [1.0, 2.0, 8.0, rng.uniform(0.1, 12), rng.uniform(0.1, 3)][rng.integers(0, 5)]
    depth, leaves, fewest = (
        [-1, 0, 1, 3, 6][rng.integers(0, 5)],
        [-1, -1, 1, 4, 30][rng.integers(0, 5)],
        rng.integers(1, 8),
    )
    return X, y, n_classes, float(alpha), float(beta), (depth, leaves, int(fewest), int(leaves >= 0))


def in_python(X, y, n_classes, alpha, beta, limits):
    """The same tree by the package, as `Grown`."""
    depth, leaves, fewest, best_first = limits
    rule = Limits(
        max_depth=depth if depth >= 0 else NO_LIMIT,
        max_splits=leaves - 1 if leaves >= 0 else NO_LIMIT,
        best_first=bool(best_first),
        min_leaf=fewest,
    )
    problem = Problem(np.ascontiguousarray(X, np.float64), np.asarray(y, np.intp), n_classes)
    return learn(problem, resolve("tsallis", alpha=alpha, beta=beta), rule)


def differences(*problem):
    """What the page grows otherwise than Python, a list of names; costs and thresholds bit by bit."""
    ours, theirs = GrownTree(*problem), in_python(*problem)
    n_nodes = int(theirs.nodes.state[0])
    if len(ours.whole) != n_nodes:
        return [f"{len(ours.whole)} nodes for {n_nodes}"]
    is_split = ours.whole[:, 3] >= 0
    # of a leaf the place of a split that was not made, and of rows without a split, is not part of the tree
    expected = theirs.nodes.whole[:n_nodes]
    pairs = {
        "ranges": (ours.whole[:, :3], expected[:, :3]),
        "features": (ours.whole[:, 3], expected[:, 3]),
        "children": (ours.whole[:, 6:8], expected[:, 6:8]),
        "missing values": (ours.whole[is_split, 5], expected[is_split, 5]),
        "costs": (ours.real[:, 0], theirs.nodes.real[:n_nodes, 0]),
        "decreases": (ours.real[is_split, 1], theirs.nodes.real[:n_nodes, 1][is_split]),
        "thresholds": (ours.real[:, 2], theirs.threshold),
        "counts": (ours.value, theirs.nodes.value[:n_nodes]),
    }
    return [
        name for name, (one, other) in pairs.items() if one.tobytes() != np.ascontiguousarray(other).tobytes()
    ]


@pytest.mark.parametrize("name", ["tsallis/iris", "tsallis/wine", "monk1", "car-evaluation"])
@pytest.mark.parametrize("alpha, beta", [(2.0, 1.0), (1.0, 1.0), (0.5, 2.0), (1.3, 2.7)])
def test_data_sets_are_equal_bitwise(name, alpha, beta):
    """The trees that chapters show, of Gini, entropy, Kearns-Mansour and a pair without a name."""
    data = datasets.load(name)
    X, y = np.asarray(data.X, np.float64), np.unique(data.y, return_inverse=True)[1]
    for depth in (2, 5, -1):
        assert not differences(X, y, int(y.max()) + 1, alpha, beta, (depth, -1, 1, 0))
