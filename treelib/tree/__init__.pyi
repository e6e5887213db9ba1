# Written by .ci/stubs.py from the signatures and its tables of types; not to be edited.
from treelib.tree.stored import Tree as Tree
