"""Compiling ahead: small fits of every estimator, in processes of their own, leave kernels in the cache.

For containers and shared machines: what is compiled once, under the account and on the kind of processor that
will use it, no later process compiles again. ``python -m treelib.owndata.warm NAME`` makes the fits of one
name.
"""

import os
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
from sklearn.base import clone

import treelib


def _tables(n_classes=2):
    """(X, y) twice: a small array; and a larger one that may not be written to, like those of a data frame or
    a mapped file, which numba compiles apart."""
    for n_samples, n_features in ((300, 3), (1000, 30)):
        rng = np.random.default_rng(0)
        X = rng.random((n_samples, n_features))
        sums = X[:, :3].sum(axis=1) + rng.normal(0, 0.1, n_samples)
        y = np.digitize(sums, [1.5] if n_classes == 2 else [1.2, 1.8])
        X.setflags(write=n_features == 3)
        yield X, y


def _fit(estimator, *tables):
    """Fit the estimator to each table, and predict."""
    for X, y in tables:
        estimator.fit(X, y).predict(X)


def optimal():
    """Two classes, numbers as they are: with a price, with a limit of leaves, of depth, of much depth."""
    for parameters in ({"regularization": 0.02}, {"max_leaf_nodes": 4}, {"max_depth": 2}, {"max_depth": 4}):
        _fit(treelib.OptimalSparseTreeClassifier(**parameters, time_limit=2), *_tables())


def optimal_of_three_classes():
    """Three classes, numbers as they are."""
    _fit(treelib.OptimalSparseTreeClassifier(0.02, time_limit=2), *_tables(n_classes=3))


def optimal_of_many_rows():
    """Sums of weights beyond 16 bits, for two classes."""
    rng = np.random.default_rng(0)
    X = rng.random((40_000, 2))
    y = (X[:, 0] + 0.3 * X[:, 1] > 0.6).astype(int)
    _fit(treelib.OptimalSparseTreeClassifier(0.05, time_limit=2), (X, y))


def optimal_of_weighted_rows():
    """Weights that are no whole numbers, for two classes."""
    X, y = next(_tables())
    weights = np.random.default_rng(0).random(len(y))
    treelib.OptimalSparseTreeClassifier(0.05, max_depth=2).fit(X, y, sample_weight=weights)


def optimal_of_columns():
    """Columns of 0 and 1: the tree, its path, the trees near it, and a tree that keeps to constraints."""
    small, large = _tables()
    model = treelib.OptimalSparseTreeClassifier(0.02, max_thresholds=4, time_limit=2)
    _fit(model, large, small)
    model.regularization_path(*small, min_regularization=0.02)
    model.rashomon_set(*small)
    bound = {"monotonic_cst": [-1, 0, 0], "required_features": [1], "max_depth": 2}
    _fit(treelib.OptimalSparseTreeClassifier(0.02, max_thresholds=4, time_limit=2, **bound), small)


def optimal_with_constraints():
    """Numbers as they are: a tree that keeps to constraints, and the trees near the optimal one."""
    small, _ = _tables()
    for constraint in ({"monotonic_cst": [1, 0, 0]}, {"min_samples_leaf": 5}):
        _fit(treelib.OptimalSparseTreeClassifier(0.05, max_depth=2, time_limit=2, **constraint), small)
    treelib.OptimalSparseTreeClassifier(0.1, max_depth=2, time_limit=2).rashomon_set(*small)


def dyadic():
    """Dyadic trees."""
    _fit(treelib.DyadicTreeClassifier(time_limit=2), *_tables())


def topdown():
    """Trees grown from the root: classes and numbers."""
    _fit(treelib.TopDownTreeClassifier(), *_tables(n_classes=3))
    _fit(treelib.TopDownTreeRegressor(), *((X, X[:, 0]) for X, _ in _tables()))


def topdown_by_absolute_error():
    """Trees of numbers grown by the absolute error."""
    _fit(treelib.TopDownTreeRegressor("absolute_error"), *((X, X[:, 0]) for X, _ in _tables()))


def topdown_with_categories():
    """Trees grown from the root whose tests are subsets of categories."""
    from pandas import DataFrame

    X, y = next(_tables(n_classes=3))
    table = DataFrame({"number": X[:, 0], "kind": (10 * X[:, 1]).astype(int).astype(str)})
    _fit(treelib.TopDownTreeClassifier(category_tests="subsets"), (table, y))


def forest():
    """Forests: classes and numbers."""
    _fit(treelib.TopDownForestClassifier(n_estimators=3, n_jobs=1), *_tables(), *_tables(n_classes=3))
    _fit(treelib.TopDownForestRegressor(n_estimators=3, n_jobs=1), *((X, X[:, 0]) for X, _ in _tables()))


def bornagain():
    """Born-again trees of small forests: by each objective, and of forests that average."""
    from sklearn.ensemble import RandomForestClassifier

    ensemble = RandomForestClassifier(5, max_depth=2, random_state=0)
    model = treelib.BornAgainTreeClassifier(ensemble, time_limit=2)
    _fit(model, *_tables())
    for parameters in ({"objective": "leaves"}, {"objective": "depth-leaves"}, {"voting": "soft"}):
        _fit(clone(model).set_params(**parameters), *_tables())


def compressed():
    """The fewest trees of a boosted model that decide alike."""
    from sklearn.ensemble import GradientBoostingClassifier

    from treelib.bornagain import compress

    X, y = next(_tables())
    compress(GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=0).fit(X, y))


def bayesian():
    """A Bayesian tree."""
    _fit(treelib.BayesianTreeClassifier(n_iter=200), *_tables())


FITS = {
    fit.__name__.replace("_", "-"): fit
    for fit in (
        optimal,
        optimal_of_columns,
        optimal_of_three_classes,
        optimal_of_many_rows,
        optimal_of_weighted_rows,
        optimal_with_constraints,
        dyadic,
        bornagain,
        compressed,
        bayesian,
        forest,
        topdown,
        topdown_by_absolute_error,
        topdown_with_categories,
    )
}


def warm(names=(), jobs=1, say=print):
    """Make the fits of `names` (all, if there are none) in processes, `jobs` at a time.

    Parameters
    ----------
    names : iterable of names of `FITS`
    jobs : int, processes at a time
    say : callable of a line of text, called after each fit

    Returns
    -------
    int : how many failed; the last line of its error is said.

    Raises
    ------
    ValueError : a name that is none, or `jobs` below 1.
    """
    chosen = list(names) or list(FITS)
    unknown = [name for name in chosen if name not in FITS]
    if unknown:
        raise ValueError(f"there is no {', '.join(unknown)} to compile; there are: {', '.join(FITS)}.")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; give 1 or more.")
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(_fit_in_a_process, name): name for name in chosen}
        for number, done in enumerate(as_completed(running), 1):
            seconds, error = done.result()
            failed += bool(error)
            outcome = f"failed: {error}" if error else f"{seconds:.1f} s"
            say(f"[{number}/{len(chosen)}] {running[done]}: {outcome}")
    return failed


def _fit_in_a_process(name):
    """Seconds, and the last line of the error or ""."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "treelib.owndata.warm", name]
    # not the kernels that a wheel brought for many processors
    variables = {**os.environ, "TREELIB_OWN_KERNELS": "1"}
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    lines = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
    return time.perf_counter() - began, lines[-1] if ended.returncode else ""


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    FITS[sys.argv[1]]()
