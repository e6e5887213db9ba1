"""`Ensemble`: trees that vote, as the born-again search takes them.

A row's class is the class with most votes, ties to the smaller class index (Vidal, Pacheco and Schiffer 2020,
Section 2). Two rules of voting:

hard : each tree gives its weight to the one class it predicts: the paper's ``Weighted-Majority``. Votes are
    whole numbers, so that sums and ties are exact. Weights are scaled by a power of two and rounded to
    integers with a total below 2**62: equal weights, and all weights above total / 512, are kept exactly.
soft : each tree gives its weight times the class fractions of the leaf, as a scikit-learn forest predicts.
    Votes are float64, added in the order of the trees and divided by the number of trees, so that rounding
    is scikit-learn's, too.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from treelib.table.checks import check_choice
from treelib.tree.stored import Tree

HARD, SOFT = "hard", "soft"
MAX_CLASSES = 255  # classes of cells are stored as uint8
_TOTAL_BITS = 62
_RELATIVE_TOLERANCE = 1e-9  # of soft votes


class Nodes(NamedTuple):
    """All nodes of all trees one after the other; the contract of the kernels.

    root : int64 (n_trees,), first node of each tree.
    left, right : int64 (n_nodes,), indices into these arrays, -1 at leaves.
    feature : int64 (n_nodes,), -2 at leaves. threshold : float64 (n_nodes,).
    votes : (n_nodes, n_classes), what a row in this leaf adds; int64 for hard votes, float64 for soft ones.
    """

    root: np.ndarray
    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    votes: np.ndarray


class Ensemble:
    """Weighted ensemble of classification trees.

    Parameters
    ----------
    trees : sequence of Tree
        Trees with the same number of features and of classes.
    weights : sequence of float
        Finite and positive, one per tree; default 1 each. Leave out trees of weight 0.
    voting : {"hard", "soft"}
        "hard": each tree votes for one class. "soft": class fractions are averaged, which requires counts in
        the leaves.
    classes : array (n_classes,)
        Labels of the class indices; default 0, 1, 2, ...
    feature_names : sequence of str or None
        Names of the features; default those of the first tree.

    Raises
    ------
    TypeError, ValueError
        If the trees do not form an ensemble; the message names the tree.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.ensemble.voting import Ensemble
    >>> ensemble = Ensemble([Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)])
    >>> ensemble
    <Ensemble: 3 trees, depth 1, 6 leaves, hard votes, 1 features, 2 classes>
    >>> ensemble.predict([[1.5], [2.5]])
    array([0, 1])
    >>> ensemble.predict_votes([[1.5], [2.5]])
    array([[2, 1],
           [1, 2]])
    """

    def __init__(self, trees, weights=None, voting=HARD, *, classes=None, feature_names=None):
        self.trees = tuple(trees)
        if not self.trees:
            raise ValueError("An ensemble has at least one tree.")
        for k, tree in enumerate(self.trees):
            if not isinstance(tree, Tree):
                raise TypeError(f"trees[{k}] is a {type(tree).__name__}, not a treelib.Tree.")
            if tree.is_regression:
                raise ValueError(f"trees[{k}] is a regression tree; born-again trees are classifiers.")
            if (tree.n_features, tree.n_classes) != (self.n_features, self.n_classes):
                raise ValueError(
                    f"trees[{k}] has {tree.n_features} features and {tree.n_classes} classes, "
                    f"trees[0] has {self.n_features} and {self.n_classes}."
                )
        if self.n_classes > MAX_CLASSES:
            raise ValueError(f"{self.n_classes} classes are too many; at most {MAX_CLASSES} are supported.")
        self.voting = check_choice("voting", voting, (HARD, SOFT))
        self.weights = _check_weights(weights, len(self.trees))
        self.classes = np.arange(self.n_classes) if classes is None else np.asarray(classes)
        if self.classes.shape != (self.n_classes,):
            raise ValueError(f"classes must be {self.n_classes} labels, one for each class index.")
        names = self.trees[0].feature_names if feature_names is None else feature_names
        self.feature_names = None if names is None else tuple(map(str, names))
        if voting == SOFT:
            for k, tree in enumerate(self.trees):
                if not (tree.value[tree.is_leaf].sum(axis=1) > 0).all():
                    raise ValueError(f"trees[{k}] has a leaf without counts, which soft votes need.")

    @property
    def n_features(self):
        return self.trees[0].n_features

    @property
    def n_classes(self):
        return self.trees[0].n_classes

    @property
    def n_trees(self):
        return len(self.trees)

    @property
    def n_leaves(self):
        """Leaves of all trees."""
        return sum(tree.n_leaves for tree in self.trees)

    @property
    def max_depth(self):
        """Depth of the deepest tree."""
        return max(tree.max_depth for tree in self.trees)

    @property
    def divisor(self):
        """What sums of votes are divided by before they are compared: the number of trees for soft votes."""
        return float(self.n_trees) if self.voting == SOFT else 1.0

    @property
    def tolerance(self):
        """Sums of votes that differ by no more than this are compared as they are added, not by bounds."""
        return _RELATIVE_TOLERANCE * self.weights.sum() if self.voting == SOFT else 0

    @cached_property
    def units(self):
        """int64 (n_trees,): the hard vote of each tree as a whole number, in units of 2**-k for some k."""
        weights = self.weights
        if (weights == weights[0]).all():
            return np.ones(self.n_trees, dtype=np.int64)
        _, exponent = np.frexp(weights.sum())
        scaled = np.ldexp(weights, _TOTAL_BITS - 1 - int(exponent))
        units = np.array([round(value) for value in scaled.tolist()], dtype=np.int64)
        if not units.all():
            raise ValueError("The weights of the trees differ by more than a factor of 2**60.")
        shift = min((int(unit) & -int(unit)).bit_length() - 1 for unit in units)
        return units >> shift

    @cached_property
    def nodes(self):
        """The trees as one `Nodes`."""
        sizes = np.array([tree.n_nodes for tree in self.trees])
        root = np.zeros(len(sizes), dtype=np.int64)
        np.cumsum(sizes[:-1], out=root[1:])
        shift = np.repeat(root, sizes)
        left = np.concatenate([tree.children_left for tree in self.trees]).astype(np.int64)
        right = np.concatenate([tree.children_right for tree in self.trees]).astype(np.int64)
        return Nodes(
            root=root,
            left=np.where(left < 0, left, left + shift),
            right=np.where(right < 0, right, right + shift),
            feature=np.concatenate([tree.feature for tree in self.trees]).astype(np.int64),
            threshold=np.concatenate([tree.threshold for tree in self.trees]),
            votes=np.concatenate([self.leaf_votes(k) for k in range(self.n_trees)]),
        )

    def leaf_votes(self, k):
        """Votes that tree `k` gives to a row in each of its nodes, (n_nodes, n_classes); see `Nodes`."""
        tree = self.trees[k]
        if self.voting == HARD:
            votes = np.zeros((tree.n_nodes, self.n_classes), dtype=np.int64)
            votes[np.arange(tree.n_nodes), tree.label] = self.units[k]
            return votes
        total = tree.value.sum(axis=1, keepdims=True)
        fractions = tree.value / np.where(total > 0, total, 1.0)
        return fractions if (self.weights == 1).all() else fractions * self.weights[k]

    def with_trees(self, trees):
        """The same votes of trees of the same shape, without names of features."""
        return Ensemble(trees, self.weights, self.voting, classes=self.classes)

    def predict_votes(self, X):
        """Votes for each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Hard votes are int64 in `units`, soft votes float64.
        """
        votes = 0
        for k, tree in enumerate(self.trees):
            votes = votes + self.leaf_votes(k)[tree.apply(X)]
        return votes if self.voting == HARD else votes / self.n_trees

    def predict(self, X):
        """Class index with the most votes for each sample; ties go to the smaller index.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        intp ndarray of shape (n_samples,)
            The class indices.
        """
        return self.predict_votes(X).argmax(axis=1)

    def __repr__(self):
        weighted = "" if (self.weights == self.weights[0]).all() else "weighted, "
        return (
            f"<Ensemble: {self.n_trees} trees, depth {self.max_depth}, {self.n_leaves} leaves, "
            f"{weighted}{self.voting} votes, {self.n_features} features, {self.n_classes} classes>"
        )


def _check_weights(weights, n_trees):
    if weights is None:
        return np.ones(n_trees)
    weights = np.array(weights, dtype=np.float64)
    if weights.shape != (n_trees,):
        raise ValueError(f"weights has shape {weights.shape}; give one weight for each of {n_trees} trees.")
    if not (np.isfinite(weights).all() and (weights > 0).all() and np.isfinite(weights.sum())):
        raise ValueError("The weights of the trees must be finite and positive.")
    return weights
