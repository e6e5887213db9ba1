"""Warnings point at the program that called the package."""

import warnings

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning

import treelib

rng = np.random.default_rng(0)
X = rng.random((400, 8))
y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.3, 400) > 0.8).astype(int)


def born_again():
    forest = RandomForestClassifier(8, max_depth=5, random_state=0).fit(X, y)
    return treelib.BornAgainTreeClassifier(forest, time_limit=0.01).fit(X, y)


STOPPED = {
    "numbers": lambda: treelib.OptimalSparseTreeClassifier(0.001, node_limit=1).fit(X, y),
    "columns": lambda: treelib.OptimalSparseTreeClassifier(0.001, max_thresholds=9, node_limit=1).fit(X, y),
    "constraints": lambda: treelib.OptimalSparseTreeClassifier(
        0.001, monotonic_cst={0: 1}, max_thresholds=9, node_limit=1
    ).fit(X, y),
    "path": lambda: treelib.OptimalSparseTreeClassifier(node_limit=1).regularization_path(X, y),
    "Rashomon set": lambda: treelib.OptimalSparseTreeClassifier(0.001, node_limit=1).rashomon_set(X, y),
    "dyadic": lambda: treelib.DyadicTreeClassifier(0.001, node_limit=1).fit(X, y),
    "born-again": born_again,
    "top-down": lambda: treelib.TopDownTreeClassifier(time_limit=1e-9).fit(X, y),
    "forest": lambda: treelib.TopDownForestClassifier(time_limit=1e-9).fit(X, y),
    "Bayesian": lambda: treelib.BayesianTreeClassifier(n_iter=50).fit(X, y),
}


@pytest.mark.parametrize("name", STOPPED)
def test_a_stopped_search_warns_of_the_line_that_called_it(name):
    """A warning that names a file of the package, where its reader finds nothing to change."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        STOPPED[name]()
    stopped = [one for one in caught if issubclass(one.category, ConvergenceWarning)]
    assert stopped and all(one.filename == __file__ for one in stopped)
