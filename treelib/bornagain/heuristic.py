"""Heuristic H of Section 4.5: a faithful tree, top-down, of any ensemble.

Each region is split at the threshold with most information gain on a sample of its cells. Where the sample
has one class only, the region is proved homogeneous and becomes a leaf, or the proof finds a cell of another
class, which joins the sample. So the tree is faithful, but not of least size (Vidal, Pacheco and Schiffer
2020). No list of all cells is needed.

An ensemble of one tree is a faithful tree itself: only a smaller one is looked for.
"""

import time
from operator import attrgetter

import numpy as np

from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.ensemble.used_features import on_used_features
from treelib.bornagain.proof.homogeneous import AUTO, RegionProver
from treelib.bornagain.proof.leaf_regions import count_needed_thresholds
from treelib.bornagain.pruned import own_tree
from treelib.bornagain.regions.levels import UNDECIDED, classes_at
from treelib.bornagain.regions.to_tree import to_tree
from treelib.bornagain.regions.top_down import (
    DONE,
    N_BOXES,
    N_FOUND,
    N_NODES,
    N_OPEN,
    N_PROOFS,
    NO_ROOM,
    UNPROVED,
    grow,
    start_growth,
)
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, TIME_LIMIT, Budget, SearchResult
from treelib.table.checks import check_count
from treelib.tree.stored import Tree

FAITHFUL = "faithful"
_CALL_SECONDS = 0.02  # between two looks at the clock


@on_used_features
def born_again_heuristic(
    ensemble, *, n_samples=1000, proof=AUTO, random_state=None, budget=None, by_depth=False
):
    """Tree faithful to an ensemble, grown by sampling cells.

    Parameters
    ----------
    ensemble : object
        Ensemble, or anything that `as_ensemble` accepts.
    n_samples : int
        Cells drawn in each region (1,000 in the paper); smaller regions are examined completely.
    proof : {"auto", "boxes", "milp"}
        How a region is proved homogeneous; see `RegionProver`. The paper used an integer programming solver
        ("milp").
    random_state : int, RandomState or None
        Seed of the sampled cells.
    budget : Budget or None
        Limits of the search.
    by_depth : bool
        The tree of a one-tree ensemble is returned unchanged unless the tree found has fewer leaves, or with
        `by_depth` a smaller depth.

    Returns
    -------
    SearchResult
        `objective` is the number of leaves, `lower_bound` a lower bound on the number of leaves of every
        faithful tree: one more than the number of thresholds that separate two neighbouring cells of
        different class. `status` is "faithful", or "optimal" if the two are equal. If a limit stops the
        search, the tree is NOT faithful (``stats["n_open_regions"]`` leaves are guesses), and `objective` is
        infinite.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.heuristic import born_again_heuristic
    >>> forest = [Tree.from_nested((0, t, 0, 1)) for t in (1.0, 2.0, 3.0)]
    >>> found = born_again_heuristic(forest, random_state=0)
    >>> found.tree.n_leaves, found.lower_bound, found.status
    (2, 2, 'optimal')
    """
    check_count("n_samples", n_samples, "a whole number, 1 or more")
    budget = budget or Budget()
    own = own_tree(ensemble, budget)
    if budget.memory_limit is not None and fixed_bytes(ensemble, n_samples) > budget.memory_limit:
        return _without_search(ensemble, own, budget)
    search = _HeuristicSearch(ensemble, int(n_samples), proof, random_state, budget)
    size, is_least = attrgetter("max_depth" if by_depth else "n_leaves"), False
    if own is not None:
        search.too_many = np.inf if by_depth else own.n_nodes
        n_needed = count_needed_thresholds(own, budget)
        is_least = size(own) == (n_needed.bit_length() if by_depth else n_needed + 1)
    try:
        status = FAITHFUL if is_least else search.run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    tree, open_leaves = search.tree()
    objective, lower_bound = np.inf, max(int(search.growth.seen.sum()), 1)
    if own is not None and (status is not None or size(own) <= size(tree)):
        tree, open_leaves, objective = own, open_leaves[:0], own.n_leaves
    if status in (None, FAITHFUL):
        objective, lower_bound = tree.n_leaves, 1 + count_needed_thresholds(tree, budget)
        status = OPTIMAL if objective == lower_bound else FAITHFUL
    n_nodes = int(search.counts[N_NODES])
    budget.record(objective, lower_bound, n_nodes, last=True)
    stats = {
        "seconds": budget.seconds,
        "peak_bytes": search.n_bytes,
        "n_regions": n_nodes,
        "n_open_regions": len(open_leaves),
        "open_leaves": open_leaves,
        "n_proofs": int(search.counts[N_PROOFS]),
        "n_boxes": int(search.counts[N_BOXES]) + search.prover.n_boxes,
        "n_programs": search.prover.n_programs,
        "n_found_by_proof": int(search.counts[N_FOUND]),
    }
    return SearchResult(status, objective, lower_bound, tree, budget.trace, stats)


