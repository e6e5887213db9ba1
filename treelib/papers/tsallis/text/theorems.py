"""The other theorems and lemmas as statements that can be checked.

Counted are roots, pieces, trees and dimensions.

What a theorem says up to a constant that is not stated is not checked; what its proof counts is."""

from itertools import combinations, product
from math import comb, exp, factorial, log, log10

import numpy as np

from treelib.ledger.protocol.judging import (
    EXHAUSTIVE,
    RANDOM,
    Trials,
    judge_statement,
    judges,
    stated,
    untestable,
)
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.text.section_3_4 import tweedie_terms
from treelib.topdown.learn import splitting_risk
from treelib.topdown.learn.sample_complexity import (
    dimension_of_pieces,
    dimension_of_union,
    ln_pieces,
    printed_dimension_of_union,
)


def exponential_roots(n_sums=500, seed=0):
    """Real roots of random sums of n exponentials against Lemma A.2 and against Descartes' rule of signs.

    Exponents are whole numbers, so that ``e^x`` turns the sums into polynomials.

    Returns
    -------
    dict: ``cases``; ``above_lemma``, sums with more than n - 1 roots; ``above_signs``, sums with more roots
    than changes of sign in the order of exponents; ``attained``, whether n - 1 roots occur for every n from 2
    to 6
    """
    rng = np.random.default_rng(seed)
    sums = []
    for _ in range(n_sums):
        n = int(rng.integers(2, 8))
        exponents = np.sort(rng.choice(12, n, replace=False))
        sums.append((exponents, rng.integers(1, 20, n) * rng.choice([-1, 1], n)))
    attained = all(np.count_nonzero(np.poly(np.arange(1, n))) == n for n in range(2, 7))
    return {**_roots_above(sums), "attained": attained}


def small_sums(largest=4, weights=(-2, -1, 1, 2)):
    """All sums of two or three exponentials with small exponents and weights, as `exponential_roots`."""
    sums = [
        (np.array(exponents), np.array(chosen))
        for n in (2, 3)
        for exponents in combinations(range(largest + 1), n)
        for chosen in product(weights, repeat=n)
    ]
    return _roots_above(sums)


def zero_sums(largest=2, weights=(-1, 0, 1)):
    """All sums of two exponentials as Lemma A.2 admits them, with equal exponents and weights of 0.

    Returns
    -------
    list of (text, bool, excess): whether the sum has fewer roots than terms; one that is zero everywhere has
    every x as a root. The excess is larger, the fewer weights are 0
    """
    found = []
    for exponents, chosen in product(product(range(largest + 1), repeat=2), product(weights, repeat=2)):
        polynomial = np.zeros(largest + 1)
        np.add.at(polynomial, list(exponents), chosen)
        text = f"{chosen[0]} e^({exponents[0]}x) + {chosen[1]} e^({exponents[1]}x), zero for every x"
        found.append((text, bool(polynomial.any()), np.count_nonzero(chosen)))
    return found


def _roots_above(sums):
    above_lemma = above_signs = 0
    for exponents, coefficients in sums:
        polynomial = np.zeros(exponents[-1] + 1)
        polynomial[exponents] = coefficients
        roots = np.roots(polynomial[::-1])
        n_roots = np.unique(np.round(roots[(np.abs(roots.imag) < 1e-9) & (roots.real > 1e-9)].real, 7)).size
        above_lemma += n_roots > len(exponents) - 1
        above_signs += n_roots > np.count_nonzero(np.diff(np.sign(coefficients)))
    return {"cases": len(sums), "above_lemma": int(above_lemma), "above_signs": int(above_signs)}


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


ORDERS = BREADTH, DEPTH, PLACES = ("breadth first", "depth first", "by place")


