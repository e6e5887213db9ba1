"""What a stored result stands on: each rule by which a function is followed, on small packages."""

import pytest

from tests.twins.reach import loose_statements
from treelib.compiled import sources
from treelib.ledger import reach

BASE = {"__init__": "", "b": "def helper(x):\n    return x + 1\n\nTABLE = {'one': helper}\n"}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes a package in the place of treelib, from module -> text, and gives digests of its definitions."""
    folder = tmp_path / "treelib"
    monkeypatch.setattr(sources, "PACKAGE", folder)

    def digest(texts, what="a.run", apart=()):
        for path in [*folder.rglob("*.py")]:
            path.unlink()
        for name, text in {**BASE, **texts}.items():
            path = folder.joinpath(*name.split("."))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".py").write_text(text)
        reach._module.cache_clear()
        reach._index.cache_clear()
        return reach.digest(f"treelib.{what}", tuple(f"treelib.{place}" for place in apart))

    return digest


DIRECT = "from treelib.b import helper\n\ndef run(x):\n    return helper(x)\n"


@pytest.mark.parametrize(
    "text",
    [
        "from treelib.b import helper as h\n\ndef run(x):\n    return h(x)\n",
        "from treelib import b\n\ndef run(x):\n    return b.helper(x)\n",
        "import treelib.b\n\ndef run(x):\n    return treelib.b.helper(x)\n",
        "import treelib.b as other\n\ndef run(x):\n    return other.helper(x)\n",
        "def run(x):\n    from treelib.b import helper\n\n    return helper(x)\n",
        "def helper(x):\n    return x + 1\n\ndef run(x):\n    return helper(x)\n",
        "def run(x):\n    '''Doc.'''\n    return it(x)  # comment\n\ndef it(x):\n    return x + 1\n",
    ],
)
def test_the_way_to_a_function_does_not_count(package, text):
    """Results thrown away since an import is spelt otherwise, or a function stands elsewhere."""
    edit = {"b": "def helper(x):\n    return x + 2\n"}
    assert package({"a": text}) == package({"a": DIRECT})
    if "treelib" in text:
        assert package({"a": text} | edit) == package({"a": DIRECT} | edit) != package({"a": DIRECT})


@pytest.mark.parametrize(
    "init",
    [
        "_PUBLIC = {'helper': 'treelib.b'}",
        "from treelib.b import helper",
        "from treelib import b\nhelper = b.helper",
    ],
)
def test_public_names_lead_to_their_definition(package, init):
    """A name of the package that is not followed: a stale result, or one that depends on all public names."""
    text = {"a": "from treelib import helper\n\ndef run(x):\n    return helper(x)\n", "__init__": init}
    before = package(text)
    assert package(text | {"b": "def helper(x):\n    return x + 2\n"}) != before
    assert package(text | {"__init__": init + "\nOTHER = 3"}) == before
    inner = {"__init__": "", "a": text["a"].replace("treelib ", "treelib.deep "), "deep.__init__": init}
    if "helper =" not in init:
        assert package(text) == package({"a": DIRECT}) == package(inner)


def pairs(*edits):
    return [pytest.param(*edit, id=edit[0]) for edit in edits]


# rule, text of module a, what is replaced in it, by what
COUNTS = pairs(
    ("constant", "N = 3\ndef run(x): return N", "3", "4"),
    ("computed constant", "M = 3\nN = M + 1\ndef run(x): return N", "3", "4"),
    ("table of functions", "def f(x): return 1\nT = {'f': f}\ndef run(x): return T[x](x)", "1", "2"),
    ("entry of a table", "T = {}\nT['f'] = 1\ndef run(x): return T", "1", "2"),
    ("update of a table", "T = {}\nT.update(f=1)\ndef run(x): return T", "1", "2"),
    ("loop that fills", "T = {}\nfor k in 'ab':\n    T[k] = 1\ndef run(x): return T", "1", "2"),
    ("attribute of a function", "def run(x): return run.n\nrun.n = 1", "1", "2"),
    ("bare call", "class C: pass\nc = C()\nprint(c, 1)\ndef run(x): return c", "1", "2"),
    ("either way", "try:\n    import q\nexcept ImportError:\n    q = 1\ndef run(x): return q", "1", "2"),
    ("one of two names", "A, B = 1, 2\ndef run(x): return A", "A, B", "B, A"),
    ("another of the same value", "A, B = C = 1, 2\ndef run(x): return A", "return A", "return B"),
    ("method", "class C:\n    def m(self): return 1\ndef run(x): return C()", "1", "2"),
    ("name of a method", "class C:\n    def m(self): return 1\ndef run(x): return C()", "m(", "n("),
    ("base", "class P:\n    n = 1\nclass C(P): pass\ndef run(x): return C()", "1", "2"),
    ("field", "class C(NamedTuple):\n    n: int = 1\ndef run(x): return C()", "n:", "k:"),
    ("decorator", "def d(f): return 1\n@d\ndef g(): pass\ndef run(x): return g", "1", "2"),
    ("decorator's argument", "def d(f): return d\n@d(1)\ndef g(): pass\ndef run(x): return g", "1)", "2)"),
    ("nested function", "def f(): return 1\ndef run(x):\n    def g(): return f()\n    return g", "1", "2"),
    ("lambda", "def f(): return 1\ndef run(x): return lambda: f()", "1", "2"),
    ("default", "N = 1\ndef run(x, y=N): return y", "1", "2"),
    ("which default", "def run(*, x, y=1): return y", "x, y=1", "x=1, y"),
    ("parameter", "def run(x, y): return y", "x, y", "y, x"),
    ("global", "N = 1\ndef run(x):\n    global N\n    N = x", "1", "2"),
    ("local import", "def run(x):\n    from treelib.b import TABLE as t\n    return t", "TABLE", "helper"),
    ("package", "import numpy as np\ndef run(x): return np.sum(x)", "np.sum", "np.max"),
    ("other package", "import numpy as n\ndef run(x): return n.sum(x)", "import numpy", "import math"),
    ("comprehension", "N = 1\ndef run(x): return [N for y in x]", "1", "2"),
    ("first of a comprehension", "x = [1]\ndef run(): return [x for x in x]", "1", "2"),
    ("type of an error", "def run(x): raise ValueError('no')", "ValueError", "TypeError"),
    ("value in an error", "def run(x): raise Stop('no', 1)", "1", "2"),
    ("program", "def run(x): return __name__\nif __name__ == '__main__':\n    print(1)", "1", "2"),
    ("none", "def run(x): return {**x, None: 1}", "**x, None: 1", "None: 1, **x"),
    ("order", "def run(x):\n    y = x\n    z = y\n    return z", "return z", "return y"),
)


@pytest.mark.parametrize(("rule", "text", "old", "new"), COUNTS)
def test_what_counts(package, rule, text, old, new):
    """An edit that changes what a function does, and leaves its results as they are."""
    assert old in text
    assert package({"a": text}) != package({"a": text.replace(old, new)})


# rule, text of module a, another text that does the same
SAME = pairs(
    ("names of definitions", "N = 1\ndef f(): return N\ndef run(x): return f()", None, "K = 1\n"
     "def run(x): return g()\ndef g(): return K"),
    ("name of a class", "class C:\n    def m(self): return C\ndef run(x): return C", None,
     "class D:\n    def m(self): return D\ndef run(x): return D"),
    ("text of an error", "def run(x): raise ValueError('no')", None,
     "def run(x):\n    raise ValueError(f'{x}' + '?')"),
    ("text of a warning", "import warnings as w\ndef run(x): w.warn('no')", None,
     "from warnings import warn\ndef run(x):\n    warn('yes')"),
    ("text of an assertion", "def run(x): assert x, 'no'", None, "def run(x): assert x"),
    ("annotation", "def run(x): return x", None, "def run(x: int) -> int: return x"),
    ("address of a package", "import numpy as np\ndef run(x): return np.random.rand()", None,
     "from numpy.random import rand as r\ndef run(x): return r()"),
    ("unreached", "def run(x): return x", None,
     "import os\nN = 3\nprint(N)\ndef g(): pass\ndef run(x): return x"),
    ("circle", "def run(x): return f(x)\ndef f(x): return g(x)\ndef g(x): return f(x + 1)", None,
     "def b(x): return a(x + 1)\ndef a(x): return b(x)\ndef run(x): return a(x)"),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "text", "_", "other"), SAME)
def test_what_does_not_count(package, rule, text, _, other):
    """Results thrown away for an edit that changes nothing of what a function does."""
    assert package({"a": text}) == package({"a": other})


def test_text_of_a_warning_of_the_package_does_not_count(package):
    """Results thrown away since the package's own way to warn was given other words."""
    own = {"table.__init__": "", "table.warned": "def warn(message):\n    print(message)\n"}
    text = "from treelib.table.warned import warn\n\ndef run(x):\n    warn('no')\n"
    assert package(own | {"a": text}) == package(own | {"a": text.replace("'no'", "f'{x} ' 'yes'")})
    assert package(own | {"a": text}) != package(own | {"a": text.replace("warn('no')", "print('no')")})


