"""Public names of a package, imported on first use: a program pays only for what it uses."""

import sys
from importlib import import_module


def public(package, homes):
    """What a package needs to offer names of its modules: ``__getattr__``, ``__dir__`` and ``__all__``.

    Parameters
    ----------
    package : str, the package's ``__name__``
    homes : dict of a public name to the dotted module that defines it. It must stand in the package as a
        literal called ``_PUBLIC``: `treelib.compiled.sources` reads it to follow imports.

    Returns
    -------
    getattr : callable of a name, raises AttributeError where there is neither such a name nor such a module
    dir : callable
    all : list of str
    """

    def get(name):
        if name in homes:
            value = getattr(import_module(homes[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    def listed():
        return sorted({*vars(sys.modules[package]), *homes})

    return get, listed, sorted(homes)
