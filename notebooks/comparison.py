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
# # All methods side by side
#
# Each paper compares its method with CART, on its own data and in its own way. Here all methods meet on data sets of all
# four papers under one protocol: five outer folds, the same for everyone, give the error on rows not seen; inside each
# training set three inner folds choose the settings. The forest and its born-again trees have nothing to choose.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

from treelib.experiments import family_tables, store
from treelib.experiments.family_comparison import BORN_AGAIN_SECONDS, DATA, FINAL_SECONDS, METHODS, N_INNER, N_OUTER, PRICES
from treelib.experiments.tables import table
from treelib.style import method_color, method_style, use_style

frame = family_tables.comparison()
errors, leaves = family_tables.means(frame, "error"), family_tables.means(frame, "leaves")
objective = family_tables.means(frame, "objective")
trees = [name for name in METHODS if name in errors and name not in ("forest", "imodels")]
exact = family_tables.paired(frame, "exact", "cart")
clear = exact[exact["difference"].abs() > exact["half_width"]]
better, worse = int((exact["difference"] < 0).sum()), int((exact["difference"] > 0).sum())
smaller = int((leaves["exact"] < leaves["cart"]).sum())
ranks, n_data, p, critical = family_tables.mean_ranks(errors[trees])
object_ranks, _, object_p, _ = family_tables.mean_ranks(objective[trees])


def name(key):
    return METHODS[key]


Markdown(f"""**In short**

- Optimal against greedy: on {better} of {len(exact)} data sets the optimal sparse tree has the lower mean test error, on
  {worse} CART; the 95 % interval of the difference excludes zero on {len(clear)} of them
  ({int((clear["difference"] < 0).sum())} for the optimal tree).
- Size: the optimal tree has fewer leaves than CART on {smaller} of {len(leaves)} data sets.
- By mean rank of the test error over the {n_data} data sets that all single-tree methods take, {name(ranks.index[0])} comes
  first and {name(ranks.index[-1])} last; ranks closer than {critical:.2f} are not told apart at 5 %
  (Friedman's test: p = {p:.2g}).
- When a leaf costs {family_tables.ETA:g} of the rows (the objective of {{cite:t}}`tsallis`, Section 7), first comes
  {name(object_ranks.index[0])}, last {name(object_ranks.index[-1])}.
- The forest is the most accurate of all on {int((errors.idxmin(axis=1) == "forest").sum())} data sets; its born-again tree
  decides exactly alike, in one tree of {leaves["born-again"].median():.0f} leaves in the median.
""")

# %% [markdown]
# ## Protocol

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
skipped = store.results("family.comparison", partial=True)
skipped = skipped[skipped["not_run"].fillna("") != ""]
skips = "; ".join(
    f"{METHODS[method]}: {', '.join(part['data'])} ({'; '.join(sorted(set(part['not_run'])))})"
    for method, part in skipped.groupby("method", sort=False)
)
Markdown(
    f"- *Folds:* {N_OUTER} outer and {N_INNER} inner ones, stratified.\n"
    f"- *Prices of a leaf* (optimal sparse, dyadic, both prunings): {', '.join(map(str, PRICES))}.\n"
    f"- *Tsallis:* α in 0.5, 1, 1.5, 2, 3 and β in 1, 2, 4 besides, grown until pure and then pruned.\n"
    f"- *Forests* have ten trees of depth three.\n"
    f"- *Limits:* a final search stops after {FINAL_SECONDS:g} s with the best tree found, a born-again search after "
    f"{BORN_AGAIN_SECONDS:g} s.\n"
    f"- *Not run:* {skips or 'nothing'}.\n\n"
    f"Each result with all its folds: {{doc}}`../book/records`."
)

# %% [markdown]
# ## Error on rows not seen

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
def cell(data, method):
    part = frame[(frame["data"] == data) & (frame["method"] == method)]
    if part.empty:
        return "–"
    best = errors.loc[data].min()
    text = f"{100 * part['error'].mean():.1f}"
    if np.isclose(part["error"].mean(), best):
        text = f"**{text}**"
    return f"{text} ± {100 * family_tables.half_width(part['error'].to_numpy()):.1f}"


Markdown(
    table(
        ["data", *(METHODS[m] for m in errors)],
        [[data, *(cell(data, m) for m in errors)] for data in errors.index],
        "Mean test error in per cent over five folds, with 95 % intervals that allow for shared training rows "
        "{cite:p}`nadeau2003`. Bold: the lowest of the row.",
        "comparison-error",
        align="l" + "r" * errors.shape[1],
    )
)

