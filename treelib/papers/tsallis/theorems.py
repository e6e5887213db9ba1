"""The paper's propositions and theorems as statements that can be checked, each by a function of its own.

Every function returns plain numbers: what was tried, what was found, and where a statement fails. None reads
stored results; all take seconds. What a theorem says up to a constant that is not stated is not checked; what
its proof counts is.
"""

from fractions import Fraction
from itertools import combinations
from math import comb, log

import numpy as np

from treelib.topdown.criteria import resolve
from treelib.topdown.grow.learner import Limits, Problem, learn
from treelib.topdown.learn import pessimistic_risk, pruning_risk, splitting_risk
from treelib.topdown.learn.sample_complexity import (
    dimension_of_pieces,
    dimension_of_union,
    printed_dimension_of_union,
)
from treelib.tree.stored import Tree

# ---- criteria: Propositions 3.1 and 3.2, Sections 3.2 and 3.4 ---


def concavity_excess(alpha, beta, n_classes, n_points=1001):
    """How far (alpha, beta)-Tsallis entropy is from concave, for alpha below 1.

    ``S^beta`` has to be concave there. On distributions of k equal classes and c - k other equal ones, its
    second derivative has the sign of ``(beta - 1) S'^2 + S S''``.

    Returns
    -------
    float, the largest value of that sum over ``|S S''|``; above 0 the criterion is not concave
    """
    p = np.linspace(0, 1, n_points + 2)[1:-1]
    worst = -np.inf
    for k in range(1, n_classes):
        one, other = p / k, (1 - p) / (n_classes - k)
        power = k * one**alpha + (n_classes - k) * other**alpha
        slope = alpha * (one ** (alpha - 1) - other ** (alpha - 1))
        bend = alpha * (alpha - 1) * (one ** (alpha - 2) / k + other ** (alpha - 2) / (n_classes - k))
        worst = max(worst, float((((beta - 1) * slope**2 + power * bend) / np.abs(power * bend)).max()))
    return worst


def concave_below(beta, n_classes, alphas=None):
    """Values of alpha in (1 / beta, 1), which Proposition 3.2 leaves out, and whether concavity fails there.

    Returns
    -------
    alphas : float (k,). fails : bool (k,)
    """
    alphas = np.arange(0.05, 1, 0.05) if alphas is None else np.asarray(alphas)
    alphas = alphas[alphas * beta > 1 + 1e-9]
    return alphas, np.array([concavity_excess(alpha, beta, n_classes) > 0 for alpha in alphas], dtype=bool)


def proposition_3_2(n_pairs=300, seed=0, alphas=(0.1, 0.25, 1 / 3, 0.5, 1.0, 1.5, 2.0, 2.45, 4.0, 8.0)):
    """Symmetry, zeros and concavity of (alpha, beta)-Tsallis entropy where Proposition 3.2 claims them.

    Returns
    -------
    dict: ``checked``, settings (alpha, beta, number of classes) times pairs of distributions; ``failures``,
    list of (alpha, beta, n_classes, property)
    """
    rng = np.random.default_rng(seed)
    failures, checked = [], 0
    for alpha in alphas:
        for beta in range(1, 9):
            if 1 / beta + 1e-12 < alpha < 1:
                continue
            g = resolve("tsallis", alpha=alpha, beta=beta).impurity
            for n_classes in (2, 3, 5):
                # concentrations from nearly pure to flat
                spread = rng.choice([0.1, 1.0, 5.0], 2)
                P, Q = (rng.dirichlet(np.full(n_classes, one), n_pairs) for one in spread)
                share = rng.random((n_pairs, 1))
                middle, ends = g(share * P + (1 - share) * Q), share[:, 0] * g(P) + (1 - share[:, 0]) * g(Q)
                checked += n_pairs
                found = {
                    "concave": (middle >= ends - 1e-9 * (1 + np.abs(ends))).all(),
                    "symmetric": np.allclose(
                        g(P[:, rng.permutation(n_classes)]), g(P), rtol=1e-9, atol=1e-12
                    ),
                    "zero": np.allclose(g(np.eye(n_classes)), 0, atol=1e-12),
                }
                failures += [(alpha, beta, n_classes, name) for name, holds in found.items() if not holds]
    return {"checked": checked, "failures": failures}


