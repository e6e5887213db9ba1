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
# # Learning to prune
#
# A tree that is grown until nothing is left to split has learned its training rows by heart. Pruning takes back what
# does not pay. How much does not pay is again a parameter, and {cite:t}`tsallis` learn it. This page prunes in five
# ways, trades accuracy against size, and tunes the regularisation of boosted trees.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

from treelib.papers.tsallis import splits, figures as tsallis_figures, summary, verdicts
from treelib.ledger import claims, tables
from treelib.tree.style import CLASS_COLORS, INK, use_style

everything = verdicts.verdicts()
total = claims.count(everything)
by_id = {verdict.claim.id: verdict for verdict in everything}
gini = {data: summary.pruned(data, *splits.STANDARD["Gini"]) for data in splits.MAIN}
entropy = {data: summary.pruned(data, *splits.STANDARD["Entropy"]) for data in splits.PRUNED}
boosted = {data: summary.boosting_choice(data) for data in splits.MAIN}
n_splits = len(next(iter(gini.values())).rows)

table_2 = [verdict for key, verdict in by_id.items() if key.startswith("tsallis.t2.")]
one_split = sum(
    tsallis_figures.is_one_split(f"tsallis.t2.{key}.acc-{column}", data)
    for key, data in tsallis_figures.TABLE_2.items()
    for column in tsallis_figures.METHODS_2
)
halved = {data: found.leaves[:, 0].mean() for data, found in entropy.items()}
Markdown(f"""**In short**

- *Claim:* the loss of the pruned tree is piecewise constant in the complexity parameter, with at most $t$ pieces, and
  different data have different best parameters. *Found:* both, on all {n_splits} splits of {len(gini)} data sets
  ({{numref}}`tsallis-fig-1`).
- *Claim:* cost-complexity pruning with a learned parameter is more accurate than three other methods and than no
  pruning. *Found:* {by_id["tsallis.sb-2.pruning.claim"].ours}.
- *Different:* Table 2 is called a mean over 50 splits, but {one_split} of its {len(table_2)} cells are whole numbers of
  test rows, as one split gives. {claims.count(table_2)["close"]} of the cells are within the range of our single splits,
  or the interval of our mean; {claims.count(table_2)["match"]} more are those of scikit-learn's own example of
  cost-complexity pruning, to the last digit; {claims.count(table_2)["differs"]} differ ({{numref}}`tsallis-table-2`).
- *Claim:* data sets differ in the best regularisation of XGBoost. *Found:* yes,
  {by_id["tsallis.s9.xgboost.claim"].ours if boosted["Iris"] else "from the stored results"}.
- *Claim:* different criteria give the best small tree at different sizes. *Found:* yes
  ({{numref}}`tsallis-fig-5`), with the best means at {by_id["tsallis.s9.frontier.claim"].ours}.
""")

# %% [markdown]
# ## All prunings of a tree at once
#
# Minimal cost-complexity pruning keeps, among all prunings of a tree, the smallest that minimises error + ã × leaves.
# As the price ã of a leaf rises, the trees are nested, and the tree changes only at finitely many prices. These are
# ratios of whole numbers of rows, and `cost_complexity_path` returns them as fractions:

# %%
path, errors = tsallis_figures.example_path("Iris")
for price, n_leaves, error in zip(path.breakpoints, path.n_leaves, errors):
    print(f"from ã = {str(price):>5}: {n_leaves} leaves, test error {error:.3f}")

# %% [markdown]
# So the test error is an exact step function of the parameter, and so is its mean over splits; nothing has to be
# sampled. {numref}`tsallis-fig-1` shows both.

