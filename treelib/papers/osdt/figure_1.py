"""Figure 1: training accuracy of optimal sparse trees, CART and BinOCT against their leaves."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from time import perf_counter

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import WHOLE, by_id, judge_statement, judges
from treelib.papers.osdt.binoct import _RUNS, _asked, cases_of, optimum_of_depth, run_stored_case
from treelib.papers.osdt.figures_4_to_6 import figure_tree
from treelib.papers.osdt.search import seconds_of_exact
from treelib.papers.osdt.settings import DATA, PRICES, load
from treelib.papers.osdt.text import algorithm_1
from treelib.papers.osdt.trees import cart_tree, optimal_tree

# seconds that HiGHS gets for a tree, and the depths asked for
DEPTHS, CASE_SECONDS = (1, 2, 3, 4), 2.0
CLOSE_POINTS = 0.5, 1, 2  # percentage points of accuracy that may be still close to optimal
LARGER_CART = 4, 8, 16, 32  # leaves of CART's largest tree beside the line of Figure 1
SAME = 1e-9  # percentage points within which two accuracies are one


experiment(
    "osdt.f1",
    item="Figure 1",
    title="BinOCT on the seven data sets at every depth",
    cases=lambda: [_asked(data, depth, CASE_SECONDS) for data in DATA for depth in DEPTHS],
    seconds=30,
    **_RUNS,
)(run_stored_case)


@dataclass(frozen=True)
class Point:
    """A tree as a point of a figure: accuracies in percent; `test` is None where there is no test set."""

    method: str
    n_leaves: int
    train: float
    test: float | None = None
    fold: int | None = None
    price: Fraction | None = None


@cache
def figure_1(data):
    """Training accuracy of the trees of all methods on one data set, list of `Point`."""
    points = [_point("osdt", optimal_tree(data, price)) for price in PRICES]
    largest = max(point.n_leaves for point in points)
    points += [_point("cart", cart_tree(data, n, None)) for n in range(2, max(largest, 8) + 1)]
    return points + [_point("binoct", case.scored) for case in complete_trees(data)]


def complete_trees(data):
    """BinOCT's runs for Figure 1 on one data set, list of `Case`."""
    return [case for case in cases_of("1") if case.scored.data == data]


@cache
def figure_1_seconds(data):
    """Seconds behind the trees of `figure_1`: dict of method to list of (seconds, accuracy in percent).

    Whole fits, all programs warm: the least of three for the sparse trees and CART, one run for BinOCT, which
    mostly ends at its limit.
    """
    from sklearn.tree import DecisionTreeClassifier

    table = load(data)
    sparse = [(seconds_of_exact(data, price), float(optimal_tree(data, price).accuracy)) for price in PRICES]
    greedy = []
    for point in figure_1(data):
        if point.method == "cart":
            seconds = []
            for _ in range(3):
                began = perf_counter()
                DecisionTreeClassifier(max_leaf_nodes=point.n_leaves, random_state=0).fit(table.X, table.y)
                seconds.append(perf_counter() - began)
            greedy.append((min(seconds), point.train))
    complete = [(case.seconds, float(case.scored.accuracy)) for case in complete_trees(data)]
    return {"osdt": sparse, "cart": greedy, "binoct": complete}


def _point(method, scored):
    return Point(method, scored.n_leaves, float(scored.accuracy), price=scored.regularization)


# ---- verdicts ---------------------------------------------------------------------------------------------


def least_gap(data):
    """CART trees against the optimal tree with as many leaves at most: (case, points of accuracy lost)."""
    for price in PRICES:
        best = optimal_tree(data, price)
        if best.n_leaves > 1:
            cart = cart_tree(data, best.n_leaves, None)
            yield f"{data}, {best.n_leaves} leaves", float(best.accuracy - cart.accuracy)


