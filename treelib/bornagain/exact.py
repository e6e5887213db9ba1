"""The smallest tree with the decision function of an ensemble, proved (Vidal, Pacheco and Schiffer 2020).

The paper solves its recursion (equation 4) from the full space down and remembers every region it meets. Most
regions are met, and most of the time goes into finding them again. Here the regions are computed from single
cells up, each once (`treelib.bornagain.regions.bottom_up`).

A search that a limit stops returns another faithful tree, made top-down on samples of cells, or that of an
ensemble of one tree. It is made once a fifth of the time limit is gone, so that there is one when the rest is
gone.
"""

import math

import numpy as np

from treelib.bornagain.ensemble.cells import MAX_CELLS, Cells, TooManyCells, build_cells
from treelib.bornagain.ensemble.used_features import on_used_features
from treelib.bornagain.heuristic import born_again_heuristic, bytes_of_tree
from treelib.bornagain.proof.homogeneous import BOXES
from treelib.bornagain.regions.bottom_up import LEAF_UNIT, RegionSearch, bound_of_size, measure
from treelib.bornagain.regions.rows import DEPTH, DEPTH_LEAVES, LEAVES
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult, Stopped
from treelib.table.checks import check_choice

__all__ = ["LEAF_UNIT", "OBJECTIVES", "minimise"]

OBJECTIVES = {"depth": DEPTH, "leaves": LEAVES, "depth-leaves": DEPTH_LEAVES}
_N_SAMPLES = (
    200  # in each region of the tree kept in reserve: a fifth of the heuristic's, and a third of its time
)
_PART = 0.2  # of the time limit, after which it is made; a search that is over before needs no other tree
_GRACE = 1.0  # seconds for that tree after an interruption


@on_used_features
def minimise(forest, objective="depth", *, budget=None, n_jobs=1, as_printed=False):
    """Smallest faithful tree of an ensemble.

    Parameters
    ----------
    forest : object
        Ensemble, `Cells`, or anything `treelib.bornagain.ensemble.reading.as_ensemble` takes.
    objective : {"depth", "leaves", "depth-leaves"}
        The last minimises depth first and leaves second, as the paper does: of every region only the tree
        that is best for it alone is kept. The depth is optimal, the number of leaves nearly always: a part
        that may be deeper could do with fewer.
    budget : Budget or None
        Limits of the search.
    n_jobs : int
        Number of threads.
    as_printed : bool
        For "depth-leaves" only: stop at the bound of the paper's Algorithm 3, which can come before the
        least number of leaves is found (`treelib.bornagain.regions.row_batches`). The printed counts.

    Returns
    -------
    SearchResult
        `objective` is the depth, the number of leaves, or depth + `LEAF_UNIT` * leaves. `lower_bound` is
        valid for every faithful tree. When a limit stops the search, `tree` is faithful as well, but greedy.
        Where the limit was too short even for that, `objective` is infinite, and the tree is not faithful in
        the leaves ``stats["open_leaves"]``. Of `Cells` alone, `tree` is then None.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.exact import minimise
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> found = minimise(forest, "leaves")
    >>> print(found.tree)
    Decision tree with 2 leaves, depth 1
    ├─ x[0] <= 2: class 0
    └─ x[0] > 2: class 1
    >>> found.status, found.objective, found.lower_bound
    ('optimal', 2.0, 2.0)
    """
    check_choice("objective", objective, OBJECTIVES)
    ensemble = None if isinstance(forest, Cells) else forest

    def make(cells, budget):
        return RegionSearch(cells, OBJECTIVES[objective], budget, n_jobs, ensemble, as_printed)

    return search_or_reserve(make, OBJECTIVES[objective], ensemble, budget or Budget(), cells=forest)


