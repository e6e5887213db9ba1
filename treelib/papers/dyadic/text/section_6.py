"""Section 6, and what Section 7 and the abstract say of the run: keys, hashing, bounds on rectangles."""

from ast import literal_eval
from fractions import Fraction
from itertools import product

import numpy as np

from treelib.dyadic import rectangles
from treelib.dyadic.paper import lambda_search, recorded_rectangles, recursion
from treelib.ledger.claims import find
from treelib.ledger.protocol.evidence import WHOLE
from treelib.ledger.protocol.judging import (
    Trials,
    judge,
    judge_statement,
    judges,
    stated,
    untestable,
    withheld,
)
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import ROWS, SMALL, as_rows, compressed, design_rows, rows_of
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


@verdicts_on("dyadic")
@judges("dyadic.s6.example-*")
def judge_examples():
    """Verdicts on the keys of the rectangle X_3 of Figure 1, list of Verdict."""
    given = find("dyadic.s6.example-k-2-1.endpoint-pairs")
    note = f"of the rectangle that {given.value} are at k = (2,1): that pair of pairs is our input"
    found = [stated(given.id, "our input: X_3 itself is not printed in numbers")]
    sides = [
        (Fraction(low, 2**ki), Fraction(high, 2**ki))
        for (low, high), ki in zip(literal_eval(given.value), (2, 1), strict=True)
    ]
    for name, k in (("k-2-1", (2, 1)), ("k-3-3", (3, 3))):
        pairs = [(int(low * 2**ki), int(high * 2**ki)) for (low, high), ki in zip(sides, k, strict=True)]
        text = ", ".join(f"({low},{high})" for low, high in pairs)
        sums = str(tuple(rectangles.endpoint_sum(*pair) for pair in pairs))
        claim = f"dyadic.s6.example-{name}"
        if name != "k-2-1":
            found.append(judge(f"{claim}.endpoint-pairs", text, cause="other indices", note=note))
        found.append(judge(f"{claim}.sum-vector", sums, cause="other sums", note=note))
    return found


# ---- counts -----------------------------------------------------------------------------------------------


@verdicts_on("dyadic")
@judges("dyadic.s6.*")
def judge_counts():
    """Verdicts on the numbers of intervals and rectangles, list of Verdict."""
    other = "another number of rectangles"
    return [
        judge_statement("dyadic.s6.intervals.count", on_grids(counts_intervals), cause="other intervals"),
        judge_statement("dyadic.s6.sigma-k.count", on_grids(counts_rectangles), cause=other),
        judge_statement("dyadic.s6.rho.count", on_grids(counts_of_a_row), cause=other),
        judge_statement("dyadic.s6.sum-vector.inverse", on_grids(recovers), cause="a pair is not recovered"),
    ]


