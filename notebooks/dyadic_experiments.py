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
# How large the search is, what decides it, and how the trees compare with CART's: Tables 1 and 4 to 7 of {cite:t}`dyadic`.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
import re

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

from treelib.papers.dyadic import figures, judge_tables, settings, verdicts as dyadic_verdicts
from treelib.ledger import claims, store, tables
from treelib.tree.style import use_style

verdicts = {verdict.claim.id: verdict for verdict in dyadic_verdicts.verdicts()}
ROWS = list(settings.ROWS)
NAMES = [claims.find(f"dyadic.t3.{row}.d").row for row in ROWS]
PARTS = ("min", "mean", "max")
thyroid = judge_tables.design("thyroid")
resampled = {row: judge_tables.rows_of("dyadic.t5", row) for row in ROWS}


def grid(table, columns, caption, name, rows=ROWS):
    """A table in the paper's layout."""
    names = [NAMES[ROWS.index(row)] for row in rows]
    heads = [claims.find(f"dyadic.{table}.{rows[0]}.{column}").column for column in columns]
    return Markdown(
        tables.grid(
            names,
            heads,
            lambda i, j: verdicts.get(f"dyadic.{table}.{rows[i]}.{columns[j]}"),
            caption,
            name,
            "data",
        )
    )


def share_empty(row):
    return 100 * resampled[row]["empty"].sum() / resampled[row]["stored"].sum()


def between(row):
    """Whether the printed mean ratio lies between ours with equal errors split and not."""
    low, high = (ratios.mean() for ratios in judge_tables.rule_ratios(row))
    return low <= float(claims.find(f"dyadic.t1.{row}.improvement-ratio-rule-mean").number) <= high


Markdown(f"""**In short**

- *Claim:* lookahead pruning saves most of the work. *Found:* yes; on thyroid at λ = 2/n it leaves one in
  {thyroid["visited"][0] / thyroid["visited"][2]:.1f} to {thyroid["visited"][0] / thyroid["visited"][3]:.1f} rectangles (printed {claims.find("dyadic.f2.thyroid.improvement-ratio-rule").value}).
- The printed counts of rectangles are approached only if *empty* rectangles are counted too
  ({min(map(share_empty, ROWS)):.0f} to {max(map(share_empty, ROWS)):.0f} % of all stored), which the paper does not say.
- At λ = 2/n whole groups of rectangles have an error *equal* to λ. Whether they are split is decided by rounding; the
  printed mean ratios lie between both answers on {sum(map(between, ROWS))} of {len(ROWS)} data sets.
- *Claim:* the automatic k stays small and surrogates are few. *Found:* yes, with boxes a little wider than the data.
- *Claim:* the trees are smaller than CART's at equal error. *Found:* {verdicts["dyadic.sa.table-7.claim"].ours}.
""")

# %% [markdown]
# ## What was chosen here
#
# The paper leaves these open. The choices fit its Table 4 best; they are arguments of `dyadic.solution_path`.
#
# - **Box**: the range of the training rows, widened by two per cent in all (Spambase and Intrusion: the range of all
#   rows of the set).
# - **Side**: a point on a split goes left.
# - **Surrogates** whose labels all cost the same weigh nothing and are dropped.
# - **k**: each coordinate on its own, in the second step of Section 5. Diabetes is then lowered by hand, as in the paper.
# - **Features**: Spambase's and Intrusion's four were inferred from the printed k. Mushroom's ten too: of all choices of ten
#   features with more than two values, few give the printed compressed size, and of these ours come nearest to the printed
#   rectangles and largest tree. Their symbols are numbered as the names file lists them: in the order of the alphabet, or
#   of their first appearance in the data, no ten features give that size with these boxes. Intrusion's features are logarithms; without, its k is far from the printed one.
# - **Splits**: random, from fixed seeds. Of the official partitions of the six small sets, only the first one of two sets is
#   at hand; the paper's own partitions of the three large ones are lost. The ten training sets of each large set are drawn
#   from one design set: drawn from ten, their compressed sizes spread about twice as much as printed. Intrusion's is the
#   first random one whose ten training sets have the printed range of k, see {numref}`dyadic-design-sets`. Where a recursion
#   takes long, fewer training sets than in the paper are run.

