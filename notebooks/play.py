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
# # Play
#
# Parts to try by hand. Sliders and grids take the mouse and the arrow keys. The step-by-step search is computed in your
# browser. The others show what was computed when this page was built; where scripts are off a still picture stands in
# their place.

# %% tags=["remove-input"]
import numpy as np
from IPython.display import HTML

from treelib import (
    DyadicTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownTreeClassifier,
    datasets,
)
from treelib.papers.across import live, play
from treelib.papers.across.halves import half_split

# %% [markdown]
# ## The price of a leaf
#
# Both methods minimise the training error plus a price λ for every leaf, and prove it. They differ in where they may cut:
# the sparse tree at any quantile of a feature, the dyadic tree only in the middle of a box. The slider moves through *all*
# prices in exact steps: between two steps no tree changes, and to the right a leaf costs more. The data are Thyroid, from
# the paper on dyadic trees: patients, by five laboratory tests normal or ill (hyper- or hypothyroid). Half of the
# samples train, the other half test.

# %% tags=["remove-input"]
data, CLASSES = datasets.load("dyadic/thyroid"), ("normal", "ill")
training, testing = half_split(data.y)


def with_errors(low, high, tree):
    tree = tree.replace(feature_names=data.feature_names, class_names=CLASSES)
    wrong = tree.predict(data.X) != data.y
    return low, high, tree, np.mean(wrong[training]), np.mean(wrong[testing])


LOWEST = 0.004
found = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(
    data.X[training], data.y[training], min_regularization=LOWEST
)
sparse = [with_errors(s.regularization_low, s.regularization_high, s.tree) for s in found.solutions]
halving = DyadicTreeClassifier(LOWEST).fit(data.X[training], data.y[training])
dyadic = [with_errors(s.lambda_low, s.lambda_high, s.tree) for s in halving.path_]
part = play.path_data({"exact": sparse, "dyadic": dyadic}, LOWEST, 0.4)
HTML(play.html("path", part, sparse[len(sparse) // 2][2].to_svg()))

# %% [markdown]
# ## A search, step by step
#
# The branch and bound of {cite:t}`osdt`, from nothing. Each position of the slider is a tree that the search takes off its queue.
# Some leaves of it may be split, and every allowed way to split them goes back into the queue. The best tree often stands
# early; the rest of the search is the proof. The lower bound is that of the cheapest tree still in the queue, so it jumps
# when the last cheap one is gone. The search itself runs in your browser, compiled for the page.

# %% tags=["remove-input"]
HTML(live.search_steps("monk1", 0.05, "The search, tree by tree: this part runs on the page of the book."))

# %% [markdown]
# ## The criterion that splits
#
# The splitting criteria of {cite:t}`tsallis` have two parameters: α and β of
# $g(p) = \frac{1}{\alpha - 1}\left(1 - \left(\sum_i p_i^\alpha\right)^\beta\right)$. With $\alpha = 2$, $\beta = 1$ it is the Gini
# impurity, near α = 1 the entropy. Each cell is a tree of depth three at most, grown on half of the Wine data,
# wines of three cultivars by thirteen chemical measurements; its colour is the accuracy on the other half. Most
# neighbours share one tree: what is learned is a choice among few trees.

# %% tags=["remove-input"]
wine = datasets.load("tsallis/wine")
known, unseen = half_split(wine.y)
CULTIVARS = ("cultivar 1", "cultivar 2", "cultivar 3")
ALPHAS, BETAS = np.round(np.arange(0.4, 4.01, 0.3), 2), np.arange(0.5, 4.01, 0.5)
models = [
    [
        TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=3).fit(wine.X[known], wine.y[known])
        for alpha in ALPHAS
    ]
    for beta in BETAS
]
accuracy = [[model.score(wine.X[unseen], wine.y[unseen]) for model in row] for row in models]
trees = [
    [model.tree_.replace(feature_names=wine.feature_names, class_names=CULTIVARS) for model in row]
    for row in models
]
part = play.heat_data(
    ALPHAS, BETAS, accuracy, trees, xname="α", yname="β", vname="accuracy on unseen rows", label="Accuracy for α and β"
)
HTML(play.html("heat", part, part["trees"][part["tree"][part["start"][1]][part["start"][0]]]))

# %% [markdown]
# ## A forest and its born-again tree
#
# Left, the classes that a forest gives to the cells of the plane; right, the smallest tree that gives the same class
# everywhere {cite:p}`bornagain`, its leaves as rectangles. The points are rows of Banana, artificial data of two bent
# clouds, in the colour of their cloud. The slider adds trees to the forest.

# %% tags=["remove-input"]
banana = datasets.load("dyadic/banana")
shown = np.random.default_rng(1).permutation(len(banana.y))[:250]
X, y = banana.X[shown], banana.y[shown]
forest = TopDownForestClassifier(n_estimators=6, max_depth=3, random_state=0).fit(X, y)
part = play.plane_data(
    X, y, [tree.replace(feature_names=None, class_names=None) for tree in forest.trees_],
    feature_names=banana.feature_names, class_names=("cloud 1", "cloud 2"),
)
HTML(play.html("plane", part, part["steps"][-1]["svg"]))
