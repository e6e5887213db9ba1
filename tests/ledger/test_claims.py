"""Claims of the papers and verdicts on them."""

from fractions import Fraction

import pytest

from treelib.ledger import claims
from treelib.ledger.protocol import digits, judging, notes
from treelib.ledger.protocol.judging import Ratio, Trials

ACCURACY = "osdt.f5.osdt.accuracy"  # printed 82.881 %, 794 of 958
CUT = "osdt.f9.tic-tac-toe.cart-accuracy"  # printed 76.513 %, 733 of 958, in a table that cuts digits off
STATEMENT = "osdt.sk.cart.claim"


@pytest.fixture(autouse=True)
def without_notes(monkeypatch):
    """No sentences of ``data/claims/notes.csv``: what is handed over is all that is said."""
    monkeypatch.setattr(notes, "every", lambda: ())
    notes.of.cache_clear()
    yield
    notes.of.cache_clear()


@judging.judges("osdt.*")
def judged(function, *args, **kwargs):
    return function(*args, **kwargs)


@pytest.mark.parametrize(
    ("paper", "n_claims"), [("osdt", 192), ("bornagain", 843), ("tsallis", 197), ("dyadic", 539)]
)
def test_every_claim_is_read(paper, n_claims):
    """A damaged claims file, or an id that is there twice or belongs to another paper."""
    loaded = claims.load(paper)
    assert len(loaded) == n_claims
    assert all(key == claim.id and key.startswith(f"{paper}.") for key, claim in loaded.items())
    kinds = {"exact", "statistical", "timing", "memory", "figure", "qualitative", "setting"}
    assert {claim.kind for claim in loaded.values()} <= kinds


def test_claims_cannot_be_changed():
    """One page that changes the claims for all others."""
    with pytest.raises(TypeError):
        claims.load("osdt")[ACCURACY] = None


def test_printed_value_keeps_its_digits():
    """A printed 66.90 that is judged as 66.9, a '>64' that is not a number, a word that is one."""
    assert claims.find("osdt.f4.osdt.accuracy").number.as_tuple().exponent == -2
    bound = claims.find("osdt.t2.no-equivalent-points-bound.memory")
    assert (bound.sign, bound.number) == (">", 64)
    assert claims.find("osdt.t1.d-5.p-10-trees").number is None


@pytest.mark.parametrize(
    ("claim_id", "ours", "verdict", "reason"),
    [
        (ACCURACY, Fraction(100 * 794, 958), "match", ""),
        (ACCURACY, Fraction(828815, 10000), "differs", "cause"),  # a half rounds up to 82.882, or to even
        (ACCURACY, Fraction(828819, 10000), "differs", "cause"),
        (ACCURACY, Fraction(828804, 10000), "differs", "cause"),
        (ACCURACY, Fraction(82882, 1000), "differs", "cause"),
        (CUT, Fraction(100 * 733, 958), "match", claims.TRUNCATED),
        (CUT, Fraction(765135, 10000), "match", claims.TRUNCATED),
        (CUT, Fraction(765129, 10000), "match", ""),
        (CUT, Fraction(765124, 10000), "differs", "cause"),
        (CUT, Fraction(76514, 1000), "differs", "cause"),
    ],
)
def test_match_is_equality_at_the_printed_digits(claim_id, ours, verdict, reason):
    """Rounding in binary instead of decimal, or digits that were cut off and pass as rounded."""
    found = judged(judging.judge, claim_id, ours, cause="cause")
    assert (found.verdict, found.reason) == (verdict, reason)


def test_printed_powers_of_ten_are_judged_at_their_digits():
    """5.609e13 compared as an integer with all its zeros."""
    found = judged(judging.judge, "osdt.t1.d-4.p-10-trees", 56_098_745_801_330)
    assert (found.verdict, found.reason) == ("match", claims.TRUNCATED)
    found = judged(judging.judge, "osdt.se-1.symmetry-aware-pruning.m-20-k-10", 736_890_983_335)
    assert (found.verdict, found.reason) == ("match", "")


def test_bound_matches_on_its_side():
    """A printed '>77000000' that one more does not match, or that equality does."""
    trees = "osdt.t2.no-equivalent-points-bound.trees-evaluated"
    assert judged(judging.judge, trees, 77_000_001).verdict == "match"
    assert judged(judging.judge, trees, 77_000_000, cause="limit").verdict == "differs"


def test_the_row_sets_the_bound_and_nobody_else():
    """A judge that brings a tolerance of its own; seconds of another machine that are called close."""
    seconds = "osdt.t2.no-support-bound.total-time"  # 17.11 s, over 14.70 s of the reference cell
    with pytest.raises(TypeError, match="tolerance"):
        judged(judging.judge, ACCURACY, 82.8, tolerance=1)
    with pytest.raises(TypeError, match="why"):
        judged(judging.judge_statement, STATEMENT, Trials(3, 0, "", "sets"), why="direction")
    assert judged(judging.judge, "osdt.t2.all-bounds.total-time", 14.0).verdict == "untestable"
    with pytest.raises(ValueError, match="Ratio"):
        judged(judging.judge, seconds, 17.0)
    assert judged(judging.judge, seconds, Ratio(50.0, 14.7), cause="machine").verdict == "differs"


