"""Table 1 and the numbers of Figure 2: what lookahead pruning saves.

An improvement ratio is "the number of rectangles visited by the DP algorithm (or equivalently the MR
algorithm without pruning)" over the number that pruning leaves. Two questions are open, and each is answered
once for the whole table, by what the text says in so many words:

- What is counted, and what becomes of a rectangle whose error *equals* lambda. The text says that the ratio
  shrinks to 1 at small lambda. It does where the rectangles visited at the smallest lambda stand above, and
  not where all occupied ones do, of which pruning skips the pure ones at any lambda: so the first judge.
  The search is skipped if the error is below lambda, so equal errors are split; 1/n + 1/n is 2/n in floating
  point too, so rounding changes nothing there. Beside it (`RATIOS`): equal errors are leaves; all occupied
  rectangles, which both algorithms visit by "every occupied rectangle of every size"; seven other boxes.
- "The average improvement ratio across all lambda values" is the mean of the ratios over a complete grid, as
  written, "determined by the algorithm in Sect. 4". That section has three complete grids: the original list,
  the adaptive search, one lambda for each solution. The adaptive search judges. Beside it: the others, the
  grid of the heuristic, which is not complete, the mean of the visits in place of that of the ratios, and all
  occupied rectangles above, all crossed with the boxes that were run.
"""

import pandas as pd

from treelib.ledger.protocol.declared import Open, declared, kept
from treelib.papers.dyadic.settings import BOX, BOX_NAMES, LARGE, SMALL, in_box, load, parts
from treelib.papers.dyadic.tables_2_3 import ON_ONE, searches_in_boxes
from treelib.papers.dyadic.tables_5_6 import with_boxes

QUESTION = (
    "what stands above (all occupied rectangles or those visited at the smallest lambda), whether an error "
    f"equal to lambda is split or a leaf, and {BOX}"
)
DEFINED, DEFINED_LEAF = "occupied, split", "occupied, leaf"
SMALLEST, SMALLEST_LEAF = "smallest lambda, split", "smallest lambda, leaf"
RATIOS = {  # at lambda = 2/n, of a line of `with_boxes`
    SMALLEST: ("stored", "visited_at_rule"),
    SMALLEST_LEAF: ("stored", "visited_above_rule"),
    DEFINED: ("occupied", "occupied_at_rule"),
    DEFINED_LEAF: ("occupied", "occupied_above_rule"),
}
AT_RULE = Open(
    QUESTION,
    {in_box(name, box): {"reading": name, "box": box} for box in BOX_NAMES for name in RATIOS},
)
OCCUPIED, AT_SMALLEST = "occupied", "smallest lambda"
ABOVE = {AT_SMALLEST: "stored", OCCUPIED: "occupied"}
GRIDS = {  # the search whose values are the grid
    "adaptive": "adaptive sums largest",
    "adaptive+heuristic": "heuristic any largest",
    "one lambda a solution": "bisection",
    "original": "original",
}
OF_RATIOS, OF_MEANS = "mean of ratios", "ratio of means"
AVERAGES = Open(
    "what is averaged, what stands above (all occupied rectangles or those visited at the smallest lambda), "
    f"over which grid, and {BOX}",
    {
        in_box(f"{how}, {what}, {grid} grid", box): {"how": how, "above": what, "search": name, "box": box}
        for box in BOX_NAMES
        for how in (OF_RATIOS, OF_MEANS)
        for what in ABOVE
        for grid, name in GRIDS.items()
    },
)


@declared("dyadic.t1.{row}.{cell}", {"d": "d", "n-design": "n"})
def shapes():
    """Features and rows of the design sets that are whole data sets."""
    found = {row: load(row)[0].shape for row in SMALL}
    return pd.DataFrame([{"row": row, "d": d, "n": n} for row, (n, d) in found.items()])


@declared("dyadic.t1.{row}.{cell}", parts("improvement-ratio-rule", "ratio", (1, float("inf"))), AT_RULE)
def at_the_rule():
    """Improvement ratios of the training sets at lambda = 2/n, a line a set, box and reading."""
    found = with_boxes()
    ratios = {name: found[above] / found[below] for name, (above, below) in RATIOS.items()}
    return pd.concat([found.assign(reading=name, ratio=ratio) for name, ratio in ratios.items()])


@declared(f"dyadic.t1.{ON_ONE}.{{cell}}", {"improvement-ratio-grid": "ratio"}, AVERAGES)
def over_grids():
    """Average improvement ratios along grids of lambda; empty rectangles too where only these are stored."""
    found, lines = searches_in_boxes(), []
    for what, above in ABOVE.items():
        ratios = {
            OF_RATIOS: found[above] * found["mean_inverse"],
            OF_MEANS: found[above] / found["mean_visited"],
        }
        lines += [found.assign(how=how, above=what, ratio=ratio.map(_shown)) for how, ratio in ratios.items()]
    large = kept("dyadic.t3")
    large = large[large["row"].isin(LARGE)].assign(how=OF_RATIOS, above=AT_SMALLEST, box=BOX_NAMES[0])
    runs = {"adaptive": "adaptive_sums_largest", "adaptive+heuristic": "heuristic_first_printed_any"}
    for grid, run in (runs | {"one lambda a solution": "bisection"}).items():
        lines.append(large.assign(search=GRIDS[grid], ratio=[one["mean_ratio"] for one in large[run]]))
    return pd.concat(lines)


def _shown(value):
    """A number to six digits, as readings are told apart."""
    return float(f"{value:.6g}")
