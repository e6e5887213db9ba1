"""STreeD (pystreed), cost-complexity task: one price a split, which ranks trees as one a leaf."""

import numpy as np
from pystreed import STreeDClassifier

from tests.benchmarks.jobs.solvers import Solver
from treelib.papers.across.comparison import peer_trees


class Adapter(Solver):
    settings = "STreeDClassifier('cost-complex-accuracy'); reports no lower bound and no search time"
    depth_limits = (4,)

    def __init__(self, **options):
        self.options = options  # of STreeDClassifier, beside those of the problem

    def prepare(self, columns):
        return columns.astype(np.intc)

    def fit(self, columns, y, regularization, max_depth, time_limit):
        model = STreeDClassifier(
            "cost-complex-accuracy",
            max_depth=max_depth,
            cost_complexity=regularization,
            time_limit=time_limit,
            min_leaf_node_size=1,
            **self.options,
        )
        return model.fit(columns, y)

    def read(self, model):
        tree = peer_trees.of_streed(model)
        return {
            "tree": tree,
            "proved": bool(tree is not None and model.fit_result.is_optimal()),
            "lower_bound": None,
            "search_seconds": None,
        }
