"""What all top-down estimators share: the parameters of growth, and what is read off grown trees.

Each parameter is stored and checked here once. The public classes spell them out in their signatures, which
scikit-learn reads, and hand them on.
"""

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import class_weight_factors, whole_or_not_at_all
from treelib.search.budget import OPTIMAL, Budget, Stopped, status_of, warn_stopped
from treelib.table.checks import check_count, check_number, is_real, is_whole
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.grow.learner import NO_LIMIT, Limits, Problem, learn
from treelib.topdown.learn.shared_time import patient
from treelib.topdown.prune.methods import cost_complexity_path, pruned_nodes


class Growth(BaseEstimator):
    """How a tree is grown and pruned: parameters of all estimators of this folder -> `Limits`."""

    def __init__(
        self,
        *,
        criterion,
        max_depth,
        max_splits,
        min_samples_split,
        min_samples_leaf,
        min_weight_fraction_leaf,
        min_impurity_decrease,
        max_features,
        ccp_alpha,
        categorical_features,
        time_limit,
        memory_limit,
        verbose,
        random_state,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_splits = max_splits
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.verbose = verbose
        self.random_state = random_state

    def _limits(self, n_rows, n_features):
        """`Limits` for that many rows and encoded features; checks the parameters."""
        return Limits(
            max_depth=_count("max_depth", self.max_depth, none=NO_LIMIT),
            max_splits=_count("max_splits", self.max_splits, none=NO_LIMIT),
            best_first=self.max_splits is not None,
            min_split=max(2, _rows("min_samples_split", self.min_samples_split, n_rows, 2)),
            min_leaf=_rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
            min_weight=_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf),
            min_decrease=_decrease(self.min_impurity_decrease),
            max_features=_features(self.max_features, n_features),
        )

    def _to_tree(self, grown, problem, names):
        """Tree of a `Grown`, pruned by `ccp_alpha`, and the importance of each column."""
        tree = grown.to_tree(problem.X.shape[1], problem.n_classes, **names)
        inner = grown.feature >= 0
        if check_number("ccp_alpha", self.ccp_alpha) > 0:
            order = grown.preorder()
            is_split, kept = pruned_nodes(tree, self.ccp_alpha, grown.leaf_costs()[order])
            inner[order] = kept & is_split
            closed = np.flatnonzero(kept & ~is_split & ~tree.is_leaf)
            tree = tree.pruned(closed) if len(closed) else tree
        by_feature = np.bincount(grown.feature[inner], grown.decreases()[inner], problem.X.shape[1])
        columns = np.bincount(_columns(self.encoder_), by_feature, self.n_features_in_)
        total = columns.sum()
        return tree, columns / total if total > 0 else columns


