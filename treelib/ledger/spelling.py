"""One definition of the package in canonical words: what it does, whatever its name and place.

A definition is a function, a class, or a name that statements of a module bind. `spell` gives its syntax tree
as pieces: text, and a `Ref` in each place where another definition of the package is meant. Left out are

- comments, layout, docstrings, annotations of functions;
- names of definitions and of local variables (parameters, attributes and fields of classes keep theirs, since
  callers use them);
- import lines: a name from outside counts by its full address, ``np.sum`` as ``numpy.sum``;
- text of errors and warnings: strings that ``raise X(...)``, a function that warns and ``assert`` are given.
  A result that holds such a text keeps the old wording until it is run again.
"""

import ast
from typing import NamedTuple

APART = "apart "  # begins the word for what stands in a place that does not count

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = {*_FUNCTIONS.__args__, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS.__args__}
# nodes that bind a name which they hold as a text, and the field it is in
_NAMING = {ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest"}
_UNSPOKEN = {"ctx", "kind", "type_comment", "returns"}
# statements that say where a name lives; the names themselves are resolved
_SILENT = ast.Global | ast.Nonlocal | ast.Pass


class Ref(NamedTuple):
    """A definition of the package: the module it stands in and its name there."""

    module: str
    name: str


# functions that warn, wherever they stand: their text is none of what an experiment computes
WARNS = {"warn", "warn_stopped"}


class Scope:
    """The names that one function, lambda, class body or comprehension binds.

    kind : {"module", "function", "class"}
    """

    def __init__(self, kind, parent=None, parameters=(), bound=None):
        bound = bound or Bound()
        self.kind, self.parent, self.parameters = kind, parent, set(parameters)
        self.elsewhere = bound.elsewhere
        # a name that two statements bind, one of them an import, is a variable
        mixed = {name for name, found in bound.imports.items() if len(set(found)) > 1} | bound.names
        self.locals = (mixed | set(bound.imports)) - self.elsewhere
        self.imports = {name: found[0] for name, found in bound.imports.items() if name not in mixed}


class Bound:
    """What a list of statements binds in its own scope: names, and names that imports bind (to addresses)."""

    def __init__(self, nodes=()):
        self.names, self.elsewhere, self.imports = set(), set(), {}
        for node in nodes:
            self._visit(node)

    def _visit(self, node):
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:
                self.names.add(node.id)
            return
        if kind in (ast.Import, ast.ImportFrom):
            for name, address in imported(node):
                self.imports.setdefault(name, []).append(address)
        elif kind in (ast.Global, ast.Nonlocal):
            self.elsewhere.update(node.names)
        elif kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            self.names.add(node.name)
        elif kind in _NAMING and getattr(node, _NAMING[kind]):
            self.names.add(getattr(node, _NAMING[kind]))
        if kind in _SCOPES:
            self._visit_walrus(node)
            return
        for field in node._fields:
            value = getattr(node, field, None)
            for one in value if type(value) is list else (value,):
                if isinstance(one, ast.AST) and one._fields:
                    self._visit(one)

    def _visit_walrus(self, node):
        """``:=`` inside a comprehension binds in the scope around it."""
        if isinstance(node, _COMPREHENSIONS):
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr):
                    self.names.add(inner.target.id)


def imported(node):
    """Pairs (name, address) that an import statement binds."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else 2 * (alias.name.partition(".")[0],)
    elif node.level == 0:
        for alias in node.names:
            if alias.name == "*":
                raise ValueError(f"`from {node.module} import *` hides what is used; import it by name.")
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def is_docstring(node):
    """Whether a statement is a bare text, which does nothing."""
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def is_text(node):
    """Whether an expression only makes a text of strings and values."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        return is_text(node.left) or (isinstance(node.op, ast.Add) and is_text(node.right))
    if isinstance(node, ast.IfExp):
        return is_text(node.body) and is_text(node.orelse)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("format", "join") and is_text(node.func.value)
    return isinstance(node, ast.JoinedStr)


