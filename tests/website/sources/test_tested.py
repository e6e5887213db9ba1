"""The page on the suites shows what they stored, and every mended fault has its test."""

import ast
import json
from pathlib import Path

from tests.benchmarks.learners import tables
from tests.suites import record_figures
from treelib.ledger import suites

ROOT = Path(__file__).parents[3]


def test_every_mended_fault_has_its_test():
    """A fault said to be mended whose test is gone."""
    rows = suites.mended()
    assert rows
    for row in rows:
        path, name = row["test"].split("::")
        nodes = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        assert name in defined, row
        assert row["fault"] and row["mended"]


def test_figures_are_those_of_suites_that_exist():
    """A suite that was never run as a whole, or figures of one that was renamed or taken out."""
    from tests.suites.fuzz.readers import READERS
    from tests.suites.random_problems.differential import SUITES

    figures = suites.figures()
    assert figures["differential"].keys() == SUITES.keys()
    assert figures["fuzz"].keys() == READERS.keys()
    assert figures["stored"].keys() == figures.keys() - {"stored", "differential", "fuzz"}


def test_gathering(tmp_path):
    """A log that is read wrongly: a failure that does not count."""
    (tmp_path / "bounds-1.log").write_text("...F\n=== 1 failed, 17 passed, 3 skipped in 2.0s ===\n")
    (tmp_path / "fuzz-tree.log").write_text("x\nDone 1234 runs in 5 second(s)\n")
    line = '{"suite": "tree", "seed": %d, "problems": 7, "failures": [{}], "seconds": 1, "commit": "%s"}\n'
    (tmp_path / "differential0.jsonl").write_text(line % (0, "a") + line % (1, "a") + line % (1, "b"))
    found = record_figures.gather(tmp_path)
    assert found["bounds"] == {"tests": 17, "failed": 1, "problems": 0}
    assert found["fuzz"] == {"tree": {"inputs": 1234, "seconds": 5}}
    line = '{"library": "l", "version": "1", "model": "%s", "rows": %d, "at_thresholds": 3, "classes": %d, '
    line += '"sums": 0, "from_file": true}\n'
    (tmp_path / "boosted.jsonl").write_text(line % ("a", 5, 1) + line % ("a", 9, 0) + line % ("b", 6, 4))
    row = record_figures.gather(tmp_path)["readers"]["l"]
    assert (row["models"], row["fewest_rows"], row["at_thresholds"], row["classes"]) == (2, 6, 6, 4)
    assert found["differential"]["tree"] == {
        "problems": 14,
        "failures": 2,
        "seeds": 2,
        "commits": ["a", "b"],
    }


def test_gathering_of_scikit_learn_and_tables(tmp_path):
    """A test that fails as expected and counts as passed; a table that loses what was before."""
    words = ("PASSED", "XFAIL", "XPASS", "FAILED")
    lines = [f"{word} tests/a.py::test_tree_{k} - a reason" for k, word in enumerate(words)]
    (tmp_path / "scikit-learn.log").write_text("\n".join([*lines, "PASSED tests/a.py::test_forest_x[1]"]))
    name = "{}/{}".format(*tables.TABLES[0])
    line = '{"table": "%s", "commit": "a", "%s": {"error": 0.5}}\n'
    (tmp_path / "tables.jsonl").write_text(line % (name, "before") + line % (name, "sparse"))
    line = '{"name": "%s", "leaves": %d}\n'
    (tmp_path / "practice.jsonl").write_text(line % ("a", 2) + line % ("b", 3) + line % ("a", 4))
    found = record_figures.gather(tmp_path)
    assert found["practice"] == {"a": {"leaves": 4}, "b": {"leaves": 3}}
    assert found["scikit-learn"] == {"tree": {"tests": 4, "passed": 2}, "forest": {"tests": 1, "passed": 1}}
    assert found["tables"] == {name: {"before": {"error": 0.5}, "sparse": {"error": 0.5}}}


def test_gathering_of_first_fits(tmp_path):
    """A median over runs of both kinds, or of several ways."""
    lines = [
        {"estimator": "tree", "way": way, "cached": cached, "seconds": seconds}
        for way, cached, runs in (
            ("wheel", False, (3, 1, 2)),
            ("wheel", True, (1, 1, 9)),
            ("checkout", False, (7,)),
        )
        for seconds in runs
    ]
    (tmp_path / "first_fit.json").write_text(json.dumps(lines))
    found = record_figures.gather(tmp_path)["first fit"]
    assert found == {"tree": {"wheel, first": 2, "wheel, later": 1, "checkout, first": 7}}


def test_merging():
    """Figures that are lost, or that carry the commit of another suite's run."""
    old = {"date": "2026-01-01", "commit": "a"}
    stored = {"faults": {"kills": 1}, "shapes": {"cases": 1}}
    stored["stored"] = {"shapes": old, "faults": old}
    found = {"shapes": {"cases": 2}, "differential": {"tree": 3}}
    stored["fuzz"] = {"gone": {"inputs": 1}, "xgboost": {"inputs": 1}, "tree": {"inputs": 5, "commit": "a"}}
    found["fuzz"] = {"xgboost": {"inputs": 7}}
    stored["first fit"] = {"tree": {"before, first": 9.0, "wheel, first": 3.0}}
    found["first fit"] = {"tree": {"wheel, first": 2.0}, "forest": {"wheel, first": 1.0}}
    stored["practice"], found["practice"] = {"a": {"leaves": 2}, "b": {"leaves": 3}}, {"b": {"leaves": 4}}
    figures = record_figures.merge(stored, found, "b", "2026-01-02")
    assert figures["first fit"]["tree"] == {"before, first": 9.0, "wheel, first": 2.0}
    fuzzed = {"tree": stored["fuzz"]["tree"], "xgboost": {"inputs": 7, "commit": "b"}}
    assert list(figures["fuzz"].items()) == list(fuzzed.items())
    assert figures["practice"] == {"a": {"leaves": 2}, "b": {"leaves": 4}}
    assert figures["faults"] == {"kills": 1} and figures["differential"] == {"tree": 3}
    assert figures["shapes"] == {"cases": 2}
    new = {"date": "2026-01-02", "commit": "b"}
    assert figures["stored"] == {"shapes": new, "first fit": new, "practice": new, "faults": old}
