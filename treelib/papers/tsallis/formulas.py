"""What the paper's formulas give when they are computed: members of the family, the boosting score's degree,
the prior of Bayesian trees, the objective of pruning, and the splits that its printed cells come from.

As in `treelib.papers.tsallis.theorems`, every function returns plain numbers and takes seconds.
"""

from fractions import Fraction
from itertools import product
from math import ceil, log10

import numpy as np

from treelib import BayesianTreeClassifier, TopDownTreeClassifier
from treelib.papers.tsallis.theorems import grown_tree
from treelib.topdown.criteria import resolve
from treelib.topdown.learn import splitting_risk
from treelib.topdown.prune.methods import cost_complexity_path, wrong_counts

# ---- the family: Section 3.1 ------------------------------------------------------------------------


def standard_criterion(name, p):
    """Gini impurity, entropy, or the criterion of Kearns and Mansour (two classes), as their authors have "
    "them.

    p : float (n, n_classes) above 0
    """
    return {
        "Gini": 1 - (p**2).sum(axis=1),
        "Entropy": -(p * np.log(p)).sum(axis=1),
        "KM96": 2 * np.sqrt(p[:, 0] * p[:, -1]),
    }[name]


def members(name, alphas, betas, n_classes=3, n=200, seed=0):
    """Points of a grid whose criterion is a multiple of a standard one, on random class shares.

    Returns
    -------
    list of (alpha, beta)
    """
    p = np.random.default_rng(seed).dirichlet(np.ones(n_classes), n)
    wanted = standard_criterion(name, p)

    def is_multiple(alpha, beta):
        ratio = resolve("tsallis", alpha=alpha, beta=beta).impurity(p) / wanted
        return np.ptp(ratio) <= 1e-9 * abs(ratio[0])

    return [point for point in product(alphas, betas) if is_multiple(*point)]


def printed_formula(p, alpha, beta, factor=1.0):
    """``C / (alpha - 1) (1 - (sum p^alpha)^beta)``, float (n,)."""
    return factor / (alpha - 1) * (1 - (p**alpha).sum(axis=1) ** beta)


def follows_the_formula(X, y, alphas=(0.35, 0.5, 2.0, 2.45), betas=(1, 2, 6), factor=7.0):
    """Whether the learner's criterion is the printed formula, and whether its constant changes no tree.

    Returns
    -------
    error : float, largest difference of the criterion from the formula with C = 1. n_same, n_all : trees that
    C = `factor` leaves as they are
    """
    p = np.random.default_rng(0).dirichlet(np.ones(3), 200)
    error, n_same = 0.0, 0
    for alpha, beta in product(alphas, betas):
        own = resolve("tsallis", alpha=alpha, beta=beta).impurity(p)
        error = max(error, float(np.abs(own - printed_formula(p, alpha, beta)).max()))

        def scaled(shares, alpha=alpha, beta=beta):
            return printed_formula(shares, alpha, beta, factor)

        trees = [
            TopDownTreeClassifier(criterion, alpha=alpha, beta=beta, max_depth=3).fit(X, y).tree_
            for criterion in ("tsallis", scaled)
        ]
        n_same += trees[0].same_function(trees[1])
    return error, n_same, len(alphas) * len(betas)


def behaviours_without_loss(X, y, beta=1):
    """Trees grown to the end have no error on their own rows, at any alpha (Theorem 3.4).

    Returns
    -------
    behaviours : int, different runs of the learner. breakpoints : int, of the loss
    """
    found = splitting_risk.exact_loss(splitting_risk.Instance(X, y), beta=beta)
    return found.n_behaviours, len(found.loss.values) - 1


# ---- the prior: Section 3.3 -------------------------------------------------------------------------


def prior_odds(sigma, phi, n_iter=10_000, seed=0):
    """Odds of a single leaf to a single split among sampled trees, where the labels say nothing.

    All rows have one class, so that every tree with rows in all leaves is as likely as under the prior.

    Returns
    -------
    sampled : float, mean over the chains. error : float, three standard errors.
    expected : float, ``(1 - sigma) / (sigma (1 - sigma 2^-phi)^2)``. moves : list of str
    """
    X = np.random.default_rng(seed).random((100, 3))
    model = BayesianTreeClassifier(
        sigma, phi, n_iter=n_iter, burn_in=0.1, thin=5, n_chains=6, random_state=seed
    )
    n_leaves = model.fit(X, np.zeros(len(X), dtype=int)).n_leaves_
    odds = (n_leaves == 1).sum(axis=1) / (n_leaves == 2).sum(axis=1)
    expected = (1 - sigma) / (sigma * (1 - sigma * 2.0**-phi) ** 2)
    return (
        float(odds.mean()),
        float(3 * odds.std(ddof=1) / np.sqrt(len(odds))),
        expected,
        list(model.acceptance_),
    )


# ---- pruning: Section 4 -----------------------------------------------------------------------------


