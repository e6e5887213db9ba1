"""Every search that takes limits, each on a problem far too hard for them.

`SEARCHES` maps a name to a function that makes the problem and returns a function of the limits. That one
returns an `Answer`. `test_searches` holds them to the limits. Those that take `data`, X and y and for
estimators weights, run on that table instead; `shapes` gives them tables of every shape.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

import treelib
from treelib.search.budget import Budget

# lowest price of the paths, and price of the Rashomon sets
LOWEST, OF_RASHOMON = 0.0005, 0.02


@dataclass
class Answer:
    """What a search gave: why it ended, its value, its proven bound, the bytes it says it held, and whether
    it raised KeyboardInterrupt in the end."""

    status: str
    objective: float = np.nan
    lower_bound: float = np.nan
    n_bytes: float = np.nan
    model: object = None
    is_raised: bool = False


def bits():
    """Uint8 (4000, 60) and two classes with noise: no search of the sparse tree ends in minutes."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (4000, 60)).astype(np.uint8)
    return X, (X[:, :7].sum(axis=1) + rng.normal(0, 1, 4000) > 3.5).astype(int)


def few_bits():
    """Uint8 (1000, 24), two classes."""
    X, y = bits()
    return X[:1000, :24], y[:1000]


def reals():
    """Float64 (1500, 9), two classes."""
    rng = np.random.default_rng(0)
    X = rng.random((1500, 9))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.2, 1500) > 0.8).astype(int)


def on_table(make, data):
    """A search through an estimator's `fit`; `data` may hold weights too."""

    def run(**limits):
        model, is_raised = make(**limits), False
        try:
            model.fit(*data)
        except KeyboardInterrupt as stop:  # the tree is kept, and then the fit ends as by Ctrl-C
            is_raised = True
            if getattr(stop, "estimator", None) is not model:
                raise
        stats = getattr(model, "search_stats_", {})
        n_bytes = stats.get("peak_bytes", stats.get("n_bytes", stats.get("bytes", np.nan)))
        bounds = (getattr(model, name, np.nan) for name in ("objective_", "lower_bound_"))
        return Answer(model.status_, *bounds, n_bytes, model, is_raised)

    return run


def on_budget(search):
    """A search by a function of its budget, whose result says how it ended."""

    def run(**limits):
        found = search(budget=Budget(**limits))
        return Answer(found.status, model=found)

    return run


def exact():
    return on_table(partial(treelib.OptimalSparseTreeClassifier, 0.0005), bits())


def constrained(data=None, required=None):
    data = data or reals()
    order = None if hasattr(data[0], "columns") else {0: 1}  # the columns of a frame may be categories

    def make(**limits):
        options = {"max_depth": 4, "min_samples_leaf": 0.02, "monotonic_cst": order}
        options |= {"required_features": required, **limits}
        return treelib.OptimalSparseTreeClassifier(0.001, **options)

    return on_table(make, data)


def leaf_limit():
    return on_table(partial(treelib.OptimalSparseTreeClassifier, 0.0005, max_leaf_nodes=12), few_bits())


def path(data=None):
    data = data or bits()

    def run(**limits):
        model = treelib.OptimalSparseTreeClassifier(**limits)
        found = model.regularization_path(*data, min_regularization=LOWEST)
        # the best tree at the lowest price
        objective = min(solution.error + LOWEST * solution.n_leaves for solution in found.solutions)
        return Answer(found.status, objective, model=found)

    return run


def rashomon(data=None):
    data = data or few_bits()

    def run(**limits):
        model = treelib.OptimalSparseTreeClassifier(OF_RASHOMON, **limits)
        found = model.rashomon_set(*data, epsilon=0.05, max_trees=100_000)
        return Answer(found.status, found.optimum, model=found)

    return run


def branch_and_bound(data=None):
    from treelib.sparse.paper.branch_and_bound import branch_and_bound as search

    X, y = data or bits()

    def run(**limits):
        found = search(X, y, 0.001, **limits)
        return Answer(found.status, found.objective, found.lower_bound, found.stats["bytes"], found)

    return run


def binoct(data=None):
    from treelib.sparse.binoct.fit import binoct as search

    X, y = data or few_bits()

    def run(**limits):
        found = search(X, y, 4, regularization=0.001, **({"time_limit": None} | limits))
        return Answer(found.status, found.objective, found.lower_bound, model=found)

    return run


def dyadic(data=None):
    return on_table(partial(treelib.DyadicTreeClassifier, 0.0005, max_splits=4), data or reals())


def bornagain():
    from sklearn.ensemble import RandomForestClassifier

    X, y = reals()
    forest = RandomForestClassifier(12, max_depth=5, random_state=0)
    return on_table(partial(treelib.BornAgainTreeClassifier, forest), (X[:, :6], y))


def of_forest(forest):
    """The born-again tree of a fitted forest."""

    def run(**limits):
        model = treelib.BornAgainTreeClassifier(**limits).from_ensemble(forest)
        n_bytes = model.search_stats_.get("peak_bytes", np.nan)
        return Answer(model.status_, model.objective_, model.lower_bound_, n_bytes, model)

    return run


def bayesian(data=None):
    return on_table(partial(treelib.BayesianTreeClassifier, n_iter=10**7), data or reals())


