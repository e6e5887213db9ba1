"""The optimal tree on numbers as they are: `optimal_tree`, which drives the compiled search.

Among all trees that ask ``column <= threshold``, with every threshold of every column, the one of least
errors + price for every leaf. No column of 0 and 1 is made of a threshold, so the work grows with the rows
and columns, not with the square of the thresholds.

The bounds are those of intervals of thresholds, as in Brița, van der Linden and Demirović (2025); here 32
splits of the root are scored in one pass (`lanes`), the intervals of all features share them (`shallow`), and
a price for leaves and any depth are searched in the same way (`deep`).

References
----------
C. Brița, J. G. M. van der Linden, E. Demirović. Optimal classification trees for continuous feature data
using dynamic programming with branch-and-bound. AAAI Conference on Artificial Intelligence 39, 2025.
"""

import numpy as np

from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, SearchResult
from treelib.sparse.continuous.arrays import (
    FRAME,
    INTERVAL,
    NODE,
    ROW_SHIFT,
    SIDE,
    UNLIMITED,
    Numbers,
    make_deep,
    make_shallow,
)
from treelib.sparse.continuous.bounds.known import move_known
from treelib.sparse.continuous.deep import (
    DONE,
    INTERVAL_STATE,
    LOOK,
    MORE_LEVELS,
    MORE_NODES,
    MORE_POOL,
    MORE_QUEUE,
    MORE_STACK,
    SETTLE,
    advance,
)
from treelib.sparse.continuous.greedy import greedy_tree, patient
from treelib.sparse.continuous.number_tree import LEAF, from_plan, midpoint
from treelib.sparse.continuous.prepare import prepare
from treelib.sparse.continuous.shallow import FINISHED, OPEN, SCAN
from treelib.sparse.continuous.splits import ERRORS, best_splits, weights_by_class
from treelib.table.checks import check_limits

# rows passed between two looks at the clock: about 5 ms
WORK_A_STEP = 2_000_000
# costs that differ by less than this part of the total weight are equal, where they are not whole numbers
TOLERANCE = 1e-11
# thresholds of all columns together from which on this search is taken
MANY_THRESHOLDS = 60
# sets of rows that the table of bounds holds at most: 32 MB
MOST_KNOWN = 2**20


def optimal_tree(
    X,
    y,
    *,
    regularization=0.0,
    max_depth=None,
    sample_weight=None,
    initial=None,
    budget=None,
    search=None,
    check_input=True,
):
    """Find the tree of least error + regularization x leaves, over all thresholds, and prove it.

    Parameters
    ----------
    X : float64 (n, p); NaN is a missing value, larger than every number.
    y : int (n,), class indices from 0
    regularization : float, leaf penalty, as a fraction of the weight of all rows
    max_depth : int, most splits between the root and a leaf, or None
    sample_weight : float64 (n,), positive, or None for ones
    initial : NumberTree to start from, within the limits: the result is never worse
    budget : Budget
    search : callable of the arguments of `Search` that makes one, such as `together.threads.ThreadedSearch`;
        None for a `Search` in one thread
    check_input : bool, False where it is known that `X` holds no infinity: a large table is read once less

    Returns
    -------
    SearchResult with a `NumberTree` as `tree`. Limits and KeyboardInterrupt end the search with a tree that
    is no worse than the greedy tree of the same limits, and with a valid lower bound. "optimal" means that
    no tree is better by more than 1e-11 of the weight; the lower bound is then the objective itself.
    Thresholds lie halfway between the nearest values of the rows that are divided.

    Raises
    ------
    ValueError
        For shapes that do not fit, weights that are not positive, a regularization below 0.
    """
    budget = Budget() if budget is None else budget
    check_limits(max_depth=max_depth)
    data, rows, status = prepare(
        X, y, regularization, sample_weight, budget, max_depth, check_input=check_input
    )
    if rows is None:
        return unsearched(data, status, budget, initial)
    search = (search or Search)(rows, data, max_depth, initial)
    found = found_at(search, search.run(budget))
    budget.record(found.objective, found.lower_bound, search.n_nodes, last=True)
    found.trace = budget.trace
    return found


