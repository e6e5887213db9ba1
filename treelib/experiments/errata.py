"""Mistakes found in the four papers, each with the arithmetic or the counterexample that shows it.

Every item was looked up in the paper. Where something can be computed, a function computes it, and the item
says what came out; an item whose evidence no longer holds raises an error instead of standing there. What is
only a slip of the pen has no evidence but the quotation. None of this touches what the papers are about:
their algorithms work and are reproduced in this book.
"""

from collections.abc import Callable
from dataclasses import dataclass

from treelib.experiments.claims import PAPERS

WEIGHTS = STATEMENT, NUMBER, SLIP = ("a statement does not hold", "numbers do not fit", "a slip")


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


def errata(paper):
    """The errata of a paper, list of `Erratum` in its order."""
    if paper not in PAPERS:
        raise ValueError(f"paper={paper!r} is unknown; give one of {', '.join(PAPERS)}.")
    # here, because they import this module; by name, so that `treelib.sources` sees what a page stands on
    from treelib.experiments import bornagain_errata, dyadic_errata, osdt_errata, tsallis_errata

    return {
        "osdt": osdt_errata,
        "bornagain": bornagain_errata,
        "tsallis": tsallis_errata,
        "dyadic": dyadic_errata,
    }[paper].ERRATA
