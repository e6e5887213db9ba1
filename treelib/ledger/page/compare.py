"""A table of a paper beside ours: what chapters call, once per table.

Equal cells show one number. Otherwise both are shown, ``printed / ours``: in bold with a note if ours
differs, plain if it lies within the bound of the claim's rule, in italics if nothing follows from it. If the
authors' public program was run and gives a different number from the paper, that is the third. A line below
says how many cells are equal, how the table was read and what was run.
"""

import math
import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import causes, claims, tables
from treelib.ledger.claims import CLOSE, DIFFERS, MATCH, STATED, UNTESTABLE
from treelib.ledger.page import cells, origins
from treelib.ledger.page.place import address, card
from treelib.ledger.page.text import Markdown
from treelib.ledger.protocol import rulebook
from treelib.ledger.protocol.notes import in_short
from treelib.ledger.store import lines

CAPTION = "caption"  # part of the ids of what the text around a table says; it is no cell


@dataclass(frozen=True)
class Cell:
    """A printed cell, ours and the verdict.

    Attributes
    ----------
    claim : Claim
    word : str, the verdict, one of `treelib.ledger.claims.VERDICTS`; empty for a value that a page computed
        and that no rule can judge alone
    ours : number, str or None
    note : str, why it differs or cannot be told
    reading, experiment : str, as in the table of verdicts
    is_live : bool, whether ours was computed on this page
    program : treelib.ledger.claims.OfProgram or None, what the authors' public program gives
    """

    claim: claims.Claim
    word: str
    ours: object
    note: str = ""
    reading: str = ""
    experiment: str = ""
    is_live: bool = False
    program: claims.OfProgram | None = None

    @property
    def is_of_program(self):
        """Whether the authors' program gives the printed value, in its digits."""
        printed = self.claim.number
        if self.program is None or printed is None:
            return False
        return Decimal(self.program.value).quantize(printed, ROUND_HALF_UP) == printed

    @property
    def of_program(self):
        """What the authors' program gives, a number; the printed one where it rounds to that."""
        return _number(str(self.claim.number) if self.is_of_program else self.program.value)

    @property
    def is_equal(self):
        """Whether one number stands for both: they are equal, or there is nothing to find."""
        return self.word in (MATCH, STATED)

    @property
    def is_counted(self):
        """Whether the cell is evidence: a choice made by looking at its number is none."""
        return self.word in (MATCH, CLOSE, DIFFERS) and not self.claim.fitted

    @property
    def place(self):
        """(row, column) in the claim's id."""
        return _place(self.claim.id)


class Comparison(Markdown):
    """A comparison, which displays itself; `frame` has its values.

    Attributes
    ----------
    frame : pandas.DataFrame, the paper's rows; columns are pairs of the paper's column and "paper" or "ours",
        or "program" where the authors' public program was run. Without the paper's values where the
        parameters are not the paper's.
    cells : tuple of Cell
    """


def compare(table, ours=None, *, rows=None, columns=None, caption="", name="", **parameters):
    """Show the paper's table beside ours.

    Parameters
    ----------
    table : str
        Prefix of the ids of its claims, such as "osdt.t2".
    ours : pandas.DataFrame, optional
        Values computed on the page; its index and columns are those of the paper's table, by the names in the
        claims' ids or as printed. Missing values come from the stored verdicts; by default all do.
    rows, columns : list of str, optional
        Rows and columns to show, in this order, by the names in the claims' ids; default all.
    caption : str, optional
        Caption in Markdown; it should give the paper's number of the table.
    name : str, optional
        Label for references to the table; begins with the key of the chapter.
    parameters : (now, printed)
        Current values of the chapter's parameters, and those of the paper. If any differs, the paper's values
        are left out and a sentence says so.

    Returns
    -------
    Comparison
        Displays itself as the last value of a cell; ``compare(...).frame`` has its values.

    Raises
    ------
    ValueError
        If the paper has no such table, or the table no such row or column.

    Examples
    --------
    >>> from treelib.papers import compare
    >>> compare("osdt.t2", columns=["trees-evaluated"]).frame.iloc[0].tolist()
    [232402, 232402, 232402]
    """
    changed = {key: pair for key, pair in parameters.items() if pair[0] != pair[1]}
    found = _chosen(_cells(table), rows, columns)
    caption = caption or f"{found[0].claim.item.removesuffix(' caption')} of the paper, and ours."
    name = name or table.replace(".", "-")
    if changed:
        return _ours_alone(ours, changed, caption, name)
    if ours is not None:
        found = _with_live(found, ours)
    for cell in found:
        if cell.ours is not None and cell.word not in ("", STATED):
            cells.show(cell.claim.id, cell.is_live)
    return _comparison(found, _layout(found, caption, name))


