"""Choosing an algorithm and its parameters together, from problem instances (Section 8 of the paper).

Each family of algorithms is searched for the parameters of minimum mean loss over the instances; the family
of minimum loss wins. This needs few more instances than the widest family alone: the behaviours of all
families are added up (Theorem 8.1 in its order, see `treelib.topdown.learn.sample_complexity`).
"""

from math import inf, log
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils.validation import check_is_fitted

from treelib.search.budget import INTERRUPTED, OPTIMAL, Budget, warn_stopped
from treelib.topdown.estimator import TopDownTreeClassifier
from treelib.topdown.learn.instance import encode_all
from treelib.topdown.learn.joint_risk import joint_loss
from treelib.topdown.learn.sample_complexity import guaranteed_excess
from treelib.topdown.learn.shared_time import part_of_memory, part_of_time
from treelib.topdown.learn.splitting_risk import Instance
from treelib.topdown.prune.methods import prune_cost_complexity


class PrunedTreeClassifier(ClassifierMixin, BaseEstimator):
    """A tree classifier followed by minimal cost-complexity pruning.

    Parameters
    ----------
    estimator : classifier of this package that sets ``tree_``, with the class counts of its nodes
    complexity : float, leaf penalty, as a share of the training weight

    Attributes
    ----------
    estimator_ : the fitted estimator, its ``tree_`` pruned
    tree_ : treelib.Tree
    classes_ : (n_classes,)
    """

    def __init__(self, estimator, complexity=0.0):
        self.estimator = estimator
        self.complexity = complexity

    def fit(self, X, y, sample_weight=None):
        self.estimator_ = clone(self.estimator).fit(X, y, sample_weight)
        self.estimator_.tree_ = prune_cost_complexity(self.estimator_.tree_, self.complexity)
        self.tree_, self.classes_ = self.estimator_.tree_, self.estimator_.classes_
        return self

    def predict(self, X):
        """Class of each row, (n,)."""
        check_is_fitted(self)
        return self.estimator_.predict(X)

    def predict_proba(self, X):
        """Share of each class in the leaf of each row, float64 (n, n_classes)."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def get_n_leaves(self):
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def _written_as(self):
        """The estimator that `treelib.tree.formats` writes down for this one."""
        check_is_fitted(self)
        return self.estimator_


class Choice(NamedTuple):
    """The best member of one family.

    Attributes
    ----------
    name : str, of the family
    loss : float
        Mean over the instances.
    parameters : dict
    estimator : unfitted estimator with these parameters
    n_behaviours : int
        Upper bound on the number of values of the loss on one instance.
    status : "optimal", or the limit that left parameters untried

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.selection import GridFamily
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> family = GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    >>> choice = family.choose([instance], leaf_price=0.0, n_jobs=None)
    >>> choice.name, choice.estimator
    ('CART', DecisionTreeClassifier(max_depth=3, random_state=0))
    """

    name: str
    loss: float
    parameters: dict
    estimator: object
    n_behaviours: int
    status: str = OPTIMAL


class GridFamily(NamedTuple):
    """An estimator with a finite grid of parameters, each fitted to every instance.

    The budget is checked before every fit; unfinished settings count as worst, and those whose last fit ended
    after the time limit rank behind all others. An estimator with a parameter `time_limit` gets the remaining
    time. Fits of other estimators are not interrupted at the time limit: the search ends when the running
    fits do. Ctrl-C ends them, and keeps what was finished.

    Parameters
    ----------
    name : str
        Shown in the result.
    estimator : estimator
        Cloned for each fit.
    grid : dict of parameter -> values
        As for scikit-learn's ParameterGrid.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.selection import GridFamily
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> family = GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    >>> choice = family.choose([instance], leaf_price=0.0, n_jobs=None)
    >>> choice.parameters, round(choice.loss, 3)
    ({'max_depth': 3}, 0.04)
    """

    name: str
    estimator: object
    grid: dict

    def choose(self, instances, leaf_price, n_jobs, budget=None):
        settings = list(ParameterGrid(self.grid))
        found = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
            delayed(_loss)(clone(self.estimator).set_params(**one), instances, leaf_price, budget)
            for one in settings
        )
        tried = [_NOT_TRIED] * len(settings)
        try:
            for i, one in enumerate(found):
                tried[i] = one
                if budget is not None:
                    done = f"{self.name}: {i + 1} of {len(settings)} settings"
                    budget.show(f"{done}, least loss {min(tried).loss:.6g}", last=i + 1 == len(settings))
        except KeyboardInterrupt:
            if min(tried).loss == inf:
                raise
        best = min(range(len(settings)), key=tried.__getitem__)
        chosen = clone(self.estimator).set_params(**settings[best])
        status = _status([], not any(one.is_late for one in tried), budget)
        return Choice(self.name, float(tried[best].loss), settings[best], chosen, len(settings), status)


class _TriedSetting(NamedTuple):
    """One setting: whether its time was over before it was done, and its mean loss, inf where it has none."""

    is_late: bool
    loss: float


_NOT_TRIED = _TriedSetting(True, inf)


class _Joint(NamedTuple):
    """What is kept of a `JointLoss`; rectangle : the one of least loss that is chosen."""

    minimum: float
    rectangle: tuple
    n_rectangles: int
    status: str


class SplitAndPruneFamily(NamedTuple):
    """Tsallis splitting and cost-complexity pruning, searched exactly (Theorem 7.1).

    Searches alpha and the leaf penalty; features are numeric without missing values, as in
    `treelib.topdown.learn.splitting_risk`. The time of a budget is divided among the values of beta.

    Parameters
    ----------
    name : str
        Shown in the result.
    interval : (low, high)
        Range of alpha.
    betas : tuple of int
        Values of beta.
    max_depth : int
        Maximum depth (splits on a path).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.selection import SplitAndPruneFamily
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> family = SplitAndPruneFamily(betas=(1, 2), max_depth=3)
    >>> choice = family.choose([instance], leaf_price=0.01, n_jobs=None)
    >>> round(choice.loss, 3), sorted(choice.parameters)
    (0.067, ['alpha', 'beta', 'complexity'])
    """

    name: str = "split and prune"
    interval: tuple = (0.2, 3.05)
    betas: tuple = (1, 2, 4, 8)
    max_depth: int = 5

    def choose(self, instances, leaf_price, n_jobs, budget=None):
        at_once = effective_n_jobs(n_jobs)
        whole = Budget() if budget is None else budget
        instances = encode_all(instances, False)  # once for all values of beta

        def search(i, beta):
            if i and budget is not None and budget.due() is not None:
                return None
            options = {"beta": beta, "max_depth": self.max_depth, "leaf_price": leaf_price}
            if budget is not None:
                share = part_of_time(whole, min(1, at_once / (len(self.betas) - i)))
                options["budget"] = part_of_memory(share, 1 / at_once)
            loss = joint_loss(instances, self.interval, **options)
            # the rest of it may be large
            return _Joint(loss.minimum, max(loss.minimisers(), key=_size), loss.n_rectangles, loss.status)

        found = Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(search)(i, beta) for i, beta in enumerate(self.betas)
        )
        tried = [i for i, one in enumerate(found) if one is not None]
        best = min(tried, key=lambda i: found[i].minimum)
        low, high, first, last = found[best].rectangle
        complexity = first if np.isinf(last) else (first + last) / 2
        alpha, beta = (low + high) / 2, self.betas[best]
        grown = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=self.max_depth)
        parameters = {"alpha": alpha, "beta": beta, "complexity": complexity}
        return Choice(
            self.name,
            float(found[best].minimum),
            parameters,
            PrunedTreeClassifier(grown, complexity),
            sum(found[i].n_rectangles for i in tried),
            _status([found[i].status for i in tried], len(tried) == len(found), budget),
        )


class Selection(NamedTuple):
    """Result of `select_algorithm`.

    Attributes
    ----------
    best : Choice
    choices : list of Choice
        One for each family, the best first.
    excess : float
        With probability 0.95, the choice's loss exceeds that of the best one for the distribution of the
        instances by at most this (`guaranteed_excess`); the range of the loss if there are too few instances
        to say anything. It uses the number of behaviours counted on these instances, so it is an estimate if
        other instances could have more.
    status : "optimal", or the limit that stopped the work
        The choice is then among those tried.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.selection import GridFamily, select_algorithm
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> family = GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    >>> found = select_algorithm([instance], [family])
    >>> found.best.name, len(found.choices), found.excess
    ('CART', 1, 1.0)
    """

    best: Choice
    choices: list
    excess: float
    status: str = OPTIMAL


def select_algorithm(instances, families, *, leaf_price=0.0, n_jobs=None, budget=None):
    """The family and parameters of minimum mean loss over problem instances.

    Parameters
    ----------
    instances : sequence of `treelib.topdown.learn.splitting_risk.Instance`
        Problems from one distribution.
    families : sequence
        `GridFamily`, `SplitAndPruneFamily`, or other objects with the same ``choose`` method.
    leaf_price : float
        Penalty per leaf added to the error, eta of Section 7; leaves of all trees of an ensemble count.
    n_jobs : int or None
        Number of settings tried in parallel, in threads.
    budget : Budget or None
        Limits of the call, passed on to ``choose``; its time is divided among the families. Families without
        a finished setting are left out, unless this applies to all.

    Returns
    -------
    Selection
        The choices. Ties go to the earlier family. Ctrl-C keeps the finished families.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a limit stopped the search.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from treelib.topdown.learn.splitting_risk import Instance
    >>> from treelib.topdown.learn.selection import GridFamily, select_algorithm
    >>> X, y = load_iris(return_X_y=True)
    >>> instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    >>> family = GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    >>> found = select_algorithm([instance], [family], leaf_price=0.01)
    >>> found.best.name, found.best.parameters
    ('CART', {'max_depth': 2})
    """
    instances = [instances] if isinstance(instances, Instance) else list(instances)
    if not instances or not families:
        raise ValueError("Give at least one instance and one family.")
    choices, status = _choices(budget, instances, families, leaf_price, n_jobs)
    order = sorted(range(len(choices)), key=lambda i: (choices[i].loss, i))
    choices = [choices[i] for i in order]
    ln_behaviours = log(sum(choice.n_behaviours for choice in choices))
    largest = 1.0 + leaf_price * max(len(instance.y) for instance in instances)
    excess = guaranteed_excess(len(instances), ln_behaviours, 0.05, largest, n_parameters=2)
    if status != OPTIMAL:
        text = f"The selection stopped early ({status}); the choice is among what was tried."
        warn_stopped(text)
    return Selection(choices[0], choices, excess, status)


def _choices(budget, instances, families, leaf_price, n_jobs):
    """Choices of the families within a budget, if there is one, and what stopped the work or "optimal"."""
    choices, status, options = [], OPTIMAL, {}
    try:
        for i, family in enumerate(families):
            if budget is not None:
                if choices and (stopped := budget.due()) is not None:
                    status = stopped
                    break
                options["budget"] = part_of_time(budget, 1 / (len(families) - i))
            choices.append(family.choose(instances, leaf_price, n_jobs, **options))
            status = choices[-1].status if status == OPTIMAL else status
            if choices[-1].status == INTERRUPTED:
                break
            if budget is not None:
                done = f"{i + 1} of {len(families)} families, the last with loss {choices[-1].loss:.6g}"
                budget.show(done, last=i + 1 == len(families))
    except KeyboardInterrupt:
        if not choices:
            raise
        status = INTERRUPTED
    return [choice for choice in choices if choice.loss < inf] or choices[:1], status


def _loss(estimator, instances, leaf_price, budget=None):
    """`_TriedSetting`: mean over the instances of the error of an estimator, plus the price of its leaves."""
    total = 0.0
    for X, y, X_eval, y_eval in instances:
        if budget is not None and budget.due() is not None:
            return _NOT_TRIED
        model = clone(estimator)
        if budget is not None and budget.time_limit is not None and "time_limit" in model.get_params():
            own = model.get_params()["time_limit"]
            model.set_params(time_limit=max(min(inf if own is None else own, budget.time_left), 1e-9))
        model.fit(X, y)
        is_late = budget is not None and budget.due() is not None
        X_eval, y_eval = (X, y) if X_eval is None else (X_eval, y_eval)
        total += np.mean(model.predict(X_eval) != y_eval)
        if leaf_price:
            total += leaf_price * model.get_n_leaves()
    return _TriedSetting(is_late, total / len(instances))


def _status(found, is_whole, budget):
    """The first of the statuses found that is a limit; that of the budget where something was left out."""
    stopped = next((status for status in found if status != OPTIMAL), None)
    return stopped or (OPTIMAL if is_whole else (budget and budget.due()) or INTERRUPTED)


def _size(rectangle):
    """For the choice among rectangles: the width in alpha of those with a bounded price, before others."""
    low, high, _, last = rectangle
    return np.isfinite(last), high - low
