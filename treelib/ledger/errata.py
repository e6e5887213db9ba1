"""Mistakes found in the papers, each with the arithmetic or the counterexample that shows it.

Every item was looked up in the paper. Where something can be computed, a function computes it, and the item
says what came out; an item whose evidence no longer holds raises an error instead of standing there. What is
only a slip of the pen has no evidence but the quotation. None of this touches what the papers are about:
their algorithms work and are reproduced in this book.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from treelib.ledger import experiments
from treelib.ledger.papers import papers
from treelib.table.checks import check_choice

WEIGHTS = STATEMENT, NUMBER, SLIP = ("a statement does not hold", "numbers do not fit", "a slip")

_KEPT = {}  # paper to its errata by id


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
    evidence : callable or None; returns (whether the mistake shows, what was found as str)
    """

    id: str
    place: str
    printed: str
    better: str
    weight: str
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
        shows, found = self.evidence()
        if not shows:
            raise ValueError(f"{self.id} does not hold: {found}")
        return found


def erratum(id, place, printed, better, weight):
    """Register an `Erratum` behind the others of its paper; as a decorator, with its evidence."""
    kept = _KEPT.setdefault(id.split(".")[1], {})
    kept[id] = Erratum(id, place, printed, better, weight)

    def shown_by(evidence):
        kept[id] = replace(kept[id], evidence=evidence)
        return evidence

    return shown_by


def errata(paper):
    """The errata of a paper, list of `Erratum` in its order; empty where none are known."""
    check_choice("paper", paper, tuple(papers()))
    experiments.find(paper)
    return list(_KEPT.get(paper, {}).values())
