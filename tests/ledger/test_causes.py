"""What the causes of differences rest on, and tests of causes that no other test checks."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from treelib.ledger import causes, errata, store, verdicts
from treelib.ledger.papers import papers
from treelib.ledger.protocol import notes

TESTS = Path(__file__).resolve().parents[1]
DIFFERING = [row for row in verdicts.read() if row["verdict"] == "differs"]


def stored(name):
    """(case, result) of an experiment, whatever became of its sources since."""
    return [(entry["case"], entry["result"]) for entry in store.kept(name).values()]


def test_bound_causes_have_what_they_are_bound_to():
    """An erratum without evidence, or a test that is not there any more."""
    items = {item.id: item for paper in papers() for item in errata.errata(paper)}
    said = [note for note in notes.every() if note.evidence and note.use != notes.OURS]
    noted = [(note.claims, causes.evidence_of(note), note.evidence) for note in said]
    assert noted
    for pattern, how, where in noted:
        if how == causes.ERRATUM:
            assert items[where].evidence is not None, pattern
        else:
            file, _, name = where.partition("::")
            assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), pattern


def test_computed_causes_are_told_from_written_ones():
    """A sentence that somebody typed, called computed."""
    check = "osdt.figures_10_to_16.judge_folds"
    formatted, written = "12.345 points over 987 folds", "the paper says so in Figures 10 to 16"
    row = {"id": "osdt.x", "check": check}
    assert causes.ground(row | {"cause": formatted}) == causes.Ground(causes.COMPUTED, check)
    assert causes.ground(row | {"cause": written}).how == causes.STATED
    assert causes.ground(row | {"id": "osdt.s4.compas.n", "cause": written}).how == causes.ERRATUM
    assert sum(causes.count(DIFFERING).values()) == len(DIFFERING)


def test_no_more_causes_are_only_stated():
    """A difference explained by a sentence that nothing checks: compute it, or bind it to a test."""
    share = causes.count(DIFFERING)[causes.STATED] / max(1, len(DIFFERING))
    assert share < 0.3


# ---- causes -----------------------------------------------------------------------------------------------


def test_hash_lists_are_as_long_as_those_of_a_random_function():
    """Lists that are shorter than printed because our hash is a poor or a clever one: n keys in m places give
    n / (m (1 - e^(-n/m))) a place that is taken, whatever the keys."""
    found = {}
    for case, rows in stored("dyadic.t5"):
        for row in rows if isinstance(rows, list) else [rows]:
            load = row["stored"] / row["table_size"]
            found.setdefault(case["row"], []).append((row["list_mean"], load / (1 - math.exp(-load))))
    assert {"breast-cancer", "diabetes", "flare-solar", "mushroom"} <= found.keys()
    for row in found.keys() - {"banana", "titanic"}:  # these two have an index instead
        ours, random = np.mean(found[row], axis=0)
        assert ours == pytest.approx(random, rel=0.03), row


def test_boxes_move_the_counts_of_thyroid_as_far():
    """A count that differs from the printed one by more than any rule of the box explains."""
    counts = [result["n_first"] for case, result in stored("dyadic.boxes") if case["row"] == "thyroid"]
    printed = [row for row in DIFFERING if re.match(r"dyadic\.t3\.thyroid\..*-solutions", row["id"])]
    for row in printed:
        assert max(counts) - min(counts) >= abs(int(row["printed"]) - int(row["ours"]))


def test_no_box_gives_the_automatic_k_of_diabetes():
    """A rule of the box by which every training set has the printed k, and that was not taken."""
    found = [result for _, result in stored("dyadic.box-k")]
    assert len(found) == 8
    assert not any(one["least"] == one["largest"] == 4 for one in found)