def spell(statement, own, resolve):
    """Pieces of one statement of a module, list of str and `Ref`.

    Parameters
    ----------
    statement : ast.stmt
    own : str, the name in the module that is spelt
    resolve : callable of (name, attributes, whether the name is an address that an import gave) to (pieces,
        number of the attributes that they stand for), or None where the module does not bind the name
    """
    speller = _Speller(own, resolve)
    speller.statement(statement, Scope("module"))
    return speller.pieces


class _Speller:
    def __init__(self, own, resolve):
        self.own, self.resolve, self.pieces, self.numbers = own, resolve, [], {}

    def say(self, *words):
        self.pieces.extend(words)

    # ---- names ------------------------------------------------------------------------------------------

    def find(self, name, scope):
        """Where a name is bound: (how, what); how is "parameter", "local", "field", "import" or "module"."""
        first = scope
        while scope.kind != "module":
            if name in scope.elsewhere:
                scope = scope.parent
                while scope.kind == "class":
                    scope = scope.parent
                continue
            if scope.kind == "function" or scope is first:
                if name in scope.parameters:
                    return "parameter", name
                if name in scope.imports:
                    return "import", scope.imports[name]
                if name in scope.locals:
                    if scope.kind == "class":
                        return "field", name
                    return "local", self.numbers.setdefault((scope, name), len(self.numbers))
            scope = scope.parent
        return "module", name

    def chain(self, root, attributes, scope):
        """A name and the attributes asked of it."""
        how, what = self.find(root, scope)
        if how == "module" and what == self.own:
            self.say("self ")
        elif how in ("module", "import"):
            found = self.resolve(what, attributes, how == "import")
            if found is None:
                self.say(f"builtin {what} ")
            else:
                pieces, used = found
                self.say(*pieces)
                attributes = attributes[used:]
        else:
            self.say(f"{how} {what} ")
        for name in attributes:
            self.say(f".{name} ")

    def called(self, node, scope):
        """What a call, or a call of its value, calls: a `Ref`, a full address, or `APART` and a name."""
        while isinstance(node, ast.Call):
            node = node.func
        root, attributes = unchain(node)
        if root is None:
            return ""
        aside = _Speller(self.own, self.resolve)
        aside.chain(root, attributes, scope)
        return aside.pieces[0]

    def calls_apart(self, node, scope):
        """Whether a call is of what stands apart."""
        called = self.called(node, scope)
        return isinstance(called, str) and called.startswith(APART)

    # ---- the tree ---------------------------------------------------------------------------------------

    def statement(self, node, scope):
        if is_docstring(node) or isinstance(node, _SILENT):
            return
        if scope.kind == "module" and isinstance(node, ast.Expr):
            if self.calls_apart(node.value, scope):  # such as the registration of an experiment
                return
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.import_line(node, scope)
        elif isinstance(node, _FUNCTIONS):
            self.function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self.class_(node, scope)
        else:
            self.node(node, scope)

    def import_line(self, node, scope):
        """Said only where it is one of several statements that bind its name."""
        for name, address in imported(node):
            how, _ = self.find(name, scope)
            if how == "local" or (how == "module" and name == self.own):
                self.chain(name, [], scope)
                self.say("import ", *self.resolve(address, [], True)[0])

    def function(self, node, scope):
        self.say(f"{type(node).__name__}(")
        if scope.kind == "class":
            self.say(f"named {node.name} ")
        else:
            self.chain(node.name, [], scope)
        for decorator in node.decorator_list:
            if not self.calls_apart(decorator, scope):
                self.say("decorator=")
                self.node(decorator, scope)
        self.arguments(node.args, scope)
        names = [one.arg for one in _arguments_of(node.args)]
        inner = Scope("function", scope, names, Bound(node.body))
        self.say("body=")
        for one in node.body:
            self.statement(one, inner)
        self.say(")")

    def class_(self, node, scope):
        self.say("ClassDef(")
        if scope.kind == "class":
            self.say(f"named {node.name} ")
        else:
            self.chain(node.name, [], scope)
        for field in ("decorator_list", "bases", "keywords"):
            self.say(f"{field}=")
            for one in getattr(node, field):
                self.node(one, scope)
        inner = Scope("class", scope, (), Bound(node.body))
        self.say("body=")
        for one in node.body:
            self.statement(one, inner)
        self.say(")")

    def arguments(self, node, scope):
        self.say("arguments(")
        for field, value in ast.iter_fields(node):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.arg):
                    self.say(f"{field} {one.arg} ")
                elif value is not None:
                    self.say(f"{field}=")
                    self.node(one, scope)
        self.say(")")

    def node(self, node, scope):
        """Any other part of the tree."""
        if isinstance(node, list):
            for one in node:
                self.statement(one, scope) if isinstance(one, ast.stmt) else self.node(one, scope)
            return
        if not isinstance(node, ast.AST):
            self.say(f"{type(node).__name__} {node!a},")
            return
        root, attributes = unchain(node)
        if root is not None:  # spelt alike, whether a module or a name of it was imported
            self.chain(root, attributes, scope)
            return
        special = getattr(self, f"on_{type(node).__name__}", None)
        self.say(f"{type(node).__name__}(")
        if special:
            special(node, scope)
        else:
            self.fields(node, scope)
        self.say(")")

    def fields(self, node, scope, without=()):
        for field, value in ast.iter_fields(node):
            if field in _UNSPOKEN or field in without or value is None or value == []:
                continue
            self.say(f"{field}=")
            self.node(value, scope)

    def on_Attribute(self, node, scope):
        self.node(node.value, scope)
        self.say(f".{node.attr} ")

    def on_AnnAssign(self, node, scope):
        self.fields(node, scope, without=() if scope.kind == "class" else ("annotation", "simple"))

    def on_ExceptHandler(self, node, scope):
        self.named(node, "name", scope)

    on_MatchAs = on_MatchStar = on_ExceptHandler

    def on_MatchMapping(self, node, scope):
        self.named(node, "rest", scope)

    def named(self, node, field, scope):
        if getattr(node, field):
            self.chain(getattr(node, field), [], scope)
        self.fields(node, scope, without=(field,))

    def on_Lambda(self, node, scope):
        self.arguments(node.args, scope)
        names = [one.arg for one in _arguments_of(node.args)]
        self.node(node.body, Scope("function", scope, names, Bound([node.body])))

    def on_ListComp(self, node, scope):
        bound = Bound([one.target for one in node.generators])
        inner = Scope("function", scope, (), bound)
        for place, one in enumerate(node.generators):
            self.say("for ")
            self.node(one.iter, inner if place else scope)
            self.node(one.target, inner)
            self.node(one.ifs, inner)
            self.say(f"async {one.is_async} ")
        self.fields(node, inner, without=("generators",))

    on_SetComp = on_DictComp = on_GeneratorExp = on_ListComp

    def on_Raise(self, node, scope):
        if isinstance(node.exc, ast.Call):
            self.without_text(node.exc, scope)
            self.fields(node, scope, without=("exc",))
        else:
            self.fields(node, scope)

    def on_Call(self, node, scope):
        called = self.called(node, scope)
        if called == "warnings.warn " or (isinstance(called, Ref) and called.name in WARNS):
            self.without_text(node, scope)
        else:
            self.fields(node, scope)

    def on_Assert(self, node, scope):
        self.node(node.test, scope)

    def without_text(self, call, scope):
        self.node(call.func, scope)
        self.node([one for one in call.args if not is_text(one)], scope)
        self.node([one for one in call.keywords if not is_text(one.value)], scope)


def unchain(node):
    """Name and attributes of ``name.a.b``; (None, []) for the attributes of anything else."""
    attributes = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return (node.id, attributes[::-1]) if isinstance(node, ast.Name) else (None, [])


def _arguments_of(node):
    yield from (*node.posonlyargs, *node.args, *node.kwonlyargs)
    yield from (one for one in (node.vararg, node.kwarg) if one is not None)
