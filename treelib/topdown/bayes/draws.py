"""What the chains of a Bayesian tree drew, and the forest of all draws."""

from array import array
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
    """What a chain drew: its trees, and of every draw the log posterior and the number of leaves.

    trees : list of Draw
    log_posterior, n_leaves : arrays of Python's module `array`, float64 and int64
    n_bytes : int, of the trees, and of the `Forest` made of them
    """

    def __init__(self):
        self.log_posterior, self.n_leaves = array("d"), array("q")
        self.trees, self.n_bytes, self._last = [], 0, None

    def add(self, chain):
        """Add the tree of a chain, or count the last one again if it is the same."""
        left, right, rule = chain.nodes[LEFT], chain.nodes[RIGHT], chain.nodes[RULE]
        self.log_posterior.append(chain.log_posterior[0])
        self.n_leaves.append(np.count_nonzero(rule == -1))
        self.n_bytes += 100  # of the two numbers, and of the arrays made of them
        if self._last is not None and np.array_equal(self._last, (left, rule)):
            self.trees[-1] = self.trees[-1]._replace(n_repeats=self.trees[-1].n_repeats + 1)
            return
        self._last = np.array((left, rule))
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


def forest_of(chains, data):
    """`Forest` of all draws of some chains, list of `Draws`."""
    trees = [tree for draws in chains for tree in draws.trees]
    right, rule, counts, repeats = zip(*trees, strict=True)
    sizes, repeats = np.array([len(one) for one in rule]), np.array(repeats)
    right, rule, probabilities = map(np.concatenate, (right, rule, counts))
    roots = np.cumsum(sizes) - sizes
    np.add(right, np.repeat(roots, sizes), out=right, where=right >= 0)
    probabilities += data.concentration
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    leaf = rule < 0
    rule[leaf] = 0
    any_rule = len(data.rule_feature) > 0
    return Forest(
        roots=roots.astype(np.int64),
        shares=repeats / repeats.sum(dtype=np.float64),
        right=right.astype(np.int64, copy=False),
        feature=np.where(leaf, NO_FEATURE, data.rule_feature[rule] if any_rule else 0).astype(np.int64),
        threshold=np.where(leaf, NO_THRESHOLD, data.rule_threshold[rule] if any_rule else 0.0),
        probabilities=probabilities,
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
