"""All that a paper prints with ours beside it, table by table: the text of one page of the book."""

from html import escape

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import claims, tables
from treelib.ledger.claims import REDRAWN, STATED
from treelib.ledger.page.compare import compare
from treelib.ledger.page.place import address, card

CUT = 160  # letters of a statement before it is cut; its card has all


def all_numbers(paper):
    """Every table of a paper as `compare` shows it, and every other claim as a line with its verdict.

    Parameters
    ----------
    paper : str, key of the paper

    Returns
    -------
    str, MyST Markdown
    """
    rows = {row["id"]: row for row in read_csv(data_root() / "results" / "verdicts.csv")}
    groups = {}
    for claim in claims.load(paper).values():
        if claim.id in rows:
            groups.setdefault(claim.id.split(".")[1], []).append(claim)
    tables = sorted(
        (key for key in groups if key[0] == "t" and key[1:].isdigit()), key=lambda key: int(key[1:])
    )
    parts, compared = ["## Tables"], set()
    for key in tables:
        table = compare(f"{paper}.{key}", name=f"{paper}-numbers-{key}")
        compared |= {cell.claim.id for cell in table.cells}
        parts += [f"### Table {key[1:]}", str(table)]
    left = [
        claim
        for group in groups.values()
        for claim in group
        if claim.id not in compared and rows[claim.id]["verdict"] not in (STATED, REDRAWN)
    ]
    drawn = [claim for claim in left if claim.item.startswith("Figure")]
    for title, part in (("Figures", drawn), ("Statements", [one for one in left if one not in drawn])):
        if part:
            parts += [f"## {title}", "\n".join(_line(one, rows[one.id]) for one in part)]
    n_taken = sum(row["paper"] == paper and row["verdict"] in (STATED, REDRAWN) for row in rows.values())
    parts.append(
        f"{n_taken} further claims are definitions, settings, or figures without readable numbers; the "
        f'<a href="{address("book/scorecard.html")}">scorecard</a> lists them.'
    )
    return "\n\n".join(parts)


def _line(claim, row):
    """A claim as an item of a list: what it says, printed and ours, its verdict."""
    what = ", ".join(filter(None, (claim.row, claim.column)))
    said = claim.note if len(claim.note) <= CUT else claim.note[:CUT].rsplit(" ", 1)[0] + " …"
    values = f"; {claim.value} {claim.unit}".rstrip() if claim.value else ""
    if claim.value and row["ours"]:
        values += f", ours {_short(row['ours'])}"
    said_of = row["verdict"], row["fitted"]
    classes, word = tables.verdict_class(*said_of), claims.words(*said_of)
    verdict = f'<a class="{classes}" href="{address(card(claim.id))}">{word}</a>'
    words = f"{what}{values}{': ' * bool(said)}{said}"
    return f"- {verdict} **{_literal(claim.item)}** {_literal(words)}"


def _short(text):
    """A number to six significant digits; words as they are, cut."""
    try:
        return f"{float(text):.6g}" if "." in text else text
    except ValueError:
        return text if len(text) <= CUT else text[:CUT].rsplit(" ", 1)[0] + " …"


def _literal(text):
    """Text that Markdown leaves as it is."""
    return "".join(
        f"\\{letter}" if letter in "\\`*_{}[]$|~^#" else letter for letter in escape(text, quote=False)
    )
