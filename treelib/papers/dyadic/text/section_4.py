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
from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, WHOLE, Trials, judge_statement, judges
from treelib.papers.dyadic.settings import ROWS
from treelib.papers.dyadic.tables_2_3 import design
from treelib.papers.dyadic.text.lists_of_lambda import our_lengths
from treelib.papers.dyadic.text.sections_2_3 import rows_of_problem
from treelib.papers.dyadic.text.theorems import Problem, drawn_problems, tried

MUCH = 2  # "much smaller" is less than half
MUCH_SMALLER = 2, 3, 4, 10  # how many times smaller may be much
MOST_OF_BOUND = 5  # times as many leaves as the largest solution


@judges("dyadic.s4.*")
def judge_section_4():
    """Verdicts on all claims of the section but its lemmas and lists, list of Verdict."""
    return [*_judge_solutions(), *map(_judge_uniform, SCALES), *_judge_l_bound()]


def _on_the_data(claim, trials, **numbers):
    """Verdict on a statement about the paper's nine data sets, by their stored runs."""
    return judge_statement(claim, trials, how=WHOLE, numbers=numbers, experiment="dyadic.t3")


# ---- solutions --------------------------------------------------------------------------------------------


def _judge_solutions():
    """Verdicts on the solution sequence, list of Verdict."""
    paths = {row: design(row)["path"] for row in ROWS}
    times = {row: ROWS[row].n_design / len(path) for row, path in paths.items()}
    balanced = checkerboards()
    return [
        judge_statement(
            "dyadic.s4.solutions.at-most-n", tried(lambda problem: len(problem.sequence()) <= n_rows(problem))
        ),
        _on_the_data(
            "dyadic.s4.solutions.below-n",
            ((row, times[row] > MUCH, len(path)) for row, path in paths.items()),
            among=sorted(times.values(), reverse=True)[len(times) // 2],
            times=", ".join(f"{row} {n:.3g}" for row, n in times.items()),
        ),
        judge_statement("dyadic.s4.leaves.exceed-n", corner()),
        judge_statement(
            "dyadic.s4.checkerboard",
            [*balanced, unequal_boards()],
            numbers={"shown": ", ".join(map(str, solutions_of(_board([2, 2], [(0, 0), (3, 0)]))))},
        ),
        judge_statement("dyadic.s4.checkerboard-balanced", balanced),
    ]


def _judge_uniform(scale):
    """Verdict on uniform grids: those which overlook nothing are long, and short ones overlook.

    scale : str, key of `SCALES`
    """
    in_print = {row: int(find(f"dyadic.t3.{row}.heuristic-lambda-values").number) for row in ROWS}
    tried_by = {}
    for name, lengths in (("our search", our_lengths()), ("the printed search", in_print)):
        grids = least_grids(scale, tuple(lengths.items()))
        trials = Trials.of(
            (
                (f"{row}, times as many values as in such a grid", least is None, n / least if least else 0)
                for row, n, least, _ in grids
            ),
            f"the nine data sets, grids uniform in lambda ({scale}): all that overlook no solution have more "
            f"values than {name} visits",
            WHOLE,
        )
        tried_by[name] = trials, sum(missed for *_, missed in grids)
    (ours, same), (printed, same_printed) = tried_by.values()
    return judge_statement(
        "dyadic.s4.uniform-grid" + ("" if scale == "plain" else f"-{scale}"),
        ours,
        withhold=(2 * ours.held > ours.cases) != (2 * printed.held > printed.cases),
        numbers={"printed": printed.text(), "same": same, "n": ours.cases, "same_printed": same_printed},
        experiment="dyadic.t3",
    )


def n_rows(problem):
    """Rows of one loss each that a problem stands for."""
    return max(1, int(problem.losses.sum()))


def corner():
    """Two rows of two classes in a corner: leaves of the tree without error against rows, `Trials`."""
    problems = {k: Problem(np.array([[0], [1]]), np.array([[0, 1], [1, 0]]), [k]) for k in range(1, 6)}
    cases = ((f"k = {k}", one.sequence()[-1][1] > len(one.codes)) for k, one in problems.items())
    return Trials.of(cases, "two rows in neighbouring cells, one feature, one to five splits")


def checkerboards():
    """The first solution beyond the single leaf on checkerboards: its leaves against cells, `Trials`s."""
    random = np.random.default_rng(4)
    small = [(a, b) for a in range(1, 4) for b in range(1, 4)]
    large = [tuple(random.integers(1, 4, 3).tolist()) for _ in range(10)]
    return [
        Trials.of(((f"k = {k}", _is_whole(k)) for k in some), where, how)
        for some, where, how in (
            (small, "checkerboards of 2 to 8 cells a side, one row a cell", EXHAUSTIVE),
            (large, "checkerboards of three coordinates", RANDOM),
        )
    ]


def unequal_boards():
    """The same on boards of 4 x 4 cells in which some have a second row: only all cells together save much
    error there too; `Trials`."""
    cells = list(product(range(4), repeat=2))
    pairs = [[one] for one in cells] + [list(pair) for pair in combinations(cells, 2)]
    cases = ((f"a second row in {pair}", _is_whole([2, 2], pair)) for pair in pairs)
    return Trials.of(
        cases, "boards of 4 x 4 cells, one row a cell and a second one in one or two", EXHAUSTIVE
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


def _judge_l_bound():
    """Verdicts on the bound on leaves, list of Verdict."""
    greedy = {row: design(row)["greedy_leaves"] for row in ROWS}
    times = {row: n / design(row)["path"][-1][1] for row, n in greedy.items()}
    share = {row: n / ROWS[row].n_design for row, n in greedy.items()}
    smaller = {by: sum(by * one < 1 for one in share.values()) for by in MUCH_SMALLER}
    problems = drawn_problems(400)
    return [
        judge_statement("dyadic.s4.l-bound.upper-bound", tried(is_bounded, problems)),
        judge_statement("dyadic.s4.l-bound.at-zero", tried(is_bounded_at_zero, problems)),
        _on_the_data(
            "dyadic.s4.l-bound.ratio-to-l-max", ((row, n <= MOST_OF_BOUND, n) for row, n in times.items())
        ),
        _on_the_data(
            "dyadic.s4.l-bound.below-n",
            ((row, MUCH * one < 1, one) for row, one in share.items()),
            by_factor=", ".join(f"{by} times smaller on {n}" for by, n in smaller.items()),
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
