"""Many criteria at once: `fit_grid`, the trees of a whole grid of parameters on all folds.

The trees of a fold share their work (`treelib.topdown.grid.walk`); folds are independent.
"""

from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, Stopped, warn_stopped
from treelib.table.checks import odd_numbers
from treelib.topdown.criteria import resolve
from treelib.topdown.grid.walk import GridLimits, Walk
from treelib.topdown.grow.learner import NO_LIMIT, Problem


class GridResult(NamedTuple):
    """Result of `fit_grid`.

    Attributes
    ----------
    accuracy : float64 (n_criteria, n_folds)
        Accuracy on the test samples of each fold; NaN for unfinished folds.
    train_accuracy : float64 (n_criteria, n_folds)
    n_leaves : intp (n_criteria, n_folds)
    trees : list over criteria of lists over folds of `Tree`, or None
    status : {"optimal", "time_limit", "interrupted"}, "optimal" if all folds are finished
    other_accuracy : as `accuracy`
        Accuracy on the samples `other` of each fold; None if none were given.
    smaller_accuracy : list of arrays like `accuracy`, one for each of the limits `smaller`

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from treelib.topdown.grid.fit_grid import fit_grid
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    >>> result = fit_grid(X, y, ["gini", "entropy"], folds=list(folds), max_depth=2)
    >>> result.accuracy.mean(axis=1).round(3), result.n_leaves.shape
    (array([0.927, 0.927]), (2, 5))
    """

    accuracy: np.ndarray
    train_accuracy: np.ndarray
    n_leaves: np.ndarray
    trees: list
    status: str = OPTIMAL
    other_accuracy: np.ndarray = None
    smaller_accuracy: list = ()


def tsallis_grid(alphas, betas):
    """Criteria for all pairs, grouped by alpha.

    Parameters
    ----------
    alphas, betas : iterable of float
        The values.

    Returns
    -------
    list of Criterion
        ``len(alphas) * len(betas)`` of them.

    Examples
    --------
    >>> from treelib.topdown.grid.fit_grid import tsallis_grid
    >>> [(one.alpha, one.beta) for one in tsallis_grid([0.5, 2.0], [1, 4])]
    [(0.5, 1.0), (0.5, 4.0), (2.0, 1.0), (2.0, 4.0)]
    """
    return [resolve("tsallis", alpha=alpha, beta=beta) for alpha in alphas for beta in betas]


def fit_grid(
    X,
    y,
    criteria,
    *,
    folds,
    other=None,
    smaller=(),
    max_depth=None,
    max_splits=None,
    min_samples_split=2,
    min_samples_leaf=1,
    min_impurity_decrease=0.0,
    return_trees=False,
    n_jobs=None,
    time_limit=None,
    cancel=None,
    verbose=False,
):
    """Trees for every criterion on every fold, as `TopDownTreeClassifier` would grow them one by one.

    Ties between splits may be broken differently from the estimator, which takes the lowest threshold: the
    grid considers only vertices of the convex hull of the left-hand counts.

    Parameters
    ----------
    X : array-like (n, n_features)
        NaN means missing.
    y : array-like (n,)
        Classes. All of them count in every fold, even in folds that lack one; only the criterion "gamma"
        depends on this.
    criteria : sequence
        Anything that `treelib.topdown.criteria.resolve` accepts: names, functions, `Criterion`.
    folds : sequence of (train, test)
        Indices or masks, as produced by scikit-learn's splitters.
    other : sequence or None
        Indices or masks, one per fold: additional samples on which its trees are evaluated.
    smaller : sequence of dict with one of ``max_depth`` and ``max_splits``
        Smaller limits, whose trees are subtrees of those grown (depth-first only): they are evaluated too,
        without growing again.
    max_depth, max_splits, min_samples_split, min_samples_leaf, min_impurity_decrease
        As in `TopDownTreeClassifier`, but counts must be whole numbers.
    return_trees : bool
        Keep the trees in the result.
    n_jobs : int or None
        Number of folds in parallel, with joblib: threads by default. It does not affect the result.
    time_limit, cancel
        See `treelib.search.budget.Budget`; checked between nodes. Folds unfinished at a limit or Ctrl-C are
        NaN in the result, 0 in ``n_leaves`` and None in ``trees``.
    verbose : bool
        Show the number of finished folds on standard error.

    Returns
    -------
    GridResult
        Accuracies and trees.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If folds are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    >>> criteria = tsallis_grid(np.linspace(0.2, 4, 20), range(1, 9))
    >>> fit_grid(X, y, criteria, folds=folds, max_depth=5).accuracy.shape
    (160, 5)
    """
    budget = Budget(time_limit, verbose=verbose, cancel=cancel)
    problem = _problem(X, y, budget)
    folds = [_row_numbers(fold, number, len(problem.X)) for number, fold in enumerate(folds)]
    measured = [[test] for _, test in folds]
    if smaller and max_splits is not None:
        raise ValueError("smaller trees are parts of trees that are grown depth-first: give no max_splits.")
    if other is not None:
        pairs = zip(folds, other, strict=True)
        others = [
            _row_numbers((train, rows), i, len(problem.X))[1] for i, ((train, _), rows) in enumerate(pairs)
        ]
        measured = [[*tests, rows] for tests, rows in zip(measured, others, strict=True)]
    criteria = [resolve(criterion) for criterion in criteria]
    limits = GridLimits(
        NO_LIMIT if max_depth is None else int(max_depth),
        None if max_splits is None else int(max_splits),
        max(2, int(min_samples_split)),
        max(1, int(min_samples_leaf)),
        float(min_impurity_decrease),
    )
    parts = [(limits.max_depth, limits.max_splits), *map(_smaller_limits, smaller)]
    tasks = (
        delayed(_fit_fold)(problem, criteria, limits, train, tests, parts, return_trees, budget)
        for (train, _), tests in zip(folds, measured, strict=True)
    )
    shape = len(criteria), len(folds)
    result = GridResult(np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, dtype=np.intp), [])
    if other is not None:
        result = result._replace(other_accuracy=np.full(shape, np.nan))
    result = result._replace(smaller_accuracy=[np.full(shape, np.nan) for _ in smaller])
    trees = [[None] * len(criteria) for _ in folds]
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    status = _run(parallel, tasks, result, trees, budget)
    if status != OPTIMAL:
        n_done = np.count_nonzero(np.isfinite(result.train_accuracy[:1]))
        warn_stopped(f"The grid stopped after {n_done} of {len(folds)} folds ({status}); the others are NaN.")
    trees = [list(row) for row in zip(*trees, strict=True)] if return_trees else None
    return result._replace(trees=trees, status=status)


