"""Table 1 and the numbers of Figure 2: what lookahead pruning saves.

An improvement ratio is "the number of rectangles visited by the DP algorithm (or equivalently the MR
algorithm without pruning)" over the number that pruning leaves. Two questions are open, and each is answered
once for the whole table, by what the text says in so many words:

- What is counted, and what becomes of a rectangle whose error *equals* lambda. Both algorithms visit "every
  occupied rectangle of every size", so the occupied ones are counted, above and below. The search is skipped
  if the error is below lambda, so equal errors are split; 1/n + 1/n is 2/n in floating point too, so rounding
  changes nothing there. Beside it (`READINGS`): equal errors are leaves; and, since the text also says that
  the ratio shrinks to 1 at small lambda, the rectangles visited at the smallest lambda in place of all.
- "The average improvement ratio across all lambda values" is the mean of the ratios over a complete grid, as
  written. The grid is that of the adaptive search. Beside it: other grids, the mean of the visits in place of
  that of the ratios, and the visits at the smallest lambda above, all crossed.
"""

from fractions import Fraction

import numpy as np

from treelib.dyadic.paper import recursion
from treelib.dyadic.paper.procedure_1 import NO_LABEL
from treelib.ledger import sampling, store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.digits import half_unit
from treelib.ledger.protocol.judging import Draws, Readings, judge, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import (
    LARGE,
    LIGHT,
    PARTS,
    ROWS,
    among_readings,
    as_rows,
    cause_of,
    compressed,
    data_of,
    load,
    resampled_rows,
    rows_of,
    spread,
    weigh,
)
from treelib.papers.dyadic.tables_2_3 import (
    BOX,
    PRINTED_L_BOUND,
    box_cases,
    design,
    design_case,
    design_cause,
    put_in,
)

AT_RULE = 2  # lambda = 2/n, in errors

QUESTION = "what is counted, and what becomes of an error that equals lambda"
DEFINED = "all occupied over those visited, equal errors split"
DEFINED_LEAF = "all occupied over those visited, equal errors leaves"
SMALLEST = "visited at the smallest lambda over those visited, equal errors split"
SMALLEST_LEAF = "visited at the smallest lambda over those visited, equal errors leaves"
NO_LESS = (1, float("inf"))  # no more is visited with pruning than without
READINGS = DEFINED, DEFINED_LEAF, SMALLEST, SMALLEST_LEAF
AVERAGE = "over what the ratio is averaged"
OCCUPIED = "all occupied over all visited with empty ones"
AT_SMALLEST = "visited at the smallest lambda over all visited"
OF_RATIOS = f"mean of ratios, {OCCUPIED}, adaptive grid"


@experiment(
    "dyadic.box-ratios",
    item="Table 1",
    title="What the rule of the box and the side of a split change in the improvement ratios at lambda = 2/n",
    cases=lambda: box_cases(LIGHT),
    datasets=data_of,
    seconds=100,
)
def box_ratios(case):
    """Occupied rectangles over those that the pruned recursion visits at 2/n, on each training set."""
    row, ratios = case["row"], []
    for split in range(ROWS[row].n_resampled):
        one = compressed(row, resampled_rows(row, split), widen=case["widen"], closed=case["closed"])
        rows = as_rows(one)
        run = recursion.Recursion(rows, AT_RULE)
        run.run()
        visited = run.entries.label[: run.outcome().n_visited] != NO_LABEL
        ratios.append(recursion.count_occupied(rows) / int(visited.sum()))
    return {"ratios": ratios}


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
def judge_rule(row, ratios, reading=DEFINED, **origin):
    """Verdicts on the ratios at lambda = 2/n over training sets, list of Verdict.

    Parameters
    ----------
    ratios : dict of reading to the ratio of each training set
    reading : one of `READINGS`, which judges
    origin : experiment and case of stored ratios; nothing for ratios that a page computed
    """
    more = (ratios[DEFINED] / ratios[SMALLEST]).mean()
    claims = {part: f"dyadic.t1.{row}.improvement-ratio-rule-{part}" for part in PARTS}
    return [
        weigh(
            claim,
            Readings(QUESTION, reading, {name: Draws(values, NO_LESS) for name, values in ratios.items()}),
            cause="the printed ratios are not those that the text defines, of all occupied rectangles; "
            f"on average these are {more:.2g} times those to the visits at the smallest lambda; "
            f"{cause_of(row)}{in_boxes(row, part)}",
            open_choice=_some_box_passes(claim, row, part, ratios[reading]),
            **origin,
        )
        for part, claim in claims.items()
    ]


