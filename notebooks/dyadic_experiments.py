# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Dyadic trees: rectangles, data, CART
#
# How large the search is, what decides it, and how the trees compare with those of CART, the classic greedy method:
# Tables 1 and 4 to 7 of {cite:t}`dyadic`.

# %% tags=["remove-input"]
import re
from dataclasses import replace

from treelib.ledger import claims, page, tables
from treelib.ledger.page.answers import answer, asked, cases_held, held, told
from treelib.ledger.page import Markdown
from treelib.ledger.verdicts import judged, judged_with
from treelib.papers.dyadic import settings, table_1, tables_5_6
from treelib.papers.dyadic import table_4 as module_4
from treelib.papers.dyadic import table_7 as module_7
from treelib.tree.style import use_style

use_style()
verdicts, computed = {verdict.claim.id: verdict for verdict in judged("dyadic")}, {}
ROWS, PARTS = list(settings.ROWS), settings.PARTS
NAMES = [claims.find(f"dyadic.t3.{row}.d").row for row in ROWS]


def computed_here(found):
    """Put verdicts on what this page computed in place of those on stored results; whole tables are judged with both."""
    computed.update({one.claim.id: one for one in found})
    verdicts.update({one.claim.id: one for one in judged_with("dyadic", computed)})


def shown(key):
    """The verdict of a cell; as printed what is taken over, nothing where the paper has none."""
    one = verdicts.get(key)
    if one is not None and one.verdict != "stated" and one.claim.value == "B":  # a letter, which the text below explains
        return f"B<br>{tables.verdict_html(one)}"
    return tables.printed_text(one.claim) if one is not None and one.verdict == "stated" else one


def grid(table, columns, caption, name, rows=ROWS, cells=1):
    """A table in the paper's layout, of the values that so many cells above made."""
    names = [NAMES[ROWS.index(row)] for row in rows]
    heads = [claims.find(f"dyadic.{table}.{rows[-1]}.{column}").column for column in columns]
    place = lambda i, j: shown(f"dyadic.{table}.{rows[i]}.{columns[j]}")
    return tables.grid(names, heads, place, caption, name, "data", cells=cells)


def counted(*beginnings):
    """Counted verdicts whose ids begin like one of these."""
    return [one for key, one in verdicts.items() if key.startswith(beginnings) and one.is_counted]


def share(some):
    """How many of the verdicts that can be told hold, in words."""
    return f"{len(held(told(some)))} of {len(told(some))}"


def without_readings(one):
    """A verdict whose reason leaves out what every other reading gives: its card has that."""
    kept = [part for part in one.reason.split("; ") if not part.startswith(("read as ", "it would be "))]
    return replace(one, reason="; ".join(kept))


rule = [one for one in counted("dyadic.t1.") if "rule" in one.claim.id]
sizes, smaller = counted("dyadic.t5."), verdicts["dyadic.sa.table-7.claim"]
saved = verdicts["dyadic.s0.abstract.run-time"]
Markdown(f"""**In short**

- {asked("the run is substantially shorter at most prices of a leaf", answer(saved))} At least half of the work is saved on
  {cases_held(saved)} data sets.
- {asked("the run is shorter by as much as printed", answer(*rule), "Claim")} Of the ratios at the paper's rule of thumb {share(rule)} that can be told hold.
- {asked("the counts of rectangles are as Table 5 prints", answer(*sizes), "Claim")} Of the counted numbers that can be told {share(sizes)} hold. Those of
  rectangles stored were the reason to count empty ones, so they are fitted and no evidence.
- {asked("the trees are smaller than those of CART, the greedy method, at equal error", answer(smaller))} They are on
  {cases_held(smaller)} data sets; but the features of these are inferred.
""")

