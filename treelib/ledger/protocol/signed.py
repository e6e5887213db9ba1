"""Signed draws: what referees said of the claims on their sheets, kept in ``data/referee/<name>.csv``.

`treelib referee` writes an empty form beside the sheets, one line a claim. Filled in, it is kept as it is: a
draw that was disagreed with stays, also when what it found was mended.
"""

from dataclasses import dataclass

from treelib.datasets.files import as_csv, data_root, read_csv
from treelib.ledger import claims

COLUMNS = ("seed", "commit", "id", "verdict", "answer", "because", "name", "date")
ANSWERS = AGREE, DISAGREE, CANNOT_TELL = ("agree", "disagree", "cannot tell")


@dataclass(frozen=True)
class Draw:
    """One signed draw.

    Attributes
    ----------
    name : str, name of its file without the ending
    rows : tuple of dict of str, one a claim, columns as in `COLUMNS`
    """

    name: str
    rows: tuple

    def count(self, answer):
        """Number of claims that were answered so."""
        return sum(row["answer"] == answer for row in self.rows)

    def objections(self):
        """The claims that were not agreed with, list of dict of str."""
        return [row for row in self.rows if row["answer"] != AGREE]

    @property
    def date(self):
        """Day of the last signature, as written."""
        return max(row["date"] for row in self.rows)

    @property
    def signers(self):
        """Who signed, list of str."""
        return sorted({row["name"] for row in self.rows})


def form(rows, seed, commit=""):
    """The empty form of a draw, text of a CSV file.

    Parameters
    ----------
    rows : list of dict of str, of `treelib.ledger.protocol.referee.draw`
    seed : int
    commit : str
    """
    asked = ({"seed": seed, "commit": commit, "id": row["id"], "verdict": row["verdict"]} for row in rows)
    return as_csv(COLUMNS, asked)


def folder():
    """Where signed draws are kept."""
    return data_root() / "referee"


def draws():
    """All signed draws, oldest first: list of Draw.

    Raises
    ------
    ValueError
        A form is not filled in, or not as it should be.
    """
    found = [read(path) for path in sorted(folder().glob("*.csv"))]
    return sorted(found, key=lambda draw: (draw.date, len(draw.name), draw.name))


def read(path):
    """One signed draw; ValueError where a line lacks an answer, a reason, a name or a date."""
    rows = tuple(read_csv(path))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ValueError(f"{path}: the columns should be {', '.join(COLUMNS)}, with a line for each claim.")
    for row in rows:
        if row["answer"] not in ANSWERS:
            raise ValueError(f"{path}: {row['id']} is answered {row['answer']!r}, not {', '.join(ANSWERS)}.")
        if row["verdict"] not in claims.VERDICTS or not (row["name"] and row["date"]):
            raise ValueError(f"{path}: {row['id']} needs its verdict, a name and a date.")
        if row["answer"] != AGREE and not row["because"]:
            raise ValueError(f"{path}: say in `because` why {row['id']} is not agreed with.")
    if len({row["id"] for row in rows}) != len(rows):
        raise ValueError(f"{path}: a claim is there twice.")
    return Draw(path.stem, rows)
