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
# The paper's algorithm searches over trees. The search behind `OptimalSparseTreeClassifier` minimises the same
# objective, proves the same optimum, and searches over *sets of rows* instead. This page says how it works, what each
# idea does, and how it compares with the public programs for the same problem.

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from treelib import datasets
from treelib.ledger import page, store
from treelib.ledger.page.answers import answer_of, asked
from treelib.ledger.page import Markdown
from treelib.ledger.tables import table
from treelib.papers.across import engine, thresholds
from treelib.tree.style import method_style, use_style

DATA = ("monk1", "monk2", "monk3", "tic-tac-toe", "car-evaluation", "compas-binary", "fico-binary")
free, depth = engine.stored("free"), engine.stored("depth")
measured = {record["solver"] for record in free["records"]}
against = {
    solver: engine.compare(free["records"], solver)
    for solver in ("imodels", "pystreed", "gosdt")
    if solver in measured
}
limited = engine.compare(depth["records"], "licketysplit")


def times(ratio):
    """A ratio of our time to theirs, in words."""
    return f"{1 / ratio:.1f} times as fast" if ratio < 1 else f"{ratio:.1f} times as slow"


def problem(case):
    """A problem in words: data set and price of a leaf."""
    name, price, max_depth = case
    return f"{name} at λ = {price:g}" + (f", depth {max_depth}" if max_depth else "")


# where no column has more than ten thresholds, ten are all: nothing to compare
cuts = store.results("family.thresholds")
wide = [name for name in thresholds.DATA if max(len(set(column)) for column in datasets.load(name).X.T) > 11]
cuts = cuts[cuts["data"].isin(wide)]
by_most = {most: cuts[cuts["most"].isna() if most is None else cuts["most"] == most] for most in thresholds.THRESHOLDS}
few, every = (by_most[most].groupby("data", sort=False)[["test_error", "leaves", "objective"]].mean() for most in (10, None))
n_costs = int((few["objective"] > every["objective"] + 1e-9).sum())
n_errs = int((few["test_error"] > every["test_error"] + 1e-9).sum())
n_gains = int((few["test_error"] < every["test_error"] - 1e-9).sum())
every_peer = [*against.values(), limited]
n_worse = sum(c.get("n_worse_trees", 0) for c in every_peer)


costs = answer_of(n_errs, 0 if n_errs and n_gains else len(few))  # sets that disagree tell nothing
n_ahead = limited["n_problems"] - limited["n_slower"]
# pairs of fits, ours and another program's: without a limit of depth, on wide problems, on numbers as they are
unlimited = [(c["n_problems"], c["n_slower"]) for c in against.values() if c["n_problems"]]
wide_pairs = [(ours["seconds"][0], theirs["seconds"][0]) for ours, theirs in engine.proved_pairs("wide")]
on_numbers = [(r["seconds"], r["peer_seconds"]) for r in engine.stored("continuous")["records"] if r["peer_status"] == "ended" and r["status"] == "optimal"]
n_pairs = sum(n for n, _ in unlimited) + len(wide_pairs) + len(on_numbers)
n_behind = sum(n for _, n in unlimited) + sum(ours > theirs for ours, theirs in [*wide_pairs, *on_numbers])
Markdown(f"""**In short**

- {asked("the search is faster than other programs for the same problem", answer_of(n_pairs - n_behind, n_pairs), "Claim")} In geometric mean it is
  {times(against["imodels"]["geometric_mean"])} as imodels and {times(against["pystreed"]["geometric_mean"])} as pystreed of depth six. It is behind in {n_behind} of {n_pairs} pairs of fits, most of them of a few
  milliseconds.
- {asked("it is faster also where the depth is limited", answer_of(n_ahead, limited["n_problems"]), "Claim")} It is {times(limited["geometric_mean"])} as licketysplit's exact mode,
  and behind on {limited["n_slower"]} of the {limited["n_problems"]} problems.
- {asked("all programs that claim an optimum find the same one", answer_of(not n_worse, 1), "Claim")} Counted again from its tree,
  {n_worse or "none"} is worse than ours.
- {asked("it costs accuracy to cut each column at ten thresholds only", costs, "Claim")} The error on new rows is higher on {n_errs} of {len(few)}
  data sets and lower on {n_gains}. Nor does it differ beyond chance over the data sets of {{doc}}`comparison`.

Times are those of the clock in stored runs, at the end of this page. Other work ran beside some of them, for all programs
alike: the load was {free["machine"]["load_at_start"]:g} on {free["machine"]["cores"]} processors when that of the first bullet began. Ratios are surer than seconds.
""")

