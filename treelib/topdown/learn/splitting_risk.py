"""Exact empirical risk of a splitting parameter: the loss as a step function, not a grid of samples.

For a fixed data set the tree grown top-down changes only at finitely many values of a parameter of the
criterion, so its loss is piecewise constant. `exact_loss` finds all pieces over one or several data sets
(Algorithm 2, Theorem 3.4 of the paper), for

- ``"alpha"``, of the (alpha, beta)-Tsallis criterion with an integer beta;
- ``"beta"``, a real number, at a fixed alpha other than 1;
- ``"gamma"``, of the geometric family (Section 3.2);
- ``"power"``, of the Tweedie deviance for regression (Section 3.4).

Thresholds lie halfway between neighbouring values at a node. Ties between splits go to the lowest feature,
then to the lowest threshold; ties between leaves to the one created first. A node is split unless it is pure,
no split separates its samples, or every split makes the criterion worse, which happens only if it is not
concave. This is how `treelib.topdown.grow.learner` grows trees.
"""

from dataclasses import dataclass, field
from functools import partial
from math import comb, log10
from typing import NamedTuple

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, Stopped, status_of, warn_stopped
from treelib.table.checks import check_choice
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.grow.learner import NO_LIMIT, Limits
from treelib.topdown.learn.execution import LearnerProblem, execute
from treelib.topdown.learn.families import FAR, Gamma, TsallisAlpha, TsallisBeta, TsallisFarAlpha, Tweedie
from treelib.topdown.learn.instance import (
    Instance,
    InstanceLoss,
    as_list,
    encode,
    encode_all,
    loss_at,
    loss_of_pieces,
    side_by_side,
    tree_and_loss,
)
from treelib.topdown.learn.shared_time import STOPPED, part_of_memory, part_of_time, with_grace
from treelib.topdown.learn.step_function import StepFunction, mean_steps

INTERVALS = {"alpha": (0.0, 8.0), "beta": (0.0, 8.0), "gamma": (0.0, 1.0), "power": (0.0, 1.0)}


@dataclass(frozen=True, eq=False)
class ExactLoss:
    """Mean loss over instances as an exact step function of one parameter.

    Attributes
    ----------
    parameter : str
    loss : StepFunction
        The mean over the instances, with breakpoints only where it changes.
    instances : list of InstanceLoss
    status : "optimal", or the limit that stopped the search
        The domain of `loss` is then shorter.
    settings : dict
        As given to `exact_loss`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance, exact_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> found = exact_loss(instance, "alpha", (0.5, 3.0), max_depth=2)
    >>> round(float(found.loss.minimum), 3), found.n_pieces, found.status
    (0.053, 2, 'optimal')
    """

    parameter: str
    loss: StepFunction
    instances: list
    status: str = OPTIMAL
    settings: dict = field(default_factory=dict)

    @property
    def n_pieces(self):
        """Number of pieces of the mean loss, R of Theorem 3.4."""
        return len(self.loss)

    @property
    def n_behaviours(self):
        """Number of pieces of the learner's behaviour, over all instances together."""
        return sum(len(instance.steps) - 1 for instance in self.instances) + 1

    @property
    def is_certified(self):
        """Whether the whole interval was searched, every breakpoint is isolated, and none is in doubt."""
        return (
            self.status == OPTIMAL
            and not any(instance.unresolved for instance in self.instances)
            and all(bracket.isolated for instance in self.instances for bracket in instance.brackets)
        )

    @property
    def largest_bracket(self):
        """Width of the widest interval on which the search leaves open which tree is grown."""
        return max(
            (b.high - b.low for i in self.instances for b in (*i.brackets, *i.unresolved)), default=0.0
        )

    def minimisers(self, tolerance=0.0):
        """Maximal intervals of minimum loss.

        Parameters
        ----------
        tolerance : float
            Allowed excess over the minimum loss.

        Returns
        -------
        list of (low, high)
            The intervals, in order.
        """
        return self.loss.minimisers(tolerance)

    @property
    def best(self):
        """Midpoint of the longest interval of minimum loss, the choice of empirical risk minimisation."""
        return self.loss.best

    def trees(self, value):
        """Trees grown at one value of the parameter.

        Parameters
        ----------
        value : float
            Value of the parameter.

        Returns
        -------
        list of Tree
            One for each instance.
        """
        return [instance.trees[int(instance.steps.piece(value))] for instance in self.instances]


class _Question(NamedTuple):
    """What is asked of every instance: the arguments of `exact_loss`, its interval from `low` to `high`."""

    parameter: str
    low: float
    high: float
    alpha: float
    beta: float
    max_depth: int
    max_splits: int
    leaf_price: float
    tolerance: float


