"""Heuristic H of Section 4.5: a faithful tree, top-down, of any ensemble.

Each region is split at the threshold with most information gain on a sample of its cells. Where the sample
has one class only, the region is proved homogeneous and becomes a leaf, or the proof finds a cell of another
class, which joins the sample. So the tree is faithful, but not of least size (Vidal, Pacheco and Schiffer
2020). No list of all cells is needed.
"""

import numpy as np

from treelib.bornagain.forest import as_ensemble
from treelib.bornagain.level_forest import classes_at, sample_cells, split_of_most_gain
from treelib.bornagain.region_proof import AUTO, HOMOGENEOUS, UNDECIDED, RegionProver
from treelib.bornagain.tree_regions import count_needed_thresholds
from treelib.budget import INTERRUPTED, Budget, SearchResult
from treelib.tree import Tree

FAITHFUL = "faithful"
_BYTES_PER_REGION = 200


def born_again_heuristic(ensemble, *, n_samples=1000, proof=AUTO, random_state=None, budget=None):
    """Faithful tree of an ensemble by sampling cells.

    Parameters
    ----------
    ensemble : Ensemble, or anything `as_ensemble` takes
    n_samples : int, cells drawn in each region (1,000 in the paper); a region of fewer is looked at whole
    proof : {"auto", "boxes", "milp"}, how a region is proved homogeneous, see `RegionProver`. The paper used
        an integer programming solver ("milp").
    random_state : int, RandomState or None
    budget : Budget or None

    Returns
    -------
    SearchResult
        `objective` is the number of leaves, `lower_bound` what is proved of the number of leaves of every
        faithful tree: one more than the thresholds that separate two neighbouring cells of different class.
        `status` is "faithful", or "optimal" where the two are equal. When a limit stops the search, the tree
        is NOT faithful (``stats["n_open_regions"]`` leaves are guesses), and `objective` is infinite.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.heuristic import born_again_heuristic
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> found = born_again_heuristic(forest, random_state=0)
    >>> found.tree.n_leaves, found.lower_bound, found.status
    (2, 2, 'optimal')
    """
    ensemble = as_ensemble(ensemble)
    if isinstance(n_samples, bool) or not isinstance(n_samples, (int, np.integer)) or n_samples < 1:
        raise ValueError(f"n_samples={n_samples!r} must be a whole number, 1 or more.")
    budget = budget or Budget()
    search = _Search(ensemble, int(n_samples), proof, random_state)
    status = None
    try:
        while search.open and status is None:
            status = budget.exceeded(search.n_nodes, search.n_nodes * _BYTES_PER_REGION)
            if status is None:
                search.step(budget)
                budget.record(np.inf, max(int(search.seen.sum()), 1), search.n_nodes)
    except KeyboardInterrupt:
        status = INTERRUPTED
    n_open = len(search.open)
    tree = search.tree()
    objective, lower_bound = np.inf, max(int(search.seen.sum()), 1)
    if status is None:
        objective, lower_bound = tree.n_leaves, 1 + count_needed_thresholds(tree)
        status = "optimal" if objective == lower_bound else FAITHFUL
    budget.record(objective, lower_bound, search.n_nodes, last=True)
    stats = {
        "seconds": budget.seconds,
        "n_regions": search.n_nodes,
        "n_open_regions": n_open,
        "n_proofs": search.prover.n_proofs,
        "n_boxes": search.prover.n_boxes,
        "n_programs": search.prover.n_programs,
        "n_found_by_proof": search.n_found_by_proof,
    }
    return SearchResult(status, objective, lower_bound, tree, budget.trace, stats)


class _Search:
    """The tree so far in preorder, and the regions that are still open, leftmost on top."""

    def __init__(self, ensemble, n_samples, proof, random_state):
        from sklearn.utils import check_random_state

        self.ensemble = ensemble
        self.prover = RegionProver(ensemble, proof)
        p = ensemble.n_features
        seed = check_random_state(random_state).randint(0, 2**31, size=2).astype(np.uint64)
        self.state = np.array([seed[0] << np.uint64(31) | seed[1]], dtype=np.uint64)
        self.cells = np.zeros((n_samples + 1, p), dtype=np.int64)
        self.classes = np.zeros(n_samples + 1, dtype=np.int64)
        self.seen = np.zeros(ensemble.n_classes, dtype=np.bool_)
        self.feature, self.threshold, self.left, self.right, self.label = [], [], [], [], []
        # low, high, parent
        self.open = [(np.zeros(p, dtype=np.int64), self.prover.highest, -1)]
        self.n_found_by_proof = 0

    @property
    def n_nodes(self):
        return len(self.feature)

    def step(self, budget):
        """Make the topmost open region a leaf, or split it; leave it open when a limit interferes."""
        low, high, parent = self.open[-1]
        forest, n_classes = self.prover.forest, len(self.seen)
        n_cells, is_whole, n_seen = sample_cells(
            forest, low, high, self.state, self.cells, self.classes, self.seen
        )
        if n_seen == 1:
            label = int(self.classes[0])
            outcome, cell = (HOMOGENEOUS, None) if is_whole else self.prover.prove(low, high, label, budget)
            if outcome == UNDECIDED:
                return
            if outcome == HOMOGENEOUS:
                self.open.pop()
                self._add(parent, -2, -2.0, label)
                return
            self.n_found_by_proof += 1
            self.cells[n_cells] = cell
            self.classes[n_cells] = self._class_of(cell)
            n_cells += 1
        j, level = split_of_most_gain(low, high, self.state, self.cells, self.classes, n_cells, n_classes)
        self.open.pop()
        node = self._add(parent, j, self.prover.levels[j][level], int(self.classes[0]))
        middle, above = high.copy(), low.copy()
        middle[j], above[j] = level, level + 1
        self.open += [(above, high, node), (low, middle, node)]

    def tree(self):
        """The tree; regions that are still open become leaves of the class of their lowest cell."""
        while self.open:
            low, _, parent = self.open.pop()
            self._add(parent, -2, -2.0, self._class_of(low))
        return Tree(
            children_left=np.array(self.left),
            children_right=np.array(self.right),
            feature=np.array(self.feature),
            threshold=np.array(self.threshold, dtype=float),
            value=np.zeros((self.n_nodes, len(self.seen))),
            n_features=self.ensemble.n_features,
            label=np.array(self.label),
            feature_names=self.ensemble.feature_names,
        )

    def _add(self, parent, feature, threshold, label):
        node = len(self.feature)
        for column, value in (
            (self.feature, int(feature)),
            (self.threshold, float(threshold)),
            (self.left, -1),
            (self.right, -1),
            (self.label, int(label)),
        ):
            column.append(value)
        if parent >= 0:
            (self.left if self.left[parent] < 0 else self.right)[parent] = node
        return node

    def _class_of(self, cell):
        return int(classes_at(self.prover.forest, cell[None, :])[0])
