"""Table 1 and the numbers of Figure 2: what lookahead pruning saves.

An improvement ratio is "the number of rectangles visited by the DP algorithm (or equivalently the MR
algorithm without pruning)" over the number that pruning leaves. Two questions are open, and each is answered
once for the whole table, by what the text says in so many words:

- What is counted, and what becomes of a rectangle whose error *equals* lambda. The text says that the ratio
  shrinks to 1 at small lambda. It does where the rectangles visited at the smallest lambda stand above, and
  not where all occupied ones do, of which pruning skips the pure ones at any lambda: so the first judge.
  The search is skipped if the error is below lambda, so equal errors are split; 1/n + 1/n is 2/n in floating
  point too, so rounding changes nothing there. Beside it (`READINGS`): equal errors are leaves; all occupied
  rectangles, which both algorithms visit by "every occupied rectangle of every size"; seven other boxes.
- "The average improvement ratio across all lambda values" is the mean of the ratios over a complete grid, as
  written, "determined by the algorithm in Sect. 4". That section has three complete grids: the original list,
  the adaptive search, one lambda for each solution. The adaptive search judges. Beside it: the others, the
  grid of the heuristic, which is not complete, the mean of the visits in place of that of the ratios, and all
  occupied rectangles above, all crossed with the boxes that were run.
"""

from functools import cache

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.protocol.digits import significant
from treelib.ledger.protocol.judging import Draws, Readings, judge, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.searches import BOXED
from treelib.papers.dyadic.settings import (
    BOX,
    BOXES,
    LARGE,
    OURS,
    PARTS,
    ROWS,
    box_name,
    cause_of,
    load,
    rows_of,
    weigh,
)
from treelib.papers.dyadic.tables_2_3 import boxes_not_run, design, design_case, put_in, searched

QUESTION = (
    "what stands above (all occupied rectangles or those visited at the smallest lambda), whether an error "
    f"equal to lambda is split or a leaf, and {BOX}"
)
DEFINED, DEFINED_LEAF = "occupied, split", "occupied, leaf"
SMALLEST, SMALLEST_LEAF = "smallest lambda, split", "smallest lambda, leaf"
NO_LESS = (1, float("inf"))  # no more is visited with pruning than without
READINGS = DEFINED, DEFINED_LEAF, SMALLEST, SMALLEST_LEAF
AVERAGE = (
    "what is averaged, what stands above (all occupied rectangles or those visited at the smallest lambda), "
    f"over which grid, and {BOX}"
)
OCCUPIED, AT_SMALLEST = "occupied", "smallest lambda"
OF_RATIOS = f"mean of ratios, {AT_SMALLEST}, adaptive grid"
FIXED = (
    "the text fixes that the ratio shrinks to 1 at small lambda, that all rows of the design set are in, and "
    "that the grid is complete and made as Section 4 says; it leaves open whether ratios or visits are "
    "averaged, which of that section's complete grids is meant (the original list, the adaptive search, one "
    "lambda a solution), and where the box ends; the grid of the heuristic is not complete, and stands beside"
)
GRIDS = {
    "adaptive": "adaptive sums largest",
    "adaptive+heuristic": "heuristic any largest",
    "one lambda a solution": "bisection",
    "original": "original",
}


@verdicts_on("dyadic")
@judges("dyadic.t1.*")
def judge_table_1():
    """Verdicts on the whole table, list of Verdict."""
    found = [stated("dyadic.t1.caption.lambda", "a misprint for 2/n, which stands in the head of the column")]
    for row in ROWS:
        found += judge_shape(row)
        found.append(judge_grid(f"dyadic.t1.{row}.improvement-ratio-grid", row))
        found += judge_rule(row, rule_ratios(rows_of("dyadic.t5", row)), experiment="dyadic.t5")
    return found


@judges("dyadic.t1.*")
def judge_shape(row):
    """Verdicts on dimension and sizes: found in the data where these are the paper's, list of Verdict."""
    claims = {name: f"dyadic.t1.{row}.{name}" for name in ("d", "n-design", "n")}
    if row in LARGE:
        return [stated(claim, "of the paper's selection of the data") for claim in claims.values()]
    X = load(row)[0]
    return [
        judge(claims["d"], X.shape[1], cause="our copy of the data has others"),
        judge(claims["n-design"], X.shape[0], cause="our copy of the data has others"),
        stated(claims["n"], "the size of the training sets, which we take over"),
    ]


@judges("dyadic.t1.*.improvement-ratio-rule-*")
def judge_rule(row, ratios, reading=SMALLEST, **origin):
    """Verdicts on the ratios at lambda = 2/n over training sets, list of Verdict.

    Parameters
    ----------
    ratios : dict of reading to the ratio of each training set
    reading : one of `READINGS`, which judges
    origin : experiment and case of stored ratios; nothing for ratios that a page computed
    """
    values = {name: Draws(one, NO_LESS) for name, one in ratios.items()}
    if row in BOXED:
        for box, found in runs_by_box(row).items():
            values |= {f"{name}, {box}": Draws(one, NO_LESS) for name, one in rule_ratios(found).items()}
    readings = Readings(QUESTION, reading, values)
    return [
        weigh(
            f"dyadic.t1.{row}.improvement-ratio-rule-{part}",
            readings,
            cause=f"cause unknown; {cause_of(row)}",
            note=cost_of_rest(row),
            **origin,
        )
        for part in PARTS
    ]


