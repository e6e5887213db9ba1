"""Rules of judging: each can refuse, and says when it has no power."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.ledger import claims, sampling, verdicts
from treelib.ledger.papers import papers
from treelib.ledger.protocol import judging, notes, rulebook, rules
from treelib.ledger.protocol.judging import Draws, Ratio, Readings, Trials, Wins

CLAIM = claims.find("osdt.f5.osdt.accuracy")


def claim(value, rule, kind="exact", item="Table 1", name="osdt.x"):
    """A claim of our own making."""
    return claims.Claim(name, item, "row", "column", value, "1", kind, "", rule)


def verdict(value, rule, ours, **more):
    return rulebook.decide(claim(value, rule), ours, **more)[0]


def trials(cases, failed, how="given"):
    return Trials(cases, failed, "the worst, 3 for 2" if failed else "", "trees", how)


# ---- numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "ours", "expected"),
    [
        ("82.881", Fraction(100 * 794, 958), "match"),
        ("82.881", Fraction("82.8815"), "differs"),  # a half goes up to 82.882, or to the even 82.882
        ("82.882", Fraction("82.8815"), "match"),
        ("82.880", Fraction("82.8805"), "match"),  # half to even
        ("82.881", Fraction("82.8805"), "match"),  # half up
        ("82.881", Fraction("82.8819"), "differs"),  # cut off: the table has not shown that it cuts
        ("5.609e13", 56_098_745_801_330, "differs"),
        ("5.610e13", 56_098_745_801_330, "match"),
        (">848", 849, "match"),
        (">848", 848, "differs"),
        ("<2", 1.99, "match"),
        ("65-35", "65-35", "match"),
        ("65-35", "66-34", "differs"),
    ],
)
def test_printed_digits_are_rounded_never_cut(value, ours, expected):
    """A value whose digits were cut off, called equal."""
    assert verdict(value, "printed digits", ours).verdict == expected


@given(st.integers(-(10**6), 10**6), st.integers(0, 4), st.fractions(-2, 2))
def test_printed_digits_refuse_beyond_half_a_unit(units, places, off):
    """A rule of exact numbers that lets a neighbour pass, or refuses what rounds to it."""
    printed = Fraction(units, 10**places)
    text = f"{units / 10**places:.{places}f}"
    outcome = verdict(text, "printed digits", printed + off / 10**places)
    if abs(off) != Fraction(1, 2):
        assert outcome.verdict == ("match" if abs(off) < Fraction(1, 2) else "differs")


def tabled(value, rule, ours, name):
    one = claim(value, rule, name=name)
    outcome, used = rulebook.decide(one, ours)
    return claims.Verdict(one, outcome.verdict, ours, outcome.reason, rule=used)


def test_a_table_cuts_only_while_no_cell_speaks_against_it():
    """42.99 printed as 43 in the table whose 12.88 printed as 12 is excused by cut digits."""
    cut = [tabled("12", "cut digits", Fraction("12.88"), "osdt.a"), tabled("3", "cut digits", 3.9, "osdt.b")]
    assert [v.verdict for v in rulebook.settle(cut)] == ["match", "match"]
    rounded = tabled("43", "cut digits", Fraction("42.99"), "osdt.c")
    assert [v.verdict for v in rulebook.settle([*cut, rounded])] == ["differs", "differs", "match"]
    assert "osdt.c prints 43" in rulebook.settle([*cut, rounded])[0].reason
    assert rulebook.settle(cut[:1])[0].verdict == "differs"  # one cell alone shows no habit
    elsewhere = replace(rounded, claim=replace(rounded.claim, item="Table 2"))
    assert [v.verdict for v in rulebook.settle([*cut, elsewhere])] == ["match", "match", "match"]
    assert tabled("12", "cut digits", Fraction("13.1"), "osdt.d").verdict == "differs"


def test_ties_are_close_between_the_enumerated_rules_only():
    """A count that no rule for ties gives, called close; or a bound so wide that anything passes."""

    def by(*values):
        return Readings("ties", "first", dict(zip(("first", "last", "random"), values, strict=True)))

    assert verdict("97", "ties", by(97, 90, 99)).verdict == "match"
    assert verdict("97", "ties", by(95, 90, 99)).verdict == "close"
    assert verdict("97", "ties", by(95, 90, 96)).verdict == "differs"
    assert verdict("97", "ties", by(95, 90, 96)).refused == "below 89.5 or above 96.5"
    wide = verdict("74", "ties", by(33, 30, 110))
    assert wide.verdict == "untestable" and wide.reason.startswith(rules.NO_POWER)
    with pytest.raises(ValueError, match="Readings"):
        verdict("97", "ties", 97)


DRAWS = Draws(np.random.default_rng(0).normal(50, 2, 50))


def test_sampling_refuses_means_beyond_chance():
    """A mean that new runs would give once in a thousand times, called close."""
    low, high = sampling.interval(DRAWS.values, "mean", 10)
    for value in (low + 0.1, high - 0.1):
        assert verdict(f"{value:.3f}", "sampling: mean of 10", DRAWS).verdict == "close"
    for value in (low - 0.1, high + 0.1):
        outcome = verdict(f"{value:.3f}", "sampling: mean of 10", DRAWS)
        assert outcome.verdict == "differs" and outcome.refused
    more = sampling.interval(DRAWS.values, "mean", 100)
    assert low < more[0] < more[1] < high  # more runs of theirs leave less to chance


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["mean", "min", "max"]), st.integers(3, 100))
def test_sampling_covers_new_runs(seed, part, n_new):
    """Bounds at 1 % that hold half of the time: statistics of the same distribution are refused."""
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(60):
        low, high = sampling.interval(rng.exponential(1, 100) + 5, part, n_new)
        new = sampling.part_of(rng.exponential(1, n_new) + 5, part)
        inside += low <= new <= high
    assert inside >= 50


def test_sampling_without_power_is_untestable():
    """A close that no value near could have missed: three runs, a bound wider than the claim."""
    few = Draws([1.0, 2.0, 3.0])
    assert verdict("2.5", "sampling: mean of 3", few).reason.startswith(rules.NO_POWER)
    assert verdict("2.5", "sampling: mean of 3", few).verdict == "untestable"
    assert verdict("99", "sampling: mean of 3", few).verdict == "differs"  # wide, and refused all the same
    assert verdict("50.9", "sampling: mean of 10", DRAWS).verdict == "close"


def test_equal_digits_within_a_bound_that_refuses_nothing_are_no_match():
    """A match by chance: the least of ten runs that lies anywhere, and happens to show the digits."""
    wide = Draws([23.0, 30, 45, 60, 61, 70, 90, 120, 250, 397] * 2)
    outcome = verdict("23", "sampling: min of 10", wide)
    assert outcome.verdict == "untestable" and "equal to the printed digits" in outcome.reason
    assert verdict("9", "sampling: min of 10", Draws([9.0] * 20)).verdict == "match"
    assert verdict("0.00", "sampling: draw of 1", Draws([0.0] * 20)).verdict == "match"


def test_power_against_the_printed_difference():
    """A mean called close by a bound wider than the printed difference that is the claim."""
    other = CLAIM.id  # 82.881
    spread = Draws(np.random.default_rng(1).normal(83.2, 1, 30))
    rule = f"sampling: mean of 5 against {other}"
    assert verdict("83.500", "sampling: mean of 5", spread).verdict == "close"
    assert "printed difference" in verdict("83.500", rule, spread).reason
    narrow = Draws(np.random.default_rng(1).normal(83.4, 0.1, 30))
    assert verdict("83.500", rule, narrow).verdict == "close"


def test_a_single_run_lies_in_the_range_of_ours():
    """A single run of the paper compared with a mean, or with a handful of ours."""
    values = np.linspace(45, 55, 21)
    assert verdict("54.0", "sampling: draw of 1", Draws(values)).verdict == "close"
    low, high = sampling.interval(values, "draw", 1)
    assert low < 45 and 55 < high  # the range of 21 runs misses one new run in 11
    assert verdict(f"{high + 0.2:.1f}", "sampling: draw of 1", Draws(values)).verdict == "differs"
    many = Draws([*np.linspace(45, 55, 399), 99])  # one run in hundreds does not open the range
    assert verdict("60.0", "sampling: draw of 1", many).verdict == "differs"


def test_ranges_are_judged_at_both_ends():
    """Ranges that merely overlap, called close."""
    k = Draws([6, 7, 8, 8, 9, 9, 10, 10] * 10)
    assert verdict("6-10", "sampling: range of 100", k).verdict == "match"
    assert verdict("6-11", "sampling: range of 100", k).verdict == "close"
    assert verdict("9-30", "sampling: range of 100", k).verdict == "differs"
    assert verdict("8", "sampling: range of 100", Draws([8] * 20)).verdict == "match"


@pytest.mark.parametrize("rule", ["draw of 1", "min of 100", "max of 100", "range of 100"])
@pytest.mark.parametrize("printed", ["8", "1000"])
def test_few_runs_have_no_tail(rule, printed):
    """The least of three runs set beside the least of a hundred, equal or not."""
    outcome = verdict(printed, f"sampling: {rule}", Draws([8.0] * (sampling.FEWEST - 1)))
    assert outcome.verdict == "untestable" and "too few" in outcome.reason
    assert verdict(printed, f"sampling: {rule}", Draws([8.0] * sampling.FEWEST)).verdict != "untestable"


def test_sampling_asks_for_single_runs_and_a_number_of_them():
    """A mean handed over without its runs; a row that does not say how many the paper made."""
    with pytest.raises(ValueError, match="Draws"):
        verdict("50", "sampling: mean of 10", 50.0)
    for argument in ("", ": mean", ": median of 3", ": draw of 5", ": mean of 1 against"):
        with pytest.raises(ValueError, match="should read like"):
            verdict("50", f"sampling{argument}", DRAWS)
    with pytest.raises(ValueError, match="no rule"):
        rulebook.rule_of(claim("50", "", kind="statistical"))


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_ratios_are_close_within_a_factor_of_two(printed, ours):
    """Seconds that are close at any ratio from 0 to 1."""
    outcome = verdict(f"{printed:.4f}", "ratio in table", Ratio(ours, 1))
    low, high = float(f"{printed:.4f}") - 5e-5, float(f"{printed:.4f}") + 5e-5  # what is printed so
    assert outcome.verdict != "match"
    if not low / 2 <= ours <= high * 2:
        assert outcome.verdict == "differs"
    else:
        assert outcome.verdict == ("untestable" if low <= 2.5 and high >= 0.4 else "close")


def test_ratio_is_taken_to_the_reference_cell():
    """A ratio over another cell than the row names; absolute seconds that get a verdict."""
    reference = "osdt.t2.all-bounds.total-time"  # 14.70 s
    rule = f"ratio in table: {reference}"
    assert verdict("147.0", rule, Ratio(6.0, 1.0)).verdict == "close"
    assert verdict("147.0", rule, Ratio(4.0, 1.0)).verdict == "differs"
    assert verdict("14.0", rule, Ratio(1.0, 1.0)).verdict == "untestable"
    assert verdict(">848", "ratio in table", Ratio(500, 1)).verdict == "close"
    assert verdict(">848", "ratio in table", Ratio(400, 1)).verdict == "differs"
    assert "(6 / 1)" in verdict("147.0", rule, Ratio(6.0, 1.0)).reason  # both cells, ours and printed
    assert "(147.0 / 14.70)" in verdict("147.0", rule, Ratio(6.0, 1.0)).reason
    seconds = verdict("14.70", "absolute", 1.47)
    assert (
        seconds.verdict == "untestable" and "0.1 times the printed" in seconds.reason and seconds.ours == 1.47
    )


def test_choice_of_a_grid_point_can_be_refused_and_can_lack_power():
    """A best parameter called close because 163 of 168 grid points win some draw."""
    grid = {point: 0 for point in range(10)}
    assert verdict("3", "choice: 5", Wins(grid | {3: 600, 4: 400}, 1000)).verdict == "match"
    assert verdict("4", "choice: 5", Wins(grid | {3: 600, 4: 400}, 1000)).verdict == "close"
    assert verdict("5", "choice: 5", Wins(grid | {3: 600, 4: 400}, 1000)).verdict == "differs"
    few = verdict(
        "5", "choice: 5", Wins(grid | {3: 60, 4: 40}, 100)
    )  # 1 in 100 wins none of 100 often enough
    assert few.verdict == "untestable" and "100 runs are too few" in few.reason
    assert verdict("3", "choice: 5", Wins(grid | {3: 60, 4: 40}, 100)).verdict == "untestable"
    pairs = {(a, b): 0.0 for a in range(5) for b in range(5)} | {(3, 1): 600.5, (3, 2): 399.5}
    assert verdict("1", "choice: 5", Wins(pairs, 1000, (3, 1), 1)).verdict == "match"
    second = verdict("3", "choice: 5", Wins(pairs, 1000, (3, 2), 0))
    assert second.verdict == "close" and second.ours == 3 and "(3, 1), 600.5" in second.reason
    everyone = verdict("5", "choice: 5", Wins(dict.fromkeys(range(10), 10), 100))
    assert everyone.verdict == "untestable" and "10 of 10 grid points" in everyone.reason
    edge = verdict("5", "choice: 5", Wins(grid | {3: 575, 4: 400, 5: 25}, 1000))
    assert edge.verdict == "close"
    edge = verdict("5", "choice: 5", Wins(grid | {3: 588, 4: 400, 5: 12}, 1000))
    assert edge.verdict == "untestable" and "1% of them or more" in edge.reason
    with pytest.raises(ValueError, match="not on the grid"):
        verdict("11", "choice: 5", Wins(grid | {3: 100}, 100))


def test_a_ratio_carries_the_rounding_of_both_printed_numbers():
    """A ratio to a reference of one digit, refused within the rounding of that digit."""
    assert verdict("1", "ratio in table", Ratio(3.0, 1.0)).verdict == "untestable"  # 0.5 to 1.5, doubled
    assert verdict("1.0", "ratio in table", Ratio(3.0, 1.0)).verdict == "differs"


def test_the_least_of_new_runs_lies_below_our_own_low_ones():
    """A bound of the least value that reaches above most of our runs."""
    values = np.random.default_rng(0).lognormal(0, 0.1, 100)
    low, high = sampling.interval(values, "min", 100)
    assert low < values.min() < high <= np.sort(values)[9]
    assert sampling.interval(-values[::-1], "max", 100)[0] == pytest.approx(-high)


def test_no_bound_reaches_where_no_value_can_be():
    """An accuracy refused only above 102 %."""
    cell = claim("97.00", "sampling: draw of 1", "statistical")
    values = np.linspace(92, 100, 40)
    open_end, cut = (rulebook.decide(cell, Draws(values, *more))[0] for more in ((), ((0, 100),)))
    assert float(open_end.refused.split()[-1]) > 100.1 > float(cut.refused.split()[-1])
    with pytest.raises(ValueError, match="outside"):
        Draws(values, (0, 99))


def test_of_a_number_that_cannot_be_below_one_its_excess_is_judged():
    """A match of 1.0 for the least of ratios that cannot be less than 1; a large excess is told."""
    ratios = Draws(1 + np.arange(100) / 100, (1, float("inf")))
    assert verdict("1.0", "sampling: min of 100", ratios).reason.startswith("no power: ")
    assert verdict("1.0", "sampling: min of 100", Draws(ratios.values)).verdict == "match"
    assert verdict("1.5", "sampling: mean of 100", ratios).verdict in ("match", "close")


# ---- statements -------------------------------------------------------------------------------------------


def test_most_of_all_cases_is_no_matter_of_chance():
    """Seven of nine data sets, which are all there are, called chance; half of them called most."""
    for held, expected in ((7, "match"), (2, "differs"), (3, "untestable")):
        n = 6 if expected == "untestable" else 9
        assert verdict("", "statement: mostly", trials(n, n - held, "whole")).verdict == expected
    assert verdict("", "statement: mostly", trials(9, 2)).verdict == "untestable"


def test_some_case_of_random_runs_is_more_than_chance():
    """One success of forty tests at 2.5 % each, called shown."""
    found = [Trials(40, 40 - held, "a", "tests", chance=0.025) for held in (0, 1, 6)]
    expected = ["differs", "untestable", "match"]
    assert [verdict("", "statement: somewhere", one).verdict for one in found] == expected


@pytest.mark.parametrize(
    ("scope", "evidence", "expected"),
    [
        ("given", trials(7, 0), "match"),
        ("given", trials(7, 1), "differs"),
        ("everywhere", [trials(400, 0, "exhaustive"), trials(1000, 0, "random")], "match"),
        ("everywhere", trials(400, 0, "exhaustive"), "close"),
        ("everywhere", [trials(1000, 0, "random")], "close"),
        ("everywhere", [trials(400, 0, "exhaustive"), trials(1000, 1, "random")], "differs"),
        ("mostly", trials(40, 2), "match"),
        ("mostly", trials(40, 38), "differs"),
        ("mostly", trials(5, 0), "untestable"),  # five of five is chance once in sixteen times
        ("mostly", trials(40, 20), "untestable"),
        ("somewhere", trials(9, 8), "match"),
        ("somewhere", trials(9, 9), "differs"),
    ],
)
def test_statements_are_judged_by_their_cases(scope, evidence, expected):
    """A theorem called proved by random cases alone, or a statement that no failure refutes."""
    outcome = verdict("", f"statement: {scope}", evidence)
    assert outcome.verdict == expected and outcome.refused


@given(st.integers(1, 300), st.data())
def test_more_failures_never_help_a_statement(cases, data):
    """A rule by which a statement that fails more often fares better."""
    order = ("differs", "untestable", "close", "match")
    fewer, more = sorted(data.draw(st.tuples(st.integers(0, cases), st.integers(0, cases))))
    for scope in rules.SCOPES:
        better, worse = (
            verdict("", f"statement: {scope}", trials(cases, failed)).verdict for failed in (fewer, more)
        )
        assert order.index(better) >= order.index(worse)


def test_trials_are_counted_by_a_run():
    """Evidence made of a truth value, of no case, or of failures that nobody can look at."""
    found = Trials.of([("a", True), ("b", False, 0.5), ("c", np.bool_(False), 2.5)], "letters")
    assert (found.cases, found.failed, found.worst) == (3, 2, "c, by 2.5")
    assert found.text() == "holds in 1 of 3 cases (letters); the worst is c, by 2.5"
    for wrong in (
        {"cases": True, "failed": 0},
        {"cases": 0, "failed": 0},
        {"cases": 3, "failed": 4},
        {"cases": 3, "failed": 1},
        {"cases": 3, "failed": 0, "where": ""},
        {"cases": 3, "failed": 0, "how": "by eye"},
        {"cases": 3.0, "failed": 0},
    ):
        with pytest.raises(ValueError):
            Trials(**({"worst": "", "where": "trees"} | wrong))
    with pytest.raises(ValueError, match="tried nothing"):
        Trials.of([], "nothing")
    with pytest.raises(ValueError, match="True or False"):
        Trials.of([("a", 1)], "numbers")
    for wrong in (True, "holds", None, []):
        with pytest.raises(ValueError, match="Trials"):
            verdict("", "statement: given", wrong)


def test_a_ratio_at_its_bound_judges_nothing():
    """A verdict that hangs on which of two runs of the same search was the slower one."""

    def said(printed, ratio, kind="timing"):
        return rulebook.decide(claim(printed, "ratio in table", kind), Ratio(ratio, 1))[0].verdict

    # the bound is near 3; equal work moves a ratio by a quarter
    found = [said("6.0000", ratio) for ratio in (2.3, 2.5, 3.6, 3.8)]
    assert found == ["differs", "untestable", "untestable", "close"]
    assert said(">6.0000", 3.1) == "untestable"
    # bytes come out again
    assert said("6.0000", 3.1, "memory") == "close"


def test_milliseconds_judge_no_ratio():
    """A verdict that another run of the same few milliseconds turns round."""
    short, long = Ratio.of_seconds(0.01, 0.1), Ratio.of_seconds(1.0, 0.1)
    for printed in ("0.10", "0.50", ">4"):
        assert verdict(printed, "ratio in table", short).verdict == "untestable"
    assert verdict("10.0", "ratio in table", long).verdict == "close"
    assert verdict("40.0", "ratio in table", long).verdict == "differs"
    assert Ratio(0.5, 2.0, scale=100).ratio == 25


def test_readings_show_the_statistic_that_is_printed():
    """A mean of another reading beside a largest value."""
    readings = Readings("where", "a", {"a": DRAWS, "b": Draws([1.0, 2.0, 9.0])})
    assert readings.others("max") == "9 (max of 3) as b" and readings.others() == "4 (mean of 3) as b"


def test_evidence_refuses_what_it_cannot_be():
    """A single run without a spread, a run that failed counted as a number, a reading that was not run."""
    for wrong in ([1.0], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(ValueError):
            Draws(wrong)
    for value, anchor in ((1, 0), (0, 1), (-1, 1)):
        with pytest.raises(ValueError):
            Ratio(value, anchor)
    for chosen, values in (("a", {"a": 1}), ("c", {"a": 1, "b": 2})):
        with pytest.raises(ValueError):
            Readings("ties", chosen, values)
    for counts, n in (({1: 5}, 5), ({1: 0, 2: 1}, 5), ({1: -1, 2: 6}, 5)):
        with pytest.raises(ValueError):
            Wins(counts, n)


POWERLESS = Draws(np.linspace(0.0, 10.0, 30))  # its bound holds 5.0, and is too wide to refuse it


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        # one reading gives all cells: those that the chosen one refuses are open
        ([(9, 5, 9), (9, 5, 9), (5, 5, 5)], "untestable untestable match"),
        # each cell has a reading of its own, and none gives the table
        ([(9, 5, 9), (9, 9, 5)], "differs differs"),
        # a reading that was run where it fits, and nowhere else
        ([(9, 5), (9, 9, 9)], "differs differs"),
        # a reading that cannot tell a cell refuses nothing there, and spares nothing there
        ([(9, POWERLESS), (9, 5)], "differs untestable"),
        ([(9, POWERLESS)], "differs"),
        # a reading that gives the only cell there is: nothing else could have refused it
        ([(9, 5)], "differs"),
        ([(9, 5, 5)], "differs"),
    ],
)  # fmt: skip
def test_a_refused_cell_is_spared_only_by_a_reading_that_stands_for_its_table(monkeypatch, cells, said):
    """A cell that is untestable since some reading of its own gives it, or cannot tell it."""
    draws = {5: Draws(np.linspace(4.99, 5.01, 30)), 9: Draws(np.linspace(8.99, 9.01, 30))}
    monkeypatch.setattr(
        judging,
        "find",
        lambda claim_id: replace(claim("5.0", "sampling: mean of 3", "statistical"), id=claim_id),
    )
    assert verdict("5.0", "sampling: mean of 3", POWERLESS).verdict == "untestable"
    found = [
        judged(
            judging.judge,
            f"osdt.{i}",
            Readings(
                "where", "a", {name: draws.get(one, one) for name, one in zip("abc", cell, strict=False)}
            ),
            cause="c",
        )
        for i, cell in enumerate(cells)
    ]
    settled = rulebook.settle(found)
    assert all(one.reason.startswith("none of the") == (not was.is_open and was.verdict == "differs")
               for was, one in zip(found, settled, strict=True))  # fmt: skip
    assert " ".join(one.verdict for one in settled) == said
    assert settled == rulebook.settle(settled) and not any(one.is_open for one in settled)
    for before, after in zip(found, settled, strict=True):
        is_refused = before.is_open and after.verdict == "differs"
        assert ("stands alone" in after.reason) == (is_refused and len(cells) == 1)
        assert ("what is printed here and stands for all" in after.reason) == (is_refused and len(cells) > 1)
        assert ("not as b" in after.reason) == (after.verdict == "untestable")


def test_what_one_reading_gives_is_decided_with_the_whole_table(monkeypatch):
    """A row that is judged alone, where its other cells decide."""
    monkeypatch.setattr(judging, "find", lambda _: replace(CLAIM, value="5"))
    one = judged(judging.judge, CLAIM.id, Readings("where", "a", {"a": 9, "b": 5}), cause="c")
    assert one.is_open and rulebook.settle([one])[0].verdict == "differs"
    two = replace(one, claim=replace(one.claim, id="osdt.other"))
    assert rulebook.settle([one, two])[0].verdict == "untestable"


def test_what_is_said_of_a_table_counts_only_what_was_run_and_judged(monkeypatch):
    """A reading called refused in all cells where it ran in few; cells that nobody judged left out unsaid."""
    monkeypatch.setattr(judging, "find", lambda claim_id: replace(CLAIM, id=claim_id, value="5"))
    values = ({"a": 9, "b": 5, "c": 5}, {"a": 9, "b": 9, "c": 5}, {"a": 9, "b": 9})
    found = [
        judged(judging.judge, f"osdt.{i}", Readings("where", "a", one), cause="c")
        for i, one in enumerate(values)
    ]
    shown = judged(judging.withheld, "osdt.shown", Readings("where", "a", {"a": 1, "b": 2}), "not theirs")
    first, second, third, last = rulebook.settle([*found, shown])
    said = (
        "for all 3 claims of Figure 5(b) caption that hang on the same choice and are judged (not judged: 1)"
    )
    assert said in first.reason and "b, is refused in 2 of the 3 that it was run for" in first.reason
    assert "c, is refused in 0 of the 2 that it was run for" in second.reason
    assert (
        third.reason.startswith("none of the 2 readings that were run gives what is printed")
        and last == shown
    )


def test_a_range_stands_for_readings_that_are_too_many_to_list():
    """A hundred readings that are listed one by one."""
    values = {"a": 1, "b": 2, "c": 5000, "d": 30, "e": 7, "f": 9}
    assert Readings("where", "a", values).others() == "2 to 5,000 as the other 5"


# ---- the interface ----------------------------------------------------------------------------------------


@judging.judges("osdt.*")
def judged(function, *args, **kwargs):
    return function(*args, **kwargs)


def test_what_is_not_the_papers_is_shown_and_never_judged():
    """Numbers on stand-in data that count as a match, or as a failure; a reason that is left out."""
    for ours in (Fraction(100 * 794, 958), 50, Readings("the box", "tight", {"tight": 50, "wide": 60})):
        found = judged(judging.withheld, CLAIM.id, ours, "features are inferred", note="see there")
        assert found.verdict == "untestable" and found.reason.startswith("features are inferred")
        assert "see there" in found.reason and not found.refused and found.ours is not None
    assert found.ours == 50 and found.reading == "the box: tight" and "60.000 as wide" in found.reason
    with pytest.raises(ValueError, match="not the paper's"):
        judged(judging.withheld, CLAIM.id, 50, "")


def test_a_table_that_cuts_digits_says_up_to_where_it_would_pass():
    """A sheet whose refusal line refuses a value that the rule passes: 66.1358 for a printed 66.135."""
    found = verdict("66.135", "cut digits", 66.1358)
    assert found.verdict == "match" and found.refused == "below 66.1345, or 66.136 and above"
    assert verdict("66.135", "cut digits", 66.1361).verdict == "differs"


def test_a_verdict_names_its_rule_its_bound_and_its_judge():
    """A verdict that leads nowhere: no rule, no bound, no code that decided."""
    found = judged(judging.judge, CLAIM.id, Fraction(100 * 794, 958), experiment="osdt.f1", case={"row": 1})
    assert (found.verdict, found.rule) == ("match", "printed digits")
    assert found.refused == "below 82.8805 or above 82.8815"
    assert found.check == f"{__name__}.judged" and found.case == {"row": 1}
    differing = judged(judging.judge, CLAIM.id, 50, cause="looked into")
    assert differing.verdict == "differs" and differing.reason.startswith("looked into")
    with pytest.raises(ValueError, match="cause"):
        judged(judging.judge, CLAIM.id, 50)
    with pytest.raises(ValueError, match="belongs to an experiment"):
        judged(judging.judge, CLAIM.id, 50, cause="x", case={"row": 1})


def test_no_verdict_outside_a_marked_function():
    """A verdict whose judge nobody can find, or that another function's mark covers."""
    with pytest.raises(ValueError, match="mark the function"):
        judging.judge(CLAIM.id, 82.881)

    @judging.judges("osdt.f4.*")
    def only_figure_4():
        return judging.judge(CLAIM.id, 82.881)

    with pytest.raises(ValueError, match=r"not for osdt\.f5"):
        only_figure_4()
    assert judged(judging.judge, CLAIM.id, 82.881).check.endswith(".judged")  # the mark was taken off again
    with pytest.raises(TypeError, match="yields"):

        @judging.judges("osdt.*")
        def lazy():
            yield 1

    with pytest.raises(ValueError, match="Say which"):
        judging.judges()


