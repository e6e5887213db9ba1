"""All optimal dyadic trees, from one pass over the rectangles of the grid.

Hush and Porter (2010) search a list of prices of a leaf (lambda) and solve equation 1 for each. Here a
single pass keeps for every rectangle the lower convex hull of (leaves, error) of its trees
(`treelib.dyadic.sweep.one_pass`), which holds the answers for all prices: the vertices of the whole box's
hull are the solution value sequence of Definition 3. A pass that is asked for prices above some value only
prunes more, so a few passes with falling prices come first: they cost little, and give trees and bounds where
a limit stops the last one.
"""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

from treelib.dyadic.sweep.hulls import ERROR_BITS, ERROR_MASK, make_hulls
from treelib.dyadic.sweep.one_pass import (
    DONE,
    HULLS_FULL,
    LEVEL,
    N_CLOSED,
    N_CONTROL,
    N_HITS,
    N_LOOKED,
    N_ROWS_READ,
    N_STORED,
    PAUSED,
    ROOT_HULL,
    STACK_FULL,
    TABLE_FULL,
    advance,
    move_rectangles,
)
from treelib.dyadic.sweep.packed import (
    as_window,
    bytes_of_stack,
    first_hulls,
    lengthen_stack,
    make_stack,
    pack,
)
from treelib.dyadic.sweep.vertex_tree import (
    LOST,
    N_NODE_FIELDS,
    N_READING,
    NO_ROOM,
    READ,
    STOP_AT,
    TARGET,
    read_tree,
)
from treelib.search.budget import OPTIMAL, Budget, Stopped, status_of
from treelib.table.checks import check_number, check_positive, exact, is_real

# steps of the kernel, and rows read, between two looks at the limits: milliseconds. Both take the longer the
# more features there are
STEPS_AT_ONCE = 1 << 14
ROWS_AT_ONCE = 1 << 18
FEW_FEATURES = 16
FIRST_SLOTS = 1 << 12
# a table that is full grows by this factor; small ones faster, since a kernel call is dearer than their
# memory
GROWTH, GROWTH_SMALL, SMALL = 1.5, 2, 1 << 16
# passes before the last: at this fraction of the price before, down to so many times the lowest price. Where
# a limit may stop the last one they lie closer, for a better tree and bound, and may cost half as much as it
STAGE_RATIO, STAGE_RATIO_LIMITED = 16, 4
STAGE_MARGIN = 2


class Vertex(NamedTuple):
    """A point of the solution value sequence, in units of the losses; its tree as `read_tree` wrote it."""

    n_leaves: int
    loss: Fraction
    nodes: np.ndarray


class SweepResult(NamedTuple):
    """The hull of the whole box from the highest price down to `proved`.

    Attributes
    ----------
    vertices : tuple of Vertex, by growing leaves; the first is the single leaf. `loss` leaves out what every
        tree pays. Where the losses were not whole numbers it is a rounded value.
    breaks : tuple of Fraction, the price between two neighbours, falling: where both are equally good
    status : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    proved : Fraction, price down to which the vertices are all there are
    stats : dict of counters: ``rectangles`` (stored), ``looked_at`` (times the rows of a rectangle were
        looked at), ``closed`` (of these, closed at once), ``hits``, ``rows_read``, ``hulls``, ``bytes``,
        ``seconds``, ``passes``
    """

    vertices: tuple
    breaks: tuple
    status: str
    proved: Fraction
    stats: dict


