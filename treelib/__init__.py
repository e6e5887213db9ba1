"""treelib: the numba package beneath the executable companion to four papers on decision trees.

Public names are imported on first use, so that ``import treelib`` costs next to nothing and a
program pays only for the method it uses.
"""

from importlib import import_module

__version__ = "0.1.0"

# public name -> module that defines it; `treelib.sources` reads this table to follow imports
_PUBLIC = {
    "BayesianTreeClassifier": "treelib.topdown.bayesian",
    "BornAgainTreeClassifier": "treelib.bornagain.estimator",
    "DyadicTreeClassifier": "treelib.dyadic.estimator",
    "OptimalSparseTreeClassifier": "treelib.sparse.estimator",
    "TopDownForestClassifier": "treelib.topdown.forest",
    "TopDownForestRegressor": "treelib.topdown.forest",
    "TopDownTreeClassifier": "treelib.topdown.estimator",
    "TopDownTreeRegressor": "treelib.topdown.estimator",
    "Tree": "treelib.tree",
    "compress": "treelib.bornagain.compress",
}

__all__ = [
    "BayesianTreeClassifier",
    "BornAgainTreeClassifier",
    "DyadicTreeClassifier",
    "OptimalSparseTreeClassifier",
    "TopDownForestClassifier",
    "TopDownForestRegressor",
    "TopDownTreeClassifier",
    "TopDownTreeRegressor",
    "Tree",
    "compress",
]


def __getattr__(name):
    if name in _PUBLIC:
        value = getattr(import_module(_PUBLIC[name]), name)
        globals()[name] = value
        return value
    try:
        return import_module(f"treelib.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"treelib.{name}":
            raise
        raise AttributeError(f"module 'treelib' has no attribute {name!r}") from None


def __dir__():
    return sorted([*globals(), *_PUBLIC])
