"""Relations for forests, born-again trees, Bayesian trees and regression; see `test_metamorphic`.

What is drawn at random is drawn for rows and columns by their place. So relations that move these hold for
what does not depend on the draws, or where nothing is drawn by that place.
"""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.random_problems.test_metamorphic import tables
from tests.twins.bornagain import voting as naive_voting
from treelib import (
    BayesianTreeClassifier,
    BornAgainTreeClassifier,
    TopDownForestClassifier,
    TopDownForestRegressor,
    TopDownTreeRegressor,
)
from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.heuristic import born_again_heuristic

SEEDS = st.integers(0, 2**32 - 1)
# no two sets of these weights have one sum, so that no tie is decided by names; none outweighs all others
UNTIED = (6, 9, 11, 12, 13)


class Copy(NamedTuple):
    """A changed problem, and how its predictions are brought back to rows and classes as they were."""

    X: np.ndarray
    y: np.ndarray
    weight: object = None
    rows: object = slice(None)
    classes: object = slice(None)


def copies(X, y, seed, n_classes):
    """name -> Copy: rows in another order, units, weights, and classes (0: targets) under other names."""
    rng = np.random.default_rng(seed)
    rows, names = rng.permutation(len(X)), rng.permutation(n_classes)
    back = np.argsort(rows)
    found = {
        "another unit": Copy(X * 2.0 ** rng.integers(-3, 4), y),
        "weights of one": Copy(X, y, np.ones(len(y))),
        "weights of four": Copy(X, y, np.full(len(y), 4.0)),
        "rows in another order": Copy(X[rows], y[rows], rows=back),
    }
    if n_classes:
        found["classes under other names"] = Copy(X, names[y], classes=names)
    return found


def repeated(X, y, seed):
    """Copy with weights, Copy with repeated rows, and where the first of each row stands in it."""
    times = np.random.default_rng(seed).integers(1, 4, len(X))
    first = np.append(0, np.cumsum(times)[:-1])
    return Copy(X, y, times * 1.0), Copy(np.repeat(X, times, axis=0), np.repeat(y, times), rows=first)


def all_classes(table):
    """The problem with its classes numbered from 0."""
    X, y = table
    return X, np.unique(y, return_inverse=True)[1]


def probabilities(model, copy):
    return model.fit(copy.X, copy.y, copy.weight).predict_proba(copy.X)[copy.rows][:, copy.classes]


