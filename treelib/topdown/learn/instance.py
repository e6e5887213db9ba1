"""One problem instance of exact empirical risk: its data as arrays, and the loss on it piece by piece."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treelib.search.budget import OPTIMAL, Stopped
from treelib.table.checks import odd_numbers
from treelib.topdown.grow import learner
from treelib.topdown.learn.envelope import Bracket
from treelib.topdown.learn.execution import count_gaps, to_tree, tree_bytes
from treelib.topdown.learn.step_function import StepFunction


class Instance(NamedTuple):
    """A problem instance: training data, and data to evaluate the loss on (None: the training data).

    Attributes
    ----------
    X, X_eval : array-like (n, p)
        Finite numbers.
    y, y_eval : array-like (n,)
        Classes, or non-negative targets for ``"power"``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X_eval=X[1::2], y_eval=y[1::2])
    >>> instance.X.shape
    (75, 4)
    """

    X: np.ndarray
    y: np.ndarray
    X_eval: np.ndarray = None
    y_eval: np.ndarray = None


@dataclass(frozen=True, eq=False)
class InstanceLoss:
    """Loss on one instance.

    Attributes
    ----------
    steps : StepFunction
        One piece per behaviour of the learner (neighbouring pieces may have equal loss).
    trees : list of Tree
        One for each piece.
    brackets : list of Bracket
        One for each inner breakpoint, in order.
    unresolved : list of Bracket
        Intervals where rounding or the tolerance leaves open whether the tree changes; the first and last
        `tolerance` of the domain are not examined.
    n_functions : int
        Number of thresholds of all features, the paper's ``|F|``; None if a limit was reached before they
        were counted.
    n_states : int
        Number of nodes of the execution tree.
    n_bytes : int
        Approximate memory of the trees, in bytes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance, exact_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> one = exact_loss(instance, "alpha", (0.5, 3.0), max_depth=2).instances[0]
    >>> len(one.trees) == len(one.steps), one.n_functions
    (True, 100)
    """

    steps: StepFunction
    trees: list
    brackets: list
    unresolved: list
    n_functions: int
    n_states: int
    n_bytes: int


class Encoded(NamedTuple):
    """An instance as arrays.

    X : float64 (n, p), C-contiguous. X_eval : float64 (m, p)
    y, y_eval : class codes, those of the training data first, or targets
    n_classes, n_trained : int, classes in all and in training; names : tuple of str. Of targets all None
    """

    X: np.ndarray
    y: np.ndarray
    X_eval: np.ndarray
    y_eval: np.ndarray
    n_classes: int
    n_trained: int
    names: tuple


def encode(instance, is_regression):
    """`Encoded` of an `Instance`; of one that is encoded already itself."""
    if isinstance(instance, Encoded):
        return instance
    X, y = np.asarray(instance.X), np.asarray(instance.y)
    own = instance.X_eval is None
    X_eval, y_eval = (X, y) if own else (np.asarray(instance.X_eval), np.asarray(instance.y_eval))
    for table, target in ((X, y), (X_eval, y_eval))[: 1 if own else 2]:
        if table.ndim != 2 or target.shape != (len(table),) or len(table) == 0:
            raise ValueError(f"X of shape {table.shape} and y of shape {target.shape} do not fit together.")
    found = _with_codes(X, y, X_eval, y_eval, is_regression)
    X = _as_table(X)
    return found._replace(X=X, X_eval=X if own else _as_table(X_eval))


def encode_all(instances, is_regression):
    """`Encoded` of one or several instances."""
    return [encode(instance, is_regression) for instance in as_list(instances)]


def as_list(instances):
    """List of instances, given as such or as a single one."""
    return [instances] if isinstance(instances, Instance | Encoded) else list(instances)


def _as_table(X):
    """`X` (n, p) as float64, finite, each row in one piece."""
    table = np.ascontiguousarray(X, dtype=np.float64)
    if odd_numbers(table):
        raise ValueError("X must be finite.")
    return table


def _with_codes(X, y, X_eval, y_eval, is_regression):
    """`Encoded` with the tables as given."""
    if is_regression:
        y, y_eval = y.astype(np.float64), y_eval.astype(np.float64)
        if not (np.isfinite(y).all() and (y >= 0).all()):
            raise ValueError("Targets must be finite and at least 0.")
        return Encoded(X, y, X_eval, y_eval, None, None, None)
    classes = np.unique(y)
    n_trained = len(classes)
    classes = np.append(classes, np.setdiff1d(y_eval, classes))
    order = np.argsort(classes, kind="stable")

    def codes(labels):
        return order[np.searchsorted(classes, labels, sorter=order)]

    return Encoded(X, codes(y), X_eval, codes(y_eval), len(classes), n_trained, tuple(map(str, classes)))


def tree_and_loss(problem, data, leaf_price, known, splits):
    """Tree of the splits of a piece, and its loss; `known` : dict of those made before."""
    key = tuple((slot, node.identity, split) for slot, node, split in splits)
    if key not in known:
        tree = to_tree(problem, splits, class_names=data.names)
        known[key] = tree, tree.error(data.X_eval, data.y_eval) + leaf_price * tree.n_leaves
    return known[key]


def loss_of_pieces(problem, result, ends, parameter):
    """`InstanceLoss` of an `Execution` over the interval `ends`."""
    pieces = result.pieces
    trees, losses = map(list, zip(*(piece.outcome for piece in pieces), strict=True))
    edges = np.array([piece.low for piece in pieces] + [pieces[-1].high])
    inner = [result.brackets.get(edge, Bracket(edge, edge, False)) for edge in edges[1:-1]]
    # at alpha = 0, say, many splits are equal: such ties on an end of the domain hide no breakpoint
    unresolved = sorted(
        gap
        for gap in result.unresolved
        if not (gap.low == ends[0] or gap.high == ends[1]) or gap.high - gap.low > 2 * problem.tolerance
    )
    if parameter == "power":
        edges, losses, trees = 1 - edges[::-1], losses[::-1], trees[::-1]
        inner, unresolved = [_mirrored(b) for b in inner[::-1]], [_mirrored(b) for b in unresolved[::-1]]
    n_bytes = sum(tree_bytes(problem, len(piece.splits)) for piece in pieces)
    return InstanceLoss(
        StepFunction(edges, losses),
        trees,
        inner,
        unresolved,
        int(problem.n_gaps.sum()),
        result.n_states,
        n_bytes,
    )


def loss_at(at, data, criterion, limits, leaf_price, budget):
    """`InstanceLoss` at one point: what the learner grows there. Where that takes more time or memory than
    the budget has the loss is infinite, and the tree has the splits that were made."""
    n_classes = data.n_classes or 0
    problem = learner.Problem(data.X, data.y, n_classes)
    grown = learner.learn(problem, criterion, limits, budget=budget)
    names = {"class_names": data.names} if n_classes else {}
    tree = grown.to_tree(data.X.shape[1], n_classes, **names)
    loss, n_functions = np.inf, None
    try:
        if grown.status in (None, OPTIMAL):
            loss = tree.error(data.X_eval, data.y_eval, check=budget.check) + leaf_price * tree.n_leaves
        n_functions = int(count_gaps(data.X, budget.check).sum())
    except Stopped:
        pass
    return InstanceLoss(StepFunction([at, at], [loss]), [tree], [], [], n_functions, 0, 0)


def side_by_side(parts):
    """One `InstanceLoss` of those of neighbouring intervals."""
    if len(parts) == 1:
        return parts[0]
    one, other = parts
    edges, values = list(one.steps.breakpoints), list(one.steps.values)
    trees, brackets = list(one.trees), list(one.brackets)
    seam, same = edges.pop(), one.trees[-1] == other.trees[0]
    if not same:
        brackets.append(Bracket(seam, seam, False))
    return InstanceLoss(
        StepFunction(edges + list(other.steps.breakpoints)[same:], values + list(other.steps.values)[same:]),
        trees + other.trees[same:],
        brackets + other.brackets,
        one.unresolved + other.unresolved,
        one.n_functions,
        one.n_states + other.n_states,
        one.n_bytes + other.n_bytes,
    )


def _mirrored(bracket):
    return Bracket(1 - bracket.high, 1 - bracket.low, bracket.isolated)
