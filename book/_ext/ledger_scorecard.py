"""HTML of the verdicts: counts, the scorecard, the claims that differ and what their causes rest on."""

from html import escape
from itertools import pairwise
from operator import itemgetter

import claim_words
from ledger_html import breakable, folded, table

from treelib.ledger import causes, claims, tables, verdicts
from treelib.ledger.page.place import card
from treelib.ledger.papers import groups, papers
from treelib.ledger.protocol import referee, rulebook, rules, signed
from treelib.ledger.protocol.digits import grouped, significant
from treelib.ledger.store import releases


def counts_table(rows, by, head, caption, names=None):
    """Counted claims by the value of a column and by verdict, what is not counted beside them, and all."""
    words = [tables.verdict_html(word) for word in claims.COUNTED]
    apart = [tables.verdict_html(word) for word in (claims.STATED, claims.REDRAWN)]
    lines = []
    named = kind_of if by == "kind" else itemgetter(by)
    for value in (*dict.fromkeys(map(named, rows)), None):
        some = [row for row in rows if value in (None, named(row))]
        fitted = sum(bool(row["fitted"]) for row in some)
        found = (
            *_by_verdict([row for row in some if is_counted(row)]),
            fitted,
            _trivial(some),
            *(_free(some, word) for word in (claims.STATED, claims.REDRAWN)),
            len(some),
        )
        if value is None:
            lines.append(tuple(f"<strong>{cell}</strong>" for cell in ("all", *found)))
        else:
            lines.append(((names or {}).get(value, value), *found))
    heads = (head, *words, "counted", "fitted", "trivial", *apart, "all claims")
    return table(heads, lines, caption=caption, numeric=range(1, len(heads)))


# what kinds of claim are counted together, and called so on all pages; claims keep the finer word
SORTS = {
    "exact": ("exact", "setting"),
    "statistical": ("statistical",),
    "timing": ("timing", "memory"),
    "statement": ("qualitative", "figure"),
}


def headline(rows):
    """The counted claims by kind and verdict, and below them what is not counted."""
    counted = [row for row in rows if is_counted(row)]
    words = [tables.verdict_html(word) for word in claims.COUNTED]
    lines = [
        (sort, *_by_verdict([row for row in counted if row["kind"] in kinds]))
        for sort, kinds in SORTS.items()
    ]
    lines.append(tuple(f"<strong>{cell}</strong>" for cell in ("all", *_by_verdict(counted))))
    apart = {
        "fitted: a choice was made by looking at the printed value": sum(bool(row["fitted"]) for row in rows),
        "trivial: it repeats another, is a constant of the set-up, or cannot fail": _trivial(rows),
        "stated: taken over from the paper": _free(rows, claims.STATED),
        "redrawn: a figure without readable numbers": _free(rows, claims.REDRAWN),
    }
    below = "; ".join(f"{n} {name}" for name, n in apart.items())
    caption = "Claims that are counted, by kind and verdict."
    head = ("kind of claim", *words, "all")
    return table(head, lines, caption=caption, numeric=range(1, 6)) + f"<p>Not counted: {below}.</p>"


def kind_of(row):
    """What the pages call the kind of a claim: a key of `SORTS`."""
    return next(sort for sort, kinds in SORTS.items() if row["kind"] in kinds)


def is_counted(row):
    """Whether a line of the table of verdicts is evidence: not stated, redrawn, fitted or trivial."""
    return row["verdict"] in claims.COUNTED and not row["fitted"] and not row["trivial"]


def _free(rows, verdict):
    """Number of claims of a verdict that are nothing else as well: each claim is in one count."""
    return sum(row["verdict"] == verdict and not row["fitted"] and not row["trivial"] for row in rows)


def _trivial(rows):
    """Number of trivial claims that are not fitted as well."""
    return sum(bool(row["trivial"]) and not row["fitted"] for row in rows)


def _by_verdict(rows):
    return (*(sum(row["verdict"] == word for row in rows) for word in claims.COUNTED), len(rows))


