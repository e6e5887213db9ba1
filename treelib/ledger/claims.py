"""What the papers claim, and the verdicts on it.

``data/claims/<paper>.csv`` holds every number, figure, theorem and setting of a paper under a stable id,
with the rule by which it is judged. A `Verdict` sets our value beside a claim:

match
    Equal at the printed digits, or a statement that holds.
close
    Not equal, but inside a bound that the claim's rule sets (`treelib.ledger.protocol.rules`).
differs
    Neither; the cause is part of the verdict, and a verdict without one is an error.
untestable
    Cannot be told here, or by a comparison that could not have failed.
stated
    An input that is taken over: nothing to find, not counted.
redrawn
    A figure without readable numbers: shown beside, not counted.

Verdicts are given by `treelib.ledger.protocol.judging`. `judge`, `judge_statement` and `untestable` of this
module are the old ways, which know no rules; they go when no module uses them any more.
"""

import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from treelib.datasets.files import data_root
from treelib.ledger.papers import papers
from treelib.ledger.protocol import marks
from treelib.ledger.protocol.digits import is_cut_to, rounds_to
from treelib.table.checks import check_choice

KINDS = ("exact", "statistical", "timing", "memory", "figure", "qualitative", "setting")
MATCH, CLOSE, DIFFERS, UNTESTABLE, STATED, REDRAWN = VERDICTS = (
    "match",
    "close",
    "differs",
    "untestable",
    "stated",
    "redrawn",
)
COUNTED = (MATCH, CLOSE, DIFFERS, UNTESTABLE)

_NAMELESS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>")  # parts of a function

