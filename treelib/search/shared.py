"""One budget for several searches: they share its seconds, nodes and bytes, and stop together."""

from treelib.search.budget import INTERRUPTED, NODE_LIMIT, Budget

# nodes of a first search that is cut short, for a good tree to start from: well below a second
TRIAL_NODES = 2000


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

    def share(self, report=None, node_limit=None):
        """A `Budget` for one search.

        node_limit : int, limit of nodes for this search alone, or None.
        report : callable of (objective, lower_bound), told what that search records; it may run in the
            search's thread.
        """
        share = _Share(self, report, node_limit)
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
    def __init__(self, pool, report, node_limit):
        super().__init__(node_limit=node_limit)
        self.n_nodes = 0
        self.n_bytes = 0
        self._pool = pool
        self._report = report

    def exceeded(self, nodes=0, n_bytes=0):
        self.n_nodes, self.n_bytes = nodes, n_bytes
        if self.node_limit is not None and nodes >= self.node_limit:
            return NODE_LIMIT
        return self._pool.exceeded()

    def due(self):
        return self._pool.exceeded()

    @property
    def time_left(self):
        return self._pool.budget.time_left

    def record(self, objective, lower_bound, nodes, last=False):
        self.n_nodes = nodes
        if last:
            self.n_bytes = 0  # the search is over, and its tables are gone
        if self._report is not None:
            self._report(objective, lower_bound)