@settings(max_examples=30, deadline=None)
@given(tables(), st.sampled_from(["gini", "misclassification"]), SEEDS, st.booleans())
def test_forest(table, criterion, seed, bootstrap):
    """A draw, a tie or a weight that depends on units, on names of classes, or on the order of rows."""
    X, y = all_classes(table)
    model = TopDownForestClassifier(
        criterion, n_estimators=3, max_features=1, max_depth=3, bootstrap=bootstrap, random_state=seed
    )
    base = probabilities(model, Copy(X, y))
    changed = copies(X, y, seed, y.max() + 1)
    if bootstrap:  # rows are drawn by their place
        del changed["rows in another order"]
    for name, copy in changed.items():
        np.testing.assert_allclose(probabilities(model, copy), base, atol=1e-12, err_msg=name)
    if not bootstrap:
        weighted, longer = (probabilities(model, copy) for copy in repeated(X, y, seed))
        np.testing.assert_allclose(weighted, longer, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(tables(), SEEDS, st.sampled_from([TopDownTreeRegressor, TopDownForestRegressor]))
def test_regression(table, seed, kind):
    """A split of squared error that depends on units, on weights of one, or on the order of rows."""
    X, y = table
    # with whole targets, rounding of their mean would decide between splits that are equally good
    y = y + np.random.default_rng(seed).normal(size=len(y))
    model = kind(max_depth=3, max_features=1, random_state=seed)
    if kind is TopDownForestRegressor:
        model.set_params(n_estimators=3, bootstrap=False)

    def predicted(copy):
        return model.fit(copy.X, copy.y, copy.weight).predict(copy.X)[copy.rows]

    base, changed = predicted(Copy(X, y)), copies(X, y, seed, 0)
    for name, copy in changed.items():
        np.testing.assert_allclose(predicted(copy), base, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(predicted(Copy(X, 8.0 * y)), 8 * base, atol=1e-12)
    weighted, longer = (predicted(copy) for copy in repeated(X, y, seed))
    np.testing.assert_allclose(weighted, longer, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(tables(), SEEDS)
def test_bayesian_tree(table, seed):
    """A chain whose steps depend on the order of rows, on units, or on names of equally likely classes."""
    X, y = all_classes(table)
    model = BayesianTreeClassifier(n_iter=60, n_chains=2, max_leaf_nodes=5, random_state=seed % 2**31)

    def drawn(copy):
        found = probabilities(model, copy)
        return found, model.log_posterior_

    base, changed = drawn(Copy(X, y)), copies(X, y, seed, y.max() + 1)
    del changed["weights of four"]  # four times the data is another posterior
    pairs = [(name, base, drawn(copy)) for name, copy in changed.items()]
    pairs.append(("weights for repeated rows", *map(drawn, repeated(X, y, seed))))
    for name, one, other in pairs:
        np.testing.assert_allclose(one[0], other[0], atol=1e-9, err_msg=name)
        np.testing.assert_allclose(one[1], other[1], rtol=1e-9, atol=1e-9, err_msg=name)


def changed_ensembles(ensemble, seed):
    """name -> Ensemble: the same function in other words."""
    rng = np.random.default_rng(seed)
    trees, weights, p = ensemble.trees, np.array(UNTIED, dtype=float), ensemble.n_features
    order, columns, names = (
        rng.permutation(len(trees)),
        rng.permutation(p),
        rng.permutation(ensemble.n_classes),
    )
    unit = 2.0 ** rng.integers(-3, 4)

    def other(change):
        return Ensemble([tree.replace(**change(tree)) for tree in trees], weights)

    def moved(tree):
        return {"feature": np.where(tree.is_leaf, -2, columns[tree.feature])}

    def renamed(tree):
        return {"label": names[tree.label], "value": tree.value[:, np.argsort(names)]}

    def scaled(tree):
        return {"threshold": np.where(tree.is_leaf, -2.0, tree.threshold * unit)}

    return {
        "trees in another order": Ensemble([trees[k] for k in order], weights[order]),
        "other weights of the same votes": Ensemble(trees, 4 * weights),
        "a tree twice with half its weight": Ensemble(
            [*trees, trees[0]], [weights[0] / 2, *weights[1:], weights[0] / 2]
        ),
        "columns in another order": other(moved),
        "classes under other names": other(renamed),
        "another unit": other(scaled),
        "one column more": other(lambda tree: {"n_features": p + 1}),
    }


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from(["depth", "leaves", "depth-leaves", "heuristic"]))
def test_born_again_tree(seed, objective):
    """An optimum, or a bound, that depends on how the ensemble is written down."""
    base = naive_voting.random_ensemble(seed, n_trees=len(UNTIED), n_cuts=2)
    base = Ensemble(base.trees, UNTIED)

    def value_of(ensemble):
        if objective == "heuristic":  # its leaves depend on the draws, the thresholds that are needed do not
            found = born_again_heuristic(ensemble, n_samples=20, random_state=0)
            assert naive_voting.disagreements(found.tree, ensemble, thresholds(ensemble)) == 0
            return found.lower_bound
        return BornAgainTreeClassifier(objective=objective).from_ensemble(ensemble).objective_

    expected = value_of(base)
    for name, ensemble in changed_ensembles(base, seed).items():
        assert value_of(ensemble) == pytest.approx(expected, abs=1e-12), name
