"""scikit-learn's own tests of its trees and forests, made to test ours.

The file that the installed scikit-learn ships is read, and run with our classes under the names of its own.
What it says of `ExtraTree...` and `RandomTreesEmbedding`, which have no counterpart here, is cut out.
Nothing else is changed: no parameter is renamed, no test is mended.
"""

import ast
import importlib.util
import sys
import types

import treelib

OURS = {
    "DecisionTreeClassifier": treelib.TopDownTreeClassifier,
    "DecisionTreeRegressor": treelib.TopDownTreeRegressor,
    "RandomForestClassifier": treelib.TopDownForestClassifier,
    "RandomForestRegressor": treelib.TopDownForestRegressor,
}
SUITES = {"tree": "sklearn.tree.tests.test_tree", "forest": "sklearn.ensemble.tests.test_forest"}
_THEIRS = ("ExtraTree", "RandomTreesEmbedding")


def tests_of(suite):
    """Module of one of the `SUITES` with our classes in the place of scikit-learn's."""
    spec = importlib.util.find_spec(SUITES[suite])
    with open(spec.origin, encoding="utf-8") as file:
        source = _Cut().visit(ast.parse(file.read()))
    module = types.ModuleType(f"{spec.name.rpartition('.')[2]}_on_treelib")
    module.__file__ = spec.origin
    sys.modules[module.__name__] = module  # pickles of its helpers ask for it
    exec(compile(ast.fix_missing_locations(source), spec.origin, "exec"), vars(module))
    return module


class _Cut(ast.NodeTransformer):
    """Takes out what concerns the classes without a counterpart, and puts ours into the imports."""

    def visit_Module(self, module):
        kept = []
        for statement in module.body:
            found = self.visit(statement)
            if isinstance(found, ast.FunctionDef) and _concerns_theirs(found):
                continue
            kept += found if isinstance(found, list) else [found]
        return ast.Module(kept, module.type_ignores)

    def visit_ImportFrom(self, node):
        taken = [name for name in node.names if name.name in OURS]
        node.names = [name for name in node.names if name.name not in OURS] or [ast.alias("__name__")]
        if not taken:
            return node
        return [node, ast.ImportFrom(__name__, [ast.alias(name.name) for name in taken], 0)]

    def visit_Dict(self, node):
        self.generic_visit(node)
        both = [pair for pair in zip(node.keys, node.values, strict=True) if not _is_theirs(pair[0])]
        return ast.Dict([key for key, _ in both], [value for _, value in both])

    def visit_List(self, node):
        self.generic_visit(node)
        node.elts = [element for element in node.elts if not _is_theirs(element)]
        return node


def _concerns_theirs(node):
    return any(isinstance(part, ast.Name) and part.id.startswith(_THEIRS) for part in ast.walk(node))


def _is_theirs(element):
    """Whether an entry of a list is a name, a class or a case of the classes without a counterpart."""
    if isinstance(element, ast.Constant):
        return isinstance(element.value, str) and element.value.startswith(_THEIRS)
    return element is not None and _concerns_theirs(element)


def __getattr__(name):
    if name in OURS:
        return OURS[name]
    raise AttributeError(name)