def _smaller_limits(limits):
    """(max_depth, max_splits) of an entry of `smaller`, one of them None, or ValueError."""
    depth, splits = (limits.get(name) for name in ("max_depth", "max_splits"))
    if set(limits) - {"max_depth", "max_splits"} or None not in (depth, splits):
        raise ValueError(f"smaller holds {limits}; give one of max_depth and max_splits.")
    return depth, splits


def _problem(X, y, budget):
    """`Problem` of all rows, or ValueError. A limit that stops the look at them stops the budget."""
    X = np.asarray(X)
    X = X if X.dtype.kind in "biuf" else X.astype(np.float64)
    classes, y = np.unique(np.asarray(y), return_inverse=True)
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(f"X has shape {X.shape} and y {y.shape}; they must be (n, n_features) and (n,).")
    X = np.ascontiguousarray(X, dtype=np.float64)
    if odd_numbers(X) == "infinity":
        raise ValueError("X holds infinity; give finite numbers, or NaN where a value is missing.")
    if classes.dtype.kind == "f" and np.isnan(classes).any():
        raise ValueError("y holds NaN; drop the rows whose class is unknown.")
    return Problem(X, y.astype(np.intp), len(classes))


def _row_numbers(fold, number, n_rows):
    """Training and test rows of a fold as two intp arrays."""
    parts = [np.asarray(part) for part in fold]
    if len(parts) != 2:
        raise ValueError(f"Fold {number} has {len(parts)} parts; it must have two, training and test rows.")
    rows = np.arange(n_rows)
    try:
        train, test = (rows[part] for part in parts if part.dtype.kind in "biu" and part.ndim == 1)
    except (IndexError, ValueError):
        train = test = rows[:0]
    if not len(train) or not len(test):
        raise ValueError(
            f"Fold {number} must hold training and test rows, at least one of each, as numbers "
            f"below {n_rows} or as masks of {n_rows} rows."
        )
    return train, test


def _run(parallel, tasks, result, trees, budget):
    """Do the tasks, one a fold, and write what they find into `result` and `trees`; returns the status."""
    status, n_folds = OPTIMAL, len(trees)
    try:
        for fold, (stopped, scores, grown) in enumerate(parallel(tasks)):
            if stopped is not None:
                status = stopped
                continue
            elsewhere = [] if result.other_accuracy is None else [result.other_accuracy]
            for part, found in zip((result.accuracy, *elsewhere, *result[1:3]), scores[0], strict=True):
                part[:, fold] = found
            for part, found in zip(result.smaller_accuracy, scores[1:], strict=True):
                part[:, fold] = found[0]
            trees[fold] = grown
            budget.show(f"{fold + 1} of {n_folds} folds", last=fold + 1 == n_folds)
    except KeyboardInterrupt:
        status = INTERRUPTED
    return status


def _fit_fold(problem, criteria, limits, train, tests, parts, return_trees, budget):
    """(None, scores, trees) of all criteria on one fold, or (status, None, None) where a limit was met."""
    try:
        budget.check()
        walk = Walk(problem, criteria, limits, train, tests, budget)
        walk.grow()
        grown = [walk.tree(c) for c in range(len(criteria))] if return_trees else []
        return None, walk.scores(parts), grown
    except Stopped as stopped:
        return stopped.status, None, None
