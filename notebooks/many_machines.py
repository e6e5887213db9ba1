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
# # Many machines
#
# Every stored result is a case that needs no other case, so cases can run on as many machines as there are. This page says
# what that buys:
#
# - how the cost of each kind of work grows, and which part of it can be sent elsewhere;
# - what one machine gains from threads and processes, measured;
# - what up to a thousand workers would gain, simulated from the stored times of all cases;
# - how to start a cluster.
#
# The result is the same everywhere, bit for bit: the tests run sweeps in one process, in two, and on a cluster of two
# workers, and compare.
#
# ## What grows, and what can be sent elsewhere
#
# What makes each kind of work long, and the pieces into which it falls.

# %% tags=["remove-input"]
import matplotlib.pyplot as plt

from treelib.ledger import experiments, store
from treelib.ledger.page import Markdown
from treelib.ledger.tables import table
from treelib.papers.across import many_machines
from treelib.tree.style import method_color, use_style

GROWTH = [
    [
        "optimal sparse tree, one price",
        "exponentially in the 0/1 columns at worst; in practice with sets of rows that the bounds leave open, many more "
        "as the price of a leaf falls. Repeated rows cost nothing",
        "nothing: one search is one process. On numbers as they are `n_jobs` threads share out the cuts of the root",
    ],
    [
        "path of prices, cross-validation",
        "as above, times distinct trees or folds",
        "folds and data sets; `n_jobs` threads for a path",
    ],
    [
        "branch and bound of the paper",
        "with the queue, whose memory ends it before its time does",
        "settings: bounds, policies, samples",
    ],
    [
        "born-again tree, exact",
        "with regions, the product over the features of $m(m+1)/2$ for $m$ intervals between thresholds; memory with it",
        "forests, folds and objectives; `n_jobs` threads within one",
    ],
    ["born-again tree, heuristic", "with the size of the tree it finds", "forests and folds"],
    [
        "optimal dyadic tree",
        "with occupied rectangles, at most $(2^{k+1}-1)^d$ for $k$ halvings of each of $d$ features; the whole path of "
        "prices costs about one solve",
        "boxes, folds and data sets, never prices",
    ],
    ["top-down tree", "rows times features, times depth, after one sort", "nothing: milliseconds"],
    [
        "grid of criteria",
        "with the distinct nodes of all its trees, less than one fit a criterion",
        "folds, by `n_jobs`",
    ],
    ["random forest", "with its trees", "trees, by `n_jobs` or any backend of joblib"],
    ["exact risk of a parameter", "with the pieces of the loss", "instances and repetitions"],
    ["Bayesian trees", "with the draws", "chains, by `n_jobs`"],
]
Markdown(
    table(
        ["work", "its cost grows", "what can run elsewhere"],
        GROWTH,
        "How the cost of each kind of work grows, and the smallest part that may run on another machine.",
        "many-machines-growth",
        align="lll",
    )
)

# %% [markdown]
# So another machine never makes one hard search end sooner. It helps where there are many: folds, seeds, data sets, settings.
#
# ## One machine, measured
#
# Three sweeps of independent tasks: tasks that do nothing, whose time is the price of sending them; optimal sparse trees of
# bootstrap samples of tic-tac-toe; grids of criteria on random halves of banknote. *First* is the first sweep, with the
# start of processes and the loading of kernels; *then* the best of three more. A task takes what the sweep takes, divided
# by the tasks.

# %% tags=["remove-input"]
WAYS = {
    ("here", 1): "one process",
    ("threads", 2): "two threads",
    ("processes", 2): "two processes",
    ("dask", 1): "Dask, one worker",
    ("dask", 2): "Dask, two workers",
}
WORK = {"nothing": "nothing", "sparse": "optimal sparse trees", "grid": "grids of criteria"}
measured = store.results("family.scaling", partial=True)
measured["each"] = measured["sweep_seconds"] / measured["n_tasks"]
alone = measured[measured["way"] == "here"].set_index("work")["sweep_seconds"]
rows = [
    [
        WORK[row.work],
        WAYS[row.way, row.workers],
        f"{row.n_tasks}",
        f"{row.start_seconds:.2f}",
        f"{row.sweep_seconds:.3f}",
        f"{1000 * row.each:.2f}",
        "" if row.work == "nothing" else f"{alone[row.work] / row.sweep_seconds:.2f}",
    ]
    for row in measured.itertuples()
]
Markdown(
    table(
        ["tasks", "run", "number", "first, s", "then, s", "ms a task", "speed-up"],
        rows,
        "Sweeps on one machine. Speed-up over one process, the start left out.",
        "many-machines-measured",
        align="llrrrrr",
    )
)

