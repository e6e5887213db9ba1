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
# # Optimal sparse trees
#
# `OptimalSparseTreeClassifier` finds the decision tree that minimises the training error plus a penalty for each leaf, and proves
# that no tree over the same thresholds is better. Use it when the tree is meant to be read: for a given size it makes
# the fewest training errors, and the proof tells you that a smaller or more accurate one does not exist.

# %%
from sklearn.datasets import load_wine

from treelib import OptimalSparseTreeClassifier

X, y = load_wine(return_X_y=True, as_frame=True)
model = OptimalSparseTreeClassifier(regularization=0.02, max_depth=3, time_limit=30).fit(X, y)
print(f"objective {model.objective_:.4f}, lower bound {model.lower_bound_:.4f}, optimal: {model.is_optimal_}")
model.tree_

# %% [markdown]
# One call gives the optimal trees of all penalties down to a smallest one:

# %% mystnb={"figure": {"name": "guide-sparse-path", "caption": "Training errors of the optimal trees, from one leaf to many."}, "image": {"alt": "A falling line of training errors against leaves, one marked point for each optimal tree. It falls steeply at first and flattens out."}}
import matplotlib.pyplot as plt

from treelib.tree.style import use_style

use_style()
search = OptimalSparseTreeClassifier(max_depth=3, max_thresholds=10)
path = search.regularization_path(X, y, min_regularization=0.005)
points = [(one.n_leaves, (one.tree.predict(X.to_numpy()) != y).sum()) for one in path.solutions]
plt.figure(figsize=(6, 3.4))
plt.plot(*zip(*points), marker="o")
plt.xlabel("leaves")
plt.ylabel("training errors")
plt.show()

# %% [markdown]
# ## Mathematical formulation
#
# Given samples $(x_i, y_i)$ with weights $w_i$, the search minimises over all trees $T$ whose splits use the candidate thresholds
#
# $$R(T) = \frac{\sum_i w_i\, [T(x_i) \ne y_i]}{\sum_i w_i} + \lambda\, |T|,$$
#
# where $|T|$ is the number of leaves and $\lambda$ is `regularization`. A split adds one leaf, so in an optimal tree it corrects
# more than $\lambda$ of the weight. A branch and bound over sets of samples keeps, for each set, the best tree found and a
# lower bound on every tree; the search ends when the two meet at the root. If it is stopped earlier, `gap_` is the distance
# between them. {doc}`osdt` derives the bounds of the paper, {doc}`exact_engine` the search used here.
#
# ## Complexity
#
# The problem is NP-hard: in the worst case the time grows exponentially with the depth. Trees of depth two over $p$ 0/1 features
# cost $O(n p^2)$ bit operations, a machine word of samples at a time. Over numeric features one pass through the $n$ samples
# handles a pair of features for many thresholds of the root at once. Duplicate samples are merged first. In practice the number of distinct
# samples, the number of candidate thresholds and $1/\lambda$ decide; {doc}`guide` measures all three.
#
# ## Tips on practical use
#
# - Start with `regularization=0.01` and `max_depth=3`, and set a `time_limit`. A search that hits the limit returns its best tree with
#   a proven bound; `is_optimal_` and `gap_` tell you where it stands.
# - `treelib.tune(X, y)` chooses the penalty and the depth by cross-validation.
# - Below one sample per leaf (`1 / n_samples`) the tree may memorise the training set.
# - `max_thresholds=10` shortens long searches. The proof then holds over those thresholds (`proof_scope_`).
# - `initial_tree` takes a tree that you already have as a warm start: the result is never worse.
# - `rashomon_set` lists all trees that are nearly as good. Look at it before you call a feature important.
# - `write_proof` stores a certificate that `treelib check-proof` verifies without the search ({doc}`proofs`).
# - Few leaves keep probabilities coarse. For ranking or calibrated probabilities, take a forest.
#
# ## References
#
# {cite:t}`osdt`, the objective and the first bounds; {cite:t}`corels`, rule lists by branch and bound. The search over sets with
# depth-two counts follows the line of work on dynamic programming that {doc}`exact_engine` names.
