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
# # Born-again trees: the recursion
#
# A forest of decision trees is a function: it maps each feature vector to a class. The same function can be written
# as one tree. {cite:t}`bornagain` find the smallest such tree, by depth, by leaves, or by depth first and
# then leaves, and call it a *born-again tree* of the forest. This chapter explains their algorithm on two
# features, where everything can be drawn; {doc}`the next one <bornagain>` has the paper's tables.

# %%
from treelib.papers import compare, findings

findings("bornagain", 4)

# %% [markdown]
# ## The question
#
# The forest below distinguishes two varieties of wheat by two measurements of their kernels. Each tree was
# grown on a random sample of the kernels, and a new kernel gets the class that most trees vote for; ties go
# to the first class.

# %% tags=["main-table"] try={"FEATURES": ["area", "kernel-width"], "SEED": 2}
FEATURES, VARIETIES, TREES, SEED = ["perimeter", "kernel-width"], [0, 2], 3, 1

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from treelib import datasets
from treelib.bornagain import as_ensemble, certify, minimise

wheat = datasets.load("bornagain/Seeds")
chosen = np.isin(wheat.y, VARIETIES)
X = wheat.X[np.ix_(chosen, [wheat.feature_names.index(name) for name in FEATURES])]
y = np.searchsorted(VARIETIES, wheat.y[chosen])
classes_in_words = [wheat.class_names[k] for k in VARIETIES]
forest = RandomForestClassifier(TREES, max_depth=3, max_features=1, random_state=SEED).fit(X, y)
forest = as_ensemble(forest)
print([tree.n_leaves for tree in forest.trees], "leaves of the trees")

# %% mystnb={"figure": {"name": "bornagain-fig-6a", "caption": "The trees of the forest (compare Figure 6 of the paper)."}, "image": {"classes": "wide-tree", "alt": "Three small decision trees, each asking about the two features up to three times on a path."}}
import matplotlib.pyplot as plt

from treelib.tree.drawing import plot_tree
from treelib.tree.style import use_style

use_style()
figure, panels = plt.subplots(TREES, 1, figsize=(7, 4 * TREES))
for number, (axes, tree) in enumerate(zip(panels, forest.trees), start=1):
    named = tree.replace(feature_names=FEATURES, class_names=classes_in_words)
    plot_tree(named, ax=axes, title=f"tree {number}", missing=False)
plt.show()

# %% [markdown]
# ## The idea in a picture: cells, regions, splits
#
# All thresholds of all trees together cut the plane into *cells*. Inside a cell every tree's prediction is constant,
# and so is the vote, so the forest is fully described by a table with the class of each cell. A *region* is a box of
# cells, and a *split* cuts a region in two along a threshold. A tree is a way to cut the whole plane, region by
# region, until every region holds cells of one class only. A threshold can be dropped beforehand if any two cells
# that meet along it have the same class.

# %%
from treelib.bornagain import build_cells

every, kept = build_cells(forest, keep_all=True), build_cells(forest)
for name, thresholds, useful in zip(FEATURES, every.levels, kept.levels):
    print(f"{name}: {len(thresholds)} thresholds, {len(useful)} of them separate cells of different class")
print("cells:", every.n_cells, "then", kept.n_cells)
print("regions:", every.n_regions, "then", kept.n_regions)

# %% mystnb={"figure": {"name": "bornagain-fig-1", "caption": "A cell, a region, and a split of it (Figure 1 of the paper)."}, "image": {"alt": "A plane cut into cells by horizontal and vertical lines. One cell in the corner and a box of several cells are outlined; a dotted line splits the box."}}
from treelib.papers.bornagain import example as drawing

small = drawing.of_forest(forest, X, y, FEATURES, classes_in_words)
figure, axes = plt.subplots(figsize=(6.4, 4.8))
drawing.figure_1(axes, small)
drawing.frame(axes, small)
plt.show()

