"""Ours."""

import warnings
from time import perf_counter

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from tests.benchmarks.jobs.solvers import Solver
from treelib import OptimalSparseTreeClassifier
from treelib.sparse import estimator


class Adapter(Solver):
    settings = "OptimalSparseTreeClassifier; search = the call of minimise, merging of rows included"

    def __init__(self):
        self.stopwatch = Stopwatch(estimator.minimise)
        estimator.minimise = self.stopwatch
        warnings.simplefilter("ignore", ConvergenceWarning)  # once: no part of a fit that is timed

    def fit(self, columns, y, regularization, max_depth, time_limit):
        model = OptimalSparseTreeClassifier(regularization, max_depth=max_depth, time_limit=time_limit)
        return model.fit(columns, y)

    def read(self, model):
        tree, classes = model.tree_, model.classes_
        has_tree = np.isfinite(model.trace_["objective"])

        def nested(node):
            if tree.children_left[node] < 0:
                return int(classes[tree.label[node]])
            return (
                int(tree.feature[node]),
                nested(tree.children_left[node]),
                nested(tree.children_right[node]),
            )

        return {
            "tree": nested(0),
            "proved": bool(model.is_optimal_),
            "lower_bound": float(model.lower_bound_),
            "search_seconds": self.stopwatch.seconds,
            "trace": {name: part[has_tree].tolist() for name, part in model.trace_.items()},
            "nodes": int(model.search_stats_["n_nodes"]),
        }


class Stopwatch:
    """Calls a function and remembers how long the last call took."""

    def __init__(self, function):
        self.function = function
        self.seconds = None

    def __call__(self, *args, **options):
        start = perf_counter()
        try:
            return self.function(*args, **options)
        finally:
            self.seconds = perf_counter() - start