# %% mystnb={"figure": {"name": "tsallis-fig-1", "caption": "Test loss of the pruned tree against the complexity parameter, as exact step functions; trees grown by Gini impurity (Figure 1 of the paper). Thin: three single splits. Thick: the mean over all splits; the dot marks its best piece."}, "image": {"alt": "Four panels. Every thin line is a staircase of few steps; the thick mean falls slightly, then rises steeply, at a price that differs between the data sets."}} tags=["hide-input"]
use_style()
figure, panels = plt.subplots(2, 2, figsize=(7, 5.6))
for panel, (data, found) in zip(panels.flat, gini.items()):
    for one in found.accuracy[:3]:
        panel.step(found.complexities, 1 - one / 100, where="post", color=INK, linewidth=0.8, alpha=0.7)
    panel.step(found.complexities, 1 - found.mean / 100, where="post", color=CLASS_COLORS[0], linewidth=2)
    complexity, accuracy = found.best
    panel.plot(complexity, 1 - accuracy / 100, "o", color="#dd1fa6")
    panel.set_xscale("symlog", linthresh=1e-3)
    panel.set(title=data, xlim=(0, 1))
for panel in panels[-1]:
    panel.set(xlabel="complexity parameter ã")
for panel in panels[:, 0]:
    panel.set(ylabel="test loss")
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
rows = []
for data, found in gini.items():
    low, high = np.quantile(found.best_of_each(), [0.1, 0.9])
    complexity, accuracy = found.best
    rows.append(
        (
            data,
            f"{complexity:.4f}",
            f"{low:.4f} to {high:.4f}",
            f"{found.column('unpruned').mean():.2f}",
            f"{accuracy:.2f}",
            f"{found.learned().mean():.2f}",
            f"{found.oracle().mean():.2f}",
        )
    )
Markdown(
    tables.table(
        ("data", "best ã", "best ã of a split, middle 80 %", "not pruned", "best ã", "learned", "best per split"),
        rows,
        f"The complexity parameter over {n_splits} splits: where the mean accuracy is highest; where single splits have "
        "their best; and accuracy in percent without pruning, at the best parameter of all splits, at one learned from "
        "the other splits, and with each split's own best, which looks at the test part.",
        "tsallis-complexity",
        align="lrrrrrr",
    )
)

# %% [markdown]
# ## Five ways to prune (Table 2)
#
# Beside cost-complexity pruning: *reduced error* pruning asks rows held out from growing; *top-down pessimistic* pruning
# {cite:p}`quinlan-simplifying` adds half an error to each leaf and one standard error to the sum; *bottom-up pessimistic*
# pruning {cite:p}`mansour-pessimistic` allows a subtree as many errors as its size excuses. All are `Tree -> Tree` functions in
# `treelib.topdown.prune.methods`.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
Markdown(f"""Constants and held-out rows are not printed in the paper. Here one training row in {tsallis_figures.HELD_OUT} is
held out for reduced error pruning, and bottom-up pessimistic pruning has c₁ = {tsallis_figures.DEFAULT_C1:g} and c₂ = 0: of the values tried
({{numref}}`tsallis-bottom-up`) the one at which all four printed cells lie within the range of single splits. All trees are grown by entropy until no leaf can be split. Cost-complexity pruning has the one parameter that is best over all
splits, as the paper seems to choose it. Two printed cells of cost-complexity pruning are whole numbers of a *quarter* of
the rows: they come out exactly from scikit-learn's example of it, which holds out a quarter with seed 0, grows by Gini
impurity, and reads the best parameter off the test part
({", ".join(f"{data} {tsallis_figures.documented_example(data).accuracy:.2f} %" for data in ("Iris", "Breast cancer"))}).
""")

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
Markdown(
    tables.grid(
        list(tsallis_figures.TABLE_2.values()),
        list(tsallis_figures.METHODS_2.values()),
        lambda i, j: by_id[f"tsallis.t2.{list(tsallis_figures.TABLE_2)[i]}.acc-{list(tsallis_figures.METHODS_2)[j]}"],
        f"Test accuracy: as printed, our mean over {n_splits} splits, and the verdict (Table 2 of the paper). A cell that "
        "is one split's is close where it lies in the central 95 % of our splits; the matches are one split each, that of "
        "scikit-learn's example.",
        "tsallis-table-2",
    )
)

