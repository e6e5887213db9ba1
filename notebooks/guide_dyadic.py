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
# # Dyadic trees
#
# `DyadicTreeClassifier` considers trees whose splits halve intervals: the range of a feature, or a half that is left of it. Among these
# it finds the tree with the least error plus a penalty for each leaf, and in the same pass the optimal trees
# of all larger penalties. Use it for a few numeric features, when you want the whole range of optimal trees
# and a proof for each.

# %%
from treelib import DyadicTreeClassifier, datasets

data = datasets.load("dyadic/banana")
X, y = data.X[::4], data.y[::4]
model = DyadicTreeClassifier(regularization=0.005, time_limit=30).fit(X, y)
print(model.get_n_leaves(), "leaves, training error", round(1 - model.score(X, y), 3))
path = DyadicTreeClassifier().regularization_path(X, y, min_regularization=0.005)
print(len(path.solutions), "optimal trees, of", [one.n_leaves for one in path.solutions], "leaves")

# %% mystnb={"figure": {"name": "guide-dyadic", "caption": "The tree above: each rectangle comes from halving intervals."}, "image": {"alt": "A plane with samples of two banana-shaped classes, cut into rectangles whose sides are halves, quarters and eighths of the square."}}
import matplotlib.pyplot as plt
import numpy as np

from treelib.tree.style import CLASS_COLORS, use_style

use_style()
steps = [np.linspace(*column, 400) for column in zip(X.min(axis=0), X.max(axis=0))]
grid = np.array(np.meshgrid(*steps))
classes = np.searchsorted(model.classes_, model.predict(grid.reshape(2, -1).T))
plt.figure(figsize=(5, 4.2))
shown = classes.reshape(grid[0].shape)
plt.contourf(*steps, shown, levels=[-0.5, 0.5, 1.5], colors=CLASS_COLORS[:2], alpha=0.35)
plt.scatter(*X.T, c=[CLASS_COLORS[k] for k in y], s=5)
plt.show()

# %% [markdown]
# ## Mathematical formulation
#
# All samples lie in a box. A rectangle $R$ may be split in the middle of its interval for feature $j$ into $R_j^-$ and
# $R_j^+$, at most $k_j$ times along a path. With $e(R)$ the error of the best single label on $R$, the least regularised risk satisfies
#
# $$r_\lambda(R) = \min\Bigl(e(R) + \lambda,\; \min_j\, r_\lambda(R_j^-) + r_\lambda(R_j^+)\Bigr).$$
#
# Each rectangle is solved once, and rectangles whose error cannot pay for another leaf are skipped. The optimal trees change at finitely
# many values of $\lambda$, all of which follow from the lower hull of (leaves, error) of every rectangle. {doc}`dyadic` derives both.
#
# ## Complexity
#
# A sample lies in $\prod_j (k_j + 1)$ rectangles. With $\hat n$ distinct samples on the grid there are at most
# $\hat n \prod_j (k_j + 1)$ occupied rectangles, and each tries one split per feature. So time and memory grow linearly with the samples and steeply
# with the number of features. `max_rectangles` caps them.
#
# ## Tips on practical use
#
# - `regularization="auto"` is the paper's rule of thumb, two samples per leaf. It gives large trees; choose from the path by
#   cross-validation for smaller ones.
# - `max_splits="auto"` takes the coarsest grid that separates the classes in training. Smaller numbers make the search faster and
#   leave errors that no tree can avoid.
# - With more than about eight features the grid gets coarse or features are left out; a warning names them. Choose the features
#   yourself, or use {doc}`guide_sparse`.
# - The box is the range of the training data. Give `box` if you know the true range, so that thresholds do not depend on outliers.
# - Thresholds come from the grid, not from the data: a sparse tree with the same number of leaves usually makes fewer errors.
# - `free_empty_leaves=True` charges nothing for rectangles without samples.
#
# ## References
#
# {cite:t}`dyadic`, all optimal trees by memoized recursion; {cite:t}`blanchard2007`, the dynamic programming before it.
