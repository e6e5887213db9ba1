"""Splitting criteria: names, parameters, and user-defined criteria.

The impurity of a node is a function g of its class proportions, or of its targets; top-down learners make the
split that most reduces the sum over the leaves of (weight of the leaf) g(leaf) (Balcan and Sharma, Algorithm
1).

===================  ======================================================  =======================
name                 g                                                       parameters
===================  ======================================================  =======================
"gini"               1 - sum p^2
"entropy"            -sum p log2 p
"km"                 (sum sqrt(p))^2 - 1; for two classes 2 sqrt(p (1 - p))
"tsallis"            (1 - (sum p^alpha)^beta) / (alpha - 1)                  alpha >= 0, beta > 0
"gamma"              (prod p)^gamma                                          gamma > 0
"misclassification"  1 - max p
"squared_error"      mean of (y - mean)^2
"absolute_error"     mean of abs(y - median)
"poisson"            mean half Poisson deviance                              y >= 0
"tweedie"            mean Tweedie deviance of power p                        0 <= power <= 1; y >= 0
===================  ======================================================  =======================

As in scikit-learn, "log_loss" is another name of "entropy", and "friedman_mse" of "squared_error": Friedman's
improvement by a split is the fall of the squared error.

Tsallis at alpha = 1 is the limit, ``beta`` times the entropy in nats; alpha = 0 counts the classes present.
It is concave, so that no split makes it worse, where ``alpha >= 1, alpha beta >= 1`` or ``alpha <= 1, alpha
beta <= 1`` (Proposition 3.2 for whole beta). The sum is computed from its difference from 1: with alpha from
50 on and beta far below 1 it can be too small for that, and splits may be suboptimal.

A user-defined criterion is a numpy function of many nodes at once, ``function(proportions)`` with proportions
(m, n_classes) -> (m,), passed directly or registered under a name with `register_criterion`. It is called in
batches between compiled steps, so that nothing needs recompiling.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treelib.table.checks import is_real
from treelib.topdown.grow import impurity
from treelib.topdown.grow.impurity import (
    ABSOLUTE_ERROR,
    GEOMETRIC,
    GINI,
    MISCLASSIFICATION,
    SQUARED_ERROR,
    TIE,
    TSALLIS,
    TWEEDIE,
)

CUSTOM = -1
CLASSIFICATION = ("gini", "entropy", "km", "tsallis", "gamma", "misclassification")
REGRESSION = ("squared_error", "absolute_error", "poisson", "tweedie")

ALSO = {"log_loss": "entropy", "friedman_mse": "squared_error"}  # scikit-learn's other names

_registered = {}


class Criterion(NamedTuple):
    """A criterion in the form that kernels use.

    Attributes
    ----------
    code : int
        Number of the family (`treelib.topdown.grow.impurity`), CUSTOM for a Python function.
    alpha, beta : float
        Its parameters; for "gamma" alpha is gamma, for "tweedie" alpha is the power.
    scale : float
        Factor from the kernels' impurity to g in the module's table.
    function : callable or None
        From (m, n_classes) proportions to (m,), for CUSTOM only.

    Examples
    --------
    >>> from treelib.topdown.criteria import resolve
    >>> criterion = resolve("tsallis", alpha=0.5, beta=2)
    >>> criterion.alpha, criterion.beta
    (0.5, 2.0)
    """

    code: int
    alpha: float = 1.0
    beta: float = 1.0
    scale: float = 1.0
    function: Callable = None

    def is_strictly_concave(self, n_classes):
        """Whether g is known to be strictly concave: every best split with a gain is then a vertex.

        Parameters
        ----------
        n_classes : int
            Number of classes.

        Returns
        -------
        bool
            False if not known.
        """
        is_flat = self.code == MISCLASSIFICATION or (self.code == TSALLIS and self.alpha == 0)
        is_flat |= self.code == GEOMETRIC and n_classes > 2  # 0 wherever a class is missing
        return self.is_concave(n_classes) and not is_flat

    def is_concave(self, n_classes):
        """Whether g is known to be concave: no split makes it worse, and some best split is a vertex.

        Parameters
        ----------
        n_classes : int
            Number of classes.

        Returns
        -------
        bool
            False if not known.
        """
        if self.code == TSALLIS:
            product = self.alpha * self.beta
            return (self.alpha >= 1 and product >= 1) or (self.alpha <= 1 and product <= 1)
        if self.code == GEOMETRIC:
            return self.alpha * (1 if n_classes <= 2 else n_classes) <= 1
        return self.code in (GINI, MISCLASSIFICATION)

    def impurity(self, counts):
        """Impurity g of nodes.

        Parameters
        ----------
        counts : array-like of shape (m, n_classes) or (n_classes,)
            Class weights of the nodes.

        Returns
        -------
        float64 ndarray of shape (m,), or float
            One value per node.
        """
        counts = np.asarray(counts, dtype=np.float64)
        rows = np.atleast_2d(counts)
        weight = rows.sum(axis=1)
        known = weight > 0
        g = np.zeros(len(rows))
        if self.function is not None:
            g[known] = evaluate(self.function, rows[known] / weight[known, None])
        else:
            costs = np.empty(len(rows))
            rows = np.ascontiguousarray(rows)
            impurity.node_costs(self.code, float(self.alpha), float(self.beta), rows, costs)
            g[known] = self.scale * costs[known] / weight[known]
        return g if counts.ndim == 2 else float(g[0])


def resolve(criterion, *, alpha=1.0, beta=1.0, gamma=1.0):
    """Classification criterion from a name, a function, or a `Criterion` (returned unchanged).

    Parameters
    ----------
    criterion : str, callable or Criterion
        As in `treelib.TopDownTreeClassifier`.
    alpha, beta, gamma : float
        Parameters of the named criteria that have them.

    Returns
    -------
    Criterion
        The criterion.

    Raises
    ------
    ValueError
        If the name is unknown or a parameter is out of range.

    Examples
    --------
    >>> from treelib.topdown.criteria import resolve
    >>> resolve("tsallis", alpha=0.5, beta=2) == resolve(resolve("tsallis", alpha=0.5, beta=2))
    True
    >>> resolve("tsallis", alpha=-1)
    Traceback (most recent call last):
        ...
    ValueError: alpha=-1 must be a finite number, at least 0.
    """
    if isinstance(criterion, Criterion):
        return criterion
    if callable(criterion):
        return Criterion(CUSTOM, function=criterion)
    name = ALSO.get(criterion, criterion) if isinstance(criterion, str) else None
    if name == "gini":
        return Criterion(GINI, 2.0, 1.0)
    if name == "entropy":
        return Criterion(TSALLIS, 1.0, 1.0, 1 / np.log(2))
    if name == "km":
        return Criterion(TSALLIS, 0.5, 2.0, 0.5)
    if name == "tsallis":
        alpha, beta = _number("alpha", alpha, 0.0), _number("beta", beta, 0.0, open_end=True)
        return Criterion(TSALLIS, alpha, beta)
    if name == "gamma":
        return Criterion(GEOMETRIC, _number("gamma", gamma, 0.0, open_end=True))
    if name == "misclassification":
        return Criterion(MISCLASSIFICATION)
    if name in _registered:
        return Criterion(CUSTOM, function=_registered[name])
    raise ValueError(
        f"criterion={criterion!r} is not known; give one of {', '.join(map(repr, CLASSIFICATION))}, "
        f"a name given to register_criterion ({', '.join(map(repr, _registered)) or 'none yet'}), "
        "or a function of class proportions."
    )


def resolve_regression(criterion, *, power=0.0):
    """Regression criterion from a name; see `resolve`.

    Parameters
    ----------
    criterion : str
        As in `treelib.TopDownTreeRegressor`.
    power : float
        Parameter of "tweedie".

    Returns
    -------
    Criterion
        The criterion.

    Examples
    --------
    >>> from treelib.topdown.criteria import resolve_regression
    >>> resolve_regression("tweedie", power=0.5).alpha
    0.5
    """
    if isinstance(criterion, Criterion):
        return criterion
    name = ALSO.get(criterion, criterion) if isinstance(criterion, str) else None
    if name == "squared_error":
        return Criterion(SQUARED_ERROR, 0.0)
    if name == "absolute_error":
        return Criterion(ABSOLUTE_ERROR, 0.0)
    if name == "poisson":
        return Criterion(TWEEDIE, 1.0, scale=0.5)
    if name == "tweedie":
        power = _number("power", power, 0.0, 1.0)
        return Criterion(SQUARED_ERROR if power == 0 else TWEEDIE, power)
    raise ValueError(f"criterion={criterion!r} is not known; give one of {', '.join(map(repr, REGRESSION))}.")


def register_criterion(name, function):
    """Make `function` available as ``criterion=name``.

    Parameters
    ----------
    name : str
        Any name except the built-in ones. Registering a name again replaces the function.
    function : callable
        From ``(m, n_classes)`` class proportions to ``(m,)`` impurities, 0 for a pure node.

    Examples
    --------
    >>> import numpy as np
    >>> from treelib.topdown.criteria import register_criterion, resolve
    >>> register_criterion("squared gini", lambda p: (1 - (p**2).sum(axis=1)) ** 2)
    >>> resolve("squared gini").impurity([1, 3]).__round__(6)
    0.140625
    """
    if not isinstance(name, str) or name in (*CLASSIFICATION, *REGRESSION, *ALSO):
        raise ValueError(f"name={name!r} must be a text that is not the name of a built-in criterion.")
    if not callable(function):
        raise TypeError(f"function={function!r} must be callable: (m, n_classes) proportions -> (m,).")
    evaluate(function, np.array([[0.5, 0.5], [1.0, 0.0]]))
    _registered[name] = function


def first_of_least(costs, scale, before=np.inf):
    """Place of the first of the least costs, those equal but for rounding; -1 where it is not below `before`.

    costs : float64 (n,). scale : float, the cost of the node that is split. The rule is that of
    `treelib.topdown.grow.impurity.margin`.
    """
    least = costs.min()
    equal = TIE * max(abs(least), abs(scale))
    first = int(np.argmax(costs <= least + equal))
    return first if costs[first] + equal < before else -1


def evaluate(function, proportions):
    """Impurities of the rows of `proportions` by a user's function, checked."""
    values = np.asarray(function(proportions), dtype=np.float64)
    if values.shape != (len(proportions),):
        raise ValueError(
            f"The criterion returned an array of shape {values.shape} for proportions of shape "
            f"{proportions.shape}; it must return one impurity a row."
        )
    if not np.isfinite(values).all():
        row = proportions[~np.isfinite(values)][0]
        raise ValueError(f"The criterion is not finite at the class proportions {row.tolist()}.")
    return values


def _number(name, value, low, high=np.inf, open_end=False):
    if not is_real(value) or not low <= value <= high or value == np.inf or (open_end and value == low):
        interval = f"{'more than' if open_end else 'at least'} {low:g}"
        interval += "" if high == np.inf else f" and at most {high:g}"
        raise ValueError(f"{name}={value!r} must be a finite number, {interval}.")
    return float(value)