# %% [markdown]
# ## Leaves

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
Markdown(
    table(
        ["data", *(METHODS[m] for m in leaves)],
        [[data, *("–" if np.isnan(v) else f"{v:.1f}" for v in leaves.loc[data])] for data in leaves.index],
        "Mean number of leaves; for the forest the sum over its ten trees.",
        "comparison-leaves",
        align="l" + "r" * leaves.shape[1],
    )
)

# %% [markdown]
# ## Who is better than whom
#
# Ranks over data sets {cite:p}`demsar2006`, over the sets that every method takes. A bar joins methods whose mean ranks are
# closer than the critical difference.

# %% mystnb={"figure": {"name": "comparison-ranks", "caption": "Mean ranks of the single-tree methods by test error, and by test error plus 0.01 for each leaf. Methods under one bar are not told apart at 5 %."}, "image": {"alt": "Two columns of dots, one for each method, ordered by mean rank, with bars that join methods not told apart."}} tags=["hide-input"]
use_style()
figure, axes = plt.subplots(2, 1, figsize=(7, 6.4))
for ax, values, title in zip(axes, (errors, objective), ("test error", "test error + 0.01 x leaves"), strict=True):
    found, _, _, width = family_tables.mean_ranks(values[trees])
    family_tables.draw_ranks(ax, found, width)
    ax.set_title(title)
plt.show()

# %% [markdown]
# ## Where optimality pays

# %% mystnb={"figure": {"name": "comparison-optimal", "caption": "Test error of the optimal sparse tree minus that of pruned CART, with 95 % intervals; left of zero the optimal tree is better."}, "image": {"alt": "One horizontal interval for each data set around the difference of the two errors; most intervals include zero."}} tags=["hide-input"]
use_style()
ordered = exact.sort_values("difference")
figure, ax = plt.subplots(figsize=(7, 0.32 * len(ordered) + 1))
ax.errorbar(
    100 * ordered["difference"], range(len(ordered)), xerr=100 * ordered["half_width"], fmt="o", color=method_color("exact")
)
ax.axvline(0, color=method_color("cart"), linestyle="--")
ax.set_yticks(range(len(ordered)), ordered["data"])
ax.set_xlabel("difference of the test error, percentage points")
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
pays = ", ".join(clear.loc[clear["difference"] < 0, "data"]) or "none"
costs = ", ".join(clear.loc[clear["difference"] > 0, "data"]) or "none"
Markdown(
    f"Told plainly: an advantage beyond its uncertainty is on {pays}; a disadvantage on {costs}. On all others five folds do "
    f"not tell the two apart. What optimality does give everywhere is the certainty that a size and an error on the training "
    f"data cannot be bettered at that price."
)

# %% [markdown]
# ## Error against size

# %% mystnb={"figure": {"name": "comparison-frontier", "caption": "Median over the data sets: leaves and test error relative to pruned CART. Lower left is better."}, "image": {"alt": "One marker for each method over leaves and test error, both divided by CART's. The single trees lie close together at about as many leaves as CART, the forest and its born-again tree far to the right."}} tags=["hide-input"]
use_style()
figure, ax = plt.subplots(figsize=(7.4, 4.2))
for m in errors:
    both = errors[[m, "cart"]].dropna().index if m != "cart" else errors.index
    x = (leaves.loc[both, m] / leaves.loc[both, "cart"]).median()
    y = (errors.loc[both, m] / errors.loc[both, "cart"]).median()
    style = method_style({"born-again-pruned": "born-again", "imodels": "peers"}.get(m, m))
    style |= {"linestyle": "none", "label": METHODS[m], "markerfacecolor": "none" if m == "born-again-pruned" else style["color"]}
    ax.plot(x, y, markersize=9, **style)
ax.set_xscale("log")
ax.set_xlabel("leaves / leaves of CART")
ax.set_ylabel("test error / that of CART")
ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
plt.show()

# %% [markdown]
# ## Stability and time

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
seconds = family_tables.means(frame, "fit_seconds")
agreement = family_tables.means(frame, "agreement")
proved = frame.groupby("method")["n_proved"].first().index
Markdown(
    table(
        ["method", "agreement of two folds' trees", "seconds of the final fit, median", "largest"],
        [
            [METHODS[m], f"{100 * agreement[m].mean():.1f} %", f"{seconds[m].median():.3g}", f"{seconds[m].max():.3g}"]
            for m in errors
        ],
        "Agreement: share of all rows to which the trees of two folds give the same class, mean over pairs and data sets.",
        "comparison-stability",
        align="lrrr",
    )
)

