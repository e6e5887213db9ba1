"""Mistakes found in Algorithms for optimal dyadic decision trees: what shows them."""

from math import prod

from treelib.dyadic.rectangles import hash_size
from treelib.ledger.claims import find
from treelib.ledger.errata import erratum
from treelib.papers.dyadic.settings import LARGE, ROWS
from treelib.papers.dyadic.text.theorems import lemma_4, two_points


def _printed(claim):
    return find(f"dyadic.{claim}").number


@erratum("errata.dyadic.rule-of-thumb")
def _rule_of_thumb():
    n = [int(_printed(f"t3.{name}.n")) for name in ("thyroid", "diabetes")]
    rule = [f"{2 / one:.4f}" for one in n]
    return rule == ["0.0093", "0.0026"], {"n": n, "rule": rule}


@erratum("errata.dyadic.lemma-4")
def _lemma_4():
    problem = two_points()
    (error, leaf), (less, leaves) = problem.sequence()
    printed, mended = lemma_4(problem, (error, leaf), (less, leaves))
    drop = (error - less) / len(problem.codes)
    sides = {"left": drop / (leaves - leaf), "printed": drop / leaves, "mended": drop / (leaves - 1)}
    return mended and not printed, {"n": leaves, "drop": drop, **sides}


@erratum("errata.dyadic.corollary-1")
def _corollary_1():
    problem = two_points()
    error, n = problem.leaf_error(problem.root), len(problem.codes)
    tied = set(problem.minimisers(error)) == {(error, 1), (0, 2)}
    return tied and problem.selected(error) == (0, 2), {"e_1": error / n, "cost": 2 * error / n}


@erratum("errata.dyadic.diabetes")
def _components():
    dimension = int(_printed("t3.diabetes.d"))
    return dimension == 8, {"n": dimension}


@erratum("errata.dyadic.saving")
def _saving():
    lengths = [
        [_printed(f"t3.{row}.{way}-lambda-values") for way in ("adaptive", "heuristic")] for row in ROWS
    ]
    factors = sorted((float(adaptive / heuristic) for adaptive, heuristic in lengths), reverse=True)
    hundred, words = sum(factor >= 100 for factor in factors), ", ".join(f"{one:.1f}" for one in factors)
    return hundred <= 1, {"factors": words, "hundred": hundred, "n": len(factors)}


@erratum("errata.dyadic.tighter")
def _tighter():
    occupied, bound = (find(f"dyadic.t5.banana.{name}-min") for name in ("sigma-k", "nhat-rho"))
    return occupied.number < bound.number, {"occupied": occupied.value, "bound": bound.value}


@erratum("errata.dyadic.large")
def _large():
    smallest, bound = (2**11 - 1) ** 4, find("dyadic.t5.intrusion.nhat-rho-min")
    times = smallest / int(_printed("t5.intrusion.nhat-rho-max"))
    is_of_such_a_grid = abs(7640 * 11**4 / float(bound.number) - 1) < 0.01
    return times < 10**6 and is_of_such_a_grid, {"bound": bound.value, "n": smallest, "times": times}


@erratum("errata.dyadic.least-compressed")
def _least_compressed():
    least, printed = int(_printed("t4.thyroid.compressed-n-min")), float(_printed("t5.thyroid.nhat-rho-min"))
    splits = [int(find(f"dyadic.t4.thyroid.k-{i}").value.split("-")[1]) for i in range(1, 6)]
    most = least * prod(k + 1 for k in splits)
    return most < 0.9 * printed, {"least": least, "most": most, "printed": printed}


@erratum("errata.dyadic.cart-nodes")
def _nodes():
    cart, dyadic = (
        [int(_printed(f"t7.{row}.{method}-leaves-{part}")) for row in LARGE for part in ("min", "max")]
        for method in ("cart", "odt")
    )
    means = [find(f"dyadic.t7.{row}.cart-leaves-mean") for row in LARGE]
    # a mean of ten that is printed with its decimal gives their sum
    sums = [int(10 * mean.number) for mean in means if "." in mean.value]
    return all(size % 2 for size in cart) and not any(total % 2 for total in sums), {
        "n": len(cart),
        "cart": ", ".join(map(str, cart)),
        "sums": ", ".join(map(str, sums)),
        "chance": 2 ** (len(cart) + len(sums)),
        "odd": sum(size % 2 for size in dyadic),
    }


@erratum("errata.dyadic.uniform-coefficients")
def _uniform_coefficients():
    longer = {}
    for row in ("diabetes", "intrusion", "mushroom"):
        stored, slots = _printed(f"t5.{row}.rectangles-stored-max"), _printed(f"t5.{row}.nhat-rho-min")
        longer[row] = 1 + float(stored / slots), float(_printed(f"t6.{row}.list-size-mean"))
    each = (f"{most:.2f} on {row} (printed: {ours:.2f})" for row, (most, ours) in longer.items())
    return all(most < ours for most, ours in longer.values()), {"each": ", ".join(each)}


@erratum("errata.dyadic.universal")
def _universal():
    size = hash_size(1, (2,))
    first, second = 1, 1 + size
    collide = all((u * first - u * second) % size == 0 for u in range(size))
    return collide and second <= 2**3 - 1, {"size": size, "first": first, "second": second}