def exact_loss(
    instances,
    parameter="alpha",
    interval=None,
    *,
    alpha=None,
    beta=1,
    max_depth=None,
    max_splits=None,
    leaf_price=0.0,
    tolerance=1e-10,
    budget=None,
):
    """Loss of top-down growth as an exact step function of one parameter of its criterion.

    Parameters
    ----------
    instances : Instance, or sequence of them
        The problems.
    parameter : {"alpha", "beta", "gamma", "power"}
        The parameter of the criterion that varies.
    interval : (low, high)
        Range of the parameter; default ``INTERVALS[parameter]``.
    alpha : float
        The fixed alpha, for ``parameter="beta"``.
    beta : int
        The fixed beta, for ``parameter="alpha"``.
    max_depth : int or None
        Maximum depth (splits on a path). None: no limit.
    max_splits : int or None
        If given, growth is best-first (Algorithm 1) up to this number of splits.
    leaf_price : float
        Penalty per leaf added to the loss, eta of Section 7.
    tolerance : float
        Width of the brackets around breakpoints, relative to max(1, parameter).
    budget : Budget or None
        Limits of the whole call; its nodes are states of the execution trees. Each instance gets an equal
        share of the remaining time. The memory limit applies to the tables of the search, not to the
        instances.

    Returns
    -------
    ExactLoss
        The loss. At a breakpoint it has the value of the piece on the right; the learner itself may have
        either.

    Warns
    -----
    ConvergenceWarning
        If a limit stopped the search; the loss is exact on the part of the interval it covers. If that is not
        even one piece, the learner is run at the first point only, and the domain is that point. The loss is
        infinite if even this one tree takes longer than the time limit plus some tenths of a second, or does
        not fit into memory.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance, exact_loss
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> found = exact_loss(instance, "alpha", (0.5, 3.0), max_depth=2)
    >>> found.loss
    <StepFunction: 2 pieces on [0.5, 3]>
    >>> round(found.best, 2), found.is_certified
    (1.88, True)
    """
    instances = as_list(instances)
    low, high = _checked_interval(instances, parameter, interval, beta)
    question = _Question(parameter, low, high, alpha, beta, max_depth, max_splits, leaf_price, tolerance)
    budget = Budget() if budget is None else budget
    found, statuses = [], []
    for i, instance in enumerate(instances):
        share = part_of_time(budget, 1 / (len(instances) - i))
        data = encode(instance, parameter == "power")
        parts, status = _search(question, data, share, found, f"instance {i + 1} of {len(instances)}")
        if not parts:
            one = part_of_memory(with_grace(share), held=sum(part.n_bytes for part in found))
            parts = [_loss_at_first_point(question, data, one)]
        found.append(side_by_side(parts))
        statuses.append(status)
    status = next(filter(None, statuses), OPTIMAL)
    if status != OPTIMAL:
        warn_stopped(STOPPED.format(status))
    mean = mean_steps([part.steps for part in found])
    budget.show(
        f"{parameter} up to {mean.domain[1]:g}: {len(mean):,} pieces, least loss {mean.minimum:.6g}", True
    )
    settings = {"alpha": alpha, "beta": beta, "max_depth": max_depth, "max_splits": max_splits}
    return ExactLoss(parameter, mean, found, status, {**settings, "leaf_price": leaf_price})


def minimise_tsallis(instances, betas=range(1, 9), interval=None, **options):
    """Empirical risk minimisation over (alpha, beta), equation (1) of the paper.

    Parameters
    ----------
    instances, interval, **options
        As in `exact_loss`; a time limit is divided among the values of beta.
    betas : iterable of int
        Values of beta.

    Returns
    -------
    alpha, beta : float and int
        Midpoint of the longest interval of minimum loss; ties go to the first beta.
    losses : dict of beta -> ExactLoss
        One for each beta.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance, minimise_tsallis
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> alpha, beta, losses = minimise_tsallis(instance, betas=(1, 2), interval=(0.5, 3.0), max_depth=2)
    >>> beta, sorted(losses)
    (1, [1, 2])
    """
    betas, losses = list(betas), {}
    budget = options.pop("budget", None)
    instances = encode_all(instances, False)
    for i, beta in enumerate(betas):
        share = None
        if budget is not None:
            held = sum(part.n_bytes for loss in losses.values() for part in loss.instances)
            share = part_of_memory(part_of_time(budget, 1 / (len(betas) - i)), held=held)
        losses[beta] = exact_loss(instances, "alpha", interval, beta=beta, budget=share, **options)
    best = min(losses, key=lambda beta: (losses[beta].loss.minimum, beta))
    return losses[best].best, best, losses


