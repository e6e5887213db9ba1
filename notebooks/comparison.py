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
# four papers under one protocol, nested cross-validation: five outer folds, the same for everyone, give the error on rows
# not seen; inside each training set three inner folds choose the settings, and never see the rows left out. The forest,
# its born-again trees and the Bayesian tree have nothing to choose.

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np

from treelib.papers.across.comparison import tables as comparison_tables
from treelib.ledger import store
from treelib.ledger.page import Markdown
from treelib.papers.across.comparison.methods import ALPHAS, BETAS, BORN_AGAIN_SECONDS
from treelib.papers.across.comparison.peers import PEERS
from treelib.papers.across.comparison.protocol import (FINAL_SECONDS, N_INNER, N_OUTER, PRICES, TUNING_SECONDS)
from treelib.papers.across.comparison.tables import METHODS
from treelib.ledger.tables import table
from treelib.tree.style import method_style, use_style

frame = comparison_tables.comparison()
errors, leaves = comparison_tables.means(frame, "error"), comparison_tables.means(frame, "leaves")
objective = comparison_tables.means(frame, "objective")
judged_by = {"test error": errors, "test error + 0.01 x leaves": objective}
peers = [name for name in PEERS if name in errors]
papers = [name for name in errors if name not in peers]
trees = [name for name in papers if name != "forest"]
# the programs for one problem, and the greedy tree that all of them mean to beat
programs = ["exact", *peers, "cart"]
everywhere = [name for name in programs if errors[name].notna().all()]
rivals = comparison_tables.against(frame, "exact", [*(name for name in trees if name != "exact"), *peers])
rivals = rivals.set_index("method")
exact = comparison_tables.paired(frame, "exact", "cart")
clear = exact[exact["difference"].abs() > exact["half_width"]]
better, worse = int((exact["difference"] < 0).sum()), int((exact["difference"] > 0).sum())
smaller = int((leaves["exact"] < leaves["cart"]).sum())
overall = comparison_tables.signed_rank_p(exact["difference"])
ranks, n_data, p, critical = comparison_tables.mean_ranks(errors[trees])
object_ranks, _, object_p, _ = comparison_tables.mean_ranks(objective[trees])
best_forest = errors["forest"] <= errors[papers].min(axis=1) + 1e-12
said = "p > 0.99" if p > 0.99 else f"p = {p:.2g}"
friedman = (
    f"Ranks closer than {critical:.2f} are not told apart at 5 % (Friedman's test: {said})."
    if p < 0.05
    else f"That order is no evidence of a difference (Friedman's test: {said})."
)


def name(key):
    return METHODS[key]


def gap(key):
    """Difference of the mean test error, optimal sparse tree minus another method, with its interval."""
    return f"{100 * rivals.loc[key, 'difference']:+.1f} ± {100 * rivals.loc[key, 'half_width']:.1f}"


peer_line = "; ".join(f"{gap(key)} against {name(key)} ({rivals.loc[key, 'n_data']} data sets)" for key in peers)


Markdown(f"""**In short**

- Optimal against greedy: on {better} of {len(exact)} data sets the optimal sparse tree has the lower mean test error, on
  {worse} CART; the 95 % interval of the difference excludes zero on {len(clear)} of them
  ({int((clear["difference"] < 0).sum())} for the optimal tree), where chance alone would do so on
  about {len(exact) / 20:.0f}. Over all data sets together the two do {"" if overall < 0.05 else "not "}differ
  (Wilcoxon's signed ranks: p = {overall:.2g}).
- Size: the optimal tree has fewer leaves than CART on {smaller} of {len(leaves)} data sets.
- By mean rank of the test error over the {n_data} data sets that all single-tree methods take, {name(ranks.index[0])} comes
  first ({ranks.iloc[0]:.1f}) and {name(ranks.index[-1])} last ({ranks.iloc[-1]:.1f}). {friedman}
- When a leaf costs {comparison_tables.ETA:g} of the rows (the objective of {{cite:t}}`tsallis`, Section 7),
  {name(object_ranks.index[0])} comes first and {name(object_ranks.index[-1])} last. Settings were chosen for the error alone.
- Public programs for the optimal sparse tree, on the same candidate tests; mean test error of ours minus theirs in
  percentage points, with the 95 % interval over data sets: {peer_line}.
- The forest is as accurate as any on {int(best_forest.sum())} of {len(errors)} data sets; its born-again tree
  decides exactly alike, in one tree of {leaves["born-again"].median():.0f} leaves in the median, before pruning.
""")

