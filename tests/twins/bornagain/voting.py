"""Regions of an ensemble by listing every cell: the plain twin of the proofs, certificates and pruning."""

import itertools

import numpy as np

from treelib.bornagain.ensemble.voting import Ensemble
from treelib.tree.stored import Tree


def random_ensemble(
    seed, n_features=3, n_trees=4, n_classes=3, depth=3, n_cuts=3, voting="hard", weighted=False
):
    """Ensemble of random trees whose thresholds are 0.5, 1.5, ...; leaves have random counts."""
    rng = np.random.default_rng(seed)

    def nested(left):
        if left == 0 or rng.random() < 0.2:
            counts = rng.integers(0, 4, n_classes) + np.eye(n_classes, dtype=int)[rng.integers(n_classes)]
            return counts.tolist()
        return int(rng.integers(n_features)), rng.integers(n_cuts) + 0.5, nested(left - 1), nested(left - 1)

    trees = [Tree.from_nested(nested(depth), n_features, n_classes=n_classes) for _ in range(n_trees)]
    weights = rng.choice([0.5, 1.0, 0.7, 1.9], n_trees) if weighted else None
    return Ensemble(trees, weights, voting)


def all_cells(low, high):
    """Every cell of a region, int64 (n, p)."""
    return np.array(list(itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))))


def points(cells, levels):
    """A point inside each cell: between its thresholds, or one beyond the outermost."""
    rows = []
    for cell in cells:
        row = []
        for level, cuts in zip(cell, levels, strict=True):
            if len(cuts) == 0:
                row.append(0.0)
            elif level == 0:
                row.append(cuts[0] - 1)
            elif level == len(cuts):
                row.append(cuts[-1] + 1)
            else:
                row.append((cuts[level - 1] + cuts[level]) / 2)
        rows.append(row)
    return np.array(rows, dtype=float)


def is_homogeneous(ensemble, levels, low, high, label):
    """Whether all cells of the region have class `label`."""
    return bool((ensemble.predict(points(all_cells(low, high), levels)) == label).all())


def disagreements(tree, ensemble, levels):
    """Number of cells on which a tree and an ensemble differ; `levels` must hold the thresholds of both."""
    cells = all_cells([0] * len(levels), [len(cuts) for cuts in levels])
    where = points(cells, levels)
    return int((tree.predict(where) != ensemble.predict(where)).sum())


def needed_thresholds(tree, levels):
    """Thresholds across which two neighbouring cells have different labels, by looking at all pairs."""
    top = [len(cuts) for cuts in levels]
    label = {tuple(cell): tree.predict(points([cell], levels))[0] for cell in all_cells([0] * len(top), top)}
    needed = set()
    for cell, mine in label.items():
        for j in range(len(top)):
            other = (*cell[:j], cell[j] + 1, *cell[j + 1 :])
            if other in label and label[other] != mine:
                needed.add((j, float(levels[j][cell[j]])))
    return needed


def pruned(tree, X):
    """Post-pruning by recursion on nested tuples: (feature, threshold, left, right) or a label."""

    def prune(node, rows):
        if tree.is_leaf[node]:
            return int(tree.label[node])
        j, cut = int(tree.feature[node]), float(tree.threshold[node])
        goes_left = rows[:, j] <= cut
        left = prune(tree.children_left[node], rows[goes_left])
        right = prune(tree.children_right[node], rows[~goes_left])
        if not goes_left.any():
            return right
        if goes_left.all():
            return left
        if left == right and isinstance(left, int):
            return left
        return j, cut, left, right

    return prune(0, np.asarray(X, dtype=float))


def nested(tree, node=0):
    """A tree as nested tuples with labels at the leaves."""
    if tree.is_leaf[node]:
        return int(tree.label[node])
    left, right = tree.children_left[node], tree.children_right[node]
    return int(tree.feature[node]), float(tree.threshold[node]), nested(tree, left), nested(tree, right)
