"""Mistakes found in Learning accurate and interpretable tree-based models."""

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, comb, e, floor, log, log2

from treelib import datasets
from treelib.ledger.claims import find, load
from treelib.ledger.errata import NUMBER, SLIP, STATEMENT, erratum
from treelib.papers.tsallis.exact_loss import behaviours_without_loss
from treelib.papers.tsallis.section_4 import more_curves_than_nodes
from treelib.papers.tsallis.splits import samples
from treelib.papers.tsallis.text.section_3_1 import gamma_counterexample
from treelib.papers.tsallis.text.section_6 import degree_of_score_comparison
from treelib.papers.tsallis.text.theorems import initial_trees, stirling


def vc_dimension(sets, points):
    """Size of the largest subset of `points` that a family of sets shatters."""
    sets = [frozenset(some) for some in sets]
    return max(
        size
        for size in range(len(points) + 1)
        for chosen in combinations(points, size)
        if len({some & frozenset(chosen) for some in sets}) == 2**size
    )


def is_multiple(percent, n):
    """Whether a printed percentage is ``k / n`` for a whole k, rounded or cut off at its last digit."""
    step = Fraction(10) ** percent.as_tuple().exponent
    near = floor(Fraction(percent) * n / 100)
    return any(
        Fraction(percent) in (round(share / step) * step, floor(share / step) * step)
        for share in (Fraction(100 * k, n) for k in range(near - 1, near + 3))
    )


def _attributes(data, printed):
    n = datasets.info(data).n_features
    return n == int(find(printed).number) - 1, f"The data set has {n} attributes and the class."


@erratum(
    "errata.tsallis.theorem-8-1",
    "Theorem 8.1",
    r"$\mathrm{Pdim}(\mathcal L_{\cup k}) \le \frac{e^2}{e^2 - 1} (\log k + \max_i "
    r"\mathrm{Pdim}(\mathcal L_i))$.",
    r"The order $O(\log k + \max_i \mathrm{Pdim})$ stands; the constant does not. The last step of the "
    r"proof loses a "
    r"factor: the inequality before it leaves $m (1 - 1/e)$ on the left.",
    STATEMENT,
)
def _combined():
    points = (1, 2, 3)
    subsets = [some for size in range(4) for some in combinations(points, size)]
    small, large = ([s for s in subsets if len(s) <= 1], [s for s in subsets if len(s) >= 2])
    single = [vc_dimension(family, points) for family in (small, large)]
    both = vc_dimension(small + large, points)
    factor = e**2 / (e**2 - 1)
    bounds = [factor * (logarithm(2) + max(single)) for logarithm in (log2, log)]
    return both > max(bounds), (
        f"Subsets of {{1, 2, 3}} with at most one element, and those with two and more: each family shatters "
        f"{single[0]} point, their union all {both}. The bound is {bounds[0]:.2f} with logarithms to base "
        f"two and {bounds[1]:.2f} with natural ones."
    )


@erratum(
    "errata.tsallis.pieces-of-loss",
    "Theorem 3.4",
    "The run time counts R, the critical points of the summed loss.",
    "The changes of the tree: Algorithm 2 goes through every tree, and different trees can have equal "
    "losses.",
    SLIP,
)
def _loss_pieces():
    runs, steps = behaviours_without_loss(*samples("Wine"))
    return runs - 1 > steps, (
        f"Trees grown to the end on Wine change {runs - 1} times as alpha varies, their loss {steps} times."
    )


@erratum(
    "errata.tsallis.first-trees",
    "Proof of Theorem 3.6",
    r"The t - 1 random numbers give at most t - 1 curves in $(\sigma, \phi)$.",
    "More, where the nodes take the numbers in the order in which they are asked: which node a number "
    "decides on then depends on the decisions before it, and so does the node's depth. The "
    "order of the theorem stands, since their number is a power of t.",
    SLIP,
)
def _first_trees():
    t = 8
    curves = max(initial_trees(t, seed)["curves"] for seed in range(4))
    return curves > t - 1, f"With t = {t} there are random numbers that give {curves} curves."