def kind_table(rows):
    """Counted claims by paper, sort and verdict, and the shares that match and that are close."""
    words = [tables.verdict_html(word) for word in claims.COUNTED]
    heads = ("paper", "kind of claim", *words, "all", "match", "close")
    lines = []
    for paper in (*dict.fromkeys(row["paper"] for row in rows), None):
        mine = [row for row in rows if paper in (None, row["paper"]) and is_counted(row)]
        name = groups()[paper] if paper else "all papers"
        for sort, kinds in SORTS.items():
            some = [row for row in mine if row["kind"] in kinds]
            if some:
                lines.append((name, sort, *_shares(some)))
    caption = "Counted claims by paper, kind and verdict; shares are of all in the line."
    return table(heads, lines, caption=caption, numeric=range(2, 9))


def _shares(rows):
    """Counts of the counted verdicts and their sum; the shares of match and of close."""
    found = _by_verdict(rows)
    return (*found, *(f"{100 * n / len(rows):.1f}\u202f%" for n in found[:2]))


def scorecard(rows, site):
    """All verdicts, a part for each paper; the script beside it makes one table of pages of them.

    Parameters
    ----------
    rows : list of dict, lines of the table of verdicts
    site : citing.Site, to which a discrepancy is reported

    Returns
    -------
    str

    They stand in an element that a browser with scripts does not read: it would make forty thousand elements
    and show a hundred rows. The script takes its rows from the text of that element.
    """
    heads = ("claim", "verdict", "printed", "ours", "deviation", "item", "rule", "why")
    head = "".join(f'<th scope="col" data-key="{name}">{name}</th>' for name in heads)
    parts = []
    for paper in dict.fromkeys(row["paper"] for row in rows):
        mine = [row for row in rows if row["paper"] == paper]
        body = "\n".join(_scorecard_line(row, site) for row in mine)
        parts.append(
            f'<details class="scorecard scorecard-paper"><summary>{groups()[paper]}: {len(mine)} claims'
            f'</summary><table class="table" tabindex="0"><thead><tr>{head}</tr></thead>'
            f"<tbody>\n{body}\n</tbody></table></details>"
        )
    return f'<noscript class="scorecard-claims">{"".join(parts)}</noscript>'


def _scorecard_line(row, site):
    claim = claims.find(row["id"])
    what = ", ".join(part for part in (claim.row, claim.column) if part)
    refused = f"would have been refused {row['refused_beyond']}" if row["refused_beyond"] else ""
    why = "; ".join(filter(None, (row["cause"], refused)))
    rule = row["rule"] + (f"; fitted: {row['fitted']}" if row["fitted"] else "")
    cells = [
        f'<a href="../{card(row["id"])}">{breakable(row["id"])}</a><br><small>{escape(what)}</small>',
        f"{_verdict_link(row)}{site.flag(row)}",
        escape(
            f"{grouped(row['printed'])} {row['unit'] if row['unit'] not in ('1', 'none') else ''}".strip()
        ),
        folded(grouped(row["ours"]), 80),
        percent(row["deviation"]),
        f"{escape(row['item'])}<br><small>{kind_of(row)}</small>",
        escape(rule),
        folded(why, 90),
    ]
    words = claims.words(row["verdict"], row["fitted"])
    marks = f'data-paper="{row["paper"]}" data-kind="{kind_of(row)}" data-verdict="{words}"'
    marks += f' data-deviation="{abs(float(row["deviation"])) if row["deviation"] else ""}"'
    marks += f' data-also="{escape(claim_words.also(row))}"'
    return f'<tr id="{row["id"]}" {marks}>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def percent(deviation):
    """A deviation of the table of verdicts, a share or empty, as a reader expects it."""
    text = f"{100 * float(deviation):+.3g}\u202f%" if deviation else ""
    return "0" if text.startswith("+0\u202f") else text


def _verdict_link(row):
    if not row["experiment"]:
        return tables.verdict_html(row["verdict"], row["fitted"])
    anchor = f"#r{row['key']}" if row["key"] else ""
    address = f"../records/{row['experiment']}.html{anchor}"
    return tables.verdict_link(row["verdict"], row["fitted"], address)


