"""Metropolis-Hastings over decision trees: the compiled chain.

The target is ``p(y | X, T) p(T)`` of Section 3.3 of the paper (Chipman, George and McCulloch 1998). A node at
depth d is split with probability ``sigma (1 + d)^-phi``, its rule drawn uniformly from a finite list; the
class shares of a leaf have a Dirichlet prior and are integrated out. Trees with more leaves than fit into the
arrays, or with a leaf of too few rows, have probability 0.

Four moves, each proposed with probability 1/4. *Split*: a random leaf gets a random rule. *Prune*: a random
node whose children are leaves becomes a leaf. *Change*: a random inner node gets a random rule. *Swap*: a
random inner child trades rules with its parent, its sibling too where that has the same rule. Change and swap
propose the way back with the same probability; split and prune are each other's way back. A move that is not
possible leaves the tree as it is, which counts as a rejection.
"""

from math import lgamma
from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.compiled.splitmix import next_random

LEFT, RIGHT, PARENT, RULE, DEPTH, SIZE = range(6)
IS_LEAF, IS_FREE = -1, -2
SPLIT, PRUNE, CHANGE, SWAP = range(4)
MOVES = ("split", "prune", "change", "swap")


class Data(NamedTuple):
    """What all chains share.

    X : float64 (n, p), C-contiguous. codes : int64 (n,). weights : float64 (n,)
    rule_feature : int64 (n_rules,). rule_threshold : float64 (n_rules,); a row goes left iff x <= threshold
    concentration : float64 (n_classes,), of the Dirichlet prior
    log_prior : float64 (2, capacity), by depth: ln of the probability that a node is a leaf; that it is split
        by one given rule
    min_rows : int, in a leaf
    """

    X: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    rule_feature: np.ndarray
    rule_threshold: np.ndarray
    concentration: np.ndarray
    log_prior: np.ndarray
    min_rows: int


class Chain(NamedTuple):
    """State of one chain. Slot 0 is the root; IS_LEAF and IS_FREE stand in the row RULE.

    nodes : int64 (6, capacity), rows LEFT, RIGHT, PARENT, RULE, DEPTH, SIZE (rows of data, of leaves)
    counts : float64 (capacity, n_classes), of leaves
    evidence : float64 (capacity,), ln marginal likelihood of leaves
    leaf : int64 (n,), slot that each row is in
    new_leaf, new_counts, new_size : the same for a proposal
    in_subtree : int64 (capacity,), nodes below a node
    random : uint64 (1,)
    tally : int64 (2, 4), proposals and acceptances of the moves
    log_posterior : float64 (2,), now, and the highest so far
    best : int64 (3, capacity), LEFT, RIGHT and RULE of the tree with the highest
    """

    nodes: np.ndarray
    counts: np.ndarray
    evidence: np.ndarray
    leaf: np.ndarray
    new_leaf: np.ndarray
    new_counts: np.ndarray
    new_size: np.ndarray
    in_subtree: np.ndarray
    random: np.ndarray
    tally: np.ndarray
    log_posterior: np.ndarray
    best: np.ndarray


# ---- random numbers, one stream a chain -------------------------------------------------------------------


@kernel(allocates=False, inner=True)
def draw_uniform(random):
    """A number in [0, 1)."""
    return np.float64(next_random(random) >> np.uint64(11)) * 2.0**-53


@kernel(allocates=False, inner=True)
def draw_below(random, n):
    """A whole number from 0 to n - 1; n is at least 1 and far below 2^53."""
    return np.int64(draw_uniform(random) * n)


# ---- reading the tree -------------------------------------------------------------------------------------


