"""The one stored tree of all methods: built, walked, compared, labelled, drawn."""

from treelib.public import public

_PUBLIC = {
    "Tree": "treelib.tree.stored",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