# %% [markdown]
# ## What was chosen here
#
# The paper leaves these choices open. Those made by looking at printed numbers are *fitted*: the numbers looked at are
# marked, and count nowhere.
#
# - **Box** (fitted to Table 4): the range of the training rows, widened by two per cent in all. Spambase and Intrusion
#   have the range of all their rows.
# - **Side** (fitted to Table 4): a point on a split goes left.
# - **Features** (fitted): Spambase's and Intrusion's four by the printed k, Mushroom's ten by the compressed size.
#   Intrusion's features are logarithms.
# - **Design set of Intrusion** (fitted): the first random one whose k are those printed
#   ({numref}`dyadic-design-sets`).
# - **Splits**: random, from fixed seeds. The official partitions of the small sets, but for two, are only online.
# - **k**: each coordinate on its own, in the second step of Section 5. Diabetes is lowered by hand, as in the paper.
#
# Where a recursion takes long, fewer training sets than in the paper are run; the bounds of the verdicts are then wider.

# %% [markdown]
# ## The automatic k and the compressed data (Table 4)
#
# How often may each coordinate be halved? The paper takes the smallest numbers $k_i$ by which the finest cells can be
# labelled without an error. All rows of a cell then become one *surrogate*; $\hat n$ counts the surrogates.

# %% tags=["main-table"] try={"DATA": "dyadic/titanic", "N": 150}
DATA, N, SETS, WIDEN = "dyadic/thyroid", 140, 100, 0.02

import numpy as np
import pandas as pd

from treelib import datasets, dyadic

data, random = datasets.load(DATA), np.random.default_rng(0)
lines = []
for _ in range(SETS):
    rows = random.permutation(len(data.y))[:N]
    path = dyadic.solution_path(data.X[rows], data.y[rows], widen=WIDEN, min_regularization=1)
    lines.append([*path.grid.n_splits, path.n_surrogates])
columns = [*(f"k {i + 1}" for i in range(data.X.shape[1])), "surrogates"]
pd.DataFrame(lines, columns=columns).agg(["min", "mean", "max"])

# %% [markdown]
# The same for the data sets of the table, with the seeds and the boxes of {doc}`../book/protocol`. Intrusion may not be passed
# on, so its row is a stored record.

# %% tags=["main-table"] try={"SHIPPED": ["titanic", "thyroid"]}
SHIPPED = [
    "banana", "breast-cancer", "diabetes", "flare-solar", "thyroid", "titanic", "spambase",
    "mushroom",
]

from treelib.papers.dyadic.table_4 import table_4

sizes = {row: pd.DataFrame(table_4({"row": row})) for row in SHIPPED}
pd.DataFrame(
    {row: frame["compressed_n"].agg(["min", "mean", "max"]) for row, frame in sizes.items()}
).T.round(1)


# %% tags=["remove-input"]
computed_here([one for row, frame in sizes.items() for one in [*module_4.judge_row(row, frame), *tables_5_6.judge_sizes(row, frame)]])


def cell_of_table_4(i, j):
    """The cell of a row and a column of Table 4; one cell holds all components of k."""
    key = f"dyadic.t4.{ROWS[i]}"
    if COLUMNS[j] == "k":
        return [verdict for claim, verdict in verdicts.items() if re.fullmatch(rf"{key}\.k-\d+", claim)]
    return shown(f"{key}.{COLUMNS[j]}")


COLUMNS = ["d", "n", "k", "k-blanchard", *(f"compressed-n-{part}" for part in PARTS)]
HEADS = ["d", "n", "k, by component", "k of Blanchard et al.", *(f"n̂ ({part})" for part in PARTS)]
tables.grid(
    NAMES,
    HEADS,
    cell_of_table_4,
    "Automatic k over the training sets, and surrogates after compression (Table 4). In each cell: printed, ours, verdict; k has one for each component unless all are alike.",
    "dyadic-table-4",
    "data",
)

# %% [markdown]
# A pair of rows of two classes that nearly coincide decides the k of Intrusion, so each design set has its own. This is
# what the sets not chosen would have given.

# %% tags=["main-table"] try={"SHOWN": [0, 37]}
SHOWN = [0, 1, 2, 3, 4, 5, 6, 7, 37]  # 37 was chosen

from treelib.papers import reproduce

sets = reproduce("dyadic.design-sets").query("design in @SHOWN")
sets.assign(least=sets["k"].map(min), largest=sets["k"].map(max)).groupby("design").agg(
    {
        "least": "min", "largest": "max", "compressed_n": ["min", "mean", "max"],
        "n_rho": ["min", "mean", "max"],
    }
).map("{:,.0f}".format)