# %% [markdown]
# ## An example by hand
#
# Two features with three and two intervals make six cells. Their classes are:
#
# | | first interval | second | third |
# | :-- | :-: | :-: | :-: |
# | **upper** | A | A | B |
# | **lower** | A | B | B |
#
# Let $\Phi$ be the least depth of a tree for a region. A region of one class needs no split: $\Phi = 0$. The first column is
# such a region, and so is the third. The second column needs one split: $\Phi = 1$.
#
# - Split off the first column: $1 + \max(0, \Phi(\text{second and third}))$. What remains is the second
#   column, A above B, and the third, B above B. Any split of it leaves a part with both classes, so it needs
#   depth two, and this start needs three in all.
# - Split between the rows: the upper row A A B needs one split, and so does the lower row A B B, so this start costs
#   $1 + \max(1, 1) = 2$.
#
# So the least depth is two, and only one of the three possible first splits attains it. All splits of a
# region are tried, and the parts of each split are again regions: that is the whole recursion.
#
# ## The algorithm
#
# Regions are written by their corner cells $z^L$ and $z^R$. Equation (3) of the paper is
#
# $$\Phi(z^L, z^R) = \begin{cases} 0 & \text{if all cells of the region have one class,}\\
#   \displaystyle\min_{j}\ \min_{z^L_j \le l < z^R_j}\bigl\{1 + \max\bigl(\Phi(z^L, z^R_{jl}),\ \Phi(z^L_{jl},
# z^R)\bigr)\bigr\} & \text{otherwise,}\end{cases}$$ (bornagain-recursion)
#
# where $z^R_{jl}$ is $z^R$ with its coordinate $j$ set to $l$, and $z^L_{jl}$ is $z^L$ with its coordinate $j$ set to
# $l + 1$. With $+$ in place of $\max$ it gives the least number of splits. (The paper's Algorithm 3, for least depth
# and then few leaves, keeps for each region the first in lexicographic order of all pairs of depth and splits,
# combined by $1 + \max$ and $1 + {+}$.) Different sequences of splits lead to the same region, so the values are kept
# in memory.

# %% tags=["algorithm"]
from functools import cache


def halves(bottom, top):
    """The two sides of every split of a region: along feature j, above its interval i."""
    for j, (low, high) in enumerate(zip(bottom, top)):
        for i in range(low, high):
            yield (bottom, (*top[:j], i, *top[j + 1 :])), ((*bottom[:j], i + 1, *bottom[j + 1 :]), top)


def smallest(classes, objective="depth"):
    """Least depth, or fewest splits, of a born-again tree by equation (3), and the regions looked at.

    `classes` has the class of each cell; a cell is one interval number for each feature. A region is the
    box of all cells between two corners.
    """
    combine = max if objective == "depth" else lambda left, right: left + right

    @cache
    def phi(bottom, top):
        if bottom == top:
            return 0
        below = [(phi(*left), phi(*right)) for left, right in halves(bottom, top)]
        if below[0] == (0, 0) and classes[bottom] == classes[top]:
            return 0
        return min(1 + combine(left, right) for left, right in below)

    return phi(min(classes), max(classes)), phi.cache_info().currsize

# %%
by_hand = {(0, 0): "A", (1, 0): "B", (2, 0): "B", (0, 1): "A", (1, 1): "A", (2, 1): "B"}
print("least depth", smallest(by_hand)[0], "- fewest splits", smallest(by_hand, "splits")[0])

