"""Exact minimiser of cost + regularization x leaves over all trees on binary columns.

The default engine of `OptimalSparseTreeClassifier`. In short: equal rows are merged and costs that every tree
pays are taken off (`problem`); a set of rows is bounded by all its trees of depth two at once (`depth_two`),
its children by theirs in one more pass (`children`); a depth-first branch and bound over sets of rows, each
reached by many paths but solved once, does the rest (`exact_search`).
"""

import numpy as np

from treelib.budget import INTERRUPTED, OPTIMAL, Budget, SearchResult
from treelib.sparse.column_tree import ColumnTree, from_nested
from treelib.sparse.depth_two import make_scratch
from treelib.sparse.exact_nodes import UNLIMITED, add_root, grow_nodes, make_nodes
from treelib.sparse.exact_search import (
    DONE,
    LEVEL,
    N_EVALUATED,
    N_HITS,
    N_LOOKED,
    N_NODES,
    TABLE_FULL,
    TO_OPEN,
    advance,
    make_frames,
    settle,
)
from treelib.sparse.exact_tree import objective_of, read_tree
from treelib.sparse.problem import reduce_problem

# lanes counted between two looks at the clock: about 5 ms
WORK_A_STEP = 10_000_000
# bounds that differ by less than this fraction of the total weight are equal
TOLERANCE = 1e-11
FIRST_CAPACITY = 2**12


def minimise(columns, costs, regularization, *, total=None, max_depth=None, initial=None, budget=None):
    """Find the tree of least cost + regularization x leaves, and prove it.

    Parameters
    ----------
    columns : uint8 or bool (n, p) of 0 and 1
    costs : float64 (n, n_classes), cost of calling row i class k; not negative.
    regularization : float, price of a leaf, in units of `total`.
    total : float, what costs are divided by (default: the number of rows).
    max_depth : int, most splits between root and leaf, or None.
    initial : ColumnTree to start from: the result is never worse.
    budget : Budget

    Returns
    -------
    SearchResult with a `ColumnTree` as `tree`. Limits and KeyboardInterrupt end the search with the best tree
    so far and a valid lower bound.
    """
    budget = Budget() if budget is None else budget
    columns = np.ascontiguousarray(columns).view(np.uint8)
    costs = np.ascontiguousarray(costs, dtype=np.float64)
    total = float(len(columns)) if total is None else float(total)
    reduced = reduce_problem(columns, costs)
    if reduced.n_rows == 0:
        tree = from_nested(reduced.default_class)
        objective = reduced.base_cost / total + regularization
        budget.record(objective, objective, 0, last=True)
        return SearchResult(
            OPTIMAL, objective, objective, tree, budget.trace, _stats(np.zeros(8, np.int64), 0, 0)
        )

    search = _Search(reduced, regularization * total * reduced.scale, max_depth)

    def in_units(value):
        return (reduced.base_cost + value / reduced.scale) / total

    known = np.inf
    if initial is not None:
        known = objective_of(initial, columns, costs, regularization, total)
    status = _run(search, budget, in_units, known)
    tree = search.tree(reduced.n_classes)
    objective = objective_of(tree, columns, costs, regularization, total)
    if known <= objective:
        tree, objective = initial, known
    lower = objective if status == OPTIMAL else min(objective, in_units(search.lower))
    budget.record(objective, lower, search.n_nodes, last=True)
    return SearchResult(status, objective, lower, tree, budget.trace, search.stats(reduced))


class _Search:
    """The arrays of one search, and the steps the driver takes with them."""

    def __init__(self, reduced, price, max_depth):
        self.problem = reduced.problem
        self.price = float(price)
        self.tolerance = TOLERANCE * max(reduced.total, price)
        n_columns = self.problem.columns.shape[0]
        self.depth = UNLIMITED if max_depth is None or max_depth >= n_columns else int(max_depth)
        self.levels = min(n_columns, self.depth) + 2
        self.nodes = make_nodes(max(FIRST_CAPACITY, 1 << (8 * n_columns).bit_length()))
        add_root(self.nodes, self.depth)
        self.frames = make_frames(self.problem, self.levels)
        self.scratch = make_scratch(self.problem)
        self.control = np.zeros(8, np.int64)
        self.control[[TO_OPEN, N_NODES]] = 1

    @property
    def n_nodes(self):
        return int(self.control[N_NODES])

    @property
    def lower(self):
        return float(self.nodes.table["lower"][0])

    @property
    def upper(self):
        return float(self.nodes.table["upper"][0])

    @property
    def n_bytes(self):
        arrays = (*self.problem, *self.nodes, *self.frames, *self.scratch)
        return sum(array.nbytes for array in arrays)

    def step(self):
        """Work for a few milliseconds; True when the optimum is proved."""
        answer = advance(
            self.problem,
            self.nodes,
            self.frames,
            self.control,
            self.price,
            self.tolerance,
            WORK_A_STEP,
            self.scratch,
        )
        if answer == DONE:
            return True
        settle(self.nodes, self.frames, self.control, self.price)
        if answer == TABLE_FULL:
            self.nodes = grow_nodes(self.nodes, self.n_nodes)
        return False

    def bytes_wanted(self):
        """Memory after the next step, which may have to double the table."""
        full = self.n_nodes + 2 * self.problem.columns.shape[0] > len(self.nodes.table)
        return self.n_bytes + (2 * sum(a.nbytes for a in self.nodes) if full else 0)

    def tree(self, n_classes):
        return ColumnTree(
            *read_tree(self.problem, self.nodes, self.depth, n_classes, self.price, self.scratch, self.levels)
        )

    def stats(self, reduced):
        return _stats(self.control, self.n_bytes, reduced.n_rows)


def _run(search, budget, in_units, known):
    """Drive the search until it is done or a limit is met; returns the status."""
    status = None
    try:
        done = search.control[LEVEL] < 0
        while not done:
            budget.record(min(known, in_units(search.upper)), in_units(search.lower), search.n_nodes)
            status = budget.exceeded(search.n_nodes, search.bytes_wanted())
            if status is not None:
                return status
            done = search.step()
    except KeyboardInterrupt:
        return INTERRUPTED
    return OPTIMAL


def _stats(control, n_bytes, n_rows):
    return {
        "n_nodes": int(control[N_NODES]),
        "n_evaluated": int(control[N_EVALUATED]),
        "n_columns_looked_at": int(control[N_LOOKED]),
        "n_table_hits": int(control[N_HITS]),
        "n_merged_rows": int(n_rows),
        "n_bytes": int(n_bytes),
    }
