"""Many criteria at once: `fit_grid`, the trees of a whole grid of parameters on all folds.

Trees of neighbouring parameters agree in most of their nodes. All criteria of a fold therefore walk through
one growing tree of nodes together, and part where their best splits differ: a node is sorted, counted and
divided once, however many trees it is in, and what remains to be done for each criterion is to choose among
the few candidates that `treelib.topdown.grid_kernels` leaves.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from treelib.budget import INTERRUPTED, OPTIMAL, Budget, Stopped, go_on, warn_stopped
from treelib.topdown import grid_kernels
from treelib.topdown.criteria import CUSTOM, evaluate, resolve
from treelib.topdown.learner import NO_LIMIT, Problem, check_range, sort_rows
from treelib.tree import Tree

_POINTS_AT_ONCE = 1 << 18


class GridResult(NamedTuple):
    """Trees of a grid.

    accuracy : float64 (n_criteria, n_folds), on the test rows of each fold; NaN for folds that were stopped
    train_accuracy : float64 (n_criteria, n_folds)
    n_leaves : intp (n_criteria, n_folds)
    trees : list over criteria of lists over folds of `Tree`, or None
    status : {"optimal", "time_limit", "interrupted"}, "optimal" when all folds are done

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from treelib.topdown.grid import fit_grid
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


