"""The fewest leaves that a faithful tree of least depth can have, proved.

The paper's recursion for this objective (Algorithm 3) keeps for each region only the tree that is best for
it alone, though in a part off the longest path a deeper tree with fewer leaves would do. Here two tables of
all regions are made: the paper's, and one for leaves first and depth second. Together they say of a region
R and a depth k whether a tree of that depth exists, how many splits it needs at least, and, mostly, at most
as many. A branch and bound from the whole space down settles the rest; it opens a few thousand regions where
the tables hold hundreds of millions.
"""

import numpy as np

from treelib.bornagain.ensemble.used_features import on_used_features
from treelib.bornagain.exact import LEAF_UNIT, search_or_greedy
from treelib.bornagain.regions.bottom_up import RegionSearch
from treelib.bornagain.regions.read_tree import region_value
from treelib.bornagain.regions.rows import DEPTH_LEAVES, LEAVES_DEPTH
from treelib.search.budget import OPTIMAL, Budget

NEVER = 2**62  # splits of a tree that does not exist
# of an entry in the memories of the search between the tables: fixed, and for each feature
_BYTES_OF_FACT = 500, 16
_BYTES_OF_CASE = 350


@on_used_features
def minimise_depth_then_leaves(forest, *, budget=None, n_jobs=1):
    """Faithful tree of least depth, and of fewest leaves among those.

    It takes about two to three times as long as one search for depth or leaves, and twice the memory.

    Parameters
    ----------
    forest : Ensemble, or anything `treelib.bornagain.ensemble.reading.as_ensemble` takes
    budget : Budget or None
    n_jobs : int, threads

    Returns
    -------
    SearchResult
        `objective` is depth + `LEAF_UNIT` * leaves. Where a limit strikes, `tree` is the best one there is:
        that of the paper's recursion, whose depth is least, if its table is finished; else see
        `treelib.bornagain.exact.minimise`. `lower_bound` is valid either way.
    """

    def make(cells, budget):
        return _TwoTables(cells, DEPTH_LEAVES, budget, n_jobs, forest)

    return search_or_greedy(make, DEPTH_LEAVES, forest, budget or Budget())


class _TwoTables(RegionSearch):
    """Values for depth and then leaves, values for leaves and then depth, and the search between them.

    A region is a pair (low, high) of tuples of levels; `splits` and its helpers count inner nodes.
    """

    by_depth = by_leaves = None

    def run(self):
        super().run()
        self.by_depth, self.table = self.table, None
        self.objective = LEAVES_DEPTH
        self.solve()
        self.by_leaves, self.table = self.table, None
        self._exact = {}  # (region, depth): number of splits and the best split
        self._at_least = {}
        self._known = {}
        low, high = self._whole = self._space()
        self._depth = self._facts(low, high)[0]
        self.splits(low, high, self._depth, NEVER)

    def result(self):
        return self.finished(self.tree(self._nodes(*self._whole, self._depth)), DEPTH_LEAVES)

    def unproved(self, status):
        """`SearchResult` with the tree of the paper's recursion, where a limit came later than that."""
        if self.by_depth is None:
            return None
        found = self.finished(self.tree(self.nodes(self.by_depth)), DEPTH_LEAVES)
        depth, n_leaves = found.tree.max_depth, self._n_needed + 1
        if self.by_leaves is not None:
            # read, not claimed: the limit that was met forbids every claim
            n_leaves = _fewest_splits(self._read_facts(*self._space()), depth) + 1
        found.lower_bound = min(found.objective, depth + LEAF_UNIT * n_leaves)
        found.status = OPTIMAL if found.lower_bound == found.objective else status
        return found

    def splits(self, low, high, depth, limit):
        """Least number of splits of a tree of a region within `depth`, or a lower bound of at least `limit`.

        Branch and bound over the first split; the parts get what the best tree so far leaves them.
        """
        shallowest, most, least, least_depth = self._facts(low, high)
        if depth < shallowest:
            return NEVER
        if depth >= least_depth:
            return least
        if most == least + 1:
            return most
        case = low, high, depth
        if case in self._exact:
            return self._exact[case][0]
        bound = self._at_least.get(case, least + 1)
        if bound >= limit:
            return bound
        self.budget.claim(0 if case in self._at_least else _BYTES_OF_CASE)
        best, best_split, missed = min(most, limit), None, NEVER
        for bound_here, j, cut in sorted(self._first_splits(low, high, depth - 1)):
            if bound_here >= best:
                missed = min(missed, bound_here)
                break
            below, above = _part(high, j, cut), _part(low, j, cut + 1)
            rest = self._bound(above, high, depth - 1)
            n_below = self.splits(low, below, depth - 1, best - 1 - rest)
            if n_below + rest + 1 >= best:
                missed = min(missed, n_below + rest + 1)
                continue
            n_above = self.splits(above, high, depth - 1, best - 1 - n_below)
            if n_below + n_above + 1 < best:
                best, best_split = n_below + n_above + 1, (j, cut)
            else:
                missed = min(missed, n_below + n_above + 1)
        if best_split is not None or best == most:
            self._exact[case] = best, best_split
            return best
        self._at_least[case] = bound = min(max(bound, limit, missed), most)
        return bound

    def _first_splits(self, low, high, depth):
        """First splits whose parts have trees within `depth`: bound of all splits, feature, level."""
        for j in range(len(low)):
            for cut in range(low[j], high[j]):
                left = self._bound(low, _part(high, j, cut), depth)
                right = self._bound(_part(low, j, cut + 1), high, depth)
                if left < NEVER and right < NEVER:
                    yield left + right + 1, j, cut

    def _bound(self, low, high, depth):
        """Lower bound of the splits of a region within `depth`."""
        return _fewest_splits(self._facts(low, high), depth)

    def _facts(self, low, high):
        """Facts of a region, kept; see `_read_facts`."""
        known = self._known.get((low, high))
        if known is None:
            self.budget.claim(_BYTES_OF_FACT[0] + _BYTES_OF_FACT[1] * len(low))
            known = self._known[low, high] = self._read_facts(low, high)
        return known

    def _read_facts(self, low, high):
        """Least depth of a region, splits of a tree of it; least splits, and depth of a tree of these."""
        ends = np.array([low, high])
        by_depth, by_leaves = (
            divmod(int(region_value(table.regions, *ends)), 1 << table.bits)
            for table in (self.by_depth, self.by_leaves)
        )
        return (*by_depth, *by_leaves)

    def _space(self):
        return (0,) * len(self.grid.shape), tuple(n - 1 for n in self.grid.shape.tolist())

    def _nodes(self, low, high, depth):
        """Nodes of the best tree of a region within `depth`."""
        *_, least_depth = self._facts(low, high)
        if depth >= least_depth:
            return self.nodes(self.by_leaves, low, high)
        _, split = self._exact.get((low, high, depth), (None, None))
        if split is None:
            return self.nodes(self.by_depth, low, high)
        j, cut = split
        left = self._nodes(low, _part(high, j, cut), depth - 1)
        right = self._nodes(_part(low, j, cut + 1), high, depth - 1)
        n_left = left.shape[1]
        left[0, left[0] >= 0] += 1
        right[0, right[0] >= 0] += 1 + n_left
        return np.hstack([[[1 + n_left], [j], [cut], [0]], left, right])


def _fewest_splits(facts, depth):
    """Lower bound of the splits of a region of these facts within `depth`."""
    shallowest, _, least, least_depth = facts
    if depth < shallowest:
        return NEVER
    return least if depth >= least_depth else least + 1


def _part(ends, j, level):
    return (*ends[:j], level, *ends[j + 1 :])
