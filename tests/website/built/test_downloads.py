"""The notebooks that the site offers, run as a reader runs them: elsewhere, without the book's tools.

Marked long: they execute every chapter again, and once more for each table whose parameters are changed.
``CLEAN_VENV=1`` runs them in an environment of their own, made from the package index.
"""

import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from functools import cache
from importlib import import_module

import pytest

from tests.website.pages import ROOT, SITE, needs_site

# what the extra "book" brings and a reader does not have
ABSENT = ("myst_nb", "myst_parser", "sphinx", "jupyter_book", "jupytext", "numpydoc", "docutils")
LEFT_OVER = re.compile(r":::|\{glue|\.\./book/|\.\./records/|\.\./notebooks/|\{[a-z:]+\}`|Traceback \(most")
LISTED = re.compile(r"[a-z,]\n *\d+[.)](?:\s|$)")  # notebook programs take such a number for a list
BLOCK = f"""
import sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Absent())
"""
FOLDER = SITE / "_sources" / "notebooks"
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.py"))


@pytest.fixture(scope="module")
def shape(book):
    return book("shape")


@cache
def clean_python():
    """The interpreter of a new environment with the package, its documented extras and Jupyter."""
    venv = ROOT / "_build" / "reader"
    python = venv / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"treelib-companion[plot,milp] @ {ROOT.as_uri()}", "jupyter"], check=True)
    return python


def environment(folder):
    """The variables of a reader: nothing of the book, no module of its extra, and figures that show."""
    left = ("TREELIB_BOOK", "TREELIB_LIVE", "MPLBACKEND")
    kept = {name: value for name, value in os.environ.items() if name not in left}
    (folder / "sitecustomize.py").write_text(BLOCK)
    paths = [str(folder)] + ([] if os.environ.get("CLEAN_VENV") else [str(ROOT)])
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)}


RUN = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": "."}}).execute()
nbformat.write(notebook, sys.argv[1])
"""


def execute(notebook, folder):
    """Run a notebook in an empty folder, in processes of their own; the notebook with its outputs."""
    nbformat = import_module("nbformat")
    place = folder / "empty"
    place.mkdir()
    nbformat.write(notebook, place / "chapter.ipynb")
    python = clean_python() if os.environ.get("CLEAN_VENV") else sys.executable
    variables = {**environment(folder), "JUPYTER_PREFER_ENV_PATH": "1"}
    command = [str(python), "-c", RUN, "chapter.ipynb"]
    done = subprocess.run(command, cwd=place, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return nbformat.read(place / "chapter.ipynb", as_version=4)


def said(notebook):
    """All texts of the outputs of a notebook."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            yield "".join(output.get("text", ""))
            yield from (
                str(text) for kind, text in output.get("data", {}).items() if kind.startswith("text/")
            )
            yield "\n".join(output.get("traceback", ()))


def marked(notebook):
    """All outputs of a notebook that are Markdown."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            yield from (text for kind, text in output.get("data", {}).items() if kind == "text/markdown")


def read(name):
    return import_module("nbformat").read(FOLDER / f"{name}.ipynb", as_version=4)


@needs_site
@pytest.mark.parametrize("name", CHAPTERS)
def test_outputs_of_downloads_are_plain(name):
    """A directive, a role or a link that is dead elsewhere, in what a reader opens."""
    notebook = read(name)
    assert not [LEFT_OVER.search(text)[0] for text in said(notebook) if LEFT_OVER.search(text)]
    assert not [LISTED.search(text)[0] for text in marked(notebook) if LISTED.search(text)]
    assert any(said(notebook))


@needs_site
@pytest.mark.parametrize("name", CHAPTERS)
def test_script_is_the_notebook(shape, name):
    """A .py download with other code than the .ipynb, or that Python cannot read."""
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    compile(text, name, "exec")
    script = import_module("jupytext").reads(text, fmt="py:percent")
    code = [[cell.source for cell in one.cells if cell.cell_type == "code"] for one in (script, read(name))]
    assert code[0] == code[1] and "find_spec" in code[0][0]


@pytest.mark.long
@needs_site
@pytest.mark.parametrize("name", CHAPTERS)
def test_download_runs_elsewhere(name, tmp_path):
    """A chapter that runs only where the book is built, or looks broken anywhere else."""
    notebook = execute(read(name), tmp_path)
    left = [LEFT_OVER.search(text)[0] for text in said(notebook) if LEFT_OVER.search(text)]
    assert not left and any(said(notebook))


def changed_cells():
    """(chapter, which of its main cells), for all main cells in the sources."""
    for name in CHAPTERS:
        text = (ROOT / "notebooks" / f"{name}.py").read_text(encoding="utf-8")
        marks = re.findall(r"^# %%.*\bmain-table\b", text, re.MULTILINE)
        yield from (pytest.param(name, i, id=f"{name}-{i}") for i in range(len(marks)))


@pytest.mark.long
@needs_site
@pytest.mark.parametrize(("name", "which"), list(changed_cells()))
def test_parameters_drive_what_is_shown(shape, name, which, tmp_path):
    """A table or figure that stays as it is when a reader changes the line above it, or that fails."""
    notebook = read(name)
    place, end = shape.sections_with_main(notebook)[which]
    # what stands above may define what the section uses; the section runs twice, the same way each time
    again = deepcopy(notebook.cells[place:end])
    for number, cell in enumerate(again):
        cell.id = f"again-{number}"
    again[0].source = shape.with_parameters(again[0].source, **again[0].metadata[shape.TRY])
    notebook.cells = [*notebook.cells[:end], *again]
    notebook = execute(notebook, tmp_path)
    assert output_text(notebook.cells[end]) != output_text(notebook.cells[place]) != "[]"


def output_text(cell):
    return json.dumps([output.get("data", output.get("text", "")) for output in cell.outputs], sort_keys=True)


# ---- the same machinery on a small notebook, at every run of the tests ----------------------------------

SMALL = """
# %% [markdown]
# # Small

