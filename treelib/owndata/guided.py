"""The sparse method of `treelib fit`: the optimal tree over quantiles, and over all cuts of the greedy tree.

An optimal tree over ten quantiles a column can be worse than a greedy one, whose cuts may lie anywhere: where
a rare class hangs on a high value, no quantile is near it. With all thresholds no proof ends in time. So a
greedy tree says which further thresholds are worth a test, as McTavish et al. (2022) let a boosted ensemble
say it. The greedy trees are then among the trees that are searched, and what is found is never worse than
the greedy tree of the same price, also where a limit stops the search.

References
----------
H. McTavish, C. Zhong, R. Achermann, I. Karimalis, J. Chen, C. Rudin, M. Seltzer. Fast sparse decision tree
optimization via reference ensembles. AAAI Conference on Artificial Intelligence 36, 2022.
"""

import time
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd

from treelib.search.budget import INTERRUPTED, OPTIMAL, warn_stopped
from treelib.sparse.estimator import OptimalSparseTreeClassifier
from treelib.sparse.regularization_path import PathSolution
from treelib.table.binarize import Binarizer
from treelib.table.checks import check_price
from treelib.table.weights import weigh_classes
from treelib.topdown.estimator import TopDownTreeClassifier
from treelib.topdown.prune.methods import cost_complexity_path

FREE = {"allowed_features", "max_depth", "max_leaf_nodes"}  # constraints that the greedy tree keeps to
QUANTILES = 10  # thresholds of a column, besides those of the greedy tree
# the lowest price that tuning tries, and at which the greedy tree is pruned unless a lower one is asked for;
# below one row a leaf, every split that gains a row is worth it anyway
LOWEST = 0.001