@erratum(
    "errata.tsallis.curves",
    "Proof of Theorem 4.2",
    r"At most t curves part the plane of $(c_1, c_2)$.",
    "A gap in the proof, not in the theorem. The count is right if each test looks at the tree as it was "
    "grown, or if t counts all nodes of the tree below. Where t counts leaves, and a node pruned from "
    "the bottom up is tested on what is left below it, a node can have several curves.",
    SLIP,
)
def _curves():
    found = more_curves_than_nodes()
    return found["curves"] > found["leaves"], (
        f"A tree of {found['leaves']} leaves and {2 * found['leaves'] - 1} nodes whose prunings from the "
        f"bottom up are parted by {found['curves']} curves."
    )


@erratum(
    "errata.tsallis.degree",
    "Proof of Theorem 6.1",
    "Scores of XGBoost are compared by rational functions of λ of degree at most 6.",
    "In the first tree. Later gradients hold the weights of earlier leaves, so the degree grows with "
    "their number (squared loss; with the logistic loss they are no rational functions). The theorem "
    "needs its logarithm only.",
    STATEMENT,
)
def _degree():
    first, second = (degree_of_score_comparison(tree) for tree in (1, 2))
    return first <= 6 < second, (
        f"Squared loss, twelve rows, a first tree of three leaves: two splits are compared in degree {first} "
        f"in the first tree, and in degree {second} in the second."
    )


@erratum(
    "errata.tsallis.geometric",
    "Section 3.2",
    r"$g_\gamma$ is concave for all $\gamma$ in (0, 1].",
    r"For two classes. With three and more it is not for large $\gamma$.",
    STATEMENT,
)
def _geometric():
    middle, mean = gamma_counterexample()
    return middle < mean, (
        "Three classes, gamma = 1: between the shares (0.1, 0.1, 0.8) and (0, 0, 1) the value in the middle "
        f"is {float(middle):.5f}, less than the mean {float(mean):.5f} of the ends."
    )


@erratum(
    "errata.tsallis.tweedie",
    "Section 3.4",
    r"The middle term of the Tweedie deviance is $y \bar y / (1 - p)$.",
    r"$y \bar y^{1 - p} / (1 - p)$.",
    SLIP,
)
def _tweedie():
    y, p = 4.0, 0.5

    def deviance(middle):
        return 2 * (y ** (2 - p) / ((1 - p) * (2 - p)) - middle / (1 - p) + y ** (2 - p) / (2 - p))

    printed, mended = deviance(y * y), deviance(y * y ** (1 - p))
    return abs(mended) < 1e-9 and abs(printed) > 1, (
        f"A leaf whose labels are all {y:g} has no deviance. At p = {p} the printed formula gives "
        f"{printed:g}, the mended one zero."
    )


@erratum(
    "errata.tsallis.penalty",
    "Section 4",
    r"A leaf costs its loss plus $\tilde\alpha$, and a branch the sum over its leaves plus "
    r"$\tilde\alpha$ times their "
    "number.",
    r"One of the two, as in the objective at the head of the section. Its $p_i(l)$ is a count there, "
    r"elsewhere a share.",
    SLIP,
)
def _penalty():
    errors, leaves, price = Fraction(1, 4), 2, Fraction(1, 10)
    once = errors + price * leaves
    twice = sum(errors / leaves + price for _ in range(leaves)) + price * leaves
    return twice - once == price * leaves, (
        f"Two leaves, total loss {float(errors)}, price {float(price)}: the objective of the section is "
        f"{float(once)}, the two printed definitions together give {float(twice)}."
    )


erratum(
    "errata.tsallis.pieces",
    "Theorem 4.1, Figure 1",
    "The loss is piecewise constant with at most t pieces, t being the size of the tree.",
    "True where the size counts leaves; with internal nodes, as in the proof of Theorem 3.3, one more.",
    SLIP,
)


@erratum(
    "errata.tsallis.terms",
    "Proof of Theorem 3.3",
    r"The power of the sum has at most $\binom{\beta + c - 1}{c}$ terms.",
    r"$\binom{\beta + c - 1}{c - 1}$.",
    SLIP,
)
def _terms():
    beta, classes = 1, 2
    printed, right = comb(beta + classes - 1, classes), comb(beta + classes - 1, classes - 1)
    return printed != right == classes, (
        f"With β = {beta} and {classes} classes the sum has {right} terms, the printed binomial is {printed}."
    )


