"""The chapters of the book: which they are, how they are read, and what their results depend on.

jupyter-cache knows an executed notebook by its code cells and their metadata; it cannot see that the
library beneath changed. `read` therefore writes a digest of everything the chapter uses into its first
code cell, so that an edit of the library re-executes exactly the chapters that stand on it.
"""

import hashlib
import os
import platform
import re
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import jupytext
import yaml
from jupyter_cache import get_cache

from treelib.compiled import sources
from treelib.ledger import store
from treelib.ledger.papers import ACROSS, groups, papers

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "_build"
# a new release of one of these may change a result or a figure
_STACK = ("numpy", "numba", "scikit-learn", "pandas", "matplotlib", "seaborn")

# how matplotlib hands its figures to a chapter: as drawings for the pages, and as pictures of twice the
# pixels that a page has, for notebook programs
FIGURES = (
    "--InlineBackend.figure_formats=svg",
    "--InlineBackend.figure_formats=png",
    "--InlineBackend.print_figure_kwargs={'bbox_inches': 'tight', 'dpi': 200}",
)


def pages():
    """Documents of the table of contents in reading order, as paths relative to the root, no suffix."""

    def walk(entry):
        if isinstance(entry, dict):
            found = [entry[key] for key in ("root", "file") if key in entry]
            children = (entry.get(key, []) for key in ("parts", "chapters", "sections", "entries"))
            return found + [page for child in children for page in walk(child)]
        return [page for child in entry for page in walk(child)]

    return walk(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))


def chapters():
    """Files of the executable chapters, in reading order."""
    return [path for page in pages() if (path := ROOT / f"{page}.py").is_file()]


def read(text):
    """Notebook of the py:percent source `text`, stamped with the digest of what it depends on.

    This is the reader that Sphinx uses (`nb_custom_formats` in ``_config.yml``), and the one the build
    uses to execute the chapters beforehand: both must see the same notebook.
    """
    notebook = jupytext.reads(text, fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata["depends_on"] = dependency_digest(text)
            break
    return notebook


def dependency_digest(text):
    """Hexadecimal digest of the library modules a chapter imports, the data, and the numerical stack."""
    modules = sources.imported_modules(text)
    state = hashlib.sha256(sources.digest(modules).encode())
    named = {key for key in groups() if re.search(rf"""["']{key}[.\"']""", text)}
    beneath = sources.closure(modules)
    data = _data_digest((*_data_of(beneath, named), *_templates_of(beneath)))
    state.update(repr((data, _kept_verdicts(named), _stack(), FIGURES)).encode())
    return state.hexdigest()[:16]


def _templates_of(modules):
    """Texts that are filled in by these modules: they stand in the folder of one, or in a folder there."""
    folders = {sources.module_path(name).parent for name in modules} - {sources.PACKAGE}
    found = {path for folder in folders for inside in ("*", "templates/*") for path in folder.glob(inside)}
    return tuple(sorted(path for path in found if path.is_file() and not path.suffix.startswith(".py")))


def _kept_verdicts(named):
    """Lines on the papers that a chapter names of what `compare` and `findings` show."""
    kept = ("results/verdicts.csv", "results/findings.csv", "claims/findings.csv")
    lines = [line for name in kept for line in (ROOT / "data" / name).read_text("utf-8").splitlines()]
    return [line for line in lines if line.partition(".")[0] in named]


def _data_of(modules, named=()):
    """Files below ``data`` that chapters on these modules can see: the data sets; claims and results only of
    the papers whose experiments they import or name (``compare("osdt.t2")``); benchmarks, all verdicts and
    figures of suites only where they are read."""
    folders = {key: "across" if key == ACROSS else key for key in groups()}
    rooms = {name.split(".")[2] for name in modules if name.startswith("treelib.papers.")}
    seen = {key for key, folder in folders.items() if folder in rooms} | set(named)
    folder = ROOT / "data"
    chosen = [
        path
        for path in sorted(folder.iterdir())
        if path.name not in ("claims", "releases", "results", "tested")
    ]
    chosen += [folder / "tested"] if "treelib.ledger.suites" in modules else []
    chosen += [folder / "claims" / f"{paper}.csv" for paper in papers() if paper in seen]
    patterns = [f"{paper}[.-]*" for paper in sorted(seen)]
    if "treelib.papers.across.engine" in modules:
        patterns.append("bench_*")
    if "treelib.ledger.verdicts" in modules:
        patterns.append("verdicts.csv")
    folders = [folder / "results", *filter(None, [store.live()])]
    return tuple(chosen) + tuple(
        path for pattern in patterns for results in folders for path in sorted(results.glob(pattern))
    )


def tree_digest(*paths):
    """Hexadecimal digest of the names and contents of all files at and below `paths`."""
    state = hashlib.sha256()
    for top in paths:
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            hidden = any(
                part.startswith((".", "_downloads", "__pycache__")) for part in path.relative_to(ROOT).parts
            )
            if path.is_file() and not hidden:
                state.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return state.hexdigest()


def site_digest():
    """Hexadecimal digest of everything the site is made from; equal digests mean an equal site."""
    inputs = [ROOT / name for name in ("book", "notebooks", "treelib", "data")]
    inputs += filter(None, [store.live()])
    inputs += [ROOT / name for name in ("_config.yml", "_toc.yml", "CITATION.cff", "CHANGELOG.md")]
    versions = sorted(f"{dist.name}=={dist.version}" for dist in distributions())
    state = hashlib.sha256(tree_digest(*inputs).encode())
    state.update(repr((platform.python_version(), versions, os.environ.get("TREELIB_DATA_DIR"))).encode())
    return state.hexdigest()


@cache
def _data_digest(paths):
    return tree_digest(*paths), os.environ.get("TREELIB_DATA_DIR")


@cache
def _stack():
    versions = {dist.name.lower(): dist.version for dist in distributions()}
    return platform.python_version_tuple()[:2], [versions.get(name) for name in _STACK]


def open_cache():
    """The executed chapters, a cache of `jupyter_cache` below `BUILD`."""
    cache = get_cache(BUILD / ".jupyter_cache")
    cache.list_cache_records()  # creates the database before anyone else asks for it
    return cache
