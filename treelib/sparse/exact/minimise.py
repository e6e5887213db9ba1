"""Exact minimiser of cost + regularization x leaves over all trees on binary columns.

The default engine of `OptimalSparseTreeClassifier`. In short: equal rows are merged and costs that every
tree pays are taken off (`reduction`); a set of rows is bounded by all its trees of depth two at once
(`depth_two`), its children by theirs in one more pass (`child_bounds`); a depth-first branch and bound over
sets of rows, each reached by many paths but solved once, does the rest (`search`).
"""

from operator import attrgetter

import numpy as np

from treelib.compiled.bits import WORD
from treelib.search.budget import (
    INTERRUPTED,
    MEMORY_LIMIT,
    OPTIMAL,
    Budget,
    SearchResult,
    Stopped,
    status_of,
)
from treelib.sparse.column_tree import from_nested
from treelib.sparse.exact.best_tree import objective_of, read_tree
from treelib.sparse.exact.depth_two import STOP, make_scratch
from treelib.sparse.exact.nodes import UNLIMITED, add_root, grow_nodes, make_nodes
from treelib.sparse.exact.packed_rows import make_packs
from treelib.sparse.exact.reduction import reduce_problem
from treelib.sparse.exact.search import (
    CONTROL,
    COUNTS,
    DONE,
    FRESH,
    Tables,
    advance,
    make_frames,
    settle,
)
from treelib.sparse.problem_checks import check_problem
from treelib.table.checks import check_limits, check_price

# lanes counted between two looks at the clock: about 5 ms
WORK_A_STEP = 10_000_000
# a step over all pairs of columns that may take longer than this many lanes is watched by the clock
LONG_STEP = 5 * WORK_A_STEP
# bounds that differ by less than this fraction of the total weight are equal
TOLERANCE = 1e-11
# nodes in the first table: few, since fresh memory costs more than the search of a small problem, but enough
# for small tables at depth 6: to grow in between took a third of their time
FIRST_CAPACITY = 2**12
# after this many lanes, about a second, every second step raises the lower bound, by this part of the gap at
# a time: work and not seconds, so that of several optimal trees a slow machine returns the same
RAISE_AFTER = 200 * WORK_A_STEP
RAISE_PART = 0.25
# of what is not searched
UNCOUNTED = np.zeros(1, COUNTS)


def minimise(
    columns,
    costs,
    regularization,
    *,
    total=None,
    max_depth=None,
    initial=None,
    budget=None,
    check_input=True,
):
    """Find the tree of least cost + regularization x leaves, and prove it.

    Parameters
    ----------
    columns : uint8 or bool (n, p) of 0 and 1
    costs : float64 (n, n_classes), cost of calling row i class k; not negative.
    regularization : float, leaf penalty, in units of `total`.
    total : float, what costs are divided by (default: the number of rows).
    max_depth : int, most splits between root and leaf, or None.
    initial : ColumnTree to start from: the result is never worse.
    budget : Budget
    check_input : bool, False where all numbers are known to be right and arrays are of the types named above.

    Returns
    -------
    SearchResult with a `ColumnTree` as `tree`. Limits and KeyboardInterrupt end the search with the best tree
    so far and a valid lower bound. "optimal" means that no tree is better by more than 1e-11 of the weight
    that trees can win or lose; the lower bound is then given as the objective itself.

    Raises
    ------
    ValueError
        For columns other than 0/1, costs or a regularization below 0 or not finite, shapes that do not fit.
    """
    budget = Budget() if budget is None else budget
    if check_input:
        columns, costs, total = check_problem(columns, costs, total)
        check_price("regularization", regularization)
        check_limits(max_depth=max_depth)
    given = columns, costs, regularization, total
    known = np.inf if initial is None else objective_of(initial, *given)

    def result(status, tree, lower, stats, tolerance=-np.inf):
        """The better of a tree, or None, and of the initial one; bounds closer than `tolerance` are equal."""
        objective = np.inf if tree is None else objective_of(tree, *given)
        if known <= objective:
            tree, objective = initial, known
        if status == OPTIMAL or lower >= objective - tolerance:
            status, lower = OPTIMAL, objective
        lower = min(objective, lower)
        budget.record(objective, lower, stats["n_nodes"], last=True)
        return SearchResult(status, objective, lower, tree, budget.trace, stats)

    try:
        reduced = reduce_problem(columns, costs, budget.check)
    except (Stopped, KeyboardInterrupt) as stop:
        leaf = from_nested(int(costs.sum(axis=0).argmin()))
        return result(status_of(stop), leaf, regularization, _stats(UNCOUNTED, 0, 0))
    price, leaf = regularization * (total * reduced.scale), from_nested(reduced.default_class)
    if reduced.n_rows == 0 or not price < reduced.leaf_cost:
        # a split costs a leaf more and can save no more than all that the single leaf loses
        return result(OPTIMAL, leaf, 0.0, _stats(UNCOUNTED, 0, reduced.n_rows))

    def in_units(value):
        return (reduced.base_cost + value / reduced.scale) / total

    if _bytes_to_start(reduced.problem, _lanes(reduced.problem)) > budget.most_bytes:
        tree, n_bytes = _without_tables(reduced, price, max_depth, budget.most_bytes)
        return result(
            MEMORY_LIMIT, tree or leaf, in_units(2.0 * price), _stats(UNCOUNTED, n_bytes, reduced.n_rows)
        )
    search = _Search(reduced, price, max_depth)
    search.aim((known * total - reduced.base_cost) * reduced.scale)
    status = _run(search, budget, in_units, known)
    tree = None
    if status == OPTIMAL or known == np.inf or in_units(search.upper) < known:
        if status != OPTIMAL and search.is_long:
            search.stop()  # sets that the table does not hold are split column by column
        tree = search.tree()
    # a single leaf costs more than two prices here, and no tree with splits costs less
    lower, tolerance = in_units(max(search.lower, 2.0 * price)), search.tolerance / reduced.scale / total
    return result(status, tree, lower, search.stats(reduced), tolerance)


