"""What the code that judges hands over, read from its syntax: calls without a rule, and typed evidence.

``python tests/suites/judging_syntax.py`` writes the list of today's offenders anew. It refuses a longer
one. The list is to become empty: what remains are verdicts given before there were rules.
"""

import ast
import csv
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "suites" / "judging_offenders.csv"
OLD, NEW = "treelib.ledger.claims", "treelib.ledger.protocol.judging"
CALLS = ("judge", "judge_statement", "untestable")
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
WITHOUT_RULE, TYPED = "without a rule", "typed evidence"


def offenders(source):
    """Offending calls of Python `source`: Counter of (function, kind)."""
    tree = ast.parse(source)
    names = _imported(tree)
    found = Counter()
    if not names:
        return found
    for function, nodes in _functions(tree):
        calls = [(names.get(ast.unparse(node.func)), node) for node in nodes if isinstance(node, ast.Call)]
        calls = [(known, node) for known, node in calls if known]
        local = _locals(nodes)
        for (module, name), node in calls:
            if module == OLD:
                found[function, WITHOUT_RULE] += 1
            found[function, TYPED] += any(_is_typed(part, local) for part in _handed(name, node))
        if any(name == "judge_statement" for (_, name), _ in calls):
            found[function, TYPED] += _truths_in_tables(nodes)
    return +found


def everywhere():
    """Offending calls of the package: Counter of (function, kind)."""
    found = Counter()
    for path in sorted((ROOT / "treelib").rglob("*.py")):
        if "ledger" not in path.relative_to(ROOT).parts:
            found += offenders(path.read_text(encoding="utf-8"))
    return found


def listed():
    """The offenders of the list: Counter of (function, kind)."""
    with open(LIST, newline="", encoding="utf-8") as lines:
        return Counter({(row["function"], row["kind"]): int(row["count"]) for row in csv.DictReader(lines)})


def _imported(tree):
    """What the names of a module stand for: dict of text of a call's function to (module, name)."""
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        for alias in node.names:
            own = alias.asname or alias.name
            whole = f"{node.module}.{alias.name}"
            if node.module == OLD and alias.name in CALLS:
                found[own] = OLD, alias.name
            elif node.module == NEW or (
                node.module == "treelib.ledger.protocol.evidence" and alias.name in EVIDENCE
            ):
                found[own] = NEW, alias.name
            elif whole in (OLD, NEW):
                known = CALLS if whole == OLD else (*CALLS, *EVIDENCE)
                found.update({f"{own}.{name}": (whole, name) for name in known})
    found.update(
        {f"{own}.of": (NEW, "Trials.of") for own, (_, name) in list(found.items()) if name == "Trials"}
    )
    return found


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


def renew():
    """Write the list of today's offenders; returns the exit code."""
    now = everywhere()
    if LIST.is_file():
        for kind in (WITHOUT_RULE, TYPED):
            counts = [sum(n for (_, one), n in some.items() if one == kind) for some in (listed(), now)]
            if counts[1] > counts[0]:
                print(f"{kind}: {counts[1]} now, {counts[0]} listed: mend the new ones.", file=sys.stderr)
                return 1
    with open(LIST, "w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("function", "kind", "count"))
        writer.writerows((*key, n) for key, n in sorted(now.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(renew())
