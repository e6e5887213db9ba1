"""What is written of a model: its trees, what their leaves say, and the columns that a row must hold.

All programs that predict elsewhere (C, JavaScript, ONNX) are written from an `Exported`, so what a tree, a
forest or an encoded category means is decided here once.
"""

from typing import Any, NamedTuple

import numpy as np

NUMBER, CATEGORY, MISSING = range(3)
LARGEST_WHOLE = 2**53  # from here on float64 does not hold every whole number


class Column(NamedTuple):
    """A column of the table that a model predicts from.

    Attributes
    ----------
    name : str
    categories : tuple of str, tuple of float, or None for a column of numbers
    """

    name: str
    categories: tuple | None

    @property
    def is_number(self):
        return self.categories is None

    @property
    def is_text(self):
        return bool(self.categories) and isinstance(self.categories[0], str)


class Feature(NamedTuple):
    """A feature of the encoded table: a number, "is this category?", or "is it missing?".

    Attributes
    ----------
    column : int
    kind : NUMBER, CATEGORY or MISSING; the last two are 0 or 1, and 0 where the column is missing or not
    category : int, index among those of the column; -1 where it has none
    """

    column: int
    kind: int
    category: int


class Exported(NamedTuple):
    """A model as it is written down.

    Attributes
    ----------
    trees : tuple of Tree
    tables : tuple of float64 (n_nodes, width), what each node of each tree adds to the prediction
    labels : intp (n_nodes,), classes of the nodes of an only tree; None where the largest sum decides
    divisor : float, the sum over the trees is divided by it
    classes : list of str, int, float or bool; None for a regression
    columns : tuple of Column. features : tuple of Feature, those that the trees test
    """

    trees: tuple
    tables: tuple
    labels: Any
    divisor: float
    classes: list | None
    columns: tuple
    features: tuple

    @property
    def is_regression(self):
        return self.classes is None

    @property
    def refuses_missing(self):
        return any(tree.refuses_missing for tree in self.trees)

    @property
    def has_categories(self):
        return any(feature.kind != NUMBER for feature in self.features)

    @property
    def width(self):
        return self.tables[0].shape[1]

    def leaf_rows(self):
        """(table (n_leaves, width), labels (n_leaves,) or None) of each tree, leaves from left to right."""
        return [
            (table[tree.is_leaf], None if self.labels is None else self.labels[tree.is_leaf])
            for tree, table in zip(self.trees, self.tables, strict=True)
        ]

    def summary(self):
        """The size in words, as `Labels.summary` for a tree."""
        if len(self.trees) == 1:
            from treelib.tree.labels import Labels

            return Labels(self.trees[0]).summary()
        n_leaves = sum(tree.n_leaves for tree in self.trees)
        return f"{len(self.trees)} decision trees with {n_leaves} leaves"


def read_model(model):
    """`Exported` of a model.

    Parameters
    ----------
    model : Tree, or a fitted estimator of this package

    Returns
    -------
    Exported

    Raises
    ------
    TypeError
        Neither a tree nor an estimator of this package.
    ValueError
        Categories or classes that no other language has, such as dates, or text beside numbers.
    """
    from treelib.tree.nodes import TreeNodes

    if isinstance(model, TreeNodes):
        return _of_tree(model)
    model = getattr(model, "_written_as", model)
    parts = getattr(model, "_exported", None)
    if parts is None:
        raise TypeError(
            f"A {type(model).__name__} cannot be exported; give a Tree or a fitted estimator of treelib, "
            "or Tree.from_sklearn(model, match_float32=True) for a tree of scikit-learn."
        )
    trees, tables, labels, divisor = parts()
    classes = getattr(model, "classes_", None) if not trees[0].is_regression else None
    columns, features = _columns(model, trees[0])
    return Exported(
        trees=tuple(trees),
        tables=tuple(np.asarray(table, dtype=np.float64) for table in tables),
        labels=labels,
        divisor=float(divisor),
        classes=None if classes is None else _plain("classes", np.asarray(classes).tolist()),
        columns=columns,
        features=features,
    )


def shares(tree):
    """Class fractions of each node, float64 (n_nodes, n_classes); 1 for the label where nothing counts."""
    total = tree.value.sum(axis=1, keepdims=True)
    is_counted = total > 0
    only = np.eye(tree.n_classes)[tree.label]
    return np.where(is_counted, tree.value / np.where(is_counted, total, 1.0), only)


def _of_tree(tree):
    names = tree.feature_names or tuple(f"x{i}" for i in range(tree.n_features))
    return Exported(
        trees=(tree,),
        tables=(tree.value if tree.is_regression else shares(tree),),
        labels=None if tree.is_regression else tree.label,
        divisor=1.0,
        classes=None if tree.is_regression else list(tree.class_names or range(tree.n_classes)),
        columns=tuple(Column(name, None) for name in names),
        features=tuple(Feature(i, NUMBER, -1) for i in range(tree.n_features)),
    )


def _columns(model, tree):
    """Columns of the table that a fitted estimator reads, and the features that its trees test."""
    n_columns = model.n_features_in_
    names = getattr(model, "feature_names_in_", None)
    names = [f"x{i}" for i in range(n_columns)] if names is None else [str(name) for name in names]
    encoder = getattr(model, "encoder_", None)
    if encoder is None or not encoder.categories_:
        plain = tuple(Column(name, None) for name in names)
        return plain, tuple(Feature(i, NUMBER, -1) for i in range(tree.n_features))
    categories = {
        i: tuple(_plain(f"column {names[i]!r}", found, one_kind=True))
        for i, found in encoder.categories_.items()
    }
    columns = tuple(Column(name, categories.get(i)) for i, name in enumerate(names))
    features = [Feature(i, NUMBER, -1) for i in encoder.numeric_]
    for i, found in encoder.categories_.items():
        features += [Feature(i, CATEGORY, code) for code in range(len(found))]
        if encoder.has_missing_[i]:
            features.append(Feature(i, MISSING, -1))
    return columns, tuple(features)


def _plain(what, values, one_kind=False):
    """Values as str, bool, int or float of Python; with `one_kind` all text or all float."""
    values = [value.item() if isinstance(value, np.generic) else value for value in values]
    odd = sorted({type(v).__name__ for v in values if not isinstance(v, (str, bool, int, float))})
    if odd:
        raise ValueError(f"{what} holds values of type {', '.join(odd)}; only text and numbers can be.")
    if any(isinstance(v, int) and abs(v) > LARGEST_WHOLE for v in values):
        raise ValueError(f"{what} holds whole numbers beyond 2^53, which other programs round; use text.")
    if any(isinstance(v, str) and "\0" in v for v in values):
        raise ValueError(f"{what} holds text with zero bytes, which end a string in other programs.")
    if one_kind:
        if len({isinstance(v, str) for v in values}) > 1:
            raise ValueError(f"{what} holds text beside numbers; only one of them can be exported.")
        values = [v if isinstance(v, str) else float(v) for v in values]
    return values
