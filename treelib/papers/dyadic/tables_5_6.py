"""Tables 5 and 6: rectangles stored over resampled training sets, and the lists of their hash table.

The number of rectangles that the pruned recursion visits depends on lambda only through the whole number of
errors that a leaf may cost (`treelib.dyadic.paper.recorded_rectangles`), so one run at a vanishing lambda
gives the counts for all.
"""

from fractions import Fraction
from math import exp

from treelib.dyadic.paper import recorded_rectangles, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.hash_tables import mean_and_longest_chain
from treelib.dyadic.paper.price_solver import PriceSolver
from treelib.dyadic.rectangles import hash_size, key_bits, n_rectangles, rectangles_per_row
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Draws, Readings, judge, judge_statement, judges, stated, withheld
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.searches import BOXED
from treelib.papers.dyadic.settings import (
    BOX,
    LARGE,
    LIGHT,
    OURS,
    PARTS,
    ROWS,
    SPLITS,
    as_rows,
    cause_of,
    compressed,
    data_of,
    resampled_rows,
    rows_of,
    spread,
    weigh,
)
from treelib.papers.dyadic.table_1 import cost_of_rest, runs_by_box

BLOCK = 10  # resampled sets of one case, where a set takes a moment
# The paper indexes without hashing where keys have few bits, which it says of banana (up to 22 bits) and of
# titanic. Beside it: keys of up to so many bits; then some lists of flare-solar (23 to 26) have length 1.
INDEX_BITS = 25
INDEX = "which keys are an index without hashing"
NAMED, SHORT = "those of banana and titanic, as printed", f"all of up to {INDEX_BITS} bits"
ONE_K = "diabetes", "mushroom"  # whose k Table 4 prints without a range; that of diabetes was set by hand
COUNTED = f"whether empty rectangles are counted, and {BOX}"
WITH_EMPTY, OCCUPIED = "with the empty ones", "occupied ones only"
MAGNITUDE = 10**6  # "B" is more than so many times the largest bound of its row


def blocks():
    """Cases of `table_5`: blocks of resampled sets, as many as in the paper."""
    found = []
    for row, known in ROWS.items():
        n, size = known.n_resampled, BLOCK if row in LIGHT else 1
        found += [{"row": row, "first": first, "count": min(size, n - first)} for first in range(0, n, size)]
    return found


@experiment(
    "dyadic.t5",
    item="Tables 1, 5 and 6",
    title="Rectangles visited and stored over resampled training sets, and the lengths of the hash lists",
    cases=blocks,
    datasets=data_of,
    seconds=200,
    measured=("bytes_per_rectangle",),
)
def table_5(case):
    row = case["row"]
    found = []
    for split in range(case["first"], case["first"] + case["count"]):
        rows = as_rows(compressed(row, resampled_rows(row, split)))
        l_bound = greedy_leaves(rows)
        recorded = recorded_rectangles.record_all(rows)
        graph = recorded.graph
        outcome = PriceSolver(graph)(Fraction(1, l_bound))
        size = hash_size(len(rows.codes), rows.n_splits)
        list_mean, list_max = mean_and_longest_chain(recorded.keys, rows.n_splits, size, split)
        found.append(
            {
                "split": split,
                "l_bound": l_bound,
                "leaves": outcome.leaves,
                "stored": outcome.n_visited,
                "empty": outcome.n_visited - int(recorded.occupied[0]),
                "expanded": outcome.n_expanded,
                "visited_at_rule": recorded_rectangles.count_at(graph.visited, 2),
                "visited_above_rule": recorded_rectangles.count_at(graph.visited, 3),
                # the same, of the rectangles that hold a row: what the dynamic program visits
                "occupied_at_rule": recorded_rectangles.count_at(recorded.occupied, 2),
                "occupied_above_rule": recorded_rectangles.count_at(recorded.occupied, 3),
                "occupied": recursion.count_occupied(rows),
                "table_size": size,
                "list_mean": list_mean,
                "list_max": list_max,
                "bytes_per_rectangle": recorded.n_bytes / outcome.n_visited,
            }
        )
    return found


@verdicts_on("dyadic")
@judges("dyadic.t5.*")
def judge_table_5():
    """Verdicts on the numbers of rectangles, list of Verdict."""
    found = [stated("dyadic.t5.caption.lambda", "all rectangles are visited at it, as at any smaller one")]
    for row in ROWS:
        found += judge_sizes(row, rows_of("dyadic.t4", row), experiment="dyadic.t4", case={"row": row})
        found += judge_stored(row, rows_of("dyadic.t5", row), experiment="dyadic.t5")
    return found


