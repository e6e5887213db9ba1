"""Types of the public interface: every public method says what it takes and gives, and mypy agrees."""

import ast
import importlib.util
import inspect
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import treelib
from treelib.tree import formats

ROOT = Path(__file__).resolve().parents[1]


def public_functions():
    """(name, function) of the public functions, of the public classes' public methods and constructors."""
    homes = [(treelib, name) for name in treelib.__all__] + [(formats, name) for name in formats.__all__]
    for home, name in homes:
        thing = getattr(home, name)
        if not inspect.isclass(thing):
            yield f"{home.__name__}.{name}", thing
            continue
        if hasattr(thing, "fit"):  # the stub has the types of estimators
            continue
        for attribute in dir(thing):
            if attribute.startswith("_") and attribute != "__init__":
                continue
            member = inspect.getattr_static(thing, attribute)
            member = getattr(member, "__func__", getattr(member, "fget", getattr(member, "func", member)))
            if inspect.isfunction(member) and member.__module__.startswith("treelib"):
                yield f"{name}.{attribute}", member


def test_public_interface_is_annotated():
    """A public function or a method of `Tree` whose arguments or result have no type."""
    lacking = set()
    for name, function in public_functions():
        parameters = [
            p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")
        ]
        bare = [p.name for p in parameters if p.annotation is p.empty]
        if inspect.signature(function).return_annotation is inspect.Signature.empty:
            bare.append("return")
        if bare:
            lacking.add(f"{name}: {', '.join(bare)}")
    assert not lacking, "\n".join(sorted(lacking))


def test_stub_is_that_of_the_signatures():
    """A parameter, method or attribute that was added, renamed or removed, and not in the types."""
    path = ROOT / ".ci" / "stubs.py"
    spec = importlib.util.spec_from_file_location("stubs", path)
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    for stub, text in stubs.texts().items():
        kept, new = ast.dump(ast.parse(stub.read_text(encoding="utf-8"))), ast.dump(ast.parse(text))
        assert kept == new, f"{stub.name} is old; run: make stubs"


def test_package_says_that_it_has_types():
    """A wheel whose types no editor and no mypy looks at."""
    assert (ROOT / "treelib" / "py.typed").is_file()


@pytest.mark.long  # `make lint` runs it each time
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed: pip install mypy")
def test_mypy_agrees():
    """Types that contradict each other, and a wrong use of the public interface that mypy does not see."""
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--cache-dir=/dev/null"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
