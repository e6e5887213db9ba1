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
# # Your own data
#
# One command takes a table to a tree and a report:
#
# ```bash
# treelib fit wines.csv --target cultivar --tune --out wines.html
# ```
#
# It finds the decision tree with the fewest errors plus a penalty for each leaf, proves that no tree is better, judges the tree on
# samples that it has not seen, and writes a report, the tree as JSON and SVG, and the tree as rules and SQL over the columns of the
# file. All options are [at the end](all-options). Here the command runs on a small table and on a large one.

# %% [markdown]
# ## A small table
#
# Wines of three cultivars, thirteen measurements of each, shipped with scikit-learn (and among the data of {cite:t}`tsallis`).
# The target: which cultivar? We add what real tables have: a text column, missing values, and an identifier.

# %%
import os
from tempfile import TemporaryDirectory

import numpy as np
from sklearn.datasets import load_wine

folder = TemporaryDirectory()
os.chdir(folder.name)  # an empty folder for the files of this page

wines = load_wine(as_frame=True).frame
wines["cultivar"] = wines.pop("target").map({0: "first", 1: "second", 2: "third"})
wines["ash"] = np.where(wines["ash"] < 2.3, "little", "much")
wines["bottle"] = [f"B{i:03d}" for i in range(len(wines))]
wines.loc[np.random.default_rng(0).random(len(wines)) < 0.1, "magnesium"] = np.nan
wines.to_csv("wines.csv", index=False)

# %% [markdown]
# `main` is the command `treelib` from within Python: in a shell, the same words without `main`, quotes and brackets.

# %%
from treelib.cli import main

command = "fit wines.csv --target cultivar --regularization 0.01 --out wines.html"
main(f"{command} --time-limit 30 --quiet".split());

# %% [markdown]
# The report is one file that needs nothing else:

# %%
from treelib.papers.across import live

live.report("wines.html", "Report on the wines")

# %% [markdown]
# The stored tree can be read back, bit for bit, for use in another program:

# %%
from pathlib import Path

from treelib import Tree

tree = Tree.from_json(Path("wines.json").read_text())
print(Path("wines.sql").read_text())

# %% [markdown]
# New rows come in a file with the same columns:

# %%
wines.drop(columns="cultivar").tail(3).to_csv("new.csv", index=False)
main("predict wines.json new.csv --why".split());

# %% [markdown]
# ## A hundred thousand rows
#
# What counts for the search is not the number of rows but the number of *different* rows after the columns have become
# tests, and how easily they are distinguished. Here are many made-up loans with a rule behind them and noise
# on top.

# %%
import pandas as pd

n, rng = 100_000, np.random.default_rng(0)
loans = pd.DataFrame(
    {
        "income": rng.lognormal(10.3, 0.5, n).round(),
        "debt": rng.lognormal(8.5, 1.0, n).round(), "age": rng.integers(18, 80, n),
        "purpose": rng.choice(["car", "home", "study", "other"], n),
        "late_before": rng.poisson(0.4, n),
    }
)
risky = (loans["debt"] > 8000) | (loans["late_before"] >= 2)
risky &= ~((loans["purpose"] == "home") & (loans["age"] > 50))
loans["default"] = np.where(risky ^ (rng.random(n) < 0.05), "yes", "no")
loans.to_csv("loans.csv", index=False)

# %%
from time import perf_counter

start = perf_counter()
main("fit loans.csv --target default --regularization 0.01 --out loans.html --quiet".split())
size = Path("loans.html").stat().st_size
print(f"{perf_counter() - start:.1f} s with all that was compiled or loaded; the report has {size / 1024:.0f} kB")

