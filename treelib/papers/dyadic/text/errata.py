"""Mistakes found in Algorithms for optimal dyadic decision trees."""

from fractions import Fraction
from math import prod

from treelib.dyadic.rectangles import hash_size
from treelib.ledger.claims import find, load
from treelib.ledger.errata import NUMBER, SLIP, STATEMENT, erratum
from treelib.papers.dyadic.settings import LARGE


@erratum(
    "errata.dyadic.rule-of-thumb",
    "Table 1, caption; Section 3",
    "The rule of thumb is λ = n/2.",
    "λ = 2/n, as in the head of the table and in the figures.",
    SLIP,
)
def _rule_of_thumb():
    samples = {name: int(find(f"dyadic.t3.{name}.n").number) for name in ("thyroid", "diabetes")}
    shown = {name: f"{2 / n:.4f}" for name, n in samples.items()}
    return list(shown.values()) == ["0.0093", "0.0026"], (
        f"Figure 2 marks .0093 and 2/n is {shown['thyroid']} for {samples['thyroid']} samples; Figure 3 "
        "says .0026 and "
        f"2/n is {shown['diabetes']} for {samples['diabetes']}. With n/2, above the largest useful price "
        "of 1, the "
        "optimal tree is a single leaf."
    )


@erratum(
    "errata.dyadic.lemma-4",
    "Lemma 4, Definition 4",
    r"$\frac{e_{i-1} - e_i}{l_i - l_{i-1}} \le \frac{\sum_j \delta(T_j)}{\sum_j |T_j|}$.",
    r"Collapsing a sub-tree to a leaf removes $|T_j| - 1$ leaves: with this in the denominators of the "
    r"lemma and of "
    r"the split ratio it holds. The printed ratio is smaller, so that the search can step over a "
    r"solution.",
    STATEMENT,
)
def _lemma_4():
    smaller, larger, drop = 1, 2, Fraction(1, 2)
    left = drop / (larger - smaller)
    printed, mended = drop / larger, drop / (larger - 1)
    return printed < left <= mended, (
        f"A single leaf and a tree of {larger} leaves with {float(drop)} fewer errors: the left side is "
        f"{float(left)}, "
        f"the right side {float(printed)}. With one leaf less in the denominator it is {float(mended)}."
    )


erratum(
    "errata.dyadic.lemma-4-proof",
    "Proof of Lemma 4",
    r"$e(T^*(i-1)) - e(\bar T(i)) \ge 0$, since the first is minimal.",
    r"$\le 0$, which is what the next line uses.",
    SLIP,
)


@erratum(
    "errata.dyadic.corollary-1",
    "Corollary 1",
    r"All solutions can be realised with $0 < \lambda \le e_1$.",
    r"Not always the first of them, the single leaf: at $\lambda = e_1$ a tree of two leaves may tie, "
    r"and is taken.",
    STATEMENT,
)
def _corollary_1():
    error, price = Fraction(1, 2), Fraction(1, 2)
    leaf, split = error + price, 2 * price
    return leaf == split, (
        f"Two samples of two classes with a split between them: e_1 = {float(error)}. At λ = e_1 the "
        "single leaf and the "
        f"two leaves without an error both cost {float(leaf)}, and Definition 2 takes the two. The single "
        "leaf is the "
        "solution for larger λ only."
    )


erratum(
    "errata.dyadic.definition",
    "Proof of Lemma 3",
    "The selection criterion in Definition 3.",
    "Definition 2.",
    SLIP,
)


@erratum(
    "errata.dyadic.diabetes",
    "Table 4, caption",
    "Vectors k of diabetes with seven entries (in our text).",
    "Eight.",
    SLIP,
)
def _components():
    dimension = int(find("dyadic.t3.diabetes.d").number)
    return (
        dimension == 8,
        f"The data set has {dimension} features; in our text the vectors in the caption have seven entries.",
    )


@erratum(
    "errata.dyadic.saving",
    "Section 4",
    "The heuristic often saves several orders of magnitude over the adaptive method alone.",
    "It does so once.",
    STATEMENT,
)
def _saving():
    rows = [
        row
        for row in load("dyadic")
        if row.startswith("dyadic.t3.") and row.endswith("adaptive-lambda-values")
    ]
    factors = []
    for row in rows:
        heuristic = find(row.replace("adaptive-lambda", "heuristic-lambda"))
        if find(row).number and heuristic.number:
            factors.append(float(find(row).number / heuristic.number))
    factors.sort(reverse=True)
    hundred = sum(factor >= 100 for factor in factors)
    return hundred <= 1, (
        f"The factors of Table 3 are {', '.join(f'{factor:.1f}' for factor in factors)}: "
        f"{hundred} of {len(factors)} reaches two orders of magnitude."
    )


@erratum(
    "errata.dyadic.tighter",
    "Section 6",
    "For every data set except titanic the bound on occupied rectangles is much tighter than their number.",
    "For the means; not for the minima of banana.",
    STATEMENT,
)
def _tighter():
    occupied, bound = (find(f"dyadic.t5.banana.{name}-min") for name in ("sigma-k", "nhat-rho"))
    return occupied.number < bound.number, (
        f"For banana the smallest count of all rectangles is {occupied.value}, the smallest bound "
        f"{bound.value}. For the "
        "means the statement holds."
    )


