"""Who may know whom: the imports of all files against the plan of the house (CONTRIBUTING.md)."""

import ast
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import treelib
from treelib.compiled import sources

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "treelib"
METHODS = ("sparse", "bornagain", "topdown", "dyadic")
HEAVY = ("sklearn", "pandas", "matplotlib", "seaborn")


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


def room(name):
    """First part of a module's name below treelib if that is a folder or the command line, else "ground"."""
    part = [*name.split("."), ""][1].replace("__main__", "cli")
    return part if part in (*METHODS, "datasets", "ledger", "papers", "owndata", "cli", "wasm") else "ground"


@cache
def known(path):
    return sources.imported_modules(path.read_text(encoding="utf-8"))


@cache
def nodes(path):
    """All nodes of a file's syntax tree, the module first."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def foreign(path):
    """Names of the packages outside treelib that a file imports."""
    names = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names - {"treelib"}


ALLOWED = {
    "ground": {"ground"},
    "datasets": {"ground", "datasets"},
    **{method: {"ground", method} for method in METHODS},
    "ledger": {"ground", "datasets", "ledger"},
    "papers": {"ground", "datasets", "ledger", "papers", *METHODS},
    "owndata": {"ground", "owndata", *METHODS},
    "cli": {"ground", "datasets", "ledger", "papers", "owndata", "cli", *METHODS},
    "wasm": {"ground", "datasets", "ledger", "wasm", *METHODS},
}


def test_modules_know_only_their_neighbours():
    """A method that leans on another method, or a library module that leans on the papers."""
    strangers = {
        name: sorted(other for other in known(path) if room(other) not in ALLOWED[room(name)])
        for name, path in MODULES.items()
        if name != "treelib"
    }
    assert {name: others for name, others in strangers.items() if others} == {}


def test_kernel_modules_know_only_numpy_and_numba():
    """A kernel file that pulls scikit-learn or pandas into every program that uses the kernel."""
    light = {"numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)
    compiled = {
        name: foreign(path) - light
        for name, path in MODULES.items()
        if any(is_kernel for *_, is_kernel in functions_of(path))
    }
    assert len(compiled) > 50 and {name: others for name, others in compiled.items() if others} == {}


def test_imports_are_absolute():
    """A relative import, which treelib.compiled.sources would not follow: stale kernels and stale pages."""
    imports = [(name, node) for name, path in MODULES.items() for node in nodes(path)]
    assert [
        f"{name}:{node.lineno}" for name, node in imports if isinstance(node, ast.ImportFrom) and node.level
    ] == []


def test_modules_import_each_other_in_one_direction():
    """A circle of imports, at the top of modules or inside functions: no end of it can be read alone."""
    graph = {name: known(path) - {name} for name, path in MODULES.items()}
    done = set()

    def visit(name, path):
        assert name not in path, f"circle: {' -> '.join([*path, name])}"
        if name not in done:
            for other in sorted(graph.get(name, ())):
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_modules_are_short_enough_to_read():
    """A file that has grown beyond what one reads in a sitting."""
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: n for name, n in lines.items() if n >= 500} == {}


def functions_of(path):
    """(name, arguments, lines without the docstring, whether it is compiled) of all its functions."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef):
            lines = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                lines -= node.body[0].end_lineno - node.body[0].lineno + 1
            arguments = node.args
            n = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            yield node.name, n, lines, any(mark.startswith("kernel") for mark in marks)


# lists of claims, each with how it is judged
LONG_LISTS = {"judge_policies", "judge_figure_1"}


def test_functions_are_short_and_kernels_take_few_arguments():
    """A function that no screen shows whole, or a kernel with a clump of arrays that is no NamedTuple."""
    for name, path in MODULES.items():
        for function, n_arguments, lines, is_kernel in functions_of(path):
            assert lines <= 70 or function in LONG_LISTS, f"{name}.{function} has {lines} lines"
            assert n_arguments <= 8 or not is_kernel, f"{name}.{function} takes {n_arguments} arguments"


