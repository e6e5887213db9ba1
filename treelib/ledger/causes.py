"""What the causes of differences rest on.

Every verdict `differs` has a cause. It is worth as much as what speaks for it:

computed
    The cause holds numbers that are computed whenever the verdict is asked for: it says something else, or
    nothing, when they change.
erratum
    The cause is a mistake of the paper whose evidence is computed on the page of errata and by a test.
tested
    A test of this project checks just this.
stated
    It cannot be checked: the paper does not say what was done, or the difference is a choice of ours.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache

from treelib.compiled import sources
from treelib.ledger.protocol import notes

GROUNDS = COMPUTED, ERRATUM, TESTED, STATED = ("computed", "erratum", "tested", "stated")


@dataclass(frozen=True)
class Ground:
    """What a cause rests on: one of `GROUNDS`, and where: a function, an erratum, a test; else empty."""

    how: str
    where: str = ""


def ground(row):
    """What the cause of a verdict rests on.

    Parameters
    ----------
    row : dict of str, a line of the table of verdicts, see `verdicts.row`
    """
    for note in notes.of(row["id"]):
        if note.use == notes.CAUSE and note.evidence:
            return Ground(evidence_of(note), note.evidence)
    noted = set().union(*(_numbers(note.text) for note in notes.of(row["id"])))
    if _numbers(row["cause"]) - _written(row["check"].rpartition(".")[0]) - noted:
        return Ground(COMPUTED, row["check"])
    return Ground(STATED)


def evidence_of(note):
    """What the evidence of a row of the notes is: an erratum or a test."""
    return ERRATUM if note.evidence.startswith("errata.") else TESTED


def count(rows):
    """Number of causes by what they rest on: dict in the order of `GROUNDS`."""
    found = [ground(row).how for row in rows]
    return {how: found.count(how) for how in GROUNDS}


def _numbers(text):
    return set(re.findall(r"\d+(?:\.\d+)?", text))


@cache
def _written(module):
    """Numbers that stand in texts of a module that judges, and so are not computed."""
    source = sources.module_path(f"treelib.papers.{module}").read_text(encoding="utf-8")
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return set().union(*(_numbers(text) for text in texts if isinstance(text, str)))