# %% tags=["remove-input"]
other = [WORK[work] for work, part in measured.groupby("work") if part["digest"].nunique() > 1]
empty = measured[measured["work"] == "nothing"].set_index(["way", "workers"])["each"]
furthest = "dask" if ("dask", 2) in empty.index else "processes"
OVERHEAD = empty[furthest, 2]
cores = store.record("family.scaling", experiments.get("family.scaling").cases()[0])["provenance"]["cores"]
Markdown(
    f"Measured on a machine with {cores} processors. "
    + (
        f"The ways did not all return the same {', '.join(other)}."
        if other
        else "All ways gave the same trees."
    )
    + f" Sending one task costs {1000 * empty['threads', 2]:.2f} ms with threads, "
    f"{1000 * empty['processes', 2]:.2f} ms with processes"
    + (f" and {1000 * OVERHEAD:.2f} ms with Dask" if furthest == "dask" else "")
    + f". To lose less than a hundredth by it, a task should take {100_000 * OVERHEAD:,.0f} ms or more, or be a group "
    "of smaller ones."
)

# %% mystnb={"figure": {"name": "many-machines-measured-figure", "caption": "Seconds of the two sweeps that work, by the way they are run; the start is left out. The dotted line is half the time of one process."}, "image": {"alt": "Horizontal bars of the seconds of each sweep in one process, in two threads, in two processes and on a local Dask cluster of one and of two workers, a dotted line at half the time of one process."}} tags=["remove-input"]
use_style()
figure, panels = plt.subplots(1, 2, figsize=(7.2, 2.6), sharey=True)
for panel, work in zip(panels, ("sparse", "grid"), strict=True):
    part = measured[measured["work"] == work]
    labels = [WAYS[key] for key in zip(part["way"], part["workers"], strict=True)]
    panel.barh(labels, part["sweep_seconds"], color=method_color("exact"), height=0.6)
    panel.axvline(alone[work] / 2, color="#757b83", linestyle=":")
    panel.set(xlabel="seconds", title=WORK[work])
panels[0].invert_yaxis()
plt.show()

# %% [markdown]
# ## Up to a thousand workers, simulated
#
# The stored times of all cases, put on workers by the rule that `treelib reproduce` follows: the longest case first, to
# whoever is free; experiments that allow only so many cases at a time keep to that; one process hands out the cases and
# needs the measured time for each. Timings, which must run with nothing beside them, come after all others, one at a time.

# %% tags=["remove-input"]
beside, last = many_machines.stored_work()
WORKERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
curve = many_machines.curve(beside, last, WORKERS, OVERHEAD)
longest = max(beside)
total = sum(one.seconds for one in beside)
# the same cases for many seeds, as a study of one's own would have them; no limit but the workers
SEEDS = 20
study = [one._replace(at_once=None) for one in beside for _ in range(SEEDS)]
study_curve = many_machines.curve(study, [], WORKERS, OVERHEAD)
Markdown(
    table(
        [
            "workers",
            "side by side, s",
            "speed-up",
            "efficiency, %",
            "with the timings, s",
            "study, s",
            "its efficiency, %",
        ],
        [
            [
                f"{row['workers']:,}",
                f"{row['seconds']:,.0f}",
                f"{total / row['seconds']:,.1f}",
                f"{100 * row['efficiency']:.1f}",
                f"{row['whole']:,.0f}",
                f"{wide['seconds']:,.0f}",
                f"{100 * wide['efficiency']:.1f}",
            ]
            for row, wide in zip(curve, study_curve, strict=True)
        ],
        f"All {len(beside):,} stored cases that may run side by side, and {len(last):,} timings after them. The study: each case with "
        f"{SEEDS} seeds, {len(study):,} cases.",
        "many-machines-simulated",
        align="rrrrrrr",
    )
)

