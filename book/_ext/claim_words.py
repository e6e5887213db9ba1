"""The words by which readers look for a claim, beside those that it is written with."""

import re
import unicodedata

from treelib.ledger import claims
from treelib.ledger.papers import papers
from treelib.papers.bornagain.settings import DATA

# in small letters, as claims write them: what readers call them
ABBREVIATIONS = {short.lower(): name.rpartition("/")[2].lower() for short, name in DATA.items()} | {
    "acc": "accuracy",
    "rf": "random forest",
    "ba": "born-again",
    "n": "samples",
    "p": "features",
}


def what(row):
    """Row and column of the cell that a claim is, with a comma between.

    row : dict, a line of the table of verdicts
    """
    claim = claims.find(row["id"])
    return ", ".join(filter(None, (claim.row, claim.column)))


def title(row):
    """What a claim is about: where it stands in the paper, its row and column."""
    return ": ".join(filter(None, (row["item"], what(row))))


def also(row):
    """Further words that find a claim: names for its abbreviations, Greek letters for their names and back.

    Returns
    -------
    str, in small letters, separated by blanks
    """
    text = f"{row['id']} {title(row)} {row['unit']}".lower()
    words = re.findall(r"[^\W_]+", text)
    found = [ABBREVIATIONS[word] for word in words if word in ABBREVIATIONS]
    found += [name for sign in text if (name := greek_name(sign))]
    found += [sign for word in words if (sign := greek_letter(word))]
    paper = papers()[row["paper"]]
    found += [paper.name.lower(), *(name.split()[-1].lower() for name in paper.authors)]
    return " ".join(dict.fromkeys(found))


def greek_name(sign):
    """ "alpha" for the letter; empty for other signs."""
    name = re.fullmatch(r"GREEK (?:SMALL|CAPITAL) LETTER (\w+)", unicodedata.name(sign, ""))
    return {"lamda": "lambda"}.get(name[1].lower(), name[1].lower()) if name else ""


def greek_letter(name):
    """The small letter of a name; empty for other words."""
    spelled = {"lambda": "lamda"}.get(name, name).upper()
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {spelled}") if spelled.isalpha() else ""
    except KeyError:
        return ""
