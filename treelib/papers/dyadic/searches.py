"""What Tables 1 to 3 and 5 leave open, run in every box: searches over lambda by both rules for ties and both
ways on, and the rectangles of the training sets."""

import numpy as np

from treelib.dyadic.boxes import DyadicGrid, bounding_box, choose_n_splits
from treelib.dyadic.compress import merge_cells, merge_duplicates, row_losses
from treelib.dyadic.paper import lambda_search, recorded_rectangles, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.price_solver import PriceSolvers
from treelib.dyadic.paper.recorded_rectangles import count_at
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import PerDraw, declared, kept
from treelib.papers.dyadic.settings import (
    BOXES,
    LETTER_BOX,
    LIGHT,
    OUR_BOX,
    ROWS,
    SMALL,
    as_rows,
    box_cases,
    compressed,
    data_of,
    design_rows,
    load,
    resampled_rows,
)
from treelib.papers.dyadic.tables_2_3 import (
    DRAWN,
    PRINTED_L_BOUND,
    bisection,
    ceilings_of,
    tied_solutions,
    unshifted,
)

TIES = ("largest", "first")  # the larger tree of Definition 2, the first met of Procedure 1
# rows whose heuristic search takes long: the boxes in which they are run, and the one rule for ties in each
ONE_SEARCH = {"diabetes": {OUR_BOX: "largest", LETTER_BOX: "first"}}


@experiment(
    "dyadic.box-searches",
    item="Tables 1, 2 and 3",
    title="The searches over lambda by the rule of the box, of ties, and of what comes next",
    cases=lambda: [case for case in box_cases(SMALL) if is_run(case)],
    datasets=data_of,
    seconds=45,
    memory=1.3e9,
)
def box_searches(case):
    """Values visited, solutions found and ratios of rectangles by search: dict.

    A search is named by its list and its rule for ties, as ``adaptive sums largest`` or ``heuristic any
    first``. Each has ``n_lambda``, ``n_solutions``, and the means over its values of the occupied rectangles
    visited (``mean_visited``) and of one over them (``mean_inverse``). Only occupied rectangles are counted.
    """
    row, l_bound = case["row"], PRINTED_L_BOUND[case["row"]]
    rows_of_set = design_rows(row)[0]
    one = compressed(row, rows_of_set, widen=case["widen"], closed=case["closed"])
    rows = as_rows(one)
    recorded = recorded_rectangles.record(rows)
    visited = recorded.visited
    error, sums = int(recorded.leaf_error[-1]), lambda_search.partial_sums(one.losses)
    solvers = PriceSolvers(recorded)
    bisected = bisection(solvers, greedy_leaves(rows))
    path = bisected.solutions
    ties = {"largest": path[1:], "first": tied_solutions(solvers, path, "first", "printed")}
    own = greedy_leaves(unshifted(row, rows_of_set, one.grid))
    found = {"bisection": described(bisected, ceilings_of(bisected, len(visited)), visited)}
    for name, reductions, bound in (("sums", sums, l_bound), ("whole", error, l_bound), ("own", sums, own)):
        for tie in TIES:
            search, ceilings = lambda_search.count_adaptive(path, ties[tie], reductions, bound)
            found[f"adaptive {name} {tie}"] = described(search, ceilings, visited)
    one_tie = ONE_SEARCH.get(row, {}).get((case["widen"], case["closed"]))
    for tie in (one_tie,) if one_tie else TIES:
        for name, on_list in (("any", False), ("list", True))[: 1 if one_tie else 2]:
            search = lambda_search.search_heuristic(solvers(tie), sums, l_bound, keep=True, on_list=on_list)
            found[f"heuristic {name} {tie}"] = described(search, ceilings_of(search, len(visited)), visited)
    at_list = on_original(sums, l_bound)
    return {
        "own_l_bound": own,
        "occupied": recursion.count_occupied(rows),
        "stored": int(visited[0]),
        "largest": len(path),
        "first": len({*path, *ties["first"]}),
        "original": int(at_list.sum()),
        "searches": found
        | {"original": means(at_list, visited) | {"n_lambda": int(at_list.sum()), "n_solutions": len(path)}},
    }


def is_run(case):
    """Whether `box_searches` runs a case, bool."""
    return (case["widen"], case["closed"]) in ONE_SEARCH.get(case["row"], BOXES)


def on_original(reductions, l_bound):
    """Values of the original list by the whole number of errors, rounded up: int64 (e_1 + 1,)."""
    values = np.unique(reductions[:, None] / np.arange(1, l_bound))  # distinct fractions, distinct floats
    return np.bincount(np.ceil(values).astype(int), minlength=int(reductions[-1]) + 1)


def described(search, ceilings, visited):
    """A search in numbers, dict: as `box_searches` says."""
    return {"n_lambda": search.n_lambda, "n_solutions": len(search.solutions)} | means(ceilings, visited)


def means(ceilings, visited):
    """Means over values of lambda of the rectangles visited, and of one over them: dict.

    ceilings : int (c,), how many values have each whole number of errors. visited : int (e + 1,)
    """
    at = visited[np.minimum(np.arange(len(ceilings)), len(visited) - 1)]
    return {
        "mean_visited": float(np.average(at, weights=ceilings)),
        "mean_inverse": float(np.average(1 / at, weights=ceilings)),
    }


