"""A tree that `treelib fit` stored, in another format; and as SQL over the columns of its file."""

import json
import re
from pathlib import Path

import numpy as np

from treelib.tree import Tree, formats
from treelib.tree.formats.sql import quote

TABLE = ".table.json"  # ending of the file beside the tree
WORDED = ("rules", "text", "dot", "svg")


def exported(path, to):
    """The tree in a file, in the format `to` of `treelib.tree.formats`: str, or bytes of ONNX.

    Where ``<name>.table.json`` stands beside the tree, the texts name missing values and ask columns of 0 and
    1, and SQL reads the columns of the file that the tree was learnt from.

    Raises
    ------
    ValueError
        The file cannot be read, holds no tree, or a package is not there that the format needs.
    """
    path = Path(path)
    tree = read_tree(path)
    about = _beside(path, tree)
    if to == "sql" and about:
        return of_tree(tree, about["sql"])
    options = {}
    if to in WORDED and about:
        options = {"yes_no": np.array(about["yes_no"]), "missing": about["has_missing"]}
    try:
        made = getattr(formats, f"to_{to}")(tree, **options)
    except ImportError as error:
        raise ValueError(str(error)) from None
    if to == "onnx":
        return made.SerializeToString()
    return "\n".join(made) if to == "rules" else made


def read_tree(path):
    """The tree in a file that `treelib fit` wrote; ValueError where it is none."""
    try:
        return Tree.from_json(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is no tree that `treelib fit` wrote. {error}") from None


def _beside(path, tree):
    """What `treelib fit` wrote on the columns of a tree; empty where it wrote nothing that fits."""
    try:
        about = json.loads(path.with_suffix(TABLE).read_bytes())
        fits = len(about["sql"]) == len(about["yes_no"]) == tree.n_features
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return about if fits and isinstance(about.get("has_missing"), bool) else {}


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
