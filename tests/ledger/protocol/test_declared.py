"""Cells that are declared are judged as cells that are programmed."""

import fnmatch

import pandas as pd
import pytest

from treelib.ledger import claims
from treelib.ledger.papers import papers
from treelib.ledger.protocol import declared, judging, marks, notes
from treelib.ledger.protocol.declared import Open, Over, PerDraw, Said
from treelib.ledger.protocol.evidence import Trials

STARTS = Open("where the search starts", {"from CART": {"start": "cart"}, "cold": {"start": None}})
LINES = pd.DataFrame(
    [
        ("all-bounds", "cart", 232402, 2.0),
        ("all-bounds", None, 241306, 2.0),
        ("no-support-bound", "cart", 279763, 8.0),
        ("no-support-bound", None, 278868, 9.0),
    ],
    columns=["row", "start", "n", "seconds"],
)


@pytest.fixture
def table(monkeypatch):
    """A function that declares cells of Table 2 of the first paper, unknown to the ledger."""
    monkeypatch.setattr(marks, "ON", {})
    monkeypatch.setattr(notes, "every", lambda: (notes.Note("osdt.*", notes.CAUSE, "", "", "a cause"),))
    notes.of.cache_clear()
    yield lambda cells, readings=STARTS, **more: declared.declared(
        "osdt.t2.{row}.{cell}", cells, readings, **more
    )(lambda: LINES)
    notes.of.cache_clear()


def test_the_first_reading_judges_and_the_others_stand_beside(table):
    """Readings exchanged; a cell of another row or start."""
    found = table({"trees-evaluated": "n"}).judge()
    assert {key: one.verdict for key, one in found.items()} == {
        "osdt.t2.all-bounds.trees-evaluated": "match",
        "osdt.t2.no-support-bound.trees-evaluated": "match",
    } | {
        f"osdt.t2.{row}.trees-evaluated": "untestable"
        for row in (
            "no-incremental-accuracy-bound",
            "no-accuracy-bound",
            "no-lookahead-bound",
            "no-equivalent-points-bound",
        )
    }
    one = found["osdt.t2.all-bounds.trees-evaluated"]
    assert one.reading == "where the search starts: from CART" and "241,306 as cold" in one.reason
    assert one.check.endswith("<lambda>") and found["osdt.t2.no-lookahead-bound.trees-evaluated"].ours is None


def test_another_frame_is_judged_as_it_is(table, monkeypatch):
    """Values that are judged by the stored ones; a difference that nothing explains."""
    cells = table({"trees-evaluated": "n"})
    wrong = LINES.assign(n=LINES["n"] + 1)
    assert cells.judge(wrong)["osdt.t2.all-bounds.trees-evaluated"].verdict == claims.DIFFERS
    monkeypatch.setattr(notes, "every", lambda: ())
    notes.of.cache_clear()
    with pytest.raises(ValueError, match="give the `cause`"):
        cells.judge(wrong)


def test_two_values_for_one_cell_are_refused(table):
    """A cell that takes the first of several lines, whichever it is."""
    with pytest.raises(ValueError, match="2 values where a cell reads one"):
        table({"trees-evaluated": "n"}, Open("", {"": {}})).judge()


def test_ratios_are_taken_within_a_reading(table):
    """Seconds of one start over those of the other."""
    over = Over("seconds", at={"row": "all-bounds"})
    found = table({"total-time": over}).judge()
    assert found["osdt.t2.all-bounds.total-time"].ours == 2.0  # of another machine: shown as it is
    slower = found["osdt.t2.no-support-bound.total-time"]
    assert slower.verdict == claims.DIFFERS
    assert "our ratio 4 " in slower.reason and "4.5 as cold" in slower.reason


def test_draws_are_lines_or_functions_of_lines(table):
    """A mean over draws where each draw should count."""
    lines = pd.DataFrame({"seed": [0, 0, 1, 1], "value": [1.0, 3.0, 5.0, 7.0]})
    assert PerDraw("value")(lines, lines).values == (1.0, 3.0, 5.0, 7.0)
    assert PerDraw(lambda some: some["value"].mean(), "seed")(lines, lines).values == (2.0, 6.0)


def test_groups_stand_for_several_rows(table):
    """An average over data sets that is that of none."""
    lines = LINES.assign(row=LINES["row"].str.replace("-bounds", ""))
    cells = {"trees-evaluated": lambda some, _: int(some["n"].max())}
    found = table(cells, groups={"all-bounds": ["all", "no-support-bound"]}).judge(lines)
    assert found["osdt.t2.all-bounds.trees-evaluated"].ours == 279763


