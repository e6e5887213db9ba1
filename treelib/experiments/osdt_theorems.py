"""What the theorems of the paper say of a tree, counted on a tree and its data in exact fractions."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class Condition:
    """A necessary condition of optimality, at the place in the tree where it is tightest.

    Attributes
    ----------
    theorem : str, as numbered in the paper
    says : str, the quantity that is bounded
    value, limit : Fraction or int; the condition is ``value >= limit``, or ``<=`` if `is_upper`
    """

    theorem: str
    says: str
    value: Fraction
    limit: Fraction
    is_upper: bool = False

    @property
    def holds(self):
        return self.value <= self.limit if self.is_upper else self.value >= self.limit


def necessary_conditions(tree, X, y, regularization):
    """The conditions that every optimal tree meets (Theorems 3.3 to 3.5 and C.1, Section 4).

    Parameters
    ----------
    tree : Tree
    X : array-like (n, n_features)
    y : int (n,), class codes
    regularization : Fraction

    Returns
    -------
    list of Condition; one that has no place in the tree (a single leaf has no siblings) is left out
    """
    tree = tree.recount(X, y)
    n = len(y)
    counts = tree.value.astype(int)
    right = counts[np.arange(tree.n_nodes), tree.label]
    inner = np.flatnonzero(~tree.is_leaf)
    left_child, right_child = tree.children_left[inner], tree.children_right[inner]
    both_leaves = tree.is_leaf[left_child] & tree.is_leaf[right_child]
    gain = (right[left_child] + right[right_child] - counts[inner].max(axis=1))[both_leaves]
    equal = int((tree.label[left_child] == tree.label[right_child])[both_leaves].sum())
    objective = Fraction(n - int(right[tree.is_leaf].sum()), n) + regularization * tree.n_leaves

    conditions = []
    if len(inner):
        support = Fraction(int(tree.n_node_samples[inner].min()), n)
        conditions = [
            Condition("Theorem 3.3", "samples at a split", support, 2 * regularization),
            Condition("Theorem 3.4", "gain of a last split", Fraction(int(gain.min()), n), regularization),
        ]
    accurate = Fraction(int(right[tree.is_leaf].min()), n)
    if tree.n_leaves > 1:
        conditions.append(Condition("Theorem 3.5", "samples right in a leaf", accurate, regularization))
    conditions.append(
        Condition("Theorem C.1", "leaves", Fraction(tree.n_leaves), objective / regularization, True)
    )
    conditions.append(
        Condition("Section 4", "sibling leaves of one label", Fraction(equal), Fraction(0), True)
    )
    return conditions
