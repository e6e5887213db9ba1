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
# # Verify again
#
# You need not trust a search to trust its result. Each button below loads a data set and a stored tree into your browser and
# counts again: errors, leaves, and the objective as an exact fraction. Nothing is sent anywhere. The record
# that you can save identifies the data and the tree by their checksums, so you can cite what you saw.
#
# That no better tree exists can be checked as well: {doc}`proofs` explains how.

# %% [markdown]
# ## A proof of your own
#
# `model.write_proof` writes a table and a proof that no tree is better. This page checks them by the rules of
# {doc}`../book/proofs`; the files stay on your machine.

# %%
from treelib.papers.across import proofs, verify

proofs.drop_part()

# %% [markdown]
# ## Optimal sparse trees
#
# The trees of Figures 4 to 7 of {cite:t}`osdt`, each at the leaf penalty of its figure:

# %%
verify.sparse_figures()

# %% [markdown]
# The optimal tree of every data set of the paper at one penalty:

# %%
verify.sparse_optima("0.025")

# %% [markdown]
# ## Optimal dyadic trees
#
# Data sets of {cite:t}`dyadic` that the site may distribute; see {doc}`dyadic`.

# %%
verify.dyadic_trees("0.01", ["banana", "titanic", "thyroid", "flare_solar"])
