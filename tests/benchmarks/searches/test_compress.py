"""The bench of `compress` and its stored results."""

import json

import pytest

from tests.benchmarks.searches import compress


def test_record_of_one_case():
    """A case that cannot be run anew, or one whose classes are not those of the library."""
    record = compress.measure("COMPAS", "AdaBoost", 3.0)
    assert record["n_mismatches"] == 0 and record["n_trees"] == 50
    assert record["lower_bound"] <= record["n_kept"] <= 50


def test_stored_results_contradict_nothing():
    """A stored case with another class somewhere, or with a proof that its bound does not bear out."""
    stored = json.loads(compress.RESULTS.read_text(encoding="utf-8"))
    cases = {(record["data"], record["model"]) for record in stored["records"]}
    assert cases == {(data, name) for data in compress.SETS for name in compress.MODELS}
    for record in stored["records"]:
        assert record["n_mismatches"] == 0
        assert record["lower_bound"] <= record["n_kept"] <= record["n_trees"]
        if record["status"] == "optimal":
            assert record["lower_bound"] == record["n_kept"]


def test_part_of_the_cases_is_not_kept(monkeypatch):
    """A run of one case that takes the place of all stored ones."""
    monkeypatch.setattr(compress, "measure", lambda data, name, limit: {"n_mismatches": 0})
    monkeypatch.setattr(compress, "print_record", lambda record: None)
    monkeypatch.setattr(compress, "write_results", lambda path, results: pytest.fail("written"))
    assert compress.main(["--sets", "Seeds", "--models", "AdaBoost"]) == 0
