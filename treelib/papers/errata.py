"""Mistakes found in the four papers, each with the arithmetic or the counterexample that shows it.

Every item was looked up in the paper. Where something can be computed, a function computes it, and the item
says what came out; an item whose evidence no longer holds raises an error instead of standing there. What is
only a slip of the pen has no evidence but the quotation. None of this touches what the papers are about:
their algorithms work and are reproduced in this book.
"""

from treelib.papers.bornagain import errata as bornagain_errata
from treelib.papers.dyadic import errata as dyadic_errata
from treelib.papers.osdt import errata as osdt_errata
from treelib.papers.tsallis import errata as tsallis_errata

_OF_PAPER = {
    "osdt": osdt_errata.ERRATA,
    "bornagain": bornagain_errata.ERRATA,
    "tsallis": tsallis_errata.ERRATA,
    "dyadic": dyadic_errata.ERRATA,
}


def errata(paper):
    """The errata of a paper, list of `Erratum` in its order."""
    if paper not in _OF_PAPER:
        raise ValueError(f"paper={paper!r} is unknown; give one of {', '.join(_OF_PAPER)}.")
    return _OF_PAPER[paper]
