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
# # The exact search
#
# The paper's algorithm searches over trees. The search behind `OptimalSparseTreeClassifier` minimises the same objective and
# proves the same optimum, but searches over *sets of samples*. This chapter explains how it works, what each idea contributes, and
# how it compares with public programs for the same problem:

# %%
from treelib.papers.across import engine

engine.against_programs()

# %% [markdown]
# The ratio is our time divided by theirs, a geometric mean over the problems that both solved. *Worse trees* counts claimed optima whose
# objective, computed again from the tree, is above ours. The times are from stored runs, listed at the end of
# this page.
#
# ## Fewer samples
#
# Samples with equal features reach the same leaf in every tree, so they are merged and their costs added. The
# cost of a merged sample under its best label is paid by every tree (the equivalent-points error of the
# paper), so it is subtracted once and kept separately. A merged sample that then costs nothing under any
# label can never matter, and is dropped. This is what remains:

# %%
import pandas as pd

DATA = ("monk1", "monk2", "monk3", "tic-tac-toe", "car-evaluation", "compas-binary", "fico-binary")
heads = {"n_rows": "samples", "n_columns": "features", "n_merged": "distinct", "n_kept": "that matter"}
heads["n_cancelled"] = "errors of every tree"
pd.DataFrame({name: engine.reduction(name) for name in DATA}).T.rename(columns=heads)

# %% [markdown]
# ## All trees of depth two at once
#
# For a set of samples and every pair of features, four counts say what the samples cost in each quadrant.
# These counts give, for every feature at the root, the best tree with at most two leaves on each side.
#
# So the best tree of depth two is known exactly, and any other tree needs at least four leaves, which is a lower bound.
# Most sets are settled there. One more count per pair gives the same for both children of a split, without creating the children.
#
# Samples are counted as sets of bits, a machine word at a time. Costs above one are split into binary digits,
# so weights, class weights and cost matrices need no second program.
#
# ## Sets, not trees
#
# Different orders of the same splits lead to the same set of samples. Each set is one node with a proven lower bound and
# the best tree known; a search that meets it again starts from what is known. A set is found by its hash and
# then compared in full, so a collision costs time but never changes the answer.
#
# The search goes depth first, best feature first, and passes down a *target*: work on a set may stop once it is proved
# that no tree for it can improve the tree above. It starts with a dive, which tries only the best feature of every set and
# yields a good tree within milliseconds. Searches of more than a second run a second search beside the first, over
# the same nodes, which raises the lower bound of all features together. Here it runs:

# %% tags=["main-table"] try={"PROBLEMS": [["monk1", 0.025]]}
PROBLEMS = (
    ("monk2", 0.01), ("tic-tac-toe", 0.01), ("car-evaluation", 0.005),
    ("compas-binary", 0.0025), ("fico-binary", 0.005),
)

from treelib import OptimalSparseTreeClassifier, datasets

rows = []
for name, penalty in PROBLEMS:
    data = datasets.load(name)
    fit = OptimalSparseTreeClassifier(penalty).fit(data.X, data.y)
    sets = [fit.search_stats_[key] for key in ("n_nodes", "n_table_hits")]
    found = (fit.tree_.n_leaves, fit.objective_, fit.lower_bound_, fit.is_optimal_)
    rows.append((name, penalty, *found, *sets))
heads = ["data", "λ", "leaves", "objective", "lower bound", "proved", "sets", "met again"]
pd.DataFrame(rows, columns=heads)

# %% [markdown]
# ## Numeric features
#
# A numeric feature of a thousand values has nearly as many thresholds. A search over pairs of 0/1 columns would need a million
# pairs for each pair of features. So there is a second search, which never creates a column for a threshold. It reads the
# samples in the order of each feature; a threshold is a place between neighbours in that order.
#
# **One pass.** Take one split of the root: every sample is on one of its sides. Now go through the samples in
# the order of another feature and count, on each side, the samples of each class passed so far. At each
# threshold the counts give the cost of a second split *there* on the left and on the right of the root. One
# pass finds the best second split of both sides.
#
# **Lanes.** The pass costs the same for many splits of the root as for one, up to the width of the processor's vectors. Each
# split of the root is a *lane*, and each sample carries a mask: the bits say on which side of each split it lies. Here are
# a few samples with few lanes, in plain Python:

# %% tags=["main-table", "algorithm"] try={"SECOND": 3}
DATA, ROWS, ROOT, SECOND, LANES = "tsallis/banknote", 12, 0, 1, 4

import numpy as np

