"""What the dyadic paper counts over resampled training sets: Tables 1, 4, 5 and 6.

The number of rectangles that the pruned recursion visits depends on lambda only through the whole number of
errors that a leaf may cost (`treelib.dyadic.paper.recorded_rectangles`), so one run at a vanishing lambda
gives the counts for all.
"""

from fractions import Fraction

from treelib.dyadic.paper import recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.hash_tables import chain_lengths
from treelib.dyadic.paper.procedure_1 import NO_LABEL
from treelib.dyadic.rectangles import hash_size, n_rectangles, rectangles_per_row
from treelib.ledger.experiments import experiment
from treelib.papers.dyadic.settings import ROWS, compressed, resampled_rows, training_rows

BLOCK = 10  # resampled sets of one case
LIGHT = ("banana", "flare-solar", "thyroid", "titanic")


def data_of(case):
    """Data sets of a case."""
    return (ROWS[case["row"]].data,)


def as_rows(found):
    """`Rows` of a `Compressed`."""
    return recursion.make_rows(found.codes, found.losses, found.grid.n_splits)


@experiment(
    "dyadic.t4",
    item="Table 4",
    title="Automatic k and compressed sizes over resampled training sets",
    cases=lambda: [{"row": row} for row in ROWS],
    datasets=data_of,
    seconds=6,
)
def table_4(case):
    row = case["row"]
    return [
        {"split": split, **sizes(row, resampled_rows(row, split))} for split in range(ROWS[row].n_resampled)
    ]


def sizes(row, rows):
    """k of some rows, their compressed size and the bounds on rectangles that follow: dict."""
    one = compressed(row, rows)
    k = one.grid.n_splits
    return {
        "k": k.tolist(),
        "automatic": one.automatic.tolist(),
        "compressed_n": len(one.codes),
        "sigma_k": float(n_rectangles(k)),
        "n_rho": float(len(one.codes) * rectangles_per_row(k)),
    }


@experiment(
    "dyadic.design-sets",
    item="Tables 4 and 5",
    title="Automatic k of Intrusion over random design sets",
    cases=lambda: [{"design": design} for design in (*range(8), ROWS["intrusion"].design)],
    datasets=(ROWS["intrusion"].data,),
    seconds=15,
)
def design_sets(case):
    row, design = "intrusion", case["design"]
    return [
        {"split": split, **sizes(row, training_rows(row, design, split))}
        for split in range(ROWS[row].n_resampled)
    ]


def blocks():
    """Cases of `table_5`: blocks of resampled sets, as many as `n_heavy` says."""
    return [
        {"row": row, "first": first, "count": min(BLOCK if row in LIGHT else 1, known.n_heavy - first)}
        for row, known in ROWS.items()
        for first in range(0, known.n_heavy, BLOCK if row in LIGHT else 1)
    ]


@experiment(
    "dyadic.t5",
    item="Tables 1, 5 and 6",
    title="Rectangles visited and stored over resampled training sets, and the lengths of the hash lists",
    cases=blocks,
    datasets=data_of,
    seconds=140,
    memory=1.4e9,
    measured=("bytes_per_rectangle",),
)
def table_5(case):
    row = case["row"]
    found = []
    for split in range(case["first"], case["first"] + case["count"]):
        rows = as_rows(compressed(row, resampled_rows(row, split)))
        l_bound = greedy_leaves(rows)
        run = recursion.Recursion(rows, Fraction(1, l_bound), store_empty=True)
        run.run()
        outcome = run.outcome()
        reach = run.entries.reach[: outcome.n_visited]
        n_empty = int((run.entries.label[: outcome.n_visited] == NO_LABEL).sum())
        size = hash_size(len(rows.codes), rows.n_splits)
        lists = chain_lengths(run.keys, rows.n_splits, size, split)
        found.append(
            {
                "split": split,
                "l_bound": l_bound,
                "leaves": outcome.leaves,
                "stored": outcome.n_visited,
                "empty": n_empty,
                "expanded": outcome.n_expanded,
                # the box has no parent: it is always visited
                "visited_at_rule": int((reach >= 2).sum() + (reach[0] < 2)),
                "visited_above_rule": int((reach >= 3).sum() + (reach[0] < 3)),
                "occupied": recursion.count_occupied(rows),
                "table_size": size,
                "list_mean": float(lists.mean()),
                "list_max": int(lists.max()),
                "bytes_per_rectangle": run.stats()["bytes_per_rectangle"],
            }
        )
    return found
