"""Naive twin of Bayesian trees: the posterior of every tree, by listing them all."""

from math import exp, lgamma, log

import numpy as np


def all_trees(goes_left, rows, depth, max_leaves, min_rows):
    """Nested trees ``(rule, left, right)`` or the tuple of rows of a leaf, with at most `max_leaves` leaves.

    goes_left : bool (n_rules, n), what each rule says of each row
    """
    yield tuple(rows)
    if max_leaves < 2:
        return
    for rule in range(len(goes_left)):
        left = [row for row in rows if goes_left[rule, row]]
        right = [row for row in rows if not goes_left[rule, row]]
        if min(len(left), len(right)) < min_rows:
            continue
        for left_tree in all_trees(goes_left, left, depth + 1, max_leaves - 1, min_rows):
            for right_tree in all_trees(goes_left, right, depth + 1, max_leaves - 1, min_rows):
                if n_leaves(left_tree) + n_leaves(right_tree) <= max_leaves:
                    yield rule, left_tree, right_tree


def is_leaf(tree):
    return len(tree) != 3 or not isinstance(tree[1], tuple)


def n_leaves(tree):
    return 1 if is_leaf(tree) else n_leaves(tree[1]) + n_leaves(tree[2])


def shape(tree):
    """The tree without its rows: rule numbers, None for a leaf."""
    return None if is_leaf(tree) else (tree[0], shape(tree[1]), shape(tree[2]))


def log_joint(tree, y, weights, concentration, n_rules, sigma, phi, depth=0):
    """ln p(y | X, T) p(T), as printed in Section 3.3 of the paper."""
    split = sigma * (1 + depth) ** -phi
    if is_leaf(tree):
        a = np.asarray(concentration, dtype=float)
        counts = np.zeros(len(a))
        for row in tree:
            counts[y[row]] += weights[row]
        value = lgamma(a.sum()) - sum(map(lgamma, a))
        value += sum(lgamma(n + b) for n, b in zip(counts, a, strict=True)) - lgamma(counts.sum() + a.sum())
        return value + log(1 - split)
    below = sum(
        log_joint(child, y, weights, concentration, n_rules, sigma, phi, depth + 1) for child in tree[1:]
    )
    return below + log(split) - log(n_rules)


def posterior(goes_left, y, weights, concentration, sigma, phi, max_leaves, min_rows):
    """dict of shape -> posterior probability, and of shape -> log joint probability."""
    trees = list(all_trees(goes_left, range(len(y)), 0, max_leaves, min_rows))
    joint = {
        shape(tree): log_joint(tree, y, weights, concentration, len(goes_left), sigma, phi) for tree in trees
    }
    assert len(joint) == len(trees)
    highest = max(joint.values())
    total = sum(exp(value - highest) for value in joint.values())
    return {key: exp(value - highest) / total for key, value in joint.items()}, joint
