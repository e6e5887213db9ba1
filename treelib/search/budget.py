"""Limits of a search, and what a search returns.

A search runs as a Python driver around a compiled kernel that works in steps. The driver looks at the clock
and at its tables between two steps: it asks its `Budget` whether to go on. What it promises: a search ends
within 1 s of its time limit, or 5 % of it where that is more, and within 25 % of its memory limit, with the
best tree so far, which is no worse than the greedy one, and with a valid lower bound. Ctrl-C keeps the tree,
and is raised when it is written down. Reading the table comes before the search; so does the greedy tree, and
a limit too short for it leaves as many of its levels as there was time for.
"""

import os
import re
import sys
import time
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import cache
from threading import Thread

import numpy as np
from numba.core import event

from treelib.table.checks import check_flag, check_positive
from treelib.table.checks import go_on as go_on  # known here to all searches; tables know no budget
from treelib.table.warned import warn

OPTIMAL = "optimal"
COMPLETE = "complete"  # what is built step by step, and proves nothing, was built to its end
TIME_LIMIT = "time_limit"
MEMORY_LIMIT = "memory_limit"
NODE_LIMIT = "node_limit"
INTERRUPTED = "interrupted"

# seconds between two looks at the clock while a long step runs
LOOK = 0.02

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def parse_memory(limit):
    """Number of bytes for `limit`: a number of bytes, or text such as ``"500 MB"`` or ``"2GiB"``."""
    if limit is None:
        return None
    if isinstance(limit, str):
        found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([kmgt]i?)?b?\s*", limit.lower())
        if not found:
            raise ValueError(
                f"memory_limit={limit!r} is not a size; give a number of bytes, or text such as '500 MB'."
            )
        return float(found[1]) * _UNITS[found[2] or ""]
    return limit


def asking(items, check, every=512):
    """`items`, one by one; `check` is asked before the first and before each `every`-th after it."""
    for k, item in enumerate(items):
        if k % every == 0:
            check()
        yield item


def beside(n_bytes, check):
    """`check` for steps that take their bytes while so many more are held."""
    return lambda more=0: check(n_bytes + more)


class Stopped(RuntimeError):
    """A limit of the budget was met in the middle of a step; `status` says which."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def status_of(stop):
    """Status of what ended a search: that of `Stopped`, or "interrupted" for Ctrl-C."""
    return getattr(stop, "status", INTERRUPTED)


def warn_stopped(message):
    """ConvergenceWarning that a limit left something undone."""
    from sklearn.exceptions import ConvergenceWarning  # heavy, and kernels are driven from here

    warn(message, ConvergenceWarning)


@cache
def memory_of_machine():
    """Bytes of memory of this machine, infinity where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return np.inf


@dataclass
class SearchResult:
    """What a search found and proved.

    Attributes
    ----------
    status : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    objective : float, objective of `tree`, an upper bound on the optimum
    lower_bound : float, proven lower bound on the optimum; equals `objective` if `status` is "optimal"
    tree : Tree, the best tree found
    trace : dict of equally long arrays, at least ``seconds``, ``objective``, ``lower_bound`` and ``nodes``
    stats : dict of counters and seconds of the search

    Examples
    --------
    >>> from treelib.search.budget import SearchResult
    >>> found = SearchResult("time_limit", objective=0.25, lower_bound=0.2, tree=None)
    >>> found.is_optimal, round(found.gap, 3)
    (False, 0.2)
    """

    status: str
    objective: float
    lower_bound: float
    tree: object
    trace: dict = field(default_factory=dict)
    stats: dict = field(default_factory=dict)

    @property
    def is_optimal(self):
        """Whether the tree is proved optimal."""
        return self.status == OPTIMAL

    @property
    def gap(self):
        """Relative gap between `objective` and `lower_bound` (0 if proved optimal)."""
        return (self.objective - self.lower_bound) / max(abs(self.objective), 1e-300)