# %% [markdown]
# ## Protocol

# %% tags=["remove-input"]
skipped = comparison_tables.results()
skipped = skipped[skipped["not_run"] != ""]
skips = "; ".join(
    f"{METHODS[method]}: {', '.join(part['data'])} ({'; '.join(sorted(set(part['not_run'])))})"
    for method, part in skipped.groupby("method", sort=False)
)
Markdown(
    f"- *Folds:* {N_OUTER} outer and {N_INNER} inner ones, stratified.\n"
    f"- *Prices of a leaf* (optimal sparse, dyadic, both prunings): {', '.join(map(str, PRICES))}; CART's are in units of the "
    f"Gini impurity, as scikit-learn prunes, all others in shares of the training rows.\n"
    f"- *Tsallis:* α in {', '.join(map('{:g}'.format, ALPHAS))} and β in {', '.join(map('{:g}'.format, BETAS))} besides, grown "
    f"until pure and then pruned.\n"
    f"- *Forests* have ten trees of depth three, which vote by majority.\n"
    f"- *Limits:* a search stops after {TUNING_SECONDS:g} s while settings are chosen, the final one after {FINAL_SECONDS:g} s, "
    f"with the best tree found; a born-again search stops after {BORN_AGAIN_SECONDS:g} s.\n"
    f"- *Public programs* ({', '.join(METHODS[name] for name in PEERS)}) see the candidate tests of our optimal sparse tree, "
    f"ten thresholds a column at most, and the same prices; each fit runs in a process of its own. STreeD solves the problem "
    f"of limited depth, LicketySPLIT comes near the optimum and proves nothing. GOSDT counts its limit in whole seconds, and "
    f"its unfinished trees are far from the optimum: of its prices only those count at which it proves its trees, which may "
    f"be the dearest alone, so its errors speak of that limit.\n"
    f"- *Not run:* {skips or 'nothing'}.\n"
    f"- *Reach:* the data sets are those that the project may hold, small ones and several of one kind; ranks over them speak "
    f"of such data. P-values are not corrected for the several tests of this page.\n\n"
    f"Each result with all its folds: {{doc}}`../book/records`."
)

# %% [markdown]
# ## Error on rows not seen

# %% tags=["remove-input"]
def cell(data, method, among):
    part = frame[(frame["data"] == data) & (frame["method"] == method)]
    if part.empty:
        return "–"
    best = errors.loc[data, among].min()
    text = f"{100 * part['error'].mean():.1f}"
    if np.isclose(part["error"].mean(), best):
        text = f"**{text}**"
    return f"{text}<br>±\u202f{100 * comparison_tables.half_width(part['error'].to_numpy()):.1f}"


table(
    ["data", *(METHODS[m] for m in papers)],
    [[comparison_tables.short(data), *(cell(data, m, papers) for m in papers)] for data in errors.index],
    "Mean test error in per cent over five folds, with 95 % intervals that allow for shared training rows "
    "{cite:p}`nadeau2003`. Bold: the lowest of the row.",
    "comparison-error",
    align="l" + "r" * len(papers),
)

# %% tags=["remove-input"]
table(
    ["data", *(METHODS[m] for m in programs)],
    [[comparison_tables.short(data), *(cell(data, m, programs) for m in programs)] for data in errors.index],
    "The same of the programs for optimal sparse trees, ours first, and of CART. Bold: the lowest of the row.",
    "comparison-error-programs",
    align="l" + "r" * len(programs),
)

# %% [markdown]
# ## Leaves

