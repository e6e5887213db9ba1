"""Forests in the text format of the paper's authors.

Six header lines, a line on the format, and for each tree ``[TREE k]``, ``NB_NODES: m`` and m lines::

    id  IN|LN  left  right  feature  threshold  depth  class

``IN`` is an inner node (class -1), ``LN`` a leaf (children, feature and threshold -1). A row goes left iff
``x[feature] <= threshold``.
"""

import math
import os
from pathlib import Path

from treelib.bornagain.boosting.fields import digits_of
from treelib.bornagain.ensemble.voting import MAX_CLASSES, Ensemble
from treelib.tree.stored import Tree

_HEADER = ("DATASET_NAME", "ENSEMBLE", "NB_TREES", "NB_FEATURES", "NB_CLASSES", "MAX_TREE_DEPTH")
_FORMAT = (
    "Format: node / node type (LN - leave node, IN - internal node) left child / right child / feature / "
    "threshold / node_depth / majority class (starts with index 0)"
)
MAX_BYTES = 100_000_000
_MAX_FEATURES = 1_000_000


def read_forest(path, max_bytes=MAX_BYTES):
    """`Ensemble` of a file in the authors' format, with hard votes.

    Parameters
    ----------
    path : str or Path
        The file.
    max_bytes : int
        Larger files are rejected before they are read.

    Returns
    -------
    Ensemble
        The trees.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is damaged; the message names the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from treelib import Tree
    >>> from treelib.bornagain.ensemble.reading import as_ensemble, read_forest, write_forest
    >>> stump = Tree.from_nested((0, 2.0, 0, 1))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "three.txt")
    ...     write_forest(as_ensemble([stump, stump, stump]), path)
    ...     read_forest(path)
    <Ensemble: 3 trees, depth 1, 6 leaves, hard votes, 1 features, 2 classes>
    """
    return parse_file(path, max_bytes, parse_forest, "is no text file.")


def parse_file(path, max_bytes, parse, no_text):
    """What `parse` makes of the text of a file of at most `max_bytes`; its errors name the file.

    no_text : str, said of a file that is none
    """
    path = Path(path)
    size = os.stat(path).st_size
    if size > max_bytes:
        raise ValueError(f"{path.name} has {size:,} bytes; max_bytes allows {max_bytes:,}.")
    with open(path, "rb") as file:
        raw = file.read(max_bytes + 1)
    if len(raw) > max_bytes:
        raise ValueError(f"{path.name} is larger than max_bytes = {max_bytes:,}.")
    try:
        return parse(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} {no_text}") from None
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def write_forest(ensemble, path, name="forest"):
    """Write an ensemble with hard votes and equal weights in the authors' format.

    Parameters
    ----------
    ensemble : Ensemble
    path : path of the file; it is replaced
    name : str, the ``DATASET_NAME`` of the header
    """
    Path(path).write_text(format_forest(ensemble, name), encoding="utf-8")


def format_forest(ensemble, name="forest"):
    """The text of `write_forest`."""
    if ensemble.voting != "hard" or (ensemble.units != 1).any():
        raise ValueError("Only equal hard votes can be written; the format knows no others.")
    if not name or len(name.splitlines()) != 1:
        raise ValueError(f"name={name!r} must be one line of text.")
    values = (name, "RF", ensemble.n_trees, ensemble.n_features, ensemble.n_classes, ensemble.max_depth)
    lines = [f"{key}: {value}" for key, value in zip(_HEADER, values, strict=True)]
    lines += [_FORMAT, ""]
    for k, tree in enumerate(ensemble.trees):
        lines += [f"[TREE {k}]", f"NB_NODES: {tree.n_nodes}"]
        for node in range(tree.n_nodes):
            depth = tree.node_depth[node]
            if tree.is_leaf[node]:
                lines.append(f"{node} LN -1 -1 -1 -1 {depth} {tree.label[node]}")
            else:
                left, right = tree.children_left[node], tree.children_right[node]
                cut = float(tree.threshold[node])
                if not math.isfinite(cut):
                    raise ValueError(f"Tree {k} asks for missing values; the format cannot say that.")
                lines.append(f"{node} IN {left} {right} {tree.feature[node]} {cut!r} {depth} -1")
        lines.append("")
    return "\n".join(lines)


