"""Tables 5 and 6: rectangles stored over resampled training sets, and the lists of their hash table.

The number of rectangles that the pruned recursion visits depends on lambda only through the whole number of
errors that a leaf may cost (`treelib.dyadic.paper.recorded_rectangles`), so one run at a vanishing lambda
gives the counts for all.
"""

from fractions import Fraction

import numpy as np
import pandas as pd

from treelib.dyadic.paper import recorded_rectangles, recursion
from treelib.dyadic.paper.greedy import greedy_leaves
from treelib.dyadic.paper.hash_tables import mean_and_longest_chain
from treelib.dyadic.paper.price_solver import PriceSolver
from treelib.dyadic.rectangles import hash_size, key_bits, n_rectangles
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import Open, declared, kept
from treelib.ledger.protocol.evidence import Draws, Trials
from treelib.papers.dyadic.settings import (
    BOX,
    BOX_NAMES,
    LARGE,
    LIGHT,
    OURS,
    PARTS,
    ROWS,
    as_rows,
    box_name,
    compressed,
    data_of,
    in_box,
    parts,
    resampled_rows,
)

BLOCK = 10  # resampled sets of one case, where a set takes a moment
# The paper indexes without hashing where keys have few bits, which it says of banana (up to 22 bits) and of
# titanic. Beside it: keys of up to so many bits; then some lists of flare-solar (23 to 26) have length 1.
INDEX_BITS = 25
NAMED, SHORT = "those of banana and titanic, as printed", f"all of up to {INDEX_BITS} bits"
ONE_K = "diabetes", "mushroom"  # whose k Table 4 prints without a range; that of diabetes was set by hand
WITH_EMPTY, OCCUPIED = "with the empty ones", "occupied ones only"
COUNTS = [  # columns of a case of `searches.box_runs`, each a list over the training sets
    *("stored", "empty", "visited_at_rule", "visited_above_rule"),
    *("occupied", "occupied_at_rule", "occupied_above_rule"),
]
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


# ---- cells ------------------------------------------------------------------------------------------------


def with_boxes():
    """Rectangles of the training sets in every box that was run, a line a set and box."""
    others = kept("dyadic.box-runs").explode(COUNTS)
    others["box"] = [box_name(*box) for box in zip(others["widen"], others["closed"], strict=True)]
    return pd.concat([kept("dyadic.t5").assign(box=OURS), others[others["box"] != OURS]])


@declared("dyadic.t5.{row}.{cell}", parts("nhat-rho", "n_rho"))
def bounds():
    """The paper's bound on the rectangles of each training set."""
    return kept("dyadic.t4")


def _of_grid(lines, peers):
    """All rectangles of the grids; "B" is more than `MAGNITUDE` times the largest bound of its row."""
    if lines["row"].iloc[0] not in LARGE:
        return Draws(lines["sigma_k"])
    times = lines["sigma_k"] / lines["n_rho"].max()
    named = zip(lines["split"], times, strict=True)
    trials = ((f"training set {split}, times the bound", n > MAGNITUDE, -n) for split, n in named)
    return Trials.of(trials, f"training sets of {lines['row'].iloc[0]}")


@declared(
    f"dyadic.t5.{{row:{'|'.join(row for row in ROWS if row not in ONE_K)}}}.{{cell}}",
    {f"sigma-k-{part}": _of_grid for part in PARTS},
)
def grids():
    """All rectangles of the grid of each training set."""
    return kept("dyadic.t4")


@declared(f"dyadic.t5.{{row:{'|'.join(ONE_K)}}}.{{cell}}", {f"sigma-k-{part}": "sigma_k" for part in PARTS})
def grids_of_one_k():
    """All rectangles of the grid that Table 4 prints, the same for all training sets: no data enter."""
    k = {
        row: [int(find(f"dyadic.t4.{row}.k-{i}").number) for i in range(1, d + 1)]
        for row in ONE_K
        for d in [int(find(f"dyadic.t4.{row}.d").number)]
    }
    return pd.DataFrame([{"row": row, "sigma_k": n_rectangles(one)} for row, one in k.items()], dtype=object)


COUNTED = {
    WITH_EMPTY: lambda found: found["stored"],
    OCCUPIED: lambda found: found["stored"] - found["empty"],
}


@declared(
    "dyadic.t5.{row}.{cell}",
    parts("rectangles-stored", "n"),
    Open(
        f"whether empty rectangles are counted, and {BOX}",
        {in_box(what, box): {"what": what, "box": box} for box in BOX_NAMES for what in COUNTED},
    ),
)
def stored():
    """The rectangles that are stored for each training set, with the empty ones and without."""
    found = with_boxes()
    return pd.concat([found.assign(what=what, n=count(found)) for what, count in COUNTED.items()])


@declared("dyadic.t6.{row:banana|titanic}.{cell}", {"list-size-mean": "length"})
def lists_of_an_index():
    """Rectangles over their keys on the first training set, where a key is the index itself."""
    lengths = {row: Fraction(*direct_places(row)) for row in ("banana", "titanic")}
    return pd.DataFrame([{"row": row, "length": length} for row, length in lengths.items()])


@declared(
    f"dyadic.t6.{{row:{'|'.join(row for row in ROWS if row not in ('banana', 'titanic'))}}}.{{cell}}",
    parts("list-size", "length", within=(1, np.inf)),
    Open.of("which keys are an index without hashing", (NAMED, SHORT)),
)
def hashed_lists():
    """Mean length of the lists of each training set: hashed, and 1 where the key is short enough."""
    found = kept("dyadic.t5").merge(kept("dyadic.t4")[["row", "split", "k"]], on=["row", "split"])
    is_short = found["k"].map(key_bits) <= INDEX_BITS
    as_index = found.assign(reading=SHORT, length=found["list_mean"].mask(is_short, 1.0))
    return pd.concat(
        [
            found.assign(reading=NAMED, length=found["list_mean"]),
            as_index[found["row"].isin(found["row"][is_short])],
        ]
    )


def direct_places(row):
    """Rectangles that are stored on the first training set, and their distinct keys: (int, int)."""
    run = recursion.Recursion(
        as_rows(compressed(row, resampled_rows(row, 0))), Fraction(1, 2), store_empty=True
    )
    run.run()
    return len(run.keys), len(set(run.keys.tolist()))