def many_rows():
    """Float64 (300000, 30), two classes with noise."""
    rng = np.random.default_rng(0)
    X = rng.random((300_000, 30))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.3, len(X)) > 0.8).astype(int)


def _growth(make, data):
    """Growth by an estimator; one split first, which compiles all that a limit could keep from it."""
    make(max_depth=1).fit(*data)
    return on_table(make, data)


def topdown_tree(data=None):
    return _growth(treelib.TopDownTreeClassifier, data or many_rows())


def topdown_regression(data=None):
    return _growth(partial(treelib.TopDownTreeRegressor, max_features=1 / 6), data or many_rows())


def topdown_own_criterion(data=None):
    def gini(shares):
        return (shares * (1 - shares)).sum(axis=1)

    return _growth(partial(treelib.TopDownTreeClassifier, gini), data or many_rows())


def forest(data=None):
    def make(n_estimators=100_000, **limits):
        return treelib.TopDownForestClassifier(n_estimators=n_estimators, random_state=0, **limits)

    make(n_estimators=1).fit(*reals())
    return on_table(make, data or reals())


def grid_of_criteria(data=None):
    from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

    X, y = data or (rows[:20_000] for rows in many_rows())
    folds = [(np.arange(k, len(X), 2), np.arange(1 - k, len(X), 2)) for k in (0, 1)]
    criteria = tsallis_grid(np.linspace(0.2, 4, 40), range(1, 9))

    def run(**limits):
        found = fit_grid(X, y, criteria, folds=folds, **limits)
        return Answer(found.status, model=found)

    return run


def exact_risk(data=None):
    from treelib.topdown.learn.splitting_risk import Instance, exact_loss

    X, y = data or reals()
    return on_budget(lambda budget: exact_loss(Instance(X, y), "alpha", max_depth=8, budget=budget))


def joint_risk(data=None):
    from treelib.topdown.learn.joint_risk import joint_loss
    from treelib.topdown.learn.splitting_risk import Instance

    X, y = data or reals()

    def run(**limits):
        found = joint_loss(Instance(X, y), max_depth=8, budget=Budget(**limits))
        return Answer(found.grown.status, model=found)

    return run


def _grown_on_noise():
    """A tree of 4,000 leaves with the rows it was grown on: megabytes, and a tenth of a second of work."""
    from treelib.topdown.learn.pruning_risk import PruningInstance

    rng = np.random.default_rng(0)
    X, y = rng.random((10_000, 2)), rng.integers(0, 2, 10_000)
    return PruningInstance(treelib.TopDownTreeClassifier().fit(X, y).tree_, X, y)


def pessimistic_risk(data=None):
    from treelib.topdown.learn.pessimistic_risk import pessimistic_loss
    from treelib.topdown.learn.pruning_risk import PruningInstance

    if data is None:
        return on_budget(partial(pessimistic_loss, [_grown_on_noise()] * 300))
    tree = treelib.TopDownTreeClassifier().fit(*data).tree_
    return on_budget(partial(pessimistic_loss, PruningInstance(tree, *data)))


def complexity_risk():
    from treelib.topdown.learn.pruning_risk import complexity_loss

    return on_budget(partial(complexity_loss, [_grown_on_noise()] * 300))


def selection_of_our_own():
    """Settings of an estimator that takes limits: one fit is longer than all the time there is."""
    from treelib.topdown.learn.selection import GridFamily, select_algorithm
    from treelib.topdown.learn.splitting_risk import Instance

    X, y = bits()
    family = GridFamily("sparse", treelib.OptimalSparseTreeClassifier(), {"regularization": [0.3, 0.0005]})

    return on_budget(lambda budget: select_algorithm(Instance(X, y), [family], budget=budget))


def selection(data=None):
    from treelib.topdown.learn.selection import SplitAndPruneFamily, select_algorithm
    from treelib.topdown.learn.splitting_risk import Instance

    X, y = data or reals()
    return on_budget(lambda budget: select_algorithm(Instance(X, y), [SplitAndPruneFamily()], budget=budget))


# limits that a search takes; all but those named take a time limit and a memory limit
SEARCHES = {
    "exact": (exact, "time memory"),
    "leaf limit": (leaf_limit, "time memory"),
    "regularization path": (path, "time memory"),
    "Rashomon set": (rashomon, "time memory"),
    "branch and bound": (branch_and_bound, "time memory cancel"),
    "BinOCT": (binoct, "time cancel"),
    "dyadic": (dyadic, "time memory"),
    "born-again": (bornagain, "time memory"),
    "Bayesian": (bayesian, "time memory"),
    "top-down tree": (topdown_tree, "time memory"),
    "top-down tree, regression": (topdown_regression, "time memory"),
    "top-down tree, own criterion": (topdown_own_criterion, "time memory"),
    "forest": (forest, "time memory"),
    "grid of criteria": (grid_of_criteria, "time cancel"),
    "exact risk": (exact_risk, "time memory cancel"),
    "joint exact risk": (joint_risk, "time memory cancel"),
    "pessimistic risk": (pessimistic_risk, "time memory cancel"),
    "complexity risk": (complexity_risk, "time memory cancel"),
    "selection": (selection, "time memory cancel"),
    "selection of our own": (selection_of_our_own, "time cancel"),
}
