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
# treelib fit patients.csv --target worse --tune --out patients.html
# ```
#
# It reads CSV or Parquet, with decimal points or commas, turns every category into a 0/1 column, keeps missing values as a
# case of their own, and says what it leaves out: identifiers, constants, times.
#
# It then fits, judges the tree on rows that
# the tree has not seen, and writes the report, and beside it the tree as JSON, SVG, rules and SQL over the columns of the
# file. While it works it shows the best tree so far and how far that can be from the optimum.
#
# The price of a leaf that `--tune` chooses is the highest whose error is within one standard error of the lowest: on small
# tables that is a small tree.
#
# Which thresholds does the optimal tree choose from? In every column from ten quantiles and all cuts of a greedy tree, which
# may lie anywhere; a missing value may go to either side. So the tree is never worse in its objective than the greedy one of
# the same price, pruned, also where the clock ended the search. What no proof was found for is said to have none.
#
# Where a class is rare, or its errors cost more, `--class-weight balanced` or `--class-weight yes=5` says what its rows weigh:
# the search and the choice of the price then count errors with these weights, and the report shows both errors. For a
# born-again tree there is no such weight, since it copies its ensemble.
#
# What the tree has to keep to is said by `--min-samples-leaf 20`, `--monotonic income=+1` (the prediction may not fall as income
# grows; `-1`: not rise), `--allow NAME` (only such columns are tested) and `--require NAME` (this one is), and the report names
# it beside the proof. All of these are for optimal sparse trees; a greedy tree has `--min-samples-leaf`.
#
# In a column of numbers `NA`, `None` and the like are missing; in a column of text they are categories, unless
# `--missing NA,None` names them. A column with numbers such as `007` is text; `--categorical NAME` and `--numeric NAME` say
# otherwise. `--max-depth`, `--max-leaves` and `--max-thresholds` make the search smaller. `treelib predict tree.json new.csv`
# predicts the rows of a new file by the tree that was stored.
#
# This page runs the command on two tables from outside the four papers.

# %% tags=["remove-input"]
import time
from contextlib import redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from IPython.display import HTML
from sklearn.datasets import load_diabetes

from treelib import Tree
from treelib.cli import main
from treelib.ledger.page import Markdown

# %% [markdown]
# ## A small table
#
# Patients with diabetes {cite:p}`efron2004`, ten measurements of each, shipped with scikit-learn. The target: has the
# disease advanced more than in half of the patients? We add what real tables have: a column of text, holes, and an
# identifier.

# %%
patients = load_diabetes(as_frame=True, scaled=False).frame
patients["worse"] = np.where(patients.pop("target") > 140, "yes", "no")
patients["sex"] = patients["sex"].map({1.0: "f", 2.0: "m"})
patients["patient"] = [f"P{i:04d}" for i in range(len(patients))]
rng = np.random.default_rng(0)
patients.loc[rng.random(len(patients)) < 0.1, "bmi"] = np.nan

folder = TemporaryDirectory()
table, report = Path(folder.name, "patients.csv"), Path(folder.name, "patients.html")
patients.to_csv(table, index=False)
with redirect_stdout(StringIO()) as said:
    arguments = ["--target", "worse", "--tune", "--time-limit", "10", "--quiet"]
    main(["fit", str(table), *arguments, "--out", str(report)])
print(said.getvalue().replace(folder.name, ""))

# %% [markdown]
# The report is one file that needs nothing else:

# %% tags=["remove-input"]
text = report.read_text(encoding="utf-8").replace(folder.name + "/", "")
HTML(
    f'<div><iframe title="Report on the diabetes patients" srcdoc="{escape(text)}" width="100%" height="640" '
    f'style="border:1px solid #8796a5;background:#fff;color-scheme:light"></iframe></div>'
)

# %% [markdown]
# The stored tree is read back bit by bit, for use in another program:

# %%
tree = Tree.from_json(report.with_suffix(".json").read_text())
print(report.with_suffix(".sql").read_text())

# %% [markdown]
# ## A hundred thousand rows
#
# What counts for the search is not the number of rows but the number of *different* rows after the columns have become
# tests, and how well they can be told apart. Here are many made-up loans with a rule behind them and noise on top.

# %%
n = 100_000
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
table, report = Path(folder.name, "loans.csv"), Path(folder.name, "loans.html")
loans.to_csv(table, index=False)
start = time.perf_counter()
with redirect_stdout(StringIO()):
    arguments = ["--target", "default", "--regularization", "0.01", "--quiet"]
    main(["fit", str(table), *arguments, "--out", str(report)])
seconds = time.perf_counter() - start

# %% tags=["remove-input"]
tree = Tree.from_json(report.with_suffix(".json").read_text())
size = f"{report.stat().st_size / 1024:.0f} kB"
folder.cleanup()
Markdown(
    f"Reading, five folds, the final search with its proof, all prices above, and the report ({size}) took {seconds:.1f} s. "
    f"The tree has {tree.n_leaves} leaves."
)

# %% [markdown]
# ## From Python
#
# The command is a thin shell around estimators that follow scikit-learn's interface:
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
