"""What a function of the package reaches, and a digest of it: the key of a stored result stands on this.

`digest` follows a function to every function, class and constant of the package that it names, through
imports, and on from there; it runs nothing. Each definition is spelt in canonical words (`treelib.ledger.
spelling`) in which the digests of other definitions stand in the place of their names. So a digest stays the
same when modules are moved, split or renamed, when definitions are renamed or put in another order, and when
a text, a comment or an error message is mended; it changes when anything changes that is reached.

What counts
-----------
- A class with its bases, decorators and all its methods, since which of them is called is not known before it
  runs. A method is followed by its class alone: an object that was handed over brings its class with it.
- A name with all statements of its module that bind it, and with those that change what it holds:
  ``TABLE["x"] = 1``, ``TABLE.update(more)``, ``function.seen = False``, in whatever module of the package.
  A bare call, ``register(TABLE)``, counts for every name it is given.
- A module that is handed about as a value, as in ``getattr(module, name)``: all it defines, or imports from
  the package.
- ``__name__`` with what the module does when it is run as a program, as in ``python -m``.

What does not
-------------
- Places that are set apart, such as data sets, whose contents are in the key by their checksums; what is
  called there counts by its name. A decorator from such a place does not count.
- What goes by a text: ``import_module``, ``getattr`` of a text that comes from elsewhere, a table that
  decorators fill. An experiment declares it: ``depends``.
- Import lines; the name of a function or a class, also where a program asks for its ``__name__``.
"""

import ast
import hashlib
from collections import defaultdict
from functools import cache, lru_cache

from treelib.compiled import sources
from treelib.ledger.spelling import APART, Bound, Ref, is_docstring, spell, unchain

PROGRAM, WHOLE = "__name__", "*"


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
    return _index(_state(sources.PACKAGE), tuple(apart)).digest(_address(what))[:16]


def reached(what, apart=()):
    """All definitions that `digest` stands on, sorted list of ``module.name``."""
    index = _index(_state(sources.PACKAGE), tuple(apart))
    return sorted(f"{ref.module}.{ref.name}" for ref in index.reached(index.start(_address(what))))


def _address(what):
    if isinstance(what, str):
        return what
    what = getattr(what, "py_func", what)
    return f"{what.__module__}.{what.__qualname__}"


def _state(package):
    """Files of the package with what tells whether they were edited."""
    files = []
    for path in sorted(package.rglob("*.py")):
        stat = path.stat()
        files.append((path, stat.st_mtime_ns, stat.st_size))
    return tuple(files)


@lru_cache(maxsize=4)
def _index(state, apart):
    return Index(state, apart)


@cache
def _module(path, _modified, _size):
    return Module(path)


class Module:
    """What one file defines.

    Attributes
    ----------
    imports : dict, name -> address
    statements : dict, name -> statements that bind it or change what it holds, in the order of the file
    changes : dict, name that was imported -> statements that change what it holds
    lazy : dict, public name -> module, of a package that imports on first use
    loose : statements that do something without naming anything of the package
    """

    def __init__(self, path):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        self.statements, self.changes, self.loose = defaultdict(list), defaultdict(list), []
        self.lazy = _lazy(body) if path.name == "__init__.py" else {}
        bound = Bound([node for node in body if not _is_program(node)])
        self.imports = {
            name: found[0]
            for name, found in bound.imports.items()
            if name not in bound.names and len(set(found)) == 1
        }
        for node in body:
            if is_docstring(node):
                continue
            if _is_program(node):
                self.statements[PROGRAM].append(node)
                continue
            here = Bound([node])
            changed = _changed(node)
            known = bound.names | set(bound.imports)
            for name in sorted((here.names | set(here.imports) | changed) & known - set(self.imports)):
                self.statements[name].append(node)
            for name in sorted(changed & set(self.imports)):
                self.changes[name].append(node)
            if isinstance(node, ast.Expr) and not changed & known:
                self.loose.append(node)


