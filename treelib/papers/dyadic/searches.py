"""What Tables 1 to 3 and 5 leave open, run in every box: searches over lambda by both rules for ties and both
ways on, and the rectangles of the training sets."""

import numpy as np

from treelib.dyadic.paper import lambda_search, recorded_rectangles, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.price_solver import PriceSolvers
from treelib.dyadic.paper.recorded_rectangles import count_at
from treelib.ledger.experiments import experiment
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
    resampled_rows,
)
from treelib.papers.dyadic.tables_2_3 import (
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
