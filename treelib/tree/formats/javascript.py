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
    """A JavaScript module that predicts as a model does, bit by bit.

    It exports ``predict(row)``, which returns the class or for a regression the mean,
    ``probabilities(row)``, ``classes`` and ``columns``. A row is an array with a value a column, or an object
    with the names of the columns; null, undefined and NaN are missing values. Where the model refuses these,
    or an object lacks a name, all functions throw a TypeError.

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted estimator of this package.
    explain : bool
        Export ``explain(row, wishes)`` too, which says what `treelib.tree.explaining` does.
    **wording
        `yes_no` of `treelib.tree.labels.Labels`, for the texts of explanations.

    Returns
    -------
    str
        An ECMAScript module. One tree is written as nested ifs, to be read; forests and trees deeper than
        100 levels as tables.

    Raises
    ------
    TypeError, ValueError
        No model of this package, or what `treelib.tree.formats.exported` refuses.

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
