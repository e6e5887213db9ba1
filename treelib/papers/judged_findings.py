"""The findings: what the papers want the world to believe, judged from cells, sentences and stored results.

``data/claims/findings.csv`` has about fifteen a paper, ranked by consequence: a sentence in plain English,
the claims it rests on or the effect that it asserts, and a rule. `renew` judges them and writes
``data/results/findings.csv``, which `treelib.papers.findings` shows.

A rule says which cases speak, and whether each holds:

cells
    The verdicts on the claims: `match` and `close` hold, `differs` fails; what is fitted or cannot be told
    says nothing.
all cases, most cases
    The cases in which the claims, sentences, were tried, whatever a single verdict could make of them.
effect above 0, effect above half, effect below 1, effect as printed
    Sizes that stored runs measured with their 95 % intervals. A size holds where its whole interval lies on
    that side (`half`: of half the printed size), fails where it lies on the other, or where all of it falls
    short of half the printed size, and is open between.

`reproduced`: at least 95 % of the cases that speak hold (of `most cases`: more than half). `partly`: at least
half. `not reproduced`: fewer. `cannot be checked`: none speaks.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from math import exp

import numpy as np

from treelib.compiled.whole_files import write_whole
from treelib.datasets.files import as_csv, data_root, read_csv
from treelib.ledger import claims, sampling, verdicts
from treelib.ledger.protocol.declared import kept, part
from treelib.ledger.protocol.digits import significant

WORDS = REPRODUCED, PARTLY, NOT_REPRODUCED, UNCHECKED = (
    "reproduced",
    "partly",
    "not reproduced",
    "cannot be checked",
)
RULES = (
    "cells",
    "all cases",
    "most cases",
    "effect above 0",
    "effect above half",
    "effect below 1",
    "effect as printed",
)
SPEAKING = (claims.MATCH, claims.CLOSE, claims.DIFFERS)
MOST_OF_ALL = 0.95  # of the cases that speak
FEW = 3  # effects that are all shown
_TRIALS = re.compile(r"holds in ([\d,]+) of ([\d,]+) cases")
_RANGE = re.compile(r"below (\S+) or above (\S+)")
_EFFECTS = {}


@dataclass(frozen=True)
class Effect:
    """A size that a paper prints, if it does, and that stored runs measured: of one data set, say; `low` to
    `high` is its 95 % interval, a single number where nothing is drawn."""

    name: str
    printed: float | None
    ours: float
    low: float
    high: float

    def holds(self, rule):
        """Whether it is as the rule says: True, False, or None where our runs cannot tell."""
        side, _, end = rule.removeprefix("effect ").partition(" ")
        if side == "as":
            return self.low <= self.printed <= self.high
        bound = self.printed / 2 if end == "half" else float(end)
        if side == "below":
            return True if self.high < bound else False if self.low >= bound else None
        if self.low > bound:
            return True
        return False if self.high <= max(bound, (self.printed or 0) / 2) else None


def effect(name):
    """Register the decorated function, which gives a list of `Effect` from stored results."""

    def register(function):
        _EFFECTS[name] = function
        return function

    return register


def listed():
    """The findings as they are written, list of dict of str: id, sentence, claims, rule, number, effect."""
    return read_csv(data_root() / "claims" / "findings.csv")


def renew():
    """Judge all findings and write the table: dict of word to count."""
    rows = {row["id"]: row for row in verdicts.read()}
    found = [judge(finding, rows) for finding in listed()]
    path = data_root() / "results" / "findings.csv"
    write_whole(path, as_csv(found[0], found).encode(), durable=True)
    return {word: sum(row["word"] == word for row in found) for word in WORDS}


def judge(finding, rows):
    """The judgement of a finding, dict of str: id, word, paper, ours, rests_on.

    Parameters
    ----------
    finding : dict of str, of `listed`
    rows : dict of claim id to dict of str, the table of verdicts
    """
    rule = finding["rule"]
    if rule not in RULES:
        raise ValueError(f"{finding['id']}: {rule!r} is no rule; there are {', '.join(RULES)}.")
    of = [
        row for row in rows.values() if any(fnmatchcase(row["id"], one) for one in finding["claims"].split())
    ]
    effects = _EFFECTS[finding["effect"]](rows) if finding["effect"] else []
    if not of and not effects:
        raise ValueError(f"{finding['id']} rests on nothing: name claims or an effect.")
    if effects:
        said = [one.holds(rule) for one in effects]
        held, told, what = said.count(True), len(said) - said.count(None), "effects"
    elif rule == "cells":
        speak = [row for row in of if row["verdict"] in SPEAKING and not row["fitted"] and not row["trivial"]]
        held, told, what = sum(row["verdict"] != "differs" for row in speak), len(speak), "claims"
    else:
        tried = [_TRIALS.findall(row["ours"]) for row in of]
        counts = [(int(a.replace(",", "")), int(b.replace(",", ""))) for some in tried for a, b in some]
        held, told, what = sum(a for a, _ in counts), sum(b for _, b in counts), "cases"
    paper, ours = _sizes(effects) if effects else _number(finding["number"], rows)
    rests_on = f"{held:,} of {told:,} {what} hold" if told else f"none of {len(of)} claims can be told"
    return {
        "id": finding["id"],
        "word": word_of(held, told, rule),
        "paper": paper,
        "ours": ours,
        "rests_on": rests_on,
    }


def word_of(held, told, rule="cells"):
    """The word on a finding of which `held` of `told` cases hold.

    Examples
    --------
    >>> from treelib.papers.judged_findings import word_of
    >>> word_of(84, 84), word_of(7, 12), word_of(7, 12, "most cases"), word_of(1, 3), word_of(0, 0)
    ('reproduced', 'partly', 'reproduced', 'not reproduced', 'cannot be checked')
    """
    if not told:
        return UNCHECKED
    share = held / told
    if share >= MOST_OF_ALL or (rule == "most cases" and share > 1 / 2):
        return REPRODUCED
    return PARTLY if share >= 1 / 2 else NOT_REPRODUCED


# ---- the number of a finding ------------------------------------------------------------------------------


def _number(formula, rows):
    """What a formula of claims (a, a / b or a - b) gives by the printed values and by ours, two texts."""
    if not formula:
        return "", ""
    first, sign, other = re.fullmatch(r"(\S+)(?: ([/-]) (\S+))?", formula).groups()
    unit = claims.find(first).unit if sign != "/" else ""
    unit = f" {unit}" if unit in ("%", "GB", "s") else ""
    printed = _combined(*(claims.find(one).number if one else None for one in (first, other)), sign)
    ours = _combined(*(_ours(rows[one]) if one else None for one in (first, other)), sign)
    row = rows[first]
    spread = _RANGE.search(row["refused_beyond"]) if row["rule"].startswith("sampling") else None
    ends = [significant(float(one)) for one in spread.groups()] if spread and not sign else []
    beyond = f" ({ends[0]} to {ends[1]} in 99 of 100 such runs)" if ends else ""
    return f"{significant(printed)}{unit}", "" if ours is None else f"{significant(ours)}{unit}{beyond}"


def _combined(first, other, sign):
    if first is None or (sign and other is None):
        return None
    first = Fraction(first)
    return first / Fraction(other) if sign == "/" else first - Fraction(other) if sign else first


def _ours(row):
    try:
        return Fraction(row["ours"])
    except ValueError:
        return None


def _sizes(effects):
    """Printed sizes and ours with their intervals, two texts: of all, or the least and greatest."""
    found = sorted(effects, key=lambda one: one.ours)
    found = found if len(found) <= FEW else [found[0], found[-1]]
    printed = (f"{one.name} {significant(one.printed, 3)}" for one in found if one.printed is not None)
    return "; ".join(printed), "; ".join(f"{one.name} {_interval(one)}" for one in found)


def _interval(one):
    if one.low == one.high:
        return significant(one.ours, 3)
    return f"{significant(one.ours, 3)} ({significant(one.low, 3)} to {significant(one.high, 3)})"


def _of_mean(name, printed, values):
    """`Effect` of the mean of values, with its 95 % interval by Student's t."""
    from treelib.papers.tsallis.splits import half_width

    mean, half = float(np.mean(values)), float(half_width(values))
    return Effect(name, printed, mean, mean - half, mean + half)