# %% [markdown]
# ## Fewer rows
#
# Rows with equal columns reach the same leaf in every tree, so they are merged and their costs added. What even the
# best label costs a merged row is paid by every tree (the equivalent-points error of the paper); it is taken off once
# and kept apart. A merged row that then costs nothing whatever it is called can never matter, and is dropped.
# {numref}`exact-engine-reduction` shows what is left.

# %% tags=["remove-input"]
found = {name: engine.reduction(name) for name in DATA}
lines = "\n".join(
    f"| {name} | {r['n_columns']} | {r['n_rows']:,} | {r['n_merged']:,} | {r['n_kept']:,} | {r['n_cancelled']:,} |"
    for name, r in found.items()
)
Markdown(f""":::{{table}} What merging and cancelling leave of each data set, counted on this page.
:name: exact-engine-reduction

| data | columns | rows | distinct rows | rows that matter | errors that every tree makes |
|---|---:|---:|---:|---:|---:|
{lines}
:::""")

# %% [markdown]
# ## All trees of depth two at once
#
# For a set of rows and every pair of columns, four counts say what the rows cost in each quadrant. From these counts
# come, for every column at the root, the best tree with at most two leaves on each side.
#
# So the best tree of depth two is known exactly, and any other tree needs at least four leaves, which is a lower bound.
# Most sets are settled there. One count more per pair gives the same for both children of a split, without making the children.
#
# Counting is done on sets of rows as bits, a machine word at a time. Costs above one are cut into binary digits,
# so that weights, class weights and cost matrices need no second program.
#
# ## Sets, not trees
#
# Different orders of the same splits lead to the same set of rows. Each set is one node, with a proven lower bound and
# the best tree known; whoever meets it again takes over what is known. A set is recognised by a hash, and believed only
# after the set itself was compared, so a collision costs time and never the answer.
#
# The search goes depth first, best column first, with a *target* passed down: work on a set may stop once it is proved
# that no tree for it can help the tree above. It starts with a dive, which tries the best column of every set only and
# ends within milliseconds with a good tree.
#
# Searches of more than a second run a second search beside the first, over
# the same nodes, which raises the lower bound of all columns together. {numref}`exact-engine-live` runs it here and now.

# %% tags=["main-table"] try={"PROBLEMS": [["monk1", 0.025]]}
PROBLEMS = (
    ("monk2", 0.01), ("tic-tac-toe", 0.01), ("car-evaluation", 0.005),
    ("compas-binary", 0.0025), ("fico-binary", 0.005),
)

import pandas as pd

from treelib import OptimalSparseTreeClassifier, datasets

rows = []
for name, price in PROBLEMS:
    data = datasets.load(name)
    fit = OptimalSparseTreeClassifier(price).fit(data.X, data.y)
    rows.append(
        (name, price, fit.tree_.n_leaves, fit.objective_, fit.lower_bound_, fit.is_optimal_)
    )
pd.DataFrame(rows, columns=["data", "λ", "leaves", "objective", "lower bound", "proved"])

# %% tags=["remove-input"]
engine.search("monk1", 0.1)
rows = []
for name, price in PROBLEMS:
    result = engine.search(name, price)
    rows.append(
        f"| {name} | {price:g} | {result.tree.n_leaves} | {result.objective:.6f} | {result.lower_bound:.6f} | "
        f"{result.stats['n_nodes']:,} | {result.stats['n_table_hits']:,} | {1e3 * result.trace['seconds'][-1]:.1f} |"
    )
