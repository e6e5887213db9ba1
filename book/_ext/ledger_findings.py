"""HTML of the findings, and of the cells counted by table: what first page and scorecard begin with."""

import re
from collections import Counter
from fnmatch import fnmatchcase

from rendering import rendered, table

from treelib.ledger import claims, verdicts
from treelib.ledger.page import findings
from treelib.ledger.page.place import card_page
from treelib.ledger.papers import papers

FIRST = 3  # findings of a paper on the first page
# what a paper promises, as one would ask it
QUESTIONS = {
    "osdt": "Can a small decision tree be the best possible one, with proof?",
    "bornagain": "Can one tree decide exactly like a whole forest?",
    "tsallis": "Can the way a tree splits and is pruned be tuned with guarantees?",
    "dyadic": "Can trees that halve intervals be optimal at every leaf penalty, quickly?",
}


def answers():
    """What each paper promises, the findings that matter most, and how all came out."""
    found = [
        (paper, QUESTIONS.get(key, paper.title), findings.kept(key)[:FIRST], tally(key))
        for key, paper in papers().items()
    ]
    return rendered("answers", papers=found, colours=findings.WORDS)


def picture():
    """A bar for each paper, its parts the words on its findings."""
    bars = {paper.name: findings.counted(key) for key, paper in papers().items()}
    longest = max(sum(found.values()) for found in bars.values())
    return rendered("verdict_picture", bars=bars, longest=longest, colours=findings.WORDS)


def tally(paper):
    """How many findings came out, in words."""
    found = findings.counted(paper)
    return f"{sum(found.values())} findings, " + ", ".join(f"{n} {word}" for word, n in found.items() if n)


def findings_tables(paper):
    """The findings of a paper, or of all, each with the claims that it rests on."""
    rows = {row["id"]: row for row in verdicts.read()}
    found = [
        (
            f"{papers()[key].name}: {tally(key)}",
            [(row, _items(row["claims"] or row["number"], rows)) for row in findings.kept(key)],
        )
        for key in ([paper] if paper else papers())
    ]
    return rendered("findings", papers=found, colours=findings.WORDS)


def _items(patterns, rows):
    """Tables that hold claims of these patterns: pairs of the first claim and what it is."""
    ids = [one for one in rows if any(fnmatchcase(one, pattern) for pattern in patterns.split())]
    first = {card_page(one): one for one in reversed(ids)}
    return [(one, rows[one]["item"]) for one in reversed(first.values())]


def of_claim(claim_id):
    """The findings that rest on a claim, list of dict."""
    return [
        row
        for row in findings.kept(claim_id.partition(".")[0])
        if any(fnmatchcase(claim_id, one) for one in row["claims"].split())
    ]


def open_claims():
    """Claims that cannot be checked, by paper, kind and what telling them would cost."""
    found = Counter(
        (row["paper"], row["open"], row["price"])
        for row in verdicts.read()
        if row["open"] and not row["fitted"] and not row["trivial"]
    )
    lines = [(papers()[paper].name, *key, n) for (paper, *key), n in sorted(found.items())]
    return table(("paper", "kind", "price", "claims"), lines, caption="What cannot be checked.", numeric=(3,))


def cells_by_table():
    """How many cells of each table of the papers are equal."""
    tables = {}
    for row in verdicts.read():
        claim = claims.find(row["id"])
        if claim.value and re.fullmatch(r"Table \d+", claim.item):
            counted = tables.setdefault((row["paper"], claim.item, card_page(row["id"])), Counter())
            counted["fitted" if row["fitted"] else row["verdict"]] += 1
    found = [(page, f"{papers()[paper].name}, {item}", n) for (paper, item, page), n in tables.items()]
    return rendered("cells_by_table", tables=found)