# %% tags=["remove-input"]
printed = {name: [claims.find(f"dyadic.{table}.intrusion.{name}-{part}").value for part in PARTS] for table, name in (("t4", "compressed-n"), ("t5", "nhat-rho"))}
tables.table(
    ("", "k", *(f"n̂ ({part})" for part in PARTS), *(f"n̂ρ ({part})" for part in PARTS)),
    [("printed", claims.find("dyadic.t4.intrusion.k-1").value, *printed["compressed-n"], *printed["nhat-rho"])],
    "Intrusion: what the paper prints for the table above.",
    "dyadic-design-sets",
    align="llrrrrrr",
    origin=page.origin(),
)

# %% [markdown]
# ## What pruning saves (Table 1, Figure 2)
#
# The *improvement ratio* is the number of rectangles visited without pruning over that visited with it. The paper says
# that it shrinks to 1 at small $\lambda$. By the text's definition, all occupied rectangles (dashed), it does not. It does
# over the rectangles that the pruned search visits at the smallest $\lambda$ (dotted), as if the search without pruning
# stopped at rectangles of one class too. The verdicts count as the text defines it.

# %% tags=["main-table"] try={"ROW": "titanic"} mystnb={"figure": {"name": "dyadic-fig-2", "caption": "Rectangles visited with and without lookahead pruning, thyroid, all rows (Figure 2 of the paper)."}, "image": {"alt": "On logarithmic axes, a curve of rectangles visited falls from two hundred thousand at small lambda to one at large lambda, and begins at a dotted horizontal line; a dashed one for the search without pruning lies above it."}}
ROW = "thyroid"

import matplotlib.pyplot as plt

from treelib.papers.dyadic import figures
from treelib.papers.dyadic.tables_2_3 import design_case, table_3

design = {row: table_3(design_case(row)) for row in {ROW, "flare-solar", "titanic"}}
visited = design[ROW]["visited"]
figure, ax = plt.subplots(figsize=(7, 3.6))
prices = np.geomspace(0.05, len(visited) - 1, 800)
n_rows = len(datasets.load(f"dyadic/{ROW}").y)
figures.figure_2(ax, visited, design[ROW]["occupied"], n_rows, prices)

# %% tags=["remove-input"]
if ROW in ("thyroid", "flare-solar", "titanic"):
    on_page = [table_1.judge_grid(f"dyadic.t1.{row}.improvement-ratio-grid", row, found) for row, found in design.items()]
    if ROW == "thyroid":
        average = "dyadic.f2.thyroid.improvement-ratio-average"
        on_page += [table_1.judge_grid(average, ROW, design[ROW]), *figures.judge_curve(*figures.curves(ROW))]
    computed_here(on_page)
FIGURE_2 = [f"dyadic.f2.thyroid.{name}" for name in ("improvement-ratio-rule", "improvement-ratio-average", "small-lambda-ratio", "large-lambda")]
tables.comparison(
    [without_readings(verdicts[one]) for one in FIGURE_2],
    "What the text says of Figure 2. The cards have what other readings give.",
    "dyadic-figure-2-text",
    label=lambda claim: claim.column,
)

# %% [markdown]
# Two questions decide Table 1, and each is answered once for the whole table.
#
# - What is counted at $\lambda=2/n$? As the text has it: all occupied rectangles, over the occupied ones that pruning
#   visits; a rectangle is skipped if its error is *below* $\lambda$, so equal errors are split. Rounding does not change
#   that: $1/n+1/n$ is $2/n$ in floating point too. Three other readings, and seven other boxes, stand beside it.
# - The average over all $\lambda$ is the mean of the ratios over the adaptive search, as written.

# %% tags=["main-table"] try={"SMALL": ["titanic", "banana"]}
SMALL, BLOCKS = ["banana", "thyroid", "titanic"], 10  # a hundred training sets each

from treelib.papers.dyadic.tables_5_6 import BLOCK, table_5

runs = {}
for row in SMALL:
    blocks = [table_5({"row": row, "first": BLOCK * i, "count": BLOCK}) for i in range(BLOCKS)]
    runs[row] = pd.DataFrame([one for block in blocks for one in block])
