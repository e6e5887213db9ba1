"""Post-pruning of a born-again tree: parts that no training sample reaches are cut away. And the tree that an
ensemble of one tree is."""

import numpy as np

from treelib.bornagain.ensemble.voting import HARD, SOFT
from treelib.bornagain.proof.leaf_regions import has_room, leaf_regions
from treelib.tree.building import NO_CHILD


def post_prune(tree, X, merge=True):
    """The tree without the splits that leave one side without training samples.

    From bottom to top, a split with an empty side is replaced by the child on the other side (Vidal, Pacheco
    and Schiffer 2020, Section 4.4), and two sibling leaves of one class become one leaf. The pruned tree
    predicts every row of `X` as before, but is no longer faithful to the ensemble elsewhere.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array-like (n, n_features)
        Training samples, at least one.
    merge : bool
        Make one leaf of two sibling leaves of one class, as the authors' program does; False is Section 4.4
        to the letter.

    Returns
    -------
    Tree
        With `n_node_samples` counted on `X`; `value` and `label` are those of the nodes that remain.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.pruned import post_prune
    >>> tree = Tree.from_nested((0, 1.0, 0, (0, 5.0, 1, 0)))
    >>> print(post_prune(tree, [[0.5], [2.0], [3.0]]))
    Decision tree with 2 leaves, depth 1
    ├─ x[0] <= 1: class 0 (1 sample)
    └─ x[0] > 1: class 1 (2 samples)
    """
    if tree.is_regression:
        raise ValueError("Post-pruning is for classification trees.")
    reached = np.bincount(tree.apply(X), minlength=tree.n_nodes)
    if not reached.any():
        raise ValueError("X has no rows; post-pruning needs training samples.")
    left, right, label = (array.copy() for array in (tree.children_left, tree.children_right, tree.label))
    stands_for = np.arange(tree.n_nodes)  # node that takes the place of each node
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        a, b = left[node], right[node]
        if a == NO_CHILD:
            continue
        reached[node] = reached[a] + reached[b]
        kept_a, kept_b = stands_for[a], stands_for[b]
        if reached[b] == 0 or reached[a] == 0:
            stands_for[node] = kept_a if reached[b] == 0 else kept_b
        elif merge and left[kept_a] == left[kept_b] == NO_CHILD and label[kept_a] == label[kept_b]:
            left[node] = right[node] = NO_CHILD
            label[node] = label[kept_a]
        else:
            left[node], right[node] = kept_a, kept_b
    return tree.rewired(left, right, root=int(stands_for[0]), label=label, n_node_samples=reached)


def own_tree(ensemble, budget):
    """The tree of an ensemble of one tree, without what no point reaches and with leaves of one class merged.

    It is faithful. It stays as it is where the budget has no time or room for more.

    Parameters
    ----------
    ensemble : Ensemble
    budget : Budget

    Returns
    -------
    Tree, as `treelib.bornagain.regions.to_tree.to_tree` makes it; None for several trees, and for scores
    """
    if ensemble.n_trees > 1 or ensemble.voting not in (HARD, SOFT):
        return None
    tree = ensemble.trees[0].replace(
        value=np.zeros((ensemble.trees[0].n_nodes, ensemble.n_classes)),
        label=ensemble.leaf_votes(0).argmax(axis=1),
        n_node_samples=None,
        missing_go_to_left=None,
        features_with_missing=None,
        feature_names=ensemble.feature_names,
        class_names=None,
    )
    if not has_room(tree, budget):
        return tree
    low, high = leaf_regions(tree)
    low, high = (side[(low < high).all(axis=1)] for side in (low, high))
    points = np.where(np.isfinite(high), high, np.nextafter(low, np.inf))
    return post_prune(tree, points).replace(n_node_samples=None)