class _Compiling(event.Listener):
    """Seconds that this process has spent on compiling kernels; numba compiles one at a time."""

    def __init__(self):
        self._depth = 0
        self._clock = 0.0, None  # what ended, and when it began if it goes on; one object, as threads read it

    def on_start(self, event):
        self._depth += 1
        if self._depth == 1:
            self._clock = self._clock[0], time.perf_counter()

    def on_end(self, event):
        self._depth -= 1
        if self._depth == 0:
            self._clock = self.seconds, None

    @property
    def seconds(self):
        ended, began = self._clock
        return ended if began is None else ended + time.perf_counter() - began


_compiling = _Compiling()
event.register("numba:compile", _compiling)


class Budget:
    """Clock, limits, counters, progress line and trace of one search, or of several that share it.

    A search that does its own counting reports its use: ``exceeded(nodes, n_bytes)``. One that allocates
    tables on the way has them counted here: `claim`, `release`, `check`. Parallel searches each take a
    `share`; what any of them uses counts against the common limits.

    Parameters
    ----------
    time_limit : float or None
        Wall-clock seconds. None: no limit. Compilation by numba does not count; otherwise a first search
        could end before it began.
    memory_limit : int, str or None
        Memory for the search's own tables, not the data, in bytes or as text such as "2 GB". None: the memory
        of the machine.
    node_limit : int or None
        Maximum number of subproblems (nodes of the search, not of the tree). None: no limit.
    verbose : bool
        Show a progress line on standard error.
    cancel : callable without arguments
        Called at every step; the search stops when it returns True.
    n_at_once : int
        Number of parallel steps that take the same memory; see `check`.

    Attributes
    ----------
    n_nodes, n_bytes : int
        Counts excluding those of the shares; `used` includes both.
    peak_bytes : int
        Largest number of bytes seen by `check`.
    status : str or None
        Why the search was told to `stop`.
    units : pair of float
        Base and unit; `record` shows base + unit x objective.

    Examples
    --------
    >>> from treelib.search.budget import Budget
    >>> budget = Budget(time_limit=60, node_limit=1000)
    >>> budget.exceeded(nodes=10) is None
    True
    >>> budget.exceeded(nodes=1000)
    'node_limit'
    """

    def __init__(
        self,
        time_limit=None,
        memory_limit=None,
        node_limit=None,
        verbose=False,
        cancel=None,
        n_at_once=1,
    ):
        self.time_limit = _limit("time_limit", time_limit)
        self.memory_limit = _limit("memory_limit", parse_memory(memory_limit))
        self.node_limit = _limit("node_limit", node_limit)
        if self.node_limit not in (None, np.inf) and not self.node_limit.is_integer():
            raise ValueError(f"node_limit={node_limit!r} must be a whole number, or None for no limit.")
        self.verbose = check_flag("verbose", verbose)
        self.cancel = cancel
        self.n_at_once = n_at_once
        self.n_nodes = self.n_bytes = self.peak_bytes = 0
        self.units = 0.0, 1.0
        self._machine = memory_of_machine()
        self.status = None
        self._shares = []
        self._trace = []
        self._last_line = 0.0
        self.start = time.perf_counter() - _compiling.seconds

    def __getstate__(self):
        return self.__dict__, self.seconds

    def __setstate__(self, state):
        own, seconds = state
        self.__dict__.update(own)
        self.start = time.perf_counter() - _compiling.seconds - seconds  # another process has another clock

    @property
    def most_bytes(self):
        """Number of bytes allowed: the memory limit, or else the memory of the machine."""
        return self._machine if self.memory_limit is None else self.memory_limit

    @property
    def seconds(self):
        """Wall-clock seconds since the search began, excluding compilation."""
        return time.perf_counter() - _compiling.seconds - self.start

    @property
    def time_left(self):
        """Seconds until the time limit; infinite if there is none."""
        return np.inf if self.time_limit is None else self.time_limit - self.seconds

    def exceeded(self, nodes=None, n_bytes=None):
        """Status of the limit met now, None to go on; `nodes` and `n_bytes`: None for those counted here."""
        if nodes is None or n_bytes is None:
            counted = self.used()
            nodes = counted[0] if nodes is None else nodes
            n_bytes = counted[1] if n_bytes is None else n_bytes
        return self._met(nodes, n_bytes)

    def due(self):
        """Status if the time limit is reached or the search cancelled, else None; needs no counts."""
        return self._met(0, 0)

    def _met(self, nodes, n_bytes, more=0):
        """Status of a limit that is met by so many nodes and bytes, with `more` bytes about to be taken."""
        if self.status is not None:
            return self.status
        if self.time_limit is not None and self.seconds >= self.time_limit:
            return TIME_LIMIT
        if self.node_limit is not None and nodes >= self.node_limit:
            return NODE_LIMIT
        if n_bytes + more > self.most_bytes:
            return MEMORY_LIMIT
        if self.cancel is not None and self.cancel():
            return INTERRUPTED
        return None

    def used(self):
        """Nodes and bytes counted here and in all shares, two ints."""
        nodes, n_bytes = self.n_nodes, self.n_bytes
        for share in self._shares:
            of_share = share.used()
            nodes, n_bytes = nodes + of_share[0], n_bytes + of_share[1]
        return nodes, n_bytes

    def share(self, report=None, node_limit=None, seconds=None):
        """A `Budget` for one of several searches that stop together.

        Parameters
        ----------
        node_limit, seconds : int and float, or None
            Limits of this search alone, from now on.
        report : callable of (objective, lower_bound)
            Called with what that search records, possibly in the search's thread.

        Returns
        -------
        Budget
            A budget whose use counts for this one too.
        """
        share = _Share(self, report, node_limit)
        share.time_limit = None if seconds is None else max(seconds, 1e-9)
        self._shares.append(share)
        return share

    def check(self, n_bytes=0, together=0):
        """Raise `Stopped` if a limit is reached: time, cancellation, or what is counted here.

        Parameters
        ----------
        n_bytes, together : int
            Bytes not counted here: those that each of the `n_at_once` steps holds or is about to allocate,
            and those that all of them share.
        """
        nodes, held = self.used() if self._shares else (self.n_nodes, self.n_bytes)
        more = together + self.n_at_once * int(n_bytes)
        status = self._met(nodes, held, more)
        if status is not None:
            raise Stopped(status)
        if held + more > self.peak_bytes:
            self.peak_bytes = held + more

    def claim(self, n_bytes):
        """Count a table of `n_bytes` about to be allocated; raises `Stopped` if that exceeds a limit."""
        self.check(together=int(n_bytes))
        self.n_bytes += int(n_bytes)

    def release(self, n_bytes):
        """Discount a table of `n_bytes` that was freed."""
        self.n_bytes -= int(n_bytes)

    def reserve(self, n_bytes):
        """Reduce the memory for all that follows by `n_bytes`, for a table that stays until the end."""
        if self.memory_limit is not None:
            self.memory_limit = max(self.memory_limit - n_bytes, 1.0)

    def forget(self):
        """Reset the counts of nodes and bytes: another search begins within the same limits."""
        self.n_nodes = self.n_bytes = self.peak_bytes = 0

    def stop(self, status=INTERRUPTED):
        """Stop all searches at their next check; the first `status` is kept."""
        self.status = self.status or status

    def until_stopped(self, items):
        """Yield `items` until a limit is met."""
        for item in items:
            status = self.due()
            if status is not None:
                self.stop(status)
                return
            yield item

    def watch(self, work, stop, look=None):
        """Run `work()` in its own thread: for a step that may run long between two checks.

        Parameters
        ----------
        work : callable without arguments
            Its kernels release the GIL and regularly check a flag.
        stop : callable without arguments
            Sets this flag. Called when time is up, the search is cancelled or Ctrl-C is pressed;
            KeyboardInterrupt is raised again when the step has ended.
        look : callable without arguments, or None
            Called regularly while the work runs.

        Returns
        -------
        object
            The result of `work`.
        """
        step, raised, is_started = Future(), None, False
        thread = Thread(target=_run, args=(step, work))
        while True:
            try:
                if not is_started:
                    is_started = True
                    thread.start()
                while not step.done():
                    if self.due() is not None:
                        stop()
                    if look is not None:
                        look()
                    wait([step], timeout=min(LOOK, max(self.time_left, LOOK / 10)))
                break
            except BaseException as error:  # Ctrl-C, even while the thread starts, or what `cancel` raised
                raised = error
                stop()
                step.cancel()  # where it has not begun, it never does
        if raised is not None:
            raise raised
        return step.result()

    def record(self, objective, lower_bound, nodes, last=False):
        """Add `objective`, `lower_bound` and `nodes` to the trace if new or `last`; show progress."""
        now, (base, unit) = self.seconds, self.units
        objective, lower_bound = base + unit * objective, base + unit * lower_bound
        if last or not self._trace or self._trace[-1][1:3] != (objective, lower_bound):
            self._trace.append((now, objective, lower_bound, nodes))
        if self.verbose:
            gap = (objective - lower_bound) / max(abs(objective), 1e-300)
            self.show(
                f"objective {objective:.6f}  bound {lower_bound:.6f}  gap {100 * gap:6.2f} %  "
                f"{nodes:,} nodes  {nodes / max(now, 1e-9):,.0f} nodes/s",
                last,
            )

    def show(self, line, last=False):
        """Update the progress `line`: five times a second, in logs every five seconds, and if `last`."""
        if not self.verbose:
            return
        now = self.seconds
        live = sys.stderr.isatty() or "JPY_PARENT_PID" in os.environ
        # a log keeps every line
        if last or now - self._last_line > (0.2 if live else 5.0):
            self._last_line = now
            print(
                ("\r" if live else "") + f"{now:8.1f} s  {line}",
                end="\n" if last or not live else "",
                file=sys.stderr,
                flush=True,
            )

    @property
    def trace(self):
        """The recorded points: dict of arrays of equal length."""
        columns = zip(*self._trace, strict=True) if self._trace else ((),) * 4
        names = "seconds", "objective", "lower_bound", "nodes"
        return {name: np.array(column, dtype=float) for name, column in zip(names, columns, strict=True)}


