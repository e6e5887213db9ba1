"""The 200 cells of `make codecheck`: how they are chosen, rerun and compared."""

import pytest

import treelib.papers  # noqa: F401, registers the experiments
from treelib import cli
from treelib.datasets.files import as_csv
from treelib.ledger import store, verdicts
from treelib.ledger.protocol import codecheck
from treelib.ledger.protocol.declared import kept
from treelib.papers.osdt import table_1, table_2

COUNTED, RERUN = "osdt.t1.d-3.p-20-trees", "osdt.t2.no-support-bound.trees-evaluated"


def test_manifest_holds_what_is_published():
    """A manifest of other values or results than those that are kept: run `treelib verdicts`."""
    rows = codecheck.read()
    assert rows == codecheck.manifest() and len(rows) == codecheck.N_CELLS


def test_cells_are_chosen_without_our_results(monkeypatch):
    """A choice that a verdict or a value of ours can change."""
    before = [claim.id for claim in codecheck.cells()]
    monkeypatch.setattr(verdicts, "read", lambda: pytest.fail("the choice reads verdicts"))
    monkeypatch.setattr(store, "kept", lambda name: pytest.fail("the choice reads results"))
    assert [claim.id for claim in codecheck.cells()] == before
    assert [claim.id for claim in codecheck.cells(5)] == before[:5]


@pytest.fixture
def two_cells(monkeypatch):
    """The lines of two cells, judged by their own tables alone: the whole paper takes minutes."""

    def judged(paper):
        return (*table_1.trees.judge().values(), *table_2.searches.judge(kept("osdt.t2")).values())

    monkeypatch.setattr(verdicts, "judged", judged)
    monkeypatch.setenv(store.LIVE_VARIABLE, "")  # rerun sets it
    return [row for row in codecheck.read() if row["id"] in (COUNTED, RERUN)]


def test_two_cells_come_out_again(two_cells, tmp_path):
    """A rerun that compares the stored results with themselves, or a wrong value that it lets pass."""
    rows = codecheck.rerun(two_cells, tmp_path, jobs=1)
    assert [row["word"] for row in rows] == [codecheck.EXPECTED] * 2
    assert all(row["digest_now"] == row["digest"] for row in rows)
    assert len((tmp_path / "osdt.t2.jsonl").read_text().splitlines()) == 12
    text = codecheck.report(rows, {"cpu": "x"})
    assert "2 as expected, 0 differs, 0 not rerun." in text and f"| `{RERUN}` | 279763 |" in text
    wrong = [row | {"expected": str(int(row["expected"]) + 1)} for row in two_cells]
    words = [codecheck._word(row, now["now"]) for row, now in zip(wrong, rows, strict=True)]
    assert words == [codecheck.DIFFERS] * 2


def test_what_could_not_run_is_not_as_expected(two_cells, tmp_path, monkeypatch):
    """A cell that passes by its stored value, since its data set is not at hand."""
    lost = store.Summary("osdt.t2", 0, 0, [({}, "a data set is not at hand")], 0.0)
    monkeypatch.setattr(store, "run_all", lambda names, **how: [lost])
    two = tmp_path / "two.csv"
    two.write_text(as_csv(codecheck.COLUMNS, two_cells))
    assert cli.main(["codecheck", "--out", str(tmp_path), "--manifest", str(two)]) == 1
    text = (tmp_path / "report.md").read_text()
    assert "1 as expected, 0 differs, 1 not rerun." in text and "| a data set is not at hand |" in text


@pytest.mark.parametrize(
    ("experiment", "now", "word"),
    [
        ("osdt.t2", "0.5000000000001", codecheck.DIFFERS),
        ("dyadic.t7", "0.5000000000001", codecheck.EXPECTED),
        ("dyadic.t7", "0.51", codecheck.DIFFERS),
        ("dyadic.t7", "Inf", codecheck.DIFFERS),
        ("", "0.5000000000001", codecheck.DIFFERS),
    ],
)
def test_only_statistical_values_have_a_tolerance(experiment, now, word):
    """An exact value that is nearly right and passes, or a statistical one of another machine that fails."""
    assert codecheck._word({"expected": "0.5", "experiment": experiment}, now) == word
