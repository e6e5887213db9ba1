"""What a choice that was made by looking at printed cells costs: only the cells that were needed to make it.

A row of ``data/fitted.csv`` with `groups` names the groups of its cells by a part of their ids: data sets, or
rows of a table. One group is left out, and the reading is chosen that refuses the fewest cells of the others.
Where that is the reading in use, the cells left out were predicted, and count; so do those of groups that are
means over the others (`whole`), where all groups together choose it. What cannot be chosen without itself, or
was not run in other readings, stays fitted: its claims carry the name of the choice in ``data/claims``.
"""

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from treelib.ledger.claims import DIFFERS, MATCH
from treelib.ledger.protocol import rulebook
from treelib.ledger.protocol.digits import rounds_to

CUT = "cut off"  # what printed digits are where they are not rounded


@dataclass(frozen=True)
class Tried:
    """A choice with its groups left out one by one.

    Attributes
    ----------
    choice : str, of ``data/fitted.csv``
    groups, agree : int, groups left out, and how many of them the others choose the reading in use for
    predicted : frozenset of str, claims that count
    cells : int, claims that were judged by it in several readings
    """

    choice: str
    groups: int
    agree: int
    predicted: frozenset
    cells: int


def tried(found):
    """Leave the groups of each choice out: list of `Tried`.

    Parameters
    ----------
    found : iterable of Verdict, not settled: what each reading says is still with them (`under`)
    """
    found, results = list(found), []
    for name, row in rulebook.choices().items():
        cells = [one for one in found if row["groups"] and _is_of(one.claim.id, row["seen"])]
        if row["chosen"] == CUT:
            cells = [_with_digits(one) for one in cells if one.rule == "cut digits"]
        if cells := [one for one in cells if len(one.under) > 1]:
            results.append(_leave_out(name, row, cells))
    return results


def _with_digits(verdict):
    """A verdict by `cut digits` with what the two readings of printed digits say of it."""
    rounds = MATCH if rounds_to(verdict.ours, verdict.claim.number) else DIFFERS
    under = {CUT: verdict.verdict, "rounded": rounds}
    return replace(verdict, reading=f"what the printed digits are: {CUT}", under=under)


def check(found):
    """Raise ValueError where a claim counts that its choice needed, or one stays fitted that it did not."""
    found = list(found)
    fitted = {verdict.claim.id: verdict.claim.fitted for verdict in found}
    for one in tried(found):
        of = [key for key in fitted if _is_of(key, rulebook.choices()[one.choice]["seen"])]
        wrong = [key for key in of if (key in one.predicted) == (fitted[key] == one.choice)]
        if wrong:
            raise ValueError(
                f"{', '.join(wrong[:3])} ({len(wrong)} in all): with groups left out {one.choice} predicts "
                f"{len(one.predicted)} claims. These count, and only these: see `fitted` in data/claims."
            )


def rows(found):
    """The table of choices with groups, list of dict of str: a line of ``data/results/choices.csv`` each."""
    return [
        {
            "choice": one.choice,
            "groups": str(one.groups),
            "agree": str(one.agree),
            "cells": str(one.cells),
            "counted": str(len(one.predicted)),
        }
        for one in tried(found)
    ]


def _is_of(claim_id, patterns):
    return any(fnmatchcase(claim_id, pattern) for pattern in patterns.split())


def _leave_out(name, row, cells):
    place = re.compile(re.escape(row["groups"]).replace(r"\*", "[^.]+").replace(r"\{group\}", "([^.]+)"))
    group = {one.claim.id: place.match(one.claim.id)[1] for one in cells}
    whole, agree, predicted = set(row["whole"].split()), set(), set()
    names = [one for one in dict.fromkeys(group.values()) if one not in whole]
    for question in dict.fromkeys(one.reading.partition(": ")[0] for one in cells):
        asked = [one for one in cells if one.reading.startswith(f"{question}: ")]
        for out in (*names, None):
            others = [one for one in asked if group[one.claim.id] not in (out, *whole)]
            if not others or _chosen(others) != others[0].reading.partition(": ")[2]:
                continue
            mine = [one for one in asked if group[one.claim.id] in ((out,) if out else whole)]
            predicted.update(one.claim.id for one in mine)
            agree.update({out} if out else ())
    return Tried(name, len(names), len(agree), frozenset(predicted), len(cells))


def _chosen(cells):
    """The reading that refuses the fewest of some cells, of those that all were read by; None for a tie."""
    readings = [name for name in cells[0].under if all(name in one.under for one in cells)]
    refused = {name: sum(one.under[name] == DIFFERS for one in cells) for name in readings}
    best = [name for name in readings if refused[name] == min(refused.values())]
    return best[0] if len(best) == 1 else None
