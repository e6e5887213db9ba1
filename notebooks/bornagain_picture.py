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
# # A forest and its born-again tree
#
# A forest of decision trees is a function: whoever gives it the same measurements gets the same class. The same function
# can be written as one tree. {cite:t}`bornagain` look for the smallest such tree, and call it the *born-again tree* of
# the forest. This page shows one on two features, where everything can be drawn; {doc}`the next page <bornagain>` takes
# the paper's tables one by one.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
import matplotlib.pyplot as plt
from IPython.display import Markdown

from treelib.papers.bornagain import example as figures, theorem_1
from treelib.papers.bornagain.example import example
from treelib.tree.drawing import plot_tree
from treelib.tree.style import use_style

small, seeds = example(), example("seeds")
forest_leaves = sum(tree.simplified().n_leaves for tree in small.ensemble.trees)
roots = {(int(tree.feature[0]), float(tree.threshold[0])) for tree in small.ensemble.trees}
is_new = (int(small.tree.feature[0]), float(small.tree.threshold[0])) not in roots
Markdown(f"""**In short**

- *Claim:* a single tree of minimum size reproduces the forest exactly, everywhere. *Found:* the
  {small.ensemble.n_trees} trees drawn here, with {forest_leaves} leaves in all, become one tree of
  {small.tree.n_leaves} leaves.
- *Everywhere* is proved, not sampled: {small.certificate.n_checked} cells were compared, and there are no others.
- *Claim:* the best root need not be the root of any tree of the forest. *Found:* {"so it is here" if is_new else "not so here"}.
- *Claim:* parts that no training sample reaches can be pruned away. *Found:* {small.tree.n_leaves} leaves become
  {small.pruned.n_leaves} here, {seeds.tree.n_leaves} become {seeds.pruned.n_leaves} with all features.
""")

# %% [markdown]
# ## The forest
#
# Two varieties of wheat, told apart by two measurements of their kernels, each cut into ten steps. Each tree was grown on
# a random sample of the kernels; a new kernel gets the class that most trees vote for.

# %% mystnb={"figure": {"name": "bornagain-fig-6a", "caption": "The three trees of the forest (compare Figure 6 of the paper)."}, "image": {"classes": "wide-tree", "alt": "Three small decision trees side by side, each asking about the two features up to three times on a path."}} tags=["hide-input"]
use_style()
figure, panels = plt.subplots(3, 1, figsize=(7, 12))
for number, (axes, tree) in enumerate(zip(panels, small.ensemble.trees), start=1):
    named = tree.replace(feature_names=small.features, class_names=small.classes, value=0 * tree.value, n_node_samples=0 * tree.n_node_samples, label=tree.label)
    plot_tree(named, ax=axes, title=f"tree {number}")
plt.show()

# %% [markdown]
# ## Cells, regions, splits
#
# All thresholds of all trees together cut the plane into *cells* ({numref}`bornagain-fig-1`). Inside a cell no tree
# changes its mind, so the vote is constant, and the forest is no more than a table of the cells' classes
# ({numref}`bornagain-fig-6b`). A *region* is a box of cells. A *split* cuts a region in two along a threshold. A tree is a
# way to cut the whole plane, region by region, until every region holds cells of one class only.

# %% mystnb={"figure": {"name": "bornagain-fig-1", "caption": "A cell, a region, and a split of it (Figure 1 of the paper)."}, "image": {"alt": "A plane cut into cells by horizontal and vertical lines. One cell in the corner and a box of several cells are outlined; a dotted line splits the box."}} tags=["hide-input"]
use_style()
figure, axes = plt.subplots(figsize=(6.4, 4.8))
figures.figure_1(axes, small)
figures.frame(axes, small)
plt.show()

# %% mystnb={"figure": {"name": "bornagain-fig-6b", "caption": "The same plane: cells with the class of the vote (left), and the regions of the born-again tree (right; compare Figure 6 of the paper). Letters are the first letters of the classes."}, "image": {"alt": "Two panels of the same plane. Left, many small cells, each with its class. Right, a few large rectangles that have the same colours as the cells beneath them."}} tags=["hide-input"]
use_style()
figure, panels = plt.subplots(1, 2, figsize=(7, 3.9), sharey=True)
figures.draw_cells(panels[0], small)
figures.frame(panels[0], small, "cells")
figures.draw_tree_regions(panels[1], small, small.tree)
figures.frame(panels[1], small, "born-again tree")
panels[1].set_ylabel("")
plt.show()

