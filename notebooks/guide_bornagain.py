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
# # Born-again trees
#
# `BornAgainTreeClassifier` turns an ensemble into one tree that predicts the same class everywhere, not only
# on your samples, and is the smallest such tree. Use it when a small ensemble has to be inspected, deployed
# as rules, or checked cell by cell.

# %%
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from treelib import BornAgainTreeClassifier

X, y = load_iris(return_X_y=True)
X = X[:, [2, 3]]  # length and width of the petals
forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, y)
model = BornAgainTreeClassifier(objective="leaves", voting="soft").from_ensemble(forest)
certificate = model.certify()
print("leaves of the forest:", sum(tree.get_n_leaves() for tree in forest.estimators_))
print("leaves of the tree:", model.get_n_leaves(), "- smallest:", model.is_optimal_)
print("same class everywhere:", certificate.faithful, "in", certificate.n_cells, "cells")

# %% mystnb={"figure": {"name": "guide-born-again", "caption": "Left the forest, right the tree: the same classes everywhere."}, "image": {"alt": "Two equal pictures of a plane cut by axis-parallel lines into areas of three classes, with the samples of iris on them."}}
import matplotlib.pyplot as plt
import numpy as np

from treelib.tree.style import CLASS_COLORS, use_style

use_style()
steps = [np.linspace(*column, 300) for column in zip(X.min(axis=0), X.max(axis=0))]
grid = np.array(np.meshgrid(*steps))
figure, panels = plt.subplots(1, 2, figsize=(7, 3.2), sharey=True)
for panel, (name, decide) in zip(panels, {"forest": forest, "one tree": model}.items()):
    classes = decide.predict(grid.reshape(2, -1).T).reshape(grid[0].shape)
    panel.contourf(*steps, classes, levels=[-0.5, 0.5, 1.5, 2.5], colors=CLASS_COLORS[:3], alpha=0.35)
    panel.scatter(*X.T, c=[CLASS_COLORS[k] for k in y], s=8)
    panel.set(title=name, xlabel="petal length")
panels[0].set_ylabel("petal width")
plt.show()

# %% [markdown]
# ## Mathematical formulation
#
# The thresholds of all trees together cut the feature space into *cells*, on each of which the ensemble $F$ is constant. A *region*
# is a box of cells. With $\Phi(R)$ the depth of the smallest tree for region $R$,
#
# $$\Phi(R) = \begin{cases} 0 & \text{if } F \text{ is constant on } R, \\ 1 + \min\limits_{j,\, l} \max\bigl(\Phi(R_{j \le l}),
# \Phi(R_{j > l})\bigr) & \text{otherwise,} \end{cases}$$
#
# where the minimum is over all thresholds $l$ of features $j$ inside $R$. For `objective="leaves"`, $\Phi$ counts leaves: 1 for a constant region, and
# $\min(\Phi(R_{j \le l}) + \Phi(R_{j > l}))$ otherwise. `"depth-leaves"` minimises the depth first and then the leaves. Each region is
# solved once; {doc}`bornagain_picture` builds the algorithm step by step.
#
# ## Complexity
#
# With $k_j$ cells along feature $j$ there are $\prod_j k_j (k_j + 1)/2$ regions, and each tries at most
# $\sum_j (k_j - 1)$ splits. Time and memory are proportional to the number of regions. Thresholds that
# separate no cells of different class are removed first, which often saves a large factor. The problem is
# NP-hard in the number of features; trees and their depth count only through the thresholds that they add.
#
# ## Tips on practical use
#
# - Scikit-learn's forests average class probabilities. Use `voting="soft"` to reproduce their `predict`; the default, `"hard"`,
#   is the paper's majority vote.
# - Keep the number of thresholds small: few and shallow trees, binned or 0/1 features, `max_features` of the forest.
# - `memory_limit` and `time_limit` bound the search. When it is stopped you get a larger tree that is still faithful.
# - `method="heuristic"` scales further. Its tree is just as faithful, but not always the smallest.
# - `post_prune(X)` drops the leaves that no sample reaches. The tree is then much smaller, and faithful only where there are data.
# - `certify()` compares tree and ensemble on every cell. Run it before you replace one with the other.
# - Boosted models work too, and `treelib.compress` looks for fewer trees with the same classes ({doc}`bornagain_boosting`).
#
# ## References
#
# {cite:t}`bornagain`, the recursion and its bounds; {cite:t}`fipe`, the fewest trees of a boosted model.