# %% tags=["remove-input"]
def leaf_table(methods, caption, label):
    rows = [
        [comparison_tables.short(data), *("–" if np.isnan(v) else f"{v:.1f}" for v in leaves.loc[data, methods])]
        for data in leaves.index
    ]
    return table(["data", *(METHODS[m] for m in methods)], rows, caption, label, align="l" + "r" * len(methods))


Markdown(
    leaf_table(papers, "Mean number of leaves; for the forest the sum over its ten trees.", "comparison-leaves")
    + "\n\n"
    + leaf_table(programs, "Mean number of leaves of the public programs' trees.", "comparison-leaves-programs")
)

# %% [markdown]
# ## Who is better than whom
#
# Ranks over data sets {cite:p}`demsar2006`, over the sets that every method takes. A bar joins methods whose mean ranks are
# closer than the critical difference.

# %% mystnb={"figure": {"name": "comparison-ranks", "caption": "Mean ranks of the single-tree methods by test error, and by test error plus 0.01 for each leaf. Methods under one bar are not told apart at 5 %."}, "image": {"alt": "Two columns of dots, one for each method, ordered by mean rank, with bars that join methods not told apart."}} tags=["remove-input"]
use_style()
comparison_tables.draw_rank_panels(plt.subplots(2, 1, figsize=(7, 6.4))[1], judged_by, trees)
plt.show()

# %% mystnb={"figure": {"name": "comparison-ranks-programs", "caption": "Mean ranks of the programs for optimal sparse trees and of CART, over all data sets; a program that lacks some is left out. The public programs are grey."}, "image": {"alt": "Two columns of markers, one for each program and CART, ordered by mean rank, with bars that join programs not told apart."}} tags=["remove-input"]
use_style()
comparison_tables.draw_rank_panels(plt.subplots(2, 1, figsize=(7, 5.4))[1], judged_by, everywhere)
plt.show()

# %% [markdown]
# ## Where optimality pays

# %% mystnb={"figure": {"name": "comparison-optimal", "caption": "Test error of the optimal sparse tree minus that of pruned CART, with 95 % intervals; left of zero the optimal tree is better."}, "image": {"alt": "One horizontal interval for each data set around the difference of the two errors; most intervals include zero."}} tags=["remove-input"]
use_style()
ordered = exact.sort_values("difference")
figure, ax = plt.subplots(figsize=(7, 0.32 * len(ordered) + 1))
ax.errorbar(
    100 * ordered["difference"], range(len(ordered)), xerr=100 * ordered["half_width"],
    fmt="o", color=method_style("exact")["color"],
)
ax.axvline(0, color=method_style("cart")["color"], linestyle="--")
ax.set_yticks(range(len(ordered)), map(comparison_tables.short, ordered["data"]))
ax.set_xlabel("difference of the test error, percentage points")
plt.show()

# %% tags=["remove-input"]
table(
    ["against", "data sets", "error lower / higher", "beyond the interval", "mean difference, points", "p", "leaves, ratio"],
    [
        [
            METHODS[m],
            f"{row['n_data']:.0f}",
            f"{row['lower']:.0f} / {row['higher']:.0f}",
            f"{row['clearly_lower']:.0f} / {row['clearly_higher']:.0f}",
            gap(m),
            f"{row['p']:.2g}",
            f"{row['leaves']:.2f}",
        ]
        for m, row in rivals.iterrows()
    ],
    "The optimal sparse tree against each other single tree. Beyond the interval: data sets whose 95 % interval of the "
    "difference excludes zero. Mean difference over the data sets with its 95 % interval, negative where the optimal tree "
    "errs less; p of Wilcoxon's signed ranks, corrected for the rows of this table (Holm); geometric mean of the ratio of "
    "leaves, below one where the optimal tree is smaller.",
    "comparison-rivals",
    align="lrrrrrr",
)

