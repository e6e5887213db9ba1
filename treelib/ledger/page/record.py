"""Results as a frame that says where they come from: what `treelib.papers.reproduce` gives."""

import inspect
from pathlib import Path

import pandas as pd

from treelib.ledger import experiments, store
from treelib.ledger.page import cells, origins
from treelib.ledger.page.place import in_book


class Record(pd.DataFrame):
    """Results, a row a case (or several), with where they come from.

    Selections of rows or columns are plain frames: the line below belongs to the whole.

    Attributes
    ----------
    origin : `origins.Stored`
    source : `Source`, the function that runs a case
    """

    _metadata = ("origin", "source")

    @property
    def _constructor(self):
        return pd.DataFrame

    def __repr__(self):
        return f"{super().__repr__()}\n{self.origin.line()}"

    def _repr_html_(self):
        return f'{pd.DataFrame(self)._repr_html_()}<p class="origin">{self.origin.html()}</p>'


class Source:
    """The function that runs a case of an experiment: shows its code, and where it stands.

    Attributes
    ----------
    file : str, below the root of the project
    line : int
    text : str
    """

    def __init__(self, function):
        lines, self.line = inspect.getsourcelines(function)
        self.text = "".join(lines)
        path, parts = Path(inspect.getsourcefile(function)), function.__module__.split(".")
        self.file = "/".join([*parts[:-1], path.name])

    def __str__(self):
        return f"{self.file}:{self.line}"

    def __repr__(self):
        return f"# {self}\n{self.text}"

    def _repr_markdown_(self):
        return f"`{self}`\n\n```python\n{self.text}```"


class MissingData(store.Missing):
    """What cannot be run here; in a notebook, one line instead of a traceback."""

    def _render_traceback_(self):
        return [str(self)]


MOST_VALUES = 12  # of a key that a message lists


def _values(experiment):
    """What the cases of an experiment have, in words: each key with its values, the number of many."""
    values = {}
    for case in experiment.cases():
        for key, value in case.items():
            values.setdefault(key, {})[repr(value)] = None
    return "; ".join(
        f"{key} = {' or '.join(some) if len(some) <= MOST_VALUES else f'one of {len(some)} values'}"
        for key, some in values.items()
    )


def reproduce(name, fresh=False, **part):
    """See `treelib.papers.reproduce`."""
    experiment = experiments.get(name)
    cases = [case for case in experiment.cases() if part.items() <= case.items()]
    if not cases:
        raise ValueError(f"{name} has no case with {part}; its cases have {_values(experiment)}.")
    try:
        frame = store.results(name, cases=cases, fresh=fresh, progress=False if in_book() else None)
    except store.Missing as missing:
        raise MissingData(str(missing).replace("\n", " ")) from None
    folders = (store.overlay(),) if fresh else None
    entries = list(store.records(name, cases, folders).values())
    found = Record(frame)
    found.origin = origins.stored(name, part, entries, fresh)
    found.source = Source(experiment.function)
    cells.WATCH.current.records.append(found.origin)
    return found
