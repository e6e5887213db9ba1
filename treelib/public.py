"""Public names of a package, imported on first use, so that a program loads only what it uses."""

import sys
from importlib import import_module


def public(package, homes):
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package that offers names of its modules.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    homes : dict
        Maps a public name to the dotted module that defines it. The package must define it as a literal
        called ``_PUBLIC``: `treelib.compiled.sources` reads it to follow imports.

    Returns
    -------
    getattr : callable
        Takes a name; raises AttributeError if there is neither such a name nor such a module.
    dir : callable
        Lists all names.
    all : list of str
        The public names, sorted.
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
