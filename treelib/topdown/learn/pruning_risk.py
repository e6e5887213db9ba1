"""Exact empirical risk of minimal cost-complexity pruning: its one parameter, over a line.

The pruning (Theorem 4.1) has exact rational breakpoints, which `PruningPath` holds; here the losses of
several data sets are put together. Pessimistic pruning has two parameters:
`treelib.topdown.learn.pessimistic_risk`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, Stopped, go_on, status_of, warn_stopped
from treelib.topdown.learn.step_function import StepFunction, mean_steps
from treelib.topdown.prune.methods import cost_complexity_path, pruned_nodes
from treelib.topdown.prune.sequence import wrong_counts

_NODE_BYTES, _PATH_BYTES = 300, 50  # of a node while its path is made, and in the path (measured)


class PruningInstance(NamedTuple):
    """A grown tree with its training counts, and data to evaluate the pruned tree on.

    Attributes
    ----------
    tree : Tree
        An unpruned tree with counts.
    X : float64 (n, n_features)
        Evaluation samples.
    y : intp (n,)
        Class indices.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> instance.tree.n_leaves, len(instance.y)
    (6, 75)
    """

    tree: object
    X: np.ndarray
    y: np.ndarray


# ---- the complexity parameter ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ComplexityLoss:
    """Mean loss over instances as an exact step function of the complexity parameter, on [0, inf).

    Attributes
    ----------
    loss : StepFunction
        The mean, with breakpoints only where it changes.
    steps : list of StepFunction
        One for each instance, with one piece per pruned tree.
    paths : list of PruningPath
        One for each instance, with breakpoints as fractions.
    status : "optimal", or the limit that stopped the work
        The mean is then over the first instances.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance, complexity_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> found = complexity_loss(instance)
    >>> round(float(found.best), 3), found.paths[0].n_leaves
    (0.01, array([6, 4, 3, 2, 1]))
    """

    loss: StepFunction
    steps: list
    paths: list
    status: str = OPTIMAL

    @property
    def best(self):
        """A parameter of minimum loss: the midpoint of the longest bounded interval, else its lower end."""
        return self.loss.best


def complexity_loss(instances, leaf_price=0.0, budget=None):
    """Loss of minimal cost-complexity pruning as an exact step function of its parameter (Theorem 4.1).

    Parameters
    ----------
    instances : PruningInstance, or sequence of them
        The trees and the data; `y` are class indices.
    leaf_price : float
        Penalty per leaf added to the loss, eta of Section 7.
    budget : Budget or None
        Limits of the call. The memory limit applies to all paths, including temporary memory of some 300
        bytes per node.

    Returns
    -------
    ComplexityLoss
        The loss.

    Warns
    -----
    ConvergenceWarning
        If a limit or Ctrl-C left instances out. If not even the first was finished, the loss is that of its
        tree at 0, the only point of the domain, and there are no paths.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> from treelib.topdown.learn.pruning_risk import PruningInstance, complexity_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TopDownTreeClassifier().fit(X[::2], y[::2]).tree_
    >>> instance = PruningInstance(tree, X[1::2], y[1::2])
    >>> complexity_loss(instance).loss
    <StepFunction: 5 pieces on [0, inf]>
    """
    instances = [instances] if isinstance(instances, PruningInstance) else list(instances)
    budget = Budget() if budget is None else budget
    paths, steps, status = [], [], OPTIMAL
    for i, instance in enumerate(instances):
        line = f"instance {i + 1} of {len(instances)}"

        def check(line=line):
            budget.show(line)
            budget.check()

        try:
            held = _PATH_BYTES * sum(path.tree.n_nodes for path in paths)
            stopped = budget.exceeded(n_bytes=held + _NODE_BYTES * instance.tree.n_nodes)
            if stopped is not None:
                raise Stopped(stopped)
            step, path = complexity_steps(instance, leaf_price, check)
        except (Stopped, KeyboardInterrupt) as stop:
            status = status_of(stop)
            break
        steps.append(step)
        paths.append(path)
    steps = steps or [steps_at_zero(instances[0], leaf_price)]
    budget.show(f"{len(paths)} of {len(instances)} instances", last=True)
    if status != OPTIMAL:
        text = f"The loss is the mean over {len(steps)} of {len(instances)} instances ({status})."
        warn_stopped(text)
    return ComplexityLoss(mean_steps(steps), steps, paths, status)


def complexity_steps(instance, leaf_price, check=go_on):
    """Loss of one instance as a StepFunction of the complexity parameter, and its PruningPath; `check` is
    asked every few milliseconds, and may raise."""
    path = cost_complexity_path(instance.tree, check=check)
    losses = path.errors(instance.X, instance.y, check=check) + leaf_price * path.n_leaves
    edges = np.array([float(edge) for edge in path.breakpoints] + [np.inf])
    keep = np.flatnonzero(np.diff(edges) > 0)  # fractions may differ by less than floats can
    return StepFunction(np.append(edges[:-1][keep], np.inf), losses[keep]), path


def steps_at_zero(instance, leaf_price):
    """What `complexity_steps` says of 0, as a StepFunction of this point alone, in hundredths of the time."""
    is_split, kept = pruned_nodes(instance.tree, 0)
    leaves = np.flatnonzero(kept & ~is_split)
    counted = instance.tree.recount(instance.X, instance.y)
    error = wrong_counts(counted)[leaves].sum() / counted.value[0].sum()
    return StepFunction([0.0, 0.0], [error + leaf_price * len(leaves)])
