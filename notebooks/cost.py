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
# # Cost and scale
#
# What the stored experiments took, how the cost of each kind of work grows, and what more machines would save.
#
# ## What the experiments took
#
# Every stored result says how long it took and how much memory its process used. Sums are over the cases of
# an experiment; the memory is that of the largest case. Seconds on the clock are those of a machine that ran
# other work as well.

# %%
import pandas as pd

import treelib.papers  # noqa: F401, registers the experiments
from treelib.ledger import experiments, store

runs = pd.DataFrame(
    {"experiment": name, "paper": experiments.get(name).paper, **entry["provenance"]}
    for name in experiments.names()
    for entry in store.records(name).values()
)
by_experiment = runs.groupby("experiment", sort=False).agg(
    results=("seconds", "size"),
    processor_seconds=("cpu_seconds", "sum"),
    clock_seconds=("seconds", "sum"),
    largest_bytes=("peak_bytes", "max"),
)
by_experiment.insert(3, "largest_mib", by_experiment.pop("largest_bytes") / 2**20)
by_experiment.round(1)

# %% [markdown]
# In processor minutes, by paper (`family` is the comparison of all methods):

# %%
(runs.groupby("paper", sort=False)["cpu_seconds"].sum() / 60).round(1).to_frame("processor minutes")

# %% [markdown]
# ## Trees grown from the top
#
# The learner of {doc}`tsallis` against scikit-learn on the same data and machine, as `make bench-topdown` measured it:
# processor time as a fraction of scikit-learn's, the worst of several settings. Data sets named by a size
# have random samples and features; bits are 0 or 1. An empty cell was not measured.

# %%
from treelib.papers.tsallis import benchmark

heads = ["", "samples", "single tree", "grid of 400 criteria", "forest of 100 trees"]
pd.DataFrame(benchmark.benchmark_lines(), columns=heads).set_index("")

# %% [markdown]
# With your own criterion, a Python function, other programs that accept one take several times as long:

# %%
peers, lines = benchmark.own_criterion_lines()
heads = ["", "samples", "treelib, ms", *(f"{peer}, times as long" for peer in peers)]
pd.DataFrame(lines, columns=heads).set_index("")

# %% [markdown]
# ## What grows, and what can run elsewhere
#
# Another machine never makes one hard search end sooner. It helps if there are many: folds, seeds, data sets,
# settings. Results are the same everywhere, bit for bit: the tests run sweeps in one process, in two, and on
# a cluster of two workers, and compare.
#
# | work | its cost grows | what can run elsewhere |
# |---|---|---|
# | optimal sparse tree | exponentially in the 0/1 features at worst; in practice with the sets of samples that the bounds leave open. Repeated samples cost nothing | nothing; with thresholds of numbers, `n_jobs` threads share the root |
# | all penalties, cross-validation | the same, times distinct trees or folds | folds and data sets; threads for a path |
# | branch and bound of the paper | with its queue, whose memory ends it before its time does | settings: bounds, policies, samples |
# | born-again tree, exact | with regions, the product over the features of $m(m+1)/2$ for $m$ intervals between thresholds | forests, folds, objectives; threads within one |
# | born-again tree, heuristic | with the size of the tree it finds | forests and folds |
# | optimal dyadic tree | with occupied rectangles, at most $(2^{k+1}-1)^d$ for $k$ halvings of each of $d$ features; all penalties cost about one solve | boxes, folds and data sets, never penalties |
# | top-down tree | samples times features times depth, after one sort | nothing: it takes milliseconds |
# | grid of criteria | with the distinct nodes of all its trees | folds, by `n_jobs` |
# | random forest | with its trees | trees, by `n_jobs` or any backend of joblib |
# | exact risk of a parameter | with the pieces of the loss | instances and repetitions |
# | Bayesian trees | with the draws | chains, by `n_jobs` |
#
# ## One machine, measured
#
# Three sweeps of independent tasks: tasks that do nothing, whose time is the cost of sending them; optimal
# sparse trees of bootstrap samples of tic-tac-toe; grids of criteria on random halves of banknote. *First*
# includes the start of processes and the loading of kernels; *then* is the best of three more sweeps.

