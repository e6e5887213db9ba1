"""The shape of the chapters as sources: which cells a reader sees, what they import, which can be changed."""

import ast
import builtins
import re
import symtable
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.py"))
# what a visible cell may use: no machinery of the ledger
PLAIN = ("treelib.ledger.protocol", "treelib.ledger.page", "IPython", "myst_nb")
LONGEST = {True: 65, False: 30}  # lines of a visible cell, of one that defines an algorithm and of others


@pytest.fixture(scope="module")
def shape(book):
    return book("shape")


@pytest.fixture(scope="module")
def depends(book):
    return book("depends")


@cache
def notebook(path):
    return import_module("chapters").read(path.read_text(encoding="utf-8"))


def imported(source):
    """Names of the modules that the code of a cell imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_code_is_shown_or_removed(shape, path):
    """Formatting that is folded: a reader who opens it finds no method."""
    for cell in notebook(path).cells:
        folded = {*shape.FOLDED} & set(cell.metadata.get("tags", ()))
        assert not folded, f"{path.name}: {sorted(folded)}: show the cell, or tag it remove-input"


def test_hidden_code_is_rare(shape):
    """Tables that come out of cells which nobody sees."""
    n_lines = {True: 0, False: 0}
    for cell in (cell for path in CHAPTERS for cell in notebook(path).cells if cell.cell_type == "code"):
        n_lines[shape.is_visible(cell)] += len(cell.source.splitlines())
    assert n_lines[False] <= n_lines[True] / 10


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_sections_begin_with_a_sentence(shape, path):
    """A heading with a table right below it, which nobody has introduced."""
    for cell, below in pairwise(notebook(path).cells):
        last = cell.source.rstrip().rpartition("\n")[2]
        begins = cell.cell_type == "markdown" and below.cell_type == "code" and last.startswith("#")
        assert not begins or path.stem == "errata", f"{path.name}: {last}"  # errata come as sentences


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_needs_nothing_of_the_book(shape, path):
    """A downloaded notebook that fails at an import of the book's tools, or prints directives."""
    for cell in notebook(path).cells:
        names = set(imported(cell.source)) if cell.cell_type == "code" else set()
        assert not {"myst_nb", "IPython.display.Markdown"} & names, (
            f"{path.name}: take glue and Markdown from treelib.ledger.page"
        )
        assert cell.cell_type != "code" or '"../' not in cell.source, (
            f"{path.name}: links of code are page.address(...), which is right in downloads too"
        )


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_visible_cells_are_plain(shape, path):
    """Machinery of the ledger in the code that a reader is meant to read, or more of it than one reads."""
    for cell in filter(shape.is_visible, notebook(path).cells):
        machinery = [name for name in imported(cell.source) if name.startswith(PLAIN)]
        assert not machinery, f"{path.name}: {machinery} in a visible cell"
        longest = LONGEST["algorithm" in cell.metadata.get("tags", ())]
        assert len(cell.source.splitlines()) <= longest, f"{path.name}: a visible cell of too many lines"


def missing_names(cells, depends):
    """Names that some cells, run in this order and nothing else, would not find."""
    known, missing = {*dir(builtins), "__name__"}, []
    for source in cells:
        table = symtable.symtable(source, "cell", "exec")
        known |= set(depends.bound_names(table))
        missing += [name for name in dict.fromkeys(depends.asked_names(table)) if name not in known]
    return missing


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_visible_cells_need_no_hidden_one(shape, depends, path):
    """A cell copied from the page with all before it, which stops at a name of a hidden cell."""
    visible = [cell.source for cell in filter(shape.is_visible, notebook(path).cells)]
    missing = missing_names(visible, depends)
    assert not missing, f"{path.name}: {missing}: import or define them in a visible cell"


@pytest.mark.parametrize(
    ("cells", "missing"),
    [
        (["import a.b as c\nx = c + 1", "print(x)"], []),
        (["x = [y for y in z]"], ["z"]),
        (["def f(n):\n    return n + m", "m = 1"], ["m"]),
        (["f = lambda n: [n for _ in k]\nk = 2"], []),
        (["for i, j in []:\n    pass\nwith open(i) as k:\n    print(k, j, w)"], ["w"]),
    ],
)
def test_missing_names_are_found(depends, cells, missing):
    """A rule that takes a comprehension's own name for missing, or overlooks one inside a function."""
    assert missing_names(cells, depends) == missing


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_main_cells_can_be_changed(shape, path):
    """A cell whose parameters are not in its first statement, or that names none to try."""
    for cell in notebook(path).cells:
        if shape.MAIN in cell.metadata.get("tags", ()):
            tried = cell.metadata.get(shape.TRY)
            assert shape.is_visible(cell) and tried, f"{path.name}: a main cell is shown and has {shape.TRY}"
            assert shape.with_parameters(cell.source, **tried) != cell.source


