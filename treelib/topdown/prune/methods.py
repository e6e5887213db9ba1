"""Pruning: from a grown tree to a smaller one, ``Tree -> Tree``.

Every method here decides from counts alone which inner nodes become leaves; a node that becomes a leaf keeps
the label it holds. Counts come from the tree (`Tree.value`, the training data) or, for reduced error, from
data held out.

Two methods have one parameter under which the trees are nested: cost-complexity pruning and critical value
pruning. Their `PruningPath` holds all trees at once, with the exact values of the parameter at which the tree
changes, and the error of all of them on new data in one pass.

Sources: minimal cost-complexity, Breiman, Friedman, Olshen and Stone (1984), Classification and Regression
Trees, chapter 10; reduced error and pessimistic error, Quinlan (1987), Simplifying decision trees; critical
value, Mingers (1987), Expert systems: rule induction with statistical data; bottom-up pessimistic, Mansour
(1997), Pessimistic decision tree pruning based on tree size.
"""

from fractions import Fraction
from heapq import heappop, heappush
from math import inf, log, sqrt

import numpy as np

from treelib.search.budget import asking, go_on
from treelib.table.checks import exact
from treelib.topdown.prune.at_one_price import LEAF, SPLIT, Below, close_nodes, keep_nodes
from treelib.topdown.prune.sequence import (
    PruningPath,
    check_classes,
    node_counts,
    path_of,
    saved_squares,
    total_counts,
    wrong_counts,
)

__all__ = [
    "PruningPath",
    "cost_complexity_path",
    "critical_value_path",
    "information_gain",
    "prune_bottom_up_pessimistic",
    "prune_cost_complexity",
    "prune_critical_value",
    "prune_reduced_error",
    "prune_top_down_pessimistic",
    "wrong_counts",
]

_ROUNDING = 2.0**-52
_EXACT = 2.0**53  # whole numbers up to it are sums without rounding


# ---- minimal cost-complexity ---------------------------------------------------------------------------


def cost_complexity_path(tree, node_cost=None, check=go_on):
    """All trees of minimal cost-complexity pruning, with exact breakpoints.

    The tree at a complexity parameter ``a`` minimises ``cost + a * n_leaves`` among all prunings of `tree`;
    of several minimisers it is the smallest one, which is a pruning of all others. At 0 that is the smallest
    tree that costs no more than `tree`.

    Parameters
    ----------
    tree : Tree
        A tree with counts.
    node_cost : float (n_nodes,) or None
        Non-negative cost of each node as a leaf. None: the share of the training weight that it misclassifies
        (regression: the mean squared error that its subtree saves).
    check : callable such as `treelib.search.budget.Budget.check`
        Called every few milliseconds; it may raise to abort.

    Returns
    -------
    PruningPath
        All trees, with breakpoints in units of cost per leaf.

    Notes
    -----
    Breiman et al. repeatedly delete the weakest link. Here each node is visited once, children first: its
    subtree's history is a heap of (breakpoint, leaves lost); the histories of the children are merged, the
    smaller into the larger, and entries above the penalty at which the node itself becomes a leaf are undone.
    This takes O(n log^2 n) steps even for trees that are chains: about 25 microseconds per leaf. Breakpoints
    are computed from the stored costs as rational numbers, so ties are exact. For a single tree of the path
    `prune_cost_complexity` is a hundred times faster.

    Departure from the paper: Section 4 adds the penalty of the leaves twice in the cost of a branch (see the
    errata); we use its objective, ``R(T, D) = L(T, D) + a n_leaves``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import cost_complexity_path
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> path = cost_complexity_path(tree)
    >>> [(str(point), int(n)) for point, n in zip(path.breakpoints, path.n_leaves)]
    [('0', 6), ('1/150', 4), ('1/75', 3), ('23/75', 2), ('1/3', 1)]
    """
    costs, total = _costs(tree, node_cost)
    shares = [Fraction(cost) / total for cost in asking(costs.tolist(), check)]
    start, events = _weakest_links(tree, shares, check)
    breakpoints = (Fraction(0), *_sorted(events.values(), check))
    check()
    index = {price: k for k, price in enumerate(breakpoints)}
    first = np.full(tree.n_nodes, len(breakpoints), dtype=np.intp)
    first[tree.is_leaf] = 0
    first[start] = 0
    for node, price in events.items():
        first[node] = index[price]
    return path_of(tree, breakpoints, first, check)