def test_a_module_may_define_the_name_it_has_in_its_package(package):
    """`from treelib.b import b` in the package itself, taken for an import in a circle."""
    texts = {
        "__init__": "from treelib.b import b\n",
        "a": "from treelib import b\n\ndef run(x):\n    return b(x)\n",
    }
    before = package(texts | {"b": "def b(x):\n    return x + 1\n"})
    assert before != package(texts | {"b": "def b(x):\n    return x + 2\n"})


def test_a_circle_counts_as_a_whole(package):
    """Functions that call each other: a change at the far side of the circle that nobody notices."""
    names = "abcde"
    circle = {name: f"return {after}(x)" for name, after in zip(names, names[1:] + names[0], strict=True)}

    def text(bodies):
        functions = "\n".join(f"def {name}(x):\n    {body}" for name, body in bodies.items())
        return {"a": f"{functions}\ndef run(x): return a(x)"}

    before = package(text(circle))
    changed = {package(text(circle | {name: circle[name] + " + 1"})) for name in names}
    assert len(changed | {before}) == 1 + len(names)


@pytest.mark.parametrize(
    ("other", "notices"),
    [
        ("from treelib.b import TABLE\n\nTABLE['two'] = 2\n", False),
        ("from treelib.b import TABLE\n\nTABLE.update(two=2)\n", False),
        ("from treelib import b\n\nMINE = {}\nb.TABLE.update(MINE)\n", False),
        ("import os\n\nos.umask(0)\n", False),
        ("from treelib.b import helper\n\nMINE = {}\nMINE.update(two=helper)\n", True),
        ("import os\n\nif os.name:\n    import sys\n", True),
    ],
)
def test_what_no_digest_notices_is_found(package, other, notices):
    """An entry that is added from outside the table's module, or a switch of the whole process."""
    package({"a": DIRECT, "c": other})
    assert (loose_statements("treelib.c") == []) == notices