# %% tags=["remove-input"]
told_apart = rivals[rivals["p"] < 0.05]
plainly = (
    "no other method differs from the optimal sparse tree in test error beyond chance"
    if told_apart.empty
    else "only these differ from the optimal sparse tree in test error beyond chance: "
    + ", ".join(
        f"{METHODS[m]} ({'worse' if row['difference'] < 0 else 'better'} by {abs(100 * row['difference']):.1f} points)"
        for m, row in told_apart.iterrows()
    )
)
near = rivals.loc[[m for m in ("licketysplit", "pystreed") if m in rivals.index]]
nearly = "; ".join(
    f"against {METHODS[m]} the mean difference is {gap(m)} points at {row['leaves']:.2f} times the leaves" for m, row in near.iterrows()
)
pays = ", ".join(map(comparison_tables.short, clear.loc[clear["difference"] < 0, "data"])) or "none"
costs = ", ".join(map(comparison_tables.short, clear.loc[clear["difference"] > 0, "data"])) or "none"
Markdown(
    f"Told plainly: the optimal tree is better than CART beyond its uncertainty on {pays}, worse beyond it on {costs}. On all others five "
    f"folds do not tell the two apart, which is not to say that they are equal: the intervals reach "
    f"{100 * exact['half_width'].median():.1f} percentage points to either side in the median. What a finished proof gives "
    f"everywhere is the certainty that no tree over the same tests has a lower training error at that price.\n\n"
    f"Over all data sets, after correction, {plainly}. Whether the last step to the optimum pays on new rows is told by programs "
    f"that stop short of it or limit the depth: {nearly or 'they were not run here'}. Where such an interval holds zero and is "
    f"narrow, a tree near the optimum predicts as well, and the proof is worth what its certainty is worth."
)

# %% [markdown]
# ## One objective in two papers
#
# {cite:t}`tsallis` (Section 7) weigh accuracy against explanation: test error + η x leaves. That is the objective of
# {cite:t}`osdt` with λ = η, which the sparse search minimises on the training rows. Does its optimum also win on rows not
# seen, against trees whose criterion was tuned and which were then pruned?

# %% tags=["remove-input"]
ETAS = (0.001, 0.005, 0.01, 0.02, 0.05)
judged = {eta: frame.assign(objective=frame["error"] + eta * frame["leaves"]) for eta in ETAS}
weighed = {
    eta: (comparison_tables.mean_ranks(comparison_tables.means(part, "objective")[trees])[0], comparison_tables.paired(part, "exact", "tsallis", "objective"))
    for eta, part in judged.items()
}
table(
    ["η", *(METHODS[m] for m in trees), "sparse - Tsallis, points", "p"],
    [
        [
            f"{eta:g}",
            *(f"{found[m]:.1f}" for m in trees),
            "{:+.2f} ± {:.2f}".format(*(100 * v for v in comparison_tables.over_data(pairs["difference"]))),
            f"{comparison_tables.signed_rank_p(pairs['difference']):.2g}",
        ]
        for eta, (found, pairs) in weighed.items()
    ],
    f"Mean ranks by test error + η x leaves over the {n_data} data sets that all these methods take, and the mean difference "
    f"between the optimal sparse tree and the tuned and pruned one over all {len(exact)}, with its 95 % interval and the p of "
    "Wilcoxon's signed ranks. Settings were chosen for the error alone.",
    "comparison-eta",
    align="l" + "r" * (len(trees) + 2),
)

# %% [markdown]
# ## Error against size

# %% mystnb={"figure": {"name": "comparison-frontier", "caption": "Median over the data sets: leaves and test error relative to pruned CART. Lower left is better. GOSDT, whose errors speak of its limit of time, would hide what the others have to tell."}, "image": {"alt": "One marker for each method over leaves and test error, both divided by CART's. The single trees lie close together at about as many leaves as CART, the forest and its born-again tree far to the right."}} tags=["remove-input"]
use_style()
figure, ax = plt.subplots(figsize=(7.4, 4.2))
drawn = [m for m in errors if m != "gosdt"]
for m in drawn:
    both = errors[[m, "cart"]].dropna().index if m != "cart" else errors.index
    x = (leaves.loc[both, m] / leaves.loc[both, "cart"]).median()
    y = (errors.loc[both, m] / errors.loc[both, "cart"]).median()
    ax.plot(x, y, linestyle="none", markersize=9, **comparison_tables.look(m))