def _cells(table):
    """The printed cells of a table with their stored verdicts, list of Cell."""
    paper = table.partition(".")[0]
    kept = {row["id"]: row for row in read_csv(data_root() / "results" / "verdicts.csv")}
    found = [
        _stored(claim, kept[claim.id])
        for claim in claims.load(paper).values()
        if claim.id.startswith(f"{table}.") and _is_cell(claim) and claim.id in kept
    ]
    if not found:
        known = dict.fromkeys(".".join(key.split(".")[:2]) for key in claims.load(paper))
        raise ValueError(f"{paper} has no table {table!r} with printed cells; there are {', '.join(known)}.")
    return found


def _is_cell(claim):
    """Whether a claim is a printed value in a table, and not a sentence or a figure."""
    rule, _ = rulebook.rule_of(claim)
    return bool(claim.value) and rule not in ("statement", "redrawn") and _place(claim.id)[0] != CAPTION


def _place(claim_id):
    row, _, column = claim_id.split(".", 2)[2].partition(".")
    return row, column


def _stored(claim, row):
    word, ours = row["verdict"], row["ours"]
    note = "" if word in (MATCH, CLOSE, STATED) else in_short(row["cause"], word)
    ground = causes.ground(row) if word == DIFFERS else None
    if ground and ground.how == causes.ERRATUM:
        note += f" ({ground.where})"  # pages link the id
    program = claims.of_program(claim.id).get("")
    return Cell(claim, word, _number(ours), note, row["reading"], row["experiment"], program=program)


