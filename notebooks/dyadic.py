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
# # Optimal dyadic trees
#
# {cite:t}`dyadic` look for the best tree among those whose splits halve intervals, and do so for all leaf penalties
# at once. This chapter explains the recursion, the search for penalties and a faster way, each in plain Python, and
# compares our solutions with the paper's. {doc}`The next one <dyadic_experiments>` has the tables on rectangles, data
# and CART.

# %%
from treelib.papers import compare, findings

findings("dyadic", 4)

# %% [markdown]
# ## The question
#
# All samples lie in a box, one interval for each feature. A *dyadic split* cuts a rectangle in the middle of one of
# its intervals. {numref}`dyadic-fig-1` shows the paper's example, redrawn from its description; $X_1$ to $X_5$ are
# the five rectangles. Among all trees of such splits we want the one with the least *regularised risk*: the
# share $e(T)$ of training samples that it misclassifies plus a penalty $\lambda$ for each leaf, empty leaves
# included,
#
# $$r_\lambda(T) = e(T) + \lambda\, |T|.$$ (dyadic-risk)

# %% tags=["main-table"] try={"SPLITS": [0, 2, 0, [1, 2, 1, 2]]} mystnb={"figure": {"name": "dyadic-fig-1", "caption": "A dyadic partition and one of its trees (Figure 1 of the paper, redrawn from its text)."}, "image": {"alt": "Left: a square cut into five rectangles, one half on the left and four quarters of the right half. Right: the tree of four splits that makes them."}}
SPLITS = (0, 2, 0, (1, 2, (0, 3, 1, 3), (0, 3, 2, 4)))  # feature, quarter, left, right

import matplotlib.pyplot as plt

from treelib import Tree
from treelib.papers.dyadic import figures
from treelib.tree.style import use_style

use_style()


def nested(splits):
    return tuple(map(nested, splits)) if isinstance(splits, (list, tuple)) else splits


names = {
    "feature_names": ("coordinate 1", "coordinate 2"),
    "class_names": ("X₁", "X₂", "X₃", "X₄", "X₅"),
}
tree = Tree.from_nested(nested(SPLITS), 2, n_classes=5, **names)
figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.6), width_ratios=(1, 1.4))
figures.partition(axes[0], tree, 4)
tree.plot(ax=axes[1]);

