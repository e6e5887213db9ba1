"""What a function of the package reaches, and a digest of it: the key of a stored result stands on this.

`digest` follows a function to every function, class and constant of the package that it names, through
imports, and on from there; it runs nothing. The digest is of the syntax of all of these, in which a name of
the package stands as the number of the definition that is meant, numbered as they are met. So it stays the
same when a definition moves to another module or is renamed, and when a comment, a docstring, an annotation
or the text of an error or a warning is mended. Everything else counts. Where it is not plain what a name
means, as for a local variable called like a function of its module, both count: to renew a result in vain is
cheap, to keep a wrong one is not.

What counts
-----------
- A class with its bases, decorators and all its methods; a method is followed by its class alone.
- A name with all statements of its module that bind it, or that may change what it holds, such as
  ``TABLE["x"] = 1`` or ``fill(TABLE)``. What one module changes in another is not followed; a test holds
  that there is none.
- A module that is handed about as a value, as in ``getattr(module, name)``: all it defines or imports.
- ``__name__`` with what the module does when it is run as a program, as in ``python -m``.

What does not
-------------
- Places that are set apart, such as data sets, whose contents are in the key by their checksums; what is
  called there counts by its name. A decorator from such a place does not count.
- What goes by a text: ``import_module``, ``getattr`` of a text that comes from elsewhere, a table that
  decorators fill. An experiment declares it: ``depends``.
"""

import ast
import builtins
import hashlib
from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from treelib.compiled import sources

WHOLE = "*"  # the name of a module that is handed about
WARNS = {"warn", "warn_stopped"}  # functions that warn: their text is none of what an experiment computes
_DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_IMPORTS = ast.Import | ast.ImportFrom
_UNSPOKEN = {"ctx", "kind", "type_comment", "returns"}


class Ref(NamedTuple):
    """A definition of the package: the module it stands in and its name there."""

    module: str
    name: str


def digest(what, apart=()):
    """Hexadecimal digest (16 digits) of a definition of the package and of all it reaches.

    Parameters
    ----------
    what : function, class, or its address, ``module.name``. One from outside the package counts by its
        address alone, and so does one that was made inside a function.
    apart : tuple of str, modules, or packages with all they hold, that do not count

    Raises
    ------
    ValueError
        The package has no such definition.
    """
    index = _index(_state(sources.PACKAGE), tuple(apart))
    start = index.start(_address(what))
    state = hashlib.sha256()
    if isinstance(start, str):
        state.update(start.encode())
    else:
        numbers = index.numbers(start)
        for ref in numbers:
            text, links = index.spelt(ref)
            state.update(f"{text}{[numbers[link] for link in links]}".encode())
    return state.hexdigest()[:16]


def reached(what, apart=()):
    """All definitions that `digest` stands on, sorted list of ``module.name``."""
    index = _index(_state(sources.PACKAGE), tuple(apart))
    start = index.start(_address(what))
    return [] if isinstance(start, str) else sorted(map(".".join, index.numbers(start)))


def _address(what):
    if isinstance(what, str):
        return what
    what = getattr(what, "py_func", what)
    return f"{what.__module__}.{what.__qualname__}"


def _state(package):
    """Files of the package with what tells whether they were edited."""
    return tuple((path, path.stat().st_mtime_ns) for path in sorted(package.rglob("*.py")))


@lru_cache(maxsize=4)
def _index(state, apart):
    return Index(state, apart)


@cache
def _module(path, _modified):
    return Module(path)