@erratum(
    "errata.tsallis.stirling",
    "Proof of Theorem 5.1",
    r"The Stirling number of n points in $n_t$ bins is about $n^{2 n_t} / (2^{n_t} n_t!)$.",
    r"That is the number for $n - n_t$ bins. The data sets of a forest overlap, and are no partition.",
    STATEMENT,
)
def _stirling():
    n, bins = 60, 2
    printed = n ** (2 * bins) / (2**bins * 2)
    wrong, right = stirling(n, bins), stirling(n, n - bins)
    return abs(printed / right - 1) < 0.2 and wrong / printed > 1e6, (
        f"{n} points in {bins} bins: there are {wrong:.2e} ways, the printed expression is {printed:.2e}. "
        f"That is about the number of ways for {n - bins} bins, {right:.2e}."
    )


@erratum(
    "errata.tsallis.lemma-a-2",
    "Lemma A.2",
    "A sum of exponentials has finitely many roots.",
    "If the bases differ and a weight is not zero.",
    SLIP,
)
def _degenerate():
    values = [1 * 2**x - 1 * 2**x for x in (0, 1, 5)]
    return not any(values), (
        "With two terms of equal base and weights of opposite sign, 2^x - 2^x, every x is a root."
    )


erratum(
    "errata.tsallis.table-1-caption",
    "Table 1, caption",
    "The first column indicates the best parameters.",
    "The second.",
    SLIP,
)


@erratum(
    "errata.tsallis.significantly",
    "Section 9",
    "Chosen parameters significantly outperform the standard criteria.",
    "Their means are higher. By the printed intervals, taken as of independent runs, not all differences "
    "are significant. A paired test over the same runs might find them so; the paper prints none.",
    NUMBER,
)
def _overlap():
    def interval(row, column):
        return [find(f"tsallis.t1.{row}.{column}{end}").number for end in ("", "-ci95")]

    rows = ("iris", "banknote", "breast-cancer", "wine")
    columns = ("acc-gini", "acc-entropy", "acc-km96")
    small = []
    for row in rows:
        best, half = interval(row, "acc-best")
        for column in columns:
            mean, other = interval(row, column)
            if (best - mean) ** 2 <= half**2 + other**2:
                small.append(f"{find(f'tsallis.t1.{row}.{column}').row}, {column[4:]}")
    return bool(small), (
        "The interval of a difference of two independent means has the root of the sum of their squares as "
        f"half width. In {len(small)} of {len(rows) * len(columns)} comparisons the printed difference is "
        f"smaller: {'; '.join(small)}."
    )


@erratum(
    "errata.tsallis.table-2",
    "Table 2",
    "Means over 50 splits.",
    "Most cells are what one split would give.",
    NUMBER,
)
def _multiples():
    rows = {"iris": 150, "digits": 1797, "breast-cancer": 569, "wine": 178}
    fits, misses = 0, []
    for claim in load("tsallis").values():
        if claim.id.startswith("tsallis.t2.") and claim.number is not None:
            n_test = ceil(rows[claim.id.split(".")[2]] / 5)
            if is_multiple(claim.number, n_test):
                fits += 1
            else:
                misses.append(f"{claim.row} {claim.value}")
    total = fits + len(misses)
    return fits > 0.7 * total, (
        f"{fits} of {total} cells are a whole number of test samples out of one split, as a mean over 50 "
        f"splits almost never is. The others: {', '.join(misses)}."
    )


@erratum(
    "errata.tsallis.iris-gini",
    "Table 1",
    "Iris, Gini: 92.99.",
    "Five runs of 30 test samples cannot give this mean; perhaps accuracies were cut off before.",
    NUMBER,
)
def _gini_iris():
    claim, n_test = find("tsallis.t1.iris.acc-gini"), 30
    runs = next(m for m in range(1, 1000) if is_multiple(claim.number, m * n_test))
    return runs > 10, (
        f"With {n_test} test samples a run, {claim.value} takes at least {runs} runs. The other means of the "
        "row are those of five."
    )


erratum(
    "errata.tsallis.banknote",
    "Section 9",
    "The banknote data have five real attributes.",
    "Four, and the class.",
    SLIP,
)(partial(_attributes, "tsallis/banknote", "tsallis.s9.banknote.attributes"))


erratum(
    "errata.tsallis.cryotherapy",
    "Appendix B.1",
    "The cryotherapy data have seven attributes.",
    "Six, and the class.",
    SLIP,
)(partial(_attributes, "tsallis/cryotherapy", "tsallis.sb-1.cryotherapy.attributes"))