lines = "\n".join(rows)
Markdown(f""":::{{table}} The same searches, run on this page: sets made, sets met again, milliseconds of the search alone.
:name: exact-engine-live

| data | λ | leaves | objective | lower bound | sets | met again | ms |
|---|---:|---:|---:|---:|---:|---:|---:|
{lines}
:::""")

# %% [markdown]
# ## Numbers as they are
#
# Columns of 0 and 1 are one case. Most tables hold numbers, and a column of a thousand values has nearly as many thresholds. A search
# over pairs of 0/1 columns would need a million pairs for each pair of columns. So there is a second search, which never makes
# a column of a threshold. It reads the rows in the order of each column; a threshold is a *cut* between neighbours in that
# order.
#
# **One pass.** Take one split of the root: every row is on one of its sides. Now go through the rows in the order of another
# column. On each side, count the rows of each class passed so far. At each cut the counts say what a second split *there* costs
# on the left and on the right of the root. One pass gives the best second split of both sides.
#
# **Lanes.** The pass costs the same for many splits of the root as for one: as many as one vector of the processor holds. Each
# split of the root is a *lane*, and each row carries a mask, a word of bits that say on which side of each split it is. Here are
# a few rows with few lanes, in plain Python:

# %% tags=["main-table"] try={"SECOND": 3}
DATA, ROWS, ROOT, SECOND, LANES = "tsallis/banknote", 12, 0, 1, 4

import numpy as np

data = datasets.load(DATA)
some = np.random.default_rng(1).permutation(len(data.y))[:ROWS]
some = some[np.argsort(data.X[some, SECOND])]  # in the order of the second column
value, label = data.X[some, SECOND], data.y[some]
places = np.linspace(2, ROWS - 3, LANES).astype(int)
roots = np.sort(data.X[some, ROOT])[places]  # thresholds of the root, one a lane
mask = (data.X[some, ROOT][:, None] > roots).astype(int)  # (rows, lanes): 0 left, 1 right
total = np.array(
    [[np.bincount(label[lane == side], minlength=2) for lane in mask.T] for side in (0, 1)]
)
seen = np.zeros_like(total)  # (sides, lanes, classes)
cost = np.empty((ROWS, LANES, 2), int)  # errors of both sides, split again after each row
for row in range(ROWS):
    seen[mask[row], range(LANES), label[row]] += 1
    cost[row] = (seen.min(axis=2) + (total - seen).min(axis=2)).T
pd.DataFrame(cost.min(axis=0).T, index=["left", "right"], columns=roots.round(2)).rename_axis(
    columns="root split at"
)

# %% mystnb={"figure": {"name": "exact-engine-lanes", "caption": "The pass of the cell above. Rows from top to bottom in the order of the second column, one column a lane. Colour: the side of the root's split on which the row is. Numbers: errors on the left + on the right if the second split comes after this row; bold where the sum is least."}, "image": {"alt": "A table of a dozen rows and four lanes in two colours. Each cell has two small numbers; in each lane the cells with the least sum are bold."}} tags=["remove-input"]
use_style()
figure, axes = plt.subplots(figsize=(6.4, 0.36 * ROWS + 0.7))
blue, orange = "#9ec5fe", "#f9c795"
axes.imshow(mask, cmap=ListedColormap([blue, orange]), vmin=0, vmax=1, aspect="auto")
best = cost.sum(axis=2).min(axis=0)
for row in range(ROWS):
    for lane in range(LANES):
        left, right = cost[row, lane]
        weight = "bold" if left + right == best[lane] else "normal"
        axes.text(lane, row, f"{left} + {right}", ha="center", va="center", color="#111418", weight=weight)
axes.set_xticks(range(LANES), [f"root ≤ {cut:.2f}" for cut in roots])
axes.set_yticks(range(ROWS), [f"{one:.2f}, class {kind}" for one, kind in zip(value, label, strict=True)])
axes.xaxis.tick_top()
axes.tick_params(length=0)
axes.grid(False)
axes.set_ylabel("value of the second column, class")
axes.legend(handles=[Patch(color=blue, label="left"), Patch(color=orange, label="right")], loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2, frameon=False)
plt.show()