TAKEN_OVER = "a definition or a setting, taken over as printed: there is nothing to find"
TRUNCATED = "the paper cut the digits off instead of rounding"


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, as printed.

    Attributes
    ----------
    id : str, stable key, ``<paper>.<item>...``
    item, row, column : str, where it stands in the paper
    value : str, as printed; empty where the claim is a statement or the cell is blank
    unit : str
    kind : {"exact", "statistical", "timing", "memory", "figure", "qualitative", "setting"}
    note : str, what the printed value means; for a theorem, its statement
    rule : str, the rule it is judged by and what that needs to know; empty for that of its kind
    fitted : str, name of the choice (``data/fitted.csv``) that was made by looking at this value; else empty
    """

    id: str
    item: str
    row: str
    column: str
    value: str
    unit: str
    kind: str
    note: str
    rule: str = ""
    fitted: str = ""

    @property
    def sign(self):
        """ ">", "<" or "~" where the printed value is only a bound or approximate, else ""."""
        return self.value[:1] if self.value[:1] in (">", "<", "~") else ""

    @property
    def number(self):
        """The printed value as Decimal with its printed digits, None where it is not a finite number."""
        try:
            number = Decimal(self.value.lstrip("><~"))
        except InvalidOperation:
            return None
        return number if number.is_finite() else None


@dataclass(frozen=True)
class Verdict:
    """Our value beside a claim.

    Attributes
    ----------
    claim : Claim
    verdict : {"match", "close", "differs", "untestable", "stated", "redrawn"}
    ours : int, Fraction, float or str, our value or what we found; None if untestable
    reason : str, why it is not a plain match: the tolerance, the rounding, the cause of a difference
    tolerance : str, largest difference that counts as close, or the range of ours / printed; empty without
    experiment : str, name of the experiment whose stored results were judged; empty where the value is
        counted whenever the verdict is asked for
    case : dict or None, the case of the experiment, where it is one
    check : str, the function that decides, ``<module>.<function>`` below `treelib.papers`
    rule : str, the rule that decided, as in the claim's row; "unstated" for a verdict from before the rules
    refused : str, beyond which values the claim would have been refused
    reading : str, ``question: chosen reading`` where the paper leaves one open, else empty
    """

    claim: Claim
    verdict: str
    ours: object
    reason: str = ""
    tolerance: str = ""
    experiment: str = ""
    case: dict | None = None
    check: str = ""
    rule: str = "unstated"
    refused: str = ""
    reading: str = ""

    @property
    def is_counted(self):
        """Whether the verdict is evidence: not stated, redrawn, or fitted to the printed value."""
        return self.verdict in COUNTED and not self.claim.fitted


@cache
def load(paper):
    """All claims of a paper.

    Parameters
    ----------
    paper : str, a key of `treelib.ledger.papers.papers`

    Returns
    -------
    read-only mapping of id (str) to Claim, in the order of the paper
    """
    check_choice("paper", paper, tuple(papers()))
    with open(data_root() / "claims" / f"{paper}.csv", newline="", encoding="utf-8") as lines:
        return MappingProxyType({row["id"]: Claim(**row) for row in csv.DictReader(lines)})


def find(claim_id):
    """The claim with the given id; ValueError if there is none."""
    paper = str(claim_id).partition(".")[0]
    if paper not in papers() or claim_id not in load(paper):
        raise ValueError(f"There is no claim {claim_id!r}; `load(paper)` lists those of a paper.")
    return load(paper)[claim_id]


def judge(claim_id, ours, *, tolerance=None, why="", cause="", experiment="", case=None):
    """Compare our number with the printed one.

    Parameters
    ----------
    claim_id : str
    ours : int, Fraction, Decimal or float, in the unit of the claim. Exact numbers (int, Fraction) are
        rounded exactly.
    tolerance : number or None
        Largest difference that still counts as close, in the unit of the claim, or a pair ``(low, high)``
        of factors for ``ours / printed``. None: there is no close.
    why : str, the reason for the tolerance; required with one
    cause : str, why the values differ; required when they do
    experiment, case : name of the experiment that `ours` comes from, and its case (dict); the verdict then
        leads to the stored record

    Returns
    -------
    Verdict
        A printed ">" or "<" matches when our value is on that side.

    Raises
    ------
    ValueError
        The claim is not a number, or differs and no cause is given: look into it, then say why.
    """
    claim = find(claim_id)
    if claim.number is None:
        raise ValueError(f"{claim_id} prints {claim.value!r}, which is not a number; use `judge_statement`.")
    if tolerance is not None and not why:
        raise ValueError(f"{claim_id}: say in `why` what the tolerance {tolerance} rests on.")
    exact = Fraction(ours)
    printed = Fraction(claim.number)
    found = _origin(experiment, case) | {"tolerance": _tolerance_text(tolerance)}
    if claim.sign in (">", "<"):
        if exact > printed if claim.sign == ">" else exact < printed:
            return Verdict(claim, MATCH, ours, **found)
    else:
        if rounds_to(exact, claim.number):
            return Verdict(claim, MATCH, ours, **found)
        if is_cut_to(exact, claim.number):
            return Verdict(claim, MATCH, ours, TRUNCATED, **found)
    if tolerance is not None and _inside(exact, printed, tolerance):
        return Verdict(claim, CLOSE, ours, why, **found)
    return _differs(claim, ours, cause, found)


def judge_statement(claim_id, holds, ours, *, why="", cause="", experiment="", case=None):
    """Verdict on a claim that is a statement, or whose value is not a number.

    Parameters
    ----------
    claim_id : str
    holds : bool, whether it holds here
    ours : str, what was found
    why : str, set where it holds only in direction or in part: the verdict is then "close"
    cause : str, why it does not hold; required when it does not
    experiment, case : as for `judge`
    """
    claim = find(claim_id)
    found = _origin(experiment, case)
    if holds:
        return Verdict(claim, CLOSE if why else MATCH, ours, why, **found)
    return _differs(claim, ours, cause, found)


def untestable(claim_id, cause, *, experiment="", case=None):
    """Verdict on a claim that cannot be checked here; `cause` says why."""
    if not cause:
        raise ValueError(f"{claim_id}: say in `cause` why this cannot be checked.")
    return Verdict(find(claim_id), UNTESTABLE, None, cause, **_origin(experiment, case))


def count(verdicts):
    """Number of verdicts of each sort, dict in the order of `VERDICTS`."""
    verdicts = [verdict.verdict for verdict in verdicts]
    return {name: verdicts.count(name) for name in VERDICTS}


def missing(paper, verdicts):
    """Ids of the claims of a paper that have no verdict yet; ValueError if one has two."""
    ids = [verdict.claim.id for verdict in verdicts]
    twice = sorted({claim_id for claim_id in ids if ids.count(claim_id) > 1})
    if twice:
        raise ValueError(f"More than one verdict on {', '.join(twice)}.")
    return [claim_id for claim_id in load(paper) if claim_id not in set(ids)]


def _origin(experiment, case):
    """Where a verdict comes from: the experiment, and the function that asked for the verdict."""
    if case is not None and not experiment:
        raise ValueError(f"The case {case} belongs to an experiment: name it.")
    if marks.running():
        return {"experiment": experiment, "case": case, "check": marks.running()}
    frame = sys._getframe(2)
    while frame.f_code.co_name in _NAMELESS:
        frame = frame.f_back
    module = frame.f_globals.get("__name__", "").removeprefix("treelib.papers.")
    return {"experiment": experiment, "case": case, "check": f"{module}.{frame.f_code.co_name}"}


def _tolerance_text(tolerance):
    if tolerance is None:
        return ""
    if isinstance(tolerance, Sequence):
        low, high = (f"{float(factor):g}" for factor in tolerance)
        return f"ratio {low} to {high}"
    return f"{float(tolerance):g}"


def _differs(claim, ours, cause, found):
    if not cause:
        raise ValueError(
            f"{claim.id}: printed {claim.value or 'statement'}, ours {ours}: they differ. "
            "Find out why and give the `cause`."
        )
    return Verdict(claim, DIFFERS, ours, cause, **found)


def _inside(ours, printed, tolerance):
    if isinstance(tolerance, Sequence):
        low, high = tolerance
        return printed != 0 and Fraction(low) <= ours / printed <= Fraction(high)
    return abs(ours - printed) <= Fraction(tolerance)