def test_a_name_that_is_not_plain_counts_for_both(package):
    """A variable called like a function of the module in a part of a definition: the function is not seen."""
    text = {"a": "def f(): return 1\ndef run(x, y=f):\n    f = x\n    return f\n"}
    assert package(text) != package({"a": text["a"].replace("1", "2")})
    inner = {"a": "def f(): return 1\ndef run(x):\n    return f() + (lambda f: f)(x)\n"}
    assert package(inner) != package({"a": inner["a"].replace("1", "2")})
    own = (
        "from treelib.b import helper as h\n\n"
        "def run(x):\n    def g():\n        {}\n        return h()\n    return g, h\n"
    )
    local = {"a": own.format("from treelib.c import h"), "c": "def h(): return 1\n"}
    other = local | {"c": "def h(): return 2\n"}
    assert len({package(local), package(other), package({"a": own.format("pass")})}) == 3


def test_places_apart_count_by_name_alone(package):
    """Data, drawings and the ledger that make results stale, or a call of another of theirs that does not."""
    text = "from treelib.b import helper, mark\n\n@mark('it', seconds=1)\ndef run(x):\n    return helper(x)\n"
    before = package({"a": text}, apart=("b",))
    assert package({"a": text, "b": "def helper(x): return 7"}, apart=("b",)) == before
    assert package({"a": text.replace("seconds=1", "seconds=2")}, apart=("b",)) == before
    by_module = text.replace("import helper, mark", "import mark\nfrom treelib import b")
    assert package({"a": by_module.replace("helper(x)", "b.helper(x)")}, apart=("b",)) == before
    assert package({"a": text.replace("helper", "helped")}, apart=("b",)) != before
    moved = {"a": text.replace("treelib.b", "treelib.kept.b"), "kept.b": BASE["b"], "kept.__init__": ""}
    assert package(moved, apart=("kept",)) == before


def test_a_module_that_is_handed_about_counts_whole(package):
    """``getattr(module, name)``: an edit of what it defines or imports that is overlooked."""
    text = {"a": "from treelib import c\n\ndef run(x):\n    return getattr(c, x)\n"}
    whole = {"c": "from treelib.b import helper\n\ndef other(x):\n    return 1\n"}
    before = package(text | whole)
    assert package(text | whole | {"b": "def helper(x):\n    return 3\n"}) != before
    assert package(text | {"c": whole["c"].replace("1", "2")}) != before
    assert package(text | {"c": whole["c"].replace("other", "another")}) != before


def test_what_cannot_be_followed_is_refused(package):
    """A dependency that is misspelt, or gone since a move, and silently counts for nothing."""
    with pytest.raises(ValueError, match=r"no definition 'treelib\.a\.gone'"):
        package({"a": DIRECT}, "a.gone")
    with pytest.raises(ValueError, match="in a circle and defined nowhere"):
        package({"a": DIRECT, "b": "from treelib.c import helper", "c": "from treelib.b import helper"})
    with pytest.raises(ValueError, match="hides what is used"):
        package({"a": "from treelib.b import *\n\ndef run(x):\n    return helper(x)\n"})


def test_definitions_from_outside_count_by_address(package):
    """A test's or a notebook's own function, which no file of the package defines."""
    package({"a": DIRECT})
    assert reach.digest(pairs) != reach.digest(package)
    assert reach.reached(pairs) == []
