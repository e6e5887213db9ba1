"""Section 6, and what Section 7 and the abstract say of the run: keys, hashing, bounds on rectangles."""

from ast import literal_eval
from fractions import Fraction
from itertools import product

import numpy as np

from treelib.dyadic import rectangles
from treelib.dyadic.paper import lambda_search, recorded_rectangles, recursion
from treelib.ledger.claims import find
from treelib.ledger.protocol.declared import kept
from treelib.ledger.protocol.judging import (
    EXHAUSTIVE,
    RANDOM,
    WHOLE,
    Trials,
    judge,
    judge_statement,
    judges,
    untestable,
)
from treelib.papers.dyadic.settings import ROWS, SMALL, as_rows, compressed, design_rows
from treelib.papers.dyadic.tables_2_3 import PRINTED_L_BOUND, design
from treelib.papers.dyadic.text.sections_2_3 import occupied, rows_of_problem
from treelib.papers.dyadic.text.theorems import Problem, tried

MUCH = 2  # "much tighter" is by this factor at least, "tight" within it
SMALLER = (
    Fraction(9, 10),
    Fraction(1, 2),
    Fraction(1, 4),
    Fraction(1, 10),
)  # what "substantially smaller" may be


@judges("dyadic.s6.example-*")
def judge_examples():
    """Verdicts on the keys of the rectangle X_3 of Figure 1, which is our input at k = (2, 1)."""
    given = find("dyadic.s6.example-k-2-1.endpoint-pairs")
    sides = [
        (Fraction(low, 2**ki), Fraction(high, 2**ki))
        for (low, high), ki in zip(literal_eval(given.value), (2, 1), strict=True)
    ]
    found = {}
    for name, k in (("k-2-1", (2, 1)), ("k-3-3", (3, 3))):
        pairs = [(int(low * 2**ki), int(high * 2**ki)) for (low, high), ki in zip(sides, k, strict=True)]
        found[f"{name}.endpoint-pairs"] = ", ".join(f"({low},{high})" for low, high in pairs)
        found[f"{name}.sum-vector"] = str(tuple(rectangles.endpoint_sum(*pair) for pair in pairs))
    del found["k-2-1.endpoint-pairs"]
    return [
        judge(f"dyadic.s6.example-{name}", ours, numbers={"given": given.value})
        for name, ours in found.items()
    ]


# ---- counts -----------------------------------------------------------------------------------------------


@judges("dyadic.s6.*")
def judge_counts():
    """Verdicts on the numbers of intervals and rectangles, list of Verdict."""
    counts = {
        "intervals.count": counts_intervals,
        "sigma-k.count": counts_rectangles,
        "rho.count": counts_of_a_row,
        "sum-vector.inverse": recovers,
    }
    return [judge_statement(f"dyadic.s6.{name}", on_grids(holds)) for name, holds in counts.items()]


def on_grids(holds):
    """Try a statement on all small k, and on larger drawn ones: list of two `Trials`."""
    return [
        Trials.of(((f"k = {k}", bool(holds(k))) for k in ks), where, how)
        for ks, where, how in (
            (SMALL_K, "k of up to three coordinates, two splits each", EXHAUSTIVE),
            (random_k(), "other k of 4 to 9 splits in all", RANDOM),
        )
    ]


SMALL_K = [k for d in (1, 2, 3) for k in product(range(3), repeat=d)]


def random_k(n=25, seed=0, splits=(4, 9)):
    """Different random k with so many splits in all, one or more a coordinate, none of `SMALL_K`: list of
    tuple of int."""
    random, found = np.random.default_rng(seed), {}
    while len(found) < n:
        total = int(random.integers(splits[0], splits[1] + 1))
        cuts = np.flatnonzero(random.random(total - 1) < random.random()) + 1  # few coordinates or many
        k = tuple(np.diff([0, *cuts, total]).tolist())
        if k not in SMALL_K:
            found[k] = None
    return list(found)


