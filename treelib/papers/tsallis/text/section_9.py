"""What Section 9 says beside its tables: sizes of the data sets, settings, and how the data were split."""

import hashlib
import os
from math import ceil, log10
from pathlib import Path

import pandas as pd

from treelib import datasets
from treelib.datasets.files import MIRROR_VARIABLE
from treelib.ledger.claims import find, load
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.declared import declared, kept
from treelib.ledger.protocol.judging import judge, judge_statement, judges, untestable
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.table_1 import TABLE_1
from treelib.papers.tsallis.table_2 import N_TEST_2, TABLE_2, chances_of_one_split, is_share

ALGERIAN_DATE = 3  # columns of the date, see `splits.without_date`


def likeliest_split(cells, runs=(1,), shares=range(10, 51)):
    """The test shares, with the number of runs averaged, that printed percentages speak for.

    A cell that is a whole number of ``runs * n_test`` rows is that by chance with a probability of about
    ``runs * n_test / 10,000``; its negative logarithm is what the cell says for them.

    Parameters
    ----------
    cells : list of (printed, n): percentage and rows of the data set

    Returns
    -------
    options : list of (runs, share in percent), all of the largest sum: two parts of a tenth can have as many
        rows as one of a fifth
    n_fit : int, cells that fit
    """

    def support(k, share):
        best = (0.0, 0)
        for rounding in (ceil, int):
            found = [k * rounding(n * share / 100) for printed, n in cells]
            fit = [m for (printed, _), m in zip(cells, found, strict=True) if is_share(printed, m)]
            best = max(best, (sum(max(0.0, -log10(m / 1e4)) for m in fit), len(fit)))
        return best

    options = {(k, share): support(k, share) for k in runs for share in shares}
    most = max(options.values())
    return [option for option, found in options.items() if found == most], most[1]


SIZES = {name: name for name in ("classes", "attributes", "instances", "per-class")}
SETS = {data.lower().replace(" ", "-"): data for data in (*splits.MAIN, *splits.ADDITIONAL)}


@declared(f"tsallis.{{:s9|sb-1}}.{{key:{'|'.join(SETS)}}}.{{cell}}", SIZES)
def sizes():
    """Sizes of the data sets, from the registry that every loaded set is checked against, a line a set."""
    lines = []
    for key, data in SETS.items():
        info = datasets.info(splits.NAMES[data])
        lines.append(
            {
                "key": key,
                "classes": len(info.class_names),
                "attributes": info.n_features - ALGERIAN_DATE * (data == "Algerian forest fires"),
                "instances": info.n_samples,
                "per-class": max(info.class_counts),
            }
        )
    return pd.DataFrame(lines)


@declared("tsallis.sb-1.{key:human-activity}.{cell}", SIZES)
def sizes_of_human_activity():
    """Size of the set of human activities, from the stored counts of its small files."""
    found = kept("tsallis.human-activity").assign(key="human-activity")
    lines, labels = found["lines"].iloc[0], found["labels"].iloc[0]
    rows = lines["y_train.txt"] + lines["y_test.txt"]
    return found.assign(classes=len(labels), attributes=lines["features.txt"], instances=rows)


HUMAN_ACTIVITY = "tsallis/human_activity"  # folder with the four files, below TREELIB_DATA_DIR
HUMAN_FILES = ("features.txt", "activity_labels.txt", "y_train.txt", "y_test.txt")


