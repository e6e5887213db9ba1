"""Naive twins of pruning: every pruning of a tree is made and measured."""

from fractions import Fraction
from math import log, sqrt

import numpy as np


def all_prunings(tree):
    """All prunings of `tree`, as lists of the inner nodes that become leaves."""

    def below(node):
        left = tree.children_left[node]
        if left < 0:
            return [[]]
        kept = [one + other for one in below(left) for other in below(tree.children_right[node])]
        return [[node], *kept]

    return [tree.pruned(nodes) for nodes in below(0)]


def training_cost(tree):
    """Share of the weight that the leaves of `tree` predict wrongly by their own counts, a Fraction."""
    leaves = np.flatnonzero(tree.is_leaf)
    wrong = sum(
        Fraction(tree.value[leaf].sum()) - Fraction(tree.value[leaf, tree.label[leaf]]) for leaf in leaves
    )
    return wrong / Fraction(tree.value[0].sum())


def smallest_minimiser(trees, costs, complexity):
    """Of the trees of least ``cost + complexity * leaves``, those with fewest leaves."""
    total = [cost + complexity * tree.n_leaves for tree, cost in zip(trees, costs, strict=True)]
    best = [tree for tree, one in zip(trees, total, strict=True) if one == min(total)]
    fewest = min(tree.n_leaves for tree in best)
    return [tree for tree in best if tree.n_leaves == fewest]


def breakpoints(trees, costs):
    """Complexities at which the smallest minimiser changes, by the lower hull of (leaves, cost)."""
    least = {}
    for tree, cost in zip(trees, costs, strict=True):
        least[tree.n_leaves] = min(cost, least.get(tree.n_leaves, cost))
    found, price = [Fraction(0)], Fraction(0)
    leaves = min(n for n in least if least[n] == min(least.values()))
    while leaves > 1:
        price, leaves = min(((least[n] - least[leaves]) / (leaves - n), n) for n in least if n < leaves)
        found.append(price)
    return found


def weakest_links(tree, node_cost):
    """Breiman's procedure: the links of least ``(R(t) - R(T_t)) / (leaves - 1)`` go, again and again.

    Yields pairs (price, pruned tree as the set of nodes that became leaves).
    """
    pruned = set()

    def branch(node):
        if tree.children_left[node] < 0 or node in pruned:
            return Fraction(node_cost[node]), 1
        one, other = branch(tree.children_left[node]), branch(tree.children_right[node])
        return one[0] + other[0], one[1] + other[1]

    def inner(node=0):
        if tree.children_left[node] < 0 or node in pruned:
            return []
        return [node, *inner(tree.children_left[node]), *inner(tree.children_right[node])]

    while inner():
        link = {}
        for node in inner():
            cost, leaves = branch(node)
            link[node] = (Fraction(node_cost[node]) - cost) / (leaves - 1)
        weakest = min(link.values())
        pruned |= {node for node in link if link[node] == weakest}
        yield weakest, branch(0)


def pessimistic_top_down(tree, k, correction):
    """Quinlan's rule by recursion, from the root."""

    def leaves(node):
        if tree.children_left[node] < 0:
            return [node]
        return leaves(tree.children_left[node]) + leaves(tree.children_right[node])

    def wrong(node):
        return tree.value[node].sum() - tree.value[node, tree.label[node]]

    def visit(node):
        if tree.children_left[node] < 0:
            return []
        n = tree.value[node].sum()
        below = sum(wrong(leaf) + correction for leaf in leaves(node))
        error = sqrt(below * max(n - below, 0) / n) if n else 0
        if wrong(node) + correction <= below + k * error:
            return [node]
        return visit(tree.children_left[node]) + visit(tree.children_right[node])

    return tree.pruned(visit(0))


def pessimistic_bottom_up(tree, c1, c2, n_attributes):
    """Mansour's rule by recursion; after each decision the tree is rebuilt and its node found again."""
    for node in range(tree.n_nodes - 1, -1, -1):  # ids below `node` do not change when a later node is pruned
        if tree.is_leaf[node]:
            continue
        end, open_nodes = node, 1
        while open_nodes:  # a subtree is a range of nodes in preorder
            open_nodes += -1 if tree.is_leaf[end] else 1
            end += 1
        leaves = [leaf for leaf in range(node, end) if tree.is_leaf[leaf]]
        n = tree.value[node].sum()
        wrong = tree.value.sum(axis=1) - tree.value[np.arange(tree.n_nodes), tree.label]
        margin = c1 * sqrt((len(leaves) * log(n_attributes) + c2) * n)
        if wrong[node] <= wrong[leaves].sum() + margin:
            tree = tree.pruned(node)
    return tree


def critical_value(tree, value, critical):
    """Mingers' rule by recursion."""

    def best(node):
        if tree.children_left[node] < 0:
            return 0.0
        return max(value[node], best(tree.children_left[node]), best(tree.children_right[node]))

    return tree.pruned([n for n in range(tree.n_nodes) if not tree.is_leaf[n] and best(n) <= critical])
