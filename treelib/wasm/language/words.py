"""A driver of the package in the words of a page: as it stands, but for what numba does not know.

What numba can be taught of Python stands in `treelib.wasm.language.same_source`. What it cannot is said in
other words here, expression by expression (`in_words`): the loops stay the package's.
"""

import ast
import inspect
import re
import textwrap
from types import SimpleNamespace

from numba import types
from numba.extending import overload, overload_attribute, overload_method

from treelib.wasm.language.same_source import _OPTIONS, _always


def said(function, instead, **names):
    """The function itself, which compiled code may call from here on; for the page `in_words`."""
    overload(function, jit_options=_OPTIONS, strict=False)(_always(in_words(function, instead, names)))
    return function


def said_class(structure, python_class, methods, properties, instead, **names):
    """The type `structure` (a StructRef) with methods and properties of a class of the package, `in_words`.

    Its answer must be bound to a name, as that of `treelib.wasm.language.same_source.same_class`.

    instead : dict of the name of a method or property to its other words
    """
    for name in (*methods, *properties):
        function = getattr(python_class, name)
        function = in_words(getattr(function, "fget", function), instead.get(name, {}), names)
        register = overload_attribute if name in properties else overload_method
        register(structure, name, jit_options=_OPTIONS)(_always(function))
    return structure


def in_words(function, instead, names):
    """The function with some of its expressions and statements in other words, for the page.

    A page cuts no step short, so a ``try`` becomes what it tries.

    Parameters
    ----------
    instead : dict of an expression or statement, as it stands in the function, to what is said instead; an
        empty text leaves a statement out
    names : dict, what names mean that the function finds in its module, or in `instead`

    Raises
    ------
    ValueError
        The function does not say one of the expressions: it was edited, and its words for the page were not.
    """
    found = ast.parse(textwrap.dedent(inspect.getsource(function)))
    ast.increment_lineno(found, function.__code__.co_firstlineno - 1)
    words = _Words(instead)
    definition = found.body[0]
    definition.decorator_list = []
    given = definition.args  # numba's overloads know no arguments by keyword alone
    given.args, given.defaults = given.args + given.kwonlyargs, given.defaults + given.kw_defaults
    given.kwonlyargs, given.kw_defaults = [], []
    definition.body = [line for one in definition.body for line in words.lines(one)]
    if words.left:
        raise ValueError(f"{function.__qualname__} does not say {sorted(words.left)}; mend its other words.")
    made = {}  # not among what it finds in its module, where a method's name can mean a function
    code = compile(ast.fix_missing_locations(found), function.__code__.co_filename, "exec")
    exec(code, function.__globals__ | names, made)
    made = made[function.__name__]
    if made.__defaults__:  # functions such as `go_on` are no values of compiled code
        made.__defaults__ = tuple(None if callable(one) else one for one in made.__defaults__)
    return made


class _Words(ast.NodeTransformer):
    """Puts other words in the place of expressions and statements; `left` are those not met."""

    def __init__(self, instead):
        self.instead = {ast.unparse(ast.parse(old)): ast.parse(new).body for old, new in instead.items()}
        self.left = set(self.instead)

    def lines(self, statement):
        """The statements in the place of one."""
        made = self.visit(statement)
        return made if isinstance(made, list) else [made]

    def visit(self, node):
        is_told = isinstance(node, ast.stmt | ast.expr) and not isinstance(
            getattr(node, "ctx", None), ast.Store
        )
        text = ast.unparse(node) if is_told else None
        if text in self.instead:
            self.left.discard(text)
            made = self.instead[text]
            return made if isinstance(node, ast.stmt) else made[0].value
        return super().visit(node)

    def visit_Try(self, node):
        return [line for one in node.body for line in self.lines(one)]

    def visit_IfExp(self, node):
        """What is known before it runs: numba would ask both ways for the same type."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node


def replaceable(*kinds):
    """Classes of NamedTuples, whose ``_replace`` compiled code knows from here on."""
    fields = dict.fromkeys(field for kind in kinds for field in kind._fields)
    words = ", ".join(f"{field}=None" for field in fields)

    def choose(one, given):
        if one.instance_class not in kinds:
            return None
        own = [field for field in one.fields if _is_given(given[field])]
        values = [field if field in own else f"one.{field}" for field in one.fields]
        space = {"kind": one.instance_class}
        exec(f"def replace(one, {words}): return kind({', '.join(values)})", space)
        return space["replace"]

    space = {"choose": choose}
    exec(f"def replace(one, {words}): return choose(one, locals())", space)
    overload_method(types.BaseNamedTuple, "_replace", jit_options=_OPTIONS)(space["replace"])
    return kinds


def _is_given(kind):
    """Whether an argument of an overload is there: of a default, numba hands over the value or its type."""
    return not (kind is None or isinstance(kind, types.NoneType | types.Omitted))


class Apart:
    """A compiled function; those of the `names` that it calls stay functions in LLVM's eyes.

    Inside of a large function the loops of a kernel find the registers taken.
    """

    def __init__(self, function, names):
        self.function, self.names, self.overloads = function, names, {}

    def compile(self, signature):
        self.function.compile(signature)
        found = self.function.overloads[signature]
        names = "|".join(f"{len(name)}{name}" for name in self.names)
        text = found.library.get_llvm_str()
        text = re.sub(rf"^(define .*@\S*(?:{names})B.*\))( .*\{{)$", r"\1 noinline\2", text, flags=re.M)
        self.overloads[signature] = SimpleNamespace(
            signature=found.signature, target_context=found.target_context, fndesc=found.fndesc,
            library=SimpleNamespace(get_llvm_str=lambda: text),
        )  # fmt: skip