def sweep_path(
    codes,
    losses,
    n_splits,
    *,
    low=0,
    high=inf,
    free_empty=False,
    staged=True,
    budget=None,
    offset=0,
    total=1,
):
    """Find the hull of the whole box for all prices from `low` to `high`.

    Parameters
    ----------
    codes : int64 (m, d), finest cells of the surrogates, no two equal
    losses : (m, K), the least of each row 0 (`treelib.dyadic.compress.merge_cells`)
    n_splits : int (d,)
    low, high : number or Fraction, prices of a leaf in units of the losses: 0 <= low <= high, 0 < high, low
        finite. With low = high one solution is found, that of Definition 2; it saves 5 to 10 % of the time.
    free_empty : bool, whether leaves without rows cost nothing. The paper counts them.
    staged : bool, make passes at higher prices first
    budget : Budget; its nodes are rectangles looked at, its bytes those of all tables. Its trace and progress
        line show the objective at `low` of the best tree so far and its bound.
    offset, total : number or Fraction, loss that every tree pays and weight of all rows, in which objectives
        are shown

    Returns
    -------
    SweepResult. A limit or KeyboardInterrupt ends it with what the passes so far have proved.

    Raises
    ------
    ValueError
        For rows that are not those of `merge_cells` on the grid of `n_splits`, prices in the wrong order, and
        an offset or a total that does not exist. The message says what is to be given.
    """
    low, high = _check_prices(low, high)
    offset = exact(check_number("offset", offset, "a finite number, 0 or more, the loss of every tree"))
    total = exact(check_positive("total", total, "a positive number, the weight of all rows"))
    budget = Budget() if budget is None else budget
    search = _Sweep(codes, losses, n_splits, free_empty, budget)
    single = search.leaf_loss
    result = SweepResult((search.single_leaf(),), (), OPTIMAL, single, {})
    # where a leaf costs all that there is to win, a tree of two may tie, and is then the solution
    if single < low or single == 0:
        result = result._replace(proved=low)
        prices = []
    else:
        limits = (budget.time_limit, budget.memory_limit, budget.node_limit, budget.cancel)
        ratio = STAGE_RATIO if limits == (None,) * 4 else STAGE_RATIO_LIMITED
        prices = _stage_prices(single, low, search.smallest_loss, ratio) if staged else [low]
    search.show = partial(_show, budget, low, offset, total)
    status = OPTIMAL
    try:
        for price in prices:
            search.show(result, search.n_looked)
            result = search.run(price, high if price == low else inf, result)
    except (Stopped, KeyboardInterrupt) as stop:
        status = status_of(stop)
    search.show(result, search.n_looked, last=True)
    return result._replace(status=status, stats=search.stats())


def lower_bound(result, price):
    """Least value of loss + price x leaves that any tree can have, in units of the losses, as far as proved.

    The optimum is concave in the price and 0 at 0, so below `result.proved` it lies above a line.
    """
    at = max(price, result.proved)
    best = min(vertex.loss + at * vertex.n_leaves for vertex in result.vertices)
    return best if at == price else best * price / at


def _check_prices(low, high):
    """Lowest and highest price as fractions, or inf."""
    for name, price in (("low", low), ("high", high)):
        if not is_real(price):
            raise ValueError(f"{name}={price!r} must be a number, a leaf penalty in units of the losses.")
    if not (0 <= low <= high and high > 0 and low < inf):
        raise ValueError(
            f"Prices from {low} to {high} make no sense; give 0 <= low <= high and 0 < high, low finite."
        )
    return exact(low), inf if high == inf else exact(high)


def _show(budget, low, offset, total, result, n_looked, last=False):
    """Add to the trace of `budget` what is known of the objective at the price `low`."""
    best = min(vertex.loss + low * vertex.n_leaves for vertex in result.vertices)
    objective, bound = ((offset + value) / total for value in (best, lower_bound(result, low)))
    budget.record(float(objective), float(bound), n_looked, last=last)


def _stage_prices(single, low, smallest, ratio):
    """Lowest prices of the passes, falling to `low`. A price below the `smallest` loss prunes nothing."""
    prices = []
    price = Fraction(single) / ratio
    while price >= STAGE_MARGIN * max(low, smallest):
        prices.append(price.limit_denominator(1000))
        price /= ratio
    return [*prices, low]


def more_slots(table):
    """Slots that a full table grows to; also for the page, as `longer_table`."""
    return int(len(table) * (GROWTH_SMALL if len(table) < SMALL else GROWTH))


def longer_table(table):
    """The same rectangles in a table of more slots."""
    longer = np.zeros((more_slots(table), table.shape[1]), np.int64)
    move_rectangles(table, longer)
    return longer


