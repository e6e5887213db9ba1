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
# # How it is tested
#
# Besides the tests that run with every change, some long-running suites search for faults. The figures below
# were stored by the suites themselves (`data/tested/figures.json`, with their commits); each section names
# the command that reruns one. What they found is listed at the end, with the test that keeps it from coming
# back.

# %%
import pandas as pd

from treelib.ledger import suites

figures = suites.figures()
pd.DataFrame(figures["stored"]).T.rename_axis("suite that ran as a whole")

# %% [markdown]
# ## Random problems
#
# `make test-long`. Small random problems, each solved by a kernel and by a naive twin in plain Python that is too slow to
# be useful and too simple to be wrong, or by another program: imodels, STreeD, licketysplit, scikit-learn, SQLite.
# STreeD runs without its lower bounds: with them it calls a worse tree optimal on a few of ten thousand such problems,
# all of more than two classes, and without them once in as many. There we try all trees instead; a test keeps
# one problem of each kind. Relations compare a problem with a copy that must have the same answer: samples or
# features in another order, classes under other names, other units, repeated samples and integer weights.

# %%
twins = pd.DataFrame(figures["differential"]).T[["problems", "failures"]]
print(f"{twins['problems'].sum():,} problems, {twins['failures'].sum()} failures")
twins

# %% [markdown]
# ## Kernels in the page
#
# `python -m tests.wasm.kernels.in_browser FOLDER`. Small random problems, each solved by Python, by the page's WebAssembly under
# wasmtime, and by the same file in browsers. Trees, objectives, bounds and counts must be equal, in a browser every byte that is
# read. *functions* counts answers that differ only because a browser's logarithms and powers differ in the last digit from the C
# library's; they were compared again with the library's values. *trees* counts those that gave a different
# tree.

# %%
pages = {(kernel, name): row for kernel, rows in figures["pages"].items() for name, row in rows.items()}
pd.DataFrame(pages).T

# %% [markdown]
# ## scikit-learn's own tests
#
# `python -m pytest tests/suites/scikit_learn/test_shipped_tests.py`. The tests that scikit-learn ships for
# its trees and forests run unchanged, with our classes under its names. A list states which must fail, and
# why: a test on it that passes is a fault too. Several targets at once, `warm_start` and `splitter="random"`
# are excluded.

# %%
pd.DataFrame(figures["scikit-learn"]).T

# %% [markdown]
# ## Real tables
#
# `python -m tests.benchmarks.learners.tables`. `treelib fit --tune` on tables from R packages, with errors on
# a held-out third. CART is scikit-learn's pruned tree with as many leaves as ours, or the next smaller one;
# *worse by* is its error minus ours. *Best penalty* is the one with the least error on the held-out samples,
# which nobody could have chosen beforehand. Every fit had a few seconds of processor time, and many were
# stopped; the command allows a minute.

# %%
tables = {
    name.partition("/")[2]: {
        "samples": row["rows"],
        "leaves": row["sparse"]["leaves"],
        "error": row["sparse"]["error"],
        "best penalty": row["sparse"]["best_price"]["error"],
        "CART": row["sparse"]["cart"]["error"],
        "worse by": row["sparse"]["cart"]["worse_by"],
        "standard error": row["sparse"]["cart"]["standard_error"],
        "greedy": row["topdown"]["error"],
    }
    for name, row in figures["tables"].items()
}
pd.DataFrame(tables).T.round(3)

# %% [markdown]
# `python -m tests.benchmarks.learners.practice`. More tables, as files with dates, decimal commas and many
# categories. An analyst chose those with a minute each; the others were taken by a rule, from the first
# packages in alphabetical order. The limits are in processor seconds. CART is scikit-learn's tree on columns
# prepared by `treelib`, of any size, pruned by five folds: at the lowest error (*min*) and by one standard
# error (*1-SE*). *shown* says what is proved about the tree that the report shows, *deepest proof* gives the
# depth of the deepest proved tree next to it. Errors are those on a held-out third, for quantities the mean
# squared error as a fraction of the variance; *worse by* is ours minus CART's (1-SE), with its paired
# standard error, *than greedy* the same for the greedy tree that the same folds would have chosen. CART with
# hundreds of leaves predicts better where classes need them; nobody can read it.