def tsallis_grid(alphas, betas):
    """Criteria of all pairs, alpha by alpha: a list of ``len(alphas) * len(betas)`` `Criterion`.

    Examples
    --------
    >>> from treelib.topdown.grid import tsallis_grid
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
    """Trees of every criterion on every fold, as `TopDownTreeClassifier` grows them one by one.

    Parameters
    ----------
    X : array-like (n, n_features), NaN where missing
    y : array-like (n,), classes; a fold that lacks one still counts it, which only the criterion "gamma" sees
    criteria : sequence of what `treelib.topdown.criteria.resolve` takes: names, functions, `Criterion`
    folds : sequence of (train, test), row numbers or masks, as scikit-learn's splitters make them
    max_depth, max_splits, min_samples_split, min_samples_leaf, min_impurity_decrease :
        as in `TopDownTreeClassifier`, counts as whole numbers
    return_trees : bool
    n_jobs : int or None, folds at a time, on joblib: threads unless it is told otherwise. No result changes.
    time_limit, cancel : see `treelib.budget.Budget`; looked at between two nodes. Folds that are not done
        when they end the work, or when Ctrl-C does, are NaN in the result, 0 in ``n_leaves`` and None in
        ``trees``.
    verbose : bool, show on standard error how many folds are done

    Returns
    -------
    GridResult

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        When folds are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from treelib.topdown.grid import fit_grid, tsallis_grid
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    >>> criteria = tsallis_grid(np.linspace(0.2, 4, 20), range(1, 9))
    >>> fit_grid(X, y, criteria, folds=folds, max_depth=5).accuracy.shape
    (160, 5)
    """
    budget = Budget(time_limit, verbose=verbose, cancel=cancel)
    X = np.ascontiguousarray(X, dtype=np.float64)
    classes, y = np.unique(np.asarray(y), return_inverse=True)
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(f"X has shape {X.shape} and y {y.shape}; they must be (n, n_features) and (n,).")
    if np.isinf(X).any():
        raise ValueError("X holds infinity; give finite numbers, or NaN where a value is missing.")
    if classes.dtype.kind == "f" and np.isnan(classes).any():
        raise ValueError("y holds NaN; drop the rows whose class is unknown.")
    folds = [_row_numbers(fold, number, len(X)) for number, fold in enumerate(folds)]
    criteria = [resolve(criterion) for criterion in criteria]
    limits = _GridLimits(
        NO_LIMIT if max_depth is None else int(max_depth),
        None if max_splits is None else int(max_splits),
        max(2, int(min_samples_split)),
        max(1, int(min_samples_leaf)),
        float(min_impurity_decrease),
    )
    problem = Problem(X, y.astype(np.intp), len(classes))
    shape = len(criteria), len(folds)
    result = GridResult(np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, dtype=np.intp), [])
    trees = [[None] * len(criteria) for _ in folds]
    check = go_on if time_limit is None and cancel is None else budget.check
    status = OPTIMAL
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    tasks = (delayed(_fit_fold)(problem, criteria, limits, *fold, return_trees, check) for fold in folds)
    try:
        for fold, (stopped, scores, grown) in enumerate(parallel(tasks)):
            if stopped is not None:
                status = stopped
                continue
            for part, found in zip(result[:3], scores, strict=True):
                part[:, fold] = found
            trees[fold] = grown
            budget.show(f"{fold + 1} of {len(folds)} folds", last=fold + 1 == len(folds))
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status != OPTIMAL:
        n_done = np.count_nonzero(np.isfinite(result.train_accuracy[:1]))
        warn_stopped(f"The grid stopped after {n_done} of {len(folds)} folds ({status}); the others are NaN.")
    trees = [list(row) for row in zip(*trees, strict=True)] if return_trees else None
    return result._replace(trees=trees, status=status)


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


def _fit_fold(problem, criteria, limits, train, test, return_trees, check):
    """(None, scores, trees) of all criteria on one fold, or (status, None, None) where a limit was met."""
    try:
        check()
        walk = _Walk(problem, criteria, limits, train, test)
        walk.grow(check)
        grown = [walk.tree(c) for c in range(len(criteria))] if return_trees else []
    except Stopped as stopped:
        return stopped.status, None, None
    return None, walk.scores(), grown


class _GridLimits(NamedTuple):
    max_depth: int
    max_splits: int
    min_split: int
    min_leaf: int
    min_decrease: float


class _Node(NamedTuple):
    """A node of one or more trees.

    counts : intp (n_classes,). n_right : test rows of the class that the node predicts
    splits : list of (feature, threshold, missing_left, left node, right node)
    groups : list of (criteria, decreases), those that make each split; others have a leaf here
    """

    counts: np.ndarray
    n_right: int
    splits: list
    groups: list


class _Walk:
    """All trees of one fold."""

    def __init__(self, problem, criteria, limits, train, test):
        self.problem, self.criteria, self.limits, self.test = problem, criteria, limits, test
        n, c = len(train), problem.n_classes
        self.n = n
        self.ordered = sort_rows(problem, train)
        self.codes = np.array([criterion.code for criterion in criteria], dtype=np.intp)
        self.alphas = np.array([criterion.alpha for criterion in criteria], dtype=float)
        self.betas = np.array([criterion.beta for criterion in criteria], dtype=float)
        self.scales = np.array([criterion.scale for criterion in criteria])
        for criterion in criteria:
            check_range(criterion, n)
        self.tables = np.empty((len(criteria), n + 1))
        grid_kernels.fill_tables(self.codes, self.alphas, self.tables)
        own = self.codes == CUSTOM
        concave = np.array([criterion.is_concave(c) for criterion in criteria], dtype=bool)
        self.kinds = [kind for kind in (concave, ~concave & ~own, own) if kind.any()]
        self.concave = concave
        self.depth = limits.max_depth
        if limits.max_splits is not None:  # best-first trees are parts of the others
            self.depth = min(self.depth, limits.max_splits)
        self.has_missing = np.isnan(problem.X[train]).any(axis=0)
        self.has_missing_anywhere = np.isnan(problem.X).any(axis=0)
        self.goes_left = np.zeros(len(problem.X), dtype=np.uint8)
        room = max(_POINTS_AT_ONCE, 2 * n) + 1
        room = min(room, 2 * n * problem.X.shape[1] + 1)
        self.points = np.empty((room, c), dtype=np.int32)
        self.splits = np.empty((room, 4), dtype=np.int32)
        self.sides = np.empty((2, c))
        self.nodes, self.chosen = [], []

    def grow(self, check=go_on):
        """Every node that some tree has, if trees are grown depth-first. `check` may raise to end it."""
        # a last column of scratch, as the children have: arrays of one layout are one compiled kernel
        codes = np.pad(self.ordered.codes, ((0, 0), (0, 1)))[:, :-1]
        counts = np.empty(self.problem.n_classes, dtype=np.intp)
        grid_kernels.count_classes(codes[0], self.ordered.shift, counts)
        # criteria of one alpha side by side, since they share work; groups keep this order
        everyone = np.lexsort((self.alphas, self.codes))
        waiting = [(self._enter(counts, self.test), codes, self.test, everyone, 0)]
        if not self._may_split(counts, 0):
            return
        while waiting:
            check()
            node, codes, test, group, level = waiting.pop()
            for part, split, point, decreases in self._choices(codes, group, self.nodes[node].counts):
                waiting += self._split(node, codes, test, part, split, point, decreases, level)

    def _may_split(self, counts, level):
        n, limits = int(counts.sum()), self.limits
        is_large = n >= limits.min_split and n >= 2 * limits.min_leaf
        return is_large and level < self.depth and np.count_nonzero(counts) > 1

    def _enter(self, counts, test):
        """Number of a new node with these class counts and test rows."""
        n_right = np.count_nonzero(self.problem.y[test] == counts.argmax())
        self.nodes.append(_Node(counts, n_right, [], []))
        return len(self.nodes) - 1

    def _split(self, node, codes, test, group, split, point, decreases, level):
        """Split a node for the criteria of `group`; those of its two children that may be split further, as
        items of the list of nodes to do."""
        feature, position, missing_left = (int(item) for item in split[:3])
        shift, X = self.ordered.shift, self.problem.X
        here = self.nodes[node]
        counts = point.astype(np.intp), here.counts - point
        n_left, n_right = (int(part.sum()) for part in counts)
        low, high = (X[codes[feature, at] >> shift, feature] for at in (position - 1, position))
        threshold = low / 2 + high / 2
        if np.isnan(high):
            threshold = np.inf
        elif not low <= threshold < high:
            threshold = low
        if not self.has_missing[feature] or not np.isnan(X[codes[feature, -1] >> shift, feature]):
            missing_left = int(n_left > n_right)  # nothing known: missing values go with the most rows
        x = X[test, feature]
        goes_left = x <= threshold
        if missing_left and self.has_missing_anywhere[feature]:
            goes_left |= np.isnan(x)
        tests = test[goes_left], test[~goes_left]
        children = [self._enter(part, rows) for part, rows in zip(counts, tests, strict=True)]
        here.splits.append((feature, threshold, missing_left, *children))
        here.groups.append((group, decreases))
        may = [self._may_split(part, level + 1) for part in counts]
        if not any(may):
            return []
        parts = [np.empty((len(codes), m + 1), dtype=codes.dtype) for m in (n_left, n_right)]
        grid_kernels.take_sides(codes, shift, feature, position, missing_left, self.goes_left, *parts)
        return [
            (children[side], parts[side][:, :-1], tests[side], group, level + 1)
            for side in range(2)
            if may[side]
        ]

    def _choices(self, codes, group, counts):
        """(criteria, split, point, decreases) for each split that is the best of some criteria of `group`."""
        found = []
        for kind in self.kinds:
            members = group[kind[group]]
            if len(members) == 0:
                continue
            own = self.codes[members[0]] == CUSTOM
            reduce = bool(self.concave[members[0]])
            splits, points = self._candidates(codes, counts, reduce)
            if len(points) == 0:
                continue
            best, costs = (self._best_own if own else self._best)(members, points, counts)
            decreases = costs[:, 1] - costs[:, 0]
            if reduce:
                # without gain, all points on a segment tie: the first of all is taken, as by the learner
                flat = decreases < 1e-9 * np.abs(costs[:, 1])
                if flat.any():
                    found += self._made(members[flat], *self._every(codes, counts, members[flat]))
                members, best, costs = members[~flat], best[~flat], costs[~flat]
            found += self._made(members, best, costs, splits, points)
        return found

    def _every(self, codes, counts, members):
        """Best of all candidates, none left out: (best, costs, splits, points)."""
        splits, points = self._candidates(codes, counts, False)
        return *self._best(members, points, counts), splits, points

    def _made(self, members, best, costs, splits, points):
        """Criteria in groups of one split each, without those whose best split is not good enough."""
        decreases = costs[:, 1] - costs[:, 0]
        least = self.limits.min_decrease * self.n / self.scales[members]
        good = decreases >= least - 1e-12 * np.abs(costs[:, 1])
        members, best, decreases = members[good], best[good], decreases[good]
        made = []
        for choice in np.unique(best):
            same = best == choice
            made.append((members[same], splits[choice], points[choice], decreases[same]))
        return made

    def _best(self, members, points, counts):
        best, costs = np.empty(len(members), dtype=np.intp), np.empty((len(members), 2))
        shared = np.empty((11, len(points)))
        criteria = self.codes, self.alphas, self.betas, self.tables
        grid_kernels.best_points(members, *criteria, points, counts, self.sides, shared, best, costs)
        return best, costs

    def _best_own(self, members, points, counts):
        best, costs = np.empty(len(members), dtype=np.intp), np.empty((len(members), 2))
        everything = np.vstack([points, counts - points, counts[None]]).astype(float)
        weight = everything.sum(axis=1)
        for g, member in enumerate(members):
            each = weight * evaluate(self.criteria[member].function, everything / weight[:, None])
            split_costs = each[: len(points)] + each[len(points) : -1]
            best[g] = split_costs.argmin()
            costs[g] = split_costs[best[g]], each[-1]
        return best, costs

    def _candidates(self, codes, counts, reduce):
        """Splits that may be best, int32 (k, 4), and their points, int32 (k, n_classes), in order.

        `reduce`: only those that may be best for a concave criterion.
        """
        (n_features, m), taken = codes.shape, []
        step = max(1, (len(self.points) - 1) // (2 * m))
        for first in range(0, n_features, step):
            last = min(first + step, n_features)
            options = self.ordered.shift, self.limits.min_leaf, reduce and len(counts) > 2
            k = grid_kernels.list_points(codes, first, last, *options, self.points, self.splits)
            taken.append(self._kept(k, counts, reduce))
        if len(taken) == 1:
            return taken[0]
        return tuple(np.concatenate(part) for part in zip(*taken, strict=True))

    def _kept(self, k, counts, reduce):
        """Copies of the splits and points worth keeping of the first `k`."""
        keep = np.empty(k, dtype=np.uint8)
        if reduce and len(counts) == 2:
            n = counts[0] + 1
            lowest, highest = np.empty((2, n, 2), dtype=np.intp)
            chain = np.empty(n, dtype=np.intp)
            grid_kernels.mark_hull(self.points, k, counts, lowest, highest, chain, keep)
        else:
            slots = np.empty(1 << max(4, (2 * k).bit_length()), dtype=np.intp)
            grid_kernels.mark_distinct(self.points, k, counts, slots, keep)
        rows = np.flatnonzero(keep)
        return self.splits[rows], self.points[rows]

    # ---- what a criterion's tree is ------------------------------------------------------------------

    def scores(self):
        """Accuracy on test and training rows, and number of leaves, each float64 (n_criteria,)."""
        n_criteria = len(self.criteria)
        worth = np.array([(node.n_right, node.counts.max(), 1.0) for node in self.nodes])
        table = np.empty((3, n_criteria))
        if self.limits.max_splits is None:
            # all start with one leaf; each split takes back what its node gave, and adds its children
            splits = [(i, *split[3:]) for i, node in enumerate(self.nodes) for split in node.splits]
            groups = [group for node in self.nodes for group, _ in node.groups]
            node, left, right = np.array(splits, dtype=np.intp).reshape(-1, 3).T
            gains = worth[left] + worth[right] - worth[node]
            who = np.concatenate([*groups, np.empty(0, dtype=np.intp)])
            lengths = [len(group) for group in groups]
            for row in range(3):
                gained = np.bincount(who, np.repeat(gains[:, row], lengths), n_criteria)
                table[row] = worth[0, row] + gained
        else:
            for c in range(n_criteria):
                table[:, c] = worth[self._leaves_and_splits(c)[0]].sum(axis=0)
        return table[0] / max(1, len(self.test)), table[1] / self.n, table[2]

    def _leaves_and_splits(self, criterion):
        """Nodes that are leaves of a criterion's tree, and (node, split) of those that are split."""
        if not self.chosen:
            self.chosen = [
                {
                    c: (number, decrease)
                    for number, (group, decreases) in enumerate(node.groups)
                    for c, decrease in zip(group.tolist(), decreases.tolist(), strict=True)
                }
                for node in self.nodes
            ]
        best_first = self.limits.max_splits is not None
        most = self.limits.max_splits if best_first else NO_LIMIT
        leaves, made, waiting = [], [], []
        fresh = [0]
        n_nodes = 0
        while True:
            for node in fresh:
                choice = self.chosen[node].get(criterion)
                if choice is None:
                    leaves.append(node)
                else:  # of equal decreases the node made first
                    heappush(waiting, (-choice[1] if best_first else 0.0, n_nodes, node, choice[0]))
                n_nodes += 1
            if not waiting or len(made) >= most:
                break
            _, _, node, number = heappop(waiting)
            split = self.nodes[node].splits[number]
            made.append((node, split))
            fresh = split[3:]
        return leaves + [node for _, _, node, _ in waiting], made

    def tree(self, criterion):
        """`Tree` of one criterion."""
        leaves, made = self._leaves_and_splits(criterion)
        ids = {node: i for i, node in enumerate([node for node, _ in made] + leaves)}
        n_nodes, n_inner = len(ids), len(made)
        left, right = np.full((2, n_nodes), -1)
        feature, threshold = np.full(n_nodes, -2), np.full(n_nodes, -2.0)
        missing = np.zeros(n_nodes, dtype=np.intp)
        for i, (_, split) in enumerate(made):
            feature[i], threshold[i], missing[i] = split[:3]
            left[i], right[i] = ids[split[3]], ids[split[4]]
        assert n_nodes == 2 * n_inner + 1
        counts = np.array([self.nodes[node].counts for node in ids])
        return Tree(
            children_left=left,
            children_right=right,
            feature=feature,
            threshold=threshold,
            value=counts,
            n_features=self.problem.X.shape[1],
            n_node_samples=counts.sum(axis=1),
            missing_go_to_left=missing,
        )