# %% [markdown]
# ## Does cutting in the middle cost accuracy, or only size?
#
# A dyadic tree may cut an interval only in its middle. We train on one half of the data, test on the other, five times,
# with three trees at the same price of a leaf: the dyadic tree; the sparse tree on *the same thresholds*, which may take
# them in any order; and the sparse tree on thresholds at quantiles.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
found = store.results("family.midpoints")
mean = found.groupby(["data", "price"], sort=False).mean(numeric_only=True)
KINDS = {"dyadic": "dyadic", "same": "same thresholds, any order", "quantile": "quantiles"}
Markdown(
    table(
        ["data", "λ", *(f"{text}: leaves" for text in KINDS.values()), *(f"{text}: test error" for text in KINDS.values())],
        [
            [
                data,
                f"{price:g}",
                *(f"{row[f'{kind}_leaves']:.1f}" for kind in KINDS),
                *(f"{100 * row[f'{kind}_test_error']:.1f} %" for kind in KINDS),
            ]
            for (data, price), row in mean.iterrows()
        ],
        "Three halvings a feature, means over five random halves.",
        "comparison-midpoints",
        align="lr" + "r" * 6,
    )
)

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
wins = sum(row["same_train_error"] + price * row["same_leaves"] < row["dyadic_train_error"] + price * row["dyadic_leaves"] - 1e-12 for (_, price), row in mean.iterrows())
lost = 100 * (mean["dyadic_test_error"] - mean["same_test_error"]).mean()
extra = (mean["dyadic_leaves"] - mean["same_leaves"]).mean()
Markdown(
    f"Freed from the order, the same thresholds give a lower training objective in {wins} of {len(mean)} rows; on average the "
    f"dyadic tree has {extra:+.1f} leaves and {lost:+.2f} percentage points of test error against it."
)

# %% [markdown]
# ## The exact path against the path of pruning
#
# Cost-complexity pruning minimises the same objective, but only among the prunings of one greedy tree. How far is that from
# the optimum at the same price?

# %% mystnb={"figure": {"name": "comparison-paths", "caption": "Objective of the pruned greedy tree over that of the optimal tree, by the price of a leaf."}, "image": {"alt": "One line for each data set; all begin at one where a leaf is expensive, and most rise as it gets cheaper."}} tags=["hide-input"]
use_style()
paths = store.results("family.paths")
figure, ax = plt.subplots(figsize=(7, 4.2))
markers = "osD^vPX"
for marker, (data, part) in zip(markers, paths.groupby("data", sort=False), strict=True):
    ax.plot(part["price"], part["greedy_objective"] / part["exact_objective"], marker=marker, label=data)
ax.set_xscale("log")
ax.set_xlabel("price of a leaf, λ")
ax.set_ylabel("objective, greedy / optimal")
ax.legend()
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
ratio = paths["greedy_objective"] / paths["exact_objective"]
worst = paths.loc[ratio.idxmax()]
Markdown(
    f"Pruning is optimal in {int((ratio < 1 + 1e-12).sum())} of {len(paths)} places; at worst its objective is "
    f"{ratio.max():.2f} times the optimum ({worst['data']} at λ = {worst['price']:g}, {int(worst['greedy_leaves'])} leaves "
    f"against {int(worst['exact_leaves'])})."
)

# %% [markdown]
# ## How many trees are nearly optimal?

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
rashomon = store.results("family.rashomon")
tolerances = sorted(rashomon["epsilon"].unique())
Markdown(
    table(
        ["data", *(f"ε = {epsilon:g}" for epsilon in tolerances), "features in some / in every tree"],
        [
            [
                data,
                *(
                    f"{int(row['n_trees']):,}" + ("" if row["complete"] else " or more")
                    for _, row in part.sort_values("epsilon").iterrows()
                ),
                f"{int(part.sort_values('epsilon').iloc[-1]['n_features_used'])} / "
                f"{int(part.sort_values('epsilon').iloc[-1]['n_features_in_all'])}",
            ]
            for data, part in rashomon.groupby("data", sort=False)
        ],
        f"Trees within ε of the optimum at λ = {rashomon['price'].iloc[0]:g}, counted as different when they divide the rows "
        "differently. Last column: at the largest ε.",
        "comparison-rashomon",
        align="l" + "r" * (len(tolerances) + 1),
    )
)

# %% [markdown]
# Where the set is small, the data single out one tree; where it is large, naming "the" important features from one tree
# says more about the search than about the data.