class GuidedTree:
    """Optimal sparse tree over the candidate tests of this module.

    Parameters
    ----------
    price : float, of a leaf
    time_limit : float or None, seconds of a fit or of a path, the greedy tree included
    verbose : int, 1 shows the search while it runs
    class_weight : None, "balanced", or dict of class -> factor
    start : Tree or None, one over the candidate tests of the same rows: the tree found is no worse
    quantiles : int, thresholds of a column, besides those of the greedy tree
    constraints : parameters of `OptimalSparseTreeClassifier`. With another one than those of `FREE` the
        greedy tree, which may break them, gives its cuts alone, and a missing value goes right everywhere.

    Attributes
    ----------
    tree_, classes_, objective_, lower_bound_, is_optimal_, status_ : as in `OptimalSparseTreeClassifier`
    """

    def __init__(
        self,
        price,
        time_limit=None,
        verbose=0,
        class_weight=None,
        start=None,
        quantiles=QUANTILES,
        **constraints,
    ):
        self.price = price
        self.quantiles = quantiles
        self.time_limit = time_limit
        self.verbose = verbose
        self.class_weight = class_weight
        self.start = start
        self.constraints = constraints

    def fit(self, X, y, weights=None):
        """Find the tree of least error + price x leaves among those over the candidate tests.

        X : DataFrame (n, p) of numbers. y : array (n,). weights : float (n,) of the rows, or None
        """
        began = time.perf_counter()
        check_price("regularization", self.price)
        self.classes_ = np.unique(y)
        greedy, status = self._greedy(X, y, weights)
        pruned = self._of_fitting_size(greedy)
        if status == INTERRUPTED and not self._is_free:
            raise KeyboardInterrupt  # there is no tree yet that keeps to the constraints
        if status == INTERRUPTED:
            self.objective_, self.lower_bound_ = np.inf, float(self.price)  # that of one leaf without errors
            self.is_optimal_, self.status_ = False, status
            self._keep_if_better(pruned, X, y, weights)
            return self
        tests = Tests(X, greedy.at(min(LOWEST, self.price)), self._is_free, self.quantiles, weights)
        start = self.start or pruned
        search, codes = self._search(tests, start, began), tests.codes(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: its advice is for other tests
            search.fit(codes, y, weights)
        self.tree_ = tests.in_units(search.tree_)
        self.objective_, self.lower_bound_ = search.objective_, search.lower_bound_
        self.is_optimal_, self.status_ = search.is_optimal_, search.status_
        if not self.is_optimal_:
            self._keep_if_better(start, X, y, weights)
            warn_stopped(
                f"The search stopped before the proof of optimality ({self.status_}): the tree is the best "
                "found so far. Raise --time-limit or the leaf penalty, or simplify: "
                "--max-depth, --max-leaves, or a lower --max-thresholds."
            )
        return self

    def regularization_path(self, X, y, weights=None, *, min_regularization):
        """`RegularizationPath` over the candidate tests, down to a price.

        Where a limit stops it, the greedy trees are on it that are better than those found.
        """
        began, low = time.perf_counter(), float(min_regularization)
        greedy, status = self._greedy(X, y, weights)
        if status == INTERRUPTED:
            raise KeyboardInterrupt  # nothing is lost yet
        tests = Tests(X, greedy.at(min(LOWEST, low)), self._is_free, self.quantiles, weights)
        search = self._search(tests, greedy.at(low), began)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: the status says it
            path = search.regularization_path(tests.codes(X), y, weights, min_regularization=low)
        found = [one._replace(tree=tests.in_units(one.tree)) for one in path.solutions]
        if path.status != OPTIMAL and self._is_free:
            codes = np.searchsorted(np.unique(y), y)
            errors = greedy.errors(X.to_numpy(), codes, self._weights(y, weights))
            found += [
                PathSolution(int(greedy.n_leaves[k]), float(errors[k]), low, np.inf, greedy[k])
                for k in range(len(greedy))
            ]
            found = best_at_each_price(found, low)
        return path._replace(solutions=tuple(found))

    def predict(self, X):
        return self.classes_[self.tree_.predict(X.to_numpy())]

    @property
    def _is_free(self):
        return set(self.constraints) <= FREE

    def _greedy(self, X, y, weights):
        """All prunings of a tree grown on the allowed columns, and what ended its growth.

        A quarter of the time is left to the search; where the limit is short, the tree takes half of the
        second by which a fit may be late, so that it is there whatever the limit.
        """
        if "allowed_features" in self.constraints:
            X = X.assign(**dict.fromkeys(X.columns.difference(self.constraints["allowed_features"]), 0.0))
        limit = None if self.time_limit is None else max(0.75 * self.time_limit, 0.5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit: the tree is a start, whatever its size
            depth = self.constraints.get("max_depth")
            grown = TopDownTreeClassifier(class_weight=self.class_weight, time_limit=limit, max_depth=depth)
            grown.fit(X, y, weights)
        return cost_complexity_path(grown.tree_), grown.status_

    def _of_fitting_size(self, greedy):
        """The pruning for the price, or the largest with no more leaves than are allowed."""
        tree, most = greedy.at(self.price), self.constraints.get("max_leaf_nodes", np.inf)
        if tree.n_leaves <= most:
            return tree
        return greedy[int(np.flatnonzero(np.asarray(greedy.n_leaves) <= most)[0])]

    def _search(self, tests, start, began):
        """Unfitted estimator with what is left of the time."""
        limit = self.time_limit
        if limit is not None:
            limit = max(limit - (time.perf_counter() - began), limit / 4)
        return OptimalSparseTreeClassifier(
            self.price,
            max_thresholds=tests.most + 1,  # all of them, as columns of 0 and 1
            initial_tree=tests.in_codes(start) if self._is_free else None,
            time_limit=limit,
            verbose=self.verbose,
            class_weight=self.class_weight,
            **self._constraints(tests),
        )

    def _constraints(self, tests):
        """The constraints on the columns that `tests` makes."""
        allowed = self.constraints.get("allowed_features")
        if allowed is None:
            return self.constraints
        pairs = zip(tests.names, tests.named, strict=True)
        return self.constraints | {"allowed_features": [name for name, named in pairs if named in allowed]}

    def _keep_if_better(self, tree, X, y, weights):
        """Take a tree that is better than that of a search which ended before it looked at its start."""
        wrong = self.classes_[tree.predict(X.to_numpy())] != y
        value = float(np.average(wrong, weights=self._weights(y, weights)) + self.price * tree.n_leaves)
        if self._is_free and value < self.objective_:
            self.tree_, self.objective_ = tree, value

    def _weights(self, y, weights):
        """Of the rows, times those of their classes; None where all are 1."""
        classes, codes = np.unique(y, return_inverse=True)
        return weigh_classes(self.class_weight, classes, codes, weights)


class Tests:
    """Candidate tests of a table, and the table of codes in which they are all tests there are.

    A value becomes the number of its column's cuts that lie below it. A column with missing values stands
    there twice: once with codes that are missing, which go right at each test, and once more with -1 for
    them, which go left.

    Parameters
    ----------
    X : DataFrame (n, p) of numbers. greedy : Tree, whose cuts are tests
    is_twice : bool, whether columns with missing values stand there twice
    quantiles : int, thresholds of a column, besides the cuts of the greedy tree
    weights : float (n,) of the rows, or None; a row of weight 2 counts as two among the quantiles

    Attributes
    ----------
    cuts : list of p arrays, ascending float64
    source : int (q,), column of X of each column of codes; the first p are 0, ..., p - 1
    twin : int (p,), the second column of codes of each column of X, or -1
    names, named : lists of q str, names of the columns of codes, and of their sources
    names_of_x : list of p str
    most : int, cuts of the column that has most
    """

    __test__ = False  # no test case of pytest

    def __init__(self, X, greedy, is_twice=True, quantiles=QUANTILES, weights=None):
        found, p = Binarizer(quantiles), X.shape[1]
        found.fit_transform(X.to_numpy(dtype=float), weights)
        splits = ~greedy.is_leaf
        feature = np.concatenate([found.candidate_feature_, greedy.feature[splits]])
        threshold = np.concatenate([found.candidate_threshold_, greedy.threshold[splits]])
        feature, threshold = feature[np.isfinite(threshold)], threshold[np.isfinite(threshold)]
        order = np.argsort(feature, kind="stable")
        parts = np.split(threshold[order], np.searchsorted(feature[order], np.arange(1, p)))
        self.cuts = [np.unique(part) for part in parts]
        self.most = max(map(len, self.cuts))
        again = np.flatnonzero(X.isna().any().to_numpy()) if is_twice else np.empty(0, int)
        self.source = np.concatenate([np.arange(p), again])
        self.twin = np.full(p, -1)
        self.twin[again] = p + np.arange(len(again))
        self.names_of_x = list(X.columns)
        self.named = [self.names_of_x[j] for j in self.source]
        self.names = [*self.names_of_x, *(f"{self.names_of_x[j]} (missing: low) {j}" for j in again)]

    def codes(self, X):
        """DataFrame (n, q) of the codes, float64."""
        values = X.to_numpy(dtype=float)
        codes = np.empty((len(X), len(self.source)), order="F")
        for place, j in enumerate(self.source):
            codes[:, place] = np.searchsorted(self.cuts[j], values[:, j])
            codes[np.isnan(values[:, j]), place] = np.nan if place < len(self.cuts) else -1.0
        return pd.DataFrame(codes, columns=self.names)

    def in_codes(self, tree):
        """A tree over X that makes these tests, over the codes."""
        feature, threshold = tree.feature.copy(), tree.threshold.copy()
        for node in np.flatnonzero(~tree.is_leaf & np.isfinite(tree.threshold)):
            j = feature[node]
            threshold[node] = np.searchsorted(self.cuts[j], threshold[node]) + 0.5
            if tree.missing_go_to_left[node] and self.twin[j] >= 0:
                feature[node] = self.twin[j]
        return tree.replace(
            feature=feature,
            threshold=threshold,
            n_features=len(self.source),
            features_with_missing=None,
            digits=None,
            missing_go_to_left=np.zeros_like(tree.missing_go_to_left),
            feature_names=None,
        )

    def in_units(self, tree):
        """A tree over the codes, over X."""
        splits = np.flatnonzero(~tree.is_leaf)
        feature, threshold = tree.feature.copy(), tree.threshold.copy()
        goes_left = np.zeros_like(tree.missing_go_to_left)
        for node in splits:
            place, j = tree.feature[node], self.source[tree.feature[node]]
            feature[node], goes_left[node] = j, place >= len(self.cuts)
            if np.isfinite(threshold[node]):
                threshold[node] = self.cuts[j][int(threshold[node])]
        return tree.replace(
            feature=feature,
            threshold=threshold,
            n_features=len(self.cuts),
            features_with_missing=None,
            digits=None,
            missing_go_to_left=goes_left,
            feature_names=tuple(self.names_of_x),
        )


def best_at_each_price(solutions, low):
    """The solutions that are best at some price from `low` upwards, the single leaf first: the lower hull of
    their leaves and errors, with new ranges of prices."""
    hull = []
    for one in sorted(solutions, key=lambda one: (one.n_leaves, one.error)):
        if hull and one.error >= hull[-1].error:
            continue
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], one):
            hull.pop()
        hull.append(one)
    ends = [np.inf, *(_slope(a, b) for a, b in pairwise(hull))]
    kept = [one for one, high in zip(hull, ends, strict=True) if high > low]
    lows = [*ends[1 : len(kept)], low]
    return [
        one._replace(regularization_low=end, regularization_high=high)
        for one, end, high in zip(kept, lows, ends, strict=False)
    ]


def _slope(a, b):
    """Price at which two solutions are worth the same."""
    return (a.error - b.error) / (b.n_leaves - a.n_leaves)