class _HeuristicSearch:
    """Drives the kernel that grows the tree: owns the clock, room for nodes, and proofs that take long."""

    def __init__(self, ensemble, n_samples, proof, random_state, budget):
        from sklearn.utils import check_random_state

        self.ensemble = ensemble
        self.budget = budget
        self.prover = RegionProver(ensemble, proof)
        seed = check_random_state(random_state).randint(0, 2**31, size=2).astype(np.uint64)
        seed = seed[0] << np.uint64(31) | seed[1]
        self.growth = start_growth(self.prover.highest, ensemble.n_classes, n_samples, seed)
        self._fixed_bytes = fixed_bytes(ensemble, n_samples)
        self._bytes_of_node = bytes_of_node(ensemble)
        room = ((budget.memory_limit or np.inf) - self._fixed_bytes) / self._bytes_of_node
        self._most_nodes = min(
            2**60 if limit is None else min(limit, 2**60) for limit in (budget.node_limit, room)
        )
        self.too_many = np.inf  # nodes of a tree that is no smaller than what is known

    @property
    def counts(self):
        return self.growth.counts

    @property
    def n_bytes(self):
        """Bytes of all tables, and of the tree made of them."""
        return self._fixed_bytes + int(self.counts[N_NODES]) * self._bytes_of_node

    def run(self):
        """Grow the tree; returns None at its end, the status of the limit that came before, or FAITHFUL where
        it grows too large."""
        prover, outcome, n_steps = self.prover, UNDECIDED, 16
        while True:
            if (status := self._exceeded()) is not None:
                return status
            n_now = int(min(n_steps, self._most_nodes - self.counts[N_NODES]))
            began = time.perf_counter()
            state = grow(
                prover.forest,
                self.growth,
                prover.boxes,
                prover.tolerance,
                n_now,
                prover.first_boxes,
                outcome,
            )
            outcome = UNDECIDED
            self.budget.record(np.inf, max(int(self.growth.seen.sum()), 1), int(self.counts[N_NODES]))
            if state == DONE:
                return None
            if state == NO_ROOM:
                self._make_room()
            elif state == UNPROVED:
                at = self.counts[N_OPEN] - 1
                region = self.growth.low[at], self.growth.high[at]
                outcome, _ = prover.go_on(*region, int(self.growth.classes[0]), self.budget)
                if outcome == UNDECIDED:
                    return self._exceeded() or TIME_LIMIT
            elif time.perf_counter() - began < _CALL_SECONDS / 2:
                n_steps = min(2 * n_steps, 1 << 14)
            elif time.perf_counter() - began > _CALL_SECONDS:
                n_steps = max(n_steps // 2, 1)

    def tree(self):
        """The tree, and which of its leaves are open: regions not looked at, with the class of their lowest
        cell."""
        n_nodes, n_open = int(self.counts[N_NODES]), int(self.counts[N_OPEN])
        nodes = np.empty((4, n_nodes + n_open), dtype=np.int64)
        nodes[:, :n_nodes] = self.growth.nodes[:, :n_nodes]
        leaves = np.arange(n_nodes, n_nodes + n_open)
        low, parent = self.growth.low[:n_open][::-1], self.growth.parent[:n_open][::-1]
        nodes[:3, n_nodes:] = np.array([[-1], [-2], [0]])
        nodes[3, n_nodes:] = classes_at(self.prover.forest, np.ascontiguousarray(low))
        nodes[0, parent[parent >= 0]] = leaves[parent >= 0]
        return to_tree(nodes, self.prover.levels, self.ensemble), leaves

    def _make_room(self):
        nodes = self.growth.nodes
        self.growth = self.growth._replace(nodes=np.concatenate([nodes, np.empty_like(nodes)], axis=1))

    def _exceeded(self):
        """As `Budget.exceeded`; FAITHFUL where the tree is too large to be wanted."""
        n_nodes = int(self.counts[N_NODES])
        if n_nodes + int(self.counts[N_OPEN]) >= self.too_many:
            return FAITHFUL
        return self.budget.exceeded(n_nodes, self.n_bytes + self._bytes_of_node)


def _without_search(ensemble, own, budget):
    """`SearchResult` of a memory limit that leaves no room for a search: one open leaf, or the tree `own`."""
    lowest = np.full((1, ensemble.n_features), -np.finfo(np.float64).max)
    tree = Tree.from_nested(
        int(ensemble.predict(lowest)[0]), ensemble.n_features, n_classes=ensemble.n_classes
    )
    open_leaves, objective = np.zeros(1, dtype=np.intp), np.inf
    if own is not None:
        tree, open_leaves, objective = own, open_leaves[:0], own.n_leaves
    names = ("peak_bytes", "n_regions", "n_proofs", "n_boxes", "n_programs", "n_found_by_proof")
    stats = dict.fromkeys(names, 0) | {"seconds": budget.seconds}
    stats |= {"n_open_regions": len(open_leaves), "open_leaves": open_leaves}
    budget.record(objective, 1, 0, last=True)
    return SearchResult(MEMORY_LIMIT, objective, 1, tree, budget.trace, stats)


def fixed_bytes(ensemble, n_samples):
    """Bytes of a search before its first node: the forest on levels, the stacks of regions and of boxes, and
    the sample."""
    n_levels = [len(cuts) for cuts in thresholds(ensemble)]
    p, n_classes, n_nodes = len(n_levels), ensemble.n_classes, len(ensemble.nodes.left)
    forest = 8 * (ensemble.n_trees + 2 + n_nodes * (3 + n_classes))
    stacks = 8 * (sum(n_levels) + 2) * (4 * p + 1)
    boxes = 8 * (ensemble.n_trees * n_classes + p * (max(n_levels) + 1) + p + n_classes + n_nodes + 3)
    return forest + stacks + boxes + 8 * (n_samples + 1) * (p + 1) + n_classes + 56


def bytes_of_node(ensemble):
    """Bytes that a node takes at the peak: while a `Tree` is made of the grown one or its copy, or while the
    regions of its leaves are compared; measured."""
    n_classes, n_features = ensemble.n_classes, ensemble.n_features
    return max(290 + 32 * n_classes, 120 + 8 * n_classes + 24 * n_features)