@experiment(
    "tsallis.human-activity",
    item="Appendix B.1",
    title="Size of the set of human activities, from a public copy of its labels",
    cases=lambda: [{"data": "Human activity"}],
    datasets=(),
    seconds=1,
    on_request=True,
)
def count_human_activity(case):
    """Lines of the small files of the UCI set 240, whose features are not at hand.

    The files are those of the public copy ``roeishc/human-activity-recognition`` on GitHub, whose tables of
    features are stubs. They are not shipped: put them below TREELIB_DATA_DIR to count them again.

    Returns
    -------
    dict: ``lines`` and ``sha256`` of each of `HUMAN_FILES`; ``labels``, different labels of the rows

    Raises
    ------
    DatasetError
        The files are not there.
    """
    folder = Path(os.environ.get(MIRROR_VARIABLE, ".")) / HUMAN_ACTIVITY
    missing = [name for name in HUMAN_FILES if not (folder / name).is_file()]
    if missing:
        raise datasets.DatasetError(
            f"{', '.join(missing)} of the UCI set 240 are not there; put the files below "
            f"{MIRROR_VARIABLE}, in the folder {HUMAN_ACTIVITY}, and run this again"
        )
    lines, hashes, labels = {}, {}, set()
    for name in HUMAN_FILES:
        content = (folder / name).read_bytes()
        found = content.decode("utf-16" if content.startswith(b"\xff\xfe") else "utf-8").split("\n")
        found = [line.strip() for line in found if line.strip()]
        lines[name], hashes[name] = len(found), hashlib.sha256(content).hexdigest()
        if name.startswith("y_"):
            labels |= set(found)
    return {"lines": lines, "sha256": hashes, "labels": sorted(labels)}


def _cells(table, rows):
    """Printed accuracies of a table with the rows of their data set, list of (percentage, number)."""
    ids = {key: f"tsallis.{table}.{key}.acc-" for key in rows}
    return [
        (float(claim.number), datasets.info(splits.NAMES[rows[key]]).n_samples)
        for key, start in ids.items()
        for claim in load("tsallis").values()
        if claim.id.startswith(start) and not claim.id.endswith("-ci95")
    ]


@judges("tsallis.s9.tuning.*", "tsallis.sb-2.pruning.*")
def judge_splits():
    """Verdicts on how the data were split, from the printed cells of Tables 1 and 2 alone."""
    first, second = _cells("t1", TABLE_1), _cells("t2", TABLE_2)
    [(runs, share)], n_fit = likeliest_split(first, runs=range(1, 21))
    numbers = {
        "n_fit": n_fit,
        "n": len(first),
        "runs": runs,
        "share": share,
        # how many are whole numbers of so many test parts of a fifth by chance
        "chance": sum(min(1.0, runs * int(n / 5) / 1e4) for _, n in first),
    }
    options, n_fit_2 = likeliest_split(second, runs=range(1, 51))
    chances, n_cells = chances_of_one_split()
    n_splits = int(find("tsallis.sb-2.pruning.splits").number)
    of_table_2 = {
        "n_fit": n_fit_2,
        "n": len(second),
        "options": " or of ".join(f"{k} x {one} %" for k, one in options),
        "n_splits": n_splits,
        "n_single": len(chances),
        "n_cells": n_cells,
        "chance": sum(map(log10, chances)),
    }
    trials = (
        (
            f"{claim.row} {claim.column}, {claim.value}",
            is_share(float(claim.number), n_splits * N_TEST_2[data]),
        )
        for key, data in TABLE_2.items()
        for claim in load("tsallis").values()
        if claim.id.startswith(f"tsallis.t2.{key}.acc-")
    )
    return [
        judge("tsallis.s9.tuning.folds", runs, numbers=numbers),
        judge("tsallis.s9.tuning.test-share", share, numbers=numbers),
        _judge_share_of_table_2(options, of_table_2),
        judge_statement("tsallis.sb-2.pruning.splits", trials, numbers=of_table_2),
    ]


def _judge_share_of_table_2(options, numbers):
    """Verdict on the test share of Table 2.

    options : list of (parts, share in percent), all that the printed cells speak for
    """
    claim, shares = "tsallis.sb-2.pruning.test-share", sorted({share for _, share in options}, reverse=True)
    if len(shares) == 1:
        return judge(claim, shares[0], numbers=numbers)
    why = notes.text(claim, notes.OPEN, numbers)
    return untestable(claim, why, ours=" or ".join(f"{share} %" for share in shares))
