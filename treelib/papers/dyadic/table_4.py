"""Table 4: the automatic k and compressed sizes over resampled training sets."""

import re
from math import prod

import numpy as np

from treelib.dyadic.rectangles import n_rectangles, rectangles_per_row
from treelib.ledger import claims
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Draws, judge, judges, stated
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic.settings import (
    BOX,
    OURS,
    PARTS,
    ROWS,
    box_cases,
    box_name,
    cause_of,
    compressed,
    data_of,
    resampled_rows,
    rows_of,
    training_rows,
    weigh,
)

BY_HAND = "lowered by hand from the automatic k, as in the paper"
OTHERS = "a number of another paper, whose program was not run"


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
    seconds=10,
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


@verdicts_on("dyadic")
@judges("dyadic.t4.*")
def judge_table_4():
    """Verdicts on the automatic k and the compressed sizes, list of Verdict."""
    found = [judge_automatic()]
    for row in ROWS:
        found += [stated(f"dyadic.t4.{row}.{name}") for name in ("d", "n")]
        found += judge_row(row, rows_of("dyadic.t4", row), experiment="dyadic.t4", case={"row": row})
    return found


@judges("dyadic.t4.diabetes.k-automatic")
def judge_automatic():
    """Verdict on the k of diabetes before it was lowered by hand."""
    boxes = rows_of("dyadic.box-k", "diabetes").to_dict("records")
    found = ", ".join(
        f"{box_name(one['widen'], one['closed'])} {one['least']}-{one['largest']} ({one['n_equal_4']})"
        for one in boxes
    )
    kept = sum(one["least"] == one["largest"] == 4 for one in boxes)
    return judge(
        "dyadic.t4.diabetes.k-automatic",
        Draws(np.concatenate(rows_of("dyadic.t4", "diabetes")["automatic"].tolist())),
        reading=f"{BOX}: {OURS}",
        cause=f"the column prints ranges over the training sets, and by {kept} of {len(boxes)} boxes the "
        f"range over {boxes[0]['n_sets']} sets is 4 to 4; {cause_of('diabetes')}",
        note=f"range, and sets with a 4 in every coordinate: {found}; the caption prints seven components, "
        "the data have eight",
        experiment="dyadic.t4",
        case={"row": "diabetes"},
    )


@judges("dyadic.t4.*")
def judge_row(row, sizes, **origin):
    """Verdicts on a row of the table, list of Verdict.

    Parameters
    ----------
    sizes : DataFrame, a line for each training set: ``k``, lists, and ``compressed_n``
    origin : experiment and case, where the sizes are stored ones
    """
    found = [] if row in BLANK else [stated(f"dyadic.t4.{row}.k-blanchard", OTHERS)]
    for i, values in enumerate(np.array(sizes["k"].tolist()).T, start=1):
        claim = find(f"dyadic.t4.{row}.k-{i}")
        if claim.kind == "setting":
            found.append(stated(claim.id, BY_HAND))
        else:
            found.append(weigh(claim.id, Draws(values), cause=cause_of(row), **origin))
    values = sizes["compressed_n"]
    for part in PARTS:
        cause = f"{cause_of(row, values)}{digit_lost(row, part)}"
        found.append(weigh(f"dyadic.t4.{row}.compressed-n-{part}", Draws(values), cause=cause, **origin))
    return found


BLANK = ("spambase", "intrusion", "mushroom")  # of which the other paper has no k


def digit_lost(row, part):
    """Says so where the printed least size is too small for the printed least n rho, whatever the k."""
    if part != "min":
        return ""
    least = find(f"dyadic.t4.{row}.compressed-n-min").number
    bound = find(f"dyadic.t5.{row}.nhat-rho-min").number
    of_row = [key for key in claims.load("dyadic") if re.fullmatch(rf"dyadic\.t4\.{row}\.k-\d+", key)]
    ends = [find(key).value for key in of_row]
    most = least * prod(int(end.split("-")[-1]) + 1 for end in ends)
    if 10 * most >= 9 * bound:
        return ""
    return f"; {least} rows give at most {most:,} in Table 5, which prints {bound:,.0f}: a digit is lost"
