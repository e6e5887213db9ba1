"""A tree as SQL over the columns of the file it was learnt from, not over the encoded ones."""

import re

from treelib.tree.formats.sql import quote


def of_columns(names, is_bool, encoder):
    """SQL expressions of the encoded columns, in their order.

    Parameters
    ----------
    names : sequence of str, columns of the file
    is_bool : sequence of bool, those that hold truth values
    encoder : fitted TableEncoder, or None where no column holds categories

    Returns
    -------
    list of str. A category is 1 where the column has it and else 0, also where it is NULL.
    """
    quoted = [quote(name, '"') for name in names]
    numeric = range(len(quoted)) if encoder is None else encoder.numeric_
    found = [_one_if(quoted[i]) if is_bool[i] else quoted[i] for i in numeric]
    for i, categories in ({} if encoder is None else encoder.categories_).items():
        found += [_one_if(f"{quoted[i]} = {_literal(category)}") for category in categories]
        if encoder.has_missing_[i]:
            found.append(_one_if(f"{quoted[i]} IS NULL"))
    return found


def of_tree(tree, expressions):
    """The tree as one expression, each feature replaced by its own."""
    # a name that no text of the tree can hold stands for each feature until the expression is put in
    text = tree.to_sql(columns=[f"\0{i}\0" for i in range(tree.n_features)])
    return re.sub('"\0(\\d+)\0"', lambda match: expressions[int(match[1])], text)


def _literal(category):
    return quote(category, "'") if isinstance(category, (str, bool)) else repr(category)


def _one_if(condition):
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"