# ---- effects ----------------------------------------------------------------------------------------------


@effect("cart-behind")
def cart_behind(rows):
    """Points of training accuracy by which CART with as many leaves is behind: Figures 4 to 6, and 9."""
    found = []
    for data, figure in (("compas", "f4"), ("tic-tac-toe", "f5"), ("monk1", "f6")):
        pair = f"osdt.{figure}.osdt.accuracy", f"osdt.f9.{data}.cart-accuracy"
        printed = float(claims.find(pair[0]).number - claims.find(pair[1]).number)
        ours = float(_ours(rows[pair[0]]) - _ours(rows[pair[1]]))
        found.append(Effect(data, printed, ours, ours, ours))
    return found


@effect("test-lead")
def test_lead(rows):
    """Lead on the test folds on which the optimal tree is ahead in training, in points; none is printed."""
    runs = kept("osdt.f10").pivot(index=["data", "fold", "price"], columns="method", values=["train", "test"])
    leads = (runs["test"]["osdt"] - runs["test"]["cart"])[runs["train"]["osdt"] > runs["train"]["cart"]]
    return [_of_mean("points", None, leads.groupby(["data", "fold"]).mean())]


@effect("heuristic-gaps")
def heuristic_gaps(rows):
    """Per cent above the least depth and the fewest leaves, mean over data sets: spread of single runs."""
    from treelib.papers.bornagain.table_5 import DRAWN, gap

    lines, found = part(kept("bornagain.t5.draws"), {"sampled": DRAWN}), []
    for objective, name in (("D", "depth"), ("L", "leaves")):
        printed = float(claims.find(f"bornagain.t5.avg.gap-{objective.lower()}").number)
        values = gap(objective, name)(lines, lines).values
        found.append(Effect(name, printed, float(np.mean(values)), *sampling.interval(values, "draw", 1)))
    return found