ratios = {row: found["occupied"] / found["occupied_at_rule"] for row, found in runs.items()}
pd.DataFrame({row: one.agg(["min", "mean", "max"]) for row, one in ratios.items()}).T.round(2)

# %% tags=["main-table"] try={"OVER": ("stored", "visited_above_rule")}
# as defined; "stored", "visited_above_rule": at the smallest lambda, equal ones are leaves
OVER = "occupied", "occupied_at_rule"

table = reproduce("dyadic.t5")
table.assign(ratio=table[OVER[0]] / table[OVER[1]]).groupby("row", sort=False)["ratio"].agg(
    ["min", "mean", "max", "size"]
)

# %% tags=["remove-input"]
for row, found in runs.items():
    on_page = [*table_1.judge_rule(row, table_1.rule_ratios(found)), *tables_5_6.judge_stored(row, found)]
    if claims.find(f"dyadic.t6.{row}.list-size-mean").value != "1":
        on_page += tables_5_6.judge_lengths(row, found, sizes[row].assign(split=range(len(sizes[row]))))
    computed_here(on_page)
grid(
    "t1",
    ["d", "n-design", "improvement-ratio-grid", "n", *(f"improvement-ratio-rule-{part}" for part in PARTS)],
    "Improvement ratios (Table 1). In each cell: printed, ours, verdict.",
    "dyadic-table-1",
    cells=2,
)

# %% tags=["remove-input"]
n_held = {reading: table_1.n_of_reading(reading)[0] for reading in table_1.READINGS}
n_cells = len(ROWS) * len(PARTS)
others = "; ".join(f"{reading}: {held}" for reading, held in n_held.items() if reading != table_1.DEFINED)
below = sum(float(one.claim.number) < float(one.ours) for one in counted("dyadic.t1.") if one.claim.id.endswith("grid"))
Markdown(f"""*Found:* it {answer(*rule)}. Of the {n_cells} ratios at $2/n$, those that cannot be told with them,
{n_held[table_1.DEFINED]} hold as the text defines them. The
other readings stand beside it ({others}): the best of the four holds {max(n_held.values())}.

The printed
averages over the grid are below ours on {below} of {len(ROWS)}: as written, the mean is ruled by the few rectangles at large
$\\lambda$.""")

# %% tags=["remove-input"]
ratios = {row: table_1.grid_ratios(row) for row in ROWS}
every = dict.fromkeys(reading for found in ratios.values() for reading in found)
lines = [("paper", *(claims.find(f"dyadic.t1.{row}.improvement-ratio-grid").value for row in ROWS))]
for reading in every:
    lines.append((reading, *(f"{found[reading]:.4g}" if reading in found else "" for found in ratios.values())))
tables.table(
    ("", *NAMES),
    lines,
    "Average improvement ratio by what may be meant. A ratio of means is that of the rectangles to the mean number visited.",
    "dyadic-averages",
    align="lrrrrrrrrr",
    origin=page.origin(),
)

# %% [markdown]
# ## How many rectangles (Table 5), and in which table (Table 6)
#
# The paper bounds the rectangles by $\hat n\rho$: the surrogates $\hat n$ times the $\rho=\prod(k_i+1)$ rectangles that
# hold a row. All rectangles of the grid together are $|\sigma_k|$. "B" is printed for more than a million times the bound.

# %% tags=["main-table"] try={"PART": "max"}
PART = "mean"

bounds = pd.DataFrame(
    {row: found[["sigma_k", "n_rho"]].agg(PART) for row, found in sizes.items()}
).T
stored = {row: found["stored"].agg(PART) for row, found in runs.items()}
bounds.assign(stored=stored).map("{:,.0f}".format, na_action="ignore").fillna("not run here")

# %%
table = reproduce("dyadic.t5").groupby("row", sort=False)
table[["stored", "empty", "list_mean"]].mean().round(1)

# %% tags=["remove-input"]
grid(
    "t5",
    [f"{what}-{part}" for what in ("sigma-k", "nhat-rho", "rectangles-stored") for part in PARTS],
    "Rectangles: all, the bound, and those stored at the smallest λ (Table 5). In each cell: printed, ours, verdict.",
    "dyadic-table-5",
    cells=4,
)

