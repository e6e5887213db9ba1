"""The fewest leaves that a faithful tree of least depth can have, proved.

The paper's recursion for this objective (Algorithm 3) keeps for each region only the tree that is best for
it alone, though in a part off the longest path a deeper tree with fewer leaves would do. Here each region has
one value for each depth that it may take.
"""

import numpy as np

from treelib.bornagain.cells import MAX_CELLS, TooManyCells, build_cells
from treelib.bornagain.exact import LEAF_UNIT, RegionSearch, minimise, to_tree
from treelib.bornagain.forest import as_ensemble
from treelib.bornagain.layer_rows import NEVER, extract_layered, first_layer, next_layer
from treelib.bornagain.region_rows import LEAVES
from treelib.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult

_STEP_LANES = 30_000_000


def minimise_depth_then_leaves(forest, *, budget=None):
    """Faithful tree of least depth, and of fewest leaves among those.

    It takes about as many times the time and memory of the search for leaves as the tree has levels.

    Parameters
    ----------
    forest : Ensemble, or anything `treelib.bornagain.forest.as_ensemble` takes
    budget : Budget or None

    Returns
    -------
    SearchResult
        `objective` is depth + `LEAF_UNIT` * leaves. Where a limit strikes, the tree is that of
        `minimise` for "depth-leaves", whose depth is least if that search is finished.
    """
    ensemble = as_ensemble(forest)
    budget = budget or Budget()
    try:
        max_cells = int(min(MAX_CELLS, (budget.memory_limit or np.inf) / 4))
        search = _LayeredSearch(build_cells(ensemble, max_cells=max_cells), budget, ensemble)
        status = search.run()
        if status == OPTIMAL:
            status = search.run_layers()
    except TooManyCells:
        status = MEMORY_LIMIT
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status != OPTIMAL:
        found = minimise(ensemble, "depth-leaves", budget=budget)
        if found.status == OPTIMAL:
            # the depth is proved, the number of leaves is not
            bound = found.tree.max_depth + LEAF_UNIT * (int(found.stats["n_hyperplanes"]) + 1)
            found.lower_bound = min(found.objective, bound)
            found.status = status if found.lower_bound < found.objective else OPTIMAL
        return found
    return search.layered_result()


class _LayeredSearch(RegionSearch):
    """The search for leaves, and then a layer of values for each depth."""

    def __init__(self, cells, budget, ensemble):
        super().__init__(cells, LEAVES, budget, 1, ensemble)

    def run_layers(self):
        """Add layers until the whole has a tree; returns the status."""
        values = self.table.values
        if values.dtype != np.uint16 or int(values.max()) >= NEVER:
            return MEMORY_LIMIT
        whole = int(self._row[-1])
        step = max(1, _STEP_LANES // self.grid.width)
        self.layers = [np.empty_like(values)]
        first_layer(values, self.layers[0])
        self._count(values.nbytes)
        while self.layers[-1][whole, -1] >= NEVER:
            self._count(values.nbytes)
            if status := self._exceeded():
                return status
            self.layers.append(np.empty_like(values))
            for start in range(0, self.n_rows, step):
                boxes = self._boxes[start : start + step]
                next_layer(boxes, self._row, *self.layers[-2:], self._tables, self._program)
                if status := self._exceeded():
                    return status
        self._count(len(self.layers) * values.nbytes)  # stacked to be read from
        return self._exceeded() or OPTIMAL

    def layered_result(self):
        """`SearchResult` after `run_layers`."""
        layers = np.stack(self.layers)
        n_axes, depth = len(self.grid.shape), len(layers) - 1
        n_leaves = int(layers[depth, self._row[-1], -1]) + 1
        nodes = np.empty((4, 2 * n_leaves), dtype=np.int64)
        scratch = np.empty((int(self.grid.shape.sum()) + 2, 2 * n_axes + 2), dtype=np.int64)
        ends = np.empty((2, n_axes), dtype=np.int64)
        n_nodes = extract_layered(layers, self.table, nodes, scratch, *ends)
        if n_nodes != 2 * n_leaves - 1:
            raise RuntimeError("The values of the regions contradict each other; please report this.")
        tree = to_tree(nodes[:, :n_nodes], self.cells, self.grid.used, self.ensemble)
        value = tree.max_depth + LEAF_UNIT * tree.n_leaves
        self.budget.record(value, value, self.n_done * self.grid.width, last=True)
        stats = {"depth": tree.max_depth, "n_leaves": tree.n_leaves, "n_bytes": self.n_bytes}
        stats |= {"n_layers": len(layers), "n_rows": self.n_rows, "width": self.grid.width}
        stats |= {"n_regions": self.cells.n_regions, "seconds": self.budget.seconds}
        return SearchResult(OPTIMAL, value, value, tree, self.budget.trace, stats)
