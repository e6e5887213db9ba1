"""Fewest re-weighted trees by trying every set of trees on every cell."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from tests.twins.bornagain.regions import cell_points
from treelib.bornagain.ensemble.cells import build_cells


def every_cell(ensemble):
    """A point of every cell, and its class index."""
    points = np.array(cell_points(build_cells(ensemble, keep_all=True).levels), dtype=float)
    return points, ensemble.predict(points)


def scores_at(ensemble, points):
    """Scores of the base (a list without or with one table) and of each tree, (n, n_classes) each."""
    tables = [ensemble.leaf_votes(k)[tree.apply(points)] for k, tree in enumerate(ensemble.trees)]
    base = getattr(ensemble, "base", None)
    free = [] if base is None else [np.repeat(base[None, :], len(points), axis=0)]
    return [table.astype(float) for table in free], [table.astype(float) for table in tables]


def largest_margin(tables, classes):
    """Largest margin of weights of `tables` that keep every class, -inf where there are none.

    Weights add up to 1, after each table was divided by its largest size. Ties may go to the smaller class.
    """
    tables = [table / abs(table).max() for table in tables if abs(table).max() > 0]
    if not tables:
        return -np.inf
    rows, strict = [], []
    for i, own in enumerate(classes):
        for rival in range(tables[0].shape[1]):
            if rival != own:
                rows.append([table[i, own] - table[i, rival] for table in tables])
                strict.append(float(own > rival))
    found = linprog(
        [0.0] * len(tables) + [-1.0],
        A_ub=np.column_stack([-np.array(rows), strict]),
        b_ub=np.zeros(len(rows)),
        A_eq=[[1.0] * len(tables) + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * len(tables) + [(None, 1.0)],
    )
    return -np.inf if found.x is None else found.x[-1]


def fewest_trees(ensemble, least):
    """Size of the smallest set of trees that some weights make faithful with a margin of at least `least`.

    The whole ensemble, as it is, always is. One class everywhere needs no tree.
    """
    points, classes = every_cell(ensemble)
    if len(set(classes.tolist())) == 1:
        return 0
    free, tables = scores_at(ensemble, points)
    for size in range(ensemble.n_trees):
        for some in combinations(tables, size):
            if largest_margin([*free, *some], classes) >= least:
                return size
    return ensemble.n_trees
