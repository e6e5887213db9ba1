"""A model as C source that needs nothing but a compiler: C99, no allocation, no library."""

import math
import re
from typing import Any

import numpy as np

from treelib.tree.formats.exported import read_model
from treelib.tree.formats.source import (
    comment,
    encoded,
    is_nested,
    leaf_arrays,
    listed,
    nested_ifs,
    node_arrays,
)

_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long main register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while".split()
)


class _C:
    """How C writes what `treelib.tree.formats.source` asks for."""

    same, differs, yes, no = "==", "!=", "1", "0"

    @staticmethod
    def number(x):
        if math.isnan(x):
            return "NAN"
        return repr(x) if math.isfinite(x) else "INFINITY" if x > 0 else "-INFINITY"

    @classmethod
    def category(cls, column, code):
        return str(code) if column.is_text else cls.number(column.categories[code])


def to_c(model: Any, name: str = "model") -> str:
    """C source that predicts as a model does, bit by bit.

    ``NAME_predict(x)`` returns the index of the class, whose text is ``NAME_class_names[index]``, or for a
    regression the mean. ``NAME_probabilities(x, p)`` writes the class probabilities. A row is an array of
    double, one a column, NAN where missing. A column of text holds codes: ``NAME_code(column, text)``. Where
    the model refuses missing values, the answer to a row with NAN is -1, a mean or a probability is NAN.

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted estimator of this package.
    name : str
        What every name of the source begins with.

    Returns
    -------
    str
        C99. One tree is written as nested ifs, to be read; forests and trees deeper than 100 levels as
        tables. The source relies on NaN: compile it without ``-ffast-math``.

    Raises
    ------
    TypeError, ValueError
        No model of this package, a name that C does not allow, or what `treelib.tree.formats.exported`
        refuses.

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
        raise ValueError(f"name={name!r} must be a name of C: letters, digits and _, not longer than 31.")
    exported = read_model(model)
    rows, labels = leaf_arrays(exported)
    answers = [_names(exported, name)] if not exported.is_regression else []
    codes = [_codes(exported, name)] if any(column.is_text for column in exported.columns) else []
    if is_nested(exported):
        lines = nested_ifs(exported, _C)
        walk = [f"static int {name}_leaf(const double *x)\n{{", *_unused(lines), *lines]
        walk = ["\n".join([*walk, "}"])]
    else:
        walk = [_tables(exported, name), _walk(exported, name)]
    tables = [_array("double", f"{name}_value", rows, _C.number)]
    if labels is not None:
        tables.append(_array("int", f"{name}_label", labels))
    parts = [_head(exported, name), *answers, *codes, *walk, *tables, _functions(exported, name)]
    return "\n\n".join(parts) + "\n"


def _head(exported, name):
    columns = []
    for i, column in enumerate(exported.columns):
        what = ""
        if column.is_text:
            what = f': {name}_code({i}, "text"), -1 for a text that was not seen'
        elif column.categories:
            what = ": a number that stands for a category"
        columns.append(f"     x[{i}]  {comment(column.name)}{what}")
    answer = "the mean" if exported.is_regression else f"an index of {name}_class_names"
    missing = "NAN where missing"
    if exported.refuses_missing:
        missing = f"and where one is NAN there is no answer: {'NAN' if exported.is_regression else -1}"
    size = [f"#define {name.upper()}_N_COLUMNS {len(exported.columns)}"]
    if not exported.is_regression:
        size.append(f"#define {name.upper()}_N_CLASSES {exported.width}")
    lines = [
        f"/* {comment(exported.summary())}. Written by treelib.",
        "",
        f"   {name}_predict(x) returns {answer}. A row x has a double a column, {missing}:",
        *columns,
        "   Compile it without -ffast-math, which breaks NAN.",
        "*/",
        "#include <math.h>",
        "#include <string.h>" if any(column.is_text for column in exported.columns) else "",
        "",
        *size,
    ]
    return "\n".join(lines).replace("\n\n\n", "\n\n")


def _names(exported, name):
    texts = ",\n".join(f"  {_quote(str(one))}" for one in exported.classes)
    return f"const char *const {name}_class_names[{exported.width}] = {{\n{texts}\n}};"


def _codes(exported, name):
    """A function from the text of a category to its code."""
    lines = [f"double {name}_code(int column, const char *text)", "{", "  if (!text) return NAN;"]
    for i, column in enumerate(exported.columns):
        if column.is_text:
            lines += [
                f"  if (column == {i} && !strcmp(text, {_quote(category)})) return {code};"
                for code, category in enumerate(column.categories)
            ]
    return "\n".join([*lines, "  return -1;", "}"])


def _unused(lines):
    """What keeps compilers from warning where no line but in its comment looks at the row."""
    return [] if any("x[" in line.split("/*")[0] for line in lines) else ["  (void)x;"]


def _tables(exported, name):
    arrays = node_arrays(exported)
    return "\n".join(
        [
            _array("int", f"{name}_root", arrays["root"]),
            _array("int", f"{name}_feature", arrays["feature"]),
            _array("double", f"{name}_threshold", arrays["threshold"], write=_C.number),
            _array("unsigned char", f"{name}_left_if_missing", arrays["left_if_missing"]),
            _array("int", f"{name}_next", arrays["next"]),
        ]
    )


def _walk(exported, name):
    """The leaf of a row in one of the trees; the left child of a node is the next one."""
    first = []
    if exported.has_categories:
        sets = [f"  z[{i}] = {text};" for i, text in enumerate(encoded(exported, _C))]
        first = [f"static void {name}_encode(const double *x, double *z)", "{", *sets, "}", ""]
    return "\n".join(
        [
            *first,
            f"static int {name}_leaf(const double *z, int tree)",
            "{",
            f"  int node = {name}_root[tree];",
            f"  while ({name}_feature[node] >= 0) {{",
            f"    const double v = z[{name}_feature[node]];",
            f"    const int left = v != v ? {name}_left_if_missing[node] : v <= {name}_threshold[node];",
            f"    node = left ? node + 1 : {name}_next[node];",
            "  }",
            f"  return {name}_next[node];",
            "}",
        ]
    )


def _functions(exported, name):
    """The functions that a program calls."""
    width, n_trees = exported.width, len(exported.trees)
    nested = is_nested(exported)
    z, prepare = "x", []
    if not nested and exported.has_categories:
        z, prepare = "z", [f"  double z[{len(exported.features)}];", f"  {name}_encode(x, z);"]
    leaf = f"{name}_leaf({z})" if nested else f"{name}_leaf({z}, 0)"

    def refuse(answer):
        return [f"  if ({name}_misses(x)) {answer}"] if exported.refuses_missing else []

    parts = []
    if exported.refuses_missing:
        loop = f"  for (i = 0; i < {len(exported.columns)}; i++) if (x[i] != x[i]) return 1;"
        parts = [_function(f"static int {name}_misses(const double *x)", "  int i;", loop, "  return 0;")]
    if exported.is_regression:
        if n_trees == 1:
            body = [*refuse("return NAN;"), *prepare, _return(name, "value", leaf)]
        else:
            body = [*refuse("return NAN;"), *prepare, "  double sum = 0;", "  int tree;"]
            body += [f"  for (tree = 0; tree < {n_trees}; tree++)"]
            body += [f"    sum += {name}_value[{name}_leaf({z}, tree)];"]
            body += [f"  return sum / {exported.divisor!r};"]
        return "\n\n".join([*parts, _function(f"double {name}_predict(const double *x)", *body)])
    nothing = f"{{ for (k = 0; k < {width}; k++) p[k] = NAN; return; }}"
    body = ["  int k;", *refuse(nothing), *prepare]
    if n_trees == 1:
        body += [f"  const double *const row = {name}_value + {width} * {leaf};"]
        body += [f"  for (k = 0; k < {width}; k++) p[k] = row[k];"]
    else:
        body += [
            "  int tree;",
            f"  for (k = 0; k < {width}; k++) p[k] = 0;",
            f"  for (tree = 0; tree < {n_trees}; tree++) {{",
            f"    const double *const row = {name}_value + {width} * {name}_leaf({z}, tree);",
            f"    for (k = 0; k < {width}; k++) p[k] += row[k];",
            "  }",
        ]
        if exported.divisor != 1:
            body.append(f"  for (k = 0; k < {width}; k++) p[k] /= {exported.divisor!r};")
    parts.append(_function(f"void {name}_probabilities(const double *x, double *p)", *body))
    if exported.labels is not None:
        largest = [*refuse("return -1;"), *prepare, _return(name, "label", leaf)]
    else:
        largest = [
            *refuse("return -1;"),
            f"  double p[{width}];",
            "  int k, best = 0;",
            f"  {name}_probabilities(x, p);",
            f"  for (k = 1; k < {width}; k++) if (p[k] > p[best]) best = k;",
            "  return best;",
        ]
    return "\n\n".join([*parts, _function(f"int {name}_predict(const double *x)", *largest)])


def _function(head, *body):
    return "\n".join([head, "{", *body, "}"])


def _return(name, table, leaf):
    return f"  return {name}_{table}[{leaf}];"


def _array(kind, name, values, write=str):
    values = np.asarray(values)
    return f"static const {kind} {name}[{values.size}] = {{\n{listed(values, write)}\n}};"


def _quote(text):
    """A text of C, UTF-8, with everything but plain ASCII as octal escapes, which cannot run on."""
    plain = set(range(32, 127)) - set(b'"\\?')
    encoded_text = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in encoded_text) + '"'
