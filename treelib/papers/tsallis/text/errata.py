"""Mistakes found in Learning accurate and interpretable tree-based models: what shows them."""

from fractions import Fraction
from math import ceil, comb, floor

from treelib import datasets
from treelib.ledger.claims import find, load
from treelib.ledger.errata import erratum
from treelib.papers.tsallis.exact_loss import behaviours_without_loss
from treelib.papers.tsallis.section_4 import more_curves_than_nodes
from treelib.papers.tsallis.splits import samples
from treelib.papers.tsallis.table_1 import COLUMNS, TABLE_1
from treelib.papers.tsallis.table_2 import TABLE_2
from treelib.papers.tsallis.text.section_3_1 import gamma_counterexample
from treelib.papers.tsallis.text.section_3_4 import tweedie_forms
from treelib.papers.tsallis.text.section_6 import degree_of_score_comparison
from treelib.papers.tsallis.text.theorems import (
    distinct_terms,
    initial_trees,
    printed_in_base_2,
    stirling,
    union_counterexample,
)


def is_multiple(percent, n):
    """Whether a printed percentage is ``k / n`` for a whole k, rounded or cut off at its last digit."""
    step = Fraction(10) ** percent.as_tuple().exponent
    near = floor(Fraction(percent) * n / 100)
    return any(
        Fraction(percent) in (round(share / step) * step, floor(share / step) * step)
        for share in (Fraction(100 * k, n) for k in range(near - 1, near + 3))
    )


@erratum("errata.tsallis.theorem-8-1")
def _combined():
    found = union_counterexample(1)
    bounds = {"printed": found["printed"], "base_2": printed_in_base_2(1)}
    return found["union"] > max(bounds.values()), found | bounds


@erratum("errata.tsallis.pieces-of-loss")
def _loss_pieces():
    runs, steps = behaviours_without_loss(*samples("Wine"))
    return runs - 1 > steps, {"runs": runs - 1, "steps": steps}


@erratum("errata.tsallis.first-trees")
def _first_trees():
    t = 8
    curves = max(initial_trees(t, seed)["curves"] for seed in range(4))
    return curves > t - 1, {"t": t, "curves": curves}


@erratum("errata.tsallis.curves")
def _curves():
    found = more_curves_than_nodes()
    return found["curves"] > found["leaves"], found | {"nodes": 2 * found["leaves"] - 1}


@erratum("errata.tsallis.degree")
def _degree():
    first, second = (degree_of_score_comparison(tree) for tree in (1, 2))
    return first <= 6 < second, {"first": first, "second": second}


@erratum("errata.tsallis.geometric")
def _geometric():
    middle, mean = gamma_counterexample()
    return middle < mean, {"middle": float(middle), "mean": float(mean)}


@erratum("errata.tsallis.tweedie")
def _tweedie():
    y, p = 4.0, 0.5
    found = tweedie_forms(p, [y, y])
    return abs(found["corrected"]) < 1e-9 and abs(found["printed"]) > 1, {"y": y, "p": p, **found}


@erratum("errata.tsallis.penalty")
def _penalty():
    errors, leaves, price = Fraction(1, 4), 2, Fraction(1, 10)
    once = errors + price * leaves
    twice = sum(errors / leaves + price for _ in range(leaves)) + price * leaves
    numbers = {"errors": errors, "price": price, "once": once, "twice": twice}
    return twice - once == price * leaves, {name: float(one) for name, one in numbers.items()}


@erratum("errata.tsallis.terms")
def _terms():
    beta, classes = 1, 2
    printed, right = comb(beta + classes - 1, classes), comb(beta + classes - 1, classes - 1)
    shows = printed != right == distinct_terms(beta, classes)
    return shows, {"beta": beta, "classes": classes, "right": right, "printed": printed}


@erratum("errata.tsallis.stirling")
def _stirling():
    n, bins = 60, 2
    printed, wrong, right = n ** (2 * bins) / (2**bins * 2), stirling(n, bins), stirling(n, n - bins)
    numbers = {"n": n, "bins": bins, "others": n - bins, "wrong": wrong, "right": right}
    return abs(printed / right - 1) < 0.2 and wrong / printed > 1e6, numbers | {"printed": printed}


@erratum("errata.tsallis.lemma-a-2")
def _degenerate():
    values = [1 * 2**x - 1 * 2**x for x in (0, 1, 5)]
    return not any(values), {"sum": "2^x - 2^x"}


@erratum("errata.tsallis.significantly")
def _overlap():
    small = []
    for row in TABLE_1:
        (best, half), *others = (
            [find(f"tsallis.t1.{row}.acc-{column}{end}").number for end in ("", "-ci95")]
            for column in ("best", *COLUMNS)
        )
        small += [
            f"{find(f'tsallis.t1.{row}.acc-{column}').row}, {column}"
            for column, (mean, other) in zip(COLUMNS, others, strict=True)
            if (best - mean) ** 2 <= half**2 + other**2
        ]
    return bool(small), {"n_small": len(small), "n": len(TABLE_1) * len(COLUMNS), "small": "; ".join(small)}


@erratum("errata.tsallis.table-2")
def _multiples():
    n_test = {key: ceil(len(samples(data)[1]) / 5) for key, data in TABLE_2.items()}
    cells = [one for one in load("tsallis").values() if one.id.startswith("tsallis.t2.") and one.number]
    misses = [one for one in cells if not is_multiple(one.number, n_test[one.id.split(".")[2]])]
    fits = len(cells) - len(misses)
    words = ", ".join(f"{one.row} {one.value}" for one in misses)
    return fits > 0.7 * len(cells), {"fits": fits, "total": len(cells), "misses": words}


@erratum("errata.tsallis.iris-gini")
def _gini_iris():
    claim, n_test = find("tsallis.t1.iris.acc-gini"), 30
    runs = next(m for m in range(1, 1000) if is_multiple(claim.number, m * n_test))
    return runs > 10, {"n_test": n_test, "printed": claim.value, "runs": runs}


@erratum("errata.tsallis.banknote")
def _banknote():
    return _attributes("tsallis/banknote", "tsallis.s9.banknote.attributes")


@erratum("errata.tsallis.cryotherapy")
def _cryotherapy():
    return _attributes("tsallis/cryotherapy", "tsallis.sb-1.cryotherapy.attributes")


def _attributes(data, printed):
    n = datasets.info(data).n_features
    return n == int(find(printed).number) - 1, {"n": n}
