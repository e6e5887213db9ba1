"""treelib: the numba package beneath the executable companion to four papers on decision trees.

Public names are imported on first use, so that ``import treelib`` costs next to nothing and a
program pays only for the method it uses.
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
