"""A tree as Graphviz source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treelib.tree.labels import Labels

if TYPE_CHECKING:
    from treelib.tree.nodes import TreeNodes


def to_dot(tree: TreeNodes | Any, **wording: Any) -> str:
    """Graphviz source of the tree, leaves filled with the colour of their class.

    Parameters
    ----------
    tree, **wording
        As in `to_text`, and `max_depth`, default None.

    Returns
    -------
    str
        The source.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> print(formats.to_dot(Tree.from_nested((0, 2.5, 0, 1))))
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
            lines.append(f"  {node} [label={_dot_quote(labels.question(tree.feature[node]))}]")
            children = int(tree.children_left[node]), int(tree.children_right[node])
            for child, words in zip(children, labels.edges(node), strict=True):
                lines.append(f"  {node} -> {child} [label={_dot_quote(words)}]")
    return "\n".join([*lines, "}"])


def _dot_quote(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
