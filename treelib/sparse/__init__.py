"""Optimal sparse decision trees: misclassification error plus a penalty per leaf."""

from treelib.public import public

_PUBLIC = {
    "DEFAULT_BOUNDS": "treelib.sparse.paper.bounds",
    "all_but": "treelib.sparse.paper.branch_and_bound",
    "branch_and_bound": "treelib.sparse.paper.branch_and_bound",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
