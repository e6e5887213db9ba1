"""FastSmallTreeClassifier of imodels: no depth limit."""

import warnings

import numpy as np
from imodels.tree.optimal_tree.fast_small_tree import FastSmallTreeClassifier

from benchmarks.solvers import Solver


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
        def nested(node):
            if "prediction" in node:
                return int(node["prediction"])
            # on a 0/1 column both rules it knows, "== 1" and ">= 1", hold for the ones
            assert node["reference"] == 1, node
            return node["feature"], nested(node["false"]), nested(node["true"])

        return {
            "tree": nested(model.tree_),
            "proved": bool(model.optimal_),
            "lower_bound": float(model.lowerbound_),
            "search_seconds": float(model.time_),
        }