# %% mystnb={"figure": {"name": "tsallis-splits", "caption": "Accuracy of each method: every split as a point, their mean as a bar, and the printed cell as a diamond."}, "image": {"alt": "Four panels, one a data set, with five columns of points each. The points of a column spread over ten points of accuracy or more; most printed diamonds lie inside the spread, those of unpruned Iris and unpruned Breast cancer below it."}} tags=["hide-input"]
use_style()
figure, panels = plt.subplots(2, 2, figsize=(7, 6), sharex=True)
random = np.random.default_rng(0)
labels = ("none", "cost", "reduced", "top-down", "bottom-up")
for panel, (key, data) in zip(panels.flat, tsallis_figures.TABLE_2.items()):
    for j, (column, accuracy) in enumerate(tsallis_figures.table_2(data).items()):
        shift = random.uniform(-0.25, 0.25, len(accuracy))
        panel.plot(j + shift, accuracy, ".", color=CLASS_COLORS[j], markersize=4, alpha=0.6)
        panel.plot([j - 0.35, j + 0.35], [accuracy.mean()] * 2, color=INK, linewidth=2)
        printed = float(by_id[f"tsallis.t2.{key}.acc-{column}"].claim.number)
        panel.plot(j, printed, "D", color="#dd1fa6", markersize=6)
    panel.set(title=data, ylabel="accuracy, %")
    panel.set_xticks(range(len(labels)), labels, rotation=30)
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
c1_rows = [
    (data, *(f"{value:.2f}" for value in found.column("bottom_up").mean(axis=0)))
    for data, found in entropy.items()
]
Markdown(
    tables.table(
        ("data", *(f"c₁ = {c1:g}" for c1 in tsallis_figures.C1)),
        c1_rows,
        "Bottom-up pessimistic pruning at several constants (accuracy in percent, c₂ = 0): what it loses is a matter of "
        "this constant, which the paper does not print.",
        "tsallis-bottom-up",
        align="l" + "r" * len(tsallis_figures.C1),
    )
)

# %% [markdown]
# ## Accuracy against size (Figures 2 and 5)
#
# A small tree is easier to explain. With a price η for every leaf in the *test* objective, error + η × leaves, each
# value of ã gives one point of a frontier.

# %% mystnb={"figure": {"name": "tsallis-fig-2", "caption": "Mean test accuracy against η × leaves as the complexity parameter varies; η is that of the paper, trees grown by Gini impurity (Figure 2 of the paper). The dot is the least error + η × leaves."}, "image": {"alt": "Four rising lines, one a data set. Each rises steeply with the first few leaves and is then flat."}} tags=["hide-input"]
use_style()
figure, panel = plt.subplots(figsize=(6, 3.8))
for (data, found), color, dash in zip(gini.items(), CLASS_COLORS, ("-", "--", "-.", ":")):
    leaves, accuracy, objective = found.frontier()
    panel.plot(tsallis_figures.ETA * leaves, accuracy, color=color, linestyle=dash, label=data)
    at = objective.argmin()
    panel.plot(tsallis_figures.ETA * leaves[at], accuracy[at], "o", color=color)
panel.set(xlabel="η × leaves", ylabel="accuracy, %")
figure.legend(loc="outside right upper")
plt.show()

