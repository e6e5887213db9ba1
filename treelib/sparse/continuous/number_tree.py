"""Trees over columns of numbers, as this search returns them, and the leaves and splits that it leaves open.

The search knows of trees of depth two only where their root is cut; the best single splits below are found
here, once, for the tree that is returned.
"""

from typing import NamedTuple

import numpy as np


class NumberTree(NamedTuple):
    """A binary tree in flat arrays, root 0, in preorder, left child first; a row goes left iff x <= threshold.

    A missing value is larger than every number. The threshold +inf sends only missing values right.
    """

    feature: np.ndarray  # intp (n_nodes,), -1 at leaves
    threshold: np.ndarray  # float64 (n_nodes,)
    left: np.ndarray  # intp (n_nodes,), -1 at leaves
    right: np.ndarray  # intp (n_nodes,)
    label: np.ndarray  # intp (n_nodes,), class of most weight, the first of equals

    @property
    def n_leaves(self):
        return int(np.count_nonzero(self.feature < 0))

    @property
    def depth(self):
        """Splits on the longest path."""
        depth = np.zeros(len(self.feature), np.intp)
        for node in np.flatnonzero(self.feature >= 0):
            depth[self.left[node]] = depth[self.right[node]] = depth[node] + 1
        return int(depth.max())

    def predict(self, X):
        """Class index of each row."""
        label = np.empty(len(X), np.intp)
        for node, rows in enumerate(rows_of_nodes(self, X)):
            if self.feature[node] < 0:
                label[rows] = self.label[node]
        return label

    def objective(self, X, y, regularization, weights=None):
        """Weighted fraction of rows misclassified + `regularization` x leaves."""
        is_wrong = self.predict(X) != y
        wrong = np.count_nonzero(is_wrong) / len(y) if weights is None else _share(is_wrong, weights)
        return float(wrong + regularization * self.n_leaves)


def _share(chosen, weights):
    return weights[chosen].sum() / weights.sum()


def midpoint(low, high):
    """Halfway between two numbers, at least `low` and below `high`; +inf where `high` is missing."""
    if np.isnan(high):
        return np.inf
    middle = low / 2 + high / 2
    return float(middle) if low <= middle < high else float(low)


def rows_of_nodes(tree, X):
    """Row indices that reach each node, ascending."""
    rows = [None] * len(tree.feature)
    rows[0] = np.arange(len(X))
    for node in np.flatnonzero(tree.feature >= 0):  # preorder: a parent comes before its children
        at = rows[node]
        is_left = X[at, tree.feature[node]] <= tree.threshold[node]
        rows[tree.left[node]], rows[tree.right[node]] = at[is_left], at[~is_left]
    return rows


class Counts(NamedTuple):
    """What leaves and splits are chosen by.

    X : float64 (n, p). y : intp (n,), class indices. weights : float64 (n,). n_classes : int. price : float, of
    a leaf, in units of the weights.
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    n_classes: int
    price: float

    def of(self, rows):
        """Weight of each class, float64 (n_classes,)."""
        return np.bincount(self.y[rows], self.weights[rows], self.n_classes)


def grow(counts, plan):
    """`NumberTree` written down by `plan`.

    plan : callable of (rows, key) -> None for a leaf, or (feature, threshold, left key, right key). The root
        has the key None. Where all rows go to one side, there is no split.
    """
    feature, threshold, left, right, label = [], [], [], [], []
    todo = [(np.arange(len(counts.X)), None, None, -1)]
    while todo:
        rows, key, links, parent = todo.pop()
        node = len(feature)
        if links is not None:
            links[parent] = node
        split = plan(rows, key)
        while split is not None:
            is_left = counts.X[rows, split[0]] <= split[1]
            if is_left.any() and not is_left.all():
                break
            split = plan(rows, split[2] if is_left.all() else split[3])
        feature.append(-1 if split is None else split[0])
        threshold.append(0.0 if split is None else split[1])
        left.append(-1)
        right.append(-1)
        label.append(int(counts.of(rows).argmax()))
        if split is not None:
            todo.append((rows[~is_left], split[3], right, node))
            todo.append((rows[is_left], split[2], left, node))
    integers = (np.array(part, np.intp) for part in (left, right, label))
    return NumberTree(np.array(feature, np.intp), np.array(threshold, float), *integers)


def best_split(counts, rows, score):
    """Feature and threshold of the split of least score, or None for a set that no feature divides.

    score : callable of (left, right), class weights float64 (..., n_classes) of both sides -> float64 (...)
    """
    best = np.inf, None
    y, weights = counts.y[rows], counts.weights[rows]
    table = np.zeros((len(rows), counts.n_classes))
    for feature in range(counts.X.shape[1]):
        values = counts.X[rows, feature]
        order = np.argsort(values)
        values = values[order]
        cuts = np.flatnonzero((values[1:] > values[:-1]) | (np.isnan(values[1:]) & ~np.isnan(values[:-1])))
        if not len(cuts):
            continue
        table[:] = 0
        table[np.arange(len(rows)), y[order]] = weights[order]
        below = table.cumsum(axis=0)
        scores = score(below[cuts], below[-1] - below[cuts])
        k = int(scores.argmin())
        if scores[k] < best[0]:
            at = cuts[k]
            best = scores[k], (feature, midpoint(values[at], values[at + 1]))
    return best


def wrong(left, right):
    """Weight that the best labels of both sides miss."""
    return left.sum(-1) - left.max(-1) + right.sum(-1) - right.max(-1)


def best_stump(counts, rows):
    """The split of least errors if it pays for its leaf, else None."""
    here = counts.of(rows)
    errors = here.sum() - here.max()
    if errors <= counts.price:
        return None
    least, split = best_split(counts, rows, wrong)
    # of equal costs the single leaf: a sum of weights differs in its last digits by their order
    return split if least + counts.price < errors - 1e-12 * here.sum() else None
