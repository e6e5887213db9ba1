"""A tree read again from what other programs, or this one, wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treelib.tree.formats.json import read_json
from treelib.tree.formats.sklearn import read_sklearn
from treelib.tree.stored import Tree


def from_json(
    text: str | bytes, max_bytes: int = 100_000_000, max_nodes: int = 1_000_000, max_depth: int = 10_000
) -> Tree:
    """Tree from text written by `to_json`.

    Nothing is executed and nothing is guessed: an unknown, missing or repeated field, a number of the wrong
    kind, or arrays that do not form a tree raise an error that says which.

    Parameters
    ----------
    text : str or bytes
        The text; bytes are UTF-8.
    max_bytes, max_nodes, max_depth : int
        Limits on what is accepted.

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        If the text is not such a tree, or exceeds a limit.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> stump = Tree.from_nested(("age", 20.5, "yes", "no"), feature_names=["age"], class_names=["no", "yes"])
    >>> formats.from_json(formats.to_json(stump)) == stump
    True
    """
    return read_json(text, Tree, max_bytes, max_nodes, max_depth)


def from_sklearn(
    estimator: Any,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    match_float32: bool = False,
) -> Tree:
    """Tree of a fitted scikit-learn decision tree.

    Parameters
    ----------
    estimator : fitted estimator or its ``tree_``
        A DecisionTreeClassifier or DecisionTreeRegressor (or ExtraTree) with one output. A bare ``tree_``
        with one value per node is taken as a regression tree.
    feature_names, class_names : sequence of str or None
        None: those of the estimator; classes 0, 1, 2, ... do not count as names.
    match_float32 : bool
        Replace each threshold t by the largest float64 whose float32 rounding is <= t, so that the tree
        predicts as scikit-learn does for every float64 X. The thresholds are less readable.

    Returns
    -------
    Tree
        Labels are scikit-learn's own, first maximum of its stored fractions; `value` holds weighted counts.
        scikit-learn sends missing values to one side of every split, even if it saw none: pass
        ``missing=False`` to texts and drawings to omit this.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treelib.tree import formats
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, y)
    >>> tree = formats.from_sklearn(model, class_names=["setosa", "versicolor", "virginica"])
    >>> print(tree.to_text(missing=False))
    Decision tree with 3 leaves, depth 2
    ├─ x[3] <= 0.8: setosa (50 samples, 0 errors)
    └─ x[3] > 0.8
       ├─ x[3] <= 1.75: versicolor (54 samples, 5 errors)
       └─ x[3] > 1.75: virginica (46 samples, 1 error)
    """
    return read_sklearn(estimator, Tree, feature_names, class_names, match_float32)
