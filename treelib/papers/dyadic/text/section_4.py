"""Section 4: what the text says of solutions, uniform grids and l_bound; for the rest see `lists_of_lambda`.

What is said of all data is tried on small problems; what is said of the paper's data sets, on stored results.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from treelib.dyadic.paper import lambda_search, recursion
from treelib.dyadic.paper.greedy import TIES, greedy_leaves
from treelib.ledger.claims import find
from treelib.ledger.protocol.evidence import WHOLE
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import LARGE, ROWS
from treelib.papers.dyadic.tables_2_3 import design
from treelib.papers.dyadic.text.lists_of_lambda import NINE, judge_heuristic, judge_lists, our_lengths
from treelib.papers.dyadic.text.sections_2_3 import rows_of_problem
from treelib.papers.dyadic.text.theorems import Problem, drawn_problems, tried

MUCH = 2  # "much smaller" is less than half
MUCH_SMALLER = 2, 3, 4, 10  # how many times smaller may be much
STATED = (
    "dyadic.s4.definition-2.statement",
    "dyadic.s4.definition-3.statement",
    "dyadic.s4.definition-4.statement",
    "dyadic.s4.l-bound.definition",
    "dyadic.s4.rule-of-thumb.kappa-range",
    "dyadic.s4.rule-of-thumb.kappa",
    "dyadic.s4.heuristic.rule",
)


@verdicts_on("dyadic")
@judges("dyadic.s4.*", "dyadic.s0.abstract.claim")
def judge_section_4():
    """Verdicts on all claims of the section but its lemmas, list of Verdict."""
    return [
        *(stated(claim) for claim in STATED),
        *judge_solutions(),
        *judge_l_bound(),
        *judge_lists(),
        *judge_heuristic(),
    ]


def trials(holds, where=NINE):
    """A statement on each data set: `Trials`.

    holds : function of (row, stored result of its design set), giving (bool, by how much it fails)
    """
    return Trials.of(((row, *holds(row, design(row))) for row in ROWS), where, WHOLE)


# ---- solutions --------------------------------------------------------------------------------------------


@judges("dyadic.s4.*")
def judge_solutions():
    """Verdicts on the solution sequence, list of Verdict."""
    origin = {"experiment": "dyadic.t3"}

    times = {row: ROWS[row].n_design / len(design(row)["path"]) for row in ROWS}

    def fewer(row, found):
        return times[row] > MUCH, len(found["path"])

    among = sorted(times.values(), reverse=True)[len(times) // 2]
    longer = "a sequence is longer than the number of rows"
    at_most_n = tried(lambda problem: len(problem.sequence()) <= n_rows(problem))
    return [
        judge_statement("dyadic.s4.solutions.at-most-n", at_most_n, cause=longer),
        judge_statement(
            "dyadic.s4.solutions.below-n",
            trials(fewer),
            cause="as many as rows",
            note=f"much smaller: any factor from 1 to {among:.3g} says the same; rows over solutions, by "
            f"Definition 2: {', '.join(f'{row} {n:.3g}' for row, n in times.items())}; three of the nine "
            "sets have inferred features, without them it is 6 of 6",
            **origin,
        ),
        judge_statement("dyadic.s4.leaves.exceed-n", corner(), cause="no tree has more leaves than rows"),
        *judge_checkerboards(),
        *(judge_uniform(scale) for scale in SCALES),
    ]


@judges("dyadic.s4.uniform-grid", "dyadic.s4.uniform-grid-log")
def judge_uniform(scale):
    """Verdict on uniform grids: those which overlook nothing are long, and short ones overlook.

    scale : str, key of `SCALES`
    """
    claim = "dyadic.s4.uniform-grid" + ("" if scale == "plain" else f"-{scale}")
    lengths_in_print = {row: int(find(f"dyadic.t3.{row}.heuristic-lambda-values").number) for row in ROWS}
    readings = {}
    for name, lengths in (("our search", our_lengths()), ("the printed search", lengths_in_print)):
        grids = least_grids(scale, tuple(lengths.items()))
        readings[name] = (
            Trials.of(
                (
                    (
                        f"{row}, times as many values as in such a grid",
                        least is None,
                        n / least if least else 0,
                    )
                    for row, n, least, _ in grids
                ),
                f"{NINE}, grids uniform in lambda ({scale}): all that overlook no solution have more values "
                f"than {name} visits",
                WHOLE,
            ),
            sum(missed for *_, missed in grids),
        )
    (ours, same), (printed, same_printed) = readings.values()
    note = (
        f"by the printed lengths of the search: {printed.text()}; of the grids just as long as the search "
        f"{same} of {ours.cases} overlook a solution, as long as the printed one {same_printed}"
    )
    why = "inefficient is longer than the search, and our search and the printed one do not say the same"
    is_open = (2 * ours.held > ours.cases) != (2 * printed.held > printed.cases)
    cause = "a uniform grid overlooks nothing and has fewer values than the search"
    return judge_statement(
        claim, ours, cause=cause, withhold=why * is_open, note=note, experiment="dyadic.t3"
    )


def n_rows(problem):
    """Rows of one loss each that a problem stands for."""
    return max(1, int(problem.losses.sum()))


def corner():
    """Two rows of two classes in a corner: leaves of the tree without error against rows, `Trials`."""
    problems = {k: Problem(np.array([[0], [1]]), np.array([[0, 1], [1, 0]]), [k]) for k in range(1, 6)}
    cases = ((f"k = {k}", one.sequence()[-1][1] > len(one.codes)) for k, one in problems.items())
    return Trials.of(cases, "two rows in neighbouring cells, one feature, one to five splits")


@judges("dyadic.s4.checkerboard*")
def judge_checkerboards():
    """Verdicts on data of which only a large tree removes much error, list of Verdict."""
    balanced, unequal = checkerboards(), unequal_boards()
    shown = solutions_of(_board([2, 2], [(0, 0), (3, 0)]))
    return [
        judge_statement(
            "dyadic.s4.checkerboard",
            [*balanced, unequal],
            cause="solutions are ordered by error saved for a leaf, not by error saved: on a board of 4 x 4 "
            "cells with a second row in cells (0, 0) and (3, 0) they are, as error and leaves, "
            f"{', '.join(map(str, shown))}; on boards of one row a cell it holds",
        ),
        judge_statement(
            "dyadic.s4.checkerboard-balanced", balanced, cause="a smaller tree comes first on an even board"
        ),
    ]


def checkerboards():
    """The first solution beyond the single leaf on checkerboards: its leaves against cells, `Trials`s."""
    random = np.random.default_rng(4)
    small = [(a, b) for a in range(1, 4) for b in range(1, 4)]
    large = [tuple(random.integers(1, 4, 3).tolist()) for _ in range(10)]
    return [
        Trials.of(((f"k = {k}", _is_whole(k)) for k in some), where, how)
        for some, where, how in (
            (small, "checkerboards of 2 to 8 cells a side, one row a cell", "exhaustive"),
            (large, "checkerboards of three coordinates", "random"),
        )
    ]


def unequal_boards():
    """The same on boards of 4 x 4 cells in which some have a second row: only all cells together save much
    error there too; `Trials`."""
    cells = list(product(range(4), repeat=2))
    pairs = [[one] for one in cells] + [list(pair) for pair in combinations(cells, 2)]
    cases = ((f"a second row in {pair}", _is_whole([2, 2], pair)) for pair in pairs)
    return Trials.of(
        cases, "boards of 4 x 4 cells, one row a cell and a second one in one or two", "exhaustive"
    )


def _is_whole(k, more=()):
    """Whether the first solution beyond the single leaf has a leaf for each cell of a checkerboard."""
    return solutions_of(_board(k, more))[1] == (0, 2 ** sum(k))


def _board(k, more=()):
    """`Rows` of a checkerboard of ``2**k`` cells a side: one row a cell, and a second one in some, `more`."""
    cells = np.stack(np.unravel_index(np.arange(2 ** sum(k)), [2**ki for ki in k]), axis=1)
    n_rows = np.array([1 + (tuple(cell) in more) for cell in cells.tolist()])
    losses = np.eye(2, dtype=int)[cells.sum(axis=1) % 2] * n_rows[:, None]
    return recursion.make_rows(cells, losses, k)


def solutions_of(rows):
    """The solution sequence of some `Rows` by bisection: pairs (error, leaves)."""
    error, most = int(rows.losses.sum(axis=0).min()), 2 ** int(rows.n_splits.sum())

    def solve(price):
        return recursion.solve(rows, price)

    if solve(Fraction(1, most + 1)).error == error:
        return [(error, 1)]
    search = lambda_search.search_bisection(solve, error, most, keep=True)
    return list(search.solutions)


# the n values of a uniform grid: of (n, most errors, bound on leaves)
SCALES = {
    "plain": lambda n, error, leaves: np.linspace(0, error, n + 1)[1:],
    "log": lambda n, error, leaves: np.geomspace(1 / leaves, error, n),
}


@cache
def least_grids(scale, lengths):
    """The least uniform grid that overlooks no solution, up to the length of the adaptive + heuristic search.

    scale : str, key of `SCALES`
    lengths : pairs (row, values that the search visits)

    Returns
    -------
    list of (row, int, values of the search; int or None, those of the least grid, None where all up to that
    length overlook a solution; bool, whether the grid of just that length does)
    """
    found = []
    for row, n in lengths:
        one = design(row)
        path = np.array(one["path"])

        def is_whole(size, path=path, leaves=one["greedy_leaves"]):
            return n_found(path, SCALES[scale](size, path[0, 0], leaves)) == len(path)

        least = next((size for size in range(len(path), n + 1) if is_whole(size)), None)
        found.append((row, n, least, not is_whole(n)))
    return found


def n_found(path, grid):
    """Solutions of a path, (m, 2), that the values of lambda of a grid, in errors, come upon."""
    breaks = -np.diff(path[:, 0]) / np.diff(path[:, 1])
    return len(np.unique(np.searchsorted(-breaks, -np.asarray(grid), side="right")))


# ---- l_bound ----------------------------------------------------------------------------------------------


@judges("dyadic.s4.l-bound.*")
def judge_l_bound():
    """Verdicts on the bound on leaves, list of Verdict."""
    origin = {"experiment": "dyadic.t3"}

    def ratio(row, found):
        times = found["greedy_leaves"] / found["path"][-1][1]
        return times <= 5, times

    share = {row: design(row)["greedy_leaves"] / ROWS[row].n_design for row in ROWS}

    def below(row, found):
        return MUCH * share[row] < 1, share[row]

    by_factor = ", ".join(
        f"{times} times smaller on {sum(times * share[row] < 1 for row in ROWS)}" for times in MUCH_SMALLER
    )
    return [
        judge_statement(
            "dyadic.s4.l-bound.upper-bound",
            tried(is_bounded, drawn_problems(400)),
            cause="the greedy tree has fewer leaves than the last solution",
            note="every lambda above 0: there the last solution is the smallest tree of least error",
        ),
        judge_statement(
            "dyadic.s4.l-bound.at-zero",
            tried(is_bounded_at_zero, drawn_problems(400)),
            cause="at lambda = 0 leaves cost nothing, Definition 2 takes the largest of the trees of "
            "least error, and "
            "the greedy tree stops at a smaller one; by the smallest of them, as footnote 3 allows, it holds",
        ),
        judge_statement("dyadic.s4.l-bound.ratio-to-l-max", trials(ratio), cause="larger on most", **origin),
        judge_statement(
            "dyadic.s4.l-bound.below-n",
            trials(below),
            withhold="neither “often” nor “much” has a number, and what is within reach says both: "
            f"{by_factor} of {len(ROWS)} data sets",
            note="three of them have features that we inferred from printed values: "
            + ", ".join(sorted(LARGE)),
            **origin,
        ),
    ]


def is_bounded(problem):
    """Whether the greedy tree has as many leaves as the largest solution at least, whatever a tie does."""
    rows, largest = rows_of_problem(problem), problem.sequence()[-1][1]
    return all(greedy_leaves(rows, tie) >= largest for tie in TIES)


def is_bounded_at_zero(problem):
    """Whether the greedy tree has as many leaves as the solution of Definition 2 at lambda = 0 at least."""
    rows, largest = rows_of_problem(problem), problem.selected(0)[1]
    return all(greedy_leaves(rows, tie) >= largest for tie in TIES)