# %% [markdown]
# Looking at every split of every region is wasteful. The paper's Algorithm 1 stops early by two theorems about the depth.
#
# :::{prf:theorem} Theorem 3 of the paper
# :label: bornagain-monotone
#
# A region never needs more depth than a region that contains it: $\Phi(\text{inner}) \le \Phi(\text{outer})$.
# :::
#
# :::{prf:theorem} Theorem 4 of the paper
# :label: bornagain-binary-search
#
# If the left side of a split is at least as deep as the right side, no later threshold of the same feature is better;
# if the right side is at least as deep as the left, no earlier one is. So the best threshold of a feature is found by
# binary search.
# :::
#
# :::{prf:algorithm} Algorithm 1 of the paper, least depth of a region
# :label: bornagain-algorithm
#
# **Input** corners $z^L, z^R$. **Output** $\Phi(z^L, z^R)$.
#
# 1. If the region is a single cell, return 0. If it is in memory, return the value kept there.
# 2. Set $LB = 0$ and $UB = \infty$.
# 3. For each feature $j$, while $LB < UB$: set $(low, up)$ to the range of the region, and repeat steps 4 to 6 while
#    $low < up$ and $LB < UB$.
# 4. Let $l = \lfloor (low + up)/2 \rfloor$, and find $\Phi_1$ and $\Phi_2$ of the two sides by this algorithm.
# 5. If both are 0, store and return 0 if the two sides have the same class, and 1 otherwise.
# 6. $UB = \min(UB, 1 + \max(\Phi_1, \Phi_2))$ and $LB = \max(LB, \Phi_1, \Phi_2)$. If $\Phi_1 \ge \Phi_2$, $up = l$. If
#    $\Phi_1 \le \Phi_2$, $low = l + 1$.
# 7. Store and return $UB$.
# :::

# %% tags=["algorithm"]
def least_depth(classes):
    """Algorithm 1 of the paper: least depth of a born-again tree, and the depth of each region looked at."""
    memory = {}

    def phi(bottom, top):
        if bottom == top:
            return 0
        if (bottom, top) in memory:
            return memory[bottom, top]
        lower, upper = 0, float("inf")
        for j in range(len(bottom)):
            low, high = bottom[j], top[j]
            while low < high and lower < upper:
                i = (low + high) // 2
                left = phi(bottom, (*top[:j], i, *top[j + 1 :]))
                right = phi((*bottom[:j], i + 1, *bottom[j + 1 :]), top)
                if left == right == 0:  # one class on each side: the same one, or a single split
                    memory[bottom, top] = int(classes[bottom] != classes[top])
                    return memory[bottom, top]
                upper = min(upper, 1 + max(left, right))
                lower = max(lower, left, right)  # a part never needs the greater depth (Theorem 3)
                if left >= right:
                    high = i  # no later threshold is better (Theorem 4)
                if left <= right:
                    low = i + 1  # no earlier one is
        memory[bottom, top] = upper
        return upper

    return phi(min(classes), max(classes)), memory


def first_tree(classes, memory, region=None):
    """Algorithm 4 of the paper: the first tree whose splits give the depths in memory, nested tuples.

    A split is (feature, interval, left, right); a leaf is a class.
    """
    region = region or (min(classes), max(classes))
    depth = {corner: 0 for corner in zip(classes, classes)} | memory
    if depth[region] == 0:
        return classes[region[0]]
    for left, right in halves(*region):
        if left in depth and right in depth and depth[region] == 1 + max(depth[left], depth[right]):
            (j,) = [j for j, (a, b) in enumerate(zip(left[1], region[1])) if a != b]
            return j, left[1][j], first_tree(classes, memory, left), first_tree(classes, memory, right)

# %% [markdown]
# A region of one class is recognised as follows: the sides of its first split have depth 0 each, and its two
# corners have the same class. Algorithm 4 of the paper reads a tree from the memory. From the whole space
# down it takes the first split, by feature and then by threshold, both sides of which are known and give the
# depth of the region; single cells, which are never stored, have depth 0.
#
# On the cells of the forest, equation (3), for depth and for splits, and Algorithm 1 agree with the package, which
# scans the regions from small to large instead of recursing (see the chapter {doc}`bornagain`). Equation (3) counts
# the single cells as regions, Algorithm 1 does not store them:

# %%
from time import process_time

