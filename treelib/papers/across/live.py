"""Parts of chapters that compute: a control, and behind it the package's own kernel as WebAssembly.

The scripts stand in ``book/_static/wasm``; `live.js` loads the others when a part comes near the view. A
downloaded notebook has no page around it: there, and where scripts are off, the part is a sentence.
"""

import json
from functools import cache
from html import escape
from pathlib import Path

from treelib import datasets
from treelib.ledger.page.place import address, in_book
from treelib.papers.osdt import trees
from treelib.sparse.paper.bounds import BOUNDS, DEFAULT_BOUNDS
from treelib.tree import Tree
from treelib.tree.style import CLASS_COLORS, HIGH_COLOR, LOW_COLOR, method_color


def _scripts(*kernels, parts=()):
    """What a part loads, in the order in which it is run: data sets, its kernels, the worker, the part."""
    tasks = ("kernels.js",) if parts else ()
    kernels = (f"{name}.wasm.js" for name in kernels)
    own = ("rules.js", "reader.js", "table.js", "tables.js")
    return (*own, *kernels, *tasks, "solver.js", "tree.js", *parts)


@cache
def words():
    """Names of features and classes in words, as the figures have them, of each data set that has them.

    Returns
    -------
    dict of a data set to two dicts, "features" and "classes", of a name in the data to its words
    """
    found = {}
    for name in trees.DATA.values():
        data = datasets.load(name)
        told = trees.readable(
            Tree.from_nested(0, n_features=data.X.shape[1], n_classes=len(data.class_names)), name
        )
        pairs = {
            "features": (data.feature_names, told.feature_names),
            "classes": (data.class_names, told.class_names),
        }
        found[name] = {
            kind: {old: new for old, new in zip(map(str, before), after, strict=True) if old != new}
            for kind, (before, after) in pairs.items()
        }
    return {name: one for name, one in found.items() if any(one.values())}


class Part(str):
    """HTML of a live part, which shows itself as the last value of a cell."""

    def _repr_html_(self):
        return str(self)


def report(path, title):
    """A report of `treelib fit` in a frame of its own; `path` of the file, `title` for screen readers."""
    text = escape(Path(path).read_text(encoding="utf-8"))
    return Part(
        f'<div><iframe title="{escape(title)}" srcdoc="{text}" width="100%" height="640" '
        'style="border:1px solid #8796a5"></iframe></div>'
    )


def _part(kind, instead, scripts, **given):
    """A part of this kind; `given` becomes its data- attributes."""
    if not in_book():
        return Part(f"<p>{escape(instead)}</p>")
    folder = address("_static/wasm")
    given |= {"needs": " ".join(scripts), "classes": " ".join(CLASS_COLORS), "words": json.dumps(words())}
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in given.items())
    return Part(
        f'<link rel="stylesheet" href="{folder}/page.css">'
        f'<div class="live" data-live="{kind}"{attributes}><p>{escape(instead)}</p></div>'
        f'<script src="{folder}/live.js" defer></script>'
    )


def price_of_a_leaf(data, instead):
    """HTML of the part that shows every optimal tree of a data set by its leaf penalty.

    Parameters
    ----------
    data : str, the data set shown first, one of `treelib.wasm.tables.OFFERED`
    instead : str, what is said where the part cannot run

    Returns
    -------
    str
    """
    return _part("price", instead, _scripts("sparse"), table=data)


def criterion(data, instead):
    """HTML of the part that grows a top-down tree for the (alpha, beta) and the depth that a reader sets.

    Parameters
    ----------
    data, instead : as in `price_of_a_leaf`

    Returns
    -------
    str
    """
    colours = f"{LOW_COLOR} {HIGH_COLOR}"
    return _part(
        "criterion", instead, _scripts("topdown", parts=("criterion.js",)), table=data, colours=colours
    )


def dyadic_price(data, instead):
    """HTML of the part that finds all optimal dyadic trees and shows that of the price that a reader sets.

    Parameters
    ----------
    data, instead : as in `price_of_a_leaf`

    Returns
    -------
    str
    """
    scripts = _scripts("dyadic", parts=("halving.js",))
    return _part("dyadic", instead, scripts, table=data, colours=" ".join(CLASS_COLORS))


def born_again(data, instead):
    """HTML of the part that grows a forest as a reader sets it, and finds its born-again tree.

    Parameters
    ----------
    data, instead : as in `price_of_a_leaf`

    Returns
    -------
    str
    """
    scripts = _scripts("topdown", "bornagain", parts=("rebirth.js",))
    return _part("bornagain", instead, scripts, table=data, colours=" ".join(CLASS_COLORS))


def bounds(data, price, instead):
    """HTML of the part that counts the trees of the paper's branch and bound under the bounds a reader sets.

    Parameters
    ----------
    data, instead : as in `price_of_a_leaf`
    price : float, leaf penalty

    Returns
    -------
    str
    """
    return _branching("bounds", data, price, instead, ("branching.js",))


def search_steps(data, price, instead):
    """HTML of the part that shows the paper's branch and bound tree by tree.

    Parameters
    ----------
    data, price, instead : as in `bounds`

    Returns
    -------
    str
    """
    colours = f"{method_color('exact')} {method_color('peers')}"
    return _branching("steps", data, price, instead, ("chart.js", "branching.js"), colours=colours)


def _branching(kind, data, price, instead, parts, **given):
    given |= {"table": data, "price": str(price)}
    given |= {"bounds": " ".join(BOUNDS), "usual": " ".join(DEFAULT_BOUNDS)}
    return _part(kind, instead, _scripts("branching", parts=parts), **given)