def initial_trees(t, seed=0, order=BREADTH):
    """Distinct trees that the prior's random numbers give as sigma and phi vary (Theorem 3.6).

    The i-th node asked is split if ``sigma (1 + d)^-phi > z_i``: in (phi, ln sigma) that is above a straight
    line of slope ``ln(1 + d)``. t - 1 nodes are asked at most.

    Parameters
    ----------
    order : one of `ORDERS`, in which nodes take the numbers; "by place" the i-th number belongs to the i-th
        place of a complete tree, whichever nodes there are

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
            tree, decided = _initial_tree(z, phi, sigma, order)
            trees.add(tree)
            asked |= decided
    return {"trees": len(trees), "curves": len(asked), "bound": t**2}


def _initial_tree(z, phi, log_sigma, order):
    """Decisions of the nodes in the order asked, and the pairs (number asked, depth)."""
    waiting, decisions, asked = [(1, 0)], [], set()  # place in a complete tree, from 1, and depth
    while waiting and len(decisions) < len(z):
        place, depth = waiting.pop(-1 if order == DEPTH else 0)
        i = place - 1 if order == PLACES else len(decisions)
        if i >= len(z):
            break
        asked.add((i, depth))
        splits = log_sigma - phi * log(1 + depth) > log(z[i])
        decisions.append(bool(splits))
        children = [(2 * place, depth + 1), (2 * place + 1, depth + 1)] if splits else []
        waiting += children[::-1] if order == DEPTH else children
    return tuple(decisions), asked


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
        "dimensions": [shattered(small, subsets), shattered(large, subsets)],
        "union": shattered(subsets, subsets),
        "printed": printed_dimension_of_union(2, dimension),
        "corrected": dimension_of_union(2, dimension),
    }


def shattered(sets, candidates):
    """Size of the largest set of points that `sets` shatter."""
    return max(len(c) for c in candidates if len({s & c for s in sets}) == 2 ** len(c))


@judges(
    "tsallis.s2-1.*",
    "tsallis.s3-*.theorem-3-*",
    "tsallis.s3-3.curves.*",
    "tsallis.s5.*",
    "tsallis.s6.theorem-6-1.*",
    "tsallis.s8.*",
    "tsallis.sa-*",
)
def judge_theorems():
    """Verdicts on the theorems and lemmas that have no room of their own, list of Verdict."""
    pieces = {n: dimension_of_pieces(n) for n in (2**k for k in range(2, 13, 3))}  # with its constant
    signs = ", ".join(f"{dimension} for {n:,} pieces" for n, dimension in pieces.items())
    return [
        stated("tsallis.s2-1.lemma-2-2.statement", numbers={"signs": signs}),
        *_judge_orders(),
        _judge_order_of_union(),
        _judge_curves(),
        _judge_crossings(),
        _judge_stirling(),
        _judge_union(),
        _judge_terms(),
        *_judge_roots(),
    ]


def _judge_orders():
    """Sample sizes up to a constant: what their proofs count, beside."""
    X, y = splits.samples("Breast cancer")
    rows = np.random.default_rng(0).permutation(len(y))[:150]
    geometric = behaviours(X, y, "gamma", 8)
    power = behaviours(X[rows][:, 1:8], np.round(X[rows, 0]), "power", 5)
    forest = forest_behaviours(X, y, 5)
    initial = [initial_trees(t, seed) for t in (4, 6, 8) for seed in range(4)]
    sizes = [(t, k, f) for t in (1, 4, 32) for k in (1, 10, 100) for f in (2, 100, 10_000)]
    boosted = max(
        (ln_pieces("lambda", t=t, n_trees=k, n_functions=f) - log(6) + log(2 * t * k + 4))
        / (t * k * log(t * k * f))
        for t, k, f in sizes
    )
    counted = {
        "s3-2.theorem-3-5": {"pieces": geometric["pieces"], "digits": int(geometric["log10_bound"])},
        "s3-3.theorem-3-6": {"most": max(one["trees"] / one["bound"] for one in initial)},
        "s3-4.theorem-3-7": {"pieces": power["pieces"], "within": tweedie_terms()},
        "s5.theorem-5-1": {"n": len(forest["trees"]), **forest},
        "s6.theorem-6-1": {"boosted": boosted, "n": len(sizes)},
        "s8.example-1": {"beyond": max(dimension_of_union(2, d) - 2 * d for d in range(1, 65))},
    }
    return [untestable(f"tsallis.{name}.statement", numbers=numbers) for name, numbers in counted.items()]


def _judge_order_of_union(a=4.0, seed=0):
    """Whether a constant bounds the dimension of a union by ``log2 k + d``: one that a proof gives is tried.

    ``2^m <= k (e m / d)^d`` and ``ln x <= x / a + ln a - 1`` for x = m / d give, for every a above 1 / ln 2,
    ``m (1 - 1 / (a ln 2)) <= log2 k + d log2 a``.
    """
    constant = log(a, 2) / (1 - 1 / (a * log(2)))
    random = np.random.default_rng(seed)
    small = list(product(range(1, 65), range(1, 17)))
    large = [(int(10 ** random.uniform(0, 9)), int(random.integers(1, 200))) for _ in range(50)]

    def trials(pairs):
        for k, d in pairs:
            m, bound = dimension_of_union(k, d), constant * (log(k, 2) + d)
            yield f"k = {k}, d = {d}, {m} for {bound:.1f}", m <= bound, m - bound

    return judge_statement(
        "tsallis.s8.theorem-8-1.order",
        [
            Trials.of(trials(small), "k up to 64, d up to 16", EXHAUSTIVE),
            Trials.of(trials(large), "k up to 10^9, d below 200", RANDOM),
        ],
        numbers={"constant": constant},
    )


def most_crossings(first, second, steps=2001, furthest=60.0):
    """How often the curves ``sigma (1 + d)^-phi = z`` of two pairs (z, d) cross, on a fine grid of phi."""
    phi = np.linspace(0, furthest, steps)
    (z, d), (other_z, other_d) = first, second
    difference = log(z) - log(other_z) + phi * (log(1 + d) - log(1 + other_d))
    signs = np.sign(difference[difference != 0])
    return int(np.count_nonzero(np.diff(signs)))


def _judge_crossings():
    """How often two curves of the proof of Theorem 3.6 cross: Verdict."""
    small = list(combinations(product((0.2, 0.4, 0.6, 0.8), range(6)), 2))
    random = np.random.default_rng(0)
    large = [
        tuple(zip(random.random(2).tolist(), random.integers(0, 60, 2).tolist(), strict=True))
        for _ in range(2000)
    ]

    def crossings(pairs):
        return ((f"{pair}", most_crossings(*pair) <= 1) for pair in pairs)

    return judge_statement(
        "tsallis.s3-3.curves.one-intersection",
        [
            Trials.of(crossings(small), "pairs of curves, z of fifths and depths up to 5", EXHAUSTIVE),
            Trials.of(crossings(large), "pairs of curves, depths below 60", RANDOM),
        ],
    )


def _judge_curves(sizes=(3, 4, 6, 8), seeds=range(4)):
    """Whether t - 1 random numbers give at most t - 1 curves: that hangs on which node takes which number."""
    tried = {}
    for order in ORDERS:
        found = {(t, seed): initial_trees(t, seed, order)["curves"] for t in sizes for seed in seeds}
        trials = [(f"t = {t}, {n} curves; more", n <= t - 1, n - t + 1) for (t, _), n in found.items()]
        tried[order] = Trials.of(trials, f"draws of the random numbers, taken {order}", RANDOM)
    passing = [order for order in ORDERS if not tried[order].failed]
    return judge_statement(
        "tsallis.s3-3.theorem-3-6.curves",
        tried[BREADTH],
        withhold=bool(tried[BREADTH].failed and passing),
        numbers={
            "n": len(ORDERS),
            "others": "; ".join(f"{order}: {tried[order].text()}" for order in ORDERS[1:]),
        },
    )


def stirling(n, k):
    """Stirling number of the second kind: partitions of n points into k groups, int."""
    row = [1] + [0] * k
    for _ in range(n):
        row = [0] + [j * row[j] + row[j - 1] for j in range(1, k + 1)]
    return row[k]


def _judge_stirling(sizes=(60, 100, 200)):
    trials = []
    for n in sizes:
        for bins in (2, 3):
            printed = n ** (2 * bins) // (2**bins * factorial(bins))
            ratio = log10(stirling(n, bins)) - log10(printed)
            text = f"{n} points in {bins} groups, 10^{ratio:.0f} times the printed; orders of magnitude"
            trials.append((text, abs(ratio) < 1, abs(ratio)))
    numbers = {"mended": stirling(200, 198) / (200**4 / 8)}
    return judge_statement("tsallis.s5.proof.stirling", trials, numbers=numbers)


def printed_in_base_2(dimension):
    """The bound of Theorem 8.1 on two classes as printed, its logarithm to base two: float."""
    return printed_dimension_of_union(2, dimension) + (1 - log(2)) * exp(2) / (exp(2) - 1)


def _judge_union(dimensions=(1, 2)):
    found = {d: union_counterexample(d) for d in dimensions}
    trials = [
        (
            f"families of dimension {d}, together {one['union']}, bound {one['printed']:.2f}",
            one["union"] <= one["printed"],
        )
        for d, one in found.items()
    ]
    return judge_statement(
        "tsallis.s8.theorem-8-1.statement",
        trials,
        numbers={
            "corrected": found[dimensions[0]]["corrected"],
            "base_2": ", ".join(f"{printed_in_base_2(d):.2f}" for d in dimensions),
        },
    )


def distinct_terms(beta, n_classes):
    """Distinct terms of ``(x_1 + ... + x_c)^beta``, by listing their exponents: int."""
    return sum(sum(powers) == beta for powers in product(range(beta + 1), repeat=n_classes))


def _judge_terms():
    """The number of terms in the proof of Theorem 3.3, for all small powers and numbers of classes."""
    trials = []
    for beta, c in product(range(1, 6), range(2, 6)):
        found, printed = distinct_terms(beta, c), comb(beta + c - 1, c)
        text = f"beta = {beta}, {c} classes, {found} terms for a printed {printed}; more"
        trials.append((text, found <= printed, found - printed))
    mended = all(distinct_terms(b, c) == comb(b + c - 1, c - 1) for b, c in product(range(1, 6), range(2, 6)))
    numbers = {"terms": distinct_terms(1, 2), "printed": comb(2, 2), "all": "all" if mended else "some"}
    return judge_statement("tsallis.s3-1.theorem-3-3.terms", trials, how=EXHAUSTIVE, numbers=numbers)


def _judge_roots():
    """Verdicts on Lemma A.2, as printed and for sums that are not zero everywhere: list of Verdict."""
    found = {EXHAUSTIVE: small_sums(), RANDOM: exponential_roots()}
    where = {
        EXHAUSTIVE: "sums of 2 or 3 terms, unequal exponents 0 to 4, weights -2 to 2 but 0",
        RANDOM: "sums of 2 to 7 terms, unequal exponents, weights not 0",
    }
    unequal = [
        Trials(one["cases"], one["above_lemma"], "a sum with more roots", where[how], how)
        for how, one in found.items()
    ]
    degenerate = "sums of two terms, exponents 0 to 2, equal ones and weights of 0 with them"
    return [
        judge_statement(
            "tsallis.sa-2.lemma-a-2.statement",
            [*unequal, Trials.of(zero_sums(), degenerate, EXHAUSTIVE)],
        ),
        judge_statement(
            "tsallis.sa-2.lemma-a-2.unequal",
            unequal,
            numbers={"exceptions": sum(one["above_signs"] for one in found.values())},
        ),
    ]