votes = {cell: int(k) for cell, k in np.ndenumerate(np.reshape(kept.classes, kept.shape))}
start = process_time()
(depth, looked), (splits, _) = smallest(votes), smallest(votes, "splits")
middle = process_time()
fast_depth, memory = least_depth(votes)
seconds = process_time() - middle
print(f"equation 3:  depth {depth}, {splits + 1} leaves, {looked} regions, {1000 * (middle - start):.2f} ms")
print(f"Algorithm 1: depth {fast_depth}, {len(memory)} regions, {1000 * seconds:.2f} ms")
shallow, tree = minimise(forest, "depth").tree, minimise(forest, "leaves").tree
print(f"treelib:     depth {shallow.max_depth}, {tree.n_leaves} leaves")

# %% [markdown]
# The authors' public program is not quite Algorithm 1: it takes two shortcuts that the paper does not mention. If
# $1 + \Phi_1 \ge UB$, it sets $up = l$ and $LB = \max(LB, \Phi_1)$ without solving the right side. And it sets
# $up = l$ where $1 + \Phi_1 \ge UB$ and $low = l + 1$ where $1 + \Phi_2 \ge UB$, rather than by comparing $\Phi_1$
# with $\Phi_2$. Neither changes the least depth. They do change *which* of many trees of least depth is found by
# Algorithm 4, and so the leaves of the trees in Table 2 ({doc}`bornagain`). Usually they also save regions,
# but not in the example below: the side that was skipped would have raised $LB$ and ruled out the earlier
# thresholds. The leaves happen to be equal. `minimise_by_recursion` follows the program, or, without
# `shortcuts`, Algorithm 1 as printed:

# %%
from treelib.bornagain import minimise_by_recursion

for shortcuts in (True, False):
    found = minimise_by_recursion(forest, "depth", shortcuts=shortcuts)
    print(f"shortcuts {shortcuts}: {found.tree.n_leaves} leaves, {found.stats['n_states']} regions")
print("by the chapter's own code:", first_tree(votes, memory))

# %% [markdown]
# ## The born-again tree
#
# For the picture we take a tree with the fewest leaves. It has the same class as the vote in every cell, which is
# proved for all cells, not sampled.

# %% mystnb={"figure": {"name": "bornagain-fig-6b", "caption": "The same plane: cells with the class of the vote (left), and the regions of the born-again tree (right; compare Figure 6 of the paper). Letters are the first letters of the classes."}, "image": {"alt": "Two panels of the same plane. Left, many small cells, each with its class. Right, a few large rectangles that have the same colours as the cells beneath them."}}
print("the same class in every cell:", certify(tree, forest).faithful)
figure, panels = plt.subplots(1, 2, figsize=(7, 3.9), sharey=True)
drawing.draw_cells(panels[0], small)
drawing.frame(panels[0], small, "cells")
drawing.draw_tree_regions(panels[1], small, small.tree)
drawing.frame(panels[1], small, "born-again tree")
panels[1].set_ylabel("")
plt.show()

# %% mystnb={"figure": {"name": "bornagain-fig-6c", "caption": "The born-again tree: the same function as the vote of the trees, with the least number of leaves."}, "image": {"classes": "wide-tree", "alt": "One decision tree with about as many leaves as each tree of the forest."}}
plot_tree(small.tree)
plt.show()

# %% [markdown]
# Here both are computed in your browser: the forest as you set it, and its born-again tree, by the package's
# own search. Adding one tree to the forest can enlarge the born-again tree considerably, or shrink it.

# %%
from treelib.papers.across import live

live.born_again("banana", "A forest and its born-again tree (interactive, on the web page only).")

# %% [markdown]
# ## With all features, and pruned (Figure 4)
#
# Figure 4 of the paper draws a forest of three trees on Seeds with all its splits. Here it is copied from the figure and
# converted into its born-again tree: least depth first, then fewest leaves. The result is, split by split, the tree that the
# paper draws.
#
# The born-again tree has leaves that no sample ever reaches: the forest's vote is defined there too, and the tree
# must reproduce it. *Post-pruning* replaces a split with an empty side by its other side. That gives up faithfulness
# where there are no data.

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

