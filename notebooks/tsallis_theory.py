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
# # How many data sets does learning take?
#
# A parameter chosen on a few data sets may disappoint on the next one. {cite:t}`tsallis` bound how many data
# sets from a domain suffice. The bounds rest on counting: for one data set the learner has finitely many
# different behaviours as a parameter varies, and so few behaviours cannot fit many data sets by chance.
#
# This chapter checks what can be counted, and measures how a learned parameter performs on new data. The
# findings on the paper open {doc}`the first chapter on it <tsallis>`.

# %% [markdown]
# ## The learned parameter on new data
#
# The domain consists of random halves of one data set: one half trains, the other measures the loss. From $N$
# such instances α is learned exactly, by the best piece of the mean loss. A second pool of instances
# represents the domain.
#
# That pool is finite too. Where the losses of all α are nearly equal, its own best α is best by chance, and
# the excess over it need not fall to zero.

# %% tags=["main-table"] try={"DATA": "Wine"}
DATA = "Iris"

import numpy as np
import pandas as pd

from treelib.papers import reproduce
from treelib.papers.tsallis.exact_loss import SIZES

record = reproduce("tsallis.generalisation", data=DATA)
excess = np.array(record["excess"].iloc[0])
pd.DataFrame(
    {
        "instances": SIZES, "mean excess loss": excess.mean(axis=1),
        "largest": excess.max(axis=1),
    }
).round(4)

# %% [markdown]
# Where the excess falls, more data sets make the learned parameter better. Over all four data sets:

# %% mystnb={"figure": {"name": "tsallis-learning", "caption": "Excess loss of the learned α (at β = 1) over the best α of the domain, against the number of instances it was learned from: means over draws (lines), and the excess of entropy (dashes)."}, "image": {"alt": "Four panels. On Wine and Banknote the line falls as the number of instances grows, to a tenth of its start; on Iris and Breast cancer it stays at a few thousandths and does not fall."}}
import matplotlib.pyplot as plt

from treelib.tree.style import CLASS_COLORS, INK, use_style

use_style()
first = reproduce("tsallis.generalisation", beta=1)
figure, panels = plt.subplots(2, 2, figsize=(7, 5.2), sharex=True)
for panel, (_, row) in zip(panels.flat, first.iterrows()):
    panel.plot(SIZES, [np.mean(draws) for draws in row["excess"]], "o-", color=CLASS_COLORS[0])
    panel.axhline(row["standard"]["Entropy"], color=INK, linestyle="--")
    panel.set_xscale("log", base=2)
    panel.set_xticks(SIZES, SIZES)
    panel.set(title=row["data"], ylim=(0, None))
for panel in panels[-1]:
    panel.set(xlabel="instances N")
for panel in panels[:, 0]:
    panel.set(ylabel="excess loss")
plt.show()

# %% [markdown]
# The theory guarantees much less, as worst cases do. The last columns give the number of instances that a
# bound with all its constants requires, once with the pieces that were counted, once with the paper's worst
# case. Both are far more than the figure suggests are needed.

# %%
record = reproduce("tsallis.generalisation")
record[["data", "beta", "pieces", "sufficient", "sufficient_worst_case"]]

# %% [markdown]
# ## Bayesian trees
#
# Section 3.3 tunes a prior over trees: a node at depth $d$ is split with probability $\sigma (1 + d)^{-\phi}$.
# `BayesianTreeClassifier` samples trees from the posterior by Metropolis-Hastings, several chains side by side.

# %%
import warnings

from sklearn.datasets import load_iris

from treelib import BayesianTreeClassifier

X, y = load_iris(return_X_y=True, as_frame=True)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # whether the chains agree is printed
    model = BayesianTreeClassifier(sigma=0.95, phi=1.0, random_state=0).fit(X, y)
print(f"{model.status_}: R-hat {model.r_hat_:.2f}, effective sample size {model.ess_:.0f}")
model.tree_

