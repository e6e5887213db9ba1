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
# # Play
#
# Parts to try by hand. Sliders and grids take the mouse and the arrow keys. Everything shown was computed when this page
# was built and lies in the page; nothing is loaded, and where scripts are off a still picture stands in its place.

# %% tags=["hide-input"]
import numpy as np
from IPython.display import HTML, Markdown

from treelib import OptimalSparseTreeClassifier, datasets
from treelib.experiments import play
from treelib.tree import Tree

# %% [markdown]
# ## The price of a leaf
#
# Both methods minimise the training error plus a price λ for every leaf, and prove it. They differ in where they may cut:
# the sparse tree at any quantile of a feature, the dyadic tree only in the middle of a box. The slider moves through *all*
# prices in exact steps: between two steps no tree changes. Half of the samples train, the other half test.

# %% tags=["hide-input"]
data = datasets.load("dyadic/thyroid")
training, testing = play.half_split(data)


def with_errors(low, high, tree):
    tree = tree.replace(feature_names=data.feature_names, class_names=data.class_names)
    wrong = tree.predict(data.X) != data.y
    return low, high, tree, np.mean(wrong[training]), np.mean(wrong[testing])


LOWEST = 0.004
found = OptimalSparseTreeClassifier().regularization_path(
    data.X[training], data.y[training], min_regularization=LOWEST
)
sparse = [with_errors(s.regularization_low, s.regularization_high, s.tree) for s in found.solutions]
part = play.path_data({"exact": sparse}, LOWEST, 0.4)
HTML(play.html("path", part, sparse[len(sparse) // 2][2].to_svg()))

# %% [markdown]
# ## A search, step by step

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
steps = play.trace_data("monk1", 0.05)
last = steps["steps"][-1]
reached = next(step["n"] for step in steps["steps"] if step["objective"] <= last["objective"])
Markdown(f"""The branch and bound of {{cite:t}}`osdt` on Monk 1, from nothing: every step stops the same search after more
trees. The best tree stands after at most {reached:,} of {last["n"]:,} trees; the rest of the search is the proof. The lower
bound is that of the cheapest tree still in the queue, so it jumps when the last cheap one is gone.""")

# %% tags=["hide-input"]
HTML(play.html("trace", steps, steps["trees"][-1]))
