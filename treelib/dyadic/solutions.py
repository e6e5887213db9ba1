"""`solution_path`: all distinct optimal dyadic trees of a training set, in order."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from treelib.dyadic.sweep.all_prices import sweep_path
from treelib.dyadic.sweep.greedy_vertex import bytes_of, greedy_vertex, is_cheap
from treelib.dyadic.sweep.vertex_tree import NODE_FEATURE, NODE_INTERVAL, NODE_LABEL, NODE_LEVEL, NODE_RIGHT
from treelib.dyadic.training import GridSettings, prepare
from treelib.search.budget import OPTIMAL, Budget
from treelib.table.checks import as_printed, check_price, check_price_of_path


class TreeSource(NamedTuple):
    """What it takes to make a `treelib.Tree` of the nodes that a search found.

    grid : DyadicGrid. X : float64 (n, d), y_codes : intp (n,) and weights : float64 (n,) or None, the
    training rows. n_classes : int. feature_names, class_names : tuple of str or None. keep_labels : bool:
    with losses other than plain errors the labels that the search found are kept; else a node predicts its
    most frequent class, which loses as little.
    """

    grid: object
    X: np.ndarray
    y_codes: np.ndarray
    weights: np.ndarray
    n_classes: int
    feature_names: tuple = None
    class_names: tuple = None
    keep_labels: bool = False

    def tree(self, nodes):
        """`Tree` of int64 `nodes` as `treelib.dyadic.sweep.vertex_tree` writes them, counted on the rows."""
        from treelib.tree.stored import Tree

        n_nodes = len(nodes)
        feature = nodes[:, NODE_FEATURE]
        is_split = feature >= 0
        threshold = np.full(n_nodes, -2.0)
        for column in np.unique(feature[is_split]):
            at = feature == column
            threshold[at] = [
                self.grid.threshold(column, level, interval)
                for level, interval in nodes[at][:, [NODE_LEVEL, NODE_INTERVAL]].tolist()
            ]
        tree = Tree(
            children_left=np.where(is_split, np.arange(n_nodes) + 1, -1),
            children_right=np.where(is_split, nodes[:, NODE_RIGHT], -1),
            feature=np.where(is_split, feature, -2),
            threshold=threshold,
            value=np.zeros((n_nodes, self.n_classes)),
            label=nodes[:, NODE_LABEL],
            n_features=self.X.shape[1],
            feature_names=self.feature_names,
            class_names=self.class_names,
        )
        if n_nodes > 1:
            tree = tree.recount(self.X, self.y_codes, self.weights)
        else:  # reads no column, as there may be no table where a limit left no room for it
            value = np.bincount(self.y_codes, self.weights, self.n_classes).astype(np.float64)
            tree = tree.replace(value=value[None], n_node_samples=[len(self.y_codes)])
        return tree if self.keep_labels else tree.replace(label=occupied_value(tree).argmax(axis=1))


def occupied_value(tree):
    """``tree.value``, where a node without rows has the value of the closest node above it with rows."""
    value = tree.value.copy()
    for node in np.flatnonzero(~value.any(axis=1)):  # preorder: parents come first
        value[node] = value[tree.parent[node]]
    return value


@dataclass(frozen=True, eq=False)
class Solution:
    """An element of the solution value sequence (Definition 3), with one of its trees.

    Attributes
    ----------
    n_leaves : int
        Number of leaves, including those without samples unless these are free.
    error : float
        Loss / total weight: with unit costs the fraction of misclassified training samples.
    lambda_low, lambda_high : Fraction, or float if losses are not whole numbers
        The tree is the solution for every lambda above `lambda_low` up to and including `lambda_high` (Lemma
        3). The first solution extends to infinity; the paper stops at its error, beyond which nothing
        changes.
    tree : Tree in the units of the features
        Built on first access.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import dyadic
    >>> solution = dyadic.solution_path(*load_iris(return_X_y=True), max_splits=3).solutions[2]
    >>> solution
    Solution(n_leaves=3, error=0.146667, lambda in (4/75, 14/75])
    >>> solution.risk(0.1)
    0.4466666666666667
    >>> solution.tree.n_leaves
    3
    """

    n_leaves: int
    error: float
    lambda_low: Fraction
    lambda_high: Fraction
    nodes: np.ndarray
    source: TreeSource

    @cached_property
    def tree(self):
        """The tree in the units of the features, built on first access."""
        return self.source.tree(self.nodes)

    def risk(self, regularization):
        """Error + regularization * leaves.

        Parameters
        ----------
        regularization : float or Fraction
            Leaf penalty.

        Returns
        -------
        float
            The objective.
        """
        return self.error + float(regularization) * self.n_leaves

    def __getstate__(self):
        # a copy that travels holds its tree instead of the training rows
        return {**self.__dict__, "tree": self.tree, "nodes": None, "source": None}

    def __repr__(self):
        low, high = self.lambda_low, self.lambda_high
        return f"Solution(n_leaves={self.n_leaves}, error={self.error:.6g}, lambda in ({low}, {high}])"


@dataclass(frozen=True, eq=False)
class SolutionPath:
    """All distinct solutions from the single leaf to the largest tree; iterable.

    Attributes
    ----------
    solutions : tuple of Solution
    status : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    proved : Fraction or float
        Lambda down to which the solutions are complete; equal to `min_regularization` if `status` is
        "optimal". 0 means all.
    grid : DyadicGrid
    n_surrogates : int
        Number of rows of the compressed training set.
    offset : float
        Error common to all trees of the grid.
    stats : dict
        Counters of the search, see `treelib.dyadic.sweep.all_prices.SweepResult`.
    trace : dict of equally long arrays
        ``seconds``, ``objective`` and ``lower_bound`` at `min_regularization`, and ``nodes`` (rectangles
        examined), after each pass over the rectangles.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import dyadic
    >>> path = dyadic.solution_path(*load_iris(return_X_y=True), max_splits=3)
    >>> len(path), path.is_optimal
    (7, True)
    >>> path.at(0.1)
    Solution(n_leaves=3, error=0.146667, lambda in (4/75, 14/75])
    """

    solutions: tuple
    status: str
    proved: Fraction
    grid: object
    n_surrogates: int
    offset: float
    stats: dict
    trace: dict

    def __iter__(self):
        return iter(self.solutions)

    def __len__(self):
        return len(self.solutions)

    def __getitem__(self, index):
        return self.solutions[index]

    @property
    def is_optimal(self):
        return self.status == OPTIMAL

    def at(self, regularization):
        """The solution for a regularization; the larger tree where two tie (Definition 2).

        Parameters
        ----------
        regularization : float or Fraction
            A float is taken as the decimal that it prints as.

        Returns
        -------
        Solution
            Below `proved` the best known solution, whose tree may be greedy.
        """
        price = as_printed(check_price_of_path("regularization", regularization))
        kept = [s for s in self.solutions if as_printed(s.lambda_high) >= price]
        return kept[-1]

    def lower_bound(self, regularization):
        """Proven lower bound on error + regularization * leaves over all trees of the grid.

        The optimum is a concave function of the regularization, so below `proved` it lies above the line from
        the common error of all trees at 0 to its value at `proved`.

        Parameters
        ----------
        regularization : float or Fraction
            As in `at`.

        Returns
        -------
        float
            The bound; equal to the optimum from `proved` upwards.
        """
        price = as_printed(check_price_of_path("regularization", regularization))
        proved = as_printed(self.proved)
        if price >= proved:
            return self.at(price).risk(price)
        return self.offset + float(price / proved) * (self.at(proved).risk(proved) - self.offset)


def solution_path(
    X,
    y,
    *,
    sample_weight=None,
    cost_matrix=None,
    max_splits="auto",
    split_rule="coordinate",
    box=None,
    widen=0.0,
    closed="right",
    keep_zero=False,
    max_rectangles=None,
    free_empty_leaves=False,
    min_regularization=0,
    staged=True,
    time_limit=None,
    memory_limit=None,
    node_limit=None,
    cancel=None,
    verbose=False,
):
    """All distinct solutions of min error + lambda * leaves over dyadic trees.

    One pass over the rectangles finds them.

    Parameters
    ----------
    X : array-like (n, d) of numbers
        NaN counts as larger than every number.
    y : array-like (n,)
        Classes.
    sample_weight : array-like (n,) or None
        Non-negative sample weights. None: all samples have weight 1.
    cost_matrix : array-like (K, K) or None
        Entry (c, k) is the cost of predicting class k for a sample of class c. None: every error costs 1.
    max_splits, split_rule, box, widen, closed, keep_zero, max_rectangles
        See `treelib.dyadic.training.GridSettings`.
    free_empty_leaves : bool
        Leaves without samples incur no penalty and are left out of the trees; neighbouring leaves take over
        the empty regions. The paper counts them.
    min_regularization : number or Fraction
        Lowest lambda; a float is taken as the decimal that it prints as.
    staged : bool
        Make preliminary passes at higher lambda, which give solutions and bounds if a limit stops the last
        one.
    time_limit, memory_limit, node_limit, cancel, verbose
        See `treelib.search.budget.Budget`.

    Returns
    -------
    SolutionPath
        The solutions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import dyadic
    >>> for solution in dyadic.solution_path(*load_iris(return_X_y=True), max_splits=3):
    ...     print(solution)
    Solution(n_leaves=1, error=0.666667, lambda in (1/3, inf])
    Solution(n_leaves=2, error=0.333333, lambda in (14/75, 1/3])
    Solution(n_leaves=3, error=0.146667, lambda in (4/75, 14/75])
    Solution(n_leaves=5, error=0.04, lambda in (1/150, 4/75])
    Solution(n_leaves=7, error=0.0266667, lambda in (1/300, 1/150])
    Solution(n_leaves=9, error=0.02, lambda in (1/450, 1/300])
    Solution(n_leaves=15, error=0.00666667, lambda in (0, 1/450])
    """
    check_price("min_regularization", min_regularization)
    budget = Budget(time_limit, memory_limit, node_limit, verbose, cancel)
    names = tuple(map(str, X.columns)) if hasattr(X, "columns") else None
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or len(X) == 0 or len(X) != len(y):
        raise ValueError(f"X has shape {X.shape} and y {len(y)} entries; give (n, d) and n, with rows.")
    classes, y_codes = np.unique(np.asarray(y), return_inverse=True)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    settings = GridSettings(max_splits, split_rule, box, widen, closed, keep_zero, max_rectangles)
    names = names, tuple(map(str, classes))
    rows = prepare_rows(X, y_codes, weights, cost_matrix, settings, budget, *names)
    return find_path(*rows, min_regularization, free_empty=free_empty_leaves, staged=staged, budget=budget)


def prepare_rows(X, y_codes, weights, cost_matrix, settings, budget, feature_names, class_names):
    """`Training` of rows, as of `prepare`, and the `TreeSource` that makes their trees."""
    n_classes = len(class_names)
    training = prepare(
        X, y_codes, n_classes, weights=weights, cost_matrix=cost_matrix, settings=settings, budget=budget
    )
    keep = cost_matrix is not None
    names = feature_names, class_names
    return training, TreeSource(training.grid, X, y_codes, weights, n_classes, *names, keep_labels=keep)


def find_path(training, source, low, *, free_empty=False, staged=True, budget=None):
    """`SolutionPath` of a `Training` down to lambda `low`; `source` makes its trees."""
    budget = Budget() if budget is None else budget
    total = training.total
    codes, n_splits = training.codes, training.grid.n_splits
    if training.stopped is not None:  # there are no splits, so one feature stands for all, however many
        codes, n_splits = codes[:, :1], np.zeros(1, dtype=np.int64)
    found = sweep_path(
        codes,
        training.losses,
        n_splits,
        low=as_printed(low) * total,
        free_empty=free_empty,
        staged=staged,
        budget=budget if training.stopped is None else Budget(),
        offset=training.offset,
        total=total,
    )

    def in_units(value):
        return value / total if training.is_exact else float(value / total)

    proved = in_units(found.proved)
    vertices, breaks, lowest = found.vertices, found.breaks, proved
    greedy = _better_greedy(training, found, as_printed(low) * total, free_empty, budget)
    if greedy is not None:
        last = vertices[-1]
        slope = (last.loss - greedy.loss) / (greedy.n_leaves - last.n_leaves)
        vertices, breaks, lowest = (*vertices, greedy), (*breaks, slope), as_printed(low)
    ends = [inf, *map(in_units, breaks), lowest]
    solutions = tuple(
        Solution(
            vertex.n_leaves,
            float((vertex.loss + training.offset) / total),
            ends[place + 1],
            ends[place],
            vertex.nodes,
            source,
        )
        for place, vertex in enumerate(vertices)
    )
    status, offset = found.status, float(training.offset / total)
    if training.stopped is not None:
        # of the grid nothing is known: the leaf is proved where no split can pay for another one
        proved, status, offset = max(proved, in_units(training.offset)), training.stopped, 0.0
    path = SolutionPath(
        solutions, status, proved, training.grid, len(training.codes), offset, found.stats, budget.trace
    )
    if training.stopped is not None or greedy is not None:
        risk, bound = solutions[-1].risk(as_printed(low)), path.lower_bound(low)
        if training.stopped is not None:
            bound = min(risk, 2 * float(as_printed(low)))
        budget.record(risk, bound, found.stats["looked_at"], last=True)
        path = replace(path, trace=budget.trace)
    return path


def _better_greedy(training, found, price, free_empty, budget):
    """`Vertex` of the greedy tree where a search was stopped and this tree is better than the best found at
    the price, in units of the losses; else None.

    found : SweepResult. The greedy tree then has more leaves than its last vertex, which is best at higher
    prices.
    """
    if training.stopped is None:
        codes, losses, offset = training.codes, training.losses, training.offset
    elif training.coarse is not None:
        codes, losses, offset = training.coarse
    else:
        return None
    is_tight = budget.memory_limit is not None and bytes_of(codes, losses) > budget.memory_limit
    if (training.stopped or found.status) == OPTIMAL or is_tight or not is_cheap(*codes.shape):
        return None
    greedy = greedy_vertex(codes, losses, training.grid.n_splits, price, free_empty=free_empty)
    greedy = greedy._replace(loss=greedy.loss + offset - training.offset)
    last = found.vertices[-1]
    is_better = greedy.loss + price * greedy.n_leaves < last.loss + price * last.n_leaves
    return greedy if is_better and greedy.n_leaves > last.n_leaves else None
