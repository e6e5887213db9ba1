"""The tree that all methods share, and how it is written and read.

A search returns a `Tree`; it predicts, and can be recounted, compared, drawn and exported. It holds no state
of the search that found it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treelib.tree.nodes import TreeNodes

_MOST_LEAVES_SHOWN = 200  # by print and by notebooks; to_text and to_svg write all, down to 100 levels


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Tree(TreeNodes):
    """A binary decision tree with threshold splits.

    Arrays are checked, converted, copied and made read-only at construction. Nodes in any other order are
    renumbered to preorder.

    Parameters
    ----------
    children_left, children_right : intp (n_nodes,)
        Node indices, -1 at leaves.
    feature : intp (n_nodes,)
        Index of the feature that the node splits on, -2 at leaves.
    threshold : float64 (n_nodes,)
        Finite or +inf, -2.0 at leaves. A sample goes left iff ``x[feature] <= threshold``; with +inf every
        known value goes left, which separates missing values.
    value : float64 (n_nodes, n_classes)
        Weighted class counts; for regression (n_nodes, 1), the mean. Zeros for a tree given without data (see
        `recount`).
    n_features : int
        Number of features.
    n_node_samples : intp (n_nodes,)
        Number of training samples in each node; default all 0, meaning unknown.
    label : intp (n_nodes,)
        Class index that the node predicts; default the first maximum of `value`. Given explicitly if a cost
        matrix or a paper's rule for ties requires another.
    missing_go_to_left : uint8 (n_nodes,)
        1 if NaN goes left; default 0.
    features_with_missing : sequence of int
        Features with missing values in training. Splits on other features send NaN to one side too, but this
        was not learned, and texts do not mention it. None: not known, texts mention missing values
        everywhere.
    refuses_missing : bool
        Whether samples with a missing value, in any feature, are rejected, as by a born-again tree, which is
        defined for numbers only. `predict` and the programs of `treelib.tree.formats` reject such a sample;
        SQL returns NULL. Default False.
    digits : sequence of (column, digits)
        Number of significant digits that the thresholds of a feature need to split the training samples in
        the same way when written as text; 0 for a feature with values 0 and 1 only, written as yes or no.
        Computed by `with_digits`. None: not known.
    feature_names : sequence of str or None
        One name per feature.
    class_names : sequence of str or None
        One name per class.
    is_regression : bool
        Whether leaves predict a mean; default False.

    Raises
    ------
    TypeError, ValueError
        If the arrays do not describe a tree; the message names the array and the node.

    Examples
    --------
    >>> from treelib import Tree
    >>> tree = Tree.from_nested(
    ...     ("priors", 2.5, ("age", 20.5, [2, 8], [30, 10]), [4, 16]),
    ...     feature_names=["priors", "age"], class_names=["no", "yes"],
    ... )
    >>> print(tree)
    Decision tree with 3 leaves, depth 2
    ├─ priors <= 2.5
    │  ├─ age <= 20.5: yes (10 samples, 2 errors)
    │  └─ age > 20.5: no (40 samples, 10 errors)
    └─ priors > 2.5: yes (20 samples, 4 errors)
    >>> tree.n_leaves, tree.max_depth
    (3, 2)
    >>> tree.predict([[1, 35], [5, 35]])
    array([0, 1])
    """

    # ---- written and read: each way imports what it needs when it is called --------------------------------

    @classmethod
    def from_sklearn(cls, estimator: Any, **options: Any) -> Tree:
        """Tree of a fitted scikit-learn decision tree; see `treelib.tree.formats.from_sklearn`."""
        from treelib.tree.formats.sklearn import read_sklearn

        return read_sklearn(estimator, cls, **options)

    def to_sklearn(self, **options: Any) -> Any:
        """Fitted scikit-learn estimator of the same tree; see `treelib.tree.formats.to_sklearn`."""
        from treelib.tree.formats.sklearn import to_sklearn

        return to_sklearn(self, **options)

    def to_text(self, **options: Any) -> str:
        """The tree as indented text; see `treelib.tree.formats.to_text`."""
        from treelib.tree.formats.text import to_text

        return to_text(self, **options)

    def to_rules(self, **options: Any) -> list[str]:
        """One sentence for each leaf; see `treelib.tree.formats.to_rules`."""
        from treelib.tree.formats.text import to_rules

        return to_rules(self, **options)

    def to_sql(self, **options: Any) -> str:
        """SQL expression that predicts; see `treelib.tree.formats.to_sql`."""
        from treelib.tree.formats.sql import to_sql

        return to_sql(self, **options)

    def to_c(self, **options: Any) -> str:
        """C source that predicts; see `treelib.tree.formats.to_c`."""
        from treelib.tree.formats.c import to_c

        return to_c(self, **options)

    def to_javascript(self) -> str:
        """JavaScript module that predicts; see `treelib.tree.formats.to_javascript`."""
        from treelib.tree.formats.javascript import to_javascript

        return to_javascript(self)

    def to_onnx(self, **options: Any) -> Any:
        """ONNX model that predicts; see `treelib.tree.formats.to_onnx`."""
        from treelib.tree.formats.onnx import to_onnx

        return to_onnx(self, **options)

    def to_dot(self, **options: Any) -> str:
        """Graphviz source; see `treelib.tree.formats.to_dot`."""
        from treelib.tree.formats.dot import to_dot

        return to_dot(self, **options)

    def to_svg(self, **options: Any) -> str:
        """Self-contained drawing; see `treelib.tree.formats.to_svg`."""
        from treelib.tree.formats.svg import to_svg

        return to_svg(self, **options)

    def to_json(self, **options: Any) -> str:
        """JSON text that `from_json` restores exactly; see `treelib.tree.formats.to_json`."""
        from treelib.tree.formats.json import to_json

        return to_json(self, **options)

    @classmethod
    def from_json(
        cls,
        text: str | bytes,
        max_bytes: int = 100_000_000,
        max_nodes: int = 1_000_000,
        max_depth: int = 10_000,
    ) -> Tree:
        """Tree of the text of `to_json`; see `treelib.tree.formats.from_json`."""
        from treelib.tree.formats.json import read_json

        return read_json(text, cls, max_bytes, max_nodes, max_depth)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Drawing by matplotlib; see `treelib.tree.drawing.plot_tree`."""
        from treelib.tree.drawing import plot_tree

        return plot_tree(self, ax=ax, **options)

    def _repr_html_(self):
        if self.n_leaves > _MOST_LEAVES_SHOWN:
            return None
        from treelib.tree.formats.svg import to_html

        return to_html(self)

    def __str__(self):
        return repr(self) if self.n_leaves > _MOST_LEAVES_SHOWN else self.to_text()

    def __reduce__(self):
        return _rebuild, (self._fields(),)


def trusted(**fields):
    """`Tree` of fields that are all as the constructor would make them; none is checked or copied.

    For what a search has just made, without missing values: the checks are a tenth of a small fit. Arrays
    become read-only.
    """
    tree = object.__new__(Tree)
    fields["missing_go_to_left"] = np.zeros(len(fields["feature"]), np.uint8)
    fields["features_with_missing"] = fields["digits"] = None
    for field in fields.values():
        if type(field) is np.ndarray:
            field.setflags(write=False)
    vars(tree).update(fields)
    return tree


def _rebuild(table):
    return Tree(**table)
