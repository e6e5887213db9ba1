"""Sphinx extension of landing cards: one for each number, statement, table and figure of the papers.

``claims/<paper>.<table>.html`` is the card of a table, and ``claims/<paper>.<table>.html#<claim>`` that of a
number in it: our value, the printed one, the verdict and its rule, where the book shows it, the stored
record, and how to cite it or report that it is wrong. Verdicts, scorecard, search and citations lead here.
"""

import json
import re
from collections import Counter
from functools import cache
from html import escape

import citing
import claim_words
import ledger_findings
import ledger_html
import places
from ledger_files import proof_files
from ledger_scorecard import percent

from treelib.ledger import claims, experiments, store, tables, verdicts
from treelib.ledger.page.place import card_page
from treelib.ledger.papers import papers
from treelib.ledger.protocol import rulebook, rules
from treelib.ledger.protocol.digits import grouped
from treelib.ledger.store import made_of
from treelib.ledger.store.lines import canonical
from treelib.papers.across import proofs

# a verdict that leads to its card, with the mark of its note
_VERDICT = re.compile(
    r'<a class="verdict \w+(?: [\w-]+)*" href="[^"]*claims/[^"#]+#([^"]+)"[^>]*>[\w, ]+</a>'
    r"(?:(?:&nbsp;|\xa0)<sup>\d+</sup>)?"
)

# what papers number, as readers look for it
_NUMBERED = re.compile(r"[A-Z][a-z]+ [A-Z]?\.?\d+(\.\d+)?")


