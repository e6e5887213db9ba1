"""Functions that Python runs as they are, compiled for the page: one source, two targets.

A driver of the package is plain Python around compiled kernels. For the page numba compiles the very same
functions, methods with them: `same` lets compiled code call a function, `same_class` lets a structure of
numba stand for the instances of a class. What numba does not know of Python and numpy is taught here.
"""

import operator

import numpy as np
from numba import literal_unroll, njit, types
from numba.experimental import structref
from numba.extending import overload, overload_attribute, overload_method, register_jitable

compiled = njit(error_model="numpy")
_OPTIONS = {"error_model": "numpy"}


class _Proxy(structref.StructRefProxy):
    """A structure that only compiled code looks into."""


def structure(name, fields):
    """(type, constructor) of a structure (a StructRef) with these fields, in this order."""
    kind = structref.register(type(f"{name}Type", (types.StructRef,), {}))
    made = type(name, (_Proxy,), {})
    structref.define_proxy(made, kind, fields)
    return kind, made


def same(function):
    """The function itself, which compiled code may call from here on, also from other functions."""
    return register_jitable(**_OPTIONS)(function)


def same_class(structure, python_class, methods=(), properties=()):
    """The type `structure` (a StructRef) with methods and properties of a class of the package.

    Its answer must be bound to a name: a bare call would count as a change of the class, and make what stands
    on it stale (`treelib.ledger.reach`).
    """
    for name in methods:
        function = same(getattr(python_class, name))
        overload_method(structure, name, jit_options=_OPTIONS)(_always(function))
    for name in properties:
        function = same(getattr(python_class, name).fget)
        overload_attribute(structure, name, jit_options=_OPTIONS)(_always(function))
    return structure


def _always(function):
    """What numba asks of an overload: `function`, whatever the types, with its own arguments."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    space = {"function": function}
    exec(f"def choose({', '.join(names)}): return function", space)
    space["choose"].__defaults__ = function.__defaults__
    return space["choose"]


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


@overload(operator.setitem, jit_options=_OPTIONS)
def set_record(array, index, values):
    """``array[index] = values`` for an array of records and a tuple of their fields."""
    is_array = isinstance(array, types.Array) and isinstance(array.dtype, types.Record)
    if is_array and isinstance(index, types.Integer) and isinstance(values, types.BaseTuple):
        lines = [f"    array[index][{name!r}] = values[{i}]" for i, name in enumerate(array.dtype.fields)]
        space = {}
        exec("def fill(array, index, values):\n" + "\n".join(lines), space)
        return space["fill"]
    return None


@overload(operator.setitem, jit_options=_OPTIONS)
def set_field(array, name, value):
    """``array[name] = value`` for a field of all records of an array, from a number or one for each."""
    is_array = isinstance(array, types.Array) and isinstance(array.dtype, types.Record)
    if not (
        is_array and isinstance(name, types.StringLiteral) and isinstance(value, types.Number | types.Array)
    ):
        return None
    space, each = {}, "value[i]" if isinstance(value, types.Array) else "value"
    lines = f"    for i in range(len(array)):\n        array[i][{name.literal_value!r}] = {each}"
    exec(f"def fill(array, name, value):\n{lines}", space)
    return space["fill"]


@overload_method(types.Array, "tolist", jit_options=_OPTIONS)
def to_list(array):
    """The array itself: compiled code only runs through the list."""
    return lambda array: array


@overload_method(types.Integer, "bit_length", jit_options=_OPTIONS)
def bit_length_of(value):
    """Of a number that is not negative."""

    def count(value):
        n = 0
        while value > 0:
            n += 1
            value >>= 1
        return n

    return count


@compiled
def bytes_of(arrays):
    """Bytes of all arrays of a tuple."""
    n = 0
    for array in literal_unroll(arrays):
        n += array.nbytes
    return n


@compiled
def maybe(value, is_there):
    """`value` or None: a place that can hold either."""
    return value if is_there else None


assert np.intp is np.int64  # the page's whole numbers are those of this machine