def _number(text):
    """The number of a text: int where it is whole; other texts as they are, None for an empty one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def _chosen(found, rows, columns):
    """Cells of the chosen rows and columns, in the order in which these are named."""
    for axis, chosen in enumerate((rows, columns)):
        if chosen is None:
            continue
        known = dict.fromkeys(cell.place[axis] for cell in found)
        if unknown := [one for one in chosen if one not in known]:
            what = ("row", "column")[axis]
            raise ValueError(f"There is no {what} {', '.join(unknown)}; there are {', '.join(known)}.")
        found = [cell for one in chosen for cell in found if cell.place[axis] == one]
    return found


def _with_live(found, ours):
    """Cells with the values that a page computed, where it has them."""
    return [_live(cell, value) if (value := _value_in(ours, cell)) is not None else cell for cell in found]


def _value_in(ours, cell):
    """What a frame of ours has for a cell, by the names in its id or as printed; None for nothing."""
    (row, column), claim = cell.place, cell.claim
    at = next((one for one in (row, claim.row) if one in ours.index), None)
    of = next((one for one in (column, claim.column) if one in ours.columns), None)
    if at is None or of is None:
        return None
    value = ours.at[at, of]
    value = value.item() if hasattr(value, "item") else value
    return None if value is None or value != value else value


def _live(cell, value):
    """A cell with the value of the page: the stored verdict stands for the same value, the rule of digits can
    judge another, and no other rule can judge one value alone."""
    live = replace(cell, ours=value, is_live=True)
    is_number = isinstance(value, int | float) and isinstance(cell.ours, int | float)
    if value == cell.ours or (is_number and math.isclose(value, cell.ours, rel_tol=1e-9)):
        return live
    if rulebook.rule_of(cell.claim)[0] in ("printed digits", "cut digits"):
        outcome, _ = rulebook.decide(cell.claim, value)
        note = "" if outcome.verdict == MATCH else "computed on this page; the stored run gave another value"
        return replace(live, word=outcome.verdict, note=note)
    return replace(live, word="", note="computed on this page, a single run: the stored record is judged")


# ---- shown ------------------------------------------------------------------------------------------------


def _layout(found, caption, name):
    """The table as Markdown, with notes and the line of sources."""
    notes = tables.Notes()
    places = {cell.place: cell for cell in found}
    rows = {cell.place[0]: cell.claim.row for cell in found}
    columns = {cell.place[1]: cell.claim.column for cell in found}
    is_wide = len(columns) > max(len(rows), 7)  # read better downwards
    across, down = (rows, columns) if is_wide else (columns, rows)

    def shown(i, j):
        cell = places.get((j, i) if is_wide else (i, j))
        return "" if cell is None else _shown(cell, notes)

    body = [[text, *(shown(i, j) for j in across)] for i, text in down.items()]
    align = "l" + "r" * len(across)
    heads = ("", *across.values())
    line = f'<p class="origin">{_sources(found)}</p>'
    return tables.table(heads, body, caption, name, align, notes, line, "compared")


def _shown(cell, notes):
    printed = tables.printed_text(cell.claim)
    if cell.is_equal or cell.ours is None:
        text = printed
    else:
        ours = _ours_text(cell)
        mark = {DIFFERS: "**", CLOSE: ""}.get(cell.word, "*")
        text = f"{printed} / {mark}{ours}{mark}"
    if cell.program and not cell.is_of_program:
        text += f" / {tables.number_text(cell.of_program)}&nbsp;‡"
    if cell.claim.fitted and cell.word != STATED:
        text += "&nbsp;†"
    text = f'<a class="cell {cell.word or "live"}" href="{address(card(cell.claim.id))}">{text}</a>'
    return text + notes.mark(cell.note)


def _ours_text(cell):
    verdict = claims.Verdict(cell.claim, cell.word or UNTESTABLE, cell.ours, rule="")
    return tables.ours_text(verdict)


def _sources(found):
    """How many cells are equal, how they were read and what was run: one line, HTML."""
    parts = [_counts(found)]
    readings = dict.fromkeys(cell.reading for cell in found if cell.reading)
    if readings:
        chosen = (reading.partition(": ") for reading in readings)
        # the card of a claim has the alternatives, which stand in brackets of their own
        open_ = [f"{re.sub(r' [(][^()]*[)]', '', what)} ({how})" for what, _, how in chosen]
        parts.append("left open by the paper, with our choice: " + "; ".join(open_))
    if ran := [cell for cell in found if cell.program]:
        n_equal = sum(cell.is_of_program for cell in ran)
        programs = dict.fromkeys(f"{one.program.repository} at {one.program.commit[:7]}" for one in ran)
        parts.append(
            f"authors' program ({', '.join(programs)}): {n_equal} of {len(ran)} as printed (‡ where not)"
        )
    if any(cell.is_live for cell in found):
        made = [cell.seconds for cell in cells.WATCH.made() if cell.seconds is not None]
        parts.append(f"computed here in {origins.seconds_text(sum(made))}" if made else "computed here")
    kept = dict.fromkeys(cell.experiment for cell in found if cell.experiment and not cell.is_live)
    if kept:
        parts.append(_runs(kept))
    return "; ".join(parts) + "."


def _counts(found):
    """ "27 of 30 cells equal, 2 close; 5 cannot be checked", in words."""
    told = [cell for cell in found if cell.is_counted]
    n_equal, n_close = (sum(cell.word == word for cell in told) for word in (MATCH, CLOSE))
    n_fitted = sum(bool(cell.claim.fitted) and cell.word != STATED for cell in found)
    n_open = sum(cell.word == UNTESTABLE and not cell.claim.fitted for cell in found)
    n_live = sum(cell.word == "" for cell in found)
    n_trivial = sum(bool(cell.claim.trivial) for cell in told)
    text = f"{n_equal} of {len(told)} cells equal" + f", {n_close} close" * bool(n_close)
    rest = (
        (n_open, "cannot be checked"),
        (n_fitted, "not counted, since a choice was made by looking at them (†)"),
        (n_trivial, "of these not in the book's totals, since they repeat other cells or could not differ"),
        (n_live, "computed here and not judged"),
    )
    differ = "" if all(cell.is_equal for cell in found) else "two numbers: paper / ours"
    parts = [differ, text if told else "", *(f"{n} {words}" for n, words in rest if n)]
    return "; ".join(filter(None, parts)) or "nothing to find: all cells are taken over"


def _runs(names):
    """When experiments were run, their seconds and their records, HTML."""
    ran, links = [], []
    for name in names:
        entries = lines.read(data_root() / "results" / f"{name}.jsonl")
        ran += [entry["provenance"] for entry in entries]
        links.append(f'<a href="{address(f"records/{name}.html")}"><code>{name}</code></a>')
    days = sorted(one["started"][:10] for one in ran)
    if not days:
        return f"records {', '.join(links)}"
    dates = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    seconds = origins.seconds_text(sum(one["seconds"] for one in ran))
    return f"run {dates}, {seconds}; record{'s' * (len(links) > 1)} {', '.join(links)}"


def _ours_alone(ours, changed, caption, name):
    """Ours without the paper's values, and why these are left out."""
    now = ", ".join(f"`{key} = {pair[0]!r}`" for key, pair in changed.items())
    theirs = ", ".join(f"`{key} = {pair[1]!r}`" for key, pair in changed.items())
    sentence = f"The paper's table is for {theirs}; there is nothing to compare with for {now}.\n"
    if ours is None:
        return _comparison([], sentence)
    shown = [
        [str(label), *(tables.number_text(value) if _is_number(value) else str(value) for value in row)]
        for label, row in zip(ours.index, ours.to_numpy(dtype=object), strict=True)
    ]
    heads = ("", *map(str, ours.columns))
    text = tables.table(heads, shown, f"{caption} Ours alone.", name, "l" + "r" * len(ours.columns))
    found = _comparison([], text + f"\n{sentence}")
    found.frame = ours
    return found


def _is_number(value):
    return hasattr(value, "__float__") and not isinstance(value, bool)


def _comparison(found, text):
    import pandas as pd  # here, because it is heavy

    comparison = Comparison(text)
    comparison.cells = tuple(found)
    rows = dict.fromkeys(cell.claim.row for cell in found)
    columns = dict.fromkeys(cell.claim.column for cell in found)
    ran = {cell.claim.column for cell in found if cell.program}
    pairs = [
        (column, who) for column in columns for who in ("paper", "ours", "program")[: 2 + (column in ran)]
    ]
    pairs = pd.MultiIndex.from_tuples(pairs) if pairs else pd.MultiIndex.from_product([[], []])
    comparison.frame = pd.DataFrame(index=list(rows), columns=pairs, dtype=object)
    for cell in found:
        row, column = cell.claim.row, cell.claim.column
        printed = cell.claim.value if cell.claim.number is None else _number(str(cell.claim.number))
        comparison.frame.loc[row, (column, "paper")] = printed
        comparison.frame.loc[row, (column, "ours")] = cell.ours
        if cell.program:
            comparison.frame.loc[row, (column, "program")] = cell.of_program
    return comparison
