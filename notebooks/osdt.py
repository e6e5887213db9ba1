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
# # Optimal sparse decision trees
#
# {cite:t}`osdt` look for the decision tree that minimises its training error plus a price per leaf, and prove that
# the tree they return is the best one. This chapter begins with the size of the space that such a proof has to cover.

# %% [markdown]
# ## How many trees are there? (Table 1)
#
# Over $p$ binary features, a tree of depth at most $d$ is a leaf, or a split on one of $p$ features with a tree of depth
# at most $d-1$ over the other $p-1$ features on each side. The number of trees is therefore
#
# $$a_0(p) = 1, \qquad a_d(p) = 1 + p\,a_{d-1}(p-1)^2 ,$$
#
# and the paper counts $a_d(p) - 1$: it leaves out the single leaf.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
from IPython.display import Markdown


def count_trees(n_features, depth):
    """Trees of depth at most `depth` over `n_features` binary features, the single leaf included."""
    return 1 if depth == 0 else 1 + n_features * count_trees(n_features - 1, depth - 1) ** 2


rows = [f"| {depth} | {count_trees(10, depth) - 1:.3e} | {count_trees(20, depth) - 1:.3e} |" for depth in range(1, 6)]
table = "\n".join(["| depth | 10 features | 20 features |", "|--:|--:|--:|", *rows])
Markdown(f":::{{table}} Number of trees (the paper's Table 1).\n:name: osdt-table-1\n\n{table}\n:::")

# %% mystnb={"figure": {"name": "osdt-search-space", "caption": "The search space grows doubly exponentially with the depth."}, "image": {"alt": "Number of trees against depth on a logarithmic axis: two curves, for 10 and 20 features, both rising ever more steeply."}} tags=["hide-input"]
import matplotlib.pyplot as plt

from treelib.style import use_style

use_style()
figure, axes = plt.subplots(figsize=(6, 3.2))
for n_features, marker in ((10, "o"), (20, "s")):
    axes.semilogy(range(1, 6), [count_trees(n_features, d) - 1 for d in range(1, 6)], marker, ls="-", label=f"{n_features} features")
axes.set(xlabel="depth", ylabel="trees", xticks=range(1, 6))
axes.legend(frameon=False)
plt.show()