# %% mystnb={"figure": {"name": "bornagain-fig-4", "caption": "The forest of Figure 4 as one tree, before pruning."}, "image": {"classes": "wide-tree", "alt": "A decision tree of depth five with thirteen leaves of three classes. Its root asks whether the groove is at most 5.75."}}
plot_tree(born_again.replace(class_names=wheat.class_names).recount(measured.X, measured.y))
plt.show()

# %%
compare("bornagain.f4", OBJECTIVE=(OBJECTIVE, "depth-leaves"))

# %% [markdown]
# The paper's text says that the root of the born-again tree is different from all root splits of the forest;
# in its Figure 4 all three trees have the same root split as the born-again tree. Our pruned tree has one
# leaf more than the drawn one; since the figure rounds its thresholds, it does not fix that number.
#
# ## Why it is hard
#
# :::{prf:theorem} Theorem 1 of the paper
# :label: bornagain-np-hard
#
# To find a born-again tree of least depth, or of fewest leaves, is NP-hard.
# :::
#
# The proof turns any 3-SAT formula into a forest. A tree for each clause is true unless all its literals are
# false ({numref}`bornagain-fig-5`). To $n$ clause trees add $n - 1$ trees that always say False; then True
# wins the vote exactly where all clauses are true. So the formula can be satisfied if and only if the
# born-again tree is not the single leaf False, and an efficient algorithm for born-again trees would decide
# 3-SAT. The code below tries the reduction on random formulas, with the heuristic of the next chapter: any
# faithful tree has a leaf True if and only if the formula can be satisfied.

# %% tags=["main-table"] try={"VARIABLES": 5}
VARIABLES, CLAUSES = 4, [5, 15, 25, 35]

from itertools import product

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

# %% mystnb={"figure": {"name": "bornagain-fig-5", "caption": "The tree of the first clause of the paper's formula (Figure 5 of the paper)."}, "image": {"classes": "wide-tree", "alt": "A complete tree of depth three with eight leaves. One leaf is False, the others are True."}}
from treelib.papers.bornagain.text import theorem_1

clause = theorem_1.clause_tree(theorem_1.PRINTED_FORMULA[0], 4)
plot_tree(clause.replace(feature_names=[f"x{i}" for i in range(1, 5)]))
plt.show()

# %% [markdown]
# ## Make one yourself
#
# Any forest will do:

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
# ## What holds
#
# - A forest is constant on the cells that its thresholds cut, so a tree that agrees with the forest in every cell
#   agrees with it everywhere.
# - The smallest such tree follows from a recursion over regions, boxes of cells: the best tree of a region is the
#   best split into two regions, and every region is solved once.
# - For the depth, binary search finds the best threshold of a feature, since a side never becomes shallower as it
#   grows; for the number of splits it cannot.
# - The number of regions grows with the product of the squared numbers of thresholds. The problem is NP-hard, so
#   large forests on many features stay out of reach.
#
# ## Exercises
#
# **Exercise 1.** In the example by hand, change one cell so that the least depth becomes three. What happens to the fewest
# splits?
#
# :::{dropdown} Answer
# Make the upper left cell B: `by_hand[0, 1] = "B"`. The upper row is then B A B and needs depth two by
# itself, and every other first split leaves a part that does. The fewest splits rise from three to four:
# `smallest(by_hand, "splits")`.
# :::
#
# **Exercise 2.** Take the binary search out of `least_depth`, but keep both bounds: try every threshold of every
# feature. How many regions are looked at on the cells of the forest?
#
# :::{dropdown} Answer
# That is equation (3) with two bounds. The depth stays the same; here the number of regions lies between those of
# `least_depth` and of `smallest`, single cells not counted.
# :::
#
# **Exercise 3.** Theorem 4 speaks of the depth. Why does its argument fail for the number of splits?
#
# :::{dropdown} Answer
# The depth of a split is decided by the deeper side alone, which can only get deeper as it grows. With a sum both sides
# count: moving
# the threshold makes one side smaller and the other larger, so neither direction can be ruled out.
# :::
