"""Optimal dyadic decision trees (Hush and Porter 2010).

``dyadic.solution_path(X, y)`` gives all optimal trees, `treelib.DyadicTreeClassifier` the one for a price.
"""

from importlib import import_module

# imported on first use: the kernels below this package must not stand on what uses them
_PUBLIC = {"solution_path": "treelib.dyadic.solutions"}


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_PUBLIC])
