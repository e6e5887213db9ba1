"""The forests that a page grows, and trees that need no search, in browsers, against the package."""

import numpy as np
import pytest

from tests.wasm import browsers
from treelib import TopDownForestClassifier, Tree
from treelib.bornagain import as_ensemble, certify

pytestmark = pytest.mark.browser
PART = "born_again", "banana"
TASK = """([task, given]) => new Promise((resolve, reject) => {
  const of = { forest: ["topdown"], reborn: ["topdown", "bornagain"] }[task];
  const solver = (globalThis.kept ??= {})[task] ??= new treelibSolver.Solver(...of);
  given.table.X = Float64Array.from(given.table.X.flat());
  solver.ask(task, given).then(resolve, (error) => reject(new Error(error.message ?? error)));
})"""
CRITERIA = [(2.0, 1.0), (1.0, 1.0), (0.5, 2.0)]


def random_table(rng):
    """Numbers with ties, classes that all occur."""
    n, d, k = int(rng.integers(2, 120)), int(rng.integers(1, 5)), int(rng.integers(2, 4))
    X = rng.normal(size=(n, d)) if rng.integers(0, 2) else rng.integers(-3, 9, (n, d)) / 2
    y = np.unique((X.sum(axis=1) > 0) + rng.integers(0, k - 1, n), return_inverse=True)[1]
    return X, y if y.max() else np.arange(n) % 2


def nested(nodes, at=0):
    node = nodes[at]
    if node["feature"] is None:
        return node["label"]
    return node["feature"], node["threshold"], nested(nodes, node["left"]), nested(nodes, node["right"])


def preorder(nodes, at=0):
    node = nodes[at]
    below = () if node["feature"] is None else (node["left"], node["right"])
    return [node, *(one for child in below for one in preorder(nodes, child))]


def given(X, y, **more):
    table = {"X": X.tolist(), "y": y.tolist(), "n": len(y), "d": X.shape[1], "k": int(y.max()) + 1}
    return {"table": table, **more}


def check_forests(window, browser_name, n_tables, seed):
    """The forests of a page are node by node those of Python with the same `random_state`."""
    criteria = [pair for pair in CRITERIA if browsers.grows_as_python(browser_name, *pair)]
    for case in range(n_tables):
        rng = np.random.default_rng([seed, case])
        X, y = random_table(rng)
        n_trees, depth, state = (int(rng.integers(low, high)) for low, high in ((1, 6), (1, 5), (0, 2**32)))
        alpha, beta = criteria[case % len(criteria)]
        model = TopDownForestClassifier(
            "tsallis", alpha=alpha, beta=beta, n_estimators=n_trees, max_depth=depth, max_features=None,
            random_state=state,
        ).fit(X, y)  # fmt: skip
        options = {"trees": n_trees, "depth": depth, "seed": state, "alpha": alpha, "beta": beta}
        found = window.evaluate(TASK, ["forest", given(X, y, **options)])
        for nodes, tree in zip(found, model.trees_, strict=True):
            nodes = preorder(nodes)
            inner = [node for node in nodes if node["feature"] is not None]
            assert [node["value"] for node in nodes] == tree.value.tolist(), case
            assert [node["label"] for node in nodes] == tree.label.tolist(), case
            assert [node["feature"] for node in inner] == tree.feature[~tree.is_leaf].tolist(), case
            assert [node["threshold"] for node in inner] == tree.threshold[~tree.is_leaf].tolist(), case


def test_forests_are_those_of_python(window, browser_name):
    """Rows drawn by another generator, or in another order of the trees; a tree grown otherwise."""
    check_forests(window, browser_name, 60, 31)


@pytest.mark.long
def test_many_forests_are_those_of_python(window, browser_name):
    """The same, for what only one forest in hundreds shows."""
    check_forests(window, browser_name, 1000, 32)


def test_trees_without_a_search_are_faithful_and_bounded(window):
    """A tree kept after a stop that votes otherwise than its forest somewhere, or a bound above the least."""
    for case in range(40):
        rng = np.random.default_rng([33, case])
        X, y = random_table(rng)
        options = {"trees": int(rng.integers(1, 6)), "depth": 2, "seed": case, "alpha": 2, "beta": 1}
        d, k, objective = X.shape[1], int(y.max()) + 1, case % 2
        stopped, proved = (
            window.evaluate(TASK, ["reborn", given(X, y, objective=objective, seconds=seconds, **options)])
            for seconds in (-1, 60)
        )
        forest = as_ensemble([Tree.from_nested(nested(tree), d, n_classes=k) for tree in stopped["forest"]])
        sizes = []
        for found in (stopped, proved):
            tree = Tree.from_nested(nested(found["nodes"]), d, n_classes=k)
            assert certify(tree, forest).faithful, case
            sizes.append(tree.n_leaves if objective else tree.max_depth)
            assert found["objective"] == sizes[-1]
        assert proved["optimal"] and stopped["lower"] <= sizes[1] <= sizes[0]
        assert stopped["reason"] == "time" and stopped["optimal"] == (stopped["lower"] >= sizes[0])
