"""Trees cut back to few leaves: of all ways to make leaves of splits, the one of least cost."""

import numpy as np


def splits_within(left, right, leaf, max_leaves):
    """Which splits stay in the part of a tree that has at most `max_leaves` leaves and costs least.

    Dynamic program from the leaves up over (node, leaves allowed); of parts that cost the same, one with the
    fewest leaves. O(max_leaves x n_leaves) sums.

    Parameters
    ----------
    left, right : intp (n_nodes,), children of each node, which come after it; -1 for a leaf
    leaf : float64 (n_nodes,), cost of each node as a leaf, the leaf penalty included
    max_leaves : int, 1 or more

    Returns
    -------
    bool (n_nodes,), False below a split that is cut off
    """
    # cost[node][k]: with at most k + 1 leaves; sides[node][k]: those on either side of them, 0 of a leaf
    n_nodes = len(leaf)
    cost, sides = [None] * n_nodes, [None] * n_nodes
    for node in range(n_nodes - 1, -1, -1):
        if left[node] < 0:
            cost[node], sides[node] = np.array([leaf[node]]), np.zeros((1, 2), np.intp)
        else:
            cost[node], sides[node] = _best_sums(leaf[node], cost[left[node]], cost[right[node]], max_leaves)
    splits, allowed = np.zeros(n_nodes, bool), np.zeros(n_nodes, np.intp)
    allowed[0] = max_leaves
    for node in np.flatnonzero(np.asarray(left) >= 0):
        if allowed[node]:
            allowed[[left[node], right[node]]] = sides[node][min(allowed[node], len(cost[node])) - 1]
            splits[node] = allowed[left[node]] > 0
    return splits


def _best_sums(leaf, left, right, max_leaves):
    """Costs of a node by the leaves allowed, 1, 2, ...: as a leaf, or the best sum of both sides; and the
    leaves of these sides, intp (n, 2), 0 for a leaf."""
    n = min(max_leaves, len(left) + len(right))
    cost, first = np.full(n, float(leaf)), np.zeros(n, np.intp)
    is_left = len(left) <= len(right)
    short, long = (left, right) if is_left else (right, left)
    for i, value in enumerate(short[: n - 1]):
        here = slice(i + 1, min(n, i + 1 + len(long)))
        sums = value + long[: here.stop - here.start]
        better = sums < cost[here]
        cost[here] = np.where(better, sums, cost[here])
        first[here] = np.where(better, i + 1 if is_left else np.arange(1, len(sums) + 1), first[here])
    # more leaves that save nothing are not taken
    least = np.minimum.accumulate(cost)
    saves = np.append(True, cost[1:] < least[:-1])
    used = np.maximum.accumulate(np.where(saves, np.arange(n), 0))
    first = first[used]
    return least, np.stack([first, np.where(first > 0, used + 1 - first, 0)], axis=1)
