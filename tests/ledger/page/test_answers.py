"""What chapters answer to the sentences of a paper."""

from dataclasses import replace

import pytest

from treelib.ledger import claims
from treelib.ledger.page import answers


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
