"""The family of criteria: Sections 3.1 and 3.2, and Algorithm 1 that splits by them.

Functions return plain numbers: what was tried, what was found, and where a statement fails."""

from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np

from treelib import TopDownTreeClassifier
from treelib.ledger.protocol.judging import EXHAUSTIVE, GIVEN, RANDOM, Trials, judge_statement, judges
from treelib.papers.tsallis import splits
from treelib.topdown.criteria import resolve

CURVES = {
    "Gini (2, 1)": (2.0, 1),
    "entropy (1, 1)": (1.0, 1),
    "Kearns-Mansour (0.5, 2)": (0.5, 2),
    "(2.45, 6)": (2.45, 6),
    "(0.5, 12), not concave": (0.5, 12),
}


def criterion_curves(n=201):
    """Impurity of two classes against the share of the second, each scaled to a largest value of 1.

    Returns
    -------
    share : float (n,)
    curves : dict of name to float (n,)
    """
    share = np.linspace(0, 1, n)
    found = {name: printed_formula(np.column_stack([share, 1 - share]), *one) for name, one in CURVES.items()}
    return share, {name: curve / curve.max() for name, curve in found.items()}


def printed_formula(p, alpha, beta, factor=1.0):
    """``C / (alpha - 1) (1 - (sum p^alpha)^beta)``, float (n,); the limit where alpha is 1."""
    if alpha == 1:
        return -factor * beta * (p * np.log(p, out=np.zeros_like(p), where=p > 0)).sum(axis=1)
    return factor / (alpha - 1) * (1 - (p**alpha).sum(axis=1) ** beta)


ALPHAS, BETAS = (0.35, 0.5, 2.0, 2.45), (1, 2, 6)


def follows_the_formula():
    """Largest difference of the learner's criterion from the printed formula with C = 1, float."""
    p, error = np.random.default_rng(0).dirichlet(np.ones(3), 200), 0.0
    for alpha, beta in product(ALPHAS, BETAS):
        own = resolve("tsallis", alpha=alpha, beta=beta).impurity(p)
        error = max(error, float(np.abs(own - printed_formula(p, alpha, beta)).max()))
    return error


def _with_and_without(X, y, alpha, beta, factor, max_depth):
    """The trees that C = 1 and C = `factor` give."""

    def grown(c):
        def scaled(shares):
            return printed_formula(shares, alpha, beta, c)

        return TopDownTreeClassifier(scaled, max_depth=max_depth).fit(X, y).tree_

    return grown(1.0), grown(factor)


def keeps_the_tree(X, y, alpha, beta, factor):
    """Whether C = `factor` gives the tree that C = 1 gives, bool."""
    one, other = _with_and_without(X, y, alpha, beta, factor, max_depth=3)
    return bool(one.same_function(other))


def keeps_the_split(X, y, alpha, beta, factor):
    """What C = `factor` does to one step of Algorithm 1: "same", "tie" where it takes another split that is
    as good to the learner's criterion within rounding, or "other"."""
    found = resolve("tsallis", alpha=alpha, beta=beta)
    taken = _with_and_without(X, y, alpha, beta, factor, max_depth=1)
    if taken[0].same_function(taken[1]):
        return "same"

    def impurity(tree):
        counts = tree.value[tree.is_leaf]
        return float((counts.sum(axis=1) * found.impurity(counts / counts.sum(axis=1, keepdims=True))).sum())

    one, other = map(impurity, taken)
    return "tie" if abs(one - other) <= 1e-9 * (1 + abs(one)) else "other"


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
    return prod(middle), (prod(one) + prod(other)) / 2


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


def shares_of(n_classes, parts):
    """All distributions over classes whose shares are multiples of ``1 / parts``: float (k, n_classes)."""
    counts = [one for one in product(range(parts + 1), repeat=n_classes) if sum(one) == parts]
    return np.array(counts) / parts


