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
# # Boosted models: one tree, or the fewest trees
#
# {cite:t}`bornagain` replace a forest that votes by one tree. Most ensembles in use are boosted: their trees add scores, and
# the class with the largest sum wins. This chapter asks two questions about them. How small is one tree that assigns the same class
# everywhere? And how few of the trees, with new weights, assign the same class everywhere? {cite:t}`fipe` asked the second
# question and answered it with a commercial solver. Here HiGHS, a free solver, and an exact search over cells answer it.

# %% [markdown]
# ## A boosted model, read exactly
#
# Sums of scores are rounded, and rounding decides near ties. So the scores are added in the order and the number type of
# the library. The cell below counts the samples whose class differs from the library's; the samples are
# random combinations of values from the data. {doc}`tested` has a million samples for each kind of model of
# scikit-learn, XGBoost and LightGBM.

# %%
DATA, ROUNDS, DEPTH = "bornagain/COMPAS-ProPublica", 20, 2
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import train_test_split
from treelib import BornAgainTreeClassifier, compress, datasets

data = datasets.load(DATA)
X, X_test, y, y_test = train_test_split(data.X, data.y, test_size=0.2, random_state=0)
model = GradientBoostingClassifier(n_estimators=ROUNDS, max_depth=DEPTH, random_state=0).fit(X, y)
one_tree = BornAgainTreeClassifier(objective="leaves", time_limit=20).from_ensemble(model)
ensemble = one_tree.ensemble_
rng = np.random.default_rng(0)
columns = np.arange(X.shape[1])
rows = X[rng.integers(len(X), size=(50_000, len(columns))), columns]
wrong = ensemble.classes[ensemble.predict(rows)] != model.predict(rows)
print(ensemble)
print("samples with another class:", wrong.sum(), "of", len(rows))

# %% [markdown]
# ## One tree
#
# The cells of the feature space, the search and the proof are those of {doc}`forests <bornagain_picture>`; only the class of
# a cell comes from a sum of scores.

# %%
certificate = one_tree.certify()
print(f"{ensemble.n_leaves} leaves in {ensemble.n_trees} trees become")
print(f"{one_tree.tree_.n_leaves} leaves in one tree ({one_tree.status_})")
print("same class everywhere:", certificate.faithful)
print("compared on", certificate.n_checked, "of", certificate.n_cells, "cells")

# %% [markdown]
# ## The fewest trees
#
# A subset of the trees gets new weights. The class must stay the same in every cell. Three parts work
# together: a linear program finds weights for the cells seen so far; an exact search finds a cell where they
# fail, or proves that there is none; an integer program counts the trees that every solution needs.

# %%
SECONDS = 30
found = compress(model, X, time_limit=SECONDS)
print(found)
print("kept trees:", found.kept.tolist())
print("weights:   ", np.round(found.weights, 2).tolist())
again = BornAgainTreeClassifier(objective="leaves", time_limit=20)
again = again.from_ensemble(found.ensemble)
is_same = one_tree.tree_.same_function(again.tree_, missing=False)
print("its born-again tree is the same function:", is_same)

# %% [markdown]
# The model, what is left of it and the one tree assign the same classes, so their test accuracy is the same:

# %%
import pandas as pd

kept_classes = found.ensemble.classes[found.ensemble.predict(X_test)]
seconds = one_tree.search_stats_["seconds"]
what = [
    ("model", ensemble.n_trees, ensemble.n_leaves, model.predict(X_test), "", None),
    ("kept trees", found.n_trees, found.ensemble.n_leaves, kept_classes, found.status, found.seconds),
    ("one tree", 1, one_tree.tree_.n_leaves, one_tree.predict(X_test), one_tree.status_, seconds),
]
lines = [(*line[:3], (line[3] == y_test).mean(), *line[4:]) for line in what]
pd.DataFrame(lines, columns=["", "trees", "leaves", "accuracy", "fewest or smallest", "seconds"]).round(3)

# %% [markdown]
# "optimal" says that no subset has fewer trees, and that no tree has fewer leaves.
#
# The bound on the number of trees has two sources. A threshold that separates two classes must be in some
# tree that is kept. And if a set of trees cannot keep all classes, the linear program says which other trees
# could help. The second kind holds for weights that leave a small margin, which the result reports.

# %% [markdown]
# ## What can be compressed, and what cannot
#
# Trees that split at the same few thresholds can stand in for each other. On continuous features nearly every
# tree has thresholds of its own; where one of these separates two classes, its tree must stay. COMPAS has 0/1
# features, Seeds features binned into ten steps, Seeds/raw the measured values:

# %% tags=["main-table"] try={"N_TREES": 5}
SETS, N_TREES, LIMIT = ["COMPAS-ProPublica", "Seeds", "Seeds/raw"], 20, 8

from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

stump = DecisionTreeClassifier(max_depth=1)
models = {
    "AdaBoost, stumps": AdaBoostClassifier(stump, n_estimators=N_TREES),
    "forest, depth 2": RandomForestClassifier(N_TREES, max_depth=2),
}
lines = []
for key in SETS:
    table = datasets.load(f"bornagain/{key}")
    for name, unfitted in models.items():
        fitted = unfitted.set_params(random_state=0).fit(table.X, table.y)
        less = compress(fitted, table.X, time_limit=LIMIT)
        lines.append((key, name, N_TREES, less.n_trees, less.lower_bound, less.status))
pd.DataFrame(lines, columns=["data", "model", "trees", "kept", "at least", "status"])

# %% [markdown]
# "optimal" says that the kept trees are the fewest; "time_limit" says that the search was stopped, and the ensemble of
# "kept" trees is certified all the same. Where "kept" equals "trees", no smaller ensemble was certified.

# %% [markdown]
# ## Larger ensembles
#
# {cite:t}`fipe` tried more data sets and larger ensembles. The table below has those of their data sets that
# the project holds. Each kept ensemble is certified over the whole feature space, and was also compared with
# its library on random samples. Their printed sizes are not shown: we had no access to the paper's tables,
# and the authors' repository of experiments has their program and data, but no results. Their solver was
# Gurobi; their models were different, AdaBoost of stumps among them.
#
# A stored run; every model had a time limit. "margin" says that fewer trees would leave too small a margin.
# *n_mismatches* counts random samples with a class other than the library's. Other programs ran at the same
# time, so a model had less of its core than the clock says; `make bench-compress` renews the run.

# %%
from treelib.papers.across import engine

run = engine.stored("compress")
fifty = pd.DataFrame(run["records"])
n_proved, n_whole = (fifty["status"] == "optimal").sum(), (fifty["n_kept"] == fifty["n_trees"]).sum()
print(f"{len(fifty)} cases: {n_proved} proved, {n_whole} keep all their trees; limit {fifty['time_limit'].max():g} s")
print(f"{run['machine']['cpu']}, {run['machine']['date']}")
shown = ["n_thresholds", "n_trees", "n_kept", "lower_bound", "status", "cpu_seconds", "n_mismatches"]
fifty.set_index(["data", "model"])[shown].round(1)

# %% [markdown]
# ## What holds
#
# - Like a forest, a boosted model is a finite table of cells: one tree can assign its class everywhere, and
#   the certificate compares the two on every cell.
# - Many trees can be left out if the others get new weights. The result is certified over the whole feature space, not on samples.
# - How many can go depends on the thresholds that the trees share. On 0/1 features most thresholds are
#   shared; on measured numbers nearly every tree has thresholds of its own and must stay.
# - The exact search finds the fewest trees for small ensembles; larger ones hit the time limit, and what they
#   keep is certified all the same.
