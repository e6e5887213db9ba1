"""Exact minimiser of cost + regularization x leaves over all trees on binary columns.

The default engine of `OptimalSparseTreeClassifier`. In short: equal rows are merged and costs that every tree
pays are taken off (`problem`); a set of rows is bounded by all its trees of depth two at once (`depth_two`),
its children by theirs in one more pass (`children`); a depth-first branch and bound over sets of rows, each
reached by many paths but solved once, does the rest (`exact_search`).
"""

import numpy as np

from treelib.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult
from treelib.sparse.column_tree import ColumnTree, from_nested
from treelib.sparse.depth_two import make_scratch
from treelib.sparse.exact_nodes import UNLIMITED, add_root, grow_nodes, make_nodes
from treelib.sparse.exact_search import (
    DIVING,
    DONE,
    FRESH,
    LEVEL,
    N_EVALUATED,
    N_HITS,
    N_LOOKED,
    N_NODES,
    TO_OPEN,
    advance,
    make_frames,
    settle,
)
from treelib.sparse.exact_tree import objective_of, read_tree
from treelib.sparse.packs import make_packs
from treelib.sparse.problem import reduce_problem

# lanes counted between two looks at the clock: about 5 ms
WORK_A_STEP = 10_000_000
# bounds that differ by less than this fraction of the total weight are equal
TOLERANCE = 1e-11
# nodes in the first table: small, since fresh memory costs more than the search of a small problem
FIRST_CAPACITY = 2**10
# after this many lanes, about a second, every second step raises the lower bound, by this part of the gap at
# a time: work and not seconds, so that of several optimal trees a slow machine returns the same
RAISE_AFTER = 200 * WORK_A_STEP
RAISE_PART = 0.25


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
    so far and a valid lower bound. "optimal" means that no tree is better by more than 1e-11 of the weight
    that trees can win or lose; the lower bound is then given as the objective itself.
    """
    budget = Budget() if budget is None else budget
    columns = np.ascontiguousarray(columns).view(np.uint8)
    costs = np.ascontiguousarray(costs, dtype=np.float64)
    total = float(len(columns)) if total is None else float(total)
    reduced = reduce_problem(columns, costs)
    price = regularization * (total * reduced.scale)
    if reduced.n_rows == 0 or not price < reduced.leaf_cost:
        # a split costs a leaf more and can save no more than all that the single leaf loses
        return _single_leaf(reduced, columns, costs, regularization, total, OPTIMAL, budget)
    if budget.memory_limit is not None and _bytes_to_start(reduced.problem) > budget.memory_limit:
        return _single_leaf(reduced, columns, costs, regularization, total, MEMORY_LIMIT, budget)

    def in_units(value):
        return (reduced.base_cost + value / reduced.scale) / total

    known = np.inf
    if initial is not None:
        known = objective_of(initial, columns, costs, regularization, total)
    search = _Search(reduced, price, max_depth)
    search.aim((known * total - reduced.base_cost) * reduced.scale)
    status = _run(search, budget, in_units, known)
    tree = search.tree()
    objective = objective_of(tree, columns, costs, regularization, total)
    if known <= objective:
        tree, objective = initial, known
    lower = min(objective, in_units(search.lower))
    if status == OPTIMAL or lower >= objective - search.tolerance / reduced.scale / total:
        status, lower = OPTIMAL, objective
    budget.record(objective, lower, search.n_nodes, last=True)
    return SearchResult(status, objective, lower, tree, budget.trace, search.stats(reduced))


def _single_leaf(reduced, columns, costs, regularization, total, status, budget):
    """The result that is the best single leaf, proved optimal or not looked beyond."""
    tree = from_nested(reduced.default_class)
    objective = objective_of(tree, columns, costs, regularization, total)
    lower = objective if status == OPTIMAL else min(objective, reduced.base_cost / total + regularization)
    budget.record(objective, lower, 0, last=True)
    return SearchResult(
        status, objective, lower, tree, budget.trace, _stats(np.zeros(8, np.int64), 0, reduced.n_rows)
    )


def _bytes_to_start(problem):
    """Memory that a search of `problem` takes before its first step, less the node table."""
    p, n_words = problem.columns.shape
    levels = min(p, 64 * n_words) + 2
    n_lanes = np.count_nonzero(problem.planes) + len(problem.planes)
    frames = levels * (2 * n_words + 8 * p)
    return 8 * (frames + (p + 2) * n_lanes + 2 * problem.n_tables * p * p + 2 * p * n_words)


class _Stack:
    """One depth-first search over the shared table of nodes."""

    def __init__(self, problem, levels):
        self.frames = make_frames(problem, levels)
        self.packs = make_packs(problem, levels)
        self.control = np.full(8, -1, np.int64)

    @property
    def done(self):
        return self.control[LEVEL] < 0

    def begin(self, target, diving=False):
        """Start at the whole set, for trees better than `target` (in integer costs)."""
        self.frames.frame[0] = (0, len(self.frames.active[0]), 0, 0, 0, target)
        self.frames.active[0] = np.arange(len(self.frames.active[0]))
        self.control[[LEVEL, TO_OPEN, DIVING]] = 0, FRESH, diving


class _Search:
    """The arrays of one search, and the steps the driver takes with them.

    Three stacks share one table, so none repeats what another proved. First a dive, for a good tree at once.
    Then the search for the optimum, best columns first; its lower bound moves late, so when it takes long, a
    third goes along that raises the bound of all columns together, a part of the gap at a time.
    """

    def __init__(self, reduced, price, max_depth):
        self.problem = reduced.problem
        self.price = float(price)
        self.tolerance = TOLERANCE * max(reduced.total, price)
        n_columns = self.problem.columns.shape[0]
        self.depth = UNLIMITED if max_depth is None or max_depth >= n_columns else int(max_depth)
        # every split cuts a row off at least
        self.levels = min(n_columns, self.depth, reduced.n_rows) + 2
        self.nodes = make_nodes(max(FIRST_CAPACITY, 1 << (8 * n_columns).bit_length()))
        add_root(self.nodes, self.depth)
        self.scratch = make_scratch(self.problem)
        self.counters = np.zeros(8, np.int64)
        self.counters[N_NODES] = 1
        self.target = np.inf
        self.search = _Stack(self.problem, self.levels)
        self.raising = None
        self.n_steps = 0

    def aim(self, value):
        """Look only for trees better than `value`: the search is done once none can be."""
        self.target = value
        self.search.begin(value, diving=True)

    @property
    def n_nodes(self):
        return int(self.counters[N_NODES])

    @property
    def lower(self):
        return float(self.nodes.table["lower"][0])

    @property
    def upper(self):
        return float(self.nodes.table["upper"][0])

    @property
    def done(self):
        return self.lower >= min(self.upper, self.target) - self.tolerance

    @property
    def n_bytes(self):
        arrays = [*self.problem[:-1], *self.nodes, *self.scratch]
        for stack in (self.search, self.raising):
            arrays += (*stack.frames, *stack.packs) if stack else ()
        return sum(array.nbytes for array in arrays)

    @property
    def is_full(self):
        """Whether the table has no room for the children of one more node."""
        return self.n_nodes + 2 * self.problem.columns.shape[0] > len(self.nodes.table)

    def bytes_wanted(self):
        """Memory after the next step, which may have to double the table or to make the third stack."""
        wanted = 2 * sum(a.nbytes for a in self.nodes) if self.is_full else 0
        if self.raising is None and self.n_steps * WORK_A_STEP >= RAISE_AFTER:
            wanted += sum(a.nbytes for a in (*self.search.frames, *self.search.packs))
        return self.n_bytes + wanted

    def step(self):
        """Work for a few milliseconds; True when the optimum is proved."""
        if self.is_full:  # not when it filled up, but here: the driver has looked at the memory limit
            self.nodes = grow_nodes(self.nodes, self.n_nodes)
        stack = self.search
        self.n_steps += 1
        if stack.done:
            stack.begin(self.target)
        elif self.n_steps * WORK_A_STEP > RAISE_AFTER and not stack.control[DIVING] and self.n_steps % 2:
            stack = self._raising()
        stack.control[N_NODES:] = self.counters[N_NODES:]
        answer = advance(
            self.problem,
            stack.packs,
            self.nodes,
            stack.frames,
            stack.control,
            self.price,
            self.tolerance,
            WORK_A_STEP,
            self.scratch,
        )
        self.counters[N_NODES:] = stack.control[N_NODES:]
        if answer != DONE:
            settle(self.nodes, stack.frames, stack.control, self.price)
        return self.done

    def _raising(self):
        """The stack that raises the lower bound, aimed a part of the gap above it."""
        if self.raising is None:
            self.raising = _Stack(self.problem, self.levels)
        if self.raising.done:
            top = min(self.upper, self.target)
            self.raising.begin(self.lower + max((top - self.lower) * RAISE_PART, 2 * self.tolerance))
        return self.raising

    def tree(self):
        packs, depth, price = self.search.packs, self.depth, self.price
        return ColumnTree(
            *read_tree(self.problem, packs, self.nodes, depth, price, self.scratch, self.levels)
        )

    def stats(self, reduced):
        return _stats(self.counters, self.n_bytes, reduced.n_rows)


def _run(search, budget, in_units, known):
    """Drive the search until it is done or a limit is met; returns the status."""
    try:
        done = False
        while not done:
            best = min(known, in_units(search.upper))
            if best < np.inf:
                budget.record(best, in_units(search.lower), search.n_nodes)
            status = budget.exceeded(search.n_nodes, search.bytes_wanted())
            if status is not None:
                return status
            done = search.step()
    except KeyboardInterrupt:
        return INTERRUPTED
    return OPTIMAL


def _stats(counters, n_bytes, n_rows):
    return {
        "n_nodes": int(counters[N_NODES]),
        "n_evaluated": int(counters[N_EVALUATED]),
        "n_columns_looked_at": int(counters[N_LOOKED]),
        "n_table_hits": int(counters[N_HITS]),
        "n_merged_rows": int(n_rows),
        "n_bytes": int(n_bytes),
    }
