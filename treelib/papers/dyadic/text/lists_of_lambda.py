"""Section 4: what the text says of the lists of lambda and of the searches along them."""

from functools import cache, partial

from treelib.dyadic.paper import lambda_search, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.ledger.claims import find
from treelib.ledger.protocol.judging import WHOLE, Readings, Trials, judge, judge_statement, judges
from treelib.papers.dyadic.settings import IN_LETTER, LARGE, LETTER_BOX, OURS, ROWS, SMALL, box_name
from treelib.papers.dyadic.tables_2_3 import (
    ANY,
    FIRST_MET,
    HEURISTIC,
    ON_LIST,
    TIES,
    WAYS,
    design,
    searched,
)
from treelib.papers.dyadic.text.sections_2_3 import rows_of_problem
from treelib.papers.dyadic.text.theorems import tried

ORDERS = (100, 1000, 10**4)  # what "several orders of magnitude" may be at least
MUCH = 2  # "substantial" is by this factor at least
GUARANTEES = {
    lambda_search.search_adaptive: ("dyadic.s0.abstract.claim", "dyadic.s4.adaptive.lambda-list"),
    lambda_search.search_original: ("dyadic.s4.lambda-list.complete",),
}


@judges("dyadic.s4.*", "dyadic.s0.abstract.claim")
def judge_lists():
    """Verdicts on the lists of lambda, list of Verdict."""
    found = []
    for search, claims in GUARANTEES.items():
        largest, first = (tried(partial(finds_all, search=search, tie=tie)) for tie in ("largest", "first"))
        strict = {what: sum(getattr(one, what) for one in first) for what in ("held", "cases")}
        found += [judge_statement(claim, largest, numbers=strict) for claim in claims]
    first = judge_statement("dyadic.s4.adaptive.large-lists-first", first_lists(), experiment="dyadic.t3")
    return [*found, first, *_judge_reductions(), *_judge_heuristic()]


