"""Optimal dyadic decision trees (Hush and Porter 2010).

``solution_path(X, y)`` gives all optimal trees, `treelib.DyadicTreeClassifier` the one for a leaf penalty.
"""

from treelib.public import public

_PUBLIC = {
    "DyadicGrid": "treelib.dyadic.boxes",
    "GridSettings": "treelib.dyadic.training",
    "solution_path": "treelib.dyadic.solutions",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
