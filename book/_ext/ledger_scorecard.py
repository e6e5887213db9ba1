"""HTML of the verdicts: counts, the scorecard, the claims that differ and what their causes rest on."""

from html import escape

from ledger_html import breakable, short, table

from treelib.ledger import causes, claims, tables
from treelib.ledger.papers import groups


def counts(rows, by):
    """Number of verdicts by the value of a column: dict of value to dict of verdict to count."""
    found = {}
    for row in rows:
        some = found.setdefault(row[by], dict.fromkeys(claims.VERDICTS, 0))
        some[row["verdict"]] += 1
    return found


def counts_table(rows, by, head, caption, names=None):
    """Counts of verdicts by paper or kind, with a line for all."""
    words = [tables.verdict_html(word) for word in claims.VERDICTS]
    lines = [
        ((names or {}).get(value, value), *some.values(), sum(some.values()))
        for value, some in counts(rows, by).items()
    ]
    everything = [sum(line[place] for line in lines) for place in range(1, 6)]
    lines.append(("<strong>all</strong>", *(f"<strong>{n}</strong>" for n in everything)))
    return table((head, *words, "all"), lines, caption=caption, numeric=(1, 2, 3, 4, 5))


def kind_table(rows):
    """Counts of verdicts by paper and kind of claim, and the share that matches or is close."""
    words = [tables.verdict_html(word) for word in claims.VERDICTS]
    heads = ("paper", "kind of claim", *words, "all", "match or close", "of those tested")
    lines = []
    for paper in dict.fromkeys(row["paper"] for row in rows):
        mine = [row for row in rows if row["paper"] == paper]
        kinds = sorted({row["kind"] for row in mine}, key=claims.KINDS.index)
        lines += [
            (groups()[paper], kind, *_shares([row for row in mine if row["kind"] == kind])) for kind in kinds
        ]
        lines.append(_strong(groups()[paper], _counted(mine)))
    lines.append(_strong("all papers", _counted(rows)))
    caption = "Verdicts by paper and kind of claim; in bold those on exact and statistical claims together."
    return table(heads, lines, caption=caption, numeric=range(2, 9))


COUNTED = ("exact", "statistical")  # kinds of claim that another machine and program must reproduce


def _counted(rows):
    return [row for row in rows if row["kind"] in COUNTED]


def _strong(name, rows):
    return tuple(f"<strong>{cell}</strong>" for cell in (name, " and ".join(COUNTED), *_shares(rows)))


def _shares(rows):
    """Counts of the four verdicts and their sum; the share of match and close, of all and of the tested."""
    some = [sum(row["verdict"] == word for row in rows) for word in claims.VERDICTS]
    by_word = dict(zip(claims.VERDICTS, some, strict=True))
    good, tested = by_word[claims.MATCH] + by_word[claims.CLOSE], len(rows) - by_word[claims.UNTESTABLE]
    shares = [f"{100 * good / whole:.1f}\u202f%" if whole else "" for whole in (len(rows), tested)]
    return (*some, len(rows), *shares)


def scorecard(rows):
    """All verdicts, a part for each paper; the script beside it makes one table of pages of them."""
    heads = ("claim", "verdict", "printed", "ours", "deviation", "item", "kind", "why", "checked by")
    head = "".join(f'<th scope="col" data-key="{name}">{name}</th>' for name in heads)
    parts = []
    for paper in dict.fromkeys(row["paper"] for row in rows):
        mine = [row for row in rows if row["paper"] == paper]
        body = "\n".join(map(_scorecard_line, mine))
        parts.append(
            f'<details class="scorecard scorecard-paper"><summary>{groups()[paper]}: {len(mine)} claims'
            f'</summary><table class="table" tabindex="0"><thead><tr>{head}</tr></thead>'
            f"<tbody>\n{body}\n</tbody></table></details>"
        )
    return "\n".join(parts)


def _scorecard_line(row):
    claim = claims.find(row["id"])
    what = ", ".join(part for part in (claim.row, claim.column) if part)
    tolerance = f"tolerance {row['tolerance']}" if row["tolerance"] else ""
    why = "; ".join(filter(None, (row["cause"], tolerance)))
    deviation = f"{100 * float(row['deviation']):+.3g}\u202f%" if row["deviation"] else ""
    deviation = "0" if deviation.startswith("+0\u202f") else deviation
    cells = [
        f"{breakable(row['id'])}<br><small>{escape(what)}</small>",
        _verdict_link(row),
        escape(f"{row['printed']} {row['unit'] if row['unit'] not in ('1', 'none') else ''}".strip()),
        escape(short(row["ours"], 80)),
        deviation,
        escape(row["item"]),
        row["kind"],
        escape(why),
        f"<code>{breakable(row['check'])}</code>",
    ]
    marks = f'data-paper="{row["paper"]}" data-kind="{row["kind"]}" data-verdict="{row["verdict"]}"'
    marks += f' data-deviation="{abs(float(row["deviation"])) if row["deviation"] else ""}"'
    return f'<tr id="{row["id"]}" {marks}>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _verdict_link(row):
    if not row["experiment"]:
        return tables.verdict_html(row["verdict"])
    anchor = f"#r{row['key']}" if row["key"] else ""
    address = f"../records/{row['experiment']}.html{anchor}"
    return f'<a class="verdict {row["verdict"]}" href="{address}">{row["verdict"]}</a>'


def grounds(rows):
    """What the causes of differences rest on, counted."""
    found = causes.count([row for row in rows if row["verdict"] == claims.DIFFERS])
    words = {
        causes.COMPUTED: "hold numbers that are computed with the verdict",
        causes.ERRATUM: 'are mistakes shown on the page of <a href="../notebooks/errata.html">errata</a>',
        causes.TESTED: "have a test of their own",
        causes.STATED: "are stated only: the paper does not say what was done, or the choice is ours",
    }
    parts = ", ".join(f"{found[how]} {text}" for how, text in words.items())
    return f"<p>Of the causes of {sum(found.values())} differences, {parts}.</p>"


def differing(rows):
    """Claims that differ: printed, ours, why, and below it what the cause rests on."""
    if not rows:
        return "<p>No claim differs.</p>"
    lines = [
        (
            f'<a href="../book/scorecard.html#{row["id"]}">{breakable(row["id"])}</a>'
            f"<br><small>{escape(row['item'])}</small>",
            escape(row["printed"] or "a statement"),
            escape(_rounded(short(row["ours"], 80))),
            f"{escape(row['cause'])}<br><small>{_ground(causes.ground(row))}</small>",
        )
        for row in rows
    ]
    return table(("claim", "printed", "ours", "cause, and what it rests on"), lines, classes="differing")


def _rounded(text):
    """A number for comparison by eye: six significant digits; words as they are."""
    try:
        return f"{float(text):.6g}" if "." in text else text
    except ValueError:
        return text


def _ground(ground):
    if ground.how == causes.ERRATUM:
        return f'an <a href="../notebooks/errata.html#{ground.where}">erratum</a>'
    place = f": <code>{breakable(ground.where)}</code>" if ground.where else ""
    return ground.how + place
