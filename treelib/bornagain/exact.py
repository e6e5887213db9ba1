"""The smallest tree with the decision function of an ensemble, proved (Vidal, Pacheco and Schiffer 2020).

The paper solves its recursion (equation 4) from the full space down and remembers every region it meets. Most
regions are met, and most of the time goes into finding them again. Here the regions are computed from single
cells up, each once (`treelib.bornagain.regions.bottom_up`).

A search that a limit stops returns another faithful tree, made top-down on samples of cells, or that of an
ensemble of one tree. A fifth of the time limit is kept for it.
"""

import math

import numpy as np

from treelib.bornagain.ensemble.cells import MAX_CELLS, Cells, TooManyCells, build_cells
from treelib.bornagain.ensemble.used_features import on_used_features
from treelib.bornagain.heuristic import born_again_heuristic
from treelib.bornagain.proof.homogeneous import BOXES
from treelib.bornagain.regions.bottom_up import LEAF_UNIT, RegionSearch, bound_of_size, measure
from treelib.bornagain.regions.rows import DEPTH, DEPTH_LEAVES, LEAVES
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult, Stopped
from treelib.table.checks import check_choice

__all__ = ["LEAF_UNIT", "OBJECTIVES", "minimise"]

OBJECTIVES = {"depth": DEPTH, "leaves": LEAVES, "depth-leaves": DEPTH_LEAVES}
_N_SAMPLES = 200  # in each region of the greedy tree: a fifth of the heuristic's, and a third of its time
_PART = 0.8  # of the time limit that the exact search may take
_GRACE = 1.0  # seconds for the greedy tree after an interruption


@on_used_features
def minimise(forest, objective="depth", *, budget=None, n_jobs=1, as_printed=False):
    """Smallest tree that is faithful to an ensemble.

    Parameters
    ----------
    forest : object
        Ensemble, `Cells`, or anything that `treelib.bornagain.ensemble.reading.as_ensemble` accepts.
    objective : {"depth", "leaves", "depth-leaves"}
        "depth-leaves" minimises depth first and leaves second, as the paper does: for every region only the
        best tree for that region alone is kept. The depth is optimal; the number of leaves nearly always,
        since a part with depth to spare might need fewer.
    budget : Budget or None
        Limits of the search.
    n_jobs : int
        Number of threads.
    as_printed : bool
        For "depth-leaves" only: stop at the bound of the paper's Algorithm 3, which can come before the
        smallest number of leaves is found (`treelib.bornagain.regions.row_batches`). This reproduces the
        printed counts.

    Returns
    -------
    SearchResult
        `objective` is the depth, the number of leaves, or depth + `LEAF_UNIT` * leaves. `lower_bound` is
        valid for every faithful tree. If a limit stops the search, `tree` is still faithful, but greedy. If
        the limit was too tight even for that, `objective` is infinite, and the tree may be unfaithful in the
        leaves ``stats["open_leaves"]``. For `Cells` alone, `tree` is then None.

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

    return search_or_greedy(make, OBJECTIVES[objective], ensemble, budget or Budget(), cells=forest)


def search_or_greedy(make_search, objective, ensemble, budget, cells=None):
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
    whole, search = budget.time_limit, None
    if whole is not None and ensemble is not None:
        budget.time_limit = _PART * whole
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
        budget.time_limit = whole
    cells = None  # the greedy tree needs the room
    found = search.unproved(status) if search else None
    return found or _greedy(status, objective, ensemble, budget, search)


def cell_limit(budget):
    """Cells that a search may list; the lists and copies of them take a few bytes a cell."""
    return int(min(MAX_CELLS, (budget.memory_limit or np.inf) / 4))


def _greedy(status, objective, ensemble, budget, search):
    """`SearchResult` of a search that ended with `status`: the faithful tree that the heuristic makes in what
    is left of the limits. Of cells alone (ensemble None) there is none. search : RegionSearch or None"""
    known, stats = (search.lower_bound(), search.stats()) if search else (0.0, {})
    budget.n_bytes = 0  # what the search holds is given up
    if search:
        search.forget()
    tree, value = None, np.inf
    if ensemble is not None:
        left, cancel = (budget.time_left, budget.cancel) if status != INTERRUPTED else (_GRACE, None)
        left = None if left == np.inf else max(min(left, budget.time_left), 1e-9)
        found = born_again_heuristic(
            ensemble,
            n_samples=_N_SAMPLES,
            proof=BOXES,
            random_state=0,
            budget=Budget(left, budget.memory_limit, cancel=cancel),
            by_depth=objective != LEAVES,
        )
        budget.peak_bytes = max(budget.peak_bytes, found.stats["peak_bytes"])
        tree, n_leaves = found.tree, found.lower_bound
        known = max(known, bound_of_size(n_leaves, math.ceil(math.log2(n_leaves)), objective))
        if np.isfinite(found.objective):
            value = measure(tree, objective)
        if status != INTERRUPTED and (value == np.inf or found.status == INTERRUPTED):
            status = found.status
        stats |= {"depth": tree.max_depth, "n_leaves": tree.n_leaves}
        stats |= {name: found.stats[name] for name in ("n_open_regions", "open_leaves")}
    known = min(known, value)
    if known == value:
        status = OPTIMAL
    budget.record(value, known, budget.n_nodes, last=True)
    stats |= {"peak_bytes": budget.peak_bytes, "seconds": budget.seconds}
    return SearchResult(status, value, known, tree, budget.trace, stats)