def first(rule, kind=None):
    """Id of the first claim of OSDT with this rule."""
    return next(
        name
        for name, one in claims.load("osdt").items()
        if rulebook.rule_of(one)[0] == rule and kind in (None, one.kind)
    )


def test_what_is_no_comparison_cannot_be_judged(monkeypatch):
    """A setting compared with itself, a claim on a blank cell, a figure called close, a typed True."""
    setting, figure, statement = first("stated"), first("redrawn"), first("statement")
    for claim_id, words in ((setting, "stated"), (figure, "redrawn"), (statement, "judge_statement")):
        with pytest.raises(ValueError, match=words):
            judged(judging.judge, claim_id, 1)
    with monkeypatch.context() as patch, pytest.raises(ValueError, match="blank"):
        patch.setattr(judging, "find", lambda _: replace(CLAIM, value=""))
        judged(judging.judge, CLAIM.id, 1)
    assert judged(judging.stated, setting).verdict == "stated"
    assert judged(judging.redrawn, figure, "drawn from our runs").verdict == "redrawn"
    for wrong in (True, "yes", 1):
        with pytest.raises(ValueError, match="Trials"):
            judged(judging.judge_statement, statement, wrong)
    with monkeypatch.context() as patch, pytest.raises(ValueError):
        patch.setattr(judging.notes, "text", lambda *given: "")  # nor do the notes say what is drawn
        judged(judging.redrawn, figure, "")
    for function, arguments in (
        (judging.stated, (CLAIM.id,)),
        (judging.redrawn, (CLAIM.id, "drawn")),
        (judging.judge_statement, (CLAIM.id, trials(1, 0))),
        (judging.untestable, (CLAIM.id, "")),
        (judging.judge, (CLAIM.id, True)),
        (judging.judge, (CLAIM.id, "82.881")),
        (judging.judge, (CLAIM.id, DRAWS)),
    ):
        with pytest.raises(ValueError):
            judged(function, *arguments)