def _without_tables(reduced, price, max_depth, most_bytes):
    """A tree grown split by split where there is no room for the tables of the search, or None where there is
    none for that either, and the bytes that it took."""
    problem = reduced.problem
    p, n_words = problem.columns.shape
    n_bytes = 8 * ((p + 4) * _lanes(problem) + (3 * (p + len(problem.planes)) + WORD) * n_words)
    if n_bytes > most_bytes:
        return None, 0
    scratch, packs = make_scratch(problem, pairs=False), make_packs(problem, 1)
    depth, levels = _depth_and_levels(reduced, max_depth)
    nodes = make_nodes(1)
    add_root(nodes, depth)
    scratch.answer[STOP] = 1
    return read_tree(problem, packs, nodes, depth, float(price), scratch, levels), n_bytes


def _depth_and_levels(reduced, max_depth):
    """Most splits on a path, and how many levels the frames of a search need for them."""
    n_columns = reduced.problem.columns.shape[0]
    depth = UNLIMITED if max_depth is None or max_depth >= n_columns else int(max_depth)
    # every split cuts a row off at least
    return depth, min(n_columns, depth, reduced.n_rows) + 2


def _first_capacity(n_columns):
    """Nodes that the first table has room for."""
    return max(FIRST_CAPACITY, 1 << (8 * n_columns).bit_length())


def _bytes_to_start(problem, n_lanes):
    """Memory that a search of `problem` with `n_lanes` takes before its first step, less the node table."""
    p, n_words = problem.columns.shape
    levels = min(p, WORD * n_words) + 2
    frames = levels * (2 * n_words + 8 * p)
    return 8 * (frames + (p + 2) * n_lanes + 2 * problem.n_tables * p * p + 2 * p * n_words)


def _lanes(problem):
    """Most lanes that a set of rows can have: see `treelib.sparse.exact.depth_two.make_scratch`."""
    return np.count_nonzero(problem.planes) + len(problem.planes)


class _Stack:
    """One depth-first search over the shared table of nodes."""

    def __init__(self, problem, levels):
        self.frames = make_frames(problem, levels)
        self.packs = make_packs(problem, levels)
        self.control = np.zeros(1, CONTROL)
        self.control["level"] = -1

    @property
    def done(self):
        return self.control["level"][0] < 0

    def begin(self, target, diving=False):
        """Start at the whole set, for trees better than `target` (in integer costs)."""
        self.frames.frame[0] = (0, len(self.frames.active[0]), 0, 0, 0, target)
        self.frames.active[0] = np.arange(len(self.frames.active[0]))
        self.control[0] = 0, FRESH, diving


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
        self.depth, self.levels = _depth_and_levels(reduced, max_depth)
        self.nodes = make_nodes(_first_capacity(n_columns))
        add_root(self.nodes, self.depth)
        self.scratch = make_scratch(self.problem)
        self.counts = np.zeros(1, COUNTS)
        self.counts["n_nodes"] = 1
        self.target = np.inf
        self.search = _Stack(self.problem, self.levels)
        self.raising = None
        self.n_steps = 0
        # the steps that cannot be cut short: counting the pairs of all columns, and bounding them
        lanes = n_columns**2 * (len(self.scratch.word) // 2 + 4 * self.problem.n_tables)
        self.is_long = lanes > LONG_STEP

    def stop(self):
        """End the step that another thread is taking; the search cannot go on afterwards."""
        self.scratch.answer[STOP] = 1

    @property
    def is_stopped(self):
        return bool(self.scratch.answer[STOP])

    def aim(self, value):
        """Look only for trees better than `value`: the search is done once none can be."""
        self.target = value
        self.search.begin(value, diving=True)

    @property
    def n_nodes(self):
        return int(self.counts["n_nodes"][0])

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
        return sum(map(attrgetter("nbytes"), arrays))

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
        elif self.n_steps * WORK_A_STEP > RAISE_AFTER and not stack.control["diving"][0] and self.n_steps % 2:
            stack = self._raising()
        tables = Tables(
            self.problem,
            stack.packs,
            self.nodes,
            stack.frames,
            self.scratch,
            stack.control,
            self.counts,
            self.price,
            self.tolerance,
        )
        if advance(tables, WORK_A_STEP) != DONE:
            settle(tables)
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
        return read_tree(self.problem, packs, self.nodes, depth, price, self.scratch, self.levels)

    def stats(self, reduced):
        return _stats(self.counts, self.n_bytes, reduced.n_rows)


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
            done = budget.watch(search.step, search.stop) if search.is_long else search.step()
            if search.is_stopped and not done:
                return budget.due() or INTERRUPTED
    except KeyboardInterrupt:
        return INTERRUPTED
    return OPTIMAL


def _stats(counts, n_bytes, n_rows):
    n_nodes, n_evaluated, n_looked_at, n_hits = counts[0].item()
    return {
        "n_nodes": n_nodes,
        "n_evaluated": n_evaluated,
        "n_columns_looked_at": n_looked_at,
        "n_table_hits": n_hits,
        "n_merged_rows": int(n_rows),
        "n_bytes": int(n_bytes),
    }
