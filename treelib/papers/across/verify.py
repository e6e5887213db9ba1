"""Stored trees that a page scores again in the reader's browser, by ``book/_static/verify.js``.

A part is HTML that stands for itself: a drawing of the tree, and beside it the tree and its figures as JSON
text. Where scripts run, a button takes the place of the drawing. Nothing is loaded but the data set.
"""

import base64
import json
from fractions import Fraction
from html import escape

import numpy as np

from treelib import DyadicTreeClassifier, __version__, datasets
from treelib.ledger import claims
from treelib.ledger.page.shipping import ships
from treelib.papers.across.live import Part
from treelib.papers.osdt import settings, trees

FIGURES = {  # claims on accuracies of drawn trees, with the data and the penalty of each
    "osdt.f4.osdt.accuracy": ("COMPAS", settings.LAMBDA["COMPAS"]),
    "osdt.f5.osdt.accuracy": ("Tic-Tac-Toe", settings.LAMBDA["Tic-Tac-Toe"]),
    "osdt.f6.osdt.accuracy": ("Monk1", settings.LAMBDA["Monk1"]),
    "osdt.f7.osdt.accuracy": ("COMPAS", settings.FIGURE_7_LAMBDA),
}


def sparse_figures():
    """Parts for the optimal trees of Figures 4 to 7 of the paper on optimal sparse trees."""
    return Part(
        "".join(
            _sparse(claim, data, penalty, f"{claims.find(claim).value} %")
            for claim, (data, penalty) in FIGURES.items()
        )
    )


def sparse_optima(penalty):
    """Parts for the optimal sparse tree of every data set of the same paper; `penalty` as text, "0.025"."""
    return Part(
        "".join(
            _sparse(f"optimum.{name}.{penalty}", data, Fraction(penalty))
            for data, name in settings.DATA.items()
        )
    )


def dyadic_trees(penalty, names):
    """Parts for optimal dyadic trees of data sets of that paper; `penalty` as text."""
    return Part("".join(_dyadic(name, penalty) for name in names))


def _sparse(result_id, data, penalty, printed=None):
    found = trees.optimal_tree(data, penalty)
    errors = f"{found.n_errors} of {found.n_samples} wrong"
    title = f"{data}, λ = {float(penalty):g}: {found.n_leaves} leaves, {errors}"
    name = settings.DATA[data]
    return html(
        verify_data(result_id, name, found.tree, regularization=penalty, printed=printed, title=title)
    )


def _dyadic(name, penalty):
    data = datasets.load(f"dyadic/{name}")
    model = DyadicTreeClassifier(float(penalty)).fit(data.X, data.y)
    tree = model.tree_.replace(feature_names=data.feature_names, class_names=data.class_names)
    n_errors = int((tree.predict(data.X) != data.y).sum())
    title = f"{name}, λ = {penalty}: {tree.n_leaves} leaves, {n_errors} of {len(data.y)} wrong"
    result_id = f"dyadic.{name}.{penalty}"
    return html(verify_data(result_id, data.name, tree, regularization=penalty, title=title))


def html(data):
    """HTML of a part; `data` as `verify_data` returns it."""
    # text inside a script element ends at "</", whatever quotes stand around it
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="part" data-verify><p>{escape(data["title"])}</p>{data["svg"]}'
        f'<script type="application/json">{text}</script></div>'
    )


def data_file(name):
    """Name of the script that holds a data set, in the folder ``_static/data`` of the site."""
    return name.replace("/", "-") + ".js"


def data_script(name):
    """Text of the script that holds a data set: 0/1 columns as bits, others as numbers, missing as null."""
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
    """Data of a part: a stored tree, and the figures that it must give on a data set.

    Parameters
    ----------
    result_id : str, stable id of the result
    name : str, of the data set; one that the site may hold a copy of
    tree : Tree
    regularization : Fraction or None, leaf penalty
    printed : str or None, what the paper prints, with its unit
    title : str
    """
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