# %% [markdown]
# **Intervals.** All other cuts of the root wait in intervals. If one row moves from the right side to the left, the left side
# can cost at most that row more, and never less. So the costs at both ends of an interval bound every cut inside, and thousands
# of cuts go at once. These bounds are those of ConTree by Brita, van der Linden and Demirović.
#
# ### What does it cost to look at few thresholds?
#
# With all thresholds the search has more trees to choose from, so its optimum on the training rows cannot be worse.

# %% tags=["main-table"] try={"DATA": "tsallis/iris"}
DATA, LAMBDA, THRESHOLDS = "tsallis/wine", 0.02, (2, 10, None)

data = datasets.load(DATA)
rows = []
for most in THRESHOLDS:
    fit = OptimalSparseTreeClassifier(LAMBDA, max_thresholds=most, max_depth=3).fit(
        data.X, data.y
    )
    rows.append(
        (most or "all", fit.tree_.n_leaves, fit.objective_, fit.lower_bound_, fit.is_optimal_)
    )
pd.DataFrame(
    rows, columns=["thresholds a column", "leaves", "objective", "lower bound", "proved"]
)

# %% tags=["remove-input"]
page.Markdown(page.origin())

# %% [markdown]
# But does it predict better on rows not seen? The same price of a leaf and the same limit of depth, on tables of numbers of the
# papers that the project may ship. The frame has three more, of which ten thresholds a column are all there are
# (COMPAS and FICO come as columns of 0 and 1); what follows leaves them out.

# %% tags=["main-table", "hide-output"] try={"MEASURE": "leaves"}
MEASURE = "test_error"  # also "objective" on the training rows, "leaves", "n_proved"

from treelib.papers import reproduce

folds = reproduce("family.thresholds")
most = ["all" if number != number else f"{number:.0f}" for number in folds["most"]]
folds.assign(most=most).pivot_table(MEASURE, "data", "most", sort=False).round(4)

# %% tags=["remove-input"]
def means(data, most):
    part = by_most[most][by_most[most]["data"] == data]
    stopped = "" if part["n_proved"].all() else f"<br>{int((1 - part['n_proved']).sum())} stopped"
    return f"{part['objective'].mean():.4f}", f"{100 * part['test_error'].mean():.1f} %{stopped}", f"{part['leaves'].mean():.1f}"


told = {most: "all" if most is None else str(most) for most in thresholds.THRESHOLDS}
table(
    ["data", *(f"{what}, {text}" for what in ("objective", "test error", "leaves") for text in told.values())],
    [
        [name.removesuffix("/raw").rpartition("/")[2], *(means(name, most)[i] for i in range(3) for most in told)]
        for name in wide
    ],
    f"Trees of depth {thresholds.DEPTH} at most, λ = {thresholds.LAMBDA:g}, over ten, a hundred and all thresholds a column: objective on "
    f"the training rows, error on rows not seen, leaves; means over {thresholds.FOLDS} folds. Stopped: folds whose search ended at its limit "
    f"of {thresholds.SECONDS:g} s without a proof.",
    "exact-engine-thresholds",
    align="l" + "r" * 9,
    origin=page.origin(),
)

# %% tags=["remove-input"]
gain = 100 * (few["test_error"] - every["test_error"])
widest = gain.abs().idxmax()
Markdown(
    f"*Found:* over all thresholds the objective is lower on {n_costs} of {len(few)} data sets. The "
    f"error on new rows with ten thresholds, minus that with all, is {gain.mean():+.1f} percentage points in the mean over the data sets; the "
    f"largest such difference is {gain[widest]:+.1f} points, on {widest.removesuffix('/raw').rpartition('/')[2]}. So few sets, which disagree, tell nothing; "
    "{numref}`comparison-rivals` has more of them, with a price chosen for each. A hundred thresholds, each a 0/1 column, can be worse than "
    f"ten when the clock stops the search. That is what the search on the numbers as they are is for."
)