def log10_worst_case(n_functions, n_splits, n_classes, beta=1):
    """Decimal logarithm of the bound of Theorem 3.3 on the critical points of alpha, with its constants.

    With s leaves there are ``s |F|`` candidates. The scores of two of them differ by at most six exponential
    sums of C(beta + c - 1, c - 1) terms each, so their order changes at most (terms - 1) times (Lemma A.2).

    Parameters
    ----------
    n_functions : int
        Number of node functions, ``|F|``.
    n_splits : int
        Number of splits, t.
    n_classes : int
        Number of classes, c.
    beta : int
        Parameter of the criterion.

    Returns
    -------
    float
        The decimal logarithm; that of the printed form ``|F|^2t t^2t (beta + c)^ct`` is larger still.

    Examples
    --------
    >>> from treelib.topdown.learn.splitting_risk import log10_worst_case
    >>> round(log10_worst_case(n_functions=100, n_splits=5, n_classes=3), 1)
    28.8
    """
    roots = 6 * comb(beta + n_classes - 1, n_classes - 1) - 1
    return sum(log10(max(comb(leaves * n_functions, 2) * roots, 1)) for leaves in range(1, n_splits + 1))


def _checked_interval(instances, parameter, interval, beta):
    """Ends of the interval to search, or ValueError."""
    check_choice("parameter", parameter, INTERVALS)
    if not instances:
        raise ValueError("Give at least one instance.")
    low, high = INTERVALS[parameter] if interval is None else map(float, interval)
    if not (0 <= low < high < np.inf) or (parameter == "power" and high > 1):
        raise ValueError(f"interval={interval!r} must be increasing and finite, from 0 on (powers: up to 1).")
    if parameter == "alpha" and (beta != int(beta) or beta < 1):
        raise ValueError(f"beta={beta!r} must be a positive whole number while alpha varies.")
    return low, high


def _search(question, data, budget, found, name):
    """Losses of one instance on the parts of the interval that were searched, and what stopped it, or None.

    `found` are the losses of the instances before, which count towards the limits; `name` is for progress.
    """
    parameter, depth, splits = question.parameter, question.max_depth, question.max_splits
    parts, known = [], {}
    for ends, scores in _families(question, data):
        before = [*found, *parts]
        held = sum(part.n_states for part in before), sum(part.n_bytes for part in before)
        try:
            problem = LearnerProblem(
                data.X, data.y, data.n_classes, scores, question.tolerance, budget, *held
            )
        except (Stopped, KeyboardInterrupt) as stop:
            return parts, status_of(stop)
        finish = partial(tree_and_loss, problem, data, question.leaf_price, known)
        first, last = (1 - ends[0], 1 - ends[1]) if parameter == "power" else ends
        part_name = f"{name}, {parameter} from {first:g} to {last:g}"
        result = execute(problem, *ends, finish, max_depth=depth, max_splits=splits, name=part_name)
        if result.pieces:
            parts.append(loss_of_pieces(problem, result, ends, parameter))
        status = result.status
        del result  # its pieces hold nodes
        problem.forget()
        if status:
            return parts, status
    return parts, None


def _loss_at_first_point(question, data, budget):
    """Loss of the one tree that the learner grows where the search begins, as of `loss_at`."""
    depth, splits = question.max_depth, question.max_splits
    limits = Limits(
        NO_LIMIT if depth is None else depth, NO_LIMIT if splits is None else splits, splits is not None
    )
    at = _first_point(question.parameter, question.low, question.high)
    criterion = _criterion(question.parameter, at, question.alpha, question.beta)
    return loss_at(at, data, criterion, limits, question.leaf_price, budget)


def _families(question, data):
    """Intervals from left to right, each with a callable of sides -> scores."""
    parameter, low, high, alpha, beta = question[:5]
    if parameter == "power":
        ends, scale = (1 - high, 1 - low), 2 * data.y.max() if data.y.max() > 0 else 1.0
        return [(ends, lambda sides: Tweedie(sides, scale, ends))]

    def of_trained_classes(make):
        return lambda sides: make(np.ascontiguousarray(sides[:, :, : data.n_trained]))

    if parameter == "gamma":
        return [((low, high), of_trained_classes(lambda sides: Gamma(sides, (low, high))))]
    if parameter == "beta":
        if alpha is None:
            raise ValueError("parameter='beta' needs a fixed alpha.")
        return [((low, high), of_trained_classes(lambda sides: TsallisBeta(sides, alpha, (low, high))))]
    near, far = (low, min(high, FAR)), (max(low, FAR), high)
    spans = [
        (near, of_trained_classes(lambda sides: TsallisAlpha(sides, beta, near))),
        (far, of_trained_classes(lambda sides: TsallisFarAlpha(sides, beta, far))),
    ]
    return [(ends, scores) for ends, scores in spans if ends[0] < ends[1]]


def _first_point(parameter, low, high):
    """Where the search begins: the first value of the parameter that the criterion is defined at."""
    if parameter == "power":
        return high
    return low if parameter == "alpha" or low > 0 else high / 1000


def _criterion(parameter, at, alpha, beta):
    if parameter == "power":
        return resolve_regression("tweedie", power=at)
    if parameter == "gamma":
        return resolve("gamma", gamma=at)
    alpha, beta = (at, beta) if parameter == "alpha" else (alpha, at)
    return resolve("tsallis", alpha=alpha, beta=beta)


__all__ = ["ExactLoss", "Instance", "InstanceLoss", "exact_loss", "log10_worst_case", "minimise_tsallis"]
