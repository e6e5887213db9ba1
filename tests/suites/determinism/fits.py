"""A fixed set of fits of every estimator and search, and the digest of what each gives.

``python tests/suites/determinism/fits.py`` prints one line a fit: kind, name, digest. Kind ``exact`` is of
counts and thresholds: they must be the same in every process, with every number of threads, and under every
supported version of Python, numpy, numba and scikit-learn. Those of kind ``numeric`` go through powers,
logarithms and sums, whose last digit belongs to the libraries: they are the same wherever the environment is.
"""

import hashlib
import json
import sys

import numpy as np

FITS = {}


def fit(kind):
    """Enter the decorated function of `n_jobs`, which gives text or trees, under its own name."""

    def register(function):
        FITS[function.__name__] = (kind, function)
        return function

    return register


def digest(name, n_jobs=None):
    """SHA-256 of what a fit gives, 16 hexadecimal digits."""
    found = FITS[name][1](n_jobs)
    texts = [part if isinstance(part, str) else part.to_json() for part in found]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def numbers(n, p, below, seed):
    """Whole numbers below `below`, int64 (n, p), from a generator of our own: numpy's may change."""
    state, out = seed, []
    for _ in range(n * p):
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        out.append((state >> 33) % below)
    return np.array(out, dtype=np.int64).reshape(n, p)


def binary(n=160, p=7, seed=1):
    """0/1 columns and labels with noise: (uint8 (n, p), int64 (n,))."""
    X = numbers(n, p, 2, seed)
    noise = numbers(n, 1, 8, seed + 1)[:, 0] == 0
    return X.astype(np.uint8), ((X[:, 0] & X[:, 1]) | (X[:, 2] & ~X[:, 3])) ^ noise


def numeric(n=150, p=4, seed=3):
    """Quarters of whole numbers and three classes with noise: (float64 (n, p), int64 (n,))."""
    X = numbers(n, p, 40, seed) / 4
    noise = numbers(n, 1, 6, seed + 1)[:, 0] == 0
    return X, np.where(noise, 2, (X[:, 0] > 4).astype(np.int64) + (X[:, 1] + X[:, 2] > 9))


def zero_one(y, n_classes):
    return (y[:, None] != np.arange(n_classes)).astype(float)


def columns_text(tree):
    """Text of a tree over 0/1 columns."""
    return json.dumps([np.asarray(part).tolist() for part in tree])


# ---- optimal sparse trees ----------------------------------------------------------------------------


@fit("exact")
def sparse_classifier(n_jobs):
    from treelib import OptimalSparseTreeClassifier

    X, y = numeric()
    for price, options in ((0.01, {}), (0.02, {"max_depth": 3}), (0.02, {"max_leaf_nodes": 5})):
        model = OptimalSparseTreeClassifier(price, max_thresholds=6, n_jobs=n_jobs, **options).fit(X, y)
        yield model.tree_


@fit("exact")
def sparse_path(n_jobs):
    from treelib.sparse.regularization_path import regularization_path

    X, y = binary()
    path = regularization_path(X, zero_one(y, 2), 0.005, n_jobs=n_jobs or 1)
    for solution in path.solutions:
        yield columns_text(solution.tree) + str(solution.regularization_low)


@fit("exact")
def sparse_rashomon_set(n_jobs):
    from treelib.sparse.rashomon import rashomon_set

    X, y = binary(p=5)
    found = rashomon_set(X, zero_one(y, 2), 0.02, epsilon=0.02)
    yield from sorted(columns_text(tree) for tree in found.trees)


@fit("exact")
def sparse_branch_and_bound(n_jobs):
    from treelib.sparse.paper.branch_and_bound import branch_and_bound

    X, y = binary(p=6)
    result = branch_and_bound(X, y, 0.02, warm_start=None)
    yield result.tree
    yield f"{result.n_evaluated} {result.n_evaluated_to_optimum}"


# ---- born-again trees ----------------------------------------------------------------------------


def trees_of_parts():
    """Five small trees, each of a part of the rows."""
    from treelib import TopDownTreeClassifier

    X, y = numeric()
    parts = [np.arange(len(y)) % 5 != k for k in range(5)]
    return [TopDownTreeClassifier("gini", max_depth=3).fit(X[part], y[part]).tree_ for part in parts]


@fit("exact")
def born_again(n_jobs):
    from treelib import BornAgainTreeClassifier

    forest = trees_of_parts()
    for objective in ("depth", "leaves", "depth-leaves"):
        yield BornAgainTreeClassifier(objective=objective, n_jobs=n_jobs).from_ensemble(forest).tree_


@fit("exact")
def born_again_heuristic(n_jobs):
    from treelib import BornAgainTreeClassifier

    model = BornAgainTreeClassifier(method="heuristic", random_state=0, n_jobs=n_jobs)
    yield model.from_ensemble(trees_of_parts()).tree_


# ---- dyadic trees ----------------------------------------------------------------------------


