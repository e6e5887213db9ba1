"""One mistake found in a paper, with the evidence that shows it."""

from collections.abc import Callable
from dataclasses import dataclass

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