@erratum(
    "errata.dyadic.large",
    "Table 5, caption",
    "B stands for numbers more than 6 orders of magnitude above the largest bound of the row.",
    "About five orders for the minimum of Intrusion.",
    NUMBER,
)
def _large():
    smallest = (2**11 - 1) ** 4
    largest_entry = int(find("dyadic.t5.intrusion.nhat-rho-max").number)
    smaller_bound = 7640 * 11**4
    printed = find("dyadic.t5.intrusion.nhat-rho-min")
    shows = smallest / largest_entry < 10**6 and abs(smaller_bound / float(printed.number) - 1) < 0.01
    return shows, (
        f"With ten levels in every feature, which occurs (the smallest bound {printed.value} is that of "
        "such a grid), "
        f"there are {smallest:.2e} rectangles, {smallest / largest_entry:.1e} times the largest bound of "
        "the row."
    )


@erratum(
    "errata.dyadic.least-compressed",
    "Table 4",
    "The smallest compressed training set of thyroid has 6 rows.",
    "Table 5 needs more: a digit seems to be lost.",
    NUMBER,
)
def _least_compressed():
    least = int(find("dyadic.t4.thyroid.compressed-n-min").number)
    splits = [int(find(f"dyadic.t4.thyroid.k-{i}").value.split("-")[1]) for i in range(1, 6)]
    most = least * prod(k + 1 for k in splits)
    printed = float(find("dyadic.t5.thyroid.nhat-rho-min").number)
    return most < 0.9 * printed, (
        f"{least} rows lie in at most {most:,} rectangles, with the largest k of the row, but the least "
        f"product of the two in Table 5 is {printed:,.0f}."
    )


@erratum(
    "errata.dyadic.cart-nodes",
    "Table 7",
    "Numbers of leaves of CART's trees.",
    "They seem to be numbers of nodes.",
    NUMBER,
)
def _nodes():
    def extremes(method):
        claims = (find(f"dyadic.t7.{row}.{method}-leaves-{part}") for row in LARGE for part in ("min", "max"))
        return [int(claim.number) for claim in claims]

    cart, dyadic = extremes("cart"), extremes("odt")
    means = [find(f"dyadic.t7.{row}.cart-leaves-mean") for row in LARGE]
    # a mean of ten that is printed with its decimal gives their sum
    sums = [int(10 * mean.number) for mean in means if "." in mean.value]
    holds = all(size % 2 for size in cart) and not any(total % 2 for total in sums)
    return holds, (
        f"A binary tree has an odd number of nodes. CART's {len(cart)} least and largest sizes "
        f"({', '.join(map(str, cart))}) are all odd, and the sums of ten that two of its means give "
        f"({', '.join(map(str, sums))}) are even, as sums of ten odd numbers are: of leaves this would be a "
        f"chance of 1 in {2 ** (len(cart) + len(sums))}. Of the dyadic trees' {len(dyadic)} extremes "
        f"{sum(size % 2 for size in dyadic)} are odd. In leaves CART's trees would be half as large."
    )


@erratum(
    "errata.dyadic.uniform-coefficients",
    "Section 6, Table 6",
    "The hash has coefficients drawn uniformly from 0 to |S| - 1, a class that is universal.",
    "On three data sets the printed lists are longer than such coefficients give in the mean.",
    NUMBER,
)
def _uniform_coefficients():
    rows = ("diabetes", "intrusion", "mushroom")
    lists = {row: float(find(f"dyadic.t6.{row}.list-size-mean").number) for row in rows}
    most = {
        row: 1
        + float(
            find(f"dyadic.t5.{row}.rectangles-stored-max").number
            / find(f"dyadic.t5.{row}.nhat-rho-min").number
        )
        for row in rows
    }
    return all(lists[row] > most[row] for row in rows), (
        "Two keys share one of |S| slots with probability 1/|S| at most, so the expected list of a key is "
        "at most 1 + N/|S| long, and the mean over slots no longer. With the largest N and the least |S| of "
        "Table 5 that is "
        + ", ".join(f"{most[row]:.2f} on {row} (printed: {lists[row]:.2f})" for row in rows)
        + "."
    )


@erratum(
    "errata.dyadic.universal",
    "Section 6",
    "With the smallest prime above the printed minimum as |S|, the hash functions are a universal class.",
    "|S| must also be above every 2^(k_i + 1), or sums that differ by |S| always collide.",
    STATEMENT,
)
def _universal():
    size = hash_size(1, (2,))
    first, second = 1, 1 + size
    collide = all((u * first - u * second) % size == 0 for u in range(size))
    return collide and second <= 2**3 - 1, (
        f"One surrogate, one coordinate, k = 2: three rectangles at most, so |S| = {size}. The sums "
        f"{first} and {second} collide for every coefficient. Where |S| is above every 2^(k_i + 1), as on "
        "the nine data sets, the statement holds."
    )
