"""The paper's algorithm: recursion with memory, with and without lookahead pruning (Section 3, Procedure 1).

`Recursion` solves one problem min e(T) + lambda |T| for one lambda. Without pruning it visits every occupied
rectangle, as the bottom-up dynamic program of Blanchard et al. (2007) does, whose count `count_occupied`
gives directly. With pruning (MRP) a rectangle whose majority vote errs by less than lambda is a leaf at once
(Lemma 1).

Errors are whole numbers of losses and lambda is a fraction in the same unit, so ties are ties. Which tree a
tie takes is a setting: "first" is the strict < of Procedure 1 and depends on the order of the coordinates,
"largest" is Definition 2, "smallest" its mirror image.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treelib.dyadic.paper import hash_tables as tables
from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.occupied_rectangles import Partition, count_rectangles
from treelib.dyadic.rectangles import key_shifts
from treelib.table.checks import check_choice

_STEP_WORK = 20_000_000  # as `procedure_1.advance` counts it, some 100 ms: Ctrl-C is heard in between
_LARGEST_RISK = 2**62


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
            *map(np.int64, (ratio == "corrected", store_empty)),
        )
        self.database = tables.make_database(rows.n_splits, capacity)
        self.entries = _make_entries(capacity)
        self.frames = _make_frames(rows)
        self.control = np.zeros(k.N_CONTROL, dtype=np.int64)
        self.control[k.LEVEL] = -1
        self.control[k.RATIO_LEAVES] = 1

    def run(self):
        """Search until done."""
        k.begin(self._state, root_key(self.rows.n_splits))
        while (answer := k.advance(self._state, _STEP_WORK)) != k.DONE:
            if answer == k.FULL:
                larger = _make_entries(2 * len(self.entries.known))
                for old, new in zip(self.entries, larger, strict=True):
                    new[: len(old)] = old
                self.entries = larger
                self.database = tables.grown(self.database, larger.known, int(self.control[k.N_ENTRIES]))

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
        names = ("n_visited", "n_expanded", "n_lookups", "n_hits", "n_empty", "n_row_reads")
        found = dict(zip(names, map(int, self.control[k.N_ENTRIES : k.N_ROWS + 1]), strict=True))
        return found | {
            "n_bytes": self.n_bytes,
            "bytes_per_rectangle": self.n_bytes / max(found["n_visited"], 1),
        }


def solve(rows, regularization, **settings):
    """`Outcome` of one `Recursion`."""
    run = Recursion(rows, regularization, **settings)
    run.run()
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
    (n, d), levels = rows.codes.shape, int(rows.n_splits.sum()) + 2
    frames = k.Frames(
        frame=np.zeros((levels, k.N_FIELDS), dtype=np.int64),
        depth=np.zeros((levels, d), dtype=np.int64),
        rows=np.zeros((levels + 1, n), dtype=np.int32),
        totals=np.zeros(rows.losses.shape[1], dtype=np.int64),
    )
    frames.rows[0] = np.arange(n)
    return frames


def _make_entries(capacity):
    return k.Entries(np.zeros(capacity, dtype=k.RECTANGLE), np.zeros(capacity, dtype=np.int64))
