"""Random forests on any splitting criterion.

The rows are sorted once for the whole forest: a bootstrap sample keeps the order, or the ranks of the values,
with rows repeated.
"""

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import TreeClassifier, TreeRegressor, whole_or_not_at_all
from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, Stopped, status_of, warn_stopped
from treelib.table.checks import check_count, check_flag, check_n_jobs, is_real, is_whole
from treelib.topdown.grow.learner import arrange_rows, bytes_to_arrange, learn, single_leaf, weighty
from treelib.topdown.grow.presort import repeat_rows
from treelib.topdown.grow.room import bytes_of, bytes_of_tree
from treelib.topdown.grown_estimator import ClassifierGrowth, RegressorGrowth, paths

_BLOCK = 1 << 19  # values of the rows that go through all trees at once: 4 MB, which fit into the cache


class _Forest:
    """What the two forests share."""

    def __init__(self, *, n_estimators, bootstrap, max_samples, oob_score, n_jobs, **growth):
        super().__init__(**growth)
        self.n_estimators = n_estimators
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features), NaN where missing
        y : array-like of shape (n,), classes or targets
        sample_weight : array-like of shape (n,) or None

        Returns
        -------
        self
        """
        with whole_or_not_at_all(self):
            return self._fit(X, y, sample_weight)

    def decision_path(self, X):
        """Nodes of all trees that each row of `X` passes.

        Returns
        -------
        indicator : scipy.sparse.csr_matrix of shape (n, nodes of all trees), 1 where it does
        n_nodes_ptr : intp (n_estimators + 1,), columns at which the trees begin, and the end
        """
        from scipy.sparse import hstack

        leaves = self.apply(X)
        found = [paths(tree, leaf) for tree, leaf in zip(self.trees_, leaves.T, strict=True)]
        return hstack(found).tocsr(), np.cumsum([0, *(tree.n_nodes for tree in self.trees_)])

    def apply(self, X):
        """Leaf that each row of `X` ends in, for each tree; intp (n, n_estimators)."""
        check_is_fitted(self, "trees_")
        X = self._encode(X)
        leaves = np.empty((len(self.trees_), len(X)), dtype=np.intp)
        for k, tree in enumerate(self.trees_):
            leaves[k] = tree.apply(X)
        return leaves.T

    def get_depth(self):
        """Depth of the deepest tree."""
        check_is_fitted(self, "trees_")
        return max(tree.max_depth for tree in self.trees_)

    def get_n_leaves(self):
        """Number of leaves of all trees."""
        check_is_fitted(self, "trees_")
        return sum(tree.n_leaves for tree in self.trees_)

    def _fit(self, X, y, sample_weight):
        check_n_jobs(self.n_jobs)
        for name in ("bootstrap", "oob_score"):
            check_flag(name, getattr(self, name))
        budget = Budget(
            self.time_limit, self.memory_limit, verbose=self.verbose, n_at_once=effective_n_jobs(self.n_jobs)
        )
        criterion = self._criterion()
        n_trees = self._n_trees()
        problem = self._problem(X, y, sample_weight)
        rows = weighty(problem.weight)
        if rows is None:
            rows = np.arange(len(problem.X))
        limits = self._limits(self._n_draws(len(rows)), problem.X.shape[1])
        # each tree has a seed of its own, drawn before any is grown: the threads do not matter
        seeds = check_random_state(self.random_state).randint(2**31, size=n_trees)
        total, counts = np.zeros((len(problem.X), max(1, problem.n_classes))), np.zeros(len(problem.X))
        self.trees_, importances = [], np.zeros(self.n_features_in_)
        try:
            for tree, importance, times in self._grown(problem, criterion, limits, rows, seeds, budget):
                self.trees_.append(tree)
                importances += importance
                if self.oob_score and times is not None:
                    out = times == 0
                    counts[out] += 1
                    found = np.zeros((len(out), tree.n_classes))
                    found[out] = _node_means(tree)[tree.apply(problem.X[out])]
                    total += found
                budget.show(f"{len(self.trees_)} of {n_trees} trees", last=len(self.trees_) == n_trees)
        except KeyboardInterrupt:
            if not self.trees_:
                raise
            budget.stop(INTERRUPTED)
        total_importance = importances.sum()
        self.feature_importances_ = importances / total_importance if total_importance > 0 else importances
        if self.oob_score:
            self._score_out_of_bag(problem, total, counts)
        self.status_ = budget.status or OPTIMAL
        self.search_stats_ = {"peak_bytes": budget.peak_bytes}
        if budget.status:
            what = f"{len(self.trees_)} of {n_trees} trees"
            warn_stopped(f"The growth stopped early ({budget.status}): {what}.", stacklevel=4)
        return self

    def _grown(self, problem, criterion, limits, rows, seeds, budget):
        """(tree, importances, how often each row was drawn) of every tree that is done, in order of `seeds`.

        Where a limit or Ctrl-C lets none be done, of the first one as far as it was grown; ``budget.status``
        then says so.
        """
        names, n_draws = self._names(), self._n_draws(len(rows))

        def result(grown, times=None):
            return *self._to_tree(grown, problem, names), times

        def grow_one(seed):
            try:
                budget.check()
            except Stopped as stop:
                return None, stop.status
            sample, times = self._sample(ordered, rows, n_draws, len(problem.X), seed)
            grown = learn(problem, criterion, limits, int(seed), sample, budget)
            return result(grown, times), grown.status

        part, n_done = None, 0
        try:
            budget.check(together=bytes_to_arrange(problem, limits))
            ordered = arrange_rows(problem, criterion, limits, weighty(problem.weight), budget.check)
            budget.n_bytes = bytes_of((seeds, ordered.codes, ordered.ranks))
            for found, status in self._in_threads(grow_one, budget.until_stopped(seeds)):
                if status is None:
                    n_done += 1
                    budget.n_bytes += bytes_of_tree(found[0])
                    yield found
                else:
                    budget.stop(status)
                    part = part or found
        except (Stopped, KeyboardInterrupt) as stop:
            budget.stop(status_of(stop))
        if n_done == 0:
            yield part or result(single_leaf(problem, criterion, budget.status))

    def _sample(self, ordered, rows, n_draws, n_all, seed):
        """Codes of one tree's rows, and how often each row stands in them (None: all once)."""
        if not self.bootstrap:
            return ordered._replace(codes=ordered.codes.copy()), None
        drawn = np.random.default_rng(seed).integers(0, len(rows), n_draws)
        times = np.bincount(rows[drawn], minlength=n_all)
        codes = np.empty((len(ordered.codes), n_draws), dtype=ordered.codes.dtype)
        repeat_rows(ordered.codes, ordered.shift, times, codes)
        return ordered._replace(codes=codes), times

    def _in_threads(self, function, items, **options):
        """Results in the order of `items`; kernels let other threads run. options : of joblib's `Parallel`"""
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator", **options)
        return parallel(delayed(function)(item) for item in items)

    def _mean_prediction(self, X):
        """Mean over the trees of what they predict, float64 (n, n_classes); summed in their order."""
        check_is_fitted(self, "trees_")
        X = self._encode(X)
        means = [_node_means(tree) for tree in self.trees_]
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
            raise ValueError("oob_score=True needs bootstrap=True: without it no row is left out.")
        return int(n)

    def _n_draws(self, n_rows):
        wish = self.max_samples
        if wish is None or not self.bootstrap:
            return n_rows
        if is_whole(wish) and wish >= 1:
            return int(wish)
        if is_real(wish) and not is_whole(wish) and 0 < wish <= 1:
            return max(1, round(n_rows * wish))
        raise ValueError(
            f"max_samples={wish!r} must be a whole number from 1, a fraction in (0, 1], or None."
        )