def _sorted(prices, check):
    """Distinct Fractions, ascending."""
    by_float = {}  # rounding is monotone
    for price in asking(prices, check):
        by_float.setdefault(float(price), set()).add(price)
    return [price for key in sorted(by_float) for price in sorted(by_float[key])]


def prune_cost_complexity(tree, complexity, node_cost=None):
    """Tree of minimal cost-complexity pruning at one parameter; see `cost_complexity_path`.

    Parameters
    ----------
    complexity : int, float or Fraction
        Leaf penalty in units of the cost: by default the share of the samples that a leaf must save.
    tree, node_cost
        As in `cost_complexity_path`.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import prune_cost_complexity
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> tree.n_leaves, prune_cost_complexity(tree, 0.02).n_leaves
    (6, 3)
    """
    is_split, kept = pruned_nodes(tree, complexity, node_cost)
    return tree.pruned(np.flatnonzero(kept & ~is_split & ~tree.is_leaf))


def pruned_nodes(tree, complexity, node_cost=None):
    """Nodes of the tree of `prune_cost_complexity`: two bool (n_nodes,), whether each is split there or would
    be if its ancestors were, and whether it is a node of it at all.

    A few hundredths of a microsecond a node: sums are doubles, and exact where these leave a node in doubt.
    """
    if not complexity >= 0:
        raise ValueError(f"complexity={complexity!r} must be at least 0.")
    costs, total = _costs(tree, node_cost)
    state, kept = np.zeros(tree.n_nodes, dtype=np.uint8), np.empty(tree.n_nodes, dtype=np.bool_)
    left, right = tree.children_left, tree.children_right
    if complexity == inf:
        state[:] = LEAF
    else:
        below, n_leaves = np.empty(tree.n_nodes), np.empty(tree.n_nodes, dtype=np.intp)
        price, floats = exact(complexity) * total, costs.astype(np.float64)
        is_whole = (costs == floats).all() and (floats % 1 == 0).all() and floats.sum() < _EXACT
        tables = left, right, floats, float(price), 0.0 if is_whole and price == 0 else _ROUNDING
        best = Below(below, n_leaves, state)
        node = close_nodes(*tables, tree.n_nodes - 1, best)
        while node >= 0:
            children = [left[node], right[node]]
            parts = below[children] if is_whole else costs[_leaves_below(tree, node, state)]
            saved = sum(map(Fraction, costs[[node]].tolist())) - sum(map(Fraction, parts.tolist()))
            state[node] = LEAF if saved <= price * (int(n_leaves[children].sum()) - 1) else SPLIT
            node = close_nodes(*tables, node, best)
    keep_nodes(left, right, state, kept)
    return state == SPLIT, kept


def _leaves_below(tree, node, state):
    """Leaves below `node` in the tree that `state` says."""
    found, stack = [], [tree.children_left[node], tree.children_right[node]]
    while stack:
        at = stack.pop()
        if state[at] == LEAF:
            found.append(at)
        else:
            stack += (tree.children_left[at], tree.children_right[at])
    return found


def _costs(tree, node_cost):
    """Costs of the nodes, (n_nodes,) of floats, ints or Fractions, and the Fraction they are shares of."""
    if node_cost is None:
        if tree.is_regression:
            wrong, total = saved_squares(tree), int(tree.n_node_samples[0])
        else:
            wrong, total = wrong_counts(tree), total_counts(tree)[0]
        if not total > 0:
            raise ValueError("The tree holds no counts; see `Tree.recount`, or give node_cost.")
        return np.asarray(wrong, dtype=np.float64), Fraction(total)
    node_cost = np.asarray(node_cost)
    if node_cost.shape != (tree.n_nodes,):
        raise ValueError(f"node_cost has shape {node_cost.shape}; give one for each of {tree.n_nodes} nodes.")
    if not (np.isfinite(node_cost.astype(np.float64)) & (node_cost >= 0)).all():
        raise ValueError("node_cost must be finite and not negative.")
    return node_cost, Fraction(1)