# %% [markdown]
# ### What it holds when it is stopped
#
# A search that is stopped gives its best tree and its proven bound. How fast do they meet? Each step below is a better tree or
# a better bound of one run, with a limit of depth and no price of a leaf. The best tree is there early: before anything is
# searched in full, narrow passes try only the best cut of the best few columns at every set, twice as many columns in each pass
# (limited discrepancy search), and the sides of the best tree's root are searched each as a table of its own. Then the cuts of the
# root wait in intervals of all columns together. Every other one that is taken is the one of the least bound, so the bound rises as
# soon as each column has been cut once. On many rows that takes long. There the rows are dealt into parts, each with a best tree of
# its own: **no tree of all rows makes fewer errors than the best trees of all parts together**, and parts of some thousand rows
# are proved in a moment.

# %% tags=["main-table"] try={"SETS": ["bornagain/Pima-Diabetes/raw"]} mystnb={"figure": {"name": "exact-engine-anytime", "caption": "Training errors of the best tree (line) and proven bound (dashes) over time, trees of depth three over all thresholds. The cross is where pycontree ended in a stored run, in its processor seconds; a thin cross, where it was stopped at the limit."}, "image": {"alt": "Four panels with logarithmic time. In each a solid line of errors falls and a dashed line of bounds rises until both meet; a cross stands to the right."}}
SETS, DEPTH, SECONDS = (
    ["tsallis/wdbc", "bornagain/Ionosphere", "tsallis/digits", "bornagain/Spambase"], 3, 10,
)

import matplotlib.pyplot as plt

from treelib.papers.across import engine  # stored runs

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

# %% tags=["remove-input"]
page.Markdown(page.origin())

# %% [markdown]
# Beside others, on larger problems: depth four, a stored run, processor seconds. pytrees-rs has an anytime search of its own for the
# same trees; pycontree was run with several limits; licketysplit looks ahead greedily, over columns of 0 and 1 at quantiles.

# %% tags=["main-table"] try={"SETS": ["bornagain/Spambase"]} mystnb={"figure": {"name": "exact-engine-beside", "caption": "Training errors of the best tree over processor seconds, trees of depth four over all thresholds, a stored run; dashes: our bound. Points of licketysplit and pycontree are runs of their own."}, "image": {"alt": "Four panels with logarithmic time. Our solid line falls within a tenth of a second to near its end; the marks of other programs stand above it or to its right, but for one of licketysplit on Spambase that took over four seconds."}}
SETS = ["bornagain/Pima-Diabetes/raw", "tsallis/digits", "bornagain/Spambase", "bornagain/HTRU2/raw"]

beside = pd.DataFrame(engine.stored("continuous")["parts"]["anytime"]["records"])
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

# %% tags=["remove-input"]
def at_second(name, program, seconds=1.0):
    """Fewest errors of a program by that time, or None."""
    points = [point for one in records if (one["data"], one["program"]) == (name, program) for point in one["points"]]
    return min((point[1] for point in points if point[0] <= seconds), default=None)


records = engine.stored("continuous")["parts"]["anytime"]["records"]
behind = []
for name in dict.fromkeys(one["data"] for one in records):
    others = {one["program"]: at_second(name, one["program"]) for one in records if one["data"] == name and one["program"] != "treelib"}
    others = {program: errors for program, errors in others.items() if errors is not None}
    best = min(others, key=others.get)
    if others[best] < at_second(name, "treelib"):
        behind.append(f"{name.split('/')[1]} ({best} has {others[best]}, ours {at_second(name, 'treelib')})")
n_sets = len({one["data"] for one in records})
Markdown(
    f"After one processor second our tree is at least as good as that of every other program on {n_sets - len(behind)} of {n_sets} sets"
    f"{'; not on ' + ', '.join(behind) if behind else ''}."
)

# %% [markdown]
# ### Against ConTree
#
# pycontree is the authors' program for optimal trees on numbers, with a limit of depth. {numref}`exact-engine-numbers` has both on
# the same tables, in processor seconds of whole fits.

# %% tags=["remove-input"]
numbers = engine.stored("continuous")


def seconds_of_both(record):
    """Seconds of ours and of pycontree, and their ratio; > where a limit ended a fit."""
    if record is None:
        return ["", "", ""]
    ended, proved = record["peer_status"] == "ended", record["status"] == "optimal"
    ratio = f"{'' if ended else '> '}{record['peer_seconds'] / record['seconds']:.1f}" if ended or proved else "neither ended"
    return [f"{'' if proved else '> '}{record['seconds']:.3f}", f"{'' if ended else '> '}{record['peer_seconds']:.3f}", ratio]


