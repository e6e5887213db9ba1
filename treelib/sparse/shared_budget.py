"""One budget for several searches: they share its seconds, nodes and bytes, and stop together."""

from treelib.budget import INTERRUPTED, Budget


class SharedBudget:
    """Hands out shares of one `Budget`; what any of them uses counts against the limits of all.

    Parameters
    ----------
    budget : Budget
    """

    def __init__(self, budget):
        self.budget = budget
        self.is_interrupted = False
        self._shares = []

    def share(self, report=None):
        """A `Budget` for one search.

        report : callable of (objective, lower_bound), told what that search records; it may run in the
            search's thread.
        """
        share = _Share(self, report)
        self._shares.append(share)
        return share

    def interrupt(self):
        """Stop all searches at their next look at the clock, as Ctrl-C does to the one it reaches."""
        self.is_interrupted = True

    @property
    def n_nodes(self):
        return sum(share.n_nodes for share in self._shares)

    def exceeded(self):
        """Status of the limit that stops the searches now, or None to go on."""
        if self.is_interrupted:
            return INTERRUPTED
        return self.budget.exceeded(self.n_nodes, sum(share.n_bytes for share in self._shares))


class _Share(Budget):
    def __init__(self, pool, report):
        super().__init__()
        self.n_nodes = 0
        self.n_bytes = 0
        self._pool = pool
        self._report = report

    def exceeded(self, nodes=0, n_bytes=0):
        self.n_nodes, self.n_bytes = nodes, n_bytes
        return self._pool.exceeded()

    def record(self, objective, lower_bound, nodes, last=False):
        self.n_nodes = nodes
        if last:
            self.n_bytes = 0  # the search is over, and its tables are gone
        if self._report is not None:
            self._report(objective, lower_bound)
