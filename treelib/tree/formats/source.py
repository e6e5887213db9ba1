"""What the source texts of C and JavaScript have in common: they write conditions and branches alike.

The rest of a source stands in ``templates``.
"""

import json
import math
from functools import cache
from pathlib import Path
from textwrap import wrap

import numpy as np

from treelib.tree.formats.exported import CATEGORY, NUMBER
from treelib.tree.labels import DEEPEST, one_line

INDENT = "  "


def comment(text):
    """`text` in one line, safe inside a comment of the form ``/* ... */``."""
    return one_line(text).replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace("??", "? ?")


class Language:
    """How a language writes numbers; one of its own adds ``category``, which writes a category of a column,
    and the signs and words ``same``, ``differs``, ``yes``, ``no``, ``nan`` and ``infinity``."""

    @classmethod
    def number(cls, x):
        if math.isnan(x):
            return cls.nan
        return repr(x) if math.isfinite(x) else cls.infinity if x > 0 else f"-{cls.infinity}"


def written(template, model, language, **facts):
    """Source text of a model.

    Parameters
    ----------
    template : str, name of one in ``templates``
    model : Exported
    language : class, a `Language`
    **facts : further words of the template
    """
    # one tree that is shallow enough is written as nested ifs, to be read
    nested = []
    if len(model.trees) == 1 and model.trees[0].max_depth <= DEEPEST:
        nested = nested_ifs(model, language)
    leaves, labels = leaf_arrays(model)
    template = _environment(language).get_template(f"{template}.jinja")
    return template.render(
        model=model,
        nested=nested,
        looks_at_row=any("x[" in line.split("/*")[0] for line in nested),
        is_encoded=model.has_categories and not nested,
        encoded=encoded(model, language),
        nodes=node_arrays(model),
        leaves=leaves,
        labels=labels,
        **facts,
    )


@cache
def _environment(language):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    calls = {"comment": comment, "json": json.dumps, "number": language.number}
    found.filters |= calls | {"quote": getattr(language, "quote", None)}
    found.filters["listed"] = lambda values: _listed(values, language)
    return found


def nested_ifs(exported, language):
    """Lines of a function body that returns the leaf of the row ``x``, counted from left to right.

    Parameters
    ----------
    exported : Exported with one tree
    language : has ``same``, ``differs``, ``yes``, ``no`` (signs and words) and the functions ``number`` and
        ``category``, which write a float and a category of a column
    """
    tree, (_, labels) = exported.trees[0], exported.leaf_rows()[0]
    names = None if labels is None else [comment(str(exported.classes[code])) for code in labels]
    leaf_of = np.cumsum(tree.is_leaf) - 1
    lines, stack = [], [(0, 1)]  # a node, or a text to write
    while stack:
        item, depth = stack.pop()
        pad = INDENT * depth
        if isinstance(item, str):
            lines.append(pad + item)
        elif tree.is_leaf[item]:
            leaf = int(leaf_of[item])
            what = repr(float(exported.tables[0][item, 0])) if names is None else names[leaf]
            lines.append(f"{pad}return {leaf}; /* {what} */")
        else:
            column = exported.columns[exported.features[tree.feature[item]].column]
            lines.append(f"{pad}if ({condition(exported, item, language)}) {{ /* {comment(column.name)} */")
            stack.append(("}", depth))
            stack.append((int(tree.children_right[item]), depth + 1))
            stack.append(("} else {", depth))
            stack.append((int(tree.children_left[item]), depth + 1))
    return lines


def condition(exported, node, language):
    """The condition under which a row goes left at a node of the only tree.

    A comparison with NaN is false in both languages, which sends a missing value where the tree does.
    """
    tree = exported.trees[0]
    feature, threshold = exported.features[tree.feature[node]], float(tree.threshold[node])
    x = f"x[{feature.column}]"
    known = f"{x} {language.same} {x}"
    if feature.kind != NUMBER:  # 0 or 1, never missing
        if not 0 <= threshold < 1:
            return language.yes if threshold >= 1 else language.no
        if feature.kind == CATEGORY:
            code = language.category(exported.columns[feature.column], feature.category)
            return f"{x} {language.differs} {code}"
        return known
    if np.isinf(threshold):
        return language.yes if tree.missing_go_to_left[node] else known
    if tree.missing_go_to_left[node]:
        return f"!({x} > {language.number(threshold)})"
    return f"{x} <= {language.number(threshold)}"


def encoded(exported, language):
    """Expressions of the features that the trees test, of the row ``x``."""
    found = []
    for feature in exported.features:
        x = f"x[{feature.column}]"
        if feature.kind == NUMBER:
            found.append(x)
        elif feature.kind == CATEGORY:
            code = language.category(exported.columns[feature.column], feature.category)
            found.append(f"{x} {language.same} {code} ? 1 : 0")
        else:
            found.append(f"{x} {language.differs} {x} ? 1 : 0")
    return found


def node_arrays(exported):
    """Arrays of the nodes of all trees, one tree after the other, each in preorder.

    Returns
    -------
    dict of "root" (n_trees,), "feature" (n_nodes,), -1 at leaves, "threshold" (n_nodes,), "left_if_missing"
    (n_nodes,), and "next" (n_nodes,): the right child, at a leaf its row among all leaves
    """
    root, feature, threshold, missing, following = [], [], [], [], []
    n_nodes = n_leaves = 0
    for tree in exported.trees:
        root.append(n_nodes)
        rank = n_leaves + np.cumsum(tree.is_leaf) - 1
        feature.append(np.where(tree.is_leaf, -1, tree.feature))
        threshold.append(np.where(tree.is_leaf, 0.0, tree.threshold))
        missing.append(tree.missing_go_to_left)
        following.append(np.where(tree.is_leaf, rank, tree.children_right + n_nodes))
        n_nodes += tree.n_nodes
        n_leaves += tree.n_leaves
    return {
        "root": np.array(root),
        "feature": np.concatenate(feature),
        "threshold": np.concatenate(threshold),
        "left_if_missing": np.concatenate(missing),
        "next": np.concatenate(following),
    }


def leaf_arrays(exported):
    """(rows of all leaves, float64 (n_leaves, width); their labels, or None)."""
    rows = exported.leaf_rows()
    labels = None if exported.labels is None else rows[0][1]
    return np.concatenate([table for table, _ in rows]), labels


def _listed(values, language):
    """Values with commas, in lines of an array."""
    write = language.number if values.dtype.kind == "f" else str
    text = ", ".join(map(write, values.ravel().tolist()))
    lines = wrap(text, 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join(INDENT + line for line in lines)
