"""Public programs for the optimal sparse tree, under the protocol of the comparison (`protocol`).

All see the candidate columns that our own search takes, and pay the same prices for a leaf. The fits of a
case run in a process apart (`own_process`). A fit that overruns its limit or asks for too much memory ends
it, and the next one gets a fresh process.
"""

import math
import time
import warnings
from functools import partial
from importlib import import_module
from itertools import product

import numpy as np

from treelib import datasets
from treelib.ledger.experiments import experiment
from treelib.papers.across.comparison import peer_trees
from treelib.papers.across.comparison.own_process import Ended, OwnProcess
from treelib.papers.across.comparison.protocol import DATA, PRICES, TUNING_SECONDS, NoTree, cross_validate
from treelib.table.binarize import Binarizer
from treelib.tree.stored import Tree

# STreeD solves the problem of limited depth; LicketySPLIT has no limit of time, and is fast with one of depth
STREED_DEPTH, LICKETY_DEPTH = 4, 5

# key -> name in tables
PEERS = {
    "imodels": "imodels FastSmallTree",
    "pystreed": f"STreeD, depth {STREED_DEPTH}",
    "gosdt": "GOSDT",
    "licketysplit": f"LicketySPLIT, depth {LICKETY_DEPTH}",
}
# a program that overruns its own limit of time by this factor, and a second, is ended
PATIENCE = 1.25


@experiment(
    "family.peers",
    item="Comparison, public programs",
    title="Public programs for optimal sparse trees under the protocol of the comparison",
    cases=lambda: [{"data": name, "method": peer, "seed": 0} for peer, name in product(PEERS, DATA)],
    datasets=lambda case: (case["data"],),
    kind="statistical",
    # what a clock stops on one machine is finished on another, and then another price is chosen
    measured=("fit_seconds", "n_proved"),
    tolerance=0.05,
    seconds=440,
    memory=2e9,
)
def compare(case):
    """One program on one data set, all outer folds; the result is that of `cross_validate`."""
    peer, data = case["method"], datasets.load(case["data"])
    fit_columns = FITS[peer]
    import_module(peer)
    codes = np.unique(data.y, return_inverse=True)[1]
    warm_up(fit_columns)
    prices = [{"price": price} for price in PRICES]
    with OwnProcess() as apart:
        return cross_validate(partial(fit, apart, fit_columns), prices, data.X, codes, case["seed"])


def warm_up(fit_columns):
    """One small fit in this process: its kernels and libraries are loaded before any fit is timed."""
    columns = np.random.default_rng(0).integers(0, 2, (300, 3), dtype=np.uint8)
    fit_columns(columns, (columns[:, 0] & columns[:, 1]).astype(np.intp), 0.01, 600)


def fit(apart, fit_columns, settings, X, y, seconds):
    """`Fitted` on the candidate columns of `X`; `NoTree` where the program ends without one."""
    binarizer = Binarizer()
    columns = binarizer.fit_transform(X)
    try:
        found = apart.call(
            partial(_timed, fit_columns, columns, y, settings["price"], seconds), PATIENCE * seconds + 1
        )
    except Ended as error:
        raise NoTree(f"no tree at a price of {settings['price']:g}: {error}") from error
    if found["tree"] is None:
        raise NoTree(f"no tree at a price of {settings['price']:g} within {seconds:g} s")
    return Fitted(binarizer, found)


def _timed(fit_columns, columns, y, price, seconds):
    start = time.perf_counter()
    tree, is_optimal = fit_columns(columns, y, price, seconds)
    return {"tree": tree, "is_optimal": bool(is_optimal), "seconds": time.perf_counter() - start}


class Fitted:
    """A program's tree on the columns of a binarizer."""

    def __init__(self, binarizer, found):
        self.binarizer, self.is_optimal_, self.fit_seconds_ = binarizer, found["is_optimal"], found["seconds"]
        self.tree_ = Tree.from_nested(_with_thresholds(found["tree"]), n_features=binarizer.n_columns_)

    def predict(self, X):
        return self.tree_.predict(self.binarizer.transform(X).astype(float))


def _with_thresholds(tree):
    """A tree of `peer_trees` -> the nesting that `Tree` reads."""
    if not isinstance(tree, tuple):
        return tree
    column, false_side, true_side = tree
    return column, 0.5, _with_thresholds(false_side), _with_thresholds(true_side)


# ---- the programs: (columns, y, price, seconds) -> tree of `peer_trees` or None, whether it is optimal -----


def fit_imodels(columns, y, price, seconds):
    """FastSmallTreeClassifier."""
    from imodels import FastSmallTreeClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = FastSmallTreeClassifier(regularization=price, time_limit=seconds)
        model.fit(columns.astype(float), y)

    return peer_trees.of_imodels(model), model.optimal_


def fit_pystreed(columns, y, price, seconds):
    """STreeD's cost-complexity task: it prices a split, which ranks trees as a leaf penalty does."""
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        "cost-complex-accuracy", max_depth=STREED_DEPTH, cost_complexity=price, time_limit=seconds
    )
    model.fit(columns.astype(np.intc), y)
    tree = peer_trees.of_streed(model)
    return tree, tree is not None and model.fit_result.is_optimal()


def fit_gosdt(columns, y, price, seconds):
    """GOSDT, whose limit is whole seconds; while settings are chosen, only trees that it proves count.

    The others are far from optimal, and cheaper prices take it longer still.
    """
    from gosdt import GOSDTClassifier, Status

    model = GOSDTClassifier(regularization=price, allow_small_reg=True, time_limit=math.ceil(seconds))
    model.fit(columns.astype(bool), y)
    is_optimal = model.result_.status == Status.CONVERGED
    if seconds <= TUNING_SECONDS and not is_optimal:
        return None, False
    return peer_trees.of_gosdt(model), is_optimal


def fit_licketysplit(columns, y, price, seconds):
    """LicketySPLIT as it comes, one step of lookahead: fast, near the optimum, without limit and proof."""
    from licketysplit import LicketySPLITClassifier

    model = LicketySPLITClassifier(lambda_leaf=price, depth_budget=LICKETY_DEPTH).fit(columns, y)
    return peer_trees.of_licketysplit(model), False


FITS = {
    "imodels": fit_imodels,
    "pystreed": fit_pystreed,
    "gosdt": fit_gosdt,
    "licketysplit": fit_licketysplit,
}