def grounds(rows):
    """What the causes of differences rest on, counted."""
    differ, fitted = differences(rows)
    found = causes.count(differ)
    words = {
        causes.COMPUTED: "hold numbers that are computed with the verdict",
        causes.ERRATUM: 'are mistakes shown on the page of <a href="../notebooks/errata.html">errata</a>',
        causes.TESTED: "have a test of their own",
        causes.STATED: "are stated only: the paper does not say what was done, or the choice is ours",
    }
    parts = ", ".join(f"{found[how]} {text}" for how, text in words.items())
    of = f"Of the causes of {len(differ)} differences"
    return f"<p>{of}, {parts}.{_fitted_too(fitted)}</p>"


def differences(rows):
    """Lines of the table of verdicts that differ: those that are counted, and those that are fitted."""
    differ = [row for row in rows if row["verdict"] == claims.DIFFERS]
    return [row for row in differ if is_counted(row)], [row for row in differ if row["fitted"]]


def _fitted_too(fitted):
    """A sentence on fitted claims that differ; empty where there is none."""
    if not fitted:
        return ""
    n = len(fitted)
    return f" {n} more differ{'s' * (n == 1)} and {'is' if n == 1 else 'are'} fitted, so not counted."


def differing(rows, site):
    """Claims that differ: printed, ours, why, and below it what the cause rests on; `site` takes reports.

    The counted ones are first, those that are fitted say so.
    """
    counted, fitted = differences(rows)
    rows = [*counted, *fitted]
    if not rows:
        return "<p>No claim differs.</p>"
    n = f"{len(counted)} counted claim{'s' * (len(counted) != 1)}"
    last = " What is fitted stands last." * bool(fitted)
    above = f"<p>{n} differ{'s' * (len(counted) == 1)}.{_fitted_too(fitted)}{last}</p>"
    lines = [
        (
            f'<a href="../{card(row["id"])}">{breakable(row["id"])}</a>{site.flag(row)}'
            f"<br><small>{escape(row['item'])}{_if_fitted(row)}</small>",
            escape(grouped(row["printed"]) or "a statement"),
            folded(_rounded(row["ours"]), 120),
            f"{folded(row['cause'], 300)}<div><small>{_ground(causes.ground(row))}</small></div>",
        )
        for row in rows
    ]
    return above + table(
        ("claim", "printed", "ours", "cause, and what it rests on"), lines, classes="differing"
    )


def _if_fitted(row):
    """The verdict where it says that the claim is fitted; else nothing is new in a list of differences."""
    return f", {tables.verdict_html(row['verdict'], row['fitted'])}" if row["fitted"] else ""


def _rounded(text):
    """A number for comparison by eye: six significant digits; words as they are."""
    try:
        return significant(text, 6) if "." in text else grouped(text)
    except ValueError:
        return text


def _ground(ground):
    if ground.how == causes.ERRATUM:
        return f'an <a href="../notebooks/errata.html#{ground.where}">erratum</a>'
    place = f": <code>{breakable(ground.where)}</code>" if ground.where else ""
    return ground.how + place


# ---- the protocol -----------------------------------------------------------------------------------------


def rules_list():
    """The rules and their texts, a list of definitions; how many claims each judges."""
    every = [rulebook.rule_of(one)[0] for paper in papers() for one in claims.load(paper).values()]
    parts = []
    for rule in rules.RULES.values():
        text = "".join(
            f"<p>{referee.marked(' '.join(part.split()))}</p>" for part in rule.text.strip().split("\n\n")
        )
        n = every.count(rule.name)
        where = f"{n} claim{'s' * (n != 1)}" if n else "no claim yet"
        anchor = f"rule-{rule.name.replace(' ', '-')}"
        parts.append(f'<dt id="{anchor}"><code>{rule.name}</code> ({where})</dt><dd>{text}</dd>')
    return f"<dl>{''.join(parts)}</dl>"


