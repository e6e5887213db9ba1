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
# # Which method when
#
# All estimators take arrays or data frames, weights, pipelines and `GridSearchCV`, and keep the result as a `Tree` in
# `tree_`. All but `BornAgainTreeClassifier`, whose forest needs numbers, take categories and missing values as they are.
#
# :::{table}
# :class: whole-names which-method
#
# | You want | Use | Proof | Cost grows with |
# |---|---|---|---|
# | the smallest accurate tree, and to know that none is better | `OptimalSparseTreeClassifier` ({doc}`page <guide_sparse>`) | yes, with a gap when stopped | distinct samples, candidate thresholds, 1/`regularization` |
# | the optimal trees of all leaf penalties at once, few numeric features | `DyadicTreeClassifier` ({doc}`page <guide_dyadic>`) | yes, over trees that halve intervals | occupied rectangles: steeply with the number of features |
# | a tree from a million samples in seconds, with a criterion of your choice | `TopDownTreeClassifier`, `TopDownTreeRegressor` ({doc}`page <guide_topdown>`) | no | samples x features, once sorted |
# | more accuracy than one tree, and no need to read it | `TopDownForestClassifier`, `TopDownForestRegressor` | no | trees x samples x features |
# | one tree that predicts exactly like your forest: like its majority, or with `voting="soft"` like its `predict` | `BornAgainTreeClassifier` ({doc}`page <guide_bornagain>`) | yes, cell by cell | cells of the forest: steeply with trees, depth and features |
# | probabilities that admit how little the data say about the tree | `BayesianTreeClassifier` | no; diagnostics of the chains | iterations x samples |
# :::
#
# Names and meanings follow scikit-learn where it has them: `max_leaf_nodes`, `min_impurity_decrease`,
# `feature_importances_`, `decision_path`, `estimators_`, and a forest draws the same samples for the same `random_state`.
# Three features of its trees and forests are missing: several targets at once, `warm_start`, and `splitter="random"`
# (extremely randomised trees). We run its own tests on our trees, with a list of those that must fail and why
# (`tests/suites/scikit_learn/expected.csv`).

# %% [markdown]
# ## A fit with each
#
# Tumours of the breast, described by measurements of their cells' nuclei: malignant (class 0) or benign
# (class 1)? A third of the samples are held out to test the trees.

# %%
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)

# %% [markdown]
# **The optimal sparse tree.** The search ends with a lower bound. Where bound and objective agree, the tree
# is proved optimal among all trees over the same candidate thresholds ({doc}`guide_sparse`).

# %%
from treelib import OptimalSparseTreeClassifier

optimal = OptimalSparseTreeClassifier(regularization=0.02, time_limit=60).fit(X, y)
print(f"objective {optimal.objective_:.4f}, bound {optimal.lower_bound_:.4f}")
print("proved:", optimal.is_optimal_)
print(f"test accuracy: {optimal.score(X_new, y_new):.3f}")
optimal.tree_

# %% [markdown]
# **The optimal dyadic tree.** Its splits halve intervals, so it takes few numeric features. One pass finds the best tree for
# every leaf penalty at once; the penalty shown is the rule of thumb of {cite:t}`dyadic`. Of the thirty features we give it
# two: the mean of the concave points in the nuclei's outlines, and the largest perimeter.

# %%
from treelib import DyadicTreeClassifier

pair = ["mean concave points", "worst perimeter"]
dyadic = DyadicTreeClassifier().fit(X[pair], y)
print(f"penalty chosen: {float(dyadic.regularization_):.4f}, leaves: {dyadic.tree_.n_leaves}")
print(f"test accuracy: {dyadic.score(X_new[pair], y_new):.3f}")

# %% [markdown]
# **The top-down tree.** There is no proof, but a million rows take seconds, and the criterion is yours to
# choose. `alpha` turns the Tsallis criterion from the entropy, at one, to the Gini impurity, at two, and
# beyond. The trees differ, and only test samples show which one is best.

# %%
from treelib import TopDownTreeClassifier

for alpha in (0.5, 1.0, 2.0):
    greedy = TopDownTreeClassifier("tsallis", alpha=alpha, max_depth=4).fit(X, y)
    right = greedy.score(X_new, y_new)
    print(f"alpha {alpha}: {greedy.tree_.n_leaves} leaves, test accuracy: {right:.3f}")

# %% [markdown]
# The same for numbers: how far has a disease advanced after a year {cite:p}`efron2004`?

# %%
from sklearn.datasets import load_diabetes
from treelib import TopDownTreeRegressor

patients, progress = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
TopDownTreeRegressor(max_depth=2).fit(patients, progress).tree_

# %% [markdown]
# **Forests.** Both kinds of top-down tree come as forests too: the classifier's trees vote, the regressor's
# are averaged. `time_limit` stops them between trees.

# %%
from treelib import TopDownForestClassifier, TopDownForestRegressor

