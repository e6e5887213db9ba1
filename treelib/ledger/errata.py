"""Mistakes found in the papers, each with the arithmetic or the counterexample that shows it.

Every item was looked up in the paper. Where something can be computed, a function computes it, and the item
says what came out; an item whose evidence no longer holds raises an error instead of standing there. What is
only a slip of the pen has no evidence but the quotation. None of this touches what the papers are about:
their algorithms work and are reproduced in this book.

The words stand in ``data/claims/errata.csv``, with places for the numbers that the evidence computes::

    @erratum("errata.osdt.table-2")
    def _warm_start():
        ...
        return warm == printed != cold, {"printed": printed, "warm": warm, "cold": cold}
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from treelib.datasets.files import data_root, read_csv
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
    evidence : callable or None; returns (whether the mistake shows, what was found as str, or the numbers of
        `shown` as dict)
    shown : str, what was found, with places for the numbers
    """

    id: str
    place: str
    printed: str
    better: str
    weight: str
    evidence: Callable | None = None
    shown: str = ""

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
        found = found if isinstance(found, str) else self.shown.format_map(found)
        if not shows:
            raise ValueError(f"{self.id} does not hold: {found}")
        return found


def erratum(id, *words):
    """Register an `Erratum` behind the others of its paper; as a decorator, with its evidence.

    id : str
    words : place, printed, better and weight, unless ``data/claims/errata.csv`` has them
    """
    kept = _KEPT.setdefault(id.split(".")[1], {})
    kept[id] = Erratum(id, *words) if words else Erratum(**_written()[id])

    def shown_by(evidence):
        kept[id] = replace(kept[id], evidence=evidence)
        return evidence

    return shown_by


@cache
def _written():
    return {row["id"]: row for row in read_csv(data_root() / "claims" / "errata.csv")}


def errata(paper):
    """The errata of a paper, list of `Erratum` in its order; empty where none are known."""
    check_choice("paper", paper, tuple(papers()))
    experiments.find(paper)
    return list(_KEPT.get(paper, {}).values())