def _lazy(body):
    """Tables of public names in a package: dict literals from a name to the module that defines it."""
    found = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            try:
                table = ast.literal_eval(node.value)
            except ValueError:
                continue
            root = f"{sources.PACKAGE.name}."
            if all(isinstance(where, str) and where.startswith(root) for where in table.values()):
                found.update(table)
    return found


def _is_program(node):
    """Whether a statement is ``if __name__ == "__main__"``."""
    test = getattr(node, "test", None)
    return isinstance(node, ast.If) and isinstance(test, ast.Compare) and unchain(test.left)[0] == "__name__"


def _changed(node):
    """Names whose contents a statement of a module changes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return set()
    if isinstance(node, ast.Expr):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        return {
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one is not called
        }
    found = set()
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        inner = node
        while isinstance(inner, ast.Attribute | ast.Subscript):
            inner = inner.value
        if isinstance(inner, ast.Name):
            found.add(inner.id)
    for child in ast.iter_child_nodes(node):
        found |= _changed(child)
    return found


class Index:
    """All definitions of the package, as its files are now."""

    def __init__(self, state, apart):
        self.package, self.apart = sources.PACKAGE, apart
        root = self.package.parent
        self.files = {}
        for file in state:
            parts = file[0].relative_to(root).with_suffix("").parts
            self.files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
        self.spelt, self.digests = {}, {}
        self.foreign = defaultdict(list)
        for name in self.files:
            if self.is_apart(name):
                continue
            module = self.module(name)
            for changed, nodes in module.changes.items():
                found, _ = self.locate(module.imports[changed].split("."))
                if isinstance(found, Ref):
                    self.foreign[found] += [(name, changed, node) for node in nodes]

    def module(self, name):
        return _module(*self.files[name])

    def is_apart(self, module):
        return any(f"{module}.".startswith(f"{place}.") for place in self.apart)

    # ---- addresses --------------------------------------------------------------------------------------

    def locate(self, parts, seen=()):
        """What an address means: a `Ref` or a str, and how many of its parts that stands for.

        seen : tuple of (module, name), imports on the way here
        """
        if parts[0] != self.package.name:
            return f"{'.'.join(parts)} ", len(parts)
        module, used = parts[0], 1
        while used < len(parts):
            name, here = parts[used], self.module(module)
            where = here.imports.get(name)
            if where == f"{module}.{name}":  # a package that imports a module of its own
                where = None
            if name in here.statements and name != PROGRAM:
                return self.ref(module, name), used + 1
            if where is None and name in here.lazy:
                where = f"{here.lazy[name]}.{name}"
            if (module, name) in seen:
                raise ValueError(f"{module}: {name!r} is imported in a circle and defined nowhere.")
            if where is not None:
                address = [*where.split("."), *parts[used + 1 :]]
                found, stands_for = self.locate(address, (*seen, (module, name)))
                return found, used + 1 + stands_for - len(where.split("."))
            if f"{module}.{name}" not in self.files:
                break
            module, used = f"{module}.{name}", used + 1
        if self.is_apart(module):
            return f"{APART}{'.'.join(parts[used:])} ", len(parts)
        return Ref(module, WHOLE), used

    def ref(self, module, name):
        return f"{APART}{name} " if self.is_apart(module) else Ref(module, name)

    def resolver(self, module):
        here = self.module(module)

        def resolve(name, attributes, is_address):
            if not is_address:
                if name == "__name__" and PROGRAM in here.statements:
                    return [Ref(module, PROGRAM)], 0
                if name in here.statements:
                    return [self.ref(module, name)], 0
                if name not in here.imports:
                    return None
                name = here.imports[name]
            address = name.split(".")
            found, used = self.locate([*address, *attributes])
            if used < len(address):
                return [found, *[f".{part} " for part in address[used:]]], 0
            return [found], used - len(address)

        return resolve

    # ---- definitions ------------------------------------------------------------------------------------

    def pieces(self, ref):
        """A definition in canonical words, list of str and `Ref`."""
        if ref not in self.spelt:
            self.spelt[ref] = _merged(self._pieces(ref))
        return self.spelt[ref]

    def _pieces(self, ref):
        module = self.module(ref.module)
        if ref.name == WHOLE:
            found = ["module "]
            for name in sorted({*module.statements, *module.imports} - {PROGRAM}):
                where, _ = self.locate([*ref.module.split("."), name])
                if isinstance(where, Ref) and where.name != WHOLE:
                    found += [f"{name} ", where]
            return found
        found = []
        resolve = self.resolver(ref.module)
        for node in module.statements[ref.name]:
            found += spell(node, ref.name, resolve)
        return found + self._foreign(ref)

    def _foreign(self, ref):
        """Statements of other modules that change a name, in an order that does not depend on the modules."""
        found = []
        for module, name, node in self.foreign.get(ref, ()):
            found.append(_merged(spell(node, name, self.resolver(module))))
        return [piece for pieces in sorted(found, key=_words) for piece in pieces]

    def start(self, address):
        found, _ = self.locate(address.split("."))
        if isinstance(found, Ref) and found.name == WHOLE and address not in self.files:
            raise ValueError(f"The package has no definition {address!r}; give the function or class itself.")
        return found

    def below(self, ref):
        return [piece for piece in self.pieces(ref) if isinstance(piece, Ref)]

    def reached(self, start):
        """All definitions from `start` on, itself included."""
        seen, todo = set(), [start] if isinstance(start, Ref) else []
        while todo:
            ref = todo.pop()
            if ref not in seen:
                seen.add(ref)
                todo.extend(self.below(ref))
        return seen

    # ---- digests ----------------------------------------------------------------------------------------

    def digest(self, address):
        start = self.start(address)
        if not isinstance(start, Ref):
            return _sha(start)
        for circle in self.circles(start):
            self._digest_circle(circle)
        return self.digests[start]

    def _digest_circle(self, circle):
        """Digests of definitions that reach each other, all at once.

        They are told apart by what they say, then by what those they name say, and so on until that tells
        no more of them apart; the digest of each is of its own and of all of them.
        """
        colours = dict.fromkeys(circle, "circle")
        if len(circle) == 1:
            self.digests[circle[0]] = self._colour(circle[0], colours)
            return
        while True:
            after = {ref: self._colour(ref, colours) for ref in circle}
            done = len(set(after.values())) == len(set(colours.values()))
            colours = after
            if done:
                break
        together = " ".join(sorted(set(colours.values())))
        self.digests.update({ref: _sha(f"{colour} of {together}") for ref, colour in colours.items()})

    def _colour(self, ref, colours):
        words = self.pieces(ref)
        return _sha("".join(word if isinstance(word, str) else self._name(word, colours) for word in words))

    def _name(self, ref, colours):
        return f"<{colours[ref] if ref in colours else self.digests[ref]}>"

    def circles(self, start):
        """Definitions without a digest from `start` on, as lists of those that reach each other, the lowest
        first (Tarjan 1972, SIAM J. Comput. 1(2))."""
        number, lowest, stack, on_stack, found = {}, {}, [], set(), []
        work = [] if start in self.digests else [(start, None)]
        while work:
            ref, below = work.pop()
            if below is None:
                if ref in number:
                    continue
                number[ref] = lowest[ref] = len(number)
                stack.append(ref)
                on_stack.add(ref)
                below = iter([one for one in self.below(ref) if one not in self.digests])
            for one in below:
                if one not in number:
                    work += [(ref, below), (one, None)]
                    break
                if one in on_stack:
                    lowest[ref] = min(lowest[ref], number[one])
            else:
                if lowest[ref] == number[ref]:
                    place = stack.index(ref)
                    found.append(stack[place:])
                    on_stack.difference_update(stack[place:])
                    del stack[place:]
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[ref])
        return found


def _merged(pieces):
    """The same with neighbouring texts made one."""
    found, texts = [], []
    for piece in pieces:
        if isinstance(piece, Ref):
            found += ["".join(texts), piece]
            texts = []
        else:
            texts.append(piece)
    return [*found, "".join(texts)]


def _words(pieces):
    return [piece for piece in pieces if isinstance(piece, str)]


def _sha(text):
    return hashlib.sha256(text.encode()).hexdigest()
