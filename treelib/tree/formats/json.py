"""Trees as JSON text, versioned, exact to the last bit, and safe to read from strangers."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from treelib.tree.building import NO_CHILD, NO_FEATURE, NO_THRESHOLD
from treelib.tree.labels import tree_of

if TYPE_CHECKING:
    from treelib.tree.nodes import TreeNodes

FORMAT = "treelib.tree"
VERSION = 1
INFINITY = "inf"  # JSON has no infinite numbers

_FIELDS = ("format", "version", "task", "n_features", "feature_names", "class_names", "nodes")
_OPTIONAL = ("features_with_missing", "refuses_missing", "digits")
_NODE_FIELDS = ("left", "right", "feature", "threshold", "missing_left", "label", "samples", "value")


def to_json(tree: TreeNodes | Any, indent: int | None = None) -> str:
    """JSON text of a tree.

    Nodes are columns: ``left``, ``right``, ``feature``, ``threshold`` ("inf" for +inf), ``missing_left``,
    ``label``, ``samples`` and ``value`` (a list for each node), with null in the first four at leaves.
    ``features_with_missing`` and ``digits`` may be null (not known), or absent; ``refuses_missing`` is there
    where it is true.
    Finite floats are written with the shortest digits that read back to the same bits.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one.
    indent : int or None
        As in `json.dumps`.

    Returns
    -------
    str
        The text, ASCII only.

    Raises
    ------
    ValueError
        A name holds a lone surrogate: half of a character, which no file or page can show.

    Examples
    --------
    >>> import json
    >>> from treelib.tree import Tree, formats
    >>> document = json.loads(formats.to_json(Tree.from_nested((0, 0.1, 0, 1))))
    >>> document["nodes"]["threshold"]
    [0.1, None, None]
    """
    tree = tree_of(tree)
    leaf = tree.is_leaf.tolist()

    def column(array):
        return [None if at_leaf else x for at_leaf, x in zip(leaf, array.tolist(), strict=True)]

    document = {
        "format": FORMAT,
        "version": VERSION,
        "task": "regression" if tree.is_regression else "classification",
        "n_features": tree.n_features,
        "feature_names": tree.feature_names,
        "class_names": tree.class_names,
        "features_with_missing": tree.features_with_missing,
        "digits": tree.digits,
        "nodes": {
            "left": column(tree.children_left),
            "right": column(tree.children_right),
            "feature": column(tree.feature),
            "threshold": [INFINITY if t == math.inf else t for t in column(tree.threshold)],
            "missing_left": tree.missing_go_to_left.tolist(),
            "label": tree.label.tolist(),
            "samples": tree.n_node_samples.tolist(),
            "value": tree.value.tolist(),
        },
    }
    if tree.refuses_missing:
        document["refuses_missing"] = True
    _expect_names(document)
    return json.dumps(document, indent=indent, allow_nan=False)


def read_json(text, make, max_bytes, max_nodes, max_depth):
    """What `make` makes of the fields in a text that `to_json` wrote; see `treelib.tree.formats.from_json`.

    make : callable with the fields of a `treelib.tree.stored.Tree`
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise TypeError(f"from_json reads text, not {type(text).__name__}; for a file give its contents.")
    if len(text) > max_bytes:
        raise ValueError(f"The text has {len(text):,} bytes; max_bytes allows {max_bytes:,}.")
    try:
        document = json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("The text is not a tree: its brackets nest too deeply.") from None
    except ValueError as error:
        raise ValueError(f"The text is not valid JSON: {error}.") from None
    _expect_fields("The text", document, _FIELDS, _OPTIONAL)
    if document["format"] != FORMAT:
        raise ValueError(f"format is {document['format']!r}; expected {FORMAT!r}.")
    if document["version"] is True or document["version"] != VERSION:
        raise ValueError(
            f"version {document['version']!r} is not supported; this treelib reads version {VERSION}."
        )
    if document["task"] not in ("classification", "regression"):
        raise ValueError(f"task is {document['task']!r}; expected 'classification' or 'regression'.")
    n_features = document["n_features"]
    if not _is_count(n_features):
        raise ValueError(f"n_features must be a count, not {_short(n_features)}.")
    _expect_names(document)
    columns = document.get("features_with_missing")
    if columns is not None:
        _expect_list("features_with_missing", columns, _is_count, "a column")
    refuses = document.get("refuses_missing", False)
    if not isinstance(refuses, bool):
        raise ValueError(f"refuses_missing must be true or false, not {_short(refuses)}.")
    digits = document.get("digits")
    if digits is not None:
        _expect_list("digits", digits, _is_pair, "a pair of a column and a number of digits")

    nodes = document["nodes"]
    _expect_fields("nodes", nodes, _NODE_FIELDS)
    n_nodes = len(nodes["left"]) if isinstance(nodes["left"], list) else 0
    if n_nodes > max_nodes:
        raise ValueError(f"The tree has {n_nodes:,} nodes; max_nodes allows {max_nodes:,}.")
    for name in _NODE_FIELDS:
        good, what = _NODE_CHECKS[name]
        _expect_list(f"nodes.{name}", nodes[name], good, what, n_nodes)
    for node, at_leaf in enumerate(zip(*(nodes[name] for name in _NODE_FIELDS[:4]), strict=True)):
        if len({x is None for x in at_leaf}) == 2:
            raise ValueError(
                f"Node {node}: left, right, feature and threshold are all null (a leaf) or none is."
            )

    tree = make(
        children_left=_filled(nodes["left"], NO_CHILD),
        children_right=_filled(nodes["right"], NO_CHILD),
        feature=_filled(nodes["feature"], NO_FEATURE),
        threshold=[math.inf if t == INFINITY else t for t in _filled(nodes["threshold"], NO_THRESHOLD)],
        missing_go_to_left=nodes["missing_left"],
        features_with_missing=columns,
        refuses_missing=refuses,
        digits=digits,
        label=nodes["label"],
        n_node_samples=nodes["samples"],
        value=_rows(nodes["value"]),
        n_features=n_features,
        feature_names=document["feature_names"],
        class_names=document["class_names"],
        is_regression=document["task"] == "regression",
    )
    if tree.max_depth > max_depth:
        raise ValueError(f"The tree has depth {tree.max_depth:,}; max_depth allows {max_depth:,}.")
    return tree


