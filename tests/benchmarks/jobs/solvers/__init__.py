"""One adapter a program, all with the same few methods, so that one loop can time them.

A tree comes back as nested tuples ``(column, false_side, true_side)``, a leaf as its class code. It is scored
here, on the rows: what a program says of its own tree is never the score.
"""

from importlib import import_module
from importlib.util import find_spec

import numpy as np

# name in the tables -> module here with the class `Adapter`, package it needs
SOLVERS = {
    "treelib": ("treelib_exact", "treelib"),
    "imodels": ("imodels_fast_small", "imodels"),
    "pystreed": ("streed", "pystreed"),
    "licketysplit": ("lickety", "licketysplit"),
    "gosdt": ("graph_gosdt", "gosdt"),
}


def is_installed(name):
    return find_spec(SOLVERS[name][1]) is not None


def load_solver(name):
    """The adapter called `name`; imports its package."""
    return import_module(f"{__name__}.{SOLVERS[name][0]}").Adapter()


class Solver:
    """What an adapter offers.

    `prepare` brings 0/1 columns into the form that the program takes without a copy and is not timed; `fit`
    is the whole timed call; `read` looks at the fitted model.
    """

    # how the program was set, for the reader of the results
    settings = ""
    # depth limits of the problems it takes in the warm-up: none, and some limit
    depth_limits = (None, 4)

    def prepare(self, columns):
        return columns

    def fit(self, columns, y, regularization, max_depth, time_limit):
        raise NotImplementedError

    def read(self, model):
        """Dict with ``tree`` (nested), ``proved`` (bool), ``lower_bound`` and ``search_seconds`` or None."""
        raise NotImplementedError

    def warm_up(self):
        """One small fit: libraries are loaded and kernels compiled before anything is timed."""
        rng = np.random.default_rng(0)
        columns = rng.integers(0, 2, (300, 8), dtype=np.uint8)
        y = (columns[:, 0] & columns[:, 1] | columns[:, 2]) ^ (rng.random(300) < 0.1)
        for max_depth in self.depth_limits:
            # a first compilation on a busy machine can take minutes
            self.read(self.fit(self.prepare(columns), y.astype(np.intp), 0.01, max_depth, 600))


def predict(tree, columns):
    """Class codes intp (n,) that the nested `tree` predicts for the rows of `columns` (n, p)."""
    out = np.empty(len(columns), np.intp)
    todo = [(tree, np.arange(len(columns)))]
    while todo:
        part, rows = todo.pop()
        if isinstance(part, tuple):
            column, false_side, true_side = part
            is_true = columns[rows, column] != 0
            todo += [(false_side, rows[~is_true]), (true_side, rows[is_true])]
        else:
            out[rows] = part
    return out


def count_leaves(tree):
    return count_leaves(tree[1]) + count_leaves(tree[2]) if isinstance(tree, tuple) else 1


def depth_of(tree):
    return 1 + max(depth_of(tree[1]), depth_of(tree[2])) if isinstance(tree, tuple) else 0