# %% [markdown]
# ## A counterexample, step by step
#
# Theorem 8.1 bounds the pseudo-dimension of a union of two classes of losses. For classes of functions with
# values 0 and 1 this is the size of the largest set of points on which all patterns occur. Subsets of three
# points with at most one element shatter one point, and so do those with two or more:

# %% tags=["main-table"] try={"DIMENSION": 2}
DIMENSION = 1

from treelib.papers.tsallis.text.theorems import union_counterexample

pd.Series(union_counterexample(DIMENSION)).to_frame("value")

# %% [markdown]
# ## Every theorem and definition
#
# Four statements carry the chapter; $t$ is the size of a tree. The table after them has the others.
#
# :::{prf:theorem} learning to split, Theorem 3.3 of the paper
# :label: tsallis-learn-split
#
# For fixed data the learner has finitely many behaviours as $(\alpha, \beta)$ varies, so a number of data sets of the
# order of $t\,(\log|\mathcal F| + \log t + c \log(B + c))$, over the square of the desired accuracy, suffices
# to learn them; $c$ counts the classes, $|\mathcal F|$ the splits, and $B$ bounds $\beta$.
#
# Verdict: {verdict}`tsallis.s3-1.theorem-3-3.statement`.
# :::
#
# :::{prf:theorem} learning to prune, Theorem 4.1 of the paper
# :label: tsallis-learn-prune
#
# As the leaf penalty rises the pruned trees are nested, so the loss has few pieces, and data sets of the order of
# $\log t$, over the square of the desired accuracy, suffice to learn it. There are at most $t$ pieces where
# $t$ counts leaves or all nodes, and can be one more where it counts splits; the paper leaves open which is
# meant.
#
# Verdict: {verdict}`tsallis.s4.theorem-4-1.statement`, nested prunings and pieces {verdict}`tsallis.s4.theorem-4-1.pieces`.
# :::
#
# :::{prf:theorem} pessimistic pruning, Theorem 4.2 of the paper
# :label: tsallis-learn-pessimistic
#
# Data sets of the order of $\log t$ suffice to learn the two constants of pessimistic pruning. The proof counts at most $t$
# curves in their plane. But a node's test depends on what was pruned below it, so one node can have several
# curves.
#
# Verdict: theorem {verdict}`tsallis.s4.theorem-4-2.statement`, count of curves {verdict}`tsallis.s4.theorem-4-2.curves`.
# :::
#
# :::{prf:theorem} choice among algorithms, Theorem 8.1 of the paper
# :label: tsallis-choice
#
# As printed, the pseudo-dimension of a union of $k$ loss classes is at most $e^2/(e^2-1)$ times the sum of $\log k$ and
# the largest of theirs. The order is right; the constant is too small.
#
# Verdict: {verdict}`tsallis.s8.theorem-8-1.statement`.
# :::

# %% [markdown]
# A theorem can be tried: compute both sides on many small cases and count how often it fails. *Matches* held in every case,
# *differs* has a counterexample among the <a href="errata.html">errata</a>, and *untestable* holds up to a constant
# that the paper does not state.

# %%
from treelib.papers.tsallis.text import theory

theory.tried()

# %% [markdown]
# ## What holds
#
# - For one data set, a learner has finitely many different behaviours as its parameter varies: fewer than
#   twenty on each of the four data sets above. That is why few data sets suffice to learn the parameter.
# - A parameter learned from more data sets is better on new ones where the criterion matters at all;
#   elsewhere all parameters have about the same loss.
# - The guarantees are orders of growth. With all constants they require far more data sets than the
#   experiments need.
# - Two statements fail as printed: the constant of Theorem 8.1 is too small (see the <a href="errata.html#errata.tsallis.theorem-8-1">errata</a>), and
#   the proof of Theorem 6.1 does not cover boosting beyond the first tree (see the <a href="errata.html#errata.tsallis.degree">errata</a>).