# %% [markdown]
# ## From Python
#
# The same in a few lines, with the options of the command:
#
# ```python
# found = treelib.tune(X, y, time_limit=20)
# found.tree, found.is_proved, found.error
# print(found.explain(X.head(1))[0]); found.report("report.html")
# ```
#
# Underneath are estimators that follow scikit-learn's interface:
#
# ```python
# from treelib import OptimalSparseTreeClassifier
#
# model = OptimalSparseTreeClassifier(regularization=0.01, time_limit=60).fit(X, y)
# model.tree_                        # draws itself in a notebook
# model.objective_, model.lower_bound_, model.is_optimal_
# model.set_params(max_thresholds=10).regularization_path(X, y, min_regularization=0.005)
# ```
#
# {doc}`guide` says which estimator suits which question.
#
# (all-options)=
# ## All options
#
# `treelib fit` reads CSV (UTF-8, UTF-16 or Windows-1252; Excel's `sep=;`) or Parquet, turns every category
# into a 0/1 feature, keeps missing values as a case of their own, and reports what it drops: identifiers, row
# numbers, constants, free text. The decimal mark is decided once for the file, from all of its numbers; if
# they leave it open, a note says so, and `--decimal ,` decides. A column that is nearly all numbers is
# numeric: its other cells are missing, and are named. Yes and no, true and false, 1 and 0 mean the same in
# the fit, in `treelib predict` and in SQL.
#
# While it works, it shows the best tree so far and how far it can be from the optimum.
#
# In a column with many categories the most common are kept and the others are pooled (`--max-categories`). A
# date is split into its year, month, weekday, day and hour. Ranges such as `1-9`, `10-24`, `25+` have an
# order and are split at one threshold; `--ordered size=small,medium,large` gives another order. With
# `--category-tests subsets` a split may test for a set, "state in {NY, NJ, CA}": those that come first or
# last when the training rows order the categories by their share of a class, or by the mean of a quantity.
# For two classes the best first test is among these ({cite:t}`cart`, Theorem 4.5); a proved tree is the
# best over these sets, not over all possible sets. An unseen category is in no set. A target of many
# different numbers is a quantity, unless `--task` says otherwise. Trees for quantities are grown greedily and
# pruned, without a proof. `--criterion poisson` is for counts.
#
# `--weights COLUMN` names the column with the weight of each row, as surveys have: the search, the choice of
# the size, all errors, the shares in the leaves and `--test` count a row of weight three as three rows. The
# number of rows in a leaf counts each row once.
#
# The leaf penalty (`--regularization`) is a fraction of the samples: at `0.01` a leaf has to correct one
# sample in a hundred. Instead, `--tune` searches for optimal trees of growing depth, for all penalties at
# once, until the time is up (`--time-limit`, a minute in total) or deeper trees predict no better. Of an
# unfinished depth only the trees that are proved count, from one leaf on; a proved tree is the best of its
# depth with as many leaves or fewer. It takes the smallest tree whose error on held-out rows is within one
# standard error of the lowest (`--rule min`: the lowest), and says at which depth it is proved. A greedy tree
# of any depth is a candidate too: if it predicts better by more than a standard error, it is shown, and a
# note says what the best proved tree reaches and how to see it.
#
# Which thresholds does the optimal tree choose from? In every column, from ten quantiles and from all
# thresholds of a greedy tree, which may lie anywhere; a missing value may go to either side
# (`OptimalSparseTreeClassifier` sends it right, and `proof_scope_` says so). So its objective is never worse
# than that of the pruned greedy tree at the same penalty, even if the search hits the time limit. A tree
# without a proof is reported as such.
#
# If a class is rare, or its errors cost more, `--class-weight balanced` or `--class-weight yes=5` sets the
# weight of its samples: the search and the choice of the penalty then count errors with these weights, and
# the report shows both errors. `--score auc`, `log-loss` and `balanced-accuracy` give the classes equal
# weight in the search; the report shows the share of each class in each leaf. A born-again tree has no such
# weight, since it copies its ensemble.
#
# Constraints: `--min-samples-leaf 20`, `--monotonic income=+1` (the prediction may not fall as income
# grows; `-1`: not rise), `--allow NAME` (only these columns are used) and `--require NAME` (this column must
# be used). The report names them next to the proof. All of these are for optimal sparse trees; a greedy tree
# has only `--min-samples-leaf`.
#
# In a column of numbers `NA`, `None` and the like are missing; in a column of text they are categories, unless
# `--missing NA,None` names them. A column with numbers such as `007` is text; `--categorical NAME` and `--numeric NAME` say
# otherwise. `--max-depth`, `--max-leaves` and `--max-thresholds` make the search smaller. `treelib predict tree.json new.csv`
# predicts the rows of a new file with the stored tree; with `--why` it gives the reason for each prediction,
# and the smallest change that would give another class (`--fixed age`: not in this column;
# `--change income=+1`: only upwards). `--test FILE` evaluates the tree on rows that were not used in fitting.
#
# All options, as `treelib fit --help` shows them:

# %%
from treelib.owndata.options import OPTIONS

pd.set_option("display.max_colwidth", None)
pd.DataFrame({"what it does": {name: told["help"] for name, told in OPTIONS.items()}})
