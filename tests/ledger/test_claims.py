"""Claims of the papers and verdicts on them."""

from fractions import Fraction

import pytest

from treelib.ledger import claims
from treelib.ledger.protocol import digits

ACCURACY = "osdt.f5.osdt.accuracy"  # printed 82.881 %, 794 of 958


@pytest.mark.parametrize(
    ("paper", "n_claims"), [("osdt", 185), ("bornagain", 835), ("tsallis", 189), ("dyadic", 530)]
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
    ("ours", "verdict", "reason"),
    [
        (Fraction(100 * 794, 958), "match", ""),
        (Fraction(828815, 10000), "match", claims.TRUNCATED),  # a half rounds up to 82.882, or to even
        (Fraction(828819, 10000), "match", claims.TRUNCATED),
        (Fraction(828804, 10000), "differs", "cause"),
        (Fraction(82882, 1000), "differs", "cause"),
    ],
)
def test_match_is_equality_at_the_printed_digits(ours, verdict, reason):
    """Rounding in binary instead of decimal, or digits that were cut off and pass as rounded."""
    judged = claims.judge(ACCURACY, ours, cause="cause")
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_printed_powers_of_ten_are_judged_at_their_digits():
    """5.609e13 compared as an integer with all its zeros."""
    exact = 56_098_745_801_330
    assert claims.judge("osdt.t1.d-4.p-10-trees", exact).reason == claims.TRUNCATED
    assert claims.judge("osdt.se-1.symmetry-aware-pruning.m-20-k-10", 736_890_983_335).reason == ""


def test_bound_matches_on_its_side():
    """A printed '>848' that our 900 does not match, or our 800 does."""
    slowdown = "osdt.t2.no-equivalent-points-bound.slowdown"
    assert claims.judge(slowdown, 900).verdict == "match"
    assert claims.judge(slowdown, 848, cause="limit").verdict == "differs"


def test_tolerance_is_a_difference_or_a_pair_of_factors():
    """A relative tolerance taken as an absolute one."""
    seconds = "osdt.t2.all-bounds.total-time"  # 14.70 s
    assert claims.judge(seconds, 14.0, tolerance=1, why="spread").verdict == "close"
    assert claims.judge(seconds, 13.0, tolerance=1, why="spread", cause="machine").verdict == "differs"
    assert claims.judge(seconds, 0.4, tolerance=(0, 1), why="not slower").verdict == "close"
    assert claims.judge(seconds, 15.0, tolerance=(0, 1), why="not slower", cause="x").verdict == "differs"


def test_no_difference_without_a_cause_and_no_tolerance_without_a_reason():
    """A chapter that passes over a difference in silence."""
    with pytest.raises(ValueError, match="cause"):
        claims.judge(ACCURACY, 50)
    with pytest.raises(ValueError, match="why"):
        claims.judge(ACCURACY, 82.8, tolerance=1)
    with pytest.raises(ValueError, match="cause"):
        claims.judge_statement("osdt.sk.cart.claim", False, "found")
    with pytest.raises(ValueError, match="cause"):
        claims.untestable("osdt.sk.cart.claim", "")


def test_statement_verdicts():
    """A statement that holds only in direction and is shown as a match."""
    judged = [
        claims.judge_statement("osdt.sk.cart.claim", True, "found"),
        claims.judge_statement("osdt.sk.cart.claim", True, "found", why="direction"),
        claims.judge_statement("osdt.sk.cart.claim", False, "found", cause="cause"),
        claims.untestable("osdt.sk.cart.claim", "no such machine"),
    ]
    assert [verdict.verdict for verdict in judged] == list(claims.COUNTED)
    assert claims.count(judged) == dict.fromkeys(claims.COUNTED, 1) | {"stated": 0, "redrawn": 0}
    assert {verdict.rule for verdict in judged} == {"unstated"}


def test_wrong_names_are_refused():
    """A mistyped claim id that is judged as something else."""
    for wrong in ("osdt.f4.osdt.acuracy", "nothing", ""):
        with pytest.raises(ValueError, match="no claim"):
            claims.find(wrong)
    with pytest.raises(ValueError, match="paper='cart' must be one of 'osdt'"):
        claims.load("cart")
    with pytest.raises(ValueError, match="not a number"):
        claims.judge("osdt.t1.d-5.p-10-trees", 1)


def test_missing_lists_what_has_no_verdict_and_refuses_two():
    """A claim that is counted twice, or forgotten."""
    one = claims.judge(ACCURACY, Fraction(100 * 794, 958))
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


def test_a_verdict_says_how_it_was_found():
    """A verdict that leads nowhere: no experiment, no tolerance, no code that decided."""
    case = {"row": 1}
    judged = claims.judge(
        ACCURACY, 82.8, tolerance=(0.5, 2), why="spread", experiment="osdt.f1", case=case, cause="x"
    )
    assert (judged.experiment, judged.case, judged.tolerance) == ("osdt.f1", case, "ratio 0.5 to 2")
    assert judged.check.endswith("test_claims.test_a_verdict_says_how_it_was_found")
    (in_a_list,) = [claims.judge(ACCURACY, 50, cause="x") for _ in range(1)]
    (in_a_generator,) = list(claims.judge(ACCURACY, 50, cause="x") for _ in range(1))
    assert judged.check == in_a_list.check == in_a_generator.check
    assert claims.judge(ACCURACY, 50, tolerance=1, why="spread", cause="x").tolerance == "1"
    with pytest.raises(ValueError, match="belongs to an experiment"):
        claims.judge(ACCURACY, 50, case=case, cause="x")
