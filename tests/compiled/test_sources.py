"""What a file stands on: the digests that keep kernels, pages and results fresh."""

import pytest

from treelib.compiled import sources
from treelib.ledger import experiments


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


def test_code_digest_is_of_what_the_code_does(package):
    """Results thrown away for a comment, or kept after an edit of the code."""
    before = sources.code_digest(["treelib.a"])
    (package / "b.py").write_text('"""What b is."""\n\nx = (  # one\n    1\n)\n')
    assert sources.code_digest(["treelib.a"]) == before
    for edit in ("x = 2", "x = '1'", "y = 1", "x = 1\nx += 1"):
        (package / "b.py").write_text(edit)
        assert sources.code_digest(["treelib.a"]) != before


DEFINED = """
from treelib.b import helper

@experiment("osdt.c", item="Table 1", title="It", cases=lambda: [{}], datasets=("monk1",), seconds=3)
def c(case):
    return {"y": helper(case, title="Sum")}
"""


def test_digest_of_an_experiment_is_not_of_what_describes_it(package):
    """Results thrown away for a corrected time or title, or kept after an edit of what they came from."""
    entry = experiments.Experiment(
        "osdt.c", "osdt", "", "", None, "treelib.c", list, (), 1.0, experiments.EXACT, (), 1e-6, None
    )

    def digest(old="", new=""):
        assert old in DEFINED
        (package / "c.py").write_text(DEFINED.replace(old, new) if old else DEFINED)
        return entry.digest()

    (package / "b.py").write_text("def helper(case, title): return 1")
    before = digest()
    for old, new in (
        ("seconds=3", "seconds=60, memory=2e9, tolerance=0.1"),
        ('title="It"', 'title="Table " + "one"'),
        ('item="Table 1"', 'item="Table 2"'),
    ):
        assert digest(old, new) == before, new
    for old, new in (
        ("monk1", "monk2"),
        ("[{}]", "[{}, {}]"),
        ("seconds=3", "seconds=3, kind='timing'"),
        ("helper(case", "-helper(case"),
        ('title="Sum"', 'title="Product"'),  # an argument of the same name, of another function
    ):
        assert digest(old, new) != before, new
    assert digest() == before
    (package / "b.py").write_text("def helper(case, title): return 2")
    assert entry.digest() != before


def test_code_digest_leaves_out_and_does_not_follow(package):
    """A table's layout, beneath a module by way of one that is left out, that makes results stale."""
    (package / "d.py").write_text("from treelib import a")
    before = sources.code_digest(["treelib.d"], without=["treelib.a"])
    (package / "b.py").write_text("x = 3")
    assert sources.code_digest(["treelib.d"], without=["treelib.a"]) == before
    assert sources.closure(["treelib.d"], without=["treelib.a"]) == ("treelib.d",)


def test_public_names_lead_to_their_module_only():
    """An edit of one method that makes the results of another stale, through the package's public names."""
    found = sources.closure(sources.imported_modules("from treelib import Tree"))
    assert "treelib" not in found and not any(name.startswith("treelib.sparse") for name in found)
