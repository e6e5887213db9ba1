"""The papers of this book: one row a paper in ``data/claims/papers.csv``, which everything else reads."""

from dataclasses import dataclass
from functools import cache

from treelib.datasets.files import data_root, read_csv

ACROSS = "family"  # what experiments belong to that ask several papers at once: the first part of their names
ACROSS_NAME = "Across the papers"


@dataclass(frozen=True)
class Paper:
    """One paper.

    Attributes
    ----------
    key : str, the first part of the ids of its claims and of the names of its experiments
    name : str, what its part of the book is called
    title, venue, arxiv, doi : str, the last three empty where there is none, or none that could be checked
    authors : tuple of str, "Given Family"
    year : int
    record : str, address of a public page with title, authors and abstract, for a paper without the two above
    """

    key: str
    name: str
    title: str
    authors: tuple
    year: int
    venue: str
    arxiv: str
    doi: str
    record: str = ""

    @property
    def url(self):
        """Where the paper can be found: its DOI, its page on arXiv or its record; empty where none is."""
        if self.doi:
            return f"https://doi.org/{self.doi}"
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else self.record

    @property
    def place(self):
        """What `url` leads to, in words."""
        if self.doi:
            return f"doi:{self.doi}"
        return f"arXiv:{self.arxiv}" if self.arxiv else "abstract, at Sciweavers" if self.record else ""


@cache
def papers():
    """All papers in the order of the book, dict of key to `Paper`."""
    return {
        row["key"]: Paper(**{**row, "authors": tuple(row["authors"].split("; ")), "year": int(row["year"])})
        for row in read_csv(data_root() / "claims" / "papers.csv")
    }


def groups():
    """What experiments belong to: the papers and `ACROSS`, dict of key to the name that a reader sees."""
    return {**{key: paper.name for key, paper in papers().items()}, ACROSS: ACROSS_NAME}
