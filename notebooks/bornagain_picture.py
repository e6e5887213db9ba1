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

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import HTML

from treelib.ledger import page, tables
from treelib.ledger.page.answers import answer, answer_of, asked
from treelib.ledger.page import Markdown
from treelib.papers.across import live
from treelib.papers.bornagain import example as drawing
from treelib.papers.bornagain.text import theorem_1
from treelib.tree.drawing import plot_tree
from treelib.tree.style import use_style

pd.set_option("display.max_colwidth", None)  # what a check ran over is said in full
small, shown = drawing.example(), drawing.drawn_example()
forest_leaves = sum(tree.n_leaves for tree in small.ensemble.trees)
roots = {(int(tree.feature[0]), float(tree.threshold[0])) for tree in small.ensemble.trees if tree.n_nodes > 1}
is_new = (int(small.tree.feature[0]), float(small.tree.threshold[0])) not in roots
of_figure_4 = {one.claim.id: one for one in drawing.judge_figure_4()}
root, leaves_left = of_figure_4["bornagain.s4-4.seeds-example.root"], of_figure_4["bornagain.f4.pruned.leaves"]
Markdown(f"""**In short**

- {asked("one tree can reproduce a forest everywhere", answer_of(small.certificate.faithful, 1))} The {small.ensemble.n_trees} trees drawn here,
  with {forest_leaves} leaves in all, become one tree of {small.tree.n_leaves} leaves.
- {asked("that is proved, not sampled", answer_of(small.certificate.n_checked >= small.kept.n_cells, 1), "Claim")} The plane has {small.cells.n_cells} boxes on which no tree changes its mind,
  and no others.
- {asked("the best root in Figure 4 is no root of the forest", answer(root))} {"It is new" if root.verdict == "match" else "All trees of that forest have it"}.
  For the small forest drawn here the best root is {"a new one" if is_new else "one of its own"}.
- {asked("parts that no training sample reaches can be pruned away", answer_of(shown.pruned.n_leaves < shown.tree.n_leaves, 1))} Of the {shown.tree.n_leaves} leaves of
  Figure 4 {shown.pruned.n_leaves} are left here, and {leaves_left.claim.value} in the paper.
""")

# %% [markdown]
# ## The forest
#
# Two varieties of wheat, told apart by two measurements of their kernels, each cut into ten steps. Each tree was grown on
# a random sample of the kernels. A new kernel gets the class that most trees vote for.

# %% tags=["main-table"] try={"FEATURES": ["area", "kernel-width"], "SEED": 2}
FEATURES, VARIETIES, TREES, SEED = ["perimeter", "kernel-width"], [0, 2], 3, 1

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from treelib import datasets
from treelib.bornagain import as_ensemble, certify, minimise

wheat = datasets.load("bornagain/Seeds")
rows = np.isin(wheat.y, VARIETIES)
X = wheat.X[np.ix_(rows, [wheat.feature_names.index(name) for name in FEATURES])]
y = np.searchsorted(VARIETIES, wheat.y[rows])
forest = as_ensemble(
    RandomForestClassifier(TREES, max_depth=3, max_features=1, random_state=SEED).fit(X, y)
)
tree = minimise(forest, "leaves").tree
print(
    sum(one.n_leaves for one in forest.trees), "leaves of the forest,",
    tree.n_leaves, "of the tree",
)
print("faithful everywhere:", certify(tree, forest).faithful)

# %% mystnb={"figure": {"name": "bornagain-fig-6a", "caption": "The trees of the forest (compare Figure 6 of the paper)."}, "image": {"classes": "wide-tree", "alt": "Three small decision trees side by side, each asking about the two features up to three times on a path."}} tags=["remove-input"]
use_style()
small = drawing.of_forest(forest, X, y, FEATURES, [wheat.class_names[k] for k in VARIETIES])
figure, panels = plt.subplots(TREES, 1, figsize=(7, 4 * TREES))
for number, (axes, one) in enumerate(zip(np.ravel(panels), small.ensemble.trees), start=1):
    named = one.replace(feature_names=small.features, class_names=small.classes, value=0 * one.value, n_node_samples=0 * one.n_node_samples, label=one.label)
    plot_tree(named, ax=axes, title=f"tree {number}", missing=False)
plt.show()

# %% [markdown]
# ## Cells, regions, splits
#
# All thresholds of all trees together cut the plane into *cells* ({numref}`bornagain-fig-1`). Inside a cell no tree
# changes its mind, so the vote is constant. The forest is no more than a table of the cells' classes
# ({numref}`bornagain-fig-6b`).
#
# A *region* is a box of cells. A *split* cuts a region in two along a threshold. A tree is a way to cut the whole plane,
# region by region, until every region holds cells of one class only.

# %%
from treelib.bornagain import build_cells