votes = TopDownForestClassifier(n_estimators=50, max_depth=4, random_state=0).fit(X, y)
print(
    f"classes: {len(votes.trees_)} trees, test accuracy: {votes.score(X_new, y_new):.3f}"
)

half = len(patients) // 2
means = TopDownForestRegressor(n_estimators=50, max_depth=4, random_state=0).fit(
    patients[:half], progress[:half]
)
r_squared = means.score(patients[half:], progress[half:])
print(f"numbers: {len(means.trees_)} trees, R squared on the other half: {r_squared:.2f}")

# %% [markdown]
# **One tree for a forest.** The born-again tree predicts like a forest everywhere, not only on the training samples. By default that is
# the majority of the trees, as in the paper; `voting="soft"` takes the mean of their class fractions, which is what scikit-learn's
# `predict` gives. `from_ensemble` takes a fitted forest; `fit` trains a copy.

# %%
from sklearn.ensemble import RandomForestClassifier
from treelib import BornAgainTreeClassifier

forest = RandomForestClassifier(n_estimators=3, max_depth=2, random_state=0).fit(X, y)
born_again = BornAgainTreeClassifier(voting="soft", time_limit=60).from_ensemble(forest)
same = (born_again.predict(X_new) == forest.predict(X_new)).mean()
print(f"leaves: {born_again.tree_.n_leaves}, depth: {born_again.tree_.max_depth}")
print(f"predicts like the forest on {same:.0%} of test samples")

# %% [markdown]
# **Probabilities that reflect uncertainty about the tree.** The Bayesian tree averages over the trees that several Markov chains visit.
# Chains move slowly from tree to tree; `status_` and R-hat say whether they agree. Here they do not yet: the
# probabilities are those of the trees that were drawn, and a warning (not shown) says so.

# %%
import warnings

from treelib import BayesianTreeClassifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    bayesian = BayesianTreeClassifier(n_iter=100_000, n_chains=4, random_state=0).fit(X, y)
print(f"test accuracy: {bayesian.score(X_new, y_new):.3f}")
print(f"{bayesian.status_}, R-hat {bayesian.r_hat_:.2f}")
bayesian.predict_proba(X_new.head(3)).round(3)

# %% [markdown]
# ## What a fit costs
#
# Seconds of one fit, one axis at a time: 0/1 targets that a small tree determines, with one label in ten
# flipped, and features with few different values. The two searches with a proof are also shown against the
# leaf penalty. A search stops at its time limit with the best tree found and a gap; one that would exceed its
# memory limit does not start. The born-again tree includes its forest of ten trees of depth three; the
# Bayesian tree is one chain. {doc}`exact_engine` measures the optimal sparse search in depth, with its
# memory.

# %% mystnb={"figure": {"name": "guide-costs", "caption": "Seconds of a fit against samples (rows), features (columns) and the leaf penalty (price); crosses: ended without a proof."}, "image": {"alt": "Three panels with logarithmic axes and a line for each estimator. Against rows the lines rise slowly; against columns and against falling penalties that of the optimal sparse tree rises steeply, the others little."}}
import matplotlib.pyplot as plt

from treelib.papers import reproduce
from treelib.papers.across import costs
from treelib.tree.style import use_style

use_style()
print(f"{costs.ROWS:,} samples and penalty {costs.PRICE:g} where not varied; features:", costs.METHODS)
found = reproduce("family.costs")
figure, axes = plt.subplots(1, 3, figsize=(7.4, 3.4), sharey=True)
for ax, (axis, part) in zip(axes, found.groupby("axis", sort=False)):
    for method, points in part.groupby("method", sort=False):
        ax.plot(points["x"], points["fit_seconds"], marker="o", label=method)
    stopped = part[part["stopped"]]
    ax.plot(stopped["x"], stopped["fit_seconds"], "kx", markersize=9, zorder=9)
    ax.set(xscale="log", yscale="log", xlabel=axis)
    if axis == "price":
        ax.invert_xaxis()
axes[0].set_ylabel("seconds")
figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3)
plt.show()

# %%
found.pivot_table("fit_seconds", ["axis", "x"], "method", sort=False).round(3)

# %% [markdown]
# ## Constraints on the tree
#
# Four settings of `OptimalSparseTreeClassifier` restrict the trees. The proof is then over these trees, and
# `proof_scope_` names them.
#
# - `min_samples_leaf`: the least number of training samples in each leaf, or a fraction of them.
# - `monotonic_cst`: the predicted class never falls (1) or never rises (-1) with a feature, all others fixed. Two leaves
#   are compared where their regions lie apart in that feature and overlap in all others. scikit-learn's setting of that name orders
#   the probabilities, and bounds all leaves below a split by the middle of its children, which excludes more trees than necessary.
# - `allowed_features`: only these features are used. `required_features`: each of these is used somewhere.
#
# Suppose that a tumour must never look more benign when its cells are larger, and that the smoothness of the
# nuclei must be used, whatever that costs:

# %%
bound = OptimalSparseTreeClassifier(
    regularization=0.01,
    max_depth=3,
    max_thresholds=10,
    min_samples_leaf=10,
    monotonic_cst={"worst area": -1, "worst perimeter": -1},
    required_features=["mean smoothness"],
    time_limit=60,
).fit(X, y)
print(f"objective {bound.objective_:.4f}, bound {bound.lower_bound_:.4f}")
print("proved:", bound.is_optimal_, "over", bound.proof_scope_)
bound.tree_

# %% [markdown]
# A constraint that the data satisfy anyway takes no longer: the search first finds the optimum without
# constraints, and if that tree satisfies them it is the answer, over all thresholds too. A constraint that
# goes against the data takes longest; for features with many values, `max_thresholds` gives a proof over
# fewer thresholds.

# %% [markdown]
# ## Tables with categories
#
# Every method can split on one category, `colour = red`. A top-down tree or forest can also split on several
# at once:
#
# ```python
# TopDownTreeClassifier(category_tests="subsets", max_leaf_nodes=8)  # colour in {blue, red}
# ```
#
# For two classes and for regression the categories of a node are sorted by their mean; a best subset is then
# one of the splits of this order, for all concave criteria and for the squared error, Poisson and Tweedie
# deviance. The absolute error has no such order, and a minimum leaf size can forbid the best split; in
# regression the split found is then good but not always best. In classification all subsets of up to ten
# categories are compared where the order does not decide: more classes, other criteria, minimum leaf sizes.
# Beyond ten, the orders by the share of each class and along the first principal component are tried.
#
# A feature with many categories has so many subsets that one of them fits by chance: give such trees
# `min_samples_leaf` or `ccp_alpha`. A missing value counts as a category. A category that a node did not see
# in training goes with the majority of its samples.
#
# ## How to choose the leaf penalty
#
# `regularization` is a fraction of the samples: with `0.01`, a split has to correct one sample in a hundred. Good values lie between
# `0.001` and `0.1`. `regularization_path` gives every optimal tree above a penalty, so a whole range costs little more
# than its smallest penalty. Below one sample (`1 / n_samples`) the tree may memorise the training data.
#
# `treelib.tune(X, y)` chooses it by cross-validation, and the depth with it, within a minute ({doc}`own_data`).
#
# ## When a search takes too long
#
# - Give `time_limit`. You get the best tree found, a proven lower bound, and a warning: `gap_` says how much better any
#   tree could be. Top-down trees and forests take it too: a stopped tree keeps the splits made so far, a stopped forest
#   its finished trees, and `status_` says so.
# - Raise `regularization`, or limit `max_depth`.
# - Give `max_thresholds`: fewer candidate thresholds per feature. The proof is then over these, as `proof_scope_`
#   says.
# - Look at `search_stats_`: `n_merged_rows` is the number of samples after merging duplicates.
#
# ## With other tools
#
# A fitted tree can be converted to scikit-learn, and so used by whatever reads its trees. Tried with shap
# `0.51` and dtreeviz `2.3`:
#
# ```python
# import shap
# from sklearn.datasets import load_breast_cancer
# from treelib import OptimalSparseTreeClassifier
#
# data = load_breast_cancer(as_frame=True)
# X, y = data.data, data.target
# model = OptimalSparseTreeClassifier(regularization=0.02).fit(X, y)
# sklearn_tree = model.tree_.to_sklearn(classes=model.classes_)
#
# values = shap.TreeExplainer(sklearn_tree)(X.to_numpy())
# values.feature_names = list(X.columns)
# shap.plots.bar(values[:, :, 1])  # contributions to the probability of the second class
# ```
#
# The values of a sample and the base value add up to what `predict_proba` gives, and features that the tree does not use
# contribute nothing.
#
# ```python
# import dtreeviz
#
# shown = dtreeviz.model(
#     sklearn_tree,
#     X_train=X,
#     y_train=y,
#     feature_names=list(X.columns),
#     target_name="tumour",
#     class_names=list(data.target_names),
# )
# shown.ctree_leaf_distributions()
# row = X.iloc[0].to_numpy()  # an array: a Series is read by its labels
# print(shown.explain_prediction_path(row))
# ```
#
# `shown.view()`, its drawing of the tree, also needs the program Graphviz; `model.tree_.plot()` and `to_svg`
# need nothing. Tables with categories are encoded first: give `model.encoder_.transform(X)` and
# `model.encoder_.feature_names_out_` in place of `X` and its columns.
#
# A tree also exports to text, rules, SQL, Graphviz, SVG and JSON; {doc}`../book/api` lists all. Pipelines and
# grid searches work as with any estimator:
#
# ```python
# from sklearn.model_selection import GridSearchCV
# from treelib import OptimalSparseTreeClassifier
#
# prices = {"regularization": [0.05, 0.02, 0.01]}
# # without a limit of depth a proof may take minutes
# search = GridSearchCV(OptimalSparseTreeClassifier(max_depth=3), prices, cv=5)
# search.fit(X, y)
# ```
#
# How the methods compare on the data sets of the four papers, under one protocol, is measured in
# {doc}`comparison`.