class Module:
    """What one file defines.

    Attributes
    ----------
    body : list of statements, without docstring and import lines
    imports : dict, name -> addresses that import lines give it, list of str
    statements : dict, name -> statements that bind it or may change what it holds, in the order of the file
    """

    def __init__(self, path):
        body = [one for one in ast.parse(path.read_text(encoding="utf-8")).body if not _is_docstring(one)]
        self.imports = imported(one for one in body if isinstance(one, _IMPORTS))
        self.body = [one for one in body if not isinstance(one, _IMPORTS)]
        self.statements = defaultdict(list)
        for node in self.body:
            for name in self.concerned(node):
                self.statements[name].append(node)

    def concerned(self, node):
        """Names of this module that a statement of it binds, or whose contents it may change, set of str."""
        if isinstance(node, _DEFINES):
            return {node.name}
        if isinstance(node, ast.If) and "__name__" in map(_id, ast.walk(node.test)):
            return {"__name__"}  # what a module does when it is run
        parts = [node]
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            parts = getattr(node, "targets", None) or [node.target]
        inner = [one for part in parts for one in ast.walk(part)]
        bound = {one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        bound |= set(imported(one for one in inner if isinstance(one, _IMPORTS)))
        return bound | set(map(_id, inner)) - {None} - set(self.imports) - set(dir(builtins))


def imported(nodes):
    """Names that import statements bind, dict of name to addresses, list of str."""
    found = defaultdict(list)
    for node in nodes:
        for alias in node.names:
            if alias.name == "*":
                raise ValueError(f"`from {node.module} import *` hides what is used; import it by name.")
            if isinstance(node, ast.ImportFrom):
                found[alias.asname or alias.name].append(f"{node.module}.{alias.name}")
            else:
                top = alias.name.partition(".")[0]
                found[alias.asname or top].append(alias.name if alias.asname else top)
    return found


class Index:
    """All definitions of the package, as its files are now."""

    def __init__(self, state, apart):
        self.apart, self.files, self._spelt = apart, {}, {}
        self.package = sources.PACKAGE.name
        for file in state:
            parts = file[0].relative_to(sources.PACKAGE.parent).with_suffix("").parts
            self.files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file

    def module(self, name):
        return _module(*self.files[name])

    def is_apart(self, module):
        return any(f"{module}.".startswith(f"{place}.") for place in self.apart)

    def locate(self, parts):
        """What an address means, through imports and public names: (`Ref` or text, the attributes left).

        parts : list of str, the address and attributes asked of it
        """
        seen = set()
        module, *rest = parts
        while rest and parts[0] == self.package:
            name, here = rest[0], self.module(module)
            if name in here.statements:
                return f"apart.{name}" if self.is_apart(module) else Ref(module, name), rest[1:]
            address = here.imports[name][-1] if name in here.imports else self.public(module, name)
            # a package may import a function from a module of the same name, as `treelib.public.public`
            if address not in (None, f"{module}.{name}", ".".join([module, *rest])):
                if (module, name) in seen:
                    raise ValueError(f"{module}: {name!r} is imported in a circle and defined nowhere.")
                seen.add((module, name))
                parts = [*address.split("."), *rest[1:]]
                module, *rest = parts
            elif f"{module}.{name}" in self.files:
                module, rest = f"{module}.{name}", rest[1:]
            else:
                break
        if parts[0] != self.package:
            return ".".join(parts), []
        return (".".join(["apart", *rest]), []) if self.is_apart(module) else (Ref(module, WHOLE), rest)

    def public(self, module, name):
        home = sources.public_names(module).get(name)
        return home and f"{home}.{name}"

    def start(self, address):
        found, rest = self.locate(address.split("."))
        if isinstance(found, Ref) and found.name == WHOLE and rest:
            raise ValueError(f"The package has no definition {address!r}; give the function or class itself.")
        return found

    def spelt(self, ref):
        """(digest of the text of a definition, definitions that it names in the order of the text)."""
        if ref not in self._spelt:
            here = self.module(ref.module)
            if ref.name == WHOLE:
                words = sorted({*here.statements, *here.imports})
                found = [self.locate([*ref.module.split("."), name])[0] for name in words]
                links = [one for one in found if isinstance(one, Ref) and one.name != WHOLE]
            else:
                spelt = [Spelling(self, ref.module, node) for node in here.statements[ref.name]]
                words = [word for one in spelt for word in one.words]
                links = [link for one in spelt for link in one.links]
            self._spelt[ref] = hashlib.sha256(" ".join(words).encode()).hexdigest(), links
        return self._spelt[ref]

    def numbers(self, start):
        """All definitions from `start` on, numbered as they are met, dict of `Ref` to int."""
        found, todo = {start: 0}, [start]
        for ref in todo:
            for link in self.spelt(ref)[1]:
                if link not in found:
                    found[link] = len(found)
                    todo.append(link)
        return found


class Spelling:
    """One statement of a module.

    Attributes
    ----------
    words : list of str, its syntax
    links : list of `Ref`, the definitions that it names, in the order of the words
    """

    def __init__(self, index, module, statement):
        self.index, self.module, self.statement = index, module, statement
        self.words, self.links, self.local = [], [], set()
        inner = [one for one in ast.walk(statement) if one is not statement]
        self.messages = {one.exc for one in inner if isinstance(one, ast.Raise)}
        self.imports = imported(one for one in inner if isinstance(one, _IMPORTS))
        if isinstance(statement, _DEFINES):
            self.local = set().union(*map(_binds, inner))
        else:
            for name in self.imports:
                self.name(name, [])
        if not (isinstance(statement, ast.Expr) and self.calls_apart(statement.value)):
            self.node(statement)

    def say(self, found, attributes):
        if isinstance(found, Ref):
            self.links.append(found)
            found = "@"
        self.words.append(".".join([found, *attributes]))

    def meanings(self, root, attributes):
        """What a name of the module may mean: list of (`Ref` or text, attributes left)."""
        here = self.index.module(self.module)
        addresses = [*here.imports.get(root, ()), *self.imports.get(root, ())]
        found = [(Ref(self.module, root), attributes)] if root in here.statements else []
        return found + [self.index.locate([*address.split("."), *attributes]) for address in addresses]

    def name(self, root, attributes):
        found = self.meanings(root, attributes)
        for meaning in found:
            self.say(*meaning)
        if root in self.local or not found:
            self.say(root, attributes)

    def called(self, node):
        """What a call, or a call of its value, calls: a `Ref` or a text."""
        while isinstance(node, ast.Call):
            node = node.func
        found = self.meanings(*_unchained(node))
        return found[0][0] if found else ""

    def calls_apart(self, node):
        return str(self.called(node)).startswith("apart.")

    def is_message(self, node):
        """Whether a node is a call that makes an error or a warning."""
        if not isinstance(node, ast.Call):
            return False
        called = self.called(node)
        return node in self.messages or called == "warnings.warn" or getattr(called, "name", "") in WARNS

    def node(self, node):
        if isinstance(node, list):
            for one in node:
                self.node(one)
        elif not isinstance(node, ast.AST):
            self.words.append(f"{type(node).__name__} {node!a}")
        elif _unchained(node)[0]:
            self.name(*_unchained(node))
        elif isinstance(node, ast.arg):  # without its annotation
            self.words.append(node.arg)
        elif isinstance(node, ast.Assert):
            self.node(node.test)
        elif not isinstance(node, _IMPORTS) and not _is_docstring(node):
            self.fields(node)

    def fields(self, node):
        without = set(_UNSPOKEN)
        self.words.append(f"{type(node).__name__}(")
        if node is self.statement and isinstance(node, _DEFINES):
            self.name(node.name, [])
            without.add("name")
        for field, value in ast.iter_fields(node):
            if field in without or value is None or value == []:
                continue
            if field == "decorator_list":
                value = [one for one in value if not self.calls_apart(one)]
            elif field in ("args", "keywords") and self.is_message(node):
                value = [one for one in value if not _is_text(one)]
            self.words.append(f"{field}=")
            self.node(value)
        self.words.append(")")


def _unchained(node):
    """Name and attributes of ``name.a.b``; (None, []) for the attributes of anything else."""
    attributes = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return (node.id, attributes[::-1]) if isinstance(node, ast.Name) else (None, [])


def _id(node):
    return node.id if isinstance(node, ast.Name) else None


def _binds(node):
    """Names that one node inside a definition binds, set of str."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, ast.alias | ast.keyword):
        return set()
    return {getattr(node, field, None) for field in ("name", "arg", "rest")} - {None}


def _is_docstring(node):
    """Whether a statement is a bare text, which does nothing."""
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def _is_text(node):
    """Whether an argument only makes a text of strings and values."""
    if isinstance(node, ast.keyword):
        return _is_text(node.value)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left)
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) and _is_text(node.orelse)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("format", "join") and _is_text(node.func.value)
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)
