"""Which source files a module stands on, and a digest of their contents.

Three things must notice an edit of the library: the compiled kernels kept on disk, the executed pages
of the book, and the stored results. All three ask this module, which reads the ``import`` statements
(it runs nothing) and follows them inside ``treelib``.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def module_path(name):
    """File of the ``treelib`` module called `name` (dotted), or None when there is no such module."""
    stem = PACKAGE.parent.joinpath(*name.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


def imported_modules(source):
    """Names of the ``treelib`` modules that Python `source` imports, anywhere in it.

    ``import treelib`` alone names nothing: the public names behind it are found by their use,
    ``treelib.NAME`` or ``from treelib import NAME``, also under another name (``import treelib as tl``).
    So are those of the packages in it, ``from treelib.sparse import NAME``.
    """
    tree = ast.parse(source)
    found, aliases = set(), {"treelib": "treelib"}

    def add(dotted):
        parts = dotted.split(".")
        if parts[0] != "treelib":
            return
        for n in range(1, len(parts)):
            home = public_names(".".join(parts[:n])).get(parts[n])
            if home:
                found.add(home)
                return
        while len(parts) > 1:
            if module_path(".".join(parts)):
                found.add(".".join(parts))
                return
            parts.pop()

    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                add(alias.name)
                if alias.asname and alias.name.partition(".")[0] == "treelib":
                    aliases[alias.asname] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                add(f"{node.module}.{alias.name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name, _, rest = (_dotted(node) or "").partition(".")
            if name in aliases:
                add(f"{aliases[name]}.{rest}")
    return found


def closure(modules, without=()):
    """All ``treelib`` modules that `modules` stand on, themselves and their packages included, sorted.

    `without` : names of modules, or of packages with all they hold, that are left out and not followed.
    """
    seen, todo = set(), list(modules)
    while todo:
        name = todo.pop()
        path = module_path(name)
        left_out = any(f"{name}.".startswith(f"{other}.") for other in without)
        if name in seen or path is None or left_out:
            continue
        seen.add(name)
        todo.extend(_imports_of(path, path.stat().st_mtime_ns))
        parent = name.rpartition(".")[0]
        if parent and parent != "treelib":
            todo.append(parent)
    return tuple(sorted(seen))


def digest(modules):
    """Hexadecimal SHA-256 (first 16 digits) of the sources of ``closure(modules)``."""
    state = hashlib.sha256()
    for name in closure(modules):
        state.update(name.encode() + b"\0" + module_path(name).read_bytes() + b"\0")
    return state.hexdigest()[:16]


def code_digest(modules, without=(), describing=()):
    """Hexadecimal digest (16 digits) of what the code of ``closure(modules, without)`` does.

    Unlike `digest` it is of the syntax tree: comments, docstrings and layout do not count, so that stored
    results survive a better wording. It is the same under every version of Python.

    `describing` : pairs (function, keyword) of str; what a call of a function of this name hands to this
    keyword does not count either.
    """
    state = hashlib.sha256()
    for name in closure(modules, without):
        path = module_path(name)
        state.update(f"{name} {_code_of(path, path.stat().st_mtime_ns, describing)}\n".encode())
    return state.hexdigest()[:16]


@cache
def _code_of(path, _modified, describing):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if describing:
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            function = (_dotted(call.func) or "").rpartition(".")[2]
            call.keywords = [one for one in call.keywords if (function, one.arg) not in describing]
    return hashlib.sha256("".join(_spell(tree)).encode()).hexdigest()


def _spell(node):
    """Syntax tree as pieces of text: names of nodes and their filled fields (empty ones vary by version)."""
    if isinstance(node, ast.AST):
        yield f"{type(node).__name__}("
        for field, value in ast.iter_fields(node):
            if field == "body" and isinstance(value, list) and _is_docstring(node, value):
                value = value[1:]
            if value is not None and value != []:
                yield f"{field}="
                yield from _spell(value)
        yield ")"
    elif isinstance(node, list):
        for item in node:
            yield from _spell(item)
    else:
        yield f"{type(node).__name__} {node!a},"


def _is_docstring(node, body):
    documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    return (
        documented
        and bool(body)
        and isinstance(body[0], ast.Expr)
        and isinstance(getattr(body[0].value, "value", None), str)
    )


@cache
def _imports_of(path, _modified):
    return tuple(imported_modules(path.read_text(encoding="utf-8")))


def public_names(package):
    """The names that a package offers (`treelib.public`), dict of name to the module that defines it."""
    path = PACKAGE.parent.joinpath(*package.split("."), "__init__.py")
    return _public_names(path, path.stat().st_mtime_ns) if path.is_file() else {}


@cache
def _public_names(path, _modified):
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_PUBLIC":
            return ast.literal_eval(node.value)
    return {}


def _dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return ".".join([node.id, *reversed(parts)])
    return None
