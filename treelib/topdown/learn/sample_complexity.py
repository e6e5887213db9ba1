"""How many problem instances it takes to learn a parameter: the paper's bounds for your own numbers.

Every theorem of the paper has one form: the loss on one instance takes at most R values as the parameter
varies (is constant on R pieces), so ``O((H / epsilon)^2 (ln R + ln 1/delta))`` instances suffice for the
parameter of least empirical loss to be within epsilon of the best one, with probability 1 - delta.
`ln_pieces` gives the paper's ``ln R``. `sufficient_size` is a guarantee, with all constants, and takes a
measured R too, which is far below the worst case.

Notes
-----
The guarantee is Vapnik and Chervonenkis' argument. On 2M instances a real parameter has at most
``2 M (R - 1) + 1`` behaviours, so with losses in [0, H] and ``M e^2 >= 2 H^2`` a mean over M instances is
further than e from its expectation, for some parameter, with probability at most
``4 (2 M (R - 1) + 1) exp(-M e^2 / (8 H^2))``. With ``e = epsilon / 2`` the empirical minimiser is within
epsilon of the best parameter. For k real parameters the number of behaviours is at most ``(2 M R)^k``.
"""

from math import comb, exp, log, log1p, sqrt

from treelib.table.checks import check_choice

PARAMETERS = (
    "alpha, beta",
    "gamma",
    "sigma, phi",
    "power",
    "complexity",
    "c1, c2",
    "forest",
    "lambda",
    "joint",
)


def ln_pieces(parameter, *, t, n_functions=None, n_classes=None, n_betas=1, n=None, n_trees=1):
    """Natural logarithm of the paper's bound on the behaviours of the learner on one instance.

    Parameters
    ----------
    parameter : str
        ``"alpha, beta"`` (Theorem 3.3), ``"gamma"`` (3.5), ``"sigma, phi"`` (3.6), ``"power"`` (3.7),
        ``"complexity"`` (4.1), ``"c1, c2"`` (4.2), ``"forest"`` (5.1), ``"lambda"`` of gradient boosting
        (6.1), ``"joint"`` for alpha, beta and the complexity parameter (7.1).
    t : int
        Size of the tree.
    n_functions : int
        Number of node functions, ``|F|``.
    n_classes : int
        Number of classes, c.
    n_betas : int
        Number of values of beta, B.
    n : int
        Number of samples in an instance.
    n_trees : int
        Number of trees of a forest or of boosting.

    Returns
    -------
    float
        The bound. For theorems that bound a pseudo-dimension by a GJ algorithm (4.2, 6.1), the logarithm of
        its degree times its predicate complexity, as in Theorem A.1.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import ln_pieces
    >>> round(ln_pieces("complexity", t=10), 2)
    2.3
    >>> round(ln_pieces("alpha, beta", t=10, n_functions=100, n_classes=3, n_betas=8), 1)
    212.2
    """
    check_choice("parameter", parameter, PARAMETERS)
    needed = {
        "alpha, beta": {"n_functions": n_functions, "n_classes": n_classes},
        "gamma": {"n_functions": n_functions},
        "power": {"n_functions": n_functions, "n": n},
        "forest": {"n_functions": n_functions, "n_classes": n_classes, "n": n},
        "lambda": {"n_functions": n_functions},
        "joint": {"n_functions": n_functions, "n_classes": n_classes},
    }.get(parameter, {})
    for name, value in {"t": t, "n_betas": n_betas, "n_trees": n_trees, **needed}.items():
        if value is None or not value >= 1:
            raise ValueError(f"{parameter!r} needs {name}, a number of at least 1, not {value!r}.")
    if parameter in ("sigma, phi", "complexity", "c1, c2"):
        return {"sigma, phi": 2 * log(t), "complexity": log(t), "c1, c2": log(3 * t)}[parameter]
    if parameter == "lambda":
        return log(6) + 2 * t * n_trees * log(t * n_trees * n_functions)
    grown = 2 * t * (log(n_functions) + log(t))
    if parameter == "gamma":
        return grown
    if parameter == "power":
        return grown + t * log(n)
    grown += log(n_betas) + n_classes * t * log(n_betas + n_classes)
    if parameter == "joint":
        return grown + log(t)
    return grown + (2 * n_trees * log(n) if parameter == "forest" else 0.0)


def sufficient_size(ln_behaviours, epsilon, delta, loss_range=1.0, n_parameters=1):
    """Smallest number of instances for which the guarantee of this module holds.

    Parameters
    ----------
    ln_behaviours : float
        Natural logarithm of R, measured or from `ln_pieces`.
    epsilon, delta : float in (0, 1)
        Excess loss, and probability that it is larger.
    loss_range : float
        Largest minus smallest loss, H.
    n_parameters : int
        Number of real parameters that vary together; finitely many values of another one, such as beta,
        belong in R.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import sufficient_size
    >>> sufficient_size(ln_behaviours=5.0, epsilon=0.1, delta=0.05)
    67818
    """
    _check_probabilities(epsilon, delta)
    low, high = 0, 1
    while failure_probability(high, ln_behaviours, epsilon, loss_range, n_parameters) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if failure_probability(middle, ln_behaviours, epsilon, loss_range, n_parameters) > delta:
            low = middle
        else:
            high = middle
    return high