def ratios_by_box(row):
    """The ratios of each training set in each box: dict of (widened by, side of a split) to list of float."""
    found = store.outcomes("dyadic.box-ratios")
    return {(c["widen"], c["closed"]): result["ratios"] for c, result in found if c["row"] == row}


def in_boxes(row, part):
    """What the rules of the box give for the least, mean or largest ratio, in words."""
    values = [spread(ratios)[part] for ratios in ratios_by_box(row).values()]
    return f"; {len(values)} rules of the box give {min(values):.3g} to {max(values):.3g}" if values else ""


def _some_box_passes(claim, row, part, ours):
    """Why a ratio that our box refuses cannot be told: the rule of `sampling` lets it pass in another box."""
    printed = Fraction(find(claim).number)
    half = half_unit(find(claim).number)

    def passes(ratios):
        low, high = sampling.interval(ratios, part, ROWS[row].n_resampled)
        return low <= printed + half and printed - half <= high

    boxes = ratios_by_box(row)
    n_passing = sum(map(passes, boxes.values()))
    if not n_passing or passes(ours):
        return ""
    return (
        f"{BOX}, and in {n_passing} of {len(boxes)} boxes that were tried the printed value passes"
        f"{in_boxes(row, part)}"
    )


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
    readings = Readings(AVERAGE, OF_RATIOS, grid_ratios(row, found))
    return weigh(
        claim,
        readings,
        open_choice=among_readings(
            claim, readings, "the paper defines neither its mean nor its grid further"
        ),
        cause="as written the mean is ruled by the few hundred visited at large lambda; the paper defines "
        "neither its mean nor its grid further",
        note=f"{put_in(row, found)}; {design_cause(row)}",
        row=row,
        **origin,
    )


def grid_ratios(row, found=None):
    """Average improvement ratios by reading: dict of reading to number. found : as `judge_grid` takes it.

    A reading says whether the ratios are averaged or the visits, what stands above, and on which grid.
    """
    found = design(row) if found is None else found
    names = {
        "adaptive": "adaptive_sums_first",
        "adaptive+heuristic": "heuristic_first_printed_any",
        "one lambda a solution": "bisection",
    }
    grids = {name: (found[key]["mean_ratio"], found[key]["mean_visited"]) for name, key in names.items()}
    if len(found["visited"]) > found["path"][0][0]:  # the curve is stored whole
        visited = visited_on_list(found, PRINTED_L_BOUND[row])
        grids["original"] = float((found["stored"] / visited).mean()), float(visited.mean())
    ratios = {}
    for what, above in ((OCCUPIED, found["occupied"]), (AT_SMALLEST, found["stored"])):
        for grid, (mean_ratio, mean_visited) in grids.items():
            ratios[f"mean of ratios, {what}, {grid} grid"] = mean_ratio * above / found["stored"]
            ratios[f"ratio of means, {what}, {grid} grid"] = above / mean_visited
    return ratios


def visited_on_list(found, l_bound):
    """Rectangles visited at every value of the original list of lambda, int array.

    found : as `judge_grid` takes it, with the visits at 0, 1, 2 ... errors
    l_bound : int, bound on the leaves, as `lambda_search.count_original` takes it
    """
    a, b = np.arange(1, found["path"][0][0] + 1)[:, None], np.arange(1, l_bound)
    values = np.unique(a / b)  # distinct fractions of such numbers are distinct floats
    return np.array(found["visited"])[np.ceil(values).astype(int)]


def n_of_reading(reading):
    """Cells at 2/n that a reading would leave standing as match or close, and cells in all: (int, int)."""
    found = []
    for row in ROWS:
        found += judge_rule(row, rule_ratios(rows_of("dyadic.t5", row)), reading)
    return sum(verdict.verdict in ("match", "close") for verdict in found), len(found)
