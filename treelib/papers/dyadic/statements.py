"""Verdicts on the dyadic paper's captions, examples, definitions, lemmas and claims in the text."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from treelib.dyadic.paper import recursion
from treelib.ledger import store
from treelib.ledger.claims import TAKEN_OVER, judge, judge_statement, untestable
from treelib.papers.dyadic import appendix, judge_rectangles
from treelib.papers.dyadic.judge_tables import design, design_case, grid_ratio, rows_of, shape
from treelib.papers.dyadic.odt import FOLDS, PARTITIONS
from treelib.papers.dyadic.settings import LARGE, ROWS, load

_NO_DRAWING = "the text of the paper has no drawing, so the curve itself could not be compared"
_UNREAD = "a result of other authors that this paper quotes"


def statements():
    """Verdicts on all claims that are no cell of a table: list of Verdict."""
    return [
        *captions(),
        *figures(),
        *lemmas(),
        *definitions(),
        *recursion_claims(),
        *judge_rectangles.statements(),
        *searches(),
        *appendix.statements(),
    ]


def captions():
    """Verdicts on the captions of the tables."""
    automatic = np.array(rows_of("dyadic.t4", "diabetes")["automatic"].tolist())
    typical = int(np.median(automatic))
    verdicts = [
        judge_statement(
            "dyadic.t1.caption.lambda",
            False,
            "2/n",
            cause="a misprint: the table's own head, Section 4 and both figures have 2/n, and n/2 is above 1",
        ),
        judge_statement(
            "dyadic.t4.diabetes.k-automatic",
            bool((automatic == 4).any()),
            f"{automatic.min()}-{automatic.max()}, most often {typical}",
            why=""
            if (automatic == 4).all()
            else "on some of the training sets; the box of our rule asks for more",
            cause="the box of our rule asks for another k",
            experiment="dyadic.t4",
            case={"row": "diabetes"},
        ),
        untestable("dyadic.t5.caption.lambda", TAKEN_OVER),
        judge("dyadic.t7.caption.partitions", PARTITIONS),
        judge("dyadic.t7.caption.cart-cv-folds", FOLDS),
    ]
    for row in LARGE:
        known = ROWS[row]
        verdicts += [
            judge(f"dyadic.t7.{row}.design-size", known.n_design),
            judge(f"dyadic.t7.{row}.test-size", shape(row)[0] - known.n_design),
        ]
    shares = [100 * ROWS[row].n / ROWS[row].n_design for row in LARGE]
    for name, values in (("train", shares), ("validation", [100 - share for share in shares])):
        verdicts.append(
            judge_statement(
                f"dyadic.t7.caption.odt-{name}-share",
                True,
                ", ".join(f"{value:.1f} %" for value in values),
                why="with the sizes of Tables 1 and 4; mushroom's training sets are three quarters",
            )
        )
    return verdicts


def figures():
    """Verdicts on the figures and the numbers beside them."""
    thyroid, diabetes = design("thyroid"), design("diabetes")
    visited = thyroid["visited"]
    low, high = visited[0] / visited[2], visited[0] / visited[3]
    n_thyroid, n_diabetes = len(load("thyroid")[1]), len(load("diabetes")[1])
    breaks = widths(diabetes["path"])
    origin = {"experiment": "dyadic.t3", "case": design_case("thyroid")}
    of_diabetes = {"experiment": "dyadic.t3", "case": design_case("diabetes")}
    return [
        judge_statement("dyadic.f1.description.diagram", True, "drawn from the text", why=_NO_DRAWING),
        judge_statement(
            "dyadic.f2.description.plot",
            visited[0] / visited[-1] > 100,
            f"all rectangles by those visited: {visited[0] / visited[-1]:,.0f} at the largest lambda, 1 at "
            "the smallest",
            why=_NO_DRAWING,
            cause="the ratio stays below two orders of magnitude",
            **origin,
        ),
        judge("dyadic.f2.thyroid.n", n_thyroid),
        judge("dyadic.f2.thyroid.lambda-rule", Fraction(2, n_thyroid)),
        judge(
            "dyadic.f2.thyroid.improvement-ratio-rule",
            (low * high) ** 0.5,
            tolerance=((low / high) ** 0.5 / 1.1, (high / low) ** 0.5 * 1.1),
            why=f"between {low:.2f} and {high:.2f}, with rectangles whose error equals lambda split or not",
            cause=f"ours lies between {low:.2f} and {high:.2f}; the box is another",
            **origin,
        ),
        judge(
            "dyadic.f2.thyroid.improvement-ratio-average",
            grid_ratio("thyroid"),
            tolerance=(0.75, 4 / 3),
            why="ratio of all rectangles over the adaptive + heuristic grid; the paper defines neither mean "
            "nor grid",
            cause="neither the mean nor the grid is defined",
            **origin,
        ),
        judge(
            "dyadic.f2.thyroid.small-lambda-ratio",
            Fraction(visited[0], visited[1]),
            cause="MRP does not visit all rectangles at the smallest lambda",
            **origin,
        ),
        judge_statement(
            "dyadic.f3.description.plot",
            max(breaks) > 100 * min(breaks) and breaks.index(max(breaks)) <= 1,
            f"widest interval of lambda {max(breaks):.3g} errors, narrowest {min(breaks):.2g}",
            why=_NO_DRAWING,
            cause="the widest interval is not among the first",
            **of_diabetes,
        ),
        judge("dyadic.f3.diabetes.n", n_diabetes),
        judge("dyadic.f3.diabetes.lambda-rule", Fraction(2, n_diabetes)),
    ]


def widths(path):
    """Widths of the intervals of lambda of a solution sequence, in errors, from the largest lambda."""
    ends = [float(path[0][0])]
    ends += [(e - f) / (n - m) for (e, m), (f, n) in pairwise(path)]
    return [high - low for high, low in zip(ends, [*ends[1:], 0.0], strict=True) if high > low]


def lemmas():
    """Verdicts on the lemmas, tried on all trees of small problems."""
    records = store.records("dyadic.theorems").values() or []
    if not records:
        store.results("dyadic.theorems")
        records = store.records("dyadic.theorems").values()
    results = [record["result"] for record in records]

    def tally(name):
        return sum(r["tried"][name] for r in results), sum(r["failed"][name] for r in results)

    causes = {
        "lemma 4": "collapsing a sub-tree removes one leaf less than it has: with |T| - 1 in place of |T| "
        "it holds "
        "in all cases tried",
        "corollary 1": "a tree of two leaves and no error ties with the single leaf at lambda = e_1 and is "
        "the larger, "
        "so the single leaf is a solution only for lambda above e_1",
    }
    named = {
        "lemma 1": "dyadic.s3.lemma-1.statement",
        "lemma 2": "dyadic.s4.lemma-2.statement",
        "lemma 3": "dyadic.s4.lemma-3.statement",
        "corollary 1": "dyadic.s4.corollary-1.statement",
        "lemma 4": "dyadic.s4.lemma-4.statement",
    }
    verdicts = []
    for name, claim in named.items():
        tried, failed = tally(name)
        verdicts.append(
            judge_statement(
                claim,
                failed == 0,
                f"{tried:,} cases tried, {failed:,} fail",
                cause=causes.get(name, "counterexamples among the cases tried"),
                experiment="dyadic.theorems",
            )
        )
    return verdicts


def definitions():
    """Verdicts on definitions, and on bounds that are quoted."""
    taken_over = (
        "dyadic.s2.dyadic-split.statement",
        "dyadic.s2.definition-1.statement",
        "dyadic.s2.regularized-empirical-risk.statement",
        "dyadic.s4.definition-2.statement",
        "dyadic.s4.definition-4.statement",
        "dyadic.s4.l-bound.definition",
        "dyadic.s4.rule-of-thumb.kappa-range",
        "dyadic.s4.rule-of-thumb.kappa",
    )
    return [
        *(untestable(claim, TAKEN_OVER) for claim in taken_over),
        untestable("dyadic.s2.excess-error-bound.statement", _UNREAD),
        untestable("dyadic.s2.blanchard.practical-dimension", _UNREAD),
        judge_statement(
            "dyadic.s4.definition-3.statement",
            all(len(design(row)["path"]) <= ROWS[row].n_design for row in ROWS),
            "never more solutions than rows",
            cause="a sequence is longer than the number of rows",
            experiment="dyadic.t3",
        ),
    ]


def recursion_claims():
    """Verdicts on equation 5 and Procedure 1."""
    is_optimal = _recursion_is_optimal()
    return [
        judge_statement(
            "dyadic.s3.equation-5.statement",
            is_optimal,
            "the recursion's risk is least among all trees of small problems",
            cause="a tree has less risk",
        ),
        judge_statement(
            "dyadic.s3.procedure-1.statement",
            is_optimal,
            "optimal with either tie rule",
            why="its strict sign keeps the tree found first among equals, not the largest, as Definition 2 "
            "asks",
            cause="a tree has less risk",
        ),
    ]


def _recursion_is_optimal():
    """Whether the recursion's risk is least among all trees of some small problems, with every tie rule."""
    from treelib.papers.dyadic.theorems import random_problem

    random = np.random.default_rng(100)
    for _ in range(40):
        problem = random_problem(random)
        rows = recursion.make_rows(problem.codes, problem.losses, problem.n_splits)
        for price in (Fraction(1, 3), Fraction(1), Fraction(5, 2)):
            least = min(e + price * m for e, m in problem.values(problem.root))
            for tie in ("first", "largest"):
                found = recursion.solve(rows, price, tie=tie)
                if found.error + price * found.leaves != least:
                    return False
    return True


