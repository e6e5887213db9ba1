"""What the chapters are made of: visible and hidden cells, values computed on the page and stored, seconds.

The build writes it to ``_build/shape.json``, from which the page on costs shows it (``{chapter-shape}``).
"""

import ast
import json
from functools import cache

from chapters import BUILD, chapters, read
from docutils import nodes
from docutils.parsers.rst import Directive
from rendering import table

from treelib.ledger.page import shipping

PATH = BUILD / "shape.json"
REMOVED = ("remove-input", "remove-cell")
FOLDED = ("hide-input", "hide-cell", "remove-output")  # chapters use none of these
MAIN = "main-table"  # tag of the cell that makes a table or figure of the paper
TRY = "try"  # metadata of such a cell: names of its first statement, and another value for each
HEADS = (
    "chapter",
    "visible cells",
    "hidden cells",
    "values computed here",
    "stored, data ship",
    "stored, other data",
    "computed of those that could be",
    "seconds",
)


def setup(app):
    app.add_directive("chapter-shape", Shape)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def is_visible(cell):
    """Whether the page shows the code of a cell."""
    return cell.cell_type == "code" and not {*REMOVED, *FOLDED} & set(cell.metadata.get("tags", ()))


def values(notebook):
    """Values judged on a page: dict of a claim's id to whether it was computed there."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            for claim, here in output.get("metadata", {}).get("treelib", {}).get("values", {}).items():
                found[claim] = found.get(claim, False) or here
    return found


def shape(notebook, seconds):
    """What one executed chapter is made of, dict of numbers."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    judged = values(notebook)
    stored = [claim for claim, here in judged.items() if not here]
    n_shipped = sum(map(ships, stored))
    return {
        "visible": sum(map(is_visible, code)),
        "hidden": sum(not is_visible(cell) for cell in code),
        "here": sum(judged.values()),
        "stored": n_shipped,
        "elsewhere": len(stored) - n_shipped,
        "seconds": round(seconds, 1),
    }


@cache
def kept_verdicts():
    """Lines of the kept verdicts by claim."""
    from treelib.ledger import verdicts

    return {row["id"]: row for row in verdicts.read()}


def ships(claim):
    """Whether the data behind the stored value of a claim ship with the project."""
    return shipping.on_shipped_data(kept_verdicts()[claim])


def shapes(cache):
    """Shape of each chapter that was executed as it is now, dict by name; `cache` of `open_cache`."""
    found = {}
    for path in chapters():
        notebook = read(path.read_text(encoding="utf-8"))
        try:
            seconds = cache.match_cache_notebook(notebook).data["execution_seconds"]
        except KeyError:
            continue
        found[path.stem] = shape(cache.merge_match_into_notebook(notebook)[1], seconds)
    return found


def write(found):
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_text(json.dumps(found, indent=1), encoding="utf-8")


def rows(found):
    """Lines of the table and their sum, list of lists of str."""
    if not found:
        return []
    total = {key: sum(one[key] for one in found.values()) for key in next(iter(found.values()))}
    return [_line(name, one) for name, one in [*found.items(), ("all", total)]]


def _line(name, one):
    """A line of the table: numbers, and before the seconds the share of values that were computed."""
    *counts, seconds = (f"{value:g}" for value in one.values())
    possible = one["here"] + one["stored"]
    return [name, *counts, f"{100 * one['here'] / possible:.0f} %" if possible else "", seconds]


class Shape(Directive):
    """``{chapter-shape}``: the table, of the chapters that stand in this site."""

    def run(self):
        found = json.loads(PATH.read_text(encoding="utf-8")) if PATH.is_file() else {}
        return [nodes.raw("", table(HEADS, rows(found)), format="html")]


# ---- another value in the first statement of a cell -------------------------------------------------------


def parameters(source):
    """Names in the first statement of a cell: a constant, or several at once.

    Raises
    ------
    ValueError
        The first statement gives no constants in capitals.
    """
    return [target.id for target, _ in first(source)[1]]


def with_parameters(source, **changed):
    """The code of a cell with other values in its first statement.

    Raises
    ------
    ValueError
        The first statement does not give all of the names.
    """
    statement, pairs = first(source)
    unknown = changed.keys() - {target.id for target, _ in pairs}
    if unknown:
        raise ValueError(f"the first statement does not give {', '.join(sorted(unknown))}")
    names = ", ".join(target.id for target, _ in pairs)
    given = ", ".join(
        repr(changed[target.id]) if target.id in changed else ast.unparse(value) for target, value in pairs
    )
    rest = source.split("\n")[statement.end_lineno :]
    return "\n".join([f"{names} = {given}", *rest])


def first(source):
    """The first statement behind the imports, and its pairs of name and value."""
    body = [one for one in ast.parse(source).body if not isinstance(one, (ast.Import, ast.ImportFrom))]
    statement = body[0] if body else None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        raise ValueError("the first statement gives no parameters")
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    else:
        pairs = [(target, value)]
    if not all(isinstance(name, ast.Name) and name.id.isupper() for name, _ in pairs):
        raise ValueError("the first statement gives something else than constants in capitals")
    return statement, pairs


def sections_with_main(notebook):
    """(place of a cell to change, places of all cells up to the end of its section), for each main cell."""
    found = []
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and MAIN in cell.metadata.get("tags", ()):
            later = range(place + 1, len(notebook.cells))
            ends = (
                other
                for other in later
                if notebook.cells[other].cell_type == "markdown"
                and notebook.cells[other].source.startswith("#")
            )
            found.append((place, next(ends, len(notebook.cells))))
    return found
