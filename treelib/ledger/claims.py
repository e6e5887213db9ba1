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

Verdicts are given by `treelib.ledger.protocol.judging`, and by nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType

from treelib.datasets.files import data_root, read_csv
from treelib.ledger.papers import papers
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

NO_EVIDENCE = "fitted: a choice was made by looking at this printed value, so it is not counted"
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
    trivial : str, why it stays out of every count: it repeats another, is a constant of the set-up, or cannot
        fail (``data/claims/trivial.csv``); else empty
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
    trivial: str = ""

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
    reason : str, what the verdict rests on beside the two values: the bound, the rounding, the cause of a
        difference
    experiment : str, name of the experiment whose stored results were judged; empty where the value is
        computed anew with each verdict
    case : dict or None, the case of the experiment, where it is one
    check : str, the function that decides, ``<module>.<function>`` below `treelib.papers`
    rule : str, the rule that decided, as in the claim's row
    refused : str, beyond which values the claim would have been refused
    reading : str, ``question: chosen reading`` where the paper leaves one open, else empty
    under : mapping of reading to the verdict it would give; emptied when the whole table is settled
        (`treelib.ledger.protocol.rulebook.settle`)
    """

    claim: Claim
    verdict: str
    ours: object
    reason: str = ""
    experiment: str = ""
    case: dict | None = None
    check: str = ""
    rule: str = field(kw_only=True)
    refused: str = ""
    reading: str = ""
    under: Mapping = field(default_factory=dict, repr=False)

    @property
    def is_open(self):
        """Whether it differs, and a reading gives the printed value, so that the whole table decides."""
        return self.verdict == DIFFERS and any(said in (MATCH, CLOSE) for said in self.under.values())

    @property
    def is_counted(self):
        """Whether the verdict is evidence: not stated, redrawn, trivial, or fitted to the printed value."""
        return self.verdict in COUNTED and not self.claim.fitted and not self.claim.trivial


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
    rows = read_csv(data_root() / "claims" / f"{paper}.csv")
    return MappingProxyType({row["id"]: Claim(**row, trivial=_trivial(row["id"])) for row in rows})


def _trivial(claim_id):
    patterns = _trivial_patterns().items()
    return next((why for pattern, why in patterns if fnmatchcase(claim_id, pattern)), "")


@cache
def _trivial_patterns():
    return {row["claims"]: row["why"] for row in read_csv(data_root() / "claims" / "trivial.csv")}


@dataclass(frozen=True)
class OfProgram:
    """What the authors' public program gives where a claim prints a value: a fact, kept, not computed here.

    Attributes
    ----------
    claim : str, id
    of : str, what of it, where the claim is a sentence on several values; else empty
    value : str
    repository, commit, date : str, of the program, and when it was run
    how : str, on what and with which settings
    """

    claim: str
    of: str
    value: str
    repository: str
    commit: str
    date: str
    how: str


def of_program(claim_id):
    """What the authors' program gives of a claim: dict of `OfProgram` by what of it; empty where not run."""
    return {one.of: one for one in _of_programs() if one.claim == claim_id}


@cache
def _of_programs():
    return tuple(OfProgram(**row) for row in read_csv(data_root() / "claims" / "programs.csv"))


def find(claim_id):
    """The claim with the given id; ValueError if there is none."""
    paper = str(claim_id).partition(".")[0]
    if paper not in papers() or claim_id not in load(paper):
        raise ValueError(f"There is no claim {claim_id!r}; `load(paper)` lists those of a paper.")
    return load(paper)[claim_id]


def count(verdicts):
    """Number of verdicts of each sort, dict in the order of `VERDICTS`."""
    verdicts = [verdict.verdict for verdict in verdicts]
    return {name: verdicts.count(name) for name in VERDICTS}


def words(verdict, fitted):
    """A verdict as readers see it: of a claim that a choice was fitted to, it says so.

    Examples
    --------
    >>> from treelib.ledger.claims import words
    >>> words("match", "osdt-table-2-start"), words("match", "")
    ('match, fitted', 'match')
    """
    return f"{verdict}, fitted" if fitted else verdict


def missing(paper, verdicts):
    """Ids of the claims of a paper that have no verdict yet; ValueError if one has two."""
    ids = [verdict.claim.id for verdict in verdicts]
    twice = sorted({claim_id for claim_id in ids if ids.count(claim_id) > 1})
    if twice:
        raise ValueError(f"More than one verdict on {', '.join(twice)}.")
    return [claim_id for claim_id in load(paper) if claim_id not in set(ids)]
