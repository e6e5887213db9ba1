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
# {cite:t}`bornagain` make one tree of a forest that votes. Most ensembles in use are boosted: their trees add scores, and
# the class is that of the largest sum. All is computed on this page.
#
# It asks two questions of them. How small is one tree with the same class everywhere? And how few of the trees, with new
# weights, give the same class everywhere? {cite:t}`fipe` asked the second one, and answered it with a commercial solver.
# Here HiGHS and an exact search over cells answer it.

# %% [markdown]
# ## A boosted model, read exactly
#
# Sums of scores are rounded, and rounding decides near ties. So the scores are added in the order and the number type of
# the library. The cell counts rows where the class differs from the library's, on random rows and on the thresholds.

# %%
DATA, ROUNDS, DEPTH = "bornagain/COMPAS-ProPublica", 20, 2
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from treelib import BornAgainTreeClassifier, compress, datasets

data = datasets.load(DATA)
model = GradientBoostingClassifier(n_estimators=ROUNDS, max_depth=DEPTH, random_state=0).fit(
    data.X, data.y
)
one_tree = BornAgainTreeClassifier(objective="leaves", time_limit=20).from_ensemble(model)
ensemble = one_tree.ensemble_
rng = np.random.default_rng(0)
rows = np.asarray(data.X, dtype=float)[
    rng.integers(len(data.X), size=(50_000, data.X.shape[1])), np.arange(data.X.shape[1])
]
print(ensemble)
print(
    "rows with another class:",
    (ensemble.classes[ensemble.predict(rows)] != model.predict(rows)).sum(), "of", len(rows),
)

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
# A subset of the trees gets new weights. The class must stay the same in every cell. Three parts work on each other: a
# linear program finds weights for the cells met so far; an exact search finds a cell where they fail, or proves that there
# is none; an integer program counts the trees that no solution can do without.

# %%
SECONDS = 30
found = compress(model, data.X, time_limit=SECONDS)
print(found)
print("kept trees:", found.kept.tolist())
print("weights:   ", np.round(found.weights, 2).tolist())
again = BornAgainTreeClassifier(objective="leaves", time_limit=20).from_ensemble(
    found.ensemble
)
print(
    "its born-again tree is the same function:",
    one_tree.tree_.same_function(again.tree_, missing=False),
)

# %% [markdown]
# The bound on the number of trees has two sources. A threshold that parts two classes must be in some tree that is kept.
# And where a set of trees cannot keep all classes, the linear program says which other trees could help. The second kind
# holds for weights that leave a small margin, which the result names.

# %% [markdown]
# ## What can be compressed, and what cannot
#
# Trees that ask about the same few thresholds can stand in for each other. On continuous features nearly each tree has
# thresholds of its own; where one of these parts two classes, its tree must stay.

# %%
LIMIT, N_TREES = 8, 20
import pandas as pd
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

sets = {
    "COMPAS, 0/1 features": "bornagain/COMPAS-ProPublica", "Seeds, binned": "bornagain/Seeds",
    "Seeds, measured": "bornagain/Seeds/raw",
}
models = {
    "AdaBoost, stumps": AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=1), n_estimators=N_TREES, random_state=0
    ),
    "forest, depth 2": RandomForestClassifier(N_TREES, max_depth=2, random_state=0),
}
lines = []
for (name, key), (kind, unfitted) in [
    (one, two) for one in sets.items() for two in models.items()
]:
    table = datasets.load(key)
    result = compress(unfitted.fit(table.X, table.y), table.X, time_limit=LIMIT)
    lines.append(
        (
            name, kind, result.n_original, result.n_trees, result.lower_bound, result.status,
            round(result.seconds, 1),
        )
    )
pd.DataFrame(
    lines, columns=["data", "model", "trees", "kept", "at least", "status", "seconds"]
)

# %% [markdown]
# "optimal" says that the kept trees are the fewest; "time_limit" says that the search was stopped, and the ensemble of
# "kept" trees is certified all the same. Where "kept" equals "trees", no smaller ensemble was certified.