# %% [markdown]
# ## An example by hand
#
# Four points of class A and four of class B lie in a square as on a checkerboard: A in the lower left and the
# upper right quarter, B in the other two, two points in each quarter. Here and in the code we count errors,
# so the penalty is $\lambda$ times the number of samples; let it be 1.
#
# - The square as one leaf: four errors, $r = 4 + 1 = 5$.
# - Split left from right. Each half has two As and two Bs, one pair above the other. As a leaf it costs
#   $2 + 1 = 3$; split in the middle again, it costs $0 + 2 = 2$. So the tree of four leaves has
#   $r = 2 + 2 = 4$, and it is optimal.
# - The first split alone corrects nothing. A greedy method would see no reason to make it.
#
# Splitting bottom from top first leads to *the same four quarters*. That is the point of the algorithm:
# different orders of splits meet in the same rectangles, so the result for a rectangle is stored and reused.
# At $\lambda = 4/3$ both trees have equal risk, $4 + 4/3 = 0 + 4 \cdot 4/3$; for larger penalties the single
# leaf is optimal.
#
# ## The algorithm for one penalty
#
# An optimal tree of a rectangle $X$ is its single leaf $T^0$, or the optimal trees of the two halves $L_i(X)$, $R_i(X)$
# along some coordinate $i$. This is equation (5) of the paper:
#
# $$r^*_{\lambda, X} = \min\Bigl(r_\lambda(T^0_X),\ \min_{i}\ \bigl(r^*_{\lambda, L_i(X)} + r^*_{\lambda,
# R_i(X)}\bigr)\Bigr).$$ (dyadic-recursion)
#
# :::{prf:lemma} lookahead, Lemma 1 of the paper
# :label: dyadic-lookahead
#
# If $\lambda$ exceeds the error of the single leaf of a rectangle, that leaf alone is optimal for the
# rectangle.
# :::
#
# :::{prf:algorithm} Procedure 1 of the paper, with a memory and lookahead pruning
# :label: dyadic-procedure
#
# **Input** a rectangle. **Output** an optimal tree for it.
#
# 1. If no sample lies in the rectangle, return an empty leaf. If the rectangle is in memory, return its tree.
# 2. The best tree so far is the leaf. If its error is below $\lambda$, go to step 4.
# 3. For each coordinate that was halved fewer than $k_i$ times: find the trees of both halves by this procedure. If
#    their risks add up to less than that of the best tree so far, or to as much with more leaves, they are the best
#    tree.
# 4. Keep the best tree in memory and return it.
# :::
#
# The memory is emptied for each $\lambda$. For the recursion to end, coordinate $i$ may be halved at most $k_i$
# times; the paper takes the smallest $k_i$ by which the finest cells can be labelled without an error
# ({doc}`dyadic_experiments`). The box is the range of the samples, and a point on a split belongs to the right half,
# as Section 2 prints it: $[a, mid)$ and $[mid, b]$. With the finest intervals numbered from 0 to $2^{k_i} - 1$, an
# interval is given by the leading bits of the numbers inside. On ties the code keeps the larger tree, as Definition 2
# requires; Procedure 1 as printed requires a strictly smaller risk, and so keeps the first tree.

# %% tags=["algorithm"]
def best_tree(points, labels, k, penalty, prune=True):
    """Procedure 1 with a memory, the larger tree on ties: its errors and leaves, and the rectangles kept.

    Coordinates of the points are whole numbers from 0 to 2**k - 1. A rectangle has for each coordinate how
    often it was halved, and the number of its interval; the points inside agree in their leading bits.
    """
    memory = {}

    def order(tree):
        """Least risk first, and among trees of equal risk the largest (Definition 2)."""
        errors, leaves = tree
        return errors + penalty * leaves, -leaves

    def design(rectangle, inside):
        if not inside:
            return 0, 1  # an empty rectangle is a leaf
        if rectangle in memory:
            return memory[rectangle]
        ones = sum(labels[i] for i in inside)
        best = min(ones, len(inside) - ones), 1
        if not (prune and best[0] < penalty):  # Lemma 1: else the leaf is optimal
            for left, right in halves(rectangle, inside, points, k):
                (errors, leaves), (more_errors, more_leaves) = design(*left), design(*right)
                best = min(best, (errors + more_errors, leaves + more_leaves), key=order)
        memory[rectangle] = best
        return best

    return design(((0, 0),) * len(k), range(len(points))), len(memory)


def halves(rectangle, inside, points, k):
    """Both sides of every dyadic split of a rectangle, each with the points inside."""
    for j, (halved, interval) in enumerate(rectangle):
        if halved < k[j]:
            yield [
                (
                    (*rectangle[:j], (halved + 1, side), *rectangle[j + 1 :]),
                    [i for i in inside if points[i][j] >> (k[j] - halved - 1) == side],
                )
                for side in (2 * interval, 2 * interval + 1)
            ]

# %%
from fractions import Fraction

board = [(0, 0), (0, 0), (1, 1), (1, 1), (0, 1), (0, 1), (1, 0), (1, 0)]
labels = [0, 0, 0, 0, 1, 1, 1, 1]
for penalty in (1, Fraction(4, 3), 2):
    (errors, leaves), n_kept = best_tree(board, labels, k=(1, 1), penalty=penalty)
    print(f"penalty {penalty}: errors {errors}, leaves {leaves}; {n_kept} rectangles kept")