# %%
practice = {
    name: {
        "rows": row["rows"],
        "limit": row["limit"],
        "seconds": row["seconds"],
        "shown": row["shown"],
        "deepest proof": row["deepest_proof"] or "",
        "error (leaves)": f"{row['error']:.4f} ({row['leaves']})",
        "CART, min": f"{row['CART_min']['error']:.4f} ({row['CART_min']['leaves']})",
        "CART, 1-SE": f"{row['CART_1se']['error']:.4f} ({row['CART_1se']['leaves']})",
        "worse by": f"{row['CART_1se']['worse_by']:+.4f} ± {row['CART_1se']['standard_error']:.4f}",
        "than greedy": "{worse_by:+.4f} ± {standard_error:.4f}".format(**row["greedy"]) if "greedy" in row else "",
    }
    for name, row in figures["practice"].items()
}
pd.DataFrame(practice).T

# %% [markdown]
# Where the tree is worse than the greedy one by more than one paired standard error, the same was done with
# other splits of the rows into training and test, to see how much of it was chance. The greedy trees, a
# single leaf among them, are candidates in the same folds.

# %%
for name, row in figures["practice"].items():
    if "greedy" in row and row["greedy"]["worse_by"] > row["greedy"]["standard_error"]:
        others = pd.Series(row.get("other_splits", []), dtype=float)
        print(f"{name}: worse in {(others > 0).sum()} of {len(others)} other splits, mean {others.mean():+.4f}")

# %% [markdown]
# ## Bounds and faults
#
# `make test-bounds` runs the tests of all kernels with numba's bounds checks, so that reading outside an
# array is an error. `python tests/suites/faults/runs.py` kills `treelib reproduce` at random moments and then
# reruns it to the end. A case counts as lost if the process had reported it as saved. Further tests fill the
# disk, run two processes in one folder, damage results, data and compiled kernels, and remove write
# permission.

# %%
pd.DataFrame({"bounds": figures["bounds"], "faults": figures["faults"]}).stack().to_frame("count")

# %% [markdown]
# ## Limits
#
# `python -m tests.suites.limits.shapes`. The searches run on a grid of tables (samples, features, values of a
# feature, classes, weights, missing values, categories) and of limits on seconds and memory; the figures are
# by number of cells and by search. *bound* counts wrong lower bounds, *greedy* trees with a worse objective
# than scikit-learn's greedy tree, grown under the same limits and pruned; *hasty* cases in which that greedy
# tree alone took longer than the search was allowed.

# %%
pd.concat({by: pd.DataFrame(figures[by]).T for by in ("shapes", "shapes, by search")})

# %% [markdown]
# ## First fits
#
# `make bench-first-fit`. Seconds of a process that imports an estimator, reads a small table and fits it: with an empty cache of
# compiled kernels, and in a later process; medians on a machine with two cores. A release's wheel includes
# compiled kernels.

# %%
pd.DataFrame(figures["first fit"]).T

# %% [markdown]
# ## Readers of files and models
#
# `make fuzz` fuzzes the readers of trees, forests, boosted models, tables and stored results, guided by
# coverage. They may reject an input with the documented error, and nothing else.
# `python -m tests.suites.random_problems.boosted` fits boosted models and forests with their library and
# reads them, from the fitted model and from its file. Classes and sums of scores are compared bit for bit on
# random samples, half of whose values are thresholds or the neighbouring numbers of either float type.

# %%
pd.DataFrame(figures["fuzz"]).T

# %%
pd.DataFrame(figures["readers"]).T

# %% [markdown]
# ## Wrong data and settings
#
# The tests of every change pass a long list of wrong and odd data and settings to every estimator: it fits,
# or says what is wrong and where. The list stores the exact words (`data/tested/bad_input.json`, written by
# `python tests/suites/bad_input/outcomes.py`).

# %%
said, n_trials = suites.bad_input()
said = pd.DataFrame(said, columns=["input", "estimators", "outcome"])
print(f"{said['input'].nunique()} inputs, {n_trials} fits tried")
said[said["outcome"] != "fits"].sample(12, random_state=0).set_index("input")[["outcome"]]

# %% [markdown]
# ## What they found
#
# Each fault that one of these runs has shown, with its fix and the test that would catch it again, is a line
# of `data/tested/mended.csv`. By suite, and the last few:

# %%
mended = pd.DataFrame(suites.mended())
mended.groupby("suite").size().to_frame("faults")

# %%
mended.set_index("suite")[["fault", "mended"]].tail(8)
