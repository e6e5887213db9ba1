"""The errata of the papers as the page on them shows them, each with what its evidence gives now."""

from treelib.ledger import errata
from treelib.ledger.page import Markdown
from treelib.ledger.papers import papers


def counts():
    """Errata of each paper by weight, and how many have evidence that is computed; a table in Markdown."""
    rows = []
    for paper in papers():
        items = errata.errata(paper)
        by_weight = [sum(item.weight == weight for item in items) for weight in errata.WEIGHTS]
        computed = sum(item.evidence is not None for item in items)
        rows.append(
            f"| {{cite:t}}`{paper}` | {' | '.join(map(str, by_weight))} | {computed} of {len(items)} |"
        )
    return Markdown(
        ":::{table} What was found, by weight, and how much of it is computed on this page.\n"
        f":name: errata-counts\n\n| paper | {' | '.join(errata.WEIGHTS)} | computed |\n"
        f"|---|{'---:|' * (len(errata.WEIGHTS) + 1)}\n" + "\n".join(rows) + "\n:::"
    )


def items(paper):
    """All errata of a paper as Markdown, the weightiest first.

    Raises
    ------
    Exception
        The evidence of one fails.
    """
    lines = []
    for item in sorted(errata.errata(paper), key=lambda item: errata.WEIGHTS.index(item.weight)):
        found = item.check()
        lines.append(
            f'<span id="{item.id}"></span>**{item.place}** ({item.weight})\n\n'
            f": *Printed:* {item.printed}\n\n"
            f": *Better:* {item.better}\n" + (f"\n: *Shown:* {found}\n" if found else "")
        )
    return Markdown("\n".join(lines))
