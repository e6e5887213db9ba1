"""What all top-down estimators share: the parameters of growth, and what is read off grown trees.

Each parameter is declared and checked here once.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import columns_of_encoder, whole_or_not_at_all, with_parameters
from treelib.search.budget import COMPLETE, Budget, Stopped, memory_of_machine, status_of, warn_stopped
from treelib.table.category_sets import CategorySetEncoder
from treelib.table.checks import check_choice, check_count, check_number, is_real, is_whole, rows_of_fraction
from treelib.table.sparse_rows import check_room
from treelib.table.weights import LEAST_WEIGHT, weigh_classes
from treelib.topdown.categories.estimating import one_category_a_test
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.grow.learner import NO_LIMIT, Limits, Problem, bytes_to_arrange, learn, weighty
from treelib.topdown.grown_tree import GrownTree
from treelib.topdown.learn.shared_time import with_grace
from treelib.topdown.prune.methods import cost_complexity_path, pruned_nodes


@with_parameters
class Growth(BaseEstimator):
    """How a tree is grown and pruned: parameters of all estimators of this folder -> `Limits`."""

    _: KW_ONLY
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: float | str | None = None
    ccp_alpha: float = 0.0
    categorical_features: object = "from_dtype"
    category_tests: str = "each"
    time_limit: float | None = None
    memory_limit: float | str | None = None
    verbose: bool = False
    random_state: object = None

    _keeps_sparse = True

    def fit(self, X, y, sample_weight=None):
        """Grow the tree, or all trees of a forest, and prune if `ccp_alpha` is positive.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training data; NaN means missing.
        y : array-like of shape (n_samples,)
            Classes, or target values for regression.
        sample_weight : array-like of shape (n_samples,) or None
            Sample weights. None: all samples have weight 1.

        Returns
        -------
        self
            The fitted estimator.
        """
        with whole_or_not_at_all(self):
            return self._fit(X, y, sample_weight)

    @property
    def feature_importances_(self):
        """Share of each feature in the total decrease of impurity, float64 ``(n_features_in_,)``."""
        check_is_fitted(self)
        return self._importances

    @property
    def _written_as(self):
        """What programs are written from, see `treelib.tree.formats.exported`."""
        has_sets = isinstance(getattr(self, "encoder_", None), CategorySetEncoder)
        return one_category_a_test(self) if has_sets else self

    def _limits(self, n_rows, n_features):
        """`Limits` for that many rows and encoded features; checks the parameters."""
        return Limits(
            max_depth=_count("max_depth", self.max_depth, none=NO_LIMIT),
            max_splits=_count("max_leaf_nodes", self.max_leaf_nodes, none=NO_LIMIT, least=1) - 1,
            best_first=self.max_leaf_nodes is not None,
            min_split=max(2, _rows("min_samples_split", self.min_samples_split, n_rows, 2)),
            min_leaf=_rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
            min_weight=_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf),
            min_decrease=_decrease(self.min_impurity_decrease),
            max_features=_features(self.max_features, n_features),
        )

    def _new_encoder(self, X):
        """As of `TreeEstimator`; with subsets of categories the columns that hold some become codes."""
        if check_choice("category_tests", self.category_tests, ("each", "subsets")) == "subsets":
            encoder = CategorySetEncoder(self.categorical_features)
            if encoder.has_categories(encoder.as_table(X)):
                return encoder
        return super()._new_encoder(X)

    def _checked_problem(self, X, y, n_classes, weights):
        """`Problem` whose weights have squares in float64, and whose rows the machine can put in order."""
        categories = None
        if isinstance(self.encoder_, CategorySetEncoder):
            categories = np.arange(X.shape[1]) >= len(self.encoder_.numeric_)
        problem = Problem(X, y, n_classes, *in_range(weights), categories)
        if issparse(X):
            n_bytes = bytes_to_arrange(problem, self._limits(*X.shape))
            check_room(n_bytes, memory_of_machine(), "its rows are put in order by every column")
        return problem

    def _to_tree(self, grown, problem, names, encoder=None):
        """Tree of a `Grown`, pruned by `ccp_alpha`, and the importance of each column.

        encoder : CategorySetEncoder that is told of the tree's sets; None for ``encoder_``
        """
        encoder = encoder or self.encoder_
        tree = grown.to_tree(problem.X.shape[1], problem.n_classes, **names)
        inner, order = grown.feature >= 0, grown.preorder()
        impurity, weight = grown.impurity[order], grown.weight[order] * problem.unit
        kept = np.ones(len(order), dtype=bool)
        if check_number("ccp_alpha", self.ccp_alpha) > 0:
            is_split, kept = pruned_nodes(tree, self.ccp_alpha, grown.leaf_costs()[order])
            inner[order] = kept & is_split
            closed = np.flatnonzero(kept & ~is_split & ~tree.is_leaf)
            tree = tree.pruned(closed) if len(closed) else tree
            impurity, weight = impurity[kept], weight[kept]
        if problem.unit != 1 and problem.n_classes:
            tree = tree.replace(value=tree.value * problem.unit)
        by_feature = np.bincount(grown.feature[inner], grown.decreases()[inner], problem.X.shape[1])
        if problem.categories is None:
            of_feature = columns_of_encoder(encoder, self.n_features_in_)
        else:
            of_feature, subsets = encoder.columns_grown, grown.subsets or {}
            tree = encoder.tested(tree, [subsets.get(node) for node in order[kept]])
        columns = np.bincount(of_feature, by_feature, self.n_features_in_)
        total = columns.sum()
        return GrownTree.of(tree, impurity, weight), columns / total if total > 0 else columns


@with_parameters
class ClassifierGrowth(Growth):
    """Classification: criterion, classes and weights."""

    criterion: str | Callable = "gini"
    _: KW_ONLY
    alpha: float = 2.0
    beta: float = 1.0
    gamma: float = 0.5
    class_weight: dict | str | None = None

    def _criterion(self):
        return resolve(self.criterion, alpha=self.alpha, beta=self.beta, gamma=self.gamma)

    def _problem(self, X, y, sample_weight, budget):
        """`Problem` of the training data; sets ``classes_`` and ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight, budget)
        y_codes = self._encode_classes(y)
        weights = weigh_classes(self._class_weight_of_rows(), self.classes_, y_codes, weights)
        if weights is not None and not weights.any():
            raise ValueError("All rows have weight zero; give a class that occurs a positive weight.")
        return self._checked_problem(X, y_codes, len(self.classes_), weights)

    def _class_weight_of_rows(self):
        """The `class_weight` that is the same for all trees."""
        return self.class_weight

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_, "class_names": self._class_names()}