class _Share(Budget):
    """The part of one search in the limits of several."""

    def __init__(self, whole, report, node_limit):
        super().__init__(node_limit=node_limit)
        self._whole = whole
        self._report = report

    def exceeded(self, nodes=None, n_bytes=None):
        self.n_nodes = self.n_nodes if nodes is None else nodes
        self.n_bytes = self.n_bytes if n_bytes is None else n_bytes
        return super().exceeded(nodes, n_bytes)

    def _met(self, nodes, n_bytes, more=0):
        return super()._met(nodes, n_bytes, more) or self._whole._met(*self._whole.used(), more)

    counts_steps = True

    @property
    def most_bytes(self):
        return self._whole.most_bytes

    @property
    def time_left(self):
        return min(super().time_left, self._whole.time_left)

    def record(self, objective, lower_bound, nodes, last=False):
        if last:
            self._shares.clear()  # the search is over, and its tables are gone
            self.n_bytes = 0
        if not self._shares:
            self.n_nodes = nodes
        if self._report is not None:
            self._report(objective, lower_bound)


def _run(step, work):
    """Do `work` in a thread, unless the future `step` was cancelled before. The future gets what it gives."""
    if not step.set_running_or_notify_cancel():
        return
    try:
        step.set_result(work())
    except BaseException as error:
        step.set_exception(error)


def _limit(name, value):
    if value is None:
        return None
    return float(check_positive(name, value, "a positive number, or None for no limit", finite=False))
