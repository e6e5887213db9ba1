"""Sheets for a referee: drawn at random, complete, and printed from one file."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from treelib import cli
from treelib.ledger import claims, verdicts
from treelib.ledger.protocol import marks, referee, signed

ROWS = verdicts.read()


def test_a_draw_is_random_and_comes_again():
    """A sample that leaves out what differs, or that nobody can draw again."""
    some = referee.draw(ROWS, 40, 7)
    assert some == referee.draw(ROWS, 40, 7) != referee.draw(ROWS, 40, 8)
    assert len({row["id"] for row in some}) == 40
    counted = [row for row in ROWS if row["verdict"] in claims.COUNTED and not row["fitted"]]
    everyone = [row for row in counted if not row["trivial"]]
    assert referee.draw(ROWS, len(everyone), 1) == everyone
    for wrong in (0, len(everyone) + 1):
        with pytest.raises(ValueError, match="counted claims"):
            referee.draw(ROWS, wrong, 1)


def test_what_is_no_evidence_is_not_drawn():
    """A referee's time spent on settings, figures and fitted values."""
    row = ROWS[0] | {"fitted": "", "verdict": "match"}
    others = [row | other for other in ({"verdict": "stated"}, {"verdict": "redrawn"}, {"fitted": "x"})]
    assert referee.draw([*others, row], 1, 3) == [row]


class Reader(HTMLParser):
    """Collects the addresses that a document asks for, and whether its elements are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.asked = [], []

    def handle_starttag(self, tag, attrs):
        asked = [value for name, value in attrs if name in ("src", "href")]
        self.asked += [value for value in asked if value != "data:,"]  # no icon is asked for
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_sheets_are_whole(tmp_path, capsys):
    """A sheet without the place, the rule, the record or the lines to sign; a file that asks for others."""
    out = tmp_path / "sheets.html"
    assert cli.main(["referee", "--sample", "12", "--seed", "3", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "sheets.html: 12 claims" in printed and "sheets.csv: 12 claims" in printed
    text = out.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert not reader.open and not reader.asked and "http" not in text and str(tmp_path) not in text
    pages = re.findall(r"<section.*?</section>", text, flags=re.S)
    for page, row in zip(pages, referee.draw(ROWS, 12, 3), strict=True):
        assert f"<code>{row['id']}</code>" in page and f'class="verdict">{row["verdict"]}<' in page
        for head in ("Printed", "Ours", "How", "Refused"):
            assert f"<dt>{head}</dt>" in page, (row["id"], head)
        assert "disagree" in page and "Date:" in page
        if row["experiment"]:
            assert f"treelib reproduce {row['experiment']}" in page
    assert "break-before: page" in text


def test_sheets_of_one_paper(tmp_path, capsys):
    """A choice of paper that is passed over in silence."""
    out = tmp_path / "sheets.html"
    assert cli.main(["referee", "--sample", "3", "--seed", "3", "--paper", "osdt", "--out", str(out)]) == 0
    ids = re.findall(r'<section id="(\w+)', out.read_text(encoding="utf-8"))
    assert ids == ["osdt"] * 3
    assert cli.main(["referee", "--sample", "3", "--seed", "3", "--paper", "cart", "--out", str(out)]) == 2
    assert "osdt" in capsys.readouterr().err


def test_the_judge_is_named_with_file_and_line():
    """A sheet that leads to no code, or to the machine it was written on."""
    row = next(row for row in ROWS if row["id"] == "osdt.t1.d-1.p-10-trees")
    assert re.search(r"treelib/\S+\.py:\d+;", dict(referee.facts(row))["How"])

    @marks.judges("osdt.t1.*")
    def judge_it():
        """Judge nothing."""

    name = next(name for name in marks.JUDGES if name.endswith("judge_it"))
    text = dict(referee.facts(row | {"check": name}))["How"]
    assert re.search(rf"{re.escape(name)}, tests/ledger/protocol/test_referee\.py:\d+;", text)
    del marks.JUDGES[name]


def test_the_rule_is_named_with_what_it_refused():
    """A referee who is not told by which rule, or what it would have refused."""
    row = ROWS[0] | {"rule": "sampling: mean of 50", "refused_beyond": "below 1 or above 2"}
    found = dict(referee.facts(row))
    assert found["How"].startswith("by `sampling`, ")
    assert found["Refused"] == "a printed value below 1 or above 2"


def test_a_sheet_tells_first_what_failed():
    """A sheet that says "holds in 800 of 800 cases" beside "differs", the failures cut off."""
    cases = "holds in 800 of 800 cases (large ones); holds in 6 of 8 cases (small ones)"
    row = next(row for row in ROWS if row["verdict"] == "differs" and not row["printed"])
    assert dict(referee.facts(row | {"ours": cases}))["Ours"].startswith("holds in 6 of 8 cases")


def test_sheets_are_read_in_a_minute():
    """A sheet whose rule, readings and reasons are longer than its evidence."""
    for row in ROWS:
        found = referee.facts(row)
        words = sum(len(f"{head} {text}".split()) for head, text in found) + len(row["verdict"].split())
        assert words <= 120, (row["id"], words)


# ---- signed draws -----------------------------------------------------------------------------------------


def filled(folder, change=lambda lines: None):
    """A form of five claims, filled in, with a change to its lines."""
    path = folder / "first.csv"
    rows = referee.draw(ROWS, 5, 1)
    lines = list(csv.DictReader(io.StringIO(signed.form(rows, 1, "abc"))))
    for line in lines:
        line.update(answer="agree", name="R. Eferee", date="2026-11-22")
    lines[0].update(answer="disagree", because="Another table.")
    change(lines)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, signed.COLUMNS)
        writer.writeheader()
        writer.writerows(lines)
    return path


def test_signed_draws_keep_what_was_said(tmp_path):
    """A disagreement that is lost, or counted as agreement."""
    draw = signed.read(filled(tmp_path))
    assert [draw.count(answer) for answer in signed.ANSWERS] == [4, 1, 0]
    assert [row["because"] for row in draw.objections()] == ["Another table."]
    assert (draw.date, draw.signers, draw.name) == ("2026-11-22", ["R. Eferee"], "first")


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[1].update(answer=""),
        lambda lines: lines[1].update(answer="yes"),
        lambda lines: lines[0].update(because=""),
        lambda lines: lines[2].update(name=""),
        lambda lines: lines[2].update(date=""),
        lambda lines: lines[2].update(verdict="fine"),
        lambda lines: lines[2].update(id=lines[1]["id"]),
        lambda lines: lines.clear(),
    ],
)
def test_a_form_that_is_not_filled_in_is_refused(tmp_path, change):
    """An unsigned form, or a disagreement without a reason, that counts as a signed draw."""
    with pytest.raises(ValueError, match=r"first\.csv"):
        signed.read(filled(tmp_path, change))


def test_kept_draws_are_filled_in():
    """A form that was put into the folder of signed draws before anybody signed it."""
    for draw in signed.draws():
        assert len(draw.rows) >= 1


def test_sheets_do_not_overwrite_their_form(tmp_path, capsys):
    """Sheets and form written to the same file."""
    out = str(tmp_path / "sheets.csv")
    assert cli.main(["referee", "--sample", "3", "--seed", "3", "--out", out]) == 2
    assert "HTML" in capsys.readouterr().err and not list(tmp_path.iterdir())