@pytest.mark.parametrize(
    ("source", "changed", "expected"),
    [
        ('DATA, N = "a", 3\nprint(DATA)', {"DATA": "b"}, "DATA, N = 'b', 3\nprint(DATA)"),
        ('import math\n\nDATA = "a"  # set\nprint(DATA)', {"DATA": 1}, "DATA = 1\nprint(DATA)"),
        ("DATA = [\n    1,\n]\nprint(DATA)", {"DATA": [2]}, "DATA = [2]\nprint(DATA)"),
    ],
)
def test_parameters_are_changed_in_the_first_statement(shape, source, changed, expected):
    """A changed cell that still computes with the old value."""
    assert shape.with_parameters(source, **changed).endswith(expected)


@pytest.mark.parametrize(
    ("source", "changed"),
    [("data = 3", {"data": 1}), ("print(3)", {"A": 1}), ("A, B = f()", {"A": 1}), ("A = 3", {"B": 1})],
)
def test_other_first_statements_are_refused(shape, source, changed):
    """A parameter that is not where a reader looks for it."""
    with pytest.raises(ValueError, match="first statement"):
        shape.with_parameters(source, **changed)


def test_shape_counts_cells_and_values(shape):
    """A hidden cell counted as visible; a value that is computed on the page counted as stored, or twice; one
    on data that nobody may pass on counted as left uncomputed."""
    nbformat = import_module("nbformat")
    text = '# %%\n1\n\n# %% tags=["remove-input"]\n2\n\n# %% tags=["remove-input"]\n3\n'
    chapter = import_module("chapters").read(text)
    ships, other, seen = "osdt.t2.all-bounds.memory", "bornagain.t2.se.d-depth", "osdt.f4.osdt.accuracy"
    judged = ({}, {seen: False, ships: False, other: False}, {seen: True})
    for cell, values in zip(chapter.cells, judged, strict=True):
        cell.outputs = [nbformat.v4.new_output("display_data", {}, metadata={"treelib": {"values": values}})]
    expected = {"visible": 1, "hidden": 2, "here": 1, "stored": 1, "elsewhere": 1, "seconds": 2.5}
    assert shape.shape(chapter, 2.54) == expected
    assert shape.rows({"x": expected, "y": expected})[-1] == ["all", "2", "4", "2", "2", "2", "50 %", "5"]
    assert len(shape.rows({"x": expected})[0]) == len(shape.HEADS) and shape.rows({}) == []


def test_section_ends_at_the_next_heading(shape):
    """A test of changed parameters that judges cells of another section."""
    text = '# %% tags=["main-table"]\nA = 1\n\n# %% [markdown]\n# text\n\n# %%\n2\n'
    text += "\n# %% [markdown]\n# # Next\n\n# %%\n3\n"
    assert shape.sections_with_main(import_module("chapters").read(text)) == [(0, 3)]


DRAWN = """
# %% tags=["remove-input"]
other = 3

# %% tags=["main-table"] try={"A": 2}
A, B = 1, "b"
import matplotlib.pyplot as plt
rows = []
for row in range(A):
    rows.append(row)

# %% mystnb={"figure": {"name": "one", "caption": "Of one."}}
plt.plot(rows)

# %% mystnb={"figure": {"name": "none", "caption": "Of none."}}
plt.plot([B for B in (other,)])

# %% tags=["main-table"] try={"A": 3}
A = 7
def twice(B):
    return 2 * A * B

# %% mystnb={"figure": {"name": "other", "caption": "Of the other."}}
plt.plot(rows, twice(2))
"""


def test_what_a_figure_depends_on_is_found(depends):
    """A caption taken away though nothing of it changed, or left where what it names is another."""
    found = depends.parameters_behind(import_module("chapters").read(DRAWN.lstrip()))
    assert found == [{}, {"A": "1", "B": "'b'"}, {"A": "1"}, {}, {"A": "7"}, {"A": "7"}]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_source_is_that_of_the_values_above_it(shape, depends, path):
    """A number of one data set above a line that names the record of another."""
    cells = notebook(path).cells
    behind = depends.parameters_behind(notebook(path))
    for place, end in shape.sections_with_main(notebook(path)):
        chosen = {
            node.value.id
            for node in ast.walk(ast.parse(cells[place].source))
            if isinstance(node, ast.keyword) and isinstance(node.value, ast.Name)
        } & set(shape.parameters(cells[place].source))
        if "reproduce(" not in cells[place].source or not chosen:
            continue
        for other in range(place + 1, end):
            if shape.MAIN in cells[other].metadata.get("tags", ()):
                break
            if re.search(r"page\.origin\((?!of=)", cells[other].source):
                assert chosen <= behind[other].keys(), f"{path.name}: {cells[other].source[:80]}"