def _weakest_links(tree, cost, check):
    """Nodes that are leaves at price 0 though they were split, and the price at which others become leaves.

    Only nodes that become leaves before their ancestors have a price. A heap entry is
    ``(-float(price), -price, node, leaves lost)``: rounding is monotone, so the float decides most
    comparisons and the exact number the rest.
    """
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    below = {}  # node -> history, cost and leaves of its subtree at a price above its history
    start = []
    for node in asking(range(tree.n_nodes - 1, -1, -1), check):
        if left[node] < 0:
            below[node] = [], cost[node]
            continue
        history, cost_below = _joined(below.pop(left[node]), below.pop(right[node]))
        n_leaves = 2
        while True:
            price = (cost[node] - cost_below) / (n_leaves - 1)
            if not history or price >= -history[0][1]:
                break
            _, later, _, lost = heappop(history)
            cost_below += later * lost  # minus the price, times leaves
            n_leaves += lost
        if price <= 0:
            start.append(node)
        else:
            heappush(history, (-float(price), -price, node, n_leaves - 1))
        below[node] = history, cost[node]
    return start, {node: -price for _, price, node, _ in below[0][0]}


def _joined(one, other):
    """Histories of two siblings in one heap, and the sum of their costs as leaves."""
    history, shorter = (one[0], other[0]) if len(one[0]) >= len(other[0]) else (other[0], one[0])
    for entry in shorter:
        heappush(history, entry)
    return history, one[1] + other[1]


# ---- reduced error ---------------------------------------------------------------------------------------


def prune_reduced_error(tree, X, y_codes, sample_weight=None):
    """The smallest pruning with the fewest errors on held-out data (Quinlan's reduced error pruning).

    From the bottom up, a node becomes a leaf if that makes no more errors than its pruned subtree. A subtree
    that no sample reaches becomes a leaf.

    Parameters
    ----------
    tree : Tree
        A tree with the labels of the training data.
    X, y_codes, sample_weight
        As in `treelib.Tree.recount`; the held-out data.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import prune_reduced_error
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> tree.n_leaves, prune_reduced_error(tree, X[1::2], y[1::2]).n_leaves
    (6, 4)
    """
    check_classes(tree)
    return cost_complexity_path(tree, wrong_counts(tree.recount(X, y_codes, sample_weight)))[0]


# ---- pessimistic -----------------------------------------------------------------------------------------


def prune_top_down_pessimistic(tree, n_standard_errors=1.0, correction=0.5):
    """Pessimistic error pruning (Quinlan 1987), from the root down.

    With ``e(t)`` the training errors of node ``t`` as a leaf, and ``E`` those of the leaves below it, each
    increased by `correction`, a node of weight ``n`` becomes a leaf if ``e(t) + correction <= E + k SE``,
    where ``SE = sqrt(E (n - E) / n)``. The nodes below are then not considered.

    Parameters
    ----------
    tree : Tree
        A tree with counts.
    n_standard_errors : float
        ``k``, at least 0; 0 compares the corrected errors alone.
    correction : float
        The continuity correction of a leaf, at least 0; Quinlan takes one half.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import prune_top_down_pessimistic
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> tree.n_leaves, prune_top_down_pessimistic(tree).n_leaves
    (6, 3)
    """
    _check_not_negative(n_standard_errors=n_standard_errors, correction=correction)
    wrong, total = node_counts(tree)
    below, n_leaves = np.where(tree.is_leaf, wrong, 0.0), tree.is_leaf.astype(float)
    for node in range(tree.n_nodes - 1, 0, -1):
        below[tree.parent[node]] += below[node]
        n_leaves[tree.parent[node]] += n_leaves[node]
    expected = below + correction * n_leaves
    # of few rows in many leaves more are expected to be wrong than there are
    variance = np.divide(
        expected * np.maximum(total - expected, 0), total, out=np.zeros_like(total), where=total > 0
    )
    prune = wrong + correction <= expected + n_standard_errors * np.sqrt(variance)
    # `rewired` follows children from the root, so what lies below a pruned node is dropped
    return tree.pruned(np.flatnonzero(prune & ~tree.is_leaf))