def _judge_reductions():
    """Verdicts on how much shorter the two searches make the lists, list of Verdict."""
    ours = {row: design(row) for row in ROWS}
    adaptive_length = {row: one["adaptive_sums_largest"]["n_lambda"] for row, one in ours.items()}
    adaptive = {row: one["original_sums"] / adaptive_length[row] for row, one in ours.items()}
    heuristic = {row: adaptive_length[row] / n for row, n in our_lengths().items()}
    printed = _printed_factors()
    among = sorted(adaptive.values(), reverse=True)[len(adaptive) // 2]

    def judged(claim, factors, least, **numbers):
        trials = (
            (f"{row}, {factor:.3g} times shorter, too little by", factor >= least, least - factor)
            for row, factor in factors.items()
        )
        return judge_statement(
            claim, trials, how=WHOLE, numbers={"least": least, **numbers}, experiment="dyadic.t3"
        )

    return [
        judged("dyadic.s4.adaptive.reduction", adaptive, MUCH, among=among),
        *(
            judged(claim, factors, ORDERS[0], ours=_counted(factors), printed=_counted(in_print))
            for claim, factors, in_print in (
                ("dyadic.s4.adaptive.orders", adaptive, printed[0]),
                ("dyadic.s4.heuristic.reduction", heuristic, printed[1]),
            )
        ),
    ]


def _counted(factors):
    """How many lists become shorter by each factor, in words."""
    counts = (
        f"{sum(one >= least for one in factors.values())} at {least:,}" for least in (MUCH, 10, *ORDERS)
    )
    return f"{', '.join(counts)} times and more of {len(factors)} sets"


def _printed_factors():
    """How many times shorter the paper's own Table 3 makes its lists: two dicts of row to float."""
    cells = ("original-lambda-list", "adaptive-lambda-values", "heuristic-lambda-values")
    lengths = {row: [float(find(f"dyadic.t3.{row}.{cell}").number) for cell in cells] for row in ROWS}
    return [{row: one[i] / one[i + 1] for row, one in lengths.items()} for i in (0, 1)]


def finds_all(problem, search, tie="largest"):
    """Whether a search over the paper's list finds the whole solution sequence of a problem by Definition 3;
    with `tie` "largest" nothing else either."""
    rows, sequence = rows_of_problem(problem), [tuple(pair) for pair in problem.sequence()]
    bound = max(greedy_leaves(rows), sequence[-1][1])
    found = search(lambda price: recursion.solve(rows, price, tie=tie), sequence[0][0], bound, keep=True)
    return list(found.solutions) == sequence if tie == "largest" else {*sequence} <= {*found.solutions}


@cache
def first_lists():
    """The first list of the adaptive search beside that after half of the solutions, `Trials`."""
    cases = []
    for row in SMALL:
        found = design(row)
        path, leaves = found["path"], found["greedy_leaves"]
        lists = [
            (error, lambda_search.count_original(error, leaves - fewer + 1))
            for error, fewer in (path[0], path[(len(path) - 1) // 2])
        ]
        (first, n_first), (later, n_later) = lists
        steps = first / n_first, later / n_later
        cases.append((f"{row}, mean steps", n_first > n_later and steps[0] < steps[1], steps[0] / steps[1]))
    return Trials.of(
        cases, "the six small sets: the first list longer, of a smaller mean step, than that half-way", WHOLE
    )


def _judge_heuristic():
    """Verdicts on what the heuristic skips, list of Verdict."""
    source = {"experiment": "dyadic.box-searches"}
    chosen = f"{ANY}, {FIRST_MET}, {IN_LETTER}"
    skipped = {row: skips(row) for row in SMALL}
    ours = {row: found[chosen] for row, found in skipped.items()}
    # of the readings that all six small sets were run in
    shared = [name for name in skipped["titanic"] if all(name in found for found in skipped.values())]
    losing = {name: sum(found[name] > 0 for found in skipped.values()) for name in shared}
    of_large = {
        row: len(design(row)["first"]) - design(row)["heuristic_first_printed_any"]["n_solutions"]
        for row in LARGE
    }
    numbers = {"small": named(ours), "large": ", ".join(f"{row} {n}" for row, n in of_large.items())}
    trials = Trials(
        sum(searched(row)[LETTER_BOX]["first"] for row in SMALL),
        sum(ours.values()),
        max(ours, key=ours.get),
        "solutions of the six small sets, which the heuristic does not skip",
    )
    readings = {"data-sets-with-skips": losing} | {
        f"skipped-{row}": skipped[row] for row in ("diabetes", "breast-cancer")
    }
    return [
        *(
            judge(
                f"dyadic.s4.heuristic.{name}",
                Readings(HEURISTIC.question, chosen, values) if len(values) > 1 else values[chosen],
                numbers=numbers,
                **source,
            )
            for name, values in readings.items()
        ),
        judge_statement("dyadic.s4.heuristic.skips-rare", trials, numbers=numbers, **source),
    ]


def named(skipped):
    """Solutions skipped by row in words; those of none left out."""
    return ", ".join(f"{row} {n}" for row, n in skipped.items() if n)


@cache
def skips(row):
    """Solutions of the complete list that the heuristic does not find, by reading: dict."""
    one, found = design(row), {}
    for way, name in ((ANY, "heuristic_first_printed_any"), (ON_LIST, "heuristic_first_printed")):
        found[f"{way}, {FIRST_MET}, {OURS}"] = len(one["first"]) - one[name]["n_solutions"]
    for box, result in searched(row).items():
        for way, search in WAYS.items():
            for tie, name in TIES.items():
                if run := result["searches"].get(f"heuristic {search} {name}"):
                    found[f"{way}, {tie}, {box_name(*box)}"] = result[name] - run["n_solutions"]
    return found


def our_lengths():
    """Values that our adaptive + heuristic search visits by row, dict; on large sets the first met stays."""
    return {
        row: design(row)["heuristic_first_printed_any"]["n_lambda"]
        if row in LARGE
        else judged_search(row)["n_lambda"]
        for row in ROWS
    }


def judged_search(row):
    """The heuristic search that Table 3 is judged by, dict as `searches.described` gives it."""
    return searched(row)[LETTER_BOX]["searches"]["heuristic any first"]