def pairs_table(records, told, name):
    """Seconds of both programs by data set and depth."""
    cells = {(r["data"], r["max_depth"]): r for r in records}
    depths = sorted({depth for _, depth in cells})
    stops = ", ".join(
        f"{next(r['limit'] for r in records if r['max_depth'] == depth):g} (depth {depth})" for depth in depths
    )
    return table(
        ["data", *(head for depth in depths for head in (f"depth {depth}: ours", "pycontree", "ratio"))],
        [
            [
                data.removeprefix("tsallis/").removeprefix("bornagain/").removeprefix("contree/").removesuffix("/raw"),
                *(text for depth in depths for text in seconds_of_both(cells.get((data, depth)))),
            ]
            for data in dict.fromkeys(data for data, _ in cells)
        ],
        f"{told}, a stored run: processor seconds, and how many times ours the other's are. Fits were stopped after {stops} seconds "
        "of the clock; where a fit was stopped, its number is a lower bound (>).",
        name,
        align="l" + "r" * 3 * len(depths),
    )


def pairs_words(summary):
    """What the pairs come to, in sentences."""
    n_slower, n_open = len(summary["slower"]), len(summary["neither ended"])
    of_ended = f", where the {n_open} that neither ended count as 1, and {summary['geometric mean where one ended']} without them"
    return (
        f"Over {summary['pairs']} pairs the geometric mean of the ratios is {summary['geometric mean']:.1f}{of_ended if n_open else ''}. Of those that "
        f"take us more than 5 ms, {n_slower or 'none'} {'is' if n_slower < 2 else 'are'} slower. Wherever both ended they made "
        f"equally many errors{'' if not summary['errors differ'] else ', but for ' + ', '.join(summary['errors differ'])}."
    )


pairs_table(numbers["records"], "Trees on numbers as they are, sets that packages hold", "exact-engine-numbers")

# %% tags=["remove-input"]
Markdown(pairs_words(numbers["summary"]))

# %% [markdown]
# And on the files of ConTree's authors, as they scaled them: of the sets of their paper those that their public repository gave us.
# They ship with no package, and so not with this one; `make bench-continuous ARGS="--files FOLDER"` takes them from a copy of it.

# %% tags=["remove-input"]
pairs_table(numbers["parts"]["files"]["records"], "Trees on the files of ConTree's authors", "exact-engine-contree")

# %% tags=["remove-input"]
Markdown(pairs_words(numbers["parts"]["files"]["summary"]))

# %% tags=["remove-input"]
def words_of_large(part):
    """What the search took on a million rows."""
    cells = {(one["values"], one["max_depth"]): one for one in part["records"]}
    different, few_values, deep = cells["all different", 2], cells[256, 2], cells["all different", 3]
    few_deep = cells[256, 3]
    return (
        f"A million rows of {different['n_columns']} columns, all numbers different: depth two is proved in {different['seconds']:.0f} processor "
        f"seconds ({few_values['seconds']:.0f} with 256 values a column), in {different['search_bytes'] / different['table_bytes']:.1f} times the bytes of "
        f"the table. At depth three the search was stopped after {part['limit']:g} seconds with {deep['errors']:,} errors "
        f"({deep['greedy_errors']:,} of the greedy tree) and a bound of {deep['lower_bound']:,}"
        f"{'; with 256 values it is proved in ' + format(few_deep['seconds'], '.0f') + ' processor seconds' if few_deep['status'] == 'optimal' else ''}."
    )


Markdown(words_of_large(numbers["parts"]["large"]))

# %% tags=["remove-input"]
def state_of(record):
    """Objective, bound, gap and leaves, or why there is no tree."""
    if record.get("objective") is None:
        return [f"no tree ({record['ended']})", "", "", ""]
    bound = record.get("lower_bound")
    gap = "" if bound is None else f"{100 * (record['objective'] - bound) / record['objective']:.0f} %"
    return [f"{record['objective']:.4f}", "not told" if bound is None else f"{bound:.4f}", gap, str(record["leaves"])]


