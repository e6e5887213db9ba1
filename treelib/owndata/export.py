"""A tree that `treelib fit` stored, in another format; and as SQL over the columns of its file."""

import json
import re
from pathlib import Path

import numpy as np

from treelib.owndata.columns.rules import RULES
from treelib.tree import Tree, formats
from treelib.tree.formats import sql
from treelib.tree.formats.sql import quote

TABLE = ".table.json"  # ending of the file beside the tree
WORDED = ("rules", "text", "dot", "svg")
# part of a date -> its number in SQL, as `treelib.owndata.columns.preparing` makes it
PARTS = {
    "year": "EXTRACT(YEAR FROM {0})",
    "month": "EXTRACT(MONTH FROM {0})",
    "weekday": "EXTRACT(ISODOW FROM {0})",
    "day": "EXTRACT(EPOCH FROM {0}) / 86400.0",
    "hour": "(EXTRACT(HOUR FROM {0}) + EXTRACT(MINUTE FROM {0}) / 60.0)",
}


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
    if to == "javascript" and about:
        options = {"explain": True, "yes_no": np.array(about["yes_no"])}
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
        raise ValueError(f"{str(path)!r} is not a tree written by `treelib fit`. {error}") from None


def _beside(path, tree):
    """What `treelib fit` wrote on the columns of a tree; empty where it wrote nothing that fits."""
    try:
        about = json.loads(path.with_suffix(TABLE).read_bytes())
        fits = len(about["sql"]) == len(about["yes_no"]) == tree.n_features
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return about if fits and isinstance(about.get("has_missing"), bool) else {}


def of_columns(columns, encoder):
    """SQL expressions of the encoded columns, in their order.

    Parameters
    ----------
    columns : list of treelib.owndata.columns.kinds.Column
    encoder : fitted TableEncoder, or None where no column holds categories

    Returns
    -------
    list of str. A category is 1 where the column has it and else 0, also where it is NULL.
    """
    numeric = range(len(columns)) if encoder is None else encoder.numeric_
    found = [_of_number(columns[i]) for i in numeric]
    for i, categories in ({} if encoder is None else encoder.categories_).items():
        some = [[one] for one in categories] + [[None]] * encoder.has_missing_[i]
        found += [of_set(columns[i], members) for members in some]
    return found


def of_set(column, members):
    """SQL expression that is 1 where a column holds one of some categories, None for a missing one."""
    given, pooled, parts = _given(column), column.made.get("pooled"), []
    known = [one for one in members if one is not None]
    is_other = pooled is not None and not set(known) <= set(pooled)
    asked = [one for one in pooled if one not in known] if is_other else known
    words = [word for one in asked for word in column.spellings(one)]
    if is_other:
        parts.append(" AND NOT ".join([f"{given} IS NOT NULL", *[_is_one_of(given, words)] * bool(words)]))
    elif known:
        parts.append(_is_one_of(given, words))
    return _one_if(" OR ".join(parts + [f"{given} IS NULL"] * (None in members)))


def _given(column):
    """The column of the file as its words are read."""
    name = quote(column.source, '"')
    return f"TRIM({name})" if column.cells.is_padded else name


def _of_number(column):
    """A number, a truth value, or a part of a date: SQLite, without EXTRACT, refuses the text, where it would
    take a made-up name of the part for a string and answer."""
    if "part" in column.made:
        return PARTS[column.made["part"]].format(quote(column.source, '"'))
    if "at_least" in column.made:
        given = _given(column)
        sides = {value: [word for word, x in column.known.items() if x == value] for value in (1.0, 0.0)}
        true, false = (_is_one_of(given, words) for words in sides.values())
        return f"CASE WHEN {true} THEN 1 WHEN {false} THEN 0 END"
    name = quote(column.name, '"')
    return _of_truth(name) if column.kind == "truth" else name


def of_tree(tree, expressions):
    """The tree as one expression, each feature replaced by its own."""
    inner = ~tree.is_leaf
    elsewhere = set(tree.feature[inner & ((tree.threshold < 0) | (tree.threshold >= 1))].tolist())
    found = {i: re.fullmatch(_one_if("(.*)"), text) for i, text in enumerate(expressions)}
    conditions = {i: match[1] for i, match in found.items() if match and i not in elsewhere}
    # a name that no text of the tree can hold stands for each feature until the expression is put in
    text = sql.expression(tree, [f"\0{i}\0" for i in range(tree.n_features)], conditions)
    return re.sub('"\0(\\d+)\0"', lambda match: expressions[int(match[1])], text)


def _is_one_of(given, words):
    listed = ", ".join(quote(word, "'") for word in words)
    return f"{given} = {listed}" if len(words) == 1 else f"{given} IN ({listed})"


def _of_truth(given):
    """1, 0 or NULL of truth values, however the table writes them: as text, as 1 and 0, as what they are."""
    text = f"LOWER(CAST({given} AS CHAR(5)))"
    true, false = (_is_one_of(text, RULES[side]) for side in ("true", "false"))
    return f"CASE WHEN {true} THEN 1 WHEN {false} THEN 0 END"


def _one_if(condition):
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"