class ClassifierGrowth(Growth):
    """Classification: criterion, classes and weights."""

    def __init__(self, *, alpha, beta, gamma, class_weight, **growth):
        super().__init__(**growth)
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.class_weight = class_weight

    def _criterion(self):
        return resolve(self.criterion, alpha=self.alpha, beta=self.beta, gamma=self.gamma)

    def _problem(self, X, y, sample_weight):
        """`Problem` of the training data; sets ``classes_`` and ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight)
        y_codes = self._encode_classes(y)
        if self.class_weight is not None:
            factors = class_weight_factors(self.class_weight, self.classes_, y_codes, weights)[y_codes]
            weights = factors if weights is None else weights * factors
            if not weights.any():
                raise ValueError("All rows have weight zero; give a class that occurs a positive weight.")
        return Problem(X, y_codes, len(self.classes_), weights)

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_, "class_names": self._class_names()}

    def predict_log_proba(self, X):
        """Logarithm of `predict_proba`, float64 (n, n_classes)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class RegressorGrowth(Growth):
    """Regression: criterion and targets."""

    def __init__(self, *, power, **growth):
        super().__init__(**growth)
        self.power = power

    def _criterion(self):
        return resolve_regression(self.criterion, power=self.power)

    def _problem(self, X, y, sample_weight):
        """`Problem` of the training data; sets ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight)
        y = self._numeric_targets(y)
        if self._criterion().alpha > 0:
            if (y < 0).any():
                raise ValueError(
                    f"criterion={self.criterion!r} needs targets that are not negative; y has {y.min():g}."
                )
            if not (y > 0).any():
                raise ValueError(f"criterion={self.criterion!r} needs a positive target; all of y is 0.")
        return Problem(X, y, 0, weights)

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_}


class SingleTree:
    """What the classifier and the regressor of one tree share."""

    def fit(self, X, y, sample_weight=None):
        """Grow the tree, and prune it if `ccp_alpha` is positive.

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
            budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
            problem, grown = self._grow(X, y, sample_weight, budget)
            self.tree_, self.feature_importances_ = self._to_tree(grown, problem, self._names())
            self.status_ = grown.status or OPTIMAL
            self.search_stats_ = {"peak_bytes": budget.peak_bytes}
            budget.show(f"{self.tree_.n_nodes:,} nodes", last=True)
            if grown.status:
                what = f"the tree has {self.tree_.n_leaves} leaves"
                warn_stopped(f"The growth stopped early ({grown.status}): {what}.")
            return self

    def _grow(self, X, y, sample_weight, budget=None):
        criterion = self._criterion()
        problem = self._problem(X, y, sample_weight)
        draws = self.max_features is not None
        seed = int(check_random_state(self.random_state).randint(2**31)) if draws else 0
        limits = self._limits(*problem.X.shape)
        return problem, learn(problem, criterion, limits, seed, budget=budget, tell=True)

    def decision_path(self, X):
        """Nodes of ``tree_`` that each row of `X` passes.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n, n_nodes), 1 where it does
        """
        check_is_fitted(self)
        return paths(self.tree_, self.apply(X))

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """All values of `ccp_alpha` at which the tree of these data changes.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`

        Returns
        -------
        Bunch: ``ccp_alphas``, float64 (k,), ascending from 0, and ``impurities``, float64 (k,), the weighted
        mean impurity of the leaves of the tree from there to the next value

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            When a limit of the estimator, or Ctrl-C, left a tree not fully grown, or only the value 0.
        """
        fresh = clone(self)
        budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
        problem, grown = fresh._grow(X, y, sample_weight, budget)
        status, tree = grown.status, grown.to_tree(problem.X.shape[1], problem.n_classes)
        costs = grown.leaf_costs()[grown.preorder()]
        try:
            path = cost_complexity_path(tree, costs, patient(budget))
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


def _not_below(exact):
    """The smallest float that is not below a Fraction."""
    found = float(exact)
    return found if found >= exact else float(np.nextafter(found, np.inf))


def paths(tree, leaves):
    """csr_matrix of the nodes above and at `leaves`, intp (n,); int64 (n, n_nodes)."""
    from scipy.sparse import csr_matrix

    depth = tree.node_depth[leaves]
    ends = np.cumsum(depth + 1)
    nodes = np.empty(ends[-1] if len(ends) else 0, dtype=np.intp)
    at, node = ends - 1, np.asarray(leaves)
    while len(node):
        nodes[at] = node
        up = tree.parent[node] >= 0
        at, node = at[up] - 1, tree.parent[node[up]]
    found = csr_matrix(
        (np.ones(len(nodes), dtype=np.int64), nodes, np.append(0, ends)), (len(leaves), tree.n_nodes)
    )
    found.sort_indices()
    return found


def _columns(encoder):
    """Column of the input that each encoded feature is made of, intp (n_features_out_,)."""
    columns = list(encoder.numeric_)
    for column, categories in encoder.categories_.items():
        columns += [column] * (len(categories) + encoder.has_missing_[column])
    return np.array(columns, dtype=np.intp)


def _count(name, value, none):
    if value is None:
        return none
    return min(int(check_count(name, value, "a whole number, 0 or more, or None", least=0)), none)


def _rows(name, value, n_rows, least):
    """Number of rows that `value` means: itself, or as a float a fraction of `n_rows`, rounded up."""
    if is_whole(value) and value >= least:
        return min(int(value), n_rows + 1)
    if _is_share(value):
        return max(1, int(np.ceil(value * n_rows)))
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
