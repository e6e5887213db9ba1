"""Random forests with any splitting criterion.

The rows are sorted once for the whole forest: a bootstrap sample keeps the order, or the ranks of the values,
with rows repeated.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import KW_ONLY

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy.sparse import issparse
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import (
    TreeClassifier,
    TreeRegressor,
    with_parameters,
)
from treelib.search.budget import COMPLETE, INTERRUPTED, Budget, Stopped, status_of, warn_stopped
from treelib.table.checks import check_count, check_flag, check_n_jobs
from treelib.table.sparse_rows import over_rows, row_wise
from treelib.table.weights import class_weight_factors
from treelib.topdown.estimator import TopDownTreeClassifier, TopDownTreeRegressor
from treelib.topdown.forest_parts import TreesAsEstimators, known_rows, n_draws_of, node_means, part_of
from treelib.topdown.grow.learner import arrange_rows, bytes_to_arrange, learn, single_leaf, weighty
from treelib.topdown.grow.presort import repeat_rows
from treelib.topdown.grow.room import bytes_of, bytes_of_tree
from treelib.topdown.grown_estimator import ClassifierGrowth, RegressorGrowth
from treelib.topdown.grown_tree import GrownTree

_BLOCK = 1 << 19  # values of the rows that go through all trees at once: 4 MB, which fit into the cache


@with_parameters
class _Forest(TreesAsEstimators):
    """What the two forests share."""

    _: KW_ONLY
    n_estimators: int = 100
    bootstrap: bool = True
    max_samples: float | None = None
    oob_score: bool | Callable = False
    n_jobs: int | None = None
    warm_start: bool = False

    @row_wise
    def apply(self, X):
        """Leaf that each row of `X` ends in, for each tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        intp ndarray of shape (n_samples, n_estimators)
            Indices of nodes in ``trees_``.
        """
        check_is_fitted(self, "trees_")
        X = self._encode(X)
        leaves = np.empty((len(self.trees_), len(X)), dtype=np.intp)
        for k, tree in enumerate(self.trees_):
            leaves[k] = tree.apply(X)
        return leaves.T

    def _fit(self, X, y, sample_weight):
        check_n_jobs(self.n_jobs)
        check_flag("bootstrap", self.bootstrap)
        check_flag("warm_start", self.warm_start)
        if self.warm_start:
            raise ValueError("warm_start=True is not offered; fit the forest anew with more n_estimators.")
        if not callable(self.oob_score):
            check_flag("oob_score", self.oob_score)
        vars(self).pop("estimators_", None)
        budget = Budget(
            self.time_limit, self.memory_limit, verbose=self.verbose, n_at_once=effective_n_jobs(self.n_jobs)
        )
        criterion = self._criterion()
        n_trees = self._n_trees()
        problem = self._problem(X, y, sample_weight, budget)
        rows = weighty(problem.weight)
        if rows is None:
            rows = np.arange(len(problem.y))
        self._rows, self._n_samples_bootstrap = rows, n_draws_of(self.max_samples, self.bootstrap, len(rows))
        limits = self._limits(self._n_samples_bootstrap, problem.X.shape[1])
        # drawn before any tree is grown: the threads do not matter; scikit-learn's forests have the same ones
        seeds = check_random_state(self.random_state).randint(np.iinfo(np.int32).max, size=n_trees)
        total, counts = np.zeros((len(problem.y), max(1, problem.n_classes))), np.zeros(len(problem.y))
        X = problem.X.tocsr() if issparse(problem.X) and self.oob_score else problem.X
        self.trees_, self._tree_importances, self._seeds, encoders, importances = [], [], [], [], 0.0
        try:
            for one in self._grown(problem, criterion, limits, rows, seeds, budget):
                tree, importance, encoder, times, seed = one
                self.trees_.append(tree)
                encoders.append(encoder)
                self._tree_importances.append(importance)
                importances = importances + importance
                self._seeds.append(seed)
                if self.oob_score and times is not None:
                    out = times == 0
                    counts[out] += 1
                    found = np.zeros((len(out), tree.n_classes))
                    left_out = X[out] if problem.categories is None else encoder.expand(X[out])
                    found[out] = node_means(tree)[over_rows(tree.apply, left_out)]
                    total += found
                budget.show(f"{len(self.trees_)} of {n_trees} trees", last=len(self.trees_) == n_trees)
        except KeyboardInterrupt:
            if not self.trees_:
                raise
            budget.stop(INTERRUPTED)
        if problem.categories is not None:
            joined = zip(self.trees_, self.encoder_.joined(encoders, self.trees_), strict=True)
            self.trees_ = [
                GrownTree.of(new, old.impurity, old.weighted_n_node_samples) for old, new in joined
            ]
        self._importances = importances / importances.sum() if importances.sum() > 0 else importances
        if self.oob_score:
            self._score_out_of_bag(problem, total, counts)
        self.status_ = budget.status or COMPLETE
        self.search_stats_ = {"peak_bytes": budget.peak_bytes}
        if budget.status:
            what = f"{len(self.trees_)} of {n_trees} trees"
            warn_stopped(f"The growth stopped early ({budget.status}): {what}.")
        return self

    def _grown(self, problem, criterion, limits, rows, seeds, budget):
        """(tree, importances, encoder, times that each row was drawn, seed) of every tree done, in order.

        Where a limit or Ctrl-C lets none be done, of the first one as far as it was grown; ``budget.status``
        then says so.
        """
        names = self._names()

        def result(grown, seed, times=None):
            encoder = copy(self.encoder_)  # each tree has its own sets of categories
            return *self._to_tree(grown, problem, names, encoder), encoder, times, int(seed)

        def grow_one(seed):
            try:
                budget.check()
            except Stopped as stop:
                return None, stop.status
            sample, times = self._sample(ordered, len(problem.y), seed)
            # as a single tree of this `random_state` draws its features, so that it is the same tree
            draws = int(check_random_state(int(seed)).randint(2**31))
            grown = learn(self._weighed(problem, times), criterion, limits, draws, sample, budget)
            return result(grown, seed, times), grown.status

        part, n_done = None, 0
        try:
            budget.check(together=bytes_to_arrange(problem, limits))
            ordered = arrange_rows(problem, criterion, limits, weighty(problem.weight), budget.check)
            budget.n_bytes = bytes_of((seeds, ordered.codes, ordered.ranks))
            for found, status in self._in_threads(grow_one, budget.until_stopped(seeds)):
                if status is None:
                    n_done += 1
                    budget.n_bytes += bytes_of_tree(found[0]) + found[1].nbytes
                    yield found
                else:
                    budget.stop(status)
                    part = part or found
        except (Stopped, KeyboardInterrupt) as stop:
            budget.stop(status_of(stop))
        if n_done == 0:
            yield part or result(single_leaf(problem, criterion, budget.status), seeds[0])

    def _sample(self, ordered, n_all, seed):
        """Codes of one tree's rows, and how often each row stands in them (None: all once)."""
        if not self.bootstrap:
            return ordered._replace(codes=ordered.codes.copy()), None
        times = np.bincount(self._drawn(seed), minlength=n_all)
        codes = np.empty((len(ordered.codes), self._n_samples_bootstrap), dtype=ordered.codes.dtype)
        repeat_rows(ordered.codes, ordered.shift, times, codes)
        return ordered._replace(codes=codes), times

    def _weighed(self, problem, times):
        """`Problem` of one tree, whose rows stand `times` in its sample."""
        return problem

    def _in_threads(self, function, items, **options):
        """Results in the order of `items`; kernels let other threads run. options : of joblib's `Parallel`"""
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator", **options)
        return parallel(delayed(function)(item) for item in items)

    def _exported(self):
        check_is_fitted(self, "trees_")
        tables = [node_means(tree) for tree in self.trees_]
        return self.trees_, tables, None, float(len(self.trees_))

    def _mean_prediction(self, X):
        """Mean over the trees of what they predict, float64 (n, n_classes); summed in their order."""
        check_is_fitted(self, "trees_")
        X = self._encode(X)
        means = [node_means(tree) for tree in self.trees_]
        total = np.zeros((len(X), means[0].shape[1]))
        n_rows = max(1, _BLOCK // max(1, X.shape[1]))

        def add_all(start):
            block = slice(start, start + n_rows)
            rows, sums = X[block], total[block]
            for tree, mean in zip(self.trees_, means, strict=True):
                sums += mean.take(tree.apply(rows), axis=0)

        # what a process elsewhere adds to its copy of the sums never comes back
        for _ in self._in_threads(add_all, range(0, len(X), n_rows), require="sharedmem"):
            pass
        total /= len(self.trees_)
        return total

    def _n_trees(self):
        n = check_count("n_estimators", self.n_estimators, "a whole number, 1 or more")
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True: no row is left out.")
        return int(n)


@with_parameters
class TopDownForestClassifier(_Forest, ClassifierGrowth, TreeClassifier):
    """Random forest with any splitting criterion.

    Without weights, the bootstrap samples are those of scikit-learn's forest with the same integer
    `random_state`.

    Parameters
    ----------
    criterion, alpha, beta, gamma, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As in `TopDownTreeClassifier`; a sample drawn twice counts as two.
    min_weight_fraction_leaf, min_impurity_decrease, ccp_alpha, categorical_features, category_tests
        As in `TopDownTreeClassifier`.
    n_estimators : int, default=100
        Number of trees.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        Features drawn at random for each split.
    bootstrap : bool, default=True
        Grow each tree on samples drawn with replacement; otherwise on all samples.
    max_samples : int, float or None, default=None
        Number of samples drawn for each tree; a float is a fraction. None: n_samples. Only with `bootstrap`.
    oob_score : bool or callable, default=False
        Whether to predict each training sample with the trees grown without it. A function ``(y_true,
        y_pred)`` returns the score; True: accuracy, for regression the coefficient of determination.
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        As in `TopDownTreeClassifier`; "balanced_subsample" balances the samples drawn for each tree.
    time_limit : float or None, default=None
        Wall-clock seconds for `fit`. Unfinished trees are left out, with a `ConvergenceWarning`; if none is
        finished, the first is kept as far as it was grown. None: no limit. Compilation by numba at the first
        fit of a kind does not count; ``treelib warm`` does it in advance.
    memory_limit : int, str such as "2 GB", or None, default=None
        Memory for the tables of all trees growing at the same time, the finished trees, and the table of
        encoded categories, in bytes or as text; unfinished trees are left out, as with `time_limit`. None:
        the memory of the machine.
    verbose : bool, default=False
        Show the number of finished trees on standard error.
    n_jobs : int or None, default=None
        Number of threads, as in joblib. It does not affect the forest.
    random_state : int, RandomState or None, default=None
        Seed for drawing samples and features.
    warm_start : bool, default=False
        Only False is accepted, for compatibility with scikit-learn.

    Attributes
    ----------
    trees_ : list of treelib.Tree
    estimators_ : list of fitted single-tree estimators
        Built from ``trees_`` on access.
    estimators_samples_ : list of int32 arrays
        Indices of the samples that each tree was grown on, drawn again on access.
    feature_importances_ : float64 (n_features,)
        Mean over the trees.
    status_ : {"complete", "time_limit", "memory_limit", "interrupted"}
        "complete" if all trees were grown. After Ctrl-C the finished trees are kept and KeyboardInterrupt is
        raised (see `treelib.keep_going`).
    search_stats_ : dict
        ``peak_bytes`` of the tables and trees.
    classes_ : array of shape (n_classes,)
    oob_score_ : float
        Out-of-bag score; only with `oob_score`.
    oob_decision_function_ : array of shape (n_samples, n_classes)
        Out-of-bag predictions, NaN for samples that every tree has seen; only with `oob_score`.
    n_features_in_ : int
    encoder_ : treelib.table.encode.TableEncoder

    References
    ----------
    L. Breiman. Random forests. Machine Learning 45, 2001.
    M.-F. Balcan, D. Sharma. Learning accurate and interpretable tree-based models, Section 5.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from treelib import TopDownForestClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = TopDownForestClassifier("km", oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.95
    True
    """

    _: KW_ONLY
    max_features: float | str | None = "sqrt"

    _single_tree = TopDownTreeClassifier

    def _class_weight_of_rows(self):
        if isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample":
            return None if self.bootstrap else "balanced"
        return self.class_weight

    def _weighed(self, problem, times):
        if times is None or not isinstance(self.class_weight, str) or self.class_weight == "balanced":
            return problem
        weights = times if problem.weight is None else times * problem.weight
        factors = class_weight_factors("balanced", self.classes_, problem.y, weights)[problem.y]
        return problem._replace(weight=factors if problem.weight is None else factors * problem.weight)

    @row_wise
    def predict_proba(self, X):
        """Mean over the trees of the class fractions in the leaf that each sample reaches.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        float64 ndarray of shape (n_samples, n_classes)
            One row per sample, columns in the order of ``classes_``.
        """
        return self._mean_prediction(X)

    @row_wise
    def predict(self, X):
        """Class with the largest mean fraction over the trees.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.
        """
        proba = self._mean_prediction(X)
        return self.classes_[proba.argmax(axis=1)]

    def _score_out_of_bag(self, problem, total, counts):
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = total / counts[:, None]
        known = known_rows(counts, problem.weight)
        y, found = problem.y[known], self.oob_decision_function_[known].argmax(axis=1)
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(self.classes_[y], self.classes_[found])
            return
        weight = part_of(problem.weight, known)
        self.oob_score_ = accuracy_score(y, found, sample_weight=weight) if len(found) else np.nan


@with_parameters
class TopDownForestRegressor(_Forest, RegressorGrowth, TreeRegressor):
    """Random forest of regression trees: squared error, Poisson or Tweedie deviance.

    Parameters
    ----------
    criterion, power, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As in `TopDownTreeRegressor`.
    min_weight_fraction_leaf, min_impurity_decrease, ccp_alpha, categorical_features, category_tests
        As in `TopDownTreeRegressor`.
    n_estimators, bootstrap, max_samples, oob_score, time_limit, memory_limit, verbose, n_jobs
        As in `TopDownForestClassifier`.
    random_state, warm_start
        As in `TopDownForestClassifier`.
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        Features drawn at random for each split; 1.0 means all, 1 / 3 is Breiman's choice.

    Attributes
    ----------
    trees_, estimators_, estimators_samples_, status_, search_stats_, n_features_in_, encoder_
        As in `TopDownForestClassifier`.
    feature_importances_ : float64 (n_features,)
        Mean over the trees.
    oob_score_ : float
        Out-of-bag score; only with `oob_score`.
    oob_prediction_ : array of shape (n_samples,)
        Out-of-bag predictions, NaN for samples that every tree has seen; only with `oob_score`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelib import TopDownForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = TopDownForestRegressor(min_samples_leaf=5, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.4
    True
    """

    _: KW_ONLY
    max_features: float | str | None = 1.0

    _single_tree = TopDownTreeRegressor

    @row_wise
    def predict(self, X):
        """Mean of the trees' predictions.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        float64 ndarray of shape (n_samples,)
            Predicted values.
        """
        return self._mean_prediction(X)[:, 0]

    def _score_out_of_bag(self, problem, total, counts):
        with np.errstate(invalid="ignore"):
            self.oob_prediction_ = total[:, 0] / counts
        known = known_rows(counts, problem.weight)
        found, weight = self.oob_prediction_[known], part_of(problem.weight, known)
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(problem.y[known], found)
            return
        self.oob_score_ = r2_score(problem.y[known], found, sample_weight=weight) if len(found) else np.nan
