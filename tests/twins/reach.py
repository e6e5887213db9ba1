"""What a function reaches, the naive way: from living objects, by the names that their compiled code loads.

Twin of `treelib.ledger.reach`, which reads the sources. It sees functions and classes, no plain values: a
number that a function computed when its module was imported has lost its origin.
"""

import ast
import dis
import types
from functools import partial
from importlib import import_module

from treelib.compiled import sources
from treelib.ledger import reach


def kernels_below(start, apart):
    """Names ``module.function`` of all compiled functions of the package below a function, set of str.

    apart : names of modules, or of packages with all they hold, that are not followed
    """
    found, seen, todo = set(), set(), [start]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        is_kernel, one = hasattr(one, "py_func"), getattr(one, "py_func", one)
        module = getattr(one, "__module__", None) or ""
        if isinstance(one, types.FunctionType):
            if not module.startswith("treelib") or _is_apart(module, apart):
                todo += _cells(one) if module == "functools" else []
                continue
            found |= {f"{module}.{one.__qualname__}"} if is_kernel else set()
            todo += [*_loaded(one.__code__, one.__globals__, apart), *_cells(one)]
            todo += [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()]
            todo.append(getattr(one, "__wrapped__", None))
        elif isinstance(one, type):
            if module.startswith("treelib") and not _is_apart(module, apart):
                todo += [*vars(one).values(), *one.__bases__]
        else:
            todo += _parts(one)
    return found


def _parts(one):
    if isinstance(one, dict):
        return list(one.values())
    if isinstance(one, (list, tuple, set, frozenset)):
        return list(one)
    if isinstance(one, partial):
        return [one.func, *one.args, *one.keywords.values()]
    if isinstance(one, property):
        return [one.fget, one.fset]
    if isinstance(one, (staticmethod, classmethod)):
        return [one.__func__]
    kind = type(one)
    if kind.__module__.startswith("treelib"):
        return [kind, *getattr(one, "__dict__", {}).values()]
    return [value for name, value in _attributes(one) if name in ("__wrapped__", "func")]


def _attributes(one):
    for name in ("__wrapped__", "func"):  # functools.cache, cached_property
        try:
            yield name, object.__getattribute__(one, name)
        except AttributeError:
            continue


def _cells(function):
    return [cell.cell_contents for cell in function.__closure__ or ()]


def loose_statements(name, apart=()):
    """Statements of a module that act, but on none of its names, or on those of another module: no digest
    notices an edit of them."""
    index = reach._index(reach._state(sources.PACKAGE), tuple(apart))
    module, found = index.module(name), []
    for node in module.body:
        called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        root, attributes = reach._unchained(called)
        addresses = module.imports.get(root, ()) if attributes else ()
        is_of_another = any(address.startswith("treelib.") for address in addresses)
        if isinstance(node, ast.Assert):
            continue
        if (is_of_another or not module.concerned(node)) and reach.Spelling(index, name, node).words:
            found.append(ast.unparse(node))
    return found


_LOADED = {}  # functions are asked once, whatever is above them


def _loaded(code, names, apart):
    """Objects that the code loads by name, or by an attribute of a module that it loads."""
    if (code, id(names), apart) not in _LOADED:
        _LOADED[code, id(names), apart] = _read(code, names, apart)
    return _LOADED[code, id(names), apart]


def _read(code, names, apart):
    found, asked, origin = [], [], None
    every = {*code.co_names}
    steps = list(dis.get_instructions(code))
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in names:
            is_attribute = after.opname in ("LOAD_ATTR", "LOAD_METHOD")
            asked.append((names[step.argval], {after.argval} if is_attribute else every))
            if step.argval == "__name__":  # `python -m` of this module
                found.append(names.get("main"))
        elif step.opname == "IMPORT_NAME":
            origin = import_module(step.argval) if step.argval.startswith("treelib") else None
            asked += [(origin, every)] if origin is not None and after.opname != "IMPORT_FROM" else []
        elif step.opname == "IMPORT_FROM" and origin is not None:
            asked.append((getattr(origin, step.argval), every))
    for one, attributes in asked:
        if not isinstance(one, types.ModuleType):
            found.append(one)
        elif one.__name__.startswith("treelib") and not _is_apart(one.__name__, apart):
            if "getattr" in every:  # the module is handed about
                attributes = vars(one)
            found += [getattr(one, name) for name in attributes if _has(one, name)]
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found += _loaded(inner, names, apart)
    return [one for one in found if not isinstance(one, types.ModuleType)]


def _has(module, name):
    return name in vars(module) or name in getattr(module, "_PUBLIC", ())


def _is_apart(module, apart):
    return any(f"{module}.".startswith(f"{place}.") for place in apart)
