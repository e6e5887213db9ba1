"""STreeD (pystreed), cost-complexity task: one price a split, which ranks trees as one a leaf."""

import numpy as np
from pystreed import STreeDClassifier

from benchmarks.solvers import Solver


class Adapter(Solver):
    settings = "STreeDClassifier('cost-complex-accuracy'); reports no lower bound and no search time"
    depth_limits = (4,)

    def prepare(self, columns):
        return columns.astype(np.intc)

    def fit(self, columns, y, regularization, max_depth, time_limit):
        model = STreeDClassifier(
            "cost-complex-accuracy",
            max_depth=max_depth,
            cost_complexity=regularization,
            time_limit=time_limit,
            min_leaf_node_size=1,
        )
        return model.fit(columns, y)

    def read(self, model):
        def nested(node):
            if node.is_leaf_node():
                return int(node.label)
            return int(node.feature), nested(node.left_child), nested(node.right_child)

        is_feasible = hasattr(model, "tree_")
        return {
            "tree": nested(model.tree_) if is_feasible else None,
            "proved": bool(is_feasible and model.fit_result.is_optimal()),
            "lower_bound": None,
            "search_seconds": None,
        }