# %% [markdown]
# ## All penalties
#
# As $\lambda$ falls, the optimal tree grows. Only finitely many pairs of error and size occur.
#
# :::{prf:lemma} intervals, Lemma 3 of the paper
# :label: dyadic-intervals
#
# Number the solutions by falling error, $e_1 > e_2 > \dots$, with $l_1 < l_2 < \dots$ leaves. The solution
# $(e_i, l_i)$ is selected, the largest tree on ties, exactly for
# $\dfrac{e_i - e_{i+1}}{l_{i+1} - l_i} < \lambda \le \dfrac{e_{i-1} - e_i}{l_i - l_{i-1}}$. For the first solution,
# the single leaf, there is no upper end; for the last the lower end is 0.
# :::
#
# So a new solution appears where $\lambda$ is a ratio of errors saved to leaves added. The paper's *list* holds all
# such ratios. Its *adaptive* search starts from the single leaf. It solves at the largest ratio below the current
# $\lambda$, of errors that can still be saved to leaves that can still be added, and repeats this until no ratio is
# left; each new solution shortens the list. At a breakpoint two solutions tie, so the solver must return the larger
# one: Procedure 1 as printed can miss a solution (Exercise 3).

# %% tags=["algorithm"]
from fractions import Fraction


def adaptive_search(solve, fewest_errors, most_leaves):
    """All solutions, from one penalty after another, and how many penalties were tried.

    `solve(penalty)` gives errors and leaves of the largest optimal tree. Where the next solution appears, the
    penalty is (errors saved) / (leaves added), so no other values need be tried.
    """
    penalty, n_tried = Fraction(10**9), 0
    solutions = [solve(penalty)]
    while True:
        errors, leaves = solutions[-1]
        ratios = {
            Fraction(saved, added)
            for saved in range(1, errors - fewest_errors + 1)
            for added in range(1, most_leaves - leaves + 1)
        }
        if not (lower := [ratio for ratio in ratios if ratio < penalty]):
            return solutions, n_tried
        penalty, n_tried = max(lower), n_tried + 1
        if (found := solve(penalty)) != solutions[-1]:
            solutions.append(found)

# %% [markdown]
# Here is the search on the Titanic data, which have three features. The bounds of the list, fewest errors and
# most leaves, are taken from `treelib`, the package of this book; the paper takes the bound on leaves from a
# greedy tree. The list here has every whole number of errors. Table 3 below needs fewer penalties for these
# data, since it merges equal points first and takes only sums of their weights.

# %%
from treelib import datasets, dyadic

titanic = datasets.load("dyadic/titanic")
path = dyadic.solution_path(titanic.X, titanic.y, closed="left")
points, k = path.grid.codes(titanic.X).tolist(), path.grid.n_splits.tolist()
labels = (titanic.y == titanic.y.max()).astype(int).tolist()
fewest, most = round(path[-1].error * len(labels)), path[-1].n_leaves
solutions, n_tried = adaptive_search(lambda p: best_tree(points, labels, k, p)[0], fewest, most)
print(n_tried, "penalties tried; errors and leaves:", solutions)
print("the same as treelib:", solutions == [(round(one.error * len(labels)), one.n_leaves) for one in path])

# %% [markdown]
# ## All solutions in one pass
#
# The penalties need not be searched at all. Plot the errors of all trees of a rectangle against their leaves:
# the optimal trees are the vertices of the lower convex hull, and the slopes between them are the breakpoints
# of $\lambda$. A split adds up the errors and the leaves of both sides, so its hull is the sum of their
# hulls. The hull of a rectangle is the lower hull of all these sums, one for each coordinate, and of the
# single leaf. One pass over the rectangles gives every solution.

