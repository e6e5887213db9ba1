"""The paper's algorithm: recursion with memory, with and without lookahead pruning (Section 3, Procedure 1).

`Recursion` solves one problem min e(T) + lambda |T| for one lambda. Without pruning it visits every occupied
rectangle, as the bottom-up dynamic program of Blanchard et al. (2007) does, whose count `count_occupied`
gives directly. With pruning (MRP) a rectangle whose majority vote errs by less than lambda is a leaf at once
(Lemma 1).

Errors are whole numbers of losses and lambda is a fraction in the same unit, so ties are ties. Which tree a
tie takes is a setting: "first" is the strict < of Procedure 1 and depends on the order of the coordinates,
"largest" is Definition 2, "smallest" its mirror image.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treelib.dyadic.paper import hash_tables as tables
from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.occupied_rectangles import Partition, count_rectangles
from treelib.dyadic.rectangles import key_shifts
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, Stopped
from treelib.table.checks import check_choice

# between two looks at the clock, some 10 ms: work as `recursion_kernels.advance` counts it
_STEP_WORK = 2_000_000
_LARGEST_RISK = 2**62
# of `Entries`, but for the children
_COLUMNS = {
    "known": k.RECTANGLE,
    "leaf_error": np.int64,
    "finished": np.int32,
    "place": np.int32,
}


@dataclass(frozen=True)
class Outcome:
    """What one run found and counted.

    error : int, in units of the losses. leaves : int.
    n_visited : int, rectangles stored (the paper's count). n_expanded : int, those whose splits were tried.
    ratio : Fraction or None, the largest split ratio below lambda of a tree that was visited and not chosen.
    """

    error: int
    leaves: int
    n_visited: int
    n_expanded: int
    ratio: Fraction | None


def make_rows(codes, losses, n_splits):
    """`Rows` for the kernels.

    Parameters
    ----------
    codes : int (n, d), finest cell of each row, 0 <= code < 2^k_i
    losses : int (n, K), loss of each label, not negative
    n_splits : int (d,), the k_i

    Raises
    ------
    TypeError
        Losses are not whole numbers.
    ValueError
        No rows, or codes outside the grid.
    """
    codes, losses = np.ascontiguousarray(codes, dtype=np.int64), np.asarray(losses)
    n_splits = np.asarray(n_splits, dtype=np.int64)
    if losses.dtype.kind not in "iu":
        raise TypeError("The recursion needs whole-number losses; scale them first.")
    if codes.ndim != 2 or losses.ndim != 2 or len(codes) != len(losses) or codes.shape[1] != len(n_splits):
        raise ValueError(
            f"codes {codes.shape}, losses {losses.shape} and n_splits {n_splits.shape} do not fit together."
        )
    if len(codes) == 0:
        raise ValueError("There are no rows.")
    if (n_splits < 0).any() or (n_splits > 62).any():  # codes are int64
        raise ValueError("n_splits must be from 0 to 62.")
    if (losses < 0).any() or (codes < 0).any() or (codes >> n_splits).any():
        raise ValueError("Losses must not be negative, and codes must lie below 2^k_i.")
    return k.Rows(codes, np.ascontiguousarray(losses, dtype=np.int64), n_splits)


class Recursion:
    """One run of the memoised recursion at one lambda.

    Parameters
    ----------
    rows : Rows, of `make_rows`
    regularization : int or Fraction, lambda in units of the losses (n times the paper's lambda), positive
    prune : bool, the test of Lemma 1 (MRP); False is MR
    tie : {"largest", "first", "smallest"}
    ratio : {"printed", "corrected"}, split ratio: gain / |T| of Definition 4, or gain / (|T| - 1)
    record : bool, keep the children of all expanded rectangles, for
        `treelib.dyadic.paper.recorded_rectangles`
    store_empty : bool, store empty rectangles that were asked for too. It changes no solution, and the counts
        to those of the paper's Table 5.
    """

    def __init__(
        self,
        rows,
        regularization,
        *,
        prune=True,
        tie="largest",
        ratio="printed",
        record=False,
        store_empty=False,
        capacity=1 << 12,
    ):
        price = Fraction(regularization)
        if price <= 0:
            raise ValueError(f"regularization={regularization!r} must be positive.")
        check_choice("tie", tie, k.TIES)
        check_choice("ratio", ratio, ("printed", "corrected"))
        worst = int(rows.losses.sum(axis=0).min())
        # a tree that was better than the single leaf has a risk of at most `worst` + price
        if (worst * price.denominator + price.numerator) * 4 >= _LARGEST_RISK:
            raise ValueError(f"regularization={price} has too large a denominator for exact comparison.")
        self.rows, self.price = rows, price
        self.rules = k.Rules(
            *map(np.int64, (price.numerator, price.denominator, prune, k.TIES[tie])),
            *map(np.int64, (ratio == "corrected", record, store_empty)),
        )
        d = rows.codes.shape[1]
        self.database = tables.make_database(rows.n_splits, capacity)
        self.entries = _make_entries(capacity, d, capacity if record else 0)
        self.frames = ()  # made when the run begins, which knows the limits
        self.control = np.zeros(k.N_CONTROL, dtype=np.int64)
        self.control[k.LEVEL] = -1
        self.control[k.RATIO_LEAVES] = 1

    def run(self, budget=None):
        """Search until done or stopped; returns the status (`treelib.search.budget`). May be called again.

        The trace of `budget` holds risks in units of the losses, and as nodes the rectangles visited. Before
        the end only the single leaf is known, and that any other tree has two leaves.
        """
        budget = Budget() if budget is None else budget
        try:
            return self._run(budget)
        except Stopped as stop:
            return stop.status
        except KeyboardInterrupt:
            return INTERRUPTED

    def _run(self, budget):
        if not self.frames:
            self._check_memory(budget, _bytes_of_frames(self.rows))
            self.frames = _make_frames(self.rows)
            k.begin(self._state, root_key(self.rows.n_splits))
        self._check_memory(budget, 0)
        while True:
            answer = k.advance(self._state, _STEP_WORK)
            self._record(budget, answer == k.DONE)
            if answer == k.DONE:
                return OPTIMAL
            stop = budget.exceeded(int(self.control[k.N_ENTRIES]), self.n_bytes)
            if stop:
                return stop
            if answer == k.FULL:
                self._grow(budget)

    @property
    def _state(self):
        return k.State(self.rows, self.database, self.entries, self.frames, self.rules, self.control)

    def outcome(self):
        """`Outcome` of a run that is done."""
        ratio = Fraction(int(self.control[k.RATIO_ERROR]), int(self.control[k.RATIO_LEAVES]))
        return Outcome(
            error=int(self.entries.known["error"][0]),
            leaves=int(self.entries.known["leaves"][0]),
            n_visited=int(self.control[k.N_ENTRIES]),
            n_expanded=int(self.control[k.N_EXPANDED]),
            ratio=ratio or None,
        )

    @property
    def keys(self):
        """Keys of the rectangles visited, in order of the first visit: int64 (n_visited,)."""
        return self.visited["key"]

    @property
    def visited(self):
        """What is stored of the rectangles visited, in order: RECTANGLE (n_visited,), see `Entries`."""
        return self.entries.known[: self.control[k.N_ENTRIES]]

    @property
    def n_bytes(self):
        """Bytes of all tables, work space included."""
        return sum(array.nbytes for part in (self.database, self.entries, self.frames) for array in part)

    def stats(self):
        """Counters: dict of visited, expanded, lookups, hits, empty halves, row reads, bytes and bytes a
        rectangle."""
        names = ("n_visited", "n_expanded", "n_finished", "n_lookups", "n_hits", "n_empty", "n_row_reads")
        found = dict(zip(names, map(int, self.control[k.N_ENTRIES : k.N_ROWS + 1]), strict=True))
        return found | {
            "n_bytes": self.n_bytes,
            "bytes_per_rectangle": self.n_bytes / max(found["n_visited"], 1),
        }

    def _record(self, budget, is_done):
        leaf = self.entries.leaf_error[0] + self.price
        root = self.entries.known[0]
        best = int(root["error"]) + self.price * int(root["leaves"]) if is_done else leaf
        bound = best if is_done else min(leaf, 2 * self.price)
        budget.record(float(best), float(bound), int(self.control[k.N_ENTRIES]), last=is_done)

    def _grow(self, budget):
        """Larger tables where there was no more room; raises `Stopped` with the old ones in place."""
        n_entries, capacity = int(self.control[k.N_ENTRIES]), len(self.entries.known)
        if n_entries == capacity:
            capacity *= 2
        room = len(self.entries.children)
        if room and self.control[k.N_EXPANDED] == room:
            room *= 2
        shape = capacity, self.rows.codes.shape[1], room
        # old and new tables are held while one is copied into the other
        n_slots = tables.slots_of(self.database, capacity)
        self._check_memory(budget, _bytes_of_entries(*shape) + 4 * n_slots)
        larger = _make_entries(*shape)
        for old, new in zip(self.entries, larger, strict=True):
            new[: len(old)] = old
            budget.check()
        self.database = tables.grown(self.database, larger.known, n_entries, capacity, budget.check)
        self.entries = larger

    def _check_memory(self, budget, n_bytes):
        if self.n_bytes + n_bytes > budget.most_bytes:
            raise Stopped(MEMORY_LIMIT)


def solve(rows, regularization, *, budget=None, **settings):
    """`Outcome` of one `Recursion`; `Stopped`, a RuntimeError, where a limit stopped it."""
    run = Recursion(rows, regularization, **settings)
    status = run.run(budget)
    if status != OPTIMAL:
        raise Stopped(status)
    return run.outcome()


def count_occupied(rows):
    """Number of rectangles that hold a row: what the bottom-up dynamic program and MR visit.

    One pass over the level vectors of the grid: O(n rho), less where rows soon are alone. The 91 million of
    intrusion's design set take 0.45 s, in place of 1.25 with a hash table of each level vector.
    """
    n, d = rows.codes.shape
    partition = Partition(
        rows=np.zeros((d, n), dtype=np.int32),
        groups=np.zeros((d, n), dtype=np.int32),
        counts=np.zeros((d, 3), dtype=np.int64),
        finer=np.append(np.cumprod(rows.n_splits[::-1] + 1)[::-1], 1),
        halves=np.empty(2 * n, dtype=np.int32),
        sizes=np.empty(n, dtype=np.int32),
    )
    partition.rows[0] = np.arange(n)
    partition.counts[0, :2] = n, 1
    return int(count_rectangles(np.ascontiguousarray(rows.codes.T), rows.n_splits, partition))


def root_key(n_splits):
    """Key of the whole box: endpoint sum 2^k_i in each coordinate."""
    return int((2 ** np.asarray(n_splits, dtype=np.int64) << key_shifts(n_splits)).sum())


def _make_frames(rows):
    """`Frames` of a recursion over `Rows`, all of them on the first level."""
    frames = k.Frames(**{name: np.zeros(shape, dtype) for name, (shape, dtype) in _frame_forms(rows).items()})
    frames.rows[0] = np.arange(len(rows.codes))
    return frames


def _bytes_of_frames(rows):
    return sum(math.prod(shape) * np.dtype(dtype).itemsize for shape, dtype in _frame_forms(rows).values())


def _frame_forms(rows):
    """Shape and type of each array of the `Frames` of a recursion over `Rows`."""
    (n, d), levels = rows.codes.shape, int(rows.n_splits.sum()) + 2
    return {
        "frame": ((levels, k.N_FIELDS), np.int64),
        "depth": ((levels, d), np.int64),
        "rows": ((levels + 1, n), np.int32),
        "totals": ((rows.losses.shape[1],), np.int64),
    }


def _make_entries(capacity, d, n_children):
    columns = {name: np.zeros(capacity, dtype=dtype) for name, dtype in _COLUMNS.items()}
    return k.Entries(**columns, children=np.zeros((n_children, d, 2), dtype=np.int32))


def _bytes_of_entries(capacity, d, n_children):
    return capacity * sum(np.dtype(dtype).itemsize for dtype in _COLUMNS.values()) + 8 * d * n_children
