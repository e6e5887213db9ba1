"""A model as a JavaScript module that needs nothing else, for browsers and for Node."""

import json
import math
from pathlib import Path
from typing import Any

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


class _JavaScript:
    """How JavaScript writes what `treelib.tree.formats.source` asks for."""

    same, differs, yes, no = "===", "!==", "true", "false"

    @staticmethod
    def number(x):
        if math.isnan(x):
            return "NaN"
        return repr(x) if math.isfinite(x) else "Infinity" if x > 0 else "-Infinity"

    @classmethod
    def category(cls, column, code):
        category = column.categories[code]
        return json.dumps(category) if column.is_text else cls.number(category)


def to_javascript(model: Any, explain: bool = False, **wording: Any) -> str:
    """A JavaScript module that predicts as a model does, bit by bit.

    It exports ``predict(row)``, which returns the class or for a regression the mean,
    ``probabilities(row)``, ``classes`` and ``columns``. A row is an array with a value a column, or an object
    with the names of the columns; null, undefined and NaN are missing values. Where the model refuses these,
    all functions throw a TypeError.

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
    exported = read_model(model)
    rows, labels = leaf_arrays(exported)
    if is_nested(exported):
        walk = ["\n".join(["function leaf(x) {", *nested_ifs(exported, _JavaScript), "}"])]
    else:
        walk = [_tables(exported), _walk()]
    tables = [_array("Float64Array", "VALUE", rows, _JavaScript.number)]
    if labels is not None:
        tables.append(_array("Int32Array", "LABEL", labels))
    parts = [_head(exported), *walk, *tables, _functions(exported)]
    if explain:
        parts += [
            _explanations(model, wording),
            Path(__file__).with_name("explain.js").read_text("utf-8").rstrip(),
        ]
    return "\n\n".join(parts) + "\n"


def _head(exported):
    names = json.dumps([column.name for column in exported.columns])
    is_number = json.dumps([column.categories is None for column in exported.columns])
    lines = [
        f"/* {comment(exported.summary())}. Written by treelib. */",
        "",
        f"export const columns = {names};",
        f"const IS_NUMBER = {is_number};",
    ]
    if not exported.is_regression:
        lines.append(f"export const classes = {json.dumps(exported.classes)};")
    refused = [
        "  const missing = values.findIndex((value) => Number.isNaN(value));",
        "  if (missing >= 0) throw new TypeError(`${columns[missing]} is missing; fill it in first`);",
    ]
    return "\n".join(
        [
            *lines,
            "",
            "/* The values of a row, NaN where missing, truth values as 0 and 1. */",
            "function read(row) {",
            "  const isArray = Array.isArray(row) || ArrayBuffer.isView(row);",
            "  if (isArray && row.length !== columns.length) {",
            "    throw new RangeError(`a row has ${columns.length} values, not ${row.length}`);",
            "  }",
            "  const values = columns.map((name, i) => {",
            "    const value = isArray ? row[i] : row[name];",
            "    if (value === null || value === undefined) return NaN;",
            '    if (typeof value === "boolean") return Number(value);',
            '    if (IS_NUMBER[i] && typeof value !== "number") {',
            "      throw new TypeError(`${name} must be a number, not ${typeof value}`);",
            "    }",
            "    return value;",
            "  });",
            *(refused if exported.refuses_missing else []),
            "  return values;",
            "}",
        ]
    )


def _tables(exported):
    arrays = node_arrays(exported)
    lines = [
        _array("Int32Array", "ROOT", arrays["root"]),
        _array("Int32Array", "FEATURE", arrays["feature"]),
        _array("Float64Array", "THRESHOLD", arrays["threshold"], _JavaScript.number),
        _array("Uint8Array", "LEFT_IF_MISSING", arrays["left_if_missing"]),
        _array("Int32Array", "NEXT", arrays["next"]),
    ]
    if exported.has_categories:
        features = ",\n".join(f"  {text}" for text in encoded(exported, _JavaScript))
        lines += ["", f"const encode = (x) => [\n{features}\n];"]
    return "\n".join(lines)


def _walk():
    """The leaf of a row in one of the trees; the left child of a node is the next one."""
    return "\n".join(
        [
            "function leaf(z, tree) {",
            "  let node = ROOT[tree];",
            "  while (FEATURE[node] >= 0) {",
            "    const v = z[FEATURE[node]];",
            "    const left = v !== v ? LEFT_IF_MISSING[node] : v <= THRESHOLD[node];",
            "    node = left ? node + 1 : NEXT[node];",
            "  }",
            "  return NEXT[node];",
            "}",
        ]
    )


def _explanations(model, wording):
    """The leaves as `explain` reads them: of each column an interval or the categories, and their phrase."""
    from treelib.tree.explaining import Explainer

    number, lines = _JavaScript.number, []
    explainer = Explainer(model, **wording)
    for answer, is_there, cells in explainer.leaves():
        parts = []
        for is_tested, text, allowed, low, high, nan in cells:
            where = f"low: {number(low)}, high: {number(high)}, nan: {json.dumps(nan)}"
            where = where if allowed is None else f"allowed: {json.dumps(allowed)}"
            parts.append(f"{{ isTested: {json.dumps(is_tested)}, text: {json.dumps(text)}, {where} }}")
        head = f"answer: {json.dumps(answer)}, isThere: {json.dumps(is_there)}"
        lines.append(f"  {{ {head}, cells: [{', '.join(parts)}] }},")
    groups = [
        f"  {{ column: {column}, name: {json.dumps(name)}, scale: {number(scale)}, "
        f"categories: {json.dumps(categories)} }},"
        for column, name, scale, categories in explainer.columns()
    ]
    end = f"const IS_REGRESSION = {json.dumps(explainer.tree.is_regression)};"
    return "\n".join(["const GROUPS = [", *groups, "];", "const LEAVES = [", *lines, "];", end])


def _functions(exported):
    """The functions that the module exports."""
    width, n_trees = exported.width, len(exported.trees)
    x = "read(row)"
    if not is_nested(exported) and exported.has_categories:
        x = "encode(read(row))"
    leaf = "leaf(x)" if is_nested(exported) else "leaf(x, 0)"
    start = f"  const x = {x};"
    if n_trees == 1:
        sums = [start, f"  const at = {width} * {leaf};"]
        sums.append(f"  return Array.from(VALUE.subarray(at, at + {width}));")
    else:
        sums = [
            start,
            f"  const sum = new Array({width}).fill(0);",
            f"  for (let tree = 0; tree < {n_trees}; tree++) {{",
            f"    const at = {width} * leaf(x, tree);",
            f"    for (let k = 0; k < {width}; k++) sum[k] += VALUE[at + k];",
            "  }",
            f"  return sum.map((total) => total / {exported.divisor!r});",
        ]
    if exported.is_regression:
        mean = _function("means", *sums).replace("export ", "")
        return mean + "\n\n" + _function("predict", "  return means(row)[0];")
    if exported.labels is not None:
        largest = [start, f"  return classes[LABEL[{leaf}]];"]
    else:
        largest = [
            "  const p = probabilities(row);",
            "  let best = 0;",
            "  for (let k = 1; k < p.length; k++) if (p[k] > p[best]) best = k;",
            "  return classes[best];",
        ]
    return _function("probabilities", *sums) + "\n\n" + _function("predict", *largest)


def _function(name, *body):
    return "\n".join([f"export function {name}(row) {{", *body, "}"])


def _array(kind, name, values, write=str):
    return f"const {name} = new {kind}([\n{listed(values, write)}\n]);"
