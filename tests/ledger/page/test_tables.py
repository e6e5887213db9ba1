"""Tables that set the paper's value beside ours."""

from dataclasses import replace
from fractions import Fraction

import pytest

from treelib.ledger import claims, tables
from treelib.ledger.protocol import judging


@judging.judges("osdt.*")
def judged(function, *args, **kwargs):
    return function(*args, **kwargs)


RIGHT = judged(judging.judge, "osdt.f5.osdt.accuracy", Fraction(79400, 958))
DEEP = {"deep": 0.7, "depth": 4}
CUT = judged(judging.judge, "osdt.f9.tic-tac-toe.cart-accuracy", Fraction(73300, 958), numbers=DEEP)
NOT = judged(judging.untestable, "osdt.f5.binoct.accuracy", "no <solver>")


def test_what_many_notes_say_is_said_once():
    """One sentence twenty times below a table; a note of a cell that has no line any more."""
    often = "kept is the first that the loops meet"
    texts = [f"{often}; one", f"{often}; two", "three", often, f"{often}; five"]
    assert tables.apart(texts) == [
        ((1, 2, 4, 5), often), ((1,), "one"), ((2,), "two"), ((3,), "three"), ((5,), "five"),
    ]  # fmt: skip
    notes = tables.Notes()
    marks = [notes.mark(text) for text in texts]
    assert marks[3] == "&nbsp;<sup>4</sup>"
    text = notes.markdown()
    assert text.count(often) == 1 and '<sup class="note">1, 2, 4, 5</sup> kept' in text
    assert tables._ranges((1, 2, 3, 5)) == "1 to 3, 5"


def test_verdict_is_a_word_and_not_only_a_colour():
    """A verdict that a colour-blind reader or a screen reader does not get."""
    for word in claims.VERDICTS:
        assert tables.verdict_html(word).endswith(f">{word}</span>")
    with pytest.raises(ValueError, match="not a verdict"):
        tables.verdict_html("perfect")


def test_a_fitted_claim_does_not_look_like_evidence():
    """A number that we chose by the printed one, with the green word of one that could have failed."""
    link = tables.verdict_link("match", "some-choice", "../claims/osdt.f5.html")
    assert '<a class="verdict match fitted"' in link and link.endswith(">match, fitted</a>")
    assert claims.NO_EVIDENCE in link and "fitted" not in tables.verdict_html("match")
    assert ">close, fitted</span>" in tables.verdict_html("close", "some-choice")


def test_what_is_taken_over_is_not_called_unchecked():
    """A setting that reads like a gap in our work."""
    stated = replace(NOT, verdict="stated")
    assert tables.ours_text(stated) == "taken over" and tables.ours_text(NOT) == "not checked"


def test_a_statement_is_printed_and_not_only_named():
    """A verdict on a sentence that nobody sees; our words in quotation marks; a sentence read as markup."""
    claim = replace(
        NOT.claim, value="", kind="qualitative", note="\u201cTrees are *much* larger than lists.\u201d By us."
    )
    assert tables.said(claim) == "\u201cTrees are &#42;much&#42; larger than lists.\u201d"
    assert tables.said(replace(claim, note="Larger is “better”, R_t <= 1")) == (
        "Larger is “better”, R&#95;t &lt;= 1"
    )
    long = tables.said(replace(claim, note=f"\u201c{'word ' * 99}\u201d"))
    assert long.endswith(f'title="{claim.id}">\u2026</a>\u201d') and "word\u00a0<a href=" in long
    assert long.count("word") < 70
    judged_number = replace(claim, kind="statistical", value="50", rule="statement: somewhere")
    assert "larger than lists" in tables.printed_text(judged_number)  # not "(blank)"


def test_a_match_that_rounding_hides_shows_the_next_digits():
    """19.4 beside a printed 19.5, and the word match: ours is 19.45, rounded half up."""
    claim = replace(RIGHT.claim, value="19.5", unit="1")
    assert tables.ours_text(replace(RIGHT, claim=claim, ours=Fraction(1945, 100))) == "19.45"
    assert tables.ours_text(replace(RIGHT, claim=replace(claim, value="62"), ours=Fraction(125, 2))) == "62"
    assert tables.ours_text(replace(RIGHT, claim=replace(claim, value="63"), ours=Fraction(125, 2))) == "62.5"


def test_many_notes_are_folded():
    """A table followed by a page of notes."""
    notes = tables.Notes()
    for i in range(9):
        notes.mark(f"note {i}")
    assert "<details" not in notes.markdown()
    notes.mark("one more")
    assert "10 notes" in notes.markdown() and all(f"note {i}" in notes.markdown() for i in range(9))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1234567, "1,234,567"),
        (Fraction(4, 2), "2"),
        (0.123456, "0.1235"),
        (10**15, "1.000\u202f\u00d7\u202f10<sup>15</sup>"),
    ],
)
def test_numbers_for_readers(number, text):
    """A count without groups, or a float with all its digits."""
    assert tables.number_text(number) == text


def test_small_value_does_not_vanish_in_coarse_digits():
    """Our 0.003 GB shown as 0.00 beside the printed .08."""
    memory = judged(judging.judge, "osdt.t2.all-bounds.memory", 0.0026)
    assert tables.ours_text(memory) == "0.0026\u202fGB"
    blank = replace(memory.claim, value="")
    assert tables.printed_text(blank) == "(blank)"
