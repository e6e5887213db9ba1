"""The docstrings of the API pages have the sections of numpydoc; pyproject.toml says which checks apply."""

import inspect
import re
from functools import cached_property
from types import FunctionType

import pytest

from tests.website.sources.test_doctest import API, public_names, resolve

validate = pytest.importorskip("numpydoc.validate", reason="numpydoc comes with the tools of the book")
hooks = pytest.importorskip("numpydoc.hooks.validate_docstrings")
CHECKS = hooks.parse_config(API.parents[1])["checks"]
SEE = re.compile(r"see `treelib\.[\w.]+`\.$")


def _members():
    """Public names, and the methods and properties of the classes that the pages show."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(API.glob("*.md")))
    listed = {}
    for name, options in re.findall(r"autoclass:: (\S+)\n((?: +\S.*\n)*)", text):
        members = re.search(r":members:(.*(?:\n +[^: ].*)*)", options)
        listed[resolve(name)] = members[1].replace(",", " ").split() if members else []
    for name in public_names():
        yield name
        thing = resolve(name)
        if inspect.isclass(thing):
            own = [one for one in dir(thing) if one[0] != "_"]
            own = [one for one in own if _is_shown(inspect.getattr_static(thing, one))]
            for member in listed.get(thing) or own:
                yield f"{name}.{member}"


def _is_shown(member):
    """Whether a member is a method or property with a docstring, not the field of a tuple."""
    kinds = FunctionType, classmethod, staticmethod, property, cached_property
    return isinstance(member, kinds) and bool(inspect.getdoc(member))


def _errors(name):
    found = validate.validate(name)
    docstring, skipped = found["docstring"], set()
    if "\n" not in docstring.strip():  # one line says all: every parameter, or where to read of them
        thing = resolve(name)
        named = {"self", *re.findall(r"`(\w+)`", docstring)}
        says_all = (
            not callable(thing) or SEE.search(docstring) or named >= {*inspect.signature(thing).parameters}
        )
        skipped = {"PR01", "RT01", "YD01"} if says_all else set()
    if inspect.isclass(resolve(name)) and not re.search(r"^Parameters$", docstring, re.MULTILINE):
        if re.search(r"^Attributes$", docstring, re.MULTILINE):
            skipped = {"PR01"}  # a result, which nobody but its search makes
    return [(code, message) for code, message in found["errors"] if code in CHECKS - skipped]


@pytest.mark.parametrize("name", sorted(set(_members())))
def test_docstring(name):
    """A public name whose parameters or result are not described, or in a form that no tool reads."""
    assert not _errors(name)


def test_validation_finds_what_is_missing(monkeypatch):
    """Checks that are all switched off, or a name that is not looked at."""
    names = set(_members())
    assert {"treelib.Tree.apply", "treelib.OptimalSparseTreeClassifier.fit", "treelib.tune"} <= names
    monkeypatch.setattr(resolve("treelib.Tree").apply, "__doc__", "leaf that each row reaches")
    assert {"PR01", "RT01", "SS02", "SS03"} <= {code for code, _ in _errors("treelib.Tree.apply")}