def _is_pair(x):
    return isinstance(x, list) and len(x) == 2 and all(map(_is_count, x))


def _is_count(x):
    return type(x) is int and 0 <= x < 2**53


def _is_number(x):
    return type(x) in (int, float) and abs(x) <= 1.7976931348623157e308


def _is_text(x):
    return isinstance(x, str) and not any("\ud800" <= c <= "\udfff" for c in x)


_NODE_CHECKS = {
    "left": (lambda x: x is None or _is_count(x), "a node id or null"),
    "right": (lambda x: x is None or _is_count(x), "a node id or null"),
    "feature": (lambda x: x is None or _is_count(x), "a column or null"),
    "threshold": (lambda x: x is None or x == INFINITY or _is_number(x), "a finite number, 'inf' or null"),
    "missing_left": (lambda x: type(x) is int and x in (0, 1), "0 or 1"),
    "label": (_is_count, "a class index"),
    "samples": (_is_count, "a count"),
    "value": (lambda x: isinstance(x, list) and all(map(_is_number, x)), "a list of finite numbers"),
}


def _rows(value):
    width = len(value[0]) if value else 0
    for node, row in enumerate(value):
        if len(row) != width:
            raise ValueError(f"nodes.value[{node}] has {len(row)} entries, the first has {width}.")
    return value


def _filled(values, sentinel):
    return [sentinel if x is None else x for x in values]


def _expect_list(name, values, good, what, length=None):
    if not isinstance(values, (list, tuple)):
        raise ValueError(f"{name} must be a list, not {_short(values)}.")
    if length is not None and len(values) != length:
        raise ValueError(f"{name} has {len(values)} entries; nodes.left has {length}.")
    for i, value in enumerate(values):
        if not good(value):
            raise ValueError(f"{name}[{i}] must be {what}, not {_short(value)}.")


def _expect_names(document):
    for name in ("feature_names", "class_names"):
        if document[name] is not None:
            _expect_list(name, document[name], _is_text, "a text without lone surrogates")


def _expect_fields(name, table, wanted, optional=()):
    if not isinstance(table, dict):
        raise ValueError(f"{name} must be a JSON object, not {_short(table)}.")
    for field in wanted:
        if field not in table:
            raise ValueError(f"{name} lacks the field {field!r}.")
    for field in table:
        if field not in (*wanted, *optional):
            raise ValueError(f"{name} has the unknown field {_short(field)}.")


def _short(value):
    text = repr(value) if not isinstance(value, (list, dict)) else f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def _no_duplicates(pairs):
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a field is given twice")
    return table


def _no_constant(name):
    raise ValueError(f"{name} is not a JSON number")
