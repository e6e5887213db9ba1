"""The algorithms that the chapters show, as naive twins: the code is the chapters', not a copy of it."""

from pathlib import Path
from types import SimpleNamespace

import jupytext

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
ALGORITHM = "algorithm"  # tag of the cells that define an algorithm


def algorithms(chapter):
    """What the cells of a chapter with the tag ``algorithm`` define.

    Parameters
    ----------
    chapter : str, name of the notebook

    Returns
    -------
    SimpleNamespace of its functions
    """
    names = {"__name__": chapter}
    for cell in jupytext.read(NOTEBOOKS / f"{chapter}.py").cells:
        if ALGORITHM in cell.metadata.get("tags", ()):
            exec(compile(cell.source, f"{chapter}.py", "exec"), names)
    return SimpleNamespace(**names)
