"""treelib: decision trees in numba, the package behind the executable companion to four papers.

Public names are imported on first use: ``import treelib`` is fast, and a program loads only the methods
it uses.
"""

from treelib.public import public

__version__ = "1.0.0rc1"

# public name -> module that defines it; `treelib.compiled.sources` reads this table to follow imports
_PUBLIC = {
    "BayesianTreeClassifier": "treelib.topdown.bayes.estimator",
    "BornAgainTreeClassifier": "treelib.bornagain.estimator",
    "DyadicTreeClassifier": "treelib.dyadic.estimator",
    "OptimalSparseTreeClassifier": "treelib.sparse.estimator",
    "TopDownForestClassifier": "treelib.topdown.forest",
    "TopDownForestRegressor": "treelib.topdown.forest",
    "TopDownTreeClassifier": "treelib.topdown.estimator",
    "TopDownTreeRegressor": "treelib.topdown.estimator",
    "Tree": "treelib.tree.stored",
    "compress": "treelib.bornagain.compression.search",
    "keep_going": "treelib.search.interrupt",
    "tune": "treelib.owndata.by_options",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