class TopDownForestClassifier(_Forest, ClassifierGrowth, TreeClassifier):
    """Random forest whose trees use any splitting criterion.

    Parameters
    ----------
    criterion, alpha, beta, gamma, max_depth, max_splits, min_samples_split, min_samples_leaf,
    min_weight_fraction_leaf, min_impurity_decrease, ccp_alpha, class_weight, categorical_features :
        as in `TopDownTreeClassifier`; a row drawn twice counts as two
    n_estimators : int, default=100
        Number of trees.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        Features drawn at random for each split.
    bootstrap : bool, default=True
        Grow each tree on rows drawn with replacement; else on all rows.
    max_samples : int, float or None, default=None
        Rows drawn for a tree; a float is a fraction. None: as many as there are.
    oob_score : bool, default=False
        Also predict each training row by the trees that were grown without it.
    time_limit : float or None, default=None
        Seconds of wall clock for `fit`. Trees that are not done by then are left out; if none is, the first
        one is kept as far as it was grown.
    memory_limit : int, str such as "2 GB", or None, default=None
        Bytes of the tables of all trees that grow at the same time and of the finished trees, kept in the
        same way.
    verbose : bool, default=False
        Show on standard error how many trees are done.
    n_jobs : int or None, default=None
        Threads, as in joblib. The forest is the same for every number.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    trees_ : list of treelib.Tree
    feature_importances_ : float64 (n_features,), mean of those of the trees
    status_ : {"optimal", "time_limit", "memory_limit", "interrupted"}
        "optimal" where all trees were grown; Ctrl-C leaves a forest of the finished ones.
    search_stats_ : dict, ``peak_bytes`` of tables and trees
    classes_ : array of shape (n_classes,)
    oob_score_ : float, accuracy out of bag; only with `oob_score`
    oob_decision_function_ : array of shape (n, n_classes), NaN for rows that every tree has seen
    n_features_in_ : int
    encoder_ : treelib.table.encode.TableEncoder

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        When trees are missing.

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

    def __init__(
        self,
        criterion="gini",
        *,
        n_estimators=100,
        alpha=2.0,
        beta=1.0,
        gamma=0.5,
        max_depth=None,
        max_splits=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        min_impurity_decrease=0.0,
        max_features="sqrt",
        ccp_alpha=0.0,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        class_weight=None,
        categorical_features="from_dtype",
        time_limit=None,
        memory_limit=None,
        verbose=False,
        n_jobs=None,
        random_state=None,
    ):
        super().__init__(
            criterion=criterion,
            n_estimators=n_estimators,
            alpha=alpha,
            beta=beta,
            gamma=gamma,
            max_depth=max_depth,
            max_splits=max_splits,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_features=max_features,
            ccp_alpha=ccp_alpha,
            bootstrap=bootstrap,
            max_samples=max_samples,
            oob_score=oob_score,
            class_weight=class_weight,
            categorical_features=categorical_features,
            time_limit=time_limit,
            memory_limit=memory_limit,
            verbose=verbose,
            n_jobs=n_jobs,
            random_state=random_state,
        )

    def predict_proba(self, X):
        """Mean over the trees of the class fractions in the leaf of each row, float64 (n, n_classes)."""
        return self._mean_prediction(X)

    def predict(self, X):
        """Class of largest mean fraction, (n,)."""
        proba = self._mean_prediction(X)
        return self.classes_[proba.argmax(axis=1)]

    def _score_out_of_bag(self, problem, total, counts):
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = total / counts[:, None]
        known = counts > 0
        found = self.oob_decision_function_[known].argmax(axis=1)
        weight = _part(problem.weight, known)
        self.oob_score_ = (
            accuracy_score(problem.y[known], found, sample_weight=weight) if len(found) else np.nan
        )


class TopDownForestRegressor(_Forest, RegressorGrowth, TreeRegressor):
    """Random forest of regression trees: squared error, Poisson or Tweedie deviance.

    Parameters
    ----------
    criterion, power, max_depth, max_splits, min_samples_split, min_samples_leaf, min_weight_fraction_leaf,
    min_impurity_decrease, ccp_alpha, categorical_features :
        as in `TopDownTreeRegressor`
    n_estimators, bootstrap, max_samples, oob_score, time_limit, memory_limit, verbose, n_jobs, random_state :
        as in `TopDownForestClassifier`
    max_features : int, float, "sqrt", "log2" or None, default=1/3
        Features drawn at random for each split.

    Attributes
    ----------
    trees_ : list of treelib.Tree
    feature_importances_ : float64 (n_features,), mean of those of the trees
    status_, search_stats_ : as in `TopDownForestClassifier`
    oob_score_ : float, coefficient of determination out of bag; only with `oob_score`
    oob_prediction_ : array of shape (n,), NaN for rows that every tree has seen
    n_features_in_ : int
    encoder_ : treelib.table.encode.TableEncoder

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelib import TopDownForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = TopDownForestRegressor(min_samples_leaf=5, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.4
    True
    """

    def __init__(
        self,
        criterion="squared_error",
        *,
        n_estimators=100,
        power=0.5,
        max_depth=None,
        max_splits=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        min_impurity_decrease=0.0,
        max_features=1 / 3,
        ccp_alpha=0.0,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        categorical_features="from_dtype",
        time_limit=None,
        memory_limit=None,
        verbose=False,
        n_jobs=None,
        random_state=None,
    ):
        super().__init__(
            criterion=criterion,
            n_estimators=n_estimators,
            power=power,
            max_depth=max_depth,
            max_splits=max_splits,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_features=max_features,
            ccp_alpha=ccp_alpha,
            bootstrap=bootstrap,
            max_samples=max_samples,
            oob_score=oob_score,
            categorical_features=categorical_features,
            time_limit=time_limit,
            memory_limit=memory_limit,
            verbose=verbose,
            n_jobs=n_jobs,
            random_state=random_state,
        )

    def predict(self, X):
        """Mean of the trees' predictions, float64 (n,)."""
        return self._mean_prediction(X)[:, 0]

    def _score_out_of_bag(self, problem, total, counts):
        with np.errstate(invalid="ignore"):
            self.oob_prediction_ = total[:, 0] / counts
        known = counts > 0
        found, weight = self.oob_prediction_[known], _part(problem.weight, known)
        self.oob_score_ = r2_score(problem.y[known], found, sample_weight=weight) if len(found) else np.nan


def _node_means(tree):
    """Class fractions (or the mean) in each node, float64 (n_nodes, n_classes)."""
    return tree.value if tree.is_regression else tree.value / tree.value.sum(axis=1, keepdims=True)


def _part(weight, rows):
    return None if weight is None else weight[rows]