# %%
measured = store.results("family.scaling", partial=True)
measured["ms a task"] = 1000 * measured["sweep_seconds"] / measured["n_tasks"]
alone = measured[measured["way"] == "here"].set_index("work")["sweep_seconds"]
measured["speed-up"] = measured["work"].map(alone) / measured["sweep_seconds"]
shown = measured.set_index(["work", "way", "workers"])
shown = shown[["n_tasks", "start_seconds", "sweep_seconds", "ms a task", "speed-up"]]
shown.set_axis(["tasks", "first, s", "then, s", "ms a task", "speed-up"], axis=1).round(3)

# %% [markdown]
# ## Up to a thousand workers, simulated
#
# The stored times of all cases, assigned to workers by the rule of `treelib reproduce`: one process hands out
# the longest case first, to whichever worker is free. Timings, which must run alone, come last, one at a
# time. A *study* repeats each case with twenty seeds.

# %% tags=["main-table"] try={"SEEDS": 5} mystnb={"figure": {"name": "cost-simulated", "caption": "Simulated seconds against workers: all cases that may run side by side, the same with the timings after them, and a study with many seeds. The dotted level is the longest case."}, "image": {"alt": "Three falling lines on logarithmic axes. Each falls in proportion to the workers until it meets the dotted level of the longest case; the line with the timings flattens earlier, the line of the study later."}}
SEEDS, WORKERS = 20, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

import matplotlib.pyplot as plt

from treelib.papers.across import many_machines
from treelib.tree.style import use_style

use_style()
furthest = measured[(measured["work"] == "nothing") & (measured["way"].isin(["dask", "processes"]))]
overhead = furthest["ms a task"].max() / 1000  # seconds to send a task
beside, timings = many_machines.stored_work()
study = [case._replace(at_once=None) for case in beside for _ in range(SEEDS)]
curve = pd.DataFrame(many_machines.curve(beside, timings, WORKERS, overhead)).set_index("workers")
wide = pd.DataFrame(many_machines.curve(study, [], WORKERS, overhead)).set_index("workers")
seconds = pd.DataFrame(
    {"side by side": curve["seconds"], "with the timings": curve["whole"], "study": wide["seconds"]}
)
axes = seconds.plot(loglog=True, marker="o", ylabel="seconds", figsize=(6.4, 3.8))
axes.axhline(max(beside).seconds, ls=":", color="gray")
plt.show()

# %%
efficiency = {"efficiency": curve["efficiency"], "efficiency of the study": wide["efficiency"]}
print(f"longest case: {max(beside).experiment}, {max(beside).seconds:,.0f} s; nothing ends before it")
print(f"timings, one after the other: {sum(case.seconds for case in timings):,.0f} s")
seconds.assign(**efficiency).round(2)

# %% [markdown]
# A cluster therefore pays off for new sweeps with many seeds or data sets, not for a faster repetition of
# these.
#
# ## A cluster of your own
#
# One scheduler, any number of workers. All machines need the same sources, the same Python and the same
# packages, and the data sets that may not be shipped, if experiments need them (`TREELIB_DATA_DIR`). Here all
# of it on one machine:
#
# ```bash
# pip install 'treelib-companion[cluster]'
# dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard &
# dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1 &
# treelib reproduce osdt --scheduler tcp://127.0.0.1:8786
# ```
#
# - **Workers are checked first**: sources, Python, packages, and one thread per worker, since two cases in
#   one process would blur each other's time and memory. A worker that joins later is used; a record made by
#   other sources is not kept.
# - **A worker that dies loses only the case it was running**, which goes to another one. A case that several
#   workers did not survive is given up and named, and the others go on. If the scheduler or the machine that
#   started the run dies, the same command resumes from what is stored. The tests kill a worker in the middle
#   of a run.
# - **Memory**: a worker that passes its share (`--memory-limit`) is restarted by its nanny; for large cases
#   use few workers per machine.
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
#
# ## Pages
#
# What each chapter is made of: code that its page shows, code that only judges and formats and is left out,
# the values that were computed while the page was built, and those that come from stored results, each claim
# once. Stored values whose data may not be redistributed are counted separately: nobody can compute them from
# this project alone. The share is of all others.
#
# The seconds are for the whole chapter when it was last executed. A chapter is executed again only when its
# code, what it imports, its data or its results change.
#
# ```{chapter-shape}
# ```