def parse_forest(text):
    """`Ensemble` of the text of a forest file; raises ValueError with the line where it is damaged."""
    lines = _Lines(text)
    header = {}
    for key in _HEADER:
        found, value = lines.field(key)
        header[found] = value
    n_trees = lines.count(header, "NB_TREES", 1, len(text))
    n_features = lines.count(header, "NB_FEATURES", 1, _MAX_FEATURES)
    n_classes = lines.count(header, "NB_CLASSES", 1, MAX_CLASSES)
    if not lines.next().startswith("Format:"):
        raise lines.error("a line that begins with 'Format:' was expected")
    trees = []
    for k in range(n_trees):
        if lines.next() != f"[TREE {k}]":
            raise lines.error(f"'[TREE {k}]' was expected")
        key, value = lines.field("NB_NODES")
        n_nodes = lines.count({key: value}, key, 1, len(text))
        trees.append(_read_tree(lines, n_nodes, n_features, n_classes))
    if lines.next(at_end=True) is not None:
        raise lines.error(f"text after the last of {n_trees} trees")
    return Ensemble(trees)


class _Lines:
    """The lines of a text that are not empty, with their numbers."""

    def __init__(self, text):
        self._lines = text.splitlines()
        self.number = 0

    def next(self, at_end=False):
        while self.number < len(self._lines):
            line = self._lines[self.number].strip()
            self.number += 1
            if line:
                return line
        if at_end:
            return None
        raise ValueError("the text ends early")

    def error(self, what):
        return ValueError(f"line {self.number}: {what}")

    def field(self, key):
        name, colon, value = self.next().partition(":")
        if not colon or name.strip() != key:
            raise self.error(f"'{key}: ...' was expected")
        return key, value.strip()

    def count(self, fields, key, low, high):
        value = digits_of(fields[key])
        if value is None or not low <= value <= high:
            raise self.error(f"{key} must be a whole number from {low} to {high}")
        return value


def _read_tree(lines, n_nodes, n_features, n_classes):
    left, right, feature, threshold, label = [], [], [], [], []
    first = lines.number
    for node in range(n_nodes):
        words = lines.next().split()
        if len(words) != 8 or words[1] not in ("IN", "LN"):
            raise lines.error("a node has 8 items: id IN|LN left right feature threshold depth class")
        if digits_of(words[0]) != node:
            raise lines.error(f"node {node} was expected")
        if words[1] == "LN":
            kind = digits_of(words[7])
            if kind is None or not 0 <= kind < n_classes:
                raise lines.error(f"the class of a leaf must be from 0 to {n_classes - 1}")
            children, column, cut = (-1, -1), -2, -2.0
        else:
            *children, column = map(digits_of, words[2:5])
            kind, cut = 0, None
            if any(child is None or not 0 < child < n_nodes for child in children):
                raise lines.error(f"the children of an inner node must be from 1 to {n_nodes - 1}")
            if column is None or not 0 <= column < n_features:
                raise lines.error(f"the feature must be from 0 to {n_features - 1}")
            try:
                cut = float(words[5])
            except ValueError:
                pass
            if cut is None or not math.isfinite(cut):
                raise lines.error("the threshold must be a finite number")
        left.append(children[0])
        right.append(children[1])
        feature.append(column)
        threshold.append(cut)
        label.append(kind)
    try:
        return Tree(
            children_left=left,
            children_right=right,
            feature=feature,
            threshold=threshold,
            value=[[0.0] * n_classes] * n_nodes,
            n_features=n_features,
            label=label,
        )
    except ValueError as error:
        raise ValueError(f"lines {first + 1} to {lines.number}: {error}") from None
