"""Trees out of the table of a finished recursion, and a run under limits."""

from fractions import Fraction

import numpy as np

from treelib.dyadic.paper import procedure_1 as k
from treelib.dyadic.paper.recursion import Recursion
from treelib.search.budget import OPTIMAL, Budget, SearchResult
from treelib.tree.stored import Tree


def tree_of(run, grid):
    """The optimal tree of a run that is done, as a `Tree` without counts.

    grid : DyadicGrid that the codes of the rows come from. An empty leaf takes the label of the closest
    rectangle above it that holds rows (Section 3).
    """
    left, right, feature, threshold, label = [], [], [], [], []
    root = (0, np.zeros(grid.n_features, dtype=int), np.zeros(grid.n_features, dtype=int), 0, None)
    stack = [root]
    while stack:
        entry, level, index, inherited, parent = stack.pop()
        node = len(feature)
        if parent is not None:
            right[parent] = node
        name = int(run.entries.known["label"][entry]) if entry >= 0 else k.NO_LABEL
        name = inherited if name == k.NO_LABEL else name
        split = int(run.entries.known["split"][entry]) if entry >= 0 else k.LEAF
        label.append(name)
        if split < 0:
            left.append(-1), right.append(-1), feature.append(-2), threshold.append(-2.0)
            continue
        left.append(node + 1), right.append(-1), feature.append(split)
        threshold.append(float(grid.threshold(split, int(level[split]), int(index[split]))))
        halves = []
        for side in (0, 1):
            deeper, place = level.copy(), index.copy()
            deeper[split] += 1
            place[split] = 2 * place[split] + side
            halves.append((run.entry(deeper, place), deeper, place, name, node if side else None))
        stack += reversed(halves)
    return Tree(
        children_left=np.array(left),
        children_right=np.array(right),
        feature=np.array(feature),
        threshold=np.array(threshold),
        value=np.zeros((len(feature), run.rows.losses.shape[1])),
        n_features=grid.n_features,
        label=np.array(label),
    )


def search(
    grid,
    rows,
    regularization,
    *,
    n_samples,
    time_limit=None,
    memory_limit=None,
    cancel=None,
    verbose=False,
    **settings,
):
    """One run under limits, as a `SearchResult` in the paper's unit (losses over `n_samples`).

    Where a limit stops it, the tree is the single leaf, and the bound says that any other tree has two
    leaves.
    """
    budget = Budget(time_limit, memory_limit, cancel=cancel, verbose=verbose)
    run = Recursion(rows, Fraction(regularization) * n_samples, **settings)
    status = run.run(budget)
    leaf = int(rows.losses.sum(axis=0).min())
    price = float(run.price)
    if status == OPTIMAL:
        found = run.outcome()
        objective = lower = (found.error + price * found.leaves) / n_samples
        tree = tree_of(run, grid)
    else:
        objective = (leaf + price) / n_samples
        fewest = 2 if settings.get("empty_leaf", 1) else 1
        lower = min(objective, fewest * price / n_samples)
        tree = Tree.from_nested(
            int(rows.losses.sum(axis=0).argmin()), grid.n_features, n_classes=rows.losses.shape[1]
        )
    return SearchResult(status, objective, lower, tree, stats=run.stats())