def gap_table(part):
    """What each program that tells a bound holds of the problems that stay open, problem by problem."""
    problems = list(dict.fromkeys((one["data"], one["regularization"]) for one in part["records"]))
    return table(
        ["data", "λ", "program", "objective", "lower bound", "gap", "leaves"],
        [
            [one["data"].split("/")[1], f"{one['regularization']:g}", {"treelib": "ours"}.get(one["program"], one["program"]), *state_of(one)]
            for one in sorted(part["records"], key=lambda one: problems.index((one["data"], one["regularization"])))
        ],
        f"With a small price of a leaf and no limit of depth some problems stay open: after {part['seconds']} seconds, over all thresholds. "
        "The others got each threshold as a column of 0 and 1.",
        "exact-engine-gaps",
        align="lllrrrr",
    )


gap_table(numbers["parts"]["gaps"])

# %% [markdown]
# ## Against the public programs
#
# The programs of one comparison got the same 0/1 columns in one run, each in a process of its own that had fitted once
# before; the times are medians of whole fits, checks of the input included, short ones after a twentieth of a second of
# fits that are not timed, the same for each. {numref}`exact-engine-peers` summarises, {numref}`exact-engine-scatter` shows every problem.

# %% tags=["remove-input"]
names = {
    "imodels": "imodels `FastSmallTreeClassifier`",
    "pystreed": "pystreed, depth 6",
    "gosdt": "GOSDT",
    "licketysplit": "licketysplit, exact, depth 3 to 6",
}
rows = []
for solver, c in {**against, "licketysplit": limited}.items():
    mean = f"{c['geometric_mean']:.3f}" if c["n_problems"] else "none"
    worst = f"{c['worst']:.2f} ({problem(c['worst_problem'])})" if c["n_problems"] else ""
    asked = len(engine.pairs((depth if solver == "licketysplit" else free)["records"], solver))
    rows.append(f"| {names[solver]} | {asked} | {c['n_problems']} | {mean} | {worst} | {c['n_not_solved']} |")
lines = "\n".join(rows)
Markdown(f""":::{{table}} Our time divided by theirs, over the problems that both solved, in the stored runs named at the end of the page. A program that did not solve a problem is not asked at a lower price of a leaf.
:name: exact-engine-peers

| program | problems asked | solved by both | geometric mean | worst case | not solved by it in {free["time_limit"]} s |
|---|---:|---:|---:|---|---:|
{lines}
:::""")

# %% mystnb={"figure": {"name": "exact-engine-scatter", "caption": "Seconds of a whole fit: ours against each program's, a point a problem. Below the diagonal ours is faster. Problems that a program did not finish stand at the right edge."}, "image": {"alt": "Scatter plot with logarithmic axes, our seconds against those of imodels, pystreed and licketysplit. The points of imodels and pystreed lie below the diagonal of equal times; those of licketysplit lie on both sides, above it for its fastest fits and below it for its slowest."}} tags=["remove-input"]
use_style()
figure, axes = plt.subplots(figsize=(6.4, 5.2))
colors = {"imodels": "#2f76fd", "pystreed": "#ad480a", "gosdt": "#34a779", "licketysplit": "#dd1fa6"}
marks = {"imodels": "o", "pystreed": "s", "gosdt": "^", "licketysplit": "D"}
edge = 90.0
for solver in colors:
    records = depth["records"] if solver == "licketysplit" else free["records"]
    if not engine.pairs(records, solver):
        continue
    points = [
        (engine.seconds_of(theirs) or edge, engine.seconds_of(ours))
        for ours, theirs in engine.pairs(records, solver)
        if engine.seconds_of(ours)
    ]
    x, y = zip(*points, strict=True)
    axes.scatter(x, y, s=22, c=colors[solver], marker=marks[solver], label=names[solver].replace("`", ""), alpha=0.8)