def searches():
    """Verdicts on the searches over lambda."""
    found = {row: design(row) for row in ROWS}
    origin = {"experiment": "dyadic.t3"}
    bounds = {row: f["greedy_leaves"] / f["path"][-1][1] for row, f in found.items()}
    missed = {row: len(f["first"]) - f["heuristic_first_printed"]["n_solutions"] for row, f in found.items()}
    first = {row: f["original_sums"] / f["adaptive_sums_first"]["n_lambda"] for row, f in found.items()}
    second = {
        row: f["adaptive_sums_first"]["n_lambda"] / f["heuristic_first_printed"]["n_lambda"]
        for row, f in found.items()
    }
    complete = all(
        f["adaptive_largest"]["n_solutions"] == len(f["path"]) == f["bisection"]["n_solutions"]
        for f in found.values()
    )
    skipping = [row for row, n in missed.items() if n > 0]
    above = [row for row, ratio in bounds.items() if ratio > 5]
    verdicts = [
        judge_statement(
            "dyadic.s4.l-bound.ratio-to-l-max",
            len(above) <= 1,
            f"at most 5 on {len(bounds) - len(above)} of {len(bounds)} data sets; largest "
            f"{max(bounds.values()):.1f}",
            why=f"typical only, as the paper says: more on {', '.join(above)}" if above else "",
            cause="more than 5 on " + ", ".join(above),
            **origin,
        ),
        judge_statement(
            "dyadic.s4.adaptive.reduction",
            min(first.values()) > 2,
            f"factors of {min(first.values()):.1f} to {max(first.values()):.0f}, then of "
            f"{min(second.values()):.1f} to {max(second.values()):.0f}",
            why="large on the data sets with long lists only, as in the paper's own Table 3",
            cause="the lists are hardly shorter",
            **origin,
        ),
        judge(
            "dyadic.s4.heuristic.data-sets-with-skips",
            len(skipping),
            tolerance=3,
            why="which solutions are skipped hangs on few sub-trees, and so on the box",
            cause="more of our data sets lose solutions: " + ", ".join(skipping),
            **origin,
        ),
        judge_statement(
            "dyadic.s4.adaptive.lambda-list",
            complete,
            "all solutions of the path on all data sets",
            cause="a solution is missing",
            **origin,
        ),
        untestable("dyadic.s4.heuristic.rule", TAKEN_OVER),
    ]
    for row in ("diabetes", "breast-cancer", "spambase"):
        verdicts.append(
            judge(
                f"dyadic.s4.heuristic.skipped-{row}",
                missed[row],
                tolerance=2,
                why="which solutions are skipped hangs on few sub-trees, and so on the box",
                cause="which solutions are skipped hangs on few sub-trees, and so on the box",
                experiment="dyadic.t3",
                case=design_case(row),
            )
        )
    return verdicts