# %% tags=["algorithm"]
def all_solutions(points, labels, k):
    """(leaves, errors) of the optimal trees of all penalties, in one pass over the rectangles.

    Every rectangle keeps the lower convex hull of what its trees can have. The hull of a split is the sum of
    its children's hulls.
    """
    memory = {}

    def design(rectangle, inside):
        if not inside:
            return [(1, 0)]
        if rectangle not in memory:
            ones = sum(labels[i] for i in inside)
            found = [(1, min(ones, len(inside) - ones))]
            if found[0][1] > 0:
                for left, right in halves(rectangle, inside, points, k):
                    found += [(l + m, e + f) for l, e in design(*left) for m, f in design(*right)]
            memory[rectangle] = lower_hull(found)
        return memory[rectangle]

    return design(((0, 0),) * len(k), range(len(points)))


def lower_hull(values):
    """Corners of the lower convex hull of (leaves, errors), from the single leaf to the fewest errors."""
    hull = []
    for leaves, errors in sorted(values):
        if hull and errors >= hull[-1][1]:
            continue
        while len(hull) > 1 and slope(hull[-2], hull[-1]) >= slope(hull[-1], (leaves, errors)):
            hull.pop()
        hull.append((leaves, errors))
    return hull


def slope(a, b):
    return (b[1] - a[1]) / (b[0] - a[0])

# %%
from time import process_time

print("Titanic:", all_solutions(points, labels, k))
thyroid = datasets.load("dyadic/thyroid")
path, start = dyadic.solution_path(thyroid.X, thyroid.y, closed="left"), process_time()
path, seconds = dyadic.solution_path(thyroid.X, thyroid.y, closed="left"), process_time() - start
points, k = path.grid.codes(thyroid.X).tolist(), path.grid.n_splits.tolist()
labels, start = (thyroid.y == thyroid.y.max()).astype(int).tolist(), process_time()
hull = all_solutions(points, labels, k)
faster = (process_time() - start) / seconds
print("Thyroid:", hull)
print("the same as treelib:", hull == [(one.n_leaves, round(one.error * len(labels))) for one in path])
print(f"treelib is {faster:,.0f} times faster")

# %% [markdown]
# The compiled code of `treelib` merges the edges of two hulls in the order of their slopes, in integer arithmetic,
# and so handles trees of a thousand leaves:

# %% tags=["main-table"] try={"DATA": "dyadic/titanic"}
DATA = "dyadic/banana"

import pandas as pd

data = datasets.load(DATA)
path = dyadic.solution_path(data.X, data.y, closed="left")
pd.DataFrame(
    {"leaves": one.n_leaves, "error": one.error, "penalty, up to": float(one.lambda_high)}
    for one in path
)

