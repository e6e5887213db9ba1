"""A tree written for people and other programs, and read again; fitted models as programs that predict.

In text, rules and drawings a missing value counts as larger than every number, and so goes to the right,
unless the words say "or missing" or "and not missing". Of columns that missed nothing in training
(`Tree.features_with_missing`) they do not say where a missing value goes. A tree that was made from numbers
alone (`Tree.refuses_missing`) has no answer for a row with a missing value: its programs refuse the row, its
SQL is NULL there.
"""

from treelib.public import public

_PUBLIC = {
    "from_json": "treelib.tree.formats.reading",
    "from_sklearn": "treelib.tree.formats.reading",
    "to_c": "treelib.tree.formats.c",
    "to_dot": "treelib.tree.formats.dot",
    "to_javascript": "treelib.tree.formats.javascript",
    "to_json": "treelib.tree.formats.json",
    "to_onnx": "treelib.tree.formats.onnx",
    "to_rules": "treelib.tree.formats.text",
    "to_sklearn": "treelib.tree.formats.sklearn",
    "to_sql": "treelib.tree.formats.sql",
    "to_svg": "treelib.tree.formats.svg",
    "to_text": "treelib.tree.formats.text",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
