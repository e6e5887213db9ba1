"""Which source files a module stands on, and a digest of their contents.

Two things must notice any edit of a file beneath them: the compiled kernels kept on disk and the executed
pages of the book. Both ask this module, which reads the ``import`` statements (it runs nothing) and follows
them inside ``treelib``. Stored results follow functions instead (`treelib.ledger.reach`).
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

from treelib.compiled import parsed

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
    return _homes(names_in(source))


def names_in(source):
    """Dotted names below ``treelib`` that the statements of Python `source` import or use, sorted."""
    tree = ast.parse(source)
    found, aliases = set(), {"treelib": "treelib"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.add(alias.name)
                if alias.asname and alias.name.partition(".")[0] == "treelib":
                    aliases[alias.asname] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:  # not the beginnings of `a.b.c`
            name, _, rest = (_dotted(node) or "").partition(".")
            if name in aliases:
                found.add(f"{aliases[name]}.{rest}")
    return sorted(name for name in found if name.startswith("treelib."))


def _homes(names):
    """The modules that define dotted names, as a set."""
    return {home for dotted in names if (home := _home(dotted.split(".")))}


def _home(parts):
    """The module that defines a dotted name, given in its parts, or the longest beginning that is one."""
    for n in range(1, len(parts)):
        home = public_names(".".join(parts[:n])).get(parts[n])
        if home:
            return home
    while len(parts) > 1:
        if module_path(".".join(parts)):
            return ".".join(parts)
        parts = parts[:-1]
    return None


def closure(modules):
    """All ``treelib`` modules that `modules` stand on, themselves and their packages included, sorted."""
    seen, todo = set(), list(modules)
    while todo:
        name = todo.pop()
        path = module_path(name)
        if name in seen or path is None:
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


@cache
def _imports_of(path, _modified):
    return tuple(_homes(parsed.read(path.read_bytes(), names_in)))


def public_names(package):
    """The names that a package offers (`treelib.public`), dict of name to the module that defines it."""
    path = PACKAGE.parent.joinpath(*package.split("."), "__init__.py")
    return _public_names(path, path.stat().st_mtime_ns) if path.is_file() else {}


@cache
def _public_names(path, _modified):
    return parsed.read(path.read_bytes(), public_table)


def public_table(source):
    """The literal called ``_PUBLIC`` of Python `source`; {} where there is none."""
    for node in ast.parse(source).body:
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
