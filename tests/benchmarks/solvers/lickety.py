"""LicketySPLIT with its lookahead as deep as the tree: then its greedy part is empty and the answer exact."""

from licketysplit import LicketySPLITClassifier

from benchmarks.solvers import Solver


class Adapter(Solver):
    settings = "lookahead_k = depth_budget (exact mode); no time limit, no bound, no search time of its own"

    def fit(self, columns, y, regularization, max_depth, time_limit):
        # a path can use every column once
        depth = columns.shape[1] if max_depth is None else max_depth
        model = LicketySPLITClassifier(lambda_leaf=regularization, depth_budget=depth, lookahead_k=depth)
        return model.fit(columns, y)

    def read(self, model):
        paths, labels = model.get_tree_paths()
        return {
            "tree": from_paths(list(zip(paths, labels, strict=True))),
            "proved": True,
            "lower_bound": None,
            "search_seconds": None,
        }


def from_paths(leaves, at=0):
    """Nested tree of ``(path, label)``; a path holds column + 1 where the column is 1, minus that where 0."""
    if len(leaves) == 1 and len(leaves[0][0]) == at:
        return int(leaves[0][1])
    sides = [], []
    for path, label in leaves:
        sides[path[at] > 0].append((path, label))
    column = abs(int(leaves[0][0][at])) - 1
    return column, from_paths(sides[0], at + 1), from_paths(sides[1], at + 1)
