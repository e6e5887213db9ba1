"""The cells of a notebook as they run: how long each took, and what it took from the stored results.

Importing `treelib.ledger.page` in a notebook begins this; outside of IPython nothing happens. Cells that
only judge and format say so by showing a text of `treelib.ledger.page`, and are passed over when the seconds
of the cell that made a table are asked for.
"""

import time
from dataclasses import dataclass, field


@dataclass
class Cell:
    """One run of a cell.

    Attributes
    ----------
    start : float, of the clock that `time.perf_counter` reads
    seconds : float or None, None while it runs
    records : list of `origins.Stored`, what it took from `treelib.papers.reproduce`
    shows : bool, it shows texts or tables made by `treelib.ledger.page`: it judges
    values : dict, id of each claim judged in it to whether its value was computed on the page
    """

    start: float = 0.0
    seconds: float | None = None
    records: list = field(default_factory=list)
    shows: bool = False
    values: dict = field(default_factory=dict)


class Watch:
    """Remembers the cells that ran, the present one last."""

    def __init__(self, clock=time.perf_counter):
        self._clock, self.finished, self.current = clock, [], Cell()

    def begin(self, *_):
        self.current = Cell(start=self._clock())

    def end(self, *_):
        # the cell that began to watch was under way: its start is not known
        if self.current.start:
            self.current.seconds = self._clock() - self.current.start
        self.finished.append(self.current)
        self.current = Cell()

    def made(self, n_cells=1):
        """The last `n_cells` finished cells that do not judge, in the order they ran."""
        return [cell for cell in self.finished if not cell.shows][-n_cells:]


WATCH = Watch()


def begin(shell=None, watch=WATCH):
    """Watch the cells of this notebook; without IPython, or a second time, nothing happens."""
    if shell is None:
        try:
            from IPython import get_ipython
        except ImportError:
            return
        shell = get_ipython()
    if shell is None or getattr(shell, "_treelib_watch", None) is watch:
        return
    shell._treelib_watch = watch
    shell.events.register("pre_run_cell", watch.begin)
    shell.events.register("post_run_cell", watch.end)


def show(claim_id, is_live):
    """Count the value beside a claim as shown on this page; is_live : whether it was computed here."""
    values = WATCH.current.values
    values[claim_id] = bool(values.get(claim_id) or is_live)


begin()
