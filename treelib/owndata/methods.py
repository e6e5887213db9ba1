"""The methods that `treelib fit` offers, all with ``fit``, ``predict`` and ``tree_``."""

import numpy as np

METHODS = ("sparse", "dyadic", "topdown", "bornagain")


def make(method, price, time_limit=None, seed=0, verbose=0):
    """Unfitted model.

    Parameters
    ----------
    method : one of `METHODS`
    price : float, of a leaf; None for "bornagain", whose trees have none
    time_limit : float or None, seconds of its search
    seed : int, of the forest behind a born-again tree
    verbose : int, 1 shows the search while it runs
    """
    import treelib

    if method == "sparse":
        return treelib.OptimalSparseTreeClassifier(
            price, max_thresholds=10, time_limit=time_limit, verbose=verbose
        )
    if method == "dyadic":
        return treelib.DyadicTreeClassifier(price, time_limit=time_limit, verbose=verbose)
    if method == "topdown":
        return PrunedTopDown(price)
    return FilledBornAgain(
        treelib.BornAgainTreeClassifier(time_limit=time_limit, random_state=seed, verbose=verbose)
    )


class PrunedTopDown:
    """A tree grown top-down with the Gini criterion until its leaves are pure, then pruned.

    Minimal cost-complexity pruning in the training error: `price` is that of a leaf, in the unit of the other
    methods.
    """

    def __init__(self, price):
        self.price = price

    def fit(self, X, y):
        from treelib import TopDownTreeClassifier
        from treelib.topdown.prune.methods import cost_complexity_path

        if not self.price >= 0:
            raise ValueError(f"regularization={self.price} must be 0 or more.")
        grown = TopDownTreeClassifier().fit(X, y)
        self.classes_ = grown.classes_
        self.path_ = cost_complexity_path(grown.tree_)
        self.tree_ = self.path_.at(self.price)
        return self

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]


class FilledBornAgain:
    """A born-again tree that takes missing values: the training median of the column stands for them.

    Its splits send a missing value where they send the median, so the tree needs no filled table.
    """

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        medians = X.median().fillna(0.0)
        self.model.fit(X.fillna(medians), y)
        tree = self.model.tree_
        asks = np.zeros(tree.n_nodes, bool)  # splits of columns with missing values
        asks[~tree.is_leaf] = X.isna().any().to_numpy()[tree.feature[~tree.is_leaf]]
        goes_left = tree.missing_go_to_left.copy()
        goes_left[asks] = medians.to_numpy()[tree.feature[asks]] <= tree.threshold[asks]
        self.tree_ = tree.replace(missing_go_to_left=goes_left)
        self.classes_ = self.model.classes_
        self.is_optimal_ = self.model.is_optimal_
        return self

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]
