"""A model as C source that needs nothing but a compiler: C99, no allocation, no library."""

import re
from typing import Any

from treelib.tree.formats.exported import read_model
from treelib.tree.formats.source import Language, written

_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long main register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while".split()
)


class _C(Language):
    """How C writes what `treelib.tree.formats.source` asks for."""

    same, differs, yes, no = "==", "!=", "1", "0"
    nan, infinity = "NAN", "INFINITY"

    @classmethod
    def category(cls, column, code):
        return str(code) if column.is_text else cls.number(column.categories[code])

    @staticmethod
    def quote(text):
        """UTF-8, with everything but plain ASCII as octal escapes, which cannot run on."""
        plain = set(range(32, 127)) - set(b'"\\?')
        content = str(text).encode("utf-8", "surrogatepass")
        return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in content) + '"'


def to_c(model: Any, name: str = "model") -> str:
    """C source with exactly the same predictions as a model.

    ``NAME_predict(x)`` returns the class index, with the text ``NAME_class_names[index]``, or for regression
    the mean. ``NAME_probabilities(x, p)`` writes the class probabilities. A sample is an array of double, one
    per column, NAN for missing. A column of text holds codes: ``NAME_code(column, text)``. If the model
    refuses missing values, a sample with NAN gets class index -1, and mean or probabilities NAN.

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted estimator of this package.
    name : str
        Prefix of every name in the source.

    Returns
    -------
    str
        C99. A single tree is written as readable nested ifs; forests and trees deeper than 100 levels as
        tables. The source relies on NaN: compile it without ``-ffast-math``.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a model of this package or cannot be exported (see `treelib.tree.formats.exported`),
        or `name` is not valid in C.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> source = formats.to_c(Tree.from_nested((0, 2.5, 0, 1), feature_names=["priors"]))
    >>> print(source[source.index("static int") : source.index("static const")].strip())
    static int model_leaf(const double *x)
    {
      if (x[0] <= 2.5) { /* priors */
        return 0; /* 0 */
      } else {
        return 1; /* 1 */
      }
    }
    """
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,30}", name) or name in _KEYWORDS:
        raise ValueError(f"name={name!r} must be a valid C name: letters, digits and _, 31 at most.")
    exported = read_model(model)
    has_text = any(column.is_text for column in exported.columns)
    return written("c", exported, _C, name=name, has_text=has_text)
