"""Exact empirical risk of splitting and pruning together: alpha and the complexity parameter (Section 7).

On each piece of alpha the grown trees are fixed, and so is the loss as a step function of the complexity
parameter: the plane falls into rectangles.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, Stopped, status_of, warn_stopped
from treelib.topdown.learn.instance import encode_all
from treelib.topdown.learn.pruning_risk import PruningInstance, complexity_steps, steps_at_zero
from treelib.topdown.learn.shared_time import STOPPED, part_of_time, with_grace
from treelib.topdown.learn.splitting_risk import exact_loss
from treelib.topdown.learn.step_function import StepFunction, mean_steps


class JointLoss(NamedTuple):
    """Mean loss over instances, constant on rectangles.

    Attributes
    ----------
    grown : ExactLoss of alpha without pruning
    edges : float64 (n_strips + 1,)
        Breakpoints of alpha at which some grown tree changes.
    strips : list of StepFunction
        The loss as a function of the complexity parameter, for alpha between two edges.
    status : "optimal", or the limit that stopped the search
        `edges` then end where the search stopped.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.joint_risk import joint_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> found = joint_loss(Instance(X[::2], y[::2], X[1::2], y[1::2]), (0.5, 3.0), max_depth=3)
    >>> round(float(found(2.0, 0.0)), 3), round(float(found(2.0, 0.5)), 3)
    (0.04, 0.667)
    """

    grown: object
    edges: np.ndarray
    strips: list
    status: str = OPTIMAL

    @property
    def n_rectangles(self):
        return sum(map(len, self.strips))

    @property
    def minimum(self):
        return min(strip.minimum for strip in self.strips)

    def __call__(self, alpha, complexity):
        """Loss at one point."""
        strip = int(np.clip(np.searchsorted(self.edges, alpha, side="right") - 1, 0, len(self.strips) - 1))
        return float(self.strips[strip](complexity))

    def minimisers(self):
        """Rectangles of minimum loss.

        Returns
        -------
        list of (alpha low, alpha high, complexity low, complexity high)
            The rectangles, in order of alpha.
        """
        return [
            (float(low), float(high), *pair)
            for low, high, strip in zip(self.edges[:-1], self.edges[1:], self.strips, strict=True)
            if strip.minimum == self.minimum
            for pair in strip.minimisers()
        ]


def joint_loss(instances, interval=None, *, leaf_price=0.0, **options):
    """Loss over alpha and the complexity parameter of the pruning that follows, exactly (Theorem 7.1).

    Parameters
    ----------
    instances : Instance, or sequence of them
        The problems.
    interval : (low, high)
        Range of alpha.
    leaf_price : float
        Penalty per leaf of the pruned tree added to the loss, eta.
    **options : as `beta`
        `max_depth`, `max_splits`, `tolerance` and `budget` of
        `treelib.topdown.learn.splitting_risk.exact_loss`.

    Returns
    -------
    JointLoss
        The loss.

    Warns
    -----
    ConvergenceWarning
        If a limit stopped the search; the loss is exact for alpha up to where it stopped. If no strip was
        finished, it is that of the first without pruning, or infinite; see `exact_loss` and
        `complexity_loss`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.joint_risk import joint_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> found = joint_loss(Instance(X[::2], y[::2], X[1::2], y[1::2]), (0.5, 3.0), max_depth=3)
    >>> round(float(found.minimum), 3), found.n_rectangles
    (0.027, 8)
    """
    budget = options.pop("budget", None) or Budget()
    data = encode_all(instances, False)
    grown = exact_loss(data, "alpha", interval, budget=part_of_time(budget, 0.75), **options)
    low, high = grown.loss.domain
    edges = np.unique(np.concatenate([[low, high], *(part.steps.breakpoints for part in grown.instances)]))
    edges = edges[(edges >= low) & (edges <= high)]
    if len(edges) == 1:  # a limit left one point of alpha
        edges = np.repeat(edges, 2)
    if np.isinf(grown.loss.values[0]):  # not even one tree was done: there is nothing to prune
        return JointLoss(grown, edges, [StepFunction([0.0, 0.0], [np.inf])], grown.status)
    known, strips, status = {}, [], None
    for left, right in pairwise(edges):
        budget.show(f"pruning the trees of {len(strips):,} of {len(edges) - 1:,} strips")
        status = budget.due() if strips else None
        if status:
            break
        trees = grown.trees(left + (right - left) / 2)
        key = tuple(map(id, trees))
        if key not in known:
            pruned = [PruningInstance(tree, d.X_eval, d.y_eval) for tree, d in zip(trees, data, strict=True)]
            check = budget.check if strips else with_grace(budget).check
            try:
                found = [complexity_steps(one, leaf_price, check)[0] for one in pruned]
            except (Stopped, KeyboardInterrupt) as stop:
                status = status_of(stop)
                if strips:
                    break
                found = [steps_at_zero(one, leaf_price) for one in pruned]
            known[key] = mean_steps(found)
        strips.append(known[key])
        if status:
            break
    edges = edges[: len(strips) + 1]
    least = min(strip.minimum for strip in strips)
    budget.show(f"alpha up to {edges[-1]:g}: {len(strips):,} strips, least loss {least:.6g}", last=True)
    if status and grown.status == OPTIMAL:
        warn_stopped(STOPPED.format(status))
    return JointLoss(grown, edges, strips, status or grown.status)