ax.set_xscale("log")
ax.set_xlabel("leaves / leaves of CART")
ax.set_ylabel("test error / that of CART")
ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
plt.show()

# %% mystnb={"figure": {"name": "comparison-panels", "caption": "Mean test error in per cent (up) against mean number of leaves (right, log scale), one panel a data set, marks as in the figure before. No other method is better in both than a mark with nothing to its lower left."}, "image": {"alt": "One small panel for each data set; single trees lie at the left, the forest and its born-again tree at the right at one height."}} tags=["remove-input"]
use_style()
figure, axes = plt.subplots(-(-len(errors) // 4), 4, sharex=True, figsize=(7, 1.75 * -(-len(errors) // 4)))
comparison_tables.draw_panels(axes, errors[drawn], leaves)
plt.show()

# %% [markdown]
# ## Stability, proof and time

# %% tags=["remove-input"]
seconds = comparison_tables.means(frame, "fit_seconds")
agreement = comparison_tables.means(frame, "agreement")
n_proved = comparison_tables.means(frame, "n_proved")
PROVES = ("exact", "dyadic", "born-again", "imodels", "pystreed", "gosdt")
table(
    ["method", "agreement of two folds' trees", "proved", "seconds of the final fit, median", "largest"],
    [
        [
            METHODS[m],
            f"{100 * agreement[m].mean():.1f} %",
            f"{100 * n_proved[m].sum() / (N_OUTER * n_proved[m].count()):.0f} %" if m in PROVES else "–",
            f"{seconds[m].median():.3g}",
            f"{seconds[m].max():.3g}",
        ]
        for m in errors
    ],
    "Agreement: share of all rows to which the trees of two folds give the same class, mean over pairs and data sets; a "
    "tree that ignores the data agrees with itself. Proved: share of the final searches that ended with a proof.",
    "comparison-stability",
    align="lrrrr",
)

# %% [markdown]
# ## Does cutting in the middle cost accuracy, or only size?
#
# A dyadic tree may cut an interval only in its middle. We train on one half of the data, test on the other, five times,
# with three trees at the same price of a leaf: the dyadic tree; the sparse tree on *the same thresholds*, which may take
# them in any order; and the sparse tree on thresholds at quantiles.

# %% tags=["remove-input"]
found = store.results("family.midpoints")
mean = found.groupby(["data", "price"], sort=False).mean(numeric_only=True)
KINDS = {"dyadic": "dyadic", "same": "same thresholds, any order", "quantile": "quantiles"}
table(
    ["data", "λ", *(f"{text}: leaves" for text in KINDS.values()), *(f"{text}: test error" for text in KINDS.values())],
    [
        [
            comparison_tables.short(data),
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

# %% tags=["remove-input"]
wins = sum(row["same_train_error"] + price * row["same_leaves"] < row["dyadic_train_error"] + price * row["dyadic_leaves"] - 1e-12 for (_, price), row in mean.iterrows())
by_data = found.groupby("data").mean(numeric_only=True)  # prices of one data set are not independent
lost, lost_width = (100 * v for v in comparison_tables.over_data(by_data["dyadic_test_error"] - by_data["same_test_error"]))
extra = (mean["dyadic_leaves"] - mean["same_leaves"]).mean()
Markdown(
    f"Freed from the order, the same thresholds give a lower training objective in {wins} of {len(mean)} rows; on average the "
    f"dyadic tree has {extra:+.1f} leaves and {lost:+.2f} percentage points of test error against it (95 % interval over the {len(by_data)} data sets: ±{lost_width:.2f}). "
    + (
        "So the order costs accuracy."
        if lost - lost_width > 0
        else "So few data sets do not tell whether the order costs accuracy."
    )
)

# %% [markdown]
# ## Born-again trees of tuned forests
#
# {cite:t}`tsallis` tune the criterion that splits, of single trees; {cite:t}`bornagain` replace a forest by one tree. Put
# together: does a forest whose (α, β) is tuned predict better than one with the Gini criterion, and is the tree that
# replaces it smaller? Both forests have the same seeds, so that only the criterion differs; the inner folds choose among
# the pairs of the protocol, and Gini where none is better.

# %% tags=["remove-input"]
rows, mean = comparison_tables.forests()
KINDS = ("gini", "tuned")
table(
    ["data", *(f"{text}, {kind}" for text in ("test error", "depth", "leaves", "pruned leaves") for kind in ("Gini", "tuned"))],
    [
        [
            comparison_tables.short(data),
            *(f"{100 * row['error', kind]:.1f} %" for kind in KINDS),
            *(f"{row[column, kind]:.1f}" for column in ("depth", "leaves", "pruned_leaves") for kind in KINDS),
        ]
        for data, row in mean.iterrows()
    ],
    "Forests with the Gini criterion and with a tuned one, and their born-again trees of least depth: means over five folds. "
    "Pruned: without the leaves that no training row reaches.",
    "comparison-forests",
    align="l" + "r" * 8,
)

# %% tags=["remove-input"]
tuned = rows[rows["method"] == "tuned"]
departs = int(((tuned["alpha"] != 2) | (tuned["beta"] != 1)).sum())
by_error = comparison_tables.paired(rows, "tuned", "gini")
by_leaves = comparison_tables.paired(rows, "tuned", "gini", "leaves")
told = int((by_error["difference"].abs() > by_error["half_width"]).sum())
fewer, more = int((by_leaves["difference"] < 0).sum()), int((by_leaves["difference"] > 0).sum())
told_leaves = int((by_leaves["difference"].abs() > by_leaves["half_width"]).sum())
Markdown(
    f"Tuning leaves Gini on {departs} of {len(tuned)} folds. The tuned forest errs less on "
    f"{int((by_error['difference'] < 0).sum())} of {len(mean)} data sets and more on "
    f"{int((by_error['difference'] > 0).sum())}; the 95 % interval of the difference excludes zero on {told} "
    f"(Wilcoxon over the data sets: p = {comparison_tables.signed_rank_p(by_error['difference']):.2g}). Its born-again tree has fewer "
    f"leaves on {fewer} data sets and more on {more}, by more than the 95 % interval on {told_leaves}; in the median "
    f"{(mean['leaves', 'tuned'] / mean['leaves', 'gini']).median():.2f} times as many "
    f"(p = {comparison_tables.signed_rank_p(by_leaves['difference']):.2g}). {int(rows['proved'].sum())} of {len(rows)} born-again trees are "
    f"proved smallest in depth."
)

# %% [markdown]
# ## The exact path against the path of pruning
#
# Cost-complexity pruning minimises the same objective, but only among the prunings of one greedy tree. How far is that from
# the optimum at the same price?

# %% mystnb={"figure": {"name": "comparison-paths", "caption": "Objective of the pruned greedy tree over that of the optimal tree, by the price of a leaf."}, "image": {"alt": "One line for each data set; all begin at one where a leaf is expensive, and most rise as it gets cheaper."}} tags=["remove-input"]
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

# %% tags=["remove-input"]
ratio = paths["greedy_objective"] / paths["exact_objective"]
worst = paths.loc[ratio.idxmax()]
Markdown(
    f"Pruning is optimal in {int((ratio < 1 + 1e-12).sum())} of {len(paths)} places; at worst its objective is "
    f"{ratio.max():.2f} times the optimum ({worst['data']} at λ = {worst['price']:g}, {int(worst['greedy_leaves'])} leaves "
    f"against {int(worst['exact_leaves'])})."
)

# %% [markdown]
# ## How many trees are nearly optimal?

# %% tags=["remove-input"]
rashomon = store.results("family.rashomon")
tolerances = sorted(rashomon["epsilon"].unique())
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

# %% [markdown]
# Where the set is small, the data single out one tree; where it is large, naming "the" important features from one tree
# says more about the search than about the data.