def test_no_text_is_dropped():
    """A sentence whose second half stands on a line of its own outside of brackets, and is lost."""
    bodies = [(name, getattr(node, "body", None)) for name, path in MODULES.items() for node in nodes(path)]
    for name, body in bodies:
        for line in body[1:] if isinstance(body, list) else ():
            lost = isinstance(line, ast.Expr) and isinstance(line.value, (ast.Constant, ast.JoinedStr))
            assert not lost, f"{name}:{line.lineno}: {ast.unparse(line)}"


def test_no_folder_is_a_drawer():
    """A folder in which name prefixes do the work of folders, or that does not say what it is for.

    It holds for the tests as well. The sources of data are a module a source.
    """
    files = [*MODULES.values(), *(ROOT / "tests").rglob("*.py")]
    for folder in {path.parent for path in files} - {PACKAGE / "datasets" / "sources"}:
        name, inside = folder.relative_to(ROOT), {path.stem for path in folder.glob("*.py")} - {"__init__"}
        assert len(inside) <= 13, f"{name} has {len(inside)} modules"
        repeats = inside & {folder.name, f"test_{folder.name}"}
        assert not repeats, f"{name} repeats its name in {repeats}"
        about = folder / "__init__.py"
        says = about.is_file() and ast.get_docstring(ast.parse(about.read_text(encoding="utf-8")))
        assert says, f"{name} has no sentence in its __init__.py"


SKIPS = {"skip", "importorskip"}


def skips_at_top(tree):
    """Whether a module skips itself while it is imported: outside of functions."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and ast.unparse(node.func).removeprefix("pytest.") in SKIPS:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False


def imports_of(path):
    """Dotted names that a file may import, modules and what is in them."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_module_that_others_import_does_not_skip_itself():
    """A module of the tests that a missing package leaves half loaded, and an error for who imports it next.

    A function skips the test that calls it instead, as `tests.wasm.kernels.in_wasmtime.runtime` does.
    """
    files = {module_name(path): path for path in sorted((ROOT / "tests").rglob("*.py"))}
    imported = {name for path in files.values() for name in imports_of(path)}
    skipping = {name for name, path in files.items() if skips_at_top(nodes(path)[0])}
    assert skipping and not skipping & imported


def test_what_skips_itself_is_seen():
    """A skip inside of a condition that is not seen, or one of a function that is."""
    for text, found in (
        ("import pytest\nif True:\n    wasm = pytest.importorskip('wasm')", True),
        ("from pytest import skip\nskip('no', allow_module_level=True)", True),
        ("def runtime():\n    return pytest.importorskip('wasm')", False),
    ):
        assert skips_at_top(ast.parse(text)) is found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_thin(path):
    """A chapter that reaches into a method's internals, defines kernels, or needs packages of its own."""
    inner = {name for name in known(path) if room(name) in METHODS and name.count(".") > 1}
    for package in (treelib, *(import_module(f"treelib.{method}") for method in METHODS)):
        inner -= set(getattr(package, "_PUBLIC", {}).values())
    assert not inner, f"{path.name} must use the public names, not {sorted(inner)}"
    usual = {"IPython", "matplotlib", "myst_nb", "numpy", "pandas", "seaborn", "sklearn"}
    assert foreign(path) <= usual | set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "statement", ["import treelib", "from treelib.tree import Tree", "from treelib import datasets"]
)
def test_import_is_light(statement):
    """A heavy package at the top of a module that everybody imports."""
    program = f"import sys; {statement}; print(*[name for name in {HEAVY} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert loaded.stdout.split() == []


def test_public_names_exist():
    """A name in treelib's table of public names that no module defines, or that is not in __all__."""
    assert sorted(treelib._PUBLIC) == sorted(treelib.__all__)
    for name in treelib.__all__:
        assert getattr(treelib, name).__name__ == name
