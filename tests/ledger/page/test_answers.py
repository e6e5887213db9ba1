"""What chapters answer to the sentences of a paper."""

from dataclasses import replace

import pytest

from treelib.ledger import claims
from treelib.ledger.page import answers
from treelib.ledger.verdicts import read


def verdict(word, fitted=""):
    claim = claims.Claim("p.t1.x", "Table 1", "", "", "1", "", "exact", "", fitted=fitted)
    return claims.Verdict(claim, word, 1, rule="printed digits")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("match", "close"), answers.HOLDS),
        (("match", "differs"), answers.PARTLY),
        (("differs",), answers.FAILS),
        (("untestable", "stated"), answers.UNTOLD),
        (("untestable", "match"), answers.HOLDS),
        ((), answers.UNTOLD),
    ],
)
def test_an_answer_follows_from_verdicts(words, found):
    """ "Partly" for what differs in one row and "yes" in the next; "partly" where nothing can be told."""
    assert answers.answer(*map(verdict, words)) == found


def test_what_was_fitted_answers_nothing():
    """A sentence that holds since a choice was made by its number."""
    fitted = verdict("match", "some-choice")
    assert answers.answer(fitted) == answers.FITTED
    assert answers.answer(fitted, verdict("differs")) == answers.FAILS
    assert answers.answer(verdict("untestable", "some-choice")) == answers.UNTOLD


def test_the_verdict_decides_and_not_the_number_of_cases():
    """One score, 10 of 12, that is "partly" for one claim and "yes" for another."""
    sentence = verdict("differs")
    for ours in ("holds in 10 of 12 cases (x); the worst is y", "holds in 0 of 12 cases (x); the worst is y"):
        assert answers.answer(replace(sentence, ours=ours)) == answers.FAILS


def test_a_sentence_of_the_paper_is_not_read_as_ours():
    """ "No: the data have 7215 samples"."""
    text = answers.asked("the data\n  have 7215 samples", answers.FAILS)
    assert text == "The paper: *the data have 7215 samples.* **It does not hold.**"


def test_cases_read_as_a_sentence():
    """ "yes, in 3 of 3: all trees; in 1 of 2: random: trees; the worst is"."""
    words = answers.cases_in_words
    assert words("holds in 3 of 3 cases (trees (small))") == "in all 3 cases (trees (small))"
    assert words("holds in 1 of 1 cases (a tree)") == "in the one case (a tree)"
    text = words("holds in 0 of 2 cases (a); the worst is b (c); holds in 1 of 2 cases (d); the worst is e")
    assert text == "in none of 2 cases (a), least in b (c), and in 1 of 2 cases (d), least in e"
    assert words("holds in 4 of 4 cases (random: trees)") == "in all 4 random cases (trees)"
    assert words("6907") == "6907"


def test_all_kept_statements_can_be_read():
    """A text of trials that the words do not know and leave as it is."""
    texts = [row["ours"] for row in read() if row["ours"].startswith("holds in")]
    assert len(texts) > 100
    assert not [text for text in texts if "holds in" in answers.cases_in_words(text)]


def test_cases_held_are_those_of_the_first_kind_tried():
    """A share that is taken from another part of what was tried."""
    text = "holds in 1,200 of 1,300 cases (trees); holds in 2 of 9 cases (forests); the worst is x"
    assert answers.cases_held(replace(verdict("match"), ours=text)) == "1,200 of 1,300"
