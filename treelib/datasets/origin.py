"""Where data come from: title, terms and citation of a source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """One source of data.

    Attributes
    ----------
    title, description : str.
    address : str, its public page.
    licence : str, the terms it may be used on.
    citation : str.
    """

    title: str
    description: str
    address: str
    licence: str
    citation: str


CC_BY = "CC BY 4.0"


def uci(number, title, description, citation):
    """A set of the UCI Machine Learning Repository."""
    return Origin(title, description, f"https://archive.ics.uci.edu/dataset/{number}", CC_BY, citation)
