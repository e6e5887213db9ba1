"""What a file stands on: the digests that keep kernels and pages fresh."""

import pytest

from treelib.compiled import sources


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import treelib", set()),
        ("import treelib.search.budget", {"treelib.search.budget"}),
        ("import treelib.search.budget as limits", {"treelib.search.budget"}),
        (
            "from treelib.search import budget\nfrom treelib.compiled import jit",
            {"treelib.search.budget", "treelib.compiled.jit"},
        ),
        ("from treelib.search.budget import Budget", {"treelib.search.budget"}),
        ("from treelib import Tree", {"treelib.tree.stored"}),
        ("import treelib\ntreelib.Tree", {"treelib.tree.stored"}),
        ("import treelib as tl\ntl.Tree.from_nested", {"treelib.tree.stored"}),
        ("import treelib as tl\ntl.search.budget.Budget()", {"treelib.search.budget"}),
        ("def f():\n    from treelib.search import budget", {"treelib.search.budget"}),
        ("import numpy\nnumpy.tree", set()),
    ],
)
def test_imported_modules(source, expected):
    """A spelling of an import that is overlooked: its page would show stale results."""
    assert sources.imported_modules(source) == expected


def test_closure_follows_imports():
    """A module beneath another one that the digest does not see."""
    assert {"treelib.compiled.jit", "treelib.compiled.sources"} <= set(
        sources.closure(["treelib.compiled.jit"])
    )


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small package in the place of treelib: a stands on b; c stands alone."""
    folder = tmp_path / "treelib"
    folder.mkdir()
    texts = {"__init__": "_PUBLIC = {}", "a": "from treelib import b", "b": "x = 1", "c": "x = 1"}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(sources, "PACKAGE", folder)
    sources._public_names.cache_clear()
    yield folder
    sources._public_names.cache_clear()


def test_digest_changes_with_what_is_beneath_and_only_then(package):
    """A digest that misses an edit below, or that changes with an unrelated module."""
    before = sources.digest(["treelib.a"])
    (package / "c.py").write_text("x = 2")
    assert sources.digest(["treelib.a"]) == before
    (package / "b.py").write_text("x = 2")
    assert sources.digest(["treelib.a"]) != before


def test_digest_sees_a_new_import(package):
    """An import added to a module that was read before."""
    before = sources.closure(["treelib.c"])
    (package / "c.py").write_text("from treelib import b  # new")
    assert before == ("treelib.c",)
    assert sources.closure(["treelib.c"]) == ("treelib.b", "treelib.c")


def test_public_names_lead_to_their_module_only():
    """An edit of one method that makes the results of another stale, through the package's public names."""
    found = sources.closure(sources.imported_modules("from treelib import Tree"))
    assert "treelib" not in found and not any(name.startswith("treelib.sparse") for name in found)
