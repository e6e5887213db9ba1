"""Which cells of a chapter depend on the parameters of its main cells, found in the code.

A caption, or a sentence, that speaks of the parameters' values must not stay as it is when a reader changes
them: downloaded notebooks show it only beside the values that it was written for.
"""

import ast
import re
import symtable

import shape

_SHOWN = re.compile(
    r"Markdown\(f?\"|tables?\.\w+\(|\btable\("
)  # a text or a table; a source alone is neither


def parameters_behind(notebook):
    """For each cell, the parameters that it depends on, as they are bound where the cell stands.

    Returns
    -------
    list of dict of the name of a parameter to its value as Python source, one for each cell of the notebook
    """
    behind, current, modules, found = {}, {}, set(), []
    for cell in notebook.cells:
        given = {}
        if cell.cell_type == "code":
            if shape.MAIN in cell.metadata.get("tags", ()):
                given = {target.id: ast.unparse(value) for target, value in shape.first(cell.source)[1]}
            current.update({name: object() for name in given})  # of this cell, not of one before
            seen = {(name, current[name]): value for name, value in given.items()}
            for statement in ast.parse(_code(cell.source)).body:
                bound, asked = _names(statement)
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    modules |= bound
                bound -= modules  # `plt.show()` changes nothing that lasts
                from_here = {key: value for name in asked for key, value in behind.get(name, {}).items()}
                for name in bound:
                    # what a method is called on, or an item is put into, keeps what it had
                    behind[name] = dict(behind.get(name, {}) if name in asked else {}) | from_here
                    if name in given:
                        behind[name] = {(name, current[name]): given[name]}
                seen |= from_here
            found.append({name: value for (name, mark), value in seen.items() if current[name] is mark})
        else:
            found.append({})
    return found


def first_unmoved(notebook, behind):
    """The first text or table below each main cell that stays as it is when its parameters are changed.

    Parameters
    ----------
    notebook : the chapter
    behind : list of dict, what `parameters_behind` gives

    Returns
    -------
    dict of the place of a hidden cell to the parameters of the main cell, with their values as Python source
    """
    found = {}
    for place, end in shape.sections_with_main(notebook):
        names = shape.parameters(notebook.cells[place].source)
        for other in range(place + 1, end):
            cell = notebook.cells[other]
            if shape.MAIN in cell.metadata.get("tags", ()):
                break
            is_text = cell.cell_type == "code" and not shape.is_visible(cell) and _SHOWN.search(cell.source)
            if is_text and not behind[other].keys() & set(names):
                found[other] = {name: behind[place][name] for name in names}
                break
    return found


def _code(source):
    """The code of a cell without what only IPython reads."""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n"))


def _names(statement):
    """Names of the notebook that a statement binds or changes, and that it asks for: two sets."""
    table = symtable.symtable(ast.unparse(statement), "cell", "exec")
    bound, asked = set(bound_names(table)), set(asked_names(table))
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            bound |= _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute):
                bound |= _root(node.value.func)
    return bound, asked


def bound_names(table):
    """Names that code, or a function or comprehension in it, gives to the whole notebook (a symtable)."""
    for name in table.get_symbols():
        is_global = table.get_type() == "module" or name.is_declared_global()
        if is_global and (name.is_assigned() or name.is_imported() or name.is_namespace()):
            yield name.get_name()


def asked_names(table):
    """Names that code, or a function or comprehension in it, takes from the whole notebook (a symtable)."""
    for name in table.get_symbols():
        if name.is_referenced() and (table.get_type() == "module" or name.is_global()):
            yield name.get_name()
    for inner in table.get_children():
        yield from asked_names(inner)


def _root(node):
    """The name that an attribute or an item belongs to, a set."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
