"""A table of a paper with ours beside it."""

import re

import pandas as pd
import pytest

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import claims
from treelib.ledger.page import cells, compare, place
from treelib.ledger.papers import papers
from treelib.ledger.verdicts import read

COUNTS = ["trees-evaluated", "trees-to-optimum"]
TABLES = sorted(
    {".".join(row["id"].split(".")[:2]) for row in read() if re.fullmatch(r"t\d+", row["id"].split(".")[1])}
)


@pytest.mark.parametrize("table", TABLES)
def test_every_table_shows_all_its_cells(table):
    """A table that cannot be compared, or a cell, a difference or an equal number that gets lost."""
    found = compare.compare(table)
    shown = {cell.claim.id: cell for cell in found.cells}
    kept = {row["id"]: row for row in read()}
    for claim in claims.load(table.split(".")[0]).values():
        row = kept[claim.id]
        if not claim.id.startswith(f"{table}.") or row["rule"].startswith("statement") or not claim.value:
            continue
        if ".caption." in claim.id:
            continue
        assert shown[claim.id].word == row["verdict"]
        assert (row["verdict"] == claims.DIFFERS) <= bool(shown[claim.id].note)
    assert len({cell.place for cell in found.cells}) == len(found.cells)
    n_programs = len({cell.claim.column for cell in found.cells if cell.program})
    n_columns = 2 * len(set(found.frame.columns.droplevel(1))) + n_programs
    assert found.frame.shape == (len(set(found.frame.index)), n_columns)


def test_equal_cells_show_one_number_and_others_both():
    """A difference that one has to look for, or equal numbers that are printed twice."""
    text = compare.compare("dyadic.t2", rows=["titanic", "banana"], columns=["distinct-solutions"])
    first, second = (line for line in text.splitlines() if line.startswith(("| titanic", "| banana")))
    assert " / " not in first and " / **" in second and "<sup>1</sup>" in second
    assert '<sup class="note">1</sup>' in text and "1 of 2 cells equal" in text


def test_the_line_of_sources_says_what_was_read_and_run():
    """A table whose numbers come from nowhere."""
    text = compare.compare("osdt.t2", columns=COUNTS)
    assert "where the search starts (from CART)" in text
    assert re.search(
        r"run \d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?, \d+ (s|minutes); records .*osdt\.t2</code>", text
    )


def test_frame_has_the_paper_beside_ours():
    """Rows or columns exchanged."""
    frame = compare.compare("osdt.t2", rows=["no-support-bound", "all-bounds"], columns=COUNTS).frame
    assert frame["Total #trees evaluated"].to_numpy().tolist() == [[279763] * 3, [232402] * 3]


def test_the_authors_program_is_the_third_column():
    """A program's number that is lost, shown where it is the printed one, or of no claim."""
    found = compare.compare("osdt.t2", rows=["all-bounds", "no-lookahead-bound"], columns=[*COUNTS, "memory"])
    counts, memory = found.frame["Total #trees evaluated"], found.frame["Mem (GB)"]
    assert list(counts.columns) == ["paper", "ours", "program"] == list(memory.columns)
    assert counts["program"].tolist()[0] == 232402 and pd.isna(counts["program"].tolist()[1])
    assert "232,402</a>" in found and "/ 0.0163&nbsp;‡" in found and "2 of 3 as printed" in found
    assert "program" not in compare.compare("osdt.t1").frame.columns.get_level_values(1)
    for row in read_csv(data_root() / "claims" / "programs.csv"):
        assert claims.find(row["claim"]) and re.fullmatch("[0-9a-f]{12}", row["commit"])
        assert re.fullmatch(r"[\d.]+", row["value"]) and row["how"]


def test_values_of_the_page_take_the_place_of_the_stored_ones(monkeypatch):
    """A page that computes a wrong number and shows the stored one, or judges one run by a rule for fifty."""
    monkeypatch.setattr(cells, "WATCH", cells.Watch())
    ours = pd.DataFrame({"trees-evaluated": [232402, 279764]}, index=["all-bounds", "No support bound"])
    found = compare.compare("osdt.t2", ours, rows=["all-bounds", "no-support-bound"], columns=COUNTS)
    words = {cell.place: (cell.word, cell.is_live) for cell in found.cells}
    assert words["all-bounds", COUNTS[0]] == ("match", True)
    assert words["no-support-bound", COUNTS[0]] == ("differs", True)
    assert words["all-bounds", COUNTS[1]] == ("match", False)
    assert "279,763 / **279,764**" in found and "computed here" in found
    values = cells.WATCH.current.values
    assert values["osdt.t2.all-bounds.trees-evaluated"] and not values["osdt.t2.all-bounds.trees-to-optimum"]
    sampled = pd.DataFrame({"acc-unpruned": [80.03]}, index=["iris"])
    [cell] = compare.compare("tsallis.t2", sampled, rows=["iris"], columns=["acc-unpruned"]).cells
    assert cell.word == ""


def test_other_parameters_leave_the_paper_out():
    """The paper's numbers beside values of other data."""
    ours = pd.DataFrame({"trees": [10, 2000]}, index=["all bounds", "none"])
    found = compare.compare("osdt.t2", ours, LAMBDA=(0.01, 0.005))
    assert "232,402" not in found and "2,000" in found and found.frame is ours
    assert "The paper's table is for `LAMBDA = 0.005`" in found and "`LAMBDA = 0.01`" in found
    assert "232,402" not in compare.compare("osdt.t2", DATA=("monk2", "compas-binary"))
    assert "232,402" in compare.compare("osdt.t2", DATA=("compas-binary", "compas-binary"))


def test_unknown_names_are_refused_with_the_known_ones():
    """A misspelled table that shows nothing."""
    with pytest.raises(ValueError, match=r"osdt has no table 'osdt\.t9'.*osdt\.t2"):
        compare.compare("osdt.t9")
    with pytest.raises(ValueError, match=r"no row all; there are all-bounds"):
        compare.compare("osdt.t2", rows=["all"])
    with pytest.raises(ValueError, match="osdt"):
        compare.compare("another.t1")


def test_it_works_in_a_notebook_outside_of_the_book(monkeypatch):
    """MyST in a downloaded notebook."""
    monkeypatch.delenv(place.BOOK_VARIABLE, raising=False)
    for paper in papers():
        text = compare.compare(f"{paper}.t1").plain()
        assert not re.search(r":::|\{\w+\}`|\.\./", text) and 'class="origin"' in text