@experiment(
    "dyadic.box-runs",
    item="Tables 1 and 5",
    title="Rectangles visited and stored over resampled training sets, by the rule of the box",
    cases=lambda: [case for case in box_cases(BOXED) if is_run_over(case)],
    datasets=data_of,
    seconds=100,
)
def box_runs(case):
    """Rectangles of each training set in one box: dict of the columns of `tables_5_6.table_5` to lists."""
    row, found = case["row"], []
    for split in range(ROWS[row].n_resampled):
        one = compressed(row, resampled_rows(row, split), widen=case["widen"], closed=case["closed"])
        rows = as_rows(one)
        every, occupied = recorded_rectangles.count_both(rows)
        found.append(
            {
                "stored": int(every[0]),
                "empty": int(every[0] - occupied[0]),
                "visited_at_rule": count_at(every, 2),
                "visited_above_rule": count_at(every, 3),
                "occupied": recursion.count_occupied(rows),
                "occupied_at_rule": count_at(occupied, 2),
                "occupied_above_rule": count_at(occupied, 3),
            }
        )
    return {name: [one[name] for one in found] for name in found[0]}


# rows whose training sets are run in other boxes
BOXED = (*LIGHT, "breast-cancer")
# boxes in which the training sets of a row are run, where not in all: it took half a minute each
FEW_BOXES = {"flare-solar": (OUR_BOX, (0.05, "left"), (0.0, "right"))}


def is_run_over(case):
    """Whether `box_runs` runs a case, bool."""
    return case["row"] not in FEW_BOXES or (case["widen"], case["closed"]) in FEW_BOXES[case["row"]]


N_DESIGNS = 20  # as many as a single run of the paper's is set beside


@experiment(
    "dyadic.spambase-designs",
    item="Tables 1, 2 and 3",
    title="The searches over lambda on random design sets of Spambase, by the letter",
    cases=lambda: [{"row": "spambase", "partition": partition} for partition in range(N_DESIGNS)],
    datasets=data_of,
    seconds=165,
    memory=1.3e9,
)
def design_searches(case):
    """Solutions, bounds and lists of one design set: the first met of a tie, splits [a, mid) and [mid, b] of
    the bare range of the rows, lists that start from the sums of weights, and the split ratio as it is."""
    row, l_bound = case["row"], PRINTED_L_BOUND[case["row"]]
    rows_of_set, _ = design_rows(row, case["partition"])
    grid, codes, losses = by_the_letter(*(part[rows_of_set] for part in load(row)))
    rows = recursion.make_rows(codes, losses, grid.n_splits)
    recorded = recorded_rectangles.record(rows)
    visited, solvers, sums = recorded.visited, PriceSolvers(recorded), lambda_search.partial_sums(losses)
    path = bisection(solvers, greedy_leaves(rows)).solutions
    ties = tied_solutions(solvers, path, "first", "printed")
    adaptive, _ = lambda_search.count_adaptive(path, ties, sums, l_bound)
    _, on_grid = lambda_search.count_adaptive(path, path[1:], sums, l_bound)
    heuristic = lambda_search.search_heuristic(solvers("first"), sums, l_bound, keep=True, on_list=False)
    return {
        "k": grid.n_splits.tolist(),
        "compressed_n": len(codes),
        "solutions": len({*path, *ties}),
        "l_max": path[-1][1],
        "greedy_leaves": greedy_leaves(unshifted(row, rows_of_set, grid)),
        "original": lambda_search.count_original(sums, l_bound),
        "adaptive": adaptive.n_lambda,
        "heuristic": heuristic.n_lambda,
        "heuristic_solutions": len(heuristic.solutions),
        "mean_ratio": int(visited[0]) * means(on_grid, visited)["mean_inverse"],
    }


def by_the_letter(X, y):
    """Grid, codes and losses of some rows as Sections 2 and 5 print them: the box is their bare range."""
    widen, closed = LETTER_BOX
    low, high = bounding_box(X, widen)
    distinct = merge_duplicates(X, row_losses(y, 2))
    n_splits = choose_n_splits(distinct.rows, distinct.losses, low, high, closed=closed).n_splits
    grid = DyadicGrid(low, high, n_splits, closed)
    cells = merge_cells(grid, distinct.rows, distinct.losses)
    return grid, cells.rows, cells.losses


@declared(
    f"dyadic.{{:t1|t2|t3}}.{{row:{DRAWN}}}.{{cell}}",
    {
        "improvement-ratio-grid": PerDraw("mean_ratio"),
        "l-max": PerDraw("l_max"),
        "l-bound": PerDraw("greedy_leaves"),
        "distinct-solutions": PerDraw("solutions"),
        "original-lambda-list": PerDraw("original"),
        "adaptive-lambda-values": PerDraw("adaptive"),
        "adaptive-distinct-solutions": PerDraw("solutions"),
        "heuristic-lambda-values": PerDraw("heuristic"),
        "heuristic-distinct-solutions": PerDraw("heuristic_solutions"),
    },
)
@declared("dyadic.s4.heuristic.{cell}", {"skipped-spambase": PerDraw("skipped")})
def designs():
    """The design sets of Spambase, a line a set: the paper's is another one."""
    found = kept("dyadic.spambase-designs")
    return found.assign(skipped=found["solutions"] - found["heuristic_solutions"])
