"""Sentences about verdicts, kept beside the claims in ``data/claims/notes.csv``: no prose in the code.

A row names the claims it is about by patterns of their ids with spaces between, and how it is used:

cause
    Why ours differs; needed wherever a verdict is ``differs``.
note
    What a reader must know beside the rule's own reason.
cases
    What the cases are in which a statement was tried; a row for each list of cases that is handed over.
ours
    What we have of a claim in words: what is drawn anew, or what can be said where nothing is judged.
never, not run, no power
    Why nothing can be told here: the claim is `untestable`, whatever was found, and what was found is shown
    beside. ``price`` says what a run, or enough runs, would cost; `never` has none.
open
    The same where it depends on what was found: the code that judges says whether (``withhold=True``), and
    ``data/claims/open.csv`` says kind and price.

A number in a sentence is computed: ``{gain:.1f}`` in the text is filled with what the code that judges hands
over under this name (``numbers={"gain": ...}``).

``evidence`` names what a cause rests on, an item of the errata (``errata.osdt.table-1``) or a test
(``ledger/test_causes.py::test_...``): a test of the ledger fails where it is not there. What is drawn anew
names its experiment.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from treelib.datasets.files import data_root, read_csv
from treelib.ledger.claims import DIFFERS

# why more runs of ours would not settle what has no power, by the rule that judges
_NO_RUNS = {
    "sampling": "none: the spread of the paper's own few runs decides",
    "choice": "tens of thousands of draws: the best points lie too close together",
    "ratio in table": "none: seconds move as much when a run is repeated",
    "ties": "none: the rules for ties lie too far apart",
    "statement": "more data sets than the paper has",
}

USES = CAUSE, NOTE, CASES, OURS, OPEN, NEVER, NOT_RUN, NO_POWER = (
    *("cause", "note", "cases", "ours", "open"),
    *("never", "not run", "no power"),
)
KINDS = NEVER, NOT_RUN, NO_POWER


# parts of a verdict's reason that speak of readings and bounds: the claim's card shows them
_BOUNDS = re.compile(r"(no reading gives|none of the \d+ readings|read as|it would be|our [\d,]+ runs put)\b")


@dataclass(frozen=True)
class Note:
    """One row: patterns of ids, use, price, evidence and the sentence."""

    claims: str
    use: str
    price: str
    evidence: str
    text: str

    def __post_init__(self):
        if self.use not in USES:
            raise ValueError(f"{self.claims}: {self.use!r} is not one of {', '.join(USES)}.")
        if (self.use in (NOT_RUN, NO_POWER)) != bool(self.price):
            raise ValueError(f"{self.claims}: `{NOT_RUN}` and `{NO_POWER}` have a price, nothing else has.")
        if not self.text:
            raise ValueError(f"{self.claims}: the sentence is missing.")


@cache
def every():
    """All rows in the order of the file, tuple of Note."""
    return tuple(Note(**row) for row in read_csv(data_root() / "claims" / "notes.csv"))


@cache
def of(claim_id):
    """The rows about a claim, tuple of Note."""
    return tuple(note for note in every() if any(fnmatchcase(claim_id, one) for one in note.claims.split()))


def texts(claim_id, use, numbers=None):
    """What is said of a claim for a use, list of sentences with their numbers filled in.

    numbers : dict of name to what stands in place of ``{name}``

    Raises
    ------
    ValueError
        A sentence has a place for a number that was not handed over.
    """
    try:
        return [note.text.format_map(numbers or {}) for note in of(claim_id) if note.use == use]
    except KeyError as missing:
        raise ValueError(f"{claim_id}: its `{use}` in the notes needs the number {missing}.") from None


def text(claim_id, use, numbers=None):
    """The same joined by "; "; empty where nothing is said."""
    return "; ".join(texts(claim_id, use, numbers))


def kind(claim_id, rule, reason):
    """Why a claim cannot be told here, one of `KINDS`, and what it would cost to tell: (str, str).

    A row of the notes or of ``data/claims/open.csv`` says so; else the rule that judged does.

    Parameters
    ----------
    claim_id, rule, reason : str, of the verdict
    """
    if note := withheld(claim_id):
        return note.use, note.price
    for row in _open():
        if fnmatchcase(claim_id, row["claims"]):
            return row["kind"], row["price"]
    if reason.startswith(f"{NO_POWER}: "):
        return NO_POWER, _NO_RUNS.get(rule.partition(":")[0], "more runs")
    return NEVER, ""


@cache
def _open():
    return read_csv(data_root() / "claims" / "open.csv")


def withheld(claim_id):
    """The row that says why nothing can be told of a claim; None where it is judged."""
    return next((note for note in of(claim_id) if note.use in KINDS), None)


def in_short(reason, verdict, most=30):
    """Why ours differs or cannot be told, in so many words at most: for notes of tables and for sheets."""
    parts = reason.replace(f"{NO_POWER}: ", "not decidable here: ", 1).split("; ")
    if verdict == DIFFERS:
        parts = [part for part in parts if not _BOUNDS.match(part)] or parts
    words = parts[0].split()
    text = " ".join(words[:most])
    if len(words) <= most:
        return text
    end = max(text.rfind(", "), text.rfind(". "))  # of a clause, where that leaves a third
    return f"{text[:end] if end > len(text) / 3 else text} …"