@judges("dyadic.t5.*")
def judge_sizes(row, sizes, **origin):
    """Verdicts on all rectangles of the grid and on the paper's bound, list of Verdict.

    sizes : DataFrame, a line for each training set: ``sigma_k`` and ``n_rho``, as Table 4's rows have them
    origin : experiment and case, where the sizes are stored ones
    """
    if row in LARGE[:2]:
        all_of_grid = _unbounded(row, sizes, origin)
    elif row in ONE_K:
        all_of_grid = _of_printed_k(row)
    else:
        all_of_grid = _parts(row, "sigma-k", sizes["sigma_k"], origin)
    return [*all_of_grid, *_parts(row, "nhat-rho", sizes["n_rho"], origin, _by_table_4)]


def _of_printed_k(row):
    """Verdicts on all rectangles of the grid where Table 4 prints one k for all training sets."""
    d = int(find(f"dyadic.t4.{row}.d").number)
    size = n_rectangles([int(find(f"dyadic.t4.{row}.k-{i}").number) for i in range(1, d + 1)])
    note = "Section 6's formula on the k of Table 4, the same for all training sets: no data enter"
    return [
        judge(f"dyadic.t5.{row}.sigma-k-{part}", size, cause="the formula gives another number", note=note)
        for part in PARTS
    ]


def _by_table_4(row, part):
    """What the printed n and k of Table 4 give for n rho, where features are inferred, in words."""
    d = int(find(f"dyadic.t4.{row}.d").number)
    ends = [find(f"dyadic.t4.{row}.k-{i}").value.split("-") for i in range(1, d + 1)]
    one_k = all(len(end) == 1 for end in ends)
    if row not in LARGE or (part == "mean" and not one_k):
        return ""
    k = [int(end[0 if part == "min" else -1]) for end in ends]
    size = int(find(f"dyadic.t4.{row}.compressed-n-{part}").number) * rectangles_per_row(k)
    met = "" if one_k else ", if both extremes are met in one set"
    return f"Section 6's formula on the n and the k that Table 4 prints gives {size:,}{met}"


@judges("dyadic.t5.*")
def judge_stored(row, runs, **origin):
    """Verdicts on the rectangles that are stored, list of Verdict.

    runs : DataFrame, a line for each training set: ``stored`` and ``empty``
    """
    occupied = runs["stored"] - runs["empty"]
    if row in LARGE:
        only = ", ".join(f"{part} {n:,.0f}" for part, n in spread(occupied).items())
        note = f"with the empty ones; occupied ones only {only}; {cost_of_rest(row)}"
        names = [f"dyadic.t5.{row}.rectangles-stored-{part}" for part in PARTS]
        return [weigh(name, Draws(runs["stored"]), cause="", note=note, **origin) for name in names]
    values = {f"{WITH_EMPTY}, {OURS}": Draws(runs["stored"]), f"{OCCUPIED}, {OURS}": Draws(occupied)}
    if row in BOXED:
        for box, found in runs_by_box(row).items():
            values[f"{WITH_EMPTY}, {box}"] = Draws(found["stored"])
            values[f"{OCCUPIED}, {box}"] = Draws(found["stored"] - found["empty"])
    readings = Readings(COUNTED, f"{WITH_EMPTY}, {OURS}", values)
    return [
        weigh(
            f"dyadic.t5.{row}.rectangles-stored-{part}",
            readings,
            cause=cause_of(row, runs["stored"]),
            note="; ".join(filter(None, [SPLITS, cost_of_rest(row)])),
            **origin,
        )
        for part in PARTS
    ]


def _parts(row, name, values, origin, note=lambda row, part: ""):
    """Verdicts on the least, mean and largest of a count; note : function of row and part, what is added."""
    return [
        weigh(
            f"dyadic.t5.{row}.{name}-{part}",
            Draws(values),
            cause=cause_of(row, values),
            note=note(row, part),
            **origin,
        )
        for part in PARTS
    ]


def _unbounded(row, sizes, origin):
    """Verdicts on cells that print B: the least says it for the mean and the largest."""
    largest = sizes["n_rho"].max()
    times = (sizes["sigma_k"] / largest).tolist()
    trials = (
        (f"training set {split}, times the bound", n > MAGNITUDE, -n)
        for split, n in zip(sizes["split"], times, strict=True)
    )
    cause = "six orders of magnitude need a k that the smallest of the printed range does not give either"
    return [
        judge_statement(
            f"dyadic.t5.{row}.sigma-k-min", trials, f"training sets of {row}", cause=cause, **origin
        ),
        *(stated(f"dyadic.t5.{row}.sigma-k-{part}", "follows from the least") for part in PARTS[1:]),
    ]