def on_grids(holds):
    """Try a statement on all small k, and on larger drawn ones: list of two `Trials`."""
    return [
        Trials.of(((f"k = {k}", bool(holds(k))) for k in ks), where, how)
        for ks, where, how in (
            (SMALL_K, "k of up to three coordinates, two splits each", "exhaustive"),
            (random_k(), "other k of 4 to 9 splits in all", "random"),
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


@verdicts_on("dyadic")
@judges("dyadic.s6.*")
def judge_hashing():
    """Verdicts on the hash table, list of Verdict."""
    stored = {row: rows_of("dyadic.t5", row) for row in ROWS}
    of_t5, of_t4 = {"experiment": "dyadic.t5"}, {"experiment": "dyadic.t4"}
    lists = {row: float(found["list_mean"].mean()) for row, found in stored.items()}
    bounds = {row: (_mean(row, "n_rho"), _mean(row, "sigma_k")) for row in ROWS}
    printed = printed_tightness()
    tight = {row: bounds[row][0] / float(found["stored"].mean()) for row, found in stored.items()}
    return [
        *judge_size(stored),
        judge_statement(
            "dyadic.s6.list-size.bound",
            ((row, lists[row] < 2, lists[row]) for row in SMALL),
            "means of the six data sets whose features are known",
            cause="lists of 2 and more in the mean",
            note="on single training sets they may be longer, as in Table 6; where features are inferred: "
            f"{', '.join(f'{row} {lists[row]:.2f}' for row in ROWS if row not in SMALL)}",
            **of_t5,
        ),
        judge_statement(
            "dyadic.s6.n-rho.tightness",
            ((row, (MUCH * bound < every) == (row != "titanic")) for row, (bound, every) in bounds.items()),
            f"means of eight data sets, {MUCH} times tighter, and of titanic, the exception, not",
            cause="another data set is an exception",
            note=_how_much(bounds),
            **of_t4,
        ),
        judge_statement(
            "dyadic.s6.n-rho.bound",
            tried(lambda problem: occupied(problem) <= _n_rho(problem)),
            cause="more occupied rectangles than the bound",
            note="of occupied rectangles; empty ones may come on top",
        ),
        judge_statement(
            "dyadic.s6.n-rho.often-tight",
            ((f"{row}, bound over stored", ratio <= MUCH, ratio) for row, ratio in tight.items()),
            f"means of the nine data sets; tight: within a factor of {MUCH}",
            WHOLE,
            withhold="the paper gives no number for tight, nor for often; by the means of its own Table 5 "
            f"the bound is {', '.join(f'{one:.2g}' for one in sorted(printed))} times what is stored",
            **of_t5,
        ),
        judge_statement(
            "dyadic.s6.hash.universal",
            universal(),
            cause="two sums that differ by a multiple of |S| always collide; |S| must be above every "
            "2^(k_i + 1), which the rule for |S| does not ask for (on the nine data sets it is)",
        ),
    ]


@judges("dyadic.s6.hash-size.*")
def judge_size(stored):
    """Verdicts on the size of the table, list of Verdict. stored : dict of row to the runs of Table 5"""
    fits = Trials.of(
        (
            (
                f"{row}, set {one['split']}, too many by",
                one["stored"] <= one["table_size"],
                one["stored"] - one["table_size"],
            )
            for row, found in stored.items()
            for one in found.to_dict("records")
        ),
        "training sets",
    )
    return [
        stated(
            "dyadic.s6.hash-size.rule", "what we run; that its hash is universal is dyadic.s6.hash.universal"
        ),
        judge_statement(
            "dyadic.s6.hash-size.sufficient",
            tried(lambda problem: n_stored(problem) <= slots_of(problem)),
            cause="more rectangles than slots",
            note="of rectangles stored with pruning, empty ones too, as Table 5 counts them; without pruning "
            f"they can be too many: one row in the last of 2 x 2 cells has {without_pruning(LAST_CELL)} for "
            f"{slots_of(LAST_CELL)} slots; on the paper's data it {fits.text()}",
            experiment="dyadic.t5",
        ),
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


def _how_much(bounds):
    """What "much tighter" is read as, and how far that is from deciding, in words.

    bounds : dict of row to its mean bound and its mean number of all rectangles
    """
    times = {row: every / bound for row, (bound, every) in bounds.items()}
    exception = times.pop("titanic")
    inferred = [row for row in times if row not in SMALL]
    return (
        f"how much is much is our reading, {MUCH} times; any from {exception:.2g}, that of titanic, to "
        f"{min(times.values()):.3g}, the least of the others, says the same; the features of "
        f"{', '.join(inferred)} are inferred, without them it is {len(times) - len(inferred)} and titanic"
    )


def _mean(row, column):
    return float(rows_of("dyadic.t4", row)[column].mean())


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
    return [Trials.of(cases, "one coordinate of up to five splits, any number of surrogates", "exhaustive")]


# ---- run time ---------------------------------------------------------------------------------------------


@verdicts_on("dyadic")
@judges("dyadic.s7.mrp.lower-bound", "dyadic.s0.abstract.run-time")
def judge_run_time():
    """Verdicts on what pruning saves, list of Verdict."""
    trials = {share: grid_values(share) for share in SMALLER}
    least = Trials.of(
        ((row, reads_every_row(row)) for row in SMALL),
        "the six small data sets, at the largest lambda: one rectangle, each row read once",
    )
    return [
        untestable(
            "dyadic.s7.mrp.lower-bound",
            "an order without a printed constant: no finite number of cases refutes it; the speed-ups for "
            "most lambda that the sentence goes on with are dyadic.s0.abstract.run-time",
            ours=least.text(),
        ),
        withheld(
            "dyadic.s0.abstract.run-time",
            trials[Fraction(1, 2)],
            "the paper gives no number for substantially smaller, and the threshold decides: at most values "
            "of the adaptive grid "
            + ", ".join(f"at most {share} of the rectangles on {one.held}" for share, one in trials.items())
            + f" of {len(SMALL)} data sets",
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
