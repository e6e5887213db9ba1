"""Post-pruning of a born-again tree: parts that no training sample reaches are cut away."""

import numpy as np

from treelib.tree.building import NO_CHILD


def post_prune(tree, X, merge=True):
    """The tree without splits that have no training sample on one side.

    From bottom to top, a split with an empty side is replaced by the child on the other side (Vidal, Pacheco
    and Schiffer 2020, Section 4.4), and two sibling leaves of one class become one leaf. The pruned tree
    predicts every row of `X` as before, but is no longer faithful to the ensemble elsewhere.

    Parameters
    ----------
    tree : Tree
    X : array-like (n, n_features), training samples, at least one
    merge : bool. Make one leaf of two sibling leaves of one class, as the authors' program does; False is
        Section 4.4 to the letter.

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