@verdicts_on("dyadic")
@judges("dyadic.t6.*")
def judge_table_6():
    """Verdicts on the lengths of the hash lists, list of Verdict."""
    found = []
    for row in ROWS:
        found += [stated(f"dyadic.t6.{row}.{name}") for name in ("d", "n")]
        mean = find(f"dyadic.t6.{row}.list-size-mean")
        runs, sizes = rows_of("dyadic.t5", row), rows_of("dyadic.t4", row)
        if mean.value == "1":
            found.append(show_direct(mean.id, row, runs, sizes))
            continue
        found += judge_lengths(row, runs, sizes, experiment="dyadic.t5")
    return found


@judges("dyadic.t6.*")
def judge_lengths(row, runs, sizes, **origin):
    """Verdicts on the lengths of lists of hashed keys, list of Verdict.

    runs, sizes : DataFrame, a line for each training set: ``split`` and ``list_mean``; ``split`` and ``k``
    origin : experiment, where they are stored ones
    """
    hashed, short = list_lengths(runs, sizes)
    no_less = (1, float("inf"))
    values = {NAMED: Draws(hashed, no_less)}
    if not (hashed == short).all():
        values[SHORT] = Draws(short, no_less)
    ours = Readings(INDEX, NAMED, values) if len(values) > 1 else values[NAMED]
    note = "; ".join(filter(None, [by_load(row, runs), "" if row in LARGE else SPLITS, cost_of_rest(row)]))
    claims = [f"dyadic.t6.{row}.list-size-{part}" for part in PARTS]
    return [weigh(claim, ours, cause="cause unknown", note=note, **origin) for claim in claims]


def by_load(row, runs):
    """What the load of the table lets expect of its lists, by the paper's own Table 5 and by ours, in words.

    A uniform hash at a load a has lists of a / (1 - exp(-a)) in occupied places, and of 1 + a at most where a
    list counts once for each of its members. Both are expectations: single runs may lie above them.
    """
    stored, size = (find(f"dyadic.t5.{row}.{name}-mean") for name in ("rectangles-stored", "nhat-rho"))
    printed = float(stored.number / size.number)
    ours = float((runs["stored"] / runs["table_size"]).mean())
    mean, own = (a / (1 - exp(-a)) for a in (printed, ours))
    return (
        f"a uniform hash would give {mean:.3g} at the load of Table 5, {stored.value} / {size.value} = "
        f"{printed:.2g}, and {own:.3g} at ours, {ours:.2g}; counted once a member {1 + printed:.3g} at most, "
        f"and {uniform_bound(row):.3g} by its extremes, all in expectation over the coefficients, which a "
        "run may exceed; ours draw them once a training set, uniformly, as the paper says"
    )


@judges("dyadic.t6.*.list-size-mean")
def show_direct(claim, row, runs, sizes):
    """What stands beside a list length of 1 that is so by construction, Verdict: untestable.

    runs, sizes : as in `judge_lengths`
    """
    n_stored, n_keys = direct_places(row)
    bits = [key_bits(k) for k in sizes["k"]]
    return withheld(
        claim,
        Fraction(n_stored, n_keys),
        "no power: a key that is the index itself is of one rectangle only, so the length is 1 by "
        "construction, and that this set is indexed is taken from the print",
        note=f"on the first training set {n_stored:,} rectangles have {n_keys:,} keys, {n_stored - n_keys} "
        f"collide; keys have {min(bits)} to {max(bits)} bits; hashed, the lists would be "
        f"{runs['list_mean'].min():.2f} to {runs['list_mean'].max():.2f} long, "
        f"{runs['list_mean'].mean():.2f} on average; the printed digit takes in 0.5 to 1.5",
        experiment="dyadic.t5",
    )


def direct_places(row):
    """Rectangles that are stored on the first training set, and their distinct keys: (int, int)."""
    run = recursion.Recursion(
        as_rows(compressed(row, resampled_rows(row, 0))), Fraction(1, 2), store_empty=True
    )
    run.run()
    return len(run.keys), len(set(run.keys.tolist()))


def list_lengths(runs, sizes):
    """Mean list length of each training set, two Series: hashed; and 1 where the key is short enough to be an
    index itself.

    runs, sizes : as in `judge_lengths`
    """
    lists = runs.set_index("split")["list_mean"]
    splits = sizes.set_index("split")["k"].reindex(lists.index)
    return lists, lists.where([key_bits(k) > INDEX_BITS for k in splits], 1.0)


def uniform_bound(row):
    """What the paper's own Table 5 allows its Table 6 at most, if coefficients are drawn uniformly.

    Two keys share a slot with probability 1 / |S| at most (Section 6), so the list of a key is 1 + N / |S|
    long on average at most, and the mean over slots is no longer than the mean over keys.
    """
    stored = find(f"dyadic.t5.{row}.rectangles-stored-max").number
    return 1 + float(stored / find(f"dyadic.t5.{row}.nhat-rho-min").number)