def minimises_over_all_prunings(X, y, max_splits=9):
    """Whether each tree of the cost-complexity path is the smallest minimiser of ``R(T, D)`` over all "
    "prunings.

    Returns
    -------
    holds : bool. n_prunings, n_pieces : int
    """
    tree = grown_tree(X, y, max_splits=max_splits)
    wrong = [round(value) for value in wrong_counts(tree)]

    def prunings(node):
        whole = [(wrong[node], 1)]
        if tree.is_leaf[node]:
            return whole
        sides = prunings(tree.children_left[node]), prunings(tree.children_right[node])
        return whole + [(a + c, b + d) for (a, b), (c, d) in product(*sides)]

    path, everything = cost_complexity_path(tree), prunings(0)
    ends = [*path.breakpoints[1:], path.breakpoints[-1] + 1]
    holds = True
    for piece, (low, high) in enumerate(zip(path.breakpoints, ends, strict=True)):
        price = (low + high) / 2
        best = min((Fraction(errors, len(y)) + price * leaves, leaves) for errors, leaves in everything)
        own = path[piece]
        errors = round(float(wrong_counts(own)[own.is_leaf].sum()))
        holds &= (Fraction(errors, len(y)) + price * own.n_leaves, own.n_leaves) == best
    return bool(holds), len(everything), len(path)


# ---- boosting: Section 6 ----------------------------------------------------------------------------


def degree_of_score_comparison(tree, n=12, seed=0):
    """Degree in lambda of the comparison of two splits of the root in the first or second tree of a boosting.

    Squared loss from 0. In the first tree gradients are numbers. In the second they hold the weights
    ``G / (H + lambda)`` of the first one's leaves, here three, so that sums over a side have a denominator of
    three factors.

    Parameters
    ----------
    tree : {1, 2}

    Returns
    -------
    int, the larger degree of numerator and denominator, without common factors
    """
    rng = np.random.default_rng(seed)
    y = [Fraction(int(value)) for value in rng.integers(1, 30, n)]
    leaf = [0] * 2 + [1] * 4 + [2] * (n - 6)  # leaves of the first tree, of different sizes
    gradients = [([-value], [Fraction(1)]) for value in y]
    if tree == 2:
        for one in set(leaf):
            rows = [i for i in range(n) if leaf[i] == one]
            weight = [sum(y[i] for i in rows)], [Fraction(len(rows)), Fraction(1)]
            for i in rows:
                gradients[i] = _add(gradients[i], weight)
    score = [Fraction(0)], [Fraction(1)]
    for sign, left in ((1, range(0, n, 4)), (-1, range(0, n, 3))):
        for rows in (list(left), [i for i in range(n) if i not in left]):
            total = [Fraction(0)], [Fraction(1)]
            for i in rows:
                total = _add(total, gradients[i])
            top, bottom = total
            square = _product(top, top), _product(_product(bottom, bottom), [len(rows), Fraction(1)])
            score = _add(score, ([sign * value for value in square[0]], square[1]))
    return max(len(score[0]), len(score[1])) - 1


def _product(one, other):
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for (i, a), (j, b) in product(enumerate(one), enumerate(other)):
        found[i + j] += a * b
    return found


def _add(one, other):
    """Sum of two fractions of polynomials (lists of coefficients, constants first), in lowest terms."""
    (a, b), (c, d) = one, other
    left, right = _product(a, d), _product(c, b)
    size = max(len(left), len(right))
    top = [sum(part[i] for part in (left, right) if i < len(part)) for i in range(size)]
    bottom = _product(b, d)
    common = _common(bottom, top)
    return _divide(_trim(top), common)[0], _divide(bottom, common)[0]


def _trim(one):
    size = len(one)
    while size > 1 and one[size - 1] == 0:
        size -= 1
    return one[:size]


def _divide(one, other):
    """Quotient and remainder."""
    rest, quotient = list(one), [Fraction(0)] * max(1, len(one) - len(other) + 1)
    while len(rest) >= len(other) and any(rest):
        shift, factor = len(rest) - len(other), rest[-1] / other[-1]
        quotient[shift] = factor
        rest = [v - factor * other[i - shift] if i >= shift else v for i, v in enumerate(rest)][:-1] or [
            Fraction(0)
        ]
        rest = _trim(rest)
    return quotient, rest


def _common(one, other):
    """Greatest common divisor."""
    one, other = _trim(one), _trim(other)
    while any(other):
        one, other = other, _divide(one, other)[1]
    return one


# ---- printed cells: how large was the test part? ------------------------------------------------------


def is_share(printed, n):
    """Whether a printed percentage is a whole number of `n` rows, at its two digits."""
    near = int(printed * n / 100)
    return any(f"{100 * k / n:.2f}" == f"{printed:.2f}" for k in (near - 1, near, near + 1, near + 2))


def likeliest_split(cells, runs=(1,), shares=range(10, 51)):
    """The test share, and the number of runs averaged, that printed percentages speak for.

    A cell that is a whole number of ``runs * n_test`` rows is that by chance with a probability of about
    ``runs * n_test / 10,000``; its negative logarithm is what the cell says for them.

    Parameters
    ----------
    cells : list of (printed, n): percentage and rows of the data set

    Returns
    -------
    (runs, share in percent, cells that fit): of the largest sum
    """

    def support(k, share):
        best = (0.0, 0)
        for rounding in (ceil, int):
            found = [k * rounding(n * share / 100) for printed, n in cells]
            fit = [m for (printed, _), m in zip(cells, found, strict=True) if is_share(printed, m)]
            best = max(best, (sum(max(0.0, -log10(m / 1e4)) for m in fit), len(fit)))
        return best

    options = {(k, share): support(k, share) for k in runs for share in shares}
    (k, share), (_, n_fit) = max(options.items(), key=lambda option: option[1])
    return k, share, n_fit