# %% [markdown]
# Thresholds that separate no two neighbouring cells of different class can be left out before the search begins
# ({numref}`bornagain-filter`). What remains is what every tree of the same function must ask.

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
kept = small.kept
lines = "\n".join(
    f"| {name} | {', '.join(f'{cut:g}' for cut in every)} | {', '.join(f'{cut:g}' for cut in some)} |"
    for name, every, some in zip(small.features, small.cells.levels, kept.levels)
)
Markdown(f""":::{{table}} Thresholds of the forest, and those that matter. Cells: {small.cells.n_cells} and {kept.n_cells}; regions: {small.cells.n_regions} and {kept.n_regions} (Equations 1 and 2 of the paper).
:name: bornagain-filter

| feature | all thresholds | those that matter |
|---|---|---|
{lines}
:::""")

# %% [markdown]
# ## The born-again tree

# %% mystnb={"figure": {"name": "bornagain-fig-6c", "caption": "The born-again tree: the same function as the vote of the three trees, with the least number of leaves."}, "image": {"classes": "wide-tree", "alt": "One decision tree with a few more leaves than each tree of the forest, and fewer than all of them together."}} tags=["hide-input"]
use_style()
plot_tree(small.tree)
plt.show()

# %% [markdown]
# You can make one yourself, from any forest you have, and have it proved:

# %%
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from treelib import BornAgainTreeClassifier

X, y = load_iris(return_X_y=True)
forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
model = BornAgainTreeClassifier(objective="leaves").from_ensemble(forest)
certificate = model.certify()
print(model.tree_.n_leaves, "leaves, optimal:", model.is_optimal_)
print("faithful:", certificate.faithful, "in all", certificate.n_cells, "cells")

# %% [markdown]
# ## With all features, and pruned
#
# On all seven features nothing can be drawn but the trees. The born-again tree has many leaves that no training
# sample ever reaches: the forest voted there, so its tree has to say the same. *Post-pruning* replaces a split with an
# empty side by its other side, which gives up faithfulness where there are no data
# ({numref}`bornagain-fig-4`, Figure 4 of the paper).

# %% mystnb={"figure": {"name": "bornagain-fig-4", "caption": "Seeds, one fold: the born-again tree of the forest after post-pruning (Figure 4 of the paper, on a forest trained here)."}, "image": {"classes": "wide-tree", "alt": "A decision tree with a dozen and more leaves of three classes."}} tags=["hide-input"]
use_style()
plot_tree(seeds.pruned)
plt.show()

# %% mystnb={"markdown_format": "myst"} tags=["hide-input"]
trees = seeds.ensemble.trees
rows = [
    ("random forest", "all of its trees", max(tree.max_depth for tree in trees), sum(tree.simplified().n_leaves for tree in trees)),
    ("born-again tree", "the same function", seeds.tree.max_depth, seeds.tree.n_leaves),
    ("after post-pruning", "the same on the training samples", seeds.pruned.max_depth, seeds.pruned.n_leaves),
]
lines = "\n".join(f"| {name} | {what} | {depth} | {leaves} |" for name, what, depth, leaves in rows)
Markdown(f""":::{{table}} From the forest to the pruned tree on one fold of Seeds.
:name: bornagain-fig-4-numbers

| | | depth | leaves |
|---|---|---:|---:|
{lines}
:::""")

# %% [markdown]
# ## Why it is hard
#
# :::{prf:theorem} Theorem 1 of the paper
# :label: bornagain-np-hard
#
# To find a born-again tree of least depth, or of fewest leaves, is NP-hard.
#
# Verdict: {verdict}`bornagain.s1.theorem-1.statement`.
# :::
#
# The proof writes any formula of 3-SAT as a forest: a tree for each clause, true unless all its literals are false
# ({numref}`bornagain-fig-5`), and one tree less that always says False. True wins the vote where all clauses are true, so
# the formula can be fulfilled if and only if the born-again tree is more than a single leaf False. Whoever finds
# born-again trees, or only checks them, can thereby decide 3-SAT.

# %% mystnb={"figure": {"name": "bornagain-fig-5", "caption": "The tree of the first clause of the paper's formula (Figure 5 of the paper)."}, "image": {"classes": "wide-tree", "alt": "A complete tree of depth three with eight leaves. One leaf is False, the others are True."}} tags=["hide-input"]
use_style()
clause = theorem_1.clause_tree(theorem_1.PRINTED_FORMULA[0], 4)
plot_tree(clause.replace(feature_names=[f"x{i}" for i in range(1, 5)]))
plt.show()

# %%
import numpy as np

rng = np.random.default_rng(0)
for n_clauses in (5, 15, 25, 35):
    clauses = theorem_1.random_formula(n_clauses, 4, rng)
    tree = theorem_1.decide_by_born_again_tree(clauses, 4)
    tried = theorem_1.is_satisfiable(clauses, 4)
    print(n_clauses, "clauses: by the tree", tree, "- by trying all", tried)