# %% [markdown]
# ## The automatic k and the compressed data (Table 4)


# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
def table_4(i, j):
    """The cell of a row and a column of Table 4; one cell holds all components of k."""
    key = f"dyadic.t4.{ROWS[i]}"
    if COLUMNS[j] == "k":
        return [verdict for claim, verdict in verdicts.items() if re.fullmatch(rf"{key}\.k-\d+", claim)]
    return verdicts[f"{key}.{COLUMNS[j]}"]


COLUMNS = ["d", "n", "k", "k-blanchard", *(f"compressed-n-{part}" for part in PARTS)]
HEADS = ["d", "n", "k, by component", "[Blanchard et al.]", *(f"n̂ ({part})" for part in PARTS)]
Markdown(
    tables.grid(
        NAMES,
        HEADS,
        table_4,
        "Automatic k over the training sets, and surrogates after compression (Table 4). In each cell: printed, ours, verdict; k has one for each component unless all are alike.",
        "dyadic-table-4",
        "data",
    )
)

# %% [markdown]
# A pair of rows of two classes that nearly coincide decides the k of Intrusion, so each design set has its own. Only k was
# looked at when one was chosen; the sizes beside it follow.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
CHOSEN = settings.ROWS["intrusion"].design
lines = []
for number, sets in store.results("dyadic.design-sets").groupby("design"):
    sizes = [f"{value:,.0f}" for value in judge_tables.spread(sets["compressed_n"]).values()]
    bounds = [f"{value / 1e6:.0f}" for value in judge_tables.spread(sets["n_rho"]).values()]
    k = judge_tables.k_text(np.concatenate(sets["k"].tolist()).tolist())
    lines.append((f"{number}, chosen" if number == CHOSEN else number, k, *sizes, *bounds))
k = claims.find("dyadic.t4.intrusion.k-1").value
sizes = [f"{claims.find(f'dyadic.t4.intrusion.compressed-n-{part}').number:,.0f}" for part in PARTS]
bounds = [f"{claims.find(f'dyadic.t5.intrusion.nhat-rho-{part}').number / 10**6:.0f}" for part in PARTS]
lines.append(("printed", k, *sizes, *bounds))
Markdown(
    tables.table(
        ("design set", "k", *(f"n̂ ({part})" for part in PARTS), *(f"n̂ρ / 10^6 ({part})" for part in PARTS)),
        lines,
        "Intrusion: ten training sets of some random design sets.",
        "dyadic-design-sets",
        align="llrrrrrr",
    )
)

# %% [markdown]
# ## What pruning saves (Table 1, Figure 2)
#
# The paper compares its recursion with the dynamic program, which visits "every occupied rectangle". But it also says that
# at small $\lambda$ the ratio of both shrinks to 1, which holds only if the dynamic program too stops at rectangles of one
# class. So here the ratio is to the recursion at the smallest $\lambda$.

# %% mystnb={"figure": {"name": "dyadic-fig-2", "caption": "Rectangles visited with and without lookahead pruning, thyroid, all rows (Figure 2 of the paper)."}, "image": {"alt": "On logarithmic axes, a curve of rectangles visited falls from two hundred thousand at small lambda to one at large lambda, below a horizontal dashed line for the search without pruning."}} tags=["hide-input"]
use_style()
figure, ax = plt.subplots(figsize=(7, 3.6))
n = len(settings.load("thyroid")[1])
figures.figure_2(ax, thyroid["visited"], n, np.geomspace(0.05, len(thyroid["visited"]) - 1, 800))
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
grid(
    "t1",
    ["d", "n-design", "improvement-ratio-grid", "n", *(f"improvement-ratio-rule-{part}" for part in PARTS)],
    "Improvement ratios (Table 1). In each cell: printed, ours, verdict.",
    "dyadic-table-1",
)


# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
def ratio_line(row, name):
    found, (strict, pruned) = resampled[row], judge_tables.rule_ratios(row)
    occupied = (found["occupied"] / (found["stored"] - found["empty"])).mean()
    return (
        name,
        claims.find(f"dyadic.t1.{row}.improvement-ratio-rule-mean").value,
        f"{strict.mean():.2f}",
        f"{pruned.mean():.2f}",
        f"{occupied:.2f}",
        f"{share_empty(row):.0f}\u202f%",
        len(found),
    )


Markdown(
    tables.table(
        (
            "",
            "paper, mean at 2/n",
            "ours, equal error split",
            "ours, equal error a leaf",
            "all occupied : impure reach",
            "empty among stored",
            "training sets",
        ),
        [ratio_line(row, name) for row, name in zip(ROWS, NAMES, strict=True)],
        "What the improvement ratio depends on: rectangles whose error equals λ; pure rectangles, which a dynamic program over all occupied rectangles visits as well; empty ones.",
        "dyadic-ratios",
        align="lrrrrrr",
    )
)

# %% [markdown]
# ## How many rectangles (Table 5), and in which table (Table 6)
#
# A rectangle's key packs one number for each coordinate, the sum of its two end points, unique among dyadic intervals. With
# few bits the key is an index; otherwise the paper hashes it with random coefficients into lists. How few it does not say.
# Lists of length one on some training sets of flare-solar and thyroid, but not on others, put the limit between the bits
# of their keys, and so it is set here.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
grid(
    "t5",
    [f"{what}-{part}" for what in ("sigma-k", "nhat-rho", "rectangles-stored") for part in PARTS],
    "Rectangles: all, the bound, and those stored at the smallest λ (Table 5). In each cell: printed, ours, verdict.",
    "dyadic-table-5",
)

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
grid(
    "t6",
    ["d", "n", *(f"list-size-{part}" for part in PARTS)],
    "Mean lengths of the lists of the universal hash (Table 6). In each cell: printed, ours, verdict.",
    "dyadic-table-6",
)

# %% [markdown]
# The hash is a sum of products of few small numbers, so unlucky coefficients put many rectangles on one slot: universality
# speaks of the mean over coefficients, not of each draw. That mean is still bounded, by one plus the number of rectangles over
# the number of slots, and on three data sets the printed lists are longer than the paper's own Table 5 allows (see the
# errata): its coefficients were not drawn as it says, or its tables were smaller. A table that mixes the whole key and probes neighbouring slots has
# no lists, and is what the recursion uses unless told otherwise; all three tables find the same trees.
#
# ## Against CART (Table 7)

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
grid(
    "t7",
    [f"{method}-error-{part}" for method in ("odt", "cart") for part in PARTS],
    "Test errors of optimal dyadic trees and of CART over ten partitions (Table 7). In each cell: printed, ours, verdict.",
    "dyadic-table-7-error",
    rows=settings.LARGE,
)

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
grid(
    "t7",
    [f"{method}-leaves-{part}" for method in ("odt", "cart") for part in PARTS],
    "Leaves of both (Table 7). In each cell: printed, ours, verdict.",
    "dyadic-table-7-leaves",
    rows=settings.LARGE,
)

# %% [markdown]
# Among equally good solutions on the validation rows the smallest is taken; CART's tree is the one of least error over ten
# folds. All that the paper prints on the size of CART's trees has the parity of numbers of *nodes* (see the errata); the
# verdicts take its heading at its word. With the smaller tree within one standard error instead, CART's trees are as
# follows.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
lines = []
for row in settings.LARGE:
    found = judge_tables.rows_of("dyadic.t7", row)
    lines.append(
        (
            NAMES[ROWS.index(row)],
            *(f"{found[f'{m}_error'].mean():.4f}" for m in ("odt", "cart", "cart_1se")),
            *(f"{found[f'{m}_leaves'].mean():.1f}" for m in ("odt", "cart", "cart_1se")),
        )
    )
Markdown(
    tables.table(
        ("", "error: dyadic", "CART", "CART, 1 SE", "leaves: dyadic", "CART", "CART, 1 SE"),
        lines,
        "Means over ten partitions.",
        "dyadic-cart",
        align="lrrrrrr",
    )
)
