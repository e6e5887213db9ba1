"""The rules by which claims are judged, each by name: the only tolerances there are.

Each rule says how it decides, how its bound is computed, and when it has no power: a comparison that nearly
any value would have passed is `untestable`, whatever its result. The book prints the texts of these
functions; they are the protocol. What a row says after the colon (``sampling: mean of 50``) is `argument`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, isfinite

from treelib.ledger import claims, sampling
from treelib.ledger.claims import CLOSE, DIFFERS, MATCH, REDRAWN, STATED, UNTESTABLE
from treelib.ledger.protocol.digits import grouped, half_unit, is_cut_to, rounds_to, significant
from treelib.ledger.protocol.evidence import (
    EXHAUSTIVE,
    RANDOM,
    WHOLE,
    Draws,
    Ratio,
    Readings,
    Trials,
    Wins,
    short,
)

# a ratio of seconds up to here is no difference: medians of the same searches, of 16 stored versions of
# osdt.seconds, lie up to 1.21 apart
EQUAL = Fraction(5, 4)
FACTOR = 2  # of `ratio in table`: other machines and programs move a ratio so far
SHORTEST = 0.05  # seconds: a run below it moves by as much when it is repeated
NO_POWER = "no power: "


@dataclass(frozen=True)
class Outcome:
    """What a rule decides.

    Attributes
    ----------
    verdict : str, one of `treelib.ledger.claims.VERDICTS`
    ours : number, str or None, the value to show
    reason : str, what the verdict rests on
    refused : str, beyond which values the claim would have been refused
    """

    verdict: str
    ours: object
    reason: str
    refused: str


@dataclass(frozen=True)
class Rule:
    """A named rule: how it decides (its text), and the function that does."""

    name: str
    text: str
    decide: Callable


RULES = {}


def _rule(name):
    def add(function):
        RULES[name] = Rule(name, function.__doc__, function)
        return function

    return add


# ---- numbers ----------------------------------------------------------------------------------------------


@_rule("printed digits")
def _printed_digits(claim, ours, argument):
    """A number that any correct program must find.

    `match` when ours, rounded half to even or half up, shows the printed digits; a printed `>` or `<` when
    ours is on that side; words when they are the same. Else `differs`: there is no `close`. Refused is
    everything beyond half a unit of the last printed digit. Where a choice that the paper leaves open decides
    the number, a tie for one, a correct program need find it under that choice only: the reading is named.
    """
    if claim.number is None:
        ours = _words(claim, ours)
        same = ours == claim.value
        return Outcome(MATCH if same else DIFFERS, ours, "", f"anything but {claim.value}")
    ours = _number(claim, ours)
    if claim.sign in ("<", ">"):
        return _on_side(claim, ours)
    return Outcome(MATCH if rounds_to(ours, claim.number) else DIFFERS, ours, "", _digits_refused(claim))


@_rule("cut digits")
def _cut_digits(claim, ours, argument):
    """A number of a table that itself shows that it cuts digits off and does not round.

    As `printed digits`, but a number whose further digits are cut off matches too. All numbers of the table
    carry this rule. It stands only while at least two cells can be explained by nothing else; a single cell
    that is rounded up refutes it, and then every cell that was cut off `differs`.
    """
    ours = _number(claim, ours)
    refused = _digits_refused(claim, cut=True)
    if rounds_to(ours, claim.number):
        return Outcome(MATCH, ours, "", refused)
    if is_cut_to(ours, claim.number):
        return Outcome(MATCH, ours, claims.TRUNCATED, refused)
    return Outcome(DIFFERS, ours, "", refused)


@_rule("ties")
def _ties(claim, ours, argument):
    """A count that hangs on what a tie does, which the paper does not say.

    Every rule for ties is run; one of them, the same for the whole table, is ours. `match` when that one
    shows the printed digits, `close` when the printed value lies between the least and the largest that the
    others give. Refused is what lies beyond these two. A printed value between them has no power, equal
    digits or not, where they lie further from ours than half of the printed value.
    """
    if not isinstance(ours, Readings):
        raise ValueError(f"{claim.id} is judged by `ties`: hand over `Readings` with every rule for ties.")
    chosen, values = ours.value, [_number(claim, value) for value in ours.values.values()]
    words = f"the {len(values)} rules for ties give {short(min(values))} to {short(max(values))}"
    return _inside(claim, _number(claim, chosen), min(values), max(values), words)


@_rule("sampling")
def _sampling(claim, ours, argument):
    """A number from random runs. The row says what is printed: `mean of 50`, `min of 100`, `max of 100`,
    `range of 100`, `draw of 1`; and, where the claim speaks about a difference, `mean of 5 against
    <claim>`.

    Ours is the same statistic of our own runs. `match` at the printed digits; `close` when the printed
    value lies where 99 of 100 such statistics of as many new runs would, computed from the spread of our
    single runs and both numbers of runs: for means by Student's t; for the least and the largest outwards
    from the tail of ours, inwards by the order of ours; for a single run of the paper the range of our
    single runs, widened to what Student's t says of one more (of hundreds, the middle 99 of 100). The bound
    is cut where no such value can be: an accuracy above 100 %. Half a unit of the last printed digit is
    added. A printed value beyond the bound `differs`, however wide the bound is: it was refused. One inside
    it, equal digits or not, has no power where the bound is further from ours than half of the printed value,
    or than the printed difference the claim speaks about; nor, whatever the numbers, where fewer than
    twenty runs of ours stand for a single
    run, a least or a largest value: so few have no tail. Of a number that cannot be less than 1, as the
    length of a list, what is printed is its excess over 1: it is half of the excess that counts.
    """
    found = re.fullmatch(r"(mean|min|max|range|draw) of (\d+)(?: against (\S+))?", argument)
    if not found or (found[1] == "draw") != (found[2] == "1"):
        raise ValueError(f"{claim.id}: `sampling: {argument}` should read like `sampling: mean of 50`.")
    if not isinstance(ours, Draws):
        raise ValueError(f"{claim.id} is judged by `sampling`: hand over the single runs as `Draws`.")
    part, n_new, other = found[1], int(found[2]), found[3]
    if part == "range":
        return _range(claim, ours, n_new)
    if claim.number is None:
        raise ValueError(f"{claim.id} prints {claim.value!r}, which is not a number.")
    value = sampling.part_of(ours.values, "mean" if part == "draw" else part)
    if claim.sign in ("<", ">"):
        return _on_side(claim, value)
    if part != "mean" and len(ours) < sampling.FEWEST:
        return Outcome(UNTESTABLE, value, _too_few(part, ours), "nothing")
    low, high = sampling.interval(ours.values, part, n_new)
    low, high = max(low, ours.within[0]), min(high, ours.within[1])
    theirs = "a single run" if part == "draw" else f"the {part} of {n_new}"
    ends = f"{significant(low)} and {significant(high)}"
    words = f"our {len(ours)} runs put {theirs} between {ends} in 99 of 100 cases"
    difference = None
    if other:
        difference = abs(Fraction(claim.number) - Fraction(claims.find(other).number))
    least = ours.within[0] if isfinite(ours.within[0]) else 0
    return _inside(claim, value, low, high, words, difference, least, ours.within)


@_rule("ratio in table")
def _ratio_in_table(claim, ours, argument):
    """Seconds and bytes of another machine, as ratios within the printed table.

    The row names the reference cell of the table; where the printed number is a ratio already, none.
    `close` when our ratio is within a factor of two of the printed one, whose two numbers may be half a unit
    of their last digits off. There is no `match`, but a printed `>` may be met. The reference cell itself is
    `absolute`. No power where equal times would pass as well, up to what they move when a run is repeated, a
    quarter; nor where a ratio of seconds lies so near to a bound, on either side, that as much moves it
    across; nor, whatever the ratio, where one of our two times is below a twentieth of a second, since such
    runs move by as much when they are repeated, unless it is a median of repeated runs. A factor of two
    reaches further up than half of the printed value; ratios are exempt from that bound, and from no other.
    """
    if not isinstance(ours, Ratio):
        raise ValueError(f"{claim.id} is judged by `ratio in table`: hand over `Ratio(value, anchor)`.")
    printed, both, half = Fraction(_printed(claim)), "", half_unit(claim.number)
    low, high = (printed - half) / FACTOR, (printed + half) * FACTOR
    if argument:
        cell = claims.find(argument)
        anchor, off = Fraction(_printed(cell)), half_unit(cell.number)
        printed, low, high = printed / anchor, low / (anchor + off), high / (anchor - off)
        both = f" ({grouped(claim.value)} / {grouped(cell.value)})"
    found = (
        f"our ratio {significant(ours.ratio, 3)} ({significant(ours.value)} / {significant(ours.anchor)}), "
        f"printed {'at least ' * (claim.sign == '>')}{significant(printed, 3)}{both}"
    )
    shown = ours.value if argument else ours.ratio
    if ours.shortest is not None and ours.shortest < SHORTEST:
        words = f"{NO_POWER}our shorter time is {float(ours.shortest):.2g} s, below {SHORTEST} s; {found}"
        return Outcome(UNTESTABLE, shown, words, "nothing")
    bounds = (low,) if claim.sign == ">" else (low, high)
    near = [float(bound) for bound in bounds if bound / EQUAL < ours.ratio < bound * EQUAL]
    if claim.kind == "timing" and near:
        words = f"repeats move a ratio of seconds by a quarter, and so across {near[0]:.3g}"
        beyond = [f"ratio below {float(low / EQUAL):.3g}"]
        beyond += [] if claim.sign == ">" else [f"above {float(high * EQUAL):.3g}"]
        words = f"{NO_POWER}{words}, where it is refused; {found}"
        return Outcome(UNTESTABLE, shown, words, " or ".join(beyond))
    if claim.sign == ">":
        return Outcome(CLOSE if ours.ratio >= low else DIFFERS, shown, found, f"ratio below {float(low):.3g}")
    refused = f"ratio below {float(low):.3g} or above {float(high):.3g}"
    if not low <= ours.ratio <= high:
        return Outcome(DIFFERS, shown, found, refused)
    equal = 100 if claim.unit == "%" and not argument else 1
    if low <= equal * EQUAL and high >= equal / EQUAL:
        return Outcome(
            UNTESTABLE,
            shown,
            f"{NO_POWER}equal ones, moved by a quarter as repeats do, would pass too; {found}",
            refused,
        )
    return Outcome(CLOSE, shown, found, refused)


@_rule("absolute")
def _absolute(claim, ours, argument):
    """Seconds and bytes of a machine that is not at hand.

    Always `untestable`. Ours is shown beside, with its ratio to the printed value; it is not judged.
    """
    number = _number(claim, ours)
    share = number / Fraction(_printed(claim))
    return Outcome(
        UNTESTABLE,
        number,
        f"of another machine and program; ours is {significant(share, 3)} times the printed one",
        "",
    )


@_rule("choice")
def _choice(claim, ours, argument):
    """A parameter that the paper found best on a grid. The row says in how many runs: `choice: 5`. Parameters
    that were chosen together are one choice: a point of the grid is then all of them.

    Ours is how often each grid point wins in our own random repetitions of the whole choice. `match` when
    the printed one wins most often, `close` when it wins at least once in a hundred, else `differs`. No
    power where more than half of the grid points would have been `close` as well, nor where repetitions are
    so few that one cannot tell, at 1 %, on which side of once in a hundred the printed point is.
    """
    if not isinstance(ours, Wins):
        raise ValueError(f"{claim.id} is judged by `choice`: hand over `Wins` over the whole grid.")
    from scipy.stats import binom

    printed = Fraction(_printed(claim))
    key, won, others, best = ours.of(printed)
    n, shown = ours.n_runs, ours.shown(best)
    found = (
        f"the printed one wins {round(won, 2):g} of {n} runs; most often wins {ours.name(best)}, "
        f"{round(ours.counts[best], 2):g}"
    )
    losers, few = ours.n_points - others, (1 - Wins.LEAST) ** n > 1 - sampling.SURE
    refused = f"{losers} of {ours.n_points} grid points, which win less than {Wins.LEAST:.0%} of the runs"
    if won < Wins.LEAST * n:
        if binom.cdf(won, n, Wins.LEAST) > 1 - sampling.SURE:
            words = (
                f"{NO_POWER}{n} runs are too few to tell that a point wins less than {Wins.LEAST:.0%} of them"
            )
            return Outcome(UNTESTABLE, shown, f"{words}; {found}", "nothing")
        return Outcome(DIFFERS, shown, found, refused)
    if others > ours.n_points / 2:
        words = f"{NO_POWER}{others} of {ours.n_points} grid points would pass; {found}"
        return Outcome(UNTESTABLE, shown, words, "nothing" if few else refused)
    if few:
        return Outcome(UNTESTABLE, shown, f"{NO_POWER}{n} runs are too few to refuse any; {found}", "nothing")
    if best != key and binom.sf(ceil(won) - 1, n, Wins.LEAST) > 1 - sampling.SURE:
        words = f"{NO_POWER}{n} runs are too few to tell that a point wins {Wins.LEAST:.0%} of them or more"
        return Outcome(UNTESTABLE, shown, f"{words}; {found}", refused)
    return Outcome(MATCH if best == key else CLOSE, shown, found, refused)


# ---- statements -------------------------------------------------------------------------------------------

SCOPES = GIVEN, EVERYWHERE, MOSTLY, SOMEWHERE = ("given", "everywhere", "mostly", "somewhere")


@_rule("statement")
def _statement(claim, ours, argument):
    """A sentence. The row says what it speaks about: `given`, the cases of the paper; `everywhere`, as a
    theorem does; `mostly`; `somewhere`.

    The evidence is the number of cases tried, of those that failed, and the worst. `given`: `match` when
    none fails. `everywhere`: one failure refutes it; `match` needs all small cases and random large ones,
    `close` is said where only one of the two was tried. `mostly`: `match` when it holds in more than half
    of the cases beyond chance (exact binomial test at 1 %), `differs` when in fewer than half beyond
    chance, else there is no power; where the cases are all that the sentence speaks of, as the paper's data
    sets, nothing is drawn and the larger half decides. `somewhere`: `match` when one case shows it; where
    each case is a test of random runs, when more show it than chance would (at 1 %), else there is no power.
    """
    trials = [ours] if isinstance(ours, Trials) else ours
    if (
        not isinstance(trials, (list, tuple))
        or not trials
        or not all(isinstance(one, Trials) for one in trials)
    ):
        raise ValueError(f"{claim.id} is judged by `statement`: hand over `Trials`, counted by a run.")
    if argument not in SCOPES:
        raise ValueError(f"{claim.id}: `statement: {argument}` should be one of {', '.join(SCOPES)}.")
    found = "; ".join(one.text() for one in trials)
    cases, failed = sum(one.cases for one in trials), sum(one.failed for one in trials)
    if argument == SOMEWHERE:
        return _somewhere(trials, found, cases, cases - failed)
    if argument == MOSTLY and all(one.how == WHOLE for one in trials):
        refused = f"{cases // 2:,} of {cases:,} cases or fewer"
        if 2 * failed == cases:
            return Outcome(UNTESTABLE, found, f"{NO_POWER}half of them are not most", refused)
        return Outcome(MATCH if 2 * failed < cases else DIFFERS, found, "", refused)
    if argument == MOSTLY:
        return _mostly(found, cases, failed)
    refused = f"one failure in {cases:,} cases"
    if failed:
        return Outcome(DIFFERS, found, "", refused)
    lacking = {EXHAUSTIVE, RANDOM} - {one.how for one in trials}
    if argument == EVERYWHERE and lacking:
        words = " and ".join(
            {EXHAUSTIVE: "all small cases", RANDOM: "random large ones"}[how] for how in sorted(lacking)
        )
        return Outcome(CLOSE, found, f"not tried: {words}", refused)
    return Outcome(MATCH, found, "", refused)


@_rule("stated")
def _stated(claim, ours, argument):
    """An input, of the paper's or ours, that is taken over: a setting, a definition, a machine.

    There is nothing to find. It is listed as `stated` and not counted.
    """
    if ours is not None:
        raise ValueError(
            f"{claim.id} is taken over: use `stated`, or name a rule in its row by which it is found."
        )
    return Outcome(STATED, None, "", "")


@_rule("redrawn")
def _redrawn(claim, ours, argument):
    """A figure without numbers that one could read.

    Ours is drawn beside it. It is listed as `redrawn` and not counted; what the text says about the figure
    is a claim of its own.
    """
    if not isinstance(ours, str) or not ours:
        raise ValueError(f"{claim.id} is a figure: use `redrawn` and name ours.")
    return Outcome(REDRAWN, ours, "", "")


# ---- inner ------------------------------------------------------------------------------------------------


def _inside(claim, ours, low, high, words, difference=None, least=0, within=(-inf, inf)):
    """Outcome of a rule whose bound is an interval for the printed value.

    least : number that no such value can be below, where that is not 0
    within : (least, largest) that such a value can have at all: what lies beyond needs no refusing
    """
    printed, half = Fraction(_printed(claim)), half_unit(claim.number)
    can_be = low > within[0], high < within[1]
    low, high, ours_exact = Fraction(low) - half, Fraction(high) + half, Fraction(ours)
    ends = f"below {significant(low, 6)}", f"above {significant(high, 6)}"
    refused = " or ".join(end for end, can in zip(ends, can_be, strict=True) if can) or "nothing"
    same = rounds_to(ours_exact, claim.number)
    if not same and not low <= printed <= high:
        return Outcome(DIFFERS, ours, words, refused)
    reach = max(high - ours_exact, ours_exact - low)
    if same and reach <= half:
        return Outcome(MATCH, ours, "", refused)
    passed = f"any value within {significant(reach, 3)} of ours would have passed"
    if reach > abs(printed - Fraction(least)) / 2:
        over = f", of which only {significant(printed - Fraction(least), 3)} is above the least possible"
        why = f"{passed}, more than half of the printed one{over * bool(least)}"
    elif difference is not None and reach > difference:
        why = f"{passed}, and the printed difference is only {significant(difference, 3)}"
    else:
        return Outcome(MATCH if same else CLOSE, ours, "" if same else words, refused)
    equal = "equal to the printed digits, as many other values could have been; " * same
    return Outcome(UNTESTABLE, ours, f"{NO_POWER}{equal}{why}; {words}", refused)


def _range(claim, ours, n_new):
    """Outcome for a printed range of whole numbers, ``6-10``."""
    printed = re.fullmatch(r"(\d+)(?:-(\d+))?", claim.value)
    if not printed:
        raise ValueError(f"{claim.id} prints {claim.value!r}, which is no range of whole numbers.")
    ends = int(printed[1]), int(printed[2] or printed[1])
    found = min(ours.values), max(ours.values)
    text = f"{found[0]:g}" if found[0] == found[1] else f"{found[0]:g}-{found[1]:g}"
    if len(ours) < sampling.FEWEST:
        return Outcome(UNTESTABLE, text, _too_few("range", ours), "nothing")
    smooth = sampling.spread_ties(ours.values)
    bounds = [sampling.interval(smooth, part, n_new) for part in ("min", "max")]
    bounds = [(low - 0.5, high + 0.5) for low, high in bounds]
    refused = "; ".join(
        f"{name} below {low:.3g} or above {high:.3g}"
        for name, (low, high) in zip(("least", "largest"), bounds, strict=True)
    )
    if found == ends:
        return Outcome(MATCH, text, "", refused)
    if not all(low <= end <= high for end, (low, high) in zip(ends, bounds, strict=True)):
        return Outcome(DIFFERS, text, "", refused)
    reach = [max(high - own, own - low) for own, (low, high) in zip(found, bounds, strict=True)]
    if any(far > end / 2 for far, end in zip(reach, ends, strict=True)):
        words = (
            f"{NO_POWER}an end would have passed up to {max(reach):.3g} away from ours, more than half "
            "of what is printed"
        )
        return Outcome(UNTESTABLE, text, words, refused)
    return Outcome(CLOSE, text, f"both ends within the chance of {n_new} new runs", refused)


def _too_few(part, ours):
    """Why a single run, a least or a largest value cannot be told from so few runs of ours, in words."""
    what = {"draw": "a single run", "range": "a range"}.get(part, f"the {part}")
    return f"{NO_POWER}{len(ours)} runs are too few for {what}, {sampling.FEWEST} are needed"


def _somewhere(trials, found, cases, held):
    from scipy.stats import binom

    chance = max(one.chance for one in trials)
    least = int(binom.isf(1 - sampling.SURE, cases, chance)) + 1 if chance else 1
    refused = f"fewer than {least} of {cases:,} cases" if chance else f"failure in all {cases:,} cases"
    if held and held < least:
        return Outcome(UNTESTABLE, found, f"{NO_POWER}{held:,} of {cases:,} may be chance", refused)
    words = f"by chance alone {cases * chance:.2g} of {cases:,} would hold" if chance else ""
    if held < cases and not chance:
        words = "the sentence says that there are such cases: one is enough"
    return Outcome(MATCH if held else DIFFERS, found, words, refused)


def _mostly(found, cases, failed):
    from scipy.stats import binom, binomtest

    held = cases - failed
    chance = binomtest(held, cases, 0.5).pvalue
    # fewest that are more than half beyond chance; one more than all where none is
    least = int(binom.isf((1 - sampling.SURE) / 2, cases, 0.5)) + 1
    refused = f"{cases - least:,} of {cases:,} cases or fewer" if least <= cases else "nothing"
    if chance > 1 - sampling.SURE:
        return Outcome(UNTESTABLE, found, f"{NO_POWER}{held:,} of {cases:,} may be chance", refused)
    return Outcome(MATCH if 2 * held > cases else DIFFERS, found, "", refused)


def _on_side(claim, ours):
    printed = Fraction(_printed(claim))
    right = ours > printed if claim.sign == ">" else ours < printed
    side = "at most" if claim.sign == ">" else "at least"
    return Outcome(MATCH if right else DIFFERS, ours, "", f"{side} {grouped(str(claim.number))}")


def _digits_refused(claim, cut=False):
    """Beyond which values a number is refused, in words; cut : digits may be cut off as well as rounded."""
    half, printed = half_unit(claim.number), Fraction(claim.number)
    digits = max(6, len(claim.value) + 2)
    if cut:  # a whole unit, which itself would show the next digit
        low, high = (significant(end, digits) for end in (printed - half, printed + 2 * half))
        return f"below {low}, or {high} and above"
    low, high = (significant(end, digits) for end in (printed - half, printed + half))
    return f"below {low} or above {high}"


def _printed(claim):
    if claim.number is None:
        raise ValueError(f"{claim.id} prints {claim.value!r}, which is not a number.")
    return claim.number


def _number(claim, ours):
    _printed(claim)
    if isinstance(ours, (bool, str)) or ours is None:
        raise ValueError(f"{claim.id}: ours is {ours!r}; a number is needed.")
    if isinstance(ours, (Draws, Ratio, Readings, Trials, Wins)):
        raise ValueError(f"{claim.id} is judged by another rule: hand over one number.")
    Fraction(ours)
    return ours


def _words(claim, ours):
    if not isinstance(ours, str):
        raise ValueError(f"{claim.id} prints {claim.value!r}: ours must be words as well, made by a run.")
    return ours