def setup(app):
    app.add_config_value("site_is_public", False, "html")
    app.connect("html-collect-pages", card_pages)
    app.connect("build-finished", write_index)
    app.connect("html-page-context", search_claims, priority=100)
    # after the notes, whose links it reads
    app.connect("html-page-context", flag_verdicts, priority=890)
    app.add_js_file("cards.js", loading_method="defer")
    app.add_js_file("frames.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def search_claims(app, pagename, templatename, context, doctree):
    """The page that searches knows the ids of all claims."""
    if pagename == "search":
        app.add_js_file("claim-ids.js", loading_method="defer")
        app.add_js_file("search-claims.js", loading_method="defer")


def flag_verdicts(app, pagename, templatename, context, doctree):
    """Beside each verdict of a page that leads to its card: a sign that reports a discrepancy.

    Only where reports have an address: a sign that leads nowhere is worse than none.
    """
    site, rows = citing.Site.of(app.config), rows_by_id()
    if "body" not in context or not site.repository:
        return

    def flagged(match):
        row = rows.get(match[1])
        return match[0] + site.flag(row) if row else match[0]

    context["body"] = _VERDICT.sub(flagged, context["body"])


@cache
def rows_by_id():
    """The table of verdicts, dict by a claim's id."""
    return {row["id"]: row for row in verdicts.read()}


def by_page():
    """Rows of the table of verdicts by the page that holds their cards, dict of list of dict."""
    found = {}
    for row in verdicts.read():
        found.setdefault(card_page(row["id"]), []).append(row)
    return found


def card_pages(app):
    """A page for each table, figure and section of a paper, its claims as cards."""
    shown = places.resolved(app.env, app.config.numfig_format)
    site = citing.Site.of(app.config)
    for page, rows in by_page().items():
        title = f"{rows[0]['item']}, {papers()[rows[0]['paper']].name}"
        yield page, {"title": title, "body": page_html(page, rows, shown, site)}, "page.html"


def page_html(page, rows, shown, site):
    """HTML of one page of cards.

    Parameters
    ----------
    page : str, address without suffix, ``claims/osdt.t2``
    rows : list of dict, lines of the table of verdicts
    shown : dict of a claim's id to (text, address) where the book shows it
    site : citing.Site
    """
    paper, item = papers()[rows[0]["paper"]], rows[0]["item"]
    key = page.partition("/")[2]
    parts = [
        f"<h1>{escape(item)}: {escape(paper.name.lower())}</h1>",
        f"<p>{escape(item)} of {escape(citing.people(paper.authors))} ({paper.year}), "
        f"{citing.paper_link(paper.key)}. "
        f"{len(rows)} claim{'s' * (len(rows) != 1)}: {tally(rows)}.</p>",
    ]
    where = dict.fromkeys(shown[row["id"]] for row in rows if row["id"] in shown)
    if where:
        links = ", ".join(f'<a href="../{address}">{escape(text)}</a>' for text, address in where)
        parts.append(f"<p>In the book: {links}.</p>")
    if key in proofs.ITEMS:
        files = ", ".join(
            f'<a download href="../ledger/papers/{paper.key}/{name}">{name}</a>' for name in proof_files(key)
        )
        parts.append(
            f'<p>Its tree is <a href="../book/proofs.html">proved optimal</a>: {files}; '
            f"<code>treelib check-proof</code> checks it.</p>"
        )
    whole = citing.Result(key, paper.key, item)
    parts.append(citing_html("Cite the whole", whole, site))
    parts += [card(row, shown, site) for row in rows]
    return "\n".join(parts)


def tally(rows):
    """Claims by verdict in words, those that were fitted apart, HTML."""
    fitted = [row for row in rows if row["fitted"]]
    parts = [_by_verdict([row for row in rows if not row["fitted"]], "")]
    if fitted:
        choices = dict.fromkeys(row["fitted"] for row in fitted)
        links = ", ".join(f'<a href="../book/protocol.html#fitted-{one}">{one}</a>' for one in choices)
        parts.append(
            f"not counted, since a choice was fitted to them ({links}): {_by_verdict(fitted, 'fitted')}"
        )
    return "; ".join(filter(None, parts))


def _by_verdict(rows, fitted):
    counted = Counter(row["verdict"] for row in rows)
    return ", ".join(
        f"{counted[word]} {tables.verdict_html(word, fitted)}" for word in claims.VERDICTS if counted[word]
    )


def card(row, shown, site):
    """The card of one claim, HTML."""
    claim = claims.find(row["id"])
    what = ", ".join(part for part in (claim.row, claim.column) if part)
    name = escape(row["id"])
    values = [
        (
            "printed",
            tables.printed_text(claim) + (f" ({escape(claim.value)})" if _is_shortened(claim) else ""),
        ),
        ("ours", _ours(row)),
        ("deviation", percent(row["deviation"])),
    ]
    told = [
        ("part of", ledger_findings.of_claim(row["id"])),
        ("cannot be checked", escape(": ".join(filter(None, (row["open"], row["price"]))))),
        ("why", escape(row["cause"])),
        ("reading", escape(row["reading"])),
        ("authors' program", "; ".join(map(_of_program, claims.of_program(row["id"]).values()))),
        ("made of", _made_of(row)),
        ("fitted", _fitted(row["fitted"])),
        ("refused", escape(row["refused_beyond"])),
        ("what it says", escape(claim.note)),
    ]
    rule = row["rule"]
    anchor = f"rule-{rule.partition(':')[0].strip().replace(' ', '-')}"
    definitions = [
        *((f"<dt>{key}</dt><dd>{text}</dd>") for key, text in values if text),
        f'<dt>rule</dt><dd><a href="../book/protocol.html#{anchor}">{escape(rule)}</a>{_in_short(rule)}</dd>',
        *((f"<dt>{key}</dt><dd>{text}</dd>") for key, text in told if text),
    ]
    links = [*_record_link(row)]
    links += _place_link(row, shown)
    links.append(f'<a href="../book/scorecard.html#{name}">line of the scorecard</a>')
    links.append(f'<a href="#{name}">permalink</a>')
    if site.report(row):
        links.append(f'<a href="{escape(site.report(row))}" rel="nofollow">report a discrepancy</a>')
    result = citing.Result(row["id"], row["paper"], row["item"], what, citing.finding(row))
    return (
        f'<section class="claim-card" id="{name}"><h2><code>{ledger_html.breakable(row["id"])}</code> '
        f"{tables.verdict_html(row['verdict'], row['fitted'])}</h2>"
        f"<p>{escape(row['item'])}{': ' if what else ''}{escape(what)}</p>"
        f'<dl class="claim-values">{"".join(definitions)}</dl>'
        f'<p class="claim-links">{" · ".join(links)}</p>{citing_html("Cite", result, site)}'
        f"{'' if site.report(row) else report_html(row)}</section>"
    )


def _in_short(rule):
    """What a rule judges, its first sentence, HTML."""
    known = rules.RULES.get(rule.partition(":")[0].strip())
    return f": {escape(known.text.strip().partition('.')[0])}" if known else ""


def _fitted(name):
    """The choice that was made by looking at the printed value, with a link to all of them, HTML."""
    if not name:
        return ""
    one = rulebook.choices()[name]
    link = f'<a href="../book/protocol.html#fitted-{name}">{escape(one["what"])}</a>'
    return f"not counted: by looking at the printed value was chosen {link}: {escape(one['chosen'])}"


def _place_link(row, shown):
    """Link to where the book shows a claim; else to where it shows another of the table, or of the paper."""
    page = card_page(row["id"])
    choices = (
        ("", (one for one in shown if one == row["id"])),
        (f"not shown itself; others of {row['item']}: ", (one for one in shown if card_page(one) == page)),
        ("not shown itself; begin at ", (one for one in shown if one.startswith(f"{row['paper']}."))),
    )
    for words, near in choices:
        found = next(near, None)
        if found:
            text, address = shown[found]
            return [f'{escape(words)}<a href="../{address}">{escape(text)}</a>']
    return []


def _of_program(one):
    """What the authors' public program gives, on what, and which version of it was run when, HTML."""
    values = escape(f"{grouped(one.value)} {one.of}".strip())
    where = f"https://github.com/{one.repository}/tree/{one.commit}"
    return f'{values} (<a href="{where}">{one.repository}</a>, run {one.date}; {escape(one.how)})'


def _ours(row):
    """Our value at the digits that are printed, and beside it all digits where there are more, HTML."""
    shown, whole = citing.ours_html(row), grouped(row["ours"])
    unit = "" if row["unit"] in ("1", "none", "%", "") or shown.endswith(row["unit"]) else f" {row['unit']}"
    is_whole = not row["ours"] or escape(whole, quote=False) in shown
    return shown + escape(unit if row["ours"] else "") + ("" if is_whole else f" ({escape(whole)})")


def _is_shortened(claim):
    """Whether the table of the page writes a printed value in other signs than the paper."""
    return "e" in claim.value and claim.number is not None


def _record_link(row):
    """The stored record that a verdict rests on, and the code that judges or counts it, list of HTML."""
    if row["experiment"]:
        anchor = f"#r{row['key']}" if row["key"] else ""
        what = "stored record" if row["key"] else f"stored records of {escape(row['experiment'])}"
        record = [f'<a href="../records/{row["experiment"]}.html{anchor}">{what}</a>']
    else:
        record = []
    how = "judged" if row["experiment"] else "counted"
    return [*record, *[f"{how} by <code>{ledger_html.breakable(row['check'])}</code>"] * bool(row["check"])]


def report_html(row):
    """How to report that a number is wrong while the project has no address: a text to copy, HTML."""
    return (
        '<details class="cite"><summary>Report a discrepancy</summary>'
        "<p>This project has no public address yet. Copy the text, add what you find, and send it to whoever "
        "passed this site on to you, or to its maintainers.</p>"
        f'<pre class="copied" data-kind="text" tabindex="0">{escape(citing.report_text(row))}</pre></details>'
    )


@cache
def _keys(experiment):
    """Keys of the stored records of an experiment, dict by the text of the case."""
    return {case: entry["key"] for case, entry in store.records(experiment).items()}


_LINKED = 30  # records that a card links one by one


def _made_of(row):
    """The stored cases that a value is made of, each with its record, HTML; empty where one case is named."""
    if row["key"] or not row["experiment"] or not row["ours"]:
        return ""
    cases, every = made_of.cases_of(row), len(experiments.get(row["experiment"]).cases())
    which = f"all {every}" if len(cases) == every else f"{len(cases)} of {every}"
    words = f"{which} cases of <code>{ledger_html.breakable(row['experiment'])}</code>"
    if every == 1:
        return f"the one case of <code>{ledger_html.breakable(row['experiment'])}</code>"
    text = f"{words}: {escape(made_of.in_words(cases))}"
    if len(cases) > _LINKED:
        return text
    records = _keys(row["experiment"])
    links = [
        f'<a href="../records/{row["experiment"]}.html#r{records[canonical(case)]}">{number}</a>'
        for number, case in enumerate(cases, start=1)
        if canonical(case) in records
    ]
    return f"{text}; records {' '.join(links)}" if links else text


def citing_html(summary, result, site):
    """How to cite a result, as text and for BibTeX; a script adds buttons that copy."""
    return (
        f'<details class="cite"><summary>{summary}</summary>'
        f'<p class="copied" tabindex="-1">{escape(result.text(site.base))}</p>'
        f'<pre class="copied" tabindex="0">{escape(result.bibtex(site.base))}</pre></details>'
    )


def items(rows):
    """What the papers number, dict of "theorem 4.1" to a list of (paper, first claim, number of claims)."""
    found = {}
    for row in rows:
        if _NUMBERED.fullmatch(row["item"]):
            found.setdefault(row["item"].lower(), {}).setdefault(row["paper"], []).append(row["id"])
    return {
        name: [(papers()[key].name, ids[0], len(ids), _words(papers()[key])) for key, ids in some.items()]
        for name, some in found.items()
    }


def _words(paper):
    """Words by which a reader names a paper, in small letters, separated by blanks."""
    last = [name.split()[-1] for name in paper.authors]
    return " ".join([paper.key, *last, str(paper.year), paper.name, paper.title]).lower()


def _found(rows):
    """Verdict, printed value, ours, what it is about and further words of each claim, dict by its id."""
    return {
        row["id"]: [
            claims.words(row["verdict"], row["fitted"]),
            _value(row["printed"]),
            _value(row["ours"]),
            claim_words.title(row),
            claim_words.also(row),
        ]
        for row in rows
    }


def _value(text):
    """A value as one types it into a search; empty for words."""
    number = text.lstrip("><~").strip()
    return number if re.fullmatch(r"-?[\d.]+(e-?\d+)?", number) else ""


def write_index(app, exception):
    """Names and values of all claims, and what the papers number, for the search: each finds its card."""
    if exception is None and app.builder.format == "html":
        rows = verdicts.read()
        found = {"treelibClaims": _found(rows), "treelibItems": items(rows)}
        text = "".join(
            f"window.{name} = {json.dumps(one, separators=(',', ':'))};\n" for name, one in found.items()
        )
        (app.outdir / "_static" / "claim-ids.js").write_text(text, encoding="utf-8")
