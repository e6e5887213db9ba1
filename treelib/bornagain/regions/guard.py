"""Limits of a born-again search: what stops it, what it holds, and when it makes sure of a faithful tree."""

from treelib.search.budget import MEMORY_LIMIT, Stopped

_SHARE = 0.2  # of the time limit; a search that is over before needs no other tree


class Guard:
    """A `Budget` that is asked before each step and each table.

    Parameters
    ----------
    budget : Budget
    halfway : callable without arguments or None, called once when a fifth of the time limit is gone
    """

    def __init__(self, budget, halfway=None):
        self.budget = budget
        self.halfway = halfway
        self.n_states = 0
        self.n_bytes = 0
        self.peak_bytes = 0

    def check(self):
        """Raise `Stopped` when a limit is reached."""
        budget = self.budget
        if self.halfway and budget.time_limit is not None and budget.seconds > _SHARE * budget.time_limit:
            call, self.halfway = self.halfway, None
            call()
        status = budget.exceeded(self.n_states, self.n_bytes)
        if status:
            raise Stopped(status)

    def claim(self, n_bytes):
        """Count a table that is about to be made; raise `Stopped` where the memory limit forbids it."""
        self.check()
        self.n_bytes += int(n_bytes)
        limit = self.budget.memory_limit
        if limit is not None and self.n_bytes > limit:
            self.n_bytes -= int(n_bytes)
            raise Stopped(MEMORY_LIMIT)
        self.peak_bytes = max(self.peak_bytes, self.n_bytes)

    def release(self, n_bytes):
        """Count a table that is gone."""
        self.n_bytes -= int(n_bytes)