every, some = build_cells(forest, keep_all=True), build_cells(forest)
for name, cuts, kept in zip(FEATURES, every.levels, some.levels):
    print(f"{name}: {len(cuts)} thresholds, {len(kept)} of them part cells of different class")
print("cells", every.n_cells, "then", some.n_cells)
print("regions", every.n_regions, "then", some.n_regions)

# %% mystnb={"figure": {"name": "bornagain-fig-1", "caption": "A cell, a region, and a split of it (Figure 1 of the paper)."}, "image": {"alt": "A plane cut into cells by horizontal and vertical lines. One cell in the corner and a box of several cells are outlined; a dotted line splits the box."}} tags=["remove-input"]
use_style()
figure, axes = plt.subplots(figsize=(6.4, 4.8))
drawing.figure_1(axes, small)
drawing.frame(axes, small)
plt.show()

# %% mystnb={"figure": {"name": "bornagain-fig-6b", "caption": "The same plane: cells with the class of the vote (left), and the regions of the born-again tree (right; compare Figure 6 of the paper). Letters are the first letters of the classes."}, "image": {"alt": "Two panels of the same plane. Left, many small cells, each with its class. Right, a few large rectangles that have the same colours as the cells beneath them."}} tags=["remove-input"]
use_style()
figure, panels = plt.subplots(1, 2, figsize=(7, 3.9), sharey=True)
drawing.draw_cells(panels[0], small)
drawing.frame(panels[0], small, "cells")
drawing.draw_tree_regions(panels[1], small, small.tree)
drawing.frame(panels[1], small, "born-again tree")
panels[1].set_ylabel("")
plt.show()

# %% [markdown]
# The search leaves out thresholds that part no two neighbouring cells of different class ({numref}`bornagain-filter`).
# What remains is what every tree of the same function must ask.

# %% tags=["remove-input"]
tables.table(
    ("feature", "all thresholds", "those that matter"),
    [
        (name, *(", ".join(f"{cut:g}" for cut in cuts) for cuts in (all_cuts, kept)))
        for name, all_cuts, kept in zip(small.features, small.cells.levels, small.kept.levels)
    ],
    f"Thresholds of the forest, and those that matter. Cells: {small.cells.n_cells} and {small.kept.n_cells}; regions: {small.cells.n_regions} and {small.kept.n_regions} (Equations 1 and 2 of the paper).",
    "bornagain-filter",
    origin=page.origin(),
)

# %% [markdown]
# ## The born-again tree
#
# The tree has the same class as the vote in every cell, and no tree with this property has fewer leaves.

# %% mystnb={"figure": {"name": "bornagain-fig-6c", "caption": "The born-again tree: the same function as the vote of the trees, with the least number of leaves."}, "image": {"classes": "wide-tree", "alt": "One decision tree with a few more leaves than each tree of the forest, and fewer than all of them together."}} tags=["remove-input"]
use_style()
plot_tree(small.tree)
plt.show()

# %% [markdown]
# Here both are made in your browser: the forest as you set it, and its born-again tree, by the package's own search. One
# more tree in the forest can make the tree much larger, or smaller.

# %% tags=["remove-input"]
HTML(live.born_again("banana", "A forest and its born-again tree: this part runs on the page of the book."))

# %% [markdown]
# You can make one yourself, from any forest you have, and have it proved:

# %%
from sklearn.datasets import load_iris

from treelib import BornAgainTreeClassifier

iris_X, iris_y = load_iris(return_X_y=True)
iris_forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(iris_X, iris_y)
model = BornAgainTreeClassifier(objective="leaves").from_ensemble(iris_forest)
certificate = model.certify()
print(model.tree_.n_leaves, "leaves, optimal:", model.is_optimal_)
print("faithful:", certificate.faithful, "in all", certificate.n_cells, "cells")

# %% [markdown]
# ## With all features, and pruned
#
# Figure 4 of the paper draws a forest of three trees on Seeds with all its splits. Here it is copied from the figure, and
# reborn: least depth first, then fewest leaves.
#
# The born-again tree has leaves that no row of the data ever reaches: the forest voted there, so its tree has to say the
# same. *Post-pruning* replaces a split with an empty side by its other side. That gives up faithfulness where there are
# no data.

# %% tags=["main-table"] try={"OBJECTIVE": "leaves"}
OBJECTIVE = "depth-leaves"

import pandas as pd

from treelib import Tree
from treelib.bornagain import post_prune