# %% mystnb={"figure": {"name": "dyadic-banana", "caption": "Three of the optimal dyadic trees, from a large penalty to a small one."}, "image": {"alt": "Three maps of the plane with the samples of two classes. The first has few large rectangles, the second follows the classes coarsely, the third has many small rectangles."}}
figure, axes = plt.subplots(1, 3, figsize=(8, 2.9))
for ax, place in zip(axes, (len(path) // 20, len(path) // 3, len(path) // 2)):
    figures.tree_map(ax, path[place].tree, data.X, data.y)
    ax.set_title(f"{path[place].n_leaves} leaves", fontsize=11)

# %% [markdown]
# Here the pass runs in your browser. Move the penalty through all solutions: no other tree is optimal between neighbouring
# breakpoints.

# %%
from treelib.papers.across import live

live.dyadic_price("banana", "All optimal dyadic trees by their penalty (interactive, on the web page only).")

# %% [markdown]
# ## How wide are the intervals? (Figure 3)
#
# The paper's argument for its search is that the intervals of $\lambda$ differ by orders of magnitude, so that a uniform grid
# overlooks solutions.

# %% tags=["main-table"] try={"ROW": "thyroid"} mystnb={"figure": {"name": "dyadic-fig-3", "caption": "Leaves of the optimal trees against λ (Figure 3 of the paper). The dotted line is at λ = 2/n, the usual rule of thumb for two classes."}, "image": {"alt": "A falling step function on logarithmic axes, from many leaves at small lambda to one leaf, with a dotted line at two over n near the narrowest steps."}}
ROW = "diabetes"

from treelib.papers import reproduce

found = reproduce("dyadic.t3", row=ROW).iloc[0]
widths = figures.widths(found["path"])
print(f"{ROW}: the widest interval is {max(widths) / min(widths):,.0f} times the narrowest")
figure, ax = plt.subplots(figsize=(7, 3.6))
figures.figure_3(ax, found["path"], n_samples=len(datasets.load(f"dyadic/{ROW}").y))

# %% [markdown]
# ## How many solutions (Table 2)
#
# The paper's lists hold exactly the values of $\lambda$ at which trees tie. There Procedure 1 keeps the first
# tree that it meets, in the order of the coordinates, which can lie between two solutions. So there are two
# counts: all trees that Procedure 1 finds at the breakpoints and between them, and the solutions by
# Definition 2. We compare the printed table with the literal reading of the paper: Procedure 1, in the box of
# Section 2. Another box, such as the slightly wider one that fits Table 4, gives other numbers.

# %% tags=["main-table"] try={"SMALL": ["titanic"]}
SMALL = ["banana", "breast-cancer", "flare-solar", "thyroid", "titanic"]  # others take longer

from treelib.papers.dyadic.tables_2_3 import boxes

found = {row: boxes({"row": row, "widen": 0.0, "closed": "left"}) for row in SMALL}
heads = {"n_first": "Procedure 1", "n_vertices": "Definition 2", "l_max": "leaves of the largest"}
pd.DataFrame(found).T[list(heads)].rename(columns=heads)

# %%
compare("dyadic.t2")

# %% [markdown]
# ## How many values of lambda (Table 3)
#
# The first list holds every ratio; the adaptive search recomputes it after each new solution. The *split
# ratio* of a tree is the error that it saves over the single leaf of its rectangle, divided by its leaves.
# The *heuristic* search records the split ratios of all trees that the last run considered and did not
# choose, one for each rectangle and coordinate, and takes the largest below $\lambda$ next; if there is none,
# the next value of the adaptive list. $l_{max}$ counts the leaves of the largest solution, and $l_{bound}$
# those of a greedy tree that reaches the least error.

# %%
columns = ["l-bound", "l-max", "original-lambda-list"]
compare("dyadic.t3", columns=columns, caption="Table 3 of the paper, and ours: bounds and the first list.")

# %%
searches = ["adaptive-lambda-values", "adaptive-distinct-solutions"]
caption = "Table 3 of the paper, and ours: the adaptive search."
compare("dyadic.t3", columns=searches, name="dyadic-table-3-adaptive", caption=caption)

# %%
searches = ["heuristic-lambda-values", "heuristic-distinct-solutions"]
caption = "Table 3 of the paper, and ours: the heuristic search."
compare("dyadic.t3", columns=searches, name="dyadic-table-3-heuristic", caption=caption)

# %% [markdown]
# A simpler search needs fewer penalties than any of these. Between two known solutions, solve at the slope of the
# line through them: that either finds a solution below the line or proves that there is none. This *bisection* needs
# at most $2m-2$ solves for $m$ solutions. The table has the larger tree on ties and the box that fits Table 4:

# %%
record = reproduce("dyadic.t3").set_index("row")
pd.DataFrame(
    {
        "solutions": record["path"].map(len),
        "bisection": record["bisection"].map(lambda search: search["n_lambda"]),
        "adaptive": record["adaptive_sums_largest"].map(lambda search: search["n_lambda"]),
    }
)

# %% [markdown]
# ## The lemmas, tried
#
# Each statement was tried on all dyadic trees of small random problems, in exact fractions.
#
# :::{prf:corollary} Corollary 1 of the paper
# :label: dyadic-range
#
# As printed, all solutions appear for $0 < \lambda \le e_1$. This fails for the single leaf, which may be a
# solution for $\lambda > e_1$ only; for all others it holds
# (<a href="errata.html#errata.dyadic.corollary-1">listed among the errata</a>).
# :::
#
# :::{prf:lemma} split ratio, Lemma 4 of the paper
# :label: dyadic-split-ratio
#
# Among all prunings of solution $i$ to the size of solution $i-1$ take one with the fewest errors. Let $T_j$
# be the subtrees that were pruned, and $\delta_j$ the error that each had saved over a single leaf. As
# printed,
#
# $$\frac{e_{i-1} - e_i}{l_i - l_{i-1}} \le \max_j \frac{\delta_j}{|T_j|}.$$
#
# Collapsing $T_j$ removes only $|T_j| - 1$ leaves; with this in the denominator the lemma holds
# (<a href="errata.html#errata.dyadic.lemma-4">listed among the errata</a>).
# :::

# %% tags=["main-table"] try={"SEEDS": 2}
SEEDS, COUNT = 8, 50  # draws, and problems of each

from treelib.papers.dyadic.text.theorems import theorems

tries = [theorems({"seed": seed, "count": COUNT}) for seed in range(SEEDS)]
pd.DataFrame(
    {what: pd.DataFrame([one[what] for one in tries]).sum() for what in ("tried", "failed")}
)

# %% [markdown]
# The smallest counterexample serves for both: two points of two classes with one split between them. The single leaf
# makes one error, two leaves make none. Lemma 4: the left side is 1, the right side half of that, since
# collapsing the subtree of two leaves removes only one. Corollary 1: at $\lambda = e_1$ both trees have equal
# risk, so the larger one is selected, and the single leaf is a solution for larger $\lambda$ only.
#
# ## What holds
#
# - A dyadic tree splits a rectangle only in the middle, so all trees over a data set are built from one set of
#   rectangles, few of which contain a sample.
# - The best tree of a rectangle is either a leaf or the best split into two halves; each rectangle is solved once,
#   and lookahead skips those that cannot pay for more leaves.
# - As $\lambda$ falls, the optimal trees change at finitely many values. The adaptive search finds all of them if
#   ties go to the larger tree, and one pass over lower hulls does so at once.
# - As printed, Corollary 1 fails in a boundary case and Lemma 4 by one leaf; both hold when corrected.
# - How many solutions there are depends on the box, the side of a point on a split and the ties, which the paper
#   fixes only in part; so only some of the printed counts agree.
#
# ## Exercises
#
# **Exercise 1.** Put a fifth point of class A into a quarter of class B on the checkerboard. Which trees are
# optimal, and from which penalty on?
#
# :::{dropdown} Answer
# Append `(0, 1)` to `board` and `0` to `labels` of the example, then call `all_solutions(board, labels, (1, 1))`. For
# penalties below 1 the four quarters, with one error, are optimal; above 1 the single leaf, with four. (At 1 a tree
# of three leaves ties with both.) The intruder cannot be separated, since its point equals the others.
# :::
#
# **Exercise 2.** Switch lookahead pruning off with `prune=False`. How many rectangles are kept on the Titanic
# data at a large and at a small penalty?
#
# :::{dropdown} Answer
# Without pruning the number does not depend on the penalty. With it, few rectangles are visited at large
# penalties, and nearly all at small ones: only rectangles without an error are still not split.
# :::
#
# **Exercise 3.** Let `order` return the risk alone, so that the first of several trees of equal risk is kept, as in
# Procedure 1. What does `adaptive_search` find for two points of two classes with one split between them?
#
# :::{dropdown} Answer
# Take `points = [(0,), (1,)]`, `labels = [0, 1]` and `k = (1,)`. The only ratio in the list is 1. There both trees
# have risk two, the single leaf is kept, and the tree without an error is never found. With the larger tree on ties
# the search finds both.
# :::