def has_many_values(X):
    """Whether a table has so many thresholds that this search is faster than that over columns of 0 and 1."""
    n, p = X.shape
    every = n // 1000 + 1 if n * p > 2**20 else 1  # of many rows a column of many values shows some of them
    found, first, step = 0, 0, max(1, 2**15 // n)  # a few columns tell where they have many
    while first < p and found <= MANY_THRESHOLDS:
        values = np.sort(X[::every, first : first + step], axis=0)
        found += np.count_nonzero(values[1:] > values[:-1])
        first, step = first + step, 2 * step
    return found > MANY_THRESHOLDS


def found_at(search, status):
    """`SearchResult` of a search that ended with `status`."""
    tree = search.tree()
    objective = search.data.objective(tree)
    lower = objective if status == OPTIMAL else min(objective, search.in_units(search.lower))
    return SearchResult(status, objective, lower, tree, {}, search.stats())


def unsearched(data, status, budget, initial=None):
    """The result where a limit ended the work before the search: a single leaf, or a tree that was there."""
    tree = data.labelled(from_plan([LEAF]))
    others = [data.first] if initial is None else [data.first, data.labelled(initial)]
    tree = min([tree, *(other for other in others if other is not None)], key=data.objective)
    objective = data.objective(tree)
    lower = min(objective, data.regularization)
    budget.record(objective, lower, 0, last=True)
    return SearchResult(status, objective, lower, tree, budget.trace, {})


class Search:
    """One search: its arrays, which grow between steps, and the tree that it can give at any time.

    Parameters
    ----------
    rows : Sorted
    data : Data
    max_depth : int or None
    initial : NumberTree or None
    """

    def __init__(self, rows, data, max_depth, initial=None):
        self.rows, self.data, self.max_depth = rows, data, max_depth
        self.total = data.total
        self.trees, self.has_greedy = [], False
        n, p = len(rows.weight), len(rows.features)
        price = data.regularization * self.total * rows.scale
        is_whole = price == 0  # then costs are whole numbers
        rng = np.random.default_rng(20250225)
        self.numbers = Numbers(
            n_features=p,
            n_classes=max(rows.n_classes, 2),
            price=float(price),
            tolerance=0.5 if is_whole else TOLERANCE * max(rows.total, price),
            classes=rows.classes,
            weight=rows.weight,
            keys=rng.integers(1, 2**63, (n, 2), dtype=np.uint64),
        )
        self.depth = UNLIMITED if max_depth is None else int(max_depth)
        by_class = np.bincount(rows.classes, np.abs(rows.weight.astype(np.int64)), self.numbers.n_classes)
        self.leaf = float(rows.total - by_class.max(initial=0)) + price
        # a split costs one leaf more, and saves no more than all errors
        self.is_leaf = p == 0 or self.leaf <= 2 * price
        self.steps = 0
        if self.is_leaf:
            return
        kind = rows.weight.dtype.type
        self.shallow = make_shallow(n, p, self.numbers.n_classes, kind)
        self.deep = make_deep(rows.order, kind, max(1, min(8, self.depth - 1)), price > 0)
        self.deep.now["is_unit"] = int(rows.total == n)
        self.deep.now["width"] = int(is_whole)
        root = self.deep.frames[0]
        root["depth"], root["n_rows"], root["target"] = self.depth, n, self.leaf
        root["best"] = self.leaf
        if initial is not None:
            self._start_from(data.labelled(initial))

    def in_units(self, cost):
        """Cost of a tree, in the units of the objective."""
        return (self.rows.base + cost / self.rows.scale) / self.total

    @property
    def n_nodes(self):
        return 0 if self.is_leaf else int(self.deep.now["n_nodes"][0]) + 1

    @property
    def n_bytes(self):
        held = [*self.rows[:6]]
        if not self.is_leaf:
            held += [*self.shallow, *self.deep, self.numbers.keys]
        return sum(array.nbytes for array in held)

    @property
    def best(self):
        """Cost of the best tree of the search, which may be the single leaf."""
        if self.is_leaf:
            return self.leaf
        best = float(self.deep.frames["best"][0])
        return min(best, float(self.shallow.now["best"][0])) if self._looks_at_root else best

    @property
    def _looks_at_root(self):
        """Whether the search for trees of depth two of all rows goes on."""
        return self.deep.frames["state"][0] == LOOK and self.deep.now["level"][0] == 0

    def _nodes(self):
        """The nodes of the best tree that the search has found."""
        root, found = self.deep.frames[0], self.shallow.now[0]
        if not self._looks_at_root or found["best"] >= root["target"] - self.numbers.tolerance:
            return self.deep.nodes[: root["size"]].tolist()
        if found["feature"] < 0:
            return [(-1, 0, 0)]
        at = found["feature"] * len(self.rows.rows) + found["at"]
        below, above = self.deep.pool[at - 1 : at + 1] >> ROW_SHIFT
        return [(int(found["feature"]), below, above), (-1, 0, 0), (-1, 0, 0)]

    @property
    def lower(self):
        """A lower bound of the cost of every tree."""
        if self.is_leaf:
            return self.leaf
        # a tree with a split has two leaves; those of depth two have the bounds of the intervals that wait
        least = 2 * self.numbers.price
        root = self.deep.frames[0]
        if self.depth > 2 and (root["state"] > LOOK or self.deep.now["level"][0] != 0):
            # trees of depth two are settled; all others have four leaves or more
            least = max(least, min(float(root["split"]), 4 * self.numbers.price), self._lower_of_root())
        return min(self.best, max(least, self._lower_of_queue()) if self.depth == 2 else least)

    def _lower_of_root(self):
        """A lower bound of the trees deeper than two by the cuts of the root that wait; 0 before all do."""
        root, now = self.deep.frames[0], self.deep.now[0]
        if not root["by_bound"] or root["state"] < INTERVAL_STATE or root["state"] > SETTLE:
            return 0.0
        is_waiting = root["state"] == INTERVAL_STATE
        waiting = self.deep.stack[root["stack"] : (now["stack"] if is_waiting else root["top"])]
        least = np.inf if is_waiting else bounds_of(self.deep.frames[:1])[0]  # the interval at hand
        return min(least, bounds_of(waiting).min()) if len(waiting) else least

    def _lower_of_queue(self):
        """A lower bound of the trees of depth two that are still looked for."""
        now, queue = self.shallow.now[0], self.shallow.queue
        if not self._looks_at_root:
            return self.best if self.deep.now["level"][0] < 0 else 0.0
        if now["phase"] in (OPEN, FINISHED):
            return 0.0 if now["phase"] == OPEN else now["best"]
        taken = self.shallow.lanes["interval"][: now["n_open"]] if now["phase"] == SCAN else []
        waiting = queue[np.concatenate([np.arange(now["head"], now["tail"]), taken]).astype(np.intp)]
        if not len(waiting):
            return now["best"]
        return float(bounds_of(waiting).min())

    def run(self, budget):
        """Search until the optimum is proved or a limit is met; returns the status."""
        try:
            if not self.is_leaf and self.depth == UNLIMITED and self.numbers.price == 0:
                # leaves cost nothing, so splitting until nothing can be split is optimal
                self._start_from_greedy(budget)
                return budget.due() or OPTIMAL
            while not self.is_leaf:
                status = budget.exceeded(self.n_nodes, self.n_bytes)
                # a small problem is solved before a greedy tree would be made
                if status is not None or self.steps == (0 if self.rows.order.size > WORK_A_STEP else 2):
                    self._start_from_greedy(budget)
                if status is not None:
                    return status
                if self.step():
                    break
                budget.record(self.in_units(self.best), self.in_units(self.lower), self.n_nodes)
        except KeyboardInterrupt:
            return INTERRUPTED
        return OPTIMAL

    def step(self):
        """Search on for a moment; True at the end."""
        answer = advance(self.numbers, self.shallow, self.deep, WORK_A_STEP)
        self.steps += 1
        if answer != DONE:
            self._make_room(answer)
        return answer == DONE

    def _start_from_greedy(self, budget):
        """Look for trees better than the greedy one only: made when the search turns out to take long."""
        if self.has_greedy:
            return
        self.has_greedy = True
        self._start_from(self.greedy(budget))

    def greedy(self, budget):
        """The greedy tree; of many rows the levels that there is time for."""
        check = patient(budget, self.rows.order.size)
        return self.data.labelled(greedy_tree(self.numbers, self.rows, self.data.X, self.max_depth, check))

    def _start_from(self, tree):
        """Look for trees better than `tree` only, which the rows have labelled."""
        self.trees.append(tree)
        cost = (self.data.objective(tree) * self.total - self.rows.base) * self.rows.scale
        root = self.deep.frames[0]
        if cost >= root["best"] - self.numbers.tolerance:
            return
        root["best"] = cost
        if root["state"] <= LOOK and self.deep.now["level"][0] == 0:
            root["target"] = cost
            self.shallow.now["best"] = np.minimum(self.shallow.now["best"], cost)

    def _make_room(self, answer):
        """Enlarge what was too small for the next step."""
        wanted = int(self.deep.now["wanted"][0])
        if answer == MORE_QUEUE:
            self.shallow = self.shallow._replace(queue=_larger(self.shallow.queue, INTERVAL))
        elif answer == MORE_LEVELS:
            self.deep = self.deep._replace(
                frames=_larger(self.deep.frames, FRAME),
                sides=_larger(self.deep.sides, SIDE),
                sets=_larger(self.deep.sets, np.uint64),
                floors=_larger(self.deep.floors, np.float64),
            )
        elif answer == MORE_POOL:
            self.deep = self.deep._replace(
                pool=_larger(self.deep.pool, np.int32, wanted),
                loads=_larger(self.deep.loads, self.deep.loads.dtype),
            )
        elif answer == MORE_STACK:
            self.deep = self.deep._replace(stack=_larger(self.deep.stack, INTERVAL))
        elif answer == MORE_NODES:
            self.deep = self.deep._replace(nodes=_larger(self.deep.nodes, NODE, wanted))
        known = self.deep.known
        if 2 * int(self.deep.now["n_known"][0]) > len(known) and len(known) < MOST_KNOWN:
            larger = np.zeros((4 * len(known), 2), np.uint64), np.zeros((4 * len(known), 2))
            move_known(known, self.deep.bounds, *larger)
            self.deep = self.deep._replace(known=larger[0], bounds=larger[1])

    def tree(self):
        """The best `NumberTree` known."""
        found = self.data.labelled(self._found_tree())
        return min(found, *self.trees, key=self.data.objective) if self.trees else found

    def _found_tree(self):
        """The tree of the search; its open ends become leaves, or the best splits of their rows."""
        nodes = [] if self.is_leaf else self._nodes()
        if not nodes:
            return from_plan([LEAF])
        X, rows = self.data.X, self.rows
        after = [0] * len(nodes)  # where the next subtree begins
        for k in range(len(nodes) - 1, -1, -1):
            after[k] = k + 1 if nodes[k][0] < 0 else after[after[k + 1]]
        plan, ends = [LEAF] * len(nodes), []
        reach = [None] * len(nodes)
        reach[0] = np.arange(len(rows.rows))
        for k, (feature, below, above) in enumerate(nodes):
            if feature < 0:
                ends.append(k)
                continue
            column = rows.features[feature]
            threshold = midpoint(*X[rows.rows[[below, above]], column])
            is_left = X[rows.rows[reach[k]], column] <= threshold
            reach[k + 1], reach[after[k + 1]] = reach[k][is_left], reach[k][~is_left]
            plan[k] = int(column), threshold, k + 1, after[k + 1]
        node_of_row = np.empty(len(rows.rows), np.intp)
        for number, k in enumerate(ends):
            node_of_row[reach[k]] = number
        weights = weights_by_class(self.numbers, node_of_row, len(ends))
        found = best_splits(self.numbers, rows.order, node_of_row, weights, ERRORS)
        saved = weights.sum(axis=1) - weights.max(axis=1) - found["score"]
        # of equal costs the leaf; sums of whole weights are exact
        worth = saved > self.numbers.price + (self.numbers.tolerance if self.numbers.price else 0)
        for number, k in enumerate(ends):
            if worth[number]:
                column = rows.features[found["feature"][number]]
                values = X[rows.rows[[found["below"][number], found["above"][number]]], column]
                plan[k] = int(column), midpoint(*values), len(plan), len(plan) + 1
                plan += [LEAF, LEAF]
        return from_plan(plan)

    def stats(self):
        """Counters of the search."""
        if self.is_leaf:
            names = "n_nodes", "n_batches", "n_lanes", "n_known", "n_hits", "n_like"
            return dict.fromkeys(names, 0) | {"n_bytes": self.n_bytes}
        now, deep = self.shallow.now[0], self.deep.now[0]
        return {
            "n_nodes": self.n_nodes,
            "n_batches": int(now["n_batches"]),
            "n_lanes": int(now["n_tried"]),
            "n_known": int(deep["n_known"]),
            "n_hits": int(deep["n_hits"]),
            "n_like": int(deep["n_like"]),
            "n_bytes": self.n_bytes,
        }


def bounds_of(waiting):
    """What every cut of intervals costs at least, float64 of the shape of `waiting`: see `bound_of`."""
    between = waiting["right_a"] - waiting["right_b"] + waiting["left_b"] - waiting["left_a"]
    between = between - (waiting["b"] - waiting["a"])
    return waiting["left_a"] + waiting["right_b"] + np.maximum(between, 0)


def _larger(array, kind, wanted=0):
    """A copy with room for twice as many, and for those `wanted`."""
    grown = np.zeros((max(2 * len(array), wanted), *array.shape[1:]), kind)
    grown[: len(array)] = array
    return grown