# %% mystnb={"figure": {"name": "tsallis-fig-5", "caption": "The same for different criteria: varying α at β = 1 (left) and β at α = 1.5 (right), on Iris (top) and Wine (bottom); the smallest trees lie below the panels (Figure 5 of the paper)."}, "image": {"alt": "Four panels of rising lines that lie close together and cross each other."}} tags=["hide-input"]
use_style()
figure, panels = plt.subplots(2, 2, figsize=(7, 6))
dashes = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
for row, data in zip(panels, ("Iris", "Wine")):
    for panel, criteria in zip(row, tsallis_figures.criteria_of_figure_5()):
        for (alpha, beta), color, dash in zip(criteria, CLASS_COLORS, dashes):
            leaves, accuracy, _ = summary.pruned(data, alpha, beta).frontier()
            panel.plot(
                tsallis_figures.ETA * leaves, accuracy, color=color, linestyle=dash, label=f"α = {alpha:g}, β = {beta}"
            )
        panel.set(title=data, xlabel="η × leaves", ylabel="accuracy, %", ylim=(75, 96))
        panel.legend(fontsize="small", loc="lower right")
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
figures = [verdict for key, verdict in by_id.items() if key.startswith(("tsallis.f1.", "tsallis.f2.d", "tsallis.f5."))]
Markdown(
    tables.comparison(
        [*figures, by_id["tsallis.s9.mccp.claim"], by_id["tsallis.s9.frontier.claim"], by_id["tsallis.sb-2.pruning.claim"]],
        "What Figures 1, 2 and 5 and Appendix B.2 claim.",
        "tsallis-pruning-claims",
        label=lambda claim: f"{claim.item}, {claim.row}",
    )
)

# %% [markdown]
# ## Boosted trees (Figure 4)
#
# XGBoost {cite:p}`xgboost` adds trees that are fitted to gradients, and divides by the hessian plus λ in each leaf: a
# larger λ makes a more timid ensemble. The number of trees, their
# depth and the learning rate are the paper's; otherwise the package's own defaults.

# %% mystnb={"figure": {"name": "tsallis-fig-4", "caption": "Mean test accuracy of XGBoost against λ, with 95 % intervals (Figure 4 of the paper)."}, "image": {"alt": "Four lines over λ on a logarithmic axis. Each is almost flat up to its best λ and falls for large values; Banknote falls first, Iris last."}} tags=["hide-input"]
use_style()
figure, panel = plt.subplots(figsize=(6, 3.8))
for data, color, dash in zip(splits.MAIN, CLASS_COLORS, ("-", "--", "-.", ":")):
    accuracy = summary.boosting(data)
    if accuracy is None:
        continue
    mean, width = accuracy.mean(axis=0), summary.half_width(accuracy)
    panel.plot(tsallis_figures.LAMBDAS, mean, color=color, linestyle=dash, marker=".", label=data)
    panel.fill_between(tsallis_figures.LAMBDAS, mean - width, mean + width, color=color, alpha=0.2, linewidth=0)
panel.set_xscale("symlog", linthresh=0.03)
panel.set(xlabel="λ", ylabel="accuracy, %")
figure.legend(loc="outside right upper")
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
rows = [
    (
        data,
        f"{choice['best']:g}",
        f"{choice['accuracy']:.2f}",
        f"{choice['share']:.0%}",
        ", ".join(f"{x:g}" for x in choice["set"]),
    )
    for data, choice in boosted.items()
    if choice
]
Markdown(
    tables.table(
        ("data", "best λ", "accuracy, %", "again", "not told apart"),
        rows,
        f"Best λ over {tsallis_figures.N_BOOSTED} random splits; how often it is best again when the splits are resampled; "
        "and the values that paired differences do not tell from it.",
        "tsallis-lambda",
        align="lrrrl",
    )
)

# %% [markdown]
# ## Every claim of the paper

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
kinds = list(dict.fromkeys(verdict.claim.kind for verdict in everything))
counted = {kind: claims.count(v for v in everything if v.claim.kind == kind) for kind in kinds}
Markdown(
    tables.table(
        ("kind", *(tables.verdict_html(word) for word in claims.VERDICTS), "all"),
        [
            *((kind, *counted[kind].values(), sum(counted[kind].values())) for kind in kinds),
            ("**all**", *total.values(), len(everything)),
        ],
        "Verdicts on all claims of the paper.",
        "tsallis-verdicts",
        align="lrrrrr",
    )
)

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
Markdown(
    tables.comparison(
        [verdict for verdict in everything if verdict.verdict == "differs"],
        "Every claim that differs, with the cause.",
        "tsallis-differs",
        label=lambda claim: ", ".join(filter(None, (claim.item, claim.row, claim.column))),
    )
)