@kernel(allocates=False, inner=True)
def copy_values(source, target):
    """Copy a row; an assignment of slices would allocate."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel(allocates=False, inner=True)
def log_evidence(counts, concentration):
    """ln of the Dirichlet-multinomial probability of the labels in a leaf, in their order."""
    total, prior, value = 0.0, 0.0, 0.0
    for i in range(len(counts)):
        value += lgamma(counts[i] + concentration[i]) - lgamma(concentration[i])
        total += counts[i]
        prior += concentration[i]
    return value + lgamma(prior) - lgamma(total + prior)


@kernel(allocates=False, inner=True)
def is_prunable(nodes, node):
    """Whether a slot holds an inner node both of whose children are leaves."""
    return (
        nodes[RULE, node] >= 0
        and nodes[RULE, nodes[LEFT, node]] == IS_LEAF
        and nodes[RULE, nodes[RIGHT, node]] == IS_LEAF
    )


@kernel(allocates=False, inner=True)
def belongs(nodes, node, move):
    """Whether a slot can be chosen by a move."""
    if move == SPLIT:
        return nodes[RULE, node] == IS_LEAF
    if move == PRUNE:
        return is_prunable(nodes, node)
    return nodes[RULE, node] >= 0 and (move == CHANGE or node > 0)


@kernel(allocates=False, inner=True)
def count_choices(nodes, move):
    n = 0
    for node in range(nodes.shape[1]):
        n += belongs(nodes, node, move)
    return n


@kernel(allocates=False, inner=True)
def pick(nodes, move, random):
    """A slot that the move can choose, uniformly; -1 if there is none."""
    n = count_choices(nodes, move)
    if n == 0:
        return -1
    skip = draw_below(random, n)
    for node in range(nodes.shape[1]):
        if belongs(nodes, node, move):
            if skip == 0:
                return node
            skip -= 1
    return -1


@kernel(allocates=False, inner=True)
def goes_left(data, row, rule):
    # NaN is not below any threshold
    return data.X[row, data.rule_feature[rule]] <= data.rule_threshold[rule]


# ---- moves -------------------------------------------------------------------------------------------------


@kernel(allocates=False, inner=True)
def divide_leaf(data, chain, node, rule, left, right):
    """Counts and sizes of the two sides of a leaf under a rule, into the proposal of slots left and right."""
    for side in (left, right):
        chain.new_size[side] = 0
        chain.new_counts[side, :] = 0.0
    for row in range(len(chain.leaf)):
        if chain.leaf[row] == node:
            side = left if goes_left(data, row, rule) else right
            chain.new_size[side] += 1
            chain.new_counts[side, data.codes[row]] += data.weights[row]
    return min(chain.new_size[left], chain.new_size[right]) >= data.min_rows


@kernel(allocates=False, inner=True)
def place_leaf(data, chain, node, parent):
    """Make a slot a leaf that holds what the proposal counted for it."""
    nodes = chain.nodes
    nodes[LEFT, node] = nodes[RIGHT, node] = -1
    nodes[RULE, node] = IS_LEAF
    nodes[PARENT, node] = parent
    nodes[DEPTH, node] = nodes[DEPTH, parent] + 1
    nodes[SIZE, node] = chain.new_size[node]
    copy_values(chain.new_counts[node], chain.counts[node])
    chain.evidence[node] = log_evidence(chain.counts[node], data.concentration)


@kernel(allocates=False, inner=True)
def split_leaf(data, chain, node, rule, left, right):
    """Carry out a split whose sides were counted by `divide_leaf`."""
    nodes = chain.nodes
    nodes[LEFT, node], nodes[RIGHT, node], nodes[RULE, node] = left, right, rule
    place_leaf(data, chain, left, node)
    place_leaf(data, chain, right, node)
    for row in range(len(chain.leaf)):
        if chain.leaf[row] == node:
            chain.leaf[row] = left if goes_left(data, row, rule) else right


@kernel(allocates=False, inner=True)
def find_free(nodes, after):
    """The first free slot behind `after`; -1 if there is none."""
    for node in range(after + 1, nodes.shape[1]):
        if nodes[RULE, node] == IS_FREE:
            return node
    return -1


@kernel(allocates=False, inner=True)
def split_gain(data, chain, node, left_evidence, right_evidence):
    """What a split of a leaf adds to the log posterior."""
    depth = chain.nodes[DEPTH, node]
    prior = data.log_prior[1, depth] + 2 * data.log_prior[0, depth + 1] - data.log_prior[0, depth]
    return prior + left_evidence + right_evidence - chain.evidence[node]


@kernel(allocates=False, inner=True)
def propose_split(data, chain):
    """Returns whether the tree was split."""
    nodes = chain.nodes
    node, rule = pick(nodes, SPLIT, chain.random), draw_below(chain.random, len(data.rule_feature))
    left = find_free(nodes, 0)
    right = find_free(nodes, left) if left > 0 else -1
    if right < 0 or not divide_leaf(data, chain, node, rule, left, right):
        return False
    gain = split_gain(
        data,
        chain,
        node,
        log_evidence(chain.new_counts[left], data.concentration),
        log_evidence(chain.new_counts[right], data.concentration),
    )
    parent = nodes[PARENT, node]
    n_prunable = count_choices(nodes, PRUNE) + 1 - (parent >= 0 and is_prunable(nodes, parent))
    back = np.log(count_choices(nodes, SPLIT) * np.float64(len(data.rule_feature)) / n_prunable)
    if np.log(1.0 - draw_uniform(chain.random)) >= gain + back:
        return False
    chain.log_posterior[0] += gain
    split_leaf(data, chain, node, rule, left, right)
    return True


@kernel(allocates=False, inner=True)
def propose_prune(data, chain):
    """Returns whether the tree was pruned."""
    nodes = chain.nodes
    node = pick(nodes, PRUNE, chain.random)
    if node < 0:
        return False
    left, right = nodes[LEFT, node], nodes[RIGHT, node]
    for i in range(chain.counts.shape[1]):
        chain.new_counts[node, i] = chain.counts[left, i] + chain.counts[right, i]
    before = chain.evidence[node]
    chain.evidence[node] = log_evidence(chain.new_counts[node], data.concentration)
    gain = -split_gain(data, chain, node, chain.evidence[left], chain.evidence[right])
    n_leaves = count_choices(nodes, SPLIT) - 1
    back = np.log(count_choices(nodes, PRUNE) / (n_leaves * np.float64(len(data.rule_feature))))
    if np.log(1.0 - draw_uniform(chain.random)) >= gain + back:
        chain.evidence[node] = before
        return False
    chain.log_posterior[0] += gain
    copy_values(chain.new_counts[node], chain.counts[node])
    nodes[SIZE, node] = nodes[SIZE, left] + nodes[SIZE, right]
    nodes[RULE, node] = IS_LEAF
    nodes[RULE, left] = nodes[RULE, right] = IS_FREE
    nodes[LEFT, node] = nodes[RIGHT, node] = -1
    for row in range(len(chain.leaf)):
        if chain.leaf[row] == left or chain.leaf[row] == right:
            chain.leaf[row] = node
    return True


@kernel(allocates=False, inner=True)
def mark_subtree(chain, top):
    """Set `in_subtree` of every slot."""
    nodes = chain.nodes
    for node in range(nodes.shape[1]):
        chain.in_subtree[node] = 0
        if nodes[RULE, node] != IS_FREE:
            above = node
            while above >= 0 and above != top:
                above = nodes[PARENT, above]
            chain.in_subtree[node] = above == top


@kernel(allocates=False, inner=True)
def accept_rules(data, chain, top):
    """Send the rows below a node through the rules as they are now; keep them with the probability of
    Metropolis. Returns whether they were kept; if not, the caller puts the old rules back."""
    nodes = chain.nodes
    mark_subtree(chain, top)
    for node in range(nodes.shape[1]):
        if chain.in_subtree[node]:
            chain.new_size[node] = 0
            chain.new_counts[node, :] = 0.0
    for row in range(len(chain.leaf)):
        if chain.in_subtree[chain.leaf[row]]:
            node = top
            while nodes[RULE, node] >= 0:
                node = nodes[LEFT, node] if goes_left(data, row, nodes[RULE, node]) else nodes[RIGHT, node]
            chain.new_leaf[row] = node
            chain.new_size[node] += 1
            chain.new_counts[node, data.codes[row]] += data.weights[row]
    gain = 0.0
    for node in range(nodes.shape[1]):
        if chain.in_subtree[node] and nodes[RULE, node] == IS_LEAF:
            if chain.new_size[node] < data.min_rows:
                return False
            gain += log_evidence(chain.new_counts[node], data.concentration) - chain.evidence[node]
    if np.log(1.0 - draw_uniform(chain.random)) >= gain:
        return False
    chain.log_posterior[0] += gain
    for row in range(len(chain.leaf)):
        if chain.in_subtree[chain.leaf[row]]:
            chain.leaf[row] = chain.new_leaf[row]
    for node in range(nodes.shape[1]):
        if chain.in_subtree[node] and nodes[RULE, node] == IS_LEAF:
            nodes[SIZE, node] = chain.new_size[node]
            copy_values(chain.new_counts[node], chain.counts[node])
            chain.evidence[node] = log_evidence(chain.counts[node], data.concentration)
    return True


@kernel(allocates=False, inner=True)
def propose_change(data, chain):
    """Returns whether a rule was changed."""
    node, rule = pick(chain.nodes, CHANGE, chain.random), draw_below(chain.random, len(data.rule_feature))
    if node < 0:
        return False
    before = chain.nodes[RULE, node]
    chain.nodes[RULE, node] = rule
    accepted = accept_rules(data, chain, node)
    if not accepted:
        chain.nodes[RULE, node] = before
    return accepted


@kernel(allocates=False, inner=True)
def propose_swap(data, chain):
    """Returns whether rules were swapped."""
    nodes = chain.nodes
    child = pick(nodes, SWAP, chain.random)
    if child < 0:
        return False
    parent = nodes[PARENT, child]
    sibling = nodes[LEFT, parent] + nodes[RIGHT, parent] - child
    upper, lower, beside = nodes[RULE, parent], nodes[RULE, child], nodes[RULE, sibling]
    if beside == upper and lower != upper:
        return False  # the way back would swap both children
    nodes[RULE, parent], nodes[RULE, child] = lower, upper
    if beside == lower:
        nodes[RULE, sibling] = upper
    accepted = accept_rules(data, chain, parent)
    if not accepted:
        nodes[RULE, parent], nodes[RULE, child], nodes[RULE, sibling] = upper, lower, beside
    return accepted


# ---- the chain -------------------------------------------------------------------------------------------


@kernel(allocates=False)
def start_chain(data, chain, sigma, phi):
    """Put all rows into the root and grow a first tree from the prior; splits that the data do not allow, or
    that the arrays do not hold, are left out. `chain.random` must be set."""
    nodes = chain.nodes
    nodes[:, :] = -1
    nodes[RULE, :] = IS_FREE
    chain.new_size[0] = len(chain.leaf)
    chain.new_counts[0, :] = 0.0
    for row in range(len(chain.leaf)):
        chain.leaf[row] = 0
        chain.new_counts[0, data.codes[row]] += data.weights[row]
    nodes[RULE, 0] = IS_LEAF
    nodes[DEPTH, 0] = 0
    nodes[SIZE, 0] = chain.new_size[0]
    copy_values(chain.new_counts[0], chain.counts[0])
    chain.evidence[0] = log_evidence(chain.counts[0], data.concentration)
    chain.log_posterior[0] = data.log_prior[0, 0] + chain.evidence[0]
    # children take higher slots than their parent here, so one pass meets every leaf
    for node in range(nodes.shape[1]):
        if nodes[RULE, node] != IS_LEAF or len(data.rule_feature) == 0:
            continue
        if draw_uniform(chain.random) >= sigma * (1.0 + nodes[DEPTH, node]) ** -phi:
            continue
        rule = draw_below(chain.random, len(data.rule_feature))
        left = find_free(nodes, 0)
        right = find_free(nodes, left) if left > 0 else -1
        if right > 0 and divide_leaf(data, chain, node, rule, left, right):
            before = chain.evidence[node]
            split_leaf(data, chain, node, rule, left, right)
            chain.evidence[node] = before
            chain.log_posterior[0] += split_gain(
                data, chain, node, chain.evidence[left], chain.evidence[right]
            )
    keep_best(chain, True)


@kernel(allocates=False, inner=True)
def keep_best(chain, first):
    if first or chain.log_posterior[0] > chain.log_posterior[1]:
        chain.log_posterior[1] = chain.log_posterior[0]
        copy_values(chain.nodes[LEFT], chain.best[0])
        copy_values(chain.nodes[RIGHT], chain.best[1])
        copy_values(chain.nodes[RULE], chain.best[2])


@kernel(allocates=False)
def run_chain(data, chain, n_steps):
    """Make `n_steps` moves; the tree stays where a move is rejected."""
    if len(data.rule_feature) == 0:
        return
    for _ in range(n_steps):
        move = draw_below(chain.random, 4)
        chain.tally[0, move] += 1
        if move == SPLIT:
            accepted = propose_split(data, chain)
        elif move == PRUNE:
            accepted = propose_prune(data, chain)
        elif move == CHANGE:
            accepted = propose_change(data, chain)
        else:
            accepted = propose_swap(data, chain)
        if accepted:
            chain.tally[1, move] += 1
            keep_best(chain, False)


# ---- many trees at once ----------------------------------------------------------------------------------


@kernel
def mean_probabilities(X, roots, shares, right, feature, threshold, probabilities):
    """Class probabilities of rows, averaged over trees.

    Parameters
    ----------
    X : float64 (n, p), C-contiguous
    roots : int64 (n_trees,), first node of each tree. Trees stand one after the other, each in preorder, so
        that a left child is the next node
    shares : float64 (n_trees,), weights of the trees, of sum 1
    right : int64 (n_nodes,), right children, counted over all trees. feature : int64, negative at leaves
    threshold : float64 (n_nodes,). probabilities : float64 (n_nodes, n_classes)

    Returns
    -------
    float64 (n, n_classes)
    """
    mean = np.zeros((len(X), probabilities.shape[1]))
    for row in range(len(X)):
        for tree in range(len(roots)):
            node = roots[tree]
            while feature[node] >= 0:
                node = node + 1 if X[row, feature[node]] <= threshold[node] else right[node]
            for i in range(mean.shape[1]):
                mean[row, i] += shares[tree] * probabilities[node, i]
    return mean
