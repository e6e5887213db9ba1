"""What the chains of a Bayesian tree drew, and the forest of all draws."""

from typing import NamedTuple

import numpy as np

from treelib.topdown.bayes.chain import LEFT, RIGHT, RULE
from treelib.tree.building import NO_CHILD, NO_FEATURE, NO_THRESHOLD
from treelib.tree.stored import Tree

# of three arrays and what holds them, beside their numbers
_BYTES_OF_DRAW = 600


class Draw(NamedTuple):
    """A tree of a chain, in preorder. right : int64 (n_nodes,), right child, -1 at leaves; rule : int64
    (n_nodes,), -1 at leaves; counts : float64 (n_nodes, c); n_repeats : int, draws in a row of this tree."""

    right: np.ndarray
    rule: np.ndarray
    counts: np.ndarray
    n_repeats: int


class Forest(NamedTuple):
    """Trees in one set of arrays, as `mean_probabilities` reads them."""

    roots: np.ndarray
    shares: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    probabilities: np.ndarray


class Draws:
    """What a chain drew: `Draw` trees, and of every draw the log posterior and the number of leaves.

    n_bytes : int, of the trees, and of the `Forest` made of them
    """

    def __init__(self):
        self.trees, self.log_posterior, self.n_leaves = [], [], []
        self.n_bytes = 0
        self._last = None

    def add(self, chain):
        """Add the tree of a chain, or count the last one again if it is the same."""
        left, right, rule = chain.nodes[LEFT], chain.nodes[RIGHT], chain.nodes[RULE]
        self.log_posterior.append(chain.log_posterior[0])
        self.n_leaves.append(np.count_nonzero(rule == -1))
        self.n_bytes += 100  # of the two numbers, and of the arrays made of them
        if self._last is not None and np.array_equal(self._last[1], rule):
            if np.array_equal(self._last[0], left):
                self.trees[-1] = self.trees[-1]._replace(n_repeats=self.trees[-1].n_repeats + 1)
                return
        self._last = left.copy(), rule.copy()
        self.trees.append(tree_of(left, right, rule, chain.counts))
        n_nodes, n_classes = self.trees[-1].counts.shape
        self.n_bytes += _BYTES_OF_DRAW + n_nodes * (56 + 24 * n_classes)


def tree_of(left, right, rule, counts=None):
    """`Draw` of the arrays of a `Chain`."""
    left, right = left.tolist(), right.tolist()
    order, right_child, stack = [], [], [(0, -1)]
    while stack:
        slot, parent = stack.pop()
        if parent >= 0:
            right_child[parent] = len(order)
        here = len(order)
        order.append(slot)
        right_child.append(NO_CHILD)
        if left[slot] >= 0:
            stack.append((right[slot], here))
            stack.append((left[slot], -1))
    return Draw(np.array(right_child), rule[order], None if counts is None else counts[order], 1)


def forest_of(draws, data):
    """`Forest` of all draws."""
    roots, right, rules, probabilities, at = [], [], [], [], 0
    for draw in draws:
        roots.append(at)
        right.append(np.where(draw.right < 0, NO_CHILD, draw.right + at))
        rules.append(draw.rule)
        weight = draw.counts + data.concentration
        probabilities.append(weight / weight.sum(axis=1, keepdims=True))
        at += len(draw.rule)
    rule = np.concatenate(rules)
    leaf = rule < 0
    rule = np.where(leaf, 0, rule)
    any_rule = len(data.rule_feature) > 0
    repeats = np.array([draw.n_repeats for draw in draws], dtype=np.float64)
    return Forest(
        roots=np.array(roots, dtype=np.int64),
        shares=repeats / repeats.sum(),
        right=np.concatenate(right).astype(np.int64),
        feature=np.where(leaf, NO_FEATURE, data.rule_feature[rule] if any_rule else 0).astype(np.int64),
        threshold=np.where(leaf, NO_THRESHOLD, data.rule_threshold[rule] if any_rule else 0.0),
        probabilities=np.concatenate(probabilities),
    )


def trees_of(forest, like):
    """The trees of a `Forest` one by one, and what each of their nodes adds to the mean.

    Parameters
    ----------
    forest : Forest
    like : Tree of the same features and classes

    Returns
    -------
    list of Tree
    list of float64 (n_nodes, n_classes), class probabilities times the share of the tree
    """
    ends = [*forest.roots[1:].tolist(), len(forest.right)]
    trees, tables = [], []
    for root, end, share in zip(forest.roots.tolist(), ends, forest.shares.tolist(), strict=True):
        nodes = slice(root, end)
        inner = forest.feature[nodes] >= 0
        probabilities = forest.probabilities[nodes]
        tree = Tree(
            children_left=np.where(inner, np.arange(end - root) + 1, NO_CHILD),
            children_right=np.where(inner, forest.right[nodes] - root, NO_CHILD),
            feature=forest.feature[nodes],
            threshold=forest.threshold[nodes],
            value=probabilities,
            n_features=like.n_features,
            feature_names=like.feature_names,
            class_names=like.class_names,
        )
        trees.append(tree)
        tables.append(share * probabilities)
    return trees, tables