# %% [markdown]
# A rectangle's key packs one number for each coordinate, the sum of its two end points. With few bits the key is an
# index; otherwise the paper hashes it with random coefficients into lists.

# %% tags=["main-table"] try={"ROWS_SHOWN": ["thyroid", "mushroom"]}
ROWS_SHOWN = [
    "breast-cancer", "diabetes", "flare-solar", "thyroid", "spambase", "intrusion", "mushroom",
]

lists = reproduce("dyadic.t5").query("row in @ROWS_SHOWN")
lists.groupby("row", sort=False)["list_mean"].agg(["min", "mean", "max"])

# %% tags=["remove-input"]
grid(
    "t6",
    ["d", "n", *(f"list-size-{part}" for part in PARTS)],
    "Mean lengths of the lists of the universal hash (Table 6). In each cell: printed, ours, verdict.",
    "dyadic-table-6",
    cells=5,
)

# %% [markdown]
# The hash is a sum of products of few small numbers, so unlucky coefficients put many rectangles on one slot:
# universality speaks of the mean over coefficients. That mean is bounded by one plus the rectangles over the slots. On
# three data sets the printed lists are longer than the paper's own Table 5 allows (see the {doc}`errata`).
#
# The class is universal only if $|S|$ is above every $2^{k_i+1}$, which the paper's rule for $|S|$ does not ask for.
# Verdict: {verdict}`dyadic.s6.hash.universal`.

# %% [markdown]
# ## Against CART (Table 7)
#
# Of the solutions on the training rows the one of least error on the validation rows is taken, of equals the smallest:
# the optimal dyadic tree (ODT).
#
# CART's tree is pruned to the least error over ten folds.

# %% tags=["main-table"] try={"PARTITIONS": 3}
SETS, PARTITIONS = ["spambase", "mushroom"], 10  # Intrusion may not be passed on

from treelib.papers.dyadic.table_7 import table_7

against_cart = {
    row: pd.DataFrame([table_7({"row": row, "partition": i}) for i in range(PARTITIONS)])
    for row in SETS
}
pd.concat(
    {row: found.agg(["min", "mean", "max"]) for row, found in against_cart.items()}
).round(4)

# %% tags=["main-table"] try={"PART": "max"}
PART = "mean"

table = reproduce("dyadic.t7").groupby("row", sort=False)
table[
    [
        "odt_error", "cart_error", "cart_1se_error", "odt_leaves", "cart_leaves",
        "cart_1se_leaves",
    ]
].agg(PART)

# %% tags=["remove-input"]
if PARTITIONS == module_7.PARTITIONS:
    for row, found in against_cart.items():
        computed_here(module_7.judge_trees(row, found))
grid(
    "t7",
    [f"{method}-error-{part}" for method in ("odt", "cart") for part in PARTS],
    "Test errors of optimal dyadic trees and of CART over ten partitions (Table 7). In each cell: printed, ours, verdict.",
    "dyadic-table-7-error",
    rows=settings.LARGE,
    cells=2,
)

# %% tags=["remove-input"]
grid(
    "t7",
    [f"{method}-leaves-{part}" for method in ("odt", "cart") for part in PARTS],
    "Leaves of both (Table 7). In each cell: printed, ours, verdict.",
    "dyadic-table-7-leaves",
    rows=settings.LARGE,
    cells=2,
)

# %% [markdown]
# All that the paper prints on the size of CART's trees has the parity of numbers of *nodes* (see the {doc}`errata`); the
# verdicts take its heading at its word.

# %% tags=["remove-input"]
lines = []
for row in settings.LARGE:
    nodes = settings.spread(2 * settings.rows_of("dyadic.t7", row)["cart_leaves"] - 1)
    printed = [claims.find(f"dyadic.t7.{row}.cart-leaves-{part}").value for part in PARTS]
    lines.append((NAMES[ROWS.index(row)], *printed, *(f"{nodes[part]:.4g}" for part in PARTS)))
tables.table(
    ("", *(f"printed leaves ({part})" for part in PARTS), *(f"our nodes ({part})" for part in PARTS)),
    lines,
    "CART's trees: the printed numbers of leaves beside our numbers of nodes.",
    "dyadic-cart",
    align="lrrrrrr",
    origin=page.origin(),
)