# %% mystnb={"figure": {"name": "many-machines-simulated-figure", "caption": "Simulated: seconds for all cases that may run side by side, for the whole with the timings after them, and for a study with many seeds, against the number of workers. Dotted: the total divided by the workers, and the longest case."}, "image": {"alt": "Three lines on logarithmic axes. The seconds of the cases side by side fall with the workers along the dotted line of equal shares, until they meet the dotted level of the longest case and stay there. The line of the whole lies above it and flattens earlier, at the time that the timings take one after the other. The line of the study falls furthest, and meets the same level with many more workers."}} tags=["remove-input"]
use_style()
figure, axes = plt.subplots(figsize=(6.4, 3.8))
axes.plot(
    WORKERS, [row["seconds"] for row in curve], marker="o", color=method_color("exact"), label="side by side"
)
axes.plot(
    WORKERS,
    [row["whole"] for row in curve],
    marker="s",
    linestyle="--",
    color=method_color("cart"),
    label="whole",
)
axes.plot(
    WORKERS,
    [row["seconds"] for row in study_curve],
    marker="^",
    color=method_color("born-again"),
    label=f"study of {SEEDS} seeds",
)
axes.plot(WORKERS, [total / n for n in WORKERS], linestyle=":", color="#757b83", label="equal shares")
axes.axhline(longest.seconds, linestyle=":", color="#757b83")
axes.annotate("longest case", (WORKERS[0], longest.seconds), xytext=(0, 4), textcoords="offset points")
axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="seconds", ylim=(longest.seconds / 4, None))
axes.legend(frameon=False)
plt.show()

# %% tags=["remove-input"]
within, within_study = ([r["workers"] for r in c if r["efficiency"] >= 0.5] for c in (curve, study_curve))
Markdown(
    f"The longest case, of `{longest.experiment}`, takes {longest.seconds:,.0f} s, and nothing ends before it. "
    f"Even where the work is shared out without loss, more than {total / longest.seconds:,.0f} workers (the total divided by "
    "the longest) wait for it. "
    + (f"Half of what is paid for is still used with {max(within):,} workers" if within else "")
    + (f", and with {max(within_study):,} in the study of {SEEDS} seeds. " if within_study else ". ")
    + f"\n\nThe timings take {sum(one.seconds for one in last):,.0f} s one after the other, whatever is paid for. A cluster "
    "therefore pays for new sweeps with many seeds or data sets, not for a faster repetition of these."
)

# %% [markdown]
# ## A cluster of your own
#
# One scheduler, any number of workers. All machines need the same sources, the same Python and the same packages, and data
# sets that may not be shipped, if experiments ask for them (`TREELIB_DATA_DIR`). Here all of it on one machine:
#
# ```bash
# pip install 'treelib-companion[cluster]'
# dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard &
# dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1 &
# treelib reproduce osdt --scheduler tcp://127.0.0.1:8786
# ```
#
# - **Workers are checked first**: sources, Python, packages, and one thread a worker, since two cases in one process would
#   blur each other's time and memory. A worker that joins later is used; a record that other sources made is not kept.
# - **A worker that dies loses nothing but the case it was running**, which goes to another one. A case that several workers
#   did not survive is given up, by name, and the others go on. If the scheduler or the machine that asks dies, the same
#   command goes on from what is stored. The tests kill a worker in the middle of a run.
# - **Memory**: a worker that passes its share (`--memory-limit`) is restarted by its nanny; give large cases few workers a
#   machine.
# - **Who reaches the scheduler's port may run programs on the workers.** Keep it on the loopback address, behind an SSH
#   tunnel, on a closed network, or under TLS (Dask's `--tls-ca-file` and its companions).
#
# Your own sweeps run on the same cluster without `treelib reproduce`: forests, `fit_grid`, and scikit-learn's
# `cross_val_score` and `GridSearchCV` use joblib.
#
# ```python
# import joblib
# from dask.distributed import Client
# from treelib import TopDownForestClassifier
#
# with Client("tcp://127.0.0.1:8786"), joblib.parallel_config(backend="dask"):
#     forest = TopDownForestClassifier(n_estimators=500, random_state=0).fit(X, y)
# ```