def test_one_reading_judges_a_whole_table():
    """A reading chosen cell by cell until each one fits."""

    def read(claim_id, chosen):
        values = Readings("box", chosen, {"tight": 1, "wide": 2})
        return judged(judging.judge, claim_id, values, cause="other boxes")

    one, two = (f"osdt.t2.{row}.trees-evaluated" for row in ("all-bounds", "no-support-bound"))
    assert "read as tight, of 2 readings; it would be 2 as wide" in read(one, "tight").reason
    rulebook.settle([read(one, "tight"), read(two, "tight")])
    with pytest.raises(ValueError, match="either 'tight' or 'wide'"):
        rulebook.settle([read(one, "tight"), read(two, "wide")])


def test_only_evidence_is_counted():
    """Settings, figures and fitted values that raise the share of claims reproduced."""
    assert judged(judging.judge, CLAIM.id, 82.881).is_counted
    assert not judged(judging.stated, first("stated")).is_counted
    fitted = replace(CLAIM, fitted="a choice")
    assert not replace(judged(judging.judge, CLAIM.id, 82.881), claim=fitted).is_counted


# ---- the claims -------------------------------------------------------------------------------------------

ALL = [one for paper in papers() for one in claims.load(paper).values()]


def test_every_claim_names_a_rule_that_there_is():
    """A row whose rule is mistyped, or that needs the paper's number of runs and does not say it."""
    for one in ALL:
        name, argument = rulebook.rule_of(one)
        if name == "ratio in table" and argument:
            other = claims.find(argument)
            assert other.item == one.item and other.unit == one.unit and other.id != one.id, one.id
        if " against " in argument:
            other = claims.find(argument.rpartition(" ")[2])
            assert (other.item, other.unit) == (one.item, one.unit) and other.number != one.number, one.id
        if name == "statement":
            assert argument in rules.SCOPES, one.id
        if name == "choice":
            assert int(argument) > 0, one.id