def test_no_difference_without_a_cause():
    """A chapter that passes over a difference in silence."""
    with pytest.raises(ValueError, match="cause"):
        judged(judging.judge, ACCURACY, 50)
    with pytest.raises(ValueError, match="cause"):
        judged(judging.judge_statement, STATEMENT, Trials(3, 1, "COMPAS", "sets"))
    with pytest.raises(ValueError, match="cause"):
        judged(judging.untestable, STATEMENT, "")


def test_statement_verdicts():
    """A statement that fails in one case and is shown as a match, or a verdict that is counted twice."""
    found = [
        judged(judging.judge_statement, STATEMENT, Trials(3, 0, "", "sets")),
        judged(judging.judge_statement, STATEMENT, Trials(3, 1, "COMPAS", "sets"), cause="cause"),
        judged(judging.untestable, STATEMENT, "no such machine"),
    ]
    assert [verdict.verdict for verdict in found] == ["match", "differs", "untestable"]
    assert claims.count(found) == dict.fromkeys(claims.VERDICTS, 0) | dict.fromkeys(
        ("match", "differs", "untestable"), 1
    )
    assert {verdict.rule for verdict in found} == {"statement: given"}


def test_a_verdict_has_a_rule():
    """A verdict that nobody can say the rule of."""
    with pytest.raises(TypeError, match="rule"):
        claims.Verdict(claims.find(ACCURACY), claims.MATCH, 82.881)


def test_wrong_names_are_refused():
    """A mistyped claim id that is judged as something else."""
    for wrong in ("osdt.f4.osdt.acuracy", "nothing", ""):
        with pytest.raises(ValueError, match="no claim"):
            claims.find(wrong)
    with pytest.raises(ValueError, match="paper='cart' must be one of 'osdt'"):
        claims.load("cart")
    with pytest.raises(ValueError, match="no claim"):
        judged(judging.judge, "osdt.f4.osdt.acuracy", 1)
    with pytest.raises(ValueError, match="ours must be words"):
        judged(judging.judge, "osdt.t1.d-5.p-10-trees", 1)


def test_missing_lists_what_has_no_verdict_and_refuses_two():
    """A claim that is counted twice, or forgotten."""
    one = judged(judging.judge, ACCURACY, Fraction(100 * 794, 958))
    assert len(claims.missing("osdt", [one])) == len(claims.load("osdt")) - 1
    with pytest.raises(ValueError, match="More than one"):
        claims.missing("osdt", [one, one])


@pytest.mark.parametrize(
    ("ours", "printed", "text"),
    [
        (Fraction(4621, 6907) * 100, "66.90", "66.90"),
        (232402, "232402", "232402"),
        (736_890_983_335, "7.36891e11", "7.36891e11"),
        (55, "5.500e1", "5.500e1"),
        (0, "0.25", "0.00"),
        (Fraction(-1, 3), "0.1", "-0.3"),
    ],
)
def test_our_value_is_shown_at_the_printed_digits(ours, printed, text):
    """Our value shown with more or fewer digits than the one it stands beside."""
    assert digits.at_printed_digits(ours, printed) == text


@pytest.mark.parametrize(
    ("number", "digits_shown", "text"),
    [(2319, 4, "2,319"), (30134.94, 6, "30,134.9"), (5300.0, 6, "5,300"), (0.0665, 3, "0.0665")],
)
def test_numbers_in_words_have_commas(number, digits_shown, text):
    """2319 beside 2,319 in one sentence, and zeros that nobody measured."""
    assert digits.significant(number, digits_shown) == text
    assert digits.grouped(">130000") == ">130,000" and digits.grouped("7.4e11") == "7.4e11"


def test_a_verdict_says_how_it_was_found():
    """A verdict that leads nowhere: no experiment, or no code that decided because it stood in a list."""
    case = {"row": 1}

    @judging.judges("osdt.f5.*")
    def judge_some():
        origin = {"cause": "x", "experiment": "osdt.f1", "case": case}
        (in_a_list,) = [judging.judge(ACCURACY, 50, **origin) for _ in range(1)]
        (in_a_generator,) = list(judging.judge(ACCURACY, 50, **origin) for _ in range(1))
        return judging.judge(ACCURACY, 50, **origin), in_a_list, in_a_generator

    for found in judge_some():
        assert (found.experiment, found.case) == ("osdt.f1", case)
        assert found.check.endswith("test_a_verdict_says_how_it_was_found.<locals>.judge_some")
    with pytest.raises(ValueError, match="belongs to an experiment"):
        judged(judging.judge, ACCURACY, 50, case=case, cause="x")