@fit("exact")
def dyadic_classifier(n_jobs):
    from treelib import DyadicTreeClassifier

    X, y = numeric(p=3)
    for price in ("auto", 0.02):
        yield DyadicTreeClassifier(price, max_splits=4).fit(X, y).tree_


@fit("exact")
def dyadic_path(n_jobs):
    from treelib.dyadic.sweep.all_prices import sweep_path

    codes = np.unique(numbers(90, 2, 16, 5), axis=0)
    losses = numbers(len(codes), 2, 4, 6)
    losses -= losses.min(axis=1, keepdims=True)
    found = sweep_path(codes, losses.astype(float), np.array([4, 4]))
    yield str([(vertex.n_leaves, float(vertex.loss)) for vertex in found.vertices]) + str(found.breaks)


# ---- top-down trees ----------------------------------------------------------------------------


@fit("exact")
def topdown_gini(n_jobs):
    from treelib import TopDownTreeClassifier

    X, y = numeric()
    yield TopDownTreeClassifier("gini").fit(X, y).tree_
    yield TopDownTreeClassifier("gini", max_leaf_nodes=10).fit(X, y).tree_


@fit("exact")
def topdown_pruning(n_jobs):
    from treelib import TopDownTreeClassifier
    from treelib.topdown.prune import methods

    X, y = numeric()
    path = methods.cost_complexity_path(TopDownTreeClassifier("gini").fit(X, y).tree_)
    yield str(path.breakpoints)
    yield from (path[k] for k in range(len(path)))


@fit("numeric")
def topdown_criteria(n_jobs):
    from treelib import TopDownTreeClassifier

    X, y = numeric()
    for criterion in ("entropy", "km"):
        yield TopDownTreeClassifier(criterion, max_depth=6).fit(X, y).tree_
    for alpha, beta in ((0.5, 1), (1.3, 3), (2.0, 8)):
        yield TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=6).fit(X, y).tree_


@fit("numeric")
def topdown_regressor(n_jobs):
    from treelib import TopDownTreeRegressor

    X, y = numeric()
    yield TopDownTreeRegressor(max_depth=5).fit(X, X[:, 0] * y + y).tree_


@fit("numeric")
def topdown_grid(n_jobs):
    from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

    X, y = numeric()
    rows = np.arange(len(y))
    folds = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]
    criteria = tsallis_grid([0.5, 1.0, 2.5], [1, 2, 5])
    found = fit_grid(X, y, criteria, folds=folds, max_depth=5, return_trees=True, n_jobs=n_jobs)
    yield from (tree for row in found.trees for tree in row)
    yield str(found.accuracy.tolist())


@fit("numeric")
def topdown_exact_risk(n_jobs):
    from treelib.topdown.learn.splitting_risk import Instance, exact_loss

    X, y = numeric(n=60, p=3)
    loss = exact_loss(Instance(X[:40], y[:40], X[40:], y[40:]), max_depth=3).loss
    yield str([np.asarray(loss.breakpoints).tolist(), np.asarray(loss.values).tolist()])


@fit("exact")
def topdown_forest(n_jobs):
    from treelib import TopDownForestClassifier

    X, y = numeric()
    model = TopDownForestClassifier("gini", n_estimators=8, random_state=0, n_jobs=n_jobs, oob_score=True)
    yield from model.fit(X, y).trees_
    yield str(model.oob_score_) + str(model.predict_proba(X).tolist())


@fit("numeric")
def topdown_forest_regressor(n_jobs):
    from treelib import TopDownForestRegressor

    X, y = numeric()
    model = TopDownForestRegressor(n_estimators=8, random_state=0, n_jobs=n_jobs).fit(X, X[:, 0] * y)
    yield from model.trees_
    yield str(model.predict(X).tolist())


@fit("numeric")
def bayesian(n_jobs):
    from treelib import BayesianTreeClassifier

    X, y = numeric()
    model = BayesianTreeClassifier(n_iter=2000, n_chains=3, random_state=0, n_jobs=n_jobs).fit(X, y)
    yield model.tree_
    yield str(np.asarray(model.log_posterior_).tolist()) + str(model.predict_proba(X[:20]).tolist())


@fit("numeric")
def compressed(n_jobs):
    from sklearn.ensemble import AdaBoostClassifier

    from treelib import compress

    X, y = numeric()
    found = compress(AdaBoostClassifier(n_estimators=12, random_state=0).fit(X, y), X)
    yield str(found.kept.tolist()) + str([table.tolist() for table in found.ensemble.scores])


# ---- tuning ------------------------------------------------------------------------------------------


@fit("numeric")
def tuned(n_jobs):
    from treelib import tune

    X, y = numeric()
    found = tune(X, y, max_depth=3)
    yield found.tree
    yield str([family.losses.tolist() for family in found.fitted.families])


if __name__ == "__main__":
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else None
    for name, (kind, _) in FITS.items():
        print(kind, name, digest(name, jobs), flush=True)
