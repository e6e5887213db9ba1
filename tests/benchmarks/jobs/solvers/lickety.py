"""LicketySPLIT with its lookahead as deep as the tree: then its greedy part is empty and the answer exact."""

from licketysplit import LicketySPLITClassifier

from tests.benchmarks.jobs.solvers import Solver
from treelib.papers.across.comparison import peer_trees


class Adapter(Solver):
    settings = "lookahead_k = depth_budget (exact mode); no time limit, no bound, no search time of its own"

    def fit(self, columns, y, regularization, max_depth, time_limit):
        # a path can use every column once
        depth = columns.shape[1] if max_depth is None else max_depth
        model = LicketySPLITClassifier(lambda_leaf=regularization, depth_budget=depth, lookahead_k=depth)
        return model.fit(columns, y)

    def read(self, model):
        return {
            "tree": peer_trees.of_licketysplit(model),
            "proved": True,
            "lower_bound": None,
            "search_seconds": None,
        }
