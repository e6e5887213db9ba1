"""FastSmallTreeClassifier of imodels: no depth limit."""

import warnings

import numpy as np
from imodels.tree.optimal_tree.fast_small_tree import FastSmallTreeClassifier

from tests.benchmarks.jobs.solvers import Solver
from treelib.papers.across.comparison import peer_trees


class Adapter(Solver):
    settings = "FastSmallTreeClassifier; search = its time_, without encoding and reading out"
    depth_limits = (None,)

    def prepare(self, columns):
        return columns.astype(np.float64)

    def fit(self, columns, y, regularization, max_depth, time_limit):
        if max_depth is not None:
            raise ValueError("FastSmallTreeClassifier has no depth limit.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return FastSmallTreeClassifier(regularization, time_limit=time_limit).fit(columns, y)

    def read(self, model):
        return {
            "tree": peer_trees.of_imodels(model),
            "proved": bool(model.optimal_),
            "lower_bound": float(model.lowerbound_),
            "search_seconds": float(model.time_),
        }