class _Sweep:
    """Arrays of the passes over one problem."""

    def __init__(self, codes, losses, n_splits, free_empty, budget):
        losses = np.asarray(losses)
        self.packed = pack(codes, losses, n_splits, free_empty=free_empty)
        self.budget = budget
        self.stack = self.hulls = self.table = None
        self.control = np.zeros(N_CONTROL, np.int64)
        self.looked_before = self.n_passes = self.most_bytes = 0
        self.share = 1 + len(n_splits) // FEW_FEATURES
        self.leaf_loss = self.in_units(self.packed.leaf_error)
        positive = losses[losses > 0]
        self.smallest_loss = Fraction(positive.min().item()) if len(positive) else Fraction(1)

    def in_units(self, error):
        """Integer error as a loss."""
        return Fraction(error) / Fraction(self.packed.scale)

    def single_leaf(self):
        nodes = np.array([[-1, 0, 0, self.packed.label, -1]], dtype=np.int64)
        return Vertex(1, self.leaf_loss, nodes)

    @property
    def n_looked(self):
        """Rectangles looked at in all passes."""
        return self.looked_before + int(self.control[N_LOOKED])

    def run(self, low, high, known):
        """`SweepResult` of one pass for prices from `low` to `high`; `known` is that before it."""
        if self.stack is None:
            self.budget.check(bytes_of_stack(self.packed))
            self.stack = make_stack(self.packed)
        self.window = as_window(self.packed, low, high)
        self.hulls = first_hulls()
        self.table = np.zeros((FIRST_SLOTS, self.packed.n_words + 1), np.int64)
        self.looked_before = self.n_looked
        self.control[:] = 0
        self.control[LEVEL] = -1
        self.n_passes += 1
        answer = PAUSED
        while answer != DONE:
            answer = advance(
                self.packed.problem,
                self.stack,
                self.table,
                self.hulls,
                self.control,
                self.window,
                STEPS_AT_ONCE // self.share + 1,
                ROWS_AT_ONCE // self.share,
            )
            self._make_room(answer)
            self._check()
            if self.budget.verbose:
                self.show(known, self.n_looked)
        root = self.control[ROOT_HULL]
        words = self.hulls.vertices[self.hulls.start[root] : self.hulls.start[root + 1]].tolist()
        vertices = tuple(
            Vertex(word >> ERROR_BITS, self.in_units(word & ERROR_MASK), self._read(word)) for word in words
        )
        breaks = tuple((a.loss - b.loss) / (b.n_leaves - a.n_leaves) for a, b in pairwise(vertices))
        return SweepResult(vertices, breaks, OPTIMAL, low, {})

    def _make_room(self, answer):
        if answer == TABLE_FULL:
            self._check(more=more_slots(self.table) * self.table.itemsize * self.table.shape[1])
            self.table = longer_table(self.table)
        elif answer == HULLS_FULL:
            self._check(more=2 * sum(array.nbytes for array in self.hulls))
            self.hulls = make_hulls(self.hulls)
        elif answer == STACK_FULL:
            self.stack = lengthen_stack(self.stack)

    @property
    def n_bytes(self):
        stack = sum(array.nbytes for array in self.stack)
        return self.table.nbytes + stack + sum(array.nbytes for array in self.hulls)

    def _check(self, more=0):
        """Raise `Stopped` where the budget is used up, or would be by `more` bytes."""
        n_bytes = self.n_bytes + more
        self.most_bytes = max(self.most_bytes, n_bytes)
        status = self.budget.exceeded(self.n_looked, n_bytes)
        if status is not None:
            raise Stopped(status)

    def _read(self, word):
        """Nodes of the tree of a vertex of the whole box."""
        if word >> ERROR_BITS == 1:
            return self.single_leaf().nodes
        nodes = np.zeros((2 * (word >> ERROR_BITS) - 1, N_NODE_FIELDS), np.int64)
        targets = np.zeros(len(self.stack.frames), TARGET)
        targets[0]["vertex"] = word
        control = np.zeros(N_READING, np.int64)
        while True:
            control[STOP_AT] = control[N_ROWS_READ] + ROWS_AT_ONCE // self.share
            answer = read_tree(
                self.packed.problem,
                self.stack,
                self.table,
                self.hulls,
                control,
                self.window,
                targets,
                nodes,
            )
            if answer == READ:
                return nodes
            if answer == LOST:
                raise RuntimeError("A vertex of the hull has no tree; please report this with the data.")
            if answer == NO_ROOM:
                self._make_room(HULLS_FULL)
            self._check()

    def stats(self):
        control = self.control
        return {
            "rectangles": int(control[N_STORED]),
            "looked_at": int(control[N_LOOKED]),
            "closed": int(control[N_CLOSED]),
            "hits": int(control[N_HITS]),
            "rows_read": int(control[N_ROWS_READ]),
            "hulls": int(self.hulls.counts[0]) if self.hulls else 0,
            "passes": self.n_passes,
            "table_bytes": self.n_bytes if self.table is not None else 0,
            "peak_bytes": int(self.most_bytes),
            "seconds": self.budget.seconds,
        }