data = datasets.load(DATA)
some = np.random.default_rng(1).permutation(len(data.y))[:ROWS]
some = some[np.argsort(data.X[some, SECOND])]  # in the order of the second feature
label = data.y[some]
places = np.linspace(2, ROWS - 3, LANES).astype(int)
roots = np.sort(data.X[some, ROOT])[places]  # thresholds of the root, one a lane
mask = (data.X[some, ROOT][:, None] > roots).astype(int)  # (samples, lanes): 0 left, 1 right
total = np.array(
    [[np.bincount(label[lane == side], minlength=2) for lane in mask.T] for side in (0, 1)]
)
seen = np.zeros_like(total)  # (sides, lanes, classes)
cost = np.empty((ROWS, LANES, 2), int)  # errors of both sides, split again after each sample
for row in range(ROWS):
    seen[mask[row], range(LANES), label[row]] += 1
    cost[row] = (seen.min(axis=2) + (total - seen).min(axis=2)).T
pd.DataFrame(cost.min(axis=0).T, index=["left", "right"], columns=roots.round(2)).rename_axis(
    columns="root split at"
)

# %% mystnb={"figure": {"name": "exact-engine-lanes", "caption": "The pass of the cell above. Samples from top to bottom in the order of the second feature, one column a lane. Blue samples are left of the root's split, orange ones right. Numbers: errors on the left + on the right if the second split comes after this sample; bold where the sum is least."}, "image": {"alt": "A table of a dozen samples and four lanes in two colours. Each cell has two small numbers; in each lane the cells with the least sum are bold."}}
import matplotlib.pyplot as plt

from treelib.tree.style import method_style, use_style

use_style()
figure, axes = plt.subplots(figsize=(6.4, 0.36 * ROWS + 0.7))
engine.draw_pass(axes, mask, cost, label)
axes.set_xticks(range(LANES), [f"root ≤ {threshold:.2f}" for threshold in roots])
plt.show()

# %% [markdown]
# **Intervals.** All other thresholds of the root wait in intervals. If one sample moves from the right side to the left, the left side
# can cost at most that sample more, and never less. So the costs at both ends of an interval bound every threshold inside, and
# thousands of thresholds are pruned at once. These bounds are those of ConTree by Brita, van der Linden and Demirović.
#
# ### What does it cost to look at few thresholds?
#
# With all thresholds the search has more trees to choose from, so its optimum on the training samples cannot
# be worse.

# %% tags=["main-table"] try={"DATA": "tsallis/iris"}
DATA, LAMBDA, THRESHOLDS = "tsallis/wine", 0.02, (2, 10, None)

data = datasets.load(DATA)
rows = []
for most in THRESHOLDS:
    fit = OptimalSparseTreeClassifier(LAMBDA, max_thresholds=most, max_depth=3).fit(
        data.X, data.y
    )
    found = (fit.tree_.n_leaves, fit.objective_, fit.lower_bound_, fit.is_optimal_)
    rows.append((most or "all", *found))
heads = ["thresholds per feature", "leaves", "objective", "lower bound", "proved"]
pd.DataFrame(rows, columns=heads)

# %% [markdown]
# But is its test error lower? Five folds at one leaf penalty and one depth limit, from a stored run. COMPAS
# and FICO come as 0/1 features, so ten thresholds are all there are.

# %% tags=["main-table"] try={"MEASURES": ["leaves"]}
MEASURES = ["objective", "test_error", "n_proved"]  # or "leaves"

from treelib.papers import reproduce

folds = reproduce("family.thresholds")
most = ["all" if number != number else f"{number:.0f}" for number in folds["most"]]
folds.assign(most=most).pivot_table(MEASURES, "data", "most", sort=False).round(3)

# %% [markdown]
# The objective never gets worse with more thresholds, as long as the search ends. The test errors disagree from set to
# set; {doc}`comparison` has more data sets, with a penalty chosen for each. With 0/1 columns for a hundred thresholds the time
# limit can stop the search early; the search on numeric features avoids that.
#
# ### What an interrupted search returns
#
# A search that is stopped returns its best tree and its proven bound. How fast do they meet? Each step below is a better tree or
# a better bound of one run, with a depth limit and no leaf penalty. A good tree is found early: before
# anything is searched in full, narrow passes try only the best threshold of the best few features at every
# set, twice as many features in each pass (limited discrepancy search), and the sides of the best tree's root
# are searched on their own. Then the thresholds of the root wait in intervals, those of all features
# together, and every second interval taken is the one with the least bound, so the bound rises early. On many
# samples that takes long. There the samples are divided into parts, each with a best tree of its own: **no
# tree of all samples makes fewer errors than the best trees of all parts together**, and parts of a few
# thousand samples are proved in a moment.

