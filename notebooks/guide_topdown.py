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
# # Top-down trees with α and β
#
# `TopDownTreeClassifier` and `TopDownTreeRegressor` grow a tree greedily, like CART, and let you choose the splitting criterion from a
# family with two parameters. Use them when you have many samples or need a tree at once; the forests
# `TopDownForestClassifier` and `TopDownForestRegressor` take the same settings.

# %%
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score

from treelib import TopDownTreeClassifier

X, y = load_wine(return_X_y=True)
model = TopDownTreeClassifier("tsallis", alpha=1.5, beta=1.0, max_depth=3).fit(X, y)
print(model.get_n_leaves(), "leaves, training accuracy", round(model.score(X, y), 3))
print("cross-validated accuracy", round(cross_val_score(model, X, y, cv=5).mean(), 3))

# %% mystnb={"figure": {"name": "guide-top-down", "caption": "Cross-validated accuracy of trees of depth four against α. The curves are steps: between two breakpoints the trees do not change."}, "image": {"alt": "Two lines of accuracy over alpha, one for each beta. They are constant over stretches and jump in between."}}
import matplotlib.pyplot as plt
import numpy as np

from treelib.tree.style import use_style

use_style()
alphas = np.linspace(0.5, 4, 29)
plt.figure(figsize=(6, 3.4))
for beta in (1.0, 4.0):
    trees = [TopDownTreeClassifier("tsallis", alpha=a, beta=beta, max_depth=4) for a in alphas]
    accuracy = [cross_val_score(tree, X, y, cv=5).mean() for tree in trees]
    plt.plot(alphas, accuracy, drawstyle="steps-mid", label=f"β = {beta:g}")
plt.xlabel("α")
plt.ylabel("cross-validated accuracy")
plt.legend()
plt.show()

# %% [markdown]
# ## Mathematical formulation
#
# A node with class proportions $p_1, \dots, p_c$ has the impurity
#
# $$g_{\alpha,\beta}(p) = \frac{C}{\alpha - 1}\Bigl(1 - \bigl(\textstyle\sum_i p_i^\alpha\bigr)^\beta\Bigr),$$
#
# and a leaf of weight $w$ is split where $w\,g(p) - w_l\,g(p_l) - w_r\,g(p_r)$ is largest. $(2, 1)$ is Gini impurity, $\alpha \to 1$ with
# $\beta = 1$ is entropy, and $(1/2, 2)$ is the criterion of {cite:t}`kearns-mansour`. Minimal cost-complexity pruning then removes splits
# that save less than `ccp_alpha` of the weight for each leaf. {doc}`tsallis` explains how to learn $\alpha$ and $\beta$, {doc}`tsallis_pruning`
# how to learn the penalty.
#
# ## Complexity
#
# Each feature is sorted once, $O(p\, n \log n)$. After that a level of the tree costs $O(p\, n)$, so a balanced tree costs
# $O(p\, n \log n)$ in all and an unbalanced one at most $O(p\, n \cdot \text{depth})$. Categories tested one by one add a pass each;
# `category_tests="subsets"` orders them first.
#
# ## Tips on practical use
#
# - Start with Gini (the default). Tune `alpha` and `beta` on the same folds as the depth; on many data sets the differences are within
#   chance, so do not read much into the best point of one grid.
# - For $\beta \ge 1$ and $\alpha$ above 1 every criterion is concave. Other pairs may reward splits that separate nothing.
# - Limit the tree with `max_depth`, `max_leaf_nodes` or `min_samples_leaf`, or grow it and prune with `ccp_alpha`;
#   `cost_complexity_pruning_path` gives all penalties at which the tree changes.
# - Missing values and categories need no encoding. Give features of many categories `min_samples_leaf`.
# - Growing is greedy. If two features only help together, the first split looks worthless; try an optimal tree
#   ({doc}`guide_sparse`).
# - `class_weight` and sample weights work as in scikit-learn.
#
# ## References
#
# {cite:t}`tsallis`, the family and how to learn it; {cite:t}`cart`, greedy growth and cost-complexity pruning; {cite:t}`kearns-mansour`, criteria as boosting;
# {cite:t}`mansour-pessimistic`, pessimistic pruning.