def gamma_counterexample():
    """The geometric criterion of gamma = 1 is not concave for three classes (Section 3.2), in fractions.

    Returns
    -------
    middle, mean : Fraction, g at the middle of two distributions, and the mean of g over them; concavity
    asks for middle >= mean
    """
    one = Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)
    other = Fraction(0), Fraction(0), Fraction(1)
    middle = tuple((p + q) / 2 for p, q in zip(one, other, strict=True))
    return _product(middle), (_product(one) + _product(other)) / 2


def _product(shares):
    product = Fraction(1)
    for share in shares:
        product *= share
    return product


def gamma_concavity(n_classes, gammas, n_pairs=20_000, seed=0):
    """Whether midpoints of random pairs refute concavity of ``(prod p)^gamma``; bool (n_gammas,), True: none
    does. Towards a vertex, ``(c - 1) gamma <= 1`` is necessary."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(n_classes), n_pairs)
    Q = np.where(
        rng.random((n_pairs, 1)) < 0.5, np.eye(n_classes)[-1], rng.dirichlet(np.ones(n_classes), n_pairs)
    )

    def g(shares, gamma):
        return shares.prod(axis=1) ** gamma

    return np.array([(g((P + Q) / 2, c) >= (g(P, c) + g(Q, c)) / 2 - 1e-12).all() for c in gammas])


def tweedie_forms(power, y=(0.0, 1.0, 2.0, 5.0)):
    """The mean Tweedie deviance of targets from their mean: as printed, and with the middle term
    ``y mean^(1-p) / (1-p)`` that it must have (Section 3.4); 0 <= power < 1.

    Returns
    -------
    dict: ``printed``, ``corrected``, ``mse`` and ``hpd`` (mean squared error and half Poisson deviance)
    """
    y = np.asarray(y, dtype=np.float64)
    mean, p = y.mean(), power
    first, last = y ** (2 - p) / ((1 - p) * (2 - p)), mean ** (2 - p) / (2 - p)
    ratio = np.divide(y, mean)
    hpd = (y * np.log(ratio, out=np.zeros_like(y), where=y > 0) - y + mean).mean()
    return {
        "printed": float(2 * (first - y * mean / (1 - p) + last).mean()),
        "corrected": float(2 * (first - y * mean ** (1 - p) / (1 - p) + last).mean()),
        "mse": float(((y - mean) ** 2).mean()),
        "hpd": float(hpd),
    }


# ---- counting roots and pieces: Lemma A.2, Theorems 3.5 to 3.7 and 5.1


def exponential_roots(n_sums=500, seed=0):
    """Real roots of random sums of n exponentials against Lemma A.2 and against Descartes' rule of signs.

    Exponents are whole numbers, so that ``e^x`` turns the sums into polynomials.

    Returns
    -------
    dict: ``above_lemma``, sums with more than n - 1 roots; ``above_signs``, sums with more roots than changes
    of sign in the order of exponents; ``attained``, whether n - 1 roots occur for every n from 2 to 6
    """
    rng = np.random.default_rng(seed)
    above_lemma = above_signs = 0
    for _ in range(n_sums):
        n = int(rng.integers(2, 8))
        exponents = np.sort(rng.choice(12, n, replace=False))
        coefficients = rng.integers(1, 20, n) * rng.choice([-1, 1], n)
        polynomial = np.zeros(exponents[-1] + 1)
        polynomial[exponents] = coefficients
        roots = np.roots(polynomial[::-1])
        n_roots = np.unique(np.round(roots[(np.abs(roots.imag) < 1e-9) & (roots.real > 1e-9)].real, 7)).size
        above_lemma += n_roots > n - 1
        above_signs += n_roots > np.count_nonzero(np.diff(np.sign(coefficients)))
    attained = all(np.count_nonzero(np.poly(np.arange(1, n))) == n for n in range(2, 7))
    return {"above_lemma": int(above_lemma), "above_signs": int(above_signs), "attained": attained}


def behaviours(X, y, parameter, n_splits):
    """Behaviours of the learner on one data set as `parameter` varies ("gamma", or "power" for regression).

    Returns
    -------
    dict: ``pieces``; ``log10_bound``, of the product over the splits of pairs of candidates times the five
    roots that a comparison of six terms can have
    """
    found = splitting_risk.exact_loss(splitting_risk.Instance(X, y), parameter, max_splits=n_splits)
    candidates = [leaves * found.instances[0].n_functions for leaves in range(1, n_splits + 1)]
    bound = sum(np.log10(max(comb(n, 2) * 5, 1)) for n in candidates)
    return {"pieces": found.n_behaviours, "log10_bound": float(bound)}


def tweedie_terms(seed=0, n=40):
    """How far sums over all rows of ``y^(2-p)`` change the order of splits (Theorem 3.7): not at all.

    Returns
    -------
    float, the largest difference, over splits and powers, between the decrease of the deviance and
    ``2 (n_l m_l^(2-p) + n_r m_r^(2-p) - n m^(2-p)) / ((1-p) (2-p))``, which has three terms, not n
    """
    rng = np.random.default_rng(seed)
    y, worst = rng.gamma(2.0, 1.0, n), 0.0
    for power in (0.0, 0.3, 0.9):
        for cut in range(1, n):
            parts = y[:cut], y[cut:]
            decrease = n * tweedie_forms(power, y)["corrected"] - sum(
                len(part) * tweedie_forms(power, part)["corrected"] for part in parts
            )
            q = 2 - power
            short = sum(len(part) * part.mean() ** q for part in parts) - n * y.mean() ** q
            worst = max(worst, abs(decrease - 2 * short / ((1 - power) * q)))
    return worst


def forest_behaviours(X, y, n_trees, beta=1, max_depth=3, seed=0):
    """Behaviours of a forest on fixed bootstrap samples as alpha varies, and those of its trees alone.

    They add up, since a forest changes only where one of its trees does; Theorem 5.1 multiplies.

    Returns
    -------
    dict: ``forest``, ``trees`` (list)
    """
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, len(y), len(y)) for _ in range(n_trees)]
    found = splitting_risk.exact_loss(
        [splitting_risk.Instance(X[r], y[r]) for r in rows], beta=beta, max_depth=max_depth
    )
    return {"forest": found.n_behaviours, "trees": [len(part.steps) for part in found.instances]}


def initial_trees(t, seed=0):
    """Distinct trees that the prior's random numbers give as sigma and phi vary (Theorem 3.6).

    The i-th node asked is split if ``sigma (1 + d)^-phi > z_i``: in (phi, ln sigma) that is above a straight
    line of slope ``ln(1 + d)``. Nodes are asked breadth first, t - 1 at most.

    Returns
    -------
    dict: ``trees``; ``curves``, lines (z_i, depth) that decide anything; ``bound``, t^2
    """
    z = np.random.default_rng(seed).random(t - 1)
    lines = [(log(1 + d), log(z[i]), (i, d)) for i in range(t - 1) for d in range(i + 1)]
    at = [0.0]
    for (slope, height, _), (other_slope, other_height, _) in combinations(lines, 2):
        if slope != other_slope:
            at.append((other_height - height) / (slope - other_slope))
    at = np.unique([phi for phi in at if phi >= 0])
    trees, asked = set(), set()
    for phi in np.append((at[1:] + at[:-1]) / 2, at[-1] + 1):
        heights = np.sort([height + phi * slope for slope, height, _ in lines])
        for sigma in (*(heights[1:] + heights[:-1]) / 2, heights[0] - 1, heights[-1] + 1):
            tree, decided = _initial_tree(z, phi, sigma)
            trees.add(tree)
            asked |= decided
    return {"trees": len(trees), "curves": len(asked), "bound": t**2}


def _initial_tree(z, phi, log_sigma):
    """Decisions of the nodes in the order asked, and the pairs (node asked, depth)."""
    queue, decisions, asked = [0], [], set()
    for i, height in enumerate(np.log(z)):
        if i >= len(queue):
            break
        depth = queue[i]
        asked.add((i, depth))
        splits = log_sigma - phi * log(1 + depth) > height
        decisions.append(bool(splits))
        queue += [depth + 1, depth + 1] if splits else []
    return tuple(decisions), asked


# ---- pruning: Theorems 4.1, 4.2 and 7.1 -------------------------


def grown_tree(X, y, criterion="gini", **limits):
    """`Tree` of the learner on one data set."""
    n_classes = int(np.max(y)) + 1
    grown = learn(
        Problem(np.ascontiguousarray(X, dtype=float), y, n_classes), resolve(criterion), Limits(**limits)
    )
    return grown.to_tree(X.shape[1], n_classes)


def complexity_pieces(X, y):
    """Pieces of the complexity parameter on one data set (Theorem 4.1).

    Returns
    -------
    dict: ``pieces``, ``leaves``, ``splits``; the theorem's t is the number of leaves
    """
    tree = grown_tree(X, y)
    found = pruning_risk.complexity_loss(pruning_risk.PruningInstance(tree, X, y))
    return {"pieces": len(found.steps[0]), "leaves": tree.n_leaves, "splits": tree.n_leaves - 1}


def chain_with_a_piece_for_every_leaf(n_leaves=4):
    """A tree of k leaves whose cost-complexity path has k pieces: t of Theorem 4.1 must count leaves.

    Returns
    -------
    dict as of `complexity_pieces`
    """
    # from the bottom up, each split saves one error more than the one below
    nested = [0, 100]
    for saved in range(1, n_leaves):
        nested = 0, float(saved), [saved, 0], nested
    tree = Tree.from_nested(nested, 1, n_classes=2)
    found = pruning_risk.complexity_loss(
        pruning_risk.PruningInstance(tree, np.zeros((1, 1)), np.zeros(1, dtype=int))
    )
    return {"pieces": len(found.steps[0]), "leaves": tree.n_leaves, "splits": tree.n_leaves - 1}


def pessimistic_pieces(X, y):
    """Curves and pieces of (c1, c2) on one data set (Theorem 4.2).

    Returns
    -------
    dict: ``curves``, ``leaves``, ``splits``, ``prunings``
    """
    return _curves(grown_tree(X, y))


def _curves(tree):
    n_features = tree.n_features
    blank = pruning_risk.PruningInstance(tree, np.zeros((1, n_features)), np.zeros(1, dtype=int))
    found = pessimistic_risk.pessimistic_loss(
        blank, (1e-3, 50.0), (0.0, 100.0), n_attributes=max(n_features, 2)
    )
    leaves = tree.n_leaves
    return {"curves": found.n_curves, "leaves": leaves, "splits": leaves - 1, "prunings": found.n_prunings}


def more_curves_than_nodes():
    """A tree whose pessimistic pruning needs more curves than it has splits, and even leaves.

    The test of a node looks at its subtree as it was pruned below, so one node can have several curves. The
    proof of Theorem 4.2 counts one for each node. Found by a search over random trees.

    Returns
    -------
    dict as of `pessimistic_pieces`
    """
    pure = (0, 4.0, (0, 2.0, [0, 13], [3, 0]), (0, 2.0, [39, 0], [0, 53]))
    mixed = (0, 3.0, [5, 0], (0, 2.0, [16, 0], [2, 20]))
    other = (0, 3.0, [0, 16], (0, 2.0, [19, 27], [3, 0]))
    nested = (0, 11.0, [0, 13], (0, 10.0, (0, 7.0, pure, mixed), other))
    return _curves(Tree.from_nested(nested, 1, n_classes=2))


# ---- dimensions: Lemma 2.2 and Theorem 8.1 ----------------------


def union_counterexample(dimension):
    """Sets of at most d and of more than d out of 2 d + 1 points: Theorem 8.1 as printed fails.

    Returns
    -------
    dict: ``dimensions`` of the two classes and ``union``, all by listing sets; ``printed``, the bound;
    ``corrected``, the bound of `treelib.topdown.learn.sample_complexity.dimension_of_union`
    """
    points = range(2 * dimension + 1)
    subsets = [frozenset(s) for k in range(len(points) + 1) for s in combinations(points, k)]
    small = [s for s in subsets if len(s) <= dimension]
    large = [s for s in subsets if len(s) > dimension]
    return {
        "dimensions": [_shattering(small, subsets), _shattering(large, subsets)],
        "union": _shattering(subsets, subsets),
        "printed": printed_dimension_of_union(2, dimension),
        "corrected": dimension_of_union(2, dimension),
    }


def _shattering(sets, candidates):
    """Size of the largest set of points that `sets` shatter."""
    return max(len(c) for c in candidates if len({s & c for s in sets}) == 2 ** len(c))


def dimensions_of_pieces(most=4096):
    """Lemma 2.2 with its constant: list of (pieces, bound on the pseudo-dimension, log2 of the pieces)."""
    pieces = [2**k for k in range(1, int(np.log2(most)) + 1)]
    return [(n, dimension_of_pieces(n), float(np.log2(n))) for n in pieces]
