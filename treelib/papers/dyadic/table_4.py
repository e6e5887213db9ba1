"""Table 4: the automatic k and compressed sizes over resampled training sets."""

import numpy as np
import pandas as pd

from treelib.dyadic.rectangles import n_rectangles, rectangles_per_row
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import Open, PerDraw, declared, kept
from treelib.papers.dyadic.settings import (
    BOX,
    OURS,
    ROWS,
    box_cases,
    compressed,
    data_of,
    parts,
    resampled_rows,
    training_rows,
)


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
    "dyadic.box-k",
    item="Table 4",
    title="The automatic k of diabetes by the rule of the box",
    cases=lambda: box_cases(["diabetes"]),
    datasets=data_of,
    seconds=5,
)
def box_k(case):
    row = case["row"]
    found = [
        compressed(row, resampled_rows(row, split), case["widen"], case["closed"]).automatic
        for split in range(ROWS[row].n_resampled)
    ]
    equal = [int(k[0]) for k in found if len(set(k.tolist())) == 1]
    return {
        "least": int(np.min(found)),
        "largest": int(np.max(found)),
        "n_sets": len(found),
        "n_equal_4": equal.count(4),
        "n_equal_3": equal.count(3),
    }


@experiment(
    "dyadic.design-sets",
    item="Tables 4 and 5",
    title="Automatic k of Intrusion over random design sets",
    cases=lambda: [{"design": design} for design in (*range(8), ROWS["intrusion"].design)],
    datasets=(ROWS["intrusion"].data,),
    seconds=8,
)
def design_sets(case):
    row, design = "intrusion", case["design"]
    return [
        {"split": split, **sizes(row, training_rows(row, design, split))}
        for split in range(ROWS[row].n_resampled)
    ]


# ---- cells ------------------------------------------------------------------------------------------------

MOST_FEATURES = 10
K = [f"k-{i}" for i in range(1, MOST_FEATURES + 1)]


@declared(
    "dyadic.t4.{row}.{cell}", {name: PerDraw(name) for name in K} | parts("compressed-n", "compressed_n")
)
def compressed_sizes():
    """The training sets of Table 4, a line a set."""
    found = kept("dyadic.t4")
    k = pd.DataFrame(found["k"].tolist(), found.index)
    return found.join(k.set_axis(K, axis=1))


@declared("dyadic.t4.{row}.{cell}", {"k-automatic": PerDraw("automatic")}, Open(BOX, {OURS: {}}))
def automatic():
    """The automatic k of the training sets, a line a set and coordinate."""
    return kept("dyadic.t4").explode("automatic")
