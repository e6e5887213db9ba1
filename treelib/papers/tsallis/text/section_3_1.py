"""The family of criteria: Sections 3.1, 3.2 and 3.4, and Algorithm 1 that splits by them.

Functions return plain numbers: what was tried, what was found, and where a statement fails."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np

from treelib import TopDownTreeClassifier
from treelib.ledger.protocol.evidence import EXHAUSTIVE, GIVEN, RANDOM
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.topdown.criteria import resolve

NAMED_MEMBERS = ("gini.alpha", "gini.beta", "km96.alpha", "km96.beta", "entropy.alpha")
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
    return share, {name: _scaled(tsallis_entropy(share, *point)) for name, point in CURVES.items()}


def tsallis_entropy(share, alpha, beta):
    """(alpha, beta)-Tsallis entropy of two classes as the paper's Section 3.1 prints it, with C = 1."""
    both = np.stack([share, 1 - share])
    if alpha == 1:  # the limit of Proposition 3.1
        return -beta * (both * np.log(both, out=np.zeros_like(both), where=both > 0)).sum(axis=0)
    return (1 - (both**alpha).sum(axis=0) ** beta) / (alpha - 1)


def _scaled(curve):
    return curve / curve.max()


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


ALPHAS, BETAS = (0.35, 0.5, 2.0, 2.45), (1, 2, 6)


def follows_the_formula():
    """Largest difference of the learner's criterion from the printed formula with C = 1, float."""
    p, error = np.random.default_rng(0).dirichlet(np.ones(3), 200), 0.0
    for alpha, beta in product(ALPHAS, BETAS):
        own = resolve("tsallis", alpha=alpha, beta=beta).impurity(p)
        error = max(error, float(np.abs(own - printed_formula(p, alpha, beta)).max()))
    return error


def keeps_the_tree(X, y, alpha, beta, factor):
    """Whether C = `factor` gives the tree that C = 1 gives, bool."""
    trees = []
    for c in (1.0, factor):

        def scaled(shares, c=c):
            return printed_formula(shares, alpha, beta, c)

        trees.append(TopDownTreeClassifier(scaled, alpha=alpha, beta=beta, max_depth=3).fit(X, y).tree_)
    return bool(trees[0].same_function(trees[1]))


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
    return _product_of(middle), (_product_of(one) + _product_of(other)) / 2


def _product_of(shares):
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


@verdicts_on("tsallis")
@judges("tsallis.s3-1.*", "tsallis.s3-2.gamma-family.*", "tsallis.s3-4.tweedie.*", "tsallis.s2.algorithm-1.*")
def judge_criteria():
    """Verdicts on the family of criteria and what it contains, list of Verdict."""
    return [
        *(stated(f"tsallis.s3-1.{one}") for one in NAMED_MEMBERS),
        stated("tsallis.s3-1.definition.tsallis"),
        stated("tsallis.s3-2.gamma-family.definition"),
        _judge_constant(),
        *_judge_geometric_family(),
        _judge_proposition_3_1(),
        _judge_proposition_3_2(),
        _judge_geometric(),
        _judge_tweedie(),
        stated("tsallis.s2.algorithm-1.statement", "the learner of this package"),
    ]