def search_or_reserve(make_search, objective, ensemble, budget, cells=None):
    """What an exact search finds; where a limit stops it, the best there is instead.

    Parameters
    ----------
    make_search : callable of (Cells, Budget) to `RegionSearch`
    objective : DEPTH, LEAVES or DEPTH_LEAVES
    ensemble : Ensemble, whose cells are searched, or None: then `cells` are
    budget : Budget. cells : Cells, unused where there is an ensemble

    Returns
    -------
    SearchResult
    """
    budget.forget()
    reserve = Reserve(ensemble, budget, by_depth=objective != LEAVES)
    budget.remind(reserve.make, _PART)
    search = None
    try:
        if ensemble is not None:
            cells = build_cells(ensemble, max_cells=cell_limit(budget), budget=budget)
        search = make_search(cells, budget)
        search.run()
        return search.result()
    except TooManyCells:
        status = MEMORY_LIMIT
    except Stopped as stop:
        status = stop.status
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        budget.remind(None)
    found = search.unproved(status) if search else None
    if found is not None:
        return found
    cells = None  # the reserve needs the room
    return reserve.result(status, objective, search)


def cell_limit(budget):
    """Cells that a search may list; the lists and copies of them take a few bytes a cell."""
    return int(min(MAX_CELLS, (budget.memory_limit or np.inf) / 4))


class Reserve:
    """The faithful tree that is returned when a limit stops the exact search.

    Parameters
    ----------
    ensemble : Ensemble, or None where there are cells only: then there is no such tree
    budget : Budget, of the exact search
    by_depth : as in `born_again_heuristic`
    """

    def __init__(self, ensemble, budget, by_depth=False):
        self.ensemble = ensemble
        self.budget = budget
        self.by_depth = by_depth
        self.found = None

    def make(self):
        """Make the tree within what is left of the limits."""
        budget = self.budget
        budget.remind(None)
        if self.ensemble is None:
            return
        left, room = budget.time_left, budget.memory_limit
        rest = Budget(
            None if left == np.inf else max(left, 1e-9),
            None if room is None else max(room - budget.n_bytes, 1),
            cancel=budget.cancel,
        )
        self._make(rest)
        budget.claim(bytes_of_tree(self.found.tree))
        if self.found.status == INTERRUPTED:
            raise Stopped(INTERRUPTED)

    def _make(self, budget):
        self.found = born_again_heuristic(
            self.ensemble,
            n_samples=_N_SAMPLES,
            proof=BOXES,
            random_state=0,
            budget=budget,
            by_depth=self.by_depth,
        )
        own = self.budget
        own.peak_bytes = max(own.peak_bytes, own.n_bytes + self.found.stats["peak_bytes"])

    def result(self, status, objective, search):
        """`SearchResult` of a search that ended with `status`; search : RegionSearch or None."""
        budget = self.budget
        known = search.lower_bound() if search else 0.0
        stats = search.stats() if search else {}
        budget.n_bytes = 0  # what the search holds is given up
        if search:
            search.forget()
        if self.found is None and self.ensemble is not None:
            try:
                if status == INTERRUPTED:
                    self._make(Budget(min(_GRACE, max(budget.time_left, 1e-9)), budget.memory_limit))
                else:
                    self.make()
            except Stopped as stop:
                status = stop.status
        tree, value = None, np.inf
        if self.found is not None:
            tree, n_leaves = self.found.tree, self.found.lower_bound
            known = max(known, bound_of_size(n_leaves, math.ceil(math.log2(n_leaves)), objective))
            if np.isfinite(self.found.objective):
                value = measure(tree, objective)
            elif status != INTERRUPTED:
                status = self.found.status
            stats |= {"depth": tree.max_depth, "n_leaves": tree.n_leaves}
            stats |= {name: self.found.stats[name] for name in ("n_open_regions", "open_leaves")}
        known = min(known, value)
        if known == value:
            status = OPTIMAL
        budget.record(value, known, budget.n_nodes, last=True)
        stats |= {"peak_bytes": budget.peak_bytes, "seconds": budget.seconds}
        return SearchResult(status, value, known, tree, budget.trace, stats)