def standard_members(shares):
    """Proposition 3.1 on given shares: members of the family against the criteria they stand for.

    Parameters
    ----------
    shares : float (n, n_classes)

    Yields
    ------
    (str, bool, float), a case of the proposition, whether it holds, and the largest difference
    """
    roots = np.sqrt(shares)
    pairs = sum(roots[:, i] * roots[:, j] for i, j in combinations(range(shares.shape[1]), 2))
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    wanted = {
        (2.0, 1): 1 - (shares**2).sum(axis=1),
        (0.5, 2): 4 * pairs,
        (1.0, 1): -(shares * logs).sum(axis=1),
        (1.0, 3): -3 * (shares * logs).sum(axis=1),
    }
    for (alpha, beta), value in wanted.items():
        away = np.abs(resolve("tsallis", alpha=alpha, beta=beta).impurity(shares) - value).max()
        yield f"{splits.show((alpha, beta))}, {shares.shape[1]} classes", bool(away < 1e-9), float(away)
    for step in (1e-5, -1e-5):  # the limit at 1 from both sides
        away = np.abs(printed_formula(shares, 1 + step, 1) - wanted[1.0, 1]).max()
        yield f"alpha = {1 + step:g}, {shares.shape[1]} classes", bool(away < 1e-3), float(away)


def concave_between(shares, alphas, betas):
    """Whether members are concave at the middle of every pair of given distributions.

    shares : float (n, n_classes). Yields (str, bool, float): the member, whether it is, and the worst excess
    """
    first, second = np.array(list(combinations(range(len(shares)), 2))).T
    for alpha, beta in product(alphas, betas):
        if 1 / beta + 1e-12 < alpha < 1:
            continue
        g = resolve("tsallis", alpha=alpha, beta=beta).impurity
        ends = (g(shares[first]) + g(shares[second])) / 2
        excess = ((ends - g((shares[first] + shares[second]) / 2)) / (1 + np.abs(ends))).max()
        yield f"{splits.show((alpha, beta))}, {shares.shape[1]} classes", bool(excess <= 1e-9), float(excess)


@judges("tsallis.s3-1.*", "tsallis.s3-2.gamma-family.*")
def judge_criteria():
    """Verdicts on the family of criteria and what it contains, list of Verdict."""
    return [
        _judge_constant(),
        *_judge_geometric_family(),
        _judge_proposition_3_1(),
        _judge_proposition_3_2(),
        _judge_geometric(),
    ]


CONSTANTS = (7.0, 10 / 3)  # no powers of two, by which floating point multiplies exactly


def _judge_constant():
    """Whether the constant C of the family changes a step of Algorithm 1, and so a tree."""
    random = np.random.default_rng(0)
    line = np.arange(4.0)[:, None]
    kinds = {
        EXHAUSTIVE: ("labellings of four points on a line by two classes",
                     [(line, y) for y in product((0, 1), repeat=4) if 0 < sum(y) < len(y)]),
        RANDOM: ("tables of 12 rows, 2 columns and 3 classes",
                 [(random.integers(0, 4, (12, 2)).astype(float), random.integers(0, 3, 12))
                  for _ in range(20)]),
    }  # fmt: skip
    trials, ties = [], 0
    for how, (where, problems) in kinds.items():
        results = []
        for (X, y), alpha, beta, factor in product(problems, ALPHAS, BETAS, CONSTANTS):
            kept = keeps_the_split(X, np.array(y), alpha, beta, factor)
            ties += kept == "tie"
            results.append((f"alpha {alpha}, beta {beta}, C = {factor:.3g}", kept != "other"))
        trials.append(Trials.of(results, f"first splits that C = 7 and 10/3 leave as good, {where}", how))
    X, y = splits.samples("Iris")
    whole = [(f"alpha {a}, beta {b}", keeps_the_tree(X, y, a, b, 7.0)) for a, b in product(ALPHAS, BETAS)]
    trials.append(Trials.of(whole, "whole trees of depth 3 that C = 7 leaves as they are, Iris", GIVEN))
    return judge_statement(
        "tsallis.s3-1.definition.constant",
        trials,
        numbers={"ties": ties, "within": follows_the_formula()},
    )


def geometric_members(shares):
    """The geometric family at gamma = 1/2 and 1 against the criteria that the paper names, two classes.

    shares : float (n, 2). Yields (str, bool, float): the member, whether it is a multiple, how far from one
    """
    product_of = shares.prod(axis=1)
    wanted = {0.5: np.sqrt(product_of), 1.0: (1 - (shares**2).sum(axis=1)) / 2}
    for gamma, value in wanted.items():
        away = float(np.abs(product_of**gamma - value).max())
        yield f"gamma = {gamma:g}", away < 1e-12, away