def test_a_table_cuts_as_a_whole_or_not_at_all():
    """Cut digits allowed in the cells that need them only."""
    for item in {(one.id.partition(".")[0], one.item) for one in ALL}:
        numbers = [
            one for one in ALL if (one.id.partition(".")[0], one.item) == item and one.number is not None
        ]
        exact = {rulebook.rule_of(one)[0] for one in numbers} & {"printed digits", "cut digits"}
        assert len(exact) < 2 or "cut digits" not in exact, item


def test_fitted_claims_are_those_that_were_looked_at():
    """A choice made by looking at a printed value that is then counted as evidence."""
    from fnmatch import fnmatchcase

    seen = {name: row["seen"].split() for name, row in rulebook.choices().items()}
    for name, row in rulebook.choices().items():
        assert all(row[key] for key in ("what", "chosen", "of", "seen")) and row["paper"] in papers(), name
        assert any(one.fitted == name for one in ALL) or row["groups"], name
    for one in ALL:
        by = {name for name, patterns in seen.items() if any(fnmatchcase(one.id, p) for p in patterns)}
        if not one.fitted:  # predicted with its group left out, see test_choices
            by = {name for name in by if not rulebook.choices()[name]["groups"]}
        assert (one.fitted in by) if by or one.fitted else True, one.id


def test_kept_verdicts_say_their_rule_and_beyond_what_they_were_refused():
    """A verdict by no rule; a close that could not have failed, as far as a reader can tell."""
    for row in verdicts.read():
        assert row["rule"].partition(":")[0] in rules.RULES, row["id"]
        if row["verdict"] in ("match", "close", "differs"):
            assert row["refused_beyond"], row["id"]


def test_what_cannot_be_told_says_of_which_kind_and_at_what_price():
    """A refusal to judge without its reason or price; a price of what was judged."""
    for row in verdicts.read():
        assert bool(row["open"]) == (row["verdict"] == claims.UNTESTABLE), row["id"]
        assert not row["open"] or row["open"] in notes.KINDS
        assert bool(row["price"]) == (row["open"] in (notes.NOT_RUN, notes.NO_POWER)), row["id"]


def test_every_kind_has_a_rule():
    """A kind of claims that no rule judges where its row names none."""
    assert {*claims.KINDS} == {*rulebook.DEFAULTS, "statistical"}