@effect("letter-leaves")
def letter_leaves(rows):
    """Mean leaves of the trees of least depth by Algorithm 1 to the letter, to the printed digit: Table 2."""
    means = kept("bornagain.letter").groupby("data", sort=False)["leaves"].mean().round(1)
    printed = {
        data: float(claims.find(f"bornagain.t2.{data.lower()}.d-leaves").number) for data in means.index
    }
    return [Effect(data, printed[data], mean, mean, mean) for data, mean in means.items()]


@effect("tuned-leads")
def tuned_leads(rows):
    """Points by which the printed (alpha, beta) lead a standard criterion, over paired draws."""
    from treelib.papers.tsallis.table_1 import leads

    return [Effect(name, lead, gain, gain - half, gain + half) for name, gain, half, lead in leads()]


@effect("pruning-leads")
def pruning_leads(rows):
    """Points by which learned pruning leads the other methods, over paired splits; no fitted column."""
    from treelib.papers.tsallis.table_2 import METHODS_2, TABLE_2
    from treelib.papers.tsallis.table_2_readings import many_splits

    found = []
    for key, data in TABLE_2.items():
        known = many_splits(data)
        for column in METHODS_2:
            other = claims.find(f"tsallis.t2.{key}.acc-{column}")
            if column == "mccp" or other.fitted:
                continue
            printed = float(claims.find(f"tsallis.t2.{key}.acc-mccp").number - other.number)
            lead = np.asarray(known["mccp"]) - np.asarray(known[column])
            found.append(_of_mean(f"{METHODS_2[column]} on {data}", printed, lead))
    return found


@effect("dyadic-against-cart")
def dyadic_against_cart(rows):
    """Leaves of dyadic trees over those of CART's, ratio of ten partitions, where the features are known:
    Table 7."""
    found = []
    for row, runs in kept("dyadic.t7").groupby("row", sort=False):
        if rows[f"dyadic.t7.{row}.odt-leaves-mean"]["open"] == "never":
            continue
        odt, cart = (claims.find(f"dyadic.t7.{row}.{one}-leaves-mean").number for one in ("odt", "cart"))
        mean = _of_mean(row, float(odt / cart), np.log(runs["odt_leaves"] / runs["cart_leaves"]))
        found.append(Effect(row, mean.printed, exp(mean.ours), exp(mean.low), exp(mean.high)))
    return found