def _judge_constant():
    """Whether the constant C of the family changes no tree.

    The constant is a power of two on small problems, where scores are often equal: another one rounds them
    apart.
    """
    random = np.random.default_rng(0)
    line = np.arange(4.0)[:, None]
    kinds = [
        (EXHAUSTIVE, 8.0, "labellings of four points on a line by two classes",
         [(line, y) for y in product((0, 1), repeat=4) if 0 < sum(y) < len(y)]),
        (RANDOM, 8.0, "tables of 12 rows, 2 columns and 3 classes",
         [(random.integers(0, 4, (12, 2)).astype(float), random.integers(0, 3, 12)) for _ in range(20)]),
        (GIVEN, 7.0, "Iris", [splits.samples("Iris")]),
    ]  # fmt: skip
    found = [
        Trials.of(
            (
                (f"{where}, alpha {alpha}, beta {beta}", keeps_the_tree(X, np.array(y), alpha, beta, factor))
                for X, y in problems
                for alpha, beta in product(ALPHAS, BETAS)
            ),
            f"trees that C = {factor:g} leaves as they are, {where}",
            how,
        )
        for how, factor, where, problems in kinds
    ]
    return judge_statement(
        "tsallis.s3-1.definition.constant",
        found,
        cause="C changes a tree",
        note=f"the learner's criterion is the printed formula within {follows_the_formula():.0e}",
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


def _judge_geometric_family(gammas=(0.1, 0.2, 1 / 3, 0.4, 0.5)):
    """What the text says of the members of the geometric family, and that the Tsallis family has them not."""
    random = np.random.default_rng(0)
    shares = random.dirichlet(np.ones(3), 200)
    elsewhere = []
    for gamma in gammas:
        wanted = shares.prod(axis=1) ** gamma
        spread = min(
            float(np.ptp(resolve("tsallis", alpha=alpha, beta=beta).impurity(shares) / wanted))
            for alpha, beta in product(splits.GRID_ALPHAS, splits.GRID_BETAS)
        )
        elsewhere.append((f"gamma = {gamma:g}", spread > 1e-9))
    return [
        judge_statement(
            "tsallis.s3-2.gamma-family.members",
            [
                Trials.of(
                    geometric_members(shares_of(2, 200)), "members, on all shares of 200ths", "exhaustive"
                ),
                Trials.of(
                    geometric_members(random.dirichlet(np.ones(2), 5000)),
                    "members, on 5,000 shares",
                    "random",
                ),
            ],
            cause="a member is not the criterion it is said to be",
            note="gamma = 1/c is the geometric mean by its definition",
        ),
        judge_statement(
            "tsallis.s3-2.gamma-family.not-tsallis",
            Trials.of(elsewhere, "members for three classes of which no point of our grid is a multiple"),
            cause="a point of the grid is a multiple of each",
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
                "exhaustive",
            ),
            Trials.of(large, "identities, each on 2,000 random shares of 2 to 10 classes", "random"),
        ],
        cause="a member is not the criterion it is said to be",
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
    return judge_statement(
        "tsallis.s3-1.proposition-3-2.statement",
        [
            Trials.of(small, "members, each on all pairs of shares of 40ths (2 classes) and 8ths "
            "(3)", "exhaustive"),
            Trials(found["checked"], len(found["failures"]), str(found["failures"][:1]),
                   "pairs of distributions, concave, symmetric and zero at the ends", "random"),
        ],
        cause="a member is not concave, symmetric or zero at the ends",
        note=f"alpha {', '.join(f'{a:.3g}' for a in alphas)}, 1 as the limit, and beta 1 to 8, but for "
        "those in the gap; in the gap (1/beta, 1) that it leaves, concavity fails for some alpha only at "
        f"beta: {gaps}",
    )  # fmt: skip


def _judge_geometric(gammas=(0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)):
    trials = []
    for c in (2, 3, 4):
        for gamma, holds in zip(gammas, gamma_concavity(c, gammas), strict=True):
            trials.append((f"gamma = {gamma:g}, {c} classes", bool(holds)))
    middle, mean = gamma_counterexample()
    return judge_statement(
        "tsallis.s3-2.gamma-family.permissible",
        Trials.of(trials, "members, each on 20,000 random pairs of distributions", "random"),
        cause="for three classes and gamma = 1 the middle of (.1, .1, .8) and (0, 0, 1) has "
        f"{float(middle)}, less "
        f"than the mean {float(mean)}: with c classes (c - 1) gamma <= 1 is needed, and two allow all of "
        "(0, 1]",
    )


def _judge_tweedie(samples=((0.0, 1.0, 2.0, 5.0), (1.0, 1.0, 3.0), (2.0, 7.0, 9.0, 10.0)), power=0.999):
    trials = []
    for y in samples:
        near = tweedie_forms(power, y)
        away = abs(near["printed"] / (2 * near["hpd"]) - 1)
        text = f"y = {', '.join(f'{v:g}' for v in y)}: {near['printed']:.0f} for {2 * near['hpd']:.3f}"
        trials.append((text, bool(away < 0.01)))
    mended = tweedie_forms(power, samples[0])
    return judge_statement(
        "tsallis.s3-4.tweedie.definition",
        Trials.of(trials, f"samples at p = {power:g}, where the formula should be near the Poisson deviance"),
        cause="the mean in the middle term lacks its exponent 1 - p; with it the first sample has "
        f"{mended['corrected']:.3f}",
    )