# %% tags=["main-table"] try={"SETS": ["bornagain/Pima-Diabetes/raw"]} mystnb={"figure": {"name": "exact-engine-anytime", "caption": "Training errors of the best tree (line) and proven bound (dashes) over time, trees of depth three over all thresholds. The cross is where pycontree ended in a stored run, in its processor seconds; a thin cross, where it was stopped at the limit."}, "image": {"alt": "Four panels with logarithmic time. In each a solid line of errors falls and a dashed line of bounds rises until both meet; a cross stands to the right."}}
SETS, DEPTH, SECONDS = (
    ["tsallis/wdbc", "bornagain/Ionosphere", "tsallis/digits", "bornagain/Spambase"], 3, 10,
)

n_rows = -(-len(SETS) // 2)
figure, panels = plt.subplots(n_rows, 2, figsize=(7, 2.6 * n_rows), squeeze=False)
for ax, name in zip(panels.flat, SETS):
    data = datasets.load(name)
    fit = OptimalSparseTreeClassifier(0, max_depth=DEPTH, time_limit=SECONDS)
    trace = pd.DataFrame(fit.fit(data.X, data.y).trace_).set_index("seconds") * len(data.y)
    ax.step(trace.index, trace["objective"], where="post", label="best tree")
    ax.step(trace.index, trace["lower_bound"], "--", where="post", label="bound")
    for seconds, errors, ended in engine.contree(name, DEPTH):  # stored runs of pycontree
        ax.plot(seconds, errors, "X" if ended else "x", color="#757b83", label="pycontree")
    ax.set(xscale="log", title=name.rpartition("/")[2], xlabel="seconds", ylabel="errors")
figure.legend(*panels.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

# %% [markdown]
# Other programs on larger problems, in a stored run at depth four: pytrees-rs has its own anytime search for
# the same trees; pycontree was run with several limits; licketysplit looks ahead greedily, over 0/1 columns
# at quantiles.

# %% tags=["main-table"] try={"SETS": ["bornagain/Spambase"]} mystnb={"figure": {"name": "exact-engine-beside", "caption": "Training errors of the best tree over processor seconds, trees of depth four over all thresholds, a stored run; dashes: our bound. Points of licketysplit and pycontree are runs of their own."}, "image": {"alt": "Four panels with logarithmic time. Our solid line falls within a tenth of a second to near its end; the marks of other programs stand above it or to its right, but for one of licketysplit on Spambase that took over four seconds."}}
SETS = ["bornagain/Pima-Diabetes/raw", "tsallis/digits", "bornagain/Spambase", "bornagain/HTRU2/raw"]

numbers = engine.stored("continuous")
beside = pd.DataFrame(numbers["parts"]["anytime"]["records"])
styles = {"treelib": "C0-", "pytrees-rs": "C1s-", "pycontree": "C2X", "licketysplit": "C3D"}
n_rows = -(-len(SETS) // 2)
figure, panels = plt.subplots(n_rows, 2, figsize=(7, 2.6 * n_rows), squeeze=False)
for ax, name in zip(panels.flat, SETS):
    for _, curve in beside[beside["data"] == name].iterrows():
        seconds, errors = zip(*(point[:2] for point in curve["points"]))
        program = curve["program"]
        ax.plot(seconds, errors, styles[program], label=program, ms=5, drawstyle="steps-post")
        if program == "treelib":
            ax.step(seconds, [point[2] for point in curve["points"]], "C0--", where="post", label="bound")
    ax.set(xscale="log", title=name.split("/")[1], ylim=(0, None))
    ax.set(xlabel="processor seconds", ylabel="errors")
lines = {label: line for ax in panels.flat for line, label in zip(*ax.get_legend_handles_labels())}
figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5)
plt.show()

# %% [markdown]
# ### Against ConTree
#
# pycontree is the ConTree authors' program for optimal trees on numeric features, with a depth limit. The
# table divides its processor seconds by ours, by data set and depth; > marks a fit of pycontree that was
# stopped, so the ratio is a lower bound.

# %%
print(numbers["summary"])
engine.against_contree(numbers["records"])

# %% [markdown]
# The same on the files of ConTree's authors, as they scaled them. No package ships them, nor does this one;
# `make bench-continuous ARGS="--files FOLDER"` reads them from a copy of the authors' repository.

# %%
print(numbers["parts"]["files"]["summary"])
engine.against_contree(numbers["parts"]["files"]["records"])

# %% [markdown]
# A million samples, with all numbers different or with few values per feature:

# %%
large = pd.DataFrame(numbers["parts"]["large"]["records"])
columns = ["values", "max_depth", "seconds", "status", "errors", "lower_bound", "greedy_errors"]
large[columns].round(1)

# %% [markdown]
# With a small leaf penalty and no depth limit some problems stay open. What does each program report when
# time is up? The others get each threshold as a 0/1 column.

# %%
gaps = pd.DataFrame(numbers["parts"]["gaps"]["records"])
gaps["gap"] = 1 - gaps["lower_bound"] / gaps["objective"]
of = ["objective", "lower_bound", "gap", "leaves", "ended"]
gaps.set_index(["data", "regularization", "program"])[of].sort_index().round(4)

# %% [markdown]
# ## Against the public programs
#
# All programs in a comparison got the same 0/1 columns in one run, each in its own process that had already
# fitted once. The times are medians of whole fits, input checks included. A program that did not solve a
# problem is not tried at a lower penalty.

# %% mystnb={"figure": {"name": "exact-engine-scatter", "caption": "Seconds of a whole fit: ours against each program's, a point a problem. Below the diagonal ours is faster. Problems that a program did not finish stand at the right edge."}, "image": {"alt": "Scatter plot with logarithmic axes, our seconds against those of imodels, pystreed and licketysplit. The points of imodels and pystreed lie below the diagonal of equal times; those of licketysplit lie on both sides, above it for its fastest fits and below it for its slowest."}}
figure, axes = plt.subplots(figsize=(6.4, 5.2))
edge = 90.0
for solver, name in engine.PROGRAMS.items():
    solved = [
        (engine.seconds_of(theirs) or edge, engine.seconds_of(ours))
        for ours, theirs in engine.pairs(engine.records_with(solver), solver)
        if engine.seconds_of(ours)
    ]
    color, mark = engine.COLORS[solver], engine.MARKS[solver]
    axes.scatter(*zip(*solved), s=22, c=color, marker=mark, label=name, alpha=0.8)
axes.plot([3e-4, edge], [3e-4, edge], color="#757b83", linewidth=1, linestyle=":")
axes.set(xscale="log", yscale="log", xlabel="seconds, other program", ylabel="seconds, ours")
axes.legend(loc="upper left", frameon=False)
plt.show()

# %% [markdown]
# ## Growth
#
# Time and memory of a fit along four axes. Repeated samples cost only the time to read them, since they are
# merged; new samples make every count longer; more features and a lower leaf penalty make the search itself
# larger. The problem is NP-hard, so no program can be fast on all of it.

# %% mystnb={"figure": {"name": "exact-engine-growth", "caption": "Seconds and peak memory of a fit along four axes, ours and imodels'. A line ends where 60 s were not enough."}, "image": {"alt": "Four pairs of panels: seconds on the left, peak megabytes on the right, against repeated samples, new samples, features, and the reciprocal of the leaf penalty. Time and memory of both programs rise along every axis."}}
growth = [one for one in engine.stored("growth")["records"] if engine.seconds_of(one)]
axes_of_growth = list(dict.fromkeys(record["axis"] for record in growth))
figure, panels = plt.subplots(4, 2, figsize=(7, 9), sharex="row", sharey="col")
styles = {"treelib": method_style("exact"), "imodels": method_style("peers")}
for row, axis in zip(panels, axes_of_growth):
    for solver, style in styles.items():
        line = [one for one in growth if (one["axis"], one["solver"]) == (axis, solver)]
        x = [one["x"] for one in line]
        row[0].plot(x, [engine.seconds_of(one) for one in line], **style | {"label": solver})
        row[1].plot(x, [max(one["peak_bytes"] / 2**20, 1) for one in line], **style)
    for panel in row:
        panel.set(xscale="linear" if axis == "columns" else "log", yscale="log", xlabel=axis)
panels[0, 0].set_title("seconds")
panels[0, 1].set_title("peak memory, MB")
panels[0, 0].legend(frameon=False)
plt.show()

# %% [markdown]
# ## Wide problems
#
# With fifty features and more, or a hundred thousand distinct samples, no program may finish. Then the
# question is which has the better tree, and which can say how far it is from the best. The table has the
# objective and the state of the proof when each program was stopped; a cell is empty if the program ended
# earlier or was not run.

# %%
wide = pd.DataFrame(engine.wide_table()).T.fillna("")
wide.rename_axis(["data", "λ", "limit, s"])

# %% [markdown]
# ## What holds
#
# - Merging equal samples and searching over sets instead of trees finds in milliseconds the optimum on COMPAS for which Table 2
#   of the paper prints many seconds.
# - The best tree of depth two comes from counts alone; deeper trees are assembled from bounds of sets that many trees share.
# - Over numeric features one pass evaluates many splits of the root at once, and no 0/1 column is created.
# - An interrupted search returns a tree and a proven bound: how much better any tree could be.
# - Exactness has limits: with many features and small penalties, no program finishes.
#
# ## Rerun it
#
# `make bench-sparse` repeats the comparison (`ARGS="--wide"` and `ARGS="--growth"`: the last two sections),
# and `make bench-continuous` the one on numeric features (`ARGS="--large"`, `--anytime`, `--gaps` and
# `--files FOLDER`: its parts). They renew the stored runs that this page reads. Other work ran during some of
# them, for all programs alike: on an idle machine the load is near 0.

# %%
engine.machines()
