"""`ScoredEnsemble`: trees whose leaves add real scores to the classes, as gradient boosting does.

A boosted model adds scores in a fixed order, in float32 (XGBoost) or float64 (scikit-learn, LightGBM), and
its class is that of the largest sum. Rounding decides near ties, so the sums here are made in the library's
type and order. Two rules pick the class:

largest : the largest sum, ties to the smaller class index. A binary model has one score; the other class
    holds the constant that the score must exceed (`treelib.bornagain.boosting.links`).
softmax : the largest of the probabilities after the softmax. Rounding can make two of them equal where the
    sums still differ; the smaller class index wins then.
"""

from functools import cached_property

import numpy as np

from treelib.bornagain.ensemble.voting import MAX_CLASSES, Ensemble, Nodes
from treelib.bornagain.softmax import softmax_classes
from treelib.table.checks import check_choice
from treelib.tree.stored import Tree

LARGEST, SOFTMAX = "largest", "softmax"
_VOTES = (np.int64, np.float32, np.float64)
_LARGEST_TOTAL = 2**62


class ScoredEnsemble(Ensemble):
    """Trees that add scores; every search of this package accepts it like an `Ensemble`.

    Parameters
    ----------
    trees : sequence of Tree
        Trees with the same number of features.
    scores : sequence of arrays (n_nodes, n_classes)
        One per tree, all int64, all float32 or all float64: what a sample in each node adds to each class.
        Values of inner nodes are ignored.
    base : array (n_classes,)
        Initial scores, of the same type as `scores`.
    rule : {"largest", "softmax"}
        How the class follows from the scores: the largest sum, or the largest probability after the softmax,
        where rounding can create ties. Ties go to the smaller class index.
    classes : array (n_classes,)
        Labels of the classes; default 0, 1, 2, ...
    feature_names : sequence of str or None
        Names of the features.
    source : str
        What it was read from.

    Raises
    ------
    TypeError, ValueError
        If these do not form an ensemble; the message names the tree.

    Examples
    --------
    >>> import numpy as np
    >>> from treelib import Tree
    >>> from treelib.bornagain.boosting.scored import ScoredEnsemble
    >>> stump = Tree.from_nested((0, 2.0, 0, 1))
    >>> scores = np.array([[0.0, 0.0], [0.0, -1.5], [0.0, 0.5]])
    >>> model = ScoredEnsemble([stump, stump], [scores, scores], [0.0, 0.75])
    >>> model.predict([[1.0], [3.0]])
    array([0, 1])
    >>> model.predict_votes([[1.0]])
    array([[ 0.  , -2.25]])
    """

    voting = "scores"

    def __init__(
        self, trees, scores, base, *, rule=LARGEST, classes=None, feature_names=None, source="scores"
    ):
        self.trees, self.scores = tuple(trees), tuple(map(np.asarray, scores))
        if not self.trees or len(self.trees) != len(self.scores):
            raise ValueError(
                f"{len(self.trees)} trees and {len(self.scores)} tables of scores are no ensemble."
            )
        kind = self.scores[0].dtype
        if kind not in _VOTES:
            raise TypeError(f"Scores of type {kind} cannot be added; give int64, float32 or float64.")
        self.base = np.array(base, dtype=kind)
        if self.base.ndim != 1 or not 2 <= len(self.base) <= MAX_CLASSES:
            raise ValueError(f"base must be 2 to {MAX_CLASSES} numbers, one a class.")
        for k, (tree, table) in enumerate(zip(self.trees, self.scores, strict=True)):
            if not isinstance(tree, Tree):
                raise TypeError(f"trees[{k}] is a {type(tree).__name__}, not a treelib.Tree.")
            if tree.n_features != self.n_features:
                raise ValueError(f"trees[{k}] has {tree.n_features} features, trees[0] {self.n_features}.")
            if table.dtype != kind or table.shape != (tree.n_nodes, len(self.base)):
                raise ValueError(
                    f"scores[{k}] is {table.dtype} {table.shape}; {kind} {(tree.n_nodes, len(self.base))} is "
                    "needed."
                )
        self.rule = check_choice("rule", rule, (LARGEST, SOFTMAX))
        self.weights = np.ones(len(self.trees))
        self.classes = np.arange(len(self.base)) if classes is None else np.asarray(classes)
        if self.classes.shape != self.base.shape:
            raise ValueError(f"classes must be {len(self.base)} labels, one for each class index.")
        self.feature_names = None if feature_names is None else tuple(map(str, feature_names))
        self.source = source
        largest = self.largest_scores
        if not np.isfinite(largest).all() or largest.sum() >= _LARGEST_TOTAL:
            raise ValueError("Scores must be finite, and their sum must stay below 2**62.")

    def with_classes(self, classes):
        """This model, its classes those of a fitted estimator."""
        if len(classes) != self.n_classes:
            raise ValueError(f"The estimator has {len(classes)} classes, its trees {self.n_classes}.")
        self.classes = np.asarray(classes)
        return self

    @property
    def n_classes(self):
        return len(self.base)

    @property
    def divisor(self):
        """As of `Ensemble`: sums are compared as they are (1), or after the softmax (-1)."""
        return -1.0 if self.rule == SOFTMAX else 1.0

    @cached_property
    def largest_scores(self):
        """float64 (n_trees + 1,): largest size of a score of the base and of each tree."""
        tables = [
            self.base,
            *(table[tree.is_leaf] for tree, table in zip(self.trees, self.scores, strict=True)),
        ]
        return np.array([np.abs(table.astype(np.float64)).max() for table in tables])

    @property
    def units(self):
        """Whole bounds of the scores, int64; their sum bounds every sum."""
        return np.ceil(self.largest_scores).astype(np.int64)

    @property
    def tolerance(self):
        """By how much a sum in the library's rounding can differ from a bound of it made of the same scores.

        Two sums of n terms, each with an error of at most n units of rounding times the sum of the sizes; and
        what the softmax can make equal.
        """
        kind = self.base.dtype
        if kind.kind == "i":
            return 0
        unit, n = np.finfo(kind).eps, len(self.trees) + 2
        return 4 * n * unit * self.largest_scores.sum() + (8 * unit if self.rule == SOFTMAX else 0.0)

    @cached_property
    def nodes(self):
        """The trees as one `Nodes`; the first root is a leaf with the scores of the base."""
        some = Ensemble.nodes.func(self)
        return Nodes(
            root=np.concatenate([[0], some.root + 1]),
            left=np.concatenate([[-1], np.where(some.left < 0, -1, some.left + 1)]),
            right=np.concatenate([[-1], np.where(some.right < 0, -1, some.right + 1)]),
            feature=np.concatenate([[-2], some.feature]),
            threshold=np.concatenate([[-2.0], some.threshold]),
            votes=np.concatenate([self.base[None, :], some.votes]),
        )

    def leaf_votes(self, k):
        """Scores that tree `k` adds for a row in each of its nodes, (n_nodes, n_classes)."""
        return self.scores[k]

    def predict_votes(self, X):
        """Total score of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples; NaN means missing.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Sums in the library's type and order.
        """
        leaves = [tree.apply(X) for tree in self.trees]
        total = np.repeat(self.base[None, :], len(leaves[0]), axis=0)
        for leaf, table in zip(leaves, self.scores, strict=True):
            total += table[leaf]
        return total

    def predict(self, X):
        """Class index of each sample, as the boosting library predicts it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples; NaN means missing.

        Returns
        -------
        intp ndarray of shape (n_samples,)
            The class indices.
        """
        votes = self.predict_votes(X)
        return softmax_classes(votes).astype(np.intp) if self.rule == SOFTMAX else votes.argmax(axis=1)

    def with_trees(self, trees):
        """The same scores on trees of the same shape, without names of features."""
        return ScoredEnsemble(
            trees, self.scores, self.base, rule=self.rule, classes=self.classes, source=self.source
        )

    def __repr__(self):
        return (
            f"<ScoredEnsemble of {self.source}: {self.n_trees} trees, depth {self.max_depth}, "
            f"{self.n_leaves} leaves, {self.base.dtype} scores, {self.n_features} features, "
            f"{self.n_classes} classes>"
        )


def score_table(tree, values, k, n_groups):
    """Scores (n_nodes, n_classes) of a tree of group `k`, in the type of its `values` (n_nodes,); a binary
    model's go to the second class."""
    table = np.zeros((tree.n_nodes, max(n_groups, 2)), dtype=values.dtype)
    table[:, 1 if n_groups == 1 else k] = values
    return table