axes.plot([3e-4, edge], [3e-4, edge], color="#757b83", linewidth=1, linestyle=":")
axes.set(xscale="log", yscale="log", xlabel="seconds, other program", ylabel="seconds, ours")
axes.legend(loc="upper left", frameon=False)
plt.show()

# %% [markdown]
# ## Growth
#
# {numref}`exact-engine-growth` follows the time of a fit along four axes. Repeated rows cost only their reading, since
# they are merged; fresh rows make every count longer; columns and a falling price of a leaf make the search itself
# larger. The problem is NP-hard, so no program can be fast on all of it.

# %% mystnb={"figure": {"name": "exact-engine-growth", "caption": "Seconds and peak memory of a fit along four axes, ours and imodels'. A line ends where 60 s were not enough."}, "image": {"alt": "Four pairs of panels: seconds on the left, peak megabytes on the right, against repeated rows, fresh rows, columns, and the reciprocal of the price of a leaf. Time and memory of both programs rise along every axis."}} tags=["remove-input"]
growth = engine.stored("growth")["records"]
use_style()
labels = list(dict.fromkeys(record["axis"] for record in growth))
figure, panels = plt.subplots(len(labels), 2, figsize=(7, 9), sharex="row", sharey="col")
styles = {"treelib": method_style("exact") | {"label": "ours"}, "imodels": method_style("peers") | {"label": "imodels"}}
for at, axis in enumerate(labels):
    for solver, style in styles.items():
        line = [r for r in growth if r["axis"] == axis and r["solver"] == solver and engine.seconds_of(r)]
        x = [r["x"] for r in line]
        panels[at, 0].plot(x, [engine.seconds_of(r) for r in line], **style)
        panels[at, 1].plot(x, [max(r["peak_bytes"], 2**20) / 2**20 for r in line], **style)
    for panel in panels[at]:
        panel.set(xscale="linear" if axis == "columns" else "log", yscale="log", xlabel=axis)
panels[0, 0].set_title("seconds")
panels[0, 1].set_title("peak memory, MB")
panels[0, 0].legend(frameon=False)
plt.show()

# %% [markdown]
# ## Wide problems
#
# With fifty columns and more, or a hundred thousand distinct rows, no program may finish. Then it counts who holds the
# better tree, and who can say how far it is from the best. {numref}`exact-engine-wide` gives what each program held when
# it was stopped. The measured numbers behind the 0/1 columns of COMPAS and FICO are not among the data this project may ship, so other raw data
# sets stand in for them, cut at quantiles.

# %% tags=["remove-input"]
wide = engine.wide_table()
programs = list(dict.fromkeys(program for cells in wide.values() for program in cells))
rows = [
    f"| {data} | {price:g} | {limit} | " + " | ".join(cells.get(program, "") for program in programs) + " |"
    for (data, price, limit), cells in wide.items()
]
lines = "\n".join(rows)
Markdown(f""":::{{table}} Wide problems, stored runs: the objective and the state of its proof when each program was stopped. A cell is empty where the program was done earlier or was not asked.
:name: exact-engine-wide

| data | λ | limit, s | {" | ".join(programs)} |
|---|---:|---:|{"---|" * len(programs)}
{lines}
:::""")

# %% [markdown]
# ## Rerun it
#
# `make bench-sparse` repeats the comparison (`ARGS="--wide"` and `ARGS="--growth"` the last two sections), and
# `make bench-continuous` the one on numbers (`ARGS="--large"`, `--anytime`, `--gaps` and `--files FOLDER` its parts); they renew the stored runs
# that this page reads.

# %% tags=["remove-input"]
words = []
runs = [(kind, engine.stored(kind)["machine"]) for kind in ("free", "depth", "growth", "wide", "continuous")]
runs += [(f"continuous, {part}", told["machine"]) for part, told in numbers.get("parts", {}).items()]
runs += [(f"continuous, depth {run['depths'][0]}", run["machine"]) for run in numbers.get("added", ())]
for kind, machine in runs:
    words.append(
        f"- {kind}: {machine['date']}, {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, sources "
        f"{machine['commit']}, load {machine['load_at_start']} when it began"
    )
Markdown("The stored runs (on an idle machine the load is near 0):\n\n" + "\n".join(words))
