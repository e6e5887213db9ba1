"""The promise about limits as a property: a clock by which every look takes a second, and small problems.

A search looks at the clock between steps, so it is late by few looks; its tree is no worse than the greedy
one, its objective is that of its tree, and no tree costs less than its bound.
"""

import warnings
from functools import lru_cache
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from tests.suites.limits.shapes import greedy_objective
from treelib import OptimalSparseTreeClassifier
from treelib.search import budget
from treelib.sparse.continuous import search as numbers
from treelib.sparse.exact import minimise as columns

# looks at the clock after the limit, at most: to grow the greedy tree, and to leave searches within searches
LOOKS_LATE = 60
PROBLEMS = {
    "numbers": {"max_depth": 3},
    "numbers, leaf limit": {"max_leaf_nodes": 3, "max_depth": 2},
    "columns": {"max_depth": 3, "values": 3},
    "columns, leaf limit": {"max_leaf_nodes": 4, "max_depth": 3, "values": 3},
    "constrained": {"max_depth": 2, "values": 3, "min_samples_leaf": 3},
}


@lru_cache
def optimum(name, seed):
    """Objective of the search that nothing stops."""
    return fitted(name, seed)[0].objective_


def fitted(name, seed, **limits):
    """A model on a table of its own, and the table."""
    options = dict(PROBLEMS[name])
    rng, values = np.random.default_rng(seed), options.pop("values", None)
    X = rng.random((60, 3)) if values is None else rng.integers(0, values, (60, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] > np.median(X[:, 0] + X[:, 1])).astype(int) ^ (rng.random(60) < 0.1)
    model = OptimalSparseTreeClassifier(0.01, **options, **limits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y), X, y


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 7), st.integers(1, 80))
def test_a_stopped_search_keeps_the_promise(name, seed, limit):
    """A clock that is not looked at, a bound above the optimum, a leaf where a greedy tree was to be had."""
    best, looks = optimum(name, seed), count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "time", SimpleNamespace(perf_counter=lambda: float(next(looks))))
        patch.setattr(numbers, "WORK_A_STEP", 200)
        patch.setattr(columns, "WORK_A_STEP", 200)
        model, X, y = fitted(name, seed, time_limit=float(limit))
    assert model.status_ in ("optimal", "time_limit")
    assert next(looks) <= limit + LOOKS_LATE or model.is_optimal_
    assert model.lower_bound_ <= best + 1e-9 <= model.objective_ + 2e-9
    assert model.objective_ == pytest.approx(np.mean(model.predict(X) != y) + 0.01 * model.get_n_leaves())
    if name != "constrained":
        limits = {key: value for key, value in PROBLEMS[name].items() if key != "values"}
        assert model.objective_ <= greedy_objective(X, y, None, {"regularization": 0.01, **limits}) + 1e-9
