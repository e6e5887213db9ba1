"""A tree written down for people and other programs: text, rules, SQL, Graphviz, SVG, JSON, scikit-learn."""

import numpy as np

from treelib.tree.formats.json import from_json, to_json
from treelib.tree.formats.sklearn import from_sklearn, to_sklearn
from treelib.tree.formats.svg import to_svg
from treelib.tree.labels import DEEPEST, Labels

__all__ = [
    "from_json",
    "from_sklearn",
    "to_dot",
    "to_json",
    "to_rules",
    "to_sklearn",
    "to_sql",
    "to_svg",
    "to_text",
]


def to_text(tree, max_depth=DEEPEST, **wording):
    """The tree as indented text, one line a node.

    Parameters
    ----------
    tree : Tree
    max_depth : int or None, default=100
        Levels of splits that are written; a split below them is a line that says how many leaves it has.
        None for all: the text then grows with leaves times depth.
    **wording : `digits`, `yes_no`, `missing`, see `treelib.tree.labels.Labels`

    Returns
    -------
    str

    Examples
    --------
    >>> from treelib import Tree, export
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> print(export.to_text(tree))
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


def to_rules(tree, **wording):
    """One sentence for each leaf, "if ... then ...", from left to right.

    All tests of a feature on the path are joined to one interval. With ``missing=True`` a missing value
    counts as larger than every threshold, unless the rule says "or missing" or "and not missing".

    Parameters
    ----------
    tree, **wording : as in `to_text`, and `max_depth`, by default None: the rules grow with leaves times
        features tested on the way, so a tree of thousands of levels needs it

    Returns
    -------
    list of str, one for each leaf, or split at `max_depth`

    Examples
    --------
    >>> from treelib import Tree, export
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> for rule in export.to_rules(tree):
    ...     print(rule)
    if priors <= 2.5 and age <= 20.5 then yes
    if priors <= 2.5 and age > 20.5 then no
    if priors > 2.5 then yes
    """
    labels = Labels(tree, **wording)
    tree = labels.tree
    rules = []
    stack = [(0, {})]  # node, feature -> [node of the lower bound, node of the upper bound, NaN passes]
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


def to_sql(tree, columns=None, indent="  "):
    """One SQL expression that predicts: nested CASE, exact thresholds, NULL for missing.

    Parameters
    ----------
    tree : Tree
    columns : sequence of n_features str, column names; default the feature names, else x0, x1, ...
    indent : str

    Returns
    -------
    str, an expression whose value is the class name (the class index where there are no names), or for
    regression the mean. Names are quoted as the SQL standard says.

    Examples
    --------
    >>> from treelib import Tree, export
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> print(export.to_sql(tree))
    CASE WHEN "priors" <= 2.5
      THEN CASE WHEN "age" <= 20.5
        THEN 'yes'
        ELSE 'no'
      END
      ELSE 'yes'
    END
    """
    columns = columns or tree.feature_names or [f"x{i}" for i in range(tree.n_features)]
    if len(columns) != tree.n_features:
        raise ValueError(f"columns has {len(columns)} entries; this tree needs {tree.n_features}.")
    if tree.is_regression:
        answers = [repr(float(v)) for v in tree.value[:, 0]]
    elif tree.class_names:
        answers = [_sql_quote(tree.class_names[code], "'") for code in tree.label]
    else:
        answers = [str(int(code)) for code in tree.label]
    lines = []
    stack = [(0, 0, "")]  # a node, or a text to write
    while stack:
        item, depth, before = stack.pop()
        pad = indent * min(depth, DEEPEST)  # or the text would grow with the square of the depth
        if isinstance(item, str):
            lines.append(pad + item)
        elif tree.is_leaf[item]:
            lines.append(f"{pad}{before}{answers[item]}")
        else:
            column = _sql_quote(columns[tree.feature[item]], '"')
            known = np.isinf(tree.threshold[item])
            test = f"{column} IS NOT NULL" if known else f"{column} <= {float(tree.threshold[item])!r}"
            if tree.missing_go_to_left[item]:
                test = f"{column} IS NULL OR {test}"
            lines.append(f"{pad}{before}CASE WHEN {test}")
            stack.append(("END", depth, ""))
            stack.append((int(tree.children_right[item]), depth + 1, "ELSE "))
            stack.append((int(tree.children_left[item]), depth + 1, "THEN "))
    return "\n".join(lines)


def to_dot(tree, **wording):
    """Graphviz source of the tree, leaves filled with the colour of their class.

    Parameters
    ----------
    tree, **wording : as in `to_text`, and `max_depth`, by default None

    Returns
    -------
    str

    Examples
    --------
    >>> from treelib import Tree, export
    >>> print(export.to_dot(Tree.from_nested((0, 2.5, 0, 1))))
    digraph tree {
      graph [bgcolor="transparent"]
      node [shape=box, style=rounded, fontname="Helvetica", fontsize=11]
      edge [fontname="Helvetica", fontsize=10, arrowhead=none]
      0 [label="x[0]"]
      0 -> 1 [label="≤ 2.5"]
      0 -> 2 [label="> 2.5"]
      1 [label="class 0", style="rounded,filled", fillcolor="#4b94d6", fontcolor="#1b1f24"]
      2 [label="class 1", style="rounded,filled", fillcolor="#e69f00", fontcolor="#1b1f24"]
    }
    """
    from treelib.tree.style import ink_on, leaf_color

    labels = Labels(tree, **wording)
    tree = labels.tree
    lines = [
        "digraph tree {",
        '  graph [bgcolor="transparent"]',
        '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11]',
        '  edge [fontname="Helvetica", fontsize=10, arrowhead=none]',
    ]
    for node in range(tree.n_nodes):
        if node in labels.hidden:
            lines.append(f"  {node} [label={_dot_quote(labels.leaf(node))}]")
        elif tree.is_leaf[node]:
            fill = leaf_color(tree, node)
            text = "\n".join([labels.answer(node), *labels.counts(node)])
            lines.append(
                f'  {node} [label={_dot_quote(text)}, style="rounded,filled", '
                f'fillcolor="{fill}", fontcolor="{ink_on(fill)}"]'
            )
        else:
            lines.append(f"  {node} [label={_dot_quote(labels.feature(tree.feature[node]))}]")
            children = int(tree.children_left[node]), int(tree.children_right[node])
            for child, words in zip(children, labels.edges(node), strict=True):
                lines.append(f"  {node} -> {child} [label={_dot_quote(words)}]")
    return "\n".join([*lines, "}"])


def _sql_quote(text, mark):
    return mark + text.replace(mark, mark + mark) + mark


def _dot_quote(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
