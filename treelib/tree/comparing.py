"""Trees as functions on the whole feature space: exact comparison and simplification.

Both walk a tree with a box that shrinks at every split. A box gives, for each feature tested so far, the
float64 values ``(lower, upper]`` that remain and whether NaN remains. -inf counts as a value below every
threshold and +inf as the largest value, so an interval is empty iff ``lower >= upper``; it always holds
`upper` otherwise.
"""

import numpy as np

ANY_VALUE = (-np.inf, np.inf, True)
ANY_KNOWN_VALUE = (-np.inf, np.inf, False)


def halves(tree, node, box, whole=ANY_VALUE):
    """Parts of `box` that go left and right at an inner node; None for a part without points.

    Parameters
    ----------
    tree : Tree
    node : int
    box : dict feature -> (lower, upper, nan); absent features are `whole`
    whole : (lower, upper, nan) of a feature without tests

    Returns
    -------
    left, right : dict or None
    """
    feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
    nan_left = bool(tree.missing_go_to_left[node])
    lower, upper, nan = box.get(feature, whole)
    parts = (
        (lower, min(upper, threshold), nan and nan_left),
        (max(lower, threshold), upper, nan and not nan_left),
    )
    return tuple({**box, feature: part} if part[0] < part[1] or part[2] else None for part in parts)


def point_in(box, n_features):
    """A point of `box`: simple numbers where there is a choice, NaN only where nothing else remains."""
    point = np.zeros(n_features)
    for feature, (lower, upper, _) in box.items():
        if not lower < upper:
            point[feature] = np.nan
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                wishes = (0.0, np.floor(lower) + 1.0, lower / 2 + upper / 2, np.nextafter(lower, np.inf))
            point[feature] = next(x for x in wishes if lower < x <= upper)
    return point


def difference(tree, other, missing=True):
    """A point where `tree` and `other` predict differently, or None; see `Tree.difference`.

    Every leaf box of `tree` is walked through `other`: at most n_leaves x n_leaves pairs of leaves that
    overlap, each at the cost of one path. The trees take steps in turn, so that two that are nearly equal
    part into pairs of small subtrees early: their number of nodes is then the cost.
    """
    if tree.n_features != other.n_features or tree.is_regression != other.is_regression:
        raise ValueError(
            f"Only trees of one task on the same features can be compared, not {tree!r} and {other!r}."
        )
    answers = [t.value[:, 0].tolist() if t.is_regression else t.label.tolist() for t in (tree, other)]
    inner = [(~t.is_leaf).tolist() for t in (tree, other)]
    takes_missing = missing and not tree.refuses_missing and not other.refuses_missing
    whole = ANY_VALUE if takes_missing else ANY_KNOWN_VALUE
    stack = [(0, 0, {}, True)]
    while stack:
        a, b, box, is_first = stack.pop()
        if inner[0][a] or inner[1][b]:
            is_first = inner[0][a] if is_first else not inner[1][b]  # a leaf leaves its turn to the other
            walked, node = (tree, a) if is_first else (other, b)
            children = (node + 1, int(walked.children_right[node]))
            for child, part in zip(children, halves(walked, node, box, whole), strict=True):
                if part is not None:
                    stack.append((child, b, part, False) if is_first else (a, child, part, True))
        elif answers[0][a] != answers[1][b]:
            return point_in(box, tree.n_features)
    return None


def simplified(tree):
    """`tree` without splits that decide nothing; see `Tree.simplified`."""
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    instead = list(range(tree.n_nodes))  # the node that stands where this one stood
    whole = ANY_KNOWN_VALUE if tree.refuses_missing else ANY_VALUE
    stack = [(0, {})]
    while stack:
        node, box = stack.pop()
        if left[node] < 0:
            continue
        parts = halves(tree, node, box, whole)
        siblings = (left[node], right[node])
        for child, sibling, part in zip(siblings, siblings[::-1], parts, strict=True):
            if part is None:
                instead[node] = sibling
            else:
                stack.append((child, part))

    label, value = tree.label.copy(), tree.value.copy()
    answers = value[:, 0] if tree.is_regression else label  # a view: it follows the merges below
    for node in range(tree.n_nodes - 1, -1, -1):  # children first
        if left[node] < 0:
            continue
        if instead[node] != node:
            instead[node] = instead[instead[node]]
            continue
        a, b = left[node], right[node] = instead[left[node]], instead[right[node]]
        if left[a] < 0 and left[b] < 0 and answers[a] == answers[b]:
            left[node] = right[node] = -1
            answers[node] = answers[a]
    return tree.rewired(left, right, root=instead[0], label=label, value=value)