def _keys(k):
    """Sums of end points of all rectangles of a grid whose cells all hold a row, (m, d)."""
    cells = np.stack(np.unravel_index(np.arange(2 ** sum(k)), [2**ki for ki in k]), axis=1)
    rows = recursion.make_rows(cells, np.eye(2, dtype=int)[cells.sum(axis=1) % 2], k)
    run = recursion.Recursion(rows, 1, prune=False)
    run.run()
    return rectangles.unpack(run.keys, k)


def counts_intervals(k):
    """Whether coordinate i has 2^(k_i + 1) - 1 intervals."""
    sums = _keys(k)
    return all(len(np.unique(sums[:, i])) == 2 ** (ki + 1) - 1 for i, ki in enumerate(k))


def counts_rectangles(k):
    """Whether the search comes upon as many rectangles as the printed product."""
    return len(np.unique(_keys(k), axis=0)) == rectangles.n_rectangles(k)


def counts_of_a_row(k):
    """Whether one row lies in as many rectangles as the printed product."""
    rows = recursion.make_rows([[2**ki - 1 for ki in k]], [[0, 1]], k)
    return recursion.count_occupied(rows) == rectangles.rectangles_per_row(k)


def recovers(k):
    """Whether the end points of every rectangle are recovered from their sums, each pair once."""
    sums = _keys(k)
    low, high = rectangles.endpoints(sums)
    pairs = np.unique(np.column_stack([low, high]), axis=0)
    return (low + high == sums).all() and (high > low).all() and len(pairs) == len(sums)


# ---- the table of rectangles ------------------------------------------------------------------------------


@judges("dyadic.s6.*")
def judge_hashing():
    """Verdicts on the hash table, list of Verdict."""
    runs = kept("dyadic.t5")
    mean, of_grid = runs.groupby("row")[["list_mean", "stored"]].mean(), kept("dyadic.t4")
    of_grid = of_grid.groupby("row")[["n_rho", "sigma_k"]].mean()
    lists = {row: float(mean["list_mean"][row]) for row in ROWS}
    tight = {row: float(of_grid["n_rho"][row] / mean["stored"][row]) for row in ROWS}
    times = {row: float(of_grid["sigma_k"][row] / of_grid["n_rho"][row]) for row in ROWS}
    left = {row: n for row, n in times.items() if row != "titanic"}
    inferred = [row for row in ROWS if row not in SMALL]
    fits = Trials.of(
        (
            (
                f"{one.row}, set {one.split}, too many by",
                one.stored <= one.table_size,
                one.stored - one.table_size,
            )
            for one in runs.itertuples()
        ),
        "training sets",
    )
    of_t5 = {"experiment": "dyadic.t5"}
    return [
        judge_statement(
            "dyadic.s6.hash-size.sufficient",
            tried(lambda problem: n_stored(problem) <= slots_of(problem)),
            numbers={"met": without_pruning(LAST_CELL), "slots": slots_of(LAST_CELL), "fits": fits.text()},
            **of_t5,
        ),
        judge_statement(
            "dyadic.s6.list-size.bound",
            ((row, lists[row] < 2, lists[row]) for row in SMALL),
            numbers={"inferred": ", ".join(f"{row} {lists[row]:.2f}" for row in inferred)},
            **of_t5,
        ),
        judge_statement(
            "dyadic.s6.n-rho.tightness",
            ((row, (n > MUCH) == (row != "titanic")) for row, n in times.items()),
            numbers={"much": MUCH, "exception": times["titanic"], "least": min(left.values())},
            experiment="dyadic.t4",
        ),
        judge_statement("dyadic.s6.n-rho.bound", tried(lambda problem: occupied(problem) <= _n_rho(problem))),
        judge_statement(
            "dyadic.s6.n-rho.often-tight",
            ((f"{row}, bound over stored", ratio <= MUCH, ratio) for row, ratio in tight.items()),
            how=WHOLE,
            numbers={"much": MUCH, "printed": ", ".join(f"{one:.2g}" for one in sorted(printed_tightness()))},
            **of_t5,
        ),
        judge_statement("dyadic.s6.hash.universal", universal()),
    ]


