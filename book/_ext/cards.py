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
import places
from ledger_files import proof_files
from markupsafe import Markup
from rendering import rendered

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
        return f"{match[0]}{site.flag(row) if row else ''}"

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
    paper, item, key = papers()[rows[0]["paper"]], rows[0]["item"], page.partition("/")[2]
    return rendered(
        "cards",
        paper=paper,
        item=item,
        people=citing.people(paper.authors),
        link=citing.paper_link(paper.key),
        tally=tally(rows),
        places=list(dict.fromkeys(shown[row["id"]] for row in rows if row["id"] in shown)),
        proof=proof_files(key) if key in proofs.ITEMS else (),
        result=citing.Result(key, paper.key, item),
        site=site,
        cards=[card(row, shown, site) for row in rows],
    )


def tally(rows):
    """Claims by verdict in words, those that were fitted apart, HTML."""
    counted = {
        is_fitted: Counter(row["verdict"] for row in rows if bool(row["fitted"]) == is_fitted)
        for is_fitted in (False, True)
    }
    free, fitted = ({word: n[word] for word in claims.VERDICTS if n[word]} for n in counted.values())
    choices = dict.fromkeys(row["fitted"] for row in rows if row["fitted"])
    return rendered("tally", free=free, fitted=fitted, choices=choices)


def card(row, shown, site):
    """The card of one claim, HTML."""
    claim, what, ours = claims.find(row["id"]), claim_words.what(row), citing.ours_html(row)
    rule, whole = row["rule"].partition(":")[0].strip(), grouped(row["ours"])
    known = rules.RULES.get(rule)
    has_unit = row["unit"] not in ("1", "none", "%", "") and not ours.endswith(row["unit"])
    return rendered(
        "card",
        row=row,
        what=what,
        printed=Markup(tables.printed_text(claim)),
        # the table of the page writes it in other signs than the paper
        shortened=claim.value if "e" in claim.value and claim.number is not None else "",
        ours=ours,
        unit=f" {row['unit']}" if has_unit else "",
        whole="" if escape(whole, quote=False) in ours else whole,  # all digits beside those printed
        rule=rule,
        means=known.text.strip().partition(".")[0] if known else "",
        findings=ledger_findings.of_claim(row["id"]),
        programs=claims.of_program(row["id"]).values(),
        made_of=_made_of(row),
        choice=rulebook.choices().get(row["fitted"]),
        note=claim.note,
        place=_place(row, shown),
        result=citing.Result(row["id"], row["paper"], row["item"], what, citing.finding(row)),
        report=citing.report_text(row),
        site=site,
    )


def _place(row, shown):
    """Where the book shows a claim, else another of the table, or of the paper: words, and text and address
    of a link; None where it shows none."""
    page = card_page(row["id"])
    choices = (
        ("", (one for one in shown if one == row["id"])),
        (f"not shown itself; others of {row['item']}: ", (one for one in shown if card_page(one) == page)),
        ("not shown itself; begin at ", (one for one in shown if one.startswith(f"{row['paper']}."))),
    )
    return next(((words, *shown[one]) for words, near in choices for one in near), None)


@cache
def _keys(experiment):
    """Keys of the stored records of an experiment, dict by the text of the case."""
    return {case: entry["key"] for case, entry in store.records(experiment).items()}


_LINKED = 30  # records that a card links one by one


def _made_of(row):
    """The stored cases that a value is made of, each with its record, HTML; empty where one case is named."""
    name = row["experiment"]
    if row["key"] or not name or not row["ours"]:
        return ""
    cases, every = made_of.cases_of(row), len(experiments.get(name).cases())
    keys = [(number, _keys(name).get(canonical(case))) for number, case in enumerate(cases, start=1)]
    linked = [one for one in keys if one[1]] if len(cases) <= _LINKED else []
    words = {"experiment": name, "every": every, "n": len(cases), "words": made_of.in_words(cases)}
    return rendered("made_of", keys=linked, **words)


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
