"""Figures of the suites that look for faults, stored by `tests/record_figures.py`, and what they found."""

import csv
import json

from treelib.datasets import files


def figures():
    """Dict of what each suite counted when it last ran as a whole; ``commit`` and ``date`` say when."""
    return json.loads((files.data_root() / "tested" / "figures.json").read_text(encoding="utf-8"))


def mended():
    """Faults that the suites found, list of dict: suite, fault, mended, test (``file::function``)."""
    path = files.data_root() / "tested" / "mended.csv"
    with open(path, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))
