"""Table 1 and the numbers of Figure 2: what lookahead pruning saves.

An improvement ratio is the number of rectangles that the search visits without pruning over the number that
it visits with it. Two questions are open, and each is answered once for the whole table:

- At lambda = 2/n many rectangles have an error *equal* to lambda. The paper prints that the search over
  coordinates is skipped if the error is below lambda, so they are split; 1/n + 1/n is 2/n in floating point
  too, so rounding changes nothing there. Beside it: what skipping them would give.
- "The average improvement ratio across all lambda values" is the mean of the ratios over a complete grid, as
  written. The grid is that of the adaptive search. Beside it: other grids, and the ratio of all rectangles.
"""

from treelib.ledger.protocol.judging import Draws, Readings, judge, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import LARGE, PARTS, ROWS, cause_of, load, rows_of
from treelib.papers.dyadic.tables_2_3 import design, design_case

EQUAL = "what becomes of rectangles whose error equals lambda"
SPLIT, A_LEAF = "they are split, as printed", "they are leaves"
AVERAGE = "over what the ratio is averaged"
OF_RATIOS = "mean of ratios, adaptive grid"


@verdicts_on("dyadic")
@judges("dyadic.t1.*")
def judge_table_1():
    """Verdicts on the whole table, list of Verdict."""
    found = [stated("dyadic.t1.caption.lambda", "a misprint for 2/n, which stands in the head of the column")]
    for row in ROWS:
        found += judge_shape(row)
        found.append(judge_grid(f"dyadic.t1.{row}.improvement-ratio-grid", row))
        found += judge_rule(row, *rule_ratios(row), experiment="dyadic.t5")
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
def judge_rule(row, split, leaf, **origin):
    """Verdicts on the ratios at lambda = 2/n over training sets, list of Verdict.

    Parameters
    ----------
    split, leaf : numbers, the ratio of each training set where rectangles of equal error are split, or not
    origin : experiment and case of stored ratios; nothing for ratios that a page computed
    """
    return [
        judge(
            f"dyadic.t1.{row}.improvement-ratio-rule-{part}",
            Readings(EQUAL, SPLIT, {SPLIT: Draws(split), A_LEAF: Draws(leaf)}),
            cause=cause_of(row, split),
            **origin,
        )
        for part in PARTS
    ]


def rule_ratios(row):
    """Improvement ratios at lambda = 2/n over the training sets: (equal errors split, or not), two Series."""
    found = rows_of("dyadic.t5", row)
    return found["stored"] / found["visited_at_rule"], found["stored"] / found["visited_above_rule"]


@judges("dyadic.t1.*.improvement-ratio-grid", "dyadic.f2.thyroid.improvement-ratio-average")
def judge_grid(claim, row, found=None):
    """Verdict on the average improvement ratio along a grid of lambda.

    found : dict as `tables_2_3.table_3` gives it for a row; default the stored one
    """
    origin = {"experiment": "dyadic.t3", "case": design_case(row)} if found is None else {}
    return judge(
        claim,
        Readings(AVERAGE, OF_RATIOS, grid_ratios(row, found)),
        cause="as written the mean is ruled by the few hundred visited at large lambda; the paper defines "
        "neither its mean nor its grid further",
        **origin,
    )


def grid_ratios(row, found=None):
    """Average improvement ratios by reading: dict of reading to number. found : as `judge_grid` takes it."""
    found = design(row) if found is None else found
    adaptive, heuristic = found["adaptive_sums_first"], found["heuristic_first_printed_any"]
    return {
        OF_RATIOS: adaptive["mean_ratio"],
        "mean of ratios, adaptive+heuristic grid": heuristic["mean_ratio"],
        "mean of ratios, one lambda a solution": found["bisection"]["mean_ratio"],
        "all rectangles, adaptive grid": found["stored"] / adaptive["mean_visited"],
        "all rectangles, adaptive+heuristic grid": found["stored"] / heuristic["mean_visited"],
    }


def n_of_reading(reading):
    """Cells at 2/n that a reading would leave standing as match or close, and cells in all: (int, int)."""
    found = []
    for row in ROWS:
        ratios = dict(zip((SPLIT, A_LEAF), rule_ratios(row), strict=True))
        found += judge_rule(row, ratios[reading], ratios[SPLIT if reading == A_LEAF else A_LEAF])
    return sum(verdict.verdict in ("match", "close") for verdict in found), len(found)
