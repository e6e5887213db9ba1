"""The search on numbers in several threads, which share out the cuts of the root.

Once the cuts of the root wait in intervals of all features together, each may be looked at by itself: all
that one thread must know of the others is what the best tree costs. So every thread has a search of its own,
with a share of the intervals. They take a step each, side by side, then tell each other their best cost, and
one that has no interval left takes half of those of another. A step is an amount of work, not of time, so
the same number of threads gives the same tree again.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from treelib.search.budget import MEMORY_LIMIT
from treelib.sparse.continuous.arrays import INTERVAL
from treelib.sparse.continuous.deep import INTERVAL_STATE, SETTLE
from treelib.sparse.continuous.search import Search

# steps that a search goes alone, about a tenth of a second: a short one is over before the threads begin
ALONE = 20


class ThreadedSearch(Search):
    """A `Search` of which `n_jobs` threads do the work, as soon as there is enough to share out.

    Parameters
    ----------
    rows, data, max_depth, initial : see `Search`
    n_jobs : int, threads at most
    budget : Budget whose limit of memory must have room for the arrays of the other threads, or None
    """

    def __init__(self, rows, data, max_depth, initial=None, n_jobs=1, budget=None):
        super().__init__(rows, data, max_depth, initial)
        self.n_jobs, self.budget, self.helpers = n_jobs, budget, []

    @property
    def n_nodes(self):
        return super().n_nodes + sum(helper.n_nodes for helper in self.helpers)

    @property
    def n_bytes(self):
        return super().n_bytes + sum(map(_own_bytes, self.helpers))

    def step(self):
        if not self.helpers and not self._make_helpers():
            return super().step()
        busy = [helper for helper in self.helpers if not _is_done(helper)]
        steps = [self._threads.submit(helper.step) for helper in busy]
        try:
            is_done = _is_done(self) or super().step()
        finally:
            for one in steps:
                one.result()
        self._share_best(busy)
        team = [self, *self.helpers]
        for idle in filter(_is_done, team):
            _hand_over(max(team, key=lambda one: len(_live(one))), idle)
        return is_done and all(map(_is_done, team))

    def _make_helpers(self):
        """Searches for the other threads; False where there is little to share out, or no room in memory."""
        if self.n_jobs == 1 or self.steps < ALONE or len(_live(self)) < self.n_jobs:
            return False
        n_others = self.n_jobs - 1
        held = self.n_bytes + n_others * _own_bytes(self)
        if self.budget is not None and self.budget.exceeded(n_bytes=held) == MEMORY_LIMIT:
            self.n_jobs = 1
            return False
        for _ in range(n_others):
            helper = Search(self.rows, self.data, self.max_depth)
            helper.numbers = self.numbers
            helper.deep.now["level"], helper.deep.now["width"] = -1, 0
            _hand_over(self, helper)
            self.helpers.append(helper)
        self._threads = ThreadPoolExecutor(n_others)
        return True

    def _share_best(self, busy):
        """Let all look for trees that are better than the best tree of each."""
        for helper in busy:
            if helper.best < self.best - self.numbers.tolerance:
                self._start_from(self.data.labelled(helper._found_tree()))
        for helper in busy:
            root = helper.deep.frames[0]
            root["best"] = min(root["best"], self.best)

    def _lower_of_root(self):
        if not self.helpers:
            return super()._lower_of_root()
        team = [one for one in (self, *self.helpers) if not _is_done(one)]
        return min([Search._lower_of_root(one) for one in team], default=self.best)


def _is_done(search):
    """Whether all intervals that a search was given have been looked at."""
    return search.deep.now["level"][0] < 0


def _own_bytes(search):
    """Bytes of what a search has for itself, beside the rows that all share."""
    return sum(array.nbytes for array in (*search.shallow, *search.deep))


def _waiting(search):
    """The intervals of the root that wait, a view; none as long as they do not wait together."""
    root, now = search.deep.frames[0], search.deep.now[0]
    if now["level"] < 0 or not root["by_bound"] or not INTERVAL_STATE <= root["state"] <= SETTLE:
        return search.deep.stack[:0]
    end = now["stack"] if root["state"] == INTERVAL_STATE else root["top"]
    return search.deep.stack[root["stack"] : end]


def _live(search):
    """Which of the intervals that wait hold a cut, int array."""
    waiting = _waiting(search)
    return np.flatnonzero(waiting["lo"] <= waiting["hi"])


def _hand_over(search, idle):
    """Every other interval that waits in `search` goes to `idle`, which has none; the last one stays."""
    taken = _live(search)[-2::-2][::-1]
    if not len(taken):
        return
    waiting, n = _waiting(search), len(taken)
    if n + 2 > len(idle.deep.stack):
        idle.deep = idle.deep._replace(stack=np.zeros(2 * n + 2, INTERVAL))
    idle.deep.stack[:n] = waiting[taken]
    idle.deep.now["level"], idle.deep.now["stack"] = 0, n
    root = idle.deep.frames[0]
    size = int(root["size"])  # its own best tree stays
    idle.deep.frames[0] = search.deep.frames[0]
    root["size"], root["state"], root["stack"] = size, INTERVAL_STATE, 0
    # the cuts are to be listed anew, and none of the intervals is that of the best tree
    root["feature"], root["n_taken"] = -1, 2
    # an interval without cuts, above every bound
    for name, value in (("lo", 1), ("hi", 0), ("left_a", np.inf), ("right_b", np.inf)):
        waiting[name][taken] = value
