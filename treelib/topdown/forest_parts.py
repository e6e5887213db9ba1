"""What a forest offers beside its predictions: its trees one by one, and which rows they were grown on."""

from functools import cached_property

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import paths
from treelib.search.budget import COMPLETE
from treelib.table.checks import is_real, is_whole
from treelib.table.warned import warn


class TreesAsEstimators:
    """The trees of a forest as fitted estimators, made when they are asked for.

    A subclass has `trees_`, the importances and the seed of each tree, the rows to draw from and how many are
    drawn, and `_single_tree`, the class of one tree.
    """

    @cached_property
    def estimators_(self):
        """The trees as estimators of their own, list of `TopDownTreeClassifier` or `TopDownTreeRegressor`."""
        check_is_fitted(self, "trees_")
        return [self._as_estimator(k) for k in range(len(self.trees_))]

    @property
    def estimators_samples_(self):
        """Rows that each tree was grown on, list of int32 arrays, drawn again from the seeds.

        A row stands as often as it was drawn. A classification tree fitted to these rows with the parameters
        of the estimator of the same place is the same tree; in regression sums are rounded otherwise, which
        can choose another of two splits that are equally good.
        """
        check_is_fitted(self, "trees_")
        found = (self._drawn(seed) if self.bootstrap else self._rows for seed in self._seeds)
        return [rows.astype(np.int32) for rows in found]

    def _drawn(self, seed):
        """Row numbers of a bootstrap sample, intp (n_samples_bootstrap,)."""
        drawn = check_random_state(int(seed)).randint(0, len(self._rows), self._n_samples_bootstrap)
        return self._rows[drawn]

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

    def get_depth(self):
        """Depth of the deepest tree."""
        check_is_fitted(self, "trees_")
        return max(tree.max_depth for tree in self.trees_)

    def get_n_leaves(self):
        """Number of leaves of all trees."""
        check_is_fitted(self, "trees_")
        return sum(tree.n_leaves for tree in self.trees_)

    def __len__(self):
        """Number of trees."""
        return len(self.estimators_)

    def __getitem__(self, k):
        return self.estimators_[k]

    def __iter__(self):
        return iter(self.estimators_)

    def _as_estimator(self, k):
        """Tree number `k` as a fitted estimator."""
        own = self._single_tree._get_param_names()
        settings = {name: value for name, value in self.get_params(deep=False).items() if name in own}
        if settings.get("class_weight") == "balanced_subsample":
            settings["class_weight"] = "balanced"
        settings["random_state"] = self._seeds[k]
        model = self._single_tree(**settings)
        model.tree_, model._importances = self.trees_[k], self._tree_importances[k]
        for name in ("n_features_in_", "feature_names_in_", "encoder_", "classes_"):
            if hasattr(self, name):
                setattr(model, name, getattr(self, name))
        model.status_, model.search_stats_ = COMPLETE, {}
        return model


def n_draws_of(wish, bootstrap, n_rows):
    """Number of rows that a tree is grown on.

    wish : int, float or None, as `max_samples`. bootstrap : bool. n_rows : int, that there are
    """
    if wish is None:
        return n_rows
    if not bootstrap:
        raise ValueError(
            "`max_sample` cannot be set if `bootstrap=False`. Either switch to `bootstrap=True` or set "
            "`max_sample=None`."
        )
    if is_whole(wish) and wish >= 1:
        return int(wish)
    if is_real(wish) and not is_whole(wish) and 0 < wish < np.inf:
        return max(1, round(n_rows * wish))
    raise ValueError(
        f"max_samples={wish!r} must be a whole number from 1, a positive fraction of the rows, or None."
    )


def known_rows(counts, weight):
    """Which rows of positive weight some tree was grown without, bool (n,); warns where there are others.

    counts : float64 (n,), number of trees that were grown without each row
    weight : float64 (n,), or None for ones
    """
    counting = np.ones(len(counts), dtype=bool) if weight is None else weight > 0
    known = counting & (counts > 0)
    if not known[counting].all():
        warn(
            "Some inputs do not have OOB scores: every tree has seen them. Give more trees.",
        )
    return known


def node_means(tree):
    """Class fractions (or the mean) in each node, float64 (n_nodes, n_classes)."""
    return tree.value if tree.is_regression else tree.value / tree.value.sum(axis=1, keepdims=True)


def part_of(weight, rows):
    """The weights of some rows; None for ones."""
    return None if weight is None else weight[rows]
