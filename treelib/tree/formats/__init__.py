"""A tree written for people and other programs, and read again; fitted models as programs that predict.

In text, rules and drawings a missing value counts as larger than every number, and so goes to the right,
unless the words say "or missing" or "and not missing". For features without missing values in training
(`Tree.features_with_missing`) they do not say where a missing value goes. A tree with `Tree.refuses_missing`
makes no prediction for a sample with a missing value: its programs reject the sample, and its SQL gives NULL.
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