def tsallis_of_two_in_three(alpha, beta):
    """(alpha, beta)-Tsallis entropy of the shares (1/2, 1/2, 0), where the geometric family is 0."""
    if alpha == 1:
        return beta * np.log(2)
    return (1 - 2 ** (beta * (1 - alpha))) / (alpha - 1)


def _judge_geometric_family(gammas=(0.01, 0.1, 0.2, 1 / 3, 0.4, 0.5, 0.6, 0.8, 1.0)):
    """What the text says of the members of the geometric family, and that the Tsallis family has them not."""
    random = np.random.default_rng(0)
    half = np.array([[0.5, 0.5, 0.0]])
    points = list(product((*splits.GRID_ALPHAS, 1e-3, 30.0), splits.GRID_BETAS))
    least = min(
        min(
            float(resolve("tsallis", alpha=a, beta=b).impurity(half)[0]), float(tsallis_of_two_in_three(a, b))
        )
        for a, b in points
    )
    elsewhere = [
        (f"gamma = {gamma:g}", bool((half.prod(axis=1) ** gamma)[0] == 0 < least)) for gamma in gammas
    ]
    return [
        judge_statement(
            "tsallis.s3-2.gamma-family.members",
            [
                Trials.of(
                    geometric_members(shares_of(2, 200)), "members, on all shares of 200ths", EXHAUSTIVE
                ),
                Trials.of(
                    geometric_members(random.dirichlet(np.ones(2), 5000)), "members, on 5,000 shares", RANDOM
                ),
            ],
        ),
        judge_statement(
            "tsallis.s3-2.gamma-family.not-tsallis",
            elsewhere,
            numbers={"n": len(points), "low": min(points)[0], "high": max(points)[0], "least": least},
        ),
    ]


def _judge_proposition_3_1():
    small = [one for c, parts in ((2, 60), (3, 12), (4, 8)) for one in standard_members(shares_of(c, parts))]
    random = np.random.default_rng(0)
    large = [one for c in (2, 3, 5, 10) for one in standard_members(random.dirichlet(np.ones(c), 2000))]
    return judge_statement(
        "tsallis.s3-1.proposition-3-1.statement",
        [
            Trials.of(
                small,
                "identities, on all shares of 60ths, 12ths and 8ths of 2, 3 and 4 classes",
                EXHAUSTIVE,
            ),
            Trials.of(large, "identities, each on 2,000 random shares of 2 to 10 classes", RANDOM),
        ],
    )


def _judge_proposition_3_2():
    alphas = (0.1, 0.25, 1 / 3, 0.5, 1.0, 1.5, 2.0, 2.45, 4.0, 8.0)
    small = [
        one
        for c, parts in ((2, 40), (3, 8))
        for one in concave_between(shares_of(c, parts), alphas, range(1, 9))
    ]
    found = proposition_3_2(alphas=alphas)
    needed = {c: [b for b in range(2, 9) if concave_below(b, c)[1].any()] for c in (2, 3, 10)}
    gaps = ", ".join(f"{c} classes {', '.join(map(str, some)) or 'none'}" for c, some in needed.items())
    where = (
        "members, each on all pairs of shares of 40ths (2 classes) and 8ths (3)",
        "pairs of distributions, concave, symmetric and zero at the ends",
    )
    return judge_statement(
        "tsallis.s3-1.proposition-3-2.statement",
        [
            Trials.of(small, where[0], EXHAUSTIVE),
            Trials(found["checked"], len(found["failures"]), str(found["failures"][:1]), where[1], RANDOM),
        ],
        numbers={"alphas": ", ".join(f"{a:.3g}" for a in alphas), "gaps": gaps},
    )


def _judge_geometric(gammas=(0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)):
    trials = []
    for c in (2, 3, 4):
        for gamma, holds in zip(gammas, gamma_concavity(c, gammas), strict=True):
            trials.append((f"gamma = {gamma:g}, {c} classes", bool(holds)))
    middle, mean = gamma_counterexample()
    numbers = {"middle": float(middle), "mean": float(mean)}
    return judge_statement("tsallis.s3-2.gamma-family.permissible", trials, how=RANDOM, numbers=numbers)
