"""A tree as an SQL expression that predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treelib.tree.labels import DEEPEST

if TYPE_CHECKING:
    from treelib.tree.nodes import TreeNodes


def to_sql(tree: TreeNodes | Any, columns: Sequence[str] | None = None, indent: str = "  ") -> str:
    """The predictions as one SQL expression: nested CASE, exact thresholds, NULL for missing.

    If the tree refuses missing values, the expression is NULL for a row with a missing value in any column.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one tree. For an estimator the expression reads the columns of its
        table: a category is ``"colour" IN ('red')``.
    columns : sequence of str or None
        Column names: one per feature of a Tree, by default its feature names or x0, x1, ...; for an estimator
        one per column of its table, by default their names.
    indent : str
        Indentation of one level.

    Returns
    -------
    str
        An expression whose value is the class name (the class index if there are no names), or for regression
        the mean. Names are quoted according to the SQL standard.

    Raises
    ------
    TypeError
        If the model has no ``tree_``, like forests.
    ValueError
        If `columns` does not match the tree, or the model predicts with several trees, like the mean of
        Bayesian trees.

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
    categories = {}
    if not hasattr(tree, "children_left"):
        tree, columns, categories = _of_estimator(tree, columns)
    columns = columns or tree.feature_names or [f"x{i}" for i in range(tree.n_features)]
    if len(columns) != tree.n_features:
        raise ValueError(f"columns has {len(columns)} entries; this tree needs {tree.n_features}.")
    return expression(tree, columns, categories, indent)


def expression(tree, columns, categories, indent="  "):
    """The expression of `to_sql`; `categories` says for 0/1 features, split at 1/2, when they are 1."""
    if tree.is_regression:
        answers = [repr(float(v)) for v in tree.value[:, 0]]
    elif tree.class_names:
        answers = [quote(tree.class_names[code], "'") for code in tree.label]
    else:
        answers = [str(int(code)) for code in tree.label]
    lines = []
    stack: list[tuple[int | str, int, str]] = [(0, 0, "")]  # a node, or a text to write
    if tree.refuses_missing and len(columns):
        unknown = " OR ".join(quote(column, '"') + " IS NULL" for column in columns)
        lines = [f"CASE WHEN {unknown}", f"{indent}THEN NULL"]
        stack = [("END", 0, ""), (0, 1, "ELSE ")]
    while stack:
        item, depth, before = stack.pop()
        pad = indent * min(depth, DEEPEST)  # or the text would grow with the square of the depth
        if isinstance(item, str):
            lines.append(pad + item)
        elif tree.is_leaf[item]:
            lines.append(f"{pad}{before}{answers[item]}")
        elif int(tree.feature[item]) in categories:  # 0 or 1, and split at 1/2
            lines.append(f"{pad}{before}CASE WHEN {categories[int(tree.feature[item])]}")
            stack.append(("END", depth, ""))
            stack.append((int(tree.children_left[item]), depth + 1, "ELSE "))
            stack.append((int(tree.children_right[item]), depth + 1, "THEN "))
        else:
            column = quote(columns[tree.feature[item]], '"')
            known = np.isinf(tree.threshold[item])
            test = f"{column} IS NOT NULL" if known else f"{column} <= {float(tree.threshold[item])!r}"
            if tree.missing_go_to_left[item]:
                test = f"{column} IS NULL OR {test}"
            lines.append(f"{pad}{before}CASE WHEN {test}")
            stack.append(("END", depth, ""))
            stack.append((int(tree.children_right[item]), depth + 1, "ELSE "))
            stack.append((int(tree.children_left[item]), depth + 1, "THEN "))
    return "\n".join(lines)


def _of_estimator(model, columns):
    """(tree of a fitted estimator, names of its features, {feature of categories: when it is 1})."""
    tree, encoder = getattr(model, "tree_", None), getattr(model, "encoder_", None)
    if tree is None:
        raise TypeError(f"A {type(model).__name__} has no tree_; give a Tree, or a fitted estimator of one.")
    if len(getattr(model, "_exported", lambda: ((),))()[0]) > 1:
        raise ValueError(
            f"A {type(model).__name__} that predicts with several trees has no SQL; give model.tree_, "
            "one of them, or fit a model of one tree (for Bayesian trees prediction='best'). C, JavaScript "
            "and ONNX export all trees."
        )
    names = columns or getattr(model, "feature_names_in_", [f"x{i}" for i in range(model.n_features_in_)])
    if len(names) != model.n_features_in_:
        raise ValueError(f"columns has {len(names)} entries; this estimator needs {model.n_features_in_}.")
    names = [str(name) for name in names]
    if encoder is None:
        return tree, names, {}
    tests = [(column, None, False) for column in encoder.numeric_]
    if getattr(encoder, "sets_", None) is not None:
        tests += [(column, *encoder.members(column, codes)) for column, codes in encoder.sets_]
    else:
        for column, categories in encoder.categories_.items():
            tests += [(column, [category], False) for category in categories]
            tests += [(column, [], True)] * encoder.has_missing_[column]
    conditions = {
        feature: _member(quote(names[column], '"'), members, missing)
        for feature, (column, members, missing) in enumerate(tests)
        if members is not None
    }
    if any(tree.threshold[i] != 0.5 for i in range(tree.n_nodes) if int(tree.feature[i]) in conditions):
        raise ValueError("A split on a category is not at 0.5; use tree_.to_sql(), over the encoded columns.")
    return tree, [names[column] for column, *_ in tests], conditions


def _member(column, categories, missing):
    """The condition that a column holds one of some categories, or none where `missing` is one of them."""
    texts = [
        quote(category, "'") if isinstance(category, str) else str(category).upper()
        for category in categories
    ]
    parts = [f"{column} IN ({', '.join(texts)})"] if texts else []
    return " OR ".join(parts + [f"{column} IS NULL"] * missing)


def quote(text, mark):
    """`text` in quotation marks, those inside doubled."""
    return mark + str(text).replace(mark, mark + mark) + mark