# %% tags=["remove-input"]
import pandas as pd

from treelib.ledger.page import Markdown, glue
from treelib.papers import compare

# %% tags=["main-table"] try={"PLACES": 2}
PLACES = 3
found = round(82.88100208768268, PLACES)
found

# %% tags=["remove-input"]
glue("small-found", found)
ours = pd.DataFrame({"accuracy": [found]}, index=["osdt"])
compare("osdt.f5", ours, rows=["osdt"], caption="A {numref}`x` caption.", name="small", PLACES=(PLACES, 3))

# %% tags=["remove-input"]
Markdown("See [the scorecard](../book/scorecard.html), {cite:t}`osdt`: {glue:text}`small-found`.")
"""


def small():
    return import_module("jupytext").reads(SMALL, fmt="py:percent")


def test_number_at_the_start_of_a_line_is_noticed():
    """A sentence whose last number becomes a list of its own in JupyterLab."""
    assert LISTED.search("the leaves become\n  19.\n") and not LISTED.search("they become\n  19 leaves.\n")


def test_small_notebook_runs_elsewhere(shape, tmp_path):
    """Machinery that needs the book's tools, or that leaves their language in what a reader sees."""
    texts = "\n".join(said(execute(small(), tmp_path)))
    assert not LEFT_OVER.search(texts)
    assert "82.881" in texts and "computed here in" in texts and "1 of 1 cells equal" in texts


def test_small_notebook_runs_with_other_parameters(shape, tmp_path):
    """A comparison with the paper that stays when the parameters are not the paper's."""
    notebook = small()
    [(place, _)] = shape.sections_with_main(notebook)
    cell = notebook.cells[place]
    cell.source = shape.with_parameters(cell.source, **cell.metadata[shape.TRY])
    texts = "\n".join(said(execute(notebook, tmp_path)))
    assert "82.88" in texts and "cells equal" not in texts and "`PLACES = 3`" in texts


def test_absent_modules_are_absent(shape, tmp_path):
    """A test of downloads that passes because the book's tools are there after all."""
    notebook = import_module("jupytext").reads("# %%\nimport myst_nb\n", fmt="py:percent")
    with pytest.raises(AssertionError, match="No module named 'myst_nb'"):
        execute(notebook, tmp_path)


DRAWN = """
# %% tags=["main-table"] try={"N": 3}
N = 2
import pandas as pd
frame = pd.DataFrame({"x": range(N)})

# %% mystnb={"figure": {"name": "small-figure", "caption": "Two *rows* of `x`."}}
frame

# %% mystnb={"figure": {"name": "other-figure", "caption": "Another."}}
pd.DataFrame({"y": [1]})

# %% tags=["remove-input"]
from treelib.ledger.page import Markdown

Markdown("*Found:* two rows.")
"""


def test_captions_and_sentences_say_what_they_were_written_for(book, shape, tmp_path):
    """A caption, or a finding, that names two rows, below a figure of three."""
    figures = {"small-figure": ("Fig. 1.1", ""), "other-figure": ("Fig. 1.2", "")}
    plain = book("plain").Plain({"numref": figures}, {}, {}, "", "")
    made = plain.notebook(import_module("jupytext").reads(DRAWN, fmt="py:percent"), "notebooks/small")
    shown, still = (cell for cell in made.cells if "Fig." in cell.source)
    assert still.cell_type == "markdown" and still.source == "*Fig. 1.2* Another."
    asis = "*Fig. 1.1* Two *rows* of `x`."
    assert shown.outputs[0].data["text/markdown"] == asis
    for name in ("as-it-is", "changed"):
        (tmp_path / name).mkdir()
    texts = list(said(execute(deepcopy(made), tmp_path / "as-it-is")))
    assert asis in texts and not any("is still for" in text for text in texts)
    [(place, _)] = shape.sections_with_main(made)
    made.cells[place].source = shape.with_parameters(made.cells[place].source, N=3)
    texts = list(said(execute(made, tmp_path / "changed")))
    assert asis not in texts
    assert "*Fig. 1.1* with `N = 3`. On the page, with `N = 2`: Two *rows* of `x`." in texts
    stays = "*With `N = 3` above, what follows up to the next heading is still for `N = 2`.*"
    assert texts.index(stays) < texts.index("*Found:* two rows.")
