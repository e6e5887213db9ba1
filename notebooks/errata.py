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
# # Errata of the papers
#
# Reproducing a paper number by number reveals slips that no reader notices, and sometimes a statement that
# does not hold as printed. They are collected here so that others need not find them again. None of them
# affects what the four papers are about: their algorithms work, and this book builds on them.
#
# Each item says where it is, what is printed and how we read it; within a paper the most serious come first.
# Where something can be computed, it is computed while this page is built, and an item whose evidence fails
# would stop the build.

# %%
from treelib.papers.across import errata

errata.counts()

# %% [markdown]
# ## Optimal sparse decision trees

# %%
errata.items("osdt")

# %% [markdown]
# ## Born-again tree ensembles

# %%
errata.items("bornagain")

# %% [markdown]
# ## Learning to split and prune

# %%
errata.items("tsallis")

# %% [markdown]
# ## Optimal dyadic decision trees

# %%
errata.items("dyadic")

# %% [markdown]
# ## Try one yourself
#
# The counterexamples are functions of `treelib.papers`. Here is the one for the recursion of born-again trees
# by depth, then leaves: a cube of cells in two classes, on which the printed recursion needs more splits than
# the best tree of the same depth.

# %%
import random

from treelib.papers.bornagain.text import errata as bornagain_errata

numbers = random.Random(bornagain_errata.SEED)
grids = (bornagain_errata.random_grid(numbers) for _ in range(bornagain_errata.N_GRIDS))
grid = next(g for g in grids if bornagain_errata.printed_dl(g) != bornagain_errata.true_dl(g))
print("classes of the cells:", *grid.values())
print("printed recursion (depth, splits):", bornagain_errata.printed_dl(grid))
print("best tree (depth, splits):        ", bornagain_errata.true_dl(grid))
