"""A tree as an SQL expression that predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treelib.tree.labels import DEEPEST

if TYPE_CHECKING:
    from treelib.tree.stored import Tree


def to_sql(tree: Tree, columns: Sequence[str] | None = None, indent: str = "  ") -> str:
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
    >>> from treelib.tree import Tree, formats
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, "yes", "no"), "yes"),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> print(formats.to_sql(tree))
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
    stack: list[tuple[int | str, int, str]] = [(0, 0, "")]  # a node, or a text to write
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


def _sql_quote(text, mark):
    return mark + text.replace(mark, mark + mark) + mark