@with_parameters
class RegressorGrowth(Growth):
    """Regression: criterion and targets."""

    criterion: str = "squared_error"
    _: KW_ONLY
    power: float = 0.5

    def _criterion(self):
        return resolve_regression(self.criterion, power=self.power)

    def _problem(self, X, y, sample_weight, budget):
        """`Problem` of the training data; sets ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight, budget)
        y = self._numeric_targets(y)
        if self._criterion().alpha > 0:
            kind = str(self.criterion).capitalize()
            if (y < 0).any():
                raise ValueError(
                    f"Some value(s) of y are negative which is not allowed for {kind} regression. "
                    f"The least is {y.min():g}; give criterion='squared_error' for such targets."
                )
            if not (y > 0).any():
                raise ValueError(
                    f"Sum of y is not strictly positive which is necessary for {kind} regression. "
                    "All of y is 0; give a positive target."
                )
        return self._checked_problem(X, y, 0, weights)

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_}


class SingleTree:
    """What the classifier and the regressor of one tree share."""

    def _fit(self, X, y, sample_weight):
        budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
        problem, grown = self._grow(X, y, sample_weight, budget)
        self.tree_, self._importances = self._to_tree(grown, problem, self._names())
        self.status_ = grown.status or COMPLETE
        self.search_stats_ = {"peak_bytes": budget.peak_bytes}
        budget.show(f"{self.tree_.n_nodes:,} nodes", last=True)
        if grown.status:
            what = f"the tree has {self.tree_.n_leaves} leaves"
            warn_stopped(f"The growth stopped early ({grown.status}): {what}.")
        return self

    def _grow(self, X, y, sample_weight, budget):
        criterion = self._criterion()
        problem = self._problem(X, y, sample_weight, budget)
        draws = self.max_features is not None
        check_random_state(self.random_state)  # a mistake is one also where nothing is drawn
        seed = int(check_random_state(self.random_state).randint(2**31)) if draws else 0
        rows = weighty(problem.weight)  # a fraction of the rows is one of those that count
        limits = self._limits(problem.X.shape[0] if rows is None else len(rows), problem.X.shape[1])
        return problem, learn(problem, criterion, limits, seed, budget=budget, tell=True)

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """All values of `ccp_alpha` at which the pruned tree for these data changes.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        sklearn.utils.Bunch
            ``ccp_alphas``, float64 (k,), ascending from 0, and ``impurities``, float64 (k,), the weighted
            mean impurity of the leaves between this value and the next.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If a limit of the estimator or Ctrl-C stopped the growth, or left only the value 0.
        """
        fresh = clone(self)
        budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
        problem, grown = fresh._grow(X, y, sample_weight, budget)
        status, tree = grown.status, grown.to_tree(problem.X.shape[1], problem.n_classes)
        costs = grown.leaf_costs()[grown.preorder()]
        try:
            path = cost_complexity_path(tree, costs, with_grace(budget).check)
            values, impurities = [_not_below(b) for b in path.breakpoints], path.costs(costs)
        except (Stopped, KeyboardInterrupt) as stop:
            status = status_of(stop)
            is_split, kept = pruned_nodes(tree, 0, costs)
            values, impurities = [0.0], costs[kept & ~is_split].sum(keepdims=True)
        if status:
            what = f"{len(values)} values for a tree of {tree.n_leaves} leaves"
            warn_stopped(f"The path stopped early ({status}): {what}.")
        impurities = impurities + grown.impurity_left(problem, fresh._criterion())
        return Bunch(ccp_alphas=np.array(values), impurities=impurities)


def in_range(weights):
    """(weights over a unit, that unit), so that the sum and its square stay within float64.

    The unit is the least weight where all are multiples of it, so that sums are exact, and a constant weight
    is as good as none; else a power of 2.

    weights : float64 (n,), or None for ones. What is above 0 stays above 0.
    """
    if weights is None:
        return None, 1.0
    unit = weights.min(where=weights > 0, initial=np.inf)
    counts = np.rint(weights / unit)
    if counts.sum() < 2**53 and np.allclose(counts * unit, weights, rtol=1e-15, atol=0):
        return counts, unit
    total = weights.sum()
    if 1e-140 < total < 1e140:
        return weights, 1.0
    unit = 2.0 ** np.floor(np.log2(total))
    return np.where(weights > 0, np.maximum(weights / unit, LEAST_WEIGHT), 0.0), unit


def _not_below(exact):
    """The smallest float that is not below a Fraction."""
    found = float(exact)
    return found if found >= exact else float(np.nextafter(found, np.inf))


def _count(name, value, none, least=0):
    if value is None:
        return none
    return min(int(check_count(name, value, f"a whole number, {least} or more, or None", least=least)), none)


def _rows(name, value, n_rows, least):
    """Number of rows that `value` means: itself, or as a float a fraction of `n_rows`, rounded up."""
    if is_whole(value) and value >= least:
        return min(int(value), n_rows + 1)
    if _is_share(value):
        return max(1, rows_of_fraction(value, n_rows))
    raise ValueError(f"{name}={value!r} must be a whole number, {least} or more, or a fraction in (0, 1].")


def _is_share(value):
    return is_real(value) and not is_whole(value) and 0 < value <= 1


def _fraction(name, value):
    if is_real(value) and 0 <= value <= 0.5:
        return float(value)
    raise ValueError(f"{name}={value!r} must be a number from 0 to 0.5.")


def _decrease(value):
    if is_real(value) and value < np.inf:
        return float(value)
    raise ValueError(f"min_impurity_decrease={value!r} must be a number, finite or -inf.")


def _features(value, n_features):
    """Number of features that `max_features` means."""
    if value is None:
        return n_features
    if isinstance(value, str) and value in ("sqrt", "log2"):
        return max(1, int(np.sqrt(n_features) if value == "sqrt" else np.log2(n_features)))
    if is_whole(value) and value >= 1:
        return min(int(value), n_features)
    if _is_share(value):
        return max(1, int(value * n_features))
    raise ValueError(
        f"max_features={value!r} must be a whole number from 1, a fraction in (0, 1], 'sqrt', 'log2' or None."
    )