def prune_bottom_up_pessimistic(tree, c1=1.0, c2=0.0, n_attributes=None):
    """Pessimistic pruning by tree size (Mansour 1997; Section 4 of the paper), from the bottom up.

    A node ``h`` becomes a leaf if ``e_l <= e_h + c1 sqrt((t_h log a + c2) / n_h)``: ``e_l`` and ``e_h`` are
    the error rates of ``h`` as a leaf and of its subtree, as it is after pruning below; ``t_h`` the leaves of
    that subtree; ``n_h`` the training weight at ``h``; ``a`` the number of attributes.

    Parameters
    ----------
    tree : Tree
        A tree with counts.
    c1, c2 : float
        Constants of the rule, at least 0.
    n_attributes : int
        At least 1; default the number of features of the tree.

    Returns
    -------
    Tree
        The pruned tree.

    Notes
    -----
    The paper says "size"; this counts leaves, as its Theorem 4.1 does.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import prune_bottom_up_pessimistic
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> tree.n_leaves, prune_bottom_up_pessimistic(tree, c1=0.1).n_leaves
    (6, 4)
    """
    _check_not_negative(c1=c1, c2=c2)
    n_attributes = tree.n_features if n_attributes is None else n_attributes
    if n_attributes < 1:
        raise ValueError(f"n_attributes={n_attributes} must be at least 1.")
    wrong, total = (counts.tolist() for counts in node_counts(tree))
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    below, n_leaves, prune = list(wrong), [1] * tree.n_nodes, []
    for node in range(tree.n_nodes - 1, -1, -1):
        if left[node] < 0:
            continue
        errors = below[left[node]] + below[right[node]]
        leaves = n_leaves[left[node]] + n_leaves[right[node]]
        # times n_h, so that whole numbers are compared where c1 is 0
        if wrong[node] <= errors + c1 * sqrt((leaves * log(n_attributes) + c2) * total[node]):
            prune.append(node)
        else:
            below[node], n_leaves[node] = errors, leaves
    return tree.pruned(prune)


# ---- critical value --------------------------------------------------------------------------------------


def critical_value_path(tree, split_value=None):
    """All trees of critical value pruning (Mingers 1987).

    A node becomes a leaf unless the value of its split, or of one below it, exceeds the critical value.

    Parameters
    ----------
    tree : Tree
        A tree with counts.
    split_value : float (n_nodes,)
        Value of the split at each node by the criterion that grew the tree; values at leaves are ignored.
        Default: the information gain in bits.

    Returns
    -------
    PruningPath
        All trees, with critical values as breakpoints; splits with value 0 or less are always pruned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import critical_value_path
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> critical_value_path(tree).n_leaves
    array([6, 5, 2, 1])
    """
    value = information_gain(tree) if split_value is None else np.asarray(split_value, dtype=np.float64)
    if value.shape != (tree.n_nodes,):
        raise ValueError(f"split_value has shape {value.shape}; give one for each of {tree.n_nodes} nodes.")
    best = np.where(tree.is_leaf, 0.0, np.maximum(value, 0.0))
    if not np.isfinite(best).all():
        raise ValueError("split_value must be finite at inner nodes.")
    for node in range(tree.n_nodes - 1, 0, -1):
        best[tree.parent[node]] = max(best[tree.parent[node]], best[node])
    values = np.unique(np.append(best, 0.0))
    return path_of(tree, tuple(map(Fraction, values.tolist())), np.searchsorted(values, best).astype(np.intp))


def prune_critical_value(tree, critical_value, split_value=None):
    """Tree of critical value pruning at one value; see `critical_value_path`.

    Parameters
    ----------
    critical_value : float
        A split is kept if its value exceeds this.
    tree, split_value
        As in `critical_value_path`.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.prune.methods import prune_critical_value
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> tree.n_leaves, prune_critical_value(tree, 0.5).n_leaves
    (6, 5)
    """
    return critical_value_path(tree, split_value).at(critical_value)


def information_gain(tree):
    """Entropy decrease of each split, in bits per unit of weight at the node; 0 at leaves.

    Parameters
    ----------
    tree : Tree
        A tree with counts.

    Returns
    -------
    float64 (n_nodes,)
        One value per node.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.topdown.prune.methods import information_gain
    >>> information_gain(Tree.from_nested((0, 2.5, [10, 0], [0, 10])))
    array([1., 0., 0.])
    """
    _, total = node_counts(tree)
    share = np.divide(tree.value, total[:, None], out=np.zeros_like(tree.value), where=total[:, None] > 0)
    entropy = -(share * np.log2(share, out=np.zeros_like(share), where=share > 0)).sum(axis=1) * total
    inner = np.flatnonzero(~tree.is_leaf)
    gain = np.zeros(tree.n_nodes)
    gain[inner] = entropy[inner] - entropy[tree.children_left[inner]] - entropy[tree.children_right[inner]]
    return np.divide(gain, total, out=np.zeros_like(gain), where=total > 0)


def _check_not_negative(**numbers):
    for name, number in numbers.items():
        if not number >= 0:
            raise ValueError(f"{name}={number!r} must be at least 0.")