drawn = [
    ("k-groove", 5.75, ("comp", 0.86, ("k-length", 5.52, 2, 0), ("asym", 4.97, 0, 2)), 1),
    ("k-groove", 5.75, ("comp", 0.86, ("area", 13.37, 2, 0), 0),
     ("k-width", 3.48, ("asym", 2.25, 0, 1), 1)),
    ("k-groove", 5.75, ("area", 12.62, ("k-groove", 4.87, 0, 2), ("k-width", 3.48, 0, 1)),
     ("asym", 2.25, ("k-length", 6.06, 0, 1), 1)),
]
features = ["area", "perimeter", "comp", "k-length", "k-width", "asym", "k-groove"]
three_trees = [Tree.from_nested(tree, feature_names=features, n_classes=3) for tree in drawn]
born_again = minimise(three_trees, OBJECTIVE).tree
measured = datasets.load("bornagain/Seeds/raw")
pruned = post_prune(born_again, measured.X)
shapes = {"forest": three_trees, "born-again tree": [born_again], "pruned": [pruned]}
pd.DataFrame(
    [(max(t.max_depth for t in ts), sum(t.n_leaves for t in ts)) for ts in shapes.values()],
    index=list(shapes), columns=["depth", "leaves"],
)

# %% mystnb={"figure": {"name": "bornagain-fig-4", "caption": "The forest of Figure 4 as one tree (before pruning): split by split the one that the paper draws."}, "image": {"classes": "wide-tree", "alt": "A decision tree of depth five with thirteen leaves of three classes. Its root asks whether the groove is at most 5.75."}} tags=["remove-input"]
use_style()
plot_tree(born_again.replace(class_names=wheat.class_names).recount(measured.X, measured.y))
plt.show()

# %% tags=["remove-input"]
tables.comparison(
    drawing.judge_figure_4(drawing.of_forest(three_trees, measured.X, measured.y, features, wheat.class_names, OBJECTIVE)),
    "Figure 4, and what the text says of it.",
    "bornagain-fig-4-numbers",
    label=lambda claim: f"{claim.row}, {claim.column}",
)

# %% [markdown]
# The paper's tree comes out, each of its splits. The text says that the root of the born-again tree is different from all
# root splits of the forest; in the figure it is the root of all three trees.

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
# The proof writes any formula of 3-SAT as a forest. A tree for each clause is true unless all its literals are false
# ({numref}`bornagain-fig-5`). One tree less always says False. True wins the vote where all clauses are true.
#
# So the formula can be fulfilled if and only if the born-again tree is more than a single leaf False. Whoever finds
# born-again trees, or only checks them, can thereby decide 3-SAT.

# %% mystnb={"figure": {"name": "bornagain-fig-5", "caption": "The tree of the first clause of the paper's formula (Figure 5 of the paper)."}, "image": {"classes": "wide-tree", "alt": "A complete tree of depth three with eight leaves. One leaf is False, the others are True."}} tags=["remove-input"]
use_style()
clause = theorem_1.clause_tree(theorem_1.PRINTED_FORMULA[0], 4)
plot_tree(clause.replace(feature_names=[f"x{i}" for i in range(1, 5)]))
plt.show()

# %% tags=["main-table"] try={"VARIABLES": 5}
VARIABLES, CLAUSES = 4, (5, 15, 25, 35)

from itertools import product

from treelib import Tree
from treelib.bornagain import born_again_heuristic


def clause_tree(literals, values=()):
    """Nested splits on the variables of a clause: False (0) only where all literals are."""
    if len(values) == 3:
        return int(any(value == (literal > 0) for value, literal in zip(values, literals)))
    no, yes = (clause_tree(literals, (*values, value)) for value in (False, True))
    return abs(literals[len(values)]) - 1, 0.5, no, yes


rng, names = np.random.default_rng(0), np.arange(1, VARIABLES + 1)
assignments = np.array(list(product((-1, 1), repeat=VARIABLES)))
for n in CLAUSES:
    formula = [rng.permutation(names)[:3] * rng.choice((-1, 1), 3) for _ in range(n)]
    trees = [Tree.from_nested(clause_tree(c), VARIABLES, n_classes=2) for c in formula]
    trees += [Tree.from_nested(0, VARIABLES, n_classes=2)] * (n - 1)
    by_tree = born_again_heuristic(trees, random_state=0).tree.label.max() > 0
    holds = [all((np.sign(c) == x[abs(c) - 1]).any() for c in formula) for x in assignments]
    print(n, "clauses: by the tree", bool(by_tree), "- by trying all", any(holds))

# %% [markdown]
# The same for all small formulas and for random ones:

# %% tags=["main-table"] try={"FORMULAS": 20}
FORMULAS, SEED = 200, 0

from treelib.papers.bornagain.text.theorem_1 import try_reduction

reduction = try_reduction(FORMULAS, SEED)
pd.DataFrame(
    [(one.how, one.where, one.cases, one.failed) for one in reduction],
    columns=["how", "where", "cases", "failed"],
)

# %% tags=["remove-input"]
page.beside(
    lambda: tables.comparison(
        theorem_1.verdicts(reduction),
        "Theorem 1, its reduction and Figure 5.",
        "bornagain-fig-5-numbers",
        label=lambda claim: f"{claim.item}: {claim.column}",
    ),
    FORMULAS=(FORMULAS, 200),
    SEED=(SEED, 0),
)