def test_a_value_that_most_rivals_would_have_given_says_nothing(table, monkeypatch):
    """A match that another column gives as well; a rival that is refused and counts."""
    monkeypatch.setattr(notes, "every", lambda: (notes.Note("osdt.*", notes.OPEN, "", "", "{passing} too"),))
    notes.of.cache_clear()

    def judged(**rivals):
        cells = {"trees-evaluated": lambda some, _: Said(int(some["n"].iloc[0]), {}, rivals)}
        return table(cells, Open("", {"": {"start": "cart"}})).judge()["osdt.t2.all-bounds.trees-evaluated"]

    assert judged(cold=241306, other=232402).verdict == claims.MATCH
    found = judged(cold=241306, one=232402, other=232402)
    assert (found.verdict, found.reason, found.ours) == (claims.UNTESTABLE, "one, other too", 232402)


def test_notes_say_why_and_withhold(table, monkeypatch):
    """A verdict without its cause; a claim judged that nothing can be told of."""
    said = (
        notes.Note("osdt.t2.*.trees-*", notes.CAUSE, "", "", "a later version"),
        notes.Note("osdt.t2.all-bounds.*", notes.NOT_RUN, "3 hours", "", "too long"),
    )
    monkeypatch.setattr(notes, "every", lambda: said)
    notes.of.cache_clear()
    found = table({"trees-evaluated": "n"}).judge(LINES.assign(n=5))
    assert found["osdt.t2.no-support-bound.trees-evaluated"].reason.startswith("a later version")
    first = found["osdt.t2.all-bounds.trees-evaluated"]
    assert (first.verdict, first.ours) == ("untestable", 5) and first.reason.startswith("too long")


def test_sentences_take_their_numbers_from_what_was_computed(table, monkeypatch):
    """A number that was typed into a sentence; a place for one that nobody fills; cases without a name."""
    claim = "osdt.si.ablation.all-reduce"
    said = (
        notes.Note(claim, notes.CASES, "", "", "more than {least} rows"),
        notes.Note(claim, notes.CASES, "", "", "the other rows"),
        notes.Note(claim, notes.OPEN, "", "", "only {n} are told apart"),
    )
    monkeypatch.setattr(notes, "every", lambda: said)
    notes.of.cache_clear()

    @marks.judges("osdt.si.*")
    def judge_some(trials, **more):
        return judging.judge_statement(claim, trials, **more)

    rows = [(f"row {n}", n > 0) for n in range(1, 4)]
    one = judge_some(rows, numbers={"least": 2})
    assert (one.verdict, one.ours) == ("match", "holds in 3 of 3 cases (more than 2 rows)")
    two = judge_some([iter(rows), Trials(2, 0, "", "stored"), iter(rows)], numbers={"least": 2})
    assert two.ours.endswith("2 of 2 cases (stored); holds in 3 of 3 cases (the other rows)")
    is_open = judge_some(rows, numbers={"least": 2, "n": 5}, withhold=True)
    assert (is_open.verdict, is_open.reason) == ("untestable", "only 5 are told apart")
    with pytest.raises(ValueError, match="needs the number 'least'"):
        judge_some(rows)
    with pytest.raises(ValueError, match="Say in `where`"):
        judge_some([iter(rows) for _ in range(3)], numbers={"least": 2})


def test_claims_for_which_nothing_runs_are_judged_by_their_rows(table, monkeypatch):
    """A setting or a drawing that code must name; a claim without verdict that passes as one."""
    setting, figure, open_ = "osdt.t2.caption.lambda", "osdt.f8.description.panels", "osdt.s0.abstract.claim"
    said = [notes.Note(figure, notes.OURS, "", "", "all traces"), notes.Note(open_, notes.NEVER, "", "", "x")]
    monkeypatch.setattr(notes, "every", lambda: said)
    notes.of.cache_clear()
    found = [judging.without_run(claim) for claim in (setting, figure, open_)]
    assert [one.verdict for one in found] == ["stated", "redrawn", "untestable"]
    assert found[1].ours == "all traces" and found[2].reason == "x"
    assert judging.without_run("osdt.f1.description.panels") is None
    assert judging.without_run("osdt.t2.all-bounds.total-time") is None


def test_every_note_is_about_claims_that_there_are():
    """A sentence about a claim that was renamed; a reason without its price."""
    everything = [claim for paper in papers() for claim in claims.load(paper)]
    for pattern in {one for note in notes.every() for one in note.claims.split()}:
        assert fnmatch.filter(everything, pattern), pattern
    with pytest.raises(ValueError, match="price"):
        notes.Note("osdt.*", notes.NOT_RUN, "", "", "too long")
    with pytest.raises(ValueError, match="not one of"):
        notes.Note("osdt.*", "maybe", "", "", "x")


def test_rows_that_are_named_are_the_only_ones(table):
    """A table that judges the rows of another one, or calls them not run."""
    mark = declared.declared(
        "osdt.t2.{row:all-bounds|no-support-bound}.{cell}", {"trees-evaluated": "n"}, STARTS
    )
    found = mark(lambda: LINES).judge()
    assert sorted(found) == ["osdt.t2.all-bounds.trees-evaluated", "osdt.t2.no-support-bound.trees-evaluated"]