# one row, in the last of 2 x 2 cells
LAST_CELL = Problem(np.array([[1, 1]]), np.array([[0, 1]]), [1, 1])


def n_stored(problem):
    """Rectangles that the recursion with pruning stores at the smallest price, empty ones too, int."""
    every, _ = recorded_rectangles.count_both(rows_of_problem(problem))
    return int(every[0])


def without_pruning(problem):
    """What the recursion without pruning meets, in words."""
    run = recursion.Recursion(rows_of_problem(problem), Fraction(1), prune=False)
    run.run()
    found = run.stats()
    return f"{found['n_visited']} with rows and {found['n_empty']} empty"


def slots_of(problem):
    """Size of the paper's table for a problem, int."""
    return rectangles.hash_size(len(problem.codes), problem.n_splits)


def printed_tightness():
    """The printed mean bound over the printed mean number stored, for each data set: list of float."""
    cells = ("nhat-rho-mean", "rectangles-stored-mean")
    found = [[find(f"dyadic.t5.{row}.{cell}").number for cell in cells] for row in ROWS]
    return [float(bound / stored) for bound, stored in found]


def _n_rho(problem):
    return len(problem.codes) * rectangles.rectangles_per_row(problem.n_splits)


def universal():
    """Chance that two keys of one coordinate collide, over all coefficients, at most 1 / |S|: `Trials`."""
    cases = []
    for k in range(1, 6):
        for n in range(1, 2**k + 1):
            size = rectangles.hash_size(n, (k,))
            differences = np.arange(1, 2 ** (k + 1) - 1)  # of two sums
            chances = (np.outer(differences, np.arange(size)) % size == 0).mean(axis=1)
            cases.append(
                (f"k = {k}, {n} surrogates, |S| = {size}", chances.max() * size < 1.5, chances.max())
            )
    return [Trials.of(cases, "one coordinate of up to five splits, any number of surrogates", EXHAUSTIVE)]


# ---- run time ---------------------------------------------------------------------------------------------


@judges("dyadic.s7.mrp.lower-bound", "dyadic.s0.abstract.run-time")
def judge_run_time():
    """Verdicts on what pruning saves, list of Verdict."""
    trials = {share: grid_values(share) for share in SMALLER}
    least = Trials.of(
        ((row, reads_every_row(row)) for row in SMALL),
        "the six small data sets, at the largest lambda: one rectangle, each row read once",
    )
    by_share = ", ".join(f"at most {share} of the rectangles on {one.held}" for share, one in trials.items())
    return [
        untestable("dyadic.s7.mrp.lower-bound", ours=least.text()),
        judge_statement(
            "dyadic.s0.abstract.run-time",
            trials[Fraction(1, 2)],
            numbers={"by_share": by_share, "n": len(SMALL)},
            experiment="dyadic.t3",
        ),
    ]


def reads_every_row(row):
    """Whether pruning at a lambda above the least error reads each row once, and no more."""
    rows = as_rows(compressed(row, design_rows(row)[0]))
    run = recursion.Recursion(rows, 1 + int(rows.losses.sum(axis=0).min()))
    run.run()
    return run.stats()["n_row_reads"] == len(rows.codes) and run.outcome().n_visited == 1


def grid_values(part):
    """Data sets on more than half of whose adaptive grid this part of the rectangles or fewer are visited,
    `Trials`. A data set counts once: banana alone has more values than all others together."""
    cases = []
    for row in SMALL:
        found = design(row)
        path = found["path"]
        _, ceilings = lambda_search.count_adaptive(path, path[1:], path[0][0], PRINTED_L_BOUND[row])
        visited = np.array(found["visited"])
        known = np.minimum(np.arange(len(ceilings)), len(visited) - 1)
        few = visited[known] <= part * found["stored"]
        share = float(ceilings[few].sum() / ceilings.sum())
        cases.append((f"{row}, share of its values with more", share > 0.5, 1 - share))
    where = f"the six small data sets: {part} of the rectangles or fewer at most values of the adaptive grid"
    return Trials.of(cases, where, WHOLE)
