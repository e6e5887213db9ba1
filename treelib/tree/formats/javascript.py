"""A model as a JavaScript module that needs nothing else, for browsers and for Node."""

import json
from typing import Any

from treelib.tree.formats.exported import read_model
from treelib.tree.formats.source import Language, written


class _JavaScript(Language):
    """How JavaScript writes what `treelib.tree.formats.source` asks for."""

    same, differs, yes, no = "===", "!==", "true", "false"
    nan, infinity = "NaN", "Infinity"

    @classmethod
    def category(cls, column, code):
        category = column.categories[code]
        return json.dumps(category) if column.is_text else cls.number(category)


def to_javascript(model: Any, explain: bool = False, **wording: Any) -> str:
    """JavaScript module with exactly the same predictions as a model.

    It exports ``predict(row)``, which returns the class or for regression the mean, ``probabilities(row)``,
    ``classes`` and ``columns``. A row is an array with one value per column, or an object keyed by column
    name; null, undefined and NaN mean missing. If the model refuses missing values, or an object lacks a
    column, all functions throw a TypeError.

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted estimator of this package.
    explain : bool
        Also export ``explain(row, wishes)``, equivalent to `treelib.tree.explaining`.
    **wording
        `yes_no` of `treelib.tree.labels.Labels`, for the texts of explanations.

    Returns
    -------
    str
        An ECMAScript module. A single tree is written as readable nested ifs; forests and trees deeper than
        100 levels as tables.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a model of this package or cannot be exported (see `treelib.tree.formats.exported`).

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> source = formats.to_javascript(Tree.from_nested((0, 2.5, 0, 1), feature_names=["priors"]))
    >>> print(source[source.index("function leaf") : source.index("const VALUE")].strip())
    function leaf(x) {
      if (x[0] <= 2.5) { /* priors */
        return 0; /* 0 */
      } else {
        return 1; /* 1 */
      }
    }
    """
    explainer = None
    if explain:
        from treelib.tree.explaining import Explainer

        explainer = Explainer(model, **wording)
    return written("javascript", read_model(model), _JavaScript, explainer=explainer)
