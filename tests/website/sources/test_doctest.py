"""The examples of the docstrings: every public name has one, and each runs as printed."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import treelib

API = Path(__file__).resolve().parents[3] / "book" / "api"


def resolve(dotted):
    """Object called `dotted`, a module or a name in one."""
    parts = dotted.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            found = getattr(found, part)
        return found
    raise LookupError(dotted)


def public_names():
    """Dotted names of all classes and functions of ``treelib.__all__`` and of the API pages."""
    names = {f"treelib.{name}" for name in treelib.__all__}
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(API.glob("*.md")))
    names.update(re.findall(r"auto(?:class|function):: (\S+)", text))
    for module, options in re.findall(r"automodule:: (\S+)\n((?: +\S.*\n)*)", text):
        listed = re.sub(r"^ *:members:", "", options, flags=re.MULTILINE).replace(",", " ").split()
        home = importlib.import_module(module)
        own = getattr(home, "__all__", None) or [
            name
            for name, found in vars(home).items()
            if not name.startswith("_") and getattr(found, "__module__", None) == module
        ]
        names.update(f"{module}.{name}" for name in (listed or own))
    found = {}
    for name in sorted(names):
        thing = resolve(name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            found.setdefault(id(thing), name)
    return sorted(found.values())


def _examples(name):
    thing = resolve(name)
    finder = doctest.DocTestFinder(recurse=True, exclude_empty=True)
    return [one for one in finder.find(thing, name, module=False, globs={}) if one.examples]


def _run(one):
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(one, out=said.append)
    assert not runner.failures, "".join(said)


@pytest.mark.parametrize("name", public_names())
def test_examples(name):
    """A public name without an example, or an example that shows what the code no longer does."""
    tests = _examples(name)
    assert tests, f"{name} has no example in its docstring."
    for one in tests:
        _run(one)


def other_examples():
    """Examples of names that no page of the API lists, whatever module of the package they are in."""
    finder, found = doctest.DocTestFinder(exclude_empty=True), {}
    run_above = {one.docstring for name in public_names() for one in _examples(name)}
    for module in pkgutil.walk_packages(treelib.__path__, "treelib."):
        for one in finder.find(importlib.import_module(module.name), module.name, globs={}):
            if one.examples and one.docstring not in run_above:
                found[one.name] = one
    return found


@pytest.mark.parametrize("one", [pytest.param(one, id=name) for name, one in other_examples().items()])
def test_examples_off_the_pages(one):
    """An example that does not run since no page shows it."""
    _run(one)