@cache
def runs_by_box(row):
    """Counts of each training set in each box but ours: dict of its name to DataFrame; of the light rows."""
    import pandas as pd

    cases = [case for case in store.registry.get("dyadic.box-runs").cases() if case["row"] == row]
    found = store.outcomes("dyadic.box-runs", cases=cases)
    named = {box_name(case["widen"], case["closed"]): result for case, result in found}
    return {name: pd.DataFrame(result) for name, result in named.items() if name != OURS}


def cost_of_rest(row):
    """What the boxes that were not run would take, in words; empty where all were."""
    if row in BOXED:
        cases = [case for case in store.registry.get("dyadic.box-runs").cases() if case["row"] == row]
        if len(cases) == len(BOXES):
            return ""
        seconds = store.record("dyadic.box-runs", cases[0])["provenance"]["cpu_seconds"]
        return f"{len(cases)} of {len(BOXES)} boxes were run, {_duration(seconds)} of a processor each"
    found = rows_of("dyadic.t5", row)
    each, boxes = found["seconds"].mean(), len(BOXES) - 1
    return (
        f"all {len(found)} training sets were run in one box, {_duration(each)} each; "
        f"{boxes} other boxes would take {_duration(boxes * len(found) * each)}"
    )


def _duration(seconds):
    """A time in words, in the unit that suits it."""
    if seconds < 60:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 3600 else f"{seconds / 3600:.1f} hours"


def rule_ratios(found):
    """Improvement ratios at lambda = 2/n over the training sets: dict of reading to Series.

    found : DataFrame, a line for each training set, as `treelib.papers.dyadic.tables_5_6.table_5` gives it
    """
    return {
        DEFINED: found["occupied"] / found["occupied_at_rule"],
        DEFINED_LEAF: found["occupied"] / found["occupied_above_rule"],
        SMALLEST: found["stored"] / found["visited_at_rule"],
        SMALLEST_LEAF: found["stored"] / found["visited_above_rule"],
    }


@judges("dyadic.t1.*.improvement-ratio-grid", "dyadic.f2.thyroid.improvement-ratio-average")
def judge_grid(claim, row, found=None):
    """Verdict on the average improvement ratio along a grid of lambda.

    found : dict as `tables_2_3.table_3` gives it for a row; default the stored one
    """
    origin = {"experiment": "dyadic.t3", "case": design_case(row)} if found is None else {}
    found = design(row) if found is None else found
    cause = "cause unknown"
    if row in LARGE:
        ratios = grid_ratios(row, found)
        others = ", ".join(f"{name} {significant(value)}" for name, value in ratios.items())
        note = f"empty rectangles are counted above and below: {others}; {FIXED}; {put_in(row, found)}"
        return weigh(claim, next(iter(ratios.values())), cause=cause, note=note, row=row, **origin)
    crossed = {
        f"{name}, {box}": value
        for box in (box_name(*one) for one in searched(row))
        if box != OURS
        for name, value in grid_ratios(row, box=box).items()
    }
    printed = int(find(f"dyadic.t3.{row}.original-lambda-list").number)
    return weigh(
        claim,
        Readings(AVERAGE, OF_RATIOS, grid_ratios(row) | crossed, ranged=tuple(crossed)),
        cause=cause,
        note=f"{FIXED}; the original list has {printed:,} values in print, ours "
        f"{found['original_sums']:,} or {found['original']:,}; {put_in(row, found)}{boxes_not_run(row)}",
        row=row,
        **origin,
    )


def grid_ratios(row, found=None, box=OURS):
    """Average improvement ratios by reading: dict of reading to number.

    A reading says whether the ratios are averaged or the visits, what stands above, and on which grid.
    Occupied rectangles are counted, above and below; on the large sets, where only these are stored, empty
    ones too.

    found : as `judge_grid` takes it. box : name of a box
    """
    if row in LARGE:
        found = design(row) if found is None else found
        runs = {"adaptive": "adaptive_sums_largest", "adaptive+heuristic": "heuristic_first_printed_any"}
        runs["one lambda a solution"] = "bisection"
        return {
            f"mean of ratios, {AT_SMALLEST}, {grid} grid": found[run]["mean_ratio"]
            for grid, run in runs.items()
        }
    result = next(one for name, one in searched(row).items() if box_name(*name) == box)
    ratios = {}
    for what, above in ((OCCUPIED, result["occupied"]), (AT_SMALLEST, result["stored"])):
        for grid, name in GRIDS.items():
            if (search := result["searches"].get(name)) is None:
                continue
            # to six digits, as they are shown
            ratios[f"mean of ratios, {what}, {grid} grid"] = float(f"{above * search['mean_inverse']:.6g}")
            ratios[f"ratio of means, {what}, {grid} grid"] = float(f"{above / search['mean_visited']:.6g}")
    return ratios
