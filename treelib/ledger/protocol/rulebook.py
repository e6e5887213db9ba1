"""Which rule judges a claim, and what is decided only over a whole table.

A row of ``data/claims/<paper>.csv`` names its rule in the column `rule`, with what the rule needs to know
of the paper after a colon: ``sampling: mean of 50``, ``ratio in table: osdt.t2.all-bounds.total-time``. An
empty cell stands for the rule of its kind (`DEFAULTS`). The rules stand in `treelib.ledger.protocol.rules`;
the code that judges can set no tolerance.
"""

from dataclasses import replace
from functools import cache

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import claims
from treelib.ledger.claims import CLOSE, DIFFERS, MATCH, UNTESTABLE
from treelib.ledger.protocol.digits import is_cut_to, rounds_to
from treelib.ledger.protocol.evidence import short
from treelib.ledger.protocol.rules import RULES

DEFAULTS = {
    "exact": "printed digits",
    "timing": "absolute",
    "memory": "absolute",
    "figure": "redrawn",
    "qualitative": "statement: given",
    "setting": "stated",
}


def rule_of(claim):
    """Name of the rule of a claim, and what the row says after the colon: (str, str).

    Raises
    ------
    ValueError
        The row names no rule and its kind has none of its own, or names one that there is not.
    """
    named = claim.rule or DEFAULTS.get(claim.kind, "")
    name, _, argument = (part.strip() for part in named.partition(":"))
    if name not in RULES:
        raise ValueError(
            f"{claim.id}: {name!r} is no rule. Its row needs one of {', '.join(RULES)}; a "
            "value from random runs needs `sampling: mean of 10`, with the paper's number of runs."
        )
    return name, argument


def decide(claim, evidence):
    """What the rule of the claim says of the evidence: (Outcome, name of the rule with its argument)."""
    name, argument = rule_of(claim)
    return RULES[name].decide(claim, evidence, argument), claim.rule or DEFAULTS[claim.kind]


# ---- whole tables -----------------------------------------------------------------------------------------


def settle(verdicts):
    """What can be decided only with all verdicts of a table: list of Verdict. `verdicts` are of whole tables.

    A table is the cells of one item of the paper that are judged with one question. A reading stands for it
    if it was run for each cell and refuses none. A refused cell is untestable where a reading that stands
    makes it match or close; else it differs. A cell that stands alone differs: nothing else could refuse the
    reading that gives it.

    Raises
    ------
    ValueError
        Two readings of one question were chosen in one table.
    """
    readings, verdicts = {}, list(verdicts)
    for verdict in verdicts:
        if verdict.reading:
            question, _, chosen = verdict.reading.partition(": ")
            known = readings.setdefault((verdict.claim.item, question), chosen)
            if known != chosen:
                raise ValueError(
                    f"{verdict.claim.id}: {verdict.claim.item} has one reading of {question!r}, either "
                    f"{known!r} or {chosen!r}."
                )
    verdicts, refuted = _by_standing_readings(verdicts), {}
    cutting = [verdict for verdict in verdicts if verdict.rule == "cut digits" and verdict.ours is not None]
    for item in dict.fromkeys(verdict.claim.item for verdict in cutting):
        refuted[item] = _cutting_refuted([verdict for verdict in cutting if verdict.claim.item == item])
    return [
        replace(verdict, verdict=DIFFERS, reason=f"ours cut off, but {refuted[verdict.claim.item]}")
        if verdict.reason.startswith(claims.TRUNCATED) and refuted.get(verdict.claim.item)
        else verdict
        for verdict in verdicts
    ]


def _by_standing_readings(verdicts):
    """Verdicts with what the readings that stand for their tables say, list of Verdict."""
    tables, left_out = {}, {}
    for verdict in verdicts:
        if verdict.reading:
            where = verdict.claim.item, verdict.reading
            tables.setdefault(where, []).extend([verdict.under] if verdict.under else [])
            left_out[where] = left_out.get(where, 0) + (not verdict.under)
    return [
        _in_table(verdict, *(some[verdict.claim.item, verdict.reading] for some in (tables, left_out)))
        if verdict.under
        else verdict
        for verdict in verdicts
    ]


def _in_table(verdict, cells, n_left_out):
    """The verdict on a cell of a table.

    cells : for each cell that is judged, dict of reading to verdict. n_left_out : cells that are not judged
    """
    settled = replace(verdict, under={})
    if not verdict.is_open:
        if verdict.verdict != DIFFERS:
            return settled
        words = f"none of the {len(verdict.under)} readings that were run gives what is printed"
        return replace(settled, reason=f"{words}; {verdict.reason}")
    giving = [reading for reading, said in verdict.under.items() if said in (MATCH, CLOSE)]
    if len(cells) == 1:
        words = (
            f"{' or '.join(giving)} gives what is printed here, but the claim stands alone: no other claim "
            "could refuse a reading of ours, so that none spares it"
        )
        return replace(settled, reason=f"{words}; {verdict.reason}")
    n_run = {reading: sum(reading in cell for cell in cells) for reading in giving}
    refused = {reading: sum(cell.get(reading) == DIFFERS for cell in cells) for reading in giving}
    if standing := [reading for reading in giving if n_run[reading] == len(cells) and not refused[reading]]:
        question, _, chosen = verdict.reading.partition(": ")
        words = f"{question} is open: refused as {chosen}, but not as {' or '.join(standing)}"
        return replace(settled, verdict=UNTESTABLE, reason=f"{words}; {verdict.reason}")
    far = {reading: (-n_run[reading], refused[reading]) for reading in giving}
    known, least = min(far.values())
    nearest = " or ".join(reading for reading in giving if far[reading] == (known, least))
    table = f"all {len(cells)} claims of {verdict.claim.item} that hang on the same choice"
    if n_left_out:
        table += f" and are judged (not judged: {n_left_out})"
    words = (
        f"no reading gives what is printed here and stands for {table}: the nearest that gives it, "
        f"{nearest}, is refused in {least} of the {-known} that it was run for"
    )
    return replace(settled, reason=f"{words}; {verdict.reason}")


def _cutting_refuted(verdicts):
    """Why a table does not cut its digits off, str; empty where it does."""
    shown = 0
    for verdict in verdicts:
        rounds, cut = (test(verdict.ours, verdict.claim.number) for test in (rounds_to, is_cut_to))
        if rounds and not cut:
            return (
                f"the table rounds: {verdict.claim.id} prints {verdict.claim.value} for {short(verdict.ours)}"
            )
        shown += cut and not rounds
    return "" if shown >= 2 else "a single cell shows no rule of the table"


@cache
def choices():
    """Free choices made by looking at printed numbers: dict of name to row of ``data/fitted.csv``."""
    return {row["choice"]: row for row in read_csv(data_root() / "fitted.csv")}
