"""A tree as indented text, and as one sentence for each leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treelib.tree.labels import DEEPEST, Labels

if TYPE_CHECKING:
    from treelib.tree.nodes import TreeNodes


def to_text(tree: TreeNodes | Any, max_depth: int | None = DEEPEST, **wording: Any) -> str:
    """The tree as indented text, one line per node.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one.
    max_depth : int or None, default=100
        Levels of splits to write; a deeper split becomes a line with its number of leaves. None: all; the
        text then grows with leaves times depth.
    **wording
        `digits`, `yes_no`, `missing`; see `treelib.tree.labels.Labels`.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> print(formats.to_text(tree))
    Decision tree with 3 leaves, depth 2
    ├─ priors <= 2.5
    │  ├─ age <= 20.5: yes
    │  └─ age > 20.5: no
    └─ priors > 2.5: yes
    """
    labels = Labels(tree, max_depth=max_depth, **wording)
    tree = labels.tree
    if labels.whole.n_nodes == 1:
        return labels.leaf(0)
    lines = [labels.summary()]
    if tree.n_nodes == 1:
        return f"{lines[0]}\n{labels.leaf(0)}"
    stack = [(0, "", "", "")]  # node, words of its edge, indent of its line and of the lines below it
    while stack:
        node, phrase, first, rest = stack.pop()
        if node:
            lines.append(f"{first}{phrase}: {labels.leaf(node)}" if tree.is_leaf[node] else first + phrase)
        if not tree.is_leaf[node]:
            feature, nan_left = int(tree.feature[node]), bool(tree.missing_go_to_left[node])
            no = labels.condition(feature, None, node, nan_left or None)
            yes = labels.condition(feature, node, None, False if nan_left else None)
            stack.append((int(tree.children_right[node]), yes, rest + "└─ ", rest + "   "))
            stack.append((int(tree.children_left[node]), no, rest + "├─ ", rest + "│  "))
    return "\n".join(lines)


def to_rules(tree: TreeNodes | Any, **wording: Any) -> list[str]:
    """One rule for each leaf, "if ... then ...", from left to right.

    All conditions on a feature along the path are merged into one interval. A missing value counts as larger
    than every threshold, unless the rule says "or missing" or "and not missing"; features without missing
    values in training (`Tree.features_with_missing`) are exempt from this wording.

    Parameters
    ----------
    tree, **wording
        As in `to_text`, and `max_depth`, default None. The rules grow with leaves times features on the path,
        so set it for trees with thousands of levels.

    Returns
    -------
    list of str
        One for each leaf, or each split below `max_depth`.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> for rule in formats.to_rules(tree):
    ...     print(rule)
    if priors <= 2.5 and age <= 20.5 then yes
    if priors <= 2.5 and age > 20.5 then no
    if priors > 2.5 then yes
    """
    labels = Labels(tree, **wording)
    tree = labels.tree
    rules = []
    stack: list[tuple[int, dict[int, Any]]] = [
        (0, {})
    ]  # node, feature -> [node of the lower bound, node of the upper bound, NaN passes]
    while stack:
        node, bounds = stack.pop()
        if tree.is_leaf[node]:
            phrases = [labels.condition(feature, *bound) for feature, bound in bounds.items()]
            start = f"if {' and '.join(phrases)} then " if phrases else "always "
            rules.append(start + labels.leaf(node))
            continue
        feature, nan_left = int(tree.feature[node]), bool(tree.missing_go_to_left[node])
        lower, upper, nan = bounds.get(feature, (None, None, None))
        t = tree.threshold
        low = node if lower is None or t[node] > t[lower] else lower
        up = node if upper is None or t[node] < t[upper] else upper
        passes = nan is not False
        stack.append(
            (int(tree.children_right[node]), {**bounds, feature: (low, upper, passes and not nan_left)})
        )
        stack.append((int(tree.children_left[node]), {**bounds, feature: (lower, up, passes and nan_left)}))
    return rules
