"""GOSDT. Its predict fails on current scikit-learn, so its tree is read."""

import math

import numpy as np
from gosdt import GOSDTClassifier, Status

from tests.benchmarks.jobs.solvers import Solver
from treelib.papers.across.comparison import peer_trees


class Adapter(Solver):
    settings = "GOSDTClassifier, worker_limit=1; keeps costs in 32-bit floats; search = its result_.time"
    # its depth_budget is another, much slower search
    depth_limits = (None,)

    def prepare(self, columns):
        return columns.astype(bool)

    def fit(self, columns, y, regularization, max_depth, time_limit):
        if max_depth is not None:
            raise ValueError("GOSDT is measured without a depth limit.")
        model = GOSDTClassifier(
            regularization=regularization, allow_small_reg=True, time_limit=math.ceil(time_limit)
        )
        return model.fit(columns, y)

    def read(self, model):
        result = model.result_
        return {
            "tree": peer_trees.of_gosdt(model),
            "proved": result.status == Status.CONVERGED,
            "lower_bound": float(np.float64(result.lowerbound)),
            "search_seconds": float(result.time),
        }
