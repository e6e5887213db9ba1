"""Mistakes found in Optimal Sparse Decision Trees: what shows them."""

from fractions import Fraction

from treelib.ledger.claims import TRUNCATED, find
from treelib.ledger.claims import load as load_claims
from treelib.ledger.errata import erratum
from treelib.papers.osdt.exhaustive import Problem, problem_levels
from treelib.papers.osdt.figures_4_to_6 import explain_percentage
from treelib.papers.osdt.settings import DATA, FIGURE_7_LAMBDA, load
from treelib.papers.osdt.table_1 import OVERFLOW, count_rule_lists, count_trees, rule_lists, trees
from treelib.papers.osdt.table_2 import furthest
from treelib.papers.osdt.text.theorems import tallies, trials_of_remaining
from treelib.papers.osdt.trees import optimal_tree

_PERCENTAGES = ("osdt.f4.osdt.accuracy", "osdt.f7.osdt.accuracy", "osdt.f9.compas.cart-accuracy")


@erratum("errata.osdt.figure-7")
def _figure_7():
    sizes = {data: len(load(data).y) for data in DATA}
    claim = "osdt.f7.osdt.accuracy"
    able = {data: found for data, n in sizes.items() if (found := explain_percentage(claim, n))}
    tree = optimal_tree("COMPAS", FIGURE_7_LAMBDA)
    count = tree.n_samples - tree.n_errors
    fits = set(able) == {"COMPAS"} and [count] == [k for k, _ in able["COMPAS"]]
    return fits, {
        "printed": find(claim).value,
        "count": count,
        "n": tree.n_samples,
        "monk": sizes["Monk1"],
    }


@erratum("errata.osdt.samples")
def _sample_size():
    printed, ours = int(find("osdt.s4.compas.n").number), len(load("COMPAS").y)
    misses = [claim for claim in _PERCENTAGES if not explain_percentage(claim, printed)]
    fits = all(explain_percentage(claim, ours) for claim in _PERCENTAGES)
    text = ", ".join(f"{find(claim).value} %" for claim in misses)
    return fits and bool(misses), {
        "n": printed,
        "misses": text,
        "count": len(_PERCENTAGES),
        "ours": ours,
    }


@erratum("errata.osdt.rounding")
def _rounding():
    shown = {
        "osdt.f7.osdt.accuracy": len(load("COMPAS").y),
        "osdt.f9.compas.cart-accuracy": len(load("COMPAS").y),
        "osdt.f9.tic-tac-toe.cart-accuracy": len(load("Tic-Tac-Toe").y),
    }
    how = {claim: explain_percentage(claim, n) for claim, n in shown.items()}
    words = [f"{find(c).value} % is {k}/{shown[c]} {way}" for c, found in how.items() for k, way in found]
    ways = {way for found in how.values() for _, way in found}
    return ways == {"rounded", "cut off"}, {"words": "; ".join(words)}


@erratum("errata.osdt.rule-lists")
def _corels_sum():
    printed = find("osdt.t1.d-1.p-10-rule-lists")
    one, none = count_rule_lists(10, 1), count_rule_lists(10, 0)
    return one == printed.number != none, {"printed": printed.value, "one": one, "none": none}


@erratum("errata.osdt.table-1")
def _table_1():
    verdicts = trees.judge() | rule_lists.judge()
    cut = [verdict for verdict in verdicts.values() if verdict.reason.startswith(TRUNCATED)]
    finite = [f"{count_trees(p, 5):.3e}" for p in (10, 20) if count_trees(p, 5) >= OVERFLOW]
    shows = len(cut) > 1 and len(finite) == 2
    return shows, {"cut": len(cut), "n": len(verdicts), "finite": " and ".join(finite)}


@erratum("errata.osdt.equation-1")
def _places_below():
    """Level sizes where 2 n and 2^n differ: first at three splits of one level."""
    n = 3
    same = all(2 * m == 2**m for m in (1, 2))
    return same and 2 * n != 2**n, {"n": n, "places": 2 * n, "wrong": 2**n}


@erratum("errata.osdt.table-2")
def _warm_start():
    claim = find("osdt.t2.all-bounds.trees-evaluated")
    warm, cold = (furthest(start)["all-bounds"].n_evaluated for start in ("cart", None))
    return warm == claim.number != cold, {"printed": claim.value, "warm": warm, "cold": cold}


@erratum("errata.osdt.theorem-c-3")
def _strict_bound():
    printed, safe = tallies()["C.3"], tallies()["C.3 (safe)"]
    small = tallies("osdt.theorems.small")["C.3"]
    numbers = {"failed": printed.n_failed, "tried": printed.n_tried, "safe": safe.n_failed}
    shows = printed.n_failed > 0 == safe.n_failed and bool(small.worst)
    return shows, numbers | {"worst": small.worst}


@erratum("errata.osdt.theorem-d-1")
def _remaining_trees():
    printed, checked = trials_of_remaining()
    n_failed, n_checked = (sum(one.failed for one in some) for some in (printed, checked))
    return n_failed > 0 == n_checked, {
        "failed": n_failed,
        "tried": sum(one.cases for one in printed),
        "worst": printed[0].worst,
        "checked": n_checked or "none",
        "n_checked": sum(one.cases for one in checked),
    }


@erratum("errata.osdt.theorem-3-4")
def _threshold():
    price = Fraction(1, 2)
    leaf, split = Fraction(1, 2) + price, 2 * price
    return leaf == split, {"price": float(price)}


@erratum("errata.osdt.orders")
def _lookahead_only():
    blank = "osdt.t2.no-equivalent-points-bound.time-to-optimum" not in load_claims("osdt")
    seconds = [find(f"osdt.t2.{row}.time-to-optimum").number for row in ("no-lookahead-bound", "all-bounds")]
    trees = [furthest()[row].n_evaluated_to_optimum for row in ("no-equivalent-points-bound", "all-bounds")]
    return blank, {"factor": float(seconds[0] / seconds[1]), "ours": trees[0] / trees[1]}


@erratum("errata.osdt.levels")
def _levels():
    data = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]  # XOR; a third column that is of no use
    found = problem_levels(
        Problem([[a, b, 0] for a, b, _ in data], [label for *_, label in data], Fraction(1, 10))
    )
    missed = [case for case, holds in found if not holds]
    return len(missed) == 1, {"missed": " ".join(missed)}