def choices_table(rows):
    """What was chosen by looking at printed numbers, from how many, and how many claims that fits."""
    tried = {row["choice"]: row for row in verdicts.read_choices()}
    lines = [
        (
            f'<span id="fitted-{name}">{escape(one["what"])}</span>',
            escape(one["chosen"]),
            escape(one["of"]),
            "<br>".join(f"<code>{breakable(pattern)}</code>" for pattern in one["seen"].split()),
            _groups(tried.get(name)),
            str(sum(row["fitted"] == name for row in rows)),
        )
        for name, one in rulebook.choices().items()
    ]
    heads = ("what", "chosen", "from", "by looking at", "groups left out", "claims that stay fitted")
    return table(heads, lines, caption="Choices made by looking at printed numbers.", numeric=(5,))


def _groups(row):
    """What came out when the groups of a choice were left out one by one, in words."""
    if row is None:
        return "none: it cannot be made without these claims"
    return (
        f"{row['agree']} of {row['groups']} are predicted by the others; {row['counted']} of {row['cells']} "
        "claims count again"
    )


def signed_draws(draws, rows):
    """The signed draws, and each claim that was not agreed with beside the verdict of today."""
    if not draws:
        return "<p>No draw has been signed yet.</p>"
    lines = [
        (
            escape(draw.date),
            escape(", ".join(draw.signers)),
            escape(draw.rows[0]["seed"]),
            str(len(draw.rows)),
            *(str(draw.count(answer)) for answer in signed.ANSWERS),
        )
        for draw in draws
    ]
    heads = ("date", "signed by", "seed", "claims", *signed.ANSWERS)
    link = '<a href="../ledger/objections.csv" download>all claims that were not agreed with</a>'
    n_all = sum(len(draw.objections()) for draw in draws)
    return table(heads, lines, caption="Signed draws.", numeric=range(2, 7)) + (
        f"<p>Download {link}, {n_all} lines: the objection as it was written, the verdict then and today.</p>"
    )


def objections(draws, rows):
    """The claims that referees did not agree with, with the verdict of today: list of dict of str."""
    today = {row["id"]: claims.words(row["verdict"], row["fitted"]) for row in rows}
    return [
        {key: row[key] for key in ("date", "name", "id", "verdict")}
        | {"today": today.get(row["id"], "taken out"), "answer": row["answer"], "because": row["because"]}
        for draw in draws
        for row in draw.objections()
    ]


# ---- releases ---------------------------------------------------------------------------------------------


def changes_tables():
    """How many verdicts changed from each release to the next and to today; the claims are in a file."""
    parts = []
    for old, new, found, after in _changes():
        moved = releases.counts(found)
        worse = sum(one.turn == releases.WORSE for one in found)
        gained = sum(one.turn == releases.BETTER for one in found)
        parts.append(
            f"<h2>From {escape(old)} to {escape(new)}</h2><p>{len(found)} of {len(after)} claims have "
            f"another value or verdict: {sum(moved.values())} another verdict, {gained} a better one in the "
            f"order match, close, differs, {worse} a worse.</p>"
        )
        lines = [(_word(was), _word(now), n) for (was, now), n in moved.most_common()]
        heads = ("verdict before", "after", "claims")
        parts.append(table(heads, lines, caption="Verdicts that changed.", numeric=(2,)))
    return "\n".join(parts) or "<p>No release is stored yet.</p>"


def changed_claims():
    """Each claim whose verdict or value changed between releases, list of dict of str."""
    return [
        {"from": old, "to": new, "id": one.id, "before": one.before, "after": one.after}
        | {"value_before": one.was, "value_after": one.ours}
        for old, new, found, _ in _changes()
        for one in found
    ]


def _changes():
    """(old, new, changes, state of the new one), from today backwards."""
    states = [(name, releases.read(name)) for name in releases.names()] + [("today", releases.today())]
    for (old, before), (new, after) in reversed(list(pairwise(states))):
        yield old, new, releases.changes(before, after), after


def _word(verdict, fitted=""):
    return tables.verdict_html(verdict, fitted) if verdict in claims.VERDICTS else escape(verdict)