def guaranteed_excess(n_instances, ln_behaviours, delta, loss_range=1.0, n_parameters=1):
    """The excess loss epsilon that a number of instances guarantees with probability 1 - `delta`.

    Parameters
    ----------
    n_instances : int
        Number of problem instances.
    ln_behaviours, delta, loss_range, n_parameters
        As in `sufficient_size`.

    Returns
    -------
    float
        The excess loss, at most `loss_range`; that value means no guarantee.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import guaranteed_excess
    >>> round(guaranteed_excess(5000, ln_behaviours=5.0, delta=0.05), 3)
    0.345
    """
    _check_probabilities(0.5, delta)
    ln_patterns = _ln_patterns(n_instances, ln_behaviours, n_parameters)
    deviation = loss_range * sqrt(8 * (log(4 / delta) + ln_patterns) / n_instances)
    return min(2 * max(deviation, loss_range * sqrt(2 / n_instances)), loss_range)


def failure_probability(n_instances, ln_behaviours, epsilon, loss_range=1.0, n_parameters=1):
    """Bound on the probability that the empirical minimiser is worse than the best by more than `epsilon`.

    Parameters
    ----------
    n_instances : int
        Number of problem instances.
    ln_behaviours, epsilon, loss_range, n_parameters
        As in `sufficient_size`.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import failure_probability
    >>> round(failure_probability(100_000, ln_behaviours=5.0, epsilon=0.1), 6)
    3e-06
    """
    deviation = epsilon / 2 / loss_range
    if n_instances * deviation**2 < 2:
        return 1.0
    exponent = (
        log(4) + _ln_patterns(n_instances, ln_behaviours, n_parameters) - n_instances * deviation**2 / 8
    )
    return exp(min(exponent, 0.0))


def _ln_patterns(n_instances, ln_behaviours, n_parameters):
    """ln of the behaviours on a sample and its double."""
    if n_parameters > 1:
        return n_parameters * (log(2 * n_instances) + ln_behaviours)
    # ln(2 M (R - 1) + 1) without overflow for the worst cases of the paper
    if ln_behaviours > 30:
        return log(2 * n_instances) + ln_behaviours
    return log1p(2 * n_instances * (exp(ln_behaviours) - 1))


# ---- dimensions -------------------------------------------------------------------------------------


def dimension_of_pieces(n_pieces):
    """Largest pseudo-dimension of losses with at most `n_pieces` pieces in one real parameter (Lemma 2.2).

    m instances and thresholds cut the line into at most ``m (n_pieces - 1) + 1`` pieces, each of one pattern
    of signs, and shattering needs 2^m patterns.

    Parameters
    ----------
    n_pieces : int
        Maximum number of pieces of a loss.

    Returns
    -------
    int
        The pseudo-dimension.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import dimension_of_pieces
    >>> dimension_of_pieces(1000)
    13
    """
    m = 0
    while 2 ** (m + 1) <= (m + 1) * (n_pieces - 1) + 1:
        m += 1
    return m


def dimension_of_union(n_classes, dimension):
    """Largest pseudo-dimension of a union of `n_classes` classes of pseudo-dimension at most `dimension`.

    The largest m with ``2^m <= k (C(m, 0) + ... + C(m, d))``, by Sauer's lemma: what the proof of Theorem 8.1
    shows, without its constant, which is too small. Attained for k = 2: sets of at most d, and of at least
    d + 1, of 2 d + 1 points.

    Parameters
    ----------
    n_classes : int
        Number of classes of functions, k.
    dimension : int
        Largest pseudo-dimension of one of them, d.

    Returns
    -------
    int
        The pseudo-dimension.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import dimension_of_union
    >>> dimension_of_union(n_classes=2, dimension=3)
    7
    """
    m = dimension
    while 2 ** (m + 1) <= n_classes * sum(comb(m + 1, i) for i in range(dimension + 1)):
        m += 1
    return m


def printed_dimension_of_union(n_classes, dimension):
    """The bound Theorem 8.1 prints, ``e^2 / (e^2 - 1) (ln k + d)``; false, see `dimension_of_union`.

    Parameters
    ----------
    n_classes, dimension : int
        As in `dimension_of_union`.

    Returns
    -------
    float
        The printed bound.

    Examples
    --------
    >>> from treelib.topdown.learn.sample_complexity import printed_dimension_of_union
    >>> round(printed_dimension_of_union(n_classes=2, dimension=3), 2)
    4.27
    """
    return exp(2) / (exp(2) - 1) * (log(n_classes) + dimension)


def _check_probabilities(epsilon, delta):
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if not 0 < value < 1:
            raise ValueError(f"{name}={value!r} must lie between 0 and 1.")
