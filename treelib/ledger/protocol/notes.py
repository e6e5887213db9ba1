"""Sentences about verdicts, kept beside the claims in ``data/claims/notes.csv``: no prose in the code.

A row names the claims it is about by a pattern of their ids, and how it is used:

cause
    Why ours differs; needed wherever a verdict is ``differs``.
note
    What a reader must know beside the rule's own reason.
never, not run, no power
    Why nothing can be told here: the claim is `untestable`, whatever was found, and what was found is shown
    beside. ``price`` says what a run, or enough runs, would cost; `never` has none.

``evidence`` names what a cause rests on, an item of the errata (``errata.osdt.table-1``) or a test
(``ledger/test_causes.py::test_...``): a test of the ledger fails where it is not there.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from treelib.datasets.files import data_root, read_csv

USES = CAUSE, NOTE, NEVER, NOT_RUN, NO_POWER = ("cause", "note", "never", "not run", "no power")
KINDS = NEVER, NOT_RUN, NO_POWER


@dataclass(frozen=True)
class Note:
    """One row: pattern of ids, use, price, evidence and the sentence."""

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
    return tuple(note for note in every() if fnmatchcase(claim_id, note.claims))


def text(claim_id, use):
    """What is said of a claim for a use, sentences joined by "; "; empty where nothing is."""
    return "; ".join(note.text for note in of(claim_id) if note.use == use)


def withheld(claim_id):
    """The row that says why nothing can be told of a claim; None where it is judged."""
    return next((note for note in of(claim_id) if note.use in KINDS), None)