@judges("osdt.f1.*", "osdt.s4.main-results.*", "osdt.s4.trees.*")
def judge_figure_1():
    """Verdicts on Figure 1 and the main results, dict of claim id to Verdict."""
    cases = [case for data in DATA for case in complete_trees(data)]
    trees = [(data, price, optimal_tree(data, price)) for data in DATA for price in PRICES]
    gaps, losses = [gap for data in DATA for gap in least_gap(data)], [_lost_by_depth(case) for case in cases]
    near = {
        f"{name}_{n}": sum(lost <= most for _, lost in some)
        for name, some in (("cart", gaps), ("binoct", losses))
        for n, most in enumerate(CLOSE_POINTS)
    }
    source = store.source("osdt.f1")
    return by_id(
        judge_statement(
            "osdt.f1.baselines.below-line",
            map(_below_line, DATA),
            how=WHOLE,
            numbers={f"up_to_{most}": _n_below_line(most) for most in LARGER_CART} | {"n": len(DATA)},
            **source,
        ),
        judge_statement(
            "osdt.s4.main-results.close-to-optimal",
            ((case, lost <= CLOSE_POINTS[1], lost) for case, lost in gaps + losses),
            how=WHOLE,
            numbers=near | {"n_cart": len(gaps), "n_binoct": len(losses)},
            **source,
        ),
        judge_statement("osdt.s4.main-results.baselines-miss", ((case, lost > 0) for case, lost in gaps)),
        judge_statement("osdt.s4.main-results.binoct-misses", _missed_by_complete(cases)),
        judge_statement("osdt.s4.main-results.competitive", map(_race, cases), **source),
        judge_statement(
            "osdt.s4.trees.no-same-label-siblings",
            [
                *algorithm_1.trials(algorithm_1.SIBLINGS),
                ((f"{data}, {float(price):g}", _n_useless(best) == 0) for data, price, best in trees),
            ],
            **store.source("osdt.algorithm-1"),
        ),
        judge_statement(
            "osdt.s4.trees.binoct-useless",
            map(_more_leaves_than_needed, cases),
            how=WHOLE,
            numbers={"useless": sum(case.n_useless_splits > 0 for case in cases), "n": len(cases)},
            **source,
        ),
    )


def _lost_by_depth(case):
    """A tree of BinOCT against the best of its depth: (case, points of accuracy lost)."""
    lost = float(case.optimum.accuracy - case.scored.accuracy)
    return f"{case.scored.data}, BinOCT of depth {case.depth}", lost


def _more_leaves_than_needed(case):
    """Whether a complete tree of a depth has more leaves than needed for its accuracy: (case, bool)."""
    data, n_complete = case.scored.data, 2**case.depth
    # a price so low that no error is worth it: the fewest leaves among the trees with the fewest errors
    least = optimum_of_depth(data, case.depth, Fraction(1, len(load(data).y) * (n_complete + 1)))
    if least.n_errors != case.optimum.n_errors:
        raise RuntimeError(f"{data}, depth {case.depth}: the leaf penalty has cost an error.")
    return f"{data}, depth {case.depth}: {least.n_leaves} of {n_complete} leaves", least.n_leaves < n_complete


def _missed_by_complete(cases):
    """Best complete trees against optimal sparse trees of no more leaves: (case, whether these are
    better)."""
    sparse = {data: [optimal_tree(data, price) for price in PRICES] for data in DATA}
    sparse["Tic-Tac-Toe"].append(figure_tree("Tic-Tac-Toe"))
    for case in cases:
        data, n_complete = case.scored.data, 2**case.depth
        fewest = min((tree.n_errors for tree in sparse[data] if tree.n_leaves <= n_complete), default=None)
        if fewest is not None:
            yield (
                f"{data}, depth {case.depth}: {case.optimum.n_errors:,} errors, {fewest:,} with as many "
                "leaves",
                fewest < case.optimum.n_errors,
            )


def _line(data):
    """Accuracy of the best optimal tree at the four prices, in percent."""
    return max(float(optimal_tree(data, price).accuracy) for price in PRICES)


def _below_line(data):
    rivals = [point.train for point in figure_1(data) if point.method == "cart"]
    rivals += [float(case.optimum.accuracy) for case in complete_trees(data)]
    above = max(rivals) - _line(data)
    return data, above <= SAME, above


def _n_below_line(most):
    """On how many data sets no tree of CART of up to `most` leaves is above the line."""
    trees = {data: [cart_tree(data, n, None) for n in range(2, most + 1)] for data in DATA}
    return sum(max(float(tree.accuracy) for tree in trees[data]) - _line(data) <= SAME for data in DATA)


def _race(case):
    slowest = max(seconds_of_exact(case.scored.data, price) for price in PRICES)
    eighth = case.seconds / 8
    return f"{case.scored.data}, depth {case.depth}", slowest <= eighth, slowest - eighth


def _n_useless(scored):
    return scored.n_leaves - scored.tree.simplified().n_leaves
