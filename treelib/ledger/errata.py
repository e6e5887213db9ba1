"""Mistakes found in the papers, each with the arithmetic or the counterexample that shows it.

Every item was looked up in the paper. Where something can be computed, a function computes it, and the item
says what came out; an item whose evidence no longer holds raises an error instead of standing there. What is
only a slip of the pen has no evidence but the quotation. None of this touches what the papers are about:
their algorithms work and are reproduced in this book.

The words stand in ``data/claims/errata.csv``, with places for the numbers that the evidence computes. A
function of the paper's folder is the evidence::

    @erratum("errata.osdt.table-2")
    def _warm_start():
        ...
        return warm == printed != cold, {"printed": printed, "warm": warm, "cold": cold}
"""

from collections.abc import Callable
from dataclasses import dataclass

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import experiments
from treelib.ledger.papers import papers
from treelib.table.checks import check_choice

WEIGHTS = STATEMENT, NUMBER, SLIP = ("a statement does not hold", "numbers do not fit", "a slip")

_EVIDENCE = {}  # id of an item to the function that shows it


@dataclass(frozen=True)
class Erratum:
    """One mistake.

    Attributes
    ----------
    id : str, ``errata.<paper>.<name>``, for ever the same
    place : str, where it stands in the paper
    printed : str, what is printed, Markdown
    better : str, what it should be, or how to read it, Markdown
    weight : {"a statement does not hold", "numbers do not fit", "a slip"}
    shown : str, what was found, with places for the numbers
    evidence : callable or None; returns (whether the mistake shows, the numbers of `shown` as dict)
    """

    id: str
    place: str
    printed: str
    better: str
    weight: str
    shown: str = ""
    evidence: Callable | None = None

    def check(self):
        """What the evidence gives, str; empty where there is none.

        Raises
        ------
        ValueError
            The mistake does not show: the item has to go.
        """
        if self.evidence is None:
            return ""
        shows, numbers = self.evidence()
        found = self.shown.format_map(numbers)
        if not shows:
            raise ValueError(f"{self.id} does not hold: {found}")
        return found


def erratum(id):
    """Register the decorated function as the evidence of an item of ``data/claims/errata.csv``."""

    def shown_by(evidence):
        _EVIDENCE[id] = evidence
        return evidence

    return shown_by


def errata(paper):
    """The errata of a paper, list of `Erratum` in the order of the file; empty where none are known."""
    check_choice("paper", paper, tuple(papers()))
    experiments.find(paper)
    rows = read_csv(data_root() / "claims" / "errata.csv")
    mine = [row for row in rows if row["id"].startswith(f"errata.{paper}.")]
    return [Erratum(**row, evidence=_EVIDENCE.get(row["id"])) for row in mine]
