"""HTML of the findings, and of the cells counted by table: what first page and scorecard begin with."""

import re
from fnmatch import fnmatchcase
from html import escape

from ledger_html import table

from treelib.ledger import claims, verdicts
from treelib.ledger.page import findings
from treelib.ledger.page.place import card, card_page
from treelib.ledger.papers import papers

FIRST = 3  # findings of a paper on the first page


def findings_tables(paper):
    """The findings of a paper, or of all, each with the claims that it rests on, HTML."""
    rows = {row["id"]: row for row in verdicts.read()}
    parts = []
    for key in (paper,) if paper else papers():
        lines = [_line(row, rows) for row in findings.kept(key)]
        caption = f"{papers()[key].name}: {tally(key)}."
        parts.append(table(("finding", "paper", "ours", "", "rests on"), lines, caption=caption))
    return "".join(parts)


def _line(row, rows):
    word = f'<span class="verdict {findings.WORDS[row["word"]]}">{row["word"]}</span>'
    return (
        f'<span id="{row["id"]}">{escape(row["sentence"])}</span>',
        escape(row["paper"]),
        escape(row["ours"]),
        f"{word}<br>{row['rests_on']}",
        _cards(row, rows),
    )


def _cards(row, rows):
    """Links to the cards of the claims of a finding, those of one table together."""
    patterns = row["claims"].split() or row["number"].split()
    ids = [one for one in rows if any(fnmatchcase(one, pattern) for pattern in patterns)]
    pages = {card_page(one): one for one in reversed(ids)}
    links = [
        f'<a href="../{card(first)}">{escape(rows[first]["item"])}</a>' for first in reversed(pages.values())
    ]
    effect = f"stored runs: {row['effect']}" if row["effect"] else ""
    return ", ".join(filter(None, [*links, effect]))


def tally(paper):
    """How many findings came out, in words."""
    found = findings.counted(paper)
    return f"{sum(found.values())} findings, " + ", ".join(f"{n} {word}" for word, n in found.items() if n)


def first_findings(paper):
    """The findings of a paper that matter most, HTML of a list."""
    lines = [
        f'{escape(row["sentence"])} <a class="verdict {findings.WORDS[row["word"]]}" '
        f'href="scorecard.html#{row["id"]}">{row["word"]}</a>'
        for row in findings.kept(paper)[:FIRST]
    ]
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def of_claim(claim_id):
    """The findings that rest on a claim, HTML; empty where none does."""
    paper = claim_id.partition(".")[0]
    rests = [
        row
        for row in findings.kept(paper)
        if any(fnmatchcase(claim_id, one) for one in row["claims"].split())
    ]
    return "; ".join(
        f'<a href="../book/scorecard.html#{row["id"]}">{escape(row["sentence"])}</a> ({row["word"]})'
        for row in rests
    )


def open_claims():
    """Claims that cannot be checked, by paper, kind and what telling them would cost: HTML of one table."""
    found = {}
    for row in verdicts.read():
        if row["open"] and not row["fitted"] and not row["trivial"]:
            found.setdefault((row["paper"], row["open"], row["price"]), []).append(row)
    lines = [
        (papers()[paper].name, kind, escape(price), len(rows))
        for (paper, kind, price), rows in sorted(found.items())
    ]
    return table(("paper", "kind", "price", "claims"), lines, caption="What cannot be checked.", numeric=(3,))


def cells_by_table(_=""):
    """How many cells of each table of the papers are equal, HTML of one table."""
    tables = {}
    for row in verdicts.read():
        claim = claims.find(row["id"])
        if claim.value and re.fullmatch(r"Table \d+", claim.item):
            tables.setdefault((row["paper"], claim.item), []).append(row)
    lines = []
    for (paper, item), rows in tables.items():
        words = [row["verdict"] for row in rows if not row["fitted"]]
        told = sum(words.count(word) for word in (claims.MATCH, claims.CLOSE, claims.DIFFERS))
        name = f'<a href="../{card_page(rows[0]["id"])}.html">{papers()[paper].name}, {item}</a>'
        lines.append(
            (
                name,
                f"{words.count(claims.MATCH)} of {told}",
                *(words.count(word) for word in (claims.CLOSE, claims.DIFFERS, claims.UNTESTABLE)),
                sum(bool(row["fitted"]) for row in rows),
            )
        )
    heads = ("table", "cells equal", "close", "differ", "cannot be checked", "fitted")
    return table(heads, lines, caption="Cells of the tables.", numeric=range(1, len(heads)))
