"""The interactive parts of the book: their data, made here, and played by ``book/_static/play.js``.

A part is HTML that stands for itself: a still picture, and beside it the data of the part as JSON text. Where
scripts run, the part takes the place of the picture. Nothing is loaded, but for the data sets of `verify`.
"""

import json
from fractions import Fraction

import numpy as np

from treelib import datasets
from treelib.ledger.page.shipping import ships
from treelib.tree import style

KINDS = ("path", "heat", "plane", "verify")


def html(kind, data, still):
    """HTML of a part.

    Parameters
    ----------
    kind : {"path", "heat", "plane", "verify"}
    data : dict of JSON values
    still : str, HTML of the picture shown where scripts are off

    Returns
    -------
    str
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown; give one of {', '.join(KINDS)}.")
    # text inside a script element ends at "</", whatever quotes stand around it
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="play" data-play="{kind}">{still}<script type="application/json">{text}</script></div>'
    )


# ---- the price of a leaf: exact sparse trees and dyadic trees side by side --------------------------------


def path_data(methods, low, high):
    """Data of a "path" part.

    Parameters
    ----------
    methods : dict of name of a method in `treelib.tree.style` to its solutions, from the single leaf on: a
        list of ``(low, high, tree, training error, test error)``; `high` of the single leaf is infinite
    low, high : float, the prices of a leaf at the two ends of the slider
    """
    return {
        "low": float(low),
        "high": float(high),
        "methods": [
            {
                "name": style.method_style(method)["label"],
                "color": style.method_color(method),
                "solutions": [
                    {
                        "low": float(start),
                        "high": None if np.isinf(float(stop)) else float(stop),
                        "leaves": tree.n_leaves,
                        "train": float(train),
                        "test": float(test),
                        "svg": tree.to_svg(counts=False),
                    }
                    for start, stop, tree, train, test in solutions
                ],
            }
            for method, solutions in methods.items()
        ],
    }


# ---- two parameters of a criterion ------------------------------------------------------------------------


def heat_data(x, y, values, trees, *, xname, yname, vname, label):
    """Data of a "heat" part.

    Parameters
    ----------
    x, y : sequences of float, the parameters
    values : float (len(y), len(x)), what is shown, a share
    trees : nested list (len(y), len(x)) of Tree; equal ones are stored once
    xname, yname, vname, label : str
    """
    drawings, index = [], {}
    where = []
    for row in trees:
        where.append([])
        for tree in row:
            drawing = tree.to_svg(counts=False)
            if drawing not in index:
                index[drawing] = len(drawings)
                drawings.append(drawing)
            where[-1].append(index[drawing])
    values = np.asarray(values, float)
    best = np.unravel_index(np.argmax(values), values.shape)
    return {
        "x": [float(v) for v in x],
        "y": [float(v) for v in y],
        "values": values.tolist(),
        "tree": where,
        "trees": drawings,
        "start": [int(best[1]), int(best[0])],
        "colors": [style.LOW_COLOR, style.HIGH_COLOR],
        "xname": xname,
        "yname": yname,
        "vname": vname,
        "label": label,
    }


# ---- a forest and its born-again tree on a plane ----------------------------------------------------------


def plane_data(X, y, trees, *, feature_names, class_names):
    """Data of a "plane" part: a forest of one tree, two trees, and so on, each with its born-again tree.

    Parameters
    ----------
    X : float64 (n, 2), y : intp (n,), points to show
    trees : sequence of Tree over the two features
    feature_names, class_names : sequences of str
    """
    from treelib.bornagain.ensemble.cells import build_cells
    from treelib.bornagain.ensemble.voting import Ensemble
    from treelib.bornagain.exact import minimise
    from treelib.bornagain.proof.certificate import certify
    from treelib.bornagain.proof.leaf_regions import leaf_regions

    low, high = X.min(axis=0), X.max(axis=0)
    margin = 0.03 * (high - low)
    low, high = low - margin, high + margin
    steps = []
    for n_trees in range(1, len(trees) + 1):
        ensemble = Ensemble(trees[:n_trees])
        tree = minimise(ensemble, "leaves").tree
        if not certify(tree, ensemble).faithful:
            raise RuntimeError(f"The born-again tree of {n_trees} trees is not faithful.")
        cells = build_cells(ensemble, keep_all=True)
        edges = [np.r_[low[i], np.clip(cells.levels[i], low[i], high[i]), high[i]] for i in range(2)]
        named = tree.replace(feature_names=tuple(feature_names), class_names=tuple(class_names))
        steps.append(
            {
                "n_trees": n_trees,
                "forest_leaves": int(sum(one.n_leaves for one in trees[:n_trees])),
                "cells": [
                    [*map(float, (*edges[0][i : i + 2], *edges[1][j : j + 2])), int(cells.classes[i, j])]
                    for i, j in np.ndindex(cells.shape)
                ],
                "leaves": [
                    [*(float(edge) for side in zip(a, b, strict=True) for edge in side), int(code)]
                    for a, b, code in zip(
                        *(np.clip(corner, low, high) for corner in leaf_regions(tree)),
                        tree.label[tree.is_leaf],
                        strict=True,
                    )
                ],
                "depth": tree.max_depth,
                "svg": named.to_svg(counts=False),
            }
        )
    return {
        "x": [float(low[0]), float(high[0])],
        "y": [float(low[1]), float(high[1])],
        "points": [[float(a), float(b), int(code)] for (a, b), code in zip(X, y, strict=True)],
        "colors": [style.class_color(code) for code in range(len(class_names))],
        "features": list(feature_names),
        "classes": list(class_names),
        "steps": steps,
    }


# ---- verify again -----------------------------------------------------------------------------------------


def data_file(name):
    """Name of the script that holds a data set, in the folder ``_static/data`` of the site."""
    return name.replace("/", "-") + ".js"


def data_script(name):
    """Text of the script that holds a data set: 0/1 columns as bits, others as numbers, missing as null."""
    import base64

    table = datasets.load(name)

    def column(values):
        if np.isin(values, (0, 1)).all():
            bits = np.packbits(values.astype(np.uint8), bitorder="little").tobytes()
            return {"bits": base64.b64encode(bits).decode(), "n": len(values)}
        return {
            "values": [None if np.isnan(value) else value for value in np.asarray(values, float).tolist()]
        }

    document = {"columns": [column(values) for values in table.X.T], "y": column(table.y)}
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    return f"treelibData({json.dumps(name)},{text});\n"


def verify_data(result_id, name, tree, *, regularization=None, printed=None, title):
    """Data of a "verify" part: a stored tree, and the figures that it must give on a data set.

    Parameters
    ----------
    result_id : str, stable id of the result
    name : str, of the data set; one that the site may hold a copy of
    tree : Tree
    regularization : Fraction or None, price of a leaf
    printed : str or None, what the paper prints, with its unit
    title : str
    """
    from treelib import __version__

    if not ships(name):
        raise ValueError(f"The data set {name!r} may not be copied into the site.")
    table = datasets.load(name)
    n_errors = int(np.count_nonzero(tree.predict(table.X) != table.y))
    stored = {"errors": n_errors, "leaves": tree.n_leaves}
    price = None
    if regularization is not None:
        regularization = Fraction(regularization)
        price = [str(regularization.numerator), str(regularization.denominator)]
        value = Fraction(n_errors, len(table.y)) + regularization * tree.n_leaves
        stored["objective"] = f"{value.numerator}/{value.denominator}"
    return {
        "id": result_id,
        "title": title,
        "data": name,
        "file": f"../_static/data/{data_file(name)}",
        "sha256": datasets.info(name).sha256,
        "tree": json.loads(tree.to_json()),
        "svg": tree.to_svg(),
        "price": price,
        "stored": stored,
        "printed": printed,
        "version": __version__,
    }
