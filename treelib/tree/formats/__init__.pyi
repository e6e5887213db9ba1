# Written by .ci/stubs.py from the signatures and its tables of types; not to be edited.
from treelib.tree.formats.c import to_c as to_c
from treelib.tree.formats.dot import to_dot as to_dot
from treelib.tree.formats.javascript import to_javascript as to_javascript
from treelib.tree.formats.json import to_json as to_json
from treelib.tree.formats.onnx import to_onnx as to_onnx
from treelib.tree.formats.reading import from_json as from_json
from treelib.tree.formats.reading import from_sklearn as from_sklearn
from treelib.tree.formats.sklearn import to_sklearn as to_sklearn
from treelib.tree.formats.sql import to_sql as to_sql
from treelib.tree.formats.svg import to_svg as to_svg
from treelib.tree.formats.text import to_rules as to_rules
from treelib.tree.formats.text import to_text as to_text
