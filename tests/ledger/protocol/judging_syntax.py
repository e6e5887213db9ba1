"""Typed evidence, and verdicts that go around the rules, read from the syntax of the code that judges."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
JUDGING = "treelib.ledger.protocol.judging"
CALLS = ("judge", "judge_statement", "untestable")
# what gives a verdict, or what it rests on, without `JUDGING`: module to its names
BESIDE = {
    "treelib.ledger.claims": (*CALLS, "Verdict"),
    "treelib.ledger.protocol.rulebook": ("decide",),
    "treelib.ledger.protocol.rules": ("Outcome", "RULES"),
}
OUTCOME = ("verdict", "rule", "refused")  # attributes of a verdict that nobody changes afterwards
EVIDENCE = {
    "judge": ((1,), ("ours",)),
    "judge_statement": ((1,), ("holds", "trials")),
    "Trials": ((0, 1), ("cases", "failed")),
    "Trials.of": ((0,), ("results",)),
    "Draws": ((0,), ("values",)),
    "Ratio": ((0, 1), ("value", "anchor")),
    "Readings": ((2,), ("values",)),
    "Wins": ((0, 1), ("counts", "n_runs")),
}
# a constant stays one in these
CONVERTERS = (
    "len",
    "int",
    "float",
    "bool",
    "str",
    "round",
    "abs",
    "sum",
    "min",
    "max",
    "sorted",
    "tuple",
    "list",
)
CONVERTERS += ("Fraction", "Decimal", "np.array", "np.asarray")
AROUND, TYPED = "around the rules", "typed evidence"


def offenders(source):
    """Offending calls of Python `source`: Counter of (function, kind)."""
    tree = ast.parse(source)
    names = _imported(tree)
    found = Counter()
    for function, nodes in _functions(tree):
        local = _locals(nodes)
        found[function, AROUND] += sum(map(_changes_an_outcome, nodes))
        found[function, AROUND] += sum(
            names.get(ast.unparse(node)) == AROUND
            for node in nodes
            if isinstance(node, (ast.Name, ast.Attribute))
        )
        calls = [(names.get(ast.unparse(node.func)), node) for node in nodes if isinstance(node, ast.Call)]
        for name, node in calls:
            found[function, TYPED] += any(_is_typed(part, local) for part in _handed(name, node))
        if any(name == "judge_statement" for name, _ in calls):
            found[function, TYPED] += _truths_in_tables(nodes)
    return +found


def everywhere():
    """Offending calls of the package: dict of path to Counter of (function, kind)."""
    found = {}
    for path in sorted((ROOT / "treelib").rglob("*.py")):
        place = path.relative_to(ROOT)
        if "ledger" not in place.parts:
            found[place.as_posix()] = offenders(path.read_text(encoding="utf-8"))
    return {place: dict(some) for place, some in found.items() if some}


def _imported(tree):
    """What the names of a module stand for: dict of their text to a name of `JUDGING`, or to `AROUND`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.update(_known(alias.asname or alias.name, alias.name))
        if not isinstance(node, ast.ImportFrom):
            continue
        for alias in node.names:
            own = alias.asname or alias.name
            if alias.name in BESIDE.get(node.module, ()):
                found[own] = AROUND
            elif node.module in (JUDGING, "treelib.ledger.protocol.evidence"):
                found[own] = alias.name
            else:
                found.update(_known(own, f"{node.module}.{alias.name}"))
    found.update({f"{own}.of": "Trials.of" for own, name in list(found.items()) if name == "Trials"})
    return found


def _known(own, module):
    """What the attributes of a module stand for that a file calls `own`: as for `_imported`."""
    if module == JUDGING:
        return {f"{own}.{name}": name for name in (*CALLS, *EVIDENCE)}
    return {f"{own}.{name}": AROUND for name in BESIDE.get(module, ())}


def _changes_an_outcome(node):
    """Whether a node is ``replace(verdict, verdict=...)`` of `dataclasses`."""
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "replace"
        and any(keyword.arg in OUTCOME for keyword in node.keywords)
    )


def _functions(tree):
    """(name, nodes) of each function, nested ones with their own; the rest as ``<module>``."""
    owners, todo = {}, [(tree, "<module>")]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, ast.FunctionDef):
            owner = node.name
        owners.setdefault(owner, []).append(node)
        todo.extend((child, owner) for child in ast.iter_child_nodes(node))
    return owners.items()


def _locals(nodes):
    """Values assigned to the plain names of a function: dict of name to list of nodes."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.comprehension, ast.NamedExpr)):
            for name in ast.walk(node.target):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(None)
    return found


def _handed(name, call):
    places, keywords = EVIDENCE.get(name, ((), ()))
    yield from (call.args[place] for place in places if place < len(call.args))
    yield from (keyword.value for keyword in call.keywords if keyword.arg in keywords)


def _is_typed(node, local, deep=0):
    """Whether an expression is made of nothing but what somebody typed."""

    def typed(some):
        return _is_typed(some, local, deep + 1)

    if node is None or deep > 20:
        return False
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        values = local.get(node.id)
        return node.id.isupper() if values is None else all(map(typed, values))
    if isinstance(node, ast.Attribute):
        return node.attr.isupper() or (isinstance(node.value, ast.Subscript) and typed(node.value))
    if isinstance(node, ast.Subscript):
        return typed(node.value)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in CONVERTERS and bool(node.args) and all(map(typed, node.args))
    if isinstance(node, ast.IfExp):
        return typed(node.body) or typed(node.orelse)
    if isinstance(node, ast.Dict):
        return bool(node.values) and all(map(typed, node.values))
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        truths = any(isinstance(one, ast.Constant) and isinstance(one.value, bool) for one in ast.walk(node))
        return truths or (bool(node.elts) and all(map(typed, node.elts)))
    if isinstance(node, ast.Compare):
        return typed(node.left) and all(map(typed, node.comparators))
    if isinstance(node, ast.BoolOp):
        return all(map(typed, node.values))
    if isinstance(node, ast.BinOp):
        return typed(node.left) and typed(node.right)
    return isinstance(node, ast.UnaryOp) and typed(node.operand)


def _truths_in_tables(nodes):
    """True or False that stands in a table of a function, from which a statement could be judged."""
    return sum(
        isinstance(one, ast.Constant) and isinstance(one.value, bool)
        for node in nodes
        for one in (
            node.elts if isinstance(node, ast.Tuple) else node.values if isinstance(node, ast.Dict) else ()
        )
    )
